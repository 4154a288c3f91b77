//! The `smalti` program: see [`smalti::cli`].

fn main() {}

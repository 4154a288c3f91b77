//! The `smalti` program: see [`smalti::cli`].

use std::process::ExitCode;

/// States are many small pieces, shared and dropped all the time: allocation is a fifth of the time
/// with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    smalti::cli::main()
}

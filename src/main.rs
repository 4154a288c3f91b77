//! The `smalti` program: see [`smalti::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    smalti::cli::main()
}

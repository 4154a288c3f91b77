//! smalti with signs and parities.

use own_domain::SignsDomain;
use std::process::ExitCode;

fn main() -> ExitCode {
    smalti::Builder::new().numeric("signs", SignsDomain).main()
}

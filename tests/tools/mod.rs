//! Tells a program that runs in a folder of its own where `scripts/setup` puts the tools.

use assert_cmd::Command;
use std::path::Path;

/// Sets variables to the tools of this checkout, if they exist and the environment names none.
pub(crate) fn name_tools(command: &mut Command) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools");
    for (variable, path) in [("CBMC", "cbmc/bin/cbmc"), ("SMALTI_SOLVER", "z3/bin/z3"), ("APRON_DIR", "apron")] {
        let path = root.join(path);
        if std::env::var_os(variable).is_none() && path.exists() {
            command.env(variable, path);
        }
    }
}

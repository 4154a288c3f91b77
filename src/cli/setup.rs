//! `setup`: gets the tools that smalti uses and that Cargo cannot build.
//!
//! The script `scripts/setup` does the work. The program carries a copy of it, so that it needs no
//! checkout, and writes the copy into smalti's data folder, where the script puts the tools. Then
//! this process becomes the script: signals reach it, no time limit holds, and its exit status is
//! the one of the command.

use super::stop::{Stop, wrong};
use clap::Args;
use smalti_stack::data_folder;
use std::convert::Infallible;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = include_str!("../../scripts/setup");

/// Arguments of `setup`, which are options of the script.
#[derive(Args, Debug)]
pub(super) struct Setup {
    /// Say what was found: tool, version, place.
    #[arg(long)]
    print: bool,
    /// End with exit status 1 if a tool is missing; otherwise the status is 0.
    #[arg(long)]
    strict: bool,
    /// Try again what failed less than a day ago.
    #[arg(long)]
    retry: bool,
}

/// Becomes the script. Returns only if that fails.
pub(super) fn setup(arguments: &Setup) -> Result<Infallible, Stop> {
    let Some(folder) = data_folder(&|name| std::env::var_os(name)) else {
        let text = "there is no folder for the tools: set HOME, or XDG_DATA_HOME, to the absolute path of a folder";
        return Err(wrong(text.to_owned()));
    };
    let script = written(&folder).map_err(|error| {
        let folder = folder.display();
        wrong(format!("the folder `{folder}` cannot be written: {error}; set XDG_DATA_HOME to a folder that can be"))
    })?;
    let error = Command::new("bash").arg(script).args(arguments.options()).exec();
    Err(wrong(format!("bash, which runs the setup, cannot be started: {error}; install it")))
}

/// Writes the script into the folder and returns its path.
fn written(folder: &Path) -> io::Result<PathBuf> {
    let scripts = folder.join("scripts");
    fs::create_dir_all(&scripts)?;
    let executable = fs::Permissions::from_mode(0o755);
    let mut file = tempfile::Builder::new().permissions(executable).tempfile_in(&scripts)?;
    file.write_all(SCRIPT.as_bytes())?;
    let script = scripts.join("setup");
    // Another setup may be reading the script: it is replaced in one step.
    file.persist(&script)?;
    Ok(script)
}

impl Setup {
    /// The options as the script knows them.
    fn options(&self) -> impl Iterator<Item = &'static str> {
        let all = [(self.print, "--print"), (self.strict, "--strict"), (self.retry, "--retry")];
        all.into_iter().filter_map(|(given, option)| given.then_some(option))
    }
}

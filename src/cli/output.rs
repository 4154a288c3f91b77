//! Writing to standard output and standard error.

use super::stop::{Stop, wrong};
use crate::report::{Diagnostic, Paint};
use clap::ValueEnum;
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;

/// `--color`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colour {
    Auto,
    Always,
    Never,
}

/// The user's choice of colours. It is set once, at the start.
static CHOICE: OnceLock<Colour> = OnceLock::new();

/// Stores the user's choice of colours.
pub(super) fn choose(colour: Colour) {
    let _ = CHOICE.set(colour);
}

/// Whether to print colours to a stream.
pub(super) fn colours(stream: &impl IsTerminal) -> bool {
    let choice = CHOICE.get().copied().unwrap_or(Colour::Auto);
    wanted(choice, stream.is_terminal(), &|name| std::env::var_os(name).unwrap_or_default())
}

/// The command line takes precedence over the environment (no-color.org, bixense.com/clicolors),
/// and the environment over the terminal.
fn wanted(choice: Colour, terminal: bool, variable: &dyn Fn(&str) -> OsString) -> bool {
    let forced = variable("CLICOLOR_FORCE");
    match choice {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if !variable("NO_COLOR").is_empty() => false,
        Colour::Auto if !forced.is_empty() && forced != "0" => true,
        Colour::Auto => terminal && variable("TERM") != "dumb" && variable("CLICOLOR") != "0",
    }
}

/// The colours of standard output.
pub(super) fn paint() -> Paint {
    Paint { colour: colours(&std::io::stdout()) }
}

/// Writes the result. It is no error if the reader has gone away (`| head`).
pub(super) fn to_stdout(text: &str) -> Result<(), Stop> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Stop::Output(e)),
        _ => Ok(()),
    }
}

/// A file to write: its path, and its text.
pub(super) type Written<'a> = (&'a Path, String);

/// Writes the result, and the files that belong to it.
pub(super) fn write(files: Vec<Written<'_>>, text: &str) -> Result<(), Stop> {
    for (path, contents) in files {
        std::fs::write(path, contents).map_err(|e| wrong(format!("{} cannot be written: {e}", path.display())))?;
    }
    to_stdout(text)
}

/// Writes the result to a file, completely or not at all.
pub(super) fn to_file(path: &Path, text: &str) -> std::io::Result<()> {
    // A terminal, a pipe or /dev/null cannot be replaced, so it is written to.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().permissions(permissions()).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// The permissions of a new file, before the umask.
fn permissions() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// Writes a message. A failure is ignored, because it cannot be reported.
pub(super) fn to_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Writes an error message or a warning to standard error.
pub(super) fn complain(diagnostic: &Diagnostic) {
    to_stderr(&diagnostic.render(Paint { colour: colours(&std::io::stderr()) }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_unless_somebody_says_otherwise() {
        let with = |choice, terminal, set: &[(&str, &str)]| {
            wanted(choice, terminal, &|name| set.iter().find(|s| s.0 == name).map_or("", |s| s.1).into())
        };
        for (choice, terminal, set, coloured) in [
            (Colour::Auto, true, &[][..], true),
            (Colour::Auto, false, &[], false),
            (Colour::Auto, true, &[("NO_COLOR", "1")], false),
            (Colour::Auto, true, &[("NO_COLOR", "")], true),
            (Colour::Auto, false, &[("CLICOLOR_FORCE", "1")], true),
            (Colour::Auto, false, &[("CLICOLOR_FORCE", "0")], false),
            (Colour::Auto, false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
            (Colour::Auto, true, &[("CLICOLOR", "0")], false),
            (Colour::Auto, true, &[("TERM", "dumb")], false),
            (Colour::Always, false, &[("NO_COLOR", "1")], true),
            (Colour::Never, true, &[("CLICOLOR_FORCE", "1")], false),
        ] {
            assert_eq!(with(choice, terminal, set), coloured, "{choice:?} {terminal} {set:?}");
        }
    }
}

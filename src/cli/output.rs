//! Writing to standard output and standard error.

use super::Stop;
use super::arguments::Colour;
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;

/// What the user has said about colours; once, at the start.
static CHOICE: OnceLock<Colour> = OnceLock::new();

/// Notes what the user says about colours.
pub(super) fn choose(colour: Colour) {
    let _ = CHOICE.set(colour);
}

/// Whether a stream wants colours.
pub(super) fn colours(stream: &impl IsTerminal) -> bool {
    let choice = CHOICE.get().copied().unwrap_or(Colour::Auto);
    wanted(choice, stream.is_terminal(), &|name| std::env::var_os(name).unwrap_or_default())
}

/// The command line comes before the environment (no-color.org, bixense.com/clicolors), which comes
/// before the terminal.
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

/// Writes the result. A reader that has gone away (`| head`) is no error.
pub(super) fn to_stdout(text: &str) -> Result<(), Stop> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Stop::Output(e)),
        _ => Ok(()),
    }
}

/// Writes the result to a file, whole or not at all.
pub(super) fn to_file(path: &Path, text: &str) -> std::io::Result<()> {
    // What is no ordinary file (a terminal, a pipe, /dev/null) is written to; it cannot be
    // replaced.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().permissions(permissions()).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// What a new file may be used for by whom, before the user's mask.
fn permissions() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// Writes a message. There is nobody to tell if that fails.
pub(super) fn to_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
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

//! Writing to standard output and standard error.

use super::Stop;
use std::io::{ErrorKind, IsTerminal, Write};

/// Whether a stream wants colours: it is a terminal that knows them, and the user has not said otherwise (no-color.org).
pub(super) fn colours(stream: &impl IsTerminal) -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    stream.is_terminal() && !unwanted && !dumb
}

/// Writes the result. A reader that has gone away (`| head`) is no error.
pub(super) fn to_stdout(text: &str) -> Result<(), Stop> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Stop::Output(e)),
        _ => Ok(()),
    }
}

/// Writes a message. There is nobody to tell if that fails.
pub(super) fn to_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

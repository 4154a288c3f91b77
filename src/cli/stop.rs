//! Why a command ends without a result.

use crate::report::Diagnostic;

/// Why a command ended without a result.
pub(super) enum Stop {
    /// The command line or the input is wrong.
    Wrong(Box<Diagnostic>),
    /// The result could not be written.
    Output(std::io::Error),
}

/// Ends the command with this error message: the command line or the input is wrong.
pub(super) fn wrong(message: String) -> Stop {
    Stop::Wrong(Box::new(Diagnostic::error(message)))
}

//! Why APRON cannot be used.

use crate::search;
use std::env;
use std::fmt;

/// Why APRON cannot be used. Displayed as one sentence that says what was looked for and what to
/// do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    kind: LoadErrorKind,
    message: String,
}

/// What kind of failure a [`LoadError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The library is not there.
    NotFound,
    /// Something of that name is there, but not all of it can be opened.
    Broken,
    /// This machine cannot run it as smalti needs it.
    Unsupported,
}

const ADVICE: &str = "run `smalti setup`, or install APRON and set APRON_DIR to the folder of libapron";

impl LoadError {
    /// What kind of failure this is.
    pub fn kind(&self) -> LoadErrorKind {
        self.kind
    }

    pub(crate) fn hidden() -> Self {
        let message = "APRON is hidden: SMALTI_WITHOUT_APRON is set; unset it to use APRON".to_owned();
        LoadError { kind: LoadErrorKind::NotFound, message }
    }

    pub(crate) fn not_found() -> Self {
        let variable = match env::var(search::VARIABLE) {
            Ok(folder) if !folder.is_empty() => format!("APRON_DIR ({folder})"),
            _ => "APRON_DIR (not set)".to_string(),
        };
        let name = &search::file_names("apron", "0")[0];
        let message = format!(
            "APRON was not found: looked for {name} in {variable}, in .tools/apron above the program, above the \
             current folder and in smalti's data folder, and among the system's libraries; {ADVICE}"
        );
        LoadError { kind: LoadErrorKind::NotFound, message }
    }

    pub(crate) fn broken(reason: &str) -> Self {
        LoadError { kind: LoadErrorKind::Broken, message: format!("APRON is incomplete: {reason}; {ADVICE}") }
    }

    pub(crate) fn unsupported(reason: &str) -> Self {
        let message = format!("APRON cannot be used on this machine: {reason}; use the domains that do not need it");
        LoadError { kind: LoadErrorKind::Unsupported, message }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadError {}

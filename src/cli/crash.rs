//! How a panic, which is a bug of smalti, is reported to the user.

use crate::report::Diagnostic;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::sync::Mutex;

static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Replaces the default panic hook by one that keeps the message for [`message`].
pub(super) fn install_hook() {
    std::panic::set_hook(Box::new(|info| {
        let what = message_of(info.payload());
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let mut text = format!("{what}{place}");
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            text += &format!("\n{trace}");
        }
        *LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(text);
    }));
}

/// The message about the last panic.
pub(super) fn message() -> Diagnostic {
    let last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    let mut diagnostic = Diagnostic::error("smalti has a bug: it stopped without a result");
    diagnostic.notes.push(last.unwrap_or_else(|| "it left no message".into()));
    diagnostic.notes.push(format!(
        "this is smalti {}; please report it with the program that was analysed",
        env!("CARGO_PKG_VERSION")
    ));
    diagnostic
}

fn message_of(payload: &dyn std::any::Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

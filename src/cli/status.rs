//! The exit statuses.

/// The command did what it was asked, or the verdict is true.
pub(super) const TRUE: u8 = 0;
/// The verdict is false.
pub(super) const FALSE: u8 = 1;
/// The command line or the input is wrong.
pub(super) const USAGE: u8 = 2;
/// The verdict is unknown.
pub(super) const UNKNOWN: u8 = 3;
/// A bug of ours.
pub(super) const BUG: u8 = 101;

/// The exit status after a signal with this number ended the work.
pub(super) fn of_signal(number: u8) -> u8 {
    128 + number
}

//! System calls that a signal may interrupt.

use std::io::{self, ErrorKind};

/// Repeats `call` as long as a signal interrupts it.
///
/// An interrupted call has done nothing: it read no byte and waited for no other process. The
/// kernel repeats most calls by itself, but not a read of a socket that has a time-out, and not if
/// a handler was installed without `SA_RESTART`. A call with a time limit must read the clock each
/// time.
///
/// # Errors
/// The first error of another kind.
#[cfg_attr(not(feature = "fuzz"), allow(unreachable_pub, reason = "the feature hands it to the tests"))]
pub fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::io::Read;

    /// A reader that is interrupted before each byte.
    pub(crate) struct Disturbed<'a> {
        text: &'a [u8],
        disturbed: bool,
    }

    impl Disturbed<'_> {
        pub(crate) fn new(text: &[u8]) -> Disturbed<'_> {
            Disturbed { text, disturbed: false }
        }
    }

    impl Read for Disturbed<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.disturbed = !self.disturbed;
            if self.disturbed {
                return Err(ErrorKind::Interrupted.into());
            }
            let most = buffer.len().min(1);
            self.text.read(&mut buffer[..most])
        }
    }

    #[test]
    fn only_what_was_interrupted_is_tried_again() {
        let mut input = Disturbed::new(b"ab");
        let mut buffer = [0; 8];
        assert_eq!(uninterrupted(|| input.read(&mut buffer)).unwrap(), 1);
        let mut calls = 0;
        let failed = uninterrupted(|| {
            calls += 1;
            Err::<(), _>(if calls < 3 { ErrorKind::Interrupted } else { ErrorKind::WouldBlock }.into())
        });
        assert_eq!((failed.unwrap_err().kind(), calls), (ErrorKind::WouldBlock, 3));
    }
}

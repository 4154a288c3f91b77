//! A connection with a deadline, which signals do not break.

use smalti::fuzz::uninterrupted;
use std::io::{ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A stream with a deadline for all reads together.
///
/// A signal turns a read with a time-out into an error, even if handlers are installed with
/// `SA_RESTART`, and even if there is no handler: a process that is stopped for a moment is enough.
/// Such a read has taken no byte, so it is repeated here. The caller, which may be in the middle of
/// a frame, does not notice.
pub(super) struct Connection {
    stream: TcpStream,
    deadline: Instant,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Connection {
        Connection { stream, deadline: Instant::now() + patience }
    }

    /// Sets the deadline.
    pub(super) fn wait_at_most(&mut self, patience: Duration) {
        self.deadline = Instant::now() + patience;
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        uninterrupted(|| {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left))?;
            self.stream.read(buffer)
        })
    }
}

impl Write for Connection {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        uninterrupted(|| self.stream.write(buffer))
    }

    fn flush(&mut self) -> Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::pthread::{pthread_kill, pthread_self};
    use nix::sys::signal::Signal;
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use tungstenite::Message;

    /// Sends a text to each client, byte by byte, and then nothing.
    fn serve(listener: &TcpListener, text: &str) {
        let (stream, _) = listener.accept().expect("a client");
        let mut socket = tungstenite::accept(stream).expect("a handshake");
        // A frame that ends a text message, and its length.
        let mut frame = vec![0x81, u8::try_from(text.len()).expect("a short text")];
        frame.extend_from_slice(text.as_bytes());
        for byte in frame {
            std::thread::sleep(Duration::from_millis(10));
            socket.get_mut().write_all(&[byte]).expect("a client that listens");
        }
        // Waits until the client has gone.
        let _ = socket.read();
    }

    #[test]
    fn signals_neither_break_a_connection_nor_make_it_wait_longer() {
        const PATIENCE: Duration = Duration::from_millis(300);
        const BOMBARDMENT: Duration = Duration::from_secs(5);
        signal_hook::flag::register(signal_hook::consts::SIGUSR1, Arc::default()).expect("a handler");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (client, over) = (pthread_self(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| serve(&listener, "a text in one frame"));
            let stream = TcpStream::connect(address).expect("a connection");
            scope.spawn(|| {
                let start = Instant::now();
                while !over.load(Ordering::SeqCst) && start.elapsed() < BOMBARDMENT {
                    pthread_kill(client, Signal::SIGUSR1).expect("a thread");
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let connection = Connection::new(stream, Duration::from_secs(60));
            let heard = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let (mut socket, _) = tungstenite::client(format!("ws://{address}/"), connection).expect("a socket");
                assert_eq!(socket.read().expect("a message"), Message::text("a text in one frame"));
                socket.get_mut().wait_at_most(PATIENCE);
                let start = Instant::now();
                socket.read().expect_err("nothing more is said");
                start.elapsed()
            }));
            over.store(true, Ordering::SeqCst);
            let waited = heard.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            assert!(waited >= PATIENCE.mul_f32(0.9) && waited < BOMBARDMENT / 2, "{waited:?}");
        });
    }
}

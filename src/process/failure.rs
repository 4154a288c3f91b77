//! Why a program gave no answer.

use std::fmt;

/// Why there is no answer. Shown, it is the end of a sentence that begins with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The deadline passed.
    Late,
    /// The process ran out of the memory it was given, in MiB.
    Memory(u64),
    /// The process could not be started, with the system's words.
    Start(String),
    /// The process printed more than is ever read, in bytes.
    TooMuch(u64),
    /// The process gave no complete answer: what it printed instead, or how it ended.
    Broken(String),
    /// The answer does not fit the question: what is wrong.
    Mismatch(String),
    /// The question is malformed and was not sent: what is wrong.
    Unasked(String),
    /// The process rejects the script that it was sent, in its own words. This is a bug of smalti,
    /// whatever the process answers to the rest.
    Rejected(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Late => f.write_str("did not answer within its share of the time limit"),
            Failure::Memory(mib) => write!(f, "needs more than the {mib} MiB of memory it may have"),
            Failure::Start(why) => write!(f, "could not be started: {why}"),
            Failure::TooMuch(bytes) => write!(f, "printed more than {bytes} bytes"),
            Failure::Broken(how) => write!(f, "gave an incomplete answer: {how}"),
            Failure::Mismatch(what) => write!(f, "answered a question that it was not asked: {what}"),
            Failure::Rejected(why) => write!(f, "rejects the script: {why}; this is a bug of smalti"),
            Failure::Unasked(what) => write!(f, "was not asked, because the question is malformed: {what}"),
        }
    }
}

impl std::error::Error for Failure {}

//! One run of the real CBMC.

use super::{Answer, Cbmc, Failure, ModelChecker, Query, Tuning, answer};
use crate::process::{self, End, Guard, Limits, Scratch, how, out_of_memory};
use crate::program::DataModel;
use std::ffi::OsString;
use std::time::Instant;

/// The largest number of bytes of output that are read. Long traces have some 10 MB.
const OUTPUT: u64 = 256 << 20;
/// The name of the program in its folder. The ending tells CBMC that it is preprocessed, so that no
/// C compiler is needed.
const FILE: &str = "query.i";

impl ModelChecker for Cbmc {
    fn run(&self, query: &Query, deadline: Instant) -> Result<Answer, Failure> {
        if Instant::now() >= deadline {
            return Err(Failure::Late);
        }
        // The guard outlives the folder: a signal takes effect after the folder is removed.
        let guard = Guard::new();
        let start = |e: std::io::Error| Failure::Start(e.to_string());
        let folder = Scratch::new().map_err(start)?;
        std::fs::write(folder.file(FILE), &query.source).map_err(start)?;
        let limits = Limits { deadline, memory: self.memory, output: OUTPUT };
        let arguments = self.arguments(query);
        log::debug!("{} {arguments:?}", self.program.display());
        let end =
            process::run(&self.program, &arguments, folder.path(), &limits, &guard, answer::read).map_err(start)?;
        // An answer counts even if the folder cannot be removed.
        drop(folder);
        match end {
            End::Late | End::Interrupted | End::Lingered(_) => Err(Failure::Late),
            End::TooLarge => Err(Failure::Memory(self.memory)),
            End::TooMuch => Err(Failure::TooMuch(OUTPUT)),
            End::Exited(document, status, complaint) => {
                let ended = how(status, &complaint);
                let document = match document {
                    Ok(document) => document,
                    Err(_) if out_of_memory(status, &complaint) => return Err(Failure::Memory(self.memory)),
                    Err(why) => return Err(Failure::Broken(format!("{why}; {ended}"))),
                };
                // The status only tells whether the process ended normally: 0 and 10 both mean that
                // there is an answer.
                if !matches!(status.code(), Some(0 | 10)) || !document.finished() {
                    if out_of_memory(status, &complaint) || out_of_memory(status, document.errors()) {
                        return Err(Failure::Memory(self.memory));
                    }
                    let why =
                        if document.errors().is_empty() { ended } else { format!("{}; {ended}", document.errors()) };
                    return Err(Failure::Broken(why));
                }
                document.answer(query).map_err(Failure::Mismatch)
            }
        }
    }
}

impl Cbmc {
    /// The arguments for a query.
    pub(super) fn arguments(&self, query: &Query) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec![FILE.into(), "--json-ui".into()];
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
        if self.version.major >= 6 {
            // This option turns off unwinding assertions as well, so they are requested below.
            add(&["--no-standard-checks", "--no-malloc-may-fail"]);
        }
        add(match query.data_model {
            DataModel::Ilp32 => &["--32"],
            DataModel::Lp64 => &["--64"],
        });
        add(if query.big_endian { &["--big-endian"] } else { &["--little-endian"] });
        add(&["--unwind", &query.unwind.to_string()]);
        if query.unwinding_assertions {
            add(&["--unwinding-assertions"]);
        } else if self.version.major >= 6 {
            add(&["--no-unwinding-assertions"]);
        }
        if query.stop_at_failure {
            add(&["--stop-on-fail", "--trace"]);
        }
        match query.tuning {
            Tuning::Plain => {}
            Tuning::Functions => add(&["--arrays-uf-always", "--no-array-field-sensitivity"]),
            Tuning::Sliced => add(&["--slice-formula"]),
        }
        // A block that is allocated in a loop is a new object in each iteration, and the default of
        // 8 bits names only 256 objects. Of 32 bits none can be spared. Too many objects are an
        // error then, whereas offsets that do not fit would give wrong answers.
        if query.data_model == DataModel::Lp64 {
            add(&["--object-bits", "12"]);
        }
        arguments
    }
}

//! One run of a real solver.

use super::{Answer, Failure, Kind, Logic, Process, Script, Solver, answer};
use crate::process::{self, End, Guard, Limits, how, out_of_memory};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

/// The largest number of bytes of output that are read. A value takes some 100.
const OUTPUT: u64 = 16 << 20;
/// How much later than our limit the solver's own limit is. It ends a solver that outlives smalti.
const SLACK: Duration = Duration::from_secs(1);

impl Solver for Process {
    fn ask(&self, script: &Script, deadline: Instant) -> Result<Answer, Failure> {
        script.check().map_err(Failure::Unasked)?;
        let now = Instant::now();
        if now >= deadline {
            return Err(Failure::Late);
        }
        let guard = Guard::new();
        let limits = Limits { deadline, memory: self.memory, output: OUTPUT };
        let arguments = self.arguments(deadline - now + SLACK, script.resources);
        log::debug!("{} {arguments:?}", self.program.display());
        // The solver reads the script from its input, so there is no file to remove.
        let (asked, text) = (script.clone(), self.text(script));
        let talk = move |output: &mut dyn Read, input| answer::converse(output, input, &asked, text);
        let end = process::converse(&self.program, &arguments, Path::new("/"), &limits, &guard, talk)
            .map_err(|e| Failure::Start(e.to_string()))?;
        match end {
            End::Late | End::Interrupted => Err(Failure::Late),
            End::TooLarge => Err(Failure::Memory(self.memory)),
            End::TooMuch => Err(Failure::TooMuch(OUTPUT)),
            End::Lingered(Ok(_)) => Err(Failure::Broken("it does not end when asked to".into())),
            End::Lingered(Err(Failure::Rejected(why))) => Err(self.rejects(script, why)),
            End::Lingered(Err(why)) => Err(why),
            End::Exited(Ok(answer), status, _) if status.success() => Ok(answer),
            End::Exited(Err(Failure::Late), ..) => Err(Failure::Late),
            End::Exited(found, status, complaint) => {
                let said = match found {
                    Err(Failure::Broken(why)) => Some(why),
                    Err(Failure::Rejected(why)) => return Err(self.rejects(script, why)),
                    // The solver's answer does not fit the question, whatever happened to it later.
                    Err(other) => return Err(other),
                    Ok(_) => None,
                };
                if complaint.contains("interrupted by timeout") {
                    return Err(Failure::Late);
                }
                if out_of_memory(status, &complaint) || said.as_ref().is_some_and(|why| out_of_memory(status, why)) {
                    return Err(Failure::Memory(self.memory));
                }
                Err(Failure::Broken(match said {
                    // The solver ended normally: its status adds nothing to its answer.
                    Some(why) if status.success() && complaint.is_empty() => why,
                    Some(why) => format!("{why}; {}", how(status, &complaint)),
                    None => how(status, &complaint),
                }))
            }
        }
    }
}

impl Process {
    /// Logs the rejection. Otherwise nobody would see it: only this answer is missing, and another
    /// solver may give one.
    fn rejects(&self, script: &Script, why: String) -> Failure {
        let failure = Failure::Rejected(why);
        log::error!("{} {} {failure}", self.kind, self.version);
        log::debug!("what it rejects:\n{}", self.text(script));
        failure
    }

    /// The arguments for a run of at most `time`, for a question that may use so many `resources`.
    pub(super) fn arguments(&self, time: Duration, resources: Option<u64>) -> Vec<OsString> {
        let mut all: Vec<OsString> = match self.kind {
            Kind::Z3 => vec!["-in".into(), format!("-T:{}", time.as_secs().saturating_add(1)).into()],
            Kind::Cvc5 => vec!["--lang=smt2".into(), format!("--tlimit={}", time.as_millis()).into()],
        };
        let least = self.resources.into_iter().chain(resources).min();
        all.extend(least.map(|n| match self.kind {
            Kind::Z3 => format!("rlimit={n}").into(),
            Kind::Cvc5 => format!("--rlimit-per={n}").into(),
        }));
        all
    }

    /// The script, and the command that makes the solver search for an answer.
    pub(super) fn text(&self, script: &Script) -> String {
        let look = match (self.kind, script.logic) {
            // With named assertions, Z3's `(check-sat)` does not solve equations between variables
            // first: a loop of 60 rounds that writes two arrays took more than 40 s instead of 0.1
            // s. The tactic is the one for the logic of these scripts, which they do not declare.
            // The core is a little larger; `smt.core.minimize` would cost the minute again.
            (Kind::Z3, Logic::QfAufbv) => "(check-sat-using qfaufbv)",
            (Kind::Z3 | Kind::Cvc5, _) => "(check-sat)",
        };
        format!("{script}{look}\n")
    }
}

//! A solver whose questions are kept as files.

use super::{Answer, Failure, Script, Solver};
use crate::process::numbered::{self, NumberedFiles};
use std::io;
use std::path::Path;
use std::time::Instant;

/// Writes each question that a solver is asked into a folder, as a complete script of SMT-LIB that
/// any solver can answer again. The first line is a comment: what the question is about, and what
/// the solver answered.
///
/// The files are `query-0001.smt2` and so on. They replace those of an earlier run. A file that
/// cannot be written is mentioned in the log; answers do not depend on it.
pub struct Kept<'s> {
    solver: &'s dyn Solver,
    files: NumberedFiles,
}

impl<'s> Kept<'s> {
    /// The solver, with a folder that [`Kept::prepare`] has made.
    pub fn new(solver: &'s dyn Solver, folder: &Path) -> Kept<'s> {
        Kept { solver, files: NumberedFiles::new(folder, "query", "smt2") }
    }

    /// Creates the folder if it is missing, and finds out whether files can be written there.
    ///
    /// # Errors
    /// It cannot be created, or no file can be written there: the words of the system.
    pub fn prepare(folder: &Path) -> io::Result<()> {
        numbered::prepare(folder)
    }
}

impl Solver for Kept<'_> {
    fn ask(&self, script: &Script, deadline: Instant) -> Result<Answer, Failure> {
        let path = self.files.next();
        // If the run is cut off, the question is there nevertheless.
        numbered::write(&path, &text(script, None));
        let answer = self.solver.ask(script, deadline);
        numbered::write(&path, &text(script, Some(&answer)));
        answer
    }
}

/// The text of a file.
fn text(script: &Script, answer: Option<&Result<Answer, Failure>>) -> String {
    let (said, more) = match answer {
        None => ("no answer yet".to_owned(), String::new()),
        Some(Ok(Answer::Unsatisfiable(_))) => {
            ("unsat".to_owned(), if script.core { "(get-unsat-core)\n".to_owned() } else { String::new() })
        }
        Some(Ok(Answer::Satisfiable(_))) => {
            let values: Vec<String> = script.values.iter().map(ToString::to_string).collect();
            let more = if values.is_empty() { String::new() } else { format!("(get-value ({}))\n", values.join(" ")) };
            ("sat".to_owned(), more)
        }
        Some(Ok(Answer::Unknown(why))) => (format!("unknown ({why})"), String::new()),
        Some(Err(why)) => (format!("none: the solver {why}"), String::new()),
    };
    let about = if script.about.is_empty() { "a question" } else { &script.about };
    let limit = script.resources.map_or_else(String::new, |n| format!("; limit {n}"));
    let first = format!("{about}; answer: {said}{limit}").replace(['\n', '\r'], " ");
    format!("; {first}\n{script}(check-sat)\n{more}(exit)\n")
}

#[cfg(test)]
mod tests {
    use super::super::{Recorded, Symbol, Term};
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    fn script(about: &str) -> Script {
        let assertions = vec![(Symbol::new("no"), Term::bool(false))];
        Script { assertions, about: about.to_owned(), ..Script::default() }
    }

    #[test]
    fn questions_are_kept_with_their_answers() {
        let unsat = Answer::Unsatisfiable(BTreeSet::from([Symbol::new("no")]));
        let answers = [
            Ok(unsat),
            Ok(Answer::Satisfiable(Vec::new())),
            Ok(Answer::Unknown("incomplete".into())),
            Err(Failure::Broken("a\nb".into())),
        ];
        let solver = Recorded::new(answers.clone());
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("a/b");
        Kept::prepare(&inside).unwrap();
        let kept = Kept::new(&solver, &inside);
        for (answer, about) in answers.into_iter().zip(["the sum", "", "b", "c"]) {
            assert_eq!(kept.ask(&script(about), Instant::now()), answer);
        }
        let read = |n: u32| fs::read_to_string(inside.join(format!("query-{n:04}.smt2"))).unwrap();
        let expected = "; the sum; answer: unsat\n(set-option :produce-models true)\n(set-logic ALL)\n\
                        (assert false)\n(check-sat)\n(exit)\n";
        assert_eq!(read(1), expected);
        let first = |n| read(n).lines().next().unwrap().to_owned();
        assert_eq!(first(2), "; a question; answer: sat");
        assert_eq!(first(3), "; b; answer: unknown (incomplete)");
        assert_eq!(first(4), "; c; answer: none: the solver gave an incomplete answer: a b");
        assert_eq!(fs::read_dir(&inside).unwrap().count(), 4);
    }

    #[test]
    fn what_else_was_asked_for_can_be_asked_again() {
        let core = Script { core: true, resources: Some(5), ..script("x") };
        let said = text(&core, Some(&Ok(Answer::Unsatisfiable(BTreeSet::new()))));
        assert!(said.starts_with("; x; answer: unsat; limit 5\n"), "{said}");
        assert!(said.ends_with("(check-sat)\n(get-unsat-core)\n(exit)\n"), "{said}");
        let values = Script { values: vec![Term::bool(true), Term::int(2)], ..script("x") };
        let said = text(&values, Some(&Ok(Answer::Satisfiable(Vec::new()))));
        assert!(said.ends_with("(check-sat)\n(get-value (true 2))\n(exit)\n"), "{said}");
        assert!(text(&values, None).ends_with("(assert false)\n(check-sat)\n(exit)\n"));
    }

    #[test]
    fn a_folder_that_is_a_file_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Kept::prepare(file.path()).is_err());
        assert!(Kept::prepare(&file.path().join("below")).is_err());
    }
}

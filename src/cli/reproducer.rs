//! The option `--reproducer`: chooses the run that is written, and tells the report about it.

use super::output::Written;
use super::stop::{Stop, wrong};
use crate::program::{DataModel, Program};
use crate::reproduce;
use crate::verdict::{Report, Verdict};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Refuses to write the reproducer over one of the analysed files.
pub(super) fn spares_the_sources(reproducer: Option<&Path>, analysed: &[PathBuf]) -> Result<(), Stop> {
    let Some(path) = reproducer else { return Ok(()) };
    let same = |file: &Path| std::fs::canonicalize(file).ok().zip(std::fs::canonicalize(path).ok());
    match analysed.iter().any(|file| same(file).is_some_and(|(a, b)| a == b)) {
        true => {
            Err(wrong(format!("--reproducer would overwrite {}, which is one of the analysed files", path.display())))
        }
        false => Ok(()),
    }
}

/// The reproducer of the first violated obligation that has one, if it was requested. The report
/// says which obligation it is for, or why there is no reproducer. Runs are repeated until
/// `deadline`.
pub(super) fn written<'a>(
    program: Option<&Program>,
    report: &mut Report,
    reproducer: Option<&'a Path>,
    deadline: Instant,
) -> Option<Written<'a>> {
    let path = reproducer?;
    let mut notes = Vec::new();
    let mut text = None;
    for decided in report.obligations.iter().filter(|d| d.verdict == Verdict::Violated) {
        let Some((program, run)) = program.zip(decided.evidence.counterexample.as_ref()) else { continue };
        let id = &decided.obligation.id;
        match reproduce::reproducer(program, &decided.obligation, run, Some(deadline)) {
            Ok(written) => {
                let command = command(program.data_model, path);
                notes.push(format!("this command repeats the run that violates {id}: {command}"));
                text = Some(written);
                break;
            }
            Err(why) => notes.push(format!("the run that violates {id} cannot be written as a C file: it {why}")),
        }
    }
    if notes.is_empty() {
        notes.push("no reproducer was written, because nothing is violated".to_owned());
    }
    report.notes.extend(notes);
    text.map(|text| (path, text))
}

/// The shell command that compiles the file and runs it. It also works for a name that begins with
/// `-` and for one that does not end in `.c`.
fn command(model: DataModel, path: &Path) -> String {
    let name = path.display().to_string();
    let name = if name.starts_with('-') { format!("./{name}") } else { name };
    let language = if name.ends_with(".c") { "" } else { "-x c " };
    let quoted = shlex::try_quote(&name).map_or_else(|_| name.clone(), |quoted| quoted.into_owned());
    reproduce::command(model, &format!("{language}{quoted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_one_that_a_shell_understands() {
        let of = |name: &str| command(DataModel::Lp64, Path::new(name));
        assert_eq!(of("r.c"), "cc r.c && ./a.out");
        assert_eq!(of("a run.c"), "cc 'a run.c' && ./a.out");
        assert_eq!(of("-failing"), "cc -x c ./-failing && ./a.out");
        assert_eq!(command(DataModel::Ilp32, Path::new("r.c")), "cc -m32 r.c && ./a.out");
    }
}

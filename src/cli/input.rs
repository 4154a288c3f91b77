//! The input of the verbs that look at a program, and how it is read.

use super::limits::Deadline;
use super::progress::ProgressLine;
use super::stop::{Stop, wrong};
use crate::clock;
use crate::lower::{self, InputError, LowerOptions};
use crate::program::{DataModel, Program, Target};
use crate::report::{Diagnostic, Excerpt};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A longer list of what a syntax error could have been instead is shortened.
const MOST_EXPECTED: usize = 5;

/// What is analysed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(super) struct Input {
    /// The C files; several files are one program.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Analyse this function alone: under its `requires`, with any arguments and any values of
    /// globals.
    #[arg(long, value_name = "NAME")]
    pub(super) function: Option<String>,
    /// The sizes of integer types and pointers.
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub(super) data_model: DataModelArgument,
    /// The machine: a data model, then keys such as char=unsigned, endian=big [default: the data
    /// model, char=signed,endian=little].
    #[arg(long, value_name = "TARGET", conflicts_with = "data_model")]
    pub(super) target: Option<Target>,
    /// Do not preprocess the files; files named *.i never are.
    #[arg(long)]
    pub(super) no_preprocess: bool,
    /// A folder to look for included files in.
    #[arg(short = 'I', value_name = "DIR")]
    pub(super) include: Vec<PathBuf>,
    /// A macro to define.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(super) define: Vec<String>,
    /// A folder with C files that say what functions of the C library do, in place of smalti's own.
    #[arg(long, value_name = "DIR")]
    pub(super) library: Option<PathBuf>,
    /// Consider that `malloc`, `calloc` and `realloc` may return null.
    #[arg(long)]
    pub(super) malloc_may_fail: bool,
    /// Limit on the time of the whole run.
    #[arg(long, value_name = "SECONDS", default_value = "50", value_parser = seconds)]
    pub(super) time_limit: Duration,
    /// Limit on counted work, with which answers are the same on every machine; a step is about a
    /// millionth of a second. The time limit holds as well [default: none; `test` 20000000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) steps: Option<u64>,
    /// Limit on the memory of smalti, CBMC and the solver together [default: none for smalti, 6144
    /// for each of the others].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..))]
    pub(super) memory_limit: Option<u64>,
}

/// `--data-model`
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(super) enum DataModelArgument {
    /// int, long and pointers have 32 bits
    Ilp32,
    /// int has 32 bits, long and pointers have 64
    Lp64,
}

impl From<DataModelArgument> for DataModel {
    fn from(argument: DataModelArgument) -> DataModel {
        match argument {
            DataModelArgument::Ilp32 => DataModel::Ilp32,
            DataModelArgument::Lp64 => DataModel::Lp64,
        }
    }
}

impl Input {
    /// The names of the files.
    pub(super) fn names(&self) -> Vec<String> {
        self.files.iter().map(|f| f.display().to_string()).collect()
    }

    /// How the files are read, with the time that the preprocessor may take.
    pub(super) fn options(&self, preprocess_time: Duration) -> LowerOptions {
        let of_model = || Target { data_model: self.data_model.into(), ..Target::default() };
        let Target { data_model, representation } = self.target.unwrap_or_else(of_model);
        LowerOptions {
            data_model,
            representation,
            preprocess: !self.no_preprocess,
            entry: self.function.clone().unwrap_or_else(|| "main".to_owned()),
            alone: self.function.is_some(),
            separate: false,
            include_dirs: self.include.clone(),
            defines: self.define.clone(),
            library: self.library.clone(),
            malloc_may_fail: self.malloc_may_fail,
            preprocess_time,
        }
    }
}

/// A positive number of seconds, at most a year.
fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 31_536_000.0 => Ok(Duration::from_secs_f64(s)),
        _ => Err("a number of seconds above 0 is expected, such as 50 or 0.5".into()),
    }
}

/// Reads the program.
pub(super) fn load(input: &Input, deadline: Deadline, progress: &ProgressLine) -> Result<Program, Stop> {
    load_with(input, false, deadline, progress)
}

/// Reads the program; `separate` is that of [`LowerOptions`].
pub(super) fn load_with(
    input: &Input,
    separate: bool,
    deadline: Deadline,
    progress: &ProgressLine,
) -> Result<Program, Stop> {
    progress.say("reading");
    let time = clock::of_others(deadline.work).saturating_duration_since(Instant::now());
    let options = LowerOptions { separate, ..input.options(time) };
    lower::load(&input.files, &options).map_err(|e| Stop::Wrong(Box::new(diagnostic(&e))))
}

/// Refuses a program whose objects are not those of the source: what is printed of it could be
/// wrong.
pub(super) fn faithful(program: &Program) -> Result<(), Stop> {
    match program.gaps.objects.first() {
        Some(reason) => Err(wrong(format!("smalti cannot represent this program faithfully, because {reason}"))),
        None => Ok(()),
    }
}

fn diagnostic(error: &InputError) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(error.message());
    diagnostic.place = error.place().map(|p| Excerpt {
        file: p.file.clone(),
        line: p.line,
        column: p.column,
        text: p.source_line.clone(),
        length: p.length as usize,
    });
    match error.expected() {
        [] => {}
        [one] => diagnostic.label = format!("expected {one}"),
        all if all.len() <= MOST_EXPECTED => diagnostic.notes.push(format!("expected one of {}", all.join(", "))),
        // Nearly everything may stand inside an expression; what people forget is what ends it.
        all => {
            let ends = ["`;`", "`)`", "`]`", "`}`", "`,`"];
            let likely: Vec<&str> = ends.into_iter().filter(|e| all.iter().any(|x| x == e)).collect();
            if !likely.is_empty() {
                let others = all.len() - likely.len();
                diagnostic.notes.push(format!("expected {}, or one of {others} other things", likely.join(", ")));
            }
        }
    }
    diagnostic.notes.extend(error.notes().iter().cloned());
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_a_positive_number() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "nan", "inf", "1e99", "x", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}

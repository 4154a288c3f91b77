//! The verb `check`: decides the obligations of a program and reports the verdicts.

use super::input::{Input, load};
use super::limits::{Cut, Deadline};
use super::options::{Analysis, Deciding};
use super::output::{self, Written, paint};
use super::partial::{Asked, Partial, Recorder};
use super::progress::ProgressLine;
use super::property::{self, Property};
use super::stop::{Stop, wrong};
use super::svcomp::{self, Answer};
use super::{reproducer, sarif, status};
use crate::analysis::AnalysisConfig;
use crate::program::{Program, SourceMap};
use crate::report;
use crate::smt::Kept;
use crate::stages::{self, CheckConfig};
use crate::verdict::{Outcome, Report, Verdict};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long repeating a failing run may take after the time limit.
const LATE: Duration = Duration::from_millis(200);

/// Arguments of `check`.
#[derive(Args, Debug)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) deciding: Deciding,
    /// How to print the report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    /// Check again whenever a source or an included file changes, until Ctrl-C.
    #[arg(long)]
    pub(super) watch: bool,
    /// Write a witness of the verdict, in the format of the Competition on Software Verification;
    /// none if the verdict is unknown.
    #[arg(long, value_name = "FILE")]
    pub(super) witness: Option<PathBuf>,
    /// Write a C file that compiles, repeats the first failing run of the report and fails at the
    /// same place; none if nothing is violated.
    #[arg(long, value_name = "FILE")]
    pub(super) reproducer: Option<PathBuf>,
    /// Write every question to the SMT solver into this folder, as a script of SMT-LIB with the
    /// answer in its first line.
    #[arg(long, value_name = "DIR")]
    pub(super) keep_queries: Option<PathBuf>,
    /// Decide the property of this file, and end with the competition's answer: true, false(...) or
    /// unknown.
    #[arg(long, value_name = "PROPERTYFILE", conflicts_with_all = ["format", "checks", "function"])]
    pub(super) svcomp: Option<PathBuf>,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
    /// The options and files that `explain` needs to explain the same result, quoted for a shell.
    #[arg(skip)]
    pub(super) for_explain: String,
}

/// `--format`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// One SARIF 2.1.0 document, for code hosts
    Sarif,
}

/// What `check` gives.
pub(super) struct Checked<'a> {
    /// The report.
    pub(super) text: String,
    /// The exit status.
    pub(super) status: u8,
    /// The witness and the reproducer, where they were asked for and there are such.
    pub(super) files: Vec<Written<'a>>,
}

/// Decides the obligations.
pub(super) fn check<'a>(
    arguments: &'a Check,
    deadline: Deadline,
    progress: &ProgressLine,
    partial: &Partial,
) -> Result<Checked<'a>, Stop> {
    let property = arguments.svcomp.as_deref().map(property).transpose()?;
    let mut config = arguments.deciding.config(&arguments.input, &arguments.analysis, deadline)?;
    if arguments.witness.is_some() && property.is_none() && config.checks.len() != 1 {
        let text = "a witness is about one property: name one kind with --checks, or a property file with --svcomp";
        return Err(wrong(text.to_owned()));
    }
    if let Some(folder) = &arguments.keep_queries {
        Kept::prepare(folder).map_err(|why| wrong(format!("cannot write queries to {}: {why}", folder.display())))?;
        config.keep_queries = Some(folder.clone());
    }
    reproducer::spares_the_sources(arguments.reproducer.as_deref(), &arguments.input.files)?;
    if let Some(property) = &property {
        config.checks = svcomp::checks(property);
    }
    let program = Arc::new(load(&arguments.input, deadline, progress)?);
    partial.asks(Asked { program: program.clone(), property: property.clone() });
    let recorder = Recorder { line: progress, partial };
    // Nothing is looked for where nothing can be said.
    let undecidable = property.as_ref().and_then(svcomp::undecidable);
    let config = CheckConfig { stages: if undecidable.is_some() { Vec::new() } else { config.stages }, ..config };
    let mut report = stages::check(&program, &config, &recorder).map_err(|e| wrong(e.to_string()))?;
    let answer = match (&property, undecidable) {
        (_, Some(why)) => Some(Answer::unknown(vec![why])),
        (Some(property), None) => Some(svcomp::answer(property, &program, &report)),
        (None, None) => None,
    };
    report.notes.extend(answer.iter().flat_map(|a| a.notes.iter().cloned()));
    let mut files = Vec::new();
    if let Some(path) = &arguments.witness {
        progress.say("making the witness");
        let asked = property.as_ref().map(|p| p.text.as_str()).zip(answer.as_ref());
        let text = witness(&program, &mut report, arguments, &config.analysis, asked);
        files.extend(text.map(|text| (path.as_path(), text)));
    }
    let until = deadline.work.max(Instant::now() + LATE);
    files.extend(reproducer::written(Some(&program), &mut report, arguments.reproducer.as_deref(), until));
    let (text, status) = shown(arguments, &mut report, answer.as_ref(), deadline, None)?;
    Ok(Checked { text, status, files })
}

/// Writes what was decided when `happened` cut the work off. The exit status.
pub(super) fn late(
    arguments: &Check,
    deadline: Deadline,
    partial: &Partial,
    cut: Cut,
    happened: &str,
) -> Result<u8, Stop> {
    let ended = match cut {
        Cut::Signal(number) => Some(status::of_signal(number)),
        Cut::Time | Cut::Memory => None,
    };
    let mut report = match partial.take(cut) {
        Some(mut report) => {
            report.notes.push(format!("{happened} in the middle of the work: the verdicts found by then are kept"));
            report.complete = report.obligations.iter().all(|d| d.verdict != Verdict::Unknown);
            report
        }
        None => Report {
            files: arguments.input.names(),
            sources: SourceMap::default(),
            obligations: Vec::new(),
            settled: 0,
            complete: false,
            assumptions: Vec::new(),
            configuration: BTreeMap::new(),
            statistics: BTreeMap::new(),
            notes: vec![format!("{happened} before there was a result")],
        },
    };
    let asked = partial.asked().and_then(|asked| Some((asked, asked.property.as_ref()?)));
    let answer = asked.map(|(asked, property)| svcomp::answer_so_far(property, &asked.program, &report));
    let answer = arguments.svcomp.as_ref().map(|_| answer.unwrap_or_else(|| Answer::unknown(Vec::new())));
    let violated = answer.as_ref().map_or_else(|| report.outcome(), |a| a.outcome) == Outcome::False;
    let mut files = Vec::new();
    if let (Some(path), Some(asked), true) = (&arguments.witness, partial.asked(), violated) {
        let property = asked.property.as_ref().map(|p| p.text.as_str()).zip(answer.as_ref());
        let config = arguments.analysis.config(deadline)?;
        let text = witness(&asked.program, &mut report, arguments, &config, property);
        files.extend(text.map(|text| (path.as_path(), text)));
    }
    let program = partial.asked().map(|asked| &*asked.program);
    files.extend(reproducer::written(program, &mut report, arguments.reproducer.as_deref(), Instant::now() + LATE));
    let (text, status) = shown(arguments, &mut report, answer.as_ref(), deadline, ended)?;
    output::write(files, &text)?;
    Ok(status)
}

/// The text of the witness; if there is none, the report says why.
fn witness(
    program: &Program,
    report: &mut Report,
    arguments: &Check,
    config: &AnalysisConfig,
    asked: Option<(&str, &Answer)>,
) -> Option<String> {
    match super::witness::witness(program, report, &arguments.input.files, config, asked) {
        Ok(text) => Some(text),
        Err(why) => {
            report.notes.push(format!("no witness was written: {why}"));
            None
        }
    }
}

/// The property of a file.
fn property(path: &Path) -> Result<Property, Stop> {
    let text = std::fs::read_to_string(path).map_err(|e| wrong(format!("{} cannot be read: {e}", path.display())))?;
    let property = property::parse(&text).map_err(|why| wrong(format!("{}: {why}", path.display())))?;
    match property.entry.as_str() {
        "main" => Ok(property),
        other => Err(wrong(format!(
            "{}: the property starts at `{other}`, but smalti starts runs at `main`",
            path.display()
        ))),
    }
}

/// The report in the form that was asked for, with the competition's answer at its end if that was
/// asked for, and the exit status: `ended` where a signal has ended the work, else that of the
/// outcome.
fn shown(
    arguments: &Check,
    report: &mut Report,
    answer: Option<&Answer>,
    deadline: Deadline,
    ended: Option<u8>,
) -> Result<(String, u8), Stop> {
    let time = deadline.start.elapsed().as_millis();
    report.statistics.insert("time_ms".into(), time.try_into().unwrap_or(u64::MAX));
    let by_outcome = match answer.map_or_else(|| report.outcome(), |a| a.outcome) {
        Outcome::True => status::TRUE,
        Outcome::False => status::FALSE,
        Outcome::Unknown => status::UNKNOWN,
    };
    let status = ended.unwrap_or(by_outcome);
    let mut text = match arguments.format {
        Format::Text => report::text(report, &arguments.for_explain, paint()),
        Format::Json => report::json(report).map_err(|e| Stop::Output(e.into()))?,
        Format::Sarif => {
            let invocation = sarif::invocation(report, deadline, status);
            report::sarif(report, &invocation).map_err(|e| Stop::Output(e.into()))?
        }
    };
    if let Some(answer) = answer {
        text += &format!("{}\n", answer.line);
    }
    Ok((text, status))
}

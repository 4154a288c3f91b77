//! The verbs: what each of them calls, and in which order.

use super::arguments::{Analysis, Arguments, Check, Deciding, Format, Input, Staging, Verb};
use super::partial::{Asked, Partial, Recorder};
use super::progress::ProgressLine;
use super::property::{self, Property};
use super::svcomp::{self, Answer};
use super::{Cut, Deadline, Stop, explain, invariants, output, reduce, reproducer, setup, shell, states, status};
use crate::analysis::AnalysisConfig;
use crate::cfg::{Cfg, CfgConfig};
use crate::clock;
use crate::inline::inline;
use crate::lower::{self, InputError, LowerOptions};
use crate::program::{ObligationKind, Program, Target};
use crate::report::{self, Diagnostic, Excerpt, Paint, Style, Table};
use crate::stages::{self, CheckConfig};
use crate::verdict::{Outcome, Report, Verdict};
use smalti_stack::{Registry, StackPart};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A longer list of what a syntax error could have been instead is shortened.
const MOST_EXPECTED: usize = 5;
/// What repeating a failing run may take after the time is over.
const LATE: Duration = Duration::from_millis(200);

/// Runs a verb and writes its result; the exit status. The result is written only if `claim` says
/// so.
pub(super) fn run(
    arguments: &Arguments,
    deadline: Deadline,
    partial: &Partial,
    claim: &dyn Fn() -> bool,
) -> Result<u8, Stop> {
    let progress = ProgressLine::new(deadline);
    partial.shown_by(&progress);
    let counting = arguments.verb.input().and_then(|i| i.steps).map(|steps| clock::count(steps, deadline.work));
    let deadline = match &counting {
        Some(counting) => Deadline { work: counting.deadline(), ..deadline },
        None => deadline,
    };
    let mut files = Vec::new();
    let (text, status) = match &arguments.verb {
        Verb::Check(arguments) => {
            let result = check(arguments, deadline, &progress, partial)?;
            files = result.files;
            (result.text, result.status)
        }
        Verb::Report(arguments) => super::report::report(arguments, deadline, &progress, partial)?,
        Verb::Explain(arguments) => explain::explain(arguments, deadline, &progress, partial)?,
        Verb::States(arguments) => states::states(arguments, deadline, &progress, partial)?,
        Verb::Invariants(arguments) => {
            let (text, status) = invariants::invariants(arguments, deadline, &progress, partial)?;
            match &arguments.output {
                None => (text, status),
                Some(path) => {
                    files.push((path.as_path(), text));
                    (String::new(), status)
                }
            }
        }
        Verb::Reduce(arguments) => reduce::reduce(arguments, deadline, &progress)?,
        Verb::Cfg(arguments) => (cfg(&arguments.input, deadline, &progress)?, status::TRUE),
        Verb::Refine(arguments) => reduce::refine(arguments, deadline, &progress)?,
        Verb::Slice(arguments) => (reduce::slice(arguments, deadline, &progress)?, status::TRUE),
        Verb::Test(test) => {
            // It has a bar of its own.
            drop(progress);
            let (text, status) = super::suite::test(test, &arguments.registry)?;
            if claim() {
                output::to_stdout(&text)?;
            }
            return Ok(status);
        }
        Verb::Setup(arguments) => {
            // The script writes to the terminal itself.
            drop(progress);
            match setup::setup(arguments)? {}
        }
        Verb::Domains => (domains(&arguments.registry), status::TRUE),
        Verb::Completions(arguments) => (shell::completions(arguments), status::TRUE),
        Verb::Man(arguments) => (shell::man(arguments)?, status::TRUE),
    };
    drop(progress);
    if claim() {
        write(files, &text)?;
    }
    Ok(status)
}

/// A file to write: its path, and its text.
pub(super) type Written<'a> = (&'a Path, String);

/// What `check` gives.
struct Checked<'a> {
    text: String,
    status: u8,
    /// The witness and the reproducer, where they were asked for and there are such.
    files: Vec<Written<'a>>,
}

/// The result of a verb that a limit cut off: what a check had decided by then stays decided.
pub(super) fn late(verb: &Verb, deadline: Deadline, partial: &Partial, cut: Cut) -> Result<u8, Stop> {
    partial.clear_line();
    let happened = match cut {
        Cut::Time => format!("the time limit of {} s was reached", deadline.limit.as_secs_f64()),
        Cut::Memory => "the memory limit was reached".to_owned(),
        Cut::Signal(_) => "the run was interrupted".to_owned(),
    };
    let sentence = format!("{happened} before there was a result");
    let cut_off = match verb {
        Verb::Report(arguments) => Some(super::report::late(arguments, deadline, partial, cut, &happened)?),
        Verb::Explain(_) => explain::late(partial, cut, &happened).map(|text| (None, text)),
        Verb::States(arguments) => {
            Some((None, states::late(arguments, partial, format!("{happened} in the middle of the work"))?))
        }
        Verb::Invariants(arguments) => {
            let text = invariants::late(arguments, partial, format!("{happened} in the middle of the work"))?;
            text.map(|text| (arguments.output.as_ref(), text))
        }
        _ => None,
    };
    if let Some((file, text)) = cut_off {
        match file {
            None => output::to_stdout(&text)?,
            Some(path) => write(vec![(path.as_path(), text)], "")?,
        }
        return Ok(status::UNKNOWN);
    }
    let Verb::Check(arguments) = verb else {
        super::complain(&Diagnostic::error(sentence));
        return Ok(status::UNKNOWN);
    };
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
            files: files(&arguments.input),
            sources: crate::program::SourceMap::default(),
            obligations: Vec::new(),
            settled: 0,
            complete: false,
            assumptions: Vec::new(),
            configuration: std::collections::BTreeMap::new(),
            statistics: std::collections::BTreeMap::new(),
            notes: vec![sentence],
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
    files.extend(reproducer::written(program, &mut report, arguments, Instant::now() + LATE));
    let (text, status) = shown(arguments, &mut report, answer.as_ref(), deadline, ended)?;
    write(files, &text)?;
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

/// Writes the result, and the files that belong to it.
fn write(files: Vec<Written<'_>>, text: &str) -> Result<(), Stop> {
    for (path, contents) in files {
        std::fs::write(path, contents).map_err(|e| wrong(format!("{} cannot be written: {e}", path.display())))?;
    }
    output::to_stdout(text)
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

fn check<'a>(
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
    reproducer::spares_the_sources(arguments)?;
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
    files.extend(reproducer::written(Some(&program), &mut report, arguments, until));
    let (text, status) = shown(arguments, &mut report, answer.as_ref(), deadline, None)?;
    Ok(Checked { text, status, files })
}

impl Deciding {
    /// The configuration that the options ask for.
    pub(super) fn config(&self, input: &Input, analysis: &Analysis, deadline: Deadline) -> Result<CheckConfig, Stop> {
        self.staging.config(self.checks.kinds(), input, analysis, deadline)
    }
}

impl Staging {
    /// The configuration that the options ask for, for obligations of these kinds.
    pub(super) fn config(
        &self,
        checks: Vec<ObligationKind>,
        input: &Input,
        analysis: &Analysis,
        deadline: Deadline,
    ) -> Result<CheckConfig, Stop> {
        // What was named must work: it is not replaced in silence.
        if let Some(path) = &self.cbmc {
            crate::cbmc::find_until(Some(path), clock::of_others(deadline.work)).map_err(|e| wrong(e.to_string()))?;
        }
        if let Some(path) = &self.solver {
            crate::smt::find_until(Some(path), clock::of_others(deadline.work)).map_err(|e| wrong(e.to_string()))?;
        }
        Ok(CheckConfig {
            files: files(input),
            checks,
            only: None,
            stages: self.stages.clone(),
            deadline: deadline.work,
            cbmc: self.cbmc.clone(),
            solver: self.solver.clone(),
            stacks: analysis.stacks()?,
            known: Vec::new(),
            assume_invariants: self.assume_invariants.is_on(),
            analysis: analysis.config(deadline)?,
        })
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
            let invocation = super::sarif::invocation(report, deadline, status);
            report::sarif(report, &invocation).map_err(|e| Stop::Output(e.into()))?
        }
    };
    if let Some(answer) = answer {
        text += &format!("{}\n", answer.line);
    }
    Ok((text, status))
}

fn cfg(input: &Input, deadline: Deadline, progress: &ProgressLine) -> Result<String, Stop> {
    let program = inline(&load(input, deadline, progress)?).program;
    Ok(Cfg::build(&program, &CfgConfig::default()).dot())
}

fn domains(registry: &Registry) -> String {
    let mut table = Table::new(&["part", "name", "what it is"]);
    let mut missing = Vec::new();
    for info in registry.available() {
        let part = match info.part {
            StackPart::Layer => "arrays",
            StackPart::Numeric => "numbers",
        };
        let name = if info.missing.is_some() { Style::Open } else { Style::Good };
        let about = format!("{}{}", info.about, if info.missing.is_some() { " (missing)" } else { "" });
        table.row([(part.into(), None), (info.name, Some(name)), (about, None)]);
        missing.extend(info.missing);
    }
    missing.sort();
    missing.dedup();
    let mut text = table.render(paint());
    text += "\nA stack is a numeric domain, alone or under a domain for arrays: `smash/box`.\n";
    text += &format!("Without --stack it is `{}`.\n", registry.default_stacks().join(","));
    for why in missing {
        text += &format!("Missing: {why}\n");
    }
    text
}

/// Reads the program.
pub(super) fn load(input: &Input, deadline: Deadline, progress: &ProgressLine) -> Result<Program, Stop> {
    progress.say("reading");
    let options = options(input, clock::of_others(deadline.work).saturating_duration_since(Instant::now()));
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

/// How the files are read, with the time that the preprocessor may take.
pub(super) fn options(input: &Input, preprocess_time: Duration) -> LowerOptions {
    let of_model = || Target { data_model: input.data_model.into(), ..Target::default() };
    let Target { data_model, representation } = input.target.unwrap_or_else(of_model);
    LowerOptions {
        data_model,
        representation,
        preprocess: !input.no_preprocess,
        entry: input.function.clone().unwrap_or_else(|| "main".to_owned()),
        alone: input.function.is_some(),
        include_dirs: input.include.clone(),
        defines: input.define.clone(),
        preprocess_time,
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

pub(super) fn wrong(message: String) -> Stop {
    Stop::Wrong(Box::new(Diagnostic::error(message)))
}

pub(super) fn files(input: &Input) -> Vec<String> {
    input.files.iter().map(|f| f.display().to_string()).collect()
}

pub(super) fn paint() -> Paint {
    Paint { colour: output::colours(&std::io::stdout()) }
}

impl Analysis {
    /// The stacks to try, in order: those named, else the default ones. Never empty.
    pub(super) fn stacks(&self) -> Result<Vec<String>, Stop> {
        if self.stack.is_empty() {
            return Ok(self.registry.default_stacks().iter().map(ToString::to_string).collect());
        }
        // An unknown name is told before any work is done.
        for stack in &self.stack {
            self.registry.open(stack).map_err(|e| wrong(e.to_string()))?;
        }
        Ok(self.stack.clone())
    }

    /// The stacks of which the strongest that finishes is shown: those named, else the default
    /// ones that are fast. Never empty.
    pub(super) fn shown(&self) -> Result<Vec<String>, Stop> {
        let mut stacks = self.stacks()?;
        if self.stack.is_empty() {
            stacks.truncate(self.registry.native_first(&stacks));
        }
        Ok(stacks)
    }

    /// The configuration that the options ask for, with the strongest of the stacks that are fast.
    pub(super) fn config(&self, deadline: Deadline) -> Result<AnalysisConfig, Stop> {
        Ok(AnalysisConfig {
            stack: stages::principal(&self.stacks()?, &self.registry).cloned(),
            registry: self.registry.clone(),
            widening_delay: self.widening_delay,
            peel: self.peel,
            descending: self.descending,
            verify: self.verify,
            deadline: Some(deadline.work),
        })
    }
}

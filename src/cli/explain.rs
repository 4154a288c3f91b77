//! The verb `explain`: why an obligation is proved or open, in sentences.

use super::input::{Input, load};
use super::limits::{Cut, Deadline};
use super::options::{Analysis, Deciding};
use super::output::paint;
use super::partial::{Partial, Recorder};
use super::progress::ProgressLine;
use super::stop::{Stop, wrong};
use super::{named, status};
use crate::analysis::{self, AnalysisConfig, CellView, Explanation, PartView};
use crate::clock;
use crate::facts;
use crate::program::{Assumption, Obligation, Program, SourceMap};
use crate::report::{self, Diagnostic, Excerpt, Level};
use crate::stages::{self, CheckConfig};
use crate::values;
use crate::verdict::{Counterexample, Decided, NearestInvariant, PathEvent, PathStep, Reason, Report, Stage, Verdict};
use clap::Args;
use std::time::Duration;

/// Arguments of `explain`.
#[derive(Args, Debug)]
pub(super) struct Explain {
    /// The obligation, by its id as `check` prints it.
    #[arg(value_name = "ID")]
    pub(super) id: String,
    #[command(flatten)]
    pub(super) deciding: Deciding,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
}

/// The share of the time that explaining the domains' answer may take beside computing it.
const SHARE: f64 = 0.3;

/// The sentences, and the exit status of the obligation's verdict.
pub(super) fn explain(
    arguments: &Explain,
    deadline: Deadline,
    progress: &ProgressLine,
    partial: &Partial,
) -> Result<(String, u8), Stop> {
    let program = load(&arguments.input, deadline, progress)?;
    let obligation = named::obligation(&program, &arguments.id)?;
    let mut config = arguments.deciding.config(&arguments.input, &arguments.analysis, deadline)?;
    // The named obligation is examined even if its kind was not requested.
    if !config.checks.contains(&obligation.kind) {
        config.checks.push(obligation.kind);
    }
    let config = CheckConfig { only: Some(obligation.key), explains: true, ..config };
    let recorder = Recorder { line: progress, partial };
    // No stages: this gives what is known at the start.
    let nothing = CheckConfig { stages: Vec::new(), ..config.clone() };
    stages::check(&program, &nothing, &recorder).map_err(|e| wrong(e.to_string()))?;
    let mut domains: Vec<Explanation> = Vec::new();
    let stacks = arguments.analysis.stacks()?;
    let principal = stages::principal(&stacks, &arguments.analysis.registry);
    // The domains are not asked about an obligation that no stage can decide.
    let asked = obligation.unsupported.is_none();
    if asked && arguments.deciding.staging.stages.contains(&Stage::Domains) {
        progress.say("asking the domains");
        let left = deadline.work.saturating_duration_since(clock::now());
        domains.push(ask(&program, &obligation, arguments, principal, deadline, left.mul_f64(SHARE))?);
    }
    let report = stages::check(&program, &config, &recorder).map_err(|e| wrong(e.to_string()))?;
    let Some(decided) = report.obligations.first() else {
        return Err(wrong(format!("the check gave no result for `{}`", arguments.id)));
    };
    // Another stack may have proved it.
    let others = stacks.iter().filter(|s| Some(*s) != principal);
    let by = others.clone().find(|s| decided.evidence.stage == Stage::Domains && **s == decided.evidence.detail);
    if let Some(stack) = by {
        let left = deadline.work.saturating_duration_since(clock::now());
        domains.push(ask(&program, &obligation, arguments, Some(stack), deadline, left)?);
    }
    let status = match decided.verdict {
        Verdict::Proved | Verdict::Unreachable => status::TRUE,
        Verdict::Violated => status::FALSE,
        Verdict::Unknown => status::UNKNOWN,
    };
    Ok((text(&report, decided, &domains), status))
}

/// What is known when `happened` cuts the work off. `None` if the obligation is not known yet.
pub(super) fn late(partial: &Partial, cut: Cut, happened: &str) -> Option<String> {
    let mut report = partial.take(cut)?;
    let decided = report.obligations.first()?.clone();
    report.notes.push(format!("{happened} in the middle of the work: this is what was known by then"));
    Some(text(&report, &decided, &[]))
}

fn ask(
    program: &Program,
    obligation: &Obligation,
    arguments: &Explain,
    stack: Option<&String>,
    deadline: Deadline,
    time: Duration,
) -> Result<Explanation, Stop> {
    let config = AnalysisConfig {
        stack: stack.cloned(),
        deadline: Some((clock::now() + time).min(deadline.work)),
        ..arguments.analysis.config(deadline)?
    };
    analysis::explain(program, obligation, &config).map_err(|e| wrong(e.to_string()))
}

fn text(report: &Report, decided: &Decided, domains: &[Explanation]) -> String {
    let o = &decided.obligation;
    let (level, title, label) = match decided.verdict {
        Verdict::Proved => (Level::Note, format!("{} is proved", o.id), "no run fails here"),
        Verdict::Unreachable => (Level::Note, format!("{} is unreachable", o.id), "no run reaches this point"),
        Verdict::Violated => (Level::Error, format!("{} can fail", o.id), "can be false"),
        Verdict::Unknown => (Level::Warning, format!("{} is open", o.id), "neither proved nor known to fail"),
    };
    let mut notes: Vec<String> = o.unsupported.iter().cloned().collect();
    // A failing run says more than a list of what is unknown.
    let fails = decided.verdict == Verdict::Violated;
    if decided.evidence.stage == Stage::Domains && decided.evidence.detail == values::NAME {
        notes.push(of_values(decided.verdict).to_owned());
    } else if !fails {
        domains.iter().for_each(|e| of_domains(&report.sources, e, &mut notes));
    }
    let by = (decided.verdict != Verdict::Unknown).then_some(decided.evidence.stage);
    for reason in
        decided.evidence.reasons.iter().filter(|r| (r.stage != Stage::Domains || fails) && Some(r.stage) != by)
    {
        let why = reason.reason.in_words(&report.sources);
        notes.push(format!("the stage {} {}, without an answer: {why}", reason.stage, reason.stage.entry().done));
    }
    if let Some(stage) = by.filter(|s| *s != Stage::Domains) {
        notes.push(format!("the stage {stage} {}, and decided it: {}", stage.entry().done, decided.evidence.detail));
    }
    if !decided.evidence.invariants.is_empty() {
        let found = decided.evidence.invariants.iter();
        let lines: Vec<String> =
            found.map(|i| format!("\n  {}: {}", report.sources.describe(i.location), i.text)).collect();
        notes.push(format!("it follows from these loop invariants, which were found:{}", lines.concat()));
    }
    if let Some(nearest) = &decided.evidence.nearest {
        notes.push(of_nearest(report, nearest));
    }
    if let Some(run) = &decided.evidence.counterexample {
        notes.push(report::inputs(run));
        notes.extend(way(run));
    }
    notes.extend(report.notes.iter().cloned());
    let carries = |a: &&Assumption| report.resting_on(a).any(|d| d.obligation.key == o.key);
    let taken: Vec<String> =
        report.assumptions.iter().filter(carries).map(|a| format!("\n  {}", a.short_line())).collect();
    if !taken.is_empty() {
        notes.push(format!("assumptions:{}", taken.concat()));
    }
    let place = Some(Excerpt::new(&report.sources, o.location, &o.condition));
    Diagnostic { level, title, place, label: label.to_owned(), notes, help: None }.render(paint())
}

/// The largest number of steps of a failing run to print.
const MOST_STEPS: usize = 30;

/// The path of a failing run, step by step.
fn way(run: &Counterexample) -> Option<String> {
    let told = |step: &PathStep| {
        let what = match &step.event {
            PathEvent::Input { target, value, .. } => format!("`{target}` is given {value}"),
            PathEvent::Call { function } => format!("`{function}` is called"),
            PathEvent::Branch { holds: true } => "the condition holds".to_owned(),
            PathEvent::Branch { holds: false } => "the condition does not hold".to_owned(),
            PathEvent::Loop { holds: true } => "the loop goes on".to_owned(),
            PathEvent::Loop { holds: false } => "the loop ends".to_owned(),
        };
        format!("\n  {}: {what}", step.place)
    };
    if run.path.is_empty() {
        return None;
    }
    // The last steps matter most: the failure comes next.
    let skipped = run.path.len().saturating_sub(MOST_STEPS);
    let lines: Vec<String> = run.path.iter().skip(skipped).map(told).collect();
    let which = match (skipped, run.shortened) {
        (0, false) => "the steps of that run".to_owned(),
        (0, true) => "the first steps of that run".to_owned(),
        (n, false) => format!("the last steps of that run ({n} come before)"),
        (_, true) => format!("the last {MOST_STEPS} recorded steps of that run"),
    };
    let end = if run.shortened { "\n  ..." } else { "\n  and then it fails" };
    Some(format!("{which}:{}{end}", lines.concat()))
}

/// What came nearest to a proof, in a sentence.
fn of_nearest(report: &Report, NearestInvariant { invariant, at_the_start, values }: &NearestInvariant) -> String {
    let values: Vec<String> = values.iter().map(|(name, n)| format!("{name} == {n}")).collect();
    let with = |before: &str| match &values[..] {
        [] => String::new(),
        values => format!("{before}{}", values.join(", ")),
    };
    let why_not = match at_the_start {
        true => format!("it may be false where the loop begins{}", with(", with ")),
        false => format!("an iteration{} may break it", with(" that begins with ")),
    };
    let place = report.sources.describe(invariant.location);
    format!("it would follow from this loop invariant, but {why_not}:\n  {place}: {}", invariant.text)
}

/// What the value analysis says.
fn of_values(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Unreachable => "the value analysis executes the program on sets of values, and never comes to it",
        _ => "the value analysis executes the program on sets of values: it holds whenever they come to it",
    }
}

/// What the domains know, in sentences.
fn of_domains(sources: &SourceMap, e: &Explanation, notes: &mut Vec<String>) {
    let moments = match (e.open, e.moments) {
        (_, 0 | 1) => String::new(),
        (0, all) => format!(" in each of the {all} contexts (calls, first iterations) in which runs reach it"),
        (open, all) if open == all => {
            format!(" in any of the {all} contexts (calls, first iterations) in which runs reach it")
        }
        (open, all) => format!(" in {open} of the {all} contexts (calls, first iterations) in which runs reach it"),
    };
    let stack = &e.stack;
    notes.push(match e.finding.verdict {
        Verdict::Proved => format!("the stage domains ({stack}) shows that it holds{moments}"),
        Verdict::Unreachable => format!("the stage domains ({stack}) shows that no run reaches it"),
        _ if e.open > 0 => format!("the stage domains ({stack}) does not show that it holds{moments}"),
        _ => {
            let why = e.finding.open.as_ref().unwrap_or(&Reason::Unproved).in_words(sources);
            format!("the stage domains ({stack}) does not decide it: {why}")
        }
    });
    for part in &e.parts {
        notes.push(of_part(part));
    }
    match &e.missing[..] {
        [] if e.open > 0 && !e.parts.is_empty() => notes.push(
            "no single fact about a group of cells is enough for a proof, and neither is the condition itself, assumed right before it".to_owned(),
        ),
        [] => {}
        several => {
            let lines: Vec<String> = several.iter().map(|f| format!("\n  /*@ assume {f}; */")).collect();
            let one = if lines.len() == 1 { "this" } else { "one of these" };
            notes.push(format!("what is missing for a proof: with {one} before it, {stack} proves it{}", lines.concat()));
        }
    }
}

fn of_part(part: &PartView) -> String {
    let mut text = format!("`{}`", part.text);
    if let Some(context) = &part.context {
        text += &format!(", where `{context}`,");
    }
    let known = facts::texts(&part.known, " && ");
    text += if part.holds { " holds" } else { " may be false" };
    match (part.holds, known.is_empty()) {
        (true, false) if known != part.text => text += &format!(" because of `{known}`"),
        (false, false) => text += &format!("; what is known: `{known}`"),
        (false, true) if part.cells.is_empty() => text += "; nothing is known about its variables",
        _ => {}
    }
    part.cells.iter().for_each(|cell| text += &of_cell(cell, part.holds));
    text
}

fn of_cell(cell: &CellView, holds: bool) -> String {
    if cell.groups.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = cell
        .groups
        .iter()
        .map(|g| {
            let content = match g.group.holds.is_empty() {
                true => "about which nothing is known".to_owned(),
                false => format!("whose cells satisfy: {}", g.group.content()),
            };
            let enough = match (holds, g.enough) {
                (true, _) => "",
                (false, true) => "; that is enough",
                (false, false) => "; that is not enough",
            };
            format!("\n  {}{}, {content}{enough}", g.array, g.group.cells)
        })
        .collect();
    let group = if lines.len() == 1 { "the group" } else { "one of the groups" };
    format!("; `{}` is a cell of {group}{}", cell.name, lines.concat())
}

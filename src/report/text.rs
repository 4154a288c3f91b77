//! The text of `check`: a table of obligations, the failing runs, the assumptions, the answer.

use super::{Diagnostic, Excerpt, Level, Paint, Style, Table};
use crate::program::Assumption;
use crate::verdict::{Counterexample, Decided, Outcome, Report, Verdict};
use std::fmt::Write;

/// A longer condition is cut in the table. The JSON document contains all of it.
const LONGEST_CONDITION: usize = 60;
/// Open obligations beyond this number appear only in the table.
const MOST_OPEN: usize = 8;
/// A longer reason of a stage is cut. `explain` and the JSON document contain all of it.
const LONGEST_REASON: usize = 160;
/// The largest number of listed inputs of a failing run. The JSON document contains all of them.
const MOST_INPUTS: usize = 40;

/// The report as text, with a line feed at the end. `for_explain` holds the arguments that
/// `explain` needs beside an id.
pub fn text(report: &Report, for_explain: &str, paint: Paint) -> String {
    let mut out = String::new();
    if !report.obligations.is_empty() {
        out += &table(report).render(paint);
        out.push('\n');
    }
    for decided in report.obligations.iter().filter(|d| d.verdict == Verdict::Violated) {
        out += &failure(report, decided).render(paint);
        out.push('\n');
    }
    let open: Vec<&Decided> = report.obligations.iter().filter(|d| d.verdict == Verdict::Unknown).collect();
    for decided in open.iter().take(MOST_OPEN) {
        out += &unknown(report, decided, for_explain).render(paint);
        out.push('\n');
    }
    if open.len() > MOST_OPEN {
        let more = open.len() - MOST_OPEN;
        let _ = writeln!(out, "{more} more obligations are open; the table above has them all\n");
    }
    let mut list = |heading: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = writeln!(out, "{}", paint.text(Style::Strong, heading));
            lines.iter().for_each(|line| {
                let _ = writeln!(out, "    {line}");
            });
            out.push('\n');
        }
    };
    list("assumptions", assumptions(report));
    list("notes", report.notes.clone());
    if !report.configuration.is_empty() {
        let pairs: Vec<String> = report.configuration.iter().map(|(name, value)| format!("{name} {value}")).collect();
        list("configuration", vec![pairs.join("; ")]);
    }
    out += &total(report, paint);
    out
}

/// The assumptions of the answers, one line for each sentence.
fn assumptions(report: &Report) -> Vec<String> {
    if report.assumptions.is_empty() && !report.obligations.is_empty() {
        return vec!["none: nothing was decided, so no answer rests on an assumption".to_owned()];
    }
    report.assumptions.iter().map(Assumption::short_line).collect()
}

/// The colour of a verdict.
fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Proved | Verdict::Unreachable => Style::Good,
        Verdict::Violated => Style::Bad,
        Verdict::Unknown => Style::Open,
    }
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Unreachable => "unreachable",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}

fn table(report: &Report) -> Table {
    let mut table = Table::new(&["obligation", "verdict", "stage", "place", "condition", "evidence"]);
    for d in &report.obligations {
        let o = &d.obligation;
        // Details of an unknown answer come below the table; other details are a few words.
        let detail = if d.verdict == Verdict::Unknown { "" } else { d.evidence.detail.as_str() };
        table.row([
            (o.id.clone(), None),
            (name(d.verdict).into(), Some(style(d.verdict))),
            (d.evidence.stage.to_string(), None),
            (report.sources.describe(o.location), None),
            (shortened(&o.condition), None),
            (detail.into(), None),
        ]);
    }
    table
}

fn shortened(condition: &str) -> String {
    cut(condition, LONGEST_CONDITION)
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// An open obligation: the reason of each stage, and where to look next.
fn unknown(report: &Report, decided: &Decided, for_explain: &str) -> Diagnostic {
    let o = &decided.obligation;
    let mut notes: Vec<String> = decided
        .told(&report.sources)
        .into_iter()
        .map(|(text, stages)| {
            let plural = if stages.len() == 1 { "" } else { "s" };
            format!("stage{plural} {}: {}", stages.join(", "), cut(&text, LONGEST_REASON))
        })
        .collect();
    if notes.is_empty() {
        notes.push(cut(&decided.detail(&report.sources), LONGEST_REASON));
    }
    let place = Excerpt::new(&report.sources, o.location, &o.condition);
    let shown = place.length == o.condition.len();
    let label = "neither proved nor known to fail";
    Diagnostic {
        level: Level::Warning,
        title: format!("{} is open ({})", o.kind, o.id),
        place: Some(place),
        label: if shown { label.to_owned() } else { format!("{label}: {}", shortened(&o.condition)) },
        notes,
        help: Some(format!("`smalti explain {} {}` says more", o.id, for_explain)),
    }
}

fn failure(report: &Report, decided: &Decided) -> Diagnostic {
    let o = &decided.obligation;
    let mut notes = vec![format!("stage {}: {}", decided.evidence.stage, decided.evidence.detail)];
    if let Some(run) = &decided.evidence.counterexample {
        notes.push(inputs(run));
    }
    let place = Excerpt::new(&report.sources, o.location, &o.condition);
    let shown = place.length == o.condition.len();
    Diagnostic {
        level: Level::Error,
        title: format!("{} can fail ({})", o.kind, o.id),
        place: Some(place),
        label: if shown { "can be false".into() } else { format!("can be false: {}", shortened(&o.condition)) },
        notes,
        help: None,
    }
}

/// The inputs of a failing run, one line each.
pub fn inputs(run: &Counterexample) -> String {
    let steps = format!("{} statement{}", run.steps, if run.steps == 1 { "" } else { "s" });
    if run.inputs.is_empty() {
        return format!("every run that reaches it fails: replayed in {steps}, no input needed");
    }
    let mut text = format!("the run with these inputs fails (replayed in {steps}):");
    for i in run.inputs.iter().take(MOST_INPUTS) {
        let _ = write!(text, "\n  {} = {}  ({})", i.target, i.value, i.place);
    }
    if run.inputs.len() > MOST_INPUTS {
        let _ = write!(text, "\n  and {} more", run.inputs.len() - MOST_INPUTS);
    }
    text
}

fn total(report: &Report, paint: Paint) -> String {
    let count = |v| report.obligations.iter().filter(|d| d.verdict == v).count();
    let all = report.obligations.len();
    let mut parts = Vec::new();
    for v in [Verdict::Proved, Verdict::Unreachable, Verdict::Violated, Verdict::Unknown] {
        if count(v) > 0 {
            parts.push(format!("{} {}", count(v), name(v)));
        }
    }
    let mut line = format!("total: {all} obligation{}", if all == 1 { "" } else { "s" });
    if all > 0 {
        let decided = all - count(Verdict::Unknown);
        let _ = write!(line, ", {} ({} % decided)", parts.join(", "), decided * 100 / all);
    }
    if let Some(time) = report.statistics.get("time_ms") {
        let _ = write!(line, " in {time} ms");
    }
    if report.settled > 0 {
        let _ = write!(line, "; {} more by constants alone", report.settled);
    }
    let (word, style, why) = match report.outcome() {
        Outcome::True => ("true", Style::Good, "everything is proved or unreachable"),
        Outcome::False => ("false", Style::Bad, "some run fails"),
        Outcome::Unknown if !report.complete && all == 0 => {
            ("unknown", Style::Open, "time ran out before the obligations were known")
        }
        Outcome::Unknown if all == 0 => ("unknown", Style::Open, "there is nothing to prove"),
        Outcome::Unknown => ("unknown", Style::Open, "something is open, nothing is known to fail"),
    };
    let assumed = match report.assumptions.len() {
        0 => "",
        _ => ", under the assumptions above",
    };
    format!("{line}\nverdict: {} ({why}{assumed})\n", paint.text(style, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{
        AssertionId, FileId, Location, Obligation, ObligationKey, ObligationKind, SourceFile, SourceMap,
    };
    use crate::verdict::{Evidence, InputValue, Late, LeftOpen, Reason, Stage};

    /// A report with one obligation for each given verdict.
    fn report(verdicts: &[(Verdict, Stage, &str)]) -> Report {
        let text = "int f(int x) {\n  assert(x > 0);\n}\n";
        let decided = verdicts.iter().enumerate().map(|(n, (verdict, stage, detail))| Decided {
            obligation: Obligation {
                key: ObligationKey::Assertion(AssertionId(n as u32)),
                id: format!("f.assertion.{}", n + 1),
                kind: ObligationKind::Assertion,
                location: Location { file: FileId(0), line: 2, column: 3 },
                function: "f".into(),
                condition: "x > 0".into(),
                unsupported: None,
            },
            verdict: *verdict,
            evidence: Evidence {
                stage: *stage,
                detail: (*detail).into(),
                time_ms: 7,
                reasons: match verdict {
                    Verdict::Unknown => vec![LeftOpen { stage: *stage, reason: Reason::Time(Late::Unbegun) }],
                    _ => Vec::new(),
                },
                invariants: Vec::new(),
                nearest: None,
                counterexample: (*verdict == Verdict::Violated).then(|| Counterexample {
                    inputs: vec![InputValue { input: None, place: "x.c:1:11".into(), target: "x".into(), value: -3 }],
                    values: Some(vec![-3]),
                    texts: Vec::new(),
                    steps: 2,
                    path: Vec::new(),
                    shortened: false,
                    statements: Vec::new(),
                }),
            },
        });
        Report {
            files: vec!["x.c".into()],
            sources: SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into(), own: true }] },
            obligations: decided.collect(),
            settled: 0,
            complete: true,
            assumptions: vec![Assumption::new("malloc succeeds")],
            configuration: [("stack".to_owned(), "smash/box".to_owned())].into(),
            statistics: [("time_ms".to_owned(), 41)].into(),
            notes: vec!["CBMC is missing".into()],
        }
    }

    #[test]
    fn every_verdict_is_shown_with_its_evidence() {
        let report = report(&[
            (Verdict::Proved, Stage::Domains, "smash/box"),
            (Verdict::Violated, Stage::Bounded, "unwinding 2"),
            (Verdict::Unknown, Stage::Unwind, "the time limit was reached"),
        ]);
        let expected = "\
obligation     verdict   stage    place    condition  evidence
f.assertion.1  proved    domains  x.c:2:3  x > 0      smash/box
f.assertion.2  violated  bounded  x.c:2:3  x > 0      unwinding 2
f.assertion.3  unknown   unwind   x.c:2:3  x > 0

error: assertion can fail (f.assertion.2)
 --> x.c:2:10
  |
2 |   assert(x > 0);
  |          ^^^^^ can be false
  |
  = note: stage bounded: unwinding 2
  = note: the run with these inputs fails (replayed in 2 statements):
            x = -3  (x.c:1:11)

warning: assertion is open (f.assertion.3)
 --> x.c:2:10
  |
2 |   assert(x > 0);
  |          ^^^^^ neither proved nor known to fail
  |
  = note: stage unwind: the time limit was reached before this stage began
  = help: `smalti explain f.assertion.3 x.c` says more

assumptions
    malloc succeeds

notes
    CBMC is missing

configuration
    stack smash/box

total: 3 obligations, 1 proved, 1 violated, 1 unknown (66 % decided) in 41 ms
verdict: false (some run fails, under the assumptions above)
";
        assert_eq!(text(&report, "x.c", Paint::PLAIN), expected);
        assert!(text(&report, "x.c", Paint { colour: true }).contains("\x1b[1m\x1b[31mviolated\x1b[0m"));
    }

    #[test]
    fn assumptions_stand_once_with_the_first_names() {
        let mut report = report(&[(Verdict::Proved, Stage::Domains, "")]);
        let about = |n: u32| Assumption::about("functions return", format!("f{n}"));
        report.assumptions = Assumption::grouped((0..9).map(about));
        let shown = text(&report, "x.c", Paint::PLAIN);
        let line = "assumptions\n    functions return: `f0`, `f1`, `f2`, `f3`, `f4`, `f5` and 3 more\n";
        assert!(shown.contains(line), "{shown}");
    }

    #[test]
    fn where_nothing_is_decided_no_assumption_is_told() {
        let mut report = report(&[(Verdict::Unknown, Stage::Domains, "")]);
        report.assumptions.clear();
        let shown = text(&report, "x.c", Paint::PLAIN);
        assert!(shown.contains("\nassumptions\n    none: nothing was decided"), "{shown}");
        assert!(shown.ends_with("nothing is known to fail)\n"), "{shown}");
    }

    #[test]
    fn of_an_open_obligation_every_stage_says_why_and_the_same_once() {
        let mut report = report(&[(Verdict::Unknown, Stage::Unwind, "")]);
        let reason = |stage, text: &str| LeftOpen { stage, reason: Reason::Undecided(text.to_owned()) };
        report.obligations[0].evidence.reasons = vec![
            reason(Stage::Domains, "the domains cannot prove it"),
            reason(Stage::Bounded, "CBMC is missing"),
            reason(Stage::Slice, &"long ".repeat(100)),
            reason(Stage::Unwind, "CBMC is missing"),
        ];
        let shown = text(&report, "x.c", Paint::PLAIN);
        assert!(shown.contains("  = note: stage domains: the domains cannot prove it\n"), "{shown}");
        assert!(shown.contains("  = note: stages bounded, unwind: CBMC is missing\n"), "{shown}");
        assert!(shown.contains("long ...\n") && shown.lines().all(|l| l.len() < 200), "{shown}");
    }

    #[test]
    fn of_many_open_obligations_a_few_are_shown_and_the_others_counted() {
        let shown = text(&report(&[(Verdict::Unknown, Stage::Unwind, "late"); 20]), "x.c", Paint::PLAIN);
        assert_eq!(shown.matches("warning: ").count(), MOST_OPEN);
        assert!(shown.contains("\n12 more obligations are open; the table above has them all\n"), "{shown}");
        assert_eq!(shown.lines().filter(|l| l.starts_with("f.assertion.")).count(), 20);
    }

    #[test]
    fn a_program_without_obligations_says_so() {
        let shown = text(&report(&[]), "x.c", Paint::PLAIN);
        assert!(shown.ends_with("total: 0 obligations in 41 ms\nverdict: unknown (there is nothing to prove, under the assumptions above)\n"), "{shown}");
    }

    #[test]
    fn the_json_document_has_the_keys_of_the_contract() {
        let report = report(&[(Verdict::Violated, Stage::Bounded, "unwinding 2")]);
        let document: serde_json::Value = serde_json::from_str(&super::super::json(&report).unwrap()).unwrap();
        let expected = serde_json::json!({
            "tool": "smalti", "format": 2, "complete": true, "version": env!("CARGO_PKG_VERSION"), "files": ["x.c"],
            "digests": { "x.c": report.sources.files[0].digest() }, "verdict": "false",
            "obligations": [{
                "id": "f.assertion.1", "kind": "assertion", "file": "x.c", "line": 2, "column": 3, "function": "f",
                "condition": "x > 0", "verdict": "violated",
                "evidence": { "stage": "bounded", "detail": "unwinding 2", "time_ms": 7, "counterexample": {
                    "inputs": [{ "place": "x.c:1:11", "target": "x", "value": -3 }], "steps": 2, "path": [], "shortened": false } },
            }],
            "settled": 0,
            "assumptions": [{ "text": "malloc succeeds", "about": [], "obligations": ["f.assertion.1"] }],
            "configuration": { "stack": "smash/box" },
            "statistics": { "time_ms": 41 }, "notes": ["CBMC is missing"],
        });
        assert_eq!(document, expected);
    }
}

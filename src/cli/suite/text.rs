//! The output of a run of a suite: a line for each program, then the changes, the most severe
//! first.

use super::outcome::{Answer, Outcome};
use crate::report::{Paint, Style, Table};
use crate::suite::snapshot::name;
use crate::suite::{Change, Snapshot, Weight};
use crate::verdict::Verdict;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// The number of unchanged lines around a changed one.
const CONTEXT: usize = 2;
/// How long to search for the smallest difference between two texts.
const PATIENCE: Duration = Duration::from_secs(20);
/// The largest number of changes of a program to list. The most severe come first.
const MOST: usize = 40;

/// The whole text; its last line ends in a line break.
pub(super) fn text(outcomes: &[Outcome], paint: Paint) -> String {
    let mut table = Table::default();
    for outcome in outcomes {
        let (word, style, about) = line(outcome);
        table.row([(word.to_owned(), Some(style)), (outcome.name.clone(), None), (about, None)]);
    }
    let mut out = table.render(paint);
    let mut told: Vec<(Option<Weight>, &Outcome)> = outcomes.iter().map(|o| (heaviest(o), o)).collect();
    // The sort is stable, so names of one weight stay in order.
    told.sort_by_key(|(weight, _)| weight.unwrap_or(Weight::Note));
    for (_, outcome) in told {
        out += &block(outcome, paint);
    }
    let _ = writeln!(out, "\n{}", total(outcomes, paint));
    out
}

fn heaviest(outcome: &Outcome) -> Option<Weight> {
    changes(outcome).iter().map(|c| c.weight).min()
}

fn changes(outcome: &Outcome) -> &[Change] {
    match &outcome.answer {
        Answer::Same { notes, .. } => notes,
        Answer::Changed { changes, .. } => changes,
        _ => &[],
    }
}

fn line(outcome: &Outcome) -> (&'static str, Style, String) {
    match &outcome.answer {
        _ if outcome.accepted => {
            let what = match &outcome.answer {
                Answer::Stale => ("removed", "its program is gone".to_owned()),
                Answer::Changed { changes, .. } => ("stored", counts(changes)),
                Answer::New(found) => ("stored", summary(found)),
                _ => ("stored", String::new()),
            };
            (what.0, Style::Good, what.1)
        }
        Answer::Same { .. } => ("ok", Style::Good, String::new()),
        Answer::Changed { changes, .. } => ("changed", Style::Bad, counts(changes)),
        Answer::New(found) => ("new", Style::Open, summary(found)),
        Answer::Refused(why) => ("refused", Style::Bad, why.reason.clone()),
        Answer::Failed(why) => ("failed", Style::Bad, why.clone()),
        Answer::Unreadable(_) => ("broken", Style::Bad, "its snapshot cannot be read".to_owned()),
        Answer::Stale => ("stale", Style::Open, "its program is gone".to_owned()),
    }
}

/// `1 loss, 2 gains`.
pub(super) fn counts(changes: &[Change]) -> String {
    let one = |weight: Weight| {
        let n = changes.iter().filter(|c| c.weight == weight).count();
        let word = match (weight, n) {
            (Weight::Soundness, _) => "SOUNDNESS",
            (Weight::Program, 1) => "change of the program",
            (Weight::Program, _) => "changes of the program",
            (Weight::Loss, 1) => "loss",
            (Weight::Loss, _) => "losses",
            (Weight::Gain, 1) => "gain",
            (Weight::Gain, _) => "gains",
            (Weight::Change, 1) => "change",
            (Weight::Change, _) => "changes",
            (Weight::Note, 1) => "note",
            (Weight::Note, _) => "notes",
        };
        (n > 0).then(|| format!("{n} {word}"))
    };
    Weight::ALL.into_iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

/// `3 obligations: 2 proved, 1 unknown`.
fn summary(found: &Snapshot) -> String {
    let all = found.obligations.len();
    let count = |v: Verdict| {
        let n = found.obligations.iter().filter(|o| o.verdict == v).count();
        (n > 0).then(|| format!("{n} {}", name(v)))
    };
    let verdicts = [Verdict::Proved, Verdict::Unreachable, Verdict::Violated, Verdict::Unknown];
    let parts: Vec<String> = verdicts.into_iter().filter_map(count).collect();
    let colon = if all == 0 { "" } else { ": " };
    format!("{all} obligation{}{colon}{}", if all == 1 { "" } else { "s" }, parts.join(", "))
}

/// The changes as sentences and as a text difference. Empty if nothing has changed.
pub(super) fn block(outcome: &Outcome, paint: Paint) -> String {
    let mut out = String::new();
    if let Answer::Unreadable(both) = &outcome.answer {
        let _ = write!(out, "\n{}", both.0.render(paint));
        return out;
    }
    if let Answer::Refused(why) = &outcome.answer
        && !why.message.is_empty()
    {
        let _ = writeln!(out, "\n{}", paint.text(Style::Strong, &outcome.name));
        for line in why.message.lines() {
            let _ = writeln!(out, "{}", format!("    {line}").trim_end());
        }
        return out;
    }
    let changes = changes(outcome);
    if changes.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", paint.text(Style::Strong, &outcome.name));
    for change in changes.iter().take(MOST) {
        let style = match change.weight {
            Weight::Soundness | Weight::Loss => Style::Bad,
            Weight::Gain => Style::Good,
            Weight::Change | Weight::Program => Style::Open,
            Weight::Note => Style::Frame,
        };
        let _ = writeln!(out, "    {}: {}", paint.text(style, change.weight.word()), change.text);
    }
    if changes.len() > MOST {
        let _ = writeln!(out, "    and {} less severe ones, which are among the lines below", changes.len() - MOST);
    }
    if let Answer::Changed { stored, found, .. } = &outcome.answer {
        out.push('\n');
        // The changed files are named above. Digests mean nothing to people.
        let shown = |s: &Snapshot| Snapshot { files: BTreeMap::new(), ..s.clone() }.text();
        out += &difference(&shown(stored), &shown(found), paint);
    }
    out
}

/// The lines that differ between two texts, with the lines around them.
fn difference(stored: &str, found: &str, paint: Paint) -> String {
    // For very long texts that have nothing in common, the smallest difference would take hours.
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(stored, found);
    let mut out = String::new();
    let mut gap = false;
    for group in diff.grouped_ops(CONTEXT) {
        if gap {
            let _ = writeln!(out, "    {}", paint.text(Style::Frame, "..."));
        }
        gap = true;
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = change.value().trim_end_matches('\n');
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ("-", Some(Style::Bad)),
                ChangeTag::Insert => ("+", Some(Style::Good)),
                ChangeTag::Equal => (" ", None),
            };
            let line = format!("{sign} {text}");
            let line = style.map_or(line.clone(), |s| paint.text(s, &line));
            let _ = writeln!(out, "{}", format!("    {line}").trim_end());
        }
    }
    out
}

fn total(outcomes: &[Outcome], paint: Paint) -> String {
    let count = |test: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|o| test(o)).count();
    let programs = count(&|o| !matches!(o.answer, Answer::Stale));
    let parts = [
        (count(&|o| !o.accepted && matches!(o.answer, Answer::Same { .. })), "as stored"),
        (count(&|o| !o.accepted && matches!(o.answer, Answer::Changed { .. })), "changed"),
        (count(&|o| !o.accepted && matches!(o.answer, Answer::New(_))), "new"),
        (count(&|o| matches!(o.answer, Answer::Refused(_))), "refused"),
        (count(&|o| matches!(o.answer, Answer::Failed(_))), "failed"),
        (count(&|o| !o.accepted && matches!(o.answer, Answer::Unreadable(_))), "broken"),
        (count(&|o| o.accepted && !matches!(o.answer, Answer::Stale)), "stored"),
        (count(&|o| !o.accepted && matches!(o.answer, Answer::Stale)), "stale"),
        (count(&|o| o.accepted && matches!(o.answer, Answer::Stale)), "removed"),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, w)| format!("{n} {w}")).collect();
    let mut line = format!("total: {programs} program{}: {}", if programs == 1 { "" } else { "s" }, parts.join(", "));
    let all: Vec<Change> = outcomes.iter().filter(|o| o.fails()).flat_map(changes).cloned().collect();
    if !all.is_empty() {
        let _ = write!(line, " ({})", counts(&all));
    }
    if outcomes.iter().any(Outcome::may_be_accepted) {
        let _ = write!(
            line,
            "\n{}: `smalti test --accept` stores the new results",
            paint.text(Style::Bad, "not as stored")
        );
    }
    line
}

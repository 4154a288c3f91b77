//! One HTML file that shows a report and needs nothing else.
//!
//! The file is made of a template (`page.html`), a style (`page.css`) and two scripts (`draw.js`
//! draws arrays, `page.js` does the rest). Sources, verdicts and assumptions are visible without
//! scripts. States are data in the page and drawn when they are shown. Their common parts are
//! stored once (`shared`).
//!
//! **Hostile sources.** All text from a source or a stored document is escaped by the template
//! engine, or is JSON that contains no `<`. The scripts insert it as text, never as markup. A
//! content security policy allows only the two scripts, by their digests, and forbids all fetching.
//! Control characters and those that change the direction of text are made visible.

mod shared;

use super::document::{Copied, Document, Entry, Line, Source, State};
use crate::report::paint::visible;
use crate::verdict::{Outcome, Stage, Verdict};
use base64::Engine;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("draw.js"), include_str!("page.js"));

/// The data that the scripts read.
#[derive(Serialize)]
struct Data<'d> {
    states: &'d [State],
    lines: &'d [Line],
    obligations: &'d [Entry],
    sources: Vec<&'d str>,
}

/// A line of a source, as the template shows it.
#[derive(Serialize)]
struct Row<'d> {
    number: usize,
    text: String,
    /// Whether a state is known at this line.
    state: bool,
    /// For a loop: the number of iterations of the fixpoint.
    iterations: Option<u32>,
    marks: Vec<Mark<'d>>,
}

/// The verdict on an obligation, in the margin.
#[derive(Serialize, Clone)]
struct Mark<'d> {
    verdict: Verdict,
    /// Its number among all.
    number: usize,
    id: &'d str,
}

#[derive(Serialize)]
struct File<'d> {
    name: &'d str,
    number: usize,
    rows: Vec<Row<'d>>,
}

/// What one stage did.
#[derive(Serialize)]
struct StageRow {
    stage: Stage,
    proved: usize,
    violated: usize,
    unreachable: usize,
    /// The longest time among the obligations that it decided.
    time_ms: u64,
    /// Obligations on which it was the last to try.
    open: usize,
}

/// The page.
///
/// # Errors
/// None in practice; an error of the template engine is passed on.
pub fn page(document: &Document) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.add_filter("thousands", |n: u64| thousands(n));
    environment.add_template("page.html", TEMPLATE)?;
    let data = Data {
        states: &document.states,
        lines: &document.lines,
        obligations: &document.obligations,
        sources: document.sources.iter().map(|s| s.name.as_str()).collect(),
    };
    let data = serde_json::to_value(&data)
        .map_err(|e| minijinja::Error::new(minijinja::ErrorKind::BadSerialization, e.to_string()))?;
    let data = data.as_object().map(shared::shared).unwrap_or_default();
    let count = |v: Verdict| document.obligations.iter().filter(|o| o.verdict == v).count();
    let verdict = match document.verdict {
        Outcome::True => "proved",
        Outcome::False => "violated",
        Outcome::Unknown => "unknown",
    };
    environment.get_template("page.html")?.render(context! {
        style => STYLE,
        script => SCRIPT,
        style_digest => digest(STYLE),
        script_digest => digest(SCRIPT),
        data => harmless(&data),
        title => document.files.iter().map(|f| visible(f)).collect::<Vec<_>>().join(", "),
        version => &document.version,
        verdict => verdict,
        headline => headline(document),
        complete => document.complete,
        proved => count(Verdict::Proved),
        violated => count(Verdict::Violated),
        open => count(Verdict::Unknown),
        unreachable => count(Verdict::Unreachable),
        obligations => Serde(&document.obligations),
        files => Serde(files(document)),
        stages => Serde(stages(document)),
        computed => Serde(&document.computed),
        assumptions => Serde(&document.assumptions),
        configuration => Serde(&document.configuration),
        statistics => Serde(&document.statistics),
        notes => Serde(&document.notes),
        time => document.statistics.get("time_ms").copied(),
    })
}

/// A summary in a few words.
fn headline(document: &Document) -> String {
    let all = document.obligations.len();
    let some = |v: Verdict| document.obligations.iter().filter(|o| o.verdict == v).count();
    let (bad, open) = (some(Verdict::Violated), some(Verdict::Unknown));
    match document.verdict {
        Outcome::False if bad == 1 => "One obligation fails.".to_owned(),
        Outcome::False => format!("{bad} obligations fail."),
        Outcome::True => "Everything is proved.".to_owned(),
        Outcome::Unknown if !document.complete && all == 0 => "Time ran out before everything was examined.".to_owned(),
        Outcome::Unknown if all == 0 => "There is nothing to prove.".to_owned(),
        Outcome::Unknown if open == 1 => "One obligation is open.".to_owned(),
        Outcome::Unknown => format!("{open} obligations are open."),
    }
}

fn files(document: &Document) -> Vec<File<'_>> {
    let mut marks: BTreeMap<(usize, usize), Vec<Mark<'_>>> = BTreeMap::new();
    for (number, o) in document.obligations.iter().enumerate() {
        let here = marks.entry((o.file, o.line as usize)).or_default();
        here.push(Mark { verdict: o.verdict, number, id: &o.id });
    }
    let states: BTreeMap<(usize, usize), &Line> =
        document.lines.iter().map(|l| ((l.file, l.line as usize), l)).collect();
    let file = |(number, source): (usize, &'_ Source)| {
        let row = |(n, text): (usize, &str)| {
            let line = states.get(&(number, n)).filter(|l| !l.copies.is_empty());
            Row {
                number: n,
                text: visible(text.trim_end()),
                state: line.is_some(),
                iterations: line.and_then(|l| l.copies.iter().filter_map(iterations).max()),
                marks: worst_first(marks.get(&(number, n)).cloned().unwrap_or_default()),
            }
        };
        (number, (1..).zip(source.text.lines()).map(row).collect())
    };
    let named = document.sources.iter().enumerate().map(file).zip(&document.sources);
    named.map(|((number, rows), source)| File { name: &source.name, number, rows }).collect()
}

/// Sorts the marks, the worst first: there is room for few, and failing and open obligations must
/// be visible.
fn worst_first(mut marks: Vec<Mark<'_>>) -> Vec<Mark<'_>> {
    marks.sort_by_key(|m| match m.verdict {
        Verdict::Violated => 0,
        Verdict::Unknown => 1,
        Verdict::Unreachable => 2,
        Verdict::Proved => 3,
    });
    marks
}

fn iterations(copy: &Copied) -> Option<u32> {
    copy.iterations
}

fn stages(document: &Document) -> Vec<StageRow> {
    let mut rows: BTreeMap<Stage, StageRow> = BTreeMap::new();
    for o in &document.obligations {
        let row = rows.entry(o.stage).or_insert_with(|| StageRow {
            stage: o.stage,
            proved: 0,
            violated: 0,
            unreachable: 0,
            time_ms: 0,
            open: 0,
        });
        match o.verdict {
            Verdict::Proved => row.proved += 1,
            Verdict::Violated => row.violated += 1,
            Verdict::Unreachable => row.unreachable += 1,
            Verdict::Unknown => row.open += 1,
        }
        row.time_ms = row.time_ms.max(o.time_ms);
    }
    rows.into_values().collect()
}

/// JSON that cannot end an HTML element. The replaced characters occur only inside strings.
fn harmless(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text
}

/// The digest of a text in the notation of a content security policy.
fn digest(text: &str) -> String {
    format!("sha256-{}", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// The number with its digits in groups of three.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

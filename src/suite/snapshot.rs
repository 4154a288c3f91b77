//! The stored results of a program: a text for people that is also parsed for comparison.
//!
//! **Representation.** Sections begin in the first column. Entries are indented by four spaces, and
//! the lines about an entry by eight. There are no line numbers and no times, and the only paths
//! are those of the program's files, so a program that only moves keeps its snapshot. Obligations
//! and loops are identified by their text and their order. [`Snapshot::text`] and
//! [`Snapshot::parse`] are inverse to each other. Facts are in their own text form
//! ([`crate::facts`]).

use super::config::ConfigError;
use crate::facts::{ArrayContent, Fact, GroupContent, StateFacts};
use crate::program::ObligationKind;
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Range;

/// The first words of every snapshot. The number of its format follows.
pub const TITLE: &str = "smalti snapshot ";

/// The formats that can be read; the last one is written. A snapshot of the first format that names
/// no kinds of obligations is about assertions. The second format always names the kinds.
const FORMATS: [&str; 2] = ["1", "2"];

/// Whether the text is of the first format.
pub fn is_of_format_1(text: &str) -> bool {
    text.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix(FORMATS[0])).is_some_and(|rest| rest.starts_with(": "))
}

/// The name of the key for the kinds of obligations in the configuration.
pub const CHECKS: &str = "checks";

/// The results for a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The analysed files and function.
    pub subject: String,
    /// The settings that can change an answer, by name.
    pub configuration: BTreeMap<String, String>,
    /// The digests of the program's own files, by name. Older versions stored none.
    pub files: BTreeMap<String, String>,
    /// Why there was no result, line by line. Only older versions store a refused program.
    pub refused: Vec<String>,
    /// The obligations, in the order of the report.
    pub obligations: Vec<Claim>,
    /// The assumptions.
    pub assumptions: Vec<String>,
    /// The invariants at loops and at ends of functions, if they are stored.
    pub invariants: Option<Places>,
    /// The state at each line, if it is stored.
    pub states: Option<Places>,
}

/// An obligation and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Function and kind: `main.assertion`.
    pub of: String,
    /// The condition, as C.
    pub condition: String,
    /// The answer.
    pub verdict: Verdict,
    /// The stage that decided; empty if none did.
    pub stage: String,
    /// Whether the obligation is open because time ran out, at least in part.
    pub late: bool,
}

/// The facts at some places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Whether time ran out, so that something may be missing.
    pub late: bool,
    /// The places, in the order of the source.
    pub all: Vec<PlaceFacts>,
}

/// The facts at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceFacts {
    /// A description of the place that does not change when the program moves: "loop of main at
    /// `for (...)`".
    pub title: String,
    /// What is known, entry by entry; nothing else if no run reaches the place.
    pub facts: Vec<Entry>,
}

/// One line about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// No run reaches the place.
    Unreachable,
    /// This holds.
    Fact(Fact),
    /// This holds of cells of an array.
    Group {
        /// The array and its length, as `a[n]`.
        array: String,
        /// The cells, and what holds of them.
        group: GroupContent,
    },
    /// The entries before it and those after it are alternatives.
    Or,
}

/// The entry of a place that no run reaches.
const UNREACHABLE: &str = "unreachable";
/// The line between two alternatives.
const OR: &str = "or";
/// What stands between an array and a group of its cells.
const BEFORE_GROUP: &str = "   ";
const NOTHING: &str = "nothing is known";
const LATE: &str = " (time)";
/// The width of every answer. It is the same for all, so that a changed answer changes only its own
/// line.
const WIDTH: usize = "unreachable by domains".len();

impl Entry {
    /// What is known at one point, entry by entry. Groups of cells of which nothing is known, and
    /// how much is not shown, are no facts about the program.
    pub fn of_state(state: &StateFacts) -> Vec<Entry> {
        if state.unreachable {
            return vec![Entry::Unreachable];
        }
        let group = |array: &ArrayContent| {
            let known = array.groups.iter().filter(|group| !group.holds.is_empty());
            known.map(|group| Entry::Group { array: array.name.clone(), group: group.clone() }).collect::<Vec<_>>()
        };
        let scalars = state.scalars.iter().cloned().map(Entry::Fact);
        scalars.chain(state.arrays.iter().flat_map(group)).collect()
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Unreachable => f.write_str(UNREACHABLE),
            Entry::Fact(fact) => write!(f, "{fact}"),
            Entry::Group { array, group } => write!(f, "{array}{BEFORE_GROUP}{group}"),
            Entry::Or => f.write_str(OR),
        }
    }
}

/// Reads what `Display` writes; any other text is a fact without further meaning.
impl From<&str> for Entry {
    fn from(text: &str) -> Entry {
        let group = || {
            let (array, group) = text.split_once(BEFORE_GROUP)?;
            let entry = Entry::Group { array: array.to_owned(), group: GroupContent::from(group) };
            (entry.to_string() == text).then_some(entry)
        };
        match text {
            UNREACHABLE => Entry::Unreachable,
            OR => Entry::Or,
            _ => group().unwrap_or_else(|| Entry::Fact(Fact::from(text))),
        }
    }
}

impl Claim {
    fn answer(&self) -> String {
        let word = name(self.verdict);
        match self.verdict {
            Verdict::Unknown if self.late => format!("{word}{LATE}"),
            Verdict::Unknown => word.to_owned(),
            _ => format!("{word} by {}", self.stage),
        }
    }
}

/// The word for a verdict.
pub(crate) fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Unreachable => "unreachable",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}

/// The verdict that a word stands for.
pub fn verdict(word: &str) -> Option<Verdict> {
    [Verdict::Proved, Verdict::Unreachable, Verdict::Violated, Verdict::Unknown].into_iter().find(|v| name(*v) == word)
}

/// The text as one line, without line breaks and without leading spaces.
pub fn line(text: &str) -> String {
    text.split(|c: char| c.is_control()).map(str::trim).filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Snapshot {
    /// The text to store.
    pub fn text(&self) -> String {
        let mut out = format!("{TITLE}{}: {}\n", FORMATS[1], self.subject);
        let mut section = |title: &str, lines: Vec<String>| {
            let _ = writeln!(out, "\n{title}");
            for l in lines {
                let _ = writeln!(out, "    {l}");
            }
        };
        if !self.files.is_empty() {
            section("program", self.files.iter().map(|(name, digest)| format!("{digest}  {name}")).collect());
        }
        section("configuration", self.configuration.iter().map(|(k, v)| format!("{k} {v}")).collect());
        if !self.refused.is_empty() {
            section("refused", self.refused.clone());
        } else {
            let claim = |c: &Claim| format!("{:WIDTH$}  {}: {}", c.answer(), c.of, c.condition);
            section("obligations", self.obligations.iter().map(claim).collect());
            section("assumptions", self.assumptions.clone());
        }
        for (title, places) in [("invariants", &self.invariants), ("states", &self.states)] {
            if let Some(places) = places {
                section(&format!("{title}{}", if places.late { LATE } else { "" }), places.lines());
            }
        }
        out
    }

    /// Reads a stored text.
    ///
    /// # Errors
    /// The text is not a snapshot. The error contains the place.
    pub fn parse(text: &str) -> Result<Snapshot, ConfigError> {
        let mut made = Snapshot::default();
        let mut section = Section::None;
        let mut titles: Vec<&str> = Vec::new();
        let mut start = 0;
        for (n, whole) in text.split('\n').enumerate() {
            // Tools on other systems may have added carriage returns, more than once.
            let line = whole.trim_end_matches('\r');
            let span = start..start + line.len();
            start += whole.len() + 1;
            let wrong = |why: &str| Err(ConfigError::at(span.clone(), why.to_owned()));
            if n == 0 {
                let titled = line.strip_prefix(TITLE).and_then(|rest| rest.split_once(": "));
                let Some((_, subject)) = titled.filter(|(format, _)| FORMATS.contains(format)) else {
                    return wrong("this smalti cannot read this snapshot");
                };
                made.subject = subject.to_owned();
                continue;
            }
            let Some(content) = line.strip_prefix("    ") else {
                match line.trim() {
                    "" => {}
                    // The resolution of a merge conflict may have kept both sides.
                    title if titles.contains(&title.trim_end_matches(LATE)) => {
                        return wrong("there are two sections with this title");
                    }
                    title => match made.begin(title) {
                        Some(begun) => {
                            section = begun;
                            titles.push(title.trim_end_matches(LATE));
                        }
                        None => return wrong("no section of a snapshot has this title"),
                    },
                }
                continue;
            };
            if content.trim().is_empty() {
                continue;
            }
            made.entry(section, content).map_err(|why| ConfigError::at(content_span(&span), why.to_owned()))?;
        }
        if is_of_format_1(text) {
            made.configuration.entry(CHECKS.to_owned()).or_insert(ObligationKind::Assertion.to_string());
        }
        Ok(made)
    }

    fn begin(&mut self, title: &str) -> Option<Section> {
        let (word, late) = title.strip_suffix(LATE).map_or((title, false), |word| (word, true));
        let places = Some(Places { late, all: Vec::new() });
        Some(match (word, late) {
            ("program", false) => Section::Program,
            ("configuration", false) => Section::Configuration,
            ("refused", false) => Section::Refused,
            ("obligations", false) => Section::Obligations,
            ("assumptions", false) => Section::Assumptions,
            ("invariants", _) => {
                self.invariants = places;
                Section::Invariants
            }
            ("states", _) => {
                self.states = places;
                Section::States
            }
            _ => return None,
        })
    }

    fn entry(&mut self, section: Section, content: &str) -> Result<(), &'static str> {
        let places = match section {
            Section::None => return Err("this belongs to no section"),
            Section::Program => {
                let (digest, name) = content
                    .split_once("  ")
                    .filter(|(digest, name)| is_digest(digest) && !name.is_empty())
                    .ok_or("the digest and the name of a file are expected")?;
                self.files.insert(name.to_owned(), digest.to_owned());
                return Ok(());
            }
            Section::Configuration => {
                let (name, value) = content.split_once(' ').unwrap_or((content, ""));
                self.configuration.insert(name.to_owned(), value.to_owned());
                return Ok(());
            }
            Section::Refused => {
                self.refused.push(content.to_owned());
                return Ok(());
            }
            Section::Obligations => {
                self.obligations.push(claim(content).ok_or("a verdict and an obligation are expected")?);
                return Ok(());
            }
            Section::Assumptions => {
                self.assumptions.push(content.to_owned());
                return Ok(());
            }
            Section::Invariants => &mut self.invariants,
            Section::States => &mut self.states,
        };
        let places = &mut places.get_or_insert_default().all;
        match (content.strip_prefix("    "), places.last_mut()) {
            (None, _) => places.push(PlaceFacts { title: content.to_owned(), facts: Vec::new() }),
            (Some(_), None) => return Err("this belongs to no place"),
            (Some(NOTHING), _) => {}
            (Some(fact), Some(place)) => place.facts.push(Entry::from(fact)),
        }
        Ok(())
    }
}

/// The span without the indentation.
fn content_span(line: &Range<usize>) -> Range<usize> {
    (line.start + 4).min(line.end)..line.end
}

#[derive(Clone, Copy)]
enum Section {
    None,
    Program,
    Configuration,
    Refused,
    Obligations,
    Assumptions,
    Invariants,
    States,
}

impl Places {
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for place in &self.all {
            lines.push(place.title.clone());
            if place.facts.is_empty() {
                lines.push(format!("    {NOTHING}"));
            }
            lines.extend(place.facts.iter().map(|f| format!("    {f}")));
        }
        lines
    }
}

fn is_digest(word: &str) -> bool {
    word.len() == 64 && word.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

fn claim(content: &str) -> Option<Claim> {
    let (answer, rest) = content.split_once("  ")?;
    let (of, condition) = rest.trim_start().split_once(": ")?;
    let (answer, late) = answer.strip_suffix(LATE).map_or((answer, false), |word| (word, true));
    let (word, stage) = answer.split_once(" by ").unwrap_or((answer, ""));
    let verdict = verdict(word)?;
    if (verdict == Verdict::Unknown) != stage.is_empty() || (late && verdict != Verdict::Unknown) {
        return None;
    }
    Some(Claim { of: of.to_owned(), condition: condition.to_owned(), verdict, stage: stage.to_owned(), late })
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn example() -> Snapshot {
        let claim = |condition: &str, verdict, stage: &str, late| Claim {
            of: "main.assertion".into(),
            condition: condition.into(),
            verdict,
            stage: stage.into(),
            late,
        };
        let place = |title: &str, facts: &[&str]| PlaceFacts {
            title: title.into(),
            facts: facts.iter().map(|f| Entry::from(*f)).collect(),
        };
        Snapshot {
            subject: "x.c".into(),
            files: ["x.c", "../in/list 2.h"].map(|f| (f.to_owned(), "0f".repeat(32))).into(),
            configuration: [("stack".to_owned(), "smash/box".to_owned()), ("peel".to_owned(), "1".to_owned())].into(),
            refused: Vec::new(),
            obligations: vec![
                claim("a[k] == 7", Verdict::Proved, "domains", false),
                claim("f(\"  : by \") > 0", Verdict::Violated, "bounded", false),
                claim("x == 1", Verdict::Unknown, "", true),
                claim("x == 2", Verdict::Unknown, "", false),
            ],
            assumptions: vec!["malloc succeeds".into()],
            invariants: Some(Places {
                late: false,
                all: vec![
                    place("loop of main at `while (x) {`", &["0 <= i <= 100", "a[3]   {..}: any"]),
                    place("exit of main", &[]),
                ],
            }),
            states: Some(Places { late: true, all: vec![place("`x = 1;`", &[UNREACHABLE])] }),
        }
    }

    #[test]
    fn a_snapshot_is_text_that_people_read() {
        let expected = "\
smalti snapshot 2: x.c

program
    0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f  ../in/list 2.h
    0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f  x.c

configuration
    peel 1
    stack smash/box

obligations
    proved by domains       main.assertion: a[k] == 7
    violated by bounded     main.assertion: f(\"  : by \") > 0
    unknown (time)          main.assertion: x == 1
    unknown                 main.assertion: x == 2

assumptions
    malloc succeeds

invariants
    loop of main at `while (x) {`
        0 <= i <= 100
        a[3]   {..}: any
    exit of main
        nothing is known

states (time)
    `x = 1;`
        unreachable
";
        assert_eq!(example().text(), expected);
    }

    #[test]
    fn what_was_written_is_read_back() {
        let refused = Snapshot {
            obligations: Vec::new(),
            assumptions: Vec::new(),
            refused: vec!["x.c:1:2: no main".into(), "why: none".into()],
            ..example()
        };
        for snapshot in [example(), refused, Snapshot { subject: "x".into(), ..Snapshot::default() }] {
            assert_eq!(Snapshot::parse(&snapshot.text()).as_ref(), Ok(&snapshot));
            // An editor on another system may have changed the line ends.
            for end in ["\r\n", "\r\r\r\n"] {
                assert_eq!(Snapshot::parse(&snapshot.text().replace('\n', end)).as_ref(), Ok(&snapshot));
            }
        }
    }

    #[test]
    fn a_text_that_is_none_is_told_with_its_place() {
        for (text, line) in [
            ("", 1),
            ("smalti snapshot 3: x.c\n", 1),
            ("smalti snapshot 2: x.c\n\nobligation\n", 3),
            ("smalti snapshot 2: x.c\n    peel 1\n", 2),
            ("smalti snapshot 2: x.c\nprogram\n    0f  x.c\n", 3),
            (&format!("smalti snapshot 2: x.c\nprogram\n    {}\n", "0f".repeat(32)), 3),
            (&format!("smalti snapshot 2: x.c\nprogram\n    {}  x.c\n", "0F".repeat(32)), 3),
            ("smalti snapshot 2: x.c\nobligations\n    proved  main.assertion: x\n", 3),
            ("smalti snapshot 2: x.c\nobligations\n    unknown by domains  main.assertion: x\n", 3),
            ("smalti snapshot 2: x.c\nobligations\n    proved by domains (time)  main.assertion: x\n", 3),
            ("smalti snapshot 2: x.c\nobligations\n    disproved by domains  main.assertion: x\n", 3),
            ("smalti snapshot 2: x.c\nobligations\n    proved by domains\n", 3),
            ("smalti snapshot 2: x.c\ninvariants\n        0 <= i\n", 3),
            ("smalti snapshot 2: x.c\n<<<<<<< ours\n", 2),
            ("smalti snapshot 2: x.c\nstates\n    x\ninvariants\nstates (time)\n    x\n", 5),
        ] {
            let error = Snapshot::parse(text).expect_err(text);
            assert_eq!(error.diagnostic("x", text).place.map(|p| p.line), Some(line), "{text}");
        }
    }

    #[test]
    fn a_line_stays_one() {
        assert_eq!(line("a \n\t b\r\n"), "a b");
        assert_eq!(line("x  ==  1"), "x  ==  1");
    }
}

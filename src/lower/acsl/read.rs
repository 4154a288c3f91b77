//! Reads the clauses of annotations. A clause that is not understood does not affect the others:
//! reading continues where the next clause begins.

use super::macros::{Macro, Origins};
use super::syntax::{self, Clause, ClauseKind, Mode, Role, SyntaxError, Unusable};
use crate::lower::context::Lowerer;
use crate::program::Location;
use lang_c::span::Span;
use std::collections::BTreeMap;

/// The kind of a clause according to its first word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The grammar knows it. The role applies if it cannot be read.
    Known(Role),
    /// Part of ACSL that is not supported.
    Unsupported(Role),
    /// It claims nothing that is checked.
    Unchecked,
    /// It gives names to formulas and terms.
    Definition,
    /// The head of a group of clauses.
    Behavior,
}

/// The first words of the clauses of ACSL.
const WORDS: [(&str, Kind); 36] = [
    ("requires", Kind::Known(Role::Precondition)),
    ("ensures", Kind::Known(Role::Contract)),
    ("assert", Kind::Known(Role::Statement)),
    ("check", Kind::Known(Role::Statement)),
    ("assume", Kind::Known(Role::Assumption)),
    ("admit", Kind::Known(Role::Assumption)),
    ("loop", Kind::Known(Role::Loop)),
    ("predicate", Kind::Definition),
    ("logic", Kind::Definition),
    ("assumes", Kind::Known(Role::Contract)),
    ("complete", Kind::Known(Role::Contract)),
    ("disjoint", Kind::Known(Role::Contract)),
    ("exits", Kind::Known(Role::Contract)),
    ("assigns", Kind::Known(Role::Contract)),
    ("allocates", Kind::Known(Role::Contract)),
    ("frees", Kind::Known(Role::Contract)),
    ("breaks", Kind::Unsupported(Role::Statement)),
    ("continues", Kind::Unsupported(Role::Statement)),
    ("returns", Kind::Unsupported(Role::Statement)),
    ("invariant", Kind::Known(Role::Statement)),
    ("global", Kind::Unsupported(Role::Statement)),
    ("strong", Kind::Unsupported(Role::Statement)),
    ("weak", Kind::Unsupported(Role::Statement)),
    ("for", Kind::Unsupported(Role::Statement)),
    ("behavior", Kind::Behavior),
    ("terminates", Kind::Known(Role::Contract)),
    ("decreases", Kind::Known(Role::Contract)),
    ("ghost", Kind::Unchecked),
    ("axiomatic", Kind::Definition),
    ("axiom", Kind::Definition),
    ("inductive", Kind::Definition),
    ("lemma", Kind::Definition),
    ("type", Kind::Definition),
    ("model", Kind::Definition),
    ("import", Kind::Definition),
    ("module", Kind::Definition),
];

/// Sentences about clauses: by sentence, the number of clauses and the location of the first one.
type Listed = BTreeMap<String, (usize, Location)>;

/// An annotation that is being read.
struct Reading<'t> {
    /// Its text, with macros expanded.
    text: &'t str,
    /// Where its characters stand in the preprocessed text.
    origins: &'t Origins,
    /// How much of it has been read.
    at: usize,
    /// The behavior whose clauses these are.
    behavior: Option<String>,
    /// All behaviors up to here.
    behaviors: Vec<String>,
    /// How far the order of clauses has come.
    order: Order,
    /// Whether it has an assertion, which is then all that it may have.
    asserts: bool,
    /// Whether this is the inside of an axiomatic block.
    in_block: bool,
}

/// The order of the clauses of a contract, of a behavior or of a loop, as Frama-C wants it. Each
/// may come after those of the same rank and of lower ranks.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    #[default]
    Assumes,
    Requires,
    Terminates,
    Decreases,
    /// Postconditions and what is written, and everything in loops but the variant.
    Ensures,
    Behaviors,
    /// `complete behaviors` and `disjoint behaviors`.
    Relations,
    Variant,
}

impl Order {
    /// The rank of a clause with these first words.
    fn of(word: &str, second: &str) -> Option<Order> {
        Some(match (word, second) {
            ("loop", "variant") => Order::Variant,
            ("loop", _) => Order::Ensures,
            ("assumes", _) => Order::Assumes,
            ("requires", _) => Order::Requires,
            ("behavior", _) => Order::Behaviors,
            ("terminates", _) => Order::Terminates,
            ("decreases", _) => Order::Decreases,
            ("ensures" | "assigns" | "exits" | "allocates" | "frees", _) => Order::Ensures,
            ("complete" | "disjoint", _) => Order::Relations,
            _ => return None,
        })
    }
}

impl Lowerer<'_> {
    /// Reads the annotations of the current file.
    pub(in crate::lower) fn read_annotations(&mut self) {
        let unit = self.unit;
        self.annotations.begin();
        let own: Vec<_> = unit.annotations.iter().filter(|r| !unit.lines.is_system(r.start)).cloned().collect();
        if own.is_empty() {
            return;
        }
        self.read_macros();
        let mut listed = Listed::new();
        for range in own {
            let raw = unit.raw.get(range.clone()).unwrap_or_default();
            // Converts byte by byte, so that offsets do not change.
            let text: String = raw.iter().map(|b| if b.is_ascii() { char::from(*b) } else { '\x7f' }).collect();
            let (text, origins) = self.macros_expanded(text, range.start);
            self.read_annotation(&text, &origins, &mut listed);
        }
        for (sentence, (count, first)) in listed {
            let place = self.program.sources.describe(first);
            let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
            self.program.notes.push(format!("{sentence} ({place}{more})"));
        }
    }

    fn read_annotation(&mut self, text: &str, origins: &Origins, listed: &mut Listed) {
        let (behaviors, order) = (Vec::new(), Order::default());
        let mut reading =
            Reading { text, origins, at: 0, behavior: None, behaviors, order, asserts: false, in_block: false };
        let mut first = true;
        loop {
            reading.at += gap(&text[reading.at..]);
            let rest = &text[reading.at..];
            if rest.is_empty() {
                return;
            }
            let word = word_of(rest);
            let known = WORDS.iter().find(|(w, _)| *w == word).map(|(_, kind)| *kind);
            if first && known.is_none() && !word.is_empty() {
                let near = |w: &str| strsim::damerau_levenshtein(w, word) == 1;
                let sentence = match WORDS.iter().find(|(w, _)| near(w)) {
                    Some((meant, _)) => {
                        format!("an annotation that begins with `{word}` is ignored; did you mean `{meant}`?")
                    }
                    None => format!("an annotation that begins with `{word}` is ignored"),
                };
                return self.list(listed, sentence, origins.start(reading.at));
            }
            first = false;
            self.read_clause(&mut reading, known.unwrap_or(Kind::Unsupported(Role::Statement)), listed);
        }
    }

    fn list(&self, listed: &mut Listed, sentence: String, offset: usize) {
        listed.entry(sentence).or_insert_with(|| (0, self.at(Span::span(offset, offset)))).0 += 1;
    }

    /// Reads the clause that begins here.
    fn read_clause(&mut self, reading: &mut Reading<'_>, kind: Kind, listed: &mut Listed) {
        let Reading { text, origins, at, .. } = *reading;
        let rest = &text[at..];
        let word = word_of(rest);
        let end = at + clause_end(rest);
        reading.at = end;
        let prefix = Prefix::of(rest);
        let inner = &rest[prefix.length..];
        if let Some(reason) = misplaced(word_of(inner), second_word(inner), reading) {
            let role = match kind {
                Kind::Known(role) | Kind::Unsupported(role) => role,
                _ if reading.asserts => Role::Statement,
                _ => Role::Contract,
            };
            return self.push_unusable(role, reason, reading, at);
        }
        match kind {
            Kind::Behavior => match text[at..end].find(':') {
                Some(n) => {
                    let name = text[at + word.len()..at + n].replace('@', " ").trim().to_owned();
                    let reason = if name.is_empty() || word_of(&name) != name {
                        Some("a behavior needs a name".to_owned())
                    } else if reading.behaviors.contains(&name) {
                        Some(format!("the behavior `{name}` is defined twice"))
                    } else {
                        None
                    };
                    reading.behaviors.push(name.clone());
                    (reading.behavior, reading.order) = (Some(name), Order::default());
                    reading.at = at + n + 1;
                    if let Some(reason) = reason {
                        self.push_unknown_behavior(reason, reading, at);
                    }
                }
                None => self.push_unusable(Role::Contract, UNSUPPORTED.to_owned(), reading, at),
            },
            Kind::Unchecked => {
                if let ("ghost", Some(name)) = (word, ghost_label(rest)) {
                    let kind = ClauseKind::GhostLabel(name.to_owned());
                    let (start, end) = origins.range(at, text.len());
                    self.annotations.clauses.push_back(Clause::new(kind, start, end));
                    reading.at = text.len();
                    return;
                }
                if word == "ghost" {
                    reading.at = text.len();
                }
                self.list(listed, format!("`{word}` is not checked"), origins.start(at));
            }
            // It says how to analyse the loop, and claims nothing.
            Kind::Known(Role::Loop) if unrolls(rest) => {
                self.list(listed, "`loop unroll` is not used".to_owned(), origins.start(at));
            }
            Kind::Definition if word == "axiomatic" => self.read_block(reading, at, listed),
            Kind::Definition => self.read_definition(reading, at, prefix.mode, listed),
            Kind::Known(_) if prefix.is_lemma(inner) => {
                self.read_definition(reading, at + prefix.length, prefix.mode, listed);
            }
            Kind::Unsupported(role) if word == "for" && !prefix.is_claim(inner) => {
                self.push_unusable(role, UNSUPPORTED.to_owned(), reading, at);
            }
            Kind::Known(role) | Kind::Unsupported(role) if matches!(kind, Kind::Known(_)) || word == "for" => {
                self.read_known(reading, at, &prefix, role, listed);
            }
            Kind::Known(role) | Kind::Unsupported(role) => {
                let reason = if word.is_empty() { "this is not a clause".to_owned() } else { UNSUPPORTED.to_owned() };
                self.push_unusable(role, reason, reading, at);
            }
        }
    }

    /// Reads a clause of a kind that is known, which begins at `at` with its prefix.
    fn read_known(&mut self, reading: &mut Reading<'_>, at: usize, prefix: &Prefix, role: Role, listed: &mut Listed) {
        let Reading { text, origins, .. } = *reading;
        let inner = &text[at + prefix.length..];
        let word = word_of(&text[at..]);
        match self.parsed(inner, at + prefix.length, origins) {
            Ok((mut clause, length)) => {
                reading.at = at + prefix.length + length;
                clause.start = origins.start(at);
                clause.mode = prefix.mode;
                clause.only_for.clone_from(&prefix.only_for);
                if matches!(clause.kind, ClauseKind::Complete(_) | ClauseKind::Disjoint(_)) {
                    reading.behavior = None;
                }
                if matches!(clause.kind, ClauseKind::Assigns(_) | ClauseKind::LoopAssigns(_))
                    && text[at..reading.at].contains("\\from")
                {
                    self.list(listed, "`\\from` is not checked".to_owned(), origins.start(at));
                }
                let unchecked = match clause.kind {
                    ClauseKind::Terminates(_) | ClauseKind::Decreases(..) => Some(word),
                    ClauseKind::Variant(..) => Some("loop variant"),
                    ClauseKind::LoopBlocks(_) => Some("loop allocates"),
                    ClauseKind::Blocks(_) => Some(word),
                    _ => None,
                };
                if let Some(word) = unchecked {
                    self.list(listed, format!("`{word}` is not checked"), origins.start(at));
                }
                let behavior = reading.behavior.clone();
                self.annotations.clauses.push_back(Clause { behavior, ..clause });
            }
            Err(e) => {
                let reason = if role == Role::Loop && !LOOP_WORDS.contains(&second_word(inner)) {
                    UNSUPPORTED.to_owned()
                } else {
                    self.syntax_reason(&e)
                };
                self.push_unusable(role, reason, reading, at);
            }
        }
    }

    /// Notes that it is not known when the behavior applies whose head is here.
    fn push_unknown_behavior(&mut self, reason: String, reading: &Reading<'_>, at: usize) {
        let (start, end) = reading.origins.range(at, reading.at);
        let kind = ClauseKind::Unusable(Unusable { role: Role::Contract, word: "assumes".to_owned(), reason });
        self.annotations
            .clauses
            .push_back(Clause { behavior: reading.behavior.clone(), ..Clause::new(kind, start, end) });
    }

    /// Notes the clause from `at` up to where the next one begins as one that is not understood.
    fn push_unusable(&mut self, role: Role, reason: String, reading: &Reading<'_>, at: usize) {
        let rest = &reading.text[at..reading.at];
        let (first, second) = (word_of(rest), second_word(rest));
        let (role, word) = match (first, second) {
            ("", _) | ("loop", "") => (role, "annotation"),
            ("loop", second) => (role, second),
            // A clause with `admit` is assumed wherever it is written.
            ("admit", _) => (Role::Assumption, first),
            ("check", "requires" | "ensures") => (Role::Contract, second),
            ("check", "loop") => (Role::Loop, "invariant"),
            ("for", _) => match after_names(rest) {
                "requires" => (Role::Precondition, "requires"),
                "admit" | "assume" => (Role::Assumption, "assume"),
                "loop" => (Role::Loop, "invariant"),
                "assert" | "check" => (Role::Statement, "assert"),
                _ => (role, "annotation"),
            },
            _ => (role, first),
        };
        let (start, end) = reading.origins.range(at, at + rest.trim_end().len());
        let kind = ClauseKind::Unusable(Unusable { role, word: word.to_owned(), reason });
        let behavior = reading.behavior.clone();
        self.annotations.clauses.push_back(Clause { behavior, ..Clause::new(kind, start, end) });
    }

    /// Parses the clause at the start of `text`, which is at `at` in its annotation. Returns its
    /// length too.
    fn parsed(&self, text: &str, at: usize, origins: &Origins) -> Result<(Clause, usize), SyntaxError> {
        match syntax::clause(text, at) {
            Ok(mut clause) => {
                let length = clause.end - at;
                clause.moved(&|start, end| origins.range(start, end));
                Ok((clause, length))
            }
            Err(e) => Err(SyntaxError { offset: origins.start(e.offset), ..e }),
        }
    }

    /// Reads names for formulas and terms. A definition that is not understood gives its name no
    /// meaning, and no other definition of that name counts: which of them a use means would depend
    /// on types.
    fn read_definition(&mut self, reading: &mut Reading<'_>, at: usize, mode: Mode, listed: &mut Listed) {
        let Reading { text, origins, .. } = *reading;
        let rest = &text[at..reading.at];
        let word = word_of(rest);
        let place = origins.start(at);
        if word == "type"
            && let Some((name, meaning)) = type_definition(rest).filter(|t| !self.annotations.types.contains_key(&t.0))
        {
            let known = |m: String| self.annotations.types.get(&m).map_or(Some(m), |t| t.1.clone());
            let meaning = meaning.and_then(known);
            self.annotations.types.insert(name, (place, meaning));
            return;
        }
        let mut reason = format!("`{word}` is not supported");
        let is_axiom = word == "axiom" && reading.in_block;
        if is_axiom || matches!(word, "lemma" | "predicate" | "logic" | "inductive") {
            let in_block = reading.in_block;
            let reads = |c: &Clause| matches!(&c.kind, ClauseKind::Predicate(p) if !p.reads.is_empty());
            match self.parsed(&text[at..], at, origins) {
                Ok((clause, _)) if reads(&clause) && !in_block => {
                    reason = "`reads` is allowed only in axiomatic blocks".to_owned();
                }
                Ok((clause, length)) => {
                    reading.at = at + length;
                    if matches!(word, "axiom" | "lemma") {
                        let checked = if mode == Mode::Check { "check " } else { "" };
                        self.list(listed, format!("`{checked}{word}` is not checked"), place);
                    }
                    let Clause { kind, start, end, .. } = clause;
                    let kinds = match kind {
                        ClauseKind::Inductive(predicate, cases) => {
                            let first = std::iter::once(ClauseKind::Predicate(predicate));
                            first.chain(cases).collect()
                        }
                        kind => vec![kind],
                    };
                    let clauses = kinds.into_iter().map(|kind| Clause { mode, ..Clause::new(kind, start, end) });
                    self.annotations.clauses.extend(clauses);
                    return;
                }
                Err(e) => reason = self.syntax_reason(&e),
            }
        }
        let names = defined_names(rest);
        self.annotations.unreadable.extend(names.into_iter().map(|n| (n, reason.clone())));
        let sentence = match word {
            "import" | "module" => format!("`{word}` is not checked"),
            _ => format!("a definition by `{word}` is not understood"),
        };
        self.list(listed, sentence, place);
    }

    /// Reads the definitions and axioms in a block. Axioms are lemmas that nothing could prove.
    fn read_block(&mut self, reading: &mut Reading<'_>, at: usize, listed: &mut Listed) {
        let Reading { text, origins, .. } = *reading;
        let block = &text[at..reading.at];
        let sentence = "a definition by `axiomatic` is not understood";
        let name = second_word(block).to_owned();
        let open = block.find('{').filter(|_| block.ends_with('}'));
        let is_named = |open: usize| block[..open].trim_end().ends_with(&name) && !name.is_empty();
        let Some(open) = open.filter(|open| is_named(*open) && self.annotations.blocks.insert(name.clone())) else {
            let reason = "its block is not understood".to_owned();
            self.annotations.unreadable.extend(defined_names(block).into_iter().map(|n| (n, reason.clone())));
            return self.list(listed, sentence.to_owned(), origins.start(at));
        };
        let mut inside = Reading {
            text: &text[..reading.at - 1],
            at: at + open + 1,
            behaviors: Vec::new(),
            behavior: None,
            order: Order::default(),
            asserts: false,
            in_block: true,
            origins,
        };
        loop {
            inside.at += gap(&inside.text[inside.at..]);
            let (start, rest) = (inside.at, &inside.text[inside.at..]);
            if rest.is_empty() {
                return;
            }
            inside.at = start + clause_end(rest);
            let prefix = Prefix::of(rest);
            let inner = &rest[prefix.length..];
            match word_of(inner) {
                "lemma" => self.read_definition(&mut inside, start + prefix.length, prefix.mode, listed),
                "axiom" | "predicate" | "logic" | "inductive" | "type" if prefix.length == 0 => {
                    self.read_definition(&mut inside, start, Mode::Plain, listed);
                }
                _ => self.list(listed, sentence.to_owned(), origins.start(start)),
            }
        }
    }

    /// Why a text is not a clause, and where.
    fn syntax_reason(&self, error: &SyntaxError) -> String {
        let place = self.program.sources.describe(self.at(Span::span(error.offset, error.offset)));
        let expected = match &error.expected[..] {
            [] => String::new(),
            some => format!("; expected {}", some.join(", ")),
        };
        format!("{} ({place}){expected}", error.message)
    }

    /// The macros, as the preprocessor's output lists them.
    fn read_macros(&mut self) {
        let mut offset = 0;
        for line in self.unit.raw.split_inclusive(|b| *b == b'\n') {
            let at = offset;
            offset += line.len();
            if !line.starts_with(b"#define ") && !line.starts_with(b"#undef ") {
                continue;
            }
            let text = String::from_utf8_lossy(line);
            let Some((directive, rest)) = text.trim_end().split_once(' ') else { continue };
            let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let (name, body) = rest.split_at(length);
            let body = (directive == "#define").then(|| Macro::of(body));
            self.annotations.macros.entry(name.to_owned()).or_default().push((at, body));
        }
    }
}

/// The second words of clauses of loops.
const LOOP_WORDS: [&str; 5] = ["invariant", "assigns", "variant", "allocates", "frees"];

const UNSUPPORTED: &str = "this clause is not supported";

/// What stands before a clause: `for a, b:`, and `check` or `admit`.
struct Prefix {
    only_for: Vec<String>,
    mode: Mode,
    length: usize,
}

impl Prefix {
    fn of(text: &str) -> Prefix {
        let mut prefix = Prefix { only_for: Vec::new(), mode: Mode::Plain, length: 0 };
        if word_of(text) == "for"
            && let Some((names, _)) = text.split_once(':')
        {
            let all: Vec<&str> = names["for".len()..].split(',').map(|n| n.trim_matches(is_space)).collect();
            if !all.iter().all(|n| !n.is_empty() && word_of(n) == *n) {
                return prefix;
            }
            prefix.only_for = all.into_iter().map(str::to_owned).collect();
            prefix.length = names.len() + 1;
            prefix.length += gap(&text[prefix.length..]);
        }
        let rest = &text[prefix.length..];
        let mode = match word_of(rest) {
            "check" => Mode::Check,
            "admit" => Mode::Admit,
            _ => return prefix,
        };
        if matches!(second_word(rest), "requires" | "ensures" | "loop" | "lemma") {
            prefix.mode = mode;
            prefix.length += word_of(rest).len();
            prefix.length += gap(&text[prefix.length..]);
        }
        prefix
    }

    /// Whether this is `check lemma` or `admit lemma`.
    fn is_lemma(&self, inner: &str) -> bool {
        self.mode != Mode::Plain && self.only_for.is_empty() && word_of(inner) == "lemma"
    }

    /// Whether this is a claim inside a function for some behaviors.
    fn is_claim(&self, inner: &str) -> bool {
        let word = word_of(inner);
        let of_loop = word == "loop" && matches!(second_word(inner), "invariant" | "assigns");
        let of_statement = matches!(word, "assert" | "check" | "admit" | "assume" | "requires" | "ensures");
        !self.only_for.is_empty() && (of_loop || of_statement)
    }
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '@'
}

/// The name in `type NAME;` or `type NAME = WORDS;`, and what it stands for.
fn type_definition(text: &str) -> Option<(String, Option<String>)> {
    let text = text.strip_prefix("type")?.trim_end_matches(is_space).strip_suffix(';')?;
    let (name, meaning) = text.split_once('=').map_or((text, None), |(name, meaning)| (name, Some(meaning)));
    let name = name.trim_matches(is_space);
    let meaning = meaning.map(|m| m.split(is_space).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" "));
    let is_words = meaning.as_ref().is_none_or(|m| !m.is_empty() && m.split(' ').all(|w| word_of(w) == w));
    (is_words && !name.is_empty() && word_of(name) == name).then(|| (name.to_owned(), meaning))
}

/// Why a clause with these first words must not come here. Keeps count of what has come.
fn misplaced(word: &str, second: &str, reading: &mut Reading<'_>) -> Option<String> {
    let of_clause = matches!(second, "requires" | "ensures" | "loop" | "lemma");
    let asserts = word == "assert" || matches!(word, "check" | "admit") && !of_clause;
    if reading.asserts {
        return Some("an annotation with an assertion has no other clauses".to_owned());
    }
    reading.asserts = asserts;
    let next = Order::of(word, second)?;
    if next == Order::Behaviors && reading.order < Order::Relations {
        return None;
    }
    let in_behavior = reading.behavior.is_some();
    if matches!(next, Order::Terminates | Order::Decreases) && in_behavior {
        return Some(format!("`{word}` must come before the behaviors"));
    }
    let once = matches!(next, Order::Terminates | Order::Decreases | Order::Variant);
    if next < reading.order || once && next == reading.order {
        let shown = if word == "loop" { format!("loop {second}") } else { word.to_owned() };
        let what = match reading.order {
            Order::Requires => "`requires`",
            Order::Terminates => "`terminates`",
            Order::Decreases => "`decreases`",
            Order::Relations => "`complete behaviors` and `disjoint behaviors`",
            Order::Variant => "`loop variant`",
            _ => "postconditions and `assigns`",
        };
        return Some(if next == reading.order {
            format!("there may be only one {what}")
        } else {
            format!("`{shown}` must come before {what}")
        });
    }
    reading.order = next;
    None
}

/// Whether a word begins clauses.
pub(super) fn is_clause_word(word: &str) -> bool {
    WORDS.iter().any(|(w, _)| *w == word)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The length of the text between two clauses.
fn gap(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '@' || c == ';');
        match rest.strip_prefix("//") {
            Some(comment) => rest = &comment[comment.find('\n').unwrap_or(comment.len())..],
            None => return text.len() - rest.len(),
        }
    }
}

/// The word at the start of a text, or empty.
fn word_of(text: &str) -> &str {
    &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())]
}

/// The label, if an annotation with ghost code consists of nothing else.
fn ghost_label(text: &str) -> Option<&str> {
    let (name, rest) = text.trim_start().strip_prefix("ghost")?.split_once(':')?;
    let is_name = |n: &str| !n.is_empty() && word_of(n) == n;
    let is_empty = rest.chars().all(|c| c.is_whitespace() || ";@".contains(c));
    Some(name.trim()).filter(|name| is_name(name) && is_empty)
}

/// Whether this is `loop unroll n`.
fn unrolls(text: &str) -> bool {
    let rest = text[word_of(text).len()..].trim_start();
    let count =
        rest.strip_prefix("unroll").filter(|rest| !rest.starts_with(is_word)).map(|rest| rest.trim_matches(is_space));
    count.and_then(|n| n.strip_suffix(';')).is_some_and(|n| syntax::formula(n.trim(), 0).is_some())
}

fn second_word(text: &str) -> &str {
    let rest = &text[word_of(text).len()..];
    word_of(&rest[gap(rest)..])
}

/// The first word after `for a, b:`.
fn after_names(text: &str) -> &str {
    let rest = text.split_once(':').map_or("", |parts| parts.1);
    word_of(&rest[gap(rest)..])
}

/// Where the clause at the start of a text ends, if the grammar does not know it: at the end of
/// its braces, or at a semicolon that the end of the text or another clause follows. (Quantifiers
/// have semicolons inside.)
fn clause_end(text: &str) -> usize {
    if matches!(word_of(text), "axiomatic" | "inductive" | "module") {
        let mut depth = 0usize;
        for (at, c) in text.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 1 && !is_label(text, at) => return at + 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        return text.len();
    }
    for (at, _) in text.match_indices(';') {
        let rest = &text[at + 1..];
        let rest = &rest[gap(rest)..];
        let word = word_of(rest);
        if rest.is_empty() || WORDS.iter().any(|(w, _)| *w == word) {
            return at + 1;
        }
    }
    text.len()
}

/// Whether a closing brace ends a list of labels: `P{K, L}(…)`. A list of labels holds nothing but
/// names.
fn is_label(text: &str, at: usize) -> bool {
    let inside = text[..at].rfind('{').map_or("", |n| &text[n + 1..at]);
    !inside.trim().is_empty() && inside.chars().all(|c| is_word(c) || c == ',' || c.is_ascii_whitespace())
}

/// The names that the definitions in a text give.
fn defined_names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, word) in words(text) {
        if !matches!(word, "predicate" | "logic" | "inductive") {
            continue;
        }
        let rest = &text[at + word.len()..];
        let head = &rest[..rest.find(['(', '{', '=', ';', ':']).unwrap_or(rest.len())];
        found.extend(words(head).last().map(|(_, name)| (*name).to_owned()));
    }
    found
}

/// The words of a text, with where they begin.
fn words(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(n) = text[at..].find(is_word) {
        let word = word_of(&text[at + n..]);
        found.push((at + n, word));
        at += n + word.len();
    }
    found
}

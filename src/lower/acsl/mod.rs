//! Annotations: a subset of ACSL in comments `/*@ … @*/` and `//@ …`.
//!
//! The preprocessor is asked to keep comments, so that an annotation stands in its output where it stands in the source, and positions come from
//! the same line map as all others. Macros inside comments are not expanded by it; a name in an annotation that nothing declares is looked up
//! among the macros without parameters that are defined there, whose text is read as part of the annotation.
//!
//! An annotation is read as far as its words are known. One that begins with an unknown word is left out, with a note: other tools have
//! words of their own. A syntax error behind a known word is an error.
//!
//! * `assert`, `check`, `assume` become claims where they stand, between two statements.
//! * `loop invariant` becomes a claim before the loop (established), one at the end of the step (preserved), and is known where an iteration
//!   begins. Of a `do` loop it is claimed where each iteration begins.
//! * `requires` is claimed at the start of the body, of which every call gets its own copy, and assumed where the function is the one that the
//!   analysis starts from; `ensures` is claimed at each return.
//! * `assigns` and `loop variant` are read and have no effect: bodies are analysed, and termination is no obligation.

mod contracts;
mod places;
mod predicates;
mod quantifiers;
mod resolve;
mod syntax;

pub(super) use contracts::Ensures;

use super::context::{Lowered, Lowerer};
use super::error::{InputError, InputErrorKind};
use crate::program::{
    Assertion, AssertionId, Claim, ClaimRole, Formula, FunctionId, Location, Loop, LoopKind, StmtKind,
};
use lang_c::ast::{BlockItem, ExternalDeclaration, FunctionDefinition, Statement};
use lang_c::span::{Node, Span};
use std::collections::{BTreeMap, HashMap, VecDeque};
use syntax::{Clause, ClauseKind, KEYWORDS, Predicate};

/// Clauses that say nothing about values.
const WITHOUT_EFFECT: [&str; 5] = ["terminates", "decreases", "allocates", "frees", "exits"];

/// The annotations of the file at hand.
#[derive(Default)]
pub(super) struct Annotations {
    /// Those that no statement has taken yet, in the order of the text.
    clauses: VecDeque<Clause>,
    /// Those of the loop that is next.
    of_loop: Vec<Clause>,
    /// Those of the function that is next.
    contract: Vec<Clause>,
    predicates: HashMap<String, Predicate>,
    /// By name: where it is defined or undefined, and its text.
    macros: HashMap<String, Vec<(usize, Option<String>)>>,
    /// How many obligations of each kind each function has.
    numbers: HashMap<String, u32>,
    /// The precondition of the entry, with the texts of its parts.
    of_entry: Vec<(Formula, String, Location)>,
    /// The function that calls the entry with arbitrary arguments.
    pub(super) start: Option<FunctionId>,
}

impl Lowerer<'_> {
    /// Reads the annotations of the file at hand.
    pub(super) fn read_annotations(&mut self) -> Lowered<()> {
        let unit = self.unit;
        self.annotations.clauses.clear();
        self.annotations.predicates.clear();
        self.annotations.macros.clear();
        let own: Vec<_> = unit.annotations.iter().filter(|r| !unit.lines.is_system(r.start)).cloned().collect();
        if own.is_empty() {
            return Ok(());
        }
        self.read_macros();
        let mut unknown: BTreeMap<String, (usize, Location)> = BTreeMap::new();
        for range in own {
            let raw = unit.raw.get(range.clone()).unwrap_or_default();
            // Byte for byte, so that offsets stay.
            let text: String = raw.iter().map(|b| if b.is_ascii() { char::from(*b) } else { '?' }).collect();
            if let Some((word, at)) = self.read_annotation(&text, range.start)? {
                let entry = unknown.entry(word).or_insert_with(|| (0, self.at(Span::span(at, at))));
                entry.0 += 1;
            }
        }
        for (word, (count, first)) in unknown {
            let place = self.program.sources.describe(first);
            let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
            self.program.notes.push(format!("an annotation that begins with `{word}` is left out ({place}{more})"));
        }
        Ok(())
    }

    /// Reads one annotation; the word at which it is left, if that is not known.
    fn read_annotation(&mut self, text: &str, base: usize) -> Lowered<Option<(String, usize)>> {
        let mut at = 0;
        loop {
            let rest = &text[at..];
            at += rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '@' || c == ';').len();
            let rest = &text[at..];
            if rest.is_empty() {
                return Ok(None);
            }
            let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let word = &rest[..length];
            if WITHOUT_EFFECT.contains(&word) {
                at += rest.find(';').unwrap_or(rest.len());
                continue;
            }
            if !word.is_empty() && !KEYWORDS.contains(&word) {
                return Ok(Some((word.to_owned(), base + at)));
            }
            let clause = syntax::clause(rest, base + at).map_err(|e| {
                let place = self.unit.place(Span::span(e.offset, e.offset), &self.program.sources);
                let kind = if e.expected.is_empty() { InputErrorKind::Unsupported } else { InputErrorKind::Syntax };
                InputError::new(kind, e.message).expecting(e.expected).at(place)
            })?;
            at = clause.end - base;
            self.annotations.clauses.push_back(clause);
        }
    }

    /// The macros without parameters, as the preprocessor's output lists them.
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
            if body.starts_with('(') {
                continue;
            }
            let body = (directive == "#define").then(|| body.trim().to_owned());
            self.annotations.macros.entry(name.to_owned()).or_default().push((at, body));
        }
    }

    fn next_clause(&mut self, before: usize) -> Option<Clause> {
        let ready = self.annotations.clauses.front().is_some_and(|c| c.start < before);
        if ready { self.annotations.clauses.pop_front() } else { None }
    }

    fn misplaced<T>(&self, clause: &Clause, message: &str) -> Lowered<T> {
        self.wrong(Span::span(clause.start, clause.end), message)
    }

    /// The annotations in front of something at file scope.
    pub(super) fn annotations_of(&mut self, declaration: &Node<ExternalDeclaration>) -> Lowered<()> {
        let before = declaration.span.start;
        self.annotations.contract.clear();
        self.file_annotations(before)?;
        if let (Some(clause), ExternalDeclaration::Declaration(_)) =
            (self.annotations.contract.first(), &declaration.node)
        {
            let place = self.program.sources.describe(self.at(Span::span(clause.start, clause.end)));
            let note =
                format!("a contract is read in front of the function's body alone; the one at {place} is left out");
            self.program.notes.push(note);
            self.annotations.contract.clear();
        }
        Ok(())
    }

    fn file_annotations(&mut self, before: usize) -> Lowered<()> {
        while let Some(clause) = self.next_clause(before) {
            match clause.kind {
                ClauseKind::Requires(_) | ClauseKind::Ensures(_) => self.annotations.contract.push(clause),
                ClauseKind::Harmless { of_loop: false } => {}
                ClauseKind::Predicate(predicate) => {
                    let name = predicate.name.clone();
                    if self.annotations.predicates.insert(name.clone(), predicate).is_some() {
                        return self.wrong(
                            Span::span(clause.start, clause.end),
                            format!("the predicate `{name}` is defined twice"),
                        );
                    }
                }
                _ => return self.misplaced(&clause, "this annotation must stand inside a function"),
            }
        }
        Ok(())
    }

    /// What is left of the annotations inside a function that has been lowered.
    pub(super) fn annotations_left(&mut self, definition: &Node<FunctionDefinition>) -> Lowered<()> {
        self.annotations.contract.clear();
        // The bodies of known functions are not looked at, nor are their annotations.
        while self.next_clause(definition.span.end).is_some() {}
        Ok(())
    }

    /// The end of a file.
    pub(super) fn annotations_end(&mut self) -> Lowered<()> {
        self.file_annotations(usize::MAX)?;
        match self.annotations.contract.first() {
            None => Ok(()),
            Some(clause) => self.misplaced(clause, "a contract must stand in front of a function"),
        }
    }

    /// The statements and declarations of a block, with the annotations between them.
    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>], block: Span) -> Lowered<()> {
        for item in items {
            match &item.node {
                BlockItem::Statement(s) => self.annotated(s)?,
                _ => self.claims_before(item.span.start)?,
            }
            if let (Some(clause), BlockItem::Declaration(_) | BlockItem::StaticAssert(_)) =
                (self.annotations.of_loop.first(), &item.node)
            {
                return self.misplaced(clause, "the annotation of a loop must stand right before it");
            }
            self.block_item(item)?;
            let simple = match &item.node {
                BlockItem::Statement(s) => {
                    matches!(s.node, Statement::Expression(_) | Statement::Return(_) | Statement::Goto(_))
                }
                _ => true,
            };
            if let (true, Some(clause)) = (simple, self.annotations.clauses.front())
                && clause.start < item.span.end
            {
                return self.misplaced(clause, "an annotation must stand between two statements");
            }
        }
        self.claims_before(block.end)?;
        match self.annotations.of_loop.first() {
            None => Ok(()),
            Some(clause) => self.misplaced(clause, "the annotation of a loop must stand right before it"),
        }
    }

    /// The annotations in front of a statement.
    pub(super) fn annotated(&mut self, s: &Node<Statement>) -> Lowered<()> {
        self.claims_before(s.span.start)?;
        let labelled = matches!(s.node, Statement::Labeled(_));
        let is_loop = matches!(s.node, Statement::While(_) | Statement::DoWhile(_) | Statement::For(_));
        match self.annotations.of_loop.first() {
            Some(clause) if !is_loop && !labelled => {
                self.misplaced(clause, "the annotation of a loop must stand right before it")
            }
            _ => Ok(()),
        }
    }

    fn claims_before(&mut self, before: usize) -> Lowered<()> {
        while let Some(clause) = self.next_clause(before) {
            let at = self.at(Span::span(clause.start, clause.end));
            match &clause.kind {
                ClauseKind::Assert(node) | ClauseKind::Check(node) => {
                    let formula = self.closed_formula(node)?;
                    let id = self.new_assertion(self.at(Span::span(node.start, node.end)), self.text_of(node));
                    let role = match clause.kind {
                        ClauseKind::Check(_) => ClaimRole::Check(id),
                        _ => ClaimRole::Assert(id),
                    };
                    self.emit_claim(formula, role, at);
                }
                ClauseKind::Assume(node) => {
                    let formula = self.closed_formula(node)?;
                    let (text, place) = (self.text_of(node), self.program.sources.describe(at));
                    self.program.assume_that(format!("`{text}` holds ({place})"));
                    self.emit_claim(formula, ClaimRole::Assume, at);
                }
                ClauseKind::Invariant(_) | ClauseKind::Harmless { of_loop: true } => {
                    self.annotations.of_loop.push(clause);
                }
                ClauseKind::Harmless { of_loop: false } => {}
                ClauseKind::Requires(_) | ClauseKind::Ensures(_) => {
                    return self.misplaced(&clause, "a contract must stand in front of a function");
                }
                ClauseKind::Predicate(_) => {
                    return self.misplaced(&clause, "a predicate must be defined outside of functions");
                }
            }
        }
        Ok(())
    }

    pub(super) fn emit_claim(&mut self, formula: Formula, role: ClaimRole, at: Location) {
        self.emit(StmtKind::Claim(Box::new(Claim { formula, role })), at);
    }

    /// The text of a formula, as the source writes it.
    fn text_of(&self, node: &syntax::Node) -> String {
        let raw = self.unit.raw.get(node.start..node.end).unwrap_or_default();
        super::parse::fold(&String::from_utf8_lossy(raw).replace('@', " "))
    }

    /// A new obligation of that kind, numbered by function and kind.
    fn new_obligation(&mut self, kind: &str, suffix: &str, node: &syntax::Node) -> AssertionId {
        let function = self.function_name().to_owned();
        let number = self.annotations.numbers.entry(format!("{function}.{kind}{suffix}")).or_insert(0);
        *number += 1;
        let id = format!("{function}.{kind}.{number}{suffix}");
        let (location, condition) = (self.at(Span::span(node.start, node.end)), self.text_of(node));
        self.program.assertions.push(Assertion { id, function, location, condition, failure: None });
        AssertionId((self.program.assertions.len() - 1) as u32)
    }

    /// The invariants of the loop that comes next; `tested_first` says that they are claimed before it, which is done here.
    pub(super) fn loop_invariants(&mut self, tested_first: bool) -> Lowered<Vec<Invariant>> {
        let mut found = Vec::new();
        for clause in std::mem::take(&mut self.annotations.of_loop) {
            let ClauseKind::Invariant(node) = &clause.kind else { continue };
            let formula = self.closed_formula(node)?;
            let location = self.at(Span::span(clause.start, clause.end));
            let established = tested_first.then(|| self.new_obligation("invariant", ".established", node));
            let suffix = if tested_first { ".preserved" } else { "" };
            let kept = self.new_obligation("invariant", suffix, node);
            if let Some(id) = established {
                self.emit_claim(formula.clone(), ClaimRole::Assert(id), location);
            }
            found.push(Invariant { formula, kept, location });
        }
        Ok(found)
    }

    /// Puts invariants into a loop. In one that tests first, each holds wherever an iteration begins: it was claimed before the loop, or at
    /// the end of the iteration before.
    pub(super) fn keep_invariants(&mut self, l: &mut Loop, invariants: Vec<Invariant>) {
        let claim = |formula, role| StmtKind::Claim(Box::new(Claim { formula, role }));
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for i in invariants {
            if l.kind == LoopKind::DoWhile {
                first.push(self.stmt(claim(i.formula, ClaimRole::Assert(i.kept)), i.location));
            } else {
                first.push(self.stmt(claim(i.formula.clone(), ClaimRole::Assume), i.location));
                last.push(self.stmt(claim(i.formula, ClaimRole::Assert(i.kept)), i.location));
            }
        }
        l.body.splice(0..0, first);
        l.step.extend(last);
    }
}

/// An invariant of a loop.
pub(super) struct Invariant {
    formula: Formula,
    kept: AssertionId,
    location: Location,
}

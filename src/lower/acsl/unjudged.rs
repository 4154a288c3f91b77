//! Makes obligations of clauses that are not understood. They stay `unknown`, so that no claim of
//! the source is lost silently.

use super::syntax::{Clause, ClauseKind, Role};
use crate::lower::context::Lowerer;
use crate::lower::error::InputError;
use crate::program::{Assertion, FILE_SCOPE, Location};
use lang_c::span::Span;
use std::collections::HashSet;

impl Lowerer<'_> {
    /// The error in a formula, as a reason.
    pub(super) fn reason(&self, error: &InputError) -> String {
        let place = error.place().map_or(String::new(), |p| format!(" ({}:{}:{})", p.file, p.line, p.column));
        let notes: String = error.notes().iter().map(|n| format!("; {n}")).collect();
        format!("{}{place}{notes}", error.message())
    }

    /// Records a clause of the current function that nothing can judge.
    pub(super) fn unjudged_here(&mut self, clause: &Clause, reason: &str) {
        let function = self.function_name().to_owned();
        self.unjudged(&function, clause, reason);
    }

    /// Lists the clauses that nothing can judge in functions that the entry does not call. These
    /// have no obligations.
    pub(in crate::lower) fn note_unreached(&mut self) {
        if !self.program.alone {
            return;
        }
        let called = self.program.called_functions();
        let called: HashSet<&str> = called.iter().map(|f| self.program.function(*f).name.as_str()).collect();
        let mut notes = Vec::new();
        for a in &self.program.assertions {
            if let Some(reason) = &a.unsupported
                && a.function != FILE_SCOPE
                && !called.contains(a.function.as_str())
            {
                let place = self.program.sources.describe(a.location);
                notes.push(format!("{reason} (nothing calls `{}`; {place})", a.function));
            }
        }
        self.program.notes.extend(notes);
    }

    /// Records a clause at a place where clauses of its kind are not read.
    pub(super) fn misplaced(&mut self, clause: &Clause, message: &str) {
        self.unjudged_here(clause, message);
    }

    /// Records the annotations of a loop that no loop follows.
    pub(super) fn misplaced_of_loop(&mut self) {
        for clause in std::mem::take(&mut self.annotations.of_loop) {
            self.misplaced(&clause, "the annotation of a loop must stand right before it");
        }
    }

    /// Records the contract of a statement that no statement follows.
    pub(super) fn misplaced_of_statement(&mut self) {
        for clause in std::mem::take(&mut self.annotations.of_statement) {
            self.misplaced(&clause, "a contract must stand before a function or a statement without a label");
        }
    }

    /// Records a contract that no function follows.
    pub(in crate::lower) fn misplaced_contract(&mut self) {
        for clause in std::mem::take(&mut self.annotations.contract) {
            self.unjudged(FILE_SCOPE, &clause, "a contract must stand before a function");
        }
    }

    /// Records a clause that nothing can judge.
    pub(super) fn unjudged(&mut self, function: &str, clause: &Clause, reason: &str) {
        let (location, text) = (self.at(Span::span(clause.start, clause.end)), self.clause_text(clause));
        self.unjudged_at(function, &clause.kind, (location, text), reason);
    }

    /// The text of a clause, without its semicolon.
    pub(super) fn clause_text(&self, clause: &Clause) -> String {
        let raw = self.unit.raw.get(clause.start..clause.end).unwrap_or_default();
        let text = crate::lower::parse::fold(&String::from_utf8_lossy(raw).replace('@', " "));
        text.trim_end_matches([';', ' ']).to_owned()
    }

    /// Does the same for a clause that may be in another file than the current one.
    pub(super) fn unjudged_at(
        &mut self,
        function: &str,
        kind: &ClauseKind,
        (location, condition): (Location, String),
        reason: &str,
    ) {
        let (word, granted) = match kind {
            ClauseKind::Requires(_) => ("requires", false),
            ClauseKind::Ensures(_) => ("ensures", false),
            ClauseKind::Assumes(_) => ("assumes", false),
            ClauseKind::Complete(_) => ("complete", false),
            ClauseKind::Disjoint(_) => ("disjoint", false),
            ClauseKind::Exits(_) => ("exits", false),
            ClauseKind::Terminates(_) => ("terminates", false),
            ClauseKind::Decreases(..) => ("decreases", false),
            ClauseKind::Variant(..) => ("variant", false),
            ClauseKind::Assigns(_) | ClauseKind::LoopAssigns(_) => ("assigns", false),
            ClauseKind::Blocks(_) | ClauseKind::LoopBlocks(_) => ("allocates", false),
            ClauseKind::Assert(_) | ClauseKind::Check(_) => ("assert", false),
            ClauseKind::Assume(_) => ("assume", true),
            ClauseKind::Invariant(_) => ("invariant", false),
            ClauseKind::Lemma { .. } => ("lemma", false),
            ClauseKind::GhostLabel(_) => ("ghost", false),
            ClauseKind::Predicate(_) | ClauseKind::Inductive(..) => ("predicate", false),
            ClauseKind::Unusable(u) => (u.word.as_str(), u.role == Role::Assumption),
        };
        let reason = format!("`{condition}` is not checked: {reason}");
        if granted {
            self.program.gaps.assumptions.push((function.to_owned(), reason.clone()));
        }
        let id = match word {
            "assert" | "check" => self.next_assertion(function),
            word => self.obligation_id(function, word, ""),
        };
        let function = function.to_owned();
        let unsupported = Some(reason);
        self.push_obligation(Assertion { id, function, location, condition, failure: None, unsupported });
    }
}

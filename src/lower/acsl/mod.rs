//! Annotations: a subset of ACSL in comments `/*@ … @*/` and `//@ …`.
//!
//! The preprocessor runs with an option that keeps comments. So an annotation has the same place in
//! its output as in the source, and positions come from the same line map as all others. The
//! preprocessor does not expand macros inside comments. If nothing declares a name in an
//! annotation, the name is looked up among the macros without parameters that are defined there.
//! The text of the macro is then read as part of the annotation.
//!
//! An annotation that begins with a word that ACSL does not have is left out, with a note: other
//! tools have their own words. Any other clause that is not understood becomes an obligation that
//! nothing judges. It stays `unknown`, with the reason. If the clause would have been assumed,
//! everything that its function reaches stays `unknown` too. Clauses that claim nothing that is
//! checked (`terminates`, `decreases`, …) are listed in notes.
//!
//! * `check` before a clause makes it a claim that nothing relies on; `admit` an assumption.
//! * A contract of a statement becomes claims before and after it ([`statements`]).
//! * `for b:` before a clause restricts it to the runs to which a behavior applies.
//! * `assert`, `check`, `assume` become claims where they stand, between two statements.
//! * `loop invariant` becomes a claim before the loop (established), one at the end of the step
//!   (preserved), and is known where an iteration begins. For a `do` loop it is claimed where each
//!   iteration begins.
//! * Labels name moments. What variables held at an earlier moment is kept by statements that are
//!   put there ([`moments`]).
//! * `predicate` and `logic` definitions are unfolded where they are used, except for recursive
//!   functions ([`recursive`]).
//! * The contract of a function without a body becomes a body ([`stand_ins`]).
//! * `requires` is claimed at the start of the body, of which every call gets its own copy, and
//!   assumed if the function is the one that the analysis starts from; `ensures` is claimed at each
//!   return. The contracts of prototypes are parts of that of the definition. A clause of a
//!   behavior counts where the behavior applies.

mod arguments;
mod behaviors;
mod bits;
mod contracts;
mod copies;
mod definitions;
mod exits;
mod frames;
mod held;
mod literals;
mod macros;
mod measures;
mod members;
mod moments;
mod overlaps;
mod places;
mod predicates;
mod prototypes;
mod quantifiers;
mod ranges;
mod read;
mod recursive;
mod resolve;
mod sets;
mod sizes;
mod stand_ins;
mod statements;
mod syntax;
mod unjudged;

pub(super) use contracts::Ensures;
pub(super) use moments::Moments;
pub(crate) use overlaps::IS_SEPARATE;

use super::context::{Lowered, Lowerer};
use super::functions::{declared_name, innermost};
use crate::program::{
    Assertion, AssertionId, Claim, ClaimRole, FILE_SCOPE, Formula, FunctionId, Location, LogicId, Loop, LoopKind,
    StmtKind, VarId,
};
use lang_c::ast::{
    BlockItem, Declaration, DerivedDeclarator, ExternalDeclaration, FunctionDefinition, InitDeclarator, Statement,
};
use lang_c::span::{Node, Span};
use resolve::Logic;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use syntax::{Clause, ClauseKind, Mode, Predicate, Role, Unusable};

/// The annotations of the current file.
#[derive(Default)]
pub(super) struct Annotations {
    /// The clauses that no statement has taken yet, in the order of the text.
    clauses: VecDeque<Clause>,
    /// The clauses of the next loop.
    of_loop: Vec<Clause>,
    /// The clauses of the contract of the next statement.
    of_statement: Vec<Clause>,
    /// The clauses of the next function.
    contract: Vec<Clause>,
    /// The definitions of predicates and logic functions, by name. Those of one name differ in
    /// their parameters.
    predicates: HashMap<String, Vec<Predicate>>,
    /// Names whose definitions are not understood, and why.
    unreadable: HashMap<String, String>,
    /// The functions of the program that definitions are, by their names and parameters; or why
    /// they are not understood.
    functions: HashMap<(String, String), Result<LogicId, String>>,
    /// The lemmas of the file.
    lemmas: Vec<Clause>,
    /// The contracts of declarations, by function.
    prototypes: BTreeMap<FunctionId, Vec<prototypes::Prototype>>,
    /// The locations of the clauses that a definition has taken, with the function.
    taken: HashSet<(FunctionId, Location)>,
    /// By name: where it is defined or undefined, and its text.
    macros: HashMap<String, Vec<(usize, Option<macros::Macro>)>>,
    /// The types that annotations declare: where, and what each is another name for.
    types: HashMap<String, (usize, Option<String>)>,
    /// The names of axiomatic blocks.
    blocks: HashSet<String>,
    /// The behaviors of the current function, and its parameters.
    behaviors: Rc<(behaviors::Behaviors, Vec<VarId>)>,
    /// How many obligations of each kind each function has.
    numbers: HashMap<String, u32>,
    /// What functions and loops may write.
    frames: Vec<frames::Frame>,
    /// What functions without a body may write, by their contracts, in terms of their parameters.
    by_contract: HashMap<FunctionId, Vec<frames::Allowed>>,
    /// The clauses about where the program ends.
    exits: Vec<exits::Exits>,
    /// The parts of the precondition of the entry that are claimed and not assumed.
    checked_of_entry: Vec<(ClauseKind, (Location, String))>,
    /// The precondition of the entry, with the texts of its parts.
    of_entry: Vec<(Formula, String, Location)>,
    /// The function that calls the entry with arbitrary arguments.
    pub(super) start: Option<arguments::Start>,
}

impl Annotations {
    /// Removes everything that belongs to another file.
    fn begin(&mut self) {
        self.clauses.clear();
        self.predicates.clear();
        self.functions.clear();
        self.lemmas.clear();
        self.unreadable.clear();
        self.macros.clear();
        self.types.clear();
        self.blocks.clear();
    }
}

impl Lowerer<'_> {
    fn next_clause(&mut self, before: usize) -> Option<Clause> {
        let ready = self.annotations.clauses.front().is_some_and(|c| c.start < before);
        if ready { self.annotations.clauses.pop_front() } else { None }
    }

    /// Handles the annotations before something at file scope.
    pub(super) fn annotations_of(&mut self, declaration: &Node<ExternalDeclaration>) {
        self.annotations.contract.clear();
        self.file_annotations(declaration.span.start);
    }

    fn file_annotations(&mut self, before: usize) {
        while let Some(clause) = self.next_clause(before) {
            if !clause.only_for.is_empty() {
                self.misplaced(&clause, "a clause for behaviors must stand inside a function");
                continue;
            }
            match clause.kind {
                ClauseKind::Requires(_)
                | ClauseKind::Ensures(_)
                | ClauseKind::Assumes(_)
                | ClauseKind::Complete(_)
                | ClauseKind::Disjoint(_)
                | ClauseKind::Assigns(_)
                | ClauseKind::Terminates(_)
                | ClauseKind::Decreases(..)
                | ClauseKind::Blocks(_)
                | ClauseKind::Exits(_) => self.annotations.contract.push(clause),
                ClauseKind::Unusable(Unusable {
                    role: Role::Precondition | Role::Contract | Role::Assumption, ..
                }) => {
                    self.annotations.contract.push(clause);
                }
                ClauseKind::Lemma { .. } => self.define_lemma(clause),
                ClauseKind::Predicate(predicate) => self.define(predicate, clause.start),
                _ => self.misplaced(&clause, "this annotation must stand inside a function"),
            }
        }
    }

    /// Handles the remaining annotations of a function that has been lowered, or whose body is
    /// ignored.
    pub(super) fn annotations_left(&mut self, definition: &Node<FunctionDefinition>) {
        let name = declared_name(&definition.node.declarator).map_or(FILE_SCOPE, |n| &n.node.name).to_owned();
        let mut left = std::mem::take(&mut self.annotations.contract);
        left.extend(std::mem::take(&mut self.annotations.of_loop));
        left.extend(std::mem::take(&mut self.annotations.of_statement));
        while let Some(clause) = self.next_clause(definition.span.end) {
            left.push(clause);
        }
        if let (Some(first), Some(_)) = (left.first(), self.known_role(&name)) {
            let place = self.program.sources.describe(self.at(Span::span(first.start, first.end)));
            self.program.notes.push(format!(
                "annotations of `{name}` are not checked, because smalti has its own model of this function ({place})"
            ));
            return;
        }
        for clause in left {
            self.unjudged(&name, &clause, "smalti reads no annotations at this place");
        }
    }

    /// Handles the end of a file.
    pub(super) fn annotations_end(&mut self) {
        self.annotations.contract.clear();
        self.file_annotations(usize::MAX);
        self.misplaced_contract();
        self.stand_ins();
        self.lemmas();
    }

    /// Lowers the statements and declarations of a block, with the annotations between them.
    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>], block: Span) -> Lowered<()> {
        let labels = self.known_labels();
        for item in items {
            match &item.node {
                BlockItem::Statement(s) => self.before_statement(s)?,
                _ => self.claims_before(item.span.start)?,
            }
            let is_contracted = match &item.node {
                BlockItem::Statement(s) => !matches!(s.node, Statement::Labeled(_)),
                BlockItem::Declaration(d) => !declares_function(&d.node),
                BlockItem::StaticAssert(_) => false,
            };
            if !is_contracted {
                self.misplaced_of_statement();
            }
            let contract = self.begin_contracted(item);
            if matches!(&item.node, BlockItem::Declaration(_) | BlockItem::StaticAssert(_)) {
                self.misplaced_of_loop();
            }
            self.block_item(item)?;
            self.end_contracted(contract);
            let simple = match &item.node {
                BlockItem::Statement(s) => {
                    matches!(s.node, Statement::Expression(_) | Statement::Return(_) | Statement::Goto(_))
                }
                _ => true,
            };
            while simple && let Some(clause) = self.next_clause(item.span.end) {
                self.misplaced(&clause, "an annotation must stand between two statements");
            }
        }
        self.claims_before(block.end)?;
        self.misplaced_of_loop();
        self.misplaced_of_statement();
        self.forget_labels(&labels);
        Ok(())
    }

    /// Lowers the annotations before a statement.
    pub(super) fn annotated(&mut self, s: &Node<Statement>) -> Lowered<()> {
        self.before_statement(s)?;
        self.misplaced_of_statement();
        Ok(())
    }

    fn before_statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        self.claims_before(s.span.start)?;
        let labelled = matches!(s.node, Statement::Labeled(_));
        let is_loop = matches!(s.node, Statement::While(_) | Statement::DoWhile(_) | Statement::For(_));
        if !is_loop && !labelled {
            self.misplaced_of_loop();
        }
        Ok(())
    }

    fn claims_before(&mut self, before: usize) -> Lowered<()> {
        while let Some(clause) = self.next_clause(before) {
            let at = self.at(Span::span(clause.start, clause.end));
            let is_of_loop = matches!(
                clause.kind,
                ClauseKind::Invariant(_)
                    | ClauseKind::LoopAssigns(_)
                    | ClauseKind::Variant(..)
                    | ClauseKind::LoopBlocks(_)
            );
            if clause.is_of_statement() {
                self.annotations.of_statement.push(clause);
                continue;
            } else if !is_of_loop {
                self.misplaced_of_statement();
            }
            match &clause.kind {
                ClauseKind::Assert(node) | ClauseKind::Check(node) => match self.formula_for(node, &clause.only_for) {
                    Ok(formula) => {
                        let id = self.new_assertion(self.at(Span::span(node.start, node.end)), self.text_of(node));
                        let role = match clause.kind {
                            ClauseKind::Check(_) => ClaimRole::Check(id),
                            _ => ClaimRole::Assert(id),
                        };
                        self.emit_claim(formula, role, at);
                    }
                    Err(e) => self.unjudged_here(&clause, &self.reason(&e)),
                },
                ClauseKind::Assume(node) => match self.formula_for(node, &clause.only_for) {
                    Ok(formula) => {
                        let (text, place) = (self.text_of(node), self.program.sources.describe(at));
                        let runs = behaviors::only_runs(&clause.only_for);
                        self.assume_that(format!("`{text}` holds{runs} ({place})"));
                        self.emit_claim(formula, ClaimRole::Assume, at);
                    }
                    Err(e) => self.unjudged_here(&clause, &self.reason(&e)),
                },
                ClauseKind::Invariant(_)
                | ClauseKind::LoopAssigns(_)
                | ClauseKind::Variant(..)
                | ClauseKind::LoopBlocks(_)
                | ClauseKind::Unusable(Unusable { role: Role::Loop, .. }) => {
                    self.annotations.of_loop.push(clause);
                }
                ClauseKind::Unusable(Unusable { role: Role::Statement | Role::Assumption, reason, .. }) => {
                    self.unjudged_here(&clause, reason);
                }
                ClauseKind::Requires(_)
                | ClauseKind::Ensures(_)
                | ClauseKind::Assumes(_)
                | ClauseKind::Complete(_)
                | ClauseKind::Disjoint(_)
                | ClauseKind::Assigns(_)
                | ClauseKind::Terminates(_)
                | ClauseKind::Decreases(..)
                | ClauseKind::Exits(_)
                | ClauseKind::Blocks(_)
                | ClauseKind::Unusable(_) => {
                    self.misplaced(&clause, "a contract must stand before a function");
                }
                ClauseKind::GhostLabel(name) if self.is_label_again(name) => {
                    self.unjudged_here(&clause, &format!("the label `{name}` is defined twice"));
                }
                ClauseKind::GhostLabel(name) => {
                    let id = self.new_label();
                    self.hidden_label(id, at);
                    self.passed_label(name, id);
                }
                ClauseKind::Predicate(_) | ClauseKind::Inductive(..) | ClauseKind::Lemma { .. } => {
                    self.misplaced(&clause, "a predicate must be defined outside of functions");
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
        let (location, condition) = (self.at(Span::span(node.start, node.end)), self.text_of(node));
        let id = self.obligation_id(&function, kind, suffix);
        self.push_obligation(Assertion { id, function, location, condition, failure: None, unsupported: None })
    }

    fn obligation_id(&mut self, function: &str, kind: &str, suffix: &str) -> String {
        let number = self.annotations.numbers.entry(format!("{function}.{kind}{suffix}")).or_insert(0);
        *number += 1;
        format!("{function}.{kind}.{number}{suffix}")
    }

    fn push_obligation(&mut self, assertion: Assertion) -> AssertionId {
        self.program.assertions.push(assertion);
        AssertionId((self.program.assertions.len() - 1) as u32)
    }

    /// The invariants of the next loop. With `tested_first` they are also claimed before the loop,
    /// which is done here.
    pub(super) fn loop_invariants(&mut self, tested_first: bool) -> LoopClauses {
        let mut found = LoopClauses::default();
        let (lists, clauses): (Vec<Clause>, Vec<Clause>) = std::mem::take(&mut self.annotations.of_loop)
            .into_iter()
            .partition(|c| matches!(c.kind, ClauseKind::LoopAssigns(_)));
        found.assigns = self.loop_assigns(lists);
        self.enter_loop();
        let mut read_clauses = Vec::new();
        for clause in clauses {
            let read = match &clause.kind {
                ClauseKind::Invariant(node) => {
                    let mut logic = Logic { in_invariant: true, ..Logic::default() };
                    let formula = self.formula_of(node, &mut logic);
                    let formula = formula.and_then(|f| self.only_for(&clause.only_for, f, node));
                    formula.map_err(|e| self.reason(&e))
                }
                ClauseKind::Unusable(unusable) => Err(unusable.reason.clone()),
                ClauseKind::Variant(..) | ClauseKind::LoopBlocks(_) => {
                    match self.unchecked(&clause.kind, &mut Logic::default()) {
                        Ok(()) => continue,
                        Err(e) => Err(self.reason(&e)),
                    }
                }
                _ => continue,
            };
            read_clauses.push((clause, read));
        }
        self.come_to_loop();
        for (clause, read) in read_clauses {
            let ClauseKind::Invariant(node) = &clause.kind else {
                read.err().into_iter().for_each(|reason| self.unjudged_here(&clause, &reason));
                continue;
            };
            let mode = clause.mode;
            let formula = match read {
                Ok(formula) => formula,
                Err(reason) => {
                    let kind = ClauseKind::Invariant(node.clone()).with_mode(mode);
                    self.unjudged_here(&Clause { kind, ..clause }, &reason);
                    continue;
                }
            };
            let location = self.at(Span::span(clause.start, clause.end));
            if mode == Mode::Admit {
                let (text, place) = (self.text_of(node), self.program.sources.describe(location));
                let runs = behaviors::only_runs(&clause.only_for);
                self.assume_that(format!("`{text}` holds where iterations begin{runs} ({place})"));
                if tested_first {
                    self.emit_claim(formula.clone(), ClaimRole::Assume, location);
                }
                found.invariants.push(Invariant { formula, kept: ClaimRole::Assume, location });
                continue;
            }
            let role = if mode == Mode::Check { ClaimRole::Check } else { ClaimRole::Assert };
            let established = tested_first.then(|| self.new_obligation("invariant", ".established", node));
            let suffix = if tested_first { ".preserved" } else { "" };
            let kept = self.new_obligation("invariant", suffix, node);
            if let Some(id) = established {
                self.emit_claim(formula.clone(), role(id), location);
            }
            found.invariants.push(Invariant { formula, kept: role(kept), location });
        }
        found
    }

    /// Puts invariants into a loop. In a loop that tests first, each holds wherever an iteration
    /// begins: it was claimed before the loop, or at the end of the iteration before.
    pub(super) fn keep_invariants(&mut self, l: &mut Loop, clauses: LoopClauses) {
        for LoopAssigns { allowed, condition, kind, place } in clauses.assigns {
            let of = frames::FrameOf::Loop(l.id);
            self.annotations.frames.push(frames::Frame { of, allowed, always: true, condition, kind, place });
        }
        let claim = |formula, role| StmtKind::Claim(Box::new(Claim { formula, role }));
        let (mut first, mut last) = (Vec::new(), Vec::new());
        // Claims that are relied on come first in a block: each stage looks for them there.
        let (relied_on, others): (Vec<Invariant>, Vec<Invariant>) =
            clauses.invariants.into_iter().partition(|i| matches!(i.kept, ClaimRole::Assert(_)));
        for Invariant { formula, kept, location } in relied_on.into_iter().chain(others) {
            if l.kind == LoopKind::DoWhile {
                first.push(self.stmt(claim(formula, kept), location));
                continue;
            }
            match kept {
                ClaimRole::Assert(_) => {
                    first.push(self.stmt(claim(formula.clone(), ClaimRole::Follows), location));
                }
                ClaimRole::Assume => first.push(self.stmt(claim(formula.clone(), kept), location)),
                ClaimRole::Check(_) | ClaimRole::Follows => {}
            }
            last.push(self.stmt(claim(formula, kept), location));
        }
        let (before, current) = self.leave_loop();
        self.out.extend(before);
        first.extend(current);
        l.body.splice(0..0, first);
        l.step.extend(last);
    }
}

/// Whether a declaration is a prototype, whose contract is not one of a statement.
fn declares_function(declaration: &Declaration) -> bool {
    let is_function = |d: &Node<InitDeclarator>| {
        matches!(
            innermost(&d.node.declarator).1,
            Some(DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
        )
    };
    declaration.declarators.iter().any(is_function)
}

/// The clauses of a loop.
#[derive(Default)]
pub(super) struct LoopClauses {
    invariants: Vec<Invariant>,
    /// What it may write, with the clause that says so, its place and its text.
    assigns: Vec<LoopAssigns>,
}

impl LoopClauses {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.invariants.is_empty() && self.assigns.is_empty()
    }
}

/// What a loop may write, according to one clause and those that count in the same runs.
struct LoopAssigns {
    allowed: Vec<frames::Allowed>,
    /// In which runs the clause counts.
    condition: Formula,
    kind: ClauseKind,
    /// Where the clause stands, and its text.
    place: (Location, String),
}

/// An invariant of a loop.
struct Invariant {
    formula: Formula,
    /// What becomes of it where an iteration has ended.
    kept: ClaimRole,
    location: Location,
}

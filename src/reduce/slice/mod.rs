//! Slices: the statements of a program that count for an obligation.
//!
//! **Meaning.** A slice is a program with fewer statements. Take a run of the program that reaches
//! the obligation without undefined behaviour. There is a run of the slice, with the same inputs
//! where both take them, that reaches it as often. There, what the obligation's statement reads has
//! the same values. So what holds in all runs of the slice holds in the program. A failing run of a
//! slice is only a hint.
//!
//! * A [`Kind::Backward`] slice keeps what decides the values, and what decides whether the
//!   obligation is reached (Kumar 2019, chapter 2). For the runs that end, it has no other runs.
//! * A [`Kind::Value`] slice keeps what decides the values at the obligation (chapter 3).
//!   Conditions that decide only whether runs reach it become choices.
//! * A [`Kind::Thin`] slice makes every condition a choice.
//!
//! **Why a proof counts.** Take a run of the program up to the obligation. The slice is closed
//! under control dependence, with jumps as predicates. So from each of its statements every way of
//! the program leads to the same next one. The run, restricted to the slice and with the choices
//! that its conditions took, is a run of the slice (Kumar 2019, lemma 3.4). The slice is closed
//! under data dependence for all that is kept whole, so each of these statements reads the values
//! that it read in the program. What a check reads (indexes, pointers, divisors, lengths) its
//! statement reads too. As the run had no undefined behaviour, the run of the slice has none
//! either. So runs of a slice may end at undefined behaviour as the program's do. Arguments,
//! results and returned values that do not count are not evaluated; nor are conditions that are
//! choices. Assumptions may be left out: that only adds runs. Assertions other than those asked
//! about are left out too, and never assumed.
//!
//! **Sources, and where we differ.** Kumar 2019, chapters 2 to 4. The conditions cond1 to cond3 are
//! used as they are, for programs with `goto` too. The thesis proves them exact only without it,
//! but a value slice is sound with any set of conditions kept whole. A condition that is left out
//! counts by its parts: of `a && b`, the part that reads only kept values stays, and a choice
//! stands for the rest. Declarations of what is mentioned are kept. Loops that have become empty
//! are dropped: the slice may end where the program does not.

mod closure;
mod conditions;
mod kind;
mod project;

pub use kind::Kind;

use super::Refusal;
use super::dependence::{Dependence, NodeId};
use crate::program::{InputId, Obligation, Program, StmtKind, each_stmt};
use closure::{Closure, Level};
use std::collections::{BTreeMap, BTreeSet};

/// A slice of a program.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The slice.
    pub program: Program,
    /// How many statements it has, not counting blocks, labels, declarations and choices.
    pub statements: usize,
    /// How many the program has.
    pub of: usize,
    /// The predicates that have become choices, by the input that chooses.
    pub choices: BTreeMap<InputId, NodeId>,
    /// The choices that are conditions of loops of which no part is kept.
    pub loops: BTreeSet<NodeId>,
    /// The choices that are conditions of loops of which a part is kept.
    pub bounded: BTreeSet<NodeId>,
    /// The kept nodes, without the statements of the obligations: two slices with the same set
    /// differ in these alone.
    kept: Vec<(NodeId, Level)>,
}

impl Slice {
    /// Builds the slice of a program for some obligations. A kept predicate is kept whole if it is
    /// `concrete`.
    ///
    /// # Errors
    /// No call leads to one of the obligations, or formulas use values of an earlier moment, on
    /// which dependences say nothing.
    pub fn new<'o>(
        graph: &Dependence<'_>,
        obligations: impl IntoIterator<Item = &'o Obligation>,
        kind: Kind,
        concrete: &BTreeSet<NodeId>,
    ) -> Result<Slice, Refusal> {
        if !graph.program.logic.is_empty() {
            return Err(Refusal::of_all("an annotation uses a function that is defined by recursion"));
        }
        let mut snapshots = false;
        graph.program.each_stmt(|s| snapshots |= matches!(s.kind, StmtKind::Snapshot(_)));
        if snapshots {
            return Err(Refusal::of_all("an annotation uses values of an earlier moment"));
        }
        let mut criteria = BTreeSet::new();
        for o in obligations {
            let nodes = graph.criteria(o.key);
            if nodes.is_empty() {
                return Err(Refusal::at(o.location, format!("nothing calls `{}`", o.function)));
            }
            criteria.extend(nodes);
        }
        let closure = Closure::new(graph, kind, criteria, concrete);
        let kept = closure
            .level
            .iter()
            .enumerate()
            .map(|(n, level)| (n as NodeId, *level))
            .filter(|&(n, level)| level != Level::Out && !closure.is_criterion(n))
            .collect();
        let project::Projected { program, choices, loops, bounded } = project::project(graph, &closure);
        let statements = statements(&program, graph.program.counters.sites);
        Ok(Slice { program, statements, of: statements_called(graph), choices, loops, bounded, kept })
    }

    /// Whether two slices of one program differ in the statements of their obligations alone.
    pub fn is_same(&self, other: &Slice) -> bool {
        self.kept == other.kept
    }
}

/// The number of statements of a program whose sites are below a number.
fn statements(program: &Program, below: u32) -> usize {
    let mut count = 0;
    program.each_stmt(|s| count += usize::from(counts(s) && s.site.0 < below));
    count
}

/// Whether a statement counts among a slice's statements.
fn counts(s: &crate::program::Stmt) -> bool {
    !matches!(s.kind, StmtKind::Block(_) | StmtKind::Label(..) | StmtKind::Skip | StmtKind::Declare(_))
}

/// The number of statements of the functions that the program calls.
fn statements_called(graph: &Dependence<'_>) -> usize {
    let mut program_called = 0;
    let mut visit = |s: &crate::program::Stmt| program_called += usize::from(counts(s));
    each_stmt(&graph.program.initialisers, &mut visit);
    for f in &graph.called_functions() {
        graph.program.function(*f).body.iter().for_each(|b| each_stmt(b, &mut visit));
    }
    program_called
}

//! Slices: the statements of a program that count for an obligation.
//!
//! **Meaning.** A slice is a program with fewer statements. For every run of the program that comes
//! to the obligation without undefined behaviour there is a run of the slice, with the same inputs
//! where both take them, that comes there as often and with the same values of what the
//! obligation's statement reads. So what holds in all runs of the slice holds in the program; a
//! failing run of a slice is a hint.
//!
//! * A [`Kind::Backward`] slice keeps what decides the values, and what decides whether the
//!   obligation is reached (Kumar 2019, chapter 2): for the runs that end, it has no other runs.
//! * A [`Kind::Value`] slice keeps what decides the values that come there (chapter 3): conditions
//!   that decide only whether runs do become choices.
//! * A [`Kind::Thin`] slice makes every condition a choice.
//!
//! **Why a proof counts.** Take a run of the program up to the obligation. The slice is closed
//! under control dependence, with jumps as predicates, so that from each of its statements every
//! way of the program leads to the same next one; following the run, with the choices that its
//! conditions took, is a run of the slice (Kumar 2019, lemma 3.4). The slice is closed under data
//! dependence for all that is kept whole, so each of these statements reads the values that it read
//! in the program. What a check looks at (indexes, pointers, divisors, lengths) is what its
//! statement reads; as the run had no undefined behaviour, the run of the slice has none either. So
//! runs of a slice may end at undefined behaviour as the program's do. Arguments, results and
//! returned values that do not count are not evaluated, and conditions that are choices neither.
//! Assumptions may be left out: that only adds runs. Assertions other than those asked about are
//! left out too, and never assumed.
//!
//! **Sources, and where we differ.** Kumar 2019, chapters 2 to 4. The conditions cond1 to cond3 are
//! used as they are, for programs with `goto` too: the thesis proves them exact without it only,
//! but a value slice is sound with any set of conditions kept whole. A condition that is left out
//! counts by its parts: of `a && b`, what reads only what is kept anyway stays, and a choice stands
//! for the rest. Declarations of what is mentioned are kept. Loops that have become empty are
//! dropped: the slice may end where the program does not.

mod closure;
mod project;

use super::Refusal;
use super::dependence::{Dependence, NodeId};
use crate::program::{InputId, Obligation, Program, StmtKind, each_stmt};
use closure::{Closure, Level};
use std::collections::{BTreeMap, BTreeSet};

/// What a slice keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// What decides the values, and whether the obligation is reached.
    Backward,
    /// What decides the values.
    Value,
    /// What the values are computed from.
    Thin,
}

/// A slice of a program.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The slice.
    pub program: Program,
    /// How many statements it has: no blocks, labels, declarations, and none of the choices.
    pub statements: usize,
    /// How many the program has.
    pub of: usize,
    /// The predicates that have become choices, by the input that chooses.
    pub choices: BTreeMap<InputId, NodeId>,
    /// Those of them that are conditions of loops, with no part kept.
    pub loops: BTreeSet<NodeId>,
    /// Those that are conditions of loops with a part that is kept.
    pub bounded: BTreeSet<NodeId>,
    /// What is kept, but for the statements of the obligations: two slices with the same set differ
    /// in these alone.
    kept: Vec<(NodeId, Level)>,
}

impl Slice {
    /// The slice of a program for some obligations, in which predicates are kept whole where they
    /// are `concrete`.
    ///
    /// # Errors
    /// No call leads to one of the obligations.
    pub fn new<'o>(
        graph: &Dependence<'_>,
        obligations: impl IntoIterator<Item = &'o Obligation>,
        kind: Kind,
        concrete: &BTreeSet<NodeId>,
    ) -> Result<Slice, Refusal> {
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

/// How many statements a program has whose sites are below a number.
fn statements(program: &Program, below: u32) -> usize {
    let mut count = 0;
    program.each_stmt(|s| count += usize::from(counts(s) && s.site.0 < below));
    count
}

/// Whether a statement is one in the count of a slice's statements.
fn counts(s: &crate::program::Stmt) -> bool {
    !matches!(s.kind, StmtKind::Block(_) | StmtKind::Label(..) | StmtKind::Skip | StmtKind::Declare(_))
}

/// How many statements the functions have that the program calls.
fn statements_called(graph: &Dependence<'_>) -> usize {
    let mut program_called = 0;
    let mut visit = |s: &crate::program::Stmt| program_called += usize::from(counts(s));
    each_stmt(&graph.program.initialisers, &mut visit);
    for f in &graph.called_functions() {
        graph.program.function(*f).body.iter().for_each(|b| each_stmt(b, &mut visit));
    }
    program_called
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Backward => "backward",
            Kind::Value => "value",
            Kind::Thin => "thin",
        }
    }
}

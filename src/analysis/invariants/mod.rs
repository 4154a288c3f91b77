//! Invariants of loops and ends of functions, as formulas: `forall k. 0 <= k < i ==> a[k] == 0`.
//!
//! **Meaning.** Each formula holds whenever a run passes the place: at a loop each time its
//! condition is about to be tested (for `do`, its body is about to begin), at the end of a function
//! when it returns. A place has many *moments* in the graph, because loops are peeled and calls are
//! inlined; a formula holds at each of them.
//!
//! **Why it is sound.** A group of cells has an index range in which each of its cells lies. This
//! does not mean that every cell of the range is in the group. So groups only propose ranges. The
//! domain is then asked what holds of the cells in a range. In the state of each moment, a fresh
//! variable `k` is assumed to lie in the range, and the cell `k` is read. What is then known of the
//! value is the conclusion. Each step is an operation of [`Memory`], so the conclusion holds for
//! each cell of the range, whatever group it is in. A range that may leave the array is not used:
//! there the read would say nothing. The conclusions of all moments are joined.
//!
//! **Limits.** A name must mean one array: a pointer names the cells that it points to if it
//! certainly points to the first of them. If the graph does not show all calls of a function,
//! nothing is reported for that function.

mod ask;
mod c;
mod claims;
mod formula;
#[cfg(feature = "fuzz")]
mod held;
mod names;

pub use c::c_expression;
pub use claims::{LoopClaims, LoopInvariant, loop_claims};
pub use formula::{Atom, Atoms, Cells, Formula, PathStep, Range};
#[cfg(feature = "fuzz")]
pub use held::{Held, HeldInvariants};

use super::cut_points::{CutPoint, Moment, cut_points};
use super::view::{Focus, LongNames, narrowed};
use super::{AnalysisConfig, Error, Solved, summary};
use crate::annotate::assigns;
use crate::clock;
use crate::facts::ArrayContent;
use crate::inline::{Inlined, inline};
use crate::program::{Assumption, FunctionId, Location, LoopId, Program, StmtKind};
use ask::{Asker, ReachedState};
use names::Vocabulary;
use petgraph::graph::NodeIndex;
use smalti_core::{ArrayId, Interval, Lattice, Memory, Subjects};
use smalti_stack::AnyState;
use std::collections::BTreeSet;

/// Which names formulas may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllowedNames {
    /// All that a reader understands: lengths and offsets too, and at the end of a function its
    /// outermost locals.
    Reader,
    /// Those that an annotation at the place can use: C expressions; at the end of a function
    /// globals, the result, and parameters that keep their value.
    Annotation,
    /// Those of annotations. At a `do` loop, formulas hold not only when its body begins, but also
    /// when its condition is about to be evaluated.
    Witness,
}

/// What is known at one place.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Where the loop stands; for the end of a function, where its name does.
    pub location: Location,
    /// The function that it belongs to.
    pub function: FunctionId,
    /// Which loop; `None` for the end of the function.
    pub head_of: Option<LoopId>,
    /// Whether no run reaches the place.
    pub unreachable: bool,
    /// The atoms that the formulas are about.
    pub atoms: Atoms,
    /// The formulas, each of which holds on its own; those about scalars come first.
    pub formulas: Vec<Formula>,
    /// For annotations of loops: everything that the loop may change, as terms of the annotation
    /// language; `None` if that is not known.
    pub assigns: Option<Vec<String>>,
    /// The groups of cells whose content no formula states, by array.
    pub groups: Vec<ArrayContent>,
}

/// The invariants of a program.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// The name of the stack that ran.
    pub stack: String,
    /// In the order of the source.
    pub places: Vec<Invariant>,
    /// The assumptions made.
    pub assumptions: Vec<Assumption>,
    /// Sentences about the run: a budget that ran out, functions that were left out.
    pub notes: Vec<String>,
    /// Whether there was time for all places.
    pub complete: bool,
}

/// Finds the invariants of a program.
///
/// # Errors
/// The stack is not available.
pub fn invariants(program: &Program, config: &AnalysisConfig, names: AllowedNames) -> Result<Invariants, Error> {
    let inlined = inline(program);
    let solved = Solved::keeping(&inlined, config, Some(program), None)?;
    Ok(of(&solved, program, &inlined, config, names, &mut |_| ()))
}

/// The invariants of a solved graph that was kept for them. `each` is called for every place as
/// soon as it is done.
pub(super) fn of(
    solved: &Solved<'_>,
    program: &Program,
    inlined: &Inlined,
    config: &AnalysisConfig,
    names: AllowedNames,
    each: &mut dyn FnMut(&Invariant),
) -> Invariants {
    let (mut assumptions, mut notes) = summary(solved, inlined);
    if has_annotations(program) {
        let text = "the annotations hold; `smalti check` decides whether they do";
        assumptions.push(Assumption::new(text));
    }
    if !inlined.called_opaquely.is_empty() {
        let text = |f: &FunctionId| format!("`{}`", program.function(*f).name);
        let left: Vec<String> =
            inlined.called_opaquely.iter().filter(|f| program.function(**f).body.is_some()).map(text).collect();
        if !left.is_empty() {
            notes.push(format!("not all calls are followed, so there are no invariants for {}", left.join(", ")));
        }
    }
    let found = find(solved, program, inlined, config, names, each).into_iter().map(|(_, i)| i).collect();
    let in_time = config.deadline.is_none_or(|d| clock::now() < d);
    if !in_time {
        notes.push("time ran out: some formulas may be missing".to_owned());
    }
    let complete = in_time && !solved.is_cut_off();
    Invariants { stack: solved.stack.clone(), places: found, assumptions, notes, complete }
}

/// Whether the program has claims in annotations, which C ignores.
fn has_annotations(program: &Program) -> bool {
    let mut found = false;
    program.each_stmt(|s| {
        found |= matches!(&s.kind, StmtKind::Claim(claim) if claim.role.assertion().is_some());
    });
    found
}

fn find(
    solved: &Solved<'_>,
    source: &Program,
    inlined: &Inlined,
    config: &AnalysisConfig,
    names: AllowedNames,
    each: &mut dyn FnMut(&Invariant),
) -> Vec<(CutPoint, Invariant)> {
    let places = cut_points(&solved.cfg, source, inlined, names == AllowedNames::Witness).into_iter();
    let long = LongNames::new(source, inlined);
    let focus = Focus::new(solved, source, inlined);
    let with_invariant = |place: CutPoint| {
        let found = invariant(solved, config, &place, names, &long, &focus, source);
        each(&found);
        (place, found)
    };
    places.map(with_invariant).collect()
}

fn invariant(
    solved: &Solved<'_>,
    config: &AnalysisConfig,
    place: &CutPoint,
    names: AllowedNames,
    long: &LongNames,
    focus: &Focus,
    source: &Program,
) -> Invariant {
    let mut found = Invariant {
        location: place.location,
        function: place.function,
        head_of: place.head_of,
        unreachable: true,
        atoms: Atoms::default(),
        formulas: Vec::new(),
        assigns: None,
        groups: Vec::new(),
    };
    let reached: Vec<&Moment> = place.moments.iter().filter(|m| !solved.solution.state(m.node).is_bottom()).collect();
    if reached.is_empty() {
        return found;
    }
    found.unreachable = false;
    let late = || config.deadline.is_some_and(|d| clock::now() >= d);
    if late() {
        return found;
    }
    let index = found.atoms.var(&Atom::Index, Interval::TOP);
    let end = place.head_of.is_none();
    let known: Vec<ReachedState> = reached
        .iter()
        .map(|m| {
            let whole = solved.solution.state(m.node);
            let mut vocabulary = Vocabulary::new(solved, whole, &m.scope, end, names, &mut found.atoms);
            let state = match narrowed(solved, &whole.memory, at_head(solved, focus, place, m.node)) {
                Some((narrow, _)) => {
                    vocabulary.keep(&narrow.subjects());
                    narrow
                }
                None => whole.memory.clone(),
            };
            ReachedState { state, vocabulary }
        })
        .collect();
    let scalars = Asker { solved, known: &known, index }.scalars();
    found.formulas.push(Formula { range: None, given: Vec::new(), body: scalars.facts().scalars });
    let whole = vec![known];
    for known in parts(solved, &whole[0]).as_ref().unwrap_or(&whole) {
        let asker = Asker { solved, known, index };
        let scalars = asker.scalars();
        of_arrays(&asker, &scalars, &late, &mut found);
        if names == AllowedNames::Reader {
            let groups = asker.groups(place, &reached, &scalars, long, &found);
            found.groups.extend(groups);
        }
    }
    if names == AllowedNames::Annotation {
        let loops = place.moments.first().zip(place.head_of);
        found.assigns =
            loops.and_then(|(first, id)| assigns(source, solved.cfg.program, &first.scope, place.function, id));
    }
    found.formulas.retain(|f| !f.facts(&found.atoms, "k").is_empty());
    found
}

/// Adds what holds of the cells of the arrays that can be named.
fn of_arrays(asker: &Asker<'_>, scalars: &AnyState, late: &dyn Fn() -> bool, found: &mut Invariant) {
    let arrays: BTreeSet<Cells> = asker.known.iter().flat_map(|k| k.vocabulary.arrays.keys().cloned()).collect();
    let facts: Vec<_> = asker.known.iter().map(|k| k.state.facts()).collect();
    for cells in &arrays {
        let mut kept: Vec<Formula> = Vec::new();
        for range in asker.ranges(cells, &facts, scalars) {
            if late() {
                break;
            }
            if let Some(formula) = asker.formula(cells, range, scalars, &mut found.atoms) {
                // A formula that follows from that of another range is left out.
                if kept.iter().any(|other| asker.says(scalars, other, &formula)) {
                    continue;
                }
                kept.retain(|other| !asker.says(scalars, &formula, other));
                kept.push(formula);
            }
        }
        found.formulas.extend(asker.without_summaries(scalars, kept));
    }
}

/// The number of arrays of a large state that are processed together.
const MOST_TOGETHER: usize = 8;

/// The states, split into a few arrays each, if they are too large to be processed as a whole.
fn parts(solved: &Solved<'_>, known: &[ReachedState]) -> Option<Vec<Vec<ReachedState>>> {
    let nothing = Subjects::default();
    if !known.iter().any(|k| narrowed(solved, &k.state, Some(&nothing)).is_some()) {
        return None;
    }
    let all: BTreeSet<ArrayId> = known.iter().flat_map(|k| k.vocabulary.arrays.values().map(|n| n.array)).collect();
    let all: Vec<ArrayId> = all.into_iter().collect();
    let part = |arrays: &[ArrayId]| {
        let to = Subjects { arrays: arrays.iter().copied().collect(), ..Subjects::default() };
        let narrow = |k: &ReachedState| {
            let (state, mut vocabulary) = (k.state.restricted(&to), k.vocabulary.clone());
            vocabulary.keep(&state.subjects());
            ReachedState { state, vocabulary }
        };
        known.iter().map(narrow).collect()
    };
    Some(all.chunks(MOST_TOGETHER).map(part).collect())
}

/// What is relevant at a moment of a loop. At the end of a function everything is.
fn at_head<'f>(solved: &Solved<'_>, focus: &'f Focus, place: &CutPoint, node: NodeIndex) -> Option<&'f Subjects> {
    let copies = solved.cfg.loops.get(&place.head_of?)?;
    let of = copies.iter().find(|l| l.head == node || l.peeled.contains(&node)).or(copies.first())?;
    focus.at_head(of.stmt)
}

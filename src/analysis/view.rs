//! Says what holds at each point of the source.

mod focus;
mod names;
mod picture;

pub use focus::LeftOut;
pub(super) use focus::{Focus, narrowed};
pub(super) use names::{LongNames, Names, named};
pub use picture::{ArrayPicture, Extent, GroupPicture, Picture, Pointer};

use super::record::Iterate;
use super::state::State;
use super::{Solved, groups};
use crate::annotate::scopes::{Scope, bodies, calls, scopes};
use crate::cfg::{LoopNodes, Occurrence};
use crate::clock;
use crate::facts::StateFacts;
use crate::fixpoint::HeadEvent;
use crate::inline::Inlined;
use crate::program::{FileId, Location, Program, Stmt, StmtId, StmtKind, each_stmt};
use petgraph::graph::NodeIndex;
use smalti_core::{Constraint, Lattice, Memory, Subjects};
use smalti_stack::AnyState;
use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

/// What holds at one moment of the source.
#[derive(Clone, Debug)]
pub struct PointView {
    /// The statement that the moment belongs to.
    pub location: Location,
    /// The number of the copy, from 0, if the function that contains it is inlined at several
    /// places.
    pub copy: usize,
    /// For the head of a loop (each time its condition is about to be tested): how many iterations
    /// the fixpoint took. `None` for the moment right after a statement.
    pub loop_iterations: Option<u32>,
    /// What holds. Of a large state, only what the line mentions.
    pub facts: StateFacts,
    /// The picture, if requested.
    pub picture: Option<Picture>,
    /// For the head of a loop, if requested: the iterates that led to the fixpoint.
    pub iterates: Vec<IterateView>,
}

/// One iterate at the head of a loop while the fixpoint was computed.
#[derive(Clone, Debug)]
pub struct IterateView {
    /// The step that produced it.
    pub step: Step,
    /// The view of its state. It has no iterates of its own.
    pub view: PointView,
}

/// The step that produced an iterate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// One of the first iterations, which are analysed separately: its number, from 1.
    Peeled(u32),
    /// Something happened at the head.
    Head(HeadEvent),
    /// This many iterates are left out here.
    LeftOut(u32),
}

/// How many of the requested views are incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// The number of source lines with a moment that has no view for lack of time.
    pub missing: usize,
    /// The number of moments without a picture for lack of time.
    pub undrawn: usize,
}

/// The fraction of the time for views in which pictures are made.
const SHARE_OF_PICTURES: f64 = 0.7;

/// Passes the views of all loop heads and statements to `each`, in the order of the graph's sites,
/// until the time `until` if given. States of peeled iterations are joined with those of the loop:
/// together they are all moments of the statement.
pub(super) fn points(
    solved: &Solved<'_>,
    source: &Program,
    inlined: &Inlined,
    pictures: bool,
    until: Option<Instant>,
    each: &mut dyn FnMut(PointView),
) -> Views {
    let scopes = scopes(source, inlined);
    let long = LongNames::new(source, inlined);
    let focus = Focus::new(solved, source, inlined);
    let now = clock::now();
    let drawn_until = until.map(|until| now + until.saturating_duration_since(now).mul_f64(SHARE_OF_PICTURES));
    let mut viewer = Viewer {
        solved,
        pictures,
        drawn_until,
        until,
        each,
        seen: BTreeSet::new(),
        missed: BTreeSet::new(),
        undrawn: 0,
    };
    let moment_of = |stmt: &Stmt, copy, to| Moment {
        location: stmt.location,
        copy,
        scope: scopes.get(&stmt.id()).map(|s| &**s),
        long: &long,
        to,
    };
    for loops in solved.cfg.loops.values() {
        let heads = loops.iter().flat_map(|l| {
            let peeled = l.peeled.iter().map(|n| (l.stmt.id(), *n));
            peeled.chain(std::iter::once((l.stmt.id(), l.head)))
        });
        for (copy, nodes) in by_copy(heads) {
            let copies: Vec<_> = loops.iter().filter(|l| nodes.contains(&l.head)).collect();
            let Some(first) = copies.first() else { continue };
            let moment = moment_of(first.stmt, copy, focus.at_head(first.stmt));
            viewer.head(moment, &nodes, &copies);
        }
    }
    let calls = calls(source);
    let too_early = initialised_inside(source, inlined);
    for occurrences in solved.cfg.occurrences.values() {
        // No run is ever right after a jump, so the state before it is shown.
        let node = |o: &Occurrence<'_>| if is_jump(&o.stmt.kind) { o.before } else { o.after };
        // For an inlined call only the state at its end is shown, not those of the statements
        // inside.
        let is_call =
            |o: &&Occurrence<'_>| matches!(o.stmt.kind, StmtKind::Block(_)) && calls.contains_key(&o.stmt.site);
        let inlined = occurrences.iter().any(|o| is_call(&o));
        let whole = occurrences.iter().filter(|o| is_call(o) || !inlined);
        for (copy, nodes) in by_copy(whole.map(|o| (o.stmt.id(), node(o)))) {
            let stmt = occurrences.iter().find(|o| nodes.contains(&node(o))).map(|o| o.stmt);
            let Some(stmt) = stmt else { continue };
            if !inlined && matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Skip | StmtKind::Label(..))
                || too_early.contains(&stmt.id())
            {
                continue;
            }
            viewer.statement(moment_of(stmt, copy, focus.of(stmt)), &nodes);
        }
    }
    viewer.missed.retain(|line| !viewer.seen.contains(line));
    Views { missing: viewer.missed.len(), undrawn: viewer.undrawn }
}

/// Makes views while there is time.
struct Viewer<'a> {
    solved: &'a Solved<'a>,
    pictures: bool,
    drawn_until: Option<Instant>,
    until: Option<Instant>,
    each: &'a mut dyn FnMut(PointView),
    /// The lines that have views, and those on which some were left out.
    seen: BTreeSet<(FileId, u32)>,
    missed: BTreeSet<(FileId, u32)>,
    undrawn: usize,
}

impl Viewer<'_> {
    /// Whether there is time for the view of a moment at that place.
    fn begins(&mut self, at: Location) -> bool {
        let late = self.until.is_some_and(|until| clock::now() >= until);
        if late { &mut self.missed } else { &mut self.seen }.insert((at.file, at.line));
        !late
    }

    /// Whether to make a picture.
    fn draws(&mut self) -> bool {
        let late = self.drawn_until.is_some_and(|until| clock::now() >= until);
        self.undrawn += usize::from(self.pictures && late);
        self.pictures && !late
    }

    fn statement(&mut self, moment: Moment<'_>, nodes: &[NodeIndex]) {
        if self.begins(moment.location) {
            let draws = self.draws();
            (self.each)(view(self.solved, moment, None, nodes, draws));
        }
    }

    fn head(&mut self, moment: Moment<'_>, nodes: &[NodeIndex], copies: &[&LoopNodes<'_>]) {
        if !self.begins(moment.location) {
            return;
        }
        let iterations = copies.first().and_then(|l| self.solved.solution.heads.get(&l.head));
        let draws = self.draws();
        let mut at_head = view(self.solved, moment, Some(iterations.map_or(1, |h| h.iterations)), nodes, draws);
        if draws {
            // Of the copies in peeled iterations of loops around it, the last one with the most
            // iterates.
            let story = |l: &&&LoopNodes<'_>| self.solved.record.as_ref().map_or(0, |r| r.of(l.head).len());
            if let Some(l) = copies.iter().max_by_key(story) {
                at_head.iterates = iterates(self.solved, l, moment);
            }
        }
        (self.each)(at_head);
    }
}

/// A moment of the source, and what its view depends on apart from the state.
#[derive(Clone, Copy)]
struct Moment<'a> {
    location: Location,
    copy: usize,
    /// What names mean there.
    scope: Option<&'a Scope>,
    long: &'a LongNames,
    /// What is relevant there.
    to: Option<&'a Subjects>,
}

/// The statements that initialise objects with static storage duration that are written inside of a
/// function: static locals, literals. They run before the program starts, not where they stand.
fn initialised_inside(source: &Program, inlined: &Inlined) -> HashSet<StmtId> {
    let bodies = bodies(source);
    let mut found = HashSet::new();
    each_stmt(&inlined.program.initialisers, &mut |stmt| {
        if bodies.iter().any(|(low, high, _)| *low <= stmt.location && stmt.location <= *high) {
            found.insert(stmt.id());
        }
    });
    found
}

fn is_jump(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Stop)
}

/// The nodes of the peeled copies of one statement together; statements copied by inlining stay
/// separate.
fn by_copy(nodes: impl Iterator<Item = (StmtId, NodeIndex)>) -> Vec<(usize, Vec<NodeIndex>)> {
    let mut groups: Vec<(StmtId, Vec<NodeIndex>)> = Vec::new();
    for (stmt, node) in nodes {
        match groups.iter_mut().find(|g| g.0 == stmt) {
            Some(group) => group.1.push(node),
            None => groups.push((stmt, vec![node])),
        }
    }
    groups.into_iter().enumerate().map(|(n, (_, nodes))| (n, nodes)).collect()
}

/// What was recorded at a head, after the states of its peeled iterations.
fn iterates(solved: &Solved<'_>, of: &LoopNodes<'_>, moment: Moment<'_>) -> Vec<IterateView> {
    let Some(record) = &solved.record else { return Vec::new() };
    let recorded = record.of(of.head);
    if recorded.is_empty() {
        return Vec::new();
    }
    let shown = |step: Step, state: &State<AnyState>| {
        let (state, left_out) = shown_of(solved, state, moment);
        let view = state_view(solved, moment, None, state, left_out, true);
        Some(IterateView { step, view })
    };
    let peeled = of.peeled.iter().zip(1..).filter_map(|(n, k)| shown(Step::Peeled(k), solved.solution.state(*n)));
    let at_head = recorded.iter().filter_map(|i| match i {
        Iterate::Seen(event, state) => shown(Step::Head(*event), state),
        Iterate::LeftOut(n) => shown(Step::LeftOut(*n), solved.solution.state(of.head)),
    });
    peeled.chain(at_head).collect()
}

fn view(
    solved: &Solved<'_>,
    moment: Moment<'_>,
    loop_iterations: Option<u32>,
    nodes: &[NodeIndex],
    pictures: bool,
) -> PointView {
    let of = |n: &NodeIndex| shown_of(solved, solved.solution.state(*n), moment);
    let (mut state, mut left_out) = of(&nodes[0]);
    for n in &nodes[1..] {
        let (next, left) = of(n);
        state.join_with(&next);
        left_out = left_out.max(left);
    }
    state_view(solved, moment, loop_iterations, state, left_out, pictures)
}

/// The part of a state that is shown, and how much is left out.
fn shown_of(solved: &Solved<'_>, state: &State<AnyState>, moment: Moment<'_>) -> (State<AnyState>, LeftOut) {
    match narrowed(solved, &state.memory, moment.to) {
        Some((memory, left_out)) => (State { memory, ..state.clone() }, left_out),
        None => (state.clone(), LeftOut::default()),
    }
}

fn state_view(
    solved: &Solved<'_>,
    moment: Moment<'_>,
    loop_iterations: Option<u32>,
    state: State<AnyState>,
    left_out: LeftOut,
    pictures: bool,
) -> PointView {
    let facts = state.memory.facts();
    let mut view = PointView {
        location: moment.location,
        copy: moment.copy,
        loop_iterations,
        facts: StateFacts {
            unreachable: facts.unreachable || state.is_bottom(),
            more_arrays: left_out.arrays,
            more_scalars: left_out.scalars,
            ..StateFacts::default()
        },
        picture: None,
        iterates: Vec::new(),
    };
    if view.facts.unreachable {
        return view;
    }
    let names = Names::new(solved, moment.scope, moment.long, &facts);
    let is_shown = |c: &&Constraint| c.expr.vars().all(|v| names.is_shown(v)) && !names.is_of_one(c);
    let shown: Vec<Constraint> = facts.scalars.iter().filter(is_shown).cloned().collect();
    let arrays = facts.arrays.iter().filter(|a| names.is_shown_array(a));
    view.facts.arrays = arrays.map(|a| names.array(a, &facts.arrays, &shown)).collect();
    view.facts.scalars = names.facts(&names.informative(shown.clone()));
    let pointing = facts.memberships.iter().filter(|(v, to)| {
        names.is_shown(*v) && names.tells(to, &facts.arrays) && !names.is_index_of(*v, to, &facts.arrays)
    });
    for (v, to) in pointing {
        let fact = names.member(names.name(*v), to, &facts.arrays, &shown);
        view.facts.scalars.extend(fact.filter(|fact| !view.facts.scalars.contains(fact)));
    }
    if pictures {
        view.picture = Some(picture::picture(&names, &state.memory, &facts, &shown));
    }
    view
}

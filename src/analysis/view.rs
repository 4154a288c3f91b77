//! What holds at each point of the source, in words.

mod focus;
mod picture;

pub use focus::LeftOut;
pub(super) use focus::{Focus, narrowed};
pub use picture::{ArrayPicture, Extent, GroupPicture, Picture, Pointer};

use super::invariants::{Scope, address, bodies, calls, scopes};
use super::layout::{ArrayInfo, BlockId, Dimension, Layout, Meaning, Segment};
use super::record::Iterate;
use super::state::State;
use super::{Solved, groups};
use crate::cfg::{LoopNodes, Occurrence};
use crate::clock;
use crate::fixpoint::HeadEvent;
use crate::inline::Inlined;
use crate::program::{FileId, Location, Program, Stmt, StmtKind, Type, VarId, Variable, each_stmt};
use petgraph::graph::NodeIndex;
use smalti_core::{
    ArrayFacts, Constraint, Facts, GroupFacts, Lattice, Membership, Memory, Relation, Subjects, Var, render,
    render_given,
};
use smalti_stack::AnyState;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

/// What holds at one moment of the source.
#[derive(Clone, Debug)]
pub struct PointView {
    /// The statement that the moment belongs to.
    pub location: Location,
    /// The function whose text contains it is inlined at several places: this is the number of the copy, from 0.
    pub copy: usize,
    /// For the head of a loop (each time its condition is about to be tested): how many iterations the fixpoint took.
    /// `None` for the moment right after a statement.
    pub loop_iterations: Option<u32>,
    /// No run comes here.
    pub unreachable: bool,
    /// What holds of the scalars, one formula each.
    pub scalars: Vec<String>,
    /// What holds of the arrays.
    pub arrays: Vec<ArrayView>,
    /// How much else is known of there: of a large state, what the line mentions is shown.
    pub left_out: LeftOut,
    /// What there is to draw, if asked for.
    pub picture: Option<Picture>,
    /// For the head of a loop, if asked for: how the fixpoint got there.
    pub iterates: Vec<IterateView>,
}

/// What was held to be true at the head of a loop while the fixpoint was computed.
#[derive(Clone, Debug)]
pub struct IterateView {
    /// How it was come by.
    pub step: Step,
    /// What it says. It has no iterates of its own.
    pub view: PointView,
}

/// How an iterate was come by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The first iterations, looked at apart: this one, from 1.
    Peeled(u32),
    /// Something happened at the head.
    Head(HeadEvent),
    /// So many iterates are left out here.
    LeftOut(u32),
}

/// What holds of one array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayView {
    /// Name and length, as `a[n]`.
    pub name: String,
    /// The groups of cells.
    pub groups: Vec<GroupView>,
}

/// One group of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupView {
    /// Which cells, as `{0..i-1}`.
    pub cells: String,
    /// What they hold.
    pub content: String,
}

/// What became of the views that were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// On so many lines of the source there is a moment that was not looked at for lack of time.
    pub missing: usize,
    /// At so many moments there is nothing to draw for lack of time.
    pub undrawn: usize,
}

/// Of the time for views, the part in which pictures are made.
const SHARE_OF_PICTURES: f64 = 0.7;

/// Hands over the views of all loop heads and statements, in the order of the graph's sites, until a moment if there is one.
/// States of peeled iterations are joined with those of the loop: together they are all moments of the statement.
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
        scope: scopes.get(&address(stmt)).map(|s| &**s),
        long: &long,
        to,
    };
    for loops in solved.cfg.loops.values() {
        let heads = loops.iter().flat_map(|l| {
            let peeled = l.peeled.iter().map(|n| (std::ptr::from_ref(l.stmt), *n));
            peeled.chain(std::iter::once((std::ptr::from_ref(l.stmt), l.head)))
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
        // Nothing is ever right after a jump: what is shown is where it starts.
        let node = |o: &Occurrence<'_>| if is_jump(&o.stmt.kind) { o.before } else { o.after };
        // Of a call that is inlined only the end counts: what it is made of runs on the way.
        let is_call =
            |o: &&Occurrence<'_>| matches!(o.stmt.kind, StmtKind::Block(_)) && calls.contains_key(&o.stmt.site);
        let inlined = occurrences.iter().any(|o| is_call(&o));
        let whole = occurrences.iter().filter(|o| is_call(o) || !inlined);
        for (copy, nodes) in by_copy(whole.map(|o| (std::ptr::from_ref(o.stmt), node(o)))) {
            let stmt = occurrences.iter().find(|o| nodes.contains(&node(o))).map(|o| o.stmt);
            let Some(stmt) = stmt else { continue };
            if !inlined && matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Skip | StmtKind::Label(..))
                || too_early.contains(&address(stmt))
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
            // Of the copies in peeled iterations of loops around it, the last one with the longest story.
            let story = |l: &&&LoopNodes<'_>| self.solved.record.as_ref().map_or(0, |r| r.of(l.head).len());
            if let Some(l) = copies.iter().max_by_key(story) {
                at_head.iterates = iterates(self.solved, l, moment);
            }
        }
        (self.each)(at_head);
    }
}

/// A moment of the source, and what its view depends on beside the state.
#[derive(Clone, Copy)]
struct Moment<'a> {
    location: Location,
    copy: usize,
    /// What names mean there.
    scope: Option<&'a Scope>,
    long: &'a LongNames,
    /// What matters there.
    to: Option<&'a Subjects>,
}

/// The statements that initialise what lives as long as the program and is written inside of a function: static locals, literals. They run
/// before the program does, not where they stand.
fn initialised_inside(source: &Program, inlined: &Inlined) -> HashSet<usize> {
    let bodies = bodies(source);
    let mut found = HashSet::new();
    each_stmt(&inlined.program.initialisers, &mut |stmt| {
        if bodies.iter().any(|(low, high, _)| *low <= stmt.location && stmt.location <= *high) {
            found.insert(address(stmt));
        }
    });
    found
}

/// The two variables that a constraint says to be equal.
fn are_equal(c: &Constraint) -> Option<(Var, Var)> {
    let [(v, a), (w, b)] = c.expr.terms()[..] else { return None };
    (c.relation == Relation::Zero && a == -b && c.expr.constant_part() == 0).then_some((v, w))
}

fn is_jump(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Stop)
}

/// The nodes of the peeled copies of one statement together; statements copied by inlining apart.
fn by_copy<T>(nodes: impl Iterator<Item = (*const T, NodeIndex)>) -> Vec<(usize, Vec<NodeIndex>)> {
    let mut groups: Vec<(*const T, Vec<NodeIndex>)> = Vec::new();
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

/// What is shown of a state, and how much is not.
fn shown_of(solved: &Solved<'_>, state: &State<AnyState>, moment: Moment<'_>) -> (State<AnyState>, LeftOut) {
    match narrowed(solved, &state.memory, moment.to) {
        Some((memory, left_out)) => (State { memory, valid: state.valid.clone() }, left_out),
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
    let names = Names::new(solved, moment.scope, moment.long, &facts);
    let mut view = PointView {
        location: moment.location,
        copy: moment.copy,
        loop_iterations,
        unreachable: facts.unreachable || state.is_bottom(),
        scalars: Vec::new(),
        arrays: Vec::new(),
        left_out,
        picture: None,
        iterates: Vec::new(),
    };
    if view.unreachable {
        return view;
    }
    let is_shown = |c: &&Constraint| c.expr.vars().all(|v| names.is_shown(v)) && !names.is_of_one(c);
    let shown: Vec<Constraint> = facts.scalars.iter().filter(is_shown).cloned().collect();
    view.arrays = facts
        .arrays
        .iter()
        .filter(|a| names.is_shown_array(a))
        .flat_map(|a| names.array(a, &facts.arrays, &shown))
        .collect();
    view.scalars = render(&names.informative(shown.clone()), &|v| names.of(v));
    let pointing = facts.memberships.iter().filter(|(v, to)| {
        names.is_shown(*v) && names.tells(to, &facts.arrays) && !names.is_index_of(*v, to, &facts.arrays)
    });
    let pointing: Vec<String> =
        pointing.map(|(v, to)| format!("{} is in {}", names.of(*v), names.target(to, &facts.arrays, &shown))).collect();
    for text in pointing {
        if !view.scalars.contains(&text) {
            view.scalars.push(text);
        }
    }
    if pictures {
        view.picture = Some(picture::picture(&names, &state.memory, &facts, &shown));
    }
    view
}

/// By variable: its name, with what tells it from others of that name. That is the function or the file that declares it, and which one it is
/// of those there, but no line: what is stored of a program stays as it is when lines move.
pub(super) struct LongNames(HashMap<VarId, String>);

impl LongNames {
    /// Those of all variables of a program that was inlined.
    pub(super) fn new(source: &Program, inlined: &Inlined) -> LongNames {
        let bodies = bodies(source);
        let owner = |at: Location| match bodies.iter().find(|(low, high, _)| *low <= at && at <= *high) {
            Some((.., f)) => source.function(*f).name.as_str(),
            None => source.sources.file(at.file).name.as_str(),
        };
        let variables = || (0..).map(VarId).zip(&inlined.program.variables);
        let mut places: BTreeMap<(&str, &str), BTreeSet<Location>> = BTreeMap::new();
        for (_, v) in variables() {
            places.entry((owner(v.location), &v.name)).or_default().insert(v.location);
        }
        let long = |v: &Variable| {
            let owner = owner(v.location);
            let before = places.get(&(owner, v.name.as_str())).map_or(0, |all| all.range(..v.location).count());
            let number = if before == 0 { String::new() } else { format!(":{}", before + 1) };
            format!("{}@{owner}{number}", v.name)
        };
        LongNames(variables().map(|(id, v)| (id, long(v))).collect())
    }
}

/// What variables and arrays of the domain are called at one moment.
///
/// A variable has its own name, unless that means another one there, or several have it and none is meant: then it has its long one.
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout,
    scope: Option<&'a Scope>,
    long: &'a LongNames,
    /// What several variables of the state are called.
    shared: BTreeSet<&'a str>,
    /// Variables of one name whose values are equal, such as an argument and the parameter that it became.
    equal: BTreeSet<(VarId, VarId)>,
}

impl<'a> Names<'a> {
    /// The names at a moment at which `facts` hold; `scope` is what names mean there, if they mean anything.
    pub(super) fn new(
        solved: &'a Solved<'_>,
        scope: Option<&'a Scope>,
        long: &'a LongNames,
        facts: &Facts,
    ) -> Names<'a> {
        let (program, layout) = (solved.cfg.program, &solved.model.layout);
        let variable = |b: BlockId| if let BlockId::Variable(v) = b { Some(v) } else { None };
        let in_groups = facts.arrays.iter().flat_map(|a| &a.groups).flat_map(|g| &g.constraints);
        let members = facts.memberships.iter().map(|(v, _)| *v);
        let vars: BTreeSet<Var> =
            facts.scalars.iter().chain(in_groups).flat_map(|c| c.expr.vars()).chain(members).collect();
        let arrays = facts.arrays.iter().map(|a| layout.array(a.array).block);
        let blocks = vars.iter().filter_map(|v| layout.block_of(*v)).chain(arrays);
        let variables: BTreeSet<VarId> = blocks.filter_map(variable).collect();
        let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
        for v in variables {
            let name = program.variable(v).name.as_str();
            if !seen.insert(name) {
                shared.insert(name);
            }
        }
        let scalar = |v: Var| layout.block_of(v).and_then(variable).filter(|b| layout.scalar(*b) == Some(v));
        let equal = facts.scalars.iter().filter_map(|c| {
            let (v, w) = are_equal(c)?;
            let (v, w) = (scalar(v)?, scalar(w)?);
            (program.variable(v).name == program.variable(w).name).then_some([(v, w), (w, v)])
        });
        Names { program, layout, scope, long, shared, equal: equal.flatten().collect() }
    }

    fn variable(&self, v: VarId) -> String {
        let name = &self.program.variable(v).name;
        // The result of a call is written as annotations write it.
        if name.starts_with("$result") {
            return "\\result".to_owned();
        }
        let is_meant = match self.scope.and_then(|s| s.names.get(name)) {
            Some(meant) => *meant == v || self.equal.contains(&(*meant, v)),
            None => !self.shared.contains(name.as_str()),
        };
        if is_meant { name } else { self.long.0.get(&v).unwrap_or(name) }.clone()
    }

    fn block(&self, block: BlockId) -> String {
        match block {
            BlockId::Variable(v) => self.variable(v),
            BlockId::Heap(e) => format!("heap{}", e.index()),
        }
    }

    pub(super) fn path(&self, block: BlockId, path: &[Segment]) -> String {
        let mut text = self.block(block);
        for (n, segment) in path.iter().enumerate() {
            match segment {
                Segment::Index => text.push_str("[]"),
                Segment::Field(f) => {
                    if let Some(Type::Struct(id)) = self.layout.type_at(self.program, block, &path[..n])
                        && let Some(member) = self.program.structure(*id).members.get(*f as usize)
                    {
                        text.push('.');
                        text.push_str(&member.name);
                    }
                }
            }
        }
        text
    }

    /// The name of a scalar of the domain.
    pub(super) fn of(&self, v: Var) -> String {
        let meaning = usize::try_from(v.0).ok().and_then(|n| self.layout.meanings.get(n));
        match meaning {
            Some(Meaning::Leaf(leaf)) => {
                let leaf = self.layout.leaf(*leaf);
                let name = self.path(leaf.block, &leaf.path);
                if matches!(leaf.ty, Type::Pointer(_)) { format!("offset({name})") } else { name }
            }
            Some(Meaning::Length(array)) => {
                let info = self.layout.array(*array);
                format!("length({})", self.path(info.block, &info.prefix[..info.prefix.len() - 1]))
            }
            None => format!("?{}", v.0),
        }
    }

    fn is_temporary(&self, block: BlockId) -> bool {
        matches!(block, BlockId::Variable(v) if self.program.variable(v).name.starts_with('$'))
    }

    /// Temporaries of the lowering are not shown, nor the lengths of arrays whose length is a constant.
    pub(super) fn is_shown(&self, v: Var) -> bool {
        let meaning = usize::try_from(v.0).ok().and_then(|n| self.layout.meanings.get(n));
        match meaning {
            Some(Meaning::Leaf(leaf)) => !self.is_temporary(self.layout.leaf(*leaf).block),
            Some(Meaning::Length(array)) => {
                let constant = |d: &Dimension| matches!(d, Dimension::Constant(_));
                !self.layout.array(*array).dimensions.iter().all(constant)
            }
            None => false,
        }
    }

    fn is_shown_array(&self, facts: &ArrayFacts) -> bool {
        !self.is_temporary(self.layout.array(facts.array).block)
    }

    /// Without what the types say already, and what another bound together with a type says: every `int` is at most
    /// 2147483647, so `i <= 2147483646` says nothing beside `i < n`.
    pub(super) fn informative(&self, constraints: Vec<Constraint>) -> Vec<Constraint> {
        let implied_by_types = |c: &Constraint| {
            c.relation == Relation::NonNegative
                && c.expr.interval(|v| self.layout.range(v)).lo().is_some_and(|lo| lo >= 0)
        };
        let kept: Vec<Constraint> = constraints.into_iter().filter(|c| !implied_by_types(c)).collect();
        let implied = |c: &Constraint| {
            let [(v, k)] = c.expr.terms()[..] else { return false };
            c.relation == Relation::NonNegative
                && kept.iter().any(|d| {
                    // d: e + m*v >= 0 with m of the same sign as k; replace what is not v by its type's extreme.
                    let m = d.expr.coefficient(v);
                    if d.relation != Relation::NonNegative || d.expr.terms().len() != 2 || m != k || k.abs() != 1 {
                        return false;
                    }
                    let rest = smalti_core::LinearExpr::new(
                        d.expr.terms().iter().copied().filter(|t| t.0 != v),
                        d.expr.constant_part(),
                    );
                    // k*v >= -rest for every value of rest; it implies k*v >= -c if rest <= c always.
                    rest.and_then(|r| r.interval(|w| self.layout.range(w)).hi())
                        .is_some_and(|most| most <= c.expr.constant_part())
                })
        };
        kept.iter().filter(|c| !implied(c)).cloned().collect()
    }

    /// Whether it says more than that there is such a cell, of an array that is shown.
    fn tells(&self, to: &Membership, all: &[ArrayFacts]) -> bool {
        let target = all.iter().find(|a| a.array == to.array);
        target.is_some_and(|a| self.is_shown_array(a) && to.groups.len() < a.groups.len())
    }

    /// Whether it only says that two variables of one name are equal: an argument and the parameter that it became.
    fn is_of_one(&self, c: &Constraint) -> bool {
        let short = Names { scope: None, shared: BTreeSet::new(), equal: BTreeSet::new(), ..*self };
        are_equal(c).is_some_and(|(v, w)| short.of(v) == short.of(w))
    }

    /// Whether the groups, as they are shown, are told by that very variable: `{i}`, `{0..i}`.
    fn is_index_of(&self, v: Var, to: &Membership, all: &[ArrayFacts]) -> bool {
        let target = all.iter().find(|a| a.array == to.array);
        let [n] = to.groups[..] else { return false };
        let Some((group, index)) = target.and_then(|a| a.groups.get(n)).and_then(|g| Some((g, g.index?))) else {
            return false;
        };
        let ties = |c: &Constraint| c.relation != Relation::NonZero && c.expr.mentions(v) && c.expr.mentions(index);
        group.constraints.iter().any(ties)
    }

    /// The groups that a value is the index into, as `a{0..i-1}, a{i}`.
    fn target(&self, to: &Membership, all: &[ArrayFacts], known: &[Constraint]) -> String {
        let Some(target) = all.iter().find(|a| a.array == to.array) else { return String::new() };
        let info = self.layout.array(to.array);
        let base = self.path(info.block, &info.prefix[..info.prefix.len() - 1]);
        let chosen: Vec<&GroupFacts> = to.groups.iter().filter_map(|n| target.groups.get(*n)).collect();
        let cells = |g: &GroupFacts| groups::cells(g, known, &|v| self.of(v));
        let name = |group: &GroupFacts| {
            let range = cells(group);
            // Of groups in one range, what only the cells of this one hold.
            let others = target.groups.iter().filter(|g| !std::ptr::eq(*g, group) && cells(g) == range);
            let others: Vec<Vec<String>> = others.map(|g| self.content(info, g, known)).collect();
            let own = self.content(info, group, known).into_iter().find(|c| others.iter().any(|o| !o.contains(c)));
            match own.filter(|_| !others.is_empty()) {
                Some(own) => format!("{base}{}: {own}}}", range.trim_end_matches('}')),
                None => format!("{base}{range}"),
            }
        };
        let shown =
            groups::in_order(&target.groups).into_iter().filter(|g| chosen.iter().any(|c| std::ptr::eq(*c, *g)));
        let mut names: Vec<String> = shown.map(name).collect();
        names.dedup();
        names.join(" or ")
    }

    /// The name of a field of the cells of a group, if the dimension is one: `value` where cells are scalars.
    fn field_name(&self, info: &ArrayInfo, group: &GroupFacts, v: Var) -> Option<String> {
        let (field, _) = group.fields.iter().find(|f| f.1 == v)?;
        let leaf = info.fields.iter().find(|f| f.0 == *field).map(|f| self.layout.leaf(f.1));
        let rest = leaf.map_or(&[][..], |l| &l.path[info.prefix.len()..]);
        let text = self.path(info.block, &info.prefix);
        let name = match leaf {
            Some(l) => self.path(info.block, &l.path)[text.len()..].trim_start_matches('.').to_owned(),
            None => text,
        };
        Some(if rest.is_empty() { "value".to_owned() } else { name })
    }

    /// What constraints say of the fields of a group's cells.
    fn content(&self, info: &ArrayInfo, group: &GroupFacts, known: &[Constraint]) -> Vec<String> {
        let speaks = |c: &&Constraint| {
            let field = |v: Var| group.fields.iter().any(|f| f.1 == v);
            let range = |v| {
                let leaf = group.fields.iter().find(|f| f.1 == v).and_then(|(field, _)| {
                    info.fields.iter().find(|f| f.0 == *field).map(|f| self.layout.leaf(f.1).range)
                });
                leaf.unwrap_or_else(|| self.layout.range(v))
            };
            c.expr.vars().any(field)
                && c.expr.vars().all(|v| field(v) || group.index == Some(v) || self.is_shown(v))
                && !(c.relation == Relation::NonNegative && c.expr.interval(range).lo().is_some_and(|lo| lo >= 0))
        };
        let kept: Vec<Constraint> = group.constraints.iter().filter(speaks).cloned().collect();
        render_given(known, &kept, &|v| match group.index == Some(v) {
            true => "index".to_owned(),
            false => self.field_name(info, group, v).unwrap_or_else(|| self.of(v)),
        })
    }

    /// One line for each field of the array; one in all for an array of scalars.
    pub(super) fn array(&self, facts: &ArrayFacts, all: &[ArrayFacts], known: &[Constraint]) -> Vec<ArrayView> {
        let info = self.layout.array(facts.array);
        let base = self.path(info.block, &info.prefix[..info.prefix.len() - 1]);
        let length = |d: &Dimension| match d {
            Dimension::Constant(n) => n.to_string(),
            Dimension::Variable(v) => {
                if self.is_temporary(BlockId::Variable(*v)) {
                    String::new()
                } else {
                    self.variable(*v)
                }
            }
            Dimension::Count | Dimension::Unknown => String::new(),
        };
        // The dimensions of the last run of indexes stand behind the name; those before are in the path as [].
        let name = format!("{base}[{}]", info.dimensions.last().map_or(String::new(), length));
        let groups = groups::in_order(&facts.groups)
            .into_iter()
            .map(|group| {
                let mut content = self.content(info, group, known);
                for (field, to) in &group.memberships {
                    let name =
                        group.fields.iter().find(|f| f.0 == *field).and_then(|f| self.field_name(info, group, f.1));
                    if let Some(name) = name.filter(|_| self.tells(to, all)) {
                        content.push(format!("{name} is in {}", self.target(to, all, known)));
                    }
                }
                GroupView {
                    cells: groups::cells(group, known, &|v| self.of(v)),
                    content: if content.is_empty() { "any".to_owned() } else { content.join(", ") },
                }
            })
            .collect();
        vec![ArrayView { name, groups }]
    }
}

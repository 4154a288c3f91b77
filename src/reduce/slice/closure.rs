//! Computes what a slice keeps: the least set that is closed under the dependences that its kind
//! follows.

use super::conditions::{chain, condition_of};
use super::kind::Kind;
use crate::program::{
    Base, ExprKind, FunctionId, Part, Stmt, StmtKind, Type, Use, VarId, each_part_of_expr, each_part_of_lvalue,
};
use crate::reduce::dependence::{Dependence, NodeId, Role, Source};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a node is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub(super) enum Level {
    /// Not at all.
    #[default]
    Out,
    /// As a step of runs: a predicate as a choice, a jump, a call for some of its effects, a
    /// declaration.
    Way,
    /// With all that it reads.
    Whole,
}

/// Kept nodes.
pub(super) struct Closure<'d, 'p> {
    graph: &'d Dependence<'p>,
    kind: Kind,
    /// The nodes of the obligations.
    criteria: BTreeSet<NodeId>,
    /// Predicates that are kept whole whenever they are kept.
    concrete: &'d BTreeSet<NodeId>,
    pub(super) level: Vec<Level>,
    /// Value-impacting (Kumar 2019, definition 3.2).
    impacts: Vec<bool>,
    /// Assumptions that decide whether something kept runs.
    gates: BTreeSet<NodeId>,
    /// By function: the calls that are kept.
    calls: Vec<BTreeSet<NodeId>>,
    /// By function: the places whose value at the entry counts, and those whose value at the exit
    /// counts.
    at_entry: Vec<BTreeSet<u32>>,
    at_exit: Vec<BTreeSet<u32>>,
    /// By function: whether it matters if runs end in it.
    ends: Vec<bool>,
    /// Functions that are kept as they are.
    entire: Vec<bool>,
    /// Predicates of which only some conditions are kept, and the numbers of these: they read only
    /// what is kept anyway.
    pub(super) parts: BTreeMap<NodeId, BTreeSet<usize>>,
    work: Vec<Task>,
    /// The transitive control dependences of each criterion.
    ways: Vec<ToCriterion>,
}

enum Task {
    /// The node was raised to that level.
    Raised(NodeId, Level),
    Source(Source, FunctionOf),
}

/// The function in whose terms a source is given.
type FunctionOf = Option<FunctionId>;

/// The conditions that a node is transitively control dependent on, by branch.
#[derive(Default, Clone)]
struct Ways {
    yes: BTreeSet<NodeId>,
    no: BTreeSet<NodeId>,
}

impl Ways {
    /// The one branch of `c` that counts, if only one does.
    fn only(&self, c: NodeId) -> Option<bool> {
        let (yes, no) = (self.yes.contains(&c), self.no.contains(&c));
        (yes != no).then_some(yes)
    }
}

/// The conditions that a criterion is transitively control dependent on.
struct ToCriterion {
    ways: Ways,
    /// Conditions on rings of which the criterion depends on one branch until runs reach them
    /// again, and that branch.
    one_way: Vec<(NodeId, bool)>,
}

impl<'d, 'p> Closure<'d, 'p> {
    pub(super) fn new(
        graph: &'d Dependence<'p>,
        kind: Kind,
        criteria: BTreeSet<NodeId>,
        concrete: &'d BTreeSet<NodeId>,
    ) -> Closure<'d, 'p> {
        let functions = graph.program.functions.len();
        let mut closure = Closure {
            graph,
            kind,
            criteria: criteria.clone(),
            concrete,
            level: vec![Level::Out; graph.len()],
            impacts: vec![false; graph.len()],
            gates: BTreeSet::new(),
            calls: vec![BTreeSet::new(); functions],
            at_entry: vec![BTreeSet::new(); functions],
            at_exit: vec![BTreeSet::new(); functions],
            ends: vec![false; functions],
            entire: vec![false; functions],
            parts: BTreeMap::new(),
            work: Vec::new(),
            ways: Vec::new(),
        };
        for &l in &criteria {
            closure.raise(l, Level::Whole);
            closure.reach(l);
        }
        closure.run();
        if kind == Kind::Value {
            closure.find_impacts();
        }
        if kind != Kind::Thin {
            closure.keep_what_is_known();
        }
        closure
    }

    /// Every call of the function that a criterion stands in may lead to it, and so may those of
    /// its callers.
    fn reach(&mut self, l: NodeId) {
        let mut seen = BTreeSet::new();
        let mut open = vec![self.graph.function_of(l)];
        while let Some(f) = open.pop() {
            let Some(f) = f.filter(|f| seen.insert(*f)) else { continue };
            for &call in self.graph.callers(f) {
                self.raise(call, Level::Way);
                open.push(self.graph.function_of(call));
            }
        }
    }

    fn raise(&mut self, node: NodeId, level: Level) {
        let old = self.level[node as usize];
        if old < level {
            self.level[node as usize] = level;
            self.work.push(Task::Raised(node, level));
        }
    }

    /// Makes the values count that a node reads.
    fn impact(&mut self, node: NodeId) {
        self.raise(node, Level::Whole);
        self.mark(node);
    }

    fn mark(&mut self, node: NodeId) {
        self.impacts[node as usize] = true;
    }

    fn run(&mut self) {
        while let Some(task) = self.work.pop() {
            match task {
                Task::Raised(node, level) => self.raised(node, level),
                Task::Source(source, function) => self.source(source, function),
            }
        }
    }

    /// *compVI* of Kumar 2019, figure 3.8: adds the conditions that value-impacting nodes make
    /// value-impacting, until there are no new ones. Only the kept calls are followed. When more
    /// calls are kept, the conditions are computed again.
    fn find_impacts(&mut self) {
        loop {
            let rings = self.graph.rings(|call| self.is_kept(call));
            self.ways = self.criteria.iter().map(|&l| self.to_criterion(l, &rings)).collect();
            let mut found = BTreeSet::new();
            for t in (0..self.impacts.len() as NodeId).filter(|&t| self.impacts[t as usize]) {
                found.extend(self.impacting(t, &rings));
            }
            found.retain(|c| !self.impacts[*c as usize]);
            if found.is_empty() {
                return;
            }
            found.into_iter().for_each(|c| self.impact(c));
            self.run();
        }
    }

    fn is_kept(&self, node: NodeId) -> bool {
        self.level[node as usize] != Level::Out
    }

    fn raised(&mut self, node: NodeId, level: Level) {
        let graph = self.graph;
        self.decided(node);
        match graph.role(node) {
            Role::Call(stmt) => self.call(node, Some(stmt)),
            Role::Label => self.call(node, None),
            Role::Jump(stmt) => {
                // No constant could be returned in the place of a struct.
                if let StmtKind::Return(Some(e)) = &stmt.kind
                    && matches!(e.ty, Type::Struct(_))
                {
                    self.raise(node, Level::Whole);
                }
            }
            Role::Plain(stmt) => {
                if let StmtKind::Declare(v) = &stmt.kind
                    && graph.program.variable(*v).ty.is_variably_modified()
                {
                    self.raise(node, Level::Whole);
                }
            }
            Role::Argument(stmt, _) | Role::Result(stmt) => {
                if let Some(call) = graph.nodes_of(stmt).and_then(|n| n.main) {
                    self.raise(call, Level::Way);
                }
            }
            _ => {}
        }
        if level < Level::Whole {
            return;
        }
        let function = graph.function_of(node);
        self.work.extend(graph.sources(node).into_iter().map(|s| Task::Source(s, function)));
        if let Role::Result(stmt) = graph.role(node) {
            for f in graph.callees(stmt) {
                graph.returns(f).iter().for_each(|&r| self.impact(r));
            }
            if graph.is_opaque(stmt)
                && let Some(call) = graph.nodes_of(stmt).and_then(|n| n.main)
            {
                self.raise(call, Level::Whole);
            }
        }
        self.declare(node);
    }

    /// Keeps the declarations of what a node mentions.
    fn declare(&mut self, node: NodeId) {
        for v in self.mentions(node) {
            self.graph.declarations(v).iter().for_each(|&d| self.raise(d, Level::Way));
        }
    }

    /// Makes it count whether a node runs. If that is decided through something that is left out,
    /// the decisions about it count too.
    fn decided(&mut self, node: NodeId) {
        for &(parent, _) in self.graph.parents(node) {
            self.decides(parent);
        }
    }

    /// Keeps a predicate, jump or call because it decides whether something kept runs.
    fn decides(&mut self, parent: NodeId) {
        let backward = self.kind == Kind::Backward;
        let level = if backward || self.concrete.contains(&parent) { Level::Whole } else { Level::Way };
        match self.graph.role(parent) {
            Role::Assume(_) if level == Level::Way => {
                if self.gates.insert(parent) {
                    self.decided(parent);
                }
            }
            Role::Predicate(_) | Role::Assume(_) => self.raise(parent, level),
            Role::Call(stmt) => {
                self.raise(parent, Level::Way);
                self.graph.callees(stmt).into_iter().for_each(|f| self.end(f));
            }
            _ => self.raise(parent, Level::Way),
        }
    }

    /// Makes it count whether runs end inside a function.
    fn end(&mut self, f: FunctionId) {
        let (stops, assumes) = self.graph.may_end(f);
        if !(stops || assumes) || std::mem::replace(&mut self.ends[f.0 as usize], true) {
            return;
        }
        for node in self.graph.nodes_in(f) {
            match self.graph.role(node) {
                Role::Jump(Stmt { kind: StmtKind::Stop, .. }) => self.raise(node, Level::Way),
                Role::Assume(_) => self.decides(node),
                Role::Call(stmt) => {
                    let inner = self.graph.callees(stmt);
                    if inner.iter().any(|&g| self.graph.may_end(g) != (false, false)) {
                        self.decides(node);
                    }
                }
                _ => {}
            }
        }
    }

    /// Handles a call that is kept.
    fn call(&mut self, node: NodeId, stmt: Option<&'p Stmt>) {
        let graph = self.graph;
        let functions = graph.called(node);
        let opaque = stmt.is_some_and(|s| graph.is_opaque(s));
        if opaque {
            // The functions that it may run are kept as they are.
            self.raise(node, Level::Whole);
        }
        for f in functions {
            if opaque {
                self.keep_entire(f);
            }
            if !self.calls[f.0 as usize].insert(node) {
                continue;
            }
            let places: Vec<u32> = self.at_entry[f.0 as usize].iter().copied().collect();
            places.into_iter().for_each(|place| self.before_call(node, f, place));
            if let Some(StmtKind::Call { arguments, .. }) = stmt.map(|s| &s.kind) {
                // No constant could be passed in the place of a struct. Arguments beyond the
                // parameters are not followed.
                let parameters = graph.program.function(f).parameters.len();
                let nodes = stmt.and_then(|s| graph.nodes_of(s));
                for (n, a) in arguments.iter().enumerate() {
                    if n >= parameters || matches!(a.ty, Type::Struct(_)) {
                        nodes
                            .and_then(|all| all.arguments.get(n))
                            .into_iter()
                            .for_each(|&a| self.raise(a, Level::Whole));
                    }
                }
            }
        }
    }

    fn keep_entire(&mut self, f: FunctionId) {
        if !std::mem::replace(&mut self.entire[f.0 as usize], true) {
            for node in self.graph.nodes_in(f) {
                self.raise(node, Level::Whole);
            }
        }
    }

    fn source(&mut self, source: Source, function: FunctionOf) {
        match source {
            Source::Node(node) => self.impact(node),
            Source::Call(node, place) => {
                self.raise(node, Level::Way);
                self.mark(node);
                for f in self.graph.called(node) {
                    if self.at_exit[f.0 as usize].insert(place) {
                        let more = self.graph.sources_at_exit(f, place);
                        self.work.extend(more.into_iter().map(|s| Task::Source(s, Some(f))));
                    }
                }
            }
            Source::Entry(place) => {
                let Some(f) = function else { return };
                if self.at_entry[f.0 as usize].insert(place) {
                    let calls: Vec<NodeId> = self.calls[f.0 as usize].iter().copied().collect();
                    calls.into_iter().for_each(|call| self.before_call(call, f, place));
                }
            }
        }
    }

    /// Makes the value count that a place has when `f` is entered from a call.
    fn before_call(&mut self, call: NodeId, f: FunctionId, place: u32) {
        let graph = self.graph;
        let parameter = graph.parameter(f, place);
        if let Some((n, _)) = parameter
            && let Role::Call(stmt) = graph.role(call)
        {
            match graph.nodes_of(stmt).and_then(|all| all.arguments.get(n)) {
                Some(&argument) => self.impact(argument),
                None => self.raise(call, Level::Whole),
            }
        }
        if parameter.is_none_or(|(_, others)| others) {
            let function = graph.function_of(call);
            let more = graph.sources_at(call, place);
            self.work.extend(more.into_iter().map(|s| Task::Source(s, function)));
        }
    }

    /// The variables that a kept node mentions.
    fn mentions(&self, node: NodeId) -> BTreeSet<VarId> {
        let program = self.graph.program;
        let mut found = BTreeSet::new();
        let mut part = |part: Part<'_>| match part {
            Part::Expr(e) => e.ty.lengths().for_each(|v| {
                found.insert(v);
            }),
            Part::Lvalue(l, _) => {
                l.ty.lengths().for_each(|v| {
                    found.insert(v);
                });
                if let Base::Var(v) = l.base {
                    found.insert(v);
                    program.variable(v).ty.lengths().for_each(|v| {
                        found.insert(v);
                    });
                }
            }
        };
        match self.graph.role(node) {
            Role::Predicate(s) | Role::Assume(s) | Role::Jump(s) | Role::Plain(s) => {
                crate::program::each_part(s, &mut part);
                match &s.kind {
                    StmtKind::Declare(v) => program.variable(*v).ty.lengths().for_each(|v| {
                        found.insert(v);
                    }),
                    StmtKind::Allocate { element, .. } => element.lengths().for_each(|v| {
                        found.insert(v);
                    }),
                    _ => {}
                }
            }
            Role::Argument(s, n) => {
                if let StmtKind::Call { arguments, .. } = &s.kind
                    && let Some(a) = arguments.get(n as usize)
                {
                    each_part_of_expr(a, &mut part);
                }
            }
            Role::Result(s) => {
                if let StmtKind::Call { target: Some(target), .. } = &s.kind {
                    each_part_of_lvalue(target, Use::Write, &mut part);
                }
            }
            Role::Call(s) => {
                if self.graph.is_opaque(s) {
                    crate::program::each_part(s, &mut part);
                }
            }
            Role::Entry | Role::Exit | Role::Label => {}
        }
        found
    }

    /// The conditions that become value-impacting because `t` is: *iConds* of Kumar 2019, figure
    /// 3.8, for each criterion.
    fn impacting(&self, t: NodeId, rings: &HashMap<NodeId, usize>) -> BTreeSet<NodeId> {
        let graph = self.graph;
        let in_cycle = |c: NodeId| rings.get(&t).is_some_and(|ring| rings.get(&c) == Some(ring));
        let Ways { yes: tct, no: tcf } = self.ways_to(t);
        let mut found = BTreeSet::new();
        for ToCriterion { ways: Ways { yes: lct, no: lcf }, one_way } in &self.ways {
            // cond1: t depends on c, and the criterion does not.
            found.extend(graph.conditions(t).iter().map(|&(c, _)| c).filter(|c| !lct.contains(c) && !lcf.contains(c)));
            // cond2: the criterion depends on one way of c, on which t does not depend alone, and
            // runs come from c to t and back.
            let other_way = |&(c, way): &(NodeId, bool)| in_cycle(c) && self.one_way(t, c) != Some(way);
            found.extend(one_way.iter().filter(|c| other_way(c)).map(|&(c, _)| c));
            // cond3: the criterion depends on both ways of c, and t on one.
            found.extend(lct.intersection(lcf).copied().filter(|c| match (tct.contains(c), tcf.contains(c)) {
                (true, true) => self.one_way(t, *c).is_some(),
                (yes, no) => yes != no,
            }));
        }
        found.remove(&t);
        found
    }

    /// The conditions that a node is transitively control dependent on (*tcd*), through all calls
    /// that are kept.
    fn ways_to(&self, node: NodeId) -> Ways {
        self.ways_past(node, None)
    }

    /// The one branch of `c` that `t` depends on until runs reach `c` again, if there is only one.
    /// The thesis counts chains through `c` itself. Then in a loop that one branch may leave, all
    /// statements of the other branch depend on both branches, and lemma 3.7 does not hold.
    fn one_way(&self, t: NodeId, c: NodeId) -> Option<bool> {
        self.ways_past(t, Some(c)).only(c)
    }

    fn to_criterion(&self, l: NodeId, rings: &HashMap<NodeId, usize>) -> ToCriterion {
        let ways = self.ways_to(l);
        let on_rings = ways.yes.union(&ways.no).filter(|c| rings.contains_key(c));
        let one_way = on_rings.filter_map(|&c| Some((c, self.one_way(l, c)?))).collect();
        ToCriterion { ways, one_way }
    }

    /// As [`Self::ways_to`], for chains that do not lead through a node.
    fn ways_past(&self, node: NodeId, avoided: Option<NodeId>) -> Ways {
        let graph = self.graph;
        let mut ways = Ways::default();
        let mut seen = BTreeSet::from([node]);
        let mut functions = BTreeSet::new();
        let mut open = vec![node];
        while let Some(n) = open.pop() {
            for &(c, which) in graph.conditions(n) {
                if matches!(graph.role(c), Role::Predicate(_)) {
                    if which { &mut ways.yes } else { &mut ways.no }.insert(c);
                }
                if Some(c) != avoided && seen.insert(c) {
                    open.push(c);
                }
            }
            if let Some(f) = graph.function_of(n).filter(|f| functions.insert(*f)) {
                open.extend(graph.callers(f).iter().copied().filter(|&c| self.is_kept(c) && seen.insert(c)));
            }
        }
        ways
    }

    /// Keeps a predicate whole if it reads only what is kept anyway: that costs nothing (Kumar
    /// 2019, section 3.5). Of conditions that are joined by `&&` or by `||`, those that read only
    /// kept values are kept; of an assumption, only those joined by `&&`.
    fn keep_what_is_known(&mut self) {
        loop {
            let mut changed = false;
            for n in 0..self.level.len() as NodeId {
                let level = self.level[n as usize];
                let (stmt, assumed) = match self.graph.role(n) {
                    Role::Predicate(s) if level == Level::Way => (s, false),
                    Role::Assume(s) if level != Level::Whole && self.gates.contains(&n) => (s, true),
                    _ => continue,
                };
                if self.are_known(n, &self.graph.sources(n), 0) {
                    self.raise(n, Level::Whole);
                    changed = true;
                    continue;
                }
                let Some(condition) = condition_of(stmt) else { continue };
                let parts = chain(condition);
                if parts.len() < 2 || (assumed && !matches!(condition.kind, ExprKind::And(..))) {
                    continue;
                }
                for (k, part) in parts.into_iter().enumerate() {
                    let sources = self.graph.sources_of(n, part);
                    if self.parts.get(&n).is_some_and(|all| all.contains(&k)) || !self.are_known(n, &sources, 0) {
                        continue;
                    }
                    self.parts.entry(n).or_default().insert(k);
                    changed = true;
                    if assumed {
                        self.raise(n, Level::Way);
                    }
                    let function = self.graph.function_of(n);
                    self.work.extend(sources.into_iter().map(|s| Task::Source(s, function)));
                    self.declare(n);
                }
            }
            if !changed {
                return;
            }
            self.run();
        }
    }

    /// Whether everything that these sources of a node supply is kept, apart from arguments that
    /// are known themselves.
    fn are_known(&self, node: NodeId, sources: &[Source], depth: u32) -> bool {
        let function = self.graph.function_of(node);
        sources.iter().all(|&source| match source {
            Source::Node(n) => self.level[n as usize] == Level::Whole,
            Source::Call(call, place) => {
                self.level[call as usize] != Level::Out
                    && self.graph.called(call).iter().all(|f| self.at_exit[f.0 as usize].contains(&place))
            }
            Source::Entry(place) => function.is_some_and(|f| {
                self.at_entry[f.0 as usize].contains(&place)
                    || self.graph.parameter(f, place).is_some_and(|(k, others)| {
                        !others
                            && depth < 8
                            && self.calls[f.0 as usize].iter().all(|&call| self.is_known_argument(call, k, depth))
                    })
            }),
        })
    }

    fn is_known_argument(&self, call: NodeId, k: usize, depth: u32) -> bool {
        let Role::Call(stmt) = self.graph.role(call) else { return true };
        match self.graph.nodes_of(stmt).and_then(|all| all.arguments.get(k)) {
            Some(&a) => self.level[a as usize] == Level::Whole || self.are_known(a, &self.graph.sources(a), depth + 1),
            None => self.level[call as usize] == Level::Whole,
        }
    }

    /// Whether a node belongs to the obligations of the slice.
    pub(super) fn is_criterion(&self, node: NodeId) -> bool {
        self.criteria.contains(&node)
    }
}

//! Watches a run: records what the unknowns of a summary are in it, and what variables hold at the
//! points of the summary.

use super::cells::{Cells, arbitrary, cells};
use crate::interpreter::{CellOrigin, Environment, Observer, State};
use crate::program::{
    AssertionId, Block, InputId, Location, LoopKind, Program, Stmt, StmtId, StmtKind, Type, VarId, each_stmt,
};
use crate::summary::{Origin, Region, Summary};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most records of one run.
const MOST_RECORDS: usize = 2000;

/// Numbers of iterations, from the outside in.
pub(super) type Numbers = Vec<i128>;

/// What a program and its summary say before any run.
pub(super) struct Plan {
    /// The loops around each statement, from the outside in.
    pub(super) around: HashMap<StmtId, Vec<StmtId>>,
    /// The markers, each after a loop.
    markers: HashMap<StmtId, StmtId>,
    /// The marker at the end of the body.
    end: Option<StmtId>,
    /// The types of inputs.
    pub(super) inputs: HashMap<StmtId, Type>,
    /// For each loop, the regions that have an unknown for each of its iterations.
    unsolved: HashMap<StmtId, Vec<Region>>,
    /// The points after each loop, and those at the end.
    points: HashMap<Option<StmtId>, Vec<usize>>,
    /// The executions of assertions.
    asserted: HashMap<StmtId, Vec<usize>>,
}

impl Plan {
    pub(super) fn new(body: &Block, summary: &Summary) -> Plan {
        let mut plan = Plan {
            around: HashMap::new(),
            markers: HashMap::new(),
            end: body.last().map(Stmt::id),
            inputs: HashMap::new(),
            unsolved: HashMap::new(),
            points: HashMap::new(),
            asserted: HashMap::new(),
        };
        plan.look(body, &mut Vec::new());
        each_stmt(body, &mut |s| {
            if let StmtKind::Input(to, _) = &s.kind {
                plan.inputs.insert(s.id(), to.ty.clone());
            }
        });
        for origin in summary.origins.values() {
            if let Origin::Before(of, region) = origin {
                plan.unsolved.entry(*of).or_default().push(region.clone());
            }
        }
        for (n, point) in summary.points.iter().enumerate() {
            plan.points.entry(point.statement).or_default().push(n);
        }
        for (n, one) in summary.asserted.iter().enumerate() {
            plan.asserted.entry(one.statement).or_default().push(n);
        }
        plan
    }

    fn look(&mut self, block: &Block, around: &mut Vec<StmtId>) {
        for pair in block.windows(2) {
            if let (StmtKind::Loop(_), StmtKind::Skip) = (&pair[0].kind, &pair[1].kind) {
                self.markers.insert(pair[1].id(), pair[0].id());
            }
        }
        for s in block {
            self.around.insert(s.id(), around.clone());
            let is_loop = matches!(s.kind, StmtKind::Loop(_));
            if is_loop {
                around.push(s.id());
            }
            s.blocks().for_each(|b| self.look(b, around));
            if is_loop {
                around.pop();
            }
        }
    }
}

/// Puts a marker after each loop and at the end.
pub(super) fn mark(block: &mut Block) {
    mark_loops(block);
    if let Some(last) = block.last() {
        block.push(last.with(StmtKind::Skip));
    }
}

fn mark_loops(block: &mut Block) {
    let mut out = Vec::with_capacity(block.len());
    for mut s in std::mem::take(block) {
        s.blocks_mut().for_each(mark_loops);
        let marker = matches!(s.kind, StmtKind::Loop(_)).then(|| s.with(StmtKind::Skip));
        out.push(s);
        out.extend(marker);
    }
    *block = out;
}

/// What was seen at a moment of a run.
pub(super) struct Record {
    pub(super) what: What,
    /// The iteration numbers of the loops around, and which executions of these loops it were.
    pub(super) loops: HashMap<StmtId, (i128, u64)>,
}

/// What a record is about.
pub(super) enum What {
    /// A point, by its number, and the cells of the regions that it has values of.
    Point(usize, Vec<(Region, Cells)>),
    /// An execution of an assertion, by its number, and whether the condition held.
    Asserted(usize, bool),
}

/// The values of unknowns in a run.
#[derive(Default)]
pub(super) struct Log {
    /// The number of the iteration in which each loop is, or in which it ended, and how often it
    /// was reached.
    counters: HashMap<StmtId, (i128, u64)>,
    /// The statement that is executed.
    here: Option<StmtId>,
    pub(super) inputs: HashMap<(StmtId, Numbers), i128>,
    /// How often each variable was declared.
    declared: HashMap<VarId, u64>,
    /// Which execution of its variable's declarations one was.
    pub(super) executions: HashMap<(StmtId, Numbers), u64>,
    /// The last iteration of each execution of a loop.
    pub(super) ends: HashMap<(StmtId, Numbers), i128>,
    /// What regions held before iterations.
    pub(super) before: HashMap<(StmtId, Numbers), BTreeMap<Region, Cells>>,
    pub(super) records: Vec<Record>,
    /// The values of the inputs, in order.
    pub(super) taken: Vec<i128>,
}

impl Log {
    fn numbers(&self, plan: &Plan, at: StmtId) -> Numbers {
        let around = plan.around.get(&at).into_iter().flatten();
        around.map(|l| self.counters.get(l).map_or(0, |c| c.0)).collect()
    }

    fn record(&mut self, plan: &Plan, at: StmtId, what: What) {
        if self.records.len() < MOST_RECORDS {
            let around = plan.around.get(&at).into_iter().flatten();
            let loops = around.filter_map(|l| Some((*l, *self.counters.get(l)?))).collect();
            self.records.push(Record { what, loops });
        }
    }

    /// After a run that ended inside of loops: these executions of loops have no last iteration.
    /// Returns them.
    pub(super) fn left_open(&mut self, plan: &Plan) -> HashSet<(StmtId, u64)> {
        let Some(here) = self.here else { return HashSet::new() };
        let around = plan.around.get(&here).cloned().unwrap_or_default();
        for l in &around {
            let numbers = self.numbers(plan, *l);
            self.ends.remove(&(*l, numbers));
        }
        around.into_iter().filter_map(|l| Some((l, self.counters.get(&l)?.1))).collect()
    }

    /// The run has ended in an operation of the statement that was executed last: if that was an
    /// assertion, its condition had no value.
    pub(super) fn interrupted(&mut self, plan: &Plan) {
        let asserted = self.here.and_then(|here| plan.asserted.get(&here)).map_or(&[][..], Vec::as_slice);
        if let Some(Record { what: What::Asserted(n, _), .. }) = self.records.last()
            && asserted.contains(n)
        {
            self.records.pop();
        }
    }

    /// The assertion that was executed last has failed.
    pub(super) fn failed(&mut self) {
        if let Some(Record { what: What::Asserted(_, held), .. }) = self.records.last_mut() {
            *held = false;
        }
    }
}

/// The values that a run gets.
pub(super) struct Recorded<'a, E> {
    pub(super) values: E,
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) log: &'a RefCell<Log>,
    pub(super) seed: u64,
}

impl<E: Environment> Environment for Recorded<'_, E> {
    fn input(&mut self, input: InputId, ty: &Type, at: Location) -> i128 {
        let value = super::cells::of_type(self.program, ty, self.values.input(input, ty, at));
        let mut log = self.log.borrow_mut();
        if let Some(here) = log.here {
            let numbers = log.numbers(self.plan, here);
            log.inputs.insert((here, numbers), value);
        }
        log.taken.push(value);
        value
    }

    fn arbitrary(&mut self, origin: &CellOrigin<'_>, _: &Type) -> i128 {
        arbitrary(self.seed, self.program, origin)
    }

    fn havoc(&mut self, ty: &Type, at: Location) -> i128 {
        self.values.havoc(ty, at)
    }

    fn goes_on(&self, check: AssertionId, value: Option<bool>) -> bool {
        self.values.goes_on(check, value)
    }
}

/// Watches the run.
pub(super) struct Watch<'a> {
    pub(super) plan: &'a Plan,
    pub(super) summary: &'a Summary,
    pub(super) log: &'a RefCell<Log>,
}

impl Watch<'_> {
    /// Records what the regions hold that have an unknown for the iteration with these numbers.
    fn before(&self, l: StmtId, numbers: Numbers, state: &State<'_, '_>, log: &mut Log) {
        if let Some(regions) = self.plan.unsolved.get(&l) {
            let held = regions.iter().filter_map(|r| Some((r.clone(), cells(state, r)?))).collect();
            log.before.insert((l, numbers), held);
        }
    }

    fn points(&self, of: Option<StmtId>, at: StmtId, state: &State<'_, '_>, log: &mut Log) {
        for n in self.plan.points.get(&of).into_iter().flatten() {
            let regions = self.summary.points[*n].values.keys();
            let seen = regions.filter_map(|r| Some((r.clone(), cells(state, r)?))).collect();
            log.record(self.plan, at, What::Point(*n, seen));
        }
    }
}

impl Observer for Watch<'_> {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        let (id, plan) = (stmt.id(), self.plan);
        let log = &mut *self.log.borrow_mut();
        log.here = Some(id);
        match &stmt.kind {
            StmtKind::Loop(l) => {
                let tests_first = l.kind != LoopKind::DoWhile;
                let counter = log.counters.entry(id).or_default();
                *counter = (if tests_first { -1 } else { 0 }, counter.1 + 1);
                let mut numbers = log.numbers(plan, id);
                log.ends.insert((id, numbers.clone()), 0);
                if !tests_first {
                    numbers.push(0);
                    self.before(id, numbers, state, log);
                }
            }
            StmtKind::Declare(v) => {
                let count = log.declared.entry(*v).or_default();
                *count += 1;
                let count = *count;
                let numbers = log.numbers(plan, id);
                log.executions.insert((id, numbers), count);
            }
            StmtKind::Assert(..) => {
                for n in plan.asserted.get(&id).into_iter().flatten() {
                    log.record(plan, id, What::Asserted(*n, true));
                }
            }
            StmtKind::Return(_) => self.points(None, id, state, log),
            StmtKind::Skip if plan.end == Some(id) => self.points(None, id, state, log),
            StmtKind::Skip => {
                if let Some(l) = plan.markers.get(&id) {
                    self.points(Some(*l), id, state, log);
                }
            }
            _ => {}
        }
    }

    fn test(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        let StmtKind::Loop(l) = &stmt.kind else { return };
        let log = &mut *self.log.borrow_mut();
        let id = stmt.id();
        log.here = Some(id);
        let number = log.counters.get(&id).map_or(0, |c| c.0) + 1;
        let mut numbers = log.numbers(self.plan, id);
        if l.kind != LoopKind::DoWhile {
            log.counters.entry(id).or_default().0 = number;
            log.ends.insert((id, numbers.clone()), number);
        }
        // The next iteration of a `do` loop begins with this state, if the condition holds.
        numbers.push(number);
        self.before(id, numbers, state, log);
    }

    fn tested(&mut self, stmt: &Stmt, holds: bool) {
        let StmtKind::Loop(l) = &stmt.kind else { return };
        if l.kind == LoopKind::DoWhile && holds {
            let log = &mut *self.log.borrow_mut();
            let counter = log.counters.entry(stmt.id()).or_default();
            counter.0 += 1;
            let number = counter.0;
            let numbers = log.numbers(self.plan, stmt.id());
            log.ends.insert((stmt.id(), numbers), number);
        }
    }
}

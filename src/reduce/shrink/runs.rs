//! Writes the programs that decide whether a loop is shrinkable, and whether its residuals have the
//! property.
//!
//! **Total semantics.** Both programs are about one and the same total, deterministic program. It
//! is the form, in which an assertion that fails sets the variable `fails`. An operation that is
//! undefined, or an assumption that does not hold, sets `dead`; nothing fails once `dead` is set.
//! It agrees with the form on runs without undefined behaviour, so a run of the form that fails is
//! a run of it that sets `fails`. So the behaviour on overflow is part of what is proved
//! shrinkable, never assumed away. Inputs of an iteration are drawn once and are the same wherever
//! the iteration is run.
//!
//! **Memory.** Residual loops start from one state several times. What they write to arrays is kept
//! beside the arrays, one entry for each assignment. A read of an array searches these entries
//! first, the latest before the others: the arrays stay as they were.

mod statements;

use super::super::Refusal;
use super::super::effects::Effects;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::terms;
use super::form::WIDE;
use super::form::{Form, Quantifier};
use super::lengths;
use super::memory::{Run, Slot};
use super::rows;
use crate::program::{
    AssertionId, BinaryOp, Block, Expr, InputId, IntKind, Length, Location, Lvalue, Program, SiteId, Stmt, StmtKind,
    Storage, Type, VarId, Variable, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A program without loops, and the variable that its undefined operations set.
#[derive(Clone, Debug)]
pub struct Written {
    /// The program.
    pub program: Program,
    /// 1 once the run no longer counts.
    pub dead: VarId,
    /// The values that its runs take from outside.
    pub taken: Taken,
}

/// The values that a run takes from outside, in terms of the program that was shrunk.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// The inputs that are positions of iterations.
    pub positions: Vec<InputId>,
    /// For each input of an iteration: the input of the program that it is, and the index of its
    /// position; `None` for an input after the loop.
    pub inputs: BTreeMap<InputId, (InputId, Option<usize>)>,
    /// For cells of arrays before the loop: the inputs that are the index and the cell there.
    pub cells: Vec<(VarId, InputId, InputId)>,
    /// The arrays that replace others.
    pub replaced: HashMap<VarId, VarId>,
}

/// The kind of program that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Whether every sequence of k + 1 iterations is k-shrinkable (definition 7.3, figure 7.7).
    Check,
    /// Whether the residual of every sequence of k iterations has the residual property (7.5).
    Residual,
    /// The same. What the iterations read of arrays is among what its runs take from outside.
    Witness,
    /// Whether some residual reaches the assertion: the assertion of the result fails if one does.
    Reach,
}

pub(super) fn write(form: &Form, assertion: AssertionId, k: usize, kind: Kind) -> Result<Written, Refusal> {
    let (form, replaced) = &lengths::open(&rows::flattened(form));
    let mut writer = Writer::new(form, assertion, kind)?;
    writer.taken.replaced.clone_from(replaced);
    writer.at = form.loops.first().map_or(form.low.location, |l| l.1);
    writer.begin();
    writer.limit_bounds();
    let iterations = writer.draw_iterations(if kind == Kind::Check { k + 1 } else { k });
    let claim = match kind {
        Kind::Check => writer.shrinkable(&iterations)?,
        Kind::Residual if form.quantifier == Quantifier::Existential => writer.some_residual(iterations)?,
        Kind::Residual | Kind::Witness => writer.each_residual(&iterations)?,
        Kind::Reach => writer.no_arrival(&iterations)?,
    };
    writer.assert(claim);
    writer.finish()
}

/// The sequence of iterations that residuals are about.
struct Iterations {
    /// The first position.
    low: VarId,
    /// The end of the positions, exclusive.
    high: VarId,
    /// Where the iterations are: `low <= positions[0] < ... < positions[size - 1] < high`.
    positions: Vec<VarId>,
    /// The condition that the loop has fewer iterations.
    few: Expr,
}

impl Iterations {
    fn all(&self) -> Vec<usize> {
        (0..self.positions.len()).collect()
    }
}

struct Writer<'f> {
    form: &'f Form,
    assertion: AssertionId,
    kind: Kind,
    program: Program,
    out: Block,
    at: Location,
    dead: VarId,
    fails: VarId,
    reached: VarId,
    /// 1 once a run has written outside an array, so that its further effects are unknown; or if
    /// positions may overflow.
    wild: VarId,
    /// Scalars that an iteration, or the code after the loop, writes, and the variables that hold
    /// their values at the start of a run.
    state: BTreeMap<VarId, VarId>,
    /// Arrays that they write, and the arrays that hold the contents at the start.
    arrays: BTreeMap<VarId, VarId>,
    drawn: BTreeMap<(Slot, usize), VarId>,
    /// The positions of iterations: set before all runs.
    positions: BTreeSet<VarId>,
    /// Declarations of the variables that are drawn: they come first.
    draws: Block,
    taken: Taken,
    runs: usize,
}

impl<'f> Writer<'f> {
    fn new(form: &'f Form, assertion: AssertionId, kind: Kind) -> Result<Writer<'f>, Refusal> {
        let mut program = form.program.clone();
        let at = form.low.location;
        let dead = terms::fresh(&mut program, "dead", Type::INT, at);
        let fails = terms::fresh(&mut program, "fails", Type::INT, at);
        let reached = terms::fresh(&mut program, "reached", Type::INT, at);
        let wild = terms::fresh(&mut program, "wild", Type::INT, at);
        let mut writes = BTreeSet::new();
        for block in [&form.body, &form.after, &form.clause, &form.closing] {
            writes.extend(Effects::of(block).writes);
        }
        let (mut state, mut arrays) = (BTreeMap::new(), BTreeMap::new());
        for v in writes.into_iter().chain([dead, fails]) {
            let variable = program.variable(v).clone();
            let initial = first(variable);
            if initial.ty.is_scalar() {
                let initial = program.add_variable(initial);
                state.insert(v, initial);
            } else {
                arrays.insert(v, v);
            }
        }
        Ok(Writer {
            form,
            assertion,
            kind,
            program,
            out: Vec::new(),
            at,
            dead,
            fails,
            reached,
            wild,
            state,
            arrays,
            drawn: BTreeMap::new(),
            positions: BTreeSet::new(),
            draws: Vec::new(),
            taken: Taken::default(),
            runs: 0,
        })
    }

    /// Sets the flags, and writes what runs before the loop.
    fn begin(&mut self) {
        for v in [self.dead, self.fails, self.reached, self.wild] {
            let s = self.set(v, terms::int(0, self.at));
            self.out.push(s);
        }
        let before = self.flagged(&self.form.before);
        self.out.extend(before);
        if self.kind == Kind::Check {
            // A run that is dead before the loop fails nowhere after it. For the other runs the
            // assumptions hold.
            let alive = self.load(self.dead).negated();
            self.push(StmtKind::Assume(alive));
        }
    }

    /// Leaves out runs whose bounds are so large that positions overflow: the residuals show that
    /// there are none.
    fn limit_bounds(&mut self) {
        for (e, limit) in &self.form.bounded {
            let value = self.wide("value");
            let s = self.set(value, e.clone());
            self.out.push(s);
            let far = terms::or(
                terms::compare(BinaryOp::Less, self.load(value), self.constant(-limit)),
                terms::compare(BinaryOp::Greater, self.load(value), self.constant(*limit)),
            );
            let alive = self.load(self.dead).negated();
            let one = terms::int(1, self.at);
            self.push(match self.kind {
                Kind::Check => StmtKind::Assume(far.negated()),
                _ => StmtKind::If(terms::and(alive, far), vec![self.set(self.wild, one)], Vec::new()),
            });
        }
    }

    /// Draws a sequence of iterations.
    fn draw_iterations(&mut self, size: usize) -> Iterations {
        let (low, high) = (self.wide("low"), self.wide("high"));
        for (v, value) in [(low, &self.form.low), (high, &self.form.high)] {
            let s = self.set(v, value.clone());
            self.out.push(s);
        }
        let positions: Vec<VarId> = (1..=size).map(|n| self.position(&format!("position_{n}"))).collect();
        let few = terms::compare(BinaryOp::Less, self.load(high), self.plus(low, size));
        for (n, &p) in positions.iter().enumerate() {
            let id = self.draw_into(p);
            self.taken.positions.extend(id);
            let after_last = match n {
                0 => terms::compare(BinaryOp::LessEqual, self.load(low), self.load(p)),
                _ => terms::compare(BinaryOp::Less, self.load(positions[n - 1]), self.load(p)),
            };
            let chosen = terms::and(after_last, terms::compare(BinaryOp::Less, self.load(p), self.load(high)));
            let long = self.kind == Kind::Check;
            #[cfg(any(test, feature = "mutants"))]
            let long = long || mutated(Mutant::ShortRunsAreForgotten);
            let chosen = if long {
                chosen
            } else {
                // A loop with fewer iterations runs as it is.
                let nth = terms::compare(BinaryOp::Equal, self.load(p), self.plus(low, n));
                terms::conditional(few.clone(), nth, chosen)
            };
            self.push(StmtKind::Assume(chosen));
        }
        Iterations { low, high, positions, few }
    }

    /// Writes that the loop is shrinkable: if the residual of a whole sequence fails, so does the
    /// residual of a sequence with one iteration less.
    fn shrinkable(&mut self, iterations: &Iterations) -> Result<Expr, Refusal> {
        let Iterations { low, positions, .. } = iterations;
        self.begin_anywhere()?;
        self.assume_known(positions[0]);
        let past = self.position("past");
        self.draw_into(past);
        let has_past = (!self.form.clause.is_empty()).then(|| {
            terms::and(
                terms::compare(BinaryOp::LessEqual, self.load(*low), self.load(past)),
                terms::compare(BinaryOp::Less, self.load(past), self.load(positions[0])),
            )
        });
        #[cfg(any(test, feature = "mutants"))]
        let has_past = has_past.filter(|_| !mutated(Mutant::PastIsForgotten));
        let past = has_past.map(|condition| (condition, past));
        let all = iterations.all();
        let mut fails = Vec::new();
        for left_out in 0..all.len() {
            let chosen: Vec<usize> = all.iter().copied().filter(|n| *n != left_out).collect();
            let flag = self.run(&chosen, positions, None, past.as_ref())?;
            fails.push(self.load(flag));
        }
        let whole = self.run(&all, positions, None, past.as_ref())?;
        let not_whole = self.load(whole).negated();
        let fewer = match self.form.quantifier {
            // Some residual of k iterations fails, or the one of k + 1 does not.
            Quantifier::Universal => fails.into_iter().reduce(terms::or),
            // All residuals of k iterations fail, or the one of k + 1 does not.
            Quantifier::Existential => fails.into_iter().reduce(terms::and),
        };
        Ok(fewer.map_or(not_whole.clone(), |fewer| terms::or(fewer, not_whole)))
    }

    /// Writes that one of three residuals has an existential property: that of the first
    /// iterations, of the last, or of any.
    fn some_residual(&mut self, iterations: Iterations) -> Result<Expr, Refusal> {
        let all = iterations.all();
        let size = all.len();
        let Iterations { low, high, mut positions, few } = iterations;
        self.begin_here();
        let any = self.run(&all, &positions, Some(high), None)?;
        let mut fails = self.load(any);
        for last in [false, true] {
            let mut chosen = Vec::new();
            for n in 0..size {
                let p = self.position(&format!("{}_{}", if last { "last" } else { "first" }, n + 1));
                let nth = self.plus(low, n);
                let value = if last {
                    let from_end = self.constant((size - n) as i128);
                    let back = Expr::binary(BinaryOp::Sub, self.load(high), from_end, WIDE);
                    terms::conditional(few.clone(), nth, back)
                } else {
                    nth
                };
                let s = self.set(p, value);
                self.out.push(s);
                chosen.push(positions.len());
                positions.push(p);
            }
            let others = self.run(&chosen, &positions, Some(high), None)?;
            fails = terms::and(fails, self.load(others));
        }
        Ok(terms::and(fails.negated(), self.load(self.wild).negated()))
    }

    /// Writes that the residual of each sequence has the property.
    fn each_residual(&mut self, iterations: &Iterations) -> Result<Expr, Refusal> {
        self.begin_here();
        let fails = self.run(&iterations.all(), &iterations.positions, Some(iterations.high), None)?;
        // A write outside of all arrays may change what the assertion reads.
        Ok(terms::and(self.load(fails).negated(), self.load(self.wild).negated()))
    }

    /// Writes that no residual reaches the assertion.
    fn no_arrival(&mut self, iterations: &Iterations) -> Result<Expr, Refusal> {
        self.begin_here();
        self.run(&iterations.all(), &iterations.positions, Some(iterations.high), None)?;
        Ok(self.load(self.reached).negated())
    }

    fn push(&mut self, kind: StmtKind) {
        self.out.push(Stmt::new(kind, SiteId(0), self.at));
    }

    /// A constant of 64 bits.
    fn constant(&self, n: i128) -> Expr {
        Expr::int(n, IntKind::LongLong, self.at)
    }

    /// `v + n`
    fn plus(&self, v: VarId, n: usize) -> Expr {
        Expr::binary(BinaryOp::Add, self.load(v), self.constant(n as i128), WIDE)
    }

    fn wide(&mut self, name: &str) -> VarId {
        terms::fresh(&mut self.program, name, WIDE, self.at)
    }

    /// A variable for the place of an iteration.
    fn position(&mut self, name: &str) -> VarId {
        let v = self.wide(name);
        self.positions.insert(v);
        v
    }

    fn load(&self, v: VarId) -> Expr {
        terms::load(&self.program, v, self.at)
    }

    fn set(&self, v: VarId, value: Expr) -> Stmt {
        terms::set(&self.program, v, value, SiteId(0), self.at)
    }

    /// Gives a variable an arbitrary value, at the start of the program. Returns the input, if it
    /// is one.
    fn draw_into(&mut self, v: VarId) -> Option<InputId> {
        let l = Lvalue::var(&self.program, v, self.at);
        let id = InputId(self.program.counters.inputs);
        self.program.counters.inputs += 1;
        let (kind, input) = match l.ty {
            Type::Int(_) => (StmtKind::Input(l, id), Some(id)),
            _ => (StmtKind::Declare(v), None),
        };
        self.draws.push(Stmt::new(kind, SiteId(0), self.at));
        input
    }

    /// Begins runs in any state that agrees with the variables that the loop does not write.
    fn begin_anywhere(&mut self) -> Result<(), Refusal> {
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::StatesAreFirst) {
            self.begin_here();
            return Ok(());
        }
        for (v, initial) in self.state.clone() {
            if v == self.dead || v == self.fails {
                // A run that is dead at its start is as dead with fewer iterations. A run that has
                // failed at its start has failed as much with fewer iterations.
                let s = self.set(initial, terms::int(0, self.at));
                self.out.push(s);
            } else {
                self.draw_into(initial);
            }
        }
        for v in self.arrays.keys().copied().collect::<Vec<_>>() {
            let variable = self.program.variable(v).clone();
            let mut ty = &variable.ty;
            while let Type::Array(element, length) = ty {
                if *length == Length::Unknown {
                    return Err(Refusal::at(
                        variable.location,
                        format!("the length of `{}` is unknown", variable.shown()),
                    ));
                }
                ty = element;
            }
            let initial = self.program.add_variable(first(variable));
            self.arrays.insert(v, initial);
            self.out.push(Stmt::new(StmtKind::Declare(initial), SiteId(0), self.at));
        }
        Ok(())
    }

    /// Assumes what is known of the state in which the first iteration begins.
    fn assume_known(&mut self, first: VarId) {
        let mut initial: HashMap<VarId, VarId> = self.state.iter().map(|(v, initial)| (*v, *initial)).collect();
        initial.insert(self.form.position, first);
        for e in &self.form.known {
            let condition = e.rewritten(&mut lengths::Renamed { to: initial.clone() });
            self.out.push(Stmt::new(StmtKind::Assume(condition), SiteId(0), self.at));
        }
    }

    /// Begins the run as the program does.
    fn begin_here(&mut self) {
        for (v, initial) in self.state.clone() {
            let s = self.set(initial, self.load(v));
            self.out.push(s);
        }
    }

    /// Writes one residual loop, the code after it, and the residual property. Returns the variable
    /// that says whether it fails.
    fn run(
        &mut self,
        chosen: &[usize],
        positions: &[VarId],
        high: Option<VarId>,
        past: Option<&(Expr, VarId)>,
    ) -> Result<VarId, Refusal> {
        let at = self.at;
        self.runs += 1;
        for (v, initial) in self.state.clone() {
            let s = self.set(v, self.load(initial));
            self.out.push(s);
        }
        let mut run = Run { log: HashMap::new(), slot: Slot::After, ordinal: 0, resets: Vec::new() };
        let mut text = Block::new();
        let form = self.form;
        for &n in chosen {
            run.enter(Slot::Iteration(n));
            let body = self.flagged(&self.at_position(&form.body, positions[n]));
            let iteration = self.block(&body, &mut run)?;
            text.extend(self.active(positions[n], high, iteration));
        }
        run.enter(Slot::After);
        let after = self.flagged(&form.after);
        text.extend(self.block(&after, &mut run)?);
        if !form.clause.is_empty() {
            let flagged = self.flagged(&form.clause);
            for &n in chosen {
                run.enter(Slot::Clause(n));
                let clause = self.clause(positions[n], &flagged, &mut run)?;
                text.extend(self.active(positions[n], high, clause));
            }
            if let Some((condition, past)) = past {
                run.enter(Slot::PastClause);
                let clause = self.clause(*past, &flagged, &mut run)?;
                text.push(Stmt::new(StmtKind::If(condition.clone(), clause, Vec::new()), SiteId(0), at));
            }
        }
        run.enter(Slot::Closing);
        let closing = self.flagged(&form.closing);
        text.extend(self.block(&closing, &mut run)?);
        self.out.append(&mut run.resets);
        self.out.append(&mut text);
        let result = terms::fresh(&mut self.program, format!("fails_{}", self.runs), Type::INT, at);
        let s = self.set(result, self.load(self.fails));
        self.out.push(s);
        Ok(result)
    }

    /// Guards an iteration that the loop may not have.
    fn active(&self, position: VarId, high: Option<VarId>, block: Block) -> Block {
        match high {
            None => block,
            Some(high) => {
                let condition = terms::compare(BinaryOp::Less, self.load(position), self.load(high));
                vec![Stmt::new(StmtKind::If(condition, block, Vec::new()), SiteId(0), self.at)]
            }
        }
    }

    /// The clause of one position. If all clauses must hold, undefined behaviour in one does not
    /// keep others from failing. If one must hold, an undefined clause counts as if it held.
    fn clause(&mut self, position: VarId, flagged: &Block, run: &mut Run) -> Result<Block, Refusal> {
        if self.form.quantifier == Quantifier::Existential {
            return self.block(&self.at_position(flagged, position), run);
        }
        let saved = terms::fresh(&mut self.program, "was_dead", Type::INT, self.at);
        let mut out = vec![self.set(saved, self.load(self.dead))];
        out.extend(self.block(&self.at_position(flagged, position), run)?);
        out.push(self.set(self.dead, self.load(saved)));
        Ok(out)
    }

    fn assert(&mut self, claim: Expr) {
        // The condition is that of a branch, not of the assertion: CBMC then has little to do if
        // nothing fails.
        let fails = StmtKind::Assert(terms::int(0, self.at), self.assertion);
        let fails = Stmt::new(fails, SiteId(0), self.at);
        let kind = StmtKind::If(claim.negated(), vec![fails], Vec::new());
        self.out.push(Stmt::new(kind, SiteId(0), self.at));
    }

    fn finish(mut self) -> Result<Written, Refusal> {
        let mut body = std::mem::take(&mut self.draws);
        body.append(&mut self.out);
        let mut size = 0usize;
        each_stmt(&body, &mut |s| {
            size += 1;
            crate::program::each_expr(s, &mut |_| size += 1);
        });
        if size > MOST_PARTS {
            return Err(Refusal::of_all("the residual program is too large"));
        }
        let entry = self.program.entry.0 as usize;
        // One function is all there is.
        self.program.functions.iter_mut().for_each(|f| f.body = None);
        let mut all = std::mem::take(&mut self.program.initialisers);
        all.append(&mut body);
        self.program.functions[entry].body = Some(all);
        Ok(Written { program: self.program, dead: self.dead, taken: self.taken })
    }
}

/// The most statements and expressions that a written program may have.
const MOST_PARTS: usize = 200_000;

/// The variable that holds another's value before the first run.
fn first(variable: Variable) -> Variable {
    let (name, origin) = (format!("{}_first", variable.name), variable.origin.derived());
    Variable { name, origin, storage: Storage::Local, ..variable }
}

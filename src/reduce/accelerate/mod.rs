//! Acceleration (Kumar 2019, 6.3): expresses what a loop computes as a closed form in the number of
//! its iterations.
//!
//! A forward walk over the normal form computes polynomials in the inputs: one for each scalar, and
//! one for each stretch of cells of an array, which may also use the index. A loop is walked
//! through once, for an arbitrary iteration `i`. A value that grows by a polynomial in `i` is a sum
//! of powers (Faulhaber). A cell that iteration `i` writes holds what iteration `index - c` has
//! written. What an inner loop adds to a stretch of cells is summed over the iterations whose
//! stretch covers the cell. An assertion is proved if the difference of its sides is 0, or has the
//! right sign for all inputs.
//!
//! **Soundness.** Only signed arithmetic and conversions that keep values are analysed. So on runs
//! without undefined behaviour the values are those of mathematical integers, which the polynomials
//! are about. A value without a closed form is unknown, and an unknown proves nothing. Assumptions
//! are used only as lower bounds of inputs.
//!
//! **Where we differ.** The thesis takes a tool for acceleration for granted, and accelerates
//! counters and the like. Here whole programs may have closed forms, and then no iteration remains
//! to be run. Nested loops are accelerated from the inside out.
//!
//! **Limits.** Loops that count up by one; indices `i + c`; one stretch of cells for each array and
//! loop; no geometric growth, no division.

mod facts;
mod loops;
mod poly;
mod state;
#[cfg(test)]
mod tests;

use super::Refusal;
use super::effects::Effects;
use super::normal::{Nest, Shape};
use crate::program::{
    Base as Root, BinaryOp, Block, DataModel, Expr, ExprKind, IntKind, Length, Lvalue, Program, Step, Stmt, StmtKind,
    Type, UnaryOp, VarId,
};
use facts::Facts;
use poly::{Atom, Atoms, Poly};
use state::{Base, Contents, Layer, State};
use std::collections::HashMap;

/// The walk stops after this many steps.
const MOST_STEPS: usize = 100_000;

/// Proves the assertion of a program by closed forms alone.
///
/// # Errors
/// The first place where something is not known to hold.
pub fn prove(nest: &Nest) -> Result<(), Refusal> {
    let walk = walked(nest);
    match walk.open {
        Some(at) => Err(Refusal::at(at, "some value that the assertion reads has no closed form that decides it")),
        None if walk.steps > MOST_STEPS => Err(Refusal::of_all("the closed forms are too large")),
        None if !walk.seen => Err(Refusal::of_all("no remaining statement is an assertion")),
        None => Ok(()),
    }
}

/// A walk through the whole program.
fn walked(nest: &Nest) -> Walk<'_> {
    let atoms = Atoms::default();
    let index = atoms.symbol();
    let mut walk = Walk {
        program: &nest.program,
        loops: &nest.loops,
        model: nest.program.data_model,
        atoms,
        index,
        facts: Facts::default(),
        state: State::default(),
        checks: true,
        open: None,
        seen: false,
        steps: 0,
        depth: 0,
        frames: Vec::new(),
    };
    walk.block(&nest.program.initialisers);
    walk.block(&nest.body);
    walk
}

struct Walk<'n> {
    program: &'n Program,
    loops: &'n HashMap<VarId, Shape>,
    model: DataModel,
    atoms: Atoms,
    /// The symbol for the index of a cell in the value of a layer.
    index: Atom,
    facts: Facts,
    state: State,
    /// Whether assertions are checked.
    checks: bool,
    /// Where an assertion is not known to hold.
    open: Option<crate::program::Location>,
    seen: bool,
    steps: usize,
    depth: usize,
    /// The loops around, the innermost last.
    frames: Vec<Frame>,
}

/// What is known of the arrays that a loop writes, inside one of its iterations.
struct Frame {
    /// By the number of the contents at the start of the iteration: the array, and the offset from
    /// the counter at which an iteration writes.
    arrays: HashMap<u32, (VarId, Option<i128>)>,
    /// Memory before the loop.
    before: State,
    low: Poly,
    counter: Poly,
    /// The value in the cell that the previous iteration wrote.
    written: HashMap<VarId, Poly>,
}

/// What is known about an array of which each iteration of a loop writes one cell, the next cell
/// after the last one.
struct Cell<'a> {
    /// The array before the loop.
    before: Option<&'a Contents>,
    /// The value that the previous iteration wrote.
    written: Option<Poly>,
    /// The cell that the first iteration writes.
    first: Poly,
    /// The cell that this iteration writes.
    own: Poly,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for s in block {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            self.lose(std::slice::from_ref(s));
            return;
        }
        match &s.kind {
            StmtKind::Assign(l, e) => {
                let value = self.eval(e);
                self.assign(l, value);
            }
            StmtKind::Input(l, _) | StmtKind::Havoc(l) if l.ty.is_scalar() => {
                // In a loop each iteration has another value, and no closed form tells these values
                // apart.
                let value = (self.depth == 0).then(|| self.atoms.symbol());
                if let (Some(value), Type::Int(kind)) = (value, &l.ty)
                    && !kind.is_signed()
                {
                    self.facts.at_least(value, 0);
                }
                self.assign(l, value.map(Poly::atom));
            }
            StmtKind::Declare(v) => self.declare(*v),
            StmtKind::Zero(l) => match (l.as_var(), &l.ty) {
                (Some(v), Type::Int(_)) => {
                    self.state.scalars.insert(v, Some(Poly::default()));
                }
                (Some(v), Type::Array(element, _)) if matches!(**element, Type::Int(_)) => {
                    let zeros = Contents { layers: Vec::new(), base: Base::Zero };
                    self.state.arrays.insert(v, Some(zeros));
                }
                _ => self.lose(std::slice::from_ref(s)),
            },
            StmtKind::If(c, a, b) => match self.decide(c) {
                Some(true) => self.block(a),
                Some(false) => self.block(b),
                None => {
                    // The assumptions and declarations of a branch are known in that branch alone.
                    let (before, facts) = (self.state.clone(), self.facts.clone());
                    self.block(a);
                    self.facts.clone_from(&facts);
                    let behind = std::mem::replace(&mut self.state, before);
                    self.block(b);
                    self.facts = facts;
                    self.state.join(&behind);
                }
            },
            StmtKind::Loop(l) => self.run(s, l),
            StmtKind::Assume(e) => {
                if self.depth == 0 {
                    self.assume(e, true);
                }
            }
            StmtKind::Assert(e, _) => {
                self.seen = true;
                if self.checks && self.decide(e) != Some(true) {
                    self.open.get_or_insert(s.location);
                }
            }
            StmtKind::Skip => {}
            _ => self.lose(std::slice::from_ref(s)),
        }
    }

    /// Forgets everything that a block writes and asserts.
    fn lose(&mut self, block: &[Stmt]) {
        let effects = Effects::of(block);
        for v in effects.writes {
            if self.program.variable(v).ty.is_scalar() {
                self.state.scalars.insert(v, None);
            } else {
                self.state.arrays.insert(v, None);
            }
        }
        crate::program::each_stmt(block, &mut |s| {
            if let (StmtKind::Assert(..), true) = (&s.kind, self.checks) {
                self.open.get_or_insert(s.location);
            }
        });
    }

    fn declare(&mut self, v: VarId) {
        let mut ty = &self.program.variable(v).ty;
        while let Type::Array(element, length) = ty {
            // An array of variable length has a cell, or the run is undefined.
            if let (Length::Variable(n), 0) = (length, self.depth)
                && let Some(Some(p)) = self.state.scalars.get(n).cloned()
                && let Some(p) = p.plus_constant(-1)
            {
                self.learn(&p);
            }
            ty = element;
        }
        if self.program.variable(v).ty.is_scalar() {
            let value = (self.depth == 0).then(|| Poly::atom(self.atoms.symbol()));
            self.state.scalars.insert(v, value);
        } else {
            let contents =
                (self.depth == 0).then(|| Contents { layers: Vec::new(), base: Base::Arbitrary(self.atoms.number()) });
            self.state.arrays.insert(v, contents);
        }
    }

    fn assign(&mut self, l: &Lvalue, value: Option<Poly>) {
        let Root::Var(v) = l.base else { return };
        let value = value.filter(|_| matches!(l.ty, Type::Int(_)));
        if l.path.is_empty() {
            self.state.scalars.insert(v, value);
            return;
        }
        let index = self.cell(l);
        let contents = self.contents(v);
        let new = match (index, contents) {
            (Some(low), Some(mut contents)) => low.plus_constant(1).map(|high| {
                contents.layers.push(Layer { low, high, value });
                contents
            }),
            _ => None,
        };
        self.state.arrays.insert(v, new);
    }

    /// The index of a cell of an array of integers with one dimension.
    fn cell(&mut self, l: &Lvalue) -> Option<Poly> {
        match (&l.path[..], &l.ty) {
            ([Step::Index(e)], Type::Int(_)) => self.eval(e),
            _ => None,
        }
    }

    fn contents(&mut self, v: VarId) -> Option<Contents> {
        let atoms = &self.atoms;
        let new = || Some(Contents { layers: Vec::new(), base: Base::Arbitrary(atoms.number()) });
        self.state.arrays.entry(v).or_insert_with(new).clone()
    }

    /// What the cell of that index holds in a state.
    fn read(&self, contents: &Contents, index: &Poly) -> Option<Poly> {
        for layer in contents.layers.iter().rev() {
            let above = index.minus(&layer.low)?;
            let below = layer.high.minus(index)?.plus_constant(-1)?;
            if self.nonnegative(&above) && self.nonnegative(&below) {
                return layer.value.as_ref()?.with(&self.atoms, self.index, index);
            }
            let before = layer.low.minus(index)?.plus_constant(-1)?;
            let behind = index.minus(&layer.high)?;
            if !self.nonnegative(&before) && !self.nonnegative(&behind) {
                return None;
            }
        }
        Some(match contents.base {
            Base::Zero => Poly::default(),
            Base::Arbitrary(n) => self.start_of_iteration(n, index),
        })
    }

    /// What a cell of some array holds at the start of an iteration of the loops around.
    fn start_of_iteration(&self, n: u32, index: &Poly) -> Poly {
        let frame = self.frames.iter().rev().find_map(|f| Some((f, f.arrays.get(&n)?)));
        let known = frame.and_then(|(frame, (v, offset))| {
            let offset = (*offset)?;
            let cell = Cell {
                before: frame.before.arrays.get(v).and_then(Option::as_ref),
                written: frame.written.get(v).cloned(),
                first: frame.low.plus_constant(offset)?,
                own: frame.counter.plus_constant(offset)?,
            };
            self.at_start(&cell, index)
        });
        known.unwrap_or_else(|| Poly::atom(self.atoms.cell(n, index)))
    }

    /// The value in the cell of that index at the start of an iteration: the value before the loop,
    /// if no earlier iteration has written the cell.
    fn at_start(&self, cell: &Cell<'_>, index: &Poly) -> Option<Poly> {
        let old = || self.read(cell.before?, index);
        match index.minus(&cell.own)?.as_constant() {
            Some(d) if d >= 0 => return old(),
            Some(-1) => return cell.written.clone(),
            _ => {}
        }
        // The cell lies before those that were written.
        let ahead = cell.first.minus(index)?.plus_constant(-1)?;
        if self.nonnegative(&ahead) { old() } else { None }
    }

    fn nonnegative(&self, p: &Poly) -> bool {
        self.facts.is_nonnegative(&self.atoms, p)
    }

    /// The value of an expression on runs without undefined behaviour.
    fn eval(&mut self, e: &Expr) -> Option<Poly> {
        let kind = e.ty.as_int()?;
        match &e.kind {
            ExprKind::Int(n) => Some(Poly::constant(*n)),
            ExprKind::Load(l) => {
                let Root::Var(v) = l.base else { return None };
                if l.path.is_empty() {
                    let (atoms, facts) = (&self.atoms, &mut self.facts);
                    let value = self.state.scalars.entry(v).or_insert_with(|| {
                        let symbol = atoms.symbol();
                        if !kind.is_signed() {
                            facts.at_least(symbol, 0);
                        }
                        Some(Poly::atom(symbol))
                    });
                    return value.clone();
                }
                let index = self.cell(l)?;
                let contents = self.contents(v)?;
                self.read(&contents, &index)
            }
            ExprKind::Cast(a) => {
                let from = a.ty.as_int()?;
                if kind == IntKind::Bool {
                    return self.decide(a).map(|b| Poly::constant(i128::from(b)));
                }
                let value = self.eval(a)?;
                let m = self.model;
                let keeps = kind.holds(from, m)
                    || value.as_constant().is_some_and(|n| kind.contains(n, m))
                    || kind.max(m) >= from.max(m) && self.nonnegative(&value);
                keeps.then_some(value)
            }
            ExprKind::Unary(UnaryOp::Negate, a) if kind.is_signed() => Poly::default().minus(&self.eval(a)?),
            ExprKind::Binary(op, a, b) if !op.is_comparison() => {
                let (x, y) = (self.eval(a)?, self.eval(b)?);
                match (op, x.as_constant(), y.as_constant()) {
                    (BinaryOp::Rem, _, Some(1)) => return Some(Poly::default()),
                    (BinaryOp::Div, _, Some(1)) => return Some(x),
                    (BinaryOp::Div, Some(x), Some(y)) => return Some(Poly::constant(x.checked_div(y)?)),
                    (BinaryOp::Rem, Some(x), Some(y)) => return Some(Poly::constant(x.checked_rem(y)?)),
                    _ if !kind.is_signed() => return None,
                    _ => {}
                }
                match op {
                    BinaryOp::Add => x.plus(&y),
                    BinaryOp::Sub => x.minus(&y),
                    BinaryOp::Mul => x.times(&y),
                    _ => None,
                }
            }
            ExprKind::Conditional(c, a, b) => {
                if self.decide(c)? {
                    self.eval(a)
                } else {
                    self.eval(b)
                }
            }
            ExprKind::Binary(..) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _) => {
                self.decide(e).map(|b| Poly::constant(i128::from(b)))
            }
            _ => None,
        }
    }

    /// Whether a condition holds, whatever the inputs are.
    fn decide(&mut self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.decide(a).map(|b| !b),
            ExprKind::And(a, b) => match self.decide(a) {
                Some(true) => self.decide(b),
                Some(false) => Some(false),
                None => (!self.decide(b)?).then_some(false),
            },
            ExprKind::Or(a, b) => match self.decide(a) {
                Some(false) => self.decide(b),
                Some(true) => Some(true),
                None => self.decide(b)?.then_some(true),
            },
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (x, y) = (self.eval(a)?, self.eval(b)?);
                let difference = x.minus(&y)?;
                let at_least = |p: &Poly, n: i128| p.plus_constant(-n).is_some_and(|p| self.nonnegative(&p));
                let opposite = y.minus(&x)?;
                let known = |holds: bool, fails: bool| match (holds, fails) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                };
                match op {
                    BinaryOp::Less => known(at_least(&opposite, 1), at_least(&difference, 0)),
                    BinaryOp::LessEqual => known(at_least(&opposite, 0), at_least(&difference, 1)),
                    BinaryOp::Greater => known(at_least(&difference, 1), at_least(&opposite, 0)),
                    BinaryOp::GreaterEqual => known(at_least(&difference, 0), at_least(&opposite, 1)),
                    BinaryOp::Equal => known(difference.is_zero(), at_least(&difference, 1) || at_least(&opposite, 1)),
                    _ => known(at_least(&difference, 1) || at_least(&opposite, 1), difference.is_zero()),
                }
            }
            _ => {
                let value = self.eval(e)?;
                if value.is_zero() {
                    return Some(false);
                }
                let positive = value.plus_constant(-1).is_some_and(|p| self.nonnegative(&p));
                let negative = Poly::constant(-1).minus(&value).is_some_and(|p| self.nonnegative(&p));
                (positive || negative).then_some(true)
            }
        }
    }

    /// Learns lower bounds of inputs from a condition that holds (or does not).
    fn assume(&mut self, e: &Expr, holds: bool) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.assume(a, !holds),
            ExprKind::And(a, b) if holds => {
                self.assume(a, true);
                self.assume(b, true);
            }
            ExprKind::Or(a, b) if !holds => {
                self.assume(a, false);
                self.assume(b, false);
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (Some(x), Some(y)) = (self.eval(a), self.eval(b)) else { return };
                // An expression that is at least 0.
                let (more, less, strict) = match (op, holds) {
                    (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => (y, x, 1),
                    (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => (y, x, 0),
                    (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => (x, y, 1),
                    (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => (x, y, 0),
                    _ => return,
                };
                let Some(p) = more.minus(&less).and_then(|p| p.plus_constant(-strict)) else { return };
                self.learn(&p);
            }
            _ => {}
        }
    }

    /// Learns that a polynomial is at least 0: if it is a symbol plus a constant, this is a lower
    /// bound of the symbol.
    fn learn(&mut self, p: &Poly) {
        for a in p.atoms(&self.atoms) {
            if let Some(rest) = p.without_linear(&self.atoms, a)
                && let Some(c) = rest.as_constant()
                && self.atoms.as_cell(a).is_none()
                && let Some(low) = c.checked_neg()
            {
                self.facts.at_least(a, low);
            }
        }
    }
}

/// The unknowns that stand for values at the start of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Before {
    /// Of a scalar.
    Scalar(VarId),
    /// Of the cell that the previous iteration wrote.
    Written(VarId),
}

/// An unknown and what it is about.
type Pre = HashMap<Before, Atom>;

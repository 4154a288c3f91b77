//! Acceleration of loop variables (Kumar 2019, 6.3 and 6.4.2): the values that an iteration reads
//! of scalars which iterations hand on are computed from the number of the iteration.
//!
//! **Meaning.** For a scalar `x` with a known [`Update`], the loop reads and writes a variable of
//! its own in the place of `x`. Each iteration begins by giving it the value that `x` has there:
//! the thesis' assignments `A_j`. After the loop `x` gets the value after the last iteration. No
//! iteration then depends on another because of `x`.
//!
//! **Soundness.** On a run without undefined behaviour, `x` has at the start of iteration `n` the
//! value that is written, so every such run of the program is one of the result. The reason depends
//! on the kind of update:
//!
//! * *Linear*, *power*: arithmetic modulo two to the width of the type is a ring. The program's
//!   operations are homomorphisms of it wherever they are defined, conversions to types that are
//!   not narrower included. So the value is the one computed in unsigned arithmetic. If the
//!   program's own arithmetic is signed and nothing is narrowed, an overflow is undefined: C says
//!   nothing about what follows it, and the run ends there. So later iterations may be assumed not
//!   to have overflowed before. This is said only of the one addition, or of products whose partial
//!   products are the values in earlier iterations.
//! * *Periodic*: by induction over `n`, the value is number `n` of the sequence; from `again` on
//!   the sequence repeats.
//! * *Modular*: C's `%` rounds towards 0. So with `r = x % k`, `d >= 0`, `k > 0` and `x > -k` the
//!   values are `(r + d * n) % k`. As long as the sum is negative, it is more than `-k`, so that
//!   `d * n` is less than `k`. From then on all are remainders of numbers that are not negative,
//!   and `r + k` may stand for a negative `r`. With one that is not, `d % k` and `n % k` may stand
//!   for `d` and `n`. This is so if no sum overflows and no conversion changes a value. Nothing is
//!   said of other values before the loop: then `x` is arbitrary.
//!
//! **Limits.** Loops that are left early, and flattened nests, are left alone, and so are values
//! that an iteration computes also from the counter.

use super::super::effects::Effects;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::normal::{Counted, Normal, NormalPart, folded};
use super::super::terms;
use super::form::FARTHEST;
use super::form::WIDE;
use super::grid::Flat;
use super::lengths;
use super::updates::{Update, modular, residue, signed, updates};
use crate::program::{
    BinaryOp, Block, DataModel, Expr, IntKind, Location, Lvalue, Program, SiteId, Stmt, StmtKind, Type, VarId,
    rewritten,
};
use std::collections::{BTreeMap, HashMap};

/// Accelerates the loop variables of a program where possible; `None` if there are none.
pub(super) fn accelerated(flat: &Flat) -> Option<Flat> {
    let mut program = flat.normal.program.clone();
    let mut parts: Vec<NormalPart> = Vec::new();
    let mut some = false;
    for (n, part) in flat.normal.parts.iter().enumerate() {
        let l = match part {
            NormalPart::Loop(l) if l.exit.is_none() && l.step != 0 && !flat.grids.contains_key(&l.counter) => l,
            _ => {
                push(&mut parts, part.clone());
                continue;
            }
        };
        let known = |v: VarId| constant_before(&flat.normal.parts[..n], v);
        let found = updates(&program, l, &known);
        if found.is_empty() {
            push(&mut parts, part.clone());
            continue;
        }
        some = true;
        let rest = &flat.normal.parts[n + 1..];
        let (before, l, after) = Advance::new(&mut program, l, found, &known).split(rest);
        push(&mut parts, NormalPart::Straight(before));
        push(&mut parts, NormalPart::Loop(l));
        push(&mut parts, NormalPart::Straight(after));
    }
    let normal = Normal { program, parts, abstracted: flat.normal.abstracted.clone() };
    some.then(|| Flat { normal, grids: flat.grids.clone() })
}

/// Adds a part. Two straight parts never stand side by side.
fn push(parts: &mut Vec<NormalPart>, part: NormalPart) {
    match (parts.last_mut(), part) {
        (Some(NormalPart::Straight(last)), NormalPart::Straight(more)) => last.extend(more),
        (_, NormalPart::Straight(block)) if block.is_empty() => {}
        (_, part) => parts.push(part),
    }
}

/// The constant that a variable holds after these parts, if the last statement that may write it
/// assigns one.
fn constant_before(parts: &[NormalPart], v: VarId) -> Option<i128> {
    let writes = |s: &Stmt| Effects::of(std::slice::from_ref(s)).writes.contains(&v);
    for part in parts.iter().rev() {
        let block = match part {
            NormalPart::Straight(block) => block,
            NormalPart::Loop(l) => {
                if l.counter == v || l.body.iter().any(writes) {
                    return None;
                }
                continue;
            }
        };
        if let Some(s) = block.iter().rev().find(|s| writes(s)) {
            return match &s.kind {
                StmtKind::Assign(l, e) if l.as_var() == Some(v) => e.as_int(),
                StmtKind::Zero(l) if l.as_var() == Some(v) => Some(0),
                _ => None,
            };
        }
    }
    None
}

/// Whether the parts read a variable.
fn is_read(parts: &[NormalPart], v: VarId) -> bool {
    parts.iter().any(|part| match part {
        NormalPart::Straight(block) => Effects::of(block).reads.contains(&v),
        NormalPart::Loop(l) => {
            Effects::of(&l.body).reads.contains(&v)
                || [&l.first, &l.bound].into_iter().any(|e| Effects::of_expr(e).reads.contains(&v))
        }
    })
}

/// The work on one loop.
struct Advance<'p> {
    program: &'p mut Program,
    source: Counted,
    updates: BTreeMap<VarId, Update>,
    /// The values before the loop of the scalars that it writes: variables, or constants.
    first: HashMap<VarId, Expr>,
    before: Block,
    at: Location,
}

impl<'p> Advance<'p> {
    fn new(
        program: &'p mut Program,
        source: &Counted,
        updates: BTreeMap<VarId, Update>,
        known: &dyn Fn(VarId) -> Option<i128>,
    ) -> Advance<'p> {
        let at = source.location;
        let (first, before) = (HashMap::new(), Block::new());
        let mut advance = Advance { program, source: source.clone(), updates, first, before, at };
        let own: Vec<VarId> = advance.updates.keys().copied().collect();
        for v in own {
            let constant = known(v).zip(advance.program.variable(v).ty.as_int());
            let value = match constant {
                Some((n, kind)) => Expr::int(n, kind, at),
                None => advance.kept(v),
            };
            advance.first.insert(v, value);
        }
        // The values of a chain may be those of scalars with updates of their own.
        for v in Effects::of(&advance.source.body).writes {
            if !advance.first.contains_key(&v) && advance.is_wanted(v) {
                let value = advance.kept(v);
                advance.first.insert(v, value);
            }
        }
        advance
    }

    /// Saves the value that a variable has before the loop, in a variable of its own.
    fn kept(&mut self, v: VarId) -> Expr {
        let ty = self.program.variable(v).ty.clone();
        let kept = terms::named_after(self.program, v, "before", ty, self.at);
        let value = terms::load(self.program, v, self.at);
        self.before.push(terms::set(self.program, kept, value, SiteId(0), self.at));
        terms::load(self.program, kept, self.at)
    }

    /// Whether a value of some update reads the variable.
    fn is_wanted(&self, v: VarId) -> bool {
        self.updates.values().any(|u| match u {
            Update::Periodic { values, .. } => values.iter().any(|e| Effects::of_expr(e).reads.contains(&v)),
            _ => false,
        })
    }

    /// Returns what runs before the loop, the loop, and what runs after it.
    fn split(mut self, rest: &[NormalPart]) -> (Block, Counted, Block) {
        let number = self.number();
        let mut body = self.source.body.clone();
        let mut starts = Block::new();
        let mut after = Block::new();
        let mut count = None;
        let updates = std::mem::take(&mut self.updates);
        for (&v, update) in &updates {
            if is_read(rest, v) {
                let n = *count.get_or_insert_with(|| self.count(&mut after));
                match n {
                    Some(n) => {
                        let n = terms::load(self.program, n, self.at);
                        self.write(v, update, v, &n, &mut after);
                    }
                    None => {
                        let target = Lvalue::var(self.program, v, self.at);
                        after.push(Stmt::new(StmtKind::Havoc(target), SiteId(0), self.at));
                    }
                }
            }
            if let Some(direct) = self.direct(v, update, &body) {
                body = direct;
                continue;
            }
            let ty = self.program.variable(v).ty.clone();
            let now = terms::named_after(self.program, v, "now", ty, self.at);
            self.write(v, update, now, &number, &mut starts);
            body = rewritten(&body, &mut lengths::Renamed { to: HashMap::from([(v, now)]) });
        }
        starts.append(&mut body);
        (self.before, Counted { body: starts, ..self.source }, after)
    }

    fn wide(&self, n: i128) -> Expr {
        Expr::int(n, IntKind::LongLong, self.at)
    }

    fn op(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let e = match (op, a.as_int(), b.as_int()) {
            (BinaryOp::Add, Some(0), _) | (BinaryOp::Mul, Some(1), _) => return b,
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) | (BinaryOp::Mul | BinaryOp::Div, _, Some(1)) => return a,
            _ => {
                let ty = a.ty.clone();
                Expr::binary(op, a, b, ty)
            }
        };
        folded(&e, self.program.data_model).unwrap_or(e)
    }

    fn cast(&self, e: Expr, ty: Type) -> Expr {
        let e = e.cast(ty);
        folded(&e, self.program.data_model).unwrap_or(e)
    }

    /// The number of an iteration, counted from 0.
    fn number(&self) -> Expr {
        let counter = terms::load(self.program, self.source.counter, self.at).cast(WIDE);
        let first = self.cast(self.source.first.clone(), WIDE);
        let distance = match self.source.step {
            1.. => self.op(BinaryOp::Sub, counter, first),
            _ => self.op(BinaryOp::Sub, first, counter),
        };
        self.op(BinaryOp::Div, distance, self.wide(self.source.step.abs()))
    }

    /// A variable for the number of iterations; `None` if the number may not fit.
    fn count(&mut self, out: &mut Block) -> Option<VarId> {
        let l = self.source.clone();
        let model = self.program.data_model;
        let is_near = |e: &Expr| match e.as_int() {
            Some(n) => n.abs() <= FARTHEST,
            None => e.ty.as_int().is_some_and(|kind| kind.width(model) <= 32),
        };
        if !is_near(&l.first) || !is_near(&l.bound) || l.step.abs() > FARTHEST {
            return None;
        }
        let (first, bound) = (self.cast(l.first.clone(), WIDE), self.cast(l.bound.clone(), WIDE));
        let (small, large) = if l.step > 0 { (first, bound) } else { (bound, first) };
        let inclusive = matches!(l.relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
        let rounding = if inclusive { l.step.abs() } else { l.step.abs() - 1 };
        let distance = self.op(BinaryOp::Add, self.op(BinaryOp::Sub, large, small), self.wide(rounding));
        let count = self.op(BinaryOp::Div, distance, self.wide(l.step.abs()));
        let some = terms::compare(BinaryOp::Greater, count.clone(), self.wide(0));
        let count = terms::conditional(some, count, self.wide(0));
        let v = terms::fresh(self.program, "iterations", WIDE, self.at);
        out.push(terms::set(self.program, v, count, SiteId(0), self.at));
        Some(v)
    }

    /// Rewrites the body with a linear scalar as an expression in the counter. Its own additions
    /// must overflow exactly where the program's do. Indices are then linear in the counter.
    fn direct(&self, v: VarId, update: &Update, body: &Block) -> Option<Block> {
        let Update::Linear { step, exact: true } = update else { return None };
        let ty = self.program.variable(v).ty.clone();
        let kind = ty.as_int().filter(|k| k.is_signed())?;
        let step = signed(step.as_int()?, kind.width(self.program.data_model));
        let counter = terms::load(self.program, self.source.counter, self.at);
        if counter.ty != ty || step % self.source.step != 0 || step == 0 {
            return None;
        }
        let mut writing = (0..body.len()).filter(|&n| Effects::of(&body[n..=n]).writes.contains(&v));
        let (place, None) = (writing.next()?, writing.next()) else { return None };
        if !matches!(body[place].kind, StmtKind::Assign(..)) {
            return None;
        }
        let factor = step / self.source.step;
        let constant = |n: i128| {
            let fits = kind.contains(n, self.program.data_model);
            fits.then(|| Expr::int(n, kind, self.at))
        };
        // x = factor * counter + offset
        let value = |later: i128| -> Option<Expr> {
            let (first, begin) = (&self.first[&v], self.source.first.as_int()?);
            let Some(first) = first.as_int() else {
                // One operation, with the value as its result.
                let e = match factor {
                    1 if begin == 0 && later == 0 => self.op(BinaryOp::Add, first.clone(), counter.clone()),
                    -1 if begin == 0 && later == 0 => self.op(BinaryOp::Sub, first.clone(), counter.clone()),
                    _ => return None,
                };
                return Some(e);
            };
            let offset = first.checked_add(later)?.checked_sub(factor.checked_mul(begin)?)?;
            Some(match factor {
                -1 => self.op(BinaryOp::Sub, constant(offset)?, counter.clone()),
                // The sum is not larger than its multiple, and the multiple is the value.
                _ if offset % factor == 0 => {
                    let sum = self.op(BinaryOp::Add, counter.clone(), constant(offset / factor)?);
                    self.op(BinaryOp::Mul, sum, constant(factor)?)
                }
                _ => return None,
            })
        };
        let now = value(0)?;
        let next = match value(step) {
            Some(next) => next,
            None => self.op(BinaryOp::Add, now.clone(), constant(step)?),
        };
        #[cfg(any(test, feature = "mutants"))]
        let now = if mutated(Mutant::StepsComeFirst) { next.clone() } else { now };
        let mut out = rewritten(&body[..place], &mut terms::Substitution { of: v, to: now });
        out.extend(rewritten(&body[place + 1..], &mut terms::Substitution { of: v, to: next }));
        Some(out)
    }

    /// Replaces variables that change in the loop by their values before it.
    fn at_first(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        for (&v, first) in &self.first {
            e = e.rewritten(&mut terms::Substitution { of: v, to: first.clone() });
        }
        e
    }

    /// Gives a variable the value that `v` has after this many iterations.
    fn write(&mut self, v: VarId, update: &Update, target: VarId, n: &Expr, out: &mut Block) {
        let at = self.at;
        let ty = self.program.variable(v).ty.clone();
        let Some(kind) = ty.as_int() else { return };
        let model = self.program.data_model;
        let width = kind.width(model);
        let first = self.first[&v].clone();
        let value = match update {
            Update::Linear { step, exact } => {
                let constant = step.as_int().filter(|_| *exact && width <= 32).map(|d| signed(d, width));
                match constant {
                    Some(d) => {
                        let added = self.op(BinaryOp::Mul, self.wide(d), n.clone());
                        let sum = self.op(BinaryOp::Add, self.cast(first, WIDE), added);
                        self.in_range(sum, kind, model, out)
                    }
                    None => {
                        let ty = modular(width);
                        let added = self.op(BinaryOp::Mul, step.clone(), self.cast(n.clone(), ty.clone()));
                        self.op(BinaryOp::Add, self.cast(first, ty.clone()), added)
                    }
                }
            }
            &Update::Power { factor, offset: 0, exact: true } => self.product(first, factor, kind, n, out),
            &Update::Power { factor, offset, .. } => self.power(first, factor, offset, width, n),
            Update::Periodic { values, again } => {
                let values: Vec<Expr> = values.iter().map(|e| self.at_first(e)).collect();
                self.nth(&values, *again, n, out)
            }
            &Update::Modular { step, modulus, least, most } => {
                // From a smaller value the first sum may still be negative even if `r + d` is not.
                let least = least.max(1 - modulus);
                let rest = |e: Expr| self.op(BinaryOp::Rem, e, self.wide(modulus));
                let wide = self.cast(first.clone(), WIDE);
                let added = match step % modulus {
                    // The result is no larger than the sum of both.
                    1 => n.clone(),
                    d => self.op(BinaryOp::Mul, self.wide(d), rest(n.clone())),
                };
                let mut start = rest(wide.clone());
                let negative = least < 0 && first.as_int().is_none_or(|n| n < 0);
                #[cfg(any(test, feature = "mutants"))]
                let negative = negative && !mutated(Mutant::RemaindersKeepTheirSign);
                if negative && step != 0 {
                    let last = self.op(BinaryOp::Sub, self.wide(-1), start.clone());
                    let last = self.op(BinaryOp::Div, last, self.wide(step));
                    let below = terms::compare(BinaryOp::Less, start.clone(), self.wide(0));
                    let passed = terms::and(below, terms::compare(BinaryOp::Less, last, n.clone()));
                    let from_zero = self.op(BinaryOp::Add, start.clone(), self.wide(modulus));
                    start = terms::conditional(passed, from_zero, start);
                }
                let later = rest(self.op(BinaryOp::Add, start, added));
                let none = terms::compare(BinaryOp::Equal, n.clone(), self.wide(0));
                let value = terms::conditional(none, wide.clone(), later);
                let inside = |n: i128| (least..=most).contains(&n);
                #[cfg(any(test, feature = "mutants"))]
                let inside = |n: i128| inside(n) || mutated(Mutant::SumsStayInside);
                let known = first.as_int().is_some_and(inside);
                #[cfg(any(test, feature = "mutants"))]
                let known = known || mutated(Mutant::SumsStayInside);
                if !known {
                    let low = terms::compare(BinaryOp::LessEqual, self.wide(least), wide.clone());
                    let high = match i64::try_from(most) {
                        Ok(_) => terms::compare(BinaryOp::LessEqual, wide, self.wide(most)),
                        Err(_) => terms::int(1, at),
                    };
                    let set = terms::set(self.program, target, value, SiteId(0), at);
                    let any = StmtKind::Havoc(Lvalue::var(self.program, target, at));
                    let any = Stmt::new(any, SiteId(0), at);
                    let kind = StmtKind::If(terms::and(low, high), vec![set], vec![any]);
                    out.push(Stmt::new(kind, SiteId(0), at));
                    return;
                }
                value
            }
        };
        let value = self.cast(value, ty);
        out.push(terms::set(self.program, target, value, SiteId(0), at));
    }

    /// A value in 64 bits. Either it fits into the type, or the run has ended before.
    fn in_range(&mut self, value: Expr, kind: IntKind, model: DataModel, out: &mut Block) -> Expr {
        if kind.width(model) >= 64 {
            return value;
        }
        let v = terms::fresh(self.program, "value", WIDE, self.at);
        out.push(terms::set(self.program, v, value, SiteId(0), self.at));
        let value = || terms::load(self.program, v, self.at);
        let low = terms::compare(BinaryOp::LessEqual, self.wide(kind.min(model)), value());
        let high = terms::compare(BinaryOp::LessEqual, value(), self.wide(kind.max(model)));
        out.push(Stmt::new(StmtKind::Assume(terms::and(low, high)), SiteId(0), self.at));
        value()
    }

    /// `first * factor^n`. Either no such product up to there leaves the type, or the run has ended
    /// before. From the `n` on at which the power of two to the width is reached, only 0 stays in
    /// range.
    fn product(&mut self, first: Expr, factor: i128, kind: IntKind, n: &Expr, out: &mut Block) -> Expr {
        let model = self.program.data_model;
        let width = kind.width(model);
        let mut limit = 0u32;
        let mut reached = 1i128;
        while reached < 1 << width {
            reached = reached.saturating_mul(factor.abs());
            limit += 1;
        }
        let zero = terms::compare(BinaryOp::Equal, first.clone(), self.cast(terms::int(0, self.at), first.ty.clone()));
        let early = terms::compare(BinaryOp::Less, n.clone(), self.wide(i128::from(limit)));
        let stays = terms::or(zero, early);
        #[cfg(any(test, feature = "mutants"))]
        let stays = if mutated(Mutant::ProductsStaySmall) {
            terms::compare(BinaryOp::Less, n.clone(), self.wide(3))
        } else {
            stays
        };
        out.push(Stmt::new(StmtKind::Assume(stays), SiteId(0), self.at));
        let mut value = self.cast(first, WIDE);
        let mut power = factor;
        // The bits are those of numbers below the limit; any multiple of 0 is 0.
        for bit in 0..u32::BITS - (limit - 1).leading_zeros() {
            value = self.op(BinaryOp::Mul, value, self.chosen(n, bit, self.wide(power), self.wide(1)));
            power = power.saturating_mul(power);
            if i64::try_from(power).is_err() {
                power = 0;
            }
        }
        self.in_range(value, kind, model, out)
    }

    /// One of two constants, selected by a bit of `n`.
    fn chosen(&self, n: &Expr, bit: u32, yes: Expr, no: Expr) -> Expr {
        let shifted = match bit {
            0 => n.clone(),
            _ => self.op(BinaryOp::ShiftRight, n.clone(), self.wide(i128::from(bit))),
        };
        let is_set = self.op(BinaryOp::BitAnd, shifted, self.wide(1));
        terms::conditional(terms::compare(BinaryOp::NotEqual, is_set, self.wide(0)), yes, no)
    }

    /// Applies `x -> factor * x + offset`, `n` times, modulo two to the width. The bits of `n`
    /// select maps of which each is the square of the one before. The maps commute.
    fn power(&self, first: Expr, factor: i128, offset: i128, width: u32, n: &Expr) -> Expr {
        let ty = modular(width);
        let unsigned = |n: i128| residue(n, width, self.at);
        let mut value = self.cast(first, ty.clone());
        let (mut c, mut d) = (signed(factor, width), signed(offset, width));
        // With an even factor, no more than `width` applications count: the power is then 0, and
        // the map always gives its last value.
        let even = c % 2 == 0;
        let mut bit = 0;
        while if even { 1 << bit < width } else { (c, d) != (1, 0) && bit < 62 } {
            let times = self.chosen(n, bit, unsigned(c), unsigned(1));
            let plus = self.chosen(n, bit, unsigned(d), unsigned(0));
            value = Expr::binary(BinaryOp::Mul, value, times, ty.clone());
            if d != 0 {
                value = Expr::binary(BinaryOp::Add, value, plus, ty.clone());
            }
            (c, d) = (signed(c * c, width), signed(signed(c * d, width) + d, width));
            bit += 1;
        }
        #[cfg(any(test, feature = "mutants"))]
        let even = even && !mutated(Mutant::PowersComeRound);
        if even {
            let late = terms::compare(BinaryOp::GreaterEqual, n.clone(), self.wide(1 << bit));
            value = terms::conditional(late, unsigned(d), value);
        }
        value
    }

    /// Number `n` of a sequence that repeats from `again` on.
    fn nth(&mut self, values: &[Expr], again: usize, n: &Expr, out: &mut Block) -> Expr {
        let period = (values.len() - again) as i128;
        let again = again as i128;
        let round = |e: Expr| match period {
            1 => self.wide(0),
            // Iteration numbers are not negative.
            p if p & (p - 1) == 0 => self.op(BinaryOp::BitAnd, e, self.wide(p - 1)),
            p => self.op(BinaryOp::Rem, e, self.wide(p)),
        };
        let number = match again {
            0 => round(n.clone()),
            _ => {
                let early = terms::compare(BinaryOp::Less, n.clone(), self.wide(again));
                let later = round(self.op(BinaryOp::Sub, n.clone(), self.wide(again)));
                terms::conditional(early, n.clone(), self.op(BinaryOp::Add, self.wide(again), later))
            }
        };
        let v = terms::fresh(self.program, "round", WIDE, self.at);
        out.push(terms::set(self.program, v, number, SiteId(0), self.at));
        let mut value = values[values.len() - 1].clone();
        for (m, e) in values[..values.len() - 1].iter().enumerate().rev() {
            let here = terms::load(self.program, v, self.at);
            let is_it = terms::compare(BinaryOp::Equal, here, self.wide(m as i128));
            value = terms::conditional(is_it, e.clone(), value);
        }
        value
    }
}

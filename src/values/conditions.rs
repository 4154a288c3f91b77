//! Conditions: whether they hold, and what is known where they do.

use super::engine::Values;
use super::float::Floats;
use super::implications::Place;
use super::offsets::Offsets;
use super::state::State;
use super::stop::{Evaluated, Stop, if_reached};
use super::value::{Pointers, Target, Value, range_of};
use super::walks;
use crate::program::{BinaryOp, Expr, ExprKind, Lvalue, Type, UnaryOp};

impl<'p> Values<'p> {
    /// Whether a condition holds, if that is known.
    pub(super) fn truth(&mut self, state: &State, e: &'p Expr) -> Evaluated<Option<bool>> {
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.truth(state, a)?.map(|t| !t),
            ExprKind::And(..) | ExprKind::Or(..) => match self.split(state, e)? {
                (Some(_), None) => Some(true),
                (None, Some(_)) => Some(false),
                (Some(_), Some(_)) => None,
                (None, None) => return Err(Stop::Unreached),
            },
            ExprKind::Binary(op, a, b) if op.is_comparison() => self.compare(state, *op, a, b)?,
            _ => match self.value(state, e)? {
                Value::Number(n) if n.as_constant() == Some(0) => Some(false),
                Value::Number(n) if !n.contains(0) => Some(true),
                Value::Float(f) => match f.equal(Floats::constant(0.0)) {
                    (true, false) => Some(false),
                    (false, true) => Some(true),
                    _ => None,
                },
                Value::Pointer(p) if *p == Pointers::null() => Some(false),
                Value::Pointer(p) if p.is_address() => Some(true),
                _ => None,
            },
        })
    }

    /// Whether a comparison holds, if that is known.
    pub(super) fn compare(&mut self, state: &State, op: BinaryOp, a: &'p Expr, b: &'p Expr) -> Evaluated<Option<bool>> {
        let (op, a, b) = match op {
            BinaryOp::Greater => (BinaryOp::Less, b, a),
            BinaryOp::GreaterEqual => (BinaryOp::LessEqual, b, a),
            op => (op, a, b),
        };
        if let Type::Float(_) = a.ty {
            let (x, y) = (self.float(state, a)?, self.float(state, b)?);
            let (may, may_not) = match op {
                BinaryOp::Less => x.less(y),
                BinaryOp::LessEqual => x.less_equal(y),
                BinaryOp::Equal => x.equal(y),
                _ => {
                    let (may, may_not) = x.equal(y);
                    (may_not, may)
                }
            };
            return Ok((may != may_not).then_some(may));
        }
        if let Type::Int(_) = a.ty {
            let (x, y) = (self.number(state, a)?, self.number(state, b)?);
            return Ok(match op {
                BinaryOp::Less => x.less(y),
                BinaryOp::LessEqual => x.less_equal(y),
                BinaryOp::Equal => x.equal(y),
                _ => x.equal(y).map(|t| !t),
            });
        }
        let (p, q) = (self.pointers(state, a)?, self.pointers(state, b)?);
        Ok(match op {
            BinaryOp::Equal => self.same(state, &p, &q),
            BinaryOp::NotEqual => self.same(state, &p, &q).map(|t| !t),
            _ => match (self.one(&p), self.one(&q)) {
                (Some((o, x)), Some((u, y))) if o == u => match op {
                    BinaryOp::Less => x.hull().less(y.hull()),
                    _ => x.hull().less_equal(y.hull()),
                },
                _ => None,
            },
        })
    }

    /// Whether two pointers are equal, if that is known.
    fn same(&mut self, state: &State, p: &Pointers, q: &Pointers) -> Option<bool> {
        if p.wild || q.wild {
            return None;
        }
        let (null, nowhere) = (Pointers::null(), Pointers::default());
        if *p == null && *q == null {
            return Some(true);
        }
        if let (Some((o, x)), Some((u, y))) = (self.one(p), self.one(q))
            && o == u
        {
            // A name of a variable stands for one object at a time, and a pointer to one that has
            // ended is assumed not to be used.
            return x.equal(y);
        }
        let functions = p.functions.iter().any(|f| q.functions.contains(f));
        if (p.null && q.null) || functions || *p == nowhere || *q == nowhere {
            return None;
        }
        for Target { object: o, offset: x, .. } in p.targets.iter() {
            for Target { object: u, offset: y, .. } in q.targets.iter() {
                // An object may begin where another one ends (C11 6.5.9p6), and literals may share
                // their characters (6.4.5p7).
                let is_inside = |object, at: Offsets| {
                    self.sized(state, object).is_some_and(|size| at.lo() >= 0 && at.hi() < size.lo())
                        && !self.objects.is_hidden(object, self.program)
                };
                let apart = if o == u {
                    !self.objects.origin(o).is_several() && x.equal(y) == Some(false)
                } else {
                    is_inside(o, x) && is_inside(u, y)
                };
                if !apart {
                    return None;
                }
            }
        }
        Some(false)
    }

    /// The states in which the condition holds and in which it does not. Each part of it is
    /// evaluated once for each of them, however deep it lies.
    pub(super) fn split(&mut self, state: &State, c: &'p Expr) -> Evaluated<(Option<State>, Option<State>)> {
        match &c.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.split(state, a).map(|(yes, no)| (no, yes)),
            ExprKind::And(a, b) => {
                let (first, no) = self.split(state, a)?;
                let (yes, second_no) = self.split_rest(first, b)?;
                Ok((yes, self.joined(no, second_no)))
            }
            ExprKind::Or(a, b) => {
                let (yes, rest) = self.split(state, a)?;
                let (second_yes, no) = self.split_rest(rest, b)?;
                Ok((self.joined(yes, second_yes), no))
            }
            _ => Ok(match self.truth(state, c)? {
                Some(true) => (Some(state.clone()), None),
                Some(false) => (None, Some(state.clone())),
                None => (self.assume(state, c, true)?, self.assume(state, c, false)?),
            }),
        }
    }

    /// [`Values::split`] by the right operand of `&&` and `||`, where it is evaluated at all.
    fn split_rest(&mut self, state: Option<State>, c: &'p Expr) -> Evaluated<(Option<State>, Option<State>)> {
        match state.map(|state| self.split(&state, c)) {
            None | Some(Err(Stop::Unreached)) => Ok((None, None)),
            Some(ways) => ways,
        }
    }

    /// What is known where the condition holds, or does not; `None` if no run goes that way.
    pub(super) fn assume(&mut self, state: &State, c: &'p Expr, holds: bool) -> Evaluated<Option<State>> {
        if_reached(self.assumed(state, c, holds))
    }

    fn assumed(&mut self, state: &State, c: &'p Expr, holds: bool) -> Evaluated<State> {
        if let ExprKind::And(..) | ExprKind::Or(..) = c.kind {
            let (yes, no) = self.split(state, c)?;
            return if holds { yes } else { no }.ok_or(Stop::Unreached);
        }
        if self.truth(state, c)? == Some(!holds) {
            return Err(Stop::Unreached);
        }
        let mut known = self.assumed_of_values(state, c, holds)?;
        if let Some(l) = walks::passed_byte(c, holds) {
            self.is_passed(&mut known, l)?;
        }
        self.counts(&mut known, c, holds)?;
        self.written_up_to_less(&mut known, c, holds)?;
        Ok(known)
    }

    /// What a condition says of the values of its parts.
    fn assumed_of_values(&mut self, state: &State, c: &'p Expr, holds: bool) -> Evaluated<State> {
        match &c.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.assumed(state, a, !holds),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let state = self.compared(state, *op, a, b, holds)?;
                self.looked_up(state, c, holds)
            }
            ExprKind::Cast(a) if matches!((&a.ty, &c.ty), (Type::Int(from), Type::Int(to)) if to.holds(*from, self.model)) => {
                self.assumed(state, a, holds)
            }
            ExprKind::Cast(a) if matches!(a.ty, Type::Pointer(_)) && matches!(c.ty, Type::Pointer(_)) => {
                self.assumed(state, a, holds)
            }
            _ => match self.value(state, c)? {
                Value::Number(n) => {
                    let n = if holds { n.without(0) } else { n.clamp(Some(0), Some(0)) };
                    let state = self.refine(state, c, &Value::Number(n.ok_or(Stop::Unreached)?))?;
                    self.looked_up(state, c, holds)
                }
                Value::Pointer(p) => {
                    let p = if holds { Pointers { null: false, ..(*p).clone() } } else { Pointers::null() };
                    self.refine(state, c, &Value::pointer(p))
                }
                _ => Ok(state.clone()),
            },
        }
    }

    fn compared(&mut self, state: &State, op: BinaryOp, a: &'p Expr, b: &'p Expr, holds: bool) -> Evaluated<State> {
        if let Type::Float(_) = a.ty {
            return self.compared_floats(state, op, a, b, holds);
        }
        let op = if holds { op } else { op.negated().unwrap_or(op) };
        let (op, a, b) = match op {
            BinaryOp::Greater => (BinaryOp::Less, b, a),
            BinaryOp::GreaterEqual => (BinaryOp::LessEqual, b, a),
            op => (op, a, b),
        };
        if let Type::Pointer(_) = a.ty {
            return self.compared_pointers(state, op, a, b);
        }
        let (x, y) = (self.number(state, a)?, self.number(state, b)?);
        let (first, second) = ordered(op, x.into(), y.into()).ok_or(Stop::Unreached)?;
        let state = self.refine(state, a, &Value::Number(first.hull()))?;
        self.refine(&state, b, &Value::Number(second.hull()))
    }

    fn compared_pointers(&mut self, state: &State, op: BinaryOp, a: &'p Expr, b: &'p Expr) -> Evaluated<State> {
        let (p, q) = (self.pointers(state, a)?, self.pointers(state, b)?);
        let (first, second) = match (op, self.one(&p), self.one(&q)) {
            (BinaryOp::Equal, ..) => {
                // A wild pointer may be any address, and the end of one object the start of
                // another.
                let within = |x: &Pointers, y: &Pointers| match (x.wild, y.wild || !y.targets.is_empty()) {
                    (false, true) => Pointers { null: x.null && (y.null || y.wild), ..x.clone() },
                    (true, true) => x.clone(),
                    (_, false) => x.meet(y),
                };
                (within(&p, &q), within(&q, &p))
            }
            (BinaryOp::NotEqual, ..) => {
                let without = |x: &Pointers, y: &Pointers| match *y == Pointers::null() {
                    true => Pointers { null: false, ..x.clone() },
                    false => x.clone(),
                };
                match (self.one(&p), self.one(&q)) {
                    (Some((o, x)), Some((u, y))) if o == u => {
                        let (x, y) = ordered(op, x, y).ok_or(Stop::Unreached)?;
                        (p.with_offset(x), q.with_offset(y))
                    }
                    _ => (without(&p, &q), without(&q, &p)),
                }
            }
            (_, Some((o, x)), Some((u, y))) if o == u => {
                let (x, y) = ordered(op, x, y).ok_or(Stop::Unreached)?;
                (p.with_offset(x), q.with_offset(y))
            }
            _ => return Ok(state.clone()),
        };
        if first.is_empty() || second.is_empty() {
            return Err(Stop::Unreached);
        }
        let state = self.refine(state, a, &Value::pointer(first))?;
        self.refine(&state, b, &Value::pointer(second))
    }

    fn compared_floats(
        &mut self,
        state: &State,
        op: BinaryOp,
        a: &'p Expr,
        b: &'p Expr,
        holds: bool,
    ) -> Evaluated<State> {
        let (x, y) = (self.float(state, a)?, self.float(state, b)?);
        // The negation of a comparison with NaN holds.
        let ordered = !x.may_be_nan() && !y.may_be_nan();
        let op = match (holds, op.negated()) {
            (true, _) => op,
            (false, Some(op)) if ordered => op,
            _ => return Ok(state.clone()),
        };
        let (first, second) = match op {
            BinaryOp::Less => (x.below(y.hi(), true), y.above(x.lo(), true)),
            BinaryOp::LessEqual => (x.below(y.hi(), false), y.above(x.lo(), false)),
            BinaryOp::Greater => (x.above(y.lo(), true), y.below(x.hi(), true)),
            BinaryOp::GreaterEqual => (x.above(y.lo(), false), y.below(x.hi(), false)),
            BinaryOp::Equal => (x.meet(y), x.meet(y)),
            _ => return Ok(state.clone()),
        };
        let (Some(first), Some(second)) = (first, second) else { return Err(Stop::Unreached) };
        let state = self.refine(state, a, &Value::Float(first))?;
        self.refine(&state, b, &Value::Float(second))
    }

    /// What is known where an expression has one of these values. They are among those that it has
    /// in the state.
    pub(super) fn refine(&mut self, state: &State, e: &'p Expr, to: &Value) -> Evaluated<State> {
        match (&e.kind, to, &e.ty) {
            (ExprKind::Load(l), ..) => self.refine_lvalue(state, l, to),
            (ExprKind::Cast(a), Value::Number(n), Type::Int(_)) => match &a.ty {
                Type::Int(from) => {
                    let inner = self.number(state, a)?;
                    // A conversion that changes no value.
                    let keeps = matches!(self.converted(&Value::Number(inner), &e.ty), Value::Number(m) if m == inner);
                    match keeps && inner.is_within(range_of(*from, self.model)) {
                        true => {
                            let n = inner.meet(*n).ok_or(Stop::Unreached)?;
                            self.refine(state, a, &Value::Number(n))
                        }
                        false => Ok(state.clone()),
                    }
                }
                _ => Ok(state.clone()),
            },
            (ExprKind::Cast(a), Value::Pointer(_), _) if matches!(a.ty, Type::Pointer(_)) => self.refine(state, a, to),
            (ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b), Value::Number(n), Type::Int(kind)) => {
                let (x, y) = (self.number(state, a)?, self.number(state, b)?);
                let exact = if *op == BinaryOp::Add { x.add(y) } else { x.sub(y) };
                // Not if it may wrap around.
                if !exact.is_some_and(|exact| kind.is_signed() || exact.is_within(range_of(*kind, self.model))) {
                    return Ok(state.clone());
                }
                let (first, second) = match op {
                    BinaryOp::Add => (n.sub(y), n.sub(x)),
                    _ => (n.add(y), x.sub(*n)),
                };
                let (Some(first), Some(second)) = (first, second) else { return Ok(state.clone()) };
                let first = x.meet(first).ok_or(Stop::Unreached)?;
                let state = self.refine(state, a, &Value::Number(first))?;
                let second = y.meet(second).ok_or(Stop::Unreached)?;
                self.refine(&state, b, &Value::Number(second))
            }
            (ExprKind::Binary(BinaryOp::Rem, _, divisor), Value::Number(n), Type::Int(_)) if !n.contains(0) => {
                // Nothing is left of a division by 1 or -1.
                let known = self.number(state, divisor)?;
                let left = known.without(1).and_then(|n| n.without(-1)).ok_or(Stop::Unreached)?;
                self.refine(state, divisor, &Value::Number(left))
            }
            (ExprKind::Binary(BinaryOp::BitAnd, a, b), Value::Number(n), _) => {
                let (x, mask) = (self.number(state, a)?, self.number(state, b)?);
                let known = match (mask.as_constant(), n.as_constant()) {
                    (Some(mask), Some(bits)) => x.with_bits(mask, bits),
                    // What is left of the bits of a natural number is no greater.
                    _ if x.lo() >= 0 && n.lo() > 0 => x.clamp(Some(n.lo()), None),
                    _ => Some(x),
                };
                self.refine(state, a, &Value::Number(known.ok_or(Stop::Unreached)?))
            }
            _ => Ok(state.clone()),
        }
    }

    fn refine_lvalue(&mut self, state: &State, l: &'p Lvalue, to: &Value) -> Evaluated<State> {
        let places = self.places(state, l, true)?;
        let old = self.read(state, &places, &l.ty)?;
        let old = self.told(state, l, old)?;
        let known = old.meet(to).ok_or(Stop::Unreached)?;
        let mut state = state.clone();
        match (self.certain(&places), self.extent(&places, &l.ty)) {
            // Nothing new is known.
            _ if known == old => {}
            (Some((object, at)), Some(size)) if self.sized(&state, object).is_some() => {
                let cell = match places.bits {
                    Some(field) => field.written_in(&state.memory.read(object, at, size, self.big_endian), &known),
                    None => known.clone(),
                };
                state.memory.narrow(object, at, size, cell, self.big_endian);
                if !state.memory.follow(Place { object, at, size }, self.big_endian) {
                    return Err(Stop::Unreached);
                }
            }
            _ => self.note(&mut state, l, known.clone())?,
        }
        if matches!(known, Value::Number(n) if !n.contains(0)) {
            self.is_passed(&mut state, l)?;
        }
        Ok(state)
    }
}

/// The numbers of both sides for which a comparison can hold: `<`, `<=`, `==` or `!=`.
fn ordered(op: BinaryOp, x: Offsets, y: Offsets) -> Option<(Offsets, Offsets)> {
    Some(match op {
        BinaryOp::Less => (x.clamp(None, Some(y.hi() - 1))?, y.clamp(Some(x.lo() + 1), None)?),
        BinaryOp::LessEqual => (x.clamp(None, Some(y.hi()))?, y.clamp(Some(x.lo()), None)?),
        BinaryOp::Equal => {
            let both = x.meet(y)?;
            (both, both)
        }
        _ => {
            let without = |x: Offsets, y: Offsets| match y.as_constant() {
                Some(n) => x.without(n),
                None => Some(x),
            };
            (without(x, y)?, without(y, x)?)
        }
    })
}

/// The condition that decides which of two values an expression has: `c` in `c ? a : b`, or one
/// that is true or false itself.
pub(super) fn deciding(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Conditional(c, ..) => Some(c),
        ExprKind::Cast(e) => deciding(e),
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _) => Some(e),
        ExprKind::Binary(op, ..) => op.negated().map(|_| e),
        _ => None,
    }
}

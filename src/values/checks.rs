//! Decides the obligations of statements, where runs pass them.

use super::decided::StmtChecks;
use super::engine::Values;
use super::number::Number;
use super::objects::Origin;
use super::offsets::Offsets;
use super::selectors::start_of;
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::value::{Pointers, Target, Value, range_of};
use crate::program::{
    BinaryOp, Blocks, Check, CheckCondition, Expr, ExprKind, IntKind, LengthOperand, Stmt, Type, UnaryOp,
};
use std::rc::Rc;

impl<'p> Values<'p> {
    /// Decides the checks of a statement in a state. Returns what is known after them.
    pub(super) fn checked(&mut self, stmt: &'p Stmt, mut state: State) -> Evaluated<State> {
        let checks =
            self.checks.entry(stmt.id()).or_insert_with(|| Rc::new(StmtChecks::of(self.program, stmt))).clone();
        for (n, check) in &checks.checks {
            let guarded = match check.guards.is_empty() {
                true => None,
                false => match self.guarded(&state, check)? {
                    Some(guarded) => Some(guarded),
                    None => continue,
                },
            };
            let holds = match self.holds(guarded.as_ref().unwrap_or(&state), &check.condition) {
                Ok(holds) => holds,
                // No run comes to evaluate it.
                Err(Stop::Unreached) => continue,
                Err(stop) => return Err(stop),
            };
            if self.silent == 0 {
                let (_, seen) = &checks.seen[*n];
                seen.set(Some(seen.get().unwrap_or(true) && holds));
            }
            if holds || check.kind.is_about_the_past() {
                // What an object holds after its end is still known, and what nothing has written
                // may be anything: no run is left out.
                continue;
            }
            let goes_on = self.goes_on(guarded.as_ref().unwrap_or(&state), &check.condition)?;
            self.may_fail(!goes_on);
            if guarded.is_none() {
                match self.passed(&state, &check.condition) {
                    Ok(passed) => state = passed,
                    // It fails in all runs.
                    Err(Stop::Unreached) => {}
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(state)
    }

    /// The state in which the check is evaluated.
    fn guarded(&mut self, state: &State, check: &Check<'p>) -> Evaluated<Option<State>> {
        let mut state = state.clone();
        for guard in &check.guards {
            match self.assume(&state, guard.condition, guard.holds)? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        Ok(Some(state))
    }

    fn holds(&mut self, state: &State, condition: &CheckCondition<'p>) -> Evaluated<bool> {
        Ok(match *condition {
            CheckCondition::Index { index, length } => {
                let index = self.number(state, index)?;
                let length = self.length(state, length)?;
                index.lo() >= 0 && length.is_some_and(|length| index.hi() < length.lo())
            }
            CheckCondition::Dereference { pointer } => {
                let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
                let size = self.size_of(state, ty)?;
                let pointers = self.pointers(state, pointer)?;
                let is_byte = size.as_constant() == Some(1);
                self.has_room(state, &pointers, size)
                    || (is_byte && starts_inside(&pointers) && self.is_in_text(state, pointer, 0)?)
                    || self.is_in_arguments(state, pointer)?
            }
            CheckCondition::PointerArithmetic { sum } => {
                let pointers = self.pointers(state, sum)?;
                let inside = self.has_room(state, &pointers, Number::constant(0));
                // The place after the end of a text is in the object, or where that ends.
                inside
                    || *pointers == Pointers::null()
                    || (starts_inside(&pointers) && self.is_in_text(state, sum, -1)?)
            }
            CheckCondition::NoOverflow { operation } => self.does_not_overflow(state, operation)?,
            CheckCondition::NonZero { divisor } => !self.number(state, divisor)?.contains(0),
            CheckCondition::Shift { operation } => self.shifts(state, operation)?,
            CheckCondition::Room { pointer, blocks } => {
                let Some(bytes) = self.bytes(state, blocks)? else { return Ok(false) };
                let pointers = self.pointers(state, pointer)?;
                bytes.hi() <= 0 || self.has_room(state, &pointers, bytes)
            }
            CheckCondition::Apart { to, from, blocks } => {
                let Some(bytes) = self.bytes(state, blocks)? else { return Ok(false) };
                let (to, from) = (self.pointers(state, to)?, self.pointers(state, from)?);
                bytes.hi() <= 0 || self.are_apart(&to, &from, bytes)
            }
            CheckCondition::ArrayLength { length, least } => {
                let length = match length {
                    LengthOperand::Variable(v) => {
                        let Some(length) = self.signed_length(state, v)? else { return Ok(false) };
                        length
                    }
                    LengthOperand::Count(count) => self.number(state, count)?,
                };
                length.lo() >= least
            }
            CheckCondition::Written { lvalue } => self.is_written(state, lvalue)?,
            CheckCondition::Alive { pointer } => {
                let pointers = self.pointers(state, pointer)?;
                pointers.is_alive()
            }
            CheckCondition::Callable { called } => {
                let pointers = self.pointers(state, &called.pointer)?;
                !pointers.wild && pointers.are_functions() && pointers.functions.is_subset(&called.functions)
            }
            CheckCondition::Freeable { pointer } => {
                let pointers = self.pointers(state, pointer)?;
                self.can_be_freed(&pointers)
            }
        })
    }

    /// Whether the execution goes on, as if the result wrapped around, in every run that fails the
    /// check: no run is left out of what follows.
    fn goes_on(&mut self, state: &State, condition: &CheckCondition<'p>) -> Evaluated<bool> {
        let (CheckCondition::NoOverflow { operation } | CheckCondition::Shift { operation }) = *condition else {
            return Ok(false);
        };
        let Type::Int(kind) = operation.ty else { return Ok(false) };
        if let ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, _, amount) = &operation.kind
            && !self.is_amount(state, amount, kind)?
        {
            return Ok(false);
        }
        let exact = self.exact_of(state, operation)?;
        // As in `Values::result`: what lies outside is left out if something lies inside.
        let range = range_of(kind, self.model);
        Ok(exact.is_none_or(|n| n.is_within(range) || n.clamp(Some(range.lo()), Some(range.hi())).is_none()))
    }

    /// Whether so many bytes certainly lie in an object from where the pointer points.
    fn has_room(&self, state: &State, p: &Pointers, bytes: Number) -> bool {
        starts_inside(p)
            && p.targets.iter().all(|target| {
                let size = self.least_size(state, target.object);
                size.is_some_and(|size| target.offset.hi() + bytes.hi() <= size)
            })
    }

    /// The number of bytes in a block.
    fn bytes(&mut self, state: &State, blocks: &'p Blocks) -> Evaluated<Option<Number>> {
        let count = self.number(state, &blocks.count)?;
        Ok(count.mul(Number::constant(blocks.unit.into())))
    }

    /// Whether blocks of that size at the pointers certainly do not overlap.
    fn are_apart(&self, p: &Pointers, q: &Pointers, bytes: Number) -> bool {
        let known = |p: &Pointers| !p.wild && p.functions.is_empty();
        known(p)
            && known(q)
            && p.targets.iter().all(|a| {
                q.targets.within(a.object).all(|b| {
                    let apart = |a: Offsets, b: Offsets| a.hi() + bytes.hi() <= b.lo();
                    let is_one = !self.objects.origin(a.object).is_several();
                    is_one && (apart(a.offset, b.offset) || apart(b.offset, a.offset))
                })
            })
    }

    fn does_not_overflow(&mut self, state: &State, e: &'p Expr) -> Evaluated<bool> {
        let Type::Int(kind) = e.ty else { return Ok(true) };
        if let ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) = &e.kind {
            // Only the least number by -1.
            let (x, y) = (self.number(state, a)?, self.number(state, b)?);
            return Ok(x.lo() > kind.min(self.model) || !y.contains(-1));
        }
        let exact = self.exact_of(state, e)?;
        Ok(exact.is_some_and(|exact| exact.is_within(range_of(kind, self.model))))
    }

    /// The exact result of an operation on integers; `None` if it may be any number.
    fn exact_of(&mut self, state: &State, e: &'p Expr) -> Evaluated<Option<Number>> {
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => self.number(state, a)?.negate(),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.number(state, a)?, self.number(state, b)?);
                Self::exact(*op, x, y)
            }
            _ => None,
        })
    }

    /// Whether a value of that type can be shifted by the amount.
    fn is_amount(&mut self, state: &State, amount: &'p Expr, kind: IntKind) -> Evaluated<bool> {
        let n = self.number(state, amount)?;
        Ok(n.lo() >= 0 && n.hi() < i128::from(kind.width(self.model)))
    }

    fn shifts(&mut self, state: &State, e: &'p Expr) -> Evaluated<bool> {
        let (ExprKind::Binary(op, a, amount), Type::Int(kind)) = (&e.kind, &e.ty) else { return Ok(false) };
        if !self.is_amount(state, amount, *kind)? {
            return Ok(false);
        }
        if *op == BinaryOp::ShiftRight || !kind.is_signed() {
            return Ok(true);
        }
        Ok(self.number(state, a)?.lo() >= 0 && self.does_not_overflow(state, e)?)
    }

    /// What is known where a check holds that may fail.
    fn passed(&mut self, state: &State, condition: &CheckCondition<'p>) -> Evaluated<State> {
        match *condition {
            CheckCondition::Index { index, length } => {
                let n = self.number(state, index)?;
                let n = self.inside(state, n, length)?.ok_or(Stop::Unreached)?;
                self.refine(state, index, &Value::Number(n))
            }
            CheckCondition::Dereference { pointer } => {
                let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
                let size = self.size_of(state, ty)?.lo();
                let state = &self.counted_from_an_object(state, pointer)?;
                let mut p = (*self.pointers(state, pointer)?).clone();
                p.null = false;
                p.functions.clear();
                // In some objects that are not the program's, it is not known where offsets begin.
                let first = |object| (!matches!(self.objects.origin(object), Origin::Outside(_))).then_some(0);
                let inside = |target: Target| {
                    let offset = match self.sized(state, target.object) {
                        Some(whole) => target.offset.clamp(first(target.object), Some(whole.hi() - size))?,
                        None => target.offset,
                    };
                    Some(Target { offset, ..target })
                };
                p.targets = p.targets.iter().filter_map(inside).collect();
                if p.is_empty() {
                    return Err(Stop::Unreached);
                }
                self.refine(state, pointer, &Value::pointer(p))
            }
            CheckCondition::Callable { called } => {
                let mut p = (*self.pointers(state, &called.pointer)?).clone();
                p.null = false;
                p.targets = Default::default();
                if p.is_empty() {
                    return Err(Stop::Unreached);
                }
                self.refine(state, &called.pointer, &Value::pointer(p))
            }
            CheckCondition::NonZero { divisor } => {
                let n = self.number(state, divisor)?.without(0).ok_or(Stop::Unreached)?;
                self.refine(state, divisor, &Value::Number(n))
            }
            _ => Ok(state.clone()),
        }
    }

    /// What is known where `p + i` leads to an object: `p` does too. (C11 6.5.6p8: the sum of a
    /// null pointer and a number has no meaning.)
    fn counted_from_an_object(&mut self, state: &State, sum: &'p Expr) -> Evaluated<State> {
        let start = start_of(sum);
        let p = self.pointers(state, start)?;
        if std::ptr::eq(start, sum) || (!p.null && p.functions.is_empty()) {
            return Ok(state.clone());
        }
        let mut p = (*p).clone();
        p.null = false;
        p.functions.clear();
        if p.is_empty() {
            return Err(Stop::Unreached);
        }
        self.refine(state, start, &Value::pointer(p))
    }
}

/// Whether a pointer certainly leads to objects, and not to what lies before them.
fn starts_inside(p: &Pointers) -> bool {
    p.is_address() && p.functions.is_empty() && !p.targets.is_empty() && p.targets.iter().all(|t| t.offset.lo() >= 0)
}

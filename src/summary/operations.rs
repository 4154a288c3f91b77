//! The checks of operations, as conditions on values.
//!
//! **Meaning.** An execution of an operation is kept like one of an assertion: what is known when a
//! run is there, and the condition under which the operation is defined (C11 6.5: the index lies in
//! the array, the result fits the type, the divisor is not 0, …).
//!
//! **Why this is sound**, although values are those of runs without undefined behaviour. Take the
//! first undefined operation of a run. All operations before it are defined, so the values there
//! are right: they come from what was executed before, never from what comes later. (The closed
//! forms of a loop hold before iteration `n` if the iterations before it are defined. That `n` is
//! at most the number of the last iteration holds in every iteration that runs.) So what is known
//! there holds, and a condition that follows from it holds too: the operation is defined. Within a
//! statement, a check may rely on those before it in the order of evaluation that are reported.
//!
//! **Limits.** A pointer must point to objects that are known. Blocks that a library function reads
//! or writes have no condition here.

use super::checked::Allocated;
use super::memory::{Address, Place, Reach, Target};
use super::state::{Object, Region, State};
use super::{Asserted, Executor};
use crate::program::{
    BinaryOp, Check, CheckCondition, Expr, ExprKind, IntKind, Length, LengthOperand, ObligationKey, Stmt, Type,
    UnaryOp, checks_of,
};
use smalti_terms::{Int, Term, Var};

impl Executor<'_> {
    /// Notes the checks of a statement that is executed in a state, if that is asked for.
    pub(super) fn note_checks(&mut self, stmt: &Stmt, state: &State) {
        let Some(operations) = self.operations else { return };
        let offset = operations.inlined.check_offset(stmt);
        let checks = checks_of(self.program, stmt);
        let key = |n: usize| ObligationKey::Check(stmt.site, offset + n as u32);
        let Some(last) = (0..checks.len()).rev().find(|n| operations.wants(key(*n))) else { return };
        let mut known = vec![state.reached, state.given];
        for (n, check) in checks.iter().enumerate().take(last + 1) {
            let guards = self.guards(check, state);
            let condition = self.condition_of_check(&check.condition, state);
            if operations.wants(key(n)) {
                match condition {
                    Some(condition) => {
                        let given = known.iter().chain(&guards).copied().collect();
                        self.asserted.push(Asserted { key: key(n), statement: stmt.id(), given, condition });
                    }
                    None => self.without_term.push(key(n)),
                }
            }
            // Runs in which it fails have ended, and somebody answers for that: not for pointer
            // arithmetic, which the check of the access covers.
            if check.is_reported() {
                known.extend(condition.map(|condition| self.c.implies(self.c.and(&guards), condition)));
            }
        }
    }

    fn guards(&mut self, check: &Check<'_>, state: &State) -> Vec<Term> {
        let mut guards = Vec::new();
        for guard in &check.guards {
            let condition = self.truth(guard.condition, state);
            guards.push(if guard.holds { condition } else { self.c.not(condition) });
        }
        guards
    }

    /// The condition under which an operation is defined; `None` if there is no term for it.
    fn condition_of_check(&mut self, condition: &CheckCondition<'_>, state: &State) -> Option<Term> {
        match *condition {
            CheckCondition::Index { index, length } => {
                let length = self.length(length, state)?;
                let index = self.value(index, state);
                Some(self.c.within(self.c.int(0), index, length))
            }
            CheckCondition::Dereference { pointer } => self.points_inside(pointer, 0, state),
            CheckCondition::PointerArithmetic { sum } => self.points_inside(sum, 1, state),
            CheckCondition::NoOverflow { operation } => self.fits(operation, state),
            CheckCondition::NonZero { divisor } => {
                let divisor = self.value(divisor, state);
                Some(self.c.ne(divisor, self.c.int(0)))
            }
            CheckCondition::Shift { operation } => self.shifts(operation, state),
            CheckCondition::ArrayLength { length, least } => {
                let length = match length {
                    LengthOperand::Variable(v) => self.length(Length::Variable(v), state)?,
                    LengthOperand::Count(count) => self.value(count, state),
                };
                Some(self.c.ge(length, self.c.int(least)))
            }
            CheckCondition::Room { .. }
            | CheckCondition::Apart { .. }
            | CheckCondition::Alive { .. }
            | CheckCondition::Callable { .. }
            | CheckCondition::Written { .. }
            | CheckCondition::Freeable { .. } => None,
        }
    }

    fn length(&mut self, length: Length, state: &State) -> Option<Term> {
        match length {
            Length::Constant(n) => Some(self.c.int(n)),
            Length::Variable(v) => Some(self.held(&Region::of(v), state)),
            Length::Unknown => None,
        }
    }

    /// That the result of a signed operation is a value of its type.
    fn fits(&mut self, operation: &Expr, state: &State) -> Option<Term> {
        let kind = operation.ty.as_int()?;
        match &operation.kind {
            // Only the least value divided by -1 does not fit, and its remainder is undefined too.
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
                let (a, b) = (self.value(a, state), self.value(b, state));
                let least = self.c.int(self.wrap_type(kind).least());
                Some(self.c.or(&[self.c.ne(a, least), self.c.ne(b, self.c.int(-1))]))
            }
            ExprKind::Unary(UnaryOp::Negate, _)
            | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => {
                // The value of signed arithmetic is the exact one.
                let exact = self.value(operation, state);
                Some(self.is_value_of(kind, exact))
            }
            _ => None,
        }
    }

    fn is_value_of(&self, kind: IntKind, exact: Term) -> Term {
        let (c, to) = (&self.c, self.wrap_type(kind));
        c.and(&[c.ge(exact, c.int(to.least())), c.le(exact, c.int(to.greatest()))])
    }

    /// That a shift is by less than the width, and to the left only what stays a value of a signed
    /// type (C11 6.5.7).
    fn shifts(&mut self, operation: &Expr, state: &State) -> Option<Term> {
        let (ExprKind::Binary(op, a, b), Type::Int(kind)) = (&operation.kind, &operation.ty) else { return None };
        let (value, places) = (self.value(a, state), self.value(b, state));
        let width = kind.width(self.program.data_model);
        let c = &self.c;
        let mut needed = vec![c.within(c.int(0), places, c.int(width))];
        if *op == BinaryOp::ShiftLeft && kind.is_signed() {
            needed.push(c.ge(value, c.int(0)));
            let greatest = self.wrap_type(*kind).greatest();
            needed.push(match c.as_int(value).filter(|value| *value > Int::from(0)) {
                // `value * 2^k <= greatest`, for as many places as the width.
                Some(value) => {
                    let fit = (0..width).take_while(|k| value.clone() << *k <= greatest).count();
                    c.lt(places, c.int(fit))
                }
                None => c.le(c.mul(value, c.power(2, places)), c.int(greatest)),
            });
        }
        Some(c.and(&needed))
    }

    /// That a pointer points to an element of its type, or up to `past` elements behind the last.
    fn points_inside(&mut self, pointer: &Expr, past: u32, state: &State) -> Option<Term> {
        let ty = pointer.ty.pointee()?;
        let value = self.value(pointer, state);
        let mut needed = Vec::new();
        for (given, target) in self.memory.targets(&self.c, value) {
            let inside = match target {
                Target::Null | Target::Unset => self.c.truth(false),
                Target::Unknown => return None,
                Target::Known(address) => self.is_inside(&address, ty, past, state)?,
            };
            needed.push(self.c.implies(given, inside));
        }
        Some(self.c.and(&needed))
    }

    fn is_inside(&mut self, address: &Address, ty: &Type, past: u32, state: &State) -> Option<Term> {
        let place = self.memory.places[&address.symbol].clone();
        if place.ty != *ty || !self.lives(&place, address) {
            return None;
        }
        let length = match place.reach {
            Reach::Alone => self.c.int(1),
            Reach::Row(length) => self.c.int(length),
            Reach::Array => self.length_of(place.object, address, state)?,
        };
        Some(self.c.within(self.c.int(0), address.offset, self.c.add(length, self.c.int(past))))
    }

    /// Whether the object at an address is known to live: blocks of memory and globals do, and so
    /// do the variables of the blocks around, if they are those of this iteration.
    fn lives(&self, place: &Place, address: &Address) -> bool {
        let Object::Variable(v) = place.object else { return true };
        let is_global = !self.memory.loops_around.contains_key(&v);
        let lifetime = &address.arguments[..place.lifetimes];
        is_global
            || (self.living.contains(&v)
                && place.lifetimes <= self.iterations.len()
                && lifetime.iter().zip(&self.iterations).all(|(at, n)| *at == self.c.var(*n)))
    }

    /// The number of elements of an object that is an array.
    fn length_of(&mut self, object: Object, address: &Address, state: &State) -> Option<Term> {
        match object {
            Object::Variable(v) => match &self.program.variable(v).ty {
                Type::Array(_, length) => self.length(*length, state),
                _ => None,
            },
            Object::Blocks(site) => {
                let Allocated { iterations, count, .. } = self.allocated.iter().rfind(|one| one.site == site)?;
                let at = iterations.iter().copied().zip(address.arguments.iter().copied());
                // What a loop that goes on has made in an earlier iteration may have another size.
                let is_of_now = |(n, at): (Var, Term)| !self.iterations.contains(&n) || at == self.c.var(n);
                let by: Vec<(Var, Term)> = at.clone().collect();
                at.clone().all(is_of_now).then(|| self.c.substitute_all(*count, &by))
            }
        }
    }

    /// Notes how many elements the blocks have that an allocation makes.
    pub(super) fn note_allocated(&mut self, stmt: &Stmt, count: &Expr, state: &State) {
        if self.operations.is_some()
            && let Some(site) = self.memory.site_of.get(&stmt.id()).copied()
        {
            let count = self.value(count, state);
            self.allocated.push(Allocated { site, iterations: self.iterations.clone(), count });
        }
    }
}

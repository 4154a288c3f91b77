//! Finds the check that failed.

use super::evaluate::Mode;
use super::machine::{Machine, Trap};
use super::value::Value;
use super::{Environment, Outcome};
use crate::program::{
    Check, CheckCondition, DECLARED_AGAIN, LengthOperand, ObligationKey, ObligationKind, Stmt, Type,
    numbered_checks_of, uses_of,
};

impl<'p> Machine<'p> {
    /// The first check of the statement that fails in this state. Evaluation stops at any failing
    /// operation; only here, once in a run, the checks are tried one by one.
    pub(super) fn failed_check<E: Environment>(&mut self, env: &mut E, stmt: &'p Stmt) -> Outcome {
        let unsupported = |reason, location| Outcome::Unsupported { reason, location };
        let mut checks = numbered_checks_of(self.program, stmt);
        checks.retain(|(_, check)| check.kind != ObligationKind::Lifetime);
        for (n, check) in &checks {
            match self.is_evaluated(env, check) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(_) => return unsupported("a condition has undefined behaviour of its own", stmt.location),
            }
            match self.holds(env, &check.condition, stmt) {
                Ok(()) => {}
                Err(Trap::Undefined) => {
                    let (n, check) = accessed(&checks, check).unwrap_or((*n, check));
                    let key = ObligationKey::Check(stmt.site, n);
                    return Outcome::Undefined { key, kind: check.kind, location: check.location };
                }
                Err(Trap::Unsupported(reason, location)) => return unsupported(reason, location),
                Err(_) => return unsupported("a limit was reached while a failure was looked for", stmt.location),
            }
        }
        unsupported("undefined behaviour that no check names", stmt.location)
    }

    /// The first check of [`uses_of`] that fails in this state.
    pub(super) fn failed_use<E: Environment>(&mut self, env: &mut E, stmt: &'p Stmt) -> Option<Outcome> {
        for (n, check) in uses_of(self.program, stmt) {
            if self.is_evaluated(env, &check).ok()? && self.has_ended(env, &check.condition, stmt)? {
                let key = ObligationKey::Check(stmt.site, n);
                return Some(Outcome::Undefined { key, kind: check.kind, location: check.location });
            }
        }
        None
    }

    /// Whether the object that is used or freed has ended, or cannot be freed. `None` if the value
    /// of the pointer is not known.
    fn has_ended<E: Environment>(&mut self, env: &mut E, condition: &CheckCondition<'p>, stmt: &Stmt) -> Option<bool> {
        match *condition {
            CheckCondition::Alive { pointer } => {
                // If the object has ended, a sum has no value.
                let value = self.eval(env, pointer.before_moves()).ok()?;
                let Value::Pointer(p) = value else { return Some(false) };
                match self.living(p.object, stmt.location) {
                    Err(Trap::Excluded(assumption, _)) => Some(assumption != DECLARED_AGAIN),
                    _ => Some(false),
                }
            }
            CheckCondition::Freeable { pointer } => match self.eval(env, pointer).ok()? {
                Value::Pointer(p) => Some(!self.can_be_freed(p)),
                _ => None,
            },
            _ => Some(false),
        }
    }

    /// Whether an operation is evaluated in this state.
    fn is_evaluated<E: Environment>(&mut self, env: &mut E, check: &Check<'p>) -> Result<bool, Trap> {
        for guard in &check.guards {
            if self.truth(env, guard.condition)? != guard.holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn holds<E: Environment>(&mut self, env: &mut E, condition: &CheckCondition<'p>, stmt: &Stmt) -> Result<(), Trap> {
        match *condition {
            CheckCondition::Index { index, length } => {
                let i = self.integer(env, index)?;
                self.check_index(i, length, index.location)
            }
            CheckCondition::Dereference { pointer } => {
                let value = self.eval(env, pointer)?;
                let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
                self.target(value, ty, pointer.location).map(|_| ())
            }
            CheckCondition::PointerArithmetic { sum: operation }
            | CheckCondition::NoOverflow { operation }
            | CheckCondition::Shift { operation } => self.eval(env, operation).map(|_| ()),
            CheckCondition::NonZero { divisor } => {
                if self.integer(env, divisor)? == 0 {
                    Err(Trap::Undefined)
                } else {
                    Ok(())
                }
            }
            CheckCondition::Room { pointer, blocks } => self.room(env, pointer, blocks, stmt.location),
            CheckCondition::Apart { to, from, blocks } => self.apart(env, to, from, blocks, stmt.location),
            CheckCondition::ArrayLength { length, least } => {
                let length = match length {
                    LengthOperand::Variable(v) => self.signed_length(v, stmt.location)?,
                    LengthOperand::Count(count) => self.integer(env, count)?,
                };
                if length < least { Err(Trap::Undefined) } else { Ok(()) }
            }
            CheckCondition::Written { lvalue } => {
                let place = self.place(env, lvalue, Mode::Read)?;
                if self.limits.unset_ends && self.is_unset(place) { Err(Trap::Undefined) } else { Ok(()) }
            }
            CheckCondition::Callable { called } => self.callable(env, called, stmt.location),
            CheckCondition::Alive { .. } | CheckCondition::Freeable { .. } => Ok(()),
        }
    }
}

/// The access through the pointer that an addition computes, if the addition only serves that
/// access. If the sum is undefined, the access is too, and reports list only the access.
fn accessed<'c, 'p>(checks: &'c [(u32, Check<'p>)], check: &Check<'p>) -> Option<(u32, &'c Check<'p>)> {
    let CheckCondition::PointerArithmetic { sum } = check.condition else { return None };
    let through =
        |c: &Check<'_>| matches!(c.condition, CheckCondition::Dereference { pointer } if std::ptr::eq(pointer, sum));
    checks.iter().find(|(_, c)| through(c)).map(|(n, c)| (*n, c))
}

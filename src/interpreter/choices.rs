//! Values of cells that only unknown code has written, chosen so that an assumption holds.
//!
//! A contract stands for a function without a body: what it writes may have any values, of which
//! only those count for which its postcondition holds. An environment that tries values at random
//! would hardly find them. Where the assumption compares such a cell with a term, as most
//! postconditions do, the cell gets the value of the term, or one beside it. Whether the assumption
//! then holds is found out as always.

use super::Environment;
use super::evaluate::StorageRef;
use super::formulas::Bindings;
use super::machine::{Machine, Trap};
use super::value::{Cell, Value};
use crate::program::{BinaryOp, Formula, IntKind, Term, Type};

impl<'p> Machine<'p> {
    /// Chooses values for cells that nobody has read since unknown code has written them, so that
    /// `f` is `wanted`, as far as that is simple.
    pub(super) fn make_true<E: Environment>(
        &mut self,
        env: &mut E,
        f: &'p Formula,
        wanted: bool,
        bound: &mut Bindings,
    ) -> Result<(), Trap> {
        match (f, wanted) {
            (Formula::Constant(_), _) => {}
            (Formula::Not(a), _) => self.make_true(env, a, !wanted, bound)?,
            (Formula::And(a, b), true) | (Formula::Or(a, b), false) => {
                self.make_true(env, a, wanted, bound)?;
                self.make_true(env, b, wanted, bound)?;
            }
            (Formula::And(a, _) | Formula::Or(a, _), _) => self.make_true(env, a, wanted, bound)?,
            (Formula::Implies(a, b), true) => {
                if self.formula(env, a, bound)? == Some(true) {
                    self.make_true(env, b, true, bound)?;
                }
            }
            (Formula::Implies(a, b), false) => {
                self.make_true(env, a, true, bound)?;
                self.make_true(env, b, false, bound)?;
            }
            (Formula::Iff(a, b), _) => {
                if let Some(truth) = self.formula(env, b, bound)? {
                    self.make_true(env, a, truth == wanted, bound)?;
                }
            }
            (Formula::ForAll(q), true) => {
                let (low, high) = (self.term(env, &q.low, bound)?, self.term(env, &q.high, bound)?);
                let Some((low, high)) = low.zip(high) else { return Ok(()) };
                let mut k = low;
                while k < high {
                    self.tick(1)?;
                    bound.push((q.bound, k));
                    let chosen = self.make_true(env, &q.body, true, bound);
                    bound.pop();
                    chosen?;
                    k += 1;
                }
            }
            (Formula::ForAll(_), false) | (Formula::Memory(_), _) => {}
            (Formula::Compare(op, a, b), _) => {
                let op = if wanted { Some(*op) } else { op.negated() };
                let Some(op) = op else { return Ok(()) };
                if !self.choose_for(env, op, a, b, bound)? {
                    self.choose_for(env, op.exchanged().unwrap_or(op), b, a, bound)?;
                }
            }
        }
        Ok(())
    }

    /// Chooses the value of the cell that `a` reads, so that `a op b` holds. Returns whether `a`
    /// reads such a cell.
    fn choose_for<E: Environment>(
        &mut self,
        env: &mut E,
        op: BinaryOp,
        a: &'p Term,
        b: &'p Term,
        bound: &mut Bindings,
    ) -> Result<bool, Trap> {
        let Term::Read(place) = a else { return Ok(false) };
        let Type::Int(kind) = place.ty else { return Ok(false) };
        let Some(found) = self.found(env, place, bound, 0)? else { return Ok(false) };
        let (cell, bits) = match found {
            StorageRef::Register { v } => (*self.slot(v, place.location)?, None),
            StorageRef::Cell { object, leaf, bits } => (self.memory.now(object, leaf), bits),
        };
        if cell != Cell::Havocked || bits.is_some() {
            return Ok(false);
        }
        let Some(other) = self.term(env, b, bound)? else { return Ok(true) };
        let value = match op {
            BinaryOp::Less => other.checked_sub(1),
            BinaryOp::Greater | BinaryOp::NotEqual => other.checked_add(1),
            _ => Some(other),
        };
        let holds = |n: &i128| (IntKind::min(kind, self.model)..=kind.max(self.model)).contains(n);
        if let Some(value) = value.filter(holds) {
            self.havocs += 1;
            self.determined.set(false);
            let value = Value::Int(value).to_cell();
            match found {
                StorageRef::Register { v } => *self.slot(v, place.location)? = value,
                StorageRef::Cell { object, leaf, .. } => self.memory.settle(object, leaf, value),
            }
        }
        Ok(true)
    }
}

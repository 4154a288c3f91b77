//! Specifications: formulas over the mathematical integers, evaluated exactly.
//!
//! A term that reads what does not exist has no value, and a formula that depends on such a term
//! has none (in Kleene's strong logic: `\false && x` is false whatever `x` is). The run is then
//! given up, because it cannot be decided whether the claim holds.

use super::Environment;
use super::evaluate::StorageRef;
use super::machine::{Machine, Trap};
use super::value::{Pointer, Value};
use crate::program::{
    Base, BinaryOp, BoundId, Claim, ClaimRole, ForAll, Formula, Length, Location, Root, Term, TermLvalue, TermOp,
    TermStep, Type,
};

/// The values of the quantified variables in scope.
type Bindings = Vec<(BoundId, i128)>;

/// A result from a state, if it has a value.
type Evaluated<T> = Result<Option<T>, Trap>;

impl<'p> Machine<'p> {
    pub(super) fn claim<E: Environment>(&mut self, env: &mut E, claim: &'p Claim, at: Location) -> Result<(), Trap> {
        match (self.formula(env, &claim.formula, &mut Vec::new())?, claim.role) {
            (Some(true), _) => Ok(()),
            (Some(false), ClaimRole::Assume | ClaimRole::Follows) => Err(Trap::AssumptionFailed),
            (value, ClaimRole::Check(id)) if env.goes_on(id, value) => Ok(()),
            (Some(false), ClaimRole::Assert(id) | ClaimRole::Check(id)) => Err(Trap::AssertionFailed(id)),
            (None, _) => Err(Trap::Unsupported("an annotation that reads what does not exist", at)),
        }
    }

    fn formula<E: Environment>(&mut self, env: &mut E, f: &'p Formula, bound: &mut Bindings) -> Evaluated<bool> {
        Ok(match f {
            Formula::Constant(c) => Some(*c),
            Formula::Compare(op, a, b) => {
                let (a, b) = (self.term(env, a, bound)?, self.term(env, b, bound)?);
                a.zip(b).map(|(a, b)| match op {
                    BinaryOp::Less => a < b,
                    BinaryOp::LessEqual => a <= b,
                    BinaryOp::Greater => a > b,
                    BinaryOp::GreaterEqual => a >= b,
                    BinaryOp::Equal => a == b,
                    _ => a != b,
                })
            }
            Formula::Not(a) => self.formula(env, a, bound)?.map(|a| !a),
            Formula::And(a, b) => self.either(env, (a, true), (b, true), bound)?.map(|one| !one),
            Formula::Or(a, b) => self.either(env, (a, false), (b, false), bound)?,
            Formula::Implies(a, b) => self.either(env, (a, true), (b, false), bound)?,
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(env, a, bound)?, self.formula(env, b, bound)?);
                a.zip(b).map(|(a, b)| a == b)
            }
            Formula::ForAll(q) => self.for_all(env, q, bound)?,
        })
    }

    /// Whether one of two formulas, or of their negations, is true. The second is not evaluated if
    /// the first decides.
    fn either<E: Environment>(
        &mut self,
        env: &mut E,
        (a, negate_a): (&'p Formula, bool),
        (b, negate_b): (&'p Formula, bool),
        bound: &mut Bindings,
    ) -> Evaluated<bool> {
        let first = self.formula(env, a, bound)?.map(|a| a != negate_a);
        if first == Some(true) {
            return Ok(first);
        }
        let second = self.formula(env, b, bound)?.map(|b| b != negate_b);
        Ok(match (first, second) {
            (_, Some(true)) => Some(true),
            (Some(false), second) => second,
            _ => None,
        })
    }

    fn for_all<E: Environment>(&mut self, env: &mut E, q: &'p ForAll, bound: &mut Bindings) -> Evaluated<bool> {
        let (low, high) = (self.term(env, &q.low, bound)?, self.term(env, &q.high, bound)?);
        let Some((low, high)) = low.zip(high) else { return Ok(None) };
        let mut result = Some(true);
        let mut k = low;
        while k < high {
            // The limit on steps ends an endless range.
            self.tick(1)?;
            bound.push((q.bound, k));
            let holds = self.formula(env, &q.body, bound);
            bound.pop();
            match holds? {
                Some(true) => {}
                Some(false) => return Ok(Some(false)),
                None => result = None,
            }
            k += 1;
        }
        Ok(result)
    }

    /// The value of a term. The lowering ensures that no number here needs more bits than
    /// available.
    fn term<E: Environment>(&mut self, env: &mut E, t: &'p Term, bound: &mut Bindings) -> Evaluated<i128> {
        Ok(match t {
            Term::Int(n) => Some(*n),
            Term::Bound(id) => bound.iter().rev().find(|(b, _)| b == id).map(|(_, value)| *value),
            Term::Read(place) => match self.found(env, place, bound)? {
                None => None,
                Some(found) => match self.load(env, found, &place.ty, place.location)? {
                    Value::Int(n) => Some(n),
                    _ => {
                        return Err(Trap::Unsupported(
                            "an annotation about something that is not an integer",
                            place.location,
                        ));
                    }
                },
            },
            Term::Negate(a) => self.term(env, a, bound)?.and_then(i128::checked_neg),
            Term::Binary(op, a, b) => {
                let (a, b) = (self.term(env, a, bound)?, self.term(env, b, bound)?);
                a.zip(b).and_then(|(a, b)| match op {
                    TermOp::Add => a.checked_add(b),
                    TermOp::Sub => a.checked_sub(b),
                    TermOp::Mul => a.checked_mul(b),
                    TermOp::Div => a.checked_div(b),
                    TermOp::Rem => a.checked_rem(b),
                })
            }
        })
    }

    /// The object, if it exists.
    fn found<E: Environment>(
        &mut self,
        env: &mut E,
        place: &'p TermLvalue,
        bound: &mut Bindings,
    ) -> Evaluated<StorageRef> {
        let (program, at) = (self.program, place.location);
        let (object, mut leaf, mut ty) = match &place.root {
            Root::Variable(lvalue) => {
                let Base::Var(v) = lvalue.base else { return Ok(None) };
                match self.codes.homes[v.0 as usize] {
                    Some(home) if home.register => return Ok(Some(StorageRef::Register { v })),
                    _ => (self.object(v, at)?, 0u64, &program.variable(v).ty),
                }
            }
            Root::Pointer { pointer, offset } => {
                let Value::Pointer(p) = self.eval(env, pointer)? else { return Ok(None) };
                let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
                let offset = match offset {
                    None => Some(0),
                    Some(t) => self.term(env, t, bound)?,
                };
                let size = i128::from(self.leaves(ty, at)?);
                let to = offset.and_then(|n| n.checked_mul(size)?.checked_add(i128::from(p.leaf)));
                let Some(leaf) = to.and_then(|to| i64::try_from(to).ok()) else { return Ok(None) };
                match self.target(Value::Pointer(Pointer { leaf, ..p }), ty, at) {
                    Ok((object, leaf)) => (object, leaf, ty),
                    // An object whose lifetime has ended does not exist either. A formula that
                    // reads it breaks no assumption; only the program does.
                    Err(Trap::Undefined | Trap::Excluded(..)) => return Ok(None),
                    Err(trap) => return Err(trap),
                }
            }
        };
        let mut bits = None;
        for step in &place.steps {
            match (step, ty) {
                (TermStep::Index(index), Type::Array(element, length)) => {
                    let Some(i) = self.term(env, index, bound)? else { return Ok(None) };
                    let length = match length {
                        Length::Constant(n) => i128::from(*n),
                        Length::Variable(v) => self.signed_length(*v, at)?,
                        Length::Unknown => return Err(Trap::Unsupported("an array of unknown length", at)),
                    };
                    if !(0..length).contains(&i) {
                        return Ok(None);
                    }
                    // The index is in range, so the result is within the object.
                    let offset = i.checked_mul(i128::from(self.leaves(element, at)?));
                    let Some(offset) = offset.and_then(|o| u64::try_from(o).ok()) else { return Ok(None) };
                    leaf = leaf.saturating_add(offset);
                    ty = element;
                }
                (TermStep::Field(id, field), _) => {
                    let Some(member) = program.structure(*id).members.get(*field as usize) else { return Ok(None) };
                    leaf += self.layouts.structs[id.0 as usize].offsets[*field as usize];
                    bits = member.bits;
                    ty = &member.ty;
                }
                (TermStep::Index(_), _) => {
                    return Err(Trap::Unsupported("an index into something that is not an array", at));
                }
            }
        }
        Ok(Some(StorageRef::Cell { object, leaf, bits }))
    }
}

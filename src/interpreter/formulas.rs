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
    Application, Base, BinaryOp, BoundId, Claim, ClaimRole, Elements, ForAll, Formula, Length, Location, LogicId, Root,
    SnapshotId, Term, TermLvalue, TermOp, TermStep, Type,
};
use std::collections::HashMap;
use std::rc::Rc;

/// The deepest recursion of functions in formulas.
const MOST_NESTED: usize = 1000;

/// The elements of an array from one on, as a function in a formula gets them.
#[derive(Clone)]
pub(super) struct Sequence<'p> {
    first: &'p TermLvalue,
    /// The values of the quantified variables in it.
    bound: Rc<Bindings>,
    /// How far after it the sequence begins.
    shift: i128,
    /// The snapshot that has the values.
    at: Option<usize>,
}

/// The arguments of an application: its function, the numbers, and where each sequence starts.
type Arguments = (LogicId, Vec<i128>, Vec<(usize, i128, Option<usize>)>);

/// The functions that are being applied.
#[derive(Default)]
pub(super) struct Applied<'p> {
    /// The sequences of each.
    sequences: Vec<Vec<Sequence<'p>>>,
    /// The values so far, in the current claim.
    known: HashMap<Arguments, Option<i128>>,
}

/// The values of the quantified variables in scope.
pub(super) type Bindings = Vec<(BoundId, i128)>;

/// A result from a state, if it has a value.
pub(super) type Evaluated<T> = Result<Option<T>, Trap>;

impl<'p> Machine<'p> {
    pub(super) fn claim<E: Environment>(&mut self, env: &mut E, claim: &'p Claim, at: Location) -> Result<(), Trap> {
        if matches!(claim.role, ClaimRole::Check(id) if !env.is_watched(id)) {
            return Ok(());
        }
        if claim.role == ClaimRole::Assume && env.chooses() {
            self.make_true(env, &claim.formula, true, &mut Vec::new())?;
        }
        match (self.formula(env, &claim.formula, &mut Vec::new())?, claim.role) {
            (Some(true), _) => Ok(()),
            (Some(false), ClaimRole::Assume | ClaimRole::Follows) => Err(Trap::AssumptionFailed),
            (value, ClaimRole::Check(id)) if env.goes_on(id, value) => Ok(()),
            (Some(false), ClaimRole::Assert(id) | ClaimRole::Check(id)) => Err(Trap::AssertionFailed(id)),
            (None, _) => Err(Trap::Unsupported("an annotation that reads what does not exist", at)),
        }
    }

    pub(super) fn formula<E: Environment>(
        &mut self,
        env: &mut E,
        f: &'p Formula,
        bound: &mut Bindings,
    ) -> Evaluated<bool> {
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
            Formula::Memory(memory) => self.memory(env, memory, bound)?,
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
    pub(super) fn term<E: Environment>(&mut self, env: &mut E, t: &'p Term, bound: &mut Bindings) -> Evaluated<i128> {
        Ok(match t {
            Term::Int(n) => Some(*n),
            Term::Bound(id) => bound.iter().rev().find(|(b, _)| b == id).map(|(_, value)| *value),
            Term::Apply(applied) => self.apply(env, applied, bound)?,
            Term::Read(place) | Term::At(_, place) => {
                let Some(found) = self.found(env, place, bound, 0)? else { return Ok(None) };
                let taken = match (t, &place.root) {
                    (Term::At(id, _), _) => Some(self.taken(*id)),
                    (_, Root::Elements { sequence, .. }) => self.sequence(*sequence).and_then(|s| s.at).map(Some),
                    _ => None,
                };
                let value = match taken {
                    Some(Some(taken)) => match self.load_past(env, taken, found, &place.ty, place.location)? {
                        Some(value) => value,
                        None => return Ok(None),
                    },
                    Some(None) => return Ok(None),
                    None => self.load(env, found, &place.ty, place.location)?,
                };
                match value {
                    Value::Int(n) => Some(n),
                    _ => {
                        return Err(Trap::Unsupported(
                            "an annotation about something that is not an integer",
                            place.location,
                        ));
                    }
                }
            }
            Term::If(c, a, b) => match self.formula(env, c, bound)? {
                Some(true) => self.term(env, a, bound)?,
                Some(false) => self.term(env, b, bound)?,
                None => None,
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

    /// The number of a snapshot of this call, if it was taken.
    fn taken(&self, id: SnapshotId) -> Option<usize> {
        self.frames.last().and_then(|f| f.snapshot(id))
    }

    fn sequence(&self, number: usize) -> Option<&Sequence<'p>> {
        self.applied.sequences.last()?.get(number)
    }

    /// The value of a function that is defined by recursion. There is none if the recursion is too
    /// deep.
    fn apply<E: Environment>(
        &mut self,
        env: &mut E,
        applied: &'p Application,
        bound: &mut Bindings,
    ) -> Evaluated<i128> {
        let program = self.program;
        let Some(function) = program.logic.get(applied.function.0 as usize) else { return Ok(None) };
        let mut numbers = Vec::new();
        for t in &applied.numbers {
            let Some(value) = self.term(env, t, bound)? else { return Ok(None) };
            numbers.push(value);
        }
        let (mut sequences, mut starts) = (Vec::new(), Vec::new());
        for e in &applied.elements {
            let Some(sequence) = self.elements(env, e, bound)? else { return Ok(None) };
            starts.push((std::ptr::from_ref(sequence.first).addr(), sequence.shift, sequence.at));
            sequences.push(sequence);
        }
        if self.applied.sequences.is_empty() {
            self.applied.known.clear();
        }
        let key = (applied.function, numbers, starts);
        if let Some(known) = self.applied.known.get(&key) {
            return Ok(*known);
        }
        if self.applied.sequences.len() >= MOST_NESTED {
            return Ok(None);
        }
        self.tick(1)?;
        let mut inside: Bindings = function.numbers.iter().copied().zip(key.1.iter().copied()).collect();
        self.applied.sequences.push(sequences);
        let value = self.term(env, &function.body, &mut inside);
        self.applied.sequences.pop();
        let value = value?;
        self.applied.known.insert(key, value);
        Ok(value)
    }

    fn elements<E: Environment>(
        &mut self,
        env: &mut E,
        e: &'p Elements,
        bound: &mut Bindings,
    ) -> Evaluated<Sequence<'p>> {
        if let Root::Elements { sequence, offset } = &e.first.root {
            let offset = match offset {
                None => Some(0),
                Some(t) => self.term(env, t, bound)?,
            };
            let Some(mut passed) = self.sequence(*sequence).cloned() else { return Ok(None) };
            return Ok(offset.and_then(|n| passed.shift.checked_add(n)).map(|shift| {
                passed.shift = shift;
                passed
            }));
        }
        let at = match e.at {
            None => None,
            Some(id) => match self.taken(id) {
                None => return Ok(None),
                taken => taken,
            },
        };
        Ok(Some(Sequence { first: &e.first, bound: Rc::new(bound.clone()), shift: 0, at }))
    }

    /// How many elements a place is from where its root starts.
    fn offset<E: Environment>(
        &mut self,
        env: &mut E,
        offset: Option<&'p Term>,
        bound: &mut Bindings,
    ) -> Evaluated<i128> {
        offset.map_or(Ok(Some(0)), |t| self.term(env, t, bound))
    }

    /// The object, if it exists; with `shift`, the one so many elements further in the innermost
    /// array.
    pub(super) fn found<E: Environment>(
        &mut self,
        env: &mut E,
        place: &'p TermLvalue,
        bound: &mut Bindings,
        shift: i128,
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
            Root::Elements { sequence, offset } => {
                let offset = self.offset(env, offset.as_ref(), bound)?;
                let Some(of) = self.sequence(*sequence).cloned() else { return Ok(None) };
                let by = offset.and_then(|n| n.checked_add(of.shift)?.checked_add(shift));
                let Some(by) = by else { return Ok(None) };
                self.applied.sequences.push(Vec::new());
                let found = self.found(env, of.first, &mut (*of.bound).clone(), by);
                self.applied.sequences.pop();
                return found;
            }
            Root::Pointer { pointer, offset } => {
                let Some(Value::Pointer(p)) = self.pointer_value(env, pointer)? else { return Ok(None) };
                let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
                let offset = self.offset(env, offset.as_ref(), bound)?;
                let offset = match place.steps.last() {
                    None => offset.and_then(|n| n.checked_add(shift)),
                    Some(_) => offset,
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
        for (n, step) in place.steps.iter().enumerate() {
            match (step, ty) {
                (TermStep::Index(index), Type::Array(element, length)) => {
                    let by = if n + 1 == place.steps.len() { shift } else { 0 };
                    let i = self.term(env, index, bound)?.and_then(|i| i.checked_add(by));
                    let Some(i) = i else { return Ok(None) };
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

//! How an iteration changes each scalar, as a function of the state at its start (Kumar 2019, 6.3).
//!
//! **Meaning.** An iteration is walked through once. A scalar's value at its end is an expression
//! over the values at its start, wherever the iteration has no undefined behaviour. Suppose that
//! this expression reads, of all that changes, only the scalar itself, or is another scalar. Then
//! the scalar may be *accelerated*: its value at the start of iteration `n` is known from its value
//! before the loop and `n` (see [`super::advance`]).
//!
//! **Recognised.** `x = x + d` with a `d` that the loop does not write; `x = c * x + d` with
//! constants; `x = -x`, `x = d - x`, `x = !x`, `x = x ^ c`; `x = (x + d) % k`; chains such as
//! `a = b; b = c; c = a`, and those that end in a value that the loop does not write. Also any
//! function of a scalar whose value before the loop is a known constant, if its values repeat soon.

use super::super::effects::Effects;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::normal::{Counted, folded, writes_first};
use super::super::terms;
use crate::program::affine::Affine;
use crate::program::{
    BinaryOp, Block, DataModel, Expr, ExprKind, IntKind, Length, Location, Program, Stmt, StmtKind, Type, UnaryOp,
    VarId, VisitMut,
};
use std::collections::{BTreeMap, BTreeSet};

/// How a scalar changes from one iteration to the next.
#[derive(Clone, Debug)]
pub(super) enum Update {
    /// `x + step`, modulo two to the width of the type. The step reads nothing that the loop
    /// changes.
    Linear { step: Expr, exact: bool },
    /// `factor * x + offset`, modulo two to the width of the type; the factor is not 0, 1 or -1.
    Power { factor: i128, offset: i128, exact: bool },
    /// The values at the starts of the first iterations, then those from number `again` on,
    /// repeatedly. They read the state before the loop.
    Periodic { values: Vec<Expr>, again: usize },
    /// `(x + step) % modulus`, if `least <= x <= most` before the loop. Nothing is known of other
    /// values.
    Modular { step: i128, modulus: i128, least: i128, most: i128 },
}

/// Longer periods, and longer prefixes before them, are not searched for.
const LONGEST: usize = 16;
/// Larger expressions are given up.
const MOST_PARTS: usize = 40;
/// The largest modulus: products of two remainders fit.
const LARGEST_MODULUS: i128 = 1 << 30;

/// The scalars that an iteration of the loop hands to the next one, with their updates, as far as
/// they may be accelerated. `known` gives constants that scalars hold before the loop.
pub(super) fn updates(
    program: &Program,
    l: &Counted,
    known: &dyn Fn(VarId) -> Option<i128>,
) -> BTreeMap<VarId, Update> {
    let mut iteration = Iteration { program, values: BTreeMap::new() };
    iteration.block(&l.body);
    let writes = Effects::of(&l.body).writes;
    let changing = |v: VarId| writes.contains(&v) || v == l.counter;
    let is_length = |v: VarId| program.variables.iter().any(|w| has_length(&w.ty, v));
    let mut found = BTreeMap::new();
    for &v in &writes {
        let Some(kind) = program.variable(v).ty.as_int() else { continue };
        if writes_first(&l.body, v) || is_length(v) {
            continue;
        }
        let Some(Some(next)) = iteration.values.get(&v) else { continue };
        let reads: BTreeSet<VarId> = Effects::of_expr(next).reads.into_iter().filter(|&u| changing(u)).collect();
        let own = reads.len() == 1 && reads.contains(&v);
        let update = if own {
            of_itself(program, v, kind, next, known(v), l.location)
        } else {
            chain(program, v, &iteration.values, &changing, l.location)
        };
        found.extend(update.map(|update| (v, update)));
    }
    found
}

fn has_length(ty: &Type, v: VarId) -> bool {
    match ty {
        Type::Array(element, length) => *length == Length::Variable(v) || has_length(element, v),
        _ => false,
    }
}

/// The walk through an iteration.
struct Iteration<'p> {
    program: &'p Program,
    /// The values of scalars that have been written, over values at the start; `None`: unknown.
    values: BTreeMap<VarId, Option<Expr>>,
}

impl Iteration<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for s in block {
            match &s.kind {
                StmtKind::Assign(l, e) if l.as_var().is_some() && l.ty.as_int().is_some() => {
                    let value = self.now(e).map(|e| e.cast(l.ty.clone()));
                    if let Some(v) = l.as_var() {
                        self.values.insert(v, value);
                    }
                }
                StmtKind::If(c, a, b) => self.branch(c, a, b),
                _ => self.lose(std::slice::from_ref(s)),
            }
        }
    }

    fn lose(&mut self, block: &[Stmt]) {
        for v in Effects::of(block).writes {
            self.values.insert(v, None);
        }
    }

    fn branch(&mut self, c: &Expr, a: &Block, b: &Block) {
        let condition = self.now(c);
        let before = self.values.clone();
        self.block(a);
        let first = std::mem::replace(&mut self.values, before);
        self.block(b);
        let writes: BTreeSet<VarId> = Effects::of(a).writes.into_iter().chain(Effects::of(b).writes).collect();
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::ConditionsAreIgnored) {
            self.values = first;
            return;
        }
        for v in writes {
            let of = |values: &BTreeMap<VarId, Option<Expr>>| match values.get(&v) {
                Some(value) => value.clone(),
                None => Some(terms::load(self.program, v, c.location)),
            };
            let value = match (of(&first), of(&self.values), &condition) {
                (Some(x), Some(y), _) if terms::same(&x, &y) => Some(x),
                (Some(x), Some(y), Some(c)) if x.ty == y.ty => {
                    Some(terms::conditional(c.clone(), x, y)).filter(|e| parts(e) <= MOST_PARTS)
                }
                _ => None,
            };
            self.values.insert(v, value);
        }
    }

    /// The value of an expression, over values at the start. `None` if it reads memory, or an
    /// unknown value.
    fn now(&self, e: &Expr) -> Option<Expr> {
        let effects = Effects::of_expr(e);
        let is_known =
            |v: &VarId| self.program.variable(*v).ty.is_scalar() && self.values.get(v).is_none_or(Option::is_some);
        if effects.reads_unknown || !effects.addresses.is_empty() || !effects.reads.iter().all(is_known) {
            return None;
        }
        let value = e.rewritten(&mut Now { values: &self.values, model: self.program.data_model });
        (parts(&value) <= MOST_PARTS).then_some(value)
    }
}

/// Replaces variables by values, and evaluates operations on constants.
struct Now<'v> {
    values: &'v BTreeMap<VarId, Option<Expr>>,
    model: DataModel,
}

impl VisitMut for Now<'_> {
    fn expr(&mut self, e: &mut Expr) {
        self.walk_expr(e);
        let value = match &e.kind {
            ExprKind::Load(l) => l.as_var().and_then(|v| self.values.get(&v)?.clone()),
            _ => folded(e, self.model),
        };
        if let Some(value) = value {
            *e = value;
        }
    }
}

fn parts(e: &Expr) -> usize {
    1 + match &e.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => parts(a),
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => parts(a) + parts(b),
        ExprKind::Conditional(c, a, b) => parts(c) + parts(a) + parts(b),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Load(_)
        | ExprKind::AddressOf(_)
        | ExprKind::FunctionAddress(_) => 0,
    }
}

/// The type that congruences modulo two to that width are computed in.
pub(super) fn modular(width: u32) -> Type {
    Type::Int(if width <= 32 { IntKind::UInt } else { IntKind::ULongLong })
}

/// A number in that type, modulo two to its width.
pub(super) fn residue(n: i128, width: u32, at: Location) -> Expr {
    let (kind, bits) = if width <= 32 { (IntKind::UInt, 32) } else { (IntKind::ULongLong, 64) };
    Expr::int(n.rem_euclid(1 << bits), kind, at)
}

/// The update of a scalar whose next value is computed from its own value.
fn of_itself(
    program: &Program,
    v: VarId,
    kind: IntKind,
    next: &Expr,
    known: Option<i128>,
    at: Location,
) -> Option<Update> {
    let model = program.data_model;
    let load = || terms::load(program, v, at);
    let width = kind.width(model);
    let exact = |factor: i128| {
        // If the value is that of the mathematical expression, an overflow is undefined and ends
        // the run.
        Affine::of(next, model).is_some_and(|a| a.split(&v).0 == factor)
    };
    if kind != IntKind::Bool
        && let Some(ring) = Ring::of(next, v, width, model)
    {
        match ring.factor {
            0 => {}
            1 => return Some(Update::Linear { step: ring.rest(width, at), exact: exact(1) }),
            -1 => {
                // x, d - x, x, d - x, ...
                let ty = modular(width);
                let other = Expr::binary(BinaryOp::Sub, ring.rest(width, at), load().cast(ty.clone()), ty);
                return Some(Update::Periodic { values: vec![load(), other.cast(load().ty)], again: 0 });
            }
            factor if ring.terms.is_empty() => {
                return Some(Update::Power { factor, offset: ring.constant, exact: exact(factor) });
            }
            _ => {}
        }
    }
    if is_not(next, v, model) {
        let not = || load().negated().cast(load().ty);
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::NotTwiceIsNothing) {
            return Some(Update::Periodic { values: vec![load(), not()], again: 0 });
        }
        // Applying `!` twice does not give the value, but whether it is not 0.
        let twice = load().negated().negated().cast(load().ty);
        return Some(Update::Periodic { values: vec![load(), not(), twice], again: 1 });
    }
    if kind != IntKind::Bool && is_exclusive(next, v, width, model) {
        // Applying it twice undoes it, bit by bit, in all bits that the variable has.
        return Some(Update::Periodic { values: vec![load(), next.clone()], again: 0 });
    }
    if let Some(update) = known.and_then(|first| orbit(program, v, kind, next, first, at)) {
        return Some(update);
    }
    remainder(next, v, kind, model)
}

/// The values that follow from a constant, one after the other, if they repeat soon.
fn orbit(program: &Program, v: VarId, kind: IntKind, next: &Expr, first: i128, at: Location) -> Option<Update> {
    let model = program.data_model;
    if Effects::of_expr(next).reads.len() != 1 {
        return None;
    }
    let mut seen = vec![first];
    while seen.len() <= LONGEST {
        let last = *seen.last()?;
        let to = Expr::int(last, kind, at);
        let values = BTreeMap::from([(v, Some(to))]);
        // An undefined operation has no value: the run ends there.
        let value = next.rewritten(&mut Now { values: &values, model }).as_int()?;
        if let Some(again) = seen.iter().position(|x| *x == value) {
            let values = seen.into_iter().map(|x| Expr::int(x, kind, at)).collect();
            return Some(Update::Periodic { values, again });
        }
        seen.push(value);
    }
    None
}

/// The update of a scalar that gets the value of another, and so on.
fn chain(
    program: &Program,
    v: VarId,
    values: &BTreeMap<VarId, Option<Expr>>,
    changing: &dyn Fn(VarId) -> bool,
    at: Location,
) -> Option<Update> {
    let ty = &program.variable(v).ty;
    let mut links = vec![v];
    let mut out = vec![terms::load(program, v, at)];
    while out.len() <= LONGEST {
        let next = values.get(links.last()?)?.as_ref()?;
        if next.ty != *ty {
            return None;
        }
        if Effects::of_expr(next).reads.iter().all(|&u| !changing(u)) {
            // From here on the value is one that the loop does not write.
            out.push(next.clone());
            return Some(Update::Periodic { again: out.len() - 1, values: out });
        }
        let ExprKind::Load(l) = &next.kind else { return None };
        let link = l.as_var()?;
        if let Some(again) = links.iter().position(|u| *u == link) {
            #[cfg(any(test, feature = "mutants"))]
            let again = if mutated(Mutant::ChainsAreCycles) { 0 } else { again };
            return Some(Update::Periodic { values: out, again });
        }
        values.get(&link)?;
        links.push(link);
        out.push(terms::load(program, link, at));
    }
    None
}

/// `factor * v + constant + terms`, modulo two to some width. All operations of the expression are
/// congruences there: those of types of that width or more, signed or not, wherever they are
/// defined.
struct Ring {
    factor: i128,
    constant: i128,
    terms: Vec<(i128, Expr)>,
}

impl Ring {
    fn of(e: &Expr, v: VarId, width: u32, model: DataModel) -> Option<Ring> {
        let kind = e.ty.as_int().filter(|k| *k != IntKind::Bool && k.width(model) >= width);
        let reduced = |n: i128| signed(n, width);
        let scaled = |r: Ring, by: i128| -> Option<Ring> {
            let times = |n: i128| n.checked_mul(by).map(reduced);
            let terms = r.terms.into_iter().map(|(c, e)| Some((times(c)?, e))).collect::<Option<_>>()?;
            Some(Ring { factor: times(r.factor)?, constant: times(r.constant)?, terms })
        };
        match &e.kind {
            ExprKind::Int(n) => Some(Ring { factor: 0, constant: reduced(*n), terms: Vec::new() }),
            ExprKind::Load(l) if l.as_var() == Some(v) => Some(Ring { factor: 1, constant: 0, terms: Vec::new() }),
            // A conversion from a narrower type keeps the value.
            ExprKind::Load(l) if l.as_var().is_some() && e.ty.as_int().is_some() => {
                Some(Ring { factor: 0, constant: 0, terms: vec![(1, e.clone())] })
            }
            ExprKind::Cast(a) if kind.is_some() => Ring::of(a, v, width, model),
            ExprKind::Unary(UnaryOp::Negate, a) if kind.is_some() => scaled(Ring::of(a, v, width, model)?, -1),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if kind.is_some() => {
                let mut sum = Ring::of(a, v, width, model)?;
                let other = Ring::of(b, v, width, model)?;
                let other = if *op == BinaryOp::Sub { scaled(other, -1)? } else { other };
                sum.factor = reduced(sum.factor + other.factor);
                sum.constant = reduced(sum.constant + other.constant);
                sum.terms.extend(other.terms);
                Some(sum)
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) if kind.is_some() => match (a.as_int(), b.as_int()) {
                (Some(n), _) => scaled(Ring::of(b, v, width, model)?, reduced(n)),
                (_, Some(n)) => scaled(Ring::of(a, v, width, model)?, reduced(n)),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::ShiftLeft, a, b) if kind.is_some() => {
                let by = b.as_int().filter(|n| (0..64).contains(n))?;
                scaled(Ring::of(a, v, width, model)?, reduced(1 << by))
            }
            _ => None,
        }
    }

    /// The part that is added, in the type of [`modular`].
    fn rest(&self, width: u32, at: Location) -> Expr {
        let ty = modular(width);
        let constant = |n: i128| residue(n, width, at);
        let mut sum = None;
        for (c, e) in &self.terms {
            let e = e.clone().cast(ty.clone());
            let e = if *c == 1 { e } else { Expr::binary(BinaryOp::Mul, e, constant(*c), ty.clone()) };
            sum = Some(match sum {
                Some(s) => Expr::binary(BinaryOp::Add, s, e, ty.clone()),
                None => e,
            });
        }
        match sum {
            Some(s) if self.constant == 0 => s,
            Some(s) => Expr::binary(BinaryOp::Add, s, constant(self.constant), ty.clone()),
            None => constant(self.constant),
        }
    }
}

/// The number nearest to 0 that is congruent modulo two to the width.
pub(super) fn signed(n: i128, width: u32) -> i128 {
    let modulus = 1i128 << width;
    let low = n.rem_euclid(modulus);
    if low >= modulus / 2 { low - modulus } else { low }
}

/// Whether an expression is `v`, through conversions that keep it from 0 if it is not 0.
fn is_variable(e: &Expr, v: VarId, model: DataModel) -> bool {
    match &e.kind {
        ExprKind::Load(l) => l.as_var() == Some(v),
        ExprKind::Cast(a) => match (e.ty.as_int(), a.ty.as_int()) {
            (Some(to), Some(from)) if to == IntKind::Bool || to.width(model) >= from.width(model) => {
                is_variable(a, v, model)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an expression is `v ^ constant`, in all bits of the width.
fn is_exclusive(e: &Expr, v: VarId, width: u32, model: DataModel) -> bool {
    fn keeps(e: &Expr, width: u32, model: DataModel) -> bool {
        e.ty.as_int().is_some_and(|k| k != IntKind::Bool && k.width(model) >= width)
    }
    fn is_bits_of(e: &Expr, v: VarId, width: u32, model: DataModel) -> bool {
        match &e.kind {
            ExprKind::Load(l) => l.as_var() == Some(v),
            ExprKind::Cast(a) => keeps(e, width, model) && is_bits_of(a, v, width, model),
            _ => false,
        }
    }
    keeps(e, width, model)
        && match &e.kind {
            ExprKind::Cast(a) => is_exclusive(a, v, width, model),
            ExprKind::Binary(BinaryOp::BitXor, a, b) => {
                is_bits_of(a, v, width, model) && b.as_int().is_some()
                    || is_bits_of(b, v, width, model) && a.as_int().is_some()
            }
            _ => false,
        }
}

/// Whether an expression is `!v`: conversions keep 0 and 1.
fn is_not(e: &Expr, v: VarId, model: DataModel) -> bool {
    match &e.kind {
        ExprKind::Cast(a) => e.ty.as_int().is_some() && is_not(a, v, model),
        ExprKind::Unary(UnaryOp::Not, a) => is_variable(a, v, model),
        ExprKind::Binary(BinaryOp::Equal, a, b) => b.as_int() == Some(0) && is_variable(a, v, model),
        ExprKind::Conditional(c, a, b) => {
            a.as_int() == Some(0) && b.as_int() == Some(1) && is_variable(c, v, model)
                || a.as_int() == Some(1) && b.as_int() == Some(0) && is_not(c, v, model)
        }
        _ => false,
    }
}

/// `(v + step) % modulus`.
fn remainder(e: &Expr, v: VarId, kind: IntKind, model: DataModel) -> Option<Update> {
    let mut e = e;
    // The type that a remainder is converted to holds it. This is checked below, for the narrowest
    // of all types.
    let (mut least, mut largest) = (kind.min(model), kind.max(model));
    let mut narrow = |e: &Expr| -> Option<()> {
        let kind = e.ty.as_int().filter(|k| *k != IntKind::Bool)?;
        (least, largest) = (least.max(kind.min(model)), largest.min(kind.max(model)));
        Some(())
    };
    while let ExprKind::Cast(a) = &e.kind {
        narrow(e)?;
        e = a;
    }
    narrow(e)?;
    let ExprKind::Binary(BinaryOp::Rem, sum, modulus) = &e.kind else { return None };
    let modulus = modulus.as_int().filter(|k| (1..=LARGEST_MODULUS).contains(k))?;
    let mut sum = &**sum;
    while let ExprKind::Cast(a) = &sum.kind {
        narrow(sum)?;
        sum = a;
    }
    narrow(sum)?;
    let (mut of, step) = match &sum.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => match (a.as_int(), b.as_int()) {
            (_, Some(n)) => (&**a, n),
            (Some(n), _) => (&**b, n),
            _ => return None,
        },
        _ => (sum, 0),
    };
    while let ExprKind::Cast(a) = &of.kind {
        narrow(of)?;
        of = a;
    }
    if !is_variable(of, v, model) {
        return None;
    }
    // For values between these, no operation overflows and no conversion changes a value, in this
    // iteration and all others.
    let most = largest - step;
    let stays = modulus - 1 <= most && (least == 0 || least < -modulus);
    (0 <= step && stays).then_some(Update::Modular { step, modulus, least, most })
}

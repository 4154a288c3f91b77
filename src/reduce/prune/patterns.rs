//! Dependence of an iteration on earlier ones that pruning can replay: minima and maxima, second
//! ones, and sums.
//!
//! **Minima and maxima** (self-controlled variables, Kumar 2019, 9.3.2). `if (x > e) x = e;` sets
//! `x` to the least of its old value and of the `e` of the iterations whose other conditions hold.
//! That is a function of a *set*: a loop that runs some of the iterations, among them the one with
//! the least `e`, computes the same `x`. So the value takes one iteration, and the conditions'
//! other operands take one distance.
//!
//! **Second minima** (figure 9.12 a): `if (x > e) { y = x; x = e; }` and then
//! `if (y > e) if (x < e) y = e;`. Let `x0`, `y0` be the values before the loop and `E` the values
//! of `e`. If some `e < x0`, the loop ends with the two least of the distinct values of `{x0} ∪ E`.
//! If none is, it ends with `x0` and the least of `{y0} ∪ {e ∈ E: e > x0}`.
//!
//! The proof is by induction over the iterations. Before the first `e < x0`, `y` is below `y0` only
//! by being an `e > x0`. At that `e`, `y` becomes `x0`, the second of `{x0, e}`. From then on
//! `x < y` are the two least so far: the first `if` takes what is less than `x`, and then `x = e`
//! keeps the second from running; the second takes what lies between.
//!
//! Both are functions of a set too, and the one or two iterations that made the result decide them.
//! So `y` takes its own iterations and those of `x`, all at one distance. The other conditions must
//! be the same for all three assignments. Otherwise one of them would see iterations that the
//! others do not.
//!
//! **Sums** (figure 9.12 b): `s = s + e` where `e` is a sum of cells times constants, of arrays
//! that are only summed. Such a loop adds to `s` a linear function of the cells, in the ring of
//! integers modulo 2^w, with `w` the width of `s`.
//!
//! Number the places of the cells as in the bound's proof. Up to `K^c + δ_high`, and from the last
//! iterations on, both programs have the same cells (shifted at the end), and those keep their
//! values. In between, every loop of the program adds cells of one residue modulo Θ with the same
//! coefficients. The pruned program has at least Θ cells there: the distance of K^c and the least
//! of the loops' ends is at least `2(δ + Θ)`. Put the sum of all cells of one residue into one of
//! them and 0 into the others: then all sums are the same.
//!
//! For that the cell's type must have every residue, so it is at least as wide as `s`, and so are
//! all types on the way. Nothing else may read the cells, because their values are not those of any
//! iteration. Nothing may fix their values, as zeroed arrays and computed values do: only inputs
//! and arbitrary initial values are allowed. A term without cells would count iterations and is
//! refused.

#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::terms::same;
use super::model::{Array, Def, DefId, LoopModel, Model, ModelPart, Operand, Scalar, Target, Use, Value};
use super::terms::constant;
use crate::program::{BinaryOp, DataModel, Expr, ExprKind, IntKind, Type, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// The patterns that were recognised.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    /// Uses that a pattern covers: of a scalar by a definition (its value and its conditions).
    covered: BTreeSet<(usize, DefId, Scalar)>,
    sums: BTreeSet<(usize, DefId)>,
    beside: BTreeMap<(usize, Scalar), Scalar>,
    /// Minima, maxima and second ones, by part, with the definitions that belong to each.
    pub(super) extrema: BTreeMap<(usize, Scalar), Vec<DefId>>,
    /// Sums, by part.
    pub(super) summed: BTreeSet<(usize, Scalar)>,
    /// The distances at which sums read cells, by part.
    pub(super) sum_distances: BTreeMap<usize, BTreeSet<i128>>,
}

impl Patterns {
    /// Finds the patterns of a model.
    pub(super) fn find(model: &Model, data: DataModel) -> Patterns {
        let mut patterns = Patterns::default();
        for l in model.loops() {
            for (s, defs) in &l.scalars {
                if let [d] = defs[..]
                    && extremum(l, *s, d, data).is_some()
                {
                    patterns.covered.insert((l.part, d, *s));
                    patterns.extrema.insert((l.part, *s), vec![d]);
                }
            }
            patterns.find_seconds(l, data);
        }
        patterns.find_sums(model, data);
        patterns
    }

    /// Whether a definition's use of an operand is covered.
    pub(super) fn covers(&self, part: usize, d: DefId, operand: Operand) -> bool {
        matches!(operand, Operand::Scalar(s) if self.covered.contains(&(part, d, s)))
    }

    /// Whether a definition adds to a sum.
    pub(super) fn is_sum(&self, part: usize, d: DefId) -> bool {
        self.sums.contains(&(part, d))
    }

    /// The scalar whose last value assignments another scalar's value needs too.
    pub(super) fn beside(&self, part: usize, s: Scalar) -> Option<Scalar> {
        self.beside.get(&(part, s)).copied()
    }

    fn find_seconds(&mut self, l: &LoopModel, data: DataModel) {
        let mut found = Vec::new();
        for (part, x) in self.extrema.keys().filter(|(part, _)| *part == l.part) {
            for (y, defs) in &l.scalars {
                if let [a, b] = defs[..]
                    && let Some(first) = l.scalars.get(x).and_then(|d| d.first())
                    && second(l, *x, *first, *y, a, b, data)
                {
                    found.push((*part, *x, *first, *y, a, b));
                }
            }
        }
        for (part, x, first, y, a, b) in found {
            for d in [a, b] {
                self.covered.insert((part, d, x));
                self.covered.insert((part, d, y));
            }
            self.beside.insert((part, y), x);
            self.extrema.insert((part, y), vec![first, a, b]);
        }
    }

    fn find_sums(&mut self, model: &Model, data: DataModel) {
        // For each scalar in each loop: its additions, if it is a sum, and the cells that they
        // read.
        let mut candidates: BTreeMap<(usize, Scalar), Vec<(DefId, BTreeSet<(Array, i128)>)>> = BTreeMap::new();
        for l in model.loops() {
            for (s, defs) in &l.scalars {
                let terms: Option<Vec<_>> = defs.iter().map(|d| Some((*d, addition(l, *s, *d, data)?))).collect();
                if let Some(terms) = terms
                    && !read_elsewhere(l, *s, defs)
                {
                    candidates.insert((l.part, *s), terms);
                }
            }
        }
        loop {
            let free = free_arrays(model, &candidates);
            let before = candidates.len();
            candidates.retain(|_, terms| terms.iter().flat_map(|(_, cells)| cells).all(|(a, _)| free.contains(a)));
            if candidates.len() == before {
                break;
            }
        }
        for ((part, s), terms) in candidates {
            self.summed.insert((part, s));
            for (d, cells) in terms {
                self.sums.insert((part, d));
                self.sum_distances.entry(part).or_default().extend(cells.iter().map(|(_, c)| *c));
            }
        }
    }
}

/// A comparison of a scalar with a value: `s op value`.
struct Comparison<'m> {
    op: BinaryOp,
    /// What the value reads.
    uses: &'m [Use],
}

/// Reads the condition, taken that way, as a comparison of `s` (perhaps converted) with a value
/// that is converted the same way.
fn comparison<'m>(
    l: &'m LoopModel,
    cond: usize,
    holds: bool,
    s: Scalar,
    value: &Expr,
    data: DataModel,
) -> Option<Comparison<'m>> {
    let cond = &l.code.conds[cond];
    let (expr, holds) = positive(&cond.expr, holds);
    let ExprKind::Binary(op, a, b) = &expr.kind else { return None };
    if !matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual) {
        return None;
    }
    // A value that is no number is neither less nor greater.
    a.ty.as_int()?;
    let op = if holds { *op } else { op.negated()? };
    let is_s = |u: Option<&Use>| u.is_some_and(|u| u.operand == Operand::Scalar(s));
    if is_s(cond.uses.first()) && converted_alike(a, b, value, data) {
        return Some(Comparison { op, uses: &cond.uses[1..] });
    }
    if is_s(cond.uses.last()) && converted_alike(b, a, value, data) {
        return Some(Comparison { op: op.exchanged()?, uses: &cond.uses[..cond.uses.len() - 1] });
    }
    None
}

/// Strips negations.
fn positive(e: &Expr, holds: bool) -> (&Expr, bool) {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => positive(a, !holds),
        _ => (e, holds),
    }
}

/// Whether `scalar` is a variable and `other` is `value`, both converted the same way to types that
/// keep all values distinct. Then the comparison orders the values of the variable's type.
fn converted_alike(scalar: &Expr, other: &Expr, value: &Expr, data: DataModel) -> bool {
    match (&scalar.kind, &other.kind) {
        #[cfg(any(test, feature = "mutants"))]
        (ExprKind::Load(_), _) if mutated(Mutant::MinimumOfAnother) => true,
        (ExprKind::Load(_), _) => scalar.ty == value.ty && same(other, value),
        (ExprKind::Cast(inner), _) => {
            let (Some(from), Some(to)) = (inner.ty.as_int(), scalar.ty.as_int()) else { return false };
            if to == IntKind::Bool || to.width(data) < from.width(data) {
                return false;
            }
            match &other.kind {
                ExprKind::Cast(x) if other.ty == scalar.ty => converted_alike(inner, x, value, data),
                // A constant has been converted already.
                ExprKind::Int(n) => {
                    let is_load = matches!(inner.kind, ExprKind::Load(_)) && inner.ty == value.ty;
                    is_load && constant(value, data).is_some_and(|v| to.wrap(v, data) == *n)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn same_uses<'u>(a: impl IntoIterator<Item = &'u Use>, b: impl IntoIterator<Item = &'u Use>) -> bool {
    let key = |u: &'u Use| (u.operand, u.reach.clone(), u.entry);
    a.into_iter().map(key).eq(b.into_iter().map(key))
}

/// Whether `s`, with this one definition, is a minimum (`Greater`) or a maximum (`Less`), and under
/// which condition.
fn extremum(l: &LoopModel, s: Scalar, d: DefId, data: DataModel) -> Option<(BinaryOp, usize)> {
    let def = &l.code.defs[d];
    let Value::Expr(value) = &def.value else { return None };
    let reads = |c: usize| l.code.conds[c].uses.iter().any(|u| u.operand == Operand::Scalar(s));
    let mut own = def.controls.iter().filter(|(c, _)| reads(*c));
    let (&(cond, holds), None) = (own.next()?, own.next()) else { return None };
    let comparison = comparison(l, cond, holds, s, value, data)?;
    // The value compared is the value assigned: the same text, with the same reaching definitions.
    let is_same = same_uses(comparison.uses, &def.uses);
    #[cfg(any(test, feature = "mutants"))]
    let is_same = is_same || mutated(Mutant::MinimumOfAnother);
    let itself = def.uses.iter().any(|u| u.operand == Operand::Scalar(s));
    (is_same && !itself).then_some((comparison.op, cond))
}

/// Whether `x` (with its definition `first`) and `y` (with its definitions `a`, `b`) are a minimum
/// and a second minimum, or the like for maxima.
fn second(l: &LoopModel, x: Scalar, first: DefId, y: Scalar, a: DefId, b: DefId, data: DataModel) -> bool {
    let code = &l.code;
    let Some((op @ (BinaryOp::Greater | BinaryOp::Less), cond)) = extremum(l, x, first, data) else { return false };
    let (to_x, from_x, to_y) = (&code.defs[first], &code.defs[a], &code.defs[b]);
    // `y = x` just before `x = e`, under the same conditions.
    let takes_old = a < first
        && matches!(from_x.value, Value::Expr(Expr { kind: ExprKind::Load(_), .. }))
        && matches!(&from_x.uses[..], [u] if u.operand == Operand::Scalar(x) && u.reach.is_empty() && u.entry)
        && from_x.controls == to_x.controls;
    // `y = e` where `y > e` and `x < e`, of the new `x`.
    let (Value::Expr(e), Value::Expr(value)) = (&to_x.value, &to_y.value) else { return false };
    if !takes_old || b < first || !same(e, value) || !same_uses(&to_x.uses, &to_y.uses) {
        return false;
    }
    let mut others = BTreeSet::new();
    let (mut above, mut below) = (false, false);
    for &(c, holds) in &to_y.controls {
        let of_y = comparison(l, c, holds, y, value, data);
        let of_x = comparison(l, c, holds, x, value, data);
        match (of_y, of_x) {
            (Some(q), _) if q.op == op && same_uses(q.uses, &to_y.uses) && !above => {
                above = code.conds[c]
                    .uses
                    .iter()
                    .any(|u| u.operand == Operand::Scalar(y) && u.reach == BTreeSet::from([a]) && u.entry);
            }
            (_, Some(q)) if Some(q.op) == op.exchanged() && same_uses(q.uses, &to_y.uses) && !below => {
                below = code.conds[c]
                    .uses
                    .iter()
                    .any(|u| u.operand == Operand::Scalar(x) && u.reach == BTreeSet::from([first]) && u.entry);
            }
            _ => {
                others.insert((c, holds));
            }
        }
    }
    let mine: BTreeSet<_> = to_x.controls.iter().copied().filter(|(c, _)| *c != cond).collect();
    above && below && others == mine
}

/// Whether something in the loop reads a scalar, apart from these definitions.
fn read_elsewhere(l: &LoopModel, s: Scalar, but: &[DefId]) -> bool {
    let reads = |uses: &[Use]| uses.iter().any(|u| u.operand == Operand::Scalar(s));
    let code = &l.code;
    code.defs.iter().enumerate().any(|(d, def)| !but.contains(&d) && reads(&def.uses))
        || code.conds.iter().any(|c| reads(&c.uses))
        || code.looks.iter().any(|look| reads(&look.uses))
}

/// Whether the conditions of a definition have the same answer in all iterations of a residue.
fn without_data(l: &LoopModel, d: DefId) -> bool {
    l.code.defs[d].controls.iter().all(|(c, _)| {
        l.code.conds[*c].uses.iter().all(|u| match u.operand {
            Operand::Scalar(s) => !l.writes(s),
            Operand::Cell(..) => false,
            Operand::Fixed(..) => true,
        })
    })
}

/// The cells of `s = s + cells`.
fn addition(l: &LoopModel, s: Scalar, d: DefId, data: DataModel) -> Option<BTreeSet<(Array, i128)>> {
    let def = &l.code.defs[d];
    let Value::Expr(e) = &def.value else { return None };
    let width = e.ty.as_int().filter(|k| *k != IntKind::Bool)?.width(data);
    let mut sum = Sum { width, data, s, defs: &l.code.defs, uses: def.uses.iter(), itself: 0, cells: BTreeSet::new() };
    sum.add(e, 1)?;
    let has_cells = !sum.cells.is_empty();
    #[cfg(any(test, feature = "mutants"))]
    let has_cells = has_cells || mutated(Mutant::SumsCount);
    (sum.itself == 1 && has_cells && without_data(l, d)).then_some(sum.cells)
}

struct Sum<'m> {
    width: u32,
    data: DataModel,
    s: Scalar,
    defs: &'m [Def],
    /// The uses, in the order of the loads.
    uses: std::slice::Iter<'m, Use>,
    /// What `s` is multiplied with.
    itself: i128,
    cells: BTreeSet<(Array, i128)>,
}

impl Sum<'_> {
    fn add(&mut self, e: &Expr, times: i128) -> Option<()> {
        let Type::Int(kind) = e.ty else { return None };
        let narrow = kind == IntKind::Bool || kind.width(self.data) < self.width;
        #[cfg(any(test, feature = "mutants"))]
        let narrow = narrow && !mutated(Mutant::NarrowSums);
        if narrow {
            return None;
        }
        match &e.kind {
            #[cfg(any(test, feature = "mutants"))]
            ExprKind::Int(_) if mutated(Mutant::SumsCount) => Some(()),
            ExprKind::Load(_) => {
                let u = self.uses.next()?;
                match u.operand {
                    Operand::Scalar(s) if s == self.s => self.itself = self.itself.checked_add(times)?,
                    Operand::Cell(a, c) if u.reach.iter().all(|d| matches!(self.defs[*d].value, Value::Arbitrary)) => {
                        self.cells.insert((a, c));
                    }
                    _ => return None,
                }
                Some(())
            }
            ExprKind::Cast(a) => self.add(a, times),
            ExprKind::Unary(UnaryOp::Negate, a) => self.add(a, times.checked_neg()?),
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                self.add(a, times)?;
                self.add(b, times)
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                self.add(a, times)?;
                self.add(b, times.checked_neg()?)
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => match (constant(a, self.data), constant(b, self.data)) {
                (Some(n), None) => self.add(b, times.checked_mul(n)?),
                (None, Some(n)) => self.add(a, times.checked_mul(n)?),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The arrays whose cells are only summed, and whose values nothing fixes.
fn free_arrays(
    model: &Model,
    candidates: &BTreeMap<(usize, Scalar), Vec<(DefId, BTreeSet<(Array, i128)>)>>,
) -> BTreeSet<Array> {
    let mut free: BTreeSet<Array> = (0..model.arrays.len()).collect();
    let whole = |v| model.arrays.iter().enumerate().filter(move |(_, p)| p.variable == v).map(|(a, _)| a);
    for (n, part) in model.parts.iter().enumerate() {
        let (ModelPart::Straight(code) | ModelPart::Loop(LoopModel { code, .. })) = part;
        let sums =
            |d: DefId| candidates.iter().any(|((part, _), terms)| *part == n && terms.iter().any(|(e, _)| *e == d));
        for (d, def) in code.defs.iter().enumerate() {
            match def.target {
                Target::Whole(v) if !matches!(def.value, Value::Arbitrary) => {
                    whole(v).for_each(|a| {
                        free.remove(&a);
                    });
                }
                Target::Cell(a, _) => {
                    let without_data = matches!(part, ModelPart::Loop(l) if without_data(l, d));
                    if !matches!(def.value, Value::Arbitrary) || !without_data {
                        free.remove(&a);
                    }
                }
                Target::Whole(_) | Target::Scalar(_) | Target::Fixed(..) => {}
            }
            if !sums(d) {
                read(&def.uses, &mut free);
            }
        }
        code.conds.iter().for_each(|c| read(&c.uses, &mut free));
        code.looks.iter().for_each(|look| read(&look.uses, &mut free));
    }
    free
}

fn read(uses: &[Use], free: &mut BTreeSet<Array>) {
    #[cfg(any(test, feature = "mutants"))]
    if mutated(Mutant::SummedCellsAreRead) {
        return;
    }
    for u in uses {
        if let Operand::Cell(a, _) = u.operand {
            free.remove(&a);
        }
    }
}

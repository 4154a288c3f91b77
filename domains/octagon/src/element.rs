//! The elements.

use crate::kernel::{INFINITY, LIMIT};
use crate::linear::Sums;
use crate::part::OctagonPart;
use crate::parts::{Literal, Parts};
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, Relation, Thresholds, Var, simplify, work};
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// An octagon over the integers.
#[derive(Clone)]
pub struct Octagon {
    /// Closed; `None` is bottom.
    parts: Option<Parts>,
    /// For the result of a widening: the same set in the unclosed form that the widening made. The
    /// next widening continues from it; every other change drops it.
    unclosed: Option<Rc<Parts>>,
}

/// The work that a call costs beside the blocks that it reads ([`work::did`]).
const CALL: usize = 50;
/// The number of passes over an equality that is not octagonal.
const EQUALITY_ROUNDS: usize = 2;
/// The number of variables among which pairs are examined in a test that is not octagonal.
const MOST_PAIRED: usize = 8;

/// A variable that no other code makes ([`Var`]'s constructors leave it out): within an assignment,
/// the value that comes.
const NEW_VALUE: Var = Var(u64::MAX);

fn plus(var: Var) -> Literal {
    Literal { var, negated: false }
}

fn minus(var: Var) -> Literal {
    Literal { var, negated: true }
}

impl Octagon {
    pub(crate) fn top() -> Self {
        Octagon { parts: Some(Parts::default()), unclosed: None }
    }

    pub(crate) fn bottom() -> Self {
        Octagon { parts: None, unclosed: None }
    }

    /// Lets `f` change the parts, unless this is bottom; bottom comes of it where `f` says that no
    /// point is left.
    fn change(&mut self, f: impl FnOnce(&mut Parts) -> bool) {
        self.unclosed = None;
        if let Some(parts) = &mut self.parts
            && !f(parts)
        {
            self.parts = None;
        }
    }
}

/// `e >= 0`; `false` if no point is left.
///
/// One variable, or two with coefficients 1 or -1, are an entry of the matrix. Of anything else
/// follow bounds: [`consequences`].
fn assume_non_negative(parts: &mut Parts, e: &LinearExpr) -> bool {
    match *e.terms() {
        [] => return e.constant_part() >= 0,
        // -a <= c
        [a] if matches!(a.1, 1 | -1) => return parts.constrain_one(opposite(a), e.constant_part()),
        [a, b] if matches!((a.1, b.1), (1 | -1, 1 | -1)) => {
            return parts.constrain(opposite(a), opposite(b), e.constant_part());
        }
        _ => {}
    }
    let vars: Vec<Var> = e.vars().collect();
    let known = parts.gather(&vars);
    let factors: Vec<i128> = e.terms().iter().map(|t| t.1).collect();
    // The least number has no opposite one. Learning nothing is sound.
    let Some(negated) = factors.iter().map(|c| c.checked_neg()).collect::<Option<Vec<i128>>>() else { return true };
    let found = consequences(&known, e, &mut known.sums(&factors), &mut known.sums(&negated));
    found.is_some_and(|found| found.into_iter().all(|(p, q, c)| parts.constrain(p, q, c)))
}

/// `e == 0`; `false` if no point is left. Unless `e` is octagonal, what each side says may sharpen
/// what the other does: both are asked until neither says anything new, or often enough.
fn assume_zero(parts: &mut Parts, e: &LinearExpr) -> bool {
    let Some(negated) = e.scale(-1) else { return assume_non_negative(parts, e) };
    if is_octagonal(e) {
        return assume_non_negative(parts, e) && assume_non_negative(parts, &negated);
    }
    let vars: Vec<Var> = e.vars().collect();
    let factors = |e: &LinearExpr| -> Vec<i128> { e.terms().iter().map(|t| t.1).collect() };
    let (up, down) = (factors(e), factors(&negated));
    let (mut turn, mut silent) = (0, 0);
    while turn < 2 * EQUALITY_ROUNDS && silent < 2 {
        let known = parts.gather(&vars);
        let (mut most, mut least) = (known.sums(&up), known.sums(&down));
        let mut found = Vec::new();
        while found.is_empty() && turn < 2 * EQUALITY_ROUNDS && silent < 2 {
            let side = match turn % 2 {
                0 => consequences(&known, e, &mut most, &mut least),
                _ => consequences(&known, &negated, &mut least, &mut most),
            };
            let Some(side) = side else { return false };
            found = side;
            turn += 1;
            silent = if found.is_empty() { silent + 1 } else { 0 };
        }
        if !found.into_iter().all(|(p, q, c)| parts.constrain(p, q, c)) {
            return false;
        }
    }
    true
}

/// Whether `e >= 0` is an entry of the matrix.
fn is_octagonal(e: &LinearExpr) -> bool {
    e.terms().len() <= 2 && e.terms().iter().all(|t| matches!(t.1, 1 | -1))
}

/// The literal of the opposite sign.
fn opposite(term: (Var, i128)) -> Literal {
    Literal { var: term.0, negated: term.1 > 0 }
}

/// Bounds of sums of two literals that follow from `e >= 0` and that `known`, which has just the
/// variables of `e`, does not have; `None` if no point is left.
///
/// For each variable and each pair, what the greatest value of the rest leaves: from `m * u + rest
/// >= 0` comes `u >= -max(rest) / m`, rounded up.
///
/// `most` and `least` are the sums of `known` for the factors of `e`, and for the opposite ones.
fn consequences(
    known: &OctagonPart,
    e: &LinearExpr,
    most: &mut Sums<'_>,
    least: &mut Sums<'_>,
) -> Option<Vec<(Literal, Literal, i128)>> {
    let terms = e.terms();
    let mut factors: Vec<i128> = terms.iter().map(|t| t.1).collect();
    let negated: Vec<i128> = factors.iter().map(|c| c.saturating_neg()).collect();
    let least = least.greatest(&negated);
    if least.is_some_and(|greatest| greatest <= e.constant_part()) {
        // It holds, and what follows from it is there already: the octagon is closed.
        return Some(Vec::new());
    }
    let mut greatest = |factors: &[i128]| most.greatest(factors)?.checked_add(e.constant_part());
    if greatest(&factors).is_some_and(|greatest| greatest < 0) {
        return None;
    }
    let mut found: Vec<(Literal, Literal, i128)> = Vec::new();
    let mut learn = |i: usize, j: usize, c: i128| {
        let (p, q) = (opposite(terms[i]), opposite(terms[j]));
        if i128::from(known.entry(p.node(i) ^ 1, q.node(j))) > c {
            found.push((p, q, c));
        }
    };
    // With `e = m * u + rest`, the greatest value of `-u` that `e >= 0` leaves, for one variable
    // and for two.
    for (i, &a) in terms.iter().enumerate() {
        factors[i] = 0;
        if let Some(rest) = greatest(&factors) {
            learn(i, i, rest.div_euclid(a.1.abs()).saturating_mul(2));
        }
        if terms.len() <= MOST_PAIRED {
            for (j, &b) in terms[..i].iter().enumerate() {
                let common = a.1.abs().min(b.1.abs());
                factors[i] = a.1 - common * a.1.signum();
                factors[j] = b.1 - common * b.1.signum();
                if let Some(rest) = greatest(&factors) {
                    learn(i, j, rest.div_euclid(common));
                }
                factors[j] = b.1;
            }
        }
        factors[i] = a.1;
    }
    Some(found)
}

/// `e` with the numbers of those variables that have just one value: nothing follows from them that
/// does not follow from their numbers.
fn without_constants(parts: &Parts, e: &LinearExpr) -> Option<LinearExpr> {
    let mut shorter = e.clone();
    for v in e.vars() {
        if let Some(value) = parts.range(&LinearExpr::var(v)).and_then(Interval::as_constant) {
            shorter = shorter.substitute(v, &LinearExpr::constant(value))?;
        }
    }
    Some(shorter)
}

/// Excludes 0 from the values of `e`, where it is the least or the greatest; `false` if no point is
/// left.
fn assume_non_zero(parts: &mut Parts, e: &LinearExpr) -> bool {
    let Some(range) = parts.range(e) else { return false };
    let moved = match (range.lo(), range.hi()) {
        (Some(0), Some(0)) => return false,
        (Some(0), _) => e.add_constant(-1),
        (_, Some(0)) => e.scale(-1).and_then(|e| e.add_constant(-1)),
        _ => None,
    };
    moved.is_none_or(|e| assume_non_negative(parts, &e))
}

/// `v := e`, where `e` is no octagonal expression: the range of `e`, and the ranges of `e - u` and
/// `e + u` for the variables `u` of `e`, as far as they say more.
///
/// For a variable around them nothing would be gained: the best bound of its sum with `e` that
/// [`OctagonPart::greatest`] finds pairs it with one `u`, and then follows from the bound of
/// `e - u` and that pair.
fn assign_range(parts: &mut Parts, v: Var, e: &LinearExpr) -> bool {
    let Some(range) = parts.range(e) else { return false };
    let mut found: Vec<(Literal, Literal, i128)> = Vec::new();
    // While `v` is in `e`, the new value has a name of its own: what relates it to others leads
    // over the old one.
    let new = if e.mentions(v) { NEW_VALUE } else { v };
    for u in e.vars() {
        for negated in [false, true] {
            let other = LinearExpr::new([(u, if negated { -1 } else { 1 })], 0);
            // v + other <= high, and low <= v + other
            let Some(sum) = other.and_then(|other| e.add(&other)) else { continue };
            let Some(known) = parts.range(&sum) else { return false };
            found.extend(known.hi().map(|high| (plus(new), Literal { var: u, negated }, high)));
            let low = known.lo().and_then(i128::checked_neg);
            found.extend(low.map(|low| (minus(new), Literal { var: u, negated: !negated }, low)));
        }
    }
    if new == v {
        parts.forget(&[v]);
    }
    let low = range.lo().and_then(i128::checked_neg).is_none_or(|low| parts.constrain_one(minus(new), low));
    let high = range.hi().is_none_or(|high| parts.constrain_one(plus(new), high));
    if !(low && high && found.into_iter().all(|(p, q, c)| parts.constrain(p, q, c))) {
        return false;
    }
    if new != v {
        parts.forget(&[v]);
        parts.rename(|w| if w == new { v } else { w }, &[new]);
    }
    true
}

impl Lattice for Octagon {
    fn is_bottom(&self) -> bool {
        self.parts.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        work::did(CALL);
        match (&self.parts, &other.parts) {
            (None, _) => true,
            (_, None) => false,
            // Fewer bounds to compare, and those that a widening compared.
            (Some(a), Some(b)) => a.leq(other.unclosed.as_deref().unwrap_or(b)),
        }
    }

    fn join_with(&mut self, other: &Self) {
        work::did(CALL);
        let Some(theirs) = &other.parts else { return };
        if self.is_bottom() {
            *self = other.clone();
            return;
        }
        self.change(|mine| {
            mine.join(theirs);
            true
        });
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        work::did(CALL);
        let (Some(closed), Some(new)) = (&prev.parts, &next.parts) else {
            return if prev.is_bottom() { next.clone() } else { prev.clone() };
        };
        // Of a closed octagon, bounds between parts are bounds too; of the result of a widening
        // they are not, or they would come back for ever.
        let old = prev.unclosed.clone().unwrap_or_else(|| Rc::new(closed.united_as(new)));
        // An entry bounds `x` or `x - y` from above, or their opposites, hence `x` or `x - y` from
        // below.
        let upwards = |bound: i128| {
            let below = bound.checked_neg().and_then(|b| thresholds.at_most(b)).and_then(i128::checked_neg);
            thresholds.at_least(bound).into_iter().chain(below).min()
        };
        let widened = old.widen(new, upwards);
        // Both sides have points, so the result has; were it not so, everything would be a sound
        // answer.
        let parts = widened.closed(new).unwrap_or_default();
        Octagon { parts: Some(parts), unclosed: Some(Rc::new(widened)) }
    }
}

impl Numeric for Octagon {
    fn forget(&mut self, vars: &[Var]) {
        work::did(CALL);
        self.change(|parts| {
            parts.forget(vars);
            true
        });
    }

    fn project(&self, keep: &BTreeSet<Var>) -> Self {
        Octagon { parts: self.parts.as_ref().map(|parts| parts.project(keep)), unclosed: None }
    }

    fn tied(&self, vars: &[Var]) -> Vec<Var> {
        work::did(CALL);
        self.parts.as_ref().map_or_else(Vec::new, |parts| parts.tied(vars).into_iter().collect())
    }

    fn leq_over(&self, other: &Self, asked: &dyn Fn(Var) -> bool) -> bool {
        work::did(CALL);
        match (&self.parts, &other.parts) {
            (None, _) => true,
            (_, None) => false,
            (Some(a), Some(b)) => a.leq_over(b, asked),
        }
    }

    fn related(&self, vars: &[Var]) -> Vec<Var> {
        work::did(CALL);
        // A variable that is in no part shares nothing; parts share nothing but bounds.
        let parts = |v: &Var| self.parts.as_ref().and_then(|parts| parts.part(*v));
        let found: BTreeSet<Var> = vars.iter().filter_map(parts).flat_map(|part| part.vars.iter().copied()).collect();
        found.into_iter().collect()
    }

    fn assign(&mut self, v: Var, e: &LinearExpr) {
        work::did(CALL);
        let c = i64::try_from(e.constant_part()).ok().filter(|c| (-LIMIT / 4..=LIMIT / 4).contains(c));
        self.change(|parts| match (e.terms(), c) {
            ([], Some(c)) => {
                parts.forget(&[v]);
                parts.constrain_one(plus(v), c.into()) && parts.constrain_one(minus(v), (-c).into())
            }
            (&[(w, 1 | -1)], Some(c)) if w == v => {
                if e.coefficient(v) < 0 {
                    parts.negate(v);
                }
                parts.shift(v, c);
                true
            }
            (&[(w, sign @ (1 | -1))], Some(c)) => {
                parts.copy(v, Literal { var: w, negated: sign < 0 }, c);
                true
            }
            _ => assign_range(parts, v, e),
        });
    }

    fn assume(&mut self, c: &Constraint) {
        work::did(CALL);
        let octagonal = is_octagonal(&c.expr);
        if octagonal && c.relation == Relation::NonNegative {
            // In normal form already.
            return self.change(|parts| assume_non_negative(parts, &c.expr));
        }
        let c = c.normalise();
        self.change(|parts| match c.relation {
            Relation::NonNegative => assume_non_negative(parts, &c.expr),
            Relation::Zero if octagonal => assume_zero(parts, &c.expr),
            Relation::Zero => {
                let e = without_constants(parts, &c.expr).unwrap_or(c.expr);
                assume_zero(parts, &e)
            }
            Relation::NonZero => assume_non_zero(parts, &c.expr),
        });
    }

    fn meet_with(&mut self, other: &Self) {
        work::did(CALL);
        match &other.parts {
            None => *self = Octagon::bottom(),
            Some(theirs) => self.change(|mine| mine.meet(theirs)),
        }
    }

    fn expand(&mut self, v: Var, copy: Var) {
        work::did(CALL);
        self.change(|parts| {
            parts.twin(v, copy);
            true
        });
    }

    fn fold(&mut self, into: Var, from: Var) {
        work::did(CALL);
        self.change(|parts| {
            let mut moved = parts.clone();
            moved.forget(&[into]);
            moved.rename(|v| if v == from { into } else { v }, &[from]);
            parts.forget(&[from]);
            parts.join(&moved);
            true
        });
    }

    fn rename(&mut self, pairs: &[(Var, Var)]) {
        work::did(CALL);
        let from: Vec<Var> = pairs.iter().map(|p| p.0).collect();
        self.change(|parts| {
            parts.rename(|v| pairs.iter().find(|p| p.0 == v).map_or(v, |p| p.1), &from);
            true
        });
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        work::did(CALL);
        self.parts.as_ref()?.range(e)
    }

    fn distance(&self, x: Var, y: Option<Var>) -> Interval {
        work::did(CALL);
        self.parts.as_ref().and_then(|parts| parts.distance(x, y)).unwrap_or(Interval::TOP)
    }

    fn distances(&self, xs: &[Var], ys: &[Var]) -> Vec<Interval> {
        work::did(CALL);
        match &self.parts {
            Some(parts) => parts.distances(xs, ys),
            None => vec![Interval::TOP; xs.len() * (ys.len() + 1)],
        }
    }

    fn entails(&self, c: &Constraint) -> bool {
        work::did(CALL);
        let c = c.normalise();
        self.bounds(&c.expr).is_none_or(|values| c.relation.decided(values) == Some(true))
    }

    fn constraints(&self) -> Vec<Constraint> {
        work::did(CALL);
        let Some(parts) = &self.parts else {
            return vec![Constraint::never()];
        };
        // Parts share no variable, so that each is made short by itself.
        let mut tidied = Vec::new();
        for part in parts.iter() {
            let mut all = Vec::new();
            let term = |i: usize| (part.vars[i / 2], if i.is_multiple_of(2) { 1 } else { -1 });
            for i in 0..2 * part.len() {
                for j in (0..=(i | 1)).filter(|j| *j != i) {
                    let bound = part.entry(i, j);
                    // V_j - V_i <= bound; one variable alone is there twice.
                    let e = match (bound, i ^ 1 == j) {
                        (INFINITY, _) => None,
                        (_, true) => LinearExpr::new([term(i)], (bound >> 1).into()),
                        (_, false) => LinearExpr::new([term(i), term(j ^ 1)], bound.into()),
                    };
                    all.extend(e.map(Constraint::non_negative));
                }
            }
            tidied.extend(simplify::tidy_octagon(all));
        }
        simplify::tidy(tidied)
    }

    fn vars(&self) -> Vec<Var> {
        self.parts.as_ref().map_or_else(Vec::new, |parts| parts.vars().collect())
    }
}

impl fmt::Debug for Octagon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.parts {
            None => write!(f, "octagon bottom"),
            Some(parts) if parts.is_top() => write!(f, "octagon top"),
            Some(_) => write!(f, "octagon {:?}", self.constraints()),
        }
    }
}

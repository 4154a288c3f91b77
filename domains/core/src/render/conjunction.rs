//! The constraints to render, without those that are implied.

use crate::{Constraint, Interval, LinearExpr, Relation, Var};
use std::collections::{BTreeMap, BTreeSet};

/// With more variables than this, nothing is left out: closing the matrix is cubic.
pub(super) const LIMIT: usize = 150;

/// A conjunction, sorted out.
pub(super) struct Conjunction {
    pub(super) differences: Differences,
    /// Linear parts that are no difference, first coefficient positive, with their bounds; over
    /// representatives.
    pub(super) sums: BTreeMap<Vec<(Var, i128)>, (Option<i128>, Option<i128>)>,
    /// `expr != 0`, over representatives.
    pub(super) disequalities: Vec<LinearExpr>,
}

impl Conjunction {
    /// `None` if a contradiction is seen.
    pub(super) fn new(constraints: &[Constraint]) -> Option<Conjunction> {
        let mut edges: Vec<(Option<Var>, Option<Var>, i128)> = Vec::new();
        let mut others: Vec<Constraint> = constraints.to_vec();
        let vars: BTreeSet<Var> = constraints.iter().flat_map(|c| c.expr.vars()).collect();
        let vars: Vec<Var> = vars.into_iter().collect();
        // Substituting representatives can turn a constraint into a bound or a difference, which
        // can give new representatives. Every round moves a constraint, so the rounds end.
        loop {
            let differences = Differences::new(&vars, &edges)?;
            let (mut left, mut moved) = (Vec::new(), false);
            for c in &others {
                let c = differences.substituted(c).normalise();
                if c.expr.as_constant().is_some() {
                    match c.holds(|_| 0) {
                        Some(false) => return None,
                        _ => continue,
                    }
                }
                let opposite = || Some(Constraint::non_negative(c.expr.scale(-1)?));
                match (c.relation, edge(&c.expr)) {
                    (Relation::NonNegative, Some(e)) => edges.push(e),
                    (Relation::Zero, Some(e)) if let Some(f) = opposite().and_then(|c| edge(&c.expr)) => {
                        edges.extend([e, f]);
                    }
                    _ => {
                        left.push(c);
                        continue;
                    }
                }
                moved = true;
            }
            others = left;
            if !moved {
                return Conjunction::sorted(differences, &others);
            }
        }
    }

    fn sorted(differences: Differences, others: &[Constraint]) -> Option<Conjunction> {
        let mut result = Conjunction { differences, sums: BTreeMap::new(), disequalities: Vec::new() };
        for c in others {
            let range = result.differences.range(&c.expr);
            match c.relation {
                Relation::NonNegative if range.hi().is_some_and(|hi| hi < 0) => return None,
                Relation::Zero if !range.contains(0) => return None,
                Relation::NonNegative if range.lo().is_some_and(|lo| lo >= 0) => {}
                Relation::NonZero if !range.contains(0) => {}
                Relation::NonZero => {
                    if !result.disequalities.contains(&c.expr) {
                        result.disequalities.push(c.expr.clone());
                    }
                }
                relation => {
                    let upwards = c.expr.terms().first().is_some_and(|t| t.1 > 0);
                    // L + constant >= 0 is L >= -constant; -L + constant >= 0 is L <= constant.
                    let Some(linear) = (if upwards { Some(c.expr.clone()) } else { c.expr.scale(-1) }) else {
                        continue;
                    };
                    let Some(bound) = linear.constant_part().checked_neg() else { continue };
                    let (lo, hi) = result.sums.entry(linear.terms().to_vec()).or_default();
                    if upwards || relation == Relation::Zero {
                        *lo = Some(lo.map_or(bound, |lo| lo.max(bound)));
                    }
                    if !upwards || relation == Relation::Zero {
                        *hi = Some(hi.map_or(bound, |hi| hi.min(bound)));
                    }
                }
            }
        }
        if result.sums.values().any(|(lo, hi)| lo.zip(*hi).is_some_and(|(lo, hi)| lo > hi)) {
            return None;
        }
        result.drop_implied_sums();
        Some(result)
    }

    /// Drops the bounds of `x + y` that follow from those of `z + y` and the difference of `x` and
    /// `z`. All at once: as for differences, two bounds could only imply each other along a cycle
    /// of weight 0.
    fn drop_implied_sums(&mut self) {
        let key = |x: Var, y: Var| vec![(x.min(y), 1), (x.max(y), 1)];
        let all = self.sums.clone();
        for (terms, (lo, hi)) in &mut self.sums {
            let [(x, 1), (y, 1)] = terms[..] else { continue };
            if lo == hi {
                continue;
            }
            for (x, y) in [(x, y), (y, x)] {
                for &z in self.differences.vars.iter().filter(|z| **z != x && **z != y) {
                    let Some((low, high)) = all.get(&key(z, y)) else { continue };
                    let (up, down) =
                        (self.differences.between(Some(x), Some(z)), self.differences.between(Some(z), Some(x)));
                    let implied_high = high.zip(up).and_then(|(a, b)| a.checked_add(b));
                    let implied_low = low.zip(down).and_then(|(a, b)| a.checked_sub(b));
                    if hi.zip(implied_high).is_some_and(|(own, implied)| implied <= own) {
                        *hi = None;
                    }
                    if lo.zip(implied_low).is_some_and(|(own, implied)| implied >= own) {
                        *lo = None;
                    }
                }
            }
        }
    }
}

/// `x - y <= c` as `(x, y, c)`, where no variable is 0, if `expr >= 0` has that form.
fn edge(expr: &LinearExpr) -> Option<(Option<Var>, Option<Var>, i128)> {
    let c = expr.constant_part();
    match expr.terms()[..] {
        [(y, 1)] => Some((None, Some(y), c)),
        [(x, -1)] => Some((Some(x), None, c)),
        [(y, 1), (x, -1)] | [(x, -1), (y, 1)] => Some((Some(x), Some(y), c)),
        _ => None,
    }
}

/// A closed difference bound matrix. Node 0 is the number 0, node `i + 1` is `vars[i]`.
pub(super) struct Differences {
    pub(super) vars: Vec<Var>,
    /// `matrix[i][j]` is the greatest value of node `i` minus node `j`, if there is one.
    pub(super) matrix: Vec<Vec<Option<i128>>>,
    /// The least node that has a constant difference with this one.
    pub(super) representatives: Vec<usize>,
}

impl Differences {
    /// `None` if there is a negative cycle.
    fn new(vars: &[Var], edges: &[(Option<Var>, Option<Var>, i128)]) -> Option<Differences> {
        let n = vars.len() + 1;
        let mut matrix = vec![vec![None; n]; n];
        let node = |v: Option<Var>| v.map_or(0, |v| vars.partition_point(|w| *w < v) + 1);
        let lower = |old: &mut Option<i128>, new: i128| {
            if old.is_none_or(|old| new < old) {
                *old = Some(new);
            }
        };
        for &(x, y, c) in edges {
            lower(&mut matrix[node(x)][node(y)], c);
        }
        (0..n).for_each(|i| lower(&mut matrix[i][i], 0));
        if n <= LIMIT {
            for k in 0..n {
                let through = matrix[k].clone();
                for row in &mut matrix {
                    let Some(first) = row[k] else { continue };
                    for (to, second) in row.iter_mut().zip(&through) {
                        if let Some(sum) = second.and_then(|second| first.checked_add(second)) {
                            lower(to, sum);
                        }
                    }
                }
            }
        }
        if (0..n).any(|i| matrix[i][i].is_some_and(|d| d < 0)) {
            return None;
        }
        let apart = |i: usize, j: usize| matrix[i][j].zip(matrix[j][i]).and_then(|(a, b)| a.checked_add(b));
        // Only in a closed matrix does a representative inherit what is known of its class.
        let least = |i: usize| (0..i).find(|j| n <= LIMIT && apart(i, *j) == Some(0)).unwrap_or(i);
        let representatives = (0..n).map(least).collect();
        Some(Differences { vars: vars.to_vec(), matrix, representatives })
    }

    fn node(&self, v: Var) -> usize {
        self.vars.partition_point(|w| *w < v) + 1
    }

    /// The greatest value of `x - y`, where no variable is 0.
    pub(super) fn between(&self, x: Option<Var>, y: Option<Var>) -> Option<i128> {
        let node = |v: Option<Var>| v.map_or(Some(0), |v| self.vars.binary_search(&v).ok().map(|i| i + 1));
        match (node(x)?, node(y)?) {
            (i, j) if i == j => Some(0),
            (i, j) => self.matrix[i][j],
        }
    }

    /// Each variable replaced by its representative and their difference; `c` itself where numbers
    /// end.
    fn substituted(&self, c: &Constraint) -> Constraint {
        let mut expr = Some(c.expr.clone());
        for v in c.expr.vars() {
            let node = self.node(v);
            let to = self.representatives[node];
            if to != node {
                let offset = self.matrix[node][to].unwrap_or(0);
                let by = if to == 0 { LinearExpr::constant(0) } else { LinearExpr::var(self.vars[to - 1]) };
                expr = expr.and_then(|e| e.substitute(v, &by.add_constant(offset)?));
            }
        }
        Constraint { expr: expr.unwrap_or_else(|| c.expr.clone()), relation: c.relation }
    }

    /// Every value of `e` is in here.
    pub(super) fn range(&self, e: &LinearExpr) -> Interval {
        let between = |x: Option<Var>, y: Option<Var>| {
            let lo = self.between(y, x).and_then(i128::checked_neg);
            Interval::new(lo, self.between(x, y)).unwrap_or(Interval::TOP)
        };
        match e.terms()[..] {
            [(x, 1), (y, -1)] => between(Some(x), Some(y)).add(Interval::constant(e.constant_part())),
            _ => e.interval(|v| between(Some(v), None)),
        }
    }

    /// The inequalities between representatives that no third one implies.
    pub(super) fn reduced(&self) -> BTreeMap<(usize, usize), i128> {
        let nodes: Vec<usize> = (0..self.matrix.len()).filter(|i| self.representatives[*i] == *i).collect();
        let pairs = nodes.iter().flat_map(|i| nodes.iter().map(move |j| (*i, *j))).filter(|(i, j)| i != j);
        let implied = |i: usize, j: usize, d: i128| {
            self.matrix.len() <= LIMIT
                && nodes.iter().filter(|k| **k != i && **k != j).any(|k| {
                    let path = self.matrix[i][*k].zip(self.matrix[*k][j]).and_then(|(a, b)| a.checked_add(b));
                    path.is_some_and(|path| path <= d)
                })
        };
        let weighted = pairs.filter_map(|(i, j)| Some(((i, j), self.matrix[i][j]?)));
        weighted.filter(|((i, j), d)| !implied(*i, *j, *d)).collect()
    }
}

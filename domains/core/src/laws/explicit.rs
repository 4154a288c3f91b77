//! A reference domain: finite relations, row by row. It is the most precise relational domain on
//! small states, and so the strictest test of anything built on a numeric domain.
//!
//! **Meaning.** A valuation is contained if its values in the mentioned columns are one of the
//! rows. No row is bottom, no column (with the one empty row) is top.
//!
//! **Representation.** Columns ascend strictly; every row has one value per column; at most
//! [`LIMIT`] rows.
//!
//! **Sources, and where we differ.** A relational algebra table: *expand* is the natural self-join
//! on all other columns, *fold* a union (Gopan, DiMaio, Dor, Reps, Sagiv: "Numeric domains with
//! summarized dimensions", TACAS 2004, section 3).
//!
//! **Limits.** Infinite sets cannot be expressed: `x >= 0` on an unmentioned `x` is ignored, and a
//! relation that grows beyond the limit loses columns. For tests only.

use crate::{Constraint, Interval, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Thresholds, Var};
use std::collections::{BTreeMap, BTreeSet};

/// More rows than this and the last column goes.
const LIMIT: usize = 400;

/// Makes [`Explicit`] elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplicitDomain;

impl NumericDomain for ExplicitDomain {
    type Element = Explicit;

    fn name(&self) -> String {
        "explicit".into()
    }

    fn top(&self) -> Explicit {
        Explicit { columns: Vec::new(), rows: BTreeSet::from([Vec::new()]) }
    }

    fn bottom(&self) -> Explicit {
        Explicit { columns: Vec::new(), rows: BTreeSet::new() }
    }
}

/// A finite relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explicit {
    columns: Vec<Var>,
    rows: BTreeSet<Vec<i128>>,
}

impl Explicit {
    fn column(&self, v: Var) -> Option<usize> {
        self.columns.binary_search(&v).ok()
    }

    fn mentions_all(&self, e: &LinearExpr) -> bool {
        e.vars().all(|v| self.column(v).is_some())
    }

    /// Keeps just the columns that `keep` names; drops more while there are too many rows.
    fn keep_columns(&mut self, keep: impl Fn(Var) -> bool) {
        let kept: Vec<usize> = (0..self.columns.len()).filter(|i| keep(self.columns[*i])).collect();
        if kept.len() < self.columns.len() {
            self.rows = self.rows.iter().map(|row| kept.iter().map(|i| row[*i]).collect()).collect();
            self.columns = kept.iter().map(|i| self.columns[*i]).collect();
        }
        while self.rows.len() > LIMIT {
            self.columns.pop();
            self.rows = self.rows.iter().map(|row| row[..row.len() - 1].to_vec()).collect();
        }
    }

    /// The value of `e` in each row, in row order; `None` if one cannot be computed.
    fn values(&self, e: &LinearExpr) -> Option<Vec<i128>> {
        let value = |row: &Vec<i128>| e.evaluate(|v| self.column(v).map_or(0, |i| row[i]));
        self.mentions_all(e).then(|| self.rows.iter().map(value).collect())?
    }

    /// Sets column `v`, new or not, to `values`, which are in row order.
    fn set_column(&mut self, v: Var, values: Vec<i128>) {
        let old = self.columns.binary_search(&v);
        let (Ok(at) | Err(at)) = old;
        if old.is_err() {
            self.columns.insert(at, v);
        }
        let set = |(mut row, x): (Vec<i128>, i128)| {
            row.splice(at..at + usize::from(old.is_ok()), [x]);
            row
        };
        self.rows = std::mem::take(&mut self.rows).into_iter().zip(values).map(set).collect();
    }

    /// The range of a column, or of its difference from another; `None` if there is no row.
    fn differences(&self, i: usize, j: Option<usize>) -> Option<Interval> {
        let difference = |row: &Vec<i128>| j.map_or(Some(row[i]), |j| row[i].checked_sub(row[j]));
        let ranges = self.rows.iter().map(|row| difference(row).map_or(Interval::TOP, Interval::constant));
        ranges.reduce(Interval::join)
    }

    fn renamed(&self, f: impl Fn(Var) -> Var) -> Explicit {
        let mut order: Vec<(Var, usize)> = self.columns.iter().enumerate().map(|(i, v)| (f(*v), i)).collect();
        order.sort_unstable();
        let rows = self.rows.iter().map(|row| order.iter().map(|(_, i)| row[*i]).collect()).collect();
        Explicit { columns: order.into_iter().map(|(v, _)| v).collect(), rows }
    }
}

impl Lattice for Explicit {
    fn is_bottom(&self) -> bool {
        self.rows.is_empty()
    }

    fn leq(&self, other: &Self) -> bool {
        let mut projected = self.clone();
        projected.keep_columns(|v| other.column(v).is_some());
        self.is_bottom() || projected.columns == other.columns && projected.rows.is_subset(&other.rows)
    }

    fn join_with(&mut self, other: &Self) {
        if other.is_bottom() {
            return;
        }
        if self.is_bottom() {
            self.clone_from(other);
            return;
        }
        let mut other = other.clone();
        self.keep_columns(|v| other.column(v).is_some());
        other.keep_columns(|v| self.column(v).is_some());
        self.rows.append(&mut other.rows);
        self.keep_columns(|_| true);
    }

    fn widen(prev: &Self, next: &Self, _thresholds: &Thresholds) -> Self {
        // Columns with new values go; what is left is a subset of the finite grid of the old
        // values.
        let values = |e: &Explicit, v: Var| {
            let column = e.column(v)?;
            Some(e.rows.iter().map(|row| row[column]).collect::<BTreeSet<i128>>())
        };
        if prev.is_bottom() {
            return next.clone();
        }
        let mut result = prev.clone();
        result.join_with(next);
        let joined = result.clone();
        result.keep_columns(|v| values(&joined, v) == values(prev, v));
        result
    }
}

impl Numeric for Explicit {
    fn forget(&mut self, vars: &[Var]) {
        self.keep_columns(|v| !vars.contains(&v));
    }

    fn assign(&mut self, v: Var, e: &LinearExpr) {
        match self.values(e) {
            Some(values) => self.set_column(v, values),
            None => self.forget(&[v]),
        }
    }

    fn assume(&mut self, c: &Constraint) {
        let mut unknown = c.expr.vars().filter(|v| self.column(*v).is_none());
        match (unknown.next(), unknown.next()) {
            (None, _) => {
                let rows = std::mem::take(&mut self.rows);
                let keeps = |row: &Vec<i128>| c.holds(|v| self.column(v).map_or(0, |i| row[i])) != Some(false);
                self.rows = rows.into_iter().filter(keeps).collect();
            }
            (Some(v), None) if c.relation == Relation::Zero => {
                // The one value of `v` that satisfies the equality; where it cannot be computed,
                // nothing is learned.
                if let Some(values) = c.solved_for(v).and_then(|(_, value)| self.values(&value)) {
                    self.set_column(v, values);
                }
            }
            _ => {}
        }
    }

    fn meet_with(&mut self, other: &Self) {
        if self.is_bottom() || other.is_bottom() {
            *self = ExplicitDomain.bottom();
            return;
        }
        let mut columns: Vec<Var> = self.columns.iter().chain(&other.columns).copied().collect();
        columns.sort_unstable();
        columns.dedup();
        let shared: Vec<(usize, usize)> =
            self.columns.iter().enumerate().filter_map(|(i, v)| Some((i, other.column(*v)?))).collect();
        let mut matching: BTreeMap<Vec<i128>, Vec<&Vec<i128>>> = BTreeMap::new();
        for b in &other.rows {
            matching.entry(shared.iter().map(|(_, j)| b[*j]).collect()).or_default().push(b);
        }
        let places: Vec<(Option<usize>, Option<usize>)> =
            columns.iter().map(|v| (self.column(*v), other.column(*v))).collect();
        let mut rows = BTreeSet::new();
        for a in &self.rows {
            let key: Vec<i128> = shared.iter().map(|(i, _)| a[*i]).collect();
            for b in matching.get(&key).into_iter().flatten() {
                let row = places.iter().filter_map(|(i, j)| i.map(|i| a[i]).or_else(|| j.map(|j| b[j])));
                rows.insert(row.collect());
            }
        }
        *self = Explicit { columns, rows };
        self.keep_columns(|_| true);
    }

    fn expand(&mut self, v: Var, copy: Var) {
        let second = self.renamed(|w| if w == v { copy } else { w });
        self.meet_with(&second);
    }

    fn fold(&mut self, into: Var, from: Var) {
        let mut second = self.clone();
        second.keep_columns(|v| v != into);
        let second = second.renamed(|v| if v == from { into } else { v });
        self.keep_columns(|v| v != from);
        self.join_with(&second);
    }

    fn rename(&mut self, pairs: &[(Var, Var)]) {
        *self = self.renamed(|v| pairs.iter().find(|p| p.0 == v).map_or(v, |p| p.1));
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        if self.is_bottom() {
            return None;
        }
        let Some(values) = self.values(e) else { return Some(Interval::TOP) };
        values.into_iter().map(Interval::constant).reduce(Interval::join)
    }

    fn distance(&self, x: Var, y: Option<Var>) -> Interval {
        if y == Some(x) && !self.is_bottom() {
            return Interval::constant(0);
        }
        let columns = self.column(x).zip(y.map_or(Some(None), |y| self.column(y).map(Some)));
        columns.and_then(|(i, j)| self.differences(i, j)).unwrap_or(Interval::TOP)
    }

    fn entails(&self, c: &Constraint) -> bool {
        let holds = |row: &Vec<i128>| c.holds(|v| self.column(v).map_or(0, |i| row[i])) == Some(true);
        self.is_bottom() || self.mentions_all(&c.expr) && self.rows.iter().all(holds)
    }

    fn constraints(&self) -> Vec<Constraint> {
        let mut all = Vec::new();
        let mut add = |relation, terms: &[(Var, i128)], constant: Option<i128>| {
            let expr = constant.and_then(|constant| LinearExpr::new(terms.iter().copied(), constant));
            all.extend(expr.map(|expr| Constraint { expr, relation }));
        };
        for (i, v) in self.columns.iter().enumerate() {
            let range = self.differences(i, None).and_then(|range| range.lo().zip(range.hi()));
            let Some((lo, hi)) = range else { continue };
            add(Relation::NonNegative, &[(*v, 1)], lo.checked_neg());
            add(Relation::NonNegative, &[(*v, -1)], Some(hi));
            for (j, w) in self.columns[..i].iter().enumerate() {
                let mut differences = self.rows.iter().map(|row| row[i].checked_sub(row[j]));
                let first = differences.next().flatten();
                // The first row in which the difference is another ends the search.
                if first.is_some() && differences.all(|d| d == first) {
                    add(Relation::Zero, &[(*v, 1), (*w, -1)], first.and_then(i128::checked_neg));
                }
            }
        }
        all
    }

    fn vars(&self) -> Vec<Var> {
        self.columns.clone()
    }
}

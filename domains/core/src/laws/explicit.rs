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
use std::collections::BTreeSet;

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
        let mut rows = BTreeSet::new();
        for a in &self.rows {
            for b in &other.rows {
                let pick = |v: &Var| match (self.column(*v), other.column(*v)) {
                    (Some(i), Some(j)) => (a[i] == b[j]).then_some(a[i]),
                    (Some(i), None) => Some(a[i]),
                    (None, j) => j.map(|j| b[j]),
                };
                rows.extend(columns.iter().map(pick).collect::<Option<Vec<i128>>>());
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

    fn entails(&self, c: &Constraint) -> bool {
        let holds = |row: &Vec<i128>| c.holds(|v| self.column(v).map_or(0, |i| row[i])) == Some(true);
        self.is_bottom() || self.mentions_all(&c.expr) && self.rows.iter().all(holds)
    }

    fn constraints(&self) -> Vec<Constraint> {
        let mut all = Vec::new();
        for (i, v) in self.columns.iter().enumerate() {
            let v = LinearExpr::var(*v);
            if let Some(Some((lo, hi))) = self.bounds(&v).map(|b| b.lo().zip(b.hi())) {
                all.extend(Constraint::ge(&v, &LinearExpr::constant(lo)));
                all.extend(Constraint::le(&v, &LinearExpr::constant(hi)));
            }
            for w in &self.columns[..i] {
                let Some(difference) = v.sub(&LinearExpr::var(*w)) else { continue };
                if let Some(c) = self.bounds(&difference).and_then(Interval::as_constant) {
                    all.extend(Constraint::eq(&difference, &LinearExpr::constant(c)));
                }
            }
        }
        all
    }

    fn vars(&self) -> Vec<Var> {
        self.columns.clone()
    }
}

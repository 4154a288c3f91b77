//! Puts constraints into the form that people read: `0 <= i < n <= 100` instead of eight
//! inequalities with everything on the left.
//!
//! Bounds and differences go into a difference bound matrix, whose closure says which bounds imply
//! others. Variables with a constant difference form a class and are replaced by one of them. An
//! inequality between the remaining variables is left out if it follows from a path over a third
//! variable (Larsen, Larsson, Pettersson, Yi: "Efficient verification of real-time systems: compact
//! data structure and state-space reduction", RTSS 1997, section 3: without cycles of weight 0 all
//! such edges can go at once). The remaining inequalities are put into chains. Other constraints
//! are left out where the bounds of their variables imply them.

mod conjunction;

use crate::{Chain, Comparison, Constraint, LinearExpr, Sum, Var};
use conjunction::Conjunction;
use std::collections::{BTreeMap, BTreeSet};

/// The conjunction of `constraints`, as readable conjuncts: equalities first, then chains of
/// inequalities, each kind in the order of variables. No redundancy where that is cheap; a
/// conjunction that always holds has no conjunct at all. `None` if a contradiction is detected.
/// Deterministic.
///
/// ```
/// use smalti_core::{Constraint, LinearExpr, Var, chains};
/// let [i, n] = [Var::scalar(0), Var::scalar(1)].map(LinearExpr::var);
/// let number = LinearExpr::constant;
/// let constraints = [
///     Constraint::ge(&i, &number(0)).unwrap(),
///     Constraint::le(&i, &number(100)).unwrap(),
///     Constraint::le(&i, &n).unwrap(),
///     Constraint::le(&n, &number(100)).unwrap(),
/// ];
/// let found = chains(&constraints).unwrap();
/// let named = found[0].map(|v| if *v == Var::scalar(0) { "i" } else { "n" });
/// assert_eq!(named.to_string(), "0 <= i <= n <= 100");
/// ```
pub fn chains(constraints: &[Constraint]) -> Option<Vec<Chain<Var>>> {
    chains_given(&[], constraints)
}

/// What `constraints` add to `given`, for a reader who knows `given` already. Together with
/// `given`, the result has the meaning of both. `None` if a contradiction is detected.
///
/// ```
/// use smalti_core::{Constraint, LinearExpr, Var, chains_given};
/// let [n, cell] = [Var::scalar(0), Var::fresh(0)].map(LinearExpr::var);
/// let number = LinearExpr::constant;
/// let given = [Constraint::le(&n, &number(100)).unwrap()];
/// let constraints = [
///     Constraint::ge(&cell, &number(0)).unwrap(),
///     Constraint::lt(&cell, &n).unwrap(),
///     Constraint::lt(&cell, &number(100)).unwrap(),
/// ];
/// let found = chains_given(&given, &constraints).unwrap();
/// let named = found[0].map(|v| if *v == Var::scalar(0) { "n" } else { "a[k]" });
/// assert_eq!((found.len(), named.to_string()), (1, "0 <= a[k] < n".to_owned()));
/// ```
pub fn chains_given(given: &[Constraint], constraints: &[Constraint]) -> Option<Vec<Chain<Var>>> {
    let Some(known) = Conjunction::new(given) else { return Some(Vec::new()) };
    let conjunction = Conjunction::new(&[given, constraints].concat())?;
    Some(ChainBuilder { conjunction, known, used: BTreeSet::new(), out: Vec::new() }.build())
}

/// Returns what `constraints` add to `given`, as separate constraints. Leaves out what
/// [`chains_given`] would leave out; the order depends on nothing else. Together with `given`, they
/// have the meaning of both. `None` if a contradiction is detected.
pub fn reduced(given: &[Constraint], constraints: &[Constraint]) -> Option<Vec<Constraint>> {
    let known = Conjunction::new(given)?;
    let conjunction = Conjunction::new(&[given, constraints].concat())?;
    let (differences, mut out) = (&conjunction.differences, Vec::new());
    let node = |i: usize| i.checked_sub(1).map_or(LinearExpr::constant(0), |i| LinearExpr::var(differences.vars[i]));
    let var = |i: usize| i.checked_sub(1).map(|i| differences.vars[i]);
    let is_known = |i: usize, j: usize, d: i128| known.differences.between(var(i), var(j)).is_some_and(|k| k <= d);
    for (i, to) in differences.representatives.iter().copied().enumerate().filter(|(i, to)| i != to) {
        let (Some(offset), Some(back)) = (differences.matrix[i][to], differences.matrix[to][i]) else { continue };
        if !(is_known(i, to, offset) && is_known(to, i, back)) {
            out.extend(node(to).add_constant(offset).and_then(|e| Constraint::eq(&node(i), &e)));
        }
    }
    for ((i, j), d) in differences.reduced().into_iter().filter(|((i, j), d)| !is_known(*i, *j, *d)) {
        out.extend(node(j).add_constant(d).and_then(|e| Constraint::le(&node(i), &e)));
    }
    for (terms, (lo, hi)) in &conjunction.sums {
        let Some(sum) = LinearExpr::new(terms.iter().copied(), 0) else { continue };
        let (range, same) = (known.differences.range(&sum), known.sums.get(terms).copied().unwrap_or_default());
        let bound = |c: i128| LinearExpr::constant(c);
        let lo = lo.filter(|lo| ![range.lo(), same.0].into_iter().flatten().any(|known| known >= *lo));
        let hi = hi.filter(|hi| ![range.hi(), same.1].into_iter().flatten().any(|known| known <= *hi));
        match (lo, hi) {
            (Some(lo), Some(hi)) if lo == hi => out.extend(Constraint::eq(&sum, &bound(lo))),
            (lo, hi) => {
                out.extend(lo.and_then(|lo| Constraint::ge(&sum, &bound(lo))));
                out.extend(hi.and_then(|hi| Constraint::le(&sum, &bound(hi))));
            }
        }
    }
    let new = |e: &&LinearExpr| !known.disequalities.contains(e) && known.differences.range(e).contains(0);
    out.extend(
        conjunction.disequalities.iter().filter(new).filter_map(|e| Constraint::ne(e, &LinearExpr::constant(0))),
    );
    Some(out)
}

/// Builds the chains of a conjunction.
struct ChainBuilder {
    conjunction: Conjunction,
    /// Constraints that the reader knows.
    known: Conjunction,
    /// The inequalities between nodes that are in `out` already.
    used: BTreeSet<(usize, usize)>,
    out: Vec<Chain<Var>>,
}

impl ChainBuilder {
    fn build(mut self) -> Vec<Chain<Var>> {
        self.constants_and_equalities();
        self.chains();
        for (terms, bounds) in std::mem::take(&mut self.conjunction.sums) {
            self.sum(&terms, bounds);
        }
        for e in std::mem::take(&mut self.conjunction.disequalities) {
            let known = self.known.disequalities.contains(&e) || !self.known.differences.range(&e).contains(0);
            if !known {
                let (left, right) = sides(&e);
                self.out.push(Chain::new(left, Comparison::NotEqual, right));
            }
        }
        self.out
    }

    /// The sum of the variable of a node and a number.
    fn node(&self, i: usize, constant: i128) -> Sum<Var> {
        Sum { terms: vec![(self.conjunction.differences.vars[i - 1], 1)], constant }
    }

    /// Whether node `i` minus node `j` is known to be at most `d`.
    fn is_known(&self, i: usize, j: usize, d: i128) -> bool {
        let vars = &self.conjunction.differences.vars;
        let var = |i: usize| i.checked_sub(1).map(|i| vars[i]);
        self.known.differences.between(var(i), var(j)).is_some_and(|known| known <= d)
    }

    fn constants_and_equalities(&mut self) {
        let differences = &self.conjunction.differences;
        let equal_before = |i: usize, j: usize| {
            let [d, e] = [(i, j), (j, i)].map(|(i, j)| differences.matrix[i][j]);
            d.is_some_and(|d| self.is_known(i, j, d)) && e.is_some_and(|e| self.is_known(j, i, e))
        };
        let classes: Vec<(usize, usize)> = differences.representatives.iter().copied().enumerate().collect();
        let classes = || classes.iter().copied().filter(|(i, to)| i != to && !equal_before(*i, *to));
        let mut out = Vec::new();
        for (i, _) in classes().filter(|(_, to)| *to == 0) {
            let value = differences.matrix[i][0].unwrap_or(0);
            out.push(Chain::new(self.node(i, 0), Comparison::Equal, Sum::constant(value)));
        }
        for (i, to) in classes().filter(|(_, to)| *to != 0) {
            let offset = differences.matrix[i][to].unwrap_or(0);
            // Dimensions of domains come first: they are what the line is about.
            let turned = differences.vars[i - 1].is_scalar().then(|| offset.checked_neg()).flatten();
            out.push(match turned.filter(|back| *back >= 0) {
                Some(back) => Chain::new(self.node(to, 0), Comparison::Equal, self.node(i, back)),
                None => Chain::new(self.node(i, 0), Comparison::Equal, self.node(to, offset)),
            });
        }
        self.out.extend(out);
    }

    /// Every inequality of the reduced matrix in one chain. Both bounds of a variable stay
    /// together; chains start at lower bounds, else where no inequality ends.
    fn chains(&mut self) {
        let mut edges = self.conjunction.differences.reduced();
        edges.retain(|(i, j), d| !self.is_known(*i, *j, *d));
        let nodes = 1..self.conjunction.differences.matrix.len();
        for i in nodes.clone() {
            if let Some(d) = edges.get(&(0, i)) {
                self.used.insert((0, i));
                let chain = self.begun_by_lower_bound(i, *d, &edges);
                self.out.push(chain);
            }
        }
        let is_end = |i: usize| edges.keys().any(|(from, to)| *to == i && *from != 0);
        for i in nodes.clone().filter(|i| !is_end(*i)).chain(nodes.clone().filter(|i| is_end(*i))) {
            loop {
                let mut rest = Vec::new();
                self.extend(&mut rest, i, &edges);
                if rest.is_empty() {
                    break;
                }
                self.out.push(Chain { first: self.node(i, 0), rest });
            }
        }
    }

    /// The chain that begins with `-d <= i`.
    fn begun_by_lower_bound(&mut self, i: usize, d: i128, edges: &BTreeMap<(usize, usize), i128>) -> Chain<Var> {
        let Some(low) = d.checked_neg() else {
            // The bound is no number of 128 bits, so the sides are negated.
            let negated = Sum { terms: vec![(self.conjunction.differences.vars[i - 1], -1)], constant: 0 };
            return Chain::new(negated, Comparison::AtMost, Sum::constant(d));
        };
        let mut rest = vec![(Comparison::AtMost, self.node(i, 0))];
        match edges.get(&(i, 0)) {
            Some(high) => {
                self.used.insert((i, 0));
                rest.push((Comparison::AtMost, Sum::constant(*high)));
            }
            None => self.extend(&mut rest, i, edges),
        }
        match rest.len() {
            1 => Chain::new(self.node(i, 0), Comparison::AtLeast, Sum::constant(low)),
            _ => Chain { first: Sum::constant(low), rest },
        }
    }

    /// Appends inequalities from node `i` on, until there is none or one with an offset.
    fn extend(
        &mut self,
        chain: &mut Vec<(Comparison, Sum<Var>)>,
        mut i: usize,
        edges: &BTreeMap<(usize, usize), i128>,
    ) {
        loop {
            // A variable's upper bound stays with its lower bound, if it has one.
            let elsewhere = |to: usize| to == 0 && edges.contains_key(&(0, i));
            let onwards = edges.range((i, 0)..=(i, usize::MAX)).map(|((_, to), d)| (*to, *d));
            let onwards = onwards.filter(|(to, _)| !self.used.contains(&(i, *to)) && !elsewhere(*to));
            let rank = |(to, d): &(usize, i128)| (*to == 0, ![0, -1].contains(d), *to);
            let Some((to, d)) = onwards.min_by_key(rank) else { return };
            self.used.insert((i, to));
            chain.push(match d {
                _ if to == 0 => (Comparison::AtMost, Sum::constant(d)),
                -1 => (Comparison::Less, self.node(to, 0)),
                _ => (Comparison::AtMost, self.node(to, d)),
            });
            if to == 0 || ![0, -1].contains(&d) {
                return;
            }
            i = to;
        }
    }

    fn sum(&mut self, terms: &[(Var, i128)], bounds: (Option<i128>, Option<i128>)) {
        let linear = LinearExpr::new(terms.iter().copied(), 0).unwrap_or_default();
        let (range, same) =
            (self.known.differences.range(&linear), self.known.sums.get(terms).copied().unwrap_or_default());
        let is_equality = bounds.0 == bounds.1;
        let known = |lo: Option<i128>, hi: Option<i128>| {
            let low = lo.is_none_or(|lo| [range.lo(), same.0].into_iter().flatten().any(|known| known >= lo));
            low && hi.is_none_or(|hi| [range.hi(), same.1].into_iter().flatten().any(|known| known <= hi))
        };
        let bounds = match bounds {
            (lo, hi) if known(lo, hi) => return,
            (lo, hi) if is_equality => (lo, hi),
            (lo, hi) => (lo.filter(|_| !known(lo, None)), hi.filter(|_| !known(None, hi))),
        };
        let shifted = |c: i128| c.checked_neg().and_then(|c| linear.add_constant(c)).unwrap_or_else(|| linear.clone());
        self.out.push(match bounds {
            (None, None) => return,
            (Some(lo), Some(hi)) if lo == hi => {
                // What is defined by others goes to the left.
                let (left, right) = sides(&shifted(lo));
                let defined = terms.len() > 2 && terms.iter().filter(|t| t.1 < 0).count() == 1;
                let (left, right) = if defined { (right, left) } else { (left, right) };
                Chain::new(left, Comparison::Equal, right)
            }
            (Some(lo), Some(hi)) => {
                let middle = Sum { terms: terms.to_vec(), constant: 0 };
                let rest = vec![(Comparison::AtMost, middle), (Comparison::AtMost, Sum::constant(hi))];
                Chain { first: Sum::constant(lo), rest }
            }
            (Some(lo), None) => {
                let (big, small) = sides(&shifted(lo));
                match terms.iter().all(|t| t.1 > 0) {
                    true => Chain::new(big, Comparison::AtLeast, small),
                    false => Chain::new(small, Comparison::AtMost, big),
                }
            }
            (None, Some(hi)) => {
                let (small, big) = sides(&shifted(hi));
                Chain::new(small, Comparison::AtMost, big)
            }
        });
    }
}

/// Two sides that are equal where `e` is 0, without negative coefficients; variables on the left,
/// if there are none on the right.
fn sides(e: &LinearExpr) -> (Sum<Var>, Sum<Var>) {
    let left = e.terms().iter().copied().filter(|t| t.1 > 0).collect();
    let right = e.terms().iter().filter(|t| t.1 < 0).map(|(v, c)| (*v, c.saturating_neg())).collect();
    let c = e.constant_part();
    let alone = e.terms().iter().all(|t| t.1 > 0);
    let (on_left, on_right) = if c > 0 && !alone { (c, 0) } else { (0, c.saturating_neg()) };
    (Sum { terms: left, constant: on_left }, Sum { terms: right, constant: on_right })
}

#[cfg(test)]
mod tests;

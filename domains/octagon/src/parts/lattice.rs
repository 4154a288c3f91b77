//! The order of octagons, part by part: inclusion, join, meet, widening.

use super::{Literal, MOST_MADE_BY_JOIN, Parts, VarPosition};
use crate::dispatch;
use crate::kernel::{self, INFINITY, LIMIT, bound, entry_mut, sum};
use crate::part::OctagonPart;
use smalti_core::{Var, work};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Parts {
    /// The parts that are not the same on both sides, by first variable.
    fn different(&self, other: &Parts) -> Vec<Var> {
        let mut found = Vec::new();
        self.parts.all_against(&other.parts, |leader, mine, theirs| {
            if !theirs.is_some_and(|theirs| Rc::ptr_eq(mine, theirs)) {
                found.push(leader);
            }
            true
        });
        found
    }

    /// Whether every bound of `other` holds.
    pub(crate) fn leq(&self, other: &Parts) -> bool {
        other.parts.all_against(&self.parts, |_, wanted, known| {
            if known.is_some_and(|known| Rc::ptr_eq(wanted, known)) {
                return true;
            }
            match known {
                Some(known) if known.vars == wanted.vars => dispatch::all_at_most(&known.matrix, &wanted.matrix),
                _ => self.implies(wanted, &|_| true),
            }
        })
    }

    /// Whether every bound of `other` holds that speaks of just these variables. `other` is closed,
    /// so what it says of them is there.
    pub(crate) fn leq_over(&self, other: &Parts, asked: &dyn Fn(Var) -> bool) -> bool {
        other.parts.all_against(&self.parts, |_, wanted, known| {
            known.is_some_and(|known| Rc::ptr_eq(wanted, known)) || self.implies(wanted, asked)
        })
    }

    /// The strongest conjunction of octagonal constraints that both sides imply (Miné, HOSC 2006,
    /// section 4.4), but for [`MOST_MADE_BY_JOIN`].
    ///
    /// A relation of two variables can come out of a join only if one side has them in one part, or
    /// if both have bounds that differ between the sides: otherwise the greater of the two implied
    /// bounds is the one that follows from the joined bounds. So what is not in a part that differs
    /// is left alone, and what comes of the others is computed on groups that are closed under
    /// both.
    pub(crate) fn join(&mut self, other: &Parts) {
        let (mut mine, mut theirs) = (self.different(other), other.different(self));
        let aligned = self.aligned(other, &mine);
        let changed = aligned.iter().filter(|a| a.1).count();
        // Parts of the same variables on both sides are joined as they are, unless there are others
        // that they may come to be related with.
        let apart = |(_, changed_itself): &&(Var, bool)| !changed_itself || changed == 1 && mine.len() == aligned.len();
        let apart: BTreeSet<Var> = aligned.iter().filter(apart).map(|a| a.0).collect();
        for leader in &apart {
            if let (Some(mine), Some(theirs)) = (self.part_mut(*leader), other.parts.get(*leader)) {
                dispatch::maximum(&mut mine.matrix, &theirs.matrix);
                self.split(*leader);
            }
        }
        mine.retain(|leader| !apart.contains(leader));
        theirs.retain(|leader| !apart.contains(leader));
        if mine.is_empty() {
            return;
        }
        let mut vars: Vec<Var> = Vec::new();
        for leader in &mine {
            vars.extend(
                self.parts.get(*leader).into_iter().flat_map(|p| &p.vars).filter(|v| other.leaders.contains(**v)),
            );
        }
        vars.sort_unstable();
        let number = |v: Var| vars.binary_search(&v).ok();
        let mut groups = Groups::new(vars.len());
        let parts =
            mine.iter().filter_map(|l| self.parts.get(*l)).chain(theirs.iter().filter_map(|l| other.parts.get(*l)));
        for part in parts {
            let mut known = part.vars.iter().filter_map(|v| number(*v));
            if let Some(first) = known.next() {
                known.for_each(|n| groups.unite(first, n));
            }
        }
        let ends = |parts: &Parts, v: Var| [false, true].map(|negated| parts.upper(Literal { var: v, negated }));
        let changed: Vec<usize> = (0..vars.len())
            .filter(|n| {
                let (a, b) = (ends(self, vars[*n]), ends(other, vars[*n]));
                // Bounds on the same side that are infinite on one of the sides stay so.
                a != b && (0..2).any(|i| a[i] != INFINITY && b[i] != INFINITY)
            })
            .collect();
        for pair in changed[..changed.len().min(MOST_MADE_BY_JOIN)].windows(2) {
            groups.unite(pair[0], pair[1]);
        }
        let joined: Vec<OctagonPart> = groups
            .all()
            .into_iter()
            .map(|group| {
                let names: Vec<Var> = group.into_iter().map(|n| vars[n]).collect();
                // In the order of our own part, if it is one part.
                let names = match self.part(names[0]) {
                    Some(part) if part.len() == names.len() && names.iter().all(|v| part.position(*v).is_some()) => {
                        part.vars.clone()
                    }
                    _ => names,
                };
                let mut part = self.gather(&names).into_owned();
                dispatch::maximum(&mut part.matrix, &other.gather(&names).matrix);
                part
            })
            .collect();
        for leader in mine {
            self.take(leader);
        }
        joined.into_iter().for_each(|part| self.put_split(part));
    }

    /// Of these parts, those that have the same variables in the other one, and whether bounds of
    /// single variables differ.
    fn aligned(&self, other: &Parts, leaders: &[Var]) -> Vec<(Var, bool)> {
        let both = leaders.iter().filter_map(|l| Some((*l, self.parts.get(*l)?, other.parts.get(*l)?)));
        let same = both.filter(|(_, a, b)| a.vars == b.vars);
        same.map(|(leader, a, b)| (leader, (0..2 * a.len()).any(|i| a.half(i) != b.half(i)))).collect()
    }

    /// All bounds of both sides, closed; `false` if no point is left.
    pub(crate) fn meet(&mut self, other: &Parts) -> bool {
        other.different(self).into_iter().all(|leader| other.parts.get(leader).is_none_or(|part| self.meet_part(part)))
    }

    /// All bounds of a closed part as well; `false` if no point is left.
    fn meet_part(&mut self, wanted: &Rc<OctagonPart>) -> bool {
        let known: Vec<bool> = wanted.vars.iter().map(|v| self.leaders.contains(*v)).collect();
        if !known.contains(&true) {
            self.put(Rc::clone(wanted));
            return true;
        }
        if self.implies(wanted, &|_| true) {
            return true;
        }
        let leader = self.unite(&wanted.vars);
        let Some(part) = self.part_mut(leader) else { return true };
        let at: Vec<usize> = wanted.vars.iter().filter_map(|v| part.position(*v)).collect();
        for (t, k) in at.iter().enumerate() {
            for (s, l) in at[..=t].iter().enumerate() {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let bound = entry_mut(&mut part.matrix, 2 * k + a, 2 * l + b);
                    *bound = (*bound).min(wanted.entry(2 * t + a, 2 * s + b));
                }
            }
        }
        let pivots: Vec<usize> = at.iter().zip(known).filter(|(_, known)| *known).map(|(k, _)| *k).collect();
        if !part.close_through(&pivots) {
            return false;
        }
        self.split(leader);
        true
    }

    /// Whether every bound of a part holds, as far as the variables are asked for.
    fn implies(&self, wanted: &OctagonPart, asked: &dyn Fn(Var) -> bool) -> bool {
        let places: Vec<(usize, VarPosition<'_>)> =
            wanted.vars.iter().enumerate().filter(|(_, v)| asked(**v)).map(|(t, v)| (t, self.place(*v))).collect();
        work::did(4 * places.len() * places.len());
        // The bounds of both literals of `two` less a literal of `one`.
        let known = |one: &VarPosition<'_>, two: &VarPosition<'_>, a: usize| match (one, two) {
            (Some((part, k)), Some((other, l))) => match Rc::ptr_eq(part, other) {
                true => kernel::pair(&part.matrix, 2 * k + a, *l),
                false => {
                    let own = part.half((2 * k + a) ^ 1);
                    [sum(own, other.half(2 * l)), sum(own, other.half(2 * l + 1))]
                }
            },
            _ => [INFINITY; 2],
        };
        places.iter().enumerate().all(|(n, (t, one))| {
            [0, 1].into_iter().all(|a| {
                // A literal less itself is 0.
                let own = kernel::pair(&wanted.matrix, 2 * t + a, *t)[a ^ 1];
                let of_own = known(one, one, a)[a ^ 1];
                of_own <= own
                    && places[..n].iter().all(|(s, two)| {
                        let [p, q] = kernel::pair(&wanted.matrix, 2 * t + a, *s);
                        // Most of them are no bounds.
                        p == INFINITY && q == INFINITY || {
                            let [x, y] = known(one, two, a);
                            x <= p && y <= q
                        }
                    })
            })
        })
    }

    /// The same set, in which variables of several parts are in one where `other` has them in one
    /// that differs: a relation that `other` knows may follow here from bounds of single variables
    /// (`c <= i` from `c == 0` and `i >= 0`), and a widening that gives those up is to keep it.
    pub(crate) fn united_as(&self, other: &Parts) -> Parts {
        let mut result = self.clone();
        for leader in other.different(self) {
            let Some(part) = other.parts.get(leader) else { continue };
            let mut known = part.vars.iter().copied().filter(|v| self.leaders.contains(*v));
            if let Some(first) = known.next() {
                known.for_each(|v| _ = result.unite(&[first, v]));
            }
        }
        result
    }

    /// Miné's widening (HOSC 2006, section 4.5): a bound of `self` that `next` exceeds goes to the
    /// next threshold, or away. `self` is not to be closed before it is widened again: what closure
    /// adds would let chains go on for ever.
    ///
    /// Of two variables, a bound that has grown to no more than what follows from the bounds of
    /// each goes away at once (which is above whatever threshold): it would climb from one
    /// threshold to the next for itself, and hold the others back. In `x + y == 24`, `x - y` says
    /// what `x` does; were it to stop at -1, 0 and 1, `x` would have to stop at 11 and 12. What
    /// follows from the single bounds that are left, closure brings back.
    pub(crate) fn widen(&self, next: &Parts, upwards: impl Fn(i128) -> Option<i128>) -> Parts {
        let mut result = self.clone();
        for leader in self.different(next) {
            let Some(part) = result.part_mut(leader) else { continue };
            let (n, new) = (part.len(), next.gather(&part.vars));
            let half: Vec<i64> = (0..2 * n).map(|i| new.half(i)).collect();
            // Node `j` less node `i`, which is at most the sum of `j` and the node opposite to `i`.
            let grown = |is, i: usize, j: usize| match i ^ 1 == j {
                false if is == sum(half[i ^ 1], half[j]) => INFINITY,
                single => widened(is, single, &upwards),
            };
            kernel::widen(&mut part.matrix, &new.matrix, n, grown);
            // Not split by what is implied: those bounds are part of the iterate. A part without
            // any bound goes.
            let some = (0..2 * n).any(|i| (0..=(i | 1)).any(|j| j != i && part.entry(i, j) != INFINITY));
            if !some {
                result.take(leader);
            }
        }
        result
    }

    /// The same set, closed and split. The parts have points.
    pub(crate) fn closed(&self, unclosed_since: &Parts) -> Option<Parts> {
        let mut result = self.clone();
        for leader in self.different(unclosed_since) {
            let Some(part) = result.part_mut(leader) else { continue };
            if !part.close() {
                return None;
            }
            result.split(leader);
        }
        Some(result)
    }
}

/// The widened value of an entry that grew to `is`. The entry of one variable alone is twice its
/// bound.
fn widened(is: i64, single: bool, upwards: impl Fn(i128) -> Option<i128>) -> i64 {
    let factor = if single { 2 } else { 1 };
    let needed = if single { i128::from(is >> 1) + i128::from(is & 1) } else { i128::from(is) };
    if is == INFINITY {
        return INFINITY;
    }
    let threshold = upwards(needed).and_then(|t| t.checked_mul(factor)).and_then(|t| i64::try_from(t).ok());
    threshold.map_or(INFINITY, |t| if t > LIMIT { INFINITY } else { bound(t).max(is) })
}

/// A partition of the first natural numbers (union-find).
struct Groups(Vec<usize>);

impl Groups {
    fn new(n: usize) -> Groups {
        Groups((0..n).collect())
    }

    fn root(&mut self, mut n: usize) -> usize {
        while self.0[n] != n {
            self.0[n] = self.0[self.0[n]];
            n = self.0[n];
        }
        n
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    fn all(mut self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.0.len()];
        for n in 0..self.0.len() {
            let root = self.root(n);
            groups[root].push(n);
        }
        groups.retain(|g| !g.is_empty());
        groups
    }
}

//! What facts about ranges, searches and disequalities say of the cells that occur.
//!
//! Each instance follows from the facts, with what is in the system so far:
//! * Of a fact about all indexes of a range that at an index which is shown to be in the range.
//! * What a search looks for holds where it ends, if that is shown to be in the range, and does not
//!   hold at an index of the range that is shown to be before (for `last`: after) that.
//! * The `n`-th index with `p` exists if `0 <= n` and `n` is below their number.
//! * Where `t != 0` and `t >= 0`, `t >= 1`.
//!
//! "There is an index in the range with `p`" is tried at the index terms that occur.

use crate::context::{Context, children};
use crate::elimination::contradictory;
use crate::facts::{Facts, linear_facts};
use crate::name::Term;
use crate::node::Node;
use crate::poly::{Poly, Rat};
use num_traits::One;
use std::collections::BTreeSet;

/// The greatest number of index terms.
const INDEXES: usize = 8;

impl Facts<'_> {
    /// Adds instances of what is known about the cells in the system.
    pub(crate) fn add_instances(&self, system: &mut Vec<Poly>) {
        let c = self.c;
        let mut unequal: Vec<Poly> = self.others.iter().filter_map(|&f| disequality(c, f)).collect();
        let mut indexes: BTreeSet<Term> = BTreeSet::new();
        let mut searches: BTreeSet<Term> = BTreeSet::new();
        for atom in system.iter().flat_map(Poly::atoms) {
            let Some(of_atom) = indexes_of(c, atom) else {
                searches.extend([atom].into_iter().filter(|&t| is_search(c, t)));
                continue;
            };
            indexes.extend(of_atom.iter().filter(|&&i| c.rank(i).is_none()));
        }
        searches.extend(indexes.iter().flat_map(|&i| c.poly_atoms(i)).filter(|&t| is_search(c, t)));
        searches.retain(|&t| !self.simplifying || matches!(&*c.node(t), Node::Nth(..)));
        let searches: Vec<Term> = searches.into_iter().take(4).collect();
        searches.iter().for_each(|&search| self.add_properties_of(search, system));
        sharpen(c, &unequal, system);
        for search in searches {
            self.add_instances_of_search(search, &indexes, system, &mut unequal);
        }
        for (lo, hi, body) in self.universal().take(4) {
            for &at in indexes.iter().take(INDEXES) {
                if is_within(c, system, lo, at, hi) {
                    add_fact(c, c.not(c.instantiate(body, at)), system, &mut unequal);
                }
            }
        }
        sharpen(c, &unequal, system);
    }

    /// Adds what is known of a search: where it ends, and what does not hold before that.
    fn add_instances_of_search(
        &self,
        search: Term,
        indexes: &BTreeSet<Term>,
        system: &mut Vec<Poly>,
        unequal: &mut Vec<Poly>,
    ) {
        let c = self.c;
        let (lo, hi, p) = match *c.node(search) {
            Node::First(lo, hi, p) | Node::Last(lo, hi, p) => (lo, hi, p),
            Node::Nth(n, lo, hi, p) => {
                let all = c.count(lo, hi, |k| c.open(p, k));
                c.poly_atoms(all).into_iter().for_each(|atom| self.add_properties_of(atom, system));
                if is_within(c, system, c.int(0), n, all) {
                    let (first, end) = (c.add(lo, n), c.linear(&[(1, hi), (-1, all), (1, n)]));
                    let inside = c.and(&[c.within(lo, search, hi), c.le(first, search), c.le(search, end)]);
                    add_fact(c, inside, system, unequal);
                }
                (lo, hi, p)
            }
            _ => return,
        };
        if self.simplifying {
            // What is there is asked for once, of the result.
            return;
        }
        if is_within(c, system, lo, search, hi) {
            add_fact(c, c.instantiate(p, search), system, unequal);
        }
        let one = c.int(1);
        for &at in indexes.iter().take(INDEXES) {
            // In the range, and before the first one or after the last one.
            let beyond = match *c.node(search) {
                Node::First(..) => c.linear(&[(1, search), (-1, at), (-1, one)]),
                Node::Last(..) => c.linear(&[(1, at), (-1, search), (-1, one)]),
                _ => return,
            };
            if follows(c, system, &c.poly(beyond)) && is_within(c, system, lo, at, hi) {
                add_fact(c, c.not(c.instantiate(p, at)), system, unequal);
            }
        }
    }

    /// Whether the body holds at an index of the range that occurs in the facts or in the body.
    pub(crate) fn proves_some(&self, lo: Term, hi: Term, body: Term) -> bool {
        let c = self.c;
        if self.simplifying {
            return false;
        }
        let mut found: Vec<Term> = Vec::new();
        let facts = self.others.iter().copied();
        let inequalities = self.inequalities.iter().flat_map(Poly::atoms);
        for t in [body].into_iter().chain(facts).chain(inequalities) {
            collect_indexes(c, t, &mut found);
        }
        found.into_iter().take(INDEXES).any(|at| {
            let there = c.and(&[c.within(lo, at, hi), c.instantiate(body, at)]);
            c.spend(50) && self.proves(self.simplify(there))
        })
    }
}

/// Makes `t >= 0` strict where it follows from the system, for `t != 0`.
fn sharpen(c: &Context, unequal: &[Poly], system: &mut Vec<Poly>) {
    for t in unequal.iter().take(6) {
        for side in [t.clone(), t.scale(&-Rat::one())] {
            if follows(c, system, &side) {
                system.push(side.sub(&Poly::int(1)));
            }
        }
    }
}

/// `t` of a fact `t != 0`.
fn disequality(c: &Context, fact: Term) -> Option<Poly> {
    let Node::Not(p) = *c.node(fact) else { return None };
    let Node::Zero(t) = *c.node(p) else { return None };
    Some(c.poly(t))
}

/// Adds what a fact says in inequalities and disequalities.
fn add_fact(c: &Context, fact: Term, system: &mut Vec<Poly>, unequal: &mut Vec<Poly>) {
    match &*c.node(fact) {
        Node::And(parts) => parts.iter().for_each(|&p| add_fact(c, p, system, unequal)),
        _ => {
            system.extend(linear_facts(c, fact).unwrap_or_default());
            unequal.extend(disequality(c, fact));
        }
    }
}

fn is_search(c: &Context, t: Term) -> bool {
    matches!(&*c.node(t), Node::First(..) | Node::Last(..) | Node::Nth(..))
}

/// The indexes of a cell, or the arguments of an unknown.
fn indexes_of(c: &Context, t: Term) -> Option<Vec<Term>> {
    match &*c.node(t) {
        Node::Read(_, index) => Some(index.clone()),
        Node::Apply(_, index) if !index.is_empty() => Some(index.clone()),
        _ => None,
    }
}

/// Adds the searches and the indexes of cells that occur in a term, without those that mention the
/// variable of a binder around them.
fn collect_indexes(c: &Context, t: Term, found: &mut Vec<Term>) {
    let (mut todo, mut seen) = (vec![t], BTreeSet::new());
    while let Some(t) = todo.pop() {
        if found.len() >= INDEXES || !seen.insert(t) || !c.spend(1) {
            continue;
        }
        let here = if is_search(c, t) { vec![t] } else { indexes_of(c, t).unwrap_or_default() };
        for i in here.into_iter().filter(|&i| c.loose(i) == 0 && c.rank(i).is_none()) {
            if !found.contains(&i) {
                found.push(i);
            }
        }
        todo.extend(children(&c.node(t)).into_iter().map(|child| child.0));
    }
}

/// Whether `p >= 0` follows from the system.
fn follows(c: &Context, system: &[Poly], p: &Poly) -> bool {
    let goal = vec![Poly::int(-1).sub(&p.scale(&Rat::from_integer(p.denominator())))];
    c.spend(20) && contradictory(c, &[goal.clone(), system.to_vec()].concat(), &goal)
}

/// Whether `lo <= at < hi` follows from the system.
fn is_within(c: &Context, system: &[Poly], lo: Term, at: Term, hi: Term) -> bool {
    let below = c.sub(at, lo);
    let above = c.linear(&[(1, hi), (-1, at), (-1, c.int(1))]);
    [below, above].into_iter().all(|t| follows(c, system, &c.poly(t)))
}

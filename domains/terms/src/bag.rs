//! Ranges and single elements of one body under one operation: a bag, joined one by one where facts
//! say that they are adjacent.
//!
//! Rules, and why they hold: the operations are associative and commutative, so `[lo, mid)` and
//! `[mid, hi)` with `lo <= mid <= hi` are `[lo, hi)`, and `[lo, hi)` with the element at `hi` or
//! `lo - 1`, where `lo <= hi`, is the range that is longer by one. For all but the exclusive or, an
//! element that occurs twice counts once, so ranges may overlap, and elements inside of a range go.

use crate::context::Context;
use crate::facts::Facts;
use crate::name::Term;
use crate::node::{BitOp, FoldOp, Node};

/// The greatest number of ranges.
const RANGES: usize = 24;

/// Body, first index, index after the last one.
type Extent = (Term, Term, Term);

/// What one operation combines.
#[derive(Clone)]
struct Bag {
    op: FoldOp,
    ranges: Vec<Extent>,
    single: Vec<Term>,
}

impl Bag {
    /// The elements of a fold, or of what stands beside folds; `None` if there is no fold.
    fn of(c: &Context, t: Term) -> Option<Bag> {
        let op = match &*c.node(t) {
            Node::Max(_) => FoldOp::Max,
            Node::Min(_) => FoldOp::Min,
            Node::Bits(BitOp::And, _) => FoldOp::BitAnd,
            Node::Bits(BitOp::Or, _) => FoldOp::BitOr,
            Node::Bits(BitOp::Xor, _) => FoldOp::BitXor,
            Node::Or(_) => FoldOp::Any,
            Node::Fold { op: op @ (FoldOp::Max | FoldOp::Min | FoldOp::Any), .. } => *op,
            Node::Fold { op: op @ (FoldOp::BitAnd | FoldOp::BitOr | FoldOp::BitXor), .. } => *op,
            _ => return None,
        };
        let mut bag = Bag { op, ranges: Vec::new(), single: Vec::new() };
        let mut todo = vec![t];
        while let Some(x) = todo.pop() {
            match (&*c.node(x), op) {
                (Node::Fold { op: o, lo, hi, seed, body }, _) if *o == op => {
                    bag.ranges.push((*body, *lo, *hi));
                    todo.extend(seed);
                }
                (Node::Max(ts), FoldOp::Max) | (Node::Min(ts), FoldOp::Min) | (Node::Or(ts), FoldOp::Any) => {
                    todo.extend(ts);
                }
                (Node::Bits(BitOp::And, ts), FoldOp::BitAnd)
                | (Node::Bits(BitOp::Or, ts), FoldOp::BitOr)
                | (Node::Bits(BitOp::Xor, ts), FoldOp::BitXor) => todo.extend(ts),
                _ => bag.single.push(x),
            }
        }
        (!bag.ranges.is_empty() && bag.ranges.len() <= RANGES).then_some(bag)
    }

    /// The term of the bag. `None` if an element is missing that has to stay outside of all ranges.
    fn term(mut self, facts: &Facts) -> Option<Term> {
        let c = facts.context();
        self.ranges.sort_unstable();
        let fold = |seed: Option<Term>, (body, lo, hi): Extent| {
            facts.over_positions(c.scoped(|v, k| c.fold_over(self.op, v, lo, hi, seed, c.open(body, k))))
        };
        if self.op.needs_seed() {
            if self.single.is_empty() {
                return None;
            }
            let seed = if self.op == FoldOp::Max { c.max_of(&self.single) } else { c.min_of(&self.single) };
            return Some(self.ranges.iter().fold(seed, |seed, &range| fold(Some(seed), range)));
        }
        let mut all: Vec<Term> = self.ranges.iter().map(|&range| fold(None, range)).collect();
        all.extend(&self.single);
        Some(match self.op {
            FoldOp::Any => c.or(&all),
            op => all.into_iter().fold(c.neutral(op, None), |value, t| c.combine(op, value, t)),
        })
    }
}

impl Facts<'_> {
    /// The same value with ranges and single elements joined.
    pub(crate) fn joined_bag(&self, t: Term) -> Term {
        let Some(mut bag) = Bag::of(self.c, t) else { return t };
        let mut changed = false;
        while let Some(joined) = self.join_step(&bag) {
            (bag, changed) = (joined, true);
        }
        if changed { bag.term(self).unwrap_or(t) } else { t }
    }

    /// Joins two ranges, or a range and an element next to it or inside of it.
    fn join_step(&self, bag: &Bag) -> Option<Bag> {
        let c = self.c;
        let once = bag.op != FoldOp::BitXor;
        // One element has to stay as the seed.
        let may_take = !bag.op.needs_seed() || bag.single.len() > 1;
        for (i, &(body, lo, hi)) in bag.ranges.iter().enumerate() {
            let mut others = bag.ranges.clone();
            others.remove(i);
            for (j, &(other, lo2, hi2)) in others.iter().enumerate().filter(|(_, r)| r.0 == body) {
                let meets = match once {
                    true => self.proves(c.and(&[c.le(lo, lo2), c.le(lo2, hi), c.le(hi, hi2)])),
                    false => self.proves(c.and(&[c.le(lo, hi), c.eq(lo2, hi), c.le(hi, hi2)])),
                };
                if meets {
                    let mut ranges = others.clone();
                    ranges[j] = (other, lo, hi2);
                    return Some(Bag { ranges, ..bag.clone() });
                }
            }
            for (j, &x) in bag.single.iter().enumerate().filter(|_| may_take) {
                let Some(at) = c.cell_index(x, body) else { continue };
                let Some((lo, hi)) = self.with_element(lo, hi, at, once) else { continue };
                let mut joined = Bag { ranges: others, ..bag.clone() };
                joined.ranges.push((body, lo, hi));
                joined.single.remove(j);
                return Some(joined);
            }
        }
        None
    }

    /// The range of a body with one more element; `once` if an element inside of it adds nothing.
    fn with_element(&self, lo: Term, hi: Term, at: Term, once: bool) -> Option<(Term, Term)> {
        let c = self.c;
        if once && self.proves(c.within(lo, at, hi)) {
            return Some((lo, hi));
        }
        if self.proves(c.and(&[c.eq(at, hi), c.le(lo, hi)])) {
            return Some((lo, c.add(hi, c.int(1))));
        }
        let before = self.proves(c.and(&[c.eq(c.add(at, c.int(1)), lo), c.le(lo, hi)]));
        before.then_some((at, hi))
    }
}

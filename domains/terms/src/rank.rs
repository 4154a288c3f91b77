//! Folds over the ranks of a compaction, as folds over the positions that it keeps.
//!
//! The `n`-th index of `[from, to)` with `p`, for `n` from 0 up to their number, is each index with
//! `p` once, in their order; the rank of an index `i` is the number of those before it. So a fold
//! over all ranks is the fold over the indexes with `p`, as the operations are associative and
//! commutative, in which `i` stands for the `n`-th index and the rank of `i` for `n`; what has no
//! `p` contributes what changes nothing.
//!
//! "Some kept cell holds x" becomes "some cell that would be kept holds x", which can be shown at
//! the index of such a cell.

use crate::context::Context;
use crate::facts::Facts;
use crate::name::{Term, Var};
use crate::node::{FoldOp, Node};
use std::collections::HashMap;

/// The `n`-th index of a range with some property, where `n` is the index of a fold around.
struct Compaction {
    nth: Term,
    from: Term,
    to: Term,
    property: Term,
}

impl Facts<'_> {
    /// The fold over positions, if the term is a fold over all ranks of a compaction.
    pub(crate) fn over_positions(&self, t: Term) -> Term {
        self.positions(t).unwrap_or(t)
    }

    fn positions(&self, t: Term) -> Option<Term> {
        let c = self.c;
        let Node::Fold { op, lo, hi, seed, body } = *c.node(t) else { return None };
        c.scoped(|rank, n| {
            let body = c.open(body, n);
            let found = c.compaction_at(rank, n, body)?;
            let all = c.count(found.from, found.to, |k| c.open(found.property, k));
            if !self.proves(c.and(&[c.eq(lo, c.int(0)), c.eq(hi, all)])) {
                return None;
            }
            Some(c.scoped(|position, i| {
                let before = c.count(found.from, i, |k| c.open(found.property, k));
                let body = c.replaced_with(body, &[(rank, before)], HashMap::from([(found.nth, i)]));
                let kept = c.open(found.property, i);
                let body = match op {
                    FoldOp::Any => c.and(&[kept, body]),
                    _ => c.ite(kept, body, c.neutral(op, seed)),
                };
                c.fold_over(op, position, found.from, found.to, seed, body)
            }))
        })
    }
}

impl Context {
    /// A part of the body that is the `n`-th index of a range that does not depend on `n`.
    fn compaction_at(&self, rank: Var, n: Term, body: Term) -> Option<Compaction> {
        self.find_part(body, |part| match *self.node(part) {
            Node::Nth(at, from, to, property)
                if at == n && [from, to, property].iter().all(|&t| !self.mentions(t, rank)) =>
            {
                Some(Compaction { nth: part, from, to, property })
            }
            _ => None,
        })
    }
}

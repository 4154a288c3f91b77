//! One independent part of an octagon: a few variables and the half matrix of all bounds among
//! them.

use crate::dispatch;
use crate::kernel::{self, Block, INFINITY, NOTHING, bound, entry, entry_mut, halved, start, stored, sum, width};
use smalti_core::{Var, work};
use std::cell::RefCell;

/// Variables and their half matrix (see [`crate::kernel`]). No variable occurs twice.
#[derive(Clone, Debug)]
pub(crate) struct OctagonPart {
    /// Variable `k` of the matrix is `vars[k]`; in the order in which they met.
    pub(crate) vars: Vec<Var>,
    pub(crate) matrix: Vec<Block>,
}

thread_local! {
    /// The scratch memory of the kernels.
    static SCRATCH: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

fn with_scratch<R>(n: usize, f: impl FnOnce(&mut [Block]) -> R) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        let blocks = kernel::scratch_blocks(n);
        if scratch.len() < blocks {
            scratch.resize(blocks, NOTHING);
        }
        f(&mut scratch[..blocks])
    })
}

impl OctagonPart {
    /// No bounds at all.
    pub(crate) fn free(vars: Vec<Var>) -> OctagonPart {
        let n = vars.len();
        let mut matrix = vec![NOTHING; start(2 * n)];
        for i in 0..2 * n {
            *entry_mut(&mut matrix, i, i) = 0;
        }
        OctagonPart { vars, matrix }
    }

    /// How many variables there are.
    pub(crate) fn len(&self) -> usize {
        self.vars.len()
    }

    /// The number of a variable of this part.
    pub(crate) fn position(&self, v: Var) -> Option<usize> {
        self.vars.iter().position(|w| *w == v)
    }

    /// An upper bound of node `j` less node `i`.
    pub(crate) fn entry(&self, i: usize, j: usize) -> i64 {
        entry(&self.matrix, i, j)
    }

    /// The row of node `2t + sign`, which has entries up to that of node `2t + 1`.
    pub(crate) fn row_mut(&mut self, t: usize, sign: usize) -> &mut [i64] {
        let at = start(2 * t + sign);
        self.matrix[at..at + width(t)].as_flattened_mut()
    }

    /// An upper bound of node `i`.
    pub(crate) fn half(&self, i: usize) -> i64 {
        halved(stored(&self.matrix, i ^ 1, i))
    }

    /// Tight closure; `false` if there is no integer point.
    pub(crate) fn close(&mut self) -> bool {
        work::closed(self.len());
        let n = self.len();
        with_scratch(n, |scratch| dispatch::close(&mut self.matrix, n, scratch))
    }

    /// Makes the matrix closed again after entries became those of another closed part, where they
    /// were smaller; `pivots` are the variables of which both had known something before. `false`
    /// if there is no integer point.
    pub(crate) fn close_through(&mut self, pivots: &[usize]) -> bool {
        work::closed(self.len());
        let n = self.len();
        with_scratch(n, |scratch| dispatch::close_through(&mut self.matrix, n, pivots, scratch))
    }

    /// Adds the variables of another part, of which nothing more is known than their bounds and
    /// what that part says.
    pub(crate) fn append(&mut self, other: &OctagonPart) {
        work::did(self.matrix.len() + other.matrix.len());
        let (n, more) = (self.len(), other.len());
        let half: Vec<i64> = (0..2 * n).map(|i| self.half(i)).collect();
        self.vars.extend(&other.vars);
        self.matrix.resize(start(2 * (n + more)), NOTHING);
        for t in 0..more {
            for i in [2 * t, 2 * t + 1] {
                let at = start(2 * n + i);
                let row = self.matrix[at..at + width(n + t)].as_flattened_mut();
                let own = other.half(i ^ 1);
                if own != INFINITY {
                    row[..2 * n].iter_mut().zip(&half).for_each(|(x, h)| *x = sum(own, *h));
                }
                let from = start(i);
                let old = other.matrix[from..from + width(t)].as_flattened();
                row[2 * n..2 * n + 2 * t + 2].copy_from_slice(&old[..2 * t + 2]);
            }
        }
    }

    /// Adds `V_p + V_q <= c` and keeps the part closed, if it was; `false` if there is no point
    /// left.
    pub(crate) fn add(&mut self, p: usize, q: usize, c: i64) -> bool {
        work::closed(self.len());
        let n = self.len();
        with_scratch(n, |scratch| dispatch::add(&mut self.matrix, n, p, q, c, scratch))
    }

    /// `x := x + c` for variable number `k`: a shift of the whole set, so what was closed stays
    /// closed. (A bound that leaves the range of numbers is given up.)
    pub(crate) fn shift(&mut self, k: usize, c: i64) {
        work::did(self.len());
        let n = self.len();
        let twice = bound(c.saturating_mul(2));
        let by = |x: &mut i64, c: i64| {
            if *x != INFINITY {
                *x = bound(*x + c);
            }
        };
        let mut at = start(2 * k);
        for (sign, c, twice) in [(0, -c, -twice), (1, c, twice)] {
            let row = self.matrix[at..at + width(k)].as_flattened_mut();
            row[..2 * k].iter_mut().for_each(|x| by(x, c));
            by(&mut row[2 * k + 1 - sign], twice);
            at += width(k);
        }
        for t in k + 1..n {
            for _ in 0..2 {
                let row = self.matrix[at..at + width(t)].as_flattened_mut();
                by(&mut row[2 * k], c);
                by(&mut row[2 * k + 1], -c);
                at += width(t);
            }
        }
    }

    /// `x := -x` for variable number `k`: its two nodes change places.
    pub(crate) fn negate(&mut self, k: usize) {
        let (at, w) = (start(2 * k), width(k));
        let (plus, minus) = self.matrix[at..at + 2 * w].split_at_mut(w);
        plus.swap_with_slice(minus);
        let (block, lane) = (2 * k / kernel::LANES, 2 * k % kernel::LANES);
        for i in 2 * k..2 * self.len() {
            self.matrix[start(i) + block].swap(lane, lane + 1);
        }
    }

    /// A new variable equal to `sign * x + c`, where `x` has number `k`: its rows are those of `x`,
    /// shifted.
    pub(crate) fn append_copy(&mut self, v: Var, k: usize, negated: bool, c: i64) {
        let n = self.len();
        let (like, opposite) = if negated { (2 * k + 1, 2 * k) } else { (2 * k, 2 * k + 1) };
        self.grow(v);
        let twice = bound(c.saturating_mul(2));
        for j in 0..2 * n {
            let (a, b) = (self.entry(like, j), self.entry(opposite, j));
            *entry_mut(&mut self.matrix, 2 * n, j) = sum(a, -c);
            *entry_mut(&mut self.matrix, 2 * n + 1, j) = sum(b, c);
        }
        let (below, above) = (self.entry(like, opposite), self.entry(opposite, like));
        *entry_mut(&mut self.matrix, 2 * n, 2 * n + 1) = sum(below, -twice);
        *entry_mut(&mut self.matrix, 2 * n + 1, 2 * n) = sum(above, twice);
    }

    /// A second, independent copy of variable number `k` (*expand*): the bounds that `x` has with
    /// the others and alone. Between the two holds what follows over some other node, or from their
    /// bounds.
    pub(crate) fn append_twin(&mut self, v: Var, k: usize) {
        let n = self.len();
        self.grow(v);
        for j in (0..2 * n).filter(|j| j / 2 != k) {
            for sign in [0, 1] {
                *entry_mut(&mut self.matrix, 2 * n + sign, j) = self.entry(2 * k + sign, j);
            }
        }
        *entry_mut(&mut self.matrix, 2 * n, 2 * n + 1) = self.entry(2 * k, 2 * k + 1);
        *entry_mut(&mut self.matrix, 2 * n + 1, 2 * n) = self.entry(2 * k + 1, 2 * k);
        for i in [2 * n, 2 * n + 1] {
            for j in [2 * k, 2 * k + 1] {
                let over = (0..2 * n).filter(|m| m / 2 != k).map(|m| sum(self.entry(i, m), self.entry(m, j))).min();
                let direct = sum(self.half(i ^ 1), self.half(j));
                *entry_mut(&mut self.matrix, i, j) = over.unwrap_or(INFINITY).min(direct);
            }
        }
    }

    /// A further variable, without bounds.
    fn grow(&mut self, v: Var) {
        work::did(self.matrix.len());
        let n = self.len();
        self.vars.push(v);
        self.matrix.resize(start(2 * n + 2), NOTHING);
        *entry_mut(&mut self.matrix, 2 * n, 2 * n) = 0;
        *entry_mut(&mut self.matrix, 2 * n + 1, 2 * n + 1) = 0;
    }

    /// The part of the variables with these numbers, which ascend.
    pub(crate) fn project(&self, numbers: &[usize]) -> OctagonPart {
        work::did(self.matrix.len() + 4 * numbers.len() * numbers.len());
        let mut part = OctagonPart { vars: numbers.iter().map(|k| self.vars[*k]).collect(), matrix: Vec::new() };
        part.matrix = vec![NOTHING; start(2 * numbers.len())];
        // Runs of neighbours keep their order, so each row is copied run by run.
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (t, &k) in numbers.iter().enumerate() {
            match runs.last_mut() {
                Some((_, from, length)) if *from + *length == k => *length += 1,
                _ => runs.push((t, k, 1)),
            }
        }
        for (t, &k) in numbers.iter().enumerate() {
            for sign in [0, 1] {
                let (at, from) = (start(2 * t + sign), start(2 * k + sign));
                let row = part.matrix[at..at + width(t)].as_flattened_mut();
                let old = self.matrix[from..from + width(k)].as_flattened();
                for &(to, from, length) in runs.iter().take_while(|run| run.0 <= t) {
                    let length = 2 * length.min(t + 1 - to);
                    row[2 * to..2 * to + length].copy_from_slice(&old[2 * from..2 * from + length]);
                }
            }
        }
        part
    }

    /// `x := sign * y + c` for two variables of the part, by number: what was known of `x` goes,
    /// its rows become those of `y`, shifted.
    pub(crate) fn assign_copy(&mut self, x: usize, y: usize, negated: bool, c: i64) {
        let (like, opposite) = if negated { (2 * y + 1, 2 * y) } else { (2 * y, 2 * y + 1) };
        let twice = bound(c.saturating_mul(2));
        for j in (0..2 * self.len()).filter(|j| j / 2 != x) {
            let (a, b) = (self.entry(like, j), self.entry(opposite, j));
            *entry_mut(&mut self.matrix, 2 * x, j) = sum(a, -c);
            *entry_mut(&mut self.matrix, 2 * x + 1, j) = sum(b, c);
        }
        let (below, above) = (self.entry(like, opposite), self.entry(opposite, like));
        *entry_mut(&mut self.matrix, 2 * x, 2 * x + 1) = sum(below, -twice);
        *entry_mut(&mut self.matrix, 2 * x + 1, 2 * x) = sum(above, twice);
    }

    /// The numbers of the variables, sorted into groups such that between two groups nothing is
    /// known but what follows from the bounds of single variables. Variables about which nothing is
    /// known are in no group.
    pub(crate) fn components(&self) -> Vec<Vec<usize>> {
        work::did(8 * self.len() * self.len());
        let n = self.len();
        let half: Vec<i64> = (0..2 * n).map(|i| self.half(i)).collect();
        let mut groups = Vec::new();
        let mut open: Vec<usize> = (0..n).collect();
        while let Some(first) = open.first().copied() {
            let mut group = vec![first];
            open.remove(0);
            let mut looked = 0;
            while looked < group.len() && !open.is_empty() {
                let k = group[looked];
                looked += 1;
                open.retain(|&l| {
                    let meet = (0..4).any(|bits| {
                        let (i, j) = (2 * k + bits / 2, 2 * l + bits % 2);
                        self.entry(i, j) < sum(half[i ^ 1], half[j])
                    });
                    if meet {
                        group.push(l);
                    }
                    !meet
                });
            }
            let known = group.len() > 1 || half[2 * first] != INFINITY || half[2 * first + 1] != INFINITY;
            if known {
                group.sort_unstable();
                groups.push(group);
            }
        }
        groups
    }
}

//! Reads of cells that no earlier iteration has written: they have their old contents.
//!
//! **Why this is sound.** A read in iteration `n` counts only where the conditions hold under which
//! it stands. If under these, and under what is known of iterations that are executed to their
//! end, no iteration `m` with `0 <= m < n` writes the cell, whatever the conditions of the writes
//! that depend on values of other iterations, then the cell holds in iteration `n` what it held
//! before the loop. The result is right for the iterations that are executed, and for no others.

use super::cells::{Array, Cell, literal_of};
use smalti_terms::{Context, Facts, Int, Node, Sort, Term, Var};

/// What is known of the iterations of a loop that are executed to their end.
pub(super) struct Iterations<'a> {
    pub(super) c: &'a Context,
    /// What is known before the loop.
    pub(super) around: Facts<'a>,
    /// The number of an iteration.
    pub(super) n: Var,
    /// What holds in each of them.
    pub(super) executed: Vec<Term>,
    /// Variables that have other values in other iterations.
    pub(super) carried: Vec<Var>,
    /// What is known of some of them.
    pub(super) growing: Vec<Growing>,
}

/// A number that each iteration changes by a difference between two bounds.
pub(super) struct Growing {
    /// Stands for the number before an iteration.
    pub(super) variable: Var,
    /// The number before the first iteration.
    pub(super) start: Term,
    /// The least difference.
    pub(super) least: Int,
    /// The greatest difference.
    pub(super) greatest: Int,
}

impl Growing {
    /// The number whose value after an iteration is `step`; `None` if no bounds are seen.
    pub(super) fn new(c: &Context, variable: Var, start: Term, step: Term) -> Option<Growing> {
        let (least, greatest) = c.range_of(c.sub(step, c.var(variable)));
        Some(Growing { variable, start, least: least?, greatest: greatest? })
    }

    /// That `later` is the number so many iterations after it was `earlier`.
    fn grown(&self, c: &Context, earlier: Term, later: Term, iterations: Term) -> Term {
        let by = c.sub(later, earlier);
        c.and(&[
            c.le(c.scale(self.least.clone(), iterations), by),
            c.le(by, c.scale(self.greatest.clone(), iterations)),
        ])
    }
}

impl<'a> Iterations<'a> {
    /// Collects what is known. Conditions that mention a variable of `carried` are left out.
    pub(super) fn new(around: Facts<'a>, c: &'a Context, n: Var, executed: &[Term], carried: Vec<Var>) -> Self {
        let mut known: Vec<Term> = executed.iter().flat_map(|p| c.conjuncts(around.simplify(*p))).collect();
        known.retain(|p| c.as_truth(*p).is_none() && !carried.iter().any(|v| c.mentions(*p, *v)));
        Iterations { c, around, n, executed: known, carried, growing: Vec::new() }
    }

    /// What holds in each of the iterations, as one condition.
    pub(super) fn given(&self) -> Term {
        self.c.and(&self.executed)
    }

    /// What is known if the iteration with the number `m` is executed to its end.
    pub(super) fn facts_in(&self, facts: &Facts<'a>, m: Term) -> Facts<'a> {
        let mut facts = facts.with(self.c.ge(m, self.c.int(0)));
        for p in &self.executed {
            facts.assume(self.c.substitute(*p, self.n, m));
        }
        facts
    }

    /// What is known in iteration `n`.
    pub(super) fn facts(&self) -> Facts<'a> {
        let n = self.c.var(self.n);
        let mut facts = self.facts_in(&self.around, n);
        for one in &self.growing {
            facts.assume(one.grown(self.c, one.start, self.c.var(one.variable), n));
        }
        facts
    }

    /// Whether no iteration `m` with `lo <= m < hi` writes the cell of the array at `index`.
    pub(super) fn misses(&self, facts: &Facts<'a>, (lo, hi): (Term, Term), cell: &Cell, index: &[Term]) -> bool {
        let c = self.c;
        let m = c.variable("m", Sort::Int);
        let mut facts = self.facts_in(facts, c.var(m)).with(c.within(lo, c.var(m), hi));
        let mut by: Vec<(Var, Term)> = cell.indexes.iter().copied().zip(index.iter().copied()).collect();
        by.push((cell.n, c.var(m)));
        // Numbers that grow have other values in iteration `m`.
        for one in &self.growing {
            let (then, now) = (c.var(c.variable("then", Sort::Int)), c.var(one.variable));
            facts.assume(one.grown(c, one.start, then, c.var(m)));
            facts.assume(one.grown(c, then, now, c.sub(c.var(self.n), c.var(m))));
            by.push((one.variable, then));
        }
        let is_growing = |v: &Var| self.growing.iter().any(|one| one.variable == *v);
        let changing = || self.carried.iter().filter(|v| !is_growing(v)).chain([&cell.value, &cell.others]);
        cell.writes(c).all(|case| {
            let is_same = |p: &&Term| !changing().any(|v| c.mentions(**p, *v));
            let given: Vec<Term> = case.given.iter().filter(is_same).map(|p| c.substitute_all(*p, &by)).collect();
            let given = c.and(&given);
            c.as_truth(given) == Some(false) || facts.with(given).are_contradictory()
        })
    }

    /// The term with `old` in the place of the array at the reads of cells that no earlier
    /// iteration has written. `array` stands for what the array of `cell` holds before iteration
    /// `n`, and `given` is known where the term counts.
    pub(super) fn with_old(&self, t: Term, given: &Facts<'a>, array: Var, old: Term, cell: &Cell) -> Term {
        let c = self.c;
        if !c.mentions(t, array) {
            return t;
        }
        if let Some(literal) = literal_of(c, t, &[], &|ite| c.mentions(ite, array)) {
            let side = |p: Term| {
                let part = c.cofactor(t, p);
                // A cofactor may leave the condition where no work is left.
                if part == t { t } else { self.with_old(part, &given.with(p), array, old, cell) }
            };
            let (yes, no) = (side(literal), side(c.not(literal)));
            return c.ite(self.with_old(literal, given, array, old, cell), yes, no);
        }
        let Some(reads) = reads_of(c, t, array) else { return t };
        let earlier = (c.int(0), c.var(self.n));
        let (kept, is_old): (Vec<_>, Vec<_>) =
            reads.into_iter().partition(|index| !self.misses(given, earlier, cell, index));
        if is_old.is_empty() {
            return t;
        }
        let mixed = c.lambda_of(cell.array.rank, |at| {
            let same = |index: &Vec<Term>| {
                let parts: Vec<Term> = at.iter().zip(index).map(|(a, b)| c.eq(*a, *b)).collect();
                c.and(&parts)
            };
            let kept: Vec<Term> = kept.iter().map(same).collect();
            c.ite(c.or(&kept), c.read(c.var(array), at), c.read(old, at))
        });
        c.substitute(t, array, mixed)
    }
}

/// Puts old contents in the place of an array in what a loop leaves in other regions, if all their
/// reads of it are of cells that no earlier iteration has written. `steps` are the values after an
/// iteration of what the loop writes, as far as there is no closed form yet. Whether some was
/// changed.
///
/// So `t = a[i]; a[i] = b[i]; b[i] = t` becomes two loops of which neither depends on the other.
pub(super) fn without_cross_reads(it: &Iterations, regions: &[Array], steps: &mut [Option<Term>]) -> bool {
    let (c, mut changed) = (it.c, false);
    for (k, array) in regions.iter().enumerate().filter(|(_, array)| array.rank > 0) {
        let reads = |j: &usize| *j != k && steps[*j].is_some_and(|step| c.mentions(step, array.before));
        let readers: Vec<usize> = (0..steps.len()).filter(reads).collect();
        let cell = steps[k].filter(|_| !readers.is_empty()).and_then(|step| Cell::new(c, *array, step, it.n));
        let Some(cell) = cell else { continue };
        for j in readers {
            let old = |t: Term| it.with_old(t, &it.facts(), array.before, array.start, &cell);
            steps[j] = steps[j].map(|step| {
                let new = match regions[j].rank {
                    0 => old(step),
                    rank => c.lambda_of(rank, |at| old(c.read(step, at))),
                };
                let is_new = !c.mentions(new, array.before);
                changed |= is_new;
                if is_new { new } else { step }
            });
        }
    }
    changed
}

/// The indexes of all reads of an array variable in a term; `None` if it is used below a binder, or
/// in another way.
pub(super) fn reads_of(c: &Context, t: Term, array: Var) -> Option<Vec<Vec<Term>>> {
    let (mut found, mut is_plain) = (Vec::new(), true);
    c.each_part(t, &mut |part, below| {
        if !c.mentions(part, array) {
            return false;
        }
        match &*c.node(part) {
            _ if below => is_plain = false,
            Node::Var(_) => is_plain = false,
            Node::Read(whole, index) if *whole == c.var(array) => {
                is_plain &= !index.iter().any(|i| c.mentions(*i, array));
                found.push(index.clone());
                return false;
            }
            _ => {}
        }
        is_plain
    });
    is_plain.then_some(found)
}

//! The iterations that may change a cell, where they are few and known: the inverse of the indexes
//! at which a loop writes.
//!
//! **Meaning.** If each case in which iteration `n` may change cell `k` has a literal that holds in
//! at most one iteration, and that iteration is a term over `k`, then the cell changes in these
//! *critical* iterations only. Its value after the loop is its old one, changed by them one by one,
//! in the order of time. Such literals are
//! * `a*n + t(k) = 0`: the iteration is `-t(k) div a`, if `a` divides `t(k)`;
//! * a pair `a*n + t(k) >= 0` and `-a*n + u(k) >= 0` with `t + u < a`, as the integers `n` between
//!   `-t / a` and `u / a` are at most one: `u(k) div a`;
//! * `c*count([0, n), p) + t(k) = 0` where the other literals imply `p(n)`: the iteration is the
//!   one with `p` that has `-t(k) / c` such before it. Later ones with `p` have more.
//!
//! **Sources.** Dillig, Dillig, Aiken, "Fluid updates: beyond strong vs. weak updates", ESOP 2010,
//! for writes as conditions over the index of the cell.

use super::cells::{Case, Cell};
use super::reads::Iterations;
use smalti_terms::{Int, Node, Rat, Sort, Term, Var};

/// An iteration that may change a cell.
#[derive(Clone, Debug)]
pub(super) struct Critical {
    /// What holds in that iteration, and in no other: over its number and the indexes of the cell.
    pub(super) literals: Vec<Term>,
    /// Its number, over the indexes of the cell.
    pub(super) number: Term,
    /// Whether there is such an iteration before iteration `n`.
    pub(super) exists: Term,
}

/// How two critical iterations of a cell lie in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The first is earlier, or the cell has only one of the two.
    Before,
    /// The first is later.
    After,
    /// No cell has both.
    Exclusive,
    Unknown,
}

/// The critical iterations of a cell; `None` if some case has none.
pub(super) fn critical(it: &Iterations, cell: &Cell, cases: &[Case]) -> Option<Vec<Critical>> {
    let value = it.c.var(cell.value);
    let mut found: Vec<(&Case, Vec<Critical>)> = Vec::new();
    for case in cases.iter().filter(|case| case.value != value) {
        let candidates = candidates(it, cell, case);
        if candidates.is_empty() {
            return None;
        }
        found.push((case, candidates));
    }
    // Cases with little choice choose first.
    found.sort_by_key(|(_, candidates)| candidates.len());
    let mut chosen: Vec<(Critical, Vec<&Case>)> = Vec::new();
    for (case, candidates) in found {
        let is_covered = |one: &Critical| one.literals.iter().all(|p| case.given.contains(p));
        match chosen.iter_mut().find(|(one, _)| is_covered(one)) {
            Some((_, cases)) => cases.push(case),
            None => chosen.extend(candidates.into_iter().next().map(|one| (one, vec![case]))),
        }
    }
    Some(chosen.into_iter().map(|(one, cases)| narrowed(it, cell, one, &cases)).collect())
}

/// The critical iteration, where what its cases have in common holds in it. Elsewhere it does not
/// change the cell.
fn narrowed(it: &Iterations, cell: &Cell, one: Critical, cases: &[&Case]) -> Critical {
    let c = it.c;
    if c.mentions(one.number, cell.n) {
        // The number of such iterations says it already.
        return one;
    }
    let [first, others @ ..] = cases else { return one };
    let is_common = |p: &&Term| others.iter().all(|case| case.given.contains(p)) && is_stable(it, cell, **p);
    let common: Vec<Term> = first.given.iter().filter(is_common).copied().collect();
    let there = c.substitute(c.and(&common), cell.n, one.number);
    Critical { exists: c.and(&[one.exists, there]), ..one }
}

/// Whether a condition is the same whatever the iterations before have left.
fn is_stable(it: &Iterations, cell: &Cell, p: Term) -> bool {
    !it.carried.iter().chain([&cell.value, &cell.others]).any(|v| it.c.mentions(p, *v))
}

/// Whether an iteration before iteration `n` may change the cell in this case: the conditions that
/// depend on what earlier iterations have left are left out.
pub(super) fn may_apply(it: &Iterations, cell: &Cell, case: &Case) -> Term {
    let c = it.c;
    if let Some(one) = candidates(it, cell, case).into_iter().next() {
        return one.exists;
    }
    let stable: Vec<Term> = case.given.iter().copied().filter(|p| is_stable(it, cell, *p)).collect();
    c.any(c.int(0), c.var(cell.n), |m| c.substitute(c.and(&stable), cell.n, m))
}

/// The critical iterations that the literals of a case give.
fn candidates(it: &Iterations, cell: &Cell, case: &Case) -> Vec<Critical> {
    let c = it.c;
    let is_usable = |p: &Term| is_stable(it, cell, *p) && c.mentions(*p, cell.n);
    let usable: Vec<Term> = case.given.iter().copied().filter(is_usable).collect();
    let mut found: Vec<Critical> = usable.iter().filter_map(|p| by_equation(it, cell.n, *p)).collect();
    found.extend(usable.iter().filter_map(|p| by_rank(it, cell.n, *p, case)));
    for low in &usable {
        found.extend(usable.iter().filter_map(|high| by_stretch(it, cell.n, *low, *high)));
    }
    found
}

/// Whether a number is one of an iteration before iteration `n`.
fn is_earlier(it: &Iterations, number: Term, n: Var) -> Term {
    it.c.within(it.c.int(0), number, it.c.var(n))
}

/// `a*n + t = 0`.
fn by_equation(it: &Iterations, n: Var, literal: Term) -> Option<Critical> {
    let (exists, number) = it.c.solution(n, literal)?;
    let exists = it.c.and(&[exists, is_earlier(it, number, n)]);
    Some(Critical { literals: vec![literal], number, exists })
}

/// `a*n + t >= 0` and `-a*n + u >= 0` with `t + u < a`.
fn by_stretch(it: &Iterations, n: Var, low: Term, high: Term) -> Option<Critical> {
    let c = it.c;
    let (Node::NonNegative(p), Node::NonNegative(q)) = (&*c.node(low), &*c.node(high)) else { return None };
    let ((a, t), (b, u)) = (c.affine(*p, n)?, c.affine(*q, n)?);
    if a <= Int::from(0) || b != -a.clone() {
        return None;
    }
    let length = t.add(&u).as_constant()?;
    if length >= Rat::from_integer(a.clone()) {
        return None;
    }
    let number = c.div(c.from_poly(u), c.int(a));
    let exists = c.and(&[c.substitute(low, n, number), is_earlier(it, number, n)]);
    Some(Critical { literals: vec![low, high], number, exists })
}

/// `a*count([0, n), p) + t = 0` where `p(n)` holds.
fn by_rank(it: &Iterations, n: Var, literal: Term, case: &Case) -> Option<Critical> {
    let c = it.c;
    // An iteration before iteration `n`, any, in the place of `n`.
    let earlier = c.variable("i", Sort::Int);
    let at = |t: Term| c.substitute(t, n, c.var(earlier));
    let others: Vec<Term> = case.given.iter().map(|p| at(*p)).collect();
    let found = c.solution_by_rank(earlier, c.int(0), c.var(n), at(literal), &others)?;
    let counted = c.conjuncts(found.counted);
    let of_rank = case.given.iter().zip(&others).filter(|(p, other)| **p == literal || counted.contains(other));
    Some(Critical { literals: of_rank.map(|(p, _)| *p).collect(), number: found.at, exists: found.exists })
}

/// How two critical iterations lie in time.
pub(super) fn order(it: &Iterations, a: &Critical, b: &Critical) -> Order {
    let c = it.c;
    let both = c.and(&[a.exists, b.exists]);
    if c.as_truth(both) == Some(false) {
        return Order::Exclusive;
    }
    let later = c.sub(b.number, a.number);
    if let Some(later) = c.as_int(later) {
        return if later > Int::from(0) {
            Order::Before
        } else if later < Int::from(0) {
            Order::After
        } else {
            Order::Unknown
        };
    }
    let facts = it.facts_in(&it.around.with(both), a.number);
    let facts = it.facts_in(&facts, b.number);
    if facts.are_contradictory() {
        return Order::Exclusive;
    }
    if facts.proves(c.gt(later, c.int(0))) {
        return Order::Before;
    }
    if facts.proves(c.lt(later, c.int(0))) {
        return Order::After;
    }
    Order::Unknown
}

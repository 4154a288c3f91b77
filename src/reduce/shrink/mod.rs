//! Loop shrinking (Kumar 2019, chapters 6 to 8): replaces a loop over a large array by a few of its
//! iterations, chosen arbitrarily.
//!
//! **Theorem** (Kumar 2019, theorem 7.5). Let `L` be a loop and ψ a property of the state after it.
//! ψ is a conjunction of clauses, of which some belong to one iteration each. The *residual* of a
//! sequence of iterations runs just those, each with the loop's counters set to what they are in
//! it, and its residual property has just their clauses. The loop is *k-shrinkable* if the
//! following holds from every state: whenever the residual of a sequence of k + 1 iterations
//! violates its residual property or the clause of an iteration before the sequence, so does the
//! residual of k of them. Then a violation by the whole loop is one by the residual of some k
//! iterations from the same state. So if no residual of k iterations fails, and no run with fewer
//! iterations does, the property holds.
//!
//! **Where we differ.** The state in which a sequence begins is arbitrary, apart from what the
//! domains say of it (see [`known`]). Clauses that belong to no iteration are part of every
//! residual property; the proof of the theorem does not use them. Early exits and assumptions are
//! part of the state (see [`runs`]). A property of one position may be checked for one arbitrary
//! position that is given from outside.
//!
//! **Acceleration** (6.3). A scalar whose values are determined by the number of the iteration is
//! computed from it (see [`advance`]). The goal has two groups of ways to prove it: first for the
//! program with these scalars accelerated, then for the program as it is.
//!
//! **Existential properties** (7.4). Suppose that one clause must hold (see [`search`]). Then a
//! sequence of k + 1 iterations must have the property if the residual of *some* k of them has it.
//! The whole loop has it if, from the same state, the residual of some k iterations has it. The
//! thesis asks that all residuals have it. That is more than its proof needs, and too much: that
//! the smallest element is one of the elements is seen by the first iteration alone. Here one of
//! three is enough: the first k, the last k, or any k. Clauses that belong to no iteration are part
//! of each residual property: as one more clause in the disjunction of each, they change nothing in
//! the proof.
//!
//! **Limits.** One property loop or none, with at most one quantifier. Nested loops that are not
//! flattened (see [`grid`]) count as arbitrary values for what they write.

mod advance;
mod coalesce;
mod distance;
mod form;
mod grid;
mod indices;
mod known;
mod lengths;
mod memory;
mod place;
mod rows;
mod runs;
mod search;
mod updates;
mod views;

pub use form::{Form, Quantifier};
pub use runs::{Taken, Written};

use super::Refusal;
use super::normal::Inlined;
use crate::program::AssertionId;
use form::Way;
use grid::Flat;
use runs::Kind;

/// The assertion at one of the places where it stands.
pub struct Goal {
    /// Ways to prove it, the most promising first. All parts of one way must be proved.
    pub plans: Vec<Vec<Subgoal>>,
}

/// A part of what is to be proved. Proving one of its forms is enough; the most promising comes
/// first.
pub struct Subgoal {
    /// One loop and a property.
    pub forms: Vec<Form>,
}

/// What is to be proved so that the assertion holds: all goals.
///
/// # Errors
/// Why there is no goal.
pub fn goals(inlined: &Inlined, assertion: AssertionId) -> Result<Vec<Goal>, Refusal> {
    let nest = inlined.nest(assertion)?;
    if !grid::has_nests(&nest) {
        return places(&Flat::plain(nest.normal()?), assertion);
    }
    // The plan in which inner loops are arbitrary values, if one is needed.
    let plain = nest.clone().normal().and_then(|normal| places(&Flat::plain(normal), assertion));
    let flat = grid::flatten(nest).and_then(|flat| places(&flat, assertion));
    match (flat, plain) {
        (Err(why), Err(_)) => Err(why),
        (Ok(goals), Err(_)) | (Err(_), Ok(goals)) => Ok(goals),
        (Ok(mut goals), Ok(plain)) => {
            if goals.len() == plain.len() {
                for (goal, other) in goals.iter_mut().zip(plain) {
                    goal.plans.extend(other.plans);
                }
            }
            Ok(goals)
        }
    }
}

fn places(flat: &Flat, assertion: AssertionId) -> Result<Vec<Goal>, Refusal> {
    let all = flat.normal.instances(assertion).into_iter();
    all.map(|normal| goal(&Flat { normal, grids: flat.grids.clone() }, assertion)).collect()
}

fn goal(flat: &Flat, assertion: AssertionId) -> Result<Goal, Refusal> {
    let plain = plans(flat, assertion);
    let Some(Ok(mut all)) = advance::accelerated(flat).map(|flat| plans(&flat, assertion)) else {
        return plain.map(|plans| Goal { plans });
    };
    all.extend(plain.into_iter().flatten());
    Ok(Goal { plans: all })
}

fn plans(flat: &Flat, assertion: AssertionId) -> Result<Vec<Vec<Subgoal>>, Refusal> {
    let whole = views::forms(flat, assertion, &views::WAYS).map(|forms| vec![Subgoal { forms }]);
    let halves = search::halves(&flat.normal, assertion).and_then(|halves| {
        let with = |normal| Flat { normal, grids: flat.grids.clone() };
        let found = views::forms(&with(halves.found), assertion, &views::CLAUSES).ok()?;
        let missed = views::forms(&with(halves.missed), assertion, &[Way::Search]).ok()?;
        Some(vec![Subgoal { forms: found }, Subgoal { forms: missed }])
    });
    Ok(match (whole, halves) {
        (Err(why), None) => return Err(why),
        (Err(_), Some(halves)) => vec![halves],
        (Ok(whole), None) => vec![whole],
        // A search that can be one loop with the others is easier to prove as a whole.
        (Ok(whole), Some(halves)) if whole.iter().all(|p| p.forms[0].dropped.is_empty()) => vec![whole, halves],
        (Ok(whole), Some(halves)) => vec![halves, whole],
    })
}

impl Form {
    /// The program whose assertion holds if the loop is k-shrinkable (figure 7.7).
    ///
    /// # Errors
    /// An iteration does something that cannot be repeated from the same state.
    pub fn shrinkability(&self, assertion: AssertionId, k: usize) -> Result<Written, Refusal> {
        runs::write(self, assertion, k, Kind::Check)
    }

    /// The program whose assertion holds if no residual of `k` iterations fails, and no run with
    /// fewer iterations does (7.5).
    ///
    /// # Errors
    /// As for [`Form::shrinkability`].
    pub fn residual(&self, assertion: AssertionId, k: usize) -> Result<Written, Refusal> {
        runs::write(self, assertion, k, Kind::Residual)
    }

    /// [`Form::residual`] of one iteration; its runs also tell what they read of arrays.
    ///
    /// # Errors
    /// As for [`Form::shrinkability`].
    pub fn witness(&self, assertion: AssertionId) -> Result<Written, Refusal> {
        runs::write(self, assertion, 1, Kind::Witness)
    }

    /// Whether no iteration hands a value on to another, and the property is universal. Then an
    /// iteration that fails alone fails in the whole loop (7.1), as far as the form agrees with the
    /// program.
    pub fn is_independent(&self) -> bool {
        self.quantifier == Quantifier::Universal
            && self.dropped.is_empty()
            && self.closing.is_empty()
            && distance::is_independent(&self.program, self.position, &self.body, &self.clause)
    }

    /// The program whose assertion fails if some residual of `k` iterations reaches the assertion.
    ///
    /// # Errors
    /// As for [`Form::shrinkability`].
    pub fn reach(&self, assertion: AssertionId, k: usize) -> Result<Written, Refusal> {
        runs::write(self, assertion, k, Kind::Reach)
    }
}

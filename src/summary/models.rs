//! Small models: values for the unknowns at which a claim is evaluated before it is believed.
//!
//! A claim that fails in one model does not follow from its facts, whatever a rule or a solver
//! says. The models are pseudo-random with fixed seeds: each symbol is a function of its arguments,
//! so every run tries the same ones.

use num_traits::{Signed, ToPrimitive};
use smalti_terms::{Context, EvalError, Int, IntRange, Model, Node, Symbol, Term, Var};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// The number of models that are tried.
const MODELS: u64 = 160;
/// Limit on the steps of an evaluation.
const STEPS: u64 = 3_000;
/// After so many evaluations that reach their limit, no other model is tried: sizes are constants
/// and large.
const TOO_LONG: u32 = 6;
/// The number of constants of the claim that models use.
const CONSTANTS: usize = 12;
/// The number of terms in which constants are looked for.
const LOOKED_AT: usize = 5_000;

/// What the models say of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tried {
    /// In some model all facts hold and the conclusion does not.
    pub(super) fails: bool,
    /// In some model all facts hold.
    pub(super) is_consistent: bool,
}

/// Evaluates facts and a conclusion in small models, up to one in which the conclusion fails.
/// `go_on` says whether there is time for another one.
pub(super) fn tried(c: &Context, facts: &[Term], conclusion: Term, go_on: impl Fn() -> bool) -> Tried {
    let constants = constants(c, facts, conclusion);
    let mut found = Tried { fails: false, is_consistent: false };
    let mut too_long = 0;
    for seed in 0..MODELS {
        if too_long >= TOO_LONG || !go_on() {
            break;
        }
        let model = SmallModel { c, seed, constants: &constants };
        let evaluate = |t: Term| c.evaluate_truth(t, &model, STEPS);
        let mut all = Ok(true);
        for fact in facts {
            all = evaluate(*fact);
            if all != Ok(true) {
                break;
            }
        }
        let conclusion = if all == Ok(true) { evaluate(conclusion) } else { all };
        found.is_consistent |= all == Ok(true);
        if all == Ok(true) && conclusion == Ok(false) {
            found.fails = true;
            break;
        }
        too_long += u32::from(conclusion == Err(EvalError::Steps));
    }
    found
}

/// Numbers that stand in the terms, and their neighbours: values at which conditions change.
fn constants(c: &Context, facts: &[Term], conclusion: Term) -> Vec<i64> {
    let (mut looked_at, mut found) = (0, BTreeSet::new());
    for t in [conclusion].into_iter().chain(facts.iter().rev().copied()) {
        c.each_part(t, &mut |part, _| {
            looked_at += 1;
            if let Node::Poly(p) = &*c.node(part) {
                let constant = p.constant_part();
                found.extend(constant.to_integer().abs().to_i64().filter(|n| (7..1 << 40).contains(n)));
            }
            looked_at < LOOKED_AT && found.len() < CONSTANTS
        });
    }
    found.into_iter().flat_map(|n| [n - 1, n, n + 1, -n]).collect()
}

/// A pseudo-random model.
struct SmallModel<'a> {
    c: &'a Context,
    seed: u64,
    constants: &'a [i64],
}

impl SmallModel<'_> {
    /// A small value that depends on the seed and the key only.
    fn value(&self, key: impl Hash) -> Int {
        let n = self.bits(key);
        // One in four models keeps all values from 0 to 2, one uses the constants of the claim.
        let small = i64::try_from(n % 9).unwrap_or(0) - 2;
        Int::from(match self.seed % 4 {
            0 => small.rem_euclid(3),
            1 => small.max(0),
            2 if !self.constants.is_empty() && (n >> 8) & 1 == 0 => {
                self.constants[usize::try_from((n >> 16) % self.constants.len() as u64).unwrap_or(0)]
            }
            _ => small,
        })
    }

    fn bits(&self, key: impl Hash) -> u64 {
        let mut hasher = Fnv(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xcbf2_9ce4_8422_2325);
        key.hash(&mut hasher);
        hasher.finish()
    }
}

impl Model for SmallModel<'_> {
    fn int(&self, symbol: Symbol, arguments: &[Int]) -> Option<Int> {
        // What the context made for a term beyond its limits has a value of its own.
        let is_large = self.c.is_opaque(self.c.apply(symbol, &[]));
        (!is_large).then(|| within(self.value((0, symbol, arguments)), &self.c.symbol_range(symbol)))
    }

    fn truth(&self, symbol: Symbol, arguments: &[Int]) -> Option<bool> {
        let is_large = self.c.is_opaque(self.c.apply(symbol, &[]));
        (!is_large).then(|| self.bits((1, symbol, arguments)) & 1 == 1)
    }

    fn cell(&self, array: Symbol, arguments: &[Int], index: &[Int]) -> Option<Int> {
        let is_large = self.c.is_opaque(self.c.apply(array, &[]));
        (!is_large).then(|| within(self.value((2, array, arguments, index)), &self.c.symbol_range(array)))
    }

    fn variable(&self, var: Var) -> Option<Int> {
        Some(within(self.value((3, var)), &self.c.variable_range(var)))
    }

    fn truth_variable(&self, var: Var) -> Option<bool> {
        Some(self.bits((4, var)) & 1 == 1)
    }

    fn variable_cell(&self, var: Var, index: &[Int]) -> Option<Int> {
        Some(within(self.value((5, var, index)), &self.c.variable_range(var)))
    }
}

/// The value of a range that is nearest.
fn within(value: Int, (low, high): &IntRange) -> Int {
    let value = low.iter().fold(value, |value, low| value.max(low.clone()));
    high.iter().fold(value, |value, high| value.min(high.clone()))
}

/// The hash function FNV-1a, then mixed (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014): the same on all machines and in all versions of the library.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_all(c: &Context, facts: &[Term], conclusion: Term) -> Tried {
        tried(c, facts, conclusion, || true)
    }

    #[test]
    fn what_is_false_somewhere_fails() {
        let c = Context::new();
        let (n, a) = (c.unknown("N"), c.array("a", 1));
        let cell = |k: Term| c.read(a, &[k]);
        let sum = c.sum(c.int(0), n, cell);
        let bounded = c.all(c.int(0), n, |k| c.le(cell(k), c.int(3)));
        let most = |by: i64| c.le(sum, c.scale(by, c.max(n, c.int(0))));
        assert_eq!(try_all(&c, &[bounded], most(3)), Tried { fails: false, is_consistent: true });
        assert_eq!(try_all(&c, &[bounded], most(2)), Tried { fails: true, is_consistent: true });
        // The length may be negative.
        assert!(try_all(&c, &[bounded], c.le(sum, c.scale(3, n))).fails);
        let nothing = [c.lt(n, c.int(0)), c.gt(c.mul(n, n), c.mul(sum, sum)), c.gt(sum, c.mul(n, n))];
        assert!(!try_all(&c, &nothing, c.truth(false)).is_consistent);
    }

    #[test]
    fn models_reach_the_constants_of_the_claim() {
        let c = Context::new();
        let x = c.unknown("x");
        assert!(try_all(&c, &[c.ge(x, c.int(1000))], c.gt(x, c.int(1000))).fails);
        assert!(!try_all(&c, &[c.ge(x, c.int(1000))], c.ge(x, c.int(999))).fails);
    }

    #[test]
    fn long_evaluations_end() {
        let c = Context::new();
        let (n, x) = (c.int(10_000_000), c.unknown("x"));
        let a = c.array("a", 1);
        let sum = c.sum(c.int(0), n, |k| c.read(a, &[k]));
        assert_eq!(try_all(&c, &[c.ge(sum, c.int(0))], c.ge(x, sum)), Tried { fails: false, is_consistent: false });
    }
}

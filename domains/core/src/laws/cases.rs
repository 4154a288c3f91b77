//! What all laws share: how much is tried, and the random expressions, constraints and chains that
//! cases are made of.

use crate::{Constraint, LinearExpr, Relation, Var};
use proptest::prelude::*;
use proptest::test_runner::{Config as RunnerConfig, RngAlgorithm, TestCaseError, TestCaseResult, TestRng, TestRunner};

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Random programs for each law; laws that are costly take a fraction of it.
    pub cases: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Whether a numeric domain must tell all points apart, as one can that knows constants. Where
    /// it need not, the laws see a lost state only if the domain tells it from those that are left.
    pub points: bool,
    /// Whether a counterexample is made as small as possible, which takes longer than most
    /// searches.
    pub smallest: bool,
}

impl Default for Config {
    /// 1000 cases from seed 0 (about a second for a native domain), unless the environment says
    /// otherwise.
    fn default() -> Self {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is {text}, not a number")))
        };
        let cases = number("SMALTI_LAWS_CASES").map_or(1000, |n| u32::try_from(n).unwrap_or(u32::MAX));
        Config { cases, seed: number("SMALTI_LAWS_SEED").unwrap_or(0), points: true, smallest: true }
    }
}

/// A widening chain that has changed more often than this does not end. The chains use three
/// variables and at most two thresholds, where even octagons (18 bounds, each at most 3 steps) are
/// done much sooner.
pub(super) const CHAIN_LIMIT: usize = 200;

/// Runs `test` on random values of `strategy`, each law from the same seed so that laws do not
/// disturb one another.
pub(super) fn run<S: Strategy>(
    law: &str,
    cases: u32,
    config: Config,
    strategy: &S,
    test: impl Fn(S::Value) -> TestCaseResult,
) -> Result<(), String> {
    let max_shrink_iters = if config.smallest { 4096 } else { 0 };
    let runner = RunnerConfig { cases, failure_persistence: None, max_shrink_iters, ..RunnerConfig::default() };
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&config.seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    TestRunner::new_with_rng(runner, rng).run(strategy, test).map_err(|e| format!("the law \"{law}\" is broken: {e}"))
}

/// Fails the case with a message if `condition` is false.
pub(super) fn ensure(condition: bool, message: impl FnOnce() -> String) -> TestCaseResult {
    if condition { Ok(()) } else { Err(TestCaseError::fail(message())) }
}

/// A linear expression over numbered variables, before the numbers become [`Var`]s.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) terms: Vec<(usize, i128)>,
    pub(super) constant: i128,
}

impl Expr {
    /// The expression over `vars`; one that overflows becomes the constant 1.
    pub(super) fn over(&self, vars: &[Var]) -> LinearExpr {
        let terms = self.terms.iter().map(|&(i, c)| (vars[i % vars.len()], c));
        LinearExpr::new(terms, self.constant).unwrap_or(LinearExpr::constant(1))
    }
}

/// Mostly small numbers, sometimes the ends of every number range in sight.
pub(super) fn number() -> impl Strategy<Value = i128> {
    let huge = [
        i128::MAX,
        i128::MIN,
        i128::MAX - 1,
        i128::MIN + 1,
        1 << 100,
        -(1 << 100),
        1 << 64,
        i64::MAX as i128,
        i64::MAX as i128 + 1,
        i64::MIN as i128,
        i64::MIN as i128 - 1,
        (1 << 53) + 1,
    ];
    prop_oneof![60 => -6..=6i128, 1 => prop::sample::select(huge.to_vec())]
}

/// Mostly 1 and -1, as in programs.
pub(super) fn coefficient() -> impl Strategy<Value = i128> {
    prop_oneof![6 => Just(1i128), 4 => Just(-1i128), 2 => -3..=3i128, 1 => number()]
}

/// At most three terms; mostly one or none, so that a domain often knows the value.
pub(super) fn expr(vars: usize) -> impl Strategy<Value = Expr> {
    let terms = prop_oneof![
        2 => Just(Vec::new()),
        3 => (0..vars).prop_map(|v| vec![(v, 1)]),
        4 => prop::collection::vec((0..vars, coefficient()), 0..=3),
    ];
    (terms, number()).prop_map(|(terms, constant)| Expr { terms, constant })
}

pub(super) fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        4 => Just(Relation::NonNegative),
        2 => Just(Relation::Zero),
        1 => Just(Relation::NonZero),
    ]
}

/// `e` compared with 0, its constant shifted so that the state where `e` has the value `at`
/// satisfies it with `slack` to spare. Falls back to `e` as it is where numbers end.
pub(super) fn around(e: &LinearExpr, relation: Relation, at: Option<i128>, slack: u8) -> Constraint {
    let slack = i128::from(slack);
    let shifted = at.and_then(i128::checked_neg).and_then(|shift| {
        let shift = match relation {
            Relation::NonNegative => shift.checked_add(slack)?,
            Relation::Zero => shift,
            Relation::NonZero => shift.checked_add(slack)?.checked_add(1)?,
        };
        e.add_constant(shift)
    });
    Constraint { expr: shifted.unwrap_or_else(|| e.clone()), relation }
}

/// Constraints over `e` that just fail where `e` has the value `at`: no element that holds the
/// state may entail them.
pub(super) fn just_false(e: &LinearExpr, at: i128) -> Vec<Constraint> {
    let build = || {
        let shifted = e.add_constant(at.checked_neg()?)?;
        Some(vec![
            Constraint::non_negative(shifted.add_constant(-1)?),
            Constraint::non_negative(shifted.scale(-1)?.add_constant(-1)?),
            Constraint { expr: shifted.add_constant(1)?, relation: Relation::Zero },
            Constraint { expr: shifted, relation: Relation::NonZero },
        ])
    };
    build().unwrap_or_default()
}

/// `v == x`; `None` for the one number that has no negative.
pub(super) fn equals(v: Var, x: i128) -> Option<Constraint> {
    Constraint::eq(&LinearExpr::var(v), &LinearExpr::constant(x))
}

/// One step of a widening chain: the constraints around the point `start + k * speed` of the `k`-th
/// iterate.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    pub(super) start: Vec<i128>,
    pub(super) speed: Vec<i128>,
    /// Each iterate takes the next of these descriptions.
    pub(super) shapes: Vec<Vec<(Expr, bool, u8)>>,
    pub(super) thresholds: Vec<i128>,
}

pub(super) fn growth(vars: usize) -> impl Strategy<Value = Growth> {
    let constraint = (expr(vars), any::<bool>(), 0..3u8);
    (
        prop::collection::vec(-3..=3i128, vars),
        prop::collection::vec(-2..=2i128, vars),
        prop::collection::vec(prop::collection::vec(constraint, 0..5), 1..4),
        prop::collection::vec(-20..=20i128, 0..=2),
    )
        .prop_map(|(start, speed, shapes, thresholds)| Growth { start, speed, shapes, thresholds })
}

impl Growth {
    /// The point of iterate `k`.
    pub(super) fn point(&self, k: usize) -> Vec<i128> {
        let k = i128::try_from(k).unwrap_or(i128::MAX);
        self.start.iter().zip(&self.speed).map(|(a, s)| a + k * s).collect()
    }

    /// Constraints that the point of iterate `k` satisfies.
    pub(super) fn constraints(&self, k: usize, vars: &[Var]) -> Vec<Constraint> {
        let point = self.point(k);
        let value = |v: Var| vars.iter().position(|w| *w == v).map_or(0, |i| point[i]);
        let shape = &self.shapes[k % self.shapes.len()];
        let built = shape.iter().map(|(e, equality, slack)| {
            let e = e.over(vars);
            let relation = if *equality { Relation::Zero } else { Relation::NonNegative };
            around(&e, relation, e.evaluate(value), *slack)
        });
        built.filter(|c| c.holds(value) == Some(true)).collect()
    }
}

//! Octagons over doubles against octagons over rationals: never a smaller set, and the same one
//! while numbers are small.

use apron_sys::Library;
use smalti_apron::{ApronDomain, ApronElement, Kind};
use smalti_core::{Constraint, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Var};

const VARS: u64 = 4;

/// A small generator of its own (Marsaglia's xorshift), so that a run is a function of the seed
/// alone.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn number(&mut self, large: bool) -> i128 {
        let small = i128::from(self.below(21)) - 10;
        if !large || self.below(3) > 0 {
            return small;
        }
        let power = 1i128 << [31, 52, 53, 54, 62, 63, 64, 80, 100][self.below(9) as usize];
        (if self.below(2) == 0 { power } else { -power }) + small
    }

    fn var(&mut self) -> Var {
        Var::scalar(self.below(VARS) as u32)
    }

    fn expr(&mut self, large: bool) -> LinearExpr {
        let terms: Vec<(Var, i128)> = (0..=self.below(3))
            .map(|_| (self.var(), [1, -1, 1, -1, 1, -1, 2, -3, 7][self.below(9) as usize]))
            .collect();
        LinearExpr::new(terms, self.number(large)).unwrap()
    }
}

/// Does the same random thing to both elements.
fn step(random: &mut Random, large: bool, elements: [&mut ApronElement; 2], others: [&ApronElement; 2]) -> String {
    let (v, e) = (random.var(), random.expr(large));
    let relation =
        [Relation::NonNegative, Relation::NonNegative, Relation::Zero, Relation::NonZero][random.below(4) as usize];
    let choice = random.below(9);
    for (element, other) in elements.into_iter().zip(others) {
        match choice {
            0..=2 => element.assign(v, &e),
            3..=5 => element.assume(&Constraint { expr: e.clone(), relation }),
            6 => element.join_with(other),
            7 => element.forget(&[v]),
            _ => {
                element.forget(&[Var::scalar(0)]);
                element.expand(Var::scalar(1), Var::scalar(0));
                element.fold(Var::scalar(2), Var::scalar(3));
            }
        }
    }
    format!("{choice}: {v:?} {e:?} {relation:?}")
}

fn compare(large: bool, seeds: std::ops::Range<u64>) {
    if Library::for_test().is_none() {
        return;
    }
    let domains = [Kind::Octagon, Kind::OctagonMpq].map(|kind| ApronDomain::new(kind).unwrap());
    for seed in seeds {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut pairs = [0, 1].map(|_| [domains[0].top(), domains[1].top()]);
        let mut log = Vec::new();
        for _ in 0..20 {
            let turn = random.below(2) as usize;
            let [first, second] = &mut pairs;
            let ([double, rational], other) = if turn == 0 { (first, second) } else { (second, first) };
            let done = step(&mut random, large, [&mut *double, &mut *rational], [&other[0], &other[1]]);
            log.push(format!("{turn} {done}"));
            for e in (0..6).map(|_| random.expr(large)) {
                let (found, exact) = (double.bounds(&e), rational.bounds(&e));
                let encloses = exact.is_none_or(|exact| found.is_some_and(|found| exact.is_subset(found)));
                assert!(encloses, "seed {seed}: {e:?}: {found:?} < {exact:?}\n{double:?}\n{rational:?}\n{log:#?}");
                assert!(
                    large || found == exact,
                    "seed {seed}: {e:?}: {found:?} {exact:?}\n{double:?}\n{rational:?}\n{log:#?}"
                );
            }
            if double.is_bottom() || rational.is_bottom() {
                *double = domains[0].top();
                *rational = domains[1].top();
            }
        }
    }
}

#[test]
fn over_small_numbers_doubles_and_rationals_agree() {
    compare(false, 0..300);
}

#[test]
fn over_large_numbers_doubles_enclose_rationals() {
    compare(true, 0..3000);
}

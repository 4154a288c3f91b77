//! The closed form of a recurrence, evaluated, against the recurrence itself, step by step.

use super::recurrence::{Recurrence, Solver};
use super::{DEPTH, RULES};
use smalti_terms::{BitOp, Context, Int, Limits, Model, Sort, Symbol, Term, Var, WrapType};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A source of random numbers (Marsaglia, "Xorshift RNGs", JSS 8, 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }

    fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1).unsigned_abs()) as i64
    }
}

/// Small values for all symbols, and values of some variables.
struct Small<'a> {
    context: &'a Context,
    seed: u64,
    variables: Vec<(Var, Int)>,
}

impl Model for Small<'_> {
    fn int(&self, symbol: Symbol, arguments: &[Int]) -> Option<Int> {
        if self.context.symbol_name(symbol).len() > 1 {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        (self.seed, self.context.symbol_name(symbol), arguments.iter().map(ToString::to_string).collect::<Vec<_>>())
            .hash(&mut hasher);
        Some(Int::from((hasher.finish() % 9) as i64 - 4))
    }

    fn variable(&self, var: Var) -> Option<Int> {
        self.variables.iter().find(|(v, _)| *v == var).map(|(_, value)| value.clone())
    }
}

/// Random steps.
struct Steps<'a> {
    c: &'a Context,
    dice: Dice,
    r: Recurrence,
    sequence: Symbol,
    others: Vec<Term>,
}

impl Steps<'_> {
    /// A term that is the same in all iterations.
    fn fixed(&mut self) -> Term {
        match self.dice.below(3) {
            0 => self.others[self.dice.below(self.others.len() as u64) as usize],
            _ => self.c.int(self.dice.between(-3, 4)),
        }
    }

    /// A term over the number of the iteration.
    fn element(&mut self) -> Term {
        let c = self.c;
        let n = c.var(self.r.iteration);
        match self.dice.below(8) {
            0 | 1 => self.fixed(),
            2 => n,
            3 => c.add(c.scale(self.dice.between(-2, 2), n), self.fixed()),
            4 => c.mul(n, n),
            5 => c.ite(self.test(), self.fixed(), n),
            _ => c.apply(self.sequence, &[n]),
        }
    }

    /// A condition on the number of the iteration.
    fn test(&mut self) -> Term {
        let c = self.c;
        let n = c.var(self.r.iteration);
        match self.dice.below(6) {
            0 => c.eq(n, self.fixed()),
            1 => c.lt(n, self.fixed()),
            2 => c.ge(c.scale(2, n), self.fixed()),
            3 => c.gt(self.fixed(), self.fixed()),
            4 => c.divides(2, c.add(n, self.fixed())),
            _ => c.gt(c.apply(self.sequence, &[n]), self.fixed()),
        }
    }

    /// A condition on the value and the number of the iteration.
    fn condition(&mut self) -> Term {
        let (c, y) = (self.c, self.c.var(self.r.value));
        match self.dice.below(7) {
            0 => c.eq(y, self.fixed()),
            1 => c.lt(y, self.fixed()),
            2 => c.ge(y, self.fixed()),
            3 => c.and(&[c.eq(y, self.r.start), self.test()]),
            4 => c.gt(c.apply(self.sequence, &[c.var(self.r.iteration)]), c.apply(self.sequence, &[y])),
            _ => self.test(),
        }
    }

    /// Steps of shapes that are rare among the others.
    fn rare(&mut self) -> Term {
        let (c, y, n) = (self.c, self.c.var(self.r.value), self.c.var(self.r.iteration));
        let (element, shift, test, sequence) = (self.element(), self.fixed(), self.test(), self.sequence);
        let cell = |t: Term| c.apply(sequence, &[t]);
        let value = c.add(n, shift);
        let compared = |dice: &mut Dice, a: Term, b: Term| match dice.below(4) {
            0 => c.gt(a, b),
            1 => c.ge(a, b),
            2 => c.lt(a, b),
            _ => c.le(a, b),
        };
        match self.dice.below(7) {
            0 => c.ite(compared(&mut self.dice, cell(value), cell(y)), value, y),
            1 => c.ite(compared(&mut self.dice, cell(y), cell(value)), y, value),
            2 => {
                let running = c.maximum(self.r.start, c.int(0), n, |k| cell(c.add(k, shift)));
                c.ite(compared(&mut self.dice, cell(value), running), element, y)
            }
            3 => {
                let running = c.minimum(shift, c.int(0), n, cell);
                c.ite(compared(&mut self.dice, cell(n), running), element, y)
            }
            4 => c.ite(test, c.max(y, cell(value)), y),
            5 => {
                let last = c.int(self.dice.between(2, 30));
                c.ite(c.eq(y, last), c.int(self.dice.between(-2, 1)), c.add(y, c.int(1)))
            }
            _ => c.add(shift, c.min(c.add(y, element), cell(n))),
        }
    }

    fn step(&mut self, depth: u32) -> Term {
        let (c, y) = (self.c, self.c.var(self.r.value));
        let byte = WrapType { signed: false, bits: 3 };
        match self.dice.below(if depth == 0 { 5 } else { 16 }) {
            0 => y,
            1 => c.add(y, self.element()),
            2 => self.element(),
            3 => self.fixed(),
            4 => c.sub(self.fixed(), y),
            5 => c.add(c.scale(self.dice.between(-2, 3), y), self.element()),
            6 => c.max(self.step(depth - 1), self.element()),
            7 => c.min(self.step(depth - 1), self.element()),
            8 => c.mul(y, self.element()),
            9 => c.wrap(byte, self.step(depth - 1)),
            10 => c.bits([BitOp::And, BitOp::Or, BitOp::Xor][self.dice.below(3) as usize], &[y, self.element()]),
            11 => c.truncated_rem(c.add(y, c.int(1)), c.int(self.dice.between(2, 5))),
            12 => c.indicator(c.or(&[c.ne(y, c.int(0)), self.test()])),
            _ => c.ite(self.condition(), self.step(depth - 1), self.step(depth - 1)),
        }
    }
}

/// The first difference between a closed form and the recurrence. What has no value here, because a
/// term was too large, says nothing.
fn difference(c: &Context, r: Recurrence, closed: Term, seed: u64) -> Option<String> {
    let model = |variables: Vec<(Var, Int)>| Small { context: c, seed, variables };
    let mut value = c.evaluate(r.start, &model(vec![]), 10_000).ok()?;
    for n in 0..7 {
        let here = |var, value: &Int| vec![(r.iteration, Int::from(n)), (var, value.clone())];
        let found = c.evaluate(closed, &model(vec![(r.iteration, Int::from(n))]), 100_000).ok()?;
        if found != value {
            let (step, start) = (c.show(r.step), c.show(r.start));
            return Some(format!("{n}: {found} for {value}; {step} from {start}; {}", c.show(closed)));
        }
        value = c.evaluate(r.step, &model(here(r.value, &value)), 10_000).ok()?;
    }
    None
}

fn random_recurrences(seeds: std::ops::Range<u64>) -> BTreeMap<&'static str, u32> {
    let mut applied: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in seeds {
        let c = Context::with_limits(Limits { work: 100_000, ..Limits::default() });
        let (value, iteration) = (c.variable("y", Sort::Int), c.variable("n", Sort::Int));
        let others = vec![c.unknown("s"), c.unknown("t")];
        let dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let r = Recurrence { value, iteration, start: c.int(0), step: c.int(0) };
        let mut steps = Steps { c: &c, dice, r, sequence: c.symbol("a", Sort::Int), others };
        steps.r.start = if steps.dice.below(2) == 0 {
            c.wrap(WrapType { signed: false, bits: 3 }, steps.others[0])
        } else {
            steps.fixed()
        };
        let step = if steps.dice.below(3) == 0 { steps.rare() } else { steps.step(3) };
        let r = Recurrence { step, ..steps.r };
        let given = c.ge(c.var(iteration), c.int(0));
        for (name, rule) in RULES {
            let parts = std::cell::Cell::new(20);
            let solver = Solver { c: &c, given, rules: RULES, depth: DEPTH, parts: &parts };
            let Some(closed) = rule(&solver, r) else { continue };
            *applied.entry(name).or_default() += 1;
            for model in 0..2 {
                if let Some(wrong) = difference(&c, r, closed, seed * 4 + model) {
                    panic!("{name}, seed {seed}: {wrong}");
                }
            }
        }
    }
    applied
}

#[test]
fn closed_forms_are_the_values_of_recurrences() {
    let applied = random_recurrences(0..250);
    for (name, _) in RULES {
        assert!(applied.get(name).is_some_and(|times| *times >= 2), "{name}: {applied:?}");
    }
}

#[test]
#[ignore = "long"]
fn closed_forms_are_the_values_of_many_recurrences() {
    println!("{:?}", random_recurrences(0..60_000));
}

//! Random loops over small arrays: closed forms against the iterations, executed one by one.

use super::arrays;
use super::cells::Array;
use super::reads::{Iterations, without_cross_reads};
use smalti_terms::{Context, Facts, Int, Model, Sort, Symbol, Term, Var};
use std::collections::HashMap;

/// Numbers that look random (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from(self.0 >> 33).unwrap_or(0) % bound
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(i64::try_from(all.len()).unwrap_or(1))).unwrap_or(0)]
    }
}

/// A loop `for (n = 0; n < N; n++)` that writes two arrays.
struct Loop {
    c: Context,
    n: Var,
    length: Term,
    /// Cells that the loop does not write.
    data: Term,
    /// How many of the data before iteration `n` are positive.
    rank: Term,
    arrays: Vec<Array>,
    steps: Vec<Term>,
}

/// What the unknowns are.
struct World<'a> {
    seed: u64,
    length: (Symbol, i64),
    n: (Var, i64),
    /// The contents of the arrays before an iteration, where they are not as before the loop.
    contents: &'a [(Var, HashMap<Vec<Int>, Int>)],
}

fn small(seed: u64, parts: &[Int]) -> Int {
    let text = format!("{parts:?}");
    let hash = text
        .bytes()
        .fold(seed ^ 0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3).rotate_left(23));
    Int::from(hash % 7) - 3
}

impl Model for World<'_> {
    fn int(&self, symbol: Symbol, _: &[Int]) -> Option<Int> {
        (symbol == self.length.0).then(|| Int::from(self.length.1))
    }

    fn cell(&self, array: Symbol, _: &[Int], index: &[Int]) -> Option<Int> {
        // Debug text of a symbol is its number.
        let name = format!("{array:?}").bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
        Some(small(self.seed.wrapping_add(name.wrapping_mul(977)), index))
    }

    fn variable(&self, var: Var) -> Option<Int> {
        (var == self.n.0).then(|| Int::from(self.n.1))
    }

    fn variable_cell(&self, var: Var, index: &[Int]) -> Option<Int> {
        let (_, contents) = self.contents.iter().find(|(v, _)| *v == var)?;
        contents.get(index).cloned()
    }
}

/// The cells that are looked at; the loops write no others.
fn window() -> impl Iterator<Item = Vec<Int>> {
    (-16..=36).map(|k| vec![Int::from(k)])
}

fn world(of: (u64, (Symbol, i64), Var), n: i64, contents: &[(Var, HashMap<Vec<Int>, Int>)]) -> World<'_> {
    World { seed: of.0, length: of.1, n: (of.2, n), contents }
}

impl Loop {
    fn random(r: &mut Random) -> Loop {
        let c = Context::new();
        let n = c.variable("n", Sort::Int);
        let symbol = c.symbol("N", Sort::Int);
        let length = c.apply(symbol, &[]);
        let data = c.array("x", 1);
        let rank = c.count(c.int(0), c.var(n), |k| c.gt(c.read(data, &[k]), c.int(0)));
        let arrays: Vec<Array> = ["a", "b"]
            .iter()
            .map(|name| {
                let mut start = c.array(*name, 1);
                if r.below(2) == 0 {
                    start = c.store(start, &[c.int(r.below(3))], c.int(r.below(9)));
                }
                Array { before: c.variable(*name, Sort::Array(1)), start, rank: 1 }
            })
            .collect();
        let steps = arrays.iter().map(|a| c.var(a.before)).collect();
        let mut l = Loop { c, n, length, data, rank, arrays, steps };
        let base = l.base(r);
        for _ in 0..=r.below(3) {
            l.statement(r, base);
        }
        l
    }

    /// An index that most accesses of a loop are close to.
    fn base(&self, r: &mut Random) -> Term {
        let c = &self.c;
        let n = c.var(self.n);
        match r.below(12) {
            0..6 => n,
            6 | 7 => c.sub(self.length, n),
            8 => c.scale(2, n),
            9 => c.scale(3, n),
            10 => self.rank,
            _ => c.sub(c.int(5), c.scale(2, n)),
        }
    }

    fn index(&self, r: &mut Random, base: Term) -> Term {
        let c = &self.c;
        match r.below(14) {
            0 => c.int(r.below(4)),
            1 => c.sub(self.length, c.add(c.var(self.n), c.int(r.below(2)))),
            2 => c.read(self.data, &[c.var(self.n)]),
            3 => self.rank,
            _ => c.add(base, c.int(r.below(5) - 2)),
        }
    }

    fn value(&self, r: &mut Random, base: Term) -> Term {
        let c = &self.c;
        let read = |r: &mut Random| c.read(self.steps[r.one_of(&[0, 0, 1])], &[self.index(r, base)]);
        match r.below(8) {
            0 => c.int(r.below(9)),
            1 => c.var(self.n),
            2 => c.read(self.data, &[c.var(self.n)]),
            3 => c.max(read(r), c.int(r.below(3))),
            4 => c.add(c.scale(2, read(r)), c.var(self.n)),
            _ => c.add(read(r), c.int(r.below(4) - 1)),
        }
    }

    fn condition(&self, r: &mut Random, base: Term) -> Term {
        let c = &self.c;
        let n = c.var(self.n);
        match r.below(7) {
            0..3 => c.gt(c.read(self.data, &[n]), c.int(0)),
            3 => c.divides(2, n),
            4 => c.ne(n, c.int(r.below(3))),
            5 => c.lt(c.scale(2, n), self.length),
            _ => c.gt(c.read(self.steps[0], &[self.index(r, base)]), c.int(0)),
        }
    }

    fn statement(&mut self, r: &mut Random, base: Term) {
        let target = usize::from(r.below(3) == 0);
        let index = self.index(r, base);
        let condition = if r.below(3) == 0 { self.condition(r, base) } else { self.c.truth(true) };
        let mut steps = self.steps.clone();
        if r.below(5) == 0 {
            // An exchange of two cells.
            let (other, at) = (r.one_of(&[0, 1]), self.index(r, base));
            let (here, there) = (self.c.read(steps[target], &[index]), self.c.read(steps[other], &[at]));
            steps[target] = self.c.store(steps[target], &[index], there);
            steps[other] = self.c.store(steps[other], &[at], here);
        } else {
            steps[target] = self.c.store(steps[target], &[index], self.value(r, base));
        }
        for (old, new) in self.steps.iter_mut().zip(steps) {
            let before = *old;
            *old = self.c.lambda(|k| self.c.ite(condition, self.c.read(new, &[k]), self.c.read(before, &[k])));
        }
    }

    /// The closed forms that are found.
    fn closed(&self) -> Vec<Option<Term>> {
        let c = &self.c;
        let mut steps: Vec<Option<Term>> = self.steps.iter().copied().map(Some).collect();
        let mut found: Vec<Option<Term>> = vec![None; steps.len()];
        let executed = c.lt(c.var(self.n), self.length);
        let around = Facts::new(c).with(c.ge(c.var(self.n), c.int(0))).with(c.ge(self.length, c.int(0)));
        for _ in 0..4 {
            let open: Vec<usize> = (0..steps.len()).filter(|k| steps[*k].is_some()).collect();
            let carried = open.iter().map(|k| self.arrays[*k].before).collect();
            let it = Iterations::new(around.clone(), c, self.n, &[executed], carried);
            let is_alone = |k: &usize| {
                let step = steps[*k].expect("it is open");
                open.iter().all(|j| j == k || !c.mentions(step, self.arrays[*j].before))
            };
            let Some(k) = open.iter().copied().find(is_alone) else {
                if without_cross_reads(&it, &self.arrays, &mut steps) {
                    continue;
                }
                break;
            };
            let step = steps[k].take().expect("it is open");
            let Some(closed) = arrays::closed(&it, self.arrays[k], step) else { break };
            let closed = around.simplify(closed);
            for step in steps.iter_mut().flatten() {
                *step = c.substitute(*step, self.arrays[k].before, closed);
            }
            found[k] = Some(closed);
        }
        found
    }

    /// Executes the iterations one by one and compares. The number of cells that were compared.
    fn check(&self, found: &[Option<Term>], length: i64, seed: u64) -> usize {
        let c = &self.c;
        let smalti_terms::Node::Apply(symbol, _) = *c.node(self.length) else { unreachable!("it is a symbol") };
        let of = (seed, (symbol, length), self.n);
        let cell = |t: Term, k: &[Int], world: &World| c.evaluate_cell(t, k, world, 100_000);
        let mut contents: Vec<(Var, HashMap<Vec<Int>, Int>)> = Vec::new();
        for array in &self.arrays {
            // Reads go a little further than writes.
            let wide = (-40..=80).map(|k| vec![Int::from(k)]);
            let start = wide.map(|k| (k.clone(), cell(array.start, &k, &world(of, 0, &[])).expect("a number")));
            contents.push((array.before, start.collect()));
        }
        let mut compared = 0;
        for n in 0..=length {
            for (k, closed) in found.iter().enumerate() {
                let Some(closed) = closed else { continue };
                for index in window() {
                    let Ok(value) = cell(*closed, &index, &world(of, n, &[])) else { continue };
                    compared += 1;
                    let right = &contents[k].1[&index];
                    let said = || {
                        let steps: Vec<String> = self.steps.iter().map(|t| c.show(*t)).collect();
                        let starts: Vec<String> = self.arrays.iter().map(|a| c.show(a.start)).collect();
                        format!(
                            "N = {length}, n = {n}, cell {index:?} of {k}\nsteps {steps:#?}\nstarts {starts:?}\nclosed {}",
                            c.show(*closed)
                        )
                    };
                    assert_eq!(value, *right, "{}", said());
                }
            }
            let next: Vec<(Var, HashMap<Vec<Int>, Int>)> = (0..self.arrays.len())
                .map(|k| {
                    let (before, old) = &contents[k];
                    let mut new = old.clone();
                    for index in window() {
                        let value = cell(self.steps[k], &index, &world(of, n, &contents)).expect("a number");
                        new.insert(index, value);
                    }
                    (*before, new)
                })
                .collect();
            contents = next;
        }
        compared
    }
}

#[test]
fn closed_forms_of_arrays_are_what_the_iterations_leave() {
    let rounds = std::env::var("SMALTI_ARRAY_LOOPS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let first: u64 = std::env::var("SMALTI_ARRAY_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut solved, mut compared) = (0, 0);
    for round in 0..rounds {
        let seed = first.wrapping_add(round).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut r = Random(seed);
        let l = Loop::random(&mut r);
        let found = l.closed();
        solved += found.iter().flatten().count();
        for length in [0, 1, 4] {
            compared += l.check(&found, length, seed);
        }
    }
    // Every loop has two arrays, and one that is not written is always solved.
    assert!(solved > usize::try_from(rounds).unwrap_or(0), "{solved} arrays of {rounds} loops are solved");
    assert!(compared > 100 * solved, "{compared} cells of {solved} arrays were compared");
}

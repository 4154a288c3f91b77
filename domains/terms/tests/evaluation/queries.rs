//! The axioms of queries hold in every world, whatever the goal.

use crate::generate::Generator;
use crate::number_of_terms;
use crate::random::{Builder, Dice, Names, Oracle, Seen, World};
use num_bigint::BigInt;
use smalti_terms::{Context, EvalError, Model, Query, QueryLimits, Symbol, Term};

/// A world in which the witnesses have one value.
struct Witnessed<'a> {
    seen: Seen<'a>,
    witnesses: &'a [Symbol],
    value: BigInt,
}

impl Model for Witnessed<'_> {
    fn int(&self, symbol: Symbol, arguments: &[BigInt]) -> Option<BigInt> {
        if self.witnesses.contains(&symbol) {
            return Some(self.value.clone());
        }
        // Symbols that are not of the world stand for something too large.
        self.seen.int(symbol, arguments)
    }

    fn truth(&self, symbol: Symbol, arguments: &[BigInt]) -> Option<bool> {
        self.seen.truth(symbol, arguments)
    }

    fn cell(&self, array: Symbol, arguments: &[BigInt], index: &[BigInt]) -> Option<BigInt> {
        self.seen.cell(array, arguments, index)
    }
}

/// The number of axioms that were evaluated.
fn check(c: &Context, names: &Names, query: &Query, world: &World, seed: u64) -> u64 {
    let mut evaluated = 0;
    for &axiom in &query.axioms {
        // Of an axiom with witnesses it is enough that they can be chosen.
        let mut outcome = None;
        for value in (0..60).map(|i| if i % 2 == 0 { i / 2 } else { -i / 2 - 1 }) {
            let seen = Seen(world, names);
            let model = Witnessed { seen, witnesses: &query.witnesses, value: BigInt::from(value) };
            match c.evaluate_truth(axiom, &model, 200_000) {
                Ok(holds) => outcome = Some(holds),
                Err(EvalError::Malformed) => panic!("seed {seed}: an axiom is no boolean"),
                Err(_) => break,
            }
            if outcome == Some(true) {
                break;
            }
        }
        if let Some(holds) = outcome {
            assert!(holds, "seed {seed}: {} does not hold in {world:?}", c.show(axiom));
            evaluated += 1;
        }
    }
    evaluated
}

#[test]
fn axioms_hold_in_every_world() {
    let goals = number_of_terms(400);
    let (mut evaluated, mut goals_with_axioms) = (0, 0);
    for seed in 0..goals {
        let mut dice = Dice::new(seed ^ 0x7777);
        let raw = Generator { dice: &mut dice, bound: 0, nesting: 1 }.quantified((1 + seed % 2) as u32);
        let c = Context::new();
        let names = Names::new(&c);
        let goal = Builder { c: &c, names: &names, bound: Default::default() }.truth(&raw);
        let query = c.query(&[], goal, QueryLimits { axioms: 60, ..QueryLimits::default() });
        goals_with_axioms += u64::from(!query.axioms.is_empty());
        for _ in 0..6 {
            let world = World::random(&mut dice);
            // The goal itself as a check of the set-up.
            let mut oracle = Oracle::new(&world);
            if let (Some(expected), Ok(value)) =
                (oracle.truth(&raw), c.evaluate_truth(query.negated_goal, &Seen(&world, &names), 200_000))
            {
                assert_eq!(value, !expected, "seed {seed}: {raw:?}");
            }
            evaluated += check(&c, &names, &query, &world, seed);
        }
    }
    println!("{evaluated} axioms of {goals_with_axioms} goals");
    assert!(evaluated > goals * 5 && goals_with_axioms * 5 > goals, "{evaluated}, {goals_with_axioms}");
}

#[test]
fn axioms_hold_where_the_facts_do() {
    let goals = number_of_terms(400);
    let mut evaluated = 0;
    for seed in 0..goals {
        let mut dice = Dice::new(seed ^ 0x1111);
        let mut generator = Generator { dice: &mut dice, bound: 0, nesting: 1 };
        let (raw_fact, raw) = (generator.truth(1), generator.quantified(2));
        let c = Context::new();
        let names = Names::new(&c);
        let [fact, goal] =
            [raw_fact, raw].map(|raw| Builder { c: &c, names: &names, bound: Default::default() }.truth(&raw));
        let query = c.query(&[fact], goal, QueryLimits { axioms: 60, ..QueryLimits::default() });
        for _ in 0..12 {
            let world = World::random(&mut dice);
            if c.evaluate_truth(fact, &Seen(&world, &names), 200_000) == Ok(true) {
                evaluated += check(&c, &names, &query, &world, seed);
            }
        }
    }
    println!("{evaluated} axioms");
    assert!(evaluated > goals * 5, "{evaluated}");
}

fn texts(c: &Context, terms: &[Term]) -> Vec<String> {
    terms.iter().map(|&t| c.show(t)).collect()
}

/// `while (i < n) { if (a[i] >= 0) b[m++] = a[i]; i++; }`, then a cell of `a` that is not negative
/// stands somewhere in `b[0..m)`: the existential is tried at its rank.
#[test]
fn a_compaction_is_asked_about_at_the_rank() {
    let c = Context::new();
    let (n, pos, zero) = (c.unknown("n"), c.unknown("pos"), c.int(0));
    let a = c.array("a", 1);
    let kept = |k: Term| c.ge(c.read(a, &[k]), zero);
    let m = c.count(zero, n, kept);
    let b = c.lambda(|k| c.read(a, &[c.nth(k, zero, n, kept)]));
    let goal = c.any(zero, m, |p| c.eq(c.read(b, &[p]), c.read(a, &[pos])));
    let facts = [c.within(zero, pos, n), kept(pos)];
    let query = c.query(&facts, goal, QueryLimits::default());
    let axioms = texts(&c, &query.axioms);
    let rank = "(number of k in 0..pos-1 with a[k] >= 0)";
    let place = format!("{rank}-th (from 0) k in 0..n-1 with a[k] >= 0, else n");
    // The cell of `b` at the rank is the cell of `a`, and the rank is below the count.
    for part in [
        format!("({place}) = pos"),
        format!("(if a[pos] >= 0 then 1 else 0) + {rank} = (number of k in 0..pos with a[k] >= 0)"),
    ] {
        assert!(axioms.iter().any(|x| x.contains(&part)), "no {part} in {axioms:#?}");
    }
}

#[test]
fn a_maximum_is_at_least_its_cells() {
    let c = Context::new();
    let (k, j, zero) = (c.unknown("k"), c.unknown("j"), c.int(0));
    let a = c.array("a", 1);
    let cell = |l: Term| c.read(a, &[l]);
    let greatest = c.maximum(cell(zero), zero, c.add(k, c.int(1)), cell);
    let query = c.query(&[c.within(zero, j, c.add(k, c.int(1)))], c.le(cell(j), greatest), QueryLimits::default());
    let axioms = texts(&c, &query.axioms);
    let bound = "a[j] <= (maximum of a[0] and of a[l] for 0 <= l < k + 1)";
    assert!(axioms.iter().any(|x| x.contains(bound)), "{axioms:#?}");
}

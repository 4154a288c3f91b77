//! Random terms: the value of the normal form is the value of what was asked for.

use crate::generate::Generator;
use crate::number_of_terms;
use crate::random::{Builder, Dice, Names, Oracle, RawBool, RawInt, Seen, World};
use smalti_terms::{Context, EvalError, Facts, Limits, Sort};

/// What came of many comparisons.
#[derive(Default, Debug)]
struct Tally {
    compared: u64,
    /// The oracle had no answer, for want of steps.
    skipped: u64,
    /// The term has a part that was too large for a normal form.
    opaque: u64,
}

/// The random term of a seed.
fn term_of(dice: &mut Dice, seed: u64, depth: u32) -> RawInt {
    let nesting = 1 + dice.below(2) as u32;
    Generator { dice, bound: 0, nesting }.int(depth + (seed % 3) as u32)
}

/// A fold over a body of a size.
fn fold_of(dice: &mut Dice, seed: u64) -> RawInt {
    let nesting = 1 + dice.below(2) as u32;
    Generator { dice, bound: 0, nesting }.fold(2 + (seed % 2) as u32)
}

/// Compares a term with what it was made from, in several worlds.
fn compare(seed: u64, raw: &RawInt, c: &Context, dice: &mut Dice, tally: &mut Tally) {
    let names = Names::new(c);
    let term = Builder { c, names: &names, bound: Default::default() }.int(raw);
    for _ in 0..10 {
        let world = World::random(dice);
        let Some(expected) = Oracle::new(&world).int(raw) else {
            tally.skipped += 1;
            continue;
        };
        match c.evaluate(term, &Seen(&world, &names), 2_000_000) {
            Ok(value) => {
                let text = c.show(term);
                assert_eq!(value, expected, "seed {seed}: {raw:?} in {world:?} is {text}");
                tally.compared += 1;
            }
            Err(EvalError::Malformed) => panic!("seed {seed}: no value of {raw:?} in {world:?}"),
            Err(_) => tally.opaque += 1,
        }
    }
}

/// Compares many terms; at least these shares, in percent, are compared, and have no unknown that
/// stands for something large.
fn compare_many(programs: u64, limits: Limits, make: impl Fn(&mut Dice, u64) -> RawInt, shares: (u64, u64)) {
    let mut tally = Tally::default();
    for seed in 0..programs {
        let mut dice = Dice::new(seed);
        let raw = make(&mut dice, seed);
        compare(seed, &raw, &Context::with_limits(limits), &mut dice, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.compared * 10 >= programs * shares.0, "{tally:?}");
    assert!((tally.compared + tally.opaque) * shares.1 <= tally.compared * 100, "{tally:?}");
}

#[test]
fn normal_forms_have_the_values_of_what_they_were_made_from() {
    let limits = Limits { work: 300_000, ..Limits::default() };
    compare_many(number_of_terms(1_500), limits, |dice, seed| term_of(dice, seed, 2), (95, 99));
}

#[test]
fn folds_have_the_values_of_what_they_were_made_from() {
    let limits = Limits { work: 300_000, ..Limits::default() };
    compare_many(number_of_terms(800), limits, fold_of, (95, 99));
}

#[test]
fn with_little_room_terms_become_unknown_and_never_wrong() {
    for work in [0, 30, 300, 3_000] {
        let limits = Limits { depth: 9, monomials: 4, degree: 3, bits: 8, work };
        compare_many(number_of_terms(200), limits, |dice, seed| term_of(dice, seed, 3), (20, 20));
        compare_many(number_of_terms(200), limits, fold_of, (20, 20));
    }
}

#[test]
fn substitution_is_the_value_at_a_value() {
    let mut compared = 0;
    for seed in 0..number_of_terms(700) {
        let mut dice = Dice::new(seed ^ 0xaaaa);
        let raw = Generator { dice: &mut dice, bound: 1, nesting: 2 }.int(2 + (seed % 3) as u32);
        let by = Generator { dice: &mut dice, bound: 0, nesting: 1 }.int(1 + (seed % 2) as u32);
        let c = Context::new();
        let names = Names::new(&c);
        let var = c.variable("v", Sort::Int);
        let open = Builder { c: &c, names: &names, bound: vec![c.var(var)].into() }.int(&raw);
        let value = Builder { c: &c, names: &names, bound: Default::default() }.int(&by);
        let term = c.substitute(open, var, value);
        for _ in 0..10 {
            let world = World::random(&mut dice);
            let mut oracle = Oracle::new(&world);
            let Some(at) = oracle.int(&by) else { continue };
            oracle.bound.push(at);
            let Some(expected) = oracle.int(&raw) else { continue };
            if let Ok(value) = c.evaluate(term, &Seen(&world, &names), 2_000_000) {
                assert_eq!(value, expected, "seed {seed}: {raw:?} at {by:?} in {world:?}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 9 * number_of_terms(700), "{compared}");
}

/// A random term, and facts; in the worlds where the facts hold, the term simplified under them has
/// the same value, and what they decide is so.
fn compare_under_facts(
    seed: u64,
    (raw, facts, goal): (RawInt, Vec<RawBool>, RawBool),
    dice: &mut Dice,
    tally: &mut Tally,
    decided: &mut u64,
) {
    let c = Context::new();
    let names = Names::new(&c);
    let builder = Builder { c: &c, names: &names, bound: Default::default() };
    let mut known = Facts::new(&c);
    facts.iter().for_each(|f| known.assume(builder.truth(f)));
    let term = builder.int(&raw);
    let (low, high) = known.bounds(term);
    let (simple, answer) = (known.simplify(term), known.decide(builder.truth(&goal)));
    *decided += u64::from(answer.is_some());
    for _ in 0..60 {
        let world = World::random(dice);
        let mut oracle = Oracle::new(&world);
        if facts.iter().any(|f| oracle.truth(f) != Some(true)) {
            continue;
        }
        if let (Some(expected), Some(answer)) = (oracle.truth(&goal), answer) {
            assert_eq!(answer, expected, "seed {seed}: {goal:?} under {facts:?} in {world:?}");
        }
        let Some(expected) = oracle.int(&raw) else {
            tally.skipped += 1;
            continue;
        };
        let inside = low.as_ref().is_none_or(|l| *l <= expected) && high.as_ref().is_none_or(|h| expected <= *h);
        assert!(inside, "seed {seed}: {raw:?} under {facts:?} in {world:?} is from {low:?} to {high:?}");
        match c.evaluate(simple, &Seen(&world, &names), 2_000_000) {
            Ok(value) => {
                let text = c.show(simple);
                assert_eq!(value, expected, "seed {seed}: {raw:?} under {facts:?} in {world:?} is {text}");
                tally.compared += 1;
            }
            Err(EvalError::Malformed) => panic!("seed {seed}: no value of {raw:?} in {world:?}"),
            Err(_) => tally.opaque += 1,
        }
    }
}

/// Compares terms, facts and conditions that `make` generates for each number below `terms`.
/// Returns how many conditions the facts decided, too.
fn compared_under_facts(
    terms: u64,
    salt: u64,
    make: impl Fn(&mut Generator, u64) -> (RawInt, Vec<RawBool>, RawBool),
) -> (Tally, u64) {
    let (mut tally, mut decided) = (Tally::default(), 0);
    for seed in 0..terms {
        let mut dice = Dice::new(seed ^ salt);
        let mut generator = Generator { dice: &mut dice, bound: 0, nesting: 1 };
        let generated = make(&mut generator, seed);
        compare_under_facts(seed, generated, &mut dice, &mut tally, &mut decided);
    }
    println!("{tally:?}, {decided} decided");
    (tally, decided)
}

#[test]
fn simplified_terms_have_the_same_values_where_the_facts_hold() {
    let terms = number_of_terms(700);
    let (tally, decided) = compared_under_facts(terms, 0x5555, |generator, seed| {
        let raw = generator.int(2 + (seed % 3) as u32);
        let goal = generator.truth(1);
        let facts = (0..1 + seed % 3).map(|_| generator.truth((seed % 2) as u32)).collect();
        (raw, facts, goal)
    });
    assert!(tally.opaque * 50 < tally.compared, "{tally:?}");
    assert!(tally.compared > terms * 8 && decided * 10 > terms, "{tally:?}, {decided} decided");
}

#[test]
fn joined_ranges_have_the_same_values_where_the_facts_hold() {
    let terms = number_of_terms(700);
    let (tally, _) = compared_under_facts(terms, 0x3333, |generator, _| {
        let (raw, facts) = generator.pieces();
        (raw, facts, generator.truth(0))
    });
    assert!(tally.opaque == 0 && tally.compared > terms * 15, "{tally:?}");
}

#[test]
fn folds_over_ranks_have_the_same_values_over_positions() {
    let terms = number_of_terms(500);
    let (tally, _) =
        compared_under_facts(terms, 0x7777, |generator, _| (generator.over_ranks(), vec![], generator.truth(0)));
    assert!(tally.opaque == 0 && tally.compared > terms * 15, "{tally:?}");
}

#[test]
fn facts_about_ranges_decide_what_holds_of_their_cells() {
    let terms = number_of_terms(700);
    let (tally, decided) = compared_under_facts(terms, 0x9999, |generator, _| {
        let (facts, goal) = generator.universal();
        (generator.int(1), facts, goal)
    });
    assert!(tally.compared > terms * 3 && decided * 6 > terms, "{tally:?}, {decided} decided");
}

#[test]
fn trip_counts_are_the_numbers_of_iterations() {
    let (terms, mut compared) = (number_of_terms(700), 0);
    for seed in 0..terms {
        let mut dice = Dice::new(seed ^ 0xbbbb);
        let mut generator = Generator { dice: &mut dice, bound: 1, nesting: 1 };
        let exits: Vec<RawBool> = (0..2).map(|_| generator.truth((seed % 2) as u32)).collect();
        let c = Context::new();
        let names = Names::new(&c);
        let exit = |n| {
            let builder = Builder { c: &c, names: &names, bound: vec![n].into() };
            c.or(&exits.iter().map(|p| builder.truth(p)).collect::<Vec<_>>())
        };
        let Some(count) = c.trip_count(exit) else { continue };
        for _ in 0..10 {
            let world = World::random(&mut dice);
            // The first iteration that exits, if it comes soon.
            let expected = (0..300).find(|&n| {
                let mut oracle = Oracle::new(&world);
                oracle.bound.push(n.into());
                exits.iter().any(|p| oracle.truth(p) == Some(true))
            });
            if let (Some(n), Ok(value)) = (expected, c.evaluate(count, &Seen(&world, &names), 2_000_000)) {
                assert_eq!(value, n.into(), "seed {seed}: {exits:?} in {world:?} is {}", c.show(count));
                compared += 1;
            }
        }
    }
    assert!(compared > terms, "{compared}");
}

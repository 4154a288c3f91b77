//! Random terms: the value of the normal form is the value of what was asked for.

mod random;
#[path = "random/generate.rs"]
mod generate;

use generate::Generator;
use random::{Builder, Dice, Names, Oracle, Seen, World};
use smalti_terms::{Context, EvalError};

/// What came of many comparisons.
#[derive(Default, Debug)]
struct Tally {
    compared: u64,
    /// The oracle had no answer, for want of steps.
    skipped: u64,
    /// The term has a part that was too large for a normal form.
    opaque: u64,
}

/// Compares the term of a seed in several worlds.
fn compare(seed: u64, depth: u32, tally: &mut Tally) {
    let mut dice = Dice::new(seed);
    let nesting = 1 + dice.below(2) as u32;
    let raw = Generator { dice: &mut dice, bound: 0, nesting }.int(depth);
    let c = Context::new();
    c.refill(300_000);
    let names = Names::new(&c);
    let term = Builder { c: &c, names: &names, bound: Default::default() }.int(&raw);
    for _ in 0..10 {
        let world = World::random(&mut dice);
        let Some(expected) = Oracle::new(&world).int(&raw) else {
            tally.skipped += 1;
            continue;
        };
        match c.evaluate(term, &Seen(&world, &names), 2_000_000) {
            Ok(value) => {
                assert_eq!(value, expected, "seed {seed}, depth {depth}: {raw:?} in {world:?} is {term:?}");
                tally.compared += 1;
            }
            Err(EvalError::Malformed) => panic!("seed {seed}, depth {depth}: no value of {raw:?} in {world:?}"),
            Err(_) => tally.opaque += 1,
        }
    }
}

#[test]
fn normal_forms_have_the_values_of_what_they_were_made_from() {
    let programs = std::env::var("SMALTI_TERMS").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000);
    let mut tally = Tally::default();
    for seed in 0..programs {
        compare(seed, 2 + (seed % 3) as u32, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.opaque * 100 < tally.compared, "{tally:?}");
    assert!(tally.compared * 10 > programs * 80, "{tally:?}");
}

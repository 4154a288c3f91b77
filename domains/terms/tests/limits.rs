//! Terms beyond the limits become unknowns of their own, without panics and in bounded work.

use smalti_terms::{Context, Facts, Int, Limits, Model, Symbol, Term};

/// Knows every symbol as 1; not those that stand for something large.
struct Ones<'a>(&'a Context);

impl Model for Ones<'_> {
    fn int(&self, symbol: Symbol, _: &[Int]) -> Option<Int> {
        (!self.0.symbol_name(symbol).starts_with("large")).then(|| Int::from(1))
    }

    fn cell(&self, _: Symbol, _: &[Int], _: &[Int]) -> Option<Int> {
        Some(Int::from(2))
    }
}

/// Uses a term in every way.
fn use_all(c: &Context, t: Term) {
    let text = c.show(t);
    assert!(!text.is_empty());
    let _ = c.evaluate(t, &Ones(c), 100_000);
    let facts = Facts::new(c).with(c.ge(t, c.int(3)));
    let _ = (facts.simplify(t), facts.decide(c.ge(t, c.int(2))), facts.bounds(t));
    let _ = c.cases(t, 8);
    let _ = c.query(&[], c.ge(t, c.int(2)), Default::default());
}

#[test]
fn a_thousand_stores_at_unknown_indexes() {
    let c = Context::with_limits(Limits { work: 300_000, ..Limits::default() });
    let mut a = c.array("a", 1);
    for i in 0..1_000 {
        a = c.store(a, &[c.unknown(format!("i{i}"))], c.unknown(format!("v{i}")));
    }
    let cell = c.read(a, &[c.unknown("k")]);
    use_all(&c, cell);
    use_all(&c, c.sum(c.int(0), c.unknown("N"), |k| c.read(a, &[k])));
}

#[test]
fn powers_and_products_that_are_too_large() {
    let c = Context::with_limits(Limits { work: 300_000, ..Limits::default() });
    let sum = (0..40).fold(c.int(1), |sum, i| c.add(sum, c.unknown(format!("x{i}"))));
    let power = c.power_of(sum, 10);
    use_all(&c, power);
    let tower = (0..6).fold(c.int(2), |t, _| c.power(2, t));
    use_all(&c, tower);
    assert_eq!(c.power_of(sum, 10), power, "equal terms are the same unknown");
}

#[test]
fn deep_nests_of_sums_and_choices() {
    let c = Context::with_limits(Limits { work: 300_000, ..Limits::default() });
    let (n, a) = (c.unknown("N"), c.array("a", 1));
    let nest = (0..60).fold(n, |t, _| c.sum(c.int(0), t, |k| c.read(a, &[c.add(k, t)])));
    use_all(&c, nest);
    let choices = (0..500).fold(n, |t, i| {
        let x = c.unknown(format!("x{i}"));
        c.ite(c.gt(c.read(a, &[t]), x), c.mul(t, x), c.rem(t, c.int(3 + i)))
    });
    use_all(&c, choices);
}

#[test]
fn equations_that_go_round_end() {
    let c = Context::new();
    let names: Vec<Term> = (0..8).map(|i| c.unknown(format!("x{i}"))).collect();
    let mut facts = Facts::new(&c);
    for i in 0..8 {
        facts.assume(c.eq(names[i], c.add(names[(i + 1) % 8], names[(i + 3) % 8])));
    }
    use_all(&c, facts.simplify(names[0]));
    facts.simplify(c.mul(names[3], names[5]));
}

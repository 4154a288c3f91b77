//! What the normal form makes equal. That it makes nothing else equal is the business of
//! `against_evaluation`.

use smalti_terms::{BitOp, Context, Facts, FoldOp, Sort, Term, Tie, WrapType};

struct Names {
    c: Context,
    zero: Term,
    one: Term,
    n: Term,
    i: Term,
    j: Term,
    x: Term,
    a: Term,
    b: Term,
}

fn names() -> Names {
    let c = Context::new();
    let (zero, one) = (c.int(0), c.int(1));
    let (n, i, j, x) = (c.unknown("N"), c.unknown("i"), c.unknown("j"), c.unknown("x"));
    let (a, b) = (c.array("a", 1), c.array("b", 1));
    Names { c, zero, one, n, i, j, x, a, b }
}

impl Names {
    fn sum(&self, array: Term, lo: Term, hi: Term) -> Term {
        self.c.sum(lo, hi, |k| self.c.read(array, &[k]))
    }

    fn show(&self, t: Term) -> String {
        self.c.show(t)
    }

    fn swapped(&self) -> Term {
        let (c, a) = (&self.c, self.a);
        let (at_i, at_j) = (c.read(a, &[self.i]), c.read(a, &[self.j]));
        c.store(c.store(a, &[self.i], at_j), &[self.j], at_i)
    }

    /// `a` turned round in `[0, N)`.
    fn reversed(&self) -> Term {
        let c = &self.c;
        let at = |k: Term| c.linear(&[(1, self.n), (-1, self.one), (-1, k)]);
        c.overwrite(self.a, |k| c.within(self.zero, k[0], self.n), |k| c.read(self.a, &[at(k[0])]))
    }

    /// `a` rotated by one in `[0, N)`.
    fn rotated(&self) -> Term {
        let c = &self.c;
        let last = c.sub(self.n, self.one);
        let moved =
            c.overwrite(self.a, |k| c.within(self.zero, k[0], last), |k| c.read(self.a, &[c.add(k[0], self.one)]));
        c.store(moved, &[last], c.read(self.a, &[self.zero]))
    }
}

#[test]
fn sums_of_polynomials_are_polynomials_of_the_end() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.ge(m.n, m.zero));
    let sum = |body: &dyn Fn(Term) -> Term| facts.show(facts.simplify(c.sum(m.zero, m.n, body)));
    assert_eq!(sum(&|_| m.one), "N");
    assert_eq!(sum(&|k| k), "(N^2 - N)/2");
    assert_eq!(sum(&|k| c.add(c.scale(2, k), c.int(2))), "N^2 + N");
    assert_eq!(sum(&|k| c.mul(k, k)), "(2*N^3 - 3*N^2 + N)/6");
    assert_eq!(sum(&|k| c.power(2, k)), "2^N - 1");
    assert_eq!(sum(&|k| c.mul(m.x, k)), "(N^2*x - N*x)/2");
    assert_eq!(m.show(c.sum(m.zero, m.n, |_| m.one)), "max(0, N)");
}

#[test]
fn a_sum_over_written_cells_is_the_sum_of_what_was_written() {
    let m = names();
    let c = &m.c;
    let written = c.overwrite(m.a, |k| c.within(m.zero, k[0], m.n), |k| c.scale(3, k[0]));
    assert_eq!(m.sum(written, m.zero, m.n), c.sum(m.zero, m.n, |k| c.scale(3, k)));
    // Every second cell.
    let evens = c.overwrite(m.a, |k| c.divides(2, k[0]), |_| m.one);
    let counted = c.sum(m.zero, c.scale(2, m.n), |k| c.ite(c.divides(2, k), c.read(evens, &[k]), m.zero));
    assert_eq!(m.show(counted), "max(0, N)");
}

#[test]
fn folds_do_not_depend_on_where_the_index_starts_and_which_way_it_goes() {
    let m = names();
    let c = &m.c;
    let plain = m.sum(m.a, m.zero, m.n);
    let shifted = c.sum(c.int(5), c.add(m.n, c.int(5)), |k| c.read(m.a, &[c.sub(k, c.int(5))]));
    let reversed = c.sum(m.zero, m.n, |k| c.read(m.a, &[c.linear(&[(1, m.n), (-1, k), (-1, m.one)])]));
    assert_eq!(plain, shifted);
    assert_eq!(plain, reversed);
    let dot = c.sum(m.zero, m.n, |k| c.mul(c.read(m.a, &[k]), c.read(m.b, &[c.add(k, m.one)])));
    let later = c.sum(m.one, c.add(m.n, m.one), |k| c.mul(c.read(m.a, &[c.sub(k, m.one)]), c.read(m.b, &[k])));
    assert_eq!(dot, later);
    let weighted = c.sum(m.zero, m.n, |k| c.mul(k, c.read(m.a, &[c.add(k, m.one)])));
    let split =
        c.sub(c.sum(m.one, c.add(m.n, m.one), |k| c.mul(k, c.read(m.a, &[k]))), m.sum(m.a, m.one, c.add(m.n, m.one)));
    assert_eq!(weighted, split);
    let greatest = c.maximum(m.x, m.zero, m.n, |k| c.read(m.a, &[k]));
    let from_above = c.maximum(m.x, m.zero, m.n, |k| c.read(m.a, &[c.linear(&[(1, m.n), (-1, k), (-1, m.one)])]));
    assert_eq!(greatest, from_above);
}

#[test]
fn sums_over_a_square_are_equal_by_rows_and_by_columns() {
    let m = names();
    let c = &m.c;
    let matrix = c.array("m", 2);
    let by_rows = c.sum(m.zero, m.n, |r| c.sum(m.zero, m.n, |s| c.read(matrix, &[r, s])));
    let by_columns = c.sum(m.zero, m.n, |r| c.sum(m.zero, m.n, |s| c.read(matrix, &[s, r])));
    assert_eq!(by_rows, by_columns);
    let weighted_rows =
        c.sum(m.zero, m.n, |r| c.sum(m.zero, m.i, |s| c.mul(c.read(m.a, &[r]), c.read(matrix, &[r, s]))));
    let weighted_columns =
        c.sum(m.zero, m.i, |s| c.sum(m.zero, m.n, |r| c.mul(c.read(m.a, &[r]), c.read(matrix, &[r, s]))));
    assert_eq!(weighted_rows, weighted_columns);
}

#[test]
fn folds_are_the_same_before_and_after_a_swap() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.within(m.zero, m.i, m.j)).with(c.lt(m.j, m.n));
    let swapped = m.swapped();
    assert_eq!(facts.simplify(m.sum(swapped, m.zero, m.n)), m.sum(m.a, m.zero, m.n));
    let greatest = |array: Term| c.maximum(m.x, m.zero, m.n, |k| c.read(array, &[k]));
    assert_eq!(facts.simplify(greatest(swapped)), facts.simplify(greatest(m.a)));
    let least = |array: Term| c.minimum(m.x, m.zero, m.n, |k| c.read(array, &[k]));
    assert_eq!(facts.simplify(least(swapped)), facts.simplify(least(m.a)));
    let count = |array: Term| c.count(m.zero, m.n, |k| c.gt(c.read(array, &[k]), m.x));
    assert_eq!(facts.simplify(count(swapped)), facts.simplify(count(m.a)));
}

#[test]
fn folds_are_the_same_before_and_after_a_rotation_and_a_reversal() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.gt(m.n, m.zero));
    for array in [m.rotated(), m.reversed()] {
        assert_eq!(facts.simplify(m.sum(array, m.zero, m.n)), m.sum(m.a, m.zero, m.n));
        let greatest = |array: Term| c.maximum(m.x, m.zero, m.n, |k| c.read(array, &[k]));
        assert_eq!(facts.simplify(greatest(array)), greatest(m.a));
    }
    // A reversal needs no fact.
    assert_eq!(m.sum(m.reversed(), m.zero, m.n), m.sum(m.a, m.zero, m.n));
}

#[test]
fn adjacent_ranges_join_where_their_order_is_known() {
    let m = names();
    let c = &m.c;
    let parts = c.add(m.sum(m.a, m.zero, m.i), m.sum(m.a, m.i, m.n));
    let whole = m.sum(m.a, m.zero, m.n);
    assert_ne!(parts, whole);
    // With `i < 0` or `i > N` they are not the whole.
    for fact in [c.truth(true), c.ge(m.i, m.zero), c.le(m.i, m.n)] {
        assert_ne!(Facts::new(c).with(fact).simplify(parts), whole);
    }
    let facts = Facts::new(c).with(c.and(&[c.ge(m.i, m.zero), c.le(m.i, m.n)]));
    assert_eq!(facts.simplify(parts), whole);
    let step = c.add(m.sum(m.a, m.zero, m.i), c.read(m.a, &[m.i]));
    assert_eq!(facts.simplify(step), m.sum(m.a, m.zero, c.add(m.i, m.one)));
    let difference = c.sub(whole, m.sum(m.a, m.zero, m.i));
    assert_eq!(m.show(facts.simplify(difference)), "sum of a[k] for i <= k < N");
    assert_eq!(facts.simplify(c.sub(difference, m.sum(m.a, m.i, m.n))), m.zero);
}

#[test]
fn a_cell_exchanged_is_a_difference_of_values() {
    let m = names();
    let c = &m.c;
    let stored = c.store(m.a, &[m.i], m.x);
    let facts = Facts::new(c).with(c.within(m.zero, m.i, m.n));
    let expected = c.add(m.sum(m.a, m.zero, m.n), c.sub(m.x, c.read(m.a, &[m.i])));
    // The cell that is left joins the range that it comes from; so compare the difference.
    assert_eq!(facts.simplify(c.sub(m.sum(stored, m.zero, m.n), expected)), m.zero);
}

#[test]
fn residues_are_counted() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.ge(m.n, m.zero));
    let multiples = c.count(m.zero, m.n, |k| c.divides(3, k));
    assert_eq!(m.show(facts.simplify(multiples)), "(N + 2) div 3");
    let rest = c.count(m.zero, m.n, |k| c.eq(c.rem(k, c.int(3)), m.one));
    assert_eq!(facts.simplify(rest), c.div(c.add(m.n, m.one), c.int(3)));
    let others = c.count(m.zero, m.n, |k| c.ne(c.rem(k, c.int(3)), m.zero));
    assert_eq!(facts.simplify(c.add(others, multiples)), m.n);
}

#[test]
fn counters_after_loops_are_ends_of_ranges() {
    let m = names();
    let c = &m.c;
    let after = c.max(m.zero, m.n);
    assert_eq!(m.sum(m.a, m.zero, after), m.sum(m.a, m.zero, m.n));
    assert_eq!(c.sum(m.zero, after, |k| k), c.sum(m.zero, m.n, |k| k));
    assert_eq!(c.trip_count(|k| c.ge(k, m.n)), Some(after));
    // i = x; while (i < N) i += 3;
    let steps = c.trip_count(|k| c.ge(c.add(m.x, c.scale(3, k)), m.n)).expect("it is bounded");
    assert_eq!(m.show(steps), "max(0, (N - x + 2) div 3)");
    let search = c.trip_count(|k| c.or(&[c.ge(k, m.n), c.eq(c.read(m.a, &[k]), m.x)])).expect("it is bounded");
    assert_eq!(m.show(search), "first k in 0..max(0, N)-1 with a[k] = x, else max(0, N)");
    assert_eq!(c.trip_count(|k| c.eq(c.read(m.a, &[k]), m.x)), None);
}

#[test]
fn comparisons_have_one_form() {
    let m = names();
    let c = &m.c;
    assert_eq!(c.lt(m.i, m.j), c.le(c.add(m.i, m.one), m.j));
    assert_eq!(c.not(c.lt(m.i, m.j)), c.ge(m.i, m.j));
    assert_eq!(c.ge(c.scale(2, m.i), m.one), c.ge(m.i, m.one));
    assert_eq!(c.eq(c.scale(2, m.i), m.one), c.truth(false));
    assert_eq!(c.eq(m.i, m.j), c.eq(m.j, m.i));
    assert_eq!(c.eq(c.rem(m.i, c.int(3)), c.int(1)), c.eq(c.rem(m.i, c.int(3)), c.int(1)));
    assert_eq!(c.and(&[c.ge(m.i, c.int(3)), c.ge(m.i, m.one)]), c.ge(m.i, c.int(3)));
    assert_eq!(c.and(&[c.ge(m.i, c.int(3)), c.lt(m.i, m.one)]), c.truth(false));
    assert_eq!(c.or(&[c.ge(m.i, c.int(3)), c.lt(m.i, c.int(5))]), c.truth(true));
    assert_eq!(c.lt(m.i, c.div(m.n, c.int(2))), c.le(c.scale(2, c.add(m.i, m.one)), m.n));
}

#[test]
fn choices_have_one_form() {
    let m = names();
    let c = &m.c;
    let p = c.lt(m.i, m.j);
    assert_eq!(c.ite(p, c.add(m.x, m.one), m.x), c.add(m.x, c.indicator(p)));
    assert_eq!(c.ite(p, m.x, m.n), c.ite(c.not(p), m.n, m.x));
    assert_eq!(c.ite(c.ge(m.i, m.j), m.i, m.j), c.max(m.i, m.j));
    assert_eq!(c.ite(c.gt(m.i, m.j), m.i, m.j), c.max(m.i, m.j));
    assert_eq!(c.ite(c.lt(m.i, m.j), m.i, m.j), c.min(m.i, m.j));
    assert_eq!(c.ite(c.eq(m.i, m.j), m.i, m.j), m.j);
    assert_eq!(c.ite(p, c.ite(p, m.x, m.n), m.i), c.ite(p, m.x, m.i));
    assert_eq!(c.max(c.add(m.i, m.x), c.add(m.j, m.x)), c.add(m.x, c.max(m.i, m.j)));
    assert_eq!(c.max(m.i, c.min(m.i, m.j)), m.i);
    assert_eq!(c.max(m.i, c.add(m.i, m.one)), c.add(m.i, m.one));
}

#[test]
fn quotients_have_one_form() {
    let m = names();
    let c = &m.c;
    let two = c.int(2);
    assert_eq!(c.div(c.add(c.scale(2, m.i), m.one), two), m.i);
    assert_eq!(c.div(c.mul(m.n, c.add(m.n, m.one)), two), c.sum(m.zero, c.add(m.n, m.one), |k| k).min_check(c, &m));
    assert_eq!(c.div(c.div(m.n, two), c.int(3)), c.div(m.n, c.int(6)));
    assert_eq!(c.div(m.n, c.int(-2)), c.div(c.neg(m.n), two));
    let facts = Facts::new(c).with(c.ge(m.n, m.zero));
    assert_eq!(facts.simplify(c.truncated_div(m.n, two)), c.div(m.n, two));
    assert_eq!(facts.simplify(c.truncated_rem(m.n, two)), c.rem(m.n, two));
    assert_eq!(c.add(c.mul(two, c.div(m.n, two)), c.rem(m.n, two)), m.n);
}

trait Under {
    fn min_check(self, c: &Context, m: &Names) -> Term;
}

impl Under for Term {
    /// The term where `N >= 0`.
    fn min_check(self, c: &Context, m: &Names) -> Term {
        Facts::new(c).with(c.ge(m.n, m.zero)).simplify(self)
    }
}

#[test]
fn wraps_go_where_they_do_not_matter() {
    let m = names();
    let c = &m.c;
    let (u8, u32, i32) = (
        WrapType { signed: false, bits: 8 },
        WrapType { signed: false, bits: 32 },
        WrapType { signed: true, bits: 32 },
    );
    let both = c.wrap(u32, c.add(c.wrap(u32, m.i), c.wrap(i32, m.j)));
    assert_eq!(both, c.wrap(u32, c.add(m.i, m.j)));
    assert_eq!(c.wrap(u8, c.wrap(u32, m.i)), c.wrap(u8, m.i));
    assert_eq!(c.wrap(u32, c.wrap(u8, m.i)), c.wrap(u8, m.i));
    assert_eq!(c.wrap(u8, c.bits(BitOp::Xor, &[c.wrap(u8, m.i), m.j])), c.wrap(u8, c.bits(BitOp::Xor, &[m.i, m.j])));
    let facts = Facts::new(c).with(c.within(m.zero, m.i, c.int(100)));
    assert_eq!(facts.simplify(c.wrap(u8, c.add(m.i, m.one))), c.add(m.i, m.one));
    assert_eq!(c.wrap(u8, c.int(-1)), c.int(255));
    assert_eq!(c.bits(BitOp::And, &[m.i, c.int(7)]), c.rem(m.i, c.int(8)));
    assert_eq!(c.bits(BitOp::Xor, &[m.i, m.j, m.i]), m.j);
}

#[test]
fn arrays_apply_and_are_extensional() {
    let m = names();
    let c = &m.c;
    assert_eq!(c.lambda(|k| c.read(m.a, &[k])), m.a);
    let stored = c.store(m.a, &[m.i], m.x);
    assert_eq!(c.read(stored, &[m.i]), m.x);
    assert_eq!(c.read(stored, &[c.add(m.i, m.one)]), c.read(m.a, &[c.add(m.i, m.one)]));
    assert_eq!(c.store(stored, &[m.i], m.j), c.store(m.a, &[m.i], m.j));
    assert_eq!(c.store(m.a, &[m.i], c.read(m.a, &[m.i])), m.a);
}

#[test]
fn quantifiers_take_out_what_does_not_depend_on_the_index() {
    let m = names();
    let c = &m.c;
    let (positive, fixed) = (|k: Term| c.gt(c.read(m.a, &[k]), m.zero), c.eq(m.x, m.one));
    assert_eq!(c.any(m.zero, m.n, |k| c.and(&[positive(k), fixed])), c.and(&[c.any(m.zero, m.n, positive), fixed]));
    assert_eq!(c.not(c.all(m.zero, m.n, positive)), c.any(m.zero, m.n, |k| c.not(positive(k))));
    assert_eq!(c.all(m.zero, m.n, |k| c.ge(k, m.zero)), c.truth(true));
    assert_eq!(c.any(m.zero, m.n, |k| c.eq(k, m.i)), c.within(m.zero, m.i, m.n));
}

#[test]
fn extremes_of_known_bodies() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.gt(m.n, m.zero));
    let greatest = c.maximum(m.zero, m.zero, m.n, |k| c.add(c.scale(2, k), m.one));
    assert_eq!(m.show(facts.simplify(greatest)), "2*N - 1");
    let index = c.arg_max(c.read(m.a, &[m.zero]), m.zero, m.one, m.n, Tie::First, |k| c.read(m.a, &[k]));
    assert!(m.show(index).contains("first k in 1..N-1"), "{}", m.show(index));
}

#[test]
fn substitution_does_not_capture() {
    let m = names();
    let c = &m.c;
    let v = c.variable("v", Sort::Int);
    let inner = c.sum(m.zero, m.n, |k| c.mul(c.read(m.a, &[k]), c.read(m.b, &[c.add(k, c.var(v))])));
    let outer = c.sum(m.zero, m.n, |k| c.substitute(inner, v, k));
    let direct = c.sum(m.zero, m.n, |l| c.sum(m.zero, m.n, |k| c.mul(c.read(m.a, &[k]), c.read(m.b, &[c.add(k, l)]))));
    assert_eq!(outer, direct);
}

#[test]
fn products_take_constants_out() {
    let m = names();
    let c = &m.c;
    let product = |body: &dyn Fn(Term) -> Term| c.fold(FoldOp::Product, m.zero, m.n, None, body);
    let cells = product(&|k| c.read(m.a, &[k]));
    assert_eq!(product(&|k| c.scale(2, c.read(m.a, &[k]))), c.mul(c.power(2, m.n), cells));
}

#[test]
fn sums_are_monotone_and_bounded() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.ge(m.n, m.zero));
    let residues = c.sum(m.one, m.n, |k| c.rem(c.read(m.a, &[k]), c.int(3)));
    // A residue is at most 2; the range has N - 1 elements, if N is at least 1.
    let positive = facts.with(c.gt(m.n, m.zero));
    assert_eq!(positive.decide(c.le(residues, c.scale(2, m.n))), Some(true));
    let residues = c.sum(m.one, m.n, |k| c.rem(k, c.int(3)));
    assert_eq!(positive.decide(c.le(residues, c.scale(2, m.n))), Some(true));
    let cells = m.sum(m.a, m.zero, m.n);
    let greater = c.sum(m.zero, m.n, |k| c.max(c.read(m.a, &[k]), c.read(m.b, &[k])));
    assert_eq!(facts.decide(c.le(cells, greater)), Some(true));
    assert_eq!(facts.decide(c.lt(cells, greater)), None);
    let count = c.count(m.zero, m.n, |k| c.gt(c.read(m.a, &[k]), m.x));
    assert_eq!(facts.decide(c.le(count, m.n)), Some(true));
    assert_eq!(facts.decide(c.ge(count, m.zero)), Some(true));
    assert_eq!(facts.decide(c.lt(count, m.n)), None);
    // A range that may end before it begins has no element then, and not fewer than none.
    let few = c.symbol_within("few", Sort::Int, (Some((-9).into()), Some(4.into())));
    let count = c.count(m.zero, c.apply(few, &[]), |k| c.gt(c.read(m.a, &[k]), m.x));
    assert_eq!(c.range_of(count), (Some(0.into()), Some(4.into())));
}

#[test]
fn facts_decide_with_quotients_products_and_cases() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.within(m.zero, m.i, m.n));
    assert_eq!(facts.decide(c.lt(c.div(m.i, c.int(2)), m.n)), Some(true));
    assert_eq!(facts.decide(c.ge(c.mul(m.i, m.n), m.zero)), Some(true));
    assert_eq!(facts.with(c.ge(m.n, m.one)).decide(c.ge(c.mul(m.n, m.n), m.n)), Some(true));
    assert_eq!(facts.decide(c.eq(m.n, m.zero)), Some(false));
    assert_eq!(facts.decide(c.eq(m.i, m.one)), None);
    let nearest = c.ite(c.gt(m.x, m.i), m.x, c.add(m.i, m.one));
    assert_eq!(facts.decide(c.gt(nearest, m.i)), Some(true));
    let either = facts.with(c.or(&[c.ge(m.x, c.add(m.n, m.one)), c.ge(m.x, c.add(m.i, c.int(2)))]));
    assert_eq!(either.decide(c.gt(m.x, m.i)), Some(true));
    assert!(facts.with(c.lt(m.n, m.one)).are_contradictory());
    let residue = c.rem(m.x, c.int(3));
    assert_eq!(facts.decide(c.le(residue, m.one)), None);
    assert_eq!(facts.decide(c.lt(c.add(m.i, residue), c.add(m.n, c.int(2)))), Some(true));
    // Half of an odd number is no integer.
    let halves = Facts::new(c).with(c.ge(c.add(m.x, m.i), m.one)).with(c.ge(m.x, m.i));
    assert_eq!(halves.decide(c.ge(m.x, m.one)), Some(true));
}

/// `for (n = 0; n < N; n++) a[index(n)] = value(n);`
fn after_loop(m: &Names, index: impl Fn(Term) -> Term, value: impl Fn(Term) -> Term) -> Term {
    let c = &m.c;
    let v = c.variable("n", Sort::Int);
    let n = c.var(v);
    c.after_writes(m.a, v, m.zero, m.n, c.truth(true), &[index(n)], value(n))
}

#[test]
fn writes_of_a_loop_are_a_stretch() {
    let m = names();
    let c = &m.c;
    let up = after_loop(&m, |n| n, |n| c.scale(2, n));
    assert_eq!(up, c.overwrite(m.a, |k| c.within(m.zero, k[0], m.n), |k| c.scale(2, k[0])));
    assert_eq!(m.show(up), "lambda k. if 0 <= k < N then 2*k else a[k]");
    let down = after_loop(&m, |n| c.linear(&[(1, m.n), (-1, n), (-1, m.one)]), |n| n);
    assert_eq!(m.show(down), "lambda k. if 0 <= k < N then N - k - 1 else a[k]");
    let constant = after_loop(&m, |_| m.x, |n| n);
    let text = m.show(constant);
    assert!(text.contains("k = x") && text.contains("N - 1"), "{text}");
    let residue = after_loop(&m, |n| c.rem(n, c.int(4)), |n| n);
    assert!(m.show(residue).contains("last"), "{}", m.show(residue));
}

#[test]
fn facts_about_all_cells_of_a_range_hold_of_each() {
    let m = names();
    let c = &m.c;
    let cell = |k: Term| c.read(m.a, &[k]);
    let facts = Facts::new(c).with(c.all(m.zero, m.n, |k| c.ge(cell(k), m.x)));
    let inside = facts.with(c.within(m.zero, m.i, m.n));
    assert_eq!(inside.decide(c.ge(cell(m.i), m.x)), Some(true));
    assert_eq!(inside.decide(c.gt(cell(m.i), m.x)), None);
    assert_eq!(facts.with(c.le(m.i, m.n)).decide(c.ge(cell(m.i), m.x)), None);
    // And of the sum: N times the bound.
    let sum = m.sum(m.a, m.zero, m.n);
    let some = facts.with(c.ge(m.n, m.zero));
    assert_eq!(some.decide(c.ge(sum, c.mul(m.n, m.x))), Some(true));
    assert_eq!(some.decide(c.gt(sum, c.mul(m.n, m.x))), None);
    assert_eq!(some.decide(c.ge(m.sum(m.a, m.one, m.n), c.mul(c.sub(m.n, m.one), m.x))), None);
    assert_eq!(
        some.with(c.gt(m.n, m.zero)).decide(c.ge(m.sum(m.a, m.one, m.n), c.mul(c.sub(m.n, m.one), m.x))),
        Some(true)
    );
}

#[test]
fn equals_stand_for_equals() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.eq(m.i, m.n)).with(c.eq(c.add(m.j, m.one), m.i));
    assert_eq!(facts.decide(c.eq(c.read(m.a, &[m.i]), c.read(m.a, &[m.n]))), Some(true));
    assert_eq!(facts.decide(c.eq(m.sum(m.a, m.zero, m.i), m.sum(m.a, m.zero, c.add(m.j, m.one)))), Some(true));
    assert_eq!(facts.decide(c.eq(c.read(m.a, &[m.i]), c.read(m.a, &[m.j]))), None);
    // No definition is circular.
    let circular = Facts::new(c).with(c.eq(m.i, c.add(m.j, m.one))).with(c.eq(m.j, c.sub(m.i, m.one)));
    assert_eq!(circular.simplify(c.sub(m.i, m.j)), m.one);
}

#[test]
fn what_a_search_looks_for_holds_where_it_ends() {
    let m = names();
    let c = &m.c;
    let cell = |k: Term| c.read(m.a, &[k]);
    let found = c.first(m.zero, m.n, |k| c.eq(cell(k), m.x));
    let facts = Facts::new(c).with(c.ge(m.n, m.zero));
    let some = facts.with(c.ne(found, m.n));
    assert_eq!(some.decide(c.eq(cell(found), m.x)), Some(true));
    assert!(some.proves(c.any(m.zero, m.n, |k| c.eq(cell(k), m.x))));
    assert_eq!(facts.decide(c.eq(cell(found), m.x)), None);
    assert!(!facts.proves(c.any(m.zero, m.n, |k| c.eq(cell(k), m.x))));
    // None of those before it.
    let before = facts.with(c.within(m.zero, m.i, found));
    assert_eq!(before.decide(c.ne(cell(m.i), m.x)), Some(true));
    let until = facts.with(c.within(m.zero, m.i, m.n)).with(c.le(m.i, found));
    assert_eq!(until.decide(c.ne(cell(m.i), m.x)), None);
}

#[test]
fn a_compaction_writes_the_nth() {
    let m = names();
    let c = &m.c;
    let (cell, kept) = (|k: Term| c.read(m.a, &[k]), |k: Term| c.ge(c.read(m.a, &[k]), m.zero));
    // for (i = 0; i < N; i++) if (a[i] >= 0) b[j++] = a[i];
    let i = c.variable("i", Sort::Int);
    let index = c.count(m.zero, c.var(i), kept);
    let b = c.after_writes(c.array("b", 1), i, m.zero, m.n, kept(c.var(i)), &[index], cell(c.var(i)));
    let written = Facts::new(c).with(c.within(m.zero, m.j, c.count(m.zero, m.n, kept))).with(c.gt(m.n, m.zero));
    let value = written.simplify(c.read(b, &[m.j]));
    assert_eq!(written.show(value), "a[j-th (from 0) k in 0..N-1 with a[k] >= 0]");
    assert_eq!(written.decide(c.ge(value, m.zero)), Some(true));
    assert_eq!(written.decide(c.gt(value, m.zero)), None);
    // And those without.
    let rest = c.sub(c.var(i), index);
    let left = c.after_writes(c.array("c", 1), i, m.zero, m.n, c.not(kept(c.var(i))), &[rest], cell(c.var(i)));
    let all = c.sub(m.n, c.count(m.zero, m.n, kept));
    let written = Facts::new(c).with(c.within(m.zero, m.j, all)).with(c.gt(m.n, m.zero));
    assert_eq!(written.decide(written.simplify(c.lt(c.read(left, &[m.j]), m.zero))), Some(true));
    // With the condition of the other array nothing is known.
    let odd = c.after_writes(c.array("d", 1), i, m.zero, m.n, kept(c.var(i)), &[rest], cell(c.var(i)));
    assert_eq!(written.decide(written.simplify(c.ge(c.read(odd, &[m.j]), m.zero))), None);
}

#[test]
fn ranges_and_elements_of_bit_operations_join() {
    let m = names();
    let c = &m.c;
    let cell = |k: Term| c.read(m.a, &[k]);
    let two = c.int(2);
    let some = Facts::new(c).with(c.ge(m.n, two));
    for (op, bit) in [(FoldOp::BitAnd, BitOp::And), (FoldOp::BitOr, BitOp::Or), (FoldOp::BitXor, BitOp::Xor)] {
        let fold = |lo: Term, hi: Term| c.fold(op, lo, hi, None, cell);
        let apart = c.bits(bit, &[cell(m.zero), cell(m.one), fold(two, m.n)]);
        assert_eq!(some.simplify(apart), fold(m.zero, m.n));
        assert_ne!(Facts::new(c).simplify(apart), fold(m.zero, m.n));
        let parts = c.bits(bit, &[fold(m.zero, two), fold(two, m.n)]);
        assert_eq!(some.simplify(parts), fold(m.zero, m.n));
        // An element that is there already counts once, but for the exclusive or.
        let again = some.simplify(c.bits(bit, &[cell(m.one), fold(m.zero, m.n)]));
        assert_eq!(again == fold(m.zero, m.n), bit != BitOp::Xor, "{}", m.show(again));
    }
}

#[test]
fn remainders_that_are_0_say_what_divides() {
    let m = names();
    let c = &m.c;
    for d in 2..6 {
        let is_zero = c.eq(c.truncated_rem(m.x, c.int(d)), m.zero);
        assert_eq!(is_zero, c.divides(d, m.x));
        assert_eq!(m.show(c.not(is_zero)), if d == 2 { "x mod 2 = 1".to_owned() } else { format!("x mod {d} != 0") });
    }
    // Of 1 and more that is wrong where the number is negative.
    assert_ne!(c.eq(c.truncated_rem(m.x, c.int(3)), m.one), c.divides(3, c.sub(m.x, m.one)));
    assert_eq!(c.or(&[c.divides(2, m.x), c.divides(2, c.add(m.x, m.one))]), c.truth(true));
    // On the sides of a choice different numbers may be divided.
    let of_one = c.eq(c.ite(c.gt(m.i, m.zero), c.rem(m.x, c.int(3)), c.rem(m.n, c.int(3))), m.zero);
    assert_ne!(of_one, c.divides(3, m.x));
    assert_eq!(Facts::new(c).with(c.divides(3, m.x)).decide(of_one), None);
}

#[test]
fn conditions_at_one_index_are_solved() {
    let m = names();
    let c = &m.c;
    let some = c.any(m.zero, m.n, |k| c.eq(c.scale(3, k), m.x));
    let facts = Facts::new(c).with(c.within(m.zero, m.x, c.scale(3, m.n)));
    assert_eq!(facts.simplify(some), c.divides(3, m.x));
    let last = c.last(m.zero, m.n, |k| {
        let at = |d: i64| c.eq(c.scale(2, k), c.add(m.x, c.int(d)));
        c.or(&[at(0), at(-1)])
    });
    assert!(!m.show(last).contains("last"), "{}", m.show(last));
    let inside = Facts::new(c).with(c.within(m.zero, m.x, c.scale(2, m.n)));
    let (even, odd) = (c.divides(2, m.x), c.divides(2, c.sub(m.x, m.one)));
    assert_eq!(m.show(inside.with(even).simplify(last)), "x div 2");
    let positive = inside.with(odd).with(c.gt(m.x, m.zero));
    assert_eq!(positive.simplify(last), c.div(c.sub(m.x, m.one), c.int(2)));
}

#[test]
fn types_of_unknowns_make_conversions_go() {
    let c = Context::new();
    let int = WrapType { signed: true, bits: 32 };
    let range = (Some(int.least()), Some(int.greatest()));
    let a = c.apply(c.symbol_within("a", Sort::Array(1), range.clone()), &[]);
    let n = c.apply(c.symbol_within("n", Sort::Int, range), &[]);
    let zero = c.int(0);
    let cell = |k: Term| c.read(a, &[k]);
    for t in [n, cell(n), c.fold(FoldOp::BitXor, zero, n, None, cell), c.bits(BitOp::Or, &[n, cell(zero)])] {
        assert_eq!(c.wrap(int, t), t);
    }
    let beyond = c.add(n, c.int(1));
    assert_ne!(c.wrap(int, beyond), beyond);
    // The index of a body is in its range, also without facts.
    let (unsigned, size) = (WrapType { signed: false, bits: 32 }, WrapType { signed: false, bits: 64 });
    let sum = c.sum(zero, n, cell);
    assert_eq!(c.sum(zero, n, |k| cell(c.wrap(int, k))), sum);
    assert_eq!(c.sum(zero, n, |k| cell(c.wrap(size, c.wrap(unsigned, k)))), sum);
    assert_ne!(c.sum(c.int(-1), n, |k| cell(c.wrap(size, k))), c.sum(c.int(-1), n, cell));
}

#[test]
fn a_fold_over_ranks_is_one_over_positions() {
    let m = names();
    let c = &m.c;
    let facts = Facts::new(c).with(c.ge(m.n, m.zero));
    let kept = |k: Term| c.gt(c.read(m.a, &[k]), m.zero);
    let nth = |rank: Term| c.nth(rank, m.zero, m.n, kept);
    let number = c.count(m.zero, m.n, kept);
    let cell = |k: Term| c.read(m.b, &[nth(k)]);
    let conditional = |k: Term, value: Term| c.ite(kept(k), value, m.zero);
    // b[j++] = a[i] if it is positive: the sum of what is kept.
    let sum = c.sum(m.zero, number, cell);
    assert_eq!(facts.simplify(sum), c.sum(m.zero, m.n, |k| conditional(k, c.read(m.b, &[k]))));
    // The rank is the number of those before.
    let weighted = c.sum(m.zero, number, |k| c.mul(k, cell(k)));
    let before = |k: Term| c.count(m.zero, k, kept);
    let by_position = c.sum(m.zero, m.n, |k| conditional(k, c.mul(before(k), c.read(m.b, &[k]))));
    assert_eq!(facts.simplify(weighted), by_position);
    let greatest = c.maximum(m.x, m.zero, number, cell);
    let by_position = c.maximum(m.x, m.zero, m.n, |k| c.ite(kept(k), c.read(m.b, &[k]), m.x));
    assert_eq!(facts.simplify(greatest), by_position);
    // What is kept is somewhere among what was kept.
    let somewhere = |hi: Term| c.any(m.zero, hi, |k| c.eq(c.read(m.a, &[nth(k)]), c.read(m.a, &[m.i])));
    let inside = facts.with(c.within(m.zero, m.i, m.n));
    let there = inside.with(kept(m.i));
    assert!(there.proves(there.simplify(somewhere(number))));
    assert!(!inside.proves(inside.simplify(somewhere(number))), "it need not be kept");
    assert!(!there.proves_by_cases(somewhere(c.sub(number, m.one))), "it may be the last one");
    // In two parts, whichever is longer.
    let middle = c.min(m.x, number);
    let apart = c.or(&[somewhere(middle), c.any(m.x, number, |k| c.eq(c.read(m.a, &[nth(k)]), c.read(m.a, &[m.i])))]);
    let positive = there.with(c.ge(m.x, m.zero));
    assert!(positive.proves_by_cases(apart));
}

//! One term for each rule, at all small values of its unknowns: empty ranges, ranges whose end is
//! before their start, one and two elements, negative divisors.

use crate::random::{Builder, Names, Oracle, Range, RawArray, RawBool, RawInt, Seen, World};
use smalti_terms::{BitOp, Context, FoldOp, WrapType};

fn b(t: RawInt) -> Box<RawInt> {
    Box::new(t)
}

fn int(c: i64) -> RawInt {
    RawInt::Const(c)
}

/// The unknowns `N`, `M`, `x`.
fn n() -> RawInt {
    RawInt::Unknown(0)
}

fn m() -> RawInt {
    RawInt::Unknown(1)
}

fn x() -> RawInt {
    RawInt::Unknown(2)
}

/// `y`, which is known to be from -9 to 9.
fn y() -> RawInt {
    RawInt::Unknown(3)
}

/// The index of the innermost binder, under one binder.
fn k() -> RawInt {
    RawInt::Index(0)
}

fn add(s: RawInt, t: RawInt) -> RawInt {
    RawInt::Add(b(s), b(t))
}

fn sub(s: RawInt, t: RawInt) -> RawInt {
    RawInt::Sub(b(s), b(t))
}

fn mul(s: RawInt, t: RawInt) -> RawInt {
    RawInt::Mul(b(s), b(t))
}

fn a(index: RawInt) -> RawInt {
    RawInt::Read(RawArray::Unknown(0), vec![index])
}

fn range(lo: RawInt, hi: RawInt) -> Range {
    Range(b(lo), b(hi))
}

fn sum(lo: RawInt, hi: RawInt, body: RawInt) -> RawInt {
    RawInt::Fold(FoldOp::Sum, range(lo, hi), None, b(body))
}

fn ite(p: RawBool, s: RawInt, t: RawInt) -> RawInt {
    RawInt::Ite(Box::new(p), b(s), b(t))
}

fn less(s: RawInt, t: RawInt) -> RawBool {
    RawBool::Less(b(s), b(t))
}

fn equal(s: RawInt, t: RawInt) -> RawBool {
    RawBool::Equal(b(s), b(t))
}

/// Compares the term with its evaluation for `N`, `M` from -3 to 5 and some `x`.
fn check(raw: &RawInt) {
    let c = Context::new();
    let names = Names::new(&c);
    let term = Builder { c: &c, names: &names, bound: Default::default() }.int(raw);
    for (n, m) in (-3..=5).flat_map(|n| (-3..=5).map(move |m| (n, m))) {
        for x in [-200, -5, -1, 0, 1, 2, 3, 7, 200] {
            let world = World { unknowns: [n, m, x, (n + m).min(9)], truth: n > m, salt: 5 };
            let expected = Oracle::new(&world).int(raw).expect("it is small");
            let value = c.evaluate(term, &Seen(&world, &names), 1_000_000);
            assert_eq!(value, Ok(expected), "{raw:?} with N = {n}, M = {m}, x = {x} is {}", c.show(term));
        }
    }
}

#[test]
fn sums_of_powers_of_the_index() {
    for e in 0..6 {
        let power = (0..e).fold(int(1), |p, _| mul(p, k()));
        check(&sum(m(), n(), power.clone()));
        check(&sum(int(0), RawInt::Max(vec![int(0), n()]), power));
    }
    check(&sum(m(), n(), mul(x(), add(k(), n()))));
}

#[test]
fn geometric_sums() {
    for (base, from) in [(2, int(0)), (3, int(-2)), (-2, int(1)), (2, m()), (0, int(-1)), (1, m())] {
        check(&sum(from.clone(), n(), RawInt::Power(base, b(k()))));
        check(&sum(from, n(), RawInt::Power(base, b(add(k(), int(-1))))));
    }
}

#[test]
fn stretches_and_exchanged_cells() {
    // `a[l] = 2*l` for M <= l < x; the binder of the overwriting is inside of the one of the fold.
    let l = || RawInt::Index(1);
    let inside = RawBool::And(Box::new(RawBool::LessEqual(b(m()), b(l()))), Box::new(less(l(), x())));
    let array = RawArray::Overwrite(Box::new(RawArray::Unknown(0)), Box::new(inside), b(mul(int(2), l())));
    for op in [FoldOp::Sum, FoldOp::Max, FoldOp::Min, FoldOp::Product, FoldOp::BitXor] {
        let seed = op.needs_seed().then(|| b(x()));
        let fold = |body: RawInt| RawInt::Fold(op, range(int(0), n()), seed.clone(), b(body));
        check(&fold(ite(less(k(), m()), a(k()), int(1))));
        check(&fold(ite(equal(k(), m()), x(), a(k()))));
        check(&fold(ite(equal(mul(int(2), k()), m()), x(), a(k()))));
        check(&fold(ite(less(mul(int(-3), k()), m()), a(k()), k())));
        check(&fold(ite(RawBool::Divides(3, b(add(mul(int(2), k()), m()))), a(k()), int(2))));
        check(&fold(RawInt::Read(array.clone(), vec![k()])));
        check(&fold(a(sub(n(), k()))));
        check(&fold(a(ite(less(k(), m()), add(k(), int(1)), k()))));
    }
}

#[test]
fn residues() {
    for (c, f) in [(2, 1), (3, 2), (4, 2), (4, -1), (6, 4)] {
        let p = RawBool::Divides(c, b(add(mul(int(f), k()), m())));
        check(&sum(m(), n(), ite(p.clone(), k(), int(0))));
        check(&sum(int(-2), n(), ite(RawBool::Not(Box::new(p)), int(1), int(0))));
    }
}

#[test]
fn quotients_and_remainders() {
    for c in [-4, -3, -2, -1, 0, 1, 2, 3, 6] {
        for t in [n(), x(), add(mul(int(2), n()), m()), sub(mul(int(3), x()), n()), RawInt::Div(b(x()), b(int(2)))] {
            let divisor = b(int(c));
            check(&RawInt::Div(b(t.clone()), divisor.clone()));
            check(&RawInt::Rem(b(t.clone()), divisor.clone()));
            check(&RawInt::TruncatedDiv(b(t.clone()), divisor.clone()));
            check(&RawInt::TruncatedRem(b(t.clone()), divisor.clone()));
            check(&ite(less(RawInt::Div(b(t.clone()), divisor.clone()), m()), int(1), int(0)));
            check(&ite(equal(RawInt::Rem(b(t), divisor), m()), int(1), int(0)));
        }
    }
    check(&RawInt::Div(b(mul(n(), sub(n(), int(1)))), b(int(2))));
    check(&RawInt::TruncatedDiv(b(x()), b(n())));
}

#[test]
fn machine_integers() {
    let wrap = |signed: bool, bits: u32, t: RawInt| RawInt::Wrap(WrapType { signed, bits }, b(t));
    for (signed, outer) in [(true, 3), (false, 3), (true, 8), (false, 8)] {
        for inner in [2, 3, 5, 8, 9] {
            check(&wrap(signed, outer, wrap(!signed, inner, x())));
            check(&wrap(signed, outer, add(wrap(signed, inner, x()), mul(int(300), n()))));
            check(&wrap(signed, outer, mul(wrap(true, inner, x()), wrap(false, inner, sub(x(), n())))));
            for op in [BitOp::And, BitOp::Or, BitOp::Xor] {
                check(&wrap(signed, outer, RawInt::Bits(op, b(wrap(signed, inner, x())), b(n()))));
                check(&RawInt::Bits(op, b(wrap(signed, inner, x())), b(int(7))));
            }
        }
    }
}

#[test]
fn values_in_known_ranges() {
    let wrap = |signed: bool, bits: u32, t: RawInt| RawInt::Wrap(WrapType { signed, bits }, b(t));
    // `f` is from -3 to 5, and so are the cells of the second array.
    let f = |t: RawInt| RawInt::Function(b(t));
    let cell = |t: RawInt| RawInt::Read(RawArray::Unknown(1), vec![t]);
    for (signed, bits) in [(true, 2), (true, 3), (true, 4), (true, 5), (false, 3), (false, 4), (false, 8)] {
        check(&wrap(signed, bits, y()));
        check(&wrap(signed, bits, f(n())));
        check(&wrap(signed, bits, cell(add(n(), int(1)))));
        check(&wrap(signed, bits, sub(add(f(n()), cell(m())), int(2))));
        for op in [BitOp::And, BitOp::Or, BitOp::Xor] {
            check(&wrap(signed, bits, RawInt::Bits(op, b(f(n())), b(cell(m())))));
        }
        for op in [FoldOp::BitAnd, FoldOp::BitOr, FoldOp::BitXor, FoldOp::Sum, FoldOp::Max, FoldOp::Min] {
            let seed = op.needs_seed().then(|| b(y()));
            for range in [range(m(), y()), range(int(0), y()), range(int(0), int(3)), range(y(), int(9))] {
                for body in [f(k()), RawInt::Max(vec![f(k()), int(0)]), wrap(signed, bits, k())] {
                    check(&wrap(signed, bits, RawInt::Fold(op, range.clone(), seed.clone(), b(body))));
                }
            }
        }
    }
}

#[test]
fn indexes_are_in_the_range_of_their_bounds() {
    let wrap = |signed: bool, bits: u32, t: RawInt| RawInt::Wrap(WrapType { signed, bits }, b(t));
    for (signed, bits) in [(true, 3), (true, 5), (false, 3), (false, 4), (false, 5)] {
        for range in [range(int(0), y()), range(y(), int(20)), range(y(), y()), range(int(-1), n()), range(int(1), y())]
        {
            let index = || wrap(signed, bits, k());
            check(&RawInt::Fold(FoldOp::Sum, range.clone(), None, b(a(index()))));
            check(&RawInt::Fold(FoldOp::Max, range.clone(), Some(b(x())), b(a(index()))));
            let p = less(a(index()), wrap(signed, bits, sub(k(), int(1))));
            check(&RawInt::First(range.clone(), Box::new(p.clone())));
            check(&RawInt::Last(range.clone(), Box::new(p.clone())));
            check(&RawInt::Nth(b(int(1)), range.clone(), Box::new(p)));
            check(&wrap(signed, bits, RawInt::First(range.clone(), Box::new(less(int(0), a(k()))))));
            check(&wrap(signed, bits, RawInt::Last(range.clone(), Box::new(less(int(0), a(k()))))));
            check(&wrap(signed, bits, RawInt::Nth(b(x()), range, Box::new(less(int(0), a(k()))))));
        }
    }
}

#[test]
fn an_index_that_is_moved_has_another_range() {
    let f = |t: RawInt| RawInt::Function(b(t));
    let (l, j) = (RawInt::Index(0), RawInt::Index(1));
    let before = |l: RawInt| ite(less(int(0), l.clone()), f(sub(l, int(1))), x());
    // The sums are exchanged, and then the index of the inner one becomes `l - 1`.
    let both = |t: RawInt| sum(int(0), n(), sum(int(1), m(), t));
    check(&both(ite(less(int(0), add(before(l.clone()), a(j.clone()))), int(1), int(0))));
    check(&both(mul(before(l), a(j))));
    for op in [FoldOp::Sum, FoldOp::Max, FoldOp::Min, FoldOp::BitOr] {
        let seed = op.needs_seed().then(|| b(x()));
        let fold = |lo: RawInt, body: RawInt| check(&RawInt::Fold(op, range(lo, n()), seed.clone(), b(body)));
        fold(int(0), RawInt::Max(vec![mul(int(2), k()), a(sub(k(), int(1)))]));
        fold(int(2), add(a(add(k(), int(2))), RawInt::Max(vec![k(), int(3)])));
        // Every third index: its number is less than the index.
        let third = |t: RawInt| ite(RawBool::Divides(3, b(k())), t, int(0));
        fold(int(2), third(RawInt::Max(vec![k(), int(4)])));
        fold(int(3), third(a(RawInt::Max(vec![k(), int(4)]))));
    }
}

#[test]
fn searches() {
    let positive = less(int(0), a(k()));
    for p in [
        positive.clone(),
        equal(a(k()), x()),
        less(k(), x()),
        less(x(), k()),
        RawBool::Or(Box::new(less(m(), k())), Box::new(positive.clone())),
        RawBool::And(Box::new(less(m(), k())), Box::new(positive.clone())),
        RawBool::And(Box::new(less(k(), x())), Box::new(positive.clone())),
        RawBool::And(Box::new(RawBool::Unknown), Box::new(positive)),
        equal(mul(int(2), k()), x()),
    ] {
        check(&RawInt::First(range(m(), n()), Box::new(p.clone())));
        check(&RawInt::Last(range(m(), n()), Box::new(p.clone())));
        check(&RawInt::Nth(b(x()), range(m(), n()), Box::new(p.clone())));
        check(&RawInt::Nth(b(int(1)), range(m(), n()), Box::new(p)));
    }
}

#[test]
fn choices_and_extremes() {
    for d in [-2, -1, 0, 1, 2] {
        check(&ite(less(n(), add(m(), int(d))), n(), m()));
        check(&ite(less(n(), add(m(), int(d))), add(x(), n()), add(x(), m())));
        check(&ite(equal(n(), m()), n(), add(m(), int(d))));
        check(&RawInt::Max(vec![n(), add(m(), int(d)), RawInt::Min(vec![n(), m()])]));
        check(&ite(less(RawInt::Max(vec![n(), m()]), int(d)), x(), n()));
    }
}

#[test]
fn conditions_that_hold_at_one_index() {
    let l = || RawInt::Index(1);
    // The number of the indexes before `k` with a positive cell, from `from` on.
    let rank = |from: RawInt| {
        let body = ite(less(int(0), a(l())), int(1), int(0));
        RawInt::Fold(FoldOp::Sum, range(from, k()), None, b(body))
    };
    let both = |p: RawBool, q: RawBool| RawBool::And(Box::new(p), Box::new(q));
    let either = |p: RawBool, q: RawBool| RawBool::Or(Box::new(p), Box::new(q));
    let not = |p: RawBool| RawBool::Not(Box::new(p));
    let positive = || less(int(0), a(k()));
    // The number of those that are outside of some range is a difference of two numbers.
    let outside = |i: RawInt| either(less(a(i.clone()), int(0)), less(int(1), a(i)));
    let rank_of = |counts: RawInt| RawInt::Fold(FoldOp::Sum, range(m(), k()), None, b(counts));
    let rank_outside = || rank_of(ite(outside(l()), int(1), int(0)));
    let twice = || rank_of(ite(outside(l()), int(2), int(0)));
    let some_twice =
        || rank_of(add(ite(less(int(0), a(l())), int(1), int(0)), ite(less(int(1), a(l())), int(1), int(0))));
    let times = |f: i64, d: i64| equal(mul(int(f), k()), add(x(), int(d)));
    for p in [
        both(equal(rank(m()), x()), positive()),
        both(equal(add(rank(m()), int(1)), x()), positive()),
        both(equal(rank(m()), x()), not(positive())),
        both(equal(sub(k(), rank(m())), x()), not(positive())),
        both(equal(sub(k(), rank(m())), x()), positive()),
        both(equal(sub(rank(m()), k()), x()), not(positive())),
        both(both(equal(rank(m()), x()), positive()), less(a(k()), int(3))),
        both(equal(rank(int(0)), x()), positive()),
        both(equal(rank_outside(), x()), outside(k())),
        both(equal(rank_outside(), x()), less(int(1), a(k()))),
        both(equal(rank_outside(), x()), positive()),
        both(equal(sub(k(), rank_outside()), x()), not(outside(k()))),
        both(equal(sub(k(), rank_outside()), x()), outside(k())),
        both(equal(twice(), x()), outside(k())),
        both(equal(sub(x(), twice()), int(1)), outside(k())),
        both(equal(some_twice(), x()), positive()),
        both(equal(some_twice(), x()), equal(a(k()), int(1))),
        both(equal(sub(k(), some_twice()), x()), equal(a(k()), int(0))),
        either(times(2, 0), times(2, -1)),
        either(times(2, 0), times(-3, 1)),
        either(times(1, 0), both(times(1, -1), positive())),
        both(either(times(3, 0), times(3, -1)), positive()),
        both(either(times(1, 0), times(1, -2)), not(times(1, -2))),
        either(times(1, 0), either(times(1, 2), positive())),
    ] {
        for range in [range(m(), n()), range(int(0), n())] {
            check(&RawInt::First(range.clone(), Box::new(p.clone())));
            check(&RawInt::Last(range.clone(), Box::new(p.clone())));
            check(&ite(RawBool::Any(range, Box::new(p.clone())), int(1), int(0)));
        }
    }
}

#[test]
fn remainders_with_the_sign_of_the_dividend() {
    for d in [-3, -2, 2, 3, 5] {
        for t in [x(), sub(x(), n()), RawInt::Function(b(n()))] {
            let rem = RawInt::TruncatedRem(b(t), b(int(d)));
            for r in -2..=2 {
                check(&ite(equal(rem.clone(), int(r)), n(), m()));
                check(&sum(m(), n(), ite(equal(rem.clone(), int(r)), k(), int(1))));
            }
        }
    }
}

#[test]
fn junctions_in_which_parts_exclude_each_other() {
    let either = |p: RawBool, q: RawBool| RawBool::Or(Box::new(p), Box::new(q));
    let both = |p: RawBool, q: RawBool| RawBool::And(Box::new(p), Box::new(q));
    let even = |d: i64| RawBool::Divides(2, b(add(x(), int(d))));
    let parts = [less(n(), m()), less(m(), n()), equal(n(), m()), even(0), even(1), less(x(), int(2))];
    for (p, q) in parts.iter().flat_map(|p| parts.iter().map(move |q| (p, q))) {
        for r in &parts {
            let not = RawBool::Not(Box::new(p.clone()));
            check(&ite(either(p.clone(), both(q.clone(), r.clone())), int(1), int(0)));
            check(&ite(both(not.clone(), either(q.clone(), r.clone())), int(1), int(0)));
            check(&ite(either(not, both(q.clone(), r.clone())), int(1), int(0)));
        }
    }
}

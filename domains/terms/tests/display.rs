//! The text of terms.

use smalti_terms::{BitOp, Context, Facts, FoldOp, Sort, Term, WrapType};

struct Names {
    c: Context,
    n: Term,
    m: Term,
    x: Term,
    a: Term,
    b: Term,
}

fn names() -> Names {
    let c = Context::new();
    let (n, m, x) = (c.unknown("N"), c.unknown("M"), c.unknown("x"));
    let (a, b) = (c.array("a", 1), c.array("b", 1));
    Names { c, n, m, x, a, b }
}

#[test]
fn polynomials_are_written_by_degree_and_name() {
    let Names { c, n, m, x, .. } = names();
    let show = |t| c.show(t);
    assert_eq!(show(c.linear(&[(2, n), (1, c.int(2))])), "2*N + 2");
    assert_eq!(show(c.linear(&[(1, c.mul(n, n)), (-1, n), (-3, c.int(1))])), "N^2 - N - 3");
    assert_eq!(show(c.linear(&[(-1, n), (1, m)])), "M - N");
    assert_eq!(show(c.linear(&[(-1, n), (-1, m)])), "-M - N");
    assert_eq!(show(c.div(c.mul(n, c.sub(n, c.int(1))), c.int(2))), "(N^2 - N)/2");
    assert_eq!(show(c.mul(c.add(n, c.int(1)), c.add(x, c.int(1)))), "N*x + N + x + 1");
    assert_eq!(show(c.int(-7)), "-7");
    assert_eq!(show(c.int(0)), "0");
}

#[test]
fn quotients_and_remainders() {
    let Names { c, n, x, .. } = names();
    assert_eq!(c.show(c.div(n, c.int(3))), "N div 3");
    assert_eq!(c.show(c.rem(n, c.int(3))), "N mod 3");
    assert_eq!(c.show(c.add(c.scale(2, c.rem(n, c.int(3))), c.int(1))), "2*(N mod 3) + 1");
    assert_eq!(c.show(c.rem(c.add(n, x), c.int(3))), "(N + x) mod 3");
    assert_eq!(c.show(c.div(n, x)), "N div x");
    assert_eq!(c.show(c.power(2, n)), "2^max(0, N)");
    assert_eq!(c.show(c.power(-2, c.max(c.int(0), n))), "(-2)^max(0, N)");
}

#[test]
fn several_ends_of_a_range_are_one() {
    let Names { c, n, m, .. } = names();
    let k = c.var(c.variable("k", Sort::Int));
    let lower = [c.ge(k, c.int(0)), c.ge(k, c.sub(n, c.int(5)))];
    assert_eq!(c.show(c.and(&[lower[0], lower[1], c.lt(k, m)])), "max(0, N - 5) <= k < M");
    let upper = [c.le(k, c.sub(n, c.int(6))), c.le(k, m)];
    assert_eq!(c.show(c.and(&[lower[0], upper[0]])), "0 <= k <= N - 6");
    assert_eq!(c.show(c.and(&upper)), "k <= min(M, N - 6)");
}

#[test]
fn conditions_read_like_ranges() {
    let Names { c, n, m, x, a, .. } = names();
    let show = |t| c.show(t);
    assert_eq!(show(c.within(c.int(0), x, n)), "0 <= x < N");
    assert_eq!(show(c.ge(n, c.int(3))), "N >= 3");
    assert_eq!(show(c.gt(n, c.int(0))), "N > 0");
    assert_eq!(show(c.lt(n, c.int(3))), "N <= 2");
    assert_eq!(show(c.lt(n, m)), "N < M");
    assert_eq!(show(c.le(n, m)), "N <= M");
    assert_eq!(show(c.le(c.add(n, c.int(2)), m)), "N + 2 <= M");
    assert_eq!(show(c.eq(m, n)), "M = N");
    assert_eq!(show(c.eq(n, m)), "M = N");
    assert_eq!(show(c.ne(n, c.int(4))), "N != 4");
    assert_eq!(show(c.divides(3, c.add(n, c.int(1)))), "N mod 3 = 2");
    assert_eq!(show(c.not(c.divides(2, n))), "N mod 2 = 1");
    let (p, q) = (c.gt(c.read(a, &[x]), c.int(0)), c.eq(n, c.int(2)));
    assert_eq!(show(c.and(&[p, q])), "N = 2 and a[x] > 0");
    assert_eq!(show(c.or(&[p, q])), "N = 2 or a[x] > 0");
    assert_eq!(show(c.and(&[c.ge(n, c.int(0)), c.or(&[p, q])])), "(N = 2 or a[x] > 0) and N >= 0");
}

#[test]
fn choices_and_extremes() {
    let Names { c, n, m, x, .. } = names();
    assert_eq!(c.show(c.max(n, c.int(0))), "max(0, N)");
    assert_eq!(c.show(c.min(n, c.sub(n, x))), "N + min(0, -x)");
    let t = c.ite(c.eq(n, c.int(0)), m, x);
    assert_eq!(c.show(t), "if N = 0 then M else x");
    assert_eq!(c.show(c.add(t, c.int(1))), "(if N = 0 then M else x) + 1");
}

#[test]
fn folds_say_what_they_range_over() {
    let Names { c, n, m, a, b, .. } = names();
    let zero = c.int(0);
    let cell = |k: Term| c.read(a, &[k]);
    let show = |t| c.show(t);
    assert_eq!(show(c.sum(zero, n, cell)), "sum of a[k] for 0 <= k < N");
    assert_eq!(show(c.sum(zero, n, |k| c.mul(cell(k), c.read(b, &[k])))), "sum of a[k]*b[k] for 0 <= k < N");
    assert_eq!(show(c.count(zero, n, |k| c.gt(cell(k), zero))), "number of k in 0..N-1 with a[k] > 0");
    let positive = c.sum(zero, n, |k| c.ite(c.eq(cell(k), m), c.read(b, &[k]), zero));
    assert_eq!(show(positive), "sum of b[k] for 0 <= k < N with a[k] = M");
    assert_eq!(show(c.add(c.sum(zero, n, cell), m)), "(sum of a[k] for 0 <= k < N) + M");
    assert_eq!(show(c.fold(FoldOp::Product, zero, n, None, cell)), "product of a[k] for 0 <= k < N");
    assert_eq!(show(c.maximum(m, zero, n, cell)), "maximum of M and of a[k] for 0 <= k < N");
    assert_eq!(show(c.all(zero, n, |k| c.ge(cell(k), zero))), "a[k] >= 0 for all k in 0..N-1");
    assert_eq!(show(c.any(zero, n, |k| c.eq(cell(k), c.int(7)))), "a[k] = 7 for some k in 0..N-1");
    let residues = c.sum(zero, n, |k| c.rem(cell(k), c.int(3)));
    assert_eq!(show(residues), "sum of a[k] mod 3 for 0 <= k < N");
    assert_eq!(show(c.sum(zero, n, |k| c.sub(cell(k), c.read(b, &[k])))), "sum of a[k] - b[k] for 0 <= k < N");
    let matrix = c.array("m", 2);
    let all = c.sum(zero, n, |i| c.sum(zero, m, |j| c.read(matrix, &[i, j])));
    let text = show(all);
    assert!(
        text == "sum of (sum of m[k][l] for 0 <= l < M) for 0 <= k < N"
            || text == "sum of (sum of m[l][k] for 0 <= l < N) for 0 <= k < M",
        "{text}"
    );
}

#[test]
fn searches() {
    let Names { c, n, x, a, .. } = names();
    let zero = c.int(0);
    let is_x = |k: Term| c.eq(c.read(a, &[k]), x);
    assert_eq!(c.show(c.first(zero, n, is_x)), "first k in 0..N-1 with a[k] = x, else N");
    assert_eq!(c.show(c.last(zero, n, is_x)), "last k in 0..N-1 with a[k] = x, else -1");
    let nth = c.nth(x, zero, n, |k| c.gt(c.read(a, &[k]), zero));
    assert_eq!(c.show(c.read(a, &[nth])), "a[x-th (from 0) k in 0..N-1 with a[k] > 0, else N]");
}

#[test]
fn machine_integers_arrays_and_functions() {
    let Names { c, n, x, a, .. } = names();
    assert_eq!(c.show(c.wrap(WrapType { signed: false, bits: 32 }, c.add(n, x))), "uint32(N + x)");
    assert_eq!(c.show(c.wrap(WrapType { signed: true, bits: 8 }, n)), "int8(N)");
    assert_eq!(c.show(c.bits(BitOp::Xor, &[n, x])), "N xor x");
    assert_eq!(c.show(c.bits(BitOp::And, &[n, c.int(15)])), "N mod 16");
    let f = c.symbol("f", Sort::Int);
    assert_eq!(c.show(c.apply(f, &[n, c.int(1)])), "f(N, 1)");
    let stored = c.store(a, &[n], x);
    assert_eq!(c.show(stored), "lambda k. if N = k then x else a[k]".replace("N = k", "k = N"));
}

#[test]
fn cases_of_a_cell_are_its_stretches() {
    let Names { c, n, a, .. } = names();
    let zero = c.int(0);
    let k = c.var(c.variable("k", Sort::Int));
    let array = c.overwrite(a, |k| c.within(zero, k[0], n), |k| c.add(c.scale(2, k[0]), c.int(2)));
    let array = c.store(array, &[zero], c.int(5));
    let cases = c.cases(c.read(array, &[k]), 8);
    let text: Vec<String> = cases.iter().map(|(p, t)| format!("{} where {}", c.show(*t), c.show(*p))).collect();
    assert_eq!(
        text,
        ["5 where k = 0", "2*k + 2 where 0 <= k < N and k != 0", "a[k] where (k < 0 or k >= N) and k != 0"]
            .map(|s| s.replace("k < 0", "k <= -1"))
    );
}

#[test]
fn facts_leave_out_what_goes_without_saying() {
    let Names { c, n, x, a, .. } = names();
    let zero = c.int(0);
    let facts = Facts::new(&c).with(c.ge(n, zero)).with(c.ge(x, zero));
    assert_eq!(facts.show(c.power(2, n)), "2^N");
    let positive = |k: Term| c.gt(c.read(a, &[k]), zero);
    let nth = c.nth(x, zero, n, positive);
    assert_eq!(facts.show(nth), "x-th (from 0) k in 0..N-1 with a[k] > 0, else N");
    let inside = facts.with(c.lt(x, c.count(zero, n, positive)));
    assert_eq!(inside.show(nth), "x-th (from 0) k in 0..N-1 with a[k] > 0");
}

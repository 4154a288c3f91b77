//! The loops over half matrices. All code here is plain Rust over blocks of eight numbers, which
//! the compiler turns into vector instructions; [`crate::dispatch`] compiles each of these
//! functions for several instruction sets.
//!
//! **Nodes and entries.** Variable number `k` of a matrix has two nodes, `V_2k = x_k` and
//! `V_(2k+1) = -x_k`, so that `i ^ 1` is the node of the opposite sign. Entry `(i, j)` is an upper
//! bound of `V_j - V_i`. Since `V_j - V_i = V_(i^1) - V_(j^1)`, entry `(i, j)` is also entry
//! `(j^1, i^1)`, and only those with `j <= i | 1` are stored (Miné, HOSC 2006, section 4.5).
//!
//! **Numbers.** A bound is at most [`LIMIT`] in magnitude, or it is [`INFINITY`], no bound. A
//! larger number becomes [`INFINITY`], and one smaller than `-LIMIT` becomes `-LIMIT`. Both are
//! weaker bounds, so this is sound. Inside a loop entries may leave that range, but each is then
//! the sum of two numbers in the range. So it never wraps, and it is above `LIMIT` whenever one of
//! the two is `INFINITY`.

/// How many numbers a block has.
pub(crate) const LANES: usize = 8;

/// The unit of storage: rows begin and end with one.
pub(crate) type Block = [i64; LANES];

/// No bound. Even, so that rounding down to an even number leaves it alone; twice it fits the type.
pub(crate) const INFINITY: i64 = (1 << 62) - 2;

/// The greatest magnitude of a bound. `INFINITY - LIMIT` is still above it.
pub(crate) const LIMIT: i64 = 1 << 60;

/// A block without bounds.
pub(crate) const NOTHING: Block = [INFINITY; LANES];

/// The number as a bound: within the limits or `INFINITY`.
#[inline(always)]
pub(crate) fn bound(x: i64) -> i64 {
    if x > LIMIT { INFINITY } else { x.max(-LIMIT) }
}

/// The sum of two bounds, as a bound.
#[inline(always)]
pub(crate) fn sum(a: i64, b: i64) -> i64 {
    bound(a.wrapping_add(b))
}

/// A block, lane by lane, which the compiler makes one vector. The barrier costs nothing and keeps
/// it from computing lane 0 of eight blocks together, with loads from all over the row.
#[inline(always)]
fn lanes(f: impl Fn(usize) -> i64) -> Block {
    std::hint::black_box(());
    std::array::from_fn(f)
}

/// How many blocks a row of variable `k` has.
#[inline(always)]
pub(crate) fn width(k: usize) -> usize {
    k / 4 + 1
}

/// The number of blocks before row `i`.
#[inline(always)]
pub(crate) fn start(i: usize) -> usize {
    let (q, r) = (i / 8, i / 2 % 4);
    (q + 1) * (2 * (2 * q + r) + (i & 1))
}

/// Entry `(i, j)`, where `j <= i | 1`.
#[inline(always)]
pub(crate) fn stored(m: &[Block], i: usize, j: usize) -> i64 {
    m[start(i) + j / LANES][j % LANES]
}

/// Entry `(i, j)`.
#[inline(always)]
pub(crate) fn entry(m: &[Block], i: usize, j: usize) -> i64 {
    if j <= (i | 1) { stored(m, i, j) } else { stored(m, j ^ 1, i ^ 1) }
}

/// The entries `(i, 2l)` and `(i, 2l + 1)`.
#[inline(always)]
pub(crate) fn pair(m: &[Block], i: usize, l: usize) -> [i64; 2] {
    if 2 * l <= i {
        let at = start(i) + 2 * l / LANES;
        [m[at][2 * l % LANES], m[at][2 * l % LANES + 1]]
    } else {
        let (block, lane) = ((i ^ 1) / LANES, (i ^ 1) % LANES);
        [m[start(2 * l + 1) + block][lane], m[start(2 * l) + block][lane]]
    }
}

/// The place of entry `(i, j)`.
#[inline(always)]
pub(crate) fn entry_mut(m: &mut [Block], i: usize, j: usize) -> &mut i64 {
    let (i, j) = if j <= (i | 1) { (i, j) } else { (j ^ 1, i ^ 1) };
    &mut m[start(i) + j / LANES][j % LANES]
}

/// The whole rows `2k` and `2k + 1`, for all nodes of `n` variables, as bounds; what lies after
/// them is `INFINITY`.
#[inline(always)]
pub(crate) fn load_rows(m: &[Block], n: usize, k: usize, even: &mut [Block], odd: &mut [Block]) {
    let w = width(k);
    let at = start(2 * k);
    let rows = &m[at..at + 2 * w];
    for b in 0..w {
        even[b] = lanes(|l| bound(rows[b][l]));
        odd[b] = lanes(|l| bound(rows[w + b][l]));
    }
    let (even, odd) = (even.as_flattened_mut(), odd.as_flattened_mut());
    let (block, lane) = (2 * k / LANES, 2 * k % LANES);
    for t in k + 1..n {
        let (at, w) = (start(2 * t), width(t));
        let (plus, minus) = (&m[at + block], &m[at + w + block]);
        even[2 * t] = bound(minus[lane + 1]);
        even[2 * t + 1] = bound(plus[lane + 1]);
        odd[2 * t] = bound(minus[lane]);
        odd[2 * t + 1] = bound(plus[lane]);
    }
    even[2 * n..].fill(INFINITY);
    odd[2 * n..].fill(INFINITY);
}

/// For two rows of the same width, `row[j] = min(row[j], a + via_a[j], b + via_b[j])`.
#[inline(always)]
fn relax(rows: &mut [Block], w: usize, [a0, b0, a1, b1]: [i64; 4], via_a: &[Block], via_b: &[Block]) {
    let (first, second) = rows.split_at_mut(w);
    for ((x, y), (p, q)) in first.iter_mut().zip(second).zip(via_a.iter().zip(via_b)) {
        *x = lanes(|l| x[l].min(a0.wrapping_add(p[l])).min(b0.wrapping_add(q[l])));
        *y = lanes(|l| y[l].min(a1.wrapping_add(p[l])).min(b1.wrapping_add(q[l])));
    }
}

/// Blocks of scratch that the kernels need for `n` variables.
pub(crate) fn scratch_blocks(n: usize) -> usize {
    5 * width(n.max(1) - 1)
}

/// Replaces the matrix by its tight closure: the least bounds that follow over the integers.
/// `false` if there is no point.
///
/// Shortest paths (Floyd and Warshall, two nodes at a time: Miné, HOSC 2006, section 4.5), then
/// bounds of one variable rounded down to what is even, then every sum of two of them as a bound of
/// the sum: Bagnara, Hill, Zaffanella, "Weakly-relational shapes for numeric abstractions: improved
/// algorithms and proofs of correctness", FMSD 2009, section 6.
#[inline(always)]
pub(crate) fn close(m: &mut [Block], n: usize, scratch: &mut [Block]) -> bool {
    close_over(m, n, 0..n, scratch)
}

/// [`close`] of the entrywise minimum of two closed matrices: the variables that both know
/// are `pivots`.
///
/// A shortest path changes from the bounds of one matrix to those of the other at nodes that both
/// have, and between two changes one bound does: the matrices are closed. So paths through other
/// nodes need not be examined.
#[inline(always)]
pub(crate) fn close_through(m: &mut [Block], n: usize, pivots: &[usize], scratch: &mut [Block]) -> bool {
    close_over(m, n, pivots.iter().copied(), scratch)
}

#[inline(always)]
fn close_over(m: &mut [Block], n: usize, pivots: impl Iterator<Item = usize>, scratch: &mut [Block]) -> bool {
    if n == 0 {
        return true;
    }
    let full = width(n - 1);
    let (even, rest) = scratch.split_at_mut(full);
    let (odd, rest) = rest.split_at_mut(full);
    let (via_even, rest) = rest.split_at_mut(full);
    let (via_odd, rest) = rest.split_at_mut(full);
    for k in pivots {
        load_rows(m, n, k, even, odd);
        // Through one of the two nodes, or through both, in either order.
        let over = even[2 * k / LANES][2 * k % LANES + 1];
        let back = odd[2 * k / LANES][2 * k % LANES];
        for ((via_even, via_odd), (e, o)) in via_even.iter_mut().zip(via_odd.iter_mut()).zip(even.iter().zip(&*odd)) {
            *via_even = lanes(|l| e[l].min(bound(over.wrapping_add(o[l]))));
            *via_odd = lanes(|l| o[l].min(bound(back.wrapping_add(e[l]))));
        }
        let (to_odd, to_even) = (even.as_flattened(), odd.as_flattened());
        let mut at = 0;
        for t in 0..n {
            let w = width(t);
            // Entry (i, 2k) is entry (2k + 1, i ^ 1).
            let through = [to_even[2 * t + 1], to_odd[2 * t + 1], to_even[2 * t], to_odd[2 * t]];
            if through != [INFINITY; 4] {
                relax(&mut m[at..at + 2 * w], w, through, via_even, via_odd);
            }
            at += 2 * w;
        }
    }
    finish(m, n, &mut rest[..full])
}

/// The end of [`close_over`], after the shortest paths.
#[inline(always)]
fn finish(m: &mut [Block], n: usize, halves: &mut [Block]) -> bool {
    let half = halves.as_flattened_mut();
    half.fill(INFINITY);
    for k in 0..n {
        let (plus, minus) = (2 * k, 2 * k + 1);
        if stored(m, plus, plus) < 0 || stored(m, minus, minus) < 0 {
            return false;
        }
        *entry_mut(m, plus, plus) = 0;
        *entry_mut(m, minus, minus) = 0;
        half[plus] = halved(bound(stored(m, minus, plus)));
        half[minus] = halved(bound(stored(m, plus, minus)));
        if half[plus].wrapping_add(half[minus]) < 0 {
            return false;
        }
    }
    let mut at = 0;
    for t in 0..n {
        let w = width(t);
        for i in [2 * t, 2 * t + 1] {
            strengthen(&mut m[at..at + w], halves.as_flattened()[i ^ 1], halves);
            blank(&mut m[at..at + w], t);
            at += w;
        }
    }
    true
}

/// An upper bound of a node from one of twice the node.
#[inline(always)]
pub(crate) fn halved(twice: i64) -> i64 {
    if twice == INFINITY { INFINITY } else { twice >> 1 }
}

/// `row[j] = min(row[j], a + half[j])`, as bounds.
#[inline(always)]
fn strengthen(row: &mut [Block], a: i64, half: &[Block]) {
    for (x, h) in row.iter_mut().zip(half) {
        *x = lanes(|l| bound(x[l].min(a.wrapping_add(h[l]))));
    }
}

/// The numbers after the last entry of a row of variable `t` are no bounds.
#[inline(always)]
pub(crate) fn blank(row: &mut [Block], t: usize) {
    let last = row.len() - 1;
    let used = 2 * (t % 4) + 2;
    row[last][used..].fill(INFINITY);
}

/// Adds `V_p + V_q <= c`, which is stronger than what a tightly closed matrix says, and closes it
/// again, in quadratic time. `false` if there is no point left.
///
/// A shortest path takes the new edge, its mirror image, or both in either order (Bagnara et al.,
/// FMSD 2009, section 5.3). The bounds of single variables are known before any row is changed, so
/// that rounding and strengthening go along in one pass.
#[inline(always)]
pub(crate) fn add(m: &mut [Block], n: usize, p: usize, q: usize, c: i64, scratch: &mut [Block]) -> bool {
    let full = width(n - 1);
    let (first, rest) = scratch.split_at_mut(full);
    let (second, rest) = rest.split_at_mut(full);
    let (via_p, rest) = rest.split_at_mut(full);
    let (via_q, rest) = rest.split_at_mut(full);
    // Row p goes to `via_p`, row q to `via_q`, with the rows of the opposite nodes as by-catch.
    load_rows(m, n, p / 2, first, second);
    via_p.copy_from_slice(if p.is_multiple_of(2) { first } else { second });
    load_rows(m, n, q / 2, first, second);
    via_q.copy_from_slice(if q.is_multiple_of(2) { first } else { second });
    first.copy_from_slice(via_p);
    second.copy_from_slice(via_q);
    let c = bound(c);
    let (row_p, row_q) = (&*first, &*second);
    // From q on: directly, or over the mirror image. The same from p on.
    let twice_q = sum(sum(row_q.as_flattened()[q ^ 1], c), c);
    let twice_p = sum(sum(row_p.as_flattened()[p ^ 1], c), c);
    for ((via_p, via_q), (p, q)) in via_p.iter_mut().zip(via_q.iter_mut()).zip(row_p.iter().zip(row_q)) {
        *via_p = lanes(|l| bound(c.wrapping_add(q[l])).min(bound(twice_q.wrapping_add(p[l]))));
        *via_q = lanes(|l| bound(c.wrapping_add(p[l])).min(bound(twice_p.wrapping_add(q[l]))));
    }
    let (to_p, to_q) = (row_p.as_flattened(), row_q.as_flattened());
    let halves = &mut rest[..full];
    let half = halves.as_flattened_mut();
    half.fill(INFINITY);
    {
        let (from_p, from_q) = (via_p.as_flattened(), via_q.as_flattened());
        for j in 0..2 * n {
            let i = j ^ 1;
            let cycle = to_p[j].wrapping_add(from_p[i]).min(to_q[j].wrapping_add(from_q[i]));
            if cycle < 0 {
                return false;
            }
            let twice = to_p[j].wrapping_add(from_p[j]).min(to_q[j].wrapping_add(from_q[j]));
            half[j] = halved(bound(twice).min(stored(m, i, j)));
        }
        if (0..n).any(|k| half[2 * k].wrapping_add(half[2 * k + 1]) < 0) {
            return false;
        }
    }
    let half = halves.as_flattened();
    let mut at = 0;
    for t in 0..n {
        let w = width(t);
        for i in [2 * t, 2 * t + 1] {
            let (a, b, h) = (to_p[i ^ 1], to_q[i ^ 1], half[i ^ 1]);
            if (a, b, h) != (INFINITY, INFINITY, INFINITY) {
                let row = &mut m[at..at + w];
                let via = via_p.iter().zip(&*via_q).zip(&*halves);
                for (x, ((p, q), s)) in row.iter_mut().zip(via) {
                    *x = lanes(|l| {
                        let path = a.wrapping_add(p[l]).min(b.wrapping_add(q[l]));
                        bound(x[l].min(path).min(h.wrapping_add(s[l])))
                    });
                }
                blank(row, t);
            }
            at += w;
        }
    }
    true
}

/// Whether every entry of `a` is at most that of `b`.
#[inline(always)]
pub(crate) fn all_at_most(a: &[Block], b: &[Block]) -> bool {
    // Several blocks at a time, so that looking at each result costs little.
    a.chunks(4).zip(b.chunks(4)).all(|(a, b)| {
        let both = a.as_flattened().iter().zip(b.as_flattened());
        both.fold(0, |above, (a, b)| above | i64::from(a > b)) == 0
    })
}

/// The greater entries go into `a`.
#[inline(always)]
pub(crate) fn maximum(a: &mut [Block], b: &[Block]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a = lanes(|l| a[l].max(b[l]));
    }
}

/// Entries of `prev` that `next` exceeds become what `grown` makes of the entry in `next`; it is
/// told row and column.
pub(crate) fn widen(prev: &mut [Block], next: &[Block], n: usize, grown: impl Fn(i64, usize, usize) -> i64) {
    let mut at = 0;
    for i in 0..2 * n {
        for b in 0..width(i / 2) {
            let (old, new) = (&mut prev[at], &next[at]);
            at += 1;
            if (0..LANES).fold(0, |above, l| above | i64::from(new[l] > old[l])) == 0 {
                continue;
            }
            for l in 0..LANES {
                if new[l] > old[l] {
                    old[l] = grown(new[l], i, b * LANES + l);
                }
            }
        }
    }
}

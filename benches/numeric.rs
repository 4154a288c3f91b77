//! Operations of the numeric domains at 10 to 80 dimensions.
//!
//! The start values are dense: a random walk of constraints `x - y <= c` and `x + y <= c` over all
//! pairs of nearby variables.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use smalti_core::{Constraint, Lattice, LinearExpr, Memory, MemoryDomain, Thresholds, Var};
use std::hint::black_box;

fn v(n: u32) -> LinearExpr {
    LinearExpr::var(Var::scalar(n))
}

/// `x_k` between `x_(k-1)` and `x_(k-1) + k`, with all variables initially 0.
fn chain<M: Memory>(top: M, dimensions: u32, slack: i128) -> M {
    let mut state = top;
    state.assign(Var::scalar(0), &LinearExpr::constant(0));
    for n in 1..dimensions {
        let above = v(n - 1).add_constant(slack + i128::from(n)).expect("small");
        for c in [Constraint::ge(&v(n), &v(n - 1)), Constraint::le(&v(n), &above)] {
            state.assume(&c.expect("small"));
        }
    }
    state
}

fn numeric(c: &mut Criterion) {
    for name in ["box", "octagon", "apron-octagon", "apron-box", "apron-polyhedra"] {
        let Ok(domain) = smalti_stack::open(name) else {
            println!("{name}: not on this machine, left out");
            continue;
        };
        for dimensions in [10u32, 20, 40, 80] {
            if name == "apron-polyhedra" && dimensions > 10 {
                // The chain has exponentially many vertices.
                continue;
            }
            let mut group = c.benchmark_group(format!("{name}/{dimensions}"));
            group.sample_size(20);
            let a = chain(domain.top(), dimensions, 3);
            let b = chain(domain.top(), dimensions, 5);
            let last = dimensions - 1;
            let constraint = Constraint::le(&v(last), &v(1).add_constant(4).expect("small")).expect("small");
            group.bench_function(BenchmarkId::from_parameter("assume"), |bench| {
                bench.iter(|| {
                    let mut s = a.clone();
                    s.assume(black_box(&constraint));
                    s.is_bottom()
                });
            });
            group.bench_function(BenchmarkId::from_parameter("assign x := x + 1"), |bench| {
                let next = v(last).add_constant(1).expect("small");
                bench.iter(|| {
                    let mut s = a.clone();
                    s.assign(Var::scalar(last), black_box(&next));
                    s
                });
            });
            group.bench_function(BenchmarkId::from_parameter("assign x := y + z"), |bench| {
                let sum = v(1).add(&v(2)).expect("small");
                bench.iter(|| {
                    let mut s = a.clone();
                    s.assign(Var::scalar(last), black_box(&sum));
                    s
                });
            });
            group.bench_function(BenchmarkId::from_parameter("join"), |bench| {
                bench.iter(|| {
                    let mut s = a.clone();
                    s.join_with(black_box(&b));
                    s
                });
            });
            group.bench_function(BenchmarkId::from_parameter("widen"), |bench| {
                let thresholds = Thresholds::new([0, 1, 10, 100]);
                let mut next = a.clone();
                next.join_with(&b);
                bench.iter(|| Lattice::widen(black_box(&a), black_box(&next), &thresholds));
            });
            group.bench_function(BenchmarkId::from_parameter("leq"), |bench| {
                bench.iter(|| black_box(&a).leq(black_box(&b)));
            });
            group.bench_function(BenchmarkId::from_parameter("bounds"), |bench| {
                let difference = v(last).sub(&v(0)).expect("small");
                bench.iter(|| a.bounds(black_box(&difference)));
            });
            group.finish();
        }
    }
}

criterion_group!(benches, numeric);
criterion_main!(benches);

//! The native octagons compared with APRON's, operation by operation.
//!
//! `cargo bench --bench octagons` prints a table for 10, 20, 40, 80 and 160 variables: the median
//! time of one operation, and how many times longer APRON's octagons over doubles and over
//! rationals take. Every element relates every pair of variables, so that the native octagon does
//! not fall into parts. Operations that close lazily are made to close by asking for a bound.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use smalti_apron::{ApronDomain, Kind};
use smalti_core::{Constraint, Lattice, LinearExpr, Numeric, NumericDomain, Thresholds, Var};
use smalti_octagon::OctagonDomain;
use std::hint::black_box;
use std::time::{Duration, Instant};

const SIZES: [u32; 5] = [10, 20, 40, 80, 160];
const OPERATIONS: [&str; 9] = [
    "closure (meet, bound)",
    "add one constraint",
    "test x + 2y + z <= c",
    "x := x + 1",
    "x := y + 1",
    "x := y + z",
    "join",
    "widen",
    "leq",
];

fn v(n: u32) -> LinearExpr {
    LinearExpr::var(Var::scalar(n))
}

/// `±x ± y <= c` for all pairs, with noise from `seed`: the bounds of a point cloud around (0, 1,
/// 2, ...).
fn dense<D: NumericDomain>(domain: &D, n: u32, seed: u64) -> D::Element {
    let mut state = seed;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i128::from((state >> 33) % 20)
    };
    let mut element = domain.top();
    for x in 0..n {
        for y in 0..x {
            let (p, q) = (i128::from(x), i128::from(y));
            let sum = v(x).add(&v(y)).expect("small");
            let difference = v(x).sub(&v(y)).expect("small");
            for (e, centre) in [(sum, p + q), (difference, p - q)] {
                for (e, centre) in [(e.clone(), centre), (e.scale(-1).expect("small"), -centre)] {
                    let c = LinearExpr::constant(centre + 30 + noise());
                    element.assume(&Constraint::le(&e, &c).expect("small"));
                }
            }
        }
    }
    _ = element.bounds(&v(0));
    element
}

/// The processor time that this process has used. Other processes hardly affect it.
fn used() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("every system knows it");
    let (user, system) = (usage.user_time(), usage.system_time());
    Duration::from_micros((user.num_microseconds() + system.num_microseconds()) as u64)
}

/// The median processor time of one call.
fn time(mut f: impl FnMut()) -> Duration {
    f();
    let start = Instant::now();
    f();
    let once = start.elapsed().max(Duration::from_nanos(50));
    let count = (Duration::from_millis(30).as_nanos() / once.as_nanos()).clamp(1, 100_000) as u32;
    let mut rounds: Vec<Duration> = (0..7)
        .map(|_| {
            let start = used();
            (0..count).for_each(|_| f());
            (used() - start) / count
        })
        .collect();
    rounds.sort_unstable();
    rounds[rounds.len() / 2].max(Duration::from_nanos(1))
}

fn measure<D: NumericDomain>(domain: &D, n: u32) -> Vec<Duration> {
    let (a, b) = (dense(domain, n, 1), dense(domain, n, 2));
    let mut joined = a.clone();
    joined.join_with(&b);
    let thresholds = Thresholds::new([0, 1, 10, 100]);
    let (x, y, z) = (v(n - 1), v(n / 2), v(1));
    let c = i128::from(n - 1) - i128::from(n / 2);
    let tight = Constraint::le(&x.sub(&y).expect("small"), &LinearExpr::constant(c + 3)).expect("small");
    let long = x.add(&y.scale(2).expect("small")).and_then(|e| e.add(&z)).expect("small");
    let test = Constraint::le(&long, &LinearExpr::constant(2 * i128::from(n))).expect("small");
    let sum = y.add(&z).expect("small");
    let changed = |f: &dyn Fn(&mut D::Element)| {
        time(|| {
            let mut s = black_box(&a).clone();
            f(&mut s);
            _ = black_box(s.bounds(&x));
        })
    };
    let assigned = |e: Option<LinearExpr>| {
        let e = e.expect("small");
        changed(&|s| s.assign(Var::scalar(n - 1), &e))
    };
    vec![
        changed(&|s| s.meet_with(&b)),
        changed(&|s| s.assume(&tight)),
        changed(&|s| s.assume(&test)),
        assigned(x.add_constant(1)),
        assigned(y.add_constant(1)),
        assigned(Some(sum)),
        changed(&|s| s.join_with(&b)),
        time(|| _ = black_box(D::Element::widen(&a, &joined, &thresholds).bounds(&x))),
        time(|| _ = black_box(a.leq(&joined))),
    ]
}

fn main() {
    let kinds = [(Kind::Octagon, "doubles"), (Kind::OctagonMpq, "rationals")];
    let apron: Vec<_> = kinds.iter().map(|(kind, name)| (ApronDomain::new(*kind), *name)).collect();
    for (domain, name) in &apron {
        if let Err(why) = domain {
            println!("APRON's {name} are left out: {why}");
        }
    }
    println!("{:<24} {:>5} {:>12} {:>16} {:>16}", "operation", "n", "octagon us", "doubles, times", "rationals, times");
    let mut rows: Vec<Vec<String>> = vec![Vec::new(); OPERATIONS.len()];
    for n in SIZES {
        let ours = measure(&OctagonDomain, n);
        let theirs: Vec<Option<Vec<Duration>>> = apron
            .iter()
            // Rationals take minutes for more variables.
            .map(|(domain, name)| domain.as_ref().ok().filter(|_| n <= 40 || *name == "doubles").map(|d| measure(d, n)))
            .collect();
        for (k, operation) in OPERATIONS.iter().enumerate() {
            let mut line = format!("{operation:<24} {n:>5} {:>12.2}", ours[k].as_secs_f64() * 1e6);
            for theirs in &theirs {
                let ratio = theirs.as_ref().map(|t| t[k].as_secs_f64() / ours[k].as_secs_f64());
                line += &format!(" {:>16}", ratio.map_or("-".to_owned(), |r| format!("{r:.1}")));
            }
            rows[k].push(line);
        }
    }
    rows.iter().flatten().for_each(|line| println!("{line}"));
}

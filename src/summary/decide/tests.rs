//! Programs that need a solver, each with a spoilt twin; solvers that lie or fail.

use super::*;
use crate::fuzz::or_skip;
use crate::lower::{LowerOptions, load_text};
use crate::reduce::normal::Inlined;
use crate::smt::{self, Recorded};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What the programs of these tests begin with: a key, a length of at least 1, two arrays.
const HEAD: &str = "extern int input(void); extern unsigned any(void); extern void __VERIFIER_assert(int);\n\
                    int main(void) { int x = input(), n = input(); if (n < 1) return 0; int a[n], b[n]; \
                    int i, j, s = 0, t = 0, c = 0, m;\n";
/// Fills the first array with inputs.
const FILL: &str = "for (i = 0; i < n; i++) a[i] = input(); ";
/// Fills the first array with inputs from 0 to 3.
const FILL_SMALL: &str = "for (i = 0; i < n; i++) { int v = input(); if (v > 3) v = 3; if (v < 0) v = 0; a[i] = v; } ";
const SUM: &str = "for (i = 0; i < n; i++) s += a[i]; ";
const MAXIMUM: &str = "m = a[0]; for (i = 1; i < n; i++) if (a[i] > m) m = a[i]; ";
const SEARCH: &str = "for (i = 0; i < n; i++) if (a[i] == x) break; ";
const COUNT: &str = "for (i = 0; i < n; i++) if (a[i] > 0) c++; ";

fn summary(body: &str) -> Summary {
    let text = format!("{HEAD}{body} return 0; }}").replace(" assert(", " __VERIFIER_assert(");
    let program = load_text("x.c", &text, &LowerOptions::default()).expect("a program");
    assert_eq!(program.assertions.len(), 1, "{text}");
    let inlined = Inlined::new(&program);
    let (resolved, body) = inlined.parts().expect("a body");
    Summary::new(resolved, body).expect("no jumps backward")
}

fn decided(body: &str, solver: Option<&dyn Solver>) -> Decision {
    summary(body).decide(AssertionId(0), solver, Instant::now() + Duration::from_secs(20))
}

fn real() -> Option<smt::Process> {
    or_skip(smt::find(None))
}

/// What the solver says of each execution without the help of the normal form and of small models.
fn by_solver_alone(summary: &Summary, solver: &dyn Solver) -> Result<(), OpenReason> {
    let deadline = Instant::now() + Duration::from_secs(20);
    let c = &summary.context;
    let asking = Asking { c, solver, deadline, about: "alone".to_owned(), is_consistent: false };
    summary.executions(AssertionId(0)).try_for_each(|one| {
        c.refill(WORK);
        asking.parts(one.condition).into_iter().try_for_each(|part| asking.shows_part(&one.given, part))
    })
}

/// That a claim is proved, its twin is not, and the solver alone says so too.
#[track_caller]
fn proved_but_not(good: &Summary, spoilt: &Summary, text: &str) {
    let Some(solver) = real() else { return };
    let solver = Timed { solver: &solver, times: RefCell::default() };
    let until = || Instant::now() + Duration::from_secs(20);
    let decisions = [good, spoilt].map(|s| s.decide(AssertionId(0), Some(&solver), until()));
    let alone = [good, spoilt].map(|s| by_solver_alone(s, &solver));
    println!("{text}\n    {decisions:?} {alone:?} {:?}", solver.times);
    if std::env::var_os("LOOK").is_some() { return; }
    assert!(matches!(decisions[1], Decision::Open(_)) && alone[1].is_err(), "{text}: the twin");
    if std::env::var_os("LOOK").is_some() { return; }
    assert!(matches!(decisions[0], Decision::Proved(_)) && alone[0].is_ok(), "{text}");
}

/// [`proved_but_not`] for two programs with a common beginning.
#[track_caller]
fn needs_solver(parts: &[&str], good: &str, spoilt: &str) {
    let [one, other] = [good, spoilt].map(|end| summary(&format!("{}{end}", parts.concat())));
    proved_but_not(&one, &other, &format!("{}{good}", parts.concat()));
}

/// Measures a solver.
struct Timed<'s> {
    solver: &'s dyn Solver,
    times: RefCell<Vec<Duration>>,
}

impl Solver for Timed<'_> {
    fn ask(&self, script: &Script, deadline: Instant) -> Result<Answer, Failure> {
        let start = Instant::now();
        let answer = self.solver.ask(script, deadline);
        self.times.borrow_mut().push(start.elapsed());
        answer
    }
}

#[test]
fn sums_of_bounded_cells() {
    needs_solver(&[FILL_SMALL, SUM], " assert(s <= 3 * n);", " assert(s <= 2 * n);");
    needs_solver(&[FILL_SMALL, SUM], " assert(s >= 0 && s <= 3 * n);", " assert(s >= 0 && s < 3 * n);");
    needs_solver(&[FILL_SMALL, SUM], " assert(s / n <= 3);", " assert(s / n <= 2);");
}

#[test]
fn sums_of_remainders() {
    let fill = "for (i = 0; i < n; i++) a[i] = any() % 10u; ";
    needs_solver(&[fill, SUM], " assert(s <= 9 * n);", " assert(s <= 8 * n);");
    let fill = "for (i = 0; i < n; i++) a[i] = i % 3; ";
    needs_solver(&[fill, SUM], " assert(s <= 2 * n);", " assert(s < n);");
}

#[test]
fn sums_of_pairs() {
    let absolute = "for (i = 0; i < n; i++) b[i] = a[i] < 0 ? -a[i] : a[i]; for (i = 0; i < n; i++) t += b[i]; ";
    needs_solver(&[FILL, SUM, absolute], " assert(t >= s);", " assert(t > s);");
    let greater = "for (i = 0; i < n; i++) { b[i] = input(); if (b[i] < a[i]) b[i] = a[i]; } \
                   for (i = 0; i < n; i++) t += b[i]; ";
    needs_solver(&[FILL, SUM, greater], " assert(t >= s);", " assert(t > s);");
}

#[test]
fn sums_under_a_flag() {
    let flag = "int ok = 1; for (i = 0; i < n; i++) if (a[i] < 0) ok = 0; ";
    needs_solver(&[FILL, flag, SUM], "if (ok) assert(s >= 0);", "if (!ok) assert(s >= 0);");
}

#[test]
fn maxima_are_bounds() {
    needs_solver(&[FILL, MAXIMUM], "for (j = 0; j < n; j++) assert(m >= a[j]);", "for (j = 0; j < n; j++) assert(m > a[j]);");
    let least = "m = a[0]; for (i = 1; i < n; i++) if (a[i] < m) m = a[i]; ";
    needs_solver(&[FILL, least], "for (j = 0; j < n; j++) assert(m <= a[j]);", "for (j = 0; j < n; j++) assert(m < a[j]);");
    let both = "int l = a[0]; for (i = 1; i < n; i++) if (a[i] < l) l = a[i]; ";
    needs_solver(&[FILL, MAXIMUM, both], " assert(l <= m);", " assert(l < m);");
}

#[test]
fn maxima_are_cells() {
    let search = "for (i = 0; i < n; i++) if (a[i] == m) c = 1; ";
    needs_solver(&[FILL, MAXIMUM, search], " assert(c == 1);", "m++; for (i = 0; i < n; i++) if (a[i] == m) c = 2; assert(c == 2);");
}

#[test]
fn prefix_maxima() {
    let fill = "m = a[0]; for (i = 0; i < n; i++) { if (a[i] > m) m = a[i]; b[i] = m; } ";
    needs_solver(
        &[FILL, fill],
        "for (i = 0; i < n; i++) for (j = 0; j <= i; j++) assert(b[i] >= a[j]);",
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) assert(b[i] >= a[j]);",
    );
}

#[test]
fn searches_find_the_key() {
    needs_solver(&[FILL, SEARCH], "if (i < n) assert(a[i] == x);", "if (i > 0) assert(a[i - 1] == x);");
    needs_solver(&[FILL, SEARCH], "for (j = 0; j < i; j++) assert(a[j] != x);", "for (j = 0; j <= i && j < n; j++) assert(a[j] != x);");
    let last = "int l = -1; for (i = 0; i < n; i++) if (a[i] == x) l = i; ";
    needs_solver(&[FILL, last], "if (l >= 0) assert(a[l] == x);", "if (l >= 1) assert(a[l - 1] == x);");
    needs_solver(&[FILL, last], "for (j = l + 1; j < n; j++) assert(a[j] != x);", "for (j = l < 0 ? 0 : l; j < n; j++) assert(a[j] != x);");
}

#[test]
fn flags_say_what_was_seen() {
    let flag = "int found = 0; for (i = 0; i < n; i++) if (a[i] == x) found = 1; ";
    needs_solver(&[FILL, flag], "if (!found) for (j = 0; j < n; j++) assert(a[j] != x);", "if (found) for (j = 0; j < n; j++) assert(a[j] != x);");
}

#[test]
fn counts_are_between_0_and_the_length() {
    needs_solver(&[FILL, COUNT], " assert(c >= 0 && c <= n);", " assert(c >= 0 && c < n);");
    needs_solver(&[FILL, COUNT], "if (c == 0) for (j = 0; j < n; j++) assert(a[j] <= 0);", "if (c == 1) for (j = 0; j < n; j++) assert(a[j] <= 0);");
    needs_solver(&[FILL, COUNT], "if (c == n) for (j = 0; j < n; j++) assert(a[j] > 0);", "if (c == n - 1) for (j = 0; j < n; j++) assert(a[j] > 0);");
    let two = "for (i = 0; i < n; i++) if (a[i] > 5) t++; ";
    needs_solver(&[FILL, COUNT, two], " assert(t <= c);", " assert(t < c || c == 0);");
}

#[test]
fn products_of_unknowns() {
    needs_solver(&["int y = input(); if (x > 1000 || y > 1000) return 0; "], "if (x >= 1 && y >= x) assert(x * y >= x * x);", "if (x >= 0 - 1 && y >= x) assert(x * y >= x * x);");
    needs_solver(&[FILL, "for (i = 0; i < n; i++) s += a[i] * a[i]; "], " assert(s >= 0);", " assert(s > 0);");
}

#[test]
fn compacted_cells_have_the_property() {
    let compact = "m = 0; for (i = 0; i < n; i++) if (a[i] > 0) { b[m] = a[i]; m++; } ";
    needs_solver(&[FILL, compact], "for (j = 0; j < m; j++) assert(b[j] > 0);", "for (j = 0; j < m; j++) assert(b[j] > 1);");
}

#[test]
fn zz_debug() {
    let Some(solver) = real() else { return };
    let folder = std::path::Path::new("/tmp/w/t/q");
    smt::Kept::prepare(folder).unwrap();
    let kept = smt::Kept::new(&solver, folder);
    let s = summary(&std::env::var("BODY").unwrap());
    let c = &s.context;
    for one in &s.asserted {
        for g in &one.given { println!("given {}", c.show(*g)); }
        println!("goal {}", c.show(one.condition));
        let asking = Asking { c, solver: &kept, deadline: Instant::now() + Duration::from_secs(20), about: "alone".to_owned(), is_consistent: false };
        for part in asking.parts(one.condition) {
            println!("  part {}: facts {} {:?}", c.show(part), facts(c, one).proves(part), asking.shows_part(&one.given, part));
            let q = c.query(&one.given, part, QueryLimits::default());
            for a in &q.axioms { println!("     {}", c.show(*a)); }
        }
    }
    println!("{:?}", s.decide(AssertionId(0), Some(&kept), Instant::now() + Duration::from_secs(20)));
}

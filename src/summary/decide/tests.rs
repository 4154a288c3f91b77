//! Programs that need a solver, each with a spoilt twin; solvers that lie or fail.

use super::*;
use crate::fuzz::or_skip;
use crate::lower::{LowerOptions, load_text};
use crate::program::{FileId, Location, SiteId, Stmt, StmtKind};
use crate::reduce::normal::Inlined;
use crate::smt::{self, Recorded};
use smalti_terms::{Int, Model, Sort, Symbol, Tie};
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
const SEARCH: &str = "for (i = 0; i < n; i++) if (a[i] == x) break; ";
const COUNT: &str = "for (i = 0; i < n; i++) if (a[i] > 0) c++; ";

fn summary(body: &str) -> Summary {
    let text = format!("{HEAD}{body} return 0; }}").replace(" assert(", " __VERIFIER_assert(");
    let program = load_text("x.c", &text, &LowerOptions::default()).expect("a program");
    assert_eq!(program.assertions.len(), 1, "{text}");
    let inlined = Inlined::new(&program);
    Summary::of(&inlined, || false).expect("no jumps backward")
}

/// One execution.
fn execution(given: &[Term], condition: Term) -> Asserted {
    let statement = Stmt::new(StmtKind::Skip, SiteId(0), Location { file: FileId(0), line: 1, column: 1 }).id();
    Asserted { key: ObligationKey::Assertion(AssertionId(0)), statement, given: given.to_vec(), condition }
}

fn claim<'a>(c: &'a Context, executions: &'a [Asserted]) -> Claim<'a> {
    Claim { c, key: Some(ObligationKey::Assertion(AssertionId(0))), executions: executions.iter().collect() }
}

/// The end of the time for a decision.
fn until() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// Unknowns: an array, its length, an index.
fn world() -> (Context, Term, Term, Term) {
    let c = Context::new();
    let (a, n, i) = (c.array("a", 1), c.unknown("N"), c.unknown("i"));
    (c, a, n, i)
}

/// That the first claim of each pair follows from what is given, and the other one does not.
#[track_caller]
fn follow(c: &Context, given: &[Term], claims: &[(Term, Term)]) {
    for &(good, spoilt) in claims {
        let [good, spoilt] = [good, spoilt].map(|condition| [execution(given, condition)]);
        proved_but_not(&claim(c, &good), &claim(c, &spoilt), &c.show(good[0].condition));
    }
}

fn real() -> Option<smt::Process> {
    or_skip(smt::find(None))
}

/// What the solver says of each execution without the help of the normal form and of small models.
fn by_solver_alone(claim: &Claim<'_>, solver: &dyn Solver) -> Result<(), OpenReason> {
    let c = claim.c;
    let asking = Asking { c, solver, deadline: until(), about: "alone".to_owned(), is_consistent: false };
    claim.executions.iter().try_for_each(|one| {
        c.refill(WORK);
        asking.parts(one.condition).into_iter().try_for_each(|part| asking.shows_part(&one.given, part))
    })
}

/// That a claim is proved and its twin is not. The solver alone must not prove the twin either, and
/// it proves what needs it.
#[track_caller]
fn proved_but_not(good: &Claim<'_>, spoilt: &Claim<'_>, text: &str) {
    let Some(solver) = real() else { return };
    let solver = Timed { solver: &solver, times: RefCell::default() };
    let decisions = [good, spoilt].map(|claim| claim.decide(Some(&solver), until()));
    let alone = [good, spoilt].map(|claim| by_solver_alone(claim, &solver));
    println!("{text}\n    {decisions:?} {alone:?} {:?}", solver.times);
    assert!(matches!(decisions[1], Decision::Open(_)) && alone[1].is_err(), "{text}: the twin");
    assert!(matches!(decisions[0], Decision::Proved(_)), "{text}");
    assert!(decisions[0] == Decision::Proved(Prover::NormalForm) || alone[0].is_ok(), "{text}");
}

/// [`proved_but_not`] for two programs with a common beginning.
#[track_caller]
fn hold(parts: &[&str], good: &str, spoilt: &str) {
    let [one, other] = [good, spoilt].map(|end| summary(&format!("{}{end}", parts.concat())));
    let claims = [&one, &other].map(|summary| summary.claim(ObligationKey::Assertion(AssertionId(0))));
    proved_but_not(&claims[0], &claims[1], &format!("{}{good}", parts.concat()));
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
    hold(&[FILL_SMALL, SUM], " assert(s <= 3 * n);", " assert(s <= 2 * n);");
    hold(&[FILL_SMALL, SUM], " assert(s >= 0 && s <= 3 * n);", " assert(s >= 0 && s < 3 * n);");
    hold(&[FILL_SMALL, SUM], " assert(s / n <= 3);", " assert(s / n <= 2);");
}

#[test]
fn sums_of_remainders() {
    let fill = "for (i = 0; i < n; i++) a[i] = any() % 10u; ";
    hold(&[fill, SUM], " assert(s <= 9 * n);", " assert(s <= 8 * n);");
    let fill = "for (i = 0; i < n; i++) a[i] = i % 3; ";
    hold(&[fill, SUM], " assert(s <= 2 * n);", " assert(s < n);");
}

#[test]
fn sums_of_pairs() {
    let absolute = "for (i = 0; i < n; i++) b[i] = a[i] < 0 ? -a[i] : a[i]; for (i = 0; i < n; i++) t += b[i]; ";
    hold(&[FILL, SUM, absolute], " assert(t >= s);", " assert(t > s);");
    let greater = "for (i = 0; i < n; i++) { b[i] = input(); if (b[i] < a[i]) b[i] = a[i]; } \
                   for (i = 0; i < n; i++) t += b[i]; ";
    hold(&[FILL, SUM, greater], " assert(t >= s);", " assert(t > s);");
}

#[test]
fn sums_under_a_flag() {
    let flag = "int ok = 1; for (i = 0; i < n; i++) if (a[i] < 0) ok = 0; ";
    hold(&[FILL, flag, SUM], "if (ok) assert(s >= 0);", "if (!ok) assert(s >= 0);");
}

#[test]
fn maxima_are_bounds_and_cells() {
    let (c, a, n, i) = world();
    let (zero, cell) = (c.int(0), |k: Term| c.read(a, &[k]));
    let greatest = c.maximum(cell(zero), c.int(1), n, cell);
    let least = c.minimum(cell(zero), c.int(1), n, cell);
    let any = |t: Term| c.any(zero, n, |k| c.eq(cell(k), t));
    let index = c.arg_max(cell(zero), zero, c.int(1), n, Tie::First, cell);
    let given = [c.gt(n, zero), c.within(zero, i, n)];
    let claims = [
        (c.ge(greatest, cell(i)), c.gt(greatest, cell(i))),
        (c.le(least, cell(i)), c.lt(least, cell(i))),
        (c.le(least, greatest), c.lt(least, greatest)),
        (any(greatest), any(c.add(greatest, c.int(1)))),
        (c.ge(cell(index), cell(i)), c.gt(cell(index), cell(i))),
    ];
    follow(&c, &given, &claims);
    // Without an element, the greatest one is the seed.
    follow(&c, &[c.ge(n, zero), c.within(zero, i, n)], &[(c.ge(greatest, cell(i)), c.eq(greatest, cell(i)))]);
}

#[test]
fn prefix_maxima() {
    let (c, a, n, i) = world();
    let (zero, one, j) = (c.int(0), c.int(1), c.unknown("j"));
    let cell = |k: Term| c.read(a, &[k]);
    let up_to = |k: Term| c.maximum(cell(zero), one, c.add(k, one), cell);
    let given = [c.le(zero, j), c.le(j, i), c.lt(i, n)];
    let claims =
        [(c.ge(up_to(i), cell(j)), c.ge(up_to(j), cell(i))), (c.ge(up_to(i), up_to(j)), c.gt(up_to(i), up_to(j)))];
    follow(&c, &given, &claims);
}

#[test]
fn searches_find_the_key() {
    hold(&[FILL, SEARCH], "if (i < n) assert(a[i] == x);", "if (i > 0) assert(a[i - 1] == x);");
    hold(
        &[FILL, SEARCH],
        "for (j = 0; j < i; j++) assert(a[j] != x);",
        "for (j = 0; j <= i && j < n; j++) assert(a[j] != x);",
    );
    let last = "int l = -1; for (i = 0; i < n; i++) if (a[i] == x) l = i; ";
    hold(&[FILL, last], "if (l >= 0) assert(a[l] == x);", "if (l >= 1) assert(a[l - 1] == x);");
    hold(
        &[FILL, last],
        "for (j = l + 1; j < n; j++) assert(a[j] != x);",
        "for (j = l < 0 ? 0 : l; j < n; j++) assert(a[j] != x);",
    );
}

#[test]
fn flags_say_what_was_seen() {
    let flag = "int found = 0; for (i = 0; i < n; i++) if (a[i] == x) found = 1; ";
    hold(
        &[FILL, flag],
        "if (!found) for (j = 0; j < n; j++) assert(a[j] != x);",
        "if (found) for (j = 0; j < n; j++) assert(a[j] != x);",
    );
}

#[test]
fn counts_are_between_0_and_the_length() {
    hold(&[FILL, COUNT], " assert(c >= 0 && c <= n);", " assert(c >= 0 && c < n);");
    hold(
        &[FILL, COUNT],
        "if (c == 0) for (j = 0; j < n; j++) assert(a[j] <= 0);",
        "if (c == 1) for (j = 0; j < n; j++) assert(a[j] <= 0);",
    );
    hold(
        &[FILL, COUNT],
        "if (c == n) for (j = 0; j < n; j++) assert(a[j] > 0);",
        "if (c == n - 1) for (j = 0; j < n; j++) assert(a[j] > 0);",
    );
    let two = "for (i = 0; i < n; i++) if (a[i] > 5) t++; ";
    hold(&[FILL, COUNT, two], " assert(t <= c);", " assert(t < c || c == 0);");
}

#[test]
fn counts_have_witnesses() {
    let flag = "int found = 0; for (i = 0; i < n; i++) if (a[i] > 0) found = 1; ";
    hold(&[FILL, COUNT, flag], "if (c > 0) assert(found);", "if (c >= 0) assert(found);");
    hold(&[FILL, COUNT, flag], "if (found) assert(c > 0);", "if (found) assert(c > 1);");
    let search = "for (i = 0; i < n; i++) if (a[i] > 0) break; ";
    hold(&[FILL, COUNT, search], "if (c > 0) assert(i < n);", "if (c < n) assert(i < n);");
    hold(&[FILL, COUNT, search], "if (i == n) assert(c == 0);", "if (i == n - 1) assert(c == 0);");
    let last = "int l = -1; for (i = 0; i < n; i++) if (a[i] > 0) l = i; ";
    hold(&[FILL, last, search], "if (i < n) assert(l >= i);", "if (i < n) assert(l > i);");
}

#[test]
fn sums_over_one_range_together() {
    let three = "for (i = 0; i < n; i++) { if (a[i] > 0) s++; if (a[i] < 0) t++; if (a[i] == 0) c++; } ";
    hold(&[FILL, three], " assert(s + t + c == n);", " assert(s + t + 2 * c == n);");
    let rests = "for (i = 0; i < n; i++) { unsigned u = any(); a[i] = u % 7; b[i] = u % 7 == 0; } \
                 for (i = 0; i < n; i++) { s += a[i]; t += b[i]; } ";
    hold(&[rests], " assert(s + t >= n);", " assert(s + t > n);");
    let cut = "for (i = 0; i < n; i++) { b[i] = a[i]; if (b[i] > 10) b[i] = 10; } for (i = 0; i < n; i++) t += b[i]; ";
    hold(&[FILL, SUM, cut], " assert(t <= s);", " assert(t < s);");
    let halves = "for (i = 0; i < n; i++) a[i] = input() % 2; ";
    hold(&[halves, SUM], " assert(s <= n && s >= -n);", " assert(s <= n && s > -n);");
}

#[test]
fn sums_are_at_least_their_parts() {
    let fill = "for (i = 0; i < n; i++) { int v = input(); a[i] = v < 0 ? 0 : v; } ";
    hold(&[fill, SUM], "for (i = 0; i < n; i++) assert(s >= a[i]);", "for (i = 0; i < n; i++) assert(s > a[i]);");
    let absolute = "for (i = 0; i < n; i++) s += a[i] > 0 ? a[i] : -a[i]; ";
    hold(
        &[FILL, absolute],
        "for (i = 0; i < n; i++) assert(s >= a[i]);",
        "for (i = 0; i < n; i++) assert(s >= a[i] + 1);",
    );
}

#[test]
fn cells_that_are_products() {
    let squares = "for (i = 0; i < n; i++) a[i] = i * i; ";
    hold(&[squares], "for (i = 0; i < n; i++) assert(a[i] >= i);", "for (i = 0; i < n; i++) assert(a[i] > i);");
    let multiples = "for (i = 0; i < n; i++) a[i] = i * n; ";
    let less = "for (i = 0; i < n; i++) assert(a[i] < n * n - n);";
    hold(&[multiples], "for (i = 0; i < n; i++) assert(a[i] <= n * n - n);", less);
}

#[test]
fn products_of_unknowns() {
    hold(
        &["int y = input(); if (x > 1000 || y > 1000) return 0; "],
        "if (x >= 1 && y >= x) assert(x * y >= x * x);",
        "if (x >= 0 - 1 && y >= x) assert(x * y >= x * x);",
    );
    hold(&[FILL, "for (i = 0; i < n; i++) s += a[i] * a[i]; "], " assert(s >= 0);", " assert(s > 0);");
}

#[test]
fn compactions_keep_order_and_values() {
    let (c, a, n, i) = world();
    let (zero, j) = (c.int(0), c.unknown("j"));
    let cell = |k: Term| c.read(a, &[k]);
    let kept = |k: Term| c.ge(cell(k), zero);
    let (count, place) = (c.count(zero, n, kept), |m: Term| c.nth(m, zero, n, kept));
    let b = c.lambda(|k| cell(place(k)));
    let in_b = |value: Term| c.any(zero, count, |k| c.eq(c.read(b, &[k]), value));
    follow(&c, &[c.within(zero, i, count)], &[(c.ge(c.read(b, &[i]), zero), c.gt(c.read(b, &[i]), zero))]);
    follow(&c, &[c.within(zero, i, n), kept(i)], &[(in_b(cell(i)), c.eq(c.read(b, &[i]), cell(i)))]);
    let ordered = [c.le(zero, i), c.lt(i, j), c.lt(j, count)];
    follow(&c, &ordered, &[(c.lt(place(i), place(j)), c.eq(c.add(place(i), c.int(1)), place(j)))]);
}

#[test]
fn facts_about_all_cells() {
    let (c, a, n, i) = world();
    let (zero, x) = (c.int(0), c.unknown("x"));
    let cell = |k: Term| c.read(a, &[k]);
    let all = |from: Term, to: Term| c.all(from, to, |k| c.ge(cell(k), x));
    follow(&c, &[all(zero, n), c.lt(i, n)], &[(all(c.int(2), i), all(c.int(-2), i))]);
    let sum = c.sum(zero, n, cell);
    let positive = c.all(zero, n, |k| c.ge(cell(k), zero));
    follow(&c, &[positive], &[(c.ge(sum, zero), c.gt(sum, zero))]);
}

#[test]
fn quotients_by_unknowns_round_down() {
    let (c, _, n, i) = world();
    let zero = c.int(0);
    let rest = c.sub(i, c.mul(n, c.div(i, n)));
    follow(&c, &[c.gt(n, zero)], &[(c.within(zero, rest, n), c.within(zero, rest, i))]);
    follow(&c, &[c.lt(n, zero)], &[(c.within(c.add(n, c.int(1)), rest, c.int(1)), c.ge(rest, zero))]);
    follow(&c, &[c.eq(n, zero)], &[(c.eq(c.div(i, n), zero), c.eq(rest, zero))]);
}

/// A solver that gives these answers, and what it makes of a claim that needs one.
fn told(
    answers: impl IntoIterator<Item = Result<Answer, Failure>>,
    facts: &[Term],
    c: &Context,
    goal: Term,
) -> Decision {
    claim(c, &[execution(facts, goal)]).decide(Some(&Recorded::new(answers)), until())
}

fn unsat() -> Result<Answer, Failure> {
    Ok(Answer::Unsatisfiable(BTreeSet::from([smt::Symbol::new("goal")])))
}

fn sat() -> Result<Answer, Failure> {
    Ok(Answer::Satisfiable(Vec::new()))
}

/// A claim that holds, but not by the normal form.
fn needs_answers(c: &Context) -> ([Term; 1], Term) {
    let (n, a) = (c.unknown("N"), c.array("a", 1));
    let found = c.first(c.int(0), n, |k| c.eq(c.read(a, &[k]), c.int(5)));
    ([c.lt(found, n)], c.eq(c.read(a, &[found]), c.int(5)))
}

#[test]
fn failures_cost_the_answer_only() {
    let c = Context::new();
    let (facts, goal) = needs_answers(&c);
    let open = |answers: Vec<Result<Answer, Failure>>, why: OpenReason| {
        assert_eq!(told(answers, &facts, &c, goal), Decision::Open(why));
    };
    assert_eq!(told([unsat(), sat()], &facts, &c, goal), Decision::Proved(Prover::Solver));
    open(vec![sat()], OpenReason::Unshown);
    open(vec![Ok(Answer::Unknown("lost".into()))], OpenReason::Unknown("lost".into()));
    for failure in [Failure::Late, Failure::Memory(9), Failure::Broken("half".into()), Failure::Start("no".into())] {
        open(vec![Err(failure.clone())], OpenReason::Failed(failure));
    }
    let one = [execution(&facts, goal)];
    assert_eq!(claim(&c, &one).decide(None, until()), Decision::Open(OpenReason::NoSolver));
    assert_eq!(claim(&c, &one).decide(None, Instant::now()), Decision::Open(OpenReason::Late));
}

#[test]
fn a_solver_that_lies_proves_nothing() {
    let c = Context::new();
    let (facts, goal) = needs_answers(&c);
    // What it says contradicts itself in a small model: nothing is asked.
    let (n, zero) = (c.unknown("N"), c.int(0));
    let sum = c.sum(zero, n, |k| c.read(c.array("a", 1), &[k]));
    let solver = Recorded::new([unsat(), sat()]);
    let decision = claim(&c, &[execution(&[], c.ge(sum, zero))]).decide(Some(&solver), until());
    assert_eq!((decision, solver.questions().len()), (Decision::Open(OpenReason::Fails), 0));
    // Everything contradicts everything.
    assert_eq!(told([unsat(), unsat()], &facts, &c, goal), Decision::Open(OpenReason::Contradiction));
    // It stops in the middle. A small model shows that the facts can hold.
    assert_eq!(told([unsat(), Err(Failure::Late)], &facts, &c, goal), Decision::Proved(Prover::Solver));
}

#[test]
fn facts_that_contradict_each_other_prove_nothing() {
    let c = Context::new();
    let (n, x, zero) = (c.unknown("N"), c.unknown("x"), c.int(0));
    let open = |facts: &[Term], answers: Vec<Result<Answer, Failure>>, why: OpenReason| {
        assert_eq!(told(answers, facts, &c, c.gt(x, zero)), Decision::Open(why));
    };
    open(&[c.gt(x, n), c.lt(x, n)], vec![], OpenReason::Contradiction);
    // No square is 3: the normal form does not see it.
    let square = [c.eq(c.mul(n, n), c.int(3))];
    open(&square, vec![unsat(), unsat()], OpenReason::Contradiction);
    open(&square, vec![unsat(), Ok(Answer::Unknown("hard".into()))], OpenReason::PerhapsContradiction);
    open(&square, vec![unsat(), Err(Failure::Memory(1))], OpenReason::Failed(Failure::Memory(1)));
    let Some(solver) = real() else { return };
    let decision = claim(&c, &[execution(&square, c.gt(x, zero))]).decide(Some(&solver), until());
    assert_eq!(decision, Decision::Open(OpenReason::Contradiction));
}

#[test]
fn questions_are_limited_and_say_what_they_are_about() {
    let c = Context::new();
    let (facts, goal) = needs_answers(&c);
    let solver = Recorded::new([unsat(), sat()]);
    claim(&c, &[execution(&facts, goal)]).decide(Some(&solver), until());
    let asked = solver.questions();
    assert!(asked.iter().all(|s| s.resources == Some(RESOURCES)));
    assert_eq!(
        asked[0].about,
        "assertion 0, execution 1 that the normal form leaves open: a[first k in 0..N-1 with a[k] = 5, else N] = 5"
    );
    assert!(asked[1].about.starts_with("whether the facts can hold; assertion 0,"), "{}", asked[1].about);
    let [with, without] = [0, 1].map(|n: usize| asked[n].assertions.len());
    assert_eq!(with, without + 1);
}

/// Pseudo-random numbers (Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// A term over some unknowns, without folds.
    fn term(&mut self, c: &Context, unknowns: &[Term], depth: u32) -> Term {
        let number = self.below(9).cast_signed() - 4;
        if depth == 0 {
            return if self.below(4) == 0 {
                c.int(number)
            } else {
                unknowns[self.below(unknowns.len() as u64) as usize]
            };
        }
        let [a, b] = [0, 1].map(|_| self.term(c, unknowns, depth - 1));
        match self.below(8) {
            0 => c.add(a, c.scale(number, b)),
            1 => c.mul(a, b),
            2 => c.div(a, c.int(number)),
            3 => c.rem(a, b),
            4 => c.max_of(&[a, b, unknowns[0]]),
            5 => c.min(a, b),
            6 => c.ite(c.ge(a, b), b, c.int(number)),
            _ => c.ite(c.divides(number, a), a, c.add(b, c.int(number))),
        }
    }
}

/// Gives each unknown a value.
struct Values<'a>(&'a [i64], &'a [Symbol]);

impl Model for Values<'_> {
    fn int(&self, symbol: Symbol, _: &[Int]) -> Option<Int> {
        self.1.iter().position(|s| *s == symbol).map(|at| Int::from(self.0[at]))
    }
}

#[test]
fn scripts_compute_what_terms_are() {
    let Some(solver) = real() else { return };
    let mut dice = Dice(1);
    for round in 0..12 {
        let c = Context::new();
        let symbols: Vec<Symbol> = ["x", "y", "z"].map(|name| c.symbol(name, Sort::Int)).into();
        let unknowns: Vec<Term> = symbols.iter().map(|s| c.apply(*s, &[])).collect();
        let values: Vec<i64> = (0..3).map(|_| dice.below(15).cast_signed() - 7).collect();
        let given: Vec<Term> = unknowns.iter().zip(&values).map(|(x, v)| c.eq(*x, c.int(*v))).collect();
        let mut equal = Vec::new();
        for _ in 0..10 {
            let t = dice.term(&c, &unknowns, 3);
            let value = c.evaluate(t, &Values(&values, &symbols), 10_000).expect("a value");
            equal.push((t, value));
        }
        let asking =
            Asking { c: &c, solver: &solver, deadline: until(), about: format!("{round}"), is_consistent: false };
        let all: Vec<Term> = equal.iter().map(|(t, value)| c.eq(*t, c.int(value.clone()))).collect();
        assert_eq!(asking.shows_part(&given, c.and(&all)), Ok(()), "round {round}: {values:?}");
        let (t, value) = &equal[0];
        let wrong = c.eq(*t, c.int(value + 1));
        assert!(asking.shows_part(&given, wrong).is_err(), "round {round}: {}", c.show(*t));
    }
}

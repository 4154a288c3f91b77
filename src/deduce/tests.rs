//! Programs with loop invariants, each with a spoilt twin that fails in a run.

use super::*;
use crate::fuzz::or_skip;
use crate::interpreter::{self, CellOrigin, Environment, Limits, Outcome};
use crate::lower::{LowerOptions, load_text};
use crate::program::{AssertionId, InputId, Location, Program, Type};
use crate::reduce::normal::Inlined;
use crate::smt::{self, Answer, Failure, Recorded, Solver};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// All inputs, and all cells that are not written, are 0.
struct Zeros;

impl Environment for Zeros {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        0
    }
    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        0
    }
    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        0
    }
}

/// A program whose arrays have `n` cells.
fn program(n: &str, body: &str) -> Program {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); struct s {{ int f; int g; }};\n\
         int main(void) {{ int n = {n}; if (n < 1 || n > 1000) return 0; int i = 0, j = 0, x = 3;\n\
         int a[n]; int b[n]; int m[4][n]; struct s t[n];\n{body}\ndone: return 0; }}"
    );
    load_text("x.c", &text, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
}

fn decisions(program: &Program, solver: &dyn Solver) -> Vec<(String, Decision)> {
    let conditions =
        Conditions::of(&Inlined::new(program), &mut |_| BTreeSet::new()).expect("nothing that is not followed");
    let until = Instant::now() + Duration::from_secs(30);
    let all = program.assertions.iter().enumerate();
    all.map(|(n, a)| (a.id.clone(), conditions.decide(AssertionId(n as u32), solver, until))).collect()
}

/// The assertions that are not proved, for arrays of any size.
fn open(body: &str) -> Option<Vec<String>> {
    let solver = or_skip(smt::find(None))?;
    let decided = decisions(&program("__VERIFIER_nondet_int()", body), &solver);
    assert!(!decided.is_empty(), "{body}");
    Some(decided.into_iter().filter(|(_, d)| *d != Decision::Proved).map(|(id, _)| id).collect())
}

fn fails(body: &str) -> bool {
    let outcome = interpreter::run(&program("5", body), &mut Zeros, &mut (), &Limits::default()).outcome;
    matches!(outcome, Outcome::AssertionFailed(_))
}

/// The first is proved; of the second, which fails in a run, something is open.
#[track_caller]
fn only_the_first_is_proved(right: &str, spoilt: &str) {
    assert!(!fails(right), "{right}");
    assert!(fails(spoilt), "{spoilt}");
    if let (Some(none), Some(some)) = (open(right), open(spoilt)) {
        assert_eq!(none, [""; 0], "{right}");
        assert!(!some.is_empty(), "{spoilt}");
    }
}

/// The range of the counter, and the beginning of a claim about the cells that it has passed.
const COUNTS: &str = "//# loop invariant 0 <= i <= n; loop invariant \\forall integer k; 0 <= k < i ==> ";

/// Annotations stand between `//#` and `#//`.
fn annotated(body: &str) -> String {
    body.replace("//#", "/*@").replace("#//", "*/")
}

/// [`only_the_first_is_proved`] of a loop that keeps the claim, with different words for `PART`.
#[track_caller]
fn filled(claim: &str, rest: &str, right: &str, spoilt: &str) {
    let with = |part: &str| annotated(&format!("{COUNTS}{claim}; #// {rest}").replace("PART", part));
    only_the_first_is_proved(&with(right), &with(spoilt));
}

#[test]
fn what_is_claimed_up_to_the_counter_holds_for_all_after_the_loop() {
    let claimed = "for (; i < n; i++) a[i] = 7; //# check \\forall integer k; 0 <= k < n ==> a[k] == PART; #//";
    filled("a[k] == 7", claimed, "7", "k + 3");
    filled("a[k] == 7", "for (; i < n; i++) a[i] = PART;", "7", "i == 4 ? 8 : 7");
    filled("a[k] == k", "for (; i < n; i++) { if (PART) continue; a[i] = i; }", "i < 0", "i == 3");
    filled("a[k] == k", "while (i < n) { a[i] = PART; i++; }", "i", "i + 1");
    filled("a[k] == k", "for (; i < n; i++) { a[i] = i; a[PART] = 0; }", "0", "i");
    filled("b[k] == a[k]", "for (; i < n; i++) { b[i] = a[i]; PART; }", "x = a[i]", "a[0] = 9");
    filled("t[k].f == 2", "for (; i < n; i++) { t[i].f = 2; t[i].PART = 3; }", "g", "f");
    filled("m[1][k] == 2", "for (; i < n; i++) { m[1][i] = 2; m[PART][i] = 3; }", "2", "1");
}

#[test]
fn a_search_ends_at_the_first_place() {
    let leaves = |way: &str| {
        annotated(&format!(
            "x = 0; {COUNTS} a[k] != x; #// for (; i < n; i++) if (a[i] == x) {way}; \
             //# check i == n ==> \\forall integer k; 0 <= k < n ==> a[k] != x; #//"
        ))
    };
    only_the_first_is_proved(&leaves("break"), &leaves("j = 4"));
    let fill = "for (j = 0; j < n; j++) a[j] = 1; ";
    let with = |test: &str| {
        annotated(&format!(
            "{fill} {COUNTS} a[k] != x; #// for (; i < n; i++) if (a[i] == x) goto done; \
             //# check \\forall integer k; 0 <= k < n ==> a[k] {test}; #//"
        ))
    };
    only_the_first_is_proved(&with("!= x"), &with("== x"));
}

#[test]
fn a_loop_that_tests_at_the_end_begins_with_its_invariant() {
    let with = |start: &str, step: &str| {
        annotated(&format!(
            "i = {start}; //# loop invariant 0 <= i < n; loop invariant \\forall integer k; 0 <= k < i ==> a[k] == 1; #//\
             do {{ a[i] = 1; i += {step}; }} while (i < n); //# check i >= n; #//"
        ))
    };
    only_the_first_is_proved(&with("0", "1"), &with("1", "1").replace("a[i] = 1", "a[0] = 2; a[i] = 1"));
    only_the_first_is_proved(&with("0", "1"), &with("0", "2").replace("a[i] = 1", "a[0] = 2; a[i] = 1"));
}

#[test]
fn machine_integers_are_exact() {
    for (right, spoilt) in [
        ("(unsigned char) (i + 253) < 256", "(unsigned char) (i + 253) >= 253"),
        ("(signed char) (i + 127) >= -128", "(signed char) (i + 127) > 0"),
        ("(unsigned) i - 1u >= 0", "(unsigned) i - 5u <= (unsigned) i"),
        ("(i & 3) < 4", "(i & 3) == i"),
        ("(i << 2) == 4 * i", "(i << 2) == 3 * i"),
        ("-7 / (i + 1) <= 0", "-7 / (i + 1) < -1"),
        ("-7 % (i + 2) <= 0", "-7 % (i + 2) == 0"),
        ("~i == -1 - i", "~i == -i"),
        ("(i < 2 ? i : 2) <= 2", "(i < 2 ? i : 2) < 2"),
        ("!(i < 0 || i > n)", "!(i < 0 || i > 3)"),
        ("(long) i * i >= 0", "(long) i * i > 0"),
        ("(_Bool) i <= 1", "(_Bool) i == 0"),
    ] {
        let with = |test: &str| {
            annotated(&format!(
                "//# loop invariant 0 <= i <= n; #// for (; i < n; i++) {{ x = {test}; //# assert x != 0; #// }}"
            ))
        };
        only_the_first_is_proved(&with(right), &with(spoilt));
    }
}

#[test]
fn nested_loops_have_invariants_of_their_own() {
    let with = |inner: &str| {
        annotated(&format!(
            "//# loop invariant 0 <= i <= 4; \
             loop invariant \\forall integer r; 0 <= r < i ==> \\forall integer c; 0 <= c < n ==> m[r][c] == 1; #//\
             for (i = 0; i < 4; i++) {{\
             //# loop invariant 0 <= j <= n; loop invariant \\forall integer c; 0 <= c < j ==> m[i][c] == 1; \
             loop invariant \\forall integer r; 0 <= r < i ==> \\forall integer c; 0 <= c < n ==> m[r][c] == 1; #//\
             for (j = 0; j < n; j++) m[i][j] = {inner}; }}\
             //# check \\forall integer r; 0 <= r < 4 ==> \\forall integer c; 0 <= c < n ==> m[r][c] == 1; #//"
        ))
    };
    only_the_first_is_proved(&with("1"), &with("i == 3 && j == 2 ? 0 : 1"));
}

#[test]
fn jumps_forward_are_paths() {
    let with = |at: &str| {
        annotated(&format!(
            "if (n > 3) {{ x = 1; goto over; }} x = 2; over: ; //# check x {at}; #// \
             switch (x) {{ case 1: x = 5; break; case 2: x = 6; }} //# check x >= 5; #//"
        ))
    };
    only_the_first_is_proved(&with("<= 2"), &with("== 2"));
}

#[test]
fn what_is_not_followed_is_refused_or_open() {
    let of = |body: &str| Conditions::of(&Inlined::new(&program("5", body)), &mut |_| BTreeSet::new());
    for body in [
        "again: i++; if (i < 3) goto again;",
        "int *p = n > 2 ? a : b; *p = 3;",
        "extern int unknown(int *); unknown(a);",
        "union { int i; unsigned u; } u; u.i = 3;",
        "struct { int i : 3; } f; f.i = 3;",
    ] {
        assert!(of(&annotated(&format!("{body} //# assert x == 3; #//"))).is_err(), "{body}");
    }
    let pointed = annotated("int *p = n > 2 ? a : b; //# assert *p == *p; #//");
    let decided = decisions(&program("5", &pointed), &Recorded::new([]));
    assert!(matches!(&decided[..], [(_, Decision::Open(Undecided::NotFollowed))]), "{decided:?}");
}

#[test]
fn an_answer_that_is_not_unsatisfiable_proves_nothing() {
    let program = program("5", &annotated("//# assert x == 3; #//"));
    let said = |answer: Result<Answer, Failure>| {
        let (_, decision) = decisions(&program, &Recorded::new([answer])).remove(0);
        decision
    };
    assert_eq!(said(Ok(Answer::Satisfiable(Vec::new()))), Decision::Open(Undecided::Unshown));
    assert_eq!(said(Ok(Answer::Unknown("why".into()))), Decision::Open(Undecided::Unknown("why".into())));
    assert_eq!(said(Err(Failure::Late)), Decision::Open(Undecided::Failed(Failure::Late)));
}

#[test]
fn a_pointer_along_an_array_is_an_index() {
    let walks = |step: &str, claim: &str| {
        annotated(&format!(
            "int *p = a, *end = a + n; x = 0; //# loop invariant 0 <= i <= n; #// \
             while (i < n && p < end) {{ *p = 1; p[0] = *p + 1; {step} }} p = b + 0 < b ? p : a + n - 1; \
             //# check {claim}; #//"
        ))
    };
    only_the_first_is_proved(&walks("p = p + 1; i++;", "*p == a[n - 1]"), &walks("p++; i++;", "*p == a[0] + 1"));
    let calls = |offset: &str| {
        annotated(&format!(
            "{COUNTS}a[k] == k; #// for (; i < n; i++) {{ int *p = &a[i]; p{offset} = i; if (p - a != i) {{ \
             //# assert \\false; #// }} }}"
        ))
    };
    only_the_first_is_proved(&calls("[0]"), &calls("[i > 3 ? -1 : 0]"));
}

#[test]
fn what_a_loop_leaves_alone_needs_no_invariant() {
    for (loops, right, spoilt) in [
        ("a[0] = 5; for (i = 1; i < n; i++) a[i] = 7;", "a[0] == 5 && i >= 1", "i == 4"),
        (
            "a[n - 1] = 5; b[0] = 6; for (i = 0; i < n - 1; i++) { a[i] = b[i]; b[i + 1] = i; }",
            "a[n - 1] == 5 && b[0] == 6",
            "b[n - 1] == 6",
        ),
        ("a[0] = 5; for (i = n - 1; i > 0; i--) a[i] = 7;", "a[0] == 5", "a[n - 1] == 5"),
        ("x = i; while (i < n) { i += 2; j = j + 1; }", "i >= x && j >= 0", "i < x"),
    ] {
        let with = |claim: &str| annotated(&format!("{loops} //# check {claim}; #//"));
        only_the_first_is_proved(&with(right), &with(spoilt));
    }
}

#[test]
fn cells_of_earlier_moments_are_those_of_then() {
    let with = |claim: &str| {
        annotated(&format!(
            "//# loop invariant 0 <= i <= n; \
             loop invariant \\forall integer k; 0 <= k < i ==> a[k] == \\at(a[k], LoopEntry) / 2; \
             loop invariant \\forall integer k; i <= k < n ==> a[k] == \\at(a[k], LoopEntry); #// \
             for (; i < n; i++) {{ a[i] = a[i] / 2; \
             //# check {claim}; #// }}"
        ))
    };
    only_the_first_is_proved(
        &with("a[i] == \\at(a[i], LoopCurrent) / 2 && \\at(i, LoopCurrent) == i"),
        &with("\\at(i, LoopEntry) == i"),
    );
    only_the_first_is_proved(
        &with("a[0] == \\at(a[0], LoopEntry) / 2"),
        &with("\\at(a[0], LoopCurrent) == a[0] && i < 1 || i == 1"),
    );
}

#[test]
fn recursive_functions_are_unfolded_and_lemmas_are_used() {
    let definitions = |lemma: &str| {
        format!(
            "/*@ logic integer sum(int *a, integer n) = n <= 0 ? 0 : sum(a, n - 1) + a[n - 1];\n\
             lemma same{{K, L}}: \\forall int *a, integer n; (\\forall integer k; 0 <= k < n ==> \
             \\at(a[k], K) == \\at(a[k], L)) ==> {lemma}; */\n"
        )
    };
    let of = |lemma: &str, loops: &str, claim: &str| {
        let text = format!(
            "{}extern int __VERIFIER_nondet_int(void); int main(void) {{ int n = __VERIFIER_nondet_int();\n\
             if (n < 1 || n > 1000) return 0; int a[n]; int i = 0; long s = 0;\n{loops}\n//@ check {claim};\nreturn 0; }}",
            definitions(lemma)
        );
        load_text("x.c", &text, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
    };
    let Some(solver) = or_skip(smt::find(None)) else { return };
    let open = |program: &Program| {
        let all = decisions(program, &solver);
        all.into_iter().filter(|(_, d)| *d != Decision::Proved).map(|(id, _)| id).collect::<Vec<_>>()
    };
    let (lemma, adds) = (
        "sum{K}(a, n) == sum{L}(a, n)",
        "/*@ loop invariant 0 <= i <= n && s == sum((int *)a + 0, i); */ for (; i < n; i++) s += a[i];"
            .replace("(int *)a + 0", "a"),
    );
    assert_eq!(open(&of(lemma, &adds, "s == sum(a, n)")), [""; 0]);
    assert_eq!(open(&of(lemma, &adds, "s == sum(a, n) + 1")), ["main.assertion.1"]);
    assert_eq!(open(&of(lemma, &adds.replace("s += a[i]", "s += a[0]"), "s == s")), ["main.invariant.1.preserved"]);
    // That the rest of the array does not matter takes an induction.
    let changes = "Then: a[n - 1] = 3;";
    let claim = "sum(a, n - 1) == sum{Then}(a, n - 1)";
    assert_eq!(open(&of(lemma, changes, claim)), [""; 0]);
    assert_eq!(open(&of("sum{K}(a, 0) == 0 && sum{L}(a, 0) == 0", changes, claim)), ["main.assertion.1"]);
    assert_eq!(open(&of(lemma, changes, "sum(a, n) == sum{Then}(a, n)")), ["main.assertion.1"]);
}

#[test]
fn a_pointer_whose_values_lead_nowhere_is_not_resolved() {
    let body = annotated(
        "int *q = 0, *s = 0, *p = a, *r = a; for (; i < n; i++) { q = s; s = q; } p = q; x = p == r; //# check x == 1; #//",
    );
    if let Some(open) = open(&body) {
        assert_eq!(open, ["main.assertion.1"]);
    }
}

#[test]
fn a_snapshot_that_is_taken_again_ends_what_was_known_of_it() {
    let with = |claim: &str| {
        annotated(&format!(
            "Here1: x = 1; //# assert \\at(x, Here1) == 3; #// \
             while (i < n) {{ i++; Here2: x = x + 1; //# check {claim}; #// }}"
        ))
    };
    only_the_first_is_proved(&with("\\at(x, Here2) == x - 1"), &with("\\at(x, Here2) == \\at(x, Here1)"));
}

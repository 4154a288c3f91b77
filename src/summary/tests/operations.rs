//! What the closed forms show of operations, and what they must not.

use super::super::{Decision, Summary};
use super::program_of;
use crate::fuzz::or_skip;
use crate::inline::inline;
use crate::program::{ObligationKind, Program, obligations};
use crate::smt::{self, Solver};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const DECLARED: &str = "void *malloc(__SIZE_TYPE__); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n\
                        extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
                        struct pair { int a, b[4]; };\n";
const KINDS: [ObligationKind; 3] = [ObligationKind::Bounds, ObligationKind::Overflow, ObligationKind::Division];

fn program(declarations: &str, body: &str) -> Program {
    let body = body.replace("input()", "__VERIFIER_nondet_int()");
    program_of(&format!("{DECLARED} {declarations}"), &body)
}

/// The conditions of operations that are not shown, without a solver.
fn open(declarations: &str, body: &str) -> Vec<String> {
    open_with(None, declarations, body)
}

fn open_with(solver: Option<&dyn Solver>, declarations: &str, body: &str) -> Vec<String> {
    let program = program(declarations, body);
    let checks = obligations(&program, &KINDS);
    let wanted: BTreeSet<_> = checks.iter().map(|o| o.key).collect();
    let summary = Summary::of_operations(&inline(&program), Some(&wanted), || false).expect("no jumps backward");
    let until = Instant::now() + Duration::from_secs(60);
    let is_shown = |key| matches!(summary.decide(key, solver, until), Decision::Proved(_));
    checks.into_iter().filter(|o| !is_shown(o.key)).map(|o| o.condition).collect()
}

#[track_caller]
fn all_hold(body: &str) {
    assert_eq!(open("", body), [""; 0], "{body}");
}

/// That this is all that is not shown. Each of these operations is undefined in some run.
#[track_caller]
fn only(body: &str, conditions: &[&str]) {
    assert_eq!(open("", body), conditions, "{body}");
}

/// A program that begins with a length from 1 to 1000.
fn with_length(body: &str) -> String {
    format!("int n = input(); if (n < 1 || n > 1000) return 0; {body}")
}

#[test]
fn indexes_that_no_linear_invariant_bounds() {
    let triangle = |size: &str| {
        format!(
            "int t[{size}], at = 0;
             for (int i = 0; i < 10; i++) for (int c = 0; c <= i; c++) {{ t[at] = c; at++; }}"
        )
    };
    all_hold(&triangle("55"));
    only(&triangle("54"), &["0 <= at && at < 54"]);
    all_hold("int m[100]; for (int i = 0; i < 10; i++) for (int c = 0; c < 10; c++) m[i * 10 + c] = i;");
    only(
        "int m[100]; for (int i = 0; i < 10; i++) for (int c = 0; c < 11; c++) m[i * 10 + c] = i;",
        &["0 <= i * 10 + c && i * 10 + c < 100"],
    );
    all_hold("int a[20], j = 0; for (int k = 0; k < 10; k += 2) { a[j] = k; j += 4; }");
    only("int a[20], j = 0; for (int k = 0; k < 12; k += 2) { a[j] = k; j += 4; }", &["0 <= j && j < 20"]);
}

#[test]
fn pointers_into_blocks_whose_size_depends_on_the_iteration() {
    let rows = |last: &str| {
        with_length(&format!(
            "int **r = malloc(n * sizeof(int *));
             for (int i = 0; i < n; i++) {{
                 r[i] = malloc((i + 1) * sizeof(int));
                 for (int c = 0; c <= i; c++) r[i][c] = c;
             }}
             int x = r[n - 1][{last}];"
        ))
    };
    all_hold(&rows("n - 1"));
    only(&rows("n"), &["r[n - 1][n] is valid"]);
    let walk = |end: &str| {
        with_length(&format!("int *a = calloc(n, sizeof(int)); for (int *p = a; p < a + {end}; p++) *p = 1;"))
    };
    all_hold(&walk("n"));
    assert!(open("", &walk("(n + 1)")).contains(&"*p is valid".to_owned()));
}

#[test]
fn pointers_that_may_be_null_or_unset_are_not_valid() {
    only("int x = 0, *p = input() ? &x : 0; *p = 1;", &["*p is valid"]);
    all_hold("int x = 0, *p = input() ? &x : 0; if (p) *p = 1;");
    only("int x = 0, *p; if (input()) p = &x; *p = 1;", &["*p is valid"]);
    only("int *q[2]; int x = 0; q[0] = &x; *q[1] = 1;", &["*q[1] is valid"]);
    only("int *p; { int x = 0; p = &x; } *p = 1;", &["*p is valid"]);
    only("int *p = 0; for (int i = 0; i < 2; i++) { int x = 0; if (i == 1) *p = 1; p = &x; }", &["*p is valid"]);
    all_hold("struct pair s; int *p = s.b; for (int i = 0; i < 4; i++) p[i] = 0;");
    only("struct pair s; int *p = s.b; for (int i = 0; i < 5; i++) p[i] = 0;", &["p[i] is valid"]);
    only("int x = 0; char *p = (char *)&x; p[3] = 1;", &["p[3] is valid"]);
}

#[test]
fn sums_fit_where_the_closed_form_says_so() {
    let Some(solver) = or_skip(smt::find(None)) else { return };
    let open = |body: &str| open_with(Some(&solver), "", body);
    assert_eq!(open(&with_length("int s = 0; for (int i = 0; i < n; i++) s += i;")), [""; 0]);
    let sum = "INT_MIN <= s + i && s + i <= INT_MAX";
    assert_eq!(open("int n = input(), s = 0; for (int i = 0; i < n; i++) s += i;"), [sum]);
    all_hold("int s = 0; for (int i = 0; i < 1000; i++) s += 7;");
    only("int s = 0; for (int i = 0; i < 1000; i++) s += 2147484;", &["s + 2147484 <= INT_MAX"]);
}

#[test]
fn nothing_is_presumed_that_only_a_later_operation_makes_true() {
    // The loop ends, or its counter overflows.
    let end = "i + 1 <= INT_MAX";
    only("int b = input(), i; for (i = 0; i != b; i++) { }", &[end]);
    all_hold("int b = input(), i; if (b < 0) return 0; for (i = 0; i != b; i++) { }");
    let search = "int n = input(); if (n < 1 || n > 9) return 0; int a[n]; int i = 0;";
    all_hold(&format!("{search} while (i < n && a[i] != 0) i++;"));
    only(&format!("{search} while (a[i] != 0 && i < n) i++;"), &["0 <= i && i < len"]);
    only(&format!("{search} for (; i <= n; i++) a[i] = 0;"), &["0 <= i && i < len"]);
    // The division says that `d` is not 0, but only afterwards.
    only("int d = input(), x = 3; if (d == -1) return 0; x = x % d; x = 5 / d;", &["d != 0", "d != 0"]);
}

#[test]
fn divisions_and_shifts() {
    only("int a = input(), b = input(); if (b == 0) return 0; a = a / b;", &["!(a == INT_MIN && b == -1)"]);
    all_hold("int a = input(), b = input(); if (b < 1) return 0; a = a % b;");
    only("int k = 0; for (int i = 0; i < 4; i++) k = 12 / (3 - i);", &["3 - i != 0"]);
    all_hold("int k = 0; for (int i = 0; i < 31; i++) k = 1 << i;");
    only("int k = 0; for (int i = 0; i < 32; i++) k = 1 << i;", &["0 <= i && i < 32 && 0 <= 1 && 1 << i <= INT_MAX"]);
    all_hold("unsigned k = 0; for (int i = 0; i < 32; i++) k = 1u << i;");
}

#[test]
fn arguments_have_the_numbers_of_the_call() {
    let call = |declarations: &str, body: &str| open(declarations, body);
    let f = "static int f(int x, int y) { return x / y; }";
    assert_eq!(call(f, "int a[3] = {1, 2, 3}; int r = f(a[2], 7); r = f(a[1], 2);"), [""; 0]);
    assert_eq!(call(f, "int a[3] = {1, 2, 3}, k = 3; int r = f(a[k], a[1]);"), ["0 <= k && k < 3"]);
    assert_eq!(call(f, "int z = input(); int r = f(1, 2); r = f(1, z);"), ["y != 0"]);
    let recursive = "static int f(int x) { if (x > 0) f(x - 1); return 3 / x; }";
    assert!(call(recursive, "f(1);").contains(&"x != 0".to_owned()), "it is called with 0 as well");
    assert_eq!(call("static int never(unsigned x) { return 3 / x; }", ""), ["x != 0"]);
}

#[test]
fn whether_all_operations_are_defined() {
    let defined = |body: &str| {
        let summary = Summary::of_operations(&inline(&program("", body)), None, || false).expect("no jumps backward");
        summary.all_hold(Instant::now() + Duration::from_secs(60))
    };
    assert!(defined("int a[10]; for (int i = 0; i < 10; i++) a[i] = i; int *p = a; p = p + 10;"));
    assert!(!defined("int a[10]; for (int i = 0; i < 10; i++) a[i] = i; int *p = a; p = p + 11;"));
    assert!(!defined("int a[10]; for (int i = 0; i <= 10; i++) a[i] = i;"));
}

mod scalars;

use super::*;
use crate::lower::{LowerOptions, load_text};
use crate::reduce::normal::Inlined;

/// What the programs of these tests begin with.
const HEAD: &str = "extern int input(void); extern unsigned any(void); extern void __VERIFIER_assume(int); extern void exit(int);\n\
                    extern void __VERIFIER_assert(int);\n";

/// The assertions of a program that are not shown.
fn open(body: &str) -> Vec<String> {
    let text = format!("{HEAD}int main(void) {{ {body} return 0; }}").replace("assert(", "__VERIFIER_assert(");
    let text = text.replace("__VERIFIER___VERIFIER_", "__VERIFIER_");
    let program = load_text("x.c", &text, &LowerOptions::default()).expect("a program");
    let inlined = Inlined::new(&program);
    let summary = Summary::of(&inlined, || false).expect("no jumps backward");
    let ids = (0..).map(AssertionId).zip(&program.assertions);
    let open: Vec<String> = ids.filter(|(id, _)| !summary.holds(*id)).map(|(_, a)| a.condition.clone()).collect();
    assert!(!program.assertions.is_empty(), "{text}");
    open
}

pub(super) fn all_hold(body: &str) {
    assert_eq!(open(body), [""; 0], "{body}");
}

/// That nothing is shown of a program whose assertion fails in some run.
pub(super) fn is_open(body: &str) {
    assert_eq!(open(body).len(), 1, "{body}");
}

/// A program that begins with a length of at least 1.
pub(super) fn with_length(body: &str) -> String {
    format!("int n = input(); if (n < 1) return 0; int a[n]; int i, s = 0; {body}")
}

#[test]
fn straight_code_and_branches() {
    all_hold("int x = input(), y; if (x > 3) y = x; else y = 4; assert(y > 3);");
    is_open("int x = input(), y; if (x > 3) y = x; else y = 3; assert(y > 3);");
    all_hold("int x = input(); __VERIFIER_assume(x > 3); assert(x != 3);");
    all_hold("int x = 1; int *p = &x; *p = 2; assert(x == 2);");
    is_open("int x = 1, y = 2; int *p = input() ? &x : &y; *p = 3; assert(x == 1);");
    all_hold(
        "struct { int a, b[2]; } s, t; s.a = 1; s.b[0] = 2; s.a = 3; assert(s.b[0] == 2); t.a = s.a; assert(t.a == 3);",
    );
    all_hold("unsigned char c = 255; c++; assert(c == 0);");
    is_open("unsigned x = any(); assert(x + 1 > x);");
}

#[test]
fn counters_and_sums() {
    all_hold("int n = input(), s = 0; if (n < 0) return 0; for (int i = 0; i < n; i++) s += 2; assert(s == 2 * n);");
    is_open("int n = input(), s = 0; for (int i = 0; i < n; i++) s += 2; assert(s == 2 * n);");
    is_open("int n = input(), s = 0; if (n < 0) return 0; for (int i = 0; i <= n; i++) s += 2; assert(s == 2 * n);");
    all_hold(
        "int n = input(), s = 0; if (n < 0) return 0; for (int i = n - 1; i >= 0; i--) s += 2; assert(s == 2 * n);",
    );
    all_hold("int n = input(), i = 0; if (n < 0) return 0; while (i != n) i++; assert(i == n);");
    all_hold("int i = 0; do i++; while (i < 10); assert(i == 10);");
    is_open("int n = input(), i = 0; do i++; while (i < n); assert(i == n);");
    all_hold(
        "int n = input(), x = 1; if (n < 0 || n > 20) return 0; for (int i = 0; i < n; i++) x = 2 * x; assert(x >= 1);",
    );
    is_open(
        "int n = input(), x = 1; if (n < 0 || n > 20) return 0; for (int i = 0; i < n; i++) x = 2 * x; assert(x >= 2);",
    );
}

#[test]
fn arrays_that_loops_fill() {
    all_hold(&with_length(
        "for (i = 0; i < n; i++) a[i] = 2 * i + 2; for (i = 0; i < n; i++) assert(a[i] == 2 * i + 2);",
    ));
    is_open(&with_length(
        "for (i = 1; i < n; i++) a[i] = 2 * i + 2; for (i = 0; i < n; i++) assert(a[i] == 2 * i + 2);",
    ));
    is_open(&with_length("for (i = 0; i < n - 1; i++) a[i] = 1; for (i = 0; i < n; i++) assert(a[i] == 1);"));
    all_hold(&with_length("for (i = 0; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) s += a[i]; assert(s == n);"));
    is_open(&with_length("for (i = 0; i < n; i++) a[i] = 1; for (i = 1; i < n; i++) s += a[i]; assert(s == n);"));
    all_hold(&with_length(
        "for (i = 0; i < n; i++) { if (i == 0) a[i] = 0; else a[i] = 1; } for (i = 0; i < n; i++) s += a[i]; \
         assert(s == n - 1);",
    ));
    all_hold(
        "int a[100], s = 0, t = 0; for (int i = 0; i < 100; i++) a[i] = input(); for (int i = 0; i < 100; i++) s += a[i]; \
         for (int i = 99; i >= 0; i--) t += a[i]; assert(s == t);",
    );
    is_open(
        "int a[100], s = 0, t = 0; for (int i = 0; i < 100; i++) a[i] = input(); for (int i = 0; i < 100; i++) s += a[i]; \
         for (int i = 99; i > 0; i--) t += a[i]; assert(s == t);",
    );
    is_open("int a[9]; for (int i = 0; i < 9; i++) a[i] = input(); assert(a[1] == a[2]);");
}

#[test]
fn unsigned_counters_stay_in_range_until_the_end() {
    all_hold(
        "unsigned a[100]; for (unsigned i = 0; i < 100u; i++) a[i] = i; for (unsigned i = 0; i < 100u; i++) assert(a[i] == i);",
    );
    is_open(
        "unsigned char i = 0; unsigned s = 0; while (i != 255) { i++; if (s < 9) s += input() != 0; } assert(s == 9);",
    );
}

#[test]
fn loops_that_are_left_early_end_in_the_first_such_iteration() {
    is_open(&with_length(
        "for (i = 0; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) if (i == 3) break; assert(i == n);",
    ));
    all_hold(&with_length("for (i = 0; i < n; i++) if (i == 3) break; assert(i <= 3);"));
    is_open(&with_length("for (i = 0; i < n; i++) if (i == 3) break; assert(i < 3);"));
}

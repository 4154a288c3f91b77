mod scalars;

use super::*;
use crate::lower::{LowerOptions, load_text};
use crate::reduce::normal::Inlined;

mod memory;
mod operations;

/// What the programs of these tests begin with.
const HEAD: &str = "extern int input(void); extern unsigned any(void); extern void __VERIFIER_assume(int); extern void exit(int);\n\
                    extern void __VERIFIER_assert(int);\n";

fn program_of(declarations: &str, body: &str) -> Program {
    let text = format!("{HEAD}{declarations}\nint main(void) {{ {body} return 0; }}");
    let text = text.replace("assert(", "__VERIFIER_assert(");
    let text = text.replace("__VERIFIER___VERIFIER_", "__VERIFIER_");
    load_text("x.c", &text, &LowerOptions::default()).expect("a program")
}

/// The assertions of a program that are not shown.
fn open(body: &str) -> Vec<String> {
    open_beside("", body)
}

/// The assertions of a program with declarations of its own that are not shown.
fn open_beside(declarations: &str, body: &str) -> Vec<String> {
    let program = program_of(declarations, body);
    let inlined = Inlined::new(&program);
    let summary = Summary::of(&inlined, || false).expect("no jumps backward");
    let ids = (0..).map(AssertionId).zip(&program.assertions);
    let open: Vec<String> = ids.filter(|(id, _)| !summary.holds(*id)).map(|(_, a)| a.condition.clone()).collect();
    assert!(!program.assertions.is_empty(), "{body}");
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
fn jumps_backward_are_refused() {
    for body in [
        "int x = 0; l: assert(x == 0); x = 1; if (input() == 2) goto l;",
        "int n = input(); if (n > 3) { if (n < 3) { l: assert(0); } } if (n == 2) goto l;",
        "int i; for (i = 0; i < 3; i++) { int y = 0; l: assert(y == 0); y++; if (i == 1 && y < 3) goto l; }",
    ] {
        let program = program_of("", body);
        let inlined = Inlined::new(&program);
        assert!(Summary::of(&inlined, || false).is_err(), "{body}");
    }
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

#[test]
fn values_of_a_type_stay_what_they_are_under_conversions() {
    all_hold("int x = input(); unsigned u = (unsigned)x; assert((int)u == x);");
    is_open("int x = input(); unsigned u = (unsigned)x; assert(u >= 0 && (long)u == x);");
    all_hold(&with_length(
        "for (unsigned k = 0; k < (unsigned)n; k++) a[k] = 3; for (i = 0; i < n; i++) assert(a[i] == 3);",
    ));
    is_open(&with_length(
        "for (unsigned k = 1; k < (unsigned)n; k++) a[k] = 3; for (i = 0; i < n; i++) assert(a[i] == 3);",
    ));
}

#[test]
fn searches_and_compactions() {
    let read = "for (i = 0; i < n; i++) a[i] = input(); int x = input();";
    all_hold(&with_length(&format!(
        "{read} for (i = 0; i < n; i++) if (a[i] == x) break; if (i < n) assert(a[i] == x);"
    )));
    is_open(&with_length(&format!(
        "{read} for (i = 0; i < n; i++) if (a[i] == x) break; if (i < n) assert(a[0] == x);"
    )));
    let keep = "int b[n]; int j = 0; for (i = 0; i < n; i++) if (a[i] >= 0) { b[j] = a[i]; j++; }";
    all_hold(&with_length(&format!("{read} {keep} for (i = 0; i < j; i++) assert(b[i] >= 0);")));
    is_open(&with_length(&format!("{read} {keep} for (i = 0; i <= j && i < n; i++) assert(b[i] >= 0);")));
    is_open(&with_length(&format!("{read} {keep} for (i = 0; i < j; i++) assert(b[i] > 0);")));
}

#[test]
fn unknowns_have_the_names_of_what_holds_them() {
    let body = "int n = any(), m = any(); int a[9], n2; for (int i = 0; i < 9; i++) a[i] = any(); n = any(); return 0;";
    let text = format!("extern int any(void); int main(void) {{ {body} }}").replace("any(", "__VERIFIER_nondet_int(");
    let program = load_text("x.c", &text, &LowerOptions::default()).expect("a program");
    let inlined = Inlined::new(&program);
    let (resolved, body) = inlined.parts().expect("a body");
    let summary = Summary::new(resolved, body, || false).expect("no jumps backward");
    let end = summary.points.last().expect("a point at the end");
    let shown = |name: &str| {
        let mut found =
            end.values.iter().filter(|(r, _)| r.variable().is_some_and(|v| resolved.variable(v).name == name));
        summary.context.show(*found.next().expect("it is there").1)
    };
    // The name of a variable is no name of an unknown of another one.
    assert_eq!(["n", "m", "n2"].map(shown), ["n3", "m", "n20"]);
    assert!(shown("a").contains("a(k)") && shown("a").contains("else a[k]"), "{}", shown("a"));
}

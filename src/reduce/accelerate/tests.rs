//! Which programs have closed forms that prove their assertion.

use super::super::normal::nest;
use crate::lower::{LowerOptions, load_text};
use crate::program::AssertionId;

fn proves(body: &str) -> bool {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void abort(void);
         int main(void) {{ int n = __VERIFIER_nondet_int(); if (n <= 0) abort(); int i; int j; {body} return 0; }}"
    );
    let program = load_text("t.c", &text, &options).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    super::prove(&nest(&program, AssertionId(0)).unwrap()).is_ok()
}

#[test]
fn what_grows_by_a_constant_has_a_closed_form() {
    assert!(proves("int s = 0; for (i = 0; i < n; i++) s = s + 2; __VERIFIER_assert(s == 2 * n);"));
    assert!(!proves("int s = 0; for (i = 0; i < n; i++) s = s + 2; __VERIFIER_assert(s == 2 * n + 1);"));
    assert!(!proves("int s = 0; for (i = 1; i < n; i++) s = s + 2; __VERIFIER_assert(s == 2 * n);"));
}

#[test]
fn figure_6_1_counters_and_products_are_accelerated_and_what_depends_on_cells_is_not() {
    assert!(proves("int k = 0; for (i = 0; i < n; i++) { k = k + i * 2; } __VERIFIER_assert(k == n * (n - 1));"));
    assert!(!proves("int a[n]; int f = 0; for (i = 0; i < n; i++) { f = f + a[i]; } __VERIFIER_assert(f == n);"));
}

#[test]
fn cells_are_what_their_iteration_wrote() {
    assert!(proves(
        "int a[n]; int s = 0; for (i = 0; i < n; i++) a[i] = i + 1; for (i = 0; i < n; i++) s = s + a[i];
         __VERIFIER_assert(2 * s == n * (n + 1));"
    ));
    assert!(proves(
        "int a[n]; for (i = 0; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) { if (a[i] == 1) a[i] = a[i] + 4; else a[i] = 0; }
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 5);"
    ));
    assert!(!proves(
        "int a[n]; for (i = 1; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 1);"
    ));
    assert!(!proves(
        "int a[n]; for (i = 0; i < n; i++) a[i] = 1; a[j] = 2; for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 1);"
    ));
}

#[test]
fn cells_that_follow_each_other_are_a_sum() {
    assert!(proves(
        "int a[n]; int b[n]; a[0] = 1; b[0] = 1; for (i = 1; i < n; i++) b[i] = b[i - 1] + 2;
         for (i = 1; i < n; i++) a[i] = a[i - 1] + b[i - 1] + 2;
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == (i + 1) * (i + 1));"
    ));
    assert!(proves(
        "int a[n]; for (i = 0; i < n; i++) { if (i == 0) a[0] = 6; else a[i] = a[i - 1] + 6; }
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 6 * (i + 1));"
    ));
}

#[test]
fn the_first_iteration_may_be_another_than_the_others() {
    let sum = |right: &str| {
        format!(
            "int a[n]; int s; for (i = 0; i < n; i++) a[i] = 3;
             for (i = 0; i < n; i++) {{ if (i == 0) s = 0; else s = s + a[i]; }} __VERIFIER_assert({right});"
        )
    };
    assert!(proves(&sum("s == 3 * n - 3")));
    assert!(proves(&sum("s < 3 * n")));
    assert!(!proves(&sum("s == 3 * n")));
}

#[test]
fn nested_loops_are_accelerated_from_inside_out() {
    assert!(proves(
        "int s = 0; int a[n]; for (i = 0; i < n; i++) a[i] = 1;
         for (i = 0; i < n; i++) { for (j = 0; j < n; j++) s = s + a[i]; } __VERIFIER_assert(s == n * n);"
    ));
    assert!(proves(
        "int a[n]; int b[n]; for (i = 0; i < n; i++) b[i] = 0;
         for (i = 0; i < n; i++) for (j = 0; j < i; j++) b[j] = b[j] + a[j];
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == (n - i - 1) * a[i]);"
    ));
    assert!(!proves(
        "int a[n]; int b[n]; for (i = 0; i < n; i++) b[i] = 0;
         for (i = 0; i < n; i++) for (j = 0; j < i; j++) b[j] = b[j] + a[j];
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == (n - i) * a[i]);"
    ));
    assert!(proves(
        "int b[n]; for (i = 0; i < n; i++) b[i] = 1;
         for (i = 0; i < n; i++) for (j = i; j < n; j++) b[j] = b[j] + 1;
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == i + 2);"
    ));
    assert!(proves(
        "int b[n]; for (i = 0; i < n; i++) b[i] = 1;
         for (i = 0; i < n; i++) { for (j = i; j < n; j++) b[i] = b[i] + 1; }
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == n - i + 1);"
    ));
}

#[test]
fn an_input_in_a_loop_is_another_in_each_iteration() {
    assert!(!proves(
        "int s = 0; int t = 0; int x; for (i = 0; i < n; i++) { x = __VERIFIER_nondet_int(); s = s + x; t = x; }
         __VERIFIER_assert(s == n * t);"
    ));
    assert!(!proves(
        "int a[n]; for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == a[0]);"
    ));
}

#[test]
fn what_wraps_around_or_may_is_unknown() {
    assert!(!proves(
        "unsigned s = 0; for (i = 0; i < n; i++) s = s + 4000000000u; __VERIFIER_assert(s >= 0u && s / 2 != 7);"
    ));
    assert!(!proves("char c = 0; for (i = 0; i < n; i++) c = c + 1; __VERIFIER_assert(c == n);"));
}

#[test]
fn a_loop_that_may_not_run_leaves_what_was_there() {
    assert!(!proves("int s = 5; for (i = 1; i < n; i++) s = 7; __VERIFIER_assert(s == 7);"));
    assert!(proves("int s = 5; for (i = 0; i < n; i++) s = 7; __VERIFIER_assert(s == 7);"));
    assert!(!proves(
        "int s = 5; int m = __VERIFIER_nondet_int(); for (i = 0; i < m; i++) s = s + 1; __VERIFIER_assert(s == m + 5);"
    ));
}

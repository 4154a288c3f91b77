//! Scalars and exits: programs, each with twins in which the assertion fails for some input.

use super::{all_hold, is_open, with_length};

/// A program that begins with a length that may be 0 and negative as well.
fn with_any_length(body: &str) -> String {
    format!("int n = input(); if (n > 1000) return 0; int a[1000]; int i, s = 0; {body}")
}

#[test]
fn tests_of_the_iteration_number_split_the_loop() {
    for update in
        ["if (i == 0) s = 0; else s += a[i];", "if (i > 0) s = s + a[i]; else s = 0;", "s = i == 0 ? 0 : s + a[i];"]
    {
        let program = |from: &str, end: &str| {
            with_length(&format!(
                "s = 7; for (i = 0; i < n; i++) a[i] = 1; for (i = {from}; i < n; i++) {{ {update} }} assert(s == {end});"
            ))
        };
        all_hold(&program("0", "n - 1"));
        is_open(&program("0", "n"));
        is_open(&program("1", "n - 1"));
    }
    // Without a positive length the start is kept.
    all_hold(&with_any_length(
        "s = 7; for (i = 0; i < n; i++) if (i == 0) s = 0; else s += 2; assert(n <= 0 ? s == 7 : s == 2 * n - 2);",
    ));
    is_open(&with_any_length("s = 7; for (i = 0; i < n; i++) if (i == 0) s = 0; else s += 2; assert(s == 2 * n - 2);"));
    all_hold(&with_any_length(
        "int t = input(); for (i = 0; i < n; i++) if (i == t) s = 5; else s += 1; \
         assert(t >= 0 && t < n ? s == n - t + 4 : n <= 0 ? s == 0 : s == n);",
    ));
    is_open(&with_any_length(
        "int t = input(); for (i = 0; i < n; i++) if (i == t) s = 5; else s += 1; \
         assert(t >= 0 && t <= n ? s == n - t + 4 : n <= 0 ? s == 0 : s == n);",
    ));
    all_hold("int s = 1; for (int i = 0; i < 100; i++) if (i < 10) s = 2 * i; else s = s + 3; assert(s == 288);");
    is_open("int s = 1; for (int i = 0; i < 100; i++) if (i <= 10) s = 2 * i; else s = s + 3; assert(s == 288);");
}

#[test]
fn a_cell_that_every_iteration_updates_is_a_scalar() {
    let program = |first: &str, end: &str| {
        with_length(&format!(
            "int t[1]; for (i = 0; i < n; i++) a[i] = 3; \
             for (i = 0; i < n; i++) {{ if (i == {first}) t[0] = 0; else t[0] = t[0] + a[i]; }} assert(t[0] == {end});"
        ))
    };
    all_hold(&program("0", "3 * (n - 1)"));
    is_open(&program("0", "3 * n"));
    is_open(&program("1", "3 * (n - 1)"));
}

#[test]
fn what_was_assumed_in_all_iterations_holds_after_the_loop() {
    let program = |assume: &str, goal: &str| {
        with_length(&format!(
            "for (i = 0; i < n; i++) {{ a[i] = input(); {assume} }} int k = input(); \
             if (0 <= k && k < n) assert({goal});"
        ))
    };
    for assume in ["__VERIFIER_assume(a[i] > 3);", "if (a[i] <= 3) exit(1);"] {
        all_hold(&program(assume, "a[k] > 2"));
        is_open(&program(assume, "a[k] > 4"));
    }
    is_open(&program("if (i > 0) __VERIFIER_assume(a[i] > 3);", "a[k] > 2"));
}

#[test]
fn cells_that_are_updated_once() {
    let program = |update: &str, goal: &str| {
        with_length(&format!(
            "for (i = 0; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) {{ {update} }} \
             for (i = 0; i < n; i++) assert({goal});"
        ))
    };
    all_hold(&program("a[i] = 2 * a[i] + i;", "a[i] == i + 2"));
    is_open(&program("a[i] = 2 * a[i] + i;", "a[i] == i + 1"));
    all_hold(&program("if (i == 3) a[i] = a[i] * a[i] + 6;", "a[i] == (i == 3 ? 7 : 1)"));
    is_open(&program("if (i == 3) a[i] = a[i] * a[i] + 6;", "a[i] == 1"));
}

#[test]
fn powers_and_repeated_values() {
    let program = |start: &str, update: &str, goal: &str| {
        format!(
            "int n = input(); if (n < 0 || n > 20) return 0; int x = {start}, p = 1; \
             for (int i = 0; i < n; i++) {{ {update} p = 2 * p; }} assert({goal});"
        )
    };
    all_hold(&program("0", "x = 2 * x + 1;", "x == p - 1"));
    is_open(&program("1", "x = 2 * x + 1;", "x == p - 1"));
    all_hold(&program("5", "x = 2 * x + i;", "x == 6 * p - n - 1"));
    is_open(&program("5", "x = 2 * x + i;", "x == 6 * p - n"));
    all_hold(&program("3", "x = 10 - x;", "x == (n % 2 == 0 ? 3 : 7)"));
    is_open(&program("3", "x = 10 - x;", "x == (n % 2 == 1 ? 3 : 7)"));
    all_hold(&program("0", "x = !x;", "x == n % 2"));
    is_open(&program("1", "x = !x;", "x == n % 2"));
    for update in ["x = (x + 1) % 7;", "if (x == 6) x = 0; else x++;", "x++; if (x >= 7) x = 0;"] {
        all_hold(&program("0", update, "x == n % 7"));
        is_open(&program("1", update, "x == n % 7"));
    }
    all_hold(&program("40", "if (x <= 20) x = 40; else x--;", "x == 40 - n % 21"));
    is_open(&program("40", "if (x < 20) x = 40; else x--;", "x == 40 - n % 20"));
}

#[test]
fn saturation() {
    let program = |update: &str, goal: &str| {
        with_any_length(&format!(
            "for (i = 0; i < n; i++) {{ {update} }} if (n < 0) n = 0; if (s > 10 || n > 10) assert({goal}); else \
             assert(s == n);"
        ))
    };
    for update in ["if (s < 10) s++;", "s = s < 10 ? s + 1 : s;", "s++; if (s > 10) s = 10;"] {
        all_hold(&program(update, "s == 10"));
        is_open(&program(update, "s == 11"));
        is_open(&program(update, "s == n"));
    }
}

#[test]
fn searches_end_at_the_first_hit() {
    for search in [
        "r = n; for (i = 0; i < n; i++) if (a[i] == x) { r = i; break; }",
        "r = n; for (i = 0; i < n; i++) if (a[i] == x && r == n) r = i;",
        "r = 0; while (r < n && a[r] != x) r++;",
        "r = n; i = 0; while (i < n && r == n) { if (a[i] == x) r = i; i++; }",
        "int found = 0; i = 0; r = n; while (i < n && !found) { if (a[i] == x) { found = 1; r = i; } i++; }",
    ] {
        let program = |goal: &str| with_length(&format!("int x = input(), r; {search} assert({goal});"));
        all_hold(&program("0 <= r && r <= n"));
        is_open(&program("0 <= r && r < n"));
        is_open(&program("r == n"));
    }
}

#[test]
fn jumps_out_of_a_loop_are_exits() {
    let program = |goal: &str| {
        with_length(&format!(
            "int r = -1; for (i = 0; i < n; i++) {{ if (i == 7) {{ r = i; goto out; }} s += 2; }} r = n; \
             out: assert({goal});"
        ))
    };
    all_hold(&program("n > 7 ? r == 7 && s == 14 : r == n && s == 2 * n"));
    is_open(&program("n >= 6 ? r == 7 && s == 14 : r == n && s == 2 * n"));
    is_open(&program("r == 7"));
    is_open(&program("n > 7 ? s == 16 : s == 2 * n"));
}

#[test]
fn the_greatest_element_and_its_index() {
    for update in [
        "if (a[i] > m) { m = a[i]; at = i; }",
        "if (m < a[i]) { at = i; m = a[i]; }",
        "at = a[i] > m ? i : at; m = a[i] > m ? a[i] : m;",
        "if (a[i] <= m) ; else { at = i; m = a[i]; }",
    ] {
        let program = |goal: &str| {
            with_length(&format!(
                "for (i = 0; i < n; i++) a[i] = i < 5 ? i : 9 - i; int m = a[0], at = 0; \
                 for (i = 0; i < n; i++) {{ {update} }} assert({goal});"
            ))
        };
        all_hold(&program("m >= a[0]"));
        is_open(&program("m > a[0]"));
        is_open(&program("at > 0"));
    }
}

#[test]
fn flags_in_every_spelling() {
    let program = |update: &str, goal: &str| {
        with_length(&format!(
            "int ok = 1; for (i = 0; i < n; i++) a[i] = i; for (i = 0; i < n; i++) {{ {update} }} assert({goal});"
        ))
    };
    for update in ["if (a[i] < 0) ok = 0;", "ok = ok && a[i] >= 0;", "ok = a[i] < 0 ? 0 : ok;", "ok &= a[i] >= 0;"] {
        all_hold(&program(update, "ok"));
        is_open(&program(update, "!ok"));
    }
    is_open(&program("if (a[i] == 3) ok = 0;", "ok"));
    all_hold(&program("if (a[i] == 3 && ok == 1) ok = 7;", "ok == (n > 3 ? 7 : 1)"));
    is_open(&program("if (a[i] == 3 && ok == 1) ok = 7;", "ok == 7"));
}

#[test]
fn a_loop_that_does_not_end_has_all_iterations() {
    // For a negative bound the sixth iteration is reached.
    is_open("int n = input(), i = 0; if (n >= 0) return 0; while (i != n) { assert(i < 5); i++; }");
    all_hold("int n = input(), i = 0; if (n >= 0) return 0; while (i != n) { assert(i >= 0); i++; }");
}

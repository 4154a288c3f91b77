//! Loop shrinking of programs with variables whose values depend on the number of the iteration.

use super::{open, proved};

#[test]
fn linear_variables_are_computed_from_the_number_of_the_iteration() {
    // A second counter as an index: in steps, downwards, with an unknown first value, and with an
    // input as its step.
    proved(
        "int main(void) { int a[2000]; int j = 1;
           for (int i = 0; i < 1000; i++) { a[j] = i; j = j + 2; }
           for (int i = 0; i < 1000; i++) __VERIFIER_assert(a[2 * i + 1] == i); }",
        1,
    );
    let program = |x: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 100000); int a[n];
               int x = __VERIFIER_nondet_int(); int d = __VERIFIER_nondet_int(); int first = x;
               __VERIFIER_assume(x > -1000 && x < 1000 && d > -1000 && d < 1000);
               for (int i = 0; i < n; i++) {{ a[i] = x; x = x + d; }}
               for (int i = 0; i < n; i++) __VERIFIER_assert({x}); }}"
        )
    };
    proved(&program("i > 2 || a[i] == (i == 2 ? first + 2 * d : i ? first + d : first)"), 1);
    open(&program("i != 2 || a[i] == first + d"), "the residual of some");
}

#[test]
fn the_value_after_the_loop_is_that_of_all_iterations() {
    let program = |value: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 100000); int a[n]; int x = 5; int t = 0;
               for (int i = 0; i < n; i++) {{ a[i] = t; t = !t; x = x + 3; }}
               __VERIFIER_assert(x == {value} && t == n % 2); }}"
        )
    };
    proved(&program("5 + 3 * n"), 1);
    open(&program("2 + 3 * n"), "the residual of some");
}

#[test]
fn figure_6_1_a_powers_are_computed_from_the_number_of_the_iteration() {
    // j and k of the figure: (n - 1) * 2 and 2^(n - 1).
    let program = |ty: &str, c: &str, value: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n <= 1000); {ty} a[1000]; int b[1000]; int j = 0; {ty} k = 1;
               for (int i = 0; i < n; i++) {{ b[i] = j; a[i] = k; j = j + 2; k = k * {c}; }}
               for (int i = 0; i < n; i++) __VERIFIER_assert(b[i] == 2 * i && ({value})); }}"
        )
    };
    // Unsigned numbers wrap around: from 2^32 on they are 0.
    proved(&program("unsigned", "2", "i < 32 ? a[i] == 1u << i : a[i] == 0"), 1);
    open(&program("unsigned", "2", "a[i] > 0"), "the residual of some");
    // Runs in which a signed number overflows end there, so they never reach assertions about later
    // iterations.
    proved(&program("int", "2", "i < 30 && a[i] == 1 << i"), 1);
    open(&program("int", "2", "i < 29 && a[i] > 0"), "the residual of some");
    // Products of odd factors never become 0.
    proved(&program("unsigned char", "3", "a[i] % 2 == 1"), 1);
    open(&program("unsigned char", "3", "a[i] != 1 || i == 0"), "the residual of some");
    // A narrow signed number is converted and does not overflow.
    proved(&program("short", "4", "i < 7 ? a[i] == 1 << 2 * i : i == 7 ? a[i] == 16384 : a[i] == 0"), 1);
}

#[test]
fn toggles_are_known_by_whether_the_number_of_the_iteration_is_even() {
    let program = |first: &str, change: &str, value: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0); int a[n]; int x = {first}; int y = x;
               for (int i = 0; i < n; i++) {{ a[i] = x; x = {change}; }}
               for (int i = 0; i < n; i++) __VERIFIER_assert({value}); }}"
        )
    };
    proved(&program("0", "!x", "a[i] == i % 2"), 1);
    open(&program("0", "!x", "a[i] == 1 - i % 2"), "the residual of some");
    let any = "__VERIFIER_nondet_int()";
    proved(&program(any, "1 - x", "a[i] == (i % 2 ? 1 - y : y)"), 1);
    proved(&program(any, "-x", "a[i] == (i % 2 ? -y : y)"), 1);
    proved(&program(any, "x ? 0 : 1", "i == 0 || a[i] == (i % 2 ? !y : !!y)"), 1);
    // Applying `!` twice does not give the number itself.
    open(&program(any, "!x", "a[i] == (i % 2 ? !y : y)"), "the residual of some");
    proved(&program(any, "x ^ 12", "a[i] == (i % 2 ? (y ^ 12) : y)"), 1);
}

#[test]
fn updates_that_come_round_are_known_by_the_remainder() {
    let program = |first: &str, change: &str, value: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0); int a[n]; int x = {first}; int y = x;
               for (int i = 0; i < n; i++) {{ a[i] = x; {change} }}
               for (int i = 0; i < n; i++) __VERIFIER_assert({value}); }}"
        )
    };
    let any = "__VERIFIER_nondet_int()";
    proved(&program("0", "x = (x + 1) % 3;", "a[i] == i % 3"), 1);
    proved(&program("2", "x = (x + 3) % 5;", "a[i] == (2 + 3 * (i % 5)) % 5"), 1);
    proved(&program("0", "x++; if (x == 4) x = 0;", "a[i] == i % 4"), 1);
    proved(&program("7", "x = x == 1 ? 1 : x - 2;", "i < 3 ? a[i] == 7 - 2 * i : a[i] == 1"), 1);
    let inside = "__VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < 1000)";
    proved(
        &program(
            inside,
            "x = (x + 1) % 1000;",
            "a[i] >= 0 && a[i] < 1000 && (i != 1 || a[i] == (y < 999 ? y + 1 : 0))",
        ),
        1,
    );
    // The remainder of a negative number may be negative.
    open(&program(any, "x = (x + 1) % 1000;", "a[i] >= 0 || i == 0"), "the residual of some");
    open(&program("0", "if (a[i] == 0) x = (x + 1) % 3;", "a[i] < 1"), "the residual of some");
    proved(&program("-2", "x = (x + 1) % 100;", "i > 2 || a[i] == i - 2"), 1);
    proved(&program("-4", "x = (x + 3) % 5;", "i < 2 ? a[i] == 3 * i - 4 : a[i] == (3 * (i % 5) + 1) % 5"), 1);
    // Its period is too long to be used.
    proved(&program("-20", "x = (x + 3) % 101;", "i < 7 ? a[i] == 3 * i - 20 : a[i] >= 0"), 1);
    proved(&program("-20", "x = (x + 300) % 100;", "a[i] == (i ? 80 : -20)"), 1);
    // If it starts lower, the first remainder is still negative.
    open(&program("-102", "x = (x + 3) % 101;", "i != 1 || a[i] >= 0"), "the residual of some");
    open(&program("-101", "x = (x + 3) % 101;", "i != 1 || a[i] >= 0"), "the residual of some");
}

#[test]
fn chains_of_copies_go_round() {
    let program = |change: &str, value: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0); int v[n]; int t;
               int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_int(); int c = __VERIFIER_nondet_int(); int x = a; int y = b; int z = c;
               for (int i = 0; i < n; i++) {{ v[i] = a; {change} }}
               for (int i = 0; i < n; i++) __VERIFIER_assert({value}); }}"
        )
    };
    proved(&program("t = a; a = b; b = c; c = t;", "v[i] == (i % 3 == 0 ? x : i % 3 == 1 ? y : z)"), 1);
    open(
        &program("t = a; a = b; b = c; c = t;", "v[i] == (i % 3 == 0 ? x : i % 3 == 1 ? z : y)"),
        "the residual of some",
    );
    // Without the temporary the first value is lost.
    proved(&program("a = b; b = c; c = a;", "i == 0 || v[i] == (i % 2 ? y : z)"), 1);
    open(&program("a = b; b = c; c = a;", "v[i] != x || i == 0 || x == y"), "the residual of some");
    proved(&program("a = b; b = c;", "v[i] == (i == 0 ? x : i == 1 ? y : z)"), 1);
}

//! The figures of chapter 9 of Kumar's thesis by their numbers, and cases outside its fragment.
//!
//! Parts of some figures are missing in the text that we have: those programs are rebuilt from the
//! prose.

use super::*;
use crate::lower::{LowerOptions, load_text};
use crate::program::print;
use crate::reduce::normal::normalise;

fn options() -> LowerOptions {
    LowerOptions { preprocess: false, ..LowerOptions::default() }
}

fn pruned(text: &str) -> Result<Pruned, String> {
    let program = load_text("t.c", text, &options()).expect("a program");
    let assertion = AssertionId(0);
    let normal = normalise(&program, assertion).map_err(|why| why.describe(&program))?;
    prune(&normal, assertion).map_err(|why| why.describe(&program))
}

/// The body of a `main` with arrays `a`, `b`, `c`, `d` of N cells and some scalars.
fn with(n: u32, body: &str) -> String {
    let body = body.replace('N', &n.to_string());
    let types = format!("int a[{n}], b[{n}], c[{n}], d[{n}]; int i, j, k, x, y, z, m, m1, m2, m3;");
    format!("{DECLARATIONS}int main(void) {{\n{types}\n{body}\nreturn 0;\n}}\n")
}

const DECLARATIONS: &str = "void __VERIFIER_assert(int c); int __VERIFIER_nondet_int(void);\n";

fn explanation(n: u32, body: &str) -> Explanation {
    match pruned(&with(n, body)) {
        Ok(pruned) => pruned.explanation,
        Err(why) => panic!("refused: {why}"),
    }
}

fn refusal(n: u32, body: &str) -> String {
    match pruned(&with(n, body)) {
        Ok(pruned) => panic!("not refused: {:?}", pruned.explanation),
        Err(why) => why,
    }
}

fn ends(e: &Explanation) -> Vec<i128> {
    e.loops.iter().map(|l| l.last).collect()
}

const FIGURE_9_1: &str = "
    m1 = a[0];
    for (i = 1; i < N; i++) if (m1 > a[i]) m1 = a[i];
    m2 = a[0];
    for (i = 1; i < N; i++) a[i - 1] = a[i];
    for (i = 0; i < N - 1; i++) if (m2 > a[i]) m2 = a[i];
    __VERIFIER_assert(m1 == m2);";

#[test]
fn figure_1_4_and_9_1_minimum_before_and_after_a_shift() {
    let e = explanation(100_000, FIGURE_9_1);
    // Table 9.1 has 18 programs with these numbers.
    assert_eq!((e.delta(), e.theta, e.assignments, e.gamma), (1, 1, 4, 12));
    assert_eq!(ends(&e), [12, 12, 11]);
}

#[test]
fn ten_million_cells_make_the_same_program_as_a_hundred_thousand() {
    let text = |n| print::to_c(&pruned(&with(n, FIGURE_9_1)).unwrap().program, &mut print::Plain);
    let small = text(100_000);
    assert_eq!(small, text(10_000_000));
    assert!(small.contains("int a[13]"), "{small}");
}

#[test]
fn figure_9_4_sums_and_cycles_through_scalars_and_cells_are_refused() {
    let loop_of = |body: &str, check: &str| {
        format!("for (i = 2; i < N; i++) {{ {body} }} for (j = 2; j < N; j++) __VERIFIER_assert({check});")
    };
    // Another variable keeps the running value of a sum.
    let why = refusal(100_000, &loop_of("m = m + b[i]; if (m > 7) z = 1;", "z < b[j]"));
    assert!(why.contains("constraint"), "{why}");
    let why = refusal(100_000, &loop_of("if (a[i] > y) x = a[i]; if (b[i] > x) y = b[i];", "x < b[j]"));
    assert!(why.contains("of earlier iterations (constraint 2)") || why.contains("constraint 1"), "{why}");
    let why = refusal(100_000, &loop_of("if (d[i - 2] > 0) d[i] = b[i];", "d[j] < 5"));
    assert!(why.contains("`d[i]` depends on its own value from an earlier iteration (constraint 1) (t.c:4:"), "{why}");
}

#[test]
fn figure_9_5_a_minimum_is_self_controlled_and_what_compares_another_cell_is_not() {
    let minimum = "for (i = 0; i < N; i++) if (m > a[i]) m = a[i]; __VERIFIER_assert(m <= 5);";
    let e = explanation(100_000, minimum);
    assert_eq!((e.delta(), e.assignments), (0, 2));
    assert_eq!(e.loops[0].patterns, ["m is a minimum or maximum"]);
    let other = "for (i = 0; i < N; i++) if (m > b[i]) m = a[i]; __VERIFIER_assert(m <= 5);";
    let why = refusal(100_000, other);
    assert!(why.contains("`m`") && why.contains("constraint"), "{why}");
}

#[test]
fn figure_9_6_conditions_with_several_distances_are_refused() {
    let conditions = |body: &str| format!("for (i = 0; i < N - 2; i++) {{ {body} }} __VERIFIER_assert(y + z > x);");
    let why = refusal(100_000, &conditions("if (a[i] > b[i + 1]) y = a[i];"));
    assert!(why.contains("`y`") && why.contains("the span is [0, 1] (constraint 2) (t.c:4:"), "{why}");
    // The cells of `d` are made of cells of `b` one further.
    let why = refusal(100_000, &conditions("if (a[i] > d[i]) z = a[i]; d[i + 1] = b[i + 2];"));
    assert!(why.contains("`z`") && why.contains("constraint 2"), "{why}");
    let e = explanation(100_000, &conditions("if (a[i] > b[i]) y = a[i + 1];"));
    assert_eq!((e.low, e.high), (0, 1));
}

#[test]
fn figure_9_6_the_span_of_a_cell_that_the_loop_makes_of_a_later_one() {
    let e = explanation(
        100_000,
        "for (i = 0; i < N - 2; i++) { x = d[i]; d[i + 1] = b[i + 2]; } __VERIFIER_assert(x != 3);",
    );
    let span = e.loops[0].spans.iter().find(|(name, _)| name == "d[i]").map(|(_, span)| *span);
    // The earlier iteration counts as well (its distance is -1); the thesis has [0, 1].
    assert_eq!(span, Some(Some((-1, 1))));
}

#[test]
fn figure_9_8_values_that_iterations_hand_on_take_more_iterations() {
    let e = explanation(
        100_000,
        "for (i = 0; i < N - 2; i += 2) {
           if (a[i] > 0) x = a[i + 2];
           if (b[i] > 0) y = b[i] + b[i + 2];
           if (c[i] > 0) z = x + y + c[i];
         }
         __VERIFIER_assert(z != 3);",
    );
    // x and y are of depth 1, z depends on both: one iteration for each, and one for the place of
    // the assertion.
    assert_eq!((e.low, e.high, e.theta, e.assignments), (0, 2, 2, 1 + 3));
    let all = explanation(
        100_000,
        "for (i = 0; i < N - 2; i += 2) {
           if (a[i] > 0) x = a[i + 2];
           if (b[i] > 0) y = b[i] + b[i + 2];
           if (c[i] > 0) z = x + y + c[i];
         }
         __VERIFIER_assert(z != 3 || x > y);",
    );
    assert_eq!(all.assignments, 1 + 3 + 1 + 1);
}

#[test]
fn figure_9_9_a_variable_that_depends_on_all_lesser_ones_takes_twice_as_many_as_the_last() {
    let body = "for (i = 0; i < N; i++) {
        if (a[i] > 0) m = x + y + z;
        if (b[i] > 0) z = x + y;
        if (c[i] > 0) y = x;
        if (d[i] > 0) x = d[i];
    }";
    // 1, 2, 4, 8: the sum is 2^k - 1 for k = 4, and with the place of the assertion 2^k.
    let e = explanation(100_000, &format!("{body} __VERIFIER_assert(m + x + y + z != 7);"));
    assert_eq!(e.assignments, 16);
    let e = explanation(100_000, &format!("{body} __VERIFIER_assert(m != 7);"));
    assert_eq!(e.assignments, 1 + 8);
}

const FIGURE_9_10: &str = "
    for (i = 1; i < N; i++) a[i - 1] = a[i];
    for (i = 0; i < N - 1; i += 2) {
      if (b[i] > 0) m1 = a[i];
      if (c[i] > 0) m2 = a[i];
      if (d[i] > 0) m3 = a[i];
    }
    __VERIFIER_assert(m1 + m2 + m3 != 1);";

#[test]
fn figure_9_10_cells_count_as_often_as_later_loops_ask_for_them() {
    let e = explanation(100_000, FIGURE_9_10);
    assert_eq!((e.low, e.high, e.theta), (-1, 0, 2));
    assert_eq!(e.loops[0].instances, [("a[i - 1]".to_owned(), 3)]);
    assert_eq!(e.assignments, 7);
}

#[test]
fn figure_9_11_the_bound_with_different_steps_and_cells_that_stay() {
    let program = |second: &str| {
        format!(
            "m1 = a[8];
             for (i = 0; i < N - 4; i += 2) if (m1 > a[i + 4]) m1 = a[i + 4];
             m2 = a[10];
             for (i = 10; i < {second}; i += 3) if (m2 > a[i - 3]) m2 = a[i - 3];
             for (i = 10; i < N - 35; i += 6) __VERIFIER_assert(m1 <= a[i] && m2 <= a[i]);"
        )
    };
    // The thesis says that the second loop ends with 9970 and 76. The text that we have of its
    // figure says N - 10.
    for (second, end) in [("N - 27", 76), ("N - 10", 94)] {
        let e = explanation(10_000, &program(second));
        assert_eq!((e.delta(), e.theta, e.assignments, e.kept), (7, 6, 3, 16));
        assert_eq!((e.least, e.gamma), (98, 100));
        assert_eq!(ends(&e), [100, end, 70]);
    }
}

#[test]
fn figure_9_12_a_second_minimum() {
    let e = explanation(
        100_000,
        "m1 = a[0]; m2 = a[1];
         if (m1 > a[1]) { m2 = m1; m1 = a[1]; }
         for (i = 2; i < N; i++) {
           if (m1 > a[i]) { m2 = m1; m1 = a[i]; }
           if (m2 > a[i]) if (m1 < a[i]) m2 = a[i];
         }
         __VERIFIER_assert(m1 <= m2);",
    );
    assert_eq!(e.loops[0].patterns, ["m1 is a minimum or maximum", "m2 is a second minimum or maximum"]);
    // Without the second comparison it is not the pattern.
    refusal(
        100_000,
        "for (i = 2; i < N; i++) {
           if (m1 > a[i]) { m2 = m1; m1 = a[i]; }
           if (m2 > a[i]) m2 = a[i];
         }
         __VERIFIER_assert(m1 <= m2);",
    );
}

const FIGURE_9_12_B: &str = "
    x = 0;
    for (i = 0; i < N; i++) x = x + a[i];
    y = a[0];
    for (i = 1; i < N; i++) y = y + a[i];
    __VERIFIER_assert(x == y);";

#[test]
fn figure_9_12_b_sums_over_an_array_that_nothing_else_reads() {
    let e = explanation(100_000, FIGURE_9_12_B);
    assert_eq!(e.loops[0].patterns, ["x is a sum"]);
    assert!(e.gamma < 10, "{e:?}");
}

#[test]
fn sums_of_what_is_not_free_are_refused() {
    let sum = |array: &str, term: &str, also: &str| {
        let text = format!(
            "{DECLARATIONS}{array}int main(void) {{ int i, x = 0, y = 0;
             for (i = 0; i < 100000; i++) x = x + {term};
             {also}
             __VERIFIER_assert(x + y == 0); return 0; }}"
        );
        pruned(&text)
    };
    sum("", "i % 2", "").unwrap_err();
    // Cleared: the sum is 0.
    sum("int a[100000];", "a[i]", "").unwrap_err();
    // Too narrow: a sum of 100,000 characters can be more than a sum of ten.
    let narrow = "char a[100000]; for (i = 0; i < 100000; i++) a[i] = __VERIFIER_nondet_int();";
    let text = |declaration: &str, term: &str| {
        format!(
            "{DECLARATIONS}int main(void) {{ int i, x = 0; {declaration}
             for (i = 0; i < 100000; i++) x = x + {term}; __VERIFIER_assert(x < 5000); return 0; }}"
        )
    };
    pruned(&text(narrow, "a[i]")).unwrap_err();
    pruned(&text(&narrow.replace("char", "int"), "a[i] * 2 - 7 * a[i]")).unwrap();
    // A constant in each iteration counts them.
    pruned(&text(&narrow.replace("char", "int"), "a[i] + 1")).unwrap_err();
    pruned(&text(&narrow.replace("char", "int"), "(a[i] > 0)")).unwrap_err();
    // Something else reads the cells.
    let other = format!(
        "{} int m = 0; for (i = 0; i < 100000; i++) if (a[i] > m) m = a[i]; x = m;",
        narrow.replace("char", "int")
    );
    pruned(&text(&other, "a[i]")).unwrap_err();
}

#[test]
fn spans_go_through_earlier_loops() {
    // `m` at most 1 and `x - y` at least 1000 takes more than a thousand iterations: no pruned loop
    // has that run.
    let body = "
        for (i = 0; i < N - 1; i++) b[i] = a[i + 1] - a[i];
        m = -5;
        for (i = 0; i < N - 1; i++) if (m < b[i]) m = b[i];
        y = a[0];
        for (i = 0; i < N; i++) x = a[i];
        __VERIFIER_assert(!(m <= 1 && x - y >= 1000));";
    let why = refusal(100_000, body);
    assert!(why.contains("the span is [0, 1] (constraint 2)"), "{why}");
}

#[test]
fn a_cell_that_an_earlier_iteration_cleared_is_not_the_first_iterations_cell() {
    // In the full loop x ends as 0; in one that ends before iteration 10 as what a held.
    let body = "
        for (i = 0; i < N; i++) a[i] = 1;
        for (i = 5; i < N; i++) { x = a[i - 5]; a[i] = 0; }
        __VERIFIER_assert(x == 1);";
    let e = explanation(100_000, body);
    assert!(e.low <= -5 && e.gamma >= 10, "{e:?}");
}

#[test]
fn bounds_that_are_not_constants_are_one_symbol_plus_constants() {
    let text = |first: &str, second: &str| {
        format!(
            "{DECLARATIONS}int main(void) {{ int n = __VERIFIER_nondet_int(); int a[n], b[n]; int i;
             for (i = 0; i < {first}; i++) b[i] = a[i];
             for (i = 0; i < {second}; i++) __VERIFIER_assert(b[i] == a[i]); return 0; }}"
        )
    };
    let pruned = pruned(&text("n", "n - 1")).unwrap();
    let e = &pruned.explanation;
    assert_eq!((e.assignments, e.gamma, ends(e)), (2, 4, vec![4, 3]));
    let c = print::to_c(&pruned.program, &mut print::Plain);
    assert!(c.contains("i < n && i <= 4"), "{c}");
    let other = super::tests::pruned(&text("n", "n * 2")).unwrap_err();
    assert!(other.contains("whose difference is not known"), "{other}");
}

#[test]
fn what_the_theorem_does_not_cover_is_refused_with_its_place() {
    let cases = [
        ("for (i = 0; i < N; i++) if (a[i] == i) x = x + 1; __VERIFIER_assert(x == 0);", "constraint 1"),
        ("for (i = 0; i < N; i++) __VERIFIER_assert(a[2 * i] == 0);", "not its counter plus a constant"),
        ("for (i = 0; i < N; i++) __VERIFIER_assert(a[i + 1] == 0);", "may leave the array"),
        (
            "x = __VERIFIER_nondet_int(); for (i = 0; i < x; i++) __VERIFIER_assert(a[i] == b[i]);",
            "may leave the array",
        ),
        ("for (i = 0; i < N; i++) { if (a[i]) break; x = a[i]; } __VERIFIER_assert(x);", "left early"),
        ("for (i = 0; i < N; i++) a[i] = 0; for (j = N - 1; j > 0; j--) __VERIFIER_assert(a[j] == 0);", "some down"),
        ("for (i = N - 1; i > 0; i--) x = a[i]; for (j = 0; j < N; j++) __VERIFIER_assert(a[j] == x);", "some down"),
        (
            "x = __VERIFIER_nondet_int(); for (i = 0; i < N; i++) a[i] = 5 / x; for (j = 0; j < N; j++) __VERIFIER_assert(a[j]);",
            "a divisor is not a constant",
        ),
        ("for (i = 0; i < N; i++) if (a[i] > 0) x++; __VERIFIER_assert(x == y);", "constraint 1"),
        ("for (i = 1; i < N; i++) a[i] = a[i - 1] + 1; __VERIFIER_assert(a[7] > 0);", "constraint 1"),
    ];
    for (body, reason) in cases {
        let why = refusal(100_000, body);
        assert!(why.contains(reason) && why.contains("t.c:"), "{body}: {why}");
    }
}

#[test]
fn loops_that_count_down_are_pruned_at_their_far_end() {
    let e = explanation(
        100_000,
        "for (i = N - 1; i >= 0; i--) b[i] = a[i]; for (i = N - 1; i >= 0; i--) __VERIFIER_assert(a[i] == b[i]);",
    );
    assert!(ends(&e).iter().all(|end| *end > 99_980), "{e:?}");
}

#[test]
fn a_bound_that_is_an_input_may_have_any_step() {
    let text = |step: u32, check: &str| {
        format!(
            "{DECLARATIONS}int main(void) {{ int n = __VERIFIER_nondet_int(); int a[n]; int i, x = 0;
             for (i = 0; i < n; i += {step}) {{ a[i] = 1; if (i % 2 == 0) x = a[i]; else x = 2; }}
             for (i = 0; i < n; i += {step}) __VERIFIER_assert({check}); return 0; }}"
        )
    };
    let found = pruned(&text(3, "a[i] == 1")).unwrap();
    let e = &found.explanation;
    // Only the parity and the step count; Γ is up to 5 larger, so that it is congruent to the
    // loops' end.
    assert_eq!((e.theta, e.slack), (3, 2));
    let found = pruned(&text(3, "x == 1 || a[i] == 1")).unwrap();
    assert_eq!((found.explanation.theta, found.explanation.slack), (6, 5));
    let c = print::to_c(&found.program, &mut print::Plain);
    assert!(c.contains("n % 6"), "{c}");
}

#[test]
fn a_counter_that_is_a_value_is_what_an_array_says_there() {
    let e =
        explanation(100_000, "for (i = 0; i < N; i++) a[i] = i; for (j = 0; j < N; j++) __VERIFIER_assert(a[j] == j);");
    assert_eq!(e.gamma, 3);
    // Of different loops too; the array knows no bounds.
    let program =
        pruned(&with(1000, "for (i = 0; i < N; i++) a[i] = i; for (j = 0; j < N; j++) __VERIFIER_assert(a[j] < N);"));
    let c = print::to_c(&program.unwrap().program, &mut print::Plain);
    assert!(c.contains("(int)(number[i] & 2147483647ull)"), "{c}");
}

#[test]
fn an_assumption_in_a_loop_stays_if_it_looks_at_one_distance() {
    let text = |assumed: &str| {
        let body = format!(
            "for (i = 1; i < N; i++) {{ __VERIFIER_assume({assumed}); b[i] = a[i]; }}
             for (i = 1; i < N; i++) __VERIFIER_assert(b[i] > 0);"
        );
        let declarations = "void __VERIFIER_assume(int);\n";
        let found = pruned(&format!("{declarations}{}", with(1000, &body))).unwrap();
        print::to_c(&found.program, &mut print::Plain)
    };
    assert!(text("a[i] > 0").contains("abort"));
    // A condition that no iteration of the program need have seen is left out.
    assert!(!text("a[i] > a[i - 1]").contains("abort"));
    assert!(!text("a[i] > b[i - 1]").contains("abort"));
}

#[test]
fn an_assertion_about_any_cell_is_a_loop() {
    let text = |assumed: &str, then: &str| {
        format!(
            "{DECLARATIONS}void __VERIFIER_assume(int); int main(void) {{ int n = __VERIFIER_nondet_int(); int a[n], b[n]; int i;
             for (i = 0; i < n; i++) a[i] = b[i];
             int k = __VERIFIER_nondet_int(); {assumed} {then} return 0; }}"
        )
    };
    let range = "__VERIFIER_assume(k >= 0); __VERIFIER_assume(k < n);";
    let found = pruned(&text(range, "__VERIFIER_assert(a[k] == b[k]);")).unwrap();
    assert_eq!(found.explanation.loops.len(), 2);
    // Another value of k need not be odd, nor have such a cell: these are conditions now.
    let also = format!("{range} __VERIFIER_assume(a[k] > 0);");
    let found = pruned(&text(&also, "if (k != n - 1) __VERIFIER_assert(a[k] == b[k]);")).unwrap();
    let c = print::to_c(&found.program, &mut print::Plain);
    assert!(c.contains("if (a[k] > 0)") && !c.contains("abort"), "{c}");
    // An assumption after other statements, a value that is handed on, no bound.
    for (assumed, then) in [
        (range, "int x = a[k]; __VERIFIER_assume(x > 0); __VERIFIER_assert(x == b[k]);"),
        ("__VERIFIER_assume(k < n);", "__VERIFIER_assert(a[k] == b[k]);"),
        ("__VERIFIER_assume(k >= 0);", "__VERIFIER_assert(a[k] == b[k]);"),
    ] {
        let why = pruned(&text(assumed, then)).unwrap_err();
        assert!(why.contains("an index outside loops"), "{why}");
    }
}

#[test]
fn what_became_of_loops_is_said_as_it_is() {
    // The loop has something to do with the assertion; but it became arbitrary values.
    let why = refusal(10, "k = x; while (k != 0) k--; __VERIFIER_assert(k == 0);");
    assert_eq!(why, "the assertion depends on no loop that counts");
    // No statement writes the whole array; but the inner loop became one that does.
    let why = refusal(
        10,
        "for (i = 0; i < N; i++) for (j = i + 1; j < N; j++) if (a[j] < a[i]) { k = a[i]; a[i] = a[j]; a[j] = k; }
         for (i = 1; i < N; i++) __VERIFIER_assert(a[i - 1] <= a[i]);",
    );
    assert!(why.contains("possibly by a nested loop"), "{why}");
}

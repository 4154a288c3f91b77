//! Loop shrinking: the figures of the thesis, and programs in which a small detail decides the
//! answer. (Random programs: `tests/attacks.rs`.)

mod figures;
mod numbers;

use smalti::analysis::AnalysisConfig;
use smalti::cbmc;
use smalti::fuzz::or_skip;
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{AssertionId, ObligationKind, Program, obligations};
use smalti::reduce::normal::Inlined;
use smalti::reduce::shrink;
use smalti::stages::{self, CheckConfig, Silent, Tools};
use smalti::verdict::{Stage, Verdict};
use std::time::{Duration, Instant};

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void \
                       __VERIFIER_assume(int); extern void abort(void);\n";

fn load(text: &str) -> Program {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

fn model() -> Option<cbmc::Cbmc> {
    or_skip(cbmc::find(None))
}

/// The answer of the stage for each assertion, without the domains: the evidence of a proof, or the
/// reason why there is none.
fn shrink(text: &str) -> Option<Vec<Result<String, String>>> {
    shrink_with(text, None)
}

/// [`shrink`], with what the domains know of the states in which iterations begin.
fn shrink_with(text: &str, domains: Option<&AnalysisConfig>) -> Option<Vec<Result<String, String>>> {
    let cbmc = model()?;
    let program = load(&format!("{PRELUDE}{text}"));
    let all = obligations(&program, &[ObligationKind::Assertion]).into_iter();
    let answer = |o| {
        let deadline = Instant::now() + Duration::from_secs(60);
        let proofs =
            stages::shrinkings(&program, &o, &cbmc, domains, deadline).map_err(|why| why.in_words(&program.sources))?;
        let reached = proofs.iter().any(|p| p.reached);
        let k = proofs.iter().map(|p| p.k).max().unwrap_or(0);
        if reached { Ok(format!("k={k}")) } else { Err("no run comes to it".to_owned()) }
    };
    Some(all.map(answer).collect())
}

/// Expects that the only assertion is proved with this k.
#[track_caller]
fn proved(text: &str, k: usize) {
    let Some(answers) = shrink(text) else { return };
    assert_eq!(answers, [Ok(format!("k={k}"))], "{text}");
}

/// Expects that the only assertion is open, with a reason that contains these words.
#[track_caller]
fn open(text: &str, words: &str) {
    let Some(answers) = shrink(text) else { return };
    let [Err(reason)] = &answers[..] else { panic!("{answers:?}\n{text}") };
    assert!(reason.contains(words), "{reason}\n{text}");
}

/// Whether each k makes the loop of a program shrinkable, for a property with a clause for each
/// position.
fn shrinkable(text: &str, ks: &[usize]) -> Option<Vec<bool>> {
    let cbmc = model()?;
    let program = load(&format!("{PRELUDE}{text}"));
    let goals = shrink::goals(&Inlined::new(&program), AssertionId(0)).unwrap();
    let form = &goals[0].plans[0][0].forms[1];
    let is = |k: &usize| -> bool {
        let written = form.shrinkability(AssertionId(0), *k).unwrap();
        let obligation = &obligations(&program, &[ObligationKind::Assertion])[0];
        stages::written_holds(&written, obligation, &cbmc, Instant::now() + Duration::from_secs(300)).unwrap()
    };
    Some(ks.iter().map(is).collect())
}

#[test]
fn loops_that_hand_values_on_are_not_coalesced() {
    // The second loop reads the sum of all cells.
    open(
        "int main(void) { int a[10]; int b[10]; int s = 0;
           for (int i = 0; i < 10; i++) { a[i] = 1; s = s + 1; }
           for (int i = 0; i < 10; i++) b[i] = s;
           for (int i = 0; i < 10; i++) __VERIFIER_assert(b[i] <= i + 1); }",
        "",
    );
    // A cell is written ahead: the second loop is one position later.
    proved(
        "int main(void) { int a[1000]; int b[1000];
           for (int i = 0; i < 1000; i++) a[i] = 3;
           for (int i = 0; i < 999; i++) b[i] = a[i + 1];
           for (int i = 0; i < 999; i++) __VERIFIER_assert(b[i] == 3); }",
        1,
    );
}

#[test]
fn what_fails_with_few_iterations_only_is_seen() {
    for (n, condition) in [(0, "n > 0"), (1, "n != 1"), (2, "n != 2"), (3, "n != 3")] {
        open(
            &format!(
                "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int a[1000]; int x = 0;
                   for (int i = 0; i < n && i < 1000; i++) {{ a[i] = 1; x = {condition}; }}
                   if ({n} == 0) x = n > 0;
                   __VERIFIER_assert(n != {n} || x); }}"
            ),
            "the residual of some",
        );
    }
}

#[test]
fn sums_that_overflow_before_they_fail_are_told_from_sums_that_fail() {
    // No run reaches 2147483647 without an overflow or a failure on the way.
    open(
        "int main(void) { int a[1000]; int s = 0;
           for (int i = 0; i < 1000; i++) { __VERIFIER_assume(a[i] >= 0 && a[i] <= 1); s = s + a[i]; }
           __VERIFIER_assert(s < 900); }",
        "shrinkable",
    );
}

#[test]
fn a_loop_that_writes_outside_its_array_proves_nothing() {
    open(
        "int main(void) { int a[100]; int n = __VERIFIER_nondet_int();
           for (int i = 0; i < n; i++) a[i] = 1;
           for (int i = 0; i < n; i++) __VERIFIER_assert(a[i] == 1); }",
        "the residual of some",
    );
}

#[test]
fn a_second_way_out_of_an_iteration_skips_what_stands_behind_it() {
    let program = |condition: &str| {
        format!(
            "int main(void) {{ int b = __VERIFIER_nondet_int(); int c = __VERIFIER_nondet_int(); int x = 0;
               int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 1);
               for (int i = 0; i < n; i++) {{ if (b) break; if (c) break; x = 1; }}
               __VERIFIER_assert({condition}); }}"
        )
    };
    proved(&program("x == 1 || b || c"), 1);
    open(&program("x == 1 || b"), "the residual of some");
    // Two jumps to one label outside all loops.
    open(
        "int main(void) { int b = __VERIFIER_nondet_int(); int c = __VERIFIER_nondet_int(); int a[100]; int x = 0;
           for (int i = 0; i < 100; i++) a[i] = 3;
           if (b) goto l; if (c) goto l; x = 1;
           l: __VERIFIER_assert(x == 1 || b || a[3] == 4); }",
        "the residual of some",
    );
}

#[test]
fn bounds_that_the_source_does_not_evaluate_hide_no_failure() {
    // If m is 0, there is no division.
    open(
        "int main(void) { int m = __VERIFIER_nondet_int(); int x = 0;
           if (m != 0) { for (int i = 0; i < 100 / m; i++) x = 1; }
           __VERIFIER_assert(m != 0 || x == 1); }",
        "the residual of some",
    );
    open(
        "int main(void) { int n = __VERIFIER_nondet_int(); int x = 0;
           if (n < 100) { for (int i = 0; i < n + 1; i++) x = 1; }
           __VERIFIER_assert(n != 2147483647 || x == 1); }",
        "the residual of some",
    );
    open(
        "int main(void) { int m = __VERIFIER_nondet_int(); int x = 0;
           for (int i = 0; m != 0 && i < 100 / m; i++) x = 1;
           __VERIFIER_assert(m != 0 || x); }",
        "the residual of some",
    );
    proved(
        "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0); int found = 0; int x = 0; int i = 0;
           while (!found && i < n - 1) { x = 1; if (__VERIFIER_nondet_int()) found = 1; i++; }
           __VERIFIER_assert(x == 0 || n > 1); }",
        1,
    );
}

#[test]
fn bounds_of_64_bits_do_not_overflow_silently() {
    let long = "extern long __VERIFIER_nondet_long(void); int main(void) { long lo = __VERIFIER_nondet_long();
                long hi = __VERIFIER_nondet_long();";
    open(
        &format!(
            "{long} int x = 0; for (long i = lo; i < 9223372036854775807L; i++) x = 1;
             __VERIFIER_assert(x == 0 || lo <= 9223372036854775805L); }}"
        ),
        "the residual of some",
    );
    open(
        &format!("{long} for (long i = lo; i <= hi; i++) __VERIFIER_assert(i != 9223372036854775807L); }}"),
        "the residual of some",
    );
    open(
        &format!(
            "{long} for (long i = hi; i > lo; i--)
               __VERIFIER_assert(hi < 9000000000000000000L || lo > -9000000000000000000L); }}"
        ),
        "the residual of some",
    );
    proved(
        &format!(
            "{long} int a[1000]; if (hi > 1000) return 0; for (long i = 0; i < hi; i++) a[i] = 1;
             for (long i = 0; i < hi; i++) __VERIFIER_assert(hi < -100000 || a[i] == 1); }}"
        )
        .replace("hi > 1000", "hi > 1000 || hi < 0"),
        1,
    );
}

#[test]
fn nothing_moves_in_front_of_an_assertion_that_fails_first() {
    // The division is undefined in exactly those runs in which the assertion before it fails.
    open(
        "void check(int c, int d) { __VERIFIER_assert(c || d); }
         int main(void) { int z = __VERIFIER_nondet_int(); int x = 0; int n = __VERIFIER_nondet_int();
           __VERIFIER_assume(n >= 1);
           for (int i = 0; i < n; i++) x = 1;
           check(x != 1, z != 0); int y = 10 / z; check(y <= 10, x == 3); }",
        "the residual of some",
    );
}

#[test]
fn a_later_loop_may_change_what_bounds_an_earlier_one() {
    open(
        "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0); int m = n + 1; int s = 0;
           for (int i = 0; i < m; i++) s = s + 1;
           for (int j = 0; j < n; j++) m = 0;
           __VERIFIER_assert(s <= 1 || m != 0); }",
        "the residual of some",
    );
    proved(
        "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 1000); int m = n;
           int a[1000]; int b[1000];
           for (int i = 0; i < m; i++) a[i] = 1;
           for (int j = 0; j < n; j++) { m = 0; b[j] = 2; }
           for (int k = 0; k < n; k++) __VERIFIER_assert(a[k] == 1); }",
        1,
    );
}

#[test]
fn a_bound_that_is_a_cell_of_a_large_array_is_the_cell_that_the_program_wrote() {
    let program = |x: i32| {
        format!(
            "int a[100]; int main(void) {{ int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k >= 0 && k < 100);
               int x = 2; a[k] = 5; for (int i = 0; i < a[k]; i++) x = {x}; __VERIFIER_assert(x == 0); }}"
        )
    };
    proved(&program(0), 1);
    open(&program(1), "the residual of some");
}

#[test]
fn a_pointer_is_null_until_it_gets_its_address() {
    let program =
        |body: &str| format!("static int *p; static int *q; int a[100]; int b[100]; int main(void) {{ {body} }}");
    let fill = "for (int i = 0; i < 100; i++) { a[i] = 1; b[i] = 2; }";
    open(
        &program(&format!("{fill} int x = p != 0; p = a; p[0] = 3; __VERIFIER_assert(x && a[0] == 3);")),
        "the residual of some",
    );
    open(
        &program(&format!("{fill} if (__VERIFIER_nondet_int()) p = a; __VERIFIER_assert(p != 0 || a[0] != 1);")),
        "the residual of some",
    );
    open(&program(&format!("{fill} q = p; p = a; __VERIFIER_assert(q != 0 || a[0] != 1);")), "the residual of some");
    let any = "int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k >= 0 && k < 100);";
    proved(&program(&format!("{fill} p = a; {any} if (p == 0) a[k] = 4; __VERIFIER_assert(p[k] == 1);")), 1);
    // Pointers that are compared with each other are addresses, and not followed.
    open(&program(&format!("p = a; q = b; {fill} __VERIFIER_assert(p == q);")), "several objects");
}

/// `f` and `x` are 0 in every run, but no single iteration shows that.
fn copy_with_a_drift(property: &str) -> String {
    format!(
        "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1) return 0; int a[n]; int b[n]; int f = 0; int x = 0;
           for (int i = 0; i < n; i++) {{ if (a[i] > 5) f = f * 2; x = x + f; b[i] = a[i] + x; }}
           for (int i = 0; i < n; i++) __VERIFIER_assert({property}); }}"
    )
}

#[test]
fn what_the_domains_know_where_iterations_begin_makes_fewer_iterations_do() {
    let domains = AnalysisConfig { stack: Some("partition/octagon".into()), ..AnalysisConfig::default() };
    let program = copy_with_a_drift("b[i] == a[i]");
    let Some(answers) = shrink_with(&program, Some(&domains)) else { return };
    assert_eq!(answers, [Ok("k=1".to_owned())]);
    proved(&program, 2);
}

#[test]
fn what_is_known_holds_with_any_iterations_left_out() {
    let domains = AnalysisConfig { stack: Some("partition/octagon".into()), ..AnalysisConfig::default() };
    // `s == i` holds where an iteration of the loop begins, but not in its residuals. With it, no
    // two iterations would fail.
    let fails =
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0; int a[n]; int s = 0; int bad = 0;
           for (int i = 0; i < n; i++) { if (s != i) bad = 2; s = s + 1; if (i == 4 && s == 5 && bad == 0) bad = 1; }
           __VERIFIER_assert(bad != 1); }";
    for program in [fails.to_owned(), copy_with_a_drift("b[i] == a[i] && f == 0 && x != i")] {
        let Some(answers) = shrink_with(&program, Some(&domains)) else { return };
        assert!(matches!(&answers[..], [Err(_)]), "{answers:?}\n{program}");
    }
}

#[test]
fn figure_7_3_the_minimum_is_one_of_the_elements() {
    let program = |update: &str, assertion: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1) return 0; int a[n]; int found = 0;
               int min = a[0]; for (int i = 1; i < n; i++) if (a[i] < min) {update}
               for (int j = 0; j < n; j++) if (a[j] == min) found = 1;
               {assertion} }}"
        )
    };
    proved(&program("min = a[i];", "__VERIFIER_assert(found);"), 1);
    open(&program("min = a[i] - 1;", "__VERIFIER_assert(found);"), "");
    open(&program("min = a[i] - 1;", "__VERIFIER_assert(found == 1);"), "");
    // Both directions: every value that was found exists, and every value that exists is found.
    proved(&program("min = a[i];", "__VERIFIER_assert(found == 1 && min <= a[0]);"), 1);
    open(&program("min = a[i];", "__VERIFIER_assert(!found);"), "");
}

#[test]
fn a_search_that_ends_where_it_finds_something_tells_where() {
    let program = |assertion: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0); int a[n];
               int max = a[0]; for (int i = 1; i < n; i++) if (a[i] > max) max = a[i];
               int x = 0; while (x < n && a[x] != max) x++;
               __VERIFIER_assert({assertion}); }}"
        )
    };
    proved(&program("x < n"), 1);
    proved(&program("x < n && a[x] == max"), 1);
    open(&program("x < n && a[x] < max"), "");
    open(&program("x < n - 1"), "");
    open(&program("x == 0"), "");
}

#[test]
fn a_search_in_an_empty_array_finds_nothing() {
    let program = |assertion: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 1000); int a[1000];
               int last = 0; for (int i = 0; i < n; i++) {{ a[i] = i + 1; last = a[i]; }}
               int found = 0; for (int j = 0; j < n; j++) if (a[j] == last) found = 1;
               __VERIFIER_assert({assertion}); }}"
        )
    };
    open(&program("found"), "");
    proved(&program("found || n == 0"), 1);
}

#[test]
fn figure_7_11_a_nest_is_one_loop_over_the_pairs_of_its_counters() {
    let program = |difference: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1 || n > 10000) return 0;
               int a[n][n]; int b[n][n]; int c[n][n]; int d[n][n]; int t1; int t2;
               for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{
                 __VERIFIER_assume(a[i][j] > -1000 && a[i][j] < 1000 && b[i][j] > -1000 && b[i][j] < 1000);
                 t1 = a[i][j] + b[i][j]; t2 = {difference}; c[i][j] = t1; d[i][j] = t2; }}
               for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{
                 t1 = c[i][j] + d[i][j]; __VERIFIER_assert(t1 == 2 * a[i][j]); }} }}"
        )
    };
    proved(&program("a[i][j] - b[i][j]"), 1);
    open(&program("a[i][j] - b[j][i]"), "");
}

#[test]
fn nests_that_hand_values_on_are_not_made_one() {
    let program = |cell: &str| {
        format!(
            "int main(void) {{ int a[100][100]; int b[100][100];
               for (int i = 0; i < 100; i++) for (int j = 0; j < 100; j++) a[i][j] = 1;
               for (int i = 0; i < 99; i++) for (int j = 0; j < 99; j++) b[i][j] = {cell};
               for (int i = 1; i < 99; i++) for (int j = 1; j < 99; j++) __VERIFIER_assert(b[i][j] == 1); }}"
        )
    };
    proved(&program("a[i][j]"), 1);
    // The cells belong to later iterations.
    open(&program("a[j][i]"), "");
    open(&program("a[i][j + 1]"), "");
}

#[test]
fn short_inner_loops_are_written_out() {
    let program = |value: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0); int a[n][3]; int s[n];
               for (int i = 0; i < n; i++) {{ for (int j = 0; j < 3; j++) a[i][j] = j; s[i] = a[i][0] + a[i][1] + a[i][2]; }}
               for (int i = 0; i < n; i++) __VERIFIER_assert(s[i] == {value}); }}"
        )
    };
    proved(&program("3"), 1);
    open(&program("4"), "the residual of some");
}

/// The answer of a single stage for the only assertion, within the given number of seconds.
fn decided(text: &str, stage: Stage, seconds: u64) -> Option<(Verdict, String)> {
    let cbmc = model()?;
    let program = load(&format!("{PRELUDE}{text}"));
    let config = CheckConfig::new(&[stage], Instant::now() + Duration::from_secs(seconds));
    let report = stages::check_with(&program, &config, &Silent, Tools::only(Ok(&cbmc))).unwrap();
    report.obligations.first().map(|d| (d.verdict, d.detail(&report.sources)))
}

#[test]
fn an_iteration_that_fails_alone_is_tried_as_a_run_of_the_program() {
    // Values that the program takes from outside: inputs, cells that were never written, and cells
    // that a loop fills. No small size fails.
    let local = "int a[100000]; int b[100000]; int c = __VERIFIER_nondet_int();";
    let fill = "for (int i = 0; i < 100000; i++) a[i] = __VERIFIER_nondet_int();";
    let work = "for (int i = 0; i < 100000; i++) { int d = __VERIFIER_nondet_int(); __VERIFIER_assume(d > 3); if (a[i] > d) b[i] = c; else b[i] = a[i]; }";
    let property = "for (int i = 0; i < 100000; i++) __VERIFIER_assert(b[i] != 47777 || i != 60123);";
    for (globals, declarations, fill) in [("", local, fill), ("", local, ""), (local, "", fill)] {
        let (globals, c) = match globals {
            "" => ("", ""),
            _ => ("int a[100000]; int b[100000]; int c;", "c = __VERIFIER_nondet_int();"),
        };
        let text = format!("{globals} int main(void) {{ {declarations} {c} {fill} {work} {property} }}");
        let Some((verdict, detail)) = decided(&text, Stage::Shrink, 60) else { return };
        assert_eq!((verdict, &*detail), (Verdict::Violated, "one iteration fails alone, replayed"), "{text}");
        let (whole, _) = decided(&text, Stage::Unwind, 3).expect("CBMC");
        assert_eq!(whole, Verdict::Unknown, "{text}");
    }
}

#[test]
fn an_iteration_that_fails_alone_is_no_verdict_where_the_program_does_not_fail() {
    // Every run that would fail ends in another iteration. No iteration depends on another.
    let text = "int main(void) { int a[1000]; int b[1000];
        for (int i = 0; i < 1000; i++) { b[i] = a[i]; __VERIFIER_assume(i != 999 || b[i] > b[i] / 2 * 2 + 1); }
        for (int i = 0; i < 1000; i++) __VERIFIER_assert(b[i] != 5); }";
    let Some((verdict, detail)) = decided(text, Stage::Shrink, 20) else { return };
    assert!(verdict == Verdict::Unknown, "{verdict:?} {detail}");
    // Iterations depend on each other: the counter differs between the full loop and a single
    // iteration.
    let text = "int main(void) { int a[1000]; int s = 0;
        for (int i = 0; i < 1000; i++) { if (a[i] == s) s = s + 1; }
        for (int i = 0; i < 1000; i++) __VERIFIER_assert(s <= 1000); }";
    let Some((verdict, detail)) = decided(text, Stage::Shrink, 20) else { return };
    assert!(verdict != Verdict::Violated, "{detail}");
}

#[test]
fn arrays_of_three_and_four_dimensions_are_functions_of_one_number() {
    let program = |dimensions: &str, cell: &str, property: &str| {
        let loops: String = cell
            .chars()
            .filter(char::is_ascii_lowercase)
            .map(|c| format!("for (int {c} = 0; {c} < n; {c}++) "))
            .collect();
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 500); int A{dimensions}; int C = __VERIFIER_nondet_int();
               {loops} A{cell} = C; {loops} __VERIFIER_assert(A{cell} == {property}); }}"
        )
    };
    for dimensions in ["[n][n][n]", "[500][500][500]"] {
        proved(&program(dimensions, "[i][j][k]", "C"), 1);
        open(&program(dimensions, "[i][j][k]", "(k == 400 ? 1 : C)"), "the residual of some");
    }
    proved(&program("[n][n][n][n]", "[i][j][k][l]", "C"), 1);
    // Cells with other indices are other cells.
    open(&program("[n][n][n]", "[i][j][k]", "A[k][j][i] + (i == k ? 0 : 1)"), "");
}

#[test]
fn annotations_that_are_conditions_are_proved() {
    let program = |requires: &str, invariant: &str, after: &str| {
        format!(
            "int f(int n, int v) {{ int a[60], i = 0; //@ assume {requires};
             /*@ loop invariant {invariant}; */
             while (i < n && a[i] != v) i++;
             //@ assert {after};
             return i; }}
             int main(void) {{ return f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }}"
        )
    };
    // Three obligations: the invariant is established, it is preserved, and the assertion.
    let verdicts = |text: &str| -> Option<Vec<Verdict>> {
        let cbmc = model()?;
        let program = load(&format!("{PRELUDE}{text}"));
        let config = CheckConfig::new(&[Stage::Shrink], Instant::now() + Duration::from_secs(60));
        let report = stages::check_with(&program, &config, &Silent, Tools::only(Ok(&cbmc))).unwrap();
        Some(report.obligations.iter().map(|d| d.verdict).collect())
    };
    let is_proved = |text: &str| Some(verdicts(text)?.into_iter().map(|v| v == Verdict::Proved).collect::<Vec<_>>());
    let Some(all) = is_proved(&program("0 <= n <= 50", "0 <= i <= n", "i <= n")) else { return };
    assert_eq!(all, [true, true, true]);
    // What is assumed is needed, and what is claimed is not.
    assert_eq!(is_proved(&program("n <= 50", "0 <= i <= n", "i <= n")).unwrap(), [false, true, false]);
    assert_eq!(is_proved(&program("0 <= n <= 50", "0 <= i < n", "i < n")).unwrap(), [false, false, false]);
}

//! Programs that write cells at arbitrary places: each with claims that hold, and claims of which
//! an input shows that they do not.

use crate::lower::{LowerOptions, load_text};
use crate::program::{AssertionId, ObligationKey};
use crate::reduce::normal::Inlined;
use crate::summary::{Decision, Summary};
use std::time::{Duration, Instant};

const HEAD: &str = "extern short any(void); extern void __VERIFIER_assert(int);\n\
                    extern void __VERIFIER_assume(int);\n\
                    int main(void) { int n = any(); __VERIFIER_assume(n > 1 && n < 100); int i, k; long s = 0;\n";
/// A row, all cells 0.
const ROW: &str = "int t[100]; for (i = 0; i < n; i++) t[i] = 0;\n";
/// Two rows, all cells 0.
const ROWS: &str = "int t[100], u[100]; for (i = 0; i < n; i++) { t[i] = 0; u[i] = 0; }\n";
/// A square, all cells 0.
const SQUARE: &str = "int t[100][100]; for (i = 0; i < n; i++) for (k = 0; k < n; k++) t[i][k] = 0;\n";
const SUM: &str = "for (i = 0; i < n; i++) s += t[i];\n";
const SUM_OF_SQUARE: &str = "for (i = 0; i < n; i++) for (k = 0; k < n; k++) s += t[i][k];\n";

/// Whether a relaxed summary proves a claim, without a solver.
fn proved(array: &str, before: &str, body: &str, sum: &str, claim: &str) -> bool {
    let text = format!(
        "{HEAD}{array}{before}do {{ int p = any(), q = any(); __VERIFIER_assume(p >= 0 && p < n && q >= 0 && q < n);\n\
         {body} }} while (any());\n{sum}__VERIFIER_assert({claim}); return 0; }}"
    );
    let program = load_text("x.c", &text, &LowerOptions::default()).expect("a program");
    let summary = Summary::relaxed(&Inlined::new(&program), || false).expect("no jumps backward");
    let until = Instant::now() + Duration::from_secs(60);
    let decision = summary.decide(ObligationKey::Assertion(AssertionId(0)), None, until);
    matches!(decision, Decision::Proved(_))
}

/// That the claim is proved, and neither of those that do not hold.
#[track_caller]
fn follows(array: &str, body: &str, sum: &str, claim: &str, wrong: [&str; 2]) {
    assert!(proved(array, "", body, sum, claim), "{body} {claim}");
    for wrong in wrong {
        assert!(!proved(array, "", body, sum, wrong), "{body} {wrong}");
    }
}

#[test]
fn a_cell_is_at_most_what_is_written_there() {
    follows(ROW, "t[p] = 1;", SUM, "s <= n", ["s <= n - 1", "s >= 1 && s <= 1"]);
    follows(ROW, "if (p > 0) t[p] = 1;", SUM, "s <= n - 1", ["s <= n - 2", "s == n - 1"]);
    follows(ROW, "t[p] = p > q ? -2 : 3;", SUM, "s >= -2 * n && s <= 3 * n", ["s >= 0", "s <= 2 * n"]);
    follows(SQUARE, "if (p > q) t[p][q] = 1;", SUM_OF_SQUARE, "2 * s <= n * (n - 1)", ["2 * s < n * (n - 1)", "s < 1"]);
    follows(SQUARE, "if (p == q) t[p][q] = 2;", SUM_OF_SQUARE, "s <= 2 * n", ["s <= 2 * n - 1", "s == 2 * n"]);
}

#[test]
fn a_value_that_varies_has_the_bounds_of_what_is_known() {
    follows(ROW, "if (q < 5) t[p] = q;", SUM, "s >= 0 && s <= 4 * n", ["s <= 3 * n", "s <= 4 * n - 1"]);
    // What is written depends on another cell, of which nothing is known.
    assert!(!proved(ROW, "t[0] = 7;", "t[p] = t[q];", SUM, "s <= n"));
    assert!(!proved(ROW, "t[0] = 7;", "t[p] = t[q];", SUM, "s <= 7"));
}

#[test]
fn a_cell_and_its_image_are_written_together() {
    let pair = "t[p][q] = -1; t[q][p] = 1;";
    follows(SQUARE, pair, SUM_OF_SQUARE, "s >= 0 && s <= n", ["s == 0", "s <= n - 1"]);
    let pair = "t[p][q] = -1; t[p][n - 1 - q] = 1;";
    follows(SQUARE, pair, SUM_OF_SQUARE, "s >= 0 && s <= n", ["s == 0", "s <= 0 || s > n"]);
    // The image of the first column is outside of what is summed up.
    let pair = "t[p][q] = -1; if (q > 0) t[p][n - q] = 1;";
    assert!(!proved(SQUARE, "", pair, SUM_OF_SQUARE, "s >= 0"));
    // The image of the first column is the last one, which is not summed up.
    let pair = "t[p][q] = 1; t[p][n - 1 - q] = -1;";
    let most = "for (i = 0; i < n; i++) for (k = 0; k < n - 1; k++) s += t[i][k];\n";
    assert!(!proved(SQUARE, "", pair, most, "s <= 0"));
    // One cell of the pair alone.
    let one = "t[p][q] = -1; t[q][p] = 1; t[p][0] = -1;";
    assert!(!proved(SQUARE, "", one, SUM_OF_SQUARE, "s >= 0"));
}

#[test]
fn a_sum_grows_by_what_iterations_add() {
    let free = "__VERIFIER_assume(t[p] == 0 && u[q] == 0); t[p] = r; u[q] = -r; r++;";
    let sum = "for (i = 0; i < n; i++) s += t[i] + u[i];\n";
    assert!(proved(ROWS, "int r = 1;", free, sum, "s == 0"));
    // The second cell need not be free.
    let free = "__VERIFIER_assume(t[p] == 0); t[p] = r; u[q] = -r; r++;";
    assert!(!proved(ROWS, "int r = 1;", free, sum, "s == 0"));
    assert!(!proved(ROWS, "int r = 1;", free, sum, "s <= 0"));
    // As many as were counted.
    assert!(proved(ROW, "int c = 0;", "t[p]++; c++;", SUM, "s == c"));
    assert!(!proved(ROW, "int c = 0;", "t[p]++; if (p) c++;", SUM, "s == c"));
    assert!(!proved(ROW, "int c = 0;", "t[p]++; c++;", SUM, "s < c"));
    assert!(!proved(ROW, "int c = 0;", "t[p]++; c++;", SUM, "s == c + 1"));
    // Not all cells are summed up.
    let most = "for (i = 1; i < n; i++) s += t[i];\n";
    assert!(!proved(ROW, "int c = 0;", "t[p]++; c++;", most, "s == c"));
}

#[test]
fn what_another_array_holds_in_an_iteration_is_no_bound() {
    // Each array is written with what the other one holds.
    let body = "t[p] = u[q] + 1; u[p] = t[q] + 1;";
    assert!(!proved(ROWS, "", body, SUM, "s <= n"));
    assert!(!proved(ROWS, "", body, SUM, "s <= 2 * n"));
}

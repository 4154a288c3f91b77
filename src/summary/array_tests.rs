//! Programs whose loops write arrays, and spoilt twins of them.

use super::tests::{all_hold, is_open, with_length};

#[test]
fn cells_that_depend_on_the_cell_before_are_recurrences() {
    all_hold(&with_length(
        "a[0] = 6; for (i = 1; i < n; i++) a[i] = a[i - 1] + 6; for (i = 0; i < n; i++) assert(a[i] == 6 * i + 6);",
    ));
    is_open(&with_length(
        "a[0] = 5; for (i = 1; i < n; i++) a[i] = a[i - 1] + 6; for (i = 0; i < n; i++) assert(a[i] == 6 * i + 6);",
    ));
    is_open(&with_length(
        "a[0] = 6; for (i = 1; i < n - 1; i++) a[i] = a[i - 1] + 6; for (i = 0; i < n; i++) assert(a[i] == 6 * i + 6);",
    ));
    // Downwards, with a cell that is written before the loop.
    all_hold(&with_length(
        "a[n - 1] = 1; for (i = n - 2; i >= 0; i--) a[i] = a[i + 1] + 1; for (i = 0; i < n; i++) assert(a[i] == n - i);",
    ));
    is_open(&with_length(
        "a[n - 1] = 1; for (i = n - 2; i > 0; i--) a[i] = a[i + 1] + 1; for (i = 0; i < n; i++) assert(a[i] == n - i);",
    ));
    // Prefix sums that read a second array.
    all_hold(
        "int n = input(); if (n < 1) return 0; int a[n], b[n], i; a[0] = 6; b[0] = 1; \
         for (i = 1; i < n; i++) a[i] = a[i - 1] + 6; for (i = 1; i < n; i++) b[i] = b[i - 1] + a[i - 1]; \
         for (i = 0; i < n; i++) assert(b[i] == 3 * i * i + 3 * i + 1);",
    );
    is_open(
        "int n = input(); if (n < 1) return 0; int a[n], b[n], i; a[0] = 6; b[0] = 1; \
         for (i = 1; i < n; i++) a[i] = a[i - 1] + 6; for (i = 1; i < n; i++) b[i] = b[i - 1] + a[i]; \
         for (i = 0; i < n; i++) assert(b[i] == 3 * i * i + 3 * i + 1);",
    );
    // In one loop.
    all_hold(
        "int n = input(); if (n < 1) return 0; int a[n], b[n], i; a[0] = 0; b[0] = 0; \
         for (i = 1; i < n; i++) { a[i] = a[i - 1] + 2; b[i] = b[i - 1] + a[i]; } \
         for (i = 0; i < n; i++) assert(b[i] == i * i + i);",
    );
}

#[test]
fn the_cell_before_may_be_written_where_this_one_is_not() {
    // In the last iteration, the cell beyond the stretch is written; the one before it, inside of
    // the stretch, holds what the inner loop has left.
    let program = |value: i32| {
        format!(
            "int n = input(); if (n < 2 || n > 6) return 0; int a[18], i, j; for (i = 0; i < 18; i++) a[i] = 0; \
             for (i = 2; i <= n; i++) {{ a[i + 1] = a[i] + 4; for (j = 0; j < n; j++) a[j + 1] = j + 4; }} \
             if (n == 3) assert(a[4] == {value});"
        )
    };
    is_open(&program(8));
    is_open(&program(9));
}

#[test]
fn cells_that_depend_on_a_cell_further_back_are_recurrences_for_each_remainder() {
    all_hold(&with_length(
        "if (n < 2) return 0; a[0] = 0; a[1] = 1; for (i = 2; i < n; i++) a[i] = a[i - 2] + 2; \
         if (n == 8) assert(a[7] == 7);",
    ));
    is_open(&with_length(
        "if (n < 8) return 0; a[0] = 0; a[1] = 1; for (i = 2; i < n; i++) a[i] = a[i - 2] + 3; assert(a[7] == 7);",
    ));
}

#[test]
fn cells_that_no_earlier_iteration_wrote_have_their_old_contents() {
    let filled = "int n = input(); if (n < 1) return 0; int a[n + 1], i; for (i = 0; i <= n; i++) a[i] = i;";
    all_hold(&format!(
        "{filled} for (i = 0; i < n; i++) a[i] = a[i + 1]; for (i = 0; i < n; i++) assert(a[i] == i + 1);"
    ));
    is_open(&format!(
        "{filled} for (i = 0; i < n; i++) a[i + 1] = a[i]; for (i = 0; i < n; i++) assert(a[i + 1] == i);"
    ));
    is_open(&format!(
        "{filled} for (i = 1; i < n; i++) a[i] = a[i + 1]; for (i = 0; i < n; i++) assert(a[i] == i + 1);"
    ));
    // Rotation.
    let rotated = "int t = a[0]; for (i = 0; i < n; i++) a[i] = a[i + 1]; a[n] = t;";
    all_hold(&format!("{filled} {rotated} for (i = 0; i < n; i++) assert(a[i] == i + 1);"));
    all_hold(&format!("{filled} {rotated} assert(a[n] == 0);"));
    is_open(&format!("{filled} {rotated} assert(a[n] == n);"));
}

#[test]
fn reversal_in_place_and_exchange_of_two_arrays() {
    let filled = "int n = input(); if (n < 0) return 0; int a[n], i; for (i = 0; i < n; i++) a[i] = i;";
    let half = "for (i = 0; i < n / 2; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }";
    let all = "for (i = 0; i < n; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }";
    all_hold(&format!("{filled} {half} for (i = 0; i < n / 2; i++) assert(a[i] == n - 1 - i);"));
    is_open(&format!("{filled} {half} for (i = 0; i < n / 2; i++) assert(a[i] == i);"));
    is_open(&format!("{filled} {all} for (i = 0; i < n / 2; i++) assert(a[i] == n - 1 - i);"));
    let two = "int n = input(); if (n < 0) return 0; int a[n], b[n], i; \
               for (i = 0; i < n; i++) { a[i] = i; b[i] = 2 * i; }";
    let swap = "for (i = 0; i < n; i++) { int t = a[i]; a[i] = b[i]; b[i] = t; }";
    all_hold(&format!("{two} {swap} for (i = 0; i < n; i++) assert(a[i] == 2 * i);"));
    all_hold(&format!("{two} {swap} for (i = 0; i < n; i++) assert(b[i] == i);"));
    is_open(&format!("{two} {swap} for (i = 0; i < n; i++) assert(a[i] == i);"));
    let shifted = "for (i = 0; i < n - 1; i++) { int t = a[i]; a[i + 1] = b[i]; b[i] = t; }";
    is_open(&format!("{two} {shifted} for (i = 0; i < n; i++) assert(b[i] == i);"));
}

#[test]
fn of_several_writes_the_last_in_time_counts() {
    let some = "int n = input(); if (n < 1) return 0; int a[n + 1], i;";
    all_hold(&format!(
        "{some} for (i = 0; i < n; i++) {{ a[i] = 1; a[i + 1] = 2; }} for (i = 0; i < n; i++) assert(a[i] == 1);"
    ));
    all_hold(&format!("{some} for (i = 0; i < n; i++) {{ a[i] = 1; a[i + 1] = 2; }} assert(a[n] == 2);"));
    is_open(&format!("{some} for (i = n - 1; i >= 0; i--) {{ a[i] = 1; a[i + 1] = 2; }} assert(a[n] + a[0] == 4);"));
    is_open(&format!("{some} for (i = 0; i < n; i++) {{ a[i] = 1; a[i + 1] = 2; }} assert(a[n] == 1);"));
    all_hold(&format!(
        "{some} for (i = 0; i < n; i++) {{ a[i + 1] = 2; a[i] = 1; }} for (i = 0; i < n; i++) assert(a[i] == 1);"
    ));
    let pairs = "int n = input(); if (n < 1) return 0; int a[2 * n], i;";
    all_hold(&format!(
        "{pairs} for (i = 0; i < n; i++) {{ a[2 * i] = i; a[2 * i + 1] = 7; }} for (i = 0; i < n; i++) assert(a[2 * i] == i);"
    ));
    all_hold(&format!(
        "{pairs} for (i = 1; i <= n; i++) {{ a[2 * i - 2] = i; a[2 * i - 1] = 7; }} for (i = 0; i < n; i++) assert(a[2 * i + 1] == 7);"
    ));
    is_open(&format!(
        "{pairs} for (i = 0; i < n; i++) {{ a[2 * i] = i; a[2 * i + 1] = 7; }} for (i = 1; i < n; i++) assert(a[2 * i - 2] == i);"
    ));
    // From both ends.
    all_hold(
        "int n = input(); if (n < 1) return 0; int a[n], i; \
         for (i = 0; i < n; i++) { a[i] = 1; a[n - 1 - i] = 1; } for (i = 0; i < n; i++) assert(a[i] == 1);",
    );
    is_open(
        "int n = input(); if (n < 1) return 0; int a[n], i; \
         for (i = 0; i < n; i++) { a[i] = 1; a[n - 1 - i] = 2; } for (i = 0; i < n; i++) assert(a[i] == 1);",
    );
}

#[test]
fn cells_that_many_iterations_update_are_sums() {
    all_hold(
        "int n = input(), m = input(); if (n < 0 || m < 0) return 0; int c[n], i, j; for (j = 0; j < n; j++) c[j] = 0; \
         for (i = 0; i < m; i++) for (j = 0; j < n; j++) c[j] += 2; for (j = 0; j < n; j++) assert(c[j] == 2 * m);",
    );
    is_open(
        "int n = input(), m = input(); if (n < 0 || m < 0) return 0; int c[n], i, j; for (j = 0; j < n; j++) c[j] = 0; \
         for (i = 0; i < m; i++) for (j = 1; j < n; j++) c[j] += 2; for (j = 0; j < n; j++) assert(c[j] == 2 * m);",
    );
    let matrices = "int n = input(); if (n < 0) return 0; int a[n][n], b[n][n], i, j; \
                    for (i = 0; i < n; i++) for (j = 0; j < n; j++) b[i][j] = 3 * i + j;";
    all_hold(&format!(
        "{matrices} for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i][j] = b[j][i]; \
         for (i = 0; i < n; i++) for (j = 0; j < n; j++) assert(a[i][j] == 3 * j + i);"
    ));
    is_open(&format!(
        "{matrices} for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i][j] = b[j][i]; \
         for (i = 0; i < n; i++) for (j = 0; j < n; j++) assert(a[i][j] == 3 * i + j);"
    ));
    // Rows that depend on the row before.
    all_hold(&format!(
        "{matrices} for (i = 1; i < n; i++) for (j = 0; j < n; j++) b[i][j] = b[i - 1][j] + 1; \
         for (i = 0; i < n; i++) for (j = 0; j < n; j++) assert(b[i][j] == i + j);"
    ));
    is_open(&format!(
        "{matrices} for (i = 1; i < n; i++) for (j = 1; j < n; j++) b[i][j] = b[i - 1][j] + 1; \
         for (i = 0; i < n; i++) for (j = 0; j < n; j++) assert(b[i][j] == i + j);"
    ));
}

#[test]
fn a_cell_at_a_fixed_index_is_a_scalar() {
    all_hold(&with_length(
        "for (i = 0; i < n; i++) a[i] = 1; for (i = 1; i < n; i++) a[0] += a[i]; assert(a[0] == n);",
    ));
    is_open(&with_length("for (i = 0; i < n; i++) a[i] = 1; for (i = 2; i < n; i++) a[0] += a[i]; assert(a[0] == n);"));
}

#[test]
fn the_first_iteration_may_be_another_case() {
    let loops = |first: &str| {
        with_length(&format!(
            "for (i = 0; i < n; i++) {{ if (i == 0) {{ a[0] = {first}; }} else {{ a[i] = a[i - 1] + 6; }} }} \
             for (i = 0; i < n; i++) assert(a[i] == 6 * i + 6);"
        ))
    };
    all_hold(&loops("6"));
    is_open(&loops("5"));
}

#[test]
fn compaction_in_place_reads_old_contents() {
    let loops = |kept: &str| {
        format!(
            "int n = input(), i, j = 0, s = 0, t = 0; if (n < 0) return 0; int a[n]; \
             for (i = 0; i < n; i++) a[i] = input(); for (i = 0; i < n; i++) if (a[i] > 0) s++; \
             for (i = 0; i < n; i++) if (a[i] > 0) {{ a[j] = a[{kept}]; j++; }} assert(j == s);"
        )
    };
    all_hold(&loops("i"));
    // The cell that the next iteration reads is written.
    is_open(&loops("i").replace("a[j] = a[i]", "a[j + 1] = 0"));
}

#[test]
fn cells_that_no_iteration_writes_stay_as_they_were() {
    let loops = |from: &str| {
        format!(
            "int n = input(), i; if (n < 4) return 0; int a[n]; for (i = 0; i < n; i++) a[i] = 7; \
             for (i = {from}; i < n; i++) a[i] = a[i - 1] * a[i - 2] + a[i - 1] * a[i]; assert(a[2] == 7);"
        )
    };
    all_hold(&loops("3"));
    is_open(&loops("2"));
}

#[test]
fn stretches_of_cells_have_one_iteration_if_they_do_not_overlap() {
    let loops = |stride: i64| {
        format!(
            "int n = input(), i, j; if (n < 1) return 0; int a[2 * n + 2]; for (i = 0; i < 2 * n + 2; i++) a[i] = 7; \
             for (i = 0; i < n; i++) for (j = {stride} * i; j < {stride} * i + 2; j++) a[j] = 1; "
        )
    };
    all_hold(&format!("{} for (i = 0; i < n; i++) assert(a[2 * i + 1] == 1);", loops(2)));
    all_hold(&format!("{} assert(a[2 * n] == 7);", loops(2)));
    is_open(&format!("{} assert(a[2 * n - 1] == 7);", loops(2)));
    is_open(&format!("{} assert(a[n] == 7);", loops(1)));
}

#[test]
fn the_rank_of_a_write_is_its_iteration_only_where_the_index_moves_on() {
    let loops = |then: &str| {
        format!(
            "int n = input(), i, j = 0; if (n < 1) return 0; int a[n], b[n + 1]; for (i = 0; i < n; i++) a[i] = input(); \
             for (i = 0; i <= n; i++) b[i] = 1; for (i = 0; i < n; i++) {{ b[j] = a[i]; if (a[i] > 0) {then} }} "
        )
    };
    // The last number that is not positive stays in the cell after the others.
    is_open(&format!("{} assert(b[j] == 1);", loops("j++;")));
    let below = "for (i = j; i <= n; i++) assert(b[i] == 1);";
    is_open(&format!("{} {below}", loops("j++;")));
}

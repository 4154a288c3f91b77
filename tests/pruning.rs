//! Loop pruning and the ends of ranges: failures that only the smallest sizes show, and failures
//! that only long runs show.

use smalti::cbmc;
use smalti::fuzz::or_skip;
use smalti::lower::{LowerOptions, load_text};
use smalti::program::Program;
use smalti::stages::{CheckConfig, Silent, check};
use smalti::verdict::{Stage, Verdict};
use std::time::{Duration, Instant};

fn load(text: &str) -> Program {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
}

/// Whether CBMC is installed. Fails if it must be.
fn has_cbmc() -> bool {
    or_skip(cbmc::find(None)).is_some()
}

fn decided(program: &Program) -> (Verdict, String) {
    let config = CheckConfig::new(&[Stage::Prune], Instant::now() + Duration::from_secs(20));
    let report = check(program, &config, &Silent).expect("a report");
    let decided = &report.obligations[0];
    (decided.verdict, decided.detail(&report.sources))
}

/// `n` is an input from `least` to 1000.
fn with_input(least: u32, body: &str) -> Program {
    load(&format!(
        "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void __VERIFIER_assert(int);
         int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume({least} <= n && n <= 1000);
         int a[n + 2], x = 1, y = 1, i; {body} return 0; }}"
    ))
}

#[test]
fn what_fails_only_for_the_smallest_sizes_is_not_proved() {
    if !has_cbmc() {
        return;
    }
    let no_iteration = "for (i = 0; i < n; i++) x = 0; __VERIFIER_assert(x == 0);";
    let one_iteration =
        "for (i = 0; i < n; i++) x = 0; for (i = 1; i < n; i++) y = 0; __VERIFIER_assert(x == 1 || y == 0);";
    let reads_the_second = "for (i = 0; i < n; i++) a[i] = 7; __VERIFIER_assert(n < 1 || a[1] == 7);";
    for (least, body) in [(0, no_iteration), (1, one_iteration), (1, reads_the_second)] {
        assert_eq!(decided(&with_input(least, body)).0, Verdict::Unknown, "{body}");
        let (verdict, why) = decided(&with_input(least + 1, body));
        assert_eq!(verdict, Verdict::Proved, "{body}: {why}");
    }
}

#[test]
fn what_fails_only_in_a_long_run_is_not_proved() {
    if !has_cbmc() {
        return;
    }
    let program = |body: &str| {
        load(&format!(
            "int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);
             int main(void) {{ unsigned char c[1000]; unsigned s = 0, t = 0; int a[1000], b[1000], m = -5, x, i; {body} return 0; }}"
        ))
    };
    // More than ten cells can add up to.
    let sum = "for (i = 0; i < 1000; i++) s = s + c[i]; __VERIFIER_assert(s <= 255 * 30);";
    assert_eq!(decided(&program(sum)).0, Verdict::Unknown);
    // In steps of at most 1, so a short run does not get that far.
    let steps = "for (i = 0; i < 999; i++) b[i] = a[i + 1] - a[i];
                 for (i = 0; i < 999; i++) if (m < b[i]) m = b[i];
                 for (i = 0; i < 1000; i++) x = a[i];
                 __VERIFIER_assert(!(m <= 1 && a[0] == 0 && x >= 500 && x < 2000));";
    assert_eq!(decided(&program(steps)).0, Verdict::Unknown);
    // Sums that wrap around are still equal.
    let equal = "for (i = 0; i < 1000; i++) s = s + a[i]; for (i = 999; i < 1000; i++) x = 1;
                 for (i = 0; i < 1000; i++) t = t + a[i]; __VERIFIER_assert(s == t);";
    let equal = equal.replace("for (i = 999; i < 1000; i++) x = 1;", "");
    assert_eq!(decided(&program(&equal)).0, Verdict::Proved);
}

//! Straight-line code creates a limited number of groups: the analysis of many stores ends with
//! right answers.

use smalti::analysis::{Analysis, AnalysisConfig, analyse};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{ObligationKind, obligations};
use smalti::verdict::Verdict;
use std::fmt::Write;

const PRELUDE: &str =
    "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void abort(void);\n";

/// The verdicts, in the order of the assertions.
fn verdicts(text: &str) -> Vec<Verdict> {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let program = load_text("stores.c", text, &options).expect("C");
    let all = obligations(&program, &[ObligationKind::Assertion]);
    let config = AnalysisConfig { stack: Some("partition/octagon".into()), verify: true, ..AnalysisConfig::default() };
    let Analysis { findings, notes, .. } = analyse(&program, &all, &config).expect("the stack is there");
    assert!(notes.iter().all(|n| !n.contains("bug")), "{notes:?}");
    all.iter().map(|o| findings[&o.key].verdict).collect()
}

#[test]
fn three_hundred_stores_at_constant_indexes_get_the_right_answers() {
    let (mut text, mut cells) = (PRELUDE.to_owned(), [None; 1000]);
    text.push_str("int main(void) {\n  int a[1000];\n");
    for n in 0..300usize {
        cells[n * 7 % 1000] = Some(n % 5);
        let _ = writeln!(text, "  a[{}] = {};", n * 7 % 1000, n % 5);
    }
    // Conditions do not help each other.
    let claim = |n: usize, value: usize| {
        format!("  if (__VERIFIER_nondet_int()) {{ __VERIFIER_assert(a[{n}] == {value}); abort(); }}\n")
    };
    text.push_str(&claim(299 * 7 % 1000, 299 % 5));
    // A value that the cell does not have; any value for a cell without a value.
    for (n, cell) in cells.iter().enumerate().step_by(13) {
        text.push_str(&claim(n, cell.map_or(0, |value| value + 1)));
    }
    text.push_str("  return 0;\n}\n");
    let found = verdicts(&text);
    assert_eq!((found.len(), found[0]), (78, Verdict::Proved));
    assert!(found[1..].iter().all(|v| *v == Verdict::Unknown), "{found:?}");
}

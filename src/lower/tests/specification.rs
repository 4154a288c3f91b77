//! Assertions, assumptions, inputs.

use super::{count, lowered, outcome, outcome_with};
use crate::interpreter::Outcome;
use crate::lower::{LowerOptions, load_text};
use crate::program::{Program, StmtKind};

const PRELUDE: &str = "extern void abort(void); extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error() { __assert_fail(\"0\", \"x.c\", 3, \"reach_error\"); }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } return; }
";

fn conditions(program: &Program) -> Vec<String> {
    program.assertions.iter().map(|a| format!("{} {}", a.id, a.condition)).collect()
}

#[test]
fn known_definitions_become_assertions_at_the_call() {
    let program = lowered(&format!(
        "{PRELUDE}int main() {{ int n = __VERIFIER_nondet_int();
          assume_abort_if_not(n > 0 &&\n   n < 5);
          __VERIFIER_assert(n  <\n 5); if (n == 4) reach_error(); return 0; }}"
    ));
    assert_eq!(conditions(&program), ["main.assertion.1 n < 5", "main.assertion.2 reach_error()"]);
    assert_eq!(program.assertions[0].location.line, 9);
    assert_eq!(program.assertions[0].location.column, 11);
    assert_eq!(count(&program, |s| matches!(s, StmtKind::Call { .. })), 0);
    assert_eq!(outcome_with(&program, &[3]), Outcome::Finished);
    assert_eq!(outcome_with(&program, &[9]), Outcome::AssumptionFailed);
    assert!(matches!(outcome_with(&program, &[4]), Outcome::AssertionFailed(_)));
}

#[test]
fn a_specification_function_with_another_body_is_analysed_by_its_body() {
    // This one asserts nothing.
    let text = "void __VERIFIER_assert(int c) { if (!c) { return; } } int main() { __VERIFIER_assert(0); return 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
    // This one tests the opposite.
    let text = "void __VERIFIER_error(); void __VERIFIER_assert(int c) { if (c) __VERIFIER_error(); }
                int main() { __VERIFIER_assert(0); return 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
    let text = "int __VERIFIER_nondet_int(void) { return 7; } void assert(int);
                int main() { assert(__VERIFIER_nondet_int() == 7); return 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
    // It counts before it fails, so it is not recognised.
    let text =
        "int n; void reach_error(); void __VERIFIER_assert(int c) { n++; if (!c) reach_error(); } void assert(int);
                int main() { __VERIFIER_assert(1); assert(n == 1); return 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
}

#[test]
fn the_argument_is_converted_to_the_parameter_first() {
    // 2^32 is 0 as an int, and not 0 as a macro's condition.
    let text = |head: &str| format!("{head} int main() {{ long x = 4294967296; __VERIFIER_assert(x); return 0; }}");
    assert!(matches!(outcome(&text(PRELUDE)), Outcome::AssertionFailed(_)));
    assert_eq!(outcome(&text("void __VERIFIER_assert(_Bool);")), Outcome::Finished);
}

#[test]
fn assert_of_the_header_is_an_assertion_with_its_source_text() {
    let text = "#include <assert.h>\n#define N 3\nint main(void) { int a[N] = {1};\n  int i = 0; assert(a[i] == N - 2 && \"told\"); return 0; }\n";
    let program = load_text("t.c", text, &LowerOptions::default()).unwrap();
    assert_eq!(conditions(&program), ["main.assertion.1 a[i] == N - 2 && \"told\""]);
    let at = program.assertions[0].location;
    assert_eq!((program.sources.describe(at).as_str(), at.line, at.column), ("t.c:4:14", 4, 14));
    assert_eq!(outcome_with(&program, &[]), Outcome::Finished);
    let off = LowerOptions { defines: vec!["NDEBUG".into()], ..LowerOptions::default() };
    assert!(load_text("t.c", text, &off).unwrap().assertions.is_empty());
}

#[test]
fn assert_that_was_preprocessed_already_is_an_assertion() {
    for expansion in [
        "((i == 1) ? (void)(0) : __assert_fail(\"i == 1\", \"t.c\", 1, \"main\"))",
        "({ if (i == 1) ; else __assert_fail(\"i == 1\", \"t.c\", 1, \"main\"); })",
        "((void) sizeof ((i == 1) ? 1 : 0), __extension__ ({ if (i == 1) ; else __assert_fail (\"i == 1\", \"t.c\", 1, \"main\"); }))",
    ] {
        let program = lowered(&format!(
            "extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
             extern int __VERIFIER_nondet_int(void);
             int main(void) {{ int i = __VERIFIER_nondet_int(); {expansion}; return 0; }}"
        ));
        assert_eq!(conditions(&program), ["main.assertion.1 i == 1"], "{expansion}");
        assert_eq!(outcome_with(&program, &[1]), Outcome::Finished);
        assert!(matches!(outcome_with(&program, &[2]), Outcome::AssertionFailed(_)));
    }
}

#[test]
fn runs_end_at_abort_and_exit() {
    assert_eq!(outcome("void abort(void); int main() { abort(); }"), Outcome::Stopped);
    assert_eq!(outcome("void exit(int); int f() { exit(3); } int main() { f(); return 1; }"), Outcome::Stopped);
}

//! Functions that are known by their names do what C says, and no others are taken for them.

use super::{count, lower, lowered, outcome};
use crate::interpreter::Outcome;
use crate::program::{Program, StmtKind};

fn calls(program: &Program) -> usize {
    count(program, |s| matches!(s, StmtKind::Call { .. }))
}

#[test]
fn a_format_that_may_write_is_a_call_of_an_unknown_function() {
    let calls = |body: &str| {
        let head =
            "int printf(const char *, ...); int fprintf(void *, const char *, ...); const char *f; int x; short y;";
        calls(&lowered(&format!("{head} int main(void) {{ {body}; return 0; }}")))
    };
    for writes in [
        "printf(\"abc%hn\\n\", &y)",
        "printf(\"%d\" \"%l\" \"n\", x, &x)",
        "printf(f, &x)",
        "fprintf(0, x ? \"a\" : f, &x)",
    ] {
        assert_eq!(calls(writes), 1, "{writes}");
    }
    for quiet in
        ["printf(\"%d%%n%s\", x, f)", "printf(f)", "printf(x ? \"%d\" : \"no %d\", x)", "fprintf(0, \"n%dn\", x)"]
    {
        assert_eq!(calls(quiet), 0, "{quiet}");
    }
}

#[test]
fn wide_strings_that_are_read_fill_more_than_one_element() {
    let reached = |format: &str| {
        let program = lowered(&format!(
            "int sscanf(const char *, const char *, ...); const char *f; int w[10]; int main(void) {{ sscanf(\"abc\", {format}, w); return 0; }}"
        ));
        count(&program, |s| matches!(s, StmtKind::HavocReachable(_)))
    };
    for wide in ["\"%ls\"", "\"%5l[a-z]\"", "\"%S\"", "\"%d%lc\"", "f"] {
        assert_eq!(reached(wide), 1, "{wide}");
    }
    assert_eq!(reached("\"%ld\""), 0);
}

#[test]
fn names_that_c_does_not_reserve_belong_to_the_program() {
    let program = lowered(
        "int popcount(int *p); int parity(int *p); int ffs(int *p); int x = 1;
         int main(void) { popcount(&x); parity(&x); ffs(&x); return 0; }",
    );
    assert_eq!(calls(&program), 3);
    let program = lowered(
        "int ffs(int); int main(void) { unsigned x = 6; return __builtin_popcount(x) + __builtin_clz(x) + ffs(x); }",
    );
    assert_eq!(calls(&program), 0);
}

#[test]
fn what_is_constant_to_everyone_is_and_the_rest_is_open() {
    let text = "void assert(int); int main(void) { assert(__builtin_constant_p(1.5) && __builtin_constant_p(2 + 3)); return 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
    let open = lowered("int main(void) { int x = 3; if (__builtin_constant_p(x)) return 1; return 0; }");
    assert_eq!(count(&open, |s| matches!(s, StmtKind::Havoc(_))), 1);
}

#[test]
fn builtins_of_floating_type_have_it_undeclared() {
    assert!(lower("_Static_assert(sizeof(__builtin_fabs(1.0)) == 8, \"\"); int main(void) { return 0; }").is_ok());
}

//! Tests behaviors, what may be written, where a program ends, and definitions of one name.

use super::annotations::{claims, ids, unjudged};
use super::{lowered, outcome};
use crate::interpreter::Outcome;

/// Whether a run of the program fails an assertion.
fn fails(text: &str) -> bool {
    matches!(outcome(text), Outcome::AssertionFailed(_))
}

#[track_caller]
fn only_the_second_fails(right: &str, spoilt: &str) {
    for text in [right, spoilt] {
        assert_eq!(unjudged(&lowered(text)), [""; 0], "{text}");
    }
    assert!(!fails(right), "{right}");
    assert!(fails(spoilt), "{spoilt}");
}

#[test]
fn a_behavior_counts_where_it_applies() {
    let contract = |low: &str, call: &str| {
        format!(
            "/*@ behavior below: assumes x < 0; ensures \\result == {low};\n\
             behavior other: assumes x >= 0; ensures \\result == x; complete behaviors; disjoint behaviors; */\n\
             int cut(int x) {{ if (x < 0) {{ x = 0; }} return x; }} int main(void) {{ return cut({call}); }}"
        )
    };
    only_the_second_fails(&contract("0", "-3"), &contract("1", "-3"));
    assert!(!fails(&contract("1", "3")), "the behavior does not apply");
    let relation = |other: &str, word: &str| {
        format!(
            "/*@ behavior a: assumes x < 0; behavior b: assumes {other}; {word} behaviors a, b; */\n\
             int f(int x) {{ return x; }} int main(void) {{ return f(-1) + f(0); }}"
        )
    };
    only_the_second_fails(&relation("x >= 0", "complete"), &relation("x > 0", "complete"));
    only_the_second_fails(&relation("x >= 0", "disjoint"), &relation("x >= -1", "disjoint"));
    let required = |bound: &str| {
        format!(
            "/*@ behavior a: assumes x < 0; requires y > {bound}; */ int f(int x, int y) {{ return x + y; }}\n\
             int main(void) {{ return f(-1, 3) + f(1, 0); }}"
        )
    };
    only_the_second_fails(&required("2"), &required("3"));
}

#[test]
fn whether_a_behavior_applied_is_found_out_at_the_start() {
    let text = "/*@ behavior first: assumes *p == 1; ensures *p == 2; */ void f(int *p) { *p = 2; }\n\
                int main(void) { int x = 1; f(&x); return x; }";
    let all = claims(text);
    assert!(all.iter().any(|c| c.contains("applies_first == 1 ==> ")), "{all:?}");
    assert_eq!(all.iter().filter(|c| c.starts_with("assume ")).count(), 1, "{all:?}");
    let by_parameter = "/*@ behavior first: assumes n == 1; ensures \\result == 2; */ int f(int n) { n = 2; return n; }\n\
                        int main(void) { return f(1); }";
    assert!(claims(by_parameter).iter().any(|c| c.contains("old_n == 1 ==> result == 2")));
}

#[test]
fn writes_are_to_what_is_listed() {
    let fill = |listed: &str, test: &str| {
        format!(
            "/*@ assigns {listed}; */ void fill(int *a, unsigned n) {{\n\
             /*@ loop assigns i, a[0 .. n - 1]; */ for (unsigned i = 0; {test}; i++) {{ a[i] = 0; }} }}\n\
             int main(void) {{ int t[5]; fill(t, 4); return 0; }}"
        )
    };
    only_the_second_fails(&fill("a[0 .. n - 1]", "i < n"), &fill("a[0 .. n - 1]", "i <= n"));
    only_the_second_fails(&fill("a[..]", "i < n"), &fill("a[0 .. n - 2], a[n - 2]", "i < n"));
    // The bounds are those at the call.
    let moved = |test: &str| {
        format!(
            "/*@ assigns a[0 .. n - 1]; */ void f(int *a, int n) {{ while ({test}) {{ n = n - 1; a[n] = 0; }} }}\n\
             int main(void) {{ int t[5], *p = t + 1; f(p, 3); return 0; }}"
        )
    };
    only_the_second_fails(&moved("n > 0"), &moved("n >= 0"));
    let of_struct = |member: &str| {
        format!(
            "struct s {{ int f, g[3]; }}; /*@ assigns s->f, s->g[0 .. 1]; */ void f(struct s *s, int k) {{ s->f = 1; s->g[{member}] = 2; }}\n\
             int main(void) {{ struct s t; f(&t, 1); return 0; }}"
        )
    };
    only_the_second_fails(&of_struct("k"), &of_struct("k + 1"));
    let pure = "int twice(int x) { int y = x; y = 2 * y; return y; }\n\
                /*@ assigns \\nothing; */ int f(int x) { int t[3]; t[1] = twice(x); return t[1]; } int main(void) { return f(1); }";
    assert_eq!((unjudged(&lowered(pure)).len(), fails(pure)), (0, false));
}

#[test]
fn writes_that_may_be_to_what_is_listed_leave_the_clause_open() {
    for body in [
        "int *p = a; *p = 1;",
        "b[0] = 1;",
        "g = 1;",
        "a = a + 1; a[0] = 1;",
        "int **q = &a; *q = a; a[0] = 1;",
        "n = a[0]; g = n;",
        "writes(a);",
        "unknown();",
        "a[b[0]] = 1;",
    ] {
        let text = format!(
            "int g; void unknown(void); void writes(int *p) {{ *p = 1; }}\n\
             /*@ assigns a[0 .. n - 1]; */ void f(int *a, int *b, int n) {{ {body} }}\n\
             int main(void) {{ int t[3], u[3]; f(t, u, 3); return 0; }}"
        );
        assert_eq!(ids(&lowered(&text)), ["f.assigns.1?"], "{body}");
    }
    let of_loop = |listed: &str, body: &str| {
        let text = format!(
            "int main(void) {{ int i, s = 0, t[3];\n/*@ loop assigns {listed}; */\nfor (i = 0; i < 3; i++) {{ {body} }} return s; }}"
        );
        ids(&lowered(&text))
    };
    assert_eq!(of_loop("i, s, t[0 .. 2]", "int k = i; t[k] = k; s = s + k; k = 0;"), ["main.assigns.1"]);
    assert_eq!(of_loop("i", "s = s + 1;"), ["main.assigns.1?"]);
    assert_eq!(of_loop("i, t[0 .. s]", "t[0] = 0; s = 1;"), ["main.assigns.1?"], "the bound changes");
}

#[test]
fn an_assigns_of_a_behavior_is_claimed_if_it_needs_no_condition() {
    let contract = |listed: &str, body: &str| {
        let text = format!(
            "/*@ behavior b: assumes n > 0; assigns {listed}; */ void f(int *a, int n) {{ {body} }}\n\
             int main(void) {{ int t[3]; f(t, 3); return 0; }}"
        );
        ids(&lowered(&text))
    };
    assert_eq!(contract("\\nothing", "n = 1;"), ["f.assigns.1"]);
    assert_eq!(contract("a[..]", "a[0] = 1;"), ["f.assigns.1"]);
    assert_eq!(contract("a[0 .. 1]", "a[0] = 1;"), ["f.assigns.1?"]);
}

#[test]
fn where_no_run_ends_every_claim_about_ends_holds() {
    let ends = |body: &str| {
        let text = format!(
            "extern void exit(int); extern int other(void); int inner(int x) {{ {body} return x; }}\n\
             /*@ exits \\false; */ int f(int x) {{ return inner(x); }} int main(void) {{ return f(1); }}"
        );
        ids(&lowered(&text))
    };
    assert_eq!(ends("x++;"), ["f.exits.1"]);
    assert_eq!(ends("if (x) exit(1);"), ["f.exits.1?"]);
    assert_eq!(ends("x = other();"), ["f.exits.1?"]);
}

#[test]
fn definitions_of_one_name_are_told_apart_by_types() {
    let text = |uses: &str| {
        format!(
            "typedef int value; /*@ predicate all(value *a, integer m, integer n, value v) = \\forall integer i; m <= i < n ==> a[i] == v;\n\
             predicate all(value *a, integer n, value v) = all(a, 0, n, v);\n\
             predicate all(value *a, integer m, integer n) = all(a, m, n, a[m]); */\n\
             int main(void) {{ value t[4] = {{0, 7, 7, 7}}; unsigned n = 4; value v = 7;\n//@ assert {uses};\nreturn 0; }}"
        )
    };
    only_the_second_fails(&text("all(t, 1, n, v)"), &text("all(t, 0, n, v)"));
    only_the_second_fails(&text("all(t, 1, n)"), &text("all(t, 0, n)"));
    only_the_second_fails(&text("!all(t, n, v)"), &text("all(t, n, v)"));
    let one = unjudged(&lowered(&text("all(v, n, t)")));
    assert!(one.len() == 1 && one[0].contains("no single definition of `all` fits these arguments"), "{one:?}");
    let twice = "//@ predicate p(int x) = x > 0; predicate p(int y) = y < 0;\n\
                 int main(void) {\n//@ assert p(1);\nreturn 0; }";
    assert!(unjudged(&lowered(twice))[0].contains("it is defined twice"));
}

#[test]
fn labels_say_when_a_term_is_evaluated() {
    let text = |invariant: &str| {
        format!(
            "/*@ predicate least{{L}}(int *a, integer n) = \\forall integer i; 0 <= i < n ==> a[i] >= 0; */\n\
             /*@ ensures \\result == \\at(n, Pre) + \\at(k, Old); */ int f(int n, int k) {{\n\
             /*@ loop invariant {invariant}; */ while (n < 5) {{ n++; }} return 5 + k; }}\n\
             int main(void) {{ return f(5, 2); }}"
        )
    };
    only_the_second_fails(&text("n >= \\at(n, Pre)"), &text("n > \\at(n, Pre)"));
    let at = "/*@ predicate same{K, L}(int *a) = \\at(a[0], K) == \\at(a[0], L);\n predicate one{L}(int *a) = a[0] == 1; */\n\
              int main(void) { int t[1] = {1};\n//@ assert same{Here, Here}(t) && one{Here}(t) && one(t);\nreturn 0; }";
    assert_eq!((unjudged(&lowered(at)).len(), fails(at)), (0, false));
    for (claim, reason) in [
        ("same{Here}(t)", "`same` takes 2 labels, but 1 are given"),
        ("same(t)", "`same` takes 2 labels, but 0 are given"),
        ("same{Here, Pre}(t)", "outside of contracts"),
        ("one{Pre}(t)", "the cells of then are not kept"),
        ("\\at(t[0], LoopEntry) == 1", "the label `LoopEntry` is not supported"),
    ] {
        let text = at.replace("same{Here, Here}(t) && one{Here}(t) && one(t)", claim);
        let found = unjudged(&lowered(&text));
        assert!(found.len() == 1 && found[0].contains(reason), "{claim}: {found:?}");
    }
}

#[test]
fn there_is_one_exactly_if_not_all_are_none() {
    let text = |claim: &str| format!("int main(void) {{ int t[3] = {{4, 5, 6}};\n//@ assert {claim};\nreturn 0; }}");
    only_the_second_fails(
        &text("\\exists integer i; 0 <= i < 3 && t[i] == 6"),
        &text("\\exists integer i; 0 <= i < 2 && t[i] == 6"),
    );
    only_the_second_fails(
        &text("\\exists integer i, j; 0 <= i < j < 3 && t[i] + 2 == t[j]"),
        &text("\\exists integer i, j; 0 <= i < j < 3 && t[i] == t[j]"),
    );
    only_the_second_fails(&text("!(\\exists integer i; 0 <= i < 0)"), &text("\\exists integer i; 0 <= i < 0"));
    let logic = "/*@ logic integer left(integer i) = 2 * i + 1; logic integer right(integer i) = left(i) + 1; */ ";
    only_the_second_fails(
        &format!("{logic}{}", text("t[left(0)] == 5 && right(0) == 2")),
        &format!("{logic}{}", text("t[right(0)] == 5")),
    );
}

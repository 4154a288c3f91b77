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
fn an_assigns_of_a_behavior_is_claimed_where_it_applies() {
    let contract = |listed: &str, body: &str| {
        let text = format!(
            "/*@ behavior b: assumes n > 0; assigns {listed}; */ void f(int *a, int n) {{ {body} }}\n\
             int main(void) {{ int t[3]; f(t, 3); return 0; }}"
        );
        ids(&lowered(&text))
    };
    assert_eq!(contract("\\nothing", "n = 1;"), ["f.assigns.1"]);
    assert_eq!(contract("a[..]", "a[0] = 1;"), ["f.assigns.1"]);
    assert_eq!(contract("a[0 .. 1]", "a[0] = 1;"), ["f.assigns.1"]);
    assert_eq!(contract("a[0 .. 1]", "int *p = a; *p = 1;"), ["f.assigns.1?"]);
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
        ("same{Here, Pre}(t)", "`t` does not exist where the function begins"),
        ("one{Pre}(t)", "`t` does not exist where the function begins"),
        ("\\at(t[0], LoopEntry) == 1", "the label `LoopEntry` is allowed only in loops"),
        ("\\at(t[0], There) == 1", "there is no label `There` before this"),
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

#[test]
fn cells_are_known_at_earlier_moments() {
    let text = |claim: &str| {
        format!(
            "int t[4]; struct s {{ int n; int a[2]; }} u; /*@ predicate same{{K, L}}(int *a, integer n) =\n\
             \\forall integer i; 0 <= i < n ==> \\at(a[i], K) == \\at(a[i], L); */\n\
             void f(int *p, int k) {{ p[k] = 7; First: p[k + 1] = 8; u.a[1] = k; k = 0; u.n = 5;\n\
             //@ ghost Second: ;\np[k] = 9;\n//@ assert {claim};\n\
             }} int main(void) {{ t[1] = 1; t[2] = 2; u.n = 3; u.a[1] = 4; f(t, 1); return 0; }}"
        )
    };
    for (holds, fails) in [
        ("\\at(p[1], Pre) == 1 && \\at(p[k], Pre) == 1", "\\at(p[1], Pre) == 7"),
        ("\\at(p[1], First) == 7 && \\at(p[2], First) == 2", "\\at(p[2], First) == 8"),
        ("\\at(p[2], Second) == 8 && \\at(p[0], Second) == 0", "\\at(p[0], Second) == 9"),
        ("\\at(k, Pre) == 1 && \\at(k, First) == 1 && \\at(k, Second) == 0", "\\at(k, First) == 0"),
        ("\\at(u.n, Pre) == 3 && \\at(u.a[1], First) == 4 && u.a[1] == 1", "\\at(u.n, Second) == 3"),
        ("same{Second, Here}(p + 1, 3)", "same{Second, Here}(p, 1)"),
        ("same{Pre, First}(p + 2, 2) && same{First, Here}(p, 0)", "same{Pre, First}(p, 4)"),
        ("p[\\at(k, First)] == 7 && \\at(p[\\at(k, Here) + 1], Pre) == 1", "\\at(p[\\at(k, Here)], First) == 7"),
    ] {
        only_the_second_fails(&text(holds), &text(fails));
    }
}

#[test]
fn moments_of_loops_are_those_of_the_innermost() {
    let text = |claim: &str| {
        format!(
            "int t[3]; int main(void) {{ int i = 0, s = 0; while (i < 3) {{ t[i] = s;\n\
             /*@ loop invariant \\at(t[i], LoopEntry) == s; */ for (int k = 0; k < 2; k++) {{ s++; t[i]++;\n\
             //@ assert {claim};\n}} i++; }} return 0; }}"
        )
        .replace("\\at(t[i], LoopEntry) == s;", "\\at(t[i], LoopEntry) + k == s;")
    };
    only_the_second_fails(
        &text(
            "t[i] == \\at(t[i], LoopCurrent) + 1 && \\at(s, LoopEntry) == s - k - 1 && \\at(t[i], LoopEntry) == 2 * i",
        ),
        &text("t[i] == \\at(t[i], LoopCurrent) + 2"),
    );
}

#[test]
fn terms_have_conditions_locals_and_casts() {
    let text = |claim: &str| {
        format!(
            "typedef unsigned char byte; int main(void) {{ int x = -3, y = 4; byte b = 200; int t[3] = {{1, 2, 3}}; int *p = t;\n\
             /*@ assert {claim}; */\nreturn 0; }}"
        )
    };
    for (holds, fails) in [
        ("(x < 0 ? -x : x) == 3", "(x < 0 ? x : -x) == 3"),
        ("x < 0 ? y == 4 : y == 5", "x < 0 ? y == 5 : y == 4"),
        ("x > 0 ? y == 5 : x < -5 ? y == 6 : y == 4", "x > 0 ? y == 5 : x < -5 ? y == 4 : y == 6"),
        ("\\let z = x + y; z == 1 && \\let w = z * z; w == 1", "\\let z = x + y; \\let x = z; x == -3"),
        ("(int)b == 200 && (long) x == -3 && (byte) 7 == 7", "(int)b == -56"),
        ("(byte) x == 253 && (signed char) b == -56", "(byte) x == -3"),
        ("\\forall byte k; k <= 255 && (k != b || k == 200)", "\\forall byte k; k != b"),
        (
            "\\forall integer i, j; 0 <= i < j < 3 ==> t[i] < t[j]",
            "\\forall integer i, integer j; 0 <= i < j < 3 ==> t[i] > t[j]",
        ),
        ("*(p + 1) == 2 && (p + 1)[1] == 3 && *(1 + p) == 2", "(p + 2)[-1] == 3"),
    ] {
        only_the_second_fails(&text(holds), &text(fails));
    }
    for (claim, reason) in
        [("(float) x == 3", "a cast to `float` is not supported"), ("\\forall int *q; *q == 1", "`q` is a pointer")]
    {
        let found = unjudged(&lowered(&text(claim)));
        assert!(found.len() == 1 && found[0].contains(reason), "{claim}: {found:?}");
    }
}

#[test]
fn functions_may_use_themselves() {
    let text = |claim: &str| {
        format!(
            "typedef int value;\n\
             /*@ logic integer count(value *a, integer m, integer n, value v) =\n\
                   n <= m ? 0 : count(a, m, n - 1, v) + (a[n - 1] == v ? 1 : 0);\n\
                 logic integer count(value *a, integer n, value v) = count(a, 0, n, v);\n\
                 predicate same{{K, L}}(value *a, integer n) = \\forall value v; 0 <= v < 4 ==> count{{K}}(a, n, v) == count{{L}}(a, n, v);\n\
                 logic integer sum(integer n) = n <= 0 ? 0 : sum(n - 1) + n; */\n\
             value t[6] = {{1, 2, 1, 3, 1, 2}}; struct s {{ value row[2][3]; }} s;\n\
             void f(value *p) {{ value v = p[0]; p[0] = p[1]; p[1] = v; s.row[1][2] = 1;\n\
             /*@ assert {claim}; */\np[2] = 5; }}\n\
             int main(void) {{ f(t + 1); return 0; }}"
        )
    };
    for (holds, fails) in [
        ("count(t, 0, 6, 1) == 3", "count(t, 0, 6, 1) == 2"),
        ("count(p, 4, 1) == 2 && count(p + 1, 1, 1) == 0", "count(p + 1, 1, 2) == 0"),
        ("same{Pre, Here}(p, 3) && same{Pre, Here}(t, 6)", "same{Pre, Here}(p, 1)"),
        ("count{Pre}(p, 1, 2) == 1 && count(p, 1, 2) == 0", "count{Pre}(p, 1, 1) == 1"),
        ("count(s.row[1], 3, 1) == 1 && count(s.row[0], 3, 0) == 3", "count(s.row[1], 2, 1) == 1"),
        ("sum(100) == 5050 && sum(-3) == 0", "sum(4) == 11"),
    ] {
        only_the_second_fails(&text(holds), &text(fails));
    }
    for (claim, reason) in [
        ("count(&p, 1, 1) == 1", "the address of this is not supported"),
        ("count(v, 1, 1) == 1", "`a` must be a pointer"),
        ("count((short) p, 1, 1) == 1", "annotations can only be about integers"),
    ] {
        let found = unjudged(&lowered(&text(claim)));
        assert!(found.len() == 1 && found[0].contains(reason), "{claim}: {found:?}");
    }
    let reads = "int g; /*@ logic integer f(integer n) = n <= 0 ? g : f(n - 1); */ int main(void) {\n//@ assert f(2) == 0;\nreturn 0; }";
    assert!(unjudged(&lowered(reads))[0].contains("recursive definitions read only their parameters"));
    let divides = reads.replace("? g :", "? 7 / n :");
    assert!(unjudged(&lowered(&divides))[0].contains("may divide only by constants"));
    let predicate =
        "/*@ predicate p(integer n) = n <= 0 || p(n - 1); */ int main(void) {\n//@ assert p(2);\nreturn 0; }";
    assert!(unjudged(&lowered(predicate)).is_empty());
    only_the_second_fails(predicate, &predicate.replace("n <= 0 ||", "n == 1 &&"));
}

#[test]
fn lemmas_about_functions_are_listed() {
    let text = |lemma: &str| {
        format!(
            "/*@ logic integer sum(int *a, integer n) = n <= 0 ? 0 : sum(a, n - 1) + a[n - 1];\n\
                 logic integer other(integer n) = n <= 0 ? 0 : other(n - 1);\n\
                 lemma l{{K, L}}: {lemma}; */\n\
             int t[3]; int main(void) {{\n/*@ assert sum(t, 3) == 0; */\nreturn 0; }}"
        )
    };
    let lemmas = |lemma: &str| lowered(&text(lemma)).lemmas;
    let found = lemmas(
        "\\forall int *a, integer n; (\\forall integer k; 0 <= k < n ==> \\at(a[k], K) == \\at(a[k], L)) ==> sum{K}(a, n) == sum{L}(a, n)",
    );
    assert_eq!(found.iter().map(|l| (l.numbers.len(), l.elements)).collect::<Vec<_>>(), [(1, 2)]);
    assert_eq!(lemmas("\\forall int *a, *b, int n; sum(a, n) <= sum(a, n) + 1")[0].elements, 4);
    for unused in
        ["\\forall integer n; n <= n + 1", "\\forall integer n; other(n) == 0", "\\forall int *a; sum(a, 1) == t[0]"]
    {
        assert!(lemmas(unused).is_empty(), "{unused}");
    }
}

#[test]
fn a_quantified_variable_has_values_of_its_type() {
    let text = |claim: &str| format!("int main(void) {{ unsigned n = 1000;\n/*@ assert {claim}; */\nreturn 0; }}");
    only_the_second_fails(
        &text("\\exists unsigned char c; 0 <= c < n && c == 200"),
        &text("\\exists unsigned char c; 0 <= c < n && c == 500"),
    );
    only_the_second_fails(
        &text("\\forall unsigned char c; -4 <= c < 1000 ==> 0 <= c <= 255"),
        &text("\\forall int c; -4 <= c < 1000 ==> 0 <= c <= 255"),
    );
}

#[test]
fn arguments_and_locals_of_formulas_keep_their_moments() {
    let text = |claim: &str| {
        format!(
            "struct s {{ int v; int t[2]; int *p; }} g; /*@ predicate pos{{L}}(struct s x) = x.v > 0 && x.t[1] > 0; */\n\
             int zero, a[1] = {{1}}, b[1] = {{2}}; int main(void) {{ int k = 3; g.v = 1; g.t[1] = 1; g.p = b;\n\
             if (zero != 0) goto M; L: g.v = -1; k = 4; g.p = a; {{ int late = 5; M: late = 6;\n\
             //@ assert {claim};\n}} return 0; }}"
        )
    };
    for (holds, fails) in [
        ("\\at(pos{Here}(g), L)", "pos{L}(g)"),
        ("\\let x = g; x.v == -1 && \\at(x.v, L) == -1", "\\let x = g; \\at(x.v, L) == 1"),
        ("\\at(\\let x = g; x.v == 1 && x.t[1] == 1, L)", "\\at(\\let x = g; x.v == -1, L)"),
        ("\\at(g, L).v == 1 && \\at(k, L) == 3", "\\at(g, L).v == -1"),
    ] {
        only_the_second_fails(&text(holds), &text(fails));
    }
    for (claim, reason) in [
        ("\\at(g.p, L)[0] == 2", "pointers in memory at an earlier moment"),
        ("\\at(\\let q = g.p; q[0] == 2, L)", "pointers in memory at an earlier moment"),
        ("\\at(g.p[0], L) == 2", "pointers in memory at an earlier moment"),
        ("\\at(g.t, L)[1] == 1", "whole arrays of an earlier moment"),
        ("\\at(late, L) == 5", "`late` does not exist at that label"),
    ] {
        let found = unjudged(&lowered(&text(claim)));
        assert!(found.len() == 1 && found[0].contains(reason), "{claim}: {found:?}");
    }
    // No run through `M` alone has passed `L`.
    let passed_by = |claim: &str| text(claim).replace("zero != 0", "zero == 0");
    for claim in ["\\at(k, L) == 3", "\\at(k, L) != 3", "\\at(g.v, L) == 1"] {
        assert!(matches!(outcome(&passed_by(claim)), Outcome::Unsupported { .. }), "{claim}");
    }
    let twice =
        text("\\true").replace("M: late = 6;", "M: late = 6;\n//@ ghost G: ;\nlate = 7;\n//@ ghost G: ;\nlate = 8;\n");
    assert!(unjudged(&lowered(&twice))[0].contains("the label `G` is defined twice"));
}

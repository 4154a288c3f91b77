//! Tests the meaning of annotations, and the errors for those without one.

use super::{deep, lower, lowered, outcome};
use crate::interpreter::Outcome;
use crate::lower::LowerOptions;
use crate::program::{
    AssertionId, ClaimRole, Formula, Obligation, ObligationKind, Program, StmtKind, each_stmt, obligations, print,
};

/// The claims of all functions, as they are printed.
pub(super) fn claims(text: &str) -> Vec<String> {
    let program = lowered(text);
    let mut found = Vec::new();
    program.each_stmt(|s| {
        if let StmtKind::Claim(claim) = &s.kind {
            found.push(print::claim(&program, claim));
        }
    });
    found
}

/// The obligations that nothing judges, each with its place, its name and the reason.
pub(super) fn unjudged(program: &Program) -> Vec<String> {
    let told = |o: &Obligation| {
        let place = program.sources.describe(o.location);
        o.unsupported.as_ref().map(|reason| format!("{place}: {}: {reason}", o.id))
    };
    obligations(program, &[ObligationKind::Assertion]).iter().filter_map(told).collect()
}

/// The ids of all assertions, those that nothing judges with a question mark.
pub(super) fn ids(program: &Program) -> Vec<String> {
    let name = |o: &Obligation| if o.unsupported.is_some() { format!("{}?", o.id) } else { o.id.clone() };
    obligations(program, &[ObligationKind::Assertion]).iter().map(name).collect()
}

/// The program of one function that is analysed alone.
pub(super) fn alone(function: &str, text: &str) -> Program {
    let options = LowerOptions { preprocess: false, alone: true, entry: function.into(), ..LowerOptions::default() };
    crate::lower::load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{e}"))
}

fn claim(formula: &str) -> String {
    let text = format!(
        "struct s {{ int f; int g; }}; int a[9]; struct s t[9]; int x; int *p; struct s *q; enum {{ E = 4 }};\n\
         int main(void) {{ unsigned n = 3; p = a; q = t;\n //@ assert {formula};\n return 0; }}\n"
    );
    let all = claims(&text);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0].strip_prefix("assert ").and_then(|c| c.strip_suffix(';')).unwrap_or_default().to_owned()
}

#[test]
fn formulas_are_printed_as_they_are_read() {
    for same in [
        "x == 1",
        "x + 1 > x - 1 * 2",
        "(x + 1) * 2 == -x % 3",
        "x - (x - 1) == 1",
        "!(x > 0) || x < 3 && n != 2",
        "(x > 0 || x < 3) && n != 2",
        "x > 0 ==> x > 1 ==> x > 2",
        "(x > 0 ==> x > 1) ==> x > 2",
        "x > 0 <==> n > 0",
        "a[x + 1] == t[2].f",
        "p[n] == q->g",
        "q[3].f == a[a[0]]",
        "\\true && !\\false",
    ] {
        assert_eq!(claim(same), same);
    }
    assert_eq!(claim("0 <= x < n"), "0 <= x && x < n");
    assert_eq!(claim("x"), "x != 0");
    assert_eq!(claim("x == E + 0x10 + 'a'"), "x == 4 + 16 + 97");
}

#[test]
fn ranges_are_read_off_guards() {
    let head = |text: &str| claim(text).split(" ==> ").next().unwrap_or_default().to_owned();
    assert_eq!(head("\\forall integer k; 0 <= k < n ==> a[k] == 0"), "\\forall integer k; 0 <= k < n");
    assert_eq!(head("\\forall integer k; n > k && k > x ==> a[k] == 0"), "\\forall integer k; x + 1 <= k < n");
    assert_eq!(head("\\forall integer k; x <= k ==> k <= n ==> a[k] == 0"), "\\forall integer k; x <= k < n + 1");
    assert_eq!(head("\\forall integer k; k == x ==> a[k] == 0"), "\\forall integer k; x <= k < x + 1");
    // The outer variable is limited by what limits the inner one.
    assert_eq!(
        claim("\\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]"),
        "\\forall integer i; 0 <= i < n ==> (\\forall integer j; i + 1 <= j < n ==> 0 <= i && i < j && j < n ==> a[i] <= a[j])"
    );
}

#[test]
fn quantified_claims_are_evaluated_in_runs() {
    let run = |claim: &str| {
        outcome(&format!(
            "int a[4] = {{ 1, 2, 3, 4 }}; int b[4] = {{ 1, 0, 3, 2 }};\nint main(void) {{ int n = 4; unsigned u = 0;\n//@ assert {claim};\nreturn 0; }}"
        ))
    };
    for holds in [
        "\\forall integer k; 0 <= k < n ==> a[k] == k + 1",
        "\\forall integer k; 0 <= k < 0 ==> a[k] == 77",
        "\\forall integer i; 0 <= i < 4 ==> \\forall integer j; i < j < 4 ==> a[i] < a[j]",
        "\\forall integer k; 0 <= k < 4 && b[k] > 0 ==> a[b[k]] > 1",
        "!(\\forall integer k; 0 <= k < 4 ==> b[k] > 0)",
        "u - 1 < 0",
        "2147483647 + n > 2147483647",
        "\\true || a[77] == 0",
        "(-7) / 2 == -3 && (-7) % 2 == -1",
    ] {
        assert_eq!(run(holds), Outcome::Finished, "{holds}");
    }
    for fails in [
        "\\forall integer k; 0 <= k < n ==> a[k] == k",
        "\\forall integer k; 0 <= k <= n ==> b[k] > 0",
        "u - 1 >= 0",
        "n == 4 <==> u == 1",
    ] {
        assert_eq!(run(fails), Outcome::AssertionFailed(AssertionId(0)), "{fails}");
    }
    // What does not exist has no value, so these are neither true nor false.
    for neither in ["a[4] == a[4]", "n / u == 0", "\\forall integer k; 0 <= k <= n ==> a[k] > 0"] {
        assert!(matches!(run(neither), Outcome::Unsupported { .. }), "{neither}");
    }
}

#[test]
fn invariants_hold_before_the_loop_and_after_each_iteration() {
    let run = |invariant: &str| {
        outcome(&format!(
            "int main(void) {{ int i;\n/*@ loop invariant {invariant}; */\nfor (i = 0; i < 3; i++) if (i == 1) continue;\nreturn 0; }}"
        ))
    };
    assert_eq!(run("0 <= i <= 3"), Outcome::Finished);
    assert_eq!(run("i > 0"), Outcome::AssertionFailed(AssertionId(0)));
    assert_eq!(run("i < 3"), Outcome::AssertionFailed(AssertionId(1)));
    let last = "int main(void) { int i = 0;\n/*@ loop invariant i < 3; */ do i++; while (i < 3); return 0; }";
    assert_eq!(outcome(last), Outcome::Finished, "a `do` loop leaves without coming back to its head");
}

#[test]
fn parameters_of_a_postcondition_are_those_of_the_call() {
    let run = |ensures: &str| {
        outcome(&format!(
            "int g;\n/*@ requires x > 0; ensures {ensures}; */\nint f(int x) {{ x--; g = g + 2; return x; }}\nint main(void) {{ return f(3) - 2; }}"
        ))
    };
    assert_eq!(run("\\result == x - 1 && g == \\old(g) + 2 && \\old(x) == x"), Outcome::Finished);
    assert_eq!(run("\\result == x"), Outcome::AssertionFailed(AssertionId(1)));
}

#[test]
fn unknown_words_are_left_out_with_a_note() {
    let text =
        "int main(void) { int x = 1;\n//@ PROVED  x == 2   why\n//@ PROVED x\n/*@ ghost int y = 1; */\nreturn 0; }";
    let program = lowered(text);
    assert_eq!(
        program.notes,
        [
            "`ghost` is not checked (t.c:4:5)",
            "an annotation that begins with `PROVED` is ignored (t.c:2:5, and 1 more)"
        ]
    );
    assert!(program.assertions.is_empty());
}

#[test]
fn macros_in_annotations_are_those_of_the_place() {
    let text = "#define N (2 + M)\n#define M 3\nint main(void) { int x = 5;\n//@ assert x == N;\n#undef M\n#define M 4\n//@ assert x + 1 == N;\nreturn 0; }\n";
    let program = crate::lower::load_text("t.c", text, &crate::lower::LowerOptions::default());
    let program = program.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(super::outcome_with(&program, &[]), Outcome::Finished);
}

#[test]
fn macros_stand_for_their_text() {
    let run = |body: &str, claim: &str| {
        let text = format!(
            "#define {body}\n#define TWICE(x) x * 2\nint main(void) {{ int x = 5;\n//@ assert {claim};\nreturn 0; }}\n"
        );
        let program = crate::lower::load_text("t.c", &text, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(unjudged(&program), [""; 0], "{text}");
        assert_eq!(program.assertions[0].condition, claim, "{text}");
        super::outcome_with(&program, &[])
    };
    for (body, claim) in [
        ("N 2 + 3", "N * 2 == 8"),
        ("N (2) + (3)", "N * 2 == 8"),
        ("N (2 + 3)", "N * 2 == 10"),
        ("N x == 5 && x", "N * 2 == 10"),
        ("N", "x N == 5"),
        ("N unsigned char", "\\forall N k; k <= 255"),
        ("N(a, b) (a < b)", "N(x, 7) && !N((7), x)"),
        ("N(a) TWICE(a + 1)", "N(x) == 7 && TWICE(N(1)) == 5"),
        ("N() 5", "N() == x"),
        ("N(x) N(x)", "x == 5"),
    ] {
        assert_eq!(run(body, claim), Outcome::Finished, "{body}: {claim}");
    }
    assert_eq!(run("N 2 + 3", "N * 2 == 10"), Outcome::AssertionFailed(AssertionId(0)));
}

#[test]
fn macros_that_cannot_be_expanded_are_refused() {
    for (body, claim) in [
        ("N(a, b) a", "N(x) == 5"),
        ("N(a) a", "N(x, x) == 5"),
        ("N(a) a", "N == 5"),
        ("N(a, ...) a", "N(x) == 5"),
        ("N(a) a ## 1", "N(x) == 5"),
        ("N(x) N(x)", "N(x) == 5"),
        ("N \"text\"", "N == 5"),
    ] {
        let text = format!("#define {body}\nint main(void) {{ int x = 5;\n//@ assert {claim};\nreturn 0; }}\n");
        let program = crate::lower::load_text("t.c", &text, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(unjudged(&program).len(), 1, "{text}");
    }
    // A text that grows without end is not made.
    let doubled: String = (0..60).map(|n| format!("#define M{}(x) M{n}(x) + M{n}(x)\n", n + 1)).collect();
    let text =
        format!("#define M0(x) x\n{doubled}int main(void) {{ int x = 5;\n//@ assert M60(x) > 0;\nreturn 0; }}\n");
    let program = crate::lower::load_text("t.c", &text, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(unjudged(&program).len(), 1);
}

#[test]
fn operators_on_bits_mean_what_they_do_in_c() {
    let outcome_of = |claim: &str| {
        outcome(&format!(
            "int main(void) {{ int x = -7; unsigned char u = 200; int k = 12;\n//@ assert {claim};\nreturn 0; }}"
        ))
    };
    for x in [("x", -7i128), ("u", 200), ("k", 12)] {
        for c in [0i128, 1, 5, 12, 0xF5, 255, -1, -6] {
            for (op, value) in [("&", x.1 & c), ("|", x.1 | c), ("^", x.1 ^ c), ("-->", !x.1 | c), ("<-->", !(x.1 ^ c))]
            {
                let claim = format!(
                    "({} {op} {c}) == {value} && ({c} {op} {0}) == {1}",
                    x.0,
                    if op == "-->" { !c | x.1 } else { value }
                );
                assert_eq!(outcome_of(&claim), Outcome::Finished, "{claim}");
            }
        }
        for n in [0, 1, 3, 40] {
            let claim =
                format!("({0} << {n}) == {1} && ({0} >> {n}) == {2} && ~{0} == {3}", x.0, x.1 << n, x.1 >> n, !x.1);
            assert_eq!(outcome_of(&claim), Outcome::Finished, "{claim}");
        }
        let casts = format!(
            "(unsigned char){0} == {1} && (signed char){0} == {2} && (unsigned){0} == {3} && (short)({0} * 65537) == {0}",
            x.0, x.1 as u8, x.1 as i8, x.1 as u32
        );
        assert_eq!(outcome_of(&casts), Outcome::Finished, "{casts}");
    }
    for refused in ["(x & k) == 0", "(1 << k) == 0", "(x >> -1) == 0", "(x << 200) == 0", "((x > 1) & 1) == 0"] {
        let text = format!("int main(void) {{ int x = -7, k = 1;\n//@ assert {refused};\nreturn 0; }}");
        assert_eq!(unjudged(&lowered(&text)).len(), 1, "{refused}");
    }
}

#[test]
fn clauses_that_are_not_reached_are_listed() {
    let text =
        "int g(int x) { //@ assert x{Here};\nreturn x; }\n/*@ requires (; */ int h(int x);\nint f(int x) { return x; }";
    let notes = alone("f", text).notes.join("\n");
    assert!(notes.contains("(nothing calls `g`; t.c:1") && notes.contains("(nothing calls `h`; t.c:3"), "{notes}");
}

#[test]
fn positions_are_exact() {
    let program = lowered(
        "int main(void) {\n    int x = 1;\n    /*@ assert\n      @   x ==\n      @   1; */\n    return 0;\n}\n",
    );
    let a = &program.assertions[0];
    assert_eq!((a.location.line, a.location.column, a.condition.as_str()), (4, 11, "x == 1"));
    assert!(matches!(claims("int main(void) {\n//@ assert \\true;\n}")[..], [ref c] if c == "assert \\true;"));
    assert!(!Formula::Constant(true).is_quantified());
}

#[test]
fn clauses_that_are_not_understood_say_where_and_what_was_expected() {
    let inside = |annotation: &str| {
        format!(
            "struct s {{ int f; }}; int a[3]; struct s t; double d; int *p[2];\nint main(void) {{ int x = 0;\n{annotation}\nreturn 0; }}\n"
        )
    };
    let mut all = String::new();
    for bad in [
        "//@ assert x == 1",
        "//@ assert x == ;",
        "//@ assert (x == 1;",
        "//@ assert a[x == 1;",
        "//@ assert x = 1;",
        "//@ assert \\forall integer k 0 <= k < 3 ==> a[k] == 0;",
        "//@ assert \\forall k; 0 <= k < 3 ==> a[k] == 0;",
        "//@ assert \\forall integer k; a[k] == 0;",
        "//@ assert \\forall integer k; 0 <= k ==> a[k] == 0;",
        "//@ assert \\exists integer k; a[k] == 0;",
        "//@ assert y == 1;",
        "//@ assert t.h == 1;",
        "//@ assert x.f == 1;",
        "//@ assert x[0] == 1;",
        "//@ assert d == 1;",
        "//@ assert p[0][0] == 1;",
        "//@ assert (x == 1) + 1 == 2;",
        "//@ assert \\result == 1;",
        "//@ assert \\old(x) == 1;",
        "//@ assert nothing(x);",
        "//@ assert 0 <= x > 1;",
        "//@ assert x * x * x * x == 1;",
        "//@ assert x == 99999999999999999999;",
        "/*@ loop invariant x == 0; */ x = 1;",
        "/*@ loop x; */ while (0);",
        "/*@ returns x == 0; */ x = 1;",
        "/*@ predicate p(int x) = x > 0; */",
        "x = /*@ assert x == 0; */ 1;",
        "//@ +",
    ] {
        let told = unjudged(&lowered(&inside(bad))).join("\n    ");
        assert!(told.starts_with("t.c:3:"), "{bad}: {told}");
        all += &format!("{bad}\n    {told}\n");
    }
    for (bad, text) in [
        ("assert outside", "//@ assert \\true;\nint main(void) { return 0; }"),
        ("no function", "int main(void) { return 0; }\n//@ requires \\true;\n"),
        ("sizes", "/*@ requires n == 0 || \\valid(a + (0 .. n - 1)); */\nint main(int n, char **a) { return 0; }"),
        ("negation", "/*@ requires !\\valid(a); */\nint main(int n, char **a) { return 0; }"),
        ("arity", "/*@ predicate p(integer x) = x > 0; */\nint main(void) {\n//@ assert p(1, 2);\nreturn 0; }"),
        ("twice", "/*@ predicate p = \\true; predicate p = \\true; */\nint main(void) {\n//@ assert p;\nreturn 0; }"),
    ] {
        let told = unjudged(&lowered(text)).join("\n    ");
        assert!(told.contains("is not checked"), "{bad}: {told}");
        all += &format!("{bad}\n    {told}\n");
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/acsl");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("errors", all));
}

#[test]
fn deep_and_long_annotations_are_left_or_read() {
    deep(deep_and_long);
}

fn deep_and_long() {
    let text = |formula: String| format!("int main(void) {{ int x = 0;\n//@ assert {formula};\nreturn 0; }}");
    for (open, close) in [("(", ")"), ("!", ""), ("-", ""), ("x + (", ")"), ("a[", "]")] {
        for n in [150, 10_000] {
            let nested = format!("{}x{}", open.repeat(n), close.repeat(n));
            let _ = lower(&text(nested));
        }
    }
    let _ = lower(&text(vec!["x == 0"; 10_000].join(" && ")));
    let _ = lower(&text("\\forall integer k; ".repeat(500)));
    let doubled = (0..60).fold("/*@ predicate p0 = \\true; */\n".to_owned(), |t, n| {
        t + &format!("/*@ predicate p{} = p{n} && p{n}; */\n", n + 1)
    });
    let text = format!("{doubled}int main(void) {{\n//@ assert p30;\nreturn 0; }}");
    assert!(unjudged(&lowered(&text)).join("\n").contains("too much text"));
}

#[test]
fn what_is_not_checked_at_calls_is_listed() {
    let listed = |requires: &str| {
        let text = format!(
            "//@ requires {requires};\nvoid f(int *a, int n) {{}} int main(void) {{ int x[5]; f(x, 10); return 0; }}"
        );
        lowered(&text).assumptions.iter().any(|a| a.text.contains("hold at calls, where they are not checked"))
    };
    assert!(listed("n > 0 && \\valid(a + (0 .. n - 1))") && listed("\\valid(a)"));
    assert!(!listed("n > 0"));
}

#[test]
fn contracts_of_prototypes_are_parts_of_that_of_the_definition() {
    let text = "int n = 3;\n\
        /*@ requires lo <= hi; ensures lo <= \\result <= hi; */ int clamp(int v, int lo, int hi);\n\
        //@ ensures n == 3 ==> \\result == lo || \\true;\nint clamp(int, int lo, int n2);\n\
        //@ ensures x < n ==> \\result == n;\nint clamp(int x, int n, int m) { return x < n ? n : x > m ? m : x; }\n\
        int main(void) { return clamp(5, 1, 2) + clamp(1, 2, 1); }";
    let program = lowered(text);
    assert_eq!(ids(&program), ["clamp.requires.1", "clamp.ensures.1", "clamp.ensures.2", "clamp.ensures.3"]);
    let all = claims(text);
    // Each prototype has its own names; a name that it gives to no parameter is that of file scope.
    assert!(all.iter().any(|c| c.contains("old_n <= result && result <= old_m")), "{all:?}");
    assert!(all.iter().any(|c| c.contains("n == 3 ==> result == old_n")), "{all:?}");
    assert_eq!(outcome(text), Outcome::AssertionFailed(AssertionId(0)), "the second call breaks the precondition");
    let entry = alone("clamp", text);
    assert_eq!(ids(&entry), ["clamp.ensures.1", "clamp.ensures.2", "clamp.ensures.3", "clamp.requires.1"]);
    assert!(entry.assumptions.iter().any(|a| a.text == "`clamp` is called where `lo <= hi` holds"));
}

#[test]
fn nothing_that_the_source_claims_is_lost() {
    let body = "int f(int x) { return x; } int main(void) { return f(1); }";
    for (clause, expected) in [
        ("assigns \\nothing;", "f.assigns.1"),
        ("ensures \\result == \\at(x, Pre);", "f.ensures.1"),
        ("ensures \\result == \\at(x, LoopEntry);", "f.ensures.1?"),
        ("ensures \\exists integer k; 0 <= k < 3 && x == k;", "f.ensures.1"),
        ("requires \\initialized(&x);", "f.requires.1?"),
        ("behavior b: assumes x > 0; ensures \\result > 0;", "f.ensures.1"),
        ("behavior b: assumes \\fresh(x); ensures \\result > 0; complete behaviors b;", "f.ensures.1? f.complete.1?"),
        ("assumes x > 0; ensures x == x;", "f.assumes.1? f.ensures.1"),
        ("disjoint behaviors b, c;", "f.disjoint.1?"),
        ("complete behaviors;", "f.complete.1?"),
        ("requires y{Old}; ensures \\result == x;", "f.requires.1? f.ensures.1"),
        ("ensures (; ensures \\result == x; foo bar;", "f.ensures.2? initialisers.foo.1? f.ensures.1"),
        ("allocates \\nothing; frees \\nothing; exits \\false;", "f.exits.1"),
        ("logic integer g(integer n) = n; ensures \\result == g(x);", "f.ensures.1"),
        ("logic integer g(integer n) = n > 0 ? g(n - 1) : 0; ensures \\result == g(x);", "f.ensures.1"),
        ("axiomatic A { predicate p{L}(integer n); axiom a: \\true; } ensures p(x);", "f.ensures.1"),
        ("for b: ensures \\true;", "initialisers.ensures.1?"),
    ] {
        let mut found = ids(&lowered(&format!("/*@ {} */ {body}", clause)));
        let mut expected: Vec<String> = expected.split(' ').map(str::to_owned).collect();
        found.sort();
        expected.sort();
        // Formulas that are read have names of the same kind, so the number of each is compared.
        let kinds = |all: &[String]| {
            let mut kinds: Vec<String> = all.iter().map(|id| id.replace(|c: char| c.is_ascii_digit(), "")).collect();
            kinds.sort();
            kinds
        };
        assert_eq!(kinds(&found), kinds(&expected), "{clause}");
    }
    for (clause, note) in [
        ("terminates \\true;", "`terminates` is not checked (t.c:1:5)"),
        ("decreases x;", "`decreases` is not checked (t.c:1:5)"),
        ("lemma l: \\forall integer k; k == k;", "`lemma` is not checked (t.c:1:5)"),
        ("check lemma l: 1 == 1;", "`check lemma` is not checked (t.c:1:11)"),
        ("axiomatic A { axiom a: 1 == 1; }", "`axiom` is not checked (t.c:1:19)"),
        ("axiom a: 1 == 1;", "a definition by `axiom` is not understood (t.c:1:5)"),
        ("inductive p(integer n) { case c p(0); }", "a definition by `inductive` is not understood (t.c:1:5)"),
        ("allocates \\nothing;", "`allocates` is not checked (t.c:1:5)"),
    ] {
        let program = lowered(&format!("/*@ {clause} */ {body}"));
        assert_eq!((program.notes, program.assertions.len()), (vec![note.to_owned()], 0), "{clause}");
    }
    for inside in ["assigns x;", "returns x > 0;", "assert x{Here};", "for b: assert x;", "complete behaviors;"] {
        let program = lowered(&format!("int main(void) {{ int x = 1;\n/*@ {inside} */\nx = 2; return 0; }}"));
        assert_eq!(unjudged(&program).len(), 1, "{inside}");
    }
    let local =
        "int g(int x) { return x; } int main(void) { int x = 1;\n/*@ requires x > 0; */\nint g(int x); return g(x); }";
    assert_eq!(unjudged(&lowered(local)).len(), 1, "the contract of a local prototype is none of a statement");
    let of_loop = "int main(void) { int x = 1;\n/*@ loop invariant x > 0 && \\valid(&x); loop assigns x; loop variant x; */\nwhile (x < 3) x++; }";
    assert_eq!(ids(&lowered(of_loop)), ["main.invariant.1?", "main.assigns.1"]);
}

#[test]
fn contracts_that_no_body_follows_are_not_lost() {
    for (text, expected) in [
        ("//@ ensures \\result > 0;\nint n; int main(void) { return n; }", vec!["initialisers.ensures.1?"]),
        (
            "int f(int x) { return x; }\n//@ ensures \\result > 0;\nint f(int x); int main(void) { return f(1); }",
            vec!["f.ensures.1?"],
        ),
        ("//@ requires x > 0;\nint f(int x); int main(void) { return f(1); }", vec!["f.requires.1"]),
        ("//@ requires x > 0;\nint f(int x); int main(void) { return 1; }", vec![]),
        ("int main(void) { return 1; }\n//@ requires \\true;\n", vec!["initialisers.requires.1?"]),
    ] {
        assert_eq!(ids(&lowered(text)), expected, "{text}");
    }
    let called = "/*@ assigns \\nothing; ensures \\result > 0; */ int f(int x); int main(void) { return f(1); }";
    let program = lowered(called);
    assert_eq!((program.assertions.len(), program.gaps.callees.len()), (0, 1));
}

#[test]
fn a_contract_stands_for_a_body() {
    let text = |claims: &str| {
        format!(
            "/*@ requires 0 < n; assigns a[1 .. n], g; ensures \\result == \\old(a[0]) + g && a[1] == 4; */\n\
             int f(int *a, int n);\n\
             int g, h, t[9]; int main(void) {{ t[0] = 1; t[4] = 2; h = 3; int r = f(t, 3);\n/*@ assert {claims}; */\nreturn r; }}"
        )
    };
    let program = lowered(&text("r == 1 + g && t[0] == 1 && t[1] == 4 && t[4] == 2 && h == 3"));
    assert_eq!(ids(&program), ["main.assertion.1", "f.requires.1"]);
    let body = program.functions.iter().find(|f| f.name == "f").and_then(|f| f.body.as_ref()).unwrap();
    let (mut forgotten, mut assumed) = (0, 0);
    each_stmt(body, &mut |s| match &s.kind {
        StmtKind::Havoc(_) => forgotten += 1,
        StmtKind::Claim(claim) if claim.role == ClaimRole::Assume => assumed += 1,
        _ => {}
    });
    // The cells, the global and the result; one postcondition.
    assert_eq!((forgotten, assumed), (3, 1));
    // What a precondition says of pointers is assumed at calls.
    let valid = text("\\true").replace("requires 0 < n;", "requires \\valid(a) && \\valid(a + (0 .. n));");
    assert_eq!(ids(&lowered(&valid)), ["main.assertion.1"]);
    // What a clause that is not understood would change is everything.
    let vague = text("\\true").replace("a[1 .. n], g", "{ a[k] | integer k; 0 <= k < n }");
    let mut everything = false;
    lowered(&vague).each_stmt(|s| everything |= matches!(s.kind, StmtKind::HavocReachable(_)));
    assert!(everything);
}

#[test]
fn what_the_entry_requires_and_nobody_reads_leaves_everything_open() {
    let text = "int g(int k) { return 7 / k; }\n//@ requires \\initialized(&x);\nint f(int x) { return g(x); } int main(void) { return f(1); }";
    let all = [ObligationKind::Division, ObligationKind::Assertion];
    let open = |program: &Program| obligations(program, &all).iter().all(|o| o.unsupported.is_some());
    assert!(open(&alone("f", text)));
    assert!(!open(&lowered(text)) && !open(&alone("g", text)));
    let assumed =
        "int f(int x) { return 7 / x; } int main(void) {\n//@ assume \\exists integer k; k > 0;\nreturn f(1); }";
    assert!(open(&lowered(assumed)) && !open(&alone("f", assumed)));
}

#[test]
fn an_annotation_that_names_a_variable_reads_nothing() {
    let reads = |annotation: &str| {
        let text = format!("int f(int); int main(void) {{ int j; {annotation}\n j = f(0); return j; }}");
        obligations(&lowered(&text), &[ObligationKind::Initialised]).len()
    };
    assert_eq!([reads(""), reads("//@ assert j == j;"), reads("f(j);")], [0, 0, 2]);
}

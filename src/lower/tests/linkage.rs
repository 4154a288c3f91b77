//! The meaning of names, in the program and in what it is linked with.

use super::{lowered, message, outcome, outcome_with, plain};
use crate::interpreter::Outcome;
use crate::lower::{InputError, LowerOptions, load, load_text};
use crate::program::{Base, Program, StmtKind};

/// The program of several files.
pub(super) fn together(texts: &[&str]) -> Result<Program, InputError> {
    let folder = tempfile::tempdir().unwrap();
    let file = |(n, text): (usize, &&str)| {
        let path = folder.path().join(format!("{n}.i"));
        std::fs::write(&path, text).unwrap();
        path
    };
    let files: Vec<_> = texts.iter().enumerate().map(file).collect();
    load(&files, &plain())
}

fn finishes_together(texts: &[&str]) {
    let program = together(texts).unwrap_or_else(|e| panic!("{e}\n{texts:#?}"));
    assert_eq!(outcome_with(&program, &[]), Outcome::Finished, "{texts:#?}");
}

fn message_together(texts: &[&str]) -> String {
    together(texts).err().unwrap_or_else(|| panic!("accepted: {texts:#?}")).to_string()
}

#[test]
fn types_without_tags_are_those_of_other_files_with_the_same_members() {
    let main = |ty: &str| {
        format!(
            "void assert(int); typedef {ty} V; V v; int f(void); void g(V *);
             int main(void) {{ v.i = 1; assert(f() == 1); g(&v); assert(v.i == 2); return 0; }}"
        )
    };
    let other = |ty: &str| {
        format!("\n\ntypedef {ty} V; extern V v; int f(void) {{ return v.i; }} void g(V *p) {{ p->i = 2; }}")
    };
    for ty in [
        "struct { int i; char *s; }",
        "union { char *s; int i; }",
        "struct { struct { int n; } a[2]; int i; }",
        "struct { const int n; union { int i; unsigned u; }; }",
    ] {
        finishes_together(&[&main(ty), &other(ty)]);
    }
    for (a, b) in [
        ("struct { int i; char *s; }", "struct { int i; void *s; }"),
        ("struct { int i; int s; }", "struct { int s; int i; }"),
        ("struct { int i; int s; }", "struct { int i; int t; }"),
        ("struct { int i; int s; }", "struct { int i; }"),
        ("struct { int i; int s; }", "union { int i; int s; }"),
        ("struct { int i : 3; }", "struct { int i : 4; }"),
        ("struct { int i; const int c; }", "struct { int i; int c; }"),
        ("struct { int i; }", "struct T { int i; }"),
        ("struct { struct { int n; } a; int i; }", "struct { struct { int m; } a; int i; }"),
    ] {
        let message = message_together(&[&main(a), &other(b)]);
        assert!(message.contains("`v` has the type"), "{a} {b} {message}");
    }
    // Two types of one file stay two.
    let two = "typedef struct { int i; } A;\ntypedef struct { int i; } B;\nextern A a; extern B b;";
    let first = format!("{two} A a; B b; int main(void) {{ return 0; }}");
    finishes_together(&[&first, &format!("\n{two} int f(void) {{ return a.i + b.i; }}")]);
    assert!(message_together(&[&first, &format!("{two} void f(void) {{ a = b; }}")]).contains("does not convert"));
    let inner = "struct P { struct { int n; } p; };";
    finishes_together(&[
        &format!("{inner} struct Q {{ struct {{ int n; }} q; }} x; int main(void) {{ return x.q.n; }}"),
        "struct Q { struct { int n; } q; }; extern struct Q x; int f(void) { return x.q.n; }",
    ]);
}

#[test]
fn one_tag_may_mean_other_types_in_other_files() {
    let first = "void assert(int); struct S { int a, b; }; struct S s; int f(void); int h(void);
        int main(void) { s.b = 1; assert(sizeof(struct S) == 8 && f() == 16 && h() == 1); return 0; }";
    // Uses come before the definition. A third file has the type of the first again.
    let second =
        "struct S; struct S *p; struct S { long b, a; }; struct S t; int f(void) { p = &t; return sizeof *p; }";
    let third =
        "struct S; static struct S *q; struct S { int a, b; }; extern struct S s; int h(void) { q = &s; return q->b; }";
    finishes_together(&[first, second, third]);
    finishes_together(&[second, third, first]);
    let fourth = "struct S { char c; }; extern struct S s; int g(void) { return s.c; }";
    assert!(message_together(&[first, second, third, fourth]).contains("`s` has the type `struct S` here"));
}

#[test]
fn a_declaration_that_contradicts_one_of_another_file_must_not_be_used() {
    let first = "struct S { int a; }; int f(struct S *s) { return s->a; } int main(void) { return 0; }";
    let other = "struct S { long b; }; int f(struct S *);";
    finishes_together(&[first, other]);
    for used in ["int g(struct S *s) { return f(s); }", "int (*g)(struct S *) = f;", "int f(struct S *s) { return 0; }"]
    {
        assert!(message_together(&[first, &format!("{other} {used}")]).contains("`f` contradicts"), "{used}");
    }
    let known = ["void *malloc(unsigned long); int main(void) { return 0; }", "void *malloc(int);"];
    assert!(message_together(&known).contains("`malloc` contradicts"));
}

#[test]
fn the_sign_of_a_declaration_counts_in_its_file() {
    let definition = "const unsigned t[2][2] = {{1, 2}, {4294967295u, 4}}; signed char c = -1; unsigned n = 1;";
    let check =
        "void assert(int); extern const int t[][2]; extern const int t[2][2]; extern unsigned char c; extern int n;
        int f(void);
        int main(void) { assert(t[1][0] == -1 && t[1][0] < 0 && t[0][1] == 2 && sizeof t == 16 && *t[1] == -1);
            const int *p = &t[1][0]; assert(*p + p[1] == 3); assert(c == 255 && c + 1 == 256); c = 128; n -= 2;
            assert(n < 0 && f()); return 0; }";
    let other = "extern const unsigned t[2][2]; extern signed char c; extern unsigned n;
        int f(void) { return t[1][0] == 4294967295u && c == -128 && n > 0 && n == 4294967295u; }";
    finishes_together(&[definition, check, other]);
    finishes_together(&[check, definition, other]);
    finishes_together(&[other, check, definition]);
    let main = "unsigned t[2]; char *p; unsigned u; int main(void) { return 0; }";
    for wrong in [
        "extern long t[2];",
        "extern short t[];",
        "extern int t[3];",
        "extern int t;",
        "extern int t[]; extern unsigned t[];",
        "extern int t[]; extern long t[];",
        "extern unsigned char *p;",
        "extern float u;",
    ] {
        assert!(message_together(&[main, wrong]).contains("has the type"), "{wrong}");
    }
    assert!(message("extern int t[]; unsigned t[2]; int main(void) { return 0; }").contains("has the type"));
    let bounds = "extern int t[]; int main(void) { return t[2]; }";
    let program = together(&["unsigned t[2];", bounds]).unwrap();
    assert!(matches!(outcome_with(&program, &[]), Outcome::Undefined { .. }));
}

#[test]
fn a_function_may_have_another_name() {
    let alias = "int f(int x) { return x + 1; } int g(int) __attribute__((alias(\"f\")));";
    let main = "int main(void) { assert(g(1) == 2 && g == f); return 0; }";
    finishes_together(&[&format!("void assert(int); {alias} {main}")]);
    finishes_together(&[
        "void assert(int); int f(int); int g(int); int main(void) { assert(g(1) == 2 && &g == &f); return 0; }",
        alias,
    ]);
    finishes_together(&[
        alias,
        "void assert(int); int f(int), g(int); int main(void) { assert(g(1) == 2 && g == f); return 0; }",
    ]);
    let hidden = "static int f(void) { return 3; } extern int g(void) __attribute__((__alias__(\"f\"))); int f2(void) { return g(); }";
    finishes_together(&[
        hidden,
        "void assert(int); int f(void) { return 4; } int g(void); int main(void) { assert(g() == 3 && f() == 4); return 0; }",
    ]);
    for (text, part) in [
        (
            "int g(void) __attribute__((alias(\"f\"))); int main(void) { return g(); }",
            "the attribute `alias` is supported only",
        ),
        (
            "int x; extern int y __attribute__((alias(\"x\"))); int main(void) { return y; }",
            "the attribute `alias` is supported only",
        ),
        (
            "int f(int x) { return x; } long g(int) __attribute__((alias(\"f\"))); int main(void) { return g(1); }",
            "`g` contradicts",
        ),
        (
            "int main(void) { return g(1); } int f(int x) { return x; } int g(int) __attribute__((alias(\"f\")));",
            "used before",
        ),
        (
            "void reach_error(void) { } void g(void) __attribute__((alias(\"reach_error\"))); int main(void) { g(); }",
            "another name of `reach_error`",
        ),
        (
            "int f(void) { return 1; } int g(void) __attribute__((alias(\"f\"))); int g(void) { return 2; } int main(void) { return g(); }",
            "alias",
        ),
    ] {
        assert!(message(text).contains(part), "{text}: {}", message(text));
    }
}

#[test]
fn the_address_of_what_is_weak_and_not_defined_is_not_known() {
    let weak = "extern int w(void) __attribute__((weak)); extern int v __attribute__((__weak__));";
    let main = |body: &str| format!("{weak} int main(void) {{ {body} return 0; }}");
    assert!(message(&main("if (w) return 1;")).contains("`w` is weak and not defined"));
    assert!(message(&main("if (&v) return 1;")).contains("`v` is weak and not defined"));
    // No code tests the address.
    lowered(&main("w();"));
    let defined = "int w(void) { return 3; } int v = 4; void assert(int);";
    let main = format!("{weak} {defined} int main(void) {{ assert(w && w() == 3 && v == 4); return 0; }}");
    assert_eq!(outcome(&main), Outcome::Finished);
    assert!(message("#pragma weak f\nint main(void) { return 0; }").contains("`#pragma weak` is not supported"));
}

#[test]
fn a_name_for_the_assembler_must_not_meet_another() {
    let object = "extern int x __asm__(\"y\"); int y = 1; int main(void) { x = 2; return y; }";
    assert!(message(object).contains("a name for the assembler (`y` for `x`)"));
    let defined = "int f(int) __asm__(\"g\"); int main(void) { return f(1); } int g(int a) { return a; }";
    assert!(message(defined).contains("which is also the name of something else"));
    let known = "int abs(int) __asm__(\"mine\"); int main(void) { return abs(1); }";
    assert!(message(known).contains("(`mine` for `abs`)"));
    let failure = "void f(void) __asm__(\"reach_error\"); int main(void) { f(); return 0; }";
    assert!(message(failure).contains("(`reach_error` for `f`)"));
    lowered(
        "int scanf(const char *, ...) __asm__(\"\" \"__isoc99_scanf\"); int main(void) { int x; return scanf(\"%d\", &x); }",
    );
}

#[test]
fn a_failure_is_one_whatever_its_body_does() {
    let text = "int k; void log_it(int x) { k = x; } void reach_error(void) { log_it(3); } void abort(void);
                void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }
                int main(void) { int x = 1; __VERIFIER_assert(x == 2); return 0; }";
    assert_eq!(lowered(text).assertions.len(), 1);
    assert!(matches!(outcome(text), Outcome::AssertionFailed(_)));
}

/// The globals that keep their initial values if a function is called in any state.
fn kept(text: &str) -> Vec<String> {
    let options = LowerOptions { entry: "f".into(), alone: true, ..plain() };
    let program = load_text("t.c", text, &options).unwrap();
    let mut names = Vec::new();
    for s in &program.initialisers {
        if let StmtKind::Assign(l, _) | StmtKind::Zero(l) = &s.kind
            && let Base::Var(v) = l.base
        {
            names.push(program.variable(v).shown().into_owned());
        }
    }
    names.sort();
    names.dedup();
    names
}

#[test]
fn const_in_front_of_pointers_does_not_make_them_constant() {
    let text = "int x; const int *p = &x, *a[1] = {&x}; const int c = 1, t[2] = {1, 2}; void f(void) {}";
    assert_eq!(kept(text), ["c", "t"]);
}

#[test]
fn a_literal_of_file_scope_is_an_object_that_changes() {
    let text = "struct C { int *q; const int *r; }; const struct C s = {(int[]){1}, (const int[]){2}}; void f(void) {}";
    let kept = kept(text);
    assert_eq!((kept.len(), kept[1].as_str()), (2, "s"));
    assert!(kept[0].starts_with("$literal"));
}

#[test]
fn definitions_that_others_may_take_the_place_of_are_listed() {
    let listed = |text: &str| {
        let program = lowered(&format!("{text} int main(void) {{ return f(); }}"));
        program
            .assumptions
            .iter()
            .any(|a| a.line() == "no definition outside the program replaces the one in the program: `f`")
    };
    for open in [
        "int f(void) __attribute__((weak)); int f(void) { return 1; }",
        "__attribute__((weak)) int f(void) { return 1; }",
        "inline int f(void) { return 1; }",
    ] {
        assert!(listed(open), "{open}");
    }
    for own in ["int f(void) { return 1; }", "static inline int f(void) { return 1; }"] {
        assert!(!listed(own), "{own}");
    }
}

#[test]
fn variables_of_others_start_with_any_value() {
    let program =
        lowered("extern int declared; extern struct { int *leads; } s; int zero; int main(void) { return 0; }");
    let kind_of = |name: &str| {
        let is_it = |v: crate::program::VarId| program.variable(v).name == name;
        let found = program.initialisers.iter().find_map(|s| match &s.kind {
            StmtKind::Declare(v) if is_it(*v) => Some("declared"),
            StmtKind::Havoc(l) if l.as_var().is_some_and(is_it) => Some("any pointers"),
            StmtKind::Zero(l) if l.as_var().is_some_and(is_it) => Some("zero"),
            _ => None,
        });
        found.unwrap_or("nothing")
    };
    assert_eq!([kind_of("declared"), kind_of("s"), kind_of("zero")], ["declared", "any pointers", "zero"]);
}

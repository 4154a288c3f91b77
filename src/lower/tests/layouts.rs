//! Types, their sizes, and the constants that result from them.

use super::{lower, lowered, message, outcome, outcome_with, plain};
use crate::interpreter::Outcome;
use crate::lower::{LowerOptions, load_text};
use crate::program::{AssertionId, DataModel, ObligationKind, Target, obligations};

/// Runs `main` with these declarations, in which all of these hold.
fn holds(declarations: &str, conditions: &[&str]) {
    for condition in conditions {
        let text = format!("void assert(int); {declarations}\nint main(void) {{ assert({condition}); return 0; }}");
        assert_eq!(outcome(&text), Outcome::Finished, "{text}");
    }
}

#[test]
fn constants_of_an_enum_have_the_types_that_gcc_gives_them() {
    holds("enum { A = 0xFFFFFFFF };", &["A + 1 == 0", "sizeof(A) == 4"]);
    holds("enum { A = 0x80000000, B };", &["-A > 0", "B == 0x80000001u"]);
    holds("enum { A = ~0u, B = 1 };", &["A == -1", "B - 2 < 0"]);
    holds("enum { A = -1, B = 0x80000000 };", &["sizeof(A) == 4", "sizeof(B) == 8"]);
    holds("enum { A = 1LL << 40, B = 2 };", &["sizeof(A) == 8", "sizeof(B) == 4"]);
    // Until the enum is complete a constant has the type of its value.
    holds("enum { A = 0xFFFFFFFF, B = A + 1 };", &["B == 0"]);
    let options = LowerOptions { data_model: DataModel::Ilp32, ..plain() };
    assert!(load_text("t.c", "enum { A = 0xFFFFFFFF, B = A - 1 }; int main(void) { return 0; }", &options).is_ok());
    assert!(message("enum { A = 0xFFFFFFFF, B }; int main(void) { return 0; }").contains("exceed the largest value"));
}

#[test]
fn what_is_stored_in_a_bit_field_is_promoted_as_what_is_read() {
    let bits = "struct B { unsigned b : 3; } s; int q = 4;";
    holds(bits, &["((s.b = 5) - 6) < 0", "(s.b += 1) - 9 < 0", "((s.b = q) - 6) < 0"]);
}

#[test]
fn arithmetic_on_wide_bit_fields_is_an_assumption() {
    let program = lower("struct B { unsigned long long x : 33; } s; int main(void) { return s.x + 1 == 0; }").unwrap();
    assert!(
        program.assumptions.iter().any(|a| a.text.starts_with("arithmetic on a bit-field that is wider than `int`"))
    );
}

#[test]
fn members_of_packed_structs_are_not_aligned() {
    let int = "{ char c; int i; }";
    for (declaration, size, align) in [
        (format!("struct __attribute__((packed)) P {int};"), 5, 1),
        (format!("struct P {int} __attribute__((__packed__));"), 5, 1),
        (format!("\n#pragma pack(push, 1)\nstruct P {int};\n#pragma pack(pop)\n"), 5, 1),
        (format!("\n#pragma pack(2)\nstruct P {int};\n#pragma pack()\n"), 6, 2),
        (format!("\n#pragma pack(1)\n#pragma pack()\nstruct P {int};"), 8, 4),
        (format!("_Pragma(\"pack(1)\") struct P {int};"), 5, 1),
        // Bit-fields follow each other without a gap.
        ("struct P { int a : 30; int b : 4; char c; } __attribute__((packed));".to_owned(), 6, 1),
        (format!("struct Q {int}; struct __attribute__((packed)) P {{ char c; struct Q q; }};"), 9, 1),
    ] {
        holds(&declaration, &[&format!("sizeof(struct P) == {size} && _Alignof(struct P) == {align}")]);
    }
    holds(
        &format!("struct __attribute__((packed)) P {int}; struct O {{ char c; struct P p; short s; }};"),
        &["sizeof(struct O) == 8", "__builtin_offsetof(struct O, p.i) == 2"],
    );
}

#[test]
fn sizes_under_layouts_that_are_not_modelled_are_refused() {
    let int = "{ char c; int i; }";
    for declaration in [
        "struct P { char a : 1; int b : 1; } __attribute__((ms_struct));".to_owned(),
        "struct P { char c; int i __attribute__((packed)); };".to_owned(),
        "struct P { char c; int i; } __attribute__((packed, aligned(2)));".to_owned(),
        "struct P { char a : 1; int : 0; int i; } __attribute__((packed));".to_owned(),
        format!("\n#pragma scalar_storage_order big-endian\nstruct __attribute__((packed)) P {int};"),
        // A type of other members is aligned.
        format!("typedef struct {int} T __attribute__((aligned(16))); struct P {{ char c; T t; }};"),
        format!("struct S {int}; typedef struct S T __attribute__((aligned(16))); struct P {{ char c; T t; }};"),
        format!("typedef struct S T __attribute__((aligned(16))); struct S {int}; struct P {{ char c; T t; }};"),
    ] {
        let text = format!("{declaration}\nint main(void) {{ return sizeof(struct P); }}");
        assert!(message(&text).contains("is not modelled"), "{declaration}");
    }
}

#[test]
fn objects_have_alignments_as_types_have() {
    let objects = "struct S { char c; double d; } s, *p; double d; char t[5];";
    holds(objects, &["_Alignof(s) == 8 && __alignof__(d) == 8 && _Alignof(p->d) == 8 && __alignof__ (*p) == 8"]);
    holds(objects, &["_Alignof(t) == 1 && __alignof(s.c) == 1"]);
    for text in ["_Alignof(*(char *)p)", "_Alignof(d + 1)"] {
        assert!(message(&format!("{objects} int main(void) {{ return {text}; }}")).contains("is not modelled"));
    }
    let aligned = "int x __attribute__((aligned(16))); int main(void) { return _Alignof(x); }";
    assert!(message(aligned).contains("is not modelled"));
}

#[test]
fn a_declaration_may_leave_out_int() {
    let text = "void assert(int); static count, limit = 4; twice(a) int a; { return 2 * a; }
        next() { static n; return ++n; } add(a, b) { return a + b; }
        main() {
            register i;
            for (i = 0; i < limit; i++) count += twice(i);
            assert(count == 12 && next() == 1 && next() == 2 && add(1, 2) == 3);
            return 0;
        }";
    assert_eq!(outcome(text), Outcome::Finished);
    for (text, what) in [
        ("static word y; int main(void) { return 0; }", "unexpected `word`"),
        ("int main(void) { int x; each(x) { x = 1; } return 0; }", "unexpected `{`"),
        ("static x = 4; int main(void) { int x = 3 return 0; }", "unexpected `return`"),
        ("static x = 4; word y; int main(void) { return 0; }", "unexpected `word`"),
    ] {
        assert!(message(text).contains(what), "{}", message(text));
    }
}

#[test]
fn a_selection_by_what_types_do_not_show_is_refused() {
    let text = |e: &str| format!("int x, *p; int main(void) {{ return {e}; }}");
    for e in ["_Generic(&x, const int *: 1, int *: 2)", "_Generic(p, int *: 1, default: 2)"] {
        assert!(message(&text(e)).contains("qualifiers or signatures"), "{e}");
    }
    holds(
        "int x, *p;",
        &["_Generic(x, const int: 1, int: 2, default: 3) == 2", "_Generic(p, long *: 1, int *: 2) == 2"],
    );
}

#[test]
fn an_operand_of_sizeof_that_c_evaluates_is_refused() {
    let text = |e: &str| format!("int main(void) {{ int n = 2, i = 0; int m[3][n]; return sizeof({e}); }}");
    assert!(message(&text("m[i++]")).contains("with side effects"));
    assert!(lower(&text("m[i]")).is_ok() && lower(&text("m[0][i++]")).is_ok());
}

#[test]
fn floating_constants_are_rounded_to_their_type() {
    holds("enum { A = (int)16777217.0f, B = (int)16777217.0 };", &["A == 16777216", "B == 16777217"]);
    assert!(lower("enum { A = (int)0.99999999999999999999L }; int main(void) { return 0; }").is_err());
}

#[test]
fn a_tag_alone_is_one_of_the_inner_scope() {
    let text = "void assert(int); struct S { int a; };
        int main(void) { { struct S; struct T { struct S *p; }; struct S { char b[100]; }; struct T t; assert(sizeof(*t.p) == 100); }
          assert(sizeof(struct S) == 4); return 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
}

#[test]
fn bit_fields_are_laid_out_as_the_data_model_says() {
    let text = |size: u32| {
        format!(
            "struct M {{ int a; long long b : 40; }}; _Static_assert(sizeof(struct M) == {size}, \"\"); int main(void) {{ return 0; }}"
        )
    };
    let options = LowerOptions { data_model: DataModel::Ilp32, ..plain() };
    assert!(load_text("t.c", &text(12), &options).is_ok());
    assert!(lower(&text(16)).is_ok());
}

#[test]
fn there_are_two_alignments_of_wide_numbers() {
    let text = "struct D { double d; }; _Static_assert(_Alignof(double) == 4 && __alignof__(double) == 8, \"\");
        _Static_assert(_Alignof(long long) == 4 && __alignof__(long long[2]) == 8 && __alignof__(long) == 4, \"\");
        _Static_assert(__alignof__(struct D) == 4 && __alignof__(char) == 1 && __alignof__(_Bool) == 1, \"\");
        int main(void) { return 0; }";
    let options = LowerOptions { data_model: DataModel::Ilp32, ..plain() };
    assert!(load_text("t.c", text, &options).is_ok());
    holds("", &["_Alignof(double) == 8", "__alignof__(double) == 8"]);
}

#[test]
fn pieces_of_a_literal_are_of_one_kind() {
    holds("", &["(L\"a\" \"\\xff\")[1] == 255", "sizeof(L\"a\" \"é\") == 12", "sizeof(\"a\" \"é\") == 4"]);
}

#[test]
fn an_array_without_elements_at_the_end_is_a_flexible_one() {
    let text = "void *malloc(unsigned long); void assert(int); struct F { int n; int d[0]; };
        int main(void) { struct F *p = malloc(sizeof *p + 8); p->d[1] = 5; assert(p->d[1] == 5 && sizeof(struct F) == 4); return 0; }";
    assert!(!matches!(outcome(text), Outcome::Undefined { .. }), "{:?}", outcome(text));
}

#[test]
fn the_size_of_a_list_of_arguments_is_the_machines_own() {
    let head = "typedef __builtin_va_list list; struct S { list a; int b; }; int f(int n, ...)";
    let main = "int main(void) { return f(1, 2); }";
    for asks in
        ["return sizeof(list);", "list a; return sizeof a;", "return sizeof(struct S);", "return _Alignof(list);"]
    {
        let refused = message(&format!("{head} {{ {asks} }} {main}"));
        assert!(refused.contains("not modelled"), "{asks}: {refused}");
    }
    let uses = "list a; struct S s; list *p = &a; __builtin_va_start(a, n); __builtin_va_start(s.a, n);
                int x = __builtin_va_arg(*p, int); __builtin_va_end(a); return x;";
    lowered(&format!("{head} {{ {uses} }} {main}"));
}

/// The conditions of the checks of bounds of a program with this struct, whether nothing of it is
/// judged, and whether something is listed of its tail.
fn tails(of_struct: &str, body: &str) -> (Vec<String>, bool, bool) {
    let text = format!(
        "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); struct h {{ int n; {of_struct} }};\n\
         struct h *get(void); int main(int i, char **v) {{ struct h *p; {body} return p->n; }}"
    );
    let program = lowered(&text);
    let all = obligations(&program, &[ObligationKind::Bounds]);
    let found = all.iter().filter(|o| !o.condition.contains("valid")).map(|o| o.condition.clone()).collect();
    let listed = program.assumptions.iter().any(|a| a.text.contains("reaches to the end of its block"));
    (found, all.iter().all(|o| o.unsupported.is_some()), listed)
}

#[test]
fn a_last_array_reaches_to_the_end_of_a_larger_block() {
    for size in ["malloc(sizeof(struct h) + 4 * sizeof(int))", "malloc(24)", "malloc(i)", "calloc(1, 24)", "get()"] {
        for (tail, access) in [("int d[1];", "p->d[i]"), ("int d[1];", "p->d[3]")] {
            let (conditions, open, listed) = tails(tail, &format!("p = {size}; {access} = 7;"));
            let condition = format!("0 <= {}", &access[5..6]);
            assert!(conditions.contains(&condition) && !open && listed, "{size} {tail} {access}: {conditions:?}");
        }
    }
    // Through another type, and at the end of the last member.
    let (conditions, open, listed) = tails("int d[1];", "void *q = malloc(24); p = q; p->d[i] = 7;");
    assert!(conditions.contains(&"0 <= i".to_owned()) && !open && listed);
    // What is as large as it is declared is taken strictly.
    for size in
        ["malloc(sizeof(struct h))", "malloc(sizeof *p)", "malloc(8)", "malloc(i * sizeof *p)", "calloc(i, sizeof *p)"]
    {
        let (conditions, open, listed) = tails("int d[1];", &format!("p = {size}; p->d[i] = 7;"));
        assert!(conditions.contains(&"0 <= i && i < 1".to_owned()) && !open && !listed, "{size}: {conditions:?}");
    }
    // So are longer arrays, and those of which nothing but what is declared is used.
    assert!(!tails("int d[2];", "p = malloc(24); p->d[i] = 7;").2);
    assert!(!tails("int d[1];", "p = malloc(24); p->d[0] = 7;").2);
    // If it is used in both ways, nothing is judged.
    for use_whole in ["struct h w = *p;", "struct h w; w.n = 1;", "int (*a)[1] = &p->d;"] {
        let (_, open, _) = tails("int d[1];", &format!("p = malloc(24); p->d[i] = 7; {use_whole}"));
        assert!(open, "{use_whole}");
    }
}

/// The outcome of the only run of a program on a target.
fn on(target: &str, text: &str) -> Outcome {
    let Target { data_model, representation } = target.parse().unwrap();
    let program = load_text("t.c", text, &LowerOptions { data_model, representation, ..plain() }).unwrap();
    outcome_with(&program, &[])
}

#[test]
fn the_target_says_whether_char_has_a_sign() {
    let text = "char g = -1; char s[] = \"a\\xff\"; char const *p = \"\\xfe\"; struct b { char f : 3; } b;\n\
        void assert(int); int main(void) { char c = 200; int constant = '\\xff'; char d = 7; b.f = 7; SIGN\n\
        c = c + d; unsigned char u = 255; signed char n = -1; assert(u == 255 && n == -1 && sizeof c == 1); return 0; }";
    let signed =
        "assert(g == -1 && s[1] == -1 && p[0] == -2 && c < 0 && constant == -1 && b.f == -1 && (char)255 < 0);";
    let unsigned =
        "assert(g == 255 && s[1] == 255 && p[0] == 254 && c == 200 && constant == 255 && b.f == 7 && (char)255 > 0);";
    for (target, holds, fails) in [
        ("lp64", signed, unsigned),
        ("ilp32,char=signed", signed, unsigned),
        ("lp64,char=unsigned", unsigned, signed),
        ("ilp32,char=unsigned,endian=big", unsigned, signed),
    ] {
        assert_eq!(on(target, &text.replace("SIGN", holds)), Outcome::Finished, "{target}");
        assert_eq!(on(target, &text.replace("SIGN", fails)), Outcome::AssertionFailed(AssertionId(0)), "{target}");
    }
}

#[test]
fn the_byte_of_memset_is_taken_before_the_size_is_computed() {
    let text = "void *memset(void *, int, unsigned long); void assert(int); unsigned char c = 1, x[8];
        int f(void) { c = 2; return 8; } int main(void) { memset(x, c, f()); assert(x[0] == 1); return 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
}

#[test]
fn an_argument_is_evaluated_before_a_call_that_does_not_return() {
    let text = "void stop(int x) { for (;;); } int main(void) { int i = 2147483647; stop(i++); return 0; }";
    assert!(matches!(outcome(text), Outcome::Undefined { .. }), "{:?}", outcome(text));
}

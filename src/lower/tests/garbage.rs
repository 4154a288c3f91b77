//! Tests that every input gives a program, or an error with its place.

use super::{deep, lower, message, outcome, plain};
use crate::interpreter::Outcome;
use crate::lower::{InputErrorKind, LowerOptions, load, load_text};
use std::path::PathBuf;

fn kind(text: &str) -> InputErrorKind {
    lower(text).unwrap_err().kind()
}

#[test]
fn an_empty_file_has_no_entry() {
    assert_eq!(kind(""), InputErrorKind::NoEntry);
    assert_eq!(kind("int f(void) { return 1; }"), InputErrorKind::NoEntry);
    let options = LowerOptions { entry: "f".into(), ..plain() };
    assert!(load_text("t.c", "int f(void) { return 1; }", &options).is_ok());
}

#[test]
fn missing_files_and_folders_are_named() {
    let missing = load(&[PathBuf::from("no/such/file.c")], &plain()).unwrap_err();
    assert_eq!(
        (missing.kind(), missing.message()),
        (InputErrorKind::NotFound, "no/such/file.c: no such file or directory")
    );
    let folder = tempfile::tempdir().unwrap();
    let error = load(&[folder.path().to_path_buf()], &plain()).unwrap_err();
    assert!(error.message().ends_with("this is a folder, not a file"));
}

#[test]
fn a_missing_header_is_an_error_at_its_include() {
    let error =
        load_text("t.c", "int x;\n#include \"nowhere.h\"\nint main(void) { return 0; }\n", &LowerOptions::default());
    let error = error.unwrap_err();
    assert_eq!(error.kind(), InputErrorKind::Preprocess);
    assert_eq!(error.message(), "the header `nowhere.h` was not found");
    let place = error.place().unwrap();
    assert_eq!((place.line, place.source_line.as_str()), (2, "#include \"nowhere.h\""));
}

#[test]
fn a_syntax_error_has_its_place_and_what_was_expected() {
    let error = lower("int main(void) {\n  int x = 1 +;\n  return x;\n}\n").unwrap_err();
    let place = error.place().unwrap();
    assert_eq!((error.kind(), place.line, place.column), (InputErrorKind::Syntax, 2, 14));
    assert_eq!(place.source_line, "  int x = 1 +;");
    assert!(error.expected().iter().any(|e| e == "an identifier"));
    assert!(message("int main(void) { return 0;").contains("unexpected end of the file"));
    assert_eq!(kind("int main(void) { return 0; }}"), InputErrorKind::Syntax);
}

#[test]
fn binary_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("binary.c");
    std::fs::write(&path, b"\x7fELF\x00\x01\x02").unwrap();
    let error = load(std::slice::from_ref(&path), &plain()).unwrap_err();
    assert_eq!(error.kind(), InputErrorKind::Syntax);
    assert!(error.message().contains("NUL"));
    // Invalid UTF-8: harmless in comments and literals, an error elsewhere.
    std::fs::write(&path, b"/* \xe4 */ char s[] = \"\xe4\"; int main(void) { return s[0]; }").unwrap();
    assert!(load(std::slice::from_ref(&path), &plain()).is_ok());
    std::fs::write(&path, b"int \xe4; int main(void) { return 0; }").unwrap();
    assert!(load(std::slice::from_ref(&path), &plain()).unwrap_err().to_string().contains(":1:5: "));
}

#[test]
fn what_is_not_supported_is_refused_with_its_place() {
    for (text, at) in [
        ("int main(void) { asm(\"nop\"); return 0; }", "1:18"),
        ("int main(void) { __int128 x = 1; return 0; }", "1:18"),
        ("int main(void) { l: ; void *p = &&l; goto *p; }", "1:33"),
        ("int main(void) { _Complex double d; return 0; }", "1:18"),
        ("int main(void) { pthread_create(0, 0, 0, 0); return 0; }", "1:18"),
        ("int main(void) { int b[9]; getcontext(b); return 0; }", "1:28"),
        ("typedef int v4 __attribute__((vector_size(16))); int main(void) { return 0; }", "1:1"),
    ] {
        let error = lower(text).unwrap_err();
        assert_eq!(error.kind(), InputErrorKind::Unsupported, "{text}: {error}");
        let place = error.place().unwrap();
        assert_eq!(format!("{}:{}", place.line, place.column), at, "{text}: {error}");
    }
}

#[test]
fn attributes_that_change_the_meaning_are_refused_wherever_they_stand() {
    let main = "int main(void) { return 0; }";
    for (start, end) in [
        ("__attribute__((constructor)) void f(void) { }", main),
        ("__attribute__((unused, destructor(101))) static void f(void) { }", main),
        ("void f(void) { } __attribute__((constructor)) void f(void);", main),
        ("int g = 1; extern __attribute__((alias(\"g\"))) int f;", main),
        ("__attribute__((mode(QI))) int c;", main),
        ("int c __attribute__((mode(QI)));", main),
        ("static int f(__attribute__((mode(QI))) int x) { return x; }", main),
        ("struct { __attribute__((mode(QI))) int c; } s;", main),
        ("struct { int c __attribute__((mode(QI))); } s;", main),
        ("enum __attribute__((packed)) e { A };", main),
        ("typedef enum { A } __attribute__((packed)) e;", main),
        ("static void f(int *x) { }", "int main(void) { __attribute__((cleanup(f))) int x = 3; return 0; }"),
        ("", "int main(void) { return sizeof(__attribute__((mode(QI))) int); }"),
    ] {
        let text = format!("{start}\n{end}\n");
        assert!(message(&text).contains("supported"), "{text}");
    }
    // They belong to what they stand at.
    let text = "int x; __attribute__((mode(QI))) typedef int small; int y; small z;
        int main(void) { return sizeof x == 4 && sizeof y == 4 && sizeof z == 1 ? 0 : 1 / 0; }";
    assert_eq!(outcome(text), Outcome::Finished);
}

#[test]
fn a_text_may_end_anywhere() {
    let text = "#pragma GCC ivdep \\\n go\n# 1 \"t.c\"\n/* \"a\\\" */ // it \\\n goes on\nchar *s = \"x\\\"y\"; \\\n
        __attribute__ ((unused /* ) */, section(\"a)\\\"\"), x(')', '\\''))) int a[2] = { 0x1, '\\0' }; _Pragma(\"once\")
        int main(void) { /* here */ return a[0] ? 1 : sizeof s; }";
    assert_eq!(outcome(text), Outcome::Finished);
    for end in 0..text.len() {
        assert!(lower(&text[..end]).is_err(), "{}", &text[..end]);
    }
    // A construct that is cut off has no end, so nothing after it is treated as a part of it.
    for (start, refused) in [
        ("__attribute__((unused) int x;", "a bracket without end"),
        ("__attribute__(x(\"))) int x;", "a literal without end"),
        ("__attribute__ int x;", "expected `(`"),
        ("_Pragma(\"once\" int x;", "a bracket without end"),
    ] {
        assert_eq!(lower(&format!("{start}\nint main(void) {{ return 0; }}\n")).unwrap_err().message(), refused);
    }
}

#[test]
fn text_that_was_not_preprocessed_is_not_taken_for_what_was() {
    let main = "int main(void) { return 0; }\n";
    for directive in ["#if 0", "# ifdef X", "#else", "#endif", "  #include <assert.h>", "/* */ #error no"] {
        let error = lower(&format!("{main}{directive}\n{main}")).unwrap_err();
        assert_eq!((error.kind(), error.place().unwrap().line), (InputErrorKind::Unsupported, 2), "{directive}");
    }
    // What a preprocessor leaves.
    let left = "# 7 \"a.c\" 2\n#line 3\n#\n#define X(a) \\\n a +\n#undef X\n#ident \"x\"\n#pragma once \\\n y\n";
    assert_eq!(outcome(&format!("{left}{main}")), Outcome::Finished);
    // A backslash joins lines in comments as well.
    assert_eq!(outcome("int main(void) { int x = 1; // x \\\n x = 0;\n return 1 / x; }\n"), Outcome::Finished);
}

#[test]
fn deep_nesting_works_up_to_a_limit() {
    deep(|| {
        let nested = |n: usize| format!("int main(void) {{ int x = 1; return {}x{}; }}", "(".repeat(n), ")".repeat(n));
        assert!(lower(&nested(5_000)).is_ok());
        assert_eq!(kind(&nested(100_000)), InputErrorKind::TooDeep);
        let sum = |n: usize| format!("int main(void) {{ int x = 1; return {}x; }}", "x + ".repeat(n));
        assert!(lower(&sum(5_000)).is_ok());
        assert_eq!(kind(&sum(100_000)), InputErrorKind::TooDeep);
        let minus = |n: usize| format!("int main(void) {{ int x = 1; return {}x; }}", "- ".repeat(n));
        assert!(lower(&minus(5_000)).is_ok());
        let choice = format!("int main(void) {{ int x = 1; return {}x; }}", "x ? x : ".repeat(3_000));
        assert!(lower(&choice).is_ok());
        let otherwise =
            |n: usize| format!("int main(void) {{ int x = 1; {} x = 2; return x; }}", "if (x) x = 1; else ".repeat(n));
        assert!(lower(&otherwise(3_000)).is_ok());
        assert_eq!(kind(&otherwise(50_000)), InputErrorKind::TooDeep);
        let blocks = |n: usize| format!("int main(void) {{ {} {} return 0; }}", "{".repeat(n), "}".repeat(n));
        assert!(lower(&blocks(2_000)).is_ok());
        assert_eq!(kind(&blocks(100_000)), InputErrorKind::TooDeep);
        // A copy of everything inside for each bracket would take minutes.
        let call = |n: usize| format!("int f(int x) {{ return {}x{}; }}", "f(x + ".repeat(n), ")".repeat(n));
        assert_eq!(kind(&call(9_000)), InputErrorKind::TooDeep);
    });
}

#[test]
fn operators_that_can_be_read_two_ways_are_bounded() {
    for row in ["++", "--", "+++", "- ++", "* ++", "sizeof --", "__extension__ ++", "++ /* */ \n"] {
        let text = format!("int main(void) {{ int x = 0; x = {} break; }}", row.repeat(100));
        assert_eq!(kind(&text), InputErrorKind::TooDeep, "{row}");
    }
    let text = "int main(void) { int a[3] = { 1, 2, 3 }, *p = a, **q = &p; int y = *++*q + - - -a[0]-- - --a[2] - 1;
        while (y --> 0) a[0]++; return 1 / !a[0]; }";
    assert_eq!(outcome(text), Outcome::Finished);
    let many = " x++; ++x; x = x++ + 1 - --y;".repeat(100);
    assert_eq!(outcome(&format!("int main(void) {{ int x = 0, y = 0; {many} return 0; }}")), Outcome::Finished);
}

#[test]
fn a_line_of_ten_megabytes_is_answered() {
    deep(|| {
        let long = format!("int main(void) {{ return {}1; }}", "1 + ".repeat(2_500_000));
        assert_eq!(kind(&long), InputErrorKind::TooDeep);
        let string = format!("char *s = \"{}\"; int main(void) {{ return 0; }}", "a".repeat(10_000_000));
        assert!(lower(&string).is_ok());
        assert!(lower(&format!("/*{}*/ int main(void) {{ return 0; }}", " ".repeat(10_000_000))).is_ok());
    });
}

#[test]
fn impossible_and_huge_arrays_are_judged() {
    assert!(message("int main(void) { int a[-1]; return 0; }").contains("cannot have -1 elements"));
    assert!(lower("int a[1000000000]; int main(void) { return a[5]; }").is_ok());
    assert!(message("int a[0x7fffffffffffffff]; int main(void) { return sizeof a; }").contains("too large"));
    assert!(message("int a[] = { [0 ... 99999999] = 1 }; int main(void) { return 0; }").contains("range of more than"));
}

//! Tests that assumptions are listed: each has a program here that needs it.

use super::{LowerOptions, load_text, plain};
use crate::analysis::standing_assumptions;
use crate::inline::inline;
use crate::program::Assumption;
use std::collections::BTreeSet;
use std::path::Path;

/// A part of each sentence, and a program that needs the assumption.
const NEEDED: [(&str, &str); 86] = [
    (
        "knows variables of the program only by their addresses, and calls only functions that it is handed: `new`",
        "# 1 \"/usr/include/x.h\" 1 3\nint new(void);\n# 1 \"t.c\" 2\nint x; int main(void) { new(); return x; }",
    ),
    (
        "no format that is not a literal of the call has `%n`",
        "int printf(const char *, ...); int main(int n, char **texts) { return printf(texts[0], &n); }",
    ),
    (
        "a copy of a string does not overlap with it: `sprintf`",
        "int sprintf(char *, const char *, ...); int main(void) { char a[4]; return sprintf(a, \"%s\", \"abc\"); }",
    ),
    ("the other process after `fork` changes no file", "int fork(void); int main(void) { return fork(); }"),
    ("where control comes back to `setjmp` or `vfork`", "int vfork(void); int main(void) { return vfork(); }"),
    (
        "parameters that a call gives no argument hold any value: `f`",
        "void f(a, b) int a, b; { } int main(void) { f(1); return 0; }",
    ),
    ("the locale is \"C\"", "int isdigit(int); int main(void) { return isdigit('1') != 0; }"),
    ("the locale is \"C\"", "int atoi(const char *); int main(void) { return atoi(\"1\"); }"),
    (
        "writes to `errno` is read through its macro",
        "int *__errno_location(void); int atoi(const char *); int main(void) { int *e = __errno_location(); return *e + atoi(\"1\"); }",
    ),
    ("`EOF` is -1", "int getchar(void); int main(void) { return getchar(); }"),
    (
        "`strtok_r` stores no null pointer",
        "char *strtok_r(char *, const char *, char **); int main(void) { char a[2] = \"a\", *r; return strtok_r(a, \" \", &r) != r; }",
    ),
    (
        "a copy of a string does not overlap with it: `strcpy`",
        "char *strcpy(char *, const char *); int main(void) { char a[4]; strcpy(a, \"abc\"); return a[0]; }",
    ),
    (
        "`i < 9` holds where iterations begin",
        "int main(void) { int i = 0;\n//@ admit loop invariant i < 9;\nwhile (i < 3) i++;\nreturn i; }",
    ),
    (
        "`\\result > 0` holds where `f` returns",
        "//@ admit ensures \\result > 0;\nint f(int x) { return x; } int main(void) { return f(1); }",
    ),
    (
        "`f` is called where `x > 0` holds",
        "//@ admit requires x > 0;\nint f(int x) { return x; } int main(void) { return f(1); }",
    ),
    ("`admit ensures x > 0` holds", "int main(void) { int x = 1;\n//@ admit ensures x > 0;\nx = 2;\nreturn x; }"),
    (
        "no definition outside the program",
        "__attribute__((weak)) int w(void); int w(void) { return 1; } int main(void) { return w(); }",
    ),
    ("no definition outside the program", "inline int w(void) { return 1; } int main(void) { return w(); }"),
    ("an undeclared function returns", "int main(void) { return undeclared(1); }"),
    ("an undeclared function returns", "int main(void) { int x = sizeof(u(1)); return x + u(2); }"),
    (
        "a function that has no body keeps its contract",
        "//@ assigns \\nothing;\nint get(void); int main(void) { return get(); }",
    ),
    (
        "a function that satisfies its recursive definition",
        "//@ logic integer f(integer n) = f(n) + 1;\nint main(void) { int x = 1;\n//@ assert f(x) == 0;\nreturn x; }",
    ),
    (
        "a lemma of the annotations holds",
        "/*@ logic integer f(integer n) = n <= 0 ? 0 : f(n - 1); lemma l: \\forall integer n; f(n) == 0; */\n\
         int main(void) { int x = 1;\n//@ assert f(x) == 0;\nreturn x; }",
    ),
    ("inline assembly changes its outputs", "int main(void) { int x; __asm__(\"\" : \"=r\"(x)); return x; }"),
    ("a function that has no body returns any value", "int get(void); int main(void) { return get(); }"),
    (
        "streams do not use the buffers",
        "void *fmemopen(void *, unsigned long, const char *); char b[4]; int main(void) { fmemopen(b, 4, \"w\"); return b[0]; }",
    ),
    ("memory allocation never fails", "void *malloc(unsigned long); int main(void) { int *p = malloc(4); return *p; }"),
    (
        "computed sizes in bytes do not wrap around",
        "void *memset(void *, int, unsigned long); int a[4]; int main(void) { unsigned long n = 1; memset(a, 0, n * sizeof(int)); return 0; }",
    ),
    (
        "does not change what its arguments point to",
        "int __VERIFIER_nondet_int(); int x; int main(void) { return __VERIFIER_nondet_int(&x); }",
    ),
    (
        "objects are not used after the end",
        "int *p; int main(void) { { int x = 1; p = &x; } { int y = 2; p = &y; } for (;;) { int z; p = &z; } }",
    ),
    ("objects are not used after the end", "int *f(void) { int x = 1; return &x; } int main(void) { return *f(); }"),
    (
        "objects are not used after the end",
        "void *alloca(unsigned long); int *f(void) { return alloca(4); } int main(void) { return *f(); }",
    ),
    (
        "a declaration that a jump passes again",
        "int main(void) { int n = 0, *q = 0; again:; int x; q = &x; if (n++ < 3) goto again; return q != 0; }",
    ),
    ("string literals are not written to", "int main(void) { char *s = \"abc\"; *s = 'x'; return 0; }"),
    (
        "where control comes back to `setjmp` or `vfork`",
        "int _setjmp(void *); long env[32]; int main(void) { return _setjmp(env) != 0; }",
    ),
    (
        "where a signal may have arrived",
        "int v; void f(int s) { v = s; } void (*signal(int, void (*)(int)))(int); int main(void) { signal(2, f); return v; }",
    ),
    (
        "is given and frees is a heap block",
        "void free(void *); //@ requires \\valid(p);\nvoid alone(int *p) { free(p); } int main(void) { return 0; }",
    ),
    ("changes `volatile` objects", "volatile int v; int main(void) { return v; }"),
    (
        "arithmetic on a bit-field that is wider",
        "struct S { unsigned long b : 40; } s; int main(void) { return s.b + 1 > 0; }",
    ),
    ("in an enum that `int` cannot hold", "enum E { SMALL = 1, LARGE = 5000000000 }; int main(void) { return SMALL; }"),
    (
        "are evaluated from left to right",
        "int k; int next(void) { return ++k; } int main(void) { return next() - 2 * next(); }",
    ),
    (
        "memory that was freed is not used again",
        "void *malloc(unsigned long); void free(void *); int main(void) { free(malloc(4)); return 0; }",
    ),
    (
        "memory that was freed is not used again",
        "void *malloc(unsigned long); void *realloc(void *, unsigned long); int main(void) { int *p = malloc(4), *q = realloc(p, 8); return *p + *q; }",
    ),
    ("`__builtin_unreachable()` is never reached", "int main(void) { __builtin_unreachable(); }"),
    ("`__builtin_constant_p` is 0 or 1", "int main(void) { int x = 1; return __builtin_constant_p(x); }"),
    (
        "reads and writes only inside the objects that it is given",
        "int puts(const char *); int main(void) { char s[2] = {1, 2}; puts(s); return 0; }",
    ),
    ("do not depend on `srand`", "void srand(unsigned); int rand(void); int main(void) { srand(1); return rand(); }"),
    (
        "addresses that are printed are not read back",
        "int printf(const char *, ...), scanf(const char *, ...); int main(void) { int x; void *p; printf(\"%p\", &x); scanf(\"%p\", &p); return 0; }",
    ),
    (
        "initialisers that later ones override",
        "int f(void); int a[2] = {[0] = 1}; int main(void) { int b[2] = {[0] = f(), [0] = 2}; return b[0]; }",
    ),
    ("literals of constant types", "int main(void) { const int *p = (const int[]){1}; return *p; }"),
    (
        "(`\\valid`) hold at calls, where they are not checked",
        "/*@ requires \\valid(a + (0..n-1)); */ int f(int *a, int n) { return n; } int main(void) { return f(0, 1); }",
    ),
    ("`main` is called where `argc > 1` holds", "/*@ requires argc > 1; */ int main(int argc) { return argc; }"),
    (
        "is analysed alone",
        "int g; /*@ requires n > 1; */ int alone(int *a, int n) { return n; } int main(void) { return 0; }",
    ),
    ("is an array of any positive size", "int alone(int *a) { return *a; } int main(void) { return 0; }"),
    (
        "of exactly the size that its contract names",
        "/*@ requires \\valid(a + (0..1)); */ int alone(int *a) { return *a; } int main(void) { return 0; }",
    ),
    (
        "a pointer that is passed to `alone` is an array of exactly the size",
        "struct s { int *p; int n; }; /*@ requires \\valid(a) && \\valid(a->p + (0..a->n)); */ int alone(struct s *a) { return a->n; } int main(void) { return 0; }",
    ),
    (
        "does not overlap objects of other types",
        "int alone(int *a, char *b) { *a = 1; return *b; } int main(void) { return 0; }",
    ),
    (
        "does not overlap globals",
        "struct { int x; } g; int alone(int *a) { g.x = 2; *a = 1; return g.x; } int main(void) { return 0; }",
    ),
    (
        "at most one argument of `alone` overlaps a global",
        "int g; int alone(int *a, int *b) { *a = 1; *b = 2; return g; } int main(void) { return 0; }",
    ),
    (
        "overlaps neither other arguments nor globals",
        "int alone(int *a, int *b) { *a = 1; return *b; } int separate(void) { return 0; }",
    ),
    ("`x > 1` holds (t.c:1", "int main(void) { int x = 3; /*@ assume x > 1; */ return x; }"),
    (
        "`\\separated` is not checked at calls: `\\separated(a, b)`",
        "/*@ requires \\separated(a, b); */ int f(int *a, int *b) { return *a; } int main(void) { int x, y; return f(&x, &y); }",
    ),
    ("exists and starts with any value", "extern int e; int main(void) { return e; }"),
    ("changes only what it can reach", "int get(void); int main(void) { return get(); }"),
    (
        "reaches to the end of its block",
        "void *malloc(unsigned long); struct H { int n; int d[1]; }; int main(void) { struct H *p = malloc(sizeof(struct H) + 8); return p->d[1]; }",
    ),
    (
        "a call through a function pointer may do anything",
        "int f(void) { return 1; } int main(void) { int (*p)(void) = f; return p(); }",
    ),
    ("becomes any value of the type", "int main(void) { double d = 1e30; int x = (int)d; return x; }"),
    ("becomes any value of the type", "int main(void) { unsigned char c = 1e3; return c; }"),
    ("a function whose result is used returns a value", "int f(void) { } int main(void) { return f(); }"),
    (
        "a function whose result is used returns a value",
        "int f(int x) { while (1) { if (x++ > 3) break; } } int main(void) { return f(1); }",
    ),
    ("a function whose result is used returns a value", "int f(void) { return; } int main(void) { return f(); }"),
    ("an address that is converted", "int main(void) { int x; return (char)(long)&x + (int)&x; }"),
    ("declared not to return do not return", "_Noreturn void f(void) { } int main(void) { f(); return 0; }"),
    (
        "declared not to return do not return",
        "void f(void) __attribute__((__noreturn__)); void f(void) { } int main(void) { f(); return 0; }",
    ),
    ("changed only through it", "int f(int *restrict p) { return *p; } int main(void) { int x = 1; return f(&x); }"),
    (
        "as many elements as `static`",
        "int f(int a[static 3]) { return a[0]; } int main(void) { int b[3] = {1}; return f(b); }",
    ),
    (
        "objects are not used after the end",
        "struct S { int a[2]; } f(void) { struct S s = {{1, 2}}; return s; } int main(void) { int *p = f().a; return *p; }",
    ),
    ("`_Bool` hold 0 or 1", "int main(void) { _Bool b = 1; *(unsigned char *)&b = 5; return b; }"),
    ("`_Bool` hold 0 or 1", "union { _Bool b; char c; } u; int main(void) { u.c = 5; return u.b; }"),
    ("agree with the definitions", "void f(void); int main(void) { return g(); } void g(void) { }"),
    ("agree with the definitions", "int f(); int main(void) { return f(1.5); } int f(int x) { return x; }"),
    ("agree with the definitions", "int main(void) { return f(1.5); } int f(int x) { return x; }"),
    ("`const` are not written to", "int main(void) { const int k = 3; *(int *)&k = 4; return k; }"),
    (
        "`const` are not written to",
        "void *memset(void *, int, unsigned long); const int a[3] = {1}; int main(void) { memset((void *)a, 0, 12); return 0; }",
    ),
    (
        "`const` are not written to",
        "typedef const int C; C a[2]; void f(int *p) { *p = 1; } int main(void) { f((int *)a); return 0; }",
    ),
    (
        "`const` are not written to",
        "struct S { int a; const int b; } s; int main(void) { int *p = (int *)&s.b; *p = 1; return 0; }",
    ),
];

/// All that is listed for a program.
fn listed(text: &str) -> BTreeSet<String> {
    let alone = text.contains(" alone(");
    let entry = if alone { "alone" } else { "main" };
    let separate = text.contains("separate(");
    let options = LowerOptions { entry: entry.to_owned(), alone, separate, ..plain() };
    let program = load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let inlined = inline(&program);
    let standing = standing_assumptions(&program);
    program
        .met_by_runs(program.assumptions.iter().chain(&standing).chain(&inlined.left).cloned())
        .iter()
        .map(Assumption::line)
        .collect()
}

#[test]
fn what_is_taken_for_granted_is_listed() {
    for (part, text) in NEEDED {
        let all = listed(text);
        assert!(all.iter().any(|a| a.contains(part)), "{part}\n{text}\n{all:#?}");
    }
    let files = ["unsigned x;", "extern int x; int main(void) { return x; }"];
    let program = super::linkage::together(&files).unwrap();
    let of_files = "declarations of a variable that differ in the sign of its type mean one variable: `x`";
    assert!(program.assumptions.iter().any(|a| a.line() == of_files));
    let nothing = listed("int main(void) { int x = 1; return x; }");
    assert_eq!(nothing.len(), 1, "only that undefined behaviour ends a run: {nothing:#?}");
    // Each is near to one that needs an assumption.
    for text in [
        "int main(void) { int x = 1.5; _Bool b = 1e30; return x + b; }",
        "int f(int x) { if (x) return 1; else return 2; } void g(void) { } int main(void) { g(); return f(1); }",
        "int f(void) { } int main(void) { f(); return 0; }",
        "int f(int x) { for (;;) { if (x++ > 3) return x; } } int main(void) { return f(1); }",
        "int f(int x) { switch (x) { case 1: return 1; default: return 2; } } int main(void) { return f(1); }",
        "int f(); int main(void) { return f(1u, 0); } int f(int x, char y) { return x + y; }",
        "struct S { int a[2]; } f(void) { struct S s = {{1, 2}}; return s; } int main(void) { return f().a[1]; }",
        "int main(void) { int x; return (long)&x != 0; }",
        "struct S { _Bool b; int c; }; int main(void) { struct S s = {1, 2}; struct S *p = &s; return p->b; }",
        "int f(int x) { goto end; end: return x; } int main(void) { return f(1); }",
        "const int k[2] = {1, 2}; int main(void) { int x; int *p = &x; *p = 1; return k[1]; }",
        "int *const p; void f(int **q) { **q = 1; } const int k = 2; int main(void) { return k; }",
        "const int k = 1; int f(const int *p) { return *p; } int main(void) { return f(&k); }",
        "struct S { const int a; } f(void) { struct S s = {1}; return s; } int main(void) { struct S s = f(); return s.a; }",
        "int main(void) { const int a[2] = {1, 2}, k = a[0]; const struct { int b; } s = {k}; return s.b; }",
    ] {
        let all = listed(text);
        assert_eq!(all.len(), 1, "{text}\n{all:#?}");
    }
}

#[test]
fn every_assumption_has_a_program_that_needs_it() {
    // The sentences, as the source has them: what is put in when one is listed stands between
    // braces.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower");
    let mut sites = 0;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        let tests = entry.path().components().any(|c| c.as_os_str() == "tests");
        if !tests && entry.path().extension().is_some_and(|e| e == "rs") {
            sites += std::fs::read_to_string(entry.path()).unwrap().matches("assume_that(").count();
        }
    }
    assert_eq!(sites, SITES, "a place lists an assumption, or does not any more: has it a program in NEEDED?");
}

/// The places in the lowering that list an assumption, with the two in `Lowerer::assume_that`.
const SITES: usize = 63;

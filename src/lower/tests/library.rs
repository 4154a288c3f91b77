//! Tests that functions known by name do what C says, and that no other function is confused with
//! them.

use super::{count, lower, lowered, message, outcome};
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
    for writes in ["printf(\"abc%hn\\n\", &y)", "printf(\"%d\" \"%l\" \"n\", x, &x)"] {
        assert_eq!(calls(writes), 1, "{writes}");
    }
    // It is a listed assumption that formats that are not literals do not write.
    for quiet in [
        "printf(\"%d%%n%s\", x, f)",
        "printf(f)",
        "printf(x ? \"%d\" : \"no %d\", x)",
        "fprintf(0, \"n%dn\", x)",
        "printf(f, &x)",
        "fprintf(0, x ? \"a\" : f, &x)",
    ] {
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
        "long random(int *), strcasecmp(int *, int *), srandom(int *); int *memalign(int, int *), *valloc(int *); int x = 1;
         int main(void) { random(&x); strcasecmp(&x, &x); srandom(&x); memalign(3, &x); valloc(&x); return 0; }",
    );
    assert_eq!(calls(&program), 5);
    let program = lowered(
        "long random(void); void *alloca(unsigned long); int main(void) { int *p = alloca(4); return random() > 3; }",
    );
    assert_eq!(calls(&program), 0);
    let program = lowered(
        "int ffs(int); int main(void) { unsigned x = 6; return __builtin_popcount(x) + __builtin_clz(x) + ffs(x); }",
    );
    assert_eq!(calls(&program), 0);
}

#[test]
fn functions_of_posix_are_known_if_a_header_declares_them() {
    let declared = "int close(int); char *getenv(const char *); int *__errno_location(void);";
    let used = "int main(void) { close(3); *__errno_location() = 0; return getenv(\"A\") != 0; }";
    let header = format!("# 1 \"/usr/include/x.h\" 1 3\n{declared}\n# 2 \"t.c\" 2\n{used}");
    assert_eq!(calls(&lowered(&header)), 0);
    assert_eq!(calls(&lowered(&format!("{declared}\n{used}"))), 2, "only the name `getenv` is reserved");
    let address = header.replace("*__errno_location() = 0;", "int *p = &*__errno_location(); *p = 0;");
    assert_eq!(calls(&lowered(&address)), 1, "where the address of `errno` is used, it is any");
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

#[test]
fn what_comes_back_or_runs_by_itself_is_refused_by_each_of_its_names() {
    for name in ["getcontext", "makecontext", "swapcontext", "pthread_create", "on_exit"] {
        let refused = format!("(`{name}`) are not supported");
        let head = format!("int {name}(int); int (*kept)(int);");
        assert!(message(&format!("{head} int main(void) {{ return {name}(1); }}")).contains(&refused), "{name}");
        // Code that takes the address may call the function.
        assert!(message(&format!("{head} int main(void) {{ kept = {name}; return 0; }}")).contains(&refused), "{name}");
        // The program's own function of that name is like any other.
        lowered(&format!("{head} int {name}(int x) {{ return x; }} int main(void) {{ return {name}(1); }}"));
    }
    // Control comes back to calls by name only.
    for name in ["_setjmp", "siglongjmp", "sysv_signal", "sigaction", "atexit"] {
        let taken = format!("int {name}(int); int (*kept)(int); int main(void) {{ kept = {name}; return 0; }}");
        assert!(message(&taken).contains("are not supported"), "{name}");
    }
    for section in [".init_array", ".fini_array.5", ".ctors"] {
        let text = format!(
            "void f(void) {{}} void (*run)(void) __attribute__((used, section(\"{section}\"))) = f; int main(void) {{ return 0; }}"
        );
        assert!(message(&text).contains("a section of functions that run before or after `main`"), "{section}");
    }
    lowered("int x __attribute__((section(\".data\"))) = 1; int main(void) { return x; }");
}

#[test]
fn what_runs_at_the_end_takes_and_returns_nothing() {
    let text = |function: &str| {
        let registers = "int atexit(void (*)(void)); int main(void) { atexit((void (*)(void))f); return 0; }";
        format!("{function} {registers}")
    };
    for wrong in ["void f(int n) { }", "int f(void) { return 0; }", "void f(int n, ...) { }"] {
        assert!(message(&text(wrong)).contains("functions without parameters and results"), "{wrong}");
    }
    lowered(&text("void f(void) { }"));
}

#[test]
fn functions_of_the_model_are_declared_as_the_library_does() {
    let has_body = |text: &str| {
        let program = lowered(&format!("{text} int main(void) {{ return strcasecmp(x, x) != 0; }}"));
        program.functions.iter().any(|f| f.name == "strcasecmp" && f.body.is_some())
    };
    assert!(has_body("char x[4]; int strcasecmp(const char *, const char *);"));
    assert!(has_body("unsigned char x[4]; int strcasecmp(unsigned char *, unsigned char *);"));
    assert!(!has_body("int x[4]; int strcasecmp(int *, int *);"));
    assert!(!has_body("char x[4]; char *strcasecmp(char *, char *);"));
    // These may change `errno`, and a variable of that name would show it.
    let is_modelled = |text: &str| {
        let program = lowered(&format!("{text} int main(void) {{ return strtol(\"1\", 0, 0); }}"));
        program.functions.iter().any(|f| f.name == "strtol" && f.body.is_some())
    };
    assert!(is_modelled("long strtol(const char *, char **, int);"));
    assert!(!is_modelled("extern int errno; long strtol(const char *, char **, int);"));
}

/// Whether the program is analysed under that assumption.
fn assumes(text: &str, assumption: &str) -> bool {
    lowered(text).assumptions.iter().any(|a| a.line() == assumption)
}

#[test]
fn what_is_taken_for_granted_of_library_functions_is_listed() {
    let seed = "the values of `rand` do not depend on `srand`";
    let text = "void srand(unsigned); int rand(void);";
    assert!(assumes(&format!("{text} int main(void) {{ srand(1); return rand(); }}"), seed));
    assert!(!assumes(&format!("{text} int main(void) {{ return rand(); }}"), seed));

    let streams = "streams do not use the buffers that they were given";
    for call in ["setvbuf(f, b)", "fmemopen(f, b)", "open_memstream(f, b)"] {
        let (name, _) = call.split_once('(').unwrap();
        let text = format!("void *f; char b[9]; void *{name}(void *, char *); int main(void) {{ {call}; return 0; }}");
        assert!(assumes(&text, streams), "{call}");
    }
    assert!(!assumes("void fopen(void *); int main(void) { fopen(0); return 0; }", streams));

    let back = "addresses that are printed are not read back";
    let main = |body: &str| {
        format!(
            "int printf(const char *, ...), scanf(const char *, ...); int x; char t[3]; int main(void) {{ {body} return 0; }}"
        )
    };
    assert!(assumes(&main("printf(\"%p\", (void *)&x); scanf(\"%d\", &x);"), back));
    assert!(assumes(&main("scanf(\"%d\", &x); printf(\"%p\", (void *)&x);"), back));
    assert!(!assumes(&main("printf(\"%d %s\", x, t); scanf(\"%d\", &x);"), back));
    assert!(!assumes(&main("printf(\"%p\", (void *)&x);"), back));

    let given =
        "a function that returns an input does not change what its arguments point to: `__VERIFIER_nondet_pointer`";
    let head = "void *__VERIFIER_nondet_pointer(); int x;";
    assert!(assumes(&format!("{head} int main(void) {{ __VERIFIER_nondet_pointer(&x); return 0; }}"), given));
    assert!(!assumes(&format!("{head} int main(void) {{ __VERIFIER_nondet_pointer(); return 0; }}"), given));
}

#[test]
fn who_calls_unknown_code_is_told_what_it_does_not_do() {
    let program = lowered("void run(void); int main(void) { run(); return 0; }");
    assert!(program.assumptions.iter().any(|a| a.text.contains("calls no function of the program by its name")));
}

#[test]
fn sizes_that_the_source_does_not_divide_by_are_no_obligations() {
    use crate::program::{ObligationKind, obligations_and_settled};
    let divisors = |body: &str| -> (Vec<String>, u64) {
        let program = lowered(&format!(
            "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
             void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
             int f(short *d, short *s, int n) {{ {body} return 0; }} int main(void) {{ short a[9], b[9]; return f(a, b, 9); }}"
        ));
        let asked = [ObligationKind::Division];
        let (all, settled) = obligations_and_settled(&program, &asked);
        (all.into_iter().map(|o| o.condition).collect(), settled)
    };
    for body in [
        "memcpy(d, s, n * sizeof *d);",
        "memset(d, 1, n);",
        "memset(d, 0, n * 2);",
        "int *p = malloc(n); long *q = calloc(n, 4); return p && q;",
    ] {
        assert_eq!(divisors(body), (Vec::new(), 0), "{body}");
    }
    // Three divisions by constants; the size that `memcpy` is given is there more than once.
    let (written, by_constants) = divisors("memcpy(d, s, n / 2 * sizeof *d); return n % 3 + (n)/(4) + n / d[0];");
    assert_eq!((written, by_constants >= 3), (vec!["*d != 0".to_owned()], true));
}

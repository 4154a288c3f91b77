//! Tests that an assumption is listed if a pointer may outlive its object or a string literal may
//! be written to, and only then.

use super::lowered;

const PRELUDE: &str = "void assert(int); struct N { int v; struct N *next; }; int *g; struct N *list;
int get(int *p) { int *q = p; return *q; } void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } void keep(int *p) { g = p; }
void pass(int *p) { keep(p); } int *greater(int *a, int *b) { return *a > *b ? a : b; } void push(struct N *n) { n->next = list; list = n; }
void fill(int *a, int n) { for (int *p = a; p < a + n; p++) *p = 0; } int scanf(const char *, ...); void *malloc(unsigned long);\n";

fn lists(text: &str, assumption: &str) -> bool {
    lowered(text).assumptions.iter().any(|a| a.text.starts_with(assumption))
}

fn outlives(functions: &str, statements: &str) -> bool {
    let text = format!("{PRELUDE}{functions} int main(void) {{ {statements} return 0; }}");
    lists(&text, "objects are not used after")
}

#[test]
fn addresses_that_go_to_what_lives_longer_are_listed() {
    for statements in [
        "int *p; { int x = 1; p = &x; } *p = 2;",
        "int *q = 0; for (int i = 0; i < 2; i++) { int *z = (int[]){i}; if (q) *q = 7; q = z; }",
        "int *p; { int a[3]; p = a + 1; } *p = 2;",
        "int *p; { int x = 1; int *q = &x; p = q; }",
        "struct N *p; { struct N n; p = &n; }",
        "struct N n; { int x; struct N m; n.next = &m; }",
        "{ int x = 1; g = &x; }",
        "{ int x = 1; keep(&x); }",
        "{ int x = 1; int *q = &x; pass(q); }",
        "int *p, y = 1; { int x = 1; p = greater(&x, &y); }",
        "while (1) { struct N n; push(&n); }",
        "int *p = ({ int x = 1; &x; });",
        "int *p, c = 1; { int x; p = c ? &x : 0; }",
        "void (*k)(int *) = keep; { int x = 1; k(&x); }",
        "int *(*h)(int *, int *) = greater; int *p, y = 1; { int x = 1; p = h(&x, &y); }",
    ] {
        assert!(outlives("", statements), "{statements}");
    }
    for functions in [
        "int *f(void) { int x = 1; return &x; }",
        "int *f(void) { int a[3]; int *p = a; return p; }",
        "void f(void) { int x = 1; g = &x; }",
        "void f(int y) { keep(&y); }",
    ] {
        assert!(outlives(functions, ""), "{functions}");
    }
}

#[test]
fn addresses_that_do_not_live_longer_are_not_listed() {
    for statements in [
        "int a[3], *p; p = a; fill(a, 3); fill(p, 3); *p = 1;",
        "int x = 1, y = 2; g = &x; keep(&y); swap(&x, &y); int *p = greater(&x, &y); *p = 1;",
        "void (*s)(int *, int *) = swap; int x = 1; { int y = 2; s(&x, &y); }",
        "for (int i = 0; i < 3; i++) { int x = i, a[3]; int *p = &x; *p = get(&x); fill(a, 3); swap(&x, &i); scanf(\"%d\", &x); }",
        "{ int x, y; int *p = greater(&x, &y); { int *q = p; *q = 1; } }",
        "for (int i = 0; i < 3; i++) { struct N *n = malloc(sizeof *n); push(n); }",
        "struct N a, b; a.next = &b; push(&a); for (struct N *p = &a; p; p = p->next) p->v = 1;",
        "int *q = (int[]){1, 2}; q[1] = 3;",
        "static int s; { static int t; int *p = &t; g = p; g = &s; }",
    ] {
        assert!(!outlives("", statements), "{statements}");
    }
}

#[test]
fn literals_that_may_be_written_to_are_listed() {
    let writes = |text: &str| {
        lists(&format!("void puts(const char *); int printf(const char *, ...); {text}"), "string literals")
    };
    assert!(writes("int main(void) { char *s = \"ab\"; s[0] = 'x'; return 0; }"));
    assert!(writes("int main(void) { \"ab\"[0] = 'x'; return 0; }"));
    assert!(writes(
        "char *t = \"ab\"; void f(unsigned char *p) { *p = 1; } int main(void) { f((unsigned char *)t); return 0; }"
    ));
    assert!(writes(
        "void *memset(void *, int, unsigned long); int main(void) { char *s = \"ab\"; memset(s, 0, 2); return 0; }"
    ));
    for body in [
        "char (*p)[3] = (char (*)[3])\"ab\"; (*p)[0] = 'x';",
        "struct { char c[3]; } *p = (void *)\"ab\"; p->c[1] = 'x';",
        "int *p = (int *)\"abc\"; *p = 1;",
        "void *v = \"abc\"; int *p = v; p[0] = 1;",
    ] {
        assert!(writes(&format!("int main(void) {{ {body} return 0; }}")), "{body}");
    }
    assert!(!writes("int main(void) { void *v = \"abc\"; puts(v); int x, *p = &x; *p = 1; return x; }"));
    assert!(!writes("int main(void) { char a[3] = \"ab\"; char *s = a; s[0] = 'x'; printf(\"%d\", 3); return 0; }"));
    assert!(!writes("int main(void) { char *s = \"ab\"; int x, *p = &x; *p = s[0]; return x; }"));
    assert!(!writes("int main(void) { char *s = \"ab\"; char a[2]; a[0] = s[0]; return 0; }"));
}

#[test]
fn jumps_back_over_declarations_are_listed_where_the_object_may_be_seen_again() {
    let listed = |body: &str| {
        lists(
            &format!("{PRELUDE} int main(void) {{ int n = 0; {body} return 0; }}"),
            "a declaration that a jump passes again",
        )
    };
    for again in [
        "again: n++; int x; int *p = &x; *p = n; if (n < 3) goto again;",
        "{ again: n++; if (n > 5) return 1; int x[2]; keep(x); if (n < 3) goto again; }",
    ] {
        assert!(listed(again), "{again}");
    }
    for other in [
        "again: n++; int x = n; if (x < 3) goto again;",
        "int x; int *p = &x; again: n++; *p = n; if (n < 3) goto again;",
        "again: n++; { int x; int *p = &x; *p = n; } if (n < 3) goto again;",
        "if (n) goto behind; int x; int *p = &x; *p = n; behind: n++;",
    ] {
        assert!(!listed(other), "{other}");
    }
}

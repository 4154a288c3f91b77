//! Programs whose behaviour depends on the addresses of objects, or on how floating values are
//! computed. An answer of CBMC about them is not a proof.

use crate::cbmc::testing::ask;
use crate::cbmc::{ADDRESSES, EmitOptions, Emitted, PropertyAnswer, Purpose, Sizes, Undefined, emit};
use crate::lower::{LowerOptions, load_text};
use crate::program::{ObligationKind, obligations};
use std::collections::BTreeSet;

fn emitted(text: &str) -> Emitted {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let text = format!("void __VERIFIER_assert(int);\n{text}");
    let program = load_text("t.c", &text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()));
    let asked = obligations(&program, &[ObligationKind::Assertion]);
    let (purpose, undefined, sizes) = (Purpose::Decide, Undefined::Ends, Sizes::Any);
    emit(
        &program,
        &EmitOptions { obligations: &asked, known: &BTreeSet::new(), purpose, undefined, sizes, log_heap: false },
    )
}

#[test]
fn what_depends_on_addresses_or_on_digits_is_not_proved() {
    for (text, obstacle) in [
        ("int x; int main(void) { __VERIFIER_assert((int)(long)&x == 0); }", "computes with addresses"),
        ("int main(void) { int *p = (int *)16; __VERIFIER_assert(p != 0); }", "computes with addresses"),
        ("void f(void) {} int main(void) { __VERIFIER_assert((int)(long)f == 0); }", "computes with addresses"),
        ("int main(void) { int x; int *p = &x; __VERIFIER_assert(*(int *)&p == 0); }", "bytes of pointers"),
        (
            "int main(void) { int x; int *p = &x; void *v = &p; __VERIFIER_assert(*(char *)v == 0); }",
            "bytes of pointers",
        ),
        (
            "int x; int main(void) { union { int *p; int i; } u; u.p = &x; __VERIFIER_assert(u.i == 0); }",
            "bytes of pointers",
        ),
        (
            "char g; int main(void) { char *p = &g; struct { char b[8]; } *q = (void *)&p; __VERIFIER_assert(q->b[5] == 0); }",
            "bytes of pointers",
        ),
        (
            "char g; int main(void) { char *p = &g; char (*q)[8] = (char (*)[8])&p; __VERIFIER_assert((*q)[5] == 0); }",
            "bytes of pointers",
        ),
        ("char g, m[8]; int main(void) { *(char **)m = &g; __VERIFIER_assert(m[5] == 0); }", "bytes of pointers"),
        (
            "char g; union { char *p; struct { char b[8]; char *q; } s; } u; int main(void) { u.p = &g; __VERIFIER_assert(u.s.b[5] == 0); }",
            "bytes of pointers",
        ),
        (
            "int main(void) { union { double d; char b[8]; } u; u.d = 1; u.d = u.d - u.d; __VERIFIER_assert(u.b[7] == 0); }",
            "floating values",
        ),
        (
            "struct { char c; int i; } s; int main(void) { char *p = (char *)&s; __VERIFIER_assert(p[1] == 0); }",
            "or structs",
        ),
        (
            "int same(char *a, char *b) { return a == b; } int main(void) { __VERIFIER_assert(!same(\"ab\", \"b\")); }",
            "literals",
        ),
        ("int main(void) { long double a = 3; __VERIFIER_assert(a + 1 != a); }", "more digits"),
        ("int main(void) { double d = 1e10; __VERIFIER_assert((int)d != 3); }", "too narrow"),
    ] {
        let found = emitted(text).obstacles;
        assert!(found.iter().any(|o| o.contains(obstacle)), "{text}: {found:?}");
    }
    // Null pointers, lists and unions of numbers are unproblematic.
    let plain = emitted(
        "struct node { struct node *next; union { int i; char c[4]; } u; };
         int main(void) { struct node a = {0}, *p = &a; p->u.i = 3; if (p->next) p->u.c[0] = 1; double d = 1; __VERIFIER_assert(p != 0 && d > 0); }",
    );
    assert_eq!(plain.obstacles, Vec::<String>::new());
    assert!(!plain.properties.contains_key(ADDRESSES));
}

#[test]
fn pointers_are_compared_as_on_every_machine_or_nothing_is_proved() {
    for (text, everywhere) in [
        ("int x, y; int main(void) { __VERIFIER_assert(!(&x < &y)); }", false),
        ("int x, y; int main(void) { int *p = &x + 1, *q = &y + 1; __VERIFIER_assert(p != &y && q != &x); }", false),
        ("int x, y; int main(void) { int *p = &x, *q = &y; __VERIFIER_assert(p != q); }", true),
        (
            "int a[3]; int main(void) { int *p = a, *end = a + 3; while (p < end) p++; __VERIFIER_assert(p == end && end - a == 3); }",
            true,
        ),
    ] {
        let Some(answer) = ask(&emitted(text), 5) else { return };
        assert_eq!(answer.properties[ADDRESSES] == PropertyAnswer::Holds, everywhere, "{text}");
    }
}

#[test]
fn what_nothing_calls_is_not_asked_about_and_no_obstacle() {
    let main = "int main(void) { __VERIFIER_assert(x == 0); }";
    for uncalled in [
        "int compares(int *p) { return p < &x; }",
        "int allocates(int n) { int a[n]; a[0] = x; return a[0]; }",
        "int unknown(int *); int asks(void) { return unknown(&x); }",
        "int reads_unknown_length(void) { return table[1]; }",
        "int first(int *p) { return p < &x; } int second(int *p) { return first(p); }",
        "int takes(int *p) { return p < &x; } int (*keep(void))(int *) { return takes; }",
    ] {
        let found = emitted(&format!("int x; extern int table[]; {uncalled} {main}"));
        assert_eq!(found.obstacles, Vec::<String>::new(), "{uncalled}");
        assert_eq!(found.properties.len(), 1, "{uncalled}: {:?}", found.properties);
        let Some(answer) = ask(&found, 2) else { return };
        assert_eq!(answer.properties["main.assertion.1"], PropertyAnswer::Holds, "{uncalled}");
    }
    // A function may be called through a pointer to it.
    let kept = emitted(
        "int x; int less(int *p) { return p < &x; } int (*pointer)(int *) = less;
         int main(void) { __VERIFIER_assert(pointer != 0); }",
    );
    assert!(kept.properties.contains_key(ADDRESSES), "{}", kept.source);
}

#[test]
fn what_is_not_known_of_memory_is_said_where_it_is() {
    let obstacles = |text: &str| emitted(text).obstacles.join("; ");
    let library =
        "void *realloc(void *, unsigned long); int main(void) { int *p = realloc(0, 8); __VERIFIER_assert(p != 0); }";
    assert_eq!(obstacles(library), "the contents of memory after t.c:2:65 are not known");
}

//! Blocks of memory, and sizes in bytes.

use super::{lowered, outcome};
use crate::interpreter::Outcome;
use crate::program::{ObligationKind, obligations};

const LIBRARY: &str = "void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);\n\
                       void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void __VERIFIER_assert(int);\n";

#[test]
fn blocks_are_checked_to_their_last_byte() {
    let run = |statement: &str| {
        let text = format!(
            "void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);\n\
             int main(void) {{ int a[4] = {{0}}, b[4], n = -1; char c[3]; long l = 0; struct {{ int x; char y; }} s[2], t[2];\n\
             {statement}\nreturn 0; }}"
        );
        let of_statement = obligations(&lowered(&text), &[ObligationKind::Bounds]).iter().any(|o| o.location.line == 3);
        (of_statement, matches!(outcome(&text), Outcome::Undefined { kind: ObligationKind::Bounds, .. }))
    };
    for beyond in [
        "memset(a, 0, 17);",
        "memset(a, 0, n);",
        "memset(a, 0, n * sizeof(int));",
        "memset(a + 3, 0, n * sizeof(int));",
        "memset(c + 2, 0, n);",
        "memset(c, 1, -1);",
        "memset(&l, n, 9);",
        "memset(s, 7, 17);",
        "memcpy(a, b, 18);",
        "memcpy(c, a, 4);",
        "memcpy(a, c, 4);",
        "memcpy(s, t, 20);",
        "memcpy(a + 1, b, n * 4ul);",
        "memcpy(c + 2, c + 2, n);",
        "memcpy(a + 1, a, 3 * sizeof(int));",
        "memcpy(a, a, sizeof a);",
        "memcpy(c + 1, c, 2);",
        "int *p = a, *q = a + 1; memcpy(p, q, 8);",
        "void *p = a, *q = b; memcpy(p, q, 17);",
        "void *p = a + 1; memset(p, 1, 13);",
        "void *p = a, *q = a + 1; memcpy(p, q, 5);",
        "void *p = 0; memset(p, 1, 1);",
    ] {
        assert_eq!(run(beyond), (true, true), "{beyond}");
    }
    for inside in [
        "memset(a, 0, 15);",
        "memset(a + 3, n, 3);",
        "memset(a, n, 0);",
        "memcpy(c, a, 3);",
        "memcpy(s, t, 13);",
        "memset(s, 7, 16);",
        "memcpy(a + 2, a, 2 * sizeof(int));",
        "memcpy(a, a, 0);",
        "void *p = a, *q = b; memcpy(p, q, 16);",
        "void *p = a + 1; memset(p, 1, 12);",
        "void *p = a, *q = a + 1; memcpy(p, q, 4);",
    ] {
        assert!(!run(inside).1, "{inside}");
    }
}

#[test]
fn an_access_is_undefined_where_its_pointer_is() {
    let text = "extern void *malloc(unsigned long); int main(void) { int *p = malloc(16); p[9] = 1; return 0; }";
    let program = lowered(text);
    let Outcome::Undefined { key, .. } = outcome(text) else { panic!("{:?}", outcome(text)) };
    assert!(obligations(&program, &[ObligationKind::Bounds]).iter().any(|o| o.key == key));
}

#[test]
fn sizes_are_multiplied_as_c_does() {
    let end = |body: &str| outcome(&format!("{LIBRARY} int main(void) {{ {body} return 0; }}"));
    // Unsigned products wrap around in their own type.
    for fine in [
        "unsigned a = 65536, b = 65536; int x[1] = {1}; memset(x, 0, a * b * sizeof(int)); __VERIFIER_assert(x[0] == 1);",
        "unsigned n = 0x40000001; int x[1]; memset(x, 0, n * 4u);",
        "unsigned long n = 1ul << 32; int *p = malloc(n * n * sizeof(int));",
        // The number of bytes of so many elements does not exist, whatever the sign of their number
        // as a difference.
        "unsigned long n = 1ul << 63; int x[1]; memset(x, 0, n * sizeof(int)); __VERIFIER_assert(0);",
        "long n = 1l << 33; int *p = malloc(sizeof(int) * n * n);",
        "int n = 2; int *p = malloc(4 * n), *q = calloc(n, 8); p[1] = q[3] = 1;",
    ] {
        let outcome = end(fine);
        assert!(matches!(outcome, Outcome::Finished | Outcome::AssumptionFailed), "{fine}: {outcome:?}");
    }
    for overflows in [
        "int n = 0x40000000; static int x[2]; memset(x, 0, n * 4);",
        "int a = 65536; int *p = malloc(a * a * sizeof(int));",
        "int a = 65536; int *p = malloc(4 * a * a);",
    ] {
        let outcome = end(overflows);
        assert!(
            matches!(outcome, Outcome::Undefined { kind: ObligationKind::Overflow, .. }),
            "{overflows}: {outcome:?}"
        );
    }
}

#[test]
fn an_object_is_cleared_from_its_first_part_on() {
    for body in [
        "int m[2][3] = {{1, 1, 1}, {1, 1, 1}}; memset(&m[0][0], 0, sizeof(m)); __VERIFIER_assert(m[1][2] == 0);",
        "struct { int x[2]; int y; } s = {{1, 2}, 3}; memset(s.x, 0, sizeof s); __VERIFIER_assert(s.y == 0);",
    ] {
        let outcome = outcome(&format!("{LIBRARY} int main(void) {{ {body} return 0; }}"));
        assert!(matches!(outcome, Outcome::Finished), "{body}: {outcome:?}");
    }
}

#[test]
fn a_copy_onto_itself_is_an_obligation() {
    let checked = |body: &str| {
        let program = lowered(&format!("{LIBRARY} int main(void) {{ int a[4], b[4]; {body} return 0; }}"));
        assert!(program.assumptions.iter().all(|a| !a.text.contains("memcpy")), "{:?}", program.assumptions);
        obligations(&program, &[ObligationKind::Bounds]).iter().any(|o| o.condition.contains("overlap"))
    };
    assert!(checked("memcpy(a + 1, a, 3 * sizeof(int));") && checked("int *p = b; memcpy(p, a, sizeof a);"));
    assert!(!checked("memcpy(a, b, sizeof a);"));
}

#[test]
fn bytes_that_are_no_cells_are_not_counted() {
    for body in [
        "struct { char c; int i; } s = {1, 2}; unsigned char *p = (unsigned char *)&s; return p[2] & 0;",
        "struct { char n[4]; int i; char m[8]; } s = {0}; char *p = s.n; s.m[1] = 3; __VERIFIER_assert(p[6] == 3);",
        "struct { char c; int i; } a[2] = {{0}}; char *p = (char *)a; p[6] = 1;",
    ] {
        let outcome = outcome(&format!("{LIBRARY} int main(void) {{ {body} return 0; }}"));
        assert!(matches!(outcome, Outcome::Unsupported { .. }), "{body}: {outcome:?}");
    }
    let counted =
        "struct { char c; int i; } a[2] = {{0}}; char *p = (char *)a; p[8] = 1; __VERIFIER_assert(a[1].c == 1);";
    assert_eq!(outcome(&format!("{LIBRARY} int main(void) {{ {counted} return 0; }}")), Outcome::Finished);
}

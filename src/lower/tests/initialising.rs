//! Initialisers that give one part two values, or many parts one value.

use super::{lowered, message, outcome};
use crate::interpreter::Outcome;

const PRELUDE: &str = "void assert(int); int c; int f(void) { return ++c; } struct S { int a, b; };\n";

fn assumed(statement: &str) -> bool {
    let text = format!("{PRELUDE}int main(void) {{ int i = 0; {statement} return 0; }}");
    assert_eq!(outcome(&text), Outcome::Finished, "{statement}");
    lowered(&text).assumptions.iter().any(|a| a.text.contains("override"))
}

#[test]
fn a_list_for_a_part_is_all_that_the_part_is_given() {
    for statement in [
        "struct { struct S s; int k; } q = {.s.b = 5, .s = {1}, .k = 2}; assert(q.s.a == 1 && q.s.b == 0 && q.k == 2);",
        "int a[2][3] = {[0][2] = 9, [0] = {1}}; assert(a[0][0] == 1 && a[0][2] == 0);",
        "static struct { int a[3]; int k; } g = {.a[2] = 4, .a = {1, 2}}; assert(g.a[1] == 2 && g.a[2] == 0);",
        "struct S t[2] = {[0 ... 1] = {3, 4}, [1] = {5}}; assert(t[0].b == 4 && t[1].a == 5 && t[1].b == 0);",
        "struct { char s[4]; } q = {.s = \"abc\", .s = \"x\"}; assert(q.s[0] == 'x' && q.s[1] == 0);",
        "struct { char s[4]; } q = {.s = \"abc\", .s[1] = 0}; assert(q.s[0] == 'a' && q.s[1] == 0 && q.s[2] == 'c');",
        "struct S s = {.a = 3, .b = 4, .a = 0}; assert(s.a == 0 && s.b == 4);",
        "struct { struct S s; int k; } q = {.s = {3, 4}, .s.b = 5}; assert(q.s.a == 3 && q.s.b == 5);",
        "struct { union { int x; long y; } u; int k; } q = {.u.x = 3, .u.y = 4, .k = 1}; assert(q.u.y == 4);",
        "int a[4] = {1, 2, [0] = 7, 8, 9}; assert(a[0] == 7 && a[1] == 8 && a[2] == 9 && a[3] == 0);",
        "int a[9] = {[0 ... 8] = 1, [3 ... 5] = 2}; assert(a[2] == 1 && a[5] == 2 && a[6] == 1);",
    ] {
        assert!(!assumed(statement), "{statement}");
    }
}

#[test]
fn a_range_computes_its_value_once() {
    assert!(!assumed("int a[8] = {[0 ... 7] = f()}; assert(a[0] == 1 && a[7] == 1 && c == 1);"));
    assert!(!assumed("int a[4] = {[0 ... 3] = i++}; assert(a[3] == 0 && i == 1);"));
    assert!(!assumed("struct S t[3] = {[0 ... 2] = {f(), i++}}; assert(t[2].a == 1 && t[2].b == 0 && c == 1);"));
}

#[test]
fn values_that_are_overridden_are_not_computed() {
    assert!(assumed("struct S s = {.a = f(), .a = f()}; assert(c == 1 && s.a == 1);"));
    assert!(assumed("struct { struct S s; } q = {.s.b = f(), .s = {7}}; assert(c == 0 && q.s.b == 0);"));
    let text = "struct S { int a, b; }; int main(void) { struct S t = {1, 2}; struct { struct S s; } q = {.s = t, .s.b = 5}; return q.s.a; }";
    assert!(message(text).contains("compilers do not agree"));
}

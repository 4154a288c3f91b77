//! C leaves the order of operands open. smalti evaluates from left to right; if the order matters,
//! that is an assumption.

use super::{lowered, outcome};
use crate::interpreter::Outcome;

const PRELUDE: &str = "void assert(int); int k, i, x; int *p; int arr[3]; int *q = arr; struct S { int a; struct S *n; } *s; struct S s1, s2;
int next(void) { return ++k; } int h(int a, int b) { return a * 10 + b; } int set(int v) { x = v; return v; }
int f(void) { i = 1; return 7; } int one(int *r) { *r = 1; return 1; } int move(void) { q = arr + 1; s = &s2; return 7; }
int by_value(struct S t, int b) { return t.a * 10 + b; } int pure(int n) { return n < 2 ? n : pure(n - 1) + pure(n - 2); }
void *malloc(unsigned long); struct S *mk(int v) { struct S *n = malloc(sizeof(struct S)); n->a = v; return n; }
int add(int *r, int n) { int sum = 0; for (int j = 0; j < n; j++) sum += r[j]; return sum; } int (*fp)(int, int) = h;
int nil(int a, int b) { return 0; } int turn(void) { fp = nil; return 1; } void exit(int); int die(void) { exit(0); return 1; }
int printf(const char *, ...); void *memcpy(void *, const void *, unsigned long);
int check(void) { assert(k == 0); return 1; } extern int __VERIFIER_nondet_int(void);
";

fn lists_order(statement: &str) -> bool {
    let text = format!("{PRELUDE}int main(void) {{ int y = 0; {statement} return 0; }}");
    let program = lowered(&text);
    assert!(matches!(outcome(&text), Outcome::Finished | Outcome::Stopped), "{statement}: {:?}", outcome(&text));
    program.assumptions.iter().any(|a| a.text.contains("from left to right"))
}

#[test]
fn where_the_order_matters_it_is_listed_and_from_left_to_right() {
    for statement in [
        "assert(h(next(), next()) == 12);",
        "assert(h(set(1), x) == 11);",
        "assert(h(x, set(1)) == 1);",
        "assert(next() * 10 + next() == 12);",
        "assert(set(1) + x == 2);",
        "int a[2] = {0}; a[x] = set(1); assert(a[0] == 1);",
        "int a[2] = {0}; a[i] = f(); assert(a[0] == 7);",
        "*q = move(); assert(arr[0] == 7);",
        "s = &s1; s->a = move(); assert(s1.a == 7);",
        "s = &s1; s->a += move(); assert(s1.a == 7);",
        "int a[2][2] = {{0}}; a[i][f() - 7] = 3; assert(a[0][0] == 3);",
        "x = 5; x += set(1); assert(x == 6);",
        "struct S t = {0}; y = by_value(t, one(&t.a)); assert(y == 1);",
        "y = fp(turn(), 2); assert(y == 12);",
        "int a[2] = {0}; a[y] = y++; assert(a[0] == 0);",
        "y = y++ + y;",
        "h(check(), die());",
        "h(die(), check());",
        "int a[2] = {next(), next()}; assert(a[0] == 1);",
        "struct S t = {set(1), 0}; int a[2] = {x, set(2)}; assert(a[0] == 1);",
        "printf(\"%d%d\", next(), set(k)); assert(x == 1);",
        "memcpy(arr + 2, q, move() - 3);",
    ] {
        assert!(lists_order(statement), "{statement}");
    }
}

#[test]
fn where_the_order_does_not_matter_nothing_is_listed() {
    for statement in [
        "y = h(set(1), 3);",
        "y = h(set(1), y);",
        "y = pure(5) + pure(6);",
        "y = h(pure(3), pure(x));",
        "x = set(1);",
        "x += pure(3);",
        "arr[i] = pure(3);",
        "arr[i] = __VERIFIER_nondet_int();",
        "y = __VERIFIER_nondet_int() + __VERIFIER_nondet_int() + x;",
        "y = h(__VERIFIER_nondet_int(), x);",
        "s = mk(1); s->n = mk(2); s->n->n = mk(3);",
        "arr[y] = set(1);",
        "y += add(arr, 3) + add(q, 2);",
        "int a[3]; for (y = 0; y < 3; y++) a[y] = next();",
        "y = next() && next();",
        "int a[3] = {next(), 1, 2};",
        "int a[2] = {pure(3), pure(x)};",
        "printf(\"%d%d\", next(), pure(4));",
        "memcpy(arr + 1, arr, pure(2) * sizeof(int));",
        "y = (next(), next());",
        "y = next() ? next() : x;",
    ] {
        assert!(!lists_order(statement), "{statement}");
    }
}

#[test]
fn what_c_orders_is_done_in_that_order() {
    let ends = |text: &str| outcome(&format!("{PRELUDE}int main(void) {{ int y = 0; {text} return 0; }}"));
    // The assertion of a conditional comes before what the other branch does.
    let failure = "void __assert_fail(const char *, const char *, unsigned, const char *);";
    let text = format!(
        "{failure} int main(void) {{ int x = 0; x == 0 ? (void)(x = 1) : __assert_fail(\"q\", \"f\", 1, \"g\"); return 0; }}"
    );
    assert_eq!(outcome(&text), Outcome::Finished);
    // A branch whose value is dropped is evaluated.
    for undefined in [
        "({ 1 ? (1 ? 1 / y : (void)0) : (void)0; });",
        "({ 1 ? arr[y + 5] : (void)0; });",
        "for (; !k; k = 1, ({ 1 ? arr[y + 5] : (void)0; })) ;",
    ] {
        assert!(matches!(ends(undefined), Outcome::Undefined { .. }), "{undefined}");
    }
}

#[test]
fn an_operand_that_ends_the_run_hides_what_another_may_do_wrong() {
    for operands in ["die(), 1 / z", "die(), a[z]", "die(), z + 1"] {
        let text = format!(
            "void exit(int); int a[2]; int die(void) {{ exit(0); return 1; }} int h(int x, int y) {{ return x + y; }} int main(void) {{ int z = 0; return h({operands}); }}"
        );
        assert!(
            lowered(&text).assumptions.iter().any(|a| a.text.contains("order") || a.text.contains("left to right")),
            "{operands}"
        );
    }
}

//! The normal forms of small programs.

use super::*;
use crate::lower::{LowerOptions, load_text};
use crate::program::{each_expr, print};

const INPUT: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);\n";

/// The normal form for the first assertion; or why there is none.
fn form(text: &str) -> Result<Normal, String> {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let program = load_text("t.c", &format!("{INPUT}{text}"), &options).unwrap();
    normalise(&program, AssertionId(0)).map_err(|why| why.describe(&program))
}

/// The normal form as C.
#[track_caller]
fn normal(text: &str) -> String {
    print::to_c(&form(text).unwrap_or_else(|why| panic!("{why}\n{text}")).to_program(), &mut print::Plain)
}

/// How many loops count, and how many became arbitrary values.
#[track_caller]
fn loops(text: &str) -> (usize, usize) {
    let normal = form(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    (normal.parts.iter().filter(|p| matches!(p, NormalPart::Loop(_))).count(), normal.abstracted.len())
}

#[track_caller]
fn refused(text: &str, words: &str) {
    match form(text) {
        Ok(_) => panic!("there is a normal form\n{text}"),
        Err(why) => assert!(why.contains(words), "{why}\n{text}"),
    }
}

#[test]
fn loops_that_compare_and_add_count_and_others_become_arbitrary_values() {
    let head = "int main(void) { int n = __VERIFIER_nondet_int(); int x = 0; int i = 0;";
    let tail = "__VERIFIER_assert(x == 0); }";
    for counts in [
        "while (i < n) { x = i; i++; }",
        "while (1) { if (i >= n) break; x = i; i = i + 2; }",
        "for (i = n; i > 0; i--) x = 1;",
        "while (!(i >= n)) { i++; if (x) continue; x = 1; }",
    ] {
        assert_eq!(loops(&format!("{head} {counts} {tail}")), (1, 0), "{counts}");
    }
    for does_not in [
        "while (i != n) { x = 1; i++; }",
        "do { x = 1; i++; } while (i < n);",
        "while (i < n) { x = 1; if (x) i++; }",
        "while (i < n) { x = 1; n--; i++; }",
        "while (i < n) { if (x) continue; x = 1; i++; }",
    ] {
        assert_eq!(loops(&format!("{head} {does_not} {tail}")), (0, 1), "{does_not}");
    }
}

#[test]
fn an_unsigned_counter_counts_where_it_cannot_wrap_around() {
    let program = |head: &str| {
        format!(
            "int main(void) {{ unsigned n = __VERIFIER_nondet_int(); int x = 0; unsigned i;
               for ({head}) x = 1; __VERIFIER_assert(x == 0); }}"
        )
    };
    assert_eq!(loops(&program("i = 0; i < n; i++")), (1, 0));
    assert_eq!(loops(&program("i = 0; i <= n; i++")), (0, 1));
    assert_eq!(loops(&program("i = 0; i < n; i += 2")), (0, 1));
    assert_eq!(loops(&program("i = n; i >= 1; i--")), (0, 1));
}

#[test]
fn the_second_of_two_ways_out_has_a_test_of_its_own() {
    let normal = form(
        "int main(void) { int b = __VERIFIER_nondet_int(); int c = __VERIFIER_nondet_int(); int x = 0;
           for (int i = 0; i < 9; i++) { if (b) break; if (c) break; x = 1; } __VERIFIER_assert(x); }",
    )
    .unwrap();
    let Some(NormalPart::Loop(l)) = normal.parts.iter().find(|p| matches!(p, NormalPart::Loop(_))) else { panic!() };
    assert!(l.exit.is_some());
    // No statement beside the second `if` writes `x`: the flag is tested again.
    each_stmt(&l.body, &mut |s| {
        let StmtKind::If(_, then, _) = &s.kind else { return };
        let is_x = |s: &Stmt| matches!(&s.kind, StmtKind::Assign(l, e) if e.as_int() == Some(1) && matches!(l.as_var(), Some(v) if normal.program.variable(v).name == "x"));
        assert!(!then.iter().any(is_x) || then.len() == 1);
    });
}

#[test]
fn a_bound_under_a_condition_is_defined_where_the_condition_does_not_hold() {
    let bound = |bound: &str| {
        let normal = form(&format!(
            "int main(void) {{ int m = __VERIFIER_nondet_int(); int x = 0;
               if (m != 0) {{ for (int i = 0; i < {bound}; i++) x = 1; }} __VERIFIER_assert(x == 0 || m); }}"
        ))
        .unwrap();
        let Some(NormalPart::Loop(l)) = normal.parts.into_iter().find(|p| matches!(p, NormalPart::Loop(_))) else {
            panic!()
        };
        l.bound
    };
    assert!(matches!(bound("100 / m").kind, ExprKind::Conditional(..)));
    // 64 bits hold every sum of two values of 32.
    assert!(matches!(bound("m + 1").kind, ExprKind::Cast(_)));
    assert!(matches!(bound("m").kind, ExprKind::Load(_)));
}

#[test]
fn pointers_to_one_object_are_the_object() {
    let text = normal(
        "void fill(int *p, int v) { for (int i = 0; i < 9; i++) p[i] = v; }
         int a[9]; int b[9]; int main(void) { fill(a, 1); fill(b, 2); __VERIFIER_assert(a[0] == b[0]); }",
    );
    let body = text.split_once("int main(void)").map(|(_, body)| body).unwrap_or_default();
    assert!(body.contains("a[i] = 1") && body.contains("] = 2"), "{text}");
    assert!(!body.contains('*') && !body.contains('&'), "{text}");
}

#[test]
fn null_tests_are_decided_behind_the_assignment_only() {
    let decided = |body: &str| {
        let normal = form(&format!("static int *p; int a[9]; int main(void) {{ {body} }}")).unwrap();
        let mut tests = 0;
        each_stmt(&normal.to_program().functions[normal.program.entry.0 as usize].body.clone().unwrap(), &mut |s| {
            each_expr(s, &mut |e| tests += usize::from(matches!(e.ty, Type::Pointer(_))));
        });
        tests == 0
    };
    assert!(decided("p = a; __VERIFIER_assert(p != 0);"));
    assert!(!decided("int x = p != 0; p = a; p[0] = x; __VERIFIER_assert(a[0]);"));
    assert!(!decided("if (a[0]) p = a; __VERIFIER_assert(p != 0);"));
    assert!(!decided("if (a[0]) goto l; p = a; l: __VERIFIER_assert(p != 0);"));
}

#[test]
fn what_the_assertion_does_not_depend_on_is_left_out() {
    let text =
        "int main(void) { int x = 0; int y = 0; for (int i = 0; i < 9; i++) y = y + i; x = __VERIFIER_nondet_int();
                  __VERIFIER_assert(x); }";
    assert_eq!(loops(text), (0, 0));
}

#[test]
fn cells_named_by_constants_are_variables_and_others_are_not() {
    let text = normal("int main(void) { int t[3]; t[1] = __VERIFIER_nondet_int(); __VERIFIER_assert(t[1] == 2); }");
    assert!(!text.contains("t[1]"), "{text}");
    let text = normal(
        "int main(void) { int t[3]; int k = __VERIFIER_nondet_int(); t[1] = __VERIFIER_nondet_int();
           __VERIFIER_assert(t[k] == 2); }",
    );
    assert!(text.contains("t[1]"), "{text}");
}

#[test]
fn arrays_are_not_filled_with_arbitrary_values_unless_they_have_been_read() {
    let fill = "for (int i = 0; i < 99; i++) a[i] = __VERIFIER_nondet_int();";
    let check = "for (int i = 0; i < 99; i++) __VERIFIER_assert(a[i] == x);";
    let program = |first: &str| format!("int main(void) {{ int a[99]; int x = 0; {first} {fill} {check} }}");
    assert_eq!(loops(&program("")), (1, 0));
    assert_eq!(loops(&program("x = a[__VERIFIER_nondet_int() != 0];")), (2, 0));
    assert_eq!(loops(&program("a[3] = 1;")), (2, 0));
}

#[test]
fn what_has_no_normal_form_is_refused_by_name() {
    refused("int main(void) { int x = 1; l: x--; if (x) goto l; __VERIFIER_assert(x); }", "jumps backwards");
    refused("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { __VERIFIER_assert(f(3)); }", "inlined");
    refused(
        "int main(void) { for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) __VERIFIER_assert(i != j); }",
        "nested loop",
    );
}

#[test]
fn loops_count_up_where_the_order_does_not_matter() {
    let ups = |fill: &str| {
        let text = format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); int a[1000]; int b[1000]; int x = 0; int t;
               {fill}
               for (int i = 0; i < 1000; i++) __VERIFIER_assert(a[i] == b[i] + x); }}"
        );
        let steps = form(&text).unwrap().parts.into_iter().filter_map(|p| match p {
            NormalPart::Loop(l) => Some(l.step),
            NormalPart::Straight(_) => None,
        });
        steps.collect::<Vec<_>>()
    };
    assert_eq!(ups("for (int i = 999; i >= 0; i--) a[i] = b[i];"), [1, 1]);
    assert_eq!(ups("for (int i = n - 1; i > 0; i--) { t = a[i - 1]; if (t > 3) t = 3; b[i] = t; }"), [1, 1]);
    // Values that iterations hand on, share, or leave; a bound that may overflow.
    assert_eq!(ups("for (int i = 998; i >= 0; i--) a[i] = a[i + 1];"), [-1, 1]);
    assert_eq!(ups("for (int i = 999; i >= 0; i--) { x = b[i]; a[i] = x; }"), [-1, 1]);
    assert_eq!(
        ups("for (int i = 999; i >= 0; i--) { if (b[i] > 3) { if (b[i] > 5) t = 1; } else t = 2; a[i] = t; }"),
        [-1, 1]
    );
    assert_eq!(ups("for (int i = 999; i >= 0; i--) a[n] = b[i];"), [-1, 1]);
    assert_eq!(ups("for (int i = 999; i >= 0; i--) a[i % 7] = b[i];"), [-1, 1]);
    assert_eq!(ups("for (int i = n; i >= 0; i--) a[i] = b[i];"), [-1, 1]);
    assert_eq!(ups("for (int i = 999; i > n; i--) a[i] = b[i];"), [-1, 1]);
    assert_eq!(ups("for (int i = 999; i >= 0; i--) { if (b[i] == 3) break; a[i] = b[i]; }"), [-1, 1]);
}

#[test]
fn an_iteration_that_skips_its_rest_does_not_wait_for_the_one_before() {
    let text = "int main(void) { int a[100]; int b[100];
        for (int i = 0; i < 100; i++) { if (a[i] < 0) continue; if (a[i] > 10) continue; b[i] = 5; }
        for (int i = 0; i < 100; i++) __VERIFIER_assert(a[i] < 0 || a[i] > 10 || b[i] == 5); }";
    let normal = form(text).unwrap();
    let Some(NormalPart::Loop(l)) = normal.parts.iter().find(|p| matches!(p, NormalPart::Loop(_))) else {
        panic!("no loop")
    };
    let carried = Effects::of(&l.body).writes.into_iter().filter(|v| normal.program.variable(*v).ty.is_scalar());
    assert!(carried.into_iter().all(|v| writes_first(&l.body, v)));
}

#[test]
fn annotations_are_conditions_and_those_of_loops_are_left_out() {
    // A loop that writes a local alone, with an invariant and an assertion inside.
    let text = normal(
        "int f(int *a, int n) { int i = 0; /*@ assert i <= n; */
         //@ loop invariant 0 <= i;
         while (i < n) { /*@ assert a[i] == 0; */ i++; } return i; }
         int main(void) { int a[9], i = 0; //@ assume a[3] == 4;
         /*@ loop invariant \\forall int k; 0 <= k < i ==> a[k] == 1; */
         for (i = 0; i < 9; i++) a[i] = 1; f(a, i); }",
    );
    assert!(text.contains("assert"), "{text}");
    let more = "the assertion cannot be expressed as a C condition";
    refused(
        "int main(void) { int a[9]; for (int i = 0; i < 9; i++) { a[i] = 1; /*@ assert \\forall int k; 0 <= k <= i ==> a[k] == 1; */ } }",
        more,
    );
    refused(
        "int f(int); int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += f(i); __VERIFIER_assert(s != 1); }",
        "a call could not be inlined (t.c:2:",
    );
    refused(
        "void *realloc(void *, unsigned long); int main(void) { int *p = 0, i; for (i = 0; i < 9; i++) p = realloc(p, 9); __VERIFIER_assert(i == 9); }",
        "the contents of memory after this are not known",
    );
}

#[test]
fn assertions_in_functions_that_are_called_otherwise_are_not_followed() {
    let unfollowed = |text: &str| {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", &format!("{INPUT}{text}"), &options).unwrap();
        Inlined::new(&program).unfollowed().iter().map(|id| id.0).collect::<Vec<_>>()
    };
    let body = "int g; void f(void) { __VERIFIER_assert(g > 3); } ";
    assert_eq!(unfollowed(&format!("{body} int main(void) {{ f(); __VERIFIER_assert(g); return 0; }}")), [0; 0]);
    let pointer = "int main(void) { void (*p)(void) = f; p(); __VERIFIER_assert(g); return 0; }";
    assert_eq!(unfollowed(&format!("{body}{pointer}")), [0]);
    let recursion = "int f(int n) { __VERIFIER_assert(n > 3); return n > 0 ? f(n - 1) : 0; } \
                     int main(void) { f(10); __VERIFIER_assert(1); return 0; }";
    assert_eq!(unfollowed(recursion), [0]);
    let main = "int g; int main(void) { __VERIFIER_assert(g < 1); if (g++ < 3) main(); return 0; }";
    assert_eq!(unfollowed(main), [0]);
}

//! Which programs have closed forms that prove their assertion.

use super::super::normal::nest;
use super::{Poly, walked};
use crate::interpreter::{self, CellOrigin, Environment, Limits, Observer, Seen};
use crate::lower::{LowerOptions, load_text};
use crate::program::{AssertionId, InputId, Location, Stmt, StmtKind, Type, VarId};

fn proves(body: &str) -> bool {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void abort(void);
         int main(void) {{ int n = __VERIFIER_nondet_int(); if (n <= 0) abort(); int i; int j; {body} return 0; }}"
    );
    let program = load_text("t.c", &text, &options).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    super::prove(&nest(&program, AssertionId(0)).unwrap()).is_ok()
}

#[test]
fn what_grows_by_a_constant_has_a_closed_form() {
    assert!(proves("int s = 0; for (i = 0; i < n; i++) s = s + 2; __VERIFIER_assert(s == 2 * n);"));
    assert!(!proves("int s = 0; for (i = 0; i < n; i++) s = s + 2; __VERIFIER_assert(s == 2 * n + 1);"));
    assert!(!proves("int s = 0; for (i = 1; i < n; i++) s = s + 2; __VERIFIER_assert(s == 2 * n);"));
}

#[test]
fn figure_6_1_counters_and_products_are_accelerated_and_what_depends_on_cells_is_not() {
    assert!(proves("int k = 0; for (i = 0; i < n; i++) { k = k + i * 2; } __VERIFIER_assert(k == n * (n - 1));"));
    assert!(!proves("int a[n]; int f = 0; for (i = 0; i < n; i++) { f = f + a[i]; } __VERIFIER_assert(f == n);"));
}

#[test]
fn cells_are_what_their_iteration_wrote() {
    assert!(proves(
        "int a[n]; int s = 0; for (i = 0; i < n; i++) a[i] = i + 1; for (i = 0; i < n; i++) s = s + a[i];
         __VERIFIER_assert(2 * s == n * (n + 1));"
    ));
    assert!(proves(
        "int a[n]; for (i = 0; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) { if (a[i] == 1) a[i] = a[i] + 4; else a[i] = 0; }
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 5);"
    ));
    assert!(!proves(
        "int a[n]; for (i = 1; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 1);"
    ));
    assert!(!proves(
        "int a[n]; for (i = 0; i < n; i++) a[i] = 1; a[j] = 2; for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 1);"
    ));
}

#[test]
fn cells_that_follow_each_other_are_a_sum() {
    assert!(proves(
        "int a[n]; int b[n]; a[0] = 1; b[0] = 1; for (i = 1; i < n; i++) b[i] = b[i - 1] + 2;
         for (i = 1; i < n; i++) a[i] = a[i - 1] + b[i - 1] + 2;
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == (i + 1) * (i + 1));"
    ));
    assert!(proves(
        "int a[n]; for (i = 0; i < n; i++) { if (i == 0) a[0] = 6; else a[i] = a[i - 1] + 6; }
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == 6 * (i + 1));"
    ));
}

#[test]
fn the_first_iteration_may_be_another_than_the_others() {
    let sum = |right: &str| {
        format!(
            "int a[n]; int s; for (i = 0; i < n; i++) a[i] = 3;
             for (i = 0; i < n; i++) {{ if (i == 0) s = 0; else s = s + a[i]; }} __VERIFIER_assert({right});"
        )
    };
    assert!(proves(&sum("s == 3 * n - 3")));
    assert!(proves(&sum("s < 3 * n")));
    assert!(!proves(&sum("s == 3 * n")));
}

#[test]
fn nested_loops_are_accelerated_from_inside_out() {
    assert!(proves(
        "int s = 0; int a[n]; for (i = 0; i < n; i++) a[i] = 1;
         for (i = 0; i < n; i++) { for (j = 0; j < n; j++) s = s + a[i]; } __VERIFIER_assert(s == n * n);"
    ));
    assert!(proves(
        "int a[n]; int b[n]; for (i = 0; i < n; i++) b[i] = 0;
         for (i = 0; i < n; i++) for (j = 0; j < i; j++) b[j] = b[j] + a[j];
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == (n - i - 1) * a[i]);"
    ));
    assert!(!proves(
        "int a[n]; int b[n]; for (i = 0; i < n; i++) b[i] = 0;
         for (i = 0; i < n; i++) for (j = 0; j < i; j++) b[j] = b[j] + a[j];
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == (n - i) * a[i]);"
    ));
    assert!(proves(
        "int b[n]; for (i = 0; i < n; i++) b[i] = 1;
         for (i = 0; i < n; i++) for (j = i; j < n; j++) b[j] = b[j] + 1;
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == i + 2);"
    ));
    assert!(proves(
        "int b[n]; for (i = 0; i < n; i++) b[i] = 1;
         for (i = 0; i < n; i++) { for (j = i; j < n; j++) b[i] = b[i] + 1; }
         for (i = 0; i < n; i++) __VERIFIER_assert(b[i] == n - i + 1);"
    ));
}

#[test]
fn what_one_branch_assumes_is_not_known_behind_it() {
    let branch = |assumed: &str, assertion: &str| {
        format!(
            "int m = __VERIFIER_nondet_int(); int s = 0; int x = 0;
             if (__VERIFIER_nondet_int()) {{ x = 1; {assumed} }} for (i = 0; i < m; i++) s = s + 2;
             __VERIFIER_assert({assertion});"
        )
    };
    assert!(!proves(&branch("if (m <= 5) abort();", "m > 5 || x == 7")));
    assert!(!proves(&branch("if (m < 0) abort();", "s == 2 * m || x == 7")));
    assert!(!proves(&branch("int a[m]; a[0] = 3; x = a[0];", "m > 0 || x == 7")));
    assert!(proves(&branch("if (m <= 5) abort(); __VERIFIER_assert(m > 5); s = 1;", "1")));
    assert!(proves("int m = __VERIFIER_nondet_int(); if (m <= 5) abort(); __VERIFIER_assert(m > 5);"));
}

#[test]
fn a_write_through_a_pointer_is_not_overlooked() {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let text = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);
        int main(void) { int x = 1; int y = 2; int *p; if (__VERIFIER_nondet_int()) p = &x; else p = &y; *p = 3;
          __VERIFIER_assert(x == 1); return 0; }";
    let program = load_text("t.c", text, &options).unwrap();
    assert!(nest(&program, AssertionId(0)).and_then(|nest| super::prove(&nest)).is_err());
}

#[test]
fn an_input_in_a_loop_is_another_in_each_iteration() {
    assert!(!proves(
        "int s = 0; int t = 0; int x; for (i = 0; i < n; i++) { x = __VERIFIER_nondet_int(); s = s + x; t = x; }
         __VERIFIER_assert(s == n * t);"
    ));
    assert!(!proves(
        "int a[n]; for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
         for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == a[0]);"
    ));
}

#[test]
fn what_wraps_around_or_may_is_unknown() {
    assert!(!proves(
        "unsigned s = 0; for (i = 0; i < n; i++) s = s + 4000000000u; __VERIFIER_assert(s >= 0u && s / 2 != 7);"
    ));
    assert!(!proves("char c = 0; for (i = 0; i < n; i++) c = c + 1; __VERIFIER_assert(c == n);"));
}

#[test]
fn a_loop_that_may_not_run_leaves_what_was_there() {
    assert!(!proves("int s = 5; for (i = 1; i < n; i++) s = 7; __VERIFIER_assert(s == 7);"));
    assert!(proves("int s = 5; for (i = 0; i < n; i++) s = 7; __VERIFIER_assert(s == 7);"));
    assert!(!proves(
        "int s = 5; int m = __VERIFIER_nondet_int(); for (i = 0; i < m; i++) s = s + 1; __VERIFIER_assert(s == m + 5);"
    ));
}

/// A program whose variable `r` ends as something that `n` may determine.
fn random_program(r: &mut impl FnMut(usize) -> usize) -> String {
    let mut body = String::new();
    for _ in 0..1 + r(4) {
        let (c, d) = (r(4), r(3));
        let statement = match r(20) {
            0 => format!("a[i] = {c};"),
            1 => format!("a[i] = {c} * i + {d};"),
            2 => format!("a[i] = a[i] + {c};"),
            3 => "b[i] = a[i] + i;".to_owned(),
            4 => "s = s + a[i];".to_owned(),
            5 => format!("s = s + {c}; t = t + s;"),
            6 => "t = t + i * i;".to_owned(),
            7 => "if (i == 0) s = 1; else s = s + b[i];".to_owned(),
            8 => format!("for (j = 0; j < n; j++) s = s + {c};"),
            9 => format!("for (j = 0; j < i; j++) b[j] = b[j] + {c};"),
            10 => "for (j = i; j < n; j++) b[j] = b[j] + i;".to_owned(),
            11 => "b[i] = b[i] + s;".to_owned(),
            12 => format!("if (a[i] == {c}) s = s + 1; else t = t - 1;"),
            13 => "a[i] = s; s = s + 2;".to_owned(),
            14 => format!("for (j = 0; j <= i; j++) {{ t = t + j; a[j] = {c}; }}"),
            15 => "for (j = i; j < n; j++) a[j] = i;".to_owned(),
            16 => "s = t; t = t + 1;".to_owned(),
            17 => "for (j = 0; j < n; j++) b[j] = b[j] + a[i];".to_owned(),
            18 => format!("if (i < {c}) s = s + 1;"),
            _ => format!("for (j = {d}; j < n; j++) b[i] = b[i] + {c};"),
        };
        let head = if r(5) == 0 {
            let next = [
                "a[i] = a[i - 1] + 2;",
                "b[i] = b[i - 1] + a[i];",
                "a[i - 1] = a[i] + 1;",
                "a[i] = b[i - 1];",
                "b[i] = b[i - 1] + i; s = s + b[i - 1];",
            ];
            body += "a[0] = 3; b[0] = 1; ";
            body += &format!("for (i = 1; i < n; i++) {{ {} }} ", next[r(next.len())]);
            "for (i = 1; i < n; i++)"
        } else if r(6) == 0 {
            "for (i = 0; i <= n - 1; i++)"
        } else if r(6) == 0 {
            "for (i = 3; i < n; i++)"
        } else {
            "for (i = 0; i < n; i++)"
        };
        // What only some runs assume.
        let assumed =
            ["if (n < 3) abort(); ", "if (n > 4) { if (n < 6) abort(); } ", "if (n % 2) { if (n < 4) abort(); } "];
        if r(8) == 0 {
            body += assumed[r(assumed.len())];
        }
        body += &format!("{head} {{ {statement} }} ");
    }
    let result = ["s", "t", "a[0]", "a[n - 1]", "b[0]", "b[n - 1]", "s + t * b[0]"];
    format!(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void abort(void);
         int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1) abort(); int a[n]; int b[n]; int i; int j; int s = {};
           int t = {}; int r; for (i = 0; i < n; i++) {{ a[i] = {}; b[i] = i; }} {body} r = {};
           __VERIFIER_assert(r == n); return 0; }}",
        r(4),
        r(4),
        r(3),
        result[r(result.len())]
    )
}

/// Every input is this number.
struct Always(i128);

impl Environment for Always {
    fn input(&mut self, _input: InputId, _ty: &Type, _at: Location) -> i128 {
        self.0
    }
    fn arbitrary(&mut self, _origin: &CellOrigin<'_>, _ty: &Type) -> i128 {
        1234
    }
    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }
}

/// What a variable holds where an assertion stands.
struct Look(VarId, Option<i128>);

impl Observer for Look {
    fn at(&mut self, stmt: &Stmt, state: &interpreter::State<'_, '_>) {
        if let (StmtKind::Assert(..), Some(Seen::Int(value))) = (&stmt.kind, state.scalar(self.0)) {
            self.1 = Some(value);
        }
    }
}

#[test]
fn closed_forms_are_what_runs_compute() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (first, count) = (number("SMALTI_FUZZ_SEED", 0), number("SMALTI_FUZZ_COUNT", 400));
    let mut closed = 0;
    for seed in first..first + count {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % n
        };
        let text = random_program(&mut random);
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", &text, &options).unwrap();
        let nest = nest(&program, AssertionId(0)).unwrap();
        let walk = walked(&nest);
        let known = |name: &str| {
            let lives = walk.state.scalars.iter().filter(|(v, _)| nest.program.variable(**v).name == name);
            lives.max_by_key(|(v, _)| v.0).and_then(|(_, p)| p.clone())
        };
        let (Some(r), Some(n)) = (known("r"), known("n")) else { continue };
        let [atom] = n.atoms(&walk.atoms)[..] else { continue };
        closed += 1;
        let source = program.variables.iter().position(|v| v.name == "r").unwrap();
        for value in 1..7 {
            let expected = r.with(&walk.atoms, atom, &Poly::constant(value)).unwrap();
            let mut look = Look(VarId(source as u32), None);
            interpreter::run(&program, &mut Always(value), &mut look, &Limits::default());
            if look.1.is_some() {
                assert_eq!(expected.as_constant(), look.1, "seed {seed}, n = {value}: {r:?}\n{text}");
            }
        }
    }
    println!("{closed} of {count} have closed forms");
    assert!(closed * 4 > count, "{closed}");
}

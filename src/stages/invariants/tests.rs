//! Invariants of small programs: true ones that were found, and wrong ones in their place.

use super::*;
use crate::cbmc::testing::checker;
use crate::inline::Inlined;
use crate::lower::{LowerOptions, load_text};
use crate::program::{BinaryOp, Formula, Term, TermOp};

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n";

fn program(text: &str) -> Program {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    load_text("t.c", &format!("{PRELUDE}{text}"), &options).unwrap_or_else(|e| panic!("{}", e.message()))
}

fn claims(program: &Program) -> (Inlined, LoopClaims) {
    let inlined = inline(program);
    let config = AnalysisConfig { stack: Some("relation/partition/octagon".into()), ..AnalysisConfig::default() };
    let claims = analysis::loop_claims(program, &inlined, &config, AllowedNames::Reader).expect("the stack");
    (inlined, claims)
}

/// Changes the claims and checks them with the real CBMC; `None` if there is none.
fn checked(text: &str, change: impl Fn(&mut Formula)) -> Option<CheckedInvariants> {
    let cbmc = checker()?;
    let program = program(text);
    let (inlined, mut claims) = claims(&program);
    claims.at.values_mut().flat_map(|(_, formulas)| formulas).for_each(|(_, f)| change(f));
    Some(check_claims(&inlined.program, &claims, Ok(&cbmc), Instant::now() + Duration::from_secs(120)))
}

const FILL: &str = "int main(void) {
  int a[3], n = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= n && n <= 3);
  for (int i = 0; i < n; i++) a[i] = 7;
  return 0;
}";

#[test]
fn what_fills_an_array_is_inductive() {
    let Some(found) = checked(FILL, |_| {}) else { return };
    assert_eq!((found.loops.len(), found.wrong().count(), found.left_out.clone()), (1, 0, None));
    assert!(found.followed > 0);
    assert!(matches!(found.loops[0].induction, Induction::Holds(_)), "{found:?}");
}

#[test]
fn loops_behind_pointers_breaks_and_tests_at_the_end_are_looked_at_too() {
    let text = "static void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 7; }
      int main(void) {
        int a[3], k = 0, m = 3;
        fill(a, 3);
        while (k < 3) { if (a[k] != 7) break; k++; }
        do { m--; } while (m > 0);
        return 0;
      }";
    let Some(found) = checked(text, |_| {}) else { return };
    assert_eq!((found.loops.len(), found.wrong().count()), (3, 0));
    for l in &found.loops {
        assert!(matches!(l.induction, Induction::Holds(_)), "{found:?}");
    }
}

#[test]
fn what_needs_more_than_is_printed_is_not_inductive_and_not_wrong() {
    // No formula says that `y` is a multiple of 2, so `y != 7` is not inductive, but `y <= 8` is.
    let text = "int main(void) {
      int y = 0;
      while (__VERIFIER_nondet_int()) { if (y < 8) y = y + 2; }
      return 0;
    }";
    let seven = |f: &mut Formula| {
        let mut read = None;
        f.each_place(&mut |place| read = Some(Term::Read(Box::new(place.clone()))));
        if let Some(y) = read {
            *f = Formula::Compare(BinaryOp::NotEqual, y, Term::Int(7));
        }
    };
    let Some(found) = checked(text, seven) else { return };
    assert_eq!(found.wrong().count(), 0, "{found:?}");
    let Induction::Not { not_established, not_preserved } = &found.loops[0].induction else { panic!("{found:?}") };
    assert!(not_established.is_empty() && not_preserved.len() == 1, "{found:?}");
}

/// Extends the range of the formula by one cell.
fn longer(f: &mut Formula) {
    if let Formula::ForAll(q) = f {
        q.high = Term::Binary(TermOp::Add, Box::new(q.high.clone()), Box::new(Term::Int(1)));
    }
}

#[test]
fn a_wrong_formula_is_found_by_runs() {
    let Some(found) = checked(FILL, longer) else { return };
    assert_eq!(found.wrong().count(), 1, "{found:?}");
    let wrong = found.loops[0].wrong.clone().unwrap_or_default();
    assert!(wrong.starts_with("forall"), "{wrong}");
    let program = program(FILL);
    assert!(found.sentences(&program)[0].contains("bug of smalti"), "{:?}", found.sentences(&program));
}

#[test]
fn a_wrong_formula_that_only_a_model_checker_finds_is_found() {
    // No run with a few chosen inputs reaches the second iteration.
    let text = "int main(void) {
      int i = 0;
      while (i < 2) { __VERIFIER_assume(i != 1 || __VERIFIER_nondet_int() == 123456789); i++; }
      return 0;
    }";
    let less = |f: &mut Formula| {
        let mut read = None;
        f.each_place(&mut |place| read = Some(Term::Read(Box::new(place.clone()))));
        if let Some(i) = read {
            *f = Formula::Compare(BinaryOp::LessEqual, i, Term::Int(1));
        }
    };
    let Some(found) = checked(text, less) else { return };
    assert_eq!(found.wrong().count(), 1, "{found:?}");
}

#[test]
fn without_cbmc_runs_are_looked_at_and_the_rest_is_open() {
    let program = program(FILL);
    let (inlined, mut claims) = claims(&program);
    let until = || Instant::now() + Duration::from_secs(20);
    let found = check_claims(&inlined.program, &claims, Err("none here".into()), until());
    assert_eq!(found.left_out, Some(Reason::Missing("none here".into())));
    assert_eq!(found.loops[0].induction, Induction::Open(Reason::Missing("none here".into())));
    claims.at.values_mut().flat_map(|(_, formulas)| formulas).for_each(|(_, f)| longer(f));
    let found = check_claims(&inlined.program, &claims, Err("none here".into()), until());
    assert_eq!(found.wrong().count(), 1, "{found:?}");
}

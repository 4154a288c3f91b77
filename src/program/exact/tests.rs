//! Terms have the values of the expressions that runs compute.

use super::*;
use crate::fuzz::Random;
use crate::interpreter::{self, CellOrigin, Environment, Limits, Outcome};
use crate::lower::{LowerOptions, load_text};
use crate::program::{AssertionId, Claim, ClaimRole, Fold, InputId, Location, Stmt, StmtKind, Type};
use std::convert::Infallible;

const TYPES: [&str; 9] =
    ["int", "unsigned", "char", "unsigned char", "short", "unsigned short", "long", "unsigned long", "_Bool"];

/// Small numbers, and those at the ends of types.
struct Values(Random);

impl Environment for Values {
    fn input(&mut self, _: InputId, ty: &Type, _: Location) -> i128 {
        let Type::Int(kind) = ty else { return 0 };
        let near: i128 = *self.0.pick(&[0, 0, 0, 127, 128, 255, 32767, 65535, 1 << 31, 1 << 32, 1 << 63, -1]);
        let value = near + self.0.below(9) as i128 - 4;
        kind.wrap(value, DataModel::Lp64)
    }
    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        0
    }
    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        0
    }
}

fn expression(r: &mut Random, depth: usize) -> String {
    let leaf =
        |r: &mut Random| (*r.pick(&["v0", "v1", "v2", "v3", "t[1]", "p[v3 & 1]", "3", "7", "200", "1"])).to_owned();
    if depth == 0 {
        return leaf(r);
    }
    let a = expression(r, depth - 1);
    let b = if r.one_in(2) { leaf(r) } else { expression(r, depth - 1) };
    match r.below(14) {
        0..=6 => format!("({a} {} {b})", r.pick(&["+", "-", "*", "/", "%", "<", "==", ">=", "&&", "||"])),
        7 => format!("({a} >> {})", r.below(9)),
        8 => format!("({a} << {})", r.below(9)),
        9 => format!("({a} & {})", r.pick(&["1", "7", "255", "65535"])),
        10 => format!("({}{a})", r.pick(&["-", "~", "!"])),
        11 => format!("({a} ? {b} : v2)"),
        _ => format!("(({}){a})", r.pick(&TYPES)),
    }
}

/// Claims after each assignment to `r` that the term has its value.
struct Compared<'p> {
    program: &'p Program,
    checks: usize,
}

impl Fold for Compared<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Vec<Stmt>) -> Result<(), Infallible> {
        self.fold_inside(s, out)?;
        if let StmtKind::Assign(l, e) = &s.kind
            && l.as_var().is_some_and(|v| self.program.variable(v).name == "r")
            && let Some(value) = term_of(self.program, e)
        {
            self.checks += 1;
            let formula = Formula::Compare(BinaryOp::Equal, value, Term::of_variable(l.clone()));
            out.push(s.with(StmtKind::Claim(Box::new(Claim { formula, role: ClaimRole::Check(AssertionId(0)) }))));
        }
        Ok(())
    }
}

#[test]
fn terms_have_the_values_of_expressions() {
    let (mut compared, mut finished) = (0, 0);
    for seed in 0..300 {
        let mut r = Random::new(seed);
        let mut text = "extern int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);\n".to_owned();
        for ty in TYPES {
            text += &format!("extern {ty} __VERIFIER_nondet_{}(void);\n", name(ty));
        }
        text += "int main(void) {\n  int t[2] = {5, 9}; int *p = t;\n";
        for n in 0..4 {
            let ty = *r.pick(&TYPES);
            text += &format!("  {ty} v{n} = __VERIFIER_nondet_{}();\n", name(ty));
        }
        let depth = 1 + r.below(3);
        text += &format!("  {} r = {};\n", r.pick(&TYPES), expression(&mut r, depth));
        text += "  __VERIFIER_assert(1);\n}\n";
        let program = load_text("x.c", &text, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.message()));
        let mut with_checks = program.clone();
        let mut fold = Compared { program: &program, checks: 0 };
        let entry = program.entry.0 as usize;
        with_checks.functions[entry].body = program.functions[entry].body.as_ref().map(|body| fold.rebuilt(body));
        compared += fold.checks;
        for run in 0..12 {
            let mut values = Values(Random::new(1000 * seed + run));
            let outcome = interpreter::run(&with_checks, &mut values, &mut (), &Limits::default()).outcome;
            assert!(!matches!(outcome, Outcome::AssertionFailed(_)), "seed {seed}, run {run}: {outcome:?}\n{text}");
            finished += usize::from(outcome == Outcome::Finished);
        }
    }
    assert!(compared > 150, "{compared} expressions have terms");
    assert!(finished > 1000, "{finished} runs came to the end");
}

fn name(ty: &str) -> String {
    match ty {
        "_Bool" => "bool".to_owned(),
        "unsigned" => "uint".to_owned(),
        _ => ty.replace("unsigned ", "u").replace(' ', "_"),
    }
}

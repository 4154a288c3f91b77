//! The checks of operations as claims, so that they are decided like assertions.
//!
//! A claim stands before the statement that contains the operation. For the condition of a loop it
//! stands wherever the condition is about to be evaluated.
//!
//! **Why a proof of the claim is one of the check.** Take the first undefined operation of a run.
//! All operations before it are defined, so what the conditions know of runs without undefined
//! behaviour is true of the run up to the claim before that operation. A claim that follows from it
//! is true: the operation is defined. Within a statement, a claim relies on the checks that come
//! before its own in the order of evaluation and are reported. Those that no formula expresses are
//! left out, and so are the conditions under which the operation is evaluated. The claim then says
//! more.

use crate::inline::Inlined;
use crate::program::exact::{address_of, formula_of, is_value_of, term_of, unbounded};
use crate::program::{
    AssertionId, BinaryOp, Block, Check, CheckCondition, Claim, ClaimRole, Expr, ExprKind, Fold, Formula, IntKind,
    Length, LengthOperand, Loop, LoopKind, Lvalue, Memory, ObligationKey, Program, Range, Stmt, StmtKind, Term, Type,
    UnaryOp, checks_of, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// A program that claims checks of operations.
pub struct Claimed {
    /// The program.
    pub program: Program,
    /// The checks that it claims wherever their operations run.
    pub checks: BTreeMap<ObligationKey, AssertionId>,
}

/// The program with claims for those of the wanted checks that formulas express.
pub fn with_claims(inlined: &Inlined, wanted: &BTreeSet<ObligationKey>) -> Claimed {
    let source = &inlined.program;
    let mut wanted = wanted.clone();
    for body in inlined.called_opaquely.iter().filter_map(|f| source.function(*f).body.as_ref()) {
        // These statements also run in ways that are not followed.
        each_stmt(body, &mut |s| wanted.retain(|key| !matches!(key, ObligationKey::Check(site, _) if *site == s.site)));
    }
    let mut program = source.clone();
    let Some(body) = &source.function(source.entry).body else { return Claimed { program, checks: BTreeMap::new() } };
    let mut claims = Claims { inlined, wanted, checks: BTreeMap::new(), program: &mut program, lost: BTreeSet::new() };
    let body = claims.rebuilt(body);
    let Claims { mut checks, lost, .. } = claims;
    checks.retain(|key, _| !lost.contains(key));
    program.functions[source.entry.0 as usize].body = Some(body);
    Claimed { program, checks }
}

struct Claims<'p> {
    inlined: &'p Inlined,
    wanted: BTreeSet<ObligationKey>,
    checks: BTreeMap<ObligationKey, AssertionId>,
    /// Where the assertions are added.
    program: &'p mut Program,
    /// The checks that somewhere have no formula.
    lost: BTreeSet<ObligationKey>,
}

impl Fold for Claims<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let claims = self.claims_of(s);
        let StmtKind::Loop(l) = &s.kind else {
            out.extend(claims);
            return self.fold_inside(s, out);
        };
        let mut inside: Loop = self.fold_loop(l)?;
        inside.step.extend(claims.clone());
        if l.kind != LoopKind::DoWhile {
            out.extend(claims);
        }
        out.push(s.with(StmtKind::Loop(Box::new(inside))));
        Ok(())
    }
}

impl Claims<'_> {
    fn claims_of(&mut self, s: &Stmt) -> Block {
        let inlined = self.inlined;
        let (source, offset) = (&inlined.program, inlined.check_offset(s));
        let checks = checks_of(source, s);
        let key = |n: usize| ObligationKey::Check(s.site, offset + n as u32);
        let mut claims = Block::new();
        let Some(last) = (0..checks.len()).rev().find(|n| self.wanted.contains(&key(*n))) else { return claims };
        let mut passed: Vec<Formula> = Vec::new();
        for (n, check) in checks.iter().enumerate().take(last + 1) {
            let formula = condition(source, check).map(|condition| implied(guards(source, check), condition));
            match formula {
                Some(formula) if self.wanted.contains(&key(n)) => {
                    let program = &mut self.program;
                    let id = *self.checks.entry(key(n)).or_insert_with(|| program.add_check(check.location));
                    let claim = Claim { formula: implied(passed.clone(), formula.clone()), role: ClaimRole::Check(id) };
                    claims.push(s.with(StmtKind::Claim(Box::new(claim))));
                    passed.push(formula);
                }
                Some(formula) if check.is_reported() => passed.push(formula),
                Some(_) => {}
                None => {
                    self.lost.insert(key(n));
                }
            }
        }
        claims
    }
}

/// The conditions under which an operation is evaluated, as far as formulas express them.
fn guards(program: &Program, check: &Check<'_>) -> Vec<Formula> {
    let guards = check.guards.iter().filter_map(|guard| {
        let condition = formula_of(program, guard.condition)?;
        Some(if guard.holds { condition } else { Formula::Not(Box::new(condition)) })
    });
    guards.collect()
}

/// The condition under which an operation is defined (C11 6.5); `None` if there is no formula for
/// it.
fn condition(program: &Program, check: &Check<'_>) -> Option<Formula> {
    let term = |e: &Expr| term_of(program, e);
    let length_of = |v, at| Term::of_variable(Lvalue::var(program, v, at));
    match check.condition {
        CheckCondition::Index { index, length } => {
            let length = match length {
                Length::Constant(n) => Term::Int(n.into()),
                Length::Variable(v) => length_of(v, check.location),
                Length::Unknown => return None,
            };
            let index = term(index)?;
            Some(Formula::and(Formula::at_most(Term::Int(0), index.clone()), Formula::less(index, length)))
        }
        CheckCondition::Dereference { pointer } => {
            let (pointer, first) = address_of(program, pointer).unwrap_or_else(|| (pointer.clone(), None));
            let range = Range { pointer, first: first.unwrap_or(Term::Int(0)), count: Term::Int(1) };
            Some(Formula::Memory(Box::new(Memory::Valid(range))))
        }
        CheckCondition::NoOverflow { operation } => fits(program, operation),
        CheckCondition::NonZero { divisor } => Some(differs(term(divisor)?, 0)),
        CheckCondition::Shift { operation } => shifts(program, operation),
        CheckCondition::ArrayLength { length, least } => {
            let length = match length {
                LengthOperand::Variable(v) => length_of(v, check.location),
                LengthOperand::Count(count) => term(count)?,
            };
            Some(Formula::at_most(Term::Int(least), length))
        }
        CheckCondition::PointerArithmetic { .. }
        | CheckCondition::Room { .. }
        | CheckCondition::Apart { .. }
        | CheckCondition::Alive { .. }
        | CheckCondition::Callable { .. }
        | CheckCondition::Written { .. }
        | CheckCondition::Freeable { .. } => None,
    }
}

/// That the result of a signed operation is a value of its type.
fn fits(program: &Program, operation: &Expr) -> Option<Formula> {
    let kind = operation.ty.as_int()?;
    match &operation.kind {
        // Only the least value divided by -1 does not fit, and its remainder is undefined too.
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
            let least = kind.min(program.data_model);
            let (a, b) = (term_of(program, a)?, term_of(program, b)?);
            Some(Formula::or(differs(a, least), differs(b, -1)))
        }
        ExprKind::Unary(UnaryOp::Negate, _) | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => {
            Some(is_value_of(&unbounded(program, operation)?, kind, program.data_model))
        }
        _ => None,
    }
}

/// That a shift is by less than the width, and to the left only what stays a value of a signed type
/// (C11 6.5.7).
fn shifts(program: &Program, operation: &Expr) -> Option<Formula> {
    let (ExprKind::Binary(op, a, b), Type::Int(kind)) = (&operation.kind, &operation.ty) else { return None };
    let (value, places) = (term_of(program, a)?, term_of(program, b)?);
    let width = i128::from(kind.width(program.data_model));
    let is_below = Formula::less(places.clone(), Term::Int(width));
    let places_fit = Formula::and(Formula::at_most(Term::Int(0), places.clone()), is_below);
    if *op != BinaryOp::ShiftLeft || !kind.is_signed() {
        return Some(places_fit);
    }
    let places = places.as_int().filter(|n| (0..width).contains(n))?;
    let greatest = IntKind::max(*kind, program.data_model) >> places;
    Some(Formula::and(Formula::at_most(Term::Int(0), value.clone()), Formula::at_most(value, Term::Int(greatest))))
}

fn implied(given: Vec<Formula>, formula: Formula) -> Formula {
    match given.into_iter().reduce(Formula::and) {
        Some(given) => Formula::Implies(Box::new(given), Box::new(formula)),
        None => formula,
    }
}

fn differs(a: Term, n: i128) -> Formula {
    Formula::Compare(BinaryOp::NotEqual, a, Term::Int(n))
}

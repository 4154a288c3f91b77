//! The conjuncts (parts) of a condition, each with what is known before it.

use super::super::evaluate::{Evaluator, relation};
use super::super::formulas::Bindings;
use crate::program::{BinaryOp, Expr, ExprKind, ForAll, Formula, Program, Term, Type, UnaryOp, print};
use smalti_core::{Constraint, LinearExpr, Memory};

/// A part: if everything before it holds, its claim must hold.
pub(super) struct Conjunct<'p> {
    pub(super) before: Vec<Before<'p>>,
    /// Which of the conditions before it are parts themselves or consist of parts. These hold if
    /// all parts hold.
    pub(super) conjuncts: Vec<bool>,
    pub(super) claim: Claim<'p>,
}

/// What is known before a part.
#[derive(Clone)]
pub(super) enum Before<'p> {
    /// A condition of C is not 0, or is.
    Condition(&'p Expr, bool),
    /// A formula is true, or false.
    Formula(&'p Formula, bool),
    /// A quantified variable has some value of its range.
    Range(&'p ForAll),
}

/// What must hold.
#[derive(Clone, Copy)]
pub(super) enum Claim<'p> {
    /// The comparison of two integers has that truth value.
    Compare(BinaryOp, &'p Expr, &'p Expr, bool),
    /// The same in a specification.
    Terms(BinaryOp, &'p Term, &'p Term, bool),
    /// The expression is not 0, or is.
    Truth(&'p Expr, bool),
    /// The formula has that truth value.
    Whole(&'p Formula, bool),
}

/// The parts of a condition of C.
pub(super) fn of_condition(condition: &Expr) -> Vec<Conjunct<'_>> {
    let mut found = Vec::new();
    condition_parts(condition, true, &mut Vec::new(), &mut found);
    found
}

/// The parts of a specification.
pub(super) fn of_formula(formula: &Formula) -> Vec<Conjunct<'_>> {
    let mut found = Vec::new();
    formula_parts(formula, true, &mut Vec::new(), &mut found);
    found
}

fn condition_parts<'p>(e: &'p Expr, holds: bool, before: &mut Vec<(Before<'p>, bool)>, found: &mut Vec<Conjunct<'p>>) {
    let depth = before.len();
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => condition_parts(a, !holds, before, found),
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            // `a && b` holds if a holds, and b holds where a holds. `a || b` holds if b holds where
            // a does not. Negation exchanges the two.
            let is_and = matches!(e.kind, ExprKind::And(..));
            if is_and == holds {
                condition_parts(a, holds, before, found);
                before.push((Before::Condition(a, holds), true));
            } else {
                before.push((Before::Condition(a, !holds), false));
            }
            condition_parts(b, holds, before, found);
        }
        ExprKind::Cast(a) if is_truth(a.without_integer_casts()) => {
            condition_parts(a.without_integer_casts(), holds, before, found)
        }
        ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b)
            if b.as_int() == Some(0) && is_truth(a.without_integer_casts()) =>
        {
            condition_parts(a.without_integer_casts(), holds == (*op == BinaryOp::NotEqual), before, found);
        }
        ExprKind::Binary(op, a, b) if op.is_comparison() && a.ty.as_int().is_some() && b.ty.as_int().is_some() => {
            found.push(Conjunct::new(before, Claim::Compare(*op, a, b, holds)));
        }
        _ => found.push(Conjunct::new(before, Claim::Truth(e, holds))),
    }
    before.truncate(depth);
}

/// Whether its value is a truth value: 0 or 1, for whether something holds.
fn is_truth(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..))
        || matches!(&e.kind, ExprKind::Binary(op, ..) if op.is_comparison())
}

fn formula_parts<'p>(f: &'p Formula, holds: bool, before: &mut Vec<(Before<'p>, bool)>, found: &mut Vec<Conjunct<'p>>) {
    let depth = before.len();
    match (f, holds) {
        (Formula::Not(a), _) => formula_parts(a, !holds, before, found),
        (Formula::And(a, b), true) | (Formula::Or(a, b), false) => {
            formula_parts(a, holds, before, found);
            before.push((Before::Formula(a, holds), true));
            formula_parts(b, holds, before, found);
        }
        (Formula::And(a, b), false) | (Formula::Or(a, b), true) => {
            before.push((Before::Formula(a, !holds), false));
            formula_parts(b, holds, before, found);
        }
        (Formula::Implies(a, b), true) => {
            before.push((Before::Formula(a, true), false));
            formula_parts(b, true, before, found);
        }
        (Formula::ForAll(q), true) => {
            before.push((Before::Range(q), false));
            formula_parts(&q.body, true, before, found);
        }
        (Formula::Compare(op, a, b), _) => {
            found.push(Conjunct::new(before, Claim::Terms(*op, a, b, holds)));
        }
        _ => found.push(Conjunct::new(before, Claim::Whole(f, holds))),
    }
    before.truncate(depth);
}

impl<'p> Conjunct<'p> {
    fn new(before: &[(Before<'p>, bool)], claim: Claim<'p>) -> Conjunct<'p> {
        let (before, conjuncts) = before.iter().cloned().unzip();
        Conjunct { before, conjuncts, claim }
    }

    /// The claim in the language that it comes from.
    pub(super) fn text(&self, program: &Program) -> String {
        match self.claim {
            Claim::Compare(op, a, b, holds) => {
                let op = asserted(op, holds);
                format!("{} {} {}", side(program, a), op.c_name(), side(program, b))
            }
            Claim::Terms(op, a, b, holds) => {
                let op = asserted(op, holds);
                spelled(program, &Formula::Compare(op, a.clone(), b.clone()), &self.ranges())
            }
            Claim::Truth(e, holds) => format!("{} {} 0", print::expr(program, e), if holds { "!=" } else { "==" }),
            Claim::Whole(f, true) => spelled(program, f, &self.ranges()),
            Claim::Whole(f, false) => spelled(program, &Formula::Not(Box::new(f.clone())), &self.ranges()),
        }
    }

    /// The quantifiers around it, outer before inner.
    fn ranges(&self) -> Vec<&ForAll> {
        let ranges = self.before.iter().filter_map(|b| match b {
            Before::Range(q) => Some(*q),
            _ => None,
        });
        ranges.collect()
    }

    /// The conditions before it that are not known anyway, as text.
    pub(super) fn context(&self, program: &Program, known: &[bool]) -> Option<String> {
        let ranges = self.ranges();
        // Guards that only state a range of a quantified variable add nothing.
        let repeats = |b: &Before<'_>| matches!(b, Before::Formula(f, true) if ranges.iter().any(|q| repeats(q, f)));
        let unknown = self.before.iter().zip(known).filter(|(b, known)| !**known && !repeats(b));
        let text = |b: &Before<'_>| match b {
            Before::Condition(e, holds) => not(print::expr(program, e), *holds),
            Before::Formula(f, holds) => not(spelled(program, f, &ranges), *holds),
            Before::Range(q) => range(program, q),
        };
        let texts: Vec<String> = unknown.map(|(b, _)| text(b)).collect();
        (!texts.is_empty()).then(|| texts.join(" && "))
    }

    /// Evaluates what stands before the claim, then its two sides. Returns what must hold then, if
    /// that is a constraint. Cells that were read are in `reads`.
    pub(super) fn evaluate<M: Memory>(&self, x: &mut Evaluator<'_, M>) -> Option<Constraint> {
        let mut bound = Bindings::new();
        for b in &self.before {
            match b {
                Before::Condition(e, holds) => x.condition(e, *holds),
                Before::Formula(f, holds) => x.formula(f, *holds, &mut bound),
                Before::Range(q) => {
                    x.choose(q, &mut bound);
                }
            }
        }
        x.reads.clear();
        match self.claim {
            Claim::Compare(op, a, b, holds) => {
                let (a, b) = (x.int(a), x.int(b));
                relation(op, &a, &b, holds)
            }
            Claim::Terms(op, a, b, holds) => {
                let (a, b) = (x.term(a, &bound), x.term(b, &bound));
                relation(op, &a, &b, holds)
            }
            Claim::Truth(e, holds) if matches!(e.ty, Type::Int(_)) => {
                let (v, zero) = (x.int(e), LinearExpr::constant(0));
                if holds { Constraint::ne(&v, &zero) } else { Constraint::eq(&v, &zero) }
            }
            Claim::Truth(..) | Claim::Whole(..) => None,
        }
    }

    /// Keeps only the runs in which the claim is false. Used if [`Conjunct::evaluate`] has no
    /// constraint for it.
    pub(super) fn refute<M: Memory>(&self, x: &mut Evaluator<'_, M>) {
        match self.claim {
            Claim::Truth(e, holds) => x.condition(e, !holds),
            Claim::Whole(f, holds) => x.claim(f, !holds),
            Claim::Compare(..) | Claim::Terms(..) => {}
        }
    }
}

/// A formula in which quantified variables have their names.
fn spelled(program: &Program, f: &Formula, ranges: &[&ForAll]) -> String {
    let [q] = ranges else { return print::formula(program, f) };
    let whole = Formula::ForAll(Box::new(ForAll { body: f.clone(), ..(*q).clone() }));
    let text = print::formula(program, &whole);
    text.split_once(" ==> ").map_or(text.as_str(), |(_, body)| body).to_owned()
}

/// Whether the formula only says that the variable lies in its range.
fn repeats(q: &ForAll, f: &Formula) -> bool {
    let bound = Term::Bound(q.bound);
    match f {
        Formula::And(a, b) => repeats(q, a) && repeats(q, b),
        Formula::Compare(BinaryOp::LessEqual, a, b) => *a == q.low && *b == bound,
        Formula::Compare(BinaryOp::Less, a, b) => *a == bound && *b == q.high,
        _ => false,
    }
}

/// The range of a quantified variable.
fn range(program: &Program, q: &ForAll) -> String {
    let whole =
        print::formula(program, &Formula::ForAll(Box::new(ForAll { body: Formula::Constant(true), ..q.clone() })));
    let text = whole.split_once("; ").map_or(whole.as_str(), |(_, rest)| rest);
    text.strip_suffix(" ==> \\true").unwrap_or(text).to_owned()
}

fn not(text: String, holds: bool) -> String {
    if holds { text } else { format!("!({text})") }
}

/// The text of one side of a comparison, without the conversions that C adds.
fn side(program: &Program, e: &Expr) -> String {
    print::expr(program, e.without_integer_casts())
}

/// The comparison that holds exactly if `op` holds (`holds`) or does not.
pub(super) fn asserted(op: BinaryOp, holds: bool) -> BinaryOp {
    if holds { op } else { op.negated().unwrap_or(op) }
}

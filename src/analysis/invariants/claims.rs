//! The invariants of loops as claims of the program. They can then be checked by other means than
//! domains.
//!
//! **Limits.** The distance between a pointer and the first element, and the length of what a
//! pointer points into, are not terms of the program. Formulas with them are left out.

use super::formula::{Atom, Atoms, Cells, Formula, PathStep};
use super::{AllowedNames, AnalysisConfig, Error, Solved, find};
use crate::annotate::scopes::Scope;
use crate::facts;
use crate::inline::Inlined;
use crate::program::{
    self, BinaryOp, BoundId, Expr, ForAll, FunctionId, Length, Location, Lvalue, Program, Root, Term, TermLvalue,
    TermOp, TermStep, Type,
};
use smalti_core::{Constraint, LinearExpr, Relation};
use std::collections::HashMap;

/// The largest factor of a term, so that its sums are computed exactly.
const LARGEST: i128 = 1 << 40;
const MOST_TERMS: usize = 64;

/// The invariants of the loops of a program.
#[derive(Clone, Debug, Default)]
pub struct LoopClaims {
    /// The loops that have claims, in the order of the source.
    pub loops: Vec<LoopInvariant>,
    /// For each loop statement of the inlined program: the loop that it is a copy of, and the
    /// claims of the copy. A claim is the number of a formula of the loop, and the formula about
    /// the variables of the copy. The claim holds whenever the loop's condition is about to be
    /// tested (for `do`, when its body is about to begin).
    pub at: HashMap<program::StmtId, (usize, Vec<(usize, program::Formula)>)>,
}

/// The claims of one loop.
#[derive(Clone, Debug)]
pub struct LoopInvariant {
    /// Where it stands.
    pub location: Location,
    /// The function that it belongs to.
    pub function: FunctionId,
    /// The formulas as printed text.
    pub texts: Vec<String>,
}

/// Finds the invariants of the loops of `source`, as claims about `inlined`.
///
/// # Errors
/// The stack is not available.
pub fn loop_claims(
    source: &Program,
    inlined: &Inlined,
    config: &AnalysisConfig,
    names: AllowedNames,
) -> Result<LoopClaims, Error> {
    let solved = Solved::keeping(inlined, config, Some(source), None)?;
    let mut claims = LoopClaims::default();
    for (place, found) in find(&solved, source, inlined, config, names, &mut |_| ()) {
        if place.head_of.is_none() {
            continue;
        }
        let number = claims.loops.len();
        let mut texts: Vec<String> =
            found.formulas.iter().map(|f| facts::texts(&f.facts(&found.atoms, "k"), " && ")).collect();
        if found.unreachable {
            texts = vec!["no run reaches this point".to_owned()];
        }
        for (statement, scope) in &place.at {
            let maker = Maker { program: &inlined.program, atoms: &found.atoms, scope, at: found.location };
            let of_copy = match found.unreachable {
                true => vec![(0, program::Formula::Constant(false))],
                false => (0..).zip(&found.formulas).filter_map(|(n, f)| Some((n, maker.formula(f)?))).collect(),
            };
            claims.at.insert(*statement, (number, of_copy));
        }
        claims.loops.push(LoopInvariant { location: found.location, function: found.function, texts });
    }
    Ok(claims)
}

/// Turns formulas into claims, with the names of one copy of a loop.
struct Maker<'a> {
    program: &'a Program,
    atoms: &'a Atoms,
    scope: &'a Scope,
    at: Location,
}

const INDEX: BoundId = BoundId(0);

impl Maker<'_> {
    fn formula(&self, formula: &Formula) -> Option<program::Formula> {
        let mut body = program::Formula::Constant(true);
        for (n, c) in formula.body.iter().enumerate() {
            let one = self.constraint(c)?;
            body = if n == 0 { one } else { program::Formula::And(Box::new(body), Box::new(one)) };
        }
        let Some(range) = &formula.range else { return Some(body) };
        let (low, high) = (self.sum(&range.low)?, self.sum(&range.high)?);
        Some(program::Formula::ForAll(Box::new(ForAll { bound: INDEX, name: "k".into(), low, high, body })))
    }

    fn constraint(&self, c: &Constraint) -> Option<program::Formula> {
        let op = match c.relation {
            Relation::NonNegative => BinaryOp::GreaterEqual,
            Relation::Zero => BinaryOp::Equal,
            Relation::NonZero => BinaryOp::NotEqual,
        };
        Some(program::Formula::Compare(op, self.sum(&c.expr)?, Term::Int(0)))
    }

    fn sum(&self, e: &LinearExpr) -> Option<Term> {
        let small = |n: i128| n.unsigned_abs() <= LARGEST.unsigned_abs();
        i64::try_from(e.constant_part()).ok()?;
        if e.terms().iter().any(|(_, c)| !small(*c)) || e.terms().len() > MOST_TERMS {
            return None;
        }
        let mut sum = Term::Int(e.constant_part());
        for (v, c) in e.terms() {
            let value = self.atom(self.atoms.atom(*v)?)?;
            let term = match c {
                1 => value,
                c => Term::binary(TermOp::Mul, Term::Int(*c), value),
            };
            sum = Term::binary(TermOp::Add, sum, term);
        }
        Some(sum)
    }

    fn atom(&self, atom: &Atom) -> Option<Term> {
        match atom {
            Atom::Index => Some(Term::Bound(INDEX)),
            Atom::Value { variable, members } => {
                let v = *self.scope.names.get(variable)?;
                let root = Root::Variable(Lvalue::var(self.program, v, self.at));
                self.read(root, Vec::new(), &self.program.variable(v).ty, members)
            }
            Atom::Cell(cells, members) => self.cell(cells, members),
            Atom::Length(cells) => {
                let [PathStep::Subscript { .. }] = cells.path[..] else { return None };
                match &self.program.variable(*self.scope.names.get(&cells.variable)?).ty {
                    Type::Array(_, Length::Constant(n)) => Some(Term::Int((*n).into())),
                    Type::Array(_, Length::Variable(n)) => {
                        let root = Root::Variable(Lvalue::var(self.program, *n, self.at));
                        self.read(root, Vec::new(), &self.program.variable(*n).ty, &[])
                    }
                    _ => None,
                }
            }
            Atom::Offset { .. } | Atom::Result => None,
        }
    }

    fn cell(&self, cells: &Cells, members: &[String]) -> Option<Term> {
        let v = *self.scope.names.get(&cells.variable)?;
        let variable = Lvalue::var(self.program, v, self.at);
        let mut ty = &self.program.variable(v).ty;
        let mut path = &cells.path[..];
        let mut steps = Vec::new();
        let root = match ty {
            Type::Pointer(to) => {
                let [PathStep::Subscript { cells, length }, rest @ ..] = path else { return None };
                (ty, path) = (to, rest);
                Root::Pointer { pointer: Expr::load(variable), offset: Some(number(*cells, *length)) }
            }
            _ => Root::Variable(variable),
        };
        for step in path {
            match (step, ty) {
                (PathStep::Subscript { cells, length }, Type::Array(element, _)) => {
                    steps.push(TermStep::Index(number(*cells, *length)));
                    ty = element;
                }
                (PathStep::Subscript { .. }, _) => return None,
                (PathStep::Member(m), _) => ty = self.member(ty, m, &mut steps)?,
            }
        }
        self.read(root, steps, ty, members)
    }

    fn member<'t>(&'t self, ty: &Type, name: &str, steps: &mut Vec<TermStep>) -> Option<&'t Type> {
        let Type::Struct(id) = ty else { return None };
        let members = &self.program.structure(*id).members;
        let n = members.iter().position(|m| m.name == *name)?;
        steps.push(TermStep::Field(*id, u32::try_from(n).ok()?));
        Some(&members[n].ty)
    }

    fn read(&self, root: Root, mut steps: Vec<TermStep>, ty: &Type, members: &[String]) -> Option<Term> {
        let mut ty = ty;
        for m in members {
            ty = self.member(ty, m, &mut steps)?;
        }
        let ty = matches!(ty, Type::Int(_)).then(|| ty.clone())?;
        Some(Term::Read(Box::new(TermLvalue { root, steps, ty, location: self.at })))
    }
}

/// The subscript of one dimension, from the number of the cell.
fn number(cells: u64, length: Option<u64>) -> Term {
    let quotient = match cells.max(1) {
        1 => Term::Bound(INDEX),
        n => Term::binary(TermOp::Div, Term::Bound(INDEX), Term::Int(n.into())),
    };
    match length {
        None => quotient,
        Some(l) => Term::binary(TermOp::Rem, quotient, Term::Int(l.max(1).into())),
    }
}

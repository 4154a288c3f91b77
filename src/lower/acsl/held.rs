//! Copies of what lies in memory, for annotations about what may be written: they are about the
//! moment where the function begins, or the loop.

use super::frames::{Allowed, AllowedStep, Indexes};
use super::members::{PointerPath, lvalue_of};
use super::resolve::span;
use super::syntax::Node;
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{Base, Expr, Lvalue, Root, Step, Term, TermLvalue, TermOp, TermStep, Type, VarId};

impl Lowerer<'_> {
    /// The variable that holds the pointer: the one that is listed, or a copy of it that is made
    /// here.
    pub(super) fn held_pointer(&mut self, listed: &Allowed, node: &Node) -> Lowered<VarId> {
        if listed.behind.is_none() && listed.steps.is_empty() {
            return Ok(listed.variable);
        }
        let path = self.listed_place(listed, node).and_then(|l| PointerPath::of_expr(&Expr::load(l)));
        let copy = match path {
            Some(path) if self.can_be_read(&self.at_start(path.clone())) => self.copy_of(&path, node),
            _ => None,
        };
        match copy {
            Some(copy) => Ok(copy),
            None => self.unsupported(span(node), "it is not known that the pointer to this can be read"),
        }
    }

    /// The pointers that lead to at least one object where the function begins.
    pub(super) fn leading_singles(&self) -> Vec<PointerPath> {
        let some = self.leading().filter(|(_, count)| matches!(count, Term::Int(n) if *n > 0));
        some.map(|(path, _)| path.clone()).collect()
    }

    /// Whether the contract says that all elements behind a parameter from one index to another
    /// exist where the function begins.
    pub(super) fn is_valid_here(&self, parameter: VarId, indexes: &Indexes) -> bool {
        let Some((low, high)) = indexes else { return false };
        let mut counts = self.leading().filter(|(path, _)| path.is_variable(parameter)).map(|(_, count)| count);
        *low == Term::Int(0)
            && counts.any(|count| match (high, count) {
                (Term::Int(last), Term::Int(count)) => last < count,
                (Term::Binary(TermOp::Sub, n, one), count) => **one == Term::Int(1) && n.is_same(count),
                _ => false,
            })
    }

    /// The place in memory of a single object.
    fn listed_place(&self, listed: &Allowed, node: &Node) -> Option<Lvalue> {
        let mut l = Lvalue::var(&self.program, listed.variable, self.at(span(node)));
        match &listed.behind {
            None => {}
            Some(Some((Term::Int(0), Term::Int(0)))) => {
                let to = l.ty.pointee()?.clone();
                l = Lvalue { base: Base::Deref(Box::new(Expr::load(l.clone()))), ty: to, ..l };
            }
            Some(_) => return None,
        }
        for step in &listed.steps {
            let AllowedStep::Field(id, n) = step else { return None };
            l.ty = self.program.structure(*id).members.get(*n as usize)?.ty.clone();
            l.path.push(Step::Field(*id, *n));
        }
        Some(l)
    }

    /// The term with copies of the numbers that it reads through pointers, and in members.
    pub(super) fn settled_number(&mut self, t: Term, node: &Node) -> Lowered<Term> {
        Ok(match t {
            Term::Read(place) if matches!(place.root, Root::Pointer { .. }) || !place.steps.is_empty() => {
                let name = format!("old_{}", self.name_of_number(&place));
                let copy = match lvalue_of(&place) {
                    Some(l) if self.is_readable(&place) => self.kept_copy(name, l),
                    _ => None,
                };
                let Some(copy) = copy else {
                    return self.unsupported(span(node), "it is not known that this number can be read");
                };
                Term::of_variable(Lvalue::var(&self.program, copy, self.at(span(node))))
            }
            Term::Negate(a) => Term::Negate(Box::new(self.settled_number(*a, node)?)),
            Term::Binary(op, a, b) => {
                let (a, b) = (self.settled_number(*a, node)?, self.settled_number(*b, node)?);
                Term::Binary(op, Box::new(a), Box::new(b))
            }
            t => t,
        })
    }

    /// Whether a member of what a pointer leads to can be read where the function begins.
    fn is_readable(&self, place: &TermLvalue) -> bool {
        let plain = place.steps.iter().all(|s| matches!(s, TermStep::Field(..)));
        plain && PointerPath::of_place(place).is_some_and(|path| self.can_be_read(&self.at_start(path)))
    }

    fn name_of_number(&self, place: &TermLvalue) -> String {
        let member = place.steps.last().and_then(|s| match s {
            TermStep::Field(id, n) => self.program.structure(*id).members.get(*n as usize),
            TermStep::Index(_) => None,
        });
        member.filter(|m| matches!(m.ty, Type::Int(_))).map_or("number".to_owned(), |m| m.name.clone())
    }
}

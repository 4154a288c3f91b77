//! The objects that terms read.

use super::members::lvalue_of;
use super::resolve::span;
use super::syntax::Node;
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{Expr, Length, Lvalue, Root, Term, TermLvalue, TermStep, Type, VarId};

impl Lowerer<'_> {
    pub(super) fn variable_place(&self, v: VarId, node: &Node) -> TermLvalue {
        let location = self.at(span(node));
        let whole = Lvalue::var(&self.program, v, location);
        let ty = whole.ty.clone();
        TermLvalue { root: Root::Variable(whole), steps: Vec::new(), ty, location }
    }

    pub(super) fn element_place(&self, mut place: TermLvalue, index: Term, node: &Node) -> Lowered<TermLvalue> {
        match place.ty.clone() {
            Type::Array(_, Length::Unknown) => self.unsupported(span(node), "the length of this array is not known"),
            Type::Array(element, _) => {
                place.steps.push(TermStep::Index(index));
                place.ty = *element;
                Ok(place)
            }
            Type::Pointer(to) if matches!(place.root, Root::Elements { .. }) => {
                let Root::Elements { sequence, offset: None } = place.root else {
                    return self.wrong(span(node), "these elements are no pointers");
                };
                let root = Root::Elements { sequence, offset: Some(index) };
                Ok(TermLvalue { root, ty: *to, ..place })
            }
            Type::Pointer(to) => {
                let pointer = self.pointer_expr(&place, node)?;
                let root = Root::Pointer { pointer, offset: Some(index) };
                Ok(TermLvalue { root, steps: Vec::new(), ty: *to, location: place.location })
            }
            ty => {
                let ty = self.type_name(&ty);
                self.wrong(span(node), format!("this has the type `{ty}`, which has no elements"))
            }
        }
    }

    /// The value of a pointer that is stored in a variable, or in a member of one or of what
    /// another pointer leads to.
    pub(super) fn pointer_expr(&self, place: &TermLvalue, node: &Node) -> Lowered<Expr> {
        let is_field = |s: &TermStep| matches!(s, TermStep::Field(..));
        if place.steps.iter().all(is_field)
            && let Some(l) = lvalue_of(place)
        {
            return Ok(Expr::load(l));
        }
        self.unsupported(span(node), "pointers that are elements of an array are not supported here")
    }

    pub(super) fn member_place(&self, mut place: TermLvalue, name: &str, node: &Node) -> Lowered<TermLvalue> {
        let Type::Struct(id) = place.ty else {
            let ty = self.type_name(&place.ty);
            return self.wrong(span(node), format!("this has the type `{ty}`, which has no members"));
        };
        let Some(path) = self.find_member(id, name) else {
            let structure = &self.program.structure(id).name;
            return self.wrong(span(node), format!("`{structure}` has no member `{name}`"));
        };
        for (id, field) in path {
            let structure = self.program.structure(id);
            if structure.is_union {
                return self.unsupported(span(node), "annotations about unions are not supported");
            }
            place.ty = structure.members.get(field as usize).map_or(Type::Void, |m| m.ty.clone());
            place.steps.push(TermStep::Field(id, field));
        }
        Ok(place)
    }
}

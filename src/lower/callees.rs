//! Which functions may be called through a pointer.

use super::context::Lowerer;
use super::signatures::{DeclaredType, Signature, similar};
use crate::program::{FloatKind, FunctionId, Presumption, SiteId, Stmt, StmtKind, Type, VisitMut};
use std::collections::{BTreeSet, HashMap};

/// The functions that may be called, before each call through a pointer.
struct Filled(HashMap<SiteId, BTreeSet<FunctionId>>);

impl VisitMut for Filled {
    fn stmt(&mut self, s: &mut Stmt) {
        self.walk_stmt(s);
        if let StmtKind::Presume(Presumption::Called(called)) = &mut s.kind
            && let Some(functions) = self.0.get(&s.site)
        {
            called.functions.clone_from(functions);
        }
    }
}

impl Lowerer<'_> {
    /// Finds the functions that may be called through pointers. All must be known, with the numbers
    /// that they had when they were lowered.
    pub(super) fn find_callees(&mut self, numbers: &[FunctionId]) {
        let taken = if self.called.is_empty() { BTreeSet::new() } else { self.program.address_taken_functions() };
        let all = self.called.iter().map(|(site, (signature, arguments))| {
            let may_be = taken.iter().copied().filter(|f| {
                let known = &self.functions[numbers[f.0 as usize].0 as usize].signature;
                self.may_be_called((signature, arguments), *f, known)
            });
            (*site, may_be.collect())
        });
        let mut filled = Filled(all.collect());
        self.change_bodies(|_, body| body.iter_mut().for_each(|s| filled.stmt(s)));
    }

    /// Whether the type of a function is compatible with that of a pointer through which it is
    /// called (C11 6.5.2.2p6 and p9, 6.7.6.3p15). If in doubt, it is not.
    fn may_be_called(
        &self,
        (pointer, arguments): (&Signature, &[Type]),
        function: FunctionId,
        known: &Signature,
    ) -> bool {
        let lowered = self.program.function(function);
        if !are_alike(&pointer.result, &known.result) || pointer.variadic != known.variadic {
            return false;
        }
        let defined = || lowered.parameters.iter().map(|v| &self.program.variable(*v).ty);
        match (&pointer.parameters, &known.parameters) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_alike(a, b)),
            // The arguments are promoted.
            (None, Some(b)) => arguments.len() == b.len() && arguments.iter().zip(b).all(|(a, b)| similar(a, &b.ty)),
            // So are those of a definition in the style of Kernighan and Ritchie.
            (Some(a), None) if lowered.body.is_some() => {
                a.len() == defined().count()
                    && a.iter().zip(defined()).all(|(a, b)| similar(&a.ty, b) && self.is_promoted(b))
            }
            (None, None) if lowered.body.is_some() => {
                arguments.len() == defined().count() && arguments.iter().zip(defined()).all(|(a, b)| similar(a, b))
            }
            (_, None) => false,
        }
    }

    /// Whether the default argument promotions keep values of the type as they are.
    fn is_promoted(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(kind) => self.promoted(*kind) == *kind,
            Type::Float(kind) => *kind != FloatKind::Float,
            _ => true,
        }
    }
}

/// Whether two types of parameters or results are the same, with those of functions to which they
/// point.
fn are_alike(a: &DeclaredType, b: &DeclaredType) -> bool {
    let functions_are = match (&a.signature, &b.signature) {
        (Some(a), Some(b)) => {
            let parameters_are = match (&a.parameters, &b.parameters) {
                (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_alike(a, b)),
                (a, b) => a.is_none() && b.is_none(),
            };
            parameters_are && a.variadic == b.variadic && are_alike(&a.result, &b.result)
        }
        (a, b) => a.is_none() && b.is_none(),
    };
    functions_are && similar(&a.ty, &b.ty)
}

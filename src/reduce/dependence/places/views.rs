//! What types say about pointers: which of them may lead into the middle of an object, and which
//! numbers may be addresses.

use crate::program::{BinaryOp, Expr, ExprKind, Program, StmtKind, StructId, Type, each_expr};
use std::collections::{BTreeSet, HashSet};

/// The type of the elements, for an array of any number of dimensions.
pub(super) fn element(ty: &Type) -> &Type {
    let mut ty = ty;
    while let Type::Array(inner, _) = ty {
        ty = inner;
    }
    ty
}

/// The structs that a pointer may lead to without pointing at one. Such a pointer was one to
/// something else before: in what it was converted from, in another member of a union, or outside
/// of the program. A pointer to `void` may be of any type that is converted to `void`.
pub(super) fn reinterpreted(program: &Program) -> BTreeSet<StructId> {
    let mut found = BTreeSet::new();
    // The conversions of pointers, from and to; whether any go through untyped memory.
    let mut casts: HashSet<(&Type, &Type)> = HashSet::new();
    let mut untyped_steps = false;
    program.each_stmt(|s| {
        if let StmtKind::Havoc(l) | StmtKind::Input(l, _) = &s.kind {
            structs_behind(program, &l.ty, &mut found);
        }
        each_expr(s, &mut |e| match (&e.kind, &e.ty) {
            (ExprKind::Cast(a), Type::Pointer(to)) => match &a.ty {
                Type::Pointer(from) if from != to => _ = casts.insert((element(from), element(to))),
                Type::Int(_) if may_be_address(a) => _ = casts.insert((&Type::Void, element(to))),
                _ => {}
            },
            (ExprKind::Cast(a), Type::Int(_)) if matches!(a.ty, Type::Pointer(_)) => untyped_steps = true,
            (ExprKind::Binary(BinaryOp::PointerAdd, _, _), Type::Pointer(to)) => untyped_steps |= **to == Type::Void,
            _ => {}
        });
    });
    for s in program.structs.iter().filter(|s| s.is_union && s.members.len() > 1) {
        s.members.iter().for_each(|m| structs_behind(program, &m.ty, &mut found));
    }
    for (from, to) in &casts {
        let others = || casts.iter().filter(|(from, into)| **into == Type::Void && from != to).map(|(from, _)| *from);
        let is_view = from != to && (**from != Type::Void || untyped_steps || others().next().is_some());
        if is_view && **to != Type::Void {
            // Pointers in such memory are seen as others, and others as them.
            structs_behind(program, to, &mut found);
            structs_behind(program, from, &mut found);
            others().filter(|_| **from == Type::Void).for_each(|other| structs_behind(program, other, &mut found));
        }
        let Type::Struct(id) = to else { continue };
        if is_view {
            found.insert(*id);
        }
        // A struct that overlays other memory has members there, too.
        inner_structs(program, *id, &mut found);
    }
    found
}

/// Whether the bits of some address are read as numbers.
pub(super) fn addresses_become_numbers(program: &Program) -> bool {
    let mut found = false;
    program.each_stmt(|s| {
        each_expr(s, &mut |e| {
            if let ExprKind::Cast(a) = &e.kind
                && let Type::Pointer(from) = &a.ty
            {
                found |= match &e.ty {
                    Type::Int(_) => true,
                    Type::Pointer(to) => matches!(element(to), Type::Int(_)) && program.holds_pointers(from),
                    _ => false,
                };
            }
        });
    });
    found
}

/// The structs that the pointers in objects of a type lead to, and those inside.
fn structs_behind(program: &Program, ty: &Type, found: &mut BTreeSet<StructId>) {
    match ty {
        Type::Array(inner, _) => structs_behind(program, inner, found),
        Type::Struct(id) => {
            program.structure(*id).members.iter().for_each(|m| structs_behind(program, &m.ty, found));
        }
        Type::Pointer(to) => match element(to) {
            Type::Struct(id) => {
                found.insert(*id);
                inner_structs(program, *id, found);
            }
            to => structs_behind(program, to, found),
        },
        _ => {}
    }
}

fn inner_structs(program: &Program, id: StructId, found: &mut BTreeSet<StructId>) {
    for member in &program.structure(id).members {
        if let Type::Struct(inner) = element(&member.ty) {
            found.insert(*inner);
            inner_structs(program, *inner, found);
        }
    }
}

/// Whether a number, read as a pointer, may lead anywhere.
pub(super) fn may_be_address(number: &Expr) -> bool {
    matches!(number.ty, Type::Int(_) | Type::Float(_)) && number.as_int() != Some(0)
}

//! Lists what a loop may change, as terms of ACSL.
//!
//! **Why it is sound.** Every statement of the loop that writes names a variable, or a pointer that
//! the loop itself does not change; the term covers every cell that the statement may write. A loop
//! with a statement that may write anything else has no such list.

use super::scopes::{Scope, is_keyword};
use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, FunctionId, Length, Location, LoopId, Lvalue, Part, Program, Step, Stmt,
    StmtKind, Type, Use, VarId, each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet};

/// The terms for a loop of a function; `None` if they cannot be determined. `program` is the
/// inlined program, in which `scope` says what names mean at the loop.
pub(crate) fn assigns(
    source: &Program,
    program: &Program,
    scope: &Scope,
    function: FunctionId,
    id: LoopId,
) -> Option<Vec<String>> {
    // Copies of variables are declared at the places of the originals.
    let declared = |v: &VarId| program.variable(*v).location;
    let names: BTreeMap<&str, Location> = scope.names.iter().map(|(name, v)| (name.as_str(), declared(v))).collect();
    let body = source.function(function).body.as_ref()?;
    let details = find(body, id)?;
    let mut writes: Vec<&Lvalue> = Vec::new();
    let mut inside: BTreeSet<VarId> = BTreeSet::new();
    let mut known = true;
    let mut look = |s: &Stmt| match s.kind {
        StmtKind::Declare(v) => {
            inside.insert(v);
        }
        // What a call changes is not followed; an allocation changes what is allocated.
        StmtKind::Call { .. } | StmtKind::HavocReachable(_) | StmtKind::Allocate { .. } => known = false,
        _ => {}
    };
    for block in [&details.body, &details.step] {
        each_stmt(block, &mut look);
    }
    for block in [&details.body, &details.step] {
        each_stmt(block, &mut |s| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(l, Use::Write) = part {
                    writes.push(l);
                }
            });
        });
    }
    if !known {
        return None;
    }
    let whole: BTreeSet<VarId> = writes.iter().filter_map(|l| l.as_var()).collect();
    let mut terms = BTreeSet::new();
    let exposed = source.exposed();
    for l in writes {
        let (base, deref) = match &l.base {
            Base::Var(v) => (*v, false),
            Base::Deref(pointer) => (root(pointer)?, true),
        };
        let variable = source.variable(base);
        if !deref && (inside.contains(&base) || variable.is_hidden()) {
            // Its lifetime begins in the loop, or the source does not have it.
            continue;
        }
        // If a pointer changes in the loop, or lives only there, its value at the start does not
        // tell what is written through it. A pointer whose address is taken may change unseen.
        if deref && (whole.contains(&base) || inside.contains(&base) || exposed.contains(&base)) {
            return None;
        }
        let is_named = !variable.is_hidden() && names.get(variable.name.as_str()) == Some(&variable.location);
        if !is_named || is_keyword(&variable.name) {
            return None;
        }
        terms.insert(term(source, l, variable, deref)?);
    }
    Some(terms.into_iter().collect())
}

fn find(body: &Block, id: LoopId) -> Option<&crate::program::Loop> {
    let mut found = None;
    each_stmt(body, &mut |s| {
        if let StmtKind::Loop(l) = &s.kind
            && l.id == id
        {
            found = Some(&**l);
        }
    });
    found
}

/// The variable from which a pointer's value is computed by addition.
fn root(pointer: &Expr) -> Option<VarId> {
    match &pointer.kind {
        ExprKind::Load(l) => l.as_var(),
        ExprKind::Binary(BinaryOp::PointerAdd, a, _) if a.ty == pointer.ty => root(a),
        _ => None,
    }
}

fn term(source: &Program, l: &Lvalue, variable: &crate::program::Variable, deref: bool) -> Option<String> {
    let mut text = variable.name.clone();
    let mut ty = &variable.ty;
    if deref {
        text.push_str("[..]");
        ty = ty.pointee()?;
    }
    for step in &l.path {
        match (step, ty) {
            (Step::Field(id, n), _) => {
                let member = source.structure(*id).members.get(*n as usize)?;
                if source.structure(*id).is_union {
                    // The other members change too.
                    return Some(text);
                }
                if member.is_unnamed() || is_keyword(&member.name) {
                    return None;
                }
                text.push('.');
                text.push_str(&member.name);
                ty = &member.ty;
            }
            (Step::Index(_), Type::Array(element, length)) => {
                text.push_str(&subscripts(*length));
                ty = element;
            }
            (Step::Index(_), _) => return None,
        }
    }
    while let Type::Array(element, length) = ty {
        text.push_str(&subscripts(*length));
        ty = element;
    }
    Some(text)
}

fn subscripts(length: Length) -> String {
    match length {
        Length::Constant(n) if n > 0 => format!("[0 .. {}]", n - 1),
        _ => "[..]".to_owned(),
    }
}

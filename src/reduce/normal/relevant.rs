//! Leaves out what the assertion does not depend on.
//!
//! Without regard to order: a variable matters if the assertion or an assumption reads it, or if something that matters is computed from it or
//! depends on a condition that reads it. What writes only variables that do not matter is left out; that only adds runs, since what is
//! left out may have been undefined.

use super::super::effects::Effects;
use crate::program::{Base, Block, Length, Lvalue, Program, Stmt, StmtKind, Type, VarId};
use std::collections::BTreeSet;

/// The statements that matter.
pub(super) fn relevant(program: &Program, body: Block) -> Block {
    let mut needed = BTreeSet::new();
    loop {
        let before = needed.len();
        mark(program, &body, &mut needed);
        if needed.len() == before {
            break;
        }
    }
    keep(body, &needed)
}

/// Adds what the statements that matter read; whether there are any.
fn mark(program: &Program, block: &Block, needed: &mut BTreeSet<VarId>) -> bool {
    let mut any = false;
    for s in block {
        let matters = match &s.kind {
            StmtKind::If(_, a, b) => {
                let a = mark(program, a, needed);
                mark(program, b, needed) || a
            }
            StmtKind::Loop(l) => {
                let matters = mark(program, &l.body, needed);
                if matters {
                    l.step.iter().for_each(|s| needed.extend(Effects::of_stmt(s).writes));
                }
                matters
            }
            StmtKind::Declare(v) => {
                let mut ty = &program.variable(*v).ty;
                while let Type::Array(element, length) = ty {
                    if let (Length::Variable(n), true) = (length, needed.contains(v)) {
                        needed.insert(*n);
                    }
                    ty = element;
                }
                false
            }
            _ => writes_needed(s, needed),
        };
        if matters {
            needed.extend(Effects::of_stmt(s).reads);
        }
        any |= matters;
    }
    any
}

fn writes_needed(s: &Stmt, needed: &BTreeSet<VarId>) -> bool {
    let target = |l: &Lvalue| match l.base {
        Base::Var(v) => needed.contains(&v),
        Base::Deref(_) => true,
    };
    match &s.kind {
        StmtKind::Assign(l, _) | StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => target(l),
        StmtKind::Declare(v) => needed.contains(v),
        StmtKind::Skip => false,
        _ => true,
    }
}

fn keep(block: Block, needed: &BTreeSet<VarId>) -> Block {
    let mut out = Vec::with_capacity(block.len());
    for s in block {
        let kind = match s.kind {
            StmtKind::If(c, a, b) => {
                let (a, b) = (keep(a, needed), keep(b, needed));
                if a.is_empty() && b.is_empty() {
                    continue;
                }
                StmtKind::If(c, a, b)
            }
            StmtKind::Loop(mut l) => {
                l.body = keep(std::mem::take(&mut l.body), needed);
                if l.body.is_empty() {
                    continue;
                }
                StmtKind::Loop(l)
            }
            _ if !writes_needed(&s, needed) => continue,
            kind => kind,
        };
        out.push(Stmt { kind, ..s });
    }
    out
}

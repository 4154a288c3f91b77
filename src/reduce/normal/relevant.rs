//! Removes what the assertion does not depend on.
//!
//! The analysis ignores order. A variable matters if the assertion or an assumption reads it. It
//! also matters if something that matters is computed from it, or depends on a condition that reads
//! it. A statement that writes only variables that do not matter is removed. That only adds runs,
//! since the statement may have been undefined.

use super::super::effects::Effects;
use crate::program::{Base, Block, Fold, Length, Loop, Lvalue, Program, Stmt, StmtKind, Type, VarId};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// The statements that matter.
pub(super) fn relevant(program: &Program, body: &Block) -> Block {
    let mut needed = BTreeSet::new();
    loop {
        let before = needed.len();
        mark(program, body, &mut needed);
        if needed.len() == before {
            break;
        }
    }
    Keep(&needed).rebuilt(body)
}

/// Adds what the statements that matter read. Returns whether any statement matters.
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

/// Keeps the statements that write one of these variables.
struct Keep<'n>(&'n BTreeSet<VarId>);

impl Fold for Keep<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            StmtKind::If(..) | StmtKind::Loop(_) => {
                self.fold_inside(s, out)?;
                out.pop_if(|s| match &s.kind {
                    StmtKind::If(_, then, otherwise) => then.is_empty() && otherwise.is_empty(),
                    StmtKind::Loop(l) => l.body.is_empty(),
                    _ => false,
                });
            }
            _ if writes_needed(s, self.0) => out.push(s.clone()),
            _ => {}
        }
        Ok(())
    }

    /// The loop goes on counting, whatever its body does.
    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, Infallible> {
        Ok(Loop { body: self.fold_block(&l.body)?, step: l.step.clone(), condition: l.condition.clone(), ..*l })
    }
}

//! Leaves out what the assertion does not depend on, and gives the rest the few forms that the analysis looks at.
//!
//! **Meaning.** Every run of the program that comes to the assertion has a run of the result that comes there with the same values of
//! everything the assertion depends on. Assumptions that would make more depend on it are dropped, so the result may have more runs; so are
//! assumptions inside loops that the proof does not cover (see [`super::bound`]) and every other assertion (a run that fails there does not come to this one).

use super::super::normal::{Counted, Part};
use super::super::terms::{asserts, same_lvalue};
use super::terms;
use crate::program::{AssertionId, Base, Block, Expr, ExprKind, Lvalue, Stmt, StmtKind, Type, VarId, each_stmt};
use std::collections::BTreeSet;

/// The parts without what does not matter; with the assumptions in loops, if they are wanted. Nothing follows the last place of the assertion.
pub(super) fn relevant(parts: &[Part], assertion: AssertionId, assumed: bool) -> Vec<Part> {
    let end = parts.iter().rposition(|p| asserts(block(p), assertion)).map_or(0, |n| n + 1);
    let parts: Vec<Part> = parts[..end].iter().map(plain).collect();
    let mut relevant = Relevant { assertion, assumed, variables: BTreeSet::new() };
    loop {
        let before = relevant.variables.len();
        for part in &parts {
            if relevant.of_block(block(part), &BTreeSet::new())
                && let Part::Loop(l) = part
            {
                relevant.reads(&l.bound);
                relevant.reads(&l.first);
            }
        }
        if relevant.variables.len() == before {
            break;
        }
    }
    let mut out: Vec<Part> = Vec::new();
    for part in parts {
        match part {
            Part::Straight(b) => {
                let b = relevant.keep(b, true);
                match out.last_mut() {
                    _ if b.is_empty() => {}
                    Some(Part::Straight(last)) => last.extend(b),
                    _ => out.push(Part::Straight(b)),
                }
            }
            Part::Loop(l) => {
                let body = relevant.keep(l.body.clone(), false);
                if !body.is_empty() {
                    out.push(Part::Loop(Counted { body, ..l }));
                }
            }
        }
    }
    out
}

fn block(part: &Part) -> &Block {
    match part {
        Part::Straight(b) => b,
        Part::Loop(l) => &l.body,
    }
}

fn plain(part: &Part) -> Part {
    match part {
        Part::Straight(b) => Part::Straight(plain_block(b)),
        Part::Loop(l) => Part::Loop(Counted { body: plain_block(&l.body), ..l.clone() }),
    }
}

/// `x = c ? a : b` becomes an `if`, `x = x` nothing, and `if (p && q)` without `else` two of them.
fn plain_block(block: &Block) -> Block {
    let mut out = Vec::with_capacity(block.len());
    for s in block {
        plain_stmt(s, &mut out);
    }
    out
}

fn plain_stmt(s: &Stmt, out: &mut Block) {
    let inner = |kind| Stmt { kind, ..*s };
    match &s.kind {
        StmtKind::Skip => {}
        StmtKind::Block(b) => out.extend(plain_block(b)),
        StmtKind::Assign(l, e) if is_itself(l, e) => {}
        StmtKind::Assign(l, e) => match choice(e) {
            Some((c, a, b)) => {
                let arm = |e: Expr| vec![inner(StmtKind::Assign(l.clone(), e))];
                plain_stmt(&inner(StmtKind::If(c, arm(a), arm(b))), out);
            }
            None => out.push(s.clone()),
        },
        StmtKind::If(c, a, b) => {
            let (a, b) = (plain_block(a), plain_block(b));
            match (c.kind.clone(), a.is_empty(), b.is_empty()) {
                (_, true, true) => {}
                (_, true, false) => plain_stmt(&inner(StmtKind::If(c.clone().negated(), b, a)), out),
                (ExprKind::And(p, q), _, true) => {
                    let second = inner(StmtKind::If(*q, a, Vec::new()));
                    plain_stmt(&inner(StmtKind::If(*p, vec![second], Vec::new())), out);
                }
                _ => out.push(inner(StmtKind::If(c.clone(), a, b))),
            }
        }
        _ => out.push(s.clone()),
    }
}

fn is_itself(l: &Lvalue, e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Load(x) if same_lvalue(l, x))
}

/// A conditional expression, perhaps converted, as its condition and what it chooses from.
fn choice(e: &Expr) -> Option<(Expr, Expr, Expr)> {
    match &e.kind {
        ExprKind::Conditional(c, a, b) => Some(((**c).clone(), (**a).clone(), (**b).clone())),
        ExprKind::Cast(inner) => {
            let (c, a, b) = choice(inner)?;
            Some((c, a.cast(e.ty.clone()), b.cast(e.ty.clone())))
        }
        _ => None,
    }
}

struct Relevant {
    assertion: AssertionId,
    /// Whether assumptions in loops are kept.
    assumed: bool,
    variables: BTreeSet<VarId>,
}

impl Relevant {
    fn reads(&mut self, e: &Expr) {
        terms::each_load(e, &mut |l| {
            if let Base::Var(v) = l.base {
                self.variables.insert(v);
            }
        });
    }

    /// Whether anything in the block matters; what that depends on, `controls` included, is added.
    fn of_block(&mut self, block: &Block, controls: &BTreeSet<VarId>) -> bool {
        let mut any = false;
        for s in block {
            let matters = match &s.kind {
                StmtKind::Assign(l, e) => {
                    let matters = self.writes(l);
                    if matters {
                        self.reads(e);
                        self.path(l);
                    }
                    matters
                }
                StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => {
                    let matters = self.writes(l);
                    if matters {
                        self.path(l);
                    }
                    matters
                }
                StmtKind::Declare(v) => self.variables.contains(v),
                StmtKind::Assert(e, a) => {
                    let matters = *a == self.assertion;
                    if matters {
                        self.reads(e);
                    }
                    matters
                }
                StmtKind::If(c, a, b) => {
                    let mut inner = controls.clone();
                    terms::each_load(c, &mut |l| {
                        if let Base::Var(v) = l.base {
                            inner.insert(v);
                        }
                    });
                    // Both, always.
                    let then = self.of_block(a, &inner);
                    let otherwise = self.of_block(b, &inner);
                    then || otherwise
                }
                _ => false,
            };
            if matters {
                self.variables.extend(controls);
            }
            any |= matters;
        }
        any
    }

    fn writes(&self, l: &Lvalue) -> bool {
        match l.base {
            Base::Var(v) => self.variables.contains(&v),
            // It may write anything that matters.
            Base::Deref(_) => true,
        }
    }

    fn path(&mut self, l: &Lvalue) {
        terms::each_load_of_path(l, &mut |l| {
            if let Base::Var(v) = l.base {
                self.variables.insert(v);
            }
        });
    }

    fn keep(&self, block: Block, straight: bool) -> Block {
        let mut out = Vec::with_capacity(block.len());
        for s in block {
            let kept = match &s.kind {
                StmtKind::Assign(l, _) | StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => {
                    self.writes(l)
                }
                StmtKind::Declare(v) => self.variables.contains(v),
                StmtKind::Assert(_, a) => *a == self.assertion,
                StmtKind::Assume(e) => (straight || self.assumed) && self.knows(e),
                StmtKind::If(c, a, b) => {
                    let (a, b) = (self.keep(a.clone(), straight), self.keep(b.clone(), straight));
                    // Under a condition that nothing else depends on, an assumption alone is left.
                    let needed = |b: &Block| !b.is_empty();
                    if (needed(&a) || needed(&b)) && (self.knows(c) || !only_assumes(&a) || !only_assumes(&b)) {
                        out.push(Stmt { kind: StmtKind::If(c.clone(), a, b), ..s });
                    }
                    continue;
                }
                StmtKind::Skip => false,
                // Whatever it is, it is looked at and refused.
                _ => true,
            };
            if kept {
                out.push(s);
            }
        }
        out
    }

    /// Whether everything that a condition reads matters anyway. A condition that reads nothing is known.
    fn knows(&self, e: &Expr) -> bool {
        let mut known = true;
        terms::each_load(e, &mut |l| {
            known &= match l.base {
                Base::Var(v) => self.variables.contains(&v),
                Base::Deref(_) => false,
            };
        });
        known && e.ty.is_scalar() && !matches!(e.ty, Type::Float(_))
    }
}

fn only_assumes(block: &Block) -> bool {
    let mut only = true;
    each_stmt(block, &mut |s| only &= matches!(s.kind, StmtKind::Assume(_) | StmtKind::If(..)));
    only
}

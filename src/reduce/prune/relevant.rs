//! Leaves out what the assertion does not depend on, and gives the rest the few forms that the
//! analysis handles.
//!
//! **Meaning.** Take a run of the program that reaches the assertion. The result has a run that
//! reaches it with the same values of everything the assertion depends on. Assumptions that would
//! add to these dependences are dropped, so the result may have more runs. So are assumptions
//! inside loops that the proof does not cover (see [`super::bound`]), and every other assertion (a
//! run that fails there does not reach this one).

use super::super::normal::{Counted, NormalPart};
use super::super::terms::{asserts, same_lvalue};
use super::terms;
use crate::program::{AssertionId, Base, Block, Expr, ExprKind, Fold, Lvalue, Stmt, StmtKind, Type, VarId, each_stmt};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// Drops the irrelevant statements from the parts. Assumptions in loops are kept only if `assumed`
/// is set. Nothing follows the last place of the assertion.
pub(super) fn relevant(parts: &[NormalPart], assertion: AssertionId, assumed: bool) -> Vec<NormalPart> {
    let end = parts.iter().rposition(|p| asserts(block(p), assertion)).map_or(0, |n| n + 1);
    let parts: Vec<NormalPart> = parts[..end].iter().map(plain).collect();
    let mut relevant = Relevant { assertion, assumed, variables: BTreeSet::new() };
    loop {
        let before = relevant.variables.len();
        for part in &parts {
            if relevant.of_block(block(part), &BTreeSet::new())
                && let NormalPart::Loop(l) = part
            {
                relevant.reads(&l.bound);
                relevant.reads(&l.first);
            }
        }
        if relevant.variables.len() == before {
            break;
        }
    }
    let mut out: Vec<NormalPart> = Vec::new();
    for part in parts {
        match part {
            NormalPart::Straight(b) => {
                let b = Keep { relevant: &relevant, straight: true }.rebuilt(&b);
                match out.last_mut() {
                    _ if b.is_empty() => {}
                    Some(NormalPart::Straight(last)) => last.extend(b),
                    _ => out.push(NormalPart::Straight(b)),
                }
            }
            NormalPart::Loop(l) => {
                let body = Keep { relevant: &relevant, straight: false }.rebuilt(&l.body);
                if !body.is_empty() {
                    out.push(NormalPart::Loop(Counted { body, ..l }));
                }
            }
        }
    }
    out
}

fn block(part: &NormalPart) -> &Block {
    match part {
        NormalPart::Straight(b) => b,
        NormalPart::Loop(l) => &l.body,
    }
}

fn plain(part: &NormalPart) -> NormalPart {
    match part {
        NormalPart::Straight(b) => NormalPart::Straight(plain_block(b)),
        NormalPart::Loop(l) => NormalPart::Loop(Counted { body: plain_block(&l.body), ..l.clone() }),
    }
}

/// `x = c ? a : b` becomes an `if`, `x = x` nothing, and `if (p && q)` without `else` two of them.
fn plain_block(block: &Block) -> Block {
    Plain.rebuilt(block)
}

struct Plain;

impl Fold for Plain {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            StmtKind::Skip => {}
            StmtKind::Block(b) => out.extend(self.fold_block(b)?),
            StmtKind::Assign(l, e) if is_itself(l, e) => {}
            StmtKind::Assign(l, e) => match choice(e) {
                Some((c, a, b)) => {
                    let arm = |e: Expr| vec![s.with(StmtKind::Assign(l.clone(), e))];
                    self.fold(&s.with(StmtKind::If(c, arm(a), arm(b))), out)?;
                }
                None => out.push(s.clone()),
            },
            StmtKind::If(c, a, b) => {
                let (a, b) = self.fold_branches(a, b)?;
                match (c.kind.clone(), a.is_empty(), b.is_empty()) {
                    (_, true, true) => {}
                    (_, true, false) => self.fold(&s.with(StmtKind::If(c.clone().negated(), b, a)), out)?,
                    (ExprKind::And(p, q), _, true) => {
                        let second = s.with(StmtKind::If(*q, a, Vec::new()));
                        self.fold(&s.with(StmtKind::If(*p, vec![second], Vec::new())), out)?;
                    }
                    _ => out.push(s.with(StmtKind::If(c.clone(), a, b))),
                }
            }
            _ => out.push(s.clone()),
        }
        Ok(())
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

    /// Whether anything in the block matters. Adds what that depends on, `controls` included.
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
                    // Both branches are visited, in every case.
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

    /// Whether everything that a condition reads already matters. A condition that reads nothing is
    /// known.
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

/// Keeps what matters.
struct Keep<'r> {
    relevant: &'r Relevant,
    /// Whether the statements are outside of loops.
    straight: bool,
}

impl Fold for Keep<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let relevant = self.relevant;
        let kept = match &s.kind {
            StmtKind::Assign(l, _) | StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => {
                relevant.writes(l)
            }
            StmtKind::Declare(v) => relevant.variables.contains(v),
            StmtKind::Assert(_, a) => *a == relevant.assertion,
            StmtKind::Assume(e) => (self.straight || relevant.assumed) && relevant.knows(e),
            StmtKind::If(c, a, b) => {
                let (a, b) = self.fold_branches(a, b)?;
                // If nothing else depends on the condition, an assumption alone under it is
                // dropped.
                let is_needed = !a.is_empty() || !b.is_empty();
                if is_needed && (relevant.knows(c) || !only_assumes(&a) || !only_assumes(&b)) {
                    out.push(s.with(StmtKind::If(c.clone(), a, b)));
                }
                false
            }
            StmtKind::Skip => false,
            // Any other statement is kept; the model refuses it later.
            _ => true,
        };
        if kept {
            out.push(s.clone());
        }
        Ok(())
    }
}

fn only_assumes(block: &Block) -> bool {
    let mut only = true;
    each_stmt(block, &mut |s| only &= matches!(s.kind, StmtKind::Assume(_) | StmtKind::If(..)));
    only
}

//! Removes code that fills an array of arbitrary cells with arbitrary values.
//!
//! A cell that nothing has written holds one arbitrary value. Suppose that nothing has read a cell
//! of the array so far. Then an input that is written to one of them replaces an arbitrary value
//! that nothing has read by another: the runs are the same.

use super::super::effects::Effects;
use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, Fold, InputId, Length, Loop, Lvalue, Program, Stmt, StmtKind, Storage, Type,
    VarId,
};
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

/// Rewrites a body at its top level and in its loops.
pub(super) fn without_fills(program: &Program, body: Block) -> Block {
    // Declared arrays that have been neither read nor written, except by fills.
    let mut untouched: BTreeSet<VarId> = BTreeSet::new();
    let addresses = Effects::of(&body).addresses;
    let mut lengths = HashMap::new();
    let mut out = Vec::with_capacity(body.len());
    for s in body {
        let one = vec![s];
        let effects = Effects::of(&one);
        if let [Stmt { kind: StmtKind::Assign(l, e), .. }] = &one[..]
            && let Some(v) = l.as_var()
        {
            lengths.insert(v, e.clone());
        }
        let Some(s) = one.into_iter().next() else { continue };
        let (site, at) = (s.site, s.location);
        if let StmtKind::Declare(v) = s.kind {
            let variable = program.variable(v);
            if matches!(variable.ty, Type::Array(..)) && variable.storage == Storage::Local && !addresses.contains(&v) {
                untouched.insert(v);
            }
            out.push(s);
            continue;
        }
        let kind = match s.kind {
            StmtKind::Loop(mut l) => {
                let mut candidates = untouched.clone();
                candidates.retain(|v| !effects.reads.contains(v) || !reads_cell(&l.body, *v));
                candidates.retain(|v| only_filled(&l.body, *v));
                candidates.retain(|v| fits(program, &lengths, &l, *v));
                l.body = Unfilled(&candidates).rebuilt(&l.body);
                untouched
                    .retain(|v| candidates.contains(v) || !effects.reads.contains(v) && !effects.writes.contains(v));
                StmtKind::Loop(l)
            }
            kind => {
                untouched.retain(|v| !effects.reads.contains(v) && !effects.writes.contains(v));
                kind
            }
        };
        out.push(Stmt::new(kind, site, at));
    }
    out
}

/// Whether a loop that counts up to the length of an array visibly stays inside it. Otherwise a
/// write outside would be lost.
fn fits(program: &Program, lengths: &HashMap<VarId, Expr>, l: &Loop, array: VarId) -> bool {
    let ExprKind::Binary(BinaryOp::Less, _, bound) = &l.condition.kind else { return false };
    let Type::Array(_, length) = program.variable(array).ty else { return false };
    match (length, bound.as_int()) {
        (Length::Constant(n), Some(bound)) => bound <= i128::from(n),
        (Length::Variable(v), bound_value) => {
            let Some(mut value) = lengths.get(&v) else { return false };
            loop {
                value = match &value.kind {
                    ExprKind::Cast(a) => a,
                    // The length of an empty block was set to 1.
                    ExprKind::Conditional(_, one, rest) if one.as_int() == Some(1) => rest,
                    _ => break,
                };
            }
            let variable = |e: &Expr| match &e.kind {
                ExprKind::Load(l) => l.as_var(),
                _ => None,
            };
            match (value.as_int(), bound_value) {
                (Some(n), Some(bound)) => bound <= n,
                _ => variable(value).is_some() && variable(value) == variable(bound),
            }
        }
        _ => false,
    }
}

fn reads_cell(block: &Block, v: VarId) -> bool {
    Effects::of(block).reads.contains(&v)
}

/// Whether every write to the array puts an input into one of its cells.
fn only_filled(block: &Block, v: VarId) -> bool {
    let mut only = true;
    crate::program::each_stmt(block, &mut |s| {
        if Effects::of_stmt(s).writes.contains(&v) {
            only &= filled(s) == Some(v);
        }
    });
    only
}

/// The array that a statement writes an input to.
fn filled(s: &Stmt) -> Option<VarId> {
    let cell = |l: &Lvalue| match l.base {
        Base::Var(v) if !l.path.is_empty() => Some(v),
        _ => None,
    };
    match &s.kind {
        StmtKind::Input(l, _) | StmtKind::Havoc(l) => cell(l),
        _ => None,
    }
}

/// Removes the statements that fill these arrays.
struct Unfilled<'a>(&'a BTreeSet<VarId>);

impl Fold for Unfilled<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match filled(s) {
            Some(v) if self.0.contains(&v) => Ok(()),
            _ => self.fold_inside(s, out),
        }
    }
}

/// The arrays whose cells are inputs somewhere, and which inputs.
pub(super) fn filled_arrays(body: &Block) -> Vec<(VarId, InputId)> {
    let mut found = Vec::new();
    crate::program::each_stmt(&direct_inputs(body), &mut |s| {
        if let (StmtKind::Input(_, id), Some(v)) = (&s.kind, filled(s)) {
            found.push((v, *id));
        }
    });
    found
}

/// Rewrites `x = input; cell = x;` to `cell = input;` if nothing else reads `x`.
pub(super) fn direct_inputs(body: &Block) -> Block {
    let mut reads = HashMap::new();
    crate::program::each_stmt(body, &mut |s| {
        for v in Effects::of_stmt(s).reads {
            *reads.entry(v).or_insert(0) += 1;
        }
    });
    Direct { reads }.rebuilt(body)
}

struct Direct {
    /// How many statements read each variable.
    reads: HashMap<VarId, i32>,
}

impl Fold for Direct {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let source = |e: &Expr| match &e.kind {
            ExprKind::Load(l) => l.as_var(),
            _ => None,
        };
        if let StmtKind::Assign(target, e) = &s.kind
            && let Some(Stmt { kind: StmtKind::Input(x, id), .. }) = out.last()
            && let Some(v) = x.as_var()
            && source(e) == Some(v)
            && x.ty == target.ty
            && self.reads.get(&v) == Some(&1)
        {
            let direct = s.with(StmtKind::Input(target.clone(), *id));
            // The index of the target must not read it: otherwise it would have been read twice.
            if !Effects::of_stmt(&direct).reads.contains(&v) {
                out.pop();
                out.push(direct);
                return Ok(());
            }
        }
        self.fold_inside(s, out)
    }
}

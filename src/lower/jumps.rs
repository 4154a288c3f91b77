//! Jumps between functions: `setjmp` and `longjmp`.
//!
//! A call of `longjmp` ends the run: what follows it in its function is not reached. A call of
//! `setjmp` returns 0, or control comes back to it. Then everything may have changed since `setjmp`
//! was called: each global, each local of its function, and what pointers in them lead to; of other
//! functions' locals, only what pointers lead to, because these functions wait or have ended. So
//! every state in which control really comes back is among those that are considered. The states
//! are more than that, so no run is followed there ([`Presumption::ComesBack`]).

use super::context::{Lowered, Lowerer};
use crate::program::{
    Block, COMES_BACK, Expr, ExprKind, Location, Lvalue, Part, Presumption, Reached, Stmt, StmtKind, Storage, Type,
    Use, VarId, each_part, each_stmt,
};
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::collections::{BTreeMap, BTreeSet};

impl Lowerer<'_> {
    /// A call of `setjmp`, or of `longjmp`.
    pub(super) fn function_jump(&mut self, sets: bool, list: &[Node<Expression>], at: Location) -> Lowered<Expr> {
        self.unsequenced_arguments(list)?;
        list.iter().try_for_each(|e| self.effects(e))?;
        if sets {
            return Ok(self.set_jump(at));
        }
        self.emit(StmtKind::Stop, at);
        Ok(super::expressions::void(at))
    }

    /// A call of `setjmp` or `vfork`. Its value is 0, or control comes back.
    pub(super) fn set_jump(&mut self, at: Location) -> Expr {
        self.assume_that(COMES_BACK);
        let value = self.temporary(Type::INT, at);
        self.emit(StmtKind::Havoc(value.clone()), at);
        let value = Expr::load(value);
        let back = self.comes_back(value.clone());
        self.out.push(back);
        value
    }

    /// A statement in which control comes back if the value of `setjmp` is not 0.
    pub(super) fn comes_back(&mut self, value: Expr) -> Stmt {
        let at = value.location;
        let back = vec![self.stmt(StmtKind::Presume(Presumption::ComesBack), at)];
        self.stmt(StmtKind::If(value, back, Vec::new()), at)
    }

    /// If control comes back in a statement from number `from` on, takes it away and returns the
    /// value of `setjmp`. In the branches of an `if`, what changes is known to change in one of
    /// them only. **Sound**: nothing but the condition is evaluated in between, and what it writes
    /// holds any value afterwards.
    pub(super) fn take_jump(&mut self, from: usize) -> Option<Expr> {
        let at = self.out[from..].iter().position(may_come_back)?;
        match self.out.remove(from + at).kind {
            StmtKind::If(value, ..) => Some(value),
            _ => None,
        }
    }

    /// Changes what may have changed where control comes back.
    pub(super) fn change_what_jumps_find(&mut self) {
        let mut comes_back = Vec::new();
        for (n, function) in self.program.functions.iter().enumerate() {
            let mut found = false;
            each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| found |= is_back(s));
            comes_back.extend(found.then_some(n));
        }
        if comes_back.is_empty() {
            return;
        }
        let taken = self.program.address_taken();
        for n in comes_back {
            let Some(mut body) = self.program.functions[n].body.take() else { continue };
            let scope = self.program.functions[n].parameters.clone();
            let mut walk = Walk { kept: kept(&body, &taken), scope, is_called: false };
            for v in &walk.scope {
                walk.kept.entry(*v).or_insert(Kept::Always);
            }
            self.change_in(&mut body, &mut walk);
            self.program.functions[n].body = Some(body);
        }
    }

    fn change_in(&mut self, block: &mut Block, walk: &mut Walk) {
        let outer = walk.scope.len();
        for mut stmt in std::mem::take(block) {
            if let StmtKind::Declare(v) = stmt.kind {
                walk.scope.push(v);
            }
            // In the branches of an `if`, it was called before both.
            walk.is_called |= may_come_back(&stmt) || stmt.blocks().any(|b| b.first().is_some_and(may_come_back));
            walk.passes(&stmt);
            for inner in stmt.blocks_mut() {
                self.change_in(inner, walk);
            }
            let (comes_back, at) = (is_back(&stmt), stmt.location);
            block.push(stmt);
            if comes_back {
                block.extend(self.changes(walk, at));
            }
        }
        walk.scope.truncate(outer);
    }

    /// Statements after which every global, and what pointers in globals lead to, holds any value.
    pub(super) fn anything_changes(&mut self, at: Location) -> Vec<Stmt> {
        self.changes(&Walk { kept: BTreeMap::new(), scope: Vec::new(), is_called: false }, at)
    }

    /// Statements after which everything that can have changed holds any value.
    fn changes(&mut self, walk: &Walk, at: Location) -> Vec<Stmt> {
        let (mut reached, mut changed) = (Vec::new(), Vec::new());
        // Also those that unknown code could not change: code of the program has run.
        let variables = (0..).map(VarId).zip(&self.program.variables);
        let globals = variables.filter(|(_, v)| v.storage == Storage::Global && !v.constant).map(|(v, _)| (v, false));
        let locals = walk.scope.iter().map(|v| (*v, walk.is_kept(*v)));
        for (v, is_kept) in globals.chain(locals) {
            let object = Lvalue::var(&self.program, v, at);
            let is_whole = self.is_complete(&object.ty) && !object.ty.has_variable_size();
            if object.ty.is_scalar() {
                if object.ty.pointee().is_some() {
                    reached.push(Expr::load(object.clone()));
                }
                if !is_kept {
                    changed.push(object);
                }
            } else if is_whole && !self.program.holds_pointers(&object.ty) {
                changed.push(object);
            } else {
                let ty = Type::Pointer(Box::new(object.ty.clone()));
                reached.push(Expr::new(ExprKind::AddressOf(object), ty, at));
            }
        }
        let reached = Reached { pointers: reached, bytes: None, is_own: true };
        let reached = self.stmt(StmtKind::HavocReachable(reached), at);
        let changed: Vec<Stmt> = changed.into_iter().map(|v| self.stmt(StmtKind::Havoc(v), at)).collect();
        std::iter::once(reached).chain(changed).collect()
    }
}

fn is_back(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Presume(Presumption::ComesBack))
}

/// Whether it is what [`Lowerer::comes_back`] makes.
fn may_come_back(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::If(_, then, other) => other.is_empty() && then.first().is_some_and(is_back),
        _ => false,
    }
}

/// Whether a variable of a function holds the same where control comes back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Nothing writes to it.
    Always,
    /// One statement writes to it, once in a call; before `setjmp` is called if `true`.
    Written(bool),
    Never,
}

/// What is known at a statement of the function.
struct Walk {
    kept: BTreeMap<VarId, Kept>,
    /// The locals and parameters that live.
    scope: Vec<VarId>,
    /// Whether `setjmp` was called, here or in a branch that was passed.
    is_called: bool,
}

impl Walk {
    fn passes(&mut self, stmt: &Stmt) {
        if self.is_called {
            return;
        }
        each_part(stmt, &mut |part| {
            if let Part::Lvalue(l, Use::Write) = part
                && let Some(kept @ Kept::Written(false)) = l.as_base().and_then(|v| self.kept.get_mut(&v))
            {
                *kept = Kept::Written(true);
            }
        });
    }

    fn is_kept(&self, v: VarId) -> bool {
        matches!(self.kept.get(&v), Some(Kept::Always | Kept::Written(true)))
    }
}

/// What is known of variables that are written in a function, and of those whose address is taken.
fn kept(body: &Block, taken: &BTreeSet<VarId>) -> BTreeMap<VarId, Kept> {
    let mut found: BTreeMap<VarId, Kept> = taken.iter().map(|v| (*v, Kept::Never)).collect();
    let mut jumps = false;
    each_stmt(body, &mut |s| jumps |= matches!(s.kind, StmtKind::Label(..)));
    writes_in(body, jumps, &mut found);
    found
}

/// Notes what is written, and whether that may be repeated.
fn writes_in(block: &Block, repeats: bool, found: &mut BTreeMap<VarId, Kept>) {
    for stmt in block {
        each_part(stmt, &mut |part| {
            if let Part::Lvalue(l, Use::Write) = part
                && let Some(v) = l.as_base()
            {
                let again = repeats || found.contains_key(&v);
                found.insert(v, if again { Kept::Never } else { Kept::Written(false) });
            }
        });
        let repeats = repeats || matches!(stmt.kind, StmtKind::Loop(_));
        stmt.blocks().for_each(|inner| writes_in(inner, repeats, found));
    }
}

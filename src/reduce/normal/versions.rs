//! Gives each lifetime of a scalar variable a variable of its own.
//!
//! A statement at the top level that writes the whole variable, in every run, ends one lifetime and
//! begins another. So does a loop in which every iteration writes the variable before reading it,
//! if nothing after the loop reads the last value. No value that is read changes: between the two
//! writes only the new variable is read.

use super::super::effects::Effects;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use crate::program::{Block, Length, Lvalue, Program, Stmt, StmtKind, Type, VarId, VisitMut};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Renames variables in a body without jumps; `fixed` keep their names.
pub(super) fn split(program: &mut Program, body: Block, fixed: &HashSet<VarId>) -> Block {
    let mut keep = fixed.clone();
    let mut effects = Effects::of(&body);
    effects.addresses.extend(Effects::of(&program.initialisers).addresses);
    keep.extend(&effects.addresses);
    for variable in &program.variables {
        let mut ty = &variable.ty;
        while let Type::Array(element, length) = ty {
            if let Length::Variable(v) = length {
                keep.insert(*v);
            }
            ty = element;
        }
    }
    let mut splitter = Splitter { program, keep, current: HashMap::new(), seen: BTreeSet::new() };
    let mut out = Vec::with_capacity(body.len());
    for n in 0..body.len() {
        let new = splitter.top(&body[n], &body[n + 1..]);
        out.push(new);
    }
    out
}

struct Splitter<'p> {
    program: &'p mut Program,
    keep: HashSet<VarId>,
    /// The variable that currently stands for each variable of the source, if it is another one.
    current: HashMap<VarId, VarId>,
    /// The variables that have occurred.
    seen: BTreeSet<VarId>,
}

impl Splitter<'_> {
    fn may_split(&self, v: VarId) -> bool {
        !self.keep.contains(&v) && self.program.variable(v).ty.is_scalar()
    }

    fn begin(&mut self, v: VarId) {
        // The first lifetime keeps the name, unless initial values belong to it.
        if self.seen.insert(v) && self.program.variable(v).storage == crate::program::Storage::Local {
            return;
        }
        let mut variable = self.program.variable(v).clone();
        variable.storage = crate::program::Storage::Local;
        let new = self.program.add_variable(variable);
        self.current.insert(v, new);
    }

    fn top(&mut self, s: &Stmt, rest: &[Stmt]) -> Stmt {
        let begins = match &s.kind {
            StmtKind::Assign(l, _) | StmtKind::Input(l, _) | StmtKind::Havoc(l) | StmtKind::Zero(l) => l.as_var(),
            StmtKind::Declare(v) => Some(*v),
            _ => None,
        };
        if let Some(v) = begins.filter(|&v| self.may_split(v)) {
            // Reads belong to the old lifetime.
            let kind = match &s.kind {
                StmtKind::Assign(_, e) => {
                    let e = e.rewritten(self);
                    self.begin(v);
                    StmtKind::Assign(self.lvalue_of(v, s), e)
                }
                StmtKind::Input(_, id) => {
                    self.begin(v);
                    StmtKind::Input(self.lvalue_of(v, s), *id)
                }
                StmtKind::Declare(_) => {
                    self.begin(v);
                    StmtKind::Declare(self.now(v))
                }
                StmtKind::Zero(_) => {
                    self.begin(v);
                    StmtKind::Zero(self.lvalue_of(v, s))
                }
                _ => {
                    self.begin(v);
                    StmtKind::Havoc(self.lvalue_of(v, s))
                }
            };
            return s.with(kind);
        }
        if let StmtKind::Loop(l) = &s.kind {
            let effects = Effects::of(&l.body);
            for v in effects.writes {
                if self.may_split(v) && first(&l.body, v).is_own() && is_dead(rest, v) {
                    self.begin(v);
                }
            }
        }
        let Effects { writes, reads, .. } = Effects::of(std::slice::from_ref(s));
        self.seen.extend(writes);
        self.seen.extend(reads);
        let mut new = s.clone();
        VisitMut::stmt(self, &mut new);
        new
    }

    fn now(&self, v: VarId) -> VarId {
        self.current.get(&v).copied().unwrap_or(v)
    }

    fn lvalue_of(&self, v: VarId, s: &Stmt) -> Lvalue {
        Lvalue::var(self.program, self.now(v), s.location)
    }
}

impl VisitMut for Splitter<'_> {
    fn variable(&mut self, v: &mut VarId) {
        *v = self.now(*v);
    }

    fn ty(&mut self, _: &mut Type) {}
}

/// The first effect of a block on a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum First {
    Nothing,
    /// Every path writes the whole variable before it reads it.
    Write,
    /// Every path that mentions it does so, and there may be other paths.
    Perhaps,
    Read,
}

impl First {
    /// Whether nothing reads what the variable held before.
    pub(super) fn is_own(self) -> bool {
        matches!(self, First::Write | First::Perhaps)
    }
}

/// Whether a block writes the whole variable before it reads it, on every path that mentions it.
pub(in crate::reduce) fn writes_first(block: &[Stmt], v: VarId) -> bool {
    first(block, v).is_own()
}

pub(super) fn first(block: &[Stmt], v: VarId) -> First {
    let mut found = First::Nothing;
    for s in block {
        let one = std::slice::from_ref(s);
        if !mentions(one, v) {
            continue;
        }
        if Effects::of_stmt(s).reads.contains(&v) {
            return First::Read;
        }
        let here = match &s.kind {
            StmtKind::Declare(_) => First::Write,
            StmtKind::Assign(l, _) | StmtKind::Input(l, _) | StmtKind::Havoc(l) | StmtKind::Zero(l)
                if l.as_var() == Some(v) =>
            {
                First::Write
            }
            StmtKind::If(_, a, b) => match (first(a, v), first(b, v)) {
                (First::Read, _) | (_, First::Read) => First::Read,
                (First::Write, First::Write) => First::Write,
                #[cfg(any(test, feature = "mutants"))]
                (a, b) if mutated(Mutant::SomeWaysWrite) && a.is_own() && b.is_own() => First::Write,
                _ => First::Perhaps,
            },
            _ => First::Read,
        };
        match here {
            // The statements after it may read the old value.
            First::Perhaps => found = First::Perhaps,
            _ => return here,
        }
    }
    found
}

/// Whether nothing reads the value that the variable has now.
pub(super) fn is_dead(rest: &[Stmt], v: VarId) -> bool {
    for s in rest {
        let one = std::slice::from_ref(s);
        if !mentions(one, v) {
            continue;
        }
        match &s.kind {
            StmtKind::Loop(l) => {
                let condition = Effects::of_stmt(s);
                if condition.reads.contains(&v) || mentions(&l.step, v) || !first(&l.body, v).is_own() {
                    return false;
                }
                // The loop may not run at all.
            }
            StmtKind::If(..) => {
                if !first(one, v).is_own() {
                    return false;
                }
                // One of the branches may not mention it.
            }
            _ => return first(one, v) == First::Write,
        }
    }
    true
}

fn mentions(block: &[Stmt], v: VarId) -> bool {
    block.iter().any(|s| {
        let one = vec![s.clone()];
        let effects = Effects::of(&one);
        effects.writes.contains(&v) || effects.reads.contains(&v) || effects.addresses.contains(&v)
    })
}

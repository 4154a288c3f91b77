//! Copies a function body with new variables and labels.

use crate::program::{
    Base, Block, Counters, Expr, LabelId, Lvalue, Program, SnapshotId, Stmt, StmtKind, Storage, VarId, Variable,
    VisitMut,
};
use std::collections::{HashMap, HashSet};

/// Copies one function body.
pub(super) struct Copier<'a> {
    source: &'a Program,
    variables: &'a mut Vec<Variable>,
    counters: &'a mut Counters,
    copied: &'a mut HashSet<VarId>,
    renamed: HashMap<VarId, VarId>,
    labels: HashMap<LabelId, LabelId>,
    snapshots: HashMap<SnapshotId, SnapshotId>,
    result: Option<VarId>,
    end: LabelId,
    jumps: bool,
}

impl<'a> Copier<'a> {
    pub(super) fn new(
        source: &'a Program,
        variables: &'a mut Vec<Variable>,
        counters: &'a mut Counters,
        copied: &'a mut HashSet<VarId>,
    ) -> Self {
        Copier {
            source,
            variables,
            counters,
            copied,
            renamed: HashMap::new(),
            labels: HashMap::new(),
            snapshots: HashMap::new(),
            result: None,
            end: LabelId(0),
            jumps: false,
        }
    }

    pub(super) fn fresh(&mut self, variable: Variable) -> VarId {
        let id = VarId(self.variables.len().try_into().expect("fewer than 2^32 variables"));
        self.variables.push(variable);
        self.copied.insert(id);
        id
    }

    pub(super) fn fresh_label(&mut self) -> LabelId {
        let id = LabelId(self.counters.labels);
        self.counters.labels += 1;
        id
    }

    /// The copy of a parameter or local; a global is itself.
    pub(super) fn copy_of(&mut self, id: VarId) -> VarId {
        // A variable made by an earlier copy is not in the source; bodies are copied from the
        // source only.
        let Some(old) = self.source.variables.get(id.0 as usize) else { return id };
        if old.storage == Storage::Global {
            return id;
        }
        if let Some(new) = self.renamed.get(&id) {
            return *new;
        }
        let mut new = old.clone();
        if new.storage == Storage::Parameter {
            new.storage = Storage::Local;
        }
        let new_id = self.fresh(new);
        self.renamed.insert(id, new_id);
        let mut ty = old.ty.clone();
        VisitMut::ty(self, &mut ty);
        self.variables[new_id.0 as usize].ty = ty;
        new_id
    }

    /// The copy of `body` in which `return` sets `result` and jumps to `end`, and whether it jumps
    /// there at all.
    pub(super) fn body(mut self, body: &Block, result: Option<VarId>, end: LabelId) -> (Block, bool) {
        self.result = result;
        self.end = end;
        let mut copied = body.clone();
        VisitMut::block(&mut self, &mut copied);
        // A jump from the very end to what follows is not needed.
        if let Some(Stmt { kind: StmtKind::Block(last), .. }) = copied.last_mut()
            && matches!(last.last(), Some(Stmt { kind: StmtKind::Goto(l), .. }) if *l == end)
        {
            last.pop();
        }
        let mut jumps = false;
        if self.jumps {
            crate::program::each_stmt(&copied, &mut |s| {
                jumps |= matches!(s.kind, StmtKind::Goto(l) if l == end);
            });
        }
        (copied, jumps)
    }

    /// What `return` does: the value is already that of the copy.
    fn leave(&mut self, s: &Stmt, value: Option<Expr>) -> StmtKind {
        let mut block = Vec::new();
        if let (Some(value), Some(result)) = (value, self.result) {
            let ty = self.variables[result.0 as usize].ty.clone();
            let value = value.cast(ty.clone());
            let lvalue = Lvalue { base: Base::Var(result), path: Vec::new(), ty, location: s.location };
            block.push(s.with(StmtKind::Assign(lvalue, value)));
        }
        self.jumps = true;
        block.push(s.with(StmtKind::Goto(self.end)));
        StmtKind::Block(block)
    }
}

impl VisitMut for Copier<'_> {
    fn stmt(&mut self, s: &mut Stmt) {
        self.walk_stmt(s);
        match &mut s.kind {
            // The interpreter runs the program itself, not the copy.
            StmtKind::Presume(_) => s.kind = StmtKind::Skip,
            // Its replacement is not copied again: it already uses the label of the copy.
            StmtKind::Return(value) => {
                let value = value.take();
                s.kind = self.leave(s, value);
            }
            _ => {}
        }
    }

    fn variable(&mut self, v: &mut VarId) {
        *v = self.copy_of(*v);
    }

    fn label(&mut self, l: &mut LabelId) {
        *l = match self.labels.get(l) {
            Some(new) => *new,
            None => {
                let new = self.fresh_label();
                self.labels.insert(*l, new);
                new
            }
        };
    }

    fn snapshot(&mut self, s: &mut SnapshotId) {
        let next = &mut self.counters.snapshots;
        *s = *self.snapshots.entry(*s).or_insert_with(|| {
            *next += 1;
            SnapshotId(*next - 1)
        });
    }
}

//! Declarations that jumps pass over.
//!
//! Where a jump goes past a declaration into the block, the object lives, and no declaration has
//! made it: it may hold anything (C11 6.2.4p6), also if the block was executed before. So it is
//! changed at the label.
//!
//! **Sound**: on the way of such a jump, any value is what C says. On other ways, more values are
//! considered than there are. Where nothing after the label names the object, it does not matter
//! what it holds.

use super::context::Lowerer;
use crate::program::{Block, LabelId, Lvalue, Stmt, StmtKind, VarId, Visit};
use std::collections::{BTreeMap, BTreeSet};

impl Lowerer<'_> {
    /// Changes what jumps pass over, where it is used afterwards.
    pub(super) fn change_what_is_jumped_over(&mut self) {
        self.change_bodies(|l, body| {
            let mut found = Scopes::default();
            found.block(body);
            let changes = found.changes();
            if !changes.is_empty() {
                l.change_at_labels(body, &changes);
            }
        });
    }

    fn change_at_labels(&mut self, block: &mut Block, changes: &BTreeMap<LabelId, BTreeSet<VarId>>) {
        for mut s in std::mem::take(block) {
            s.blocks_mut().for_each(|inner| self.change_at_labels(inner, changes));
            let (at, label) = (s.location, if let StmtKind::Label(l, _) = &s.kind { Some(*l) } else { None });
            block.push(s);
            for v in label.and_then(|l| changes.get(&l)).into_iter().flatten() {
                let object = Lvalue::var(&self.program, *v, at);
                if self.is_complete(&object.ty) && !object.ty.has_variable_size() {
                    self.program.unset.jumped_over.insert(*v);
                    let change = self.stmt(StmtKind::Havoc(object), at);
                    block.push(change);
                }
            }
        }
    }
}

/// A label, or a jump.
struct Place {
    at: usize,
    declared: Vec<(VarId, usize)>,
    loops: Vec<usize>,
}

/// What is declared at the labels and jumps of a function.
#[derive(Default)]
struct Scopes {
    /// What is declared where the walk is, and where that stands.
    declared: Vec<(VarId, usize)>,
    /// Where the loops begin in which the walk is.
    loops: Vec<usize>,
    /// How many statements were passed.
    passed: usize,
    labels: BTreeMap<LabelId, Place>,
    jumps: Vec<(LabelId, Place)>,
    /// Where each variable is named for the last time.
    named: BTreeMap<VarId, usize>,
}

impl<'p> Visit<'p> for Scopes {
    fn block(&mut self, block: &'p Block) {
        let outer = self.declared.len();
        for s in block {
            self.stmt(s);
        }
        self.declared.truncate(outer);
    }

    fn stmt(&mut self, s: &'p Stmt) {
        self.passed += 1;
        match &s.kind {
            StmtKind::Declare(v) => return self.declared.push((*v, self.passed)),
            StmtKind::Label(l, _) => _ = self.labels.insert(*l, self.here()),
            StmtKind::Goto(l) => self.jumps.push((*l, self.here())),
            _ => {}
        }
        let is_loop = matches!(s.kind, StmtKind::Loop(_));
        if is_loop {
            self.loops.push(self.passed);
        }
        self.walk_stmt(s);
        if is_loop {
            self.loops.pop();
        }
    }

    fn variable(&mut self, v: &'p VarId) {
        self.named.insert(*v, self.passed);
    }
}

impl Scopes {
    fn here(&self) -> Place {
        Place { at: self.passed, declared: self.declared.clone(), loops: self.loops.clone() }
    }

    /// The variables that change at labels.
    fn changes(&self) -> BTreeMap<LabelId, BTreeSet<VarId>> {
        let goes_back = |(l, from): &(LabelId, Place)| self.labels.get(l).is_some_and(|to| to.at < from.at);
        let jumps_back = self.jumps.iter().any(goes_back);
        let mut found: BTreeMap<LabelId, BTreeSet<VarId>> = BTreeMap::new();
        for (l, from) in &self.jumps {
            let Some(to) = self.labels.get(l) else { continue };
            for (v, declared) in to.declared.iter().filter(|known| !from.declared.contains(known)) {
                // What stands before the label may come after it.
                let comes_back = jumps_back || to.loops.iter().any(|start| start > declared);
                let last = self.named.get(v).copied().unwrap_or(0);
                if last > to.at || comes_back && last > 0 {
                    found.entry(*l).or_default().insert(*v);
                }
            }
        }
        found
    }
}

//! New statements, labels and temporaries.

use super::context::{Lowered, Lowerer};
use crate::program::{
    Block, Callee, Counters, Expr, ExprKind, InputId, LabelId, Location, LoopId, Lvalue, NEVER_RETURN, Origin,
    Presumption, SiteId, SnapshotId, Stmt, StmtKind, Storage, Type, Variable,
};

impl Lowerer<'_> {
    /// Appends a statement.
    pub(super) fn emit(&mut self, kind: StmtKind, location: Location) {
        let stmt = self.stmt(kind, location);
        if let Some(assumption) = self.changes_constant(&stmt) {
            let before = self.excluded(assumption, location);
            self.out.push(before);
        }
        let returns = match &stmt.kind {
            StmtKind::Call { callee: Callee::Function(f), .. } => {
                !self.no_return.contains(&self.program.function(*f).name)
            }
            _ => true,
        };
        self.out.push(stmt);
        if !returns {
            let after = self.excluded(NEVER_RETURN, location);
            self.out.push(after);
        }
    }

    /// A statement that no considered run reaches, by an assumption, which is listed.
    pub(super) fn excluded(&mut self, assumption: &'static str, at: Location) -> Stmt {
        self.assume_that(assumption);
        self.stmt(StmtKind::Presume(Presumption::Never(assumption)), at)
    }

    /// A statement with a new identity.
    pub(super) fn stmt(&mut self, kind: StmtKind, location: Location) -> Stmt {
        let site = SiteId(self.program.counters.sites);
        self.program.counters.sites += 1;
        Stmt::new(kind, site, location)
    }

    /// Changes the bodies of all functions that have one.
    pub(super) fn change_bodies(&mut self, mut change: impl FnMut(&mut Self, &mut Block)) {
        for n in 0..self.program.functions.len() {
            let Some(mut body) = self.program.functions[n].body.take() else { continue };
            change(self, &mut body);
            self.program.functions[n].body = Some(body);
        }
    }

    /// Runs `inside` with an empty block and returns the statements that it emitted.
    pub(super) fn collecting<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(T, Block)> {
        let outer = std::mem::take(&mut self.out);
        let result = inside(self);
        let block = std::mem::replace(&mut self.out, outer);
        Ok((result?, block))
    }

    /// Runs `inside` only for its result: it emits nothing, and adds no assertion or input.
    pub(super) fn unevaluated<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let outer = std::mem::take(&mut self.out);
        let counters = self.program.counters;
        let assertions = self.program.assertions.len();
        let numbers = self.assertion_numbers.clone();
        let assumptions = self.program.assumptions.clone();
        let unordered = self.unordered.len();
        let unnamed = self.scope().unnamed.len();
        let passing = self.passing.last().map_or(0, Vec::len);
        let (variables, globals) = (self.program.variables.len(), self.program.globals.len());
        let result = inside(self);
        self.out = outer;
        if self.program.globals.len() == globals {
            self.program.variables.truncate(variables);
        }
        self.program.counters = Counters { labels: self.program.counters.labels, ..counters };
        self.program.assertions.truncate(assertions);
        self.assertion_numbers = numbers;
        self.program.assumptions = assumptions;
        self.unordered.truncate(unordered);
        self.scope().unnamed.truncate(unnamed);
        self.passing.iter_mut().last().into_iter().for_each(|p| p.truncate(passing));
        result
    }

    pub(super) fn new_snapshot(&mut self) -> SnapshotId {
        let id = SnapshotId(self.program.counters.snapshots);
        self.program.counters.snapshots += 1;
        id
    }

    pub(super) fn new_label(&mut self) -> LabelId {
        let id = LabelId(self.program.counters.labels);
        self.program.counters.labels += 1;
        id
    }

    /// A label that the source does not have.
    pub(super) fn hidden_label(&mut self, id: LabelId, at: Location) {
        self.emit(StmtKind::Label(id, format!("_l{}", id.0)), at);
    }

    pub(super) fn new_loop(&mut self) -> LoopId {
        let id = LoopId(self.program.counters.loops);
        self.program.counters.loops += 1;
        id
    }

    pub(super) fn new_input(&mut self) -> InputId {
        let id = InputId(self.program.counters.inputs);
        self.program.counters.inputs += 1;
        id
    }

    /// A new temporary, declared here.
    pub(super) fn temporary(&mut self, ty: Type, at: Location) -> Lvalue {
        self.temporaries += 1;
        let name = format!("t{}", self.temporaries);
        self.hidden_variable(name, Origin::Temporary, ty, at)
    }

    /// A new local with that name, declared here.
    pub(super) fn hidden_variable(&mut self, name: String, origin: Origin, ty: Type, at: Location) -> Lvalue {
        let (object, declaration) = self.undeclared_variable(name, origin, ty, at);
        self.out.push(declaration);
        object
    }

    /// A new local of the current block, and its declaration.
    pub(super) fn undeclared_variable(
        &mut self,
        name: String,
        origin: Origin,
        ty: Type,
        at: Location,
    ) -> (Lvalue, Stmt) {
        let variable = Variable { name, origin, ty, storage: Storage::Local, constant: false, location: at };
        let id = self.program.add_variable(variable);
        self.depths.insert(id, self.scopes.len());
        (Lvalue::var(&self.program, id, at), self.stmt(StmtKind::Declare(id), at))
    }

    /// Stores a value in a temporary, so that later effects do not change it. Constants and
    /// temporaries stay as they are.
    pub(super) fn settle(&mut self, value: Expr) -> Expr {
        let is_constant = matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_));
        if is_constant || self.program.is_temporary(&value) || value.ty == Type::Void {
            return value;
        }
        let temporary = self.temporary(value.ty.clone(), value.location);
        let at = value.location;
        self.emit(StmtKind::Assign(temporary.clone(), value), at);
        Expr::load(temporary)
    }
}

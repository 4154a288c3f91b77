//! Copies a function body with variables and labels of its own.

use crate::program::{
    Base, Block, Callee, Claim, Counters, Expr, ExprKind, LabelId, Length, Location, Loop, Lvalue, Place, Program,
    Root, Step, Stmt, StmtKind, Storage, TermStep, Type, VarId, Variable,
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
    pub(super) fn variable(&mut self, id: VarId) -> VarId {
        // A variable made by an earlier copy is not in the source; bodies are copied from the source only.
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
        let ty = self.ty(&old.ty);
        self.variables[new_id.0 as usize].ty = ty;
        new_id
    }

    /// The copy of `body` in which `return` sets `result` and jumps to `end`, and whether it jumps there at all.
    pub(super) fn body(mut self, body: &Block, result: Option<VarId>, end: LabelId, at: Location) -> (Block, bool) {
        self.result = result;
        self.end = end;
        let mut copied = self.block(body);
        // A jump from the very end to what follows is no jump.
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
        let _ = at;
        (copied, jumps)
    }

    fn block(&mut self, block: &Block) -> Block {
        block.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let kind = match &stmt.kind {
            StmtKind::Declare(v) => StmtKind::Declare(self.variable(*v)),
            StmtKind::Assign(l, e) => StmtKind::Assign(self.lvalue(l), self.expr(e)),
            StmtKind::Input(l, i) => StmtKind::Input(self.lvalue(l), *i),
            StmtKind::Zero(l) => StmtKind::Zero(self.lvalue(l)),
            StmtKind::Havoc(l) => StmtKind::Havoc(self.lvalue(l)),
            StmtKind::HavocReachable(es) => StmtKind::HavocReachable(es.iter().map(|e| self.expr(e)).collect()),
            StmtKind::Blocks(blocks) => {
                let mut blocks = blocks.clone();
                blocks.operands_mut().for_each(|e| *e = self.expr(e));
                StmtKind::Blocks(blocks)
            }
            StmtKind::Allocate { target, element, count, zeroed } => StmtKind::Allocate {
                target: self.lvalue(target),
                element: self.ty(element),
                count: self.expr(count),
                zeroed: *zeroed,
            },
            StmtKind::Call { target, callee, arguments } => StmtKind::Call {
                target: target.as_ref().map(|t| self.lvalue(t)),
                callee: match callee {
                    Callee::Function(f) => Callee::Function(*f),
                    Callee::Pointer(e) => Callee::Pointer(self.expr(e)),
                },
                arguments: arguments.iter().map(|e| self.expr(e)).collect(),
            },
            StmtKind::If(c, a, b) => StmtKind::If(self.expr(c), self.block(a), self.block(b)),
            StmtKind::Loop(l) => StmtKind::Loop(Box::new(Loop {
                id: l.id,
                kind: l.kind,
                condition: self.expr(&l.condition),
                body: self.block(&l.body),
                step: self.block(&l.step),
            })),
            StmtKind::Block(b) => StmtKind::Block(self.block(b)),
            StmtKind::Label(l, name) => StmtKind::Label(self.label(*l), name.clone()),
            StmtKind::Goto(l) => StmtKind::Goto(self.label(*l)),
            StmtKind::Return(value) => self.leave(stmt, value.as_ref()),
            StmtKind::Assume(e) => StmtKind::Assume(self.expr(e)),
            StmtKind::Assert(e, a) => StmtKind::Assert(self.expr(e), *a),
            StmtKind::Claim(claim) => {
                let formula = claim.formula.map_places(&mut |place| self.place(place));
                StmtKind::Claim(Box::new(Claim { formula, role: claim.role }))
            }
            StmtKind::Break => StmtKind::Break,
            StmtKind::Continue => StmtKind::Continue,
            StmtKind::Stop => StmtKind::Stop,
            // Who follows a copy does not run it.
            StmtKind::Presume(_) | StmtKind::Skip => StmtKind::Skip,
        };
        Stmt { kind, site: stmt.site, location: stmt.location }
    }

    fn leave(&mut self, stmt: &Stmt, value: Option<&Expr>) -> StmtKind {
        let mut block = Vec::new();
        if let (Some(value), Some(result)) = (value, self.result) {
            let ty = self.variables[result.0 as usize].ty.clone();
            let value = self.expr(value).cast(ty.clone());
            let lvalue = Lvalue { base: Base::Var(result), path: Vec::new(), ty, location: stmt.location };
            block.push(Stmt { kind: StmtKind::Assign(lvalue, value), ..*stmt });
        }
        self.jumps = true;
        block.push(Stmt { kind: StmtKind::Goto(self.end), ..*stmt });
        StmtKind::Block(block)
    }

    fn label(&mut self, id: LabelId) -> LabelId {
        if let Some(new) = self.labels.get(&id) {
            return *new;
        }
        let new = self.fresh_label();
        self.labels.insert(id, new);
        new
    }

    fn ty(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Pointer(to) => Type::Pointer(Box::new(self.ty(to))),
            Type::Array(element, Length::Variable(v)) => {
                let v = self.variable(*v);
                Type::Array(Box::new(self.ty(element)), Length::Variable(v))
            }
            Type::Array(element, length) => Type::Array(Box::new(self.ty(element)), *length),
            _ => ty.clone(),
        }
    }

    fn lvalue(&mut self, l: &Lvalue) -> Lvalue {
        Lvalue {
            base: match &l.base {
                Base::Var(v) => Base::Var(self.variable(*v)),
                Base::Deref(e) => Base::Deref(Box::new(self.expr(e))),
            },
            path: l
                .path
                .iter()
                .map(|s| match s {
                    Step::Field(id, n) => Step::Field(*id, *n),
                    Step::Index(e) => Step::Index(self.expr(e)),
                })
                .collect(),
            ty: self.ty(&l.ty),
            location: l.location,
        }
    }

    fn place(&mut self, place: &Place) -> Place {
        let root = match &place.root {
            Root::Variable(l) => Root::Variable(self.lvalue(l)),
            Root::Pointer { pointer, offset } => Root::Pointer {
                pointer: self.expr(pointer),
                offset: offset.as_ref().map(|t| t.map_places(&mut |p| self.place(p))),
            },
        };
        let step = |s: &TermStep| match s {
            TermStep::Field(id, n) => TermStep::Field(*id, *n),
            TermStep::Index(t) => TermStep::Index(t.map_places(&mut |p| self.place(p))),
        };
        let steps = place.steps.iter().map(step).collect();
        Place { root, steps, ty: self.ty(&place.ty), location: place.location }
    }

    fn expr(&mut self, e: &Expr) -> Expr {
        let mut boxed = |e: &Expr| Box::new(self.expr(e));
        let kind = match &e.kind {
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, boxed(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
            ExprKind::Cast(a) => ExprKind::Cast(boxed(a)),
            ExprKind::And(a, b) => ExprKind::And(boxed(a), boxed(b)),
            ExprKind::Or(a, b) => ExprKind::Or(boxed(a), boxed(b)),
            ExprKind::Conditional(c, a, b) => ExprKind::Conditional(boxed(c), boxed(a), boxed(b)),
            ExprKind::Load(l) => ExprKind::Load(self.lvalue(l)),
            ExprKind::AddressOf(l) => ExprKind::AddressOf(self.lvalue(l)),
            kind @ (ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_)) => kind.clone(),
        };
        Expr { kind, ty: self.ty(&e.ty), location: e.location }
    }
}

//! Functions as straight lines of operations with jumps, so that runs need no recursion and `goto` is like any jump.

use crate::program::{
    Base, Callee, Expr, ExprKind, LabelId, Loop, LoopKind, Lvalue, Program, Root, Step, Stmt, StmtKind, Storage, VarId,
};
use std::collections::HashMap;

/// One operation.
#[derive(Clone, Copy)]
pub(super) enum Op<'p> {
    /// A statement that contains no others.
    Simple(&'p Stmt),
    /// A statement that is only passed: a block, a label, the beginning of a loop.
    Pass(&'p Stmt),
    /// `if`: goes on, or to the target where the condition is 0.
    Branch(&'p Stmt, &'p Expr, usize),
    /// The test of a loop: goes on, or to the target where the condition is 0.
    TestDown(&'p Stmt, &'p Expr, usize),
    /// The test of a `do` loop: goes to the target where the condition is not 0.
    TestUp(&'p Stmt, &'p Expr, usize),
    /// Goes to the target.
    Jump(usize),
    /// A `goto`, `break` or `continue`.
    Leave(&'p Stmt, usize),
    /// The end of the function.
    End,
}

/// A target that no label names.
pub(super) const NOWHERE: usize = usize::MAX;

/// A function, ready to run.
pub(super) struct Code<'p> {
    pub(super) ops: Vec<Op<'p>>,
    /// How many places its variables need.
    pub(super) places: u32,
    /// Its variables, in the order of their places.
    pub(super) variables: Vec<VarId>,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Home {
    pub(super) place: u32,
    pub(super) global: bool,
    /// A scalar whose address nobody takes is a register; any other variable is an object in memory.
    pub(super) register: bool,
    /// The function that it belongs to (its number; unused for globals).
    pub(super) function: u32,
    /// The operations of the block that declares it, from the first on to the one after the last;
    /// of parameters, and of what is declared nowhere, all.
    pub(super) scope: (u32, u32),
}

/// All functions of a program, ready to run. The initialisers come last.
pub(super) struct Codes<'p> {
    pub(super) functions: Vec<Code<'p>>,
    /// Where each variable lives; `None` for variables that nothing mentions.
    pub(super) homes: Vec<Option<Home>>,
    /// How many places the globals need.
    pub(super) globals: Vec<VarId>,
}

struct Builder<'p, 'b> {
    program: &'p Program,
    code: Code<'p>,
    function: u32,
    homes: &'b mut Vec<Option<Home>>,
    globals: &'b mut Vec<VarId>,
    /// Variables whose address is taken, of all functions.
    addressed: &'b mut Vec<bool>,
    labels: HashMap<LabelId, usize>,
    gotos: Vec<(usize, LabelId)>,
    /// Jumps out of open loops that wait for their target: `break`s and `continue`s.
    loops: Vec<(Vec<usize>, Vec<usize>)>,
    /// What the innermost block has declared so far.
    declared: Vec<VarId>,
}

impl<'p> Codes<'p> {
    pub(super) fn new(program: &'p Program) -> Codes<'p> {
        let mut homes = vec![None; program.variables.len()];
        let mut addressed = vec![false; program.variables.len()];
        let mut globals = Vec::new();
        let mut functions = Vec::new();
        let nothing: &'p [Stmt] = &[];
        let bodies = program
            .functions
            .iter()
            .map(|f| (f.parameters.as_slice(), f.body.as_deref().unwrap_or(nothing)))
            .chain([(&[][..], program.initialisers.as_slice())]);
        for (n, (parameters, body)) in bodies.enumerate() {
            let mut builder = Builder {
                program,
                code: Code { ops: Vec::new(), places: 0, variables: Vec::new() },
                function: n as u32,
                homes: &mut homes,
                globals: &mut globals,
                addressed: &mut addressed,
                labels: HashMap::new(),
                gotos: Vec::new(),
                loops: Vec::new(),
                declared: Vec::new(),
            };
            parameters.iter().for_each(|p| builder.variable(*p));
            builder.block(body);
            builder.code.ops.push(Op::End);
            functions.push(builder.finish());
        }
        for (home, addressed) in homes.iter_mut().zip(addressed) {
            if let Some(home) = home
                && addressed
            {
                home.register = false;
            }
        }
        Codes { functions, homes, globals }
    }
}

impl<'p> Builder<'p, '_> {
    fn finish(mut self) -> Code<'p> {
        for (at, label) in std::mem::take(&mut self.gotos) {
            let target = self.labels.get(&label).copied().unwrap_or(NOWHERE);
            self.patch(at, target);
        }
        self.code
    }

    fn patch(&mut self, at: usize, to: usize) {
        match &mut self.code.ops[at] {
            Op::Branch(.., target)
            | Op::TestDown(.., target)
            | Op::TestUp(.., target)
            | Op::Jump(target)
            | Op::Leave(_, target) => *target = to,
            Op::Simple(_) | Op::Pass(_) | Op::End => {}
        }
    }

    fn here(&self) -> usize {
        self.code.ops.len()
    }

    fn push(&mut self, op: Op<'p>) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    fn block(&mut self, block: &'p [Stmt]) {
        let start = self.here();
        let around = std::mem::take(&mut self.declared);
        block.iter().for_each(|s| self.stmt(s));
        let scope = (start as u32, self.here() as u32);
        for v in std::mem::replace(&mut self.declared, around) {
            if let Some(home) = &mut self.homes[v.0 as usize] {
                home.scope = scope;
            }
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let branch = self.push(Op::Branch(stmt, condition, NOWHERE));
                self.block(then);
                if otherwise.is_empty() {
                    let end = self.here();
                    self.patch(branch, end);
                } else {
                    let jump = self.push(Op::Jump(NOWHERE));
                    let start = self.here();
                    self.patch(branch, start);
                    self.block(otherwise);
                    let end = self.here();
                    self.patch(jump, end);
                }
            }
            StmtKind::Loop(l) => self.repeat(stmt, l),
            StmtKind::Block(block) => {
                self.push(Op::Pass(stmt));
                self.block(block);
            }
            StmtKind::Label(id, _) => {
                self.labels.insert(*id, self.here());
                self.push(Op::Pass(stmt));
            }
            StmtKind::Skip => {
                self.push(Op::Pass(stmt));
            }
            StmtKind::Goto(label) => {
                let at = self.push(Op::Leave(stmt, NOWHERE));
                self.gotos.push((at, *label));
            }
            StmtKind::Break | StmtKind::Continue => {
                let at = self.push(Op::Leave(stmt, NOWHERE));
                if let Some((breaks, continues)) = self.loops.last_mut() {
                    if matches!(stmt.kind, StmtKind::Break) { breaks.push(at) } else { continues.push(at) }
                }
            }
            _ => {
                self.scan(stmt);
                self.push(Op::Simple(stmt));
            }
        }
    }

    fn repeat(&mut self, stmt: &'p Stmt, l: &'p Loop) {
        self.expr(&l.condition);
        self.push(Op::Pass(stmt));
        let head = self.here();
        let do_while = l.kind == LoopKind::DoWhile;
        let test = (!do_while).then(|| self.push(Op::TestDown(stmt, &l.condition, NOWHERE)));
        self.loops.push((Vec::new(), Vec::new()));
        self.block(&l.body);
        let (breaks, continues) = self.loops.pop().unwrap_or_default();
        let step = self.here();
        self.block(&l.step);
        if do_while {
            self.push(Op::TestUp(stmt, &l.condition, head));
        } else {
            self.push(Op::Jump(head));
        }
        let end = self.here();
        test.into_iter().chain(breaks).for_each(|at| self.patch(at, end));
        continues.into_iter().for_each(|at| self.patch(at, step));
    }

    fn variable(&mut self, v: VarId) {
        let index = v.0 as usize;
        if self.homes[index].is_some() {
            return;
        }
        let variable = self.program.variable(v);
        let global = variable.storage == Storage::Global;
        let list = if global { &mut *self.globals } else { &mut self.code.variables };
        list.push(v);
        let place = list.len() as u32 - 1;
        if !global {
            self.code.places = place + 1;
        }
        let register = variable.ty.is_scalar();
        let scope = (0, u32::MAX);
        self.homes[index] = Some(Home { place, global, register, function: self.function, scope });
        self.ty(&variable.ty);
    }

    fn ty(&mut self, ty: &crate::program::Type) {
        use crate::program::{Length, Type};
        match ty {
            Type::Pointer(to) => self.ty(to),
            Type::Array(element, length) => {
                if let Length::Variable(v) = length {
                    self.variable(*v);
                }
                self.ty(element);
            }
            _ => {}
        }
    }

    fn scan(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Declare(v) => {
                self.variable(*v);
                self.declared.push(*v);
            }
            StmtKind::Assign(lvalue, e) => {
                self.lvalue(lvalue, false);
                self.expr(e);
            }
            StmtKind::Input(lvalue, _) | StmtKind::Zero(lvalue) | StmtKind::Havoc(lvalue) => self.lvalue(lvalue, false),
            StmtKind::HavocReachable(all) => all.iter().for_each(|e| self.expr(e)),
            StmtKind::Blocks(blocks) => blocks.operands().for_each(|e| self.expr(e)),
            StmtKind::Presume(presumption) => presumption.operands().into_iter().for_each(|e| self.expr(e)),
            StmtKind::Allocate { target, element, count, .. } => {
                self.ty(element);
                self.lvalue(target, false);
                self.expr(count);
            }
            StmtKind::Call { target, callee, arguments } => {
                target.iter().for_each(|t| self.lvalue(t, false));
                if let Callee::Pointer(e) = callee {
                    self.expr(e);
                }
                arguments.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Return(Some(e)) | StmtKind::Assume(e) | StmtKind::Assert(e, _) => self.expr(e),
            StmtKind::Claim(claim) => claim.formula.each_place(&mut |place| match &place.root {
                Root::Variable(l) => self.lvalue(l, false),
                Root::Pointer { pointer, .. } => self.expr(pointer),
            }),
            _ => {}
        }
    }

    fn lvalue(&mut self, lvalue: &'p Lvalue, address: bool) {
        self.ty(&lvalue.ty);
        match &lvalue.base {
            Base::Var(v) => {
                self.variable(*v);
                self.addressed[v.0 as usize] |= address;
            }
            Base::Deref(p) => self.expr(p),
        }
        for step in &lvalue.path {
            if let Step::Index(i) = step {
                self.expr(i);
            }
        }
    }

    fn expr(&mut self, e: &'p Expr) {
        self.ty(&e.ty);
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load(lvalue) => self.lvalue(lvalue, false),
            ExprKind::AddressOf(lvalue) => self.lvalue(lvalue, true),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
        }
    }
}

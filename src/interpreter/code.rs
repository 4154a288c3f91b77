//! Translates functions into linear sequences of operations with jumps, so that runs need no
//! recursion and `goto` is an ordinary jump.

use crate::program::{
    Base, Expr, LabelId, Loop, LoopKind, Lvalue, Program, Root, Stmt, StmtKind, Storage, Term, Use, VarId, Visit,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// One operation.
#[derive(Clone, Copy)]
pub(super) enum Op<'p> {
    /// A statement that contains no others.
    Simple(&'p Stmt),
    /// A statement that is only passed: a block, a label, the beginning of a loop.
    Pass(&'p Stmt),
    /// `if`: goes on, or to the target if the condition is 0.
    Branch(&'p Stmt, &'p Expr, usize),
    /// The test of a loop: goes on, or to the target if the condition is 0.
    TestDown(&'p Stmt, &'p Expr, usize),
    /// The test of a `do` loop: goes to the target if the condition is not 0.
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
    /// The block that each operation lies in.
    pub(super) inside: Vec<u32>,
    /// The blocks at whose end the lifetime of objects that pointers may lead to ends; the whole
    /// body is first.
    pub(super) blocks: Vec<Extent>,
    /// How many places its variables need.
    pub(super) places: u32,
    /// Its variables, in the order of their places.
    pub(super) variables: Vec<VarId>,
}

/// A block of a function: a variable declared in it lives until control leaves it. An array of
/// variable length has a block of its own, which begins after its declaration and ends with the
/// enclosing block (C11 6.2.4p6-7).
pub(super) struct Extent {
    pub(super) around: u32,
    /// The number of the first operation, and that of the one after the last.
    pub(super) ops: (usize, usize),
    /// The objects whose lifetime ends with it.
    pub(super) objects: Vec<VarId>,
}

impl Extent {
    pub(super) fn contains(&self, op: usize) -> bool {
        (self.ops.0..self.ops.1).contains(&op)
    }
}

/// Where a variable is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Home {
    pub(super) place: u32,
    pub(super) global: bool,
    /// Whether it is a register: a scalar whose address is never taken; any other variable is an
    /// object in memory.
    pub(super) register: bool,
    /// Whether pointers may lead to it.
    pub(super) addressed: bool,
    /// The function that it belongs to (its number; unused for globals).
    pub(super) function: u32,
}

/// All functions of a program, ready to run. The initialisers come last.
pub(super) struct Codes<'p> {
    pub(super) functions: Vec<Code<'p>>,
    /// Where each variable is stored; `None` for variables that nothing mentions.
    pub(super) homes: Vec<Option<Home>>,
    /// The globals, in the order of their places.
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
    /// The variables whose earlier values some formula uses.
    kept: &'b mut Vec<bool>,
    labels: HashMap<LabelId, usize>,
    gotos: Vec<(usize, LabelId)>,
    /// Jumps out of open loops that wait for their target: `break`s and `continue`s.
    loops: Vec<(Vec<usize>, Vec<usize>)>,
    /// The innermost block.
    block: u32,
    /// The blocks that variables are declared in first.
    declared: BTreeMap<VarId, u32>,
    /// The blocks that variables are used in.
    uses: HashSet<(VarId, u32)>,
}

impl<'p> Codes<'p> {
    pub(super) fn new(program: &'p Program) -> Codes<'p> {
        let mut homes = vec![None; program.variables.len()];
        let mut addressed = vec![false; program.variables.len()];
        let mut kept = addressed.clone();
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
                code: Code {
                    ops: Vec::new(),
                    inside: Vec::new(),
                    blocks: Vec::new(),
                    places: 0,
                    variables: Vec::new(),
                },
                function: n as u32,
                homes: &mut homes,
                globals: &mut globals,
                addressed: &mut addressed,
                kept: &mut kept,
                labels: HashMap::new(),
                gotos: Vec::new(),
                loops: Vec::new(),
                block: 0,
                declared: BTreeMap::new(),
                uses: HashSet::new(),
            };
            parameters.iter().for_each(|p| builder.variable(p));
            builder.open();
            body.iter().for_each(|s| builder.emit(s));
            builder.push(Op::End);
            builder.close(0);
            builder.code.blocks[0].ops.1 = usize::MAX;
            functions.push(builder.finish());
        }
        for ((home, addressed), kept) in homes.iter_mut().zip(&addressed).zip(&kept) {
            if let Some(home) = home {
                home.addressed = *addressed;
                home.register &= !addressed && !kept;
            }
        }
        functions.iter_mut().for_each(|f| f.keep_blocks(&addressed));
        Codes { functions, homes, globals }
    }
}

impl Code<'_> {
    /// Keeps only blocks at whose end the lifetime of objects that pointers may lead to ends.
    fn keep_blocks(&mut self, addressed: &[bool]) {
        let mut kept: Vec<Extent> = Vec::new();
        let mut numbers: Vec<u32> = Vec::new();
        for mut block in std::mem::take(&mut self.blocks) {
            block.objects.retain(|v| addressed[v.0 as usize]);
            // Blocks come after those around them.
            block.around = numbers.get(block.around as usize).copied().unwrap_or(0);
            if kept.is_empty() || !block.objects.is_empty() {
                numbers.push(kept.len() as u32);
                kept.push(block);
            } else {
                numbers.push(block.around);
            }
        }
        self.blocks = kept;
        self.inside.iter_mut().for_each(|n| *n = numbers[*n as usize]);
    }
}

impl<'p> Builder<'p, '_> {
    fn finish(mut self) -> Code<'p> {
        // Programs that were derived from others, and smalti's own temporaries, may use a variable
        // outside of the block that declares it. It then lives as long as the call.
        let lasting: HashSet<VarId> =
            self.uses.iter().filter(|(v, at)| !self.is_inside(*v, *at)).map(|u| u.0).collect();
        for (v, block) in self.declared.iter().filter(|(v, _)| !lasting.contains(v)) {
            self.code.blocks[*block as usize].objects.push(*v);
        }
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
        self.code.inside.push(self.block);
        self.code.ops.len() - 1
    }

    /// Opens a block. Returns the enclosing one.
    fn open(&mut self) -> u32 {
        let here = self.here();
        self.code.blocks.push(Extent { around: self.block, ops: (here, here), objects: Vec::new() });
        std::mem::replace(&mut self.block, self.code.blocks.len() as u32 - 1)
    }

    /// Closes the blocks inside of one.
    fn close(&mut self, around: u32) {
        while self.block != around {
            let end = self.here();
            let block = &mut self.code.blocks[self.block as usize];
            block.ops.1 = end;
            self.block = block.around;
        }
    }

    /// Whether a block is that of a variable's declaration, or lies in it.
    fn is_inside(&self, v: VarId, mut block: u32) -> bool {
        let Some(declared) = self.declared.get(&v) else { return true };
        // Blocks come after those around them.
        while block > *declared {
            block = self.code.blocks[block as usize].around;
        }
        block == *declared
    }

    fn emit_block(&mut self, block: &'p [Stmt]) {
        let around = self.open();
        block.iter().for_each(|s| self.emit(s));
        self.close(around);
    }

    fn emit(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let branch = self.push(Op::Branch(stmt, condition, NOWHERE));
                self.emit_block(then);
                if otherwise.is_empty() {
                    let end = self.here();
                    self.patch(branch, end);
                } else {
                    let jump = self.push(Op::Jump(NOWHERE));
                    let start = self.here();
                    self.patch(branch, start);
                    self.emit_block(otherwise);
                    let end = self.here();
                    self.patch(jump, end);
                }
            }
            StmtKind::Loop(l) => self.repeat(stmt, l),
            StmtKind::Block(block) => {
                self.push(Op::Pass(stmt));
                self.emit_block(block);
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
            StmtKind::Declare(v) => self.declare(stmt, *v),
            _ => {
                self.parts(stmt);
                self.push(Op::Simple(stmt));
            }
        }
    }

    fn declare(&mut self, stmt: &'p Stmt, v: VarId) {
        self.home(v);
        self.push(Op::Simple(stmt));
        if self.declared.contains_key(&v) {
            self.uses.insert((v, self.block));
            return;
        }
        if self.program.variable(v).ty.has_variable_size() {
            self.open();
        }
        self.declared.insert(v, self.block);
    }

    fn repeat(&mut self, stmt: &'p Stmt, l: &'p Loop) {
        let do_while = l.kind == LoopKind::DoWhile;
        if !do_while {
            self.expr(&l.condition);
        }
        self.push(Op::Pass(stmt));
        let head = self.here();
        let test = (!do_while).then(|| self.push(Op::TestDown(stmt, &l.condition, NOWHERE)));
        self.loops.push((Vec::new(), Vec::new()));
        self.emit_block(&l.body);
        let (breaks, continues) = self.loops.pop().unwrap_or_default();
        let step = self.here();
        let around = self.open();
        l.step.iter().for_each(|s| self.emit(s));
        if do_while {
            // The step has computed what the condition reads.
            self.expr(&l.condition);
            self.push(Op::TestUp(stmt, &l.condition, head));
        }
        self.close(around);
        if !do_while {
            self.push(Op::Jump(head));
        }
        let end = self.here();
        test.into_iter().chain(breaks).for_each(|at| self.patch(at, end));
        continues.into_iter().for_each(|at| self.patch(at, step));
    }

    fn home(&mut self, v: VarId) {
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
        self.homes[index] = Some(Home { place, global, register, addressed: false, function: self.function });
        self.ty(&variable.ty);
    }
}

impl<'p> Visit<'p> for Builder<'p, '_> {
    fn lvalue(&mut self, l: &'p Lvalue, how: Use) {
        self.walk_lvalue(l);
        if let (Base::Var(v), Use::Address) = (&l.base, how) {
            self.addressed[v.0 as usize] = true;
        }
    }

    fn term(&mut self, t: &'p Term) {
        if let Term::At(_, place) = t
            && let Root::Variable(l) = &place.root
            && let Base::Var(v) = l.base
        {
            self.kept[v.0 as usize] = true;
        }
        self.walk_term(t);
    }

    fn variable(&mut self, v: &'p VarId) {
        self.home(*v);
        self.uses.insert((*v, self.block));
    }
}

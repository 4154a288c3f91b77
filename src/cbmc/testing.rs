//! Small programs for the tests of this module and of the stages, and the model checker for them.

use super::{Answer, Cbmc, Emitted, ModelChecker, Query, Tuning, find};
use crate::program::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The real CBMC, if there is one. A run of continuous integration must have it.
pub(crate) fn checker() -> Option<Cbmc> {
    crate::fuzz::or_skip(find(None))
}

/// CBMC's answer for a text with this bound of unwinding; `None` if there is no CBMC.
pub(crate) fn ask(emitted: &Emitted, unwind: u32) -> Option<Answer> {
    let query = Query {
        source: emitted.source.clone(),
        properties: emitted.properties.keys().cloned().collect(),
        data_model: DataModel::Lp64,
        big_endian: false,
        unwind,
        unwinding_assertions: true,
        stop_at_failure: false,
        tuning: Tuning::Plain,
    };
    Some(checker()?.run(&query, Instant::now() + Duration::from_secs(60)).expect("an answer"))
}

pub(crate) const AT: Location = Location { file: FileId(0), line: 1, column: 1 };
pub(crate) const LONG: Type = Type::Int(IntKind::Long);

/// Builds programs of one function `main`.
pub(crate) struct Build {
    pub(crate) program: Program,
}

impl Build {
    pub(crate) fn new() -> Build {
        let main = Function {
            name: "main".into(),
            origin: Origin::Source,
            parameters: Vec::new(),
            variadic: false,
            result: Type::INT,
            body: None,
            location: AT,
        };
        Build {
            program: Program {
                logic: Vec::new(),
                lemmas: Vec::new(),
                data_model: DataModel::Lp64,
                representation: crate::program::Representation::default(),
                sources: SourceMap { files: vec![SourceFile { name: "t.c".into(), text: "".into(), own: true }] },
                structs: Vec::new(),
                variables: Vec::new(),
                globals: Vec::new(),
                initialisers: Vec::new(),
                functions: vec![main],
                entry: FunctionId(0),
                assertions: Vec::new(),
                counters: Counters::default(),
                assumptions: Vec::new(),
                alone: false,
                malloc_may_fail: false,
                endings: Endings::default(),
                unset: Unset::default(),
                outside: BTreeMap::new(),
                library_inputs: BTreeMap::new(),
                elsewhere: BTreeSet::new(),
                block_names: BlockNames::default(),
                notes: Vec::new(),
                gaps: crate::program::Gaps::default(),
            },
        }
    }

    pub(crate) fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.program.add_variable(Variable {
            name: name.into(),
            origin: Origin::Source,
            ty,
            storage: Storage::Local,
            constant: false,
            location: AT,
        })
    }

    pub(crate) fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.program.counters.sites += 1;
        Stmt::new(kind, SiteId(self.program.counters.sites - 1), AT)
    }

    pub(crate) fn var(&self, v: VarId) -> Lvalue {
        Lvalue::var(&self.program, v, AT)
    }

    pub(crate) fn load(&self, v: VarId) -> Expr {
        Expr::load(self.var(v))
    }

    pub(crate) fn element(&self, array: VarId, index: Expr) -> Lvalue {
        let Type::Array(element, _) = &self.program.variable(array).ty else { panic!("no array") };
        let (ty, step) = ((**element).clone(), Step::Index(index.cast(LONG)));
        Lvalue { base: Base::Var(array), path: vec![step], ty, location: AT }
    }

    pub(crate) fn input(&mut self, target: Lvalue) -> Stmt {
        self.program.counters.inputs += 1;
        let id = InputId(self.program.counters.inputs - 1);
        self.stmt(StmtKind::Input(target, id))
    }

    pub(crate) fn assert(&mut self, condition: Expr) -> Stmt {
        let number = self.program.assertions.len() as u32;
        self.program.assertions.push(Assertion {
            id: format!("main.assertion.{}", number + 1),
            function: "main".into(),
            location: AT,
            condition: "?".into(),
            failure: None,
            unsupported: None,
        });
        self.stmt(StmtKind::Assert(condition, AssertionId(number)))
    }

    pub(crate) fn count_up(&mut self, i: VarId, to: Expr, body: Block) -> Stmt {
        let condition = op(BinaryOp::Less, self.load(i), to);
        let next = op(BinaryOp::Add, self.load(i), int(1));
        let step = vec![self.stmt(StmtKind::Assign(self.var(i), next))];
        let id = LoopId(self.program.counters.loops);
        self.program.counters.loops += 1;
        self.stmt(StmtKind::Loop(Box::new(Loop { id, kind: LoopKind::For, condition, body, step })))
    }

    pub(crate) fn finish(mut self, body: Block) -> Program {
        self.program.functions[0].body = Some(body);
        self.program
    }
}

pub(crate) fn int(n: i128) -> Expr {
    Expr::int(n, IntKind::Int, AT)
}

pub(crate) fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let ty = if op.is_comparison() { Type::INT } else { a.ty.clone() };
    Expr::binary(op, a, b, ty)
}

/// `int n = input; int a[n]; for (i = 0; i < n; i++) a[i] = input; assert(a[n / 2] != 7);`
pub(crate) fn reads_an_array() -> Program {
    let mut b = Build::new();
    let (n, i, len) = (b.local("n", Type::INT), b.local("i", Type::INT), b.local("len", LONG));
    b.program.variables[len.0 as usize].origin = Origin::Length;
    let a = b.local("a", Type::Array(Box::new(Type::INT), Length::Variable(len)));
    let mut body: Block = [n, i, len].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    body.push(b.input(b.var(n)));
    body.push(b.stmt(StmtKind::Assign(b.var(len), b.load(n).cast(LONG))));
    body.push(b.stmt(StmtKind::Declare(a)));
    body.push(b.stmt(StmtKind::Assign(b.var(i), int(0))));
    let fill = b.input(b.element(a, b.load(i)));
    let to = b.load(n);
    body.push(b.count_up(i, to, vec![fill]));
    // As in a source, the divisor comes after the dividend.
    let two = Expr { location: Location { column: 5, ..AT }, ..int(2) };
    let middle = Expr::load(b.element(a, op(BinaryOp::Div, b.load(n), two)));
    body.push(b.assert(op(BinaryOp::NotEqual, middle, int(7))));
    b.finish(body)
}

/// A program that reads and writes the last cell of a heap block of `n` cells, and reads one cell
/// beyond it if `beyond`.
pub(crate) fn uses_a_block(zeroed: bool, beyond: bool) -> Program {
    let mut b = Build::new();
    let (n, p) = (b.local("n", Type::INT), b.local("p", Type::INT.pointer_to()));
    let mut body: Block = [n, p].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    body.push(b.input(b.var(n)));
    let positive = op(BinaryOp::Greater, b.load(n), int(0));
    body.push(b.stmt(StmtKind::Assume(positive)));
    let (target, count) = (b.var(p), b.load(n).cast(LONG));
    body.push(b.stmt(StmtKind::Allocate { target, element: Type::INT, count, zeroed }));
    let at = if beyond { b.load(n) } else { op(BinaryOp::Sub, b.load(n), int(1)) };
    let sum = Expr::binary(BinaryOp::PointerAdd, b.load(p), at.cast(LONG), Type::INT.pointer_to());
    let cell = Lvalue { base: Base::Deref(Box::new(sum)), path: Vec::new(), ty: Type::INT, location: AT };
    body.push(b.assert(op(BinaryOp::NotEqual, Expr::load(cell.clone()), int(9))));
    body.push(b.stmt(StmtKind::Assign(cell.clone(), int(5))));
    body.push(b.assert(op(BinaryOp::Equal, Expr::load(cell), int(5))));
    b.finish(body)
}

//! Programs built by hand, for tests.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// The location of everything.
pub(crate) const AT: Location = Location { file: FileId(0), line: 1, column: 1 };

/// A program under construction; statements go to the innermost open block.
pub(crate) struct Build {
    pub(crate) program: Program,
    sites: u32,
}

pub(crate) fn build() -> Build {
    let program = Program {
        logic: Vec::new(),
        lemmas: Vec::new(),
        data_model: DataModel::Lp64,
        representation: crate::program::Representation::default(),
        sources: SourceMap::default(),
        structs: vec![],
        variables: vec![],
        globals: vec![],
        initialisers: vec![],
        functions: vec![],
        entry: FunctionId(0),
        assertions: vec![],
        counters: Counters::default(),
        assumptions: vec![],
        alone: false,
        malloc_may_fail: false,
        endings: Endings::default(),
        unset: Unset::default(),
        outside: BTreeMap::new(),
        library_inputs: BTreeMap::new(),
        elsewhere: BTreeSet::new(),
        block_names: BlockNames::default(),
        notes: vec![],
        gaps: crate::program::Gaps::default(),
    };
    Build { program, sites: 0 }
}

impl Build {
    pub(crate) fn var(&mut self, name: &str, ty: Type, storage: Storage) -> VarId {
        let (name, origin) = (name.into(), Origin::Source);
        self.program.add_variable(Variable { name, origin, ty, storage, constant: false, location: AT })
    }
    /// A local that the source does not know.
    pub(crate) fn hidden(&mut self, name: &str, origin: Origin, ty: Type) -> VarId {
        let (name, storage) = (name.into(), Storage::Local);
        self.program.add_variable(Variable { name, origin, ty, storage, constant: false, location: AT })
    }
    pub(crate) fn int(&mut self, name: &str) -> VarId {
        self.var(name, Type::INT, Storage::Local)
    }
    pub(crate) fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.sites += 1;
        Stmt::new(kind, SiteId(self.sites), AT)
    }
    pub(crate) fn set(&mut self, l: Lvalue, e: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(l, e))
    }
    pub(crate) fn l(&self, v: VarId) -> Lvalue {
        Lvalue::var(&self.program, v, AT)
    }
    pub(crate) fn x(&self, v: VarId) -> Expr {
        Expr::load(self.l(v))
    }
    pub(crate) fn cell(&self, v: VarId, i: Expr) -> Lvalue {
        let mut l = self.l(v);
        let Type::Array(element, _) = l.ty.clone() else { panic!("an array") };
        l.path.push(Step::Index(i.cast(Type::Int(IntKind::Long))));
        l.ty = *element;
        l
    }
    pub(crate) fn function(&mut self, name: &str, parameters: Vec<VarId>, result: Type, body: Block) -> FunctionId {
        self.program.functions.push(Function {
            name: name.into(),
            origin: Origin::Source,
            parameters,
            variadic: false,
            result,
            body: Some(body),
            location: AT,
        });
        FunctionId(self.program.functions.len() as u32 - 1)
    }
    pub(crate) fn main(mut self, body: Block) -> Program {
        self.program.entry = self.function("main", vec![], Type::INT, body);
        self.program
    }
}

pub(crate) fn n(value: i128) -> Expr {
    Expr::int(value, IntKind::Int, AT)
}

pub(crate) fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b, Type::INT)
}

pub(crate) fn while_loop(b: &mut Build, condition: Expr, body: Block, step: Block) -> Stmt {
    b.stmt(StmtKind::Loop(Box::new(Loop { id: LoopId(0), kind: LoopKind::For, condition, body, step })))
}

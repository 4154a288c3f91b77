//! Decides where the C text declares the storage of each variable.
//!
//! A variable of a `Program` is visible in its whole function, and gets new storage each time its
//! `Declare` executes. C ties names to blocks. A `Declare` becomes a declaration at its place if
//! every use lies in the rest of its block. Otherwise the variable is declared at the top of the
//! function. Types that mention a length variable cannot be written at the top (the length is not
//! known there): such variables are erased to `void *` and converted at each use.

use crate::program::{
    Block, Callee, Expr, ExprKind, FunctionId, LabelId, Length, Presumption, Program, Stmt, StmtKind, Storage, Type,
    VarId, Visit,
};
use std::collections::HashMap;

/// How the storage of a variable is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// Declared where its `Declare` stands: each execution gives a new object.
    Here,
    /// Declared at the top of its function, at file level or as a parameter.
    Top,
    /// Declared at the top or as a parameter as `void *`: for an array the address of the storage,
    /// for a pointer its value.
    Erased,
}

/// The placements of all variables of a program, and the functions that own them.
pub(super) struct Layout {
    /// By variable.
    pub(super) placements: Vec<Placement>,
    /// The function that each local or parameter belongs to (the first that mentions it).
    pub(super) owners: Vec<Option<FunctionId>>,
    /// The functions that are called or whose address is taken.
    pub(super) called: Vec<bool>,
    /// Whether the entry function can itself be C's `main`, with the start-up in its first lines.
    pub(super) entry_is_main: bool,
}

/// Statements of a function are numbered in the order of the text, so that "the rest of a block" is
/// an interval.
#[derive(Default)]
struct Scan {
    next: u32,
    uses: Vec<(VarId, u32)>,
    /// The `Declare` statements: first and last statement number where the declaration would be in
    /// scope.
    regions: HashMap<VarId, Vec<(u32, u32)>>,
    labels: HashMap<LabelId, u32>,
    gotos: Vec<(u32, LabelId)>,
    called: Vec<FunctionId>,
}

impl Scan {
    fn of(program: &Program, block: &Block) -> Scan {
        let mut scanner = Scanner { program, found: Scan::default() };
        scanner.block(block);
        scanner.found
    }
}

impl Layout {
    pub(super) fn new(program: &Program) -> Layout {
        let count = program.variables.len();
        let called = vec![false; program.functions.len()];
        let mut layout =
            Layout { placements: vec![Placement::Top; count], owners: vec![None; count], called, entry_is_main: false };
        let scan = Scan::of(program, &program.initialisers);
        layout.call(&scan);
        for (n, function) in program.functions.iter().enumerate() {
            let id = FunctionId(n as u32);
            for p in &function.parameters {
                layout.own(*p, id);
            }
            if let Some(body) = &function.body {
                let scan = Scan::of(program, body);
                for (v, _) in &scan.uses {
                    layout.own(*v, id);
                }
                layout.call(&scan);
                layout.place(program, &scan);
            }
        }
        let entry = program.function(program.entry);
        let called = layout.called[program.entry.0 as usize];
        layout.entry_is_main = entry.name == "main" && entry.parameters.is_empty() && entry.body.is_some() && !called;
        for (index, variable) in program.variables.iter().enumerate() {
            let parameter = variable.storage == Storage::Parameter;
            let variable_type = variable.ty.is_variably_modified();
            if variable_type && parameter {
                let owner = layout.owners[index].map(|f| &program.function(f).parameters);
                let known = owner.is_some_and(|all| lengths_are_earlier(all, VarId(index as u32), &variable.ty));
                layout.placements[index] = if known { Placement::Top } else { Placement::Erased };
            } else if variable_type
                && (layout.placements[index] == Placement::Top || !matches!(variable.ty, Type::Array(..)))
            {
                // The lengths in a pointer's target type may be known only after its declaration
                // (those of an inlined parameter).
                layout.placements[index] = Placement::Erased;
            }
        }
        layout
    }

    fn own(&mut self, v: VarId, function: FunctionId) {
        self.owners[v.0 as usize].get_or_insert(function);
    }

    fn call(&mut self, scan: &Scan) {
        scan.called.iter().for_each(|f| self.called[f.0 as usize] = true);
    }

    fn place(&mut self, program: &Program, scan: &Scan) {
        let mut uses: HashMap<VarId, Vec<u32>> = HashMap::new();
        for &(v, at) in &scan.uses {
            uses.entry(v).or_default().push(at);
        }
        let jumps: Vec<(u32, u32)> =
            scan.gotos.iter().filter_map(|(from, label)| Some((*from, *scan.labels.get(label)?))).collect();
        for (v, regions) in &scan.regions {
            let mut regions = regions.clone();
            regions.sort_unstable();
            let disjoint = regions.windows(2).all(|w| w[0].1 < w[1].0);
            let covers = |at: u32| {
                let n = regions.partition_point(|r| r.0 <= at);
                n > 0 && at <= regions[n - 1].1
            };
            let covered = uses.get(v).is_none_or(|all| all.iter().all(|&at| covers(at)));
            // After a jump past the declaration from outside, the variable holds old values in the
            // program but none in C. C forbids such a jump for variably modified types.
            let inside = |n: u32| covers(n).then(|| regions.partition_point(|r| r.0 <= n));
            let jumped_into = jumps.iter().any(|&(from, to)| inside(to).is_some() && inside(to) != inside(from));
            if program.variable(*v).storage == Storage::Local && disjoint && covered && !jumped_into {
                self.placements[v.0 as usize] = Placement::Here;
            }
        }
    }
}

/// Whether every length in the type of a parameter is a parameter before it.
fn lengths_are_earlier(parameters: &[VarId], v: VarId, ty: &Type) -> bool {
    match ty {
        Type::Pointer(to) => lengths_are_earlier(parameters, v, to),
        Type::Array(element, length) => {
            let known = match length {
                Length::Variable(n) => {
                    let place = |x| parameters.iter().position(|&p| p == x);
                    place(*n).zip(place(v)).is_some_and(|(a, b)| a < b)
                }
                _ => true,
            };
            known && lengths_are_earlier(parameters, v, element)
        }
        _ => true,
    }
}

/// Numbers the statements of a function, and notes where variables are used.
struct Scanner<'p> {
    program: &'p Program,
    found: Scan,
}

impl Scanner<'_> {
    /// Notes a place where the text contains the type, and so the lengths in it.
    fn written(&mut self, ty: &Type) {
        let at = self.found.next;
        self.found.uses.extend(ty.lengths().map(|v| (v, at)));
    }
}

impl<'p> Visit<'p> for Scanner<'p> {
    fn block(&mut self, block: &'p Block) {
        let mut declared = Vec::new();
        for s in block {
            self.found.next += 1;
            if let StmtKind::Declare(v) = &s.kind {
                declared.push((*v, self.found.next));
            }
            self.stmt(s);
        }
        for (v, first) in declared {
            self.found.regions.entry(v).or_default().push((first, self.found.next));
        }
    }

    fn parts(&mut self, s: &'p Stmt) {
        let at = self.found.next;
        match &s.kind {
            // The text may say what ends.
            StmtKind::Presume(Presumption::Freed(_)) => {}
            // Not in the text.
            StmtKind::Presume(_) => return,
            StmtKind::Label(id, _) => _ = self.found.labels.insert(*id, at),
            StmtKind::Goto(id) => self.found.gotos.push((at, *id)),
            StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => self.written(&l.ty),
            StmtKind::Allocate { element, .. } => self.written(element),
            StmtKind::Call { callee: Callee::Pointer(_), arguments, .. } => {
                arguments.iter().for_each(|a| self.written(&a.ty));
            }
            _ => {}
        }
        self.walk_parts(s);
    }

    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::Int(_) | ExprKind::Cast(_) = e.kind {
            self.written(&e.ty);
        }
        self.walk_expr(e);
    }

    fn ty(&mut self, _: &'p Type) {}

    /// A mention of a variable may write its type.
    fn variable(&mut self, v: &'p VarId) {
        self.found.uses.push((*v, self.found.next));
        self.written(&self.program.variable(*v).ty);
    }

    fn function(&mut self, f: &'p FunctionId) {
        self.found.called.push(*f);
    }
}

//! Replaces calls by the bodies of the functions called, so that later stages see one function.
//!
//! Every call of a function with a body gets its own copy, with its own variables and labels: the
//! analysis is context-sensitive by call string. Statements, loops, inputs and assertions keep
//! their identity, so that results for a copy are reported for the original. Some calls stay:
//! recursion, calls through pointers (unless [`resolve`] knows where they lead), external
//! functions, and calls beyond the size limit. The analysis lets such a call change everything it
//! can reach.
//!
//! **Why it is sound.** A call executes the declaration of each parameter (a new object), assigns
//! the arguments to them in order, and executes the body, where `return e` assigns `e` to the
//! result variable and jumps to the end of the body. The arguments are free of side effects and
//! mention no variable of the copy, since each call site has its own copy.

mod copy;
mod resolve;
mod size;

use crate::program::{
    Assumption, Block, Callee, Counters, Expr, ExprKind, Fold, Function, FunctionId, Lvalue, Origin, Program, SiteId,
    Stmt, StmtKind, Storage, VarId, Variable,
};
use copy::Copier;
pub use resolve::resolve;
pub use size::is_too_large;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;

/// The most statements that inlining may make in total.
pub const MAX_STATEMENTS: usize = 400_000;

/// A program whose entry function contains what it calls.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The program; functions other than the entry are unchanged.
    pub program: Program,
    /// The variables that belong to copies of called functions.
    pub copied_variables: HashSet<VarId>,
    /// The functions that some call left in place may execute: what holds inside them cannot be
    /// derived from the copies. Closed under calling.
    pub called_opaquely: BTreeSet<FunctionId>,
    /// The assumptions about the calls that were left in place.
    pub left: BTreeSet<Assumption>,
    /// A replaced call has the checks of the assignments that replace it. For the copy of each
    /// parameter, and for the result variable: the number (in the order of the call's checks) of
    /// the first check of its assignment. The key also has the call's site, because the body of the
    /// function may assign and read the same variables.
    pub first_check: HashMap<(SiteId, VarId), u32>,
}

impl Inlined {
    /// What to add to the number of a check of `stmt` to get its number in the statement of the
    /// source.
    pub fn check_offset(&self, stmt: &Stmt) -> u32 {
        let StmtKind::Assign(to, from) = &stmt.kind else { return 0 };
        let mut from = from;
        while let ExprKind::Cast(a) = &from.kind {
            from = a;
        }
        let source = match &from.kind {
            ExprKind::Load(l) => l.as_var(),
            _ => None,
        };
        let of = |v: Option<VarId>| v.and_then(|v| self.first_check.get(&(stmt.site, v))).copied();
        of(to.as_var()).or_else(|| of(source)).unwrap_or(0)
    }
}

/// Inlines calls into the entry function of `program`.
pub fn inline(program: &Program) -> Inlined {
    let entry = program.entry;
    let mut inliner = Inliner {
        source: program,
        variables: program.variables.clone(),
        counters: program.counters,
        copied: HashSet::new(),
        opaque: BTreeSet::new(),
        left: BTreeSet::new(),
        first_check: HashMap::new(),
        offsets: check_offsets(program),
        call_string: vec![entry],
        made: 0,
    };
    let body = program.function(entry).body.as_ref().map(|b| inliner.rebuilt(b));
    let initialisers = inliner.rebuilt(&program.initialisers);
    let Inliner { variables, counters, copied, mut opaque, left, first_check, .. } = inliner;
    close_under_calls(program, &mut opaque);
    let mut result = program.clone();
    result.variables = variables;
    result.counters = counters;
    result.initialisers = initialisers;
    result.functions[entry.0 as usize].body = body;
    Inlined { program: result, copied_variables: copied, called_opaquely: opaque, left, first_check }
}

struct Inliner<'p> {
    source: &'p Program,
    variables: Vec<Variable>,
    counters: Counters,
    copied: HashSet<VarId>,
    opaque: BTreeSet<FunctionId>,
    left: BTreeSet<Assumption>,
    first_check: HashMap<(SiteId, VarId), u32>,
    /// For each call of the source: the number of the first check of each argument, and of the
    /// first check after the arguments.
    offsets: HashMap<SiteId, Vec<u32>>,
    call_string: Vec<FunctionId>,
    made: usize,
}

impl Fold for Inliner<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, stmt: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        self.made += 1;
        match &stmt.kind {
            StmtKind::Call { target, callee: Callee::Function(f), arguments } => {
                let function = self.source.function(*f);
                if let Some(body) = self.body_to_inline(*f, function) {
                    self.call(stmt, target.as_ref(), *f, function, body, arguments, out);
                    return Ok(());
                }
            }
            StmtKind::Call { callee: Callee::Pointer(_), .. } => {
                self.left.insert(Assumption::new(
                    "a call through a function pointer may do anything that its callees could",
                ));
                self.opaque.extend(self.source.address_taken_functions());
            }
            _ => {}
        }
        self.fold_inside(stmt, out)
    }
}

impl<'p> Inliner<'p> {
    /// The body, if the call is to be replaced by it; otherwise notes the call that is left in
    /// place.
    fn body_to_inline(&mut self, id: FunctionId, function: &'p Function) -> Option<&'p Block> {
        if function.origin == Origin::Contract {
            // A contract does not say whom the function calls.
            self.opaque.extend(self.source.address_taken_functions());
        }
        let Some(body) = &function.body else {
            self.left.insert(Assumption::about("an external function changes only what it can reach", &function.name));
            if self.source.functions.iter().any(|f| f.body.is_some()) {
                // It may call back whatever has its address taken.
                self.opaque.extend(self.source.address_taken_functions());
            }
            return None;
        };
        let reason = if self.call_string.contains(&id) {
            "recursive calls of a function are not followed".to_owned()
        } else if self.made > MAX_STATEMENTS {
            format!("calls beyond {MAX_STATEMENTS} statements are not followed")
        } else if function.variadic {
            "a variadic function is not followed".to_owned()
        } else {
            return Some(body);
        };
        self.left.insert(Assumption::about(reason, &function.name));
        self.opaque.insert(id);
        None
    }

    fn call(
        &mut self,
        call: &Stmt,
        target: Option<&Lvalue>,
        id: FunctionId,
        function: &Function,
        body: &Block,
        arguments: &[Expr],
        out: &mut Block,
    ) {
        let mut copier = Copier::new(self.source, &mut self.variables, &mut self.counters, &mut self.copied);
        let parameters: Vec<VarId> = function.parameters.iter().map(|p| copier.copy_of(*p)).collect();
        let result =
            (function.result.is_scalar() || matches!(function.result, crate::program::Type::Struct(_))).then(|| {
                copier.fresh(Variable {
                    name: format!("result_of_{}", function.name),
                    origin: Origin::ResultOf(id),
                    ty: function.result.clone(),
                    storage: Storage::Local,
                    constant: false,
                    location: call.location,
                })
            });
        let end = copier.fresh_label();
        let (copied, jumps) = copier.body(body, result, end);

        if let Some(offsets) = self.offsets.get(&call.site) {
            for (p, offset) in parameters.iter().zip(offsets) {
                self.first_check.insert((call.site, *p), *offset);
            }
            if let (Some(r), Some(last)) = (result, offsets.last()) {
                self.first_check.insert((call.site, r), *last);
            }
        }
        let mut inside = Vec::new();
        for (n, p) in parameters.iter().enumerate() {
            inside.push(call.with(StmtKind::Declare(*p)));
            if let Some(argument) = arguments.get(n) {
                let lvalue = Lvalue {
                    base: crate::program::Base::Var(*p),
                    path: Vec::new(),
                    ty: self.variables[p.0 as usize].ty.clone(),
                    location: argument.location,
                };
                let value = argument.clone().cast(lvalue.ty.clone());
                inside.push(call.with(StmtKind::Assign(lvalue, value)));
            }
        }
        if let Some(r) = result {
            inside.push(call.with(StmtKind::Declare(r)));
        }
        self.call_string.push(id);
        // Statement by statement, so that calls inside the copy are inlined too.
        inside.extend(self.rebuilt(&copied));
        self.call_string.pop();
        if jumps {
            inside.push(call.with(StmtKind::Label(end, format!("end_of_{}", function.name))));
        }
        if let (Some(target), Some(r)) = (target, result) {
            let from = Lvalue {
                base: crate::program::Base::Var(r),
                path: Vec::new(),
                ty: function.result.clone(),
                location: call.location,
            };
            let value = Expr::load(from).cast(target.ty.clone());
            inside.push(call.with(StmtKind::Assign(target.clone(), value)));
        }
        out.push(call.with(StmtKind::Block(inside)));
    }
}

fn check_offsets(program: &Program) -> HashMap<SiteId, Vec<u32>> {
    let mut found = HashMap::new();
    program.each_stmt(|s| {
        let StmtKind::Call { arguments, .. } = &s.kind else { return };
        let mut offsets = vec![0];
        for argument in arguments {
            let alone = s.with(StmtKind::Assume(argument.clone()));
            let checks = crate::program::checks_of(program, &alone).len() as u32;
            offsets.push(offsets.last().unwrap_or(&0) + checks);
        }
        found.insert(s.site, offsets);
    });
    found
}

fn close_under_calls(program: &Program, functions: &mut BTreeSet<FunctionId>) {
    let mut open: Vec<FunctionId> = functions.iter().copied().collect();
    while let Some(f) = open.pop() {
        let Some(body) = &program.function(f).body else { continue };
        crate::program::each_stmt(body, &mut |s| {
            if let StmtKind::Call { callee, .. } = &s.kind {
                match callee {
                    Callee::Function(g) => {
                        if functions.insert(*g) {
                            open.push(*g);
                        }
                    }
                    Callee::Pointer(_) => {
                        open.extend(program.address_taken_functions().into_iter().filter(|f| functions.insert(*f)));
                    }
                }
            }
        });
    }
}

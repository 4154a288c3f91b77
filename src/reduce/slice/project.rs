//! Builds the program of a slice: its statements, in the structure that they have in the text.

use super::closure::{Closure, Level};
use super::conditions::chain;
use crate::program::{
    Block, Callee, Counters, Expr, ExprKind, Function, FunctionId, InputId, IntKind, LabelId, Location, Loop, LoopKind,
    Lvalue, Origin, Part, Program, SiteId, Stmt, StmtKind, Storage, Type, VarId, Variable, each_expr, each_part,
    each_stmt,
};
use crate::reduce::dependence::{Dependence, NodeId, Role, StmtNodes};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Projected {
    pub(super) program: Program,
    pub(super) choices: BTreeMap<InputId, NodeId>,
    pub(super) loops: BTreeSet<NodeId>,
    pub(super) bounded: BTreeSet<NodeId>,
}

struct Projection<'c, 'd, 'p> {
    graph: &'d Dependence<'p>,
    closure: &'c Closure<'d, 'p>,
    /// By function: whether calling it may change anything that the slice depends on.
    acts: Vec<bool>,
    /// The labels that kept jumps lead to.
    aimed: BTreeSet<LabelId>,
    variables: Vec<Variable>,
    counters: Counters,
    choices: BTreeMap<InputId, NodeId>,
    loops: BTreeSet<NodeId>,
    bounded: BTreeSet<NodeId>,
}

pub(super) fn project(graph: &Dependence<'_>, closure: &Closure<'_, '_>) -> Projected {
    let source = graph.program;
    let mut aimed = BTreeSet::new();
    for n in 0..graph.len() as NodeId {
        if let Role::Jump(Stmt { kind: StmtKind::Goto(label), .. }) = graph.role(n)
            && closure.level[n as usize] != Level::Out
        {
            aimed.insert(*label);
        }
    }
    let mut projection = Projection {
        graph,
        closure,
        acts: acts(graph, closure),
        aimed,
        variables: source.variables.clone(),
        counters: source.counters,
        choices: BTreeMap::new(),
        loops: BTreeSet::new(),
        bounded: BTreeSet::new(),
    };
    let initialisers = projection.block(&source.initialisers);
    let bodies: Vec<Option<Block>> =
        source.functions.iter().map(|f| f.body.as_ref().map(|b| projection.block(b))).collect();
    let Projection { variables, counters, choices, loops, bounded, .. } = projection;
    let mut program = Program {
        logic: source.logic.clone(),
        lemmas: source.lemmas.clone(),
        data_model: source.data_model,
        representation: source.representation,
        sources: source.sources.clone(),
        structs: source.structs.clone(),
        variables,
        globals: Vec::new(),
        initialisers,
        functions: Vec::new(),
        entry: source.entry,
        assertions: source.assertions.clone(),
        counters,
        assumptions: source.assumptions.clone(),
        alone: source.alone,
        malloc_may_fail: source.malloc_may_fail,
        endings: source.endings.clone(),
        unset: source.unset.clone(),
        outside: source.outside.clone(),
        library_inputs: source.library_inputs.clone(),
        elsewhere: source.elsewhere.clone(),
        block_names: source.block_names.clone(),
        notes: source.notes.clone(),
        gaps: source.gaps.clone(),
    };
    let needed = needed(graph, &program.initialisers, &bodies);
    program.functions = (source.functions.iter().zip(bodies).enumerate())
        .map(|(n, (f, body))| Function {
            name: f.name.clone(),
            origin: f.origin,
            parameters: f.parameters.clone(),
            variadic: f.variadic,
            result: f.result.clone(),
            body: body.filter(|_| needed.contains(&n)),
            location: f.location,
        })
        .collect();
    forget_variables(source, &mut program);
    Projected { program, choices, loops, bounded }
}

/// The functions that kept statements may call.
fn needed(graph: &Dependence<'_>, initialisers: &Block, bodies: &[Option<Block>]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open: Vec<FunctionId> = vec![graph.program.entry];
    let visit = |block: &Block, open: &mut Vec<FunctionId>| {
        each_stmt(block, &mut |s| {
            if let StmtKind::Call { callee: Callee::Function(f), .. } = &s.kind {
                open.push(*f);
            }
            each_expr(s, &mut |e| {
                if let ExprKind::FunctionAddress(f) = e.kind {
                    open.push(f);
                }
            });
        });
    };
    visit(initialisers, &mut open);
    while let Some(f) = open.pop() {
        if found.insert(f.0 as usize)
            && let Some(Some(body)) = bodies.get(f.0 as usize)
        {
            visit(body, &mut open);
        }
    }
    found
}

/// Removes the storage of variables that nothing mentions.
fn forget_variables(source: &Program, program: &mut Program) {
    let mut mentioned = BTreeSet::new();
    let visit = |s: &Stmt| {
        each_part(s, &mut |part| match part {
            Part::Expr(e) => e.ty.lengths().for_each(|v| {
                mentioned.insert(v);
            }),
            Part::Lvalue(l, _) => {
                l.ty.lengths().for_each(|v| {
                    mentioned.insert(v);
                });
                if let crate::program::Base::Var(v) = l.base {
                    mentioned.insert(v);
                }
            }
        });
        if let StmtKind::Declare(v) = s.kind {
            mentioned.insert(v);
        }
        if let StmtKind::Allocate { element, .. } = &s.kind {
            element.lengths().for_each(|v| {
                mentioned.insert(v);
            });
        }
    };
    program.each_stmt(visit);
    for f in program.functions.iter().filter(|f| f.body.is_some()) {
        mentioned.extend(&f.parameters);
    }
    let mut open: Vec<VarId> = mentioned.iter().copied().collect();
    while let Some(v) = open.pop() {
        program.variable(v).ty.lengths().for_each(|n| {
            if mentioned.insert(n) {
                open.push(n);
            }
        });
    }
    for (n, variable) in program.variables.iter_mut().enumerate() {
        if !mentioned.contains(&VarId(n as u32)) {
            variable.ty = Type::INT;
        }
    }
    program.globals = source.globals.iter().copied().filter(|g| mentioned.contains(g)).collect();
}

/// Whether calls of each function may change anything that the slice depends on.
fn acts(graph: &Dependence<'_>, closure: &Closure<'_, '_>) -> Vec<bool> {
    let mut acts = vec![false; graph.program.functions.len()];
    let mut calls = Vec::new();
    for n in 0..graph.len() as NodeId {
        let Some(f) = graph.function_of(n).filter(|_| closure.level[n as usize] != Level::Out) else { continue };
        acts[f.0 as usize] |= closure.is_criterion(n);
        match graph.role(n) {
            Role::Plain(Stmt { kind: StmtKind::Declare(_), .. })
            | Role::Entry
            | Role::Exit
            | Role::Label
            | Role::Predicate(_)
            | Role::Argument(..) => {}
            Role::Jump(s) => acts[f.0 as usize] |= matches!(s.kind, StmtKind::Stop),
            Role::Call(s) if !graph.is_opaque(s) => calls.push((f, graph.callees(s))),
            Role::Call(_) | Role::Assume(_) | Role::Plain(_) => acts[f.0 as usize] = true,
            // The target of the result may be visible outside.
            Role::Result(_) => acts[f.0 as usize] = true,
        }
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (f, called) in &calls {
            if !acts[f.0 as usize] && called.iter().any(|g| acts[g.0 as usize]) {
                acts[f.0 as usize] = true;
                changed = true;
            }
        }
    }
    acts
}

impl Projection<'_, '_, '_> {
    fn level(&self, node: Option<NodeId>) -> Level {
        node.map_or(Level::Out, |n| self.closure.level[n as usize])
    }

    /// Whether it is a statement that was asked about. The operands of its checks are evaluated
    /// even if nothing else depends on them.
    fn asked(&self, node: Option<NodeId>) -> bool {
        node.is_some_and(|n| self.closure.is_criterion(n))
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut out = Block::new();
        for stmt in block {
            self.stmt(stmt, &mut out);
        }
        out
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Block) {
        let nodes = self.graph.nodes_of(stmt).cloned().unwrap_or_default();
        let (level, asked) = (self.level(nodes.main), self.asked(nodes.main));
        let put = |kind: StmtKind| stmt.with(kind);
        match &stmt.kind {
            StmtKind::If(condition, a, b) => self.branch(stmt, nodes.main, (condition, a, b), out),
            StmtKind::Loop(l) => self.repeat(stmt, nodes.main, l, out),
            StmtKind::Block(b) => {
                let inner = self.block(b);
                if only_labels(&inner) {
                    out.extend(inner);
                } else {
                    out.push(put(StmtKind::Block(inner)));
                }
            }
            StmtKind::Label(label, _) => {
                if self.aimed.contains(label) {
                    out.push(stmt.clone());
                }
            }
            StmtKind::Call { target, callee, arguments } => {
                self.call(stmt, &nodes, target.as_ref(), callee, arguments, out);
            }
            StmtKind::Return(Some(e)) => match level {
                Level::Out => {}
                Level::Way => out.push(put(StmtKind::Return(Some(anything(&e.ty, e.location))))),
                Level::Whole => out.push(stmt.clone()),
            },
            StmtKind::Assert(..) => {
                if asked {
                    out.push(stmt.clone());
                }
            }
            StmtKind::Claim(claim) if claim.role.assertion().is_some() => {
                if asked {
                    out.push(stmt.clone());
                }
            }
            StmtKind::Assume(condition) if level == Level::Way => {
                out.push(put(StmtKind::Assume(self.partly(nodes.main, condition, None))));
            }
            StmtKind::Assume(_) | StmtKind::Claim(_) => {
                if level == Level::Whole {
                    out.push(stmt.clone());
                }
            }
            StmtKind::Skip => {}
            _ => {
                if level != Level::Out {
                    out.push(stmt.clone());
                }
            }
        }
    }

    fn branch(
        &mut self,
        stmt: &Stmt,
        node: Option<NodeId>,
        (condition, a, b): (&Expr, &Block, &Block),
        out: &mut Block,
    ) {
        let (a, b) = (self.block(a), self.block(b));
        if only_labels(&a) && only_labels(&b) && !self.asked(node) {
            out.extend(a.into_iter().chain(b));
            return;
        }
        let condition = match self.level(node) {
            Level::Whole => condition.clone(),
            _ => {
                let v = self.choice(node, stmt.location, out);
                let input = self.choose(v, stmt.location);
                out.push(input);
                self.partly(node, condition, Some(load(v, stmt.location)))
            }
        };
        out.push(stmt.with(StmtKind::If(condition, a, b)));
    }

    fn repeat(&mut self, stmt: &Stmt, node: Option<NodeId>, l: &Loop, out: &mut Block) {
        let (body, mut step) = (self.block(&l.body), self.block(&l.step));
        if only_labels(&body) && only_labels(&step) && !self.asked(node) {
            out.extend(body.into_iter().chain(step));
            return;
        }
        let (mut kind, mut condition) = (l.kind, l.condition.clone());
        if self.level(node) != Level::Whole {
            match node.is_some_and(|n| self.closure.parts.contains_key(&n)) {
                true => self.bounded.extend(node),
                false => self.loops.extend(node),
            }
            let v = self.choice(node, stmt.location, out);
            // The choice is made anew before each test: `continue` goes to the step.
            let input = self.choose(v, stmt.location);
            if l.kind != LoopKind::DoWhile {
                out.push(input.clone());
                kind = LoopKind::For;
            }
            step.push(input);
            condition = self.partly(node, &l.condition, Some(load(v, stmt.location)));
        }
        let l = Loop { id: l.id, kind, condition, body, step };
        out.push(stmt.with(StmtKind::Loop(Box::new(l))));
    }

    fn call(
        &mut self,
        stmt: &Stmt,
        nodes: &StmtNodes,
        target: Option<&Lvalue>,
        callee: &Callee,
        arguments: &[Expr],
        out: &mut Block,
    ) {
        let level = self.level(nodes.main);
        let result = self.level(nodes.result) == Level::Whole;
        let opaque = self.graph.is_opaque(stmt);
        let acts = self.asked(nodes.main) || opaque || self.graph.callees(stmt).iter().any(|f| self.acts[f.0 as usize]);
        if level == Level::Out || !(acts || result) {
            return;
        }
        let argument = |(n, a): (usize, &Expr)| {
            let counts = opaque || self.level(nodes.arguments.get(n).copied()) == Level::Whole;
            if counts { a.clone() } else { anything(&a.ty, a.location) }
        };
        let kind = StmtKind::Call {
            target: target.filter(|_| result).cloned(),
            callee: callee.clone(),
            arguments: arguments.iter().enumerate().map(argument).collect(),
        };
        out.push(stmt.with(kind));
    }

    /// Builds a condition of which some parts are kept, and `choice` stands for the others. Without
    /// a choice the others are left out.
    ///
    /// In a run of the program let the choice be the value `w` of the whole condition. The slice
    /// then evaluates the kept parts that the program evaluated, and no others, and its result is
    /// `w`. For parts joined by `&&`: up to the first part that is not kept both do the same. There
    /// a choice of 0 ends the evaluation. With 1, all parts were evaluated, and were not 0. For
    /// `||` it is the other way round.
    fn partly(&self, node: Option<NodeId>, condition: &Expr, choice: Option<Expr>) -> Expr {
        let kept = node.and_then(|n| self.closure.parts.get(&n));
        let mut parts: Vec<Expr> = Vec::new();
        let mut chosen = false;
        for (k, part) in chain(condition).into_iter().enumerate() {
            if kept.is_some_and(|all| all.contains(&k)) {
                parts.push(part.clone());
            } else if !std::mem::replace(&mut chosen, true) {
                parts.extend(choice.clone());
            }
        }
        let and = matches!(condition.kind, ExprKind::And(..));
        let join = |a: Expr, b: Expr| {
            let kind =
                if and { ExprKind::And(Box::new(a), Box::new(b)) } else { ExprKind::Or(Box::new(a), Box::new(b)) };
            Expr::new(kind, Type::INT, condition.location)
        };
        parts.into_iter().reduce(join).or(choice).unwrap_or_else(|| Expr::int(1, IntKind::Int, condition.location))
    }

    /// Declares a variable to choose with.
    fn choice(&mut self, node: Option<NodeId>, at: Location, out: &mut Block) -> VarId {
        let id = VarId(self.variables.len().try_into().expect("fewer than 2^32 variables"));
        let ty = Type::Int(IntKind::Bool);
        self.variables.push(Variable {
            name: "any".to_owned(),
            origin: Origin::Choice,
            ty,
            storage: Storage::Local,
            constant: false,
            location: at,
        });
        let input = InputId(self.counters.inputs);
        self.counters.inputs += 1;
        self.choices.extend(node.map(|n| (input, n)));
        out.push(self.fresh(StmtKind::Declare(id), at));
        id
    }

    /// Writes the statement that makes a choice.
    fn choose(&mut self, v: VarId, at: Location) -> Stmt {
        let input = InputId(self.counters.inputs - 1);
        let target =
            Lvalue { base: crate::program::Base::Var(v), path: Vec::new(), ty: Type::Int(IntKind::Bool), location: at };
        self.fresh(StmtKind::Input(target, input), at)
    }

    fn fresh(&mut self, kind: StmtKind, location: Location) -> Stmt {
        let site = SiteId(self.counters.sites);
        self.counters.sites += 1;
        Stmt::new(kind, site, location)
    }
}

fn load(v: VarId, location: Location) -> Expr {
    let ty = Type::Int(IntKind::Bool);
    Expr::load(Lvalue { base: crate::program::Base::Var(v), path: Vec::new(), ty, location })
}

/// An arbitrary value of a scalar type, for places whose value does not count.
fn anything(ty: &Type, location: Location) -> Expr {
    let kind = match ty {
        Type::Float(_) => ExprKind::Float("0.0".to_owned()),
        _ => ExprKind::Int(0),
    };
    Expr::new(kind, ty.clone(), location)
}

fn only_labels(block: &Block) -> bool {
    block.iter().all(|s| matches!(s.kind, StmtKind::Label(..)))
}

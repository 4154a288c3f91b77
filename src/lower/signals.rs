//! Signals (C11 7.14): a handler may run between any two accesses of the program.
//!
//! What handlers write, and what the functions that they call write, may change at any time. So
//! where the program reads such an object, the value is the one that it holds, or any other. If
//! that is an object to which pointers may lead, reads through pointers are like this, too; if
//! handlers write through pointers, or run code that is not known, all reads of what that can reach
//! are. Handlers are executed once where the program starts, in a state of which nothing is known:
//! there, what must hold in them is decided for every state in which they may run.
//!
//! **Sound**: a handler changes what the program does by what it writes, or by ending the program,
//! or by `longjmp`, which `src/lower/jumps.rs` covers. Every value that it may write is among those
//! that a read has. These are more values than handlers can write, so no run is followed there
//! ([`Presumption::Arrives`]).

use super::context::{Lowered, Lowerer};
use crate::program::{
    Base, Block, Callee, Expr, ExprKind, FunctionId, Location, Lvalue, Origin, Part, Presumption, SIGNALS_ARRIVE, Stmt,
    StmtKind, Storage, Type, Use, VarId, Visit, VisitMut, each_part, each_stmt,
};
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::collections::BTreeSet;

/// What the program does about signals.
#[derive(Default)]
pub(super) struct Signals {
    /// The functions that calls of `signal` name.
    handlers: BTreeSet<FunctionId>,
    /// Whether handlers may be functions that no such call names.
    are_unknown: bool,
}

/// What may change at any time.
#[derive(Default)]
struct Changed {
    variables: BTreeSet<VarId>,
    /// Whether something may change to which pointers lead.
    through_pointers: bool,
    /// Whether heap blocks may end.
    frees: bool,
}

impl Lowerer<'_> {
    /// A call of `signal`: the second argument is a handler, or a constant.
    pub(super) fn set_handler(&mut self, list: &[Node<Expression>]) -> Lowered<()> {
        self.unsequenced_arguments(list)?;
        for (n, argument) in list.iter().enumerate() {
            let value = self.rvalue(argument)?;
            if n == 1 {
                match value.named_function() {
                    Some(f) => _ = self.signals.handlers.insert(f),
                    // `SIG_DFL`, `SIG_IGN`
                    None => self.signals.are_unknown |= !value.is_converted_constant(),
                }
            }
            self.dropped(value);
        }
        Ok(())
    }

    /// A call of a function that takes handlers in another way.
    pub(super) fn set_unknown_handlers(&mut self) {
        self.signals.are_unknown = true;
    }

    /// Lets signals arrive wherever the program reads what their handlers write.
    pub(super) fn let_signals_arrive(&mut self) {
        let mut handlers = self.signals.handlers.clone();
        if self.signals.are_unknown {
            let taken = self.program.address_taken_functions();
            handlers.extend(taken.into_iter().filter(|f| self.may_handle(*f)));
        }
        if handlers.is_empty() {
            return;
        }
        self.program.assume_that(SIGNALS_ARRIVE);
        let changed = self.changed_by(&handlers);
        self.change_bodies(|l, body| {
            let mut reads = Reads { changed: &changed, pairs: Vec::new(), used: 0, declarations: Block::new() };
            l.read_in(body, &mut reads);
            body.splice(0..0, reads.declarations);
        });
        let at = self.program.function(self.program.entry).location;
        let mut starts = Block::new();
        handlers.retain(|f| self.program.function(*f).body.is_some());
        for f in handlers {
            let handled = self.handled_in_any_state(f, changed.frees, at);
            starts.extend(handled);
        }
        if let Some(body) = &mut self.program.functions[self.program.entry.0 as usize].body {
            body.splice(0..0, starts);
        }
    }

    /// Whether a function has the parameters of a handler.
    fn may_handle(&self, f: FunctionId) -> bool {
        let parameters = &self.program.function(f).parameters;
        matches!(parameters.len(), 1 | 3) && self.program.variable(parameters[0]).ty == Type::INT
    }

    fn changed_by(&self, handlers: &BTreeSet<FunctionId>) -> Changed {
        let mut changed = Changed::default();
        let mut open: Vec<FunctionId> = handlers.iter().copied().collect();
        let mut seen = handlers.clone();
        let mut is_anything = false;
        while let Some(f) = open.pop() {
            let function = self.program.function(f);
            let Some(body) = &function.body else {
                is_anything = true;
                continue;
            };
            open.extend(self.program.functions_in(f).into_iter().filter(|g| seen.insert(*g)));
            each_stmt(body, &mut |s| {
                is_anything |= match &s.kind {
                    StmtKind::HavocReachable(_) | StmtKind::Call { callee: Callee::Pointer(_), .. } => true,
                    StmtKind::Presume(Presumption::Freed(_)) => {
                        changed.frees = true;
                        false
                    }
                    _ => false,
                };
                each_part(s, &mut |part| {
                    if let Part::Lvalue(l, Use::Write) = part {
                        match &l.base {
                            Base::Var(v) if self.program.variable(*v).storage == Storage::Global => {
                                changed.variables.insert(*v);
                            }
                            Base::Var(_) => {}
                            Base::Deref(_) => is_anything = true,
                        }
                    }
                });
            });
        }
        let taken = self.program.address_taken();
        if is_anything {
            let variables = (0..).map(VarId).zip(&self.program.variables);
            let reached = variables.filter(|(v, variable)| {
                !variable.constant && (variable.storage == Storage::Global || taken.contains(v))
            });
            changed.variables = reached.map(|(v, _)| v).collect();
            changed.frees = true;
        }
        changed.through_pointers = is_anything || !changed.variables.is_disjoint(&taken);
        changed
    }

    /// Signals may arrive before the statements of a block.
    fn read_in(&mut self, block: &mut Block, reads: &mut Reads<'_>) {
        for mut s in std::mem::take(block) {
            s.blocks_mut().for_each(|inner| self.read_in(inner, reads));
            reads.used = 0;
            let mut made = Vec::new();
            Replaced { lowerer: self, reads, made: &mut made, at: s.location }.parts(&mut s);
            self.forget_what_changes(&mut s, reads.changed);
            let arrives = self.arrivals(&made, reads.changed.frees, s.location);
            if let StmtKind::Loop(l) = &mut s.kind {
                // The condition is evaluated again after the step.
                let again = self.arrivals(&made, reads.changed.frees, s.location);
                l.step.extend(again);
            }
            block.extend(arrives);
            block.push(s);
        }
    }

    /// What copies bytes, or speaks of what may change, is not followed.
    fn forget_what_changes(&mut self, s: &mut Stmt, changed: &Changed) {
        match &mut s.kind {
            StmtKind::HavocReachable(reached) => reached.bytes = None,
            StmtKind::Claim(claim) => {
                let mut named = Mentioned::default();
                named.formula(&claim.formula);
                let is_changed = changed.through_pointers || !named.0.is_disjoint(&changed.variables);
                if let Some(id) = claim.role.assertion().filter(|_| is_changed) {
                    let why = "a handler of a signal may change what it speaks of at any time";
                    self.program.assertions[id.0 as usize].unsupported = Some(why.to_owned());
                }
            }
            _ => {}
        }
    }

    /// Statements that choose whether signals have arrived, and what reads find then.
    fn arrivals(&mut self, made: &[(Lvalue, Lvalue)], frees: bool, at: Location) -> Block {
        let mut all = Block::new();
        for (choice, value) in made {
            all.push(self.stmt(StmtKind::Havoc(choice.clone()), at));
            all.push(self.stmt(StmtKind::Havoc(value.clone()), at));
            let arrives = vec![self.stmt(StmtKind::Presume(Presumption::Arrives { frees }), at)];
            all.push(self.stmt(StmtKind::If(Expr::load(choice.clone()), arrives, Block::new()), at));
        }
        all
    }

    /// A handler runs, and then nothing else does.
    fn handled_in_any_state(&mut self, f: FunctionId, frees: bool, at: Location) -> Block {
        let (choice, declaration) = self.undeclared_variable("arrives".into(), Origin::Choice, Type::INT, at);
        let mut all = vec![declaration, self.stmt(StmtKind::Havoc(choice.clone()), at)];
        let mut inside = vec![self.stmt(StmtKind::Presume(Presumption::Arrives { frees }), at)];
        inside.extend(self.anything_changes(at));
        let mut arguments = Vec::new();
        for v in self.program.function(f).parameters.clone() {
            let ty = self.program.variable(v).ty.clone();
            let (argument, declaration) = self.undeclared_variable("signal".into(), Origin::Temporary, ty, at);
            inside.extend([declaration, self.stmt(StmtKind::Havoc(argument.clone()), at)]);
            arguments.push(Expr::load(argument));
        }
        inside.push(self.stmt(StmtKind::Call { target: None, callee: Callee::Function(f), arguments }, at));
        inside.push(self.stmt(StmtKind::Stop, at));
        all.push(self.stmt(StmtKind::If(Expr::load(choice), inside, Block::new()), at));
        all
    }
}

/// The reads of a function, of what may change.
struct Reads<'c> {
    changed: &'c Changed,
    /// Pairs of variables: whether a signal has arrived, and the value that is found then.
    pairs: Vec<(Lvalue, Lvalue)>,
    /// How many pairs the current statement uses.
    used: usize,
    declarations: Block,
}

/// Replaces reads in a statement.
struct Replaced<'r, 'c, 'l, 'u> {
    lowerer: &'l mut Lowerer<'u>,
    reads: &'r mut Reads<'c>,
    made: &'r mut Vec<(Lvalue, Lvalue)>,
    at: Location,
}

impl Replaced<'_, '_, '_, '_> {
    fn may_change(&self, l: &Lvalue) -> bool {
        match &l.base {
            Base::Var(v) => self.reads.changed.variables.contains(v),
            Base::Deref(_) => self.reads.changed.through_pointers,
        }
    }
}

impl VisitMut for Replaced<'_, '_, '_, '_> {
    fn expr(&mut self, e: &mut Expr) {
        self.walk_expr(e);
        let ExprKind::Load(l) = &e.kind else { return };
        if !self.may_change(l) || !self.lowerer.is_complete(&e.ty) || e.ty.has_variable_size() {
            return;
        }
        let (choice, value) = self.reads.pair(self.lowerer, &e.ty, self.at);
        self.made.push((choice.clone(), value.clone()));
        let read =
            ExprKind::Conditional(Box::new(Expr::load(choice)), Box::new(Expr::load(value)), Box::new(e.clone()));
        *e = Expr::new(read, e.ty.clone(), e.location);
    }
}

impl Reads<'_> {
    /// Two variables that the current statement does not use yet.
    fn pair(&mut self, lowerer: &mut Lowerer<'_>, ty: &Type, at: Location) -> (Lvalue, Lvalue) {
        let free = (self.used..self.pairs.len()).find(|n| self.pairs[*n].1.ty == *ty);
        let n = free.unwrap_or_else(|| {
            let (choice, first) = lowerer.undeclared_variable("arrives".into(), Origin::Choice, Type::INT, at);
            let (value, second) = lowerer.undeclared_variable("found".into(), Origin::Temporary, ty.clone(), at);
            self.declarations.extend([first, second]);
            self.pairs.push((choice, value));
            self.pairs.len() - 1
        });
        self.pairs.swap(self.used, n);
        self.used += 1;
        self.pairs[self.used - 1].clone()
    }
}

/// The variables that a formula mentions.
#[derive(Default)]
struct Mentioned(BTreeSet<VarId>);

impl<'p> Visit<'p> for Mentioned {
    fn variable(&mut self, v: &'p VarId) {
        self.0.insert(*v);
    }
}

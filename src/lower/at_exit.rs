//! Functions that run at the end of the program: `atexit` (C11 7.22.4.2 and 7.22.4.4).
//!
//! Each that a call of `atexit` names has a number. `src/library/atexit.c` keeps the numbers of
//! those that are registered. Where the program ends, by `exit` or because `main` returns, a hidden
//! function calls them by their numbers, so every engine sees who is called.

use super::context::{Lowered, Lowerer};
use super::signatures::Signature;
use crate::program::{
    BinaryOp, Block, Callee, Expr, FunctionId, IntKind, Location, Loop, LoopKind, Lvalue, Origin, SiteId, Stmt,
    StmtKind, Type, VarId, Variable,
};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use std::collections::BTreeSet;

/// The functions of the model.
const REGISTER: &str = "atexit";
const NEXT: &str = "__smalti_next_at_exit";

/// What the program does at its end.
#[derive(Default)]
pub(super) struct AtExit {
    /// The functions that may be registered, by their numbers.
    functions: Vec<FunctionId>,
    /// The statements that end the program as `exit` does.
    exits: BTreeSet<SiteId>,
}

impl Lowerer<'_> {
    /// A call of `atexit`.
    pub(super) fn register_at_exit(&mut self, list: &[Node<Expression>], span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        let value = match list {
            [f] => self.rvalue(f)?,
            _ => return self.wrong(span, "`atexit` takes one function"),
        };
        let (Some(f), Some(register)) = (value.named_function(), self.model_of(REGISTER)) else {
            let what = "functions that run at the end are supported where `atexit` names them, and the model of the \
                        library has `atexit`";
            return self.unsupported(span, what);
        };
        let Signature { parameters, variadic, result } = &*self.functions[f.0 as usize].signature;
        let takes_any = parameters.as_ref().is_some_and(|all| !all.is_empty()) || *variadic;
        if takes_any || result.ty != Type::Void {
            return self.unsupported(span, "`atexit` is supported for functions without parameters and results");
        }
        self.model_of(NEXT);
        let known = self.at_exit.functions.iter().position(|g| *g == f);
        let number = known.unwrap_or_else(|| {
            self.at_exit.functions.push(f);
            self.at_exit.functions.len() - 1
        });
        let target = self.temporary(Type::INT, at);
        let arguments = vec![Expr::int(number as i128, IntKind::Int, at)];
        let call = StmtKind::Call { target: Some(target.clone()), callee: Callee::Function(register), arguments };
        self.emit(call, at);
        Ok(Expr::load(target))
    }

    /// The program ends as by `exit`.
    pub(super) fn exit(&mut self, at: Location) {
        let stop = self.stmt(StmtKind::Stop, at);
        self.at_exit.exits.insert(stop.site);
        self.out.push(stop);
    }

    /// Runs the registered functions wherever the program ends.
    pub(super) fn run_at_exit(&mut self) {
        if self.at_exit.functions.is_empty() {
            return;
        }
        let all = self.caller_of_registered();
        self.change_bodies(|l, body| l.exit_in(body, all));
        if !self.options.alone {
            self.return_from_entry(all);
        }
    }

    /// The program begins in a function that calls the entry and then what is registered: when that
    /// runs, what lives in the entry has ended (C11 5.1.2.2.3).
    fn return_from_entry(&mut self, all: FunctionId) {
        let entry = self.program.function(self.program.entry);
        let (at, name, result) = (entry.location, entry.name.clone(), entry.result.clone());
        let taken: Vec<Variable> = entry.parameters.iter().map(|v| self.program.variable(*v).clone()).collect();
        let parameters: Vec<VarId> = taken.into_iter().map(|v| self.program.add_variable(v)).collect();
        let arguments = parameters.iter().map(|v| Expr::load(Lvalue::var(&self.program, *v, at))).collect();
        let mut body = Block::new();
        let status = (result != Type::Void).then(|| {
            let (status, declaration) =
                self.undeclared_variable("status".into(), Origin::Temporary, result.clone(), at);
            body.push(declaration);
            status
        });
        let callee = Callee::Function(self.program.entry);
        body.push(self.stmt(StmtKind::Call { target: status.clone(), callee, arguments }, at));
        body.push(self.call_plainly(all, at));
        body.push(self.stmt(StmtKind::Return(status.map(Expr::load)), at));
        let start = self.add_made_function(&name, Origin::Pass, result, at);
        let function = &mut self.program.functions[start.0 as usize];
        (function.parameters, function.body) = (parameters, Some(body));
        self.program.entry = start;
    }

    fn call_plainly(&mut self, f: FunctionId, at: Location) -> Stmt {
        self.stmt(StmtKind::Call { target: None, callee: Callee::Function(f), arguments: Vec::new() }, at)
    }

    /// Adds calls before the ends of the program in a block, and after calls of functions of which
    /// only that is known that they do not return: they may end it in the same way.
    fn exit_in(&mut self, block: &mut Block, all: FunctionId) {
        for mut s in std::mem::take(block) {
            s.blocks_mut().for_each(|inner| self.exit_in(inner, all));
            let at = s.location;
            match &s.kind {
                StmtKind::Stop if self.at_exit.exits.contains(&s.site) => {
                    block.extend([self.call_plainly(all, at), s]);
                }
                StmtKind::Call { callee: Callee::Function(f), .. } if self.may_end_all(*f) => {
                    block.extend([s, self.call_plainly(all, at)]);
                }
                _ => block.push(s),
            }
        }
    }

    fn may_end_all(&self, f: FunctionId) -> bool {
        let function = self.program.function(f);
        function.body.is_none() && self.no_return.contains(&function.name)
    }

    /// A function that calls what is registered: `while ((n = next()) >= 0) if (n == 0) f(); …`
    fn caller_of_registered(&mut self) -> FunctionId {
        let at = self.program.function(self.program.entry).location;
        let all = self.add_made_function("at_exit", Origin::Pass, Type::Void, at);
        let (number, declaration) = self.undeclared_variable("number".into(), Origin::Temporary, Type::INT, at);
        let mut body = Block::new();
        if let Some(next) = self.model_of(NEXT) {
            let callee = Callee::Function(next);
            body.push(self.stmt(StmtKind::Call { target: Some(number.clone()), callee, arguments: Vec::new() }, at));
        }
        let number = Expr::load(number);
        let compared =
            |op, n: usize| Expr::binary(op, number.clone(), Expr::int(n as i128, IntKind::Int, at), Type::INT);
        let done = vec![self.stmt(StmtKind::Break, at)];
        body.push(self.stmt(StmtKind::If(compared(BinaryOp::Less, 0), done, Block::new()), at));
        for (n, f) in self.at_exit.functions.clone().into_iter().enumerate() {
            let call = vec![self.call_plainly(f, at)];
            body.push(self.stmt(StmtKind::If(compared(BinaryOp::Equal, n), call, Block::new()), at));
        }
        let (id, condition) = (self.new_loop(), Expr::int(1, IntKind::Int, at));
        let rounds = Loop { id, kind: LoopKind::While, condition, body, step: Block::new() };
        let rounds = self.stmt(StmtKind::Loop(Box::new(rounds)), at);
        self.program.functions[all.0 as usize].body = Some(vec![declaration, rounds]);
        all
    }
}

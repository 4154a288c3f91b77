//! Functions that run at the end of the program: `atexit` (C11 7.22.4.2 and 7.22.4.4).
//!
//! Each that a call of `atexit` names has a number. `src/library/atexit.c` keeps the numbers of
//! those that are registered. Where the program ends, by `exit` or because `main` returns, a hidden
//! function calls them by their numbers, so every engine sees who is called.

use super::context::{FunctionInfo, Lowered, Lowerer};
use super::error::InputErrorKind;
use super::signatures::{DeclaredType, Signature};
use crate::program::{
    BinaryOp, Block, Callee, Expr, ExprKind, FunctionId, IntKind, Location, Loop, LoopKind, Origin, SiteId, Stmt,
    StmtKind, Type,
};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use std::collections::BTreeSet;
use std::rc::Rc;

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
        let (Some(f), Some(register)) = (function_of(&value), self.model_of(REGISTER)) else {
            let what = "functions that run at the end are supported where `atexit` names them, and the model of the \
                        library has `atexit`";
            return self.unsupported(span, what);
        };
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
    pub(super) fn run_at_exit(&mut self) -> Lowered<()> {
        if self.at_exit.functions.is_empty() {
            return Ok(());
        }
        let entry = self.program.entry;
        let mut is_called = false;
        super::prune::each_function(&mut self.program, &mut |id| is_called |= *id == entry);
        if is_called {
            let what = "functions that run at the end are not supported in a program that calls its entry itself";
            return self.fail_at(InputErrorKind::Unsupported, self.program.function(entry).location, what);
        }
        let all = self.caller_of_registered();
        for n in 0..self.program.functions.len() {
            let Some(mut body) = self.program.functions[n].body.take() else { continue };
            let is_entry = entry.0 as usize == n;
            self.end_in(&mut body, all, is_entry);
            if is_entry && !matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(_) | StmtKind::Stop)) {
                let at = self.program.functions[n].location;
                body.push(self.call_plainly(all, at));
            }
            self.program.functions[n].body = Some(body);
        }
        Ok(())
    }

    fn call_plainly(&mut self, f: FunctionId, at: Location) -> Stmt {
        self.stmt(StmtKind::Call { target: None, callee: Callee::Function(f), arguments: Vec::new() }, at)
    }

    /// Adds calls before the ends of the program in a block.
    fn end_in(&mut self, block: &mut Block, all: FunctionId, is_entry: bool) {
        for mut s in std::mem::take(block) {
            s.blocks_mut().for_each(|inner| self.end_in(inner, all, is_entry));
            let at = s.location;
            match &mut s.kind {
                StmtKind::Stop if self.at_exit.exits.contains(&s.site) => block.push(self.call_plainly(all, at)),
                StmtKind::Return(value) if is_entry => {
                    // The value is computed before.
                    if let Some(e) = value.take() {
                        let (kept, declaration) =
                            self.undeclared_variable("status".into(), Origin::Temporary, e.ty.clone(), at);
                        block.push(declaration);
                        block.push(self.stmt(StmtKind::Assign(kept.clone(), e), at));
                        *value = Some(Expr::load(kept));
                    }
                    block.push(self.call_plainly(all, at));
                }
                _ => {}
            }
            block.push(s);
        }
    }

    /// A function that calls what is registered: `while ((n = next()) >= 0) if (n == 0) f(); …`
    fn caller_of_registered(&mut self) -> FunctionId {
        let at = self.program.function(self.program.entry).location;
        let signature =
            Signature { parameters: Some(Vec::new()), variadic: false, result: DeclaredType::plain(Type::Void) };
        let info = FunctionInfo { signature: Rc::new(signature), defined: Some(at), declared: true };
        let all = self.add_function("at_exit", info, at);
        self.program.functions[all.0 as usize].origin = Origin::Pass;
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

/// The function that an expression names.
fn function_of(e: &Expr) -> Option<FunctionId> {
    match &e.kind {
        ExprKind::FunctionAddress(f) => Some(*f),
        ExprKind::Cast(inner) => function_of(inner),
        _ => None,
    }
}

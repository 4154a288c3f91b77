//! Replaces calls through pointers by calls of the functions that the pointers lead to.
//!
//! `(*p)(x)`, where `p` leads to `f`, `g` or `h` and nowhere else, becomes
//! `if (p == f) f(x); else if (p == g) g(x); else h(x);`. Then stages that follow only calls of
//! named functions follow these calls too. Every statement keeps its identity, so that results
//! are reported for the call in the source.
//!
//! **Why it is sound.** The caller gives for each call all functions that any run calls there.
//! Lowering has put the pointer into a temporary, so reading it has no check and no effect, and
//! the arguments have none that change it. A run in which the pointer leads to no function is
//! undefined: it fails the check before the call, and that stays.

use crate::program::{
    BinaryOp, Block, Callee, Callees, Expr, ExprKind, Fold, Function, FunctionId, Lvalue, Program, SiteId, Stmt,
    StmtKind, Type,
};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// The most functions that take the place of one call.
const MOST: usize = 16;

/// The program with those calls replaced whose functions are known and fit. `None` if there are
/// none.
pub fn resolve(program: &Program, callees: &BTreeMap<SiteId, Callees>) -> Option<Program> {
    let mut resolver = Resolver { program, callees, replaced: false };
    let mut result = program.clone();
    for (function, source) in result.functions.iter_mut().zip(&program.functions) {
        function.body = source.body.as_ref().map(|body| resolver.rebuilt(body));
    }
    resolver.replaced.then_some(result)
}

struct Resolver<'p> {
    program: &'p Program,
    callees: &'p BTreeMap<SiteId, Callees>,
    replaced: bool,
}

impl Fold for Resolver<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, stmt: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let replacement = match &stmt.kind {
            StmtKind::Call { target, callee: Callee::Pointer(pointer), arguments } => {
                self.replacement(stmt, target.as_ref(), pointer, arguments)
            }
            _ => None,
        };
        match replacement {
            Some(calls) => {
                self.replaced = true;
                out.push(calls);
                Ok(())
            }
            None => self.fold_inside(stmt, out),
        }
    }
}

impl Resolver<'_> {
    fn replacement(&self, stmt: &Stmt, target: Option<&Lvalue>, pointer: &Expr, arguments: &[Expr]) -> Option<Stmt> {
        let functions = self.callees.get(&stmt.site)?;
        let fit = |f: &FunctionId| self.fits(self.program.function(*f), target, arguments);
        // If no run calls a function, what comes after the call is not to be called unreachable.
        if !self.program.is_temporary(pointer)
            || functions.is_empty()
            || functions.len() > MOST
            || !functions.iter().all(fit)
        {
            return None;
        }
        let call = |f: FunctionId| {
            let (target, arguments) = (target.cloned(), arguments.to_vec());
            stmt.with(StmtKind::Call { target, callee: Callee::Function(f), arguments })
        };
        let mut rest = functions.iter().rev().copied();
        let last = call(rest.next()?);
        Some(rest.fold(last, |otherwise, f| {
            let here = Expr::new(ExprKind::FunctionAddress(f), pointer.ty.clone(), stmt.location);
            let is_here = Expr::binary(BinaryOp::Equal, pointer.clone(), here, Type::INT);
            stmt.with(StmtKind::If(is_here, vec![call(f)], vec![otherwise]))
        }))
    }

    /// Whether the function takes these arguments as they are and has a result of that type.
    /// (Pointers to different types are passed alike.)
    fn fits(&self, function: &Function, target: Option<&Lvalue>, arguments: &[Expr]) -> bool {
        let alike = |a: &Type, b: &Type| a == b || matches!((a, b), (Type::Pointer(_), Type::Pointer(_)));
        let parameters = function.parameters.iter().map(|v| &self.program.variable(*v).ty);
        !function.variadic
            && parameters.len() == arguments.len()
            && parameters.zip(arguments).all(|(parameter, argument)| alike(parameter, &argument.ty))
            && target.is_none_or(|l| alike(&function.result, &l.ty))
    }
}

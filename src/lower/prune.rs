//! Leaves out functions that are only declared: the headers of the C library declare hundreds.

use crate::program::{
    Base, Block, Callee, Expr, ExprKind, Function, FunctionId, Lvalue, Program, Step, Stmt, StmtKind,
};

/// Removes functions without body that nothing calls or takes the address of.
pub(super) fn prune(program: &mut Program) {
    let mut used: Vec<bool> = program.functions.iter().map(|f| f.body.is_some()).collect();
    each_function(program, &mut |id| {
        if let Some(u) = used.get_mut(id.0 as usize) {
            *u = true;
        }
    });
    let mut next = 0;
    let numbers: Vec<u32> = used
        .iter()
        .map(|u| {
            let number = next;
            next += u32::from(*u);
            number
        })
        .collect();
    each_function(program, &mut |id| id.0 = numbers[id.0 as usize]);
    program.entry.0 = numbers[program.entry.0 as usize];
    let functions: Vec<Function> = std::mem::take(&mut program.functions);
    program.functions = functions.into_iter().zip(used).filter(|(_, u)| *u).map(|(f, _)| f).collect();
}

/// Calls `f` on every reference to a function.
pub(super) fn each_function(program: &mut Program, f: &mut impl FnMut(&mut FunctionId)) {
    block(&mut program.initialisers, f);
    for function in &mut program.functions {
        if let Some(body) = &mut function.body {
            block(body, f);
        }
    }
}

fn block(b: &mut Block, f: &mut impl FnMut(&mut FunctionId)) {
    b.iter_mut().for_each(|s| stmt(s, f));
}

fn stmt(s: &mut Stmt, f: &mut impl FnMut(&mut FunctionId)) {
    match &mut s.kind {
        StmtKind::Assign(l, e) => {
            lvalue(l, f);
            expr(e, f);
        }
        StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => lvalue(l, f),
        StmtKind::HavocReachable(list) => list.iter_mut().for_each(|e| expr(e, f)),
        StmtKind::Blocks(blocks) => blocks.operands_mut().for_each(|e| expr(e, f)),
        StmtKind::Allocate { target, count, .. } => {
            lvalue(target, f);
            expr(count, f);
        }
        StmtKind::Call { target, callee, arguments } => {
            target.iter_mut().for_each(|t| lvalue(t, f));
            match callee {
                Callee::Function(id) => f(id),
                Callee::Pointer(e) => expr(e, f),
            }
            arguments.iter_mut().for_each(|e| expr(e, f));
        }
        StmtKind::If(c, a, b) => {
            expr(c, f);
            block(a, f);
            block(b, f);
        }
        StmtKind::Loop(l) => {
            expr(&mut l.condition, f);
            block(&mut l.body, f);
            block(&mut l.step, f);
        }
        StmtKind::Block(b) => block(b, f),
        StmtKind::Return(Some(e)) | StmtKind::Assume(e) | StmtKind::Assert(e, _) => expr(e, f),
        // Terms name no functions.
        StmtKind::Claim(_)
        | StmtKind::Declare(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Stop
        | StmtKind::Skip => {}
        StmtKind::Presume(presumption) => presumption.operands_mut().into_iter().for_each(|e| expr(e, f)),
    }
}

fn lvalue(l: &mut Lvalue, f: &mut impl FnMut(&mut FunctionId)) {
    if let Base::Deref(pointer) = &mut l.base {
        expr(pointer, f);
    }
    for step in &mut l.path {
        if let Step::Index(index) = step {
            expr(index, f);
        }
    }
}

fn expr(e: &mut Expr, f: &mut impl FnMut(&mut FunctionId)) {
    match &mut e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) => {}
        ExprKind::FunctionAddress(id) => f(id),
        ExprKind::Load(l) | ExprKind::AddressOf(l) => lvalue(l, f),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => expr(a, f),
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            expr(a, f);
            expr(b, f);
        }
        ExprKind::Conditional(c, a, b) => {
            expr(c, f);
            expr(a, f);
            expr(b, f);
        }
    }
}

//! Heap blocks that are one object each as local arrays.

use super::super::terms::{self, constant};
use super::ranges::Sizes;
use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, Fold, Length, Lvalue, Origin, Program, Step, Stmt, StmtKind, Term, Type,
};
use std::convert::Infallible;

/// Turns heap blocks that are one object each into local arrays: those that are allocated neither
/// in branches nor in loops, and those of the branches with which the program ends. (The array
/// exists until the end of its branch, and nothing comes after that.)
pub(super) fn without_allocations(program: &mut Program, blocks: &mut Blocks<'_>, body: &[Stmt]) -> Block {
    let Some((last, others)) = body.split_last() else { return Block::new() };
    let mut found = Allocations { program, blocks }.rebuilt(others);
    match &last.kind {
        StmtKind::If(condition, then, otherwise) => {
            let then = without_allocations(program, blocks, then);
            let otherwise = without_allocations(program, blocks, otherwise);
            found.push(last.with(StmtKind::If(condition.clone(), then, otherwise)));
        }
        StmtKind::Block(inside) => {
            let inside = without_allocations(program, blocks, inside);
            found.push(last.with(StmtKind::Block(inside)));
        }
        _ => found.extend(Allocations { program, blocks }.rebuilt(std::slice::from_ref(last))),
    }
    found
}

/// The heap blocks that became arrays.
pub(super) struct Blocks<'s> {
    /// Whether formulas ask for their sizes.
    pub(super) with_sizes: bool,
    pub(super) sizes: &'s mut Sizes,
}

/// Turns heap blocks that are one object each into local arrays.
struct Allocations<'p, 'b, 's> {
    program: &'p mut Program,
    blocks: &'b mut Blocks<'s>,
}

impl Fold for Allocations<'_, '_, '_> {
    type Refusal = Infallible;

    /// Rewrites allocations that are neither in branches nor in loops.
    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let program = &mut *self.program;
        match &s.kind {
            StmtKind::Block(_) => self.fold_inside(s, out)?,
            StmtKind::Allocate {
                target: target @ Lvalue { base: Base::Var(pointer), path, .. },
                element,
                count,
                zeroed,
            } if path.is_empty() => {
                let pointer = *pointer;
                let (at, site) = (s.location, s.site);
                let mut size = None;
                let length = match constant(count) {
                    Some(n) if n > 0 => {
                        size = Some(Term::Int(n));
                        Length::Constant(u64::try_from(n).unwrap_or(1))
                    }
                    _ => {
                        let ty = Type::Int(program.data_model.difference_type());
                        let mut count = count.clone();
                        if self.blocks.with_sizes {
                            let name = format!("{}_size", program.variable(pointer).name);
                            let n = terms::made(program, name, Origin::Length, ty.clone(), at);
                            out.push(terms::set(program, n, count, site, at));
                            count = terms::load(program, n, at);
                            size = Some(Term::of_variable(Lvalue::var(program, n, at)));
                        }
                        let name = format!("{}_length", program.variable(pointer).name);
                        let n = terms::made(program, name, Origin::Length, ty, at);
                        // A block without cells is defined, an array without cells is not. One cell
                        // more changes nothing.
                        let zero = Expr::int(0, program.data_model.difference_type(), at);
                        let one = Expr::int(1, program.data_model.difference_type(), at);
                        let some = terms::compare(BinaryOp::Equal, count.clone(), zero);
                        let count = terms::conditional(some, one, count.clone());
                        out.push(terms::set(program, n, count, site, at));
                        Length::Variable(n)
                    }
                };
                let ty = Type::Array(Box::new(element.clone()), length);
                let receiver = program.variable(pointer);
                let origin = if receiver.is_hidden() { receiver.origin } else { Origin::Block(pointer) };
                let name = format!("{}_block", receiver.name);
                let array = terms::made(program, name, origin, ty, at);
                self.blocks.sizes.extend(size.map(|size| (array, size)));
                out.push(Stmt::new(StmtKind::Declare(array), site, at));
                let whole = Lvalue::var(program, array, at);
                if *zeroed {
                    out.push(Stmt::new(StmtKind::Zero(whole.clone()), site, at));
                }
                let mut first = whole;
                first.path.push(Step::Index(Expr::int(0, program.data_model.difference_type(), at)));
                first.ty = element.clone();
                let address =
                    Expr::new(ExprKind::AddressOf(first), element.clone().pointer_to(), at).cast(target.ty.clone());
                out.push(s.with(StmtKind::Assign(target.clone(), address)));
            }
            _ => out.push(s.clone()),
        }
        Ok(())
    }
}

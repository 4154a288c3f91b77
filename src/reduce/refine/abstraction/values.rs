//! Abstract expressions. What is kept has its value; any other read has an arbitrary value, drawn
//! before the statement.

use super::Writer;
use super::cases::by_cases;
use crate::program::{
    BinaryOp, Block, Expr, ExprKind, InputId, Location, Lvalue, Origin, SiteId, Stmt, StmtKind, Storage, Type, UnaryOp,
    VarId, Variable,
};
use crate::reduce::refine::{AccessPath, constant, digits, indices, place};
use crate::reduce::terms;

/// Whether an lvalue is a given cell.
pub(super) enum Is {
    Always,
    Never,
    If(Expr),
}

/// A read that may be at most this many cells is one expression. More cells are distinguished by
/// statements before it.
const FEW: usize = 3;

impl<'s> Writer<'s> {
    /// Draws an arbitrary value.
    pub(super) fn draw(&mut self, ty: &Type, at: Location, out: &mut Block) -> Expr {
        self.next += 1;
        let variable = Variable {
            name: format!("any_{}", self.next),
            origin: Origin::Pass,
            ty: ty.clone(),
            storage: Storage::Local,
            constant: false,
            location: at,
        };
        let v = self.program.add_variable(variable);
        let input = InputId(self.program.counters.inputs);
        self.program.counters.inputs += 1;
        out.push(Stmt::new(StmtKind::Input(Lvalue::var(&self.program, v, at), input), SiteId(0), at));
        terms::load(&self.program, v, at)
    }

    pub(super) fn condition(&mut self, e: &'s Expr, out: &mut Block) -> Expr {
        match e.ty {
            Type::Int(_) => {
                let e = self.expr(e, out);
                // The parts of "and", "or" and "not" have been handled already.
                let is_plain =
                    !matches!(e.kind, ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _));
                if is_plain { by_cases(e) } else { e }
            }
            _ => self.draw(&Type::INT, e.location, out),
        }
    }

    /// Builds the abstract expression; `e` is of an integer type. Its draws come before the
    /// statement, once each.
    pub(super) fn expr(&mut self, e: &'s Expr, out: &mut Block) -> Expr {
        let is_int = |e: &Expr| matches!(e.ty, Type::Int(_));
        let kind = match &e.kind {
            ExprKind::Int(_) => return e.clone(),
            ExprKind::Load(l) => return self.load(l, e, out),
            ExprKind::Unary(UnaryOp::Not, a) => ExprKind::Unary(UnaryOp::Not, Box::new(self.condition(a, out))),
            ExprKind::Unary(op, a) if is_int(a) => ExprKind::Unary(*op, Box::new(self.expr(a, out))),
            ExprKind::Cast(a) if is_int(a) => ExprKind::Cast(Box::new(self.expr(a, out))),
            ExprKind::Binary(op, a, b) if is_int(a) && is_int(b) => {
                ExprKind::Binary(*op, Box::new(self.expr(a, out)), Box::new(self.expr(b, out)))
            }
            ExprKind::And(a, b) => {
                let a = self.condition(a, out);
                let b = self.in_part(|w| w.condition(b, out));
                ExprKind::And(Box::new(a), Box::new(b))
            }
            ExprKind::Or(a, b) => {
                let a = self.condition(a, out);
                let b = self.in_part(|w| w.condition(b, out));
                ExprKind::Or(Box::new(a), Box::new(b))
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c, out);
                let (a, b) = self.in_part(|w| (w.expr(a, out), w.expr(b, out)));
                ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b))
            }
            // Floats, pointers and addresses are not modelled.
            _ => return self.draw(&e.ty, e.location, out),
        };
        Expr { kind, ty: e.ty.clone(), location: e.location }
    }

    /// Handles an expression that is evaluated only if another has a certain value.
    fn in_part<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.in_part, true);
        let result = f(self);
        self.in_part = outside;
        result
    }

    fn load(&mut self, l: &'s Lvalue, e: &'s Expr, out: &mut Block) -> Expr {
        let at = e.location;
        let Some(place) = place(l) else { return self.draw(&e.ty, at, out) };
        if let Some(&v) = self.scalars.get(&place) {
            return terms::load(&self.program, v, at);
        }
        if let Some(&v) = self.drawn.get(l) {
            return terms::load(&self.program, v, at);
        }
        let mut tests = Vec::new();
        let mut certain = None;
        for (n, v) in self.cells.get(&place).cloned().unwrap_or_default() {
            match self.is_cell(l, &place, n, out) {
                Is::Never => {}
                Is::Always => certain = Some(terms::load(&self.program, v, at)),
                Is::If(is_it) => tests.push((is_it, v)),
            }
        }
        // Many cells in one expression are hard for tools that simplify expressions.
        if tests.len() > FEW && certain.is_none() && !self.in_part {
            let value = self.draw(&e.ty, at, out);
            if let Some(v) = variable(&value) {
                self.drawn.insert(l, v);
                let mut rest = Block::new();
                for (is_it, cell) in tests.into_iter().rev() {
                    let cell = terms::load(&self.program, cell, at);
                    let set = terms::set(&self.program, v, cell, SiteId(0), at);
                    rest = vec![Stmt::new(StmtKind::If(is_it, vec![set], rest), SiteId(0), at)];
                }
                out.extend(rest);
            }
            return value;
        }
        let mut value = match certain {
            Some(value) => value,
            // The part with an arbitrary value. With `drawn`, the read would be no more than that.
            None => self.rest(l, e, out),
        };
        for (is_it, v) in tests.into_iter().rev() {
            value = terms::conditional(is_it, terms::load(&self.program, v, at), value);
        }
        value
    }

    /// The draw of a read for the cells that are not kept, once in a statement.
    fn rest(&mut self, l: &'s Lvalue, e: &'s Expr, out: &mut Block) -> Expr {
        if let Some(&v) = self.others.get(l) {
            return terms::load(&self.program, v, e.location);
        }
        let value = self.draw(&e.ty, e.location, out);
        if let Some(v) = variable(&value) {
            self.others.insert(l, v);
        }
        value
    }

    /// Whether an lvalue is the cell of that number, or a part of the array that contains this
    /// cell.
    pub(super) fn is_cell(&mut self, l: &'s Lvalue, place: &AccessPath, n: u64, out: &mut Block) -> Is {
        let at = l.location;
        let lengths = self.subject.arrays.get(place).map_or(&[][..], Vec::as_slice);
        let mut all: Option<Expr> = None;
        for (index, digit) in indices(l).into_iter().zip(digits(lengths, n)) {
            if let Some(known) = constant(&self.program, index) {
                if known == i128::from(digit) {
                    continue;
                }
                return Is::Never;
            }
            let equal = match index.ty.as_int() {
                Some(kind) => {
                    let index = self.expr(index, out);
                    terms::compare(BinaryOp::Equal, index, Expr::int(i128::from(digit), kind, at))
                }
                // An index has no other type; with another type, it might be any cell.
                None => self.draw(&Type::INT, at, out),
            };
            all = Some(match all {
                None => equal,
                Some(others) => terms::and(others, equal),
            });
        }
        all.map_or(Is::Always, Is::If)
    }
}

/// The variable that an expression is.
fn variable(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Load(l) => l.as_var(),
        _ => None,
    }
}

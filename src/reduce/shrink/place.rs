//! Where the iterations of a loop stand on the line of positions.

use super::super::Refusal;
use super::super::normal::{Counted, folded};
use super::super::terms;
use super::form::WIDE;
use super::grid::Grid;
use super::indices::{Indices, fits};
use crate::program::affine::Affine;
use crate::program::{
    BinaryOp, Block, DataModel, Expr, ExprKind, IntKind, Program, SiteId, Stmt, StmtKind, VarId, rewritten,
};

/// A loop with its place on the line of positions: `counter = factor * position + offset`.
pub(super) struct Placed {
    pub(super) source: Counted,
    /// The grid, if the loop is a flattened nest.
    pub(super) grid: Option<Grid>,
    pub(super) factor: i128,
    pub(super) offset: Affine,
    pub(super) offset_expr: Expr,
    pub(super) low: Expr,
    pub(super) high: Expr,
}

impl Placed {
    /// Delays the loop by this many positions.
    pub(super) fn shift(&mut self, by: i128) {
        if by == 0 {
            return;
        }
        let at = self.source.location;
        let wide = |n: i128| Expr::int(n, IntKind::LongLong, at);
        let add = |e: &Expr, n: i128| Expr::binary(BinaryOp::Add, e.clone(), wide(n), WIDE);
        self.low = add(&self.low, by);
        self.high = add(&self.high, by);
        let change = -by * self.factor;
        self.offset.constant += change;
        self.offset_expr = add(&self.offset_expr, change);
    }

    /// The same iterations at the same positions, in the opposite order. Valid for iterations that
    /// do not depend on each other.
    pub(super) fn reversed(mut self, program: &Program) -> Placed {
        let at = self.source.location;
        let op = |op, a, b| fold(Expr::binary(op, a, b, WIDE), program.data_model);
        let sum = op(BinaryOp::Add, self.low.clone(), self.high.clone());
        self.offset_expr = op(BinaryOp::Sub, sum, Expr::int(1, IntKind::LongLong, at));
        self.factor = -1;
        self
    }

    /// The counter as an expression of the position.
    fn counter(&self, program: &Program, position: VarId) -> Expr {
        let at = self.source.location;
        let p = terms::load(program, position, at);
        let times = match self.factor {
            1 => p,
            n => Expr::binary(BinaryOp::Mul, p, Expr::int(n, IntKind::LongLong, at), WIDE),
        };
        let sum = match self.offset_expr.as_int() {
            Some(0) => times,
            _ => Expr::binary(BinaryOp::Add, times, self.offset_expr.clone(), WIDE),
        };
        sum.cast(program.variable(self.source.counter).ty.clone())
    }

    /// The iteration at a position, if the loop has one there.
    pub(super) fn write(&self, program: &Program, position: VarId, low: &Expr, high: &Expr, out: &mut Block) {
        let at = self.source.location;
        // The counter has its value at this position wherever the body reads it. Equal indices are
        // then written alike.
        let counter = self.counter(program, position);
        let mut body =
            rewritten(&self.source.body, &mut terms::Substitution { of: self.source.counter, to: counter.clone() });
        if let ExprKind::Cast(wide) = &counter.kind
            && fits(program, &self.source)
        {
            body = rewritten(&body, &mut Indices { program, counter: &counter, wide });
        }
        if let Some(grid) = &self.grid {
            body = grid.at(&body, &counter);
        }
        let p = || terms::load(program, position, at);
        let mut conditions = Vec::new();
        if !terms::same(&self.low, low) {
            conditions.push(terms::compare(BinaryOp::LessEqual, self.low.clone(), p()));
        }
        if !terms::same(&self.high, high) {
            conditions.push(terms::compare(BinaryOp::Less, p(), self.high.clone()));
        }
        match conditions.into_iter().reduce(terms::and) {
            Some(condition) => out.push(Stmt::new(StmtKind::If(condition, body, Vec::new()), SiteId(0), at)),
            None => out.extend(body),
        }
    }
}

/// Places the loop. If `by_value`, positions are values of the counter; otherwise they are numbers
/// of iterations.
pub(super) fn place(program: &Program, l: &Counted, grid: Option<&Grid>, by_value: bool) -> Result<Placed, Refusal> {
    let at = l.location;
    let model = program.data_model;
    let fits = |e: &Expr| e.ty.as_int().is_some_and(|k| k.is_signed() || k.width(model) < 64);
    if !fits(&l.first) || !fits(&l.bound) {
        return Err(Refusal::at(at, "a bound of the loop may not fit into 64 bits with a sign"));
    }
    let wide = |e: &Expr| match e.as_int() {
        Some(n) => Expr::int(n, IntKind::LongLong, at),
        None => e.clone().cast(WIDE),
    };
    let constant = |n: i128| Expr::int(n, IntKind::LongLong, at);
    let op = |op, a, b| fold(Expr::binary(op, a, b, WIDE), model);
    let (first, bound) = (wide(&l.first), wide(&l.bound));
    let inclusive = matches!(l.relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
    let unknown = || Refusal::at(at, "the first value of the counter is not linear");
    let start = Affine::of(&l.first, model).ok_or_else(unknown)?;
    if by_value {
        let high = if inclusive { op(BinaryOp::Add, bound, constant(1)) } else { bound };
        return Ok(Placed {
            source: l.clone(),
            grid: grid.cloned(),
            factor: 1,
            offset: Affine::constant(0),
            offset_expr: constant(0),
            low: first,
            high,
        });
    }
    let (small, large) = if l.step > 0 { (first.clone(), bound) } else { (bound, first.clone()) };
    let rounding = if inclusive { l.step.abs() } else { l.step.abs() - 1 };
    let distance = op(BinaryOp::Sub, large, small);
    let count = match (l.step.abs(), rounding) {
        (1, 0) => distance,
        (1, n) => op(BinaryOp::Add, distance, constant(n)),
        // C's division rounds a negative distance towards 0: the result is never more than 0.
        (s, n) => op(BinaryOp::Div, op(BinaryOp::Add, distance, constant(n)), constant(s)),
    };
    Ok(Placed {
        source: l.clone(),
        grid: grid.cloned(),
        factor: l.step,
        offset: start,
        offset_expr: first,
        low: constant(0),
        high: count,
    })
}

fn fold(e: Expr, model: DataModel) -> Expr {
    folded(&e, model).unwrap_or(e)
}

/// The positions of all loops together.
pub(super) fn range(placed: &[Placed], clause: Option<&Placed>) -> (Expr, Expr) {
    let pick = |values: Vec<&Expr>, op: BinaryOp| {
        let mut result = values[0].clone();
        for v in &values[1..] {
            result = match (result.as_int(), v.as_int()) {
                _ if terms::same(&result, v) => result,
                (Some(a), Some(b)) => {
                    if (op == BinaryOp::Less) == (a < b) {
                        result
                    } else {
                        (*v).clone()
                    }
                }
                _ => terms::conditional(terms::compare(op, result.clone(), (*v).clone()), result, (*v).clone()),
            };
        }
        result
    };
    let all = || placed.iter().chain(clause);
    let low = pick(all().map(|p| &p.low).collect(), BinaryOp::Less);
    let high = pick(all().map(|p| &p.high).collect(), BinaryOp::Greater);
    (low, high)
}

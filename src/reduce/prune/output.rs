//! Writes the pruned program.

use super::super::Refusal;
use super::super::normal::NormalPart;
use super::bound::Bound;
use super::model::{Model, ModelPart, Operand, Target};
use super::terms;
use crate::program::{
    AccessPath, Base, BinaryOp, Block, DataModel, Expr, ExprKind, IntKind, Length, Location, Loop, LoopKind, Lvalue,
    Program, SiteId, Step, Stmt, StmtKind, Storage, Type, Use, VarId, VisitMut, each_part, each_stmt, rewritten,
};
use std::collections::{BTreeMap, BTreeSet};

/// The last values of the counters of the loops, in order.
pub(super) fn ends(model: &Model, bound: &Bound) -> Vec<i128> {
    model.loops().map(|l| bound.end(l) * model.sign).collect()
}

/// Builds the program with pruned loops, and with arrays that have the cells that are touched.
pub(super) fn pruned(
    program: &Program,
    parts: &[NormalPart],
    model: &Model,
    bound: &Bound,
) -> Result<Program, Refusal> {
    let mut out = program.clone();
    // The parts hold all statements, the initialisers first.
    out.initialisers = Block::new();
    let entry = out.entry.0 as usize;
    out.functions.iter_mut().enumerate().filter(|(n, _)| *n != entry).for_each(|(_, f)| f.body = None);
    let mut cut = Cut::new(&mut out, model, bound)?;
    let ends = ends(model, bound);
    let mut ends = ends.iter();
    let mut body = Block::new();
    for part in parts {
        match part {
            NormalPart::Straight(b) => body.extend(rewritten(b, &mut cut)),
            NormalPart::Loop(l) => {
                let end = *ends.next().unwrap_or(&0);
                let at = l.location;
                let ty = out.variable(l.counter).ty.clone();
                let Some(kind) = ty.as_int() else { return Err(Refusal::at(at, "the counter is not an integer")) };
                let counter = || Expr::load(Lvalue::var(&out, l.counter, at));
                let goes_on = |op, bound| Expr::binary(op, counter(), bound, Type::INT);
                let (least, most) = (kind.min(out.data_model), kind.max(out.data_model));
                let within = if l.step > 0 { BinaryOp::LessEqual } else { BinaryOp::GreaterEqual };
                let latest = end + bound.slack;
                let pruned = (least <= end.min(latest) && end.max(latest) <= most).then(|| match &model.symbol {
                    Some(symbol) if bound.slack > 0 => {
                        let rest = rest(symbol, bound, out.data_model, at);
                        let end = Expr::int(end, IntKind::LongLong, at);
                        let end = Expr::binary(BinaryOp::Add, end, rest, Type::Int(IntKind::LongLong));
                        Expr::binary(within, counter().cast(Type::Int(IntKind::LongLong)), end, Type::INT)
                    }
                    _ => goes_on(within, Expr::int(end, kind, at)),
                });
                let full = model.symbol.is_some() || pruned.is_none();
                let full = full.then(|| goes_on(l.relation, l.bound.clone()));
                let condition = match (full, pruned) {
                    (Some(a), Some(b)) => Expr::new(ExprKind::And(Box::new(a), Box::new(b)), Type::INT, at),
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => return Err(Refusal::at(at, "the loop has no bound")),
                };
                let stmt = |kind| Stmt::new(kind, SiteId(0), at);
                let set = |e| stmt(StmtKind::Assign(Lvalue::var(&out, l.counter, at), e));
                let next = Expr::binary(BinaryOp::Add, counter(), Expr::int(l.step, kind, at), ty.clone());
                let first =
                    terms::constant(&l.first, out.data_model).map_or(l.first.clone(), |n| Expr::int(n, kind, at));
                body.push(set(first));
                let inner = rewritten(&l.body, &mut cut);
                let looped = Loop { id: l.id, kind: LoopKind::For, condition, body: inner, step: vec![set(next)] };
                body.push(stmt(StmtKind::Loop(Box::new(looped))));
            }
        }
    }
    out.functions[entry].body = Some(body);
    forget_unused(&mut out);
    Ok(out)
}

/// The amount added to Γ so that it is congruent to N̂ modulo Θ: `((symbol + N̂ - Γ) mod Θ)`, with
/// N̂ relative to the symbol.
fn rest(symbol: &Expr, bound: &Bound, data: DataModel, at: Location) -> Expr {
    let wide = Type::Int(IntKind::LongLong);
    let number = |n: i128| Expr::int(n, IntKind::LongLong, at);
    let theta = bound.theta;
    // The remainder is taken in a type that has all values of the symbol.
    let kind = match symbol.ty.as_int() {
        Some(kind) if kind.width(data) == 64 => kind,
        _ => IntKind::LongLong,
    };
    let symbol = symbol.clone().cast(Type::Int(kind));
    let remainder = Expr::binary(BinaryOp::Rem, symbol, Expr::int(theta, kind, at), Type::Int(kind)).cast(wide.clone());
    let distance = (bound.last - bound.gamma).rem_euclid(theta) + theta;
    let sum = Expr::binary(BinaryOp::Add, remainder, number(distance), wide.clone());
    Expr::binary(BinaryOp::Rem, sum, number(theta), wide)
}

/// How many iterations the longest loop runs, at most.
pub(super) fn iterations(model: &Model, bound: &Bound) -> i128 {
    model.loops().map(|l| ((bound.end(l) + bound.slack - l.first) / l.step + 1).max(0)).max().unwrap_or(0)
}

/// The cells that are kept of each array.
#[derive(Clone)]
struct Cut {
    /// The position of the index, and the number subtracted from it.
    along: BTreeMap<VarId, (usize, i128)>,
}

/// An array keeps its indices if the first cell touched is below this.
const NEAR: i128 = 64;
/// An array of more cells than this is refused.
const MOST_CELLS: i128 = 1 << 20;

impl Cut {
    fn new(out: &mut Program, model: &Model, bound: &Bound) -> Result<Cut, Refusal> {
        let mut touched: BTreeMap<VarId, (i128, i128)> = BTreeMap::new();
        let mut touch = |v: VarId, from: i128, to: i128| {
            let range = touched.entry(v).or_insert((from.min(to), from.max(to)));
            *range = (range.0.min(from).min(to), range.1.max(from).max(to));
        };
        for part in &model.parts {
            let (code, range) = match part {
                ModelPart::Straight(code) => (code, None),
                ModelPart::Loop(l) => (&l.code, Some((l.first, (bound.end(l) + bound.slack).max(l.first)))),
            };
            let uses = code.defs.iter().flat_map(|d| &d.uses).chain(code.conds.iter().flat_map(|c| &c.uses));
            let uses = uses.chain(code.looks.iter().flat_map(|l| &l.uses)).map(|u| u.operand);
            let written = code.defs.iter().filter_map(|d| match d.target {
                Target::Cell(a, c) => Some(Operand::Cell(a, c)),
                Target::Fixed(a, k) => Some(Operand::Fixed(a, k)),
                Target::Scalar(s) => Some(Operand::Scalar(s)),
                Target::Whole(_) => None,
            });
            for operand in uses.chain(written) {
                match (operand, range) {
                    (Operand::Fixed(a, k), _) => touch(model.arrays[a].variable, k * model.sign, k * model.sign),
                    (Operand::Cell(a, c), Some((from, to))) => {
                        touch(model.arrays[a].variable, (from + c) * model.sign, (to + c) * model.sign);
                    }
                    // Arrays that no loop runs over.
                    (Operand::Scalar(s), _) => {
                        if let AccessPath { variable, path } = &model.scalars[s]
                            && let Some(Step::Index(Some(k))) = path.first()
                        {
                            touch(*variable, *k, *k);
                        }
                    }
                    (Operand::Cell(..), None) => {}
                }
            }
        }
        let mut along = BTreeMap::new();
        for (v, (from, to)) in touched {
            let at = model.along.get(&v).copied();
            let position = at.unwrap_or(0);
            let base = if (0..NEAR).contains(&from) || at.is_none() { 0 } else { from };
            let location = out.variable(v).location;
            if to - base >= MOST_CELLS || from < base {
                return Err(Refusal::at(location, "the pruned program would need too many cells"));
            }
            let length = u64::try_from(to - base + 1).unwrap_or(1);
            // Inside a struct, the type is shared with others: it keeps its length, which must
            // suffice.
            let global = out.variable(v).storage == Storage::Global;
            let ty = &mut out.variables[v.0 as usize].ty;
            if global && has_unknown_length(ty) {
                // Another file defines the array, with arbitrary cells. An array of a known length
                // would begin with zeros.
                return Err(Refusal::at(location, "the length of an array is unknown"));
            }
            let mut inner = &mut *ty;
            let mut is_struct = false;
            for _ in 0..position {
                match inner {
                    Type::Array(element, _) => inner = element,
                    _ => {
                        is_struct = true;
                        break;
                    }
                }
            }
            match inner {
                Type::Array(element, kept) if !is_struct && has_constant_size(element) => {
                    *kept = Length::Constant(length)
                }
                _ if is_struct && base == 0 => {}
                _ => return Err(Refusal::at(location, "an array cannot be made smaller")),
            }
            if at.is_some() {
                along.insert(v, (position, base));
            }
        }
        Ok(Cut { along })
    }
}

impl VisitMut for Cut {
    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        self.walk_lvalue(l);
        let Base::Var(v) = l.base else { return };
        if let Some((position, base)) = self.along.get(&v)
            && let Some(Step::Index(e)) = l.path.get_mut(*position)
            && *base != 0
        {
            let (ty, at) = (e.ty.clone(), e.location);
            let kind = ty.as_int().unwrap_or(IntKind::Long);
            let moved = match e.as_int() {
                Some(k) => Expr::int(k - *base, kind, at),
                None => Expr::binary(BinaryOp::Sub, e.clone(), Expr::int(*base, kind, at), ty),
            };
            *e = moved;
        }
    }
}

fn has_constant_size(ty: &Type) -> bool {
    match ty {
        Type::Array(element, length) => matches!(length, Length::Constant(_)) && has_constant_size(element),
        _ => true,
    }
}

/// Removes the types of variables that nothing names any more. Their sizes would count.
fn forget_unused(out: &mut Program) {
    let mut used: BTreeSet<VarId> = BTreeSet::new();
    let entry = out.function(out.entry);
    used.extend(&entry.parameters);
    for block in entry.body.iter() {
        each_stmt(block, &mut |s| {
            if let StmtKind::Declare(v) = s.kind {
                used.insert(v);
            }
            each_part(s, &mut |part| {
                if let crate::program::Part::Lvalue(l, _) = part
                    && let Base::Var(v) = l.base
                {
                    used.insert(v);
                }
            });
        });
    }
    out.globals.retain(|v| used.contains(v));
    for (n, variable) in out.variables.iter_mut().enumerate() {
        if !used.contains(&VarId(n as u32)) {
            variable.ty = Type::INT;
        }
    }
}

fn has_unknown_length(ty: &Type) -> bool {
    match ty {
        Type::Array(element, length) => *length == Length::Unknown || has_unknown_length(element),
        _ => false,
    }
}

//! Gives large arrays a length that a model checker does not see as a constant.
//!
//! What an array holds is then a function of the index, whose cost is that of the accesses, not of the length. The length is at least what it
//! was; indices are checked against it, so that the program has the runs that it had, and perhaps more.

use super::super::effects::Effects;
use super::super::rewrite::{self, Rewrite};
use super::super::terms;
use super::form::Form;
use crate::program::{
    Base, BinaryOp, Block, Expr, InputId, Length, Lvalue, SiteId, StmtKind, Storage, Type, VarId, Variable, each_stmt,
};
use std::collections::HashMap;

/// Shorter arrays stay as they are.
const SHORT: u64 = 16;

/// The form with other variables in the place of its large arrays, and which are in whose place.
pub(super) fn open(form: &Form) -> (Form, HashMap<VarId, VarId>) {
    let mut form = form.clone();
    let mut used = Effects::default();
    for block in [&form.before, &form.body, &form.after, &form.clause, &form.closing] {
        let effects = Effects::of(block);
        used.reads.extend(effects.reads);
        used.writes.extend(effects.writes);
    }
    let mut renamed = Renamed { to: HashMap::new() };
    let mut first = Block::new();
    let kind = form.program.data_model.difference_type();
    for &v in used.reads.union(&used.writes) {
        let variable = form.program.variable(v).clone();
        let at = variable.location;
        let Type::Array(element, Length::Constant(n)) = variable.ty.clone() else { continue };
        if n <= SHORT || variable.storage == Storage::Parameter || i128::from(n) > kind.max(form.program.data_model) {
            continue;
        }
        let length = terms::fresh(&mut form.program, format!("{}_length", variable.name), Type::Int(kind), at);
        let ty = Type::Array(element, Length::Variable(length));
        let new = form.program.add_variable(Variable { ty, storage: Storage::Local, ..variable.clone() });
        let target = Lvalue::var(&form.program, length, at);
        let input = InputId(form.program.counters.inputs);
        form.program.counters.inputs += 1;
        let long = Expr::int(i128::from(n), kind, at);
        let enough = terms::compare(BinaryOp::GreaterEqual, terms::load(&form.program, length, at), long);
        first.push(terms::stmt(StmtKind::Input(target, input), SiteId(0), at));
        first.push(terms::stmt(StmtKind::Assume(enough), SiteId(0), at));
        if variable.storage == Storage::Global {
            first.push(terms::stmt(StmtKind::Declare(new), SiteId(0), at));
        }
        renamed.to.insert(v, new);
    }
    // What the initialisers say of a global that is renamed, the program says first.
    let mut initial = Block::new();
    each_stmt(&form.program.initialisers, &mut |s| {
        if Effects::of_stmt(s).writes.iter().any(|v| renamed.to.contains_key(v)) {
            initial.push(s.clone());
        }
    });
    first.extend(rewrite::block(&initial, &mut renamed));
    first.extend(rewrite::block(&form.before, &mut renamed));
    form.before = first;
    form.body = rewrite::block(&form.body, &mut renamed);
    form.after = rewrite::block(&form.after, &mut renamed);
    form.clause = rewrite::block(&form.clause, &mut renamed);
    form.closing = rewrite::block(&form.closing, &mut renamed);
    form.low = rewrite::expr(&form.low, &mut renamed);
    form.high = rewrite::expr(&form.high, &mut renamed);
    form.known = form.known.iter().map(|e| rewrite::expr(e, &mut renamed)).collect();
    form.bounded = form.bounded.iter().map(|(e, limit)| (rewrite::expr(e, &mut renamed), *limit)).collect();
    (form, renamed.to.into_iter().map(|(old, new)| (new, old)).collect())
}

/// Puts variables in the place of others.
pub(super) struct Renamed {
    pub(super) to: HashMap<VarId, VarId>,
}

impl Renamed {
    fn now(&self, v: VarId) -> VarId {
        self.to.get(&v).copied().unwrap_or(v)
    }
}

impl Rewrite for Renamed {
    fn declared(&mut self, v: VarId) -> VarId {
        self.now(v)
    }

    fn lvalue(&mut self, l: Lvalue) -> Lvalue {
        match l.base {
            Base::Var(v) => Lvalue { base: Base::Var(self.now(v)), ..l },
            Base::Deref(_) => l,
        }
    }
}

//! Gives large arrays lengths that a model checker does not see as constants.
//!
//! The contents of such an array are then a function of the index, whose cost is that of the
//! accesses, not of the length. The length is at least what it was. Indices are checked against it,
//! so the program has the runs that it had, and perhaps more.

use super::super::effects::Effects;
use super::super::terms;
use super::form::Form;
use crate::program::{
    BinaryOp, Block, Expr, Length, Program, SiteId, Stmt, StmtKind, Storage, Type, VarId, Variable, VisitMut,
    each_stmt, rewritten,
};
use std::collections::{BTreeSet, HashMap};

/// Shorter arrays stay as they are.
const SHORT: u64 = 16;

/// Replaces the large arrays of a form by other variables. Returns which variable replaces which.
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
        let least = Expr::int(i128::from(n), kind, at);
        let (_, new) = longer(&mut form.program, &variable, *element, "length", least, &mut first);
        renamed.to.insert(v, new);
    }
    let replaced = renamed.to.keys().copied().collect();
    replace(&mut form, first, &replaced, &mut renamed);
    (form, renamed.to.into_iter().map(|(old, new)| (new, old)).collect())
}

/// Adds an array whose length is arbitrary, but at least the given one, to replace a variable.
/// Returns the type and the new variable. The length is drawn in `first`. A global begins there
/// too.
pub(super) fn longer(
    program: &mut Program,
    variable: &Variable,
    element: Type,
    name: &str,
    least: Expr,
    first: &mut Block,
) -> (Type, VarId) {
    let at = variable.location;
    let (length, origin) = (format!("{}_{name}", variable.name), variable.origin.derived());
    let length = terms::made(program, length, origin, least.ty.clone(), at);
    let ty = Type::Array(Box::new(element), Length::Variable(length));
    let new = program.add_variable(Variable { ty: ty.clone(), storage: Storage::Local, ..variable.clone() });
    let enough = terms::compare(BinaryOp::GreaterEqual, terms::load(program, length, at), least);
    first.push(terms::draw(program, length, at));
    first.push(Stmt::new(StmtKind::Assume(enough), SiteId(0), at));
    if variable.storage == Storage::Global {
        first.push(Stmt::new(StmtKind::Declare(new), SiteId(0), at));
    }
    (ty, new)
}

/// Replaces variables everywhere in a form, after the code that runs first. The program then takes
/// over the initialisers of a replaced global.
pub(super) fn replace(form: &mut Form, mut first: Block, replaced: &BTreeSet<VarId>, with: &mut dyn VisitMut) {
    let mut initial = Block::new();
    each_stmt(&form.program.initialisers, &mut |s| {
        if !Effects::of_stmt(s).writes.is_disjoint(replaced) {
            initial.push(s.clone());
        }
    });
    first.extend(rewritten(&initial, with));
    first.extend(rewritten(&form.before, with));
    form.before = first;
    for block in [&mut form.body, &mut form.after, &mut form.clause, &mut form.closing] {
        *block = rewritten(block, with);
    }
    form.low = form.low.rewritten(with);
    form.high = form.high.rewritten(with);
    form.known = form.known.iter().map(|e| e.rewritten(with)).collect();
    form.bounded = form.bounded.iter().map(|(e, limit)| (e.rewritten(with), *limit)).collect();
}

/// Puts variables in the place of others.
pub(super) struct Renamed {
    pub(super) to: HashMap<VarId, VarId>,
}

impl VisitMut for Renamed {
    fn variable(&mut self, v: &mut VarId) {
        *v = self.to.get(v).copied().unwrap_or(*v);
    }

    fn ty(&mut self, _: &mut Type) {}
}

//! The statements of a run: assertions and assumptions become flags, inputs are drawn once, and
//! writes to arrays are kept beside them.

use super::super::super::Refusal;
use super::super::super::effects::Effects;
#[cfg(any(test, feature = "mutants"))]
use super::super::super::mutants::{Mutant, mutated};
use super::super::super::terms;
use super::super::form::WIDE;
use super::super::memory::{Entry, Run, Slot, accessed};
use super::{Kind, Writer};
use crate::program::{
    Base, BinaryOp, Block, Expr, InputId, IntKind, Lvalue, Part, SiteId, Step, Stmt, StmtKind, Type, Use, VarId,
    each_part, rewritten,
};

impl Writer<'_> {
    /// The block at this position.
    pub(super) fn at_position(&self, block: &Block, position: VarId) -> Block {
        rewritten(block, &mut terms::Substitution { of: self.form.position, to: self.load(position) })
    }

    /// Turns assertions and assumptions into flags.
    pub(super) fn flagged(&self, block: &Block) -> Block {
        let mut out = Vec::with_capacity(block.len());
        for s in block {
            let one = |v: VarId| terms::set(&self.program, v, terms::int(1, s.location), s.site, s.location);
            let alive = terms::load(&self.program, self.dead, s.location).negated();
            let mut push = |kind: StmtKind| out.push(s.with(kind));
            match &s.kind {
                StmtKind::Assert(e, id) if *id == self.assertion => {
                    let condition = terms::and(alive.clone(), e.clone().negated());
                    push(StmtKind::If(condition, vec![one(self.fails)], Vec::new()));
                    // A failing assertion ends the run; so does one that is undefined: to come to
                    // an assertion is to evaluate its condition.
                    if self.kind == Kind::Reach {
                        push(StmtKind::If(alive, vec![one(self.reached)], Vec::new()));
                    }
                }
                StmtKind::Assert(..) | StmtKind::Skip => {}
                #[cfg(any(test, feature = "mutants"))]
                StmtKind::Assume(e) if mutated(Mutant::AssumptionsAreAssumed) => push(StmtKind::Assume(e.clone())),
                StmtKind::Assume(e) => push(StmtKind::If(e.clone().negated(), vec![one(self.dead)], Vec::new())),
                StmtKind::If(c, a, b) => push(StmtKind::If(c.clone(), self.flagged(a), self.flagged(b))),
                kind => push(kind.clone()),
            }
        }
        out
    }

    /// Statements of a run, with arrays and inputs replaced.
    pub(super) fn block(&mut self, block: &Block, run: &mut Run) -> Result<Block, Refusal> {
        let mut out = Vec::with_capacity(block.len());
        for s in block {
            if self.kind == Kind::Witness {
                self.look(s, run, &mut out);
            }
            match &s.kind {
                StmtKind::If(c, a, b) => {
                    let c = run.expr(c, &self.arrays);
                    let a = self.block(a, run)?;
                    let b = self.block(b, run)?;
                    out.push(s.with(StmtKind::If(c, a, b)));
                }
                StmtKind::Assign(l, e) => {
                    let e = run.expr(e, &self.arrays);
                    self.assign(l, e, s, run, &mut out)?;
                }
                StmtKind::Input(l, id) if l.ty.is_scalar() => {
                    let value = self.drawn(run, &l.ty, Some(*id));
                    self.assign(l, value, s, run, &mut out)?;
                }
                StmtKind::Havoc(l) if l.ty.is_scalar() => {
                    let value = self.drawn(run, &l.ty, None);
                    self.assign(l, value, s, run, &mut out)?;
                }
                StmtKind::Declare(v) if self.program.variable(*v).ty.is_scalar() => {
                    let l = Lvalue::var(&self.program, *v, s.location);
                    let value = self.drawn(run, &l.ty, None);
                    self.assign(&l, value, s, run, &mut out)?;
                }
                StmtKind::Zero(l) => match &l.ty {
                    Type::Int(kind) => {
                        let zero = Expr::int(0, *kind, s.location);
                        self.assign(l, zero, s, run, &mut out)?;
                    }
                    _ => return Err(Refusal::at(s.location, "an iteration clears a whole object")),
                },
                StmtKind::Skip => {}
                #[cfg(any(test, feature = "mutants"))]
                StmtKind::Assume(e) if mutated(Mutant::AssumptionsAreAssumed) => {
                    out.push(s.with(StmtKind::Assume(run.expr(e, &self.arrays))));
                }
                _ => return Err(Refusal::at(s.location, "an iteration changes a whole object")),
            }
        }
        Ok(out)
    }

    /// Takes what a statement reads of arrays of integers from outside: runs with other values are
    /// cut off.
    fn look(&mut self, s: &Stmt, run: &Run, out: &mut Block) {
        let mut cells = Vec::new();
        each_part(s, &mut |part| {
            if let Part::Lvalue(l, Use::Read) = part
                && let (Base::Var(v), [Step::Index(_)], Type::Int(_)) = (&l.base, &l.path[..], &l.ty)
            {
                cells.push((*v, l.clone()));
            }
        });
        for (v, l) in cells {
            let [Step::Index(e)] = &l.path[..] else { continue };
            let Type::Array(_, length) = self.program.variable(v).ty else { continue };
            let Some(length) = length.as_expr(&self.program, s.location) else { continue };
            let e = run.expr(e, &self.arrays).cast(WIDE);
            let initial = self.arrays.get(&v).copied().unwrap_or(v);
            let (index, cell) = (self.wide("index"), terms::fresh(&mut self.program, "cell", l.ty.clone(), s.location));
            let (Some(a), Some(b)) = (self.draw_into(index), self.draw_into(cell)) else { continue };
            self.taken.cells.push((v, a, b));
            let here = Lvalue { base: Base::Var(initial), path: vec![Step::Index(e.clone())], ..l };
            let is_it = terms::and(
                terms::compare(BinaryOp::Equal, self.load(index), e.clone()),
                terms::compare(BinaryOp::Equal, self.load(cell), Expr::load(here)),
            );
            let zero = Expr::int(0, IntKind::LongLong, s.location);
            let inside = terms::and(
                terms::compare(BinaryOp::LessEqual, zero, e.clone()),
                terms::compare(BinaryOp::Less, e, length.cast(WIDE)),
            );
            let seen = vec![s.with(StmtKind::Assume(is_it))];
            out.push(s.with(StmtKind::If(inside, seen, Vec::new())));
        }
    }

    /// The value of an input at this place; `source` is the input of the program, if it is one.
    fn drawn(&mut self, run: &mut Run, ty: &Type, source: Option<InputId>) -> Expr {
        let key = (run.slot, run.ordinal);
        run.ordinal += 1;
        let v = match self.drawn.get(&key) {
            Some(v) => *v,
            None => {
                let v = terms::fresh(&mut self.program, "drawn", ty.clone(), self.at);
                if let (Some(id), Some(source)) = (self.draw_into(v), source) {
                    let iteration = match run.slot {
                        Slot::Iteration(n) | Slot::Clause(n) => Some(n),
                        Slot::PastClause | Slot::After | Slot::Closing => None,
                    };
                    self.taken.inputs.insert(id, (source, iteration));
                }
                self.drawn.insert(key, v);
                v
            }
        };
        self.load(v)
    }

    fn assign(&mut self, l: &Lvalue, value: Expr, s: &Stmt, run: &mut Run, out: &mut Block) -> Result<(), Refusal> {
        let Base::Var(v) = l.base else {
            return Err(Refusal::at(s.location, "a pointer may point to several objects"));
        };
        if !self.arrays.contains_key(&v) {
            let l = run.lvalue(l, &self.arrays);
            out.push(s.with(StmtKind::Assign(l, value)));
            return Ok(());
        }
        if !l.ty.is_scalar() {
            return Err(Refusal::at(s.location, "an iteration assigns a whole struct"));
        }
        let mut indices = Vec::new();
        let mut ty = self.program.variable(v).ty.clone();
        for step in &l.path {
            ty = match (step, ty) {
                (Step::Index(e), Type::Array(element, length)) => {
                    let e = run.expr(e, &self.arrays).cast(WIDE);
                    let Some(length) = length.as_expr(&self.program, s.location) else {
                        return Err(Refusal::at(s.location, "the length of an array is unknown"));
                    };
                    let zero = Expr::int(0, IntKind::LongLong, s.location);
                    let outside = terms::or(
                        terms::compare(BinaryOp::Less, e.clone(), zero),
                        terms::compare(BinaryOp::GreaterEqual, e.clone(), length.cast(WIDE)),
                    );
                    let one = |v: VarId| terms::set(&self.program, v, terms::int(1, s.location), s.site, s.location);
                    let alive = terms::load(&self.program, self.dead, s.location).negated();
                    let wild = StmtKind::If(alive, vec![one(self.wild)], Vec::new());
                    let ends = vec![s.with(wild), one(self.dead)];
                    out.push(s.with(StmtKind::If(outside, ends, Vec::new())));
                    indices.push(e);
                    *element
                }
                (Step::Field(id, n), _) => {
                    let structure = self.program.structure(*id);
                    if structure.is_union {
                        return Err(Refusal::at(s.location, "an iteration writes a union"));
                    }
                    let member = structure.members.get(*n as usize);
                    if member.is_some_and(|m| m.bits.is_some()) {
                        return Err(Refusal::at(s.location, "an iteration writes a bit-field"));
                    }
                    member.map_or(Type::Void, |m| m.ty.clone())
                }
                _ => return Err(Refusal::at(s.location, "an iteration writes to an object without a name")),
            };
        }
        let at = s.location;
        let made = terms::fresh(&mut self.program, "made", Type::INT, at);
        let stored = terms::fresh(&mut self.program, "stored", l.ty.clone(), at);
        run.resets.push(terms::set(&self.program, made, terms::int(0, at), s.site, at));
        out.push(terms::set(&self.program, stored, value, s.site, at));
        let mut entry = Entry { made, indices: Vec::new(), value: stored };
        for e in indices {
            if self.is_fixed(&e) {
                entry.indices.push(e);
                continue;
            }
            let index = terms::fresh(&mut self.program, "at", WIDE, at);
            out.push(terms::set(&self.program, index, e, s.site, at));
            entry.indices.push(self.load(index));
        }
        out.push(terms::set(&self.program, made, terms::int(1, at), s.site, at));
        run.log.entry(accessed(v, l)).or_default().push(entry);
        Ok(())
    }

    /// Whether the expression reads nothing that a run writes.
    fn is_fixed(&self, e: &Expr) -> bool {
        let reads = Effects::of_stmt(&Stmt::new(StmtKind::Assume(e.clone()), SiteId(0), self.at)).reads;
        let is_of_form = |v: &VarId| (v.0 as usize) < self.form.program.variables.len();
        let is_written = |v: &VarId| self.state.contains_key(v) || self.arrays.contains_key(v);
        reads.iter().all(|v| self.positions.contains(v) || is_of_form(v) && !is_written(v))
    }
}

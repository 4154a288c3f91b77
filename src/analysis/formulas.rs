//! Evaluates specifications in an abstract state.
//!
//! To prove a quantified formula, the evaluator assumes that it is false, with fresh scalars in the
//! place of its quantified variables. If no state remains, the formula holds for every index,
//! because nothing is known of the scalar except that it lies in the range and satisfies the
//! guards. A formula that is known to hold for every index is given to the memory domain as a fact
//! about cells ([`Memory::assume_cells`]).
//!
//! **Why it is sound.** [`Evaluator::claim`] keeps every state in which the formula has the truth
//! value asked for, and every state in which it has no truth value: a term that may read what does
//! not exist gets any value. Terms are mathematical, as linear expressions are. Cells are read only
//! if the state shows that they exist; such a read removes no run.
//!
//! **Limits.** A fact for every index is kept if it is about the cells of one array whose index is
//! the quantified variable plus something that does not depend on it. Of nested cells
//! (`a[a[k].next].used`) nothing is kept.

use super::evaluate::{Evaluator, Place, relation};
use super::integers;
use super::layout::{BlockId, Home, Path, Segment};
use crate::program::{
    Base, BoundId, ExprKind, ForAll, Formula, Lvalue, Root, Term, TermLvalue, TermOp, TermStep, Type,
};
use smalti_core::{ArrayId, CellClaim, CellsFact, Constraint, FieldId, Interval, Lattice, LinearExpr, Memory, Var};
use std::collections::BTreeMap;

/// The expressions that quantified variables stand for.
pub(super) type Bindings = BTreeMap<BoundId, LinearExpr>;

/// The most equivalences in a formula that is one. Each side of it is read both as true and as
/// false, so every level doubles the work.
const MOST_EQUIVALENCES: usize = 8;

/// The cell that a quantified fact is about.
struct Generic {
    bound: BoundId,
    array: ArrayId,
    index: Var,
    fields: Vec<(FieldId, Var)>,
    /// Which cell is read.
    reads: Reads,
}

/// Which cells a part of a quantified fact reads.
enum Reads {
    /// Those that the quantified variable chooses.
    Own,
    /// Those whose index is found in the cell that the variable chooses: always the same field.
    Found(Option<LinearExpr>),
}

/// How many equivalences there are in a formula.
fn equivalences(f: &Formula) -> usize {
    match f {
        Formula::Constant(_) | Formula::Compare(..) | Formula::Memory(_) => 0,
        Formula::Not(a) => equivalences(a),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) => equivalences(a) + equivalences(b),
        Formula::Iff(a, b) => 1 + equivalences(a) + equivalences(b),
        Formula::ForAll(q) => equivalences(&q.body),
    }
}

impl<M: Memory> Evaluator<'_, M> {
    /// Keeps only the runs in which the formula is true (`holds`) or false, and those in which it
    /// is neither.
    pub(super) fn claim(&mut self, formula: &Formula, holds: bool) {
        self.formula(formula, holds, &mut Bindings::new());
    }

    pub(super) fn formula(&mut self, f: &Formula, holds: bool, bound: &mut Bindings) {
        if self.state.is_bottom() {
            return;
        }
        match f {
            Formula::Constant(c) if *c == holds => {}
            Formula::Constant(_) => self.state = self.model.bottom_like(&self.state),
            Formula::Compare(op, a, b) => {
                self.reads.clear();
                let (x, y) = (self.term(a, bound), self.term(b, bound));
                self.learn(relation(*op, &x, &y, holds));
            }
            Formula::Not(a) => self.formula(a, !holds, bound),
            Formula::And(a, b) => self.both((a, true), (b, true), holds, bound),
            // `a || b` is false where both are; `a ==> b` where a is true and b is not.
            Formula::Or(a, b) => self.both((a, false), (b, false), !holds, bound),
            Formula::Implies(a, b) => self.both((a, true), (b, false), !holds, bound),
            // Nothing is learned.
            Formula::Iff(..) if equivalences(f) > MOST_EQUIVALENCES => {}
            Formula::Iff(a, b) => {
                let before = self.state.clone();
                self.formula(a, true, bound);
                self.formula(b, holds, bound);
                let first = std::mem::replace(&mut self.state, before);
                self.formula(a, false, bound);
                self.formula(b, !holds, bound);
                self.state.join_with(&first);
            }
            // Nothing is learned.
            Formula::Memory(_) => {}
            Formula::ForAll(q) if holds => self.known_for_all(q, bound),
            Formula::ForAll(q) => {
                // Some value is a counterexample.
                self.choose(q, bound);
                self.formula(&q.body, false, bound);
            }
        }
    }

    /// Makes a quantified variable a scalar that may have any value of the range.
    pub(super) fn choose(&mut self, q: &ForAll, bound: &mut Bindings) {
        let k = LinearExpr::var(self.temporary());
        let (low, high) = (self.term(&q.low, bound), self.term(&q.high, bound));
        for c in [Constraint::le(&low, &k), Constraint::lt(&k, &high)].into_iter().flatten() {
            self.state.memory.assume(&c);
        }
        bound.insert(q.bound, k);
    }

    /// Keeps the runs in which both `a` and `b` have these truth values (`holds`), or in which at
    /// least one has not.
    fn both(&mut self, a: (&Formula, bool), b: (&Formula, bool), holds: bool, bound: &mut Bindings) {
        if holds {
            self.formula(a.0, a.1, bound);
            self.formula(b.0, b.1, bound);
            return;
        }
        let before = self.state.clone();
        self.formula(a.0, !a.1, bound);
        let first = std::mem::replace(&mut self.state, before);
        self.formula(a.0, a.1, bound);
        self.formula(b.0, !b.1, bound);
        self.state.join_with(&first);
    }

    /// The value of a term; any number if it may have none.
    pub(super) fn term(&mut self, t: &Term, bound: &Bindings) -> LinearExpr {
        let value = match t {
            Term::Int(n) => Some(LinearExpr::constant(*n)),
            Term::Bound(id) => bound.get(id).cloned(),
            Term::Read(place) => {
                let range = self.range_of_place(place);
                return match self.spot(place, bound, true) {
                    Some(spot) => self.read(&spot, range),
                    None => self.any(Interval::TOP),
                };
            }
            Term::If(c, a, b) => {
                let before = self.state.clone();
                self.formula(c, true, &mut bound.clone());
                let yes = self.state.memory.is_bottom();
                self.state = before.clone();
                self.formula(c, false, &mut bound.clone());
                let no = self.state.memory.is_bottom();
                self.state = before;
                match (yes, no) {
                    (true, _) => Some(self.term(b, bound)),
                    (_, true) => Some(self.term(a, bound)),
                    _ => {
                        let (x, y) = (self.term(a, bound), self.term(b, bound));
                        let range = self.bounds(&x).join(self.bounds(&y));
                        Some(self.any(range))
                    }
                }
            }
            Term::Apply(_) => Some(self.any(Interval::TOP)),
            // The state is about now.
            Term::At(_, place) => Some(self.any(self.range_of_place(place))),
            Term::Negate(a) => self.term(a, bound).scale(-1),
            Term::Binary(op, a, b) => {
                let (x, y) = (self.term(a, bound), self.term(b, bound));
                match op {
                    TermOp::Add => x.add(&y),
                    TermOp::Sub => x.sub(&y),
                    TermOp::Mul => Some(self.product(&x, &y)),
                    TermOp::Div | TermOp::Rem => {
                        let (p, q) = (self.bounds(&x), self.bounds(&y));
                        // The value of a division by 0 is not known.
                        let defined = Constraint::ne(&y, &LinearExpr::constant(0))
                            .is_some_and(|c| !q.contains(0) || self.state.memory.entails(&c));
                        let range = match op {
                            _ if !defined => Interval::TOP,
                            TermOp::Div => integers::quotient(p, q),
                            _ => integers::remainder(p, q),
                        };
                        Some(self.any(range))
                    }
                }
            }
        };
        value.unwrap_or_else(|| self.any(Interval::TOP))
    }

    fn range_of_place(&self, place: &TermLvalue) -> Interval {
        match &place.ty {
            Type::Int(kind) => integers::range(*kind, self.model.program.data_model),
            _ => Interval::TOP,
        }
    }

    /// The only place that this denotes, if that is known. With `exists`, only if the state shows
    /// that the place exists.
    fn spot(&mut self, place: &TermLvalue, bound: &Bindings, exists: bool) -> Option<Place> {
        let inside = |x: &Self, index: &LinearExpr, length: Option<LinearExpr>| {
            let below = length.and_then(|l| Constraint::lt(index, &l));
            x.state.memory.entails(&Constraint::non_negative(index.clone()))
                && below.is_some_and(|c| x.state.memory.entails(&c))
        };
        let mut spot = match &place.root {
            Root::Elements { .. } => return None,
            Root::Variable(lvalue) => {
                let Base::Var(v) = lvalue.base else { return None };
                Place { block: BlockId::Variable(v), path: Path::new(), flat: LinearExpr::constant(0) }
            }
            Root::Pointer { pointer, offset } => {
                let value = self.pointer(pointer);
                let pointee = pointer.ty.pointee().unwrap_or(&Type::Void);
                let [target] = &value.targets.set.iter().collect::<Vec<_>>()[..] else { return None };
                // Unlike in C, reading an object whose lifetime has ended ends no run here.
                let there = match (target.block, &pointer.kind) {
                    (BlockId::Heap(_), _) => true,
                    (BlockId::Variable(v), ExprKind::Load(Lvalue { base: Base::Var(p), .. })) => {
                        self.model.scopes.outlives(self.model.program, v, *p)
                    }
                    _ => false,
                };
                if value.targets.anywhere || !value.valid || !there || !self.fits(target, pointee) {
                    return None;
                }
                // Offsets do not count what lies between parts of different elements.
                if offset.is_some() && target.is_in_elements() {
                    return None;
                }
                let flat = match offset {
                    Some(t) => value.offset.add(&self.term(t, bound))?,
                    None => value.offset.clone(),
                };
                if exists && !self.is_inside(target, &flat) {
                    return None;
                }
                Place { block: target.block, path: target.path.clone(), flat }
            }
        };
        for step in &place.steps {
            match step {
                TermStep::Field(id, n) => spot.path.push(Segment::Field(*id, *n)),
                TermStep::Index(t) => {
                    let index = self.term(t, bound);
                    let length = self.dimension(spot.block, &spot.path);
                    if exists && !inside(self, &index, length.clone()) {
                        return None;
                    }
                    spot.flat = if spot.path.contains(&Segment::Index(())) {
                        self.product(&spot.flat, &length?).add(&index)?
                    } else {
                        index
                    };
                    spot.path.push(Segment::Index(()));
                }
            }
        }
        Some(spot)
    }

    /// Uses that the body holds for every index of the range: so do its conjuncts, each under its
    /// guards.
    fn known_for_all(&mut self, q: &ForAll, bound: &mut Bindings) {
        let mut parts = Vec::new();
        conjuncts(&q.body, &mut Vec::new(), &mut parts);
        // Conjuncts under the same guards are given to the domain together, so that it separates
        // the cells that satisfy the guards just once.
        for same in parts.chunk_by(|(g, _), (h, _)| g.len() == h.len() && g.iter().zip(h).all(|(g, h)| g == h)) {
            let guards = &same[0].0;
            let claims: Vec<&Formula> = same.iter().map(|(_, claim)| *claim).collect();
            if let Some(fact) = self.cells_fact(q, guards, &claims, bound) {
                self.state.memory.assume_cells(&fact);
                continue;
            }
            for claim in claims {
                if let Some(fact) = self.cells_fact(q, guards, &[claim], bound) {
                    self.state.memory.assume_cells(&fact);
                }
            }
        }
    }

    /// The claims under their guards, as a fact about the cells of a single array.
    fn cells_fact(
        &mut self,
        q: &ForAll,
        guards: &[&Formula],
        claims: &[&Formula],
        bound: &mut Bindings,
    ) -> Option<CellsFact> {
        // Which cell does the quantified variable choose? Any cell that is read can be taken: the
        // other reads must be of the same cell.
        let mut reads: Vec<&TermLvalue> = Vec::new();
        for f in guards.iter().chain(claims) {
            f.each_place(&mut |p| reads.extend(p.mentions(q.bound).then_some(p)));
        }
        let k = self.temporary();
        bound.insert(q.bound, LinearExpr::var(k));
        let (array, offset) = reads.into_iter().find_map(|place| {
            let spot = self.spot(place, bound, false)?;
            let (array, _) = self.plain_cell(&spot)?;
            let offset = spot.flat.sub(&LinearExpr::var(k))?;
            (!offset.mentions(k)).then_some((array, offset))
        })?;
        let index = self.temporary();
        bound.insert(q.bound, LinearExpr::var(index).sub(&offset)?);
        let mut generic = Generic { bound: q.bound, array, index, fields: Vec::new(), reads: Reads::Own };
        let value = bound.get(&q.bound)?.clone();
        let (low, high) = (self.term(&q.low, bound), self.term(&q.high, bound));
        let mut all = vec![Constraint::le(&low, &value)?, Constraint::lt(&value, &high)?];
        for guard in guards {
            // A guard that cannot be expressed must not be left out: that would make the fact
            // stronger.
            self.generic_constraints(guard, true, &mut generic, bound, &mut all)?;
        }
        let mut body = Vec::new();
        for claim in claims {
            let mut constraints = Vec::new();
            if self.generic_constraints(claim, true, &mut generic, bound, &mut constraints).is_some() {
                body.extend(constraints.into_iter().map(CellClaim::Holds));
                continue;
            }
            constraints.clear();
            generic.reads = Reads::Found(None);
            self.generic_constraints(claim, true, &mut generic, bound, &mut constraints)?;
            match std::mem::replace(&mut generic.reads, Reads::Own) {
                Reads::Found(Some(e)) => body.push(CellClaim::Finds(e, constraints)),
                _ => return None,
            }
        }
        Some(CellsFact { array, index, fields: generic.fields, guards: all, body })
    }

    /// A cell whose index is read from the generic cell: its array and field, and its index in the
    /// variables of the generic cell.
    fn found_cell(
        &mut self,
        place: &TermLvalue,
        generic: &mut Generic,
        bound: &Bindings,
    ) -> Option<(ArrayId, FieldId, LinearExpr)> {
        let mut indexes = Vec::new();
        place.each_term(&mut |t| indexes.extend(t.mentions(generic.bound).then_some(t)));
        let &[index] = &indexes[..] else { return None };
        let reads = std::mem::replace(&mut generic.reads, Reads::Own);
        let found = self.generic_term(index, generic, bound);
        generic.reads = reads;
        // Its place, with a scalar instead of the value that is read. Arrays of arrays are not
        // followed.
        let stand_in = self.temporary();
        let scalar = LinearExpr::var(stand_in);
        let by_scalar = place.map_terms(&mut |t| match t.mentions(generic.bound) {
            true => Term::Bound(generic.bound),
            false => t.clone(),
        });
        let mut bound = bound.clone();
        bound.insert(generic.bound, scalar.clone());
        let spot = self.spot(&by_scalar, &bound, false)?;
        let (array, field) = self.plain_cell(&spot)?;
        let offset = spot.flat.sub(&scalar)?;
        Some((array, field, found?.add(&offset)?)).filter(|_| !offset.mentions(stand_in))
    }

    /// The array and field, if the array has one dimension. With several dimensions, an index that
    /// is out of range in one of them would be the row-major number of another cell.
    fn plain_cell(&self, spot: &Place) -> Option<(ArrayId, FieldId)> {
        if spot.path.iter().filter(|s| s.is_index()).count() != 1 {
            return None;
        }
        let leaf = self.model.layout.leaf_at(spot.block, &spot.path)?;
        match self.model.layout.leaf(leaf).home {
            Home::Cell(array, field) => Some((array, field)),
            Home::Scalar(_) => None,
        }
    }

    /// The formula (or its negation) as constraints on the generic cell; `None` if it is not a
    /// conjunction of such constraints.
    fn generic_constraints(
        &mut self,
        f: &Formula,
        holds: bool,
        generic: &mut Generic,
        bound: &Bindings,
        found: &mut Vec<Constraint>,
    ) -> Option<()> {
        match (f, holds) {
            (Formula::Constant(c), _) if *c == holds => Some(()),
            (Formula::Compare(op, a, b), _) => {
                let (x, y) = (self.generic_term(a, generic, bound)?, self.generic_term(b, generic, bound)?);
                found.push(relation(*op, &x, &y, holds)?);
                Some(())
            }
            (Formula::Not(a), _) => self.generic_constraints(a, !holds, generic, bound, found),
            (Formula::And(a, b), true) | (Formula::Or(a, b), false) => {
                self.generic_constraints(a, holds, generic, bound, found)?;
                self.generic_constraints(b, holds, generic, bound, found)
            }
            _ => None,
        }
    }

    /// The value of a term in the variables of the generic cell; `None` if it cannot be expressed.
    fn generic_term(&mut self, t: &Term, generic: &mut Generic, bound: &Bindings) -> Option<LinearExpr> {
        if !t.mentions(generic.bound) {
            return Some(self.term(t, bound));
        }
        match t {
            Term::Int(n) => Some(LinearExpr::constant(*n)),
            // Here the constraints would be about the number of the other cell.
            Term::Bound(_) if !matches!(generic.reads, Reads::Own) => None,
            Term::Bound(id) => bound.get(id).cloned(),
            Term::Read(place) => {
                // It is the same cell in every state in which there is such a cell.
                let (array, field, index) = match generic.reads {
                    Reads::Own => {
                        let spot = self.spot(place, bound, false)?;
                        let (array, field) = self.plain_cell(&spot)?;
                        (array, field, spot.flat)
                    }
                    Reads::Found(_) => self.found_cell(place, generic, bound)?,
                };
                let known = match &mut generic.reads {
                    Reads::Own => index.as_var() == Some(generic.index),
                    Reads::Found(at) => *at.get_or_insert_with(|| index.clone()) == index,
                };
                if array != generic.array || !known {
                    return None;
                }
                if let Some((_, v)) = generic.fields.iter().find(|(f, _)| *f == field) {
                    return Some(LinearExpr::var(*v));
                }
                let v = self.temporary();
                generic.fields.push((field, v));
                Some(LinearExpr::var(v))
            }
            Term::At(..) | Term::Apply(_) | Term::If(..) => None,
            Term::Negate(a) => self.generic_term(a, generic, bound)?.scale(-1),
            Term::Binary(op, a, b) => {
                let (x, y) = (self.generic_term(a, generic, bound)?, self.generic_term(b, generic, bound)?);
                match op {
                    TermOp::Add => x.add(&y),
                    TermOp::Sub => x.sub(&y),
                    TermOp::Mul => match (x.as_constant(), y.as_constant()) {
                        (Some(c), _) => y.scale(c),
                        (_, Some(c)) => x.scale(c),
                        _ => None,
                    },
                    TermOp::Div | TermOp::Rem => None,
                }
            }
        }
    }
}

/// The comparisons of which a formula is the conjunction, each with its guards.
fn conjuncts<'f>(f: &'f Formula, guards: &mut Vec<&'f Formula>, found: &mut Vec<(Vec<&'f Formula>, &'f Formula)>) {
    match f {
        Formula::And(a, b) => {
            conjuncts(a, guards, found);
            conjuncts(b, guards, found);
        }
        Formula::Implies(a, b) => {
            guards.push(a);
            conjuncts(b, guards, found);
            guards.pop();
        }
        Formula::Compare(..) | Formula::Not(_) => {
            found.push((guards.clone(), f));
        }
        // Constants say nothing, or only that the range is empty. Disjunctions and inner
        // quantifiers are not followed.
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::{AnalysisConfig, analyse};
    use crate::lower::{LowerOptions, load_text};
    use crate::program::{ObligationKind, obligations};
    use std::time::{Duration, Instant};

    #[test]
    fn many_equivalences_in_a_row_take_no_time() {
        let chain = vec!["x == 1"; 150].join(" <==> ");
        let text = format!("int x;\nint main(void) {{\n  x = x > 1;\n  /*@ check {chain}; */\n  return 0;\n}}\n");
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("x.c", &text, &options).expect("the program is read");
        let all = obligations(&program, &[ObligationKind::Assertion]);
        let begun = Instant::now();
        let config = AnalysisConfig { deadline: Some(begun + Duration::from_secs(60)), ..AnalysisConfig::default() };
        analyse(&program, &all, &config).expect("an analysis");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

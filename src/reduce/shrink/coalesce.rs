//! Brings a program into the form that shrinking is about: one loop, and a property of the state
//! after it.
//!
//! **Coalescing** (Kumar 2019, 7.6.1). Cascaded loops become one, in which iterations at the same
//! position run one after the other. That is the same program under one condition. No iteration of
//! an earlier loop, at a later position, may touch a cell that an iteration of a later loop, at an
//! earlier position, touches too (one of them writing). Then no two accesses that depend on each
//! other change their order. The indices are linear in the position, so the distance between such
//! iterations is a constant. If it is positive, the later loop is delayed by that many positions.
//!
//! **Statements between loops** move before the first loop under two conditions. No loop that they
//! pass writes what they read or write, or reads what they write. They pass no assertion (an
//! assumption that fails may not hide an assertion that failed earlier). Otherwise they move after
//! the last loop, with the same conditions.
//!
//! **Loops that cannot be coalesced** with the loops after them become arbitrary values for what
//! they write: the form then has more runs.

use super::super::Refusal;
use super::super::effects::Effects;
use super::super::normal::{Counted, writes_first};
use super::super::terms;
use super::distance::distance;
use super::form::WIDE;
use super::form::{FARTHEST, Form, LARGEST_STEP, Quantifier, Way};
use super::grid::{Flat, Grid};
use super::place::{Placed, place, range};
use crate::program::affine::Affine;
use crate::program::{
    AssertionId, Base, BinaryOp, Block, DataModel, Expr, Lvalue, Program, SiteId, Step, Stmt, StmtKind, Use, VarId,
    each_part, each_stmt,
};
use std::collections::BTreeSet;

/// Cascaded loops, with what stands between them: `straights[0] loops[0] straights[1] …`.
pub(super) struct Cascade<'c> {
    pub(super) straights: &'c [Block],
    pub(super) loops: &'c [Counted],
    /// The last loop, if the property is its clauses.
    pub(super) property: Option<&'c Counted>,
    /// The code after the property.
    pub(super) closing: &'c Block,
    /// Which loops are nests.
    pub(super) flat: &'c Flat,
}

/// Builds the form of one loop, leaving out the first few of a cascade.
pub(super) fn coalesce(
    program: &mut Program,
    cascade: &Cascade<'_>,
    dropped: usize,
    assertion: AssertionId,
    way: Way,
) -> Result<Option<Form>, Refusal> {
    let (left_out, loops) = cascade.loops.split_at(dropped);
    let mut coalescing = Coalescing {
        program,
        cascade,
        assertion,
        way,
        loops: loops.to_vec(),
        written: BTreeSet::new(),
        before: Block::new(),
        after: Block::new(),
        bounded: Vec::new(),
    };
    coalescing.drop_loops(left_out);
    coalescing.move_statements(&cascade.straights[dropped..])?;
    coalescing.check_bounds()?;
    coalescing.keep_bounds();
    coalescing.limit_bounds()?;
    if !coalescing.has_one_depth()? {
        return Ok(None);
    }
    let Some(line) = coalescing.line()? else { return Ok(None) };
    let body = line.body(coalescing.program);
    let Some(Clauses { clause, description }) = coalescing.clauses(&line)? else { return Ok(None) };
    let ids = |loops: &[Counted]| loops.iter().map(|l| (l.id, l.location)).collect::<Vec<_>>();
    Ok(Some(Form {
        program: coalescing.program.clone(),
        before: coalescing.before,
        position: line.position,
        low: line.low,
        high: line.high,
        bounded: coalescing.bounded,
        body,
        after: coalescing.after,
        clause,
        closing: cascade.closing.clone(),
        quantifier: if way == Way::Search { Quantifier::Existential } else { Quantifier::Universal },
        loops: [ids(&coalescing.loops), ids(cascade.property.map_or(&[], std::slice::from_ref))].concat(),
        dropped: ids(left_out),
        known: Vec::new(),
        property: description,
    }))
}

/// A form under construction: the loops that become one, and the code around them.
struct Coalescing<'c> {
    program: &'c mut Program,
    cascade: &'c Cascade<'c>,
    assertion: AssertionId,
    way: Way,
    /// The loops that become one, without the property's loop.
    loops: Vec<Counted>,
    /// What their bodies write.
    written: BTreeSet<VarId>,
    /// What runs before the one loop.
    before: Block,
    /// What runs after it.
    after: Block,
    /// Values with limits that they must not exceed (see [`Form::bounded`]).
    bounded: Vec<(Expr, i128)>,
}

/// The loops on one line of positions.
struct Line {
    position: VarId,
    /// The loops that become one.
    placed: Vec<Placed>,
    /// The property's loop, where its iterations are clauses.
    clauses: Option<Placed>,
    /// The first position.
    low: Expr,
    /// The end of the positions, exclusive.
    high: Expr,
}

/// The part of a property that belongs to positions.
struct Clauses {
    /// Of one position.
    clause: Block,
    /// The way of viewing the property, for people.
    description: String,
}

impl Line {
    /// The body of the one loop: the iterations at one position, one after the other.
    fn body(&self, program: &Program) -> Block {
        let mut body = Block::new();
        for here in &self.placed {
            here.write(program, self.position, &self.low, &self.high, &mut body);
        }
        body
    }
}

impl<'c> Coalescing<'c> {
    fn grid(&self, l: &Counted) -> Option<&'c Grid> {
        self.cascade.flat.grids.get(&l.counter)
    }

    /// The property's loop, if each of its iterations becomes the clause of a position.
    fn of_clauses(&self) -> Option<&'c Counted> {
        self.cascade.property.filter(|_| matches!(self.way, Way::Clauses | Way::Reversed | Way::Search))
    }

    /// Writes the code before the loops that become one. The loops that are left out are arbitrary
    /// values.
    fn drop_loops(&mut self, left_out: &[Counted]) {
        let straights = &self.cascade.straights[..=left_out.len()];
        for (l, straight) in left_out.iter().zip(straights) {
            self.before.extend(straight.iter().cloned());
            for v in Effects::of(&l.body).writes {
                let havoc = StmtKind::Havoc(Lvalue::var(self.program, v, l.location));
                self.before.push(Stmt::new(havoc, SiteId(0), l.location));
            }
        }
        self.before.extend(straights[left_out.len()].iter().cloned());
    }

    /// Moves the statements between the loops up or down.
    fn move_statements(&mut self, straights: &[Block]) -> Result<(), Refusal> {
        for (n, straight) in straights.iter().enumerate().skip(1) {
            let mut passed = Passed::default();
            for l in &self.loops[..n] {
                passed.add(&loop_effects(l), terms::asserts(&l.body, self.assertion));
            }
            // Statements that have moved down are passed as well.
            passed.add(&Effects::of(&self.after), terms::asserts(&self.after, self.assertion));
            for s in straight {
                let one = std::slice::from_ref(s);
                let (own, asserts) = (Effects::of(one), terms::asserts(one, self.assertion));
                // Nothing moves up past an assertion: it may be an assumption, or undefined, and
                // hide that the assertion has failed.
                if !(depends(&own, &passed.effects) || passed.asserted || asserts) {
                    self.before.push(s.clone());
                    continue;
                }
                self.may_move_down(s, &own, &self.loops[n..])?;
                passed.add(&own, asserts);
                self.after.push(s.clone());
            }
        }
        Ok(())
    }

    /// Whether a statement may run after the loops that follow it.
    fn may_move_down(&self, s: &Stmt, own: &Effects, following: &[Counted]) -> Result<(), Refusal> {
        let mut stays = following.iter();
        if stays.any(|l| depends(own, &loop_effects(l)) || terms::asserts(&l.body, self.assertion)) {
            let why = "the code between two loops depends on the first loop, and the second loop depends on that code";
            return Err(Refusal::at(s.location, why));
        }
        Ok(())
    }

    /// Whether first values and bounds are the same before all loops.
    fn check_bounds(&mut self) -> Result<(), Refusal> {
        for l in &self.loops {
            if !bounds_effects(l).reads.is_disjoint(&self.written) {
                return Err(Refusal::at(l.location, "an earlier loop computes how often this one runs"));
            }
            self.written.extend(Effects::of(&l.body).writes);
        }
        let after = Effects::of(&self.after);
        for l in self.loops.iter().chain(self.cascade.property) {
            if !bounds_effects(l).reads.is_disjoint(&after.writes) {
                return Err(Refusal::at(l.location, "how often this loop runs is computed after a loop"));
            }
        }
        if let Some(p) = self.of_clauses()
            && !bounds_effects(p).reads.is_disjoint(&self.written)
        {
            return Err(Refusal::at(p.location, "an earlier loop computes which positions are asserted"));
        }
        Ok(())
    }

    /// Computes bounds that loops change before all of them. The one loop tests at each position
    /// whether a loop has an iteration there: later loops must not change the answer.
    fn keep_bounds(&mut self) {
        for l in &mut self.loops {
            if bounds_effects(l).reads.is_disjoint(&self.written) {
                continue;
            }
            for value in [&mut l.first, &mut l.bound] {
                let kept = terms::fresh(self.program, "bound", value.ty.clone(), l.location);
                self.before.push(terms::set(self.program, kept, value.clone(), SiteId(0), l.location));
                *value = terms::load(self.program, kept, l.location);
            }
        }
    }

    /// Sets limits for values, so that positions do not overflow and coordinates do not run into
    /// each other.
    fn limit_bounds(&mut self) -> Result<(), Refusal> {
        let mut bounded = Vec::new();
        for l in self.loops.iter().chain(self.cascade.property) {
            if l.step.abs() > LARGEST_STEP {
                return Err(Refusal::at(l.location, "the loop's step is too large"));
            }
            match self.grid(l) {
                Some(grid) => bounded.extend(grid.limits.iter().cloned()),
                None => {
                    let far = [&l.first, &l.bound].into_iter().filter(|e| may_be_far(e, self.program.data_model));
                    bounded.extend(far.map(|e| (e.clone(), FARTHEST)));
                }
            }
        }
        self.bounded = bounded;
        Ok(())
    }

    /// Whether the property can be viewed this way, given which loops are nests.
    ///
    /// # Errors
    /// Nests of different depths.
    fn has_one_depth(&self) -> Result<bool, Refusal> {
        let first = self.grid(&self.loops[0]);
        let of_clauses = self.of_clauses().filter(|_| self.way != Way::Reversed);
        if let Some(l) = self.loops.iter().chain(of_clauses).find(|l| self.grid(l) != first) {
            return Err(Refusal::at(l.location, "loops that are nested to different depths cannot be merged"));
        }
        let is_nest = first.is_some() || self.cascade.property.is_some_and(|p| self.grid(p).is_some());
        Ok(!(is_nest && matches!(self.way, Way::Reversed | Way::Witness | Way::AnyPosition)))
    }

    /// Finds each loop its place on the line of positions. `None` if the order of the property's
    /// loop cannot be reversed.
    fn line(&mut self) -> Result<Option<Line>, Refusal> {
        let position = terms::fresh(self.program, "position", WIDE, self.cascade.loops[0].location);
        let by_value = self.loops.iter().chain(self.of_clauses()).all(|l| l.step == 1);
        let program = &*self.program;
        let mut placed: Vec<Placed> = Vec::new();
        for l in &self.loops {
            let mut here = place(program, l, self.grid(l), by_value)?;
            let shift = distance(program, &placed, &here, position, &self.written)?;
            here.shift(shift);
            placed.push(here);
        }
        let clauses = match self.of_clauses() {
            Some(p) if self.way != Way::Reversed => Some(place(program, p, self.grid(p), by_value)?),
            Some(p) if by_value => Some(place(program, p, None, by_value)?.reversed(program)),
            Some(_) => return Ok(None),
            None => None,
        };
        let (low, high) = range(&placed, clauses.as_ref());
        Ok(Some(Line { position, placed, clauses, low, high }))
    }

    /// Builds the clauses of the property for positions; the rest of the property goes after the
    /// loop. `None` if it cannot be viewed this way.
    fn clauses(&mut self, line: &Line) -> Result<Option<Clauses>, Refusal> {
        Ok(Some(match (self.way, self.cascade.property) {
            (Way::Clauses | Way::Reversed | Way::Search, _) => self.each_position(line),
            (Way::AnyPosition, Some(p)) => self.any_position(p)?,
            (Way::Witness, _) => return Ok(self.witness(line)),
            _ => Clauses { clause: Block::new(), description: "about the state after the loop".to_owned() },
        }))
    }

    /// Makes an iteration of the property's loop for each position.
    fn each_position(&self, line: &Line) -> Clauses {
        let mut clause = Block::new();
        if let Some(here) = &line.clauses {
            here.write(self.program, line.position, &line.low, &line.high, &mut clause);
        }
        let description = match self.way {
            Way::Search => "a clause that holds at some position",
            Way::Reversed => "a clause for each position, from the last to the first",
            _ => "a clause for each position",
        };
        Clauses { clause, description: description.to_owned() }
    }

    /// Puts the property's loop after the one loop, for one position that is given from outside.
    fn any_position(&mut self, p: &Counted) -> Result<Clauses, Refusal> {
        let any = terms::fresh(self.program, "any_position", self.program.variable(p.counter).ty.clone(), p.location);
        self.before.push(terms::draw(self.program, any, p.location));
        self.after.push(at_any_position(self.program, p, any)?);
        Ok(Clauses { clause: Block::new(), description: "for one arbitrary position".to_owned() })
    }

    /// Uses the code after the loop as the clause of the position that it is about. It stays after
    /// the loop if that position is none.
    fn witness(&mut self, line: &Line) -> Option<Clauses> {
        let at = self.cascade.loops[0].location;
        let (witness, value, text) = witness(self.program, &self.after, &line.placed, &self.written)?;
        let here = terms::load(self.program, line.position, at);
        self.bounded.push((value, FARTHEST));
        let is_it = terms::compare(BinaryOp::Equal, here, witness.clone());
        let outside = terms::or(
            terms::compare(BinaryOp::Less, witness.clone(), line.low.clone()),
            terms::compare(BinaryOp::GreaterEqual, witness, line.high.clone()),
        );
        let all = std::mem::take(&mut self.after);
        if !all.iter().all(|s| leaves_nothing(s, &all)) {
            return None;
        }
        let clause = vec![Stmt::new(StmtKind::If(is_it, all.clone(), Vec::new()), SiteId(0), at)];
        self.after.push(Stmt::new(StmtKind::If(outside, all, Vec::new()), SiteId(0), at));
        Some(Clauses { clause, description: format!("at position {text}") })
    }
}

/// What a statement passes when it moves out of the cascade.
#[derive(Default)]
struct Passed {
    effects: Effects,
    /// Whether the assertion is passed.
    asserted: bool,
}

impl Passed {
    fn add(&mut self, effects: &Effects, asserts: bool) {
        join(&mut self.effects, effects);
        self.asserted |= asserts;
    }
}

/// Whether a bound may be so large that positions overflow.
fn may_be_far(e: &Expr, model: DataModel) -> bool {
    match e.as_int() {
        Some(n) => n.abs() > FARTHEST,
        None => e.ty.as_int().is_none_or(|kind| kind.width(model) > 32),
    }
}

/// Whether the statement writes nothing, or only what the block writes first.
fn leaves_nothing(s: &Stmt, block: &Block) -> bool {
    Effects::of(std::slice::from_ref(s)).writes.iter().all(|&v| writes_first(block, v))
}

fn join(into: &mut Effects, other: &Effects) {
    into.reads.extend(&other.reads);
    into.writes.extend(&other.writes);
}

/// What a loop reads and writes, its bounds included.
fn loop_effects(l: &Counted) -> Effects {
    let mut effects = Effects::of(&l.body);
    join(&mut effects, &bounds_effects(l));
    effects.writes.insert(l.counter);
    effects
}

fn bounds_effects(l: &Counted) -> Effects {
    let mut effects = Effects::of_expr(&l.first);
    join(&mut effects, &Effects::of_expr(&l.bound));
    effects
}

/// Whether two pieces of code may not change their order.
fn depends(a: &Effects, b: &Effects) -> bool {
    !a.writes.is_disjoint(&b.writes) || !a.writes.is_disjoint(&b.reads) || !a.reads.is_disjoint(&b.writes)
}

/// Builds the property's loop for one position: `if (it is one of its iterations) body`.
fn at_any_position(program: &Program, p: &Counted, any: VarId) -> Result<Stmt, Refusal> {
    let at = p.location;
    if p.step != 1 && p.step != -1 {
        return Err(Refusal::at(at, "the loop that asserts does not count by one"));
    }
    let x = || terms::load(program, any, at);
    let from = match p.step {
        1 => terms::compare(BinaryOp::LessEqual, p.first.clone(), x()),
        _ => terms::compare(BinaryOp::GreaterEqual, p.first.clone(), x()),
    };
    let condition = terms::and(from, terms::compare(p.relation, x(), p.bound.clone()));
    let mut body = vec![terms::set(program, p.counter, x(), SiteId(0), at)];
    body.extend(p.body.iter().cloned());
    Ok(Stmt::new(StmtKind::If(condition, body, Vec::new()), SiteId(0), at))
}

/// Finds the position that the property is about: a variable that no loop writes, in an index of
/// the cells that the property reads.
fn witness(
    program: &Program,
    after: &Block,
    placed: &[Placed],
    written: &BTreeSet<VarId>,
) -> Option<(Expr, Expr, String)> {
    let mut candidates: Vec<VarId> = Vec::new();
    let own = Effects::of(after).writes;
    each_stmt(after, &mut |s| {
        each_part(s, &mut |part| {
            let crate::program::Part::Lvalue(l, Use::Read) = part else { return };
            if !matches!(l.base, Base::Var(v) if written.contains(&v)) {
                return;
            }
            for step in &l.path {
                let Step::Index(e) = step else { continue };
                let Some(a) = Affine::of(e, program.data_model) else { continue };
                candidates.extend(a.terms.keys().filter(|v| !written.contains(v) && !own.contains(v)));
            }
        });
    });
    let v = *candidates.first()?;
    let first = placed.first()?;
    if first.factor != 1 {
        return None;
    }
    let at = first.source.location;
    let value = terms::load(program, v, at).cast(WIDE);
    // The position at which the counter has that value.
    let witness = match first.offset_expr.as_int() {
        Some(0) => value.clone(),
        _ => Expr::binary(BinaryOp::Sub, value.clone(), first.offset_expr.clone(), WIDE),
    };
    Some((witness, value, program.variable(v).shown().into_owned()))
}

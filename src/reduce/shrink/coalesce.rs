//! Brings a program into the form that shrinking is about: one loop, and a property of the state behind it.
//!
//! **Coalescing** (Kumar 2019, 7.6.1). Cascaded loops become one, in which iterations at the same position run one after the other.
//! That is the same program if no iteration of an earlier loop, at a later position, touches a cell that an iteration of a later loop, at
//! an earlier position, touches too (one of them writing): no two accesses that depend on each other change their order. The indices are
//! linear in the position, so the distance between such iterations is a constant; where it is positive, the later loop is moved behind by so much.
//!
//! **Statements between loops** move before the first loop where no loop that they pass writes what they read or write, or reads what they
//! write, and where no assertion is passed (an assumption that fails may not hide an assertion that failed earlier); otherwise behind
//! the last one, with the same conditions.
//!
//! **Loops that cannot be coalesced** with what follows become arbitrary values for what they write: the form then has more runs.

use super::super::Refusal;
use super::super::effects::Effects;
use super::super::normal::{Counted, writes_first};
use super::super::terms;
use super::affine::{Affine, WIDE};
use super::distance::distance;
use super::form::{FARTHEST, Form, LARGEST_STEP, Quantifier, Way};
use super::grid::Flat;
use super::place::{Placed, place, range};
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
    /// What stands behind the property.
    pub(super) closing: &'c Block,
    /// Which loops are nests.
    pub(super) flat: &'c Flat,
}

/// One loop, with the first few of a cascade left out.
pub(super) fn coalesce(
    program: &mut Program,
    cascade: &Cascade<'_>,
    dropped: usize,
    assertion: AssertionId,
    way: Way,
) -> Result<Option<Form>, Refusal> {
    let &Cascade { straights, loops, property, closing, flat } = cascade;
    let grid = |l: &Counted| flat.grids.get(&l.counter);
    let at = loops[0].location;
    let mut before: Block = Vec::new();
    for n in 0..dropped {
        before.extend(straights[n].iter().cloned());
        for v in Effects::of(&loops[n].body).writes {
            let havoc = StmtKind::Havoc(Lvalue::var(program, v, loops[n].location));
            before.push(terms::stmt(havoc, SiteId(0), loops[n].location));
        }
    }
    before.extend(straights[dropped].iter().cloned());
    let left_out = loops[..dropped].iter().map(|l| (l.id, l.location)).collect();
    let loops = &loops[dropped..];
    let straights = &straights[dropped..];
    // Statements between the loops move up, or down.
    let mut after: Block = Vec::new();
    for n in 1..straights.len() {
        let is_last = n + 1 == straights.len();
        let mut passed = Effects::default();
        let mut asserted = false;
        for l in &loops[..n] {
            join(&mut passed, &loop_effects(l));
            asserted |= terms::asserts(&l.body, assertion);
        }
        // What stays behind is passed as well.
        join(&mut passed, &Effects::of(&after));
        asserted |= terms::asserts(&after, assertion);
        for s in &straights[n] {
            let one = vec![s.clone()];
            let own = Effects::of(&one);
            // Behind an assertion nothing moves up: it may be an assumption, or undefined, and hide that the assertion has failed.
            if !(depends(&own, &passed) || asserted || terms::asserts(&one, assertion)) {
                before.push(s.clone());
                continue;
            }
            if !is_last {
                // It will run behind the loops that follow.
                for l in &loops[n..] {
                    let effects = loop_effects(l);
                    if depends(&own, &effects) || terms::asserts(&l.body, assertion) {
                        return Err(Refusal::at(
                            s.location,
                            "what stands between two loops depends on the first, and the second on it",
                        ));
                    }
                }
            }
            join(&mut passed, &own);
            asserted |= terms::asserts(&one, assertion);
            after.push(s.clone());
        }
    }
    // First values and bounds are computed before all loops.
    let mut written = Effects::default();
    for l in loops {
        let reads = bounds_effects(l);
        if !reads.reads.is_disjoint(&written.writes) {
            return Err(Refusal::at(l.location, "an earlier loop computes how often this one runs"));
        }
        join(&mut written, &Effects::of(&l.body));
    }
    let after_effects = Effects::of(&after);
    for l in loops.iter().chain(property) {
        if !bounds_effects(l).reads.is_disjoint(&after_effects.writes) {
            return Err(Refusal::at(l.location, "how often this loop runs is computed behind a loop"));
        }
    }
    if let Some(p) = property
        && matches!(way, Way::Clauses | Way::Reversed | Way::Search)
        && !bounds_effects(p).reads.is_disjoint(&written.writes)
    {
        return Err(Refusal::at(p.location, "an earlier loop computes which positions are asserted"));
    }
    // A loop asks in each of its iterations whether it has one there: later loops must not change the answer.
    let mut loops = loops.to_vec();
    for l in &mut loops {
        if bounds_effects(l).reads.is_disjoint(&written.writes) {
            continue;
        }
        for value in [&mut l.first, &mut l.bound] {
            let kept = terms::fresh(program, "bound", value.ty.clone(), l.location);
            before.push(terms::set(program, kept, value.clone(), SiteId(0), l.location));
            *value = terms::load(program, kept, l.location);
        }
    }
    let loops = &loops[..];
    let mut bounded = Vec::new();
    for l in loops.iter().chain(property) {
        if l.step.abs() > LARGEST_STEP {
            return Err(Refusal::at(l.location, "the loop's step is too large"));
        }
        match grid(l) {
            Some(grid) => bounded.extend(grid.limits.iter().cloned()),
            None => {
                let far = [&l.first, &l.bound].into_iter().filter(|e| may_be_far(e, program.data_model));
                bounded.extend(far.map(|e| (e.clone(), FARTHEST)));
            }
        }
    }
    let of_clauses = property.filter(|_| matches!(way, Way::Clauses | Way::Search));
    let first = grid(&loops[0]);
    if let Some(l) = loops.iter().chain(of_clauses).find(|l| grid(l) != first) {
        return Err(Refusal::at(l.location, "loops and nests of other depths are not made one"));
    }
    let is_nest = first.is_some() || property.is_some_and(|p| grid(p).is_some());
    if is_nest && matches!(way, Way::Reversed | Way::Witness | Way::AnyPosition) {
        return Ok(None);
    }
    let position = terms::fresh(program, "position", WIDE, at);
    let by_value = loops
        .iter()
        .chain(property.filter(|_| matches!(way, Way::Clauses | Way::Reversed | Way::Search)))
        .all(|l| l.step == 1);
    let mut placed: Vec<Placed> = Vec::new();
    for l in loops {
        let mut here = place(program, l, grid(l), by_value)?;
        let shift = distance(program, &placed, &here, position, &written.writes)?;
        here.shift(shift);
        placed.push(here);
    }
    let clause_loop = match property {
        Some(p) if matches!(way, Way::Clauses | Way::Search) => Some(place(program, p, grid(p), by_value)?),
        Some(p) if way == Way::Reversed && by_value => Some(place(program, p, None, by_value)?.reversed(program)),
        Some(_) if way == Way::Reversed => return Ok(None),
        _ => None,
    };
    let (low, high) = range(&placed, clause_loop.as_ref());
    let mut body = Vec::new();
    for here in &placed {
        here.write(program, position, &low, &high, &mut body);
    }
    let mut clause = Vec::new();
    let description = match (way, property) {
        (Way::Clauses | Way::Reversed | Way::Search, _) => {
            if let Some(here) = &clause_loop {
                here.write(program, position, &low, &high, &mut clause);
            }
            match way {
                Way::Search => "one of a clause for each position".to_owned(),
                Way::Reversed => "a clause for each position, from the last to the first".to_owned(),
                _ => "a clause for each position".to_owned(),
            }
        }
        (Way::AnyPosition, Some(p)) => {
            let any = terms::fresh(program, "any_position", program.variable(p.counter).ty.clone(), p.location);
            let input = crate::program::InputId(program.counters.inputs);
            program.counters.inputs += 1;
            let l = Lvalue::var(program, any, p.location);
            before.push(terms::stmt(StmtKind::Input(l, input), SiteId(0), p.location));
            any_position(program, p, any, &mut after)?;
            "for one position, any".to_owned()
        }
        (Way::Witness, _) => {
            let Some((witness, value, text)) = witness(program, &after, &placed, &written.writes) else {
                return Ok(None);
            };
            let here = terms::load(program, position, at);
            bounded.push((value, FARTHEST));
            let is_it = terms::compare(BinaryOp::Equal, here, witness.clone());
            let outside = terms::or(
                terms::compare(BinaryOp::Less, witness.clone(), low.clone()),
                terms::compare(BinaryOp::GreaterEqual, witness, high.clone()),
            );
            let all = std::mem::take(&mut after);
            if !all.iter().all(|s| leaves_nothing(s, &all)) {
                return Ok(None);
            }
            clause.push(terms::stmt(StmtKind::If(is_it, all.clone(), Vec::new()), SiteId(0), at));
            after.push(terms::stmt(StmtKind::If(outside, all, Vec::new()), SiteId(0), at));
            format!("at position {text}")
        }
        _ => "of the state behind the loop".to_owned(),
    };
    Ok(Some(Form {
        program: program.clone(),
        before,
        position,
        low,
        high,
        bounded,
        body,
        after,
        clause,
        closing: closing.clone(),
        quantifier: if way == Way::Search { Quantifier::Existential } else { Quantifier::Universal },
        loops: loops.iter().chain(property).map(|l| (l.id, l.location)).collect(),
        dropped: left_out,
        known: Vec::new(),
        property: description,
    }))
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

/// The property's loop for one position: `if (it is one of its iterations) body`.
fn any_position(program: &Program, p: &Counted, any: VarId, out: &mut Block) -> Result<(), Refusal> {
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
    out.push(terms::stmt(StmtKind::If(condition, body, Vec::new()), SiteId(0), at));
    Ok(())
}

/// The position that the property is about: a variable that no loop writes, in an index of the cells that it reads.
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
    Some((witness, value, program.variable(v).name.clone()))
}

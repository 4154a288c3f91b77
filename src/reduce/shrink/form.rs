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
#[cfg(test)]
use super::super::mutants::{Mutant, mutated};
use super::super::normal::{Counted, Normal, Part};
use super::super::terms;
use super::affine::{Affine, WIDE};
use crate::program::{
    AssertionId, Base, BinaryOp, Block, Expr, IntKind, Location, LoopId, Lvalue, Program, SiteId, Step, Stmt, StmtKind,
    Use, VarId, each_part, each_stmt,
};
use std::collections::BTreeSet;

/// `before; for (position = low; position < high; position++) body; after; clause(position) for every position`.
#[derive(Clone, Debug)]
pub struct Form {
    /// The variables.
    pub program: Program,
    /// What runs before the loop.
    pub before: Block,
    /// The number of the iteration, offset by `low`; the body does not write it.
    pub position: VarId,
    /// The first position; reads nothing that the loop writes.
    pub low: Expr,
    /// Behind the last position; reads nothing that the loop writes.
    pub high: Expr,
    /// Values before the loop that positions are computed from without overflow as long as they are not beyond [`FARTHEST`].
    pub bounded: Vec<Expr>,
    /// The body of the loop.
    pub body: Block,
    /// What runs behind the loop. Its assertions are part of the property whatever iterations ran.
    pub after: Block,
    /// The part of the property that belongs to one position; writes nothing that anything else reads.
    pub clause: Block,
    /// Which loops of the source became one, in their order.
    pub loops: Vec<(LoopId, Location)>,
    /// Which loops became arbitrary values.
    pub dropped: Vec<(LoopId, Location)>,
    /// Conditions that hold where an iteration begins, in the residual of whatever sequence; their evaluation does not overflow.
    pub known: Vec<Expr>,
    /// How the property is looked at, for people.
    pub property: String,
}

/// The largest absolute value of a bound of 64 bits; sums of a few of them still fit.
pub(super) const FARTHEST: i128 = 1 << 60;
/// The largest step of a counter.
const LARGEST_STEP: i128 = 1 << 31;

/// A loop with its place on the line of positions: `counter = factor * position + offset`.
struct Placed {
    source: Counted,
    factor: i128,
    offset: Affine,
    offset_expr: Expr,
    low: Expr,
    high: Expr,
}

/// The forms of a program, the most promising first; empty with the reason why there is none.
pub(super) fn forms(normal: &Normal, assertion: AssertionId) -> Result<Vec<Form>, Refusal> {
    let mut out = Vec::new();
    let mut refusal = None;
    for way in [Way::Coalesced, Way::Clauses, Way::Reversed, Way::Witness, Way::AnyPosition] {
        match form(normal, assertion, way) {
            Ok(Some(form)) => out.push(form),
            Ok(None) => {}
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    if out.is_empty() {
        return Err(refusal.unwrap_or_else(|| Refusal::of_all("the program has no loop that counts")));
    }
    Ok(out)
}

/// How the property is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Assertions in loops are part of the one loop.
    Coalesced,
    /// The last loop asserts something for each position.
    Clauses,
    /// The same, but what it asserts in its first iteration belongs to the last position.
    Reversed,
    /// The last statements assert something about one position.
    Witness,
    /// The last loop asserts something for each position, which is looked at for one position, any.
    AnyPosition,
}

fn form(normal: &Normal, assertion: AssertionId, way: Way) -> Result<Option<Form>, Refusal> {
    // straights[0] loop[0] straights[1] loop[1] ...
    let mut straights: Vec<Block> = vec![Vec::new()];
    let mut loops: Vec<Counted> = Vec::new();
    for part in &normal.parts {
        match part {
            Part::Straight(b) => {
                if let Some(last) = straights.last_mut() {
                    last.extend(b.iter().cloned());
                }
            }
            Part::Loop(l) => {
                loops.push(l.clone());
                straights.push(Vec::new());
            }
        }
    }
    let asserting: Vec<usize> = (0..loops.len()).filter(|&n| terms::asserts(&loops[n].body, assertion)).collect();
    let last = loops.len().wrapping_sub(1);
    let property = match way {
        Way::Coalesced => None,
        Way::Clauses | Way::Reversed | Way::AnyPosition => {
            // It must be the only one, the last one, and leave nothing behind.
            if asserting != [last] || straights.iter().any(|s| terms::asserts(s, assertion)) || loops.len() < 2 {
                return Ok(None);
            }
            let property = loops.pop();
            let rest = straights.pop().unwrap_or_default();
            if !rest.is_empty() || property.as_ref().is_some_and(|p| !is_pure(p)) {
                return Ok(None);
            }
            property
        }
        Way::Witness => {
            if !asserting.is_empty() {
                return Ok(None);
            }
            None
        }
    };
    if loops.is_empty() {
        return Ok((way == Way::Coalesced).then(|| without_loop(normal, straights.concat())));
    }
    // The fewest loops at the beginning become arbitrary values.
    let mut refusal = None;
    for dropped in 0..loops.len() {
        if loops[..dropped].iter().any(|l| terms::asserts(&l.body, assertion)) {
            break;
        }
        let mut program = normal.program.clone();
        match coalesce(&mut program, &straights, &loops, dropped, property.as_ref(), assertion, way) {
            Ok(form) => return Ok(form),
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    Err(refusal
        .unwrap_or_else(|| Refusal::at(loops[0].location, "the assertion stands in a loop that others depend on")))
}

/// A program without loops: no iterations.
fn without_loop(normal: &Normal, before: Block) -> Form {
    let mut program = normal.program.clone();
    let at = program.function(program.entry).location;
    let position = terms::fresh(&mut program, "position", WIDE, at);
    let none = Expr::int(0, IntKind::LongLong, at);
    Form {
        program,
        before,
        position,
        low: none.clone(),
        high: none,
        bounded: Vec::new(),
        body: Vec::new(),
        after: Vec::new(),
        clause: Vec::new(),
        loops: Vec::new(),
        dropped: Vec::new(),
        known: Vec::new(),
        property: "of a program without loops".to_owned(),
    }
}

/// Whether what an iteration writes is read by itself alone.
fn is_pure(l: &Counted) -> bool {
    let effects = Effects::of(&l.body);
    effects.writes.iter().all(|&v| super::super::normal::writes_first(&l.body, v))
}

fn coalesce(
    program: &mut Program,
    straights: &[Block],
    loops: &[Counted],
    dropped: usize,
    property: Option<&Counted>,
    assertion: AssertionId,
    way: Way,
) -> Result<Option<Form>, Refusal> {
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
        && matches!(way, Way::Clauses | Way::Reversed)
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
        bounded.extend([&l.first, &l.bound].into_iter().filter(|e| may_be_far(e, program.data_model)).cloned());
    }
    let position = terms::fresh(program, "position", WIDE, at);
    let by_value =
        loops.iter().chain(property.filter(|_| matches!(way, Way::Clauses | Way::Reversed))).all(|l| l.step == 1);
    let mut placed: Vec<Placed> = Vec::new();
    for l in loops {
        let mut here = place(program, l, by_value)?;
        let shift = distance(program, &placed, &here, position, &written.writes)?;
        here.shift(shift);
        placed.push(here);
    }
    let clause_loop = match property {
        Some(p) if way == Way::Clauses => Some(place(program, p, by_value)?),
        Some(p) if way == Way::Reversed && by_value => Some(place(program, p, by_value)?.reversed(program)),
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
        (Way::Clauses | Way::Reversed, _) => {
            if let Some(here) = &clause_loop {
                here.write(program, position, &low, &high, &mut clause);
            }
            let order = if way == Way::Reversed { ", from the last to the first" } else { "" };
            format!("a clause for each position{order}")
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
            bounded.push(value);
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
        loops: loops.iter().chain(property).map(|l| (l.id, l.location)).collect(),
        dropped: left_out,
        known: Vec::new(),
        property: description,
    }))
}

/// Whether a bound may be so large that positions overflow.
fn may_be_far(e: &Expr, model: crate::program::DataModel) -> bool {
    match e.as_int() {
        Some(n) => n.abs() > FARTHEST,
        None => e.ty.as_int().is_none_or(|kind| kind.width(model) > 32),
    }
}

/// Whether the statement writes nothing, or only what the block writes first.
fn leaves_nothing(s: &Stmt, block: &Block) -> bool {
    Effects::of(std::slice::from_ref(s)).writes.iter().all(|&v| super::super::normal::writes_first(block, v))
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

impl Placed {
    /// Moves the loop behind by so many positions.
    fn shift(&mut self, by: i128) {
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

    /// The same iterations at the same positions, in the opposite order. For iterations that do not depend on each other.
    fn reversed(mut self, program: &Program) -> Placed {
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
    fn write(&self, program: &Program, position: VarId, low: &Expr, high: &Expr, out: &mut Block) {
        let at = self.source.location;
        let mut body = vec![terms::set(program, self.source.counter, self.counter(program, position), SiteId(0), at)];
        body.extend(self.source.body.iter().cloned());
        let p = || terms::load(program, position, at);
        let mut conditions = Vec::new();
        if !terms::same(&self.low, low) {
            conditions.push(terms::compare(BinaryOp::LessEqual, self.low.clone(), p()));
        }
        if !terms::same(&self.high, high) {
            conditions.push(terms::compare(BinaryOp::Less, p(), self.high.clone()));
        }
        match conditions.into_iter().reduce(terms::and) {
            Some(condition) => out.push(terms::stmt(StmtKind::If(condition, body, Vec::new()), SiteId(0), at)),
            None => out.extend(body),
        }
    }
}

fn place(program: &Program, l: &Counted, by_value: bool) -> Result<Placed, Refusal> {
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
            factor: 1,
            offset: Affine::default(),
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
        // Of a negative distance C's division rounds towards 0: never more than 0.
        (s, n) => op(BinaryOp::Div, op(BinaryOp::Add, distance, constant(n)), constant(s)),
    };
    Ok(Placed { source: l.clone(), factor: l.step, offset: start, offset_expr: first, low: constant(0), high: count })
}

fn fold(e: Expr, model: crate::program::DataModel) -> Expr {
    super::super::normal::folded(&e, model).unwrap_or(e)
}

/// The positions of all loops together.
fn range(placed: &[Placed], clause: Option<&Placed>) -> (Expr, Expr) {
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

/// An access to memory in a loop body.
struct Access {
    variable: VarId,
    writes: bool,
    /// The steps: a member, or an index as a linear expression of the position (none where it is not one).
    path: Vec<Place>,
    location: Location,
}

#[derive(PartialEq)]
enum Place {
    Field(u32),
    Index(Option<Affine>),
}

fn accesses(program: &Program, l: &Counted, counter: &Affine, changed: &BTreeSet<VarId>) -> Vec<Access> {
    let mut found = Vec::new();
    each_stmt(&l.body, &mut |s| {
        if let StmtKind::Declare(v) = s.kind {
            found.push(Access { variable: v, writes: true, path: Vec::new(), location: s.location });
        }
        each_part(s, &mut |part| {
            let crate::program::Part::Lvalue(lvalue, how) = part else { return };
            let Base::Var(variable) = lvalue.base else { return };
            if variable == l.counter {
                return;
            }
            let step = |s: &Step| match s {
                Step::Field(_, n) => Place::Field(*n),
                Step::Index(e) => {
                    let linear = Affine::of(e, program.data_model).and_then(|a| a.with(l.counter, counter));
                    Place::Index(linear.filter(|a| a.terms.keys().all(|v| !changed.contains(v))))
                }
            };
            let path = lvalue.path.iter().map(step).collect();
            found.push(Access { variable, writes: how == Use::Write, path, location: lvalue.location });
        });
    });
    found
}

/// By how many positions a loop must come later so that no iteration overtakes one of the earlier loops that it depends on.
fn distance(
    program: &Program,
    earlier: &[Placed],
    here: &Placed,
    position: VarId,
    written: &BTreeSet<VarId>,
) -> Result<i128, Refusal> {
    let linear = |p: &Placed| {
        let mut counter = p.offset.clone();
        counter.terms.insert(position, p.factor);
        counter
    };
    let mine = accesses(program, &here.source, &linear(here), written);
    let mut shift = 0;
    for other in earlier {
        for a in accesses(program, &other.source, &linear(other), written) {
            for b in &mine {
                if a.variable != b.variable || !(a.writes || b.writes) {
                    continue;
                }
                #[cfg(test)]
                if mutated(Mutant::GapsAreIgnored) {
                    continue;
                }
                let Some(gap) = gap(&a, b, position) else { continue };
                match gap {
                    Gap::Always => {
                        let name = &program.variable(a.variable).name;
                        return Err(Refusal::at(
                            b.location,
                            format!("`{name}` carries values from one loop to the next"),
                        ));
                    }
                    Gap::By(n) => shift = shift.max(n),
                }
            }
        }
    }
    // A large shift makes sequences of iterations that no small one stands for.
    if shift > 8 {
        return Err(Refusal::at(here.source.location, "the loop needs values from far ahead in an earlier loop"));
    }
    Ok(shift)
}

enum Gap {
    /// Iterations at any positions may touch the same cell.
    Always,
    /// Only those where the earlier loop is this many positions further.
    By(i128),
}

/// Which iterations touch the same cell; none if no two do.
fn gap(a: &Access, b: &Access, position: VarId) -> Option<Gap> {
    let mut result = Gap::Always;
    for (x, y) in a.path.iter().zip(&b.path) {
        match (x, y) {
            (Place::Field(n), Place::Field(m)) if n != m => return None,
            (Place::Index(Some(x)), Place::Index(Some(y))) => {
                let ((c, rest), (d, other)) = (x.split(position), y.split(position));
                let Some(difference) = other.plus(&rest, -1) else { continue };
                if c != d || !difference.terms.is_empty() {
                    continue;
                }
                if c == 0 {
                    if difference.constant != 0 {
                        return None;
                    }
                    continue;
                }
                // c * p + rest = c * q + other
                if difference.constant % c != 0 {
                    return None;
                }
                let by = difference.constant / c;
                result = match result {
                    Gap::By(n) if n != by => return None,
                    _ => Gap::By(by),
                };
            }
            _ => {}
        }
    }
    Some(result)
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

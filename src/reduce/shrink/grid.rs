//! Turns nested loops into one loop (Kumar 2019, 7.6.2; figure 7.11).
//!
//! **Meaning.** The iterations of a nest, in their order, are the tuples of its counters in
//! lexicographic order. A tuple is written as one number. Each coordinate has bits of its own, the
//! outermost first. So the order of the numbers is that of the tuples, and no division is needed to
//! get a coordinate back. Numbers between the last column of a row and the first of the next are
//! iterations that do nothing, so the loop over all numbers does what the nest does. The thesis
//! numbers the iterations without gaps, and divides.
//!
//! **Representation.** The flattened loop's counter is the number. Its body reads the coordinates
//! as variables that nothing writes. To run an iteration, these are replaced by bits of the number
//! ([`Grid::at`]). All nests of a program with the same depth share coordinates.
//!
//! **Inner loops of a few iterations**, known before, are written out. Statements before an inner
//! loop that compute scalars for it alone are computed in each of its iterations: the values are
//! the same.
//!
//! **Limits.** Nests of up to four loops. If 31 bits for each counter are too many, or the bounds
//! are wider, runs with larger bounds are left out (see [`super::Form::bounded`]): the residuals
//! show that there are none.

use super::super::Refusal;
use super::super::effects::Effects;
use super::super::normal::{Counted, Nest, Normal, NormalPart, folded, header, without_loops, writes_first};
use super::super::terms;
use super::form::WIDE;
use super::indices::{Indices, fits};
use crate::program::{
    BinaryOp, Block, Expr, ExprKind, IntKind, Location, Program, SiteId, Stmt, StmtKind, VarId, each_stmt, rewritten,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The coordinates of a flattened loop.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The coordinates, the outermost first. Nothing writes them.
    pub(super) coordinates: Vec<VarId>,
    /// How many bits each coordinate but the first has.
    bits: u32,
    /// Values and their limits, so that coordinates do not run into each other.
    pub(super) limits: Vec<(Expr, i128)>,
}

/// Whether tuples are written alike.
impl PartialEq for Grid {
    fn eq(&self, other: &Grid) -> bool {
        self.coordinates == other.coordinates && self.bits == other.bits
    }
}

/// A program in normal form whose loops may be flattened nests.
#[derive(Clone)]
pub(super) struct Flat {
    pub(super) normal: Normal,
    /// The coordinates of flattened loops, by their counters.
    pub(super) grids: BTreeMap<VarId, Grid>,
}

impl Flat {
    /// A program without nests.
    pub(super) fn plain(normal: Normal) -> Flat {
        Flat { normal, grids: BTreeMap::new() }
    }
}

/// The deepest nest.
const DEEPEST: usize = 4;
/// An inner loop with at most this many iterations is written out.
const FEW: i128 = 4;

impl Grid {
    /// The block with bits of a number in the place of the coordinates.
    pub(super) fn at(&self, block: &Block, number: &Expr) -> Block {
        let mut block = block.clone();
        for (n, &c) in self.coordinates.iter().enumerate() {
            let to = self.coordinate(n, number);
            block = rewritten(&block, &mut terms::Substitution { of: c, to });
        }
        block
    }

    fn coordinate(&self, n: usize, number: &Expr) -> Expr {
        let at = number.location;
        let constant = |value: i128| Expr::int(value, IntKind::LongLong, at);
        let shift = i128::from(self.bits) * (self.coordinates.len() - 1 - n) as i128;
        let shifted = match shift {
            0 => number.clone(),
            _ => Expr::binary(BinaryOp::ShiftRight, number.clone(), constant(shift), WIDE),
        };
        match n {
            0 => shifted,
            _ => Expr::binary(BinaryOp::BitAnd, shifted, constant((1 << self.bits) - 1), WIDE),
        }
    }
}

/// Whether some loop stands in another.
pub(super) fn has_nests(nest: &Nest) -> bool {
    let mut found = false;
    each_stmt(&nest.body, &mut |s| {
        if let StmtKind::Loop(l) = &s.kind {
            each_stmt(&l.body, &mut |s| found |= matches!(s.kind, StmtKind::Loop(_)));
        }
    });
    found
}

/// Flattens the nests of a program. For a nest that cannot be flattened, arbitrary values replace
/// what its inner loops write.
///
/// # Errors
/// A loop that does not count, or an assertion in a nest that cannot be flattened.
pub(super) fn flatten(mut nest: Nest) -> Result<Flat, Refusal> {
    nest.body = nest.body.iter().map(|s| unrolled(&nest, s)).collect();
    let mut flat = Flat {
        normal: Normal { program: nest.program.clone(), parts: Vec::new(), abstracted: nest.abstracted.clone() },
        grids: BTreeMap::new(),
    };
    let mut coordinates: HashMap<usize, Vec<VarId>> = HashMap::new();
    let mut straight: Block = Vec::new();
    for (n, s) in nest.body.iter().enumerate() {
        let StmtKind::Loop(_) = &s.kind else {
            straight.push(s.clone());
            continue;
        };
        let outer = header(&nest.loops, s, &mut straight)?;
        if !straight.is_empty() {
            flat.normal.parts.push(NormalPart::Straight(std::mem::take(&mut straight)));
        }
        let is_nest = outer.body.iter().any(|s| matches!(s.kind, StmtKind::Loop(_)));
        if is_nest {
            let others = Effects::of(&[&nest.body[..n], &nest.body[n + 1..]].concat());
            let found = levels(&nest, outer.clone(), &others)
                .and_then(|levels| flattened(&mut flat, &levels, &mut coordinates));
            match found {
                Ok(counted) => {
                    flat.normal.parts.push(NormalPart::Loop(counted));
                    continue;
                }
                Err(why) if terms::asserts_something(&outer.body) => return Err(why),
                Err(why) => flat.normal.abstracted.push(why),
            }
        }
        let body = without_loops(&nest.program, &outer.body, s.site)?;
        flat.normal.parts.push(NormalPart::Loop(Counted { body, ..outer }));
    }
    if !straight.is_empty() {
        flat.normal.parts.push(NormalPart::Straight(straight));
    }
    Ok(flat)
}

/// A loop with the short loops in it written out.
fn unrolled(nest: &Nest, s: &Stmt) -> Stmt {
    let StmtKind::Loop(l) = &s.kind else { return s.clone() };
    let mut body = Block::new();
    for inner in &l.body {
        let inner = unrolled(nest, inner);
        if !matches!(inner.kind, StmtKind::Loop(_)) {
            body.push(inner);
            continue;
        }
        let mut before = body.clone();
        match header(&nest.loops, &inner, &mut before).ok().and_then(|l| copies(&nest.program, &l)) {
            Some(copies) => {
                body = before;
                body.extend(copies);
            }
            None => body.push(inner),
        }
    }
    let mut l = l.clone();
    l.body = body;
    s.with(StmtKind::Loop(l))
}

/// The iterations of a loop, one after the other, if they are few and known.
fn copies(program: &Program, l: &Counted) -> Option<Block> {
    let (first, bound) = (l.first.as_int()?, l.bound.as_int()?);
    let has_one = |value: i128| match l.relation {
        BinaryOp::Less => value < bound,
        BinaryOp::LessEqual => value <= bound,
        BinaryOp::Greater => value > bound,
        _ => value >= bound,
    };
    let kind = program.variable(l.counter).ty.as_int()?;
    let mut out = Block::new();
    let mut value = first;
    while has_one(value) {
        if (value - first) / l.step >= FEW || !kind.contains(value, program.data_model) {
            return None;
        }
        let to = Expr::int(value, kind, l.location);
        out.extend(rewritten(&l.body, &mut terms::Substitution { of: l.counter, to }));
        value += l.step;
    }
    Some(out)
}

/// The loops of a nest, the outermost first; the innermost has the body.
fn levels(nest: &Nest, outer: Counted, others: &Effects) -> Result<Vec<Counted>, Refusal> {
    let mut levels = vec![outer];
    loop {
        let last = &levels[levels.len() - 1];
        let Some(place) = last.body.iter().position(|s| matches!(s.kind, StmtKind::Loop(_))) else { break };
        let (inner, behind) = (&last.body[place], &last.body[place + 1..]);
        let mut before = last.body[..place].to_vec();
        let mut inner = header(&nest.loops, inner, &mut before)?;
        if let Some(s) = behind.first() {
            return Err(Refusal::at(s.location, "there is code after a nested loop"));
        }
        repeat(nest, &mut inner, before, others)?;
        if levels.len() == DEEPEST {
            return Err(Refusal::at(inner.location, "the loops are nested too deeply"));
        }
        levels.push(inner);
    }
    let Some(innermost) = levels.last() else { return Ok(levels) };
    let mut inside = None;
    each_stmt(&innermost.body, &mut |s| {
        if matches!(s.kind, StmtKind::Loop(_)) {
            inside.get_or_insert(s.location);
        }
    });
    match inside {
        Some(at) => Err(Refusal::at(at, "a nested loop stands under a condition")),
        None => Ok(levels),
    }
}

/// Moves the statements before an inner loop into its iterations, if that changes nothing.
fn repeat(nest: &Nest, inner: &mut Counted, mut before: Block, others: &Effects) -> Result<(), Refusal> {
    // A declaration of a variable that each iteration writes before it reads has no effect.
    let inside = inner.body.clone();
    before.retain(|s| match s.kind {
        StmtKind::Declare(v) => !writes_first(&inside, v) || others.reads.contains(&v),
        _ => true,
    });
    let Some(s) = before.first() else { return Ok(()) };
    let no = |s: &Stmt| Refusal::at(s.location, "the code before a nested loop does more than compute a value for it");
    if !before.iter().all(|s| matches!(s.kind, StmtKind::Assign(..))) {
        return Err(no(s));
    }
    let mut own = Effects::of(&before);
    let within = Effects::of(&inner.body);
    let is_temporary = |v: &VarId| nest.program.variable(*v).ty.is_scalar() && !others.reads.contains(v);
    let bounds = terms::and(inner.first.clone(), inner.bound.clone());
    let bounds = Effects::of_expr(&bounds);
    if !own.writes.iter().all(is_temporary) || !own.writes.is_disjoint(&bounds.reads) {
        return Err(no(s));
    }
    // Nothing is handed on from one row to the next.
    if own.writes.iter().any(|&v| !writes_first(&before, v)) {
        return Err(no(s));
    }
    own.reads.extend(&own.writes);
    if !own.reads.is_disjoint(&within.writes) {
        return Err(no(s));
    }
    before.append(&mut inner.body);
    inner.body = before;
    Ok(())
}

/// One loop over the numbers of the tuples of counters.
fn flattened(
    flat: &mut Flat,
    levels: &[Counted],
    coordinates: &mut HashMap<usize, Vec<VarId>>,
) -> Result<Counted, Refusal> {
    let Some(innermost) = levels.last() else { return Err(Refusal::of_all("the loop does not count")) };
    let depth = levels.len();
    let at = levels[0].location;
    let program = &mut flat.normal.program;
    let bits: u32 = match depth {
        2 => 31,
        3 => 20,
        _ => 15,
    };
    let names = ["row", "column", "layer", "depth"];
    let all = coordinates.entry(depth).or_insert_with(|| {
        (0..depth).map(|n| terms::fresh(program, names[n.min(names.len() - 1)], WIDE, at)).collect()
    });
    let mut flattening = Flattening {
        program: &*program,
        grid: Grid { coordinates: all.clone(), bits, limits: Vec::new() },
        at,
        written: Effects::of(&innermost.body).writes,
        conditions: Vec::new(),
        renamed: Vec::new(),
        body: innermost.body.clone(),
    };
    let mut range = None;
    for (n, l) in levels.iter().enumerate() {
        let level = flattening.level(n, l)?;
        if n == 0 {
            range = Some(flattening.rows(&level));
        } else {
            flattening.stay_within(&level);
        }
        flattening.rename(&level);
    }
    let Flattening { grid, conditions, mut body, .. } = flattening;
    let Some((first, bound)) = range else { return Err(Refusal::at(at, "the loop does not count")) };
    if let Some(condition) = conditions.into_iter().reduce(terms::and) {
        body = vec![Stmt::new(StmtKind::If(condition, body, Vec::new()), SiteId(0), at)];
    }
    let counter = terms::fresh(program, "number", WIDE, at);
    flat.grids.insert(counter, grid);
    Ok(Counted { counter, first, relation: BinaryOp::Less, bound, step: 1, body, exit: None, ..levels[0].clone() })
}

/// A nest that is being turned into one loop.
struct Flattening<'p> {
    program: &'p Program,
    grid: Grid,
    at: Location,
    /// What the innermost body writes.
    written: BTreeSet<VarId>,
    /// The conditions that a number satisfies if it is a tuple of counters.
    conditions: Vec<Expr>,
    /// The counters of the levels so far, as coordinates.
    renamed: Vec<(VarId, Expr)>,
    /// The innermost body over coordinates.
    body: Block,
}

/// A loop of a nest, with its bounds over coordinates.
struct Level<'l> {
    source: &'l Counted,
    first: i128,
    bound: Expr,
    /// Its coordinate.
    coordinate: Expr,
}

impl Flattening<'_> {
    /// Checks a loop of the nest.
    fn level<'l>(&mut self, n: usize, l: &'l Counted) -> Result<Level<'l>, Refusal> {
        let model = self.program.data_model;
        let bits = self.grid.bits;
        let signed =
            |e: &Expr| e.as_int().is_some() || e.ty.as_int().is_some_and(|k| k.is_signed() || k.width(model) < 64);
        let Some(first) = l.first.as_int().filter(|n| (0..=1 << 10).contains(n)) else {
            return Err(Refusal::at(l.location, "a nested loop does not begin with a small number"));
        };
        if l.step != 1 || l.relation != BinaryOp::Less && l.relation != BinaryOp::LessEqual || !signed(&l.bound) {
            return Err(Refusal::at(l.location, "a nested loop does not count upwards by one"));
        }
        // The values that bound a loop are the same in all iterations of the nest.
        let reads = Effects::of_expr(&l.bound).reads;
        if !reads.is_disjoint(&self.written) {
            return Err(Refusal::at(l.location, "a nested loop changes what bounds it"));
        }
        let of_counters = self.renamed.iter().any(|(c, _)| reads.contains(c));
        // Positive numbers of 32 bits with a sign have 31 bits.
        let narrow = bits >= 31 && l.bound.ty.as_int().is_some_and(|k| k.is_signed() && k.width(model) <= 32);
        let small = l.bound.as_int().is_some_and(|n| n < 1 << bits);
        if !narrow && !small {
            if of_counters {
                return Err(Refusal::at(l.location, "the bound of a nested loop may be too large"));
            }
            self.grid.limits.push((l.bound.clone(), (1 << bits) - 1));
        }
        let mut bound = match l.bound.as_int() {
            Some(n) => self.constant(n),
            None => l.bound.clone().cast(WIDE),
        };
        for (c, to) in &self.renamed {
            bound = bound.rewritten(&mut terms::Substitution { of: *c, to: to.clone() });
        }
        let coordinate = terms::load(self.program, self.grid.coordinates[n], self.at);
        Ok(Level { source: l, first, bound, coordinate })
    }

    /// The first number, and the end of the numbers, from the outermost loop.
    fn rows(&self, level: &Level<'_>) -> (Expr, Expr) {
        let model = self.program.data_model;
        let fold = |e: Expr| folded(&e, model).unwrap_or(e);
        // The end of the numbers of a row is the start of the next row.
        let times = |e: Expr| {
            let inner = self.grid.coordinates.len() as u32 - 1;
            fold(Expr::binary(BinaryOp::Mul, e, self.constant(1 << (self.grid.bits * inner)), WIDE))
        };
        let end = match level.source.relation {
            BinaryOp::Less => level.bound.clone(),
            _ => fold(Expr::binary(BinaryOp::Add, level.bound.clone(), self.constant(1), WIDE)),
        };
        (times(self.constant(level.first)), times(end))
    }

    /// Excludes numbers whose coordinate is beyond the bounds of an inner loop: they are no
    /// iterations.
    fn stay_within(&mut self, level: &Level<'_>) {
        let c = &level.coordinate;
        if level.first > 0 {
            let first = self.constant(level.first);
            self.conditions.push(terms::compare(BinaryOp::GreaterEqual, c.clone(), first));
        }
        self.conditions.push(terms::compare(level.source.relation, c.clone(), level.bound.clone()));
    }

    /// Puts the coordinate in the place of the counter.
    fn rename(&mut self, level: &Level<'_>) {
        let (l, wide) = (level.source, &level.coordinate);
        let program = self.program;
        let counter = wide.clone().cast(program.variable(l.counter).ty.clone());
        self.body = rewritten(&self.body, &mut terms::Substitution { of: l.counter, to: counter.clone() });
        if fits(program, l) && matches!(counter.kind, ExprKind::Cast(_)) {
            self.body = rewritten(&self.body, &mut Indices { program, counter: &counter, wide });
        }
        self.renamed.push((l.counter, counter));
    }

    fn constant(&self, n: i128) -> Expr {
        Expr::int(n, IntKind::LongLong, self.at)
    }
}

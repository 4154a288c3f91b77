//! How far pruned loops must run (Kumar 2019, 9.4, 9.5), and the semantic constraints (9.3).
//!
//! **Why the bound suffices.** Take a run of the program without undefined behaviour that fails at
//! the assertion. Every value the failure depends on is traced back to the iteration that assigned
//! it last. What that assignment read is traced to its own last assignments, and so on. For the
//! final value of a cell that a loop writes, all iterations that may write it count. The set Q
//! consists of those iterations, the last ones of all loops, and what lies up to `K^c`. Between
//! `K^c` and the least of the loops' ends lie at most `C` of its members.
//!
//! A map χ on places takes the pruned program's iterations to the program's. It is increasing and
//! never decreases a place. It keeps residues modulo Θ. It is the identity up to `K^c + δ_high`,
//! and a translation beyond the loops' ends. It takes all places within `[δ_low, δ_high]` of a
//! member of Q to the same ones around its image. If the initial cells of the pruned run are
//! `a'[n] = a[χ(n)]`, that run fails too:
//!
//! * In an iteration of Q all conditions and values are the same, since the cells they read are.
//!   (The *windows* are the distances of cells that are read, of cells that are written, and of the
//!   earlier iterations in which they were.)
//! * Between two iterations of Q, a scalar that is not assigned in the program is not assigned in
//!   the pruned program. By constraint 2, the conditions of iteration `i` read what the program's
//!   conditions read in iteration `χ(i + o) - o`, for one distance `o`. That iteration lies between
//!   the same members of Q. It does so below because `o >= δ_low` or χ expands. It does so above
//!   because of the translation at the end or, if the scalar is read inside the loop, because `o`
//!   is put into the windows.
//! * An assumption holds in every iteration of the pruned run, for the same reason, or it is
//!   dropped.
//! * Minima, second minima and sums: see [`super::patterns`].
//!
//! This does not need arrays to be arbitrary. It needs only that χ takes admissible initial arrays
//! to admissible ones: arbitrary arrays and cleared ones. Sums do need arbitrary arrays.
//!
//! **Where we differ.** The thesis leaves these points out:
//!
//! * Windows contain 0 and the distances of writes.
//! * A loop's writes of one array at several distances count even if they do not happen.
//! * Spans of conditions go through earlier loops ([`super::contents`]).
//! * The distance to an earlier iteration counts even if that one assigned a constant.
//! * Cells with constant indices that loops compute need a larger `K^c`.
//!
//! The thesis has no inputs in loops, no `else`, no conditions on the counter.

use super::super::Refusal;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::contents::Contents;
use super::flow::{Flow, Graph, Source};
use super::model::{Array, Code, Item, Look, LoopModel, Model, ModelPart, Operand, Scalar, Target};
use super::patterns::Patterns;
use super::terms::gcd;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of the bound, with the thesis' names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bound {
    /// δ_low and δ_high.
    pub(super) window: (i128, i128),
    /// Θ
    pub(super) theta: i128,
    /// C, the bound on #LVA.
    pub(super) assignments: u64,
    /// K^c
    pub(super) kept: i128,
    /// Γ'
    pub(super) least: i128,
    /// Γ
    pub(super) gamma: i128,
    /// The place of the last iteration of the loop that ends last, N̂.
    pub(super) last: i128,
    /// The most by which Γ may be larger, so that it is congruent to N̂ modulo Θ, if N̂ is known
    /// only when the program runs.
    pub(super) slack: i128,
    /// No loop is shortened: Γ is not below N̂.
    pub(super) complete: bool,
    /// For each loop: how often each cell that it writes is counted.
    pub(super) instances: Vec<Vec<((Array, i128), u64)>>,
    /// For each loop: the spans of its operands, where a span exists.
    pub(super) spans: Vec<BTreeMap<Operand, Option<(i128, i128)>>>,
}

/// The largest `C`, Θ and distances that the computation allows.
const MOST: i128 = 1 << 40;

/// Checks the constraints and computes the bound.
pub(super) fn bound(model: &Model, patterns: &Patterns, names: &dyn Fn(Operand) -> String) -> Result<Bound, Refusal> {
    let live = live(model);
    let theta = theta(model)?;
    let late = touches_fixed_late(model);
    let Windows { low, high, spans } = windows(model, patterns, names, &live, late)?;

    let mut counted = Counted { assignments: 1, cells: BTreeMap::new(), instances: Vec::new() };
    for (n, part) in model.parts.iter().enumerate().rev() {
        match part {
            ModelPart::Straight(code) => counted.straight(model, code),
            ModelPart::Loop(l) => counted.looped(&mut Flow::new(l, patterns, names), &live[n])?,
        }
    }
    counted.instances.reverse();

    let kept = kept(model, late, (low, high));
    let last = model.loops().map(|l| l.last).max().unwrap_or(0);
    let first_end = model.loops().map(|l| l.last).min().unwrap_or(0);
    #[cfg(any(test, feature = "mutants"))]
    let first_end = if mutated(Mutant::LoopsEndTogether) { last } else { first_end };
    let assignments = i128::from(counted.assignments);
    #[cfg(any(test, feature = "mutants"))]
    let assignments = if mutated(Mutant::OneAssignment) { 1 } else { assignments };
    let delta = high - low;
    if assignments > MOST || delta > MOST || theta > MOST {
        return Err(Refusal::of_all("the loops would have to run too often"));
    }
    let mut least = kept + (assignments + 1) * (delta + theta) + (last - first_end);
    // With a symbol, the congruence with the loops' end is known only when the program runs. The
    // last iterations may then be up to a step before the ends.
    let slack = if model.symbol.is_some() { theta - 1 } else { 0 };
    least += 2 * slack;
    let gamma = if slack == 0 { least + (last - least).rem_euclid(theta) } else { least };
    // With a symbol, the pruned program takes the least of Γ and the loops' ends when it runs.
    let complete = model.symbol.is_none() && gamma >= last;
    Ok(Bound {
        window: (low, high),
        theta,
        assignments: counted.assignments,
        kept,
        least,
        gamma,
        last,
        slack,
        complete,
        instances: counted.instances,
        spans,
    })
}

/// What the loops touch around the places of Q.
struct Windows {
    /// δ_low
    low: i128,
    /// δ_high
    high: i128,
    /// For each loop: the spans of its operands, where a span exists.
    spans: Vec<BTreeMap<Operand, Option<(i128, i128)>>>,
}

/// Checks the constraints, and gathers the windows of all loops.
fn windows(
    model: &Model,
    patterns: &Patterns,
    names: &dyn Fn(Operand) -> String,
    live: &[BTreeSet<Scalar>],
    late: bool,
) -> Result<Windows, Refusal> {
    let strict = model.threshold.is_some() || late;
    let mut window = BTreeSet::from([0]);
    let mut low = 0;
    let mut contents = Contents::new(model);
    let mut spans = Vec::new();
    for (n, part) in model.parts.iter().enumerate() {
        let l = match part {
            ModelPart::Straight(code) => {
                contents.straight(model, code);
                continue;
            }
            ModelPart::Loop(l) => l,
        };
        let mut flow = Flow::new(l, patterns, names);
        spans.push(look_at(&mut flow, &mut window, patterns)?);
        let carried = flow.carried()?;
        for s in l.scalars.keys().filter(|s| live[n].contains(s) || carried.contains(s)) {
            for distances in constraint_2(&mut flow, patterns, &contents, *s, names)? {
                low = low.min(distances);
                if strict || carried.contains(s) {
                    window.insert(distances);
                }
            }
        }
        for look in l.code.looks.iter().filter(|look| look.assumed) {
            window.extend(assumption(&mut flow, &contents, look)?);
        }
        contents.looped(l, &mut flow)?;
        for (a, c) in l.cells.keys() {
            window.extend(contents.distances(*a).map(|o| o + c));
        }
    }
    #[cfg(any(test, feature = "mutants"))]
    if mutated(Mutant::WindowsAreZero) {
        window = BTreeSet::from([0]);
    }
    let low = window.first().map_or(low, |w| low.min(*w));
    let high = window.last().copied().unwrap_or(0);
    Ok(Windows { low, high, spans })
}

fn writes_cells(part: &ModelPart) -> bool {
    matches!(part, ModelPart::Loop(l) if !l.cells.is_empty())
}

/// Whether code touches cells with a constant index that some loop may have written, or whose
/// neighbours some loop may have written.
fn touches_fixed_late(model: &Model) -> bool {
    let first_write = model.parts.iter().position(writes_cells).unwrap_or(model.parts.len());
    model.parts[first_write..].iter().any(|p| !writes_or_reads_fixed(code(p)).is_empty())
}

/// `K^c`, up to which all places are kept.
fn kept(model: &Model, late: bool, (low, high): (i128, i128)) -> i128 {
    let writers = i128::try_from(model.parts.iter().filter(|p| writes_cells(p)).count()).unwrap_or(MOST);
    // Every loop that writes moves what cells hold by at most the windows' width; so with what it
    // reads.
    let moved = if late { 3 * writers * (high - low) } else { 0 };
    let kept = model.loops().map(|l| match model.fixed {
        Some(fixed) => {
            let least = (fixed + moved - low).max(l.first);
            l.first + (least - l.first + l.step - 1) / l.step * l.step
        }
        None => l.first,
    });
    let kept = kept.max().unwrap_or(0);
    let threshold = model.threshold;
    #[cfg(any(test, feature = "mutants"))]
    let threshold = threshold.filter(|_| !mutated(Mutant::NothingIsKept));
    kept.max(threshold.unwrap_or(i128::MIN))
}

impl Bound {
    /// The place of the last iteration of a pruned loop, perhaps [`Bound::slack`] later.
    pub(super) fn end(&self, l: &LoopModel) -> i128 {
        if self.complete { l.last } else { self.gamma - (self.last - l.last) }
    }
}

/// The least common multiple of the steps and of what counters are taken modulo.
fn theta(model: &Model) -> Result<i128, Refusal> {
    let mut theta = 1i128;
    #[cfg(any(test, feature = "mutants"))]
    if mutated(Mutant::ThetaIsOne) {
        return Ok(theta);
    }
    for n in model.loops().map(|l| l.step).chain(model.moduli.iter().copied()) {
        theta = theta / gcd(theta, n) * n;
        if theta > MOST {
            return Err(Refusal::of_all("the loops' steps have no small common multiple"));
        }
    }
    Ok(theta)
}

fn code(part: &ModelPart) -> &Code {
    match part {
        ModelPart::Straight(code) => code,
        ModelPart::Loop(l) => &l.code,
    }
}

/// The cells with constant indices that code touches.
fn writes_or_reads_fixed(code: &Code) -> Vec<i128> {
    let uses = code.defs.iter().flat_map(|d| &d.uses).chain(code.conds.iter().flat_map(|c| &c.uses));
    let uses = uses.chain(code.looks.iter().flat_map(|l| &l.uses));
    let read = uses.filter_map(|u| match u.operand {
        Operand::Fixed(_, k) => Some(k),
        _ => None,
    });
    let written = code.defs.iter().filter_map(|d| match d.target {
        Target::Fixed(_, k) => Some(k),
        _ => None,
    });
    read.chain(written).collect()
}

/// For each part, the scalars whose values may be read after it.
fn live(model: &Model) -> Vec<BTreeSet<Scalar>> {
    let mut after = vec![BTreeSet::new(); model.parts.len()];
    let mut live: BTreeSet<Scalar> = BTreeSet::new();
    for (n, part) in model.parts.iter().enumerate().rev() {
        after[n] = live.clone();
        match part {
            ModelPart::Straight(code) => {
                for item in code.order.iter().rev() {
                    let uses = match *item {
                        Item::Def(d) => {
                            let def = &code.defs[d];
                            if def.controls.is_empty() {
                                match def.target {
                                    Target::Scalar(s) => {
                                        live.remove(&s);
                                    }
                                    Target::Whole(v) => live.retain(|s| model.scalars[*s].variable != v),
                                    Target::Cell(..) | Target::Fixed(..) => {}
                                }
                            }
                            &def.uses
                        }
                        Item::Cond(c) => &code.conds[c].uses,
                        Item::Look(k) => &code.looks[k].uses,
                    };
                    live.extend(scalars(uses.iter().map(|u| u.operand)));
                }
            }
            // A loop may run zero times, so it hides nothing.
            ModelPart::Loop(l) => {
                let uses = l.code.defs.iter().flat_map(|d| &d.uses).chain(l.code.conds.iter().flat_map(|c| &c.uses));
                let uses = uses.chain(l.code.looks.iter().flat_map(|l| &l.uses));
                live.extend(scalars(uses.filter(|u| u.entry).map(|u| u.operand)));
            }
        }
    }
    after
}

fn scalars(operands: impl Iterator<Item = Operand>) -> impl Iterator<Item = Scalar> {
    operands.filter_map(|o| match o {
        Operand::Scalar(s) => Some(s),
        _ => None,
    })
}

/// Gathers the windows of a loop, and the spans of its operands.
fn look_at(
    flow: &mut Flow<'_>,
    window: &mut BTreeSet<i128>,
    patterns: &Patterns,
) -> Result<BTreeMap<Operand, Option<(i128, i128)>>, Refusal> {
    let l = flow.l;
    let mut spans: BTreeMap<Operand, Option<(i128, i128)>> = BTreeMap::new();
    window.extend(l.cells.keys().map(|(_, c)| *c));
    window.extend(patterns.sum_distances.get(&l.part).into_iter().flatten());
    for d in 0..l.code.defs.len() {
        window.extend(flow.of_def(d)?.distances());
        window.extend(flow.of_controls(d)?.distances());
    }
    let sums = l.code.defs.iter().enumerate().filter(|(d, _)| patterns.is_sum(l.part, *d));
    let sums: BTreeSet<Operand> = sums.flat_map(|(_, def)| def.uses.iter().map(|u| u.operand)).collect();
    let uses = l.code.defs.iter().flat_map(|d| &d.uses).chain(l.code.conds.iter().flat_map(|c| &c.uses));
    for u in uses.chain(l.code.looks.iter().flat_map(|l| &l.uses)) {
        if sums.contains(&u.operand) {
            continue;
        }
        let source = flow.of_use(u)?;
        window.extend(source.distances());
        if !matches!(u.operand, Operand::Scalar(s) if !l.writes(s)) {
            spans.insert(u.operand, span(&source));
        }
    }
    Ok(spans)
}

/// The span of what has this source; `None` if it has no span (∞).
fn span(source: &Source) -> Option<(i128, i128)> {
    if !source.carried.is_empty() {
        return None;
    }
    let distances: BTreeSet<i128> = source.distances().collect();
    Some((*distances.first()?, *distances.last()?))
}

/// Checks constraint 2: the operands of all conditions that guard an assignment of a scalar are
/// made of cells at one distance. Returns the distances.
fn constraint_2(
    flow: &mut Flow<'_>,
    patterns: &Patterns,
    contents: &Contents,
    s: Scalar,
    names: &dyn Fn(Operand) -> String,
) -> Result<Vec<i128>, Refusal> {
    let l = flow.l;
    let groups = match patterns.extrema.get(&(l.part, s)) {
        Some(defs) => vec![defs.clone()],
        None => l.scalars.get(&s).into_iter().flatten().map(|d| vec![*d]).collect(),
    };
    let mut found = Vec::new();
    for group in groups {
        let mut source = Source::default();
        for d in &group {
            let controls = flow.of_controls(*d)?;
            source.cells.extend(controls.cells);
            source.inputs.extend(controls.inputs);
            source.carried.extend(controls.carried);
            source.earlier.extend(controls.earlier);
        }
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::CarriedConditions) {
            source.carried.clear();
            source.earlier.clear();
        }
        let controls = group.iter().flat_map(|d| &l.code.defs[*d].controls);
        let at = controls.map(|(c, _)| l.code.conds[*c].at).next_back().unwrap_or(l.location);
        let name = names(Operand::Scalar(s));
        if let Some(other) = source.carried.first() {
            let other = names(Operand::Scalar(*other));
            let reason =
                format!("whether `{name}` is assigned depends on `{other}` of earlier iterations (constraint 2)");
            return Err(Refusal::at(at, reason));
        }
        for distances in contents.made_of(&source, l) {
            let Some(distances) = distances else {
                let reason = format!(
                    "whether `{name}` is assigned depends on cells that iterations compute from one another (constraint 2)"
                );
                return Err(Refusal::at(at, reason));
            };
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::SeveralDistances) {
                continue;
            }
            if let (Some(first), Some(last)) = (distances.first(), distances.last())
                && first != last
            {
                let reason = format!(
                    "whether `{name}` is assigned depends on cells at several distances: the span is [{first}, {last}] (constraint 2)"
                );
                return Err(Refusal::at(at, reason));
            }
            found.extend(distances);
        }
    }
    Ok(found)
}

/// Returns the distances of an assumption in a loop. It holds in all iterations of the pruned run
/// under one condition: what it reads, and what decides whether the run reaches it, is made of
/// cells at one distance. As for constraint 2, the iteration then sees what some iteration of the
/// program's run sees, and there the assumption holds.
fn assumption(flow: &mut Flow<'_>, contents: &Contents, look: &Look) -> Result<BTreeSet<i128>, Refusal> {
    let source = flow.of_look(look)?;
    let mut found = BTreeSet::new();
    for distances in contents.made_of(&source, flow.l) {
        let one = distances.as_ref().is_some_and(|d| d.first() == d.last());
        #[cfg(any(test, feature = "mutants"))]
        let one = one || mutated(Mutant::AssumptionsStay);
        if !one {
            return Err(Refusal::at(look.at, "an assumption reads cells at several distances"));
        }
        found.extend(distances.unwrap_or_default());
    }
    Ok(found)
}

/// The counts so far, from the assertion backwards.
struct Counted {
    assignments: u64,
    /// How many cells of each array are needed here.
    cells: BTreeMap<Array, u64>,
    instances: Vec<Vec<((Array, i128), u64)>>,
}

impl Counted {
    fn straight(&mut self, model: &Model, code: &Code) {
        // Cells with constant indices are kept with everything that they are made of, and are not
        // counted.
        for def in &code.defs {
            if let (Target::Whole(v), true) = (def.target, def.controls.is_empty()) {
                self.cells.retain(|a, _| model.arrays[*a].variable != v);
            }
        }
    }

    fn looped(&mut self, flow: &mut Flow<'_>, live: &BTreeSet<Scalar>) -> Result<(), Refusal> {
        let l = flow.l;
        let mut looks = Source::default();
        for look in &l.code.looks {
            let source = flow.of_look(look)?;
            looks.cells.extend(source.cells);
            looks.carried.extend(source.carried);
        }
        let mut graph = Graph::new(flow);
        let mut total = graph.made_of(&looks, None)?;
        for s in l.scalars.keys().filter(|s| live.contains(s)) {
            total.add(&graph.scalar(*s)?, 1);
        }
        let mut instances = Vec::new();
        for (a, c) in l.cells.keys() {
            let times = self.cells.get(a).copied().unwrap_or(0);
            total.add(&graph.cell(*a, *c)?, times);
            instances.push(((*a, *c), times));
        }
        self.instances.push(instances);
        self.assignments = self.assignments.saturating_add(total.assignments);
        for (a, n) in total.cells {
            let sum = self.cells.entry(a).or_default();
            *sum = sum.saturating_add(n);
        }
        Ok(())
    }
}

//! The flow of values in one loop: what a value is made of, in terms of the state at the beginning
//! of the loop (Kumar 2019, 9.3).

use super::super::Refusal;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::model::{Array, DefId, LoopModel, Operand, Scalar, Use, Value};
use super::patterns::Patterns;
use std::collections::{BTreeMap, BTreeSet};

/// What a value in an iteration is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Source {
    /// Cells at these distances from the iteration, with the values that they had when the loop
    /// began.
    pub(super) cells: BTreeSet<(Array, i128)>,
    /// The distances at which inputs are read: 0, or where an earlier iteration wrote what is read.
    pub(super) inputs: BTreeSet<i128>,
    /// Scalars that the loop writes, with the values that they had when the iteration began.
    pub(super) carried: BTreeSet<Scalar>,
    /// The distances of the earlier iterations that made part of it.
    pub(super) earlier: BTreeSet<i128>,
}

impl Source {
    fn add(&mut self, other: &Source) {
        self.cells.extend(&other.cells);
        self.inputs.extend(&other.inputs);
        self.carried.extend(&other.carried);
        self.earlier.extend(&other.earlier);
    }

    /// The same source, seen from `d` places later.
    fn later(&self, d: i128) -> Source {
        Source {
            cells: self.cells.iter().map(|(a, c)| (*a, c - d)).collect(),
            inputs: self.inputs.iter().map(|c| c - d).collect(),
            carried: self.carried.clone(),
            earlier: self.earlier.iter().map(|c| c - d).chain([-d]).collect(),
        }
    }

    /// All distances in it.
    pub(super) fn distances(&self) -> impl Iterator<Item = i128> {
        self.cells.iter().map(|(_, c)| *c).chain(self.inputs.iter().copied()).chain(self.earlier.iter().copied())
    }
}

/// The flow in a loop.
pub(super) struct Flow<'m> {
    pub(super) l: &'m LoopModel,
    patterns: &'m Patterns,
    names: &'m dyn Fn(Operand) -> String,
    defs: BTreeMap<DefId, Source>,
    open: BTreeSet<DefId>,
}

impl<'m> Flow<'m> {
    pub(super) fn new(l: &'m LoopModel, patterns: &'m Patterns, names: &'m dyn Fn(Operand) -> String) -> Flow<'m> {
        Flow { l, patterns, names, defs: BTreeMap::new(), open: BTreeSet::new() }
    }

    /// What an operand's value is made of.
    pub(super) fn of_use(&mut self, u: &Use) -> Result<Source, Refusal> {
        let mut source = Source::default();
        match u.operand {
            Operand::Scalar(s) => {
                // If the value may come from an earlier iteration, this iteration's definition is
                // among the last ones that are searched for. What it is made of is then counted
                // there (9.4.3).
                if u.entry && self.l.writes(s) {
                    source.carried.insert(s);
                } else {
                    for d in &u.reach {
                        source.add(&self.of_def(*d)?);
                    }
                }
            }
            Operand::Cell(a, c) => {
                for d in &u.reach {
                    source.add(&self.of_def(*d)?);
                }
                if u.entry {
                    source.cells.insert((a, c));
                    let earlier: Vec<_> = self.l.earlier(a, c).collect();
                    for (d, distance) in earlier {
                        let made = self.of_def(d)?;
                        if let Some(s) = made.carried.first() {
                            let reason = format!(
                                "an earlier iteration computed `{}` from `{}`, which each iteration passes to the next (constraint 1)",
                                (self.names)(u.operand),
                                (self.names)(Operand::Scalar(*s))
                            );
                            return Err(Refusal::at(u.at, reason));
                        }
                        source.add(&made.later(distance));
                    }
                }
            }
            // It has one value in the whole loop.
            Operand::Fixed(..) => {}
        }
        Ok(source)
    }

    /// What several operands together are made of.
    pub(super) fn of_uses<'u>(&mut self, uses: impl IntoIterator<Item = &'u Use>) -> Result<Source, Refusal> {
        let mut source = Source::default();
        for u in uses {
            source.add(&self.of_use(u)?);
        }
        Ok(source)
    }

    /// What a definition depends on: its value, and whether it is made. Uses that a pattern covers
    /// are left out.
    pub(super) fn of_def(&mut self, d: DefId) -> Result<Source, Refusal> {
        if let Some(source) = self.defs.get(&d) {
            return Ok(source.clone());
        }
        let l = self.l;
        let def = &l.code.defs[d];
        if !self.open.insert(d) {
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::CyclesAreFine) {
                return Ok(Source::default());
            }
            let target = match def.target {
                super::model::Target::Cell(a, c) => (self.names)(Operand::Cell(a, c)),
                super::model::Target::Scalar(s) => (self.names)(Operand::Scalar(s)),
                _ => String::new(),
            };
            let reason = format!("`{target}` depends on its own value from an earlier iteration (constraint 1)");
            return Err(Refusal::at(def.at, reason));
        }
        let mut source = Source::default();
        if matches!(def.value, Value::Arbitrary) {
            source.inputs.insert(0);
        }
        let patterns = self.patterns;
        if !patterns.is_sum(l.part, d) {
            let value: Vec<&Use> = def.uses.iter().filter(|u| !patterns.covers(l.part, d, u.operand)).collect();
            source.add(&self.of_uses(value)?);
        }
        source.add(&self.of_controls(d)?);
        self.open.remove(&d);
        self.defs.insert(d, source.clone());
        Ok(source)
    }

    /// The dependences of the conditions that guard a definition.
    pub(super) fn of_controls(&mut self, d: DefId) -> Result<Source, Refusal> {
        let l = self.l;
        let patterns = self.patterns;
        let conds = l.code.defs[d].controls.iter().map(|(c, _)| &l.code.conds[*c]);
        let uses = conds.flat_map(|c| &c.uses).filter(|u| !patterns.covers(l.part, d, u.operand));
        self.of_uses(uses)
    }

    /// The scalars whose values from earlier iterations are read in the loop.
    pub(super) fn carried(&mut self) -> Result<BTreeSet<Scalar>, Refusal> {
        let l = self.l;
        let mut carried = BTreeSet::new();
        for d in 0..l.code.defs.len() {
            carried.extend(self.of_def(d)?.carried);
        }
        for look in &l.code.looks {
            carried.extend(self.of_look(look)?.carried);
        }
        Ok(carried)
    }

    /// The dependences of the assertion at a place, and of whether runs reach it.
    pub(super) fn of_look(&mut self, look: &super::model::Look) -> Result<Source, Refusal> {
        let l = self.l;
        let conds = look.controls.iter().flat_map(|(c, _)| &l.code.conds[*c].uses);
        self.of_uses(look.uses.iter().chain(conds))
    }
}

/// How many last value assignments a value takes, and how many cells of each array they read as the
/// loop found them (9.5.3, 9.5.5).
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) assignments: u64,
    pub(super) cells: BTreeMap<Array, u64>,
}

impl Tally {
    /// Adds a tally, counted `times` times.
    pub(super) fn add(&mut self, other: &Tally, times: u64) {
        self.assignments = self.assignments.saturating_add(other.assignments.saturating_mul(times));
        for (a, n) in &other.cells {
            let sum = self.cells.entry(*a).or_default();
            *sum = sum.saturating_add(n.saturating_mul(times));
        }
    }

    pub(super) fn reads(&mut self, cells: impl IntoIterator<Item = Array>) {
        for a in cells {
            let sum = self.cells.entry(a).or_default();
            *sum = sum.saturating_add(1);
        }
    }
}

/// The variable dependence graph of a loop, as the tallies of its nodes.
pub(super) struct Graph<'f, 'm> {
    pub(super) flow: &'f mut Flow<'m>,
    done: BTreeMap<Scalar, Tally>,
    open: BTreeSet<Scalar>,
}

impl<'f, 'm> Graph<'f, 'm> {
    pub(super) fn new(flow: &'f mut Flow<'m>) -> Graph<'f, 'm> {
        Graph { flow, done: BTreeMap::new(), open: BTreeSet::new() }
    }

    /// The tally of a scalar.
    pub(super) fn scalar(&mut self, s: Scalar) -> Result<Tally, Refusal> {
        if let Some(tally) = self.done.get(&s) {
            return Ok(tally.clone());
        }
        let Some(defs) = self.flow.l.scalars.get(&s) else { return Ok(Tally::default()) };
        if !self.open.insert(s) {
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::CyclesAreFine) {
                return Ok(Tally::default());
            }
            let name = (self.flow.names)(Operand::Scalar(s));
            let at = defs.first().map_or(self.flow.l.location, |d| self.flow.l.code.defs[*d].at);
            let reason = format!("`{name}` depends on its own value from an earlier iteration (constraint 1)");
            return Err(Refusal::at(at, reason));
        }
        let mut tally = self.defs(defs, None)?;
        if let Some(other) = self.flow.patterns.beside(self.flow.l.part, s) {
            let other = self.scalar(other)?;
            tally.add(&other, 1);
        }
        self.open.remove(&s);
        self.done.insert(s, tally.clone());
        Ok(tally)
    }

    /// The tally of the definitions of `a[counter + c]`. The cell itself, as the loop found it, is
    /// not counted.
    pub(super) fn cell(&mut self, a: Array, c: i128) -> Result<Tally, Refusal> {
        let Some(defs) = self.flow.l.cells.get(&(a, c)) else { return Ok(Tally::default()) };
        self.defs(defs, Some((a, c)))
    }

    fn defs(&mut self, defs: &[DefId], itself: Option<(Array, i128)>) -> Result<Tally, Refusal> {
        let mut source = Source::default();
        for d in defs {
            source.add(&self.flow.of_def(*d)?);
        }
        let mut tally = self.made_of(&source, itself)?;
        tally.assignments = tally.assignments.saturating_add(1);
        Ok(tally)
    }

    /// The tally of what a value is made of.
    pub(super) fn made_of(&mut self, source: &Source, without: Option<(Array, i128)>) -> Result<Tally, Refusal> {
        let mut tally = Tally::default();
        for s in &source.carried {
            let other = self.scalar(*s)?;
            tally.add(&other, 1);
        }
        tally.reads(source.cells.iter().filter(|cell| Some(**cell) != without).map(|(a, _)| *a));
        Ok(tally)
    }
}

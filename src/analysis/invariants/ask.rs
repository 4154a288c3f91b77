//! Asks the domain for facts and builds formulas from them.

use super::Invariant;
use super::formula::{Atom, Atoms, Cells, Formula, Range, ends_of};
use super::names::{Named, Vocabulary};
use crate::analysis::Solved;
use crate::analysis::cut_points::{CutPoint, Moment};
use crate::analysis::view;
use crate::facts::ArrayContent;
use smalti_core::{Cell, Constraint, Facts, GroupFacts, Interval, Lattice, LinearExpr, Memory, Var};
use smalti_stack::AnyState;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most ranges of one array that are tried.
const MOST_RANGES: usize = 24;
/// The most bounds of one group, on either side, that are combined to ranges.
const MOST_ENDS: usize = 4;
/// The most cases that are distinguished.
const MOST_CASES: usize = 32;
/// Variables that no program has. This is the number of a cell; the values of its fields follow
/// downwards from here.
const PROBE: u32 = u32::MAX;

/// A moment that runs reach, with its state and what can be named in it.
pub(super) struct ReachedState {
    pub state: AnyState,
    pub vocabulary: Vocabulary,
}

/// Asks the states of all moments of one place.
pub(super) struct Asker<'a> {
    pub solved: &'a Solved<'a>,
    pub known: &'a [ReachedState],
    /// The variable of [`Atom::Index`].
    pub index: Var,
}

/// What is known at a moment of a range of cells.
enum Answer {
    /// The range has no cell.
    Empty,
    /// Nothing: the range may leave the array, or cannot be expressed there.
    Nothing,
    /// Constraints on each cell, in atoms' variables.
    Holds(Vec<Constraint>),
}

impl Asker<'_> {
    fn top(&self) -> AnyState {
        self.solved.top.memory.clone()
    }

    /// What holds of the named scalars at all moments.
    pub(super) fn scalars(&self) -> AnyState {
        let states = self.known.iter().map(|k| {
            let mut state = k.state.clone();
            self.alone(&mut state);
            self.named(k, state, &BTreeMap::new())
        });
        self.joined(states)
    }

    /// The ranges that the groups of an array propose, and the whole array. `facts` belong to the
    /// moments.
    pub(super) fn ranges(&self, cells: &Cells, facts: &[Facts], scalars: &AnyState) -> Vec<Range> {
        let mut found: Vec<Range> = Vec::new();
        let mut propose = |low: LinearExpr, high: LinearExpr| {
            let range = Range { low, high };
            // A range that is empty at all moments says nothing.
            if found.len() < MOST_RANGES && !found.contains(&range) && self.may_have_cells(scalars, &range) {
                found.push(range);
            }
        };
        for (known, facts) in self.known.iter().zip(facts).rev() {
            let Some(named) = known.vocabulary.arrays.get(cells) else { continue };
            let (zero, length) = (LinearExpr::constant(0), LinearExpr::var(named.length));
            let length = match known.state.bounds(&length).and_then(Interval::as_constant) {
                Some(n) => vec![LinearExpr::constant(n)],
                None => self.equals(known, named.length),
            };
            length.into_iter().for_each(|n| propose(zero.clone(), n));
            let groups = facts.arrays.iter().filter(|a| a.array == named.array).flat_map(|a| &a.groups);
            for group in groups {
                let (lows, highs) = self.ends(known, group);
                for low in &lows {
                    highs.iter().for_each(|high| propose(low.clone(), high.clone()));
                }
            }
        }
        found
    }

    /// The expressions in atoms' variables that a domain variable is equal to.
    fn equals(&self, known: &ReachedState, v: Var) -> Vec<LinearExpr> {
        let mut found: Vec<LinearExpr> = Vec::new();
        for (canonical, own) in &known.vocabulary.own {
            let difference = LinearExpr::var(v).sub(&LinearExpr::var(*own));
            let constant = difference.and_then(|d| known.state.bounds(&d)).and_then(Interval::as_constant);
            found.extend(constant.and_then(|c| LinearExpr::var(*canonical).add_constant(c)));
            if found.len() >= MOST_ENDS {
                break;
            }
        }
        found
    }

    /// The bounds of a group's index that can be named: first indexes, and indexes one past the
    /// last.
    fn ends(&self, known: &ReachedState, group: &GroupFacts) -> (Vec<LinearExpr>, Vec<LinearExpr>) {
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        let Some(index) = group.index else { return (lows, highs) };
        for c in &group.constraints {
            let (low, high) = ends_of(c, index);
            lows.extend(low.and_then(|e| known.vocabulary.canonical(&e)));
            highs.extend(high.and_then(|e| known.vocabulary.canonical(&e)));
        }
        for ends in [&mut lows, &mut highs] {
            // Variables say more than numbers: `i` is where the loop stands.
            ends.sort_by_key(|e| (e.terms().len() != 1, e.constant_part().unsigned_abs()));
            let constant = ends.iter().find(|e| e.as_constant().is_some()).cloned();
            ends.retain(|e| e.as_constant().is_none());
            ends.truncate(MOST_ENDS - 1);
            ends.extend(constant);
        }
        (lows, highs)
    }

    fn may_have_cells(&self, scalars: &AnyState, range: &Range) -> bool {
        let mut state = scalars.clone();
        assume(&mut state, Constraint::lt(&range.low, &range.high));
        !state.is_bottom()
    }

    /// What holds of every cell of the range at all moments; `None` if nothing is known.
    pub(super) fn formula(
        &self,
        cells: &Cells,
        range: Range,
        scalars: &AnyState,
        atoms: &mut Atoms,
    ) -> Option<Formula> {
        let mut states = Vec::new();
        for known in self.known {
            match self.ask(known, cells, &range, atoms) {
                Answer::Empty => {}
                Answer::Nothing => return None,
                Answer::Holds(constraints) => states.push(self.holding(&constraints)),
            }
        }
        if states.is_empty() {
            return None;
        }
        let body: Vec<Constraint> = self.joined(states.into_iter()).facts().scalars;
        let of_cell = |v: Var| matches!(atoms.atom(v), Some(Atom::Cell(..)));
        let body: Vec<Constraint> = body.into_iter().filter(|c| c.expr.vars().any(of_cell)).collect();
        let mut given = scalars.facts().scalars;
        given.extend(self.inside(&range));
        let formula = Formula { range: Some(range), given, body };
        (!formula.facts(atoms, "k").is_empty()).then_some(formula)
    }

    /// The constraints that the index lies in the range.
    fn inside(&self, range: &Range) -> Vec<Constraint> {
        let k = LinearExpr::var(self.index);
        [Constraint::ge(&k, &range.low), Constraint::lt(&k, &range.high)].into_iter().flatten().collect()
    }

    /// What is known at one moment. It is sound because each step is an operation of the domain. A
    /// state of the moment, together with the number of any cell in the range, stays in the
    /// element. After the reads the probes hold the cell's values.
    fn ask(&self, known: &ReachedState, cells: &Cells, range: &Range, atoms: &mut Atoms) -> Answer {
        let Some(named) = known.vocabulary.arrays.get(cells) else { return Answer::Nothing };
        let (Some(low), Some(high)) = (known.vocabulary.own(&range.low), known.vocabulary.own(&range.high)) else {
            return Answer::Nothing;
        };
        let probe = Var::scalar(PROBE);
        let k = LinearExpr::var(probe);
        let mut state = known.state.clone();
        let (Some(from), Some(below)) = (Constraint::ge(&k, &low), Constraint::lt(&k, &high)) else {
            return Answer::Nothing;
        };
        // Without these two there would be no range, and the conclusion would be about any cell.
        state.assume(&from);
        state.assume(&below);
        // Over the integers, low <= k < high needs low < high; a weak domain may need this
        // constraint.
        assume(&mut state, Constraint::lt(&low, &high));
        if state.is_bottom() {
            return Answer::Empty;
        }
        let in_array =
            [Constraint::ge(&k, &LinearExpr::constant(0)), Constraint::lt(&k, &LinearExpr::var(named.length))];
        if !in_array.iter().all(|c| c.as_ref().is_some_and(|c| state.entails(c))) {
            return Answer::Nothing;
        }
        let mut more = BTreeMap::from([(probe, self.index)]);
        for (n, (field, members, values)) in (1u32..).zip(&named.fields) {
            let value = Var::scalar(PROBE - n);
            state.read(value, &Cell { array: named.array, index: k.clone(), field: *field });
            more.insert(value, atoms.var(&Atom::Cell(cells.clone(), members.clone()), *values));
        }
        if state.is_bottom() {
            return Answer::Empty;
        }
        self.alone(&mut state);
        Answer::Holds(self.renamed(known, state, &more))
    }

    /// Drops all arrays.
    fn alone(&self, state: &mut AnyState) {
        let arrays = self.solved.model.layout.arrays.len();
        (0..arrays).for_each(|n| state.drop_array(smalti_core::ArrayId(n as u32)));
    }

    fn named(&self, known: &ReachedState, state: AnyState, more: &BTreeMap<Var, Var>) -> AnyState {
        let constraints = self.renamed(known, state, more);
        self.holding(&constraints)
    }

    /// What the state says of the variables that can be named, and of `more`, in atoms' variables.
    fn renamed(&self, known: &ReachedState, mut state: AnyState, more: &BTreeMap<Var, Var>) -> Vec<Constraint> {
        let canonical = &known.vocabulary.canonical;
        let all = (0..self.solved.model.layout.meanings.len()).map(|n| Var::scalar(n as u32));
        let unnamed: Vec<Var> = all.filter(|v| !canonical.contains_key(v)).collect();
        state.forget(&unnamed);
        let to = |v: Var| canonical.get(&v).or_else(|| more.get(&v)).copied();
        let renamed = |c: &Constraint| {
            if c.expr.vars().any(|v| to(v).is_none()) {
                return None;
            }
            Some(Constraint { expr: c.expr.rename(|v| to(v).unwrap_or(v))?, relation: c.relation })
        };
        state.facts().scalars.iter().filter_map(renamed).collect()
    }

    fn holding(&self, constraints: &[Constraint]) -> AnyState {
        let mut state = self.top();
        constraints.iter().for_each(|c| state.assume(c));
        state
    }

    fn joined(&self, mut states: impl Iterator<Item = AnyState>) -> AnyState {
        let Some(mut all) = states.next() else { return self.top() };
        states.for_each(|s| all.join_with(&s));
        all
    }

    /// Whether `one` follows from `other`, for one array.
    pub(super) fn says(&self, scalars: &AnyState, other: &Formula, one: &Formula) -> bool {
        let (Some(outer), Some(inner)) = (&other.range, &one.range) else { return false };
        let mut state = scalars.clone();
        self.inside(inner).iter().for_each(|c| state.assume(c));
        let within = self.inside(outer).iter().all(|c| state.entails(c));
        other.body.iter().for_each(|c| state.assume(c));
        within && one.body.iter().all(|c| state.entails(c))
    }

    /// Removes the formulas that follow from the others together, such as one about a whole array
    /// beside formulas about its parts.
    pub(super) fn without_summaries(&self, scalars: &AnyState, mut formulas: Vec<Formula>) -> Vec<Formula> {
        let mut n = 0;
        while n < formulas.len() {
            let one = formulas.remove(n);
            if !self.follows(scalars, &formulas, &one) {
                formulas.insert(n, one);
                n += 1;
            }
        }
        formulas
    }

    /// Whether each cell of a formula's range lies in the range of another one that says the same
    /// and more of it.
    fn follows(&self, scalars: &AnyState, others: &[Formula], one: &Formula) -> bool {
        let Some(range) = &one.range else { return false };
        let mut whole = scalars.clone();
        self.inside(range).iter().for_each(|c| whole.assume(c));
        let mut open = vec![whole];
        for other in others {
            let Some(range) = &other.range else { continue };
            let mut rest = Vec::new();
            for case in open {
                let mut inside = case.clone();
                self.inside(range).iter().for_each(|c| inside.assume(c));
                if inside.is_bottom() {
                    rest.push(case);
                    continue;
                }
                other.body.iter().for_each(|c| inside.assume(c));
                if !one.body.iter().all(|c| inside.entails(c)) {
                    return false;
                }
                for outside in self.inside(range).iter().map(Constraint::negate) {
                    let Some(outside) = outside else { return false };
                    let mut left = case.clone();
                    left.assume(&outside);
                    if !left.is_bottom() {
                        rest.push(left);
                    }
                }
            }
            if rest.len() > MOST_CASES {
                return false;
            }
            open = rest;
        }
        open.is_empty()
    }

    /// The groups of cells whose content no formula states. Only if all moments belong to one copy
    /// of the place: otherwise the groups depend on the call.
    pub(super) fn groups(
        &self,
        place: &CutPoint,
        reached: &[&Moment],
        scalars: &AnyState,
        long: &view::LongNames,
        found: &Invariant,
    ) -> Vec<ArrayContent> {
        let Some(first) = reached.first() else { return Vec::new() };
        if place.moments.iter().any(|m| !Rc::ptr_eq(&m.scope, &first.scope)) {
            return Vec::new();
        }
        let Some((known, others)) = self.known.split_first() else { return Vec::new() };
        let mut state = known.state.clone();
        others.iter().for_each(|other| state.join_with(&other.state));
        let facts = state.facts();
        // One array may have several names: that of a pointer to its first cell, too.
        let names_of = |array| known.vocabulary.arrays.iter().filter(move |(_, named)| named.array == array);
        let words = view::Names::new(self.solved, Some(&first.scope), long, &facts);
        let mut contents = Vec::new();
        for array in &facts.arrays {
            if names_of(array.array).next().is_none() {
                continue;
            }
            let is_said = |group: &GroupFacts| {
                let mut names = names_of(array.array);
                names.any(|(cells, named)| self.is_said(known, cells, named, group, scalars, found))
            };
            let mut open = array.clone();
            open.groups.retain(|group| !is_said(group));
            let mut content = words.array(&open, std::slice::from_ref(array), &facts.scalars);
            content.groups.retain(|group| !group.holds.is_empty());
            if !content.groups.is_empty() {
                contents.push(content);
            }
        }
        contents
    }

    /// Whether the formulas state everything of a group's content that can be named.
    fn is_said(
        &self,
        known: &ReachedState,
        cells: &Cells,
        named: &Named,
        group: &GroupFacts,
        scalars: &AnyState,
        found: &Invariant,
    ) -> bool {
        let mut to: BTreeMap<Var, Var> = known.vocabulary.canonical.clone();
        to.extend(group.index.map(|index| (index, self.index)));
        let mut fields = BTreeSet::new();
        for (field, var) in &group.fields {
            let members = named.fields.iter().find(|f| f.0 == *field).map(|f| f.1.clone());
            let atom = members.map(|m| Atom::Cell(cells.clone(), m));
            let known = atom.and_then(|a| found.atoms.all.iter().position(|b| *b == a));
            to.extend(known.map(|n| (*var, Var::scalar(n as u32))));
            fields.insert(*var);
        }
        let mut state = scalars.clone();
        // The cells of a group are cells of the array.
        let index = LinearExpr::var(self.index);
        let greatest = known.state.bounds(&LinearExpr::var(named.length)).and_then(Interval::hi);
        assume(&mut state, greatest.and_then(|length| Constraint::lt(&index, &LinearExpr::constant(length))));
        assume(&mut state, Some(Constraint::non_negative(index)));
        let mut contents = Vec::new();
        for c in &group.constraints {
            let mentions = c.expr.vars().any(|v| fields.contains(&v));
            let renamed = if c.expr.vars().all(|v| to.contains_key(&v)) {
                let expr = c.expr.rename(|v| to.get(&v).copied().unwrap_or(v));
                expr.map(|expr| Constraint { expr, relation: c.relation })
            } else {
                None
            };
            match (renamed, mentions) {
                (Some(c), true) => contents.push(c),
                (Some(c), false) => state.assume(&c),
                // A fact that no formula can express is not shown for the group either.
                (None, _) => {}
            }
        }
        for formula in &found.formulas {
            let Some(range) = &formula.range else { continue };
            if self.inside(range).iter().all(|c| state.entails(c)) {
                formula.body.iter().for_each(|c| state.assume(c));
            }
        }
        let types = found.atoms.of_types(&contents);
        types.iter().for_each(|c| state.assume(c));
        contents.iter().all(|c| state.entails(c))
    }
}

fn assume(state: &mut AnyState, c: Option<Constraint>) {
    if let Some(c) = c {
        state.assume(&c);
    }
}

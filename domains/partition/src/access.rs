//! Finds the groups that a cell may be in, and splits the cell off.

use crate::dims::{self, PROBE, Slot};
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, fill_the_others, mutated};
use crate::relations::Relations;
use crate::state::{Group, Partition, assume, number, var};
use smalti_core::{ArrayId, Constraint, LinearExpr, Numeric, Var, work};

/// The number of scalars that are tried as ends of a group's range.
const ENDS: usize = 8;

/// A group that a cell may be in.
pub(crate) struct Candidate<N> {
    pub(crate) slot: Slot,
    /// The facts about the cell in this case, in the dimensions of [`PROBE`]; `None` if the group
    /// is the cell.
    pub(crate) cell: Option<N>,
}

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// The groups that the cell at `e`, which is in range, can be in. The groups cover the array,
    /// so in every state it is in one of them; a group is left out where "the cell is one of its
    /// cells" contradicts what is known.
    pub(crate) fn candidates(&self, array: ArrayId, e: &LinearExpr) -> Vec<Candidate<N>> {
        let Some(a) = self.array(array) else { return Vec::new() };
        let related = self.related_groups(array, e);
        let possible = |slot: &Slot| related.as_ref().is_none_or(|r| r.contains(slot));
        let mut found = Vec::new();
        for (slot, group) in a.groups.iter().filter(|(slot, _)| possible(slot)) {
            if !matches!(group, Group::One) {
                continue;
            }
            let difference = var(dims::index(array, *slot)).sub(e);
            let range = difference.and_then(|d| self.global.bounds(&d));
            if range.is_some_and(|r| r.as_constant() == Some(0)) {
                // Groups are disjoint: the cell is in no other.
                return vec![Candidate { slot: *slot, cell: None }];
            }
            if range.is_none_or(|r| r.contains(0)) {
                found.push(Candidate { slot: *slot, cell: None });
            }
        }
        let vars: Vec<Var> = e.vars().collect();
        let frame = self.frame_of(array, &vars);
        for (slot, group) in a.groups.iter().filter(|(slot, _)| possible(slot)) {
            let Group::Many(content) = group else { continue };
            let size = self.global.bounds(&var(dims::size(array, *slot)));
            if size.and_then(|s| s.hi()).is_some_and(|hi| hi < 1) {
                continue;
            }
            let mut cell = content.clone();
            cell.meet_with(&frame);
            assume(&mut cell, Constraint::eq(&var(dims::index(array, *slot)), e));
            if !cell.is_bottom() {
                cell.rename(&dims::renaming(array, *slot, PROBE, a.fields.len()));
                found.push(Candidate { slot: *slot, cell: Some(cell) });
            }
        }
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::OnlyTheFirstGroup) {
            found.truncate(1);
        }
        if found.len() > 1
            && let Some(n) =
                found.iter().position(|c| c.cell.is_some() && self.fills_its_range(array, c.slot, e, &frame))
        {
            return vec![found.swap_remove(n)];
        }
        found
    }

    /// Whether the group has as many cells as its indexes have room, and `e` lies between them:
    /// then the cell at `e` is in it.
    fn fills_its_range(&self, array: ArrayId, slot: Slot, e: &LinearExpr, frame: &N) -> bool {
        let Some(a) = self.array(array) else { return false };
        let (index, size) = (var(dims::index(array, slot)), var(dims::size(array, slot)));
        #[cfg(any(test, feature = "mutants"))]
        let full = mutated(Mutant::RangesAreFull);
        #[cfg(not(any(test, feature = "mutants")))]
        let full = false;
        // There is room for one at least, so there have to be cells. That is quickly told.
        if !full && self.global.bounds(&size).and_then(|s| s.lo()).is_none_or(|lo| lo < 1) {
            return false;
        }
        let content = self.content(array, slot, frame);
        let scalars = a.support.iter().filter(|v| v.is_scalar()).take(ENDS).map(|v| var(*v));
        let ends: Vec<LinearExpr> = std::iter::once(number(0)).chain(scalars).collect();
        // Expressions that bound the index, from the distances to scalars that are known.
        let bound = |end: &LinearExpr, least: bool| {
            let range = index.sub(end).and_then(|d| content.bounds(&d))?;
            end.add_constant(if least { range.lo()? } else { range.hi()? })
        };
        let inside = |c: Option<Constraint>| c.is_some_and(|c| self.global.entails(&c));
        let lows: Vec<LinearExpr> =
            ends.iter().filter_map(|end| bound(end, true)).filter(|low| inside(Constraint::ge(e, low))).collect();
        let highs: Vec<LinearExpr> =
            ends.iter().filter_map(|end| bound(end, false)).filter(|high| inside(Constraint::le(e, high))).collect();
        lows.iter().any(|low| {
            highs.iter().any(|high| {
                #[cfg(any(test, feature = "mutants"))]
                if mutated(Mutant::RangesAreFull) {
                    return true;
                }
                let room = high.sub(low).and_then(|d| d.add_constant(1));
                inside(room.and_then(|room| Constraint::ge(&size, &room)))
            })
        })
    }

    /// The global element in the case that the cell at `e` is in that group; of a group of many,
    /// the cell is [`PROBE`]. Here what the content says of scalars holds: the group has a cell.
    pub(crate) fn case(&self, array: ArrayId, e: &LinearExpr, candidate: &Candidate<N>) -> N {
        let mut global = self.global.clone();
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::ReadFillsTheOthers) {
            fill_the_others(self, array, &mut global);
        }
        match &candidate.cell {
            None => assume(&mut global, Constraint::eq(&var(dims::index(array, candidate.slot)), e)),
            Some(cell) => {
                assume(&mut global, Constraint::ge(&var(dims::size(array, candidate.slot)), &number(1)));
                global.meet_with(cell);
            }
        }
        global
    }

    /// The dimension of the cell's field in [`Partition::case`].
    pub(crate) fn field_in_case(array: ArrayId, candidate: &Candidate<N>, field: usize) -> Var {
        let slot = if candidate.cell.is_some() { PROBE } else { candidate.slot };
        dims::field(array, slot, field)
    }

    /// Removes what [`Partition::case`] added.
    pub(crate) fn end_case(&self, array: ArrayId, global: &mut N) {
        let fields = self.array(array).map_or(0, |a| a.fields.len());
        global.forget(&dims::own(array, PROBE, fields));
    }

    /// Makes the cell at `e`, which is in one of `among`, a group of its own, whose slot is
    /// returned; `None` if no state is left.
    ///
    /// Whichever group the cell was in, it is the new group's now, so no other group has the index
    /// `e` any more; only sizes and the content of the cell differ from case to case, and these are
    /// joined.
    pub(crate) fn carve(&mut self, array: ArrayId, e: &LinearExpr, among: Vec<Candidate<N>>) -> Option<Slot> {
        let mut among = among;
        if let [Candidate { slot, cell }] = &among[..] {
            let slot = *slot;
            let single = match cell {
                None => true,
                Some(_) => {
                    let one = Constraint::eq(&var(dims::size(array, slot)), &number(1));
                    one.is_some_and(|c| self.global.entails(&c))
                }
            };
            if single {
                self.promote(array, slot);
                assume(&mut self.global, Constraint::eq(&var(dims::index(array, slot)), e));
                self.bottom_is_plain();
                self.found_in(array, e, [slot].into_iter());
                return (!self.global.is_bottom()).then_some(slot);
            }
        } else if among.iter().any(|c| c.cell.is_none()) {
            let slots: Vec<Slot> = among.iter().map(|c| c.slot).collect();
            slots.iter().for_each(|s| self.demote(array, *s));
            among = self.candidates(array, e);
            among.retain(|c| slots.contains(&c.slot));
        }
        let a = self.array(array)?;
        let fields = a.fields.len();
        let slot = dims::fresh_slot(e, |s| a.groups.contains_key(&s));
        work::count(work::Event::Group);
        let mut global = self.shared.bottom.clone();
        for candidate in &among {
            let mut case = self.case(array, e, candidate);
            let size = dims::size(array, candidate.slot);
            let taken = 1;
            #[cfg(any(test, feature = "mutants"))]
            let taken = if mutated(Mutant::SplitKeepsTheSize) { 0 } else { taken };
            if let Some(less) = var(size).add_constant(-taken) {
                case.assign(size, &less);
            }
            global.join_with(&case);
        }
        global.rename(&dims::renaming(array, PROBE, slot, fields));
        let index = dims::index(array, slot);
        // Each case has it; a join may lose it.
        assume(&mut global, Constraint::eq(&var(index), e));
        let from: Vec<Slot> = among.iter().map(|c| c.slot).collect();
        self.relations.split(array, &from, slot);
        self.global = global;
        self.bottom_is_plain();
        let a = self.array_mut(array)?;
        a.support.extend(e.vars());
        a.support.insert(index);
        a.groups.insert(slot, Group::One);
        self.exclude(array, index);
        self.found_in(array, e, [slot].into_iter());
        self.relate_to_cell(array, slot);
        if self.global.is_bottom() { None } else { Some(slot) }
    }

    /// The cell at `e` is in none of those groups: no cell of them has that index. Integers, so
    /// that `idx >= e` becomes `idx >= e + 1`; where neither side is excluded, domains would keep
    /// nothing. The groups stay, even if no cell is left.
    pub(crate) fn is_not_in(&mut self, array: ArrayId, e: &LinearExpr, slots: &[Slot]) {
        if slots.is_empty() {
            return;
        }
        let vars: Vec<Var> = e.vars().collect();
        self.tell_apart(array, e, slots);
        let frame = self.frame_of(array, &vars);
        for slot in slots {
            let index = var(dims::index(array, *slot));
            if self.array(array).is_some_and(|a| a.is_one(*slot)) {
                continue;
            }
            let mut content = self.content(array, *slot, &frame);
            let range = index.sub(e).and_then(|d| content.bounds(&d));
            if range.is_none_or(|r| r.lo() != Some(0) && r.hi() != Some(0)) {
                continue;
            }
            assume(&mut content, Constraint::ne(&index, e));
            if let Some(a) = self.array_mut(array) {
                a.support.extend(&vars);
                a.groups.insert(*slot, Group::Many(content));
            }
        }
    }

    /// The cell at `e` is none of those that are groups of one, among `slots`.
    pub(crate) fn tell_apart(&mut self, array: ArrayId, e: &LinearExpr, slots: &[Slot]) {
        for slot in slots {
            if self.array(array).is_some_and(|a| a.is_one(*slot)) {
                assume(&mut self.global, Constraint::ne(&var(dims::index(array, *slot)), e));
            }
        }
    }

    /// No group of many has the index `taken`: integers, so that `idx >= taken` becomes
    /// `idx >= taken + 1`.
    fn exclude(&mut self, array: ArrayId, taken: Var) {
        let frame = self.frame_of(array, &[taken]);
        let Some(a) = self.array_mut(array) else { return };
        let mut empty = Vec::new();
        for (slot, group) in &mut a.groups {
            if let Group::Many(content) = group {
                content.meet_with(&frame);
                assume(content, Constraint::ne(&var(dims::index(array, *slot)), &var(taken)));
                #[cfg(any(test, feature = "mutants"))]
                if mutated(Mutant::SplitKeepsTheUpperHalf) {
                    assume(content, Constraint::ge(&var(dims::index(array, *slot)), &var(taken)));
                }
                if content.is_bottom() {
                    empty.push(*slot);
                }
            }
        }
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::ExcludedIsBottom) && !empty.is_empty() {
            self.global = self.shared.bottom.clone();
            return self.bottom_is_plain();
        }
        empty.into_iter().for_each(|slot| self.drop_group(array, slot));
    }
}

//! Decides whether the cells of an array can be assigned to the groups of an abstract state. This
//! is the definition of membership.
//!
//! A cell fits a group if its index and fields satisfy what the state says of every cell of the
//! group. A group takes as many cells as its size allows. That is a matching with lower and upper
//! bounds. The search first gives each group as many cells as it must have. It then places all
//! others along augmenting paths that leave no group with fewer cells. (Mendelsohn, Dulmage 1958:
//! this order misses no solution.)
//!
//! Memberships tie cells together: a cell fits a group whose fields point into certain groups only
//! if the cells that it points to fit one of those. Groups that a cell cannot be in for this reason
//! are struck out, until nothing changes. (The condition is necessary, not sufficient: a correct
//! state is never reported.)

use smalti_core::{ArrayId, Constraint, Facts, FieldId, GroupFacts, LinearExpr, Membership, Memory, Relation, Var};
use std::collections::BTreeMap;

/// What is known of one cell: its index and its fields.
pub(super) struct ConcreteCell {
    pub(super) index: i128,
    pub(super) fields: Vec<(FieldId, i128)>,
}

/// Looks for an assignment of the cells of each array (all of them) in a state of `memory`, which
/// knows the scalars.
pub(super) fn check(
    memory: &impl Memory,
    facts: &Facts,
    cells: &BTreeMap<ArrayId, Vec<ConcreteCell>>,
) -> Result<(), String> {
    // Domains without groups have nothing to assign to.
    let grouped = facts.arrays.iter().filter(|a| a.groups.iter().all(|g| g.index.is_some()));
    let mut fits: Fits = grouped
        .filter_map(|a| {
            let of_cell = |cell| (0..a.groups.len()).filter(|g| fit(memory, &a.groups[*g], cell)).collect();
            Some((a.array, cells.get(&a.array)?.iter().map(of_cell).collect()))
        })
        .collect();
    strike_out(memory, facts, cells, &mut fits)?;
    for a in &facts.arrays {
        if let (Some(fits), Some(cells)) = (fits.get(&a.array), cells.get(&a.array)) {
            assign(memory, &a.groups, cells, fits).map_err(|e| format!("array {}: {e}", a.array.0))?;
        }
    }
    Ok(())
}

/// By array and cell: the groups that it fits.
type Fits = BTreeMap<ArrayId, Vec<Vec<usize>>>;

/// Whether the value is the index of a cell that may be in one of the groups; `true` where the
/// array's cells are not known.
fn points(fits: &Fits, value: i128, to: &Membership) -> bool {
    let Some(of_array) = fits.get(&to.array) else { return true };
    let of_cell = usize::try_from(value).ok().and_then(|i| of_array.get(i));
    of_cell.is_some_and(|groups| groups.iter().any(|g| to.groups.contains(g)))
}

/// Removes from each cell the groups that memberships exclude.
fn strike_out(
    memory: &impl Memory,
    facts: &Facts,
    cells: &BTreeMap<ArrayId, Vec<ConcreteCell>>,
    fits: &mut Fits,
) -> Result<(), String> {
    for (v, to) in &facts.memberships {
        let Some(value) = memory.bounds(&LinearExpr::var(*v)).and_then(|b| b.as_constant()) else { continue };
        if !points(fits, value, to) {
            return Err(format!("{v:?} = {value} is no index of a cell as in {to:?}"));
        }
        if let Some(groups) = usize::try_from(value).ok().and_then(|i| fits.get_mut(&to.array)?.get_mut(i)) {
            groups.retain(|g| to.groups.contains(g));
        }
    }
    loop {
        let before = fits.clone();
        for a in &facts.arrays {
            let (Some(known), Some(of_array)) = (cells.get(&a.array), fits.get_mut(&a.array)) else { continue };
            for (cell, groups) in known.iter().zip(of_array) {
                let value = |field: FieldId| cell.fields.iter().find(|f| f.0 == field).map(|f| f.1);
                groups.retain(|g| {
                    let memberships = &a.groups[*g].memberships;
                    memberships.iter().all(|(field, to)| value(*field).is_none_or(|x| points(&before, x, to)))
                });
            }
        }
        if before == *fits {
            return Ok(());
        }
    }
}

/// Looks for an assignment of the cells of one array.
fn assign(
    memory: &impl Memory,
    groups: &[GroupFacts],
    cells: &[ConcreteCell],
    fits: &[Vec<usize>],
) -> Result<(), String> {
    let most = cells.len();
    let (least, room): (Vec<usize>, Vec<usize>) = groups.iter().map(|g| size(memory, g, most)).unzip();
    let mut matching = Matching { fits, of: vec![None; most], count: vec![0; groups.len()] };
    matching.place_all(&least);
    if let Some(g) = (0..groups.len()).find(|g| matching.count[*g] < least[*g]) {
        return Err(format!("group {g}, of at least {} cells, is left without a cell: {:?}", least[g], groups[g]));
    }
    matching.place_all(&room);
    match matching.of.iter().position(Option::is_none) {
        None => Ok(()),
        Some(n) => Err(format!("cell {} {:?} is left without a group: {:?}", cells[n].index, cells[n].fields, groups)),
    }
}

/// The least and the greatest number of cells that the group may have, at most `most`.
fn size(memory: &impl Memory, group: &GroupFacts, most: usize) -> (usize, usize) {
    let Some(size) = group.size else { return (1, 1) };
    let range = memory.bounds(&LinearExpr::var(size));
    let cut = |bound: Option<i128>, otherwise: usize| {
        bound.map_or(otherwise, |b| usize::try_from(b.clamp(0, i128::MAX)).unwrap_or(usize::MAX).min(most + 1))
    };
    (cut(range.and_then(|r| r.lo()), 0), cut(range.and_then(|r| r.hi()), most))
}

fn fit(memory: &impl Memory, group: &GroupFacts, cell: &ConcreteCell) -> bool {
    let value = |v: Var| {
        if group.index == Some(v) {
            return Some(cell.index);
        }
        let (field, _) = group.fields.iter().find(|(_, w)| *w == v)?;
        cell.fields.iter().find(|(f, _)| f == field).map(|(_, x)| *x)
    };
    group.constraints.iter().all(|c| possible(memory, c, value))
}

/// Whether the constraint can hold with those values for dimensions of the cell. The state decides
/// about the other variables in it.
fn possible(memory: &impl Memory, c: &Constraint, value: impl Fn(Var) -> Option<i128>) -> bool {
    let mut expr = c.expr.clone();
    for v in c.expr.vars() {
        let known = value(v).map(LinearExpr::constant);
        match known.map(|known| expr.substitute(v, &known)) {
            Some(Some(next)) => expr = next,
            // Too large for numbers.
            Some(None) => return true,
            // A size, or a field that was not initialised.
            None if !v.is_scalar() => return true,
            None => {}
        }
    }
    let Some(range) = memory.bounds(&expr) else { return true };
    match c.relation {
        Relation::Zero => range.contains(0),
        Relation::NonZero => range.as_constant() != Some(0),
        Relation::NonNegative => range.hi().is_none_or(|hi| hi >= 0),
    }
}

struct Matching<'a> {
    /// By cell: the groups that it fits.
    fits: &'a [Vec<usize>],
    of: Vec<Option<usize>>,
    count: Vec<usize>,
}

impl Matching<'_> {
    /// Finds groups for as many as possible of the cells that are in no group yet.
    fn place_all(&mut self, capacity: &[usize]) {
        for cell in 0..self.of.len() {
            if self.of[cell].is_none() {
                self.place(cell, capacity, &mut vec![false; capacity.len()]);
            }
        }
    }

    /// Finds a group for the cell, if need be by moving others.
    fn place(&mut self, cell: usize, capacity: &[usize], seen: &mut Vec<bool>) -> bool {
        for &group in &self.fits[cell] {
            if std::mem::replace(&mut seen[group], true) {
                continue;
            }
            let free = self.count[group] < capacity[group];
            let moved = !free && {
                let inside: Vec<usize> = (0..self.of.len()).filter(|c| self.of[*c] == Some(group)).collect();
                inside.into_iter().any(|other| self.place(other, capacity, seen))
            };
            if free || moved {
                if let Some(old) = self.of[cell].replace(group) {
                    self.count[old] -= 1;
                }
                self.count[group] += 1;
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_core::{ArrayId, Cell, MemoryDomain};

    const A: ArrayId = ArrayId(0);
    const F: FieldId = FieldId(0);

    /// Three cells: that at 1 is 7, the others are 0.
    fn array() -> smalti_stack::AnyState {
        let mut state = smalti_stack::open("partition/octagon").expect("a native stack").top();
        let (number, length) = (LinearExpr::constant, Var::scalar(0));
        state.assign(length, &number(3));
        state.create_array(A, &[F], length);
        state.fill(A, F, &number(0));
        state.write(&Cell { array: A, index: number(1), field: F }, &number(7));
        state
    }

    fn of(values: [i128; 3]) -> Result<(), String> {
        let state = array();
        let cells: Vec<ConcreteCell> =
            (0..).zip(values).map(|(index, value)| ConcreteCell { index, fields: vec![(F, value)] }).collect();
        check(&state, &state.facts(), &[(A, cells)].into())
    }

    #[test]
    fn cells_are_assigned_where_they_can_be_and_nowhere_else() {
        assert_eq!(of([0, 7, 0]), Ok(()));
        for wrong in [[7, 0, 0], [0, 0, 0], [7, 7, 0], [0, 7, 1]] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn groups_that_share_cells_are_filled_by_moving_them() {
        let fits = [vec![0, 1], vec![0], vec![0, 1]];
        let mut matching = Matching { fits: &fits, of: vec![None; 3], count: vec![0; 2] };
        matching.place_all(&[1, 2]);
        assert_eq!((matching.of, matching.count), (vec![Some(1), Some(0), Some(1)], vec![1, 2]));
    }
}

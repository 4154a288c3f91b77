//! Decides whether the cells of concrete arrays can be assigned to groups as facts say: membership
//! by its definition, by trying.

use super::state::{ARRAYS, Array, FIELDS, State, array_id, field_id, length_of};
use crate::{ArrayId, Constraint, Facts, GroupFacts, Membership, Var};
use std::collections::BTreeMap;

/// The number of tried cells after which membership is taken for granted.
const STEPS: u32 = 2_000;

/// Whether each cell of the arrays can be given a group, all together so that every group has as
/// many cells as it is said to have, every cell satisfies what is said of each cell of its group,
/// and every value that is said to be the index of a cell in some groups is one.
pub(super) fn fit(facts: &Facts, state: &State) -> bool {
    let mut cells: Vec<(ArrayId, usize)> = Vec::new();
    for printed in &facts.arrays {
        // An array that is not live is not to be printed.
        let Some(array) = array(state, printed.array) else { return false };
        cells.extend((0..length_of(array)).map(|i| (printed.array, i)));
    }
    GroupSearch { facts, state, cells, chosen: BTreeMap::new(), steps: STEPS }.next(0)
}

fn array(state: &State, id: ArrayId) -> Option<&Array> {
    let n = (0..ARRAYS).find(|n| array_id(*n) == id)?;
    state.arrays[n].as_ref()
}

struct GroupSearch<'a> {
    facts: &'a Facts,
    state: &'a State,
    cells: Vec<(ArrayId, usize)>,
    /// The groups of the cells so far.
    chosen: BTreeMap<(ArrayId, usize), usize>,
    steps: u32,
}

impl GroupSearch<'_> {
    fn next(&mut self, n: usize) -> bool {
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 {
            return true;
        }
        let Some(&cell) = self.cells.get(n) else { return self.sizes() && self.memberships() };
        for group in 0..self.groups(cell.0).len() {
            if self.fits(cell, group) {
                self.chosen.insert(cell, group);
                if self.possible() && self.next(n + 1) {
                    return true;
                }
                self.chosen.remove(&cell);
            }
        }
        false
    }

    fn groups(&self, id: ArrayId) -> &[GroupFacts] {
        self.facts.arrays.iter().find(|a| a.array == id).map_or(&[], |a| &a.groups)
    }

    fn field(&self, (id, i): (ArrayId, usize), field: crate::FieldId) -> Option<i128> {
        let n = (0..FIELDS).find(|f| field_id(*f) == field)?;
        array(self.state, id)?.fields.get(n)?.get(i).copied()
    }

    fn fits(&self, cell: (ArrayId, usize), group: usize) -> bool {
        let g = &self.groups(cell.0)[group];
        let value = |v: Var| {
            if v.is_scalar() {
                return Some(self.state.at()(v));
            }
            if g.index == Some(v) {
                return i128::try_from(cell.1).ok();
            }
            let (field, _) = g.fields.iter().find(|(_, w)| *w == v)?;
            self.field(cell, *field)
        };
        let known = |c: &&Constraint| c.expr.vars().all(|v| value(v).is_some());
        g.constraints.iter().filter(known).all(|c| c.holds(|v| value(v).unwrap_or(0)) != Some(false))
    }

    /// Whether each group has as many cells as it may have.
    fn sizes(&self) -> bool {
        self.facts.arrays.iter().all(|printed| {
            printed.groups.iter().enumerate().all(|(n, g)| {
                let count = self.chosen.iter().filter(|(cell, group)| cell.0 == printed.array && **group == n).count();
                let count = i128::try_from(count).unwrap_or(i128::MAX);
                let Some(size) = g.size else { return g.index.is_none() || count == 1 };
                let of_size =
                    |c: &&Constraint| c.expr.mentions(size) && c.expr.vars().all(|v| v == size || v.is_scalar());
                let value = |v: Var| if v == size { count } else { self.state.at()(v) };
                g.constraints.iter().filter(of_size).all(|c| c.holds(value) != Some(false))
            })
        })
    }

    /// Whether that value is the index of a cell that is in one of the groups, or may yet be put
    /// there.
    fn points(&self, value: i128, membership: &Membership) -> bool {
        let Some(i) = usize::try_from(value).ok() else { return false };
        let exists = array(self.state, membership.array).is_some_and(|a| i < length_of(a));
        exists && self.chosen.get(&(membership.array, i)).is_none_or(|g| membership.groups.contains(g))
    }

    /// Whether what is chosen so far can be right.
    fn possible(&self) -> bool {
        self.memberships()
    }

    fn memberships(&self) -> bool {
        let scalars = self.facts.memberships.iter().all(|(v, m)| self.points(self.state.at()(*v), m));
        scalars
            && self.chosen.iter().all(|(cell, group)| {
                let g = &self.groups(cell.0)[*group];
                g.memberships
                    .iter()
                    .all(|(field, m)| self.field(*cell, *field).is_none_or(|value| self.points(value, m)))
            })
    }
}

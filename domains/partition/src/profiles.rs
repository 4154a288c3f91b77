//! The profiles that matching compares: bounds of the contents of a group, alone and relative to
//! other quantities.

use crate::dims;
use crate::dims::Slot;
use crate::matching::{Profile, Term};
use crate::relations::Relations;
use crate::state::Partition;
use smalti_core::{ArrayId, Interval, Numeric, Var};
use std::collections::BTreeSet;

/// Scalars that profiles are relative to, at most: such as have met an index, and others that bound
/// a field.
const REFERENCES: usize = 8;
const FIELD_REFERENCES: usize = 4;

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// The profiles of the groups of an array.
    pub(crate) fn profiles(&self, array: ArrayId, references: &[Var]) -> Vec<Profile> {
        let Some(a) = self.array(array) else { return Vec::new() };
        let frame = self.frame_of(array, references);
        let profile = |slot: Slot| {
            let own;
            let content = match a.is_one(slot) {
                true => &self.global,
                false => {
                    own = self.content(array, slot, &frame);
                    &own
                }
            };
            let of_references = content.distances(references, &[]);
            // A row for the index and one for each field: alone, from each reference, from the
            // index.
            let others: Vec<Var> = references.iter().copied().chain([dims::index(array, slot)]).collect();
            let table = content.distances(&a.own(array, slot), &others);
            let mut rows = table.chunks_exact(others.len() + 1);
            // Nothing where it follows from the bounds of both.
            let told = |range: Interval, x: Interval, y: Interval| {
                if x.sub(y).is_subset(range) && range.as_constant().is_none() { Interval::TOP } else { range }
            };
            let size = match a.is_one(slot) {
                true => Interval::constant(1),
                false => self.global.distance(dims::size(array, slot), None),
            };
            let of_index = rows.next().unwrap_or_default();
            let alone = of_index.first().copied().unwrap_or(Interval::TOP);
            let mut terms = vec![(Term::Size, size), (Term::Index(None), alone)];
            for ((r, of_reference), range) in references.iter().zip(&of_references).zip(of_index.iter().skip(1)) {
                let place = told(*range, alone, *of_reference);
                terms.extend([(Term::Index(Some(*r)), *range), (Term::Place(*r), place)]);
            }
            for (n, row) in rows.enumerate() {
                let (Some(of_field), Some(from_index)) = (row.first(), row.last()) else { continue };
                terms.push((Term::Field(n, None), *of_field));
                terms.push((Term::FieldIndex(n), told(*from_index, *of_field, alone)));
                let relative = references.iter().zip(&of_references).zip(&row[1..]);
                terms.extend(relative.map(|((r, of), range)| (Term::Field(n, Some(*r)), told(*range, *of_field, *of))));
            }
            Profile { slot, terms, points: self.points(array, slot) }
        };
        a.groups.keys().map(|slot| profile(*slot)).collect()
    }

    /// The variables to which profiles of the array in these states are relative.
    pub(crate) fn references(states: &[&Self], array: ArrayId) -> Vec<Var> {
        let arrays = || states.iter().filter_map(|state| state.array(array));
        let support: BTreeSet<Var> = arrays().flat_map(|a| &a.support).copied().filter(|v| v.is_scalar()).collect();
        let mut references: Vec<Var> = support.into_iter().take(REFERENCES).collect();
        // What only one of them knows is lost where they meet, and keeps groups apart for nothing.
        let more = states.iter().map(|state| state.bound_fields(array)).reduce(|a, b| &a & &b).unwrap_or_default();
        let more: Vec<Var> = more.into_iter().filter(|v| !references.contains(v)).take(FIELD_REFERENCES).collect();
        references.extend(more);
        references
    }

    /// The scalars, and dimensions of groups of one of other arrays, whose distance from a field of
    /// a group of one is bounded, and not only by the bounds of both. A cell that was compared with
    /// a scalar is like others that were, although the scalar never met an index.
    fn bound_fields(&self, array: ArrayId) -> BTreeSet<Var> {
        let Some(a) = self.array(array) else { return BTreeSet::new() };
        let ones = a.groups.keys().filter(|slot| a.is_one(**slot));
        let fields: Vec<Var> = ones.flat_map(|slot| a.own(array, *slot).into_iter().skip(1)).collect();
        let near = |v: &Var| v.as_group().map_or(v.is_scalar(), |(id, ..)| id != array && !dims::is_size(*v));
        let others = self.global.related(&fields).into_iter().filter(near);
        let others: Vec<Var> = others.collect();
        let alone = self.global.distances(&others, &[]);
        let table = self.global.distances(&fields, &others);
        let mut found = BTreeSet::new();
        for row in table.chunks_exact(others.len() + 1) {
            let tells = |n: &usize| !row[0].sub(alone[*n]).is_subset(row[n + 1]);
            found.extend((0..others.len()).filter(tells).map(|n| others[n]));
        }
        found
    }
}

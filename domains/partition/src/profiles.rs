//! What matching looks at: bounds of what a group holds, alone and relative to other quantities.

use crate::Slot;
use crate::dims;
use crate::matching::{Profile, Term};
use crate::relations::Relations;
use crate::state::{Partition, var};
use smalti_core::{ArrayId, Interval, LinearExpr, Numeric, Var};
use std::collections::BTreeSet;

/// Scalars that profiles are relative to, at most: such as have met an index, and others that bound a field.
const REFERENCES: usize = 8;
const FIELD_REFERENCES: usize = 4;

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// The profiles of the groups of an array.
    pub(crate) fn profiles(&self, array: ArrayId, references: &[Var]) -> Vec<Profile> {
        let Some(a) = self.array(array) else { return Vec::new() };
        let frame = self.frame_of(array, references);
        let profile = |slot: Slot| {
            let content = if a.is_one(slot) { self.global.clone() } else { self.content(array, slot, &frame) };
            let known = |e: Option<LinearExpr>| e.and_then(|e| content.bounds(&e)).unwrap_or(Interval::TOP);
            // Nothing where it follows from the bounds of both.
            let told = |range: Interval, x: &LinearExpr, y: &LinearExpr| {
                let apart = known(Some(x.clone())).sub(known(Some(y.clone())));
                if apart.is_subset(range) && range.as_constant().is_none() { Interval::TOP } else { range }
            };
            let distance = |x: &LinearExpr, y: &LinearExpr| told(known(x.sub(y)), x, y);
            let index = var(dims::index(array, slot));
            let size = match a.is_one(slot) {
                true => Interval::constant(1),
                false => self.global.bounds(&var(dims::size(array, slot))).unwrap_or(Interval::TOP),
            };
            let mut terms = vec![(Term::Size, size), (Term::Index(None), known(Some(index.clone())))];
            for r in references {
                let range = known(index.sub(&var(*r)));
                terms.extend([(Term::Index(Some(*r)), range), (Term::Place(*r), told(range, &index, &var(*r)))]);
            }
            for n in 0..a.fields.len() {
                let field = var(dims::field(array, slot, n));
                terms.push((Term::Field(n, None), known(Some(field.clone()))));
                terms.push((Term::FieldIndex(n), distance(&field, &index)));
                terms.extend(references.iter().map(|r| (Term::Field(n, Some(*r)), distance(&field, &var(*r)))));
            }
            Profile { slot, terms, points: self.points(array, slot) }
        };
        a.groups.keys().map(|slot| profile(*slot)).collect()
    }

    /// What profiles of the array in these states are relative to.
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

    /// The scalars, and dimensions of groups of one of other arrays, whose distance from a field of a group of one is bounded, and not only by
    /// the bounds of both. A cell that was compared with a scalar is like others that were, although the scalar never met an index.
    fn bound_fields(&self, array: ArrayId) -> BTreeSet<Var> {
        let Some(a) = self.array(array) else { return BTreeSet::new() };
        let ones = a.groups.keys().filter(|slot| a.is_one(**slot));
        let fields: Vec<Var> = ones.flat_map(|slot| a.own(array, *slot).into_iter().skip(1)).collect();
        let near = |v: &Var| v.as_group().map_or(v.is_scalar(), |(id, ..)| id != array && !dims::is_size(*v));
        let others = self.global.related(&fields).into_iter().filter(near);
        let bounds = |e: LinearExpr| self.global.bounds(&e).unwrap_or(Interval::TOP);
        let tells = |v: Var, field: Var| {
            let distance = var(field).sub(&var(v)).map_or(Interval::TOP, bounds);
            !bounds(var(field)).sub(bounds(var(v))).is_subset(distance)
        };
        others.filter(|v| fields.iter().any(|field| tells(*v, *field))).collect()
    }
}

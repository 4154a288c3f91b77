//! What is known, as plain data.

use crate::dims;
use crate::relations::Relations;
use crate::state::{Partition, var};
use smalti_core::{ArrayFacts, ArrayId, Constraint, Facts, FieldId, GroupFacts, Lattice, Numeric, Var};
use std::collections::BTreeSet;

impl<N: Numeric, R: Relations> Partition<N, R> {
    pub(crate) fn all_facts(&self) -> Facts {
        let mut state = self.clone();
        if !state.is_bottom() {
            state.reduce();
        }
        if state.is_bottom() {
            return Facts { unreachable: true, ..Facts::default() };
        }
        let scalars: BTreeSet<Var> = state.global.vars().into_iter().filter(|v| v.is_scalar()).collect();
        let arrays = state.arrays.keys().map(|id| state.array_facts(*id, &scalars)).collect();
        Facts { unreachable: false, scalars: state.frame(&scalars).constraints(), arrays }
    }

    fn array_facts(&self, array: ArrayId, scalars: &BTreeSet<Var>) -> ArrayFacts {
        let Some(a) = self.array(array) else { return ArrayFacts { array, groups: Vec::new() } };
        let frame = self.frame(scalars);
        let mut groups: Vec<((i128, i128), GroupFacts)> = Vec::new();
        for slot in a.groups.keys() {
            let own = a.own(array, *slot);
            let mut content = self.content(array, *slot, &frame);
            let others: Vec<Var> = content.vars().into_iter().filter(|v| !v.is_scalar() && !own.contains(v)).collect();
            content.forget(&others);
            // Of scalars alone the content speaks on condition that the group has a cell: that is not for printing.
            let speaks = |c: &Constraint| c.expr.vars().any(|v| own.contains(&v));
            let mut constraints: Vec<Constraint> = content.constraints().into_iter().filter(speaks).collect();
            let size = (!a.is_one(*slot)).then(|| dims::size(array, *slot));
            if let Some(size) = size {
                let keep: BTreeSet<Var> = scalars.iter().copied().chain([size]).collect();
                let of_size = self.frame(&keep).constraints().into_iter().filter(|c| c.expr.mentions(size));
                constraints.extend(of_size);
            }
            let index = dims::index(array, *slot);
            let fields: Vec<(FieldId, Var)> =
                a.fields.iter().enumerate().map(|(n, f)| (*f, dims::field(array, *slot, n))).collect();
            let range = content.bounds(&var(index));
            let order = range.map_or((0, 0), |r| (r.lo().unwrap_or(i128::MIN), r.hi().unwrap_or(i128::MAX)));
            groups.push((order, GroupFacts { index: Some(index), size, fields, constraints }));
        }
        groups.sort_by_key(|(order, g)| (*order, g.index));
        ArrayFacts { array, groups: groups.into_iter().map(|g| g.1).collect() }
    }
}

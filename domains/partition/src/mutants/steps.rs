//! Wrong steps that are more than a right one left out.

use crate::dims::{self, Slot};
use crate::relations::Relations;
use crate::state::{Group, Partition};
use smalti_core::{ArrayId, Constraint, LinearExpr, Numeric};

/// U2.
pub(crate) fn fill_the_others<N: Numeric, R: Relations>(state: &Partition<N, R>, array: ArrayId, global: &mut N) {
    for slot in state.array(array).into_iter().flat_map(|a| a.slots()) {
        if state.array(array).is_some_and(|a| !a.is_one(slot)) {
            let size = LinearExpr::var(dims::size(array, slot));
            global.assume(&Constraint::ge(&size, &LinearExpr::constant(1)).expect("small"));
        }
    }
}

/// U5.
pub(crate) fn take_the_partners<N: Numeric, R: Relations>(
    state: &mut Partition<N, R>,
    other: &Partition<N, R>,
    array: ArrayId,
    slot: Slot,
) {
    let Some(support) = other.array(array).map(|a| a.support.clone()) else { return };
    let scalars = support.into_iter().filter(|v| v.is_scalar()).collect();
    let content = other.content(array, slot, &other.frame_of(array, &[]));
    state.global.meet_with(&content.project(&scalars));
}

/// [`super::Mutant::TestIsForAll`], where the value is a number.
pub(crate) fn test_all<N: Numeric, R: Relations>(
    state: &mut Partition<N, R>,
    array: ArrayId,
    field: usize,
    value: &LinearExpr,
) {
    let Some(a) = state.array_mut(array).filter(|_| value.vars().next().is_none()) else { return };
    for (slot, group) in &mut a.groups {
        if let Group::Many(content) = group {
            let tested = LinearExpr::var(dims::field(array, *slot, field));
            content.assume(&Constraint::eq(&tested, value).expect("small"));
        }
    }
}

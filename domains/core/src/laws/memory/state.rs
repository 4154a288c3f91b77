//! Concrete states: the values of scalars, and arrays with the values of their cells.

use crate::{ArrayId, FieldId, Var};

/// Scalars of the random programs. The last [`LENGTHS`] are for lengths only.
pub(super) const SCALARS: usize = 7;
const LENGTHS: usize = 3;
pub(super) const FREE: usize = SCALARS - LENGTHS;
pub(super) const ARRAYS: usize = 2;
pub(super) const FIELDS: usize = 2;
pub(super) const LONGEST: i128 = 4;

/// More states than this are not followed.
pub(super) const STATES: usize = 6;

/// One concrete state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) scalars: [i128; SCALARS],
    pub(super) arrays: [Option<Array>; ARRAYS],
}

/// A live array; one vector of cells for each field that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Array {
    pub(super) length: usize,
    pub(super) fields: Vec<Vec<i128>>,
}

pub(super) fn vars() -> [Var; SCALARS] {
    [5, 1, 2, 0, 6, 3, 4].map(Var::scalar)
}

pub(super) fn array_id(i: usize) -> ArrayId {
    ArrayId([3, 1][i])
}

pub(super) fn field_id(i: usize) -> FieldId {
    FieldId([0, 2][i])
}

pub(super) fn length_of(array: &Array) -> usize {
    array.fields[0].len()
}

impl State {
    pub(super) fn at(&self) -> impl Fn(Var) -> i128 + '_ {
        |v| vars().iter().position(|w| *w == v).map_or(0, |i| self.scalars[i])
    }

    pub(super) fn set(&self, i: usize, x: i128) -> State {
        let mut state = self.clone();
        state.scalars[i] = x;
        state
    }
}

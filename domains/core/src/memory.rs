//! The interface of memory domains: scalars and arrays. This is all that the fixpoint engine sees
//! of a domain stack.

use crate::{ArrayId, Constraint, Facts, FieldId, Interval, Lattice, LinearExpr, Numeric, Var};
use std::collections::BTreeSet;

/// One field of one cell of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The array.
    pub array: ArrayId,
    /// Which cell, counted from 0.
    pub index: LinearExpr,
    /// Which field of it.
    pub field: FieldId,
}

/// For each cell of an array: where all of the guards hold, so does the body.
///
/// `index` and `fields` are variables that nothing else mentions and that the element does not
/// constrain; they stand for the number of the cell and for what its fields hold. The other
/// variables of the constraints are scalars with the values that they have now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellsFact {
    /// The array.
    pub array: ArrayId,
    /// Stands for the number of the cell.
    pub index: Var,
    /// Stand for the fields of the cell that are mentioned.
    pub fields: Vec<(FieldId, Var)>,
    /// Which cells are spoken of: those that satisfy all of these.
    pub guards: Vec<Constraint>,
    /// The facts that hold of such a cell: all of these.
    pub body: Vec<CellClaim>,
}

/// The claim of a [`CellsFact`] about one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellClaim {
    /// The constraint holds.
    Holds(Constraint),
    /// The cell (of the same array) whose number the value is, if there is one, satisfies the
    /// constraints, in which `index` and `fields` stand for that other cell.
    Finds(LinearExpr, Vec<Constraint>),
}

/// Arrays and scalars: those that an element knows something of, or those that are asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subjects {
    /// The arrays.
    pub arrays: BTreeSet<ArrayId>,
    /// The scalars.
    pub scalars: BTreeSet<Var>,
}

impl Subjects {
    /// Limit on the scalars that [`Subjects::with_companions`] adds; beyond it none are added.
    const MOST_COMPANIONS: usize = 24;

    /// The scalars, and those that share a constraint of `numeric` with one of them or with one of
    /// `dims`: what is said of a variable is mostly said by means of others. Where that would be
    /// very many, the scalars alone.
    pub fn with_companions<N: Numeric>(&self, numeric: &N, dims: &[Var]) -> BTreeSet<Var> {
        let mut keep = self.scalars.clone();
        let scalars: Vec<Var> = self.scalars.iter().copied().collect();
        for of in [dims, &scalars] {
            let near: Vec<Var> = numeric.related(of).into_iter().filter(|v| v.is_scalar()).collect();
            let new = near.iter().filter(|v| !self.scalars.contains(v)).count();
            if new <= Self::MOST_COMPANIONS {
                keep.extend(near);
            }
        }
        keep
    }
}

/// One element of a memory domain: a set of concrete states, each a valuation of all scalar
/// variables and, for each live array, a length and that many cells with one integer per field.
///
/// The rules of [`crate::Numeric`] hold here too: looser is allowed, stricter is not; a variable
/// that is not mentioned is unconstrained; bottom stays bottom. An array that is not live (never
/// created, or dropped) has no cells: reading one yields any value, writing one does nothing. Where
/// `index` may be out of range, the element may keep only the states in which it is in range: the
/// caller has reported the others before it calls.
pub trait Memory: Lattice {
    /// `v := e`.
    fn assign(&mut self, v: Var, e: &LinearExpr);

    /// Any value for each of `vars`.
    fn forget(&mut self, vars: &[Var]);

    /// Only the states that satisfy `c` remain; `c` speaks of scalars.
    fn assume(&mut self, c: &Constraint);

    /// An interval that holds every value of `e` (over scalars); `None` if the element is known to
    /// be bottom.
    fn bounds(&self, e: &LinearExpr) -> Option<Interval>;

    /// `true` implies that every state satisfies `c` (over scalars).
    fn entails(&self, c: &Constraint) -> bool;

    /// Storage for an array of `length` cells begins, each field of each cell with an arbitrary
    /// value of its own. The length is a variable that is not assigned while the array lives. An
    /// array of that name that was live before is dropped.
    fn create_array(&mut self, array: ArrayId, fields: &[FieldId], length: Var);

    /// The array's storage ends.
    fn drop_array(&mut self, array: ArrayId);

    /// Every cell's `field` gets the value of `value` (an expression over scalars).
    fn fill(&mut self, array: ArrayId, field: FieldId, value: &LinearExpr);

    /// Every cell's `field` gets an arbitrary value of its own in `range`, except that a value that
    /// the cell holds already may also stay.
    fn weaken(&mut self, array: ArrayId, field: FieldId, range: Interval);

    /// `dst := cell`. The cell's index does not mention `dst`.
    fn read(&mut self, dst: Var, cell: &Cell);

    /// `cell := value`: just the one cell changes.
    fn write(&mut self, cell: &Cell, value: &LinearExpr);

    /// Only the states in which the cell has the value of `value` (over scalars) remain.
    fn assume_cell(&mut self, cell: &Cell, value: &LinearExpr);

    /// Only the states in which the fact holds remain. To ignore it is sound, and what a domain
    /// does that has no use for it.
    fn assume_cells(&mut self, _fact: &CellsFact) {}

    /// The known facts, for printing. Deterministic.
    fn facts(&self) -> Facts;

    /// The arrays and scalars that [`Memory::facts`] may speak of, at little cost.
    fn subjects(&self) -> Subjects;

    /// Restricts the element to the facts about these subjects, at little cost: every state stays.
    /// Facts about other arrays are dropped. Facts about some other scalars are kept: those that
    /// distinguish the cells of these arrays or bound one of these scalars.
    #[must_use]
    fn restricted(&self, to: &Subjects) -> Self;
}

/// Makes the elements of a memory domain, and owns what they share.
pub trait MemoryDomain {
    /// The elements.
    type Element: Memory;

    /// The name of the stack, such as `smash/box`.
    fn name(&self) -> String;

    /// No array is live, scalars are arbitrary.
    fn top(&self) -> Self::Element;

    /// No state.
    fn bottom(&self) -> Self::Element;
}

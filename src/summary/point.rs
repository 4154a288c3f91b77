//! What variables and arrays hold at the points that people ask about, and what is not known there.

use super::state::{Object, Region};
use crate::program::{Location, StmtId};
use smalti_terms::{Symbol, Term, Var};
use std::collections::BTreeMap;

/// A moment in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// After the loop that stands there.
    After(Location),
    /// Each time the condition of the loop that stands there is about to be tested (for `do`, its
    /// body is about to begin), in the iteration whose number is the last of [`Point::within`].
    Head(Location),
    /// At the end of the function that runs.
    End,
}

impl Moment {
    /// The place of the loop; `None` at the end of the function.
    pub fn of_loop(&self) -> Option<Location> {
        match self {
            Moment::After(at) | Moment::Head(at) => Some(*at),
            Moment::End => None,
        }
    }
}

/// What variables and arrays hold at a moment.
#[derive(Clone, Debug)]
pub struct Point {
    /// When.
    pub moment: Moment,
    /// The loop, if it is after one.
    pub statement: Option<StmtId>,
    /// The iteration numbers of the loops around, from the outside in. The terms mention them.
    pub within: Vec<Var>,
    /// What is known when a run is there.
    pub given: Vec<Term>,
    /// At the end: the ways in which runs come there, of which one is taken, if there are several.
    pub ways: Vec<Term>,
    /// The values: after a loop and at its head, of what it writes; at the end, of all that was
    /// written.
    pub values: BTreeMap<Region, Term>,
    /// At the head of a loop: the values of what was written earlier and not by the loop.
    pub others: BTreeMap<Region, Term>,
    /// The values of the same regions before the loop, or at the start.
    pub before: BTreeMap<Region, Term>,
    /// At the end: what the function returns, if that is known to be a number.
    pub result: Option<Term>,
}

/// Something that a loop writes and that has no closed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsolved {
    /// Where the loop stands.
    pub at: Location,
    /// What it writes.
    pub region: Region,
    /// Why there is none.
    pub why: WhyUnsolved,
    /// The unknown that stands for its value, or for its cells.
    pub symbol: Option<Symbol>,
}

/// Why there is no closed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyUnsolved {
    /// Its next value depends on other objects that the loop writes, and theirs on it.
    Circle(Vec<Object>),
    /// No rule gives one.
    NoRule,
}

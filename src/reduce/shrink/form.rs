//! A view of a program as one loop, and a property of the state after it.

use crate::program::{Block, Expr, IntKind, Location, LoopId, Program, Type, VarId};

/// The type that positions and iteration numbers have.
pub(super) const WIDE: Type = Type::Int(IntKind::LongLong);

/// `before; for (position = low; position < high; position++) body;
/// after; clause(position) for every position`.
#[derive(Clone, Debug)]
pub struct Form {
    /// The variables.
    pub program: Program,
    /// What runs before the loop.
    pub before: Block,
    /// The number of the iteration, offset by `low`. The body does not write it.
    pub position: VarId,
    /// The first position; reads nothing that the loop writes.
    pub low: Expr,
    /// The end of the positions, exclusive; reads nothing that the loop writes.
    pub high: Expr,
    /// Values before the loop, each with a limit. Positions are computed from them without overflow
    /// as long as the absolute values are within these limits.
    pub bounded: Vec<(Expr, i128)>,
    /// The body of the loop.
    pub body: Block,
    /// The code after the loop. Its assertions are part of the property whatever iterations ran.
    pub after: Block,
    /// The part of the property that belongs to one position; writes nothing that anything else
    /// reads.
    pub clause: Block,
    /// The loops of the source that became one, in their order.
    pub loops: Vec<(LoopId, Location)>,
    /// The loops that became arbitrary values.
    pub dropped: Vec<(LoopId, Location)>,
    /// Conditions that hold when an iteration begins, in the residual of every sequence. Their
    /// evaluation does not overflow.
    pub known: Vec<Expr>,
    /// The code after the clauses: an assertion about what they have found. Empty if the clauses
    /// assert themselves.
    pub closing: Block,
    /// How the property is made of the clauses.
    pub quantifier: Quantifier,
    /// The way of viewing the property, for people.
    pub property: String,
}

/// How a property is made of the clauses of positions, and of those that belong to none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// All of them hold.
    Universal,
    /// One of them holds.
    Existential,
}

/// The largest absolute value of a bound of 64 bits; sums of a few of them still fit.
pub(super) const FARTHEST: i128 = 1 << 60;
/// The largest step of a counter.
pub(super) const LARGEST_STEP: i128 = 1 << 31;

/// A way of viewing the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Assertions in loops are part of the one loop.
    Coalesced,
    /// The last loop asserts something for each position.
    Clauses,
    /// The same, but what it asserts in its first iteration belongs to the last position.
    Reversed,
    /// The last statements assert something about one position.
    Witness,
    /// The last loop asserts something for each position, which is checked for one arbitrary
    /// position.
    AnyPosition,
    /// The last loop searches, and an assertion after it says that it has found something.
    Search,
}

//! The normal form that loop pruning and loop shrinking work on: a program as a sequence of straight-line code and counted
//! loops, with every call inlined, every pointer resolved, and no jumps.
//!
//! **Meaning.** The parts run one after the other. Every run of the original program that is free of undefined behaviour and comes
//! to the chosen assertion is a run of the normal form with the same values there; the normal form may have more runs. So a
//! proof about the normal form is one about the program, and a failing run is a hint.

use crate::program::{BinaryOp, Block, Expr, Location, LoopId, Program, VarId};

/// A program in normal form, for one assertion.
#[derive(Clone, Debug)]
pub struct Normal {
    /// The variables, types and sources. The body of its entry is not the program any more: `parts` is.
    pub program: Program,
    /// What runs, in order; two straight parts never stand side by side.
    pub parts: Vec<Part>,
}

/// A piece of the program.
#[derive(Clone, Debug)]
pub enum Part {
    /// Statements without loops: `Declare`, `Assign`, `Input`, `Zero`, `Havoc`, `If`, `Assume`, `Assert`, `Skip`.
    Straight(Block),
    /// A loop.
    Loop(Counted),
}

/// A loop that counts: `for (counter = first; counter relation bound; counter += step) body`.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Which loop of the source.
    pub id: LoopId,
    /// Where it stands.
    pub location: Location,
    /// Changed by the loop's step alone. What the source reads of it behind the loop, the next straight part assigns first.
    pub counter: VarId,
    /// Its first value; reads nothing that the body writes.
    pub first: Expr,
    /// `<`, `<=` with a positive step; `>`, `>=` with a negative one. The last addition does not overflow.
    pub relation: BinaryOp,
    /// Reads nothing that the body writes.
    pub bound: Expr,
    /// Not 0.
    pub step: i128,
    /// Statements as in [`Part::Straight`].
    pub body: Block,
    /// Where the source leaves the loop early, if it does. The body then does nothing in the iterations that the source does not run.
    pub exit: Option<Location>,
}

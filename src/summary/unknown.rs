//! What the unknowns of a summary stand for, so that a run can say what their values are.

use super::state::Region;
use crate::program::StmtId;
use smalti_terms::{Context, Node, Symbol, Term};

/// What an unknown stands for. Its arguments are the iteration numbers of the loops around, from
/// the outside in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The value that an input statement takes.
    Input(StmtId),
    /// What a region holds when that declaration has been executed.
    Declared(StmtId, Region),
    /// What a region holds at the start of the program.
    Start(Region),
    /// What a region holds before an iteration of a loop. The last argument is the number of the
    /// iteration.
    Before(StmtId, Region),
    /// The number of the iteration in which a loop ends.
    Iterations(StmtId),
}

/// The symbol of which a new unknown is made: alone, of a range, or as an array.
pub(super) fn symbol_of(c: &Context, unknown: Term) -> Option<Symbol> {
    match *c.node(unknown) {
        Node::Apply(symbol, _) => Some(symbol),
        Node::Wrap(_, t) | Node::Lambda(_, t) | Node::Read(t, _) => symbol_of(c, t),
        // Unknown where a loop may have written, and as it was elsewhere.
        Node::Ite(_, touched, _) => symbol_of(c, touched),
        _ => None,
    }
}

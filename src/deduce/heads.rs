//! The values of variables at the head of a loop, to be shown.

use super::state::{State, Symbols};
use crate::program::{Origin, Part, Program, Stmt, StmtKind, VarId, each_part, each_stmt};
use crate::smt::Term;

/// A variable that the source names, at the head of a loop.
#[derive(Debug)]
pub(super) struct AtHead {
    pub(super) name: String,
    /// Its value before the loop.
    pub(super) entry: Term,
    /// Its value when an iteration begins.
    pub(super) head: Term,
}

/// The numbers that a loop mentions, those first that it changes: in the state before the loop and
/// in that at its head. `named` has the names of the source.
pub(super) fn at_head(
    program: &Program,
    named: &Program,
    symbols: &mut Symbols,
    s: &Stmt,
    [entry, head]: [&State; 2],
) -> Vec<AtHead> {
    let mut mentioned: Vec<VarId> = Vec::new();
    let mut look = |part: Part<'_>| {
        if let Part::Lvalue(l, _) = part
            && let Some(v) = l.as_var()
            && !mentioned.contains(&v)
        {
            mentioned.push(v);
        }
    };
    each_part(s, &mut look);
    for block in s.blocks() {
        each_stmt(block, &mut |s| each_part(s, &mut look));
    }
    let mut inside: Vec<VarId> = Vec::new();
    for block in s.blocks() {
        each_stmt(block, &mut |s| {
            if let StmtKind::Declare(v) = s.kind {
                inside.push(v);
            }
        });
    }
    let mut found: Vec<AtHead> = Vec::new();
    for v in mentioned.into_iter().filter(|v| program.variable(*v).origin == Origin::Source && !inside.contains(v)) {
        let Some(kind) = program.variable(v).ty.as_int() else { continue };
        let mut value = |state: &State| symbols.value(state, &(v, Vec::new()), kind, program.data_model);
        found.push(AtHead { name: named.known_as(v).name.clone(), entry: value(entry), head: value(head) });
    }
    found.sort_by_key(|variable| variable.entry.to_string() == variable.head.to_string());
    found
}

//! The values of variables at the head of a loop, to be shown.

use super::candidates::declared;
use super::state::{State, Symbols};
use crate::program::{Origin, Part, Program, Stmt, Use, VarId, each_part, each_stmt};
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
    // By variable: whether the loop changes it.
    let mut mentioned: Vec<(VarId, bool)> = Vec::new();
    let mut look = |part: Part<'_>| {
        if let Part::Lvalue(l, how) = part
            && let Some(v) = l.as_var()
        {
            let is_changed = how == Use::Write;
            match mentioned.iter_mut().find(|(other, _)| *other == v) {
                Some((_, known)) => *known |= is_changed,
                None => mentioned.push((v, is_changed)),
            }
        }
    };
    each_part(s, &mut look);
    for block in s.blocks() {
        each_stmt(block, &mut |s| each_part(s, &mut look));
    }
    mentioned.sort_by_key(|(_, is_changed)| !is_changed);
    let inside = declared(s);
    let is_shown = |v: &VarId| program.variable(*v).origin == Origin::Source && !inside.contains(v);
    let mut found: Vec<AtHead> = Vec::new();
    for v in mentioned.into_iter().map(|(v, _)| v).filter(is_shown) {
        let Some(kind) = program.variable(v).ty.as_int() else { continue };
        let mut value = |state: &State| symbols.value(state, &(v, Vec::new()), kind, program.data_model);
        found.push(AtHead { name: named.known_as(v).name.clone(), entry: value(entry), head: value(head) });
    }
    found
}

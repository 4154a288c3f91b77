//! Says in C for CBMC which objects have ended: heap blocks, and variables of which there may be
//! pointers that outlive them.
//!
//! The text ends no heap block. One variable, [`ENDED`], may point to an object that has ended. At
//! each `free`, and where control leaves the block that a variable lives in, the text chooses
//! whether [`ENDED`] is set to that object.
//!
//! **Why it is sound.** An allocation or declaration makes an object that no earlier pointer points
//! to. If a run of the program uses an object after its end, one run of the text chooses that
//! object at its end and no object after it, so that the condition of the use fails there. If the
//! condition fails in a run of the text, the object has ended in that run. The runs that choose
//! nothing are cut off nowhere, so that what is said of other obligations does not depend on the
//! choices.
//!
//! **Limits.** [`unseen_end`] finds the objects that end where the text does not say so.

use crate::program::print::{self, Placement, Printer};
use crate::program::{Check, CheckCondition, Expr, Presumption, Program, StmtKind, VarId, each_stmt};
use std::collections::BTreeSet;

/// The variable that points to an object that has ended, or to [`NOTHING`].
const ENDED: &str = "smalti_ended";
/// An object that no pointer of the program points to.
const NOTHING: &str = "smalti_nothing";

/// The declarations that the conditions need.
pub(super) fn declarations() -> Vec<String> {
    vec![format!("static char {NOTHING};"), format!("static void *{ENDED} = &{NOTHING};")]
}

/// The condition of a check about lifetimes, without its guards.
pub(super) fn needed(printer: &Printer<'_>, condition: &CheckCondition<'_>) -> Option<String> {
    match condition {
        CheckCondition::Alive { pointer } => Some(is_alive(printer, pointer)),
        CheckCondition::Freeable { pointer } => {
            let p = printer.operand(pointer);
            let is_start = format!("__CPROVER_DYNAMIC_OBJECT({p}) && __CPROVER_POINTER_OFFSET({p}) == 0");
            Some(format!("{p} == 0 || ({is_start} && {})", is_alive(printer, pointer)))
        }
        _ => None,
    }
}

/// The part of the condition that fails in no run that chooses nothing, with its guards.
pub(super) fn assumed(printer: &Printer<'_>, check: &Check<'_>) -> Option<String> {
    let (CheckCondition::Alive { pointer } | CheckCondition::Freeable { pointer }) = check.condition else {
        return None;
    };
    let alive = is_alive(printer, pointer);
    Some(match printer.guards(check) {
        Some(guards) => format!("!({guards}) || {alive}"),
        None => alive,
    })
}

fn is_alive(printer: &Printer<'_>, pointer: &Expr) -> String {
    format!("!__CPROVER_same_object({}, {ENDED})", printer.operand(pointer.before_moves()))
}

/// The statement that may choose the block that is freed here.
pub(super) fn freed(printer: &Printer<'_>, pointer: &Expr) -> String {
    let name = printer.fresh("ends");
    let p = printer.operand(pointer);
    // An object of this type holds any value if nothing has written it.
    format!("{{ unsigned char {name}; if ({name} && {p} != 0) {ENDED} = {p}; }}")
}

/// The statement that may choose a variable, where control leaves the block that it lives in.
pub(super) fn left(printer: &Printer<'_>, v: VarId) -> String {
    let name = printer.fresh("ends");
    format!("{{ unsigned char {name}; if ({name}) {ENDED} = &{}; }}", printer.variable(v))
}

/// Why objects may end where the text does not say so, or look to CBMC like objects that can be
/// freed.
pub fn unseen_end(program: &Program) -> Option<String> {
    let program = program.without_uncalled();
    if program.endings.unseen {
        return Some("memory may be freed by a call through a pointer".to_owned());
    }
    if let Some(v) = unseen_variable(&program) {
        return Some(format!("pointers to `{}` may outlive it", program.variable(v).shown()));
    }
    let mut found = None;
    program.each_stmt(|s| {
        let why = match &s.kind {
            StmtKind::Presume(Presumption::Automatic(_)) => Some("memory ends with the call that has made it"),
            StmtKind::Presume(presumption) => from_outside(presumption),
            StmtKind::Declare(v) if program.variable(*v).ty.has_variable_size() => {
                Some("an array of variable length looks like a heap block to CBMC")
            }
            _ => None,
        };
        if let Some(why) = why {
            found.get_or_insert_with(|| format!("{why} ({})", program.sources.describe(s.location)));
        }
    });
    found
}

/// How control may come to a statement in a way that the text does not say.
pub(super) fn from_outside(presumption: &Presumption) -> Option<&'static str> {
    match presumption {
        Presumption::ComesBack => Some("control may come back to `setjmp` or `vfork`"),
        Presumption::Arrives { .. } => Some("a signal may arrive"),
        _ => None,
    }
}

/// A variable whose end is not written: it is not declared in the block that it lives in, or jumps
/// may leave that block.
fn unseen_variable(program: &Program) -> Option<VarId> {
    let outlived = &program.endings.variables;
    if outlived.is_empty() {
        return None;
    }
    let placements = print::placements(program);
    let mut seen = BTreeSet::new();
    for function in &program.functions {
        let (mut own, mut jumps) = (BTreeSet::new(), false);
        let parameters = function.parameters.iter();
        own.extend(parameters.filter(|v| placements[v.0 as usize] != Placement::Erased));
        each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| match &s.kind {
            StmtKind::Goto(_) => jumps = true,
            StmtKind::Declare(v) if placements[v.0 as usize] == Placement::Here => _ = own.insert(*v),
            _ => {}
        });
        if !jumps {
            seen.append(&mut own);
        }
    }
    outlived.difference(&seen).next().copied()
}

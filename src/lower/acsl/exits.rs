//! `exits`: what holds where the program ends inside a function.

use super::syntax::{ClauseKind, NodeKind};
use crate::lower::context::Lowerer;
use crate::program::{
    Assertion, AssertionId, Callee, Claim, ClaimRole, Formula, FunctionId, Location, Origin, StmtKind, each_stmt,
};
use std::collections::BTreeSet;

/// A clause, with its place and text.
pub(in crate::lower) struct Exits {
    pub(super) function: FunctionId,
    pub(super) kind: ClauseKind,
    /// Whether it stands outside of behaviors.
    pub(super) always: bool,
    pub(super) place: (Location, String),
}

impl Lowerer<'_> {
    /// Claims of the functions in which no run ends that it is so. Other clauses stay open: what
    /// holds where `exit` is called is not followed.
    pub(in crate::lower) fn exits(&mut self) {
        let clauses = std::mem::take(&mut self.annotations.exits);
        let is_false = |kind: &ClauseKind| matches!(kind, ClauseKind::Exits(n) if matches!(n.kind, NodeKind::False));
        let never = |e: &&Exits| e.always && is_false(&e.kind);
        let never: BTreeSet<FunctionId> = clauses.iter().filter(never).map(|e| e.function).collect();
        for Exits { function, kind, place, .. } in clauses {
            // What a function without a body promises is an assumption, which is listed.
            if self.program.function(function).origin == Origin::Contract {
                continue;
            }
            let name = self.program.function(function).name.clone();
            if self.may_exit(function, &never) {
                let reason = "the program may end in this function, and what holds there is not followed";
                self.unjudged_at(&name, &kind, place, reason);
                continue;
            }
            let (location, condition) = place;
            let id = self.obligation_id(&name, "exits", "");
            let id: AssertionId = self.push_obligation(Assertion {
                id,
                function: name,
                location,
                condition,
                failure: None,
                unsupported: None,
            });
            // Nothing ends there, so whatever is claimed of it holds.
            let claim = Claim { formula: Formula::Constant(true), role: ClaimRole::Assert(id) };
            let claim = self.stmt(StmtKind::Claim(Box::new(claim)), location);
            if let Some(body) = &mut self.program.functions[function.0 as usize].body {
                body.insert(0, claim);
            }
        }
    }

    /// Whether the program may end in a function or in one that it calls. Unknown code may end it,
    /// unless it is one of the functions whose contracts say that they never do.
    fn may_exit(&self, function: FunctionId, never: &BTreeSet<FunctionId>) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![function]);
        let mut ends = false;
        while let Some(f) = open.pop() {
            if !seen.insert(f) {
                continue;
            }
            let Some(body) = &self.program.function(f).body else { return true };
            if self.program.function(f).origin == Origin::Contract {
                ends |= !never.contains(&f);
                continue;
            }
            each_stmt(body, &mut |s| match &s.kind {
                StmtKind::Stop => ends = true,
                StmtKind::Call { callee: Callee::Function(callee), .. } => open.push(*callee),
                StmtKind::Call { callee: Callee::Pointer(_), .. } => ends = true,
                _ => {}
            });
        }
        ends
    }
}

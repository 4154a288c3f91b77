//! Makes the program for one assertion.

use crate::program::{AssertionId, Block, Fold, Loop, Program, Stmt, StmtKind, condition_of};
use std::convert::Infallible;

/// Leaves out the other assertions. A run that fails at one of them does not reach this one; a run
/// that goes on all the same is one more run. Specifications become conditions. An assumed claim
/// that has no condition is left out, which adds runs as well. So is an assumed claim in a loop,
/// unless `assume_in_loops` is set. The only claim that may remain is the assertion itself.
pub(super) fn only(program: &Program, block: &[Stmt], assertion: AssertionId, assume_in_loops: bool) -> Block {
    Only { program, assertion, assume_in_loops, assume: true }.rebuilt(block)
}

struct Only<'p> {
    program: &'p Program,
    assertion: AssertionId,
    assume_in_loops: bool,
    /// Whether assumed claims stay here.
    assume: bool,
}

impl Fold for Only<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let kind = match &s.kind {
            StmtKind::Assert(_, id) if *id != self.assertion => StmtKind::Skip,
            StmtKind::Claim(claim) => {
                let condition = || condition_of(self.program, &claim.formula, s.location);
                match claim.role.assertion() {
                    None if self.assume => condition().map_or(StmtKind::Skip, StmtKind::Assume),
                    Some(id) if id == self.assertion => match condition() {
                        Some(condition) => StmtKind::Assert(condition, id),
                        None => s.kind.clone(),
                    },
                    None | Some(_) => StmtKind::Skip,
                }
            }
            _ => return self.fold_inside(s, out),
        };
        out.push(s.with(kind));
        Ok(())
    }

    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, Infallible> {
        let outside = self.assume;
        self.assume &= self.assume_in_loops;
        let inside = self.fold_iteration(l)?;
        self.assume = outside;
        Ok(inside)
    }
}

//! Executes statements on symbols.

use super::state::{Object, State};
use super::unknown::Origin;
use super::{Asserted, Executor, Flow, Jump};
use crate::program::condition_of;
use crate::program::{
    AssertionId, Block, Callee, Claim, ClaimRole, Expr, LabelId, Location, Lvalue, ObligationKey, Stmt, StmtId,
    StmtKind, VarId, each_stmt,
};
use smalti_terms::Term;

impl Executor<'_> {
    /// Executes a block; `None` if no run is there. Returns the state at its end.
    ///
    /// # Errors
    /// The place of a jump that is not followed.
    pub(super) fn block(
        &mut self,
        block: &Block,
        state: Option<State>,
        flow: &mut Flow,
    ) -> Result<Option<State>, Location> {
        let mut state = state;
        let around = self.living.len();
        for stmt in block {
            state = self.statement(stmt, state, flow)?;
        }
        self.living.truncate(around);
        Ok(state)
    }

    fn statement(&mut self, stmt: &Stmt, state: Option<State>, flow: &mut Flow) -> Result<Option<State>, Location> {
        if let StmtKind::Label(label, _) = &stmt.kind {
            return Ok(self.arrived(*label, state, flow));
        }
        let Some(mut state) = state else {
            // Runs may jump into the statement.
            return match self.is_target_inside(stmt, flow) {
                true => self.jumped_into(stmt, flow),
                false => Ok(None),
            };
        };
        // A loop tests its condition in each iteration.
        if !matches!(stmt.kind, StmtKind::Loop(_)) {
            self.note_checks(stmt, &state);
        }
        match &stmt.kind {
            StmtKind::Declare(v) => self.declare(*v, stmt, &mut state),
            StmtKind::Assign(to, from) => self.assign(to, from, &mut state),
            StmtKind::Input(to, _) => {
                let value = self.unknown_for(to);
                self.note(value, Origin::Input(stmt.id()));
                self.store(to, value, &mut state);
            }
            StmtKind::Zero(to) => self.fill(to, true, &mut state),
            StmtKind::Havoc(to) => self.fill(to, false, &mut state),
            StmtKind::HavocReachable(_) => self.forget_exposed(&mut state),
            StmtKind::Allocate { target, count, .. } => {
                self.note_allocated(stmt, count, &state);
                let value = self.allocated(stmt, &target.ty);
                self.store(target, value, &mut state);
            }
            StmtKind::Call { target, callee, .. } => self.call(target.as_ref(), callee, &mut state),
            StmtKind::If(condition, a, b) => return self.branch(condition, a, b, state, flow),
            StmtKind::Loop(l) => return self.run_loop(l, stmt, state, flow),
            StmtKind::Block(b) => return self.block(b, Some(state), flow),
            StmtKind::Goto(label) => {
                flow.jumps.push(Jump { to: *label, from: stmt.location, state });
                return Ok(None);
            }
            StmtKind::Break => {
                flow.breaks.push(state);
                return Ok(None);
            }
            StmtKind::Continue => {
                flow.continues.push(state);
                return Ok(None);
            }
            StmtKind::Return(value) => {
                match self.iterations[..] {
                    [] => {
                        let result = value.as_ref().map(|e| self.value(e, &state));
                        self.returned.states.push((state, result));
                    }
                    _ => self.returned.in_loop = true,
                }
                return Ok(None);
            }
            StmtKind::Stop => return Ok(None),
            StmtKind::Assume(condition) => {
                let condition = self.truth(condition, &state);
                return Ok(self.assumed(&state, condition));
            }
            StmtKind::Assert(condition, assertion) => {
                let condition = self.truth(condition, &state);
                self.note_assertion(*assertion, stmt.id(), &state, condition);
                // A run in which the condition fails ends here.
                return Ok(self.assumed(&state, condition));
            }
            StmtKind::Claim(claim) => return Ok(self.claim(claim, stmt, state)),
            // Formulas about earlier values are left to others.
            StmtKind::Snapshot(_) => {}
            StmtKind::Label(..) | StmtKind::Presume(_) | StmtKind::Blocks(_) | StmtKind::Skip => {}
        }
        Ok(Some(state))
    }

    /// Begins the life of a variable.
    fn declare(&mut self, v: VarId, stmt: &Stmt, state: &mut State) {
        self.living.push(v);
        for (region, ty) in self.regions_of(Object::Variable(v)).unwrap_or_default() {
            let value = self.uninitialised(&region, ty);
            self.note(value, Origin::Declared(stmt.id(), region.clone()));
            state.values.insert(region, value);
        }
    }

    /// Executes a call of code that is not followed.
    fn call(&mut self, target: Option<&Lvalue>, callee: &Callee, state: &mut State) {
        self.forget_exposed(state);
        match (target, callee) {
            (Some(to), Callee::Function(f)) if self.is_hidden_scalar(to) => {
                let value = self.unknown_of(&to.ty, &self.program.function(*f).name);
                self.store(to, value, state);
            }
            (Some(to), _) => self.fill(to, false, state),
            (None, _) => {}
        }
    }

    /// The state after a claim of the specification, if that has a condition without quantifiers.
    fn claim(&mut self, claim: &Claim, stmt: &Stmt, state: State) -> Option<State> {
        let Some(condition) = condition_of(self.program, &claim.formula, stmt.location) else { return Some(state) };
        let condition = self.truth(&condition, &state);
        if let Some(assertion) = claim.role.assertion() {
            self.note_assertion(assertion, stmt.id(), &state, condition);
        }
        match claim.role {
            // Runs may go on where it fails.
            ClaimRole::Check(_) => Some(state),
            ClaimRole::Assume | ClaimRole::Follows | ClaimRole::Assert(_) => self.assumed(&state, condition),
        }
    }

    /// The state at a label: the runs that come straight, and those that jump there.
    fn arrived(&mut self, label: LabelId, state: Option<State>, flow: &mut Flow) -> Option<State> {
        let mut state = state;
        let (here, others): (Vec<Jump>, Vec<Jump>) =
            std::mem::take(&mut flow.jumps).into_iter().partition(|jump| jump.to == label);
        flow.jumps = others;
        if self.of_start.end == Some(label) {
            let states = here.iter().map(|jump| &jump.state).chain(&state);
            self.of_start.ways = states.map(|state| self.c.and(&[state.reached, state.given])).collect();
        }
        for jump in here {
            state = self.join(state, Some(jump.state));
        }
        state
    }

    /// Notes an execution of an assertion. `if (p) fail();` asserts `!p`: what is given is the path
    /// before the branch, so that it may hold even if the condition never does. Only if nothing
    /// else was assumed on the branch, which might be why no run is there.
    fn note_assertion(&mut self, assertion: AssertionId, statement: StmtId, state: &State, condition: Term) {
        if self.operations.is_some() {
            return;
        }
        let (given, condition) = match state.branch {
            Some(branch) if self.c.as_truth(condition) == Some(false) && branch.given == state.given => {
                (vec![branch.reached, branch.given], self.c.not(branch.condition))
            }
            _ => (vec![state.reached, state.given], condition),
        };
        self.asserted.push(Asserted { key: ObligationKey::Assertion(assertion), statement, given, condition });
    }

    /// The executions of the assertions on a branch that no run takes, because the normal form of
    /// its condition is false where runs are.
    fn never_taken(&mut self, branch: &Block, state: &State, condition: Term) {
        if self.operations.is_some() {
            return;
        }
        let mut found = Vec::new();
        each_stmt(branch, &mut |s| {
            let assertion = match &s.kind {
                StmtKind::Assert(_, assertion) => Some(*assertion),
                StmtKind::Claim(claim) => claim.role.assertion(),
                _ => None,
            };
            found.extend(assertion.map(|assertion| (assertion, s.id())));
        });
        let (given, condition) = (vec![state.reached, state.given], self.c.not(condition));
        self.asserted.extend(found.into_iter().map(|(assertion, statement)| Asserted {
            key: ObligationKey::Assertion(assertion),
            statement,
            given: given.clone(),
            condition,
        }));
    }

    fn is_target_inside(&self, stmt: &Stmt, flow: &Flow) -> bool {
        let mut found = false;
        each_stmt(std::slice::from_ref(stmt), &mut |s| {
            if let StmtKind::Label(label, _) = &s.kind {
                found |= flow.jumps.iter().any(|jump| jump.to == *label);
            }
        });
        found
    }

    /// Executes a statement that runs only enter by jumps.
    fn jumped_into(&mut self, stmt: &Stmt, flow: &mut Flow) -> Result<Option<State>, Location> {
        match &stmt.kind {
            StmtKind::Block(b) => self.block(b, None, flow),
            StmtKind::If(_, a, b) => {
                let a = self.block(a, None, flow)?;
                let b = self.block(b, None, flow)?;
                Ok(self.join(a, b))
            }
            _ => Err(stmt.location),
        }
    }

    fn branch(
        &mut self,
        condition: &Expr,
        a: &Block,
        b: &Block,
        state: State,
        flow: &mut Flow,
    ) -> Result<Option<State>, Location> {
        let condition = self.truth(condition, &state);
        let otherwise = self.c.not(condition);
        let (then, other) = (self.branched(&state, condition), self.branched(&state, otherwise));
        if then.is_none() {
            self.never_taken(a, &state, condition);
        }
        if other.is_none() {
            self.never_taken(b, &state, otherwise);
        }
        let a = self.block(a, then, flow)?;
        let b = self.block(b, other, flow)?;
        Ok(self.join(a, b))
    }
}

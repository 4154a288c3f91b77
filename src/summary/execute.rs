//! Executes statements on symbols.

use super::state::{Region, State, collect};
use super::unknown::Origin;
use super::{Asserted, Executor, Flow};
use crate::program::{Base, Block, Expr, ExprKind, LabelId, Location, Lvalue, Stmt, StmtKind, Type, each_stmt};
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
        for stmt in block {
            state = self.statement(stmt, state, flow)?;
        }
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
        match &stmt.kind {
            StmtKind::Declare(v) => {
                for (region, ty) in self.regions_of(*v).unwrap_or_default() {
                    let value = self.uninitialised(&region, ty);
                    self.note(value, Origin::Declared(stmt.id(), region.clone()));
                    state.values.insert(region, value);
                }
            }
            StmtKind::Assign(to, from) => self.assign(to, from, &mut state),
            StmtKind::Input(to, _) => {
                let value = self.unknown_for(to);
                self.note(value, Origin::Input(stmt.id()));
                self.store(to, value, &mut state);
            }
            StmtKind::Zero(to) => self.fill(to, true, &mut state),
            StmtKind::Havoc(to) => self.fill(to, false, &mut state),
            StmtKind::HavocReachable(_) => self.forget_exposed(&mut state),
            StmtKind::Allocate { target, .. } => {
                let value = self.unknown_of(&target.ty, "block");
                self.store(target, value, &mut state);
            }
            StmtKind::Call { target, .. } => {
                self.forget_exposed(&mut state);
                if let Some(target) = target {
                    self.fill(target, false, &mut state);
                }
            }
            StmtKind::If(condition, a, b) => return self.branch(condition, a, b, state, flow),
            StmtKind::Loop(l) => return self.run_loop(l, stmt, state, flow),
            StmtKind::Block(b) => return self.block(b, Some(state), flow),
            StmtKind::Goto(label) => {
                flow.jumps.push((*label, state));
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
            StmtKind::Return(_) => {
                match self.iterations[..] {
                    [] => self.returned.states.push(state),
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
                let given = vec![state.reached, state.given];
                self.asserted.push(Asserted { assertion: *assertion, statement: stmt.id(), given, condition });
                // A run in which the condition fails ends here.
                return Ok(self.assumed(&state, condition));
            }
            StmtKind::Label(..) | StmtKind::Claim(_) | StmtKind::Presume(_) | StmtKind::Blocks(_) | StmtKind::Skip => {}
        }
        Ok(Some(state))
    }

    /// The state at a label: the runs that come straight, and those that jump there.
    fn arrived(&mut self, label: LabelId, state: Option<State>, flow: &mut Flow) -> Option<State> {
        let mut state = state;
        let (here, others) = std::mem::take(&mut flow.jumps).into_iter().partition(|(to, _)| *to == label);
        flow.jumps = others;
        let here: Vec<(LabelId, State)> = here;
        for (_, jumped) in here {
            state = self.join(state, Some(jumped));
        }
        state
    }

    fn is_target_inside(&self, stmt: &Stmt, flow: &Flow) -> bool {
        let mut found = false;
        each_stmt(std::slice::from_ref(stmt), &mut |s| {
            if let StmtKind::Label(label, _) = &s.kind {
                found |= flow.jumps.iter().any(|(to, _)| to == label);
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
        let a = self.block(a, then, flow)?;
        let b = self.block(b, other, flow)?;
        Ok(self.join(a, b))
    }

    fn assign(&mut self, to: &Lvalue, from: &Expr, state: &mut State) {
        if let (Type::Struct(_), ExprKind::Load(source)) = (&to.ty, &from.kind) {
            return self.copy(to, source, state);
        }
        if to.ty.is_scalar() {
            let value = self.value(from, state);
            return self.store(to, value, state);
        }
        self.fill(to, false, state);
    }

    /// Writes a scalar object.
    fn store(&mut self, to: &Lvalue, value: Term, state: &mut State) {
        let Some(cell) = self.cell(to, state) else { return self.forget_behind(to, state) };
        let after = match cell.indexes[..] {
            [] => value,
            _ => {
                let whole = self.held(&cell.region, state);
                self.c.store(whole, &cell.indexes, value)
            }
        };
        state.values.insert(cell.region, after);
    }

    /// Copies a struct, member by member.
    fn copy(&mut self, to: &Lvalue, from: &Lvalue, state: &mut State) {
        let (Some(target), Some(source)) = (self.cell(to, state), self.cell(from, state)) else {
            return self.fill(to, false, state);
        };
        let (program, mut parts) = (self.program, Vec::new());
        let is_known = collect(program, target.region.clone(), &to.ty, &mut parts).is_some();
        let plain = parts.iter().all(|(part, _)| part.rank() == target.region.rank());
        if !(is_known && plain) {
            return self.fill(to, false, state);
        }
        for (part, _) in parts {
            let rest = &part.path[target.region.path.len()..];
            let path = source.region.path.iter().chain(rest).copied().collect();
            let whole = self.held(&Region { variable: source.region.variable, path }, state);
            let value = if source.indexes.is_empty() { whole } else { self.c.read(whole, &source.indexes) };
            let held = self.held(&part, state);
            let after = if target.indexes.is_empty() { value } else { self.c.store(held, &target.indexes, value) };
            state.values.insert(part, after);
        }
    }

    /// Makes all cells of an object 0, or unknown.
    fn fill(&mut self, to: &Lvalue, zero: bool, state: &mut State) {
        let Some(cell) = self.cell(to, state) else { return self.forget_behind(to, state) };
        let mut parts = Vec::new();
        if collect(self.program, cell.region.clone(), &to.ty, &mut parts).is_none() {
            return self.forget_behind(to, state);
        }
        for (part, ty) in parts {
            let inner = part.rank() - cell.region.rank();
            let value = match (zero, inner) {
                (false, 0) => self.unknown_cell(&part, ty),
                (false, _) => {
                    let array = self.unknown_region(&part, ty);
                    state.values.insert(part, array);
                    continue;
                }
                (true, _) => self.c.int(0),
            };
            let indexes = &cell.indexes;
            let rank = part.rank();
            let after = match rank {
                0 => value,
                _ => {
                    let held = self.held(&part, state);
                    self.c.lambda_of(rank, |at| {
                        let same: Vec<Term> = indexes.iter().zip(at).map(|(i, k)| self.c.eq(*i, *k)).collect();
                        self.c.ite(self.c.and(&same), value, self.c.read(held, at))
                    })
                }
            };
            state.values.insert(part, after);
        }
    }

    /// A write to an object that has no cell: behind a pointer it may be any that has an address,
    /// in a union it is unknown anyway.
    fn forget_behind(&mut self, to: &Lvalue, state: &mut State) {
        if let Base::Deref(_) = to.base {
            self.forget_exposed(state);
        }
    }

    /// Makes everything unknown that unknown code may write.
    fn forget_exposed(&mut self, state: &mut State) {
        for variable in self.exposed.clone() {
            for (region, ty) in self.regions_of(variable).unwrap_or_default() {
                let value = self.unknown_region(&region, ty);
                state.values.insert(region, value);
            }
        }
    }
}

//! Bodies made of contracts: what a function without a body does, as far as its contract says.
//!
//! The body claims each `requires` (an obligation at the call), gives arbitrary values to what
//! `assigns` lists, and assumes each `ensures`, for an arbitrary result. So every engine knows
//! calls by contract (Hoare's rule of invocation), and none needs code of its own for them.
//!
//! **Why it is sound.** By the assumption that is listed, the function keeps its contract: from a
//! state in which `requires` holds it changes only what `assigns` lists, and ends, if at all, in a
//! state in which `ensures` holds. Each such end is an end of the body here, which may have more.
//! A clause that is not understood is not assumed; without a usable `assigns`, everything that the
//! arguments and the globals reach is changed. Since the body may have ends that the function has
//! not, no failure is reported of programs that call it.

use super::contracts::{ContractClause, Ensures, Sorted};
use super::frames::{Allowed, AllowedStep, AssignsClause, Indexes};
use super::members::PointerPath;
use super::resolve::Logic;
use super::syntax::{ClauseKind, Mode};
use crate::lower::context::{FunctionState, Lowered, Lowerer};
use crate::lower::prune::each_function;
use crate::lower::signatures::Signature;
use crate::program::{
    Assumption, Base, BinaryOp, ClaimRole, Expr, ExprKind, Formula, FunctionId, Length, Location, Loop, LoopKind,
    Lvalue, Memory, Origin, Root, Step, StmtKind, Storage, Term, TermLvalue, Type, VarId, expression_of,
};
use std::collections::{HashMap, HashSet};

/// The assumption about a function without a body whose contract is used.
const KEPT: &str = "a function that has no body keeps its contract, calls no function of the program by its name, and \
                    does nothing undefined";

impl Lowerer<'_> {
    /// Whether calls of a function without a body are known by its contract.
    pub(in crate::lower) fn has_contract(&self, id: FunctionId) -> bool {
        self.annotations.prototypes.contains_key(&id)
    }

    /// Gives bodies to the functions that are called, that no file defines, and that have contracts
    /// here.
    pub(super) fn stand_ins(&mut self) {
        let mut called = vec![false; self.program.functions.len()];
        each_function(&mut self.program, &mut |id| called[id.0 as usize] = true);
        let ids: Vec<FunctionId> = self.annotations.prototypes.keys().copied().collect();
        for id in ids {
            let function = self.program.function(id);
            let (name, at) = (function.name.clone(), function.location);
            let is_known = self.known_role(&name).is_some() || self.definitions.has_body(self.unit_number, &name);
            if function.body.is_some() || !called[id.0 as usize] || is_known {
                continue;
            }
            match self.functions.get(id.0 as usize).map(|info| info.signature.clone()) {
                Some(signature) if !signature.variadic && signature.parameters.is_some() => {
                    self.stand_in(id, &signature, at);
                    let doubt = format!("`{name}` has no body, and may do less than its contract allows");
                    self.program.gaps.callees.push(doubt);
                    self.assume_that(Assumption::about(KEPT, &name));
                }
                _ => self.external(id),
            }
        }
    }

    fn stand_in(&mut self, id: FunctionId, signature: &Signature, at: Location) {
        let name = self.program.function(id).name.clone();
        let mut parameters = Vec::new();
        for (n, ty) in signature.parameters.iter().flatten().enumerate() {
            let v = self.new_variable(&format!("argument{}", n + 1), ty.clone(), Storage::Parameter, at);
            self.program.variables[v.0 as usize].origin = Origin::Unnamed;
            parameters.push(v);
        }
        let outer = self.function.replace(FunctionState {
            name: name.clone(),
            result: signature.result.ty.clone(),
            labels: HashMap::new(),
            exits: Vec::new(),
            address_taken: HashSet::new(),
            switches: Vec::new(),
            ensures: Ensures::of_constant(&parameters),
            moments: super::Moments::default(),
        });
        let body = self.scoped_block(|l| {
            l.contract_as_body(id, &name, &parameters, at);
            Ok(())
        });
        let state = std::mem::replace(&mut self.function, outer);
        let Ok(((), mut body)) = body else { return };
        state.into_iter().for_each(|s| s.moments.finish(&mut body));
        let function = &mut self.program.functions[id.0 as usize];
        function.parameters = parameters;
        function.body = Some(body);
        function.result = signature.result.ty.clone();
        function.origin = Origin::Contract;
    }

    fn contract_as_body(&mut self, id: FunctionId, name: &str, parameters: &[VarId], at: Location) {
        let Sorted { requires, ensures, assigns, behaviors, relations, unchecked, blocks } = self.sorted(id, name);
        self.unchecked_clauses(id, parameters, unchecked);
        for block in blocks {
            // What the function does with blocks is not followed.
            if !matches!(&block.kind, ClauseKind::Blocks(all) if all.is_empty()) {
                let reason = "what a function without a body allocates or frees is not followed";
                self.unusable_clause(name, &block.kind, block.place, reason);
            }
        }
        for part in requires {
            let mut logic = Logic { before: part.mode != Mode::Check, at_start: true, ..Logic::default() };
            match self.required(&part, &behaviors, parameters, &mut logic) {
                Ok(formula) => {
                    self.leads(&logic.valid);
                    self.required_at_calls(&part.node, formula, &logic, part.mode);
                }
                Err(e) => {
                    let reason = self.reason(&e);
                    let kind = ClauseKind::Requires(part.node).with_mode(part.mode);
                    self.unusable_clause(name, &kind, part.place, &reason);
                }
            }
        }
        for (kind, place) in relations {
            self.claim_behaviors(&kind, &behaviors, parameters, place);
        }
        let result = match self.function.as_ref().map(|f| f.result.clone()) {
            None | Some(Type::Void) => None,
            Some(ty) => Some(self.hidden_variable("result".into(), Origin::Result, ty, at)),
        };
        let saved = parameters.iter().map(|p| (*p, *p)).collect();
        // What they need to know of the start is kept first.
        let ensured = self.ensured_formulas(parameters, &saved, result.as_ref(), ensures, &behaviors);
        match self.forgotten(id, &assigns, parameters, at) {
            Some(mut statements) => {
                determined(&mut statements, &ensured, parameters);
                self.out.extend(statements);
            }
            None => {
                let pointers = parameters.iter().map(|p| Expr::load(Lvalue::var(&self.program, *p, at)));
                let pointers: Vec<Expr> = pointers.filter(|e| matches!(e.ty, Type::Pointer(_))).collect();
                self.emit(StmtKind::HavocReachable(pointers.into()), at);
            }
        }
        if let Some(result) = &result {
            self.emit(StmtKind::Havoc(result.clone()), at);
        }
        let mut known = Vec::new();
        for (clause, formula) in ensured {
            match formula {
                Ok(_) if clause.mode == Mode::Check => {
                    let (place, text) = (self.program.sources.describe(clause.place.0), &clause.place.1);
                    let note =
                        format!("`{text}` in the contract of `{name}` is not used: nothing relies on it ({place})");
                    self.program.notes.push(note);
                }
                Ok(formula) => known.push((formula, clause.place.0)),
                Err(e) => {
                    let (reason, place) = (self.reason(&e), self.program.sources.describe(clause.place.0));
                    let text = &clause.place.1;
                    self.program
                        .notes
                        .push(format!("`{text}` in the contract of `{name}` is not used: {reason} ({place})"));
                }
            }
        }
        self.known_at_end(known, at);
        self.emit(StmtKind::Return(result.map(Expr::load)), at);
    }

    /// Assumes what holds at the end. A run that chooses values does so in this order, so equations
    /// come first. Of what is behind pointers, copies are known too: not every engine follows
    /// these.
    fn known_at_end(&mut self, mut known: Vec<(Formula, Location)>, at: Location) {
        known.sort_by_key(|(formula, _)| !determines(formula));
        let single = self.leading_singles();
        // Which behaviors apply, for example.
        let before = self.out.iter().filter_map(|s| match &s.kind {
            StmtKind::Claim(claim) if claim.role == ClaimRole::Assume => Some((claim.formula.clone(), s.location)),
            _ => None,
        });
        let before: Vec<(Formula, Location)> = before.collect();
        let all = known.iter().chain(&before).map(|(formula, _)| formula);
        let copies = self.copies(single, all, std::iter::empty(), at);
        let copied = self.out.split_off(self.out.len() - copies.statements());
        let mut parts: Vec<(Formula, Location)> =
            before.iter().filter_map(|(f, at)| Some((copies.lasting(f)?, *at))).collect();
        parts.extend(known.iter().flat_map(|(f, at)| copies.parts(f).into_iter().map(|part| (part, *at))));
        for (formula, at) in known {
            self.emit_claim(formula, ClaimRole::Assume, at);
        }
        self.out.extend(copied);
        for (formula, at) in parts {
            self.emit_claim(formula, ClaimRole::Assume, at);
        }
    }

    /// Statements that give arbitrary values to the locations of the clauses. `None` if these do
    /// not say in all runs what is written.
    fn forgotten(
        &mut self,
        id: FunctionId,
        clauses: &[AssignsClause],
        parameters: &[VarId],
        at: Location,
    ) -> Option<Vec<crate::program::Stmt>> {
        // The clause of a behavior says nothing of the runs to which that does not apply.
        let always: Vec<&AssignsClause> = clauses.iter().filter(|c| c.behavior.is_none()).collect();
        if always.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for clause in always {
            let mut logic = Logic { at_start: true, ..Logic::default() };
            let read = self.with_names(clause.names.as_ref(), parameters, |l| l.locations(&clause.nodes, &mut logic));
            match read {
                Ok(allowed) => all.extend(allowed),
                Err(e) => {
                    let (function, reason) = (self.function_name().to_owned(), self.reason(&e));
                    let place = self.program.sources.describe(clause.place.0);
                    let text = &clause.place.1;
                    self.program
                        .notes
                        .push(format!("`{text}` in the contract of `{function}` is not used: {reason} ({place})"));
                    return None;
                }
            }
        }
        // A parameter is the function's own.
        let others = all.iter().filter(|a| a.behind.is_some() || !parameters.contains(&a.variable));
        let written = self.collecting(|l| {
            // All locations are found before anything is written.
            let settled: Option<Vec<Allowed>> = others.map(|allowed| l.settled(allowed, parameters)).collect();
            Ok(settled.and_then(|all| all.iter().map(|allowed| l.forget(allowed, at)).collect::<Option<()>>()))
        });
        let (done, statements) = written.ok()?;
        done?;
        self.annotations.by_contract.insert(id, all);
        Some(statements)
    }

    /// Locations that do not depend on what is written from here on.
    fn settled(&mut self, allowed: &Allowed, parameters: &[VarId]) -> Option<Allowed> {
        let mut settled = allowed.clone();
        if let Some(indexes) = &mut settled.behind {
            *indexes = self.settled_indexes(indexes, parameters)?;
            if !parameters.contains(&settled.variable) {
                settled.variable = self.saved_value(settled.variable);
            }
        }
        for step in &mut settled.steps {
            if let AllowedStep::Index(indexes) = step {
                *indexes = self.settled_indexes(indexes, parameters)?;
            }
        }
        Some(settled)
    }

    fn settled_indexes(&mut self, indexes: &Indexes, parameters: &[VarId]) -> Option<Indexes> {
        let Some((low, high)) = indexes else { return Some(None) };
        if low == high {
            let one = self.settled_term(low, parameters)?;
            return Some(Some((one.clone(), one)));
        }
        Some(Some((self.settled_term(low, parameters)?, self.settled_term(high, parameters)?)))
    }

    fn settled_term(&mut self, t: &Term, parameters: &[VarId]) -> Option<Term> {
        Some(match t {
            Term::Int(n) => Term::Int(*n),
            Term::Read(place) => {
                let Root::Variable(l) = &place.root else { return None };
                let v = l.as_var().filter(|_| place.steps.is_empty())?;
                let kept = if parameters.contains(&v) { v } else { self.saved_value(v) };
                let root = Root::Variable(Lvalue::var(&self.program, kept, place.location));
                Term::Read(Box::new(TermLvalue { root, ..(**place).clone() }))
            }
            Term::Negate(a) => Term::Negate(Box::new(self.settled_term(a, parameters)?)),
            Term::Binary(op, a, b) => {
                let (a, b) = (self.settled_term(a, parameters)?, self.settled_term(b, parameters)?);
                Term::Binary(*op, Box::new(a), Box::new(b))
            }
            Term::Bound(_) | Term::At(..) | Term::If(..) | Term::Apply(_) => return None,
        })
    }

    /// Gives arbitrary values to the locations.
    fn forget(&mut self, allowed: &Allowed, at: Location) -> Option<()> {
        let variable = Lvalue::var(&self.program, allowed.variable, at);
        let Some(indexes) = &allowed.behind else { return self.forget_parts(variable, &allowed.steps, at) };
        let to = variable.ty.pointee()?.clone();
        let pointer = Expr::load(variable);
        let element = |index: Option<Expr>| {
            let ty = pointer.ty.clone();
            let moved = match index {
                None => pointer.clone(),
                Some(index) => {
                    let kind = ExprKind::Binary(BinaryOp::PointerAdd, Box::new(pointer.clone()), Box::new(index));
                    Expr::new(kind, ty, at)
                }
            };
            Lvalue { base: Base::Deref(Box::new(moved)), path: Vec::new(), ty: to.clone(), location: at }
        };
        let sure = self.is_valid_here(allowed.variable, indexes);
        self.forget_between(indexes, sure, at, |l, index| l.forget_parts(element(index), &allowed.steps, at))
    }

    fn forget_parts(&mut self, object: Lvalue, steps: &[AllowedStep], at: Location) -> Option<()> {
        let Some((step, rest)) = steps.split_first() else {
            self.emit(StmtKind::Havoc(object), at);
            return Some(());
        };
        match step {
            AllowedStep::Field(id, n) => {
                let mut member = object;
                member.ty = self.program.structure(*id).members.get(*n as usize)?.ty.clone();
                member.path.push(Step::Field(*id, *n));
                self.forget_parts(member, rest, at)
            }
            // The whole array.
            AllowedStep::Index(None) if rest.is_empty() => self.forget_parts(object, &[], at),
            AllowedStep::Index(indexes) => {
                let Type::Array(element, length) = object.ty.clone() else { return None };
                let zero = Expr::int(0, self.model().difference_type(), at);
                let inside = |t: &Term| matches!((t, length), (Term::Int(n), Length::Constant(all)) if (0..i128::from(all)).contains(n));
                let sure = indexes.as_ref().is_some_and(|(low, high)| inside(low) && inside(high));
                self.forget_between(indexes, sure, at, |l, index| {
                    let mut cell = object.clone();
                    cell.ty = (*element).clone();
                    cell.path.push(Step::Index(index.unwrap_or(zero)));
                    l.forget_parts(cell, rest, at)
                })
            }
        }
    }

    /// Emits what gives an arbitrary value, or leaves the old one: a location that is listed need
    /// not exist in all runs, and the function does not write it then.
    fn perhaps(&mut self, at: Location, body: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let choice = self.hidden_variable("written".into(), Origin::Choice, Type::INT, at);
        let (done, block) = self.collecting(|l| Ok(body(l))).ok()?;
        self.emit(StmtKind::If(Expr::load(choice), block, Vec::new()), at);
        done
    }

    /// Emits a loop over the indexes; without a loop and an index if 0 is the only one. `sure` says
    /// that all the elements exist.
    fn forget_between(
        &mut self,
        indexes: &Indexes,
        sure: bool,
        at: Location,
        body: impl FnOnce(&mut Self, Option<Expr>) -> Option<()>,
    ) -> Option<()> {
        let (low, high) = indexes.as_ref()?;
        let body = |l: &mut Self, index: Option<Expr>| match sure {
            true => body(l, index),
            false => l.perhaps(at, |l| body(l, index)),
        };
        if low == high {
            if *low == Term::Int(0) {
                return body(self, None);
            }
            let index = self.number(low, at)?;
            return body(self, Some(index));
        }
        let (first, end, last) = self.range(low, high, at)?;
        let ty = first.ty.clone();
        let kind = ty.as_int()?;
        let counter = self.hidden_variable("index".into(), Origin::Temporary, ty.clone(), at);
        self.emit(StmtKind::Assign(counter.clone(), first), at);
        let index = Expr::load(counter.clone());
        let op = if last { BinaryOp::LessEqual } else { BinaryOp::Less };
        let condition = Expr::binary(op, index.clone(), end, Type::INT);
        let (done, block) = self.collecting(|l| Ok(body(l, Some(index.clone())))).ok()?;
        done?;
        let next = Expr::binary(BinaryOp::Add, index, Expr::int(1, kind, at), ty);
        let step = vec![self.stmt(StmtKind::Assign(counter, next), at)];
        let id = self.new_loop();
        self.emit(StmtKind::Loop(Box::new(Loop { id, kind: LoopKind::For, condition, body: block, step })), at);
        Some(())
    }

    /// The least index, and the greatest (`true`) or that plus one, in one type that holds all
    /// indexes and one more.
    fn range(&mut self, low: &Term, high: &Term, at: Location) -> Option<(Expr, Expr, bool)> {
        // `n - 1` may need a bit more than the type of `n`.
        if let Term::Binary(crate::program::TermOp::Sub, n, one) = high
            && **one == Term::Int(1)
            && let Some(end) = self.plain(n)
            && let Some(kind) = end.ty.as_int().filter(|k| !k.is_signed())
        {
            let first = match (low, self.plain(low)) {
                (Term::Int(n), _) if (0..=kind.max(self.model())).contains(n) => Some(Expr::int(*n, kind, at)),
                (_, Some(first)) if first.ty == end.ty => Some(first),
                _ => None,
            };
            if let Some(first) = first {
                return Some((first, end, false));
            }
        }
        let ((first, _), (last, bits)) =
            (expression_of(&self.program, low, at)?, expression_of(&self.program, high, at)?);
        (bits < 64).then_some((first, last, true))
    }

    fn number(&self, t: &Term, at: Location) -> Option<Expr> {
        self.plain(t).or_else(|| expression_of(&self.program, t, at).map(|found| found.0))
    }

    /// The value of a plain variable.
    fn plain(&self, t: &Term) -> Option<Expr> {
        let Term::Read(place) = t else { return None };
        match &place.root {
            Root::Variable(l) if place.steps.is_empty() => Some(Expr::load(l.clone())),
            _ => None,
        }
    }
}

/// Assigns a pointer its value instead of an arbitrary one, if that is a parameter by what holds at
/// the end: of two equal addresses of objects, each leads where the other does.
fn determined(
    statements: &mut [crate::program::Stmt],
    ensured: &[(ContractClause, Lowered<Formula>)],
    parameters: &[VarId],
) {
    let mut equal = Vec::new();
    for (clause, formula) in ensured {
        if let (None, Ok(formula), false) = (&clause.behavior, formula, clause.mode == Mode::Check) {
            equalities(formula, &mut equal);
        }
    }
    for s in statements {
        let StmtKind::Havoc(l) = &s.kind else { continue };
        let path = PointerPath::of_expr(&Expr::load(l.clone()));
        let is_parameter =
            |e: &Expr| matches!(&e.kind, ExprKind::Load(l) if l.as_var().is_some_and(|v| parameters.contains(&v)));
        let value = equal.iter().find_map(|(a, b)| match path.is_some() && PointerPath::of_expr(a) == path {
            true if is_parameter(b) => Some(*b),
            _ => None,
        });
        if let Some(value) = value {
            s.kind = StmtKind::Assign(l.clone(), value.clone());
        }
    }
}

/// Whether the formula says what some value is.
fn determines(f: &Formula) -> bool {
    match f {
        Formula::Compare(op, ..) => *op == BinaryOp::Equal,
        Formula::And(a, b) => determines(a) || determines(b),
        Formula::Implies(_, b) => determines(b),
        _ => false,
    }
}

/// The pointers that are equal if the formula holds, both ways around.
fn equalities<'f>(f: &'f Formula, found: &mut Vec<(&'f Expr, &'f Expr)>) {
    match f {
        Formula::And(a, b) => {
            equalities(a, found);
            equalities(b, found);
        }
        Formula::Memory(memory) => {
            if let Memory::Equal(a, b) = &**memory
                && (&a.first, &b.first) == (&Term::Int(0), &Term::Int(0))
            {
                found.extend([(&a.pointer, &b.pointer), (&b.pointer, &a.pointer)]);
            }
        }
        _ => {}
    }
}

//! Contracts: what holds where a function is called and where it returns.

use super::behaviors::{Behaviors, under};
use super::frames::AssignsClause;
use super::measures::Unchecked;
use super::prototypes::ParameterNames;
use super::resolve::Logic;
use super::syntax::{ClauseKind, Mode, Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer};
use crate::lower::error::InputErrorKind;
use crate::program::{
    Assertion, AssertionId, Assumption, Claim, ClaimRole, Expr, Formula, Function, FunctionId, Location, Lvalue,
    Origin, StmtKind, Storage, Type, VarId,
};
use lang_c::span::Span;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The postconditions of the current function.
#[derive(Default)]
pub(in crate::lower) struct Ensures {
    claims: Vec<(Formula, ClaimRole)>,
    /// Where the values of parameters at the call are kept.
    pub(super) saved: HashMap<VarId, VarId>,
    /// Holds what is returned.
    result: Option<Lvalue>,
}

impl Ensures {
    /// No postconditions, and no copies of parameters, which do not change.
    pub(super) fn of_constant(parameters: &[VarId]) -> Ensures {
        Ensures { saved: parameters.iter().map(|p| (*p, *p)).collect(), ..Ensures::default() }
    }
}

/// A clause of a contract.
pub(super) struct ContractClause {
    pub(super) node: Node,
    /// The behavior that it belongs to.
    pub(super) behavior: Option<String>,
    /// Its names of the parameters, if they differ from those of the definition.
    pub(super) names: Option<ParameterNames>,
    pub(super) mode: Mode,
    /// Where it stands, and its text.
    pub(super) place: (Location, String),
}

/// The clauses of a contract.
#[derive(Default)]
pub(super) struct Sorted {
    pub(super) requires: Vec<ContractClause>,
    pub(super) ensures: Vec<ContractClause>,
    pub(super) assigns: Vec<AssignsClause>,
    pub(super) behaviors: Behaviors,
    /// That behaviors are complete or disjoint: the clause, its place and its text.
    pub(super) relations: Vec<(ClauseKind, (Location, String))>,
    pub(super) unchecked: Vec<Unchecked>,
    /// What it says about blocks of memory.
    pub(super) blocks: Vec<Unchecked>,
}

impl Lowerer<'_> {
    /// The contract of a function whose body begins here.
    pub(in crate::lower) fn contract(&mut self, id: FunctionId, parameters: &[VarId]) -> Lowered<()> {
        let name = self.program.function(id).name.clone();
        let Sorted { requires, ensures, assigns, behaviors, relations, mut unchecked, blocks } = self.sorted(id, &name);
        unchecked.extend(blocks);
        self.unchecked_clauses(id, parameters, unchecked);
        let behaviors = Rc::new((behaviors, parameters.to_vec()));
        self.annotations.behaviors = behaviors.clone();
        let behaviors = &behaviors.0;
        let is_entry = name == self.options.entry;
        let mut usable = Vec::new();
        for part in requires {
            let (node, mode) = (&part.node, part.mode);
            // Nothing relies on what a `check` says of pointers.
            let mut logic = Logic { before: mode != Mode::Check, at_start: true, ..Logic::default() };
            let formula = match self.required(&part, behaviors, parameters, &mut logic) {
                Ok(formula) => formula,
                Err(e) => {
                    let reason = self.reason(&e);
                    let kind = ClauseKind::Requires(part.node).with_mode(mode);
                    self.unusable_clause(&name, &kind, part.place, &reason);
                    continue;
                }
            };
            self.leads(&logic.valid);
            let at = self.at(super::resolve::span(node));
            if !is_entry {
                self.required_at_calls(node, formula, &logic, mode);
                continue;
            }
            if mode == Mode::Check {
                let (text, place) = (self.text_of(node), self.program.sources.describe(at));
                let note = format!("`check requires {text}` is not checked at calls from outside ({place})");
                self.program.notes.push(note);
                self.annotations.checked_of_entry.push((ClauseKind::Requires(part.node).with_mode(mode), part.place));
                continue;
            }
            let (text, name) = (self.text_of(node), self.options.entry.clone());
            if !formula.is_trivial() {
                self.annotations.of_entry.push((formula.clone(), text.clone(), at));
            }
            self.assume_that(format!("`{name}` is called where `{text}` holds"));
            if !self.options.alone {
                self.emit_claim(formula, ClaimRole::Assume, at);
            }
            usable.push(part);
        }
        if is_entry && self.options.alone {
            self.start_function(id, parameters, &usable, behaviors)?;
        }
        for (kind, place) in relations {
            self.claim_behaviors(&kind, behaviors, parameters, place);
        }
        let mut saved = HashMap::new();
        if !(ensures.is_empty() && assigns.is_empty()) {
            saved.extend(parameters.iter().map(|p| (*p, self.saved_value(*p))));
        }
        if let Some(f) = &mut self.function {
            f.ensures.saved.clone_from(&saved);
        }
        self.function_assigns(id, parameters, &saved, assigns, behaviors);
        self.postconditions(parameters, saved, ensures, behaviors);
        Ok(())
    }

    /// Claims a precondition where the body begins, of which every call gets a copy.
    pub(super) fn required_at_calls(&mut self, node: &Node, formula: Formula, logic: &Logic, mode: Mode) {
        if !logic.valid.is_empty() {
            let text = self.text_of(node);
            let sentence = "clauses of contracts about pointers (`\\valid`) hold at calls, where they are not checked";
            self.assume_that(Assumption::about(sentence, text));
        }
        // What it says of pointers is assumed, and nothing may be left.
        if !formula.is_trivial() {
            let at = self.at(super::resolve::span(node));
            if mode == Mode::Admit {
                let (function, text) = (self.function_name().to_owned(), self.text_of(node));
                self.assume_that(format!("`{function}` is called where `{text}` holds"));
                return self.emit_claim(formula, ClaimRole::Assume, at);
            }
            let assertion = self.new_obligation("requires", "", node);
            let role = if mode == Mode::Check { ClaimRole::Check } else { ClaimRole::Assert };
            self.emit_claim(formula, role(assertion), at);
        }
    }

    /// The clauses of a contract by kind. Those that are not understood become obligations that
    /// nothing judges.
    pub(super) fn sorted(&mut self, id: FunctionId, name: &str) -> Sorted {
        let mut sorted = Sorted::default();
        for (clause, names) in self.clauses_of(id) {
            let place = (self.at(Span::span(clause.start, clause.end)), self.clause_text(&clause));
            let (behavior, mode, from) = (clause.behavior, clause.mode, clause.from);
            behavior.iter().for_each(|b| sorted.behaviors.note(b));
            match (clause.kind, behavior) {
                (ClauseKind::Requires(node), behavior) => {
                    sorted.requires.push(ContractClause { node, behavior, names, mode, place })
                }
                (ClauseKind::Ensures(node), behavior) => {
                    sorted.ensures.push(ContractClause { node, behavior, names, mode, place })
                }
                (ClauseKind::Assumes(node), Some(behavior)) => sorted.behaviors.assume(&behavior, node, names),
                (kind @ ClauseKind::Assumes(_), None) => {
                    self.unusable_clause(name, &kind, place, "`assumes` must stand in a behavior");
                }
                (kind @ (ClauseKind::Complete(_) | ClauseKind::Disjoint(_)), _) => sorted.relations.push((kind, place)),
                (ClauseKind::Assigns(mut nodes), behavior) => {
                    // The result is no object of the program.
                    if self.function.as_ref().is_some_and(|f| !matches!(f.result, Type::Void)) {
                        nodes.retain(|n| !matches!(n.kind, NodeKind::Result));
                    }
                    sorted.assigns.push(AssignsClause { nodes, from, behavior, names, place });
                }
                (kind @ ClauseKind::Blocks(_), behavior) => {
                    sorted.blocks.push(Unchecked { kind, always: behavior.is_none(), names, place });
                }
                (kind @ (ClauseKind::Exits(_) | ClauseKind::Terminates(_) | ClauseKind::Decreases(..)), behavior) => {
                    sorted.unchecked.push(Unchecked { kind, always: behavior.is_none(), names, place });
                }
                (ClauseKind::Unusable(unusable), Some(behavior)) if unusable.word == "assumes" => {
                    sorted.behaviors.cannot_read(&behavior, &unusable.reason);
                }
                (ClauseKind::Unusable(unusable), _) => {
                    let reason = unusable.reason.clone();
                    self.unusable_clause(name, &ClauseKind::Unusable(unusable), place, &reason);
                }
                _ => {}
            }
        }
        sorted
    }

    /// Claims the precondition of the entry where the program itself calls it, as for any call.
    /// Only calls from outside may assume it.
    pub(in crate::lower) fn calls_of_entry(&mut self) -> Lowered<()> {
        let parts = std::mem::take(&mut self.annotations.of_entry);
        let checked = std::mem::take(&mut self.annotations.checked_of_entry);
        let name = self.options.entry.clone();
        let alone = self.annotations.start.is_some();
        let named = |f: &Function| f.name == name && f.body.is_some();
        let has_any = !(parts.is_empty() && checked.is_empty());
        let Some(n) = self.program.functions.iter().position(named).filter(|_| has_any) else {
            return Ok(());
        };
        let mut calls = 0;
        crate::lower::prune::each_function(&mut self.program, &mut |id| calls += usize::from(id.0 as usize == n));
        if calls <= usize::from(alone) {
            return Ok(());
        }
        for (kind, place) in checked {
            let reason = format!("calls of `{name}` from outside and from the program are not told apart");
            self.unjudged_at(&name, &kind, place, &reason);
        }
        if parts.is_empty() {
            return Ok(());
        }
        if !alone {
            let message = format!("`{name}` has a precondition, and the program calls it");
            return self.fail_at(InputErrorKind::Unsupported, self.program.functions[n].location, message);
        }
        let mut claims = Vec::new();
        for (formula, condition, location) in parts {
            let id = self.obligation_id(&name, "requires", "");
            self.program.assertions.push(Assertion {
                id,
                function: name.clone(),
                location,
                condition,
                failure: None,
                unsupported: None,
            });
            let role = ClaimRole::Assert(AssertionId((self.program.assertions.len() - 1) as u32));
            claims.push(self.stmt(StmtKind::Claim(Box::new(Claim { formula, role })), location));
        }
        if let Some(body) = &mut self.program.functions[n].body {
            body.splice(0..0, claims);
        }
        Ok(())
    }

    fn postconditions(
        &mut self,
        parameters: &[VarId],
        saved: HashMap<VarId, VarId>,
        ensures: Vec<ContractClause>,
        behaviors: &Behaviors,
    ) {
        let Some(first) = ensures.first() else { return };
        let returned = self.function.as_ref().map_or(Type::Void, |f| f.result.clone());
        let mut result = None;
        if returned.is_scalar() || matches!(returned, Type::Struct(_)) {
            let at = self.at(super::resolve::span(&first.node));
            result = Some(self.hidden_variable("result".into(), Origin::Result, returned, at));
        }
        let mut claims = Vec::new();
        for (ContractClause { node, place, mode, behavior, .. }, formula) in
            self.ensured_formulas(parameters, &saved, result.as_ref(), ensures, behaviors)
        {
            match formula {
                Ok(formula) if mode == Mode::Admit => {
                    let (function, text) = (self.function_name().to_owned(), self.text_of(&node));
                    let runs = super::behaviors::only_runs(behavior.as_slice());
                    let at = self.program.sources.describe(place.0);
                    self.assume_that(format!("`{text}` holds where `{function}` returns{runs} ({at})"));
                    claims.push((formula, ClaimRole::Assume));
                }
                Ok(formula) => {
                    let role = if mode == Mode::Check { ClaimRole::Check } else { ClaimRole::Assert };
                    claims.push((formula, role(self.new_obligation("ensures", "", &node))));
                }
                Err(e) => {
                    let (function, reason) = (self.function_name().to_owned(), self.reason(&e));
                    self.unjudged_at(&function, &ClauseKind::Ensures(node).with_mode(mode), place, &reason);
                }
            }
        }
        if let Some(f) = &mut self.function {
            f.ensures = Ensures { claims, result, saved };
        }
    }

    /// What must hold at the end of the function that begins here. `saved` says where the values of
    /// parameters at the call are kept.
    pub(super) fn ensured_formulas(
        &mut self,
        parameters: &[VarId],
        saved: &HashMap<VarId, VarId>,
        result: Option<&Lvalue>,
        ensures: Vec<ContractClause>,
        behaviors: &Behaviors,
    ) -> Vec<(ContractClause, Lowered<Formula>)> {
        let result = result.and_then(Lvalue::as_var);
        let logic = || Logic { after: true, result, saved: saved.clone(), ..Logic::default() };
        let mut found = Vec::new();
        // When behaviors apply is found out where the function begins, once for each.
        let mut applied: BTreeMap<String, Formula> = BTreeMap::new();
        for clause in ensures {
            let applies = match &clause.behavior {
                None => Ok(Formula::Constant(true)),
                Some(name) => match applied.get(name) {
                    Some(known) => Ok(known.clone()),
                    None => {
                        let found = self.applied_at_start(behaviors, name, parameters, &logic(), clause.place.0);
                        applied.extend(found.iter().map(|f| (name.clone(), f.clone())));
                        found
                    }
                },
            };
            let formula = applies.and_then(|applies| {
                // Quantified variables of different clauses may share their names.
                let mut own = logic();
                let formula =
                    self.with_names(clause.names.as_ref(), parameters, |l| l.formula_of(&clause.node, &mut own))?;
                Ok(under(applies, formula))
            });
            found.push((clause, formula));
        }
        found
    }

    /// Lowers `return value`, with what must hold there.
    pub(in crate::lower) fn return_value(&mut self, value: Option<Expr>, at: Location) {
        let kept = self.function.as_ref().and_then(|f| f.ensures.result.clone());
        let value = match (value, kept) {
            (Some(value), Some(kept)) => {
                self.emit(StmtKind::Assign(kept.clone(), value), at);
                Some(Expr::load(kept))
            }
            (value, _) => value,
        };
        self.ensured(at);
        self.emit(StmtKind::Return(value), at);
    }

    /// Claims what must hold where the function returns.
    pub(in crate::lower) fn ensured(&mut self, at: Location) {
        let claims = self.function.as_ref().map(|f| f.ensures.claims.clone()).unwrap_or_default();
        for (formula, role) in claims {
            self.emit_claim(formula, role, at);
        }
    }

    /// Gives globals any values, except those that the source declares constant, and strings. (A
    /// literal `(int[]){…}` is an object like any other.)
    pub(in crate::lower) fn free_globals(&mut self) {
        let globals = self.program.globals.clone();
        let free = |l: &Self, v: VarId| {
            let variable = l.program.variable(v);
            variable.storage == Storage::Global && !l.program.is_literal(v) && !l.constants.contains(&v)
        };
        let mut initialisers = std::mem::take(&mut self.program.initialisers);
        initialisers.retain(|s| match &s.kind {
            StmtKind::Assign(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => {
                !matches!(l.base, crate::program::Base::Var(v) if free(self, v))
            }
            StmtKind::Declare(v) => !free(self, *v),
            _ => true,
        });
        let mut first = Vec::new();
        let free: Vec<VarId> = globals.into_iter().filter(|v| free(self, *v)).collect();
        for v in free {
            // What the start function sets needs no value before.
            let is_set = self.annotations.start.as_ref().is_some_and(|start| start.globals.contains(&v));
            first.push(match is_set {
                true => self.stmt(StmtKind::Declare(v), self.program.variable(v).location),
                false => self.starts_with_any_value(v),
            });
        }
        first.append(&mut initialisers);
        self.program.initialisers = first;
    }
}

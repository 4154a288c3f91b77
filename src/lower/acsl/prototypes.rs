//! Contracts of declarations that are not definitions. All contracts of a function are parts of one
//! contract. In each part, parameters have the names of its own declaration.
//!
//! A definition takes the contracts that stand before it in its file. A contract after it or in
//! another file is not read with the definition, and becomes an obligation that nothing judges.

use super::syntax::{Clause, ClauseKind, Role};
use crate::lower::context::{Lowerer, Scope, Symbol};
use crate::lower::functions::{declared_name, innermost};
use crate::lower::prune::each_function;
use crate::program::{FunctionId, Location, VarId};
use lang_c::ast::{Declaration, DerivedDeclarator};
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// The contract of a declaration.
pub(in crate::lower) struct Prototype {
    /// The clauses, with the place and the text of each.
    clauses: Vec<(Clause, Location, String)>,
    /// The declaration's names of the parameters.
    names: ParameterNames,
    /// The file.
    unit: usize,
}

/// A declaration's names of the parameters, in order; empty for a parameter without a name.
pub(super) type ParameterNames = Rc<Vec<String>>;

impl Lowerer<'_> {
    /// Keeps the contract before a declaration for the definition.
    pub(in crate::lower) fn contract_of_declaration(&mut self, declaration: &Node<Declaration>) {
        if self.annotations.contract.is_empty() {
            return;
        }
        let declared = match declaration.node.declarators.as_slice() {
            [one] => declared_name(&one.node.declarator).map(|name| (name, innermost(&one.node.declarator).1)),
            _ => None,
        };
        let Some((name, derived)) = declared else { return self.misplaced_contract() };
        let Some(Symbol::Function(id)) = self.lookup(&name.node.name).cloned() else {
            return self.misplaced_contract();
        };
        let mut names = Vec::new();
        if let Some(DerivedDeclarator::Function(f)) = derived {
            for p in &f.node.parameters {
                let name = p.node.declarator.as_ref().and_then(declared_name);
                names.push(name.map_or(String::new(), |n| n.node.name.clone()));
            }
        }
        let mut clauses = Vec::new();
        for clause in std::mem::take(&mut self.annotations.contract) {
            let (at, text) = (self.at(Span::span(clause.start, clause.end)), self.clause_text(&clause));
            clauses.push((clause, at, text));
        }
        let prototype = Prototype { clauses, names: Rc::new(names), unit: self.unit_number };
        self.annotations.prototypes.entry(id).or_default().push(prototype);
    }

    /// The whole contract of a definition that begins here; each clause with the names of
    /// parameters if those are not the definition's.
    pub(super) fn clauses_of(&mut self, id: FunctionId) -> Vec<(Clause, Option<ParameterNames>)> {
        let mut found = Vec::new();
        let (here, elsewhere) = self
            .annotations
            .prototypes
            .remove(&id)
            .unwrap_or_default()
            .into_iter()
            .partition(|p: &Prototype| p.unit == self.unit_number);
        let (here, elsewhere): (Vec<Prototype>, Vec<Prototype>) = (here, elsewhere);
        if !elsewhere.is_empty() {
            self.annotations.prototypes.insert(id, elsewhere);
        }
        for prototype in here {
            for (clause, at, _) in prototype.clauses {
                self.annotations.taken.insert((id, at));
                found.push((clause, Some(prototype.names.clone())));
            }
        }
        found.extend(std::mem::take(&mut self.annotations.contract).into_iter().map(|clause| (clause, None)));
        found
    }

    /// Runs `inside` with the names of a declaration's parameters meaning these variables, and all
    /// other names meaning those of file scope.
    pub(super) fn with_names<T>(
        &mut self,
        names: Option<&ParameterNames>,
        parameters: &[VarId],
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Some(names) = names else { return inside(self) };
        let own = self.scopes.split_off(1);
        let mut scope = Scope::default();
        for (name, v) in names.iter().zip(parameters).filter(|(name, _)| !name.is_empty()) {
            scope.symbols.insert(name.clone(), Symbol::Variable(*v));
        }
        self.scopes.push(scope);
        let result = inside(self);
        self.scopes.truncate(1);
        self.scopes.extend(own);
        result
    }

    /// Handles the contracts that no definition has taken.
    pub(in crate::lower) fn contracts_left(&mut self) {
        let mut called = vec![false; self.program.functions.len()];
        each_function(&mut self.program, &mut |id| called[id.0 as usize] = true);
        for (id, prototypes) in std::mem::take(&mut self.annotations.prototypes) {
            let function = self.program.function(id);
            let (name, has_body) = (function.name.clone(), function.body.is_some());
            let clauses: Vec<_> = prototypes.into_iter().flat_map(|p| p.clauses).collect();
            if !has_body && !called[id.0 as usize] {
                if let (Some((_, at, _)), Some(_)) = (clauses.first(), self.known_role(&name)) {
                    let place = self.program.sources.describe(*at);
                    let note = format!(
                        "the contract of `{name}` is not used, because smalti has its own model of this function ({place})"
                    );
                    self.program.notes.push(note);
                    continue;
                }
                for (clause, at, text) in clauses {
                    if let ClauseKind::Unusable(unusable) = &clause.kind
                        && self.annotations.taken.insert((id, at))
                    {
                        let (reason, place) = (&unusable.reason, self.program.sources.describe(at));
                        let note = format!("`{text}` is not checked: {reason} (nothing calls `{name}`; {place})");
                        self.program.notes.push(note);
                    }
                }
                continue;
            }
            for (clause, at, text) in clauses {
                // A contract in a header that several files include counts once.
                if !self.annotations.taken.insert((id, at)) {
                    continue;
                }
                if has_body {
                    let reason = "the contract of a prototype is read only if the prototype stands before the function's body in the same file";
                    self.unusable_clause(&name, &clause.kind, (at, text), reason);
                } else if is_precondition(&clause.kind) {
                    let reason = format!("`{name}` has no body, and preconditions are checked where bodies begin");
                    self.unjudged_at(&name, &clause.kind, (at, text), &reason);
                } else {
                    let place = self.program.sources.describe(at);
                    let doubt = format!("`{name}` has no body, and `{text}` in its contract is not used ({place})");
                    self.program.gaps.callees.push(doubt);
                }
            }
        }
    }

    /// Handles a clause of a contract that cannot be used. If it is a precondition of the entry,
    /// everything that the entry reaches is left open.
    pub(super) fn unusable_clause(
        &mut self,
        function: &str,
        kind: &ClauseKind,
        (at, text): (Location, String),
        reason: &str,
    ) {
        if is_precondition(kind) && function == self.options.entry {
            let place = self.program.sources.describe(at);
            let reason = format!("`{text}`, which `{function}` relies on, is not understood: {reason} ({place})");
            self.program.gaps.assumptions.push((function.to_owned(), reason));
        }
        self.unjudged_at(function, kind, (at, text), reason);
    }
}

/// Whether the function assumes the clause.
fn is_precondition(kind: &ClauseKind) -> bool {
    match kind {
        ClauseKind::Requires(_) => true,
        ClauseKind::Unusable(u) => matches!(u.role, Role::Precondition | Role::Assumption),
        _ => false,
    }
}

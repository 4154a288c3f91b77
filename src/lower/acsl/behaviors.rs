//! Behaviors: parts of a contract that count where their `assumes` hold when the function begins.
//!
//! `behavior b: assumes A; requires R; ensures E;` means `requires A ==> R` and
//! `ensures \old(A) ==> E` (ACSL 1.17, 2.3.3). `complete behaviors` and `disjoint behaviors` are
//! claimed at the start of the body, after what is required outside of behaviors.

use super::contracts::ContractClause;
use super::prototypes::ParameterNames;
use super::resolve::{Logic, span};
use super::syntax::{ClauseKind, Node};
use crate::lower::context::{Lowered, Lowerer};
use crate::lower::error::{InputError, InputErrorKind};
use crate::program::{Assertion, BinaryOp, ClaimRole, Formula, Location, Origin, Root, Term, Type, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The behaviors of a contract: what each assumes. One without `assumes` always applies.
#[derive(Default)]
pub(super) struct Behaviors {
    assumes: BTreeMap<String, Vec<Assumes>>,
    /// The behaviors of which a clause is not understood, and why.
    unreadable: BTreeMap<String, String>,
}

/// One condition under which a behavior applies, with the names of parameters of its declaration.
type Assumes = (Node, Option<ParameterNames>);

impl Behaviors {
    /// Notes a behavior that some clause belongs to.
    pub(super) fn note(&mut self, name: &str) {
        self.assumes.entry(name.to_owned()).or_default();
    }

    /// Notes what a behavior assumes.
    pub(super) fn assume(&mut self, name: &str, node: Node, names: Option<ParameterNames>) {
        self.assumes.entry(name.to_owned()).or_default().push((node, names));
    }

    /// Notes that it is not known when a behavior applies.
    pub(super) fn cannot_read(&mut self, name: &str, reason: &str) {
        self.note(name);
        self.unreadable.entry(name.to_owned()).or_insert_with(|| reason.to_owned());
    }
}

impl Lowerer<'_> {
    /// When a behavior applies, where the function begins.
    fn applies(&mut self, behaviors: &Behaviors, name: &str, parameters: &[VarId]) -> Lowered<Formula> {
        self.applies_in(behaviors, name, parameters, &Logic { at_start: true, ..Logic::default() })
    }

    fn applies_in(
        &mut self,
        behaviors: &Behaviors,
        name: &str,
        parameters: &[VarId],
        logic: &Logic,
    ) -> Lowered<Formula> {
        if let Some(reason) = behaviors.unreadable.get(name) {
            let message = format!("it is not known when the behavior `{name}` applies: {reason}");
            return Err(InputError::new(InputErrorKind::Unsupported, message));
        }
        let mut formula = Formula::Constant(true);
        for (node, names) in behaviors.assumes.get(name).into_iter().flatten() {
            // Quantified variables of different clauses may share their names.
            let mut own = Logic { after: logic.after, at_start: true, saved: logic.saved.clone(), ..Logic::default() };
            let one = self.with_names(names.as_ref(), parameters, |l| l.formula_of(node, &mut own))?;
            formula = match formula {
                Formula::Constant(true) => one,
                all => Formula::And(Box::new(all), Box::new(one)),
            };
        }
        Ok(formula)
    }

    /// A formula in the current scope, in the runs to which one of the behaviors applies.
    pub(super) fn formula_for(&mut self, node: &Node, only_for: &[String]) -> Lowered<Formula> {
        let formula = self.closed_formula(node)?;
        self.only_for(only_for, formula, node)
    }

    /// `for a, b: P` is `\at(A || B, Pre) ==> P`, where `A` and `B` are what the behaviors assume
    /// (ACSL 1.17, 2.4.1).
    pub(super) fn only_for(&mut self, names: &[String], formula: Formula, node: &Node) -> Lowered<Formula> {
        if names.is_empty() {
            return Ok(formula);
        }
        let of_function = self.annotations.behaviors.clone();
        let (behaviors, parameters) = &*of_function;
        let own = parameters.iter().map(|p| self.program.variable(*p)).map(|v| match v.origin.is_hidden() {
            true => String::new(),
            false => v.name.clone(),
        });
        let own: ParameterNames = Rc::new(own.collect());
        let mut either: Option<Formula> = None;
        for name in names {
            if !behaviors.assumes.contains_key(name) {
                return self.wrong(span(node), format!("there is no behavior `{name}`"));
            }
            if let Some(reason) = behaviors.unreadable.get(name) {
                let message = format!("it is not known when the behavior `{name}` applies: {reason}");
                return self.unsupported(span(node), message);
            }
            let mut applies = Formula::Constant(true);
            for (assumed, declared) in behaviors.assumes.get(name).into_iter().flatten() {
                let mut logic = Logic::at_the_start();
                let names = declared.as_ref().unwrap_or(&own);
                let one = self.with_names(Some(names), parameters, |l| l.formula_of(assumed, &mut logic))?;
                applies = match applies {
                    Formula::Constant(true) => one,
                    all => Formula::And(Box::new(all), Box::new(one)),
                };
            }
            either = Some(match either {
                None => applies,
                Some(others) => Formula::Or(Box::new(others), Box::new(applies)),
            });
        }
        Ok(under(either.unwrap_or(Formula::Constant(true)), formula))
    }

    /// A formula of a precondition, if the behavior that it belongs to applies.
    pub(super) fn required(
        &mut self,
        clause: &ContractClause,
        behaviors: &Behaviors,
        parameters: &[VarId],
        logic: &mut Logic,
    ) -> Lowered<Formula> {
        let Some(name) = &clause.behavior else {
            return self.with_names(clause.names.as_ref(), parameters, |l| l.formula_of(&clause.node, logic));
        };
        let applies = self.applies(behaviors, name, parameters)?;
        // What it says of pointers holds under a condition only.
        let mut inside = Logic { at_start: true, ..Logic::default() };
        let formula =
            self.with_names(clause.names.as_ref(), parameters, |l| l.formula_of(&clause.node, &mut inside))?;
        Ok(under(applies, formula))
    }

    /// Whether a behavior applied when the function began, as a formula for its end. `logic` says
    /// where the values of parameters at the call are kept.
    pub(super) fn applied_at_start(
        &mut self,
        behaviors: &Behaviors,
        name: &str,
        parameters: &[VarId],
        logic: &Logic,
        at: Location,
    ) -> Lowered<Formula> {
        let now = self.applies(behaviors, name, parameters)?;
        let mut only_parameters = true;
        now.each_place(&mut |place| {
            let variable = match &place.root {
                Root::Variable(l) if place.steps.is_empty() => l.as_var(),
                _ => None,
            };
            only_parameters &= variable.is_some_and(|v| parameters.contains(&v));
        });
        if only_parameters {
            let after = Logic { after: true, saved: logic.saved.clone(), ..Logic::default() };
            return self.applies_in(behaviors, name, parameters, &after);
        }
        // Cells may have changed by then, so the answer is kept: a number that may be anything, and
        // is 1 exactly if the behavior applies.
        let flag = self.hidden_variable(format!("applies_{name}"), Origin::Old, Type::INT, at);
        let node = Node { kind: super::syntax::NodeKind::True, start: 0, end: 0 };
        let Some(variable) = flag.as_var() else {
            return self.unsupported(super::resolve::span(&node), "this behavior is not supported");
        };
        let value = Term::Read(Box::new(self.variable_place(variable, &node)));
        let is = |n| Formula::Compare(BinaryOp::Equal, value.clone(), Term::Int(n));
        let both = |a: Formula, b: Formula| Formula::And(Box::new(a), Box::new(b));
        let applies = both(is(1), now.clone());
        let does_not = both(is(0), Formula::Not(Box::new(now)));
        self.emit_claim(Formula::Or(Box::new(applies), Box::new(does_not)), ClaimRole::Assume, at);
        Ok(is(1))
    }

    /// Claims that behaviors are complete, or disjoint.
    pub(super) fn claim_behaviors(
        &mut self,
        kind: &ClauseKind,
        behaviors: &Behaviors,
        parameters: &[VarId],
        (location, condition): (Location, String),
    ) {
        let (word, named) = match kind {
            ClauseKind::Complete(names) => ("complete", names),
            ClauseKind::Disjoint(names) => ("disjoint", names),
            _ => return,
        };
        let all: Vec<&String> =
            if named.is_empty() { behaviors.assumes.keys().collect() } else { named.iter().collect() };
        if all.is_empty() {
            let function = self.function_name().to_owned();
            return self.unjudged_at(&function, kind, (location, condition), "the contract has no behaviors");
        }
        let mut applies = Vec::new();
        for name in all {
            let formula = match behaviors.assumes.contains_key(name) {
                true => self.applies(behaviors, name, parameters),
                false => Err(InputError::new(InputErrorKind::Unsupported, format!("there is no behavior `{name}`"))),
            };
            match formula {
                Ok(formula) => applies.push(formula),
                Err(e) => {
                    let (function, reason) = (self.function_name().to_owned(), self.reason(&e));
                    return self.unjudged_at(&function, kind, (location, condition), &reason);
                }
            }
        }
        let not = |f: Formula| Formula::Not(Box::new(f));
        let formula = if word == "complete" {
            applies.into_iter().reduce(Formula::or).unwrap_or(Formula::Constant(false))
        } else {
            let mut apart = Vec::new();
            for (n, a) in applies.iter().enumerate() {
                let others = applies[n + 1..].iter();
                apart.extend(others.map(|b| not(Formula::And(Box::new(a.clone()), Box::new(b.clone())))));
            }
            apart.into_iter().reduce(Formula::and).unwrap_or(Formula::Constant(true))
        };
        let function = self.function_name().to_owned();
        let id = self.obligation_id(&function, word, "");
        let id =
            self.push_obligation(Assertion { id, function, location, condition, failure: None, unsupported: None });
        self.emit_claim(formula, ClaimRole::Assert(id), location);
    }
}

/// The runs to which one of the behaviors applies, in words.
pub(super) fn only_runs(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!(" in runs to which `{}` applies", names.join("` or `")),
    }
}

/// `applies ==> formula`
pub(super) fn under(applies: Formula, formula: Formula) -> Formula {
    match applies {
        Formula::Constant(true) => formula,
        applies => Formula::Implies(Box::new(applies), Box::new(formula)),
    }
}

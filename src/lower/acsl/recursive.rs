//! Logic functions that are defined by recursion, and lemmas about them.
//!
//! Other definitions are unfolded where they are used. A recursive one becomes a function of the
//! program ([`LogicFunction`]): its pointers are sequences of elements, taken at one moment, and
//! its body reads nothing else. A lemma is taken for granted, which the report lists.

use super::moments::Moment;
use super::resolve::{BOUND_BITS, Logic, Value, pointer, span};
use super::syntax::{Binder, ClauseKind, Node, NodeKind, Predicate};
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{
    Application, Assumption, BinaryOp, BoundId, Elements, Formula, IntKind, Lemma, LogicFunction, LogicId, Root, Term,
    TermLvalue, TermOp, Type, Visit,
};
use std::collections::{HashMap, HashSet};

/// The assumption about the definition of a recursive function. (`f(n) == f(n) + 1` has no
/// solution.)
const SOLVED: &str = "there is a function that satisfies its recursive definition in the annotations";
/// The assumption about a lemma.
const GRANTED: &str = "a lemma of the annotations holds, which is not proved";

impl Lowerer<'_> {
    /// Whether a definition uses itself, or has no body.
    pub(super) fn is_recursive(&self, defined: &Predicate) -> bool {
        if defined.is_declared {
            return true;
        }
        let own = (defined.name.clone(), defined.parameters.len());
        let (mut seen, mut open) = (HashSet::new(), vec![own.clone()]);
        while let Some((name, count)) = open.pop() {
            let all = self.annotations.predicates.get(&name).into_iter().flatten();
            for p in all.filter(|p| p.parameters.len() == count) {
                let mut calls = Vec::new();
                applied_in(&p.body, &mut calls);
                if calls.contains(&own) {
                    return true;
                }
                open.extend(calls.into_iter().filter(|c| seen.insert(c.clone())));
            }
        }
        false
    }

    /// The application of a recursive function.
    pub(super) fn recursion(
        &mut self,
        defined: &Predicate,
        values: Vec<Value>,
        labels: &[String],
        node: &Node,
        logic: &Logic,
    ) -> Lowered<Value> {
        let function = self.logic_function(defined, node)?;
        let (_, moment) = self.moments(&defined.name, defined, labels, node, logic)?;
        let (mut numbers, mut elements) = (Vec::new(), Vec::new());
        for (value, parameter) in values.into_iter().zip(&defined.parameters) {
            let value = self.evaluated(value, node, logic)?;
            if !parameter.is_pointer {
                numbers.push(self.as_term(value, node, logic.moment)?.0);
                continue;
            }
            let Some((place, offset, _)) = pointer(&value) else {
                return self.wrong(span(node), format!("`{}` must be a pointer", parameter.name));
            };
            let mut first = self.element_place(place, offset, node)?;
            if self.kind_named(&parameter.ty).flatten().map(Type::Int).as_ref() != Some(&first.ty) {
                let message = format!("`{}` must point to numbers of the type `{}`", parameter.name, parameter.ty);
                return self.wrong(span(node), message);
            }
            let at = match moment {
                Moment::Now => None,
                Moment::Before(number) => Some(self.snapshot_for(&first, number, node)?),
                Moment::Label(label) => {
                    if let Root::Elements { sequence, .. } = &mut first.root {
                        *sequence += label;
                    }
                    None
                }
            };
            elements.push(Elements { first, at });
        }
        let value = Term::Apply(Box::new(Application { function, numbers, elements }));
        Ok(match is_truth(defined) {
            // A predicate is a function whose value is not 0 where it holds.
            true => Value::Formula(Formula::Compare(BinaryOp::NotEqual, value, Term::Int(0))),
            false => Value::Term(value, BOUND_BITS),
        })
    }

    /// The function of the program that a definition is.
    fn logic_function(&mut self, defined: &Predicate, node: &Node) -> Lowered<LogicId> {
        let key = (defined.name.clone(), format!("{:?}", defined.parameters));
        match self.annotations.functions.get(&key) {
            Some(Ok(id)) => return Ok(*id),
            Some(Err(reason)) => {
                let message = format!("the definition of `{}` is not understood: {reason}", defined.name);
                return self.unsupported(span(node), message);
            }
            None => {}
        }
        if defined.is_declared
            && let Some(reason) = self.cannot_be_declared(defined)
        {
            let message = format!("`{}` has no body, and {reason}", defined.name);
            return self.unsupported(span(node), message);
        }
        let id = LogicId(u32::try_from(self.program.logic.len()).unwrap_or(u32::MAX));
        let location = self.at(span(&defined.body));
        let (mut arguments, mut numbers, mut itself) = (HashMap::new(), Vec::new(), Vec::new());
        for parameter in &defined.parameters {
            let value = if parameter.is_pointer {
                let kind = self.kind_named(&parameter.ty).flatten();
                let place = sequence(itself.len(), kind.unwrap_or(IntKind::Int), location);
                let first = TermLvalue { ty: Type::Int(kind.unwrap_or(IntKind::Int)), ..place.clone() };
                itself.push(Elements { first, at: None });
                Value::Object(place)
            } else {
                let bound = BoundId(numbers.len() as u32);
                numbers.push(bound);
                Value::Term(Term::Bound(bound), BOUND_BITS)
            };
            arguments.insert(parameter.name.clone(), value);
        }
        // Until its body is known, all that is said of it is that it is equal to itself.
        let applied =
            Application { function: id, numbers: numbers.iter().map(|b| Term::Bound(*b)).collect(), elements: itself };
        self.program.logic.push(LogicFunction {
            name: defined.name.clone(),
            numbers: numbers.clone(),
            elements: applied.elements.len(),
            body: Term::Apply(Box::new(applied)),
        });
        self.annotations.functions.insert(key.clone(), Ok(id));
        if defined.is_declared {
            return Ok(id);
        }
        let mut logic = Logic {
            next_bound: numbers.len() as u32,
            arguments: Some(arguments),
            labels: defined.labels.iter().map(|l| (l.clone(), Moment::Now)).collect(),
            is_closed: true,
            ..Logic::default()
        };
        let body = if is_truth(defined) {
            let holds = self.formula_of(&defined.body, &mut logic);
            holds.map(|holds| (Term::If(Box::new(holds), Box::new(Term::Int(1)), Box::new(Term::Int(0))), 2))
        } else {
            self.term_of(&defined.body, &mut logic)
        };
        let body = body.and_then(|(body, _)| {
            if divides_by_unknown(&body) {
                let message = "a recursive definition may divide only by constants";
                return self.unsupported(span(&defined.body), message);
            }
            Ok(body)
        });
        match body {
            Ok(body) => {
                self.program.logic[id.0 as usize].body = body;
                self.assume_that(Assumption::about(SOLVED, &defined.name));
                Ok(id)
            }
            Err(e) => {
                let reason = self.reason(&e);
                self.annotations.functions.insert(key, Err(reason));
                Err(e)
            }
        }
    }

    /// Why nothing can be said of a definition without a body.
    fn cannot_be_declared(&self, defined: &Predicate) -> Option<String> {
        if let Some(p) = defined.parameters.iter().find(|p| p.is_pointer || self.kind_named(&p.ty).is_none()) {
            return Some(format!("`{}` is no number", p.name));
        }
        if !defined.reads.is_empty() {
            return Some("it reads memory".to_owned());
        }
        let is_number = defined.ty.as_ref().is_some_and(|ty| self.kind_named(ty).is_some());
        (!is_number && !is_truth(defined)).then(|| "its values are no numbers".to_owned())
    }

    /// Takes the lemmas for granted that are about functions of the program.
    pub(super) fn lemmas(&mut self) {
        for clause in std::mem::take(&mut self.annotations.lemmas) {
            let ClauseKind::Lemma { name, labels, formula } = &clause.kind else { continue };
            let mut calls = Vec::new();
            applied_in(formula, &mut calls);
            let (functions, known) = (self.program.logic.len(), self.annotations.functions.clone());
            if calls.is_empty() || functions == 0 {
                continue;
            }
            let lemma = self.lemma(name, labels, formula);
            // It is of no use if nothing else mentions the functions that it is about.
            if self.program.logic.len() > functions {
                self.program.logic.truncate(functions);
                self.annotations.functions = known;
                continue;
            }
            if let Some(lemma) = lemma.ok().filter(|l| applies_function(&l.formula)) {
                self.program.lemmas.push(lemma);
                self.assume_that(Assumption::about(GRANTED, name));
            }
        }
    }

    fn lemma(&mut self, name: &str, labels: &[String], formula: &Node) -> Lowered<Lemma> {
        let (mut body, mut binders) = (formula, Vec::<&Binder>::new());
        while let NodeKind::ForAll(of, inner) = &body.kind {
            binders.extend(of);
            body = inner;
        }
        let location = self.at(span(formula));
        // Each pointer is a sequence at each label.
        let moments = labels.len().max(1);
        let (mut arguments, mut numbers, mut elements) = (HashMap::new(), Vec::new(), 0);
        let mut ranges = Vec::new();
        for binder in binders {
            let Some(kind) = self.kind_named(&binder.ty) else {
                return self.unsupported(span(formula), format!("the type `{}` is not supported here", binder.ty));
            };
            let value = match (binder.is_pointer, kind) {
                (true, Some(kind)) => {
                    elements += moments;
                    Value::Object(sequence(elements - moments, kind, location))
                }
                (true, None) => return self.unsupported(span(formula), "there are no objects of the type `integer`"),
                (false, kind) => {
                    let bound = BoundId(numbers.len() as u32);
                    numbers.push(bound);
                    if let Some(kind) = kind {
                        let (least, greatest) = (Term::Int(kind.min(self.model())), Term::Int(kind.max(self.model())));
                        ranges.push(Formula::Compare(BinaryOp::LessEqual, least, Term::Bound(bound)));
                        ranges.push(Formula::Compare(BinaryOp::LessEqual, Term::Bound(bound), greatest));
                    }
                    Value::Term(Term::Bound(bound), BOUND_BITS)
                }
            };
            arguments.insert(binder.name.clone(), value);
        }
        let mut logic = Logic {
            next_bound: numbers.len() as u32,
            arguments: Some(arguments),
            labels: labels.iter().enumerate().map(|(n, l)| (l.clone(), Moment::Label(n))).collect(),
            moment: Moment::Label(0),
            is_closed: true,
            ..Logic::default()
        };
        let mut formula = self.formula_of(body, &mut logic)?;
        for range in ranges {
            formula = Formula::Implies(Box::new(range), Box::new(formula));
        }
        Ok(Lemma { name: name.to_owned(), numbers, elements, formula })
    }
}

/// Whether a definition is a predicate, or a function with truth values.
fn is_truth(defined: &Predicate) -> bool {
    !defined.is_term || defined.ty.as_deref() == Some("boolean")
}

/// A pointer to the first element of a sequence.
fn sequence(number: usize, kind: IntKind, location: crate::program::Location) -> TermLvalue {
    let root = Root::Elements { sequence: number, offset: None };
    TermLvalue { root, steps: Vec::new(), ty: Type::Int(kind).pointer_to(), location }
}

/// What a formula applies, with the number of arguments.
fn applied_in(node: &Node, found: &mut Vec<(String, usize)>) {
    match &node.kind {
        NodeKind::Call(name, _, arguments) => found.push((name.clone(), arguments.len())),
        NodeKind::Name(name) => found.push((name.clone(), 0)),
        _ => {}
    }
    node.kind.each_part(&mut |part| applied_in(part, found));
}

fn divides_by_unknown(t: &Term) -> bool {
    struct Search(bool);
    impl<'t> Visit<'t> for Search {
        fn term(&mut self, t: &'t Term) {
            if let Term::Binary(TermOp::Div | TermOp::Rem, _, b) = t {
                self.0 |= !matches!(**b, Term::Int(n) if n != 0);
            }
            self.walk_term(t);
        }
    }
    let mut search = Search(false);
    search.term(t);
    search.0
}

fn applies_function(f: &Formula) -> bool {
    struct Search(bool);
    impl<'t> Visit<'t> for Search {
        fn term(&mut self, t: &'t Term) {
            self.0 |= matches!(t, Term::Apply(_));
            self.walk_term(t);
        }
    }
    let mut search = Search(false);
    search.formula(f);
    search.0
}

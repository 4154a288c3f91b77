//! Expands predicates and macros in formulas.

use super::resolve::{Logic, MAX_NESTED, Value, span};
use super::syntax::{self, Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{Assumption, Formula, Root, Term, TermOp, Type};
use std::collections::HashMap;

impl Lowerer<'_> {
    /// A macro without parameters, as it is defined where the annotation stands.
    pub(super) fn expanded(&mut self, name: &str, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let defined = self.annotations.macros.get(name).and_then(|all| all.iter().rev().find(|d| d.0 < node.start));
        let Some(text) = defined.and_then(|d| d.1.clone()) else {
            return self.wrong(span(node), format!("`{name}` is not declared"));
        };
        if logic.unfolding.len() > MAX_NESTED || logic.unfolding.iter().any(|n| n == name) {
            return self.wrong(span(node), format!("the macro `{name}` does not end"));
        }
        let Some(mut inner) = syntax::formula(&text, node.start) else {
            return self
                .unsupported(span(node), format!("the macro `{name}` stands for `{text}`, which is not a formula"));
        };
        if !is_closed(&inner.kind, &text) {
            // In a larger formula, its text would be read as in C: `2 + 3` in `N * 2` is not a
            // factor.
            let message = format!("the macro `{name}` stands for `{text}`, which needs parentheses around it");
            return self.unsupported(span(node), message);
        }
        place_at(&mut inner, node);
        logic.unfolding.push(name.to_owned());
        let value = self.value_of(&inner, logic);
        logic.unfolding.pop();
        value
    }

    pub(super) fn applied(&mut self, name: &str, arguments: &[Node], node: &Node, logic: &mut Logic) -> Lowered<Value> {
        if let Some(known) = name.strip_prefix('\\') {
            return self.known_predicate(known, arguments, node, logic);
        }
        if let Some(reason) = self.annotations.unreadable.get(name) {
            return self.unsupported(span(node), format!("the definition of `{name}` is not understood: {reason}"));
        }
        let Some(predicate) = self.annotations.predicates.get(name).cloned() else {
            return self.wrong(span(node), format!("there is no predicate `{name}`"));
        };
        let (given, expected) = (arguments.len(), predicate.parameters.len());
        if given != expected {
            return self.wrong(span(node), format!("`{name}` takes {expected} arguments, but {given} are given"));
        }
        if logic.unfolding.len() > MAX_NESTED || logic.unfolding.iter().any(|n| n == name) {
            return self.unsupported(
                span(node),
                format!("the definition of the predicate `{name}` uses the predicate itself"),
            );
        }
        let before = std::mem::take(&mut logic.before);
        let mut values = HashMap::new();
        for (parameter, argument) in predicate.parameters.iter().zip(arguments) {
            values.insert(parameter.clone(), self.value_of(argument, logic)?);
        }
        logic.before = before;
        let bound = std::mem::take(&mut logic.bound);
        let outer = logic.arguments.replace(values);
        logic.unfolding.push(name.to_owned());
        let body = self.formula_of(&predicate.body, logic);
        logic.unfolding.pop();
        logic.arguments = outer;
        logic.bound = bound;
        Ok(Value::Formula(body?))
    }

    /// `\valid` and the like in a precondition: what it says of parameters determines the arrays
    /// that the caller makes.
    pub(super) fn known_predicate(
        &mut self,
        name: &str,
        arguments: &[Node],
        node: &Node,
        logic: &mut Logic,
    ) -> Lowered<Value> {
        if !logic.before || !matches!(name, "valid" | "valid_read" | "separated") {
            return self.unsupported(span(node), format!("`\\{name}` is supported only as a conjunct of `requires`"));
        }
        let nothing = Value::Formula(Formula::Constant(true));
        if name == "separated" {
            let text = self.text_of(node);
            self.assume_that(Assumption::about("`\\separated` is not checked at calls", text));
            return Ok(nothing);
        }
        let [argument] = arguments else { return self.wrong(span(node), format!("`\\{name}` takes one argument")) };
        let (pointer, count) = match &argument.kind {
            NodeKind::Arithmetic(TermOp::Add, p, range) => match &range.kind {
                NodeKind::Range(low, high) if matches!(low.kind, NodeKind::Number(0)) => {
                    let (high, bits) = self.term_of(high, logic)?;
                    let count = match high {
                        Term::Binary(TermOp::Sub, n, one) if *one == Term::Int(1) => *n,
                        high => {
                            self.as_term(
                                self.sized(
                                    Term::Binary(TermOp::Add, Box::new(high), Box::new(Term::Int(1))),
                                    bits + 1,
                                    node,
                                )?,
                                node,
                            )?
                            .0
                        }
                    };
                    (&**p, count)
                }
                _ => return self.unsupported(span(range), "a range `(0 .. n - 1)` is needed here"),
            },
            _ => (argument, Term::Int(1)),
        };
        let Value::Object(place) = self.value_of(pointer, logic)? else {
            return self.wrong(span(pointer), "this is not a pointer");
        };
        let variable = match (&place.root, &place.ty) {
            (Root::Variable(l), Type::Pointer(_)) if place.steps.is_empty() => l.as_var(),
            _ => None,
        };
        let Some(v) = variable else {
            return self.unsupported(span(pointer), format!("`\\{name}` is supported only for pointer variables"));
        };
        logic.valid.push((v, count));
        Ok(nothing)
    }
}

/// Whether the text of a formula means the same wherever it is put.
fn is_closed(kind: &NodeKind, text: &str) -> bool {
    let open = matches!(
        kind,
        NodeKind::Arithmetic(..)
            | NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Implies(..)
            | NodeKind::Iff(..)
            | NodeKind::Chain(..)
            | NodeKind::ForAll(..)
    );
    let mut depth = 0;
    let outside = text.trim().chars().any(|c| {
        let first = depth == 0 && c != '(';
        depth += i32::from(c == '(') - i32::from(c == ')');
        first
    });
    !(open && outside)
}

/// Gives a node the place of the macro's use: a macro's text has no place of its own.
fn place_at(node: &mut Node, at: &Node) {
    (node.start, node.end) = (at.start, at.end);
    match &mut node.kind {
        NodeKind::Old(a) | NodeKind::Not(a) | NodeKind::Negate(a) | NodeKind::Member(a, _) | NodeKind::Arrow(a, _) => {
            place_at(a, at);
        }
        NodeKind::Index(a, b)
        | NodeKind::Arithmetic(_, a, b)
        | NodeKind::And(a, b)
        | NodeKind::Or(a, b)
        | NodeKind::Implies(a, b)
        | NodeKind::Iff(a, b)
        | NodeKind::Range(a, b) => {
            place_at(a, at);
            place_at(b, at);
        }
        NodeKind::Call(_, all) | NodeKind::Chain(all, _) => all.iter_mut().for_each(|a| place_at(a, at)),
        NodeKind::ForAll(_, a) => place_at(a, at),
        NodeKind::Number(_)
        | NodeKind::Name(_)
        | NodeKind::True
        | NodeKind::False
        | NodeKind::Result
        | NodeKind::Exists => {}
    }
}

//! Expands predicates and macros in formulas.

use super::members::PointerPath;
use super::moments::Moment;
use super::ranges::moved;
use super::resolve::{Logic, MAX_NESTED, Value, span};
use super::syntax::{self, Node, NodeKind, Parameter, Predicate};
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{Assumption, BinaryOp, Formula, Term, TermOp, Type};

impl Lowerer<'_> {
    /// A macro without parameters, as it is defined where the annotation stands.
    pub(super) fn expanded(&mut self, name: &str, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let defined = self.annotations.macros.get(name).and_then(|all| all.iter().rev().find(|d| d.0 < node.start));
        let Some(text) = defined.and_then(|d| d.1.as_ref()).filter(|m| m.is_alone()).map(|m| m.text.clone()) else {
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

    pub(super) fn applied(
        &mut self,
        name: &str,
        labels: &[String],
        arguments: &[Node],
        node: &Node,
        logic: &mut Logic,
    ) -> Lowered<Value> {
        if name == "\\at" {
            return self.at_moment(arguments, node, logic);
        }
        if let ("\\max" | "\\min" | "\\abs", [first, ..]) = (name, arguments)
            && arguments.len() == if name == "\\abs" { 1 } else { 2 }
        {
            return self.extreme(name, first, &arguments[arguments.len() - 1], node, logic);
        }
        if let ("\\subset", [a, b]) = (name, arguments) {
            let value = Value::Formula(self.is_subset(a, b, logic)?);
            self.grown(&value, node, logic)?;
            return Ok(value);
        }
        if let Some(known) = name.strip_prefix('\\') {
            return self.known_predicate(known, arguments, node, logic);
        }
        if let Some(reason) = self.annotations.unreadable.get(name) {
            return self.unsupported(span(node), format!("the definition of `{name}` is not understood: {reason}"));
        }
        let Some(defined) = self.annotations.predicates.get(name).cloned() else {
            return self.wrong(span(node), format!("there is no predicate `{name}`"));
        };
        let before = std::mem::take(&mut logic.before);
        let values: Lowered<Vec<Value>> = arguments.iter().map(|a| self.value_of(a, logic)).collect();
        logic.before = before;
        let values = values?;
        let predicate = self.definition_for(name, &defined, &values, node)?;
        if self.is_recursive(&predicate) {
            return self.recursion(&predicate, values, labels, node, logic);
        }
        // Definitions of one name may use each other.
        let unfolded = format!("{name} {}", signature(&predicate));
        if logic.unfolding.len() > MAX_NESTED || logic.unfolding.contains(&unfolded) {
            return self.unsupported(span(node), format!("the definition of `{name}` uses `{name}` itself"));
        }
        let (labels, moment) = self.moments(name, &predicate, labels, node, logic)?;
        let mut evaluated = Vec::new();
        for (value, argument) in values.into_iter().zip(arguments) {
            evaluated.push(self.evaluated(value, argument, logic)?);
        }
        let bound = std::mem::take(&mut logic.bound);
        let names = predicate.parameters.iter().map(|p| p.name.clone());
        let outer = logic.arguments.replace(names.zip(evaluated).collect());
        let outer_moment = std::mem::replace(&mut logic.moment, moment);
        let outer_labels = std::mem::replace(&mut logic.labels, labels);
        logic.unfolding.push(unfolded);
        let body = match predicate.ty.as_deref() {
            Some("boolean") => self.formula_of(&predicate.body, logic).map(Value::Formula),
            // What it reads, it reads at the moment of its label.
            _ => match self.value_of(&predicate.body, logic) {
                Ok(value) => self.evaluated(value, &predicate.body, logic),
                refused => refused,
            },
        };
        logic.unfolding.pop();
        logic.labels = outer_labels;
        logic.moment = outer_moment;
        logic.arguments = outer;
        logic.bound = bound;
        body
    }

    /// The larger or the smaller of two numbers, or the absolute value of one.
    fn extreme(&mut self, name: &str, a: &Node, b: &Node, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let (x, p) = self.term_of(a, logic)?;
        let (y, q) = match name {
            "\\abs" => (Term::Negate(Box::new(x.clone())), p + 1),
            _ => self.term_of(b, logic)?,
        };
        let op = if name == "\\min" { BinaryOp::LessEqual } else { BinaryOp::GreaterEqual };
        let is_first = Formula::Compare(op, x.clone(), y.clone());
        let value = self.sized(Term::If(Box::new(is_first), Box::new(x), Box::new(y)), p.max(q), node)?;
        // Each number is in it twice.
        self.grown(&value, node, logic)?;
        Ok(value)
    }

    /// The definition of a name that these arguments fit best, by their number and types.
    fn definition_for(&self, name: &str, defined: &[Predicate], values: &[Value], node: &Node) -> Lowered<Predicate> {
        let given = values.len();
        let fits: Vec<&Predicate> = defined.iter().filter(|p| p.parameters.len() == given).collect();
        match &fits[..] {
            [] => {
                let mut counts: Vec<String> = defined.iter().map(|p| p.parameters.len().to_string()).collect();
                counts.dedup();
                let expected = counts.join(" or ");
                self.wrong(span(node), format!("`{name}` takes {expected} arguments, but {given} are given"))
            }
            [only] => Ok((*only).clone()),
            several => {
                // How many arguments have exactly the type of the parameter, if all can be it.
                let closeness = |p: &Predicate| {
                    let pairs = p.parameters.iter().zip(values);
                    pairs.map(|(parameter, value)| self.closeness(parameter, value)).sum::<Option<usize>>()
                };
                let ranked: Vec<(usize, &Predicate)> =
                    several.iter().filter_map(|p| Some((closeness(p)?, *p))).collect();
                let best = ranked.iter().map(|r| r.0).max();
                let mut closest = ranked.iter().filter(|r| Some(r.0) == best);
                match (closest.next(), closest.next()) {
                    (Some((_, one)), None) => Ok((*one).clone()),
                    _ => self.wrong(span(node), format!("no single definition of `{name}` fits these arguments")),
                }
            }
        }
    }

    /// 1 if the value has the type of the parameter, 0 if it can be converted to it.
    fn closeness(&self, parameter: &Parameter, value: &Value) -> Option<usize> {
        let (is_pointer, kind) = match value {
            Value::Object(place) => match &place.ty {
                Type::Pointer(_) | Type::Array(..) => (true, None),
                Type::Int(kind) => (false, Some(*kind)),
                _ => return None,
            },
            Value::Then(..) => return None,
            Value::Moved(..) => (true, None),
            Value::Term(..) => (false, None),
            Value::Formula(_) => return None,
        };
        let known = self.kind_named(&parameter.ty).flatten();
        match (parameter.is_pointer, is_pointer) {
            (true, true) => Some(1),
            (false, false) if parameter.ty == "integer" => Some(usize::from(kind.is_none())),
            // A number of C has its own type; a mathematical one has none.
            (false, false) => match (kind, known) {
                (Some(kind), Some(known)) if kind == known => Some(1),
                (Some(kind), Some(known)) if known.holds(kind, self.model()) => Some(0),
                // The types of numbers in definitions are not kept.
                (Some(_), None) | (None, Some(_)) => Some(0),
                _ => None,
            },
            _ => None,
        }
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
        let is_known = matches!(name, "valid" | "valid_read" | "separated");
        if is_known && !logic.before && !logic.at_start && logic.moment == Moment::Now {
            return self.memory_formula(name, arguments, node, logic);
        }
        if !logic.before || !is_known {
            return self.unsupported(span(node), format!("`\\{name}` is supported only as a conjunct of `requires`"));
        }
        let nothing = Value::Formula(Formula::Constant(true));
        if name != "separated"
            && let [set] = arguments
            && let NodeKind::Set(all) = &set.kind
        {
            for one in all {
                let elements = self.first_elements(one, name, logic)?;
                logic.valid.push(elements);
            }
            return Ok(nothing);
        }
        if name == "separated" {
            let text = self.text_of(node);
            self.assume_that(Assumption::about("`\\separated` is not checked at calls", text));
            // What is left out here may overlap with the others.
            let ranges = arguments.iter().filter_map(|a| self.first_elements(a, name, logic).ok()).collect();
            logic.separated.push(ranges);
            return Ok(nothing);
        }
        let [argument] = arguments else { return self.wrong(span(node), format!("`\\{name}` takes one argument")) };
        let elements = self.first_elements(argument, name, logic)?;
        logic.valid.push(elements);
        Ok(nothing)
    }

    /// The elements that `p` or `p + (0 .. n - 1)` names, for a pointer `p` and how many.
    fn first_elements(&mut self, argument: &Node, name: &str, logic: &mut Logic) -> Lowered<(PointerPath, Term)> {
        let node = argument;
        let (pointer, count) = match moved(argument) {
            Some((p, range)) => match &range.kind {
                NodeKind::Range(low, high) if matches!(low.kind, NodeKind::Number(0)) => {
                    let (high, bits) = self.term_of(high, logic)?;
                    let count = match high {
                        Term::Binary(TermOp::Sub, n, one) if *one == Term::Int(1) => *n,
                        high => {
                            let more = Term::Binary(TermOp::Add, Box::new(high), Box::new(Term::Int(1)));
                            let value = self.sized(more, bits + 1, node)?;
                            self.as_term(value, node, logic.moment)?.0
                        }
                    };
                    (p, count)
                }
                _ => return self.unsupported(span(range), "a range `(0 .. n - 1)` is needed here"),
            },
            _ => (argument, Term::Int(1)),
        };
        let Value::Object(place) = self.value_of(pointer, logic)? else {
            return self.wrong(span(pointer), "this is not a pointer");
        };
        if matches!(&place.ty, Type::Pointer(to) if **to == Type::Void) {
            return self.wrong(span(pointer), format!("`\\{name}` needs a pointer to objects, not to `void`"));
        }
        let path = PointerPath::of_place(&place).filter(|_| matches!(place.ty, Type::Pointer(_)));
        let Some(path) = path else {
            let message = format!("`\\{name}` is supported only for pointers in variables, and in members of structs");
            return self.unsupported(span(pointer), message);
        };
        Ok((path, count))
    }
}

/// The kinds of a definition's parameters.
fn signature(predicate: &Predicate) -> String {
    predicate.parameters.iter().map(|p| format!("{}{}", p.ty, if p.is_pointer { "*" } else { "," })).collect()
}

/// Whether the text of a formula means the same wherever it is put.
pub(super) fn is_closed(kind: &NodeKind, text: &str) -> bool {
    let open = matches!(
        kind,
        NodeKind::Arithmetic(..)
            | NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Implies(..)
            | NodeKind::Iff(..)
            | NodeKind::Chain(..)
            | NodeKind::ForAll(..)
            | NodeKind::Exists(..)
            | NodeKind::Conditional(..)
            | NodeKind::Let(..)
            | NodeKind::Bits(..)
            | NodeKind::In(..)
            // Postfix operators bind tighter than prefixes.
            | NodeKind::Address(_)
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
    node.kind.each_part_mut(&mut |part| place_at(part, at));
}

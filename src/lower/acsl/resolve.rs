//! Names and types of formulas.

use super::syntax::{self, Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer, Symbol};
use crate::lower::error::{InputError, InputErrorKind};
use crate::program::{
    BinaryOp, BoundId, Expr, ForAll, Formula, Length, Lvalue, MAX_BITS, Place, Root, Step, Term, TermOp, TermStep,
    Type, VarId,
};
use lang_c::span::Span;
use std::collections::HashMap;

/// What the bounds of a quantified variable may need.
const BOUND_BITS: u32 = 66;
/// Predicates and macros that stand for more than this are refused.
const MAX_NODES: usize = 20_000;
/// Predicates and macros inside each other.
const MAX_NESTED: usize = 40;

/// What a name or an expression of an annotation is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number, and the bits that it needs.
    Term(Term, u32),
    Formula(Formula),
    /// An object of any type.
    Object(Place),
}

/// What differs from place to place in how names are read.
#[derive(Default)]
pub(super) struct Logic {
    pub(super) bound: Vec<(String, BoundId)>,
    pub(super) next_bound: u32,
    /// The arguments of the predicate that is unfolded.
    pub(super) arguments: Option<HashMap<String, Value>>,
    /// The predicates and macros that are unfolded.
    pub(super) unfolding: Vec<String>,
    pub(super) nodes: usize,
    /// In a postcondition: the variable that holds the result.
    pub(super) result: Option<VarId>,
    /// In a postcondition: where the values of parameters at the call are kept.
    pub(super) saved: HashMap<VarId, VarId>,
    /// In a postcondition: where the values of other variables at the call are kept.
    pub(super) old: HashMap<VarId, VarId>,
    /// In a postcondition.
    pub(super) after: bool,
    /// In a precondition: which pointers point to how many elements.
    pub(super) before: bool,
    pub(super) valid: Vec<(VarId, Option<Term>)>,
}

impl Lowerer<'_> {
    /// A formula in the scope at hand.
    pub(super) fn closed_formula(&mut self, node: &Node) -> Lowered<Formula> {
        self.formula_of(node, &mut Logic::default())
    }

    pub(super) fn formula_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<Formula> {
        match self.value_of(node, logic)? {
            Value::Formula(f) => Ok(f),
            value => {
                let (term, _) = self.as_term(value, node)?;
                Ok(Formula::Compare(BinaryOp::NotEqual, term, Term::Int(0)))
            }
        }
    }

    fn term_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<(Term, u32)> {
        let value = self.value_of(node, logic)?;
        self.as_term(value, node)
    }

    fn as_term(&self, value: Value, node: &Node) -> Lowered<(Term, u32)> {
        match value {
            Value::Term(term, bits) => Ok((term, bits)),
            Value::Formula(_) => self.wrong(span(node), "a number is needed here, not a formula"),
            Value::Object(place) => match &place.ty {
                Type::Int(kind) => {
                    let bits = kind.width(self.model()) + 1;
                    Ok((Term::Read(Box::new(place)), bits))
                }
                ty => {
                    let ty = self.type_name(ty);
                    self.unsupported(span(node), format!("annotations speak of integers; this has the type `{ty}`"))
                }
            },
        }
    }

    fn value_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        logic.nodes += 1;
        if logic.nodes > MAX_NODES {
            return self.fail(InputErrorKind::TooDeep, span(node), "predicates and macros stand for too much text");
        }
        let boxed = |a: Formula, b: Formula| (Box::new(a), Box::new(b));
        Ok(match &node.kind {
            NodeKind::Number(n) => Value::Term(Term::Int(*n), bits_of(*n)),
            NodeKind::True => Value::Formula(Formula::Constant(true)),
            NodeKind::False => Value::Formula(Formula::Constant(false)),
            NodeKind::Name(name) => return self.named(name, node, logic),
            NodeKind::Result => match logic.result {
                Some(v) => Value::Object(self.variable_place(v, node)),
                None if logic.after => return self.wrong(span(node), "this function returns nothing"),
                None => return self.wrong(span(node), "`\\result` has a meaning in `ensures` alone"),
            },
            NodeKind::Old(inner) => return self.old(inner, logic),
            NodeKind::Not(a) => Value::Formula(Formula::Not(Box::new(self.formula_of(a, logic)?))),
            NodeKind::And(a, b) => {
                let (a, b) = boxed(self.formula_of(a, logic)?, self.formula_of(b, logic)?);
                Value::Formula(Formula::And(a, b))
            }
            NodeKind::Or(a, b) => {
                let (a, b) = boxed(self.formula_of(a, logic)?, self.formula_of(b, logic)?);
                Value::Formula(Formula::Or(a, b))
            }
            NodeKind::Implies(a, b) => {
                let (a, b) = boxed(self.formula_of(a, logic)?, self.formula_of(b, logic)?);
                Value::Formula(Formula::Implies(a, b))
            }
            NodeKind::Iff(a, b) => {
                let (a, b) = boxed(self.formula_of(a, logic)?, self.formula_of(b, logic)?);
                Value::Formula(Formula::Iff(a, b))
            }
            NodeKind::Negate(a) => {
                let (term, bits) = self.term_of(a, logic)?;
                self.sized(Term::Negate(Box::new(term)), bits + 1, node)?
            }
            NodeKind::Arithmetic(op, a, b) => {
                let ((a, p), (b, q)) = (self.term_of(a, logic)?, self.term_of(b, logic)?);
                let bits = match op {
                    TermOp::Add | TermOp::Sub => p.max(q) + 1,
                    TermOp::Mul => p + q,
                    TermOp::Div => p + 1,
                    TermOp::Rem => q + 1,
                };
                self.sized(Term::Binary(*op, Box::new(a), Box::new(b)), bits, node)?
            }
            NodeKind::Chain(nodes, ops) => {
                let mut terms = Vec::new();
                for n in nodes {
                    terms.push(self.term_of(n, logic)?.0);
                }
                let pairs = terms.windows(2).zip(ops);
                let mut all = pairs.map(|(w, op)| Formula::Compare(*op, w[0].clone(), w[1].clone()));
                let first = all.next().unwrap_or(Formula::Constant(true));
                Value::Formula(all.fold(first, |a, b| Formula::And(Box::new(a), Box::new(b))))
            }
            NodeKind::Index(a, i) => {
                let Value::Object(place) = self.value_of(a, logic)? else {
                    return self.wrong(span(a), "only objects have elements");
                };
                let (index, _) = self.term_of(i, logic)?;
                Value::Object(self.element_place(place, index, a)?)
            }
            NodeKind::Member(a, name) => {
                let Value::Object(place) = self.value_of(a, logic)? else {
                    return self.wrong(span(a), "only objects have members");
                };
                Value::Object(self.member_place(place, name, node)?)
            }
            NodeKind::Arrow(a, name) => {
                let Value::Object(place) = self.value_of(a, logic)? else {
                    return self.wrong(span(a), "only pointers have members behind them");
                };
                let Type::Pointer(to) = place.ty.clone() else {
                    return self.wrong(span(a), "this is no pointer");
                };
                let pointer = self.pointer_expr(&place, a)?;
                let root = Root::Pointer { pointer, offset: None };
                let place = Place { root, steps: Vec::new(), ty: *to, location: self.at(span(node)) };
                Value::Object(self.member_place(place, name, node)?)
            }
            NodeKind::Call(name, arguments) => return self.applied(name, arguments, node, logic),
            NodeKind::Range(..) => return self.unsupported(span(node), "a range has a meaning in `\\valid` alone"),
            NodeKind::ForAll(names, body) => Value::Formula(self.for_all(names, body, node, logic)?),
            NodeKind::Exists => {
                let error = InputError::new(InputErrorKind::Unsupported, "`\\exists` is not supported")
                    .at(self.unit.place(span(node), &self.program.sources))
                    .note("the negation of a `\\forall` says the same, where something is to be refuted");
                return Err(error);
            }
        })
    }

    /// A number that can be computed exactly.
    fn sized(&self, term: Term, bits: u32, node: &Node) -> Lowered<Value> {
        if bits > MAX_BITS {
            let message = format!("this may be a number of more than {MAX_BITS} bits, which is not supported");
            return self.unsupported(span(node), message);
        }
        Ok(Value::Term(term, bits))
    }

    fn variable_place(&self, v: VarId, node: &Node) -> Place {
        let location = self.at(span(node));
        let whole = Lvalue::var(&self.program, v, location);
        let ty = whole.ty.clone();
        Place { root: Root::Variable(whole), steps: Vec::new(), ty, location }
    }

    fn named(&mut self, name: &str, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        if let Some((_, id)) = logic.bound.iter().rev().find(|(n, _)| n == name) {
            return Ok(Value::Term(Term::Bound(*id), BOUND_BITS));
        }
        if let Some(value) = logic.arguments.as_ref().and_then(|a| a.get(name)) {
            return Ok(value.clone());
        }
        // The body of a predicate is read where it is defined.
        let symbol = match logic.arguments {
            Some(_) => self.scopes.first().and_then(|s| s.symbols.get(name)).cloned(),
            None => self.lookup(name).cloned(),
        };
        match symbol {
            Some(Symbol::Variable(v)) => {
                // The parameters of a postcondition are those of the call.
                let v = logic.saved.get(&v).copied().unwrap_or(v);
                Ok(Value::Object(self.variable_place(v, node)))
            }
            Some(Symbol::Enumerator(n, _)) => Ok(Value::Term(Term::Int(n), bits_of(n))),
            Some(_) => self.wrong(span(node), format!("`{name}` is no object")),
            None if self.annotations.predicates.contains_key(name) => self.applied(name, &[], node, logic),
            None => self.expanded(name, node, logic),
        }
    }

    /// A macro without parameters, as it is defined where the annotation stands.
    fn expanded(&mut self, name: &str, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let defined = self.annotations.macros.get(name).and_then(|all| all.iter().rev().find(|d| d.0 < node.start));
        let Some(text) = defined.and_then(|d| d.1.clone()) else {
            return self.wrong(span(node), format!("`{name}` is not declared"));
        };
        if logic.unfolding.len() > MAX_NESTED || logic.unfolding.iter().any(|n| n == name) {
            return self.wrong(span(node), format!("the macro `{name}` does not end"));
        }
        let Some(mut inner) = syntax::formula(&text, node.start) else {
            return self
                .unsupported(span(node), format!("the macro `{name}` stands for `{text}`, which is no formula"));
        };
        place_at(&mut inner, node);
        logic.unfolding.push(name.to_owned());
        let value = self.value_of(&inner, logic);
        logic.unfolding.pop();
        value
    }

    /// `\old(x)`: the value of a parameter at the call, or of another variable.
    fn old(&mut self, inner: &Node, logic: &mut Logic) -> Lowered<Value> {
        if !logic.after {
            return self.wrong(span(inner), "`\\old` has a meaning in `ensures` alone");
        }
        let value = self.value_of(inner, logic)?;
        if let Value::Object(Place { root: Root::Variable(l), steps, ty: Type::Int(_), .. }) = &value
            && let Some(v) = l.as_var()
            && steps.is_empty()
        {
            // A parameter is its value at the call already.
            let is_kept = logic.saved.values().any(|s| *s == v);
            let kept = match logic.old.get(&v) {
                _ if is_kept => v,
                Some(kept) => *kept,
                None => {
                    let kept = self.saved_value(v);
                    logic.old.insert(v, kept);
                    kept
                }
            };
            return Ok(Value::Object(self.variable_place(kept, inner)));
        }
        self.unsupported(span(inner), "`\\old` is supported of variables of integer type")
    }

    /// The variable that keeps the value of another from here on.
    pub(super) fn saved_value(&mut self, v: VarId) -> VarId {
        let variable = self.program.variable(v);
        let (name, ty, at) = (format!("$old_{}", variable.name), variable.ty.clone(), variable.location);
        let kept = self.hidden_variable(name, ty, at);
        let value = Expr::load(Lvalue::var(&self.program, v, at));
        let id = kept.as_var().unwrap_or(v);
        self.emit(crate::program::StmtKind::Assign(kept, value), at);
        id
    }

    fn element_place(&self, mut place: Place, index: Term, node: &Node) -> Lowered<Place> {
        match place.ty.clone() {
            Type::Array(_, Length::Unknown) => self.unsupported(span(node), "the length of this array is not known"),
            Type::Array(element, _) => {
                place.steps.push(TermStep::Index(index));
                place.ty = *element;
                Ok(place)
            }
            Type::Pointer(to) => {
                let pointer = self.pointer_expr(&place, node)?;
                let root = Root::Pointer { pointer, offset: Some(index) };
                Ok(Place { root, steps: Vec::new(), ty: *to, location: place.location })
            }
            ty => {
                let ty = self.type_name(&ty);
                self.wrong(span(node), format!("this has the type `{ty}`, which has no elements"))
            }
        }
    }

    /// The value of a pointer that stands in a variable or in a member of one.
    fn pointer_expr(&self, place: &Place, node: &Node) -> Lowered<Expr> {
        if let Root::Variable(l) = &place.root {
            let fields = place.steps.iter().map(|s| match s {
                TermStep::Field(id, n) => Some(Step::Field(*id, *n)),
                TermStep::Index(_) => None,
            });
            if let Some(path) = fields.collect::<Option<Vec<_>>>() {
                return Ok(Expr::load(Lvalue { path, ty: place.ty.clone(), ..l.clone() }));
            }
        }
        self.unsupported(
            span(node),
            "pointers that are found by an index or behind another pointer are not supported here",
        )
    }

    fn member_place(&self, mut place: Place, name: &str, node: &Node) -> Lowered<Place> {
        let Type::Struct(id) = place.ty else {
            let ty = self.type_name(&place.ty);
            return self.wrong(span(node), format!("this has the type `{ty}`, which has no members"));
        };
        let Some(path) = self.find_member(id, name) else {
            let structure = &self.program.structure(id).name;
            return self.wrong(span(node), format!("`{structure}` has no member `{name}`"));
        };
        for (id, field) in path {
            let structure = self.program.structure(id);
            if structure.is_union {
                return self.unsupported(span(node), "annotations do not speak of unions");
            }
            place.ty = structure.members.get(field as usize).map_or(Type::Void, |m| m.ty.clone());
            place.steps.push(TermStep::Field(id, field));
        }
        Ok(place)
    }

    fn applied(&mut self, name: &str, arguments: &[Node], node: &Node, logic: &mut Logic) -> Lowered<Value> {
        if let Some(known) = name.strip_prefix('\\') {
            return self.known_predicate(known, arguments, node, logic);
        }
        let Some(predicate) = self.annotations.predicates.get(name).cloned() else {
            return self.wrong(span(node), format!("there is no predicate `{name}`"));
        };
        let (given, expected) = (arguments.len(), predicate.parameters.len());
        if given != expected {
            return self.wrong(span(node), format!("`{name}` takes {expected} arguments, and {given} are given"));
        }
        if logic.unfolding.len() > MAX_NESTED || logic.unfolding.iter().any(|n| n == name) {
            return self.unsupported(span(node), format!("the predicate `{name}` is defined by itself"));
        }
        let mut values = HashMap::new();
        for (parameter, argument) in predicate.parameters.iter().zip(arguments) {
            values.insert(parameter.clone(), self.value_of(argument, logic)?);
        }
        let bound = std::mem::take(&mut logic.bound);
        let outer = logic.arguments.replace(values);
        logic.unfolding.push(name.to_owned());
        let body = self.formula_of(&predicate.body, logic);
        logic.unfolding.pop();
        logic.arguments = outer;
        logic.bound = bound;
        Ok(Value::Formula(body?))
    }

    /// `\valid` and the like in a precondition: what it says of parameters is how the caller's arrays are made.
    fn known_predicate(&mut self, name: &str, arguments: &[Node], node: &Node, logic: &mut Logic) -> Lowered<Value> {
        if !logic.before || !matches!(name, "valid" | "valid_read" | "separated") {
            return self.unsupported(span(node), format!("`\\{name}` is not supported here"));
        }
        let nothing = Value::Formula(Formula::Constant(true));
        if name == "separated" {
            let text = self.text_of(node);
            self.program.assume_that(format!("`{text}` is not checked at calls"));
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
                    (&**p, Some(count))
                }
                _ => return self.unsupported(span(range), "a range `(0 .. n - 1)` is needed here"),
            },
            _ => (argument, Some(Term::Int(1))),
        };
        let Value::Object(place) = self.value_of(pointer, logic)? else {
            return self.wrong(span(pointer), "this is no pointer");
        };
        let variable = match (&place.root, &place.ty) {
            (Root::Variable(l), Type::Pointer(_)) if place.steps.is_empty() => l.as_var(),
            _ => None,
        };
        let Some(v) = variable else {
            return self.unsupported(span(pointer), format!("`\\{name}` is supported of pointer variables"));
        };
        logic.valid.push((v, count));
        Ok(nothing)
    }

    fn for_all(&mut self, names: &[String], body: &Node, node: &Node, logic: &mut Logic) -> Lowered<Formula> {
        let first = logic.bound.len();
        for name in names {
            let id = BoundId(logic.next_bound);
            logic.next_bound += 1;
            logic.bound.push((name.clone(), id));
        }
        let inside = self.formula_of(body, logic);
        let bound = logic.bound.split_off(first);
        let mut formula = inside?;
        // The guards of the innermost quantifier are those of all.
        let mut guards = Vec::new();
        let mut rest = &formula;
        while let Formula::Implies(guard, then) = rest {
            comparisons(guard, &mut guards);
            rest = then;
        }
        let ids: Vec<BoundId> = bound.iter().map(|b| b.1).collect();
        let mut ranges = Vec::new();
        for (n, (name, id)) in bound.iter().enumerate() {
            let low = limit(*id, true, &guards, &ids[n..], &mut Vec::new());
            let high = limit(*id, false, &guards, &ids[n..], &mut Vec::new());
            let Some(range) = low.zip(high) else {
                let error =
                    InputError::new(InputErrorKind::Unsupported, format!("nothing bounds `{name}` on both sides"))
                        .at(self.unit.place(span(node), &self.program.sources))
                        .note(format!("a range is read off guards such as `0 <= {name} < n ==> …`"));
                return Err(error);
            };
            ranges.push(range);
        }
        for ((name, id), (low, high)) in bound.into_iter().zip(ranges).rev() {
            formula = Formula::ForAll(Box::new(ForAll { bound: id, name, low, high, body: formula }));
        }
        Ok(formula)
    }
}

/// The comparisons that a guard is a conjunction of.
fn comparisons(guard: &Formula, found: &mut Vec<(BinaryOp, Term, Term)>) {
    match guard {
        Formula::And(a, b) => {
            comparisons(a, found);
            comparisons(b, found);
        }
        Formula::Compare(op, a, b) => found.push((*op, a.clone(), b.clone())),
        _ => {}
    }
}

/// The least value that the guards allow (`least`), or the value behind the greatest, as a term without the variables `inner`. A limit by
/// another variable is that variable's own: what lies between two of them is looked at in the body.
fn limit(
    id: BoundId,
    least: bool,
    guards: &[(BinaryOp, Term, Term)],
    inner: &[BoundId],
    seen: &mut Vec<BoundId>,
) -> Option<Term> {
    if seen.contains(&id) {
        return None;
    }
    seen.push(id);
    let plus_one = |t: Term| match t {
        Term::Int(n) => n.checked_add(1).map(Term::Int),
        Term::Binary(TermOp::Sub, a, one) if *one == Term::Int(1) => Some(*a),
        t => Some(Term::Binary(TermOp::Add, Box::new(t), Box::new(Term::Int(1)))),
    };
    for (op, a, b) in guards {
        // As `id op other`.
        let (op, other) = match (a, b) {
            (Term::Bound(k), other) if *k == id => (*op, other),
            (other, Term::Bound(k)) if *k == id => (flipped(*op), other),
            _ => continue,
        };
        let fits = match op {
            BinaryOp::Less | BinaryOp::LessEqual => !least,
            BinaryOp::Greater | BinaryOp::GreaterEqual => least,
            BinaryOp::Equal => true,
            _ => false,
        };
        if !fits {
            continue;
        }
        if let Term::Bound(k) = other
            && inner.contains(k)
        {
            if let Some(found) = limit(*k, least, guards, inner, seen) {
                return Some(found);
            }
            continue;
        }
        if inner.iter().any(|k| other.mentions(*k)) || bits_within(other) > BOUND_BITS - 2 {
            continue;
        }
        let strict = matches!(op, BinaryOp::Less | BinaryOp::Greater);
        let found = if strict == least { plus_one(other.clone()) } else { Some(other.clone()) };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn flipped(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        op => op,
    }
}

/// An upper bound of the bits that a term needs, where objects need at most 65. An outer variable lies in a range that is bounded like this one.
fn bits_within(t: &Term) -> u32 {
    match t {
        Term::Int(n) => bits_of(*n),
        Term::Bound(_) | Term::Read(_) => BOUND_BITS - 2,
        Term::Negate(a) => bits_within(a),
        Term::Binary(TermOp::Mul, a, b) => bits_within(a) + bits_within(b),
        Term::Binary(TermOp::Add | TermOp::Sub, a, b) => match (&**a, &**b) {
            // Adding a small number does not grow what is read by more than one bit.
            (Term::Read(_) | Term::Bound(_), Term::Int(n)) | (Term::Int(n), Term::Read(_) | Term::Bound(_))
                if n.unsigned_abs() < 1 << 40 =>
            {
                BOUND_BITS - 2
            }
            _ => bits_within(a).max(bits_within(b)) + 1,
        },
        Term::Binary(_, a, _) => bits_within(a),
    }
}

/// With its sign.
fn bits_of(n: i128) -> u32 {
    129 - n.unsigned_abs().leading_zeros().min(128)
}

/// A macro's text has no place of its own.
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

pub(super) fn span(node: &Node) -> Span {
    Span::span(node.start, node.end)
}

//! Names and types of formulas.

use super::members::PointerPath;
use super::moments::Moment;
use super::syntax::{Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer, Symbol};
use crate::lower::error::InputErrorKind;
use crate::program::{
    BinaryOp, Expr, Formula, IntKind, Lvalue, MAX_BITS, Origin, Root, Term, TermLvalue, TermOp, Type, VarId, Visit,
};
use lang_c::span::Span;
use std::collections::HashMap;

/// The most bits that the bounds of a quantified variable may need.
pub(super) const BOUND_BITS: u32 = 70;
/// The largest expansion of predicates and macros.
pub(super) const MAX_NODES: usize = 20_000;
/// The deepest nesting of predicates and macros.
pub(super) const MAX_NESTED: usize = 40;

/// What a name or an expression of an annotation is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number, and the bits that it needs.
    Term(Term, u32),
    Formula(Formula),
    /// An object of any type.
    Object(TermLvalue),
    /// An object of a type with parts, as it is at a moment.
    Then(TermLvalue, Moment),
    /// An array or a pointer, moved by a number of elements, and the bits that this needs.
    Moved(TermLvalue, Term, u32),
}

/// The context on which the meaning of names depends.
#[derive(Default)]
pub(super) struct Logic {
    /// The variables of quantifiers and of `\\let` around the current part.
    pub(super) bound: Vec<(String, Value)>,
    pub(super) next_bound: u32,
    /// The arguments of the predicate that is unfolded.
    pub(super) arguments: Option<HashMap<String, Value>>,
    /// What labels mean that the definition declares which is unfolded.
    pub(super) labels: HashMap<String, Moment>,
    /// The predicates and macros that are unfolded.
    pub(super) unfolding: Vec<String>,
    pub(super) nodes: usize,
    /// In a postcondition: the variable that holds the result.
    pub(super) result: Option<VarId>,
    /// In a postcondition: where the values of parameters at the call are kept.
    pub(super) saved: HashMap<VarId, VarId>,
    /// Whether this is a postcondition.
    pub(super) after: bool,
    /// In a contract of a statement: the moment before it.
    pub(super) statement: Option<Moment>,
    /// Whether the formula is about where the program ends.
    pub(super) exits: bool,
    /// Whether the formula is about the moment at which the function begins.
    pub(super) at_start: bool,
    /// When the current part is evaluated.
    pub(super) moment: Moment,
    /// Whether this is a definition, which names no variables of the program.
    pub(super) is_closed: bool,
    /// Whether this is a loop invariant.
    pub(super) in_invariant: bool,
    /// In a precondition: whether the current formula is a conjunct of it, so that it must hold.
    pub(super) before: bool,
    /// In a precondition: which pointers point to how many elements.
    pub(super) valid: Vec<(PointerPath, Term)>,
    /// In a precondition: which elements do not overlap.
    pub(super) separated: Vec<Vec<(PointerPath, Term)>>,
}

impl Lowerer<'_> {
    /// A formula in the current scope.
    pub(super) fn closed_formula(&mut self, node: &Node) -> Lowered<Formula> {
        self.formula_of(node, &mut Logic::default())
    }

    pub(super) fn formula_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<Formula> {
        match self.value_of(node, logic)? {
            Value::Formula(f) => Ok(f),
            value => {
                let (term, _) = self.as_term(value, node, logic.moment)?;
                Ok(Formula::Compare(BinaryOp::NotEqual, term, Term::Int(0)))
            }
        }
    }

    pub(super) fn term_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<(Term, u32)> {
        let value = self.value_of(node, logic)?;
        self.as_term(value, node, logic.moment)
    }

    pub(super) fn as_term(&mut self, value: Value, node: &Node, moment: Moment) -> Lowered<(Term, u32)> {
        match value {
            Value::Term(term, bits) => Ok((term, bits)),
            Value::Formula(_) => self.wrong(span(node), "a number is needed here, not a formula"),
            Value::Object(place) => match &place.ty {
                Type::Int(kind) => {
                    let bits = kind.width(self.model()) + 1;
                    Ok((self.read_at(place, moment, node)?, bits))
                }
                ty => self.no_integer(ty, node),
            },
            Value::Then(place, moment) => match &place.ty {
                Type::Int(_) => self.as_term(Value::Object(place), node, moment),
                ty => self.no_integer(ty, node),
            },
            Value::Moved(place, ..) => self.no_integer(&place.ty, node),
        }
    }

    fn no_integer<T>(&self, ty: &Type, node: &Node) -> Lowered<T> {
        let ty = self.type_name(ty);
        let message = format!("annotations can only be about integers; this has the type `{ty}`");
        self.unsupported(span(node), message)
    }

    fn connected(
        &mut self,
        made: fn(Box<Formula>, Box<Formula>) -> Formula,
        a: &Node,
        b: &Node,
        logic: &mut Logic,
    ) -> Lowered<Value> {
        let (a, b) = (self.formula_of(a, logic)?, self.formula_of(b, logic)?);
        Ok(Value::Formula(made(Box::new(a), Box::new(b))))
    }

    pub(super) fn value_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let conjunct = matches!(node.kind, NodeKind::And(..) | NodeKind::Call(..) | NodeKind::Name(_));
        let before = logic.before;
        logic.before &= conjunct;
        let value = self.value_within(node, logic);
        logic.before = before;
        // Arguments and local names were evaluated where they got their values.
        if matches!(node.kind, NodeKind::Member(..) | NodeKind::Arrow(..) | NodeKind::Index(..))
            && let Ok(Value::Object(place)) = &value
            && matches!(place.ty, Type::Pointer(_))
        {
            return self.pointer_then(place.clone(), logic.moment, node);
        }
        value
    }

    fn value_within(&mut self, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        logic.nodes += 1;
        if logic.nodes > MAX_NODES {
            return self.fail(InputErrorKind::TooDeep, span(node), "predicates and macros expand to too much text");
        }
        Ok(match &node.kind {
            NodeKind::Number(n) => Value::Term(Term::Int(*n), bits_of(*n)),
            NodeKind::True => Value::Formula(Formula::Constant(true)),
            NodeKind::False => Value::Formula(Formula::Constant(false)),
            NodeKind::Name(name) => return self.named(name, node, logic),
            NodeKind::Result => return self.result_of(node, logic),
            // Nothing reads it: where the program ends is not followed.
            NodeKind::ExitStatus if logic.exits => Value::Term(Term::Int(0), 33),
            NodeKind::ExitStatus => return self.wrong(span(node), "`\\exit_status` is allowed only in `exits`"),
            NodeKind::Old(inner) => return self.old(inner, logic),
            NodeKind::Not(a) => Value::Formula(Formula::Not(Box::new(self.formula_of(a, logic)?))),
            NodeKind::And(a, b) => self.connected(Formula::And, a, b, logic)?,
            NodeKind::Or(a, b) => self.connected(Formula::Or, a, b, logic)?,
            NodeKind::Implies(a, b) => self.connected(Formula::Implies, a, b, logic)?,
            NodeKind::Iff(a, b) => self.connected(Formula::Iff, a, b, logic)?,
            NodeKind::Negate(a) => {
                let (term, bits) = self.term_of(a, logic)?;
                self.sized(Term::Negate(Box::new(term)), bits + 1, node)?
            }
            NodeKind::Arithmetic(op, a, b) => return self.arithmetic_of(*op, a, b, node, logic),
            NodeKind::Chain(nodes, ops) => Value::Formula(self.chain(nodes, ops, logic)?),
            NodeKind::Index(a, i) => return self.indexed(a, i, node, logic),
            NodeKind::Member(a, name) => match self.value_of(a, logic)? {
                Value::Object(place) => Value::Object(self.member_place(place, name, node)?),
                Value::Then(place, moment) => {
                    let place = self.member_place(place, name, node)?;
                    if matches!(place.ty, Type::Pointer(_)) {
                        return self.pointer_then(place, moment, node);
                    }
                    Value::Then(place, moment)
                }
                _ => return self.wrong(span(a), "only objects have members"),
            },
            NodeKind::Arrow(a, name) => {
                let place = self.pointee(a, node, logic)?;
                Value::Object(self.member_place(place, name, node)?)
            }
            NodeKind::Call(name, labels, arguments) => return self.applied(name, labels, arguments, node, logic),
            NodeKind::Range(..) | NodeKind::All | NodeKind::Set(_) => {
                return self.unsupported(span(node), "a set is not supported here");
            }
            NodeKind::In(element, set) => {
                let (element, _) = self.term_of(element, logic)?;
                let formula = self.is_among(&element, set, logic)?;
                let value = Value::Formula(formula);
                self.grown(&value, node, logic)?;
                value
            }
            NodeKind::Bits(op, a, b) => return self.bitwise(*op, a, b, node, logic),
            NodeKind::Complement(a) => {
                let (term, bits) = self.term_of(a, logic)?;
                self.complement(term, bits, node)?
            }
            NodeKind::Address(a) => return self.address_term(a, node, logic),
            NodeKind::SizeOfType(words, stars) => return self.size_of_words(words, *stars, node, logic),
            NodeKind::SizeOf(a) => {
                let value = self.value_of(a, logic)?;
                return self.size_of_value(&value, node);
            }
            NodeKind::ForAll(binders, body) => Value::Formula(self.for_all(binders, body, node, logic)?),
            NodeKind::Exists(binders, body) => Value::Formula(self.exists(binders, body, node, logic)?),
            NodeKind::Conditional(c, a, b) => return self.conditional(c, a, b, logic),
            NodeKind::Let(name, value, body) => return self.let_of(name, value, body, logic),
            NodeKind::Cast(ty, a) => return self.converted_term(ty, a, node, logic),
        })
    }

    fn result_of(&mut self, node: &Node, logic: &Logic) -> Lowered<Value> {
        match logic.result {
            Some(v) if !logic.exits => Ok(Value::Object(self.variable_place(v, node))),
            None if logic.after && !logic.exits => self.wrong(span(node), "this function returns nothing"),
            _ => self.wrong(span(node), "`\\result` is allowed only in `ensures`"),
        }
    }

    fn let_of(&mut self, name: &str, value: &Node, body: &Node, logic: &mut Logic) -> Lowered<Value> {
        let bound = self.value_of(value, logic)?;
        let bound = self.evaluated(bound, value, logic)?;
        logic.bound.push((name.to_owned(), bound));
        let value = self.value_of(body, logic);
        logic.bound.pop();
        value
    }

    fn arithmetic_of(&mut self, op: TermOp, a: &Node, b: &Node, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let x = self.value_of(a, logic)?;
        if let (true, Some((place, offset, bits))) = (matches!(op, TermOp::Add | TermOp::Sub), pointer(&x)) {
            let (by, more) = self.term_of(b, logic)?;
            let moved = self.sum(op, (offset, bits), (by, more), node)?;
            return Ok(Value::Moved(place, moved.0, moved.1));
        }
        let y = self.value_of(b, logic)?;
        if let (TermOp::Add, Some((place, offset, bits))) = (op, pointer(&y)) {
            let by = self.as_term(x, a, logic.moment)?;
            let moved = self.sum(op, (offset, bits), by, node)?;
            return Ok(Value::Moved(place, moved.0, moved.1));
        }
        let (a, p) = self.as_term(x, a, logic.moment)?;
        let (b, q) = self.as_term(y, b, logic.moment)?;
        let bits = match op {
            TermOp::Add | TermOp::Sub => p.max(q) + 1,
            TermOp::Mul => p + q,
            TermOp::Div => p + 1,
            TermOp::Rem => q + 1,
        };
        self.sized(Term::Binary(op, Box::new(a), Box::new(b)), bits, node)
    }

    /// A chain of comparisons.
    fn chain(&mut self, nodes: &[Node], ops: &[BinaryOp], logic: &mut Logic) -> Lowered<Formula> {
        if let ([a, b], [op @ (BinaryOp::Equal | BinaryOp::NotEqual)]) = (nodes, ops) {
            let (x, y) = (self.value_of(a, logic)?, self.value_of(b, logic)?);
            if let Some(same) = self.same_address(&x, &y, a)? {
                return Ok(if *op == BinaryOp::Equal { same } else { Formula::Not(Box::new(same)) });
            }
            let (x, y) = (self.compared(x, a, logic)?, self.compared(y, b, logic)?);
            return Ok(Formula::Compare(*op, x, y));
        }
        let mut terms = Vec::new();
        for n in nodes {
            let value = self.value_of(n, logic)?;
            terms.push(self.compared(value, n, logic)?);
        }
        let pairs = terms.windows(2).zip(ops);
        let mut all = pairs.map(|(w, op)| Formula::Compare(*op, w[0].clone(), w[1].clone()));
        let first = all.next().unwrap_or(Formula::Constant(true));
        Ok(all.fold(first, |a, b| Formula::And(Box::new(a), Box::new(b))))
    }

    /// What is compared: a number, or the truth of a formula as a number.
    fn compared(&mut self, value: Value, node: &Node, logic: &mut Logic) -> Lowered<Term> {
        match value {
            Value::Formula(Formula::Constant(truth)) if self.is_boolean(node) => Ok(Term::Int(i128::from(truth))),
            Value::Formula(f) if self.is_boolean(node) => {
                Ok(Term::If(Box::new(f), Box::new(Term::Int(1)), Box::new(Term::Int(0))))
            }
            value => Ok(self.as_term(value, node, logic.moment)?.0),
        }
    }

    /// Whether a formula is an expression of C too, or has the type `boolean`.
    fn is_boolean(&self, node: &Node) -> bool {
        let part = |n: &Node| {
            let is_formula = matches!(
                n.kind,
                NodeKind::ForAll(..) | NodeKind::Exists(..) | NodeKind::Implies(..) | NodeKind::Iff(..)
            );
            !is_formula && (self.is_boolean(n) || !matches!(n.kind, NodeKind::Call(..)))
        };
        match &node.kind {
            NodeKind::True | NodeKind::False | NodeKind::Chain(..) => true,
            NodeKind::Not(a) => part(a),
            NodeKind::And(a, b) | NodeKind::Or(a, b) => part(a) && part(b),
            NodeKind::Cast(ty, _) => ty == "boolean",
            NodeKind::Call(name, ..) | NodeKind::Name(name) => {
                let defined = self.annotations.predicates.get(name);
                defined.is_some_and(|all| all.iter().all(|p| p.ty.as_deref() == Some("boolean")))
            }
            _ => false,
        }
    }

    /// `a[i]`; in C, either may be the pointer.
    fn indexed(&mut self, a: &Node, i: &Node, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let (x, y) = (self.value_of(a, logic)?, self.value_of(i, logic)?);
        let ((place, offset, bits), index, (a, i)) = match (pointer(&x), pointer(&y)) {
            (Some(found), _) => (found, y, (a, i)),
            (None, Some(found)) => (found, x, (i, a)),
            (None, None) => match x {
                Value::Then(place, moment) if matches!(place.ty, Type::Array(..)) => {
                    let (index, _) = self.as_term(y, i, logic.moment)?;
                    return Ok(Value::Then(self.element_place(place, index, a)?, moment));
                }
                Value::Object(place) => return self.element_place(place, Term::Int(0), a).map(Value::Object),
                _ => return self.wrong(span(a), "only objects have elements"),
            },
        };
        let index = self.as_term(index, i, logic.moment)?;
        let (index, _) = self.sum(TermOp::Add, (offset, bits), index, node)?;
        self.element_place(place, index, a).map(Value::Object)
    }

    /// `c ? a : b`
    fn conditional(&mut self, c: &Node, a: &Node, b: &Node, logic: &mut Logic) -> Lowered<Value> {
        let condition = self.formula_of(c, logic)?;
        let (mut x, mut y) = (self.value_of(a, logic)?, self.value_of(b, logic)?);
        // A number beside a formula stands for that it is not 0.
        match (matches!(x, Value::Formula(_)), matches!(y, Value::Formula(_))) {
            (true, false) => y = self.not_zero(y, b, logic)?,
            (false, true) => x = self.not_zero(x, a, logic)?,
            _ => {}
        }
        if let (Value::Formula(x), Value::Formula(y)) = (&x, &y) {
            let implies = |a: Formula, b: &Formula| Formula::Implies(Box::new(a), Box::new(b.clone()));
            let (yes, no) = (implies(condition.clone(), x), implies(Formula::Not(Box::new(condition)), y));
            // The condition is in it twice.
            let value = Value::Formula(Formula::And(Box::new(yes), Box::new(no)));
            self.grown(&value, c, logic)?;
            return Ok(value);
        }
        let ((x, p), (y, q)) = (self.as_term(x, a, logic.moment)?, self.as_term(y, b, logic.moment)?);
        Ok(Value::Term(Term::If(Box::new(condition), Box::new(x), Box::new(y)), p.max(q)))
    }

    fn not_zero(&mut self, value: Value, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let (term, _) = self.as_term(value, node, logic.moment)?;
        Ok(Value::Formula(Formula::Compare(BinaryOp::NotEqual, term, Term::Int(0))))
    }

    /// Counts a value that has a part twice.
    pub(super) fn grown(&self, value: &Value, node: &Node, logic: &mut Logic) -> Lowered<()> {
        logic.nodes += size(value);
        if logic.nodes > MAX_NODES {
            return self.fail(InputErrorKind::TooDeep, span(node), "predicates and macros expand to too much text");
        }
        Ok(())
    }

    /// `(type) a`
    fn converted_term(&mut self, ty: &str, a: &Node, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        if ty == "boolean" {
            return Ok(Value::Formula(self.formula_of(a, logic)?));
        }
        let Some(kind) = self.kind_named(ty) else {
            return self.unsupported(span(node), format!("a cast to `{ty}` is not supported"));
        };
        let value = self.value_of(a, logic)?;
        if let (Some(IntKind::Bool), Value::Formula(_)) = (kind, &value) {
            return Ok(value);
        }
        let from = match &value {
            Value::Object(place) => place.ty.as_int(),
            _ => None,
        };
        let (term, bits) = self.as_term(value, a, logic.moment)?;
        let Some(kind) = kind else { return Ok(Value::Term(term, bits)) };
        let model = self.model();
        let fits = match (&term, from) {
            (Term::Int(n), _) => (kind.min(model)..=kind.max(model)).contains(n),
            (_, Some(from)) => kind.holds(from, model),
            _ => kind.is_signed() && bits <= kind.width(model),
        };
        match (fits, kind) {
            (true, _) => Ok(Value::Term(term, bits)),
            (false, IntKind::Bool) => {
                let is = Formula::Compare(BinaryOp::NotEqual, term, Term::Int(0));
                Ok(Value::Term(Term::If(Box::new(is), Box::new(Term::Int(1)), Box::new(Term::Int(0))), 2))
            }
            // The value that has the same lowest bits.
            (false, kind) => {
                let width = kind.width(model);
                if !kind.is_signed() {
                    return self.lowest_bits(term, bits, width, node);
                }
                let half = Term::Int(1 << (width - 1));
                let moved = Term::Binary(TermOp::Add, Box::new(term), Box::new(half.clone()));
                match self.lowest_bits(moved, bits.max(width) + 1, width, node)? {
                    Value::Term(low, bits) => {
                        self.sized(Term::Binary(TermOp::Sub, Box::new(low), Box::new(half)), bits + 1, node)
                    }
                    value => Ok(value),
                }
            }
        }
    }

    /// The type of that name: `None` within for the mathematical integers. `None` if it is no
    /// integer type.
    pub(super) fn kind_named(&self, ty: &str) -> Option<Option<IntKind>> {
        if ty == "integer" {
            return Some(None);
        }
        if let Some((_, meaning)) = self.annotations.types.get(ty) {
            return meaning.as_ref().filter(|m| *m != ty).and_then(|m| self.kind_named(m));
        }
        if let Some(Symbol::Typedef(declared)) = self.scopes.first().and_then(|s| s.symbols.get(ty)) {
            return declared.ty.as_int().map(Some);
        }
        let mut words: Vec<&str> = ty.split_whitespace().collect();
        words.sort_unstable();
        let signed = !words.contains(&"unsigned");
        let longs = words.iter().filter(|w| **w == "long").count();
        let of = |yes, no| if signed { yes } else { no };
        let kind = match (longs, words.contains(&"short"), words.contains(&"char")) {
            _ if !words.iter().all(|w| C_WORDS.contains(w)) => return None,
            (0, false, true) if !words.contains(&"signed") => of(IntKind::Char, IntKind::UChar),
            (0, false, true) => IntKind::SChar,
            (0, true, false) => of(IntKind::Short, IntKind::UShort),
            (0, false, false) => of(IntKind::Int, IntKind::UInt),
            (1, false, false) => of(IntKind::Long, IntKind::ULong),
            (2, false, false) => of(IntKind::LongLong, IntKind::ULongLong),
            _ => return None,
        };
        Some(Some(kind))
    }

    /// `a op b`, for sums; nothing is added to 0.
    fn sum(&self, op: TermOp, (a, p): (Term, u32), (b, q): (Term, u32), node: &Node) -> Lowered<(Term, u32)> {
        match (&a, &b, op) {
            (Term::Int(0), _, TermOp::Add) => return Ok((b, q)),
            (_, Term::Int(0), _) => return Ok((a, p)),
            _ => {}
        }
        match self.sized(Term::Binary(op, Box::new(a), Box::new(b)), p.max(q) + 1, node)? {
            Value::Term(term, bits) => Ok((term, bits)),
            _ => self.wrong(span(node), "a number is needed here"),
        }
    }

    /// The object that the pointer `a` points to, for access to a member.
    fn pointee(&mut self, a: &Node, node: &Node, logic: &mut Logic) -> Lowered<TermLvalue> {
        let value = self.value_of(a, logic)?;
        if let Value::Moved(place, offset, _) = value {
            return self.element_place(place, offset, a);
        }
        let Value::Object(place) = value else {
            return self.wrong(span(a), "`->` needs a pointer");
        };
        let Type::Pointer(to) = place.ty.clone() else {
            return self.wrong(span(a), "this is not a pointer");
        };
        let pointer = self.pointer_expr(&place, a)?;
        let root = Root::Pointer { pointer, offset: None };
        Ok(TermLvalue { root, steps: Vec::new(), ty: *to, location: self.at(span(node)) })
    }

    /// A number that can be computed exactly.
    pub(super) fn sized(&self, term: Term, bits: u32, node: &Node) -> Lowered<Value> {
        if bits > MAX_BITS {
            let message = format!("this may be a number of more than {MAX_BITS} bits, which is not supported");
            return self.unsupported(span(node), message);
        }
        Ok(Value::Term(term, bits))
    }

    fn named(&mut self, name: &str, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let bound = logic.bound.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value);
        let value = bound.or_else(|| logic.arguments.as_ref().and_then(|a| a.get(name))).cloned();
        if let Some(value) = value {
            logic.nodes += size(&value);
            return Ok(value);
        }
        // The body of a predicate is read where it is defined.
        let symbol = match logic.arguments {
            Some(_) => self.scopes.first().and_then(|s| s.symbols.get(name)).cloned(),
            None => self.lookup(name).cloned(),
        };
        match symbol {
            Some(Symbol::Variable(_)) if logic.is_closed => {
                let message = format!("`{name}` is a variable, and recursive definitions read only their parameters");
                self.unsupported(span(node), message)
            }
            Some(Symbol::Variable(v)) => self.named_variable(v, node, logic),
            Some(Symbol::Enumerator(n, _)) => Ok(Value::Term(Term::Int(n), bits_of(n))),
            Some(_) => self.wrong(span(node), format!("`{name}` is not an object")),
            None if self.annotations.predicates.contains_key(name) => self.applied(name, &[], &[], node, logic),
            None => self.expanded(name, node, logic),
        }
    }

    /// The variable that keeps the value of another from here on.
    pub(super) fn saved_value(&mut self, v: VarId) -> VarId {
        let variable = self.program.variable(v);
        let (name, ty, at) = (format!("old_{}", variable.name), variable.ty.clone(), variable.location);
        let kept = self.hidden_variable(name, Origin::Old, ty, at);
        let value = Expr::load(Lvalue::var(&self.program, v, at));
        let id = kept.as_var().unwrap_or(v);
        self.emit(crate::program::StmtKind::Assign(kept, value), at);
        id
    }
}

/// The words of the names of integer types in C.
const C_WORDS: [&str; 6] = ["char", "int", "long", "short", "signed", "unsigned"];

/// An array or a pointer, with the offset from its start.
pub(super) fn pointer(value: &Value) -> Option<(TermLvalue, Term, u32)> {
    match value {
        Value::Object(place) if matches!(place.ty, Type::Pointer(_) | Type::Array(..)) => {
            Some((place.clone(), Term::Int(0), 1))
        }
        Value::Moved(place, offset, bits) => Some((place.clone(), offset.clone(), *bits)),
        _ => None,
    }
}

/// How many numbers, objects and operators a value has.
fn size(value: &Value) -> usize {
    struct Count(usize);
    impl<'p> Visit<'p> for Count {
        fn term(&mut self, t: &'p Term) {
            self.0 += 1;
            self.walk_term(t);
        }
        fn formula(&mut self, f: &'p Formula) {
            self.0 += 1;
            self.walk_formula(f);
        }
    }
    let mut count = Count(0);
    match value {
        Value::Term(t, _) => count.term(t),
        Value::Formula(f) => count.formula(f),
        Value::Object(place) | Value::Then(place, _) => count.place(place),
        Value::Moved(place, offset, _) => {
            count.place(place);
            count.term(offset);
        }
    }
    count.0
}

/// The number of bits, with the sign.
pub(super) fn bits_of(n: i128) -> u32 {
    129 - n.unsigned_abs().leading_zeros().min(128)
}

pub(super) fn span(node: &Node) -> Span {
    Span::span(node.start, node.end)
}

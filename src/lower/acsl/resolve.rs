//! Names and types of formulas.

use super::syntax::{Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer, Symbol};
use crate::lower::error::InputErrorKind;
use crate::program::{
    BinaryOp, BoundId, Expr, Formula, Lvalue, MAX_BITS, Origin, Root, Term, TermLvalue, TermOp, Type, VarId,
};
use lang_c::span::Span;
use std::collections::HashMap;

/// The most bits that the bounds of a quantified variable may need.
pub(super) const BOUND_BITS: u32 = 66;
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
}

/// When a term is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    Now,
    /// When the function begins.
    Start,
}

/// The context on which the meaning of names depends.
#[derive(Default)]
pub(super) struct Logic {
    pub(super) bound: Vec<(String, BoundId)>,
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
    /// In a postcondition: where the values of other variables at the call are kept.
    pub(super) old: HashMap<VarId, VarId>,
    /// Whether this is a postcondition.
    pub(super) after: bool,
    /// Whether the formula is about the moment at which the function begins.
    pub(super) at_start: bool,
    /// In a precondition: whether the current formula is a conjunct of it, so that it must hold.
    pub(super) before: bool,
    /// In a precondition: which pointers point to how many elements.
    pub(super) valid: Vec<(VarId, Term)>,
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
                let (term, _) = self.as_term(value, node)?;
                Ok(Formula::Compare(BinaryOp::NotEqual, term, Term::Int(0)))
            }
        }
    }

    pub(super) fn term_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<(Term, u32)> {
        let value = self.value_of(node, logic)?;
        self.as_term(value, node)
    }

    pub(super) fn as_term(&self, value: Value, node: &Node) -> Lowered<(Term, u32)> {
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
                    self.unsupported(
                        span(node),
                        format!("annotations can only be about integers; this has the type `{ty}`"),
                    )
                }
            },
        }
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
            NodeKind::Result => match logic.result {
                Some(v) => Value::Object(self.variable_place(v, node)),
                None if logic.after => return self.wrong(span(node), "this function returns nothing"),
                None => return self.wrong(span(node), "`\\result` is allowed only in `ensures`"),
            },
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
                let place = self.pointee(a, node, logic)?;
                Value::Object(self.member_place(place, name, node)?)
            }
            NodeKind::Call(name, labels, arguments) => return self.applied(name, labels, arguments, node, logic),
            NodeKind::Range(..) | NodeKind::All => {
                return self.unsupported(span(node), "a range is allowed only in `\\valid`");
            }
            NodeKind::ForAll(names, body) => Value::Formula(self.for_all(names, body, node, logic)?),
            NodeKind::Exists(names, body) => Value::Formula(self.exists(names, body, node, logic)?),
        })
    }

    /// The object that the pointer `a` points to, for access to a member.
    fn pointee(&mut self, a: &Node, node: &Node, logic: &mut Logic) -> Lowered<TermLvalue> {
        let Value::Object(place) = self.value_of(a, logic)? else {
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
            Some(_) => self.wrong(span(node), format!("`{name}` is not an object")),
            None if self.annotations.predicates.contains_key(name) => self.applied(name, &[], &[], node, logic),
            None => self.expanded(name, node, logic),
        }
    }

    /// `\old(x)`: the value of a parameter at the call, or of another variable.
    pub(super) fn old(&mut self, inner: &Node, logic: &mut Logic) -> Lowered<Value> {
        if !logic.after {
            return self.wrong(span(inner), "`\\old` is allowed only in `ensures`");
        }
        let value = self.value_of(inner, logic)?;
        if let Value::Object(TermLvalue { root: Root::Variable(l), steps, ty: Type::Int(_), .. }) = &value
            && let Some(v) = l.as_var()
            && steps.is_empty()
        {
            // A parameter already means its value at the call.
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
        self.unsupported(span(inner), "`\\old` is supported only for variables of integer type")
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

/// The number of bits, with the sign.
pub(super) fn bits_of(n: i128) -> u32 {
    129 - n.unsigned_abs().leading_zeros().min(128)
}

pub(super) fn span(node: &Node) -> Span {
    Span::span(node.start, node.end)
}

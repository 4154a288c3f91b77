//! Quantified variables, and the ranges that guards give them.

use super::resolve::{BOUND_BITS, Logic, bits_of, span};
use super::syntax::{Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer};
use crate::lower::error::{InputError, InputErrorKind};
use crate::program::{BinaryOp, BoundId, ForAll, Formula, Term, TermOp};

impl Lowerer<'_> {
    /// `\exists i; guard && p` is the negation of `\forall i; guard ==> !p`.
    pub(super) fn exists(&mut self, names: &[String], body: &Node, node: &Node, logic: &mut Logic) -> Lowered<Formula> {
        let (start, end) = (body.start, body.end);
        let is_bound = |part: &Node| matches!(&part.kind, NodeKind::Name(name) if names.contains(name));
        let (mut guards, mut rest) = (Vec::new(), Vec::new());
        let mut open = vec![body];
        while let Some(part) = open.pop() {
            match &part.kind {
                NodeKind::And(a, b) => open.extend([&**b, &**a]),
                NodeKind::Chain(parts, _) if parts.iter().any(is_bound) => guards.push(part.clone()),
                _ => rest.push(part.clone()),
            }
        }
        let and = |a: Node, b: Node| Node { kind: NodeKind::And(Box::new(a), Box::new(b)), start, end };
        let all = |parts: Vec<Node>| parts.into_iter().reduce(and).unwrap_or(Node { kind: NodeKind::True, start, end });
        let not = Node { kind: NodeKind::Not(Box::new(all(rest))), start, end };
        let denied = Node { kind: NodeKind::Implies(Box::new(all(guards)), Box::new(not)), start, end };
        Ok(Formula::Not(Box::new(self.for_all(names, &denied, node, logic)?)))
    }

    pub(super) fn for_all(
        &mut self,
        names: &[String],
        body: &Node,
        node: &Node,
        logic: &mut Logic,
    ) -> Lowered<Formula> {
        let first = logic.bound.len();
        for name in names {
            let id = BoundId(logic.next_bound);
            logic.next_bound += 1;
            logic.bound.push((name.clone(), id));
        }
        let inside = self.formula_of(body, logic);
        let bound = logic.bound.split_off(first);
        let mut formula = inside?;
        // The guards of the innermost quantifier apply to all of them.
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
                let error = InputError::new(
                    InputErrorKind::Unsupported,
                    format!("the quantifier does not bound `{name}` on both sides"),
                )
                .at(self.unit.place(span(node), &self.program.sources))
                .note(format!("the range is taken from guards such as `0 <= {name} < n ==> …`"));
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

/// The comparisons of which a guard is the conjunction.
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

/// The least value that the guards allow (`least`), or the greatest plus one, as a term without the
/// variables `inner`. A limit by another variable is replaced by that variable's own limit: the
/// body still contains the comparison of the two.
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
            (other, Term::Bound(k)) if *k == id => (op.exchanged().unwrap_or(*op), other),
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

/// An upper bound of the bits that a term needs; objects need at most 65. An outer variable lies in
/// a range that is bounded like this one.
fn bits_within(t: &Term) -> u32 {
    match t {
        Term::Int(n) => bits_of(*n),
        Term::Bound(_) | Term::Read(_) => BOUND_BITS - 2,
        Term::Negate(a) => bits_within(a),
        Term::Binary(TermOp::Mul, a, b) => bits_within(a) + bits_within(b),
        Term::Binary(TermOp::Add | TermOp::Sub, a, b) => match (&**a, &**b) {
            // Adding a small number makes a read value at most one bit longer.
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

//! Quantified variables, and the ranges that guards give them.

use super::resolve::{BOUND_BITS, Logic, Value, bits_of, span};
use super::syntax::{Binder, Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer};
use crate::lower::error::{InputError, InputErrorKind};
use crate::program::{BinaryOp, BoundId, DataModel, ForAll, Formula, Term, TermOp};

/// The most variables of one quantifier: the limits of each are looked for among those of the
/// others.
const MAX_BINDERS: usize = 32;

impl Lowerer<'_> {
    /// `\exists i; guard && p` is the negation of `\forall i; guard ==> !p`.
    pub(super) fn exists(
        &mut self,
        binders: &[Binder],
        body: &Node,
        node: &Node,
        logic: &mut Logic,
    ) -> Lowered<Formula> {
        let (start, end) = (body.start, body.end);
        let is_bound =
            |part: &Node| matches!(&part.kind, NodeKind::Name(name) if binders.iter().any(|b| b.name == *name));
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
        Ok(Formula::Not(Box::new(self.for_all(binders, &denied, node, logic)?)))
    }

    pub(super) fn for_all(
        &mut self,
        binders: &[Binder],
        body: &Node,
        node: &Node,
        logic: &mut Logic,
    ) -> Lowered<Formula> {
        if binders.len() > MAX_BINDERS {
            let message = format!("a quantifier with more than {MAX_BINDERS} variables is not supported");
            return self.unsupported(span(node), message);
        }
        let (first, mut ids) = (logic.bound.len(), Vec::new());
        for binder in binders {
            if binder.is_pointer {
                let message = format!("`{}` is a pointer, and only numbers can be quantified", binder.name);
                return self.unsupported(span(node), message);
            }
            let id = BoundId(logic.next_bound);
            logic.next_bound += 1;
            ids.push(id);
            logic.bound.push((binder.name.clone(), Value::Term(Term::Bound(id), BOUND_BITS)));
        }
        let inside = self.formula_of(body, logic);
        logic.bound.truncate(first);
        let mut formula = inside?;
        // The guards of the innermost quantifier apply to all of them.
        let mut guards = Vec::new();
        let mut rest = &formula;
        while let Formula::Implies(guard, then) = rest {
            comparisons(guard, &mut guards);
            rest = then;
        }
        let mut ranges = Vec::new();
        for (n, (Binder { name, ty, .. }, id)) in binders.iter().zip(&ids).enumerate() {
            let mut low = limit(*id, true, &guards, &ids[n..], &mut Vec::new(), self.model());
            let mut high = limit(*id, false, &guards, &ids[n..], &mut Vec::new(), self.model());
            if let Some(Some(kind)) = self.kind_named(ty) {
                // It has values of its type only.
                let model = self.model();
                let (least, greatest) = (kind.min(model), kind.max(model));
                let holds = |t: &Option<Term>, slack: i128| {
                    t.as_ref().is_none_or(|t| lies_in(t, least, greatest + slack, model))
                };
                if !(holds(&low, 0) && holds(&high, 1)) {
                    let at_most = |a: Term, b: Term| Formula::Compare(BinaryOp::LessEqual, a, b);
                    let above = at_most(Term::Int(least), Term::Bound(*id));
                    let both = Formula::And(Box::new(above), Box::new(at_most(Term::Bound(*id), Term::Int(greatest))));
                    formula = Formula::Implies(Box::new(both), Box::new(formula));
                }
                low = low.or(Some(Term::Int(least)));
                high = high.or(Some(Term::Int(greatest + 1)));
            }
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
        for ((binder, id), (low, high)) in binders.iter().zip(ids).zip(ranges).rev() {
            let name = binder.name.clone();
            formula = Formula::ForAll(Box::new(ForAll { bound: id, name, low, high, body: formula }));
        }
        Ok(formula)
    }
}

/// Whether a term certainly lies in a range, because of the types in it.
fn lies_in(t: &Term, least: i128, greatest: i128, model: DataModel) -> bool {
    match t {
        Term::Int(n) => (least..=greatest).contains(n),
        Term::Read(place) | Term::At(_, place) => {
            place.ty.as_int().is_some_and(|k| k.min(model) >= least && k.max(model) <= greatest)
        }
        Term::Binary(TermOp::Add, a, by) => match **by {
            Term::Int(n @ 0..=1) => lies_in(a, least, greatest - n, model),
            _ => false,
        },
        _ => false,
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
    model: DataModel,
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
            if let Some(found) = limit(*k, least, guards, inner, seen, model) {
                return Some(found);
            }
            continue;
        }
        if inner.iter().any(|k| other.mentions(*k)) || bits_within(other, model) > BOUND_BITS - 1 {
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

/// An upper bound of the bits that a term needs. An outer variable lies in a range that is bounded
/// like this one.
fn bits_within(t: &Term, model: DataModel) -> u32 {
    let of = |t: &Term| bits_within(t, model);
    match t {
        Term::Int(n) => bits_of(*n),
        Term::Bound(_) => BOUND_BITS - 1,
        Term::Read(place) | Term::At(_, place) => place.ty.as_int().map_or(BOUND_BITS, |k| k.width(model) + 1),
        Term::Negate(a) => of(a) + 1,
        Term::Apply(_) => BOUND_BITS - 1,
        Term::If(_, a, b) => of(a).max(of(b)),
        Term::Binary(TermOp::Mul, a, b) => of(a) + of(b),
        // A small number makes the value of an object or variable at most one bit longer, for which
        // there is room.
        Term::Binary(TermOp::Add | TermOp::Sub, a, b) => match (&**a, &**b) {
            (Term::Read(_) | Term::At(..) | Term::Bound(_), Term::Int(n))
            | (Term::Int(n), Term::Read(_) | Term::At(..) | Term::Bound(_))
                if n.unsigned_abs() < 1 << 40 =>
            {
                of(a).max(of(b)).min(BOUND_BITS - 1)
            }
            _ => of(a).max(of(b)) + 1,
        },
        Term::Binary(_, a, _) => of(a) + 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::{LowerOptions, load_text};
    use std::time::{Duration, Instant};

    #[test]
    fn a_quantifier_over_very_many_variables_is_refused_at_once() {
        let names: Vec<String> = (0..4000).map(|n| format!("k{n}")).collect();
        let (listed, chained) = (names.join(", "), names[..190].join(" <= "));
        let text = format!(
            "int main(void) {{\n  /*@ assert \\forall integer {listed}; 0 <= {chained} < 9 ==> k0 == 1; */\n  return 0;\n}}\n"
        );
        let begun = Instant::now();
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("x.c", &text, &options).expect("the program is read");
        let refused = program.assertions[0].unsupported.as_deref().unwrap_or_default();
        assert!(refused.contains("more than 32 variables") && refused.contains("x.c:2:14"), "{refused}");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

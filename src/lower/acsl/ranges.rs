//! Formulas about where pointers lead: `\\valid`, `\\separated`, and equality of pointers.

use super::members::lvalue_of;
use super::resolve::{Logic, Value, pointer, span};
use super::syntax::{Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{Expr, ExprKind, Formula, IntKind, Memory, Range, Step, Term, TermLvalue, TermOp, Type};

impl Lowerer<'_> {
    /// `\\valid(…)`, `\\valid_read(…)` or `\\separated(…)`, of the moment where the annotation
    /// stands. Where `\\valid_read` is claimed, `\\valid` is.
    pub(super) fn memory_formula(
        &mut self,
        name: &str,
        arguments: &[Node],
        node: &Node,
        logic: &mut Logic,
    ) -> Lowered<Value> {
        let mut ranges = Vec::new();
        for argument in arguments {
            match &argument.kind {
                NodeKind::Set(all) if name != "separated" => {
                    for one in all {
                        ranges.push(self.range_of(one, logic)?);
                    }
                }
                _ => ranges.push(self.range_of(argument, logic)?),
            }
        }
        let mut all = Vec::new();
        if name == "separated" {
            for (n, a) in ranges.iter().enumerate() {
                all.extend(ranges[n + 1..].iter().map(|b| Memory::Separated(a.clone(), b.clone())));
            }
        } else {
            all.extend(ranges.into_iter().map(Memory::Valid));
        }
        let all = all.into_iter().map(|memory| Formula::Memory(Box::new(memory)));
        let formula = all.reduce(Formula::and);
        let value = Value::Formula(formula.unwrap_or(Formula::Constant(true)));
        self.grown(&value, node, logic)?;
        Ok(value)
    }

    /// The elements that `p`, `p + k`, `p + (a .. b)` or `&p[a .. b]` names.
    fn range_of(&mut self, node: &Node, logic: &mut Logic) -> Lowered<Range> {
        let binary = |op, a: &Term, b: Term| Term::Binary(op, Box::new(a.clone()), Box::new(b));
        let (start, moved) = match moved(node) {
            Some((p, by)) => match &by.kind {
                NodeKind::Range(low, high) => {
                    let ((low, p_bits), (high, q_bits)) = (self.term_of(low, logic)?, self.term_of(high, logic)?);
                    let more = match &high {
                        Term::Binary(TermOp::Sub, n, one) if **one == Term::Int(1) => (**n).clone(),
                        high => binary(TermOp::Add, high, Term::Int(1)),
                    };
                    let count = if low == Term::Int(0) { more } else { binary(TermOp::Sub, &more, low.clone()) };
                    self.sized(count.clone(), p_bits.max(q_bits) + 2, node)?;
                    (p, Some((low, count)))
                }
                _ => {
                    let (first, _) = self.term_of(by, logic)?;
                    (p, Some((first, Term::Int(1))))
                }
            },
            None => (node, None),
        };
        let value = self.value_of(start, logic)?;
        let Some((place, offset, _)) = pointer(&value) else {
            return self.wrong(span(start), "this is not a pointer");
        };
        let (first, count) = moved.unwrap_or((Term::Int(0), Term::Int(1)));
        let first = match (&offset, &first) {
            (Term::Int(0), _) => first,
            (_, Term::Int(0)) => offset,
            _ => binary(TermOp::Add, &offset, first),
        };
        let pointer = self.start_of(&place, start)?;
        if matches!(pointer.ty.pointee(), None | Some(Type::Void)) {
            return self.wrong(span(start), "a pointer to objects is needed here, not to `void`");
        }
        Ok(Range { pointer, first, count })
    }

    /// A pointer to the first element of an array, or the value of a pointer.
    fn start_of(&self, place: &TermLvalue, node: &Node) -> Lowered<Expr> {
        let Type::Array(element, _) = &place.ty else { return self.pointer_expr(place, node) };
        let Some(mut l) = lvalue_of(place) else {
            return self.unsupported(span(node), "this array is not supported here");
        };
        let (at, ty) = (l.location, (**element).clone());
        l.path.push(Step::Index(Expr::int(0, IntKind::Int, at).cast(Type::Int(self.model().difference_type()))));
        l.ty = ty.clone();
        Ok(Expr::new(ExprKind::AddressOf(l), ty.pointer_to(), at))
    }

    /// Whether two pointers are equal, as a formula; `None` if the values are no pointers. The
    /// comparison of two arrays is about their contents, so it is none of pointers.
    pub(super) fn same_address(&self, x: &Value, y: &Value, node: &Node) -> Lowered<Option<Formula>> {
        let (Some((a, first, _)), Some((b, second, _))) = (pointer(x), pointer(y)) else { return Ok(None) };
        if [&a, &b].into_iter().all(|place| matches!(place.ty, Type::Array(..))) {
            return Ok(None);
        }
        let range = |place: &TermLvalue, first: Term| -> Lowered<Range> {
            Ok(Range { pointer: self.start_of(place, node)?, first, count: Term::Int(1) })
        };
        let (a, b) = (range(&a, first)?, range(&b, second)?);
        Ok((a.pointer.ty == b.pointer.ty).then(|| Formula::Memory(Box::new(Memory::Equal(a, b)))))
    }
}

/// The pointer and what is added to it, in `p + k`, and in `&p[k]`, which is the same.
pub(super) fn moved(node: &Node) -> Option<(&Node, &Node)> {
    match &node.kind {
        NodeKind::Arithmetic(TermOp::Add, p, by) => Some((p, by)),
        NodeKind::Address(cells) => match &cells.kind {
            NodeKind::Index(p, by) => Some((p, by)),
            _ => None,
        },
        _ => None,
    }
}

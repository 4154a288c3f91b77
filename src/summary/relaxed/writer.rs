//! How a loop writes an array, and what a case of an iteration says of a cell alone.

use crate::summary::cells::Case;
use smalti_terms::{Context, Facts, Node, Poly, Symbol, Term, Var};

/// How a loop writes an array. What else the loop writes has its closed form in all terms.
pub(in crate::summary) struct Writer {
    /// The array before an iteration.
    pub(in crate::summary) before: Var,
    /// Those before an iteration that become any array with it, itself included.
    pub(in crate::summary) together: Vec<Var>,
    /// The array before the loop.
    pub(in crate::summary) start: Term,
    pub(in crate::summary) rank: u32,
    /// The number of the iteration.
    pub(in crate::summary) n: Var,
    /// The number of the iteration in which the loop ends.
    pub(in crate::summary) count: Term,
    /// The state after an iteration that another one follows, if one may.
    pub(in crate::summary) next: Option<Step>,
    /// The state after the loop, in the iteration in which it ends.
    pub(in crate::summary) leave: Step,
    /// The symbols that were made later than this one are of the loop.
    pub(in crate::summary) first: Option<Symbol>,
}

/// The array after an iteration.
pub(in crate::summary) struct Step {
    pub(in crate::summary) after: Term,
    /// What holds in the iteration.
    pub(in crate::summary) given: Vec<Term>,
}

impl Writer {
    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.next.iter().chain([&self.leave])
    }

    /// Whether a term has another value in other iterations of the loop, or may have.
    pub(super) fn is_of_iteration(&self, c: &Context, t: Term, others: &[Var]) -> bool {
        c.mentions(t, self.n)
            || self.together.iter().chain(others).any(|v| c.mentions(t, *v))
            || c.has_symbol(t, |symbol| Some(symbol) > self.first)
    }
}

/// What a case of an iteration says without the unknowns of the iteration.
pub(super) struct Consequence {
    /// Holds where the case applies.
    pub(super) given: Term,
    /// Bounds of the value that the iteration leaves.
    pub(super) value: [Option<Term>; 2],
}

impl Consequence {
    /// `None` if no iteration can be in the case. `of_cell` are variables of the array before the
    /// iteration.
    ///
    /// An equation among the conditions replaces an unknown of the iteration by what equals it.
    /// Conditions in which some unknown is left are dropped, so what is left follows from the case.
    pub(super) fn of(c: &Context, writer: &Writer, step: &Step, case: &Case, of_cell: &[Var]) -> Option<Consequence> {
        let facts = Facts::new(c).with_all(&step.given).with_all(&case.given);
        if facts.are_contradictory() {
            return None;
        }
        let is_unknown = |t: Term| writer.is_of_iteration(c, t, of_cell);
        let (mut left, mut value) = (case.given.clone(), case.value);
        while let Some((n, atom, by)) =
            left.iter().enumerate().find_map(|(n, p)| solved(c, *p, &is_unknown).map(|(atom, by)| (n, atom, by)))
        {
            left.remove(n);
            left.iter_mut().for_each(|p| *p = with(c, *p, atom, by));
            value = with(c, value, atom, by);
        }
        left.retain(|p| !is_unknown(*p));
        let given = c.and(&left);
        let value = match is_unknown(value) {
            false => [Some(value), Some(value)],
            true => {
                let (least, greatest) = facts.bounds(case.value);
                [least, greatest].map(|bound| bound.map(|bound| c.int(bound)))
            }
        };
        (c.as_truth(given) != Some(false)).then_some(Consequence { given, value })
    }

    /// The same with other terms for some variables.
    pub(super) fn over(&self, c: &Context, by: &[(Var, Term)]) -> Consequence {
        let with = |t: Term| c.substitute_all(t, by);
        Consequence { given: with(self.given), value: self.value.map(|value| value.map(with)) }
    }
}

/// An equation solved for an atom that is of `which`, and what the atom equals.
pub(super) fn solved(c: &Context, p: Term, which: &dyn Fn(Term) -> bool) -> Option<(Term, Term)> {
    let Node::Zero(t) = *c.node(p) else { return None };
    let whole = c.poly(t);
    whole.atoms().into_iter().filter(|atom| which(*atom)).find_map(|atom| {
        let parts = whole.by_powers_of(atom);
        let [rest, factor] = &parts[..] else { return None };
        let factor = factor.as_constant()?;
        // The atom times 1 or -1, so what is left is an integer.
        let is_unit = factor.is_integer() && (factor.numer().magnitude() == &1u32.into());
        is_unit.then(|| (atom, c.from_poly(rest.scale(&-factor))))
    })
}

/// A term with what equals an atom in its place, where it stands in the sums that the term compares
/// or is.
pub(super) fn with(c: &Context, t: Term, atom: Term, by: Term) -> Term {
    let again = |t: Term| with(c, t, atom, by);
    match &*c.node(t) {
        Node::NonNegative(t) => c.non_negative(again(*t)),
        Node::Zero(t) => c.is_zero(again(*t)),
        Node::Divides(by, t) => c.divides(by.clone(), again(*t)),
        Node::Not(p) => c.not(again(*p)),
        Node::And(ps) => c.and(&ps.iter().map(|p| again(*p)).collect::<Vec<_>>()),
        Node::Or(ps) => c.or(&ps.iter().map(|p| again(*p)).collect::<Vec<_>>()),
        _ if t == atom => by,
        Node::Poly(p) => {
            let by = c.poly(by);
            let parts = p.by_powers_of(atom);
            c.from_poly(parts.iter().rev().fold(Poly::default(), |sum, part| sum.mul(&by).add(part)))
        }
        _ => t,
    }
}

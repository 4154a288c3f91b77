//! Random facts about the cells of an array ([`CellsFact`]), and what they mean in a concrete
//! state.

use super::super::state::{ARRAYS, Array, FIELDS, SCALARS, STATES, State, array_id, field_id, length_of, vars};
use crate::laws::cases::{Expr, around, expr, relation};
use crate::{CellClaim, CellsFact, Constraint, LinearExpr, Relation, Var};
use proptest::prelude::*;

/// Number of the cell, its fields, scalars: what an expression of a fact can mention.
const NAMES: usize = 1 + FIELDS + SCALARS;

/// A fact whose constants are not settled.
#[derive(Clone, Debug)]
pub(in crate::laws::memory) struct Draft {
    pub(super) array: usize,
    /// The constants of the guards are chosen for this cell of this state.
    chosen: (usize, usize),
    guards: Vec<DraftConstraint>,
    body: Vec<(DraftConstraint, Option<DraftConstraint>)>,
}

/// A constraint; with a slack, its constant is chosen so that it just holds where it should.
#[derive(Clone, Debug)]
struct DraftConstraint(Expr, Relation, Option<u8>);

pub(super) fn draft() -> impl Strategy<Value = Draft> {
    // Mostly about the cell itself.
    let about = || {
        prop_oneof![
            3 => (0..=FIELDS, prop::sample::select(vec![1, 1, -1]), -3..=3i128)
                .prop_map(|(v, c, constant)| Expr { terms: vec![(v, c)], constant }),
            2 => (0..=FIELDS, 1 + FIELDS..NAMES, any::<bool>())
                .prop_map(|(v, w, up)| Expr { terms: if up { vec![(v, 1), (w, -1)] } else { vec![(v, -1), (w, 1)] }, constant: 0 }),
            2 => expr(NAMES),
        ]
    };
    let part = move || {
        let slack = prop::option::weighted(0.8, 0..3u8);
        (about(), relation(), slack).prop_map(|(e, relation, slack)| DraftConstraint(e, relation, slack))
    };
    let claim = (part(), prop::option::weighted(0.2, part()));
    (0..ARRAYS, (0..STATES, 0..4usize), prop::collection::vec(part(), 0..3), prop::collection::vec(claim, 1..3))
        .prop_map(|(array, chosen, guards, body)| Draft { array, chosen, guards, body })
}

fn index() -> Var {
    Var::scalar(100)
}

fn field(f: usize) -> Var {
    Var::scalar(101 + u32::try_from(f).unwrap_or(0))
}

/// The values of the variables of a fact, where it is said of the cell `i`.
fn at<'a>(state: &'a State, array: &'a Array, i: usize) -> impl Fn(Var) -> i128 + 'a {
    move |v| {
        if v == index() {
            return i128::try_from(i).unwrap_or(0);
        }
        let known = (0..FIELDS).find(|f| field(*f) == v).and_then(|f| array.fields.get(f));
        known.map_or_else(|| state.at()(v), |cells| cells[i])
    }
}

fn satisfies(constraints: &[Constraint], state: &State, array: &Array, i: usize) -> bool {
    constraints.iter().all(|c| c.holds(at(state, array, i)) == Some(true))
}

/// The cell that `e` is the number of.
fn target(e: &LinearExpr, state: &State, array: &Array, i: usize) -> Option<usize> {
    usize::try_from(e.evaluate(at(state, array, i))?).ok().filter(|n| *n < length_of(array))
}

/// The fact, with constants for which it holds in one state at least, if the draft allows it. Where
/// no cell satisfies the guards, the body says what it likes.
pub(super) fn settle(draft: &Draft, states: &[State], has_field: &dyn Fn(usize) -> bool) -> CellsFact {
    let mut names = vec![index()];
    // A field that the array has not is not spoken of; the scalar in its place has some value.
    names.extend((0..FIELDS).map(|f| if has_field(f) { field(f) } else { vars()[f] }));
    names.extend(vars());
    let (state, cell) = draft.chosen;
    let state = &states[state % states.len()];
    let array = state.arrays[draft.array].as_ref().filter(|a| length_of(a) > 0);
    let plain = |part: &DraftConstraint| Constraint { expr: part.0.over(&names), relation: part.1 };
    // The constraint that holds where the expression has the least of these values.
    let settled =
        |part: &DraftConstraint, values: &mut dyn Iterator<Item = Option<i128>>| match (part.2, values.flatten().min())
        {
            (Some(slack), Some(least)) => around(&plain(part).expr, part.1, Some(least), slack),
            _ => plain(part),
        };
    let value = |e: &LinearExpr, i: usize| array.and_then(|a| e.evaluate(at(state, a, i)));
    let chosen = array.map(|a| cell % length_of(a));
    let guards: Vec<Constraint> = draft
        .guards
        .iter()
        .map(|part| settled(part, &mut chosen.into_iter().map(|i| value(&part.0.over(&names), i))))
        .collect();
    let inside: Vec<usize> =
        array.map_or(Vec::new(), |a| (0..length_of(a)).filter(|i| satisfies(&guards, state, a, *i)).collect());
    let body = draft.body.iter().map(|(part, other)| {
        let e = part.0.over(&names);
        let Some(other) = other else {
            return CellClaim::Holds(settled(part, &mut inside.iter().map(|i| value(&e, *i))));
        };
        // Shifted so that the first cell has an index.
        let first = inside.first().and_then(|i| value(&e, *i)).filter(|_| part.2.is_some());
        let shifted =
            first.zip(chosen).and_then(|(now, goal)| e.add_constant(i128::try_from(goal).ok()?.checked_sub(now)?));
        let e = shifted.unwrap_or(e);
        let targets: Vec<usize> =
            array.map_or(Vec::new(), |a| inside.iter().filter_map(|i| target(&e, state, a, *i)).collect());
        let there = settled(other, &mut targets.iter().map(|n| value(&other.0.over(&names), *n)));
        CellClaim::Finds(e, vec![there])
    });
    let body: Vec<CellClaim> = body.collect();
    let fields = (0..FIELDS).filter(|f| has_field(*f)).map(|f| (field_id(f), field(f))).collect();
    CellsFact { array: array_id(draft.array), index: index(), fields, guards, body }
}

/// Whether the fact holds: of each cell that satisfies the guards, the body is true. An array that
/// is not live has no cells.
pub(super) fn holds(fact: &CellsFact, state: &State, array: usize) -> bool {
    let Some(a) = &state.arrays[array] else { return true };
    let evaluates = |c: &Constraint, i: usize| c.expr.evaluate(at(state, a, i)).is_some();
    (0..length_of(a)).all(|i| {
        // A guard whose value no number holds is neither true nor false: such states are not
        // followed.
        fact.guards.iter().all(|g| evaluates(g, i))
            && (!satisfies(&fact.guards, state, a, i)
                || fact.body.iter().all(|claim| match claim {
                    CellClaim::Holds(c) => satisfies(std::slice::from_ref(c), state, a, i),
                    CellClaim::Finds(e, there) => target(e, state, a, i).is_none_or(|n| satisfies(there, state, a, n)),
                }))
    })
}

//! Random programs over scalars and arrays, and what they do to concrete states.

mod cells;

use super::state::{ARRAYS, Array, FIELDS, FREE, LONGEST, SCALARS, STATES, State, array_id, field_id, length_of, vars};
use crate::laws::cases::{Expr, around, expr, number, relation};
use crate::{ArrayId, Cell, CellsFact, Constraint, FieldId, Interval, LinearExpr, Relation, Thresholds, Var};
use proptest::prelude::*;

/// A random program over two subjects.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) base: [i128; SCALARS],
    pub(super) variations: Vec<(usize, i128)>,
    /// Which scalars each subject knows at first, by the join of the points that the states are.
    pub(super) known: [[bool; SCALARS]; 2],
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) second: bool,
    pub(super) op: Op,
    pub(super) query: Expr,
}

#[derive(Clone, Debug)]
pub(super) enum Op {
    Assign(usize, Expr),
    Assume(Expr, Relation, usize, u8),
    /// As it is, whether or not it holds somewhere.
    Test(Expr, Relation),
    Forget(Vec<(usize, i128)>),
    /// Array, number of fields, scalar that is the length, how long, values of the cells.
    Create(usize, usize, usize, Length, Vec<i128>),
    Drop(usize),
    Fill(usize, usize, Expr),
    /// Which cells change, and by how much they pass the lower end.
    Weaken(usize, usize, (i128, u8), Vec<Option<u8>>),
    Read(usize, CellOperand, i128),
    Write(CellOperand, Expr),
    /// The value is the expression shifted to the cell's own value in the numbered state, or as it
    /// is.
    AssumeCell(CellOperand, Expr, usize, bool),
    AssumeCells(cells::Draft),
    Join,
    Widen(Vec<i128>),
    Copy,
}

/// The length given to an array as it is created.
#[derive(Clone, Debug)]
pub(super) enum Length {
    Constant(usize),
    /// Each state its own, within the bounds.
    Between(Vec<usize>),
    /// A scalar's value.
    Scalar(usize),
}

/// A cell; the index is shifted to be in range in the numbered state if the flag is set.
#[derive(Clone, Debug)]
pub(super) struct CellOperand {
    pub(super) array: usize,
    pub(super) field: usize,
    pub(super) index: Expr,
    pub(super) shift: Option<(usize, usize)>,
}

fn place() -> impl Strategy<Value = CellOperand> {
    let index = prop_oneof![
        2 => Just(Expr { terms: Vec::new(), constant: 0 }),
        4 => (0..FREE, -2..=2i128).prop_map(|(v, c)| Expr { terms: vec![(v, 1)], constant: c }),
        1 => expr(SCALARS),
    ];
    let shift = prop_oneof![5 => (0..STATES, 0..4usize).prop_map(Some), 1 => Just(None)];
    (0..ARRAYS, 0..FIELDS, index, shift).prop_map(|(array, field, index, shift)| CellOperand {
        array,
        field,
        index,
        shift,
    })
}

/// Programs over tables: small arrays whose cells hold indexes, accessed through scalars as they
/// are, so that values point to cells.
pub(super) fn tables() -> impl Strategy<Value = Program> {
    const CELLS: usize = 3;
    let small = || 0..CELLS as i128;
    let scalar = |v: usize| Expr { terms: vec![(v, 1)], constant: 0 };
    let value = move || {
        let constant = small().prop_map(|c| Expr { terms: Vec::new(), constant: c });
        prop_oneof![1 => constant, 4 => (0..FREE).prop_map(scalar)]
    };
    let place = move || {
        let index = prop_oneof![4 => (0..FREE).prop_map(scalar), 1 => value()];
        (prop_oneof![3 => Just(0), 1 => Just(1)], 0..FIELDS, index).prop_map(|(array, field, index)| CellOperand {
            array,
            field,
            index,
            shift: None,
        })
    };
    let test = (0..FREE, prop::option::of(0..FREE), small(), relation()).prop_map(|(v, w, c, relation)| {
        let (terms, constant) = match w.filter(|w| *w != v) {
            Some(w) => (vec![(v, 1), (w, -1)], 0),
            None => (vec![(v, 1)], -c),
        };
        (Expr { terms, constant }, relation)
    });
    let op = prop_oneof![
        2 => (0..FREE, value()).prop_map(|(v, e)| Op::Assign(v, e)),
        4 => test.prop_map(|(e, relation)| Op::Test(e, relation)),
        1 => (0..FREE, small()).prop_map(|(v, x)| Op::Forget(vec![(v, x)])),
        1 => (0..ARRAYS, 0..FIELDS, value()).prop_map(|(a, f, e)| Op::Fill(a, f, e)),
        6 => (0..FREE, place(), small()).prop_map(|(v, p, x)| Op::Read(v, p, x)),
        6 => (place(), value()).prop_map(|(p, e)| Op::Write(p, e)),
        3 => (place(), value(), 0..STATES, Just(false)).prop_map(|(p, e, s, f)| Op::AssumeCell(p, e, s, f)),
        3 => Just(Op::Join),
        1 => prop::collection::vec(0..=3i128, 0..2).prop_map(Op::Widen),
        3 => Just(Op::Copy),
    ];
    let query = || Expr { terms: vec![(0, 1)], constant: 0 };
    let step = move |(second, op)| Step { second, op, query: query() };
    let create = |second: bool, array: usize, values: Vec<i128>| {
        let op = Op::Create(array, FIELDS, FREE + array, Length::Constant(CELLS), values);
        Step { second, op, query: Expr { terms: Vec::new(), constant: 0 } }
    };
    (
        prop::array::uniform7(small()),
        prop::collection::vec((0..FREE, small()), 0..4),
        prop::collection::vec(small(), 2 * CELLS),
        prop::collection::vec((any::<bool>(), op).prop_map(step), 1..24),
    )
        .prop_map(move |(base, variations, values, more)| {
            let both = [false, true].into_iter();
            let begin = both.flat_map(|second| (0..ARRAYS).map(move |a| (second, a)));
            let mut steps: Vec<Step> = begin.map(|(second, a)| create(second, a, values.clone())).collect();
            steps.extend(more);
            Program { base, variations, known: [[true; SCALARS]; 2], steps }
        })
}

pub(super) fn program() -> impl Strategy<Value = Program> {
    let create = || {
        let length = prop_oneof![
            4 => prop_oneof![1 => 0..=1usize, 2 => 2..=3usize].prop_map(Length::Constant),
            2 => prop::collection::vec(0..=3usize, 1..4).prop_map(Length::Between),
            2 => (0..FREE).prop_map(Length::Scalar),
        ];
        (0..ARRAYS, 1..=FIELDS, FREE..SCALARS, length, prop::collection::vec(number(), 1..8))
            .prop_map(|(a, f, v, length, values)| Op::Create(a, f, v, length, values))
    };
    let op = prop_oneof![
        3 => (0..SCALARS, expr(SCALARS)).prop_map(|(v, e)| Op::Assign(v, e)),
        4 => (expr(SCALARS), relation(), 0..STATES, 0..4u8).prop_map(|(e, r, s, k)| Op::Assume(e, r, s, k)),
        1 => prop::collection::vec((0..SCALARS, number()), 1..=2).prop_map(Op::Forget),
        2 => create(),
        1 => (0..ARRAYS).prop_map(Op::Drop),
        2 => (0..ARRAYS, 0..FIELDS, expr(SCALARS)).prop_map(|(a, f, e)| Op::Fill(a, f, e)),
        1 => (0..ARRAYS, 0..FIELDS, (number(), 0..4u8), prop::collection::vec(prop::option::of(0..4u8), 1..4))
            .prop_map(|(a, f, r, c)| Op::Weaken(a, f, r, c)),
        4 => (0..FREE, place(), number()).prop_map(|(v, p, x)| Op::Read(v, p, x)),
        5 => (place(), expr(SCALARS)).prop_map(|(p, e)| Op::Write(p, e)),
        3 => (place(), expr(SCALARS), 0..STATES, any::<bool>()).prop_map(|(p, e, s, f)| Op::AssumeCell(p, e, s, f)),
        2 => cells::draft().prop_map(Op::AssumeCells),
        3 => Just(Op::Join),
        2 => prop::collection::vec(-8..=8i128, 0..3).prop_map(Op::Widen),
        2 => Just(Op::Copy),
    ];
    let step = |op| (any::<bool>(), op, expr(SCALARS)).prop_map(|(second, op, query)| Step { second, op, query });
    // A program begins with arrays, mostly with different known values in their cells, so that
    // there is something to lose.
    let fill = (0..FIELDS, expr(SCALARS));
    let array = (create(), prop::option::weighted(0.8, (fill, prop::collection::vec((place(), expr(SCALARS)), 0..3))));
    let begin = |(second, (create, content)): (bool, (Op, Option<((usize, Expr), Vec<(CellOperand, Expr)>)>))| {
        let Op::Create(array, ..) = create else { unreachable!("made by `create`") };
        let content = content.into_iter().flat_map(move |((field, value), writes)| {
            let write = move |(place, e)| Op::Write(CellOperand { array, field, ..place }, e);
            std::iter::once(Op::Fill(array, field, value)).chain(writes.into_iter().map(write))
        });
        let query = Expr { terms: Vec::new(), constant: 0 };
        let ops = std::iter::once(create).chain(content);
        ops.map(move |op| Step { second, op, query: query.clone() })
    };
    (
        prop::array::uniform7(number()),
        prop::collection::vec((0..SCALARS, number()), 0..4),
        prop::array::uniform2(prop::array::uniform7(prop::bool::weighted(0.7))),
        prop::collection::vec((any::<bool>(), array), 0..4),
        prop::collection::vec(step(op.boxed()), 1..16),
    )
        .prop_map(move |(base, variations, known, arrays, more)| {
            let steps = arrays.into_iter().flat_map(begin).chain(more).collect();
            Program { base, variations, known, steps }
        })
}

/// An operation whose operands are settled.
pub(super) enum Action {
    Assign(Var, LinearExpr),
    Assume(Constraint),
    Forget(Vec<Var>),
    /// Handles the length first, then creates the array. An array of that name may still be live.
    Create {
        before: Vec<Action>,
        array: ArrayId,
        fields: Vec<FieldId>,
        length: Var,
    },
    Drop(ArrayId),
    Fill(ArrayId, FieldId, LinearExpr),
    Weaken(ArrayId, FieldId, Interval),
    Read(Var, Cell),
    Write(Cell, LinearExpr),
    AssumeCell(Cell, LinearExpr),
    AssumeCells(CellsFact),
    Join,
    Widen(Thresholds),
    Copy,
}

/// The operands of `op` and the states after it. `None` where the operation would break a rule that
/// callers keep (such as assigning to the length of a live array), or where no state is left to
/// follow.
pub(super) fn settle(op: &Op, states: &[State], others: &[State]) -> Option<(Action, Vec<State>)> {
    let before = Before(states);
    let (action, mut after) = match op {
        Op::Assign(i, e) => before.assign(*i, e)?,
        Op::Assume(e, relation, n, slack) => {
            let e = e.over(&vars());
            before.assume(around(&e, *relation, e.evaluate(states[n % states.len()].at()), *slack))
        }
        Op::Test(e, relation) => before.assume(Constraint { expr: e.over(&vars()), relation: *relation }),
        Op::Forget(values) => before.forget(values)?,
        Op::Create(a, fields, length, kind, values) => return create(states, *a, *fields, *length, kind, values),
        Op::Drop(a) => before.drop(*a),
        Op::Fill(a, f, e) => before.fill(*a, *f, e)?,
        Op::Weaken(a, f, range, changes) => before.weaken(*a, *f, *range, changes)?,
        Op::Read(dst, place, otherwise) => before.read(*dst, place, *otherwise)?,
        Op::Write(place, e) => before.write(place, e)?,
        Op::AssumeCell(place, e, n, shifted) => before.assume_cell(place, e, *n, *shifted)?,
        Op::AssumeCells(draft) => before.assume_cells(draft),
        Op::Join => (Action::Join, before.in_turn(others)),
        Op::Widen(t) => (Action::Widen(Thresholds::new(t.iter().copied())), before.in_turn(others)),
        Op::Copy => (Action::Copy, others.to_vec()),
    };
    let mut seen: Vec<State> = Vec::new();
    after.retain(|s| !seen.contains(s) && (seen.push(s.clone()), true).1);
    after.truncate(STATES);
    (!after.is_empty()).then_some((action, after))
}

/// The states before an operation; each method settles one operation on them.
struct Before<'a>(&'a [State]);

impl Before<'_> {
    fn is_length(&self, i: usize) -> bool {
        self.0.iter().any(|s| s.arrays.iter().flatten().any(|array| array.length == i))
    }

    /// Whether every live array of that name has the field.
    fn has_field(&self, array: usize, field: usize) -> bool {
        self.0.iter().all(|s| s.arrays[array].as_ref().is_none_or(|a| field < a.fields.len()))
    }

    fn each(&self, f: impl Fn(&State) -> Option<State>) -> Vec<State> {
        self.0.iter().filter_map(f).collect()
    }

    fn assign(&self, i: usize, e: &Expr) -> Option<(Action, Vec<State>)> {
        let v = vars();
        let e = e.over(&v);
        let after = self.each(|s| Some(s.set(i, e.evaluate(s.at())?)));
        (!self.is_length(i)).then_some((Action::Assign(v[i], e), after))
    }

    fn assume(&self, c: Constraint) -> (Action, Vec<State>) {
        let after = self.each(|s| (c.holds(s.at()) == Some(true)).then(|| s.clone()));
        (Action::Assume(c), after)
    }

    fn forget(&self, values: &[(usize, i128)]) -> Option<(Action, Vec<State>)> {
        if values.iter().any(|(i, _)| self.is_length(*i)) {
            return None;
        }
        let mut after = self.each(|s| Some(values.iter().fold(s.clone(), |s, (i, x)| s.set(*i, *x))));
        after.extend_from_slice(self.0);
        let v = vars();
        Some((Action::Forget(values.iter().map(|(i, _)| v[*i]).collect()), after))
    }

    fn drop(&self, a: usize) -> (Action, Vec<State>) {
        let after = self.each(|s| {
            let mut s = s.clone();
            s.arrays[a] = None;
            Some(s)
        });
        (Action::Drop(array_id(a)), after)
    }

    fn fill(&self, a: usize, f: usize, e: &Expr) -> Option<(Action, Vec<State>)> {
        if !self.has_field(a, f) {
            return None;
        }
        let e = e.over(&vars());
        let after = self.each(|s| {
            let (mut filled, value) = (s.clone(), e.evaluate(s.at()));
            if let Some(array) = &mut filled.arrays[a] {
                array.fields[f].fill(value?);
            }
            Some(filled)
        });
        Some((Action::Fill(array_id(a), field_id(f), e), after))
    }

    fn weaken(
        &self,
        a: usize,
        f: usize,
        (low, width): (i128, u8),
        changes: &[Option<u8>],
    ) -> Option<(Action, Vec<State>)> {
        if !self.has_field(a, f) {
            return None;
        }
        let high = low.checked_add(i128::from(width))?;
        let after = self.each(|s| {
            let mut s = s.clone();
            if let Some(array) = &mut s.arrays[a] {
                for (cell, change) in array.fields[f].iter_mut().zip(changes.iter().cycle()) {
                    *cell = change.map_or(*cell, |c| low + i128::from(c.min(width)));
                }
            }
            Some(s)
        });
        Some((Action::Weaken(array_id(a), field_id(f), Interval::finite(low, high)), after))
    }

    fn read(&self, dst: usize, place: &CellOperand, otherwise: i128) -> Option<(Action, Vec<State>)> {
        if !self.has_field(place.array, place.field) || self.is_length(dst) {
            return None;
        }
        let var = vars()[dst];
        let cell = settle_place(place, self.0, Some(var))?;
        let after = self.each(|s| match &s.arrays[place.array] {
            None => Some(s.set(dst, otherwise)),
            Some(array) => Some(s.set(dst, array.fields[place.field][in_range(&cell, s, array)?])),
        });
        Some((Action::Read(var, cell), after))
    }

    fn write(&self, place: &CellOperand, e: &Expr) -> Option<(Action, Vec<State>)> {
        if !self.has_field(place.array, place.field) {
            return None;
        }
        let (cell, e) = (settle_place(place, self.0, None)?, e.over(&vars()));
        let after = self.each(|s| {
            let mut written = s.clone();
            if let Some(array) = &mut written.arrays[place.array] {
                let i = in_range(&cell, s, array)?;
                array.fields[place.field][i] = e.evaluate(s.at())?;
            }
            Some(written)
        });
        Some((Action::Write(cell, e), after))
    }

    fn assume_cell(&self, place: &CellOperand, e: &Expr, n: usize, shifted: bool) -> Option<(Action, Vec<State>)> {
        if !self.has_field(place.array, place.field) {
            return None;
        }
        let (cell, mut e) = (settle_place(place, self.0, None)?, e.over(&vars()));
        let value = |s: &State| {
            let array = s.arrays[place.array].as_ref()?;
            Some(array.fields[place.field][in_range(&cell, s, array)?])
        };
        let chosen = &self.0[n % self.0.len()];
        if let (true, Some(x)) = (shifted, value(chosen)) {
            e = e.add_constant(x.checked_sub(e.evaluate(chosen.at())?)?)?;
        }
        // A cell of an array that is not live may have any value, hence that one.
        let after = self.each(|s| {
            let live = s.arrays[place.array].is_some();
            (!live || value(s).is_some_and(|x| e.evaluate(s.at()) == Some(x))).then(|| s.clone())
        });
        Some((Action::AssumeCell(cell, e), after))
    }

    fn assume_cells(&self, draft: &cells::Draft) -> (Action, Vec<State>) {
        let fact = cells::settle(draft, self.0, &|f| self.has_field(draft.array, f));
        let after = self.each(|s| cells::holds(&fact, s, draft.array).then(|| s.clone()));
        (Action::AssumeCells(fact), after)
    }

    /// These states and the others, one of each in turn.
    fn in_turn(&self, others: &[State]) -> Vec<State> {
        let longest = self.0.len().max(others.len());
        (0..longest).flat_map(|i| [self.0.get(i), others.get(i)]).flatten().cloned().collect()
    }
}

fn create(
    states: &[State],
    a: usize,
    fields: usize,
    length: usize,
    kind: &Length,
    values: &[i128],
) -> Option<(Action, Vec<State>)> {
    let v = vars();
    let taken = |s: &State| {
        s.arrays.iter().enumerate().any(|(i, array)| i != a && array.as_ref().is_some_and(|x| x.length == length))
    };
    if states.iter().any(taken) {
        return None;
    }
    let var = LinearExpr::var(v[length]);
    let mut before = match kind {
        Length::Constant(n) => vec![Action::Assign(v[length], LinearExpr::constant(i128::try_from(*n).ok()?))],
        Length::Scalar(i) => vec![Action::Assign(v[length], LinearExpr::var(v[*i]))],
        Length::Between(_) => vec![
            Action::Forget(vec![v[length]]),
            Action::Assume(Constraint::non_negative(var.clone())),
            Action::Assume(Constraint::le(&var, &LinearExpr::constant(LONGEST))?),
        ],
    };
    if states.iter().any(|s| s.arrays[a].as_ref().is_some_and(|array| array.length == length)) {
        before.insert(0, Action::Drop(array_id(a)));
    }
    let mut values = values.iter().copied().cycle();
    let mut after = Vec::new();
    for (n, s) in states.iter().enumerate() {
        let long = match kind {
            Length::Constant(n) => i128::try_from(*n).ok()?,
            Length::Scalar(i) => s.scalars[*i],
            Length::Between(lengths) => i128::try_from(lengths[n % lengths.len()]).ok()?,
        };
        if !(0..=LONGEST).contains(&long) {
            continue;
        }
        let mut s = s.set(length, long);
        let cells = usize::try_from(long).ok()?;
        let fields = (0..fields).map(|_| values.by_ref().take(cells).collect()).collect();
        s.arrays[a] = Some(Array { length, fields });
        after.push(s);
    }
    let fields = (0..fields).map(field_id).collect();
    let action = Action::Create { before, array: array_id(a), fields, length: v[length] };
    (!after.is_empty()).then_some((action, after))
}

/// The cell that `place` names; `None` if its index mentions `dst`.
fn settle_place(place: &CellOperand, states: &[State], dst: Option<Var>) -> Option<Cell> {
    let mut index = place.index.over(&vars());
    if let Some((n, i)) = place.shift {
        let state = &states[n % states.len()];
        if let Some(length) = state.arrays[place.array].as_ref().map(length_of).filter(|l| *l > 0) {
            let target = i128::try_from(i % length).ok()?;
            index = index.add_constant(target.checked_sub(index.evaluate(state.at())?)?)?;
        }
    }
    let free = dst.is_none_or(|dst| !index.mentions(dst));
    free.then(|| Cell { array: array_id(place.array), index, field: field_id(place.field) })
}

/// The index of the cell in this state, if it is in range.
fn in_range(cell: &Cell, state: &State, array: &Array) -> Option<usize> {
    usize::try_from(cell.index.evaluate(state.at())?).ok().filter(|i| *i < length_of(array))
}

//! The laws of [`Memory`] domains.

use super::{CHAIN_LIMIT, Growth};
use super::{Config, Expr, around, ensure, equals, expr, growth, just_false, number, relation, run};
use crate::{
    ArrayId, Cell, Constraint, FieldId, Interval, Lattice, LinearExpr, Memory, MemoryDomain, Relation, Thresholds, Var,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// Scalars of the random programs. The last [`LENGTHS`] are for lengths only.
const SCALARS: usize = 7;
const LENGTHS: usize = 3;
const FREE: usize = SCALARS - LENGTHS;
const ARRAYS: usize = 2;
const FIELDS: usize = 2;
const LONGEST: i128 = 4;

/// More states than this are not followed.
const STATES: usize = 6;

/// One concrete state.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    scalars: [i128; SCALARS],
    arrays: [Option<Array>; ARRAYS],
}

/// A live array; one vector of cells for each field that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Array {
    length: usize,
    fields: Vec<Vec<i128>>,
}

fn vars() -> [Var; SCALARS] {
    [5, 1, 2, 0, 6, 3, 4].map(Var::scalar)
}

fn array_id(i: usize) -> ArrayId {
    ArrayId([3, 1][i])
}

fn field_id(i: usize) -> FieldId {
    FieldId([0, 2][i])
}

fn length_of(array: &Array) -> usize {
    array.fields[0].len()
}

impl State {
    fn at(&self) -> impl Fn(Var) -> i128 + '_ {
        |v| vars().iter().position(|w| *w == v).map_or(0, |i| self.scalars[i])
    }

    fn set(&self, i: usize, x: i128) -> State {
        let mut state = self.clone();
        state.scalars[i] = x;
        state
    }
}

pub(super) fn check<D: MemoryDomain>(domain: &D, config: Config) -> Result<(), String> {
    let named = |result: Result<(), String>| result.map_err(|e| format!("{}: {e}", domain.name()));
    let tenth = config.cases.div_ceil(10);
    named(run("no state is lost", config.cases, config, &program(), |p| loses_no_state(domain, &p)))?;
    named(run("widening chains end", tenth, config, &growth(3), |g| chains_end(domain, &g)))
}

/// An element and concrete states that it is known to contain; never none.
#[derive(Clone)]
struct Subject<E> {
    states: Vec<State>,
    element: E,
}

/// A random program over two subjects.
#[derive(Clone, Debug)]
struct Program {
    base: [i128; SCALARS],
    variations: Vec<(usize, i128)>,
    /// Which scalars each subject knows at first, by the join of the points that the states are.
    known: [[bool; SCALARS]; 2],
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    second: bool,
    op: Op,
    query: Expr,
}

#[derive(Clone, Debug)]
enum Op {
    Assign(usize, Expr),
    Assume(Expr, Relation, usize, u8),
    Forget(Vec<(usize, i128)>),
    /// Array, number of fields, scalar that is the length, how long, values of the cells.
    Create(usize, usize, usize, Length, Vec<i128>),
    Drop(usize),
    Fill(usize, usize, Expr),
    /// Which cells change, and by how much they pass the lower end.
    Weaken(usize, usize, (i128, u8), Vec<Option<u8>>),
    Read(usize, Place, i128),
    Write(Place, Expr),
    /// The value is the expression shifted to the cell's own value in the numbered state, or as it is.
    AssumeCell(Place, Expr, usize, bool),
    Join,
    Widen(Vec<i128>),
    Copy,
}

/// What is said of an array's length as it is created.
#[derive(Clone, Debug)]
enum Length {
    Constant(usize),
    /// Each state its own, within the bounds.
    Between(Vec<usize>),
    /// A scalar's value.
    Scalar(usize),
}

/// A cell; the index is shifted to be in range in the numbered state if the flag is set.
#[derive(Clone, Debug)]
struct Place {
    array: usize,
    field: usize,
    index: Expr,
    shift: Option<(usize, usize)>,
}

fn place() -> impl Strategy<Value = Place> {
    let index = prop_oneof![
        2 => Just(Expr { terms: Vec::new(), constant: 0 }),
        4 => (0..FREE, -2..=2i128).prop_map(|(v, c)| Expr { terms: vec![(v, 1)], constant: c }),
        1 => expr(SCALARS),
    ];
    let shift = prop_oneof![5 => (0..STATES, 0..4usize).prop_map(Some), 1 => Just(None)];
    (0..ARRAYS, 0..FIELDS, index, shift).prop_map(|(array, field, index, shift)| Place { array, field, index, shift })
}

fn program() -> impl Strategy<Value = Program> {
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
        3 => Just(Op::Join),
        2 => prop::collection::vec(-8..=8i128, 0..3).prop_map(Op::Widen),
        2 => Just(Op::Copy),
    ];
    let step = |op| (any::<bool>(), op, expr(SCALARS)).prop_map(|(second, op, query)| Step { second, op, query });
    // A program begins with arrays, mostly with different known values in their cells, so that there is something to lose.
    let fill = (0..FIELDS, expr(SCALARS));
    let array = (create(), prop::option::weighted(0.8, (fill, prop::collection::vec((place(), expr(SCALARS)), 0..3))));
    let begin = |(second, (create, content)): (bool, (Op, Option<((usize, Expr), Vec<(Place, Expr)>)>))| {
        let Op::Create(array, ..) = create else { unreachable!("made by `create`") };
        let content = content.into_iter().flat_map(move |((field, value), writes)| {
            let write = move |(place, e)| Op::Write(Place { array, field, ..place }, e);
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
enum Action {
    Assign(Var, LinearExpr),
    Assume(Constraint),
    Forget(Vec<Var>),
    /// What is done to the length first, then the array. An array of that name may still be live.
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
    Join,
    Widen(Thresholds),
    Copy,
}

fn act<E: Memory>(action: &Action, element: &mut E, other: &E) -> TestCaseResult {
    match action {
        Action::Assign(v, e) => element.assign(*v, e),
        Action::Assume(c) => element.assume(c),
        Action::Forget(vars) => element.forget(vars),
        Action::Create { before, array, fields, length } => {
            before.iter().try_for_each(|a| act(a, element, other))?;
            element.create_array(*array, fields, *length);
        }
        Action::Drop(array) => element.drop_array(*array),
        Action::Fill(array, field, e) => element.fill(*array, *field, e),
        Action::Weaken(array, field, range) => element.weaken(*array, *field, *range),
        Action::Read(v, cell) => element.read(*v, cell),
        Action::Write(cell, e) => element.write(cell, e),
        Action::AssumeCell(cell, e) => element.assume_cell(cell, e),
        Action::Join => {
            let old = element.clone();
            element.join_with(other);
            ensure(old.leq(element), || format!("{:?}\nis not below its join\n{:?}", old.facts(), element.facts()))?;
            ensure(other.leq(element), || {
                format!("{:?}\nis not below its join\n{:?}", other.facts(), element.facts())
            })?;
        }
        Action::Widen(thresholds) => {
            let mut next = element.clone();
            next.join_with(other);
            let widened = E::widen(element, &next, thresholds);
            for low in [&next, element] {
                ensure(low.leq(&widened), || {
                    format!("{:?}\nis not below the widening\n{:?}", low.facts(), widened.facts())
                })?;
            }
            *element = widened;
        }
        Action::Copy => element.clone_from(other),
    }
    Ok(())
}

/// The operands of `op` and the states after it. `None` where the operation would break a rule that callers keep (such as
/// assigning to the length of a live array), or where no state is left to follow.
fn settle(op: &Op, states: &[State], others: &[State]) -> Option<(Action, Vec<State>)> {
    let v = vars();
    let is_length = |i: usize| states.iter().any(|s| s.arrays.iter().flatten().any(|array| array.length == i));
    let each = |f: &dyn Fn(&State) -> Option<State>| -> Vec<State> { states.iter().filter_map(f).collect() };
    // Every live array of that name has the field.
    let has_field = |array: usize, field: usize| {
        states.iter().all(|s| s.arrays[array].as_ref().is_none_or(|a| field < a.fields.len()))
    };
    let (action, mut after) = match op {
        Op::Assign(i, e) => {
            let e = e.over(&v);
            let after = each(&|s| Some(s.set(*i, e.evaluate(s.at())?)));
            (!is_length(*i)).then_some((Action::Assign(v[*i], e), after))?
        }
        Op::Assume(e, relation, n, slack) => {
            let e = e.over(&v);
            let c = around(&e, *relation, e.evaluate(states[n % states.len()].at()), *slack);
            let after = each(&|s| (c.holds(s.at()) == Some(true)).then(|| s.clone()));
            (Action::Assume(c), after)
        }
        Op::Forget(values) => {
            if values.iter().any(|(i, _)| is_length(*i)) {
                return None;
            }
            let mut after = each(&|s| Some(values.iter().fold(s.clone(), |s, (i, x)| s.set(*i, *x))));
            after.extend_from_slice(states);
            (Action::Forget(values.iter().map(|(i, _)| v[*i]).collect()), after)
        }
        Op::Create(a, fields, length, kind, values) => return create(states, *a, *fields, *length, kind, values),
        Op::Drop(a) => {
            let drop = |s: &State| {
                let mut s = s.clone();
                s.arrays[*a] = None;
                Some(s)
            };
            (Action::Drop(array_id(*a)), each(&drop))
        }
        Op::Fill(a, f, e) if has_field(*a, *f) => {
            let e = e.over(&v);
            let fill = |s: &State| {
                let (mut filled, value) = (s.clone(), e.evaluate(s.at()));
                if let Some(array) = &mut filled.arrays[*a] {
                    array.fields[*f].fill(value?);
                }
                Some(filled)
            };
            let after = each(&fill);
            (Action::Fill(array_id(*a), field_id(*f), e), after)
        }
        Op::Weaken(a, f, (low, width), changes) if has_field(*a, *f) => {
            let high = low.checked_add(i128::from(*width))?;
            let weaken = |s: &State| {
                let mut s = s.clone();
                if let Some(array) = &mut s.arrays[*a] {
                    for (cell, change) in array.fields[*f].iter_mut().zip(changes.iter().cycle()) {
                        *cell = change.map_or(*cell, |c| low + i128::from(c.min(*width)));
                    }
                }
                Some(s)
            };
            (Action::Weaken(array_id(*a), field_id(*f), Interval::finite(*low, high)), each(&weaken))
        }
        Op::Read(dst, place, otherwise) if has_field(place.array, place.field) && !is_length(*dst) => {
            let cell = settle_place(place, states, Some(v[*dst]))?;
            let read = |s: &State| match &s.arrays[place.array] {
                None => Some(s.set(*dst, *otherwise)),
                Some(array) => Some(s.set(*dst, array.fields[place.field][in_range(&cell, s, array)?])),
            };
            let after = each(&read);
            (Action::Read(v[*dst], cell), after)
        }
        Op::Write(place, e) if has_field(place.array, place.field) => {
            let (cell, e) = (settle_place(place, states, None)?, e.over(&v));
            let write = |s: &State| {
                let mut written = s.clone();
                if let Some(array) = &mut written.arrays[place.array] {
                    let i = in_range(&cell, s, array)?;
                    array.fields[place.field][i] = e.evaluate(s.at())?;
                }
                Some(written)
            };
            let after = each(&write);
            (Action::Write(cell, e), after)
        }
        Op::AssumeCell(place, e, n, shifted) if has_field(place.array, place.field) => {
            let (cell, mut e) = (settle_place(place, states, None)?, e.over(&v));
            let value = |s: &State| {
                let array = s.arrays[place.array].as_ref()?;
                Some(array.fields[place.field][in_range(&cell, s, array)?])
            };
            let chosen = &states[n % states.len()];
            if let (true, Some(x)) = (shifted, value(chosen)) {
                e = e.add_constant(x.checked_sub(e.evaluate(chosen.at())?)?)?;
            }
            // A cell of an array that is not live may have any value, hence that one.
            let after = each(&|s| {
                let live = s.arrays[place.array].is_some();
                (!live || value(s).is_some_and(|x| e.evaluate(s.at()) == Some(x))).then(|| s.clone())
            });
            (Action::AssumeCell(cell, e), after)
        }
        Op::Fill(..) | Op::Weaken(..) | Op::Read(..) | Op::Write(..) | Op::AssumeCell(..) => return None,
        Op::Join | Op::Widen(_) => {
            let longest = states.len().max(others.len());
            let after = (0..longest).flat_map(|i| [states.get(i), others.get(i)]).flatten().cloned().collect();
            let thresholds = |t: &Vec<i128>| Thresholds::new(t.iter().copied());
            (if let Op::Widen(t) = op { Action::Widen(thresholds(t)) } else { Action::Join }, after)
        }
        Op::Copy => (Action::Copy, others.to_vec()),
    };
    let mut seen: Vec<State> = Vec::new();
    after.retain(|s| !seen.contains(s) && (seen.push(s.clone()), true).1);
    after.truncate(STATES);
    (!after.is_empty()).then_some((action, after))
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
fn settle_place(place: &Place, states: &[State], dst: Option<Var>) -> Option<Cell> {
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

fn contains<E: Memory>(element: &E, state: &State) -> bool {
    let mut element = element.clone();
    for (v, x) in vars().into_iter().zip(state.scalars) {
        if let Some(c) = equals(v, x) {
            element.assume(&c);
        }
    }
    for (a, array) in state.arrays.iter().enumerate() {
        for (f, cells) in array.iter().flat_map(|array| array.fields.iter().enumerate()) {
            for (i, x) in cells.iter().enumerate() {
                let index = LinearExpr::constant(i128::try_from(i).unwrap_or_default());
                let cell = Cell { array: array_id(a), index, field: field_id(f) };
                element.assume_cell(&cell, &LinearExpr::constant(*x));
            }
        }
    }
    !element.is_bottom()
}

fn loses_no_state<D: MemoryDomain>(domain: &D, program: &Program) -> TestCaseResult {
    let base = State { scalars: program.base, arrays: [const { None }; ARRAYS] };
    let varied = program.variations.iter().map(|(i, x)| base.set(*i, *x));
    let states: Vec<State> = std::iter::once(base.clone()).chain(varied).collect();
    let mut subjects = program.known.map(|known| {
        let mut element = domain.bottom();
        for state in &states {
            let mut point = domain.top();
            let values = vars().into_iter().zip(state.scalars).zip(known).filter(|(_, known)| *known);
            values.filter_map(|((v, x), _)| equals(v, x)).for_each(|c| point.assume(&c));
            element.join_with(&point);
        }
        Subject { states: states.clone(), element }
    });
    for step in &program.steps {
        let [first, second] = &mut subjects;
        let (this, other) = if step.second { (second, &*first) } else { (first, &*second) };
        let Some((action, after)) = settle(&step.op, &this.states, &other.states) else { continue };
        let before = this.element.clone();
        act(&action, &mut this.element, &other.element)?;
        this.states = after;
        for state in &this.states {
            ensure(contains(&this.element, state), || {
                format!(
                    "{:?} loses {state:?}\n  from {:?}\n  to {:?}\n  other {:?}",
                    step.op,
                    before.facts(),
                    this.element.facts(),
                    other.element.facts()
                )
            })?;
        }
        answers_are_true(this, &step.query)?;
        facts_are_true(this)?;
        bottom_stays_bottom(domain, &action, &this.element)?;
        order_is_inclusion(&subjects)?;
    }
    Ok(())
}

fn answers_are_true<E: Memory>(subject: &Subject<E>, query: &Expr) -> TestCaseResult {
    let Subject { states, element } = subject;
    let e = query.over(&vars());
    let bounds = element.bounds(&e);
    ensure(element.leq(element), || format!("{:?} is not below itself", element.facts()))?;
    for state in states {
        if let Some(value) = e.evaluate(state.at()) {
            ensure(bounds.is_some_and(|b| b.contains(value)), || {
                format!("{e:?} is {value} in {state:?}, outside its bounds {bounds:?}: {:?}", element.facts())
            })?;
            for c in just_false(&e, value) {
                ensure(!element.entails(&c), || {
                    format!("{c:?} is said to be entailed, false in {state:?}: {:?}", element.facts())
                })?;
            }
        }
    }
    Ok(())
}

/// What is printed holds: constraints over scalars in every state; and every cell of every listed array belongs to one of
/// the array's groups, whose constraints on index, fields and scalars it satisfies.
fn facts_are_true<E: Memory>(subject: &Subject<E>) -> TestCaseResult {
    let facts = subject.element.facts();
    ensure(!facts.unreachable, || format!("said to be unreachable: {:?}", subject.states))?;
    ensure(facts == subject.element.facts(), || format!("asked twice, answered differently: {facts:?}"))?;
    ensure(facts.arrays.is_sorted_by(|a, b| a.array < b.array), || format!("arrays do not ascend: {facts:?}"))?;
    for state in &subject.states {
        for c in &facts.scalars {
            ensure(c.expr.vars().all(Var::is_scalar), || format!("not over scalars: {c:?}"))?;
            ensure(c.holds(state.at()) != Some(false), || format!("prints {c:?}, false in {state:?}"))?;
        }
        for printed in &facts.arrays {
            let number = (0..ARRAYS).find(|i| array_id(*i) == printed.array);
            let array = number.and_then(|i| state.arrays[i].as_ref());
            ensure(array.is_some(), || format!("{:?} is printed, not live in {state:?}", printed.array))?;
            for i in 0..array.map_or(0, length_of) {
                let fits = |g: &crate::GroupFacts| {
                    let value = |v: Var| {
                        if v.is_scalar() {
                            return Some(state.at()(v));
                        }
                        if g.index == Some(v) {
                            return i128::try_from(i).ok();
                        }
                        let (field, _) = g.fields.iter().find(|(_, w)| *w == v)?;
                        let number = (0..FIELDS).find(|f| field_id(*f) == *field)?;
                        Some(array?.fields.get(number)?[i])
                    };
                    let known = |c: &&Constraint| c.expr.vars().all(|v| value(v).is_some());
                    g.constraints.iter().filter(known).all(|c| c.holds(|v| value(v).unwrap_or(0)) != Some(false))
                };
                ensure(printed.groups.iter().any(fits), || {
                    format!("cell {i} fits no printed group of {printed:?} in {state:?}")
                })?;
            }
        }
    }
    Ok(())
}

fn bottom_stays_bottom<D: MemoryDomain>(domain: &D, action: &Action, other: &D::Element) -> TestCaseResult {
    let mut bottom = domain.bottom();
    ensure(bottom.is_bottom(), || "bottom is not bottom".into())?;
    ensure(bottom.leq(other), || format!("bottom is not below {:?}", other.facts()))?;
    ensure(bottom.bounds(&LinearExpr::var(vars()[0])).is_none(), || "bottom has bounds".into())?;
    ensure(bottom.facts().unreachable, || "bottom is not printed as unreachable".into())?;
    act(action, &mut bottom, other)?;
    let may_grow = matches!(action, Action::Join | Action::Widen(_) | Action::Copy);
    ensure(may_grow || bottom.is_bottom(), || format!("bottom became {:?}", bottom.facts()))
}

fn order_is_inclusion<E: Memory>(subjects: &[Subject<E>; 2]) -> TestCaseResult {
    let [first, second] = subjects;
    for (low, high) in [(first, second), (second, first)] {
        if low.element.leq(&high.element) {
            for state in &low.states {
                ensure(contains(&high.element, state), || {
                    let (low, high) = (low.element.facts(), high.element.facts());
                    format!("{low:?}\nis said to be below\n{high:?}\nbut has {state:?}")
                })?;
            }
        }
    }
    Ok(())
}

/// The loop `while (*) { scalars and one cell of an array change }`: what the iterator sees of a loop over an array.
fn chains_end<D: MemoryDomain>(domain: &D, growth: &Growth) -> TestCaseResult {
    let v = &vars()[..3];
    let (array, field, length) = (array_id(0), field_id(0), vars()[SCALARS - 1]);
    let thresholds = Thresholds::new(growth.thresholds.iter().copied());
    let long = i128::try_from(growth.shapes.len()).unwrap_or(1);
    let mut iterate = domain.top();
    iterate.assign(length, &LinearExpr::constant(long));
    iterate.create_array(array, &[field], length);
    iterate.fill(array, field, &LinearExpr::constant(0));
    growth.constraints(0, v).iter().for_each(|c| iterate.assume(c));
    let (mut changes, mut quiet, mut k) = (0, 0, 0usize);
    while quiet < 8 {
        let index = LinearExpr::constant(i128::try_from(k).unwrap_or(0) % long);
        let cell = Cell { array, index, field };
        let mut next = iterate.clone();
        next.forget(v);
        growth.constraints(k, v).iter().for_each(|c| next.assume(c));
        next.write(&cell, &LinearExpr::var(v[k % v.len()]));
        next.join_with(&iterate);
        if next.leq(&iterate) {
            quiet += 1;
        } else {
            (changes, quiet) = (changes + 1, 0);
            iterate = D::Element::widen(&iterate, &next, &thresholds);
            ensure(next.leq(&iterate), || {
                format!("{:?}\nis not below the widening\n{:?}", next.facts(), iterate.facts())
            })?;
        }
        let mut here = iterate.clone();
        for (v, x) in v.iter().zip(growth.point(k)) {
            here.assume(&equals(*v, x).expect("small"));
        }
        here.assume_cell(&cell, &LinearExpr::constant(growth.point(k)[k % v.len()]));
        ensure(!here.is_bottom(), || format!("iterate {k} has lost {:?}: {:?}", growth.point(k), iterate.facts()))?;
        ensure(changes <= CHAIN_LIMIT, || format!("still growing after {changes} widenings: {:?}", iterate.facts()))?;
        k += 1;
    }
    Ok(())
}

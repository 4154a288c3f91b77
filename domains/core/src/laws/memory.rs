//! The laws of [`Memory`] domains.

mod groups;
mod program;
mod state;

use super::cases::{CHAIN_LIMIT, Config, Expr, Growth, ensure, equals, growth, just_false, run};
use crate::{Cell, Lattice, LinearExpr, Memory, MemoryDomain, Subjects, Thresholds, Var};
use program::{Action, Program, settle};
use proptest::test_runner::TestCaseResult;
use state::{ARRAYS, SCALARS, State, array_id, field_id, vars};

pub(super) fn check<D: MemoryDomain>(domain: &D, config: Config) -> Result<(), String> {
    let named = |result: Result<(), String>| result.map_err(|e| format!("{}: {e}", domain.name()));
    let tenth = config.cases.div_ceil(10);
    named(run("no state is lost", config.cases, config, &program::program(), |p| loses_no_state(domain, &p)))?;
    named(run("no table is lost", config.cases.div_ceil(2), config, &program::tables(), |p| {
        loses_no_state(domain, &p)
    }))?;
    named(run("widening chains end", tenth, config, &growth(3), |g| chains_end(domain, &g)))
}

/// An element and concrete states that it is known to contain; never none.
#[derive(Clone)]
struct Subject<E> {
    states: Vec<State>,
    element: E,
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
        Action::AssumeCells(fact) => element.assume_cells(fact),
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
        restrictions_are_true(this)?;
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

/// Checks that printed facts hold. Constraints over scalars hold in every state. The cells of the
/// listed arrays can be assigned to their groups so that all facts about groups and about
/// membership in them are true.
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
        ensure(groups::fit(&facts, state), || format!("cells fit no groups as printed in {facts:?}: {state:?}"))?;
    }
    Ok(())
}

/// Checks that the facts kept of some subjects hold in every state and mention no other array, and
/// that the subjects are all that the facts mention.
fn restrictions_are_true<E: Memory>(subject: &Subject<E>) -> TestCaseResult {
    let (all, facts) = (subject.element.subjects(), subject.element.facts());
    ensure(facts.arrays.iter().all(|a| all.arrays.contains(&a.array)), || format!("not all of {facts:?}: {all:?}"))?;
    let mut spoken = facts.scalars.iter().flat_map(|c| c.expr.vars());
    ensure(spoken.all(|v| all.scalars.contains(&v)), || format!("not all of {facts:?}: {all:?}"))?;
    for odd in [false, true] {
        let arrays = all.arrays.iter().copied().filter(|a| (a.0 % 2 == 1) == odd).collect();
        let scalars = all.scalars.iter().copied().filter(|v| (v.0 % 2 == 1) == odd).collect();
        let to = Subjects { arrays, scalars };
        let element = subject.element.restricted(&to);
        let left = element.subjects();
        ensure(left.arrays.is_subset(&to.arrays), || format!("{left:?} is left, asked was {to:?}"))?;
        for state in &subject.states {
            ensure(contains(&element, state), || {
                format!("restricted to {to:?}, {facts:?} loses {state:?}: {:?}", element.facts())
            })?;
        }
        facts_are_true(&Subject { states: subject.states.clone(), element })?;
    }
    Ok(())
}

fn bottom_stays_bottom<D: MemoryDomain>(domain: &D, action: &Action, other: &D::Element) -> TestCaseResult {
    let mut bottom = domain.bottom();
    ensure(bottom.is_bottom(), || "bottom is not bottom".into())?;
    ensure(bottom.leq(other), || format!("bottom is not below {:?}", other.facts()))?;
    ensure(bottom.bounds(&LinearExpr::var(vars()[0])).is_none(), || "bottom has bounds".into())?;
    ensure(bottom.facts().unreachable, || "bottom is not printed as unreachable".into())?;
    ensure(bottom.restricted(&Subjects::default()).is_bottom(), || "bottom is not bottom when restricted".into())?;
    act(action, &mut bottom, other)?;
    let may_grow = matches!(action, Action::Join | Action::Widen(_) | Action::Copy);
    ensure(may_grow || bottom.is_bottom(), || format!("bottom became {:?}", bottom.facts()))
}

fn order_is_inclusion<E: Memory>(subjects: &[Subject<E>; 2]) -> TestCaseResult {
    let [first, second] = subjects;
    for (low, high) in [(first, second), (second, first)] {
        if low.element.leq(&high.element) || low.element.leq_at_once(&high.element) {
            let facts = high.element.facts();
            for state in &low.states {
                ensure(groups::fit(&facts, state), || {
                    format!("{:?}\nis said to be below\n{facts:?}\nbut has {state:?}", low.element.facts())
                })?;
                ensure(contains(&high.element, state), || {
                    let (low, high) = (low.element.facts(), high.element.facts());
                    format!("{low:?}\nis said to be below\n{high:?}\nbut has {state:?}")
                })?;
            }
        }
    }
    Ok(())
}

/// The loop `while (*) { scalars and one cell of an array change }`: what the iterator sees of a
/// loop over an array.
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

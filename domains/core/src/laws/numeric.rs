//! The laws of [`Numeric`] domains.

use super::cases::{CHAIN_LIMIT, Growth};
use super::cases::{Config, Expr, around, ensure, equals, expr, growth, just_false, number, relation, run};
use crate::{Constraint, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Thresholds, Var};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// As many variables as the random programs speak of.
const VARS: usize = 6;

/// More states than this are not followed.
const STATES: usize = 8;

type State = [i128; VARS];

/// Program variables and dimensions that domains make up, so that no order of names is special.
fn vars() -> [Var; VARS] {
    let summary = Var::summary(crate::ArrayId(0), crate::FieldId(0));
    [Var::scalar(0), Var::scalar(3), Var::fresh(0), summary, Var::scalar(1), Var::fresh(7)]
}

fn at(state: &State) -> impl Fn(Var) -> i128 + '_ {
    |v| vars().iter().position(|w| *w == v).map_or(0, |i| state[i])
}

pub(super) fn check<D: NumericDomain>(domain: &D, config: Config) -> Result<(), String> {
    let named = |result: Result<(), String>| result.map_err(|e| format!("{}: {e}", domain.name()));
    let tenth = config.cases.div_ceil(10);
    named(run("points are told apart", tenth, config, &(points(), points()), |(p, q)| {
        tells_apart(domain, config.points, &p, &q)
    }))?;
    named(run("no state is lost", config.cases, config, &program(), |p| loses_no_state(domain, &p)))?;
    named(run("widening chains end", tenth, config, &growth(3), |g| chains_end(domain, &g)))
}

/// An element and concrete states that it is known to contain.
#[derive(Clone)]
struct Subject<E> {
    states: Vec<State>,
    element: E,
}

/// A random program over two subjects.
#[derive(Clone, Debug)]
struct Program {
    base: State,
    /// Further states: the base with one variable changed.
    variations: Vec<(usize, i128)>,
    /// Which variables each subject knows at first, by the join of the points that the states are.
    known: [[bool; VARS]; 2],
    steps: Vec<Step>,
    /// Small points at which the order is tested in addition.
    points: Vec<State>,
}

#[derive(Clone, Debug)]
struct Step {
    /// Whether the second subject changes (the first is then the other one).
    second: bool,
    op: Op,
    /// The questions asked afterwards.
    query: Expr,
}

#[derive(Clone, Debug)]
enum Op {
    Assign(usize, Expr),
    /// Shifted so that the numbered state satisfies it.
    Assume(Expr, Relation, usize, u8),
    Forget(Vec<(usize, i128)>),
    Expand(usize, usize),
    Fold(usize, usize, i128),
    /// Each variable gets the name of the next; the last that of the first if the flag is set.
    Rename(Vec<usize>, bool, i128),
    Join,
    Meet,
    Widen(Vec<i128>),
    Copy,
}

fn points() -> impl Strategy<Value = State> {
    prop::array::uniform6(-3..=3i128)
}

fn program() -> impl Strategy<Value = Program> {
    let var = || 0..VARS;
    let op = prop_oneof![
        4 => (var(), expr(VARS)).prop_map(|(v, e)| Op::Assign(v, e)),
        8 => (expr(VARS), relation(), 0..STATES, 0..4u8).prop_map(|(e, r, s, k)| Op::Assume(e, r, s, k)),
        2 => prop::collection::vec((var(), number()), 1..=3).prop_map(Op::Forget),
        2 => (var(), var()).prop_filter_map("distinct", |(v, w)| (v != w).then_some(Op::Expand(v, w))),
        2 => (var(), var(), number()).prop_filter_map("distinct", |(v, w, x)| (v != w).then_some(Op::Fold(v, w, x))),
        2 => (prop::sample::subsequence((0..VARS).collect::<Vec<_>>(), 2..=4).prop_shuffle(), any::<bool>(), number())
            .prop_map(|(vs, cycle, x)| Op::Rename(vs, cycle, x)),
        3 => Just(Op::Join),
        2 => Just(Op::Meet),
        2 => prop::collection::vec(-8..=8i128, 0..3).prop_map(Op::Widen),
        2 => Just(Op::Copy),
    ];
    let step = (any::<bool>(), op, expr(VARS)).prop_map(|(second, op, query)| Step { second, op, query });
    (
        prop::array::uniform6(number()),
        prop::collection::vec((0..VARS, number()), 0..4),
        prop::array::uniform2(prop::array::uniform6(prop::bool::weighted(0.7))),
        prop::collection::vec(step, 1..16),
        prop::collection::vec(points(), 0..4),
    )
        .prop_map(|(base, variations, known, steps, points)| Program { base, variations, known, steps, points })
}

/// An operation whose operands are settled.
enum Action {
    Assign(Var, LinearExpr),
    Assume(Constraint),
    Forget(Vec<Var>),
    Expand(Var, Var),
    Fold(Var, Var),
    /// The variables to forget first (targets must be unmentioned), then the pairs.
    Rename(Vec<Var>, Vec<(Var, Var)>),
    Join,
    Meet,
    Widen(Thresholds),
    Copy,
}

fn settle(op: &Op, states: &[State]) -> Action {
    let v = vars();
    match op {
        Op::Assign(i, e) => Action::Assign(v[*i], e.over(&v)),
        Op::Assume(e, relation, state, slack) => {
            let e = e.over(&v);
            let value = (!states.is_empty()).then(|| e.evaluate(at(&states[state % states.len()]))).flatten();
            Action::Assume(around(&e, *relation, value, *slack))
        }
        Op::Forget(vars) => Action::Forget(vars.iter().map(|(i, _)| v[*i]).collect()),
        Op::Expand(i, j) => Action::Expand(v[*i], v[*j]),
        Op::Fold(i, j, _) => Action::Fold(v[*i], v[*j]),
        Op::Rename(chain, cycle, _) => {
            let mut pairs: Vec<(Var, Var)> = chain.windows(2).map(|w| (v[w[0]], v[w[1]])).collect();
            let (first, last) = (v[chain[0]], v[chain[chain.len() - 1]]);
            if *cycle {
                pairs.push((last, first));
            }
            Action::Rename(if *cycle { Vec::new() } else { vec![last] }, pairs)
        }
        Op::Join => Action::Join,
        Op::Meet => Action::Meet,
        Op::Widen(thresholds) => Action::Widen(Thresholds::new(thresholds.iter().copied())),
        Op::Copy => Action::Copy,
    }
}

fn act<E: Numeric>(action: &Action, element: &mut E, other: &E) -> TestCaseResult {
    match action {
        Action::Assign(v, e) => element.assign(*v, e),
        Action::Assume(c) => element.assume(c),
        Action::Forget(vars) => {
            for c in element.constraints().iter().filter(|c| c.expr.vars().any(|v| vars.contains(&v))) {
                let related = element.related(vars);
                let mut meets = c.expr.vars().filter(|v| !vars.contains(v));
                ensure(meets.all(|v| related.contains(&v)), || format!("{c:?} relates more than {related:?}"))?;
            }
            let rest = element.vars().into_iter().filter(|v| !vars.contains(v)).collect();
            let projected = element.project(&rest);
            element.forget(vars);
            ensure(projected.leq(element) && element.leq(&projected), || {
                format!("projected {projected:?}, but forgotten {element:?}")
            })?;
            let left = element.vars();
            ensure(vars.iter().all(|v| !left.contains(v)), || format!("forgotten but constrained: {left:?}"))?;
        }
        Action::Expand(v, copy) => {
            element.forget(&[*copy]);
            element.expand(*v, *copy);
        }
        Action::Fold(into, from) => {
            element.fold(*into, *from);
            ensure(!element.vars().contains(from), || format!("folded away but constrained: {from:?}"))?;
        }
        Action::Rename(forgotten, pairs) => {
            element.forget(forgotten);
            element.rename(pairs);
        }
        Action::Join => {
            let old = element.clone();
            element.join_with(other);
            ensure(old.leq(element), || format!("{old:?} is not below its join {element:?}"))?;
            ensure(other.leq(element), || format!("{other:?} is not below its join {element:?}"))?;
        }
        Action::Meet => element.meet_with(other),
        Action::Widen(thresholds) => {
            let mut next = element.clone();
            next.join_with(other);
            let widened = E::widen(element, &next, thresholds);
            ensure(next.leq(&widened), || format!("{next:?} is not below the widening {widened:?} of {element:?}"))?;
            ensure(element.leq(&widened), || format!("{element:?} is not below its widening {widened:?}"))?;
            *element = widened;
        }
        Action::Copy => element.clone_from(other),
    }
    Ok(())
}

/// Applies the operation to concrete states. A state whose successor cannot be computed is no
/// longer followed.
fn follow(action: &Action, op: &Op, states: &[State], others: &[State]) -> Vec<State> {
    let v = vars();
    let index = |x: Var| v.iter().position(|w| *w == x).expect("a variable of the laws");
    let with = |s: &State, i: usize, x: i128| {
        let mut s = *s;
        s[i] = x;
        s
    };
    let mut result: Vec<State> = match (action, op) {
        (Action::Assign(x, e), _) => {
            states.iter().filter_map(|s| Some(with(s, index(*x), e.evaluate(at(s))?))).collect()
        }
        (Action::Assume(c), _) => states.iter().filter(|s| c.holds(at(s)) == Some(true)).copied().collect(),
        (_, Op::Forget(values)) => {
            // Both the old value and the new one are possible.
            let changed = states.iter().map(|s| values.iter().fold(*s, |s, (i, x)| with(&s, *i, *x)));
            changed.chain(states.iter().copied()).collect()
        }
        (_, Op::Expand(i, copy)) => {
            // Two states that differ in `v` alone give a state in which original and copy differ.
            let same = |s: &State, t: &State| (0..VARS).all(|j| j == *i || j == *copy || s[j] == t[j]);
            let own = states.iter().map(|s| with(s, *copy, s[*i]));
            let pairs = states.iter().flat_map(|s| states.iter().map(move |t| (s, t)));
            own.chain(pairs.filter(|(s, t)| same(s, t)).map(|(s, t)| with(s, *copy, t[*i]))).collect()
        }
        (_, Op::Fold(into, from, x)) => {
            states.iter().flat_map(|s| [with(s, *from, *x), with(&with(s, *into, s[*from]), *from, *x)]).collect()
        }
        (_, Op::Rename(chain, cycle, x)) => {
            let rename = |s: &State| {
                let mut renamed = *s;
                for w in chain.windows(2) {
                    renamed[w[1]] = s[w[0]];
                }
                renamed[chain[0]] = if *cycle { s[chain[chain.len() - 1]] } else { *x };
                renamed
            };
            states.iter().map(rename).collect()
        }
        (Action::Join | Action::Widen(_), _) => {
            // Alternating, so that both sides survive the truncation below.
            let longest = states.len().max(others.len());
            (0..longest).flat_map(|i| [states.get(i), others.get(i)]).flatten().copied().collect()
        }
        (Action::Meet, _) => states.iter().filter(|s| others.contains(s)).copied().collect(),
        (Action::Copy, _) => others.to_vec(),
        _ => unreachable!("every operation is covered by itself or by its action"),
    };
    let mut seen: Vec<State> = Vec::new();
    result.retain(|s| !seen.contains(s) && (seen.push(*s), true).1);
    result.truncate(STATES);
    result
}

fn contains<E: Numeric>(element: &E, state: &State) -> bool {
    let mut element = element.clone();
    for (v, x) in vars().into_iter().zip(state) {
        if let Some(c) = equals(v, *x) {
            element.assume(&c);
        }
    }
    !element.is_bottom()
}

/// Points have elements that hold them; and no others, if points `must` be told apart.
fn tells_apart<D: NumericDomain>(domain: &D, must: bool, p: &State, q: &State) -> TestCaseResult {
    let mut element = domain.top();
    ensure(!element.is_bottom() && contains(&element, p), || "top does not hold every state".into())?;
    for (v, x) in vars().into_iter().zip(p) {
        element.assume(&equals(v, *x).expect("small"));
    }
    ensure(contains(&element, p), || format!("{element:?} has lost {p:?}"))?;
    ensure(!must || p == q || !contains(&element, q), || format!("{element:?} holds {q:?} too"))
}

fn loses_no_state<D: NumericDomain>(domain: &D, program: &Program) -> TestCaseResult {
    let mut states = vec![program.base];
    for (i, x) in &program.variations {
        let mut state = program.base;
        state[*i] = *x;
        states.push(state);
    }
    let mut subjects = program.known.map(|known| {
        let mut element = domain.bottom();
        for state in &states {
            let mut point = domain.top();
            let values = vars().into_iter().zip(state).zip(known).filter(|(_, known)| *known);
            values.filter_map(|((v, x), _)| equals(v, *x)).for_each(|c| point.assume(&c));
            element.join_with(&point);
        }
        Subject { states: states.clone(), element }
    });
    for step in &program.steps {
        let [first, second] = &mut subjects;
        let (this, other) = if step.second { (second, &*first) } else { (first, &*second) };
        let action = settle(&step.op, &this.states);
        let states = follow(&action, &step.op, &this.states, &other.states);
        let before = this.element.clone();
        if states.is_empty() {
            // Nothing to lose: the operation must just not panic.
            act(&action, &mut this.element.clone(), &other.element)?;
        } else {
            act(&action, &mut this.element, &other.element)?;
            this.states = states;
        }
        for state in &this.states {
            ensure(contains(&this.element, state), || {
                format!(
                    "{:?} loses {state:?}\n  from {before:?}\n  to {:?}\n  other {:?}",
                    step.op, this.element, other.element
                )
            })?;
        }
        answers_are_true(this, &step.query)?;
        bottom_stays_bottom(domain, &action, &this.element)?;
        order_is_inclusion(&subjects, &program.points)?;
    }
    Ok(())
}

/// Bounds, entailments and constraints hold in every state.
fn answers_are_true<E: Numeric>(subject: &Subject<E>, query: &Expr) -> TestCaseResult {
    let Subject { states, element } = subject;
    let e = query.over(&vars());
    let (bounds, constraints, mentioned) = (element.bounds(&e), element.constraints(), element.vars());
    ensure(element.leq(element), || format!("{element:?} is not below itself"))?;
    ensure(mentioned.is_sorted(), || format!("{element:?}: variables are not sorted: {mentioned:?}"))?;
    let strangers = constraints.iter().flat_map(|c| c.expr.vars()).find(|v| !mentioned.contains(v));
    ensure(strangers.is_none(), || format!("{element:?} constrains {strangers:?} but lists {mentioned:?}"))?;
    for state in states {
        if let Some(value) = e.evaluate(at(state)) {
            ensure(bounds.is_some_and(|b| b.contains(value)), || {
                format!("{element:?}: {e:?} is {value} in {state:?}, outside its bounds {bounds:?}")
            })?;
            for c in just_false(&e, value) {
                ensure(!element.entails(&c), || format!("{element:?} is said to entail {c:?}, false in {state:?}"))?;
            }
        }
        for c in &constraints {
            ensure(c.holds(at(state)) != Some(false), || format!("{element:?} prints {c:?}, false in {state:?}"))?;
        }
    }
    Ok(())
}

fn bottom_stays_bottom<D: NumericDomain>(domain: &D, action: &Action, other: &D::Element) -> TestCaseResult {
    let mut bottom = domain.bottom();
    ensure(bottom.is_bottom(), || "bottom is not bottom".into())?;
    ensure(bottom.leq(other), || format!("bottom is not below {other:?}"))?;
    ensure(bottom.bounds(&LinearExpr::var(vars()[0])).is_none(), || "bottom has bounds".into())?;
    match action {
        Action::Join | Action::Widen(_) | Action::Copy => act(action, &mut bottom, other),
        _ => {
            act(action, &mut bottom, other)?;
            ensure(bottom.is_bottom(), || format!("bottom became {bottom:?}"))
        }
    }
}

fn order_is_inclusion<E: Numeric>(subjects: &[Subject<E>; 2], points: &[State]) -> TestCaseResult {
    let [first, second] = subjects;
    for (low, high) in [(first, second), (second, first)] {
        if low.element.leq(&high.element) || low.element.leq_at_once(&high.element) {
            let held = points.iter().filter(|p| contains(&low.element, p));
            for state in low.states.iter().chain(held) {
                ensure(contains(&high.element, state), || {
                    format!("{:?} is said to be below {:?}, but has {state:?}", low.element, high.element)
                })?;
            }
        }
    }
    Ok(())
}

fn chains_end<D: NumericDomain>(domain: &D, growth: &Growth) -> TestCaseResult {
    let v = &vars()[..3];
    let thresholds = Thresholds::new(growth.thresholds.iter().copied());
    let (mut iterate, mut changes, mut quiet, mut k) = (domain.bottom(), 0, 0, 0);
    while quiet < 8 {
        let mut next = domain.top();
        growth.constraints(k, v).iter().for_each(|c| next.assume(c));
        next.join_with(&iterate);
        if next.leq(&iterate) {
            quiet += 1;
        } else {
            (changes, quiet) = (changes + 1, 0);
            iterate = D::Element::widen(&iterate, &next, &thresholds);
            ensure(next.leq(&iterate), || format!("{next:?} is not below the widening {iterate:?}"))?;
        }
        let mut here = iterate.clone();
        for (v, x) in v.iter().zip(growth.point(k)) {
            here.assume(&equals(*v, x).expect("small"));
        }
        ensure(!here.is_bottom(), || format!("iterate {k} has lost {:?}: {iterate:?}", growth.point(k)))?;
        ensure(changes <= CHAIN_LIMIT, || format!("still growing after {changes} widenings: {iterate:?}"))?;
        k += 1;
    }
    Ok(())
}

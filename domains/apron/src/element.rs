//! The elements.

use crate::convert::{Row, is_double};
use crate::kind::Kind;
use crate::manager::Manager;
use crate::value::Value;
use crate::widen;
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, Relation, Thresholds, Var, simplify};
use std::fmt;
use std::rc::Rc;

/// An element of one of APRON's domains. It stays in the thread that made its domain:
///
/// ```compile_fail,E0277
/// fn is_sent<T: Send>() {}
/// is_sent::<smalti_apron::ApronElement>();
/// ```
#[derive(Clone)]
pub struct ApronElement {
    manager: Rc<Manager>,
    state: State,
}

#[derive(Clone)]
enum State {
    Bottom,
    Top,
    /// `vars` is not empty and ascends strictly; dimension `k` of `value` is `vars[k]`. A widening
    /// of octagons or boxes may leave variables here that are no longer constrained; every other
    /// operation drops them.
    Some {
        vars: Vec<Var>,
        value: Rc<Value>,
    },
}

use State::{Bottom, Some as Constrained, Top};

impl ApronElement {
    pub(crate) fn top(manager: Rc<Manager>) -> Self {
        ApronElement { manager, state: Top }
    }

    pub(crate) fn bottom(manager: Rc<Manager>) -> Self {
        ApronElement { manager, state: Bottom }
    }

    /// The kind of its domain.
    pub fn kind(&self) -> Kind {
        self.manager.kind()
    }

    /// The value over exactly `target` (ascending): other variables are projected away, missing
    /// ones are unconstrained. `None` if there is no such value to be had: bottom, no variables, or
    /// an exception.
    fn over(&self, target: &[Var]) -> Option<Rc<Value>> {
        let (vars, mut value) = match &self.state {
            Bottom => return None,
            Top => return if target.is_empty() { None } else { Value::top(&self.manager, target.len()) },
            Constrained { vars, value } => (vars, Rc::clone(value)),
        };
        let mut gone = positions(vars, |v| target.binary_search(&v).is_err());
        if gone.len() == vars.len() {
            return if target.is_empty() { None } else { Value::top(&self.manager, target.len()) };
        }
        if !gone.is_empty() {
            value = value.remove(&mut gone)?;
        }
        let kept: Vec<Var> = vars.iter().copied().filter(|v| target.binary_search(v).is_ok()).collect();
        let missing = target.iter().filter(|v| kept.binary_search(v).is_err());
        let mut before: Vec<u32> = missing.map(|v| kept.partition_point(|k| k < v) as u32).collect();
        if before.is_empty() { Some(value) } else { value.add(&mut before) }
    }

    /// The variables of the representation: all that are constrained, perhaps more.
    fn mentioned(&self) -> &[Var] {
        match &self.state {
            Constrained { vars, .. } => vars,
            Bottom | Top => &[],
        }
    }

    /// Takes over the result of an operation on `vars`; `None`, after an exception, is top. `self`
    /// was not bottom.
    fn set(&mut self, vars: Vec<Var>, value: Option<Rc<Value>>) {
        self.state = match value {
            Some(value) if !vars.is_empty() => Constrained { vars, value },
            _ => Top,
        };
    }

    /// Drops the dimensions among `candidates` that are not constrained any more.
    fn prune(&mut self, candidates: impl Fn(Var) -> bool) {
        let Constrained { vars, value } = &self.state else { return };
        let free = |k: usize| candidates(vars[k]) && value.is_unconstrained(k);
        let gone: Vec<Var> = (0..vars.len()).filter(|k| free(*k)).map(|k| vars[k]).collect();
        if !gone.is_empty() {
            self.project(&gone);
        }
    }

    /// Existential quantification of some variables.
    fn project(&mut self, gone: &[Var]) {
        let Constrained { vars, value } = std::mem::replace(&mut self.state, Top) else {
            unreachable!("has variables")
        };
        let mut dims = positions(&vars, |v| gone.contains(&v));
        let kept: Vec<Var> = vars.iter().copied().filter(|v| !gone.contains(v)).collect();
        let result = if kept.is_empty() {
            None
        } else if dims.is_empty() {
            Some(value)
        } else {
            value.remove(&mut dims)
        };
        self.set(kept, result);
    }

    /// `value`, whose dimension `k` is `names[k]` (in any order), with its dimensions brought into
    /// order.
    fn set_named(&mut self, names: Vec<Var>, value: Option<Rc<Value>>) {
        let mut vars = names.clone();
        vars.sort_unstable();
        debug_assert!(vars.windows(2).all(|w| w[0] < w[1]), "two dimensions of one name: {names:?}");
        let mut target: Vec<u32> = names.iter().map(|v| vars.partition_point(|w| w < v) as u32).collect();
        let in_order = target.is_sorted();
        let value = value.and_then(|value| if in_order { Some(value) } else { value.permute(&mut target) });
        self.set(vars, value);
    }

    /// Meets with `expr >= 0` (or `== 0`), where variables occur. After an exception the element is
    /// what it was.
    fn meet_constraint(&mut self, expr: &LinearExpr, equality: bool) {
        let vars = union(self.mentioned(), &expr.vars().collect::<Vec<_>>());
        let before = self.before_exception();
        let Some(value) = self.take_over(&vars) else { return };
        let row = Row::new(expr, &vars).expect("all variables are dimensions");
        let Some(value) = value.meet_rows(&[(row, equality)]) else {
            return self.recover(before);
        };
        self.settle(vars, value);
        // The interval arithmetic of a box can leave fractions as bounds, unless all coefficients
        // are 1 or -1.
        if self.kind().is_box() && expr.terms().iter().any(|t| !matches!(t.1, 1 | -1)) {
            self.round_bounds(expr);
        }
    }

    /// Rounds the bounds of the variables of `expr` inwards, so that all bounds of a box are
    /// integers.
    fn round_bounds(&mut self, expr: &LinearExpr) {
        let Constrained { vars, value } = &self.state else { return };
        let mut rows = Vec::new();
        for k in expr.vars().filter_map(|v| vars.binary_search(&v).ok()) {
            let Some(bounds) = value.bounds(&Row::unary(k, 1, 0)) else {
                self.state = Bottom;
                return;
            };
            let low = bounds.lo.filter(|b| b.floor != b.ceil).and_then(|b| b.ceil.checked_neg());
            rows.extend(low.map(|c| (Row::unary(k, 1, c), false)));
            let high = bounds.hi.filter(|b| b.floor != b.ceil);
            rows.extend(high.map(|b| (Row::unary(k, -1, b.floor), false)));
        }
        if rows.is_empty() {
            return;
        }
        let (vars, value) = (vars.clone(), Rc::clone(value));
        self.state = Top;
        let value = value.meet_rows(&rows);
        match value {
            Some(value) => self.settle(vars, value),
            None => self.state = Top,
        }
    }

    /// [`Numeric::assign`], for numbers that the domain can hold.
    fn assign_in_apron(&mut self, v: Var, e: &LinearExpr) {
        let mut needed: Vec<Var> = e.vars().chain([v]).collect();
        needed.sort_unstable();
        needed.dedup();
        let vars = union(self.mentioned(), &needed);
        let before = self.before_exception();
        let assigned = self.take_over(&vars).and_then(|value| {
            let row = Row::new(e, &vars)?;
            let dim = vars.binary_search(&v).ok()?;
            value.assign(dim, &row)
        });
        if assigned.is_none() {
            self.recover(before);
            return self.forget(&[v]);
        }
        self.set(vars, assigned);
        self.prune(|w| needed.binary_search(&w).is_ok());
    }

    /// Only the valuations with `v` in `range`, if there is one.
    fn clamp(&mut self, v: Var, range: Option<Interval>) {
        let Some(range) = range else { return };
        let v = LinearExpr::var(v);
        if self.bounds_of(&v).is_none_or(|known| known.is_subset(range)) {
            return;
        }
        let low = range.lo().and_then(|lo| Constraint::ge(&v, &LinearExpr::constant(lo)));
        let high = range.hi().and_then(|hi| Constraint::le(&v, &LinearExpr::constant(hi)));
        low.iter().chain(&high).for_each(|c| self.assume(c));
    }

    /// Stores a value that may turn out to be empty.
    fn settle(&mut self, vars: Vec<Var>, value: Rc<Value>) {
        self.state = if value.is_bottom() { Bottom } else { Constrained { vars, value } };
    }

    /// The value over `vars`, taken out of `self` so that it may be changed in place. On an
    /// exception `self` is what it was.
    fn take_over(&mut self, vars: &[Var]) -> Option<Rc<Value>> {
        if self.mentioned() == vars
            && let Constrained { value, .. } = std::mem::replace(&mut self.state, Top)
        {
            return Some(value);
        }
        let value = self.over(vars)?;
        self.state = Top;
        Some(value)
    }

    /// The state to return after an exception. Keeping it makes the operation copy, so it is kept
    /// only for polyhedra, which do exceed their limit; the other domains raise exceptions only
    /// when memory is exhausted.
    fn before_exception(&self) -> Option<State> {
        (self.kind() == Kind::Polyhedra).then(|| self.state.clone())
    }

    fn recover(&mut self, before: Option<State>) {
        self.state = before.unwrap_or(Top);
    }

    /// Whether the domain's numbers can hold those of `e`.
    fn holds_numbers_of(&self, e: &LinearExpr) -> bool {
        !self.kind().is_double() || (e.terms().iter().all(|t| is_double(t.1)) && is_double(e.constant_part()))
    }

    /// An interval that holds every value of `e`, whose numbers are the domain's; `None` is bottom.
    fn bounds_of(&self, e: &LinearExpr) -> Option<Interval> {
        let real = match &self.state {
            Bottom => return None,
            Top => return Some(Interval::TOP),
            Constrained { vars, value } => match Row::new(e, vars) {
                Some(row) => value.bounds(&row)?,
                None => return Some(Interval::TOP),
            },
        };
        // No integer between the bounds: the element is empty, whether it knows it or not.
        Interval::new(real.lo.map(|b| b.ceil), real.hi.map(|b| b.floor))
    }
}

impl Lattice for ApronElement {
    fn is_bottom(&self) -> bool {
        matches!(self.state, Bottom)
    }

    fn leq(&self, other: &Self) -> bool {
        assert_eq!(self.kind(), other.kind(), "elements of different domains");
        match (&self.state, &other.state) {
            (Bottom, _) | (_, Top) => true,
            (_, Bottom) => false,
            (_, Constrained { vars, value }) => {
                self.over(vars).is_some_and(|own| own.leq(value))
                    // Octagons are compared as sets of real points, one of them perhaps with a
                    // bound between two integers: constraint by constraint, rounded to integers,
                    // says more.
                    || self.kind().is_octagon()
                        && value
                            .whole_constraints(vars)
                            .is_some_and(|all| simplify::tidy_octagon(all).iter().all(|c| self.entails(c)))
            }
        }
    }

    fn join_with(&mut self, other: &Self) {
        assert_eq!(self.kind(), other.kind(), "elements of different domains");
        if other.is_bottom() {
            return;
        }
        if self.is_bottom() {
            self.state = other.state.clone();
            return;
        }
        let common = intersection(self.mentioned(), other.mentioned());
        let theirs = other.over(&common);
        let ours = self.take_over(&common);
        let joined = ours.zip(theirs).and_then(|(ours, theirs)| ours.join(&theirs));
        self.set(common, joined);
        self.prune(|_| true);
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        assert_eq!(prev.kind(), next.kind(), "elements of different domains");
        if prev.is_bottom() {
            return next.clone();
        }
        if next.is_bottom() {
            return prev.clone();
        }
        let manager = Rc::clone(&prev.manager);
        // If `prev` has no other variables, this is its own value, not a closed copy of it.
        let common = intersection(prev.mentioned(), next.mentioned());
        let widened = prev.over(&common).zip(next.over(&common)).and_then(|(old, new)| match prev.kind() {
            Kind::Octagon | Kind::OctagonMpq => widen::octagons(&old, &new, thresholds),
            Kind::Polyhedra => widen::polyhedra(&old, &new, common.len(), thresholds),
            Kind::Box => {
                let top = Value::top(&manager, common.len())?;
                widen::boxes(&old, &new, common.len(), top, thresholds)
            }
        });
        let mut result = ApronElement::top(manager);
        result.set(common, widened);
        // Of polyhedra it does not matter to the next widening; an octagon would be closed.
        if result.kind() == Kind::Polyhedra {
            result.prune(|_| true);
        }
        result
    }
}

impl Numeric for ApronElement {
    fn forget(&mut self, vars: &[Var]) {
        if self.mentioned().iter().any(|v| vars.contains(v)) {
            self.project(vars);
            self.prune(|_| true);
        }
    }

    fn assign(&mut self, v: Var, e: &LinearExpr) {
        if self.is_bottom() {
            return;
        }
        let mentioned = self.mentioned();
        let known = mentioned.binary_search(&v).is_ok();
        let unknown = e.vars().any(|w| mentioned.binary_search(&w).is_err());
        // From an unconstrained variable `v` itself nothing follows, and a box learns nothing from
        // another one either.
        if (e.mentions(v) && !known) || (unknown && self.kind().is_box()) {
            return self.forget(&[v]);
        }
        // APRON assigns a sum or difference to an octagon by the intervals of the two variables;
        // what the octagon knows of the sum itself can be much better.
        let range = (self.kind().is_octagon() && e.terms().len() == 2).then(|| self.bounds(e)).flatten();
        if self.holds_numbers_of(e) {
            self.assign_in_apron(v, e);
            self.clamp(v, range);
        } else {
            let range = self.bounds(e);
            self.forget(&[v]);
            self.clamp(v, range);
        }
    }

    fn assume(&mut self, c: &Constraint) {
        if self.is_bottom() {
            return;
        }
        let c = c.normalise();
        if c.expr.as_constant().is_some() {
            if c.holds(|_| 0) == Some(false) {
                self.state = Bottom;
            }
            return;
        }
        match c.relation {
            Relation::NonNegative => self.meet_constraint(&c.expr, false),
            Relation::Zero => self.meet_constraint(&c.expr, true),
            // Convex sets have no holes: a disequality says something only where one side of it is
            // excluded.
            Relation::NonZero => match self.bounds(&c.expr).map(|b| (b.lo(), b.hi())) {
                None | Some((Some(0), Some(0))) => self.state = Bottom,
                Some((Some(0), _)) => {
                    if let Some(above) = c.expr.add_constant(-1) {
                        self.assume(&Constraint::non_negative(above));
                    }
                }
                Some((_, Some(0))) => {
                    if let Some(below) = c.expr.scale(-1).and_then(|e| e.add_constant(-1)) {
                        self.assume(&Constraint::non_negative(below));
                    }
                }
                Some(_) => {}
            },
        }
    }

    fn meet_with(&mut self, other: &Self) {
        assert_eq!(self.kind(), other.kind(), "elements of different domains");
        match (&self.state, &other.state) {
            (Bottom, _) | (_, Top) => {}
            (_, Bottom) | (Top, _) => self.state = other.state.clone(),
            (Constrained { vars, .. }, Constrained { vars: theirs, .. }) => {
                let vars = union(vars, theirs);
                let before = self.before_exception();
                let Some(theirs) = other.over(&vars) else { return };
                match self.take_over(&vars).and_then(|ours| ours.meet(&theirs)) {
                    Some(value) => self.settle(vars, value),
                    None => self.recover(before),
                }
            }
        }
    }

    fn expand(&mut self, v: Var, copy: Var) {
        debug_assert!(self.mentioned().binary_search(&copy).is_err(), "{copy:?} is mentioned already");
        let Ok(dim) = self.mentioned().binary_search(&v) else { return };
        let Constrained { mut vars, value } = std::mem::replace(&mut self.state, Top) else { return };
        let value = value.expand(dim);
        vars.push(copy);
        self.set_named(vars, value);
        // A variable that had constraints only with `v` may have a copy with none.
        self.prune(|w| w == copy);
    }

    fn fold(&mut self, into: Var, from: Var) {
        let mentioned = self.mentioned();
        let (Ok(a), Ok(b)) = (mentioned.binary_search(&into), mentioned.binary_search(&from)) else {
            // One of the two stands for any value, hence so does the result.
            return self.forget(&[into, from]);
        };
        let Constrained { mut vars, value } = std::mem::replace(&mut self.state, Top) else { return };
        let (first, second) = (a.min(b), a.max(b));
        let value = value.fold([first as u32, second as u32]);
        vars.remove(second);
        vars[first] = into;
        self.set_named(vars, value);
        self.prune(|_| true);
    }

    fn rename(&mut self, pairs: &[(Var, Var)]) {
        let Constrained { vars, value } = &self.state else { return };
        let (vars, value) = (vars.clone(), Rc::clone(value));
        let name = |v: Var| pairs.iter().find(|p| p.0 == v).map_or(v, |p| p.1);
        let names = vars.iter().map(|v| name(*v)).collect();
        // So that the value has no second holder, and is permuted in place.
        self.state = Top;
        self.set_named(names, Some(value));
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        match e.as_constant() {
            Some(_) if self.is_bottom() => None,
            Some(c) => Some(Interval::constant(c)),
            None if self.holds_numbers_of(e) => self.bounds_of(e),
            None => {
                // Numbers that are not doubles are dealt with here, in integers: the constant at no
                // loss, coefficients at the loss of what the element knows of several variables
                // together.
                let linear = LinearExpr::new(e.terms().iter().copied(), 0)?;
                let range = if self.holds_numbers_of(&linear) {
                    self.bounds_of(&linear)?
                } else {
                    let ranges: Option<Vec<Interval>> = e.vars().map(|v| self.bounds_of(&LinearExpr::var(v))).collect();
                    let mut ranges = ranges?.into_iter();
                    linear.interval(|_| ranges.next().unwrap_or(Interval::TOP))
                };
                Some(range.add(Interval::constant(e.constant_part())))
            }
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        match &self.state {
            Bottom => vec![Constraint::never()],
            Top => Vec::new(),
            Constrained { vars, value } => {
                let all = value.constraints(vars);
                if self.kind().is_octagon() { simplify::tidy_octagon(all) } else { simplify::tidy(all) }
            }
        }
    }

    fn vars(&self) -> Vec<Var> {
        match &self.state {
            Bottom | Top => Vec::new(),
            Constrained { vars, value } => {
                (0..vars.len()).filter(|k| !value.is_unconstrained(*k)).map(|k| vars[k]).collect()
            }
        }
    }
}

impl fmt::Debug for ApronElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.state {
            Bottom => "bottom",
            Top => "top",
            Constrained { .. } => return write!(f, "{} {:?}", self.kind().name(), self.constraints()),
        };
        write!(f, "{} {state}", self.kind().name())
    }
}

/// The positions of the variables that `pick` picks.
fn positions(vars: &[Var], pick: impl Fn(Var) -> bool) -> Vec<u32> {
    (0..vars.len()).filter(|k| pick(vars[*k])).map(|k| k as u32).collect()
}

/// The union of two ascending lists.
fn union(a: &[Var], b: &[Var]) -> Vec<Var> {
    let mut all: Vec<Var> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The intersection of two ascending lists.
fn intersection(a: &[Var], b: &[Var]) -> Vec<Var> {
    a.iter().copied().filter(|v| b.binary_search(v).is_ok()).collect()
}

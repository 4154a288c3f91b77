//! Values that repeat.

use super::recurrence::{Recurrence, Solver};
use smalti_terms::{Context, Facts, Int, Node, Rat, Term};

/// The greatest number of different values, where they are numbers.
const NUMBERS: usize = 12;
/// The greatest number of different values, where they are other terms, which grow.
const TERMS: usize = 2;

/// `y' = t(y)` where the values, from the start on, come to one that was there before: `y' = -y`,
/// `y' = k - y`, toggles.
pub(super) fn periodic(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    if c.mentions(r.step, r.iteration) {
        return None;
    }
    let mut values = vec![r.start];
    let repeated = loop {
        let next = r.next(c, values[values.len() - 1]);
        if let Some(at) = values.iter().position(|value| *value == next) {
            break at;
        }
        let limit = if c.as_int(next).is_some() { NUMBERS } else { TERMS };
        if values.len() >= limit {
            return None;
        }
        values.push(next);
    };
    let (n, cycle) = (c.var(r.iteration), &values[repeated..]);
    if cycle.len() == 1 && values.len() > 1 {
        // It grows evenly and then stays.
        let by = c.sub(values[1], values[0]);
        let is_even = values.windows(2).all(|pair| c.sub(pair[1], pair[0]) == by);
        return is_even.then(|| c.add(r.start, c.mul(by, c.min(n, c.int(repeated)))));
    }
    if repeated > 1 {
        return None;
    }
    let since = c.sub(n, c.int(repeated));
    let in_cycle = match steps_of(c, cycle) {
        Some(by) => c.add(cycle[0], c.mul(by, c.rem(since, c.int(cycle.len())))),
        None => cycle.iter().enumerate().skip(1).fold(cycle[0], |rest, (k, value)| {
            let here = c.divides(cycle.len(), c.sub(since, c.int(k)));
            c.ite(here, *value, rest)
        }),
    };
    let before = values[..repeated].iter().enumerate();
    Some(before.fold(in_cycle, |rest, (k, value)| c.ite(c.eq(n, c.int(k)), *value, rest)))
}

/// The difference of neighbours, if it is the same for all; two values may differ by 1 only, since
/// what has two values is else better a choice.
fn steps_of(c: &Context, values: &[Term]) -> Option<Term> {
    let by = c.sub(*values.get(1)?, values[0]);
    let is_same = values.windows(2).all(|pair| c.sub(pair[1], pair[0]) == by);
    let is_bit = c.as_int(by).is_some_and(|by| by == Int::from(1) || by == Int::from(-1));
    (is_same && (values.len() > 2 || is_bit)).then_some(by)
}

/// A counter that is reset: `if (y == 6) y = 0; else y++;`, `y = (y + 1) % 7`, also downwards. The
/// numbers from `first` to `last` come one after the other, and after `last` comes `first`; so the
/// value is `first` and the remainder of the number of steps since it was there. Both are guessed;
/// that the step does this for each value in between is what makes the rule sound.
pub(super) fn cyclic(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    if c.mentions(r.step, r.iteration) {
        return None;
    }
    let (n, y) = (c.var(r.iteration), c.var(r.value));
    let start = c.as_int(r.start)?;
    for last in candidates(c, r) {
        let Some(first) = c.as_int(r.next(c, c.int(last.clone()))) else { continue };
        let is_upward = first < last;
        let (lo, hi) = if is_upward { (&first, &last) } else { (&last, &first) };
        if lo == hi || !(lo <= &start && &start <= hi) {
            continue;
        }
        let by = c.int(if is_upward { 1 } else { -1 });
        // All values but the last.
        let (from, to) = if is_upward { (lo.clone(), hi - 1) } else { (lo + 1, hi.clone()) };
        let between = c.and(&[c.ge(y, c.int(from)), c.le(y, c.int(to))]);
        let step = Facts::new(c).with(between).simplify(r.step);
        if step == c.add(y, by) {
            let length = c.int(hi - lo + 1);
            let from_first = if is_upward { &start - lo } else { hi - &start };
            let steps = c.rem(c.add(n, c.int(from_first)), length);
            return Some(c.add(c.int(first), c.mul(by, steps)));
        }
    }
    None
}

/// Values after which a counter may be reset: from the constants of tests and divisors.
fn candidates(c: &Context, r: Recurrence) -> Vec<Int> {
    let (mut found, y) = (Vec::new(), c.var(r.value));
    c.each_part(r.step, &mut |t, below| {
        if below {
            return false;
        }
        let constant = match &*c.node(t) {
            Node::Div(_, d) => c.as_int(*d),
            Node::NonNegative(t) | Node::Zero(t) => {
                let parts = c.poly(*t).by_powers_of(y);
                let value = match &parts[..] {
                    [rest, factor] => rest.as_constant().zip(factor.as_constant()),
                    _ => None,
                };
                let value = value.map(|(rest, factor)| -rest / factor);
                value.filter(Rat::is_integer).map(|value| value.to_integer())
            }
            _ => None,
        };
        if let Some(constant) = constant {
            found.extend([constant.clone(), &constant - 1, constant + 1]);
        }
        true
    });
    found
}

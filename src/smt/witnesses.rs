//! Common witnesses against several formulas.
//!
//! The question whether all of some formulas hold has a model if one of them is false. What makes
//! `forall k, A` false is one number; if there are several such formulas, one number for all of
//! them is enough, as one false formula is. Fewer numbers mean fewer instances of what is known.
//!
//! **Why it is sound.** The quantifiers come to the front: `C ==> forall k, A` is `forall k,
//! C ==> A`, and `(forall k, A) and (forall l, B)` is `forall k, A and B`, as `k` is not in `C`.
//! The front of each formula loses its quantifiers: their variables become the same constants
//! `any.0`, `any.1`, and so on, in all formulas. Take a model of the facts in which one formula
//! `forall k, A` is false. For some number, `A` is false there. With `any.0` as this number, it is
//! a model of the facts in which one of the new formulas is false, since no fact mentions `any.0`.
//! Likewise for the next quantifiers.

use super::script::Declarations;
use super::term::{Head, Sort, Symbol, Term};

/// Formulas without the quantifiers at their fronts. They hold for all values of the constants that
/// are declared here if and only if the given ones hold. The script must know nothing about
/// constants with the names `any.0`, `any.1`, …
pub fn with_common_witnesses(goals: Vec<Term>, declarations: &mut Declarations) -> Vec<Term> {
    let mut witnesses = Vec::new();
    goals.iter().map(|goal| without_front(goal, 0, &mut witnesses, declarations)).collect()
}

/// A formula inside of `depth` quantifiers that are gone.
fn without_front(goal: &Term, depth: usize, witnesses: &mut Vec<Term>, declarations: &mut Declarations) -> Term {
    match (goal.head(), goal.arguments()) {
        (Head::ForAll(bound), [body]) => {
            if witnesses.len() == depth {
                witnesses.push(declarations.constant(Symbol::new(&format!("any.{depth}")), Sort::Int));
            }
            let body = body.substituted(bound, &witnesses[depth].clone());
            without_front(&body, depth + 1, witnesses, declarations)
        }
        (Head::Implies, [condition, then]) => {
            condition.clone().implies(without_front(then, depth, witnesses, declarations))
        }
        (Head::And, all) => Term::and(all.iter().map(|a| without_front(a, depth, witnesses, declarations))),
        _ => goal.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::or_skip;
    use crate::smt::{self, Answer, Order, Script};
    use std::time::{Duration, Instant};

    /// Whether all of some formulas follow from facts about an array `a`, asked with quantifiers
    /// and with common witnesses. `None` without a solver.
    fn follow(facts: &dyn Fn(&Term) -> Vec<Term>, goals: &dyn Fn(&Term) -> Vec<Term>) -> Option<[bool; 2]> {
        let solver = or_skip(smt::find(None))?;
        let unsatisfiable = |is_common: bool| {
            let mut script = Script::default();
            let a = script.declarations.constant(Symbol::new("a"), Sort::array(Sort::Int, Sort::Int));
            script.assertions.extend(facts(&a).into_iter().map(|f| (Symbol::new("fact"), f)));
            let goals = match is_common {
                true => with_common_witnesses(goals(&a), &mut script.declarations),
                false => goals(&a),
            };
            let one_is_false = match &goals[..] {
                [one] => one.clone().negated(),
                all => Term::and(all.iter().cloned()).negated(),
            };
            script.assertions.push((Symbol::new("goal"), one_is_false));
            let until = Instant::now() + Duration::from_secs(10);
            matches!(smt::ask_briefly(&solver, &script, Duration::from_secs(10), until), Ok(Answer::Unsatisfiable(_)))
        };
        Some([unsatisfiable(false), unsatisfiable(true)])
    }

    fn bound(name: &str) -> (Term, Symbol) {
        let symbol = Symbol::new(name);
        (Term::bound(&symbol), symbol)
    }

    #[test]
    fn formulas_follow_with_common_witnesses_if_and_only_if_they_follow() {
        let at = |a: &Term, k: Term| a.clone().select(k);
        let at_least = |a: &Term, k: Term, n: i128| Term::int(n).int_order(Order::LessEqual, at(a, k));
        // All elements are 3, but for one.
        let facts = |special: i128| {
            move |a: &Term| {
                let (k, name) = bound("f");
                let other = k.clone().equals(Term::int(5)).negated();
                let is_three = a.clone().select(k).equals(Term::int(3));
                vec![other.implies(is_three).for_all(name), a.clone().select(Term::int(5)).equals(Term::int(special))]
            }
        };
        let single = |a: &Term, n: i128| {
            let (k, name) = bound("k");
            at_least(a, k, n).for_all(name)
        };
        let pairs = |a: &Term| {
            let ((k, first), (l, second)) = (bound("k"), bound("l"));
            at(a, k).equals(at(a, l)).for_all(second).for_all(first)
        };
        let mixed = |a: &Term, n: i128| {
            let ((k, first), (l, second)) = (bound("k"), bound("l"));
            let condition = Term::int(0).int_order(Order::LessEqual, k.clone());
            let inner = Term::and([at_least(a, l, n), at_least(a, k, n)]).for_all(second);
            Term::and([single(a, n), condition.implies(inner)]).for_all(first)
        };
        let cases: [&dyn Fn(&Term) -> Vec<Term>; 6] = [
            &|a| vec![single(a, 3)],
            &|a| vec![single(a, 3), single(a, 2)],
            &|a| vec![single(a, 2), single(a, 4)],
            &|a| vec![pairs(a)],
            &|a| vec![single(a, 2), pairs(a), mixed(a, 1)],
            &|a| vec![mixed(a, 3), single(a, 1)],
        ];
        for special in [2, 3, 4] {
            for goals in cases {
                let Some([with_quantifiers, with_common]) = follow(&facts(special), goals) else { return };
                assert_eq!(with_quantifiers, with_common, "{special}");
            }
        }
    }
}

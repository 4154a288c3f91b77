//! What a summary says as clauses of annotations: invariants of loops, and what the function under
//! analysis ensures (ANSI/ISO C Specification Language, version 1.20, sections 2.2, 2.3.1, 2.4.2).
//!
//! **Meaning.** A clause holds whenever a run without undefined behaviour is at its place. The
//! terms of the place are written with what an annotation can name there: variables with their
//! values at that moment, and with `\at(x, Pre)` what arguments and globals held at the start. The
//! number of an iteration has no name. It is written with a variable that grows by a constant: if
//! `i = 2*n + c` then `n = (i - c)/2`. What cannot be written so has no clause.
//!
//! A loop in a function that was inlined several times has the clauses that all copies have.

mod names;
mod text;

use super::{Moment, Point, Region, Summary};
use crate::annotate::assigns;
use crate::annotate::scopes::{AnnotatedPlaces, LoopPlace, Scope, annotated_places};
use crate::program::{FunctionId, Location, Program};
use crate::reduce::normal::Inlined;
use names::{All, Names};
use num_traits::{One, Signed};
use smalti_terms::{Context, Facts, Int, Node, Rat, Sort, Term, Var, index_names};
use std::collections::{BTreeMap, BTreeSet};
use text::Writer;

/// The work that the clauses of one place may cost, in units of [`smalti_terms::Limits::work`].
const WORK: u64 = 300_000;
/// The most cases in which the cells of an array are written.
const CASES: usize = 6;
/// The most conditions of a place that are looked at.
const CONDITIONS: usize = 20;

/// The clauses of one place, without their keywords.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clauses {
    /// Where the loop or the name of the function stands.
    pub at: Location,
    /// The function of the source.
    pub function: FunctionId,
    /// Whether it is a loop. Else it is the end of the function.
    pub is_loop: bool,
    /// The predicates.
    pub predicates: Vec<String>,
    /// For loops: what the loop may change, if that is known.
    pub assigns: Option<Vec<String>>,
}

impl Summary {
    /// The clauses for the loops and for the end of the function under analysis, in the order of
    /// the source. The summary must be that of `source` after `resolved`, with the points at heads
    /// of loops.
    pub fn clauses(&self, source: &Program, resolved: &Inlined) -> Vec<Clauses> {
        let Ok((program, body)) = resolved.parts() else { return Vec::new() };
        let places = annotated_places(source, program, body);
        let all = All { summary: self, source, program, resolved, words: source.sources.words() };
        // By function; its end comes last.
        let mut found: BTreeMap<(FunctionId, bool, Location), Vec<Clauses>> = BTreeMap::new();
        for clauses in self.points.iter().filter_map(|point| all.clauses(point, &places)) {
            // A call that was not inlined is another copy.
            if !resolved.called_opaquely().contains(&clauses.function) {
                found.entry((clauses.function, !clauses.is_loop, clauses.at)).or_default().push(clauses);
            }
        }
        found.into_values().filter_map(in_all).collect()
    }
}

/// What all copies of a place say.
fn in_all(copies: Vec<Clauses>) -> Option<Clauses> {
    let mut copies = copies.into_iter();
    let mut first = copies.next()?;
    for copy in copies {
        first.predicates.retain(|one| copy.predicates.contains(one));
    }
    let mut seen = BTreeSet::new();
    first.predicates.retain(|one| seen.insert(one.clone()));
    Some(first)
}

impl All<'_> {
    /// The clauses of a point, if it is a place for annotations.
    fn clauses(&self, point: &Point, places: &AnnotatedPlaces) -> Option<Clauses> {
        match point.moment {
            Moment::Head(at) => {
                let LoopPlace { id, function, scope } = places.loops.get(&point.statement?)?;
                let predicates = self.predicates(point, *function, scope)?;
                let assigns = assigns(self.source, self.program, scope, *function, *id);
                Some(Clauses { at, function: *function, is_loop: true, predicates, assigns })
            }
            Moment::End => {
                let function = self.source.analysed();
                let end = places.ends.iter().find(|end| end.function == function)?;
                let at = self.source.function(function).location;
                let predicates = self.predicates(point, function, &end.scope)?;
                Some(Clauses { at, function, is_loop: false, predicates, assigns: None })
            }
            Moment::After(_) => None,
        }
    }

    /// What holds at a point; `None` if no run is there.
    fn predicates(&self, point: &Point, function: FunctionId, scope: &Scope) -> Option<Vec<String>> {
        let c = &self.summary.context;
        c.refill(WORK);
        let names = Names::new(self, point, function, scope);
        let Numbers { by, counters, steps } = numbers(c, point, &names);
        let given = point.given.iter().map(|t| c.substitute_all(*t, &by)).chain(steps);
        let given: Vec<Term> = given.collect();
        let held = point.values.iter().chain(&point.others);
        let values: BTreeMap<&Region, Term> = held.map(|(region, t)| (region, c.substitute_all(*t, &by))).collect();
        let indexes: Vec<String> = index_names().filter(|name| !self.words.contains(name.as_str())).take(8).collect();
        let facts = Facts::new(c).with_all(&given);
        if facts.are_contradictory() {
            return None;
        }
        let writer = Writer::new(&facts, &names, &values, &indexes, counters);
        let mut found = Vec::new();
        if let Moment::Head(_) = point.moment {
            found.extend(conditions(&writer, &given));
        }
        if point.ways.len() < 2 {
            found.extend(contents(&writer, point));
            return Some(found);
        }
        for way in &point.ways {
            let known = facts.with(*way);
            if known.are_contradictory() {
                continue;
            }
            let Some(when) = writer.truth(facts.simplify(*way)) else { continue };
            let when = when.held(text::Grip::And);
            let all = contents(&writer.knowing(&known), point);
            found.extend(all.into_iter().map(|predicate| format!("{when} ==> {predicate}")));
        }
        Some(found)
    }
}

/// How the numbers of iterations are written.
#[derive(Default)]
struct Numbers {
    /// The terms for them.
    by: Vec<(Var, Term)>,
    /// The variables in these, which stand for variables of the program.
    counters: Vec<Var>,
    /// That the counters are where their steps lead.
    steps: Vec<Term>,
}

/// What to write for the numbers of iterations.
fn numbers(c: &Context, point: &Point, names: &Names<'_>) -> Numbers {
    let Numbers { mut by, mut counters, mut steps } = Numbers::default();
    for n in &point.within {
        let number = c.var(*n);
        let mut best: Option<(Rat, Term, String)> = None;
        for (region, value) in point.values.iter().chain(&point.others) {
            let Some(name) = names.number(region) else { continue };
            let value = c.poly(c.substitute_all(*value, &by));
            if value.degree_in(number) != 1 {
                continue;
            }
            let powers = value.by_powers_of(number);
            let Some(step) = powers[1].as_constant() else { continue };
            let start = c.from_poly(powers[0].clone());
            let is_simpler = best.as_ref().is_none_or(|(other, ..)| step.abs() < other.abs());
            if is_simpler && !c.mentions(start, *n) {
                best = Some((step, start, name));
            }
        }
        let Some((step, start, name)) = best else { continue };
        let counter = c.variable(name, Sort::Int);
        counters.push(counter);
        let distance = c.sub(c.var(counter), start);
        by.push((*n, c.from_poly(c.poly(distance).scale(&step.recip()))));
        if step.is_integer() && !step.abs().is_one() {
            steps.push(c.divides(step.to_integer().abs(), distance));
        }
    }
    Numbers { by, counters, steps }
}

/// The conditions of a place that do not follow from the others.
fn conditions(writer: &Writer<'_, '_>, given: &[Term]) -> Vec<String> {
    let c = writer.context();
    let all: Vec<Term> = given.iter().flat_map(|t| c.conjuncts(*t)).take(CONDITIONS).collect();
    writer.separately(&independent(&Facts::new(c), all))
}

/// The conditions without those that follow from the others and from what is known.
fn independent(known: &Facts<'_>, conditions: Vec<Term>) -> Vec<Term> {
    let mut all = conditions;
    // What is simpler after the first time may make others superfluous.
    for at in (0..all.len()).rev().chain((0..all.len()).rev()) {
        if at >= all.len() {
            continue;
        }
        let others: Vec<Term> = all.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, t)| *t).collect();
        let facts = known.with_all(&others);
        match facts.proves(all[at]) {
            true => _ = all.remove(at),
            false => all[at] = facts.simplify(all[at]),
        }
    }
    all
}

/// What the variables and arrays hold that a point is about.
fn contents(writer: &Writer<'_, '_>, point: &Point) -> Vec<String> {
    let mut found = Vec::new();
    for region in point.values.keys() {
        match region.rank() {
            // A contract names the value of a parameter at the start.
            0 if point.moment == Moment::End && !writer.names().is_global(region) => {}
            0 => found.extend(writer.value_of(region)),
            _ => found.extend(cells(writer, region)),
        }
    }
    if let Some(result) = point.result {
        found.extend(writer.equals("\\result", writer.facts().simplify(result)));
    }
    found
}

/// What the cells of an array hold, case by case.
fn cells(writer: &Writer<'_, '_>, region: &Region) -> Vec<String> {
    let c = writer.context();
    let lengths = region.lengths(writer.names().program());
    // The only cell of an array has no index.
    let is_bound = |n: usize| lengths.get(n).copied().flatten() != Some(1);
    let (writer, bound) = writer.binding((0..region.rank() as usize).filter(|n| is_bound(*n)).count());
    let mut next = bound.iter();
    let indexes: Vec<(Term, String)> = (0..region.rank() as usize)
        .filter_map(|n| match is_bound(n) {
            true => next.next().map(|(var, name)| (c.var(*var), name.clone())),
            false => Some((c.int(0), "0".to_owned())),
        })
        .collect();
    let (terms, names): (Vec<Term>, Vec<String>) = indexes.into_iter().unzip();
    let Some(cell) = writer.names().cell(region, &names) else { return Vec::new() };
    let Some(value) = writer.current(region) else { return Vec::new() };
    let simple = writer.facts().simplify(c.read(value, &terms));
    let mut found = Vec::new();
    for (when, value) in c.cases(simple, CASES) {
        for alternative in c.disjuncts(when) {
            let Some(when) = existing(&writer, alternative, &terms, &lengths) else { continue };
            let inside = writer.facts().with_all(&when);
            if inside.are_contradictory() {
                continue;
            }
            let Some(condition) = writer.truth(c.and(&independent(writer.facts(), when))) else { continue };
            let value = inside.simplify(value);
            let Some(equation) = writer.knowing(&inside).without(region).equation(&cell, value) else { continue };
            let variables: Vec<&str> = bound.iter().map(|(_, name)| name.as_str()).collect();
            found.push(match variables[..] {
                [] if condition.is_true() => equation,
                [] => format!("{} ==> {equation}", condition.held(text::Grip::And)),
                _ => format!(
                    "\\forall integer {}; {} ==> {equation}",
                    variables.join(", "),
                    condition.held(text::Grip::And)
                ),
            });
        }
    }
    found
}

/// A condition for cells with these indexes, so that they exist; `None` where nothing says so.
fn existing(writer: &Writer<'_, '_>, condition: Term, indexes: &[Term], lengths: &[Option<u64>]) -> Option<Vec<Term>> {
    let c = writer.context();
    let mut when = c.conjuncts(condition);
    for (n, index) in indexes.iter().enumerate() {
        let bounds = |sign: i64| when.iter().any(|p| is_bound(c, *p, *index, sign));
        match lengths.get(n).copied().flatten() {
            Some(length) => {
                let known = writer.facts().with_all(&when);
                let inside = [c.non_negative(*index), c.lt(*index, c.int(length))];
                when.extend(inside.into_iter().filter(|p| !known.proves(*p)));
            }
            None if bounds(1) && bounds(-1) => {}
            None => return None,
        }
    }
    Some(when)
}

/// Whether a condition bounds an index from below (sign 1) or above (-1).
fn is_bound(c: &Context, condition: Term, index: Term, sign: i64) -> bool {
    let Node::NonNegative(t) = *c.node(condition) else { return false };
    let t = c.poly(t);
    t.degree_in(index) == 1 && t.coefficient(&vec![(index, 1)]).signum() == Rat::from_integer(Int::from(sign))
}

//! What a summary says at each of its points, as lines for people.

use super::{AllocationSite, Moment, Object, Point, Region, RegionStep, Summary, WhyUnsolved};
use crate::program::{Location, Origin, Program, Type};
use smalti_terms::{Facts, Node, Sort, Term, index_names};
use std::collections::BTreeSet;

/// The work that the text of one point may cost, in units of [`smalti_terms::Limits::work`].
const WORK: u64 = 300_000;
/// The most cases in which a value is written.
const CASES: usize = 6;
/// The most characters of a value that is written. Nobody reads a longer one.
const MOST_CHARACTERS: usize = 1_000;

/// What the function returns, as annotations call it.
const RESULT: &str = "\\result";

/// A point with what variables and arrays hold there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescribedPoint {
    /// When.
    pub moment: Moment,
    /// Under which condition, if runs come to the end in several ways.
    pub when: Option<String>,
    /// The names of the numbers of the iterations of the loops around, from the outside in.
    pub within: Vec<String>,
    /// The values.
    pub values: Vec<DescribedValue>,
    /// What has no closed form after the loop.
    pub unsolved: Vec<DescribedUnsolved>,
}

/// The value of a variable, or the values of the cells of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescribedValue {
    /// The variable or the cell: `sum`, `a[k]`, `s.b[k]`.
    pub name: String,
    /// The values, with the conditions under which it has them. Where none holds, the cell is as it
    /// was before.
    pub cases: Vec<DescribedCase>,
}

/// A value in one case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescribedCase {
    /// The value.
    pub value: String,
    /// When; `None` is always.
    pub when: Option<String>,
}

impl DescribedCase {
    /// The length of the case in characters.
    pub fn width(&self) -> usize {
        self.value.chars().count() + self.when.as_ref().map_or(0, |when| when.chars().count())
    }
}

/// Something without a closed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescribedUnsolved {
    /// What.
    pub name: String,
    /// The loop that leaves it so.
    pub at: Location,
    /// Why, as the end of a sentence after "because".
    pub why: String,
}

impl Summary {
    /// What is known at the points, as text. Variables that the source does not know are left out.
    pub fn describe(&self, program: &Program) -> Vec<DescribedPoint> {
        let described = self.points.iter().filter(|point| !matches!(point.moment, Moment::Head(_)));
        described.flat_map(|point| self.ways(program, point)).collect()
    }

    /// The name of an object for people: that of the variable, or of the variable that receives the
    /// address of a block.
    pub fn name_of(&self, program: &Program, object: Object) -> String {
        object_name(program, &self.sites, object)
    }

    /// The point, or what it is for each way to it.
    fn ways(&self, program: &Program, point: &Point) -> Vec<DescribedPoint> {
        let c = &self.context;
        c.refill(WORK);
        let facts = Facts::new(c).with_all(&point.given);
        if point.ways.len() < 2 {
            return vec![self.described(program, point, &facts, None)];
        }
        let mut found = Vec::new();
        for way in &point.ways {
            let known = facts.with(*way);
            if !known.are_contradictory() {
                found.push(self.described(program, point, &known, Some(facts.show(facts.simplify(*way)))));
            }
        }
        found
    }

    fn described(&self, program: &Program, point: &Point, facts: &Facts<'_>, when: Option<String>) -> DescribedPoint {
        let c = &self.context;
        let shown = |region: &&Region| match region.object {
            Object::Variable(v) if point.moment == Moment::End && self.inner.contains(&v) => false,
            Object::Variable(v) => {
                let variable = program.variable(v);
                let is_pointer = matches!(variable.ty, Type::Pointer(_));
                !variable.is_hidden() && (!is_pointer || !self.is_lost(point.values[region]))
            }
            Object::Blocks(_) => true,
        };
        let mut described = DescribedPoint {
            moment: point.moment,
            when,
            within: point.within.iter().map(|n| c.variable_name(*n)).collect(),
            values: Vec::new(),
            unsolved: Vec::new(),
        };
        for region in point.values.keys().filter(shown) {
            match self.unsolved_in(facts, point, region) {
                Some(why) => described.unsolved.push(why.described(program, &self.sites)),
                None => match self.value(program, facts, point, region) {
                    Some(Ok(value)) => described.values.push(value),
                    Some(Err(name)) => {
                        let function = program.function(program.analysed());
                        let at = point.moment.of_loop().unwrap_or(function.location);
                        let why = "the one found is too long to be written down".to_owned();
                        described.unsolved.push(DescribedUnsolved { name, at, why });
                    }
                    None => {}
                },
            }
        }
        described.values.extend(self.result(program, facts, point));
        described
    }

    /// Whether a term has parts that stand for terms which are too large.
    fn is_large(&self, t: Term) -> bool {
        let mut found = false;
        self.context.each_part(t, &mut |part, _| {
            found |= self.context.is_opaque(part);
            !found
        });
        found
    }

    /// Whether a pointer has no address that is known.
    fn is_lost(&self, pointer: Term) -> bool {
        matches!(*self.context.node(pointer), Node::Apply(symbol, _) if !self.addresses.contains(&symbol))
    }

    /// What the function returns; `None` if that is a status of the program that is always the
    /// same.
    fn result(&self, program: &Program, facts: &Facts<'_>, point: &Point) -> Option<DescribedValue> {
        let value = facts.simplify(point.result?);
        let is_status = self.context.as_int(value).is_some() && program.function(program.entry).name == "main";
        let case = || DescribedCase { value: facts.show(value), when: None };
        (!is_status).then(|| DescribedValue { name: RESULT.to_owned(), cases: vec![case()] })
    }

    /// The value of a region, without the cells that are as they were; `None` if all are.
    ///
    /// # Errors
    /// The name of what has a value that is too long.
    fn value(
        &self,
        program: &Program,
        facts: &Facts<'_>,
        point: &Point,
        region: &Region,
    ) -> Option<Result<DescribedValue, String>> {
        let c = facts.context();
        let (value, before) = (point.values[region], point.before.get(region).copied());
        let names: BTreeSet<String> =
            c.names_in(value).into_iter().chain(before.into_iter().flat_map(|t| c.names_in(t))).collect();
        let letters = free_names(&names);
        let rank = region.rank() as usize;
        // The only cell of an array has no index.
        let lengths = region.lengths(program);
        let letters: Vec<String> = letters
            .into_iter()
            .zip(0..rank)
            .map(|(letter, n)| if lengths.get(n) == Some(&Some(1)) { "0".to_owned() } else { letter })
            .collect();
        let index = |l: &String| if l == "0" { c.int(0) } else { c.var(c.variable(l.clone(), Sort::Int)) };
        let indexes: Vec<Term> = letters.iter().map(index).collect();
        // What is true of the index of a cell.
        let bounds: Vec<Term> = indexes
            .iter()
            .zip(lengths)
            .flat_map(|(i, length)| [Some(c.ge(*i, c.int(0))), length.map(|l| c.lt(*i, c.int(l)))])
            .flatten()
            .collect();
        let cells = facts.with_all(&bounds);
        let at = |array: Term| if rank == 0 { array } else { c.read(array, &indexes) };
        let unchanged = before.map(at);
        let simple = facts.simplify(at(value));
        let name = cell_name(program, &self.sites, region, &letters);
        let mut cases = Vec::new();
        for (when, value) in c.cases(simple, if rank == 0 { 1 } else { CASES }) {
            let inside = facts.with(when);
            let value = inside.simplify(value);
            if unchanged == Some(value) || cells.with(when).are_contradictory() {
                continue;
            }
            if self.is_large(value) || self.is_large(when) {
                return Some(Err(name));
            }
            let value = inside.show(value);
            // An input that the variable has named, or a value that nothing was known of before.
            if value == name {
                continue;
            }
            let always = c.as_truth(when) == Some(true);
            let case = DescribedCase { value, when: (!always).then(|| facts.show(essential(facts, &cells, when))) };
            if case.width() > MOST_CHARACTERS {
                return Some(Err(name));
            }
            cases.push(case);
        }
        (!cases.is_empty()).then_some(Ok(DescribedValue { name, cases }))
    }

    /// Why nothing is known of a region: the loop after which it has no closed form.
    fn unsolved_in(&self, facts: &Facts<'_>, point: &Point, region: &Region) -> Option<&super::Unsolved> {
        let symbol = super::unknown::symbol_of(&self.context, facts.simplify(point.values[region]))?;
        self.unsolved.iter().find(|one| one.symbol == Some(symbol))
    }
}

impl super::Unsolved {
    fn described(&self, program: &Program, sites: &[AllocationSite]) -> DescribedUnsolved {
        let name = |object| format!("`{}`", object_name(program, sites, object));
        let why = match &self.why {
            WhyUnsolved::NoRule => "no rule gives one for what an iteration does to it".to_owned(),
            WhyUnsolved::Circle(others) => {
                let others: Vec<String> = others.iter().map(|object| name(*object)).collect();
                format!("it depends on {}, which this loop changes", others.join(" and "))
            }
        };
        let name = cell_name(program, sites, &self.region, &free_names(&BTreeSet::new()));
        DescribedUnsolved { name, at: self.at, why }
    }
}

/// The condition without those of its alternatives that follow from the rest or that no cell meets.
fn essential(facts: &Facts<'_>, cells: &Facts<'_>, when: Term) -> Term {
    let c = facts.context();
    let mut parts = c.conjuncts(when);
    let alternatives: Vec<Term> = parts.iter().copied().filter(|p| c.disjuncts(*p).len() > 1).collect();
    for one in alternatives {
        let mut rest: Vec<Term> = parts.iter().copied().filter(|p| *p != one).collect();
        if !facts.with_all(&rest).proves(one) {
            let here = cells.with_all(&rest);
            let met = c.disjuncts(one).into_iter().filter(|p| !here.with(*p).are_contradictory());
            rest.push(c.or(&met.collect::<Vec<_>>()));
        }
        parts = rest;
    }
    facts.simplify(c.and(&parts))
}

/// Names for indexes that do not occur.
fn free_names(taken: &BTreeSet<String>) -> Vec<String> {
    index_names().filter(|name| !taken.contains(name)).take(8).collect()
}

/// [`Summary::name_of`]
fn object_name(program: &Program, sites: &[AllocationSite], object: Object) -> String {
    match object {
        Object::Variable(v) => program.known_as(v).shown().into_owned(),
        Object::Blocks(site) => sites[site as usize].name.clone(),
    }
}

/// A cell of a region, with these indexes.
fn cell_name(program: &Program, sites: &[AllocationSite], region: &Region, letters: &[String]) -> String {
    let mut name = object_name(program, sites, region.object);
    let mut letters = letters.iter();
    for step in &region.path {
        match step {
            RegionStep::Field(id, n) => {
                name.push('.');
                name.push_str(&program.structure(*id).members[*n as usize].name);
            }
            RegionStep::Element => {
                let letter = letters.next().map_or("_", String::as_str);
                name.push_str(&format!("[{letter}]"));
            }
        }
    }
    // What a pointer points to alone.
    let pointer = object_name(program, sites, region.object);
    let is_block = region.variable().is_some_and(|v| matches!(program.variable(v).origin, Origin::Block(_)));
    match name.strip_prefix(&format!("{pointer}[0]")).filter(|_| is_block) {
        Some("") => format!("*{pointer}"),
        Some(rest) if rest.starts_with('.') => format!("{pointer}->{}", &rest[1..]),
        _ => name,
    }
}

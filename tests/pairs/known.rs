//! What is known at the places of the two versions, in a form that can be compared: the numbers of
//! pointers are replaced by those of indexes, and of several equal numbers one stands for all.

use serde_json::Value;
use smalti::facts::{Cells, Chain, Comparison, Fact, GroupName, Name, Sum};
use std::collections::{BTreeMap, BTreeSet};

/// A sum of names, each with its factor. The constant has the empty name.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Linear(BTreeMap<String, i128>);

impl Linear {
    fn name(name: &str) -> Linear {
        Linear([(name.to_owned(), 1)].into())
    }

    fn constant(n: i128) -> Linear {
        Linear::default().plus(&Linear::name(""), n)
    }

    /// The sum with another one, multiplied by a factor.
    fn plus(mut self, other: &Linear, factor: i128) -> Linear {
        for (name, n) in &other.0 {
            *self.0.entry(name.clone()).or_default() += n * factor;
        }
        self.0.retain(|_, n| *n != 0);
        self
    }

    fn names(&self) -> impl Iterator<Item = (&String, i128)> {
        self.0.iter().filter(|(name, _)| !name.is_empty()).map(|(name, n)| (name, *n))
    }

    fn text(&self) -> String {
        let terms: Vec<String> = self.0.iter().map(|(name, n)| format!("{n}{name}")).collect();
        if terms.is_empty() { "0".to_owned() } else { terms.join("+") }
    }
}

/// Numbers that are replaced by others.
#[derive(Clone, Default)]
pub(crate) struct Replaced(BTreeMap<String, Linear>);

impl Replaced {
    /// Reads `p is at i, end is at n`: where pointers of one version are, in numbers of the other.
    pub(crate) fn read(text: &str) -> Option<Replaced> {
        let mut found = Replaced::default();
        for one in text.split(", ") {
            let (pointer, at) = one.split_once(" is at ")?;
            let Fact::Chain(chain) = Fact::from(format!("{at} == 0").as_str()) else { return None };
            let at = found.sum(&chain.first);
            found.0.insert(format!("offset({pointer})"), at);
        }
        Some(found)
    }

    fn sum(&self, sum: &Sum) -> Linear {
        let terms = sum.terms.iter().map(|(name, n)| (self.value(name), *n));
        terms.fold(Linear::constant(sum.constant), |all, (value, n)| all.plus(&value, n))
    }

    fn value(&self, name: &Name) -> Linear {
        let text = name.to_string();
        if let Some(value) = self.0.get(&text) {
            return value.clone();
        }
        // The index of a cell is a sum, too.
        if let Some((array, index)) = text.strip_suffix(']').and_then(|text| text.split_once('['))
            && let Fact::Chain(chain) = Fact::from(format!("{index} == 0").as_str())
        {
            return Linear::name(&format!("{array}[{}]", self.sum(&chain.first).text()));
        }
        Linear::name(&text)
    }

    /// Both replacements, one after the other.
    fn then(&self, other: &Replaced) -> Replaced {
        let again = |value: &Linear| {
            let parts = value.0.iter().map(|(name, n)| (other.0.get(name).cloned().unwrap_or(Linear::name(name)), *n));
            parts.fold(Linear::default(), |all, (value, n)| all.plus(&value, n))
        };
        let mut all: BTreeMap<String, Linear> =
            self.0.iter().map(|(name, value)| (name.clone(), again(value))).collect();
        other.0.iter().for_each(|(name, value)| _ = all.entry(name.clone()).or_insert_with(|| value.clone()));
        Replaced(all)
    }

    /// Also replaces numbers that are equal to others.
    fn with_equal(mut self, facts: &[Fact]) -> Replaced {
        for fact in facts {
            let Fact::Chain(chain) = fact else { continue };
            for (comparison, difference) in self.differences(chain) {
                let is_number = |(name, n): &(&String, i128)| n.abs() == 1 && !name.contains('[');
                let last = difference.names().filter(is_number).last().map(|(name, n)| (name.clone(), n));
                if let (Comparison::Equal, Some((name, n))) = (comparison, last) {
                    let value = Linear::name(&name).plus(&difference, -n);
                    self = self.then(&Replaced([(name, value)].into()));
                }
            }
        }
        self
    }

    /// The comparisons of a chain, each of a difference with 0. They are `==`, `!=` or `<=`.
    fn differences(&self, chain: &Chain) -> Vec<(Comparison, Linear)> {
        let rights = chain.rest.iter().map(|(_, right)| right);
        let lefts = std::iter::once(&chain.first).chain(rights);
        let compared = |(left, (comparison, right)): (&Sum, &(Comparison, Sum))| {
            let (left, right) = (self.sum(left), self.sum(right));
            match comparison {
                Comparison::AtMost => (Comparison::AtMost, left.plus(&right, -1)),
                Comparison::AtLeast => (Comparison::AtMost, right.plus(&left, -1)),
                Comparison::Less => (Comparison::AtMost, left.plus(&right, -1).plus(&Linear::constant(1), 1)),
                Comparison::Greater => (Comparison::AtMost, right.plus(&left, -1).plus(&Linear::constant(1), 1)),
                Comparison::Equal | Comparison::NotEqual => {
                    let difference = left.plus(&right, -1);
                    let is_negative = difference.names().next().is_some_and(|(_, n)| n < 0);
                    let factor = if is_negative { -1 } else { 1 };
                    (*comparison, Linear::default().plus(&difference, factor))
                }
            }
        };
        lefts.zip(&chain.rest).map(compared).filter(|(_, difference)| difference.names().next().is_some()).collect()
    }

    fn cells(&self, cells: &Cells) -> String {
        let all = |sums: &[Sum]| sums.iter().map(|sum| self.sum(sum).text()).collect::<BTreeSet<_>>();
        match cells {
            Cells::One(sum) => format!("{{{}}}", self.sum(sum).text()),
            Cells::Range { low, high, size } => {
                let size = size.as_ref().map(|size| self.sum(size).text());
                format!("{:?} to {:?}, {size:?}", all(low), all(high))
            }
            Cells::All | Cells::Other(_) => cells.to_string(),
        }
    }

    /// What a fact says, in parts.
    fn parts(&self, fact: &Fact) -> Vec<String> {
        let comparisons = |chain: &Chain| -> Vec<String> {
            let all = self.differences(chain).into_iter();
            all.map(|(comparison, sum)| format!("{} {} 0", sum.text(), comparison.operator())).collect()
        };
        match fact {
            Fact::Chain(chain) => comparisons(chain),
            Fact::ForAll { low, high, body, .. } => {
                let range = format!("from {} below {}", self.sum(low).text(), self.sum(high).text());
                body.iter().flat_map(comparisons).map(|part| format!("{range}: {part}")).collect()
            }
            Fact::Member { name, groups } => {
                let group = |g: &GroupName| format!("{}{}", g.array, self.cells(&g.cells));
                let groups: BTreeSet<String> = groups.iter().map(group).collect();
                vec![format!("{} is in {groups:?}", self.value(name).text())]
            }
            Fact::False | Fact::Other(_) => vec![fact.to_string()],
        }
    }
}

/// What is known at one place: of the loops of a program and the ends of its functions.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// `loop` or `exit`, and the function.
    pub(crate) place: (String, String),
    /// What is known, in parts.
    pub(crate) parts: BTreeSet<String>,
}

impl Known {
    /// What is known at the places of a report, in their order.
    pub(crate) fn read(report: &Value, replaced: &Replaced) -> Vec<Known> {
        let places = report["invariants"].as_array().expect("places").iter();
        places.map(|place| Known::at(place, replaced)).collect()
    }

    fn at(place: &Value, replaced: &Replaced) -> Known {
        let word = |value: &Value| value.as_str().expect("a text").to_owned();
        let facts = |value: &Value| -> Vec<Fact> {
            let texts = value.as_array().expect("facts").iter();
            texts.map(|text| Fact::from(text.as_str().expect("a text"))).collect()
        };
        let formulas = facts(&place["formulas"]);
        let given = replaced;
        let replaced = given.clone().with_equal(&formulas);
        let equal = replaced.0.iter().filter(|(name, _)| !given.0.contains_key(*name));
        let mut parts: BTreeSet<String> = equal.map(|(name, value)| format!("{name} is {}", value.text())).collect();
        parts.extend(formulas.iter().flat_map(|fact| replaced.parts(fact)));
        for group in place["groups"].as_array().expect("groups") {
            let cells = replaced.cells(&Cells::from(word(&group["cells"]).as_str()));
            let of_group = format!("{} {cells}", word(&group["array"]));
            let holds = facts(&group["holds"]);
            parts.extend(holds.iter().flat_map(|fact| replaced.parts(fact)).map(|part| format!("{of_group}: {part}")));
        }
        Known { place: (word(&place["kind"]), word(&place["function"])), parts }
    }
}

#[test]
fn facts_are_the_same_if_only_names_differ() {
    let known = |formulas: &[&str], pointers: &str| {
        let place = serde_json::json!({ "kind": "loop", "function": "main", "formulas": formulas, "groups": [] });
        let replaced = Replaced::read(pointers).unwrap_or_default();
        Known::read(&serde_json::json!({ "invariants": [place] }), &replaced)
    };
    let by_index = known(&["i == n", "0 <= i <= 9", "forall j. 0 <= j < i ==> a[j] <= i"], "");
    let by_pointer = |facts: &str| {
        known(&["offset(p) == n", "offset(q) == n + 1", "n >= 0", "9 >= n", facts], "p is at i, q is at i + 1")
    };
    assert_eq!(by_index, by_pointer("forall j. 0 <= j < n ==> a[j] < offset(q)"));
    assert_ne!(by_index, by_pointer("forall j. 0 <= j < n ==> a[j] < n"));
    assert_ne!(by_index, by_pointer("forall j. 0 <= j < offset(q) ==> a[j] <= n"));
    assert_ne!(by_index, by_pointer("forall j. 0 <= j < n ==> b[j] <= n"));
}

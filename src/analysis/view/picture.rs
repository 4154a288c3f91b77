//! Makes numbers from a state so that its arrays can be drawn: where the cells of each group could
//! lie.
//!
//! A state stands for many memories. To draw one, values are chosen for the scalars that bound
//! groups, one after the other, each among those that the state still allows. This is an example;
//! it proves nothing and is shown as an example. What the domains know of the groups for those
//! values gives their place on the axis of indexes.

use super::{Names, groups};
use crate::facts::{Fact, Sum};
use smalti_core::{Constraint, Facts, GroupFacts, Interval, LinearExpr, Membership, Memory, Relation, Var};
use smalti_stack::AnyState;
use std::collections::BTreeMap;

/// The picture of one moment of the source. Arrays and groups are in the order of the view that it
/// belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The values that were chosen for scalars.
    pub example: Vec<(String, i128)>,
    /// The arrays.
    pub arrays: Vec<ArrayPicture>,
    /// Scalars that are known to be indexes into some groups.
    pub pointers: Vec<Pointer>,
}

/// One array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayPicture {
    /// How many cells it has in the example, if that is bounded.
    pub length: Option<i128>,
    /// Its groups.
    pub groups: Vec<GroupPicture>,
}

/// One group of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupPicture {
    /// Which cells these are, if the domain tells groups apart by indexes.
    pub extent: Option<Extent>,
    /// What each of the cells holds, but for what `links` says.
    pub holds: Vec<Fact>,
    /// The groups that fields of the cells are indexes into.
    pub links: Vec<Pointer>,
}

/// Which indexes the cells of a group have: all of the range where no other group has cells in it,
/// else some of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The least index as an expression; empty if there is no bound.
    pub from: String,
    /// The greatest index as an expression; empty if there is no bound.
    pub to: String,
    /// The least index in the example.
    pub low: Option<i128>,
    /// The greatest index in the example; less than `low` if the group has no cells in it.
    pub high: Option<i128>,
    /// The number of cells as an expression, if there is one.
    pub size: String,
    /// The least number of cells in the example.
    pub least: Option<i128>,
    /// The greatest number of cells in the example.
    pub most: Option<i128>,
}

/// A value that is the index of a cell in one of some groups of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The name of the scalar, or of the field of the cells that it belongs to.
    pub name: String,
    /// The array, by its place in the picture.
    pub array: usize,
    /// The groups, by their places in the picture.
    pub groups: Vec<usize>,
    /// The value in the example, for a scalar that has one.
    pub at: Option<i128>,
}

/// The number of cells with which an array without bound is drawn, if the state allows it.
const USUAL_LENGTH: i128 = 24;
/// The length of the part of a longer range from which values are taken.
const LONGEST_RANGE: i128 = 1000;
/// The length of the part of a range without an end from which values are taken.
const USUAL_RANGE: i128 = 64;
/// The positions of values in their ranges, in hundredths. They differ, so that different scalars
/// look different.
const PLACES: [i128; 6] = [55, 40, 75, 20, 62, 30];
/// The most scalars that get a value of their own.
const MOST_CHOICES: usize = 24;

/// The picture of a state with these facts.
pub(super) fn picture(names: &Names<'_>, memory: &AnyState, facts: &Facts, known: &[Constraint]) -> Picture {
    let shown: Vec<_> = facts.arrays.iter().filter(|a| names.is_shown_array(a)).collect();
    let orders: Vec<Vec<&GroupFacts>> = shown.iter().map(|a| groups::in_order(&a.groups)).collect();
    let place = |to: &Membership| {
        let array = shown.iter().position(|a| a.array == to.array)?;
        let targets = to.groups.iter().filter_map(|n| shown[array].groups.get(*n));
        let places = |g: &GroupFacts| orders[array].iter().position(|o| std::ptr::eq(*o, g));
        let mut found: Vec<usize> = targets.filter_map(places).collect();
        found.sort_unstable();
        Some((array, found))
    };
    let pointing = facts.memberships.iter().filter(|(v, to)| names.is_shown(*v) && names.tells(to, &facts.arrays));
    let pointing: Vec<(Var, &Membership)> = pointing.map(|(v, to)| (*v, to)).collect();
    let mut wanted: Vec<Var> = shown.iter().map(|a| names.layout.array(a.array).length).collect();
    let lengths = wanted.len();
    for group in orders.iter().flatten() {
        wanted.extend(bounds_of(group).iter().flat_map(|(_, e)| e.vars().collect::<Vec<_>>()));
    }
    wanted.extend(pointing.iter().map(|(v, _)| *v));
    let example = Example::choose(memory, &wanted, lengths);
    let pointer = |name: String, to: &Membership, at: Option<i128>| {
        place(to).map(|(array, groups)| Pointer { name, array, groups, at })
    };
    let arrays = shown.iter().zip(&orders).map(|(array, order)| {
        let info = names.layout.array(array.array);
        let group = |group: &&GroupFacts| GroupPicture {
            extent: extent(names, &example, group, known),
            holds: names.content(info, group, known),
            links: group
                .memberships
                .iter()
                .filter(|(_, to)| names.tells(to, &facts.arrays))
                .filter_map(|(field, to)| {
                    let v = group.fields.iter().find(|f| f.0 == *field)?.1;
                    pointer(names.field_name(info, group, v)?, to, None)
                })
                .collect(),
        };
        let length = example.range(&LinearExpr::var(info.length)).and_then(|r| r.hi().filter(|h| Some(*h) == r.lo()));
        ArrayPicture { length, groups: order.iter().map(group).collect() }
    });
    let arrays = arrays.collect();
    let pointers = pointing.iter().filter_map(|(v, to)| pointer(names.of(*v), to, example.value(*v))).collect();
    let mut values: Vec<(String, i128)> =
        example.values.iter().filter(|(v, _)| names.is_shown(**v)).map(|(v, n)| (names.of(*v), *n)).collect();
    values.sort();
    values.dedup();
    Picture { example: values, arrays, pointers }
}

/// Values for scalars, and the state in which they have them.
struct Example {
    values: BTreeMap<Var, i128>,
    memory: AnyState,
}

impl Example {
    /// Chooses values for these scalars; the first `lengths` of them are lengths.
    fn choose(memory: &AnyState, wanted: &[Var], lengths: usize) -> Example {
        let mut example = Example { values: BTreeMap::new(), memory: memory.clone() };
        for (n, v) in wanted.iter().enumerate() {
            if !v.is_scalar() || example.values.contains_key(v) || example.values.len() >= MOST_CHOICES {
                continue;
            }
            let Some(range) = example.range(&LinearExpr::var(*v)) else { continue };
            let value = match range.as_constant() {
                Some(value) => value,
                None if n < lengths => usual_length(range),
                None => inside(range, PLACES[example.values.len() % PLACES.len()]),
            };
            if range.as_constant().is_none() {
                let mut narrowed = example.memory.clone();
                let Some(is) = Constraint::eq(&LinearExpr::var(*v), &LinearExpr::constant(value)) else { continue };
                narrowed.assume(&is);
                // No integer lies there, although the domain's ranges include it.
                if smalti_core::Lattice::is_bottom(&narrowed) {
                    continue;
                }
                example.memory = narrowed;
            }
            example.values.insert(*v, value);
        }
        example
    }

    fn value(&self, v: Var) -> Option<i128> {
        self.values.get(&v).copied()
    }

    fn range(&self, e: &LinearExpr) -> Option<Interval> {
        self.memory.bounds(e)
    }
}

fn usual_length(range: Interval) -> i128 {
    let value = range.lo().map_or(USUAL_LENGTH, |lo| lo.max(USUAL_LENGTH));
    range.hi().map_or(value, |hi| value.min(hi))
}

/// The value at that position of the range, in hundredths.
fn inside(range: Interval, hundredths: i128) -> i128 {
    let (lo, hi) = match (range.lo(), range.hi()) {
        (Some(lo), Some(hi)) => (lo, hi.min(lo.saturating_add(LONGEST_RANGE))),
        (Some(lo), None) => (lo, lo.saturating_add(USUAL_RANGE)),
        (None, Some(hi)) => (hi.saturating_sub(USUAL_RANGE), hi),
        (None, None) => (0, USUAL_RANGE),
    };
    lo.saturating_add(hi.saturating_sub(lo).saturating_mul(hundredths) / 100)
}

/// Bounds of the group's index (`true`) and size (`false`) by scalars.
fn bounds_of(group: &GroupFacts) -> Vec<(bool, LinearExpr)> {
    let about = |v: Option<Var>, is_index: bool| {
        group.constraints.iter().filter_map(move |c| Some((is_index, by_scalars(c, v?)?.1)))
    };
    about(group.index, true).chain(about(group.size, false)).collect()
}

/// The constraint as a bound of `v` by scalars alone: 1 for a lower bound, -1 for an upper one, 0
/// for both.
fn by_scalars(c: &Constraint, v: Var) -> Option<(i128, LinearExpr)> {
    let (factor, e) = c.solved_for(v)?;
    if !e.vars().all(Var::is_scalar) {
        return None;
    }
    match c.relation {
        Relation::Zero => Some((0, e)),
        Relation::NonNegative => Some((factor.signum(), e)),
        Relation::NonZero => None,
    }
}

/// The range of `v` in the example.
fn range(example: &Example, group: &GroupFacts, v: Var) -> (Option<i128>, Option<i128>) {
    let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
    for (side, e) in group.constraints.iter().filter_map(|c| by_scalars(c, v)) {
        let Some(found) = example.range(&e) else { continue };
        if side >= 0 {
            low = low.max(found.lo());
        }
        if side <= 0 {
            high = match (high, found.hi()) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    (low, high)
}

fn extent(names: &Names<'_>, example: &Example, group: &GroupFacts, known: &[Constraint]) -> Option<Extent> {
    let index = group.index?;
    let cells = groups::cells(group, known, &|v| names.name(v));
    let size = groups::size(group, &|v| names.name(v)).map_or(String::new(), |size: Sum| format!("{size:#}"));
    let (low, high) = range(example, group, index);
    let (least, most) = group.size.map_or((None, None), |v| range(example, group, v));
    Some(Extent { from: cells.low_text(), to: cells.high_text(), low, high, size, least, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_values_lie_in_their_ranges() {
        let ranges = [
            (None, None),
            (Some(3), None),
            (None, Some(-3)),
            (Some(0), Some(1)),
            (Some(5), Some(5)),
            (Some(i128::MIN), Some(i128::MAX)),
            (Some(i128::MAX), None),
        ];
        for range in ranges.map(|(lo, hi)| Interval::new(lo, hi).expect("not empty")) {
            assert!(range.contains(usual_length(range)), "{range:?}");
            for hundredths in PLACES {
                assert!(range.contains(inside(range, hundredths)), "{range:?}");
            }
        }
    }
}

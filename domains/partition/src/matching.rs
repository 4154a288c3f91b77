//! Decides which groups of two states correspond: the group matching problem (Liu, Rival 2015,
//! section 6.1).
//!
//! [`pair`] is a pure function of the groups' *profiles*: intervals of size, index and fields,
//! alone and relative to scalars that occur with them. A bad pairing costs precision, never
//! soundness: groups are merged and created according to any answer.

use crate::dims::Slot;
use crate::relations::Slots;
use smalti_core::{ArrayId, Interval, Var};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A quantity of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Term {
    /// The number of cells.
    Size,
    /// The index, or its distance from a scalar.
    Index(Option<Var>),
    /// The index's distance from a scalar where it does not follow from the bounds of both.
    Place(Var),
    /// A field, or its distance from a scalar.
    Field(usize, Option<Var>),
    /// A field's distance from the index.
    FieldIndex(usize),
}

/// The properties of a group that are compared.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) slot: Slot,
    /// One interval for each term; in profiles that are compared, the same terms in the same order.
    /// Distances that follow from the bounds of both sides alone, and are no constants, are not
    /// known.
    pub(crate) terms: Vec<(Term, Interval)>,
    /// The groups that fields point into, by field and array.
    pub(crate) points: Vec<(usize, ArrayId, Slots)>,
}

/// Groups that are one group in the result. A side without members gets an empty group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) left: Vec<Slot>,
    pub(crate) right: Vec<Slot>,
}

/// For what groups are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// At most that many groups.
    Join(usize),
    /// The groups of the left, no others.
    Widening,
}

/// The table of scores. Bounds count one by one; a bound is *shared* if it is the same finite
/// number on both sides, *absent* if both sides have none.
struct Table {
    /// The groups have one name: they come from the same split of the same group. Dominates
    /// everything.
    same_origin: i32,
    /// A shared bound of a field.
    field_shared: i32,
    /// A bound of a field that neither has.
    field_absent: i32,
    /// A bound of a field that one has and the other has not: it would be lost.
    field_lost: i32,
    /// A shared bound of a field relative to a scalar or to the index.
    relative_field_shared: i32,
    /// A shared bound of the index, or of its distance from a scalar.
    index_shared: i32,
    /// A shared bound of the size.
    size_shared: i32,
    /// A field points into the same groups.
    same_points: i32,
    /// A field points into other groups: the tighter of the two sets would be lost.
    other_points: i32,
    /// One group's indexes follow the other's without a gap (in the same state).
    adjacent: i32,
    /// A bound of the index relative to a scalar would have to give way, and widening loses it;
    /// once more for each field.
    bound_moved: i32,
}

const TABLE: Table = Table {
    same_origin: 1000,
    field_shared: 6,
    field_absent: 1,
    field_lost: -4,
    relative_field_shared: 2,
    index_shared: 1,
    size_shared: 1,
    same_points: 8,
    other_points: -8,
    adjacent: 3,
    bound_moved: -8,
};

/// How alike two groups of two states are.
pub(crate) fn score(a: &Profile, b: &Profile) -> i32 {
    let mut sum = if a.slot == b.slot && !contradict(a, b) { TABLE.same_origin } else { 0 };
    let (mine, theirs) = (merged_points(a, a, b), merged_points(b, a, b));
    let same = mine.iter().filter(|point| theirs.contains(point)).count() as i32;
    let others = mine.len().max(theirs.len()) as i32 - same;
    sum += same * TABLE.same_points + others * TABLE.other_points;
    for ((term, x), (_, y)) in a.terms.iter().zip(&b.terms) {
        for (p, q) in [(x.lo(), y.lo()), (x.hi(), y.hi())] {
            sum += match (term, p, q) {
                (Term::Size, Some(p), Some(q)) if p == q => TABLE.size_shared,
                (Term::Index(_), Some(p), Some(q)) if p == q => TABLE.index_shared,
                (Term::Field(_, None), Some(p), Some(q)) if p == q => TABLE.field_shared,
                (Term::Field(_, None), None, None) => TABLE.field_absent,
                (Term::Field(_, None), Some(_), None) | (Term::Field(_, None), None, Some(_)) => TABLE.field_lost,
                (Term::Field(_, Some(_)) | Term::FieldIndex(_), Some(p), Some(q)) if p == q => {
                    TABLE.relative_field_shared
                }
                _ => 0,
            };
        }
    }
    sum
}

/// Whether some field has no value that cells of both can hold: split off at the same index, as a
/// free cell here and as a used one there, they are not the same group.
fn contradict(a: &Profile, b: &Profile) -> bool {
    let apart = |((term, x), (_, y)): (&(Term, Interval), &(Term, Interval))| {
        matches!(term, Term::Field(_, None)) && x.meet(*y).is_none()
    };
    a.terms.iter().zip(&b.terms).any(apart)
}

/// Whether the cells of both hold the same, as far as profiles tell: fields that have one constant
/// distance from the index or from a scalar, or the same bounds.
fn same_content(a: &Profile, b: &Profile) -> bool {
    let both = || a.terms.iter().zip(&b.terms).map(|((t, x), (_, y))| (*t, *x, *y));
    let constant = |x: Interval, y: Interval| x == y && x.as_constant().is_some();
    both().all(|(term, x, y)| {
        let Term::Field(n, None) = term else { return true };
        let distances =
            || both().filter(|(t, ..)| *t == Term::FieldIndex(n) || matches!(t, Term::Field(m, Some(_)) if *m == n));
        constant(x, y) || distances().any(|(_, x, y)| constant(x, y)) || x == y && distances().all(|(_, x, y)| x == y)
    })
}

/// Whether fields of both point into the same groups, once the two are one.
fn same_points(a: &Profile, b: &Profile) -> bool {
    merged_points(a, a, b) == merged_points(b, a, b)
}

/// The groups that the fields of `p` point into, once `b` has become a part of `a`.
fn merged_points(p: &Profile, a: &Profile, b: &Profile) -> Vec<(usize, ArrayId, Slots)> {
    let name = |s: &Slot| if *s == b.slot { a.slot } else { *s };
    p.points.iter().map(|(n, target, slots)| (*n, *target, slots.iter().map(name).collect())).collect()
}

/// Whether, in one state, the indexes of one follow those of the other, so that they make one range
/// together.
fn adjacent(a: &Profile, b: &Profile) -> bool {
    let follows = |x: &Interval, y: &Interval| x.hi().zip(y.lo()).is_some_and(|(hi, lo)| hi.checked_add(1) == Some(lo));
    let index = |t: &Term| matches!(t, Term::Index(_));
    a.terms.iter().zip(&b.terms).any(|((t, x), (_, y))| index(t) && (follows(x, y) || follows(y, x)))
}

/// How many bounds of the index relative to a scalar do not hold any more once the cells of `b` are
/// cells of `a`.
fn moved_bounds(a: &Profile, b: &Profile) -> i32 {
    let moved = |((term, x), (_, y)): (&(Term, Interval), &(Term, Interval))| {
        let relative = matches!(term, Term::Place(_));
        let low = x.lo().is_some_and(|x| y.lo().is_none_or(|y| y < x));
        let high = x.hi().is_some_and(|x| y.hi().is_none_or(|y| y > x));
        if relative { i32::from(low) + i32::from(high) } else { 0 }
    };
    a.terms.iter().zip(&b.terms).map(moved).sum()
}

/// Whether no index tells the cells of two groups of one state apart.
fn entangled(a: &Profile, b: &Profile) -> bool {
    a.terms.iter().zip(&b.terms).all(|((t, x), (_, y))| !matches!(t, Term::Index(_)) || x.meet(*y).is_some())
}

/// Whether two groups of two states look the same: what their cells hold, and where they begin or
/// end.
fn similar(a: &Profile, b: &Profile) -> bool {
    let end = |((term, x), (_, y)): (&(Term, Interval), &(Term, Interval))| {
        matches!(term, Term::Index(_)) && (x.lo().is_some() && x.lo() == y.lo() || x.hi().is_some() && x.hi() == y.hi())
    };
    same_content(a, b) && a.terms.iter().zip(&b.terms).any(end)
}

/// The groups of one state, by number, and what was found out of two of them, which is asked for
/// again and again.
struct Side<'a> {
    profiles: &'a [Profile],
    near: Vec<Cell<Option<bool>>>,
    same: Vec<Cell<Option<bool>>>,
}

impl<'a> Side<'a> {
    fn new(profiles: &'a [Profile]) -> Self {
        let unknown = || vec![Cell::new(None); profiles.len() * profiles.len()];
        Side { profiles, near: unknown(), same: unknown() }
    }

    /// Whether groups that are one already are the likes of others: some of their cells lie next to
    /// each other or cannot be told apart, and all hold the same.
    fn alike(&self, some: &[usize], others: &[usize]) -> bool {
        let pairs = || some.iter().flat_map(|p| others.iter().map(move |q| (*p, *q)));
        let ask = |found: &[Cell<Option<bool>>], (p, q): (usize, usize), f: &dyn Fn(&Profile, &Profile) -> bool| {
            let known = &found[p * self.profiles.len() + q];
            known.get().unwrap_or_else(|| {
                let found = f(&self.profiles[p], &self.profiles[q]);
                known.set(Some(found));
                found
            })
        };
        pairs().any(|pair| ask(&self.near, pair, &|p, q| adjacent(p, q) || entangled(p, q)))
            && pairs().all(|pair| ask(&self.same, pair, &|p, q| same_content(p, q) && same_points(p, q)))
    }
}

/// A class, by numbers of profiles.
#[derive(Clone, Default)]
struct Members {
    left: Vec<usize>,
    right: Vec<usize>,
}

/// Which groups of `left` and `right` become one. Every group is in one class; no class is empty on
/// both sides.
pub(crate) fn pair(left: &[Profile], right: &[Profile], purpose: Purpose) -> Vec<Class> {
    let mut classes: Vec<Members> = (0..left.len()).map(|l| Members { left: vec![l], right: Vec::new() }).collect();
    let mut open: Vec<usize> = (0..right.len()).collect();
    // Those of one origin belong together, whatever else is alike.
    for (n, l) in left.iter().enumerate() {
        if let Some(m) = open.iter().copied().find(|m| right[*m].slot == l.slot && !contradict(l, &right[*m])) {
            classes[n].right.push(m);
            open.retain(|o| *o != m);
        }
    }
    // Then one group of each side, the most alike first.
    let mut pairs: Vec<(i32, usize, usize)> = Vec::new();
    for m in open.iter().copied().filter(|_| purpose != Purpose::Widening) {
        let r = &right[m];
        for (n, l) in left.iter().enumerate().filter(|(n, _)| classes[*n].right.is_empty()) {
            if similar(l, r) {
                pairs.push((score(l, r), n, m));
            }
        }
    }
    pairs.sort_by_key(|(score, n, m)| (-score, *n, right[*m].slot));
    for (_, n, m) in pairs {
        if classes[n].right.is_empty() && open.contains(&m) {
            classes[n].right.push(m);
            open.retain(|o| *o != m);
        }
    }
    match purpose {
        Purpose::Join(most) => {
            classes.extend(open.into_iter().map(|m| Members { left: Vec::new(), right: vec![m] }));
            unite_neighbours(&mut classes, left, right);
            while classes.len() > most.max(1) {
                let best = (0..classes.len()).flat_map(|i| (i + 1..classes.len()).map(move |j| (i, j))).max_by_key(
                    |(i, j)| (closeness(left, right, &classes[*i], &classes[*j]), -(*j as i64), -(*i as i64)),
                );
                let Some((i, j)) = best else { break };
                unite(&mut classes, i, j);
            }
        }
        Purpose::Widening => add_to_left(&mut classes, left, right, open),
    }
    let slots = |side: &[Profile], numbers: Vec<usize>| numbers.into_iter().map(|n| side[n].slot).collect();
    classes.into_iter().map(|c| Class { left: slots(left, c.left), right: slots(right, c.right) }).collect()
}

/// Merges a group without partner into the most similar neighbour that holds the same.
fn unite_neighbours(classes: &mut Vec<Members>, left: &[Profile], right: &[Profile]) {
    let alone = |c: &Members| c.left.is_empty() || c.right.is_empty();
    if !classes.iter().any(alone) {
        return;
    }
    let (on_left, on_right) = (Side::new(left), Side::new(right));
    let fits = |c: &Members, d: &Members| {
        d.right.is_empty() && on_left.alike(&c.left, &d.left) || d.left.is_empty() && on_right.alike(&c.right, &d.right)
    };
    loop {
        let found = classes.iter().enumerate().filter(|(_, d)| alone(d)).find_map(|(j, d)| {
            let all = classes.iter().enumerate().filter(|(i, c)| *i != j && fits(c, d));
            let best = all.max_by_key(|(i, c)| (closeness(left, right, c, d), -(*i as i64)));
            best.map(|(i, _)| (i, j))
        });
        let Some((i, j)) = found else { return };
        unite(classes, i, j);
    }
}

/// Each group of the right that has no partner becomes one with the group of the left that loses
/// least by it.
fn add_to_left(classes: &mut Vec<Members>, left: &[Profile], right: &[Profile], open: Vec<usize>) {
    // The more fields there are, the more of them agree by chance.
    let fields =
        right.first().map_or(0, |r| r.terms.iter().filter(|t| matches!(t.0, Term::Field(_, None))).count() as i32);
    for m in open {
        let r = &right[m];
        let with = |c: &Members| {
            let of_left = || c.left.iter().map(|l| &left[*l]);
            let one = of_left().map(|l| score(l, r)).max().unwrap_or(0);
            let same_state: i32 = c
                .right
                .iter()
                .map(|n| &right[*n])
                .map(|p| score(p, r) + if adjacent(p, r) { TABLE.adjacent } else { 0 })
                .max()
                .unwrap_or(one);
            let lost: i32 = of_left().map(|l| moved_bounds(l, r)).sum();
            one + same_state + lost * TABLE.bound_moved * (1 + fields)
        };
        let best = (0..classes.len()).max_by_key(|n| (with(&classes[*n]), -(*n as i64)));
        match best {
            Some(n) => classes[n].right.push(m),
            // No group on the left at all: one has to be there.
            None => classes.push(Members { left: Vec::new(), right: vec![m] }),
        }
    }
}

fn unite(classes: &mut Vec<Members>, i: usize, j: usize) {
    let other = classes.remove(i.max(j));
    let into = &mut classes[i.min(j)];
    into.left.extend(other.left);
    into.right.extend(other.right);
}

/// How little is lost if two classes become one.
fn closeness(left: &[Profile], right: &[Profile], c: &Members, d: &Members) -> i32 {
    let side = |profiles: &[Profile], x: &[usize], y: &[usize]| {
        let both = x.iter().flat_map(|p| y.iter().map(|q| likeness(&profiles[*p], &profiles[*q])));
        both.min().unwrap_or(0)
    };
    side(left, &c.left, &d.left) + side(right, &c.right, &d.right)
}

/// How little is lost if two groups of one state become one.
fn likeness(p: &Profile, q: &Profile) -> i32 {
    score(p, q) + if adjacent(p, q) { 2 * TABLE.adjacent } else { 0 }
}

/// The two groups of one state that are best merged.
pub(crate) fn closest(profiles: &[Profile], keep: &BTreeSet<Slot>) -> Option<(Slot, Slot)> {
    let pairs = (0..profiles.len()).flat_map(|i| (i + 1..profiles.len()).map(move |j| (i, j)));
    let free = pairs.filter(|(i, j)| !keep.contains(&profiles[*i].slot) && !keep.contains(&profiles[*j].slot));
    let best = free.max_by_key(|(i, j)| (likeness(&profiles[*i], &profiles[*j]), -(*i as i64), -(*j as i64)));
    best.map(|(i, j)| (profiles[i].slot, profiles[j].slot))
}

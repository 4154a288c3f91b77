//! Which groups of two states are the same: the group matching problem (Liu, Rival 2015, section 6.1).
//!
//! [`pair`] is a pure function of the groups' *profiles*: intervals of size, index and fields, alone and relative to scalars
//! that occur with them. A bad pairing costs precision, never soundness: whatever it answers, groups are merged and created
//! accordingly.

use crate::dims::Slot;
use crate::relations::Slots;
use smalti_core::{ArrayId, Interval, Var};
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

/// What is compared of a group.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) slot: Slot,
    /// One interval for each term; in profiles that are compared, the same terms in the same order. Distances that follow from
    /// the bounds of both sides alone, and are no constants, are not known.
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

/// The table of scores. Bounds count one by one; a bound is *shared* if it is the same finite number on both sides, *absent* if
/// both sides have none.
struct Table {
    /// The groups have one name: they come from the same split of the same group. Dominates everything.
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
    /// A bound of the index relative to a scalar would have to give way, and widening loses it; once more for each field.
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

/// Whether some field has no value that cells of both can hold: split off at the same index, as a free cell here and as a used one
/// there, they are not the same group.
fn contradict(a: &Profile, b: &Profile) -> bool {
    let apart = |((term, x), (_, y)): (&(Term, Interval), &(Term, Interval))| {
        matches!(term, Term::Field(_, None)) && x.meet(*y).is_none()
    };
    a.terms.iter().zip(&b.terms).any(apart)
}

/// Whether the cells of both hold the same, as far as profiles tell: fields that have one constant distance from the index or
/// from a scalar, or the same bounds.
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

/// Where the fields of `p` point, once `b` has become a part of `a`.
fn merged_points(p: &Profile, a: &Profile, b: &Profile) -> Vec<(usize, ArrayId, Slots)> {
    let name = |s: &Slot| if *s == b.slot { a.slot } else { *s };
    p.points.iter().map(|(n, target, slots)| (*n, *target, slots.iter().map(name).collect())).collect()
}

/// Whether, in one state, the indexes of one follow those of the other, so that they make one range together.
fn adjacent(a: &Profile, b: &Profile) -> bool {
    let follows = |x: &Interval, y: &Interval| x.hi().zip(y.lo()).is_some_and(|(hi, lo)| hi.checked_add(1) == Some(lo));
    let index = |t: &Term| matches!(t, Term::Index(_));
    a.terms.iter().zip(&b.terms).any(|((t, x), (_, y))| index(t) && (follows(x, y) || follows(y, x)))
}

/// How many bounds of the index relative to a scalar do not hold any more once the cells of `b` are cells of `a`.
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

/// Whether two groups of two states look the same: what their cells hold, and where they begin or end.
fn similar(a: &Profile, b: &Profile) -> bool {
    let end = |((term, x), (_, y)): (&(Term, Interval), &(Term, Interval))| {
        matches!(term, Term::Index(_)) && (x.lo().is_some() && x.lo() == y.lo() || x.hi().is_some() && x.hi() == y.hi())
    };
    same_content(a, b) && a.terms.iter().zip(&b.terms).any(end)
}

/// Which groups of `left` and `right` become one. Every group is in one class; no class is empty on both sides.
pub(crate) fn pair(left: &[Profile], right: &[Profile], purpose: Purpose) -> Vec<Class> {
    let mut classes: Vec<Class> = left.iter().map(|l| Class { left: vec![l.slot], right: Vec::new() }).collect();
    let mut open: Vec<&Profile> = right.iter().collect();
    // One group of each side, the most alike first.
    let mut pairs: Vec<(i32, usize, &Profile)> = Vec::new();
    for r in right {
        for (n, l) in left.iter().enumerate() {
            let alike = l.slot == r.slot && !contradict(l, r) || purpose != Purpose::Widening && similar(l, r);
            if alike {
                pairs.push((score(l, r), n, r));
            }
        }
    }
    pairs.sort_by_key(|(score, n, r)| (-score, *n, r.slot));
    for (_, n, r) in pairs {
        if classes[n].right.is_empty() && open.iter().any(|o| o.slot == r.slot) {
            classes[n].right.push(r.slot);
            open.retain(|o| o.slot != r.slot);
        }
    }
    if purpose != Purpose::Widening {
        classes.extend(open.drain(..).map(|r| Class { left: Vec::new(), right: vec![r.slot] }));
    }
    let in_side = |side: &'_ [Profile], slots: &[Slot]| -> Vec<Profile> {
        side.iter().filter(|p| slots.contains(&p.slot)).cloned().collect()
    };
    match purpose {
        Purpose::Join(most) => {
            // What has no partner belongs to the likest neighbour that holds the same.
            loop {
                let alone = |c: &Class| c.left.is_empty() || c.right.is_empty();
                let fits = |c: &Class, d: &Class| {
                    let side = |profiles: &[Profile], x: &[Slot], y: &[Slot]| {
                        let (x, y) = (in_side(profiles, x), in_side(profiles, y));
                        x.iter().any(|p| y.iter().any(|q| adjacent(p, q) || entangled(p, q)))
                            && x.iter().all(|p| y.iter().all(|q| same_content(p, q) && same_points(p, q)))
                    };
                    side(left, &c.left, &d.left) && d.right.is_empty()
                        || side(right, &c.right, &d.right) && d.left.is_empty()
                };
                let found = classes.iter().enumerate().filter(|(_, d)| alone(d)).find_map(|(j, d)| {
                    let all = classes.iter().enumerate().filter(|(i, c)| *i != j && fits(c, d));
                    let best = all.max_by_key(|(i, c)| (closeness(left, right, c, d), -(*i as i64)));
                    best.map(|(i, _)| (i, j))
                });
                let Some((i, j)) = found else { break };
                unite(&mut classes, i, j);
            }
            while classes.len() > most.max(1) {
                let best = (0..classes.len()).flat_map(|i| (i + 1..classes.len()).map(move |j| (i, j))).max_by_key(
                    |(i, j)| (closeness(left, right, &classes[*i], &classes[*j]), -(*j as i64), -(*i as i64)),
                );
                let Some((i, j)) = best else { break };
                unite(&mut classes, i, j);
            }
        }
        Purpose::Widening => {
            // The more fields there are, the more of them agree by chance.
            let fields = right
                .first()
                .map_or(0, |r| r.terms.iter().filter(|t| matches!(t.0, Term::Field(_, None))).count() as i32);
            for r in open {
                let with = |c: &Class| {
                    let one = in_side(left, &c.left).iter().map(|l| score(l, r)).max().unwrap_or(0);
                    let same_state: i32 = in_side(right, &c.right)
                        .iter()
                        .map(|p| score(p, r) + if adjacent(p, r) { TABLE.adjacent } else { 0 })
                        .max()
                        .unwrap_or(one);
                    let lost: i32 = in_side(left, &c.left).iter().map(|l| moved_bounds(l, r)).sum();
                    one + same_state + lost * TABLE.bound_moved * (1 + fields)
                };
                let best = (0..classes.len()).max_by_key(|n| (with(&classes[*n]), -(*n as i64)));
                match best {
                    Some(n) => classes[n].right.push(r.slot),
                    // No group on the left at all: one has to be there.
                    None => classes.push(Class { left: Vec::new(), right: vec![r.slot] }),
                }
            }
        }
    }
    classes
}

fn unite(classes: &mut Vec<Class>, i: usize, j: usize) {
    let other = classes.remove(i.max(j));
    let into = &mut classes[i.min(j)];
    into.left.extend(other.left);
    into.right.extend(other.right);
}

/// How little is lost if two classes become one.
fn closeness(left: &[Profile], right: &[Profile], c: &Class, d: &Class) -> i32 {
    let side = |profiles: &[Profile], x: &[Slot], y: &[Slot]| {
        let pick = |slots: &[Slot]| profiles.iter().filter(|p| slots.contains(&p.slot)).collect::<Vec<_>>();
        let (x, y) = (pick(x), pick(y));
        let both = x.iter().flat_map(|p| y.iter().map(move |q| likeness(p, q)));
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

//! Describes groups of cells: which cells they contain, as `{0..i-1}`.

use crate::facts::{Cells, Name, Sum};
use smalti_core::{Constraint, GroupFacts, LinearExpr, Relation, Var};

/// Which cells the group has, and how many, if that is known and does not follow from the range.
/// `known` holds of scalars; `name` names them.
pub(super) fn cells(group: &GroupFacts, known: &[Constraint], name: &dyn Fn(Var) -> Name) -> Cells {
    let Some(ends) = Ends::of(group) else { return Cells::All };
    let sum = |e: &LinearExpr| e.as_sum().map(|v| name(*v));
    if let Some(only) = ends.only.first() {
        return Cells::One(sum(only));
    }
    let size = group.size.and_then(|size| equal_to(&group.constraints, size));
    let size = size.filter(|size| !ends.has_length(size)).map(|size| sum(&size));
    let low = at_most_two(&strongest(&ends.low, |e, other| e.sub(other), known), &sum);
    let high = at_most_two(&strongest(&ends.high, |e, other| other.sub(e), known), &sum);
    Cells::Range { low, high, size }
}

/// The number of cells of the group as an expression, if one is known.
pub(super) fn size(group: &GroupFacts, name: &dyn Fn(Var) -> Name) -> Option<Sum> {
    let size = equal_to(&group.constraints, group.size?)?;
    Some(size.as_sum().map(|v| name(*v)))
}

/// The first and the last index that cells of the group may have, as far as scalars bound them.
/// Bounds with variables come first. The index of a single cell is both. `known` is what holds of
/// scalars.
pub(super) fn bounds(group: &GroupFacts, known: &[Constraint]) -> (Vec<LinearExpr>, Vec<LinearExpr>) {
    let Ends { only, low, high } = Ends::of(group).unwrap_or_default();
    let with = |bounds: Vec<LinearExpr>| {
        let mut all: Vec<LinearExpr> = only.iter().cloned().chain(bounds).collect();
        all.sort_by_key(|e| e.as_constant().is_some());
        all
    };
    (with(strongest(&low, |e, other| e.sub(other), known)), with(strongest(&high, |e, other| other.sub(e), known)))
}

/// The groups in the order of their cells if that order is known; otherwise in their given order.
pub(super) fn in_order(groups: &[GroupFacts]) -> Vec<&GroupFacts> {
    let mut left: Vec<(&GroupFacts, Option<Ends>)> = groups.iter().map(|g| (g, Ends::of(g))).collect();
    let mut sorted = Vec::new();
    while !left.is_empty() {
        let behind = |n: usize| {
            let before =
                |other: &Option<Ends>| other.as_ref().zip(left[n].1.as_ref()).is_some_and(|(a, b)| a.before(b));
            left.iter().any(|(_, other)| before(other))
        };
        let next = (0..left.len()).find(|n| !behind(*n)).unwrap_or(0);
        sorted.push(left.remove(next).0);
    }
    sorted
}

/// Removes the bounds that follow from another bound and `known`; `margin(e, other)` is not
/// negative where `e` is the stronger one.
fn strongest(
    bounds: &[LinearExpr],
    margin: impl Fn(&LinearExpr, &LinearExpr) -> Option<LinearExpr>,
    known: &[Constraint],
) -> Vec<LinearExpr> {
    let stronger = |e: &LinearExpr, other: &LinearExpr| margin(e, other).is_some_and(|m| is_not_negative(&m, known));
    let mut kept: Vec<LinearExpr> = Vec::new();
    for bound in bounds {
        if !kept.iter().any(|k| stronger(k, bound)) {
            kept.retain(|k| !stronger(bound, k));
            kept.push(bound.clone());
        }
    }
    kept
}

/// Whether `e >= 0` is one of the known constraints, or weaker than one.
fn is_not_negative(e: &LinearExpr, known: &[Constraint]) -> bool {
    let more = |f: &LinearExpr| e.sub(f).and_then(|d| d.as_constant()).is_some_and(|c| c >= 0);
    e.as_constant().is_some_and(|c| c >= 0)
        || known.iter().any(|c| match c.relation {
            Relation::NonNegative => more(&c.expr),
            Relation::Zero => more(&c.expr) || c.expr.scale(-1).is_some_and(|f| more(&f)),
            Relation::NonZero => false,
        })
}

/// The bounds of an index.
#[derive(Default)]
struct Ends {
    only: Vec<LinearExpr>,
    low: Vec<LinearExpr>,
    high: Vec<LinearExpr>,
}

impl Ends {
    /// The bounds of a group; `None` if nothing is known of indexes.
    fn of(group: &GroupFacts) -> Option<Ends> {
        let index = group.index?;
        let mut ends = Ends::default();
        group.constraints.iter().for_each(|c| ends.hear(c, index, group));
        Some(ends)
    }

    /// Whether all indexes are below all those of the other.
    fn before(&self, other: &Ends) -> bool {
        let highs = || self.high.iter().chain(&self.only);
        let lows = || other.low.iter().chain(&other.only);
        highs().any(|high| lows().any(|low| low.sub(high).and_then(|d| d.as_constant()).is_some_and(|c| c > 0)))
    }

    /// Adds `c`, if it is about the index and scalars alone.
    fn hear(&mut self, c: &Constraint, index: Var, group: &GroupFacts) {
        let own = |v: Var| v != index && (group.size == Some(v) || group.fields.iter().any(|f| f.1 == v));
        let Some((factor, end)) = c.solved_for(index).filter(|_| !c.expr.vars().any(own)) else { return };
        match c.relation {
            Relation::Zero => self.only.push(end),
            Relation::NonNegative if factor > 0 => self.low.push(end),
            Relation::NonNegative => self.high.push(end),
            Relation::NonZero => {}
        }
    }

    /// Whether the range without holes has that many cells.
    fn has_length(&self, size: &LinearExpr) -> bool {
        let pairs = self.low.iter().flat_map(|low| self.high.iter().map(move |high| (low, high)));
        pairs.filter_map(|(low, high)| high.sub(low)?.add_constant(1)).any(|length| length == *size)
    }
}

/// The bounds in the order of their texts. If there are many, those by constants are left out,
/// which say little beside those by variables, and at most two of the others remain.
fn at_most_two(bounds: &[LinearExpr], sum: &dyn Fn(&LinearExpr) -> Sum) -> Vec<Sum> {
    let mut sums: Vec<Sum> = bounds.iter().map(sum).collect();
    if sums.len() > 2 {
        sums.retain(|sum| !sum.terms.is_empty());
        sums.truncate(2);
    }
    sums.sort_by_cached_key(|sum| format!("{sum:#}"));
    sums
}

/// The expression over other variables that `v` is equal to.
fn equal_to(constraints: &[Constraint], v: Var) -> Option<LinearExpr> {
    let mut equalities = constraints.iter().filter(|c| c.relation == Relation::Zero);
    equalities.find_map(|c| c.solved_for(v).map(|(_, e)| e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_core::{ArrayId, FieldId};

    const I: Var = Var(0);
    const N: Var = Var(1);

    fn group(constraints: Vec<Option<Constraint>>) -> GroupFacts {
        GroupFacts {
            index: Some(Var::fresh(0)),
            size: Some(Var::fresh(1)),
            fields: vec![(FieldId(0), Var::summary(ArrayId(0), FieldId(0)))],
            constraints: constraints.into_iter().flatten().collect(),
            memberships: Vec::new(),
        }
    }

    /// `i >= 0`, `i <= n`.
    fn known() -> Vec<Constraint> {
        let (i, n) = (LinearExpr::var(I), LinearExpr::var(N));
        vec![Constraint::non_negative(i.clone()), Constraint::le(&i, &n).expect("small numbers")]
    }

    fn shown(constraints: Vec<Option<Constraint>>) -> String {
        let name = |v: Var| Name::from(["i", "n"][usize::try_from(v.0).expect("two scalars")]);
        cells(&group(constraints), &known(), &name).to_string()
    }

    #[test]
    fn ranges_sizes_and_single_cells_are_told_apart() {
        let (index, size) = (LinearExpr::var(Var::fresh(0)), LinearExpr::var(Var::fresh(1)));
        let (i, n, zero) = (LinearExpr::var(I), LinearExpr::var(N), LinearExpr::constant(0));
        let from_0 = || Constraint::ge(&index, &zero);
        let below = |e: &LinearExpr| Constraint::lt(&index, e);
        assert_eq!(shown(vec![from_0(), below(&i)]), "{0..i-1}");
        assert_eq!(shown(vec![from_0(), below(&i), Constraint::eq(&size, &i)]), "{0..i-1}");
        assert_eq!(shown(vec![from_0(), below(&n), Constraint::eq(&size, &i)]), "{0..n-1} (size i)");
        assert_eq!(shown(vec![Constraint::eq(&index, &i)]), "{i}");
        assert_eq!(shown(vec![Constraint::ge(&index, &i), below(&n)]), "{i..n-1}");
        assert_eq!(
            shown(vec![Constraint::ge(&index, &LinearExpr::constant(3)), Constraint::ge(&index, &i)]),
            "{max(3, i)..}"
        );
        assert_eq!(shown(vec![]), "{..}");
    }

    #[test]
    fn ends_that_follow_from_others_are_left_out() {
        let index = LinearExpr::var(Var::fresh(0));
        let (i, n, zero) = (LinearExpr::var(I), LinearExpr::var(N), LinearExpr::constant(0));
        let (below_i, below_n) = (Constraint::lt(&index, &i), Constraint::lt(&index, &n));
        let from = |e: &LinearExpr| Constraint::ge(&index, e);
        assert_eq!(shown(vec![from(&zero), from(&i), below_n.clone()]), "{i..n-1}");
        assert_eq!(shown(vec![from(&zero), below_n, below_i]), "{0..i-1}");
    }

    #[test]
    fn groups_are_shown_in_the_order_of_their_cells() {
        let index = LinearExpr::var(Var::fresh(0));
        let i = LinearExpr::var(I);
        let groups = [
            group(vec![Constraint::ge(&index, &i.add_constant(1).expect("small"))]),
            group(vec![Constraint::eq(&index, &i)]),
            group(vec![Constraint::lt(&index, &i)]),
        ];
        let order: Vec<&GroupFacts> = in_order(&groups);
        assert!(std::ptr::eq(order[0], &groups[2]) && std::ptr::eq(order[2], &groups[0]));
    }

    #[test]
    fn without_an_index_it_is_all_cells() {
        let facts = GroupFacts { index: None, ..group(vec![]) };
        assert_eq!(cells(&facts, &[], &|_| Name::from("x")), Cells::All);
    }
}

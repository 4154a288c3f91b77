//! What stored facts mean. `0 <= i < n`, for example, is two inequalities, and one of them may get
//! weaker.
//!
//! **Meaning.** A list of facts is the conjunction of its [`Atom`]s. An atom holds in a *scope*:
//! everywhere, for the cells of a range (`forall k. 0 <= k < n ==>`), or for a group of cells
//! (`a[9] {..}`). A fact that is not linear is an atom without further meaning.
//!
//! **Limits.** Octagons decide whether some inequalities imply another, with one octagon for each
//! scope. An implication that they miss is reported as lost although it holds. The opposite cannot
//! happen: what an octagon implies is implied.

use super::snapshot::Entry;
use crate::facts::{Chain, Comparison, Fact, Sum};
use smalti_core::{Constraint, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Var};
use smalti_octagon::{Octagon, OctagonDomain};
use std::collections::BTreeMap;

/// A part of a fact that is not split further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    /// The scope; empty means everywhere.
    pub(super) scope: String,
    /// The text.
    pub(super) text: String,
    /// The meaning, if it is known.
    pub(super) constraint: Option<Constraint>,
}

/// The variables of all compared facts, by name.
#[derive(Default)]
pub(super) struct VarsByName(BTreeMap<String, Var>);

impl VarsByName {
    fn var(&mut self, name: String) -> Option<Var> {
        let next = u32::try_from(self.0.len()).ok()?;
        Some(*self.0.entry(name).or_insert(Var::scalar(next)))
    }

    fn sum(&mut self, sum: &Sum) -> Option<LinearExpr> {
        let terms = sum.terms.iter().map(|(name, coefficient)| Some((self.var(name.to_string())?, *coefficient)));
        LinearExpr::new(terms.collect::<Option<Vec<_>>>()?, sum.constant)
    }
}

/// The names of the parts of a cell in facts about a group.
const PARTS: [&str; 4] = ["value", "index", "-value", "-index"];

/// The atoms of an entry.
pub(super) fn atoms(entry: &Entry, names: &mut VarsByName) -> Vec<Atom> {
    match entry {
        Entry::Fact(Fact::ForAll { low, high, body, .. }) => {
            // All facts call the bound index `#`, whatever name the program leaves free for it.
            let scope = format!("forall #. {low} <= # < {high}");
            body.iter().flat_map(|chain| comparisons(chain, &scope, names)).collect()
        }
        Entry::Fact(fact) => of_fact(fact, "", names),
        Entry::Group { array, group } if group.holds.is_empty() => vec![opaque(format!("{array}   {group}"), "")],
        Entry::Group { array, group } => {
            let scope = format!("{array} {}", group.cells);
            group.holds.iter().flat_map(|fact| of_fact(fact, &scope, names)).collect()
        }
        Entry::Unreachable | Entry::Or => vec![opaque(entry.to_string(), "")],
    }
}

fn of_fact(fact: &Fact, scope: &str, names: &mut VarsByName) -> Vec<Atom> {
    match fact {
        Fact::Chain(chain) => comparisons(chain, scope, names),
        _ => vec![opaque(fact.to_string(), scope)],
    }
}

/// An atom without further meaning.
fn opaque(text: String, scope: &str) -> Atom {
    Atom { scope: scope.to_owned(), text, constraint: None }
}

/// The comparisons of a chain; a single atom if one of them has numbers that are too large.
fn comparisons(chain: &Chain, scope: &str, names: &mut VarsByName) -> Vec<Atom> {
    let comparison = |(left, comparison, right): (&Sum, Comparison, &Sum)| {
        let (a, b) = (names.sum(left)?, names.sum(right)?);
        let constraint = match comparison {
            Comparison::AtMost => Constraint::le(&a, &b),
            Comparison::Less => Constraint::lt(&a, &b),
            Comparison::AtLeast => Constraint::ge(&a, &b),
            Comparison::Greater => Constraint::gt(&a, &b),
            Comparison::NotEqual => Constraint::ne(&a, &b),
            Comparison::Equal => Constraint::eq(&a, &b),
        };
        let constraint = Some(constraint?.normalise());
        let text = format!("{left} {} {right}", comparison.operator());
        Some(Atom { scope: scope.to_owned(), text, constraint })
    };
    let all: Option<Vec<Atom>> = chain.comparisons().map(comparison).collect();
    all.unwrap_or_else(|| vec![opaque(chain.to_string(), scope)])
}

/// The largest number of atoms from which consequences are derived. Octagons take cubic time, and
/// anyone may write a snapshot.
const MOST: usize = 400;

/// The consequences of some atoms.
pub(super) struct Consequences {
    atoms: Vec<Atom>,
    /// For each scope: its atoms and those that hold everywhere.
    scopes: BTreeMap<String, Octagon>,
}

impl Consequences {
    pub(super) fn new(atoms: Vec<Atom>) -> Consequences {
        if atoms.len() > MOST {
            return Consequences { atoms, scopes: BTreeMap::new() };
        }
        let everywhere = conjunction(OctagonDomain.top(), atoms.iter().filter(|a| a.scope.is_empty()));
        // A program variable may have the name of a part of a cell. It is not that part.
        let no_part = |a: &&Atom| a.scope.is_empty() && !PARTS.iter().any(|p| a.text.split(' ').any(|w| w == *p));
        let around = conjunction(OctagonDomain.top(), atoms.iter().filter(no_part));
        let mut scopes: BTreeMap<String, Octagon> = BTreeMap::new();
        for atom in atoms.iter().filter(|a| !a.scope.is_empty()) {
            let scope = scopes.entry(atom.scope.clone()).or_insert_with(|| around.clone());
            *scope = conjunction(scope.clone(), [atom]);
        }
        scopes.insert(String::new(), everywhere);
        Consequences { atoms, scopes }
    }

    pub(super) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// Whether an atom is among these, or follows from them.
    pub(super) fn implies(&self, atom: &Atom) -> bool {
        let same = |a: &Atom| a.scope == atom.scope && (a.text == atom.text || equal(a, atom));
        if self.atoms.iter().any(same) {
            return true;
        }
        // A contradiction implies everything, so it says nothing about a single atom.
        let scope = self.scopes.get(&atom.scope).filter(|octagon| !octagon.is_bottom());
        atom.constraint.as_ref().zip(scope).is_some_and(|(c, octagon)| octagon.entails(c))
    }

    /// The atom that bounds the same thing, in the same scope and direction.
    pub(super) fn of_the_same(&self, atom: &Atom) -> Option<&Atom> {
        let directions = directions(atom);
        let like = |a: &&Atom| a.scope == atom.scope && self::directions(a).iter().any(|d| directions.contains(d));
        self.atoms.iter().find(like)
    }
}

fn conjunction<'a>(mut octagon: Octagon, atoms: impl IntoIterator<Item = &'a Atom>) -> Octagon {
    for c in atoms.into_iter().filter_map(|a| a.constraint.as_ref()) {
        octagon.assume(c);
    }
    octagon
}

fn equal(a: &Atom, b: &Atom) -> bool {
    a.constraint.is_some() && a.constraint == b.constraint
}

/// What an atom bounds: the terms of its expression with their signs. An equality bounds in both
/// directions.
fn directions(atom: &Atom) -> Vec<Vec<(Var, i128)>> {
    let Some(c) = &atom.constraint else { return Vec::new() };
    let terms = c.expr.terms().to_vec();
    let opposite = || terms.iter().map(|&(v, n)| (v, n.saturating_neg())).collect();
    match c.relation {
        Relation::NonNegative => vec![terms],
        Relation::Zero => vec![opposite(), terms],
        Relation::NonZero => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(fact: &str, names: &mut VarsByName) -> Vec<Atom> {
        atoms(&Entry::from(fact), names)
    }

    fn known(facts: &[&str], names: &mut VarsByName) -> Consequences {
        Consequences::new(facts.iter().flat_map(|f| of_text(f, names)).collect())
    }

    fn implies(facts: &[&str], fact: &str) -> bool {
        let mut names = VarsByName::default();
        let known = known(facts, &mut names);
        of_text(fact, &mut names).iter().all(|a| known.implies(a))
    }

    #[test]
    fn a_chain_is_its_comparisons() {
        let mut names = VarsByName::default();
        let texts = |fact: &str, names: &mut VarsByName| -> Vec<String> {
            of_text(fact, names).into_iter().map(|a| a.text).collect()
        };
        assert_eq!(texts("0 <= k < n <= 100", &mut names), ["0 <= k", "k < n", "n <= 100"]);
        assert_eq!(
            texts("forall k. 0 <= k < n ==> a[k] == 1 && b[k] >= a[k]", &mut names),
            ["a[#] == 1", "b[#] >= a[#]"]
        );
        assert!(of_text("2*x - a[i + 1].f + 3 <= 7", &mut names)[0].constraint.is_some());
        for opaque in ["a[3]   {..}: any", "false", "x in b{..}", "", "x <= ", "x <= 1 +", "x <= 2 y"] {
            assert!(of_text(opaque, &mut names).iter().all(|a| a.constraint.is_none()), "{opaque}");
        }
    }

    #[test]
    fn what_follows_is_implied_and_nothing_else() {
        let facts = ["0 <= k < n <= 100", "i == n + 1", "forall j. 0 <= j < n ==> a[j] == 7"];
        for fact in
            ["k <= 99", "n >= 1", "i <= 101", "i > k", "0 <= k", "n == i - 1", "forall q. 0 <= q < n ==> a[q] >= 7"]
        {
            assert!(implies(&facts, fact), "{fact}");
        }
        for fact in ["k <= 98", "k != 3", "n >= 2", "k == 0", "forall j. 0 <= j < n + 1 ==> a[j] == 7", "a[j] == 7"] {
            assert!(!implies(&facts, fact), "{fact}");
        }
        assert!(implies(&["a[9]   {..}: value == 3, f is in b{1}"], "a[9]   {..}: f is in b{1}, 0 <= value <= 3"));
        assert!(!implies(&["a[9]   {..}: value == 3"], "b[9]   {..}: 0 <= value <= 3"));
    }

    #[test]
    fn a_variable_called_value_says_nothing_of_cells() {
        let facts = ["value == 3", "n == 3", "a[9]   {..}: index >= 1, value <= n"];
        assert!(implies(&facts, "a[9]   {..}: value <= 3") && implies(&facts, "value >= 3"));
        assert!(!implies(&facts, "a[9]   {..}: value == 3"));
    }

    #[test]
    fn a_contradiction_implies_nothing() {
        assert!(!implies(&["x == 1", "x == 2"], "x == 3"));
        assert!(implies(&["x == 1", "x == 2"], "x == 2"));
    }

    #[test]
    fn facts_without_end_are_compared_by_their_text_alone() {
        let chain: Vec<String> = (0..5000).map(|n| format!("x{n} <= x{}", n + 1)).collect();
        let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
        assert!(implies(&chain, "x7 <= x8") && !implies(&chain, "x7 <= x9"));
        assert!(implies(&chain[..100], "x7 <= x9"));
    }

    #[test]
    fn numbers_of_any_size_are_read() {
        let huge = "9".repeat(60);
        assert!(!implies(&["x <= 170141183460469231731687303715884105727"], "x <= 0"));
        assert!(implies(&[&format!("x <= {huge}")], &format!("x <= {huge}")));
        assert!(!implies(&["-170141183460469231731687303715884105728*x <= y - 1"], "x <= 0"));
    }
}

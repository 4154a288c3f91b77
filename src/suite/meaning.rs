//! The meaning of simple printed facts. `0 <= i < n`, for example, is two inequalities, and one of
//! them may get weaker.
//!
//! **Meaning.** A list of facts is the conjunction of its [`Atom`]s. An atom holds in a *scope*:
//! everywhere, for the cells of a range (`forall k. 0 <= k < n ==>`), or for a group of cells
//! (`a[9] {..}`). A formula that is not linear is an atom without further meaning.
//!
//! **Limits.** Octagons decide whether some inequalities imply another, with one octagon for each
//! scope. An implication that they miss is reported as lost although it holds. The opposite cannot
//! happen: what an octagon implies is implied.

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
    fn var(&mut self, name: &str) -> Option<Var> {
        if let Some(v) = self.0.get(name) {
            return Some(*v);
        }
        let v = Var::scalar(u32::try_from(self.0.len()).ok()?);
        self.0.insert(name.to_owned(), v);
        Some(v)
    }
}

/// The name that all facts use for the cell index, whatever name the program leaves free for it.
const INDEX: &str = "#";

/// The names of the parts of a cell in facts about a group.
const PARTS: [&str; 4] = ["value", "index", "-value", "-index"];

/// The atoms of a fact.
pub(super) fn atoms(fact: &str, names: &mut VarsByName) -> Vec<Atom> {
    if let Some((scope, index, body)) = quantified(fact) {
        let conjuncts = body.split(" && ").map(|c| with_index(c, &index));
        return conjuncts.flat_map(|c| chain(&c, &scope, names)).collect();
    }
    if let Some((cells, content)) = group(fact) {
        return content.split(" && ").flat_map(|c| content_atoms(c, &cells, names)).collect();
    }
    chain(fact, "", names)
}

fn content_atoms(content: &str, cells: &str, names: &mut VarsByName) -> Vec<Atom> {
    content.split("; ").flat_map(|c| chain(c, cells, names)).collect()
}

/// Range, index and body of `forall k. 0 <= k < n ==> body`.
fn quantified(fact: &str) -> Option<(String, String, &str)> {
    let (range, body) = fact.strip_prefix("forall ")?.split_once(" ==> ")?;
    let (index, range) = range.split_once(". ")?;
    Some((format!("forall {INDEX}. {}", with_index(range, index)), index.to_owned(), body))
}

/// Cells and content of `a[9]   {0..3}: value == 1`.
fn group(fact: &str) -> Option<(String, &str)> {
    let (array, rest) = fact.split_once("   {")?;
    let (cells, content) = rest.split_once("}: ")?;
    Some((format!("{} {{{cells}}}", array.trim_end()), content))
}

/// The text with [`INDEX`] for the name of the index.
fn with_index(text: &str, index: &str) -> String {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mut out = String::new();
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        out.push_str(if word.as_str() == index { INDEX } else { word });
        word.clear();
    };
    for c in text.chars() {
        if is_word(c) {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            out.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

/// The comparisons of a chain such as `0 <= i < n <= 100`.
fn chain(text: &str, scope: &str, names: &mut VarsByName) -> Vec<Atom> {
    let whole = || vec![Atom { scope: scope.to_owned(), text: text.to_owned(), constraint: None }];
    let mut operands = vec![];
    let mut operators = vec![];
    let mut operand: Vec<&str> = Vec::new();
    // Operators are surrounded by spaces.
    for word in text.split(' ') {
        if ["<=", "<", "==", "!=", ">=", ">"].contains(&word) {
            operands.push(std::mem::take(&mut operand).join(" "));
            operators.push(word);
        } else {
            operand.push(word);
        }
    }
    operands.push(operand.join(" "));
    let linear: Option<Vec<LinearExpr>> = operands.iter().map(|o| expression(o, names)).collect();
    let Some(linear) = linear.filter(|_| !operators.is_empty()) else { return whole() };
    let mut found = Vec::new();
    for (n, operator) in operators.iter().enumerate() {
        let (left, right) = (&linear[n], &linear[n + 1]);
        let constraints = match *operator {
            "<=" => vec![Constraint::le(left, right)],
            "<" => vec![Constraint::lt(left, right)],
            ">=" => vec![Constraint::ge(left, right)],
            ">" => vec![Constraint::gt(left, right)],
            "!=" => vec![Constraint::ne(left, right)],
            _ => vec![Constraint::eq(left, right)],
        };
        let text = format!("{} {operator} {}", operands[n], operands[n + 1]);
        for constraint in constraints {
            let Some(constraint) = constraint else { return whole() };
            let constraint = Some(constraint.normalise());
            found.push(Atom { scope: scope.to_owned(), text: text.clone(), constraint });
        }
    }
    found
}

/// A sum of terms such as `2 * n - a[k].f + 1`. A term without an operator outside of brackets is a
/// variable.
fn expression(text: &str, names: &mut VarsByName) -> Option<LinearExpr> {
    let mut sum = LinearExpr::constant(0);
    let mut sign = 1;
    let mut term: Vec<String> = Vec::new();
    let mut depth = 0i32;
    for word in text.split(' ') {
        let outside = depth == 0;
        depth += word.chars().map(|c| i32::from(c == '[' || c == '(') - i32::from(c == ']' || c == ')')).sum::<i32>();
        if outside && (word == "+" || word == "-") {
            sum = sum.add(&product(&term, names)?.scale(sign)?)?;
            term.clear();
            sign = if word == "-" { -1 } else { 1 };
        } else {
            match term.last_mut() {
                Some(last) if !outside => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => term.push(word.to_owned()),
            }
        }
    }
    sum.add(&product(&term, names)?.scale(sign)?)
}

/// `3`, `x`, `-x`, `2 * x`.
fn product(words: &[String], names: &mut VarsByName) -> Option<LinearExpr> {
    match words {
        [one] => {
            if let Ok(n) = one.parse::<i128>() {
                return Some(LinearExpr::constant(n));
            }
            let (name, factor) = one.strip_prefix('-').map_or((one.as_str(), 1), |rest| (rest, -1));
            let first = name.chars().next()?;
            let is_name = first == '_' || first == '#' || first == '$' || first == '\\' || first.is_alphabetic();
            is_name.then(|| names.var(name)).flatten().and_then(|v| LinearExpr::var(v).scale(factor))
        }
        [factor, star, one] if star == "*" => {
            let factor: i128 = factor.parse().ok()?;
            let rest = product(std::slice::from_ref(one), names)?;
            rest.scale(factor)
        }
        _ => None,
    }
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

    fn known(facts: &[&str], names: &mut VarsByName) -> Consequences {
        Consequences::new(facts.iter().flat_map(|f| atoms(f, names)).collect())
    }

    fn implies(facts: &[&str], fact: &str) -> bool {
        let mut names = VarsByName::default();
        let known = known(facts, &mut names);
        atoms(fact, &mut names).iter().all(|a| known.implies(a))
    }

    #[test]
    fn a_chain_is_its_comparisons() {
        let mut names = VarsByName::default();
        let texts = |fact: &str, names: &mut VarsByName| -> Vec<String> {
            atoms(fact, names).into_iter().map(|a| a.text).collect()
        };
        assert_eq!(texts("0 <= k < n <= 100", &mut names), ["0 <= k", "k < n", "n <= 100"]);
        assert_eq!(
            texts("forall k. 0 <= k < n ==> a[k] == 1 && b[k] >= a[k]", &mut names),
            ["a[#] == 1", "b[#] >= a[#]"]
        );
        assert!(atoms("2 * x - a[i + 1].f + 3 <= 7", &mut names)[0].constraint.is_some());
        for opaque in ["a[3]   {..}: any", "false", "x in b{..}", "", "x <= ", "x <= 1 +", "x <= 2 y"] {
            assert!(atoms(opaque, &mut names).iter().all(|a| a.constraint.is_none()), "{opaque}");
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
        assert!(implies(&["a[9]   {..}: value == 3"], "a[9]   {..}: 0 <= value <= 3"));
        assert!(!implies(&["a[9]   {..}: value == 3"], "b[9]   {..}: 0 <= value <= 3"));
    }

    #[test]
    fn a_variable_called_value_says_nothing_of_cells() {
        let facts = ["value == 3", "n == 3", "a[9]   {..}: index >= 1; value <= n"];
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
        assert!(!implies(&["-170141183460469231731687303715884105728 * x <= y - 1"], "x <= 0"));
    }
}

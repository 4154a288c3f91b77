//! Formulas about the state of a program at one place, with the names that the source has there.

use smalti_core::{Constraint, Interval, LinearExpr, Relation, Var, render_given};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Something that has an integer value in a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A variable, or a member of one (`members` from the outside in).
    Value {
        /// The variable's name.
        variable: String,
        /// The members, from the outside in.
        members: Vec<String>,
    },
    /// The distance of a pointer from the first element of what it points into, in elements.
    Offset {
        /// The pointer's name.
        variable: String,
        /// The members, from the outside in.
        members: Vec<String>,
    },
    /// The number of cells of an array.
    Length(Cells),
    /// What the function returns.
    Result,
    /// The number of a cell, over which a formula quantifies.
    Index,
    /// The cell of that number of an array.
    Cell(Cells, Vec<String>),
}

/// The cells of an array, numbered from 0 row by row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cells {
    /// The variable: the array, a struct with the array in it, or a pointer to the first element.
    pub variable: String,
    /// The way to a cell; at least one `Subscript`.
    pub path: Vec<PathStep>,
}

/// One step of the way to a cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PathStep {
    /// A member.
    Member(String),
    /// An element of an array.
    Subscript {
        /// The number of cells in one element.
        cells: u64,
        /// The number of elements; `None` for the outermost array.
        length: Option<u64>,
    },
}

/// Cells from `low` to `high`, of one array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first.
    pub low: LinearExpr,
    /// One past the last.
    pub high: LinearExpr,
}

impl Range {
    /// The index of the only cell, if there is just one.
    pub(super) fn only(&self) -> Option<&LinearExpr> {
        let length = self.high.sub(&self.low)?;
        (length.as_constant() == Some(1)).then_some(&self.low)
    }
}

/// What a formula's variables stand for: variable `Var::scalar(n)` is the atom number `n`.
#[derive(Clone, Default, Debug)]
pub struct Atoms {
    pub(super) all: Vec<Atom>,
    /// Every value of the atom lies there.
    pub(super) ranges: Vec<Interval>,
    numbers: BTreeMap<Atom, u32>,
}

impl Atoms {
    /// The variable of an atom.
    pub(super) fn var(&mut self, atom: &Atom, range: Interval) -> Var {
        if let Some(n) = self.numbers.get(atom) {
            return Var::scalar(*n);
        }
        let n = self.all.len().try_into().expect("fewer than 2^32 atoms");
        self.all.push(atom.clone());
        self.ranges.push(range);
        self.numbers.insert(atom.clone(), n);
        Var::scalar(n)
    }

    /// The atom of a variable.
    pub fn atom(&self, v: Var) -> Option<&Atom> {
        usize::try_from(v.0).ok().and_then(|n| self.all.get(n))
    }

    fn range(&self, v: Var) -> Interval {
        usize::try_from(v.0).ok().and_then(|n| self.ranges.get(n).copied()).unwrap_or(Interval::TOP)
    }

    /// The constraints that follow from the types of the variables in `constraints`.
    pub(super) fn of_types(&self, constraints: &[Constraint]) -> Vec<Constraint> {
        let mut vars: Vec<Var> = constraints.iter().flat_map(|c| c.expr.vars()).collect();
        vars.sort_unstable();
        vars.dedup();
        let ends = vars.into_iter().flat_map(|v| {
            let (e, range) = (LinearExpr::var(v), self.range(v));
            let low = range.lo().and_then(|lo| Constraint::ge(&e, &LinearExpr::constant(lo)));
            let high = range.hi().and_then(|hi| Constraint::le(&e, &LinearExpr::constant(hi)));
            [low, high]
        });
        ends.flatten().collect()
    }
}

/// A formula: `body` holds; with a range, for the number of every cell in it.
///
/// Values are mathematical integers. `body` is written for a reader who knows `given` as well.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The range of [`Atom::Index`].
    pub range: Option<Range>,
    /// What the reader knows.
    pub(super) given: Vec<Constraint>,
    /// What holds.
    pub body: Vec<Constraint>,
}

/// How formulas are spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// For people.
    Plain,
    /// The ANSI/ISO C Specification Language.
    Acsl,
}

impl Formula {
    /// The formula as text. Without a range: one line for each conjunct. With a range: one line in
    /// total. Empty if it says nothing. The index is called `index`.
    pub fn texts(&self, atoms: &Atoms, spelling: Spelling, index: &str) -> Vec<String> {
        let Some(range) = &self.range else {
            return self.conjuncts(atoms, &|v| name(atoms, v, index));
        };
        if let Some(only) = range.only() {
            let at = only.text(&|v| name(atoms, v, index), " ");
            // The index is one fixed number, which replaces it inside sums.
            let number = (0..).zip(&atoms.all).find(|(_, a)| **a == Atom::Index).map(|(n, _)| Var::scalar(n));
            let replaced = |c: &Constraint| {
                let expr = number.and_then(|v| c.expr.substitute(v, only));
                Constraint { expr: expr.unwrap_or_else(|| c.expr.clone()), relation: c.relation }
            };
            let one = Formula {
                range: None,
                given: self.given.iter().map(replaced).collect(),
                body: self.body.iter().map(replaced).collect(),
            };
            return one.conjuncts(atoms, &|v| name(atoms, v, &at));
        }
        let names = |v| name(atoms, v, index);
        let body = self.conjuncts(atoms, &names);
        if body.is_empty() {
            return Vec::new();
        }
        let (low, high) = (range.low.text(&names, " "), range.high.text(&names, " "));
        let body = body.join(" && ");
        vec![match spelling {
            Spelling::Plain => format!("forall {index}. {low} <= {index} < {high} ==> {body}"),
            Spelling::Acsl => format!("\\forall integer {index}; {low} <= {index} < {high} ==> {body}"),
        }]
    }

    fn conjuncts(&self, atoms: &Atoms, names: &dyn Fn(Var) -> String) -> Vec<String> {
        let mut given = self.given.clone();
        given.extend(atoms.of_types(&[&self.given[..], &self.body].concat()));
        // In an equality, cells come first, because the line is about them. They are renamed to
        // dimensions of domains, which are written first.
        let is_cell = |v: Var| matches!(atoms.atom(v), Some(Atom::Cell(..)));
        let cells: BTreeMap<Var, Var> = (0u32..)
            .zip(&atoms.all)
            .filter(|(_, a)| matches!(a, Atom::Cell(..)))
            .map(|(n, _)| (Var::fresh(n), Var::scalar(n)))
            .collect();
        let fresh = |v: Var| if is_cell(v) { u32::try_from(v.0).map_or(v, Var::fresh) } else { v };
        let all = |constraints: &[Constraint]| -> Vec<Constraint> {
            let renamed = |c: &Constraint| Some(Constraint { expr: c.expr.rename(fresh)?, relation: c.relation });
            constraints.iter().filter_map(renamed).collect()
        };
        render_given(&all(&given), &all(&self.body), &|v| names(cells.get(&v).copied().unwrap_or(v)))
    }
}

/// The spelling of an atom that is a C expression, and what its type can hold; `cell` is the number
/// of the cell that is meant.
pub(super) fn spelled(atoms: &Atoms, v: Var, cell: Option<i128>) -> Option<(String, Interval)> {
    let index = match (atoms.atom(v)?, cell) {
        (Atom::Value { .. }, _) => String::new(),
        (Atom::Cell(..), Some(n)) if n >= 0 => n.to_string(),
        _ => return None,
    };
    Some((name(atoms, v, &index), atoms.range(v)))
}

/// The spelling of an atom. `index` is what stands for the number of a cell.
fn name(atoms: &Atoms, v: Var, index: &str) -> String {
    let mut text = String::new();
    let join = |text: &mut String, members: &[String]| members.iter().for_each(|m| _ = write!(text, ".{m}"));
    match atoms.atom(v) {
        None => {}
        Some(Atom::Value { variable, members }) => {
            text.push_str(variable);
            join(&mut text, members);
        }
        Some(Atom::Offset { variable, members }) => {
            _ = write!(text, "offset({variable}");
            join(&mut text, members);
            text.push(')');
        }
        Some(Atom::Length(cells)) => {
            _ = write!(text, "length({}", cells.variable);
            let before = cells.path.iter().rposition(|s| matches!(s, PathStep::Subscript { .. })).unwrap_or(0);
            for step in &cells.path[..before] {
                match step {
                    PathStep::Member(m) => _ = write!(text, ".{m}"),
                    PathStep::Subscript { .. } => text.push_str("[]"),
                }
            }
            text.push(')');
        }
        Some(Atom::Result) => text.push_str("\\result"),
        Some(Atom::Index) => text.push_str(index),
        Some(Atom::Cell(cells, members)) => {
            text.push_str(&cell(cells, index));
            join(&mut text, members);
        }
    }
    text
}

/// The cell of the number `index`.
fn cell(cells: &Cells, index: &str) -> String {
    let mut text = cells.variable.clone();
    let whole = index.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    let constant: Option<u64> = index.parse().ok();
    for step in &cells.path {
        match step {
            PathStep::Member(m) => _ = write!(text, ".{m}"),
            PathStep::Subscript { cells: 1, length: None } => _ = write!(text, "[{index}]"),
            PathStep::Subscript { cells, length } => {
                if let Some(n) = constant {
                    let element = n / (*cells).max(1);
                    _ = write!(text, "[{}]", length.map_or(element, |l| element % l.max(1)));
                    continue;
                }
                let index = if whole { index.to_owned() } else { format!("({index})") };
                let quotient = if *cells == 1 { index } else { format!("{index} / {cells}") };
                match length {
                    None => _ = write!(text, "[{quotient}]"),
                    Some(length) => _ = write!(text, "[{quotient} % {length}]"),
                }
            }
        }
    }
    text
}

/// The bounds that a constraint gives for `v`: a lower bound and an upper bound (one past the
/// last), each an expression without `v`.
pub(super) fn ends_of(c: &Constraint, v: Var) -> (Option<LinearExpr>, Option<LinearExpr>) {
    let Some((factor, end)) = c.solved_for(v) else { return (None, None) };
    let behind = end.add_constant(1);
    match c.relation {
        Relation::Zero => (Some(end), behind),
        Relation::NonNegative if factor > 0 => (Some(end), None),
        Relation::NonNegative => (None, behind),
        Relation::NonZero => (None, None),
    }
}

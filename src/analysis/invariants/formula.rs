//! Formulas about the state of a program at one place, with the names that the source has there.

use crate::facts::{self, Comparison, Fact, Name, Piece};
use smalti_core::{Chain, Constraint, Interval, LinearExpr, Relation, Var, chains_given};
use std::collections::BTreeMap;

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

impl Formula {
    /// What the formula says, for readers. Without a range: one fact for each conjunct. With a
    /// range: one fact in total. None if it says nothing. The index is called `index`.
    pub fn facts(&self, atoms: &Atoms, index: &str) -> Vec<Fact> {
        let Some(range) = &self.range else {
            return self.conjuncts(atoms, &|v| name(atoms, v, CellNumber::Bound));
        };
        if let Some(only) = range.only() {
            let at = only.as_sum().map(|v| name(atoms, *v, CellNumber::Bound)).to_string();
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
            return one.conjuncts(atoms, &|v| name(atoms, v, CellNumber::Text(&at)));
        }
        let named = |v: &Var| name(atoms, *v, CellNumber::Bound);
        let (low, high) = (range.low.as_sum().map(named), range.high.as_sum().map(named));
        let Some(body) = self.chains(atoms) else {
            // Nothing holds of the cells, so there are none.
            return vec![Fact::Chain(facts::Chain::new(high, Comparison::AtMost, low))];
        };
        if body.is_empty() {
            return Vec::new();
        }
        let body = body.iter().map(|chain| chain.map(named)).collect();
        vec![Fact::ForAll { index: index.to_owned(), low, high, body }]
    }

    fn conjuncts(&self, atoms: &Atoms, named: &dyn Fn(Var) -> Name) -> Vec<Fact> {
        match self.chains(atoms) {
            Some(chains) => chains.iter().map(|chain| Fact::Chain(chain.map(|v| named(*v)))).collect(),
            None => vec![Fact::False],
        }
    }

    /// What `body` adds to `given` and to what types say; `None` for a contradiction.
    fn chains(&self, atoms: &Atoms) -> Option<Vec<Chain<Var>>> {
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
        let chains = chains_given(&all(&given), &all(&self.body))?;
        Some(chains.iter().map(|chain| chain.map(|v| cells.get(v).copied().unwrap_or(*v))).collect())
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
    Some((name(atoms, v, CellNumber::Text(&index)).to_string(), atoms.range(v)))
}

/// The number of the cell that a name means.
#[derive(Clone, Copy)]
enum CellNumber<'t> {
    /// The bound index of the formula.
    Bound,
    /// The value of this expression.
    Text(&'t str),
}

/// The name of an atom.
fn name(atoms: &Atoms, v: Var, number: CellNumber<'_>) -> Name {
    match atoms.atom(v) {
        None => Name::from(""),
        Some(Atom::Value { variable, members }) => Name::from(with_members(variable.clone(), members)),
        Some(Atom::Offset { variable, members }) => {
            Name::from(format!("offset({})", with_members(variable.clone(), members)))
        }
        Some(Atom::Length(cells)) => {
            let before = cells.path.iter().rposition(|s| matches!(s, PathStep::Subscript { .. })).unwrap_or(0);
            let steps = cells.path[..before].iter().map(|step| match step {
                PathStep::Member(m) => format!(".{m}"),
                PathStep::Subscript { .. } => "[]".to_owned(),
            });
            Name::from(format!("length({}{})", cells.variable, steps.collect::<String>()))
        }
        Some(Atom::Result) => Name::from("\\result"),
        Some(Atom::Index) => Name::new([number.piece()]),
        Some(Atom::Cell(cells, members)) => {
            let mut pieces = cell(cells, number);
            pieces.push(Piece::Text(with_members(String::new(), members)));
            Name::new(pieces)
        }
    }
}

/// The text with the members after it.
fn with_members(text: String, members: &[String]) -> String {
    members.iter().fold(text, |text, member| text + "." + member)
}

impl CellNumber<'_> {
    fn piece(self) -> Piece {
        match self {
            CellNumber::Bound => Piece::Index,
            CellNumber::Text(text) => Piece::Text(text.to_owned()),
        }
    }

    /// The pieces of the number as an operand.
    fn operand(self) -> Vec<Piece> {
        match self {
            CellNumber::Text(text) if !text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) => {
                vec![Piece::Text(format!("({text})"))]
            }
            _ => vec![self.piece()],
        }
    }
}

/// The cell of that number.
fn cell(cells: &Cells, number: CellNumber<'_>) -> Vec<Piece> {
    let text = |text: String| Piece::Text(text);
    let mut pieces = vec![text(cells.variable.clone())];
    let constant: Option<u64> = if let CellNumber::Text(text) = number { text.parse().ok() } else { None };
    for step in &cells.path {
        match step {
            PathStep::Member(m) => pieces.push(text(format!(".{m}"))),
            PathStep::Subscript { cells: 1, length: None } => {
                pieces.extend([text("[".into()), number.piece(), text("]".into())]);
            }
            PathStep::Subscript { cells, length } => {
                if let Some(n) = constant {
                    let element = n / (*cells).max(1);
                    pieces.push(text(format!("[{}]", length.map_or(element, |l| element % l.max(1)))));
                    continue;
                }
                pieces.push(text("[".into()));
                pieces.extend(number.operand());
                let divided = if *cells == 1 { String::new() } else { format!(" / {cells}") };
                let wrapped = length.map_or(String::new(), |length| format!(" % {length}"));
                pieces.push(text(format!("{divided}{wrapped}]")));
            }
        }
    }
    pieces
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

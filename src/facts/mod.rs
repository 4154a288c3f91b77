//! What is known at a point of a program, as data for readers.
//!
//! **Meaning.** A [`Fact`] holds whenever a run passes the point. Its names are those that a reader
//! of the source understands; values are mathematical integers. A [`StateFacts`] is everything that
//! is known at one point. `src/analysis` makes these values from abstract states. Reports show
//! them, and regression suites store and compare them.
//!
//! **Text.** Each type has one text form, its `Display`, and `From<&str>` reads that form. The two
//! are inverse to each other: a value that is written and read is the same value, and a text that
//! is read and written is the same text. A text that is no fact becomes [`Fact::Other`], so reading
//! never fails. In JSON a fact is its text.

mod name;
mod read;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

pub use name::{Name, Piece};
pub use smalti_core::Comparison;

/// A sum over names.
pub type Sum = smalti_core::Sum<Name>;
/// A chain of comparisons between such sums.
pub type Chain = smalti_core::Chain<Name>;

/// Something that holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Fact {
    /// These comparisons: `0 <= i < n`.
    Chain(Chain),
    /// For every index from `low` to `high` without `high`: the comparisons of `body`.
    ForAll {
        /// How the index is written; a word that is part of no name.
        index: String,
        /// The least index.
        low: Sum,
        /// One more than the greatest index.
        high: Sum,
        /// What holds for the index; at least one chain.
        body: Vec<Chain>,
    },
    /// A value is the index of a cell in one of some groups: `p is in a{0..i-1} or a{i}`.
    Member {
        /// The value.
        name: Name,
        /// The groups; at least one.
        groups: Vec<GroupName>,
    },
    /// A contradiction: nothing can be here.
    False,
    /// A text that is none of these.
    Other(String),
}

/// Which cells of an array a group has, as far as their indexes tell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Cells {
    /// Nothing is known of their indexes.
    All,
    /// The cell of this index.
    One(Sum),
    /// Cells between two ends.
    Range {
        /// Each cell has at least these indexes.
        low: Vec<Sum>,
        /// Each cell has at most these indexes.
        high: Vec<Sum>,
        /// The number of cells, if it is known and does not follow from the ends.
        size: Option<Sum>,
    },
    /// A text that is none of these.
    Other(String),
}

/// A group of cells, by its array and its cells: `a{0..i-1}`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupName {
    /// The array.
    pub array: Name,
    /// The cells.
    pub cells: Cells,
    /// What only the cells of this group hold, if other groups have the same range.
    pub telling: Option<Chain>,
}

/// What is known of a group of cells.
///
/// In `holds`, `index` is the index of any one cell of the group, `value` its value, and the name
/// of a member the value of that member.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GroupContent {
    /// Which cells.
    pub cells: Cells,
    /// What holds for each of them.
    pub holds: Vec<Fact>,
}

/// What is known of an array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ArrayContent {
    /// Its name and length, as `a[n]`.
    pub name: String,
    /// Its groups of cells.
    pub groups: Vec<GroupContent>,
}

/// What is known at one point.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct StateFacts {
    /// No run reaches the point.
    pub unreachable: bool,
    /// What holds of scalars.
    pub scalars: Vec<Fact>,
    /// What is known of arrays.
    pub arrays: Vec<ArrayContent>,
    /// The number of further known arrays, which are not listed.
    pub more_arrays: usize,
    /// The number of further known scalars, which are not listed.
    pub more_scalars: usize,
}

impl Display for Fact {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Chain(chain) => write!(f, "{chain}"),
            Fact::ForAll { index, .. } => {
                write!(f, "forall {index}. ")?;
                self.quantified(f)
            }
            Fact::Member { name, groups } => {
                write!(f, "{name} is in ")?;
                joined(f, groups, " or ")
            }
            Fact::False => f.write_str("false"),
            Fact::Other(text) => f.write_str(text),
        }
    }
}

impl Fact {
    /// The fact in the ANSI/ISO C Specification Language, if its names are terms of that language.
    pub fn acsl(&self) -> String {
        /// Writes what stands after the quantifier.
        struct Quantified<'f>(&'f Fact);
        impl Display for Quantified<'_> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.0.quantified(f)
            }
        }
        match self {
            Fact::ForAll { index, .. } => format!("\\forall integer {index}; {}", Quantified(self)),
            _ => self.to_string(),
        }
    }

    /// Writes range and body of a quantified formula.
    fn quantified(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Fact::ForAll { index, low, high, body } = self else { return Ok(()) };
        let named = |name: &Name| name.with_index(index);
        write!(f, "{} <= {index} < {} ==> ", low.map(named), high.map(named))?;
        joined(f, body.iter().map(|chain| chain.map(named)), " && ")
    }
}

/// Writes all elements, separated by `separator`.
fn joined<T: Display>(f: &mut Formatter<'_>, all: impl IntoIterator<Item = T>, separator: &str) -> fmt::Result {
    all.into_iter().enumerate().try_for_each(|(n, one)| {
        f.write_str(if n == 0 { "" } else { separator })?;
        write!(f, "{one}")
    })
}

impl Cells {
    /// Writes the cells, with `telling` as what only they hold.
    fn write(&self, f: &mut Formatter<'_>, telling: Option<&Chain>) -> fmt::Result {
        match self {
            Cells::All => f.write_str("{all cells")?,
            Cells::One(sum) => write!(f, "{{{sum:#}")?,
            Cells::Range { low, high, .. } => {
                f.write_str("{")?;
                write_end(f, "max", low)?;
                f.write_str("..")?;
                write_end(f, "min", high)?;
            }
            Cells::Other(text) => return f.write_str(text),
        }
        if let Some(chain) = telling {
            write!(f, ": {chain}")?;
        }
        f.write_str("}")?;
        match self {
            Cells::Range { size: Some(size), .. } => write!(f, " (size {size:#})"),
            _ => Ok(()),
        }
    }

    /// The text of the least index; empty if there is none.
    pub fn low_text(&self) -> String {
        match self {
            Cells::One(sum) => format!("{sum:#}"),
            Cells::Range { low, .. } => end_text("max", low),
            _ => String::new(),
        }
    }

    /// The text of the greatest index; empty if there is none.
    pub fn high_text(&self) -> String {
        match self {
            Cells::One(sum) => format!("{sum:#}"),
            Cells::Range { high, .. } => end_text("min", high),
            _ => String::new(),
        }
    }
}

/// The text of an end: nothing, one sum, or `function` of several.
fn end_text(function: &str, sums: &[Sum]) -> String {
    let texts: Vec<String> = sums.iter().map(|sum| format!("{sum:#}")).collect();
    match &texts[..] {
        [] => String::new(),
        [one] => one.clone(),
        _ => format!("{function}({})", texts.join(", ")),
    }
}

fn write_end(f: &mut Formatter<'_>, function: &str, sums: &[Sum]) -> fmt::Result {
    f.write_str(&end_text(function, sums))
}

/// Writes `{0..i-1}`, or `all cells`.
impl Display for Cells {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cells::All => f.write_str("all cells"),
            _ => self.write(f, None),
        }
    }
}

impl Display for GroupName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.array)?;
        self.cells.write(f, self.telling.as_ref())
    }
}

impl GroupContent {
    /// What holds, as one text; `any` if nothing is known.
    pub fn content(&self) -> String {
        match self.holds.is_empty() {
            true => ANY.to_owned(),
            false => texts(&self.holds, ", "),
        }
    }
}

/// The texts of facts, with `separator` between them.
pub fn texts(facts: &[Fact], separator: &str) -> String {
    facts.iter().map(Fact::to_string).collect::<Vec<_>>().join(separator)
}

/// The word for cells of which nothing is known.
const ANY: &str = "any";

/// Writes `{0..i-1}: value == 0`.
impl Display for GroupContent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.cells, self.content())
    }
}

impl From<Fact> for String {
    fn from(fact: Fact) -> String {
        fact.to_string()
    }
}

impl From<Cells> for String {
    fn from(cells: Cells) -> String {
        cells.to_string()
    }
}

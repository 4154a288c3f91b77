//! What the analysis represents of a program: definitions, conditions and uses of scalars and of
//! cells `a[counter + c]`.
//!
//! **Coordinates.** Loops that count down are reversed: a *place* is the counter or index times
//! [`Model::sign`], so that counters go up and a cell `a[counter + c]` has the offset `sign * c`.
//! In a loop, the iteration with counter value `i` is the one at place `sign * i`.

use crate::program::{AccessPath, Expr, Location, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Index of a scalar in [`Model::scalars`].
pub(super) type Scalar = usize;
/// Index of an array in [`Model::arrays`].
pub(super) type Array = usize;
/// Index of a definition in its [`Code`].
pub(super) type DefId = usize;
/// Index of a condition in its [`Code`].
pub(super) type CondId = usize;

/// A scalar or an array. Indices are constants. In an array's path the index of the array that
/// loops run over is `None`.
pub(super) type Path = AccessPath<Option<i128>>;

/// What an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Operand {
    Scalar(Scalar),
    /// The cell at this distance from the iteration's place.
    Cell(Array, i128),
    /// The cell at this place.
    Fixed(Array, i128),
}

/// A use of an operand.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) operand: Operand,
    /// The definitions of the same iteration that may have made the value.
    pub(super) reach: BTreeSet<DefId>,
    /// Whether the value may come from before the iteration.
    pub(super) entry: bool,
    pub(super) at: Location,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Target {
    Scalar(Scalar),
    Cell(Array, i128),
    Fixed(Array, i128),
    /// All cells of a variable that is no scalar; in straight code only.
    Whole(VarId),
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Expr(Expr),
    /// An input, or the arbitrary value of a new variable; in a loop one for each iteration.
    Arbitrary,
    Zero,
}

/// A definition.
#[derive(Clone, Debug)]
pub(super) struct Def {
    pub(super) target: Target,
    pub(super) value: Value,
    pub(super) uses: Vec<Use>,
    /// The conditions that guard it, and the answer of each for which it runs.
    pub(super) controls: Vec<(CondId, bool)>,
    pub(super) at: Location,
}

/// A condition of an `if`.
#[derive(Clone, Debug)]
pub(super) struct Cond {
    pub(super) expr: Expr,
    pub(super) uses: Vec<Use>,
    pub(super) at: Location,
}

/// A place of the assertion, or an assumption.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) assumed: bool,
    pub(super) at: Location,
    pub(super) uses: Vec<Use>,
    pub(super) controls: Vec<(CondId, bool)>,
}

/// Code without loops. `order` gives the order of its elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) defs: Vec<Def>,
    pub(super) conds: Vec<Cond>,
    pub(super) looks: Vec<Look>,
    pub(super) order: Vec<Item>,
}

/// An element of code. `if`s are flattened: the contents of one follow its condition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Def(DefId),
    Cond(CondId),
    Look(usize),
}

/// A loop.
#[derive(Clone, Debug)]
pub(super) struct LoopModel {
    /// Its index among the parts.
    pub(super) part: usize,
    pub(super) location: Location,
    /// The place of the first iteration.
    pub(super) first: i128,
    /// The place of the last iteration, relative to the symbol if there is one. It is the place at
    /// which iterations would end if the step were 1.
    pub(super) last: i128,
    /// The distance between iterations, positive.
    pub(super) step: i128,
    pub(super) code: Code,
    pub(super) scalars: BTreeMap<Scalar, Vec<DefId>>,
    /// The definitions of arrays' cells.
    pub(super) cells: BTreeMap<(Array, i128), Vec<DefId>>,
}

/// A part of the program.
#[derive(Clone, Debug)]
pub(super) enum ModelPart {
    Straight(Code),
    Loop(LoopModel),
}

/// The program.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// 1 where loops count up, -1 where they count down.
    pub(super) sign: i128,
    /// What all bounds are relative to; `None` if they are constants.
    pub(super) symbol: Option<Expr>,
    pub(super) scalars: Vec<Path>,
    pub(super) arrays: Vec<Path>,
    /// For each part that was given.
    pub(super) parts: Vec<ModelPart>,
    /// The moduli of counters in conditions and values.
    pub(super) moduli: BTreeSet<i128>,
    /// Comparisons of counters with constants have a constant answer at all places above this.
    pub(super) threshold: Option<i128>,
    /// The largest place of a cell with a constant index.
    pub(super) fixed: Option<i128>,
    /// The position in each variable of the index that loops run over.
    pub(super) along: BTreeMap<VarId, usize>,
}

impl Model {
    /// The loops, in order.
    pub(super) fn loops(&self) -> impl DoubleEndedIterator<Item = &LoopModel> {
        self.parts.iter().filter_map(|p| match p {
            ModelPart::Loop(l) => Some(l),
            ModelPart::Straight(_) => None,
        })
    }
}

impl LoopModel {
    /// Whether a scalar is written in the loop.
    pub(super) fn writes(&self, s: Scalar) -> bool {
        self.scalars.contains_key(&s)
    }

    /// The definitions of other iterations that may have made the value of `a[counter + c]`, and
    /// how much earlier each of them ran.
    pub(super) fn earlier(&self, a: Array, c: i128) -> impl Iterator<Item = (DefId, i128)> {
        let cells = self.cells.iter().filter(move |((b, _), _)| *b == a);
        cells
            .map(move |((_, from), defs)| (from - c, defs))
            .filter(|(d, _)| *d > 0 && d % self.step == 0)
            .flat_map(|(d, defs)| defs.iter().map(move |def| (*def, d)))
    }
}

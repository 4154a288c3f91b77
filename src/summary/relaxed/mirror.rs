//! Cells that a loop writes in pairs: bounds of the sum of a cell and its mirror image.
//!
//! In `t[p][q] = 1; t[q][p] = -1;` nothing is known of a sum of cells from the bounds of each, but
//! a cell and its image `t[l][k]` sum up to 0 unless they are one.
//!
//! **Why they hold.** Let `s(k)` be the sum of cell `k` and its image. Before the loop it has the
//! bounds of the old contents. A case of an iteration, for both cells together, leaves `s(k)` as it
//! was, or leaves a value that depends on neither; then what the case says of the cell is known as
//! in `bounds`. So `s(k)` is within the widest of these bounds before each iteration and after the
//! loop. Only images that are their own inverse count, so each cell is the image of one cell, and
//! the sum over a range that the image maps to itself is half of the sum of all `s(k)`.

use super::arrays::{Bounds, Image, Mirror, Range, RelaxedArray, indexes};
use super::writer::{Consequence, Step, Writer, solved};
use crate::summary::cells::{Array, Cell, cases};
use smalti_terms::{Context, Facts, Sort, Term, Var};

/// The number of images that are tried.
const MOST: usize = 4;
/// The number of cases beyond which the sum of two cells is not split.
const MOST_CASES: usize = 256;

/// The bounds for one image; `None` if there are none.
fn bounded(c: &Context, writer: &Writer, known: &[RelaxedArray], image: Image) -> Option<Mirror> {
    let indexes = indexes(c, writer.rank);
    let at: Vec<Term> = indexes.iter().map(|k| c.var(*k)).collect();
    let there = image.of(c, &at);
    let start = c.add(c.read(writer.start, &at), c.read(writer.start, &there));
    let mut range = Range::of(c, known, start);
    for step in writer.steps() {
        widen(c, writer, step, (&indexes, &at, &there), &mut range)?;
    }
    Some(Mirror { image, bounds: Bounds { indexes, range: Some(range) } })
}

/// Widens the range of the sum of the cell `at` and the cell `there` by what one iteration may
/// leave. `None` if there are too many cases.
fn widen(
    c: &Context,
    writer: &Writer,
    step: &Step,
    (indexes, at, there): (&[Var], &[Term], &[Term]),
    range: &mut Range,
) -> Option<()> {
    let [here, image] = ["cell", "image"].map(|name| c.variable(name, Sort::Int));
    let others = c.variable("others", Sort::Array(writer.rank));
    let is_at = |index: &[Term], at: &[Term]| {
        let same: Vec<Term> = index.iter().zip(at).map(|(a, b)| c.eq(*a, *b)).collect();
        c.and(&same)
    };
    let split = c.lambda_of(writer.rank, |index| {
        let rest = c.ite(is_at(index, there), c.var(image), c.read(c.var(others), index));
        c.ite(is_at(index, at), c.var(here), rest)
    });
    let after = |index: &[Term]| c.substitute(c.read(step.after, index), writer.before, split);
    let sum = c.add(after(at), after(there));
    let of_cell = [here, image, others];
    let is_asked = |ite: Term| of_cell.iter().chain(indexes).any(|v| c.mentions(ite, *v));
    let all = cases(c, sum, indexes, &is_asked, MOST_CASES)?;
    let unchanged = c.add(c.var(here), c.var(image));
    let twice = c.scale(2, c.var(here));
    for case in &all {
        // Where the cell is its own image, the sum is twice the cell.
        let is_one = || Facts::new(c).with_all(&case.given).proves(is_at(at, there));
        if case.value == unchanged || (case.value == twice && is_one()) {
            continue;
        }
        if let Some(left) = Consequence::of(c, writer, step, case, &of_cell) {
            range.may_be(left);
        }
    }
    Some(())
}

/// The images under which the loop writes pairs of cells, with the bounds of their sums.
pub(super) fn found(c: &Context, writer: &Writer, known: &[RelaxedArray]) -> Vec<Mirror> {
    let is_fixed = |t: Term| !writer.is_of_iteration(c, t, &[]);
    let mut written: Vec<Vec<Term>> = Vec::new();
    for step in writer.steps() {
        let array = Array { before: writer.before, start: writer.start, rank: writer.rank };
        let Some(cell) = Cell::new(c, array, step.after, writer.n) else { return Vec::new() };
        for case in cell.writes(c) {
            let index = cell.indexes.iter().map(|k| {
                let is_index = |t: Term| t == c.var(*k);
                let mut solutions = case.given.iter().filter_map(|p| solved(c, *p, &is_index));
                solutions.find(|(_, by)| !cell.indexes.iter().any(|k| c.mentions(*by, *k))).map(|(_, by)| by)
            });
            written.extend(index.collect::<Option<Vec<Term>>>());
        }
    }
    let mut images: Vec<Image> = Vec::new();
    for (k, a) in written.iter().enumerate() {
        for b in &written[k + 1..] {
            let image = Image::between(c, a, b, &is_fixed);
            images.extend(image.filter(|image| images.len() < MOST && !images.contains(image)));
        }
    }
    images.into_iter().filter_map(|image| bounded(c, writer, known, image)).collect()
}

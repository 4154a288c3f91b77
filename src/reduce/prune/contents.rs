//! What the cells of arrays are made of between loops, in terms of the cells when the program
//! began.
//!
//! The thesis computes spans inside each loop (Kumar 2019, 9.3.3). That is too little if an earlier
//! loop computed an array from cells at several distances. After `b[i] = a[i + 1] - a[i]`, the
//! condition `m < b[i]` compares cells of `a` that no two iterations share, although `b[i]` has the
//! span `[0, 0]`. (With `m` at most 1, `a` can grow by 100,000 in a loop of 100,000 iterations, but
//! not in one of 20.) So spans of conditions go back to the beginning here.
//!
//! **Representation.** An array's content is a list of alternatives. Each alternative is a set of
//! distances. A cell of that alternative at place `n` is a function of scalars that both programs
//! agree on and of cells, inputs included, at the places `n + o` with `o` in the set. Those cells
//! are taken as they were when the program began (or when the array was last declared or cleared).
//! The alternative of a cell depends on its place (whether a loop without conditions reached it),
//! on such scalars, or on cells at the very distances of the set. So the pruned program's cell is
//! of the same alternative as the cell that it stands for.

use super::super::Refusal;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::flow::{Flow, Source};
use super::model::{Array, Code, LoopModel, Model, Target, Value};
use std::collections::BTreeSet;

/// One way in which the cells of an array may have come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    /// The distances; `None` if iterations hand a value on to others.
    pub(super) distances: Option<BTreeSet<i128>>,
    /// Places (from, to) where cells are of other alternatives.
    outside: Vec<(i128, i128)>,
}

/// The contents of all arrays.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    arrays: Vec<Vec<Alternative>>,
}

/// Further alternatives are merged.
const MOST: usize = 8;
/// More combinations than this become one set.
const MOST_COMBINED: usize = 64;

impl Contents {
    /// The contents when the program begins: all cells are arbitrary.
    pub(super) fn new(model: &Model) -> Contents {
        Contents { arrays: vec![vec![Alternative::arbitrary()]; model.arrays.len()] }
    }

    /// Updates the contents after straight code.
    pub(super) fn straight(&mut self, model: &Model, code: &Code) {
        for def in &code.defs {
            match def.target {
                Target::Whole(v) => {
                    let made = match def.value {
                        Value::Zero => Alternative { distances: Some(BTreeSet::new()), outside: Vec::new() },
                        Value::Arbitrary | Value::Expr(_) => Alternative::arbitrary(),
                    };
                    for (a, _) in model.arrays.iter().enumerate().filter(|(_, p)| p.variable == v) {
                        if def.controls.is_empty() {
                            self.arrays[a].clear();
                        }
                        self.add(a, made.clone());
                    }
                }
                // The cell keeps its place in both programs (see `bound`). It may differ from its
                // neighbours: that is nothing new for an arbitrary array, and it makes a cleared
                // array like an arbitrary one.
                Target::Fixed(a, _) => self.add(a, Alternative::arbitrary()),
                Target::Scalar(_) | Target::Cell(..) => {}
            }
        }
    }

    /// Updates the contents after a loop.
    pub(super) fn looped(&mut self, l: &LoopModel, flow: &mut Flow<'_>) -> Result<(), Refusal> {
        let mut after = self.clone();
        let arrays: BTreeSet<Array> = l.cells.keys().map(|(a, _)| *a).collect();
        for a in arrays {
            let defs = l
                .cells
                .iter()
                .filter(|((b, _), _)| *b == a)
                .flat_map(|((_, c), defs)| defs.iter().map(move |d| (*c, *d)));
            let (mut made, mut decided) = (Vec::new(), vec![BTreeSet::new()]);
            for (c, d) in defs {
                let controls = flow.of_controls(d)?;
                let of_controls = self.made_of(&controls, l);
                if of_controls.iter().any(|o| o.as_ref().is_none_or(|o| !o.is_empty())) {
                    // Data decides whether the cell is written. In either case its value then
                    // depends on that data.
                    decided = combined(&moved(of_controls, -c), &decided.into_iter().map(Some).collect::<Vec<_>>())
                        .into_iter()
                        .map(Option::unwrap_or_default)
                        .collect();
                    if flow_is_unknown(&self.made_of(&controls, l)) {
                        made.push(Alternative { distances: None, outside: Vec::new() });
                    }
                }
                let whole = flow.of_def(d)?;
                for distances in moved(self.made_of(&whole, l), -c) {
                    made.push(Alternative { distances, outside: Vec::new() });
                }
                if l.code.defs[d].controls.is_empty() && l.step == 1 {
                    for old in &mut after.arrays[a] {
                        old.outside.push((l.first + c, l.last + c));
                    }
                }
            }
            let all = std::mem::take(&mut after.arrays[a]).into_iter().chain(made);
            for alternative in all.collect::<Vec<_>>() {
                for decided in &decided {
                    let distances = alternative.distances.as_ref().map(|o| o | decided);
                    after.add(a, Alternative { distances, outside: alternative.outside.clone() });
                }
            }
        }
        *self = after;
        Ok(())
    }

    fn add(&mut self, a: Array, alternative: Alternative) {
        let all = &mut self.arrays[a];
        if all.contains(&alternative) {
            return;
        }
        all.push(alternative);
        if all.len() > MOST {
            let distances = all.iter().try_fold(BTreeSet::new(), |sum, x| x.distances.as_ref().map(|o| &sum | o));
            *all = vec![Alternative { distances, outside: Vec::new() }];
        }
    }

    /// All distances of an array's alternatives.
    pub(super) fn distances(&self, a: Array) -> impl Iterator<Item = i128> {
        self.arrays[a].iter().filter_map(|x| x.distances.as_ref()).flatten().copied()
    }

    /// The sets of distances, from an iteration of the loop, that a value with this source may be
    /// made of. Each iteration has one of them. `None`: the value is handed on by iterations.
    pub(super) fn made_of(&self, source: &Source, l: &LoopModel) -> Vec<Option<BTreeSet<i128>>> {
        // The iterations that an earlier one wrote for differ between the programs: they begin at
        // other distances from the first.
        if !source.carried.is_empty() || !source.earlier.is_empty() {
            return vec![None];
        }
        let mut all = vec![Some(source.inputs.clone())];
        for (a, c) in &source.cells {
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::SpansStayInside) {
                all = combined(&[Some(BTreeSet::from([*c]))], &all);
                continue;
            }
            let read = (l.first + c, l.last + c);
            let of_cell: Vec<_> = self.arrays[*a]
                .iter()
                .filter(|x| !x.outside.iter().any(|o| o.0 <= read.0 && read.1 <= o.1))
                .map(|x| x.distances.clone())
                .collect();
            all = combined(&moved(of_cell, *c), &all);
        }
        all
    }
}

impl Alternative {
    fn arbitrary() -> Alternative {
        Alternative { distances: Some(BTreeSet::from([0])), outside: Vec::new() }
    }
}

fn flow_is_unknown(sets: &[Option<BTreeSet<i128>>]) -> bool {
    sets.iter().any(Option::is_none)
}

fn moved(sets: Vec<Option<BTreeSet<i128>>>, by: i128) -> Vec<Option<BTreeSet<i128>>> {
    sets.into_iter().map(|s| s.map(|s| s.into_iter().map(|o| o + by).collect())).collect()
}

/// Combines each set of the first list with each of the second.
fn combined(first: &[Option<BTreeSet<i128>>], second: &[Option<BTreeSet<i128>>]) -> Vec<Option<BTreeSet<i128>>> {
    let mut out: Vec<Option<BTreeSet<i128>>> = Vec::new();
    for a in first {
        for b in second {
            let both = a.as_ref().zip(b.as_ref()).map(|(a, b)| a | b);
            if !out.contains(&both) {
                out.push(both);
            }
        }
    }
    if out.len() > MOST_COMBINED {
        let all = out.iter().try_fold(BTreeSet::new(), |sum, s| s.as_ref().map(|s| &sum | s));
        return vec![all];
    }
    out
}

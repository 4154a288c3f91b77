//! Assertions that hold in all of some runs, or in most of them.
//!
//! The ends of runs show how values relate: which are equal up to a constant, which bound others,
//! which cells follow their index. Some of what is found is true of all runs. What only most runs
//! satisfy is false, and hard to tell from a truth.

use crate::fuzz::Random;
use crate::fuzz::reductions::{Inputs, Sample};
use crate::interpreter::{self, Limits, Observer, Seen, State};
use crate::lower::{LowerOptions, load_text};
use crate::program::{Program, Stmt, StmtKind, Type, VarId};
use std::collections::BTreeMap;

/// What can be named at the end of a program.
pub(super) struct Names {
    pub(super) size: String,
    pub(super) scalars: Vec<String>,
    /// The names of arrays, and the text of a cell with `@` for the index.
    pub(super) arrays: Vec<(String, String)>,
}

/// The end of a run: values of scalars by name, and of cells.
#[derive(Default)]
struct End {
    scalars: BTreeMap<String, i128>,
    cells: BTreeMap<String, Vec<i128>>,
}

struct Ends<'a> {
    names: &'a Names,
    found: Option<End>,
}

/// Numbers in facts are smaller.
const LARGE: i128 = 1 << 40;

/// The number of runs.
const RUNS: u32 = 24;

const LIMITS: Limits = Limits { steps: 20_000, cells: 1 << 16, depth: 50, ..Limits::NONE };

/// The text of a few assertions.
pub(super) fn assertions(sample: &Sample, names: &Names, random: &mut Random) -> String {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let Ok(program) = load_text("random.c", &sample.text, &options) else { return String::new() };
    let seed = random.bits();
    let ends: Vec<End> = (0..RUNS).filter_map(|n| end(&program, sample, names, seed, n)).collect();
    let mut text = String::new();
    if ends.len() < 3 {
        return "  __VERIFIER_assert(x == y);\n".to_owned();
    }
    for _ in 0..1 + random.below(3) {
        let mut chosen = None;
        for _ in 0..12 {
            let Some((fact, misses)) = candidate(&ends, names, random) else { continue };
            let is_near = misses > 0 && misses * 4 <= ends.len();
            let wanted = if random.one_in(3) { is_near } else { misses == 0 };
            if wanted {
                chosen = Some(fact);
                break;
            }
        }
        text += &chosen.unwrap_or_else(|| "  __VERIFIER_assert(x == y);\n".to_owned());
    }
    text
}

fn end(program: &Program, sample: &Sample, names: &Names, seed: u64, n: u32) -> Option<End> {
    let mut ends = Ends { names, found: None };
    let outcome = interpreter::run(program, &mut Inputs::random(sample, seed, n), &mut ends, &LIMITS).outcome;
    ends.found.filter(|_| outcome == interpreter::Outcome::Finished)
}

impl Observer for Ends<'_> {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        // The last one counts; an early end has nothing to assert.
        self.found = None;
        if !matches!(stmt.kind, StmtKind::Return(_)) || state.depth() > 1 {
            return;
        }
        let program = state.program();
        let mut end = End::default();
        for (n, variable) in (0u32..).zip(&program.variables) {
            let known = self.names.scalars.contains(&variable.name) || variable.name == self.names.size;
            if let Some(Seen::Int(value)) = state.scalar(VarId(n)).filter(|_| known) {
                end.scalars.insert(variable.name.clone(), value);
            }
            let is_array = self
                .names
                .arrays
                .iter()
                .any(|(name, _)| variable.name == *name && matches!(variable.ty, Type::Array(..)));
            if is_array && let Some(cells) = cells(state, VarId(n)) {
                end.cells.insert(variable.name.clone(), cells);
            }
        }
        if let Ok(size) = self.names.size.parse() {
            end.scalars.insert("n".to_owned(), size);
        }
        self.found = Some(end).filter(|e| !e.scalars.is_empty());
    }
}

/// The cells of an array up to the first one without a value.
fn cells(state: &State<'_, '_>, v: VarId) -> Option<Vec<i128>> {
    let object = state.object(v)?;
    let Type::Array(element, _) = &state.program().variable(v).ty else { return None };
    let (_, leaves) = state.shape(object)?;
    let cells = (0..leaves).map_while(|leaf| match state.cell(object, leaf, element) {
        Some(Seen::Int(value)) => Some(value),
        _ => None,
    });
    Some(cells.collect())
}

/// A fact, and in how many runs it fails; `None` if a number in it is too large to be written.
fn candidate(ends: &[End], names: &Names, random: &mut Random) -> Option<(String, usize)> {
    let arrays: Vec<&(String, String)> = names.arrays.iter().filter(|a| ends[0].cells.contains_key(&a.0)).collect();
    if !arrays.is_empty() && random.one_in(2) {
        let (name, cell) = *random.pick(&arrays);
        let (other, other_cell) = *random.pick(&arrays);
        return of_cells(ends, (name, cell), (other, other_cell), names, random);
    }
    of_scalars(ends, names, random)
}

fn of_scalars(ends: &[End], names: &Names, random: &mut Random) -> Option<(String, usize)> {
    let all: Vec<&String> = ends[0].scalars.keys().collect();
    let (x, y) = (*random.pick(&all), *random.pick(&all));
    let text = |name: &String| if name == "n" { names.size.clone() } else { name.clone() };
    let factor = *random.pick(&[0i128, 1, 1, 1, 2, -1]);
    let differences: Vec<i128> =
        ends.iter().map(|e| value(e, x).wrapping_sub(factor.wrapping_mul(value(e, y)))).collect();
    let (relation, c) = match random.below(3) {
        0 => ("<=", differences.iter().max().copied().unwrap_or_default()),
        1 => (">=", differences.iter().min().copied().unwrap_or_default()),
        _ => ("==", usual(&differences)),
    };
    // Sometimes off by one.
    let c = if random.one_in(4) { c + random.below(3) as i128 - 1 } else { c };
    let misses = differences.iter().filter(|d| !holds(**d, relation, c)).count();
    // In a type in which little wraps around.
    let text = format!("  __VERIFIER_assert((long){} {relation} {factor}l * (long){} + {c}l);\n", text(x), text(y));
    (c.abs() < LARGE).then_some((text, misses))
}

fn of_cells(
    ends: &[End],
    (name, cell): (&str, &str),
    (other, other_cell): (&str, &str),
    names: &Names,
    random: &mut Random,
) -> Option<(String, usize)> {
    let (first, less) = (random.below(2), if random.one_in(3) { 1 } else { 0 });
    let size = |e: &End| usize::try_from(e.scalars.get("n").copied().unwrap_or_default()).unwrap_or_default();
    let factor = *random.pick(&[0i128, 0, 0, 1, 2]);
    let with_other = name != other && random.one_in(2);
    let differences: Vec<Vec<i128>> = ends
        .iter()
        .map(|e| {
            let range = first..size(e).saturating_sub(less);
            range
                .filter_map(|k| {
                    let here = *e.cells.get(name)?.get(k)?;
                    let there = if with_other { *e.cells.get(other)?.get(k)? } else { 0 };
                    Some(here.wrapping_sub(there).wrapping_sub(factor.wrapping_mul(k as i128)))
                })
                .collect()
        })
        .collect();
    let flat: Vec<i128> = differences.iter().flatten().copied().collect();
    let (relation, c) = match random.below(4) {
        0 => ("<=", flat.iter().max().copied().unwrap_or_default()),
        1 => (">=", flat.iter().min().copied().unwrap_or_default()),
        _ => ("==", usual(&flat)),
    };
    let misses = differences.iter().filter(|all| all.iter().any(|d| !holds(*d, relation, c))).count();
    let there = if with_other { format!(" + (long){}", other_cell.replace('@', "k")) } else { String::new() };
    let (cell, n) = (cell.replace('@', "k"), &names.size);
    let text = format!(
        "  for (int k = {first}; k < (int){n} - {less}; k++) {{ __VERIFIER_assert((long){cell} {relation} {factor}l * \
         k + {c}l{there}); }}\n"
    );
    (c.abs() < LARGE).then_some((text, misses))
}

fn value(end: &End, name: &str) -> i128 {
    end.scalars.get(name).copied().unwrap_or_default()
}

fn holds(difference: i128, relation: &str, c: i128) -> bool {
    match relation {
        "<=" => difference <= c,
        ">=" => difference >= c,
        _ => difference == c,
    }
}

/// The most frequent value.
fn usual(values: &[i128]) -> i128 {
    let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
    for v in values {
        *counts.entry(*v).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, n)| *n).map_or(0, |(v, _)| v)
}

//! Computes how far apart dependent iterations of two loops are.

use super::super::Refusal;
use super::super::effects::Effects;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::normal::{Counted, writes_first};
use super::grid::Grid;
use super::place::Placed;
use crate::program::affine::Affine;
use crate::program::{Base, Block, Expr, Location, Part, Program, Step, StmtKind, Use, VarId, each_part, each_stmt};
use std::collections::{BTreeMap, BTreeSet};

/// An access to memory in a loop body.
struct Access {
    variable: VarId,
    writes: bool,
    /// The steps. An index is a linear expression of the position (`None` if it is not linear).
    path: Vec<Step<Option<Affine>>>,
    location: Location,
}

fn accesses(program: &Program, l: &Counted, counter: &Affine, changed: &BTreeSet<VarId>) -> Vec<Access> {
    accesses_of(program, &l.body, l.counter, counter, changed)
}

/// The accesses of a block, with an expression in the place of the counter.
fn accesses_of(
    program: &Program,
    block: &Block,
    of: VarId,
    counter: &Affine,
    changed: &BTreeSet<VarId>,
) -> Vec<Access> {
    let mut found = Vec::new();
    each_stmt(block, &mut |s| {
        if let StmtKind::Declare(v) = s.kind {
            found.push(Access { variable: v, writes: true, path: Vec::new(), location: s.location });
        }
        each_part(s, &mut |part| {
            let Part::Lvalue(lvalue, how) = part else { return };
            let Base::Var(variable) = lvalue.base else { return };
            if variable == of {
                return;
            }
            let linear = |e: &Expr| {
                let linear = Affine::of(e, program.data_model).and_then(|a| a.with(&of, counter));
                linear.filter(|a| a.terms.keys().all(|v| !changed.contains(v)))
            };
            let path = lvalue.path.iter().map(|s| s.map(linear)).collect();
            found.push(Access { variable, writes: how == Use::Write, path, location: lvalue.location });
        });
    });
    found
}

/// Whether no iteration of a body, and no clause, touches at another position what an iteration has
/// written.
pub(super) fn is_independent(program: &Program, position: VarId, body: &Block, clause: &Block) -> bool {
    let changed = Effects::of(body).writes;
    let own = Affine::atom(position);
    let of = |block: &Block| accesses_of(program, block, position, &own, &changed);
    let (inside, mut all) = (of(body), of(body));
    all.extend(of(clause));
    inside.iter().filter(|a| a.writes).all(|a| {
        let mut others = all.iter().filter(|b| b.variable == a.variable);
        if program.variable(a.variable).ty.is_scalar() {
            return writes_first(body, a.variable) && !Effects::of(clause).reads.contains(&a.variable);
        }
        others.all(|b| matches!(gap(a, b, position), None | Some(Gap::By(0))))
    })
}

/// The number of positions by which a loop must come later, so that no iteration runs before one of
/// the earlier loops that it depends on.
pub(super) fn distance(
    program: &Program,
    earlier: &[Placed],
    here: &Placed,
    position: VarId,
    written: &BTreeSet<VarId>,
) -> Result<i128, Refusal> {
    let linear = |p: &Placed| {
        let mut counter = p.offset.clone();
        counter.terms.insert(position, p.factor);
        counter
    };
    let mine = accesses(program, &here.source, &linear(here), written);
    let mut shift = 0;
    for other in earlier {
        for a in accesses(program, &other.source, &linear(other), written) {
            for b in &mine {
                if a.variable != b.variable || !(a.writes || b.writes) {
                    continue;
                }
                #[cfg(any(test, feature = "mutants"))]
                if mutated(Mutant::GapsAreIgnored) {
                    continue;
                }
                let gap = match &here.grid {
                    Some(grid) => grid_gap(&a, b, grid),
                    None => gap(&a, b, position),
                };
                let Some(gap) = gap else { continue };
                match gap {
                    Gap::Always => {
                        let name = program.variable(a.variable).shown();
                        return Err(Refusal::at(
                            b.location,
                            format!("`{name}` carries values from one loop to the next"),
                        ));
                    }
                    Gap::By(n) => shift = shift.max(n),
                }
            }
        }
    }
    // A large shift makes sequences of iterations that no small sequence stands for.
    if shift > 8 {
        return Err(Refusal::at(
            here.source.location,
            "the loop needs values from much later iterations of an earlier loop",
        ));
    }
    Ok(shift)
}

enum Gap {
    /// Iterations at any positions may touch the same cell.
    Always,
    /// Only iterations in which the earlier loop is this many positions further.
    By(i128),
}

/// [`gap`], for nests. `None` if the earlier loop's iteration never comes after the other's in
/// their order.
fn grid_gap(a: &Access, b: &Access, grid: &Grid) -> Option<Gap> {
    // By how much each coordinate of the earlier loop's iteration is larger, if both touch the same
    // cell.
    let mut larger: BTreeMap<VarId, i128> = BTreeMap::new();
    for (x, y) in a.path.iter().zip(&b.path) {
        match (x, y) {
            (Step::Field(_, n), Step::Field(_, m)) if n != m => return None,
            (Step::Index(Some(x)), Step::Index(Some(y))) => {
                let coordinates = |e: &Affine| -> Vec<VarId> {
                    grid.coordinates.iter().copied().filter(|c| e.terms.contains_key(c)).collect()
                };
                let (mine, other) = (coordinates(x), coordinates(y));
                if mine != other || mine.len() > 1 {
                    continue;
                }
                let Some(&c) = mine.first() else {
                    if y.plus(x, -1).is_some_and(|d| d.terms.is_empty() && d.constant != 0) {
                        return None;
                    }
                    continue;
                };
                // f * p + rest = g * q + other
                let ((f, rest), (g, other)) = (x.split(&c), y.split(&c));
                let Some(difference) = other.plus(&rest, -1) else { continue };
                if f != g || !difference.terms.is_empty() {
                    continue;
                }
                if difference.constant % f != 0 {
                    return None;
                }
                let by = difference.constant / f;
                if *larger.entry(c).or_insert(by) != by {
                    return None;
                }
            }
            _ => {}
        }
    }
    for c in &grid.coordinates {
        match larger.get(c) {
            Some(0) => {}
            Some(n) if *n < 0 => return None,
            _ => return Some(Gap::Always),
        }
    }
    None
}

/// Which iterations touch the same cell; `None` if no two do.
fn gap(a: &Access, b: &Access, position: VarId) -> Option<Gap> {
    let mut result = Gap::Always;
    for (x, y) in a.path.iter().zip(&b.path) {
        match (x, y) {
            (Step::Field(_, n), Step::Field(_, m)) if n != m => return None,
            (Step::Index(Some(x)), Step::Index(Some(y))) => {
                let ((c, rest), (d, other)) = (x.split(&position), y.split(&position));
                let Some(difference) = other.plus(&rest, -1) else { continue };
                if c != d || !difference.terms.is_empty() {
                    continue;
                }
                if c == 0 {
                    if difference.constant != 0 {
                        return None;
                    }
                    continue;
                }
                // c * p + rest = c * q + other
                if difference.constant % c != 0 {
                    return None;
                }
                let by = difference.constant / c;
                result = match result {
                    Gap::By(n) if n != by => return None,
                    _ => Gap::By(by),
                };
            }
            _ => {}
        }
    }
    Some(result)
}

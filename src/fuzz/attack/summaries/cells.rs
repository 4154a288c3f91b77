//! The cells of regions in a run, and the values of cells that were never written.

use crate::interpreter::{CellOrigin, ObjectOrigin, Seen, State, path_of_leaf};
use crate::program::{Length, Program, Step, Type};
use crate::summary::{Object, Region, RegionStep};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most cells of an object that are looked at.
const MOST_CELLS: u64 = 256;

/// The indexes of a cell in its region, and its value.
pub(super) type Cells = BTreeMap<Vec<i128>, Seen>;

/// The cells of a region at a point of a run; `None` if its object does not live there.
pub(super) fn cells(state: &State<'_, '_>, region: &Region) -> Option<Cells> {
    let variable = region.variable()?;
    if let Some(seen) = state.scalar(variable) {
        return Some(Cells::from([(Vec::new(), seen)]));
    }
    let object = state.object(variable)?;
    let (ty, leaves) = state.shape(object)?;
    let mut found = Cells::new();
    let mut leaf = 0;
    if leaves > MOST_CELLS {
        return None;
    }
    each_leaf(state.program(), ty, &mut Vec::new(), &mut |path, ty| {
        if is_in(region, path)
            && let Some(seen) = state.cell(object, leaf, ty)
        {
            found.insert(indexes(path), seen);
        }
        leaf += 1;
    });
    Some(found)
}

/// Goes through the scalar cells of a type without variable lengths, in their order.
fn each_leaf<'t>(
    program: &'t Program,
    ty: &'t Type,
    path: &mut Vec<Step<u64>>,
    found: &mut dyn FnMut(&[Step<u64>], &'t Type),
) {
    match ty {
        Type::Array(element, Length::Constant(length)) => {
            for k in 0..*length {
                path.push(Step::Index(k));
                each_leaf(program, element, path, found);
                path.pop();
            }
        }
        Type::Array(..) => {}
        Type::Struct(id) => {
            for (n, member) in (0u32..).zip(&program.structure(*id).members) {
                path.push(Step::Field(*id, n));
                each_leaf(program, &member.ty, path, found);
                path.pop();
            }
        }
        _ => found(path, ty),
    }
}

fn region_steps(path: &[Step<u64>]) -> Vec<RegionStep> {
    path.iter().map(RegionStep::of).collect()
}

fn is_in(region: &Region, path: &[Step<u64>]) -> bool {
    region_steps(path) == region.path
}

fn indexes(path: &[Step<u64>]) -> Vec<i128> {
    let index = |step: &Step<u64>| match step {
        Step::Field(..) => None,
        Step::Index(k) => Some(i128::from(*k)),
    };
    path.iter().filter_map(index).collect()
}

/// The type of the cells of a region of a variable.
pub(super) fn type_of<'p>(program: &'p Program, region: &Region) -> &'p Type {
    let Some(variable) = region.variable() else { return &Type::Void };
    let mut ty = &program.variable(variable).ty;
    for step in &region.path {
        ty = match (step, ty) {
            (RegionStep::Element, Type::Array(element, _)) => element,
            (RegionStep::Field(id, n), _) => &program.structure(*id).members[*n as usize].ty,
            _ => return ty,
        };
    }
    ty
}

/// The value of a cell that is read before it is written.
pub(super) fn arbitrary(seed: u64, program: &Program, origin: &CellOrigin<'_>) -> i128 {
    match origin.object {
        ObjectOrigin::Variable { variable, execution } => {
            let path = path_of_leaf(program, origin.object_type, origin.leaf);
            let region = Region { object: Object::Variable(variable), path: region_steps(&path) };
            never_written(seed, program, &region, execution, &indexes(&path))
        }
        ObjectOrigin::Heap { site, execution } => small(seed, (site.0, execution, origin.leaf)),
        ObjectOrigin::Outside => 0,
    }
}

/// The same for a cell of a variable, after an execution of its declaration.
pub(super) fn never_written(seed: u64, program: &Program, region: &Region, execution: u64, indexes: &[i128]) -> i128 {
    of_type(program, type_of(program, region), small(seed, (region, execution, indexes)))
}

/// A value converted to a type.
pub(super) fn of_type(program: &Program, ty: &Type, value: i128) -> i128 {
    ty.as_int().map_or(value, |kind| kind.wrap(value, program.data_model))
}

/// A small number that depends on something.
pub(super) fn small(seed: u64, what: impl Hash) -> i128 {
    let mut hasher = DefaultHasher::new();
    (seed, what).hash(&mut hasher);
    i128::from(hasher.finish() >> 8) % 10 - 3
}

/// A cell as C writes it.
pub(super) fn describe(program: &Program, region: &Region, indexes: &[i128]) -> String {
    let mut text = region.variable().map_or("a block".to_owned(), |v| program.variable(v).name.clone());
    let mut left = indexes.iter();
    for step in &region.path {
        text += &match step {
            RegionStep::Element => format!("[{}]", left.next().copied().unwrap_or_default()),
            RegionStep::Field(id, n) => format!(".{}", program.structure(*id).members[*n as usize].name),
        };
    }
    text
}

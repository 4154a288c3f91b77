//! Completes failing runs of residual loops to runs of the program.
//!
//! Let the iterations be independent of each other and the property universal. Then an iteration
//! that violates its clause alone also violates it in the whole loop (Kumar 2019, 7.1). So the
//! inputs of that iteration keep their values from the residual, at the number that the iteration
//! has in the program. The other inputs may have any values: the first attempt uses the values of
//! that iteration, because they pass the same conditions; the next attempt uses 0. Nothing computed
//! here is trusted: the interpreter decides whether the run fails.

use super::observed::Observed;
use crate::cbmc::{Emitted, Trace, TraceValue};
use crate::program::{InputId, Program, VarId};
use crate::reduce::shrink::Taken;
use std::collections::{BTreeMap, BTreeSet};

/// Lists ways to complete a trace, the most promising first. Iterations are counted from the
/// position `low`; `filled` tells which inputs fill the cells of arrays.
pub(super) fn completed(
    program: &Program,
    taken: &Taken,
    low: i128,
    filled: &[(VarId, InputId)],
    emitted: &Emitted,
    trace: &Trace,
) -> [Observed; 2] {
    let seen = Observed::new(trace, emitted);
    let mut completed = Observed::default();
    let value = |id: InputId| seen.inputs.iter().find_map(|(input, value)| (*input == id).then_some(value));
    // 64 bits, signed.
    let wide = |id: InputId| match value(id) {
        Some(TraceValue::Bits(bits)) => Some(i128::from(u64::try_from(*bits).ok()?.cast_signed())),
        _ => None,
    };
    let looked: BTreeSet<InputId> = taken.cells.iter().flat_map(|(_, index, cell)| [*index, *cell]).collect();
    for (id, value) in &seen.inputs {
        match taken.inputs.get(id) {
            Some((source, Some(position))) => {
                let number = taken.positions.get(*position).and_then(|p| wide(*p)?.checked_sub(low));
                if let Some(n) = number.and_then(|n| u64::try_from(n).ok()) {
                    completed.know(*source, n, value);
                }
            }
            Some((source, None)) => completed.inputs.push((*source, value.clone())),
            None if looked.contains(id) => {}
            None => completed.inputs.push((*id, value.clone())),
        }
    }
    let mut arrays: BTreeMap<VarId, BTreeMap<u64, TraceValue>> = BTreeMap::new();
    for (v, index, cell) in &taken.cells {
        let v = taken.replaced.get(v).copied().unwrap_or(*v);
        let (Some(n), Some(cell)) = (wide(*index).and_then(|n| u64::try_from(n).ok()), value(*cell)) else { continue };
        arrays.entry(v).or_default().entry(n).or_insert_with(|| cell.clone());
        for (_, id) in filled.iter().filter(|(array, _)| *array == v) {
            completed.know(*id, n, cell);
        }
    }
    let is_ours = |v: &VarId| (v.0 as usize) < program.variables.len();
    let arrays = arrays.into_iter().filter(|(v, _)| is_ours(v));
    completed.initial = arrays.map(|(v, cells)| (v, TraceValue::Array(cells))).collect();
    let mut alone = completed.clone();
    alone.numbered.values_mut().for_each(|numbered| numbered.others = None);
    [completed, alone]
}

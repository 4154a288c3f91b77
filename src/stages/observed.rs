//! The values that a run took from outside, read from a trace of CBMC in the program's own terms.

use crate::cbmc::{ALLOCATE, CELL, DECLARE, Emitted, HAVOC, INPUT, Trace, TraceValue};
use crate::program::{InputId, SiteId, VarId};
use std::collections::BTreeMap;

/// The values that a run took from outside, each list in the order in which the run took them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Observed {
    /// The bits of inputs.
    pub(super) inputs: Vec<(InputId, TraceValue)>,
    /// What objects held when their storage began.
    pub(super) initial: Vec<(VarId, TraceValue)>,
    /// What heap blocks held when they were made, cell by cell. A list is shorter if the trace does
    /// not give the rest.
    pub(super) blocks: Vec<(SiteId, Vec<TraceValue>)>,
    /// Inputs whose executions are numbered, from 0.
    pub(super) numbered: BTreeMap<InputId, Numbered>,
    /// What objects held after they became unknown.
    pub(super) havocs: Vec<(SiteId, TraceValue)>,
}

/// The values of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbered {
    /// By the number of the execution.
    pub(super) at: BTreeMap<u64, TraceValue>,
    /// Of all other executions.
    pub(super) others: Option<TraceValue>,
}

impl Observed {
    /// Records the value of an input in one of its executions. The value also serves all other
    /// executions for which none is known.
    pub(super) fn know(&mut self, id: InputId, execution: u64, value: &TraceValue) {
        let numbered = self.numbered.entry(id).or_default();
        numbered.at.entry(execution).or_insert_with(|| value.clone());
        numbered.others.get_or_insert_with(|| value.clone());
    }

    pub(super) fn new(trace: &Trace, emitted: &Emitted) -> Observed {
        let mut observed = Observed::default();
        let mut steps = trace.steps.iter().peekable();
        while let Some(step) = steps.next() {
            let number = match step.value {
                TraceValue::Bits(bits) => u32::try_from(bits).ok(),
                _ => None,
            };
            if step.target == DECLARE {
                let Some(variable) = number.map(VarId) else { continue };
                let name = emitted.variables.get(&variable);
                // If the trace leaves out the value of a declaration, another step follows; the
                // declaration still counts.
                let value = steps.next_if(|next| Some(&next.target) == name).map(|next| next.value.clone());
                observed.initial.push((variable, value.unwrap_or_default()));
            } else if step.target == ALLOCATE {
                observed.blocks.extend(number.map(|site| (SiteId(site), Vec::new())));
            } else if step.target == CELL {
                if let Some((_, cells)) = observed.blocks.last_mut() {
                    cells.push(step.value.clone());
                }
            } else if let Some(id) = numbered(&step.target, INPUT) {
                observed.inputs.push((InputId(id), step.value.clone()));
            } else if let Some(site) = numbered(&step.target, HAVOC) {
                observed.havocs.push((SiteId(site), step.value.clone()));
            }
        }
        observed
    }
}

/// The number in `name`, which consists of `stem` and a number.
fn numbered(name: &str, stem: &str) -> Option<u32> {
    name.strip_prefix(stem)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cbmc::TraceStep;
    use std::collections::BTreeMap;

    fn step(target: &str, value: TraceValue) -> TraceStep {
        TraceStep { target: target.to_owned(), value }
    }

    fn emitted() -> Emitted {
        Emitted {
            source: String::new(),
            properties: BTreeMap::new(),
            variables: BTreeMap::from([(VarId(4), "a".to_owned()), (VarId(5), "smalti_initial_1".to_owned())]),
            obstacles: Vec::new(),
        }
    }

    #[test]
    fn values_are_sorted_by_what_took_them_and_keep_their_order() {
        let bits = TraceValue::Bits;
        let array = TraceValue::Array(BTreeMap::from([(0, bits(7))]));
        let steps = vec![
            step("smalti_input_2", bits(1)),
            step(DECLARE, bits(4)),
            step("a", array.clone()),
            step("smalti_input_2", bits(3)),
            step(DECLARE, bits(5)),
            step("smalti_initial_1", bits(9)),
            step(ALLOCATE, bits(11)),
            step(CELL, bits(20)),
            step(CELL, bits(21)),
            step("smalti_havoc_6", bits(8)),
        ];
        let observed = Observed::new(&Trace { steps }, &emitted());
        assert_eq!(observed.inputs, [(InputId(2), bits(1)), (InputId(2), bits(3))]);
        assert_eq!(observed.initial, [(VarId(4), array), (VarId(5), bits(9))]);
        assert_eq!(observed.blocks, [(SiteId(11), vec![bits(20), bits(21)])]);
        assert_eq!(observed.havocs, [(SiteId(6), bits(8))]);
    }

    #[test]
    fn a_declaration_without_a_value_keeps_its_place() {
        let bits = TraceValue::Bits;
        let steps = vec![step(DECLARE, bits(4)), step(DECLARE, bits(5)), step("smalti_initial_1", bits(9))];
        let observed = Observed::new(&Trace { steps }, &emitted());
        assert_eq!(observed.initial, [(VarId(4), TraceValue::Other), (VarId(5), bits(9))]);
    }
}

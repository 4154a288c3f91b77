//! The settings of a program, as snapshots store them.

use crate::suite::Keys;
use crate::suite::snapshot::{CHECKS, line};
use std::collections::BTreeMap;

/// The part of the configuration that can change an answer, as snapshots store it.
pub(super) fn configuration(keys: &Keys) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            all.insert(name.to_owned(), line(&value));
        }
    };
    let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
    add("stack", keys.stack.as_ref().map(|s| s.join(" ")));
    add("stages", keys.stages.as_ref().map(|s| s.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")));
    add(CHECKS, keys.checks.as_ref().map(|c| c.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")));
    add("data-model", keys.data_model.map(|m| m.to_string()));
    add("target", keys.target.map(|t| t.to_string()));
    add("steps", keys.steps.map(|n| n.to_string()));
    add("widening-delay", keys.widening_delay.map(|n| n.to_string()));
    add("peel", keys.peel.map(|n| n.to_string()));
    add("descending", keys.descending.map(|n| n.to_string()));
    add("assume-invariants", keys.assume_invariants.map(switch));
    add("define", keys.define.as_ref().filter(|d| !d.is_empty()).map(|d| d.join(" ")));
    add("preprocess", keys.preprocess.map(switch));
    all
}

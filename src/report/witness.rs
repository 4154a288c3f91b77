//! Witnesses in the format of the Competition on Software Verification, version 2.0 (Ayaziová,
//! Beyer, Lingsch-Rosenfeld, Spiessl, Strejček: "Software Verification Witnesses 2.0", SPIN 2024):
//! a file in YAML with one entry.
//!
//! A correctness witness contains loop invariants as C expressions; formulas that need a quantifier
//! are left out. A violation witness contains the values that input functions returned, the
//! branches that were taken, and the place of the violation, in the order of the run.

use serde::Serialize;
use std::collections::BTreeMap;

/// What was verified, and by which tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessTask {
    /// A new identity (RFC 4122).
    pub uuid: String,
    /// The current time (RFC 3339).
    pub creation_time: String,
    /// The files, as on the command line, each with its SHA-256 in hexadecimal digits.
    pub files: Vec<(String, String)>,
    /// The property.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: &'static str,
    /// The settings that influenced the result.
    pub configuration: String,
    /// A note for the reader.
    pub description: String,
}

/// A place, with the column in characters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WitnessPlace {
    /// The file, as on the command line.
    pub file_name: String,
    /// From 1.
    pub line: u32,
    /// From 1, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The function around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// A formula that holds at a loop: each time its condition is about to be evaluated, and for a `do`
/// loop each time its body is about to begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The loop's keyword.
    pub place: WitnessPlace,
    /// A C expression.
    pub value: String,
}

/// One thing that a failing run does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waypoint {
    /// The call that ends at this bracket returns this value, a C constant.
    Returned(WitnessPlace, String),
    /// The `if` at this place goes this way.
    Branching(WitnessPlace, bool),
    /// The violation.
    Target(WitnessPlace),
}

#[derive(Serialize)]
struct Entry<C> {
    entry_type: &'static str,
    metadata: Metadata,
    content: C,
}

#[derive(Serialize)]
struct Metadata {
    format_version: &'static str,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: Task,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: &'static str,
    configuration: String,
    description: String,
}

#[derive(Serialize)]
struct Task {
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: &'static str,
    language: &'static str,
}

#[derive(Serialize)]
struct InvariantEntry<'w> {
    invariant: Invariant<'w>,
}

#[derive(Serialize)]
struct Invariant<'w> {
    #[serde(rename = "type")]
    kind: &'static str,
    location: &'w WitnessPlace,
    value: &'w str,
    format: &'static str,
}

#[derive(Serialize)]
struct SegmentEntry<'w> {
    segment: [WaypointEntry<'w>; 1],
}

#[derive(Serialize)]
struct WaypointEntry<'w> {
    waypoint: WaypointObject<'w>,
}

#[derive(Serialize)]
struct WaypointObject<'w> {
    #[serde(rename = "type")]
    kind: &'static str,
    action: &'static str,
    location: &'w WitnessPlace,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
}

#[derive(Serialize)]
struct Constraint {
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
}

/// The witness of a program without violations.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn correctness_witness(task: &WitnessTask, invariants: &[LoopInvariant]) -> Result<String, yaml_serde::Error> {
    let object = |i| InvariantEntry { invariant: Invariant::from(i) };
    let content: Vec<InvariantEntry<'_>> = invariants.iter().map(object).collect();
    written(task, &Entry { entry_type: "invariant_set", metadata: task.into(), content })
}

/// The witness of a run that fails.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn violation_witness(task: &WitnessTask, waypoints: &[Waypoint]) -> Result<String, yaml_serde::Error> {
    let object = |w| SegmentEntry { segment: [WaypointEntry { waypoint: WaypointObject::from(w) }] };
    let content: Vec<SegmentEntry<'_>> = waypoints.iter().map(object).collect();
    written(task, &Entry { entry_type: "violation_sequence", metadata: task.into(), content })
}

fn written<C: Serialize>(task: &WitnessTask, entry: &Entry<C>) -> Result<String, yaml_serde::Error> {
    let text = yaml_serde::to_string(&[entry])?;
    // Readers of YAML 1.1 do not read a time without quotes as a string.
    let time = |quote: &str| format!("    creation_time: {quote}{}{quote}\n", task.creation_time);
    Ok(text.replacen(&time(""), &time("'"), 1))
}

impl From<&WitnessTask> for Metadata {
    fn from(task: &WitnessTask) -> Metadata {
        Metadata {
            format_version: "2.0",
            uuid: task.uuid.clone(),
            creation_time: task.creation_time.clone(),
            producer: Producer {
                name: "smalti",
                version: env!("CARGO_PKG_VERSION"),
                configuration: task.configuration.clone(),
                description: task.description.clone(),
            },
            task: Task {
                input_files: task.files.iter().map(|(name, _)| name.clone()).collect(),
                input_file_hashes: task.files.iter().cloned().collect(),
                specification: task.specification.clone(),
                data_model: task.data_model,
                language: "C",
            },
        }
    }
}

impl<'w> From<&'w LoopInvariant> for Invariant<'w> {
    fn from(i: &'w LoopInvariant) -> Invariant<'w> {
        Invariant { kind: "loop_invariant", location: &i.place, value: &i.value, format: "c_expression" }
    }
}

impl<'w> From<&'w Waypoint> for WaypointObject<'w> {
    fn from(waypoint: &'w Waypoint) -> WaypointObject<'w> {
        let (kind, location, constraint) = match waypoint {
            Waypoint::Returned(place, value) => {
                let value = format!("\\result == {value}");
                ("function_return", place, Some(Constraint { value, format: Some("ext_c_expression") }))
            }
            Waypoint::Branching(place, holds) => {
                ("branching", place, Some(Constraint { value: holds.to_string(), format: None }))
            }
            Waypoint::Target(place) => ("target", place, None),
        };
        WaypointObject { kind, action: "follow", location, constraint }
    }
}

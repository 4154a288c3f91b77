//! Views of the results: text for people, JSON for programs, SARIF for code hosts, the abstract
//! states between the lines of the source.
//!
//! Nothing here computes a verdict; every view is a function of a [`crate::verdict::Report`], a
//! [`StateView`] or a [`Diagnostic`], and gives the same bytes for the same value.

mod acsl;
mod diagnostic;
mod document;
mod invariants;
mod json;
mod page;
mod paint;
mod sarif;
mod states;
mod summary;
mod table;
mod text;
mod witness;

pub use acsl::{Annotated, Annotation, acsl};
pub use diagnostic::{Diagnostic, Excerpt, Level};
pub use document::{
    Array, Computed, ComputedPoint, ComputedValue, Copied, Document, Entry, Group, Input, Iterate, Line, Link,
    PlacedState, Run, RunLine, Source, State,
};
pub use invariants::{InvariantLines, InvariantView, PlaceKind, invariants, invariants_json};
pub use json::json;
pub use page::page;
pub use paint::{Paint, Style};
pub use sarif::{Invocation, sarif};
pub use states::{LineKind, LineState, Placed, StateView, states, states_json};
use states::{PARTIAL, STACK};
pub use summary::{SummaryView, summary, summary_json};
pub use table::Table;
pub use text::{inputs, text};
pub use witness::{LoopInvariant, Waypoint, WitnessPlace, WitnessTask, correctness_witness, violation_witness};

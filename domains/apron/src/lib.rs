//! The octagons, boxes and convex polyhedra of the library APRON, as numeric domains over the
//! integers.
//!
//! **Meaning.** An element is a conjunction of linear constraints over the variables it mentions;
//! `γ` is the set of the *integer* valuations of all variables that satisfy it. The shape of the
//! constraints is the domain's: `c <= x` and `x <= c` (box), also `±x ±y <= c` (octagon), any
//! linear inequality (polyhedra).
//!
//! **Representation.** Bottom and top are variants of their own; anything else is an APRON value
//! with one dimension for each variable, in ascending order of the variables. APRON knows the
//! dimensions as reals: its own treatment of integers is partial, so integrality is handled here,
//! where numbers go in (constraints are divided by the gcd of their coefficients and their
//! constants rounded, `e != 0` becomes an inequality once one side is excluded) and where they come
//! out (bounds are rounded inwards). A value belongs to its manager and so to its thread; copies
//! are shared until one of them changes. The result of a widening is never closed before the next
//! widening gets it as its left argument.
//!
//! **Sources, and where we differ.** B. Jeannet, A. Miné: "Apron: a library of numerical abstract
//! domains for static analysis", CAV 2009. A. Miné: "The octagon abstract domain", HOSC 19(1),
//! 2006. P. Cousot, N. Halbwachs: "Automatic discovery of linear restraints among variables of a
//! program", POPL 1978. N. Halbwachs, Y.-E. Proy, P. Roumanoff: "Verification of real-time systems
//! using linear relation analysis", FMSD 11(2), 1997, for widening up to thresholds. D. Gopan, F.
//! DiMaio, N. Dor, T. Reps, M. Sagiv: "Numeric domains with summarized dimensions", TACAS 2004, for
//! expand and fold. The join and the widening of two elements keep only the variables that both
//! mention, which loses nothing: a variable that one side does not constrain is not constrained by
//! the result. Boxes are widened here and not by APRON, whose box knows no thresholds.
//!
//! **Limits.** Octagons over doubles round upwards, which is sound, and exact only while numbers
//! stay below `2^53`; they are given no number that a double cannot hold, and learn little from a
//! constraint or an assignment with such a coefficient (APRON 0.9.10 would take the double above it
//! for the coefficient itself). Its boxes over doubles are not used at all: for `x` between `-2^63`
//! and `-2^63 + 1024` they say that `-3x` is `3 * 2^63`. Octagons close over the reals, so
//! `x + y <= 1` and `x - y <= 0` give `x <= 1/2`, which is read as `x <= 0` but not propagated as
//! such. A constraint that an octagon or a box cannot hold is approximated by intervals, once.
//! Polyhedra can grow exponentially; where they exceed [`POLYHEDRON_LIMIT`] the operation gives a
//! weaker answer. Any exception of APRON has that effect: the answer is the one that is always
//! true, and [`ApronDomain::exceptions`] counts it.
#![deny(clippy::undocumented_unsafe_blocks)]

mod convert;
mod domain;
mod element;
mod kind;
mod manager;
mod value;
mod widen;

pub use apron_sys::{LoadError, LoadErrorKind, data_folder};
pub use domain::ApronDomain;
pub use element::ApronElement;
pub use kind::Kind;
pub use manager::POLYHEDRON_LIMIT;

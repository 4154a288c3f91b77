//! Exact integers, and the names of terms, variables and symbols.

use num_bigint::BigInt;

/// Exact integers.
pub type Int = BigInt;

/// The least and the greatest value, both included; `None` where there is no bound.
pub type IntRange = (Option<Int>, Option<Int>);

/// A term of a [`Context`](crate::Context): a name for a node in it. Two terms of one context are
/// the same exactly if their normal forms are. Terms of different contexts must not be mixed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(crate) u32);

/// A variable: what binders bind and what [`substitute`](crate::Context::substitute) replaces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub(crate) u32);

/// A function that nobody interprets: an unknown, an unknown applied to iteration numbers, the
/// initial contents of an array, `f(t, ...)`. It has one meaning in all of a context; equal
/// arguments give equal results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub(crate) u32);

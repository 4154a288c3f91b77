//! Turns a program back into C.

use super::{Check, Program};

/// The condition of a check, as a reader would write it in C.
pub fn check(_program: &Program, check: &Check<'_>) -> String {
    format!("{:?}", check.condition)
}

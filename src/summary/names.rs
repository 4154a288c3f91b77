//! Names for unknowns, each given once.

use crate::program::Program;
use std::collections::{HashMap, HashSet};

/// How an unknown looks in text. Unknowns that look different may have the same name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NameKind {
    /// `n`.
    Number,
    /// `a(k)`.
    Function,
    /// `a[k]`.
    Array,
    /// `a(n)[k]`.
    FunctionToArrays,
}

/// The names that were given.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// How often a name was asked for.
    asked: HashMap<(String, NameKind), u32>,
    given: HashSet<(String, NameKind)>,
}

impl Names {
    /// The name, or the name with a number, so that it is the name of no other unknown of the kind.
    /// With a number it is not the name of a variable either.
    pub(super) fn unique(&mut self, name: &str, kind: NameKind, program: &Program) -> String {
        let between = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        loop {
            let asked = self.asked.entry((name.to_owned(), kind)).or_insert(0);
            *asked += 1;
            let found = if *asked == 1 { name.to_owned() } else { format!("{name}{between}{asked}") };
            let is_free = found == name || !is_variable(program, &found);
            if is_free && self.given.insert((found.clone(), kind)) {
                return found;
            }
        }
    }
}

/// Whether a variable of the program has the name.
pub(super) fn is_variable(program: &Program, name: &str) -> bool {
    program.variables.iter().any(|v| v.name == name)
}

//! Unknowns, with names that people recognise and that tell them apart.
//!
//! An unknown has the name of what holds it first: `N` for `N = input()`, `a(n)` for a cell of `a`
//! that is read in iteration `n`, `a[k]` for what the cells of `a` hold at the start, `x0` for what
//! `x` holds where it is declared. Others of that name have a number: `N2`.

use super::Executor;
use super::state::{Object, Region, RegionStep};
use crate::program::{Base, IntKind, Lvalue, Program, Step, StructId, Type};
use smalti_terms::{IntRange, Sort, Symbol, Term};
use std::collections::{HashMap, HashSet};

/// The names of unknowns. Numbers, functions of iteration numbers, and arrays look different in
/// text, so one of each kind may have the same name.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// How many unknowns had a name, by name and kind.
    used: HashMap<(String, Kind), u32>,
    given: HashSet<(String, Kind)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Number,
    Function,
    Array,
    FunctionToArrays,
}

impl Executor<'_> {
    /// A new unknown of a type, for this execution: a function of the iteration numbers.
    pub(super) fn unknown_of(&mut self, ty: &Type, name: &str) -> Term {
        let symbol = self.symbol_of(name, Sort::Int, ty);
        self.c.apply(symbol, &self.arguments())
    }

    /// A new unknown for a region: a number, or an array of numbers.
    pub(super) fn unknown_region(&mut self, region: &Region, ty: &Type) -> Term {
        let name = self.name_of(region);
        let sort = if region.rank() == 0 { Sort::Int } else { Sort::Array(region.rank()) };
        let symbol = self.symbol_of(&name, sort, ty);
        self.c.apply(symbol, &self.arguments())
    }

    /// A new unknown for one cell of a region, or for all of them.
    pub(super) fn unknown_cell(&mut self, region: &Region, ty: &Type) -> Term {
        let name = self.name_of(region);
        self.unknown_of(ty, &name)
    }

    /// What a region holds right after its declaration: as [`Executor::unknown_region`], but a
    /// number has another name than what is read into it later.
    pub(super) fn uninitialised(&mut self, region: &Region, ty: &Type) -> Term {
        let value = match region.rank() {
            0 => {
                let mut name = format!("{}0", self.name_of_object(region.object));
                while self.is_variable(&name) {
                    name.push('0');
                }
                self.unknown_of(ty, &name)
            }
            _ => self.unknown_region(region, ty),
        };
        self.memory.has_unset(&self.c, value);
        value
    }

    /// The name of unknowns for the contents of an object.
    pub(super) fn name_of_object(&self, object: Object) -> String {
        match object {
            Object::Variable(v) => self.program.variable(v).name.clone(),
            Object::Blocks(site) => self.memory.sites[site as usize].name.clone(),
        }
    }

    /// A new unknown for what is written to an lvalue.
    pub(super) fn unknown_for(&mut self, to: &Lvalue) -> Term {
        let Base::Var(variable) = to.base else { return self.unknown_of(&to.ty, "input") };
        let steps = to.path.iter().filter_map(|step| match step {
            Step::Field(id, n) => Some((*id, *n)),
            Step::Index(_) => None,
        });
        let name = self.program.variable(variable).name.clone();
        let name = name_of_path(self.program, name, steps);
        self.unknown_of(&to.ty, &name)
    }

    /// The variable and its members: `s.f.g`.
    fn name_of(&self, region: &Region) -> String {
        let steps = region.path.iter().filter_map(|step| match step {
            RegionStep::Field(id, n) => Some((*id, *n)),
            RegionStep::Element => None,
        });
        name_of_path(self.program, self.name_of_object(region.object), steps)
    }

    /// A new symbol for values of a type.
    fn symbol_of(&mut self, name: &str, sort: Sort, ty: &Type) -> Symbol {
        let range = ty.as_int().map(|kind| self.range_of_kind(kind)).unwrap_or_default();
        let name = self.unique_name(name, sort);
        self.c.symbol_within(name, sort, range)
    }

    /// The values of an integer type.
    pub(super) fn range_of_kind(&self, kind: IntKind) -> IntRange {
        let to = self.wrap_type(kind);
        (Some(to.least()), Some(to.greatest()))
    }

    /// The name, or the name with a number, so that it is no name of another unknown of the kind,
    /// and that with a number is not the name of a variable either.
    fn unique_name(&mut self, name: &str, sort: Sort) -> String {
        let kind = match sort {
            Sort::Array(_) if self.iterations.is_empty() => Kind::Array,
            Sort::Array(_) => Kind::FunctionToArrays,
            _ if self.iterations.is_empty() => Kind::Number,
            _ => Kind::Function,
        };
        let between = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        loop {
            let used = self.names.used.entry((name.to_owned(), kind)).or_insert(0);
            *used += 1;
            let found = if *used == 1 { name.to_owned() } else { format!("{name}{between}{used}") };
            let is_free = found == name || !self.is_variable(&found);
            if is_free && self.names.given.insert((found.clone(), kind)) {
                return found;
            }
        }
    }

    fn is_variable(&self, name: &str) -> bool {
        self.program.variables.iter().any(|v| v.name == name)
    }
}

/// The name of an object, with those of members.
fn name_of_path(program: &Program, object: String, steps: impl Iterator<Item = (StructId, u32)>) -> String {
    steps.fold(object, |name, (id, n)| {
        let member = &program.structure(id).members[n as usize];
        format!("{name}.{}", member.name)
    })
}

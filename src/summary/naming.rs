//! Unknowns, with names that people recognise and that tell them apart.
//!
//! An unknown has the name of what holds it first: `N` for `N = input()`, `a(n)` for a cell of `a`
//! that is read in iteration `n`, `a[k]` for what the cells of `a` hold at the start, `x0` for what
//! `x` holds where it is declared. Others of that name have a number: `N2`.

use super::Executor;
use super::names::{NameKind, is_variable};
use super::state::{Object, Region, RegionStep};
use crate::program::{IntKind, Lvalue, Program, Step, StructId, Type};
use smalti_terms::{IntRange, Sort, Symbol, Term};

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
    /// number has another name than what is read into it later. An argument of the function under
    /// analysis is known by its own name.
    pub(super) fn uninitialised(&mut self, region: &Region, ty: &Type) -> Term {
        let value = match region.rank() {
            0 => {
                let mut name = self.name_of_object(region.object);
                if !region.variable().is_some_and(|v| self.of_start.arguments.contains(&v)) {
                    name.push('0');
                    while is_variable(self.program, &name) {
                        name.push('0');
                    }
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
            Object::Variable(v) => self.program.known_as(v).name.clone(),
            Object::Blocks(site) => self.memory.sites[site as usize].name.clone(),
        }
    }

    /// Whether a number is read into a variable that the source does not know, on its way
    /// elsewhere.
    pub(super) fn is_hidden_scalar(&self, to: &Lvalue) -> bool {
        to.ty.is_scalar() && to.as_var().is_some_and(|v| self.program.variable(v).is_hidden())
    }

    /// A new unknown for what is written to an lvalue.
    pub(super) fn unknown_for(&mut self, to: &Lvalue) -> Term {
        let named = to.as_base().filter(|v| !self.program.variable(*v).is_hidden());
        let Some(variable) = named else { return self.unknown_of(&to.ty, "input") };
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
        let kind = match sort {
            Sort::Array(_) if self.iterations.is_empty() => NameKind::Array,
            Sort::Array(_) => NameKind::FunctionToArrays,
            _ if self.iterations.is_empty() => NameKind::Number,
            _ => NameKind::Function,
        };
        let name = self.names.unique(name, kind, self.program);
        self.c.symbol_within(name, sort, range)
    }

    /// The values of an integer type.
    pub(super) fn range_of_kind(&self, kind: IntKind) -> IntRange {
        let to = self.wrap_type(kind);
        (Some(to.least()), Some(to.greatest()))
    }
}

/// The name of an object, with those of members.
fn name_of_path(program: &Program, object: String, steps: impl Iterator<Item = (StructId, u32)>) -> String {
    steps.fold(object, |name, (id, n)| {
        let member = &program.structure(id).members[n as usize];
        format!("{name}.{}", member.name)
    })
}

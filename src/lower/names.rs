//! Names that the linker could give to something else, or to nothing: weak declarations, and names
//! for the assembler.

use super::clean::Attribute;
use super::context::{Lowered, Lowerer, Symbol};
use super::error::InputErrorKind;
use super::specification::Role;
use crate::program::{Assumption, FunctionId, Location, VarId};
use lang_c::ast::{Declaration, Declarator, DeclaratorKind, Extension};
use lang_c::span::{Node, Span};
use std::collections::{HashMap, HashSet};

/// What declarations say about the linker.
#[derive(Default)]
pub(super) struct LinkerNames {
    /// The variables that are weak, and where each is used first.
    weak_variables: HashMap<VarId, Option<Location>>,
    weak_functions: HashSet<FunctionId>,
    /// Functions with another name for the assembler, that name, and where it is given.
    labels: Vec<(FunctionId, String, Location)>,
}

impl Lowerer<'_> {
    /// Handles what a declaration says about the linker, after its names are declared.
    pub(super) fn linker_names(&mut self, declaration: &Node<Declaration>) -> Lowered<()> {
        let weak = self.unit.attributes(declaration.span).any(|a| a == Attribute::Weak);
        for d in &declaration.node.declarators {
            let declarator = &d.node.declarator;
            let Some(name) = super::functions::declared_name(declarator) else { continue };
            let symbol = self.lookup(&name.node.name).cloned();
            // Names declared in a block may be used outside of its function, too.
            match (weak, &symbol) {
                (true, Some(Symbol::Variable(v) | Symbol::View(v, _))) => {
                    self.program.assume_that(only_definition(&name.node.name));
                    self.linker_names.weak_variables.entry(*v).or_insert(None);
                }
                (true, Some(Symbol::Function(id))) => {
                    self.program.assume_that(only_definition(&name.node.name));
                    self.linker_names.weak_functions.insert(*id);
                }
                _ => {}
            }
            if let Some(span) = assembler_label(declarator) {
                self.assembler_name(&name.node.name, symbol, span)?;
            }
        }
        Ok(())
    }

    /// A function with another name for the assembler is another function. The headers of the C
    /// library choose among variants of one that way, whose names contain it (`__isoc99_scanf`).
    fn assembler_name(&mut self, name: &str, symbol: Option<Symbol>, span: Span) -> Lowered<()> {
        let label: String = self.string_units(span)?.0.iter().map(|u| char::from((u & 0xff) as u8)).collect();
        if label == name {
            return Ok(());
        }
        let message = format!("a name for the assembler (`{label}` for `{name}`) is not supported here");
        match symbol {
            Some(Symbol::Function(id)) => {
                let specifies = matches!(self.known_role(&label), Some(Role::Assert | Role::Assume | Role::Fail));
                if specifies || !label.contains(name) && self.is_known_name(name) {
                    return self.unsupported(span, message);
                }
                let at = self.at(span);
                self.linker_names.labels.push((id, label, at));
                Ok(())
            }
            _ => self.unsupported(span, message),
        }
    }

    /// Notes the use of a variable.
    pub(super) fn used_if_weak(&mut self, v: VarId, at: Location) {
        if let Some(used) = self.linker_names.weak_variables.get_mut(&v) {
            used.get_or_insert(at);
        }
    }

    /// Refuses a weak function that no file defines: its address may be null.
    pub(super) fn refuse_weak(&self, id: FunctionId, span: Span) -> Lowered<()> {
        let name = &self.program.function(id).name;
        if self.linker_names.weak_functions.contains(&id) && !self.definitions.has_body(self.unit_number, name) {
            return self.unsupported(span, format!("`{name}` is weak and not defined: its address may be null"));
        }
        Ok(())
    }

    /// Refuses what is known to be missing or mixed up once all files are read.
    pub(super) fn check_linker_names(&self) -> Lowered<()> {
        let mut used: Vec<(VarId, Location)> =
            self.linker_names.weak_variables.iter().filter_map(|(v, at)| Some((*v, (*at)?))).collect();
        used.sort_by_key(|(v, _)| v.0);
        for (v, at) in used {
            if !self.globals.get(&v).is_some_and(|info| info.defined) {
                let name = &self.program.variable(v).name;
                let message = format!("`{name}` is weak and not defined: its address may be null");
                return self.fail_at(InputErrorKind::Unsupported, at, message);
            }
        }
        for (id, label, at) in &self.linker_names.labels {
            let defined = |id: FunctionId| self.functions[id.0 as usize].defined.is_some();
            let meets = match self.linked.get(label) {
                Some(Symbol::Function(other)) => other != id && (defined(*other) || defined(*id)),
                Some(Symbol::Variable(v)) => self.globals.get(v).is_some_and(|info| info.defined),
                _ => false,
            };
            if meets {
                let name = &self.program.function(*id).name;
                let message = format!(
                    "`{name}` has the name `{label}` for the assembler, which is also the name of something else"
                );
                return self.fail_at(InputErrorKind::Unsupported, *at, message);
            }
        }
        Ok(())
    }
}

/// The name that a declarator gives its object for the assembler.
fn assembler_label(declarator: &Node<Declarator>) -> Option<Span> {
    let mut at = declarator;
    loop {
        let label = at.node.extensions.iter().find_map(|e| match &e.node {
            Extension::AsmLabel(label) => Some(label.span),
            _ => None,
        });
        if label.is_some() {
            return label;
        }
        match &at.node.kind.node {
            DeclaratorKind::Declarator(inner) => at = inner,
            _ => return None,
        }
    }
}

/// The assumption about a weak name, or about an inline function that other files can call.
pub(super) fn only_definition(name: &str) -> Assumption {
    Assumption::about("no definition outside the program replaces the one in the program", name)
}

//! Names that the linker could give to something else, or to nothing: weak declarations, and names
//! for the assembler.

use super::clean::Attribute;
use super::context::FunctionInfo;
use super::context::{Lowered, Lowerer, Symbol};
use super::error::{InputError, InputErrorKind};
use super::functions::{declared_name, innermost};
use super::parse::Unit;
use super::signatures::Signature;
use super::specification::Role;
use crate::program::{Assumption, FunctionId, Location, VarId};
use lang_c::ast::{
    Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Extension, ExternalDeclaration,
    StorageClassSpecifier,
};
use lang_c::span::{Node, Span};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// What declarations say about the linker.
#[derive(Default)]
pub(super) struct LinkerNames {
    /// The variables that are weak, and where each is used first.
    weak_variables: HashMap<VarId, Option<Location>>,
    weak_functions: HashSet<FunctionId>,
    /// Functions with another name for the assembler, that name, and where it is given.
    labels: Vec<(FunctionId, String, Location)>,
    /// Functions of one name whose declarations in different files contradict each other, with the
    /// error. The first has none.
    contradicting: BTreeMap<String, Vec<(FunctionId, Option<InputError>)>>,
}

/// A declaration that gives a function another name.
pub(super) struct Alias<'u> {
    /// The other name.
    pub(super) name: &'u str,
    pub(super) is_static: bool,
    /// The name in the function's definition.
    pub(super) target: &'u str,
    pub(super) attribute: Attribute,
}

/// What is said of an attribute `alias` at anything but the declaration of a function.
pub(super) const OTHER_ALIAS: &str =
    "the attribute `alias` is supported only where a function gets another name in the file that defines it";

/// The other names that a file gives to functions.
pub(super) fn aliases(unit: &Unit) -> impl Iterator<Item = Alias<'_>> {
    unit.tree.0.iter().filter_map(|declaration| {
        let ExternalDeclaration::Declaration(d) = &declaration.node else { return None };
        let [declarator] = d.node.declarators.as_slice() else { return None };
        let (_, Some(DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))) =
            innermost(&declarator.node.declarator)
        else {
            return None;
        };
        let mut found = unit.attributes(d.span).filter(|a| matches!(a, Attribute::Alias(..)));
        let (Some(attribute @ Attribute::Alias(start, end)), None) = (found.next(), found.next()) else { return None };
        let storage = d.node.specifiers.iter().find_map(|s| match &s.node {
            DeclarationSpecifier::StorageClass(s) => Some(&s.node),
            _ => None,
        });
        let is_static = storage == Some(&StorageClassSpecifier::Static);
        let name = &declared_name(&declarator.node.declarator)?.node.name;
        let target = std::str::from_utf8(unit.raw.get(start..end)?).ok()?;
        (storage != Some(&StorageClassSpecifier::Typedef)).then_some(Alias { name, is_static, target, attribute })
    })
}

impl Lowerer<'_> {
    /// The function that is declared here under another name. The name means that function from the
    /// first declaration on, in every file, so it needs no function of its own.
    ///
    /// # Errors
    /// The name was used before it was known which function it means, or the function is known by
    /// its name.
    pub(super) fn aliased(
        &mut self,
        name: &str,
        signature: &Rc<Signature>,
        at: Location,
        span: Span,
    ) -> Lowered<Option<FunctionId>> {
        let known = self.scopes[0].symbols.get(name).or_else(|| self.linked.get(name)).cloned();
        let Some((unit, target, is_static)) = self.definitions.alias(self.unit_number, name) else { return Ok(None) };
        if self.known_role(target).is_some() {
            return self.unsupported(span, format!("another name of `{target}` is not supported"));
        }
        let meant = if is_static { self.scopes[0].symbols.get(target) } else { self.linked.get(target) };
        let id = match meant {
            Some(Symbol::Function(id)) if !is_static || unit == self.unit_number => *id,
            // The file with the function has given it the name.
            _ if is_static && unit < self.unit_number && known.is_some() => return Ok(None),
            None if !is_static => {
                let info = FunctionInfo { signature: signature.clone(), defined: None, declared: true };
                let id = self.add_function(target, info, at);
                self.linked.insert(target.to_owned(), Symbol::Function(id));
                id
            }
            _ => {
                return self
                    .unsupported(span, format!("`{name}` is declared before the function `{target}` that it means"));
            }
        };
        match known {
            Some(Symbol::Function(other)) if other != id => {
                self.unsupported(span, format!("`{name}`, another name of `{target}`, is used before it is declared"))
            }
            _ => Ok(Some(id)),
        }
    }

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

    /// The function that this file declares, otherwise than another file declares the function
    /// `first` of that name.
    pub(super) fn other_function(
        &mut self,
        name: &str,
        signature: Rc<Signature>,
        (at, span): (Location, Span),
        (first, error): (FunctionId, InputError),
    ) -> FunctionId {
        let known = self.linker_names.contradicting.get(name).cloned().unwrap_or_else(|| vec![(first, None)]);
        for (id, _) in known.iter().skip(1) {
            if self.unite_function(*id, &signature, name, span).is_ok() {
                return *id;
            }
        }
        let id = self.add_function(name, FunctionInfo { signature, defined: None, declared: true }, at);
        let mut all = known;
        all.push((id, Some(error)));
        self.linker_names.contradicting.insert(name.to_owned(), all);
        id
    }

    /// Refuses functions that two files declare in different ways, unless all uses are of the one
    /// that is defined. **Sound**: a declaration that its file does not use does nothing.
    fn check_contradictions(&mut self) -> Lowered<()> {
        let mut used = HashSet::new();
        super::prune::each_function(&mut self.program, &mut |id| _ = used.insert(*id));
        for functions in self.linker_names.contradicting.values() {
            let is_defined = |id: &FunctionId| self.functions[id.0 as usize].defined.is_some();
            let ids = || functions.iter().map(|(id, _)| *id);
            let meant = ids().find(is_defined).or_else(|| ids().next());
            let wrong =
                ids().any(|id| Some(id) != meant && (used.contains(&id) || is_defined(&id) || self.has_contract(id)));
            if let (true, Some(error)) = (wrong, functions.iter().find_map(|(_, error)| error.clone())) {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Refuses what is known to be missing or mixed up once all files are read.
    pub(super) fn check_linker_names(&mut self) -> Lowered<()> {
        self.check_contradictions()?;
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

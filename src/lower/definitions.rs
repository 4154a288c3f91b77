//! The definitions of functions in all files, by the names that they have in each.

use super::clean::Attribute;
use super::functions::declared_name;
use super::names::{Alias, aliases};
use super::parse::Unit;
use lang_c::ast::{
    DeclarationSpecifier, ExternalDeclaration, FunctionDefinition, FunctionSpecifier, StorageClassSpecifier,
};
use lang_c::span::Node;
use std::collections::HashMap;

/// The definitions of all files by name.
pub(super) struct Definitions<'u> {
    external: HashMap<&'u str, (usize, &'u Node<FunctionDefinition>)>,
    internal: HashMap<(usize, &'u str), &'u Node<FunctionDefinition>>,
    /// Other names of functions, of all files or of one, with the file that defines the function,
    /// its name there, and whether only that file knows it.
    aliases: HashMap<(Option<usize>, &'u str), (usize, &'u str, bool)>,
    /// The attributes that give these names.
    alias_attributes: Vec<(usize, Attribute)>,
}

impl<'u> Definitions<'u> {
    pub(super) fn new(units: &'u [Unit]) -> Definitions<'u> {
        let mut definitions = Definitions {
            external: HashMap::new(),
            internal: HashMap::new(),
            aliases: HashMap::new(),
            alias_attributes: Vec::new(),
        };
        for (n, unit) in units.iter().enumerate() {
            for declaration in &unit.tree.0 {
                let ExternalDeclaration::FunctionDefinition(f) = &declaration.node else { continue };
                let Some(name) = declared_name(&f.node.declarator) else { continue };
                let is_static = f.node.specifiers.iter().any(|s| match &s.node {
                    DeclarationSpecifier::StorageClass(s) => s.node == StorageClassSpecifier::Static,
                    DeclarationSpecifier::Function(f) => f.node == FunctionSpecifier::Inline,
                    _ => false,
                });
                if is_static || unit.is_library {
                    definitions.internal.insert((n, &name.node.name), f);
                } else {
                    definitions.external.entry(&name.node.name).or_insert((n, f));
                }
            }
        }
        for (n, unit) in units.iter().enumerate() {
            aliases(unit).for_each(|alias| definitions.add_alias(n, &alias));
        }
        definitions
    }

    /// Makes another name mean the definition, if this file has it.
    fn add_alias(&mut self, unit: usize, alias: &Alias<'u>) {
        let Some((_, definition)) = self.get(unit, alias.target).filter(|(n, _)| *n == unit) else { return };
        if self.has_body(unit, alias.name) {
            return;
        }
        if alias.is_static {
            self.internal.insert((unit, alias.name), definition);
        } else {
            self.external.insert(alias.name, (unit, definition));
        }
        let of = alias.is_static.then_some(unit);
        let is_static = self.internal.contains_key(&(unit, alias.target));
        self.aliases.insert((of, alias.name), (unit, alias.target, is_static));
        self.alias_attributes.push((unit, alias.attribute));
    }

    /// The function that has this other name in a file: the file that defines it, its name there,
    /// and whether only that file knows it.
    pub(super) fn alias(&self, unit: usize, name: &str) -> Option<(usize, &'u str, bool)> {
        let internal = self.aliases.get(&(Some(unit), name));
        let external = || self.aliases.get(&(None, name)).filter(|_| !self.internal.contains_key(&(unit, name)));
        internal.or_else(external).copied()
    }

    /// Whether the attribute gives a function another name.
    pub(super) fn is_alias(&self, unit: usize, attribute: Attribute) -> bool {
        self.alias_attributes.contains(&(unit, attribute))
    }

    /// The definition of the function of that name, for code in that file.
    pub(super) fn get(&self, unit: usize, name: &str) -> Option<(usize, &'u Node<FunctionDefinition>)> {
        let internal = self.internal.get(&(unit, name)).map(|f| (unit, *f));
        internal.or_else(|| self.external.get(name).copied())
    }

    /// Whether there is one.
    pub(super) fn has_body(&self, unit: usize, name: &str) -> bool {
        self.get(unit, name).is_some()
    }
}

//! Declarations: typedefs, variables, functions; linkage.

use super::context::{FunctionInfo, GlobalInfo, Lowered, Lowerer, Symbol};
use super::conversions::unsigned;
use super::declarators::{Lengths, Specifiers};
use super::error::InputErrorKind;
use super::initialisers::Initial;
use super::signatures::{DeclaredType, Signature, similar};
use crate::program::{
    Assumption, FunctionId, IntKind, Length, Location, Lvalue, Origin, StmtKind, Storage, Type, VarId, Variable,
};
use lang_c::ast::{
    Declaration, DeclarationSpecifier, Identifier, InitDeclarator, Initializer, StorageClassSpecifier, StructKind,
    TypeSpecifier,
};
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// A variable being declared.
struct Declared<'d> {
    name: &'d Node<Identifier>,
    ty: DeclaredType,
    storage: Option<StorageClassSpecifier>,
    initializer: Option<&'d Node<Initializer>>,
    span: Span,
}

impl Lowerer<'_> {
    pub(super) fn declaration(&mut self, declaration: &Node<Declaration>) -> Lowered<()> {
        self.new_tag(declaration);
        let Specifiers { ty: base, storage, constant, no_return, .. } =
            self.specifiers(&declaration.node.specifiers, declaration.span)?;
        for declarator in &declaration.node.declarators {
            let InitDeclarator { declarator: d, initializer } = &declarator.node;
            let automatic = !self.at_file_scope()
                && !matches!(storage, Some(StorageClassSpecifier::Static | StorageClassSpecifier::Extern));
            let lengths = if automatic { Lengths::Variable } else { Lengths::Constant };
            let (name, ty) = self.declarator(base.clone(), d, lengths)?;
            let Some(name) = name else { return self.wrong(d.span, "this declares nothing") };
            if no_return && ty.ty == Type::Function {
                self.no_return.insert(name.node.name.clone());
            }
            let initializer = initializer.as_ref();
            let declared = Declared { name, ty, storage: storage.clone(), initializer, span: d.span };
            self.declare(declared)?;
            if let (true, Some(Symbol::Variable(v))) = (constant, self.lookup(&name.node.name)) {
                self.note_constant(*v);
            }
        }
        self.linker_names(declaration)
    }

    /// Handles `struct S;` alone, which declares a tag of this scope, even if an outer scope has
    /// that tag.
    fn new_tag(&mut self, declaration: &Node<Declaration>) {
        let [specifier] = declaration.node.specifiers.as_slice() else { return };
        let DeclarationSpecifier::TypeSpecifier(specifier) = &specifier.node else { return };
        let TypeSpecifier::Struct(s) = &specifier.node else { return };
        let (Some(tag), None, []) = (&s.node.identifier, &s.node.declarations, declaration.node.declarators.as_slice())
        else {
            return;
        };
        if !self.scope().tags.contains_key(&tag.node.name) {
            let at = self.at(s.span);
            self.declare_tag(&tag.node.name, s.node.kind.node == StructKind::Union, at);
        }
    }

    /// Notes a variable whose declaration begins with `const`.
    pub(super) fn note_constant(&mut self, v: VarId) {
        let mut ty = &self.program.variable(v).ty;
        while let Type::Array(element, _) = ty {
            ty = element;
        }
        // Before a pointer declarator, it is about the pointer's target.
        if !matches!(ty, Type::Pointer(_)) {
            self.constants.insert(v);
        }
    }

    fn declare(&mut self, declared: Declared<'_>) -> Lowered<()> {
        let name = &declared.name.node.name;
        let at = self.at(declared.name.span);
        if declared.storage == Some(StorageClassSpecifier::Typedef) {
            self.scope().symbols.insert(name.clone(), Symbol::Typedef(declared.ty));
            return Ok(());
        }
        if declared.ty.ty == Type::Function {
            let signature = declared.ty.signature.clone().unwrap_or_else(Signature::unknown_int);
            let is_static = declared.storage == Some(StorageClassSpecifier::Static);
            self.declare_function(name, signature, is_static, at, declared.span)?;
            return Ok(());
        }
        if declared.ty.ty == Type::Void {
            return self.wrong(declared.span, format!("`{name}` has the type `void`"));
        }
        match declared.storage {
            _ if self.at_file_scope() => self.declare_global(&declared, at),
            Some(StorageClassSpecifier::Extern) => self.declare_global(&declared, at),
            Some(StorageClassSpecifier::Static) => self.declare_static_local(declared, at),
            _ => self.declare_local(declared, at),
        }
    }

    fn declare_local(&mut self, declared: Declared<'_>, at: Location) -> Lowered<()> {
        let name = &declared.name.node.name;
        let id = self.new_variable(name, declared.ty, Storage::Local, at);
        self.check_redeclared(name, declared.name.span)?;
        self.scope().symbols.insert(name.clone(), Symbol::Variable(id));
        self.complete_by_initializer(id, declared.initializer)?;
        let ty = self.program.variable(id).ty.clone();
        if !self.is_complete(&ty) {
            let ty = self.type_name(&ty);
            return self.wrong(declared.span, format!("`{name}` has the incomplete type `{ty}`"));
        }
        self.depths.insert(id, self.scopes.len());
        self.emit(StmtKind::Declare(id), at);
        if let Some(initializer) = declared.initializer {
            let object = Lvalue::var(&self.program, id, at);
            self.full_effects(at, |l| l.initialise(object, initializer, Initial::New))?;
        }
        Ok(())
    }

    fn declare_static_local(&mut self, declared: Declared<'_>, at: Location) -> Lowered<()> {
        let name = &declared.name.node.name;
        let id = self.new_variable(name, declared.ty, Storage::Global, at);
        self.program.globals.push(id);
        self.check_redeclared(name, declared.name.span)?;
        self.scope().symbols.insert(name.clone(), Symbol::Variable(id));
        let initialised = declared.initializer.map(|_| at);
        self.globals.insert(id, GlobalInfo { initialised, defined: true });
        self.initialise_global(id, declared.initializer, at)?;
        let ty = &self.program.variable(id).ty;
        if !self.is_complete(ty) {
            let ty = self.type_name(ty);
            return self.wrong(declared.span, format!("`{name}` has the incomplete type `{ty}`"));
        }
        Ok(())
    }

    fn check_redeclared(&mut self, name: &str, span: Span) -> Lowered<()> {
        if self.scope().symbols.contains_key(name) {
            return self.wrong(span, format!("`{name}` is declared twice"));
        }
        Ok(())
    }

    pub(super) fn new_variable(&mut self, name: &str, ty: DeclaredType, storage: Storage, location: Location) -> VarId {
        let id = self.program.add_variable(Variable {
            name: name.to_owned(),
            origin: Origin::Source,
            ty: ty.ty,
            storage,
            constant: ty.constant,
            location,
        });
        if let Some(signature) = ty.signature {
            self.variable_signatures.insert(id, signature);
        }
        id
    }

    /// Takes the length of `T a[] = …` from the initialiser.
    fn complete_by_initializer(&mut self, id: VarId, initializer: Option<&Node<Initializer>>) -> Lowered<()> {
        let ty = self.program.variable(id).ty.clone();
        if let (Type::Array(element, Length::Unknown), Some(initializer)) = (ty, initializer) {
            let length = self.initialised_length(&element, initializer)?;
            self.program.variables[id.0 as usize].ty = Type::Array(element, Length::Constant(length));
        }
        Ok(())
    }

    fn initialise_global(&mut self, id: VarId, initializer: Option<&Node<Initializer>>, at: Location) -> Lowered<()> {
        let Some(initializer) = initializer else { return Ok(()) };
        self.complete_by_initializer(id, Some(initializer))?;
        let object = Lvalue::var(&self.program, id, at);
        let ((), block) = self.collecting(|l| l.initialise(object, initializer, Initial::Fixed))?;
        self.program.initialisers.extend(block);
        Ok(())
    }

    fn declare_global(&mut self, declared: &Declared<'_>, at: Location) -> Lowered<()> {
        let name = &declared.name.node.name;
        let is_static = declared.storage == Some(StorageClassSpecifier::Static);
        let is_extern = declared.storage == Some(StorageClassSpecifier::Extern);
        // An `extern` inside a function means the object of file scope, if there is one.
        let known = self.scopes[0].symbols.get(name).cloned();
        let known = known.or_else(|| if is_static { None } else { self.linked.get(name).cloned() });
        let mut view = None;
        let id = match known {
            Some(Symbol::Variable(id)) => {
                let is_of_others = !self.scopes[0].symbols.contains_key(name);
                view = self.other_sign(id, &declared.ty.ty).filter(|_| is_of_others);
                match view {
                    Some(kind) => self.view_global(id, kind, &declared.ty.ty, name, declared.span)?,
                    None => self.unite_global(id, &declared.ty.ty, name, declared.span)?,
                }
                id
            }
            Some(Symbol::View(id, kind)) => {
                view = Some(kind);
                self.view_global(id, kind, &declared.ty.ty, name, declared.span)?;
                id
            }
            Some(_) => return self.wrong(declared.span, format!("`{name}` is declared twice, as different things")),
            None => {
                let id = self.new_variable(name, declared.ty.clone(), Storage::Global, at);
                self.program.globals.push(id);
                if !is_static {
                    self.linked.insert(name.clone(), Symbol::Variable(id));
                }
                id
            }
        };
        let scope = if self.at_file_scope() { 0 } else { self.scopes.len() - 1 };
        let symbol = view.map_or(Symbol::Variable(id), |kind| Symbol::View(id, kind));
        self.scopes[scope].symbols.insert(name.clone(), symbol);
        let info = self.globals.entry(id).or_insert(GlobalInfo { initialised: None, defined: false });
        info.defined |= !is_extern || declared.initializer.is_some();
        if declared.initializer.is_some() {
            if let Some(first) = info.initialised {
                let first = self.program.sources.describe(first);
                return self.wrong(declared.span, format!("`{name}` is defined twice (first at {first})"));
            }
            info.initialised = Some(at);
            self.program.variables[id.0 as usize].location = at;
        }
        self.initialise_global(id, declared.initializer, at)
    }

    fn unite_global(&mut self, id: VarId, ty: &Type, name: &str, span: Span) -> Lowered<()> {
        let known = &self.program.variable(id).ty;
        if !similar(known, ty) {
            let (known, ty) = (self.type_name(known), self.type_name(ty));
            let first = self.program.sources.describe(self.program.variable(id).location);
            let message = if known == ty {
                format!("`{name}` has the type `{ty}` here, which is another one than `{known}` at {first}")
            } else {
                format!("`{name}` has the type `{ty}` here, and `{known}` at {first}")
            };
            return self.wrong(span, message);
        }
        if matches!(known, Type::Array(_, Length::Unknown)) {
            self.program.variables[id.0 as usize].ty = ty.clone();
        }
        Ok(())
    }

    /// The kind of the integers of a declared type, if it is the variable's with the other sign.
    fn other_sign(&self, id: VarId, ty: &Type) -> Option<IntKind> {
        let known = &self.program.variable(id).ty;
        let (here, there) = (element_kind(ty)?, element_kind(known)?);
        (here != there && unsigned(here) == unsigned(there)).then_some(here)
    }

    /// Declares a variable of another file with integers of a kind of the other sign.
    ///
    /// **Sound**: C leaves such declarations undefined (C11 6.2.7p2), but not accesses to an object
    /// by the other sign (6.5p7). This file accesses the object through a pointer of its own type,
    /// see [`Lowerer::lvalue`].
    fn view_global(&mut self, id: VarId, kind: IntKind, ty: &Type, name: &str, span: Span) -> Lowered<()> {
        let sentence = "declarations of a variable that differ in the sign of its type mean one variable";
        self.program.assume_that(Assumption::about(sentence, name));
        let there = element_kind(&self.program.variable(id).ty).unwrap_or(kind);
        if element_kind(ty) != Some(kind) {
            let (ty, kind) = (self.type_name(ty), kind.c_name());
            return self.wrong(span, format!("`{name}` has the type `{ty}` here, and is of `{kind}` before"));
        }
        self.unite_global(id, &with_kind(ty, there), name, span)
    }

    /// Declares a function in the innermost scope, and links it.
    pub(super) fn declare_function(
        &mut self,
        name: &str,
        signature: Rc<Signature>,
        is_static: bool,
        at: Location,
        span: Span,
    ) -> Lowered<FunctionId> {
        let known = self.scopes[0].symbols.get(name).cloned();
        let known = known.or_else(|| if is_static { None } else { self.linked.get(name).cloned() });
        let aliased = self.aliased(name, &signature, at, span)?;
        let here = self.scopes[0].symbols.contains_key(name);
        let is_of_others = aliased.is_none() && !here && !self.is_known_name(name);
        let id = match known.or(aliased.map(Symbol::Function)) {
            Some(Symbol::Function(id)) => {
                let united = self.unite_function(id, &signature, name, span);
                let id = match united {
                    Err(contradiction) if is_of_others => {
                        self.other_function(name, signature, (at, span), (id, contradiction))
                    }
                    united => united.map(|()| id)?,
                };
                if aliased.is_some() && !is_static {
                    self.linked.insert(name.to_owned(), Symbol::Function(id));
                }
                id
            }
            Some(_) => return self.wrong(span, format!("`{name}` is declared twice, as different things")),
            None => {
                let info = FunctionInfo { signature, defined: None, declared: true };
                let id = self.add_function(name, info, at);
                if !is_static {
                    self.linked.insert(name.to_owned(), Symbol::Function(id));
                }
                id
            }
        };
        for scope in [0, self.scopes.len() - 1] {
            self.scopes[scope].symbols.insert(name.to_owned(), Symbol::Function(id));
        }
        Ok(id)
    }

    pub(super) fn unite_function(
        &mut self,
        id: FunctionId,
        new: &Rc<Signature>,
        name: &str,
        span: Span,
    ) -> Lowered<()> {
        let info = &mut self.functions[id.0 as usize];
        let first = self.program.functions[id.0 as usize].location;
        let united = if info.declared { info.signature.unite(new).map(Rc::new) } else { Some(new.clone()) };
        let Some(united) = united else {
            let first = self.program.sources.describe(first);
            let message = format!("the declaration of `{name}` contradicts the one at {first}");
            return self.fail(InputErrorKind::Semantic, span, message);
        };
        info.declared = true;
        let function = &mut self.program.functions[id.0 as usize];
        function.result = united.result.ty.clone();
        function.variadic = united.variadic;
        info.signature = united;
        Ok(())
    }
}

/// The kind of an integer, or of the elements of an array of integers.
fn element_kind(ty: &Type) -> Option<IntKind> {
    match ty {
        Type::Int(kind) => Some(*kind),
        Type::Array(element, _) => element_kind(element),
        _ => None,
    }
}

/// The same type with integers of another kind.
pub(super) fn with_kind(ty: &Type, kind: IntKind) -> Type {
    match ty {
        Type::Int(_) => Type::Int(kind),
        Type::Array(element, length) => Type::Array(Box::new(with_kind(element, kind)), *length),
        other => other.clone(),
    }
}

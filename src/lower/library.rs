//! The model of the C library: what some of its functions do, as C (`src/library`).
//!
//! The files are read like those of the program, but only if it calls one of their functions and
//! does not define it. Their names are known to such calls alone, so that nothing that the program
//! declares is in their way. Each engine knows these functions by their bodies.

use super::context::{FunctionInfo, Lowered, Lowerer, Scope, Symbol};
use super::declarators::Lengths;
use super::error::InputError;
use super::functions::declared_name;
use super::order::Footprint;
use super::parse::{self, Unit};
use super::preprocess;
use super::prints;
use super::signatures::Signature;
use crate::program::{Assumption, Callee, DataModel, Expr, FunctionId, SourceFile, SourceMap, StmtKind, Type};
use lang_c::ast::{CallExpression, ExternalDeclaration, FunctionDefinition};
use lang_c::span::{Node, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const CTYPE: &str = "<library>/ctype.c";
const STDIO: &str = "<library>/stdio.c";
const STDLIB: &str = "<library>/stdlib.c";

/// The files that come with smalti.
const FILES: [(&str, &str); 6] = [
    ("<library>/atexit.c", include_str!("../library/atexit.c")),
    (CTYPE, include_str!("../library/ctype.c")),
    ("<library>/paths.c", include_str!("../library/paths.c")),
    (STDIO, include_str!("../library/stdio.c")),
    (STDLIB, include_str!("../library/stdlib.c")),
    ("<library>/string.c", include_str!("../library/string.c")),
];

/// The functions of the library.
#[derive(Default)]
pub(super) struct Library<'u> {
    /// Which are modelled, and where.
    functions: BTreeMap<&'u str, Modelled<'u>>,
    /// The names at the level of the files.
    scopes: BTreeMap<usize, Scope>,
    /// Those that are called, and not yet lowered.
    called: BTreeSet<&'u str>,
}

#[derive(Clone, Copy)]
struct Modelled<'u> {
    id: FunctionId,
    unit: usize,
    definition: &'u Node<FunctionDefinition>,
}

/// Reads the files of a library, those of a folder if there is one, if the program has a word that
/// names a function of theirs.
///
/// # Errors
/// A folder or a file that cannot be read, or that is not C.
pub(super) fn read(folder: Option<&Path>, program: &[Unit], sources: &mut SourceMap) -> Result<Vec<Unit>, InputError> {
    let mut texts: Vec<(String, Vec<u8>)> = Vec::new();
    match folder {
        Some(folder) => {
            for path in preprocess::c_files(folder)? {
                texts.push((path.display().to_string(), preprocess::read(&path)?));
            }
        }
        None => texts.extend(FILES.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))),
    }
    let mut found = Vec::new();
    for (name, text) in texts {
        let mut with = sources.clone();
        with.files.push(SourceFile { name, text: String::from_utf8_lossy(&text).into_owned().into(), own: false });
        let unit = parse::unit(text, sources.files.len() as u32, &mut with)?;
        let is_named = |f: &Node<FunctionDefinition>| {
            let name = declared_name(&f.node.declarator).map(|name| name.node.name.as_str());
            // Macros of the system's headers use names of the implementation.
            let is_in = |unit: &Unit, name: &str| {
                unit.own_words.contains(name)
                    || name.starts_with("__") && unit.clean.contains(name)
                    || name == "strlen" && unit.own_words.iter().any(|word| prints::print_of(word).is_some())
            };
            name.is_some_and(|name| program.iter().any(|unit| is_in(unit, name)))
        };
        if definitions(&unit).any(is_named) {
            *sources = with;
            found.push(Unit { is_library: true, ..unit });
        }
    }
    Ok(found)
}

fn definitions(unit: &Unit) -> impl Iterator<Item = &Node<FunctionDefinition>> {
    unit.tree.0.iter().filter_map(|declaration| match &declaration.node {
        ExternalDeclaration::FunctionDefinition(f) => Some(f),
        _ => None,
    })
}

impl<'u> Lowerer<'u> {
    /// Declares the functions of the library, before any other file is lowered.
    pub(super) fn declare_library(&mut self) -> Lowered<()> {
        for (n, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.is_library) {
            self.enter(n, Scope::default());
            for declaration in &unit.tree.0 {
                match &declaration.node {
                    ExternalDeclaration::Declaration(d) => self.declaration(d)?,
                    ExternalDeclaration::StaticAssert(a) => self.static_assert(a)?,
                    ExternalDeclaration::FunctionDefinition(f) => self.declare_modelled(n, f)?,
                }
            }
            self.library.scopes.insert(n, self.scopes.swap_remove(0));
        }
        Ok(())
    }

    fn declare_modelled(&mut self, unit: usize, definition: &'u Node<FunctionDefinition>) -> Lowered<()> {
        let Some(name) = declared_name(&definition.node.declarator) else { return Ok(()) };
        let node = &definition.node;
        let head = Span::span(definition.span.start, node.statement.span.start);
        let specifiers = self.specifiers(&node.specifiers, head)?;
        let (_, ty) = self.declarator(specifiers.ty, &node.declarator, Lengths::Constant)?;
        let Some(signature) = ty.signature else { return Ok(()) };
        let at = self.at(name.span);
        let text = name.node.name.as_str();
        let id = self.add_function(text, FunctionInfo { signature, defined: None, declared: true }, at);
        self.scopes[0].symbols.insert(text.to_owned(), Symbol::Function(id));
        self.library.functions.insert(text, Modelled { id, unit, definition });
        Ok(())
    }

    /// Lowers the functions of the library that are called, after all other files.
    pub(super) fn lower_library(&mut self) -> Lowered<()> {
        while let Some(name) = self.library.called.pop_first() {
            let Some(Modelled { id, unit, definition }) = self.library.functions.get(name).copied() else { continue };
            if self.functions[id.0 as usize].defined.is_some() {
                continue;
            }
            let scope = self.library.scopes.remove(&unit).unwrap_or_default();
            self.enter(unit, scope);
            self.read_annotations();
            self.function_definition(definition)?;
            self.library.scopes.insert(unit, self.scopes.swap_remove(0));
        }
        Ok(())
    }

    /// The function of the library that a call means, if it is modelled.
    pub(super) fn modelled(&self, name: &str) -> Option<FunctionId> {
        let Modelled { id, unit, .. } = self.library.functions.get(name)?;
        if *unit == self.unit_number {
            return Some(*id);
        }
        let declared = match self.lookup(name) {
            Some(Symbol::Function(declared)) => *declared,
            _ => return None,
        };
        // The bits in its table are where macros of little endian machines look for them.
        let is_elsewhere = name == "__ctype_b_loc" && self.options.representation.big_endian;
        let is_other = is_elsewhere
            || self.definitions.has_body(self.unit_number, name)
            || self.has_contract(declared)
            || self.sets_errno(*id) && self.is_a_variable("errno");
        let fits = fits(
            &self.functions[declared.0 as usize].signature,
            &self.functions[id.0 as usize].signature,
            self.model(),
        );
        (!is_other && fits).then_some(*id)
    }

    /// A call of a function of the library. The value is `void` if there is none.
    pub(super) fn modelled_call(&mut self, name: &str, id: FunctionId, call: &Node<CallExpression>) -> Lowered<Expr> {
        let at = self.at(call.span);
        let declared = match self.lookup(name) {
            Some(Symbol::Function(declared)) => self.functions[declared.0 as usize].signature.result.ty.clone(),
            _ => Type::Void,
        };
        let signature = self.functions[id.0 as usize].signature.clone();
        let known = self.library.functions.get_key_value(name).map(|(name, _)| *name);
        self.library.called.extend(known);
        self.assume_of(name, id);
        let arguments = self.arguments(&call.node.arguments, &signature, Footprint::default(), call.span)?;
        let callee = Callee::Function(id);
        if signature.result.ty == Type::Void {
            self.emit(StmtKind::Call { target: None, callee, arguments }, at);
            return Ok(super::expressions::void(at));
        }
        let temporary = self.temporary(signature.result.ty.clone(), at);
        self.emit(StmtKind::Call { target: Some(temporary.clone()), callee, arguments }, at);
        self.convert(Expr::load(temporary), &declared, call.span)
    }

    /// The function of the model with that name, which the program calls.
    pub(super) fn model_of(&mut self, name: &str) -> Option<FunctionId> {
        let (name, modelled) = self.library.functions.get_key_value(name)?;
        self.library.called.insert(*name);
        Some(modelled.id)
    }

    /// The file of the model that has a function, if it comes with smalti.
    fn file_of(&self, id: FunctionId) -> Option<&'static str> {
        let file = self.program.sources.file(self.program.function(id).location.file);
        FILES.iter().map(|(name, _)| *name).find(|name| *name == &*file.name)
    }

    /// Whether a function may change `errno`, which its model does not.
    fn sets_errno(&self, id: FunctionId) -> bool {
        matches!(self.file_of(id), Some(STDIO | STDLIB))
    }

    fn is_a_variable(&self, name: &str) -> bool {
        matches!(self.lookup(name).or_else(|| self.linked.get(name)), Some(Symbol::Variable(_) | Symbol::View(..)))
    }

    /// Whether the program looks at `errno`. Its macro calls a function, which is declared, too.
    fn reads_errno(&self) -> bool {
        let called = |text: &str| text.matches("__errno_location").count() > 1;
        self.units.iter().any(|unit| unit.own_words.contains("errno") || called(&unit.clean))
    }

    /// Lists what the model of a function relies on.
    fn assume_of(&mut self, name: &str, id: FunctionId) {
        let by_locale = matches!(name, "strcasecmp" | "strncasecmp");
        if by_locale || matches!(self.file_of(id), Some(CTYPE | STDLIB)) && name != "bsearch" {
            self.assume_that("the locale is \"C\"");
        }
        if self.sets_errno(id) && self.reads_errno() {
            self.assume_that("what the C library writes to `errno` is read through its macro");
        }
        if matches!(name, "getchar" | "getc" | "fgetc") {
            self.assume_that("`EOF` is -1");
        }
        if name == "strtok_r" && !self.unit.is_library {
            self.assume_that("`strtok_r` stores no null pointer");
        }
        if matches!(name, "strcpy" | "stpcpy" | "strncpy" | "strcat" | "strncat") {
            self.assume_that(Assumption::about("a copy of a string does not overlap with it", name));
        }
    }

    /// Goes on with a file.
    pub(super) fn enter(&mut self, unit: usize, scope: Scope) {
        self.unit = &self.units[unit];
        self.unit_number = unit;
        self.scopes = vec![scope];
    }
}

/// Whether calls by one signature can be calls by another: pointers stand where pointers do, to
/// characters where they do, and integers where integers do.
fn fits(declared: &Signature, modelled: &Signature, model: DataModel) -> bool {
    let alike = |declared: &Type, modelled: &Type| match (declared, modelled) {
        (Type::Pointer(to), Type::Pointer(text)) if is_character(text, model) => is_character(to, model),
        (Type::Pointer(_), Type::Pointer(_)) | (Type::Int(_), Type::Int(_)) | (Type::Void, Type::Void) => true,
        _ => false,
    };
    let (Some(given), Some(wanted)) = (&declared.parameters, &modelled.parameters) else { return false };
    alike(&declared.result.ty, &modelled.result.ty)
        && !declared.variadic
        && given.len() == wanted.len()
        && given.iter().zip(wanted).all(|(a, b)| alike(&a.ty, &b.ty))
}

fn is_character(ty: &Type, model: DataModel) -> bool {
    matches!(ty, Type::Int(kind) if kind.width(model) == 8)
}

//! Types as declarations write them: specifiers, enums, declarators.

use super::clean::Attribute;
use super::context::{Lowered, Lowerer, Symbol, Tag};
use super::conversions::unsigned;
use super::names::OTHER_ALIAS;
use super::signatures::{DeclaredType, Signature};
use crate::program::{FloatKind, IntKind, Length, Origin, Packing, StmtKind, Type};
use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis, EnumType, Expression,
    FunctionSpecifier, Identifier, ParameterDeclaration, PointerQualifier, SpecifierQualifier, StorageClassSpecifier,
    TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// The result of the specifiers of a declaration.
pub(super) struct Specifiers {
    pub(super) ty: DeclaredType,
    pub(super) storage: Option<StorageClassSpecifier>,
    pub(super) inline: bool,
    pub(super) constant: bool,
    pub(super) no_return: bool,
}

/// Which array lengths may stand in a declarator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lengths {
    /// Constants alone (file scope, members, statics).
    Constant,
    /// Any expression, evaluated here.
    Variable,
    /// Any expression, not evaluated (parameters of prototypes).
    Prototype,
}

impl Lowerer<'_> {
    pub(super) fn specifiers(&mut self, list: &[Node<DeclarationSpecifier>], span: Span) -> Lowered<Specifiers> {
        let (mut types, mut storage, mut inline) = (Vec::new(), None, false);
        let (mut constant, mut no_return) = (false, false);
        for specifier in list {
            match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(t) => types.push(t),
                DeclarationSpecifier::StorageClass(s) => storage = Some(s.node.clone()),
                DeclarationSpecifier::Function(f) => {
                    inline |= f.node == FunctionSpecifier::Inline;
                    no_return |= f.node == FunctionSpecifier::Noreturn;
                }
                // It determines where an object lies; nothing here depends on that. (Members have
                // none in the parser's grammar.)
                DeclarationSpecifier::Alignment(_) => {}
                DeclarationSpecifier::TypeQualifier(q) => {
                    constant |= q.node == TypeQualifier::Const;
                    self.qualifier(q)?;
                }
                DeclarationSpecifier::Extension(_) => {}
            }
        }
        let mut ty = self.base_type(&types, span)?;
        ty.constant |= constant;
        for attribute in self.unit.attributes(span) {
            match attribute {
                Attribute::Mode(_) | Attribute::ModeWord if storage != Some(StorageClassSpecifier::Typedef) => {
                    return self.unsupported(span, "a machine mode is supported in a `typedef` only");
                }
                Attribute::Mode(bits) => ty.ty = self.with_mode(&ty.ty, bits),
                Attribute::ModeWord => ty.ty = self.with_mode(&ty.ty, self.model().pointer_width()),
                Attribute::Layout if storage != Some(StorageClassSpecifier::Typedef) => {}
                Attribute::Layout => match ty.ty {
                    // Members of this type are more aligned than others of the same struct.
                    Type::Struct(id) => self.program.structs[id.0 as usize].packing = Packing::Unknown,
                    _ => return self.unsupported(span, "an aligned type is not supported"),
                },
                // Of types, it means something after the members alone.
                Attribute::Packed | Attribute::Weak => {}
                Attribute::NoReturn => no_return = true,
                Attribute::Alias(..) if self.definitions.is_alias(self.unit_number, attribute) => {}
                Attribute::Alias(..) => return self.unsupported(span, OTHER_ALIAS),
                Attribute::Unsupported(what) => return self.unsupported(span, format!("{what} is not supported")),
            }
        }
        Ok(Specifiers { ty, storage, inline, constant, no_return })
    }

    fn with_mode(&self, ty: &Type, bits: u32) -> Type {
        let Type::Int(kind) = ty else { return ty.clone() };
        let mode = match bits {
            8 => IntKind::SChar,
            16 => IntKind::Short,
            32 => IntKind::Int,
            _ if self.model().pointer_width() == 64 => IntKind::Long,
            _ => IntKind::LongLong,
        };
        Type::Int(if kind.is_signed() { mode } else { unsigned(mode) })
    }

    fn qualifier(&mut self, qualifier: &Node<TypeQualifier>) -> Lowered<()> {
        match qualifier.node {
            TypeQualifier::Volatile if !self.unit.lines.is_system(qualifier.span.start) => {
                self.program.assume_that("nothing outside of the program changes `volatile` objects");
                Ok(())
            }
            TypeQualifier::Atomic => self.unsupported(qualifier.span, "atomic types are not supported"),
            _ => Ok(()),
        }
    }

    pub(super) fn qualified(&mut self, list: &[Node<SpecifierQualifier>], span: Span) -> Lowered<DeclaredType> {
        let (mut types, mut constant) = (Vec::new(), false);
        for specifier in list {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(t) => types.push(t),
                SpecifierQualifier::TypeQualifier(q) => {
                    constant |= q.node == TypeQualifier::Const;
                    self.qualifier(q)?;
                }
                SpecifierQualifier::Extension(_) => {}
            }
        }
        for attribute in self.unit.attributes(span) {
            match attribute {
                Attribute::Packed | Attribute::Layout | Attribute::Weak | Attribute::NoReturn => {}
                Attribute::Mode(_) | Attribute::ModeWord => {
                    return self.unsupported(span, "a machine mode is supported in a `typedef` only");
                }
                Attribute::Alias(..) => return self.unsupported(span, OTHER_ALIAS),
                Attribute::Unsupported(what) => return self.unsupported(span, format!("{what} is not supported")),
            }
        }
        let mut ty = self.base_type(&types, span)?;
        ty.constant |= constant;
        Ok(ty)
    }

    /// The type of a type name (casts, `sizeof`, compound literals).
    pub(super) fn named_type(&mut self, name: &Node<TypeName>, lengths: Lengths) -> Lowered<DeclaredType> {
        let base = self.qualified(&name.node.specifiers, name.span)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(base, declarator, lengths)?.1),
            None => Ok(base),
        }
    }

    fn base_type(&mut self, types: &[&Node<TypeSpecifier>], span: Span) -> Lowered<DeclaredType> {
        let (mut char_, mut short, mut int, mut long, mut signed, mut unsigned_) = (0, 0, 0, 0, 0, 0);
        let (mut double, mut other) = (0, None);
        for t in types {
            match &t.node {
                TypeSpecifier::Char => char_ += 1,
                TypeSpecifier::Short => short += 1,
                TypeSpecifier::Int => int += 1,
                TypeSpecifier::Long => long += 1,
                TypeSpecifier::Signed => signed += 1,
                TypeSpecifier::Unsigned => unsigned_ += 1,
                TypeSpecifier::Double => double += 1,
                _ if other.is_some() => return self.wrong(t.span, "two types in one declaration"),
                specifier => other = Some(self.single_type(specifier, t.span)?),
            }
        }
        let words = char_ + short + int + long + signed + unsigned_ + double;
        if let Some(other) = other {
            return if words == 0 { Ok(other) } else { self.wrong(span, "two types in one declaration") };
        }
        let kind = match (char_, short, int, long, signed, unsigned_, double) {
            (0, 0, 0, 0, 0, 0, 1) => return Ok(DeclaredType::plain(Type::Float(FloatKind::Double))),
            (0, 0, 0, 1, 0, 0, 1) => return Ok(DeclaredType::plain(Type::Float(FloatKind::LongDouble))),
            (1, 0, 0, 0, 0, 0, 0) => self.plain_char(),
            (1, 0, 0, 0, 1, 0, 0) => IntKind::SChar,
            (1, 0, 0, 0, 0, 1, 0) => IntKind::UChar,
            (0, 1, 0 | 1, 0, 0 | 1, 0, 0) => IntKind::Short,
            (0, 1, 0 | 1, 0, 0, 1, 0) => IntKind::UShort,
            (0, 0, 1, 0, 0 | 1, 0, 0) | (0, 0, 0, 0, 0 | 1, 0, 0) => IntKind::Int,
            (0, 0, 0 | 1, 0, 0, 1, 0) => IntKind::UInt,
            (0, 0, 0 | 1, 1, 0 | 1, 0, 0) => IntKind::Long,
            (0, 0, 0 | 1, 1, 0, 1, 0) => IntKind::ULong,
            (0, 0, 0 | 1, 2, 0 | 1, 0, 0) => IntKind::LongLong,
            (0, 0, 0 | 1, 2, 0, 1, 0) => IntKind::ULongLong,
            _ => return self.wrong(span, "this combination of type words is not a type"),
        };
        Ok(DeclaredType::plain(Type::Int(kind)))
    }

    fn single_type(&mut self, specifier: &TypeSpecifier, span: Span) -> Lowered<DeclaredType> {
        let plain = |ty| Ok(DeclaredType::plain(ty));
        match specifier {
            TypeSpecifier::Void => plain(Type::Void),
            TypeSpecifier::Bool => plain(Type::Int(IntKind::Bool)),
            TypeSpecifier::Float => plain(Type::Float(FloatKind::Float)),
            TypeSpecifier::TS18661Float(t) => plain(Type::Float(self.extended_float(t, span)?)),
            TypeSpecifier::Struct(s) => plain(Type::Struct(self.structure(s)?)),
            TypeSpecifier::Enum(e) => plain(Type::Int(self.enumeration(e)?)),
            TypeSpecifier::TypedefName(name) => match self.lookup(&name.node.name) {
                Some(Symbol::Typedef(ty)) => Ok(ty.clone()),
                _ if name.node.name == "__builtin_va_list" => {
                    let list = match self.argument_list {
                        Some(list) => list,
                        None => self.add_struct("__va_list".into(), false, self.at(span)),
                    };
                    self.program.structs[list.0 as usize].is_argument_list = true;
                    self.argument_list = Some(list);
                    plain(Type::Struct(list).pointer_to())
                }
                _ => self.wrong(span, format!("`{}` is not a type here", name.node.name)),
            },
            TypeSpecifier::TypeOf(t) => match &t.node {
                TypeOf::Type(name) => self.named_type(name, Lengths::Variable),
                // The parser takes a type's name for an expression.
                TypeOf::Expression(e) => match &e.node {
                    Expression::Identifier(i) => match self.lookup(&i.node.name) {
                        Some(Symbol::Typedef(ty)) => Ok(ty.clone()),
                        _ => self.type_of(e),
                    },
                    _ => self.type_of(e),
                },
            },
            TypeSpecifier::Complex => self.unsupported(span, "complex numbers are not supported"),
            TypeSpecifier::Atomic(_) => self.unsupported(span, "atomic types are not supported"),
            _ => self.wrong(span, "this type is not understood"),
        }
    }

    fn enumeration(&mut self, node: &Node<EnumType>) -> Lowered<IntKind> {
        let tag = node.node.identifier.as_ref().map(|t| t.node.name.clone());
        if node.node.enumerators.is_empty() {
            return match tag.as_deref().and_then(|t| self.lookup_tag(t)) {
                Some(Tag::Enum(kind)) => Ok(kind),
                // gcc lets an enum be named before it is defined; its constants are not known then.
                _ => Ok(IntKind::UInt),
            };
        }
        if self.unit.attributes(node.span).any(|a| matches!(a, Attribute::Packed | Attribute::Layout)) {
            return self.unsupported(node.span, "an enum with the attribute `packed` or `aligned` is not supported");
        }
        let (mut least, mut greatest) = (0i128, 0i128);
        let mut next = (0i128, IntKind::Int);
        let mut values = Vec::new();
        let int = |value: i128, l: &Self| IntKind::Int.wrap(value, l.model()) == value;
        for enumerator in &node.node.enumerators {
            if let Some(value) = &enumerator.node.expression {
                let number = self.integer_constant(value)?;
                let kind =
                    self.unevaluated(|l| l.rvalue(value))?.ty.as_int().map_or(IntKind::Int, |k| self.promoted(k));
                next = (number, kind);
            }
            let name = &enumerator.node.identifier.node.name;
            self.refuse_shadowed_typedef(name, enumerator.span)?;
            // A value that fits is an int. Any other has the type of the expression that it is
            // computed from, until the enum is complete.
            let (value, kind) = (next.0, if int(next.0, self) { IntKind::Int } else { next.1 });
            if value > kind.max(self.model()) {
                return self.unsupported(
                    enumerator.span,
                    "this constant would exceed the largest value of the type of the previous one",
                );
            }
            self.scope().symbols.insert(name.clone(), Symbol::Enumerator(value, kind));
            values.push((name.clone(), value));
            (least, greatest) = (least.min(value), greatest.max(value));
            next = (value + 1, kind);
        }
        // As gcc chooses.
        let kinds = if least < 0 {
            [IntKind::Int, IntKind::Long, IntKind::LongLong]
        } else {
            [IntKind::UInt, IntKind::ULong, IntKind::ULongLong]
        };
        let fits = |k: &IntKind| (*k).min(self.model()) <= least && greatest <= (*k).max(self.model());
        let Some(kind) = kinds.into_iter().find(fits) else {
            return self.wrong(node.span, "the values of this enum fit no integer type");
        };
        let small = values.iter().filter(|(_, value)| int(*value, self)).count();
        if small > 0 && small < values.len() {
            self.program
                .assume_that("in an enum that `int` cannot hold, constants that it can hold have the type `int`");
        }
        for (name, value) in values {
            if !int(value, self) {
                self.scope().symbols.insert(name, Symbol::Enumerator(value, kind));
            }
        }
        if let Some(tag) = tag {
            self.scope().tags.insert(tag, Tag::Enum(kind));
        }
        Ok(kind)
    }

    /// Refuses a parameter or an enumerator that hides a type: lang-c does not notice this, and
    /// would parse `(T)+1` as a cast.
    pub(super) fn refuse_shadowed_typedef(&self, name: &str, span: Span) -> Lowered<()> {
        match self.lookup(name) {
            Some(Symbol::Typedef(_)) => {
                self.unsupported(span, format!("`{name}` hides a type of that name: rename it"))
            }
            _ => Ok(()),
        }
    }

    /// Applies a declarator to a type; returns what it declares.
    pub(super) fn declarator<'d>(
        &mut self,
        base: DeclaredType,
        declarator: &'d Node<Declarator>,
        lengths: Lengths,
    ) -> Lowered<(Option<&'d Node<Identifier>>, DeclaredType)> {
        let mut ty = base;
        let derived = &declarator.node.derived;
        for d in derived {
            match &d.node {
                DerivedDeclarator::Pointer(qualifiers) => {
                    ty = ty.pointer_to();
                    ty.constant = qualifiers.iter().any(|q| is(&q.node, &TypeQualifier::Const));
                    let restricted = qualifiers.iter().find(|q| is(&q.node, &TypeQualifier::Restrict));
                    if restricted.is_some_and(|q| !self.unit.lines.is_system(q.span.start)) {
                        self.program.assume_that("what a `restrict` pointer points to is changed only through it");
                    }
                }
                DerivedDeclarator::Block(_) => return self.unsupported(d.span, "blocks are not supported"),
                _ => {}
            }
        }
        for d in derived.iter().rev() {
            match &d.node {
                DerivedDeclarator::Array(array) => {
                    let open = lengths == Lengths::Prototype && matches!(ty.ty, Type::Array(..));
                    if !self.is_complete(&ty.ty) && !open {
                        let name = self.type_name(&ty.ty);
                        return self.wrong(d.span, format!("an array of the incomplete type `{name}`"));
                    }
                    let length = match &array.node.size {
                        ArraySize::Unknown | ArraySize::VariableUnknown => Length::Unknown,
                        ArraySize::VariableExpression(e) => self.length(e, lengths)?,
                        ArraySize::StaticExpression(e) => {
                            self.program.assume_that("arguments have as many elements as `static` in a parameter says");
                            self.length(e, lengths)?
                        }
                    };
                    ty.ty = Type::Array(Box::new(ty.ty), length);
                }
                DerivedDeclarator::Function(f) => {
                    let parameters = self.prototype(&f.node.parameters)?;
                    let variadic = f.node.ellipsis == Ellipsis::Some;
                    ty = self.function_type(Some(parameters), variadic, ty, d.span)?;
                }
                DerivedDeclarator::KRFunction(_) => ty = self.function_type(None, false, ty, d.span)?,
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => {}
            }
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Abstract => Ok((None, ty)),
            DeclaratorKind::Identifier(name) => Ok((Some(name), ty)),
            DeclaratorKind::Declarator(inner) => self.declarator(ty, inner, lengths),
        }
    }

    fn function_type(
        &mut self,
        parameters: Option<Vec<DeclaredType>>,
        variadic: bool,
        result: DeclaredType,
        span: Span,
    ) -> Lowered<DeclaredType> {
        if matches!(result.ty, Type::Array(..) | Type::Function) {
            return self.wrong(span, "a function returns neither an array nor a function");
        }
        let signature = Some(Rc::new(Signature { parameters, variadic, result }));
        Ok(DeclaredType { ty: Type::Function, signature, constant: false })
    }

    fn prototype(&mut self, parameters: &[Node<ParameterDeclaration>]) -> Lowered<Vec<DeclaredType>> {
        self.scoped(|l| {
            let mut types = Vec::new();
            for parameter in parameters {
                let base = l.specifiers(&parameter.node.specifiers, parameter.span)?.ty;
                let ty = match &parameter.node.declarator {
                    Some(d) => l.declarator(base, d, Lengths::Prototype)?.1,
                    None => base,
                };
                if ty.ty == Type::Void && parameters.len() == 1 {
                    break;
                }
                types.push(as_parameter(ty));
            }
            Ok(types)
        })
    }

    fn length(&mut self, expr: &Node<Expression>, lengths: Lengths) -> Lowered<Length> {
        let constant = match self.try_constant(expr) {
            // The names of a prototype's parameters are not in scope here.
            Err(_) if lengths == Lengths::Prototype => return Ok(Length::Unknown),
            other => other?,
        };
        if let Some(n) = constant {
            return match u64::try_from(n) {
                Ok(n) if i128::from(n) <= self.model().difference_type().max(self.model()) => Ok(Length::Constant(n)),
                _ => self.wrong(expr.span, format!("an array cannot have {n} elements")),
            };
        }
        match lengths {
            Lengths::Prototype => Ok(Length::Unknown),
            Lengths::Constant => self.wrong(expr.span, "the length of this array has to be a constant"),
            Lengths::Variable => {
                let value = self.rvalue(expr)?;
                if !matches!(value.ty, Type::Int(_)) {
                    return self.wrong(expr.span, "the length of an array has to be an integer");
                }
                let ty = self.difference_type();
                let value = self.convert(value, &ty, expr.span)?;
                let at = self.at(expr.span);
                let variable = self.hidden_variable("len".into(), Origin::Length, ty, at);
                let id = variable.as_var();
                self.emit(StmtKind::Assign(variable, value), at);
                Ok(id.map_or(Length::Unknown, Length::Variable))
            }
        }
    }
}

fn is(qualifier: &PointerQualifier, wanted: &TypeQualifier) -> bool {
    matches!(qualifier, PointerQualifier::TypeQualifier(q) if q.node == *wanted)
}

/// The type of a parameter that is declared with this type.
pub(super) fn as_parameter(declared: DeclaredType) -> DeclaredType {
    let DeclaredType { ty, signature, constant } = declared;
    // `const` elements of an array do not make the parameter `const`: it is a pointer.
    let constant = constant && !matches!(ty, Type::Array(..));
    let ty = match ty {
        Type::Array(element, _) => element.pointer_to(),
        Type::Function => Type::Function.pointer_to(),
        ty => ty,
    };
    DeclaredType { ty, signature, constant }
}

/// Whether this declares a `restrict` pointer.
pub(super) fn is_restricted(declarator: &Node<Declarator>) -> bool {
    match declarator.node.derived.last().map(|d| &d.node) {
        Some(DerivedDeclarator::Pointer(qualifiers)) => {
            qualifiers.iter().any(|q| is(&q.node, &TypeQualifier::Restrict))
        }
        _ => false,
    }
}

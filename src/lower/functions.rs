//! Function definitions.

use super::clean::Attribute;
use super::context::{FunctionState, Lowered, Lowerer, Symbol};
use super::declarators::{Lengths, as_parameter, is_restricted};
use super::error::InputErrorKind;
use super::signatures::{DeclaredType, Signature};
use crate::program::{Expr, FunctionId, IntKind, Origin, Storage, Type, VarId};
use lang_c::ast::{
    BlockItem, Declaration, Declarator, DeclaratorKind, DerivedDeclarator, Expression, FunctionDefinition, Identifier,
    Statement, StorageClassSpecifier, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use std::collections::{HashMap, HashSet};

/// The declarator that holds the function's name, and what follows the name.
pub(super) fn innermost(declarator: &Node<Declarator>) -> (&Node<Declarator>, Option<&DerivedDeclarator>) {
    let mut inner = declarator;
    while let DeclaratorKind::Declarator(next) = &inner.node.kind.node {
        inner = next;
    }
    let first = inner.node.derived.iter().map(|d| &d.node).find(|d| !matches!(d, DerivedDeclarator::Pointer(_)));
    (inner, first)
}

/// The name that a declarator declares.
pub(super) fn declared_name(declarator: &Node<Declarator>) -> Option<&Node<Identifier>> {
    match &innermost(declarator).0.node.kind.node {
        DeclaratorKind::Identifier(name) => Some(name),
        _ => None,
    }
}

impl Lowerer<'_> {
    pub(super) fn function_definition(&mut self, definition: &Node<FunctionDefinition>) -> Lowered<()> {
        let node = &definition.node;
        // Attributes inside the body belong to what stands there.
        let head = Span::span(definition.span.start, node.statement.span.start);
        let specifiers = self.specifiers(&node.specifiers, head)?;
        let (name, ty) = self.declarator(specifiers.ty, &node.declarator, Lengths::Constant)?;
        let (Some(name), Type::Function, Some(signature)) = (name, &ty.ty, ty.signature.clone()) else {
            return self.wrong(node.declarator.span, "a body may follow the head of a function only");
        };
        if specifiers.no_return {
            self.no_return.insert(name.node.name.clone());
        }
        let at = self.at(name.span);
        let is_static = specifiers.storage == Some(StorageClassSpecifier::Static);
        let (name_span, name) = (name.span, name.node.name.as_str());
        let id = self.declare_function(name, signature.clone(), is_static, at, node.declarator.span)?;
        if let Some(first) = self.functions[id.0 as usize].defined {
            if specifiers.inline {
                return Ok(());
            }
            let first = self.program.sources.describe(first);
            return self.wrong(node.declarator.span, format!("`{name}` is defined twice (first at {first})"));
        }
        self.functions[id.0 as usize].defined = Some(at);
        self.program.functions[id.0 as usize].location = at;
        let is_weak = self.unit.attributes(definition.span).any(|a| a == Attribute::Weak);
        let is_own = !self.unit.lines.is_system(name_span.start);
        if is_weak || (is_own && specifiers.inline && !is_static) {
            // It is used where it is called: in runs that reach it.
            self.assume_that(super::names::only_definition(name).within(name));
        }
        if self.known_role(name).is_some() {
            // Calls of it are specifications; its body is ignored.
            return Ok(());
        }
        if self.unit.lines.is_system(name_span.start) && !self.unit.own_words.contains(name) {
            // A header's helper that the program does not name: its body would only add
            // obligations.
            return Ok(());
        }
        let mut taken = AddressTaken::default();
        taken.visit_function_definition(node, &definition.span);
        self.function = Some(FunctionState {
            name: name.to_owned(),
            result: signature.result.ty.clone(),
            labels: HashMap::new(),
            exits: Vec::new(),
            address_taken: taken.names,
            switches: Vec::new(),
            ensures: super::acsl::Ensures::default(),
            moments: super::acsl::Moments::default(),
        });
        let body = self.scoped_block(|l| l.body(id, definition, &signature));
        let state = self.function.take();
        let (parameters, mut body) = body?;
        let (labels, moments) = state.map(|s| (s.labels, s.moments)).unwrap_or_default();
        moments.finish(&mut body);
        for (label, used) in labels {
            if !used.defined {
                return self.wrong(used.first_use, format!("there is no label `{label}` in `{name}`"));
            }
        }
        let function = &mut self.program.functions[id.0 as usize];
        function.parameters = parameters;
        function.body = Some(body);
        function.result = signature.result.ty.clone();
        Ok(())
    }

    fn body(
        &mut self,
        id: FunctionId,
        definition: &Node<FunctionDefinition>,
        signature: &Signature,
    ) -> Lowered<Vec<VarId>> {
        let node = &definition.node;
        let parameters = match innermost(&node.declarator).1 {
            Some(DerivedDeclarator::Function(f)) => {
                let mut parameters = Vec::new();
                for p in &f.node.parameters {
                    let base = self.specifiers(&p.node.specifiers, p.span)?.ty;
                    let Some(declarator) = &p.node.declarator else {
                        if base.ty == Type::Void && f.node.parameters.len() == 1 {
                            break;
                        }
                        // An unnamed parameter takes its place.
                        let at = self.at(p.span);
                        let name = format!("unnamed{}", parameters.len());
                        let id = self.new_variable(&name, as_parameter(base), Storage::Parameter, at);
                        self.program.variables[id.0 as usize].origin = Origin::Unnamed;
                        parameters.push(id);
                        continue;
                    };
                    let (name, ty) = self.declarator(base, declarator, Lengths::Variable)?;
                    let id = self.parameter(name, ty, p.span)?;
                    if is_restricted(declarator) {
                        self.restricted.insert(id);
                    }
                    parameters.push(id);
                }
                parameters
            }
            Some(DerivedDeclarator::KRFunction(names)) => self.old_parameters(names, &node.declarations)?,
            _ => return self.unsupported(node.declarator.span, "a function whose type is a typedef is not supported"),
        };
        self.contract(id, &parameters)?;
        match &node.statement.node {
            Statement::Compound(items) => self.block_items(items, node.statement.span)?,
            _ => self.statement(&node.statement)?,
        }
        let end = self.unit.lines.location(&self.unit.raw, self.last_brace(node.statement.span));
        if self.program.function(id).name == self.options.entry && signature.result.ty == Type::INT {
            self.return_value(Some(Expr::int(0, IntKind::Int, end)), end);
        } else {
            self.ensured(end);
        }
        Ok(parameters)
    }

    /// The offset of the brace that closes a body.
    fn last_brace(&self, span: Span) -> usize {
        let text = self.unit.clean.as_bytes().get(span.start..span.end).unwrap_or_default();
        span.start + text.iter().rposition(|b| *b == b'}').unwrap_or(0)
    }

    fn parameter(&mut self, name: Option<&Node<Identifier>>, ty: DeclaredType, span: Span) -> Lowered<VarId> {
        let ty = as_parameter(ty);
        if !self.is_complete(&ty.ty) {
            let ty = self.type_name(&ty.ty);
            return self.wrong(span, format!("a parameter of the incomplete type `{ty}`"));
        }
        let (text, span) = name.map_or((String::new(), span), |n| (n.node.name.clone(), n.span));
        self.refuse_shadowed_typedef(&text, span)?;
        let at = self.at(span);
        let id = self.new_variable(&text, ty, Storage::Parameter, at);
        if self.scope().symbols.insert(text.clone(), Symbol::Variable(id)).is_some() {
            return self.wrong(span, format!("two parameters have the name `{text}`"));
        }
        Ok(id)
    }

    /// The parameters of a definition in the style of Kernighan and Ritchie.
    fn old_parameters(
        &mut self,
        names: &[Node<Identifier>],
        declarations: &[Node<Declaration>],
    ) -> Lowered<Vec<VarId>> {
        let mut types: HashMap<String, DeclaredType> = HashMap::new();
        for declaration in declarations {
            let base = self.specifiers(&declaration.node.specifiers, declaration.span)?.ty;
            for d in &declaration.node.declarators {
                let (name, ty) = self.declarator(base.clone(), &d.node.declarator, Lengths::Prototype)?;
                let known = name.filter(|n| names.iter().any(|p| p.node.name == n.node.name));
                let Some(name) = known else {
                    return self.fail(InputErrorKind::Semantic, d.span, "this is not one of the parameters");
                };
                types.insert(name.node.name.clone(), ty);
            }
        }
        let int = DeclaredType::plain(Type::INT);
        names
            .iter()
            .map(|n| self.parameter(Some(n), types.remove(&n.node.name).unwrap_or_else(|| int.clone()), n.span))
            .collect()
    }

    pub(super) fn block_item(&mut self, item: &Node<BlockItem>) -> Lowered<()> {
        match &item.node {
            BlockItem::Declaration(d) => self.declaration(d),
            BlockItem::StaticAssert(a) => self.static_assert(a),
            BlockItem::Statement(s) => self.statement(s),
        }
    }
}

/// The names whose address a function takes.
#[derive(Default)]
struct AddressTaken {
    names: HashSet<String>,
}

impl<'ast> Visit<'ast> for AddressTaken {
    fn visit_unary_operator_expression(&mut self, e: &'ast UnaryOperatorExpression, span: &'ast Span) {
        if let (UnaryOperator::Address, Expression::Identifier(name)) = (&e.operator.node, &e.operand.node) {
            self.names.insert(name.node.name.clone());
        }
        lang_c::visit::visit_unary_operator_expression(self, e, span);
    }
}

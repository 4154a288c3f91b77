//! Specification functions: assertions, assumptions, inputs, ends of the run.
//!
//! A function with a body is analysed by its body, unless it has one of the names below and its
//! body is the known definition for that name. The definition is recognised in the syntax tree. A
//! call of a function whose name means failure is a failure in any case.

use super::context::{Lowered, Lowerer, Symbol};
use super::definitions::Definitions;
use super::functions::{declared_name, innermost};
use super::parse::fold;
use super::preprocess::ASSERT;
use crate::program::{ASSUMING, Assumption, Expr, IntKind, Location, Lvalue, StmtKind, Type};
use lang_c::ast::{
    BinaryOperator, BlockItem, CallExpression, Constant, DerivedDeclarator, Expression, ForInitializer,
    FunctionDefinition, IfStatement, Label, Statement, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

/// What a known function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Its argument must not be 0.
    Assert,
    /// Runs in which its argument is 0 are not considered.
    Assume,
    /// A call of it is a failure.
    Fail,
    /// The run ends.
    Stop,
    /// It returns an input.
    Input,
}

/// The function that the macro `assert` of the C library calls.
pub(super) const ASSERTION_FAILED: &str = "__assert_fail";

fn role_of_name(name: &str) -> Option<Role> {
    Some(match name {
        ASSERT | "assert" | "__VERIFIER_assert" | "__CPROVER_assert" => Role::Assert,
        // The last is what the model of the C library assumes.
        name if ASSUMING.contains(&name) || name == "__builtin_smalti_assume" => Role::Assume,
        "__VERIFIER_error" | "reach_error" | "__assert_fail" | "__assert_rtn" | "__assert_func" => Role::Fail,
        "__assert_perror_fail" => Role::Fail,
        "abort" | "exit" | "_Exit" | "_exit" | "quick_exit" | "__builtin_abort" | "__builtin_trap" => Role::Stop,
        "__builtin_exit" => Role::Stop,
        // The last is what printed programs call.
        name if ["__VERIFIER_nondet_", "nondet_", "smalti_input_"].iter().any(|p| name.starts_with(p)) => Role::Input,
        _ => return None,
    })
}

impl Definitions<'_> {
    /// The call that is the failure when a call of the function of that name fails: its file, the
    /// called function, and its place. `None` if there is no definition, or not exactly one such
    /// call in it.
    pub(super) fn failure(&self, unit: usize, name: &str) -> Option<(usize, String, Span)> {
        let mut at = self.get(unit, name)?;
        // Circular definitions are not known ones.
        for _ in 0..8 {
            let (unit, definition) = at;
            let mut calls = Calls::default();
            calls.visit_function_definition(&definition.node, &definition.span);
            let with = |role: Role| {
                let mut found = calls.found.iter().filter(move |(name, _)| self.role(unit, name) == Some(role));
                found.next().filter(|_| found.next().is_none())
            };
            if let Some((name, span)) = with(Role::Fail) {
                return Some((unit, (*name).to_owned(), *span));
            }
            let (name, span) = with(Role::Assert)?;
            if [ASSERT, "assert"].contains(name) && !self.has_body(unit, name) {
                return Some((unit, ASSERTION_FAILED.to_owned(), *span));
            }
            at = self.get(unit, name)?;
        }
        None
    }

    /// The role of the function of that name, for a call in that file.
    pub(super) fn role(&self, unit: usize, name: &str) -> Option<Role> {
        self.role_within(unit, name, 0)
    }

    fn role_within(&self, unit: usize, name: &str, depth: usize) -> Option<Role> {
        let role = role_of_name(name)?;
        // The name decides what a call means, whatever its body does: what happens after a failure
        // does not matter.
        if role == Role::Fail {
            return Some(role);
        }
        let Some((unit, definition)) = self.get(unit, name) else { return Some(role) };
        // Circular definitions are not known ones.
        if depth > 8 {
            return None;
        }
        let body = Body { definitions: self, unit, depth: depth + 1 };
        let known = match role {
            Role::Assert => body.is_test(definition, Ending::Fails),
            Role::Assume => body.is_test(definition, Ending::Stops),
            Role::Fail | Role::Stop | Role::Input => false,
        };
        known.then_some(role)
    }
}

/// The calls of named functions in a piece of code.
#[derive(Default)]
struct Calls<'u> {
    found: Vec<(&'u str, Span)>,
}

impl<'u> Visit<'u> for Calls<'u> {
    fn visit_call_expression(&mut self, call: &'u CallExpression, span: &'u Span) {
        if let Expression::Identifier(name) = &call.callee.node {
            self.found.push((&name.node.name, *span));
        }
        lang_c::visit::visit_call_expression(self, call, span);
    }
}

/// How a piece of code ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Fails,
    Stops,
    Returns,
    Passes,
    Other,
}

struct Body<'d, 'u> {
    definitions: &'d Definitions<'u>,
    unit: usize,
    depth: usize,
}

impl Body<'_, '_> {
    /// `if (!p) …;` where `…` ends that way, and nothing else.
    fn is_test(&self, definition: &Node<FunctionDefinition>, ending: Ending) -> bool {
        let Some(DerivedDeclarator::Function(f)) = innermost(&definition.node.declarator).1 else { return false };
        let [parameter] = f.node.parameters.as_slice() else { return false };
        let Some(name) = parameter.node.declarator.as_ref().and_then(declared_name) else { return false };
        let Statement::Compound(items) = &definition.node.statement.node else { return false };
        let mut tested = false;
        for item in items {
            let BlockItem::Statement(statement) = &item.node else { return false };
            match &statement.node {
                Statement::Expression(None) | Statement::Return(None) => {}
                Statement::If(s) if !tested && self.tests(&s.node, &name.node.name, ending) => tested = true,
                Statement::Expression(Some(e)) if !tested && self.forwards(e, &name.node.name, ending) => {
                    tested = true;
                }
                _ => return false,
            }
        }
        tested
    }

    fn tests(&self, s: &IfStatement, parameter: &str, ending: Ending) -> bool {
        let quiet = |e: Ending| matches!(e, Ending::Passes | Ending::Returns);
        let then = self.statement(&s.then_statement);
        let other = s.else_statement.as_ref().map_or(Ending::Passes, |e| self.statement(e));
        match polarity(&s.condition.node, parameter) {
            Some(false) => then == ending && quiet(other),
            Some(true) => quiet(then) && other == ending,
            None => false,
        }
    }

    /// `assert(p)` or the like.
    fn forwards(&self, e: &Node<Expression>, parameter: &str, ending: Ending) -> bool {
        let Expression::Call(call) = &e.node else { return false };
        let Expression::Identifier(name) = &call.node.callee.node else { return false };
        let role = self.definitions.role_within(self.unit, &name.node.name, self.depth);
        let fits = match ending {
            Ending::Fails => role == Some(Role::Assert),
            _ => role == Some(Role::Assume),
        };
        fits && call.node.arguments.first().is_some_and(|a| polarity(&a.node, parameter) == Some(true))
    }

    fn statement(&self, s: &Node<Statement>) -> Ending {
        match &s.node {
            Statement::Compound(items) => {
                for item in items {
                    let ending = match &item.node {
                        BlockItem::Statement(s) => self.statement(s),
                        BlockItem::Declaration(d)
                            if d.node.declarators.iter().all(|d| d.node.initializer.is_none()) =>
                        {
                            Ending::Passes
                        }
                        _ => Ending::Other,
                    };
                    if ending != Ending::Passes {
                        return ending;
                    }
                }
                Ending::Passes
            }
            Statement::Labeled(l) => match (&l.node.label.node, &l.node.statement.node) {
                (Label::Identifier(label), Statement::Goto(to)) if label.node.name == to.node.name => Ending::Stops,
                (Label::Identifier(_), _) => self.statement(&l.node.statement),
                _ => Ending::Other,
            },
            Statement::Expression(None) => Ending::Passes,
            Statement::Expression(Some(e)) => self.expression(e),
            Statement::Return(None) => Ending::Returns,
            Statement::If(s) => match literal(&s.node.condition.node) {
                Some(0) => s.node.else_statement.as_ref().map_or(Ending::Passes, |e| self.statement(e)),
                Some(_) => self.statement(&s.node.then_statement),
                None => Ending::Other,
            },
            Statement::While(w) if literal(&w.node.expression.node).is_some_and(|n| n != 0) => {
                self.endless(&w.node.statement)
            }
            Statement::For(f)
                if f.node.condition.is_none()
                    && f.node.step.is_none()
                    && f.node.initializer.node == ForInitializer::Empty =>
            {
                self.endless(&f.node.statement)
            }
            _ => Ending::Other,
        }
    }

    fn endless(&self, body: &Node<Statement>) -> Ending {
        if self.statement(body) == Ending::Passes { Ending::Stops } else { Ending::Other }
    }

    fn expression(&self, e: &Node<Expression>) -> Ending {
        match &e.node {
            Expression::Constant(_) | Expression::StringLiteral(_) => Ending::Passes,
            Expression::SizeOfTy(_) | Expression::SizeOfVal(_) => Ending::Passes,
            Expression::Cast(c) => self.expression(&c.node.expression),
            Expression::Statement(s) => self.statement(s),
            Expression::Comma(list) => {
                list.iter().map(|e| self.expression(e)).find(|e| *e != Ending::Passes).unwrap_or(Ending::Passes)
            }
            Expression::Conditional(c) => match literal(&c.node.condition.node) {
                Some(0) => self.expression(&c.node.else_expression),
                Some(_) => self.expression(&c.node.then_expression),
                None => Ending::Other,
            },
            Expression::Call(call) => self.call(&call.node),
            _ => Ending::Other,
        }
    }

    fn call(&self, call: &CallExpression) -> Ending {
        let Expression::Identifier(name) = &call.callee.node else { return Ending::Other };
        let name = name.node.name.as_str();
        match self.definitions.role_within(self.unit, name, self.depth) {
            Some(Role::Fail) => Ending::Fails,
            Some(Role::Stop) => Ending::Stops,
            Some(Role::Assert) if call.arguments.first().and_then(|a| literal(&a.node)) == Some(0) => Ending::Fails,
            Some(Role::Assume) if call.arguments.first().and_then(|a| literal(&a.node)) == Some(0) => Ending::Stops,
            _ if matches!(name, "printf" | "puts" | "fprintf" | "fputs" | "perror" | "fflush")
                && !self.definitions.has_body(self.unit, name) =>
            {
                let plain = |a: &Node<Expression>| {
                    matches!(a.node, Expression::StringLiteral(_) | Expression::Constant(_) | Expression::Identifier(_))
                };
                if call.arguments.iter().all(plain) { Ending::Passes } else { Ending::Other }
            }
            _ => Ending::Other,
        }
    }
}

/// `Some(true)` if the expression is not 0 exactly if the parameter is not 0, `Some(false)` if
/// exactly when it is 0.
fn polarity(e: &Expression, parameter: &str) -> Option<bool> {
    match e {
        Expression::Identifier(i) => (i.node.name == parameter).then_some(true),
        Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
            polarity(&u.node.operand.node, parameter).map(|p| !p)
        }
        Expression::BinaryOperator(b) => {
            let (left, right) = (&b.node.lhs.node, &b.node.rhs.node);
            let other = match (literal(left), literal(right)) {
                (Some(0), None) => right,
                (None, Some(0)) => left,
                _ => return None,
            };
            match b.node.operator.node {
                BinaryOperator::Equals => polarity(other, parameter).map(|p| !p),
                BinaryOperator::NotEquals => polarity(other, parameter),
                _ => None,
            }
        }
        _ => None,
    }
}

fn literal(e: &Expression) -> Option<i64> {
    match e {
        Expression::Constant(c) => match &c.node {
            Constant::Integer(i) if i.number.is_empty() => Some(0),
            Constant::Integer(i) => i.number.parse().ok(),
            _ => None,
        },
        Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
            literal(&u.node.operand.node).map(|n| i64::from(n == 0))
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// The role of a name at this place, unless something else hides it.
    pub(super) fn known_role(&self, name: &str) -> Option<Role> {
        match self.lookup(name) {
            None | Some(Symbol::Function(_)) => self.definitions.role(self.unit_number, name),
            _ => None,
        }
    }

    /// A call of a specification function; `None` if it is something else. The value is `void` if
    /// there is none, or if it was written to `target`.
    pub(super) fn specification_call(
        &mut self,
        name: &str,
        call: &Node<CallExpression>,
        target: Option<&Lvalue>,
    ) -> Lowered<Option<Expr>> {
        let Some(role) = self.known_role(name) else { return Ok(None) };
        let at = self.at(call.span);
        let arguments = &call.node.arguments;
        let void = Some(super::expressions::void(at));
        match role {
            Role::Assert | Role::Assume => {
                let Some(argument) = arguments.first() else {
                    return self.wrong(call.span, format!("`{name}` needs a condition"));
                };
                let condition = self.specified(name, argument)?;
                if role == Role::Assume {
                    self.emit(StmtKind::Assume(condition), at);
                    return Ok(void);
                }
                let text = self.condition_text(name, call, argument.span, at);
                let id = self.new_assertion(at, text);
                if name == ASSERT || name == "assert" && !self.definitions.has_body(self.unit_number, name) {
                    self.fails_by(id, ASSERTION_FAILED, None);
                } else if let Some((unit, function, span)) = self.definitions.failure(self.unit_number, name) {
                    let at = self.units[unit].at(span);
                    self.fails_by(id, &function, Some(at));
                }
                self.emit(StmtKind::Assert(condition, id), at);
                Ok(void)
            }
            Role::Fail => {
                arguments.iter().try_for_each(|a| self.effects(a))?;
                let text = match arguments.first().map(|a| (&a.node, a.span)) {
                    Some((Expression::StringLiteral(_), span)) if name.starts_with("__assert") => {
                        self.string_text(span)?
                    }
                    _ => self.unit.text(call.span),
                };
                let id = self.new_assertion(at, text);
                self.fails_by(id, name, Some(at));
                self.emit(StmtKind::Assert(Expr::int(0, IntKind::Int, at), id), at);
                Ok(void)
            }
            Role::Stop => {
                arguments.iter().try_for_each(|a| self.argument_handed(a))?;
                match name {
                    "exit" | "__builtin_exit" => self.exit(at),
                    _ => self.emit(StmtKind::Stop, at),
                }
                Ok(void)
            }
            Role::Input => {
                arguments.iter().try_for_each(|a| self.effects(a))?;
                for a in arguments {
                    if matches!(self.type_of(a)?.ty, Type::Pointer(_) | Type::Array(..)) {
                        let sentence = "a function that returns an input does not change what its arguments point to";
                        self.assume_that(Assumption::about(sentence, name));
                    }
                }
                self.input(name, target, at, call.span).map(Some)
            }
        }
    }

    /// The condition of an assertion or assumption, converted to the parameter's type first.
    fn specified(&mut self, name: &str, argument: &Node<Expression>) -> Lowered<Expr> {
        let parameter = match self.lookup(name).or_else(|| self.linked.get(name)) {
            Some(Symbol::Function(id)) => {
                let signature = &self.functions[id.0 as usize].signature;
                signature.parameters.as_ref().and_then(|p| p.first()).map(|p| p.ty.clone())
            }
            _ => None,
        };
        let defined = self.definitions.get(self.unit_number, name);
        let parameter = match (parameter, defined) {
            (None, Some(_)) => Some(Type::INT),
            (p, _) => p,
        };
        let value = self.rvalue(argument)?;
        let value = match parameter {
            Some(ty) if ty.is_scalar() && name != ASSERT => self.convert(value, &ty, argument.span)?,
            _ => value,
        };
        self.truth(value, argument.span)
    }

    /// The condition as the source writes it: from the macro's string, the source, or else the
    /// preprocessed text.
    fn condition_text(&mut self, name: &str, call: &Node<CallExpression>, argument: Span, at: Location) -> String {
        if let (ASSERT, Some(text)) = (name, call.node.arguments.get(1))
            && let Ok(text) = self.string_text(text.span)
        {
            return text;
        }
        let original = self.unit.lines.original_from(at.file, at.line);
        let written = original.and_then(|t| t.get((at.column as usize).checked_sub(1)?..));
        let inside = written.and_then(|t| t.strip_prefix(name)).and_then(first_argument);
        inside.unwrap_or_else(|| self.unit.text(argument))
    }

    /// The place of an assertion. One that comes from the macro `assert` has no column: its name is
    /// searched in the source.
    pub(super) fn assertion_place(&self, at: Location, condition: &str) -> Location {
        if at.column != 0 {
            return at;
        }
        let Some(original) = self.unit.lines.original_from(at.file, at.line) else { return at };
        let line = original.lines().next().unwrap_or("");
        let mut calls = line.match_indices("assert").filter(|(n, name)| {
            let inside = !line[..*n].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            inside && first_argument(&original[n + name.len()..]).is_some_and(|text| text == condition)
        });
        let column = calls.next().map_or(0, |(n, _)| n + 1);
        // Two assertions of the same condition on one line cannot be distinguished.
        let column = if calls.next().is_some() { 0 } else { column };
        Location { column: column.try_into().unwrap_or(0), ..at }
    }

    fn string_text(&self, span: Span) -> Lowered<String> {
        let bytes: Vec<u8> = self.string_units(span)?.0.into_iter().map(|u| (u & 0xff) as u8).collect();
        Ok(fold(&String::from_utf8_lossy(&bytes)))
    }

    /// The text of the condition if the expression is a call that reports a failed assertion (and
    /// does nothing else); the inner `None` if it has no text.
    pub(super) fn failure_text(&self, e: &Node<Expression>) -> Option<Option<String>> {
        let call = match &e.node {
            Expression::Call(call) => call,
            Expression::Cast(cast) => return self.failure_text(&cast.node.expression),
            _ => return None,
        };
        let Expression::Identifier(name) = &call.node.callee.node else { return None };
        if !name.node.name.starts_with("__assert") || self.known_role(&name.node.name) != Some(Role::Fail) {
            return None;
        }
        let text = call.node.arguments.first().filter(|a| matches!(a.node, Expression::StringLiteral(_)));
        Some(text.and_then(|t| self.string_text(t.span).ok()))
    }

    /// An input of the type that the function of that name returns.
    fn input(&mut self, name: &str, target: Option<&Lvalue>, at: Location, span: Span) -> Lowered<Expr> {
        let declared = match self.lookup(name) {
            Some(Symbol::Function(id)) => {
                let info = &self.functions[id.0 as usize];
                info.declared.then(|| info.signature.result.ty.clone())
            }
            _ => None,
        };
        let ty = declared.unwrap_or_else(|| self.input_type(name));
        if ty == Type::Void {
            return self.unsupported(span, format!("`{name}` returns nothing"));
        }
        let direct = target.filter(|t| t.ty == ty);
        let place = match direct {
            Some(t) => t.clone(),
            None => self.temporary(ty.clone(), at),
        };
        if matches!(ty, Type::Int(_)) {
            let id = self.new_input();
            self.emit(StmtKind::Input(place.clone(), id), at);
        } else {
            self.emit(StmtKind::Havoc(place.clone()), at);
        }
        if direct.is_some() { Ok(super::expressions::void(at)) } else { Ok(Expr::load(place)) }
    }

    /// The type that the name of an input function implies, for functions without a declaration.
    fn input_type(&self, name: &str) -> Type {
        let suffix = name.rsplit("nondet_").next().unwrap_or("");
        let model = self.model();
        Type::Int(match suffix {
            "bool" | "_Bool" => IntKind::Bool,
            "char" => self.plain_char(),
            "schar" | "s8" | "int8_t" => IntKind::SChar,
            "uchar" | "u8" | "uint8_t" | "unsigned_char" => IntKind::UChar,
            "short" | "s16" | "int16_t" => IntKind::Short,
            "ushort" | "u16" | "uint16_t" => IntKind::UShort,
            "uint" | "u32" | "uint32_t" | "unsigned" | "unsigned_int" => IntKind::UInt,
            "long" => IntKind::Long,
            "ulong" => IntKind::ULong,
            "longlong" | "s64" | "int64_t" => IntKind::LongLong,
            "ulonglong" | "u64" | "uint64_t" => IntKind::ULongLong,
            "size_t" => model.size_type(),
            "float" => return Type::Float(crate::program::FloatKind::Float),
            "double" => return Type::Float(crate::program::FloatKind::Double),
            "pointer" | "pchar" => return Type::Void.pointer_to(),
            _ => IntKind::Int,
        })
    }
}

/// The text up to the comma or bracket that ends the first argument of a call, given from its
/// opening bracket on.
fn first_argument(text: &str) -> Option<String> {
    let text = text.trim_start().strip_prefix('(')?;
    let mut depth = 0usize;
    let mut quote = None;
    let mut bytes = text.bytes().enumerate();
    while let Some((n, b)) = bytes.next() {
        match (quote, b) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(q), b) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(b),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b',') if depth == 0 => return text.get(..n).map(fold).filter(|t| !t.is_empty()),
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            // A comment would end up in the text.
            (None, b'/') if text[n..].starts_with("//") || text[n..].starts_with("/*") => return None,
            _ => {}
        }
        if n > 10_000 {
            return None;
        }
    }
    None
}

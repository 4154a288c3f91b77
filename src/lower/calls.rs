//! Calls.

use super::builtins::Use;
use super::context::{FunctionInfo, Lowered, Lowerer, Symbol};
use super::order::Footprint;
use super::signatures::Signature;
use crate::program::{self, Assumption, Callee, Expr, ExprKind, FunctionId, Lvalue, Presumption, Stmt, StmtKind, Type};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The function that is called.
enum Called {
    Function(FunctionId),
    /// With its text.
    Pointer(Expr, Rc<Signature>, String),
}

/// Whether the statement gives the target its value.
fn writes(stmt: Option<&Stmt>, target: &Lvalue) -> bool {
    match stmt.map(|s| &s.kind) {
        Some(StmtKind::Input(to, _) | StmtKind::Havoc(to) | StmtKind::Allocate { target: to, .. }) => to == target,
        // These follow a reallocation, and the allocation of a block that lasts as long as the
        // call.
        Some(StmtKind::HavocReachable(_) | StmtKind::Presume(Presumption::Automatic(_))) => true,
        // An allocation that may fail.
        Some(StmtKind::If(_, failed, made)) => {
            let is_null = |s: &Stmt| matches!(&s.kind, StmtKind::Assign(to, _) if to == target);
            let is_made = |s: &Stmt| matches!(&s.kind, StmtKind::Allocate { target: to, .. } if to == target);
            failed.iter().any(is_null) && made.iter().any(is_made)
        }
        _ => false,
    }
}

/// The assumption about a function without a body that is called.
const NO_BODY: &str = "a function that has no body returns any value, may change what its arguments and the globals reach, \
                       does nothing undefined, frees nothing, calls no function of the program by its name, and fails no assertion";

/// The assumption about those that a header of the system declares.
const LIBRARY_KNOWS_ADDRESSES: &str = "a function of a system header knows variables of the program only by their addresses, and calls \
                                       only functions that it is handed";

/// After a call of one of these, functions that are known to write only to a stream can write to
/// memory.
const STREAMS_OVER_MEMORY: [&str; 8] =
    ["setbuf", "setbuffer", "setvbuf", "fmemopen", "open_memstream", "open_wmemstream", "fopencookie", "funopen"];

impl Lowerer<'_> {
    /// The value of a call; a call without a result has a value of type `void`.
    pub(super) fn call_value(&mut self, call: &Node<CallExpression>, wanted: Option<&Type>) -> Lowered<Expr> {
        if let Some(value) = self.known_call(call, Use { wanted, ..Use::default() })? {
            return Ok(value);
        }
        let at = self.at(call.span);
        let (callee, arguments, result) = self.prepare(call)?;
        if result == Type::Void {
            self.emit(StmtKind::Call { target: None, callee, arguments }, at);
            return Ok(super::expressions::void(at));
        }
        let temporary = self.temporary(result, at);
        self.emit(StmtKind::Call { target: Some(temporary.clone()), callee, arguments }, at);
        Ok(Expr::load(temporary))
    }

    /// Lowers a call whose value is not used.
    pub(super) fn call_effects(&mut self, call: &Node<CallExpression>) -> Lowered<()> {
        if let Some(value) = self.known_call(call, Use { dropped: true, ..Use::default() })? {
            self.dropped(value);
            return Ok(());
        }
        let at = self.at(call.span);
        let (callee, arguments, _) = self.prepare(call)?;
        self.emit(StmtKind::Call { target: None, callee, arguments }, at);
        Ok(())
    }

    /// Lets a call write its result to `target`, if it has the same type; otherwise returns `false`
    /// and emits nothing.
    pub(super) fn call_into(&mut self, target: &Lvalue, call: &Node<CallExpression>) -> Lowered<bool> {
        if self.is_known(call) {
            let usage = Use { wanted: Some(&target.ty), target: Some(target), dropped: false };
            return match self.known_call(call, usage)? {
                // It was written to the target.
                Some(value) if value.ty == Type::Void && writes(self.out.last(), target) => Ok(true),
                Some(value) => {
                    self.store(target.clone(), value, false, call.span)?;
                    Ok(true)
                }
                None => Ok(false),
            };
        }
        // A place that the callee could change must be determined after the call, which a temporary
        // achieves.
        if target.as_var().is_none() {
            return Ok(false);
        }
        let result = match self.called_function(call)? {
            Some(id) => self.functions[id.0 as usize].signature.result.ty.clone(),
            None => match self.signature_of(&call.node.callee) {
                Some(signature) => signature.result.ty.clone(),
                None => return Ok(false),
            },
        };
        if result != target.ty {
            return Ok(false);
        }
        let at = self.at(call.span);
        let (callee, arguments, _) = self.prepare(call)?;
        self.emit(StmtKind::Call { target: Some(target.clone()), callee, arguments }, at);
        Ok(true)
    }

    /// The function that a call names. A function without a declaration is declared as `int f()`.
    pub(super) fn called_function(&mut self, call: &Node<CallExpression>) -> Lowered<Option<FunctionId>> {
        let Expression::Identifier(name) = &call.node.callee.node else { return Ok(None) };
        let text = &name.node.name;
        match self.lookup(text) {
            Some(Symbol::Function(id)) => Ok(Some(*id)),
            Some(_) => Ok(None),
            None => {
                if text == "asm" {
                    // The parser takes a statement `asm("…")` for a call.
                    return self.unsupported(name.span, "inline assembly is not supported");
                }
                if text.starts_with("__builtin_") || text.starts_with("__sync_") || text.starts_with("__atomic_") {
                    return self.unsupported(name.span, format!("the compiler's builtin `{text}` is not supported"));
                }
                let known = self.linked.get(text).cloned();
                let is_declared = |f: FunctionId| self.functions[f.0 as usize].declared;
                if !matches!(known, Some(Symbol::Function(id)) if is_declared(id)) {
                    // Unevaluated operands (of `sizeof`) list nothing, so every call lists it.
                    let sentence = "an undeclared function returns `int`";
                    self.program.assume_that(Assumption::about(sentence, text));
                }
                if let Some(Symbol::Function(id)) = known {
                    return Ok(Some(id));
                }
                let at = self.at(name.span);
                let info = FunctionInfo { signature: Signature::unknown_int(), defined: None, declared: false };
                let id = self.add_function(text, info, at);
                self.linked.insert(text.clone(), Symbol::Function(id));
                if let Some(meant) = self.misspelt(text) {
                    let place = self.program.sources.describe(at);
                    let note = format!("`{text}` is not declared; did you mean `{meant}`? ({place})");
                    self.program.notes.push(note);
                }
                Ok(Some(id))
            }
        }
    }

    /// The known function whose name is one edit away: specification functions come first.
    fn misspelt(&self, name: &str) -> Option<String> {
        let near = one_edit_away(name);
        let declared = |n: &String| matches!(self.lookup(n), Some(Symbol::Function(_)));
        let named = near.iter().find(|n| self.known_role(n).is_some());
        named.or_else(|| near.iter().find(|n| declared(n) || self.is_known_name(n))).cloned()
    }

    fn prepare(&mut self, call: &Node<CallExpression>) -> Lowered<(Callee, Vec<Expr>, Type)> {
        let (span, before) = (call.span, self.out.len());
        let called = match self.called_function(call)? {
            Some(id) => Called::Function(id),
            None => {
                let value = self.rvalue(&call.node.callee)?;
                match value.kind {
                    ExprKind::FunctionAddress(id) if self.has_type_of(&call.node.callee, id) => Called::Function(id),
                    _ if value.ty.pointee() != Some(&Type::Function) => {
                        return self.wrong(call.node.callee.span, "this is not a function");
                    }
                    _ => match self.signature_of(&call.node.callee) {
                        Some(signature) => {
                            // It is read before the arguments' effects, and has no checks where
                            // the call is.
                            let text = program::print::expr(&self.program, &value);
                            Called::Pointer(self.settle(value), signature, text)
                        }
                        None => {
                            let message = "the type of the called function is not known";
                            return self.unsupported(call.node.callee.span, message);
                        }
                    },
                }
            }
        };
        let signature = match &called {
            Called::Function(id) => self.functions[id.0 as usize].signature.clone(),
            Called::Pointer(_, signature, _) => signature.clone(),
        };
        let designator = match &called {
            Called::Function(_) => self.footprint(before, []),
            Called::Pointer(value, ..) => self.footprint(before, [value]),
        };
        let arguments = self.arguments(&call.node.arguments, &signature, designator, span)?;
        let result = signature.result.ty.clone();
        if matches!(result, Type::Struct(_)) && !self.is_complete(&result) {
            return self.wrong(span, "this call returns an incomplete type");
        }
        let callee = match called {
            Called::Function(id) => {
                if !self.has_contract(id) {
                    self.external(id);
                }
                Callee::Function(id)
            }
            Called::Pointer(pointer, signature, text) => {
                let called = program::Called { pointer: pointer.clone(), text, functions: BTreeSet::new() };
                let check =
                    self.stmt(StmtKind::Presume(Presumption::Called(Box::new(called))), self.at(call.node.callee.span));
                let types = arguments.iter().map(|a| a.ty.clone()).collect();
                self.called.insert(check.site, (signature, types));
                self.out.push(check);
                Callee::Pointer(pointer)
            }
        };
        Ok((callee, arguments, result))
    }

    /// Whether the called expression has the type of that function: a cast may give its address
    /// another type.
    fn has_type_of(&mut self, callee: &Node<Expression>, id: FunctionId) -> bool {
        let signature = self.signature_of(callee);
        signature.is_none_or(|s| s.unite(&self.functions[id.0 as usize].signature).is_some())
    }

    /// The arguments, evaluated from left to right and converted, after the expression that gives
    /// the function.
    pub(super) fn arguments(
        &mut self,
        list: &[Node<Expression>],
        signature: &Signature,
        mut earlier: Footprint,
        span: Span,
    ) -> Lowered<Vec<Expr>> {
        if let Some(parameters) = &signature.parameters {
            let (given, expected) = (list.len(), parameters.len());
            if given < expected || (given > expected && !signature.variadic) {
                let message = format!("{given} arguments are given, but the function takes {expected}");
                return self.wrong(span, message);
            }
        }
        let mut arguments: Vec<Expr> = Vec::new();
        for (n, argument) in list.iter().enumerate() {
            let parameter = signature.parameters.as_ref().and_then(|p| p.get(n));
            let wanted = parameter.map(|p| p.ty.clone());
            let (value, effects) = self.collecting(|l| l.rvalue_for(argument, wanted.as_ref()))?;
            let later = self.footprint_of(&effects, &value);
            if later.changes() {
                for argument in &mut arguments {
                    *argument = self.settle_before(argument.clone(), &later);
                }
            }
            self.out.extend(effects);
            self.unsequenced(&mut earlier, later);
            let value = match wanted {
                Some(ty) if super::signatures::similar(&value.ty, &ty) => value,
                Some(ty) => self.convert(value, &ty, argument.span)?,
                None => self.promote_argument(value, argument.span)?,
            };
            if value.ty == Type::Void {
                return self.wrong(argument.span, "this argument has no value");
            }
            arguments.push(value);
        }
        Ok(arguments)
    }

    /// Records the assumptions about a function without a body.
    pub(super) fn external(&mut self, id: FunctionId) {
        let name = self.program.function(id).name.clone();
        if !self.definitions.has_body(self.unit_number, &name) {
            self.assume_that(Assumption::about(NO_BODY, &name));
            if !self.program.sources.file(self.program.function(id).location.file).own {
                self.assume_that(Assumption::about(LIBRARY_KNOWS_ADDRESSES, &name));
            }
            if STREAMS_OVER_MEMORY.contains(&name.as_str()) {
                self.assume_that("streams do not use the buffers that they were given");
            }
        }
    }
}

/// The names that differ from a name by one added, removed or changed letter, or by two exchanged
/// ones.
fn one_edit_away(name: &str) -> Vec<String> {
    let letters = || (b'a'..=b'z').chain(b'A'..=b'Z').chain(b'0'..=b'9').chain(*b"_").map(char::from);
    let old: Vec<char> = name.chars().collect();
    let text =
        |from: &[char], middle: &[char], to: &[char]| [from, middle, to].concat().into_iter().collect::<String>();
    let mut near = Vec::new();
    for at in 0..=old.len() {
        let (before, after) = old.split_at(at);
        near.extend(letters().map(|c| text(before, &[c], after)));
        if let [_, rest @ ..] = after {
            near.push(text(before, &[], rest));
            near.extend(letters().map(|c| text(before, &[c], rest)));
        }
        if let [a, b, rest @ ..] = after {
            near.push(text(before, &[*b, *a], rest));
        }
    }
    near
}

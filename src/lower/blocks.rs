//! Functions of the C library that work on blocks of memory: `memset`, `memcpy`.

use super::context::{Lowered, Lowerer};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Loop, LoopKind, Lvalue, Step, StmtKind, Type};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};

impl Lowerer<'_> {
    /// `memset` with whole elements: zeros, or bytes.
    pub(super) fn fill(&mut self, call: &Node<CallExpression>) -> Lowered<Option<Expr>> {
        let [pointer, byte, bytes] = call.node.arguments.as_slice() else {
            return self.wrong(call.span, "`memset` needs three arguments");
        };
        let at = self.at(call.span);
        let pointer = self.rvalue(pointer)?;
        let pointer = self.settle_now(uncast(pointer));
        let byte = self.rvalue(byte)?;
        let byte = self.convert(byte, &Type::Int(IntKind::UChar), call.span)?;
        let element = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
        let size = self.size_of(&element).filter(|_| element != Type::Void);
        let value = match (&element, byte.as_int(), size) {
            (Type::Int(kind), Some(b), Some(size)) if b != 0 && (*kind != IntKind::Bool || b == 1) => {
                let whole = (0..size.min(8)).fold(0i128, |v, _| (v << 8) | b);
                Some(Expr::int(whole, IntKind::ULongLong, at))
            }
            (Type::Int(kind), None, Some(1)) if *kind != IntKind::Bool => Some(byte.clone()),
            _ => None,
        };
        let zero = byte.as_int() == Some(0);
        if zero || value.is_some() {
            if zero && let Some(whole) = self.whole_object(&pointer, bytes)? {
                self.emit(StmtKind::Zero(whole), at);
                return Ok(Some(pointer));
            }
            if let Some(count) = self.whole_elements(bytes, &element)? {
                let count = self.check_count(&pointer, count, call.span)?;
                self.for_each(count, call.span, |l, index| {
                    let place = l.pointer_add(pointer.clone(), index, call.span)?;
                    let place = l.dereference(place, at);
                    match value {
                        Some(value) => l.store(place, value, false, call.span).map(|_| ()),
                        None => {
                            l.emit(StmtKind::Zero(place), at);
                            Ok(())
                        }
                    }
                })?;
                return Ok(Some(pointer));
            }
        }
        self.dropped(byte);
        self.check_bytes("memset", &[&pointer], bytes)?;
        self.emit(StmtKind::HavocReachable(vec![pointer.clone()]), at);
        Ok(Some(pointer))
    }

    /// `memcpy` of whole elements.
    pub(super) fn copy(&mut self, call: &Node<CallExpression>) -> Lowered<Option<Expr>> {
        let [to, from, bytes] = call.node.arguments.as_slice() else {
            return self.wrong(call.span, "`memcpy` needs three arguments");
        };
        let at = self.at(call.span);
        let to = self.rvalue(to)?;
        let to = self.settle_now(uncast(to));
        let from = self.rvalue(from)?;
        let from = self.settle_now(uncast(from));
        if !apart(&to, &from) {
            self.program.assume_that("blocks that `memcpy` copies do not overlap");
        }
        let element = to.ty.pointee().cloned().unwrap_or(Type::Void);
        let simple = element.is_scalar() || matches!(element, Type::Struct(_));
        if simple
            && from.ty.pointee() == Some(&element)
            && self.is_complete(&element)
            && let Some(count) = self.whole_elements(bytes, &element)?
        {
            let count = self.check_count(&to, count, call.span)?;
            self.for_each(count, call.span, |l, index| {
                let target = l.pointer_add(to.clone(), index.clone(), call.span)?;
                let source = l.pointer_add(from.clone(), index, call.span)?;
                let (target, source) = (l.dereference(target, at), l.dereference(source, at));
                let value = Expr::load(source);
                l.emit(StmtKind::Assign(target, value), at);
                Ok(())
            })?;
            return Ok(Some(to));
        }
        self.check_bytes("memcpy", &[&to, &from], bytes)?;
        self.emit(StmtKind::HavocReachable(vec![to.clone()]), at);
        Ok(Some(to))
    }

    /// Evaluates a number of bytes, and reads the last element that so many bytes from each pointer on reach (where there is one), for
    /// nothing but its check: it lies in the object if and only if the block does, as pointers point to whole elements.
    fn check_bytes(&mut self, name: &str, pointers: &[&Expr], bytes: &Node<Expression>) -> Lowered<()> {
        let (span, at, ty) = (bytes.span, self.at(bytes.span), self.size_type());
        let value = self.rvalue(bytes)?;
        if !matches!(value.ty, Type::Int(_)) {
            return self.wrong(span, "a number of bytes has to be an integer");
        }
        let value = self.convert(value, &ty, span)?;
        let value = self.settle(value);
        let (zero, one) = (Expr::int(0, self.model().size_type(), at), Expr::int(1, self.model().size_type(), at));
        let ((), block) = self.collecting(|l| {
            for pointer in pointers {
                let element = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
                if matches!(element, Type::Void | Type::Function) || !l.is_complete(&element) {
                    l.program.assume_that(format!("the memory that `{name}` is given without a type is large enough"));
                    continue;
                }
                if l.size_of(&element) == Some(1) {
                    // The last byte of a negative number of bytes is before the first one, as far as pointers count.
                    let signed = l.convert(value.clone(), &l.difference_type(), span)?;
                    l.check_count(pointer, signed, span)?;
                }
                let size = l.size_expr(&element, span)?;
                let last = l.arithmetic(BinaryOp::Sub, value.clone(), one.clone(), ty.clone());
                let last =
                    if size.as_int() == Some(1) { last } else { l.arithmetic(BinaryOp::Div, last, size, ty.clone()) };
                l.look_at((*pointer).clone(), last, span)?;
            }
            Ok(())
        })?;
        if !block.is_empty() && value.as_int() != Some(0) {
            let some = self.arithmetic(BinaryOp::Greater, value, zero, Type::INT);
            self.emit(StmtKind::If(some, block, Vec::new()), at);
        }
        Ok(())
    }

    /// A negative number of elements, settled, is as a number of bytes more than any object has: an element that far is read, for its
    /// check. (The loop over the elements would do nothing.)
    fn check_count(&mut self, pointer: &Expr, count: Expr, span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        let count = self.settle_now(count);
        if count.as_int().is_some_and(|n| n >= 0) {
            return Ok(count);
        }
        let model = self.model();
        let (ty, size) = (self.size_type(), pointer.ty.pointee().and_then(|e| self.size_of(e)).unwrap_or(1));
        let ((), block) = self.collecting(|l| {
            let wrapped = l.convert(count.clone(), &ty, span)?;
            // At least halved, so that it is no negative number of elements again.
            let size = Expr::int(i128::from(size.max(2)), model.size_type(), at);
            let far = l.arithmetic(BinaryOp::Div, wrapped, size, ty.clone());
            l.look_at(pointer.clone(), far, span)
        })?;
        let zero = Expr::int(0, model.difference_type(), at);
        let negative = self.arithmetic(BinaryOp::Less, count.clone(), zero, Type::INT);
        self.emit(StmtKind::If(negative, block, Vec::new()), at);
        Ok(count)
    }

    /// Reads `pointer[index]`, whose value nobody needs.
    fn look_at(&mut self, pointer: Expr, index: Expr, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let place = self.pointer_add(pointer, index, span)?;
        let place = self.dereference(place, at);
        self.dropped(Expr::load(place));
        Ok(())
    }

    /// The object that a pointer addresses, if the number of bytes is just its size.
    fn whole_object(&mut self, pointer: &Expr, bytes: &Node<Expression>) -> Lowered<Option<Lvalue>> {
        let ExprKind::AddressOf(object) = &pointer.kind else { return Ok(None) };
        let measured = self.measured_type(bytes)?;
        let constant = self.try_constant(bytes)?;
        let mut object = object.clone();
        let fits = |l: &Self, ty: &Type| {
            measured.as_ref() == Some(ty) || (constant.is_some() && l.size_of(ty).map(i128::from) == constant)
        };
        // What the object begins: an array as a whole has decayed to its first element, and programs clear a struct from its first member on.
        while !fits(self, &object.ty) {
            let first = match object.path.last() {
                Some(Step::Index(i)) => i.as_int() == Some(0),
                Some(Step::Field(_, n)) => *n == 0,
                None => false,
            };
            if !first {
                return Ok(None);
            }
            object.path.pop();
            object.ty = self.type_of_path(&object);
        }
        Ok(Some(object))
    }

    /// The type at the end of a path.
    fn type_of_path(&self, lvalue: &Lvalue) -> Type {
        let mut ty = match &lvalue.base {
            Base::Var(v) => self.program.variable(*v).ty.clone(),
            Base::Deref(p) => p.ty.pointee().cloned().unwrap_or(Type::Void),
        };
        for step in &lvalue.path {
            ty = match (step, ty) {
                (Step::Index(_), Type::Array(element, _)) => *element,
                (Step::Field(id, n), _) => self.program.structure(*id).members[*n as usize].ty.clone(),
                (Step::Index(_), ty) => ty,
            };
        }
        ty
    }

    /// `for (i = 0; i < count; i++) body(i)` with a hidden variable, for a settled count.
    fn for_each(&mut self, count: Expr, span: Span, body: impl FnOnce(&mut Self, Expr) -> Lowered<()>) -> Lowered<()> {
        let at = self.at(span);
        let kind = self.model().difference_type();
        let counter = self.temporary(Type::Int(kind), at);
        self.emit(StmtKind::Assign(counter.clone(), Expr::int(0, kind, at)), at);
        let index = Expr::load(counter.clone());
        let condition = self.arithmetic(BinaryOp::Less, index.clone(), count, Type::INT);
        let ((), block) = self.collecting(|l| body(l, index.clone()))?;
        let next = self.arithmetic(BinaryOp::Add, index, Expr::int(1, kind, at), Type::Int(kind));
        let step = vec![self.stmt(StmtKind::Assign(counter, next), at)];
        let id = self.new_loop();
        let l = Loop { id, kind: LoopKind::For, condition, body: block, step };
        self.emit(StmtKind::Loop(Box::new(l)), at);
        Ok(())
    }
}

/// The pointer before casts between pointers.
fn uncast(pointer: Expr) -> Expr {
    match pointer.kind {
        ExprKind::Cast(inner) if matches!(inner.ty, Type::Pointer(_)) => uncast(*inner),
        kind => Expr { kind, ..pointer },
    }
}

/// Whether two pointers certainly point into different objects.
fn apart(p: &Expr, q: &Expr) -> bool {
    let variable = |e: &Expr| match &e.kind {
        ExprKind::AddressOf(Lvalue { base: Base::Var(v), .. }) => Some(*v),
        _ => None,
    };
    variable(p).zip(variable(q)).is_some_and(|(p, q)| p != q)
}

//! Functions of the C library that work on blocks of memory: `memset`, `memcpy`, `memmove`.

use super::context::{Lowered, Lowerer};
use crate::program::{
    BinaryOp, Blocks, Contents, Expr, ExprKind, IntKind, Length, Location, Loop, LoopKind, Lvalue, Reached, Step,
    StmtKind, Type, WrittenBytes,
};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};

impl Lowerer<'_> {
    /// Lowers `memset` with whole elements: zeros, or bytes.
    pub(super) fn fill(&mut self, call: &Node<CallExpression>) -> Lowered<Option<Expr>> {
        let [pointer, byte, bytes] = call.node.arguments.as_slice() else {
            return self.wrong(call.span, "`memset` needs three arguments");
        };
        let at = self.at(call.span);
        let pointer = self.rvalue(pointer)?;
        let pointer = self.settle_now(uncast(pointer));
        let byte = self.rvalue(byte)?;
        let byte = self.convert(byte, &Type::Int(IntKind::UChar), call.span)?;
        let byte = self.settle_now(byte);
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
        let whole = self.begins(&pointer, bytes)?;
        if zero || value.is_some() {
            if zero && let Some(object) = self.whole_object(&pointer, bytes)? {
                self.emit(StmtKind::Zero(object), at);
                return Ok(Some(pointer));
            }
            if whole.is_none()
                && let Some(count) = self.whole_elements(bytes, &element)?
            {
                let count = self.check_count(&pointer, count, call.span)?;
                let last = count.clone();
                self.for_each(count, call.span, |l, index| {
                    let place = l.block_part(pointer.clone(), index, &last, call.span)?;
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
        self.dropped(byte.clone());
        let pointer = whole.unwrap_or(pointer);
        let count = self.check_bytes(&[&pointer], bytes)?;
        self.blocks(Blocks { to: pointer.clone(), from: None, count: count.clone(), unit: 1 }, at);
        self.write_bytes(WrittenBytes { to: pointer.clone(), contents: Contents::Byte(byte), count }, at);
        Ok(Some(pointer))
    }

    /// Lowers `memcpy` of whole elements.
    pub(super) fn copy(&mut self, call: &Node<CallExpression>) -> Lowered<Option<Expr>> {
        let [to, from, bytes] = call.node.arguments.as_slice() else {
            return self.wrong(call.span, "`memcpy` needs three arguments");
        };
        let at = self.at(call.span);
        let to = self.rvalue(to)?;
        let to = self.settle_now(uncast(to));
        let from = self.rvalue(from)?;
        let from = self.settle_now(uncast(from));
        let to = self.begins(&to, bytes)?.unwrap_or(to);
        let from = self.begins(&from, bytes)?.unwrap_or(from);
        let element = to.ty.pointee().cloned().unwrap_or(Type::Void);
        if is_copied_in_parts(&element)
            && from.ty.pointee() == Some(&element)
            && self.is_complete(&element)
            && let Some(count) = self.whole_elements(bytes, &element)?
        {
            let count = self.check_count(&to, count, call.span)?;
            let unit = self.size_of(&element).unwrap_or(1);
            self.blocks(Blocks { to: to.clone(), from: Some(from.clone()), count: count.clone(), unit }, at);
            let last = count.clone();
            self.for_each(count, call.span, |l, index| {
                let target = l.block_part(to.clone(), index.clone(), &last, call.span)?;
                let source = l.block_part(from.clone(), index, &last, call.span)?;
                l.copy_parts(target, source, call.span)
            })?;
            return Ok(Some(to));
        }
        let count = self.check_bytes(&[&to, &from], bytes)?;
        self.blocks(Blocks { to: to.clone(), from: Some(from.clone()), count: count.clone(), unit: 1 }, at);
        self.write_bytes(WrittenBytes { to: to.clone(), contents: Contents::From(from), count }, at);
        Ok(Some(to))
    }

    /// Lowers `memmove`: bytes are copied as they were before, wherever the blocks lie.
    pub(super) fn move_bytes(&mut self, call: &Node<CallExpression>) -> Lowered<Option<Expr>> {
        let [to, from, bytes] = call.node.arguments.as_slice() else {
            return self.wrong(call.span, "`memmove` needs three arguments");
        };
        let at = self.at(call.span);
        let (to, from) = (self.rvalue(to)?, self.rvalue(from)?);
        let to = self.settle_now(uncast(to));
        let from = self.settle_now(uncast(from));
        let to = self.begins(&to, bytes)?.unwrap_or(to);
        let from = self.begins(&from, bytes)?.unwrap_or(from);
        let count = self.check_bytes(&[&to, &from], bytes)?;
        for block in [&to, &from] {
            self.blocks(Blocks { to: block.clone(), from: None, count: count.clone(), unit: 1 }, at);
        }
        self.write_bytes(WrittenBytes { to: to.clone(), contents: Contents::From(from), count }, at);
        Ok(Some(to))
    }

    /// `pointer[index]`, where indices go up to `count`: an element of the row or member whose
    /// address the pointer is, if that has so many elements.
    fn block_part(&self, pointer: Expr, index: Expr, count: &Expr, span: Span) -> Lowered<Lvalue> {
        let at = self.at(span);
        let length = match &pointer.kind {
            ExprKind::AddressOf(first) => self.program.length_around(first),
            _ => None,
        };
        let stays = count.as_int().zip(length).is_some_and(|(count, length)| count <= i128::from(length));
        let sum = self.pointer_add(pointer, index, span)?;
        Ok(if stays { self.element_at(sum, at) } else { self.dereference(sum, at) })
    }

    /// Assigns an object, an array by its elements.
    fn copy_parts(&mut self, target: Lvalue, source: Lvalue, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let Type::Array(_, Length::Constant(length)) = target.ty else {
            self.emit(StmtKind::Assign(target, Expr::load(source)), at);
            self.last_is_copy();
            return Ok(());
        };
        let length = Expr::int(i128::from(length), self.model().difference_type(), at);
        self.for_each(length, span, |l, index| {
            l.copy_parts(element(target, index.clone()), element(source, index), span)
        })
    }

    /// Evaluates a number of bytes. For each pointer, also reads the last element of the block of
    /// that many bytes from there on (if there is one), only for its check. That element lies in
    /// the object if and only if the block does, because pointers point to whole elements. Returns
    /// the number of bytes, as a difference of pointers.
    fn check_bytes(&mut self, pointers: &[&Expr], bytes: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(bytes)?;
        if !matches!(value.ty, Type::Int(_)) {
            return self.wrong(bytes.span, "a size in bytes has to be an integer");
        }
        self.check_number_of_bytes(pointers, value, bytes.span)
    }

    /// The same for a number that was evaluated.
    fn check_number_of_bytes(&mut self, pointers: &[&Expr], value: Expr, span: Span) -> Lowered<Expr> {
        let (at, ty) = (self.at(span), self.size_type());
        let value = self.convert(value, &ty, span)?;
        let value = self.settle(value);
        let (zero, one) = (Expr::int(0, self.model().size_type(), at), Expr::int(1, self.model().size_type(), at));
        let ((), block) = self.collecting(|l| {
            for pointer in pointers {
                let element = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
                if matches!(element, Type::Void | Type::Function) || !l.is_complete(&element) {
                    continue;
                }
                if l.size_of(&element) == Some(1) {
                    // The last byte of a negative number of bytes is before the first one, as far
                    // as pointers count.
                    let signed = l.convert(value.clone(), &l.difference_type(), span)?;
                    l.check_count(pointer, signed, span)?;
                }
                let size = l.size_expr(&element, span)?;
                let last = l.arithmetic(BinaryOp::Sub, value.clone(), one.clone(), ty.clone());
                let last = if size.as_int() == Some(1) { last } else { l.in_units(last, size, ty.clone()) };
                l.look_at((*pointer).clone(), last, span)?;
            }
            Ok(())
        })?;
        if !block.is_empty() && value.as_int() != Some(0) {
            let some = self.arithmetic(BinaryOp::Greater, value.clone(), zero, Type::INT);
            self.emit(StmtKind::If(some, block, Vec::new()), at);
        }
        self.convert(value, &self.difference_type(), span)
    }

    /// Checks that so many bytes from a pointer on lie in an object, and changes them.
    pub(super) fn write_block(&mut self, to: Expr, count: Expr, contents: Contents, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let count = self.check_number_of_bytes(&[&to], count, span)?;
        self.blocks(Blocks { to: to.clone(), from: None, count: count.clone(), unit: 1 }, at);
        self.write_bytes(WrittenBytes { to, contents, count }, at);
        Ok(())
    }

    /// Emits the library's requirements on the blocks, if anything is left to check.
    fn blocks(&mut self, blocks: Blocks, at: Location) {
        let none = blocks.count.as_int().is_some_and(|n| n <= 0);
        if !none && (blocks.overlapping().is_some() || blocks.untyped().next().is_some()) {
            self.emit(StmtKind::Blocks(Box::new(blocks)), at);
        }
    }

    /// Emits a change of bytes that is not followed element by element.
    pub(super) fn write_bytes(&mut self, bytes: WrittenBytes, at: Location) {
        let pointers = vec![bytes.to.clone()];
        self.emit(StmtKind::HavocReachable(Reached { pointers, bytes: Some(Box::new(bytes)), is_own: false }), at);
    }

    /// Checks a settled number of elements. If it is negative, it means more bytes than any object
    /// has. Then an element that far away is read, for its check. (The loop over the elements would
    /// do nothing.)
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
            // At least halved, so that it is not a negative number of elements again.
            let size = Expr::int(i128::from(size.max(2)), model.size_type(), at);
            let far = l.in_units(wrapped, size, ty.clone());
            l.look_at(pointer.clone(), far, span)
        })?;
        let zero = Expr::int(0, model.difference_type(), at);
        let negative = self.arithmetic(BinaryOp::Less, count.clone(), zero, Type::INT);
        self.emit(StmtKind::If(negative, block, Vec::new()), at);
        Ok(count)
    }

    /// Reads `pointer[index]` and drops the value.
    fn look_at(&mut self, pointer: Expr, index: Expr, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let place = self.pointer_add(pointer, index, span)?;
        let place = self.dereference(place, at);
        self.dropped(Expr::load(place));
        Ok(())
    }

    /// The object that a pointer addresses, if the number of bytes is exactly its size.
    fn whole_object(&mut self, pointer: &Expr, bytes: &Node<Expression>) -> Lowered<Option<Lvalue>> {
        let ExprKind::AddressOf(object) = &pointer.kind else { return Ok(None) };
        let measured = self.measured_type(bytes)?;
        let constant = self.try_constant(bytes)?;
        let mut object = object.clone();
        let fits = |l: &Self, ty: &Type| {
            measured.as_ref() == Some(ty) || (constant.is_some() && l.size_of(ty).map(i128::from) == constant)
        };
        // The object may be the start of a larger one: a whole array has decayed to its first
        // element, and programs clear a struct from its first member on.
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
            object.ty = self.program.type_along(&object.base, &object.path).clone();
        }
        Ok(Some(object))
    }

    /// For a pointer to the first row or member of an array or struct: the pointer to the array's
    /// first element, or to the struct, if the number of bytes is exactly its size. Programs also
    /// copy whole objects through such pointers.
    fn begins(&mut self, pointer: &Expr, bytes: &Node<Expression>) -> Lowered<Option<Expr>> {
        let Some(object) = self.whole_object(pointer, bytes)? else { return Ok(None) };
        let whole = match object.ty {
            Type::Array(..) => self.load(object, bytes.span)?,
            _ => self.address(object, bytes.span)?,
        };
        Ok((whole.ty != pointer.ty).then_some(whole))
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

/// An element of an array.
fn element(mut array: Lvalue, index: Expr) -> Lvalue {
    if let Type::Array(element, _) = array.ty {
        array.ty = *element;
    }
    array.path.push(Step::Index(index));
    array
}

/// Whether a type is one that is assigned, or an array of a fixed number of such.
fn is_copied_in_parts(ty: &Type) -> bool {
    match ty {
        Type::Array(element, Length::Constant(_)) => is_copied_in_parts(element),
        ty => ty.is_scalar() || matches!(ty, Type::Struct(_)),
    }
}

/// The pointer before casts between pointers.
pub(super) fn uncast(pointer: Expr) -> Expr {
    match pointer.kind {
        ExprKind::Cast(inner) if matches!(inner.ty, Type::Pointer(_)) => uncast(*inner),
        kind => Expr { kind, ..pointer },
    }
}

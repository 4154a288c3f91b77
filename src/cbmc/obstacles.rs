//! Finds reasons why CBMC's success on a text would prove nothing: parts of the program that the
//! text or CBMC itself does not represent exactly.
//!
//! CBMC's addresses are pairs of an object and an offset. For computations with the bits of an
//! address, and for comparisons of addresses of different objects, CBMC fixes one of many possible
//! results. Its `long double` is not that of the processor. Its intermediate results are not wider
//! than their types. The result of converting a number to a type that cannot hold it is undefined.

use super::options::Undefined;
use crate::program::print::Printer;
use crate::program::{
    Base, BinaryOp, Callee, DataModel, Expr, ExprKind, FloatKind, IntKind, Length, Lvalue, Packing, Part, Program,
    Step, StmtKind, Type, Use, VarId, each_part,
};
use std::collections::BTreeSet;

/// The number of bytes that the offsets of CBMC's addresses can count, with some reserve: 52 bits,
/// or 24 on 32-bit machines.
pub(super) fn capacity(model: DataModel) -> u64 {
    match model {
        DataModel::Ilp32 => 1 << 22,
        DataModel::Lp64 => 1 << 48,
    }
}

/// Finds the parts of a program that the text does not represent exactly.
pub(super) fn find_obstacles(program: &Program, undefined: Undefined, found: &mut BTreeSet<String>) {
    let mut seen = Seen::default();
    let parameters = program.function(program.entry).parameters.iter().copied();
    seen.arbitrary.extend(parameters.filter(|v| leads_somewhere(program, &program.variable(*v).ty)));
    program.each_stmt(|s| {
        each_part(s, &mut |part| match part {
            Part::Expr(e) => seen.expression(program, e),
            Part::Lvalue(l, how) => seen.place(program, l, how),
        });
        match &s.kind {
            StmtKind::Declare(v) => _ = seen.used.insert(*v),
            StmtKind::Havoc(l) | StmtKind::Input(l, _) if leads_somewhere(program, &l.ty) => match l.base {
                Base::Var(v) => _ = seen.arbitrary.insert(v),
                Base::Deref(_) => seen.outside = true,
            },
            // In the text, such an array has only the bytes that remain after whole structs. CBMC
            // reads arbitrary values beyond its object.
            StmtKind::Allocate { element, .. } if has_unknown_length(program, element) => {
                found.insert(
                    "a block may have more cells than CBMC assumes, because the length of an array is not known"
                        .to_owned(),
                );
            }
            StmtKind::HavocReachable(_) => {
                // A call of unknown code, or of a library function whose effect is not modelled
                // (such as `realloc`).
                found.insert(format!(
                    "the contents of memory after {} are not known",
                    program.sources.describe(s.location)
                ));
            }
            StmtKind::Call { callee: Callee::Pointer(_), .. } => {
                found.insert("the program calls through pointers".to_owned());
            }
            StmtKind::Call { callee: Callee::Function(f), .. } if program.function(*f).body.is_none() => {
                found.insert(format!("the program calls `{}`, which has no body", program.function(*f).name));
            }
            _ => {}
        }
    });
    found.extend(seen.obstacles(program));
    if let Undefined::Sets(_) = undefined {
        return;
    }
    for variable in seen.used.iter().map(|v| program.variable(*v)) {
        match constant_size(program, &variable.ty) {
            Some(size) if size <= capacity(program.data_model) => {}
            Some(_) => {
                found.insert(format!("`{}` is too large for CBMC", variable.shown()));
            }
            None => {
                found.insert(format!("the length of `{}` is not known", variable.shown()));
            }
        }
    }
}

/// Whether objects of the type contain an array of unknown length.
fn has_unknown_length(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Array(element, length) => *length == Length::Unknown || has_unknown_length(program, element),
        Type::Struct(id) => program.structure(*id).members.iter().any(|m| has_unknown_length(program, &m.ty)),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function => false,
    }
}

/// An upper bound of the size of an object in bytes, with variable lengths counted as 1; `None` for
/// an array of unknown length.
pub(super) fn constant_size(program: &Program, ty: &Type) -> Option<u64> {
    Some(match ty {
        Type::Void | Type::Int(_) | Type::Pointer(_) | Type::Function => 8,
        Type::Float(_) => 16,
        Type::Array(element, length) => {
            let element = constant_size(program, element)?;
            match length {
                Length::Constant(n) => element.saturating_mul(*n),
                Length::Variable(_) => element,
                Length::Unknown => return None,
            }
        }
        Type::Struct(id) => {
            let members = &program.structure(*id).members;
            // A flexible array member has no cells.
            let sizes = members.iter().map(|m| constant_size(program, &m.ty).unwrap_or(0));
            sizes.fold(8, |sum: u64, size| sum.saturating_add(size).saturating_add(8))
        }
    })
}

/// The operations in the program for which CBMC's semantics may differ.
#[derive(Default)]
struct Seen {
    /// Numbers are computed from addresses, or addresses from numbers.
    numbers: bool,
    /// Bytes that are not part of a number (such as bytes of pointers) may be read.
    bytes: bool,
    /// A pointer to an object with such bytes loses its type, or gains that type.
    untyped: bool,
    /// A pointer without a type becomes one to numbers.
    typed: bool,
    /// A union member with such bytes is used.
    overlaid_special: bool,
    /// A union member with other bytes is used.
    overlaid_plain: bool,
    /// The address of a member is taken in a struct whose layout the source fixes.
    own_layout: bool,
    /// Pointers are compared for equality.
    equal: bool,
    /// The address of a string literal is taken.
    literals: bool,
    /// A flexible array member is used.
    flexible: bool,
    /// There are floating values.
    floats: bool,
    /// There are `long double` values.
    long_doubles: bool,
    /// Floating values are converted to integers.
    truncated: bool,
    /// The variables that hold unknown pointers.
    arbitrary: BTreeSet<VarId>,
    /// The variables that are declared or used.
    used: BTreeSet<VarId>,
    /// The variables that are read, or that pointers may point to.
    read: BTreeSet<VarId>,
    /// Unknown pointers are written through pointers.
    outside: bool,
    /// The targets of pointers matter: they are accessed, or pointers are compared.
    followed: bool,
}

impl Seen {
    fn place(&mut self, program: &Program, l: &Lvalue, how: Use) {
        if let Base::Var(v) = l.base {
            self.used.insert(v);
            if matches!(how, Use::Read | Use::Address) {
                self.read.insert(v);
            }
        }
        self.followed |= matches!(l.base, Base::Deref(_));
        for step in &l.path {
            let Step::Field(id, n) = step else { continue };
            let s = program.structure(*id);
            self.flexible |= matches!(s.members[*n as usize].ty, Type::Array(_, Length::Unknown));
            self.own_layout |= how == Use::Address && s.packing != Packing::Natural;
            if s.is_union && s.members.len() > 1 {
                let member = &s.members[*n as usize].ty;
                self.overlaid_special |= is_special(member);
                // A struct has other parts than those that make it special.
                self.overlaid_plain |= !matches!(member, Type::Pointer(_) | Type::Float(_));
            }
        }
    }

    fn expression(&mut self, program: &Program, e: &Expr) {
        if let Type::Float(kind) = e.ty {
            self.floats = true;
            self.long_doubles |= kind == FloatKind::LongDouble;
        }
        match &e.kind {
            ExprKind::Cast(a) => self.conversion(a, &e.ty),
            ExprKind::Binary(BinaryOp::PointerDiff, ..) => self.followed = true,
            ExprKind::Binary(op, a, b) if op.is_comparison() && is_pointer(a) => {
                self.equal |= !is_null(a) && !is_null(b);
                self.followed |= self.equal;
            }
            ExprKind::AddressOf(l) => {
                self.literals |= matches!(l.base, Base::Var(v) if program.is_literal(v));
            }
            _ => {}
        }
    }

    fn conversion(&mut self, from: &Expr, to: &Type) {
        match (&from.ty, to) {
            (Type::Pointer(_) | Type::Function, Type::Int(kind)) => self.numbers |= *kind != IntKind::Bool,
            (Type::Int(_), Type::Pointer(_)) => self.numbers |= !is_null(from),
            (Type::Float(_), Type::Int(kind)) => self.truncated |= *kind != IntKind::Bool,
            (Type::Pointer(a), Type::Pointer(b)) => self.view(a, b),
            _ => {}
        }
    }

    /// Records that an object of one type may be accessed as one of another type.
    fn view(&mut self, from: &Type, to: &Type) {
        let code = |ty: &Type| *ty == Type::Function;
        match (from, to) {
            (from, to) if from == to || code(from) || code(to) => {}
            (Type::Void, ty) | (ty, Type::Void) if is_special(ty) => self.untyped = true,
            (Type::Void, _) => self.typed = true,
            (_, Type::Void) | (Type::Pointer(_), Type::Pointer(_)) => {}
            (from, to) => self.bytes |= is_special(from) || is_special(to),
        }
    }

    fn obstacles(&self, program: &Program) -> impl Iterator<Item = String> {
        let bytes = self.bytes || (self.untyped && self.typed) || (self.overlaid_special && self.overlaid_plain);
        let x87 = self.floats && program.data_model == DataModel::Ilp32;
        let outside = self.followed && (self.outside || !self.arbitrary.is_disjoint(&self.read));
        let all = [
            (outside, "a pointer comes from outside of the program"),
            (self.numbers, "the program computes with addresses"),
            (self.flexible, "the length of an array that is a member is not known"),
            (self.own_layout, "the members of a struct lie in memory as the source says"),
            (bytes, "the program may read the bytes of pointers, floating values or structs"),
            (self.equal && self.literals, "string literals may share their cells"),
            (self.long_doubles || x87, "floating values may be computed with more digits than CBMC has"),
            (self.truncated, "floating values are converted to integers, which may be too narrow"),
        ];
        all.into_iter().filter(|(there, _)| *there).map(|(_, why)| why.to_owned())
    }
}

fn is_pointer(e: &Expr) -> bool {
    matches!(e.ty, Type::Pointer(_))
}

/// The constant 0, possibly with conversions.
fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(a) => is_null(a),
        _ => e.as_int() == Some(0),
    }
}

/// Whether a pointer of the type, or in an object of the type, may lead to an object of the
/// program. (A pointer to a type that is never completed does not: here, pointers to structs are
/// accessed as such only.)
fn leads_somewhere(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Pointer(to) => !matches!(**to, Type::Struct(id) if program.structure(id).members.is_empty()),
        Type::Array(element, _) => leads_somewhere(program, element),
        Type::Struct(id) => program.structure(*id).members.iter().any(|m| leads_somewhere(program, &m.ty)),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Function => false,
    }
}

/// Whether objects of the type have bytes that are not part of a number: those of addresses, of
/// floating values, and padding.
fn is_special(ty: &Type) -> bool {
    match ty {
        Type::Pointer(_) | Type::Float(_) | Type::Struct(_) => true,
        Type::Array(element, _) => is_special(element),
        Type::Void | Type::Int(_) | Type::Function => false,
    }
}

/// The condition under which CBMC compares (or subtracts) two pointers as every machine does: for
/// order and distance, they point into one object; for equality, neither points past the end of its
/// object, where the next one may begin. (CBMC gives functions the size 0.)
pub(super) fn comparable(printer: &Printer<'_>, e: &Expr) -> Option<String> {
    let ExprKind::Binary(op, a, b) = &e.kind else { return None };
    if !is_pointer(a) || !is_pointer(b) || is_null(a) || is_null(b) {
        return None;
    }
    let (p, q) = (printer.operand(a), printer.operand(b));
    let same = format!("__CPROVER_same_object({p}, {q})");
    let leads_to_code = a.ty.pointee() == Some(&Type::Function);
    let inside = |p: &str| match leads_to_code {
        true => format!("{p} == 0 || __CPROVER_POINTER_OFFSET({p}) == 0"),
        false => format!("{p} == 0 || __CPROVER_POINTER_OFFSET({p}) < __CPROVER_OBJECT_SIZE({p})"),
    };
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual => Some(format!("{same} || (({}) && ({}))", inside(&p), inside(&q))),
        op if op.is_comparison() || *op == BinaryOp::PointerDiff => Some(same),
        _ => None,
    }
}

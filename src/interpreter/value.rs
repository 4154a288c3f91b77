//! Values of expressions, and what cells hold.

use super::memory::ObjectRef;
use crate::program::{DataModel, FunctionId, IntKind};

/// The value of a scalar expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    /// An integer, in the range of its type.
    Int(i128),
    /// The address of a leaf of an object, or one past its last.
    Pointer(Pointer),
    /// The null pointer.
    Null,
    /// A pointer that is not null and points to nothing that is known.
    Wild(i64),
    /// The address of a function.
    Function(FunctionId),
    /// A floating value: not known.
    Opaque,
}

/// An object and the number of a leaf in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    pub(super) object: ObjectRef,
    pub(super) leaf: i64,
}

/// What a cell or register holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Cell {
    /// Never written: its object determines the contents.
    Unset,
    /// A register that has not been written since that execution of its `Declare`.
    Fresh(u64),
    /// A register that a havoc has made arbitrary.
    Havocked,
    /// The bits of an integer, extended by its type's sign.
    Int(i64),
    Pointer(Pointer),
    Null,
    Wild(i64),
    Function(FunctionId),
    Opaque,
}

impl Value {
    /// The value as a cell stores it. Integers of 64 bits without sign keep their bits.
    pub(super) fn to_cell(self) -> Cell {
        match self {
            Value::Int(n) => Cell::Int(n as i64),
            Value::Pointer(p) => Cell::Pointer(p),
            Value::Null => Cell::Null,
            Value::Wild(n) => Cell::Wild(n),
            Value::Function(f) => Cell::Function(f),
            Value::Opaque => Cell::Opaque,
        }
    }
}

/// The value of the type that has the same low bits as `x`; the same as [`IntKind::wrap`], and
/// fast.
pub(super) fn wrap(kind: IntKind, x: i128, model: DataModel) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(x != 0);
    }
    let unused = 64 - kind.width(model);
    if kind.is_signed() {
        i128::from(((x as i64) << unused) >> unused)
    } else {
        i128::from(((x as u64) << unused) >> unused)
    }
}

/// The value that a bit-field of that width holds after `x` is stored.
pub(super) fn wrap_bits(kind: IntKind, bits: u8, x: i128) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(x != 0);
    }
    let unused = 64 - u32::from(bits.clamp(1, 64));
    if kind.is_signed() {
        i128::from(((x as i64) << unused) >> unused)
    } else {
        i128::from(((x as u64) << unused) >> unused)
    }
}

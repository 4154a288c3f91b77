//! Cells that are units of bit-fields.

use super::number::Number;
use super::unit::{BitField, Unit};
use super::value::{Pointers, Value};
use std::rc::Rc;

impl BitField {
    /// What it holds in a unit.
    pub(super) fn read_in(self, unit: &Value) -> Number {
        match unit {
            Value::Bits(unit) => unit.read(self),
            Value::Number(n) if self.lowest == 0 => self.holds(*n),
            unit => unit_of(unit, self.size).read(self),
        }
    }

    /// Whether something has written it in a unit.
    pub(super) fn is_written_in(self, unit: &Value) -> bool {
        match unit {
            Value::Bits(unit) => unit.size == self.size && unit.has(self.mask()),
            unit => unit.is_written(),
        }
    }

    /// The unit after the bit-field was set: to a number, or to what perhaps nothing has written.
    pub(super) fn written_in(self, unit: &Value, value: &Value) -> Value {
        let mut unit = unit_of(unit, self.size);
        let n = match value {
            Value::Number(n) => Some(*n),
            _ => None,
        };
        unit.write(self, n, value.is_written());
        value_of(unit)
    }
}

/// What a cell of that size holds.
fn unit_of(cell: &Value, size: u32) -> Unit {
    let constant = match cell {
        Value::Bits(unit) if unit.size == size => return Unit::clone(unit),
        Value::Number(n) => n.as_constant().filter(|n| size <= 8 || *n == 0).map(|n| n as u128),
        Value::Pointer(p) if **p == Pointers::null() => Some(0),
        Value::Float(_) => cell.bits(size),
        _ => None,
    };
    match constant {
        Some(bits) => Unit::of_bits(size, bits),
        None => Unit::any(size, cell.is_written()),
    }
}

/// The unit as a value of a cell.
fn value_of(unit: Unit) -> Value {
    match (unit.says_nothing(), unit.is_written()) {
        (false, _) => Value::Bits(Rc::new(unit)),
        (true, true) => Value::written(unit.size),
        (true, false) => Value::Any,
    }
}

impl Value {
    /// Whether something has certainly written all bits.
    pub(super) fn is_written(&self) -> bool {
        match self {
            Value::Any => false,
            Value::Bits(unit) => unit.is_written(),
            _ => true,
        }
    }

    /// Whether something has certainly written a byte of a cell, counted from the lowest one.
    pub(super) fn is_byte_written(&self, n: u32) -> bool {
        match self {
            Value::Bits(unit) => unit.has(0xff << (8 * n)),
            value => value.is_written(),
        }
    }

    /// The bits of a unit of bit-fields, if all are known.
    pub(super) fn unit_bits(&self) -> Option<u128> {
        let Value::Bits(unit) = self else { return None };
        unit.constant()
    }

    /// [`Value::join`], or another union for numbers, where one value is a unit of bit-fields.
    pub(super) fn merged_bits(&self, other: &Value, merged: impl Fn(Number, Number) -> Number) -> Value {
        match (self, other) {
            (Value::Bits(unit), other) => value_of(unit.merged(&unit_of(other, unit.size), merged)),
            (other, Value::Bits(unit)) => value_of(unit_of(other, unit.size).merged(unit, merged)),
            _ => Value::Any,
        }
    }

    /// Whether each of these values is one of the others, where one is a unit of bit-fields.
    pub(super) fn is_bits_within(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bits(a), Value::Bits(b)) => a.is_within(b),
            (value, Value::Bits(unit)) => unit_of(value, unit.size).is_within(unit),
            _ => false,
        }
    }

    /// What a unit of that size holds when anything may be in all bits but these.
    pub(super) fn with_only(&self, mask: u128, size: u32) -> Value {
        let mut unit = unit_of(self, size);
        unit.keep(mask);
        value_of(unit)
    }
}

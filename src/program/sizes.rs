//! Sizes, alignments and positions in bytes, as gcc lays objects out.

use super::{FloatKind, IntKind, Length, Packing, Program, StructId, Type};
use std::ops::Range;

/// The sizes and positions of a struct and its members, in bytes.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The size of the struct.
    pub size: u64,
    /// The offset of each member; of a bit-field, that of the byte in which it begins.
    pub offsets: Vec<u64>,
    /// Where each member lies that is a bit-field and has bits.
    pub bit_fields: Vec<Option<BitField>>,
}

/// Where a bit-field lies. Bit-fields that share bytes lie in one *unit*, if that has at most 8
/// bytes: then no two units overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// The offset of the unit in bytes.
    pub unit: u64,
    /// The size of the unit in bytes.
    pub size: u32,
    /// How many bits of the unit lie before it.
    pub first: u32,
    /// Its number of bits.
    pub width: u32,
}

impl Layout {
    /// Where a member lies if it is the first bit-field in its unit. (Members follow each other.)
    pub fn begins_unit(&self, member: usize) -> Option<BitField> {
        let unit_of = |field: &BitField| (field.unit, field.size);
        let before = self.bit_fields[..member].iter().rev().flatten().next().map(unit_of);
        self.bit_fields[member].filter(|field| before != Some(unit_of(field)))
    }
}

/// The most bytes of a unit of several bit-fields.
const LARGEST_UNIT: u128 = 8;

/// The positions of the members of a struct.
struct Bits {
    /// In bits from the start of the struct.
    offsets: Vec<u128>,
    size: u128,
    align: u128,
}

impl Program {
    /// The size of a type of constant size, in bytes. `None` for other types, and if the source
    /// controls the layout. (A struct without members may be incomplete; its size counts as 0.)
    pub fn size_of(&self, ty: &Type) -> Option<u64> {
        self.size_and_align(ty).and_then(|(size, _)| u64::try_from(size).ok())
    }

    /// The alignment of a type, in bytes; `None` as for [`Program::size_of`].
    pub fn align_of(&self, ty: &Type) -> Option<u64> {
        self.size_and_align(ty).and_then(|(_, align)| u64::try_from(align).ok())
    }

    /// The layout of a struct; `None` as for [`Program::size_of`].
    pub fn layout_of(&self, id: StructId) -> Option<Layout> {
        let bits = self.layout(id)?;
        let offsets = bits.offsets.iter().map(|offset| u64::try_from(offset / 8).ok());
        let bit_fields = self.bit_fields(id, &bits.offsets)?;
        Some(Layout { size: bits.size.try_into().ok()?, offsets: offsets.collect::<Option<_>>()?, bit_fields })
    }

    /// Where the bit-fields of a struct lie that begin at these bits.
    fn bit_fields(&self, id: StructId, offsets: &[u128]) -> Option<Vec<Option<BitField>>> {
        let structure = self.structure(id);
        let mut bits: Vec<_> =
            structure.members.iter().zip(offsets).map(|(m, at)| Some(*at..at + u128::from(m.bits?))).collect();
        bits.iter_mut().for_each(|bits| *bits = bits.take().filter(|bits| !bits.is_empty()));
        let bytes = |bits: &Range<u128>| bits.start / 8..bits.end.div_ceil(8);
        let mut units: Vec<Range<u128>> = Vec::new();
        for bytes in bits.iter().flatten().map(bytes) {
            match units.last_mut().filter(|unit| bytes.start < unit.end && !structure.is_union) {
                Some(unit) => unit.end = bytes.end,
                None => units.push(bytes),
            }
        }
        units.retain(|unit| unit.end - unit.start <= LARGEST_UNIT);
        let place = |bits: Range<u128>| {
            let own = bytes(&bits);
            let shared = units.iter().find(|unit| unit.start <= own.start && own.end <= unit.end);
            let unit = shared.filter(|_| !structure.is_union).unwrap_or(&own);
            Some(BitField {
                unit: unit.start.try_into().ok()?,
                size: (unit.end - unit.start).try_into().ok()?,
                first: (bits.start - 8 * unit.start).try_into().ok()?,
                width: (bits.end - bits.start).try_into().ok()?,
            })
        };
        bits.into_iter().map(|bits| bits.map_or(Some(None), |bits| place(bits).map(Some))).collect()
    }

    /// The offset of a member in bytes; of a bit-field, that of the byte in which it begins. `None`
    /// as for [`Program::size_of`].
    pub fn offset_of(&self, id: StructId, member: u32) -> Option<u64> {
        self.layout_of(id)?.offsets.get(member as usize).copied()
    }

    /// Whether the type stands for the arguments of a call of a variadic function.
    pub fn is_argument_list(&self, ty: &Type) -> bool {
        matches!(ty, Type::Struct(id) if self.structure(*id).is_argument_list)
    }

    fn size_and_align(&self, ty: &Type) -> Option<(u128, u128)> {
        let wide = self.data_model.pointer_width() == 64;
        let scalar = |bytes: u128| Some((bytes, if wide { bytes } else { bytes.min(4) }));
        match ty {
            // As in gcc, for arithmetic with pointers to void.
            Type::Void => Some((1, 1)),
            Type::Int(IntKind::Bool) => Some((1, 1)),
            Type::Int(kind) => scalar(u128::from(kind.width(self.data_model) / 8)),
            Type::Float(FloatKind::Float) => scalar(4),
            Type::Float(FloatKind::Double) => scalar(8),
            Type::Float(FloatKind::LongDouble) if wide => Some((16, 16)),
            Type::Float(FloatKind::LongDouble) => Some((12, 4)),
            Type::Pointer(to) if self.is_argument_list(to) => None,
            Type::Pointer(_) => scalar(u128::from(self.data_model.pointer_width() / 8)),
            Type::Array(element, Length::Constant(n)) => {
                let (size, align) = self.size_and_align(element)?;
                Some((size.checked_mul(u128::from(*n))?, align))
            }
            Type::Array(..) => None,
            Type::Struct(id) => self.layout(*id).map(|l| (l.size, l.align)),
            Type::Function => Some((1, 1)),
        }
    }

    fn layout(&self, id: StructId) -> Option<Bits> {
        let structure = self.structure(id);
        // A bit-field of a packed struct begins at the next bit, whatever its type.
        let most = match structure.packing {
            Packing::Natural => u128::MAX,
            Packing::AtMost(most) => u128::from(most),
            Packing::Unknown => return None,
        };
        let (mut bits, mut size, mut align) = (0u128, 0u128, 1u128);
        let mut offsets = Vec::new();
        let last = structure.members.len().saturating_sub(1);
        for (n, member) in structure.members.iter().enumerate() {
            let flexible = n == last && matches!(member.ty, Type::Array(_, Length::Unknown));
            let (bytes, own_align) = match (&member.ty, flexible) {
                (Type::Array(element, _), true) => (0, self.size_and_align(element)?.1),
                (ty, _) => self.size_and_align(ty)?,
            };
            let member_align = own_align.min(most);
            if structure.is_union {
                bits = 0;
            }
            let (unit, step) = (bytes * 8, member_align * 8);
            match member.bits {
                Some(0) => {
                    bits = bits.next_multiple_of(step);
                    offsets.push(bits);
                    continue;
                }
                Some(width) => {
                    // A bit-field lies in an aligned piece of the size of its declared type.
                    if most == u128::MAX && (bits % step + u128::from(width)).div_ceil(step) > unit / step {
                        bits = bits.next_multiple_of(step);
                    }
                    offsets.push(bits);
                    bits += u128::from(width);
                }
                None => {
                    bits = bits.next_multiple_of(step);
                    offsets.push(bits);
                    bits = bits.checked_add(unit)?;
                }
            }
            align = align.max(if member.bits.is_some() && member.is_unnamed() { 1 } else { member_align });
            size = size.max(bits.div_ceil(8));
        }
        Some(Bits { offsets, size: size.max(bits.div_ceil(8)).next_multiple_of(align), align })
    }
}

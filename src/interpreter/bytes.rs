//! Where the leaves of an object are in memory: pointers to other types count bytes.

use super::layout::Layouts;
use crate::program::{BitField, Length, Program, Type};

/// The offset in bytes of a leaf of an object of that type (no variable lengths in it), and the
/// leaf's type. `None` for parts of unions, bit-fields, and types whose layout is not known.
pub(super) fn place_of<'p>(
    program: &'p Program,
    layouts: &Layouts,
    ty: &'p Type,
    leaf: u64,
) -> Option<(u64, &'p Type)> {
    let (byte, ty, bits) = place_with_bits(program, layouts, ty, leaf)?;
    bits.is_none().then_some((byte, ty))
}

/// The same, also for bit-fields: with the offset of the struct that has them as members, and where
/// they lie in it.
pub(super) fn place_with_bits<'p>(
    program: &'p Program,
    layouts: &Layouts,
    ty: &'p Type,
    leaf: u64,
) -> Option<(u64, &'p Type, Option<BitField>)> {
    let (mut ty, mut leaf, mut byte) = (ty, leaf, 0u64);
    loop {
        match ty {
            Type::Array(element, _) => {
                let stride = layouts.fixed(element).max(1);
                byte = byte.checked_add((leaf / stride).checked_mul(program.size_of(element)?)?)?;
                leaf %= stride;
                ty = element;
            }
            Type::Struct(id) => {
                let structure = program.structure(*id);
                let offsets = &layouts.structs[id.0 as usize].offsets;
                let member = offsets.partition_point(|o| *o <= leaf).checked_sub(1)?;
                if structure.is_union {
                    return None;
                }
                if structure.members[member].bits.is_some() {
                    let bits = program.layout_of(*id)?.bit_fields[member]?;
                    return Some((byte, &structure.members[member].ty, Some(bits)));
                }
                byte = byte.checked_add(program.offset_of(*id, member as u32)?)?;
                leaf -= offsets[member];
                ty = &structure.members[member].ty;
            }
            _ => return (leaf == 0).then_some((byte, ty, None)),
        }
    }
}

/// The offset in bytes of what a pointer to that leaf, or to the end of the `leaves`, points to.
/// `None` as for [`place_of`], and if padding comes before it: the pointer may then also be to the
/// end of an array before the padding.
pub(super) fn byte_of(program: &Program, layouts: &Layouts, ty: &Type, leaf: u64, leaves: u64) -> Option<u64> {
    let byte = if leaf < leaves { place_of(program, layouts, ty, leaf)?.0 } else { program.size_of(ty)? };
    let Some(before) = leaf.checked_sub(1) else { return Some(byte) };
    let (start, of) = place_of(program, layouts, ty, before)?;
    (start.checked_add(program.size_of(of)?)? == byte).then_some(byte)
}

/// The leaf that begins at an offset in bytes, as [`place_of`] has it. `None` if none begins there.
pub(super) fn leaf_at(program: &Program, layouts: &Layouts, ty: &Type, byte: u64) -> Option<u64> {
    let (mut ty, mut leaf, mut byte) = (ty, 0u64, byte);
    loop {
        match ty {
            Type::Array(element, length) => {
                let size = program.size_of(element).filter(|size| *size > 0)?;
                let n = byte / size;
                if !matches!(length, Length::Constant(length) if n < *length) {
                    return None;
                }
                leaf += n * layouts.fixed(element);
                byte %= size;
                ty = element;
            }
            Type::Struct(id) => {
                let structure = program.structure(*id);
                let offsets = program.layout_of(*id)?.offsets;
                let member = offsets.partition_point(|o| *o <= byte).checked_sub(1)?;
                if structure.is_union || structure.members[member].bits.is_some() {
                    return None;
                }
                leaf += layouts.structs[id.0 as usize].offsets[member];
                byte -= offsets[member];
                ty = &structure.members[member].ty;
            }
            _ => return (byte == 0).then_some(leaf),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::{LowerOptions, load_text};

    #[test]
    fn a_leaf_is_where_its_offset_says() {
        let text = "struct inner { short s[3]; char c; };
            struct outer { char c; struct inner in[2]; long l; int *p; float m[2][3]; };
            struct outer x[3]; int y; int main(void) { return x[0].c + y; }";
        let program = load_text("test.c", text, &LowerOptions::default()).expect("the program is right");
        let layouts = Layouts::new(&program);
        let variable = program.globals.iter().map(|v| program.variable(*v)).find(|v| *v.name == *"x");
        let ty = &variable.expect("a global").ty;
        let leaves = layouts.fixed(ty);
        assert_eq!(leaves, 3 * (1 + 2 * 4 + 1 + 1 + 6));
        let places = (0..leaves).filter_map(|leaf| place_of(&program, &layouts, ty, leaf));
        let bytes: Vec<u64> = places.map(|(byte, _)| byte).collect();
        assert!(bytes.len() == leaves as usize && bytes.is_sorted_by(|a, b| a < b), "{bytes:?}");
        let back: Vec<_> = bytes.iter().map(|byte| leaf_at(&program, &layouts, ty, *byte)).collect();
        assert_eq!(back, (0..leaves).map(Some).collect::<Vec<_>>());
        // Offsets of gcc: `in` at 2 (aligned to 2), eight bytes each; `l` at 24.
        assert_eq!(bytes[1..10], [2, 4, 6, 8, 10, 12, 14, 16, 24]);
        // Nothing begins in the padding behind `in`, or within a number.
        assert_eq!([18, 23, 25].map(|byte| leaf_at(&program, &layouts, ty, byte)), [None; 3]);
        // Padding is before `in`, `l`, and the end of `m`, but not within `in[0].s`.
        assert_eq!([1, 3, 9].map(|leaf| byte_of(&program, &layouts, ty, leaf, leaves)), [None, Some(6), None]);
        let size = program.size_of(ty).expect("a size");
        assert_eq!([size, size + 2].map(|byte| leaf_at(&program, &layouts, ty, byte)), [None; 2]);
    }
}

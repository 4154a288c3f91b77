//! Divides types into leaves.

use crate::program::{DataModel, IntKind, Length, Member, Packing, Program, Step, Type, VarId};

/// The leaves of one struct or union.
pub(super) struct StructLayout {
    pub(super) leaves: u64,
    /// The first leaf of each member. A union's members do not share leaves: leaf 0 tells which one
    /// is in use (0: all are zero; its number plus 1).
    pub(super) offsets: Vec<u64>,
}

/// The leaves of all types.
pub(super) struct Layouts {
    pub(super) structs: Vec<StructLayout>,
}

/// The greatest size that counts as valid.
pub(super) const TOO_LARGE: u64 = 1 << 60;

impl Layouts {
    pub(super) fn new(program: &Program) -> Layouts {
        let mut layouts = Layouts { structs: Vec::new() };
        let mut found: Vec<Option<StructLayout>> = program.structs.iter().map(|_| None).collect();
        for first in 0..program.structs.len() {
            compute(program, first, &mut found, 0);
        }
        layouts.structs =
            found.into_iter().map(|l| l.unwrap_or(StructLayout { leaves: 0, offsets: Vec::new() })).collect();
        layouts
    }

    /// The number of leaves of a type; `length` gives the lengths of variable-length arrays.
    pub(super) fn leaves<F>(&self, ty: &Type, length: &F) -> u64
    where
        F: Fn(VarId) -> u64,
    {
        match ty {
            Type::Array(element, n) => {
                let n = match n {
                    Length::Constant(n) => *n,
                    Length::Variable(v) => length(*v),
                    Length::Unknown => 0,
                };
                n.saturating_mul(self.leaves(element, length)).min(TOO_LARGE)
            }
            Type::Struct(id) => self.structs[id.0 as usize].leaves,
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function => 1,
        }
    }

    /// The number of leaves of a type without variable lengths.
    pub(super) fn fixed(&self, ty: &Type) -> u64 {
        self.leaves(ty, &|_| 0)
    }

    /// Whether an object of type `wanted` starts at a leaf of an object of type `ty` (no variable
    /// lengths in it). `size` is the number of leaves of `wanted`. Only the elements of an array
    /// count, not its shape: `int[12]` can be used as `int[3][4]`.
    pub(super) fn has(&self, program: &Program, ty: &Type, leaf: u64, wanted: &Type, size: u64) -> bool {
        let (mut ty, mut leaf) = (ty, leaf);
        let wanted = innermost(wanted);
        loop {
            let inner = innermost(ty);
            if same(inner, wanted, program.data_model) {
                return leaf.is_multiple_of(self.fixed(inner).max(1)) && leaf + size <= self.fixed(ty);
            }
            match ty {
                Type::Array(element, _) => {
                    let stride = self.fixed(element);
                    if stride == 0 {
                        return false;
                    }
                    leaf %= stride;
                    ty = element;
                }
                Type::Struct(id) => {
                    let offsets = &self.structs[id.0 as usize].offsets;
                    // Leaf 0 of a union belongs to no member.
                    let Some(field) = offsets.partition_point(|&o| o <= leaf).checked_sub(1) else { return false };
                    leaf -= offsets[field];
                    ty = &program.structure(*id).members[field].ty;
                }
                _ => return false,
            }
        }
    }

    /// Whether a leaf of an object of type `ty` (no variable lengths in it) is or lies in a `const`
    /// member.
    pub(super) fn is_constant(&self, program: &Program, ty: &Type, leaf: u64) -> bool {
        let (mut ty, mut leaf) = (ty, leaf);
        loop {
            match ty {
                Type::Array(element, _) => {
                    leaf %= self.fixed(element).max(1);
                    ty = element;
                }
                Type::Struct(id) => {
                    let offsets = &self.structs[id.0 as usize].offsets;
                    let Some(field) = offsets.partition_point(|&o| o <= leaf).checked_sub(1) else { return false };
                    let member = &program.structure(*id).members[field];
                    if member.constant {
                        return true;
                    }
                    (leaf, ty) = (leaf - offsets[field], &member.ty);
                }
                _ => return false,
            }
        }
    }

    /// Whether two leaves of an object of type `ty` (no variable lengths in it) are as far apart in
    /// memory as their numbers say, counted in elements of type `wanted`, which both are: nothing
    /// else lies between them, no padding, and no union, whose members share their memory.
    pub(super) fn adjoin(&self, program: &Program, ty: &Type, lower: u64, upper: u64, wanted: &Type) -> bool {
        let (mut ty, mut lower, mut upper) = (ty, lower, upper);
        loop {
            if same(innermost(ty), innermost(wanted), program.data_model) {
                return true;
            }
            match ty {
                Type::Array(element, _) => {
                    let stride = self.fixed(element).max(1);
                    if lower / stride != upper / stride {
                        return is_made_of(program, element, wanted);
                    }
                    (lower, upper, ty) = (lower % stride, upper % stride, element);
                }
                Type::Struct(id) => {
                    let (offsets, s) = (&self.structs[id.0 as usize].offsets, program.structure(*id));
                    let field = |leaf| offsets.partition_point(|&o| o <= leaf).checked_sub(1);
                    let (Some(first), Some(last)) = (field(lower), field(upper)) else { return false };
                    if first != last {
                        let between = s.members.get(first..=last).unwrap_or(&[]);
                        return !s.is_union
                            && s.packing == Packing::Natural
                            && between.iter().all(|m| m.bits.is_none() && is_made_of(program, &m.ty, wanted));
                    }
                    (lower, upper, ty) = (lower - offsets[first], upper - offsets[first], &s.members[first].ty);
                }
                _ => return true,
            }
        }
    }

    /// Whether the type contains a union.
    pub(super) fn has_union(&self, program: &Program, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.has_union(program, element),
            Type::Struct(id) => {
                let s = program.structure(*id);
                s.is_union || s.members.iter().any(|m| self.has_union(program, &m.ty))
            }
            _ => false,
        }
    }

    /// Calls `f` with the type of each leaf, in order. The type has no variable lengths.
    pub(super) fn each_leaf<'t, X>(
        &self,
        program: &'t Program,
        ty: &'t Type,
        f: &mut impl FnMut(&'t Type) -> Result<(), X>,
    ) -> Result<(), X> {
        match ty {
            Type::Array(element, Length::Constant(n)) => {
                for _ in 0..*n {
                    self.each_leaf(program, element, f)?;
                }
                Ok(())
            }
            Type::Array(..) => Ok(()),
            Type::Struct(id) => {
                let s = program.structure(*id);
                if s.is_union {
                    f(&Type::INT)?;
                }
                s.members.iter().try_for_each(|m| self.each_leaf(program, &m.ty, f))
            }
            _ => f(ty),
        }
    }
}

fn innermost(mut ty: &Type) -> &Type {
    while let Type::Array(element, _) = ty {
        ty = element;
    }
    ty
}

/// Whether objects of the type are elements of type `wanted`, one after the other.
fn is_made_of(program: &Program, ty: &Type, wanted: &Type) -> bool {
    let ty = innermost(ty);
    same(ty, innermost(wanted), program.data_model)
        || matches!(ty, Type::Struct(id) if {
            let s = program.structure(*id);
            let is_element = |m: &Member| m.bits.is_none() && is_made_of(program, &m.ty, wanted);
            !s.is_union && s.packing == Packing::Natural && s.members.iter().all(is_element)
        })
}

fn same(ty: &Type, wanted: &Type, model: DataModel) -> bool {
    match (ty, wanted) {
        (&Type::Int(a), &Type::Int(b)) => {
            a == b || (a.width(model) == b.width(model) && a != IntKind::Bool && b != IntKind::Bool)
        }
        (Type::Float(a), Type::Float(b)) => a == b,
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (Type::Struct(a), Type::Struct(b)) => a == b,
        _ => false,
    }
}

fn compute(program: &Program, index: usize, found: &mut Vec<Option<StructLayout>>, depth: usize) {
    // A struct that contains itself is not C; its parts count as empty.
    if found[index].is_some() || depth > program.structs.len() {
        return;
    }
    let structure = &program.structs[index];
    let mut at = u64::from(structure.is_union);
    let mut offsets = Vec::new();
    for member in &structure.members {
        offsets.push(at);
        at = at.saturating_add(count(program, &member.ty, found, depth)).min(TOO_LARGE);
    }
    found[index] = Some(StructLayout { leaves: at, offsets });
}

fn count(program: &Program, ty: &Type, found: &mut Vec<Option<StructLayout>>, depth: usize) -> u64 {
    match ty {
        Type::Array(element, length) => {
            let n = match length {
                Length::Constant(n) => *n,
                _ => 0,
            };
            n.saturating_mul(count(program, element, found, depth)).min(TOO_LARGE)
        }
        Type::Struct(id) => {
            compute(program, id.0 as usize, found, depth + 1);
            found[id.0 as usize].as_ref().map_or(0, |l| l.leaves)
        }
        _ => 1,
    }
}

/// The steps from an object of type `ty` (constants in place of variable lengths) to its leaf of
/// that number.
pub fn path_of_leaf(program: &Program, ty: &Type, leaf: u64) -> Vec<Step<u64>> {
    let layouts = Layouts::new(program);
    let (mut ty, mut leaf, mut path) = (ty, leaf, Vec::new());
    loop {
        match ty {
            Type::Array(element, _) => {
                let stride = layouts.fixed(element).max(1);
                path.push(Step::Index(leaf / stride));
                leaf %= stride;
                ty = element;
            }
            Type::Struct(id) => {
                let offsets = &layouts.structs[id.0 as usize].offsets;
                let Some(field) = offsets.partition_point(|&o| o <= leaf).checked_sub(1) else { return path };
                path.push(Step::Field(*id, field as u32));
                leaf -= offsets[field];
                ty = &program.structure(*id).members[field].ty;
            }
            _ => return path,
        }
    }
}

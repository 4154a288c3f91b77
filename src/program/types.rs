//! C types.

use super::{Expr, Location, Origin, VarId};
use serde::Serialize;

/// Sizes of the integer types and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

/// The integer types. `char` is signed: if the target says otherwise, plain `char` is lowered to
/// `unsigned char`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
}

/// The floating types. They are parsed, but no analysis knows their values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
}

/// Index of a [`StructType`] in [`super::Program::structs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StructId(pub u32);

/// A C type, without qualifiers; enums have become the integer type that gcc gives them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A pointer to an object or to `void`.
    Pointer(Box<Type>),
    /// An array.
    Array(Box<Type>, Length),
    /// A struct or a union.
    Struct(StructId),
    /// A function; only as the target of a pointer.
    Function,
}

/// The number of elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// A constant.
    Constant(u64),
    /// The value of this variable (a temporary that is assigned once, just before the array's
    /// `Declare`, and then no more).
    Variable(VarId),
    /// Not given (`extern int a[];`, a flexible array member).
    Unknown,
}

/// How the source asks for the members of a struct or union to be laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Packing {
    /// Each member is aligned as its type is.
    #[default]
    Natural,
    /// No member is aligned to more than so many bytes (1 for the attribute `packed`, N for
    /// `#pragma pack(N)`), and none is a bit-field of width 0.
    AtMost(u8),
    /// In a way that is not modelled (`aligned`, `ms_struct`, `packed` for some members, …).
    Unknown,
}

/// A struct or union type.
#[derive(Clone, Debug)]
pub struct StructType {
    /// Its tag, or a made-up name.
    pub name: String,
    /// Whether it is a union.
    pub is_union: bool,
    /// How the source asks for the members to be laid out.
    pub packing: Packing,
    /// Whether it stands for the arguments of a call of a variadic function (`va_list`): how these
    /// are kept is not modelled.
    pub is_argument_list: bool,
    /// The members in order; empty for an incomplete type.
    pub members: Vec<Member>,
    /// Where it is defined.
    pub location: Location,
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name (made up for a member without one, but no other member has it).
    pub name: String,
    /// [`Origin::Source`], or [`Origin::Unnamed`] if the source gives it no name.
    pub origin: Origin,
    /// Its type.
    pub ty: Type,
    /// The width of a bit-field.
    pub bits: Option<u8>,
    /// Whether it, or the elements that it consists of, is `const`.
    pub constant: bool,
}

impl IntKind {
    /// The width in bits (`_Bool` counts as 1: its values are 0 and 1; it occupies 8).
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong if model == DataModel::Ilp32 => 32,
            IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong => 64,
        }
    }

    /// Whether negative values exist.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntKind::Char | IntKind::SChar | IntKind::Short | IntKind::Int | IntKind::Long | IntKind::LongLong
        )
    }

    /// The least value.
    pub fn min(self, model: DataModel) -> i128 {
        if self.is_signed() { -(1 << (self.width(model) - 1)) } else { 0 }
    }

    /// The greatest value.
    pub fn max(self, model: DataModel) -> i128 {
        let bits = self.width(model) - u32::from(self.is_signed());
        (1 << bits) - 1
    }

    /// Whether the number is a value of the type.
    pub fn contains(self, n: i128, model: DataModel) -> bool {
        (self.min(model)..=self.max(model)).contains(&n)
    }

    /// Whether each value of the other type is a value of this one: a conversion from it keeps
    /// values.
    pub fn holds(self, other: IntKind, model: DataModel) -> bool {
        self.min(model) <= other.min(model) && other.max(model) <= self.max(model)
    }

    /// The value of the type that is congruent to `x` (for `_Bool`: whether `x` is not 0), as gcc
    /// converts.
    pub fn wrap(self, x: i128, model: DataModel) -> i128 {
        if self == IntKind::Bool {
            return i128::from(x != 0);
        }
        let modulus = 1i128 << self.width(model);
        let low = x.rem_euclid(modulus);
        if low > self.max(model) { low - modulus } else { low }
    }

    /// The spelling in C.
    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
        }
    }
}

impl DataModel {
    /// The type of `sizeof`.
    pub fn size_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    /// The type of the difference of two pointers.
    pub fn difference_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }

    /// The width of a pointer in bits.
    pub fn pointer_width(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

impl Type {
    /// The variables that are lengths of arrays in the type, of rows that pointers point to too.
    pub fn lengths<'a>(&'a self) -> impl Iterator<Item = VarId> {
        let inner = |ty: &&'a Type| match *ty {
            Type::Array(inner, _) | Type::Pointer(inner) => Some(&**inner),
            _ => None,
        };
        std::iter::successors(Some(self), inner).filter_map(|ty| match ty {
            Type::Array(_, Length::Variable(v)) => Some(*v),
            _ => None,
        })
    }

    /// Whether the type is variably modified (C11 6.7.6 p3): some length in it is a variable's
    /// value.
    pub fn is_variably_modified(&self) -> bool {
        self.lengths().next().is_some()
    }

    /// Whether the size of an object of the type is computed when the program runs. Pointers to
    /// rows of variable length have a size that is known.
    pub fn has_variable_size(&self) -> bool {
        matches!(self, Type::Array(element, length) if matches!(length, Length::Variable(_)) || element.has_variable_size())
    }

    /// `int`
    pub const INT: Type = Type::Int(IntKind::Int);

    /// A pointer to this type.
    #[must_use]
    pub fn pointer_to(self) -> Type {
        Type::Pointer(Box::new(self))
    }

    /// The integer type, if it is one.
    pub fn as_int(&self) -> Option<IntKind> {
        match self {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The pointed-to type, if it is a pointer.
    pub fn pointee(&self) -> Option<&Type> {
        match self {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// Whether it is an integer, a floating type or a pointer: a single cell.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }
}

impl Length {
    /// The length as an expression of the given type, if it is known.
    pub fn as_expr(self, program: &super::Program, at: Location) -> Option<Expr> {
        match self {
            Length::Constant(n) => Some(Expr::int(i128::from(n), program.data_model.size_type(), at)),
            Length::Variable(v) => Some(Expr::load(super::Lvalue::var(program, v, at))),
            Length::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_holds_another_if_conversions_to_it_keep_the_extremes() {
        use IntKind::{Bool, Char, Int, Long, LongLong, SChar, Short, UChar, UInt, ULong, ULongLong, UShort};
        let kinds = [Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong];
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            for (to, from) in kinds.iter().flat_map(|to| kinds.map(|from| (*to, from))) {
                let kept = [from.min(model), from.max(model)].iter().all(|n| to.wrap(*n, model) == *n);
                assert_eq!(to.holds(from, model), kept, "{to:?} and {from:?}, {model:?}");
                assert!(to.contains(to.max(model), model) && !to.contains(to.max(model) + 1, model));
                assert!(to.contains(to.min(model), model) && !to.contains(to.min(model) - 1, model));
            }
        }
    }

    #[test]
    fn lengths_are_those_of_all_dimensions() {
        let array = |inner: Type, length| Type::Array(Box::new(inner), length);
        let rows = array(array(Type::INT, Length::Variable(VarId(2))), Length::Variable(VarId(1)));
        assert!(rows.is_variably_modified() && rows.has_variable_size());
        assert!(array(rows.clone(), Length::Constant(3)).has_variable_size());
        let pointer = rows.pointer_to();
        assert_eq!(pointer.lengths().collect::<Vec<_>>(), [VarId(1), VarId(2)]);
        assert!(pointer.is_variably_modified() && !pointer.has_variable_size());
        let fixed = array(Type::INT, Length::Constant(3));
        assert!(fixed.lengths().count() == 0 && !fixed.is_variably_modified() && !fixed.has_variable_size());
    }
}

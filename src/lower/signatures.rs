//! Types as declarations give them: the program's type, and the signature of the function at the
//! end of its pointers and arrays, which the program's types leave out.

use crate::program::Type;
use std::rc::Rc;

/// A declared type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DeclaredType {
    /// The type.
    pub(super) ty: Type,
    /// The signature of the function that is reached from it through pointers and arrays.
    pub(super) signature: Option<Rc<Signature>>,
    /// Whether an object of the type, or the elements of one that is an array, is `const`.
    /// (Qualifiers of pointer targets are not recorded.)
    pub(super) constant: bool,
}

/// What a function takes and returns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signature {
    /// The parameters' types, arrays and functions as pointers; `None` if they are not given
    /// (`int f()`).
    pub(super) parameters: Option<Vec<DeclaredType>>,
    /// Whether more arguments may follow.
    pub(super) variadic: bool,
    /// What it returns.
    pub(super) result: DeclaredType,
}

impl DeclaredType {
    /// A type from which no function is reached.
    pub(super) fn plain(ty: Type) -> DeclaredType {
        DeclaredType { ty, signature: None, constant: false }
    }

    /// A pointer to this type.
    pub(super) fn pointer_to(self) -> DeclaredType {
        DeclaredType { ty: self.ty.pointer_to(), signature: self.signature, constant: false }
    }
}

impl Signature {
    /// `int f()`
    pub(super) fn unknown_int() -> Rc<Signature> {
        Rc::new(Signature { parameters: None, variadic: false, result: DeclaredType::plain(Type::INT) })
    }

    /// The composite of two declarations of one function, or `None` where they disagree.
    pub(super) fn unite(&self, other: &Signature) -> Option<Signature> {
        if !similar(&self.result.ty, &other.result.ty) {
            return None;
        }
        let parameters = match (&self.parameters, &other.parameters) {
            (Some(a), Some(b)) => {
                let same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| similar(&a.ty, &b.ty));
                if !same || self.variadic != other.variadic {
                    return None;
                }
                Some(a.clone())
            }
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let variadic = self.variadic || other.variadic;
        Some(Signature { parameters, variadic, result: self.result.clone() })
    }
}

/// Whether two types are the same up to the lengths of arrays that one of them leaves open.
pub(super) fn similar(a: &Type, b: &Type) -> bool {
    use crate::program::Length::Constant;
    match (a, b) {
        (Type::Pointer(a), Type::Pointer(b)) => similar(a, b),
        (Type::Array(a, m), Type::Array(b, n)) => {
            similar(a, b) && (m == n || !matches!((m, n), (Constant(_), Constant(_))))
        }
        (a, b) => a == b,
    }
}

//! What terms are made of: sorts, symbols, variables, nodes.

use crate::name::{Int, Symbol, Term, Var};
use crate::poly::Poly;

/// The type of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// The integers of mathematics.
    Int,
    /// True or false.
    Bool,
    /// Total maps from so many integers to integers.
    Array(u32),
}

/// The operation of a [`Node::Fold`]. All are associative and commutative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FoldOp {
    /// The sum; 0 over an empty range.
    Sum,
    /// The product; 1 over an empty range.
    Product,
    /// Bitwise and, in two's complement without a width; -1 over an empty range.
    BitAnd,
    /// Bitwise or; 0 over an empty range.
    BitOr,
    /// Bitwise exclusive or; 0 over an empty range.
    BitXor,
    /// The greatest of the seed and the bodies.
    Max,
    /// The least of the seed and the bodies.
    Min,
    /// Whether all bodies hold. In normal form that is the negation of [`FoldOp::Any`].
    All,
    /// Whether some body holds.
    Any,
}

impl FoldOp {
    /// Whether a fold by this operation needs a seed, because no integer is neutral for it.
    pub fn needs_seed(self) -> bool {
        matches!(self, FoldOp::Max | FoldOp::Min)
    }

    /// Whether bodies and results are booleans.
    pub fn is_boolean(self) -> bool {
        matches!(self, FoldOp::All | FoldOp::Any)
    }
}

/// A bitwise operation on two's complement without a width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BitOp {
    /// Both bits.
    And,
    /// One bit or both.
    Or,
    /// Exactly one bit.
    Xor,
}

/// The values of a machine integer: what [`Node::Wrap`] wraps to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WrapType {
    /// Whether half of the values are negative.
    pub signed: bool,
    /// The modulus is 2 to this power; at least 1, at most 4096 (greater ones are cut).
    pub bits: u32,
}

impl WrapType {
    /// The modulus, `2^bits`.
    pub fn modulus(self) -> Int {
        Int::from(1) << self.bits.clamp(1, 4096)
    }

    /// The least value.
    pub fn least(self) -> Int {
        if self.signed { -(self.modulus() >> 1u32) } else { Int::from(0) }
    }

    /// The greatest value.
    pub fn greatest(self) -> Int {
        self.least() + self.modulus() - 1
    }

    /// The value congruent to `value` modulo `2^bits`.
    pub fn wrap(self, value: &Int) -> Int {
        use num_integer::Integer;
        let least = self.least();
        (value - &least).mod_floor(&self.modulus()) + least
    }
}

/// A node. Children are terms; the body of a binder has its variables as [`Node::Bound`], the last
/// one with number 0 (de Bruijn). [`Context::open`](crate::Context::open) puts variables in their
/// place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A polynomial over other integer terms; also every constant. Never a single term.
    Poly(Poly),
    /// A free variable.
    Var(Var),
    /// A variable of the n-th binder around it, counted from the inside.
    Bound(u32),
    /// A symbol with its arguments.
    Apply(Symbol, Vec<Term>),
    /// `c^max(t, 0)`.
    Power(Int, Term),
    /// The quotient rounded towards minus infinity; 0 for the divisor 0.
    Div(Term, Term),
    /// The second child where the first holds, else the third.
    Ite(Term, Term, Term),
    /// The greatest of the children, at least two.
    Max(Vec<Term>),
    /// The least of the children, at least two.
    Min(Vec<Term>),
    /// A cell of an array.
    Read(Term, Vec<Term>),
    /// `op` over the bodies at all `k` with `lo <= k < hi`.
    Fold {
        /// The operation.
        op: FoldOp,
        /// The first index.
        lo: Term,
        /// The index after the last one.
        hi: Term,
        /// For [`FoldOp::Max`] and [`FoldOp::Min`]: one more element.
        seed: Option<Term>,
        /// The body, with one bound variable.
        body: Term,
    },
    /// The least `k` with `lo <= k < hi` at which the body holds; `hi` if there is none.
    First(Term, Term, Term),
    /// The greatest `k` with `lo <= k < hi` at which the body holds; `lo - 1` if there is none.
    Last(Term, Term, Term),
    /// `Nth(n, lo, hi, p)`: the `k` with `lo <= k < hi` and `p(k)` that has `n` such before it;
    /// `hi` if there is none.
    Nth(Term, Term, Term, Term),
    /// The value of the type that is congruent to the term.
    Wrap(WrapType, Term),
    /// Two or more terms, combined bit by bit.
    Bits(BitOp, Vec<Term>),
    /// True or false.
    Truth(bool),
    /// `t >= 0`.
    NonNegative(Term),
    /// `t = 0`.
    Zero(Term),
    /// The positive constant divides the term.
    Divides(Int, Term),
    /// Negation (of something that has no other negated form).
    Not(Term),
    /// All of two or more.
    And(Vec<Term>),
    /// One of two or more.
    Or(Vec<Term>),
    /// The array whose cell at the bound variables is the body.
    Lambda(u32, Term),
}

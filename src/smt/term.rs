//! Sorts and terms of SMT-LIB 2.6: the core theory, bit-vectors, integers, arrays and
//! uninterpreted functions, with quantifiers over the integers.
//!
//! A term knows its sort. The constructors check the sorts of their arguments in debug builds; in
//! other builds the solver refuses a script with a wrong one. They simplify nothing: a term is
//! printed as it was built. Its parts are shared in memory, but not in the text: what occurs often
//! in a large term gets a name ([`super::Declarations::define`]).

use super::sexpr;
use std::mem;
use std::sync::Arc;

/// A sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    /// `Bool`
    Bool,
    /// `(_ BitVec n)`: the number of bits.
    Bits(u32),
    /// `Int`
    Int,
    /// `(Array index element)`
    Array(Arc<(Sort, Sort)>),
}

impl Sort {
    /// The sort of arrays with these indexes and elements.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new((index, element)))
    }
}

/// The name of a function, a constant or an assertion: a simple symbol.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Symbol(Arc<str>);

impl Symbol {
    /// The symbol with this text.
    ///
    /// # Panics
    /// The text is no simple symbol of SMT-LIB 2.6 (section 3.1), or it is a reserved word.
    pub fn new(text: &str) -> Symbol {
        assert!(sexpr::is_simple_symbol(text), "`{text}` is not a simple symbol");
        Symbol(text.into())
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An uninterpreted function; without parameters, a constant.
#[derive(Clone, Debug)]
pub struct Function {
    pub(super) name: Symbol,
    pub(super) parameters: Vec<Sort>,
    pub(super) result: Sort,
}

impl Function {
    /// A function of that name. (To be used in a script, it must be declared there.)
    pub fn new(name: Symbol, parameters: impl Into<Vec<Sort>>, result: Sort) -> Function {
        Function { name, parameters: parameters.into(), result }
    }

    /// The value of the function for these arguments.
    pub fn apply(&self, arguments: impl IntoIterator<Item = Term>) -> Term {
        let arguments: Vec<Term> = arguments.into_iter().collect();
        debug_assert!(self.parameters.iter().eq(arguments.iter().map(Term::sort)), "{:?} {arguments:?}", self.name);
        Term::new(Head::Symbol(self.name.clone()), self.result.clone(), arguments)
    }
}

/// An operator on two bit-vectors of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitOp {
    /// `bvadd`
    Add,
    /// `bvsub`
    Sub,
    /// `bvmul`
    Mul,
    /// `bvsdiv`: signed division, truncated towards zero.
    DivSigned,
    /// `bvudiv`: unsigned division.
    DivUnsigned,
    /// `bvsrem`: the remainder of signed division, with the sign of the dividend.
    RemSigned,
    /// `bvurem`: the remainder of unsigned division.
    RemUnsigned,
    /// `bvshl`: shift to the left.
    ShiftLeft,
    /// `bvashr`: shift to the right that copies the sign.
    ShiftRightSigned,
    /// `bvlshr`: shift to the right that fills with zeros.
    ShiftRightUnsigned,
    /// `bvand`
    And,
    /// `bvor`
    Or,
    /// `bvxor`
    Xor,
}

/// A comparison by size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// An operator on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `div`: the quotient that goes with [`IntOp::Mod`]. Division of C differs where the dividend
    /// is negative.
    Div,
    /// `mod`: the remainder that is not negative.
    Mod,
}

/// What a node of a term does with the terms below it.
#[derive(Clone)]
pub(super) enum Head {
    Symbol(Symbol),
    Bool(bool),
    /// A bit-vector; its width is that of the term's sort.
    Bits(u128),
    Int(i128),
    Not,
    And,
    Or,
    Implies,
    Equal,
    IfThenElse,
    BitNot,
    BitNegate,
    BitOp(BitOp),
    BitOrder(Order, Signedness),
    /// The lowest bits, as many as the term's sort has.
    LowBits,
    /// This many bits more.
    Extend(u32, Signedness),
    IntOp(IntOp),
    IntOrder(Order),
    /// For every integer of that name.
    ForAll(Symbol),
    Select,
    Store,
    /// The array, of the term's sort, that is the same everywhere.
    Everywhere,
}

/// How a bit-vector is read as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signedness {
    /// In two's complement.
    Signed,
    /// As a natural number.
    Unsigned,
}

/// A term. Clones share its nodes.
#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    head: Head,
    sort: Sort,
    arguments: Vec<Term>,
}

impl Drop for Node {
    /// Drops the nodes below without recursion: terms may be deeper than the stack.
    fn drop(&mut self) {
        let mut pending = mem::take(&mut self.arguments);
        while let Some(term) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(term.0) {
                pending.append(&mut node.arguments);
            }
        }
    }
}

impl Term {
    fn new(head: Head, sort: Sort, arguments: Vec<Term>) -> Term {
        Term(Arc::new(Node { head, sort, arguments }))
    }

    /// Its sort.
    pub fn sort(&self) -> &Sort {
        &self.0.sort
    }

    /// The same operation on others of the same sorts.
    pub(super) fn with_arguments(&self, arguments: Vec<Term>) -> Term {
        Term::new(self.0.head.clone(), self.0.sort.clone(), arguments)
    }

    /// A number that tells it apart from other terms that exist.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    pub(super) fn head(&self) -> &Head {
        &self.0.head
    }

    pub(super) fn arguments(&self) -> &[Term] {
        &self.0.arguments
    }

    /// The name, if the term is a constant.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match &self.0.head {
            Head::Symbol(name) if self.0.arguments.is_empty() => Some(name),
            _ => None,
        }
    }

    /// Checks the sort in debug builds.
    fn expect(&self, sort: &Sort) {
        debug_assert!(self.sort() == sort, "{self} is no {sort}");
    }

    /// The width of a bit-vector.
    fn width(&self) -> u32 {
        match self.sort() {
            Sort::Bits(width) => *width,
            sort => panic!("{self} is no bit-vector, but of sort {sort}"),
        }
    }
}

/// The core theory.
impl Term {
    /// `true` or `false`.
    pub fn bool(value: bool) -> Term {
        Term::new(Head::Bool(value), Sort::Bool, Vec::new())
    }

    /// `(not self)`
    #[must_use]
    pub fn negated(self) -> Term {
        self.expect(&Sort::Bool);
        Term::new(Head::Not, Sort::Bool, vec![self])
    }

    /// `(and …)` of at least two terms.
    pub fn and(all: impl IntoIterator<Item = Term>) -> Term {
        Term::connected(Head::And, all)
    }

    /// `(or …)` of at least two terms.
    pub fn or(all: impl IntoIterator<Item = Term>) -> Term {
        Term::connected(Head::Or, all)
    }

    /// `(=> self conclusion)`
    #[must_use]
    pub fn implies(self, conclusion: Term) -> Term {
        Term::connected(Head::Implies, [self, conclusion])
    }

    fn connected(head: Head, all: impl IntoIterator<Item = Term>) -> Term {
        let all: Vec<Term> = all.into_iter().collect();
        debug_assert!(all.len() >= 2, "too few to connect: {all:?}");
        all.iter().for_each(|term| term.expect(&Sort::Bool));
        Term::new(head, Sort::Bool, all)
    }

    /// `(= self other)`
    #[must_use]
    pub fn equals(self, other: Term) -> Term {
        other.expect(self.sort());
        Term::new(Head::Equal, Sort::Bool, vec![self, other])
    }

    /// `(ite self then otherwise)`
    #[must_use]
    pub fn choose(self, then: Term, otherwise: Term) -> Term {
        self.expect(&Sort::Bool);
        otherwise.expect(then.sort());
        let sort = then.sort().clone();
        Term::new(Head::IfThenElse, sort, vec![self, then, otherwise])
    }
}

/// Bit-vectors.
impl Term {
    /// A number modulo 2 to the width, which is between 1 and 128.
    pub fn bits(value: u128, width: u32) -> Term {
        debug_assert!((1..=128).contains(&width), "a literal of {width} bits");
        let kept = u128::MAX >> 128_u32.saturating_sub(width).min(127);
        Term::new(Head::Bits(value & kept), Sort::Bits(width), Vec::new())
    }

    /// `(bvneg self)`
    #[must_use]
    pub fn bit_negate(self) -> Term {
        let sort = Sort::Bits(self.width());
        Term::new(Head::BitNegate, sort, vec![self])
    }

    /// `(bvnot self)`
    #[must_use]
    pub fn bit_not(self) -> Term {
        let sort = Sort::Bits(self.width());
        Term::new(Head::BitNot, sort, vec![self])
    }

    /// The operator applied to `self` and `other`.
    #[must_use]
    pub fn bit_op(self, op: BitOp, other: Term) -> Term {
        let sort = Sort::Bits(self.width());
        other.expect(&sort);
        Term::new(Head::BitOp(op), sort, vec![self, other])
    }

    /// The comparison of `self` and `other`.
    #[must_use]
    pub fn bit_order(self, order: Order, signedness: Signedness, other: Term) -> Term {
        other.expect(&Sort::Bits(self.width()));
        Term::new(Head::BitOrder(order, signedness), Sort::Bool, vec![self, other])
    }

    /// The same number with `width` bits; the term itself if it has as many or more.
    #[must_use]
    pub fn extended(self, width: u32, signedness: Signedness) -> Term {
        match width.checked_sub(self.width()) {
            None | Some(0) => self,
            Some(more) => Term::new(Head::Extend(more, signedness), Sort::Bits(width), vec![self]),
        }
    }

    /// The low bits of the term, or the term extended by bits that are 0.
    #[must_use]
    pub fn resized(self, width: u32) -> Term {
        if width < self.width() { self.low_bits(width) } else { self.extended(width, Signedness::Unsigned) }
    }

    /// The lowest `width` bits, at least 1 and at most all: `((_ extract …) self)`.
    #[must_use]
    pub fn low_bits(self, width: u32) -> Term {
        debug_assert!((1..=self.width()).contains(&width), "{width} bits of {self}");
        Term::new(Head::LowBits, Sort::Bits(width), vec![self])
    }
}

/// Integers.
impl Term {
    /// A numeral; a negative one is the negation of one.
    pub fn int(value: i128) -> Term {
        Term::new(Head::Int(value), Sort::Int, Vec::new())
    }

    /// The operator applied to `self` and `other`.
    #[must_use]
    pub fn int_op(self, op: IntOp, other: Term) -> Term {
        self.expect(&Sort::Int);
        other.expect(&Sort::Int);
        Term::new(Head::IntOp(op), Sort::Int, vec![self, other])
    }

    /// The comparison of `self` and `other`.
    #[must_use]
    pub fn int_order(self, order: Order, other: Term) -> Term {
        self.expect(&Sort::Int);
        other.expect(&Sort::Int);
        Term::new(Head::IntOrder(order), Sort::Bool, vec![self, other])
    }
}

/// Quantifiers.
impl Term {
    /// The integer that [`Term::for_all`] binds to that name. No declaration has the name.
    pub fn bound(name: &Symbol) -> Term {
        Term::new(Head::Symbol(name.clone()), Sort::Int, Vec::new())
    }

    /// `(forall ((name Int)) self)`
    #[must_use]
    pub fn for_all(self, name: Symbol) -> Term {
        self.expect(&Sort::Bool);
        Term::new(Head::ForAll(name), Sort::Bool, vec![self])
    }

    /// Whether a constant or a quantified variable of that name occurs in it.
    pub(super) fn mentions(&self, symbol: &Symbol) -> bool {
        self.as_symbol().is_some_and(|s| s == symbol) || self.arguments().iter().any(|a| a.mentions(symbol))
    }

    /// The term with another in the place of a quantified variable.
    #[must_use]
    pub(super) fn substituted(&self, bound: &Symbol, by: &Term) -> Term {
        if self.as_symbol().is_some_and(|s| s == bound) {
            return by.clone();
        }
        if !self.mentions(bound) {
            return self.clone();
        }
        self.with_arguments(self.arguments().iter().map(|a| a.substituted(bound, by)).collect())
    }
}

/// Arrays.
impl Term {
    /// The array of this sort that holds `value` everywhere: `((as const …) value)`.
    pub fn everywhere(sort: Sort, value: Term) -> Term {
        debug_assert!(matches!(&sort, Sort::Array(parts) if parts.1 == *value.sort()), "{value} everywhere in {sort}");
        Term::new(Head::Everywhere, sort, vec![value])
    }

    /// `(select self index)`
    #[must_use]
    pub fn select(self, index: Term) -> Term {
        let element = self.element(&index);
        Term::new(Head::Select, element, vec![self, index])
    }

    /// `(store self index value)`
    #[must_use]
    pub fn store(self, index: Term, value: Term) -> Term {
        value.expect(&self.element(&index));
        let sort = self.sort().clone();
        Term::new(Head::Store, sort, vec![self, index, value])
    }

    /// The sort of the elements of an array that has this index.
    fn element(&self, index: &Term) -> Sort {
        let Sort::Array(parts) = self.sort() else { panic!("{self} is no array, but of sort {}", self.sort()) };
        index.expect(&parts.0);
        parts.1.clone()
    }
}

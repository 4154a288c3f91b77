//! Specifications: formulas over the mathematical integers about the program's objects.
//!
//! **Meaning.** A [`Term`] is an integer without bounds: the value of a C object is the number that
//! it holds, and arithmetic on it does not wrap, so `a + 1 > a` is true. Terms that read what does
//! not exist (an index out of range, a pointer that points nowhere) or divide by 0 have no value. A
//! formula that depends on such a term has no truth value. A proof must then cover every value. A
//! run that would need the value is not judged. (ACSL gives such terms an arbitrary value.)
//!
//! **Limits.** Quantifiers range over intervals of indexes; objects are integers, reached from
//! variables and pointer variables through members and indexes. The numbers of a term have at most
//! [`MAX_BITS`] bits, so that they can be computed exactly.

use super::{AssertionId, Base, BinaryOp, Expr, ExprKind, Location, Lvalue, SnapshotId, Step, Type, Visit};

/// No value of a term needs more bits than this (with its sign).
pub const MAX_BITS: u32 = 126;

/// Names a variable that a quantifier binds; unique in its formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoundId(pub u32);

/// A truth value that depends on the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// `\true` or `\false`.
    Constant(bool),
    /// `a op b`, where `op` compares.
    Compare(BinaryOp, Term, Term),
    /// `!a`
    Not(Box<Formula>),
    /// `a && b`
    And(Box<Formula>, Box<Formula>),
    /// `a || b`
    Or(Box<Formula>, Box<Formula>),
    /// `a ==> b`
    Implies(Box<Formula>, Box<Formula>),
    /// `a <==> b`
    Iff(Box<Formula>, Box<Formula>),
    /// `body` for every value from `low` up to, not including, `high`.
    ForAll(Box<ForAll>),
    /// What pointers lead to.
    Memory(Box<Memory>),
}

/// A formula about where pointers lead.
///
/// Objects are apart from each other: an element of one has no address in another.
#[derive(Clone, Debug, PartialEq)]
pub enum Memory {
    /// All these elements exist, and may be read and written. (`\valid`)
    Valid(Range),
    /// No element of one is an element of the other. (`\separated`)
    Separated(Range, Range),
    /// Each element of the first is an element of the second. (`\subset`)
    Within(Range, Range),
    /// Both begin at the same address. (`==`)
    Equal(Range, Range),
}

/// Elements beside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// A pointer to such an element.
    pub pointer: Expr,
    /// How many elements further the first of them lies.
    pub first: Term,
    /// How many there are: none, if this is not positive.
    pub count: Term,
}

impl Memory {
    /// The ranges that it is about.
    pub fn ranges(&self) -> impl Iterator<Item = &Range> {
        let (a, b) = match self {
            Memory::Valid(a) => (a, None),
            Memory::Separated(a, b) | Memory::Within(a, b) | Memory::Equal(a, b) => (a, Some(b)),
        };
        std::iter::once(a).chain(b)
    }

    /// [`Memory::ranges`]
    pub fn ranges_mut(&mut self) -> impl Iterator<Item = &mut Range> {
        let (a, b) = match self {
            Memory::Valid(a) => (a, None),
            Memory::Separated(a, b) | Memory::Within(a, b) | Memory::Equal(a, b) => (a, Some(b)),
        };
        std::iter::once(a).chain(b)
    }
}

/// A bounded quantifier.
#[derive(Clone, Debug, PartialEq)]
pub struct ForAll {
    /// The variable.
    pub bound: BoundId,
    /// Its name in the source.
    pub name: String,
    /// The least value.
    pub low: Term,
    /// The greatest value plus one.
    pub high: Term,
    /// What holds for each. It repeats the guards from which the range was read.
    pub body: Formula,
}

/// An integer.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A constant.
    Int(i128),
    /// The value of a quantified variable.
    Bound(BoundId),
    /// The number that an object of integer type holds.
    Read(Box<TermLvalue>),
    /// The number that the object held when the snapshot was taken. Which object it is, is found
    /// out now: by the pointers, and by the terms of the indexes, each at its own moment.
    At(SnapshotId, Box<TermLvalue>),
    /// `c ? a : b`
    If(Box<Formula>, Box<Term>, Box<Term>),
    /// The value of a function that is defined by recursion.
    Apply(Box<Application>),
    /// `-a`
    Negate(Box<Term>),
    /// `a op b`; [`TermOp::Div`] and [`TermOp::Rem`] round towards zero, as in C and in ACSL.
    Binary(TermOp, Box<Term>, Box<Term>),
}

/// Names a [`LogicFunction`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LogicId(pub u32);

/// A function on integers and arrays that annotations define by recursion.
///
/// Where the recursion does not end, the value is arbitrary, but it satisfies the equation.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicFunction {
    /// Its name in the source.
    pub name: String,
    /// The numbers among its parameters, in order.
    pub numbers: Vec<BoundId>,
    /// How many of its parameters are sequences of integers: [`Root::Elements`] in the body.
    pub elements: usize,
    /// Its value.
    pub body: Term,
}

/// A formula that is taken for granted for all numbers and all sequences of integers.
#[derive(Clone, Debug, PartialEq)]
pub struct Lemma {
    /// Its name in the source.
    pub name: String,
    /// The numbers that it is about.
    pub numbers: Vec<BoundId>,
    /// How many sequences it is about.
    pub elements: usize,
    /// What holds.
    pub formula: Formula,
}

/// A function and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Application {
    /// The function.
    pub function: LogicId,
    /// The numbers.
    pub numbers: Vec<Term>,
    /// The sequences.
    pub elements: Vec<Elements>,
}

/// The elements of an array, from one on.
#[derive(Clone, Debug, PartialEq)]
pub struct Elements {
    /// The first element.
    pub first: TermLvalue,
    /// When their values are taken; now, if there is no snapshot.
    pub at: Option<SnapshotId>,
}

/// Operators of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum TermOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// An object, found by terms.
#[derive(Clone, Debug, PartialEq)]
pub struct TermLvalue {
    /// Where it starts.
    pub root: Root,
    /// The path from there.
    pub steps: Vec<TermStep>,
    /// The type at its end.
    pub ty: Type,
    /// Where it stands in the source.
    pub location: Location,
}

/// Where a [`TermLvalue`] starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Root {
    /// A whole variable.
    Variable(Lvalue),
    /// The object at an offset from where a pointer points.
    Pointer {
        /// The pointer: the value of a variable or of a member of one.
        pointer: Expr,
        /// The offset in elements.
        offset: Option<Term>,
    },
    /// In a [`LogicFunction`] or [`Lemma`]: an element of a sequence.
    Elements {
        /// The number of the sequence.
        sequence: usize,
        /// How far the element is from the first.
        offset: Option<Term>,
    },
}

/// One step of a [`TermLvalue`].
pub type TermStep = Step<Term>;

/// What a program claims, or assumes, at one point.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The formula.
    pub formula: Formula,
    /// Whether it is claimed or assumed.
    pub role: ClaimRole,
}

/// What happens to runs in which the formula of a claim is false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimRole {
    /// They are not considered any further.
    Assume,
    /// There are none: this follows from claims that were asserted before. They are not considered
    /// any further.
    Follows,
    /// They fail, and end.
    Assert(AssertionId),
    /// They fail. Later verdicts do not rest on it: a search for its failures may let the runs go
    /// on.
    Check(AssertionId),
}

impl ClaimRole {
    /// The assertion, if it is one.
    pub fn assertion(self) -> Option<AssertionId> {
        match self {
            ClaimRole::Assume | ClaimRole::Follows => None,
            ClaimRole::Assert(id) | ClaimRole::Check(id) => Some(id),
        }
    }
}

impl TermOp {
    /// The spelling in ACSL.
    pub fn name(self) -> &'static str {
        match self {
            TermOp::Add => "+",
            TermOp::Sub => "-",
            TermOp::Mul => "*",
            TermOp::Div => "/",
            TermOp::Rem => "%",
        }
    }
}

impl Formula {
    /// `a && b`
    #[must_use]
    pub fn and(a: Formula, b: Formula) -> Formula {
        Formula::And(Box::new(a), Box::new(b))
    }

    /// `a || b`
    #[must_use]
    pub fn or(a: Formula, b: Formula) -> Formula {
        Formula::Or(Box::new(a), Box::new(b))
    }

    /// `a <= b`
    #[must_use]
    pub fn at_most(a: Term, b: Term) -> Formula {
        Formula::Compare(BinaryOp::LessEqual, a, b)
    }

    /// `a < b`
    #[must_use]
    pub fn less(a: Term, b: Term) -> Formula {
        Formula::Compare(BinaryOp::Less, a, b)
    }

    /// Calls `f` on every place in the formula, outer before inner.
    pub fn each_place<'f>(&'f self, f: &mut impl FnMut(&'f TermLvalue)) {
        Places(f).formula(self);
    }

    /// Whether it is a conjunction of `\\true`.
    pub fn is_trivial(&self) -> bool {
        match self {
            Formula::Constant(truth) => *truth,
            Formula::And(a, b) => a.is_trivial() && b.is_trivial(),
            _ => false,
        }
    }

    /// Whether a part of it is about where pointers lead.
    pub fn is_about_memory(&self) -> bool {
        self.has_memory(&|_| true)
    }

    /// Whether a part of it is about whether pointers lead to the same object.
    pub fn compares_pointers(&self) -> bool {
        self.has_memory(&|memory| !matches!(memory, Memory::Valid(_)))
    }

    fn has_memory(&self, is: &impl Fn(&Memory) -> bool) -> bool {
        match self {
            Formula::Constant(_) | Formula::Compare(..) => false,
            Formula::Not(a) => a.has_memory(is),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
                a.has_memory(is) || b.has_memory(is)
            }
            Formula::ForAll(q) => q.body.has_memory(is),
            Formula::Memory(memory) => is(memory),
        }
    }

    /// Whether it is about values that a snapshot keeps.
    pub fn reads_snapshot(&self, id: SnapshotId) -> bool {
        struct Search(SnapshotId, bool);
        impl<'p> Visit<'p> for Search {
            fn snapshot(&mut self, s: &'p SnapshotId) {
                self.1 |= *s == self.0;
            }
        }
        let mut search = Search(id, false);
        search.formula(self);
        search.1
    }

    /// Whether its truth depends on that variable.
    pub fn mentions(&self, bound: BoundId) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Compare(_, a, b) => a.mentions(bound) || b.mentions(bound),
            Formula::Not(a) => a.mentions(bound),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
                a.mentions(bound) || b.mentions(bound)
            }
            Formula::ForAll(q) => q.low.mentions(bound) || q.high.mentions(bound) || q.body.mentions(bound),
            Formula::Memory(m) => m.ranges().any(|r| r.first.mentions(bound) || r.count.mentions(bound)),
        }
    }

    /// Whether it mentions a quantifier.
    pub fn is_quantified(&self) -> bool {
        self.depth() > 0
    }

    /// How many quantifiers it nests.
    pub fn depth(&self) -> usize {
        match self {
            Formula::Constant(_) | Formula::Compare(..) | Formula::Memory(_) => 0,
            Formula::Not(a) => a.depth(),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
                a.depth().max(b.depth())
            }
            Formula::ForAll(q) => 1 + q.body.depth(),
        }
    }
}

/// Whether both are the same pointer in a variable, or the same member behind the same pointer.
fn is_same_pointer(a: &Expr, b: &Expr) -> bool {
    let (ExprKind::Load(a), ExprKind::Load(b)) = (&a.kind, &b.kind) else { return false };
    let base = match (&a.base, &b.base) {
        (Base::Var(v), Base::Var(w)) => v == w,
        (Base::Deref(p), Base::Deref(q)) => is_same_pointer(p, q),
        _ => false,
    };
    base && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|pair| match pair {
            (Step::Field(s, n), Step::Field(t, m)) => (s, n) == (t, m),
            _ => false,
        })
}

struct Places<'f, F>(&'f mut F);

impl<'p, F: FnMut(&'p TermLvalue)> Visit<'p> for Places<'_, F> {
    fn place(&mut self, p: &'p TermLvalue) {
        (self.0)(p);
        p.each_term(&mut |t| self.term(t));
    }
}

impl Term {
    /// `a op b`
    #[must_use]
    pub fn binary(op: TermOp, a: Term, b: Term) -> Term {
        Term::Binary(op, Box::new(a), Box::new(b))
    }

    /// `t + n`, with the numbers at its end as one.
    #[must_use]
    pub fn plus(self, n: i128) -> Term {
        match (self, n) {
            (t, 0) => t,
            (Term::Int(m), n) => Term::Int(m + n),
            (Term::Binary(TermOp::Add, a, b), n) if b.as_int().is_some() => a.plus(b.as_int().unwrap_or(0) + n),
            (Term::Binary(TermOp::Sub, a, b), n) if b.as_int().is_some() => a.plus(n - b.as_int().unwrap_or(0)),
            (t, n) if n < 0 => Term::binary(TermOp::Sub, t, Term::Int(-n)),
            (t, n) => Term::binary(TermOp::Add, t, Term::Int(n)),
        }
    }

    /// The number, if it is a constant.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Term::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// Whether both are the same constant, variable, or sum, difference, … of such, wherever they
    /// stand in the source.
    pub fn is_same(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Int(a), Term::Int(b)) => a == b,
            (Term::Read(a), Term::Read(b)) => match (&a.root, &b.root) {
                (Root::Variable(v), Root::Variable(w)) => {
                    v.as_var().is_some()
                        && v.as_var() == w.as_var()
                        && a.steps == b.steps
                        && a.steps.iter().all(|s| matches!(s, TermStep::Field(..)))
                }
                (Root::Pointer { pointer: p, offset: None }, Root::Pointer { pointer: q, offset: None }) => {
                    is_same_pointer(p, q)
                        && a.steps == b.steps
                        && a.steps.iter().all(|s| matches!(s, TermStep::Field(..)))
                }
                _ => false,
            },
            (Term::Binary(op, a, b), Term::Binary(other, c, d)) => op == other && a.is_same(c) && b.is_same(d),
            _ => false,
        }
    }

    /// The value of a whole variable, which is an integer.
    pub fn of_variable(variable: Lvalue) -> Term {
        let (ty, location) = (variable.ty.clone(), variable.location);
        Term::Read(Box::new(TermLvalue { root: Root::Variable(variable), steps: Vec::new(), ty, location }))
    }

    /// Whether its value depends on that variable.
    pub fn mentions(&self, bound: BoundId) -> bool {
        match self {
            Term::Int(_) => false,
            Term::Bound(b) => *b == bound,
            Term::Read(place) | Term::At(_, place) => place.mentions(bound),
            Term::Apply(applied) => {
                applied.numbers.iter().any(|t| t.mentions(bound))
                    || applied.elements.iter().any(|e| e.first.mentions(bound))
            }
            Term::If(c, a, b) => c.mentions(bound) || a.mentions(bound) || b.mentions(bound),
            Term::Negate(a) => a.mentions(bound),
            Term::Binary(_, a, b) => a.mentions(bound) || b.mentions(bound),
        }
    }
}

impl TermLvalue {
    /// The place with other terms.
    #[must_use]
    pub fn map_terms(&self, f: &mut impl FnMut(&Term) -> Term) -> TermLvalue {
        let mut place = self.clone();
        place.each_term_mut(&mut |t| *t = f(t));
        place
    }

    /// Calls `f` on the terms in the place.
    pub fn each_term<'f>(&'f self, f: &mut impl FnMut(&'f Term)) {
        if let Root::Pointer { offset: Some(offset), .. } | Root::Elements { offset: Some(offset), .. } = &self.root {
            f(offset);
        }
        for step in &self.steps {
            if let TermStep::Index(index) = step {
                f(index);
            }
        }
    }

    /// [`TermLvalue::each_term`]
    pub fn each_term_mut(&mut self, f: &mut dyn FnMut(&mut Term)) {
        if let Root::Pointer { offset: Some(offset), .. } | Root::Elements { offset: Some(offset), .. } = &mut self.root
        {
            f(offset);
        }
        for step in &mut self.steps {
            if let TermStep::Index(index) = step {
                f(index);
            }
        }
    }

    /// Whether the choice of the object depends on that variable.
    pub fn mentions(&self, bound: BoundId) -> bool {
        let mut found = false;
        self.each_term(&mut |t| found |= t.mentions(bound));
        found
    }
}

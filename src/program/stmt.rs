//! Statements.

use super::{AssertionId, Expr, ExprKind, FunctionId, Location, Lvalue, Type, VarId};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// Names a statement of the source program. Copies of a statement (inlining, peeling) keep it, so
/// that results for a copy can be reported for the original.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SiteId(pub u32);

/// Names a loop of the source program; copies keep it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopId(pub u32);

/// A jump target. Unique in a function, and in the whole program; copies of a function body get new
/// ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// Names a moment whose values formulas use; copies of a function body get new ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SnapshotId(pub u32);

/// Names a place where the program takes an input; copies keep it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(pub u32);

/// Names one instance of a statement: no two statements have the same one, copies included. It only
/// identifies the instance, and differs between runs of smalti.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StmtId(u64);

impl StmtId {
    fn fresh() -> StmtId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        StmtId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Which statement of the source it is (or is a copy of).
    pub site: SiteId,
    /// Where it starts.
    pub location: Location,
    id: StmtId,
}

/// A copy gets a new [`StmtId`].
impl Clone for Stmt {
    fn clone(&self) -> Stmt {
        self.with(self.kind.clone())
    }
}

impl Stmt {
    /// A statement of that form.
    pub fn new(kind: StmtKind, site: SiteId, location: Location) -> Stmt {
        Stmt { kind, site, location, id: StmtId::fresh() }
    }

    /// Which instance it is.
    pub fn id(&self) -> StmtId {
        self.id
    }

    /// Another statement for the same statement of the source.
    #[must_use]
    pub fn with(&self, kind: StmtKind) -> Stmt {
        Stmt::new(kind, self.site, self.location)
    }

    /// The blocks inside it, in the order of the source.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = &Block> {
        let (first, second) = match &self.kind {
            StmtKind::If(_, then, otherwise) => (Some(then), Some(otherwise)),
            StmtKind::Loop(l) => (Some(&l.body), Some(&l.step)),
            StmtKind::Block(b) => (Some(b), None),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// [`Stmt::blocks`]
    pub fn blocks_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Block> {
        let (first, second) = match &mut self.kind {
            StmtKind::If(_, then, otherwise) => (Some(then), Some(otherwise)),
            StmtKind::Loop(l) => (Some(&mut l.body), Some(&mut l.step)),
            StmtKind::Block(b) => (Some(b), None),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// The forms of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The storage of a local begins: a new object, every cell with an arbitrary value. It lives
    /// until control leaves the [`Block`] that contains this statement. The lifetime of a
    /// variable-length array also ends at a jump inside that block to a place before this
    /// statement. An array of variable length has the length that its length variable holds now; a
    /// length below 1 is undefined behaviour.
    Declare(VarId),
    /// `lvalue = expr`, a scalar or a whole struct.
    Assign(Lvalue, Expr),
    /// The lvalue (a scalar) gets an input: an arbitrary value of its type.
    Input(Lvalue, InputId),
    /// Every cell of the object becomes 0 (null).
    Zero(Lvalue),
    /// Every cell of the object becomes arbitrary, and even the interpreter does not know its value
    /// (floating results, external calls, unions).
    Havoc(Lvalue),
    /// Everything that a call of unknown code with these pointers (and the globals) can reach
    /// becomes arbitrary. If it is known which bytes are written, only these change.
    HavocReachable(Reached),
    /// The blocks of memory that are passed to a function of the library. They must lie in their
    /// objects, and must not overlap.
    Blocks(Box<Blocks>),
    /// A new heap block of `count` elements of `element`; its address goes to `target`. Never
    /// fails; a negative count is undefined behaviour. Heap blocks live to the end of the program
    /// (`free` is a [`Presumption`]).
    Allocate {
        /// Receives the address.
        target: Lvalue,
        /// The type of the elements.
        element: Type,
        /// The number of elements; an expression of the pointer-difference type.
        count: Expr,
        /// Whether all cells start as 0.
        zeroed: bool,
    },
    /// A call. Arguments are converted to the parameters' types.
    Call {
        /// Receives the result.
        target: Option<Lvalue>,
        /// What is called.
        callee: Callee,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `if (condition) then else otherwise`
    If(Expr, Block, Block),
    /// A loop.
    Loop(Box<Loop>),
    /// Statements with a scope of their own in the source.
    Block(Block),
    /// A jump target.
    Label(LabelId, String),
    /// A jump inside the function.
    Goto(LabelId),
    /// Leaves the innermost loop.
    Break,
    /// Goes to the step of the innermost loop.
    Continue,
    /// Leaves the function.
    Return(Option<Expr>),
    /// Runs in which the condition is 0 are not considered any further.
    Assume(Expr),
    /// An obligation: the condition is not 0. A run in which it is 0 ends here, failing.
    Assert(Expr, AssertionId),
    /// A specification.
    Claim(Box<super::Claim>),
    /// From here on, [`super::Term::At`] under that name means what memory holds now. The next
    /// execution in the same call replaces it.
    Snapshot(SnapshotId),
    /// The run ends (`abort`, `exit`).
    Stop,
    /// A place where a run may break an assumption that [`super::Program::assumptions`] lists. A
    /// run that breaks it is not considered any further. Only the interpreter can decide this; for
    /// all other parts the statement does nothing.
    Presume(Presumption),
    /// Nothing; keeps a place in the source.
    Skip,
}

/// Memory that code without a body may change.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// The pointers that the code is handed.
    pub pointers: Vec<Expr>,
    /// What it does, if that is known.
    pub bytes: Option<Box<WrittenBytes>>,
    /// Whether the program itself has changed it, before control came back to `setjmp`.
    pub is_own: bool,
}

impl From<Vec<Expr>> for Reached {
    fn from(pointers: Vec<Expr>) -> Reached {
        Reached { pointers, bytes: None, is_own: false }
    }
}

/// Bytes that change, and no others: by `memcpy` or `memset`, for example, between objects of any
/// types.
#[derive(Clone, Debug)]
pub struct WrittenBytes {
    /// The address of the first byte.
    pub to: Expr,
    /// What is written.
    pub contents: Contents,
    /// The number of bytes, an expression of the pointer-difference type. If it is not positive,
    /// nothing is written. Bytes behind the end of the object are not.
    pub count: Expr,
}

/// What is written to bytes.
#[derive(Clone, Debug)]
pub enum Contents {
    /// The bytes from this address on, as they were before.
    From(Expr),
    /// This value, an `unsigned char`, to each.
    Byte(Expr),
    /// Nothing is known of them.
    Unknown,
    /// Nothing is known of them either. Unknown code may write to each, and what it may change
    /// counts as written.
    Written,
    /// They are elements of so many bytes, which change places.
    Exchanged(Expr),
}

impl Reached {
    /// The expressions in it.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let of_bytes = self.bytes.iter().flat_map(|b| {
            let WrittenBytes { to, contents, count } = &**b;
            let contents = match contents {
                Contents::From(e) | Contents::Byte(e) | Contents::Exchanged(e) => Some(e),
                Contents::Unknown | Contents::Written => None,
            };
            [Some(to), contents, Some(count)].into_iter().flatten()
        });
        self.pointers.iter().chain(of_bytes)
    }

    /// [`Reached::operands`]
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let of_bytes = self.bytes.iter_mut().flat_map(|b| {
            let WrittenBytes { to, contents, count } = &mut **b;
            let contents = match contents {
                Contents::From(e) | Contents::Byte(e) | Contents::Exchanged(e) => Some(e),
                Contents::Unknown | Contents::Written => None,
            };
            [Some(to), contents, Some(count)].into_iter().flatten()
        });
        self.pointers.iter_mut().chain(of_bytes)
    }
}

/// The arguments of `memcpy` or `memset`. Whether typed pointers have room for their elements is
/// checked where the elements are accessed.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// What is written.
    pub to: Expr,
    /// What is read, if anything.
    pub from: Option<Expr>,
    /// The number of units in each block, an expression of the pointer-difference type. If it is
    /// not positive, nothing is accessed.
    pub count: Expr,
    /// The size of a unit in bytes.
    pub unit: u64,
}

impl Blocks {
    /// The pointers whose type does not tell what they point to.
    pub fn untyped(&self) -> impl Iterator<Item = &Expr> {
        let all = std::iter::once(&self.to).chain(&self.from);
        all.filter(|p| matches!(p.ty.pointee(), Some(Type::Void)))
    }

    /// The pointers to the blocks that must not overlap, unless they certainly point into different
    /// objects.
    pub fn overlapping(&self) -> Option<(&Expr, &Expr)> {
        let variable = |e: &Expr| match &e.kind {
            ExprKind::AddressOf(l) => l.as_base(),
            _ => None,
        };
        let from = self.from.as_ref()?;
        let apart = variable(&self.to).zip(variable(from)).is_some_and(|(p, q)| p != q);
        (!apart).then_some((&self.to, from))
    }

    /// The expressions in it.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.to).chain(&self.from).chain([&self.count])
    }

    /// [`Blocks::operands`]
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        std::iter::once(&mut self.to).chain(&mut self.from).chain([&mut self.count])
    }
}

/// What is presumed when the program calls a function of the library, or calls through a pointer.
/// Operands are not evaluated by the program: they have no undefined behaviour of their own.
#[derive(Clone, Debug)]
pub enum Presumption {
    /// What is called next is a function.
    Called(Box<Called>),
    /// The heap block that the pointer points to, if it is not null, is not used from here on, nor
    /// freed again.
    Freed(Expr),
    /// The heap block that the pointer points to is not used after the innermost call has returned
    /// (`alloca`).
    Automatic(Expr),
    /// The pointer points to text that ends inside of its object.
    Text(Expr),
    /// The library reads these bytes.
    Readable(Box<Blocks>),
    /// A value is what a function finds in texts.
    Finds(Box<Finding>),
    /// Random numbers are seeded. The drawn numbers do not depend on the seed: no number is drawn
    /// after a second seeding that follows earlier draws.
    Seeded,
    /// A random number is drawn.
    Drawn,
    /// By this assumption, no run that is considered arrives here: for example, a `const` object is
    /// about to be changed.
    Never(&'static str),
    /// Control comes back to a call of `setjmp`. Proofs consider it, runs do not.
    ComesBack,
    /// A signal has arrived, and its handler has run. Proofs consider it, runs do not.
    Arrives {
        /// Whether handlers may free heap blocks.
        frees: bool,
    },
}

/// What is called through a pointer.
#[derive(Clone, Debug)]
pub struct Called {
    /// The pointer, in a temporary.
    pub pointer: Expr,
    /// How readers know it: the expression that gave it.
    pub text: String,
    /// The functions whose addresses the program takes and that may be called so: their types are
    /// compatible with that of the pointer (C11 6.5.2.2p9).
    pub functions: BTreeSet<FunctionId>,
}

/// What a function of the library finds in texts. Proofs take it for any value, runs know it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is found.
    pub what: Found,
    /// The addresses of the texts.
    pub texts: Vec<Expr>,
    /// The value.
    pub value: Expr,
}

/// What functions of the library find in texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// The length (`strlen`).
    Length,
    /// The number at the start (`atoi`).
    Number,
    /// A number that says which of two texts is less (`strcmp`).
    Order,
}

impl Stmt {
    /// Whether a heap block ends here, or at the end of the call.
    pub fn ends_block(&self) -> bool {
        matches!(self.kind, StmtKind::Presume(Presumption::Freed(_) | Presumption::Automatic(_)))
    }
}

impl Presumption {
    /// The expressions that it is about.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Presumption::Freed(e) | Presumption::Automatic(e) | Presumption::Text(e) => vec![e],
            Presumption::Called(called) => vec![&called.pointer],
            Presumption::Readable(blocks) => blocks.operands().collect(),
            Presumption::Finds(finding) => finding.texts.iter().chain([&finding.value]).collect(),
            Presumption::Seeded
            | Presumption::Drawn
            | Presumption::Never(_)
            | Presumption::ComesBack
            | Presumption::Arrives { .. } => Vec::new(),
        }
    }

    /// [`Presumption::operands`]
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Presumption::Freed(e) | Presumption::Automatic(e) | Presumption::Text(e) => vec![e],
            Presumption::Called(called) => vec![&mut called.pointer],
            Presumption::Readable(blocks) => blocks.operands_mut().collect(),
            Presumption::Finds(finding) => {
                let Finding { texts, value, .. } = &mut **finding;
                texts.iter_mut().chain([value]).collect()
            }
            Presumption::Seeded
            | Presumption::Drawn
            | Presumption::Never(_)
            | Presumption::ComesBack
            | Presumption::Arrives { .. } => Vec::new(),
        }
    }

    /// The assumption that a run breaks if the presumption does not hold.
    pub fn assumption(&self) -> &'static str {
        match self {
            Presumption::Freed(_) => FREED_IS_NOT_USED,
            Presumption::Automatic(_) => OBJECTS_LAST,
            Presumption::Text(_) | Presumption::Readable(_) | Presumption::Finds(_) => {
                "library functions read and write only inside the objects that they are given"
            }
            Presumption::Called(_) => "a pointer that is called points to a function of its type",
            Presumption::Never(assumption) => assumption,
            Presumption::ComesBack => COMES_BACK,
            Presumption::Arrives { .. } => SIGNALS_ARRIVE,
            Presumption::Seeded | Presumption::Drawn => "the values of `rand` do not depend on `srand`",
        }
    }
}

/// The assumption that pointers do not outlive what they point to.
pub const OBJECTS_LAST: &str = "objects are not used after the end of the block or function that declares them";
/// The assumption that heap blocks are not used after their end.
pub const FREED_IS_NOT_USED: &str = "memory that was freed is not used again";
/// What is left to assume if lifetimes are checked: the value of such a pointer is indeterminate
/// (C11 6.2.4p2).
pub const ENDED_IS_NOT_COMPARED: &str =
    "a pointer is not compared or moved after the end of the object that it points to";
/// What is assumed of unknown code if it is checked that what is read was written.
pub const CHANGED_IS_WRITTEN: &str = "what a function that has no body may change counts as written (`initialised`)";
/// What is assumed of `setjmp`. It leaves no run out of proofs.
pub const COMES_BACK: &str = "where control comes back to `setjmp` or `vfork`, variables that can have changed hold any values, and no run is followed";
/// What is assumed of signals. It leaves no run out of proofs.
pub const SIGNALS_ARRIVE: &str =
    "where a signal may have arrived, what its handler writes holds any value, and no run is followed";
/// The assumption for a jump that passes a declaration again in the same block.
pub const DECLARED_AGAIN: &str = "a declaration that a jump passes again makes a new object";
/// The functions whose calls are assumptions of the source.
pub const ASSUMING: [&str; 3] = ["__VERIFIER_assume", "__CPROVER_assume", "assume_abort_if_not"];
/// The assumption that there is always memory. (A negative number of elements is an obligation of
/// its own.)
pub const ALLOCATION_SUCCEEDS: &str = "memory allocation never fails: its size does not wrap around, and is that of an object \
                                       (`bounds` checks for negative sizes)";
/// What is left to assume if allocations may return null.
pub const ALLOCATION_HAS_A_SIZE: &str = "the size of allocated memory does not wrap around, and is that of an object (`bounds` checks for negative \
                                          sizes); `alloca` never fails";
/// The assumption that constants do not change. (C11 6.7.3p6)
pub const CONSTANTS_STAY: &str = "objects that are declared `const` are not written to";
/// The assumption that calls without a prototype are those that the definition describes. (C11
/// 6.5.2.2p6)
pub const CALLS_AGREE: &str = "calls without a prototype agree with the definitions of the functions";
/// The assumption that functions which do not return do not. (C11 6.7.4p8)
pub const NEVER_RETURN: &str = "functions that are declared not to return do not return";
/// The assumption that a function returns a result if the caller uses it. (C11 6.9.1p12)
pub const RESULTS_ARE_RETURNED: &str = "a function whose result is used returns a value";
/// The assumption that literals do not change.
pub const LITERALS_STAY: &str = "string literals are not written to";

/// The function that is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by its name.
    Function(FunctionId),
    /// The function that a pointer points to; lowering puts the pointer into a temporary.
    Pointer(Expr),
}

/// The functions that a call through a pointer calls, in all runs that come to it, and perhaps
/// others. A run in which the pointer points to no function is undefined.
pub type Callees = BTreeSet<FunctionId>;

/// A loop: while `condition` is not 0, `body` and then `step`. (`for`'s first clause stands before
/// the loop.)
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its identity.
    pub id: LoopId,
    /// Which C keyword it came from; `DoWhile` tests after the step instead of before the body.
    pub kind: LoopKind,
    /// The test.
    pub condition: Expr,
    /// The body.
    pub body: Block,
    /// The statements that `continue` jumps to: the third clause of `for`, empty otherwise.
    pub step: Block,
}

/// The C keyword that a loop came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum LoopKind {
    While,
    DoWhile,
    For,
}

//! Statements.

use super::{AssertionId, Expr, FunctionId, Location, Lvalue, Type, VarId};

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// Names a statement of the source program. Copies of a statement (inlining, peeling) keep it, so that what is found at
/// a copy can be told about the original.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SiteId(pub u32);

/// Names a loop of the source program; copies keep it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopId(pub u32);

/// A jump target. Unique in a function, and in the whole program; copies of a function body get new ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// Names a place where the program takes an input; copies keep it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(pub u32);

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Which statement of the source it is (or is a copy of).
    pub site: SiteId,
    /// Where it starts.
    pub location: Location,
}

/// The forms of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The storage of a local begins: a new object, every cell with an arbitrary value. An array of variable length has
    /// the length that its length variable holds now; a length below 1 is undefined behaviour.
    Declare(VarId),
    /// `lvalue = expr`, a scalar or a whole struct.
    Assign(Lvalue, Expr),
    /// The lvalue (a scalar) gets an input: an arbitrary value of its type.
    Input(Lvalue, InputId),
    /// Every cell of the object becomes 0 (null).
    Zero(Lvalue),
    /// Every cell of the object becomes arbitrary, unknown even to who runs the program (floating results, external calls, unions).
    Havoc(Lvalue),
    /// Everything that a call of unknown code with these pointers (and the globals) can reach becomes arbitrary.
    HavocReachable(Vec<Expr>),
    /// A new heap block of `count` elements of `element`; its address goes to `target`. Never fails; a negative count is undefined
    /// behaviour. Heap blocks live to the end of the program (`free` is checked by nobody).
    Allocate {
        /// Receives the address.
        target: Lvalue,
        /// The type of the elements.
        element: Type,
        /// How many; an expression of the pointer-difference type.
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
    /// The run ends (`abort`, `exit`).
    Stop,
    /// Nothing; keeps a place in the source.
    Skip,
}

/// What a call calls.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by its name.
    Function(FunctionId),
    /// Whatever a pointer points to.
    Pointer(Expr),
}

/// A loop: while `condition` is not 0, `body` and then `step`. (`for`'s first clause stands before the loop.)
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
    /// What `continue` goes to: the third clause of `for`, empty otherwise.
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

//! The C program in the one form that every part of smalti works on: typed, structured, with
//! expressions that have no side effects.
//!
//! `lower` makes it, `print` turns it back into C, `inline` and the reductions map `Program` to
//! `Program`.
//!
//! **Meaning.** A program is run by executing the initialisers of its globals in order, then
//! `entry`. Objects are variables (one per execution of their [`StmtKind::Declare`]; globals and
//! parameters exist from the start of the program and of the call) and heap blocks (one per
//! execution of [`StmtKind::Allocate`]). An object is a tree of scalar cells shaped by its type. A
//! cell that has not been written holds one fixed arbitrary value. An operation whose [`Check`]
//! fails is undefined behaviour: a run is considered only up to there.

pub mod affine;
mod assumptions;
mod checks;
mod conditions;
pub mod exact;
mod exposed;
mod expr;
mod fold;
mod formula;
mod jumps;
mod kinds;
mod obligations;
mod origin;
mod path;
pub mod print;
mod sizes;
mod source;
mod stmt;
mod target;
#[cfg(test)]
pub(crate) mod testing;
mod types;
mod visit;

pub use assumptions::Assumption;
pub use checks::{
    Check, CheckCondition, Guard, LengthOperand, check_of, checks_of, has_check, numbered_checks_of, uses_of,
};
pub use conditions::{condition_of, expression_of};
pub use expr::{Base, BinaryOp, Expr, ExprKind, Lvalue, Step, UnaryOp};
pub use fold::Fold;
pub use formula::{
    Application, BoundId, Claim, ClaimRole, Elements, ForAll, Formula, Lemma, LogicFunction, LogicId, MAX_BITS, Memory,
    Range, Root, Term, TermLvalue, TermOp, TermStep,
};
pub use jumps::Jumps;
pub use kinds::{KindEntry, ObligationKind, Rule};
pub use obligations::{FILE_SCOPE, Obligation, ObligationKey, obligations, obligations_and_settled};
pub use origin::Origin;
pub use path::{AccessPath, Entered};
pub use sizes::{BitField, Layout};
pub use source::{FileId, Location, SourceFile, SourceMap};
pub use stmt::{
    ALLOCATION_HAS_A_SIZE, ALLOCATION_SUCCEEDS, ASSUMING, Block, Blocks, CALLS_AGREE, CHANGED_IS_WRITTEN, COMES_BACK,
    CONSTANTS_STAY, Called, Callee, Callees, Contents, DECLARED_AGAIN, ENDED_IS_NOT_COMPARED, FREED_IS_NOT_USED,
    Finding, Found, InputId, LITERALS_STAY, LabelId, Loop, LoopId, LoopKind, NEVER_RETURN, OBJECTS_LAST, Presumption,
    RESULTS_ARE_RETURNED, Reached, SIGNALS_ARRIVE, SiteId, SnapshotId, Stmt, StmtId, StmtKind, WrittenBytes,
};
pub use target::{Representation, Target};
pub use types::{DataModel, FloatKind, IntKind, Length, Member, Packing, StructId, StructType, Type};
pub use visit::{
    Part, Use, Visit, VisitMut, each_expr, each_part, each_part_of_expr, each_part_of_lvalue, each_stmt, rewritten,
};

use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Index of a [`Variable`] in [`Program::variables`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct VarId(pub u32);

/// Index of a [`Function`] in [`Program::functions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct FunctionId(pub u32);

/// Index of an [`Assertion`] in [`Program::assertions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct AssertionId(pub u32);

/// A whole C program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Sizes of the integer types and of pointers.
    pub data_model: DataModel,
    /// How values are represented.
    pub representation: Representation,
    /// The source files that locations point into.
    pub sources: SourceMap,
    /// Struct and union types.
    pub structs: Vec<StructType>,
    /// All variables of all functions, and the globals.
    pub variables: Vec<Variable>,
    /// The globals, in the order of their definition.
    pub globals: Vec<VarId>,
    /// Runs before `entry`: writes every global's initial value (an explicit [`StmtKind::Zero`]
    /// makes static storage zero if the source gives no other value). Straight-line.
    pub initialisers: Block,
    /// The functions of annotations that are defined by recursion.
    pub logic: Vec<LogicFunction>,
    /// What annotations take for granted about them.
    pub lemmas: Vec<Lemma>,
    /// All functions, with or without a body.
    pub functions: Vec<Function>,
    /// The globals that the program only declares: other files define them.
    pub elsewhere: BTreeSet<VarId>,
    /// Where execution starts; its parameters have arbitrary values.
    pub entry: FunctionId,
    /// The assertions of the source. [`StmtKind::Assert`] refers to them; one assertion may belong
    /// to several statements after calls are inlined or loops are copied.
    pub assertions: Vec<Assertion>,
    /// How many [`SiteId`]s, [`LoopId`]s, [`LabelId`]s and [`InputId`]s have been given out (each
    /// kind counts from 0).
    pub counters: Counters,
    /// The assumptions made while the program was built. Sorted; each text at most once about each
    /// name.
    pub assumptions: Vec<Assumption>,
    /// Whether the entry is analysed as a function of a library: called with any arguments that its
    /// contract allows, in any state of the globals. Only functions that it can call count then.
    pub alone: bool,
    /// Whether allocations may return null.
    pub malloc_may_fail: bool,
    /// Which objects may end while there are pointers to them.
    pub endings: Endings,
    /// Which objects begin without a value.
    pub unset: Unset,
    /// Pointers to objects that the C library hands out: variables that lead to such an object, or
    /// nowhere, when a [`StmtKind::Havoc`] gives them a value, or, as parameters of the entry, when
    /// the program starts.
    pub outside: BTreeMap<VarId, Outside>,
    /// The inputs that functions of the C library take.
    pub library_inputs: BTreeMap<InputId, LibraryInput>,
    /// What names mean inside of functions.
    pub block_names: BlockNames,
    /// Remarks for the user on how the program was read; they change no verdict.
    pub notes: Vec<String>,
    /// What the source says but the program does not express.
    pub gaps: Gaps,
}

/// The next free number of each kind of identity inside statements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// Next [`SiteId`].
    pub sites: u32,
    /// Next [`LoopId`].
    pub loops: u32,
    /// Next [`LabelId`].
    pub labels: u32,
    /// Next [`InputId`].
    pub inputs: u32,
    /// Next [`SnapshotId`].
    pub snapshots: u32,
}

/// Which objects may end while there are pointers to them (C11 6.2.4). If none may, nothing is to
/// be proved of lifetimes.
#[derive(Clone, Debug, Default)]
pub struct Endings {
    /// Whether heap blocks may end: something is freed, or made by `alloca`.
    pub blocks: bool,
    /// Whether heap blocks may end where no statement says so: `free` is called through a pointer.
    pub unseen: bool,
    /// The variables of blocks and functions whose addresses may go to something that lives longer.
    pub variables: BTreeSet<VarId>,
}

impl Endings {
    /// Whether no object may.
    pub fn are_none(&self) -> bool {
        !self.blocks && self.variables.is_empty()
    }
}

/// An object that the C library hands out. Those that are not the program's overlap with none that
/// the program declares or allocates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outside {
    /// An array of pointers to texts, with a null pointer at its end (`argv`, C11 5.1.2.2.1).
    Texts,
    /// An object of the C library, or of the system, of at least so many bytes. Texts have at least
    /// one.
    Object(u64),
    /// The text of a variable of the environment. It is there before the program starts.
    Environment,
    /// A text to which an element of an array leads, from some character on. The variable leads to
    /// the array. It may be one of the program, and so may the text.
    TextOf(VarId),
}

/// A value that a function of the C library takes from outside of the program. Some library may
/// give each value between the bounds in some environment, whatever it has given before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryInput {
    /// What it is, for readers.
    pub words: String,
    /// The least value.
    pub least: i128,
    /// The greatest value.
    pub most: i128,
}

impl LibraryInput {
    /// A value between the bounds; the same one, if it is there.
    pub fn fitted(&self, value: i128) -> i128 {
        self.least + (value - self.least).rem_euclid(self.most - self.least + 1)
    }

    /// Whether runs take one value only.
    pub fn is_fixed(&self) -> bool {
        self.least == self.most
    }
}

/// Which objects begin without a value, so that they may be read before anything is written to them
/// (C11 6.2.4p6, 7.22.3.4). If none may, nothing is to be proved of reads.
#[derive(Clone, Debug, Default)]
pub struct Unset {
    /// The variables that begin without a value. Others that no initialiser writes hold any value,
    /// which something outside of the program has written.
    pub variables: BTreeSet<VarId>,
    /// The allocations whose blocks begin without a value.
    pub blocks: BTreeSet<SiteId>,
    /// The variables whose declaration a jump may pass over: a [`StmtKind::Havoc`] of one of them
    /// is not a write.
    pub jumped_over: BTreeSet<VarId>,
    /// The assignments that copy whatever is there, as `memcpy` does, or whose value is dropped.
    pub copies: BTreeSet<SiteId>,
    /// The variables that may be read, where the program names them, before they are written.
    pub read: BTreeSet<VarId>,
    /// Whether pointers may lead to something that nothing has written.
    pub reached: bool,
    /// Whether functions of the library that are known without a body write values, if they do not
    /// fail.
    pub is_written_by_library: bool,
}

impl Unset {
    /// Whether no object begins without a value.
    pub fn is_nothing(&self) -> bool {
        self.variables.is_empty() && self.blocks.is_empty()
    }

    /// The object that a statement copies whether or not something has written it.
    pub fn copied<'p>(&self, stmt: &'p Stmt) -> Option<&'p Lvalue> {
        match &stmt.kind {
            StmtKind::Assign(_, Expr { kind: ExprKind::Load(from), .. }) if self.copies.contains(&stmt.site) => {
                Some(from)
            }
            _ => None,
        }
    }

    /// Whether reading that lvalue may read what nothing has written, as far as its base tells.
    pub fn may_be_read(&self, lvalue: &Lvalue) -> bool {
        match &lvalue.base {
            Base::Var(v) => self.read.contains(v),
            Base::Deref(_) => self.reached,
        }
    }
}

/// What names mean inside of functions, apart from the variables that blocks declare as their own.
#[derive(Clone, Debug, Default)]
pub struct BlockNames {
    /// By the function's name: the names that some block of it gives to anything else (static
    /// locals, enumerators, types, functions, and what is `extern` there).
    pub other: BTreeMap<String, BTreeSet<String>>,
    /// The globals that only blocks name: static locals, and what is `extern` there alone.
    pub globals: BTreeSet<VarId>,
}

/// One variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; not unique.
    pub name: String,
    /// Whether the source gives it that name, or what smalti made it for.
    pub origin: Origin,
    /// Its type. An array of variable length names the variable that holds its length.
    pub ty: Type,
    /// Where and how it lives.
    pub storage: Storage,
    /// Whether it, or the elements that it consists of, is `const`: only its initialiser writes to
    /// it.
    pub constant: bool,
    /// Where it is declared.
    pub location: Location,
}

/// The life time of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Lives as long as the program.
    Global,
    /// Lives during a call, initialised by the caller.
    Parameter,
    /// Lives in the block of its `Declare` (a new object each time the declaration executes), or
    /// to the end of the call if it is used outside of that block.
    Local,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether the source gives it that name, or what smalti made it for.
    pub origin: Origin,
    /// Its parameters, in order; arrays have become pointers.
    pub parameters: Vec<VarId>,
    /// Whether it takes more arguments than that.
    pub variadic: bool,
    /// What it returns, possibly `void`.
    pub result: Type,
    /// Its body; `None` for an external function, whose call havocs what it can reach.
    pub body: Option<Block>,
    /// Where its name stands in its definition or first declaration.
    pub location: Location,
}

/// One assertion of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// `<function>.assertion.<n>`, counted from 1 in the order of the source.
    pub id: String,
    /// The function whose text contains it.
    pub function: String,
    /// Where the condition (or the call) starts.
    pub location: Location,
    /// The condition as the source writes it, white space folded.
    pub condition: String,
    /// The call that is the failure, if there is one: annotations have none.
    pub failure: Option<FailureCall>,
    /// Why nothing can judge it, if that is so. Then no statement of the program claims it, and it
    /// stays `unknown`.
    pub unsupported: Option<String>,
}

/// What the source says but the program does not express, so that some verdicts would be wrong.
#[derive(Clone, Debug, Default)]
pub struct Gaps {
    /// Assumptions that the source makes in a function and that smalti does not understand, each
    /// with the function's name. The program then also has runs that the source excludes, so
    /// nothing that the function can reach is judged.
    pub assumptions: Vec<(String, String)>,
    /// Contracts of functions without a body that say what these functions do. In the program,
    /// calls of them may do anything: proofs hold, but a failing run may not be a real run.
    pub callees: Vec<String>,
    /// Objects that have more or other cells than in the program. Results about the program may be
    /// wrong, so nothing is judged.
    pub objects: Vec<String>,
}

/// A call of a function that no run must call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureCall {
    /// The function: `reach_error` and the like, or what the macro `assert` calls.
    pub function: String,
    /// Where the call stands: in the definition of `__VERIFIER_assert`, if that was called.
    pub location: Location,
}

impl Program {
    /// The machine that it is compiled for.
    pub fn target(&self) -> Target {
        Target { data_model: self.data_model, representation: self.representation }
    }

    /// The variable of that number.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// The function of that number.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The function under analysis: the entry, or the function that the generated entry calls.
    pub fn analysed(&self) -> FunctionId {
        let entry = self.function(self.entry);
        let mut called = None;
        if entry.origin == Origin::Start {
            each_stmt(entry.body.as_deref().unwrap_or_default(), &mut |s| {
                if let StmtKind::Call { callee: Callee::Function(f), .. } = s.kind {
                    called = Some(f);
                }
            });
        }
        called.unwrap_or(self.entry)
    }

    /// The variable by whose name readers know this one: itself, or the pointer to what it is.
    pub fn known_as(&self, id: VarId) -> &Variable {
        match self.variable(id).origin {
            Origin::Block(pointer) => self.variable(pointer),
            _ => self.variable(id),
        }
    }

    /// The struct or union type of that number.
    pub fn structure(&self, id: StructId) -> &StructType {
        &self.structs[id.0 as usize]
    }

    /// The assertion of that number.
    pub fn assertion(&self, id: AssertionId) -> &Assertion {
        &self.assertions[id.0 as usize]
    }

    /// What the program consists of: the initialisers of its globals, then the bodies of its
    /// functions.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        std::iter::once(&self.initialisers).chain(self.functions.iter().filter_map(|f| f.body.as_ref()))
    }

    /// Calls `f` on every statement, those inside others included.
    pub fn each_stmt<'p>(&'p self, mut f: impl FnMut(&'p Stmt)) {
        self.blocks().for_each(|block| each_stmt(block, &mut f));
    }

    /// The functions that runs may reach: the entry, and every function that a reachable function
    /// or an initialiser calls or takes the address of. No other function is ever called by name,
    /// and no pointer that the program makes leads to one.
    pub fn called_functions(&self) -> BTreeSet<FunctionId> {
        let mut called = BTreeSet::from([self.entry]);
        called.extend(mentioned_functions(&self.initialisers));
        let mut open: Vec<FunctionId> = called.iter().copied().collect();
        while let Some(f) = open.pop() {
            open.extend(self.functions_in(f).into_iter().filter(|g| called.insert(*g)));
        }
        called
    }

    /// The functions that a function calls, or whose address it takes.
    pub fn functions_in(&self, f: FunctionId) -> BTreeSet<FunctionId> {
        self.function(f).body.as_ref().map(mentioned_functions).unwrap_or_default()
    }

    /// The program without the bodies of the functions that no run reaches.
    pub fn without_uncalled(&self) -> Cow<'_, Program> {
        let called = self.called_functions();
        let is_left_out = |n: usize| self.functions[n].body.is_some() && !called.contains(&FunctionId(n as u32));
        let left_out: Vec<usize> = (0..self.functions.len()).filter(|&n| is_left_out(n)).collect();
        if left_out.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut program = self.clone();
        left_out.into_iter().for_each(|n| program.functions[n].body = None);
        Cow::Owned(program)
    }

    /// The type at the end of a path.
    pub fn type_along<'p>(&'p self, base: &'p Base, path: &[Step]) -> &'p Type {
        let start = match base {
            Base::Var(v) => &self.variable(*v).ty,
            Base::Deref(pointer) => pointer.ty.pointee().unwrap_or(&Type::Void),
        };
        path.iter().fold(start, |ty, step| match (step, ty) {
            (Step::Field(id, n), _) => &self.structure(*id).members[*n as usize].ty,
            (Step::Index(_), Type::Array(element, _)) => element,
            (Step::Index(_), ty) => ty,
        })
    }

    /// The length of the array that the lvalue is an element of, if it is one of a constant length.
    pub fn length_around(&self, l: &Lvalue) -> Option<u64> {
        match self.type_along(&l.base, l.path.split_last()?.1) {
            Type::Array(_, Length::Constant(n)) => Some(*n),
            _ => None,
        }
    }

    /// The size in bytes of an object of a type without parts; `None` for a type with parts, and
    /// for a floating type.
    pub fn scalar_size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Int(kind) => Some(u64::from(kind.width(self.data_model)).div_ceil(8)),
            Type::Pointer(_) => Some(u64::from(self.data_model.pointer_width()) / 8),
            _ => None,
        }
    }

    /// Whether objects of the type are pointers, or have some inside.
    pub fn holds_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.holds_pointers(element),
            Type::Struct(id) => self.structure(*id).members.iter().any(|m| self.holds_pointers(&m.ty)),
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Function => false,
        }
    }

    /// Whether objects of the type have `const` members, or consist of such.
    pub fn has_constant_members(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.has_constant_members(element),
            Type::Struct(id) => {
                self.structure(*id).members.iter().any(|m| m.constant || self.has_constant_members(&m.ty))
            }
            _ => false,
        }
    }

    /// Whether the variable stands for a string literal.
    pub fn is_literal(&self, v: VarId) -> bool {
        self.variable(v).origin == Origin::StringLiteral
    }

    /// Whether the expression is what a temporary holds.
    pub fn is_temporary(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Load(l) if l.as_var().is_some_and(|v| self.variable(v).origin.is_temporary()))
    }

    /// Adds an assertion that the source does not contain: its name is empty.
    pub(crate) fn add_check(&mut self, location: Location) -> AssertionId {
        let (id, function, condition) = Default::default();
        self.assertions.push(Assertion { id, function, location, condition, failure: None, unsupported: None });
        AssertionId((self.assertions.len() - 1) as u32)
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, variable: Variable) -> VarId {
        let id = VarId(self.variables.len().try_into().expect("fewer than 2^32 variables"));
        self.variables.push(variable);
        id
    }
}

/// The functions that a block calls, or whose address it takes.
fn mentioned_functions(block: &Block) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    each_stmt(block, &mut |s| {
        if let StmtKind::Call { callee: Callee::Function(f), .. } = s.kind {
            found.insert(f);
        }
        each_expr(s, &mut |e| {
            if let ExprKind::FunctionAddress(f) = e.kind {
                found.insert(f);
            }
        });
    });
    found
}

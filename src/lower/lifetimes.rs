//! Pointers that may outlive what they point to, and pointers to string literals.
//!
//! An object is gone at the end of the block that declares it, and a string literal is not to be written to. Nothing checks either: both
//! are assumptions, listed where a program could break them. That is where the address of a local goes to something that lives longer
//! (a variable of a block around, a global, memory, the caller), and where there are pointers to literals and stores through pointers to
//! characters.

use super::context::Lowerer;
use crate::program::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, IntKind, Lvalue, Part, Step, StmtKind, Storage, Type, Use,
    VarId, each_part, each_stmt,
};
use std::collections::{HashMap, HashSet};

/// What is listed where an object may be gone that is used.
pub(super) const ASSUMPTION: &str = "objects are not used after the end of the block or function that declares them";

/// How many scopes are open in the body of a function.
const BODY: usize = 2;

/// Whose addresses a value may carry.
#[derive(Default)]
struct Carried {
    /// The local of the innermost scope of which it carries the address, as the number of scopes.
    depth: usize,
    /// The parameters of which it carries the values.
    parameters: HashSet<VarId>,
}

impl Carried {
    fn add(&mut self, other: &Carried) -> bool {
        let before = (self.depth, self.parameters.len());
        self.depth = self.depth.max(other.depth);
        self.parameters.extend(&other.parameters);
        before != (self.depth, self.parameters.len())
    }
}

/// What is known of the functions so far.
#[derive(Default)]
struct Known {
    /// What locals carry.
    locals: HashMap<VarId, Carried>,
    /// Parameters whose values go to globals or memory.
    kept: HashSet<VarId>,
    /// Parameters whose values are returned.
    returned: HashSet<VarId>,
    /// Something lives longer than what it points to.
    outlives: bool,
    changed: bool,
}

impl Lowerer<'_> {
    /// Lists the assumption that what is gone is not used, where the address of a local goes to what lives longer.
    pub(super) fn note_lifetimes(&mut self) {
        let mut entry_is_called = false;
        let entry = self.program.entry;
        super::prune::each_function(&mut self.program, &mut |id| entry_is_called |= *id == entry);
        let taken: Vec<FunctionId> = super::order::address_taken(&self.program).into_iter().collect();
        let mut known = Known { changed: true, ..Known::default() };
        while known.changed && !known.outlives {
            known.changed = false;
            for (n, function) in self.program.functions.iter().enumerate() {
                // What the body of `main` declares lives as long as the program.
                let lasting = FunctionId(n as u32) == entry && !entry_is_called;
                self.look_for_addresses(function, if lasting { BODY } else { BODY - 1 }, &taken, &mut known);
            }
        }
        if known.outlives {
            self.program.assume_that(ASSUMPTION);
        }
    }

    /// `lasting`: objects of that many scopes live as long as any memory. `taken`: what calls through pointers may lead to.
    fn look_for_addresses(&self, function: &Function, lasting: usize, taken: &[FunctionId], known: &mut Known) {
        each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| match &s.kind {
            StmtKind::Assign(target, value) => {
                let carried = self.carried(value, known);
                self.goes_to(target, &carried, lasting, known);
            }
            StmtKind::Return(Some(value)) => {
                let carried = self.carried(value, known);
                known.outlives |= carried.depth > lasting;
                for p in &carried.parameters {
                    known.changed |= known.returned.insert(*p);
                }
            }
            StmtKind::Call { target, callee, arguments } => {
                let callees = match callee {
                    Callee::Function(id) => std::slice::from_ref(id),
                    Callee::Pointer(_) => taken,
                };
                let parameters =
                    callees.iter().flat_map(|id| self.program.function(*id).parameters.iter().zip(arguments));
                for (parameter, argument) in parameters {
                    let carried = self.carried(argument, known);
                    if known.kept.contains(parameter) {
                        keep(&carried, lasting, known);
                    }
                    if let Some(target) = target.as_ref().filter(|_| known.returned.contains(parameter)) {
                        self.goes_to(target, &carried, lasting, known);
                    }
                }
            }
            _ => {}
        });
    }

    fn goes_to(&self, target: &Lvalue, carried: &Carried, lasting: usize, known: &mut Known) {
        if carried.depth == 0 && carried.parameters.is_empty() {
            return;
        }
        match target.base {
            Base::Var(v) if self.program.variable(v).storage != Storage::Global => {
                known.outlives |= carried.depth > self.depth_of(v);
                known.changed |= known.locals.entry(v).or_default().add(carried);
            }
            _ => keep(carried, lasting, known),
        }
    }

    fn depth_of(&self, v: VarId) -> usize {
        self.depths.get(&v).copied().unwrap_or(BODY)
    }

    fn carried(&self, value: &Expr, known: &Known) -> Carried {
        let mut found = Carried::default();
        self.add_carried(value, known, &mut found);
        found
    }

    fn add_carried(&self, value: &Expr, known: &Known, found: &mut Carried) {
        match &value.kind {
            ExprKind::AddressOf(object) => match &object.base {
                Base::Var(v) if self.program.variable(*v).storage != Storage::Global => {
                    found.depth = found.depth.max(self.depth_of(*v));
                }
                Base::Var(_) => {}
                Base::Deref(pointer) => self.add_carried(pointer, known, found),
            },
            ExprKind::Load(object) if matches!(value.ty, Type::Pointer(_) | Type::Struct(_)) => {
                if let Base::Deref(_) = object.base {
                    // What a pointer to a local leads to may be any address that a local holds.
                    known.locals.values().for_each(|carried| _ = found.add(carried));
                }
                if let Base::Var(v) = object.base {
                    if self.program.variable(v).storage == Storage::Parameter {
                        found.parameters.insert(v);
                    }
                    if let Some(carried) = known.locals.get(&v) {
                        found.add(carried);
                    }
                }
            }
            ExprKind::Cast(inner) => self.add_carried(inner, known, found),
            ExprKind::Binary(op, a, b) if !op.is_comparison() && matches!(value.ty, Type::Pointer(_)) => {
                self.add_carried(a, known, found);
                self.add_carried(b, known, found);
            }
            ExprKind::Conditional(_, a, b) => {
                self.add_carried(a, known, found);
                self.add_carried(b, known, found);
            }
            _ => {}
        }
    }

    /// Lists the assumption that literals are not written to, where that is not seen at once.
    pub(super) fn note_written_literals(&mut self) {
        let literals: HashSet<VarId> = self.strings.values().copied().collect();
        let kinds: HashSet<IntKind> = self.strings.keys().map(|(_, kind)| plain(*kind)).collect();
        let of_literal = |ty: &Type| matches!(ty, Type::Int(kind) if kinds.contains(&plain(*kind)));
        let to_literal = |e: &Expr| e.ty.pointee().is_some_and(of_literal);
        let (mut pointed_to, mut written) = (false, false);
        // Pointers to characters become others, or lose their type, or get one; something is written that a pointer leads to.
        let (mut disguised, mut untyped, mut typed, mut stored) = (false, false, false, false);
        let bodies = self.program.functions.iter().filter_map(|f| f.body.as_deref());
        for (initial, body) in bodies.map(|b| (false, b)).chain([(true, &self.program.initialisers[..])]) {
            each_stmt(body, &mut |s| {
                if let StmtKind::HavocReachable(pointers) = &s.kind {
                    written |= pointers.iter().any(to_literal);
                }
                each_part(s, &mut |p| match p {
                    Part::Expr(Expr { kind: ExprKind::Cast(from), ty: Type::Pointer(to), .. }) => {
                        match from.ty.pointee().map(innermost) {
                            Some(from) if of_literal(from) && **to == Type::Void => untyped = true,
                            Some(from) if of_literal(from) => disguised |= !of_literal(to),
                            Some(Type::Void) => typed |= !of_literal(to),
                            _ => {}
                        }
                    }
                    Part::Lvalue(Lvalue { base: Base::Var(v), .. }, how) if literals.contains(v) => {
                        // The initialisers give literals their characters.
                        let overwritten = how == Use::Write && !initial;
                        pointed_to |= how == Use::Address || overwritten;
                        written |= overwritten;
                    }
                    Part::Lvalue(Lvalue { base: Base::Deref(_), path, ty, .. }, Use::Write) => {
                        stored = true;
                        // An element of an array that is pointed to as a whole, too.
                        written |= path.iter().all(|step| matches!(step, Step::Index(_))) && of_literal(ty);
                    }
                    _ => {}
                });
            });
        }
        let seen_otherwise = disguised || (untyped && typed);
        if pointed_to && (written || (seen_otherwise && stored)) {
            self.program.assume_that("string literals are not written to");
        }
    }
}

/// The value goes to what may live as long as the program.
fn keep(carried: &Carried, lasting: usize, known: &mut Known) {
    known.outlives |= carried.depth > lasting;
    for p in &carried.parameters {
        known.changed |= known.kept.insert(*p);
    }
}

/// The elements of an array, whatever its dimensions.
fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(element, _) => innermost(element),
        ty => ty,
    }
}

/// Characters of all kinds are written through pointers to each other.
fn plain(kind: IntKind) -> IntKind {
    match kind {
        IntKind::SChar | IntKind::UChar => IntKind::Char,
        kind => kind,
    }
}

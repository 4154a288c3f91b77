//! Finds pointers that may outlive what they point to, and pointers to string literals.
//!
//! The lifetime of an object ends with the block that declares it, and a string literal must not be
//! written to. The first is checked (`lifetime`) or assumed, where a program could break it: where
//! the address of a local goes to something with a longer lifetime (a variable of an outer block, a
//! global, memory, the caller). The second is an assumption. It is listed if there are pointers to
//! literals and stores through pointers to characters.

use super::context::Lowerer;
use crate::program::{
    Base, Block, Callee, Contents, DECLARED_AGAIN, Endings, Expr, ExprKind, Function, FunctionId, IntKind,
    LITERALS_STAY, Lvalue, OBJECTS_LAST, Part, Presumption, Step, Stmt, StmtKind, Storage, Type, Use, VarId,
    WrittenBytes, each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Functions of the library that end heap blocks. Most calls of them are known as such.
const FREEING: [&str; 5] = ["free", "cfree", "realloc", "reallocarray", "reallocf"];

/// How many scopes are open in the body of a function.
const BODY: usize = 2;

/// The objects whose addresses a value may carry.
#[derive(Default)]
struct Carried {
    /// All locals of which it carries the addresses, with the numbers of scopes.
    locals: BTreeMap<VarId, usize>,
    /// The parameters of which it carries the values.
    parameters: HashSet<VarId>,
}

impl Carried {
    fn add(&mut self, other: &Carried) -> bool {
        let before = (self.locals.len(), self.parameters.len());
        self.locals.extend(&other.locals);
        self.parameters.extend(&other.parameters);
        before != (self.locals.len(), self.parameters.len())
    }
}

/// What is known of the functions so far.
#[derive(Default)]
struct Escapes {
    /// What locals carry.
    locals: HashMap<VarId, Carried>,
    /// Parameters whose values go to globals or memory.
    kept: HashSet<VarId>,
    /// Parameters whose values are returned.
    returned: HashSet<VarId>,
    /// The locals whose addresses go to something that lives longer.
    outlived: BTreeSet<VarId>,
    changed: bool,
}

impl Escapes {
    /// A value goes to something that lives as long as an object of that many scopes.
    fn outlived(&mut self, carried: &Carried, scopes: usize) {
        self.outlived.extend(carried.locals.iter().filter(|(_, depth)| **depth > scopes).map(|(v, _)| *v));
    }
}

impl Lowerer<'_> {
    /// Lists the assumption that objects are not used after their lifetime, if the address of a
    /// local goes to something that lives longer.
    pub(super) fn note_lifetimes(&mut self) {
        let mut entry_is_called = false;
        let entry = self.program.entry;
        super::prune::each_function(&mut self.program, &mut |id| entry_is_called |= *id == entry);
        let taken: Vec<FunctionId> = self.program.address_taken_functions().into_iter().collect();
        let mut escapes = Escapes { changed: true, ..Escapes::default() };
        while escapes.changed {
            escapes.changed = false;
            for (n, function) in self.program.functions.iter().enumerate() {
                // What the body of `main` declares lives as long as the program.
                let lasting = FunctionId(n as u32) == entry && !entry_is_called;
                self.look_for_addresses(function, if lasting { BODY } else { BODY - 1 }, &taken, &mut escapes);
            }
        }
        let exposed = self.program.address_taken();
        let again: BTreeSet<VarId> = self
            .program
            .functions
            .iter()
            .filter_map(|f| f.body.as_ref())
            .flat_map(|b| passed_again(b, &exposed))
            .collect();
        // An array of variable length ends with the jump to where it is not declared yet.
        let (arrays, others): (Vec<VarId>, Vec<VarId>) =
            again.into_iter().partition(|v| self.program.variable(*v).ty.has_variable_size());
        let mut variables = escapes.outlived;
        variables.extend(arrays);
        if !variables.is_empty() {
            self.assume_that(OBJECTS_LAST);
        }
        let (mut frees, mut blocks) = (false, false);
        let called = self.program.called_functions();
        for (n, function) in (0..).zip(&self.program.functions) {
            if self.options.alone && !called.contains(&FunctionId(n)) {
                continue;
            }
            each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| {
                frees |= matches!(s.kind, StmtKind::Presume(Presumption::Freed(_)));
                blocks |= s.ends_block();
            });
        }
        let unseen = self.may_free_unseen(&called);
        self.program.endings = Endings { blocks: blocks || unseen, unseen, variables };
        if self.options.alone && frees {
            let entry = self.options.entry.clone();
            self.assume_that(format!("what `{entry}` is given and frees is a heap block, and nobody else frees it"));
        }
        if !others.is_empty() {
            self.assume_that(DECLARED_AGAIN);
        }
    }

    /// Whether functions of the library that free something are called through pointers, or lack a
    /// model.
    fn may_free_unseen(&self, called: &BTreeSet<FunctionId>) -> bool {
        let taken = self.program.address_taken_functions();
        let frees = |f: &&FunctionId| {
            let function = self.program.function(**f);
            function.body.is_none() && FREEING.contains(&function.name.as_str())
        };
        taken.iter().chain(called).find(frees).is_some()
    }

    /// `lasting`: objects of that many scopes live as long as any memory. `taken`: the functions
    /// that calls through pointers may reach.
    fn look_for_addresses(&self, function: &Function, lasting: usize, taken: &[FunctionId], escapes: &mut Escapes) {
        each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| match &s.kind {
            StmtKind::Assign(target, value) => {
                let carried = self.carried(value, escapes);
                self.goes_to(target, &carried, lasting, escapes);
            }
            StmtKind::Return(Some(value)) => {
                let carried = self.carried(value, escapes);
                escapes.outlived(&carried, lasting);
                for p in &carried.parameters {
                    escapes.changed |= escapes.returned.insert(*p);
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
                    let carried = self.carried(argument, escapes);
                    if escapes.kept.contains(parameter) {
                        keep(&carried, lasting, escapes);
                    }
                    if let Some(target) = target.as_ref().filter(|_| escapes.returned.contains(parameter)) {
                        self.goes_to(target, &carried, lasting, escapes);
                    }
                }
            }
            StmtKind::HavocReachable(reached) => {
                // Bytes that are copied may be addresses.
                if let Some(WrittenBytes { contents: Contents::From(from), .. }) = reached.bytes.as_deref()
                    && may_hold_addresses(from)
                {
                    let mut carried = Carried::default();
                    escapes.locals.values().for_each(|other| _ = carried.add(other));
                    keep(&carried, lasting, escapes);
                }
            }
            _ => {}
        });
    }

    fn goes_to(&self, target: &Lvalue, carried: &Carried, lasting: usize, escapes: &mut Escapes) {
        if carried.locals.is_empty() && carried.parameters.is_empty() {
            return;
        }
        match target.base {
            Base::Var(v) if self.program.variable(v).storage != Storage::Global => {
                escapes.outlived(carried, self.depth_of(v));
                escapes.changed |= escapes.locals.entry(v).or_default().add(carried);
            }
            _ => keep(carried, lasting, escapes),
        }
    }

    fn depth_of(&self, v: VarId) -> usize {
        self.depths.get(&v).copied().unwrap_or(BODY)
    }

    fn carried(&self, value: &Expr, escapes: &Escapes) -> Carried {
        let mut found = Carried::default();
        self.add_carried(value, escapes, &mut found);
        found
    }

    fn add_carried(&self, value: &Expr, escapes: &Escapes, found: &mut Carried) {
        match &value.kind {
            ExprKind::AddressOf(object) => match &object.base {
                Base::Var(v) if self.program.variable(*v).storage != Storage::Global => {
                    found.locals.insert(*v, self.depth_of(*v));
                }
                Base::Var(_) => {}
                Base::Deref(pointer) => self.add_carried(pointer, escapes, found),
            },
            ExprKind::Load(object) if matches!(value.ty, Type::Pointer(_) | Type::Struct(_)) => {
                if let Base::Deref(_) = object.base {
                    // The value that a pointer to a local points to may be any address that a local
                    // holds.
                    escapes.locals.values().for_each(|carried| _ = found.add(carried));
                }
                if let Base::Var(v) = object.base {
                    if self.program.variable(v).storage == Storage::Parameter {
                        found.parameters.insert(v);
                    }
                    if let Some(carried) = escapes.locals.get(&v) {
                        found.add(carried);
                    }
                }
            }
            ExprKind::Cast(inner) => self.add_carried(inner, escapes, found),
            ExprKind::Binary(op, a, b) if !op.is_comparison() && matches!(value.ty, Type::Pointer(_)) => {
                self.add_carried(a, escapes, found);
                self.add_carried(b, escapes, found);
            }
            ExprKind::Conditional(_, a, b) => {
                self.add_carried(a, escapes, found);
                self.add_carried(b, escapes, found);
            }
            _ => {}
        }
    }

    /// Lists the assumption that literals are not written to, unless that is obvious.
    pub(super) fn note_written_literals(&mut self) {
        let mut uses = Uses {
            literals: self.strings.values().copied().collect(),
            kinds: self.strings.keys().map(|(_, kind)| plain(*kind)).collect(),
            ..Uses::default()
        };
        each_stmt(&self.program.initialisers, &mut |s| uses.statement(s, true));
        for body in self.program.functions.iter().filter_map(|f| f.body.as_ref()) {
            each_stmt(body, &mut |s| uses.statement(s, false));
        }
        if uses.may_write() {
            self.assume_that(LITERALS_STAY);
        }
    }
}

/// How the program uses string literals and pointers to characters.
#[derive(Default)]
struct Uses {
    literals: HashSet<VarId>,
    /// The kinds of the characters of literals.
    kinds: HashSet<IntKind>,
    /// Whether pointers lead to literals.
    pointed_to: bool,
    /// Whether characters of literals may be written directly.
    written: bool,
    /// Whether pointers to characters become other pointers.
    disguised: bool,
    /// Whether they lose their type.
    untyped: bool,
    /// Whether pointers without a type become pointers to something other than characters.
    typed: bool,
    /// Whether something is written through a pointer.
    stored: bool,
}

impl Uses {
    /// Notes the uses in a statement. `initial`: it is an initialiser, which gives literals their
    /// characters.
    fn statement(&mut self, s: &Stmt, initial: bool) {
        if let StmtKind::HavocReachable(reached) = &s.kind {
            self.written |= reached.pointers.iter().any(|e| e.ty.pointee().is_some_and(|ty| self.is_character(ty)));
        }
        each_part(s, &mut |part| match part {
            Part::Expr(Expr { kind: ExprKind::Cast(from), ty: Type::Pointer(to), .. }) => self.conversion(from, to),
            Part::Lvalue(Lvalue { base: Base::Var(v), .. }, how) if self.literals.contains(v) => {
                let overwritten = how == Use::Write && !initial;
                self.pointed_to |= how == Use::Address || overwritten;
                self.written |= overwritten;
            }
            Part::Lvalue(Lvalue { base: Base::Deref(_), path, ty, .. }, Use::Write) => {
                self.stored = true;
                // An element of an array that is pointed to as a whole, too.
                self.written |= path.iter().all(|step| matches!(step, Step::Index(_))) && self.is_character(ty);
            }
            _ => {}
        });
    }

    /// Notes that a value becomes a pointer to that type.
    fn conversion(&mut self, from: &Expr, to: &Type) {
        match from.ty.pointee().map(innermost) {
            Some(from) if self.is_character(from) && *to == Type::Void => self.untyped = true,
            Some(from) if self.is_character(from) => self.disguised |= !self.is_character(to),
            Some(Type::Void) => self.typed |= !self.is_character(to),
            _ => {}
        }
    }

    fn is_character(&self, ty: &Type) -> bool {
        matches!(ty, Type::Int(kind) if self.kinds.contains(&plain(*kind)))
    }

    fn may_write(&self) -> bool {
        let seen_otherwise = self.disguised || (self.untyped && self.typed);
        self.pointed_to && (self.written || (seen_otherwise && self.stored))
    }
}

/// Whether there may be addresses where that points to. Pointers to characters are taken for
/// pointers to text.
fn may_hold_addresses(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) if matches!(inner.ty, Type::Pointer(_)) => may_hold_addresses(inner),
        _ => !pointer.ty.pointee().is_some_and(|ty| matches!(innermost(ty), Type::Int(_) | Type::Float(_))),
    }
}

/// The variables whose address is taken and whose declaration is passed again after a jump back to
/// a label before it, in the same block. C makes no new object there (C11 6.2.4p6), except for an
/// array of variable length (p7).
fn passed_again(body: &Block, exposed: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let (mut passed, mut back) = (HashSet::new(), HashSet::new());
    each_stmt(body, &mut |s| match &s.kind {
        StmtKind::Label(label, _) => _ = passed.insert(*label),
        StmtKind::Goto(label) if passed.contains(label) => _ = back.insert(*label),
        _ => {}
    });
    let mut found = BTreeSet::new();
    each_block(body, &mut |block| {
        let mut again = false;
        for s in block {
            match &s.kind {
                StmtKind::Label(label, _) => again |= back.contains(label),
                StmtKind::Declare(v) if again && exposed.contains(v) => _ = found.insert(*v),
                _ => {}
            }
        }
    });
    found
}

/// Calls `f` on a block and the blocks inside.
fn each_block(block: &Block, f: &mut impl FnMut(&Block)) {
    f(block);
    each_stmt(block, &mut |s| s.blocks().for_each(&mut *f));
}

/// Notes that the value goes to something that may live as long as the program.
fn keep(carried: &Carried, lasting: usize, escapes: &mut Escapes) {
    escapes.outlived(carried, lasting);
    for p in &carried.parameters {
        escapes.changed |= escapes.kept.insert(*p);
    }
}

/// The elements of an array, whatever its dimensions.
fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(element, _) => innermost(element),
        ty => ty,
    }
}

/// The kind without signedness: characters of all kinds can be written through pointers to each
/// other.
fn plain(kind: IntKind) -> IntKind {
    match kind {
        IntKind::SChar | IntKind::UChar => IntKind::Char,
        kind => kind,
    }
}

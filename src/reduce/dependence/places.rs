//! The memory that an lvalue may denote: places, and what pointers may point to.
//!
//! **Meaning.** A place stands for cells: of every object of a variable, or of every heap block of
//! an allocation. The fields of a struct are places of their own. All elements of an array are one
//! place, and so is a union, whatever is nested in it. A pointer points to objects as a whole. The
//! field that it points to is read off its type, but only under two conditions: this is the type of
//! the whole object's elements, and nothing in the program makes such pointers from others (a
//! pointer to the middle of a struct, seen as one to a struct, leads into two of them).
//!
//! **Sources, and where we differ.** The points-to analysis is that of Andersen (1994), over
//! objects. It is insensitive to flow and context: every value may carry every pointer that was
//! used to compute it. (Kumar 2019, section 4.1, uses a flow-sensitive one.) What unknown code may
//! reach is one more object, which points to all of that. An address from outside of the program
//! may be that of memory that nothing is known of, or of any global: other files know globals by
//! their names. An address that is not followed (it was a number, or an argument of a variadic
//! function) may also be that of any variable whose address is taken, or of any heap block.

mod points_to;
mod views;

use crate::program::{
    Base, Block, Callee, Expr, FunctionId, Lvalue, Program, Root, SiteId, Step, StmtKind, StructId, TermLvalue,
    TermStep, Type, VarId,
};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use views::{element, reinterpreted};

/// Objects, by number.
type Objects = BTreeSet<usize>;

/// A place. The places of one object are numbered in a row.
pub(super) type PlaceId = u32;

/// A struct with more members than this (nested ones included) is one place.
const MOST_FIELDS: u32 = 64;

/// The objects of a program, their places, and what they may point to.
pub(super) struct Places<'p> {
    program: &'p Program,
    /// By struct: how many places its members have; `None` if it is one place as a whole.
    structs: Vec<Option<u32>>,
    /// The first place of each object. The order is: the variables, the allocations, memory that
    /// nothing is known of, and the objects that stand for sets.
    first: Vec<PlaceId>,
    types: Vec<Option<&'p Type>>,
    heap: HashMap<SiteId, usize>,
    /// The structs to which some pointer is made from a pointer to something else.
    reinterpreted: BTreeSet<StructId>,
    /// What each object may point to. An object is escaped if the last one, unknown code, points to
    /// it.
    points_to: Vec<Objects>,
    /// The variables whose address some expression takes.
    address_taken: BTreeSet<VarId>,
    /// The possible targets of an address that is not followed: memory that nothing is known of,
    /// globals, variables whose address is taken, the heap.
    exposed: Objects,
}

/// The places that an lvalue may denote.
pub(super) struct Access {
    pub(super) places: Vec<Range<PlaceId>>,
    /// All cells of these places are denoted, so that a write overwrites all their values.
    pub(super) whole: bool,
}

impl<'p> Places<'p> {
    pub(super) fn new(program: &'p Program) -> Places<'p> {
        let mut heap = HashMap::new();
        let mut types: Vec<Option<&'p Type>> = program.variables.iter().map(|v| Some(&v.ty)).collect();
        program.each_stmt(|s| {
            if let StmtKind::Allocate { element, .. } = &s.kind {
                heap.entry(s.site).or_insert_with(|| {
                    types.push(Some(element));
                    types.len() - 1
                });
            }
        });
        // Memory that nothing is known of, addresses that are not followed, and unknown code.
        types.extend([None, None, None]);
        let mut places = Places {
            program,
            structs: Vec::new(),
            reinterpreted: reinterpreted(program),
            first: Vec::new(),
            types,
            heap,
            points_to: Vec::new(),
            address_taken: program.address_taken(),
            exposed: Objects::new(),
        };
        // A struct contains others by value only, so their order can be found by depth.
        places.structs = vec![None; program.structs.len()];
        let mut known = vec![false; program.structs.len()];
        for id in 0..program.structs.len() {
            places.measure(id, &mut known);
        }
        let mut next = 0;
        for object in 0..places.types.len() {
            places.first.push(next);
            next += places.types[object].map_or(1, |ty| places.count(ty));
        }
        places.first.push(next);
        let objects = places.types.len();
        places.points_to = vec![Objects::new(); objects];
        let variables = program.exposed().into_iter().map(|v| v.0 as usize);
        places.exposed = variables.chain(places.heap.values().copied()).chain([places.unknown_memory()]).collect();
        places.solve();
        places
    }

    fn unknown_memory(&self) -> usize {
        self.types.len() - 3
    }

    /// The object that stands for everything that an address which is not followed may lead to.
    fn untracked(&self) -> usize {
        self.types.len() - 2
    }

    /// The object that stands for all that unknown code may reach.
    fn unknown_code(&self) -> usize {
        self.types.len() - 1
    }

    fn measure(&mut self, id: usize, known: &mut [bool]) {
        if std::mem::replace(&mut known[id], true) {
            return;
        }
        let program = self.program;
        let structure = &program.structs[id];
        if structure.is_union {
            return;
        }
        let mut sum = 0u32;
        for member in &structure.members {
            if let Type::Struct(inner) = element(&member.ty) {
                self.measure(inner.0 as usize, known);
            }
            sum = sum.saturating_add(self.count(&member.ty));
        }
        self.structs[id] = (1..=MOST_FIELDS).contains(&sum).then_some(sum);
    }

    /// How many places an object of that type has.
    fn count(&self, ty: &Type) -> u32 {
        match element(ty) {
            Type::Struct(id) => self.structs.get(id.0 as usize).copied().flatten().unwrap_or(1),
            _ => 1,
        }
    }

    fn range(&self, object: usize) -> Range<PlaceId> {
        self.first[object]..self.first[object + 1]
    }

    /// The places of a variable.
    pub(super) fn of_variable(&self, v: VarId) -> Range<PlaceId> {
        self.range(v.0 as usize)
    }

    /// The places of the blocks of an allocation.
    pub(super) fn of_block(&self, site: SiteId) -> Option<Range<PlaceId>> {
        self.heap.get(&site).map(|&object| self.range(object))
    }

    /// The variable whose place it is.
    pub(super) fn variable_of(&self, place: PlaceId) -> Option<VarId> {
        let object = self.first.partition_point(|&f| f <= place).checked_sub(1)?;
        (object < self.program.variables.len()).then_some(VarId(object as u32))
    }

    /// Whether pointers may lead to the variable.
    pub(super) fn is_address_taken(&self, v: VarId) -> bool {
        self.address_taken.contains(&v)
    }

    /// Finds the end of a path of members and elements in an object of that type. Returns the
    /// number of the first place, how many places there are, and whether all of their cells are
    /// meant.
    fn walk(&self, ty: &Type, path: impl Iterator<Item = Option<(StructId, u32)>>) -> (u32, u32, bool) {
        let (mut ty, mut at, mut whole) = (ty, 0, true);
        for step in path {
            match step {
                Some((id, field)) => {
                    let structure = self.program.structure(id);
                    if self.structs.get(id.0 as usize).copied().flatten().is_none() {
                        return (at, 1, false);
                    }
                    at += structure.members.iter().take(field as usize).map(|m| self.count(&m.ty)).sum::<u32>();
                    ty = structure.members.get(field as usize).map_or(&Type::Void, |m| &m.ty);
                }
                None => {
                    whole = false;
                    if let Type::Array(inner, _) = ty {
                        ty = inner;
                    }
                }
            }
        }
        (at, self.count(ty), whole)
    }

    /// The places that an lvalue may denote.
    pub(super) fn access(&self, l: &Lvalue) -> Access {
        let path = || l.path.iter().map(step);
        match &l.base {
            Base::Var(v) => {
                let first = self.first[v.0 as usize];
                let (at, count, whole) = self.walk(&self.program.variable(*v).ty, path());
                Access { places: std::iter::once(first + at..first + at + count).collect(), whole }
            }
            Base::Deref(pointer) => self.through(pointer, path()),
        }
    }

    /// The places that a term of a formula may read.
    pub(super) fn of_place(&self, place: &TermLvalue) -> Access {
        let steps = || {
            place.steps.iter().map(|s| match s {
                TermStep::Field(id, n) => Some((*id, *n)),
                TermStep::Index(_) => None,
            })
        };
        match &place.root {
            Root::Variable(l) => match &l.base {
                Base::Var(v) => {
                    let first = self.first[v.0 as usize];
                    let path = l.path.iter().map(step).chain(steps());
                    let (at, count, _) = self.walk(&self.program.variable(*v).ty, path);
                    Access { places: std::iter::once(first + at..first + at + count).collect(), whole: false }
                }
                Base::Deref(pointer) => self.through(pointer, l.path.iter().map(step).chain(steps())),
            },
            Root::Pointer { pointer, .. } => self.through(pointer, steps()),
            // The sequences are places of their own where the function is applied.
            Root::Elements { .. } => Access { places: Vec::new(), whole: false },
        }
    }

    fn through(&self, pointer: &Expr, path: impl Iterator<Item = Option<(StructId, u32)>>) -> Access {
        let pointee = pointer.ty.pointee().unwrap_or(&Type::Void);
        let (at, count, _) = self.walk(pointee, path);
        let mut places = Vec::new();
        for object in self.targets(pointer).iter().copied() {
            let range = self.range(object);
            // A valid pointer to a struct points at an element of the object if the object consists
            // of such structs; else it may point into the middle.
            let same = match (self.types[object].map(element), element(pointee)) {
                (Some(Type::Struct(a)), Type::Struct(b)) => a == b && !self.reinterpreted.contains(a),
                _ => false,
            };
            places.push(if same { range.start + at..range.start + at + count } else { range });
        }
        Access { places, whole: false }
    }

    /// The places that unknown code may change.
    pub(super) fn escaped(&self) -> Vec<Range<PlaceId>> {
        let code = self.unknown_code();
        self.objects_among(self.points_to[code].clone())
            .into_iter()
            .filter(|&o| o != code)
            .map(|o| self.range(o))
            .collect()
    }
}

fn step(step: &Step) -> Option<(StructId, u32)> {
    match step {
        Step::Field(id, n) => Some((*id, *n)),
        Step::Index(_) => None,
    }
}

/// Calls `f` on the initialisers and on the body of each function.
pub(super) fn each_block<'p>(program: &'p Program, f: &mut impl FnMut(Option<FunctionId>, &'p Block)) {
    f(None, &program.initialisers);
    for (n, function) in program.functions.iter().enumerate() {
        if let Some(body) = &function.body {
            f(Some(FunctionId(n as u32)), body);
        }
    }
}

/// Whether the callee is unknown.
pub(super) fn is_opaque(program: &Program, callee: &Callee) -> bool {
    match callee {
        Callee::Function(f) => program.function(*f).body.is_none(),
        Callee::Pointer(_) => true,
    }
}

/// The functions with a body that a call may run. Unknown code may call back every function whose
/// address is taken.
pub(super) fn callees(program: &Program, callee: &Callee, address_taken: &[FunctionId]) -> Vec<FunctionId> {
    match callee {
        Callee::Function(f) if program.function(*f).body.is_some() => vec![*f],
        _ => address_taken.to_vec(),
    }
}

/// The functions with a body whose address some expression takes.
pub(super) fn address_taken_functions(program: &Program) -> Vec<FunctionId> {
    let has_body = |f: &FunctionId| program.function(*f).body.is_some();
    program.address_taken_functions().into_iter().filter(has_body).collect()
}

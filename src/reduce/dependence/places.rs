//! Which memory an lvalue may denote: places, and what pointers may point to.
//!
//! **Meaning.** A place stands for cells: of every object of a variable, or of every heap block of an allocation. The fields of a struct are
//! places of their own, all elements of an array are one, and so is a union, whatever is nested in it. A pointer points to
//! objects as a whole; which field it is for is read off its type, and only where that is the type of the whole object's elements and nothing
//! in the program makes such pointers of others (one to the middle of a struct, seen as one to a struct, leads into two of them).
//!
//! **Sources, and where we differ.** The points-to analysis is that of Andersen (1994), over objects: insensitive to flow and context, every
//! value may carry every pointer that was used to compute it. (Kumar 2019, section 4.1, uses a flow-sensitive one.) What unknown code may
//! reach is one more object, which points to all of that. An address that comes from outside of the program may be that of memory that
//! nothing is known of, or of any global: others know those by their names. One that is not followed (it was a number, or an argument of a
//! variadic function) may also be that of any variable whose address is taken, or any heap block.

use crate::program::{
    Base, BinaryOp, Block, Callee, Expr, ExprKind, FunctionId, Length, Lvalue, Part, Place, Program, Root, SiteId,
    Step, Stmt, StmtKind, StructId, TermStep, Type, Use, VarId, each_expr, each_part_of_expr, each_stmt,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

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
    /// The first place of each object: the variables, then the allocations, then memory that nothing is known of, and what stands for sets.
    first: Vec<PlaceId>,
    types: Vec<Option<&'p Type>>,
    heap: HashMap<SiteId, usize>,
    /// By struct: some pointer to it is made of a pointer to something else.
    reinterpreted: BTreeSet<StructId>,
    /// What each object may point to. An object is escaped where the last one, unknown code, points to it.
    points_to: Vec<Objects>,
    /// The variables whose address some expression takes.
    address_taken: BTreeSet<VarId>,
    /// What an address that is not followed may lead to: memory that nothing is known of, globals, variables whose address is taken, the
    /// heap.
    exposed: Objects,
}

/// The places that an lvalue may denote.
pub(super) struct Access {
    pub(super) places: Vec<Range<PlaceId>>,
    /// All cells of these places are denoted, so that a write leaves nothing of what they held.
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

    /// What stands for all that an address may lead to that is not followed.
    fn untracked(&self) -> usize {
        self.types.len() - 2
    }

    /// What stands for all that unknown code may reach.
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

    /// Where in an object of that type a path of members and elements leads: the number of the first place, how many, and whether all of
    /// their cells are meant.
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
    pub(super) fn of_place(&self, place: &Place) -> Access {
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
        }
    }

    fn through(&self, pointer: &Expr, path: impl Iterator<Item = Option<(StructId, u32)>>) -> Access {
        let pointee = pointer.ty.pointee().unwrap_or(&Type::Void);
        let (at, count, _) = self.walk(pointee, path);
        let mut places = Vec::new();
        for object in self.targets(pointer).iter().copied() {
            let range = self.range(object);
            // A valid pointer to a struct points at an element of the object if the object consists of such structs; else it may be in the midst.
            let same = match (self.types[object].map(element), element(pointee)) {
                (Some(Type::Struct(a)), Type::Struct(b)) => a == b && !self.reinterpreted.contains(a),
                _ => false,
            };
            places.push(if same { range.start + at..range.start + at + count } else { range });
        }
        Access { places, whole: false }
    }

    /// The objects that a pointer may lead to.
    fn targets(&self, pointer: &Expr) -> Objects {
        let mut found = Objects::new();
        self.add_targets(pointer, &mut found);
        if found.is_empty() {
            // The pointer comes from outside, or is null.
            found.insert(self.unknown_memory());
        }
        self.objects_among(found)
    }

    /// The set, with the objects for what stands for them.
    fn objects_among(&self, mut found: Objects) -> Objects {
        if found.remove(&self.unknown_code()) {
            found.extend(self.points_to[self.unknown_code()].iter().filter(|&&o| o != self.unknown_code()));
            found.insert(self.unknown_memory());
        }
        if found.remove(&self.untracked()) {
            found.extend(&self.exposed);
        }
        if found.contains(&self.unknown_memory()) {
            found.extend(self.program.globals.iter().map(|g| g.0 as usize));
        }
        found
    }

    /// Adds what the value of an expression may point to.
    fn add_targets(&self, e: &Expr, found: &mut Objects) {
        each_part_of_expr(e, &mut |part| match part {
            Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Address) => {
                found.insert(v.0 as usize);
            }
            Part::Lvalue(l, Use::Read | Use::Write) => {
                match &l.base {
                    Base::Var(v) => found.extend(&self.points_to[v.0 as usize]),
                    Base::Deref(pointer) => {
                        self.targets(pointer).iter().for_each(|&object| found.extend(&self.points_to[object]));
                    }
                }
                if self.program.holds_pointers(&l.ty) && !self.other_views(l).is_empty() {
                    found.insert(self.untracked());
                }
            }
            Part::Expr(Expr { kind: ExprKind::Cast(number), ty: Type::Pointer(_), .. }) if may_be_address(number) => {
                found.insert(self.untracked());
            }
            Part::Lvalue(..) | Part::Expr(_) => {}
        });
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

    fn add(&mut self, object: usize, more: &Objects) -> bool {
        let before = self.points_to[object].len();
        self.points_to[object].extend(more);
        self.points_to[object].len() != before
    }

    /// What is stored in an lvalue may point there.
    fn store(&mut self, l: &Lvalue, more: &Objects) -> bool {
        match &l.base {
            Base::Var(v) => self.add(v.0 as usize, more),
            Base::Deref(pointer) => {
                let objects = self.targets(pointer);
                objects.into_iter().fold(false, |changed, o| self.add(o, more) | changed)
            }
        }
    }

    /// The objects that an lvalue may see through another type than their own, or as one member of a union.
    fn other_views(&self, l: &Lvalue) -> Objects {
        let has_union = l.path.iter().any(|s| match s {
            Step::Field(id, _) => self.program.structure(*id).is_union,
            Step::Index(_) => false,
        });
        match &l.base {
            Base::Var(v) if has_union => Objects::from([v.0 as usize]),
            Base::Var(_) => Objects::new(),
            Base::Deref(pointer) => {
                let pointee = element(pointer.ty.pointee().unwrap_or(&Type::Void));
                let mut objects = self.targets(pointer);
                objects.retain(|&o| has_union || self.types[o].map(element) != Some(pointee));
                objects
            }
        }
    }

    /// A number is stored in an lvalue: where there may be a pointer, that is one that is not followed now. (So is a pointer that is
    /// read where there may be a number.)
    fn store_number(&mut self, l: &Lvalue) -> bool {
        let untracked = Objects::from([self.untracked()]);
        let holds_pointers = |o: usize| self.types[o].is_none_or(|ty| self.program.holds_pointers(ty));
        let objects: Objects = self.other_views(l).into_iter().filter(|&o| holds_pointers(o)).collect();
        objects.into_iter().fold(false, |changed, o| self.add(o, &untracked) | changed)
    }

    /// Applies every assignment until nothing changes.
    fn solve(&mut self) {
        let program = self.program;
        let (code, memory) = (self.unknown_code(), self.unknown_memory());
        let mut outside = Objects::new();
        outside.insert(memory);
        self.add(memory, &outside.clone());
        let without_size = |v: &&VarId| matches!(program.variable(**v).ty, Type::Array(_, Length::Unknown));
        let from_outside = program.globals.iter().filter(without_size);
        for v in from_outside.chain(&program.function(program.entry).parameters) {
            if !matches!(program.variable(*v).ty, Type::Int(_) | Type::Float(_)) {
                self.add(v.0 as usize, &outside.clone());
            }
        }
        let mut statements: Vec<(Option<FunctionId>, &'p Stmt)> = Vec::new();
        let mut unknown_code = false;
        each_block(program, &mut |f, block| {
            each_stmt(block, &mut |s| {
                let moves = match &s.kind {
                    StmtKind::Assign(..) | StmtKind::Allocate { .. } | StmtKind::Return(Some(_)) => true,
                    StmtKind::Input(..) | StmtKind::Havoc(_) => true,
                    StmtKind::HavocReachable(_) => {
                        unknown_code = true;
                        true
                    }
                    StmtKind::Call { callee, .. } => {
                        unknown_code |= is_opaque(program, callee);
                        true
                    }
                    _ => false,
                };
                if moves {
                    statements.push((f, s));
                }
            });
        });
        if unknown_code {
            let mut reached = outside.clone();
            reached.insert(code);
            reached.extend(program.globals.iter().map(|g| g.0 as usize));
            if addresses_become_numbers(program) {
                // Any number that unknown code sees may be one of them, whatever way it was computed.
                reached.insert(self.untracked());
            }
            self.add(code, &reached);
        }
        let taken = address_taken_functions(program);
        let mut results = vec![Objects::new(); program.functions.len()];
        loop {
            let mut changed = false;
            for &(f, s) in &statements {
                changed |= self.apply(f, s, &taken, &mut results);
            }
            if unknown_code {
                // Unknown code may store any pointer that it has wherever it can.
                let mut reached = self.objects_among(self.points_to[code].clone());
                reached.remove(&code);
                let mut through = Objects::new();
                through.insert(code);
                for o in reached {
                    let more = self.points_to[o].clone();
                    changed |= self.add(code, &more) | self.add(o, &through);
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn apply(&mut self, function: Option<FunctionId>, s: &Stmt, taken: &[FunctionId], results: &mut [Objects]) -> bool {
        let code = self.unknown_code();
        let mut value = Objects::new();
        match &s.kind {
            StmtKind::Assign(l, e) => {
                self.add_targets(e, &mut value);
                self.store(l, &value) | (may_be_address(e) && self.store_number(l))
            }
            StmtKind::Allocate { target, .. } => {
                if let Some(&object) = self.heap.get(&s.site) {
                    value.insert(object);
                }
                self.store(target, &value)
            }
            StmtKind::Input(l, _) | StmtKind::Havoc(l) if matches!(l.ty, Type::Int(_) | Type::Float(_)) => {
                self.store_number(l)
            }
            StmtKind::Input(l, _) | StmtKind::Havoc(l) => {
                // What others define knows nothing of this program's own addresses at the start. A variable argument may be any, and so may
                // be what a function of the library returns that was given some.
                let value = if function.is_none() { self.unknown_memory() } else { self.untracked() };
                self.store(l, &Objects::from([value]))
            }
            StmtKind::HavocReachable(all) => {
                let mut changed = false;
                for e in all {
                    self.add_targets(e, &mut value);
                    // Bytes of addresses may have been copied there.
                    if matches!(e.ty, Type::Pointer(_)) {
                        let objects = self.targets(e);
                        let bytes = Objects::from([self.untracked()]);
                        changed |= objects.into_iter().fold(false, |changed, o| self.add(o, &bytes) | changed);
                    }
                }
                changed | self.add(code, &value)
            }
            StmtKind::Return(Some(e)) => {
                self.add_targets(e, &mut value);
                let Some(f) = function else { return false };
                let before = results[f.0 as usize].len();
                results[f.0 as usize].extend(value);
                results[f.0 as usize].len() != before
            }
            StmtKind::Call { target, callee, arguments } => {
                let opaque = is_opaque(self.program, callee);
                let mut changed = false;
                for f in callees(self.program, callee, taken) {
                    let parameters = &self.program.function(f).parameters;
                    for (n, argument) in arguments.iter().enumerate() {
                        let mut value = Objects::new();
                        self.add_targets(argument, &mut value);
                        if let Some(p) = parameters.get(n) {
                            changed |= self.add(p.0 as usize, &value);
                        }
                        if opaque {
                            changed |= self.add(code, &value);
                            if let Some(p) = parameters.get(n) {
                                let mut any = Objects::new();
                                any.insert(code);
                                changed |= self.add(p.0 as usize, &any);
                            }
                        }
                    }
                    value.extend(&results[f.0 as usize]);
                }
                if opaque {
                    for argument in arguments {
                        let mut value = Objects::new();
                        self.add_targets(argument, &mut value);
                        changed |= self.add(code, &value);
                    }
                    value.insert(code);
                }
                if let Some(target) = target {
                    changed |= self.store(target, &value);
                }
                changed
            }
            _ => false,
        }
    }
}

fn step(step: &Step) -> Option<(StructId, u32)> {
    match step {
        Step::Field(id, n) => Some((*id, *n)),
        Step::Index(_) => None,
    }
}

/// The type of the elements, for an array of any number of dimensions.
fn element(ty: &Type) -> &Type {
    let mut ty = ty;
    while let Type::Array(inner, _) = ty {
        ty = inner;
    }
    ty
}

/// The structs to which pointers may lead that do not point at one: such a pointer was one to something else before, in what it was converted
/// from, in another member of a union, or outside of the program. One to `void` may be of any type that becomes `void`.
fn reinterpreted(program: &Program) -> BTreeSet<StructId> {
    let mut found = BTreeSet::new();
    // Into what pointers are converted, and from what; whether steps are made through untyped memory.
    let mut casts: HashSet<(&Type, &Type)> = HashSet::new();
    let mut untyped_steps = false;
    program.each_stmt(|s| {
        if let StmtKind::Havoc(l) | StmtKind::Input(l, _) = &s.kind {
            structs_behind(program, &l.ty, &mut found);
        }
        each_expr(s, &mut |e| match (&e.kind, &e.ty) {
            (ExprKind::Cast(a), Type::Pointer(to)) => match &a.ty {
                Type::Pointer(from) if from != to => _ = casts.insert((element(from), element(to))),
                Type::Int(_) if may_be_address(a) => _ = casts.insert((&Type::Void, element(to))),
                _ => {}
            },
            (ExprKind::Cast(a), Type::Int(_)) if matches!(a.ty, Type::Pointer(_)) => untyped_steps = true,
            (ExprKind::Binary(BinaryOp::PointerAdd, _, _), Type::Pointer(to)) => untyped_steps |= **to == Type::Void,
            _ => {}
        });
    });
    for s in program.structs.iter().filter(|s| s.is_union && s.members.len() > 1) {
        s.members.iter().for_each(|m| structs_behind(program, &m.ty, &mut found));
    }
    for (from, to) in &casts {
        let others = || casts.iter().filter(|(from, into)| **into == Type::Void && from != to).map(|(from, _)| *from);
        let is_view = from != to && (**from != Type::Void || untyped_steps || others().next().is_some());
        if is_view && **to != Type::Void {
            // Pointers that lie there are seen as others, and others as them.
            structs_behind(program, to, &mut found);
            structs_behind(program, from, &mut found);
            others().filter(|_| **from == Type::Void).for_each(|other| structs_behind(program, other, &mut found));
        }
        let Type::Struct(id) = to else { continue };
        if is_view {
            found.insert(*id);
        }
        // What lies over other memory has members there, too.
        inner_structs(program, *id, &mut found);
    }
    found
}

/// Whether the bits of some address are seen as numbers.
fn addresses_become_numbers(program: &Program) -> bool {
    let mut found = false;
    program.each_stmt(|s| {
        each_expr(s, &mut |e| {
            if let ExprKind::Cast(a) = &e.kind
                && let Type::Pointer(from) = &a.ty
            {
                found |= match &e.ty {
                    Type::Int(_) => true,
                    Type::Pointer(to) => matches!(element(to), Type::Int(_)) && program.holds_pointers(from),
                    _ => false,
                };
            }
        });
    });
    found
}

/// The structs that the pointers in objects of a type lead to, and those inside.
fn structs_behind(program: &Program, ty: &Type, found: &mut BTreeSet<StructId>) {
    match ty {
        Type::Array(inner, _) => structs_behind(program, inner, found),
        Type::Struct(id) => {
            program.structure(*id).members.iter().for_each(|m| structs_behind(program, &m.ty, found));
        }
        Type::Pointer(to) => match element(to) {
            Type::Struct(id) => {
                found.insert(*id);
                inner_structs(program, *id, found);
            }
            to => structs_behind(program, to, found),
        },
        _ => {}
    }
}

fn inner_structs(program: &Program, id: StructId, found: &mut BTreeSet<StructId>) {
    for member in &program.structure(id).members {
        if let Type::Struct(inner) = element(&member.ty) {
            found.insert(*inner);
            inner_structs(program, *inner, found);
        }
    }
}

/// Whether a number, seen as a pointer, may lead anywhere.
fn may_be_address(number: &Expr) -> bool {
    matches!(number.ty, Type::Int(_) | Type::Float(_)) && number.as_int() != Some(0)
}

/// Calls `f` on the length variables that a type mentions.
pub(in crate::reduce) fn each_length(ty: &Type, f: &mut impl FnMut(VarId)) {
    let mut ty = ty;
    loop {
        match ty {
            Type::Array(inner, length) => {
                if let Length::Variable(v) = length {
                    f(*v);
                }
                ty = inner;
            }
            Type::Pointer(inner) => ty = inner,
            _ => return,
        }
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

/// Whether what is called is not known.
pub(super) fn is_opaque(program: &Program, callee: &Callee) -> bool {
    match callee {
        Callee::Function(f) => program.function(*f).body.is_none(),
        Callee::Pointer(_) => true,
    }
}

/// The functions with a body that a call may run: unknown code may call back whatever has its address taken.
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

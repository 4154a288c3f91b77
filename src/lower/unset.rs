//! Finds what may be read before anything is written to it (C11 6.2.4p6, 7.22.3.4p2).
//!
//! Variables that are written on every way to each of their uses are left out ("definite
//! assignment": Gosling et al., "The Java Language Specification", chapter 16). Most locals are of
//! this kind, and nothing is left to be proved of them.
//!
//! **Sound**: a variable is left out if no run reads it, or takes its address, before it is written
//! as a whole. A copy of a struct copies what its source lacks, so targets of such copies are not
//! left out where something may be lacking.

use super::context::Lowerer;
use crate::program::{
    Base, Block, Expr, Function, FunctionId, Jumps, LabelId, Location, Loop, LoopKind, Lvalue, Origin, Part, Program,
    Stmt, StmtKind, Storage, StructId, Type, Unset, Use, VarId, each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet};

impl Lowerer<'_> {
    /// Notes that the last assignment copies what is there, whether or not something has written it
    /// before.
    pub(super) fn last_is_copy(&mut self) {
        self.program.unset.copies.extend(self.out.last().map(|s| s.site));
    }

    /// A function of the library that is known without a body gives an object a value, if it does
    /// not fail.
    pub(super) fn library_writes(&mut self, object: Lvalue, at: Location) {
        self.program.unset.is_written_by_library = true;
        self.emit(StmtKind::Havoc(object), at);
    }

    /// Notes which objects begin without a value, and which of them may be read so.
    pub(super) fn note_unset(&mut self) {
        let Unset { jumped_over, copies, is_written_by_library, .. } = std::mem::take(&mut self.program.unset);
        let mut unset = Unset { jumped_over, copies, is_written_by_library, ..Unset::default() };
        let entry = self.program.entry;
        for (n, function) in (0..).zip(&self.program.functions).filter(|(_, f)| is_of_program(f)) {
            if FunctionId(n) != entry {
                // They hold what is passed, and that may lack parts.
                let is_struct = |v: &&VarId| matches!(self.program.variable(**v).ty, Type::Struct(_));
                unset.variables.extend(function.parameters.iter().filter(is_struct));
            }
            each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| match &s.kind {
                StmtKind::Declare(v) if begins_unset(&self.program, *v) => _ = unset.variables.insert(*v),
                StmtKind::Allocate { zeroed: false, .. } => _ = unset.blocks.insert(s.site),
                _ => {}
            });
        }
        for body in self.program.functions.iter().filter_map(|f| f.body.as_ref()) {
            let mut assigned = Assigned::new(&unset.variables, body);
            assigned.block(body);
            unset.read.extend(assigned.missing);
        }
        unset.read.extend(unset.jumped_over.intersection(&unset.variables));
        let exposed = self.program.address_taken();
        let is_exposed = |read: &BTreeSet<VarId>| !read.is_disjoint(&exposed);
        unset.reached = !unset.blocks.is_empty() || is_exposed(&unset.read);
        let is_struct = |v: &VarId| matches!(self.program.variable(*v).ty, Type::Struct(_));
        if unset.reached || unset.read.iter().any(is_struct) {
            let copied = structs_copied(&self.program, &exposed);
            unset.read.extend(copied);
            unset.reached |= is_exposed(&unset.read);
        }
        self.program.unset = unset;
    }
}

/// Whether a function does what its source says, so that what its locals hold at first is what C
/// says.
fn is_of_program(function: &Function) -> bool {
    !matches!(function.origin, Origin::Start | Origin::Contract)
}

fn begins_unset(program: &Program, v: VarId) -> bool {
    let variable = program.variable(v);
    let may_lack_parts = matches!(variable.ty, Type::Struct(_));
    variable.storage == Storage::Local && (!variable.is_hidden() || may_lack_parts)
}

/// The variables that are, or receive, copies of whole structs; `exposed` are those to which
/// pointers may lead.
fn structs_copied(program: &Program, exposed: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let is_struct = |v: &VarId| matches!(program.variable(*v).ty, Type::Struct(_));
    let parameters = program.functions.iter().flat_map(|f| &f.parameters).copied();
    let mut found: BTreeSet<VarId> = parameters.filter(is_struct).collect();
    program.each_stmt(|s| {
        if let StmtKind::Assign(to, Expr { ty: Type::Struct(_), .. }) | StmtKind::Call { target: Some(to), .. } =
            &s.kind
            && let Type::Struct(id) = to.ty
        {
            match to.base {
                Base::Var(v) => _ = found.insert(v),
                Base::Deref(_) => {
                    found.extend(exposed.iter().filter(|v| contains(program, &program.variable(**v).ty, id)))
                }
            }
        }
    });
    found
}

/// Whether objects of a type are, or have as a part, a struct.
fn contains(program: &Program, ty: &Type, part: StructId) -> bool {
    match ty {
        Type::Array(element, _) => contains(program, element, part),
        Type::Struct(id) => {
            *id == part || program.structure(*id).members.iter().any(|m| contains(program, &m.ty, part))
        }
        _ => false,
    }
}

/// The variables that are assigned for certain at some point; `None` where no run is.
type Certain = Option<BTreeSet<VarId>>;

/// Those of two ways that meet.
fn both(a: Certain, b: Certain) -> Certain {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

/// What is known where jumps out of a loop meet.
#[derive(Default)]
struct Exits {
    breaks: Certain,
    continues: Certain,
}

/// A walk over the body of a function, in the order of execution.
struct Assigned<'u> {
    /// The variables that begin without a value.
    unset: &'u BTreeSet<VarId>,
    /// Those that are assigned for certain where the walk is.
    now: Certain,
    /// By label, those that are assigned at all jumps to it so far.
    at_jumps: BTreeMap<LabelId, Certain>,
    /// By label, how many jumps to it the walk has not passed.
    ahead: BTreeMap<LabelId, usize>,
    loops: Vec<Exits>,
    /// Whether some jump goes into a loop that it is not in.
    enters_loops: bool,
    /// Those that may be used before they are assigned.
    missing: BTreeSet<VarId>,
}

impl<'u> Assigned<'u> {
    fn new(unset: &'u BTreeSet<VarId>, body: &Block) -> Assigned<'u> {
        let mut ahead = BTreeMap::new();
        each_stmt(body, &mut |s| {
            if let StmtKind::Goto(label) = &s.kind {
                *ahead.entry(*label).or_default() += 1;
            }
        });
        Assigned {
            unset,
            now: Some(BTreeSet::new()),
            at_jumps: BTreeMap::new(),
            ahead,
            loops: Vec::new(),
            enters_loops: Jumps::of(body).enter_loops,
            missing: BTreeSet::new(),
        }
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(_, then, otherwise) => {
                self.uses(s);
                let before = self.now.clone();
                self.block(then);
                let end = std::mem::replace(&mut self.now, before);
                self.block(otherwise);
                self.now = both(end, self.now.take());
            }
            StmtKind::Loop(l) => self.repeat(s, l),
            StmtKind::Label(label, _) => {
                let jumps = self.at_jumps.remove(label).flatten();
                self.now = match self.ahead.get(label) {
                    // Jumps back come with what is not known yet.
                    Some(ahead) if *ahead > 0 => Some(BTreeSet::new()),
                    _ => both(self.now.take(), jumps),
                };
            }
            StmtKind::Goto(label) => {
                let now = self.now.take();
                self.ahead.entry(*label).and_modify(|ahead| *ahead -= 1);
                let all = self.at_jumps.remove(label).flatten();
                self.at_jumps.insert(*label, both(all, now));
            }
            StmtKind::Break => {
                let now = self.now.take();
                if let Some(l) = self.loops.last_mut() {
                    l.breaks = both(l.breaks.take(), now);
                }
            }
            StmtKind::Continue => {
                let now = self.now.take();
                if let Some(l) = self.loops.last_mut() {
                    l.continues = both(l.continues.take(), now);
                }
            }
            StmtKind::Return(_) | StmtKind::Stop => {
                self.uses(s);
                self.now = None;
            }
            // A new object.
            StmtKind::Declare(v) => {
                self.now.iter_mut().for_each(|now| _ = now.remove(v));
                self.uses(s);
            }
            _ => {
                self.uses(s);
                self.assigns(s);
            }
        }
    }

    fn repeat(&mut self, s: &Stmt, l: &Loop) {
        let is_tested_last = l.kind == LoopKind::DoWhile;
        let is_endless = l.condition.as_int().is_some_and(|n| n != 0);
        if self.enters_loops {
            // Control may come to the test without passing what stands before the loop.
            self.now = Some(BTreeSet::new());
        }
        if !is_tested_last {
            self.uses(s);
        }
        let mut left = self.now.clone();
        self.loops.push(Exits::default());
        self.block(&l.body);
        let exits = self.loops.pop().unwrap_or_default();
        self.now = both(self.now.take(), exits.continues);
        self.block(&l.step);
        if is_tested_last {
            self.uses(s);
            left = self.now.take();
        }
        self.now = both(left.filter(|_| !is_endless), exits.breaks);
    }

    /// Notes what a statement itself uses that is not assigned for certain. A specification reads
    /// nothing when the program runs.
    fn uses(&mut self, s: &Stmt) {
        if matches!(s.kind, StmtKind::Claim(_)) {
            return;
        }
        let Some(now) = &self.now else { return };
        let (unset, missing) = (self.unset, &mut self.missing);
        each_part(s, &mut |part| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Read | Use::Address) = part
                && unset.contains(v)
                && !now.contains(v)
            {
                missing.insert(*v);
            }
        });
    }

    /// Notes the variable that a statement writes as a whole.
    fn assigns(&mut self, s: &Stmt) {
        if let StmtKind::Assign(l, _)
        | StmtKind::Input(l, _)
        | StmtKind::Zero(l)
        | StmtKind::Havoc(l)
        | StmtKind::Allocate { target: l, .. }
        | StmtKind::Call { target: Some(l), .. } = &s.kind
            && let (Some(v), Some(now)) = (l.as_var(), &mut self.now)
            && self.unset.contains(&v)
        {
            now.insert(v);
        }
    }
}

//! Replaces pointers that only ever point to one object by that object.
//!
//! Suppose that one statement of the whole program assigns a pointer variable, and nothing else
//! writes it. Then the variable holds that value wherever it holds any. (A read before it reads an
//! arbitrary address, and every use of that is undefined behaviour.) If the value is the address of
//! an object by a constant path, an access through the pointer is an access to the object. Such a
//! pointer may move along an array that is a variable of its own. It may not move along rows and
//! members: others lie beside them, which indices do not name. A heap block that one statement
//! outside all loops allocates is one object, and becomes a local array, unless that is in a branch
//! after which the program goes on.
//!
//! Where the pointer is not followed but copied, its value is written as that address, so that
//! everybody sees that other pointers may lead to the object. What assigns the pointer stays as
//! long as something reads it.
//!
//! With a jump backward, or into a loop from outside, statements outside loops may run again, and
//! what was set before a loop need not be set in it. In such programs heap blocks stay, and no
//! pointer is known not to be null.

use super::super::terms::{constant, is_null, strip};
use super::allocations::{Blocks, without_allocations};
use super::ranges::{Sizes, Spot, about_numbers};
use super::unread::without_unread;
use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, Fold, Formula, IntKind, Jumps, LabelId, Length, Loop, Lvalue, Part, Program,
    Range, Root, Step, Stmt, StmtKind, Storage, Term, TermLvalue, TermOp, TermStep, Type, UnaryOp, Use, VarId,
    VisitMut, each_part, each_part_of_expr, each_stmt,
};
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

/// What is known of pointers and of what they lead to.
#[derive(Default)]
pub(in crate::reduce) struct Resolved {
    /// The object of each pointer that is resolved.
    pub(in crate::reduce) objects: HashMap<VarId, Lvalue>,
    /// The sizes of the arrays that were heap blocks, and of variables that live to the end.
    pub(in crate::reduce) sizes: Sizes,
}

/// Rewrites the body of the entry.
pub(in crate::reduce) fn resolve(program: &mut Program, body: Block) -> (Block, Resolved) {
    let is_ordered = !jumps_back_or_into_loops(&body);
    let mut resolved = Resolved::default();
    let body = match is_ordered {
        true => {
            let with_sizes = speaks_of_memory(&body);
            if with_sizes {
                resolved.sizes.extend(living(program, &body));
            }
            without_allocations(program, &mut Blocks { with_sizes, sizes: &mut resolved.sizes }, &body)
        }
        false => body,
    };
    let mut body = expand_reachable(program, body);
    // Members of structs get variables of their own once the pointers to the structs are resolved.
    let mut own = HashSet::new();
    loop {
        body = resolve_variables(program, body, is_ordered, &own, &mut resolved);
        let before = program.variables.len();
        match super::split::split(program, &body) {
            Some(split) => body = split,
            None => return (body, resolved),
        }
        own.extend((before..program.variables.len()).map(|n| VarId(n as u32)));
    }
}

/// The local variables, with their sizes, that live to the end of every run once they have an
/// address: they are declared in the outermost block, which runs once.
fn living<'p>(program: &'p Program, body: &'p Block) -> impl Iterator<Item = (VarId, Term)> + 'p {
    body.iter().filter_map(|s| {
        let StmtKind::Declare(v) = s.kind else { return None };
        let size = match program.variable(v).ty {
            Type::Array(_, Length::Constant(n)) => Term::Int(n.into()),
            Type::Array(_, Length::Variable(length)) => Term::of_variable(Lvalue::var(program, length, s.location)),
            Type::Array(_, Length::Unknown) => return None,
            _ => Term::Int(1),
        };
        (!program.variable(v).constant).then_some((v, size))
    })
}

/// Whether a formula is about where pointers lead.
fn speaks_of_memory(body: &Block) -> bool {
    let mut found = false;
    each_stmt(body, &mut |s| found |= matches!(&s.kind, StmtKind::Claim(claim) if claim.formula.is_about_memory()));
    found
}

/// Resolves the pointers in variables. `own` are those that were members.
fn resolve_variables(
    program: &Program,
    body: Block,
    is_ordered: bool,
    own: &HashSet<VarId>,
    resolved: &mut Resolved,
) -> Block {
    let mut values: HashMap<VarId, Vec<Expr>> = HashMap::new();
    let mut unknown: HashSet<VarId> = HashSet::new();
    let is_forgotten = |s: &Stmt, v: VarId| matches!(s.kind, StmtKind::Havoc(_)) && own.contains(&v);
    let mut look = |s: &Stmt| {
        if let StmtKind::Assign(l, e) = &s.kind
            && let Some(v) = l.as_var()
        {
            values.entry(v).or_default().push(e.clone());
        } else {
            each_part(s, &mut |part| {
                if let Part::Lvalue(l, Use::Write) = part
                    && let Base::Var(v) = l.base
                    && !(matches!(s.kind, StmtKind::Zero(_)) || is_forgotten(s, v))
                {
                    unknown.insert(v);
                }
            });
        }
        each_part(s, &mut |part| {
            if let Part::Lvalue(l, Use::Address) = part
                && let Some(v) = l.as_var()
                && matches!(l.ty, Type::Pointer(_))
            {
                unknown.insert(v);
            }
        });
    };
    each_stmt(&program.initialisers, &mut look);
    each_stmt(&body, &mut look);
    let is_kept = !frees(&body);
    let strict = strict(own, &values);
    let mut resolver = Resolver {
        program,
        objects: HashMap::new(),
        is_ordered,
        strict: &strict,
        sizes: &resolved.sizes,
        is_kept,
        set: Some(HashSet::new()),
        jumps: HashMap::new(),
    };
    // A pointer may get its value from another pointer.
    loop {
        let mut found = Vec::new();
        for (&v, of) in &values {
            let [value] = &of[..] else { continue };
            let variable = program.variable(v);
            let is_ours = matches!(variable.ty, Type::Pointer(_)) && variable.storage != Storage::Parameter;
            if !is_ours || unknown.contains(&v) || resolver.objects.contains_key(&v) {
                continue;
            }
            if let Some(object) = resolver.object(value) {
                found.push((v, object));
            }
        }
        if found.is_empty() {
            break;
        }
        resolver.objects.extend(found);
    }
    if resolver.objects.is_empty() {
        return body;
    }
    let body = resolver.rebuilt(&body);
    let objects = resolver.objects;
    let pointers: HashSet<VarId> = objects.keys().copied().collect();
    resolved.objects.extend(objects);
    without_unread(&pointers, body)
}

/// The pointers that were members, and those that may get their values.
fn strict(own: &HashSet<VarId>, values: &HashMap<VarId, Vec<Expr>>) -> HashSet<VarId> {
    let mut found = own.clone();
    loop {
        let reads = |e: &Expr| {
            let mut some = false;
            each_part_of_expr(e, &mut |part| {
                some |= matches!(part, Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Read) if found.contains(v));
            });
            some
        };
        let new: Vec<VarId> =
            values.iter().filter(|(v, of)| !found.contains(v) && of.iter().any(reads)).map(|(v, _)| *v).collect();
        if new.is_empty() {
            return found;
        }
        found.extend(new);
    }
}

/// Whether heap blocks are freed.
pub(crate) fn frees(body: &Block) -> bool {
    let mut found = false;
    each_stmt(body, &mut |s| found |= s.ends_block());
    found
}

struct Resolver<'p> {
    program: &'p Program,
    /// The object that each pointer points to, by a constant path. If the path is an index alone,
    /// pointer arithmetic reaches the elements beside it.
    objects: HashMap<VarId, Lvalue>,
    /// Whether runs pass statements in the order of the text, apart from iterations. Otherwise
    /// nothing is known to be set.
    is_ordered: bool,
    /// The pointers that were members, and those that get their values. Before they are set, they
    /// may lead anywhere.
    strict: &'p HashSet<VarId>,
    sizes: &'p Sizes,
    /// Whether no memory is freed.
    is_kept: bool,
    /// The pointers that hold the address of their object here; `None` where no run comes. A
    /// pointer that nothing has been assigned to yet is null, or holds what was there before.
    set: Option<HashSet<VarId>>,
    /// The same sets at the jumps to each label, so far.
    jumps: HashMap<LabelId, Option<HashSet<VarId>>>,
}

/// The pointers that are set on both of two paths that join.
fn meet(a: Option<HashSet<VarId>>, b: Option<HashSet<VarId>>) -> Option<HashSet<VarId>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (one, None) | (None, one) => one,
    }
}

impl Resolver<'_> {
    fn named(&self, place: &TermLvalue) -> Option<TermLvalue> {
        let Root::Pointer { pointer, offset } = &place.root else { return None };
        let object = self.target(pointer).filter(|_| self.may_follow(pointer))?;
        let Base::Var(v) = object.base else { return None };
        let mut steps = object.steps(|e| constant(e).map(Term::Int))?;
        if let Some(offset) = offset {
            let [TermStep::Index(first)] = &mut steps[..] else { return None };
            *first = match first {
                Term::Int(0) => offset.clone(),
                _ => Term::Binary(TermOp::Add, Box::new(first.clone()), Box::new(offset.clone())),
            };
        }
        steps.extend(place.steps.iter().cloned());
        let root = Root::Variable(Lvalue::var(self.program, v, place.location));
        Some(TermLvalue { root, steps, ..place.clone() })
    }

    /// The element that a range of a formula begins with.
    fn spot(&self, range: &Range) -> Option<Spot> {
        let object = self.target(&range.pointer).filter(|_| self.is_set(&range.pointer))?;
        let Base::Var(variable) = object.base else { return None };
        match &object.path[..] {
            [] => Some(Spot { variable, index: Term::Int(0) }),
            [Step::Index(first)] => Some(Spot { variable, index: Term::Int(constant(first)?) }),
            _ => None,
        }
    }

    /// The address that a pointer holds where it is read.
    fn copied(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Load(l) = &e.kind else { return None };
        let object = self.objects.get(&l.as_var()?).filter(|_| self.is_set(e))?;
        let ty = object.ty.clone().pointer_to();
        Some(Expr::new(ExprKind::AddressOf(object.clone()), ty, e.location).cast(e.ty.clone()))
    }

    /// Whether a pointer leads to its object here, if it leads anywhere.
    fn may_follow(&self, pointer: &Expr) -> bool {
        let is_strict = |l: &Lvalue| l.as_var().is_some_and(|v| self.strict.contains(&v));
        !matches!(&start_of(pointer).kind, ExprKind::Load(l) if is_strict(l)) || self.is_set(pointer)
    }

    fn unset(&mut self, s: &Stmt) {
        let v = match &s.kind {
            StmtKind::Declare(v) => Some(*v),
            StmtKind::Zero(l) | StmtKind::Havoc(l) => l.as_var(),
            _ => None,
        };
        if let (Some(v), Some(set)) = (v, &mut self.set) {
            set.remove(&v);
        }
    }

    /// Whether a pointer expression is an address here, and not null.
    fn is_set(&self, e: &Expr) -> bool {
        match &strip(e).kind {
            ExprKind::AddressOf(_) => true,
            ExprKind::Load(l) => {
                self.is_ordered && l.as_var().is_some_and(|v| self.set.as_ref().is_none_or(|set| set.contains(&v)))
            }
            ExprKind::Binary(BinaryOp::PointerAdd, p, _) => self.is_set(p),
            _ => false,
        }
    }

    /// The object whose address an expression is.
    fn object(&self, e: &Expr) -> Option<Lvalue> {
        match &e.kind {
            ExprKind::AddressOf(l) => {
                let constant = |s: &Step| match s {
                    Step::Field(..) => true,
                    Step::Index(i) => constant(i).is_some(),
                };
                (matches!(l.base, Base::Var(_)) && l.path.iter().all(constant) && self.exists(l)).then(|| l.clone())
            }
            ExprKind::Cast(a) if a.ty.pointee() == e.ty.pointee() => self.object(a),
            // To `void *` and back again.
            ExprKind::Cast(a) => {
                let object = self.object(a)?;
                (e.ty.pointee() == Some(&object.ty) || e.ty.pointee() == Some(&Type::Void)).then_some(object)
            }
            ExprKind::Load(l) => self.objects.get(&l.as_var()?).cloned(),
            _ => None,
        }
    }

    /// Whether the address is that of the named object, if there is one: the address of the element
    /// after the last is that of whatever follows the array.
    fn exists(&self, l: &Lvalue) -> bool {
        let Some((Step::Index(index), array)) = l.path.split_last() else { return true };
        let length = i128::from(self.program.length_around(l).unwrap_or(1)).max(1);
        array.is_empty() || constant(index).is_some_and(|n| (0..length).contains(&n))
    }

    /// The object that a pointer expression points to, elements reached by arithmetic included.
    fn target(&self, pointer: &Expr) -> Option<Lvalue> {
        match &pointer.kind {
            ExprKind::Binary(BinaryOp::PointerAdd, p, offset) => {
                let mut l = self.target(p)?;
                if constant(offset) == Some(0) {
                    return Some(l);
                }
                let [Step::Index(first)] = &l.path[..] else { return None };
                let index = match constant(first) {
                    Some(0) => (**offset).clone(),
                    _ => Expr::binary(BinaryOp::Add, first.clone(), (**offset).clone(), offset.ty.clone()),
                };
                *l.path.last_mut()? = Step::Index(index);
                Some(l)
            }
            ExprKind::AddressOf(l) if matches!(l.base, Base::Var(_)) && self.exists(l) => Some(l.clone()),
            _ => self.object(pointer),
        }
        .filter(|l| pointer.ty.pointee() == Some(&l.ty))
    }
}

impl Fold for Resolver<'_> {
    type Refusal = Infallible;

    /// Rewrites the statement with objects in the place of pointers.
    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            StmtKind::Assign(l, e) if l.as_var().is_some_and(|v| self.objects.contains_key(&v)) => {
                let is_set = self.is_set(e);
                self.fold_inside(s, out)?;
                if let (Some(v), Some(set)) = (l.as_var(), &mut self.set) {
                    if is_set {
                        set.insert(v);
                    } else {
                        set.remove(&v);
                    }
                }
                return Ok(());
            }
            StmtKind::Label(label, _) => {
                self.set = meet(self.set.take(), self.jumps.remove(label).unwrap_or(None));
            }
            _ => {}
        }
        self.fold_inside(s, out)?;
        match &s.kind {
            StmtKind::Goto(label) => {
                let here = self.set.take();
                let others = self.jumps.remove(label).unwrap_or(None);
                self.jumps.insert(*label, meet(here, others));
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Stop => self.set = None,
            _ => self.unset(s),
        }
        Ok(())
    }

    fn fold_branches(&mut self, then: &[Stmt], otherwise: &[Stmt]) -> Result<(Block, Block), Infallible> {
        let before = self.set.clone();
        let then = self.fold_block(then)?;
        let after_then = std::mem::replace(&mut self.set, before);
        let otherwise = self.fold_block(otherwise)?;
        self.set = meet(after_then, self.set.take());
        Ok((then, otherwise))
    }

    /// In every iteration and after the loop, the pointers that were set before are set, except
    /// those that the loop declares or clears.
    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, Infallible> {
        for block in [&l.body, &l.step] {
            each_stmt(block, &mut |s| self.unset(s));
        }
        let before = self.set.clone();
        let condition = self.fold_expr(&l.condition);
        let body = self.fold_block(&l.body)?;
        self.set.clone_from(&before);
        let step = self.fold_block(&l.step)?;
        self.set = before;
        Ok(Loop { condition, body, step, ..*l })
    }

    fn rewriter(&mut self) -> Option<&mut dyn VisitMut> {
        Some(self)
    }
}

impl VisitMut for Resolver<'_> {
    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        self.walk_lvalue(l);
        let Base::Deref(pointer) = &l.base else { return };
        let Some(mut object) = self.target(pointer).filter(|_| self.may_follow(pointer)) else { return };
        object.path.append(&mut l.path);
        (l.base, l.path) = (object.base, object.path);
    }

    fn expr(&mut self, e: &mut Expr) {
        self.walk_expr(e);
        // An address is not null.
        let is_address = |a: &Expr| self.target(strip(a)).is_some() && self.is_set(a);
        let known = match &e.kind {
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b)
                if is_address(a) && is_null(b) || is_address(b) && is_null(a) =>
            {
                Some(i128::from(*op == BinaryOp::NotEqual))
            }
            ExprKind::Unary(UnaryOp::Not, a) if is_address(a) => Some(0),
            _ => None,
        };
        if let Some(value) = known {
            *e = Expr::int(value, IntKind::Int, e.location);
        } else if let Some(address) = self.copied(e) {
            *e = address;
        }
    }

    fn formula(&mut self, f: &mut Formula) {
        if let Formula::Memory(memory) = &*f
            && let Some(found) = about_numbers(self.program, self.sizes, self.is_kept, memory, |r| self.spot(r))
        {
            *f = found;
        }
        self.walk_formula(f);
    }

    /// Rewrites the places inside it first. A pointer that is no place of an object stays as it is.
    fn place(&mut self, p: &mut TermLvalue) {
        p.each_term_mut(&mut |t| self.term(t));
        if let Some(named) = self.named(p) {
            *p = named;
        } else if let Root::Pointer { pointer, .. } = &mut p.root {
            // The pointer may lie in an object that has a name.
            self.walk_expr(pointer);
        }
    }
}

/// The pointer that arithmetic starts from.
fn start_of(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Binary(BinaryOp::PointerAdd, p, _) => start_of(p),
        ExprKind::Cast(a) if matches!(a.ty, Type::Pointer(_)) => start_of(a),
        _ => e,
    }
}

/// Whether some jump goes to an earlier label, or into a loop that it is not in.
pub(in crate::reduce) fn jumps_back_or_into_loops(body: &Block) -> bool {
    let jumps = Jumps::of(body);
    jumps.lead_back || jumps.enter_loops
}

/// Replaces calls of unknown code. It may write the globals and whatever has its address taken:
/// those become arbitrary one by one.
fn expand_reachable(program: &Program, body: Block) -> Block {
    let mut reachable: Vec<VarId> = program.globals.clone();
    let mut look = |s: &Stmt| {
        each_part(s, &mut |part| {
            if let Part::Lvalue(l, Use::Address) = part
                && let Base::Var(v) = l.base
                && !reachable.contains(&v)
            {
                reachable.push(v);
            }
        });
    };
    each_stmt(&program.initialisers, &mut look);
    let mut unknown = false;
    each_stmt(&body, &mut |s| {
        look(s);
        unknown |= matches!(s.kind, StmtKind::HavocReachable(_));
    });
    if unknown { Expand { program, reachable: &reachable }.rebuilt(&body) } else { body }
}

/// Replaces calls of unknown code by arbitrary values for what it may write.
struct Expand<'p> {
    program: &'p Program,
    reachable: &'p [VarId],
}

impl Fold for Expand<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            // What pointers to the heap may reach has no name.
            StmtKind::HavocReachable(reached) if reached.pointers.iter().all(is_object) => {
                let havoc = |v: &VarId| StmtKind::Havoc(Lvalue::var(self.program, *v, s.location));
                out.extend(self.reachable.iter().map(|v| s.with(havoc(v))));
                Ok(())
            }
            _ => self.fold_inside(s, out),
        }
    }
}

fn is_object(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::AddressOf(l) => matches!(l.base, Base::Var(_)),
        ExprKind::Cast(a) => is_object(a),
        ExprKind::Int(_) => true,
        _ => !matches!(pointer.ty, Type::Pointer(_)),
    }
}

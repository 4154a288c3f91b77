//! Pointers of a precondition that are no arguments: globals, and members of structs that other
//! pointers lead to, such as `s->data`.
//!
//! Each gets an array of its own, as an argument does. A variable of the start function holds the
//! pointer to it, and the member gets that value before the entry is called.
//!
//! **Why this is sound.** The struct has arbitrary contents otherwise. If the precondition says of
//! every pointer in it where that leads, each state that it allows is, up to addresses and to the
//! sharing that [`super::overlaps`] treats, one of those that are made. Pointers that it leaves out
//! may lead anywhere, as those of globals may.

use crate::lower::context::{Lowered, Lowerer};
use crate::lower::error::InputErrorKind;
use crate::program::{
    Base, BinaryOp, Expr, ExprKind, IntKind, Location, Lvalue, Origin, Root, Step, Storage, StructId, Term, TermLvalue,
    TermStep, Type, VarId,
};

/// Members inside of each other, from the outermost.
type Members = Vec<(StructId, u32)>;

/// A pointer in a precondition.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PointerPath {
    /// The variable with which it begins: a pointer, or a struct.
    pub(super) variable: VarId,
    /// Members, each of the object that the pointer before leads to; the first may be one of the
    /// variable itself.
    hops: Vec<Members>,
}

impl PointerPath {
    /// A pointer variable.
    pub(super) fn of(variable: VarId) -> PointerPath {
        PointerPath { variable, hops: Vec::new() }
    }

    pub(super) fn is_variable(&self, v: VarId) -> bool {
        self.variable == v && self.hops.is_empty()
    }

    /// The pointer that is stored in a place; `None` if it is found by indexes.
    pub(super) fn of_place(place: &TermLvalue) -> Option<PointerPath> {
        let members = |steps: &[TermStep]| {
            let all = steps.iter().map(|s| match s {
                TermStep::Field(id, n) => Some((*id, *n)),
                TermStep::Index(_) => None,
            });
            all.collect::<Option<Members>>()
        };
        let last = members(&place.steps)?;
        match &place.root {
            Root::Variable(l) => {
                let hops = if last.is_empty() { Vec::new() } else { vec![last] };
                Some(PointerPath { variable: l.as_var()?, hops })
            }
            Root::Pointer { pointer, offset: None | Some(Term::Int(0)) } => {
                let mut path = PointerPath::of_expr(pointer)?;
                path.hops.push(last);
                Some(path)
            }
            _ => None,
        }
    }

    pub(super) fn of_expr(e: &Expr) -> Option<PointerPath> {
        let ExprKind::Load(l) = &e.kind else { return None };
        let all = l.path.iter().map(|s| match s {
            Step::Field(id, n) => Some((*id, *n)),
            Step::Index(_) => None,
        });
        let last = all.collect::<Option<Members>>()?;
        let mut path = match &l.base {
            Base::Var(v) => PointerPath::of(*v),
            Base::Deref(pointer) => PointerPath::of_expr(pointer)?,
        };
        if !last.is_empty() {
            path.hops.push(last);
        }
        Some(path)
    }

    /// The path with another beginning in the place of its variable.
    pub(super) fn after(self, mut start: PointerPath) -> PointerPath {
        start.hops.extend(self.hops);
        start
    }

    /// The pointers that are followed on the way. `is_pointer` says whether a variable is one.
    pub(super) fn pointers_before(&self, is_pointer: impl Fn(VarId) -> bool) -> impl Iterator<Item = PointerPath> {
        // A struct variable is no pointer to follow.
        let first = usize::from(!is_pointer(self.variable));
        let of = |n: usize| PointerPath { variable: self.variable, hops: self.hops[..n].to_vec() };
        (first..self.hops.len()).map(of)
    }

    /// The pointer to the struct that it is a member of; `None` if it is part of a variable.
    fn owner(&self) -> Option<PointerPath> {
        let (_, before) = self.hops.split_last()?;
        Some(PointerPath { variable: self.variable, hops: before.to_vec() })
    }
}

/// An array that is to be made.
pub(super) struct Wanted {
    pub(super) path: PointerPath,
    /// The variable that gets the pointer to it.
    pub(super) variable: VarId,
    pub(super) parameter: Option<VarId>,
    pub(super) name: String,
    pub(super) owner: Option<VarId>,
    /// It has as many elements as the largest of these numbers says; any number, if there are none.
    pub(super) counts: Vec<Term>,
}

/// Structs that a pointer leads to, with pointers that lead anywhere.
pub(super) struct Unknown {
    /// The pointer to the structs.
    pub(super) pointer: VarId,
    /// Those members, if it is one struct.
    pub(super) members: Option<Vec<PointerPath>>,
}

impl Lowerer<'_> {
    /// Adds what the precondition says of members and globals. Those in structs come after the
    /// pointers to the structs.
    pub(super) fn wanted_members(
        &mut self,
        mut valid: Vec<(PointerPath, Term)>,
        wanted: &mut Vec<Wanted>,
        at: Location,
    ) -> Lowered<()> {
        valid.sort_by_key(|(path, _)| path.hops.len());
        for (path, count) in valid {
            if let Some(known) = wanted.iter_mut().find(|w| w.path == path) {
                if known.parameter.is_none() && !known.counts.iter().any(|c| c.is_same(&count)) {
                    known.counts.push(count);
                }
                continue;
            }
            let Some(pointer) = self.pointer_at(&path, at) else {
                return self.fail_at(InputErrorKind::Unsupported, at, "this pointer is not supported in `\\valid`");
            };
            let name = self.name_of_path(&path);
            let is_pointer = matches!(&pointer.ty, Type::Pointer(to) if self.has_elements(to));
            let owner = match path.owner() {
                _ if !is_pointer => None,
                // A part of a variable needs no other pointer.
                Some(of) if matches!(self.pointer_at(&of, at), Some(Lvalue { ty: Type::Pointer(_), .. })) => {
                    let owner = wanted.iter().find(|w| w.path == of && w.counts == [Term::Int(1)]);
                    let Some(owner) = owner else {
                        let message =
                            format!("the precondition must say that exactly one struct with `{name}` is valid");
                        return self.fail_at(InputErrorKind::Unsupported, at, message);
                    };
                    Some(owner.variable)
                }
                _ => None,
            };
            if !is_pointer {
                let message = format!("it is not known what `{name}` points to");
                return self.fail_at(InputErrorKind::Unsupported, at, message);
            }
            let variable =
                self.hidden_variable(name.replace("->", "_").replace('.', "_"), Origin::OfArgument, pointer.ty, at);
            let Some(variable) = variable.as_var() else { continue };
            wanted.push(Wanted { path, variable, parameter: None, name, owner, counts: vec![count] });
        }
        Ok(())
    }

    /// The structs with pointers of which nothing is wanted.
    pub(super) fn unknown_members(&self, wanted: &[Wanted]) -> Vec<Unknown> {
        let mut found = Vec::new();
        for w in wanted {
            let ty = &self.program.variable(w.variable).ty;
            let Some(Type::Struct(id)) = ty.pointee() else { continue };
            let mut members = Vec::new();
            let is_one = w.counts == [Term::Int(1)];
            self.pointers_in(*id, &Vec::new(), &mut members);
            members.retain(|m| {
                let known = |other: &Wanted| other.path.hops.last() == Some(m) && other.owner == Some(w.variable);
                !(is_one && wanted.iter().any(known))
            });
            if !members.is_empty() {
                let path = |hop| PointerPath { variable: w.variable, hops: vec![hop] };
                let members = is_one.then(|| members.into_iter().map(path).collect());
                found.push(Unknown { pointer: w.variable, members });
            }
        }
        found
    }

    /// Whether there is a path to every pointer in a global.
    pub(super) fn is_described(&self, v: VarId, paths: &[(PointerPath, VarId)]) -> bool {
        let variable = self.program.variable(v);
        let mut hops = Vec::new();
        match &variable.ty {
            Type::Struct(id) => self.pointers_in(*id, &Vec::new(), &mut hops),
            Type::Pointer(_) => return variable.storage == Storage::Global,
            _ => return false,
        }
        let known = |hop: &Members| paths.iter().any(|(p, _)| p.variable == v && p.hops == [hop.clone()]);
        variable.storage == Storage::Global && hops.iter().all(known)
    }

    /// The pointers in a struct; of arrays of pointers, the arrays.
    fn pointers_in(&self, id: StructId, before: &Members, found: &mut Vec<Members>) {
        for (n, member) in self.program.structure(id).members.iter().enumerate() {
            let mut path = before.clone();
            path.push((id, n as u32));
            match &member.ty {
                Type::Struct(inner) => self.pointers_in(*inner, &path, found),
                ty if self.program.holds_pointers(ty) => found.push(path),
                _ => {}
            }
        }
    }

    /// The place in which the pointer lies.
    pub(super) fn pointer_at(&self, path: &PointerPath, at: Location) -> Option<Lvalue> {
        let mut l = Lvalue::var(&self.program, path.variable, at);
        for (n, hop) in path.hops.iter().enumerate() {
            if let Type::Pointer(to) = l.ty.clone() {
                l = Lvalue { base: Base::Deref(Box::new(Expr::load(l))), path: Vec::new(), ty: *to, location: at };
            } else if n > 0 {
                return None;
            }
            for (id, field) in hop {
                l.ty = self.program.structure(*id).members.get(*field as usize)?.ty.clone();
                l.path.push(Step::Field(*id, *field));
            }
        }
        Some(l)
    }

    pub(super) fn name_of_path(&self, path: &PointerPath) -> String {
        let variable = self.program.variable(path.variable);
        let mut name = variable.name.clone();
        let mut arrow = matches!(variable.ty, Type::Pointer(_));
        for hop in &path.hops {
            for (id, n) in hop {
                let member = self.program.structure(*id).members.get(*n as usize);
                name += if std::mem::replace(&mut arrow, false) { "->" } else { "." };
                name += member.map_or("", |m| &m.name);
            }
            arrow = true;
        }
        name
    }
}

/// A place that is found without quantified variables, as an object of C.
pub(super) fn lvalue_of(place: &TermLvalue) -> Option<Lvalue> {
    let at = place.location;
    let steps = place.steps.iter().map(|s| match s {
        TermStep::Field(id, n) => Some(Step::Field(*id, *n)),
        TermStep::Index(Term::Int(n)) => Some(Step::Index(Expr::int(*n, IntKind::Long, at))),
        TermStep::Index(_) => None,
    });
    let mut steps = steps.collect::<Option<Vec<_>>>()?;
    let (base, mut path) = match &place.root {
        Root::Variable(l) => (l.base.clone(), l.path.clone()),
        Root::Pointer { pointer, offset } => {
            let moved = match offset {
                None | Some(Term::Int(0)) => pointer.clone(),
                Some(Term::Int(n)) => {
                    let by = Expr::int(*n, IntKind::Long, at);
                    Expr::binary(BinaryOp::PointerAdd, pointer.clone(), by, pointer.ty.clone())
                }
                Some(_) => return None,
            };
            (Base::Deref(Box::new(moved)), Vec::new())
        }
        Root::Elements { .. } => return None,
    };
    path.append(&mut steps);
    Some(Lvalue { base, path, ty: place.ty.clone(), location: at })
}

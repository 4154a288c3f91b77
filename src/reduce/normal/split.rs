//! Gives pointers that are members of a struct variables of their own, so that they can be resolved
//! like other pointers.
//!
//! A member at a constant path of a variable is split off if every access to it names the variable:
//! its address is not taken, nor that of anything around it, and no index on the way varies. Then
//! nothing else reads or writes it, and a variable that is written wherever the member is written,
//! with the same value, has its value all the time. (A formula may mention the address of the
//! struct: it writes nothing.)

use super::super::terms::{self, constant};
use crate::program::{
    Base, Block, Expr, ExprKind, Fold, Lvalue, Part, Program, Step, Stmt, StmtKind, Storage, StructId, Type, Use,
    VarId, VisitMut, each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// A step with a constant index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fixed {
    Field(StructId, u32),
    Index(i128),
}

/// A pointer in a variable.
type Member = (VarId, Vec<Fixed>);

/// How a path relates to the member's.
enum Relation {
    Apart,
    Same,
    /// It leads to something around the member.
    Around,
    Unknown,
}

fn fixed(step: &Step) -> Option<Fixed> {
    match step {
        Step::Field(id, n) => Some(Fixed::Field(*id, *n)),
        Step::Index(i) => constant(i).map(Fixed::Index),
    }
}

fn relation(path: &[Step], member: &[Fixed]) -> Relation {
    for (step, of) in path.iter().zip(member) {
        match fixed(step) {
            None => return Relation::Unknown,
            Some(step) if step != *of => return Relation::Apart,
            Some(_) => {}
        }
    }
    match path.len().cmp(&member.len()) {
        std::cmp::Ordering::Less => Relation::Around,
        std::cmp::Ordering::Equal => Relation::Same,
        std::cmp::Ordering::Greater => Relation::Unknown,
    }
}

/// The program's body with variables in the place of members; `None` if there are none to split
/// off.
pub(super) fn split(program: &mut Program, body: &Block) -> Option<Block> {
    let members = members(program, body);
    if members.is_empty() {
        return None;
    }
    let mut own = BTreeMap::new();
    for (v, path) in members {
        let mut l = Lvalue::var(program, v, program.variable(v).location);
        let mut name = String::new();
        for step in &path {
            if let Fixed::Field(id, n) = step {
                let member = program.structure(*id).members.get(*n as usize)?;
                name = member.name.clone();
                l.ty = member.ty.clone();
            }
        }
        let at = program.variable(v).location;
        let new = terms::named_after(program, v, &name, l.ty, at);
        if program.variable(v).storage == Storage::Global {
            program.variables[new.0 as usize].storage = Storage::Global;
            program.globals.push(new);
        }
        own.insert((v, path), new);
    }
    let source = program.clone();
    let mut rewriting = Split { program: &source, own };
    let body = rewriting.rebuilt(body);
    program.initialisers = rewriting.rebuilt(&source.initialisers);
    Some(body)
}

/// The members that only their names lead to.
fn members(program: &Program, body: &Block) -> BTreeSet<Member> {
    let mut found: BTreeSet<Member> = BTreeSet::new();
    let mut opaque = false;
    let each = |f: &mut dyn FnMut(&Stmt, &Lvalue, Use)| {
        let mut look = |s: &Stmt| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(l, how) = part {
                    f(s, l, how);
                }
            });
        };
        each_stmt(&program.initialisers, &mut look);
        each_stmt(body, &mut look);
    };
    each(&mut |s, l, _| {
        opaque |= matches!(s.kind, StmtKind::HavocReachable(_) | StmtKind::Call { .. });
        let Base::Var(v) = l.base else { return };
        if let (Type::Pointer(_), Some(path)) = (&l.ty, l.path.iter().map(fixed).collect::<Option<_>>())
            && !l.path.is_empty()
            && l.path.iter().all(|s| is_plain(program, s))
        {
            found.insert((v, path));
        }
    });
    if opaque {
        return BTreeSet::new();
    }
    each(&mut |s, l, how| {
        let Base::Var(v) = l.base else { return };
        found.retain(|(of, member)| {
            let is_claim = matches!(s.kind, StmtKind::Claim(_));
            let is_known = matches!(s.kind, StmtKind::Assign(..) | StmtKind::Havoc(_) | StmtKind::Zero(_));
            *of != v
                || match (relation(&l.path, member), how) {
                    (Relation::Apart, _) | (Relation::Same | Relation::Around, Use::Read) => true,
                    (Relation::Same, Use::Write) => is_known || matches!(s.kind, StmtKind::Input(..)),
                    (Relation::Around, Use::Write) => is_known || matches!(s.kind, StmtKind::Declare(_)),
                    (Relation::Same, Use::Address) => false,
                    (Relation::Around, Use::Address) => is_claim,
                    (Relation::Unknown, _) => false,
                }
        });
    });
    found
}

/// Whether nothing overlaps the part that a step leads to.
fn is_plain(program: &Program, step: &Step) -> bool {
    match step {
        Step::Field(id, _) => {
            let structure = program.structure(*id);
            !structure.is_union && structure.members.iter().all(|m| m.bits.is_none())
        }
        Step::Index(_) => true,
    }
}

struct Split<'p> {
    program: &'p Program,
    own: BTreeMap<Member, VarId>,
}

impl Split<'_> {
    /// The variables of the members inside an object, each with the rest of its path.
    fn inside(&self, l: &Lvalue) -> Vec<(Vec<Fixed>, VarId)> {
        let Base::Var(v) = l.base else { return Vec::new() };
        let of =
            self.own.iter().filter(|((of, path), _)| *of == v && matches!(relation(&l.path, path), Relation::Around));
        of.map(|((_, path), new)| (path[l.path.len()..].to_vec(), *new)).collect()
    }
}

impl Fold for Split<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let whole = |v: &VarId| Lvalue::var(self.program, *v, s.location);
        let mut more = Vec::new();
        match &s.kind {
            StmtKind::Declare(v) => {
                more.extend(self.inside(&whole(v)).into_iter().map(|(_, new)| StmtKind::Declare(new)));
            }
            StmtKind::Havoc(l) => {
                more.extend(self.inside(l).iter().map(|(_, new)| StmtKind::Havoc(whole(new))));
            }
            StmtKind::Zero(l) => {
                more.extend(self.inside(l).iter().map(|(_, new)| StmtKind::Zero(whole(new))));
            }
            StmtKind::Assign(l, e) => {
                let from = match &e.kind {
                    ExprKind::Load(from) => self.inside(from),
                    _ => Vec::new(),
                };
                for (rest, new) in self.inside(l) {
                    let value = from.iter().find(|(path, _)| *path == rest);
                    more.push(match value {
                        Some((_, value)) => StmtKind::Assign(whole(&new), Expr::load(whole(value))),
                        None => StmtKind::Havoc(whole(&new)),
                    });
                }
            }
            _ => {}
        }
        self.fold_inside(s, out)?;
        out.extend(more.into_iter().map(|kind| s.with(kind)));
        Ok(())
    }

    fn rewriter(&mut self) -> Option<&mut dyn VisitMut> {
        Some(self)
    }
}

impl VisitMut for Split<'_> {
    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        if let Base::Var(v) = l.base
            && let Some(path) = l.path.iter().map(fixed).collect::<Option<Vec<_>>>()
            && let Some(new) = self.own.get(&(v, path))
        {
            l.base = Base::Var(*new);
            l.path.clear();
        }
        self.walk_lvalue(l);
    }
}

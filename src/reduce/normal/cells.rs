//! Splits small arrays and structs that are only ever accessed by constant indices and members:
//! each cell gets a variable of its own.

use super::super::effects::Effects;
use super::super::terms;
use crate::program::{
    AccessPath, Base, Block, Entered, Fold, Length, Lvalue, Part, Program, Stmt, StmtKind, Storage, Type, Use, VarId,
    VisitMut, each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;

/// An object of more cells stays as it is.
const MOST_CELLS: u64 = 64;

/// The path to a cell. Its indices are constants.
type Path = AccessPath<u64>;

/// Rewrites a body; the initialisers of globals that are split run at its start.
pub(super) fn split(program: &mut Program, body: Block) -> Block {
    let mut refused: BTreeSet<VarId> = Effects::of(&body).addresses;
    refused.extend(Effects::of(&program.initialisers).addresses);
    let mut used: BTreeMap<VarId, BTreeSet<Path>> = BTreeMap::new();
    let mut look = |s: &Stmt| {
        each_part(s, &mut |part| {
            let Part::Lvalue(l, _) = part else { return };
            let Base::Var(v) = l.base else { return };
            match path(l) {
                Some(path) if !path.path.is_empty() && l.ty.is_scalar() => {
                    used.entry(v).or_default().insert(path);
                }
                // The whole object: allowed if every cell gets the same value.
                _ if l.path.is_empty() && matches!(s.kind, StmtKind::Zero(_) | StmtKind::Havoc(_)) => {}
                _ => {
                    refused.insert(v);
                }
            }
        });
    };
    each_stmt(&body, &mut look);
    each_stmt(&program.initialisers, &mut look);
    let mut of = HashMap::new();
    for (v, paths) in used {
        let variable = program.variable(v).clone();
        let fits = |path: &Path| is_cell(program, path);
        if refused.contains(&v)
            || variable.storage == Storage::Parameter
            || paths.len() as u64 > MOST_CELLS
            || !paths.iter().all(fits)
        {
            continue;
        }
        let mut new = BTreeMap::new();
        for path in paths {
            let numbers: Vec<String> = path.path.iter().map(|s| s.number().to_string()).collect();
            let ty = path.type_at(program).unwrap_or(&Type::INT).clone();
            let cell = terms::named_after(program, v, &numbers.join("_"), ty, variable.location);
            new.insert(path, cell);
        }
        of.insert(v, new);
    }
    if of.is_empty() {
        return body;
    }
    // The initial values of a removed global are set at the start of the body, cell by cell.
    let mut initial = Block::new();
    each_stmt(&program.initialisers, &mut |s| {
        if Effects::of_stmt(s).writes.iter().any(|v| of.contains_key(v)) {
            initial.push(s.clone());
        }
    });
    initial.extend(body);
    Cells { program, of }.rebuilt(&initial)
}

struct Cells<'p> {
    program: &'p Program,
    of: HashMap<VarId, BTreeMap<Path, VarId>>,
}

impl Fold for Cells<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let whole = match &s.kind {
            StmtKind::Declare(v) => Some(*v),
            StmtKind::Zero(l) | StmtKind::Havoc(l) => l.as_var(),
            _ => None,
        };
        let Some(cells) = whole.and_then(|v| self.of.get(&v)) else { return self.fold_inside(s, out) };
        for &cell in cells.values() {
            let l = Lvalue::var(self.program, cell, s.location);
            out.push(s.with(match s.kind {
                StmtKind::Declare(_) => StmtKind::Declare(cell),
                StmtKind::Zero(_) => StmtKind::Zero(l),
                _ => StmtKind::Havoc(l),
            }));
        }
        Ok(())
    }

    fn rewriter(&mut self) -> Option<&mut dyn VisitMut> {
        Some(self)
    }
}

impl VisitMut for Cells<'_> {
    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        self.walk_lvalue(l);
        let Base::Var(v) = l.base else { return };
        if let Some(cell) = self.of.get(&v).and_then(|cells| cells.get(&path(l)?)) {
            l.base = Base::Var(*cell);
            l.path.clear();
        }
    }
}

fn path(l: &Lvalue) -> Option<Path> {
    AccessPath::of(l, |e| u64::try_from(e.as_int()?).ok())
}

/// Whether a path leads to a scalar inside its variable. A member of a union is no cell.
fn is_cell(program: &Program, path: &Path) -> bool {
    let all = path.entered(program).all(|entered| match entered {
        Some(Entered::Element(index, Length::Constant(n), _)) => *index < n,
        Some(Entered::Member(structure, member)) => !structure.is_union && member.bits.is_none(),
        _ => false,
    });
    all && path.type_at(program).is_some_and(Type::is_scalar)
}

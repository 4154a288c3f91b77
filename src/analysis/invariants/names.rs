//! The domain variables and arrays that can be named at a moment, as atoms.

use super::AllowedNames;
use super::formula::{Atom, Atoms, Cells, PathStep};
use crate::analysis::Solved;
use crate::analysis::cut_points::has_variable_rows;
use crate::analysis::layout::{BlockId, Dimension, Home, Layout, LeafId, Segment};
use crate::analysis::state::State;
use crate::annotate::scopes::{Scope, is_keyword};
use crate::program::{Program, Storage, Type, VarId};
use smalti_core::{ArrayId, Constraint, FieldId, Interval, LinearExpr, Memory, Subjects, Var};
use smalti_stack::AnyState;
use std::collections::BTreeMap;

/// What can be named.
#[derive(Clone)]
pub(super) struct Vocabulary {
    /// The domain variable of each atom's variable.
    pub own: BTreeMap<Var, Var>,
    /// The atom's variable of each domain variable.
    pub canonical: BTreeMap<Var, Var>,
    /// Whether words of the annotation language are excluded as names.
    strict: bool,
    /// The arrays, by the name of their cells.
    pub arrays: BTreeMap<Cells, Named>,
}

/// A domain array with a name.
#[derive(Clone)]
pub(super) struct Named {
    pub array: ArrayId,
    /// Its number of cells.
    pub length: Var,
    /// Its integer fields: the members after the subscripts, and an interval that contains every
    /// value.
    pub fields: Vec<(FieldId, Vec<String>, Interval)>,
}

impl Vocabulary {
    pub(super) fn new(
        solved: &Solved<'_>,
        state: &State<AnyState>,
        scope: &Scope,
        end: bool,
        names: AllowedNames,
        atoms: &mut Atoms,
    ) -> Vocabulary {
        let (program, layout) = (solved.cfg.program, &solved.model.layout);
        let mut found = Vocabulary {
            own: BTreeMap::new(),
            canonical: BTreeMap::new(),
            strict: names != AllowedNames::Reader,
            arrays: BTreeMap::new(),
        };
        let contract = end && names != AllowedNames::Reader;
        let visible: Vec<(&String, VarId)> = scope
            .names
            .iter()
            .filter(|(name, _)| !contract || scope.contract.contains(*name))
            .filter(|(name, _)| names == AllowedNames::Reader || !is_keyword(name))
            .map(|(name, v)| (name, *v))
            .collect();
        for (name, v) in &visible {
            let block = BlockId::Variable(*v);
            for id in layout.leaves_below(block, &[]) {
                let leaf = layout.leaf(id);
                let Home::Scalar(var) = leaf.home else { continue };
                let Some(members) = members(program, layout, block, &[], &leaf.path) else { continue };
                if !found.allows(&members) {
                    continue;
                }
                let variable = (*name).clone();
                let atom = match leaf.ty {
                    Type::Int(_) => Atom::Value { variable, members },
                    Type::Pointer(_) if names == AllowedNames::Reader => Atom::Offset { variable, members },
                    _ => continue,
                };
                found.bind(var, &atom, leaf.range, atoms);
            }
        }
        if let Some(result) = scope.result.filter(|_| end)
            && let Some(var) = layout.scalar(result)
            && matches!(program.variable(result).ty, Type::Int(_))
        {
            found.bind(var, &Atom::Result, layout.range(var), atoms);
        }
        for (name, v) in &visible {
            found.direct(program, layout, name, *v);
        }
        let direct: Vec<ArrayId> = found.arrays.values().map(|n| n.array).collect();
        for (name, v) in &visible {
            found.through(solved, state, scope, end, name, *v, &direct);
        }
        if names == AllowedNames::Reader {
            for (cells, named) in &found.arrays {
                let constant = |d: &Dimension| matches!(d, Dimension::Constant(_));
                if !layout.array(named.array).dimensions.iter().all(constant) {
                    let atom = Atom::Length(cells.clone());
                    let canonical = atoms.var(&atom, layout.range(named.length));
                    found.own.insert(canonical, named.length);
                    found.canonical.entry(named.length).or_insert(canonical);
                }
            }
        }
        found
    }

    /// Removes everything except these and their lengths.
    pub(super) fn keep(&mut self, of: &Subjects) {
        self.arrays.retain(|_, named| of.arrays.contains(&named.array));
        let lengths: Vec<Var> = self.arrays.values().map(|named| named.length).collect();
        let kept = |v: &Var| of.scalars.contains(v) || lengths.contains(v);
        self.own.retain(|_, own| kept(own));
        self.canonical.retain(|own, _| kept(own));
    }

    fn bind(&mut self, own: Var, atom: &Atom, range: Interval, atoms: &mut Atoms) {
        let canonical = atoms.var(atom, range);
        self.own.insert(canonical, own);
        self.canonical.insert(own, canonical);
    }

    fn allows(&self, members: &[String]) -> bool {
        !self.strict || !members.iter().any(|m| is_keyword(m))
    }

    /// The expression in the domain's variables, if all have one.
    pub(super) fn own(&self, e: &LinearExpr) -> Option<LinearExpr> {
        translate(e, &self.own)
    }

    /// The expression in atoms' variables, if all have one.
    pub(super) fn canonical(&self, e: &LinearExpr) -> Option<LinearExpr> {
        translate(e, &self.canonical)
    }

    /// The arrays inside a variable.
    fn direct(&mut self, program: &Program, layout: &Layout, name: &str, v: VarId) {
        let block = BlockId::Variable(v);
        if has_variable_rows(&program.variable(v).ty) {
            return;
        }
        for id in layout.arrays_of(block) {
            self.name_array(program, layout, block, id, name, 0);
        }
    }

    /// Names the arrays whose first cell a pointer points to.
    #[allow(clippy::too_many_arguments)]
    fn through(
        &mut self,
        solved: &Solved<'_>,
        state: &State<AnyState>,
        scope: &Scope,
        end: bool,
        name: &str,
        v: VarId,
        direct: &[ArrayId],
    ) {
        let (program, layout) = (solved.cfg.program, &solved.model.layout);
        let Type::Pointer(pointee) = &program.variable(v).ty else { return };
        let Some(leaf) = layout.leaf_at(BlockId::Variable(v), &Vec::new()) else { return };
        let Home::Scalar(offset) = layout.leaf(leaf).home else { return };
        // A pointer that may be null, or may point to one of several objects, names no cells.
        let targets = state.points_to.get(&leaf).unwrap_or_else(|| solved.model.pointers.of(leaf));
        if targets.anywhere || targets.set.len() != 1 || !is_valid(state, leaf) {
            return;
        }
        let Some(target) = targets.set.first() else { return };
        let at_start = Constraint::eq(&LinearExpr::var(offset), &LinearExpr::constant(0));
        if !at_start.is_some_and(|c| state.memory.entails(&c)) || layout.untracked.contains(&target.block) {
            return;
        }
        if let BlockId::Variable(w) = target.block
            && end
            && program.variable(w).storage != Storage::Global
            && !scope.outer.contains(&w)
        {
            // The storage that it points to ends with the function.
            return;
        }
        let one_index = target.path.iter().filter(|s| s.is_index()).count() == 1;
        let of_type = layout.type_at(program, target.block, &target.path) == Some(&**pointee);
        if !one_index || target.path.last() != Some(&Segment::Index(())) || !of_type || has_variable_rows(pointee) {
            return;
        }
        for id in layout.arrays_of(target.block) {
            if !direct.contains(&id) && layout.array(id).prefix.starts_with(&target.path) {
                self.name_array(program, layout, target.block, id, name, target.path.len() - 1);
            }
        }
    }

    /// Names the array whose path from `name` starts with step `from` of its prefix.
    #[allow(clippy::too_many_arguments)]
    fn name_array(&mut self, program: &Program, layout: &Layout, block: BlockId, id: ArrayId, name: &str, from: usize) {
        let info = layout.array(id);
        let mut lengths = Vec::new();
        // The outermost subscript needs no length, the others do.
        for d in info.dimensions.iter().skip(1) {
            match d {
                Dimension::Constant(n) if *n > 0 => lengths.push(*n),
                _ => return,
            }
        }
        let mut cells: Vec<u64> = vec![1];
        for n in lengths.iter().rev() {
            let Some(more) = cells.last().and_then(|c| c.checked_mul(*n)) else { return };
            cells.push(more);
        }
        cells.reverse();
        let mut subscripts = cells.into_iter().zip(std::iter::once(None).chain(lengths.into_iter().map(Some)));
        let mut path = Vec::new();
        for n in from..info.prefix.len() {
            match info.prefix[n] {
                Segment::Index(()) => {
                    let Some((cells, length)) = subscripts.next() else { return };
                    path.push(PathStep::Subscript { cells, length });
                }
                Segment::Field(_, f) => {
                    let Some(member) = member(program, layout, block, &info.prefix[..n], f) else { return };
                    if !self.allows(std::slice::from_ref(&member)) {
                        return;
                    }
                    path.push(PathStep::Member(member));
                }
            }
        }
        let field = |(field, leaf): &(FieldId, LeafId)| {
            let leaf = layout.leaf(*leaf);
            let members = members(program, layout, block, &info.prefix, &leaf.path[info.prefix.len()..])?;
            (matches!(leaf.ty, Type::Int(_)) && self.allows(&members)).then_some((*field, members, leaf.range))
        };
        let fields = info.fields.iter().filter_map(field).collect();
        let cells = Cells { variable: name.to_owned(), path };
        self.arrays.insert(cells, Named { array: id, length: info.length, fields });
    }
}

fn is_valid(state: &State<AnyState>, leaf: LeafId) -> bool {
    state.valid.contains(&leaf)
}

fn translate(e: &LinearExpr, map: &BTreeMap<Var, Var>) -> Option<LinearExpr> {
    if e.vars().any(|v| !map.contains_key(&v)) {
        return None;
    }
    e.rename(|v| map.get(&v).copied().unwrap_or(v))
}

/// The names of the members on a path after `before`, which must consist of members alone.
fn members(
    program: &Program,
    layout: &Layout,
    block: BlockId,
    before: &[Segment],
    path: &[Segment],
) -> Option<Vec<String>> {
    let mut at = before.to_vec();
    let mut names = Vec::new();
    for segment in path {
        let Segment::Field(_, f) = segment else { return None };
        names.push(member(program, layout, block, &at, *f)?);
        at.push(*segment);
    }
    Some(names)
}

fn member(program: &Program, layout: &Layout, block: BlockId, at: &[Segment], field: u32) -> Option<String> {
    let Some(Type::Struct(id)) = layout.type_at(program, block, at) else { return None };
    let member = program.structure(*id).members.get(field as usize)?;
    let usual = member.name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    (usual && !member.is_unnamed()).then(|| member.name.clone())
}

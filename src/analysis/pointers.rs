//! Finds what pointers may point to: inclusion-based, insensitive to the order of statements
//! (Andersen, "Program analysis and specialization for the C programming language", 1994), with
//! static paths into objects as targets. Where a pointer was assigned on all paths to a point, the
//! state there knows more ([`State::points_to`](super::state::State::points_to)).
//!
//! **Why it is sound.** Every statement that can store a pointer adds its targets to every place
//! that it may store to, until nothing changes; the order of statements does not matter, so every
//! run is covered. A pointer made in a way that is not followed (from an integer, read through a
//! view of another type, from outside of the program) may point *anywhere*: into every global,
//! every object whose address is taken and every heap block. The value of an uninitialised pointer
//! is indeterminate (C11 6.2.4, 6.3.2.1): to use it is undefined behaviour, so it points nowhere.

use super::layout::{BlockId, Layout, LeafId, Path, Segment};
use crate::cfg::{Action, Cfg};
use crate::program::{
    Base, BinaryOp, Expr, ExprKind, IntKind, Length, Lvalue, Part, Program, Step, Stmt, StmtKind, Storage, Type, Use,
    each_part,
};
use petgraph::graph::EdgeIndex;
use std::collections::{BTreeMap, BTreeSet};

/// A place that a pointer may point to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Target {
    pub block: BlockId,
    pub path: Path,
}

impl Target {
    /// Where in the path the last member is named.
    fn member(&self) -> Option<usize> {
        self.path.iter().rposition(|s| matches!(s, Segment::Field(..)))
    }

    /// Whether it is a part of a struct. Other members may lie beside it. C forbids to reach them
    /// from here (C11 6.5.6p8), but programs do it.
    pub(super) fn is_in_struct(&self) -> bool {
        self.member().is_some()
    }

    /// Whether it is a part of structs that are elements of an array. Offsets then count only the
    /// parts of that name.
    pub(super) fn is_in_elements(&self) -> bool {
        self.member().is_some_and(|n| self.path[..n].contains(&Segment::Index(())))
    }
}

/// Everything that a pointer may point to (null is not recorded).
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Targets {
    pub set: BTreeSet<Target>,
    /// Every global, every object whose address is taken, every heap block, and unknown memory.
    pub anywhere: bool,
}

impl Targets {
    fn anywhere() -> Self {
        Targets { set: BTreeSet::new(), anywhere: true }
    }

    pub(super) fn one(block: BlockId, path: Path) -> Self {
        Targets { set: BTreeSet::from([Target { block, path }]), anywhere: false }
    }

    /// Whether all of these are in `other`.
    pub(super) fn is_within(&self, other: &Targets) -> bool {
        (other.anywhere || !self.anywhere) && self.set.is_subset(&other.set)
    }

    /// Adds all of `other`. Returns whether anything changed.
    pub(super) fn add(&mut self, other: &Targets) -> bool {
        let before = (self.set.len(), self.anywhere);
        self.set.extend(other.set.iter().cloned());
        self.anywhere |= other.anywhere;
        before != (self.set.len(), self.anywhere)
    }
}

/// What some pointers point to at a point of the program.
pub(super) type PointsTo = BTreeMap<LeafId, Targets>;

/// The places that an lvalue may denote.
pub(super) struct StaticPlaces {
    pub targets: Targets,
    /// Objects that are accessed through a type other than their own.
    pub blurred: BTreeSet<BlockId>,
}

/// What each pointer may point to.
pub(super) struct Pointers {
    /// By leaf.
    targets: Vec<Targets>,
    /// The blocks that a pointer to anywhere may point into, and that unknown code may change.
    pub exposed: BTreeSet<BlockId>,
}

impl Pointers {
    pub(super) fn new(cfg: &Cfg<'_>, layout: &Layout) -> Pointers {
        let program = cfg.program;
        let mut exposed: BTreeSet<BlockId> =
            layout.blocks.keys().copied().filter(|b| matches!(b, BlockId::Heap(_))).collect();
        // Unknown code can use the globals by their names, and so can the code that made an address
        // that comes from outside.
        exposed.extend(program.globals.iter().map(|v| BlockId::Variable(*v)));
        let mut stores: Vec<(EdgeIndex, &Stmt)> = Vec::new();
        for e in cfg.graph.edge_indices() {
            let stmt = match cfg.graph[e].action {
                Action::Stmt(stmt) => {
                    stores.push((e, stmt));
                    stmt
                }
                Action::Branch { stmt, .. } => stmt,
                Action::Skip => continue,
            };
            each_part(stmt, &mut |part| {
                if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Address) = part {
                    exposed.insert(BlockId::Variable(*v));
                }
            });
        }
        let mut pointers = Pointers { targets: vec![Targets::default(); layout.leaves.len()], exposed };
        for (n, v) in program.variables.iter().enumerate() {
            // The parameters of the entry function come from outside. So does an object that the
            // program only declares. (If its size is known, a statement of the program also says
            // so.)
            if v.storage == Storage::Parameter || matches!(v.ty, Type::Array(_, Length::Unknown)) {
                let block = BlockId::Variable(crate::program::VarId(n as u32));
                pointers.spoil(layout, block, &[]);
            }
        }
        while stores.iter().fold(false, |news, (e, s)| pointers.store(program, layout, *e, s) || news) {}
        pointers
    }

    /// What the pointer stored at that leaf may point to.
    pub(super) fn of(&self, leaf: LeafId) -> &Targets {
        &self.targets[leaf.0 as usize]
    }

    fn add(&mut self, leaf: LeafId, more: &Targets) -> bool {
        self.targets[leaf.0 as usize].add(more)
    }

    /// Makes the pointers at and below a path point anywhere. Returns whether anything changed.
    fn spoil(&mut self, layout: &Layout, block: BlockId, path: &[Segment]) -> bool {
        let mut news = false;
        for leaf in layout.leaves_below(block, path) {
            if matches!(layout.leaf(leaf).ty, Type::Pointer(_)) {
                news |= self.add(leaf, &Targets::anywhere());
            }
        }
        news
    }

    fn spoil_all(&mut self, layout: &Layout, blocks: &BTreeSet<BlockId>) -> bool {
        let mut news = false;
        for b in blocks {
            news |= self.spoil(layout, *b, &[]);
        }
        news
    }

    fn store(&mut self, program: &Program, layout: &Layout, edge: EdgeIndex, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Assign(l, e) => {
                let value = if matches!(l.ty, Type::Pointer(_)) {
                    self.anywhere(program, layout).targets_of(e)
                } else {
                    Targets::default()
                };
                self.store_at(program, layout, l, &value, Some(e))
            }
            StmtKind::Allocate { target, .. } => {
                let value = Targets::one(BlockId::Heap(edge), vec![Segment::Index(())]);
                self.store_at(program, layout, target, &value, None)
            }
            StmtKind::Input(l, _) | StmtKind::Zero(l) => self.store_at(program, layout, l, &Targets::default(), None),
            StmtKind::Havoc(l) => self.havoc(program, layout, l),
            StmtKind::HavocReachable(_) => self.spoil_all(layout, &self.exposed.clone()),
            StmtKind::Call { target, .. } => {
                let news = self.spoil_all(layout, &self.exposed.clone());
                news | target.as_ref().is_some_and(|l| self.havoc(program, layout, l))
            }
            _ => false,
        }
    }

    /// Stores any value at `l`.
    fn havoc(&mut self, program: &Program, layout: &Layout, l: &Lvalue) -> bool {
        let places = self.anywhere(program, layout).places_of(l);
        let mut news = self.store_at(program, layout, l, &Targets::default(), None);
        for t in &places.targets.set {
            news |= self.spoil(layout, t.block, &t.path);
        }
        news
    }

    /// `value` is stored at `l`; a whole struct where `from` says which.
    fn store_at(
        &mut self,
        program: &Program,
        layout: &Layout,
        l: &Lvalue,
        value: &Targets,
        from: Option<&Expr>,
    ) -> bool {
        let places = self.anywhere(program, layout).places_of(l);
        let mut news = self.spoil_all(layout, &places.blurred);
        if places.targets.anywhere {
            // Bytes may be written over any exposed pointer.
            news |= self.spoil_all(layout, &self.exposed.clone());
        }
        for t in &places.targets.set {
            if l.ty.is_scalar() {
                if let Some(leaf) = layout.leaf_at(t.block, &t.path) {
                    news |= self.add(leaf, value);
                }
                continue;
            }
            let Some(from) = from else { continue };
            let source = match &from.kind {
                ExprKind::Load(source) => Some(self.anywhere(program, layout).places_of(source)),
                _ => None,
            };
            let known = source.filter(|s| !s.targets.anywhere && s.blurred.is_empty());
            for leaf in layout.leaves_below(t.block, &t.path).collect::<Vec<_>>() {
                if !matches!(layout.leaf(leaf).ty, Type::Pointer(_)) {
                    continue;
                }
                let rest = layout.leaf(leaf).path[t.path.len()..].to_vec();
                let Some(known) = &known else {
                    news |= self.add(leaf, &Targets::anywhere());
                    continue;
                };
                for s in &known.targets.set {
                    let mut path = s.path.clone();
                    path.extend(&rest);
                    let more = match layout.leaf_at(s.block, &path) {
                        Some(from) => self.of(from).clone(),
                        None => Targets::anywhere(),
                    };
                    news |= self.add(leaf, &more);
                }
            }
        }
        news
    }

    /// What pointers point to at some point of the program.
    pub(super) fn anywhere<'p>(&'p self, program: &'p Program, layout: &'p Layout) -> PointersAt<'p> {
        static NOTHING: PointsTo = PointsTo::new();
        self.at(program, layout, &NOTHING)
    }

    /// What pointers point to at a point where more is known of some.
    pub(super) fn at<'p>(&'p self, program: &'p Program, layout: &'p Layout, known: &'p PointsTo) -> PointersAt<'p> {
        PointersAt { pointers: self, program, layout, known }
    }
}

/// What pointers point to at a point of the program.
pub(super) struct PointersAt<'p> {
    pointers: &'p Pointers,
    program: &'p Program,
    layout: &'p Layout,
    known: &'p PointsTo,
}

impl PointersAt<'_> {
    /// What the pointer stored at that leaf may point to.
    pub(super) fn of(&self, leaf: LeafId) -> &Targets {
        self.known.get(&leaf).unwrap_or_else(|| self.pointers.of(leaf))
    }

    /// The places that an lvalue may denote.
    pub(super) fn places_of(&self, l: &Lvalue) -> StaticPlaces {
        let bases = match &l.base {
            Base::Var(v) => Targets::one(BlockId::Variable(*v), Path::new()),
            Base::Deref(p) => self.targets_of(p),
        };
        let mut places = StaticPlaces {
            targets: Targets { set: BTreeSet::new(), anywhere: bases.anywhere },
            blurred: BTreeSet::new(),
        };
        for mut t in bases.set {
            let fits = match &l.base {
                Base::Var(_) => true,
                Base::Deref(p) => fits(self.program, self.layout, &t, p.ty.pointee().unwrap_or(&Type::Void)),
            };
            t.path.extend(l.any_steps());
            if fits {
                places.targets.set.insert(t);
            } else {
                places.blurred.insert(t.block);
            }
        }
        places
    }

    /// What the value of a pointer expression may point to.
    pub(super) fn targets_of(&self, e: &Expr) -> Targets {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::FunctionAddress(_) => Targets::default(),
            ExprKind::Load(l) => {
                let places = self.places_of(l);
                let mut found = Targets { set: BTreeSet::new(), anywhere: places.targets.anywhere };
                found.anywhere |= !places.blurred.is_empty();
                for t in &places.targets.set {
                    match self.layout.leaf_at(t.block, &t.path) {
                        Some(leaf) => {
                            found.add(self.of(leaf));
                        }
                        None => found.anywhere = true,
                    }
                }
                found
            }
            ExprKind::AddressOf(l) => {
                let places = self.places_of(l);
                let mut found = places.targets;
                found.anywhere |= !places.blurred.is_empty();
                found.anywhere |=
                    found.set.iter().any(|t| t.is_in_struct() && may_be_behind(self.program, self.layout, t, l));
                found
            }
            ExprKind::Cast(a) if matches!(a.ty, Type::Pointer(_)) => self.targets_of(a),
            ExprKind::Cast(a) if a.as_int() == Some(0) => Targets::default(),
            ExprKind::Binary(BinaryOp::PointerAdd, a, n) => {
                let mut found = self.targets_of(a);
                // Steps of another size lead from one element or member into another.
                let step = e.ty.pointee().unwrap_or(&Type::Void);
                let in_step = |t: &Target| keeps_elements(self.program, self.layout, t, step);
                found.anywhere |= n.as_int() != Some(0) && !found.set.iter().all(in_step);
                found
            }
            ExprKind::Conditional(_, a, b) => {
                let mut found = self.targets_of(a);
                found.add(&self.targets_of(b));
                found
            }
            _ => Targets::anywhere(),
        }
    }
}

/// Whether the object at the target has the pointer's target type.
pub(super) fn fits(program: &Program, layout: &Layout, target: &Target, ty: &Type) -> bool {
    layout.type_at(program, target.block, &target.path).is_some_and(|t| same_type(t, ty))
}

/// Whether a pointer to the target that moves in steps of that type only reaches other elements
/// beside it. The path and an offset then name these elements, or an offset outside of the array
/// shows that it has left. The type must be the target's own, or a number or a pointer of the same
/// size. A member of an array's elements has other members for neighbours. What lies beside a
/// pointer, a struct or an array that is a member has pointers, or parts, of its own.
fn keeps_elements(program: &Program, layout: &Layout, target: &Target, step: &Type) -> bool {
    let width = |kind: &IntKind| kind.width(program.data_model);
    let named = !target.is_in_struct() || (matches!(step, Type::Int(_) | Type::Float(_)) && !target.is_in_elements());
    named
        && layout.type_at(program, target.block, &target.path).is_some_and(|ty| match (ty, step) {
            (Type::Int(a), Type::Int(b)) => width(a) == width(b),
            _ => same_type(ty, step),
        })
}

/// Whether an address may be that of what lies after an array that is a member, which the target is
/// an element of. (If the index is not constant, offsets show this, for numbers.)
fn may_be_behind(program: &Program, layout: &Layout, target: &Target, l: &Lvalue) -> bool {
    let Some((Step::Index(index), Some((_, array)))) = l.path.last().map(|s| (s, target.path.split_last())) else {
        return false;
    };
    match (index.as_int(), layout.type_at(program, target.block, array)) {
        (Some(0), _) => false,
        (Some(n), Some(Type::Array(_, Length::Constant(length)))) => !(0..i128::from(*length)).contains(&n),
        (_, Some(Type::Array(element, _))) => {
            target.is_in_elements() || !matches!(**element, Type::Int(_) | Type::Float(_))
        }
        _ => true,
    }
}

/// Whether two types are the same except for lengths of arrays (a copy of a function has length
/// variables of its own).
fn same_type(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array(a, n), Type::Array(b, m)) => {
            let lengths = !matches!((n, m), (Length::Constant(n), Length::Constant(m)) if n != m);
            lengths && same_type(a, b)
        }
        // The target of a pointer is checked when the pointer is used.
        (Type::Pointer(_), Type::Pointer(_)) => true,
        _ => a == b,
    }
}

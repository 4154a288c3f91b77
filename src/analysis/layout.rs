//! Determines where the abstract state keeps each scalar piece of an object.
//!
//! An object (*block*) is a tree of scalars shaped by its type. Its leaves are named by *static
//! paths*, in which every array index has become [`Step::Index`]. A leaf below no array is a
//! variable of the domain. Leaves below arrays are fields of a domain array: one array for each
//! innermost array type on the path, with the cells of all dimensions in row-major order. The
//! number kept for an integer is its value, for a pointer its *flat offset*: the row-major number
//! of the cell that it points at, in the dimensions of the path that it points to.

use crate::program::{DataModel, Length, Part, Program, Step, StmtKind, Type, VarId, each_part};
use crate::{cfg::Action, cfg::Cfg, program::Base};
use petgraph::graph::EdgeIndex;
use smalti_core::{ArrayId, FieldId, Interval, Var};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An object, or the objects of one allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum BlockId {
    /// The storage of a variable.
    Variable(VarId),
    /// The objects made by the allocation on that edge.
    Heap(EdgeIndex),
}

/// One step of a static path: a member, or any element of an array.
pub(super) type Segment = Step<()>;

pub(super) type Path = Vec<Segment>;

/// Number of a leaf in [`Layout::leaves`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LeafId(pub u32);

/// Where the abstract state keeps a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    Scalar(Var),
    Cell(ArrayId, FieldId),
}

/// An integer or pointer piece of a block.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub block: BlockId,
    pub path: Path,
    pub ty: Type,
    pub home: Home,
    /// An interval that contains every value (all integers, for the offset of a pointer).
    pub range: Interval,
}

/// A domain array.
#[derive(Clone, Debug)]
pub(super) struct ArrayInfo {
    pub block: BlockId,
    /// Up to the last `Index`.
    pub prefix: Path,
    /// One length for each `Index` of the prefix, outermost first.
    pub dimensions: Vec<Dimension>,
    /// The domain variable that holds the number of cells.
    pub length: Var,
    /// Its leaves; none for an array of floating values or unions.
    pub fields: Vec<(FieldId, LeafId)>,
}

/// The length of one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dimension {
    Constant(u64),
    /// The value of that program variable when the array was declared.
    Variable(VarId),
    /// The element count of the heap block.
    Count,
    Unknown,
}

/// The leaves and arrays of one block.
#[derive(Clone, Debug)]
pub(super) struct BlockInfo {
    pub root: Type,
    pub leaves: std::ops::Range<usize>,
    pub arrays: std::ops::Range<usize>,
}

/// The blocks of a program, and where their leaves live.
pub(super) struct Layout {
    pub blocks: BTreeMap<BlockId, BlockInfo>,
    pub leaves: Vec<Leaf>,
    pub arrays: Vec<ArrayInfo>,
    /// What each scalar domain variable stands for, by its number.
    pub meanings: Vec<Meaning>,
    homes: HashMap<(BlockId, Path), LeafId>,
    /// Blocks about which nothing is known: allocations that may run more than once.
    pub untracked: BTreeSet<BlockId>,
    model: DataModel,
}

/// What a scalar domain variable stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Leaf(LeafId),
    Length(ArrayId),
}

/// Blocks with more leaves than this are not tracked.
const MAX_LEAVES: usize = 4096;

impl Layout {
    /// The layout of everything that `cfg` mentions. `repeated` says which edges may be taken more
    /// than once in a run.
    pub(super) fn new(cfg: &Cfg<'_>, repeated: impl Fn(EdgeIndex) -> bool) -> Layout {
        let program = cfg.program;
        let mut layout = Layout {
            blocks: BTreeMap::new(),
            leaves: Vec::new(),
            arrays: Vec::new(),
            meanings: Vec::new(),
            homes: HashMap::new(),
            untracked: BTreeSet::new(),
            model: program.data_model,
        };
        for v in mentioned(cfg) {
            layout.add(program, BlockId::Variable(v), program.variable(v).ty.clone());
        }
        let mut sites: HashMap<_, u32> = HashMap::new();
        for e in cfg.graph.edge_indices() {
            if let Action::Stmt(s) = cfg.graph[e].action
                && matches!(s.kind, StmtKind::Allocate { .. })
            {
                *sites.entry(s.id()).or_default() += 1;
            }
        }
        for e in cfg.graph.edge_indices() {
            let Action::Stmt(s) = cfg.graph[e].action else { continue };
            let StmtKind::Allocate { element, .. } = &s.kind else { continue };
            let id = BlockId::Heap(e);
            let root = Type::Array(Box::new(element.clone()), Length::Unknown);
            if repeated(e) {
                let empty = BlockInfo { root, leaves: 0..0, arrays: 0..0 };
                layout.blocks.insert(id, empty);
                layout.untracked.insert(id);
            } else {
                layout.add(program, id, root);
            }
        }
        layout
    }

    /// The leaf at that path, if it is tracked.
    pub(super) fn leaf_at(&self, block: BlockId, path: &Path) -> Option<LeafId> {
        self.homes.get(&(block, path.clone())).copied()
    }

    pub(super) fn leaf(&self, id: LeafId) -> &Leaf {
        &self.leaves[id.0 as usize]
    }

    pub(super) fn array(&self, id: ArrayId) -> &ArrayInfo {
        &self.arrays[id.0 as usize]
    }

    /// The leaves at and below a path.
    pub(super) fn leaves_below<'a>(&'a self, block: BlockId, path: &'a [Segment]) -> impl Iterator<Item = LeafId> + 'a {
        let range = self.blocks.get(&block).map_or(0..0, |b| b.leaves.clone());
        range.filter(move |n| self.leaves[*n].path.starts_with(path)).map(|n| LeafId(n as u32))
    }

    /// The domain arrays of a block.
    pub(super) fn arrays_of(&self, block: BlockId) -> impl Iterator<Item = ArrayId> + use<> {
        self.blocks.get(&block).map_or(0..0, |b| b.arrays.clone()).map(|n| ArrayId(n as u32))
    }

    /// The domain variable of a scalar variable of the program.
    pub(super) fn scalar(&self, v: VarId) -> Option<Var> {
        match self.leaf(self.leaf_at(BlockId::Variable(v), &Path::new())?).home {
            Home::Scalar(var) => Some(var),
            Home::Cell(..) => None,
        }
    }

    /// The block that a domain variable describes: the value of one of its leaves, or the length of
    /// one of its arrays.
    pub(super) fn block_of(&self, v: Var) -> Option<BlockId> {
        match self.meanings.get(usize::try_from(v.0).ok()?)? {
            Meaning::Leaf(leaf) => Some(self.leaf(*leaf).block),
            Meaning::Length(array) => Some(self.array(*array).block),
        }
    }

    /// An interval that holds every value of a domain variable, whatever the state.
    pub(super) fn range(&self, v: Var) -> Interval {
        let meaning = if v.is_scalar() { usize::try_from(v.0).ok().and_then(|n| self.meanings.get(n)) } else { None };
        match meaning {
            Some(Meaning::Leaf(leaf)) => self.leaf(*leaf).range,
            Some(Meaning::Length(_)) => Interval::finite(0, i64::MAX.into()),
            None => Interval::TOP,
        }
    }

    /// The type at the end of a path.
    pub(super) fn type_at<'a>(&'a self, program: &'a Program, block: BlockId, path: &[Segment]) -> Option<&'a Type> {
        let root = match block {
            BlockId::Variable(v) => &program.variable(v).ty,
            BlockId::Heap(_) => &self.blocks.get(&block)?.root,
        };
        program.type_at(root, path)
    }

    /// The length of the array at the end of a path.
    pub(super) fn dimension_at(&self, program: &Program, block: BlockId, path: &[Segment]) -> Dimension {
        match (block, self.type_at(program, block, path)) {
            (BlockId::Heap(_), Some(Type::Array(..))) if path.is_empty() => Dimension::Count,
            (_, Some(Type::Array(_, length))) => dimension(*length),
            _ => Dimension::Unknown,
        }
    }

    fn new_scalar(&mut self, meaning: Meaning) -> Var {
        let n = self.meanings.len();
        self.meanings.push(meaning);
        Var::scalar(n.try_into().expect("fewer than 2^32 scalars"))
    }

    fn add(&mut self, program: &Program, id: BlockId, root: Type) {
        if self.blocks.contains_key(&id) {
            return;
        }
        let mut found = Vec::new();
        let heap = matches!(id, BlockId::Heap(_));
        collect(program, &root, None, &mut Vec::new(), &mut Vec::new(), heap, &mut found);
        let (leaf_start, array_start) = (self.leaves.len(), self.arrays.len());
        if found.len() > MAX_LEAVES {
            self.untracked.insert(id);
            found.clear();
        }
        for Found { path, dimensions, ty, bits } in found {
            let array = path.iter().rposition(|s| s.is_index()).map(|last| {
                let prefix = &path[..=last];
                let known = (array_start..self.arrays.len()).find(|n| self.arrays[*n].prefix == prefix);
                known.unwrap_or_else(|| {
                    let array = ArrayId(self.arrays.len().try_into().expect("fewer than 2^32 arrays"));
                    let length = self.new_scalar(Meaning::Length(array));
                    let prefix = prefix.to_vec();
                    self.arrays.push(ArrayInfo { block: id, prefix, dimensions, length, fields: Vec::new() });
                    self.arrays.len() - 1
                })
            });
            let Some(ty) = ty else { continue };
            let range = leaf_range(&ty, bits, self.model);
            let leaf = LeafId(self.leaves.len().try_into().expect("fewer than 2^32 leaves"));
            let home = match array {
                None => Home::Scalar(self.new_scalar(Meaning::Leaf(leaf))),
                Some(n) => {
                    let field = FieldId(self.arrays[n].fields.len() as u32);
                    self.arrays[n].fields.push((field, leaf));
                    Home::Cell(ArrayId(n as u32), field)
                }
            };
            self.homes.insert((id, path.clone()), leaf);
            self.leaves.push(Leaf { block: id, path, ty, home, range });
        }
        let (leaves, arrays) = (leaf_start..self.leaves.len(), array_start..self.arrays.len());
        self.blocks.insert(id, BlockInfo { root, leaves, arrays });
    }
}

/// A leaf, or an array whose elements have no leaves.
struct Found {
    path: Path,
    /// The dimensions of the arrays on the path.
    dimensions: Vec<Dimension>,
    /// The type of the leaf.
    ty: Option<Type>,
    /// The width of a bit-field.
    bits: Option<u8>,
}

/// The integer and pointer leaves of a type. Floats and unions have none: nothing is known of them
/// but how many an array has.
fn collect(
    program: &Program,
    ty: &Type,
    bits: Option<u8>,
    path: &mut Path,
    dimensions: &mut Vec<Dimension>,
    heap_root: bool,
    found: &mut Vec<Found>,
) {
    if found.len() > MAX_LEAVES {
        return;
    }
    match ty {
        Type::Int(_) | Type::Pointer(_) => {
            found.push(Found { path: path.clone(), dimensions: dimensions.clone(), ty: Some(ty.clone()), bits });
        }
        Type::Array(element, length) => {
            path.push(Segment::Index(()));
            dimensions.push(if heap_root { Dimension::Count } else { dimension(*length) });
            let before = found.len();
            collect(program, element, None, path, dimensions, false, found);
            if found.len() == before {
                found.push(Found { path: path.clone(), dimensions: dimensions.clone(), ty: None, bits: None });
            }
            dimensions.pop();
            path.pop();
        }
        Type::Struct(id) if !program.structure(*id).is_union => {
            for (n, member) in program.structure(*id).members.iter().enumerate() {
                path.push(Segment::Field(*id, n as u32));
                collect(program, &member.ty, member.bits, path, dimensions, false, found);
                path.pop();
            }
        }
        Type::Struct(_) | Type::Void | Type::Float(_) | Type::Function => {}
    }
}

fn dimension(length: Length) -> Dimension {
    match length {
        Length::Constant(n) => Dimension::Constant(n),
        Length::Variable(v) => Dimension::Variable(v),
        Length::Unknown => Dimension::Unknown,
    }
}

/// The values of a leaf.
fn leaf_range(ty: &Type, bits: Option<u8>, model: DataModel) -> Interval {
    match (ty, bits) {
        (Type::Int(kind), None) => Interval::finite((*kind).min(model), (*kind).max(model)),
        (Type::Int(kind), Some(bits)) => {
            let width = u32::from(bits).clamp(1, kind.width(model));
            if kind.is_signed() {
                Interval::finite(-(1 << (width - 1)), (1 << (width - 1)) - 1)
            } else {
                Interval::finite(0, (1 << width) - 1)
            }
        }
        _ => Interval::TOP,
    }
}

/// The variables that the graph's statements mention, the globals, the entry's parameters, and the
/// lengths of all their types.
fn mentioned(cfg: &Cfg<'_>) -> BTreeSet<VarId> {
    let program = cfg.program;
    let mut found: BTreeSet<VarId> = program.globals.iter().copied().collect();
    found.extend(&program.function(cfg.function).parameters);
    for edge in cfg.graph.edge_weights() {
        let stmt = match edge.action {
            Action::Stmt(stmt) | Action::Branch { stmt, .. } => stmt,
            Action::Skip => continue,
        };
        if let StmtKind::Declare(v) = stmt.kind {
            found.insert(v);
        }
        each_part(stmt, &mut |part| {
            if let Part::Lvalue(l, _) = part
                && let Base::Var(v) = l.base
            {
                found.insert(v);
            }
        });
    }
    let mut lengths = BTreeSet::new();
    for v in &found {
        let mut ty = &program.variable(*v).ty;
        loop {
            match ty {
                Type::Pointer(to) => ty = to,
                Type::Array(element, length) => {
                    if let Length::Variable(v) = length {
                        lengths.insert(*v);
                    }
                    ty = element;
                }
                _ => break,
            }
        }
    }
    found.extend(lengths);
    found
}

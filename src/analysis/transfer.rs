//! The effect of statements on abstract states.

use super::Model;
use super::evaluate::{Evaluator, Place, Places};
use super::layout::{BlockId, Dimension, Home, LeafId, Path, Segment};
use super::pointers::Targets;
use super::state::State;
use crate::program::{ClaimRole, Expr, ExprKind, Length, Lvalue, Stmt, StmtKind, Type};
use petgraph::graph::EdgeIndex;
use smalti_core::{Cell, Constraint, FieldId, Interval, Lattice, LinearExpr, Memory, Var};
use std::collections::BTreeSet;

/// What is known of a pointer that is stored.
#[derive(Default)]
struct Stored {
    /// Whether it is usable.
    valid: bool,
    /// What it may point to; `None`: what the place may point to anywhere in the program.
    targets: Option<Targets>,
}

impl<M: Memory> Evaluator<'_, M> {
    /// Executes one statement, which stands on `edge`.
    pub(super) fn statement(&mut self, stmt: &Stmt, edge: EdgeIndex) {
        match &stmt.kind {
            StmtKind::Declare(v) => self.begin(BlockId::Variable(*v)),
            StmtKind::Assign(l, e) => self.assign(l, e),
            StmtKind::Input(l, _) => self.store_unknown(l),
            StmtKind::Havoc(l) => self.store_unknown(l),
            StmtKind::Zero(l) => self.zero(l),
            StmtKind::HavocReachable(reached) => {
                reached.pointers.iter().for_each(|e| self.run(e));
                match &reached.bytes {
                    Some(bytes) => self.havoc_bytes(&bytes.to),
                    None => self.havoc_blocks(&self.model.pointers.exposed),
                }
            }
            StmtKind::Blocks(blocks) => {
                blocks.operands().for_each(|e| self.run(e));
                // Copies are followed element by element, however the blocks lie.
                let checked = blocks.overlapping().is_some() || blocks.untyped().next().is_some();
                self.restricted |= checked && !self.state.is_bottom();
            }
            StmtKind::Allocate { target, element: _, count, zeroed } => self.allocate(target, count, *zeroed, edge),
            StmtKind::Call { target, arguments, .. } => {
                arguments.iter().for_each(|e| self.run(e));
                // Unknown code: it may change every object that it can reach, and return anything.
                self.havoc_blocks(&self.model.pointers.exposed);
                target.iter().for_each(|t| self.store_unknown(t));
            }
            StmtKind::Assume(e) | StmtKind::Assert(e, _) => self.test(e, true),
            StmtKind::Claim(claim) => match claim.role {
                // The program does not end where an annotation fails, and what was proved of
                // annotations holds of runs up to their first undefined operation only.
                ClaimRole::Assert(_) | ClaimRole::Follows if self.goes_on() => {}
                ClaimRole::Assume | ClaimRole::Follows | ClaimRole::Assert(_) => self.claim(&claim.formula, true),
                ClaimRole::Check(_) => {}
            },
            StmtKind::Return(value) => value.iter().for_each(|e| self.run(e)),
            StmtKind::Stop => self.state = self.model.bottom_like(&self.state),
            StmtKind::If(..)
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Snapshot(_)
            | StmtKind::Presume(_)
            | StmtKind::Skip => {}
        }
    }

    /// Begins the storage of a variable: arbitrary values, arrays with their lengths.
    pub(super) fn begin(&mut self, block: BlockId) {
        if let BlockId::Variable(v) = block {
            self.require_lengths(&self.model.program.variable(v).ty);
        }
        for leaf in self.model.layout.leaves_below(block, &[]) {
            if let Home::Scalar(v) = self.model.layout.leaf(leaf).home {
                self.forget(leaf, v);
            }
        }
        for array in self.model.layout.arrays_of(block) {
            let info = self.model.layout.array(array);
            let mut cells = Some(LinearExpr::constant(1));
            for d in &info.dimensions {
                let length = match d {
                    Dimension::Constant(n) => Some(LinearExpr::constant((*n).into())),
                    Dimension::Variable(v) => self.model.layout.scalar(*v).map(LinearExpr::var),
                    Dimension::Count | Dimension::Unknown => None,
                };
                cells = match (cells, length) {
                    (Some(c), Some(l)) => Some(self.product(&c, &l)),
                    _ => None,
                };
            }
            self.create(array, cells);
        }
    }

    fn create(&mut self, array: smalti_core::ArrayId, cells: Option<LinearExpr>) {
        let info = self.model.layout.array(array);
        let fields: Vec<FieldId> = info.fields.iter().map(|f| f.0).collect();
        // If runs go on with an undefined size, nothing is known of the length.
        let cells = cells.filter(|cells| self.require(Some(Constraint::non_negative(cells.clone()))));
        // The old storage of that name ends before its length changes.
        self.state.memory.drop_array(array);
        match cells {
            Some(cells) => self.state.memory.assign(info.length, &cells),
            None => {
                self.state.memory.forget(&[info.length]);
                self.constrain(&LinearExpr::var(info.length), self.model.layout.range(info.length));
            }
        }
        self.state.memory.create_array(array, &fields, info.length);
    }

    /// Requires lengths of at least 1: a variable-length array of a size below 1 is undefined
    /// behaviour.
    fn require_lengths(&mut self, ty: &Type) {
        let mut ty = ty;
        while let Type::Array(element, length) = ty {
            if let Length::Variable(v) = length
                && let Some(v) = self.model.layout.scalar(*v)
            {
                self.require(Constraint::ge(&LinearExpr::var(v), &LinearExpr::constant(1)));
            }
            ty = element;
        }
    }

    fn allocate(&mut self, target: &Lvalue, count: &Expr, zeroed: bool, edge: EdgeIndex) {
        let block = BlockId::Heap(edge);
        let cells = self.int(count);
        self.require(Some(Constraint::non_negative(cells.clone())));
        if !self.model.layout.untracked.contains(&block) {
            for array in self.model.layout.arrays_of(block) {
                let mut all = Some(cells.clone());
                for d in &self.model.layout.array(array).dimensions[1..] {
                    all = match (all, d) {
                        (Some(c), Dimension::Constant(n)) => c.scale((*n).into()),
                        (Some(c), Dimension::Variable(v)) => {
                            let length = self.model.layout.scalar(*v).map(LinearExpr::var);
                            length.map(|l| self.product(&c, &l))
                        }
                        _ => None,
                    };
                }
                self.create(array, all);
                if zeroed {
                    for (field, leaf) in &self.model.layout.array(array).fields {
                        // The offset of a null pointer means nothing, so pointers stay arbitrary.
                        if matches!(self.model.layout.leaf(*leaf).ty, Type::Int(_)) {
                            self.state.memory.fill(array, *field, &LinearExpr::constant(0));
                        }
                    }
                }
            }
        }
        let targets = Targets::one(block, vec![Segment::Index(())]);
        self.store(target, &LinearExpr::constant(0), Some(&Stored { valid: true, targets: Some(targets) }));
    }

    fn assign(&mut self, l: &Lvalue, e: &Expr) {
        match &l.ty {
            Type::Int(_) => {
                let value = self.int(e);
                self.store(l, &value, None);
            }
            Type::Pointer(_) => {
                let value = self.pointer(e);
                let stored = Stored { valid: value.valid, targets: Some(value.targets) };
                self.store(l, &value.offset, Some(&stored));
            }
            Type::Struct(_) => self.copy(l, e),
            // The state keeps nothing of other types, but the store may write memory that is
            // accessed through them.
            _ => {
                self.run(e);
                match self.places(l, true) {
                    Places::Known(_) => {}
                    other => self.havoc_places(&other),
                }
            }
        }
    }

    /// `l = value` for an integer, or for a pointer with that offset.
    fn store(&mut self, l: &Lvalue, value: &LinearExpr, pointer: Option<&Stored>) {
        match self.places(l, true) {
            Places::Known(places) if places.len() == 1 => self.write(&places[0], value, pointer),
            Places::Known(places) => {
                // Just one of the places is written. Whichever it is, one of the joined states
                // covers the run.
                let before = self.state.clone();
                let mut all: Option<State<M>> = None;
                for place in &places {
                    self.state = before.clone();
                    self.write(place, value, pointer);
                    match &mut all {
                        Some(all) => all.join_with(&self.state),
                        None => all = Some(self.state.clone()),
                    }
                }
                if let Some(all) = all {
                    self.state = all;
                }
            }
            other => self.havoc_places(&other),
        }
    }

    /// Gives `l`, or the cells below it, arbitrary values.
    fn store_unknown(&mut self, l: &Lvalue) {
        match self.places(l, true) {
            Places::Known(places) if places.len() == 1 => {
                self.havoc(&places[0].block, &places[0].path, &places[0].flat)
            }
            Places::Known(places) => {
                let blocks = places.iter().map(|p| p.block).collect();
                self.havoc_blocks(&blocks);
            }
            other => self.havoc_places(&other),
        }
    }

    fn write(&mut self, place: &Place, value: &LinearExpr, pointer: Option<&Stored>) {
        let layout = &self.model.layout;
        // Floats, unions and blocks that are not tracked: nothing is known, nothing changes.
        let Some(leaf) = layout.leaf_at(place.block, &place.path) else { return };
        // A bit-field keeps only the low bits.
        let value = self.wrapped(value.clone(), layout.leaf(leaf).range);
        match layout.leaf(leaf).home {
            Home::Scalar(v) => {
                self.state.memory.assign(v, &value);
                let pointer = pointer.filter(|_| matches!(layout.leaf(leaf).ty, Type::Pointer(_)));
                self.state.set_pointer(leaf, pointer.is_some_and(|p| p.valid), pointer.and_then(|p| p.targets.clone()));
            }
            Home::Cell(array, field) => {
                self.state.memory.write(&Cell { array, index: place.flat.clone(), field }, &value);
            }
        }
    }

    /// Makes a leaf that lives in a scalar arbitrary.
    fn forget(&mut self, leaf: LeafId, v: Var) {
        self.state.memory.forget(&[v]);
        self.constrain(&LinearExpr::var(v), self.model.layout.leaf(leaf).range);
        self.state.set_pointer(leaf, false, None);
    }

    /// Makes everything at and below a place arbitrary.
    fn havoc(&mut self, block: &BlockId, path: &Path, flat: &LinearExpr) {
        let leaves: Vec<LeafId> = self.model.layout.leaves_below(*block, path).collect();
        for leaf in leaves {
            let info = self.model.layout.leaf(leaf);
            match info.home {
                Home::Scalar(v) => self.forget(leaf, v),
                Home::Cell(array, field) if !info.path[path.len()..].contains(&Segment::Index(())) => {
                    let value = self.any(info.range);
                    self.state.memory.write(&Cell { array, index: flat.clone(), field }, &value);
                }
                Home::Cell(array, field) => self.state.memory.weaken(array, field, info.range),
            }
        }
    }

    fn havoc_blocks(&mut self, blocks: &BTreeSet<BlockId>) {
        for block in blocks {
            for leaf in self.model.layout.leaves_below(*block, &[]) {
                let info = self.model.layout.leaf(leaf);
                match info.home {
                    Home::Scalar(v) => self.forget(leaf, v),
                    Home::Cell(array, field) => self.state.memory.weaken(array, field, info.range),
                }
            }
        }
    }

    /// Handles a store that is not followed: it may change any byte of the objects that it may
    /// write to.
    fn havoc_places(&mut self, places: &Places) {
        match places {
            Places::Known(places) => {
                let blocks = places.iter().map(|p| p.block).collect();
                self.havoc_blocks(&blocks);
            }
            Places::Inside(blocks) => self.havoc_blocks(blocks),
            Places::Anywhere => self.havoc_blocks(&self.model.pointers.exposed),
        }
    }

    /// Changes some bytes from a pointer on. They lie in the object that it points into, or the run
    /// ends.
    fn havoc_bytes(&mut self, to: &Expr) {
        let value = self.pointer(to);
        self.restricted |= !value.valid && !self.state.is_bottom();
        if value.targets.anywhere || !value.valid && self.goes_on() {
            return self.havoc_places(&Places::Anywhere);
        }
        self.havoc_places(&Places::Inside(value.targets.set.iter().map(|t| t.block).collect()));
    }

    fn zero(&mut self, l: &Lvalue) {
        let places = match self.places(l, true) {
            Places::Known(places) if places.len() == 1 => places,
            other => return self.havoc_places(&other),
        };
        let place = &places[0];
        let whole = !place.path.contains(&Segment::Index(()));
        let zero = LinearExpr::constant(0);
        let leaves: Vec<LeafId> = self.model.layout.leaves_below(place.block, &place.path).collect();
        for leaf in leaves {
            let info = self.model.layout.leaf(leaf);
            let pointer = matches!(info.ty, Type::Pointer(_));
            match info.home {
                Home::Scalar(v) => {
                    // A null pointer has no offset: 0 is as good as any.
                    self.state.memory.assign(v, &zero);
                    self.state.set_pointer(leaf, false, pointer.then(Targets::default));
                }
                Home::Cell(array, field) if whole => self.state.memory.fill(array, field, &zero),
                Home::Cell(array, field) if !info.path[place.path.len()..].contains(&Segment::Index(())) => {
                    let cell = Cell { array, index: place.flat.clone(), field };
                    self.state.memory.write(&cell, &zero);
                }
                // Some rows of several: each cell becomes 0 or stays.
                Home::Cell(array, field) => {
                    let range = if pointer { Interval::TOP } else { Interval::constant(0) };
                    self.state.memory.weaken(array, field, range);
                }
            }
        }
    }

    /// Assigns a whole struct.
    fn copy(&mut self, l: &Lvalue, e: &Expr) {
        let source = match &e.kind {
            ExprKind::Load(source) if source.ty == l.ty => Some(self.places(source, true)),
            _ => None,
        };
        let (from, to) = match (source, self.places(l, true)) {
            (Some(Places::Known(from)), Places::Known(to)) if from.len() == 1 && to.len() == 1 => {
                (from[0].clone(), to[0].clone())
            }
            (_, Places::Known(to)) if to.len() == 1 => return self.havoc(&to[0].block, &to[0].path, &to[0].flat),
            (_, to) => return self.havoc_places(&to),
        };
        let layout = &self.model.layout;
        let mut values = Vec::new();
        for leaf in layout.leaves_below(to.block, &to.path) {
            let info = layout.leaf(leaf);
            let rest = &info.path[to.path.len()..];
            let mut path = from.path.clone();
            path.extend(rest);
            if rest.contains(&Segment::Index(())) {
                values.push((leaf, None, Stored::default()));
                continue;
            }
            let place = Place { block: from.block, path, flat: from.flat.clone() };
            let origin = layout.leaf_at(place.block, &place.path);
            let stored = Stored {
                valid: origin.is_some_and(|o| self.state.valid.contains(&o)),
                targets: origin.and_then(|o| self.state.points_to.get(&o).cloned()),
            };
            let value = self.read(&place, info.range);
            // The value is copied first: the leaves of the target may be those of the source.
            let t = self.temporary();
            self.state.memory.assign(t, &value);
            values.push((leaf, Some(LinearExpr::var(t)), stored));
        }
        for (leaf, value, stored) in values {
            let info = self.model.layout.leaf(leaf);
            let place = Place { block: to.block, path: info.path.clone(), flat: to.flat.clone() };
            match (value, info.home) {
                (Some(value), _) => self.write(&place, &value, Some(&stored)),
                (None, Home::Cell(array, field)) => self.state.memory.weaken(array, field, info.range),
                (None, Home::Scalar(_)) => {}
            }
        }
    }
}

/// The state before anything runs: globals and the entry's parameters live, with arbitrary values
/// (the initialisers write what is known of the globals).
pub(super) fn entry_state<M: Memory>(model: &Model<'_>, top: M) -> State<M> {
    let mut evaluator = Evaluator::new(model, State::new(top));
    let parameters = &model.program.function(model.function).parameters;
    for v in model.program.globals.iter().chain(parameters) {
        evaluator.begin(BlockId::Variable(*v));
    }
    let (state, _) = evaluator.finish();
    debug_assert!(!state.is_bottom(), "the entry is reachable");
    state
}

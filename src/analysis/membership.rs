//! Whether concrete states lie in the abstract ones: the oracle of the soundness tests.
//!
//! [`Membership`] watches a run of the inlined program. Before each statement that it passes, the run's state must lie in the
//! abstract state of a node at which that statement stands (one of them, where peeling has made copies): scalars and single cells have the values that
//! they have, and all cells of an array together can be assigned to its groups.

use super::assignment::{self, Known};
use super::layout::{BlockId, Home, Layout, Segment};
use super::{AnalysisConfig, Error, Solved};
use crate::inline::Inlined;
use crate::interpreter::{ObjectOrigin, ObjectRef, Observer, Seen, State};
use crate::program::{Program, Stmt, StmtId, StmtKind, Type};
use petgraph::graph::NodeIndex;
use smalti_core::{Cell, Constraint, Facts, FieldId, Lattice, LinearExpr, Memory, Var};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The solved graph of a program, to hold runs against.
pub struct Checked<'a> {
    solved: Solved<'a>,
    /// By the address of a statement: the nodes before it.
    before: HashMap<StmtId, Vec<NodeIndex>>,
    /// By the address of a loop statement: the nodes at which its condition is tested.
    tests: HashMap<StmtId, Vec<NodeIndex>>,
    /// What is known at nodes that were asked for.
    facts: RefCell<HashMap<NodeIndex, Rc<Facts>>>,
}

impl<'a> Checked<'a> {
    /// Solves the graph of `inlined`.
    ///
    /// # Errors
    /// The stack cannot be had.
    pub fn new(inlined: &'a Inlined, config: &AnalysisConfig) -> Result<Checked<'a>, Error> {
        let solved = Solved::new(inlined, config)?;
        let mut before: HashMap<StmtId, Vec<NodeIndex>> = HashMap::new();
        for o in solved.cfg.occurrences.values().flatten() {
            // Jumps to a label arrive behind it.
            let node = if matches!(o.stmt.kind, StmtKind::Label(..)) { o.after } else { o.before };
            before.entry(o.stmt.id()).or_default().push(node);
        }
        let mut tests: HashMap<StmtId, Vec<NodeIndex>> = HashMap::new();
        for (node, stmt) in solved.cfg.evaluations() {
            if matches!(stmt.kind, StmtKind::Loop(_)) {
                tests.entry(stmt.id()).or_default().push(node);
            }
        }
        Ok(Checked { solved, before, tests, facts: RefCell::default() })
    }

    /// An observer for one run; it looks at no more than `limit` states.
    pub fn watch(&self, limit: usize) -> Membership<'_> {
        Membership { checked: self, left: limit, violation: None }
    }
}

/// Watches one run.
pub struct Membership<'a> {
    checked: &'a Checked<'a>,
    /// How many more states are looked at.
    pub left: usize,
    /// The first state that lies outside: where, and why.
    pub violation: Option<String>,
}

impl Observer for Membership<'_> {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        self.look(self.checked.before.get(&stmt.id()), stmt, state);
    }

    fn test(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        self.look(self.checked.tests.get(&stmt.id()), stmt, state);
    }
}

impl Membership<'_> {
    fn look(&mut self, nodes: Option<&Vec<NodeIndex>>, stmt: &Stmt, state: &State<'_, '_>) {
        // The graph is of the entry function alone: what runs inside calls that were left in place is not in it.
        if self.left == 0 || self.violation.is_some() || state.depth() != 1 {
            return;
        }
        let Some(nodes) = nodes else { return };
        self.left -= 1;
        let mut why = String::new();
        for node in nodes {
            match lies_in(self.checked, *node, state) {
                Ok(()) => return,
                Err(reason) => why = reason,
            }
        }
        let program = self.checked.solved.cfg.program;
        self.violation = Some(format!("{}: {why}", program.sources.describe(stmt.location)));
    }
}

/// Cells of an array that are looked at.
const CELLS: u64 = 24;

fn lies_in(checked: &Checked<'_>, node: NodeIndex, state: &State<'_, '_>) -> Result<(), String> {
    let solved = &checked.solved;
    let abstract_state = solved.solution.state(node);
    let layout = &solved.model.layout;
    let program = solved.cfg.program;
    if abstract_state.is_bottom() {
        return Err("a run comes here, and the abstract state says that none does".to_owned());
    }
    let mut memory = abstract_state.memory.clone();
    let mut heap: HashMap<BlockId, ObjectRef> = HashMap::new();
    // Scalars.
    for (n, leaf) in layout.leaves.iter().enumerate() {
        let (BlockId::Variable(v), Home::Scalar(var)) = (leaf.block, leaf.home) else { continue };
        let seen = if leaf.path.is_empty() {
            state.scalar(v)
        } else {
            let offset = leaf_number(program, state, &program.variable(v).ty, &leaf.path);
            state.object(v).zip(offset).and_then(|(object, leaf_no)| state.cell(object, leaf_no, &leaf.ty))
        };
        let name = || format!("{}{:?}", program.variable(v).name, leaf.path);
        match seen {
            Some(Seen::Int(value)) => {
                memory.assume(&equal(var, value));
                if memory.is_bottom() {
                    return Err(format!("{} = {value} is excluded", name()));
                }
            }
            Some(Seen::Pointer(object, at)) => {
                let targets = solved.model.pointers.of(super::layout::LeafId(n as u32));
                pointer(layout, state, targets, object, at, &mut heap)
                    .map_err(|e| format!("{}: {e}", name()))?
                    .map_or(Ok(()), |offset| {
                        memory.assume(&equal(var, offset));
                        if memory.is_bottom() {
                            return Err(format!("offset {offset} of {} is excluded", name()));
                        }
                        Ok(())
                    })?;
            }
            Some(Seen::Null) if abstract_state.valid.contains(&super::layout::LeafId(n as u32)) => {
                return Err(format!("{} is null", name()));
            }
            _ => {}
        }
    }
    // Arrays.
    let mut assigned = BTreeMap::new();
    for (n, info) in layout.arrays.iter().enumerate() {
        if info.prefix.iter().any(|s| *s != Segment::Index) {
            continue;
        }
        let object = match info.block {
            BlockId::Variable(v) => state.object(v),
            block => heap.get(&block).copied(),
        };
        let Some((ty, leaves)) = object.and_then(|o| state.shape(o)) else { continue };
        let Some(object) = object else { continue };
        let mut element = ty;
        let depth =
            info.prefix.len() - usize::from(matches!(info.block, BlockId::Heap(_)) && !matches!(ty, Type::Array(..)));
        for _ in 0..depth {
            let Type::Array(e, _) = element else { break };
            element = e;
        }
        let width = state.leaves(element).max(1);
        let count = leaves / width;
        memory.assume(&equal(info.length, i128::from(count)));
        if memory.is_bottom() {
            return Err(format!("length {count} of array {n} is excluded"));
        }
        let step = (count / CELLS).max(1);
        let mut cells = Vec::new();
        for k in (0..count).step_by(step as usize).chain(count.checked_sub(1)) {
            let mut one = memory.clone();
            let mut cell = Known { index: k.into(), fields: Vec::new() };
            for (field, leaf) in &info.fields {
                let leaf = layout.leaf(*leaf);
                let Some(inside) = leaf_number(program, state, element, &leaf.path[info.prefix.len()..]) else {
                    continue;
                };
                if let Some(Seen::Int(value)) = state.cell(object, k * width + inside, &leaf.ty) {
                    cell.fields.push((*field, value));
                    read_is(&mut one, smalti_core::ArrayId(n as u32), *field, k, value);
                    if one.is_bottom() {
                        return Err(format!(
                            "cell {k}{:?} of array {n} ({:?}) = {value} is excluded",
                            leaf.path, info.block
                        ));
                    }
                }
            }
            cells.push(cell);
        }
        if step == 1 {
            // The last one comes twice.
            cells.truncate(usize::try_from(count).unwrap_or(usize::MAX));
            assigned.insert(smalti_core::ArrayId(n as u32), cells);
        }
    }
    let known = checked.facts.borrow().get(&node).cloned();
    let facts = known.unwrap_or_else(|| {
        let facts = Rc::new(abstract_state.memory.facts());
        checked.facts.borrow_mut().insert(node, facts.clone());
        facts
    });
    assignment::check(&memory, &facts, &assigned)
}

fn read_is(memory: &mut impl Memory, array: smalti_core::ArrayId, field: FieldId, k: u64, value: i128) {
    // A number that no variable of the program has.
    let probe = Var::scalar(u32::MAX - field.0);
    memory.read(probe, &Cell { array, index: LinearExpr::constant(k.into()), field });
    memory.assume(&equal(probe, value));
}

fn equal(v: Var, value: i128) -> Constraint {
    Constraint::eq(&LinearExpr::var(v), &LinearExpr::constant(value)).expect("no overflow: one variable, one value")
}

/// The number of the leaf at a path without indexes, counted from the first leaf of an object of that type.
fn leaf_number(program: &Program, state: &State<'_, '_>, ty: &Type, path: &[Segment]) -> Option<u64> {
    let mut ty = ty;
    let mut number = 0;
    for segment in path {
        let (Segment::Field(n), Type::Struct(id)) = (segment, ty) else { return None };
        number += state.member_leaf(*id, *n)?;
        ty = &program.structure(*id).members.get(*n as usize)?.ty;
    }
    Some(number)
}

/// The offset that the pointer has in the abstract state, where it is easily told.
fn pointer(
    layout: &Layout,
    state: &State<'_, '_>,
    targets: &super::pointers::Targets,
    object: ObjectRef,
    at: i64,
    heap: &mut HashMap<BlockId, ObjectRef>,
) -> Result<Option<i128>, String> {
    let Some(origin) = state.origin(object) else { return Ok(None) };
    let mut candidates = targets.set.iter().filter(|t| match (origin, t.block) {
        (ObjectOrigin::Variable { variable, .. }, BlockId::Variable(v)) => variable == v,
        (ObjectOrigin::Heap { .. }, BlockId::Heap(_)) => true,
        _ => false,
    });
    let first = candidates.next();
    if targets.anywhere {
        return Ok(None);
    }
    let Some(target) = first else { return Err("it points to something that it never should".to_owned()) };
    if candidates.next().is_some() || targets.set.len() != 1 || layout.untracked.contains(&target.block) {
        return Ok(None);
    }
    if matches!(target.block, BlockId::Heap(_)) {
        heap.insert(target.block, object);
    }
    let (Some((ty, _)), [Segment::Index]) = (state.shape(object), &target.path[..]) else { return Ok(None) };
    let element = match ty {
        Type::Array(element, _) => element,
        ty => ty,
    };
    let width = i64::try_from(state.leaves(element)).unwrap_or(1).max(1);
    Ok((at % width == 0).then_some(i128::from(at / width)))
}

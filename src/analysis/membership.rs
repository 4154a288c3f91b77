//! Checks that concrete states lie in the abstract ones: the oracle of the soundness tests.
//!
//! [`Membership`] watches a run of the inlined program. Before each statement of the run, its state
//! must lie in the abstract state of a node at which that statement stands. If peeling has made
//! copies, one of their nodes is enough. Scalars and single cells must be able to have their
//! concrete values. All cells of an array together must be assignable to its groups.

use super::assignment::{self, ConcreteCell};
use super::layout::{ArrayInfo, BlockId, Home, Layout, LeafId, Segment};
use super::{AnalysisConfig, Error, Solved};
use crate::inline::Inlined;
use crate::interpreter::{ObjectOrigin, ObjectRef, Observer, Seen, State};
use crate::program::{Program, Stmt, StmtId, StmtKind, Type};
use petgraph::graph::NodeIndex;
use smalti_core::{ArrayId, Cell, Constraint, Facts, FieldId, Lattice, LinearExpr, Memory, Var};
use smalti_stack::AnyState;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The solved graph of a program, against which runs are checked.
pub struct Checked<'a> {
    solved: Solved<'a>,
    /// By the address of a statement: the nodes before it.
    before: HashMap<StmtId, Vec<NodeIndex>>,
    /// By the address of a loop statement: the nodes at which its condition is tested.
    tests: HashMap<StmtId, Vec<NodeIndex>>,
    /// Facts at nodes, computed on demand.
    facts: RefCell<HashMap<NodeIndex, Rc<Facts>>>,
}

impl<'a> Checked<'a> {
    /// Solves the graph of `inlined`.
    ///
    /// # Errors
    /// The stack is not available.
    pub fn new(inlined: &'a Inlined, config: &AnalysisConfig) -> Result<Checked<'a>, Error> {
        let solved = Solved::new(inlined, config)?;
        let mut before: HashMap<StmtId, Vec<NodeIndex>> = HashMap::new();
        for o in solved.cfg.occurrences.values().flatten() {
            // Jumps to a label arrive after it.
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

    /// An observer for one run; it checks no more than `limit` states.
    pub fn watch(&self, limit: usize) -> Membership<'_> {
        Membership { checked: self, left: limit, violation: None }
    }
}

/// Watches one run.
pub struct Membership<'a> {
    checked: &'a Checked<'a>,
    /// How many more states are checked.
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
        // The graph is of the entry function alone. It does not contain what runs inside calls that
        // were not inlined.
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

/// The most cells of an array that are checked.
const CELLS: u64 = 24;

fn lies_in(checked: &Checked<'_>, node: NodeIndex, state: &State<'_, '_>) -> Result<(), String> {
    let solved = &checked.solved;
    let abstract_state = solved.solution.state(node);
    if abstract_state.is_bottom() {
        return Err("a run comes here, and the abstract state says that none does".to_owned());
    }
    let mut comparison =
        Comparison { solved, abstract_state, state, memory: abstract_state.memory.clone(), heap: HashMap::new() };
    comparison.scalars()?;
    let assigned = comparison.arrays()?;
    let known = checked.facts.borrow().get(&node).cloned();
    let facts = known.unwrap_or_else(|| {
        let facts = Rc::new(abstract_state.memory.facts());
        checked.facts.borrow_mut().insert(node, facts.clone());
        facts
    });
    assignment::check(&comparison.memory, &facts, &assigned)
}

/// A concrete state that is compared with an abstract one.
struct Comparison<'c> {
    solved: &'c Solved<'c>,
    abstract_state: &'c super::State<AnyState>,
    state: &'c State<'c, 'c>,
    /// The abstract memory, restricted to the values seen so far.
    memory: AnyState,
    /// Heap blocks that pointers have led to.
    heap: HashMap<BlockId, ObjectRef>,
}

/// The cells of an array.
struct Cells<'c> {
    array: ArrayId,
    info: &'c ArrayInfo,
    object: ObjectRef,
    element: &'c Type,
    /// Leaves of an element.
    width: u64,
}

impl<'c> Comparison<'c> {
    /// Checks that scalars may have their concrete values.
    fn scalars(&mut self) -> Result<(), String> {
        let Solved { model, cfg, .. } = self.solved;
        let program = cfg.program;
        for (n, leaf) in model.layout.leaves.iter().enumerate() {
            let (BlockId::Variable(v), Home::Scalar(var)) = (leaf.block, leaf.home) else { continue };
            let id = LeafId(n as u32);
            let seen = if leaf.path.is_empty() {
                self.state.scalar(v)
            } else {
                let offset = leaf_number(program, self.state, &program.variable(v).ty, &leaf.path);
                self.state.object(v).zip(offset).and_then(|(object, no)| self.state.cell(object, no, &leaf.ty))
            };
            let name = || format!("{}{:?}", program.variable(v).shown(), leaf.path);
            match seen {
                Some(Seen::Int(value)) if !self.admits(var, value) => {
                    return Err(format!("{} = {value} is excluded", name()));
                }
                Some(Seen::Pointer(object, at)) => {
                    let targets = self.abstract_state.points_to.get(&id).unwrap_or_else(|| model.pointers.of(id));
                    let offset = pointer(&model.layout, self.state, targets, object, at, &mut self.heap)
                        .map_err(|e| format!("{}: {e}", name()))?;
                    if let Some(offset) = offset
                        && !self.admits(var, offset)
                    {
                        return Err(format!("offset {offset} of {} is excluded", name()));
                    }
                }
                Some(Seen::Null) if self.abstract_state.valid.contains(&id) => {
                    return Err(format!("{} is null", name()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Assumes that a variable has a value. Returns whether it may have that value.
    fn admits(&mut self, var: Var, value: i128) -> bool {
        self.memory.assume(&equal(var, value));
        !self.memory.is_bottom()
    }

    /// Checks that single cells may have their concrete values. Returns the cells of the arrays
    /// that are small enough to be assigned to groups.
    fn arrays(&mut self) -> Result<BTreeMap<ArrayId, Vec<ConcreteCell>>, String> {
        let mut assigned = BTreeMap::new();
        for (n, info) in self.solved.model.layout.arrays.iter().enumerate() {
            if info.prefix.iter().any(|s| !s.is_index()) {
                continue;
            }
            let object = match info.block {
                BlockId::Variable(v) => self.state.object(v),
                block => self.heap.get(&block).copied(),
            };
            let Some((ty, leaves)) = object.and_then(|o| self.state.shape(o)) else { continue };
            let Some(object) = object else { continue };
            let element = element(info, ty);
            let width = self.state.leaves(element).max(1);
            let count = leaves / width;
            if !self.admits(info.length, i128::from(count)) {
                return Err(format!("length {count} of array {n} is excluded"));
            }
            let step = (count / CELLS).max(1);
            let one = Cells { array: ArrayId(n as u32), info, object, element, width };
            let mut cells = Vec::new();
            for k in (0..count).step_by(step as usize).chain(count.checked_sub(1)) {
                cells.push(self.cell(&one, k)?);
            }
            if step == 1 {
                // The last cell is listed twice.
                cells.truncate(usize::try_from(count).unwrap_or(usize::MAX));
                assigned.insert(one.array, cells);
            }
        }
        Ok(assigned)
    }

    /// The values of a cell; an error if the abstract state excludes one of them.
    fn cell(&self, cells: &Cells<'_>, k: u64) -> Result<ConcreteCell, String> {
        let Cells { array, info, object, element, width } = *cells;
        let mut one = self.memory.clone();
        let mut cell = ConcreteCell { index: k.into(), fields: Vec::new() };
        for (field, leaf) in &info.fields {
            let leaf = self.solved.model.layout.leaf(*leaf);
            let path = &leaf.path[info.prefix.len()..];
            let Some(inside) = leaf_number(self.solved.cfg.program, self.state, element, path) else { continue };
            if let Some(Seen::Int(value)) = self.state.cell(object, k * width + inside, &leaf.ty) {
                cell.fields.push((*field, value));
                read_is(&mut one, array, *field, k, value);
                if one.is_bottom() {
                    let n = array.0;
                    return Err(format!(
                        "cell {k}{:?} of array {n} ({:?}) = {value} is excluded",
                        leaf.path, info.block
                    ));
                }
            }
        }
        Ok(cell)
    }
}

/// The type of the elements of an array, in an object of type `ty`.
fn element<'t>(info: &ArrayInfo, ty: &'t Type) -> &'t Type {
    let one_less = matches!(info.block, BlockId::Heap(_)) && !matches!(ty, Type::Array(..));
    let mut element = ty;
    for _ in 0..info.prefix.len() - usize::from(one_less) {
        let Type::Array(e, _) = element else { break };
        element = e;
    }
    element
}

fn read_is(memory: &mut impl Memory, array: ArrayId, field: FieldId, k: u64, value: i128) {
    // A number that no variable of the program has.
    let probe = Var::scalar(u32::MAX - field.0);
    memory.read(probe, &Cell { array, index: LinearExpr::constant(k.into()), field });
    memory.assume(&equal(probe, value));
}

fn equal(v: Var, value: i128) -> Constraint {
    Constraint::eq(&LinearExpr::var(v), &LinearExpr::constant(value)).expect("no overflow: one variable, one value")
}

/// The number of the leaf at a path without indexes, counted from the first leaf of an object of
/// that type.
fn leaf_number(program: &Program, state: &State<'_, '_>, ty: &Type, path: &[Segment]) -> Option<u64> {
    program.type_at(ty, path)?;
    let mut number = 0;
    for segment in path {
        let Segment::Field(id, n) = segment else { return None };
        number += state.member_leaf(*id, *n)?;
    }
    Some(number)
}

/// The offset that the pointer has in the abstract state, if it is easy to determine.
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
    let (Some((ty, _)), [Segment::Index(())]) = (state.shape(object), &target.path[..]) else { return Ok(None) };
    let element = match ty {
        Type::Array(element, _) => element,
        ty => ty,
    };
    let width = i64::try_from(state.leaves(element)).unwrap_or(1).max(1);
    Ok((at % width == 0).then_some(i128::from(at / width)))
}

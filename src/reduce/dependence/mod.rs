//! The program dependence graph, over all functions without inlining them.
//!
//! **Meaning.** A node depends on another as *data* if it may read what the other wrote last, and
//! as *control* if the other decides whether it runs. Data dependence inside a function comes from
//! reaching definitions. A call defines what the function and all that it calls may write, and does
//! not kill what they are not certain to overwrite. If the definition is the entry of a function,
//! the value comes from its callers. If it is a call, the value comes from the exit of the called
//! function. The code that walks the graph decides which calls count, so that the kept part of a
//! function is right for each kept call.
//!
//! **Sources, and where we differ.** Kumar 2019, section 4.1: *sum-gen-defs* of a function are what
//! [`Dependence`] computes as the definitions that reach its exit; *sum-kill-defs* are the places
//! whose value at the entry does not. Horwitz, Reps, Binkley (TOPLAS 1990) for the calls. Binkley
//! (1993) for slices that can be run: a parameter that counts for one kept call counts for each.
//!
//! **Limits.** Undefined behaviour is no dependence: a statement that is not kept does not end the
//! run. Loops that do not end keep nothing from running. The effects of unknown code depend only on
//! its arguments.

mod calls;
mod control;
mod flow;
mod places;
mod queries;
mod reaching;

pub use flow::{NodeId, Role, StmtNodes};

use crate::program::{
    AssertionId, Base, Callee, Expr, FunctionId, Lvalue, Part, Program, SiteId, Stmt, StmtKind, Type, Use, VarId,
    each_part, each_part_of_expr, each_part_of_lvalue,
};
use crate::reduce::Refusal;
use control::Control;
use flow::{Ends, Flow};
use places::{PlaceId, Places};
use reaching::{Reaching, Writes};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The dependence graph of a program.
pub struct Dependence<'p> {
    /// The program.
    pub program: &'p Program,
    places: Places<'p>,
    flow: Flow<'p>,
    control: Control,
    /// By function; `None` for those without a body or that nothing calls.
    reaching: Vec<Option<Reaching>>,
    writes: Vec<Writes>,
    reads: Vec<Vec<PlaceId>>,
    /// The call of the entry function.
    start: NodeId,
    ends: Vec<Ends>,
    /// The calls of each function that stand in called functions.
    callers: Vec<Vec<NodeId>>,
    recursive: Vec<bool>,
    address_taken: Vec<FunctionId>,
    /// The nodes that each assertion stands at.
    assertions: BTreeMap<AssertionId, Vec<NodeId>>,
    /// The nodes of each statement.
    statements: HashMap<SiteId, Vec<NodeId>>,
    declares: HashMap<VarId, Vec<NodeId>>,
    returns: Vec<Vec<NodeId>>,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// That node wrote it.
    Node(NodeId),
    /// A function that this call runs wrote it, to this place.
    Call(NodeId, u32),
    /// The place held it when the function was entered.
    Entry(u32),
}

impl<'p> Dependence<'p> {
    /// Builds the graph of a program.
    ///
    /// # Errors
    /// The program is too large for the graph.
    pub fn new(program: &'p Program) -> Result<Dependence<'p>, Refusal> {
        let places = Places::new(program);
        let address_taken = places::address_taken_functions(program);
        let calls = calls::call_graph(program, &address_taken);
        let ends = calls::ends(program, &calls);
        let count = program.functions.len();
        let mut flow = Flow::default();
        for n in 0..count {
            flow::build(&mut flow, program, Some(FunctionId(n as u32)), &ends, &address_taken);
        }
        let start = flow::build(&mut flow, program, None, &ends, &address_taken).unwrap_or(0);
        let nodes = flow.roles.len();
        let bounds: Vec<Option<(NodeId, NodeId)>> = (0..=count).map(bounds_of(&flow, nodes)).collect();
        let mut control = Control::default();
        bounds.iter().flatten().for_each(|&(first, end)| control.add(&flow, first, end));
        let (reached, recursive, order) = calls::orders(program, &calls);
        let mut graph = Dependence {
            program,
            places,
            control,
            reaching: Vec::new(),
            writes: vec![Vec::new(); nodes],
            reads: vec![Vec::new(); nodes],
            start,
            ends,
            callers: vec![Vec::new(); count],
            recursive,
            address_taken,
            assertions: BTreeMap::new(),
            statements: HashMap::new(),
            declares: HashMap::new(),
            returns: vec![Vec::new(); count + 1],
            flow,
        };
        graph.index(&reached);
        graph.define(&bounds, &order)?;
        Ok(graph)
    }

    /// Builds the indexes of nodes, and notes what each node reads and writes by itself.
    fn index(&mut self, reached: &[bool]) {
        let program = self.program;
        for n in 0..self.flow.roles.len() {
            let id = n as NodeId;
            let f = self.flow.function[n];
            let inside = f == program.functions.len() || reached[f];
            if let Some(stmt) = self.flow.roles[n].stmt() {
                self.statements.entry(stmt.site).or_default().push(id);
            }
            match self.flow.roles[n] {
                Role::Entry | Role::Exit => {}
                Role::Label => {
                    if id == self.start && inside {
                        self.callers[program.entry.0 as usize].push(id);
                    }
                }
                Role::Call(stmt) => {
                    if inside {
                        for g in self.callees(stmt) {
                            self.callers[g.0 as usize].push(id);
                        }
                    }
                    let StmtKind::Call { callee, arguments, .. } = &stmt.kind else { continue };
                    if places::is_opaque(program, callee) {
                        if let Callee::Pointer(e) = callee {
                            self.read_expr(id, e);
                        }
                        arguments.iter().for_each(|a| self.read_expr(id, a));
                        self.write_escaped(id);
                    }
                }
                Role::Argument(stmt, k) => {
                    if let StmtKind::Call { arguments, .. } = &stmt.kind
                        && let Some(a) = arguments.get(k as usize)
                    {
                        self.read_expr(id, a);
                    }
                }
                Role::Result(stmt) => {
                    if let StmtKind::Call { target: Some(target), .. } = &stmt.kind {
                        let mut parts = Vec::new();
                        each_part_of_lvalue(target, Use::Write, &mut |part| parts.push(part));
                        parts.into_iter().for_each(|part| self.part(id, part));
                        self.write(id, target, f);
                    }
                }
                Role::Predicate(stmt) | Role::Assume(stmt) | Role::Jump(stmt) | Role::Plain(stmt) => {
                    self.statement(id, stmt, f);
                    match &stmt.kind {
                        StmtKind::Assert(_, a) => self.assertions.entry(*a).or_default().push(id),
                        StmtKind::Claim(claim) => {
                            if let Some(a) = claim.role.assertion() {
                                self.assertions.entry(a).or_default().push(id);
                            }
                        }
                        StmtKind::Declare(v) => self.declares.entry(*v).or_default().push(id),
                        StmtKind::Return(Some(_)) => self.returns[f].push(id),
                        _ => {}
                    }
                }
            }
        }
        for reads in &mut self.reads {
            reads.sort_unstable();
            reads.dedup();
        }
    }

    fn statement(&mut self, id: NodeId, stmt: &'p Stmt, f: usize) {
        let mut parts = Vec::new();
        each_part(stmt, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.part(id, part));
        match &stmt.kind {
            StmtKind::Assign(l, _)
            | StmtKind::Input(l, _)
            | StmtKind::Zero(l)
            | StmtKind::Havoc(l)
            | StmtKind::Allocate { target: l, .. } => {
                self.read_lengths(id, &l.ty);
                self.write(id, l, f);
                if let StmtKind::Allocate { element, .. } = &stmt.kind {
                    self.read_lengths(id, element);
                    self.write_block(id, stmt);
                }
            }
            StmtKind::Declare(v) => {
                let ty = &self.program.variable(*v).ty;
                self.read_lengths(id, ty);
                // A new object: it keeps nothing of the old one.
                let whole = self.is_one(*v, f);
                let places = self.places.of_variable(*v);
                self.writes[id as usize].extend(places.map(|p| (p, whole)));
            }
            StmtKind::HavocReachable(_) => self.write_escaped(id),
            StmtKind::Claim(claim) => claim.formula.each_place(&mut |place| {
                let places = self.places.of_place(place).places;
                self.reads[id as usize].extend(places.into_iter().flatten());
            }),
            _ => {}
        }
    }

    /// Whether a place of this function can mean only one object of the variable.
    fn is_one(&self, v: VarId, f: usize) -> bool {
        let recursive = self.recursive.get(f).copied().unwrap_or(false);
        !(recursive && self.places.is_address_taken(v))
    }

    fn read_expr(&mut self, id: NodeId, e: &'p Expr) {
        let mut parts = Vec::new();
        each_part_of_expr(e, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.part(id, part));
    }

    fn part(&mut self, id: NodeId, part: Part<'p>) {
        match part {
            // Types that mention lengths are written with them, and checks read them.
            Part::Expr(e) => self.read_lengths(id, &e.ty),
            Part::Lvalue(l, how) => {
                if let Base::Var(v) = l.base {
                    let ty = &self.program.variable(v).ty;
                    self.read_lengths(id, ty);
                }
                if how == Use::Read {
                    let places = self.places.access(l).places;
                    self.reads[id as usize].extend(places.into_iter().flatten());
                }
            }
        }
    }

    fn read_lengths(&mut self, id: NodeId, ty: &Type) {
        for v in ty.lengths() {
            self.reads[id as usize].extend(self.places.of_variable(v));
        }
    }

    fn write(&mut self, id: NodeId, l: &Lvalue, f: usize) {
        let access = self.places.access(l);
        let one = match l.base {
            Base::Var(v) => self.is_one(v, f),
            Base::Deref(_) => false,
        };
        let writes = &mut self.writes[id as usize];
        for p in access.places.into_iter().flatten() {
            if !writes.iter().any(|w| w.0 == p) {
                writes.push((p, access.whole && one));
            }
        }
    }

    /// A new block holds zeros or arbitrary values; older blocks of the allocation keep theirs.
    fn write_block(&mut self, id: NodeId, stmt: &Stmt) {
        let Some(places) = self.places.of_block(stmt.site) else { return };
        let writes = &mut self.writes[id as usize];
        for p in places {
            match writes.iter_mut().find(|w| w.0 == p) {
                Some(w) => w.1 = false,
                None => writes.push((p, false)),
            }
        }
    }

    fn write_escaped(&mut self, id: NodeId) {
        let escaped = self.places.escaped();
        self.writes[id as usize].extend(escaped.into_iter().flatten().map(|p| (p, false)));
    }

    /// The functions that a call may run.
    pub fn callees(&self, stmt: &Stmt) -> Vec<FunctionId> {
        match &stmt.kind {
            StmtKind::Call { callee, .. } => places::callees(self.program, callee, &self.address_taken),
            _ => Vec::new(),
        }
    }

    /// The functions that a call node may run, the start of the program included.
    pub fn called(&self, node: NodeId) -> Vec<FunctionId> {
        match self.flow.roles[node as usize] {
            Role::Call(stmt) => self.callees(stmt),
            _ if node == self.start => vec![self.program.entry],
            _ => Vec::new(),
        }
    }

    /// Whether a call runs code that is not known, so that its arguments count as a whole.
    pub fn is_opaque(&self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Call { callee, .. } if places::is_opaque(self.program, callee))
    }

    /// Whether functions other than the variable's own can see the place.
    fn is_shared(&self, place: PlaceId) -> bool {
        match self.places.variable_of(place) {
            Some(v) => {
                self.program.variable(v).storage == crate::program::Storage::Global || self.places.is_address_taken(v)
            }
            None => true,
        }
    }

    /// Computes reaching definitions, callees before callers.
    fn define(&mut self, bounds: &[Option<(NodeId, NodeId)>], order: &[Vec<usize>]) -> Result<(), Refusal> {
        let count = bounds.len();
        self.reaching = (0..count).map(|_| None).collect();
        // What each function and all its callees may touch and write, among the places that others
        // see.
        let mut touched = vec![BTreeSet::new(); count];
        let mut written = vec![BTreeSet::new(); count];
        let mut certain: Vec<BTreeSet<PlaceId>> = vec![BTreeSet::new(); count];
        let mut budget = MOST_DEFINITIONS;
        for component in order {
            let (mut all, mut changed): (BTreeSet<PlaceId>, BTreeSet<PlaceId>) = Default::default();
            let mut private = HashMap::new();
            for &f in component {
                let Some((first, end)) = bounds[f] else { continue };
                let mut own = BTreeSet::new();
                for n in first..end {
                    for &(p, _) in &self.writes[n as usize] {
                        if self.is_shared(p) {
                            all.insert(p);
                            changed.insert(p);
                        }
                    }
                    for &p in &self.reads[n as usize] {
                        if self.is_shared(p) {
                            all.insert(p)
                        } else {
                            own.insert(p)
                        };
                    }
                    for g in self.called(n) {
                        all.extend(&touched[g.0 as usize]);
                        changed.extend(&written[g.0 as usize]);
                    }
                }
                private.insert(f, own);
            }
            for &f in component {
                let Some((first, end)) = bounds[f] else { continue };
                touched[f].clone_from(&all);
                written[f].clone_from(&changed);
                for n in first..end {
                    self.add_calls(n, component, &changed, &written, &certain);
                }
                // Values from before the call: those of everything shared, and of the parameters.
                let entry = all.iter().chain(private.get(&f).into_iter().flatten());
                self.writes[first as usize] = entry.map(|&p| (p, false)).collect();
                let definitions = (first..end).map(|n| self.writes[n as usize].len()).sum::<usize>();
                budget = budget.checked_sub(definitions).ok_or_else(too_large)?;
                let reaching = Reaching::new(first, end, &self.flow.flow, &self.writes).ok_or_else(too_large)?;
                let exit = first + 1;
                certain[f] = changed
                    .iter()
                    .copied()
                    .filter(|&p| !reaching.definitions(exit, p, &self.writes).contains(&first))
                    .collect();
                self.reaching[f] = Some(reaching);
            }
        }
        Ok(())
    }

    /// Adds what a call may write through its callees. In a recursion no write is certain.
    fn add_calls(
        &mut self,
        n: NodeId,
        component: &[usize],
        recursive: &BTreeSet<PlaceId>,
        written: &[BTreeSet<PlaceId>],
        certain: &[BTreeSet<PlaceId>],
    ) {
        let called = self.called(n);
        let opaque = match self.flow.roles[n as usize] {
            Role::Call(stmt) => self.is_opaque(stmt),
            _ => false,
        };
        let mut more: BTreeMap<PlaceId, bool> = BTreeMap::new();
        for g in called {
            let g = g.0 as usize;
            if component.contains(&g) {
                recursive.iter().for_each(|&p| {
                    more.insert(p, false);
                });
            } else {
                for &p in &written[g] {
                    more.insert(p, !opaque && certain[g].contains(&p));
                }
            }
        }
        if more.is_empty() {
            return;
        }
        for &(p, _) in &self.writes[n as usize] {
            more.insert(p, false);
        }
        self.writes[n as usize] = more.into_iter().collect();
    }

    fn bounds(&self, f: usize) -> Option<(NodeId, NodeId)> {
        bounds_of(&self.flow, self.flow.roles.len())(f)
    }
}

/// The most definitions that are kept.
const MOST_DEFINITIONS: usize = 20_000_000;

fn too_large() -> Refusal {
    Refusal::of_all("the program is too large for a dependence graph")
}

fn bounds_of<'f>(flow: &'f Flow<'_>, nodes: usize) -> impl FnMut(usize) -> Option<(NodeId, NodeId)> + 'f {
    move |f| {
        let first = flow.entries[f]?;
        let end = flow.entries[f + 1..].iter().flatten().next().copied();
        Some((first, end.unwrap_or(nodes as NodeId)))
    }
}

//! Builds the flow graph of each function, with a node for each atomic statement.
//!
//! **Meaning.** A call is several nodes: one for each argument (which it assigns to a parameter),
//! the call itself, and the assignment of the result. There are two kinds of edges. *Flow* edges
//! are the steps of runs. *Way* edges, labelled with the outcome of a predicate, are what control
//! dependence is computed from. Both branches of a condition are ways, even if it is constant. A
//! jump is a predicate too, which always jumps: its other way leads to the next statement in the
//! text. So whatever a jump keeps from running depends on it (Ball and Horwitz 1993; Choi and
//! Ferrante 1994), and every node has a way to the end. An assumption, and a call of a function
//! that may end the run, has a way to the end of the function.

use crate::program::{Block, Callee, Claim, ClaimRole, FunctionId, LabelId, LoopKind, Program, Stmt, StmtId, StmtKind};
use std::collections::HashMap;

/// A node, by its number among those of all functions.
pub type NodeId = u32;

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub enum Role<'p> {
    /// Where a function is entered.
    Entry,
    /// Where a function returns.
    Exit,
    /// The condition of an `If` or of a loop.
    Predicate(&'p Stmt),
    /// An assumption.
    Assume(&'p Stmt),
    /// A jump: `Goto Break Continue Return Stop`.
    Jump(&'p Stmt),
    /// An argument of a call, which is assigned to the parameter of that number.
    Argument(&'p Stmt, u32),
    /// A call of one of the functions with a body, after its arguments have been assigned.
    Call(&'p Stmt),
    /// The assignment of a call's result.
    Result(&'p Stmt),
    /// A label.
    Label,
    /// Any other statement.
    Plain(&'p Stmt),
}

impl<'p> Role<'p> {
    /// The statement that the node belongs to.
    pub fn stmt(self) -> Option<&'p Stmt> {
        match self {
            Role::Entry | Role::Exit | Role::Label => None,
            Role::Predicate(s)
            | Role::Assume(s)
            | Role::Jump(s)
            | Role::Argument(s, _)
            | Role::Call(s)
            | Role::Result(s)
            | Role::Plain(s) => Some(s),
        }
    }
}

/// The nodes that a statement of the program has.
#[derive(Clone, Debug, Default)]
pub struct StmtNodes {
    /// The statement itself, or the call.
    pub main: Option<NodeId>,
    /// The arguments of a call.
    pub arguments: Vec<NodeId>,
    /// The assignment of a call's result.
    pub result: Option<NodeId>,
}

/// The nodes and edges of all functions.
#[derive(Default)]
pub(super) struct Flow<'p> {
    pub(super) roles: Vec<Role<'p>>,
    /// Which function each node belongs to; the number of functions for the start of the program.
    pub(super) function: Vec<usize>,
    pub(super) flow: Vec<Vec<NodeId>>,
    pub(super) ways: Vec<Vec<(NodeId, bool)>>,
    /// By function: its first node, which is its entry. The exit is the next node.
    pub(super) entries: Vec<Option<NodeId>>,
    /// By the address of the statement.
    pub(super) of_stmt: HashMap<StmtId, StmtNodes>,
}

/// Whether the run may end inside a function, or inside what it calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ends {
    /// By a `Stop`.
    pub(super) stops: bool,
    /// By an assumption.
    pub(super) assumes: bool,
}

/// Whether a statement assumes something.
pub(super) fn assumes(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assume(_) => true,
        StmtKind::Claim(claim) => matches!(**claim, Claim { role: ClaimRole::Assume | ClaimRole::Follows, .. }),
        _ => false,
    }
}

struct Builder<'f, 'p> {
    flow: &'f mut Flow<'p>,
    program: &'p Program,
    ends: &'f [Ends],
    address_taken: &'f [FunctionId],
    function: usize,
    exit: NodeId,
    labels: HashMap<LabelId, NodeId>,
    gotos: Vec<(NodeId, LabelId, NodeId)>,
    /// Where `break` and `continue` go.
    loops: Vec<(NodeId, NodeId)>,
}

/// Builds the graph of one function; `None` for the start of the program: the initialisers, then
/// the call of the entry function.
pub(super) fn build<'p>(
    flow: &mut Flow<'p>,
    program: &'p Program,
    function: Option<FunctionId>,
    ends: &[Ends],
    address_taken: &[FunctionId],
) -> Option<NodeId> {
    let number = function.map_or(program.functions.len(), |f| f.0 as usize);
    let body = match function {
        Some(f) => program.function(f).body.as_ref(),
        None => Some(&program.initialisers),
    };
    let Some(body) = body else {
        flow.entries.push(None);
        return None;
    };
    let mut builder = Builder {
        flow,
        program,
        ends,
        address_taken,
        function: number,
        exit: 0,
        labels: HashMap::new(),
        gotos: Vec::new(),
        loops: Vec::new(),
    };
    let entry = builder.node(Role::Entry);
    builder.exit = builder.node(Role::Exit);
    let exit = builder.exit;
    let mut end = exit;
    let mut call = None;
    if function.is_none() {
        end = builder.node(Role::Label);
        builder.go(end, exit);
        builder.way(end, exit, true);
        call = Some(end);
    }
    let first = builder.block(body, end);
    builder.go(entry, first);
    builder.way(entry, first, true);
    for (from, label, next) in std::mem::take(&mut builder.gotos) {
        // A missing label is a bug in the code that built the program: the jump then goes nowhere.
        if let Some(&to) = builder.labels.get(&label) {
            builder.go(from, to);
            builder.way(from, to, true);
        }
        builder.way(from, next, false);
    }
    flow.entries.push(Some(entry));
    call
}

impl<'p> Builder<'_, 'p> {
    fn node(&mut self, role: Role<'p>) -> NodeId {
        let id = NodeId::try_from(self.flow.roles.len()).expect("fewer than 2^32 nodes");
        self.flow.roles.push(role);
        self.flow.function.push(self.function);
        self.flow.flow.push(Vec::new());
        self.flow.ways.push(Vec::new());
        id
    }

    /// Adds a node for a statement, by which the node is found.
    fn main(&mut self, stmt: &'p Stmt, role: Role<'p>) -> NodeId {
        let id = self.node(role);
        self.flow.of_stmt.entry(stmt.id()).or_default().main = Some(id);
        id
    }

    fn go(&mut self, from: NodeId, to: NodeId) {
        self.flow.flow[from as usize].push(to);
    }

    fn way(&mut self, from: NodeId, to: NodeId, which: bool) {
        self.flow.ways[from as usize].push((to, which));
    }

    /// Adds an edge of both kinds.
    fn straight(&mut self, from: NodeId, to: NodeId) -> NodeId {
        self.go(from, to);
        self.way(from, to, true);
        from
    }

    fn branch(&mut self, from: NodeId, condition: Option<i128>, yes: NodeId, no: NodeId) {
        if condition != Some(0) {
            self.go(from, yes);
        }
        if condition.is_none_or(|c| c == 0) {
            self.go(from, no);
        }
        self.way(from, yes, true);
        self.way(from, no, false);
    }

    /// Builds statements that `next` follows, from the last to the first. Returns the node that
    /// they start at. Recursion follows nesting only.
    fn block(&mut self, block: &'p Block, next: NodeId) -> NodeId {
        block.iter().rev().fold(next, |next, stmt| self.stmt(stmt, next))
    }

    fn jump(&mut self, stmt: &'p Stmt, to: Option<NodeId>, next: NodeId) -> NodeId {
        let id = self.main(stmt, Role::Jump(stmt));
        if let Some(to) = to {
            self.go(id, to);
        }
        self.way(id, to.unwrap_or(self.exit), true);
        self.way(id, next, false);
        id
    }

    fn stmt(&mut self, stmt: &'p Stmt, next: NodeId) -> NodeId {
        match &stmt.kind {
            StmtKind::If(condition, a, b) => {
                let id = self.main(stmt, Role::Predicate(stmt));
                let yes = self.block(a, next);
                let no = self.block(b, next);
                self.branch(id, condition.as_int(), yes, no);
                id
            }
            StmtKind::Loop(l) => {
                let test = self.main(stmt, Role::Predicate(stmt));
                let step = self.block(&l.step, test);
                self.loops.push((next, step));
                let body = self.block(&l.body, step);
                self.loops.pop();
                self.branch(test, l.condition.as_int(), body, next);
                if l.kind == LoopKind::DoWhile { body } else { test }
            }
            StmtKind::Block(b) => self.block(b, next),
            StmtKind::Label(label, _) => {
                let id = self.main(stmt, Role::Label);
                self.labels.insert(*label, id);
                self.straight(id, next)
            }
            StmtKind::Goto(label) => {
                let id = self.main(stmt, Role::Jump(stmt));
                self.gotos.push((id, *label, next));
                id
            }
            StmtKind::Break => {
                let to = self.loops.last().map_or(self.exit, |l| l.0);
                self.jump(stmt, Some(to), next)
            }
            StmtKind::Continue => {
                let to = self.loops.last().map_or(self.exit, |l| l.1);
                self.jump(stmt, Some(to), next)
            }
            StmtKind::Return(_) => self.jump(stmt, Some(self.exit), next),
            StmtKind::Stop => self.jump(stmt, None, next),
            StmtKind::Call { target, callee, arguments } => {
                let next = match target {
                    Some(_) => {
                        let id = self.node(Role::Result(stmt));
                        self.flow.of_stmt.entry(stmt.id()).or_default().result = Some(id);
                        self.straight(id, next)
                    }
                    None => next,
                };
                let call = self.main(stmt, Role::Call(stmt));
                self.straight(call, next);
                let ends = self.ends_of(callee);
                if ends.stops || ends.assumes {
                    self.way(call, self.exit, false);
                }
                if super::places::is_opaque(self.program, callee) {
                    return call;
                }
                let mut first = call;
                let mut nodes = Vec::new();
                for n in (0..arguments.len()).rev() {
                    let id = self.node(Role::Argument(stmt, n as u32));
                    nodes.push(id);
                    first = self.straight(id, first);
                }
                nodes.reverse();
                self.flow.of_stmt.entry(stmt.id()).or_default().arguments = nodes;
                first
            }
            _ if assumes(stmt) => {
                let id = self.main(stmt, Role::Assume(stmt));
                self.straight(id, next);
                self.way(id, self.exit, false);
                id
            }
            _ => {
                let id = self.main(stmt, Role::Plain(stmt));
                self.straight(id, next)
            }
        }
    }

    fn ends_of(&self, callee: &Callee) -> Ends {
        let mut ends = Ends::default();
        for f in super::places::callees(self.program, callee, self.address_taken) {
            let of = self.ends[f.0 as usize];
            ends.stops |= of.stops;
            ends.assumes |= of.assumes;
        }
        ends
    }
}

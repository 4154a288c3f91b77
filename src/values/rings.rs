//! Which functions call each other.

use super::context::ContextId;
use super::state::State;
use crate::program::{Callee, FunctionId, Program, StmtKind, Storage, VarId, each_stmt};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Names functions that call each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ring(usize);

impl Ring {
    /// All functions, if no call is executed on its own.
    pub(super) const ALL: Ring = Ring(usize::MAX);
}

/// The place of a function in an order in which callers come before those that they call.
pub(super) type Rank = Reverse<usize>;

/// Which functions call each other.
#[derive(Default)]
pub(super) struct Rings {
    ranks: BTreeMap<FunctionId, Rank>,
    of: BTreeMap<FunctionId, Ring>,
    /// Their variables.
    variables: BTreeMap<VarId, Ring>,
}

/// The search for entries and exits of the functions in a ring.
pub(super) struct Recursion {
    pub ring: Ring,
    /// Whether nothing is decided by it.
    pub is_silent: bool,
    /// Contexts that have to be executed once more, by the depth of their calls.
    pub open: BTreeSet<(u32, ContextId)>,
    /// The depth of the last one, and whether those of deeper calls come next: entries grow from
    /// callers to callees, exits from callees to callers, and so the search goes up and down.
    pub at: (u32, bool),
    /// Whether entries and exits are known, and obligations are decided.
    pub is_last: bool,
    /// The contexts whose obligations are still to be decided, those of callers first, with the
    /// states in which they are entered.
    pub last: BTreeMap<(Rank, ContextId), (u32, State)>,
}

impl Recursion {
    pub(super) fn new(ring: Ring, is_silent: bool) -> Recursion {
        Recursion { ring, is_silent, open: BTreeSet::new(), at: (0, true), is_last: false, last: BTreeMap::new() }
    }
}

impl Rings {
    /// Finds them. A call through a pointer may call every function whose address is taken.
    pub(super) fn of(program: &Program) -> Rings {
        let address_taken = program.address_taken_functions();
        let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
        for (f, function) in (0..).zip(&program.functions) {
            each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| match &s.kind {
                StmtKind::Call { callee: Callee::Function(g), .. } => _ = graph.add_edge(f, g.0, ()),
                StmtKind::Call { callee: Callee::Pointer(_), .. } => {
                    address_taken.iter().for_each(|g| _ = graph.add_edge(f, g.0, ()));
                }
                _ => {}
            });
        }
        let mut rings = Rings::default();
        // Callees come before their callers; as ranks, the other way round.
        for (n, ring) in tarjan_scc(&graph).into_iter().enumerate() {
            rings.ranks.extend(ring.iter().map(|f| (FunctionId(*f), Reverse(n))));
            if ring.len() > 1 || graph.contains_edge(ring[0], ring[0]) {
                rings.of.extend(ring.into_iter().map(|f| (FunctionId(f), Ring(n))));
            }
        }
        for (f, ring) in &rings.of {
            let parameters = &program.function(*f).parameters;
            rings.variables.extend(parameters.iter().map(|v| (*v, *ring)));
            each_stmt(program.function(*f).body.as_deref().unwrap_or_default(), &mut |s| {
                if let StmtKind::Declare(v) = s.kind
                    && program.variable(v).storage != Storage::Global
                {
                    rings.variables.insert(v, *ring);
                }
            });
        }
        rings
    }

    /// The place of a function in an order in which callers come before those that they call.
    pub(super) fn rank(&self, f: FunctionId) -> Rank {
        self.ranks.get(&f).copied().unwrap_or_default()
    }

    /// The ring of a function, if it may call itself.
    pub(super) fn of_function(&self, f: FunctionId) -> Option<Ring> {
        self.of.get(&f).copied()
    }

    /// Whether it is a local variable of a function in some ring.
    #[cfg(feature = "fuzz")]
    pub(super) fn is_variable(&self, v: VarId) -> bool {
        self.variables.contains_key(&v)
    }

    /// Whether it is a local variable of a function in the ring.
    pub(super) fn has_variable(&self, ring: Ring, v: VarId) -> bool {
        self.variables.get(&v) == Some(&ring)
    }
}

//! The queries of a dependence graph.

use super::flow::{NodeId, Role, StmtNodes};
use super::places::PlaceId;
use super::{Dependence, Source};
use crate::program::{Base, Expr, FunctionId, ObligationKey, Part, Stmt, Use, VarId, each_part_of_expr};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeSet, HashMap};

impl<'p> Dependence<'p> {
    /// The nodes that runs can return to, by the ring of flow edges that they lie on. The edges
    /// include those into what `kept` calls may run, and those back to the nodes after any of these
    /// calls: a function that is called twice is passed again.
    pub fn rings(&self, kept: impl Fn(NodeId) -> bool) -> HashMap<NodeId, usize> {
        let mut graph: DiGraph<NodeId, ()> = DiGraph::new();
        let mut at: HashMap<NodeId, NodeIndex> = HashMap::new();
        let mut open = vec![self.flow.function[self.start as usize]];
        let mut seen = BTreeSet::new();
        let mut edges = Vec::new();
        while let Some(f) = open.pop() {
            let Some((first, end)) = self.bounds(f).filter(|_| seen.insert(f)) else { continue };
            for n in first..end {
                at.insert(n, graph.add_node(n));
                edges.extend(self.flow.flow[n as usize].iter().map(|&to| (n, to)));
                for g in self.called(n) {
                    let Some(entry) = self.flow.entries[g.0 as usize].filter(|_| kept(n)) else { continue };
                    edges.push((n, entry));
                    edges.extend(self.flow.flow[n as usize].iter().map(|&to| (entry + 1, to)));
                    open.push(g.0 as usize);
                }
            }
        }
        for (from, to) in edges {
            graph.add_edge(at[&from], at[&to], ());
        }
        let mut rings = HashMap::new();
        for (number, ring) in tarjan_scc(&graph).into_iter().enumerate() {
            if ring.len() > 1 || graph.contains_edge(ring[0], ring[0]) {
                rings.extend(ring.iter().map(|&n| (graph[n], number)));
            }
        }
        rings
    }

    /// How many nodes there are; they are numbered from 0.
    pub fn len(&self) -> usize {
        self.flow.roles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.flow.roles.is_empty()
    }

    /// What a node is.
    pub fn role(&self, node: NodeId) -> Role<'p> {
        self.flow.roles[node as usize]
    }

    /// The function that a node belongs to; `None` for the start of the program.
    pub fn function_of(&self, node: NodeId) -> Option<FunctionId> {
        let f = self.flow.function[node as usize];
        (f < self.program.functions.len()).then_some(FunctionId(f as u32))
    }

    /// The nodes of a statement in the program.
    pub fn nodes_of(&self, stmt: &Stmt) -> Option<&StmtNodes> {
        self.flow.of_stmt.get(&stmt.id())
    }

    /// The nodes of an obligation, in functions that are called. An assertion has its own node. A
    /// check has all nodes of its statement, for each may rely on those before it.
    pub fn criteria(&self, key: ObligationKey) -> Vec<NodeId> {
        let all = match key {
            ObligationKey::Assertion(assertion) => self.assertions.get(&assertion),
            ObligationKey::Check(site, _) => self.statements.get(&site),
        };
        all.into_iter().flatten().copied().filter(|&n| self.is_called(n)).collect()
    }

    /// Whether a node belongs to a function that the program calls.
    pub fn is_called(&self, node: NodeId) -> bool {
        self.reaching[self.flow.function[node as usize]].is_some()
    }

    /// The functions that the program calls.
    pub fn called_functions(&self) -> Vec<FunctionId> {
        let count = self.program.functions.len();
        (0..count).filter(|&f| self.reaching[f].is_some()).map(|f| FunctionId(f as u32)).collect()
    }

    /// The sources of the values that a node reads.
    pub fn sources(&self, node: NodeId) -> Vec<Source> {
        let reads = &self.reads[node as usize];
        let mut found: Vec<Source> = reads.iter().flat_map(|&place| self.sources_at(node, place)).collect();
        if let Role::Result(stmt) = self.role(node)
            && let Some(call) = self.nodes_of(stmt).and_then(|n| n.main)
        {
            // The place of the result is computed before the call.
            found.extend(reads.iter().flat_map(|&place| self.sources_at(call, place)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The sources of the values that an expression of a node reads.
    pub fn sources_of(&self, node: NodeId, e: &Expr) -> Vec<Source> {
        let mut places = BTreeSet::new();
        let mut lengths = Vec::new();
        each_part_of_expr(e, &mut |part| match part {
            Part::Expr(e) => lengths.extend(e.ty.lengths()),
            Part::Lvalue(l, how) => {
                if let Base::Var(v) = l.base {
                    lengths.extend(self.program.variable(v).ty.lengths());
                }
                if how == Use::Read {
                    places.extend(self.places.access(l).places.into_iter().flatten());
                }
            }
        });
        places.extend(lengths.into_iter().flat_map(|v| self.places.of_variable(v)));
        places.into_iter().flat_map(|place| self.sources_at(node, place)).collect()
    }

    /// The sources of the value that a place has before a node.
    pub fn sources_at(&self, node: NodeId, place: u32) -> Vec<Source> {
        let f = self.flow.function[node as usize];
        let Some(reaching) = &self.reaching[f] else { return Vec::new() };
        let found = reaching.definitions(node, place, &self.writes);
        found.into_iter().flat_map(|d| self.source(d, place)).collect()
    }

    /// The sources of the value that a place has when a function returns.
    pub fn sources_at_exit(&self, function: FunctionId, place: u32) -> Vec<Source> {
        match self.flow.entries[function.0 as usize] {
            Some(first) => self.sources_at(first + 1, place),
            None => Vec::new(),
        }
    }

    fn source(&self, definition: NodeId, place: PlaceId) -> Vec<Source> {
        match self.flow.roles[definition as usize] {
            Role::Entry => vec![Source::Entry(place)],
            Role::Call(stmt) if self.is_opaque(stmt) => vec![Source::Node(definition), Source::Call(definition, place)],
            Role::Call(_) => vec![Source::Call(definition, place)],
            _ if definition == self.start => vec![Source::Call(definition, place)],
            _ => vec![Source::Node(definition)],
        }
    }

    /// The number of the parameter that a place belongs to, and whether callers may have another
    /// object of it.
    pub fn parameter(&self, function: FunctionId, place: u32) -> Option<(usize, bool)> {
        let v = self.places.variable_of(place)?;
        let n = self.program.function(function).parameters.iter().position(|&p| p == v)?;
        Some((n, !self.is_one(v, function.0 as usize)))
    }

    /// The predicates that decide whether a node runs, jumps included.
    pub fn parents(&self, node: NodeId) -> &[(NodeId, bool)] {
        &self.control.kept[node as usize]
    }

    /// The conditions that a node is control dependent on, with the branch that leads to it.
    pub fn conditions(&self, node: NodeId) -> &[(NodeId, bool)] {
        &self.control.plain[node as usize]
    }

    /// The calls of a function.
    pub fn callers(&self, function: FunctionId) -> &[NodeId] {
        &self.callers[function.0 as usize]
    }

    /// The `Declare`s of a variable.
    pub fn declarations(&self, v: VarId) -> &[NodeId] {
        self.declares.get(&v).map_or(&[], Vec::as_slice)
    }

    /// The nodes at which a function returns values.
    pub fn returns(&self, function: FunctionId) -> &[NodeId] {
        &self.returns[function.0 as usize]
    }

    /// Whether the run may end inside a function: by a `Stop`; by an assumption.
    pub fn may_end(&self, function: FunctionId) -> (bool, bool) {
        let ends = self.ends[function.0 as usize];
        (ends.stops, ends.assumes)
    }

    /// The nodes of a function, its entry first.
    pub fn nodes_in(&self, function: FunctionId) -> std::ops::Range<NodeId> {
        self.bounds(function.0 as usize).map_or(0..0, |(first, end)| first..end)
    }

    /// Whether some run of the flow graph reaches a node.
    pub fn is_reached(&self, node: NodeId) -> bool {
        let f = self.flow.function[node as usize];
        self.reaching[f].as_ref().is_some_and(|r| r.is_reached(node))
    }
}

//! Control dependence from post-dominators.
//!
//! **Sources, and where we differ.** Ferrante, Ottenstein, Warren (TOPLAS 1987). Two relations are
//! kept. The first is over the runs of the program, and is the thesis's (Kumar 2019, section 2.5).
//! In the second, jumps are predicates as well (Ball and Horwitz 1993). It says what has to stay in
//! a slice so that its runs take the same way.

use super::flow::{Flow, NodeId, Role};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

/// What each node depends on: predicates, each with the branch that leads to the node.
pub(super) type Parents = Vec<Vec<(NodeId, bool)>>;

/// The two relations, by node.
#[derive(Default)]
pub(super) struct Control {
    /// With jumps, assumptions and calls that may end the run as predicates.
    pub(super) kept: Parents,
    /// With conditions alone.
    pub(super) plain: Parents,
}

impl Control {
    /// Adds one function: its nodes from `first` up to `end`; `first + 1` is its exit.
    pub(super) fn add(&mut self, flow: &Flow<'_>, first: NodeId, end: NodeId) {
        let count = (end - first) as usize;
        let all = |n: NodeId| flow.ways[n as usize].clone();
        self.kept.extend(depend(first, count, &all));
        // A jump has only its target as successor, unless no way to the end would remain.
        let jumps_only = |n: NodeId| -> Vec<(NodeId, bool)> {
            match flow.roles[n as usize] {
                Role::Predicate(_) => flow.ways[n as usize].clone(),
                _ => flow.ways[n as usize].iter().copied().filter(|&(_, which)| which).collect(),
            }
        };
        let ends = reaches(first, count, first + 1, &jumps_only);
        let ways = |n: NodeId| {
            if ends[(n - first) as usize] { jumps_only(n) } else { flow.ways[n as usize].clone() }
        };
        self.plain.extend(depend(first, count, &ways));
    }
}

/// The nodes from which there is a way to `end`.
fn reaches(first: NodeId, count: usize, end: NodeId, ways: &dyn Fn(NodeId) -> Vec<(NodeId, bool)>) -> Vec<bool> {
    let mut back = vec![Vec::new(); count];
    for n in 0..count as NodeId {
        for (to, _) in ways(first + n) {
            back[(to - first) as usize].push(n as usize);
        }
    }
    let mut found = vec![false; count];
    let mut open = vec![(end - first) as usize];
    while let Some(n) = open.pop() {
        if !std::mem::replace(&mut found[n], true) {
            open.extend(&back[n]);
        }
    }
    found
}

fn depend(first: NodeId, count: usize, ways: &dyn Fn(NodeId) -> Vec<(NodeId, bool)>) -> Parents {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count, count);
    (0..count).for_each(|_| {
        graph.add_node(());
    });
    let at = |n: NodeId| NodeIndex::new((n - first) as usize);
    for n in first..first + count as NodeId {
        for (to, _) in ways(n) {
            graph.add_edge(at(n), at(to), ());
        }
    }
    let exit = NodeIndex::new(1);
    let dominators: Dominators<NodeIndex> = simple_fast(Reversed(&graph), exit);
    let mut parents = vec![Vec::new(); count];
    for n in first..first + count as NodeId {
        let ways = ways(n);
        if ways.len() < 2 {
            continue;
        }
        let stop = dominators.immediate_dominator(at(n));
        for (to, which) in ways {
            // The walk goes from the target of the way up to the node where all ways meet again.
            let mut runner = Some(at(to));
            while let Some(m) = runner {
                if Some(m) == stop {
                    break;
                }
                let of: &mut Vec<(NodeId, bool)> = &mut parents[m.index()];
                if !of.contains(&(n, which)) {
                    of.push((n, which));
                }
                runner = dominators.immediate_dominator(m);
            }
        }
    }
    parents
}

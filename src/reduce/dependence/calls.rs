//! The call graph, and the order in which functions are analysed.

use super::flow::{self, Ends};
use super::places;
use crate::program::{FunctionId, Program, StmtKind, each_stmt};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::BTreeSet;

/// The functions that each function may call. The last entry is the start of the program.
pub(super) fn call_graph(program: &Program, address_taken: &[FunctionId]) -> Vec<BTreeSet<usize>> {
    let count = program.functions.len();
    let mut calls = vec![BTreeSet::new(); count + 1];
    places::each_block(program, &mut |f, block| {
        each_stmt(block, &mut |s| {
            if let StmtKind::Call { callee, .. } = &s.kind {
                let found = places::callees(program, callee, address_taken);
                calls[f.map_or(count, |f| f.0 as usize)].extend(found.iter().map(|g| g.0 as usize));
            }
        });
    });
    calls[count].insert(program.entry.0 as usize);
    calls
}

/// Whether and how the run may end in each function.
pub(super) fn ends(program: &Program, calls: &[BTreeSet<usize>]) -> Vec<Ends> {
    let mut ends = vec![Ends::default(); calls.len()];
    places::each_block(program, &mut |f, block| {
        let of = &mut ends[f.map_or(program.functions.len(), |f| f.0 as usize)];
        each_stmt(block, &mut |s| {
            of.stops |= matches!(s.kind, StmtKind::Stop);
            of.assumes |= flow::assumes(s);
        });
    });
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (f, called) in calls.iter().enumerate() {
            for &g in called {
                let new = Ends { stops: ends[f].stops | ends[g].stops, assumes: ends[f].assumes | ends[g].assumes };
                changed |= new != ends[f];
                ends[f] = new;
            }
        }
    }
    ends
}

/// Which functions are called at all, which call themselves, and the groups of functions that call
/// each other, callees first.
pub(super) fn orders(program: &Program, calls: &[BTreeSet<usize>]) -> (Vec<bool>, Vec<bool>, Vec<Vec<usize>>) {
    let start = program.functions.len();
    let mut reached = vec![false; calls.len()];
    let mut open = vec![start];
    while let Some(f) = open.pop() {
        if !std::mem::replace(&mut reached[f], true) {
            open.extend(&calls[f]);
        }
    }
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let nodes: Vec<_> = (0..calls.len()).map(|f| graph.add_node(f)).collect();
    for (f, called) in calls.iter().enumerate() {
        called.iter().for_each(|&g| {
            graph.add_edge(nodes[f], nodes[g], ());
        });
    }
    let mut recursive = vec![false; calls.len()];
    let mut order = Vec::new();
    for component in tarjan_scc(&graph) {
        let component: Vec<usize> = component.into_iter().map(|n| graph[n]).filter(|&f| reached[f]).collect();
        let itself = component.len() > 1 || component.iter().any(|&f| calls[f].contains(&f));
        component.iter().for_each(|&f| recursive[f] = itself);
        if !component.is_empty() {
            order.push(component);
        }
    }
    (reached, recursive, order)
}

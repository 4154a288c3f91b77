//! How large a program gets by inlining.

use super::MAX_STATEMENTS;
use crate::program::{Callee, Program, StmtKind, each_stmt};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::BTreeMap;

/// Whether [`inline`](super::inline) leaves calls in place because there would be too many
/// statements. An estimate: recursive calls are not followed, here as there.
pub fn is_too_large(program: &Program) -> bool {
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    let mut calls: Vec<(usize, Vec<u32>)> = Vec::new();
    for (f, function) in (0..).zip(&program.functions) {
        graph.add_node(f);
        let (mut statements, mut callees) = (0, Vec::new());
        each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| {
            statements += 1;
            if let StmtKind::Call { callee: Callee::Function(g), .. } = s.kind {
                callees.push(g.0);
                graph.add_edge(f, g.0, ());
            }
        });
        calls.push((statements, callees));
    }
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    // Callees come before their callers. The size of a function of the same component is not known
    // yet: that call is recursive.
    for f in tarjan_scc(&graph).into_iter().flatten() {
        let (statements, callees) = &calls[f as usize];
        let copies = callees.iter().filter_map(|g| sizes.get(g));
        sizes.insert(f, copies.fold(*statements, |sum, n| sum.saturating_add(*n)));
    }
    sizes.get(&program.entry.0).is_some_and(|n| *n > MAX_STATEMENTS)
}

//! Weak topological orders.

use super::random::{Random, random_graph};
use super::*;

#[test]
fn bourdoncle_figure_1() {
    // Nodes 1 to 8 as in the paper; node 0 leads to 1.
    let graph: DiGraph<(), ()> = DiGraph::from_edges([
        (0, 1),
        (1, 2),
        (2, 3),
        (2, 8),
        (3, 4),
        (4, 5),
        (4, 7),
        (5, 6),
        (6, 5),
        (6, 7),
        (7, 3),
        (7, 8),
    ]);
    assert_eq!(Wto::new(&graph, n(1)).to_string(), "1 2 (3 4 (5 6) 7) 8");
}

#[test]
fn an_irreducible_graph_has_a_head_on_its_cycle() {
    let graph: DiGraph<(), ()> = DiGraph::from_edges([(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
    assert_eq!(Wto::new(&graph, n(0)).to_string(), "0 (1 2) 3");
}

#[test]
fn a_node_that_is_its_own_successor_is_a_component() {
    let graph: DiGraph<(), ()> = DiGraph::from_edges([(0, 1), (1, 1), (1, 2)]);
    let wto = Wto::new(&graph, n(0));
    assert_eq!(wto.to_string(), "0 (1) 2");
    assert_eq!(wto.heads().collect::<Vec<_>>(), [n(1)]);
}

#[test]
fn nodes_that_the_entry_does_not_reach_are_left_out() {
    let graph: DiGraph<(), ()> = DiGraph::from_edges([(0, 1), (2, 1)]);
    let wto = Wto::new(&graph, n(0));
    assert_eq!((wto.to_string().as_str(), wto.position(n(2))), ("0 1", None));
}

#[test]
fn every_edge_goes_forward_or_to_the_head_of_a_component_around_its_source() {
    let mut random = Random(7);
    for _ in 0..500 {
        let graph = random_graph(&mut random, 12, 26);
        let wto = Wto::new(&graph, n(0));
        for edge in graph.edge_indices() {
            let (source, target) = graph.edge_endpoints(edge).expect("the edge exists");
            let Some(from) = wto.position(source) else { continue };
            let to = wto.position(target).expect("the entry reaches it");
            let around = wto.component_end(to).is_some_and(|end| (to..end).contains(&from));
            assert_ne!(from < to, around, "{wto}: {} -> {}", source.index(), target.index());
            let mut heads = Vec::new();
            let mut head = if wto.component_end(from).is_some() { Some(from) } else { wto.enclosing_head(from) };
            while let Some(at) = head {
                heads.push(at);
                head = wto.enclosing_head(at);
            }
            assert_eq!(heads.contains(&to), around, "{wto}: the chain of heads around {}", source.index());
        }
    }
}

#[test]
fn long_chains_and_long_cycles_need_no_stack() {
    let length = 200_000;
    let chain = (0..length).map(|i| (i, i + 1));
    let graph: DiGraph<(), ()> = DiGraph::from_edges(chain.clone());
    assert_eq!(Wto::new(&graph, n(0)).order().len(), length as usize + 1);
    let graph: DiGraph<(), ()> = DiGraph::from_edges(chain.chain([(length, 0)]));
    assert_eq!(Wto::new(&graph, n(0)).component_end(0), Some(length as usize + 1));
}

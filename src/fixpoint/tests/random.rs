//! Random graphs.

use super::*;

/// A small generator of numbers (xorshift; Marsaglia, "Xorshift RNGs", 2003), the same on every
/// machine.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

pub(super) fn random_graph(random: &mut Random, nodes: u64, edges: u64) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    for _ in 0..nodes {
        graph.add_node(());
    }
    for _ in 0..edges {
        let (from, to) = (random.below(nodes) as u32, random.below(nodes) as u32);
        graph.add_edge(n(from), n(to), ());
    }
    graph
}

/// Sets of the numbers 0 to 63; widening is the join, so the solver must find the least fixpoint.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Set(u64);

impl Lattice for Set {
    fn is_bottom(&self) -> bool {
        self.0 == 0
    }

    fn leq(&self, other: &Self) -> bool {
        self.0 & !other.0 == 0
    }

    fn join_with(&mut self, other: &Self) {
        self.0 |= other.0;
    }

    fn widen(_: &Self, next: &Self, _: &Thresholds) -> Self {
        *next
    }
}

/// Each edge lets some numbers through and rotates the bits of the set.
struct Sets(Vec<(u64, u32)>);

impl Analysis for Sets {
    type State = Set;

    fn entry(&self) -> Set {
        Set(0b1011)
    }

    fn bottom(&self) -> Set {
        Set(0)
    }

    fn top(&self) -> Set {
        Set(u64::MAX)
    }

    fn transfer(&self, edge: EdgeIndex, state: &Set) -> Set {
        let (mask, turn) = self.0[edge.index()];
        Set((state.0 & mask).rotate_left(turn))
    }
}

#[test]
fn on_a_finite_lattice_the_solution_is_the_least_fixpoint() {
    let mut random = Random(1);
    for round in 0..1000 {
        let graph = random_graph(&mut random, 1 + round % 14, 2 * (round % 14) + 1);
        let edge = |random: &mut Random| {
            let mask = random.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (if random.below(4) == 0 { mask & 0b111 } else { mask }, random.below(3) as u32)
        };
        let analysis = Sets(graph.edge_indices().map(|_| edge(&mut random)).collect());
        let mut least = vec![Set(0); graph.node_count()];
        least[0] = analysis.entry();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for e in graph.edge_indices() {
                let (from, to) = graph.edge_endpoints(e).expect("the edge exists");
                let out = analysis.transfer(e, &least[from.index()]);
                changed |= !out.leq(&least[to.index()]);
                least[to.index()].join_with(&out);
            }
        }
        let wto = Wto::new(&graph, n(0));
        let solution = solve(&graph, n(0), &wto, &analysis, &SolverConfig::default());
        assert_eq!(solution.states, least, "round {round}, order {wto}");
        assert_eq!((solution.exhausted, solution.verified), (None, Some(true)));
        let most = random.below(solution.steps + 1);
        let cut = solve(&graph, n(0), &wto, &analysis, &SolverConfig { max_steps: Some(most), ..Default::default() });
        assert_eq!(cut.verified, Some(true), "round {round}, cut after {most}, order {wto}");
        assert!(least.iter().zip(&cut.states).all(|(a, b)| a.leq(b)));
    }
}

/// Steps that are not all monotone, some of them partial.
const STEPS: [Step; 8] = [
    |_| Some(()),
    |v| add(&mut v[0], 1),
    |v| add(&mut v[1], -2),
    |v| at_most(&mut v[0], 20),
    |v| at_least(&mut v[1], -30),
    |v| {
        v[1] = v[0];
        Some(())
    },
    |v| {
        let odd = v[0].hi().is_some_and(|h| h % 2 != 0);
        v[0] = if odd { Interval::constant(3) } else { v[0].add(Interval::finite(0, 2)) };
        Some(())
    },
    |v| {
        let narrow = v[0].lo() == v[1].lo();
        v[1] = if narrow { Interval::TOP } else { Interval::constant(4) };
        Some(())
    },
];

#[test]
fn with_steps_that_are_not_monotone_it_still_ends_in_a_post_fixpoint() {
    let mut random = Random(3);
    for round in 0..3000 {
        let plain = random_graph(&mut random, 10, 18);
        let graph = plain.map(|_, ()| (), |_, ()| STEPS[random.below(8) as usize]);
        let toy = Toy { graph, variables: 2 };
        let config = SolverConfig {
            widening_delay: random.below(3) as u32,
            descending: random.below(4) as u32,
            max_steps: Some(100_000),
            ..SolverConfig::default()
        };
        let solution = toy.solve(&config);
        assert_eq!((solution.exhausted, solution.verified), (None, Some(true)), "round {round}");
    }
}

//! Toy lattices and graphs.

mod order;
mod random;
mod strategy;

use super::*;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use smalti_core::{Interval, Lattice, Thresholds};

/// The nodes of a graph without weights, by number.
pub(super) fn n(index: u32) -> NodeIndex {
    NodeIndex::from(index)
}

/// Intervals of several variables; `None` is bottom.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ranges(pub(super) Option<Vec<Interval>>);

impl Lattice for Ranges {
    fn is_bottom(&self) -> bool {
        self.0.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, _) => true,
            (_, None) => false,
            (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| a.is_subset(*b)),
        }
    }

    fn join_with(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (_, None) => {}
            (None, _) => self.0.clone_from(&other.0),
            (Some(a), Some(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a = a.join(*b)),
        }
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        let (Some(a), Some(b)) = (&prev.0, &next.0) else { return next.clone() };
        let widened = a.iter().zip(b).map(|(a, b)| {
            let lo = if b.lo() == a.lo() { a.lo() } else { b.lo().and_then(|l| thresholds.at_most(l)) };
            let hi = if b.hi() == a.hi() { a.hi() } else { b.hi().and_then(|h| thresholds.at_least(h)) };
            Interval::new(lo, hi).expect("a widened interval holds the one before")
        });
        Ranges(Some(widened.collect()))
    }
}

/// What an edge does to the variables; `None` if nothing gets through.
pub(super) type Step = fn(&mut [Interval]) -> Option<()>;

/// A program over variables that start as 0, with a graph whose edges are steps.
pub(super) struct Toy {
    pub(super) graph: DiGraph<(), Step>,
    pub(super) variables: usize,
}

impl Toy {
    pub(super) fn new(variables: usize, edges: &[(u32, u32, Step)]) -> Toy {
        Toy { graph: DiGraph::from_edges(edges), variables }
    }

    pub(super) fn solve(&self, config: &SolverConfig) -> Solution<Ranges> {
        let wto = Wto::new(&self.graph, n(0));
        solve(&self.graph, n(0), &wto, self, config)
    }
}

impl Analysis for Toy {
    type State = Ranges;

    fn entry(&self) -> Ranges {
        Ranges(Some(vec![Interval::constant(0); self.variables]))
    }

    fn bottom(&self) -> Ranges {
        Ranges(None)
    }

    fn top(&self) -> Ranges {
        Ranges(Some(vec![Interval::TOP; self.variables]))
    }

    fn transfer(&self, edge: EdgeIndex, state: &Ranges) -> Ranges {
        let mut values = state.0.clone().expect("bottom is not transferred");
        Ranges(self.graph[edge](&mut values).map(|()| values))
    }
}

/// `x < c` or `x >= c` and the like.
pub(super) fn at_most(x: &mut Interval, c: i128) -> Option<()> {
    *x = x.meet(Interval::new(None, Some(c))?)?;
    Some(())
}

pub(super) fn at_least(x: &mut Interval, c: i128) -> Option<()> {
    *x = x.meet(Interval::new(Some(c), None)?)?;
    Some(())
}

pub(super) fn add(x: &mut Interval, c: i128) -> Option<()> {
    *x = x.add(Interval::constant(c));
    Some(())
}

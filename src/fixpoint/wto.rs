//! Weak topological orders.
//!
//! A weak topological order (WTO) is a well-parenthesised permutation of the nodes, in which the
//! first node inside a pair of parentheses, the *head* of that *component*, and for every edge
//! `u -> v` either `u` comes before `v` and `v` is not a head of a component that contains `u`, or
//! `v` is the head of a component that contains `u`. So every cycle goes through a head: widening
//! at heads alone is enough.
//!
//! **Source.** François Bourdoncle, "Efficient chaotic iteration strategies with widenings", Formal
//! Methods in Programming and Their Applications (FMPA), LNCS 735, 1993: definition 1 and figure 4.
//! His algorithm is recursive. Here the recursion uses an explicit stack, so that a long program
//! does not exhaust the machine's.

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::fmt;

/// A weak topological order of the nodes that can be reached from one entry node.
#[derive(Clone, Debug)]
pub struct Wto {
    /// The nodes in order.
    order: Vec<NodeIndex>,
    /// For each position: one past the last position of the component whose head stands there; 0
    /// where no head stands.
    end: Vec<usize>,
    /// For each position: the position of the head of the innermost component around it, not
    /// counting the one whose head stands there itself; `NOWHERE` where there is none.
    around: Vec<usize>,
    /// For each node: its position; `usize::MAX` where the entry does not reach it.
    position: Vec<usize>,
}

/// Not reached from the entry.
const NOWHERE: usize = usize::MAX;

/// Bourdoncle's depth-first numbers: 0 is "not visited", this is his +∞, "already in the order".
const DONE: usize = usize::MAX;

/// A suspended call of the recursive algorithm. `next` is the number of successors that are already
/// done.
enum Frame {
    /// `Visit(v)`: `least` is the local variable `head`, `cyclic` is `loop`.
    Visit { node: NodeIndex, next: usize, least: usize, cyclic: bool },
    /// `Component(v)`: `start` is the length of the (reversed) order where its partition begins.
    Component { node: NodeIndex, next: usize, start: usize, least: usize },
}

impl Wto {
    /// The order of the nodes that `entry` reaches. Successors are taken in the order in which
    /// their edges were added, so the same graph always gives the same order. Time is proportional
    /// to edges times the depth of nested components.
    pub fn new<N, E>(graph: &DiGraph<N, E>, entry: NodeIndex) -> Wto {
        let mut search = DepthFirstSearch::new(graph);
        search.run(entry);
        let DepthFirstSearch { mut reversed, components, .. } = search;
        let count = reversed.len();
        let mut end = vec![0; count];
        for (first, head) in components {
            end[count - 1 - head] = count - first;
        }
        reversed.reverse();
        let mut position = vec![NOWHERE; graph.node_count()];
        for (at, node) in reversed.iter().enumerate() {
            position[node.index()] = at;
        }
        let around = enclosing(&end);
        Wto { order: reversed, end, around, position }
    }

    /// The nodes in order.
    pub fn order(&self) -> &[NodeIndex] {
        &self.order
    }

    /// The position of the node in the order; `None` if the entry does not reach it.
    pub fn position(&self, node: NodeIndex) -> Option<usize> {
        Some(self.position[node.index()]).filter(|p| *p != NOWHERE)
    }

    /// One past the last position of the component whose head stands at `position`; `None` if no
    /// head stands there.
    pub fn component_end(&self, position: usize) -> Option<usize> {
        Some(self.end[position]).filter(|end| *end != 0)
    }

    /// The position of the head of the innermost component around `position`; a head does not count
    /// as being inside its own component.
    pub fn enclosing_head(&self, position: usize) -> Option<usize> {
        Some(self.around[position]).filter(|p| *p != NOWHERE)
    }

    /// Whether the node is the head of a component.
    pub fn is_head(&self, node: NodeIndex) -> bool {
        self.position(node).is_some_and(|p| self.end[p] != 0)
    }

    /// The heads in order.
    pub fn heads(&self) -> impl Iterator<Item = NodeIndex> {
        self.order.iter().zip(&self.end).filter(|(_, end)| **end != 0).map(|(node, _)| *node)
    }
}

/// Computes for each position the head around it, from the ends of components.
fn enclosing(end: &[usize]) -> Vec<usize> {
    let mut around = Vec::with_capacity(end.len());
    let mut open: Vec<usize> = Vec::new();
    for at in 0..end.len() {
        while open.last().is_some_and(|head| end[*head] <= at) {
            open.pop();
        }
        around.push(open.last().copied().unwrap_or(NOWHERE));
        if end[at] != 0 {
            open.push(at);
        }
    }
    around
}

/// Bourdoncle's depth-first search.
struct DepthFirstSearch {
    successors: Successors,
    /// His depth-first number of each node.
    numbers: Vec<usize>,
    /// The largest number so far.
    number: usize,
    /// Nodes that are visited and not yet in the order.
    stack: Vec<NodeIndex>,
    /// Suspended calls, the innermost last.
    frames: Vec<Frame>,
    /// Bourdoncle prepends; this is the order reversed, each component with its head last.
    reversed: Vec<NodeIndex>,
    /// Pairs: the first (reversed) position of a component, and the position of its head.
    components: Vec<(usize, usize)>,
}

impl DepthFirstSearch {
    fn new<N, E>(graph: &DiGraph<N, E>) -> DepthFirstSearch {
        DepthFirstSearch {
            successors: Successors::of(graph),
            numbers: vec![0; graph.node_count()],
            number: 0,
            stack: Vec::new(),
            frames: Vec::new(),
            reversed: Vec::new(),
            components: Vec::new(),
        }
    }

    fn run(&mut self, entry: NodeIndex) {
        self.call(entry);
        while let Some(frame) = self.frames.pop() {
            let returned = match frame {
                Frame::Visit { node, next, least, cyclic } => self.visit(node, next, least, cyclic),
                Frame::Component { node, next, start, least } => self.component(node, next, start, least),
            };
            let Some(returned) = returned else { continue };
            if let Some(Frame::Visit { next, least, cyclic, .. }) = self.frames.last_mut() {
                *next += 1;
                if returned <= *least {
                    (*least, *cyclic) = (returned, true);
                }
            }
        }
    }

    /// Calls `Visit(node)`.
    fn call(&mut self, node: NodeIndex) {
        self.stack.push(node);
        self.number += 1;
        self.numbers[node.index()] = self.number;
        self.frames.push(Frame::Visit { node, next: 0, least: self.number, cyclic: false });
    }

    /// Continues `Visit(node)`. Returns its result if it completes.
    fn visit(&mut self, node: NodeIndex, mut next: usize, mut least: usize, mut cyclic: bool) -> Option<usize> {
        while let Some(&successor) = self.successors.get(node).get(next) {
            let least_there = self.numbers[successor.index()];
            if least_there == 0 {
                // The result of the call is used when it returns; `next` does not change until
                // then.
                self.frames.push(Frame::Visit { node, next, least, cyclic });
                self.call(successor);
                return None;
            }
            next += 1;
            if least_there <= least {
                (least, cyclic) = (least_there, true);
            }
        }
        if least == self.numbers[node.index()] {
            self.numbers[node.index()] = DONE;
            while let Some(popped) = self.stack.pop() {
                if popped == node {
                    break;
                }
                self.numbers[popped.index()] = 0;
            }
            if cyclic {
                self.frames.push(Frame::Component { node, next: 0, start: self.reversed.len(), least });
                return None;
            }
            self.reversed.push(node);
        }
        Some(least)
    }

    /// Continues `Component(node)`. If it completes, returns the result of the call of `Visit` that
    /// created it.
    fn component(&mut self, node: NodeIndex, mut next: usize, start: usize, least: usize) -> Option<usize> {
        while let Some(&successor) = self.successors.get(node).get(next) {
            next += 1;
            if self.numbers[successor.index()] == 0 {
                self.frames.push(Frame::Component { node, next, start, least });
                self.call(successor);
                return None;
            }
        }
        self.components.push((start, self.reversed.len()));
        self.reversed.push(node);
        Some(least)
    }
}

/// As Bourdoncle writes it, nodes by their index: `1 2 (3 4 (5 6) 7) 8`.
impl fmt::Display for Wto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open: Vec<usize> = Vec::new();
        for (at, node) in self.order.iter().enumerate() {
            while open.last() == Some(&at) {
                open.pop();
                f.write_str(")")?;
            }
            if at > 0 {
                f.write_str(" ")?;
            }
            if let Some(end) = self.component_end(at) {
                open.push(end);
                f.write_str("(")?;
            }
            write!(f, "{}", node.index())?;
        }
        open.iter().try_for_each(|_| f.write_str(")"))
    }
}

/// The successors of every node, each list in the order in which the edges were added (petgraph's
/// own lists run backwards and have no index).
struct Successors {
    first: Vec<usize>,
    targets: Vec<NodeIndex>,
}

impl Successors {
    fn of<N, E>(graph: &DiGraph<N, E>) -> Successors {
        let mut first = Vec::with_capacity(graph.node_count() + 1);
        let mut targets = Vec::with_capacity(graph.edge_count());
        first.push(0);
        for node in graph.node_indices() {
            let start = targets.len();
            targets.extend(graph.edges(node).map(|e| e.target()));
            targets[start..].reverse();
            first.push(targets.len());
        }
        Successors { first, targets }
    }

    fn get(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.targets[self.first[node.index()]..self.first[node.index() + 1]]
    }
}

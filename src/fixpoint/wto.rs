//! Weak topological orders.
//!
//! A weak topological order (WTO) is a well-parenthesised permutation of the nodes, in which the first node inside a pair of
//! parentheses, the *head* of that *component*, and for every edge `u -> v` either `u` comes before `v` and `v` is not a head of
//! a component that contains `u`, or `v` is the head of a component that contains `u`. So every cycle goes through a head:
//! widening at heads alone is enough.
//!
//! **Source.** François Bourdoncle, "Efficient chaotic iteration strategies with widenings", Formal Methods in Programming and
//! Their Applications (FMPA), LNCS 735, 1993: definition 1 and figure 4. His algorithm is recursive; here the recursion is on a
//! stack of our own, so that a long program does not exhaust the machine's.

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::fmt;

/// A weak topological order of the nodes that can be reached from one entry node.
#[derive(Clone, Debug)]
pub struct Wto {
    /// The nodes in order.
    order: Vec<NodeIndex>,
    /// For each position: one past the last position of the component whose head stands there; 0 where no head stands.
    end: Vec<usize>,
    /// For each position: the position of the head of the innermost component around it, not counting the one whose head stands
    /// there itself; `NOWHERE` where there is none.
    around: Vec<usize>,
    /// For each node: its position; `usize::MAX` where the entry does not reach it.
    position: Vec<usize>,
}

/// Not reached from the entry.
const NOWHERE: usize = usize::MAX;

/// Bourdoncle's depth-first numbers: 0 is "not visited", this is his +∞, "already in the order".
const DONE: usize = usize::MAX;

/// A suspended call of the recursive algorithm. `next` is the number of successors that are behind us.
enum Frame {
    /// `Visit(v)`: `least` is the local variable `head`, `cyclic` is `loop`.
    Visit { node: NodeIndex, next: usize, least: usize, cyclic: bool },
    /// `Component(v)`: `start` is the length of the (reversed) order where its partition begins.
    Component { node: NodeIndex, next: usize, start: usize, least: usize },
}

impl Wto {
    /// The order of the nodes that `entry` reaches. Successors are taken in the order in which their edges were added, so the same
    /// graph always gives the same order. Time is proportional to edges times the depth of nested components.
    pub fn new<N, E>(graph: &DiGraph<N, E>, entry: NodeIndex) -> Wto {
        let successors = Successors::of(graph);
        let mut numbers = vec![0usize; graph.node_count()];
        let mut number = 0;
        let mut stack: Vec<NodeIndex> = Vec::new();
        // Bourdoncle prepends; this is the order reversed, each component with its head last.
        let mut reversed: Vec<NodeIndex> = Vec::new();
        // The first (reversed) position of the component whose head stands at the second.
        let mut components: Vec<(usize, usize)> = Vec::new();

        let mut open = |numbers: &mut Vec<usize>, stack: &mut Vec<NodeIndex>, node: NodeIndex| {
            stack.push(node);
            number += 1;
            numbers[node.index()] = number;
            Frame::Visit { node, next: 0, least: number, cyclic: false }
        };
        let mut frames = vec![open(&mut numbers, &mut stack, entry)];
        while let Some(frame) = frames.last_mut() {
            let returned = match frame {
                Frame::Visit { node, next, least, cyclic } => {
                    if let Some(&successor) = successors.get(*node).get(*next) {
                        let least_there = numbers[successor.index()];
                        if least_there == 0 {
                            // What it returns is looked at when it returns; `next` stays behind until then.
                            let call = open(&mut numbers, &mut stack, successor);
                            frames.push(call);
                            continue;
                        }
                        *next += 1;
                        if least_there <= *least {
                            (*least, *cyclic) = (least_there, true);
                        }
                        continue;
                    }
                    let (node, least, cyclic) = (*node, *least, *cyclic);
                    if least == numbers[node.index()] {
                        numbers[node.index()] = DONE;
                        while let Some(popped) = stack.pop() {
                            if popped == node {
                                break;
                            }
                            numbers[popped.index()] = 0;
                        }
                        if cyclic {
                            *frame = Frame::Component { node, next: 0, start: reversed.len(), least };
                            continue;
                        }
                        reversed.push(node);
                    }
                    least
                }
                Frame::Component { node, next, start, least } => {
                    if let Some(&successor) = successors.get(*node).get(*next) {
                        *next += 1;
                        if numbers[successor.index()] == 0 {
                            let call = open(&mut numbers, &mut stack, successor);
                            frames.push(call);
                        }
                        continue;
                    }
                    let (node, start, least) = (*node, *start, *least);
                    components.push((start, reversed.len()));
                    reversed.push(node);
                    least
                }
            };
            frames.pop();
            if let Some(Frame::Visit { next, least, cyclic, .. }) = frames.last_mut() {
                *next += 1;
                if returned <= *least {
                    (*least, *cyclic) = (returned, true);
                }
            }
        }

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
        let mut around = Vec::with_capacity(count);
        let mut open: Vec<usize> = Vec::new();
        for at in 0..count {
            while open.last().is_some_and(|head| end[*head] <= at) {
                open.pop();
            }
            around.push(open.last().copied().unwrap_or(NOWHERE));
            if end[at] != 0 {
                open.push(at);
            }
        }
        Wto { order: reversed, end, around, position }
    }

    /// The nodes in order.
    pub fn order(&self) -> &[NodeIndex] {
        &self.order
    }

    /// Where the node stands in the order; `None` if the entry does not reach it.
    pub fn position(&self, node: NodeIndex) -> Option<usize> {
        Some(self.position[node.index()]).filter(|p| *p != NOWHERE)
    }

    /// One past the last position of the component whose head stands at `position`; `None` if no head stands there.
    pub fn component_end(&self, position: usize) -> Option<usize> {
        Some(self.end[position]).filter(|end| *end != 0)
    }

    /// The position of the head of the innermost component around `position`; a head does not count as being inside its own component.
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

/// The successors of every node, each list in the order in which the edges were added (petgraph's own lists run backwards and
/// have no index).
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

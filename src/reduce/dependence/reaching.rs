//! Computes reaching definitions inside one function, as bit vectors.
//!
//! **Representation.** A definition is a node and a place that it may write. The entry of a
//! function defines every place that has a value when the function is entered. So a use whose value
//! the caller decides is reached by the entry's definition. Sets are stored only where runs meet or
//! part. Between these, the query walks back along a chain of nodes.

use super::flow::NodeId;
use super::places::PlaceId;
use bitvec::vec::BitVec;
use std::collections::HashMap;

/// What a node may write, and whether the write overwrites the whole old value.
pub(super) type Writes = Vec<(PlaceId, bool)>;

/// The definitions of one function.
pub(super) struct Reaching {
    /// The function's first node.
    first: NodeId,
    /// The number of each node's first definition.
    starts: Vec<usize>,
    /// The definitions of each place: the node and the number of the definition.
    of_place: HashMap<PlaceId, Vec<(NodeId, usize)>>,
    /// The sets before the nodes at which a chain begins. Absent where no run comes.
    before: HashMap<NodeId, BitVec>,
    /// For a node inside a chain, the node before it.
    previous: Vec<Option<NodeId>>,
}

/// The sets of one function may take this many bits.
const MOST_BITS: usize = 1 << 31;

impl Reaching {
    /// The definitions that reach each node from `first` up to `end`; `None` if there are too many
    /// to keep.
    pub(super) fn new(first: NodeId, end: NodeId, flow: &[Vec<NodeId>], writes: &[Writes]) -> Option<Reaching> {
        let local = |n: NodeId| (n - first) as usize;
        let count = (end - first) as usize;
        let mut starts = Vec::with_capacity(count);
        let mut of_place: HashMap<PlaceId, Vec<(NodeId, usize)>> = HashMap::new();
        let mut total = 0;
        for n in first..end {
            starts.push(total);
            for &(place, _) in &writes[n as usize] {
                of_place.entry(place).or_default().push((n, total));
                total += 1;
            }
        }
        let mut predecessors = vec![(0u32, 0); count];
        for n in first..end {
            for &to in &flow[n as usize] {
                let (how_many, from) = &mut predecessors[local(to)];
                *how_many += 1;
                *from = n;
            }
        }
        let order = order(first, count, flow);
        // Nodes that no run reaches may lie on a ring that nothing leads to.
        let mut previous = vec![None; count];
        for &n in &order {
            let (how_many, from) = predecessors[local(n)];
            previous[local(n)] = (how_many == 1 && flow[from as usize].len() == 1).then_some(from);
        }
        let mut reaching = Reaching { first, starts, of_place, before: HashMap::new(), previous };
        let heads: Vec<NodeId> =
            order.into_iter().filter(|&n| n == first || reaching.previous[local(n)].is_none()).collect();
        if heads.len().saturating_mul(total) > MOST_BITS {
            return None;
        }
        let mut stale = vec![false; count];
        stale[0] = true;
        reaching.before.insert(first, BitVec::repeat(false, total));
        let mut again = true;
        while std::mem::take(&mut again) {
            for &head in &heads {
                if !std::mem::take(&mut stale[local(head)]) {
                    continue;
                }
                let Some(mut set) = reaching.before.get(&head).cloned() else { continue };
                let mut at = head;
                loop {
                    reaching.write(at, &writes[at as usize], &mut set);
                    match flow[at as usize][..] {
                        [next] if next != first && reaching.previous[local(next)].is_some() => at = next,
                        _ => break,
                    }
                }
                for &next in &flow[at as usize] {
                    let changed = match reaching.before.get_mut(&next) {
                        Some(old) => {
                            let ones = old.count_ones();
                            *old |= &set;
                            old.count_ones() != ones
                        }
                        None => {
                            reaching.before.insert(next, set.clone());
                            true
                        }
                    };
                    if changed {
                        stale[local(next)] = true;
                        again = true;
                    }
                }
            }
        }
        Some(reaching)
    }

    fn write(&self, node: NodeId, writes: &Writes, set: &mut BitVec) {
        for &(place, whole) in writes {
            if whole {
                self.of_place[&place].iter().for_each(|&(_, d)| set.set(d, false));
            }
        }
        let start = self.starts[(node - self.first) as usize];
        (start..start + writes.len()).for_each(|d| set.set(d, true));
    }

    /// The nodes whose definition of `place` reaches `node`.
    pub(super) fn definitions(&self, node: NodeId, place: PlaceId, writes: &[Writes]) -> Vec<NodeId> {
        let Some(all) = self.of_place.get(&place) else { return Vec::new() };
        let mut found = Vec::new();
        let mut at = node;
        while let Some(before) = self.previous[(at - self.first) as usize].filter(|_| at != self.first) {
            at = before;
            if let Some(&(_, whole)) = writes[at as usize].iter().find(|w| w.0 == place) {
                found.push(at);
                if whole {
                    return found;
                }
            }
        }
        if let Some(set) = self.before.get(&at) {
            found.extend(all.iter().filter(|(_, d)| set[*d]).map(|(n, _)| *n));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether any run reaches the node.
    pub(super) fn is_reached(&self, node: NodeId) -> bool {
        let mut at = node;
        while let Some(before) = self.previous[(at - self.first) as usize].filter(|_| at != self.first) {
            at = before;
        }
        self.before.contains_key(&at)
    }
}

/// The nodes that the first one leads to, in reverse postorder.
fn order(first: NodeId, count: usize, flow: &[Vec<NodeId>]) -> Vec<NodeId> {
    let mut seen = vec![false; count];
    let mut order = Vec::new();
    let mut stack = vec![(first, 0)];
    seen[0] = true;
    while let Some((node, next)) = stack.last_mut() {
        match flow[*node as usize].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[(to - first) as usize], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

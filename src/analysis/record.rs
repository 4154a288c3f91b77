//! Records the iterates at the heads of loops while the fixpoint is computed, for display.

use super::state::State;
use crate::fixpoint::HeadEvent;
use petgraph::graph::NodeIndex;
use smalti_stack::AnyState;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// For each head, this many iterates from the beginning and this many from the end are kept.
const MOST: usize = 24;

/// One iterate at a head.
#[derive(Clone, Debug)]
pub(super) enum Iterate {
    /// What happened, and the resulting state.
    Seen(HeadEvent, State<AnyState>),
    /// This many iterates are left out here.
    LeftOut(u32),
}

/// The iterates of all heads, in the order in which they were computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    heads: RefCell<BTreeMap<NodeIndex, Kept>>,
}

#[derive(Clone, Debug, Default)]
struct Kept {
    first: Vec<(HeadEvent, State<AnyState>)>,
    left_out: u32,
    last: VecDeque<(HeadEvent, State<AnyState>)>,
}

impl Record {
    /// Records one more iterate.
    pub(super) fn hear(&self, head: NodeIndex, event: HeadEvent, state: &State<AnyState>) {
        let mut heads = self.heads.borrow_mut();
        let kept = heads.entry(head).or_default();
        if kept.first.len() < MOST {
            kept.first.push((event, state.clone()));
            return;
        }
        if kept.last.len() == MOST {
            kept.last.pop_front();
            kept.left_out = kept.left_out.saturating_add(1);
        }
        kept.last.push_back((event, state.clone()));
    }

    /// The recorded iterates of a head.
    pub(super) fn of(&self, head: NodeIndex) -> Vec<Iterate> {
        let heads = self.heads.borrow();
        let Some(kept) = heads.get(&head) else { return Vec::new() };
        let seen = |(event, state): &(HeadEvent, State<AnyState>)| Iterate::Seen(*event, state.clone());
        let left_out = (kept.left_out > 0).then_some(Iterate::LeftOut(kept.left_out));
        kept.first.iter().map(seen).chain(left_out).chain(kept.last.iter().map(seen)).collect()
    }
}

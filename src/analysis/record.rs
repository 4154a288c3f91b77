//! What was held to be true at the heads of loops while the fixpoint was computed, kept for
//! display.

use super::state::State;
use crate::fixpoint::HeadEvent;
use petgraph::graph::NodeIndex;
use smalti_stack::AnyState;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// Of each head, so many iterates from the beginning and so many from the end are kept.
const MOST: usize = 24;

/// One iterate at a head.
#[derive(Clone, Debug)]
pub(super) enum Iterate {
    /// What happened, and the state that came of it.
    Seen(HeadEvent, State<AnyState>),
    /// So many are left out here.
    LeftOut(u32),
}

/// The iterates of all heads, in the order in which they were come by.
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
    /// Keeps one more.
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

    /// What was kept of a head.
    pub(super) fn of(&self, head: NodeIndex) -> Vec<Iterate> {
        let heads = self.heads.borrow();
        let Some(kept) = heads.get(&head) else { return Vec::new() };
        let seen = |(event, state): &(HeadEvent, State<AnyState>)| Iterate::Seen(*event, state.clone());
        let left_out = (kept.left_out > 0).then_some(Iterate::LeftOut(kept.left_out));
        kept.first.iter().map(seen).chain(left_out).chain(kept.last.iter().map(seen)).collect()
    }
}

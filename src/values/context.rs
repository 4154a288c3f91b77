//! What is known of calls that are executed together.

use super::footprint::Footprint;
use super::memory::Memory;
use super::objects::{ObjectId, Site};
use super::outcomes::Returns;
use super::state::State;
use super::value::Value;
use super::widening::Growth;
use crate::program::{FunctionId, StmtId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// All contexts.
#[derive(Default)]
pub(super) struct Contexts {
    pub known: Vec<Context>,
    pub of: FxHashMap<(FunctionId, bool), Vec<usize>>,
    /// The ways on which functions were called.
    pub ways: FxHashMap<FunctionId, FxHashSet<Site>>,
    pub general: General,
}

/// What objects hold in the entries and exits in which they have grown.
#[derive(Default)]
pub(super) struct General {
    pub memory: Memory,
    pub growth: Growth,
}

/// Names a context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ContextId(pub usize);

impl ContextId {
    pub(super) const FIRST: ContextId = ContextId(0);
}

/// What calls have in common that are executed together.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// The values of the arguments.
    Exact(Vec<Value>),
    /// Where the arguments lead to: to which objects, or objects of which sizes.
    Targets(Vec<Option<Leads>>),
    /// Only the function.
    Any,
}

/// Where a pointer leads to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Leads {
    pub null: bool,
    pub wild: bool,
    pub functions: BTreeSet<FunctionId>,
    pub objects: BTreeSet<ObjectId>,
    pub sizes: BTreeSet<(i128, i128)>,
}

/// The calls of a function in one kind of context.
pub(super) struct Context {
    pub function: FunctionId,
    pub kind: Kind,
    /// What is known where the function is entered, by a call at that depth.
    pub entry: Option<(u32, State)>,
    /// What is known where it returns, from a call at that depth.
    pub exits: (u32, Returns),
    pub footprint: Footprint,
    /// What was last found at the heads of those of its outermost loops that take long.
    pub heads: FxHashMap<StmtId, State>,
    /// How often it was executed.
    pub executions: u32,
    /// How often the entry has grown.
    pub entry_growth: Growth,
    /// How often the exits have grown.
    pub exit_growth: Growth,
    /// Whether the exits are those of the entry.
    pub is_executed: bool,
    /// Whether the obligations in the function have been decided for that entry.
    pub is_decided: bool,
    /// The contexts in which it is called.
    pub users: BTreeSet<ContextId>,
}

impl Context {
    /// The depth of the call that made the entry.
    pub(super) fn depth(&self) -> Option<u32> {
        self.entry.as_ref().map(|(depth, _)| *depth)
    }
}

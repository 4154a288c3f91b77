//! Which objects have ended (C11 6.2.4p2, 7.22.3.3).
//!
//! That is known of pointers: when an object ends, all pointers to it that there are in the state
//! may lead to an object that has ended. Pointers to an object that begins later do not, even if
//! one name stands for both.
//!
//! **Why it is sound.** A pointer in a state whose target is alive was made from the address of an
//! object that has not ended since. Heap blocks end only by `free`, `realloc` and at the end of a
//! call of `alloca`, and each of these ends all pointers to the names that the block may have.
//! Where a call is not executed, but does what an earlier execution of the function did, it ends
//! pointers to what that one ended (`ended` in a footprint), wherever they lie. Where a pointer of
//! unknown value is freed, any block may have ended, and where control comes back to `setjmp`, also
//! any local variable. Where functions that free something are not executed, nothing is said of
//! lifetimes in the whole program. Of variables, only those end here to which there may be pointers
//! later (`src/lower/lifetimes.rs` finds them).

use super::engine::Values;
use super::footprint::Unseen;
use super::objects::{ObjectId, Origin};
use super::offsets::Offsets;
use super::outcomes::Returns;
use super::state::State;
use super::stop::Evaluated;
use super::value::{Pointers, Target};
use crate::program::{FunctionId, Presumption, SiteId, Storage, VarId, each_stmt};
use std::collections::BTreeSet;

impl<'p> Values<'p> {
    /// A variable of the current call ends: pointers to it may be left.
    pub(super) fn end_pointers_to(&mut self, state: &mut State, v: VarId) {
        if self.program.endings.variables.contains(&v) {
            let object = self.variable(v);
            state.memory.end_pointers(object);
        }
    }

    /// What a presumption says of lifetimes.
    pub(super) fn presume(&mut self, state: &mut State, presumption: &'p Presumption) -> Evaluated<()> {
        match presumption {
            Presumption::Freed(pointer) => {
                let p = self.pointers(state, pointer)?;
                if p.wild {
                    let place = self.program.sources.describe(pointer.location);
                    log::debug!("{place}: any block may end here");
                    self.frees_unseen = true;
                    self.end_pointers_unseen(state, Unseen::Blocks);
                }
                for target in p.targets.iter() {
                    self.freed.insert(target.object);
                    state.memory.end_pointers(target.object);
                }
            }
            Presumption::Automatic(pointer) => {
                let p = self.pointers(state, pointer)?;
                self.ends_unseen |= p.wild;
                let depth = self.depth;
                for target in p.targets.iter() {
                    let deepest = self.automatic.entry(target.object).or_insert(depth);
                    *deepest = depth.max(*deepest);
                }
            }
            Presumption::ComesBack => {
                self.frees_unseen = true;
                self.end_pointers_unseen(state, Unseen::Locals);
            }
            Presumption::Arrives { frees: true } => {
                self.frees_unseen = true;
                self.end_pointers_unseen(state, Unseen::Blocks);
            }
            _ => {}
        }
        Ok(())
    }

    /// Objects may have ended of which it is not known which.
    pub(super) fn end_pointers_unseen(&self, state: &mut State, unseen: Unseen) {
        let (objects, program) = (&self.objects, self.program);
        state.memory.end_pointers_unseen(unseen, |object| match objects.origin(object) {
            Origin::Heap(..) => true,
            Origin::Variable(v, _) => unseen == Unseen::Locals && program.variable(v).storage != Storage::Global,
            Origin::Outside(_) | Origin::Result(_) => false,
        });
    }

    /// What lives in the current call ends where it returns: its variables, and the heap blocks of
    /// `alloca`.
    pub(super) fn end_call(&mut self, returns: &mut Returns) {
        if self.program.endings.are_none() {
            return;
        }
        let Some(f) = self.open.last().copied() else { return };
        let locals = self.locals(f);
        let depth = self.depth;
        let blocks = self.automatic.iter().filter(|(_, at)| locals.makes_automatic_blocks && **at >= depth);
        let blocks: Vec<_> = blocks.map(|(object, _)| *object).collect();
        returns.each(|state| {
            locals.exposed.iter().for_each(|v| self.end_pointers_to(state, *v));
            blocks.iter().for_each(|object| state.memory.end_pointers(*object));
        });
    }

    /// Whether a pointer may be passed to `free`.
    pub(super) fn can_be_freed(&self, p: &Pointers) -> bool {
        let is_start = |target: &Target| {
            matches!(self.objects.origin(target.object), Origin::Heap(..))
                && target.offset == Offsets::constant(0)
                && !self.automatic.contains_key(&target.object)
        };
        p.is_alive() && p.functions.is_empty() && p.targets.iter().all(|target| is_start(&target))
    }

    /// The allocations of blocks that are passed to `free` in no execution, and do not end by
    /// themselves. Executions cover all runs, so no run frees them.
    pub(super) fn unfreed(&self) -> BTreeSet<SiteId> {
        if self.frees_unseen {
            return BTreeSet::new();
        }
        let ends = |object: &ObjectId| self.freed.contains(object) || self.automatic.contains_key(object);
        let freed: BTreeSet<SiteId> = self.blocks.iter().filter(|(o, _)| ends(o)).map(|(_, site)| *site).collect();
        self.blocks.values().filter(|site| !freed.contains(site)).copied().collect()
    }

    /// Whether what is said of lifetimes counts: nothing ends unseen. The given functions are not
    /// executed wherever they are called.
    pub(super) fn sees_all_ends(&self, opaque: &BTreeSet<FunctionId>) -> bool {
        let mut ends = self.program.endings.unseen;
        for f in opaque {
            each_stmt(self.program.function(*f).body.as_deref().unwrap_or_default(), &mut |s| ends |= s.ends_block());
        }
        !self.ends_unseen && !ends
    }
}

impl Pointers {
    /// Whether it certainly points into objects that have not ended, or into none.
    pub(super) fn is_alive(&self) -> bool {
        !self.wild && self.targets.iter().all(|target| target.is_alive)
    }
}

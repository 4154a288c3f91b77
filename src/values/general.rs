//! What objects hold whatever the context, where that changes from call to call.
//!
//! Counters, tables and buffers that functions share grow in every context that touches them. If
//! each context found out on its own how far, growth would pass through all of them again and
//! again.
//!
//! **Why it is sound.** Only more is added to entries and exits, which may always contain more.

use super::context::{ContextId, General};
use super::engine::Values;
use super::footprint::Touched;
use super::objects::ObjectId;
use super::outcomes::Returns;
use super::state::State;
use super::widening::Widening;

impl Values<'_> {
    /// Adds to the entry of a context what objects hold in others, if that changes from call to
    /// call: else each context would find out about each object on its own.
    pub(super) fn generalise(&mut self, context: ContextId, entry: &mut State, old: Option<&State>) {
        let mut general = std::mem::take(&mut self.contexts.general);
        for object in self.contexts.known[context.0].footprint.objects.keys() {
            let is_new = old.is_some_and(|old| !entry.memory.is_object_within(*object, &old.memory, self.big_endian));
            if is_new || general.memory.has(*object) {
                self.generalise_object(&mut general, *object, entry);
            }
        }
        self.contexts.general = general;
    }

    /// The same for objects in the exits of a context that grow once more.
    pub(super) fn generalise_exits<'o>(
        &mut self,
        context: ContextId,
        exits: &mut Returns,
        grown: impl Iterator<Item = &'o ObjectId>,
    ) {
        let mut general = std::mem::take(&mut self.contexts.general);
        let of = &self.contexts.known[context.0];
        for object in grown.filter(|o| of.exit_growth.of(**o) > 0 && of.footprint.objects.contains_key(*o)) {
            exits.each(|state| self.generalise_object(&mut general, *object, state));
        }
        self.contexts.general = general;
    }

    /// An object also holds what it holds elsewhere, and there what it holds here.
    fn generalise_object(&self, general: &mut General, object: ObjectId, state: &mut State) {
        let whole = Touched::whole();
        if !state.memory.is_object_within(object, &general.memory, self.big_endian) {
            let shape = |object| self.shape_of(object);
            let widening = Widening { at: self.thresholds_after(general.growth.of(object)), shape: &shape };
            general.growth.add([object]);
            let mut both = state.memory.clone();
            both.add_object(object, &whole, &general.memory, self.big_endian, Some(widening));
            general.memory.take_object(object, &both, object);
        }
        state.memory.add_object(object, &whole, &general.memory, self.big_endian, None);
    }
}

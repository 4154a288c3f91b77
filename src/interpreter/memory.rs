//! Objects and their cells.

use super::ObjectOrigin;
use super::value::Cell;
use crate::program::Type;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Names an object during its lifetime; never names two objects, not even at different times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectRef {
    slot: u32,
    generation: u32,
}

/// The contents of cells that were never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Initially {
    /// The values that the environment gives to a new object.
    Arbitrary,
    /// 0 or null.
    Zero,
    /// The values that the environment gives for the effect of unknown code.
    Havocked,
}

/// One object.
pub(super) struct Object {
    pub(super) origin: ObjectOrigin,
    /// Its type, with constants in place of variable lengths.
    pub(super) ty: Rc<Type>,
    /// How many cells it has.
    pub(super) leaves: u64,
    pub(super) initially: Initially,
    cells: Cells,
    /// The number of cells with memory, the object itself included.
    made: u64,
    /// The number of objects that had been created with it; 0 if it was always there.
    number: u64,
}

/// Objects up to this size keep their cells in one piece.
const SMALL: u64 = 4096;
/// Cells in a page.
const PAGE: u64 = 1024;
/// Pages below this number have a place in a table; those beyond are found by hashing.
const TABLE: u64 = 1 << 20;

type Page = Box<[Cell; PAGE as usize]>;

enum Cells {
    Dense(Vec<Cell>),
    Paged(Vec<Option<Page>>, HashMap<u64, Page>),
}

struct Slot {
    generation: u32,
    object: Option<Object>,
}

/// All live objects.
#[derive(Default)]
pub(super) struct Memory {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The number of cells with memory.
    pub(super) cells: u64,
    journals: Vec<Journal>,
    /// How many objects have been created.
    created: u64,
}

/// What memory held when a snapshot was taken, as far as it has changed before the next snapshot.
#[derive(Default)]
struct Journal {
    cells: HashMap<(ObjectRef, u64), Cell>,
    /// All cells of objects that were reset. What `cells` holds is older.
    objects: HashMap<ObjectRef, Reset>,
    /// How many objects had been created when the snapshot was taken.
    created: u64,
}

/// The cells of an object before it was reset.
struct Reset {
    cells: Cells,
    initially: Initially,
    /// The number of cells with memory.
    made: u64,
}

/// What a cell held when a snapshot was taken.
pub(super) enum Past {
    /// There was no such object.
    Missing,
    /// What it holds now.
    Same,
    /// Another value; of a cell that had none yet, what objects like it hold.
    Other(Cell, Initially),
}

impl Memory {
    pub(super) fn create(
        &mut self,
        origin: ObjectOrigin,
        ty: Rc<Type>,
        leaves: u64,
        initially: Initially,
    ) -> ObjectRef {
        self.created += 1;
        let (cells, number) = (Cells::new(leaves), self.created);
        let object = Some(Object { origin, ty, leaves, initially, cells, made: 1, number });
        self.cells += 1;
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.slots[slot as usize];
            entry.object = object;
            return ObjectRef { slot, generation: entry.generation };
        }
        let slot = u32::try_from(self.slots.len()).expect("the limit on cells keeps objects below 2^32");
        self.slots.push(Slot { generation: 0, object });
        ObjectRef { slot, generation: 0 }
    }

    /// Notes that an object was there before all snapshots.
    pub(super) fn predate(&mut self, at: ObjectRef) {
        if let Some(object) = self.slots.get_mut(at.slot as usize).and_then(|s| s.object.as_mut()) {
            object.number = 0;
        }
    }

    /// Ends the life of an object.
    pub(super) fn destroy(&mut self, at: ObjectRef) {
        if self.get(at).is_none() {
            return;
        }
        let slot = &mut self.slots[at.slot as usize];
        if let Some(object) = slot.object.take() {
            self.cells -= object.made;
        }
        // A slot whose generations are used up is not used again.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(at.slot);
        }
    }

    /// The objects that live, and the blocks that were freed.
    pub(super) fn living(&self) -> impl Iterator<Item = (ObjectRef, &Object)> {
        (0..).zip(&self.slots).filter_map(|(slot, entry)| {
            Some((ObjectRef { slot, generation: entry.generation }, entry.object.as_ref()?))
        })
    }

    pub(super) fn get(&self, at: ObjectRef) -> Option<&Object> {
        let slot = self.slots.get(at.slot as usize)?;
        if slot.generation == at.generation { slot.object.as_ref() } else { None }
    }

    /// What a cell holds; [`Cell::Unset`] if it was never written.
    pub(super) fn read(&self, at: ObjectRef, leaf: u64) -> Cell {
        self.get(at).map_or(Cell::Unset, |o| o.cells.read(leaf))
    }

    /// What a cell holds; [`Cell::Havocked`] if unknown code was the last to write it.
    pub(super) fn now(&self, at: ObjectRef, leaf: u64) -> Cell {
        match self.get(at) {
            Some(o) if o.initially == Initially::Havocked && o.cells.read(leaf) == Cell::Unset => Cell::Havocked,
            _ => self.read(at, leaf),
        }
    }

    /// Changes a cell.
    pub(super) fn write(&mut self, at: ObjectRef, leaf: u64, cell: Cell) {
        if !self.journals.is_empty() {
            let old = self.read(at, leaf);
            if let Some(journal) = self.journals.last_mut()
                && !journal.objects.contains_key(&at)
            {
                let new = journal.cells.entry((at, leaf));
                if matches!(new, Entry::Vacant(_)) {
                    self.cells += 1;
                }
                new.or_insert(old);
            }
        }
        self.settle(at, leaf, cell);
    }

    /// Gives a cell its first value, which it had all the time.
    pub(super) fn settle(&mut self, at: ObjectRef, leaf: u64, cell: Cell) {
        let slot = &mut self.slots[at.slot as usize];
        if slot.generation == at.generation
            && let Some(object) = &mut slot.object
            && leaf < object.leaves
        {
            let made = object.cells.write(leaf, cell, object.leaves);
            object.made += made;
            self.cells += made;
        }
    }

    /// Resets all cells to `initially`.
    pub(super) fn reset(&mut self, at: ObjectRef, initially: Initially) {
        let slot = &mut self.slots[at.slot as usize];
        if slot.generation == at.generation
            && let Some(object) = &mut slot.object
        {
            self.cells -= object.made - 1;
            let old = std::mem::replace(&mut object.cells, Cells::new(object.leaves));
            if let Some(journal) = self.journals.last_mut()
                && let Entry::Vacant(new) = journal.objects.entry(at)
            {
                self.cells += object.made;
                new.insert(Reset { cells: old, initially: object.initially, made: object.made });
            }
            object.made = 1;
            object.initially = initially;
        }
    }

    /// Takes a snapshot, and returns how many there were before.
    pub(super) fn take_snapshot(&mut self) -> usize {
        self.journals.push(Journal { created: self.created, ..Journal::default() });
        self.journals.len() - 1
    }

    /// Forgets a snapshot. Those taken later are numbered anew.
    pub(super) fn forget_snapshot(&mut self, number: usize) {
        let journal = self.journals.remove(number);
        self.cells -= journal.size();
        let Some(before) = number.checked_sub(1).and_then(|n| self.journals.get_mut(n)) else { return };
        self.cells -= before.size();
        for ((object, leaf), cell) in journal.cells {
            if !before.objects.contains_key(&object) {
                before.cells.entry((object, leaf)).or_insert(cell);
            }
        }
        for (object, old) in journal.objects {
            before.objects.entry(object).or_insert(old);
        }
        self.cells += before.size();
    }

    /// Forgets all snapshots but the first ones.
    pub(super) fn forget_snapshots(&mut self, all_but: usize) {
        while self.journals.len() > all_but {
            self.forget_snapshot(self.journals.len() - 1);
        }
    }

    /// What a cell held when a snapshot was taken.
    pub(super) fn past(&self, snapshot: usize, at: ObjectRef, leaf: u64) -> Past {
        let taken = self.journals.get(snapshot).map_or(0, |journal| journal.created);
        if self.get(at).is_some_and(|o| o.number > taken) {
            return Past::Missing;
        }
        for journal in self.journals.iter().skip(snapshot) {
            if let Some(cell) = journal.cells.get(&(at, leaf)) {
                let now = self.get(at).map_or(Initially::Arbitrary, |o| o.initially);
                let later = self.journals.iter().skip(snapshot).find_map(|j| j.objects.get(&at));
                return Past::Other(*cell, later.map_or(now, |old| old.initially));
            }
            if let Some(old) = journal.objects.get(&at) {
                return Past::Other(old.cells.read(leaf), old.initially);
            }
        }
        Past::Same
    }

    /// Gives a cell the first value that it had when a snapshot was taken, as [`Memory::settle`].
    pub(super) fn settle_past(&mut self, snapshot: usize, at: ObjectRef, leaf: u64, cell: Cell) {
        let leaves = self.get(at).map_or(0, |o| o.leaves);
        for journal in self.journals.iter_mut().skip(snapshot) {
            if let Some(old) = journal.cells.get_mut(&(at, leaf)) {
                *old = cell;
                return;
            }
            if let Some(old) = journal.objects.get_mut(&at) {
                let made = old.cells.write(leaf, cell, leaves);
                old.made += made;
                self.cells += made;
                return;
            }
        }
    }

    /// The cells of an object that have been written.
    pub(super) fn written(&self, at: ObjectRef) -> Vec<Cell> {
        match self.get(at).map(|o| &o.cells) {
            None => Vec::new(),
            Some(Cells::Dense(cells)) => cells.iter().filter(|c| **c != Cell::Unset).copied().collect(),
            Some(Cells::Paged(table, far)) => table
                .iter()
                .flatten()
                .chain(far.values())
                .flat_map(|page| page.iter())
                .filter(|c| **c != Cell::Unset)
                .copied()
                .collect(),
        }
    }
}

impl Journal {
    /// The number of cells with memory.
    fn size(&self) -> u64 {
        self.cells.len() as u64 + self.objects.values().map(|old| old.made).sum::<u64>()
    }
}

impl Cells {
    fn new(leaves: u64) -> Cells {
        if leaves <= SMALL { Cells::Dense(Vec::new()) } else { Cells::Paged(Vec::new(), HashMap::new()) }
    }

    fn read(&self, leaf: u64) -> Cell {
        match self {
            Cells::Dense(cells) => cells.get(leaf as usize).copied().unwrap_or(Cell::Unset),
            Cells::Paged(table, far) => {
                let number = leaf / PAGE;
                let page =
                    if number < TABLE { table.get(number as usize).and_then(Option::as_ref) } else { far.get(&number) };
                page.map_or(Cell::Unset, |p| p[(leaf % PAGE) as usize])
            }
        }
    }

    /// Returns how many cells have been made for it.
    fn write(&mut self, leaf: u64, cell: Cell, leaves: u64) -> u64 {
        match self {
            Cells::Dense(cells) => {
                let old = cells.len();
                if leaf as usize >= old {
                    let wanted = ((leaf as usize + 1) * 2).min(leaves as usize);
                    cells.resize(wanted, Cell::Unset);
                }
                cells[leaf as usize] = cell;
                (cells.len() - old) as u64
            }
            Cells::Paged(table, far) => {
                let (number, mut made) = (leaf / PAGE, 0);
                if number < TABLE && table.len() as u64 <= number {
                    // Four entries of the table need about as much memory as a cell.
                    made = (number + 1 - table.len() as u64).div_ceil(4);
                    table.resize_with(number as usize + 1, || None);
                }
                let fresh = || {
                    made += PAGE;
                    Box::new([Cell::Unset; PAGE as usize])
                };
                let page = if number < TABLE {
                    table[number as usize].get_or_insert_with(fresh)
                } else {
                    far.entry(number).or_insert_with(fresh)
                };
                page[(leaf % PAGE) as usize] = cell;
                made
            }
        }
    }
}

//! Objects and their cells.

use super::ObjectOrigin;
use super::value::Cell;
use crate::program::Type;
use std::collections::HashMap;
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
}

impl Memory {
    pub(super) fn create(
        &mut self,
        origin: ObjectOrigin,
        ty: Rc<Type>,
        leaves: u64,
        initially: Initially,
    ) -> ObjectRef {
        let object = Some(Object { origin, ty, leaves, initially, cells: Cells::new(leaves), made: 1 });
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

    pub(super) fn get(&self, at: ObjectRef) -> Option<&Object> {
        let slot = self.slots.get(at.slot as usize)?;
        if slot.generation == at.generation { slot.object.as_ref() } else { None }
    }

    /// What a cell holds; [`Cell::Unset`] if it was never written.
    pub(super) fn read(&self, at: ObjectRef, leaf: u64) -> Cell {
        self.get(at).map_or(Cell::Unset, |o| o.cells.read(leaf))
    }

    pub(super) fn write(&mut self, at: ObjectRef, leaf: u64, cell: Cell) {
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
            object.made = 1;
            object.cells = Cells::new(object.leaves);
            object.initially = initially;
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

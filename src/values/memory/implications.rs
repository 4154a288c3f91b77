//! What memories say of cells whose values belong together: see [`super::super::implications`].

use super::super::implications::{Case, Guards, Implication, Implications, Place, meet};
use super::super::objects::{ObjectId, Objects};
use super::super::value::Value;
use super::merge::Differs;
use super::{Memory, Shared};
use imbl::ordmap::DiffItem;
use std::rc::Rc;

/// The most cells that differ between two memories and are looked at.
const MOST_DIFFERING: usize = 24;
/// How many implications follow from each other at most.
const MOST_IN_A_ROW: u32 = 3;

/// A cell, and what each of two memories knows of it.
type Differing = (Place, [Value; 2]);

/// Two memories, and the cells of which they know different things, in order. These were changed
/// since the memories were one: what else the memories hold has no influence here.
struct Pair<'m> {
    memories: [&'m Memory; 2],
    differing: Vec<Differing>,
    big_endian: bool,
}

impl Pair<'_> {
    /// What both know of a cell, if it differs.
    fn values(&self, place: Place) -> Option<&[Value; 2]> {
        let found = self.differing.binary_search_by_key(&place, |(place, _)| *place);
        found.ok().map(|n| &self.differing[n].1)
    }

    /// What at least one of both memories says that a cell holds.
    fn either(&self, place: Place) -> Value {
        match self.values(place) {
            Some([a, b]) => a.join(b),
            None => self.memories[0].held_at(place, self.big_endian),
        }
    }

    /// The implication for a guard and a case that is true of both, as far as it says more than
    /// both memories do.
    fn joined(&self, guard: Place, case: Case, widens: bool) -> Option<Implication> {
        let held = self.values(guard);
        let is_excluded =
            [0, 1].map(|side| held.is_some_and(|held: &[Value; 2]| case.is_excluded_by(&held[side], guard.size)));
        if is_excluded == [true, true] {
            return None;
        }
        let known = [0, 1].map(|side| self.memories[side].facts.implications.get(guard, case));
        let mut places: Vec<Place> =
            known.iter().flatten().flat_map(|i| i.values.iter().map(|(place, _)| *place)).collect();
        if is_excluded != [false, false] {
            places.extend(self.differing.iter().map(|(place, _)| *place));
        }
        places.sort_unstable();
        places.dedup();
        let told = |side: usize, place: Place| match known[side].and_then(|i| i.value(place)) {
            _ if is_excluded[side] => Told::Never,
            Some(value) => Told::Is(value.clone()),
            None => self.values(place).map_or(Told::Anything, |values| Told::Is(values[side].clone())),
        };
        let both = |place: Place| {
            let value = match (told(0, place), told(1, place)) {
                (Told::Never, Told::Never) | (Told::Anything, _) | (_, Told::Anything) => return None,
                (Told::Never, Told::Is(value)) | (Told::Is(value), Told::Never) => value,
                (Told::Is(old), Told::Is(new)) if widens => Some(old).filter(|old| new.is_within(old))?,
                (Told::Is(a), Told::Is(b)) => a.join(&b),
            };
            (!self.either(place).is_within(&value)).then_some((place, value))
        };
        let values: Vec<(Place, Value)> = places.into_iter().filter(|place| *place != guard).filter_map(both).collect();
        (!values.is_empty()).then_some(Implication { guard, case, values })
    }
}

/// What is known of a cell in a case.
enum Told {
    /// There is no such case.
    Never,
    Is(Value),
    Anything,
}

impl Memory {
    /// The implications that are true of both memories: those of each, and those for guards that
    /// tell the memories apart; none, if there are no guards. If a chain of them has to end, values
    /// that grow go.
    pub(super) fn joined_implications(
        &self,
        (other, objects): (&Memory, &[Differs<'_>]),
        (names, guards): (&Objects, Option<&Guards>),
        big_endian: bool,
        widens: bool,
    ) -> Implications {
        let Some(guards) = guards else { return Implications::default() };
        let [own, others] = [self, other].map(|memory| &memory.facts.implications);
        let mut cases = cases_apart(objects, names, guards, big_endian);
        if cases.is_empty() && own.is_same(others) {
            return own.clone();
        }
        let differing = differing_cells(objects, names, big_endian).take(MOST_DIFFERING).collect();
        let pair = Pair { memories: [self, other], differing, big_endian };
        let mut found = Implications::default();
        for implication in own.iter().filter(|i| others.has(i)) {
            found.add(implication.clone());
        }
        let unlike = own.iter().chain(others.iter()).filter(|i| !(own.has(i) && others.has(i)));
        cases.extend(unlike.map(|i| (i.guard, i.case)));
        for (guard, case) in cases {
            if found.get(guard, case).is_none()
                && let Some(implication) = pair.joined(guard, case, widens)
            {
                found.add(Rc::new(implication));
            }
        }
        found
    }

    /// What is known of a cell, for comparisons alone.
    fn held_at(&self, place: Place, big_endian: bool) -> Value {
        let object = self.objects.get(&place.object);
        object.map_or(Value::Any, |o| o.read(place.at, place.size, big_endian))
    }

    /// Whether all implications of the other memory are true of this one.
    pub(super) fn implies_implications(&self, other: &Memory, big_endian: bool) -> bool {
        if other.facts.implications.is_same(&self.facts.implications) {
            return true;
        }
        let read = |place: Place| self.held_at(place, big_endian);
        let own = &self.facts.implications;
        let is_true = |implication: &Rc<Implication>| {
            let Implication { guard, case, values } = &**implication;
            let known = own.get(*guard, *case);
            let is_value = |(place, value): &(Place, Value)| {
                known.and_then(|known| known.value(*place)).is_some_and(|v| v.is_within(value))
                    || read(*place).is_within(value)
            };
            own.has(implication) || case.is_excluded_by(&read(*guard), guard.size) || values.iter().all(is_value)
        };
        other.facts.implications.iter().all(is_true)
    }

    /// What follows from what is now known of a cell. Returns whether there is such a memory.
    pub(in super::super) fn follow(&mut self, place: Place, big_endian: bool) -> bool {
        self.follow_steps(place, MOST_IN_A_ROW, big_endian)
    }

    fn follow_steps(&mut self, place: Place, steps: u32, big_endian: bool) -> bool {
        if !self.facts.implications.may_be_about(place.object) || steps == 0 {
            return true;
        }
        let value = self.read(place.object, place.at, place.size, big_endian);
        let mut news: Vec<(Place, Value)> = Vec::new();
        for implication in self.facts.implications.iter() {
            let Implication { guard, case: needed, values } = &**implication;
            if *guard == place && needed.is_certain(&value, place.size) {
                news.extend(values.iter().cloned());
            }
            // The other way round: a guard does not have a case in which the cell holds something
            // else.
            if implication.value(place).is_some_and(|told| meet(&value, told, place.size).is_none()) {
                let known = self.read(guard.object, guard.at, guard.size, big_endian);
                match needed.left_by(&known, guard.size) {
                    Some(left) => news.push((*guard, left)),
                    None => return false,
                }
            }
        }
        for (place, told) in news {
            let known = self.read(place.object, place.at, place.size, big_endian);
            let Some(both) = meet(&known, &told, place.size) else { return false };
            if both != known {
                self.narrow(place.object, place.at, place.size, both, big_endian);
                if !self.follow_steps(place, steps - 1, big_endian) {
                    return false;
                }
            }
        }
        true
    }
}

/// The guards that tell two memories apart, with their cases.
fn cases_apart(objects: &[Differs<'_>], names: &Objects, guards: &Guards, big_endian: bool) -> Vec<(Place, Case)> {
    let mut found = Vec::new();
    for (object, a, b) in objects.iter().filter_map(|item| in_both(item, names)) {
        for (at, size) in guards.of_object(names.origin(object)) {
            let [a, b] = [a, b].map(|o| o.read(*at, *size, big_endian));
            let place = Place { object, at: *at, size: *size };
            found.extend(Case::between(&a, &b, *size).into_iter().map(|case| (place, case)));
        }
    }
    found
}

/// The cells of which two memories know different things.
fn differing_cells<'m>(
    objects: &'m [Differs<'m>],
    names: &'m Objects,
    big_endian: bool,
) -> impl Iterator<Item = Differing> + 'm {
    objects.iter().filter_map(|item| in_both(item, names)).flat_map(move |(object, a, b)| {
        a.cells.differing(&b.cells).into_iter().map(move |(at, size)| {
            (Place { object, at, size }, [a.read(at, size, big_endian), b.read(at, size, big_endian)])
        })
    })
}

/// An object that is in both memories, and is one.
fn in_both<'m>(item: &Differs<'m>, names: &Objects) -> Option<(ObjectId, &'m Shared, &'m Shared)> {
    match item {
        DiffItem::Update { old: (object, a), new: (_, b) } if !names.origin(**object).is_several() => {
            Some((**object, a, b))
        }
        _ => None,
    }
}

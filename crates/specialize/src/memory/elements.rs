//! What all elements of an array have in common: a member that is one of a few known numbers in each of them, whichever element it is.
//! An interpreter's frames hold the addresses to return to: at an unknown depth, each of them is one of those that were stored.
//!
//! In: stores of known numbers at unknown indices of a local array that only this code knows. Out: for a load at an unknown index, the
//! numbers that it may find. The numbers are the same at all points of a run (a number that is new begins the run again), and hold in
//! a state as long as nothing else was written there. Source: flow-insensitive summaries of arrays, as in Blanchet, Cousot et al.,
//! "A static analyzer for large safety-critical software" (2003), section 6.1 (smashed arrays).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use core_c::{Expression, ExpressionKind, Place, PlaceBase, Shape, Statement, StatementKind, StepKind};

use crate::engine::choice::{self, Choice};
use crate::engine::state::State;
use crate::engine::{Engine, Interrupt, Step};
use crate::memory::access::Location;
use crate::memory::within::Within;
use crate::memory::{Cell, Found, Object, Origin};
use crate::mutation;
use crate::values::fold;
use crate::values::value::{Bytes, ObjectId, Pointer, Value};

/// Members of more numbers are as good as unknown.
const MOST: usize = 16;

/// Longer arrays are not looked through.
const LONGEST: u64 = 1 << 14;

/// A part of each element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot {
    pub(crate) array: Bytes,
    /// The size of an element, in bytes.
    pub(crate) stride: u64,
    /// Where the part begins in its element, and how large it is, in bytes.
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

impl Slot {
    /// All of an array's bytes.
    pub(crate) fn whole(array: Bytes) -> Slot {
        Slot { array, stride: 1, offset: 0, size: 1 }
    }

    /// What lies `by` bytes further on, in this element or in another one.
    pub(crate) fn moved(self, by: i64) -> Slot {
        let at = (i128::from(self.offset) + i128::from(by)).rem_euclid(i128::from(self.stride));
        Slot { offset: u64::try_from(at).unwrap_or(0), ..self }
    }

    /// The same part with its size, if it is inside the element.
    pub(crate) fn sized(self, size: u64) -> Option<Slot> {
        (size > 0 && self.offset.checked_add(size)? <= self.stride).then_some(Slot { size, ..self })
    }

    /// True of bytes that are this part of one of the elements.
    fn is_at(self, at: u64, size: u64) -> bool {
        let inside = at >= self.array.from && at - self.array.from < self.array.size;
        inside && size == self.size && (at - self.array.from) % self.stride == self.offset
    }

    /// True of bytes among which some may be this part of an element.
    pub(crate) fn touches(self, at: u64, size: u64) -> bool {
        let (from, end) = (at.max(self.array.from), at.saturating_add(size));
        let end = end.min(self.array.from.saturating_add(self.array.size));
        if from >= end {
            return false;
        }
        let first = (from - self.array.from) % self.stride;
        let last = first.saturating_add(end - from);
        // In the element where the bytes begin, or in the next one.
        let part = self.offset..self.offset.saturating_add(self.size);
        first < part.end && last > part.start || last > self.stride.saturating_add(part.start)
    }

    /// True where a write of the one part may change the other.
    pub(crate) fn meets(self, other: Slot) -> bool {
        if (self.array, self.stride) == (other.array, other.stride) {
            return self.offset < other.offset + other.size && other.offset < self.offset + self.size;
        }
        self.array.meets(other.array)
    }
}

/// The numbers that a slot may hold, each as the unsigned number of its bytes.
pub(crate) type Elements = BTreeMap<Slot, Rc<BTreeSet<i128>>>;

/// Of slots that are loaded at unknown indices: the numbers that are stored there anywhere; none where others are, too.
pub(crate) type Numbers = BTreeMap<(Origin, Slot), Option<BTreeSet<i128>>>;

impl Object {
    /// Bytes were written; what is known of elements holds on where it is one of their numbers.
    pub(crate) fn overwritten(&mut self, at: u64, size: u64, value: Option<&Value>) {
        if mutation::forgets("elements") {
            return;
        }
        self.elements.retain(|slot, numbers| {
            let number = value.and_then(|value| bits(value, size)).filter(|_| slot.is_at(at, size));
            !slot.touches(at, size) || number.is_some_and(|number| numbers.contains(&number))
        });
    }
}

/// A known number as its bytes.
fn bits(value: &Value, size: u64) -> Option<i128> {
    match value {
        Value::Integer(number) if size <= 8 => Some(fold::wrap(*number, size as u32 * 8, false)),
        _ => None,
    }
}

impl Engine<'_> {
    /// A residual object comes to be: what is known of its elements from the start.
    pub(crate) fn begin_elements(&mut self, id: ObjectId, before: &Object) -> Step<()> {
        let wanted: Vec<Slot> = self
            .generalizations
            .elements
            .keys()
            .filter(|(origin, _)| *origin == before.origin)
            .map(|(_, slot)| *slot)
            .collect();
        for slot in wanted {
            match found_in(before, slot) {
                Some(found) => {
                    for number in found {
                        self.may_hold(before.origin, slot, number)?;
                    }
                }
                None => drop(self.generalizations.elements.insert((before.origin, slot), None)),
            }
            if let Some(Some(numbers)) = self.generalizations.elements.get(&(before.origin, slot))
                && let Some(object) = self.state.memory.get_mut(id)
            {
                object.elements.insert(slot, Rc::new(numbers.clone()));
            }
        }
        Ok(())
    }

    /// A number is stored in a slot: one that is new there begins the run again.
    fn may_hold(&mut self, origin: Origin, slot: Slot, number: i128) -> Step<()> {
        let Some(Some(numbers)) = self.generalizations.elements.get_mut(&(origin, slot)) else { return Ok(()) };
        if !numbers.insert(number) {
            return Ok(());
        }
        if numbers.len() > MOST {
            self.generalizations.elements.insert((origin, slot), None);
        }
        self.outdated = true;
        Err(Interrupt::Restart)
    }

    /// Before bytes of an object are written at a known address: takes what is known of elements out of the object whose they are, as it
    /// holds after the write.
    pub(crate) fn elements_after(
        &mut self,
        id: ObjectId,
        range: Option<(u64, u64)>,
        value: &Value,
    ) -> Step<(ObjectId, Elements)> {
        let Some((at, size)) = range else { return Ok((id, Elements::new())) };
        let number = bits(value, size);
        match self.part_of(id, range) {
            Some(Within { object, slot }) => {
                // Where the part is not known, it stands for all bytes, and no number is that of an element.
                let number = number.filter(|_| slot.size == size);
                let same = |other: &Slot| *other == slot;
                Ok((object, self.take_elements(object, number, &same, &|other| other.meets(slot))?))
            }
            None => {
                let same = |other: &Slot| other.is_at(at, size);
                Ok((id, self.take_elements(id, number, &same, &|other| other.touches(at, size))?))
            }
        }
    }

    /// Takes what is known of an object's elements, where some are overwritten: slots that are written as a whole and with a known number go on
    /// to be known, with that number.
    fn take_elements(
        &mut self,
        id: ObjectId,
        number: Option<i128>,
        is_written: &dyn Fn(&Slot) -> bool,
        is_touched: &dyn Fn(&Slot) -> bool,
    ) -> Step<Elements> {
        let Some(object) = self.state.memory.get(id).filter(|object| !object.elements.is_empty()) else {
            return Ok(Elements::new());
        };
        let origin = object.origin;
        let written: Vec<Slot> = object.elements.keys().filter(|slot| is_written(slot)).copied().collect();
        for slot in written {
            match number {
                Some(number) => self.may_hold(origin, slot, number)?,
                None => self.holds_anything(origin, slot),
            }
        }
        let Some(object) = self.state.memory.get_mut(id) else { return Ok(Elements::new()) };
        let mut elements = std::mem::take(&mut object.elements);
        let holds = |numbers: &BTreeSet<i128>| number.is_some_and(|number| numbers.contains(&number));
        elements.retain(|slot, numbers| !is_touched(slot) || is_written(slot) && holds(numbers));
        Ok(elements)
    }

    /// What is not known is written to a slot: no run need look at it again.
    fn holds_anything(&mut self, origin: Origin, slot: Slot) {
        if let Some(numbers) = self.generalizations.elements.get_mut(&(origin, slot)) {
            *numbers = None;
        }
    }

    /// A part of an unknown element was written: the other parts of the elements are as they were.
    pub(crate) fn slot_stored(
        &mut self,
        root: Option<ObjectId>,
        slot: Option<Slot>,
        (place, value): (&Place, &Value),
    ) -> Step<()> {
        let extent = slot.map(|slot| (slot.array.from, slot.array.size));
        let size = self.types.size_of(place.ty).unwrap_or(0);
        let part = slot.filter(|_| place.bits().is_none()).and_then(|slot| slot.sized(size));
        let (Some(id), Some(part)) = (root, part) else {
            self.written(root, extent);
            return Ok(());
        };
        let elements = self.take_elements(id, bits(value, size), &|slot| *slot == part, &|slot| slot.meets(part))?;
        let apart = self.state.memory.get(id).map(|object| {
            let apart = |(at, cell): &(&u64, &Cell)| !part.touches(**at, cell.size);
            object.cells.iter().filter(apart).map(|(at, cell)| (*at, cell.clone())).collect::<Vec<_>>()
        });
        self.written(root, extent);
        if let Some(object) = self.state.memory.get_mut(id) {
            object.cells.extend(apart.into_iter().flatten());
        }
        self.give_elements(id, elements);
        Ok(())
    }

    /// What is known of elements after a write that was dealt with otherwise.
    pub(crate) fn give_elements(&mut self, id: ObjectId, elements: Elements) {
        if let Some(object) = self.state.memory.get_mut(id).filter(|_| !elements.is_empty()) {
            object.elements = elements;
        }
    }

    /// The load in a statement that finds one of a few numbers: where it stands, what it is loaded into, and the numbers.
    pub(crate) fn element_choice(&mut self, statement: &Statement) -> Step<Option<Choice>> {
        let (value, was_known) = match &statement.kind {
            StatementKind::Set { local, value } => {
                let (function, is_root) = (self.state.top().function, self.state.frames.len() == 1);
                if !self.deciding(function, is_root).contains(local) {
                    return Ok(None);
                }
                (value, matches!(self.state.top().registers.get(local), Some(Value::Integer(_))))
            }
            StatementKind::Store { place, value } if !has_index(place) => (value, self.holds_number(place)?),
            _ => return Ok(None),
        };
        let mut loads = Vec::new();
        choice::walk(value, &mut |part| {
            if let ExpressionKind::Load(place) = &part.kind {
                loads.push((part, place));
            }
        });
        for (load, place) in loads {
            if !matches!(self.types.shape_of(load.ty), Shape::Integer { .. })
                || place.bits().is_some()
                || place.volatile
            {
                continue;
            }
            let at = std::ptr::from_ref(load).addr();
            if let Some((index, values)) = self.numbers_at(place, was_known)?
                && self.tells(value, at, &values)?
            {
                return Ok(Some(Choice { at, index, values }));
            }
        }
        Ok(None)
    }

    /// An expression is known with each of the numbers. Otherwise a test of them would tell nothing.
    fn tells(&mut self, value: &Expression, at: usize, numbers: &[i128]) -> Step<bool> {
        for number in numbers {
            self.chosen = Some((at, *number));
            let found = self.evaluate(value);
            self.chosen = None;
            if !found?.is_known() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is at a place now is a number that is known.
    fn holds_number(&mut self, place: &Place) -> Step<bool> {
        let size = self.types.size_of(place.ty).unwrap_or(0);
        let Location::Known(pointer) = self.locate(place)? else { return Ok(false) };
        let object = self.state.memory.get(pointer.object).zip(u64::try_from(pointer.offset).ok());
        let found = object.map(|(object, at)| object.read(at, size));
        Ok(matches!(found, Some(Found::Bytes(_) | Found::Cell(Cell { value: Value::Integer(_), .. }))))
    }

    /// The numbers that a load may find, and the register it is loaded into. Those of a constant table are asked for where the number
    /// takes the place of one that is known, as the next state of an automaton does.
    fn numbers_at(&mut self, place: &Place, was_known: bool) -> Step<Option<(Expression, Vec<i128>)>> {
        let size = self.types.size_of(place.ty).unwrap_or(0);
        let location = self.locate(place)?;
        let (id, slot) = match &location {
            Location::Residual(_, Some(id)) => (*id, self.slot_at.and_then(|slot| slot.sized(size))),
            Location::Known(pointer) => match self.slot_behind(*pointer, size) {
                Some((id, slot)) => (id, Some(slot)),
                None => return Ok(None),
            },
            Location::Residual(_, None) => return Ok(None),
        };
        let (Some(slot), Some(object)) = (slot, self.state.memory.get(id)) else { return Ok(None) };
        let origin = object.origin;
        let numbers = match object.elements.get(&slot) {
            Some(numbers) => Some(Rc::clone(numbers)),
            None if object.constant && was_known => found_in(object, slot).map(Rc::new),
            None => None,
        };
        let Some(numbers) = numbers else {
            self.wish_for(id, slot)?;
            return Ok(None);
        };
        let numbers: Vec<Value> = numbers.iter().filter_map(|number| self.value_of_bytes(*number, place.ty)).collect();
        let numbers: Vec<i128> = numbers
            .into_iter()
            .filter_map(|value| if let Value::Integer(number) = value { Some(number) } else { None })
            .collect();
        if numbers.is_empty() {
            self.unfilled.insert((origin, slot));
        }
        let loaded = if numbers.len() > 1 { self.load(place)? } else { Value::Undefined };
        let index = self.lift(loaded, place.ty)?;
        Ok(Some((index, numbers)))
    }

    /// The slot that a known address leads to, and the object with the array, where its content is only in memory.
    fn slot_behind(&self, pointer: Pointer, size: u64) -> Option<(ObjectId, Slot)> {
        let object = self.state.memory.get(pointer.object).filter(|object| object.residual)?;
        let at = u64::try_from(pointer.offset).ok()?;
        if object.read(at, size) != Found::Memory {
            return None;
        }
        if object.within.is_some() {
            let part = self.part_of(pointer.object, Some((at, size))).filter(|part| part.slot.size == size)?;
            return Some((part.object, part.slot));
        }
        let slot = object.elements.keys().find(|slot| slot.is_at(at, size))?;
        Some((pointer.object, *slot))
    }

    /// Something would be decided if the numbers of a slot were known: the run begins again, and looks for them.
    fn wish_for(&mut self, id: ObjectId, slot: Slot) -> Step<()> {
        let Some(object) = self.state.memory.get(id) else { return Ok(()) };
        let is_own = matches!(object.origin, Origin::Local(..)) && !object.escaped && object.residual;
        let name = (object.origin, slot);
        if !is_own || self.generalizations.elements.contains_key(&name) || self.options.without.tests {
            return Ok(());
        }
        self.generalizations.elements.insert(name, Some(BTreeSet::new()));
        self.outdated = true;
        Err(Interrupt::Restart)
    }

    /// Slots of which a loop's rounds make nothing be known may hold anything from the first one on; false where there is no such slot.
    pub(crate) fn lose_elements(&mut self, before: &State, now: &State) -> bool {
        let mut lost = false;
        for (id, object) in before.memory.iter().filter(|(_, object)| !object.elements.is_empty()) {
            let after = now.memory.get(id).map(|object| &object.elements);
            for slot in object.elements.keys().filter(|slot| after.is_none_or(|after| !after.contains_key(slot))) {
                if let Some(numbers) = self.generalizations.elements.get_mut(&(object.origin, *slot)) {
                    lost |= numbers.is_some();
                    *numbers = None;
                }
            }
        }
        lost
    }

    /// The run is over: slots that were loaded and never filled may hold anything.
    pub(crate) fn settle_elements(&mut self) {
        for name in std::mem::take(&mut self.unfilled) {
            if let Some(numbers) = self
                .generalizations
                .elements
                .get_mut(&name)
                .filter(|numbers| numbers.as_ref().is_some_and(BTreeSet::is_empty))
            {
                *numbers = None;
                self.outdated = true;
            }
        }
    }
}

fn has_index(place: &Place) -> bool {
    let is_moved =
        matches!(&place.base, PlaceBase::Pointee(address) if matches!(address.kind, ExpressionKind::Offset { .. }));
    is_moved || place.steps.iter().any(|step| matches!(step.kind, StepKind::Index(_)))
}

/// The numbers that a slot holds in an object that is not residual yet; none where it may hold others.
fn found_in(object: &Object, slot: Slot) -> Option<BTreeSet<i128>> {
    let mut found = BTreeSet::new();
    let end = slot.array.from.saturating_add(slot.array.size).min(object.size?);
    if end.saturating_sub(slot.array.from) / slot.stride > LONGEST {
        return None;
    }
    let covered: Vec<u64> = (0..)
        .map(|at| slot.array.from + at * slot.stride + slot.offset)
        .take_while(|at| at + slot.size <= end)
        .collect();
    for at in covered {
        match object.read(at, slot.size) {
            Found::Cell(cell) => drop(found.insert(bits(&cell.value, slot.size)?)),
            Found::Bytes(number) => drop(found.insert(number)),
            Found::Undefined => {}
            Found::Memory => return None,
        }
    }
    (found.len() <= MOST).then_some(found)
}

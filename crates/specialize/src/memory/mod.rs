//! Memory at specialization time: objects of cells, each known, or bound to a register of the residual program.
//!
//! An object is *virtual* (the residual program has no such object; its cells are all there is) or *residual* (it is
//! in the residual program's memory too, every store is written through, and the cells are what is known of it).

pub(crate) mod access;
pub(crate) mod alignment;
pub(crate) mod bit_fields;
pub(crate) mod callers;
pub(crate) mod elements;
pub(crate) mod naming;
pub(crate) mod object;
pub(crate) mod provenance;
pub(crate) mod snapshots;
pub(crate) mod within;

use std::collections::BTreeMap;
use std::rc::Rc;

use core_c::{GlobalId, LocalId, TypeId};

use crate::engine::call_chain::ChainId;
use crate::memory::elements::Elements;
use crate::memory::within::Within;
use crate::mutation;
use crate::report::blame::BlameId;
use crate::values::value::{ObjectId, Value};

/// Where an object comes from; gives it one name over all restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Origin {
    /// A memory local, by the chain of calls that leads to its function.
    Local(ChainId, LocalId),
    Global(GlobalId),
    /// What a residual pointer points to.
    Pointee(LocalId),
    /// What a caller's object held when the function was called (`snapshots.rs`).
    Snapshot(usize),
}

/// What bytes without a cell hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Background {
    Undefined,
    Zero,
    /// What the residual program's memory holds.
    Unknown,
}

/// One object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) origin: Origin,
    /// As declared; for a pointee, what the pointer's type says.
    pub(crate) ty: TypeId,
    /// In bytes, where known.
    pub(crate) size: Option<u64>,
    /// By offset; they do not overlap.
    pub(crate) cells: BTreeMap<u64, Cell>,
    pub(crate) background: Background,
    /// What all elements of its arrays have in common, where residual memory has them.
    pub(crate) elements: Elements,
    /// The residual program has it.
    pub(crate) residual: bool,
    /// Its address is known where the specializer does not look: unknown code may read and write it.
    pub(crate) escaped: bool,
    /// A pointee that is part of another object.
    pub(crate) within: Option<Within>,
    /// Nobody writes it.
    pub(crate) constant: bool,
    /// It is constant, and all that it holds was known from the start: it is the same in all states, wherever it was looked at.
    pub(crate) settled: bool,
    /// A pointee that no other pointee overlaps.
    pub(crate) isolated: bool,
    /// The scenario says so, whoever gets its address.
    pub(crate) promised: bool,
    /// Why what has no cell is not known, where something is not known any more.
    pub(crate) lost: Option<BlameId>,
}

/// Some bytes of an object that hold one value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// In bytes. `Integer(0)` and `Undefined` may fill any number of them.
    pub(crate) size: u64,
    pub(crate) ty: TypeId,
    pub(crate) value: Value,
}

impl Cell {
    /// The bytes of a known number, least significant first.
    fn bytes(&self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.size).ok()?;
        match &self.value {
            Value::Integer(0) => Some(vec![0; length]),
            Value::Integer(value) => (length <= 16).then(|| value.to_le_bytes()[..length].to_vec()),
            Value::Float(bits) => (length <= 8).then(|| bits.to_le_bytes()[..length].to_vec()),
            _ => None,
        }
    }

    /// The same as one unsigned number.
    fn number(&self) -> Option<i128> {
        self.bytes().filter(|bytes| bytes.len() <= 16).map(|bytes| number(&bytes))
    }

    /// A part of this cell as a cell of its own, where the value can be taken apart.
    fn part(&self, from: u64, size: u64) -> Option<Cell> {
        let value = match &self.value {
            Value::Undefined => Value::Undefined,
            Value::Integer(0) => Value::Integer(0),
            _ => {
                let bytes = self.bytes()?;
                let (from, size) = (usize::try_from(from).ok()?, usize::try_from(size).ok()?);
                Value::Integer(number(bytes.get(from..from + size)?))
            }
        };
        Some(Cell { size, ty: self.ty, value })
    }
}

/// An unsigned number from its bytes, least significant first.
fn number(bytes: &[u8]) -> i128 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | i128::from(*byte))
}

/// What reading finds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// One cell is exactly there.
    Cell(Cell),
    /// Known bytes, as an unsigned number.
    Bytes(i128),
    Undefined,
    /// Only the residual program's memory can tell.
    Memory,
}

impl Object {
    /// The cells that touch a range, with their offsets.
    fn touching(&self, offset: u64, size: u64) -> Vec<u64> {
        let before = self.cells.range(..offset).next_back();
        let before = before.filter(|(at, cell)| *at + cell.size > offset).map(|(at, _)| *at);
        before.into_iter().chain(self.cells.range(offset..offset.saturating_add(size)).map(|(at, _)| *at)).collect()
    }

    /// What `size` bytes hold.
    pub(crate) fn read(&self, offset: u64, size: u64) -> Found {
        if let Some(cell) = self.cells.get(&offset)
            && cell.size == size
        {
            return if cell.value == Value::Undefined { Found::Undefined } else { Found::Cell(cell.clone()) };
        }
        if size > 16 {
            return Found::Memory;
        }
        let mut bytes = Vec::new();
        let mut undefined = 0;
        for at in offset..offset + size {
            match self.byte(at) {
                Ok(Some(byte)) => bytes.push(byte),
                Ok(None) => undefined += 1,
                Err(()) => return Found::Memory,
            }
        }
        match undefined {
            0 => Found::Bytes(number(&bytes)),
            _ if undefined == size => Found::Undefined,
            _ => Found::Memory,
        }
    }

    /// True where a range holds what a cell does, in as many cells as may be.
    pub(crate) fn holds(&self, offset: u64, cell: &Cell) -> bool {
        let is_one = self.cells.get(&offset).is_some_and(|now| now.size == cell.size && now.value == cell.value);
        let is_byte = |(at, byte): (u64, &u8)| self.byte(offset + at) == Ok(Some(*byte));
        is_one || cell.bytes().is_some_and(|bytes| (0..).zip(&bytes).all(is_byte))
    }

    /// One byte: known, indeterminate (`None`), or not to be known.
    fn byte(&self, at: u64) -> Result<Option<u8>, ()> {
        let Some((start, cell)) = self.cells.range(..=at).next_back().filter(|(start, cell)| *start + cell.size > at)
        else {
            return match self.background {
                Background::Undefined => Ok(None),
                Background::Zero => Ok(Some(0)),
                Background::Unknown => Err(()),
            };
        };
        match cell.value {
            Value::Undefined => Ok(None),
            _ => cell.part(at - start, 1).map(|part| part.bytes().map(|bytes| bytes[0])).ok_or(()),
        }
    }

    /// Makes room for `size` bytes at `offset`. False, and nothing done, where a virtual object has a cell that can
    /// be neither kept whole nor taken apart.
    pub(crate) fn clear(&mut self, offset: u64, size: u64) -> bool {
        let end = offset.saturating_add(size);
        let mut rest = Vec::new();
        let touching = self.touching(offset, size);
        for at in &touching {
            let cell = &self.cells[at];
            let after = *at + cell.size;
            let parts = [(*at, offset.max(*at)), (end.min(after), after)];
            for (from, to) in parts {
                if from >= to {
                    continue;
                }
                match cell.part(from - at, to - from) {
                    Some(part) => rest.push((from, part)),
                    // The memory of the residual program has the rest.
                    None if self.residual => {}
                    None => return false,
                }
            }
        }
        touching.iter().for_each(|at| drop(self.cells.remove(at)));
        self.cells.extend(rest);
        true
    }

    /// Sets bytes to a value; false as [`Object::clear`].
    pub(crate) fn write(&mut self, offset: u64, cell: Cell) -> bool {
        self.overwritten(offset, cell.size, Some(&cell.value));
        self.know(offset, cell)
    }

    /// Notes what bytes hold; false as [`Object::clear`].
    pub(crate) fn know(&mut self, offset: u64, cell: Cell) -> bool {
        let done = mutation::forgets("overlap") || self.clear(offset, cell.size);
        if done {
            self.cells.insert(offset, cell);
        }
        done
    }

    /// Forgets what a write of `size` bytes at `offset` might have changed.
    /// What stands beside it in the same cell is kept where the cell can be taken apart.
    pub(crate) fn forget(&mut self, offset: u64, size: u64) {
        if !self.clear(offset, size) {
            self.touching(offset, size).iter().for_each(|at| drop(self.cells.remove(at)));
        }
    }
}

/// All objects, copied on write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    objects: BTreeMap<ObjectId, Rc<Object>>,
}

impl Memory {
    pub(crate) fn get(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(&id).map(|object| &**object)
    }

    pub(crate) fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(&id).map(Rc::make_mut)
    }

    /// True where an object is as it was when one of the two memories was copied from the other, or both from a third.
    pub(crate) fn shares(&self, other: &Memory, id: ObjectId) -> bool {
        self.objects.get(&id).zip(other.objects.get(&id)).is_some_and(|(here, there)| Rc::ptr_eq(here, there))
    }

    pub(crate) fn insert(&mut self, id: ObjectId, object: Object) {
        self.objects.insert(id, Rc::new(object));
    }

    pub(crate) fn remove(&mut self, id: ObjectId) {
        self.objects.remove(&id);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().map(|(id, object)| (*id, &**object))
    }

    pub(crate) fn ids(&self) -> Vec<ObjectId> {
        self.objects.keys().copied().collect()
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(ObjectId) -> bool) {
        self.objects.retain(|id, _| keep(*id));
    }

    /// How many objects there are.
    pub(crate) fn count(&self) -> usize {
        self.objects.len()
    }

    /// How many cells they have.
    pub(crate) fn cells(&self) -> usize {
        self.objects.values().map(|object| object.cells.len()).sum()
    }

    pub(crate) fn find(&self, origin: Origin) -> Option<ObjectId> {
        self.iter().find(|(_, object)| object.origin == origin).map(|(id, _)| id)
    }
}

//! Addresses that a function was called with: they were made before its own objects, and lead into none of them. In: residual registers
//! and what they are set to. Out: which hold such an address, so that a write through one leaves local objects as they are, known elsewhere
//! or not. Source: C11 sections 6.2.4 (lifetimes) and 6.5.6 (a pointer is moved inside its object).

use std::collections::{BTreeMap, BTreeSet};

use core_c::{Expression, ExpressionKind, LocalId, PlaceBase, Shape, TypeId};

use crate::engine::Engine;
use crate::engine::state::State;
use crate::join::Group;
use crate::join::differences::name;
use crate::join::generalize::CellName;
use crate::memory::{Object, Origin};
use crate::mutation;
use crate::values::value::{ObjectId, Value};

impl Engine<'_> {
    /// A parameter of the function under work, which may be such an address.
    pub(crate) fn note_parameter(&mut self, register: LocalId, ty: TypeId) {
        if matches!(self.types.shape_of(ty), Shape::Pointer(_)) {
            self.callers.insert(register);
        }
    }

    /// A register is set to an address, which may be made of such a one.
    pub(crate) fn note_address(&mut self, register: LocalId, address: &Expression) {
        if self.is_callers(address) {
            self.callers.insert(register);
        }
    }

    fn is_callers(&self, address: &Expression) -> bool {
        matches!(self.types.shape_of(address.ty), Shape::Pointer(_))
            && match &address.kind {
                ExpressionKind::Local(register) => self.callers.contains(register),
                ExpressionKind::Convert(inner) => self.is_callers(inner),
                ExpressionKind::Offset { pointer, .. } => self.is_callers(pointer),
                ExpressionKind::Address(place) => match &place.base {
                    PlaceBase::Pointee(pointer) => self.is_callers(pointer),
                    PlaceBase::Local(_) | PlaceBase::Global(_) => false,
                },
                _ => false,
            }
    }

    /// True for a write through such an address, and an object of the function itself.
    pub(crate) fn is_out_of_reach(&self, root: Option<ObjectId>, object: &Object) -> bool {
        let origin = |id: ObjectId| self.state.memory.get(id).map(|object| object.origin);
        let by = root.and_then(origin);
        let is_callers = matches!(by, Some(Origin::Pointee(register)) if self.callers.contains(&register))
            || matches!(by, Some(Origin::Pointee(_))) && mutation::forgets("callers");
        let whole = object.within.map_or(Some(object.origin), |within| origin(within.object));
        is_callers && matches!(whole, Some(Origin::Local(..)))
    }

    /// What such an address is in leads anywhere from here on: other paths have other addresses there.
    pub(crate) fn forget_callers(&mut self, cells: &BTreeSet<CellName>) {
        let mut copies = BTreeMap::new();
        for cell in cells {
            match *cell {
                CellName::Register(chain, local) => {
                    let Some(at) = self.state.frames.iter().position(|frame| frame.chain == chain) else { continue };
                    let Some(Value::Dynamic(register)) = self.state.frames[at].registers.get(&local).cloned() else {
                        continue;
                    };
                    let copy = self.copy_of(register, &mut copies);
                    self.state.frames[at].registers.insert(local, Value::Dynamic(copy));
                }
                CellName::Memory(origin, offset, _) => {
                    let found: Vec<ObjectId> = self.state.memory.find(origin).into_iter().collect();
                    self.forget_callers_in(&found, offset, &mut copies);
                }
                CellName::Pointees(offset, _) => {
                    let is_pointee = |object: &Object| matches!(object.origin, Origin::Pointee(_));
                    let found = self.state.memory.iter().filter(|(_, object)| is_pointee(object)).map(|(id, _)| id);
                    let found: Vec<ObjectId> = found.collect();
                    self.forget_callers_in(&found, offset, &mut copies);
                }
            }
        }
    }

    fn forget_callers_in(&mut self, objects: &[ObjectId], offset: u64, copies: &mut BTreeMap<LocalId, LocalId>) {
        for id in objects {
            let cell = self.state.memory.get(*id).and_then(|object| object.cells.get(&offset));
            let Some(Value::Dynamic(register)) = cell.map(|cell| cell.value.clone()) else { continue };
            let copy = self.copy_of(register, copies);
            if let Some(object) = self.state.memory.get_mut(*id)
                && let Some(cell) = object.cells.get_mut(&offset)
            {
                cell.value = Value::Dynamic(copy);
            }
        }
    }

    fn copy_of(&mut self, register: LocalId, copies: &mut BTreeMap<LocalId, LocalId>) -> LocalId {
        if !self.callers.contains(&register) {
            return register;
        }
        if let Some(copy) = copies.get(&register) {
            return *copy;
        }
        let copy = self.copy_register(register);
        copies.insert(register, copy);
        copy
    }
}

/// Cells that hold an address from the caller on one of several paths, and another on another.
pub(crate) fn unlike(groups: &[Group], callers: &BTreeSet<LocalId>) -> BTreeSet<CellName> {
    let mut seen: BTreeMap<CellName, bool> = BTreeMap::new();
    let mut unlike = BTreeSet::new();
    for incoming in groups.iter().flatten() {
        each_register(&incoming.state, &mut |cell, register| {
            let is_callers = callers.contains(&register);
            if *seen.entry(cell).or_insert(is_callers) != is_callers {
                unlike.insert(cell);
            }
        });
    }
    unlike
}

fn each_register(state: &State, see: &mut dyn FnMut(CellName, LocalId)) {
    for frame in &state.frames {
        for (local, value) in &frame.registers {
            if let Value::Dynamic(register) = value {
                see(CellName::Register(frame.chain, *local), *register);
            }
        }
    }
    for (_, object) in state.memory.iter() {
        for (offset, cell) in &object.cells {
            let Value::Dynamic(register) = cell.value else { continue };
            see(name(object, (*offset, cell.size)), register);
        }
    }
}

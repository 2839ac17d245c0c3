//! Addresses at an unknown distance in an object that only this code knows: a frame at an unknown depth, a place in a buffer. They are in
//! registers, but nobody else has them, and what is written through them changes the array that they lead into and nothing else.
//!
//! In: an address of a local object, moved by what only the residual program knows. Out: a register whose pointee says which object it
//! is part of, and which part of the array's elements it leads to. The object counts as known elsewhere as soon as such a register
//! goes to memory, to a call or into a number. Source: provenance of pointers, C11 section 6.5.6.

use std::collections::BTreeSet;

use core_c::{Expression, ExpressionKind, LocalId, Shape, TypeId};

use crate::engine::{Engine, Step};
use crate::memory::elements::Slot;
use crate::memory::{Background, Object, Origin};
use crate::mutation;
use crate::report::Cause;
use crate::values::value::{Bytes, ObjectId, Pointer, Value};

/// The object that a pointee is part of, and the part of its elements that the pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Within {
    pub(crate) object: ObjectId,
    pub(crate) slot: Slot,
}

impl Engine<'_> {
    /// Where something at an unknown distance from an address lies, if that is in an object that only this code knows.
    pub(crate) fn inside(&self, from: Pointer, element: TypeId) -> Option<Within> {
        let object = self.state.memory.get(from.object)?;
        let within = match object.within {
            Some(within) => {
                let slot = within.slot.moved(from.offset);
                let size = self.types.size_of(element).filter(|size| *size > 0)?;
                let is_steady = size.is_multiple_of(slot.stride);
                Within { slot: if is_steady { slot } else { self.all_of(within.object) }, ..within }
            }
            None => Within { object: from.object, slot: self.slot_from(from, element)? },
        };
        self.is_own(within.object).then_some(within)
    }

    /// Any byte of an object.
    fn all_of(&self, id: ObjectId) -> Slot {
        let size = self.state.memory.get(id).and_then(|object| object.size);
        Slot::whole(Bytes { from: 0, size: size.unwrap_or(u64::MAX) })
    }

    /// An address inside an object that is moved out of its element by less than elements, as a `char *`: it may leave the array, too.
    pub(crate) fn leaves_array(&mut self, to: Pointer, step: u64, ty: TypeId) -> Step<Option<Value>> {
        let within = self.state.memory.get(to.object).and_then(|object| object.within);
        let Some(within) = within.filter(|within| !step.is_multiple_of(within.slot.stride)) else { return Ok(None) };
        let at = i128::from(within.slot.offset) + i128::from(to.offset);
        if (0..i128::from(within.slot.stride)).contains(&at) {
            return Ok(None);
        }
        let address = self.name_address(to, ty)?;
        let slot = self.all_of(within.object);
        Ok(Some(self.derive(address, Within { slot, ..within })))
    }

    /// An address inside an object that becomes one of something else, such as of the structure whose first member it leads to: that may be
    /// larger, so that it leads anywhere in the object.
    pub(crate) fn converted_within(&mut self, pointer: Pointer, from: TypeId, to: TypeId) -> Step<Option<Value>> {
        let object = self.state.memory.get(pointer.object);
        let Some((within, own)) = object.and_then(|object| Some((object.within?, object.ty))) else { return Ok(None) };
        let Some(element) = self.types.element(to) else { return Ok(None) };
        let is_byte = |ty: TypeId| self.types.is_scalar(ty) && self.types.size_of(ty) == Some(1);
        let is_plain = |ty: TypeId| is_byte(ty) || matches!(self.types.shape_of(ty), Shape::Void);
        let (source, target) = (self.types.shape_of(from), self.types.shape_of(to));
        let comes_back = self.types.element(from).is_some_and(is_plain)
            && pointer.offset == 0
            && self.types.get(element).c == self.types.get(own).c;
        let is_same = self.moves_alike(source, target) || is_plain(element) || comes_back;
        let slot = self.all_of(within.object);
        if is_same || within.slot == slot {
            return Ok(None);
        }
        let address = self.name_address(pointer, from)?;
        let address = Expression { kind: ExpressionKind::Convert(address.into()), ty: to, span: None };
        Ok(Some(self.derive(address, Within { slot, ..within })))
    }

    /// A local that only this code knows, or a private object behind a pointer.
    pub(crate) fn is_own(&self, id: ObjectId) -> bool {
        let object = self.state.memory.get(id);
        object.is_some_and(|object| match object.origin {
            Origin::Local(..) => !object.escaped,
            Origin::Pointee(_) => object.isolated && object.within.is_none() && !mutation::forgets("private"),
            _ => false,
        })
    }

    /// What the scenario says is private, or a recursive function alone was given.
    pub(crate) fn is_private(&self, id: ObjectId) -> bool {
        let object = self.state.memory.get(id);
        object.is_some_and(|object| matches!(object.origin, Origin::Pointee(_)) && object.isolated)
    }

    /// A register with an address inside an object.
    pub(crate) fn derive(&mut self, address: Expression, within: Within) -> Value {
        let pointee = self.types.element(address.ty).unwrap_or(address.ty);
        let register = self.bind_tree(address, "");
        let Some(base) = self.state.memory.get(within.object) else { return Value::Dynamic(register) };
        self.derived.insert(register, base.origin);
        let mut object = self.fresh(Origin::Pointee(register), pointee, Background::Unknown);
        (object.size, object.residual, object.within) = (None, true, Some(within));
        (object.escaped, object.isolated, object.promised) = (base.escaped, base.isolated, base.promised);
        let id = self.next_object();
        self.state.memory.insert(id, object);
        Value::Dynamic(register)
    }

    /// A residual expression for a value that is only compared: nobody gets to know the object that it leads into.
    pub(crate) fn lift_unseen(&mut self, value: Value, ty: TypeId) -> Step<Expression> {
        let element = self.types.element(ty).unwrap_or(ty);
        match value {
            Value::Pointer(pointer) if self.inside(pointer, element).is_some() || self.is_private(pointer.object) => {
                self.name_address(pointer, ty)
            }
            Value::Dynamic(register) if self.derived.contains_key(&register) => {
                let own = self.residual.locals[register].ty;
                let name = Expression { kind: ExpressionKind::Local(register), ty: own, span: None };
                let is_same = self.types.get(own).c == self.types.get(ty).c;
                Ok(if is_same {
                    name
                } else {
                    Expression { kind: ExpressionKind::Convert(name.into()), ty, span: None }
                })
            }
            other => self.lift(other, ty),
        }
    }

    /// A known address becomes a register: where it leads into an object that only this code knows, that is still known of it.
    pub(crate) fn bind_address(&mut self, value: Value, ty: TypeId, name: &str) -> Step<LocalId> {
        let element = self.types.element(ty);
        let inside =
            value.pointer().zip(element).and_then(|(pointer, element)| Some((pointer, self.inside(pointer, element)?)));
        if let Some((pointer, within)) = inside {
            let address = self.name_address(pointer, ty)?;
            if let Value::Dynamic(register) = self.derive(address, within) {
                return Ok(register);
            }
        }
        let lifted = self.lift(value, ty)?;
        Ok(self.bind_tree(lifted, name))
    }

    /// A register goes where the specializer does not look, and with it the object that it leads into.
    pub(crate) fn expose_register(&mut self, register: LocalId) {
        let Some(origin) = self.derived.get(&register) else { return };
        if let Some(id) = self.state.memory.find(*origin) {
            self.escape(id);
        }
    }

    /// Registers that lead into an object are known where it is, and no longer where it is not.
    pub(crate) fn mark_escaped(&mut self, id: ObjectId, escaped: bool) {
        self.mark(id, |object| object.escaped != escaped, |object| object.escaped = escaped);
    }

    /// Something else leads to an object now, or nothing does any more.
    pub(crate) fn mark_private(&mut self, id: ObjectId, private: bool) {
        self.mark(id, |object| object.isolated != private, |object| object.isolated = private);
    }

    /// Marks an object and its parts.
    fn mark(&mut self, id: ObjectId, differs: impl Fn(&Object) -> bool, mark: impl Fn(&mut Object)) {
        let is_part = |object: &Object| object.within.is_some_and(|within| within.object == id) && differs(object);
        let parts: Vec<ObjectId> = match self.derived.is_empty() {
            true => Vec::new(),
            false => self.state.memory.iter().filter(|(_, object)| is_part(object)).map(|(id, _)| id).collect(),
        };
        for id in parts.into_iter().chain([id]) {
            self.state.memory.get_mut(id).into_iter().for_each(&mark);
        }
    }

    /// An object; where it is part of what the scenario says is private, all of that. Others are known elsewhere once a part of them is.
    pub(crate) fn whole_of(&self, id: ObjectId) -> Vec<ObjectId> {
        let Some(object) = self.state.memory.get(id).filter(|object| object.promised) else { return vec![id] };
        let whole = object.within.map_or(id, |within| within.object);
        let is_part = |object: &Object| object.within.is_some_and(|within| within.object == whole);
        let parts = self.state.memory.iter().filter(|(_, object)| is_part(object)).map(|(id, _)| id);
        parts.chain([whole]).collect()
    }

    /// After a call: these objects are private as before it. What a recursive function keeps is not private in it from the start (`calls/retained`).
    pub(crate) fn keep_private(&mut self, private: &BTreeSet<ObjectId>) {
        for id in private {
            if self.state.memory.get(*id).is_some_and(|object| !object.isolated) {
                self.mark_private(*id, true);
            }
        }
    }

    /// All objects that registers lead into are known elsewhere: nothing tells such registers from others any more.
    pub(crate) fn expose_all(&mut self) {
        for id in self.state.memory.ids() {
            let within = self.state.memory.get(id).and_then(|object| object.within);
            if let Some(within) = within {
                self.escape(within.object);
                self.state.memory.get_mut(id).into_iter().for_each(|object| object.within = None);
            }
        }
    }

    /// The object and the part of its elements that bytes behind an address inside it are; all of the array where that is not known.
    pub(crate) fn part_of(&self, id: ObjectId, range: Option<(u64, u64)>) -> Option<Within> {
        let within = self.state.memory.get(id)?.within?;
        let part = range.and_then(|(at, size)| within.slot.moved(i64::try_from(at).ok()?).sized(size));
        Some(Within { slot: part.unwrap_or(Slot::whole(within.slot.array)), ..within })
    }

    /// After a write through an address inside an object, or into the object itself: forgets what is known of the bytes by other names.
    pub(crate) fn written_within(&mut self, root: ObjectId, range: Option<(u64, u64)>) {
        if self.derived.is_empty() {
            return;
        }
        let part = self.part_of(root, range);
        let whole = Slot::whole(Bytes { from: 0, size: u64::MAX });
        let written = part.unwrap_or(Within {
            object: root,
            slot: range.map_or(whole, |(from, size)| Slot::whole(Bytes { from, size })),
        });
        if part.is_some() && !mutation::forgets("own-store") {
            self.forget_part(written);
        }
        for id in self.state.memory.ids() {
            let Some(object) = self.state.memory.get(id).filter(|_| id != root) else { continue };
            let Some(within) = object.within.filter(|within| within.object == written.object) else { continue };
            let is_changed = |at: u64, size: u64| {
                let here = i64::try_from(at).ok().and_then(|at| within.slot.moved(at).sized(size));
                here.unwrap_or(Slot::whole(within.slot.array)).meets(written.slot)
            };
            let gone: Vec<u64> =
                object.cells.iter().filter(|(at, cell)| is_changed(**at, cell.size)).map(|(at, _)| *at).collect();
            if gone.is_empty() || mutation::forgets("within") {
                continue;
            }
            self.lose(id, Cause::Store);
            if let Some(object) = self.state.memory.get_mut(id) {
                gone.iter().for_each(|at| drop(object.cells.remove(at)));
            }
        }
    }

    /// What is known of a part of an object's elements is not any more.
    fn forget_part(&mut self, part: Within) {
        let Some(object) = self.state.memory.get(part.object) else { return };
        let gone: Vec<u64> =
            object.cells.iter().filter(|(at, cell)| part.slot.touches(**at, cell.size)).map(|(at, _)| *at).collect();
        if !gone.is_empty() {
            self.lose(part.object, Cause::Store);
        }
        if let Some(object) = self.state.memory.get_mut(part.object) {
            gone.iter().for_each(|at| drop(object.cells.remove(at)));
            object.elements.retain(|slot, _| !slot.meets(part.slot));
        }
    }
}

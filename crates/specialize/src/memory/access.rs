//! Loads and stores: in cells where the address is known, in the residual program's memory where it is not.

use std::rc::Rc;

use core_c::{Expression, ExpressionKind, Place, PlaceBase, Shape, StatementKind, Step as PlaceStep, StepKind, TypeId};

use crate::calls::reach;
use crate::engine::choice::is_table;
use crate::engine::{Engine, Step};
use crate::memory::elements::Slot;
use crate::memory::within::Within;
use crate::memory::{Background, Cell, Found, Origin};
use crate::mutation;
use crate::report::Cause;
use crate::values::fold;
use crate::values::value::{Bytes, ObjectId, Pointer, Value};

/// Where a place is.
#[derive(Clone, Debug)]
pub(crate) enum Location {
    Known(Pointer),
    /// Only the residual program can tell; the object, where that much is known.
    Residual(Place, Option<ObjectId>),
}

impl Location {
    /// The object, where that much is known.
    pub(crate) fn root(&self) -> Option<ObjectId> {
        match self {
            Location::Known(pointer) => Some(pointer.object),
            Location::Residual(_, root) => *root,
        }
    }
}

impl Engine<'_> {
    /// Where a source place is; indices are computed.
    pub(crate) fn locate(&mut self, place: &Place) -> Step<Location> {
        self.slot_at = None;
        let (mut location, mut ty) = match &place.base {
            PlaceBase::Local(local) => {
                let pointer = Pointer::to(self.local_object(*local));
                (Location::Known(pointer), self.input.functions[self.state.top().function].locals[*local].ty)
            }
            PlaceBase::Global(global) => {
                let pointer = Pointer::to(self.global_object(*global));
                (Location::Known(pointer), self.input.globals[*global].ty)
            }
            PlaceBase::Pointee(address) => {
                let ty = self.types.element(address.ty).unwrap_or(place.ty);
                (self.pointee(address, ty)?, ty)
            }
        };
        for step in &place.steps {
            location = self.step(location, ty, step)?;
            ty = step.ty;
        }
        if let Location::Residual(at, _) = &mut location {
            at.ty = place.ty;
            at.volatile = place.volatile;
        }
        Ok(location)
    }

    fn pointee(&mut self, address: &Expression, ty: TypeId) -> Step<Location> {
        let value = match &address.kind {
            ExpressionKind::Offset { pointer, count, negative } if self.chosen_for(address).is_none() => {
                let base = self.evaluate(pointer)?;
                let by = self.evaluate(count)?;
                if let (Value::Pointer(from), Value::Dynamic(_) | Value::Tree(_)) = (&base, &by)
                    && self.keeps_inside(*from)
                {
                    let pointer = self.name_address(*from, pointer.ty)?;
                    let pointer = self.whole_address(pointer, Some(*from)).into();
                    let count = self.lift(by, count.ty)?.into();
                    let kind = ExpressionKind::Offset { pointer, count, negative: *negative };
                    let moved = Expression { kind, ty: address.ty, span: address.span };
                    self.note(address, &Value::Tree(Box::new(moved.clone())));
                    // A member array of an unknown element is a part of that element alone.
                    let inside = self.inside(*from, ty).filter(|_| from.array.is_none());
                    self.slot_at = inside.map(|within| within.slot).or_else(|| self.slot_from(*from, ty));
                    let root = inside.map_or(from.object, |within| within.object);
                    return Ok(Location::Residual(Place::pointee(moved, ty), Some(root)));
                }
                let value = self.moved((base, pointer.ty), (by, count.ty), *negative, address.ty)?;
                self.note(address, &value);
                value
            }
            _ => self.evaluate(address)?,
        };
        self.slot_at = None;
        let value = self.bind(value, "");
        if let Some(pointer) = self.as_pointer(&value) {
            return Ok(Location::Known(pointer));
        }
        let address = self.lift(value, address.ty)?;
        Ok(Location::Residual(Place::pointee(address, ty), None))
    }

    /// True where what lies at an unknown distance from an address is known to be in its object or array, and that says more
    /// than that a pointer leads there.
    fn keeps_inside(&self, from: Pointer) -> bool {
        let object = self.state.memory.get(from.object);
        let is_named = object.is_some_and(|object| !matches!(object.origin, Origin::Pointee(_)));
        is_named || from.array.is_some() || object.is_some_and(|object| object.within.is_some())
    }

    fn step(&mut self, location: Location, ty: TypeId, step: &PlaceStep) -> Step<Location> {
        let (index, by) = match &step.kind {
            StepKind::Field { offset, .. } => (None, i64::try_from(*offset).ok()),
            StepKind::Index(index) => {
                let size = self.types.size_of(step.ty).unwrap_or(1);
                // The index may have a place of its own.
                let slot_at = self.slot_at;
                let value = self.evaluate(index)?;
                self.slot_at = slot_at;
                let by = match &value {
                    Value::Integer(at) => at.checked_mul(size.into()).and_then(|by| i64::try_from(by).ok()),
                    _ => None,
                };
                (Some((value, index.ty)), by)
            }
        };
        if let (Location::Known(pointer), Some(by)) = (&location, by)
            && let Some(moved) = pointer.moved(by)
        {
            let array = match &step.kind {
                StepKind::Index(_) => moved.array,
                StepKind::Field { offset, .. } => self.member_array(moved.offset, (ty, *offset), step.ty),
            };
            return Ok(Location::Known(Pointer { array, ..moved }));
        }
        self.slot_at = match &location {
            Location::Known(pointer) => self.extent(*pointer, ty).and_then(|array| self.slot_in(array, step.ty)),
            Location::Residual(..) => self.slot_at.map(|slot| by.map_or(Slot::whole(slot.array), |by| slot.moved(by))),
        };
        let (mut place, root) = self.residual_location(location, ty)?;
        if let (Some((index, index_type)), PlaceBase::Pointee(address), []) = (&index, &place.base, &place.steps[..])
            && let ExpressionKind::Convert(address) = &address.kind
        {
            // Items that lie at an address may be more than the array's type says: it may end a structure.
            let address = (**address).clone();
            let index = self.lift(index.clone(), *index_type)?;
            return Ok(Location::Residual(self.item_at(address, index, step.ty), root));
        }
        let kind = match (index, &step.kind) {
            (Some((value, ty)), _) => StepKind::Index(Box::new(self.lift(value, ty)?)),
            (None, kind) => kind.clone(),
        };
        place.steps.push(PlaceStep { kind, ty: step.ty });
        place.ty = step.ty;
        Ok(Location::Residual(place, root))
    }

    /// The bytes of a member at an address where it is an array: all that a pointer into it may reach. One that ends its structure,
    /// but for padding, may be longer than its type says.
    fn member_array(&self, at: i64, (record, offset): (TypeId, u64), ty: TypeId) -> Option<Bytes> {
        if !matches!(self.types.shape_of(ty), Shape::Array(..)) {
            return None;
        }
        let (from, size) = (u64::try_from(at).ok()?, self.types.size_of(ty)?);
        let whole = self.types.get(record);
        let end = offset.checked_add(size)?.checked_add(whole.alignment)?;
        let is_followed = size > 0 && whole.size.is_some_and(|all| end <= all);
        Some(Bytes { from, size: if is_followed { size } else { u64::MAX - from } })
    }

    /// The elements of an array, where the address of an unknown one is its own.
    fn slot_in(&self, array: Bytes, element: TypeId) -> Option<Slot> {
        let stride = self.types.size_of(element).filter(|size| *size > 0);
        Some(Slot { array, stride: stride.unwrap_or(1), offset: 0, size: 1 })
    }

    /// What lies at an unknown number of elements from an address.
    pub(crate) fn slot_from(&self, from: Pointer, element: TypeId) -> Option<Slot> {
        let array = match from.array {
            Some(array) => array,
            None => Bytes { from: 0, size: self.state.memory.get(from.object)?.size? },
        };
        let slot = self.slot_in(array, element)?;
        let by = u64::try_from(from.offset).ok()?.checked_sub(array.from)?;
        Some(Slot { offset: by % slot.stride, ..slot })
    }

    /// The bytes of an array that an index leads to, whichever it is (C11 section 6.5.6).
    fn extent(&self, array: Pointer, ty: TypeId) -> Option<Bytes> {
        let (from, size) = (u64::try_from(array.offset).ok()?, self.types.size_of(ty)?);
        let all = match array.array {
            Some(all) => all.from.checked_add(all.size)?,
            None => self.state.memory.get(array.object)?.size?,
        };
        let size = if size > 0 && from.checked_add(size)? < all { size } else { all.checked_sub(from)? };
        Some(Bytes { from, size: if mutation::forgets("extent") { 1 } else { size } })
    }

    /// A location as a place of the residual program.
    pub(crate) fn residual_location(&mut self, location: Location, ty: TypeId) -> Step<(Place, Option<ObjectId>)> {
        match location {
            Location::Known(pointer) => {
                self.materialize(pointer.object)?;
                Ok((self.object_place(pointer, ty)?, Some(pointer.object)))
            }
            Location::Residual(place, root) => Ok((place, root)),
        }
    }

    /// The same for a source place, which may be a bit-field.
    pub(crate) fn residual_place(&mut self, location: Location, place: &Place) -> Step<(Place, Option<ObjectId>)> {
        match location {
            Location::Known(pointer) if place.bits().is_some() => {
                Ok((self.residual_bits(place, pointer)?, Some(pointer.object)))
            }
            location => self.residual_location(location, place.ty),
        }
    }

    /// The value of a place.
    pub(crate) fn load(&mut self, place: &Place) -> Step<Value> {
        let location = self.locate(place)?;
        let Location::Known(pointer) = location else {
            let (place, root) = self.residual_location(location, place.ty)?;
            return Ok(self.residual_load(place, root, None));
        };
        self.note_selector(place, pointer);
        if self.is_constant(pointer) {
            self.steers_by_place(place)?;
        }
        if place.bits().is_some() {
            return self.load_bits(place, pointer);
        }
        let ty = self.aligned_type(place);
        self.member_at = self.member_of_place(place);
        let value = self.load_at(pointer, ty);
        self.member_at = None;
        value
    }

    /// A place's type, such that it may lie where a packed structure has it.
    fn aligned_type(&mut self, place: &Place) -> TypeId {
        let Some(owner) = self.owner(place) else { return place.ty };
        self.accessible(place.ty, owner)
    }

    /// The structure whose member a place is, and where in it the member lies.
    fn member_of_place(&self, place: &Place) -> Option<(TypeId, u64)> {
        let Some(PlaceStep { kind: StepKind::Field { offset, .. }, .. }) = place.steps.last() else { return None };
        Some((self.owner(place)?, *offset))
    }

    /// The structure whose member a place is.
    fn owner(&self, place: &Place) -> Option<TypeId> {
        match &place.steps[..] {
            [.., owner, _] => Some(owner.ty),
            [_] => Some(match &place.base {
                PlaceBase::Local(local) => self.input.functions[self.state.top().function].locals[*local].ty,
                PlaceBase::Global(global) => self.input.globals[*global].ty,
                PlaceBase::Pointee(address) => self.types.element(address.ty)?,
            }),
            [] => None,
        }
    }

    /// What residual memory holds, in a register; `range` is what is read of `root`.
    pub(crate) fn residual_load(&mut self, place: Place, root: Option<ObjectId>, range: Option<(u64, u64)>) -> Value {
        let ty = place.ty;
        let load = Expression { kind: ExpressionKind::Load(Box::new(place)), ty, span: self.span };
        let register = self.bind_tree(load, "");
        if let Some(root) = root.filter(|_| range.is_some() || self.blames.of_register(register).is_none()) {
            let blame = self.blame_of_memory(root, range);
            self.blames.set(register, blame);
        }
        Value::Dynamic(register)
    }

    /// A scalar at a known address.
    pub(crate) fn load_at(&mut self, pointer: Pointer, ty: TypeId) -> Step<Value> {
        let size = self.types.size_of(ty).unwrap_or(0);
        let found = match (self.state.memory.get(pointer.object), u64::try_from(pointer.offset)) {
            (Some(object), Ok(offset)) if object.size.is_none_or(|all| offset + size <= all) => {
                object.read(offset, size)
            }
            (Some(object), Ok(offset)) => self.read_word(object, offset, size),
            (Some(_), _) => Found::Memory,
            (None, _) => return self.refuse("an object is read whose life has ended"),
        };
        let object = self.state.memory.get(pointer.object).filter(|object| object.constant);
        self.state.decisions.reads += usize::from(object.is_some_and(|object| is_table(&self.types, object.ty)));
        match found {
            Found::Cell(cell) => {
                if let Some(value) = self.reinterpret(&cell, ty)? {
                    return Ok(value);
                }
            }
            Found::Bytes(bits) => {
                if let Some(value) = self.value_of_bytes(bits, ty) {
                    return Ok(value);
                }
            }
            Found::Undefined => return Ok(self.indeterminate(ty)),
            Found::Memory => {}
        }
        self.materialize(pointer.object)?;
        let place = self.object_place(pointer, ty)?;
        let own = place.ty;
        let range = u64::try_from(pointer.offset).ok().map(|offset| (offset, size));
        let value = self.residual_load(place, Some(pointer.object), range);
        let value = self.convert(value, own, ty)?;
        let value = self.bind(value, "");
        if self.is_given(pointer.object) {
            self.note_given(pointer.object, &value);
            return Ok(value);
        }
        if let Some(Origin::Pointee(table)) = self.state.memory.get(pointer.object).map(|object| object.origin) {
            self.note_digits(table, pointer.offset, &value);
        }
        if let (Some(object), Ok(offset)) = (self.state.memory.get_mut(pointer.object), u64::try_from(pointer.offset)) {
            object.know(offset, Cell { size, ty, value: value.clone() });
        }
        Ok(value)
    }

    /// A register that nobody sets: what C says of reading an indeterminate value holds for it too.
    pub(crate) fn indeterminate(&mut self, ty: TypeId) -> Value {
        let register = self.residual.local("", ty, core_c::LocalKind::Register);
        let blame = self.blame(Cause::Indeterminate, "a variable".to_owned());
        self.blames.set(register, Some(blame));
        Value::Dynamic(register)
    }

    /// A cell's value as another type of the same size; nothing where the bits must go through memory.
    fn reinterpret(&mut self, cell: &Cell, ty: TypeId) -> Step<Option<Value>> {
        let (from, to) = (self.types.shape_of(cell.ty).clone(), self.types.shape_of(ty).clone());
        let whole = |shape: &Shape| matches!(shape, Shape::Integer { .. } | Shape::Pointer(_));
        match (&cell.value, &to) {
            (Value::Integer(0), Shape::Float { bits }) if *bits <= 64 => Ok(Some(Value::Float(0))),
            (Value::Integer(value), Shape::Float { bits }) if *bits <= 64 => {
                Ok(Some(Value::Float(fold::wrap(*value, *bits, false) as u64)))
            }
            (Value::Integer(value), _) if whole(&to) => Ok(self.value_of_bytes(*value, ty)),
            (Value::Float(_), Shape::Float { .. }) => Ok(Some(cell.value.clone())),
            (Value::Float(bits), _) if whole(&to) => Ok(self.value_of_bytes(i128::from(*bits), ty)),
            (Value::Pointer(_) | Value::Function(_) | Value::Label(..), _) if whole(&to) => {
                Ok(Some(cell.value.clone()))
            }
            (Value::Dynamic(_), _) if self.types.get(cell.ty).c == self.types.get(ty).c => Ok(Some(cell.value.clone())),
            (Value::Dynamic(_), Shape::Integer { boolean: true, .. }) => Ok(None),
            (Value::Dynamic(_), _) if whole(&from) && whole(&to) => {
                self.convert(cell.value.clone(), cell.ty, ty).map(Some)
            }
            (Value::Dynamic(_), Shape::Float { .. }) if from == to => Ok(Some(cell.value.clone())),
            _ => Ok(None),
        }
    }

    pub(crate) fn value_of_bytes(&self, bits: i128, ty: TypeId) -> Option<Value> {
        match *self.types.shape_of(ty) {
            Shape::Integer { boolean: true, .. } => matches!(bits, 0 | 1).then_some(Value::Integer(bits)),
            Shape::Integer { bits: width, signed, .. } if width < 128 => {
                Some(Value::Integer(fold::wrap(bits, width, signed)))
            }
            Shape::Pointer(_) => Some(Value::Integer(fold::wrap(bits, 64, false))),
            Shape::Float { bits: width } if width <= 64 => Some(Value::Float(fold::wrap(bits, width, false) as u64)),
            _ => None,
        }
    }

    /// Puts a value at a place.
    pub(crate) fn store(&mut self, place: &Place, value: Value) -> Step<()> {
        let value = self.bind(value, "");
        let location = self.locate(place)?;
        let slot = self.slot_at;
        let pointer = match location {
            Location::Known(pointer) if !place.volatile => pointer,
            location => {
                let slot = slot.filter(|_| matches!(location, Location::Residual(..)));
                let (at, root) = self.residual_place(location, place)?;
                let lifted = self.lift_as(value.clone(), place.ty, at.ty)?;
                let at = Place { volatile: place.volatile, ..at };
                self.emit(StatementKind::Store { place: at, value: lifted });
                return self.slot_stored(root, slot, (place, &value));
            }
        };
        self.note_selector(place, pointer);
        if place.bits().is_some() {
            return self.store_bits(place, pointer, value);
        }
        let ty = self.aligned_type(place);
        self.member_at = self.member_of_place(place);
        let done = self.store_at(pointer, ty, value);
        self.member_at = None;
        done
    }

    /// Puts a scalar at a known address.
    pub(crate) fn store_at(&mut self, pointer: Pointer, ty: TypeId, value: Value) -> Step<()> {
        let value = self.bind(value, "");
        let value = self.shared_member(pointer, ty, value)?;
        if self.is_given(pointer.object) {
            return self.refuse("what a function of the library points to is written");
        }
        let size = self.types.size_of(ty).unwrap_or(0);
        let cell = Cell { size, ty, value: value.clone() };
        self.only_look_at(pointer, &cell)?;
        let Some(object) = self.state.memory.get_mut(pointer.object) else {
            return self.refuse("an object is written whose life has ended");
        };
        let offset = u64::try_from(pointer.offset).ok().filter(|at| object.size.is_none_or(|all| at + size <= all));
        if let Some(offset) = offset {
            if object.residual && object.cells.get(&offset) == Some(&cell) {
                return Ok(());
            }
            if !object.residual && object.write(offset, cell.clone()) {
                return Ok(());
            }
        }
        self.materialize(pointer.object)?;
        let place = self.object_place(pointer, ty)?;
        let lifted = self.lift_as(value.clone(), ty, place.ty)?;
        self.emit(StatementKind::Store { place, value: lifted });
        let range = offset.map(|offset| (offset, size));
        let (holder, elements) = self.elements_after(pointer.object, range, &value)?;
        self.written(Some(pointer.object), range);
        self.give_elements(holder, elements);
        if let (Some(object), Some(offset)) = (self.state.memory.get_mut(pointer.object), offset) {
            object.write(offset, cell);
        }
        Ok(())
    }

    /// After a residual write: forgets what it may have changed. `range` is what it wrote of `root`.
    pub(crate) fn written(&mut self, root: Option<ObjectId>, range: Option<(u64, u64)>) {
        if let Some(root) = root {
            self.written_within(root, range);
        }
        let by = root.and_then(|root| self.state.memory.get(root));
        // A write through a pointer to who knows what, or into something whose address is known elsewhere.
        let (escaped, isolated) = by.map_or((true, false), |object| (object.escaped, object.isolated));
        let input = self.input;
        let addressed = Rc::clone(self.addressed.get_or_insert_with(|| Rc::new(reach::addressed(input))));
        let is_hidden = |object: &crate::memory::Object| matches!(object.origin, Origin::Global(global) if !addressed.contains(&global));
        let by = root.and_then(|root| self.state.memory.get(root));
        let anywhere = escaped && !by.is_some_and(is_hidden);
        for id in self.state.memory.ids() {
            let Some(object) = self.state.memory.get(id) else { continue };
            if Some(id) == root {
                if mutation::forgets("own-store") {
                    continue;
                }
                let (offset, size) = range.unwrap_or((0, u64::MAX));
                if range.is_none() {
                    self.lose(id, Cause::Store);
                }
                if let Some(object) = self.state.memory.get_mut(id) {
                    object.forget(offset, size);
                    object.overwritten(offset, size, None);
                }
                continue;
            }
            let is_pointee = |object: &crate::memory::Object| matches!(object.origin, Origin::Pointee(_));
            let both_named = by_is_named(&self.state.memory, root) && !is_pointee(object);
            let apart = mutation::forgets("other-store")
                || isolated
                || object.isolated
                || both_named
                || !anywhere
                || self.is_out_of_reach(root, object)
                || is_hidden(object);
            if object.escaped && !object.constant && !apart && !object.cells.is_empty() {
                self.lose(id, Cause::Store);
                let Some(object) = self.state.memory.get_mut(id) else { continue };
                object.cells.clear();
            }
        }
    }

    /// After a call of unknown code: forgets what it may have changed.
    pub(crate) fn clobber(&mut self, cause: &Cause) {
        if mutation::forgets("call") {
            return;
        }
        for id in self.state.memory.ids() {
            let Some(object) = self.state.memory.get(id) else { continue };
            if object.escaped && !object.constant && !object.isolated && !object.cells.is_empty() {
                self.lose(id, cause.clone());
                let Some(object) = self.state.memory.get_mut(id) else { continue };
                object.cells.clear();
                object.background = Background::Unknown;
            }
        }
    }

    /// The address of a source place, as a value.
    pub(crate) fn address(&mut self, place: &Place, ty: TypeId) -> Step<Value> {
        match self.locate(place)? {
            Location::Known(pointer) => Ok(Value::Pointer(pointer)),
            Location::Residual(place, root) => {
                let within = root.zip(self.slot_at).map(|(object, slot)| Within { object, slot });
                if let Some(within) = within.filter(|within| self.is_own(within.object)) {
                    let address = Expression { kind: ExpressionKind::Address(Box::new(place)), ty, span: None };
                    return Ok(self.derive(address, within));
                }
                if let Some(root) = root {
                    self.escape(root);
                } else if let Some(number) = self.address_number(&place) {
                    return Ok(Value::Integer(number));
                }
                Ok(Value::tree(ExpressionKind::Address(Box::new(place)), ty))
            }
        }
    }

    /// The address of a place where a number leads, NULL for one.
    fn address_number(&self, place: &Place) -> Option<i128> {
        let PlaceBase::Pointee(address) = &place.base else { return None };
        let ExpressionKind::Integer(first) = address.kind else { return None };
        let by = |step: &PlaceStep| match &step.kind {
            StepKind::Field { offset, .. } => Some(i128::from(*offset)),
            StepKind::Index(index) => match index.kind {
                ExpressionKind::Integer(index) => index.checked_mul(self.types.size_of(step.ty)?.into()),
                _ => None,
            },
        };
        place.steps.iter().try_fold(first, |at, step| at.checked_add(by(step)?))
    }
}

fn by_is_named(memory: &crate::memory::Memory, id: Option<ObjectId>) -> bool {
    let object = id.and_then(|id| memory.get(id));
    object.is_some_and(|object| !matches!(object.origin, Origin::Pointee(_)))
}

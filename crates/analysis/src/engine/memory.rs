//! Reading and writing memory.

use std::sync::Arc;

use core_c::{Shape, TypeId};

use crate::cause::{CauseId, Insensitivity, Reason, Subject};
use crate::lattice::{Content, Known, Offsets, Part, Smear, State, Store, Targets, Value};
use crate::object::{OUTSIDE, ObjectId, ObjectName};
use crate::options::Structure;

use super::{Access, Engine, Point, outside};

/// Chains of pointers from outside are followed that far.
const DEPTH_MOST: usize = 4;

impl Engine<'_> {
    /// What a place holds, as a value of a type.
    pub(crate) fn load(&mut self, point: Point, state: &State, access: &Access, ty: TypeId) -> Value {
        let mut all: Option<Value> = None;
        for (object, offsets) in Engine::reached(access).iter() {
            let value = self.load_object(point, &state.store, *object, offsets, access, ty);
            all = Some(all.map_or_else(|| value.clone(), |all| all.join(&value, false)));
        }
        let mut value = all.unwrap_or_else(Value::nothing);
        if access.time.is_dynamic() {
            value = value.made_dynamic(self.cause(point, Reason::ReadThrough, access.cause));
        }
        if let Some(field) = &access.field
            && let Some(cause) = state.store.fields.get(field)
        {
            value = value.made_dynamic(*cause);
        }
        if matches!(self.program.types.shape_of(ty), Shape::Float { .. }) && value.known != Known::Nothing {
            value.known = Known::Any;
        }
        value
    }

    fn load_object(
        &mut self,
        point: Point,
        store: &Store,
        object: ObjectId,
        offsets: &Offsets,
        access: &Access,
        ty: TypeId,
    ) -> Value {
        if object == OUTSIDE {
            let cause = self.cause(point, Reason::Outside, access.cause);
            return Value::dynamic(cause, outside());
        }
        self.touch(point.variant, object);
        let Some(content) = self.content(store, object) else { return Value::nothing() };
        if let Some(value) = self.first_look(point, object, &content, offsets, access, ty) {
            return value;
        }
        let mut value = content.load(offsets, access.part);
        if !self.options.sensitivities.pointer_fields {
            let targets = content.values().fold(value.targets.clone(), |all, other| all.join(&other.targets, false));
            value = Value { targets, ..value.blurred() };
        }
        if self.options.sensitivities.structure == Structure::Whole
            && let Some(dynamic) = content.values().find(|value| value.is_dynamic())
        {
            let cause = self.cause(point, Reason::Insensitive(Insensitivity::Structure), dynamic.cause);
            value = value.made_dynamic(cause);
        }
        value
    }

    /// A pointer that memory from outside holds from the beginning leads to an object that can be named.
    fn first_look(
        &mut self,
        point: Point,
        object: ObjectId,
        content: &Content,
        offsets: &Offsets,
        access: &Access,
        ty: TypeId,
    ) -> Option<Value> {
        let offset = offsets.single()?;
        let is_pointer = matches!(self.program.types.shape_of(ty), Shape::Pointer(_));
        let untouched = content.is_untouched(offset * 8 + access.part.first, access.part.width);
        if !content.pristine || content.many || !is_pointer || !untouched || self.objects.depth(object) >= DEPTH_MOST {
            return None;
        }
        let behind = self.object(ObjectName::Behind(object, offset));
        let cause = self.cause(point, Reason::Outside, access.cause);
        Some(Value::based(cause, behind))
    }

    /// Gives a place a value.
    pub(crate) fn store(&mut self, point: Point, state: &mut State, access: &Access, value: &Value) {
        let value = self.stored(point, access, value);
        if value.is_dynamic()
            && self.options.sensitivities.structure == Structure::PerField
            && let Some(field) = &access.field
            && !state.store.fields.contains_key(field)
        {
            let cause = self.cause(point, Reason::Insensitive(Insensitivity::Structure), value.cause);
            Arc::make_mut(&mut state.store.fields).insert(field.clone(), cause);
        }
        let strong = self.is_strong(access);
        for (object, offsets) in Engine::reached(access).iter() {
            self.write(point, state, *object, &value.targets, |content| {
                content.store(offsets, access.part, &value, strong);
            });
        }
    }

    /// A value as it comes to stand in memory: through a dynamic address, it is not known whether it does.
    pub(crate) fn stored(&mut self, point: Point, access: &Access, value: &Value) -> Value {
        let subject = self.subject(access);
        if access.time.is_dynamic() {
            let cause = self.cause(point, Reason::WrittenThrough(subject.0), access.cause);
            return Value::dynamic(cause, value.targets.clone());
        }
        if value.is_dynamic() {
            let cause = self.cause(point, Reason::Stored(Subject::Part(subject.0, subject.1)), value.cause);
            return Value { cause: Some(cause), ..value.clone() };
        }
        if self.options.sensitivities.constants { value.clone() } else { value.without_number() }
    }

    /// The first object that an access leads to, and where in it.
    pub(crate) fn subject(&self, access: &Access) -> (ObjectName, Option<i64>) {
        match access.targets.iter().next() {
            Some((object, offsets)) => (self.objects.name(*object), offsets.single()),
            None => (ObjectName::Outside, None),
        }
    }

    /// True where what is written certainly replaces what was there.
    pub(crate) fn is_strong(&self, access: &Access) -> bool {
        !access.time.is_dynamic() && access.targets.single().is_some() && self.options.sensitivities.flow
    }

    /// Changes an object; what it holds then may be reached as the object may.
    pub(crate) fn write(
        &mut self,
        point: Point,
        state: &mut State,
        object: ObjectId,
        holds: &Targets,
        change: impl FnOnce(&mut Content),
    ) {
        if object == OUTSIDE {
            self.expose(point, state, holds);
            let cause = self.cause(point, Reason::Alias(ObjectName::Outside), None);
            self.hit(point, state, None, cause);
            return;
        }
        self.touch(point.variant, object);
        if matches!(self.objects.name(object), ObjectName::Function(_)) || self.is_constant(object) {
            return;
        }
        let Some(content) = self.content(&state.store, object) else { return };
        let mut content = (*content).clone();
        change(&mut content);
        let private = content.private;
        state.store.set(object, Some(Arc::new(content)));
        if self.is_exposed(&state.store, object) && !private {
            self.expose(point, state, holds);
            let cause = self.cause(point, Reason::Alias(self.objects.name(object)), None);
            self.hit(point, state, Some(object), cause);
        }
    }

    fn is_constant(&self, object: ObjectId) -> bool {
        matches!(self.objects.name(object), ObjectName::Global(global) if self.scan.constant.contains(&global))
    }

    /// Something may have been written to any object whose address went outside, but for one.
    pub(crate) fn hit(&mut self, point: Point, state: &mut State, but: Option<ObjectId>, cause: CauseId) {
        // A global is one object; what is written by its name cannot be elsewhere.
        let named = |name: ObjectName| !matches!(name, ObjectName::Pointee(..) | ObjectName::Behind(..));
        let is_named = but.is_some_and(|object| named(self.objects.name(object)));
        self.variant(point.variant).touches_exposed = true;
        state.store.outside_written = true;
        let value = Value::dynamic(cause, outside());
        let objects: Vec<ObjectId> = state.store.objects().collect();
        for object in objects {
            let name = self.objects.name(object);
            if Some(object) == but || !self.is_exposed(&state.store, object) || (is_named && named(name)) {
                continue;
            }
            let Some(content) = state.store.get(object).filter(|content| !content.private) else { continue };
            let mut content = (**content).clone();
            content.pristine = false;
            let range = Offsets::anywhere().range();
            content.smear(Smear { range, part: Part { first: 0, width: 8 }, value: value.clone() });
            self.touch(point.variant, object);
            state.store.set(object, Some(Arc::new(content)));
        }
    }

    /// What these values point to can be reached from outside from now on, and what that holds, and so on.
    pub(crate) fn expose(&mut self, point: Point, state: &mut State, targets: &Targets) {
        let mut open: Vec<ObjectId> = targets.iter().map(|(object, _)| *object).collect();
        while let Some(object) = open.pop() {
            let function = matches!(self.objects.name(object), ObjectName::Function(_));
            if function || self.is_exposed(&state.store, object) || self.is_constant(object) {
                continue;
            }
            Arc::make_mut(&mut state.store.exposed).insert(object.0 as usize);
            self.touch(point.variant, object);
            if let Some(content) = self.content(&state.store, object) {
                open.extend(content.values().flat_map(|value| value.targets.iter().map(|(object, _)| *object)));
            }
        }
    }
}

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
        self.touch(point, store, object);
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
        let value = if self.options.sensitivities.constants { value.clone() } else { value.without_number() };
        self.in_cell(point, access, value)
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
        self.touch(point, &state.store, object);
        if matches!(self.objects.name(object), ObjectName::Function(_)) || self.is_constant(object) {
            return;
        }
        let Some(content) = self.content(&state.store, object) else { return };
        let mut content = (*content).clone();
        change(&mut content);
        let private = content.private;
        state.store.set(object, Some(Arc::new(content)));
        // Unknown code may use the program's own functions, and they its globals.
        let reachable = self.is_exposed(&state.store, object);
        if !private && (reachable || matches!(self.objects.name(object), ObjectName::Global(_))) {
            self.expose(point, state, holds);
        }
        if !private && reachable {
            let cause = self.cause(point, Reason::Alias(self.objects.name(object)), None);
            self.hit(point, state, Some(object), cause);
        }
    }

    pub(crate) fn is_constant(&self, object: ObjectId) -> bool {
        matches!(self.objects.name(object), ObjectName::Global(global) if self.scan.constant.contains(&global))
    }

    /// Something may have been written to any object whose address went outside, but for one.
    pub(crate) fn hit(&mut self, point: Point, state: &mut State, but: Option<ObjectId>, cause: CauseId) {
        let known = self.variants[point.variant.index()].hit;
        self.variant(point.variant).hit = known.or(Some(cause));
        // A global is one object; what is written by its name cannot be in another one.
        let named = but.is_some_and(|object| self.is_named(object));
        self.hit_all(state, cause, |engine, object| Some(object) == but || (named && engine.is_named(object)));
    }

    /// As [`Engine::hit`], but for the objects to be left alone.
    pub(crate) fn hit_all(&mut self, state: &mut State, cause: CauseId, leave: impl Fn(&Self, ObjectId) -> bool) {
        state.store.outside_written = true;
        let value = Value::dynamic(cause, outside());
        let objects: Vec<ObjectId> = state.store.objects().collect();
        for object in objects {
            if leave(self, object) || !self.is_exposed(&state.store, object) {
                continue;
            }
            let Some(content) = state.store.get(object).filter(|content| !content.private) else { continue };
            let range = Offsets::anywhere().range();
            let smear = Smear { range, part: Part { first: 0, width: 8 }, value: value.clone() };
            if !content.pristine && content.says(&smear) {
                continue;
            }
            let mut content = (**content).clone();
            content.pristine = false;
            content.smear(smear);
            state.store.set(object, Some(Arc::new(content)));
        }
    }

    fn is_named(&self, object: ObjectId) -> bool {
        !matches!(self.objects.name(object), ObjectName::Pointee(..) | ObjectName::Behind(..) | ObjectName::Outside)
    }

    /// Code ran of which nothing is known: all that went outside, and every global, may hold anything.
    pub(crate) fn anything(&mut self, point: Point, state: &mut State, cause: CauseId) {
        let known = self.variants[point.variant.index()].ran;
        self.variant(point.variant).ran = known.or(Some(cause));
        self.anything_in(state, cause, |_| false);
    }

    /// As [`Engine::anything`], but for the objects to be left alone.
    pub(crate) fn anything_in(&mut self, state: &mut State, cause: CauseId, leave: impl Fn(ObjectId) -> bool) {
        state.store.outside_written = true;
        let objects: Vec<ObjectId> = state.store.objects().collect();
        for object in objects {
            let is_global = matches!(self.objects.name(object), ObjectName::Global(_)) && !self.is_constant(object);
            let Some(content) = state.store.get(object) else { continue };
            let concerned = is_global || self.is_exposed(&state.store, object);
            if leave(object) || content.private || !concerned || content.is_unknown() {
                continue;
            }
            let (many, low_bits) = (content.many, content.low_bits);
            let unknown = Content::of(Value::dynamic(cause, outside()));
            let unknown = Content { many, low_bits, clobbered: true, ..unknown };
            state.store.set(object, Some(Arc::new(unknown)));
        }
    }

    /// What these values point to can be reached from outside from now on, and what that holds, and so on.
    pub(crate) fn expose(&mut self, point: Point, state: &mut State, targets: &Targets) {
        let mut open: Vec<ObjectId> = targets.iter().map(|(object, _)| *object).collect();
        while let Some(object) = open.pop() {
            if matches!(self.objects.name(object), ObjectName::Function(_)) || self.is_constant(object) {
                continue;
            }
            self.reach(point, object);
            if self.is_exposed(&state.store, object) {
                continue;
            }
            Arc::make_mut(&mut state.store.exposed).insert(object.0 as usize);
            self.touch(point, &state.store, object);
            if let Some(content) = self.content(&state.store, object) {
                open.extend(content.values().flat_map(|value| value.targets.iter().map(|(object, _)| *object)));
            }
        }
    }
}

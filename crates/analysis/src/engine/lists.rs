//! Lists of further arguments (`va_list`): a list holds a pointer to the argument that comes next.

use crate::lattice::{BindingTime, Known, Offsets, Part, State, Targets, Value};
use crate::object::ObjectName;

use super::calls::{FURTHER, Given, Result};
use super::{Access, Engine, Point, outside};

/// Of the pointer in a list, in bits.
const WIDTH: i64 = 64;

impl Engine<'_> {
    pub(super) fn list_start(&mut self, point: Point, state: &mut State, given: &[Given]) -> Result {
        let object = self.object(ObjectName::Variable(point.at.function));
        let access = list(given, 0);
        self.effect(point, access.time, access.time.is_dynamic());
        self.store(point, state, &access, &Value::address(object, Offsets::at(0)));
        Result::default()
    }

    pub(super) fn list_copy(&mut self, point: Point, state: &mut State, given: &[Given]) -> Result {
        let from = self.next_of(point, state, &list(given, 1));
        let access = list(given, 0);
        self.effect(point, access.time.max(from.time), access.time.is_dynamic());
        self.store(point, state, &access, &from);
        Result::default()
    }

    /// The next argument, which the list then no longer leads to.
    pub(super) fn list_next(&mut self, point: Point, state: &mut State, given: &[Given]) -> Result {
        let access = list(given, 0);
        let next = self.next_of(point, state, &access);
        let moved = next.targets.map(|_, offsets| offsets.shifted(FURTHER));
        self.store(point, state, &access, &Value { targets: moved, ..next.clone() });
        let mut all = Value::nothing();
        let mut objects = None;
        let from = Access::through(&next, 128);
        for (object, offsets) in Engine::reached(&from).iter() {
            self.touch(point, &state.store, *object);
            let Some(content) = self.content(&state.store, *object) else { continue };
            all = all.join(&content.load(offsets, Part { first: 0, width: 128 }), false);
            objects = Some(content.window(offsets, FURTHER));
        }
        if next.is_dynamic() {
            let cause = self.observed_cause(point, &next, &Value::any());
            all = Value::dynamic(cause, all.targets.join(&outside(), false));
        }
        self.effect(point, all.time, all.is_dynamic());
        Result { value: Some(all), object: objects }
    }

    fn next_of(&mut self, point: Point, state: &State, access: &Access) -> Value {
        let mut all: Option<Value> = None;
        for (object, offsets) in Engine::reached(access).iter() {
            self.touch(point, &state.store, *object);
            let Some(content) = self.content(&state.store, *object) else { continue };
            let value = content.load(offsets, access.part);
            all = Some(all.map_or_else(|| value.clone(), |all| all.join(&value, false)));
        }
        let value = all.unwrap_or_else(Value::nothing);
        if value.targets.is_empty() && value.known != Known::Nothing {
            return Value { time: BindingTime::Dynamic, targets: outside(), ..value };
        }
        value
    }
}

fn list(given: &[Given], position: usize) -> Access {
    let pointer = given.get(position).map_or_else(|| Value::of(Known::Any), Given::value);
    let pointer = if pointer.targets.is_empty() { Value { targets: Targets::default(), ..pointer } } else { pointer };
    Access::through(&pointer, WIDTH)
}

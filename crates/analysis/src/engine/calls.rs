//! Calls of the program's own functions.

use std::sync::Arc;

use core_c::{Argument, Callee, FunctionId, LocalKind, Receiver};

use crate::cause::{Insensitivity, Reason};
use crate::lattice::{BindingTime, Content, Known, Offsets, Part, State, Value};
use crate::object::{OUTSIDE, ObjectName, object_id};
use crate::scan::is_outside;
use crate::variant::VariantId;

use super::{Engine, Point, number};

/// What is passed.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Value(Value),
    /// A structure, and its width in bits.
    Object(Content, i64),
}

impl Given {
    pub(crate) fn value(&self) -> Value {
        match self {
            Given::Value(value) => value.clone(),
            Given::Object(content, _) => {
                content.values().fold(Value::nothing(), |all, value| all.join(&value.blurred(), false))
            }
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Result {
    pub(crate) value: Option<Value>,
    pub(crate) object: Option<Content>,
}

/// Functions deep in calls of each other wait for their turn.
const DEPTH_MOST: usize = 100;
/// From one argument that stands for `...` to the next, in bytes.
pub(super) const FURTHER: i64 = 1 << 20;

impl Engine<'_> {
    pub(crate) fn call(
        &mut self,
        point: Point,
        state: &mut State,
        receiver: Option<&Receiver>,
        callee: &Callee,
        arguments: &[Argument],
    ) -> bool {
        let (callees, pointer) = self.callees(point, state, callee);
        let given: Vec<Given> = arguments.iter().map(|argument| self.given(point, state, argument)).collect();
        let target = match receiver {
            Some(Receiver::Object(place)) => Some(self.resolve(point, state, place)),
            _ => None,
        };
        let mut joined: Option<(State, Result)> = None;
        for callee in &callees {
            let mut after = state.clone();
            let Some(result) = self.call_function(point, &mut after, *callee, &given, receiver) else { continue };
            joined = Some(match joined {
                None => (after, result),
                Some((mut all, found)) => {
                    self.join(&mut all, &after, false);
                    (all, found.join(result))
                }
            });
        }
        if let Some(pointer) = pointer {
            let mut after = state.clone();
            let result = self.call_unknown(point, &mut after, None, &given, pointer.cause);
            joined = Some(match joined {
                None => (after, result),
                Some((mut all, found)) => {
                    self.join(&mut all, &after, false);
                    (all, found.join(result))
                }
            });
        }
        let Some((after, result)) = joined else { return false };
        *state = after;
        self.receive(point, state, receiver, target.as_ref(), result);
        true
    }

    /// The functions that may be called; and the pointer, where it may lead to others.
    fn callees(&mut self, point: Point, state: &State, callee: &Callee) -> (Vec<FunctionId>, Option<Value>) {
        let pointer = match callee {
            Callee::Function(function) => {
                if let Some(recording) = &mut self.recording {
                    recording.callees(&[*function], false);
                }
                return (vec![*function], None);
            }
            Callee::Pointer(pointer) => self.evaluate(point, state, pointer),
        };
        let mut callees = Vec::new();
        let mut others = pointer.is_dynamic();
        for (object, _) in pointer.targets.iter() {
            match self.objects.name(*object) {
                ObjectName::Function(function) => callees.push(function),
                _ => others |= *object == OUTSIDE || !pointer.is_static(),
            }
        }
        others |= callees.is_empty() && pointer.known != Known::Exact(0) && pointer.known != Known::Nothing;
        if pointer.is_dynamic() {
            // Which one runs is decided at run time, by code that nobody specializes.
            callees.clear();
        }
        if let Some(recording) = &mut self.recording {
            recording.callees(&callees, others);
        }
        (callees, others.then_some(pointer))
    }

    fn given(&mut self, point: Point, state: &State, argument: &Argument) -> Given {
        match argument {
            Argument::Value(value) => {
                let value = self.evaluate(point, state, value);
                Given::Value(if self.options.sensitivities.constants { value } else { value.without_number() })
            }
            Argument::Object(place) => {
                let access = self.resolve(point, state, place);
                Given::Object(self.window(point, state, &access), access.part.width)
            }
        }
    }

    fn call_function(
        &mut self,
        point: Point,
        state: &mut State,
        callee: FunctionId,
        given: &[Given],
        receiver: Option<&Receiver>,
    ) -> Option<Result> {
        if is_outside(self.function(callee)) {
            return self.call_outside(point, state, callee, given, receiver);
        }
        let entry = self.entry(point, state, callee, given);
        let variant = self.matching(callee, point.at, entry);
        if let Some(earlier) = self.variant(point.variant).calls.insert((point.at, callee, point.way), variant) {
            self.variant(earlier).used -= 1;
        }
        self.variant(variant).used += 1;
        self.variant(variant).users.insert(point.variant);
        if !self.variants[variant.index()].seen && self.depth < DEPTH_MOST {
            self.analyze(variant, None);
        } else if !self.variants[variant.index()].seen {
            self.dirty.entry(variant).or_default();
        }
        self.leave(point, state, callee, variant)
    }

    /// The state in which a function starts.
    fn entry(&mut self, point: Point, state: &State, callee: FunctionId, given: &[Given]) -> State {
        let function = self.function(callee);
        let mut entry = State { registers: vec![Value::nothing(); function.locals.len()], store: state.store.clone() };
        for (position, parameter) in function.parameters.iter().enumerate() {
            let Some(given) = given.get(position) else { continue };
            let passed = |engine: &mut Self, value: &Value| -> Value {
                if value.is_dynamic() {
                    let cause = engine.cause(point, Reason::Passed(callee, position), value.cause);
                    return Value { cause: Some(cause), ..value.clone() };
                }
                value.clone()
            };
            if function.locals[*parameter].kind == LocalKind::Register {
                let value = passed(self, &given.value());
                let value = self.in_register(point, callee, *parameter, value);
                entry.registers[number(*parameter)] = value;
                continue;
            }
            let width = self.width(function.locals[*parameter].ty);
            let content = match given {
                Given::Object(content, _) => content.clone(),
                Given::Value(value) => {
                    let mut content = Content::of(Value::nothing());
                    content.replace(0, width, passed(self, value));
                    content
                }
            };
            self.add_object(&mut entry, ObjectName::Local(callee, *parameter), content);
        }
        if self.is_variadic(callee) {
            let mut content = Content::of(Value::nothing());
            for (position, given) in given.iter().skip(function.parameters.len()).enumerate() {
                let offsets = Offsets::at(i64::try_from(position).unwrap_or(0) * FURTHER);
                match given {
                    Given::Value(value) => content.store(&offsets, Part { first: 0, width: 128 }, value, true),
                    Given::Object(window, width) => content.store_window(&offsets, window, *width, true),
                }
            }
            self.add_object(&mut entry, ObjectName::Variable(callee), content);
        }
        entry
    }

    /// A parameter's object; an outer activation's of the same name is meant, too.
    fn add_object(&mut self, entry: &mut State, name: ObjectName, content: Content) {
        let object = self.object(name);
        let content = match entry.store.get(object) {
            Some(outer) => Content { many: true, ..outer.join(&content, false) },
            None => content,
        };
        entry.store.set(object, Some(Arc::new(content)));
    }

    pub(super) fn is_variadic(&self, function: FunctionId) -> bool {
        match self.program.types.shape_of(self.function(function).ty) {
            core_c::Shape::Function(signature) => signature.variadic,
            _ => false,
        }
    }

    /// The state after a call, and what it gave; none where it does not come back, as far as is known.
    fn leave(&mut self, point: Point, state: &mut State, callee: FunctionId, variant: VariantId) -> Option<Result> {
        let called = &self.variants[variant.index()];
        let (touched, reached) = (called.touched.clone(), called.reached.clone());
        let (residual, general) = (called.residual, called.general);
        let (hit, ran) = (called.hit, called.ran);
        let exit = called.exit.clone();
        touched.iter().for_each(|object| self.touch(point, &state.store, object_id(object)));
        reached.iter().for_each(|object| self.reach(point, object_id(object)));
        self.effect(point, if residual { BindingTime::Dynamic } else { BindingTime::Static }, residual);
        let exit = exit?;
        let entry = general.then(|| self.variants[variant.index()].entry.store.clone());
        let weak = !self.options.sensitivities.flow;
        let mut known = touched;
        known.add_all(&reached);
        for object in known.iter() {
            let is_exposed = exit.store.0.exposed.holds(object);
            let object = object_id(object);
            let Some(content) = exit.store.0.get(object) else { continue };
            let before = self.content(&state.store, object);
            // Another caller's object, in a variant that several callers share.
            if before.is_none() && entry.as_ref().is_some_and(|entry| entry.get(object).is_some()) {
                continue;
            }
            let content = match before {
                Some(before) if weak => Arc::new(before.join(content, true)),
                _ => Arc::clone(content),
            };
            state.store.set(object, Some(content));
            if is_exposed && !state.store.exposed.holds(object.0 as usize) {
                Arc::make_mut(&mut state.store.exposed).insert(object.0 as usize);
            }
        }
        state.store.outside_written |= exit.store.0.outside_written;
        if let Some(from) = hit {
            let cause = self.cause(point, Reason::Within(callee), Some(from));
            let before = self.variants[point.variant.index()].hit;
            self.variant(point.variant).hit = before.or(Some(cause));
            self.hit_all(state, cause, |_, object| known.holds(object.0 as usize));
        }
        if let Some(from) = ran {
            let cause = self.cause(point, Reason::Within(callee), Some(from));
            let before = self.variants[point.variant.index()].ran;
            self.variant(point.variant).ran = before.or(Some(cause));
            self.anything_in(state, cause, |object| known.holds(object.0 as usize));
        }
        if !exit.store.0.fields.is_empty() {
            Arc::make_mut(&mut state.store.fields).extend(exit.store.0.fields.iter().map(|(k, v)| (k.clone(), *v)));
        }
        let mut result = Result { value: exit.value, object: exit.object };
        let insensitive = residual && !self.options.sensitivities.returns;
        if let Some(value) = &mut result.value {
            if value.is_dynamic() {
                value.cause = Some(self.cause(point, Reason::Returned(callee), value.cause));
            } else if insensitive {
                let cause = self.cause(point, Reason::Insensitive(Insensitivity::Returns), None);
                *value = value.made_dynamic(cause);
            }
        }
        Some(result)
    }

    /// Hands the result to who takes it.
    fn receive(
        &mut self,
        point: Point,
        state: &mut State,
        receiver: Option<&Receiver>,
        target: Option<&super::Access>,
        result: Result,
    ) {
        match (receiver, target) {
            (Some(Receiver::Register(local)), _) => {
                let value = result.value.unwrap_or_else(Value::nothing);
                if let Some(recording) = &mut self.recording {
                    recording.result(&value);
                }
                self.set(point, state, *local, value);
            }
            (Some(Receiver::Object(_)), Some(access)) => {
                let window =
                    result.object.unwrap_or_else(|| Content::of(result.value.unwrap_or_else(Value::nothing).blurred()));
                self.store_window(point, state, access, &window);
            }
            _ => {}
        }
    }

    /// As [`State::join`].
    pub(crate) fn join(&self, state: &mut State, other: &State, widen: bool) -> bool {
        let background = &self.background;
        state.join(other, &|object, store| super::absent(background, object, store), widen)
    }
}

impl Result {
    fn join(self, other: Result) -> Result {
        let value = match (self.value, other.value) {
            (Some(a), Some(b)) => Some(a.join(&b, false)),
            (a, b) => a.or(b),
        };
        let object = match (self.object, other.object) {
            (Some(a), Some(b)) => Some(a.join(&b, false)),
            (a, b) => a.or(b),
        };
        Result { value, object }
    }

    pub(crate) fn of(value: Value) -> Result {
        Result { value: Some(value), object: None }
    }
}

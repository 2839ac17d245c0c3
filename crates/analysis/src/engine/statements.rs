//! Statements: what they change, and whether they leave something to be done at run time.

use std::sync::Arc;

use core_c::{Expression, LocalId, Place, StatementKind};

use crate::cause::{Reason, Subject};
use crate::lattice::{BindingTime, Content, Known, Offsets, State, Targets, Value};
use crate::object::{ObjectId, ObjectName};

use super::{Access, Engine, Point, number, outside};

impl Engine<'_> {
    /// Executes a statement; false where control does not come out of it, as far as is known.
    pub(crate) fn execute(&mut self, point: Point, state: &mut State, statement: &StatementKind) -> bool {
        match statement {
            StatementKind::Set { local, value } => {
                let value = self.evaluate(point, state, value);
                self.effect(point, value.time, false);
                self.set(point, state, *local, value);
            }
            StatementKind::Store { place, value } => {
                let access = self.resolve(point, state, place);
                let mut value = self.evaluate(point, state, value);
                if place.volatile {
                    value = value.made_dynamic(self.cause(point, Reason::Volatile, None));
                }
                self.written(point, state, &access, value.time);
                self.store(point, state, &access, &value);
            }
            StatementKind::LoadVolatile { local, place } => {
                let access = self.resolve(point, state, place);
                let held = self.load(point, state, &access, place.ty);
                let cause = self.cause(point, Reason::Volatile, access.cause);
                let value = Value::dynamic(cause, held.targets.join(&outside(), false));
                self.effect(point, BindingTime::Dynamic, true);
                self.set(point, state, *local, value);
            }
            StatementKind::Copy { to, from } => {
                let (source, target) = (self.resolve(point, state, from), self.resolve(point, state, to));
                let window = self.window(point, state, &source);
                let time = window.values().map(|value| value.time).max().unwrap_or_default();
                self.written(point, state, &target, time);
                self.store_window(point, state, &target, &window);
            }
            StatementKind::Zero { place } => {
                let access = self.resolve(point, state, place);
                self.written(point, state, &access, BindingTime::Static);
                self.store(point, state, &access, &Value::exact(0));
            }
            StatementKind::Begin { local, size } => self.begin(point, state, *local, size.as_ref()),
            StatementKind::Call { receiver, callee, arguments } => {
                return self.call(point, state, receiver.as_ref(), callee, arguments);
            }
            StatementKind::Assembly { outputs, inputs, .. } => self.assembly(point, state, outputs, inputs),
        }
        true
    }

    /// Gives a register a value.
    pub(crate) fn set(&mut self, point: Point, state: &mut State, local: LocalId, value: Value) {
        let mut value = self.in_register(point, point.at.function, local, value);
        if value.is_dynamic() {
            let subject = Subject::Local(point.at.function, local);
            value.cause = Some(self.cause(point, Reason::Stored(subject), value.cause));
        } else if !self.options.sensitivities.constants {
            value = value.without_number();
        }
        let Some(register) = state.registers.get_mut(number(local)) else { return };
        *register = if self.options.sensitivities.flow { value } else { register.join(&value, true) };
    }

    /// Notes when a statement's effect comes about. `remains` where something must be done at run time.
    pub(crate) fn effect(&mut self, point: Point, time: BindingTime, remains: bool) {
        if remains && !self.variants[point.variant.index()].residual {
            self.variant(point.variant).residual = true;
            self.changes += 1;
        }
        if let Some(recording) = &mut self.recording {
            recording.effect(time, remains);
        }
    }

    /// As [`Engine::effect`], for a store: what others can see is stored at run time, too.
    pub(crate) fn written(&mut self, point: Point, state: &State, access: &Access, time: BindingTime) {
        let time = time.max(if access.time.is_dynamic() { BindingTime::Dynamic } else { BindingTime::Static });
        let targets = Engine::reached(access);
        let seen = targets.iter().any(|(object, _)| self.is_seen(state, *object));
        if let Some(recording) = &mut self.recording {
            recording.written(&targets, access.part);
        }
        self.effect(point, time, seen || time.is_dynamic());
    }

    /// True where others can see what the object holds.
    pub(crate) fn is_seen(&self, state: &State, object: ObjectId) -> bool {
        matches!(self.objects.name(object), ObjectName::Global(_)) || self.is_exposed(&state.store, object)
    }

    /// A copy of what a place holds.
    pub(crate) fn window(&mut self, point: Point, state: &State, access: &Access) -> Content {
        let mut all: Option<Content> = None;
        for (object, offsets) in Engine::reached(access).iter() {
            self.touch(point, &state.store, *object);
            let Some(content) = self.content(&state.store, *object) else { continue };
            let window = content.window(offsets, access.part.width);
            all = Some(all.map_or_else(|| window.clone(), |all| all.join(&window, false)));
        }
        let all = all.unwrap_or_else(|| Content::of(Value::nothing()));
        if !access.time.is_dynamic() {
            return all;
        }
        let cause = self.cause(point, Reason::ReadThrough, access.cause);
        all.map(|value| value.made_dynamic(cause))
    }

    /// Stores a copy.
    pub(crate) fn store_window(&mut self, point: Point, state: &mut State, access: &Access, window: &Content) {
        let subject = self.subject(access);
        let mut copy = window.clone();
        let base = subject.1;
        let dynamic = |engine: &mut Self, value: &Value, start: i64| -> Value {
            if access.time.is_dynamic() {
                return engine.stored(point, access, value);
            }
            if !value.is_dynamic() {
                return value.clone();
            }
            let part = Subject::Part(subject.0, base.map(|base| base + start.div_euclid(8)));
            let cause = engine.cause(point, Reason::Stored(part), value.cause);
            Value { cause: Some(cause), ..value.clone() }
        };
        copy.default = dynamic(self, &window.default, 0);
        for segment in &mut copy.segments {
            segment.value = dynamic(self, &segment.value, segment.start);
        }
        for smear in &mut copy.smears {
            smear.value = dynamic(self, &smear.value, 0);
        }
        let strong = self.is_strong(access);
        let holds = copy.values().fold(Targets::default(), |all, value| all.join(&value.targets, false));
        let width = access.part.width;
        for (object, offsets) in Engine::reached(access).iter() {
            self.write(point, state, *object, &holds, |content| content.store_window(offsets, &copy, width, strong));
        }
    }

    fn begin(&mut self, point: Point, state: &mut State, local: LocalId, size: Option<&Expression>) {
        let mut time = BindingTime::Static;
        if let Some(size) = size {
            time = self.evaluate(point, state, size).time;
        }
        self.effect(point, time, time.is_dynamic());
        self.start(point, state, ObjectName::Local(point.at.function, local), Content::of(Value::nothing()));
    }

    /// An object comes into being. Where the name stands for an object of an outer activation, too, it stands for both
    /// from now on.
    pub(crate) fn start(&mut self, point: Point, state: &mut State, name: ObjectName, content: Content) {
        let object = self.object(name);
        self.touch(point, &state.store, object);
        let outer = self.variants[point.variant.index()].entry.store.get(object).is_some();
        let current = state.store.get(object).cloned();
        let content = match current {
            Some(current) if outer || !self.options.sensitivities.flow => {
                Content { many: outer || current.many, ..current.join(&content, false) }
            }
            _ => content,
        };
        state.store.set(object, Some(Arc::new(content)));
    }

    /// `asm` may do anything to what its operands name and to all that went outside.
    fn assembly(&mut self, point: Point, state: &mut State, outputs: &[Place], inputs: &[Expression]) {
        self.effect(point, BindingTime::Dynamic, true);
        let cause = self.cause(point, Reason::Assembly, None);
        let mut targets = Targets::default();
        for input in inputs {
            targets = targets.join(&self.evaluate(point, state, input).targets, false);
        }
        self.expose(point, state, &targets);
        let accesses: Vec<Access> = outputs.iter().map(|place| self.resolve(point, state, place)).collect();
        self.anything(point, state, cause);
        for access in accesses {
            self.store(point, state, &access, &Value::dynamic(cause, outside()));
        }
    }

    /// Makes a part of the state dynamic, as the specializer asked.
    pub(crate) fn generalize(&mut self, point: Point, state: &mut State, cell: crate::options::Cell, reason: &str) {
        let cause = self.cause(point, Reason::Generalized(reason.to_owned()), None);
        match cell {
            crate::options::Cell::Register(local) => {
                if let Some(register) = state.registers.get_mut(number(local))
                    && register.known != Known::Nothing
                {
                    *register = register.made_dynamic(cause);
                }
            }
            crate::options::Cell::Memory { object, offset, size } => {
                let object = self.object(object);
                let width = i64::try_from(size).unwrap_or(1).saturating_mul(8);
                let Some(content) = self.content(&state.store, object) else { return };
                let offsets = Offsets::at(i64::try_from(offset).unwrap_or(0));
                let part = crate::lattice::Part { first: 0, width };
                let value = content.load(&offsets, part).made_dynamic(cause);
                let mut content = (*content).clone();
                content.store(&offsets, part, &value, true);
                self.touch(point, &state.store, object);
                state.store.set(object, Some(Arc::new(content)));
            }
        }
    }
}

//! Calls of functions whose bodies the program does not have, by what is known of their effects.

use std::sync::Arc;

use core_c::{FunctionId, Receiver};

use crate::cause::{CauseId, Reason};
use crate::effects::{Description, Effect, Outcome, Reach, Statement, When};
use crate::lattice::{BindingTime, Content, Known, Part, Smear, State, Value};
use crate::object::{ObjectId, ObjectName};
use crate::scan::effect_of;

use super::calls::{Given, Result};
use super::places::onward;
use super::{Access, Engine, Point, outside};

impl Engine<'_> {
    pub(super) fn call_outside(
        &mut self,
        point: Point,
        state: &mut State,
        callee: FunctionId,
        given: &[Given],
        receiver: Option<&Receiver>,
    ) -> Option<Result> {
        let function = self.function(callee);
        let effect = if function.refused.is_some() { None } else { effect_of(function, self.effects) };
        match effect {
            None => Some(self.call_unknown(point, state, Some(callee), given, None)),
            Some(Effect::Described(described)) => self.described(point, state, callee, &described, given),
            Some(Effect::Copy { to, from, count }) => Some(self.copy(point, state, given, [to, from, count])),
            Some(Effect::Fill { to, value, count }) => {
                let byte = value.and_then(|value| given.get(value)).map_or_else(|| Value::exact(0), Given::value);
                Some(self.fill(point, state, given, to, &byte, count))
            }
            Some(Effect::ListStart) => Some(self.list_start(point, state, given)),
            Some(Effect::ListCopy) => Some(self.list_copy(point, state, given)),
            Some(Effect::ListNext) => {
                let mut result = self.list_next(point, state, given);
                if !matches!(receiver, Some(Receiver::Object(_))) {
                    result.object = None;
                }
                Some(result)
            }
            Some(Effect::Scenario(said)) => {
                self.said(point, state, said, given);
                Some(Result::default())
            }
        }
    }

    /// A function of which nothing is known: it may do anything to all that goes outside.
    pub(super) fn call_unknown(
        &mut self,
        point: Point,
        state: &mut State,
        callee: Option<FunctionId>,
        given: &[Given],
        from: Option<CauseId>,
    ) -> Result {
        self.effect(point, BindingTime::Dynamic, true);
        let cause = self.cause(point, Reason::Unknown(callee), from);
        for given in given {
            self.hand_over(point, state, given, cause);
        }
        self.anything(point, state, cause);
        Result { value: Some(Value::dynamic(cause, outside())), object: None }
    }

    /// What an argument leads to goes outside; what the scenario said to be private, too, for once.
    fn hand_over(&mut self, point: Point, state: &mut State, given: &Given, cause: CauseId) {
        let targets = match given {
            Given::Value(value) => value.targets.clone(),
            Given::Object(content, _) => {
                content.values().fold(Value::nothing().targets, |all, value| all.join(&value.targets, false))
            }
        };
        self.expose(point, state, &targets);
        for (object, _) in targets.iter() {
            if let Some(content) = state.store.get(*object).filter(|content| content.private) {
                let low_bits = content.low_bits;
                let unknown = Content::of(Value::dynamic(cause, outside()));
                let unknown = Content { private: true, low_bits, ..unknown };
                self.touch(point, &state.store, *object);
                state.store.set(*object, Some(Arc::new(unknown)));
            }
        }
    }

    fn described(
        &mut self,
        point: Point,
        state: &mut State,
        callee: FunctionId,
        described: &Description,
        given: &[Given],
    ) -> Option<Result> {
        let mut inputs = given.iter().map(Given::value).fold(Value::nothing(), |all, value| worse(all, &value));
        for reach in &described.reads {
            inputs = worse(inputs, &self.reached_value(point, state, *reach, given));
        }
        let to: Vec<(Access, bool)> =
            described.writes.iter().flat_map(|reach| self.reached_access(state, *reach, given)).collect();
        let known = described.result == Outcome::Known;
        let evaluated = described.when == When::Anytime && (known || !inputs.is_dynamic());
        let time = if evaluated { BindingTime::Static } else { BindingTime::Dynamic };
        let seen =
            to.iter().any(|(access, _)| Engine::reached(access).iter().any(|(object, _)| self.is_seen(state, *object)));
        self.effect(point, time, !evaluated || seen);
        let cause = match (described.when, inputs.is_dynamic()) {
            (When::Anytime, true) => inputs.cause,
            _ => None,
        };
        let cause = cause.unwrap_or_else(|| self.cause(point, Reason::External(callee), None));
        for position in &described.keeps {
            if let Some(given) = given.get(*position) {
                self.hand_over(point, state, given, cause);
            }
        }
        if described.writes.contains(&Reach::Exposed) {
            self.anything(point, state, cause);
        }
        let written = if evaluated { Value::any() } else { Value::dynamic(cause, outside()) };
        if let Some(recording) = &mut self.recording {
            to.iter().for_each(|(access, _)| recording.written(&Engine::reached(access), access.part));
        }
        for (access, exact) in to {
            self.store_bytes(point, state, &access, &written, exact);
        }
        if !described.returns {
            return None;
        }
        let value = self.outcome(point, state, described.result, given, evaluated, cause);
        Some(Result { value, object: None })
    }

    fn outcome(
        &mut self,
        point: Point,
        state: &mut State,
        outcome: Outcome,
        given: &[Given],
        evaluated: bool,
        cause: CauseId,
    ) -> Option<Value> {
        let argument = |position: usize| given.get(position).map_or_else(Value::any, Given::value);
        Some(match outcome {
            Outcome::Nothing => return None,
            Outcome::Known => Value::any(),
            Outcome::Computed if evaluated => Value::any(),
            Outcome::Computed | Outcome::Dynamic => Value::dynamic(cause, outside()).without_targets(),
            Outcome::Argument(position) => argument(position),
            Outcome::Within(position) => {
                let inner = argument(position);
                let targets = inner.targets.anywhere();
                if evaluated { Value { targets, ..inner.blurred() } } else { Value::dynamic(cause, targets) }
            }
            Outcome::Outside => Value::dynamic(cause, outside()),
            Outcome::Fresh { zeroed } => self.allocate(point, state, zeroed),
        })
    }

    /// A new object, and a pointer to it that may be null.
    fn allocate(&mut self, point: Point, state: &mut State, zeroed: bool) -> Value {
        let caller = self.variants[point.variant.index()].caller;
        let object = self.object(ObjectName::Heap { site: point.at, caller });
        self.touch(point, &state.store, object);
        let default = if zeroed { Value::exact(0) } else { Value::nothing() };
        let content = match state.store.get(object) {
            Some(earlier) => Content { many: true, ..earlier.join(&Content::of(default), false) },
            None => Content::of(default),
        };
        state.store.set(object, Some(Arc::new(content)));
        let cause = self.cause(point, Reason::Allocation, None);
        Value::based(cause, object)
    }

    /// What a function may read, all in one.
    fn reached_value(&mut self, point: Point, state: &State, reach: Reach, given: &[Given]) -> Value {
        if reach == Reach::Exposed {
            let cause = self.cause(point, Reason::Outside, None);
            return Value::dynamic(cause, outside());
        }
        let mut all = Value::nothing();
        if let Some((access, _)) = self.reached_access(state, reach, given) {
            for (object, offsets) in Engine::reached(&access).iter() {
                self.touch(point, &state.store, *object);
                match self.content(&state.store, *object) {
                    Some(content) if *object != crate::object::OUTSIDE => {
                        all = worse(all, &content.load(offsets, access.part));
                    }
                    Some(content) => all = worse(all, &content.default),
                    None => {}
                }
            }
            if access.time.is_dynamic() {
                all = worse(all, &access.address());
            }
        }
        all
    }

    /// The places that a function reaches; true where it is exactly these bytes.
    fn reached_access(&self, _: &State, reach: Reach, given: &[Given]) -> Option<(Access, bool)> {
        let pointer = |position: usize| given.get(position).map(Given::value);
        let from = |value: Value| {
            let targets = value.targets.map(|_, offsets| onward(offsets));
            Access { targets, ..Access::through(&value, 8) }
        };
        match reach {
            Reach::Exposed => None,
            Reach::Pointee(position) => Some((from(pointer(position)?), false)),
            Reach::Fixed { pointer: position, size } => {
                let width = i64::try_from(size).unwrap_or(0) * 8;
                Some((Access::through(&pointer(position)?, width), true))
            }
            Reach::Bytes { pointer: position, count, times } => {
                let count = pointer(count)?;
                match count.number().and_then(|number| i64::try_from(number).ok()) {
                    Some(0) => None,
                    Some(number) if number > 0 && number < 1 << 40 => {
                        let width = number * i64::try_from(times).unwrap_or(1) * 8;
                        Some((Access::through(&pointer(position)?, width), true))
                    }
                    _ => Some((from(pointer(position)?), false)),
                }
            }
        }
    }

    /// Stores a value in bytes that are not a cell of one type.
    fn store_bytes(&mut self, point: Point, state: &mut State, access: &Access, value: &Value, exact: bool) {
        let value = self.stored(point, access, value);
        let strong = exact && self.is_strong(access);
        for (object, offsets) in Engine::reached(access).iter() {
            self.write(point, state, *object, &value.targets, |content| match (strong, offsets.single()) {
                (true, Some(_)) => content.store(offsets, access.part, &value, true),
                _ => {
                    let end = offsets.range().high.saturating_add(access.part.width / 8 - 1);
                    let range = crate::lattice::Range { high: end, step: 1, phase: 0, ..offsets.range() };
                    content.smear(Smear { range, part: Part { first: 0, width: 8 }, value: value.clone() });
                }
            });
        }
    }

    /// `memcpy` and its like.
    fn copy(&mut self, point: Point, state: &mut State, given: &[Given], [to, from, count]: [usize; 3]) -> Result {
        let value = |position: usize| given.get(position).map_or_else(Value::any, Given::value);
        let (to, from, count) = (value(to), value(from), value(count));
        let bytes = count.number().and_then(|number| i64::try_from(number).ok()).filter(|number| *number < 1 << 40);
        let (mut source, mut target) = (Access::through(&from, 8), Access::through(&to, 8));
        match bytes {
            Some(0) => {}
            Some(bytes) => {
                source.part.width = bytes.saturating_mul(8);
                target.part.width = source.part.width;
                let window = self.window(point, state, &source);
                let time = window.values().map(|value| value.time).max().unwrap_or_default();
                self.written(point, state, &target, time);
                self.store_window(point, state, &target, &window);
            }
            None => {
                source.targets = source.targets.map(|_, offsets| onward(offsets));
                target.targets = target.targets.map(|_, offsets| onward(offsets));
                let mut all = Value::nothing();
                for (object, offsets) in Engine::reached(&source).iter() {
                    self.touch(point, &state.store, *object);
                    let Some(content) = self.content(&state.store, *object) else { continue };
                    all = all.join(&content.load(offsets, Part { first: 0, width: 8 }).blurred(), false);
                }
                if count.is_dynamic() || source.time.is_dynamic() {
                    let from = count.cause.or(source.cause);
                    all = all.made_dynamic(self.cause(point, Reason::Extent, from));
                }
                self.written(point, state, &target, all.time);
                self.store_bytes(point, state, &target, &all.blurred(), false);
            }
        }
        Result::of(to)
    }

    /// `memset` and its like.
    fn fill(
        &mut self,
        point: Point,
        state: &mut State,
        given: &[Given],
        to: usize,
        byte: &Value,
        count: usize,
    ) -> Result {
        let value = |position: usize| given.get(position).map_or_else(Value::any, Given::value);
        let (to, count) = (value(to), value(count));
        let mut target = Access::through(&to, 8);
        let mut stored = if byte.number() == Some(0) { byte.clone() } else { byte.blurred().without_targets() };
        if stored.known != Known::Exact(0) && stored.is_static() {
            stored.known = Known::Any;
        }
        let bytes = count.number().and_then(|number| i64::try_from(number).ok()).filter(|number| *number < 1 << 40);
        match bytes {
            Some(0) => {}
            Some(bytes) => {
                target.part.width = bytes.saturating_mul(8);
                self.written(point, state, &target, stored.time);
                self.store_bytes(point, state, &target, &stored, true);
            }
            None => {
                target.targets = target.targets.map(|_, offsets| onward(offsets));
                if count.is_dynamic() {
                    stored = stored.made_dynamic(self.cause(point, Reason::Extent, count.cause));
                }
                self.written(point, state, &target, stored.time);
                self.store_bytes(point, state, &target, &stored, false);
            }
        }
        Result::of(to)
    }

    /// What a scenario says.
    fn said(&mut self, point: Point, state: &mut State, said: Statement, given: &[Given]) {
        let value = given.first().map_or_else(Value::any, Given::value);
        match said {
            Statement::Holds | Statement::Usually => self.learn_argument(point, state),
            Statement::MustBeStatic => {
                if let Some(recording) = &mut self.recording
                    && !value.is_static()
                {
                    recording.broken = Some(value.cause);
                }
            }
            Statement::Returns => self.note_usual(point),
            Statement::Private => {
                for (object, _) in value.targets.iter() {
                    self.make_private(point, state, *object);
                }
            }
        }
        self.effect(point, BindingTime::Static, false);
    }

    /// Notes what a function usually returns: its name, then the number.
    fn note_usual(&mut self, point: Point) {
        let Some(core_c::StatementKind::Call { arguments, .. }) = self.statement(point.at) else { return };
        let [core_c::Argument::Value(name), core_c::Argument::Value(number)] = &arguments[..] else { return };
        let Some(literal) = literal_of(self.program, name) else { return };
        let mut number = number;
        while let core_c::ExpressionKind::Convert(inner) = &number.kind {
            number = inner;
        }
        if let core_c::ExpressionKind::Integer(number) = number.kind
            && self.usual.insert(literal, number) != Some(number)
        {
            self.changes += 1;
        }
    }

    fn make_private(&mut self, point: Point, state: &mut State, object: ObjectId) {
        let Some(content) = self.content(&state.store, object) else { return };
        self.touch(point, &state.store, object);
        state.store.set(object, Some(Arc::new(Content { private: true, ..(*content).clone() })));
    }

    /// Learns from the condition that the statement passes.
    fn learn_argument(&mut self, point: Point, state: &mut State) {
        let Some(core_c::StatementKind::Call { arguments, .. }) = self.statement(point.at) else { return };
        if let Some(core_c::Argument::Value(condition)) = arguments.first() {
            self.learn_condition(point, state, condition, true);
        }
    }
}

/// The value that is known later.
fn worse(a: Value, b: &Value) -> Value {
    if b.time > a.time { b.clone() } else { a }
}

/// The text of a string literal.
fn literal_of(program: &core_c::Program, expression: &core_c::Expression) -> Option<String> {
    match &expression.kind {
        core_c::ExpressionKind::Convert(inner) => literal_of(program, inner),
        core_c::ExpressionKind::Address(place) => match place.base {
            core_c::PlaceBase::Global(global) => {
                program.globals[global].literal.as_ref().map(|text| text.trim_matches('"').to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}

//! Where control goes on at a block's end, and what a test teaches about what it tested.

use std::sync::Arc;

use core_c::{Argument, BinaryOperator, BlockId, Expression, ExpressionKind, Shape, Terminator};

use crate::lattice::{BindingTime, Known, State, Value};
use crate::object::ObjectName;
use crate::variant::{Exit, StoreChange};

use super::{Engine, Point, number};

impl Engine<'_> {
    /// The blocks that may follow, each with its state.
    pub(crate) fn end(&mut self, point: Point, mut state: State, end: &Terminator) -> Vec<(BlockId, State)> {
        match end {
            Terminator::Goto(target) => {
                self.effect(point, BindingTime::Static, false);
                vec![(*target, state)]
            }
            Terminator::Branch { condition, then, otherwise } => {
                let value = self.evaluate(point, &state, condition);
                self.test(point, &value);
                let truth = value.truth();
                let mut next = Vec::new();
                if truth != Some(false) {
                    let mut taken = state.clone();
                    self.learn_condition(point, &mut taken, condition, true);
                    next.push((*then, taken));
                }
                if truth != Some(true) {
                    self.learn_condition(point, &mut state, condition, false);
                    next.push((*otherwise, state));
                }
                next
            }
            Terminator::Switch { value, cases, default } => self.switch(point, &state, value, cases, *default),
            Terminator::Return(result) => {
                self.leave_function(point, state, result.as_ref());
                Vec::new()
            }
            Terminator::GotoAddress { address, targets } => {
                let value = self.evaluate(point, &state, address);
                self.effect(point, value.time, value.is_dynamic());
                targets.iter().map(|target| (*target, state.clone())).collect()
            }
            Terminator::Unreachable => Vec::new(),
        }
    }

    /// Notes when a test is decided: whether an address from outside is null, only at run time.
    fn test(&mut self, point: Point, value: &Value) {
        let decided = value.is_static() || (!value.is_dynamic() && value.truth().is_some());
        let time = if decided { BindingTime::Static } else { BindingTime::Dynamic };
        if !decided && !value.is_dynamic() && self.recording.is_some() {
            let cause = self.observed_cause(point, value, &Value::any());
            if let Some(recording) = &mut self.recording {
                recording.test(cause);
            }
        }
        self.effect(point, time, false);
    }

    fn switch(
        &mut self,
        point: Point,
        state: &State,
        tested: &Expression,
        cases: &[core_c::Case],
        default: BlockId,
    ) -> Vec<(BlockId, State)> {
        let value = self.evaluate(point, state, tested);
        self.test(point, &value);
        if let Some(number) = value.number() {
            let case = cases.iter().find(|case| (case.first..=case.last).contains(&number));
            return vec![(case.map_or(default, |case| case.target), state.clone())];
        }
        let mut next = vec![(default, state.clone())];
        for case in cases {
            let mut taken = state.clone();
            if case.first == case.last {
                self.learn(point, &mut taken, tested, &Value::exact(case.first));
            }
            next.push((case.target, taken));
        }
        next
    }

    /// Joins a state into what the function leaves behind.
    fn leave_function(&mut self, point: Point, state: State, result: Option<&Argument>) {
        let (mut value, mut object) = (None, None);
        match result {
            Some(Argument::Value(expression)) => value = Some(self.evaluate(point, &state, expression)),
            Some(Argument::Object(place)) => {
                let access = self.resolve(point, &state, place);
                object = Some(self.window(point, &state, &access));
            }
            None => {}
        }
        let time = value.as_ref().map_or(BindingTime::Static, |value| value.time);
        self.effect(point, time, false);
        let mut store = state.store;
        let function = point.at.function;
        let entry = self.variants[point.variant.index()].entry.store.clone();
        let own: Vec<_> = store.objects().collect();
        for object in own {
            let is_own = match self.objects.name(object) {
                ObjectName::Local(of, _) | ObjectName::Variable(of) => of == function,
                _ => false,
            };
            if is_own && entry.get(object).is_none() {
                store.set(object, None);
            }
        }
        let before = self.variant(point.variant).exit.take();
        let exit = match before {
            None => Exit { store: StoreChange(store), value, object },
            Some(exit) => {
                let mut joined = State { registers: Vec::new(), store: exit.store.0.clone() };
                self.join(&mut joined, &State { registers: Vec::new(), store }, true);
                Exit {
                    store: StoreChange(joined.store),
                    value: join_options(exit.value, value, |a, b| a.join(&b, true)),
                    object: join_options(exit.object, object, |a, b| a.join(&b, true)),
                }
            }
        };
        self.variant(point.variant).exit = Some(exit);
    }

    /// What follows from a condition that holds, or does not.
    pub(crate) fn learn_condition(&mut self, point: Point, state: &mut State, condition: &Expression, holds: bool) {
        let recording = self.recording.take();
        match &condition.kind {
            ExpressionKind::Binary(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), left, right) => {
                let equal = (*operator == BinaryOperator::Equal) == holds;
                let (a, b) = (self.evaluate(point, state, left), self.evaluate(point, state, right));
                match (a.is_static() && a.known != Known::Nothing, b.is_static() && b.known != Known::Nothing) {
                    (_, true) if equal => self.learn(point, state, left, &b),
                    (true, _) if equal => self.learn(point, state, right, &a),
                    // Two names for one place.
                    _ if equal && b.time == BindingTime::Based && b.targets.single().is_some() => {
                        self.put(point, state, left, &b);
                    }
                    _ if b.number() == Some(0) => self.learn_truth(point, state, left),
                    _ if a.number() == Some(0) => self.learn_truth(point, state, right),
                    _ => {}
                }
            }
            ExpressionKind::Convert(inner) if self.is_integer(inner) && self.is_integer(condition) => {
                self.learn_condition(point, state, inner, holds);
            }
            _ if holds => self.learn_truth(point, state, condition),
            _ => self.learn(point, state, condition, &Value::exact(0)),
        }
        self.recording = recording;
    }

    fn is_integer(&self, expression: &Expression) -> bool {
        matches!(self.program.types.shape_of(expression.ty), Shape::Integer { .. })
    }

    /// What is tested is not zero.
    fn learn_truth(&mut self, point: Point, state: &mut State, tested: &Expression) {
        let value = self.evaluate(point, state, tested);
        if !value.is_dynamic() && value.known == Known::Any {
            self.put(point, state, tested, &Value { known: Known::NonZero, ..value });
        }
    }

    /// What is tested equals a static value.
    fn learn(&mut self, point: Point, state: &mut State, tested: &Expression, value: &Value) {
        if let ExpressionKind::Convert(inner) = &tested.kind {
            let types = &self.program.types;
            let wider = match (types.shape_of(inner.ty), types.shape_of(tested.ty)) {
                (Shape::Integer { bits: from, boolean: false, .. }, Shape::Integer { bits: to, .. }) => from <= to,
                (Shape::Pointer(_), Shape::Pointer(_)) => true,
                _ => false,
            };
            if !wider {
                return;
            }
            let known = match value.number() {
                Some(number) => crate::fold::convert(types.shape_of(inner.ty), number).map(Known::Exact),
                None => Some(value.known),
            };
            if let Some(known) = known {
                self.learn(point, state, inner, &Value { known, ..value.clone() });
            }
            return;
        }
        if matches!(self.program.types.shape_of(tested.ty), Shape::Float { .. }) {
            return;
        }
        if let (ExpressionKind::Binary(operator, left, right), Some(number)) = (&tested.kind, value.number()) {
            let (a, b) = (self.evaluate(point, state, left), self.evaluate(point, state, right));
            self.learn_low_bits(point, state, *operator, [&a, &b], number);
            return;
        }
        let held = self.evaluate(point, state, tested);
        if held.is_dynamic() && !self.options.sensitivities.tests {
            return;
        }
        let learned = match (held.is_static(), held.known, value.known) {
            _ if value.number() == Some(0) => Value::exact(0),
            (false, ..) => value.clone(),
            (true, Known::Exact(_), _) | (true, _, Known::Any) => held,
            (true, _, known) => Value { known, ..held },
        };
        let learned = if self.options.sensitivities.constants { learned } else { learned.without_number() };
        self.put(point, state, tested, &learned);
    }

    /// Gives what an expression reads another value.
    fn put(&mut self, point: Point, state: &mut State, read: &Expression, value: &Value) {
        if !self.options.sensitivities.flow {
            return;
        }
        match &read.kind {
            ExpressionKind::Local(local) => {
                if let Some(register) = state.registers.get_mut(number(*local)) {
                    *register = value.clone();
                }
            }
            ExpressionKind::Load(place) => {
                let access = self.resolve(point, state, place);
                let Some((object, offsets)) = access.targets.single().filter(|_| !access.time.is_dynamic()) else {
                    return;
                };
                let Some(content) = self.content(&state.store, object) else { return };
                if offsets.single().is_none() || content.many || object == crate::object::OUTSIDE {
                    return;
                }
                let mut content = (*content).clone();
                content.store(offsets, access.part, value, true);
                self.touch(point, &state.store, object);
                state.store.set(object, Some(Arc::new(content)));
            }
            ExpressionKind::Convert(inner) if self.is_pointer(inner) && self.is_pointer(read) => {
                self.put(point, state, inner, value);
            }
            _ => {}
        }
    }

    fn is_pointer(&self, expression: &Expression) -> bool {
        matches!(self.program.types.shape_of(expression.ty), Shape::Pointer(_))
    }
}

fn join_options<T>(a: Option<T>, b: Option<T>, join: impl FnOnce(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.or(b),
    }
}

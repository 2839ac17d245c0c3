//! Expressions: when they are computed, and what they may point to.

use core_c::{BinaryOperator, Expression, ExpressionKind, Shape, TypeId, UnaryOperator};

use crate::cause::{CauseId, Reason};
use crate::fold;
use crate::lattice::{BindingTime, Content, Known, State, Targets, Value};
use crate::object::{ObjectId, ObjectName};

use super::{Engine, Point, number, outside};

impl Engine<'_> {
    pub(crate) fn evaluate(&mut self, point: Point, state: &State, expression: &Expression) -> Value {
        let value = self.compute(point, state, expression);
        if let Some(recording) = &mut self.recording {
            recording.note(expression, &value);
        }
        value
    }

    fn compute(&mut self, point: Point, state: &State, expression: &Expression) -> Value {
        let ty = expression.ty;
        match &expression.kind {
            ExpressionKind::Integer(number) => Value::exact(*number),
            ExpressionKind::Float(_) => Value::any(),
            ExpressionKind::Label(_) => Value::of(Known::NonZero),
            ExpressionKind::Function(function) => self.function_address(*function),
            ExpressionKind::Local(local) => state.registers.get(number(*local)).cloned().unwrap_or_else(Value::nothing),
            ExpressionKind::Load(place) => {
                let access = self.resolve(point, state, place);
                if let Some(recording) = &mut self.recording {
                    recording.read(expression, &Engine::reached(&access), access.part);
                }
                self.load(point, state, &access, ty)
            }
            ExpressionKind::Address(place) => self.resolve(point, state, place).address(),
            ExpressionKind::Unary(operator, operand) => {
                let value = self.evaluate(point, state, operand);
                self.unary(point, *operator, ty, &value)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (a, b) = (self.evaluate(point, state, left), self.evaluate(point, state, right));
                if operator.is_comparison() {
                    self.compare(point, *operator, left.ty, &a, &b)
                } else {
                    self.arithmetic(point, state, *operator, ty, &a, &b)
                }
            }
            ExpressionKind::Offset { pointer, count, negative } => {
                let (base, moved) = (self.evaluate(point, state, pointer), self.evaluate(point, state, count));
                self.offset(pointer.ty, count.ty, &base, &moved, *negative)
            }
            ExpressionKind::Distance(left, right) => {
                let (a, b) = (self.evaluate(point, state, left), self.evaluate(point, state, right));
                match within_one_object(&a, &b) {
                    true => Value::any(),
                    false => self.observed(point, &a, &b),
                }
            }
            ExpressionKind::Convert(operand) => {
                let value = self.evaluate(point, state, operand);
                self.convert(point, operand.ty, ty, &value)
            }
            ExpressionKind::Opaque { operands, .. } => {
                let mut targets = outside();
                for operand in operands {
                    targets = targets.join(&self.evaluate(point, state, operand).targets, false);
                }
                Value::dynamic(self.cause(point, Reason::Opaque, None), targets)
            }
        }
    }

    pub(crate) fn function_address(&mut self, function: core_c::FunctionId) -> Value {
        let object = self.object(ObjectName::Function(function));
        Value::address(object, crate::lattice::Offsets::at(0))
    }

    fn shape(&self, ty: TypeId) -> &Shape {
        self.program.types.shape_of(ty)
    }

    fn unary(&mut self, point: Point, operator: UnaryOperator, ty: TypeId, value: &Value) -> Value {
        if !value.is_static() || !value.targets.is_empty() {
            return self.observed(point, value, &Value::any());
        }
        let folded = value.number().and_then(|number| fold::unary(operator, self.shape(ty), number));
        folded.map_or_else(|| settled(value), Value::exact)
    }

    fn arithmetic(
        &mut self,
        point: Point,
        state: &State,
        operator: BinaryOperator,
        ty: TypeId,
        a: &Value,
        b: &Value,
    ) -> Value {
        if !a.is_dynamic() && !b.is_dynamic() && (!a.targets.is_empty() || !b.targets.is_empty()) {
            return match self.masked(point, state, operator, a, b) {
                Some(number) => Value::exact(number),
                None => self.address_arithmetic(point, operator, a, b),
            };
        }
        if !a.is_static() || !b.is_static() {
            return self.observed(point, a, b);
        }
        let numbers = a.number().zip(b.number());
        let folded = numbers.and_then(|(a, b)| fold::binary(operator, self.shape(ty), a, b));
        // What is multiplied by zero, or masked with it, is zero.
        let zero = matches!(operator, BinaryOperator::Multiply | BinaryOperator::And)
            && matches!(self.shape(ty), Shape::Integer { .. })
            && (a.number() == Some(0) || b.number() == Some(0));
        folded.or(zero.then_some(0)).map_or_else(|| settled(&a.join(b, false)), Value::exact)
    }

    /// The low bits of an address whose object's alignment is known.
    fn masked(&mut self, point: Point, state: &State, operator: BinaryOperator, a: &Value, b: &Value) -> Option<i128> {
        let (object, offset, mask) = mask_of(operator, a, b)?;
        self.touch(point, &state.store, object);
        let (known, bits) = self.low_bits(state, object)?;
        (mask & !known == 0).then(|| i128::from((bits + offset) & mask))
    }

    fn low_bits(&self, state: &State, object: ObjectId) -> Option<(i64, i64)> {
        let aligned = |alignment: u64| Some((i64::try_from(alignment).ok()? - 1, 0));
        match self.objects.name(object) {
            name @ (ObjectName::Local(..) | ObjectName::Global(_)) => {
                aligned(self.program.types.get(name.declared_type(self.program)?).alignment)
            }
            _ => self.content(&state.store, object)?.low_bits,
        }
    }

    /// Learns the low bits of an address from a test of them.
    pub(crate) fn learn_low_bits(
        &mut self,
        point: Point,
        state: &mut State,
        operator: BinaryOperator,
        operands: [&Value; 2],
        tested: i128,
    ) {
        let Some((object, offset, mask)) = mask_of(operator, operands[0], operands[1]) else { return };
        let Some(content) = self.content(&state.store, object) else { return };
        let Ok(tested) = i64::try_from(tested) else { return };
        self.touch(point, &state.store, object);
        let low_bits = Some((mask, (tested - offset) & mask));
        state.store.set(object, Some(std::sync::Arc::new(Content { low_bits, ..(*content).clone() })));
    }

    /// Arithmetic on the number of an address: moving it keeps the object, anything else looks at the number.
    fn address_arithmetic(&mut self, point: Point, operator: BinaryOperator, a: &Value, b: &Value) -> Value {
        let moved = match operator {
            BinaryOperator::Add if b.targets.is_empty() => Some((a, b, false)),
            BinaryOperator::Add if a.targets.is_empty() => Some((b, a, false)),
            BinaryOperator::Subtract if b.targets.is_empty() => Some((a, b, true)),
            BinaryOperator::Subtract if within_one_object(a, b) => return Value::any(),
            _ => None,
        };
        let Some((address, by, negative)) = moved else { return self.observed(point, a, b) };
        let targets = match by.number().and_then(|by| i64::try_from(by).ok()) {
            Some(by) => address.targets.map(|_, offsets| offsets.shifted(if negative { -by } else { by })),
            None => address.targets.anywhere(),
        };
        Value { targets, ..address.clone() }
    }

    fn compare(&mut self, point: Point, operator: BinaryOperator, ty: TypeId, a: &Value, b: &Value) -> Value {
        if a.is_dynamic() || b.is_dynamic() {
            return self.observed(point, a, b).without_targets();
        }
        let equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let (left, right) = (a.targets.is_empty(), b.targets.is_empty());
        if left && right && a.is_static() && b.is_static() {
            let numbers = a.number().zip(b.number());
            let folded = numbers.and_then(|(a, b)| fold::binary(operator, self.shape(ty), a, b));
            if let Some(number) = folded {
                return Value::exact(number);
            }
        }
        if within_one_object(a, b) {
            return Value::any();
        }
        if equality && (is_null(a) || is_null(b)) {
            let other = if is_null(a) { b } else { a };
            return match other.truth() {
                Some(truth) => Value::exact(i128::from(truth == (operator == BinaryOperator::NotEqual))),
                None if other.is_static() => Value::any(),
                None => self.observed(point, a, b).without_targets(),
            };
        }
        let comparable = if equality { left == right } else { left && right || share_an_object(a, b) };
        if a.is_static() && b.is_static() && comparable {
            return settled(&a.join(b, false)).without_targets();
        }
        self.observed(point, a, b).without_targets()
    }

    fn offset(&mut self, pointer: TypeId, count: TypeId, base: &Value, by: &Value, negative: bool) -> Value {
        let element = self.program.types.element(pointer);
        // GNU C moves pointers to void and to functions by bytes.
        let size = element.map_or(Some(1), |element| match self.shape(element) {
            Shape::Void | Shape::Function(_) => Some(1),
            _ => self.program.types.size_of(element),
        });
        let size = size.and_then(|size| i64::try_from(size).ok());
        let step = size.map(|size| if negative { -size } else { size });
        let exact = by.number().and_then(|number| i64::try_from(number).ok()).zip(step);
        let unsigned = matches!(self.shape(count), Shape::Integer { signed: false, .. });
        let targets = match (exact, size) {
            (Some((number, step)), _) => base.targets.map(|_, offsets| offsets.shifted(number.saturating_mul(step))),
            (None, Some(size)) if unsigned && !negative => {
                base.targets.map(|_, offsets| offsets.spread(size, Some(0), None))
            }
            (None, Some(size)) if unsigned => base.targets.map(|_, offsets| offsets.spread(size, None, Some(0))),
            (None, Some(size)) => base.targets.map(|_, offsets| offsets.spread(size, None, None)),
            (None, None) => base.targets.anywhere(),
        };
        let time = if by.is_static() { base.time } else { BindingTime::Dynamic };
        let cause = if base.time == time { base.cause } else { by.cause };
        let known = match (base.known, exact) {
            (Known::Exact(number), Some((by, step))) if base.targets.is_empty() => {
                Known::Exact(number + i128::from(by) * i128::from(step))
            }
            (Known::Nothing, _) => Known::Nothing,
            (known, Some((0, _))) => known,
            // C has no pointer arithmetic on null.
            _ if !base.targets.is_empty() => Known::NonZero,
            _ => Known::Any,
        };
        Value { time, known: if time.is_dynamic() { Known::Any } else { known }, targets, cause }
    }

    fn convert(&mut self, point: Point, from: TypeId, to: TypeId, value: &Value) -> Value {
        let (source, target) = (self.shape(from).clone(), self.shape(to).clone());
        match &target {
            Shape::Pointer(_) if value.is_dynamic() && value.targets.is_empty() => {
                Value { targets: outside(), ..value.clone() }
            }
            Shape::Integer { boolean: true, .. } => match value.truth() {
                Some(truth) => Value::exact(i128::from(truth)),
                None if value.is_static() => settled(value).without_targets(),
                None => self.observed(point, value, &Value::any()).without_targets(),
            },
            Shape::Pointer(_) | Shape::Integer { .. } if !matches!(source, Shape::Float { .. }) => {
                match value.known {
                    Known::Exact(number) if value.is_static() => {
                        let known = fold::convert(&target, number).map_or(Known::Any, Known::Exact);
                        Value { known, ..value.clone() }
                    }
                    // A part of an address may be zero.
                    Known::NonZero if self.width(to) < self.width(from) => Value { known: Known::Any, ..value.clone() },
                    _ => value.clone(),
                }
            }
            _ if value.targets.is_empty() && value.is_static() => settled(value),
            _ => self.observed(point, value, &Value::any()),
        }
    }

    /// The result of looking at numbers of which one at least is not known: it may still lead to the same objects.
    fn observed(&mut self, point: Point, a: &Value, b: &Value) -> Value {
        let targets = a.targets.anywhere().join(&b.targets.anywhere(), false);
        Value::dynamic(self.observed_cause(point, a, b), targets)
    }

    /// Why a result is dynamic that looks at the numbers of two values.
    pub(crate) fn observed_cause(&mut self, point: Point, a: &Value, b: &Value) -> CauseId {
        let mut known = [a, b].into_iter().filter(|value| !value.is_static()).map(|value| (value.time, value.cause));
        let first = known.next();
        let worst =
            known.next().map_or(first, |second| first.map(|first| if second.0 > first.0 { second } else { first }));
        match worst {
            Some((BindingTime::Dynamic, Some(cause))) => cause,
            Some((_, cause)) => self.cause(point, Reason::Address, cause),
            None => self.cause(point, Reason::Address, None),
        }
    }
}

impl Value {
    pub(crate) fn without_targets(self) -> Value {
        Value { targets: Targets::default(), ..self }
    }
}

/// The object and the offset whose address is masked, and the mask: `address & 3`, `address % 4`.
fn mask_of(operator: BinaryOperator, a: &Value, b: &Value) -> Option<(ObjectId, i64, i64)> {
    let (address, number) = if b.targets.is_empty() { (a, b.number()?) } else { (b, a.number()?) };
    let number = i64::try_from(number).ok()?;
    let mask = match operator {
        BinaryOperator::And => number,
        BinaryOperator::Remainder if b.targets.is_empty() && number > 0 && number & (number - 1) == 0 => number - 1,
        _ => return None,
    };
    let (object, offsets) = address.targets.single().filter(|_| !address.is_dynamic())?;
    Some((object, offsets.single()?, mask)).filter(|_| (0..1 << 12).contains(&mask))
}

fn is_null(value: &Value) -> bool {
    value.known == Known::Exact(0) && value.is_static()
}

/// A static result of which no number is known.
fn settled(value: &Value) -> Value {
    Value { known: if value.known == Known::Nothing { Known::Nothing } else { Known::Any }, ..value.clone() }
}

/// Both lead into the same single object, so their distance is known.
fn within_one_object(a: &Value, b: &Value) -> bool {
    let one = |value: &Value| -> Option<ObjectId> {
        (!value.is_dynamic()).then(|| value.targets.single()).flatten().map(|(object, _)| object)
    };
    one(a).is_some() && one(a) == one(b)
}

fn share_an_object(a: &Value, b: &Value) -> bool {
    a.targets.iter().any(|(object, _)| b.targets.holds(*object))
}

//! Expressions: computed where their operands are known, residual trees where not.

use core_c::{BinaryOperator, Expression, ExpressionKind, LocalId, Shape, TypeId, UnaryOperator};

use crate::engine::{Engine, Step};
use crate::memory::{Background, Origin};
use crate::report::trace::Source;
use crate::values::fold::{self, FloatResult};
use crate::values::value::{Pointer, Value};

impl Engine<'_> {
    pub(crate) fn evaluate(&mut self, expression: &Expression) -> Step<Value> {
        let value = match self.chosen_for(expression) {
            Some(chosen) => chosen,
            None => self.value_of(expression)?,
        };
        if !matches!(expression.kind, ExpressionKind::Integer(_) | ExpressionKind::Float(_)) {
            self.note(expression, &value);
        }
        Ok(value)
    }

    /// What became of an expression, and of which register or operation that comes.
    pub(crate) fn note(&mut self, expression: &Expression, value: &Value) {
        let source = match value {
            Value::Dynamic(register) => Some(Source::Register(*register)),
            Value::Tree(tree) => self.blames.source_of(tree).or_else(|| self.blame_of(tree).map(Source::Blame)),
            Value::Pointer(pointer) => match self.state.memory.get(pointer.object).map(|object| object.origin) {
                Some(Origin::Pointee(register)) => Some(Source::Register(register)),
                _ => None,
            },
            _ => None,
        };
        let is_left = matches!(value, Value::Dynamic(_) | Value::Tree(_));
        self.trace.expression(expression, is_left, source);
    }

    fn value_of(&mut self, expression: &Expression) -> Step<Value> {
        let ty = expression.ty;
        match &expression.kind {
            ExpressionKind::Integer(value) => Ok(Value::Integer(*value)),
            ExpressionKind::Float(text) => Ok(self.float_literal(text, expression)),
            ExpressionKind::Local(local) => {
                Ok(self.state.top().registers.get(local).cloned().unwrap_or(Value::Undefined))
            }
            ExpressionKind::Load(place) => self.load(place),
            ExpressionKind::Address(place) => self.address(place, ty),
            ExpressionKind::Function(function) => Ok(Value::Function(*function)),
            ExpressionKind::Label(block) => Ok(Value::Label(self.state.top().function, *block)),
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand, ty),
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right, ty),
            ExpressionKind::Offset { pointer, count, negative } => {
                let base = self.evaluate(pointer)?;
                let by = self.evaluate(count)?;
                self.moved((base, pointer.ty), (by, count.ty), *negative, ty)
            }
            ExpressionKind::Distance(left, right) => self.distance(left, right, ty),
            ExpressionKind::Convert(operand) => {
                let value = self.evaluate(operand)?;
                self.convert(value, operand.ty, ty)
            }
            ExpressionKind::Opaque { text, .. } => self.refuse(format!("`{text}` is not modelled")),
        }
    }

    fn float_literal(&self, text: &str, expression: &Expression) -> Value {
        let Shape::Float { bits } = *self.types.shape_of(expression.ty) else {
            return Value::Tree(Box::new(expression.clone()));
        };
        let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
        let value = match bits {
            // Rounded once, not twice.
            32 => digits.parse::<f32>().ok().map(f64::from),
            64 => digits.parse::<f64>().ok(),
            _ => None,
        };
        let is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
        match value.filter(|_| !is_hexadecimal).and_then(|value| fold::float_bits(bits, value)) {
            Some(raw) => Value::Float(raw),
            None => Value::Tree(Box::new(expression.clone())),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expression, ty: TypeId) -> Step<Value> {
        let value = self.evaluate(operand)?;
        let shape = self.types.shape_of(ty).clone();
        let known = match (&value, &shape, operator) {
            (Value::Integer(value), Shape::Integer { .. }, UnaryOperator::Negate) => {
                fold::integers(BinaryOperator::Subtract, &shape, 0, *value).map(Value::Integer)
            }
            (Value::Integer(value), Shape::Integer { bits, signed, .. }, UnaryOperator::Complement) if *bits < 128 => {
                Some(Value::Integer(fold::wrap(!value, *bits, *signed)))
            }
            (Value::Float(raw), Shape::Float { bits }, UnaryOperator::Negate) => {
                Some(Value::Float(raw ^ 1 << (bits - 1)))
            }
            _ => None,
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let operand = self.lift(value, ty)?;
        Ok(Value::tree(ExpressionKind::Unary(operator, Box::new(operand)), ty))
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Expression, right: &Expression, ty: TypeId) -> Step<Value> {
        if let Some(known) = self.low_bits_of_narrowed(operator, left, right)? {
            return Ok(known);
        }
        let a = self.evaluate(left)?;
        let b = self.evaluate(right)?;
        let shape = self.types.shape_of(left.ty).clone();
        if let Some(known) = self.known_binary(operator, &shape, &a, &b) {
            return Ok(known);
        }
        let is_seen = !operator.is_comparison();
        let (a, b) =
            (self.lift_operand(a.clone(), &b, left.ty, is_seen)?, self.lift_operand(b, &a, right.ty, is_seen)?);
        let tree = Expression { kind: ExpressionKind::Binary(operator, Box::new(a), Box::new(b)), ty, span: None };
        let known = self.by_fact(&tree).or_else(|| self.by_number(&tree));
        Ok(known.unwrap_or(Value::Tree(Box::new(tree))))
    }

    /// An operand beside another one; a pointer that is compared with null needs no conversion.
    fn lift_operand(&mut self, value: Value, other: &Value, ty: TypeId, is_seen: bool) -> Step<Expression> {
        if let (Value::Pointer(pointer @ Pointer { offset: 0, .. }), Value::Integer(0)) = (&value, other)
            && let Some(Origin::Pointee(register)) = self.state.memory.get(pointer.object).map(|object| object.origin)
        {
            return self.lift_unseen(Value::Dynamic(register), self.residual.locals[register].ty);
        }
        if is_seen { self.lift(value, ty) } else { self.lift_unseen(value, ty) }
    }

    fn known_binary(&mut self, operator: BinaryOperator, shape: &Shape, a: &Value, b: &Value) -> Option<Value> {
        use BinaryOperator as B;
        match (a, b) {
            (Value::Integer(a), Value::Integer(b)) => fold::integers(operator, shape, *a, *b).map(Value::Integer),
            (Value::Float(a), Value::Float(b)) => {
                let Shape::Float { bits } = shape else { return None };
                fold::floats(operator, *bits, *a, *b).map(|result| match result {
                    FloatResult::Truth(truth) => Value::Integer(truth.into()),
                    FloatResult::Float(raw) => Value::Float(raw),
                })
            }
            (Value::Pointer(a), Value::Pointer(b)) if a.object == b.object => {
                between_offsets(operator, a.offset, b.offset)
            }
            // One of them was not moved yet.
            (Value::Pointer(a), Value::Dynamic(b)) if self.is_at(*a, *b) => between_offsets(operator, a.offset, 0),
            (Value::Dynamic(a), Value::Pointer(b)) if self.is_at(*b, *a) => between_offsets(operator, 0, b.offset),
            (Value::Pointer(a), Value::Pointer(b)) => self.distinct(operator, *a, *b),
            (Value::Function(a), Value::Function(b)) => equality(operator, a == b),
            (Value::Function(_), Value::Integer(0)) | (Value::Integer(0), Value::Function(_)) => {
                equality(operator, false)
            }
            (Value::Pointer(pointer), Value::Integer(0)) | (Value::Integer(0), Value::Pointer(pointer))
                if self.is_never_null(*pointer, shape) =>
            {
                equality(operator, false)
            }
            // Whole numbers move an address that was made a number.
            (Value::Pointer(pointer), Value::Integer(by)) if matches!(operator, B::Add | B::Subtract) => {
                let by = i64::try_from(fold::wrap(*by, 64, true)).ok()?;
                let by = if operator == B::Add { Some(by) } else { by.checked_neg() };
                by.and_then(|by| pointer.moved(by)).map(Value::Pointer)
            }
            (Value::Pointer(pointer), Value::Integer(mask)) if operator == B::And => self.low_bits(*pointer, *mask),
            (Value::Pointer(pointer), Value::Integer(by)) if operator == B::Remainder => {
                Self::mask_of_remainder(operator, shape, *by).and_then(|mask| self.low_bits(*pointer, mask))
            }
            // A number compared with itself; floats may be NaN.
            (Value::Dynamic(a), Value::Dynamic(b)) if a == b && !matches!(shape, Shape::Float { .. }) => {
                let holds = matches!(operator, B::Equal | B::LessEqual | B::GreaterEqual);
                operator.is_comparison().then(|| Value::Integer(holds.into()))
            }
            (Value::Dynamic(_) | Value::Tree(_), Value::Integer(_))
            | (Value::Integer(_), Value::Dynamic(_) | Value::Tree(_)) => {
                absorbing(operator, a, b).or_else(|| never_negative(operator, shape, a, b))
            }
            (Value::Dynamic(_) | Value::Tree(_), Value::Float(_))
            | (Value::Float(_), Value::Dynamic(_) | Value::Tree(_)) => {
                let Shape::Float { bits } = shape else { return None };
                neutral(operator, *bits, a, b)
            }
            _ => None,
        }
    }

    /// True for an address that is a register's, or was moved from there.
    fn is_at(&self, pointer: Pointer, register: LocalId) -> bool {
        let object = self.state.memory.get(pointer.object);
        object.is_some_and(|object| object.origin == Origin::Pointee(register))
    }

    /// Two addresses in different objects: unequal where both objects are the program's own and both point inside.
    fn distinct(&self, operator: BinaryOperator, a: Pointer, b: Pointer) -> Option<Value> {
        let inside = |pointer: Pointer| {
            let object = self.state.memory.get(pointer.object)?;
            let named = !matches!(object.origin, Origin::Pointee(_));
            let offset = u64::try_from(pointer.offset).ok()?;
            object.size.map(|size| named && offset < size)
        };
        (inside(a)? && inside(b)?).then(|| equality(operator, false))?
    }

    fn is_named(&self, pointer: Pointer) -> bool {
        self.state.memory.get(pointer.object).is_some_and(|object| !matches!(object.origin, Origin::Pointee(_)))
    }

    /// Objects have addresses, and a pointer that was moved was not null (C11 section 6.5.6).
    fn is_never_null(&self, pointer: Pointer, shape: &Shape) -> bool {
        self.is_named(pointer) || matches!(shape, Shape::Pointer(_)) && pointer.offset != 0
    }

    /// A pointer of one type, so many elements on or back.
    pub(crate) fn moved(
        &mut self,
        (base, from): (Value, TypeId),
        (by, count): (Value, TypeId),
        negative: bool,
        ty: TypeId,
    ) -> Step<Value> {
        let element = self.types.element(from).and_then(|element| self.types.size_of(element)).unwrap_or(1);
        self.moved_from = None;
        let Value::Integer(by) = by else {
            self.moved_from = base.pointer().and_then(|base| Some((base.object, base.array?.from)));
            let to = self.types.element(ty).unwrap_or(ty);
            let inside = self.as_pointer(&base).and_then(|pointer| Some((pointer, self.inside(pointer, to)?)));
            if let Some((pointer, within)) = inside {
                let moved_from = self.moved_from;
                let address = self.name_address(pointer, from)?;
                let pointer = self.whole_address(address, Some(pointer)).into();
                let count = self.lift(by, count)?.into();
                let kind = ExpressionKind::Offset { pointer, count, negative };
                let address = self.derive(Expression { kind, ty, span: None }, within);
                self.moved_from = moved_from;
                return Ok(address);
            }
            let known = base.pointer();
            let pointer = self.lift(base, from)?;
            let pointer = self.whole_address(pointer, known).into();
            let count = self.lift(by, count)?.into();
            return Ok(Value::tree(ExpressionKind::Offset { pointer, count, negative }, ty));
        };
        if let Value::Integer(address) = base {
            let address = address + by * i128::from(element) * if negative { -1 } else { 1 };
            return Ok(Value::Integer(fold::wrap(address, 64, false)));
        }
        let base = self.bind(base, "");
        if let Some(pointer) = self.as_pointer(&base) {
            let distance = by.checked_mul(element.into()).and_then(|distance| i64::try_from(distance).ok());
            let distance = distance.map(|distance| if negative { -distance } else { distance });
            if let Some(moved) = distance.and_then(|distance| pointer.moved(distance)) {
                return Ok(self.leaves_array(moved, element, ty)?.unwrap_or(Value::Pointer(moved)));
            }
        }
        let pointer = self.lift(base, from)?.into();
        let count = self.lift(Value::Integer(by), count)?.into();
        Ok(Value::tree(ExpressionKind::Offset { pointer, count, negative }, ty))
    }

    fn distance(&mut self, left: &Expression, right: &Expression, ty: TypeId) -> Step<Value> {
        let a = self.evaluate(left)?;
        let b = self.evaluate(right)?;
        let element = self.types.element(left.ty).and_then(|element| self.types.size_of(element)).unwrap_or(1);
        let (a, b) = (self.bind(a, ""), self.bind(b, ""));
        if let (Some(a), Some(b)) = (self.as_pointer(&a), self.as_pointer(&b))
            && a.object == b.object
            && let Ok(element) = i64::try_from(element)
            && element > 0
            && (a.offset - b.offset) % element == 0
        {
            return Ok(Value::Integer(((a.offset - b.offset) / element).into()));
        }
        let (a, b) = (self.lift_unseen(a, left.ty)?, self.lift_unseen(b, right.ty)?);
        let tree = Expression { kind: ExpressionKind::Distance(a.into(), b.into()), ty, span: None };
        Ok(self.by_number(&tree).unwrap_or(Value::Tree(Box::new(tree))))
    }

    /// The address that a value is, as an object and a displacement; a residual pointer gets an object of its own.
    pub(crate) fn as_pointer(&mut self, value: &Value) -> Option<Pointer> {
        match value {
            Value::Pointer(pointer) => Some(*pointer),
            Value::Dynamic(local) => {
                let ty = self.residual.locals[*local].ty;
                let Shape::Pointer(to) = *self.types.shape_of(ty) else { return None };
                if let Shape::Function(_) = self.types.shape_of(to) {
                    return None;
                }
                let origin = Origin::Pointee(*local);
                if let Some(object) = self.state.memory.find(origin) {
                    return Some(Pointer::to(object));
                }
                let mut object = self.fresh(origin, to, Background::Unknown);
                (object.size, object.residual, object.escaped) = (None, true, true);
                let id = self.next_object();
                self.state.memory.insert(id, object);
                Some(Pointer::to(id))
            }
            _ => None,
        }
    }

    /// True where a pointer that is converted still counts the elements of its array, or cannot be moved at all. The array that
    /// it counts may be a larger one where it leads to a structure, whose first member the array may be (C11 section 6.7.2.1).
    pub(crate) fn moves_alike(&self, source: &Shape, target: &Shape) -> bool {
        let (Shape::Pointer(from), Shape::Pointer(to)) = (source, target) else { return false };
        let is_scalar = self.types.is_scalar(*from) && self.types.is_scalar(*to);
        matches!(self.types.shape_of(*to), Shape::Void)
            || self.types.get(*from).c == self.types.get(*to).c
            || is_scalar && self.types.size_of(*from) == self.types.size_of(*to)
    }

    /// A value brought from one type to another (C11 section 6.3).
    pub(crate) fn convert(&mut self, value: Value, from: TypeId, to: TypeId) -> Step<Value> {
        let (source, target) = (self.types.shape_of(from).clone(), self.types.shape_of(to).clone());
        match (&value, &target) {
            (_, Shape::Void) => return Ok(value),
            (Value::Integer(number), Shape::Integer { boolean: true, .. }) => {
                return Ok(Value::Integer(i128::from(*number != 0)));
            }
            (Value::Integer(number), Shape::Integer { bits, signed, .. }) if *bits < 128 => {
                return Ok(Value::Integer(fold::wrap(*number, *bits, *signed)));
            }
            (Value::Integer(number), Shape::Pointer(_)) => return Ok(Value::Integer(fold::wrap(*number, 64, false))),
            (Value::Integer(number), Shape::Float { bits }) => {
                if let Some(raw) = exact_float(*number).and_then(|value| fold::float_bits(*bits, value)) {
                    return Ok(Value::Float(raw));
                }
            }
            (Value::Float(raw), _) => {
                if let Some(converted) = convert_float(*raw, &source, &target) {
                    return Ok(converted);
                }
            }
            (Value::Function(_), Shape::Integer { boolean: true, .. }) => return Ok(Value::Integer(1)),
            (Value::Function(_) | Value::Label(..), Shape::Pointer(_)) => return Ok(value),
            (Value::Pointer(pointer), Shape::Integer { boolean: true, .. })
                if self.is_never_null(*pointer, &source) =>
            {
                return Ok(Value::Integer(1));
            }
            (Value::Pointer(pointer), Shape::Pointer(_) | Shape::Integer { bits: 64, boolean: false, .. }) => {
                if let Some(whole) = self.converted_within(*pointer, from, to)? {
                    return Ok(whole);
                }
                let array = pointer.array.filter(|_| self.moves_alike(&source, &target));
                return Ok(Value::Pointer(Pointer { array, ..*pointer }));
            }
            (Value::Undefined, _) => return Ok(value),
            (Value::Dynamic(_) | Value::Tree(_), Shape::Pointer(_)) if matches!(source, Shape::Pointer(_)) => {
                // The object behind the pointer stays the same one.
                let bound = self.bind(value, "");
                if let Some(pointer) = self.as_pointer(&bound) {
                    let whole = self.converted_within(pointer, from, to)?;
                    return Ok(whole.unwrap_or(Value::Pointer(pointer)));
                }
                let inner = self.lift(bound, from)?;
                return Ok(Value::tree(ExpressionKind::Convert(inner.into()), to));
            }
            // Two names of one type.
            (_, Shape::Integer { .. } | Shape::Float { .. }) if source == target => return Ok(value),
            _ => {}
        }
        let inner = self.lift(value, from)?;
        if self.types.get(from).c == self.types.get(to).c {
            return Ok(Value::Tree(inner.into()));
        }
        Ok(Value::tree(ExpressionKind::Convert(inner.into()), to))
    }
}

/// The distance between two addresses in one object, or how they compare.
fn between_offsets(operator: BinaryOperator, a: i64, b: i64) -> Option<Value> {
    let shape = Shape::Integer { bits: 64, signed: true, boolean: false };
    let is_defined = operator == BinaryOperator::Subtract || operator.is_comparison();
    is_defined.then(|| fold::integers(operator, &shape, a.into(), b.into()))?.map(Value::Integer)
}

fn equality(operator: BinaryOperator, equal: bool) -> Option<Value> {
    match operator {
        BinaryOperator::Equal => Some(Value::Integer(equal.into())),
        BinaryOperator::NotEqual => Some(Value::Integer((!equal).into())),
        _ => None,
    }
}

/// Operations whose result one known operand decides, or that leave the other operand as it is.
fn absorbing(operator: BinaryOperator, a: &Value, b: &Value) -> Option<Value> {
    use BinaryOperator as B;
    match (operator, a, b) {
        (B::Multiply | B::And, _, Value::Integer(0)) | (B::Multiply | B::And, Value::Integer(0), _) => {
            Some(Value::Integer(0))
        }
        (B::Add | B::Subtract | B::Or | B::Xor | B::ShiftLeft | B::ShiftRight, other, Value::Integer(0))
        | (B::Add | B::Or | B::Xor, Value::Integer(0), other)
        | (B::Multiply | B::Divide, other, Value::Integer(1))
        | (B::Multiply, Value::Integer(1), other) => Some(other.clone()),
        _ => None,
    }
}

/// Comparisons of unsigned numbers with zero.
fn never_negative(operator: BinaryOperator, shape: &Shape, a: &Value, b: &Value) -> Option<Value> {
    use BinaryOperator as B;
    let Shape::Integer { signed: false, .. } = shape else { return None };
    match (operator, a, b) {
        (B::Less, _, Value::Integer(0)) | (B::Greater, Value::Integer(0), _) => Some(Value::Integer(0)),
        (B::GreaterEqual, _, Value::Integer(0)) | (B::LessEqual, Value::Integer(0), _) => Some(Value::Integer(1)),
        _ => None,
    }
}

/// Operations on floats that leave the other operand as it is, whatever it is.
fn neutral(operator: BinaryOperator, bits: u32, a: &Value, b: &Value) -> Option<Value> {
    use BinaryOperator as B;
    if bits > 64 {
        return None;
    }
    let is = |raw: u64, number: f64| fold::float(bits, raw).to_bits() == number.to_bits();
    match (operator, a, b) {
        (B::Multiply | B::Divide, other, Value::Float(one)) | (B::Multiply, Value::Float(one), other)
            if is(*one, 1.0) =>
        {
            Some(other.clone())
        }
        // Not so the other zeros: -0.0 + 0.0 is 0.0.
        (B::Add, other, Value::Float(zero)) | (B::Add, Value::Float(zero), other) if is(*zero, -0.0) => {
            Some(other.clone())
        }
        (B::Subtract, other, Value::Float(zero)) if is(*zero, 0.0) => Some(other.clone()),
        _ => None,
    }
}

/// A float with exactly the value of an integer; others depend on the rounding mode.
fn exact_float(number: i128) -> Option<f64> {
    let magnitude = number.unsigned_abs();
    (magnitude <= 1 << 53).then_some(number as f64)
}

fn convert_float(raw: u64, source: &Shape, target: &Shape) -> Option<Value> {
    let Shape::Float { bits: from } = source else { return None };
    if *from > 64 {
        return None;
    }
    let value = fold::float(*from, raw);
    match target {
        Shape::Float { bits } => fold::float_bits(*bits, value).map(Value::Float),
        Shape::Integer { boolean: true, .. } => Some(Value::Integer(i128::from(value != 0.0))),
        Shape::Integer { bits, signed, .. } if value.abs() < 9e18 => {
            let whole = value.trunc() as i128;
            (fold::wrap(whole, *bits, *signed) == whole).then_some(Value::Integer(whole))
        }
        _ => None,
    }
}

//! Bit-fields (C11 section 6.7.2.1): each byte that they share is a cell of its own, known or in a register.
//!
//! In: a bit-field's place at a known address, and the value that goes there. Out: the value, where the bytes are known; bits of registers,
//! where the object is virtual and some of them are of run time; else a load or store of the residual program's memory. Fields beside the one
//! that is stored stay as well known as they were: what is known of single bits of a register decides them.

use core_c::{
    BinaryOperator, Expression, ExpressionKind, LocalId, Place, PlaceBase, Shape, StatementKind, StepKind, TypeId,
};

use crate::engine::{Engine, Step};
use crate::memory::{Cell, Found, Object};
use crate::values::fold;
use crate::values::value::{Pointer, Value};

/// Where a bit-field's bits lie: from the lowest bit of the first byte on.
#[derive(Clone, Copy, Debug)]
struct Bits {
    first: u32,
    width: u32,
    bytes: u64,
}

impl Bits {
    fn of(place: &Place) -> Option<Bits> {
        let bits = place.bits()?;
        Some(Bits { first: bits.first, width: bits.width, bytes: u64::from((bits.first + bits.width).div_ceil(8)) })
    }

    /// The bits of one byte: the lowest and one behind the highest, counted from the first byte's lowest.
    fn inside(self, byte: u32) -> (u32, u32) {
        (self.first.max(byte * 8), (self.first + self.width).min(byte * 8 + 8))
    }
}

/// A byte that bit-fields share.
#[derive(Clone, Copy, Debug)]
enum SharedByte {
    Known(i128),
    Register(LocalId),
}

impl Engine<'_> {
    pub(crate) fn load_bits(&mut self, place: &Place, pointer: Pointer) -> Step<Value> {
        let Some(bits) = Bits::of(place) else { return self.refuse("a bit-field without bits") };
        let offset = u64::try_from(pointer.offset).ok();
        let object = self.state.memory.get(pointer.object);
        let known = object.zip(offset).and_then(|(object, offset)| match object.read(offset, bits.bytes) {
            Found::Bytes(bytes) => Some(bytes),
            Found::Cell(Cell { value: Value::Integer(value), .. }) => Some(value),
            _ => None,
        });
        if let Some(value) = known.and_then(|bytes| self.value_of_bits(bytes >> bits.first, bits.width, place.ty)) {
            return Ok(value);
        }
        if let Some(bytes) = object.zip(offset).and_then(|(object, offset)| self.shared_bytes(object, offset, bits)) {
            return Ok(self.gathered(bits, &bytes, place.ty));
        }
        let place = self.residual_bits(place, pointer)?;
        Ok(self.residual_load(place, Some(pointer.object), offset.map(|offset| (offset, bits.bytes))))
    }

    pub(crate) fn store_bits(&mut self, place: &Place, pointer: Pointer, value: Value) -> Step<()> {
        let Some(bits) = Bits::of(place) else { return Ok(()) };
        let offset = u64::try_from(pointer.offset).ok();
        let object = self.state.memory.get(pointer.object);
        let bytes = object.zip(offset).and_then(|(object, offset)| self.shared_bytes(object, offset, bits));
        let is_residual = object.is_none_or(|object| object.residual);
        let is_known = bytes.as_ref().is_some_and(|bytes| match (&value, is_residual) {
            (Value::Integer(_), true) => bytes.iter().all(|byte| matches!(byte, SharedByte::Known(_))),
            (Value::Integer(_) | Value::Dynamic(_), false) => true,
            _ => false,
        });
        if is_residual || !is_known {
            let at = self.residual_bits(place, pointer)?;
            let lifted = self.lift(value.clone(), place.ty)?;
            self.emit(StatementKind::Store { place: at, value: lifted });
            self.written(Some(pointer.object), offset.map(|offset| (offset, bits.bytes)));
        }
        let (Some(bytes), Some(offset), true) = (bytes, offset, is_known) else { return Ok(()) };
        let character = self.types.scalar(cast::Scalar::UnsignedChar);
        for (at, byte) in (0..).zip(bytes) {
            let value = self.scattered(bits, at, byte, (&value, place.ty))?;
            if let Some(object) = self.state.memory.get_mut(pointer.object) {
                object.write(offset + u64::from(at), Cell { size: 1, ty: character, value });
            }
        }
        Ok(())
    }

    /// The bytes of an object that a bit-field lies in, where each is known or in a register.
    fn shared_bytes(&self, object: &Object, offset: u64, bits: Bits) -> Option<Vec<SharedByte>> {
        let byte = |at| match object.read(at, 1) {
            Found::Bytes(byte) => Some(SharedByte::Known(byte)),
            Found::Cell(Cell { value: Value::Integer(byte), .. }) => Some(SharedByte::Known(byte & 0xff)),
            Found::Cell(Cell { value: Value::Dynamic(register), .. }) => Some(SharedByte::Register(register)),
            // What the other bits hold is indeterminate, and stays so in effect.
            Found::Undefined => Some(SharedByte::Known(0)),
            _ => None,
        };
        (offset..offset + bits.bytes).map(byte).collect()
    }

    /// What a byte holds after a field has been stored.
    fn scattered(&mut self, bits: Bits, at: u32, byte: SharedByte, (value, ty): (&Value, TypeId)) -> Step<Value> {
        let (low, high) = bits.inside(at);
        let mask = ((1i128 << (high - low)) - 1) << (low - at * 8);
        let word = self.word_of(bits);
        let part = match value {
            Value::Integer(value) => Self::constant((value >> (low - bits.first)) << (low - at * 8) & mask, word),
            value => {
                let value = self.lift(value.clone(), ty)?;
                let value = Self::converted_to(value, word);
                let value = Self::operation(BinaryOperator::ShiftRight, value, (low - bits.first).into());
                let value = Self::operation(BinaryOperator::And, value, mask >> (low - at * 8));
                Self::operation(BinaryOperator::ShiftLeft, value, (low - at * 8).into())
            }
        };
        let rest = match byte {
            SharedByte::Known(old) => Self::constant(old & !mask, word),
            SharedByte::Register(register) => {
                Self::operation(BinaryOperator::And, self.byte_register(register, word), 0xff & !mask)
            }
        };
        let whole = match (&rest.kind, &part.kind) {
            (ExpressionKind::Integer(rest), ExpressionKind::Integer(part)) => return Ok(Value::Integer(rest | part)),
            (ExpressionKind::Integer(0), _) => part,
            (_, ExpressionKind::Integer(0)) => rest,
            _ => Self::binary_of(BinaryOperator::Or, rest, part),
        };
        let character = self.types.scalar(cast::Scalar::UnsignedChar);
        let whole = Self::converted_to(whole, character);
        Ok(self.by_number(&whole).unwrap_or_else(|| self.bind(Value::Tree(Box::new(whole)), "")))
    }

    /// A field's value, of bytes some of which are in registers.
    fn gathered(&mut self, bits: Bits, bytes: &[SharedByte], ty: TypeId) -> Value {
        let word = self.word_of(bits);
        let mut all: Option<Expression> = None;
        for (at, byte) in (0..).zip(bytes) {
            let (low, high) = bits.inside(at);
            let mask = (1i128 << (high - low)) - 1;
            let part = match byte {
                SharedByte::Known(byte) => Self::constant((byte >> (low - at * 8) & mask) << (low - bits.first), word),
                SharedByte::Register(register) => {
                    let part = self.byte_register(*register, word);
                    let part = Self::operation(BinaryOperator::ShiftRight, part, (low - at * 8).into());
                    let part = Self::operation(BinaryOperator::And, part, mask);
                    Self::operation(BinaryOperator::ShiftLeft, part, (low - bits.first).into())
                }
            };
            all = Some(match all {
                Some(all) => Self::binary_of(BinaryOperator::Or, all, part),
                None => part,
            });
        }
        let value = all.unwrap_or_else(|| Self::constant(0, word));
        let value = match *self.types.shape_of(ty) {
            Shape::Integer { signed: true, boolean: false, bits: type_bits } => {
                // The field's highest bit is its sign.
                let signed = self.types.scalar(if type_bits > 32 { cast::Scalar::Long } else { cast::Scalar::Int });
                let by = i128::from(if bits.width > 32 || type_bits > 32 { 64 } else { 32 } - bits.width);
                let word = self.types.scalar(if type_bits > 32 {
                    cast::Scalar::UnsignedLong
                } else {
                    cast::Scalar::UnsignedInt
                });
                let high = Self::operation(BinaryOperator::ShiftLeft, Self::converted_to(value, word), by);
                Self::operation(BinaryOperator::ShiftRight, Self::converted_to(high, signed), by)
            }
            _ => value,
        };
        let value = Self::converted_to(value, ty);
        self.by_number(&value).unwrap_or(Value::Tree(Box::new(value)))
    }

    /// An unsigned type that has room for a field and the bits before it in its first byte.
    fn word_of(&mut self, bits: Bits) -> TypeId {
        self.types.scalar(if bits.width > 32 { cast::Scalar::UnsignedLong } else { cast::Scalar::UnsignedInt })
    }

    fn byte_register(&self, register: LocalId, word: TypeId) -> Expression {
        let ty = self.residual.locals[register].ty;
        Self::converted_to(Expression { kind: ExpressionKind::Local(register), ty, span: None }, word)
    }

    fn constant(value: i128, ty: TypeId) -> Expression {
        Expression { kind: ExpressionKind::Integer(value), ty, span: None }
    }

    fn converted_to(value: Expression, ty: TypeId) -> Expression {
        if value.ty == ty {
            return value;
        }
        Expression { kind: ExpressionKind::Convert(Box::new(value)), ty, span: None }
    }

    fn binary_of(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
        let ty = left.ty;
        Expression { kind: ExpressionKind::Binary(operator, left.into(), right.into()), ty, span: None }
    }

    /// The same by a constant; shifts by nothing are left out.
    fn operation(operator: BinaryOperator, left: Expression, by: i128) -> Expression {
        let is_shift = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
        if is_shift && by == 0 {
            return left;
        }
        let right = Self::constant(by, left.ty);
        Self::binary_of(operator, left, right)
    }

    fn value_of_bits(&self, bits: i128, width: u32, ty: TypeId) -> Option<Value> {
        let Shape::Integer { signed, boolean, .. } = *self.types.shape_of(ty) else { return None };
        Some(Value::Integer(fold::wrap(bits, width, signed && !boolean)))
    }

    /// A bit-field's place in the residual program: it can only be named through its structure.
    pub(crate) fn residual_bits(&mut self, place: &Place, pointer: Pointer) -> Step<Place> {
        let Some(core_c::Step { kind: StepKind::Field { offset, .. }, .. }) = place.steps.last() else {
            return self.refuse("a bit-field outside a structure");
        };
        let owner = match place.steps.len() {
            1 => match &place.base {
                PlaceBase::Local(local) => self.input.functions[self.state.top().function].locals[*local].ty,
                PlaceBase::Global(global) => self.input.globals[*global].ty,
                PlaceBase::Pointee(address) => self.types.element(address.ty).unwrap_or(address.ty),
            },
            count => place.steps[count - 2].ty,
        };
        self.materialize(pointer.object)?;
        let start = pointer.offset - i64::try_from(*offset).unwrap_or(0);
        let mut whole = self.object_place(Pointer { offset: start, ..pointer }, owner)?;
        whole.steps.extend(place.steps.last().cloned());
        (whole.ty, whole.volatile) = (place.ty, place.volatile);
        Ok(whole)
    }
}

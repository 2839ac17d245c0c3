//! Where the bytes of a value come from, where it is one load moved about.

use std::collections::BTreeMap;

use core_c::{BinaryOperator, Expression, ExpressionKind, LocalId, Place, Shape, TypeId, Types};

/// One byte of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Byte {
    Zero,
    /// That byte of what was loaded, the least significant one first.
    Loaded(usize),
    Unknown,
}

/// A value's bytes, the least significant one first.
type Bytes = Vec<Byte>;

/// Follows the bytes through one iteration.
#[derive(Debug, Default)]
pub(super) struct Tracer<'a> {
    /// What was loaded, once and from here.
    pub(super) from: Option<&'a Place>,
    registers: BTreeMap<LocalId, Bytes>,
}

/// What a value is to what was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Same,
    Reversed,
}

impl<'a> Tracer<'a> {
    pub(super) fn set(&mut self, types: &Types, register: LocalId, value: &'a Expression) -> Option<()> {
        let bytes = self.bytes(types, value)?;
        self.registers.insert(register, bytes);
        Some(())
    }

    /// A register gets a value with its bytes the other way round.
    pub(super) fn set_reversed(
        &mut self,
        types: &Types,
        register: LocalId,
        ty: TypeId,
        value: &'a Expression,
    ) -> Option<()> {
        let mut bytes = self.bytes(types, value)?;
        if types.size_of(ty) != u64::try_from(bytes.len()).ok() {
            return None;
        }
        bytes.reverse();
        self.registers.insert(register, bytes);
        Some(())
    }

    /// The order of a value's bytes, if all that was loaded and nothing else is in it.
    pub(super) fn order(&mut self, types: &Types, value: &'a Expression) -> Option<Order> {
        let bytes = self.bytes(types, value)?;
        if types.size_of(self.from?.ty) != u64::try_from(bytes.len()).ok() {
            return None;
        }
        let last = bytes.len() - 1;
        let is = |place: &dyn Fn(usize) -> usize| {
            bytes.iter().enumerate().all(|(at, byte)| *byte == Byte::Loaded(place(at)))
        };
        if is(&|at| at) { Some(Order::Same) } else { is(&|at| last - at).then_some(Order::Reversed) }
    }

    fn bytes(&mut self, types: &Types, value: &'a Expression) -> Option<Bytes> {
        let size = usize::try_from(types.size_of(value.ty)?).ok()?;
        match &value.kind {
            ExpressionKind::Local(register) => self.registers.get(register).cloned(),
            ExpressionKind::Load(place) => {
                if self.from.is_some() || place.bits().is_some() || place.volatile {
                    return None;
                }
                self.from = Some(place);
                Some((0..size).map(Byte::Loaded).collect())
            }
            ExpressionKind::Convert(inner) => {
                if !is_whole(types, value.ty) || !is_whole(types, inner.ty) {
                    return None;
                }
                let mut bytes = self.bytes(types, inner)?;
                bytes.resize(size, filling(types, inner.ty));
                Some(bytes)
            }
            ExpressionKind::Binary(operator, left, right) if is_whole(types, value.ty) => {
                self.combined(types, *operator, left, right)
            }
            _ => None,
        }
    }

    fn combined(
        &mut self,
        types: &Types,
        operator: BinaryOperator,
        left: &'a Expression,
        right: &'a Expression,
    ) -> Option<Bytes> {
        let mut bytes = self.bytes(types, left)?;
        let size = bytes.len();
        match (operator, &right.kind) {
            (BinaryOperator::And, ExpressionKind::Integer(mask)) => {
                for (at, byte) in bytes.iter_mut().enumerate() {
                    match (mask >> (8 * at)) & 0xff {
                        0 => *byte = Byte::Zero,
                        0xff => {}
                        _ => *byte = Byte::Unknown,
                    }
                }
            }
            (BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, ExpressionKind::Integer(by)) => {
                let by = usize::try_from(*by).ok().filter(|by| by % 8 == 0 && *by < 8 * size)? / 8;
                if operator == BinaryOperator::ShiftLeft {
                    bytes.splice(0..0, std::iter::repeat_n(Byte::Zero, by));
                    bytes.truncate(size);
                } else {
                    bytes.drain(..by);
                    bytes.resize(size, filling(types, left.ty));
                }
            }
            (BinaryOperator::Or, _) => {
                for (byte, other) in bytes.iter_mut().zip(self.bytes(types, right)?) {
                    *byte = match (*byte, other) {
                        (Byte::Zero, one) | (one, Byte::Zero) => one,
                        _ => Byte::Unknown,
                    };
                }
            }
            _ => return None,
        }
        Some(bytes)
    }
}

/// What a longer type has above the bytes of a shorter one.
fn filling(types: &Types, ty: TypeId) -> Byte {
    match types.shape_of(ty) {
        Shape::Integer { signed: false, .. } | Shape::Pointer(_) => Byte::Zero,
        _ => Byte::Unknown,
    }
}

/// True for types whose conversions keep bytes as they are.
fn is_whole(types: &Types, ty: TypeId) -> bool {
    matches!(types.shape_of(ty), Shape::Integer { boolean: false, .. } | Shape::Pointer(_))
}

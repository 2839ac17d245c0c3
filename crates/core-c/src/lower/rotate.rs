//! Rotations, which clang has builtins for and gcc has not: the shifts that both compilers know as rotations.

use cast::Expression as Source;

use super::body::Body;
use super::order::effects_of;
use super::{Lowered, refuse};
use crate::{BinaryOperator, Expression, ExpressionKind, Receiver, UnaryOperator};

/// Whether a builtin rotates to the left, and numbers of which width.
pub(super) fn rotation(name: &str) -> Option<(bool, u32)> {
    let name = name.strip_prefix("__builtin_rotate")?;
    let (is_left, width) = match name.strip_prefix("left") {
        Some(width) => (true, width),
        None => (false, name.strip_prefix("right")?),
    };
    matches!(width, "8" | "16" | "32" | "64").then_some((is_left, width.parse().ok()?))
}

impl Body<'_, '_> {
    /// `x << n | x >> -n`, both counts modulo the width.
    pub(super) fn rotate(
        &mut self,
        (is_left, width): (bool, u32),
        arguments: &[Source],
        receiver: Option<Receiver>,
    ) -> Lowered<()> {
        let [number, count] = arguments else { return refuse("a rotation of other than two numbers") };
        let later = effects_of([count]);
        let unsigned = match width {
            64 if self.types().table.target.long == 8 => cast::Scalar::UnsignedLong,
            64 => cast::Scalar::UnsignedLongLong,
            _ => cast::Scalar::UnsignedInt,
        };
        let unsigned = self.types_mut().scalar(unsigned);
        let narrow = match width {
            8 => self.types_mut().scalar(cast::Scalar::UnsignedChar),
            16 => self.types_mut().scalar(cast::Scalar::UnsignedShort),
            _ => unsigned,
        };
        let number = self.value(number)?;
        let number = self.convert(number, narrow)?;
        let number = self.convert(number, unsigned)?;
        let number = self.protect(number, &later)?;
        let count = self.value(count)?;
        let count = self.convert(count, unsigned)?;
        let number = self.hold(number)?;
        let is_number = matches!(count.kind, ExpressionKind::Integer(_));
        let count = if is_number { count } else { self.hold(count)? };
        let Some(Receiver::Register(register)) = receiver else { return Ok(()) };
        let back = match count.kind {
            ExpressionKind::Integer(known) => self.number(-known, unsigned)?,
            _ => self.expression(ExpressionKind::Unary(UnaryOperator::Negate, count.clone().into()), unsigned),
        };
        let (left, right) = if is_left { (count, back) } else { (back, count) };
        let left = self.shifted(BinaryOperator::ShiftLeft, &number, left, width)?;
        let right = self.shifted(BinaryOperator::ShiftRight, &number, right, width)?;
        let both = self.expression(ExpressionKind::Binary(BinaryOperator::Or, left.into(), right.into()), unsigned);
        let both = self.convert(both, narrow)?;
        let ty = self.locals[register].ty;
        let both = self.convert(both, ty)?;
        self.set(register, both)
    }

    /// A number shifted by a count modulo the width.
    fn shifted(
        &mut self,
        operator: BinaryOperator,
        number: &Expression,
        count: Expression,
        width: u32,
    ) -> Lowered<Expression> {
        let ty = number.ty;
        let mask = self.number(i128::from(width) - 1, ty)?;
        let count = match count.kind {
            ExpressionKind::Integer(count) => self.number(count & (i128::from(width) - 1), ty)?,
            _ => self.expression(ExpressionKind::Binary(BinaryOperator::And, count.into(), mask.into()), ty),
        };
        Ok(self.expression(ExpressionKind::Binary(operator, number.clone().into(), count.into()), ty))
    }
}

#[cfg(test)]
mod tests {
    use super::rotation;

    #[test]
    fn rotations_are_known_by_their_names() {
        let names = ["__builtin_rotateleft8", "__builtin_rotateright64", "__builtin_rotateleft24", "__builtin_rotate"];
        assert_eq!(names.map(rotation), [Some((true, 8)), Some((false, 64)), None, None]);
    }
}

//! Computes what is known of integers: constants that C requires, and conditions that are always or never true.

use crate::{BinaryOperator, Expression, ExpressionKind, Shape, TypeId, Types, UnaryOperator};

/// The value in the range of an integer or pointer type; none for other types.
pub(super) fn wrap(types: &Types, value: i128, ty: TypeId) -> Option<i128> {
    match types.shape_of(ty) {
        Shape::Integer { boolean: true, .. } => Some(i128::from(value != 0)),
        Shape::Integer { bits, signed, .. } => Some(wrapped(value, *bits, *signed)),
        Shape::Pointer(_) => Some(wrapped(value, u32::from(types.table.target.pointer) * 8, false)),
        _ => None,
    }
}

/// The low bits of a value, read as a number. An unsigned number of 128 bits that has its highest bit set cannot be
/// distinguished from a negative one here; it stays as its bits are.
pub(super) fn wrapped(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let unused = 128 - bits;
    if signed { value << unused >> unused } else { ((value as u128) << unused >> unused) as i128 }
}

/// The expression with all computed that can be: integers whose operations are defined.
pub(crate) fn fold(types: &Types, expression: Expression) -> Expression {
    let Expression { kind, ty, span } = expression;
    let kind = match kind {
        ExpressionKind::Unary(operator, operand) => {
            let operand = fold(types, *operand);
            match (integer(&operand).and_then(|value| unary(types, operator, value, ty)), operand) {
                (Some(value), _) => ExpressionKind::Integer(value),
                (None, operand) => ExpressionKind::Unary(operator, Box::new(operand)),
            }
        }
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (fold(types, *left), fold(types, *right));
            let known = integer(&left).zip(integer(&right));
            match known.and_then(|(a, b)| binary(types, operator, (a, left.ty), b, ty)) {
                Some(value) => ExpressionKind::Integer(value),
                None => ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
            }
        }
        ExpressionKind::Convert(operand) => {
            let operand = fold(types, *operand);
            match integer(&operand).and_then(|value| wrap(types, value, ty)) {
                Some(value) => ExpressionKind::Integer(value),
                None => ExpressionKind::Convert(Box::new(operand)),
            }
        }
        ExpressionKind::Offset { pointer, count, negative } => {
            let (pointer, count) = (Box::new(fold(types, *pointer)), Box::new(fold(types, *count)));
            ExpressionKind::Offset { pointer, count, negative }
        }
        other => other,
    };
    Expression { kind, ty, span }
}

/// The constant that an expression is.
pub(super) fn integer(expression: &Expression) -> Option<i128> {
    match expression.kind {
        ExpressionKind::Integer(value) => Some(value),
        _ => None,
    }
}

fn unary(types: &Types, operator: UnaryOperator, value: i128, ty: TypeId) -> Option<i128> {
    let exact = match operator {
        UnaryOperator::Negate => value.checked_neg()?,
        UnaryOperator::Complement => !value,
    };
    in_range(types, exact, ty)
}

fn binary(types: &Types, operator: BinaryOperator, (a, operands): (i128, TypeId), b: i128, ty: TypeId) -> Option<i128> {
    use BinaryOperator as Op;
    let (bits, signed) = match types.shape_of(operands) {
        Shape::Integer { bits, signed, .. } => (*bits, *signed),
        Shape::Pointer(_) => (64, false),
        _ => return None,
    };
    // Unsigned numbers of 128 bits are held as signed ones: what depends on the sign is left alone.
    let in_order = bits < 128 || signed;
    let shift = || u32::try_from(b).ok().filter(|by| *by < bits);
    let exact = match operator {
        Op::Add => a.checked_add(b)?,
        Op::Subtract => a.checked_sub(b)?,
        Op::Multiply => a.checked_mul(b)?,
        Op::Divide if in_order => a.checked_div(b)?,
        Op::Remainder if in_order => a.checked_rem(b)?,
        // Into and past the sign bit, too, as gcc and clang have it.
        Op::ShiftLeft => return wrap(types, a << shift()?, ty),
        Op::ShiftRight if in_order => a >> shift()?,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Equal => i128::from(a == b),
        Op::NotEqual => i128::from(a != b),
        Op::Less if in_order => i128::from(a < b),
        Op::LessEqual if in_order => i128::from(a <= b),
        Op::Greater if in_order => i128::from(a > b),
        Op::GreaterEqual if in_order => i128::from(a >= b),
        _ => return None,
    };
    in_range(types, exact, ty)
}

/// The result of an operation: unsigned numbers wrap, signed ones that do not fit are not defined.
fn in_range(types: &Types, exact: i128, ty: TypeId) -> Option<i128> {
    let value = wrap(types, exact, ty)?;
    let signed = matches!(types.shape_of(ty), Shape::Integer { signed: true, .. });
    (!signed || value == exact).then_some(value)
}

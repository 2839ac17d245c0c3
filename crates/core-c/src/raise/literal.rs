//! Constants as C writes them, in their type.

use cast::{BinaryOperator, Expression, ExpressionKind, Scalar, Type, TypeTable, build};

use super::types;

/// An integer of an arithmetic type; narrow ones are `int` to C.
pub(super) fn integer(table: &TypeTable, value: i128, scalar: Scalar) -> Expression {
    let scalar = types::promoted(table, scalar);
    let (bits, signed) = types::integer(table, scalar).unwrap_or((32, true));
    let ty = Type::Scalar(scalar);
    if bits > 64 && (value < i128::from(i64::MIN) || value > i128::from(i64::MAX)) {
        return wide(value, ty);
    }
    let suffix = match scalar {
        Scalar::UnsignedInt => "u",
        Scalar::Long => "L",
        Scalar::UnsignedLong => "ul",
        Scalar::LongLong => "LL",
        Scalar::UnsignedLongLong => "ull",
        _ => "",
    };
    if bits > 64 {
        return build::cast(ty, build::spelled(format!("{value}LL"), Type::Scalar(Scalar::LongLong)));
    }
    // The least value has no literal: its magnitude is not in the type (C11 section 6.4.4.1).
    if signed && value == -(1 << (bits - 1)) {
        let next = build::spelled(format!("{}{suffix}", value + 1), ty);
        return build::subtract(next, build::integer(1));
    }
    // Unsigned numbers beyond what people read are masks, addresses, magic numbers.
    match scalar {
        Scalar::UnsignedInt | Scalar::UnsignedLong | Scalar::UnsignedLongLong if value >= 1 << 24 => {
            build::spelled(format!("{value:#x}{suffix}"), ty)
        }
        _ => build::spelled(format!("{value}{suffix}"), ty),
    }
}

/// The number of a `case`, which C converts to the type of what is switched on.
pub(super) fn case(value: i128) -> Expression {
    if value == i128::from(i64::MIN) {
        return build::subtract(build::spelled(format!("{}L", value + 1), Type::LONG), build::integer(1));
    }
    let suffix = match value {
        _ if i32::try_from(value).is_ok() => "",
        _ if i64::try_from(value).is_ok() => "L",
        _ => "ul",
    };
    build::spelled(format!("{value}{suffix}"), Type::INT)
}

/// A number of more than 64 bits, from its halves.
fn wide(value: i128, ty: Type) -> Expression {
    let half = Type::Scalar(Scalar::UnsignedLongLong);
    let [high, low] = [value >> 64, value & i128::from(u64::MAX)]
        .map(|part| build::spelled(format!("{}ull", part & i128::from(u64::MAX)), half.clone()));
    let unsigned = Type::Scalar(Scalar::UnsignedInt128);
    let high = build::binary(build::cast(unsigned, high), BinaryOperator::ShiftLeft, build::integer(64));
    build::cast(ty, build::binary(high, BinaryOperator::BitOr, low))
}

/// A floating constant as spelled, with the type that its suffix gives it.
pub(super) fn float(text: &str) -> Expression {
    let scalar = match text.bytes().last() {
        _ if text.starts_with("0x") && !text.contains(['p', 'P']) => Scalar::Double,
        Some(b'f' | b'F') => Scalar::Float,
        Some(b'l' | b'L') => Scalar::LongDouble,
        Some(b'q' | b'Q') => Scalar::Float128,
        _ => Scalar::Double,
    };
    Expression { kind: ExpressionKind::Float(text.to_string()), ty: Type::Scalar(scalar), span: None }
}

/// An address that is known as a number.
pub(super) fn address(value: i128, ty: &Type) -> Expression {
    if value == 0 {
        return build::null();
    }
    let signed = if value > i128::from(i64::MAX) { value - (1 << 64) } else { value };
    build::cast(ty.clone(), build::spelled(signed.to_string(), Type::LONG))
}

/// True for `NULL`, which is a pointer of any type.
pub(super) fn is_null(value: &Expression) -> bool {
    matches!(&value.kind, ExpressionKind::Name(name) if name == "NULL")
}

/// The number that a literal without a name or cast stands for.
pub(super) fn value_of(literal: &Expression) -> Option<i128> {
    match &literal.kind {
        ExpressionKind::Integer(text) => {
            let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
            match digits.strip_prefix("0x") {
                Some(digits) => i128::from_str_radix(digits, 16).ok(),
                None => digits.parse().ok(),
            }
        }
        _ => None,
    }
}

//! Arithmetic as the target does it (C11 section 6.5). What C leaves undefined has no result here: the operation is
//! left in the residual program.

use core_c::{BinaryOperator, Shape};

/// A value brought into the range of an integer type of `bits` bits.
pub(crate) fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let mask = (1i128 << bits) - 1;
    let low = value & mask;
    if signed && low >> (bits - 1) & 1 == 1 { low - mask - 1 } else { low }
}

/// The value in an integer's type, or nothing where a signed result does not fit.
fn fit(value: i128, bits: u32, signed: bool) -> Option<i128> {
    let wrapped = wrap(value, bits, signed);
    (!signed || wrapped == value).then_some(wrapped)
}

/// An operation on two integers whose left operand has the given shape.
pub(crate) fn integers(operator: BinaryOperator, shape: &Shape, left: i128, right: i128) -> Option<i128> {
    use BinaryOperator as B;
    let (bits, signed) = match shape {
        Shape::Integer { bits, signed, .. } => (*bits, *signed),
        Shape::Pointer(_) => (64, false),
        _ => return None,
    };
    if bits >= 128 {
        return None;
    }
    let truth = |holds: bool| Some(i128::from(holds));
    let shift = u32::try_from(right).ok().filter(|count| *count < bits);
    match operator {
        B::Add => fit(left + right, bits, signed),
        B::Subtract => fit(left - right, bits, signed),
        B::Multiply => fit(left.checked_mul(right)?, bits, signed),
        B::Divide if right != 0 => fit(left / right, bits, signed),
        B::Remainder if right != 0 => {
            fit(left / right, bits, signed)?;
            Some(left % right)
        }
        B::Divide | B::Remainder => None,
        // Bits shifted out of a signed number: undefined in C11, but every compiler gives the bits.
        B::ShiftLeft if left >= 0 => Some(wrap(left.checked_shl(shift?)?, bits, signed)),
        B::ShiftLeft => None,
        B::ShiftRight => Some(left >> shift?),
        B::And => Some(wrap(left & right, bits, signed)),
        B::Or => Some(wrap(left | right, bits, signed)),
        B::Xor => Some(wrap(left ^ right, bits, signed)),
        B::Equal => truth(left == right),
        B::NotEqual => truth(left != right),
        B::Less => truth(left < right),
        B::LessEqual => truth(left <= right),
        B::Greater => truth(left > right),
        B::GreaterEqual => truth(left >= right),
    }
}

/// A binary64 from its bits, or a binary32 widened.
pub(crate) fn float(bits: u32, raw: u64) -> f64 {
    if bits == 32 { f64::from(f32::from_bits((raw & 0xffff_ffff) as u32)) } else { f64::from_bits(raw) }
}

/// The bits of a value in a float type; nothing for a NaN, whose bits C does not fix.
pub(crate) fn float_bits(bits: u32, value: f64) -> Option<u64> {
    match bits {
        _ if value.is_nan() => None,
        32 => Some(u64::from((value as f32).to_bits())),
        64 => Some(value.to_bits()),
        _ => None,
    }
}

/// What an operation on floats gives: a truth value or a float of the same width.
pub(crate) enum FloatResult {
    Truth(bool),
    Float(u64),
}

/// An operation on two floats of `bits` bits, rounded to nearest as by default (C11 annex F).
pub(crate) fn floats(operator: BinaryOperator, bits: u32, left: u64, right: u64) -> Option<FloatResult> {
    use BinaryOperator as B;
    if bits > 64 {
        return None;
    }
    let (a, b) = (float(bits, left), float(bits, right));
    if a.is_nan() || b.is_nan() {
        return None;
    }
    // Binary64 has more than twice the precision of binary32: rounding twice gives the same.
    let value = match operator {
        B::Add => a + b,
        B::Subtract => a - b,
        B::Multiply => a * b,
        B::Divide if b != 0.0 => a / b,
        B::Equal => return Some(FloatResult::Truth(a == b)),
        B::NotEqual => return Some(FloatResult::Truth(a != b)),
        B::Less => return Some(FloatResult::Truth(a < b)),
        B::LessEqual => return Some(FloatResult::Truth(a <= b)),
        B::Greater => return Some(FloatResult::Truth(a > b)),
        B::GreaterEqual => return Some(FloatResult::Truth(a >= b)),
        _ => return None,
    };
    float_bits(bits, value).map(FloatResult::Float)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Shape = Shape::Integer { bits: 32, signed: true, boolean: false };
    const UNSIGNED: Shape = Shape::Integer { bits: 32, signed: false, boolean: false };

    #[test]
    fn signed_overflow_has_no_result() {
        assert_eq!(integers(BinaryOperator::Add, &INT, i128::from(i32::MAX), 1), None);
        assert_eq!(integers(BinaryOperator::Divide, &INT, i128::from(i32::MIN), -1), None);
        assert_eq!(integers(BinaryOperator::Add, &UNSIGNED, i128::from(u32::MAX), 1), Some(0));
    }

    #[test]
    fn shifts_beyond_the_width_have_no_result() {
        assert_eq!(integers(BinaryOperator::ShiftLeft, &UNSIGNED, 1, 32), None);
        assert_eq!(integers(BinaryOperator::ShiftRight, &INT, -8, 1), Some(-4));
    }

    #[test]
    fn a_nan_is_left_to_the_machine() {
        let infinity = f64::INFINITY.to_bits();
        assert!(floats(BinaryOperator::Subtract, 64, infinity, infinity).is_none());
    }
}

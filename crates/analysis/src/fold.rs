//! Arithmetic on numbers that the program's text gives (C11 section 6.5). What C leaves undefined has no result.

use core_c::{BinaryOperator, Shape, UnaryOperator};

/// A number brought into the range of an integer or pointer type.
pub(crate) fn convert(shape: &Shape, number: i128) -> Option<i128> {
    let (bits, signed) = match shape {
        Shape::Integer { boolean: true, .. } => return Some(i128::from(number != 0)),
        Shape::Integer { bits, signed, .. } => (*bits, *signed),
        Shape::Pointer(_) => (64, false),
        _ => return None,
    };
    if bits >= 128 {
        return Some(number);
    }
    let low = number & ((1 << bits) - 1);
    Some(if signed && low >> (bits - 1) & 1 == 1 { low - (1 << bits) } else { low })
}

/// Where the type is signed, a result out of its range is undefined.
fn fit(shape: &Shape, number: Option<i128>) -> Option<i128> {
    let number = number?;
    let converted = convert(shape, number)?;
    let wraps = !matches!(shape, Shape::Integer { signed: true, .. });
    (wraps || converted == number).then_some(converted)
}

pub(crate) fn unary(operator: UnaryOperator, shape: &Shape, operand: i128) -> Option<i128> {
    match operator {
        UnaryOperator::Negate => fit(shape, operand.checked_neg()),
        UnaryOperator::Complement => convert(shape, !operand),
    }
}

/// `shape` is the left operand's.
pub(crate) fn binary(operator: BinaryOperator, shape: &Shape, left: i128, right: i128) -> Option<i128> {
    use BinaryOperator as B;
    let Shape::Integer { bits, .. } = shape else {
        return operator.is_comparison().then(|| compare(operator, left, right));
    };
    let count = u32::try_from(right).ok().filter(|count| count < bits);
    match operator {
        B::Add => fit(shape, left.checked_add(right)),
        B::Subtract => fit(shape, left.checked_sub(right)),
        B::Multiply => fit(shape, left.checked_mul(right)),
        B::Divide => fit(shape, left.checked_div(right)),
        B::Remainder => fit(shape, left.checked_rem(right)),
        B::ShiftLeft if left >= 0 => convert(shape, left.checked_shl(count?)?),
        B::ShiftLeft => None,
        B::ShiftRight => Some(left >> count?),
        B::And => Some(left & right),
        B::Or => Some(left | right),
        B::Xor => convert(shape, left ^ right),
        _ => Some(compare(operator, left, right)),
    }
}

fn compare(operator: BinaryOperator, left: i128, right: i128) -> i128 {
    use BinaryOperator as B;
    i128::from(match operator {
        B::Equal => left == right,
        B::NotEqual => left != right,
        B::Less => left < right,
        B::LessEqual => left <= right,
        B::Greater => left > right,
        _ => left >= right,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Shape = Shape::Integer { bits: 32, signed: true, boolean: false };
    const UNSIGNED: Shape = Shape::Integer { bits: 32, signed: false, boolean: false };

    #[test]
    fn what_is_undefined_has_no_result() {
        assert_eq!(binary(BinaryOperator::Add, &INT, i128::from(i32::MAX), 1), None);
        assert_eq!(binary(BinaryOperator::Divide, &INT, 1, 0), None);
        assert_eq!(binary(BinaryOperator::ShiftLeft, &INT, 1, 32), None);
    }

    #[test]
    fn unsigned_numbers_wrap() {
        assert_eq!(binary(BinaryOperator::Subtract, &UNSIGNED, 0, 1), Some(i128::from(u32::MAX)));
        assert_eq!(unary(UnaryOperator::Complement, &UNSIGNED, 0), Some(i128::from(u32::MAX)));
        assert_eq!(convert(&Shape::Integer { bits: 8, signed: false, boolean: true }, 256), Some(1));
    }
}

//! The value of a number.

/// The value of an integer literal as C spells it (`10`, `017`, `0x1F`, with a sign or not); `None` where it is none
/// or does not fit.
pub fn integer_value(spelling: &str) -> Option<i128> {
    let (negative, digits) = match spelling.strip_prefix('-') {
        Some(digits) => (true, digits.trim_start()),
        None => (false, spelling),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) if hexadecimal.starts_with('+') => None,
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }?;
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::integer_value;

    #[test]
    fn every_radix_is_read() {
        assert_eq!(integer_value("10"), Some(10));
        assert_eq!(integer_value("-017"), Some(-15));
        assert_eq!(integer_value("0X1f"), Some(31));
        assert_eq!(integer_value("0"), Some(0));
        assert_eq!(integer_value("18446744073709551615"), Some(u64::MAX.into()));
    }

    #[test]
    fn what_is_no_number_has_no_value() {
        for spelling in ["", "-", "08", "0x", "0x+1", "12ab", "--1", "+1", "1.5"] {
            assert_eq!(integer_value(spelling), None, "{spelling}");
        }
        assert_eq!(integer_value(&"9".repeat(50)), None);
    }
}

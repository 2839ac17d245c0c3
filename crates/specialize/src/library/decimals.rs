//! Real numbers that texts spell (C11 section 7.22.1.3): `strtod`, `strtof` and `atof`. Only decimal ones: hexadecimal numbers, infinities and
//! NaNs are left to the residual program, and so is what sets `errno`, and all of it where the program chooses a locale.

use core_c::TypeId;

use crate::engine::{Engine, Step};
use crate::values::fold;
use crate::values::value::{Pointer, Value};

impl Engine<'_> {
    /// What such a function gives for a known text, and where the number ends.
    pub(crate) fn known_decimal(&mut self, name: &str, values: &[(Value, TypeId)]) -> Step<Option<Value>> {
        let bits = if name == "strtof" { 32 } else { 64 };
        let (text, rest) = match values {
            [(Value::Pointer(text), _)] if name == "atof" => (*text, None),
            [(Value::Pointer(text), _), (rest, ty)] if name != "atof" => (*text, Some((rest.clone(), *ty))),
            _ => return Ok(None),
        };
        if self.letters.chooses_a_locale {
            return Ok(None);
        }
        let Some((raw, length)) = self.known_text(text).and_then(|text| read(&text, bits)) else { return Ok(None) };
        match rest {
            None | Some((Value::Integer(0), _)) => {}
            Some((Value::Pointer(place), ty)) => {
                let Some(ty) = self.types.element(ty) else { return Ok(None) };
                let end = Pointer { offset: text.offset + length as i64, ..text };
                self.store_at(place, ty, Value::Pointer(end))?;
            }
            Some(_) => return Ok(None),
        }
        Ok(Some(Value::Float(raw)))
    }
}

/// The number that a text begins with, as bits, and the bytes up to its end.
fn read(text: &[u8], bits: u32) -> Option<(u64, usize)> {
    let letter = |at: usize| text.get(at).copied().unwrap_or(0);
    let digits = |at: usize| text[at.min(text.len())..].iter().take_while(|letter| letter.is_ascii_digit()).count();
    let is_sign = |at: usize| matches!(letter(at), b'-' | b'+');
    let first = text.iter().take_while(|letter| matches!(letter, b' ' | b'\t'..=b'\r')).count();
    let mut at = first + usize::from(is_sign(first));
    if letter(at) == b'0' && letter(at + 1) | 32 == b'x' {
        return None;
    }
    let whole = digits(at);
    at += whole;
    if letter(at) == b'.' {
        let fraction = digits(at + 1);
        if whole + fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    let mantissa = at;
    if letter(at) | 32 == b'e' {
        let sign = usize::from(is_sign(at + 1));
        let exponent = digits(at + 1 + sign);
        at += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    let number = std::str::from_utf8(&text[first..at]).ok()?;
    let value = match bits {
        // Rounded once, not twice.
        32 => f64::from(number.parse::<f32>().ok()?),
        _ => number.parse::<f64>().ok()?,
    };
    let is_zero = !text[first..mantissa].iter().any(|letter| matches!(letter, b'1'..=b'9'));
    let least = if bits == 32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    // Out of range, `errno` is set; numbers without all their bits may set it.
    let fits = value.is_finite() && (is_zero || value.abs() >= least);
    fits.then(|| fold::float_bits(bits, value)).flatten().map(|raw| (raw, at))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn decimals_are_read_as_the_library_reads_them() {
        let value = |text: &str| read(text.as_bytes(), 64).map(|(raw, length)| (f64::from_bits(raw), length));
        for (text, expected) in [
            ("12.5e1xyz", Some((125.0, 6))),
            ("  -3.25;", Some((-3.25, 7))),
            ("+.5", Some((0.5, 3))),
            ("5.", Some((5.0, 2))),
            ("1e", Some((1.0, 1))),
            ("1e+", Some((1.0, 1))),
            ("1E-2-", Some((0.01, 4))),
            ("0", Some((0.0, 1))),
            (".", None),
            ("", None),
            ("-", None),
            ("e5", None),
            ("0x10", None),
            ("inf", None),
            ("nan", None),
            ("1e999", None),
            ("1e-320", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }
}

//! Numbers that texts spell (C11 section 7.22.1): `atoi`, `strtol` and their like. What sets `errno` is left to the residual program.

use core_c::TypeId;

use crate::engine::{Engine, Step};
use crate::values::fold;
use crate::values::value::{Pointer, Value};

impl Engine<'_> {
    /// What such a function gives for a known text; `strtol` and its like also say where the number ends.
    pub(crate) fn known_numeral(&mut self, name: &str, values: &[(Value, TypeId)]) -> Step<Option<Value>> {
        let long = u32::from(self.types.table.target.long) * 8;
        let (text, rest, base, bits, signed) = match (name, values) {
            ("atoi", [(Value::Pointer(text), _)]) => (*text, None, 10, 32, true),
            ("atol", [(Value::Pointer(text), _)]) => (*text, None, 10, long, true),
            ("atoll", [(Value::Pointer(text), _)]) => (*text, None, 10, 64, true),
            (_, [(Value::Pointer(text), _), (rest, ty), (Value::Integer(base @ (0 | 2..=36)), _)]) => {
                let (bits, signed) = match name {
                    "strtol" => (long, true),
                    "strtoul" => (long, false),
                    "strtoll" => (64, true),
                    "strtoull" => (64, false),
                    _ => return Ok(None),
                };
                (*text, Some((rest.clone(), *ty)), *base as u32, bits, signed)
            }
            _ => return Ok(None),
        };
        let Some(numeral) = self.known_text(text).and_then(|text| Numeral::read(&text, base)) else { return Ok(None) };
        let Some(value) = numeral.value(bits, signed) else { return Ok(None) };
        match rest {
            None | Some((Value::Integer(0), _)) => {}
            // Libraries may set `errno` where no number is.
            Some(_) if numeral.length == 0 => return Ok(None),
            Some((Value::Pointer(place), ty)) => {
                let Some(ty) = self.types.element(ty) else { return Ok(None) };
                let end = Pointer { offset: text.offset + numeral.length as i64, ..text };
                self.store_at(place, ty, Value::Pointer(end))?;
            }
            Some(_) => return Ok(None),
        }
        Ok(Some(Value::Integer(value)))
    }
}

struct Numeral {
    is_negative: bool,
    magnitude: u128,
    /// Bytes up to its end; none where there is no number.
    length: usize,
}

impl Numeral {
    /// What a text begins with; nothing where a locale decides or the number is too large for all types.
    fn read(text: &[u8], base: u32) -> Option<Numeral> {
        let blanks = text.iter().take_while(|letter| matches!(letter, b' ' | b'\t'..=b'\r')).count();
        let mut at = blanks;
        let letter = |at: usize| text.get(at).copied().unwrap_or(0);
        if !letter(at).is_ascii() {
            return None;
        }
        let is_negative = letter(at) == b'-';
        at += usize::from(matches!(letter(at), b'-' | b'+'));
        let is_hexadecimal =
            letter(at) == b'0' && letter(at + 1) | 32 == b'x' && char::from(letter(at + 2)).is_ascii_hexdigit();
        // The newest C knows binary numbers, too.
        if letter(at) == b'0' && letter(at + 1) | 32 == b'b' && matches!(base, 0 | 2) {
            return None;
        }
        let base = match base {
            0 | 16 if is_hexadecimal => 16,
            0 if letter(at) == b'0' => 8,
            0 => 10,
            base => base,
        };
        at += if base == 16 && is_hexadecimal { 2 } else { 0 };
        let (first, mut magnitude) = (at, 0u128);
        while let Some(digit) = char::from(letter(at)).to_digit(base) {
            magnitude = magnitude.checked_mul(base.into())?.checked_add(digit.into())?;
            at += 1;
        }
        let length = if at == first { 0 } else { at };
        Some(Numeral { is_negative, magnitude, length })
    }

    fn value(&self, bits: u32, signed: bool) -> Option<i128> {
        let magnitude = i128::try_from(self.magnitude).ok()?;
        let value = if self.is_negative { -magnitude } else { magnitude };
        let wrapped = fold::wrap(value, bits, signed);
        // The negative of an unsigned number wraps.
        let fits = if signed { wrapped == value } else { fold::wrap(magnitude, bits, false) == magnitude };
        fits.then_some(wrapped)
    }
}

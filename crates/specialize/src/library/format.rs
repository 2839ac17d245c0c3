//! Texts that a known format makes of known numbers and texts (C11 section 7.21.6.1): integers, letters, texts and `%%`. What a locale
//! changes, floats, `%p` and `%n` are left to the residual program.

use core_c::TypeId;

use crate::engine::{Engine, Step};
use crate::values::fold;
use crate::values::value::{Pointer, Value};

/// Longer texts are not made here.
const MOST: usize = 1 << 12;

/// So many bytes are written one by one.
const FEW: usize = 64;

/// One conversion, from `%` to its letter.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    other: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// Bits of the argument.
    bits: u32,
    letter: u8,
}

impl Engine<'_> {
    /// `sprintf` and `snprintf`; nothing is written where something is not known.
    pub(crate) fn known_print(&mut self, name: &str, values: &[(Value, TypeId)]) -> Step<Option<Value>> {
        let (to, room, format, rest) = match (name, values) {
            ("sprintf", [(Value::Pointer(to), _), (Value::Pointer(format), _), rest @ ..]) => {
                (Some(*to), MOST + 1, *format, rest)
            }
            ("snprintf", [(to, _), (Value::Integer(room), _), (Value::Pointer(format), _), rest @ ..]) => {
                let to = if let Value::Pointer(to) = to { Some(*to) } else { None };
                // Of more room than an `int` can count POSIX wants an error.
                let Some(room) = i32::try_from(*room).ok().and_then(|room| usize::try_from(room).ok()) else {
                    return Ok(None);
                };
                (to, room, *format, rest)
            }
            _ => return Ok(None),
        };
        if to.is_none() && room > 0 {
            return Ok(None);
        }
        let Some(mut text) = self.formatted(format, rest) else { return Ok(None) };
        let length = text.len();
        text.truncate(room.saturating_sub(1));
        text.push(0);
        if let Some(to) = to.filter(|_| room > 0) {
            if !self.may_write(to, text.len()) {
                return Ok(None);
            }
            self.write_text(to, &text)?;
        }
        Ok(Some(Value::Integer(length as i128)))
    }

    /// Whether bytes are better written one by one than by a call: in residual memory, where they are few.
    pub(crate) fn may_write(&self, to: Pointer, size: usize) -> bool {
        size <= FEW || self.state.memory.get(to.object).is_some_and(|object| !object.residual)
    }

    /// Bytes in a row, from an address on.
    pub(crate) fn write_text(&mut self, to: Pointer, text: &[u8]) -> Step<()> {
        let byte = self.types.scalar(cast::Scalar::UnsignedChar);
        for (at, letter) in text.iter().enumerate() {
            let to = Pointer { offset: to.offset + at as i64, ..to };
            self.store_at(to, byte, Value::Integer((*letter).into()))?;
        }
        Ok(())
    }

    fn formatted(&self, format: Pointer, values: &[(Value, TypeId)]) -> Option<Vec<u8>> {
        let format = self.known_text(format)?;
        let (mut values, mut text, mut at) = (values.iter().map(|(value, _)| value), Vec::new(), 0);
        while let Some(letter) = format.get(at) {
            at += 1;
            if *letter != b'%' {
                text.push(*letter);
                continue;
            }
            let long = u32::from(self.types.table.target.long) * 8;
            let (conversion, end) = Conversion::read(&format, at, long, &mut || integer(values.next()))?;
            at = end;
            let body = match conversion.letter {
                b'%' => vec![b'%'],
                b'c' => vec![integer(values.next())? as u8],
                b's' => {
                    let Some(Value::Pointer(part)) = values.next() else { return None };
                    let mut part = self.known_text(*part)?;
                    part.truncate(conversion.precision.unwrap_or(usize::MAX));
                    part
                }
                _ => conversion.number(integer(values.next())?)?,
            };
            text.extend(conversion.padded(body));
            if text.len() > MOST {
                return None;
            }
        }
        Some(text)
    }
}

fn integer(value: Option<&Value>) -> Option<i128> {
    if let Some(Value::Integer(value)) = value { Some(*value) } else { None }
}

impl Conversion {
    /// What stands behind a `%`, and where it ends; nothing where it is not one of those that are done here.
    fn read(
        format: &[u8],
        mut at: usize,
        long: u32,
        argument: &mut dyn FnMut() -> Option<i128>,
    ) -> Option<(Conversion, usize)> {
        let mut read = Conversion { bits: 32, ..Conversion::default() };
        loop {
            match format.get(at)? {
                b'-' => read.left = true,
                b'+' => read.plus = true,
                b' ' => read.space = true,
                b'#' => read.other = true,
                b'0' => read.zeros = true,
                _ => break,
            }
            at += 1;
        }
        let width = number(format, &mut at, argument)?.unwrap_or(0);
        read.left |= width < 0;
        read.width = usize::try_from(width.unsigned_abs()).ok().filter(|width| *width <= MOST)?;
        if format.get(at) == Some(&b'.') {
            at += 1;
            // A negative one counts as none.
            let precision = number(format, &mut at, argument)?.unwrap_or(0);
            read.precision = usize::try_from(precision).ok();
            if precision > MOST as i128 {
                return None;
            }
        }
        let size = format[at..].iter().take_while(|letter| b"hlzjt".contains(letter)).count();
        read.bits = match &format[at..at + size] {
            b"" => 32,
            b"hh" => 8,
            b"h" => 16,
            b"l" | b"z" | b"t" => long,
            b"ll" | b"j" => 64,
            _ => return None,
        };
        read.letter = *format.get(at + size)?;
        let is_plain = match read.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => !(read.other && b"diu".contains(&read.letter)),
            b'c' => size == 0 && !read.zeros && !read.other && read.precision.is_none(),
            b's' => size == 0 && !read.zeros && !read.other,
            b'%' => format[at - 1] == b'%',
            _ => false,
        };
        is_plain.then_some((read, at + size + 1))
    }

    /// An integer's digits with what stands before them.
    fn number(&self, value: i128) -> Option<Vec<u8>> {
        let is_signed = matches!(self.letter, b'd' | b'i');
        let value = fold::wrap(value, self.bits, is_signed);
        let magnitude = value.unsigned_abs();
        let mut digits = match self.letter {
            _ if magnitude == 0 && self.precision == Some(0) => String::new(),
            b'x' => format!("{magnitude:x}"),
            b'X' => format!("{magnitude:X}"),
            b'o' => format!("{magnitude:o}"),
            _ => magnitude.to_string(),
        };
        let sign = match self.letter {
            _ if value < 0 => "-",
            b'd' | b'i' if self.plus => "+",
            b'd' | b'i' if self.space => " ",
            b'x' if self.other && value != 0 => "0x",
            b'X' if self.other && value != 0 => "0X",
            _ => "",
        };
        let filled = match self.precision {
            Some(precision) => precision,
            None if self.zeros && !self.left => self.width.saturating_sub(sign.len()),
            None => 1,
        };
        digits.insert_str(0, &"0".repeat(filled.saturating_sub(digits.len())));
        if self.letter == b'o' && self.other && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        Some(format!("{sign}{digits}").into_bytes())
    }

    fn padded(&self, mut body: Vec<u8>) -> Vec<u8> {
        let blanks = vec![b' '; self.width.saturating_sub(body.len())];
        if self.left {
            body.extend(blanks);
            return body;
        }
        [blanks, body].concat()
    }
}

/// A width or a precision: digits, or an argument's value for `*`.
fn number(format: &[u8], at: &mut usize, argument: &mut dyn FnMut() -> Option<i128>) -> Option<Option<i128>> {
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        return argument().map(Some);
    }
    let digits = format[*at..].iter().take_while(|letter| letter.is_ascii_digit()).count();
    let text = std::str::from_utf8(&format[*at..*at + digits]).ok()?;
    *at += digits;
    if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
}

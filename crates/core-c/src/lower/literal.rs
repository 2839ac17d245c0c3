//! Literals: what their spelling means.

use source::Span;

use super::{Context, Lowered, refuse};
use crate::{Expression, ExpressionKind, Global, GlobalId, Initial, Linkage, Shape, TypeId};

/// The value of an integer or character literal.
pub(super) fn integer(spelling: &str) -> Lowered<i128> {
    if let Some(start) = spelling.find('\'') {
        return match character(&spelling[start + 1..]) {
            Some(value) => Ok(value),
            None => refuse(format!("the character constant {spelling}")),
        };
    }
    let digits = spelling.trim_end_matches(['u', 'U', 'l', 'L']).replace('\'', "");
    let lower = digits.to_ascii_lowercase();
    let parsed = if let Some(hexadecimal) = lower.strip_prefix("0x") {
        i128::from_str_radix(hexadecimal, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        i128::from_str_radix(binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        i128::from_str_radix(&lower[1..], 8)
    } else {
        lower.parse()
    };
    match parsed {
        Ok(value) => Ok(value),
        Err(_) => refuse(format!("the constant {spelling}")),
    }
}

/// The value of what stands behind the first quote of a character constant; several characters make one number, the
/// first one highest, as gcc and clang have it.
fn character(text: &str) -> Option<i128> {
    let bytes = text.strip_suffix('\'')?.as_bytes();
    let (mut at, mut values) = (0, Vec::new());
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            values.push(i64::from(bytes[at]));
            at += 1;
            continue;
        }
        let (value, length) = escape(&bytes[at + 1..])?;
        values.push(value);
        at += 1 + length;
    }
    match values.as_slice() {
        [one] => Some(i128::from(*one as u8 as i8)),
        [] => None,
        several => {
            let joined = several.iter().fold(0_u32, |sum, value| (sum << 8) | (*value as u32 & 0xff));
            Some(i128::from(joined as i32))
        }
    }
}

/// An escape sequence without its backslash: the value, and how long it is.
fn escape(bytes: &[u8]) -> Option<(i64, usize)> {
    let simple = |value: u8| Some((i64::from(value), 1));
    match *bytes.first()? {
        b'n' => simple(b'\n'),
        b't' => simple(b'\t'),
        b'r' => simple(b'\r'),
        b'a' => simple(7),
        b'b' => simple(8),
        b'f' => simple(12),
        b'v' => simple(11),
        b'e' | b'E' => simple(27),
        b'x' => {
            let length = bytes[1..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            let digits = std::str::from_utf8(&bytes[1..=length]).ok()?;
            Some((i64::from_str_radix(digits, 16).ok()?, length + 1))
        }
        b'0'..=b'7' => {
            let length = bytes.iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
            let digits = std::str::from_utf8(&bytes[..length]).ok()?;
            Some((i64::from_str_radix(digits, 8).ok()?, length))
        }
        other => simple(other),
    }
}

impl Context<'_> {
    /// The constant object that a string literal is; equal literals of one type are one object, which C allows.
    pub(super) fn string(&mut self, spelling: &str, bytes: &[u8], ty: TypeId, span: Option<Span>) -> GlobalId {
        let key = format!("{ty:?} {spelling}");
        if let Some(known) = self.literals.get(&key) {
            return *known;
        }
        let global = Global {
            name: String::new(),
            ty,
            linkage: Linkage::Internal,
            initial: Some(self.text(bytes, ty)),
            constant: true,
            thread_local: false,
            alignment: 0,
            literal: Some(spelling.to_owned()),
            scope: None,
            span,
        };
        let id = self.program.globals.alloc(global);
        self.literals.insert(key, id);
        id
    }

    /// The bytes of a string literal as the initial value of an array, as many as it has room for (C11 section
    /// 6.7.9); zeros are left out.
    pub(super) fn text(&self, bytes: &[u8], array: TypeId) -> Vec<Initial> {
        let types = &self.program.types;
        let Some(element) = types.element(array) else { return Vec::new() };
        let room = types.size_of(array).unwrap_or(bytes.len() as u64);
        let width = types.size_of(element).unwrap_or(1).max(1);
        let little_endian = types.table.target.little_endian;
        let mut found = Vec::new();
        for (at, unit) in bytes.chunks(usize::try_from(width).unwrap_or(1)).enumerate() {
            let offset = at as u64 * width;
            let value = number(unit, little_endian, types.shape_of(element));
            if value != 0 && offset + width <= room {
                let value = Expression { kind: ExpressionKind::Integer(value), ty: element, span: None };
                found.push(Initial { offset, bits: None, value });
            }
        }
        found
    }
}

/// The number that some bytes of memory are.
fn number(bytes: &[u8], little_endian: bool, shape: &Shape) -> i128 {
    let add = |sum: i128, byte: &u8| (sum << 8) | i128::from(*byte);
    let unsigned = if little_endian { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) };
    match shape {
        Shape::Integer { bits, signed, .. } => super::constant::wrapped(unsigned, *bits, *signed),
        _ => unsigned,
    }
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn literals_mean_what_c_says() {
        let cases = [
            ("30", 30),
            ("0x1Ful", 31),
            ("017", 15),
            ("0", 0),
            ("0b101", 5),
            ("18446744073709551615ull", 18_446_744_073_709_551_615),
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\377'", -1),
            ("'\\x41'", 65),
            ("'ab'", 24930),
            ("'\\''", 39),
        ];
        for (spelling, value) in cases {
            assert_eq!(integer(spelling).ok(), Some(value), "{spelling}");
        }
    }
}

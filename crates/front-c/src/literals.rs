//! Literals: as spelled, with the bytes of strings (C11 sections 6.4.4 and 6.4.5).

use cast::{Expression, ExpressionKind};

use crate::clang::{Cursor, kinds};
use crate::importer::Importer;
use crate::lex::Kind;

impl<'u> Importer<'u> {
    pub(crate) fn literal(&mut self, cursor: Cursor<'u>) -> Expression {
        let ty = self.type_of(cursor);
        let spelling = self.spelled(cursor);
        let indices = self.text.indices(&cursor.range());
        match (cursor.kind(), self.text.kind_at(indices.start)) {
            (kinds::CXCursor_IntegerLiteral, _) => self.make(cursor, ExpressionKind::Integer(spelling), ty),
            (kinds::CXCursor_FloatingLiteral, _) => self.make(cursor, ExpressionKind::Float(spelling), ty),
            (kinds::CXCursor_CharacterLiteral, _) => self.known(cursor, "a character"),
            // `__func__` and its like: the text moves to functions of other names, so it says the name itself.
            (_, Some(Kind::Word)) => {
                let name = self.function.clone().unwrap_or_default();
                let bytes = name.bytes().chain([0]).collect();
                let spelling = format!("\"{name}\"");
                self.make(cursor, ExpressionKind::Literal { spelling, bytes }, ty)
            }
            _ => {
                let width = self.types.resolve(&ty).element().and_then(|element| self.types.size(element)).unwrap_or(1);
                let pieces: Vec<&str> = indices.map(|index| self.text.at(index)).collect();
                let bytes = string_bytes(&pieces, width as usize, self.types.target.little_endian);
                self.make(cursor, ExpressionKind::Literal { spelling, bytes }, ty)
            }
        }
    }
}

/// The elements of adjacent string literals and their terminator, as bytes of a target.
fn string_bytes(pieces: &[&str], width: usize, little_endian: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut push = |value: u32| {
        let all = value.to_be_bytes();
        let element = &all[4 - width.clamp(1, 4)..];
        if little_endian { bytes.extend(element.iter().rev()) } else { bytes.extend(element) }
    };
    for piece in pieces {
        let inner = piece.split_once('"').map_or("", |(_, rest)| rest.strip_suffix('"').unwrap_or(rest));
        let mut rest = inner;
        while let Some(character) = rest.chars().next() {
            let (unit, length) =
                if character == '\\' { escape(rest) } else { (Unit::Character(character), character.len_utf8()) };
            rest = &rest[length..];
            match unit {
                Unit::Value(value) => push(value),
                Unit::Character(character) => match width {
                    1 => character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push(u32::from(byte))),
                    2 => character.encode_utf16(&mut [0; 2]).iter().for_each(|half| push(u32::from(*half))),
                    _ => push(u32::from(character)),
                },
                Unit::Nothing => {}
            }
        }
    }
    push(0);
    bytes
}

/// What one escape stands for.
enum Unit {
    /// An element's value, whatever its width.
    Value(u32),
    /// A character, to be encoded.
    Character(char),
    Nothing,
}

/// Reads the escape that `text` begins with; also its length.
fn escape(text: &str) -> (Unit, usize) {
    let Some(kind) = text[1..].chars().next() else { return (Unit::Nothing, 1) };
    let digits = |from: usize, radix: u32, most: usize| {
        let length = text[from..].chars().take(most).take_while(|digit| digit.is_digit(radix)).count();
        let value = text[from..from + length]
            .chars()
            .fold(0_u32, |value, digit| value.wrapping_mul(radix).wrapping_add(digit.to_digit(radix).unwrap_or(0)));
        (value, from + length)
    };
    let simple = |value: u8| (Unit::Value(u32::from(value)), 2);
    match kind {
        'n' => simple(b'\n'),
        't' => simple(b'\t'),
        'r' => simple(b'\r'),
        'a' => simple(7),
        'b' => simple(8),
        'f' => simple(12),
        'v' => simple(11),
        'e' | 'E' => simple(27),
        '\n' => (Unit::Nothing, 2),
        'x' => {
            let (value, length) = digits(2, 16, usize::MAX);
            (Unit::Value(value), length)
        }
        '0'..='7' => {
            let (value, length) = digits(1, 8, 3);
            (Unit::Value(value), length)
        }
        'u' | 'U' => {
            let (value, length) = digits(2, 16, if kind == 'u' { 4 } else { 8 });
            (char::from_u32(value).map_or(Unit::Nothing, Unit::Character), length)
        }
        other => (Unit::Character(other), 1 + other.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::string_bytes;

    #[test]
    fn escapes_end_where_c_says() {
        assert_eq!(string_bytes(&[r#""a\x41""#, r#""1\0""#], 1, true), b"aA1\0\0");
        assert_eq!(string_bytes(&[r#""\1234\"\\\n\?""#], 1, true), b"S4\"\\\n?\0");
        assert_eq!(string_bytes(&[r#""é\u00e9""#], 1, true), [0xc3, 0xa9, 0xc3, 0xa9, 0]);
    }

    #[test]
    fn wide_strings_have_wide_elements_in_the_target_s_order() {
        assert_eq!(string_bytes(&[r#"L"é""#], 4, true), [0xe9, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(string_bytes(&[r#"u"\U0001F600""#], 2, false), [0xd8, 0x3d, 0xde, 0, 0, 0]);
    }
}

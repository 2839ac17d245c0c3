//! What a quoted text holds.

/// The characters of a text as C spells it, without its quotes and escapes. An escape that C does not have stands for
/// itself.
pub fn text_content(spelling: &str) -> String {
    let inner = spelling.strip_prefix('"').unwrap_or(spelling);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut content = String::new();
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        let escaped = if first == '\\' { escape(&rest[1..]) } else { None };
        let (character, length) =
            escaped.map_or((first, first.len_utf8()), |(character, length)| (character, length + 1));
        content.push(character);
        rest = &rest[length..];
    }
    content
}

/// Whether all escapes in a text are C's, and stand for characters of ASCII: for these a character is a byte.
pub fn has_plain_escapes(spelling: &str) -> bool {
    let inner = spelling.strip_prefix('"').unwrap_or(spelling);
    let mut rest = inner.strip_suffix('"').unwrap_or(inner);
    while let Some(at) = rest.find('\\') {
        match escape(&rest[at + 1..]) {
            Some((character, length)) if character.is_ascii() => rest = &rest[at + 1 + length..],
            _ => return false,
        }
    }
    true
}

/// What stands behind a backslash, and how long that is.
fn escape(rest: &str) -> Option<(char, usize)> {
    let simple = match rest.chars().next()? {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        plain @ ('\\' | '\'' | '"' | '?') => plain,
        'x' => {
            let (character, length) = number(&rest[1..], 16, 2)?;
            return Some((character, length + 1));
        }
        _ => return number(rest, 8, 3),
    };
    Some((simple, 1))
}

fn number(rest: &str, radix: u32, most: usize) -> Option<(char, usize)> {
    let length = rest.chars().take(most).take_while(|digit| digit.is_digit(radix)).count();
    let code = u32::from_str_radix(&rest[..length], radix).ok()?;
    Some((char::from_u32(code)?, length))
}

#[cfg(test)]
mod tests {
    use super::{has_plain_escapes, text_content};

    #[test]
    fn escapes_are_what_they_stand_for() {
        assert_eq!(text_content("\"a \\\"b\\\" \\\\ \\x41\\101\\n\""), "a \"b\" \\ AA\n");
        assert_eq!(text_content("\"\\q é\\\""), "\\q é\\");
        assert_eq!(text_content("\""), "");
        assert_eq!(text_content("\"\\xg\""), "\\xg");
    }

    #[test]
    fn plain_escapes_are_bytes() {
        assert!(has_plain_escapes("\"a \\\"b\\\" \\\\ \\x41\\101\\n é\""));
        for odd in ["\"\\q\"", "\"\\xff\"", "\"\\377\"", "\"\\xg\""] {
            assert!(!has_plain_escapes(odd), "{odd}");
        }
    }
}

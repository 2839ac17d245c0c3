//! How strings stand in attributes: any character can be said, also those that XML cannot hold.
//!
//! `\\` is a backslash, `\u{7}` a character by its number. Control characters and the two that are none are written
//! so; line ends and tabs are XML's own `&#10;`.

/// What the escapes of a string's XML form stand for, or the range of bytes that is no escape.
pub(super) fn unescape(written: &str) -> Result<String, std::ops::Range<usize>> {
    let mut text = String::with_capacity(written.len());
    let mut at = 0;
    while let Some(found) = written[at..].find('\\') {
        let start = at + found;
        text.push_str(&written[at..start]);
        let (character, length) = escape(&written[start..]).ok_or_else(|| {
            let next = written[start..].chars().nth(1).map_or(0, char::len_utf8);
            start..start + 1 + next
        })?;
        text.push(character);
        at = start + length;
    }
    text.push_str(&written[at..]);
    Ok(text)
}

/// The character that an escape at the start of `rest` stands for, and how many bytes say so.
fn escape(rest: &str) -> Option<(char, usize)> {
    if rest.starts_with("\\\\") {
        return Some(('\\', 2));
    }
    let (digits, _) = rest.strip_prefix("\\u{")?.split_once('}')?;
    let is_number = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((char::from_u32(number)?, "\\u{}".len() + digits.len()))
}

/// The XML form of a string, before it is escaped as any attribute is.
pub(super) fn string(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => written.push_str("\\\\"),
            '\t' | '\n' | '\r' => written.push(character),
            '\u{FFFE}' | '\u{FFFF}' => written.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
            _ if character.is_control() => written.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
            _ => written.push(character),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::{string, unescape};

    #[test]
    fn what_is_escaped_reads_back() {
        for text in ["", "m/s", "a\\b", "\\u{7}", "\0\u{1b}\u{85}\u{FFFE}\u{10FFFF}", "ü\n"] {
            assert_eq!(unescape(&string(text)).as_deref(), Ok(text));
        }
        assert_eq!(string("a\\\u{7}"), "a\\\\\\u{7}");
    }

    #[test]
    fn other_backslashes_are_found() {
        assert_eq!(unescape("a\\ü"), Err(1..4));
        assert_eq!(unescape("\\"), Err(0..1));
        for text in ["\\u{}", "\\u{D800}", "\\u{1234567}", "\\u{+1}", "\\u{7", "\\u7"] {
            assert_eq!(unescape(text), Err(0..2), "{text}");
        }
    }
}

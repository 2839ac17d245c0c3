//! C. In: text. Out: what may stand in a comment, between the quotes of a literal, after `#include` and `#line`. Source: C11
//! sections 5.1.1.2 (phases: trigraphs, spliced lines), 5.2.1.1, 6.4.5, 6.4.7, 6.4.9, 6.10.4.

use std::fmt::Write;

use crate::Refused;
use crate::visible::{is_deceptive, spell};

/// What a comment says: nothing in it ends the comment, splices lines, or looks as if the comment had ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment(String);

impl Comment {
    /// Any text; line ends stay.
    pub fn new(text: impl AsRef<str>) -> Comment {
        let mut out = String::with_capacity(text.as_ref().len());
        let mut characters = text.as_ref().chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\n' => out.push('\n'),
                '\t' => out.push(' '),
                '/' if out.ends_with('*') => out.push_str(" /"),
                '*' if out.ends_with('/') => out.push_str(" *"),
                // Half of a trigraph: `*??/` before a line end would be `*\`.
                '?' if out.ends_with('?') => out.push_str(" ?"),
                // Before a line end it splices lines, and compilers overlook blanks between the two.
                '\\' if characters.peek().is_none_or(|next| next.is_whitespace()) => spell(&mut out, '\\'),
                character if is_plain(character) => out.push(character),
                other => spell(&mut out, other),
            }
        }
        Comment(out)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Letters and digits of all scripts, and ASCII. Other signs may look like `*/`: U+2217 U+2215, U+FF0A U+FF0F.
fn is_plain(character: char) -> bool {
    let is_known = character.is_ascii() || character.is_alphanumeric() || matches!(character, '…' | '–' | '—');
    is_known && !is_deceptive(character)
}

/// The name of a header: it ends where it seems to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludePath(String);

impl IncludePath {
    /// A header of somebody else's.
    pub fn new(path: impl AsRef<str>) -> Result<IncludePath, Refused> {
        let path = path.as_ref();
        let refused = |character| Refused::new("an #include of C", path, character);
        if path.is_empty() {
            return Err(refused(None));
        }
        let is_wrong =
            |character: &char| is_deceptive(*character) || matches!(character, '"' | '<' | '>' | '\\' | '\u{fffd}');
        match path.chars().find(is_wrong) {
            Some(character) => Err(refused(Some(character))),
            None if has_trigraph(path) => Err(refused(Some('?'))),
            None => Ok(IncludePath(path.to_owned())),
        }
    }

    /// `Gray.h` for an identifier; of other names what is no letter of one becomes `_`.
    pub fn of_word(name: &str) -> IncludePath {
        IncludePath(format!("{}.h", word(name)))
    }

    /// One that our own source names.
    pub fn literal(path: &'static str) -> IncludePath {
        IncludePath(path.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A file's name without folder and ending, from which headers have their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base(String);

impl Base {
    /// The name of somebody else's file.
    pub fn new(name: impl AsRef<str>) -> Result<Base, Refused> {
        // No name at all makes `.h`, as rpcgen does of `.x`.
        IncludePath::new(format!("{}.h", name.as_ref())).map(|_| Base(name.as_ref().to_owned()))
    }

    /// `b.h`; `b_packets.h` for the ending `_packets.h`.
    pub fn header(&self, ending: &'static str) -> IncludePath {
        IncludePath(format!("{}{ending}", self.0))
    }

    /// As part of an identifier.
    pub fn word(&self) -> String {
        word(&self.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Base {
    fn from(name: &'static str) -> Base {
        Base(name.to_owned())
    }
}

/// Compilers that follow the standard put another character in its place, in literals and names of headers, too.
fn has_trigraph(text: &str) -> bool {
    text.match_indices("??").any(|(at, _)| text[at + 2..].starts_with(['=', '/', '\'', '(', ')', '!', '<', '>', '-']))
}

/// A string literal. Bytes outside printable ASCII become octal escapes, which cannot run on into what follows.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        escape_byte(&mut out, byte);
    }
    out.push('"');
    out
}

fn escape_byte(out: &mut String, byte: u8) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\t' => out.push_str("\\t"),
        b'?' if out.ends_with('?') => out.push_str("\\?"),
        0x20..=0x7e => out.push(char::from(byte)),
        _ => {
            let _ = write!(out, "\\{byte:03o}");
        }
    }
}

/// A literal of wide characters. Others than ASCII are C's own names of them (C11 section 6.4.3), or octal where there is none.
pub fn wide_quoted(text: &str) -> String {
    let mut out = String::from("L\"");
    for character in text.chars() {
        match (u8::try_from(character), u32::from(character)) {
            (Ok(byte), 0..0xa0) => escape_byte(&mut out, byte),
            (_, number @ 0..=0xffff) => {
                let _ = write!(out, "\\u{number:04x}");
            }
            (_, number) => {
                let _ = write!(out, "\\U{number:08x}");
            }
        }
    }
    out.push('"');
    out
}

/// `#line 7 "a.c"`, without a line end.
pub fn line_directive(line: usize, file: &str) -> String {
    let mut out = format!("#line {line} \"");
    for character in file.chars() {
        if character.is_ascii() || is_deceptive(character) {
            character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| escape_byte(&mut out, byte));
        } else {
            out.push(character);
        }
    }
    out.push('"');
    out
}

/// A name as part of an identifier: what is neither an ASCII letter nor a digit becomes `_`.
pub fn word(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// Whether a text is one identifier, as compilers take them: `$` and letters of other scripts included.
pub fn is_identifier(text: &str) -> bool {
    let is_part = |letter: char| letter == '_' || letter == '$' || (letter.is_alphanumeric() && !is_deceptive(letter));
    !text.starts_with(|first: char| first.is_ascii_digit()) && !text.is_empty() && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn comment(text: &str, expected: &str) {
        assert_eq!(Comment::new(text).as_str(), expected);
        assert_eq!(Comment::new(expected).as_str(), expected, "what is escaped stays");
    }

    #[test]
    fn a_comment_does_not_end_early() {
        comment("on */ int x; /* y", "on * / int x; / * y");
        comment("*/*/", "* / * /");
        comment("/*/", "/ * /");
        comment("**//", "** //");
    }

    #[test]
    fn a_comment_neither_splices_lines_nor_hides_what_it_says() {
        comment("a\\\n*\\\n/", "a\\u{5c}\n*\\u{5c}\n/");
        comment("a\\ \nb\\", "a\\u{5c} \nb\\u{5c}");
        comment("*??/\n/", "*? ?/\n/");
        comment("\u{202e}\u{0}\r\u{1b}", "\\u{202e}\\u{0}\\u{d}\\u{1b}");
        comment("∗∕ ＊／ ü 漢", "\\u{2217}\\u{2215} \\u{ff0a}\\u{ff0f} ü 漢");
        comment("C:\\new, 5 > 3?", "C:\\new, 5 > 3?");
    }

    #[test]
    fn a_header_is_one_name() {
        assert_eq!(IncludePath::new("sub dir/ü$(x).h").map(|path| path.0).as_deref(), Ok("sub dir/ü$(x).h"));
        for (path, found) in [
            ("a\n#include <b.h", "a line end"),
            ("a\"", "a double quote"),
            ("a\\b.h", "`\\`"),
            ("a>.h", "`>`"),
            ("\u{202e}h.a", "`\\u{202e}`"),
            ("a??/b.h", "`?`"),
            ("", "nothing"),
        ] {
            assert_eq!(IncludePath::new(path).unwrap_err().found(), found);
        }
    }

    #[test]
    fn literals_hold_any_text() {
        assert_eq!(quoted("a\"\\\n\u{0}7??/ü"), "\"a\\\"\\\\\\n\\0007?\\?/\\303\\274\"");
        assert_eq!(wide_quoted("a\"ü\u{1f600}\u{202e}\u{7f}1"), "L\"a\\\"\\u00fc\\U0001f600\\u202e\\1771\"");
        assert_eq!(line_directive(7, "a\"\nü.c"), "#line 7 \"a\\\"\\nü.c\"");
    }

    #[test]
    fn an_identifier_is_one_word() {
        assert!(is_identifier("a_1$ü") && !is_identifier("1a") && !is_identifier("") && !is_identifier("a b"));
        assert!(!is_identifier("a\u{200d}b") && !is_identifier("a;b"));
        assert_eq!(word("my-flow.2"), "my_flow_2");
    }
}

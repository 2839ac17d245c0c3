//! Comments as a C preprocessor sees them: also inside `%` lines and directives, which are one token to everyone else.
//!
//! In: a text that a preprocessor refused. Out: the place of the `/*` that it never saw closed.

use source::{Diagnostic, FileId, Span};

use crate::errors;

/// The comment of `text` that is never closed, as a finding.
pub fn unterminated_comment(text: &str, file: FileId) -> Option<Diagnostic> {
    let start = u32::try_from(open_comment(text.as_bytes())?).ok()?;
    Some(errors::unterminated_comment(Span::new(file, start, start + 2)))
}

/// Where the comment starts that goes on to the end of the text.
fn open_comment(text: &[u8]) -> Option<usize> {
    let mut offset = 0;
    while let Some(&byte) = text.get(offset) {
        match (byte, text.get(offset + 1)) {
            (b'/', Some(b'*')) => match text[offset + 2..].windows(2).position(|pair| pair == b"*/") {
                Some(length) => offset += length + 4,
                None => return Some(offset),
            },
            (b'/', Some(b'/')) => offset = end_of_line(text, offset, None),
            (b'"' | b'\'', _) => offset = end_of_line(text, offset + 1, Some(byte)),
            _ => offset += 1,
        }
    }
    None
}

/// The end of the line, or the place behind `quote` where that comes first. A backslash takes the next byte with it,
/// a line's end included.
fn end_of_line(text: &[u8], mut offset: usize, quote: Option<u8>) -> usize {
    while let Some(&byte) = text.get(offset) {
        offset += 1;
        if byte == b'\n' || Some(byte) == quote {
            break;
        }
        offset += usize::from(byte == b'\\');
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let finding = unterminated_comment(text, FileId(0));
        let rest = finding.map(|finding| {
            assert_eq!(finding.code, "lex-001");
            &text[finding.primary.expect("a place").span.start as usize..]
        });
        assert_eq!(rest, expected);
    }

    #[test]
    fn the_comment_that_stays_open_is_found() {
        check("/* a */ b /* c\n/* d", Some("/* c\n/* d"));
        check("%#define A 1 /* a\n%", Some("/* a\n%"));
        check("#endif /* a", Some("/* a"));
        check("/*/", Some("/*/"));
    }

    #[test]
    fn quotes_and_line_comments_hide_it() {
        check("// /* a\n%char *s = \"/*\\\"/*\"; /* don't */ '/*'\n", None);
        check("// a \\\n /* b\n", None);
        check("don't\n/* a", Some("/* a"));
    }

    #[test]
    fn any_text_has_an_end() {
        for text in ["", "/", "\"", "\\", "'\\", "//\\", "/*\\", "é/*"] {
            let _ = unterminated_comment(text, FileId(0));
        }
    }
}

//! From text to tokens.

use crate::{Token, TokenKind, errors, integer_value, word};
use source::{Diagnostic, FileId, Span};

/// What differs from language to language.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Lines whose first character that is not a blank is `%` are verbatim (ONC).
    pub percent_lines: bool,
    /// Punctuators of several characters, such as `::` or `->`, longer ones first.
    pub compounds: &'static [&'static str],
}

/// Cuts `text` into tokens, the last of which is [`TokenKind::End`]. Never fails; what is no token is reported and
/// becomes [`TokenKind::Stray`].
pub fn tokenize(text: &str, file: FileId, options: &Options) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut scanner =
        Scanner { text, file, options, offset: 0, at_line_start: true, tokens: Vec::new(), findings: Vec::new() };
    while scanner.offset < text.len() {
        scanner.token();
    }
    scanner.push(TokenKind::End, text.len());
    (scanner.tokens, scanner.findings)
}

struct Scanner<'a> {
    text: &'a str,
    file: FileId,
    options: &'a Options,
    offset: usize,
    /// Nothing but blanks stands before `offset` on its line.
    at_line_start: bool,
    tokens: Vec<Token>,
    findings: Vec<Diagnostic>,
}

impl<'a> Scanner<'a> {
    /// Cuts off one piece; it is never empty.
    fn token(&mut self) {
        let rest = &self.text[self.offset..];
        let first = rest.as_bytes()[0];
        let second = rest.as_bytes().get(1).copied();
        match first {
            _ if is_blank_byte(first) || rest.starts_with("\\\n") || rest.starts_with('\u{feff}') => self.blank(rest),
            b'%' if self.options.percent_lines && self.at_line_start => self.line(TokenKind::Verbatim, rest),
            b'#' if self.at_line_start => self.line(TokenKind::Directive, rest),
            b'/' if second == Some(b'/') => self.line(TokenKind::Comment, rest),
            b'/' if second == Some(b'*') => self.block_comment(rest),
            b'"' => self.quoted(rest, b'"', TokenKind::Text),
            b'\'' => self.quoted(rest, b'\'', TokenKind::Character),
            _ if first.is_ascii_digit() => self.number(rest),
            b'.' if second.is_some_and(|byte| byte.is_ascii_digit()) => self.number(rest),
            _ if word::length(rest) > 0 => self.word(rest),
            _ if is_punctuator_byte(first) => {
                let compound = self.options.compounds.iter().find(|compound| rest.starts_with(**compound));
                self.take(TokenKind::Punctuator, compound.map_or(1, |compound| compound.len()));
            }
            _ => self.stray(rest),
        }
    }

    fn push(&mut self, kind: TokenKind, end: usize) -> Span {
        // A source map keeps no text that 32 bits cannot measure.
        let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let span = Span::new(self.file, offset(self.offset), offset(end));
        self.tokens.push(Token { kind, span });
        self.offset = end;
        span
    }

    /// Cuts off `length` bytes of a kind that ends the start of the line.
    fn take(&mut self, kind: TokenKind, length: usize) {
        self.at_line_start = false;
        self.push(kind, self.offset + length);
    }

    fn blank(&mut self, rest: &str) {
        let mut length = 0;
        while let Some(&byte) = rest.as_bytes().get(length) {
            let rest = &rest.as_bytes()[length..];
            length += if is_blank_byte(byte) {
                self.at_line_start |= byte == b'\n';
                1
            } else if rest.starts_with(b"\\\n") {
                2
            } else if rest.starts_with("\u{feff}".as_bytes()) {
                3
            } else {
                break;
            };
        }
        self.push(TokenKind::Blank, self.offset + length);
    }

    /// Cuts off the rest of the line, without its end.
    fn line(&mut self, kind: TokenKind, rest: &str) {
        let length = rest.find('\n').unwrap_or(rest.len());
        let length = if rest[..length].ends_with('\r') { length - 1 } else { length };
        self.take(kind, length);
    }

    fn block_comment(&mut self, rest: &str) {
        let closing = rest[2..].find("*/");
        if closing.is_none() {
            let start = u32::try_from(self.offset).unwrap_or(u32::MAX);
            let opening = Span::new(self.file, start, start.saturating_add(2));
            self.findings.push(errors::unterminated_comment(opening));
        }
        // A comment may begin a line without ending its start: what follows it is no directive either way.
        self.take(TokenKind::Comment, closing.map_or(rest.len(), |closing| closing + 4));
    }

    fn word(&mut self, rest: &str) {
        let length = word::length(rest);
        self.at_line_start = false;
        let span = self.push(TokenKind::Identifier, self.offset + length);
        if !word::is_plain(&rest[..length]) {
            self.findings.push(errors::foreign_letter(span, &word::as_written(&rest[..length])));
        }
    }

    fn quoted(&mut self, rest: &str, quote: u8, kind: TokenKind) {
        self.at_line_start = false;
        let mut length = 1;
        let bytes = rest.as_bytes();
        while let Some(&byte) = bytes.get(length) {
            match byte {
                _ if byte == quote => {
                    self.push(kind, self.offset + length + 1);
                    return;
                }
                b'\n' | b'\r' => break,
                b'\\' if bytes.get(length + 1).is_some_and(|next| next.is_ascii() && *next != b'\n') => length += 2,
                _ => length += 1,
            }
        }
        let span = self.push(kind, self.offset + length);
        self.findings.push(match kind {
            TokenKind::Character => errors::unterminated_character(span),
            _ => errors::unterminated_text(span),
        });
    }

    /// Everything that C would take for one number, right or wrong, is one token.
    fn number(&mut self, rest: &'a str) {
        let bytes = rest.as_bytes();
        let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let mut length = 0;
        while let Some(&byte) = bytes.get(length) {
            let follows_exponent = !is_hexadecimal && length > 0 && matches!(bytes[length - 1], b'e' | b'E');
            if is_word_byte(byte) || byte == b'.' || (follows_exponent && matches!(byte, b'+' | b'-')) {
                length += 1;
            } else {
                break;
            }
        }
        let spelling = &rest[..length];
        self.at_line_start = false;
        if integer_value(spelling).is_some() {
            self.push(TokenKind::Integer, self.offset + length);
            return;
        }
        let is_float = !is_hexadecimal && spelling.contains(['.', 'e', 'E']) && spelling.parse::<f64>().is_ok();
        let span = self.push(if is_float { TokenKind::Float } else { TokenKind::Integer }, self.offset + length);
        if !is_float {
            self.findings.push(errors::malformed_number(span, spelling));
        }
    }

    /// A run of characters that belong to no token, as one piece and one finding.
    fn stray(&mut self, rest: &str) {
        let is_stray = |character: char| {
            u8::try_from(character).map_or(true, |byte| {
                !byte.is_ascii()
                    || !(is_blank_byte(byte) || is_word_byte(byte) || is_punctuator_byte(byte) || is_quote(byte))
            })
        };
        let is_over = |(at, character)| !is_stray(character) || word::length(&rest[at..]) > 0;
        let length = rest.char_indices().find(|place| is_over(*place)).map_or(rest.len(), |(at, _)| at);
        // A backslash before a line end, or a byte order mark, may be the first character: those are blanks.
        let length = length.max(rest.chars().next().map_or(1, char::len_utf8));
        self.at_line_start = false;
        let span = self.push(TokenKind::Stray, self.offset + length);
        self.findings.push(errors::stray(span, &rest[..length]));
    }
}

fn is_blank_byte(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

/// The punctuation of C, without `#`, which only a line may begin with.
fn is_punctuator_byte(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !matches!(byte, b'"' | b'\'' | b'#' | b'$' | b'\\' | b'`' | b'_')
}

#[cfg(test)]
mod tests {
    use super::{Options, tokenize};
    use crate::TokenKind::{self, *};
    use source::FileId;

    const ONC: Options = Options { percent_lines: true, compounds: &[] };

    /// The tokens without blanks, and the codes of the findings.
    fn scan(text: &str, options: &Options) -> (Vec<(TokenKind, String)>, Vec<&'static str>) {
        let (tokens, findings) = tokenize(text, FileId(0), options);
        let shown = tokens
            .iter()
            .filter(|token| token.kind != Blank)
            .map(|token| (token.kind, text[token.span.start as usize..token.span.end as usize].to_owned()))
            .collect();
        (shown, findings.iter().map(|finding| finding.code).collect())
    }

    #[track_caller]
    fn check(text: &str, expected: &[(TokenKind, &str)], codes: &[&str]) {
        let (mut tokens, findings) = scan(text, &ONC);
        assert_eq!(tokens.pop(), Some((End, String::new())));
        let tokens: Vec<_> = tokens.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        assert_eq!(tokens, expected);
        assert_eq!(findings, codes);
    }

    #[test]
    fn words_numbers_and_punctuators_are_distinguished() {
        check(
            "a_1 0x1F -07 1.5 1e-9 .5 <>",
            &[
                (Identifier, "a_1"),
                (Integer, "0x1F"),
                (Punctuator, "-"),
                (Integer, "07"),
                (Float, "1.5"),
                (Float, "1e-9"),
                (Float, ".5"),
                (Punctuator, "<"),
                (Punctuator, ">"),
            ],
            &[],
        );
    }

    #[test]
    fn malformed_numbers_are_one_token_and_one_finding() {
        check("08 0x 12ab", &[(Integer, "08"), (Integer, "0x"), (Integer, "12ab")], &["lex-005"; 3]);
    }

    #[test]
    fn percent_and_hash_count_only_at_the_start_of_a_line() {
        check(
            "%a ; \"\r\n \t%b\nx % y # z\n# 1 \"f\"\n",
            &[
                (Verbatim, "%a ; \""),
                (Verbatim, "%b"),
                (Identifier, "x"),
                (Punctuator, "%"),
                (Identifier, "y"),
                (Stray, "#"),
                (Identifier, "z"),
                (Directive, "# 1 \"f\""),
            ],
            &["lex-004"],
        );
        assert_eq!(scan("%a", &Options::default()).0[0], (Punctuator, "%".to_owned()));
    }

    #[test]
    fn comments_hide_percent_lines_and_may_be_left_open() {
        check(
            "/* \n%x */ // y\n/*/ z",
            &[(Comment, "/* \n%x */"), (Comment, "// y"), (Comment, "/*/ z")],
            &["lex-001"],
        );
    }

    #[test]
    fn quotes_end_with_their_line() {
        check(
            "\"a\\\"b\" 'c' \"open\n'open",
            &[(Text, "\"a\\\"b\""), (Character, "'c'"), (Text, "\"open"), (Character, "'open")],
            &["lex-002", "lex-003"],
        );
    }

    #[test]
    fn stray_characters_are_reported_once_for_each_run() {
        check(
            "a €→\u{1} $b",
            &[(Identifier, "a"), (Stray, "€→\u{1}"), (Stray, "$"), (Identifier, "b")],
            &["lex-004"; 2],
        );
    }

    #[test]
    fn a_name_with_other_letters_is_one_token_and_one_finding() {
        check(
            "xé éx x\\U000000e9 a$b",
            &[(Identifier, "xé"), (Identifier, "éx"), (Identifier, "x\\U000000e9"), (Identifier, "a$b")],
            &["lex-006"; 4],
        );
    }

    #[test]
    fn compounds_are_one_token() {
        let options = Options { percent_lines: false, compounds: &["::", "->"] };
        let texts: Vec<_> = scan("a::b->c-d", &options).0.into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["a", "::", "b", "->", "c", "-", "d", ""]);
    }

    #[test]
    fn the_pieces_put_together_are_the_file() {
        let alphabet = [
            "a", "0x", "9", ".", "e", "\"", "'", "%", "#", "/", "*", "\\", "\n", "\r", " ", "é", "\u{feff}", "$", "<",
            "\\u00e9", "€",
        ];
        let mut state = 7u64;
        for _ in 0..5000 {
            let mut text = String::new();
            for _ in 0..state % 40 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.push_str(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (tokens, _) = tokenize(&text, FileId(0), &ONC);
            let mut end = 0;
            for token in &tokens {
                assert_eq!(token.span.start, end, "{text:?}");
                assert!(token.kind == End || token.span.end > end, "{text:?}");
                end = token.span.end;
            }
            assert_eq!(end as usize, text.len());
        }
    }
}

//! The tokens of preprocessed C, as far as text must be cut: clang knows what the text means, but not always where
//! its parts stand.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Character,
    Mark,
    /// A line that begins with `#`: a line marker or a pragma.
    Directive,
}

/// A token and the bytes it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Marks of several characters, longest first.
const MARKS: [&str; 24] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "##", "::",
];

/// All tokens of a text. What is no token of C becomes a mark of one character.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0, is_line_start: true };
    std::iter::from_fn(|| scanner.next()).collect()
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    is_line_start: bool,
}

impl Scanner<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        let kind = match *self.bytes.get(start)? {
            b'#' if self.is_line_start => self.directive(),
            b'"' => self.quoted(b'"', Kind::Text),
            b'\'' => self.quoted(b'\'', Kind::Character),
            byte if is_word_start(byte) => self.word(),
            byte if byte.is_ascii_digit() || (byte == b'.' && self.byte(1).is_ascii_digit()) => self.number(),
            _ => self.mark(),
        };
        self.is_line_start = false;
        Some(Token { kind, start, end: self.at })
    }

    fn skip_blanks(&mut self) {
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'\n', _) => {
                    self.is_line_start = true;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) => self.at += 1,
                (b'\\', b'\n') => self.at += 2,
                (b'/', b'/') => self.skip_to(b"\n"),
                (b'/', b'*') => {
                    self.at += 2;
                    self.skip_to(b"*/");
                    self.at = (self.at + 2).min(self.bytes.len());
                }
                _ => return,
            }
        }
    }

    /// To the start of `end`, or the end of the text.
    fn skip_to(&mut self, end: &[u8]) {
        while self.at < self.bytes.len() && !self.bytes[self.at..].starts_with(end) {
            self.at += 1;
        }
    }

    fn directive(&mut self) -> Kind {
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            self.at += if self.byte(0) == b'\\' { 2 } else { 1 };
        }
        self.at = self.at.min(self.bytes.len());
        Kind::Directive
    }

    fn quoted(&mut self, quote: u8, kind: Kind) -> Kind {
        self.at += 1;
        while self.at < self.bytes.len() && self.byte(0) != quote && self.byte(0) != b'\n' {
            self.at += if self.byte(0) == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(self.bytes.len());
        kind
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        while is_word_start(self.byte(0)) || self.byte(0).is_ascii_digit() {
            self.at += 1;
        }
        match (&self.bytes[start..self.at], self.byte(0)) {
            (b"L" | b"u" | b"U" | b"u8", b'"') => self.quoted(b'"', Kind::Text),
            (b"L" | b"u" | b"U" | b"u8", b'\'') => self.quoted(b'\'', Kind::Character),
            _ => Kind::Word,
        }
    }

    /// A preprocessing number (C11 section 6.4.8).
    fn number(&mut self) -> Kind {
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'e' | b'E' | b'p' | b'P', b'+' | b'-') => self.at += 2,
                (byte, _) if is_word_start(byte) || byte.is_ascii_digit() || byte == b'.' => self.at += 1,
                _ => return Kind::Number,
            }
        }
    }

    fn mark(&mut self) -> Kind {
        let rest = &self.bytes[self.at..];
        let long = MARKS.iter().find(|mark| rest.starts_with(mark.as_bytes())).map(|mark| mark.len());
        self.at += long.unwrap_or(1);
        Kind::Mark
    }
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    fn shown(text: &str) -> Vec<(Kind, &str)> {
        tokens(text).into_iter().map(|token| (token.kind, &text[token.range()])).collect()
    }

    #[test]
    fn each_kind_of_token_is_cut_where_it_ends() {
        use Kind::{Character, Directive, Mark, Number, Text, Word};
        assert_eq!(
            shown("a+=.5e-3/*;*/L\"x\\\"\"'\\''\n # 1 \"f\" 2\n... x"),
            [
                (Word, "a"),
                (Mark, "+="),
                (Number, ".5e-3"),
                (Text, "L\"x\\\"\""),
                (Character, "'\\''"),
                (Directive, "# 1 \"f\" 2"),
                (Mark, "..."),
                (Word, "x"),
            ]
        );
    }

    #[test]
    fn broken_text_ends_all_the_same() {
        for text in ["\"abc", "'", "/*", "#\\", "\"\\", "é\\"] {
            assert!(tokens(text).iter().all(|token| token.end <= text.len() && token.start < token.end), "{text}");
        }
    }
}

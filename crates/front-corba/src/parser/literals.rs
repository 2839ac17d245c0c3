//! Literals: numbers, characters, texts (IDL 4.2 section 7.2.6).

use super::Parser;
use crate::errors;
use crate::syntax::{Expression, ExpressionKind};
use source::Span;
use tokens::{Token, TokenKind};

impl<'a> Parser<'a> {
    /// A literal or a name.
    pub(super) fn primary(&mut self) -> Option<Expression<'a>> {
        let token = self.cursor.peek();
        let is_wide_literal = self.is_wide_literal();
        if (token.kind == TokenKind::Identifier && !is_wide_literal) || self.cursor.at("::") {
            if let Some(truth) = self.truth() {
                self.cursor.bump();
                return Some(Expression { kind: ExpressionKind::Boolean(truth), span: token.span });
            }
            let name = self.scoped_name("a value")?;
            return Some(Expression { span: name.span, kind: ExpressionKind::Name(name) });
        }
        self.literal()
    }

    /// `TRUE` and `FALSE`, however they are spelled; other spellings are reported.
    fn truth(&mut self) -> Option<bool> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        let truth = match word.to_ascii_uppercase().as_str() {
            "TRUE" => true,
            "FALSE" => false,
            _ => return None,
        };
        let right = if truth { "TRUE" } else { "FALSE" };
        if word != right {
            let finding = errors::misspelled(token.span, word, right);
            self.report(finding);
        }
        Some(truth)
    }

    /// `L"…"` or `L'…'`: nothing stands between the letter and the quote.
    fn is_wide_literal(&self) -> bool {
        let (first, second) = (self.cursor.peek(), self.cursor.peek_at(1));
        self.cursor.at("L")
            && matches!(second.kind, TokenKind::Text | TokenKind::Character)
            && first.span.end == second.span.start
    }

    /// A number, a character or a text.
    pub(super) fn literal(&mut self) -> Option<Expression<'a>> {
        let start = self.cursor.peek().span;
        let is_wide = self.is_wide_literal();
        if is_wide {
            self.cursor.bump();
        }
        let token = self.cursor.peek();
        let spelled = self.cursor.text(token);
        let kind = match token.kind {
            TokenKind::Integer => match tokens::integer_value(spelled) {
                Some(value) => ExpressionKind::Integer { value, spelling: spelled },
                // What has no value was reported by the tokenizer.
                None => ExpressionKind::Missing,
            },
            TokenKind::Float => match spelled.strip_suffix(['d', 'D']) {
                Some(digits) => ExpressionKind::Fixed(digits),
                None => ExpressionKind::Float(spelled),
            },
            TokenKind::Character => self.character(token, is_wide),
            TokenKind::Text => return Some(self.texts(start, is_wide)),
            _ => {
                self.report_expected("a value: a number, a name or a text in quotes");
                return None;
            }
        };
        self.cursor.bump();
        Some(Expression { kind, span: start.to(token.span) })
    }

    fn character(&mut self, token: Token, is_wide: bool) -> ExpressionKind<'a> {
        let characters = self.characters(token, '\'', is_wide);
        match characters[..] {
            [code] => ExpressionKind::Character { code, is_wide },
            _ => {
                let finding = errors::not_one_character(token.span, characters.len());
                self.report(finding);
                ExpressionKind::Missing
            }
        }
    }

    /// Texts that follow each other are one.
    fn texts(&mut self, start: Span, is_wide: bool) -> Expression<'a> {
        let mut all = Vec::new();
        loop {
            let token = self.cursor.bump();
            let characters = self.characters(token, '"', is_wide);
            if let Some(zero) = characters.iter().position(|character| *character == 0) {
                self.findings.push(errors::zero_in_text(token.span, zero));
            }
            all.extend(characters);
            let is_next_wide = self.is_wide_literal() && self.cursor.peek_at(1).kind == TokenKind::Text;
            if is_wide && is_next_wide {
                self.cursor.bump();
            } else if is_wide || self.cursor.peek().kind != TokenKind::Text {
                break;
            }
        }
        let span = start.to(self.cursor.after_previous());
        Expression { kind: ExpressionKind::Text { characters: all, is_wide }, span }
    }

    /// What a quoted literal holds. Characters that are not wide are bytes of Latin-1 (ISO 8859-1).
    fn characters(&mut self, token: Token, quote: char, is_wide: bool) -> Vec<u32> {
        let spelled = self.cursor.text(token);
        let inner = spelled.strip_prefix(quote).unwrap_or(spelled);
        let mut rest = inner.strip_suffix(quote).unwrap_or(inner);
        let mut characters = Vec::new();
        while let Some(first) = rest.chars().next() {
            let (code, length) = match first {
                '\\' => escape(&rest[1..]).map_or((None, 1), |(code, length)| (Some(code), length + 1)),
                _ => (Some(u32::from(first)), first.len_utf8()),
            };
            let most = if is_wide { 0x0010_FFFF } else { 0xFF };
            let is_half = |code: u32| (0xD800..=0xDFFF).contains(&code);
            let offset = token.span.start + u32::try_from(spelled.len() - quote.len_utf8() - rest.len()).unwrap_or(0);
            let span = Span::new(token.span.file, offset, offset + u32::try_from(length).unwrap_or(1));
            match code {
                None => self.findings.push(errors::bad_escape(span)),
                Some(code) if code > most || is_half(code) => {
                    self.findings.push(errors::character_too_large(span, is_wide))
                }
                Some(code) => characters.push(code),
            }
            rest = &rest[length..];
        }
        characters
    }
}

/// What stands behind a backslash: its code and its length.
fn escape(rest: &str) -> Option<(u32, usize)> {
    let simple = |code: u8| Some((u32::from(code), 1));
    match rest.bytes().next()? {
        b'n' => simple(b'\n'),
        b't' => simple(b'\t'),
        b'v' => simple(0x0b),
        b'b' => simple(0x08),
        b'r' => simple(b'\r'),
        b'f' => simple(0x0c),
        b'a' => simple(0x07),
        byte @ (b'\\' | b'?' | b'\'' | b'"') => simple(byte),
        b'x' => digits(&rest[1..], 16, 2).map(|(code, length)| (code, length + 1)),
        b'u' => digits(&rest[1..], 16, 4).map(|(code, length)| (code, length + 1)),
        _ => digits(rest, 8, 3),
    }
}

fn digits(rest: &str, radix: u32, most: usize) -> Option<(u32, usize)> {
    let length = rest.chars().take(most).take_while(|digit| digit.is_digit(radix)).count();
    let code = u32::from_str_radix(&rest[..length], radix).ok()?;
    Some((code, length))
}

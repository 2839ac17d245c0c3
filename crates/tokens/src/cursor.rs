//! A place in the tokens, for recursive-descent parsers.

use crate::{Corrections, Token, TokenKind};
use source::{FileId, Span};

/// Steps over tokens; trivia (comments, blanks, strays) is left out. Past the end it stays on [`TokenKind::End`].
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    position: usize,
    corrections: Corrections,
}

impl<'a> Cursor<'a> {
    /// Over the tokens of `text`, a file of its own. Parsers that treat verbatim lines and directives apart take
    /// them out of `tokens` before.
    pub fn new(text: &'a str, file: FileId, mut tokens: Vec<Token>) -> Self {
        tokens.retain(|token| !token.kind.is_trivia());
        if tokens.last().is_none_or(|last| last.kind != TokenKind::End) {
            let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
            tokens.push(Token { kind: TokenKind::End, span: Span::new(file, end, end) });
        }
        Cursor { text, tokens, position: 0, corrections: Corrections::new() }
    }

    /// The same with some words read as others.
    #[must_use]
    pub fn reading_as(mut self, corrections: &Corrections) -> Self {
        self.corrections.clone_from(corrections);
        self
    }

    /// The next token.
    pub fn peek(&self) -> Token {
        self.peek_at(0)
    }

    /// The token `ahead` tokens after the next one.
    pub fn peek_at(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[self.position.saturating_add(ahead).min(last)]
    }

    /// How the next token is spelled.
    pub fn peek_text(&self) -> &'a str {
        self.text(self.peek())
    }

    /// How `token` is spelled, or should be.
    pub fn text(&self, token: Token) -> &'a str {
        match self.corrections.get(&token.span.start) {
            Some(word) => word,
            None => self.text_of(token.span),
        }
    }

    /// What stands at `span`.
    pub fn text_of(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// True at the end of the file.
    pub fn is_at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    /// True if the next token is a word or a punctuator spelled `word`.
    pub fn at(&self, word: &str) -> bool {
        self.is(self.peek(), word)
    }

    /// True if the next token is one of `words`.
    pub fn at_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.at(word))
    }

    /// True if the token `ahead` tokens after the next one is a word or a punctuator spelled `word`.
    pub fn at_ahead(&self, ahead: usize, word: &str) -> bool {
        self.is(self.peek_at(ahead), word)
    }

    fn is(&self, token: Token, word: &str) -> bool {
        matches!(token.kind, TokenKind::Identifier | TokenKind::Punctuator) && self.text(token) == word
    }

    /// Steps over the next token and returns it.
    pub fn bump(&mut self) -> Token {
        let token = self.peek();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    /// Steps over the next token if it is a word or a punctuator spelled `word`.
    pub fn eat(&mut self, word: &str) -> bool {
        let found = self.at(word);
        if found {
            self.bump();
        }
        found
    }

    /// The empty place right behind the token before: where something missing should have stood.
    pub fn after_previous(&self) -> Span {
        match self.position.checked_sub(1) {
            Some(previous) => {
                let span = self.tokens[previous].span;
                Span::new(span.file, span.end, span.end)
            }
            None => {
                let span = self.peek().span;
                Span::new(span.file, span.start, span.start)
            }
        }
    }

    /// The place of the present token; the end of the file is where its last token ends.
    pub fn here(&self) -> Span {
        if self.is_at_end() { self.after_previous() } else { self.peek().span }
    }

    /// How to call the present token in a message.
    pub fn found(&self) -> String {
        let token = self.peek();
        match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => {
                let text = self.text(token);
                let short: String = text.chars().take(40).collect();
                if short.len() < text.len() { format!("`{short}…`") } else { format!("`{text}`") }
            }
        }
    }

    /// How many tokens lie behind; grows with every step, so that loops can see that they get on.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Steps forward until the next token is one of `stops` or the end, over braces with all they hold. Stays
    /// before a closing brace that was opened earlier.
    pub fn skip_until(&mut self, stops: &[&str]) {
        let mut depth = 0usize;
        while !self.is_at_end() {
            if depth == 0 && (self.at_any(stops) || self.at("}")) {
                return;
            }
            if self.at("{") {
                depth += 1;
            } else if self.at("}") {
                depth -= 1;
            }
            self.bump();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;
    use crate::{Options, tokenize};
    use source::FileId;

    fn cursor(text: &str) -> Cursor<'_> {
        let (tokens, _) = tokenize(text, FileId(0), &Options::default());
        Cursor::new(text, FileId(0), tokens)
    }

    #[test]
    fn the_end_is_never_passed() {
        let mut cursor = cursor("a /* b */");
        assert!(cursor.eat("a"));
        assert!(cursor.is_at_end());
        cursor.bump();
        assert_eq!(cursor.peek_text(), "");
        assert_eq!(cursor.after_previous().start, 1);
        assert_eq!(cursor.peek_at(usize::MAX), cursor.peek());
    }

    #[test]
    fn skipping_steps_over_braces_as_a_whole() {
        let mut cursor = cursor("a { b; { c; } } d; e }");
        cursor.skip_until(&[";"]);
        assert!(cursor.eat(";"));
        cursor.skip_until(&[";"]);
        assert!(cursor.at("}"));
    }

    #[test]
    fn quoted_text_is_no_punctuator() {
        assert!(!cursor("\";\"").at("\";\""));
    }
}

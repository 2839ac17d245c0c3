//! Recursive descent over the tokens of a file, with recovery.
//!
//! A function that returns `None` has reported why; its caller skips to where it can go on. Of several findings at
//! one token only the first is kept: the others follow from it.

mod bodies;
mod definitions;
mod programs;
mod types;

use crate::syntax::{Item, Name, Value, ValueKind};
use crate::{errors, keywords};
use source::{Diagnostic, Limit, Limits, Span};
use tokens::{Corrections, Cursor, Token, TokenKind};

/// Parses a file whose tokens are `tokens`, some of its words read as others.
pub(crate) fn parse<'a>(
    text: &'a str,
    file: source::FileId,
    tokens: Vec<Token>,
    corrections: &Corrections,
    limits: &'a Limits,
) -> (Vec<Item<'a>>, Vec<Diagnostic>) {
    let (aside, grammatical): (Vec<Token>, Vec<Token>) =
        tokens.into_iter().partition(|token| matches!(token.kind, TokenKind::Verbatim | TokenKind::Directive));
    let (verbatim, directives) = aside.into_iter().partition(|token| token.kind == TokenKind::Verbatim);
    let mut parser = Parser {
        text,
        cursor: Cursor::new(text, file, grammatical).reading_as(corrections),
        verbatim,
        next_verbatim: 0,
        hoisted: Vec::new(),
        findings: Vec::new(),
        last_error_position: None,
        depth: 0,
        limits,
    };
    parser.directives(directives);
    let items = parser.items(None);
    (items, parser.findings)
}

struct Parser<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    /// The `%` lines of the file, in order, and how many of them have found their place.
    verbatim: Vec<Token>,
    next_verbatim: usize,
    /// Types that were defined inside the present declaration, and so go before it.
    hoisted: Vec<Item<'a>>,
    findings: Vec<Diagnostic>,
    last_error_position: Option<usize>,
    depth: usize,
    limits: &'a Limits,
}

impl<'a> Parser<'a> {
    /// Line markers, `#pragma` and `#ident` mean nothing here; other directives should have been carried out.
    fn directives(&mut self, directives: Vec<Token>) {
        for token in directives {
            let line = self.cursor.text(token);
            let word = line[1..].trim_start();
            let word = &word[..word.bytes().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(word.len())];
            let is_left_over = ["include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif"];
            if is_left_over.contains(&word) {
                self.findings.push(errors::directive_left_over(token.span, word));
            }
        }
    }

    /// Reports what is wrong at the present token, unless something was reported there already.
    fn report(&mut self, finding: Diagnostic) {
        let position = self.cursor.position();
        if self.last_error_position != Some(position) {
            self.findings.push(finding);
        }
        self.last_error_position = Some(position);
    }

    /// Reports that `what` should stand here.
    fn report_expected(&mut self, what: &str) {
        let finding = errors::expected(self.cursor.here(), what, &self.cursor.found());
        self.report(finding);
    }

    /// Steps over `word`, or reports that it is missing.
    fn expect(&mut self, word: &str) -> Option<Span> {
        if self.cursor.at(word) {
            return Some(self.cursor.bump().span);
        }
        self.report_expected(&format!("`{word}`"));
        None
    }

    /// Steps over a semicolon; where it is missing, says so behind the token before, and goes on as if it were there.
    fn expect_semicolon(&mut self, after: &str) {
        if !self.cursor.eat(";") {
            let finding = errors::missing_semicolon(self.cursor.after_previous(), after, &self.cursor.found());
            self.report(finding);
        }
    }

    /// Steps over the brace that closes the one at `opening`.
    fn expect_closing(&mut self, opening: Span) -> bool {
        if self.cursor.eat("}") {
            return true;
        }
        let finding = errors::unclosed_brace(self.cursor.here(), opening, &self.cursor.found());
        self.report(finding);
        false
    }

    /// A word that names `what`.
    fn name(&mut self, what: &str) -> Option<Name<'a>> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token);
        if token.kind != TokenKind::Identifier {
            self.report_expected(what);
            return None;
        }
        if keywords::is_reserved(text) {
            let finding = errors::reserved_word(token.span, what, text);
            self.report(finding);
            return None;
        }
        self.cursor.bump();
        Some(Name { text, span: token.span })
    }

    /// A name that may be left out.
    fn optional_name(&mut self) -> Option<Name<'a>> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token);
        let is_name = token.kind == TokenKind::Identifier && !keywords::is_reserved(text);
        is_name.then(|| {
            self.cursor.bump();
            Name { text, span: token.span }
        })
    }

    /// A number or a name; where it may be, also a text.
    fn value(&mut self, what: &str, may_be_text: bool) -> Option<Value<'a>> {
        let token = self.cursor.peek();
        let kind = match token.kind {
            TokenKind::Integer => self.integer(token, ""),
            TokenKind::Punctuator if self.cursor.at("-") && self.cursor.peek_at(1).kind == TokenKind::Integer => {
                self.cursor.bump();
                let digits = self.cursor.peek();
                let value = self.integer(digits, "-");
                self.cursor.bump();
                return Some(Value { kind: value, span: token.span.to(digits.span) });
            }
            TokenKind::Text if may_be_text => ValueKind::Literal(self.cursor.text(token)),
            _ if token.kind == TokenKind::Identifier || self.cursor.at("::") => {
                let name = self.qualified_name(what)?;
                return Some(Value { kind: ValueKind::Name(name.text), span: name.span });
            }
            _ => {
                self.report_expected(what);
                return None;
            }
        };
        self.cursor.bump();
        Some(Value { kind, span: token.span })
    }

    fn integer(&self, token: Token, sign: &str) -> ValueKind<'a> {
        let spelling = format!("{sign}{}", self.cursor.text(token));
        // What has no value was reported by the tokenizer.
        let value = tokens::integer_value(&spelling).unwrap_or(0);
        ValueKind::Integer { value, spelling }
    }

    /// `name`, `space::name` or `::name`.
    fn qualified_name(&mut self, what: &str) -> Option<Name<'a>> {
        let start = self.cursor.peek().span;
        self.cursor.eat("::");
        let mut name = self.name(what)?;
        while self.cursor.eat("::") {
            name = self.name(what)?;
        }
        let span = start.to(name.span);
        Some(Name { text: self.cursor.text_of(span), span })
    }

    /// Runs `body` one level deeper, or reports that this is too deep and steps over the braces that come.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.limits.are_exceeded(Limit::Nesting, self.depth + 1) {
            let finding = self.limits.exceeded(Limit::Nesting, Some(self.cursor.peek().span));
            self.report(finding);
            self.cursor.skip_until(&[";"]);
            // What is left of the declarations around is not worth a finding.
            self.last_error_position = Some(self.cursor.position());
            return None;
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// True where a declaration of the top level starts, which means that a brace before was not closed.
    fn at_outer_declaration(&self) -> bool {
        // As names of types these words are odd, but possible: `namespace n;` is a member.
        if self.cursor.at_any(&["const", "typedef"]) {
            return self.cursor.peek_at(1).kind == TokenKind::Identifier;
        }
        if self.cursor.at_any(&["program", "namespace"]) {
            return self.cursor.peek_at(1).kind == TokenKind::Identifier && self.cursor.at_ahead(2, "{");
        }
        let start = self.cursor.peek().span.start as usize;
        let begins_line = start == 0 || self.text.as_bytes().get(start - 1) == Some(&b'\n');
        begins_line
            && self.cursor.at_any(&["struct", "union", "enum"])
            && self.cursor.peek_at(1).kind == TokenKind::Identifier
            && (self.cursor.at_ahead(2, "{") || self.cursor.at_ahead(2, "switch"))
    }

    /// Steps over the rest of a broken declaration, its semicolon included; stays before a closing brace and before
    /// what clearly is the next declaration.
    fn skip_declaration(&mut self) {
        while !self.cursor.is_at_end() && !self.cursor.at_any(&[";", "}"]) && !self.at_outer_declaration() {
            if self.cursor.eat("{") {
                self.cursor.skip_until(&[]);
            }
            self.cursor.bump();
        }
        self.cursor.eat(";");
    }
}

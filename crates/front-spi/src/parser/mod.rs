//! Recursive descent over the tokens of a file, with recovery.
//!
//! A function that returns `None` has reported why; its caller skips to where it can go on. Of several findings at
//! one token only the first is kept: the others follow from it. What breaks no rule of the grammar, but a rule about
//! words, is kept apart ([`Reading::judgements`]): such a file can still be laid out.

mod bodies;
mod clauses;
mod items;
mod measures;
mod pipes;
mod recovery;
mod types;
mod waits;

use crate::{errors, keywords, scan};
use source::{Diagnostic, FileId, Span, near_miss};
use std::collections::BTreeSet;
use tokens::{Cursor, Token, TokenKind};
use xip::{Name, Spanned, Xip};

/// What a file says, and what is wrong with it.
pub(crate) struct Reading {
    pub(crate) xip: Xip,
    /// Findings of the tokenizer and of the grammar.
    pub(crate) syntax: Vec<Diagnostic>,
    /// Findings about names and numbers of what is well formed.
    pub(crate) judgements: Vec<Diagnostic>,
}

/// Reads `text`, all of `file`.
pub(crate) fn read(text: &str, file: FileId) -> Reading {
    read_with(text, file, false)
}

/// Reads `text` as the inside of a flow, in which edges may follow each other: `A -> B via shm -> C`.
pub(crate) fn read_line(text: &str, file: FileId) -> Reading {
    read_with(text, file, true)
}

fn read_with(text: &str, file: FileId, is_line: bool) -> Reading {
    let (tokens, mut syntax) = scan::scan(text, file);
    let (directives, grammatical): (Vec<Token>, Vec<Token>) =
        tokens.into_iter().partition(|token| token.kind == TokenKind::Directive);
    let mut parser = Parser {
        text,
        pipes: pipes_declared(text, file, &grammatical),
        cursor: Cursor::new(text, file, grammatical),
        findings: Vec::new(),
        judgements: Vec::new(),
        last_error_position: None,
        is_line,
    };
    let items = if is_line { vec![parser.line()] } else { parser.items() };
    let Parser { mut findings, mut judgements, .. } = parser;
    findings.retain(|finding| !tokens::follows_from_any(finding, &syntax, text));
    syntax.extend(findings);
    syntax.extend(directives.iter().map(|line| errors::directive(line.span)));
    xip::names::names(&items, &mut judgements);
    Reading { xip: Xip { items }, syntax, judgements }
}

/// The pipes of the file: what is called like one of them is no misspelled keyword.
fn pipes_declared<'a>(text: &'a str, file: FileId, tokens: &[Token]) -> BTreeSet<&'a str> {
    let mut cursor = Cursor::new(text, file, tokens.to_vec());
    let mut names = BTreeSet::new();
    while !cursor.is_at_end() {
        if cursor.eat("pipe") && cursor.peek().kind == TokenKind::Identifier {
            names.insert(cursor.peek_text());
        }
        cursor.bump();
    }
    names
}

struct Parser<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    /// Names of the file's pipes.
    pipes: BTreeSet<&'a str>,
    findings: Vec<Diagnostic>,
    judgements: Vec<Diagnostic>,
    last_error_position: Option<usize>,
    /// Edges may follow each other, and the last one needs no semicolon.
    is_line: bool,
}

impl<'a> Parser<'a> {
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

    fn is_word(&self, ahead: usize) -> bool {
        self.cursor.peek_at(ahead).kind == TokenKind::Identifier
    }

    fn at_any_ahead(&self, ahead: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.cursor.at_ahead(ahead, word))
    }

    /// From `start` to the token before.
    fn since(&self, start: Span) -> Span {
        start.to(self.cursor.after_previous())
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
        let may_be_left_out = self.is_line && self.cursor.is_at_end();
        if !(self.cursor.eat(";") || may_be_left_out) {
            let finding = errors::missing_semicolon(self.cursor.after_previous(), after, &self.cursor.found());
            self.report(finding);
            if self.begins_line() {
                // What is wrong on the next line has nothing to do with this.
                self.last_error_position = None;
            }
        }
    }

    /// Steps over the brace that closes the one at `opening`.
    fn expect_closing(&mut self, opening: Span) {
        if !self.cursor.eat("}") {
            let finding = errors::unclosed_brace(self.cursor.here(), opening, &self.cursor.found());
            self.report(finding);
        }
    }

    /// A word that names `what`.
    fn name(&mut self, what: &str) -> Option<Name> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Identifier {
            self.report_expected(what);
            return None;
        }
        self.cursor.bump();
        Some(Name::new(self.cursor.text(token), token.span))
    }

    /// The name of a packet, pipe, flow or aspect.
    fn declared_name(&mut self, what: &str) -> Option<Name> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token);
        if token.kind == TokenKind::Identifier && keywords::is_reserved(text) {
            self.judgements.push(errors::reserved_word(token.span, what, text));
        }
        self.name(what)
    }

    /// Quoted text, without its quotes.
    fn quoted(&mut self, what: &str) -> Option<Spanned<String>> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Text {
            self.report_expected(what);
            return None;
        }
        self.cursor.bump();
        let written = self.cursor.text(token);
        let text = written.strip_prefix('"').unwrap_or(written);
        let text = text.strip_suffix('"').unwrap_or(text);
        let is_odd = |character: char| {
            character == '\\' || character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}')
        };
        if text.is_empty() {
            self.judgements.push(errors::empty_text(token.span, what));
        } else if text.contains(is_odd) {
            self.judgements.push(errors::odd_character(token.span, what));
        }
        Some(Spanned::new(text.to_owned(), token.span))
    }

    /// The present word if it is one of `known`, or the one of them that it probably was meant to be, which is reported.
    fn keyword(&mut self, known: &[&'static str]) -> Option<&'static str> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        if token.kind != TokenKind::Identifier {
            return None;
        }
        if let Some(found) = known.iter().copied().find(|keyword| *keyword == word) {
            return Some(found);
        }
        let guess = near_miss(word, known)?;
        let finding = errors::misspelled(token.span, word, guess);
        self.report(finding);
        Some(guess)
    }
}

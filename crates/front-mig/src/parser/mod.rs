//! Recursive descent over the tokens of a file, with recovery.
//!
//! A function that returns `None` has reported why; its caller skips to where it can go on. Of several findings at
//! one token only the first is kept: the others follow from it. Types are looked up as they are read, since a type must
//! be defined before it is used.

mod arguments;
mod clauses;
mod definitions;
mod routines;
mod statements;

use crate::types::Table;
use crate::{Options, errors};
use mig::Subsystem;
use source::{Diagnostic, FileId, Span};
use std::collections::BTreeMap;
use tokens::{Cursor, TokenKind};

/// Reads `text`, all of `file`.
pub(crate) fn read(text: &str, file: FileId, options: &Options) -> (Subsystem, Vec<Diagnostic>) {
    let (mut tokens, mut lexical) = tokens::tokenize(text, file, &tokens::Options::default());
    // Line markers are the source map's business; what else begins with `#` means nothing to MIG either.
    tokens.retain(|token| token.kind != TokenKind::Directive);
    let mut parser = Parser {
        cursor: Cursor::new(text, file, tokens),
        options: *options,
        types: Table::new(options.word),
        subsystem: Subsystem::default(),
        subsystem_at: None,
        wait_time: None,
        message_option: None,
        any_limit: crate::types::ANY_LIMIT,
        routines_at: BTreeMap::new(),
        headers_at: Vec::new(),
        findings: Vec::new(),
        last_error_position: None,
    };
    parser.file();
    let Parser { subsystem, mut findings, headers_at, types, .. } = parser;
    let subsystem = Subsystem { definitions: types.definitions(), ..subsystem };
    // What stands between `<` and `>` is a name, whatever its pieces look like.
    let is_header = |finding: &Diagnostic| {
        let at = finding.primary.as_ref().map(|label| label.span).unwrap_or_default();
        headers_at.iter().any(|header: &Span| header.start <= at.start && at.end <= header.end)
    };
    lexical.retain(|finding| !is_header(finding));
    findings.retain(|finding| !tokens::follows_from_any(finding, &lexical, text));
    findings.extend(lexical);
    (subsystem, findings)
}

pub(crate) struct Parser<'a> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) options: Options,
    pub(crate) types: Table,
    subsystem: Subsystem,
    subsystem_at: Option<Span>,
    /// What holds for the routines that follow.
    wait_time: Option<Vec<String>>,
    message_option: Option<Vec<String>>,
    /// Bytes up to which an array of any length stands in the message.
    pub(crate) any_limit: u64,
    routines_at: BTreeMap<String, Span>,
    /// Names of headers between `<` and `>`.
    headers_at: Vec<Span>,
    findings: Vec<Diagnostic>,
    last_error_position: Option<usize>,
}

impl Parser<'_> {
    /// Reports what is wrong at the present token, unless something was reported there already.
    pub(crate) fn report(&mut self, finding: Diagnostic) {
        let position = self.cursor.position();
        if self.last_error_position != Some(position) {
            self.findings.push(finding);
        }
        self.last_error_position = Some(position);
    }

    /// Reports what breaks no rule of the grammar.
    pub(crate) fn judge(&mut self, finding: Diagnostic) {
        self.findings.push(finding);
    }

    /// Reports that `what` should stand here.
    pub(crate) fn report_expected(&mut self, what: &str) {
        let finding = errors::expected(self.cursor.here(), what, &self.cursor.found());
        self.report(finding);
    }

    /// From `start` to the token before.
    pub(crate) fn since(&self, start: Span) -> Span {
        start.to(self.cursor.after_previous())
    }

    /// Steps over `punctuator`, or reports that it is missing.
    pub(crate) fn expect(&mut self, punctuator: &str) -> Option<Span> {
        if self.cursor.at(punctuator) {
            return Some(self.cursor.bump().span);
        }
        self.report_expected(&format!("`{punctuator}`"));
        None
    }

    /// Steps over a semicolon; where it is missing, says so behind the token before, and goes on as if it were there.
    pub(crate) fn expect_semicolon(&mut self, after: &str) {
        if !self.cursor.eat(";") {
            let finding = errors::missing_semicolon(self.cursor.after_previous(), after, &self.cursor.found());
            self.report(finding);
        }
    }

    /// True if the present token is this word of the language, in any case of letters.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.is_word(0) && self.cursor.peek_text().eq_ignore_ascii_case(word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.cursor.bump();
        }
        found
    }

    /// The one of `known` that the present token is.
    pub(crate) fn word_of(&self, known: &[&'static str]) -> Option<&'static str> {
        known.iter().copied().find(|word| self.at_word(word))
    }

    pub(crate) fn is_word(&self, ahead: usize) -> bool {
        self.cursor.peek_at(ahead).kind == TokenKind::Identifier
    }

    /// A word that names `what`, and its place.
    pub(crate) fn name(&mut self, what: &str) -> Option<(String, Span)> {
        if !self.is_word(0) {
            self.report_expected(what);
            return None;
        }
        let token = self.cursor.bump();
        Some((self.cursor.text(token).to_owned(), token.span))
    }

    /// Steps over the rest of a broken statement, its semicolon included. Gets on.
    fn skip_statement(&mut self, start: usize) {
        let mut depth = 0usize;
        while !self.cursor.is_at_end() {
            match self.cursor.peek_text() {
                "(" | "{" => depth += 1,
                ")" | "}" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => break,
                _ => {}
            }
            if self.cursor.position() > start && self.begins_statement() {
                return;
            }
            self.cursor.bump();
        }
        self.cursor.eat(";");
    }

    /// True where a statement surely begins, even if what is before it was not closed.
    fn begins_statement(&self) -> bool {
        let is_defining = self.at_word("type") && self.is_word(1) && self.cursor.at_ahead(2, "=");
        let is_routine = self.word_of(&["routine", "simpleroutine"]).is_some();
        is_defining || (is_routine && self.is_word(1) && self.cursor.at_ahead(2, "("))
    }
}

//! Recursive descent over the tokens of a file, with recovery.
//!
//! A function that returns `None` has reported why; its caller skips to where it can go on. Of several findings at
//! one token only the first is kept: the others follow from it.

mod annotations;
mod bodies;
mod definitions;
mod expressions;
mod interfaces;
mod literals;
mod types;
mod unsupported;
mod values;

use crate::syntax::{Item, Name, ScopedName};
use crate::{errors, keywords};
use source::{Diagnostic, Limit, Limits, Span};
use std::collections::BTreeSet;
use tokens::{Corrections, Cursor, Token, TokenKind};

/// Parses a file whose tokens are `tokens`, directives left out, some of its words read as others. Returns the items and
/// the words of what could not be read, and the findings.
pub(crate) fn parse<'a>(
    text: &'a str,
    file: source::FileId,
    tokens: Vec<Token>,
    corrections: &Corrections,
    limits: &'a Limits,
) -> ((Vec<Item<'a>>, BTreeSet<&'a str>), Vec<Diagnostic>) {
    let cursor = Cursor::new(text, file, tokens).reading_as(corrections);
    let mut parser = Parser {
        text,
        cursor,
        findings: Vec::new(),
        last_error_position: None,
        skipped: BTreeSet::new(),
        depth: 0,
        operators: 0,
        limits,
    };
    let items = parser.items(false);
    ((items, parser.skipped), parser.findings)
}

struct Parser<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    findings: Vec<Diagnostic>,
    last_error_position: Option<usize>,
    /// Words of definitions that could not be read: they may well define what seems to be missing later.
    skipped: BTreeSet<&'a str>,
    depth: usize,
    /// How many the present expression has.
    operators: usize,
    limits: &'a Limits,
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

    /// Steps over a semicolon where nothing needs one: C++ programmers write them.
    fn eat_needless_semicolon(&mut self) -> bool {
        let place = self.cursor.here();
        let found = self.cursor.eat(";");
        if found {
            self.findings.push(errors::one_too_many(place, ";"));
        }
        found
    }

    /// Steps over the brace that closes the one at `opening`, and says where it stands.
    fn expect_closing(&mut self, opening: Span) -> u32 {
        let end = self.cursor.here().start;
        if !self.cursor.eat("}") {
            let finding = errors::unclosed_brace(self.cursor.here(), opening, &self.cursor.found());
            self.report(finding);
        }
        end
    }

    /// A word that names `what`.
    fn name(&mut self, what: &str) -> Option<Name<'a>> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Identifier {
            self.report_expected(what);
            return None;
        }
        let spelled = self.cursor.text(token);
        let (text, is_escaped) = match spelled.strip_prefix('_') {
            Some(rest) if rest.starts_with(|first: char| first.is_ascii_alphabetic()) => (rest, true),
            _ => (spelled, false),
        };
        // A name that was escaped where it was defined needs no escape where it is used.
        let is_use = what == SOME_NAME;
        let keyword = keywords::reserved(text).filter(|keyword| !is_escaped && (!is_use || *keyword == text));
        if let Some(keyword) = keyword {
            let finding = errors::reserved_word(token.span, what, text, keyword);
            if keyword == text && !self.is_name_position() {
                self.report(finding);
                return None;
            }
            self.findings.push(finding);
        } else if let Some(keyword) = keywords::later(text).filter(|_| !is_escaped && !is_use) {
            self.findings.push(errors::later_keyword(token.span, text, keyword));
        }
        self.cursor.bump();
        Some(Name { text, span: token.span })
    }

    /// True where the token after this one can only follow a name.
    fn is_name_position(&self) -> bool {
        [";", ",", "{", "=", "[", ")"].iter().any(|next| self.cursor.at_ahead(1, next))
    }

    /// `name`, `A::B` or `::A::B`; where it is missing, `what` is.
    fn scoped_name(&mut self, what: &str) -> Option<ScopedName<'a>> {
        let start = self.cursor.here();
        let is_absolute = self.cursor.eat("::");
        if self.cursor.peek().kind != TokenKind::Identifier {
            self.report_expected(what);
            return None;
        }
        let mut parts = vec![self.name(SOME_NAME)?];
        while self.cursor.eat("::") {
            parts.push(self.name(SOME_NAME)?);
        }
        Some(ScopedName { is_absolute, parts, span: start.to(self.cursor.after_previous()) })
    }

    /// One or more names with commas between them.
    fn scoped_names(&mut self, what: &str) -> Option<Vec<ScopedName<'a>>> {
        let mut names = vec![self.scoped_name(what)?];
        while self.cursor.eat(",") {
            names.push(self.scoped_name(what)?);
        }
        Some(names)
    }

    /// Runs `body` one level deeper, or reports that this is too deep and steps over the braces that come.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.limits.are_exceeded(Limit::Nesting, self.depth + 1) {
            let finding = self.limits.exceeded(Limit::Nesting, Some(self.cursor.peek().span));
            self.report(finding);
            self.cursor.skip_until(&[";"]);
            // What is left of the definitions around is not worth a finding.
            self.last_error_position = Some(self.cursor.position());
            return None;
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// True where a line begins with the word for a module or an interface and a name: a brace before was not closed.
    fn at_outer_definition(&self) -> bool {
        let start = self.cursor.peek().span.start as usize;
        let begins_line = start == 0 || self.text.as_bytes().get(start - 1) == Some(&b'\n');
        begins_line
            && self.cursor.at_any(&["module", "interface"])
            && self.cursor.peek_at(1).kind == TokenKind::Identifier
            && self.cursor.at_ahead(2, "{")
    }

    /// Steps over the rest of the broken definition that began at `start`, and notes its words.
    fn leave_out(&mut self, start: u32) {
        self.skip_definition();
        let end = self.cursor.after_previous().end as usize;
        let text = self.text.get(start as usize..end).unwrap_or("");
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        self.skipped.extend(words.filter(|word| !word.is_empty()));
    }

    /// Steps over the rest of a broken definition, its semicolon included; stays before a closing brace.
    fn skip_definition(&mut self) {
        while !self.cursor.is_at_end() && !self.cursor.at_any(&[";", "}"]) && !self.at_outer_definition() {
            if self.cursor.eat("{") {
                self.cursor.skip_until(&[]);
            }
            self.cursor.bump();
        }
        self.cursor.eat(";");
    }
}

/// What [`Parser::name`] is asked for where a name is used, not given: words that became keywords later pass.
const SOME_NAME: &str = "a name";

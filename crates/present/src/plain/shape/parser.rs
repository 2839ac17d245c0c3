//! Reads presentation files (`.pres`). In: text. Out: statements, and what is wrong with them; a broken statement is left
//! out, and reading goes on behind its semicolon. Why a language of its own: what C looks like is no matter of the contract.
//!
//! ```text
//! file      = { statement ";" }
//! statement = "prefix" NAME | "strict" | ("strings" | "arrays" | "results") FORM | KIND path { FORM | "as" NAME }
//! path      = NAME { ("." | "::") NAME }
//! KIND      = "type" | "constant" | "enumerator" | "member" | "interface" | "operation" | "parameter" | "result"
//! FORM      = "terminated" | "counted" | "allocated" | "inline" | "apart" | "lent" | "strict"
//! ```

use source::{Diagnostic, FileId, Span, near_miss};
use tokens::{Cursor, Token, TokenKind};

use super::errors;
use super::statements::{Form, Kind, Statement, Subject, Word, list};

/// Words that begin a statement and are no kinds of things.
const WHOLE: [&str; 5] = ["prefix", "strict", "strings", "arrays", "results"];

/// Reads `text`, all of `file`. An option of the command line is one statement, which may go without its semicolon, and
/// in which `=` may stand behind the first word: `strings=counted`.
pub(super) fn read(text: &str, file: FileId, is_option: bool) -> (Vec<Statement>, Vec<Diagnostic>) {
    let options = tokens::Options { percent_lines: false, compounds: &["::"] };
    let (tokens, mut findings) = tokens::tokenize(text, file, &options);
    let (directives, tokens): (Vec<Token>, Vec<Token>) =
        tokens.into_iter().partition(|token| token.kind == TokenKind::Directive);
    let mut parser = Parser { cursor: Cursor::new(text, file, tokens), findings: Vec::new(), is_option };
    let mut statements = Vec::new();
    while !parser.cursor.is_at_end() {
        let start = parser.cursor.position();
        match parser.statement() {
            Some(statement) => statements.push(statement),
            None => parser.skip(start),
        }
    }
    let mut own = parser.findings;
    own.retain(|finding| !tokens::follows_from_any(finding, &findings, text));
    findings.extend(own);
    findings
        .extend(directives.iter().map(|line| errors::expected(line.span, "a statement", "a line of the preprocessor")));
    (statements, findings)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    findings: Vec<Diagnostic>,
    is_option: bool,
}

impl Parser<'_> {
    /// `None` where it is broken, which was reported.
    fn statement(&mut self) -> Option<Statement> {
        let start = self.cursor.peek().span;
        let first = self.first_word()?;
        if self.is_option {
            self.cursor.eat("=");
        }
        let (mut form, mut name) = (None, None);
        let subject = match first {
            "prefix" => {
                name = Some(self.word("what names begin with")?);
                Subject::Prefix
            }
            "strict" => Subject::Strict,
            "strings" | "arrays" | "results" => {
                form = Some(self.form()?);
                match first {
                    "strings" => Subject::Strings,
                    "arrays" => Subject::Arrays,
                    _ => Subject::Results,
                }
            }
            _ => {
                let kind = Kind::ALL.into_iter().find(|kind| kind.word() == first)?;
                let path = self.path(kind)?;
                self.clauses(kind, &mut form, &mut name)?;
                Subject::Thing(kind, path)
            }
        };
        let span = start.to(self.cursor.after_previous());
        self.semicolon(start)?;
        Some(Statement { subject, form, name, span })
    }

    /// The word that says what a statement is about, or the one that it was meant to be.
    fn first_word(&mut self) -> Option<&'static str> {
        let known: Vec<&'static str> = WHOLE.into_iter().chain(Kind::ALL.map(Kind::word)).collect();
        let token = self.cursor.peek();
        if token.kind != TokenKind::Identifier {
            return self.expected("a statement");
        }
        let word = self.cursor.text(token);
        if let Some(found) = known.iter().copied().find(|known| *known == word) {
            self.cursor.bump();
            return Some(found);
        }
        self.findings.push(errors::unknown_statement(token.span, word, &known, near_miss(word, &known)));
        None
    }

    /// What stands behind a thing; something must.
    fn clauses(&mut self, kind: Kind, form: &mut Option<(Form, Span)>, name: &mut Option<Word>) -> Option<()> {
        loop {
            if name.is_none() && self.cursor.eat("as") {
                *name = Some(self.word("a name of C")?);
            } else if form.is_none() && kind.has_forms() && self.cursor.peek().kind == TokenKind::Identifier {
                *form = Some(self.form()?);
            } else {
                break;
            }
        }
        if form.is_none() && name.is_none() {
            return self.expected(if kind.has_forms() { "a form, or `as` and a name" } else { "`as` and a name" });
        }
        Some(())
    }

    fn form(&mut self) -> Option<(Form, Span)> {
        let token = self.cursor.peek();
        let known = Form::ALL.map(Form::word);
        if token.kind != TokenKind::Identifier {
            return self.expected(&list(&known));
        }
        let word = self.cursor.text(token);
        let Some(form) = Form::ALL.into_iter().find(|form| form.word() == word) else {
            self.findings.push(errors::unknown_form(token.span, word, &known, near_miss(word, &known)));
            return None;
        };
        self.cursor.bump();
        Some((form, token.span))
    }

    fn path(&mut self, kind: Kind) -> Option<Vec<Word>> {
        let mut path = vec![self.word(&format!("the name of the {}", kind.word()))?];
        while self.cursor.eat(".") || self.cursor.eat("::") {
            path.push(self.word("a name")?);
        }
        Some(path)
    }

    fn word(&mut self, what: &str) -> Option<Word> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Identifier {
            return self.expected(what);
        }
        self.cursor.bump();
        Some(Word { text: self.cursor.text(token).to_string(), span: token.span })
    }

    fn expected<T>(&mut self, what: &str) -> Option<T> {
        self.findings.push(errors::expected(self.cursor.here(), what, &self.cursor.found()));
        None
    }

    fn semicolon(&mut self, start: Span) -> Option<()> {
        if self.cursor.eat(";") || (self.is_option && self.cursor.is_at_end()) {
            return Some(());
        }
        self.findings.push(errors::unended(self.cursor.after_previous(), start, &self.cursor.found()));
        None
    }

    /// To where the next statement begins. Gets on.
    fn skip(&mut self, start: usize) {
        let is_begun = |cursor: &Cursor| {
            let word = cursor.peek_text();
            WHOLE.contains(&word) || Kind::ALL.iter().any(|kind| kind.word() == word)
        };
        if self.cursor.position() > start && is_begun(&self.cursor) {
            return;
        }
        while !self.cursor.is_at_end() && !self.cursor.at(";") {
            self.cursor.bump();
        }
        self.cursor.eat(";");
    }
}

//! Statements: one after the other, each with what it sets.

use super::Parser;
use crate::{errors, keywords};
use escape::c::IncludePath;
use mig::{Import, ImportSide};
use source::{Span, near_miss};
use tokens::{TokenKind, text_content};

/// Numbers that the requests and answers of one subsystem may have: each needs a row in the server's table.
const MOST_ROUTINES: usize = 10_000;

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while !self.cursor.is_at_end() {
            let start = self.cursor.position();
            if self.cursor.eat(";") {
                continue;
            }
            if self.statement().is_none() {
                self.skip_statement(start);
                if self.cursor.position() == start {
                    self.cursor.bump();
                }
            }
        }
        let is_of_types = self.subsystem_at.is_none() && self.subsystem.routines.is_empty();
        if is_of_types && !self.options.may_have_types_alone && self.findings.is_empty() {
            self.judge(errors::no_subsystem(None));
        }
    }

    fn statement(&mut self) -> Option<()> {
        let Some(word) = self.word_of(&keywords::STATEMENTS) else {
            let text = self.cursor.peek_text();
            let guess = if self.is_word(0) { near_miss(text, &keywords::STATEMENTS) } else { None };
            let finding = errors::expected_statement(self.cursor.here(), &self.cursor.found(), guess);
            self.report(finding);
            return None;
        };
        let at = self.cursor.bump().span;
        match word {
            "subsystem" => self.subsystem(at)?,
            "type" => self.definition()?,
            "routine" | "simpleroutine" => self.routine(word == "simpleroutine")?,
            "procedure" | "simpleprocedure" | "function" => {
                let routine = if word == "simpleprocedure" { "simpleroutine" } else { "routine" };
                self.judge(errors::obsolete_kind(at, word, routine));
                self.routine(word == "simpleprocedure")?;
                // A function ends with the type of what it returns.
                if self.cursor.eat(":") {
                    self.name("a type")?;
                }
            }
            "skip" => self.skip()?,
            "import" | "uimport" | "simport" | "iimport" | "dimport" => self.import(word)?,
            "serverprefix" => self.subsystem.server_prefix = self.name("a prefix")?.0,
            "userprefix" => self.subsystem.user_prefix = self.name("a prefix")?.0,
            "serverdemux" => self.subsystem.demux = Some(self.c_name("a function")?.0),
            "rcsid" => drop(self.quoted("the text of an RCS identifier")?),
            "waittime" | "sendtime" => self.wait_time = Some(self.c_expression("a number of milliseconds")?),
            "nowaittime" | "nosendtime" => self.wait_time = None,
            "msgoption" => self.message_option = Some(self.c_expression("an option of `mach_msg`")?),
            "error" => drop(self.name("a function")?),
            "usertypelimit" => self.any_limit = self.number("a number of bytes", 8, 1 << 20)?,
            // Apple's words about how errors are treated: nothing in a message of typed data depends on them.
            _ => drop(self.name("what becomes of rights that were not sent")?),
        }
        self.expect_semicolon(&format!("`{word}`"));
        Some(())
    }

    fn subsystem(&mut self, at: Span) -> Option<()> {
        loop {
            let is_kind = self.is_word(1);
            if is_kind && self.eat_word("kerneluser") {
                self.subsystem.user_is_kernel = true;
            } else if is_kind && self.eat_word("kernelserver") {
                self.subsystem.server_is_kernel = true;
            } else {
                break;
            }
        }
        let (name, name_at) = self.c_name("the name of a subsystem")?;
        // Requests have numbers from here on, answers those a hundred higher.
        let base = self.number("a number of requests", 0, i32::MAX as u64 - 100 - MOST_ROUTINES as u64)?;
        if let Some(first) = self.subsystem_at {
            self.judge(errors::second_subsystem(at, first));
            return Some(());
        }
        self.subsystem_at = Some(at);
        (self.subsystem.name, self.subsystem.at) = (name, name_at);
        self.subsystem.base = u32::try_from(base).unwrap_or_default();
        Some(())
    }

    fn skip(&mut self) -> Option<()> {
        let at = self.cursor.after_previous();
        let count = if self.cursor.at(";") { 1 } else { self.number("a number of routines", 1, MOST_ROUTINES as u64)? };
        for _ in 0..count {
            self.push_routine(None, at);
        }
        Some(())
    }

    /// Gives a routine the next number; `None` skips it.
    pub(super) fn push_routine(&mut self, routine: Option<mig::Routine>, at: Span) {
        if self.subsystem_at.is_none() {
            if self.subsystem.routines.is_empty() {
                self.judge(errors::no_subsystem(Some(at)));
            }
            self.subsystem.routines.push(None);
            return;
        }
        let count = self.subsystem.routines.len();
        if count >= MOST_ROUTINES {
            if count == MOST_ROUTINES {
                self.judge(errors::number_out_of_range(at, "a number of routines", 0, MOST_ROUTINES as u64));
                self.subsystem.routines.push(None);
            }
            return;
        }
        let number = self.subsystem.base + u32::try_from(count).unwrap_or_default();
        self.subsystem.routines.push(routine.map(|routine| mig::Routine { number, ..routine }));
    }

    pub(super) fn default_wait_time(&self) -> Option<Vec<String>> {
        self.wait_time.clone()
    }

    pub(super) fn default_message_option(&self) -> Option<Vec<String>> {
        self.message_option.clone()
    }

    pub(super) fn routine_before(&mut self, name: &str, at: Span) -> Option<Span> {
        self.routines_at.insert(name.to_owned(), at)
    }

    fn import(&mut self, word: &str) -> Option<()> {
        let start = self.cursor.here();
        let is_system = self.cursor.at("<");
        let path = if is_system { self.system_header()? } else { self.quoted("a header, `<…>` or `\"…\"`")?.0 };
        let span = self.since(start);
        let side = match word {
            "import" => ImportSide::Both,
            "uimport" => ImportSide::User,
            "simport" => ImportSide::Server,
            // Of files that whittle does not make: the internal header's, and Apple's defines header's.
            _ => return Some(()),
        };
        match IncludePath::new(&path) {
            Ok(path) => self.subsystem.imports.push(Import { path, is_system, side }),
            Err(refused) => self.judge(errors::bad_import(span, &refused.to_string())),
        }
        Some(())
    }

    /// What stands between `<` and `>`, on one line.
    fn system_header(&mut self) -> Option<String> {
        let opening = self.cursor.bump().span;
        let start = self.cursor.peek().span.start;
        let mut end = start;
        while !self.cursor.at(">") {
            let token = self.cursor.peek();
            if token.kind == TokenKind::End || self.cursor.at(";") {
                self.report_expected("`>`");
                return None;
            }
            end = token.span.end;
            self.cursor.bump();
        }
        let header = Span::new(opening.file, start, end.max(start));
        self.headers_at.push(header);
        self.cursor.bump();
        Some(self.cursor.text_of(header).to_owned())
    }

    /// Quoted text, and its place.
    fn quoted(&mut self, what: &str) -> Option<(String, Span)> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Text {
            self.report_expected(what);
            return None;
        }
        self.cursor.bump();
        Some((text_content(self.cursor.text(token)), token.span))
    }

    /// An expression that only C understands: names and numbers with `|` between them.
    fn c_expression(&mut self, what: &str) -> Option<Vec<String>> {
        let mut words = Vec::new();
        loop {
            let token = self.cursor.peek();
            if !matches!(token.kind, TokenKind::Identifier | TokenKind::Integer) {
                self.report_expected(what);
                return None;
            }
            self.cursor.bump();
            words.push(self.cursor.text(token).to_owned());
            if !self.cursor.eat("|") {
                return Some(words);
            }
        }
    }
}

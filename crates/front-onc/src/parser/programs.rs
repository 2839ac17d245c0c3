//! Programs, versions and procedures (RFC 5531 section 12).

use super::Parser;
use crate::errors;
use crate::syntax::{Argument, Form, Item, Procedure, Program, Type, Value, ValueKind, Version};
use source::Span;
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// `program NAME { versions } = number;`
    pub(super) fn program(&mut self) -> Option<Item<'a>> {
        self.cursor.bump();
        let name = self.name("a name for the program")?;
        let opening = self.expect("{")?;
        let mut versions = Vec::new();
        let before = self.findings.len();
        while !self.at_end_of_body() {
            match self.version() {
                Some(version) => versions.push(version),
                None => self.skip_declaration(),
            }
        }
        let closed = self.expect_closing(opening);
        if closed && versions.is_empty() && self.findings.len() == before {
            self.findings.push(errors::empty_body(name.span, "program", "a version"));
        }
        let number = self.number(closed, name.span, "program");
        Some(Item::Program(Program { name, versions, number }))
    }

    /// `version NAME { procedures } = number;`
    fn version(&mut self) -> Option<Version<'a>> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        if word != "version" {
            let is_misspelled =
                self.cursor.peek_at(1).kind == TokenKind::Identifier && source::near_miss(word, &["version"]).is_some();
            if !is_misspelled {
                self.report_expected("`version`");
                return None;
            }
            let finding = errors::misspelled(token.span, word, "version");
            self.report(finding);
        }
        self.cursor.bump();
        let name = self.name("a name for the version")?;
        let opening = self.expect("{")?;
        let mut procedures = Vec::new();
        let before = self.findings.len();
        while !self.at_end_of_body() {
            match self.procedure() {
                Some(procedure) => procedures.push(procedure),
                None => self.skip_declaration(),
            }
        }
        let closed = self.expect_closing(opening);
        if closed && procedures.is_empty() && self.findings.len() == before {
            self.findings.push(errors::empty_body(name.span, "version", "a procedure"));
        }
        let number = self.number(closed, name.span, "version");
        Some(Version { name, procedures, number })
    }

    /// `result NAME(arguments) = number;`
    fn procedure(&mut self) -> Option<Procedure<'a>> {
        let result = self.argument(false)?;
        let name = self.name("a name for the procedure")?;
        self.expect("(")?;
        let arguments = self.arguments()?;
        self.expect(")")?;
        let number = self.number(true, name.span, "procedure");
        Some(Procedure { name, arguments, result, number })
    }

    /// Nothing, `void`, or one or more arguments.
    fn arguments(&mut self) -> Option<Vec<Argument<'a>>> {
        let mut arguments = Vec::new();
        if self.cursor.at(")") {
            return Some(arguments);
        }
        loop {
            arguments.push(self.argument(true)?);
            if !self.cursor.eat(",") {
                break;
            }
        }
        let is_void =
            |argument: &Argument<'a>| matches!(argument.ty, Type::Void) && matches!(argument.form, Form::Plain);
        if arguments.len() > 1 {
            for argument in arguments.iter().filter(|argument| is_void(argument)) {
                self.findings.push(errors::void_among_arguments(argument.span));
            }
        }
        arguments.retain(|argument| !is_void(argument));
        Some(arguments)
    }

    /// `= number;` Where it is missing, says so, unless something else was wrong before.
    fn number(&mut self, is_expected: bool, name: Span, what: &str) -> Value<'a> {
        if is_expected && self.cursor.eat("=") {
            if let Some(number) = self.value(&format!("a number for the {what}"), false) {
                self.expect_semicolon(&format!("the {what}"));
                return number;
            }
            self.skip_declaration();
        } else if is_expected {
            let finding = errors::missing_number(self.cursor.after_previous(), what);
            self.report(finding);
            self.cursor.eat(";");
        }
        Value { kind: ValueKind::Missing, span: name }
    }
}

//! What stands in the braces of structures, unions and enumerations.

use super::Parser;
use crate::errors;
use crate::syntax::{Case, Declaration, Member, Type, Union, Value};
use source::Span;

impl<'a> Parser<'a> {
    /// The body of a `struct`, `union` or `enum`; `head` is where it is named or announced.
    pub(super) fn body(&mut self, word: &str, head: Span) -> Option<Type<'a>> {
        self.nested(|parser| match word {
            "struct" => parser.structure(head),
            "union" => parser.union(head),
            _ => parser.enumeration(head),
        })
    }

    fn structure(&mut self, head: Span) -> Option<Type<'a>> {
        let opening = self.expect("{")?;
        let mut fields = Vec::new();
        let before = self.findings.len();
        while !self.at_end_of_body() {
            self.member("a name for the member", &mut fields);
        }
        if self.expect_closing(opening) && fields.is_empty() && self.findings.len() == before {
            self.findings.push(errors::empty_body(head, "struct", "a member"));
        }
        Some(Type::Structure(fields))
    }

    /// One `declaration;`, with what C would allow instead reported and understood. Always gets on.
    fn member(&mut self, what: &str, fields: &mut Vec<Declaration<'a>>) {
        if self.cursor.eat(";") {
            // One too many does no harm.
            return;
        }
        let Some(first) = self.declaration(what) else {
            self.skip_declaration();
            return;
        };
        fields.push(first);
        if self.cursor.at(",") {
            let finding = errors::several_names(self.cursor.peek().span);
            self.report(finding);
            self.skip_declaration();
            return;
        }
        self.expect_semicolon("the member");
    }

    /// True where the list in braces can only be over.
    pub(super) fn at_end_of_body(&self) -> bool {
        self.cursor.is_at_end() || self.cursor.at("}") || self.at_outer_declaration()
    }

    /// `switch (declaration) { cases }`
    fn union(&mut self, head: Span) -> Option<Type<'a>> {
        self.expect("switch")?;
        self.expect("(")?;
        let discriminant = self.declaration("a name for the discriminant")?;
        self.expect(")")?;
        let opening = self.expect("{")?;
        let mut cases = Vec::new();
        let before = self.findings.len();
        while !self.at_end_of_body() {
            if self.cursor.eat(";") {
                continue;
            }
            match self.case() {
                Some(case) => cases.push(case),
                None => self.skip_case(),
            }
        }
        if self.expect_closing(opening) && cases.is_empty() && self.findings.len() == before {
            self.findings.push(errors::empty_body(head, "union", "a case"));
        }
        Some(Type::Union(Box::new(Union { discriminant, cases })))
    }

    /// Labels and a body.
    fn case(&mut self) -> Option<Case<'a>> {
        let mut labels: Vec<Value<'a>> = Vec::new();
        let mut default = None;
        let start = self.cursor.peek().span;
        loop {
            let token = self.cursor.peek();
            if self.at_case_word("default") {
                self.cursor.bump();
                if default.replace(token.span).is_some() {
                    self.findings.push(errors::two_defaults(token.span, start));
                }
            } else if self.at_case_word("case") {
                self.cursor.bump();
                labels.push(self.value("a value: a number or a name", false)?);
            } else {
                break;
            }
            self.expect(":")?;
        }
        if labels.is_empty() && default.is_none() {
            self.report_expected("`case`, `default` or `}`");
            return None;
        }
        let body = self.case_body()?;
        Some(Case { labels, default, body, span: start.to(self.cursor.after_previous()) })
    }

    /// `void;` or a declaration; the outer option is for failure.
    #[expect(clippy::option_option, reason = "the two ways to have no body differ: void, and a mistake")]
    fn case_body(&mut self) -> Option<Option<Declaration<'a>>> {
        if self.cursor.at("void") {
            let void = self.cursor.bump().span;
            if !self.cursor.at(";") && self.optional_name().is_some() {
                self.findings.push(errors::void_with_name(void));
            }
            self.expect_semicolon("`void`");
            return Some(None);
        }
        let declaration = self.declaration("a name for the case's body")?;
        self.expect_semicolon("the case");
        Some(Some(declaration))
    }

    /// True at `case` or `default`, misspelled or not.
    fn at_case_word(&mut self, word: &'static str) -> bool {
        if self.cursor.at(word) {
            return true;
        }
        let token = self.cursor.peek();
        let text = self.cursor.text(token);
        let is_followed = if word == "default" { self.cursor.at_ahead(1, ":") } else { self.cursor.at_ahead(2, ":") };
        let is_misspelled = token.kind == tokens::TokenKind::Identifier
            && is_followed
            && source::near_miss(text, &["case", "default"]) == Some(word);
        if is_misspelled {
            let finding = errors::misspelled(token.span, text, word);
            self.report(finding);
        }
        is_misspelled
    }

    /// Steps over a broken case, up to the next one.
    fn skip_case(&mut self) {
        if self.cursor.at_any(&["case", "default"]) {
            self.cursor.bump();
        }
        self.cursor.skip_until(&["case", "default", ";"]);
        self.cursor.eat(";");
    }

    /// `{ NAME [= value], … }`
    fn enumeration(&mut self, head: Span) -> Option<Type<'a>> {
        let opening = self.expect("{")?;
        let mut members = Vec::new();
        let before = self.findings.len();
        while !self.at_end_of_body() {
            match self.enumeration_member() {
                Some(member) => members.push(member),
                None => self.cursor.skip_until(&[",", ";"]),
            }
            if self.cursor.at(";") {
                let finding = errors::semicolon_in_enumeration(self.cursor.peek().span);
                self.report(finding);
                self.cursor.bump();
            } else if !self.cursor.eat(",") && !self.at_end_of_body() {
                let finding = errors::missing_comma(self.cursor.after_previous(), &self.cursor.found());
                self.report(finding);
                if self.cursor.peek().kind != tokens::TokenKind::Identifier {
                    self.cursor.skip_until(&[",", ";"]);
                    self.cursor.eat(",");
                }
            }
        }
        if self.expect_closing(opening) && members.is_empty() && self.findings.len() == before {
            self.findings.push(errors::empty_body(head, "enum", "a name"));
        }
        Some(Type::Enumeration(members))
    }

    fn enumeration_member(&mut self) -> Option<Member<'a>> {
        let name = self.name("a name for the value")?;
        let value = match self.cursor.eat("=") {
            true => Some(self.value("a number or the name of a constant", false)?),
            false => None,
        };
        Some(Member { name, value })
    }
}

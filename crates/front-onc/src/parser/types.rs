//! Types, and the declarations that give them names.

use super::Parser;
use crate::errors;
use crate::syntax::{Argument, Declaration, Form, Item, Name, Type};
use source::Span;
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// A type, a name (`what`), and the marks around it. The semicolon is left to the caller.
    pub(super) fn declaration(&mut self, what: &str) -> Option<Declaration<'a>> {
        let (ty, ty_span) = self.type_specifier()?;
        if matches!(ty, Type::Void) {
            let finding = errors::void_not_allowed(ty_span);
            self.findings.push(finding);
            self.last_error_position = Some(self.cursor.position());
            return None;
        }
        let star = self.star();
        let name = self.name(what)?;
        let form = self.form(&ty, ty_span, star, Some(name))?;
        Some(Declaration { ty, ty_span, name, form })
    }

    /// An argument or a result: a type with marks, the name among them left out or not.
    pub(super) fn argument(&mut self, may_have_name: bool) -> Option<Argument<'a>> {
        let (ty, ty_span) = self.type_specifier()?;
        let star = self.star();
        let name = if may_have_name { self.optional_name() } else { None };
        if matches!(ty, Type::Void) && name.is_some() {
            let finding = errors::void_with_name(ty_span);
            self.report(finding);
        }
        let form = self.form(&ty, ty_span, star, name)?;
        Some(Argument { ty, span: ty_span, name, form })
    }

    /// A `*`; several of them are one and a finding.
    fn star(&mut self) -> Option<Span> {
        if !self.cursor.at("*") {
            return None;
        }
        let star = self.cursor.bump().span;
        while self.cursor.at("*") {
            let finding = errors::two_stars(self.cursor.peek().span);
            self.report(finding);
            self.cursor.bump();
        }
        Some(star)
    }

    /// The brackets behind a name, judged together with the star before it.
    fn form(&mut self, ty: &Type<'a>, ty_span: Span, star: Option<Span>, name: Option<Name<'a>>) -> Option<Form<'a>> {
        let brackets = self.cursor.peek().span;
        let mut form = self.brackets()?;
        if self.cursor.at("[") || self.cursor.at("<") {
            let finding = errors::two_dimensions(self.cursor.peek().span);
            self.report(finding);
            while self.cursor.at("[") || self.cursor.at("<") {
                self.brackets()?;
            }
            self.last_error_position = Some(self.cursor.position());
        }
        let keyword = match ty {
            Type::Text => Some("string"),
            Type::Opaque => Some("opaque"),
            _ => None,
        };
        match (&form, star) {
            (Form::Plain, None) if keyword == Some("opaque") => {
                let name = name.map_or("name", |name| name.text);
                self.findings.push(errors::bare_opaque(ty_span, name));
            }
            (Form::Plain, None) => {}
            (_, Some(star)) if keyword.is_some() => {
                self.findings.push(errors::pointer_to_bytes(star, keyword.unwrap_or_default()));
            }
            (Form::Plain, Some(_)) => form = Form::Pointer,
            (_, Some(star)) => self.findings.push(errors::pointer_and_array(star, brackets)),
            (Form::Fixed(length), None) if keyword == Some("string") => {
                let length = self.cursor.text_of(length.span);
                self.findings.push(errors::fixed_string(brackets, length));
            }
            _ => {}
        }
        if matches!(ty, Type::Void) && !matches!(form, Form::Plain) {
            self.findings.push(errors::void_with_name(ty_span));
        }
        Some(form)
    }

    fn brackets(&mut self) -> Option<Form<'a>> {
        if self.cursor.eat("[") {
            let length = self.value("a length: a number or the name of a constant", false)?;
            self.expect("]")?;
            return Some(Form::Fixed(length));
        }
        if self.cursor.eat("<") {
            if self.cursor.eat(">") {
                return Some(Form::Counted(None));
            }
            let bound = self.value("a bound: a number, the name of a constant, or `>` for none", false)?;
            self.expect(">")?;
            return Some(Form::Counted(Some(bound)));
        }
        Some(Form::Plain)
    }

    /// A type and the span of its words.
    pub(super) fn type_specifier(&mut self) -> Option<(Type<'a>, Span)> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Identifier && !self.cursor.at("::") {
            self.report_expected("a type");
            return None;
        }
        let plain = match self.cursor.text(token) {
            "void" => Type::Void,
            "bool" => Type::Boolean,
            "float" => Type::Float { bits: 32 },
            "double" => Type::Float { bits: 64 },
            "string" => Type::Text,
            "opaque" => Type::Opaque,
            "unsigned" | "char" | "short" | "int" | "long" | "hyper" => return self.integer_type(),
            word @ ("struct" | "union" | "enum") => return self.tagged_type(word),
            _ => {
                let name = self.qualified_name("a type")?;
                return Some((Type::Named { tag: None, name }, name.span));
            }
        };
        self.cursor.bump();
        Some((plain, token.span))
    }

    /// `unsigned`, `long`, `unsigned hyper`, `short int`, …
    fn integer_type(&mut self) -> Option<(Type<'a>, Span)> {
        let first = self.cursor.peek();
        let signed = !self.cursor.eat("unsigned");
        let width = self.cursor.peek_text();
        let bits = match width {
            "char" => 8,
            "short" => 16,
            "int" | "long" => 32,
            "hyper" => 64,
            "float" | "double" | "bool" | "string" | "opaque" | "struct" | "union" | "enum" | "void" => {
                let finding = errors::unsigned_other(self.cursor.peek().span, width);
                self.report(finding);
                self.cursor.bump();
                32
            }
            _ => 32,
        };
        let is_width = matches!(width, "char" | "short" | "int" | "long" | "hyper");
        let mut last = first;
        if is_width {
            last = self.cursor.bump();
            if matches!(width, "short" | "long" | "hyper") && self.cursor.at("int") {
                last = self.cursor.bump();
            } else if width == "long" && self.cursor.at("long") {
                let finding = errors::long_long(first.span.to(self.cursor.peek().span), signed);
                self.report(finding);
                last = self.cursor.bump();
            }
        }
        let span = first.span.to(last.span);
        let spelling = self.cursor.text_of(span).split_whitespace().collect::<Vec<_>>().join(" ");
        Some((Type::Integer { bits, signed, spelling }, span))
    }

    /// `struct name`, or a body in place.
    fn tagged_type(&mut self, word: &'a str) -> Option<(Type<'a>, Span)> {
        let keyword = self.cursor.bump().span;
        let has_body_next = self.cursor.at("{") || (word == "union" && self.cursor.at("switch"));
        if has_body_next {
            return Some((self.body(word, keyword)?, keyword));
        }
        let name = self.name(&format!("a name or a body for the {word}"))?;
        let reference = Type::Named { tag: Some(word), name };
        let span = keyword.to(name.span);
        let has_body = self.cursor.at("{") || (word == "union" && self.cursor.at("switch"));
        if has_body {
            return self.hoist(word, name, span);
        }
        Some((reference, span))
    }

    /// A body with a tag defines the tag, wherever it stands.
    fn hoist(&mut self, word: &'a str, name: Name<'a>, span: Span) -> Option<(Type<'a>, Span)> {
        let body = self.body(word, span)?;
        // `typedef struct a {…} a;` says the same thing twice.
        if self.cursor.peek_text() == name.text && self.cursor.at_ahead(1, ";") {
            return Some((body, span));
        }
        self.hoisted.push(Item::Type { name, body });
        Some((Type::Named { tag: Some(word), name }, span))
    }
}

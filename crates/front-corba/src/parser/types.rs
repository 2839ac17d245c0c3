//! Types as they are used.

use super::Parser;
use crate::syntax::{Name, ScopedName, Type, TypeKind};
use crate::{errors, keywords};
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// A type of data; `void` is none.
    pub(super) fn type_of_data(&mut self, what: &str) -> Option<Type<'a>> {
        if self.cursor.at("void") {
            let finding = errors::void_not_allowed(self.cursor.here());
            self.report(finding);
            return None;
        }
        self.type_specifier(what)
    }

    /// A type; `what` is what should stand here.
    pub(super) fn type_specifier(&mut self, what: &str) -> Option<Type<'a>> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Identifier && !self.cursor.at("::") {
            self.report_expected(what);
            return None;
        }
        let start = token.span;
        let kind = match self.cursor.text(token) {
            "unsigned" | "short" | "long" => self.number(),
            "string" => self.text(false),
            "wstring" if !self.cursor.at_ahead(1, "::") => self.text(true),
            "sequence" => self.nested(Self::sequence),
            "map" if self.cursor.at_ahead(1, "<") => self.nested(Self::map),
            "fixed" => self.fixed(),
            word @ ("struct" | "union" | "enum") => {
                let definition = self.type_definition(word)?;
                Some(TypeKind::Definition(Box::new(definition)))
            }
            word => match plain(word) {
                Some(kind) => {
                    self.cursor.bump();
                    Some(kind)
                }
                None => self.named(word),
            },
        }?;
        Some(Type { kind, span: start.to(self.cursor.after_previous()) })
    }

    fn named(&mut self, word: &str) -> Option<TypeKind<'a>> {
        let token = self.cursor.peek();
        if let Some((bits, signed)) = sized(word).filter(|_| !self.cursor.at_ahead(1, "::")) {
            self.cursor.bump();
            let name = Name { text: self.cursor.text(token), span: token.span };
            let name = Some(ScopedName { is_absolute: false, parts: vec![name], span: token.span });
            return Some(TypeKind::Integer { bits, signed, name });
        }
        // `unsigned` and `signed` of C go before the name of a width.
        if word == "signed" && self.cursor.at_ahead(1, "char") {
            let finding = errors::type_of_c(token.span, "signed char", "int8");
            self.report(finding);
            self.cursor.bump();
            self.cursor.bump();
            return Some(TypeKind::Integer { bits: 8, signed: true, name: None });
        }
        Some(TypeKind::Named(self.scoped_name("a type")?))
    }

    /// `short`, `unsigned long`, `long long`, `long double`, …
    fn number(&mut self) -> Option<TypeKind<'a>> {
        let start = self.cursor.peek().span;
        let signed = !self.cursor.eat("unsigned");
        let mut bits = match self.cursor.peek_text() {
            "short" => 16,
            "long" => 32,
            found => {
                let help =
                    if found == "char" { "octet" } else { keywords::type_of_c("unsigned int").unwrap_or_default() };
                let finding = errors::unsigned_other(self.cursor.here(), &self.cursor.found(), help);
                self.report(finding);
                if matches!(found, "int" | "char") {
                    self.cursor.bump();
                }
                return Some(TypeKind::Integer { bits: 32, signed, name: None });
            }
        };
        self.cursor.bump();
        if bits == 32 && self.cursor.eat("long") {
            bits = 64;
        } else if bits == 32 && signed && self.cursor.eat("double") {
            return Some(TypeKind::Float { bits: 128 });
        }
        // `int` may well be a name, unless a name follows it.
        if self.cursor.at("int") && self.cursor.peek_at(1).kind == TokenKind::Identifier {
            let span = start.to(self.cursor.here());
            let right = self.cursor.text_of(start.to(self.cursor.after_previous())).to_owned();
            let finding = errors::type_of_c(span, self.cursor.text_of(span), &right);
            self.report(finding);
            self.cursor.bump();
        }
        Some(TypeKind::Integer { bits, signed, name: None })
    }

    /// `string` or `string<bound>`
    fn text(&mut self, is_wide: bool) -> Option<TypeKind<'a>> {
        self.cursor.bump();
        let mut bound = None;
        if self.cursor.eat("<") {
            bound = Some(self.bound()?);
            self.expect(">")?;
        }
        Some(if is_wide { TypeKind::WideText { bound } } else { TypeKind::Text { bound } })
    }

    /// `sequence<type>` or `sequence<type, bound>`
    fn sequence(&mut self) -> Option<TypeKind<'a>> {
        self.cursor.bump();
        self.expect("<")?;
        // Annotations of elements say nothing to us.
        self.annotations();
        let element = Box::new(self.type_of_data("a type for the elements")?);
        let bound = if self.cursor.eat(",") { Some(self.bound()?) } else { None };
        self.expect(">")?;
        Some(TypeKind::Sequence { element, bound })
    }

    /// `map<type, type>` or `map<type, type, bound>`
    fn map(&mut self) -> Option<TypeKind<'a>> {
        self.cursor.bump();
        self.expect("<")?;
        let key = Box::new(self.type_of_data("a type for the keys")?);
        self.expect(",")?;
        let value = Box::new(self.type_of_data("a type for the values")?);
        let bound = if self.cursor.eat(",") { Some(self.bound()?) } else { None };
        self.expect(">")?;
        Some(TypeKind::Map { key, value, bound })
    }

    /// `fixed<digits, scale>`, or `fixed` alone
    fn fixed(&mut self) -> Option<TypeKind<'a>> {
        self.cursor.bump();
        if !self.cursor.eat("<") {
            return Some(TypeKind::Fixed(None));
        }
        let digits = self.bound()?;
        self.expect(",")?;
        let scale = self.bound()?;
        self.expect(">")?;
        Some(TypeKind::Fixed(Some(Box::new((digits, scale)))))
    }

    /// `enum`, `struct` and so on with a name and a body; the cursor is at the word, which may be misspelled.
    pub(super) fn type_definition(&mut self, word: &str) -> Option<crate::syntax::TypeDefinition<'a>> {
        self.cursor.bump();
        let article = if word == "enum" { "an" } else { "a" };
        if self.cursor.at("{") || (word == "union" && self.cursor.at("switch")) {
            let finding = errors::body_without_name(self.cursor.here(), &format!("{article} {word}"));
            self.report(finding);
            return None;
        }
        let name = self.name(&format!("a name for the {word}"))?;
        let body = self.nested(|parser| parser.body(word, name))?;
        Some(crate::syntax::TypeDefinition { name, body })
    }
}

/// Types of one word that nobody may redefine.
fn plain<'a>(word: &str) -> Option<TypeKind<'a>> {
    Some(match word {
        "void" => TypeKind::Void,
        "octet" => TypeKind::Octet,
        "boolean" => TypeKind::Boolean,
        "char" => TypeKind::Character { is_wide: false },
        "wchar" => TypeKind::Character { is_wide: true },
        "float" => TypeKind::Float { bits: 32 },
        "double" => TypeKind::Float { bits: 64 },
        "any" => TypeKind::Any,
        "Object" => TypeKind::Object,
        "ValueBase" => TypeKind::ValueBase,
        _ => return None,
    })
}

/// Integers that IDL 4.2 names by their width.
fn sized(word: &str) -> Option<(u8, bool)> {
    Some(match word {
        "int8" => (8, true),
        "uint8" => (8, false),
        "int16" => (16, true),
        "uint16" => (16, false),
        "int32" => (32, true),
        "uint32" => (32, false),
        "int64" => (64, true),
        "uint64" => (64, false),
        _ => return None,
    })
}

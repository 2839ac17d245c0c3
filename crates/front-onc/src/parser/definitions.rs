//! Declarations of the top level.

use super::Parser;
use crate::syntax::{Declaration, Form, Item, Name, Type, Value, ValueKind};
use crate::{errors, keywords};
use source::Span;
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// The items up to the end of the file, or up to the brace that closes a namespace.
    pub(super) fn items(&mut self, namespace: Option<Span>) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        loop {
            if self.cursor.is_at_end() || (namespace.is_some() && self.cursor.at("}")) {
                break;
            }
            let item = self.item();
            let end = self.cursor.after_previous().end;
            self.place_verbatim(end, &mut items);
            items.append(&mut self.hoisted);
            items.extend(item);
        }
        let end = self.cursor.peek().span.start;
        self.place_verbatim(end, &mut items);
        items
    }

    /// Moves the `%` lines that start before `end` to `items`. Lines inside a declaration go before it: that is
    /// where rpcgen, which prints them as it meets them, puts them.
    fn place_verbatim(&mut self, end: u32, items: &mut Vec<Item<'a>>) {
        while let Some(token) = self.verbatim.get(self.next_verbatim).filter(|token| token.span.start < end) {
            let text = self.cursor.text(*token);
            items.push(Item::Verbatim { text, span: token.span });
            self.next_verbatim += 1;
        }
    }

    /// One item; `None` where there is nothing to keep. Always gets on.
    fn item(&mut self) -> Option<Item<'a>> {
        let token = self.cursor.peek();
        let mut word = self.cursor.text(token);
        let is_known = keywords::DECLARATIONS.contains(&word);
        if token.kind == TokenKind::Identifier
            && !is_known
            && self.cursor.peek_at(1).kind == TokenKind::Identifier
            && let Some(guess) = source::near_miss(word, &keywords::DECLARATIONS)
        {
            let finding = errors::misspelled(token.span, word, guess);
            self.report(finding);
            word = guess;
        }
        match word {
            "const" => self.declared(Self::constant),
            "typedef" => self.declared(Self::alias),
            "struct" | "union" | "enum" => self.declared(Self::type_definition),
            "program" => self.declared(Self::program),
            "namespace" => self.namespace(),
            "pragma" => {
                self.cursor.skip_until(&[";"]);
                self.expect_semicolon("the pragma");
                None
            }
            ";" => {
                // One too many does no harm; C programmers write them.
                self.cursor.bump();
                None
            }
            _ => {
                let finding = errors::expected_declaration(token.span, &self.cursor.found());
                self.report(finding);
                self.skip_to_next_item();
                None
            }
        }
    }

    /// A declaration that begins with a keyword and ends with a semicolon.
    fn declared(&mut self, parse: fn(&mut Self) -> Option<Item<'a>>) -> Option<Item<'a>> {
        let item = parse(self);
        if item.is_none() {
            self.skip_to_next_item();
        }
        item
    }

    /// Steps over a broken declaration: to behind its semicolon, or to where the next one clearly starts.
    fn skip_to_next_item(&mut self) {
        let start = self.cursor.position();
        loop {
            if self.cursor.is_at_end() || self.cursor.eat(";") {
                return;
            }
            if self.cursor.position() > start && (self.at_outer_declaration() || self.cursor.at("}")) {
                let closes_nothing = self.cursor.at("}") && self.depth == 0;
                if !closes_nothing {
                    return;
                }
            }
            if self.cursor.at("{") {
                self.cursor.bump();
                self.cursor.skip_until(&[]);
            }
            self.cursor.bump();
        }
    }

    /// `const NAME = value;`
    fn constant(&mut self) -> Option<Item<'a>> {
        self.cursor.bump();
        let name = self.name("a name for the constant")?;
        self.expect("=")?;
        let value = self.constant_value(name)?;
        self.expect_semicolon("the constant");
        Some(Item::Constant { name, value })
    }

    /// A whole number, a name, or, as rpcgen has it, a text. Fractions and characters are reported.
    fn constant_value(&mut self, name: Name<'a>) -> Option<Value<'a>> {
        let sign = usize::from(self.cursor.at("-"));
        let token = self.cursor.peek_at(sign);
        if !matches!(token.kind, TokenKind::Float | TokenKind::Character) {
            return self.value("a number or the name of a constant", true);
        }
        let span = self.cursor.peek().span.to(token.span);
        self.findings.push(errors::not_an_integer(span, name.text, self.cursor.text_of(span)));
        (0..=sign).for_each(|_| {
            self.cursor.bump();
        });
        Some(Value { kind: ValueKind::Missing, span })
    }

    /// `typedef declaration;`
    fn alias(&mut self) -> Option<Item<'a>> {
        self.cursor.bump();
        let declaration = self.declaration("a name for the type")?;
        self.expect_semicolon("the type definition");
        match declaration {
            Declaration {
                ty: body @ (Type::Structure(_) | Type::Union(_) | Type::Enumeration(_)),
                name,
                form: Form::Plain,
                ..
            } => Some(Item::Type { name, body }),
            _ => Some(Item::Alias(declaration)),
        }
    }

    /// `struct NAME {…};` and the like.
    fn type_definition(&mut self) -> Option<Item<'a>> {
        let keyword = self.cursor.bump();
        let word = match self.cursor.text(keyword) {
            word @ ("struct" | "union" | "enum") => word,
            misspelled => source::near_miss(misspelled, &["struct", "union", "enum"])?,
        };
        let name = self.name(&format!("a name for the {word}"))?;
        let body = self.body(word, name.span)?;
        self.declarator_after_body(word, name);
        self.expect_semicolon(&format!("the {word}"));
        Some(Item::Type { name, body })
    }

    /// `struct a {…} b;` declares a variable in C and nothing here.
    fn declarator_after_body(&mut self, word: &str, name: Name<'a>) {
        let token = self.cursor.peek();
        let follows_on_line = {
            let between = self.cursor.after_previous().end as usize..token.span.start as usize;
            !self.text.get(between).unwrap_or("").contains('\n')
        };
        let is_name = token.kind == TokenKind::Identifier && !keywords::DECLARATIONS.contains(&self.cursor.text(token));
        if is_name && follows_on_line && self.cursor.at_ahead(1, ";") {
            let finding = errors::name_after_body(token.span, word, name.text, self.cursor.text(token));
            self.report(finding);
            self.cursor.bump();
        }
    }

    /// `namespace NAME {…}`; a semicolon may follow.
    fn namespace(&mut self) -> Option<Item<'a>> {
        self.cursor.bump();
        let Some(name) = self.name("a name for the namespace") else {
            self.cursor.skip_until(&["{", ";"]);
            self.cursor.eat(";");
            return None;
        };
        let opening = self.expect("{")?;
        self.nested(|parser| {
            let items = parser.items(Some(opening));
            parser.expect_closing(opening);
            parser.cursor.eat(";");
            Some(Item::Namespace { name, items })
        })
    }
}

//! Value types: data that travels by value, with operations that stay at home.

use super::Parser;
use crate::syntax::{Block, Item, ItemKind, Member, ValueType};
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// `valuetype NAME : bases supports interfaces {…}`, `valuetype NAME TYPE`, or `valuetype NAME`.
    pub(super) fn value_type(&mut self) -> Option<ItemKind<'a>> {
        let is_abstract = self.cursor.eat("abstract");
        let is_custom = self.cursor.eat("custom");
        self.expect("valuetype")?;
        let name = self.name("a name for the value type")?;
        let begins_type = self.cursor.peek().kind == TokenKind::Identifier || self.cursor.at("::");
        if begins_type && !self.cursor.at("supports") {
            let ty = self.type_of_data("a type")?;
            return Some(ItemKind::ValueBox { name, ty });
        }
        let mut is_truncatable = false;
        let mut bases = Vec::new();
        if self.cursor.eat(":") {
            is_truncatable = self.cursor.eat("truncatable");
            bases = self.scoped_names("a value type")?;
        }
        let supports = if self.cursor.eat("supports") { self.scoped_names("an interface")? } else { Vec::new() };
        let mut body = None;
        if !self.cursor.at(";") || !bases.is_empty() || !supports.is_empty() {
            let opening = self.expect("{")?;
            body = Some(self.nested(|parser| {
                let items = parser.value_elements();
                Some(Block { items, end: parser.expect_closing(opening) })
            })?);
        }
        Some(ItemKind::Value(ValueType { name, is_abstract, is_custom, is_truncatable, bases, supports, body }))
    }

    fn value_elements(&mut self) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        while !self.at_end_of_body() {
            let before = self.cursor.position();
            if !self.eat_needless_semicolon() {
                items.extend(self.value_element());
            }
            if self.cursor.position() == before {
                self.cursor.bump();
            }
        }
        items
    }

    fn value_element(&mut self) -> Option<Item<'a>> {
        let start = self.cursor.peek().span.start;
        // Behind annotations, too, state and factories are known by their first word.
        if !self.cursor.at_any(&["public", "private", "factory", "@"]) {
            return self.export();
        }
        let annotations = self.annotations();
        let kind = match self.cursor.peek_text() {
            // Who may see data is nobody's business on the wire.
            "public" | "private" => {
                self.cursor.bump();
                self.state()
            }
            "factory" => self.factory(),
            _ => {
                let item = self.export()?;
                return Some(Item { annotations, start, ..item });
            }
        };
        self.ended(start, annotations, kind, "the member")
    }

    fn state(&mut self) -> Option<ItemKind<'a>> {
        let ty = self.type_of_data("a type")?;
        let declarators = self.declarators("a name for the member")?;
        Some(ItemKind::State { member: Member { annotations: Vec::new(), ty, declarators } })
    }
}

//! Definitions of files and modules.

use super::Parser;
use crate::syntax::{Block, Declarator, Item, ItemKind, Name, TypeDefinition};
use crate::{errors, keywords};
use source::Limit;
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// The items up to the end of the file, or up to the brace that closes a module.
    pub(super) fn items(&mut self, in_braces: bool) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        while !(self.cursor.is_at_end() || in_braces && self.cursor.at("}")) {
            let before = self.cursor.position();
            items.extend(self.item());
            if self.cursor.position() == before {
                // Whatever this is, it was reported.
                self.cursor.bump();
            }
        }
        items
    }

    /// One item; `None` where there is nothing to keep.
    fn item(&mut self) -> Option<Item<'a>> {
        if self.eat_needless_semicolon() {
            return None;
        }
        let start = self.cursor.peek().span.start;
        if self.cursor.at("@") && self.cursor.at_ahead(1, "annotation") {
            let kind = self.annotation_type();
            return self.ended(start, Vec::new(), kind, "the annotation");
        }
        let annotations = self.annotations();
        let word = self.guessed(&keywords::DEFINITIONS);
        if word == "module" {
            let kind = self.module();
            return self.ended(start, annotations, kind, "the module");
        }
        let (kind, what) = match self.common_definition(word) {
            Some(found) => found,
            None => match word {
                "interface" => (self.interface(), "the interface"),
                "local" if self.cursor.at_ahead(1, "interface") => (self.interface(), "the interface"),
                "abstract" if self.cursor.at_ahead(1, "interface") => (self.interface(), "the interface"),
                "custom" | "abstract" if self.cursor.at_ahead(1, "eventtype") => {
                    self.cursor.bump();
                    (self.unsupported("eventtype").flatten(), "the definition")
                }
                "valuetype" | "custom" | "abstract" => (self.value_type(), "the value type"),
                _ => match self.unsupported(word) {
                    Some(kind) => (kind, "the definition"),
                    None => {
                        let finding = errors::expected_definition(self.cursor.here(), &self.cursor.found());
                        self.report(finding);
                        self.leave_out(start);
                        return None;
                    }
                },
            },
        };
        self.ended(start, annotations, kind, what)
    }

    /// What may stand in interfaces and value types as well; `None` where it is something else.
    pub(super) fn common_definition(&mut self, word: &str) -> Option<(Option<ItemKind<'a>>, &'static str)> {
        Some(match word {
            "typedef" => (self.alias(), "the type definition"),
            "const" => (self.constant(), "the constant"),
            "struct" | "union" | "enum" | "bitset" | "bitmask" => (self.type_or_forward(word), "the type"),
            "exception" => (self.exception(), "the exception"),
            "native" if self.begins_statement() => (self.native(), "the native type"),
            "typeid" | "typeprefix" if self.begins_statement() => (self.type_id(), "the id"),
            _ => return None,
        })
    }

    /// A definition and its semicolon; skips the rest of one that is broken.
    pub(super) fn ended(
        &mut self,
        start: u32,
        annotations: Vec<crate::syntax::Annotation<'a>>,
        kind: Option<ItemKind<'a>>,
        what: &str,
    ) -> Option<Item<'a>> {
        let Some(kind) = kind else {
            self.leave_out(start);
            return None;
        };
        let is_id = matches!(kind, ItemKind::TypeId { .. } | ItemKind::TypePrefix { .. });
        // The OMG's own files leave it out there.
        if !is_id || self.cursor.at(";") {
            self.expect_semicolon(what);
        }
        Some(Item { annotations, kind, start })
    }

    /// The word here, or the one of `known` that it is probably a misspelling of. Definitions begin with two words.
    pub(super) fn guessed(&mut self, known: &[&'static str]) -> &'a str {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        let is_start = token.kind == TokenKind::Identifier && self.cursor.peek_at(1).kind == TokenKind::Identifier;
        let names_a_body = ["{", ":", ";", "="].iter().any(|next| self.cursor.at_ahead(2, next));
        if !is_start || !names_a_body || keywords::is_keyword(word) {
            return word;
        }
        match source::near_miss(word, known) {
            Some(guess) => {
                self.findings.push(errors::misspelled(token.span, word, guess));
                self.last_error_position = Some(self.cursor.position());
                guess
            }
            None => word,
        }
    }

    /// True where the word here is followed by a name, so that it is no name itself.
    pub(super) fn begins_statement(&self) -> bool {
        self.cursor.peek_at(1).kind == TokenKind::Identifier || self.cursor.at_ahead(1, "::")
    }

    /// `module NAME {…}`
    fn module(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        if self.cursor.at_ahead(1, "<") {
            return self.read_over("template modules");
        }
        let name = self.name("a name for the module")?;
        let opening = self.expect("{")?;
        let body = self.nested(|parser| {
            let before = parser.findings.len();
            let items = parser.items(true);
            let is_empty = items.is_empty() && parser.findings.len() == before;
            if is_empty && parser.cursor.at("}") {
                parser.findings.push(errors::empty_body(name.span, "module", "a definition"));
            }
            let end = parser.expect_closing(opening);
            Some(Block { items, end })
        })?;
        Some(ItemKind::Module { name, body })
    }

    /// `const TYPE NAME = expression`
    fn constant(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        let ty = self.type_of_data("a type")?;
        let name = self.name("a name for the constant")?;
        self.expect("=")?;
        let value = self.expression()?;
        Some(ItemKind::Constant { ty, name, value })
    }

    /// `typedef TYPE declarator, …`
    fn alias(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        let ty = self.type_of_data("a type")?;
        let declarators = self.declarators("a name for the type")?;
        Some(ItemKind::Alias { ty, declarators })
    }

    /// One or more names, each with its dimensions.
    pub(super) fn declarators(&mut self, what: &str) -> Option<Vec<Declarator<'a>>> {
        let mut declarators = vec![self.declarator(what)?];
        while self.cursor.eat(",") {
            declarators.push(self.declarator(what)?);
        }
        Some(declarators)
    }

    pub(super) fn declarator(&mut self, what: &str) -> Option<Declarator<'a>> {
        if self.cursor.at("*") || self.cursor.at("&") {
            let finding = errors::pointer(self.cursor.here(), self.cursor.peek_text());
            self.report(finding);
            return None;
        }
        let name = self.name(what)?;
        let mut dimensions = Vec::new();
        while self.cursor.eat("[") {
            if self.limits.are_exceeded(Limit::Nesting, dimensions.len() + 1) {
                self.report(self.limits.exceeded(Limit::Nesting, Some(self.cursor.here())));
                return None;
            }
            dimensions.push(self.expression()?);
            self.expect("]")?;
        }
        Some(Declarator { name, dimensions })
    }

    fn native(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        Some(ItemKind::Native(self.name("a name for the native type")?))
    }

    /// `exception NAME {members}`
    fn exception(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        let name = self.name("a name for the exception")?;
        let opening = self.expect("{")?;
        let members = self.nested(|parser| Some(parser.members(opening)))?;
        Some(ItemKind::Exception { name, members })
    }

    /// `struct NAME {…}` and the like, or `struct NAME` alone.
    fn type_or_forward(&mut self, word: &str) -> Option<ItemKind<'a>> {
        if matches!(word, "struct" | "union") && self.cursor.at_ahead(2, ";") {
            self.cursor.bump();
            let word = if word == "struct" { "struct" } else { "union" };
            return Some(ItemKind::Forward { word, name: self.name("a name for the type")? });
        }
        let definition: TypeDefinition<'a> = self.type_definition(word)?;
        self.declarator_after_body(definition.name);
        Some(ItemKind::Type(definition))
    }

    /// `struct a {…} b;` declares a variable in C and nothing here.
    fn declarator_after_body(&mut self, name: Name<'a>) {
        let token = self.cursor.peek();
        if token.kind == TokenKind::Identifier
            && self.cursor.at_ahead(1, ";")
            && !keywords::is_keyword(self.cursor.text(token))
        {
            let between = self.cursor.after_previous().end as usize..token.span.start as usize;
            if !self.text.get(between).unwrap_or("").contains('\n') {
                let finding = errors::name_after_body(token.span, name.text, self.cursor.text(token));
                self.report(finding);
                self.cursor.bump();
            }
        }
    }

    /// `typeid NAME "id"` or `typeprefix NAME "prefix"`
    fn type_id(&mut self) -> Option<ItemKind<'a>> {
        let word = self.cursor.bump();
        let is_prefix = self.cursor.text(word) == "typeprefix";
        let target = self.scoped_name("the name of a definition")?;
        if self.cursor.peek().kind != TokenKind::Text {
            self.report_expected("a text in quotes");
            return None;
        }
        let text = self.literal()?;
        Some(match is_prefix {
            true => ItemKind::TypePrefix { target, prefix: text },
            false => ItemKind::TypeId { target, id: text },
        })
    }
}

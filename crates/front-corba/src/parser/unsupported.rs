//! What the language has and this compiler does not: components, homes, event types, ports, connectors, template
//! modules. They are read over, so that one error says so, and the rest of the file is judged.

use super::Parser;
use crate::syntax::ItemKind;
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// Reads over what `word` begins; the outer option is `None` where it begins nothing.
    #[expect(clippy::option_option, reason = "no such word, and a mistake behind it, differ")]
    pub(super) fn unsupported(&mut self, word: &str) -> Option<Option<ItemKind<'a>>> {
        if word == "import" && (self.begins_statement() || self.cursor.peek_at(1).kind == TokenKind::Text) {
            return Some(self.import());
        }
        if !self.begins_statement() {
            return None;
        }
        let what = match word {
            "component" => "components",
            "home" => "homes",
            "eventtype" => "event types",
            "porttype" => "port types",
            "connector" => "connectors",
            "alias" => "aliases of template modules",
            _ => return None,
        };
        self.cursor.bump();
        Some(self.read_over(what))
    }

    /// `import NAME` or `import "text"`
    fn import(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        if self.cursor.peek().kind == TokenKind::Text {
            return Some(ItemKind::ImportOf(self.literal()?));
        }
        Some(ItemKind::Import(self.scoped_name("a module or an interface")?))
    }

    /// A name, and all up to the semicolon or over the braces.
    pub(super) fn read_over(&mut self, what: &'static str) -> Option<ItemKind<'a>> {
        self.cursor.eat("::");
        let name = self.name("a name")?;
        self.cursor.skip_until(&["{", ";"]);
        if self.cursor.at("{") {
            let opening = self.cursor.bump().span;
            self.cursor.skip_until(&[]);
            self.expect_closing(opening);
        }
        Some(ItemKind::Unsupported { what, name })
    }
}

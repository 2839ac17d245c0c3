//! Interfaces, operations and attributes.

use super::Parser;
use crate::errors;
use crate::syntax::{Attribute, Block, Expression, Interface, Item, ItemKind, Operation, Parameter, ScopedName, Type};
use aoi::Direction;
use tokens::TokenKind;

/// Words that begin what stands in an interface, for guesses.
const EXPORTS: [&str; 8] = ["attribute", "readonly", "oneway", "typedef", "struct", "enum", "exception", "const"];

impl<'a> Parser<'a> {
    /// `interface NAME : bases {…}`, with `local` or `abstract` before it or not; or `interface NAME`.
    pub(super) fn interface(&mut self) -> Option<ItemKind<'a>> {
        let is_local = self.cursor.eat("local");
        let is_abstract = self.cursor.eat("abstract");
        if is_local || is_abstract {
            self.expect("interface")?;
        } else {
            self.cursor.bump();
        }
        let name = self.name("a name for the interface")?;
        let bases = if self.cursor.eat(":") { self.scoped_names("an interface")? } else { Vec::new() };
        let mut body = None;
        if bases.is_empty() && self.cursor.at(";") {
            return Some(ItemKind::Interface(Interface { name, is_local, is_abstract, bases, body }));
        }
        let opening = self.expect("{")?;
        body = Some(self.nested(|parser| {
            let items = parser.exports();
            Some(Block { items, end: parser.expect_closing(opening) })
        })?);
        Some(ItemKind::Interface(Interface { name, is_local, is_abstract, bases, body }))
    }

    fn exports(&mut self) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        while !self.at_end_of_body() {
            let before = self.cursor.position();
            if !self.eat_needless_semicolon() {
                items.extend(self.export());
            }
            if self.cursor.position() == before {
                self.cursor.bump();
            }
        }
        items
    }

    /// What stands in an interface, and with other things in a value type.
    pub(super) fn export(&mut self) -> Option<Item<'a>> {
        let start = self.cursor.peek().span.start;
        let annotations = self.annotations();
        let word = self.guessed(&EXPORTS);
        let (kind, what) = match self.common_definition(word) {
            Some(found) => found,
            None => match word {
                "attribute" | "readonly" => (self.attribute(), "the attribute"),
                "import" if self.begins_statement() => (self.unsupported(word).flatten(), "the import"),
                _ => (self.operation(), "the operation"),
            },
        };
        self.ended(start, annotations, kind, what)
    }

    /// `readonly attribute TYPE names raises (…)`
    fn attribute(&mut self) -> Option<ItemKind<'a>> {
        let is_readonly = self.cursor.eat("readonly");
        if is_readonly {
            self.expect("attribute")?;
        } else {
            self.cursor.bump();
        }
        let ty = self.type_of_data("a type for the attribute")?;
        let mut names = vec![self.name("a name for the attribute")?];
        while self.cursor.eat(",") {
            names.push(self.name("a name for the attribute")?);
        }
        let (mut get_raises, mut set_raises) = (Vec::new(), Vec::new());
        if is_readonly {
            // `getraises` says the same where there is nothing to set.
            get_raises = if self.cursor.at("getraises") { self.exceptions("getraises")? } else { self.raises()? };
        } else {
            if self.cursor.at("getraises") {
                get_raises = self.exceptions("getraises")?;
            }
            if self.cursor.at("setraises") {
                set_raises = self.exceptions("setraises")?;
            }
        }
        Some(ItemKind::Attribute(Attribute { is_readonly, ty, names, get_raises, set_raises }))
    }

    fn raises(&mut self) -> Option<Vec<ScopedName<'a>>> {
        if self.cursor.at("raises") { self.exceptions("raises") } else { Some(Vec::new()) }
    }

    /// `raises (A, B)` and the like
    fn exceptions(&mut self, word: &str) -> Option<Vec<ScopedName<'a>>> {
        self.expect(word)?;
        self.expect("(")?;
        let names = self.scoped_names("an exception")?;
        self.expect(")")?;
        Some(names)
    }

    /// `oneway RESULT NAME (parameters) raises (…) context (…)`
    fn operation(&mut self) -> Option<ItemKind<'a>> {
        let oneway = self.cursor.at("oneway").then(|| self.cursor.bump().span);
        let result: Type<'a> = self.type_specifier("an operation, an attribute or another definition")?;
        let name = self.name("a name for the operation")?;
        let parameters = self.parameters()?;
        let raises = self.raises()?;
        let mut contexts: Vec<Expression<'a>> = Vec::new();
        if self.cursor.eat("context") {
            self.expect("(")?;
            contexts.push(self.literal()?);
            while self.cursor.eat(",") {
                contexts.push(self.literal()?);
            }
            self.expect(")")?;
        }
        Some(ItemKind::Operation(Operation { name, oneway, result, parameters, raises, contexts }))
    }

    /// `(in TYPE NAME, …)`
    fn parameters(&mut self) -> Option<Vec<Parameter<'a>>> {
        self.expect("(")?;
        let mut parameters = Vec::new();
        if self.cursor.at("void") && self.cursor.at_ahead(1, ")") {
            let finding = errors::void_parameters(self.cursor.here());
            self.report(finding);
            self.cursor.bump();
        }
        while !self.cursor.at(")") && !self.cursor.is_at_end() {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            parameters.push(self.parameter()?);
        }
        self.expect(")")?;
        Some(parameters)
    }

    fn parameter(&mut self) -> Option<Parameter<'a>> {
        self.annotations();
        let token = self.cursor.peek();
        let direction = match self.cursor.text(token) {
            "in" => Direction::In,
            "out" => Direction::Out,
            "inout" => Direction::InOut,
            found => {
                let finding = errors::missing_direction(token.span, &self.cursor.found());
                self.report(finding);
                if token.kind != TokenKind::Identifier {
                    return None;
                }
                // Perhaps misspelled, perhaps left out.
                if found.len() > 5 || self.cursor.at_ahead(2, ",") || self.cursor.at_ahead(2, ")") {
                    return self.rest_of_parameter(Direction::In);
                }
                Direction::In
            }
        };
        self.cursor.bump();
        self.rest_of_parameter(direction)
    }

    fn rest_of_parameter(&mut self, direction: Direction) -> Option<Parameter<'a>> {
        let direction_at = self.cursor.after_previous();
        let ty = self.type_of_data("a type for the parameter")?;
        let name = self.name("a name for the parameter")?;
        Some(Parameter { direction, direction_at, ty, name })
    }

    /// The parameters of what makes values: all go in.
    pub(super) fn factory(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        let name = self.name("a name for the factory")?;
        let parameters = self.parameters()?;
        let raises = self.raises()?;
        Some(ItemKind::Factory { name, parameters, raises })
    }
}

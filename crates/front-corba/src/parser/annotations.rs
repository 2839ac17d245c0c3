//! Annotations (IDL 4.2 section 7.4.15).

use super::Parser;
use crate::errors;
use crate::syntax::{Annotation, ItemKind};
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// The annotations here, perhaps none.
    pub(super) fn annotations(&mut self) -> Vec<Annotation<'a>> {
        let mut annotations = Vec::new();
        while self.cursor.at("@") {
            match self.annotation() {
                Some(annotation) => annotations.push(annotation),
                None => self.cursor.skip_until(&[")", ";", "@"]),
            }
        }
        annotations
    }

    /// `@NAME`, `@NAME(expression)` or `@NAME(parameter = expression, …)`
    fn annotation(&mut self) -> Option<Annotation<'a>> {
        let start = self.cursor.bump().span;
        let name = self.annotation_name()?;
        let mut arguments = Vec::new();
        if self.cursor.eat("(") {
            while !self.cursor.at(")") {
                if !arguments.is_empty() {
                    self.expect(",")?;
                }
                let mut parameter = None;
                if self.cursor.peek().kind == TokenKind::Identifier && self.cursor.at_ahead(1, "=") {
                    parameter = Some(self.any_word());
                    self.cursor.bump();
                }
                arguments.push((parameter, self.expression()?));
            }
            self.expect(")")?;
        }
        Some(Annotation { name, arguments, span: start.to(self.cursor.after_previous()) })
    }

    /// Keywords name annotations, too: `@default`, `@oneway`.
    fn annotation_name(&mut self) -> Option<crate::syntax::ScopedName<'a>> {
        let start = self.cursor.here();
        let is_absolute = self.cursor.eat("::");
        if self.cursor.peek().kind != TokenKind::Identifier {
            self.report_expected("the name of an annotation");
            return None;
        }
        let mut parts = vec![self.any_word()];
        while self.cursor.at("::") && self.cursor.peek_at(1).kind == TokenKind::Identifier {
            self.cursor.bump();
            parts.push(self.any_word());
        }
        Some(crate::syntax::ScopedName { is_absolute, parts, span: start.to(self.cursor.after_previous()) })
    }

    fn any_word(&mut self) -> crate::syntax::Name<'a> {
        let token = self.cursor.bump();
        crate::syntax::Name { text: self.cursor.text(token), span: token.span }
    }

    /// `@annotation NAME { TYPE parameter default value; … }`
    pub(super) fn annotation_type(&mut self) -> Option<ItemKind<'a>> {
        self.cursor.bump();
        self.cursor.bump();
        let name = self.name("a name for the annotation")?;
        let opening = self.expect("{")?;
        let mut parameters = Vec::new();
        while !self.at_end_of_body() {
            if self.eat_needless_semicolon() {
                continue;
            }
            // What belongs to an annotation alone says nothing about what travels.
            if self.cursor.at_any(&["enum", "const", "typedef"]) {
                self.skip_definition();
                continue;
            }
            match self.annotation_parameter() {
                Some(parameter) => {
                    parameters.push(parameter);
                    self.expect_semicolon("the parameter");
                }
                None => self.skip_definition(),
            }
        }
        if self.cursor.is_at_end() {
            let finding = errors::unclosed_brace(self.cursor.here(), opening, &self.cursor.found());
            self.report(finding);
        }
        self.cursor.eat("}");
        Some(ItemKind::AnnotationType { name, parameters })
    }

    fn annotation_parameter(&mut self) -> Option<crate::syntax::Name<'a>> {
        self.type_of_data("a type for the parameter")?;
        let name = self.name("a name for the parameter")?;
        if self.cursor.eat("default") {
            self.expression()?;
        }
        Some(name)
    }
}

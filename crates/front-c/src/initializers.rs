//! Braced initializers, as they are written: designators, ranges, braces left out.

use cast::{Designator, Expression, ExpressionKind, Initializer};

use crate::clang::{Cursor, kinds};
use crate::importer::Importer;

impl<'u> Importer<'u> {
    pub(crate) fn braces(&mut self, cursor: Cursor<'u>) -> Expression {
        let ty = self.type_of(cursor);
        let parts = cursor.expressions().into_iter().map(|part| self.part(part)).collect();
        self.make(cursor, ExpressionKind::Braces(parts), ty)
    }

    /// The first token of a designation: `.member = value`, `[1] = value`, `member: value`.
    fn designation(&self, cursor: Cursor<'u>) -> Option<usize> {
        if cursor.kind() != kinds::CXCursor_UnexposedExpr {
            return None;
        }
        let range = cursor.range();
        let index = if range.is_empty() {
            // Older versions do not say where the designation of an anonymous record's member begins.
            let first = cursor
                .children()
                .iter()
                .map(|child| child.range())
                .filter(|range| !range.is_empty())
                .map(|range| range.start)
                .min()?;
            let index = self.text.index_at(first);
            (0..index).rev().find(|before| matches!(self.text.at(*before), "{" | ","))? + 1
        } else {
            self.text.index_at(range.start)
        };
        let is_designation = matches!(self.text.at(index), "." | "[") || self.text.at(index + 1) == ":";
        is_designation.then_some(index)
    }

    fn part(&mut self, cursor: Cursor<'u>) -> Initializer {
        let Some(mut index) = self.designation(cursor) else {
            return Initializer { designators: Vec::new(), value: self.expression(cursor) };
        };
        let mut operands = cursor.expressions();
        operands.sort_by_key(|operand| operand.range().start);
        let Some(value) = operands.pop() else {
            return Initializer { designators: Vec::new(), value: self.verbatim(cursor, "a designator") };
        };
        let mut designators = Vec::new();
        let end = self.text.index_at(value.range().start);
        let mut operands = operands.into_iter().peekable();
        while index < end {
            match self.text.at(index) {
                "." => {
                    designators.push(Designator::Member(self.text.at(index + 1).to_owned()));
                    index += 2;
                }
                "[" => {
                    let close = self.text.closing(index, end);
                    let close_at = self.text.tokens.get(close).map_or(0, |token| token.start);
                    let mut bounds = Vec::new();
                    while let Some(bound) = operands.next_if(|operand| operand.range().start < close_at) {
                        bounds.push(self.constant_expression(bound));
                    }
                    let last = if bounds.len() > 1 { bounds.pop() } else { None };
                    match (bounds.pop(), last) {
                        (Some(first), Some(last)) => designators.push(Designator::Range(first, last)),
                        (Some(at), None) => designators.push(Designator::Index(at)),
                        _ => {
                            return Initializer {
                                designators: Vec::new(),
                                value: self.verbatim(cursor, "a designator"),
                            };
                        }
                    }
                    index = close + 1;
                }
                // `member: value`, of before C99.
                _ if self.text.at(index + 1) == ":" => {
                    designators.push(Designator::Member(self.text.at(index).to_owned()));
                    index += 2;
                }
                _ => index += 1,
            }
        }
        Initializer { designators, value: self.expression(value) }
    }
}

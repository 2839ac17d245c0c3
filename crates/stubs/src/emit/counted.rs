//! Decoding what a count stands before: texts, bytes, and runs of words.

use cast::build::{address, assign, unsigned};
use cast::{Statement, Type};

use super::Family;
use super::routine::{Emitter, u32_type};
use crate::plan::{Direction, Op, Word};

impl Emitter<'_> {
    /// A text of an item, and what is read behind it before it gets its NUL there: so it stays where it is in the message.
    pub(super) fn open_text(&mut self, body: &[Op]) -> Option<(Vec<Statement>, usize)> {
        let [text @ Op::Text { place, length: Some(length), .. }, Op::Chunk { size: size @ 1.., parts }, ..] = body
        else {
            return None;
        };
        let decodes = self.id.direction == Direction::Decode;
        if !decodes || self.conventions.family != Family::Xdr || !self.in_loop || super::encode::is_inline(place) {
            return None;
        }
        let mut statements = self.text_as(text, "in_open_text");
        statements.extend(self.chunk(*size, parts));
        let arguments = vec![self.context(), self.place(place), self.variable(length, u32_type())];
        let close = self.runtime_in("in_open_text", "in_close_text", arguments, Type::Void);
        statements.push(Statement::Expression(close));
        Some((statements, 2))
    }

    /// A text, its length in a local.
    pub(super) fn text_in(&mut self, op: &Op) -> Vec<Statement> {
        if self.is_cdr() {
            return self.cdr_text_in(op);
        }
        self.text_as(op, "in_text")
    }

    fn text_as(&mut self, op: &Op, section: &str) -> Vec<Statement> {
        let Op::Text { place, length, bound, more, .. } = op else { return Vec::new() };
        let length = length.as_deref().unwrap_or("");
        let bound = self.bound(bound.as_ref());
        let length = self.variable(length, u32_type());
        let (section, text) = match super::encode::is_inline(place) {
            true => ("in_inline_text", self.place(place)),
            false => (section, address(self.place(place))),
        };
        let arguments = vec![self.context(), self.at(), text, length, bound];
        self.text(section, arguments, *more)
    }

    /// Counted bytes or words, into storage of their own.
    pub(super) fn counted(&mut self, op: &Op) -> Vec<Statement> {
        let (data, length, count) = match op {
            Op::CountedBytes { data, length, count } | Op::CountedOrder { data, length, count, .. } => {
                (data, length, self.variable(count, u32_type()))
            }
            _ => return Vec::new(),
        };
        let mut arguments = vec![self.context(), self.at(), address(self.place(data)), count.clone()];
        let mut section = "in_counted_bytes".to_string();
        if let Op::CountedOrder { item, word, words, .. } = op {
            section = format!("in_counted_{}", self.run_of(*word));
            self.assert_run(item, words * word.bytes());
            arguments.push(unsigned(*words));
            if self.is_cdr() && *word == Word::One {
                arguments.push(super::cdr::alignment_of(item));
            }
        }
        if matches!(op, Op::CountedBytes { .. }) && self.has_versions() {
            section = self.in_version(&section, &mut arguments);
        }
        let mut statements = vec![assign(self.place(length), count)];
        statements.extend(self.runtime_step(&section, arguments));
        statements
    }
}

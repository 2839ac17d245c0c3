//! Chunks: accesses at constant offsets from the cursor.

use cast::build::{address, assign, call, cast as cast_to, conditional, integer, local, not_equal, null, unsigned};
use cast::{BinaryOperator, Expression, Statement, Type};
use pres::ScalarKind;

use super::routine::{Emitter, u32_type};
use crate::plan::{Access, Direction, Part, Place, Word};

impl Emitter<'_> {
    /// A check for so many bytes.
    pub(super) fn need(&mut self, bytes: Expression) -> Vec<Statement> {
        let section = if self.id.direction == Direction::Decode { "in_need" } else { "out_need" };
        let arguments = vec![self.context(), self.at(), bytes];
        let at = self.at();
        let value = self.runtime(section, arguments, at.ty);
        self.advance(value)
    }

    /// The parts of a chunk, and the step over it.
    pub(super) fn chunk(&mut self, size: u64, parts: &[Part]) -> Vec<Statement> {
        let mut statements: Vec<Statement> = parts.iter().filter_map(|part| self.part(part)).collect();
        let size = integer(i128::from(size));
        statements.push(cast::build::assign_with(self.at(), BinaryOperator::Add, size));
        statements
    }

    fn part(&mut self, part: &Part) -> Option<Statement> {
        let at = self.at_offset(part.offset);
        let encodes = self.id.direction == Direction::Encode;
        Some(match &part.access {
            Access::Scalar { kind, place } if encodes => self.put(at, *kind, place),
            Access::Scalar { kind, place } => self.get(at, *kind, place),
            Access::Count(count) => {
                let count = self.count(count);
                self.put32(at, count)
            }
            Access::Flag(pointer) => {
                let flag = not_equal(self.place(pointer), null());
                self.put32(at, flag)
            }
            Access::Local(name) => {
                let word = self.runtime("get32", vec![at], u32_type());
                local(self.variable_name(name), u32_type().constant(), Some(word))
            }
            Access::Copy { place, length } => {
                self.used.insert("attributes");
                let object = address(self.place(place));
                let (to, from) = if encodes { (at, object) } else { (object, at) };
                Statement::Expression(call("memcpy", vec![to, from, unsigned(*length)], Type::Void.pointer()))
            }
            Access::Zero { length } if encodes => {
                Statement::Expression(call("memset", vec![at, integer(0), unsigned(*length)], Type::Void.pointer()))
            }
            Access::Zero { .. } => return None,
            Access::Order { word, place, words } => self.order(at, *word, place, *words, encodes),
        })
    }

    fn put32(&mut self, at: Expression, value: Expression) -> Statement {
        Statement::Expression(self.runtime("put32", vec![at, value], Type::Void))
    }

    fn order(&mut self, at: Expression, word: Word, place: &Place, words: u64, encodes: bool) -> Statement {
        self.assert_run(&place.ty, words * word.bytes());
        let object = address(self.place(place));
        let (to, from) = if encodes { (at, object) } else { (object, at) };
        let section = match word {
            Word::Four => "order32",
            Word::Eight => "order64",
        };
        Statement::Expression(self.runtime(section, vec![to, from, unsigned(words)], Type::Void))
    }

    /// Notes that a type with a name must be `bytes` in size.
    pub(super) fn assert_run(&mut self, ty: &Type, bytes: u64) {
        if matches!(ty, Type::Named(_) | Type::Tagged(..)) {
            self.assertions.insert((cast::print_type(ty), bytes));
        }
    }

    /// RFC 4506 sections 4.1-4.7, from C to the message.
    fn put(&mut self, at: Expression, kind: ScalarKind, place: &Place) -> Statement {
        let value = self.place(place);
        let call = match kind {
            ScalarKind::Boolean => {
                let value = conditional(value, integer(1), integer(0));
                return self.put32(at, value);
            }
            ScalarKind::Float { bits: 32 } => self.runtime("put_float", vec![at, value], Type::Void),
            ScalarKind::Float { .. } => self.runtime("put_double", vec![at, value], Type::Void),
            ScalarKind::Quadruple => call("memcpy", vec![at, address(value), unsigned(16)], Type::Void.pointer()),
            ScalarKind::Integer { bits: 64, .. } => {
                let value = cast_to(Type::named("uint64_t"), value);
                self.runtime("put64", vec![at, value], Type::Void)
            }
            ScalarKind::Integer { .. } | ScalarKind::Long { .. } | ScalarKind::Enumeration => {
                let value = cast_to(u32_type(), value);
                return self.put32(at, value);
            }
        };
        Statement::Expression(call)
    }

    /// RFC 4506 sections 4.1-4.7, from the message to C.
    fn get(&mut self, at: Expression, kind: ScalarKind, place: &Place) -> Statement {
        let target = self.place(place);
        let ty = place.ty.clone();
        let value = match kind {
            ScalarKind::Boolean => not_equal(self.runtime("get32", vec![at], u32_type()), integer(0)),
            ScalarKind::Float { bits: 32 } => self.runtime("get_float", vec![at], ty),
            ScalarKind::Float { .. } => self.runtime("get_double", vec![at], ty),
            ScalarKind::Quadruple => {
                let copied = call("memcpy", vec![address(target), at, unsigned(16)], Type::Void.pointer());
                return Statement::Expression(copied);
            }
            ScalarKind::Integer { bits: 64, .. } => cast_to(ty, self.runtime("get64", vec![at], u32_type())),
            ScalarKind::Integer { signed: false, .. } | ScalarKind::Long { signed: false } => {
                cast_to(ty, self.runtime("get32", vec![at], u32_type()))
            }
            ScalarKind::Integer { .. } | ScalarKind::Long { .. } | ScalarKind::Enumeration => {
                let word = self.runtime("get32", vec![at], u32_type());
                cast_to(ty, cast_to(Type::named("int32_t"), word))
            }
        };
        assign(target, value)
    }
}

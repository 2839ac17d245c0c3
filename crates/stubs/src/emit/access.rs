//! Chunks: accesses at constant offsets from the cursor.

use cast::build::{
    address, assign, call, cast as cast_to, conditional, greater, integer, local, not_equal, null, unsigned, when,
};
use cast::{BinaryOperator, Expression, Statement, Type};
use pres::ScalarKind;

use super::routine::{Emitter, u32_type};
use crate::encodings::{ByteOrder, Encoding};
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
        let mut statements: Vec<Statement> = parts.iter().flat_map(|part| self.part(part)).collect();
        let size = integer(i128::from(size));
        statements.push(cast::build::assign_with(self.at(), BinaryOperator::Add, size));
        statements
    }

    fn part(&mut self, part: &Part) -> Vec<Statement> {
        let at = self.at_offset(part.offset);
        let encodes = self.id.direction == Direction::Encode;
        vec![match &part.access {
            Access::Scalar { kind, place } if self.is_image(*kind) => {
                self.copy(at, place, crate::encodings::Native.scalar_size(*kind), encodes)
            }
            Access::Scalar { kind, place } if encodes => self.put(at, *kind, place),
            Access::Scalar { kind, place } => return self.get(at, *kind, place),
            Access::Count(count) => {
                let count = self.count(count);
                self.put32(at, count)
            }
            Access::Flag(pointer) => {
                let flag = not_equal(self.place(pointer), null());
                self.put32(at, flag)
            }
            Access::Local(name) => {
                let word = self.get32(at);
                local(self.variable_name(name), u32_type().constant(), Some(word))
            }
            Access::Copy { place, length } => self.copy(at, place, *length, encodes),
            Access::Zero { length } if encodes => {
                Statement::Expression(call("memset", vec![at, integer(0), unsigned(*length)], Type::Void.pointer()))
            }
            Access::Zero { .. } => return Vec::new(),
            Access::Order { word, place, words } => self.order(at, *word, place, *words, encodes),
        }]
    }

    fn copy(&mut self, at: Expression, place: &Place, bytes: u64, encodes: bool) -> Statement {
        self.used.insert("attributes".to_string());
        let object = address(self.place(place));
        let (to, from) = if encodes { (at, object) } else { (object, at) };
        let copy = if self.in_place { "memmove" } else { "memcpy" };
        Statement::Expression(call(copy, vec![to, from, unsigned(bytes)], Type::Void.pointer()))
    }

    /// The scalar travels as it lies in memory.
    fn is_image(&self, kind: ScalarKind) -> bool {
        let is_word = matches!(kind, ScalarKind::Integer { .. } | ScalarKind::Float { .. } | ScalarKind::Quadruple);
        self.conventions.order == ByteOrder::Host && is_word
    }

    fn put32(&mut self, at: Expression, value: Expression) -> Statement {
        let section = self.in_order("put32");
        Statement::Expression(self.runtime(&section, vec![at, value], Type::Void))
    }

    fn get32(&mut self, at: Expression) -> Expression {
        let section = self.in_order("get32");
        self.runtime(&section, vec![at], u32_type())
    }

    /// The routine for the message's byte order.
    pub(super) fn in_order(&self, routine: &str) -> String {
        let ending = match self.conventions.order {
            ByteOrder::Network => "",
            ByteOrder::Host => "_host",
            ByteOrder::Swapped => "_swapped",
        };
        format!("{routine}{ending}")
    }

    /// A boolean is one byte.
    fn has_small_truths(&self) -> bool {
        self.is_cdr() || self.conventions.order != ByteOrder::Network
    }

    fn order(&mut self, at: Expression, word: Word, place: &Place, words: u64, encodes: bool) -> Statement {
        self.assert_run(&place.ty, words * word.bytes());
        let object = address(self.place(place));
        let (to, from) = if encodes { (at, object) } else { (object, at) };
        let section = match word {
            Word::One => {
                let bytes = unsigned(words);
                return Statement::Expression(call("memcpy", vec![to, from, bytes], Type::Void.pointer()));
            }
            _ => self.run_of(word),
        };
        let mut arguments = vec![to, from, unsigned(words)];
        let is_wide = self.has_versions() && word != Word::Two;
        let section = if is_wide { self.in_version(&section, &mut arguments) } else { section };
        Statement::Expression(self.runtime(&section, arguments, Type::Void))
    }

    /// What puts words of this width into the message's order: `order32`, `swapped16`.
    pub(super) fn run_of(&self, word: Word) -> String {
        let is_swapped = word != Word::One && self.conventions.order == ByteOrder::Swapped;
        format!("{}{}", if is_swapped { "swapped" } else { "order" }, 8 * word.bytes())
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
                if !self.has_small_truths() {
                    return self.put32(at, value);
                }
                self.runtime("put8", vec![at, value], Type::Void)
            }
            ScalarKind::Float { bits: 32 } => self.runtime(&self.in_order("put_float"), vec![at, value], Type::Void),
            ScalarKind::Float { .. } => self.runtime(&self.in_order("put_double"), vec![at, value], Type::Void),
            ScalarKind::Quadruple => call("memcpy", vec![at, address(value), unsigned(16)], Type::Void.pointer()),
            ScalarKind::Integer { bits: 64, .. } => {
                let value = cast_to(Type::named("uint64_t"), value);
                self.runtime(&self.in_order("put64"), vec![at, value], Type::Void)
            }
            ScalarKind::Integer { bits: 16, .. } if self.is_cdr() => {
                let value = cast_to(Type::named("uint16_t"), value);
                self.runtime(&self.in_order("put16"), vec![at, value], Type::Void)
            }
            ScalarKind::Integer { bits: 8, .. } if self.is_cdr() => {
                let value = cast_to(u32_type(), value);
                self.runtime("put8", vec![at, value], Type::Void)
            }
            // `char` has a sign on some machines and none on others.
            ScalarKind::Integer { bits: 8, .. } if self.conventions.strict => {
                let value = cast_to(u32_type(), cast_to(narrow_type(kind), value));
                return self.put32(at, value);
            }
            ScalarKind::Integer { .. } | ScalarKind::Long { .. } | ScalarKind::Enumeration { .. } => {
                let value = cast_to(u32_type(), value);
                return self.put32(at, value);
            }
        };
        Statement::Expression(call)
    }

    /// RFC 4506 sections 4.1-4.7, from the message to C.
    fn get(&mut self, at: Expression, kind: ScalarKind, place: &Place) -> Vec<Statement> {
        let target = self.place(place);
        let ty = place.ty.clone();
        let mut checks = Vec::new();
        let value = match kind {
            ScalarKind::Boolean => {
                let word = match self.has_small_truths() {
                    false => self.get32(at),
                    true => self.runtime("get8", vec![at], u32_type()),
                };
                if self.conventions.strict {
                    checks.push(when(greater(word.clone(), unsigned(1)), vec![self.fail()]));
                }
                not_equal(word, integer(0))
            }
            ScalarKind::Float { bits: 32 } => self.runtime(&self.in_order("get_float"), vec![at], ty),
            ScalarKind::Float { .. } => self.runtime(&self.in_order("get_double"), vec![at], ty),
            ScalarKind::Quadruple => {
                let copied = call("memcpy", vec![address(target), at, unsigned(16)], Type::Void.pointer());
                return vec![Statement::Expression(copied)];
            }
            ScalarKind::Integer { bits: 8 | 16, signed } if self.is_cdr() => {
                let section = if matches!(kind, ScalarKind::Integer { bits: 8, .. }) {
                    "get8".to_string()
                } else {
                    self.in_order("get16")
                };
                let word = self.runtime(&section, vec![at], u32_type());
                if signed { cast_through(ty, narrow_type(kind), word) } else { cast_to(ty, word) }
            }
            ScalarKind::Integer { bits: 8 | 16, .. } if self.conventions.strict => {
                let word = self.get32(at);
                let said = cast_to(u32_type(), cast_to(narrow_type(kind), target.clone()));
                checks.push(when(not_equal(said, word.clone()), vec![self.fail()]));
                cast_to(ty, word)
            }
            ScalarKind::Integer { bits: 64, .. } => {
                cast_to(ty, self.runtime(&self.in_order("get64"), vec![at], u32_type()))
            }
            ScalarKind::Integer { signed: false, .. } | ScalarKind::Long { signed: false } => {
                cast_to(ty, self.get32(at))
            }
            ScalarKind::Integer { .. } | ScalarKind::Long { .. } | ScalarKind::Enumeration { .. } => {
                let word = self.get32(at);
                cast_through(ty, Type::named("int32_t"), word)
            }
        };
        std::iter::once(assign(target, value)).chain(checks).collect()
    }
}

/// A word as a number that has a sign there.
fn cast_through(ty: Type, signed: Type, word: Expression) -> Expression {
    let is_same = ty == signed;
    let value = cast_to(signed, word);
    if is_same { value } else { cast_to(ty, value) }
}

/// The type of exactly the bits of a number of 8 or 16.
fn narrow_type(kind: ScalarKind) -> Type {
    Type::named(match kind {
        ScalarKind::Integer { bits: 8, signed: true } => "int8_t",
        ScalarKind::Integer { bits: 8, signed: false } => "uint8_t",
        ScalarKind::Integer { signed: true, .. } => "int16_t",
        _ => "uint16_t",
    })
}

//! Functions of the C library on texts that are known: `strchr`, `strcpy`, `memcmp` and their like (C11 section 7.24).

use core_c::{BinaryOperator, Expression, ExpressionKind, LocalId, TypeId};

use crate::engine::{Engine, Step};
use crate::memory::{Cell, Found};
use crate::mutation;
use crate::scenario::Fact;
use crate::values::value::{Pointer, Value};

/// More bytes are not compared here.
const MOST: u64 = 1 << 16;

/// A size that is not too large to be done here.
fn count(size: i128) -> Option<usize> {
    usize::try_from(size).ok().filter(|size| *size as u64 <= MOST)
}

impl Engine<'_> {
    /// What such a function gives, where it can be told; what it writes is written.
    pub(crate) fn known_text_call(&mut self, name: &str, values: &[(Value, TypeId)]) -> Step<Option<Value>> {
        let moved = |text: Pointer, by: usize| Value::Pointer(Pointer { offset: text.offset + by as i64, ..text });
        Ok(match (name, values) {
            ("strchr" | "strrchr", [(Value::Pointer(text), _), (Value::Integer(letter), _)]) => {
                let Some(mut bytes) = self.known_text(*text) else { return Ok(None) };
                bytes.push(0);
                let is_wanted = |byte: &u8| i128::from(*byte) == letter & 0xff;
                let at =
                    if name == "strchr" { bytes.iter().position(is_wanted) } else { bytes.iter().rposition(is_wanted) };
                Some(at.map_or(Value::Integer(0), |at| moved(*text, at)))
            }
            ("memchr", [(Value::Pointer(text), _), (Value::Integer(letter), _), (Value::Integer(size), _)]) => {
                let Some(bytes) = self.known_bytes(*text, *size) else { return Ok(None) };
                let at = bytes.iter().position(|byte| i128::from(*byte) == letter & 0xff);
                Some(at.map_or(Value::Integer(0), |at| moved(*text, at)))
            }
            ("strcpy" | "stpcpy" | "strcat", [(Value::Pointer(to), _), (Value::Pointer(from), _)]) => {
                let Some(text) = self.known_text(*from) else { return Ok(None) };
                let start = match name {
                    "strcat" => self.known_text(*to).map(|text| text.len()),
                    _ => Some(0),
                };
                let Some(start) = start else { return Ok(None) };
                let target = moved(*to, start);
                if !self.copy_bytes(&target, &Value::Pointer(*from), text.len() as i128 + 1)? {
                    return Ok(None);
                }
                Some(if name == "stpcpy" { moved(*to, text.len()) } else { Value::Pointer(*to) })
            }
            ("strncpy", [(Value::Pointer(to), _), (Value::Pointer(from), _), (Value::Integer(size), _)]) => {
                let (Some(text), Some(size)) = (self.known_text(*from), count(*size)) else { return Ok(None) };
                let length = text.len().min(size);
                let may_pad = self.may_write(*to, size - length);
                if !may_pad || !self.copy_bytes(&moved(*to, 0), &Value::Pointer(*from), length as i128)? {
                    return Ok(None);
                }
                self.write_text(Pointer { offset: to.offset + length as i64, ..*to }, &vec![0; size - length])?;
                Some(Value::Pointer(*to))
            }
            ("strncat", [(Value::Pointer(to), _), (Value::Pointer(from), _), (Value::Integer(size), _)]) => {
                let (Some(text), Some(size)) = (self.known_text(*from), count(*size)) else { return Ok(None) };
                let Some(start) = self.known_text(*to).map(|text| text.len()) else { return Ok(None) };
                let length = text.len().min(size);
                if !self.copy_bytes(&moved(*to, start), &Value::Pointer(*from), length as i128)? {
                    return Ok(None);
                }
                self.write_text(Pointer { offset: to.offset + (start + length) as i64, ..*to }, &[0])?;
                Some(Value::Pointer(*to))
            }
            ("sprintf" | "snprintf", _) => self.known_print(name, values)?,
            ("atoi" | "atol" | "atoll" | "strtol" | "strtoul" | "strtoll" | "strtoull", _) => {
                self.known_numeral(name, values)?
            }
            ("strtod" | "strtof" | "atof", _) => self.known_decimal(name, values)?,
            ("memrchr" | "strnlen" | "strspn" | "strcspn" | "strpbrk" | "strstr", _) => self.known_search(name, values),
            // What libraries return for different texts differs, too.
            ("strcmp" | "strncmp" | "memcmp", _) => {
                self.known_order(name, values).filter(|order| *order == 0).map(Value::Integer)
            }
            _ => None,
        })
    }

    /// What a search in a known text finds.
    fn known_search(&self, name: &str, values: &[(Value, TypeId)]) -> Option<Value> {
        let moved = |text: Pointer, by: usize| Value::Pointer(Pointer { offset: text.offset + by as i64, ..text });
        match (name, values) {
            ("memrchr", [(Value::Pointer(text), _), (Value::Integer(letter), _), (Value::Integer(size), _)]) => {
                let bytes = self.known_bytes(*text, *size)?;
                let at = bytes.iter().rposition(|byte| i128::from(*byte) == letter & 0xff);
                Some(at.map_or(Value::Integer(0), |at| moved(*text, at)))
            }
            ("strnlen", [(Value::Pointer(text), _), (Value::Integer(size), _)]) => {
                self.known_text(*text).map(|text| Value::Integer((text.len() as i128).min(*size)))
            }
            ("strspn" | "strcspn" | "strpbrk" | "strstr", [(Value::Pointer(text), _), (Value::Pointer(other), _)]) => {
                let (bytes, other) = (self.known_text(*text)?, self.known_text(*other)?);
                let first = |wanted: bool| bytes.iter().position(|byte| other.contains(byte) == wanted);
                let at = match name {
                    "strstr" => (0..=bytes.len()).find(|at| bytes[*at..].starts_with(&other)),
                    "strspn" => return Some(Value::Integer(first(false).unwrap_or(bytes.len()) as i128)),
                    "strcspn" => return Some(Value::Integer(first(true).unwrap_or(bytes.len()) as i128)),
                    _ => first(true),
                };
                Some(at.map_or(Value::Integer(0), |at| moved(*text, at)))
            }
            _ => None,
        }
    }

    /// The sign of what a comparison gives.
    fn known_order(&self, name: &str, values: &[(Value, TypeId)]) -> Option<i128> {
        let [(Value::Pointer(a), _), (Value::Pointer(b), _), rest @ ..] = values else { return None };
        let (a, b) = match (name, rest) {
            ("strncmp", [(Value::Integer(size), _)]) => {
                let most = usize::try_from(*size).ok()?;
                let first = |text: Vec<u8>| text[..most.min(text.len())].to_vec();
                (first(self.known_text(*a)?), first(self.known_text(*b)?))
            }
            ("strncmp", _) if !mutation::forgets("length") => return None,
            ("strcmp" | "strncmp", _) => (self.known_text(*a)?, self.known_text(*b)?),
            ("memcmp", [(Value::Integer(size), _)]) => (self.known_bytes(*a, *size)?, self.known_bytes(*b, *size)?),
            _ => return None,
        };
        Some(a.cmp(&b) as i128)
    }

    /// A comparison was left to the residual program: of its result the sign is known.
    pub(crate) fn learn_order(&mut self, name: &str, arguments: &[core_c::Argument], register: LocalId) -> Step<()> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        if !matches!(name, "strcmp" | "strncmp" | "memcmp") {
            return Ok(());
        }
        let mut values = Vec::new();
        for argument in arguments {
            let core_c::Argument::Value(value) = argument else { return Ok(()) };
            values.push((self.evaluate(value)?, value.ty));
        }
        let Some(order) = self.known_order(name, &values) else { return Ok(()) };
        let (ty, int) = (self.residual.locals[register].ty, self.types.int());
        use BinaryOperator as B;
        for (operator, holds) in [
            (B::Less, order < 0),
            (B::LessEqual, order <= 0),
            (B::Greater, order > 0),
            (B::GreaterEqual, order >= 0),
            (B::Equal, order == 0),
        ] {
            let operand = |kind| Box::new(Expression { kind, ty, span: None });
            let (left, right) = (operand(ExpressionKind::Local(register)), operand(ExpressionKind::Integer(0)));
            let expression = Expression { kind: ExpressionKind::Binary(operator, left, right), ty: int, span: None };
            self.state.facts.push(Fact { expression, value: holds.into() });
        }
        Ok(())
    }

    /// Whether a register is zero, where a fact says so.
    pub(crate) fn truth_by_fact(&mut self, register: LocalId) -> Option<Value> {
        let (ty, int) = (self.residual.locals[register].ty, self.types.int());
        let operand = |kind| Box::new(Expression { kind, ty, span: None });
        let (left, right) = (operand(ExpressionKind::Local(register)), operand(ExpressionKind::Integer(0)));
        let kind = ExpressionKind::Binary(BinaryOperator::NotEqual, left, right);
        self.by_fact(&Expression { kind, ty: int, span: None })
    }

    /// So many bytes, where all are known.
    pub(super) fn known_bytes(&self, at: Pointer, size: i128) -> Option<Vec<u8>> {
        let object = self.state.memory.get(at.object)?;
        let (start, size) = (u64::try_from(at.offset).ok()?, u64::try_from(size).ok().filter(|size| *size <= MOST)?);
        if object.size.is_none_or(|all| start + size > all) {
            return None;
        }
        let byte = |offset| match object.read(offset, 1) {
            Found::Bytes(byte) => u8::try_from(byte).ok(),
            Found::Cell(Cell { value: Value::Integer(byte), .. }) => Some(byte as u8),
            _ => None,
        };
        (start..start + size).map(byte).collect()
    }
}

//! Functions of the C library on texts that are known: `strchr`, `strcpy` and their like (C11 section 7.24).

use core_c::TypeId;

use crate::engine::{Engine, Step};
use crate::memory::{Cell, Found};
use crate::values::value::{Pointer, Value};

/// More bytes are not compared here.
pub(super) const MOST: u64 = 1 << 16;

/// A size that is not too large to be done here.
fn count(size: i128) -> Option<usize> {
    usize::try_from(size).ok().filter(|size| *size as u64 <= MOST)
}

impl Engine<'_> {
    /// What such a function gives, where it can be known; what it writes is written.
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

    /// So many bytes, where all are known.
    pub(super) fn known_bytes(&self, at: Pointer, size: i128) -> Option<Vec<u8>> {
        let object = self.state.memory.get(at.object)?;
        let (start, size) = (u64::try_from(at.offset).ok()?, u64::try_from(size).ok().filter(|size| *size <= MOST)?);
        if object.size.is_none_or(|all| start + size > all) {
            return None;
        }
        (0..size as i64).map(|by| self.known_byte(Pointer { offset: start as i64 + by, ..at })).collect()
    }

    /// One byte, where it is known.
    pub(super) fn known_byte(&self, at: Pointer) -> Option<u8> {
        let object = self.state.memory.get(at.object)?;
        let offset = u64::try_from(at.offset).ok().filter(|offset| object.size.is_none_or(|size| *offset < size))?;
        match object.read(offset, 1) {
            Found::Bytes(byte) => u8::try_from(byte).ok(),
            Found::Cell(Cell { value: Value::Integer(byte), .. }) => Some(byte as u8),
            _ => None,
        }
    }
}

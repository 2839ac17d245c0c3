//! Functions of the C library that the specializer can do itself, when what they are given is known.

mod classes;
pub(crate) mod ctype;
mod decimals;
pub(crate) mod effects;
pub(crate) mod failures;
pub(crate) mod format;
pub(crate) mod mathematics;
pub(crate) mod numerals;
pub(crate) mod order;
pub(crate) mod strings;

use core_c::{Argument, FunctionId, Receiver, Shape, TypeId};

use crate::engine::{Engine, Step};
use crate::memory::Cell;
use crate::mutation;
use crate::values::fold;
use crate::values::value::{ObjectId, Pointer, Value};

/// The functions that are computed where what they are given is known. Each has calls in `tests/law/library.txt`, which hold
/// it against the library itself; what is not here is left to run time.
#[rustfmt::skip]
pub const COMPUTED: [&str; 123] = [
    "__builtin_expect", "__builtin_constant_p", "__builtin_unreachable",
    "__builtin_bswap16", "__builtin_bswap32", "__builtin_bswap64", "htonl", "ntohl", "htons", "ntohs",
    "__builtin_clz", "__builtin_clzl", "__builtin_clzll", "__builtin_ctz", "__builtin_ctzl", "__builtin_ctzll",
    "__builtin_ffs", "__builtin_ffsl", "__builtin_ffsll", "__builtin_popcount", "__builtin_popcountl",
    "__builtin_popcountll", "__builtin_parity", "__builtin_parityl", "__builtin_parityll",
    "abs", "labs", "llabs", "tolower", "toupper",
    "isalpha", "isdigit", "isalnum", "isspace", "isblank", "isupper", "islower", "isxdigit", "isprint", "isgraph", "ispunct",
    "iscntrl", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",
    "strlen", "strchr", "strrchr", "strcmp", "strncmp", "strcpy", "stpcpy", "strcat",
    "strncpy", "strncat", "strspn", "strcspn", "strpbrk", "strstr", "strnlen", "memrchr",
    "atoi", "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "atof", "sprintf", "snprintf",
    "memchr", "memcmp", "memcpy", "memmove", "memset", "bcopy", "bzero",
    "fabs", "fabsf", "floor", "floorf", "ceil", "ceilf", "trunc", "truncf", "round", "roundf", "sqrt", "sqrtf",
    "__builtin_isnan", "__builtin_isinf", "__builtin_isinf_sign", "__builtin_isfinite", "__builtin_isnormal", "__builtin_signbit",
    "__builtin_signbitf", "__builtin_fpclassify", "__builtin_isgreater", "__builtin_isgreaterequal", "__builtin_isless",
    "__builtin_islessequal", "__builtin_islessgreater", "__builtin_isunordered", "fmin", "fminf", "fmax", "fmaxf",
    "copysign", "copysignf", "sin", "cos", "tan", "atan", "exp", "log", "log2", "log10",
    "atan2", "pow", "hypot",
];

/// Bytes that a call fills with one byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filling {
    object: ObjectId,
    range: (u64, u64),
    byte: i128,
}

/// There is nothing at NULL: with a size of zero such a call does nothing, and with another it is undefined (C11 section 7.24.1).
fn fills_nothing(name: &str, values: &[(Value, TypeId)]) -> bool {
    let addresses = match name {
        "memcpy" | "memmove" | "bcopy" => 2,
        "memset" | "bzero" => 1,
        _ => 0,
    };
    values.iter().take(addresses).any(|(value, _)| *value == Value::Integer(0))
}

impl Engine<'_> {
    /// Does a call of a function without a body, if it is known and its arguments are; false leaves it residual.
    pub(crate) fn known_call(
        &mut self,
        function: FunctionId,
        receiver: Option<&Receiver>,
        arguments: &[Argument],
    ) -> Step<bool> {
        let name = self.input.functions[function].name.clone();
        let is_builtin = name.starts_with("__builtin_");
        let full = name.as_str();
        let name = full.strip_prefix("__builtin_").unwrap_or(full);
        if ![full, name].iter().any(|name| COMPUTED.contains(name)) {
            return Ok(false);
        }
        let mut values = Vec::new();
        for argument in arguments {
            let Argument::Value(value) = argument else { return Ok(false) };
            let ty = value.ty;
            let value = self.evaluate(value)?;
            values.push((self.bind(value, ""), ty));
        }
        let result = match (name, &values[..]) {
            _ if fills_nothing(name, &values) => values.first().map(|to| to.0.clone()),
            ("expect", [value, _]) => Some(value.0.clone()),
            ("constant_p", [value]) => Some(Value::Integer(value.0.is_known().into())),
            ("unreachable", []) => {
                self.end(crate::engine::residual::End::Unreachable);
                return Ok(true);
            }
            (
                "bswap16" | "bswap32" | "bswap64" | "htonl" | "ntohl" | "htons" | "ntohs",
                [(Value::Integer(value), _)],
            ) => Some(Value::Integer(swapped(name, *value))),
            ("abs" | "labs" | "llabs", [(Value::Integer(value), _)]) if *value > i128::from(i32::MIN) => {
                Some(Value::Integer(value.abs()))
            }
            ("strlen", [(Value::Pointer(text), _)]) => {
                self.known_text(*text).map(|text| Value::Integer(text.len() as i128))
            }
            ("memset", [(Value::Pointer(to), _), (Value::Integer(byte), _), (Value::Integer(size), _)]) => {
                self.fill(*to, *byte, *size)?.then_some(Value::Pointer(*to))
            }
            ("bzero", [(Value::Pointer(to), _), (Value::Integer(size), _)]) => {
                self.fill(*to, 0, *size)?.then_some(Value::Integer(0))
            }
            ("memcpy" | "memmove", [(to, _), (from, _), (Value::Integer(size), _)]) => {
                let (to, from, size) = (to.clone(), from.clone(), *size);
                self.copy_bytes(&to, &from, size)?.then_some(to)
            }
            ("bcopy", [(from, _), (to, _), (Value::Integer(size), _)]) => {
                let (to, from, size) = (to.clone(), from.clone(), *size);
                self.copy_bytes(&to, &from, size)?.then_some(to)
            }
            (_, []) => {
                self.letters.given_by(function).map(|given| Value::Pointer(Pointer::to(self.global_object(given))))
            }
            (name, values) if is_builtin && classes::COMPUTED.contains(&name) => {
                self.known_class(name, values, receiver)
            }
            (name, [(Value::Integer(value), _)]) if is_builtin || name.starts_with("is") || name.starts_with("to") => {
                let bits = bits(name, *value).filter(|_| is_builtin);
                bits.or_else(|| ctype::known(name, *value, self.letters.chooses_a_locale)).map(Value::Integer)
            }
            ("strcmp" | "strncmp" | "memcmp", values) => self.known_comparison(name, values, receiver),
            (name, values) => match self.known_text_call(name, values)? {
                Some(result) => Some(result),
                None => self.known_number(name, values),
            },
        };
        let Some(result) = result else { return Ok(false) };
        if let Some(Receiver::Register(local)) = receiver {
            self.set(*local, result)?;
        }
        Ok(true)
    }

    /// A function on known floats of one width.
    fn known_number(&self, name: &str, values: &[(Value, TypeId)]) -> Option<Value> {
        let mut numbers = Vec::new();
        let mut width = None;
        for (value, ty) in values {
            let (Value::Float(raw), Shape::Float { bits }) = (value, self.types.shape_of(*ty)) else { return None };
            numbers.push(fold::float(*bits, *raw));
            if width.replace(*bits).is_some_and(|other| other != *bits) {
                return None;
            }
        }
        let result = match width? {
            64 => mathematics::known(name, &numbers)?,
            32 => {
                let name = name.strip_suffix('f').filter(|name| mathematics::is_exact(name))?;
                mathematics::known(name, &numbers)?
            }
            _ => return None,
        };
        fold::float_bits(width?, result).map(Value::Float)
    }

    /// The bytes before the terminator, where all are known.
    pub(crate) fn known_text(&self, at: Pointer) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for offset in at.offset..at.offset.checked_add_unsigned(strings::MOST)? {
            match self.known_byte(Pointer { offset, ..at })? {
                0 => return Some(text),
                byte => text.push(byte),
            }
        }
        None
    }

    /// Sets bytes of a virtual object.
    fn fill(&mut self, to: Pointer, byte: i128, size: i128) -> Step<bool> {
        let (Ok(offset), Ok(size)) = (u64::try_from(to.offset), u64::try_from(size)) else { return Ok(false) };
        let is_virtual = self.state.memory.get(to.object).is_some_and(|object| !object.residual);
        Ok(is_virtual && self.fill_cells(to.object, (offset, size), byte))
    }

    /// What a call of `memset` or `bzero` that stays fills with a known byte.
    pub(crate) fn filling(&mut self, name: &str, arguments: &[Argument]) -> Step<Option<Filling>> {
        let mut values = Vec::new();
        for argument in arguments.iter().filter(|_| matches!(name, "memset" | "bzero")) {
            let Argument::Value(value) = argument else { return Ok(None) };
            values.push(self.evaluate(value)?);
        }
        let (to, byte, size) = match &values[..] {
            [to, Value::Integer(byte), Value::Integer(size)] => (to, *byte, *size),
            [to, Value::Integer(size)] => (to, 0, *size),
            _ => return Ok(None),
        };
        let range = |to: Pointer| Some((u64::try_from(to.offset).ok()?, u64::try_from(size).ok()?));
        Ok(self.as_pointer(to).and_then(|to| Some(Filling { object: to.object, range: range(to)?, byte })))
    }

    /// Notes what a call that stays has filled.
    pub(crate) fn note_filling(&mut self, filling: &Filling) {
        let is_there = self.state.memory.get(filling.object).is_some_and(|object| !object.constant);
        if is_there {
            self.fill_cells(filling.object, filling.range, filling.byte);
        }
    }

    /// Sets cells; false where there is no room.
    fn fill_cells(&mut self, id: ObjectId, (offset, size): (u64, u64), byte: i128) -> bool {
        let character = self.types.scalar(cast::Scalar::UnsignedChar);
        let Some(object) = self.state.memory.get_mut(id) else { return false };
        let is_too_large =
            object.size.map_or(object.residual.then_some(false), |all| Some(offset.saturating_add(size) > all));
        if is_too_large != Some(false) || size > 1 << 20 || !object.clear(offset, size) {
            return false;
        }
        if byte == 0 && size > 0 {
            object.cells.insert(offset, Cell { size, ty: character, value: Value::Integer(0) });
        } else {
            for at in offset..offset + size {
                object.cells.insert(at, Cell { size: 1, ty: character, value: Value::Integer(byte & 0xff) });
            }
        }
        self.fill_members(id, (offset, size), byte);
        true
    }

    /// Members that were filled with bytes become cells of their own, so that states in which some of them were used, and others not, hold the same.
    fn fill_members(&mut self, id: ObjectId, (offset, size): (u64, u64), byte: i128) {
        const MOST: usize = 1024;
        let Some(ty) = self.state.memory.get(id).map(|object| object.ty) else { return };
        let mut members = Vec::new();
        if !self.parts(ty, 0, &mut members) {
            return;
        }
        let inside =
            |at: i64, bytes: u64| u64::try_from(at).is_ok_and(|at| offset <= at && at + bytes <= offset + size);
        members.retain(|(at, ty)| self.types.size_of(*ty).is_some_and(|bytes| bytes <= 8 && inside(*at, bytes)));
        if members.len() > MOST {
            return;
        }
        for (at, ty) in members {
            let bytes = self.types.size_of(ty).unwrap_or(0);
            let all = (0..bytes).fold(0, |all, _| all << 8 | byte & 0xff);
            let Some(value) = self.value_of_bytes(all, ty) else { continue };
            if let Some(object) = self.state.memory.get_mut(id) {
                object.write(at.unsigned_abs(), Cell { size: bytes, ty, value });
            }
        }
    }

    /// Copies a known number of bytes where at least one side is virtual, as the scalars that are known to be there.
    pub(crate) fn copy_bytes(&mut self, to: &Value, from: &Value, size: i128) -> Step<bool> {
        if size == 0 {
            return Ok(true);
        }
        let (Some(to), Some(from), Ok(size)) = (self.as_pointer(to), self.as_pointer(from), u64::try_from(size)) else {
            return Ok(false);
        };
        let cells = self.scalars_in(from, size).or_else(|| self.scalars_in(to, size));
        let parts = cells.or_else(|| self.declared_in(to, size)).or_else(|| self.declared_in(from, size));
        let parts = parts.or_else(|| self.letters_in(from, size));
        let is_residual = |pointer: Pointer| self.state.memory.get(pointer.object).is_none_or(|object| object.residual);
        let both = (is_residual(to), is_residual(from));
        let Some(parts) = parts.filter(|_| both != (true, true)) else {
            // Unions, bit-fields, large arrays: what is not residual is copied as it stands.
            return Ok(both == (false, false) && self.move_cells(to, from, size, true));
        };
        let at = |pointer: Pointer, offset| Pointer { offset: pointer.offset + offset, ..pointer };
        // All is read before anything is written: the two ranges may overlap.
        let mut values = Vec::new();
        for (offset, ty) in parts {
            let bytes = self.as_bytes(ty);
            let value = self.load_at(at(from, offset), bytes)?;
            let value = self.bind(value, "");
            match mutation::forgets("move") {
                true => self.store_at(at(to, offset), bytes, value)?,
                false => values.push((offset, bytes, value)),
            }
        }
        for (offset, bytes, value) in values {
            self.store_at(at(to, offset), bytes, value)?;
        }
        Ok(true)
    }

    /// A scalar type for memory that is copied as bytes: aligned or not, and whatever type it is accessed by elsewhere.
    pub(crate) fn as_bytes(&mut self, ty: TypeId) -> TypeId {
        let ty = self.number_type(ty);
        let c = self.types.get(ty).c.clone();
        // Characters may lie anywhere and stand for anything as they are (C11 section 6.5); a type may be such a one already.
        let is_character = matches!(self.types.shape_of(ty), Shape::Integer { bits: 8, boolean: false, .. });
        let typedef = if let cast::Type::Named(name) = &c { self.types.table.typedefs.get(name) } else { None };
        if is_character || typedef.is_some_and(|typedef| typedef.declaration.text.contains("(may_alias, aligned(1))")) {
            return ty;
        }
        let mut words = cast::print_type(&c).replace('*', "pointer");
        words.retain(|letter| letter.is_ascii_alphanumeric() || letter == ' ' || letter == '_');
        let name = format!("{}_bytes", words.split_whitespace().collect::<Vec<_>>().join("_"));
        if !self.types.table.typedefs.contains_key(&name) {
            let variable = cast::Variable { name: name.clone(), ty: c.clone(), ..cast::Variable::default() };
            let declared = cast::print_declarations(&[cast::Declaration::Variable(variable)]);
            let head = declared.trim_end().trim_end_matches(';');
            let text = format!("typedef {head} __attribute__((may_alias, aligned(1)));");
            let declaration = cast::TypeDeclaration { text, order: u32::MAX, ..cast::TypeDeclaration::default() };
            self.types.table.typedefs.insert(name.clone(), cast::Typedef { ty: c, declaration });
        }
        self.types.intern(&cast::Type::Named(name))
    }

    /// The type of whole numbers that an enumeration has: compilers ignore attributes of another name for it.
    fn number_type(&mut self, ty: TypeId) -> TypeId {
        let is_tagged = matches!(self.types.table.resolve(&self.types.get(ty).c).unqualified(), cast::Type::Tagged(..));
        let Shape::Integer { bits, signed, .. } = *self.types.shape_of(ty) else { return ty };
        let scalar = match (bits, signed) {
            _ if !is_tagged => return ty,
            (8, true) => cast::Scalar::SignedChar,
            (8, false) => cast::Scalar::UnsignedChar,
            (16, true) => cast::Scalar::Short,
            (16, false) => cast::Scalar::UnsignedShort,
            (32, true) => cast::Scalar::Int,
            (32, false) => cast::Scalar::UnsignedInt,
            (64, true) => cast::Scalar::Long,
            (64, false) => cast::Scalar::UnsignedLong,
            _ => return ty,
        };
        self.types.scalar(scalar)
    }

    /// The scalars that a virtual object is declared to have in a range.
    pub(crate) fn declared_in(&mut self, at: Pointer, size: u64) -> Option<Vec<(i64, TypeId)>> {
        let ty = self.state.memory.get(at.object).filter(|object| !object.residual)?.ty;
        let mut parts = Vec::new();
        if !self.parts(ty, 0, &mut parts) {
            return None;
        }
        let end = at.offset.checked_add(i64::try_from(size).ok()?)?;
        parts.retain(|(offset, _)| at.offset <= *offset && *offset < end);
        let mut next = at.offset;
        for (offset, ty) in &parts {
            let is_next = *offset == next;
            next += i64::try_from(self.types.size_of(*ty)?).ok()?;
            if !is_next {
                return None;
            }
        }
        parts.iter_mut().for_each(|part| part.0 -= at.offset);
        (next == end).then_some(parts)
    }

    /// The bytes of a constant text that are all known.
    fn letters_in(&mut self, at: Pointer, size: u64) -> Option<Vec<(i64, TypeId)>> {
        let is_constant = self.state.memory.get(at.object).is_some_and(|object| object.constant);
        self.known_bytes(at, size.into()).filter(|_| is_constant)?;
        let byte = self.types.scalar(cast::Scalar::UnsignedChar);
        Some((0..size).map(|offset| (offset as i64, byte)).collect())
    }

    /// The cells of a virtual object that fill a range without gaps, as offsets from its start and types.
    fn scalars_in(&self, at: Pointer, size: u64) -> Option<Vec<(i64, TypeId)>> {
        let object = self.state.memory.get(at.object).filter(|object| !object.residual)?;
        let start = u64::try_from(at.offset).ok()?;
        let mut parts = Vec::new();
        let mut next = start;
        while next < start + size {
            let cell = object.cells.get(&next)?;
            if self.types.size_of(cell.ty) != Some(cell.size) || next + cell.size > start + size {
                return None;
            }
            parts.push(((next - start) as i64, cell.ty));
            next += cell.size;
        }
        Some(parts)
    }
}

/// An integer of the size that a function's name says, with its bytes in the other order.
fn swapped(name: &str, value: i128) -> i128 {
    match name {
        "bswap16" | "htons" | "ntohs" => (value as u16).swap_bytes().into(),
        "bswap64" => (value as u64).swap_bytes().into(),
        _ => (value as u32).swap_bytes().into(),
    }
}

/// What compilers' builtins say of an integer's bits.
fn bits(name: &str, value: i128) -> Option<i128> {
    let (name, value, width) = match name.strip_suffix("ll").or_else(|| name.strip_suffix('l')) {
        Some(name) => (name, value as u64, 64),
        None => (name, u64::from(value as u32), 32),
    };
    let result = match name {
        // What zero gives is undefined.
        "clz" | "ctz" if value == 0 => return None,
        "clz" => value.leading_zeros() - (64 - width),
        "ctz" => value.trailing_zeros(),
        "ffs" if value == 0 => 0,
        "ffs" => value.trailing_zeros() + 1,
        "popcount" => value.count_ones(),
        "parity" => value.count_ones() % 2,
        _ => return None,
    };
    Some(result.into())
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn bits_are_counted_in_the_width_of_the_builtin() {
        for (name, value, result) in [
            ("clz", 16, Some(27)),
            ("clzl", 16, Some(59)),
            ("clzll", -1, Some(0)),
            ("ctz", 16, Some(4)),
            ("ctz", 0, None),
            ("ffs", 0, Some(0)),
            ("ffsll", 1 << 40, Some(41)),
            ("popcount", -1, Some(32)),
            ("popcountll", -1, Some(64)),
            ("parity", 7, Some(1)),
            ("unknown", 1, None),
        ] {
            assert_eq!(bits(name, value), result, "{name} {value}");
        }
    }
}

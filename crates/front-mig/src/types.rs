//! The types that are defined so far, and how types are built of others.

use mig::{CTypes, Deallocate, Definition, Form, Length, Member, Shape, Type, TypeName, Word, symbol};
use source::Span;
use std::collections::BTreeMap;

/// Bytes that a value may have in a message at most.
pub(crate) const MOST_BYTES: u64 = 1 << 26;

/// Bytes up to which an array of any length stands in the message, if nothing else is said.
pub(crate) const ANY_LIMIT: u64 = 2048;

/// Types that no file defines.
const BASIC: [(&str, &str); 3] =
    [("int", "MACH_MSG_TYPE_INTEGER_32"), ("short", "MACH_MSG_TYPE_INTEGER_16"), ("char", "MACH_MSG_TYPE_CHAR")];

/// The types that are defined so far.
pub(crate) struct Table {
    types: BTreeMap<String, (Type, Option<Span>)>,
    /// Those that the file defines. One that says the same again is none of its own.
    definitions: Vec<Definition>,
}

impl Table {
    pub(crate) fn new(word: Word) -> Table {
        let builder = Builder { word };
        let mut types = BTreeMap::new();
        let mut add = |name: &str, meaning: &str| {
            if let Some(symbol) = symbol(meaning) {
                let mut ty = builder.basic(symbol.sent, symbol.received, symbol.bits, false);
                ty.c = CTypes { user: name.to_owned(), server: name.to_owned(), translated: name.to_owned() };
                types.insert(name.to_owned(), (ty, None));
            }
        };
        for (name, meaning) in BASIC {
            add(name, meaning);
        }
        let pointer = match word {
            Word::Bits32 => "MACH_MSG_TYPE_INTEGER_32",
            Word::Bits64 => "MACH_MSG_TYPE_INTEGER_64",
        };
        add("intptr_t", pointer);
        add("uintptr_t", pointer);
        Table { types, definitions: Vec::new() }
    }

    pub(crate) fn definitions(self) -> Vec<Definition> {
        self.definitions
    }

    pub(crate) fn get(&self, name: &str) -> Option<Type> {
        self.types.get(name).map(|(ty, _)| ty.clone())
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.types.keys().map(String::as_str).collect()
    }

    /// Defines a type; gives the place of an earlier definition that says something else.
    pub(crate) fn define(&mut self, name: &str, ty: Type, at: Span) -> Option<Span> {
        let before = self.types.get(name);
        let first = before.filter(|(before, _)| !before.is_presented_as(&ty)).and_then(|(_, at)| *at);
        let place = match before.map(|(before, _)| &before.form) {
            Some(Form::Named(place)) if self.definitions.get(*place).is_some_and(|known| known.ty == ty) => *place,
            _ => {
                self.definitions.push(Definition { name: name.to_owned(), at, ty: ty.clone() });
                self.definitions.len() - 1
            }
        };
        self.types.insert(name.to_owned(), (Type { form: Form::Named(place), ..ty }, Some(at)));
        first
    }
}

/// Makes types for a machine.
#[derive(Clone, Copy)]
pub(crate) struct Builder {
    pub(crate) word: Word,
}

impl Builder {
    /// A type that the language has a name or a number for.
    pub(crate) fn basic(self, sent: TypeName, received: TypeName, bits: u32, is_text: bool) -> Type {
        Type {
            sent,
            received,
            bits,
            units: 1,
            shape: if is_text { Shape::Text } else { Shape::Value },
            length: Length::Fixed,
            is_inline: true,
            deallocate: Deallocate::No,
            alignment: match bits / 8 {
                bytes @ (1 | 2 | 4 | 8) => u64::from(bytes).min(self.word.bytes()),
                _ => 1,
            },
            element: CTypes::default(),
            c: CTypes::default(),
            intran: None,
            outtran: None,
            payload: None,
            destructor: None,
            form: Form::Unit,
        }
    }

    pub(crate) fn text(self, count: u64, is_bounded: bool) -> Type {
        let name = symbol("MACH_MSG_TYPE_STRING_C").map_or(TypeName::Number(12), |symbol| symbol.sent);
        let ty = self.basic(name, name, 8, false);
        let element = CTypes { user: "char".into(), server: "char".into(), translated: "char".into() };
        let (units, length) = if is_bounded { (1, Length::AtMost(count)) } else { (count, Length::Fixed) };
        Type { units, length, shape: Shape::Text, element, ..ty }
    }

    /// `array[count] of element`; `None` where it is too large.
    pub(crate) fn array_of(self, element: &Type, count: u64) -> Option<Type> {
        let ty = Type { shape: Shape::Array, ..self.repeated(element, Some(count)) };
        fitting(Type { units: ty.units.checked_mul(count)?, ..ty })
    }

    /// `struct[count] of element`
    pub(crate) fn structure_of(self, element: &Type, count: u64) -> Option<Type> {
        Some(Type { shape: Shape::Value, ..self.array_of(element, count)? })
    }

    /// `array[*:most] of element`
    pub(crate) fn array_at_most(self, element: &Type, most: u64) -> Option<Type> {
        element.bytes().checked_mul(most).filter(|bytes| *bytes <= MOST_BYTES)?;
        Some(Type { shape: Shape::Array, length: Length::AtMost(most), ..self.repeated(element, None) })
    }

    /// `array[] of element`, up to `limit` bytes of it in the message.
    pub(crate) fn array_of_any(self, element: &Type, limit: u64) -> Type {
        let most = limit / element.bytes().max(1);
        Type { shape: Shape::Array, length: Length::Any(most), ..self.repeated(element, None) }
    }

    fn repeated(self, element: &Type, count: Option<u64>) -> Type {
        let form = Form::Elements { of: Box::new(element.clone()), count };
        Type { element: element.c.clone(), c: CTypes::default(), form, ..plain(element) }
    }

    /// A structure: units of the member that is aligned most, as many as there is room for.
    pub(crate) fn structure(self, members: Vec<Member>) -> Option<Type> {
        let types = || members.iter().map(|member| &member.ty);
        let widest = types().max_by_key(|member| member.alignment)?;
        let alignment = widest.alignment;
        let mut bytes = 0u64;
        for member in types() {
            bytes = bytes.next_multiple_of(member.alignment.max(1)).checked_add(member.bytes())?;
        }
        bytes = bytes.next_multiple_of(alignment.max(1));
        let unit = u64::from(widest.bits).div_ceil(8).max(1);
        let is_whole = bytes.is_multiple_of(unit);
        let (bits, units) = if is_whole { (widest.bits, bytes / unit) } else { (8, bytes) };
        fitting(Type {
            bits,
            units,
            shape: Shape::Value,
            element: CTypes::default(),
            c: CTypes::default(),
            ..plain(widest)
        })
        .map(|ty| Type { form: Form::Structure(members), ..ty })
    }

    /// `^ty`
    pub(crate) fn elsewhere(self, ty: Type) -> Type {
        Type { is_inline: false, alignment: self.word.bytes(), ..ty }
    }
}

/// What a type is in the message, without what its definition says of C.
fn plain(ty: &Type) -> Type {
    Type { intran: None, outtran: None, payload: None, destructor: None, form: Form::Unit, ..ty.clone() }
}

fn fitting(ty: Type) -> Option<Type> {
    let bits = ty.units.checked_mul(u64::from(ty.bits))?;
    (bits / 8 <= MOST_BYTES).then_some(ty)
}

//! Bit masks and bit sets (IDL 4.2 section 7.4.13.4.3): integers whose bits have names.
//!
//! A mask is an alias of the unsigned integer that holds its bits, and a constant for each flag. A set is an alias of
//! the integer that holds its fields; their names are for programming languages.

use super::Lowering;
use super::scopes::{Meaning, ScopeKind};
use crate::errors;
use crate::syntax::{BitField, Enumerator, Name, ScopedName};
use aoi::{DefinitionId, DefinitionKind, Value};

/// How many bits a set can have.
const BITS_MOST: i128 = 64;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn bitmask(
        &mut self,
        name: Name<'a>,
        flags: &[Enumerator<'a>],
        annotations: Vec<aoi::Annotation>,
    ) -> DefinitionId {
        let bound = annotations.iter().find(|annotation| annotation.name == "bit_bound").map(parameter);
        let bits = match bound {
            None => 32,
            Some(Some(bits)) if (1..=BITS_MOST).contains(&bits) => bits,
            Some(other) => {
                let found = other.map_or("nothing".to_owned(), |bits| bits.to_string());
                self.findings.push(errors::out_of_range(name.span, &found, "the width of a bit mask", "1 to 64"));
                64
            }
        };
        let ty = unsigned(bits);
        let id = self.named(name, DefinitionKind::Alias(ty.clone()), annotations);
        let mut next = 0;
        for flag in flags {
            let position = self.position(&flag.annotations).unwrap_or(next);
            if !(0..bits).contains(&position) {
                let most = format!("0 to {}", bits - 1);
                self.findings.push(errors::out_of_range(
                    flag.name.span,
                    &position.to_string(),
                    "the position of a flag",
                    &most,
                ));
                continue;
            }
            next = position + 1;
            let value = 1_i128 << position;
            let constant = Value::Integer { value, spelling: format!("{value:#x}") };
            let constant = aoi::Constant { value: constant, ty: Some(aoi::Type::Named(id)) };
            let id = self.allocate(flag.name, DefinitionKind::Constant(constant), Vec::new());
            self.scopes.define(flag.name, Meaning::Constant(id));
            self.items.push(aoi::Item::Definition(id));
            self.constants.insert(id, super::evaluate::Number::Integer(value));
        }
        id
    }

    pub(super) fn bitset(
        &mut self,
        name: Name<'a>,
        base: Option<&ScopedName<'a>>,
        fields: &[BitField<'a>],
        annotations: Vec<aoi::Annotation>,
    ) -> DefinitionId {
        let mut bits = base.map_or(0, |base| self.bits_of_base(base));
        let scope = self.scopes.add(name.text, ScopeKind::Type);
        self.scopes.current = scope;
        for field in fields {
            let width = self.whole_number(&field.bits, "a width").unwrap_or(1);
            if !(1..=BITS_MOST).contains(&width) {
                let finding =
                    errors::out_of_range(field.bits.span, &width.to_string(), "the width of a bit field", "1 to 64");
                self.findings.push(finding);
                continue;
            }
            // Room without a name is room all the same.
            bits += width * i128::try_from(field.names.len().max(1)).unwrap_or(BITS_MOST);
            for name in &field.names {
                self.scopes.define(*name, Meaning::Part("a bit field"));
            }
        }
        self.scopes.leave();
        if bits > BITS_MOST {
            self.findings.push(errors::out_of_range(name.span, &bits.to_string(), "the width of a bit set", "1 to 64"));
        }
        self.named(name, DefinitionKind::Alias(unsigned(bits.min(BITS_MOST))), annotations)
    }

    /// The width of a bit set that another one inherits from.
    fn bits_of_base(&mut self, base: &ScopedName<'a>) -> i128 {
        let Some(entry) = self.scopes.resolve(base) else { return 0 };
        if let Meaning::Type(id, _) = entry.meaning
            && let aoi::Type::Integer { bits, .. } = self.unaliased(&aoi::Type::Named(id))
        {
            return i128::from(*bits);
        }
        self.wrong_kind(base, "a bit set", &entry);
        0
    }
}

/// The unsigned integer that holds so many bits.
fn unsigned(bits: i128) -> aoi::Type {
    let (bits, spelling) = match bits {
        ..=8 => (8, "uint8"),
        9..=16 => (16, "uint16"),
        17..=32 => (32, "uint32"),
        _ => (64, "uint64"),
    };
    aoi::Type::Integer { bits, signed: false, spelling: spelling.to_owned() }
}

/// The number that an annotation has as its only parameter.
fn parameter(annotation: &aoi::Annotation) -> Option<i128> {
    match annotation.parameters.first()?.1 {
        Value::Integer { value, .. } => Some(value),
        _ => None,
    }
}

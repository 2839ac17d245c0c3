//! How much room a value takes in C, about: what lies inside another value lies on a server's stack with it. In: AOI whose
//! values have their forms. Out: bytes; `None` for what is larger than anything, or holds itself.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Field, Type};

use super::marks;
use super::statements::Form;

/// Types that nest deeper are not for the stack.
const DEEPEST: usize = 200;

const POINTER: u64 = 8;
const COUNTED: u64 = 16;

/// The room of a definition's values.
pub(super) fn of(aoi: &Aoi, id: DefinitionId) -> Option<u64> {
    Room { aoi, known: BTreeMap::new(), depth: 0 }.ty(&Type::Named(id))
}

struct Room<'a> {
    aoi: &'a Aoi,
    /// Of definitions; `None` while it is being found out.
    known: BTreeMap<u32, Option<u64>>,
    depth: usize,
}

impl Room<'_> {
    fn ty(&mut self, ty: &Type) -> Option<u64> {
        let aoi = self.aoi;
        let length = |value| aoi.number(value).and_then(|number| u64::try_from(number).ok());
        Some(match ty {
            Type::Integer { bits, .. } | Type::Float { bits } => u64::from(*bits) / 8,
            Type::Boolean | Type::Character { .. } => 1,
            Type::FixedOpaque { length: bytes } => length(bytes)?,
            Type::Array { element, length: items } => length(items)?.checked_mul(self.ty(element)?)?,
            Type::Sequence { .. } | Type::Opaque { .. } => COUNTED,
            Type::Named(id) => return self.definition(*id),
            _ => POINTER,
        })
    }

    fn definition(&mut self, id: DefinitionId) -> Option<u64> {
        let key = id.into_raw().into_u32();
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.depth == DEEPEST {
            return None;
        }
        self.known.insert(key, None);
        self.depth += 1;
        let room = self.kind(id);
        self.depth -= 1;
        self.known.insert(key, room);
        room
    }

    fn kind(&mut self, id: DefinitionId) -> Option<u64> {
        let aoi = self.aoi;
        let definition = &aoi.definitions[id];
        match &definition.kind {
            DefinitionKind::Alias(Type::Text { bound }) => match (marks::form(definition), bound) {
                (Some(Form::Counted), _) => Some(COUNTED),
                (Some(Form::Inline), Some(bound)) => u64::try_from(aoi.number(bound)?).ok()?.checked_add(1),
                _ => Some(POINTER),
            },
            DefinitionKind::Alias(ty) if marks::is_inline_array(definition) => self.ty(ty)?.checked_add(POINTER),
            DefinitionKind::Alias(ty) => self.ty(ty),
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                structure.fields.iter().try_fold(0, |sum: u64, field| sum.checked_add(self.member(field)?))
            }
            DefinitionKind::Union(union) => {
                let mut largest = 0;
                for body in crate::plain::c_types::bodies(union) {
                    largest = self.member(body)?.max(largest);
                }
                largest.checked_add(POINTER)
            }
            DefinitionKind::Enumeration(_) => Some(4),
            _ => Some(POINTER),
        }
    }

    /// As if each were aligned as the largest.
    fn member(&mut self, field: &Field) -> Option<u64> {
        self.ty(&field.ty)?.checked_next_multiple_of(POINTER)
    }
}

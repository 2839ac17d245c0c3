//! The most bytes that a packet takes in memory: its structure as C lays it out, arrays and strings at their bounds.

use aoi::{Aoi, DefinitionKind, Field as AoiField, Type, Value};

use super::types::{Known, Types};
use crate::ir::{Extent, Field, FieldType, Packet};

/// Bytes, and the multiple of which the place must be.
#[derive(Clone, Copy)]
struct Layout {
    size: u64,
    alignment: u64,
}

/// Types inside types, at most; packets that contain themselves are reported elsewhere.
const DEEPEST: usize = 64;

impl Types<'_> {
    /// The most bytes of one packet of the named type. `None` where there is no bound, or the type's layout is the
    /// user's own.
    pub fn largest(&self, name: &str) -> Option<u64> {
        self.layout(name, DEEPEST).map(|layout| layout.size)
    }

    fn layout(&self, name: &str, deep: usize) -> Option<Layout> {
        let deep = deep.checked_sub(1)?;
        match self.get(name)? {
            Known::Packet(packet) => self.packet(packet, deep),
            Known::Imported { aoi, definition, .. } => of_definition(aoi, definition, deep),
        }
    }

    fn packet(&self, packet: &Packet, deep: usize) -> Option<Layout> {
        together(packet.fields.iter().map(|field| self.field(field, deep)))
    }

    fn field(&self, field: &Field, deep: usize) -> Option<Layout> {
        let one = match &field.ty {
            FieldType::Boolean | FieldType::Octet | FieldType::Character => scalar(1),
            FieldType::Integer { bits, .. } | FieldType::Float { bits } => scalar(u64::from(*bits) / 8),
            FieldType::Text { bound } => times(scalar(1), bound.value.checked_add(1)?)?,
            FieldType::Named(name) => self.layout(&name.text, deep)?,
        };
        match &field.array {
            None => Some(one),
            Some(Extent::Fixed(count)) => times(one, count.value),
            Some(Extent::Bounded { bound, used: Some(_) }) => times(one, bound.value),
            // The count has a place of its own.
            Some(Extent::Bounded { bound, used: None }) => {
                together([Some(scalar(4)), times(one, bound.value)].into_iter())
            }
        }
    }
}

fn scalar(size: u64) -> Layout {
    Layout { size, alignment: size.max(1) }
}

fn times(one: Layout, count: u64) -> Option<Layout> {
    Some(Layout { size: one.size.checked_mul(count)?, alignment: one.alignment })
}

/// One behind the other, with gaps where alignment wants them.
fn together(parts: impl Iterator<Item = Option<Layout>>) -> Option<Layout> {
    let mut whole = Layout { size: 0, alignment: 1 };
    for part in parts {
        let part = part?;
        whole.size = whole.size.checked_next_multiple_of(part.alignment)?.checked_add(part.size)?;
        whole.alignment = whole.alignment.max(part.alignment);
    }
    whole.size = whole.size.checked_next_multiple_of(whole.alignment)?;
    Some(whole)
}

fn of_definition(aoi: &Aoi, definition: aoi::DefinitionId, deep: usize) -> Option<Layout> {
    let deep = deep.checked_sub(1)?;
    match &aoi.definitions[definition].kind {
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            of_fields(aoi, &structure.fields, deep)
        }
        DefinitionKind::Union(union) => of_type(aoi, &Type::Union(union.clone()), deep),
        DefinitionKind::Enumeration(_) => Some(scalar(4)),
        DefinitionKind::Alias(ty) => of_type(aoi, ty, deep),
        DefinitionKind::Constant(_)
        | DefinitionKind::Reference(_)
        | DefinitionKind::Value(_)
        | DefinitionKind::ValueBox(_)
        | DefinitionKind::Native => None,
    }
}

fn of_fields(aoi: &Aoi, fields: &[AoiField], deep: usize) -> Option<Layout> {
    together(fields.iter().map(|field| of_type(aoi, &field.ty, deep)))
}

fn of_type(aoi: &Aoi, ty: &Type, deep: usize) -> Option<Layout> {
    match ty {
        Type::Void => Some(scalar(0)),
        Type::Integer { bits, .. } | Type::Float { bits } => Some(scalar(u64::from(*bits) / 8)),
        Type::Boolean | Type::Enumeration(_) => Some(scalar(4)),
        Type::Character { is_wide } => Some(scalar(if *is_wide { 4 } else { 1 })),
        Type::WideText { bound } => times(scalar(4), number(aoi, bound.as_ref()?)?.checked_add(1)?),
        Type::Fixed { digits, .. } => Some(scalar(u64::from(*digits / 2 + 1))),
        Type::Text { bound } => times(scalar(1), number(aoi, bound.as_ref()?)?.checked_add(1)?),
        Type::FixedOpaque { length } => times(scalar(1), number(aoi, length)?),
        Type::Opaque { bound } => {
            together([Some(scalar(4)), times(scalar(1), number(aoi, bound.as_ref()?)?)].into_iter())
        }
        Type::Array { element, length } => times(of_type(aoi, element, deep)?, number(aoi, length)?),
        Type::Sequence { element, bound } => {
            let items = times(of_type(aoi, element, deep)?, number(aoi, bound.as_ref()?)?);
            together([Some(scalar(4)), items].into_iter())
        }
        Type::Structure(structure) => of_fields(aoi, &structure.fields, deep),
        Type::Union(union) => {
            let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
            let mut widest = scalar(0);
            for body in bodies {
                let body = of_type(aoi, &body.ty, deep)?;
                widest.size = widest.size.max(body.size);
                widest.alignment = widest.alignment.max(body.alignment);
            }
            together([of_type(aoi, &union.discriminant.ty, deep), Some(widest)].into_iter())
        }
        Type::Named(definition) => of_definition(aoi, *definition, deep),
        Type::Optional(_) | Type::Any | Type::TypeCode | Type::Object | Type::External(_) => None,
    }
}

fn number(aoi: &Aoi, value: &Value) -> Option<u64> {
    match value {
        Value::Integer { value, .. } | Value::NestedMember { value, .. } => u64::try_from(*value).ok(),
        Value::Constant(definition) => match &aoi.definitions[*definition].kind {
            DefinitionKind::Constant(constant) => number(aoi, &constant.value),
            _ => None,
        },
        Value::Member { enumeration, member } => match &aoi.definitions[*enumeration].kind {
            DefinitionKind::Enumeration(of) => u64::try_from(of.members.get(*member)?.value?).ok(),
            _ => None,
        },
        Value::Boolean(value) => Some(u64::from(*value)),
        Value::Character { code, .. } => Some(u64::from(*code)),
        Value::Text(_) | Value::WideText(_) | Value::Float(_) | Value::Fixed(_) | Value::External(_) => None,
    }
}

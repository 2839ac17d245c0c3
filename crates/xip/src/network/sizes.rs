//! The most bytes that a packet takes in memory: its structure as C lays it out, arrays and strings at their bounds. In: the
//! types of a description. Out: the layout of each, worked out once, since packets that hold two of the one before double at each
//! level; sizes beyond 64 bits are the largest that these hold.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, DefinitionId, DefinitionKind, Field as AoiField, Type, Value};

use super::types::{Known, Types};
use crate::ir::{Extent, Field, FieldType};

/// Bytes, and the multiple of which the place must be.
#[derive(Clone, Copy, Debug)]
struct Layout {
    size: u64,
    alignment: u64,
}

/// One type: a packet, or a definition of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    Packet(&'a str),
    Imported(&'a str, DefinitionId),
}

/// What is known of the layouts. `None`: no bound, the user's own layout, or a type that contains itself, which is reported elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Layouts<'a> {
    known: BTreeMap<Part<'a>, Option<Layout>>,
}

/// How what is inside a type is laid out.
type Inner<'i, K> = &'i mut dyn FnMut(K) -> Option<Layout>;

impl<'a> Types<'a> {
    /// The most bytes of one packet of the named type. `None` where there is no bound, or the type's layout is the
    /// user's own; `u64::MAX` stands for all sizes from there on.
    pub fn largest(&self, name: &str) -> Option<u64> {
        let (name, known) = self.known.get_key_value(name)?;
        let layout = self.layouts.known.get(&part(name, *known))?;
        layout.map(|layout| layout.size)
    }

    /// The layouts of all types that have a name here, and of those inside them. On a stack of its own: chains may be long.
    pub(super) fn lay_out(&self, imports: &BTreeMap<&'a str, &'a Aoi>) -> Layouts<'a> {
        let mut known: BTreeMap<Part<'a>, Option<Layout>> = BTreeMap::new();
        let mut begun = BTreeSet::new();
        for (name, of) in &self.known {
            let mut open = vec![part(name, *of)];
            while let Some(&next) = open.last() {
                if known.contains_key(&next) {
                    open.pop();
                    continue;
                }
                let is_first = begun.insert(next);
                let mut missing = Vec::new();
                let layout = self.one(next, imports, &mut |inner| match known.get(&inner) {
                    Some(layout) => *layout,
                    // Begun and not known: it contains itself.
                    None if begun.contains(&inner) => None,
                    None => {
                        missing.push(inner);
                        Some(scalar(0))
                    }
                });
                debug_assert!(is_first || missing.is_empty());
                if layout.is_none() || missing.is_empty() {
                    known.insert(next, layout);
                    open.pop();
                } else {
                    open.append(&mut missing);
                }
            }
        }
        Layouts { known }
    }

    fn one(&self, of: Part<'a>, imports: &BTreeMap<&'a str, &'a Aoi>, inner: Inner<'_, Part<'a>>) -> Option<Layout> {
        match of {
            Part::Packet(name) => {
                let Known::Packet(packet) = self.get(name)? else { return None };
                together(packet.fields.iter().map(|field| self.field(field, inner)))
            }
            Part::Imported(file, definition) => {
                of_definition(imports.get(file)?, definition, &mut |definition| inner(Part::Imported(file, definition)))
            }
        }
    }

    fn field(&self, field: &Field, inner: Inner<'_, Part<'a>>) -> Option<Layout> {
        let one = match &field.ty {
            FieldType::Boolean | FieldType::Octet | FieldType::Character => scalar(1),
            FieldType::Integer { bits, .. } | FieldType::Float { bits } => scalar(u64::from(*bits) / 8),
            FieldType::Text { bound } => times(scalar(1), bound.value.saturating_add(1)),
            FieldType::Named(name) => {
                let (name, known) = self.known.get_key_value(name.text.as_str())?;
                inner(part(name, *known))?
            }
        };
        Some(match &field.array {
            None => one,
            Some(Extent::Fixed(count)) => times(one, count.value),
            Some(Extent::Bounded { bound, used: Some(_) }) => times(one, bound.value),
            // The count has a place of its own.
            Some(Extent::Bounded { bound, used: None }) => counted(times(one, bound.value)),
        })
    }
}

fn part<'a>(name: &'a str, known: Known<'a>) -> Part<'a> {
    match known {
        Known::Packet(_) => Part::Packet(name),
        Known::Imported { file, definition, .. } => Part::Imported(file, definition),
    }
}

fn scalar(size: u64) -> Layout {
    Layout { size, alignment: size.max(1) }
}

fn times(one: Layout, count: u64) -> Layout {
    Layout { size: one.size.saturating_mul(count), ..one }
}

/// One behind the other, with gaps where alignment wants them.
fn together(parts: impl Iterator<Item = Option<Layout>>) -> Option<Layout> {
    let mut whole = Layout { size: 0, alignment: 1 };
    for part in parts {
        let part = part?;
        whole.size = aligned(whole.size, part.alignment).saturating_add(part.size);
        whole.alignment = whole.alignment.max(part.alignment);
    }
    whole.size = aligned(whole.size, whole.alignment);
    Some(whole)
}

fn aligned(size: u64, alignment: u64) -> u64 {
    size.checked_next_multiple_of(alignment).unwrap_or(u64::MAX)
}

/// A count before them.
fn counted(items: Layout) -> Layout {
    let alignment = items.alignment.max(4);
    let size = aligned(4, items.alignment).saturating_add(items.size);
    Layout { size: aligned(size, alignment), alignment }
}

fn of_definition(aoi: &Aoi, definition: DefinitionId, inner: Inner<'_, DefinitionId>) -> Option<Layout> {
    match &aoi.definitions[definition].kind {
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            of_fields(aoi, &structure.fields, inner)
        }
        DefinitionKind::Union(union) => of_type(aoi, &Type::Union(union.clone()), inner),
        DefinitionKind::Enumeration(_) => Some(scalar(4)),
        DefinitionKind::Alias(ty) => of_type(aoi, ty, inner),
        DefinitionKind::Constant(_)
        | DefinitionKind::Reference(_)
        | DefinitionKind::Value(_)
        | DefinitionKind::ValueBox(_)
        | DefinitionKind::Native => None,
    }
}

fn of_fields(aoi: &Aoi, fields: &[AoiField], inner: Inner<'_, DefinitionId>) -> Option<Layout> {
    together(fields.iter().map(|field| of_type(aoi, &field.ty, inner)))
}

fn of_type(aoi: &Aoi, ty: &Type, inner: Inner<'_, DefinitionId>) -> Option<Layout> {
    match ty {
        Type::Void => Some(scalar(0)),
        Type::Integer { bits, .. } | Type::Float { bits } => Some(scalar(u64::from(*bits) / 8)),
        Type::Boolean | Type::Enumeration(_) => Some(scalar(4)),
        Type::Character { is_wide } => Some(scalar(if *is_wide { 4 } else { 1 })),
        Type::WideText { bound } => Some(times(scalar(4), number(aoi, bound.as_ref()?)?.saturating_add(1))),
        Type::Fixed { digits, .. } => Some(scalar(u64::from(*digits / 2 + 1))),
        Type::Text { bound } => Some(times(scalar(1), number(aoi, bound.as_ref()?)?.saturating_add(1))),
        Type::FixedOpaque { length } => Some(times(scalar(1), number(aoi, length)?)),
        Type::Opaque { bound } => Some(counted(times(scalar(1), number(aoi, bound.as_ref()?)?))),
        Type::Array { element, length } => Some(times(of_type(aoi, element, inner)?, number(aoi, length)?)),
        Type::Sequence { element, bound } => {
            Some(counted(times(of_type(aoi, element, inner)?, number(aoi, bound.as_ref()?)?)))
        }
        Type::Structure(structure) => of_fields(aoi, &structure.fields, inner),
        Type::Union(union) => {
            let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
            let mut widest = scalar(0);
            for body in bodies {
                let body = of_type(aoi, &body.ty, inner)?;
                widest.size = widest.size.max(body.size);
                widest.alignment = widest.alignment.max(body.alignment);
            }
            together([of_type(aoi, &union.discriminant.ty, inner), Some(widest)].into_iter())
        }
        Type::Named(definition) => inner(*definition),
        Type::Optional(_) | Type::Recursive(_) | Type::Any | Type::TypeCode | Type::Object | Type::External(_) => None,
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

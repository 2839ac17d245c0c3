//! Which member of which element a part of an initializer is.

use cast::{FieldLayout, Placed, RecordKind, TagKind, Type, TypeTable, array_length};

use super::{Lowered, refuse};

/// One step to a part of an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Member(String, Type),
    Element(u64, Option<Type>),
}

/// The steps from an object to a part of it.
pub(super) fn path(table: &TypeTable, ty: &Type, part: &Placed) -> Lowered<Vec<Part>> {
    let wanted = Wanted { ty: &part.ty, width: part.bits.map(|bits| bits.width) };
    let offset = part.offset * 8 + part.bits.map_or(0, |bits| u64::from(bits.first));
    let mut steps = Vec::new();
    if find(table, ty, None, offset, &wanted, &mut steps) {
        steps.reverse();
        return Ok(steps);
    }
    refuse("an initializer of a part that cannot be named")
}

struct Wanted<'a> {
    ty: &'a Type,
    width: Option<u32>,
}

/// Finds the steps to what lies `offset` bits behind the start, last step first.
fn find(table: &TypeTable, ty: &Type, width: Option<u32>, offset: u64, wanted: &Wanted, steps: &mut Vec<Part>) -> bool {
    if offset == 0 && width == wanted.width && (ty == wanted.ty || table.resolve(ty) == table.resolve(wanted.ty)) {
        return true;
    }
    match table.resolve(ty) {
        Type::Array(element, _) => {
            let Some(size) = table.size(element).map(|size| size * 8).filter(|size| *size > 0) else { return false };
            let found = find(table, element, None, offset % size, wanted, steps);
            if found {
                steps.push(Part::Element(offset / size, Some((**element).clone())));
            }
            found
        }
        Type::Tagged(TagKind::Struct | TagKind::Union, tag) => {
            let Some(layout) = table.records.get(tag) else { return false };
            layout.fields.iter().any(|field| {
                if field.offset > offset || (field.name.is_none() && field.bits.is_some()) {
                    return false;
                }
                let inside = offset - field.offset;
                if table.size(&field.ty).is_some_and(|size| inside > 0 && inside >= size * 8) {
                    return false;
                }
                let found = find(table, &field.ty, field.bits, inside, wanted, steps);
                if let Some(name) = field.name.as_ref().filter(|_| found) {
                    steps.push(Part::Member(name.clone(), field.ty.clone()));
                }
                found
            })
        }
        _ => false,
    }
}

/// How many bits of an object of this type hold data, padding left out; a union has none.
pub(super) fn data(table: &TypeTable, ty: &Type) -> Option<u64> {
    match table.resolve(ty) {
        Type::Array(element, Some(length)) => data(table, element)?.checked_mul(array_length(length)?),
        Type::Array(_, None) => None,
        Type::Tagged(TagKind::Struct | TagKind::Union, tag) => {
            let layout = table.records.get(tag)?;
            let size = |field: &FieldLayout| match field.bits {
                Some(_) if field.name.is_none() => Some(0),
                Some(width) => Some(u64::from(width)),
                None => data(table, &field.ty),
            };
            match layout.kind {
                RecordKind::Struct => layout.fields.iter().map(size).sum(),
                RecordKind::Union => layout.size?.checked_mul(8),
            }
        }
        _ => table.size(ty)?.checked_mul(8),
    }
}

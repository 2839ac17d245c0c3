//! What C must know of a type before it can pass it: fixed or variable length, array or not, and what lets go of it.
//! Source: OMG, C Language Mapping (formal/99-07-35), sections 1.20 to 1.23.

use std::collections::BTreeSet;

use aoi::{Aoi, DefinitionId, DefinitionKind, Type, Union};
use pres::Passing;

use super::names;

/// Values hold what was allocated for them.
pub(super) fn is_variable(aoi: &Aoi, ty: &Type) -> bool {
    match aoi.resolve(ty) {
        Type::Text { .. }
        | Type::WideText { .. }
        | Type::Opaque { .. }
        | Type::Sequence { .. }
        | Type::Optional(_)
        | Type::Any
        | Type::TypeCode
        | Type::Object => true,
        Type::Array { element, .. } => is_variable(aoi, element),
        Type::Named(id) => is_variable_definition(aoi, *id),
        _ => false,
    }
}

/// The same of a structure, union or exception.
pub(super) fn is_variable_definition(aoi: &Aoi, id: DefinitionId) -> bool {
    match &aoi.definitions[id].kind {
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            structure.fields.iter().any(|field| is_variable(aoi, &field.ty))
        }
        DefinitionKind::Union(union) => bodies(union).any(|ty| is_variable(aoi, ty)),
        DefinitionKind::Reference(_) => true,
        _ => false,
    }
}

/// The types of a union's bodies.
pub(super) fn bodies(union: &Union) -> impl Iterator<Item = &Type> {
    let cases = union.cases.iter().chain(union.default.as_deref());
    cases.filter_map(|case| case.body.as_ref()).map(|body| &body.ty)
}

/// How C passes a value of the type.
pub(super) fn passing(aoi: &Aoi, ty: &Type) -> Passing {
    let record = || if is_variable(aoi, ty) { Passing::VariableRecord } else { Passing::FixedRecord };
    match aoi.resolve(ty) {
        Type::Text { .. } | Type::WideText { .. } => Passing::Text,
        Type::Opaque { .. } | Type::Sequence { .. } | Type::Optional(_) | Type::Any => Passing::VariableRecord,
        Type::Fixed { .. } => Passing::FixedRecord,
        Type::Array { .. } | Type::FixedOpaque { .. } if is_variable(aoi, ty) => Passing::VariableArray,
        Type::Array { .. } | Type::FixedOpaque { .. } => Passing::FixedArray,
        Type::Named(id) => match &aoi.definitions[*id].kind {
            DefinitionKind::Structure(_) | DefinitionKind::Union(_) | DefinitionKind::Exception(_) => record(),
            _ => Passing::Value,
        },
        _ => Passing::Value,
    }
}

/// What lets go of all that a value holds, given its address; `None` where it holds nothing.
pub(super) fn release(aoi: &Aoi, ty: &Type) -> Option<String> {
    let known = |name: &str| Some(format!("whittle_release_{name}"));
    match ty {
        Type::Text { .. } => known("string"),
        Type::WideText { .. } => known("wstring"),
        Type::Opaque { .. } | Type::Sequence { .. } | Type::Optional(_) => known("sequence"),
        Type::Any => known("any"),
        Type::TypeCode => known("typecode"),
        Type::Object => known("object"),
        Type::Named(id) => match &aoi.definitions[*id].kind {
            DefinitionKind::Reference(_) => known("object"),
            DefinitionKind::Alias(Type::Array { element, .. }) if is_variable(aoi, element) => {
                known(&names::of_definition(aoi, *id))
            }
            DefinitionKind::Alias(target) => release(aoi, target),
            _ if is_variable_definition(aoi, *id) => known(&names::of_definition(aoi, *id)),
            _ => None,
        },
        _ => None,
    }
}

/// Values may lie in the message while a call lasts: nothing in them is counted by references.
pub(super) fn may_be_borrowed(aoi: &Aoi, ty: &Type) -> bool {
    borrowed(aoi, ty, &mut BTreeSet::new())
}

fn borrowed(aoi: &Aoi, ty: &Type, seen: &mut BTreeSet<DefinitionId>) -> bool {
    match ty {
        Type::Any | Type::TypeCode | Type::Object | Type::WideText { .. } => false,
        Type::Array { element, .. } | Type::Sequence { element, .. } | Type::Optional(element) => {
            borrowed(aoi, element, seen)
        }
        Type::Named(id) => {
            !seen.insert(*id)
                || match &aoi.definitions[*id].kind {
                    DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                        structure.fields.iter().all(|field| borrowed(aoi, &field.ty, seen))
                    }
                    DefinitionKind::Union(union) => bodies(union).all(|ty| borrowed(aoi, ty, seen)),
                    DefinitionKind::Alias(ty) => borrowed(aoi, ty, seen),
                    DefinitionKind::Enumeration(_) => true,
                    _ => false,
                }
        }
        _ => true,
    }
}

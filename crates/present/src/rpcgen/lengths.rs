//! What a walk over all types tells: lengths that C cannot declare, and whether `quadruple` is used.

use aoi::{Aoi, DefinitionKind, Field, Item, Type, Union, Value};
use source::{Diagnostic, Span};

use super::{errors, scalars};

/// Findings about lengths and bounds.
pub(super) fn check(aoi: &Aoi) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    each_type(aoi, &mut |_, ty, span| {
        // Arrays without elements are none of C's, but C compilers take them, and interfaces of others have them.
        let length = match ty {
            Type::Array { length, .. } | Type::FixedOpaque { length } => Some(length),
            Type::Sequence { bound, .. } | Type::Opaque { bound } | Type::Text { bound } => bound.as_ref(),
            _ => None,
        };
        match length.and_then(|length: &Value| aoi.number(length)) {
            Some(length) if length < 0 => findings.push(errors::negative_length(length, span)),
            _ => {}
        }
    });
    findings
}

/// Types of which an RPC library's routine alone knows how they are encoded.
pub(super) fn of_library(aoi: &Aoi) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    each_type(aoi, &mut |_, ty, span| match ty {
        Type::External(name) if scalars::of_type(ty).is_none() => findings.push(errors::of_library(name, span)),
        _ => {}
    });
    findings
}

/// Whether any type is a floating-point number of 128 bits.
pub(super) fn uses_quadruple(aoi: &Aoi) -> bool {
    let mut found = false;
    each_type(aoi, &mut |_, ty, _| found |= matches!(ty, Type::Float { bits: 128 }));
    found
}

type Found<'f> = &'f mut dyn FnMut(&str, &Type, Span);

/// Calls `found` for each type, with the name it is declared with.
fn each_type(aoi: &Aoi, found: Found) {
    for (_, definition) in aoi.definitions.iter() {
        match &definition.kind {
            DefinitionKind::Structure(structure) => fields(structure.fields.iter(), found),
            DefinitionKind::Union(union) => union_types(union, found),
            DefinitionKind::Alias(ty) => inside(&definition.name, ty, definition.span, found),
            _ => {}
        }
    }
    item_types(&aoi.items, found);
}

fn item_types(items: &[Item], found: Found) {
    for item in items {
        match item {
            Item::Module(module) => item_types(&module.items, found),
            Item::Interface(interface) => {
                for operation in &interface.operations {
                    inside(&operation.name, &operation.result, operation.span, found);
                    operation.parameters.iter().for_each(|p| inside(&operation.name, &p.ty, p.span, found));
                }
            }
            Item::Definition(_) | Item::Verbatim(_) => {}
        }
    }
}

fn fields<'f>(list: impl Iterator<Item = &'f Field>, found: Found) {
    for field in list {
        inside(&field.name, &field.ty, field.span, found);
    }
}

fn union_types(union: &Union, found: Found) {
    fields(std::iter::once(&*union.discriminant), found);
    fields(union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref()), found);
}

fn inside(name: &str, ty: &Type, span: Span, found: Found) {
    found(name, ty, span);
    match ty {
        Type::Array { element: inner, .. }
        | Type::Sequence { element: inner, .. }
        | Type::Optional(inner)
        | Type::Recursive(inner) => {
            inside(name, inner, span, found);
        }
        Type::Structure(structure) => fields(structure.fields.iter(), found),
        Type::Union(union) => union_types(union, found),
        _ => {}
    }
}

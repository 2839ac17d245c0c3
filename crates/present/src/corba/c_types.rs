//! The C types of values. In: a type of AOI, lifted. Out: what the C mapping calls it (sections 1.7 to 1.17).

use aoi::{Aoi, DefinitionKind, Type, Union};
use cast::{Field, Record, RecordKind, Type as C};

use super::names;
use super::values::VALUES;

/// The type of a value, as members and variables have it.
pub(super) fn c_type(aoi: &Aoi, ty: &Type) -> C {
    match ty {
        Type::Void => C::Void,
        Type::Text { .. } => C::named("CORBA_char").pointer(),
        Type::WideText { .. } => C::named("CORBA_wchar").pointer(),
        Type::FixedOpaque { length } => C::named("CORBA_octet").array(VALUES.expression(aoi, length)),
        Type::Array { element, length } => c_type(aoi, element).array(VALUES.expression(aoi, length)),
        Type::Recursive(target) => c_type(aoi, target).pointer(),
        other => C::named(word(aoi, other)),
    }
}

/// A name for a type, as C names types and as names of sequences have it in them.
pub(super) fn word(aoi: &Aoi, ty: &Type) -> String {
    let basic = |name: &str| format!("CORBA_{name}");
    match ty {
        Type::Void => basic("void"),
        Type::Integer { bits: 8, signed: true, spelling } if spelling == "char" => basic("char"),
        Type::Integer { bits: 8, signed: true, .. } => "int8_t".to_string(),
        Type::Integer { bits: 8, .. } => basic("octet"),
        Type::Integer { bits, signed, .. } => {
            let width = match bits {
                16 => "short",
                32 => "long",
                _ => "long_long",
            };
            basic(&format!("{}{width}", if *signed { "" } else { "unsigned_" }))
        }
        Type::Float { bits: 32 } => basic("float"),
        Type::Float { bits: 64 } => basic("double"),
        Type::Float { .. } => basic("long_double"),
        Type::Boolean => basic("boolean"),
        Type::Character { is_wide: false } => basic("char"),
        Type::Character { is_wide: true } => basic("wchar"),
        Type::Text { .. } => basic("string"),
        Type::WideText { .. } => basic("wstring"),
        Type::FixedOpaque { .. } | Type::Array { .. } => basic("array"),
        Type::Opaque { .. } => "CORBA_sequence_CORBA_octet".to_string(),
        Type::Sequence { element, .. } | Type::Optional(element) => format!("CORBA_sequence_{}", word(aoi, element)),
        Type::Fixed { digits, scale } if *scale < 0 => format!("CORBA_fixed_{digits}__{}", scale.unsigned_abs()),
        Type::Fixed { digits, scale } => format!("CORBA_fixed_{digits}_{scale}"),
        Type::Any => basic("any"),
        Type::TypeCode => basic("TypeCode"),
        Type::Object => basic("Object"),
        Type::Named(id) => names::of_definition(aoi, *id),
        Type::External(name) => name.clone(),
        // Types without a name were lifted.
        Type::Structure(_) | Type::Union(_) | Type::Enumeration(_) | Type::Recursive(_) => basic("void"),
    }
}

/// What an array's slice points to: the type of its elements, the first dimension taken away.
pub(super) fn slice(aoi: &Aoi, ty: &Type) -> C {
    match aoi.resolve(ty) {
        Type::Array { element, .. } => c_type(aoi, element),
        Type::FixedOpaque { .. } => C::named("CORBA_octet"),
        _ => C::Void,
    }
}

/// The sequences that every header has: of basic types (`whittle_corba.h`).
pub(super) fn is_common_sequence(element: &Type) -> bool {
    match element {
        Type::Integer { bits: 8, signed: true, spelling } => spelling == "char",
        Type::Integer { .. } | Type::Float { .. } | Type::Boolean | Type::Character { .. } => true,
        Type::Text { .. } | Type::WideText { .. } | Type::Any | Type::TypeCode | Type::Object => true,
        _ => false,
    }
}

/// The name of the member that holds a value's kind, whatever the source calls it.
pub(super) const DISCRIMINATOR: &str = "_d";
/// The member that holds a union's bodies.
pub(super) const BODY: &str = "_u";

/// True for types that C declares as structures.
pub(super) fn is_record(kind: &DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Structure(_) | DefinitionKind::Union(_) | DefinitionKind::Exception(_))
}

/// The members of a structure.
pub(super) fn fields(aoi: &Aoi, fields: &[aoi::Field]) -> Vec<Field> {
    fields.iter().map(|field| member(aoi, field)).collect()
}

fn member(aoi: &Aoi, field: &aoi::Field) -> Field {
    Field { name: names::inner(&field.name), ty: c_type(aoi, &field.ty) }
}

/// The C union of a union's bodies; a union of nothing has a member that nobody needs.
pub(super) fn union_body(aoi: &Aoi, union: &Union) -> C {
    let cases = union.cases.iter().chain(union.default.as_deref());
    let mut fields: Vec<Field> = cases.filter_map(|case| case.body.as_ref()).map(|body| member(aoi, body)).collect();
    if fields.is_empty() {
        fields.push(Field { name: "_dummy".to_string(), ty: C::named("CORBA_octet") });
    }
    C::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }))
}

//! The C types of values. In: a type of AOI in which only definitions nest. Out: what C calls it.

use std::collections::BTreeSet;

use aoi::{Aoi, DefinitionId, DefinitionKind, Structure, Type, Union};
use cast::{Field, Record, RecordKind, Scalar, TagKind, Type as C};

use super::names;
use super::values::VALUES;

/// The member that counts an array's items, or bytes.
pub(super) const LENGTH: &str = "length";
/// The member that points to them.
pub(super) const ITEMS: &str = "items";
/// The member that holds a union's bodies.
pub(super) const BODY: &str = "u";

/// The type of a value, as members and variables have it.
pub(super) fn c_type(aoi: &Aoi, ty: &Type) -> C {
    match ty {
        Type::Integer { bits, signed, .. } => C::named(format!("{}int{bits}_t", if *signed { "" } else { "u" })),
        Type::Float { bits: 32 } => C::Scalar(Scalar::Float),
        Type::Float { .. } => C::Scalar(Scalar::Double),
        Type::Boolean => C::named("bool"),
        Type::Character { .. } => C::CHAR,
        Type::Text { .. } => C::CHAR.pointer(),
        Type::FixedOpaque { length } => octet().array(VALUES.expression(aoi, length)),
        Type::Array { element, length } => c_type(aoi, element).array(VALUES.expression(aoi, length)),
        Type::Optional(target) => c_type(aoi, target).pointer(),
        Type::Named(id) => of_definition(aoi, *id),
        Type::External(name) => usual(name).map_or(C::Void, |ty| c_type(aoi, &ty)),
        // What nests has a name by now, and what has no form was refused.
        _ => C::Void,
    }
}

/// A whole number by a name that the headers of every RPC library give to it, so that `.x` files use it undefined.
pub(super) fn usual(name: &str) -> Option<Type> {
    let (bits, signed) = match name {
        "int8_t" => (8, true),
        "uint8_t" | "u_int8_t" => (8, false),
        "int16_t" => (16, true),
        "uint16_t" | "u_int16_t" => (16, false),
        "int32_t" | "rpcport_t" => (32, true),
        "uint32_t" | "u_int32_t" | "rpcprog_t" | "rpcvers_t" | "rpcproc_t" | "rpcprot_t" => (32, false),
        "int64_t" | "quad_t" | "longlong_t" => (64, true),
        "uint64_t" | "u_int64_t" | "u_quad_t" | "u_longlong_t" => (64, false),
        _ => return None,
    };
    Some(Type::Integer { bits, signed, spelling: name.to_string() })
}

pub(super) fn octet() -> C {
    C::named("uint8_t")
}

/// `struct direntry`, `enum color`, `cookie`.
pub(super) fn of_definition(aoi: &Aoi, id: DefinitionId) -> C {
    let name = names::of_definition(aoi, id);
    match &aoi.definitions[id].kind {
        kind if is_record(kind) => C::structure(name),
        DefinitionKind::Enumeration(_) => C::Tagged(TagKind::Enum, name),
        _ => C::named(name),
    }
}

/// True for definitions that C declares as structures; a counted array is one.
pub(super) fn is_record(kind: &DefinitionKind) -> bool {
    use DefinitionKind::{Alias, Exception, Structure, Union};
    matches!(kind, Structure(_) | Union(_) | Exception(_) | Alias(Type::Sequence { .. } | Type::Opaque { .. }))
}

/// The members of a structure; one of nothing would have one size in C and another in C++.
pub(super) fn fields(aoi: &Aoi, structure: &Structure) -> Vec<Field> {
    let fields: Vec<Field> = structure.fields.iter().map(|field| member(aoi, field)).collect();
    if fields.is_empty() { vec![nothing()] } else { fields }
}

fn nothing() -> Field {
    Field { name: "nothing".to_string(), ty: C::CHAR }
}

fn member(aoi: &Aoi, field: &aoi::Field) -> Field {
    Field { name: names::inner(&field.name), ty: c_type(aoi, &field.ty) }
}

/// The count and the pointer of a counted array.
pub(super) fn counted(item: C) -> Vec<Field> {
    let field = |name: &str, ty| Field { name: name.to_string(), ty };
    vec![field(LENGTH, C::named("uint32_t")), field(ITEMS, item.pointer())]
}

/// The C union of a union's bodies.
pub(super) fn union_body(aoi: &Aoi, union: &Union) -> C {
    let mut fields: Vec<Field> = bodies(union).map(|body| member(aoi, body)).collect();
    if fields.is_empty() {
        fields.push(nothing());
    }
    C::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }))
}

/// The bodies of a union's cases.
pub(super) fn bodies(union: &Union) -> impl Iterator<Item = &aoi::Field> {
    union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref())
}

/// Values have a function that lets go of what they hold. For texts that is `free`, for another name of a type its own.
pub(super) fn is_freed(aoi: &Aoi, id: DefinitionId) -> bool {
    let kind = &aoi.definitions[id].kind;
    let has_parts = matches!(kind, DefinitionKind::Alias(Type::Optional(_) | Type::Array { .. }));
    (is_record(kind) || has_parts) && holds_storage(aoi, &Type::Named(id))
}

/// The definition at the end of a chain of names for names.
pub(super) fn last_name(aoi: &Aoi, id: DefinitionId) -> DefinitionId {
    let mut id = id;
    // Chains of names end, or were reported.
    for _ in 0..=aoi.definitions.len() {
        match &aoi.definitions[id].kind {
            DefinitionKind::Alias(Type::Named(next)) => id = *next,
            _ => break,
        }
    }
    id
}

/// Values hold what was allocated for them. Each definition is looked at once, however often it is met.
pub(super) fn holds_storage(aoi: &Aoi, ty: &Type) -> bool {
    let (mut open, mut seen) = (vec![ty], BTreeSet::new());
    while let Some(ty) = open.pop() {
        match aoi.resolve(ty) {
            Type::Text { .. } | Type::Opaque { .. } | Type::Sequence { .. } | Type::Optional(_) => return true,
            Type::Array { element, .. } => open.push(element),
            Type::Named(id) if seen.insert(id.into_raw().into_u32()) => match &aoi.definitions[*id].kind {
                DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                    open.extend(structure.fields.iter().map(|field| &field.ty));
                }
                DefinitionKind::Union(union) => open.extend(bodies(union).map(|body| &body.ty)),
                _ => {}
            },
            _ => {}
        }
    }
    false
}

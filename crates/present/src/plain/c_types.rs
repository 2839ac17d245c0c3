//! The C types of values. In: a type of AOI in which only definitions nest. Out: what C calls it.

use std::collections::BTreeSet;

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Structure, Type, Union, Value};
use cast::{Field, Record, RecordKind, Scalar, TagKind, Type as C};

use super::shape::{Form, marks};
use super::values::VALUES;
use super::{capabilities, names};

/// The member that counts an array's items, or bytes.
pub(super) const LENGTH: &str = pres::COUNTED[0];
/// The member that points to them.
pub(super) const ITEMS: &str = pres::COUNTED[1];
/// A text with its length: the run time's header declares it.
const COUNTED_TEXT: &str = "whittle_text";
/// The member that holds a union's bodies.
pub(super) const BODY: &str = "u";

/// The type of a value, as members and variables have it.
pub(super) fn c_type(aoi: &Aoi, ty: &Type) -> C {
    match ty {
        _ if is_reference(aoi, ty) => C::CHAR.pointer(),
        _ if capabilities::is_capability(ty) => C::named(capabilities::C_NAME),
        Type::Integer { bits, signed, .. } => C::named(format!("{}int{bits}_t", if *signed { "" } else { "u" })),
        Type::Float { bits: 32 } => C::Scalar(Scalar::Float),
        Type::Float { .. } => C::Scalar(Scalar::Double),
        Type::Boolean => C::named("bool"),
        Type::Character { .. } => C::CHAR,
        Type::Text { .. } => C::CHAR.pointer(),
        Type::FixedOpaque { length } => octet().array(VALUES.expression(aoi, length)),
        Type::Array { element, length } => c_type(aoi, element).array(VALUES.expression(aoi, length)),
        Type::Optional(target) | Type::Recursive(target) => c_type(aoi, target).pointer(),
        Type::Named(id) => of_definition(aoi, *id),
        // What nests has a name by now, and what has no form was refused.
        _ => C::Void,
    }
}

/// A reference to an object: a text in C, as programs are given references.
pub(super) fn is_reference(aoi: &Aoi, ty: &Type) -> bool {
    match ty {
        Type::Object => true,
        Type::Named(id) => matches!(aoi.definitions[*id].kind, DefinitionKind::Reference(_)),
        _ => false,
    }
}

pub(super) fn octet() -> C {
    C::named("uint8_t")
}

/// `struct direntry`, `enum color`, `cookie`.
pub(super) fn of_definition(aoi: &Aoi, id: DefinitionId) -> C {
    let definition = &aoi.definitions[id];
    let name = names::of_definition(aoi, id);
    match &definition.kind {
        DefinitionKind::Alias(target) if marks::is_nameless(definition) => of_alias(aoi, definition, target),
        _ if is_record(definition) => C::structure(name),
        DefinitionKind::Enumeration(_) => C::Tagged(TagKind::Enum, name),
        _ => C::named(name),
    }
}

/// What a name for a type stands for.
pub(super) fn of_alias(aoi: &Aoi, definition: &Definition, target: &Type) -> C {
    match (target, marks::form(definition)) {
        (Type::Text { .. }, Some(Form::Counted)) => C::structure(COUNTED_TEXT),
        (Type::Text { bound: Some(bound) }, Some(Form::Inline)) => inline_text(aoi, bound),
        _ => c_type(aoi, target),
    }
}

/// Room for a text and the zero behind it.
pub(super) fn inline_text(aoi: &Aoi, bound: &Value) -> C {
    let room = match aoi.number(bound) {
        Some(number) if !matches!(bound, Value::Constant(_) | Value::Member { .. }) => cast::build::integer(number + 1),
        _ => cast::build::add(VALUES.expression(aoi, bound), cast::build::integer(1)),
    };
    C::CHAR.array(room)
}

/// True for definitions that C declares as structures; a counted array is one.
pub(super) fn is_record(definition: &Definition) -> bool {
    use DefinitionKind::{Alias, Exception, Structure, Union};
    let is_counted = matches!(definition.kind, Alias(Type::Sequence { .. } | Type::Opaque { .. }));
    is_counted
        || matches!(definition.kind, Structure(_) | Union(_) | Exception(_))
        || marks::is_inline_array(definition)
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

/// The count, and behind it the room for so many items.
pub(super) fn inline_array(items: C) -> Vec<Field> {
    let field = |name: &str, ty| Field { name: name.to_string(), ty };
    vec![field(LENGTH, C::named("uint32_t")), field(ITEMS, items)]
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

/// Values have a function that releases what they hold. For texts that is `free`, for another name of a type its own.
pub(super) fn is_freed(aoi: &Aoi, id: DefinitionId) -> bool {
    let definition = &aoi.definitions[id];
    let has_parts = matches!(definition.kind, DefinitionKind::Alias(Type::Optional(_) | Type::Array { .. }));
    (is_record(definition) || has_parts) && holds_storage(aoi, &Type::Named(id))
}

/// The definition at the end of a chain of names for names.
pub(super) fn last_name(aoi: &Aoi, id: DefinitionId) -> DefinitionId {
    aoi.definitions.last_name(id)
}

/// Values hold what was allocated for them. Each definition is looked at once, however often it is met.
pub(super) fn holds_storage(aoi: &Aoi, ty: &Type) -> bool {
    let (mut open, mut seen) = (vec![ty], BTreeSet::new());
    while let Some(ty) = open.pop() {
        let (ty, form) = marks::resolve(aoi, ty);
        match ty {
            _ if is_reference(aoi, ty) => return true,
            Type::Text { .. } if form == Some(Form::Inline) => {}
            Type::Text { .. } | Type::Opaque { .. } | Type::Sequence { .. } => return true,
            Type::Optional(_) | Type::Recursive(_) => return true,
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

//! Numbers and the names that stand for them: as C writes them, and what they come to where that is known.

use aoi::{Aoi, Definition, DefinitionKind, Value};
use cast::{Expression, Type, build};

/// How C writes a value: the user's spelling, or the name.
pub(super) fn expression(aoi: &Aoi, value: &Value) -> Expression {
    let named = |name: &str| build::name(name, Type::INT);
    match value {
        Value::Integer { spelling, .. } => build::spelled(spelling.as_str(), Type::INT),
        Value::Text(text) => build::text(text.clone()),
        Value::Constant(id) => named(&aoi.definitions[*id].name),
        Value::Member { enumeration, member } => named(member_name(&aoi.definitions[*enumeration], *member)),
        Value::NestedMember { name, .. } | Value::External(name) => named(name),
        Value::Boolean(true) => named("TRUE"),
        Value::Boolean(false) => named("FALSE"),
        Value::Float(spelling) | Value::Fixed(spelling) => {
            build::spelled(spelling.as_str(), Type::Scalar(cast::Scalar::Double))
        }
        Value::Character { code, is_wide } => crate::values::character(*code, *is_wide),
        Value::WideText(text) => build::verbatim(escape::c::wide_quoted(text), Type::Void.pointer()),
    }
}

/// A value as part of a name: `1` in `list_1`, as rpcgen pastes it.
pub(super) fn suffix(aoi: &Aoi, value: &Value) -> String {
    cast::print_expression(&expression(aoi, value))
}

fn member_name(definition: &Definition, member: usize) -> &str {
    match &definition.kind {
        DefinitionKind::Enumeration(enumeration) => enumeration.members.get(member).map_or("", |m| m.name.as_str()),
        _ => "",
    }
}

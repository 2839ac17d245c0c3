//! Numbers and the names that stand for them: as C writes them, and what they come to where that is known.

use aoi::{Aoi, Definition, DefinitionKind, Value};
use cast::{Expression, Type, build};

/// A chain of constants longer than this is a cycle.
const LONGEST_CHAIN: usize = 64;

/// How C writes a value: the user's spelling, or the name.
pub(super) fn expression(aoi: &Aoi, value: &Value) -> Expression {
    let named = |name: &str| build::name(name, Type::INT);
    match value {
        Value::Integer { spelling, .. } => build::spelled(spelling.as_str(), Type::INT),
        Value::Text(text) => cast::build::verbatim(text.clone(), Type::CHAR.pointer()),
        Value::Constant(id) => named(&aoi.definitions[*id].name),
        Value::Member { enumeration, member } => named(member_name(&aoi.definitions[*enumeration], *member)),
        Value::NestedMember { name, .. } | Value::External(name) => named(name),
        Value::Boolean(true) => named("TRUE"),
        Value::Boolean(false) => named("FALSE"),
    }
}

/// The number, unless a C header hides it.
pub(super) fn number(aoi: &Aoi, value: &Value) -> Option<i128> {
    let mut value = value;
    for _ in 0..LONGEST_CHAIN {
        match value {
            Value::Integer { value, .. } | Value::NestedMember { value, .. } => return Some(*value),
            Value::Boolean(value) => return Some(i128::from(*value)),
            Value::Member { enumeration, member } => {
                let DefinitionKind::Enumeration(enumeration) = &aoi.definitions[*enumeration].kind else { return None };
                return enumeration.members.get(*member)?.value;
            }
            Value::Constant(id) => match &aoi.definitions[*id].kind {
                DefinitionKind::Constant(constant) => value = &constant.value,
                _ => return None,
            },
            Value::Text(_) | Value::External(_) => return None,
        }
    }
    None
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

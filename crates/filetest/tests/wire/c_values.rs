//! Values as C under rpcgen's presentation: initializers, and functions that compare.

use std::fmt::Write;

use aoi::{Aoi, DefinitionKind, Field, Type, Union};

use crate::messages::number;
use crate::values::Value;

/// An initializer for an object of type `ty`, as far as the two agree.
pub(crate) fn initializer(aoi: &Aoi, ty: &Type, value: &Value) -> Result<String, String> {
    let misfit = || Err(format!("{value:?} is no {ty:?}"));
    match (ty, value) {
        (Type::Named(id), value) => match &aoi.definitions[*id].kind {
            DefinitionKind::Alias(ty) => initializer(aoi, ty, value),
            DefinitionKind::Enumeration(_) => word(value),
            DefinitionKind::Structure(structure) => fields(aoi, &structure.fields, value),
            DefinitionKind::Union(union) => body(aoi, &aoi.definitions[*id].name, union, value),
            _ => misfit(),
        },
        (Type::Optional(_), Value::Word(none)) if none == "none" => Ok("NULL".into()),
        (Type::Optional(target), value) => {
            let ty = c_type(aoi, target);
            Ok(format!("({ty}[]){{{}}}", initializer(aoi, target, value)?))
        }
        (Type::Boolean, Value::Word(word)) => Ok(word.to_uppercase()),
        (Type::Integer { .. } | Type::Float { .. } | Type::Enumeration(_), value) => word(value),
        (Type::Text { .. }, Value::Text(text)) => Ok(format!("(char[]){{{}0}}", octets(text))),
        (Type::Opaque { .. }, Value::Bytes(bytes)) if bytes.is_empty() => Ok("{0, NULL}".into()),
        (Type::Opaque { .. }, Value::Bytes(bytes)) => Ok(format!("{{{}, (char[]){{{}}}}}", bytes.len(), octets(bytes))),
        (Type::FixedOpaque { .. }, Value::Bytes(bytes)) => Ok(format!("{{{}}}", octets(bytes))),
        (Type::Array { element, .. }, Value::Array(items)) => Ok(format!("{{{}}}", elements(aoi, element, items)?)),
        (Type::Sequence { .. }, Value::Array(items)) if items.is_empty() => Ok("{0, NULL}".into()),
        (Type::Sequence { element, .. }, Value::Array(items)) => {
            let ty = c_type(aoi, element);
            Ok(format!("{{{}, ({ty}[]){{{}}}}}", items.len(), elements(aoi, element, items)?))
        }
        _ => misfit(),
    }
}

fn elements(aoi: &Aoi, element: &Type, items: &[Value]) -> Result<String, String> {
    let items: Result<Vec<String>, String> = items.iter().map(|item| initializer(aoi, element, item)).collect();
    Ok(items?.join(", "))
}

fn octets(bytes: &[u8]) -> String {
    // By cast, since a char may have no sign.
    bytes.iter().map(|byte| format!("(char){byte}, ")).collect()
}

/// A number or a name as C writes it.
fn word(value: &Value) -> Result<String, String> {
    let Value::Word(word) = value else { return Err(format!("{value:?} is no number")) };
    Ok(match word.as_str() {
        "inf" => "INFINITY".into(),
        "-inf" => "-INFINITY".into(),
        "-9223372036854775808" => "INT64_MIN".into(),
        word if word.parse::<u64>().is_ok_and(|number| number > i64::MAX as u64) => format!("{word}u"),
        word => word.into(),
    })
}

fn fields(aoi: &Aoi, fields: &[Field], value: &Value) -> Result<String, String> {
    let Value::Structure(given) = value else { return Err(format!("{value:?} is no structure")) };
    if given.len() != fields.len() || given.iter().zip(fields).any(|((name, _), field)| *name != field.name) {
        return Err(format!("{value:?} has not all fields in order"));
    }
    let members = given
        .iter()
        .zip(fields)
        .map(|((name, value), field)| Ok(format!(".{name} = {}", initializer(aoi, &field.ty, value)?)));
    let members: Result<Vec<String>, String> = members.collect();
    Ok(format!("{{{}}}", members?.join(", ")))
}

fn body(aoi: &Aoi, name: &str, union: &Union, value: &Value) -> Result<String, String> {
    let Value::Union(label, given) = value else { return Err(format!("{value:?} is no union")) };
    let upper = if matches!(label.as_str(), "true" | "false") { label.to_uppercase() } else { label.clone() };
    let stands_for = |value: &aoi::Value| match value {
        aoi::Value::Boolean(truth) => truth.to_string() == *label,
        aoi::Value::Member { enumeration, member } => match &aoi.definitions[*enumeration].kind {
            DefinitionKind::Enumeration(enumeration) => enumeration.members[*member].name == *label,
            _ => false,
        },
        value => aoi.number(value).is_some_and(|number| number.to_string() == *label),
    };
    let case = union.cases.iter().find(|case| case.labels.iter().any(stands_for)).or(union.default.as_deref());
    let field = case.ok_or_else(|| format!("no case has the label {label}"))?.body.as_ref();
    let kind = &union.discriminant.name;
    match (field, given) {
        (None, None) => Ok(format!("{{.{kind} = {upper}}}")),
        (Some(field), Some(value)) => {
            let value = initializer(aoi, &field.ty, value)?;
            Ok(format!("{{.{kind} = {upper}, .{name}_u.{} = {value}}}", field.name))
        }
        _ => Err(format!("{value:?}: a body where there is none, or none where there is one")),
    }
}

/// The C type of an element.
fn c_type(aoi: &Aoi, ty: &Type) -> String {
    match ty {
        Type::Named(id) => aoi.definitions[*id].name.clone(),
        Type::Integer { bits: 8, signed: true, .. } => "char".into(),
        Type::Integer { bits: 8, .. } => "u_char".into(),
        Type::Integer { bits: 16, .. } => "short".into(),
        Type::Integer { bits: 64, .. } => "quad_t".into(),
        Type::Float { bits: 64 } => "double".into(),
        Type::Float { .. } => "float".into(),
        _ => "int".into(),
    }
}

/// `static bool same_T(const T *a, const T *b)` for every type of the file.
pub(crate) fn comparisons(aoi: &Aoi) -> String {
    let mut text = String::new();
    let mut bodies = String::new();
    for (_, definition) in aoi.definitions.iter() {
        let name = &definition.name;
        let head = format!("__attribute__((unused)) static bool same_{name}(const {name} *a, const {name} *b)");
        let same = match &definition.kind {
            DefinitionKind::Enumeration(_) => "*a == *b".to_owned(),
            DefinitionKind::Alias(ty) => same(aoi, ty, "(*a)", "(*b)", name, 0),
            DefinitionKind::Structure(structure) => {
                same_fields(aoi, &structure.fields.iter().collect::<Vec<_>>(), "a->", "b->")
            }
            DefinitionKind::Union(union) => same_union(aoi, name, union),
            _ => continue,
        };
        let _ = writeln!(text, "{head};");
        let _ = writeln!(bodies, "{head}\n{{\n    return {same};\n}}\n");
    }
    format!("{text}\n{bodies}")
}

fn same_fields(aoi: &Aoi, fields: &[&Field], a: &str, b: &str) -> String {
    let each = fields.iter().map(|field| {
        let name = &field.name;
        same(aoi, &field.ty, &format!("{a}{name}"), &format!("{b}{name}"), name, 0)
    });
    each.collect::<Vec<_>>().join("\n        && ")
}

fn same_union(aoi: &Aoi, name: &str, union: &Union) -> String {
    let kind = &union.discriminant.name;
    let mut text = format!("a->{kind} == b->{kind} && (");
    for case in &union.cases {
        let labels: Vec<String> =
            case.labels.iter().map(|label| format!("a->{kind} == {}", aoi.number(label).unwrap_or(0))).collect();
        let inner = case.body.as_ref().map_or("true".to_owned(), |field| {
            same_fields(aoi, &[field], &format!("a->{name}_u."), &format!("b->{name}_u."))
        });
        let _ = write!(text, "({}) ? ({inner}) : ", labels.join(" || "));
    }
    let inner = union.default.as_ref().and_then(|case| case.body.as_ref()).map_or("true".to_owned(), |field| {
        same_fields(aoi, &[field], &format!("a->{name}_u."), &format!("b->{name}_u."))
    });
    text + &inner + ")"
}

/// An expression: the objects `a` and `b` are the same value. `owner` names the members of counted arrays.
fn same(aoi: &Aoi, ty: &Type, a: &str, b: &str, owner: &str, depth: u32) -> String {
    match ty {
        Type::Named(id) => format!("same_{}(&{a}, &{b})", aoi.definitions[*id].name),
        Type::Text { .. } => format!("strcmp({a}, {b}) == 0"),
        Type::FixedOpaque { .. } => format!("memcmp({a}, {b}, sizeof {a}) == 0"),
        // Floats too: every bit counts.
        Type::Float { .. } => format!("memcmp(&{a}, &{b}, sizeof {a}) == 0"),
        Type::Opaque { .. } => {
            format!(
                "{a}.{owner}_len == {b}.{owner}_len && ({a}.{owner}_len == 0 || memcmp({a}.{owner}_val, {b}.{owner}_val, {a}.{owner}_len) == 0)"
            )
        }
        Type::Optional(target) => {
            let inner = same(aoi, target, &format!("(*{a})"), &format!("(*{b})"), owner, depth);
            format!("({a} == NULL) == ({b} == NULL) && ({a} == NULL || ({inner}))")
        }
        Type::Array { element, length } => {
            let length = number(aoi, length);
            same_items(aoi, element, a, b, &length.to_string(), depth)
        }
        Type::Sequence { element, .. } => {
            let (val, len) = (format!("{owner}_val"), format!("{owner}_len"));
            let items =
                same_items(aoi, element, &format!("{a}.{val}"), &format!("{b}.{val}"), &format!("{a}.{len}"), depth);
            format!("{a}.{len} == {b}.{len} && {items}")
        }
        _ => format!("{a} == {b}"),
    }
}

/// By a statement expression, so that everything is one expression.
fn same_items(aoi: &Aoi, element: &Type, a: &str, b: &str, length: &str, depth: u32) -> String {
    let i = format!("i{depth}");
    let inner = same(aoi, element, &format!("{a}[{i}]"), &format!("{b}[{i}]"), "", depth + 1);
    format!("({{ bool all = true; for (u_int {i} = 0; {i} < {length}; {i}++) all = all && {inner}; all; }})")
}

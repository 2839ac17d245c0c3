//! What the text forms of PRES and of PLAN have in common: kinds of scalars, extents, labels.

use cast::{Scalar, Type};
use sexpr::{Cursor, Sexpr, node, number};

use super::c_expressions::{read_expression, write_expression};
use crate::{Extent, Label, ScalarKind};

/// `uint32`: a kind of scalar as one word.
pub fn scalar_word(scalar: ScalarKind) -> String {
    match scalar {
        ScalarKind::Integer { bits, signed } => format!("{}int{bits}", if signed { "" } else { "u" }),
        ScalarKind::Long { signed } => if signed { "long" } else { "ulong" }.to_string(),
        ScalarKind::Float { bits } => format!("float{bits}"),
        ScalarKind::Quadruple => "quadruple".to_string(),
        ScalarKind::Boolean => "bool".to_string(),
        ScalarKind::Enumeration { strict } => if strict { "strict-enum" } else { "enum" }.to_string(),
    }
}

/// The kind of scalar that a word stands for.
pub fn word_scalar(word: &str) -> Option<ScalarKind> {
    let bits = |prefix: &str| word.strip_prefix(prefix).and_then(|bits| bits.parse().ok());
    Some(match word {
        "long" => ScalarKind::Long { signed: true },
        "ulong" => ScalarKind::Long { signed: false },
        "quadruple" => ScalarKind::Quadruple,
        "bool" => ScalarKind::Boolean,
        "enum" => ScalarKind::Enumeration { strict: false },
        "strict-enum" => ScalarKind::Enumeration { strict: true },
        _ => bits("int")
            .map(|bits| ScalarKind::Integer { bits, signed: true })
            .or_else(|| bits("uint").map(|bits| ScalarKind::Integer { bits, signed: false }))
            .or_else(|| bits("float").map(|bits| ScalarKind::Float { bits }))?,
    })
}

/// The C type that a scalar has where nothing else is said.
pub fn scalar_type(scalar: ScalarKind) -> Type {
    match scalar {
        ScalarKind::Integer { bits: 8, signed: true } => Type::CHAR,
        ScalarKind::Integer { bits: 8, signed: false } => Type::named("u_char"),
        ScalarKind::Integer { bits: 16, signed: true } => Type::Scalar(Scalar::Short),
        ScalarKind::Integer { bits: 16, signed: false } => Type::named("u_short"),
        ScalarKind::Integer { bits: 64, signed: true } => Type::named("quad_t"),
        ScalarKind::Integer { bits: 64, signed: false } => Type::named("u_quad_t"),
        ScalarKind::Integer { signed: true, .. } | ScalarKind::Enumeration { .. } => Type::INT,
        ScalarKind::Integer { signed: false, .. } => Type::named("u_int"),
        ScalarKind::Long { signed: true } => Type::LONG,
        ScalarKind::Long { signed: false } => Type::named("u_long"),
        ScalarKind::Float { bits: 32 } => Type::Scalar(Scalar::Float),
        ScalarKind::Float { .. } => Type::Scalar(Scalar::Double),
        ScalarKind::Quadruple => Type::named("quadruple"),
        ScalarKind::Boolean => Type::named("bool_t"),
    }
}

/// `30`, or `(extent MAXNAMELEN 255)` for a name, or `(extent MAXNAMELEN)` for one that only C knows.
pub fn write_extent(extent: &Extent) -> Sexpr {
    let c = write_expression(&extent.c);
    let value = extent.value.map(i128::from);
    if value.is_some() && c.as_number() == value {
        c
    } else {
        node("extent", std::iter::once(c).chain(value.map(number)))
    }
}

/// An extent from its form.
pub fn read_extent(form: &Sexpr) -> Option<Extent> {
    let unsigned = |number: i128| u64::try_from(number).ok();
    match Cursor::of(form, "extent") {
        Some(mut parts) => {
            let c = read_expression(parts.form()?)?;
            Some(Extent { value: parts.number().and_then(unsigned), c })
        }
        None => Some(Extent { value: form.as_number().and_then(unsigned), c: read_expression(form)? }),
    }
}

/// `(bound 255)`, or nothing.
pub fn write_bound(bound: Option<&Extent>) -> Option<Sexpr> {
    bound.map(|bound| node("bound", [write_extent(bound)]))
}

/// The bound that stands next, if one does: an absent bound is `Some(None)`, a malformed one `None`.
pub fn read_bound(rest: &mut Cursor) -> Option<Option<Extent>> {
    match rest.list("bound") {
        Some(mut bound) => Some(Some(read_extent(bound.form()?)?)),
        None => Some(None),
    }
}

/// `(label RED 0)`: how C writes it, and its number, where known.
pub fn write_label(label: &Label) -> Sexpr {
    node("label", std::iter::once(write_expression(&label.c)).chain(label.value.map(number)))
}

/// The labels that stand next; `None` where one is malformed.
pub fn read_labels(rest: &mut Cursor) -> Option<Vec<Label>> {
    let mut labels = Vec::new();
    while let Some(mut label) = rest.list("label") {
        let c = read_expression(label.form()?)?;
        labels.push(Label { value: label.number(), c });
    }
    Some(labels)
}

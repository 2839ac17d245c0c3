//! C's inside-out declarators (C11 section 6.7.6), built in one place.

use super::expression;
use crate::{Parameter, Qualifiers, Record, RecordKind, TagKind, Type};

/// `ty` declaring `name`; with an empty name, the type alone as in a cast.
pub(super) fn declare(ty: &Type, name: &str) -> String {
    declarator(ty, name.to_string())
}

/// Whether an inner declarator is a pointer's, so that array and function suffixes need parentheses.
fn grouped(inner: String) -> String {
    if inner.starts_with('*') { format!("({inner})") } else { inner }
}

fn declarator(ty: &Type, inner: String) -> String {
    match ty {
        Type::Pointer(to) => declarator(to, format!("*{inner}")),
        Type::Qualified(qualifiers, to) => match &**to {
            // A qualified pointer: the word stands right of the star.
            Type::Pointer(target) => {
                let space = if inner.is_empty() { "" } else { " " };
                declarator(target, format!("*{}{space}{inner}", words(*qualifiers)))
            }
            // An array is what its elements are (C11 section 6.7.3).
            Type::Array(element, length) => {
                let element = Type::Qualified(*qualifiers, element.clone());
                declarator(&Type::Array(Box::new(element), length.clone()), inner)
            }
            Type::Qualified(more, to) => declarator(&Type::Qualified(qualifiers.and(*more), to.clone()), inner),
            other => join(&format!("{} {}", words(*qualifiers), specifier(other)), &inner),
        },
        Type::Array(element, length) => {
            let length = length.as_ref().map(|length| expression::text(length)).unwrap_or_default();
            declarator(element, format!("{}[{length}]", grouped(inner)))
        }
        Type::Function(function) => {
            let parameters = match function.unprototyped {
                true => String::new(),
                false => parameters(&function.parameters, function.variadic),
            };
            declarator(&function.result, format!("{}({parameters})", grouped(inner)))
        }
        other => join(&specifier(other), &inner),
    }
}

fn join(specifier: &str, inner: &str) -> String {
    if inner.is_empty() { specifier.to_string() } else { format!("{specifier} {inner}") }
}

fn words(qualifiers: Qualifiers) -> String {
    let words = [
        ("const", qualifiers.constant),
        ("volatile", qualifiers.volatile),
        ("restrict", qualifiers.restrict),
        ("_Atomic", qualifiers.atomic),
    ];
    let words: Vec<&str> = words.into_iter().filter(|(_, set)| *set).map(|(word, _)| word).collect();
    words.join(" ")
}

/// A name of imported C without what makes it unique in the program.
pub(super) fn spelled(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// A parameter list without its parentheses.
pub(super) fn parameters(parameters: &[Parameter], variadic: bool) -> String {
    if parameters.is_empty() && !variadic {
        return "void".to_string();
    }
    let mut parts: Vec<String> = parameters
        .iter()
        .map(|parameter| declare(&parameter.ty, spelled(parameter.name.as_deref().unwrap_or(""))))
        .collect();
    if variadic {
        parts.push("...".to_string());
    }
    parts.join(", ")
}

/// The part of a declaration that stands left of every declarator.
fn specifier(ty: &Type) -> String {
    match ty {
        Type::Void => "void".to_string(),
        Type::Scalar(scalar) => scalar.name().to_string(),
        Type::Named(name) => spelled(name).to_string(),
        Type::Opaque(opaque) => opaque.spelling.clone(),
        Type::Tagged(kind, tag) => format!("{} {}", tag_word(*kind), spelled(tag)),
        Type::Anonymous(record) => inline_record(record),
        Type::Qualified(qualifiers, to) => format!("{} {}", words(*qualifiers), specifier(to)),
        Type::Pointer(_) | Type::Array(..) | Type::Function(_) => declare(ty, ""),
    }
}

fn tag_word(kind: TagKind) -> &'static str {
    match kind {
        TagKind::Struct => "struct",
        TagKind::Union => "union",
        TagKind::Enum => "enum",
    }
}

/// `struct` or `union`, with its tag.
pub(super) fn record_head(record: &Record) -> String {
    let word = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    match &record.tag {
        Some(tag) => format!("{word} {tag}"),
        None => word.to_string(),
    }
}

/// A record inside an expression or a parameter, on one line.
fn inline_record(record: &Record) -> String {
    let fields: Vec<String> = record.fields.iter().map(|field| declare(&field.ty, &field.name) + ";").collect();
    format!("{} {{ {} }}", record_head(record), fields.join(" "))
}

/// The record without a tag that a type is built on, if any: it is laid out over several lines.
pub(super) fn anonymous_base(ty: &Type) -> Option<&Record> {
    match ty {
        Type::Anonymous(record) => Some(record),
        Type::Pointer(to) | Type::Array(to, _) | Type::Qualified(_, to) => anonymous_base(to),
        _ => None,
    }
}

/// The declarator of `name` around an anonymous base that is printed apart: `*name[3]`.
pub(super) fn around_base(ty: &Type, inner: String) -> String {
    match ty {
        Type::Pointer(to) => around_base(to, format!("*{inner}")),
        Type::Array(to, length) => {
            let length = length.as_ref().map(|length| expression::text(length)).unwrap_or_default();
            around_base(to, format!("{}[{length}]", grouped(inner)))
        }
        _ => inner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qualified_array_is_an_array_of_what_is_qualified() {
        let array = Type::Array(Box::new(Type::INT.volatile()), None);
        assert_eq!(declare(&array.volatile(), "v"), "volatile int v[]");
    }

    #[test]
    fn qualifiers_of_a_pointer_stay_its_own_however_they_are_nested() {
        let pointer = Type::Pointer(Box::new(Type::INT)).constant();
        assert_eq!(declare(&pointer.volatile(), "p"), "int *const volatile p");
    }
}

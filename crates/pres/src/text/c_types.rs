//! C types in the text form, as far as PRES and PLAN hold them.

use cast::{Field, FunctionType, Parameter, Qualifiers, Record, RecordKind, Scalar, TagKind, Type};
use sexpr::{Cursor, Sexpr, atom, node};

use super::c_expressions::{read_expression, write_expression};

const SCALARS: [Scalar; 15] = [
    Scalar::Bool,
    Scalar::Char,
    Scalar::SignedChar,
    Scalar::UnsignedChar,
    Scalar::Short,
    Scalar::UnsignedShort,
    Scalar::Int,
    Scalar::UnsignedInt,
    Scalar::Long,
    Scalar::UnsignedLong,
    Scalar::LongLong,
    Scalar::UnsignedLongLong,
    Scalar::Float,
    Scalar::Double,
    Scalar::LongDouble,
];

/// `unsigned-long`: a scalar's name as one word.
fn scalar_word(scalar: Scalar) -> String {
    scalar.name().replace(' ', "-")
}

/// The scalar or `void` that a word stands for; other words are typedefs' names.
fn word_type(word: &str) -> Option<Type> {
    if word == "void" {
        return Some(Type::Void);
    }
    SCALARS.into_iter().find(|scalar| scalar_word(*scalar) == word).map(Type::Scalar)
}

/// A type as a form.
pub fn write_type(ty: &Type) -> Sexpr {
    match ty {
        Type::Void => atom("void"),
        Type::Scalar(scalar) => atom(scalar_word(*scalar)),
        Type::Named(name) if word_type(name).is_some() => node("named", [atom(name)]),
        Type::Named(name) => atom(name),
        // Interfaces have no such type; the spelling is what a reader can use.
        Type::Opaque(opaque) => atom(&opaque.spelling),
        Type::Tagged(kind, tag) => node(tag_word(*kind), [atom(tag)]),
        Type::Anonymous(record) => write_record(record),
        Type::Pointer(to) => node("pointer", [write_type(to)]),
        Type::Array(element, length) => {
            let length = length.iter().map(|length| write_expression(length));
            node("array", std::iter::once(write_type(element)).chain(length))
        }
        Type::Function(function) => write_function(function),
        Type::Qualified(qualifiers, to) => {
            let words = [
                ("const", qualifiers.constant),
                ("volatile", qualifiers.volatile),
                ("restrict", qualifiers.restrict),
                ("atomic", qualifiers.atomic),
            ];
            let words = words.into_iter().filter(|(_, set)| *set).map(|(word, _)| atom(word));
            node("qualified", words.chain([node("of", [write_type(to)])]))
        }
    }
}

fn tag_word(kind: TagKind) -> &'static str {
    match kind {
        TagKind::Struct => "struct",
        TagKind::Union => "union",
        TagKind::Enum => "enum",
    }
}

pub(super) fn write_record(record: &Record) -> Sexpr {
    let kind = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    let tag = record.tag.iter().map(|tag| node("tag", [atom(tag)]));
    let fields = record.fields.iter().map(|field| node("field", [atom(&field.name), write_type(&field.ty)]));
    node("record", std::iter::once(atom(kind)).chain(tag).chain(fields))
}

fn write_function(function: &FunctionType) -> Sexpr {
    let parameters = function.parameters.iter().map(write_parameter);
    let words = [("variadic", function.variadic), ("unprototyped", function.unprototyped)];
    let words = words.into_iter().filter(|(_, set)| *set).map(|(word, _)| atom(word));
    node("function", std::iter::once(write_type(&function.result)).chain(parameters).chain(words))
}

pub(super) fn write_parameter(parameter: &Parameter) -> Sexpr {
    let name = parameter.name.iter().map(atom);
    node("parameter", std::iter::once(write_type(&parameter.ty)).chain(name))
}

pub(super) fn read_parameter(mut parts: Cursor) -> Option<Parameter> {
    let ty = read_type(parts.form()?)?;
    Some(Parameter { name: parts.atom().map(str::to_string), ty })
}

/// A type from its form.
pub fn read_type(form: &Sexpr) -> Option<Type> {
    if let Some(word) = form.as_atom() {
        return Some(word_type(word).unwrap_or_else(|| Type::named(word)));
    }
    let mut parts = Cursor::new(form.as_list()?);
    match parts.atom()? {
        "named" => Some(Type::named(parts.atom()?)),
        "struct" => Some(Type::Tagged(TagKind::Struct, parts.atom()?.to_string())),
        "union" => Some(Type::Tagged(TagKind::Union, parts.atom()?.to_string())),
        "enum" => Some(Type::Tagged(TagKind::Enum, parts.atom()?.to_string())),
        "record" => Some(Type::Anonymous(Box::new(read_record(parts)?))),
        "pointer" => Some(read_type(parts.form()?)?.pointer()),
        "array" => {
            let element = Box::new(read_type(parts.form()?)?);
            let length = match parts.form() {
                Some(length) => Some(Box::new(read_expression(length)?)),
                None => None,
            };
            Some(Type::Array(element, length))
        }
        "function" => read_function(parts),
        "qualified" => {
            let qualifiers = Qualifiers {
                constant: parts.keyword("const"),
                volatile: parts.keyword("volatile"),
                restrict: parts.keyword("restrict"),
                atomic: parts.keyword("atomic"),
            };
            Some(Type::Qualified(qualifiers, Box::new(read_type(parts.list("of")?.form()?)?)))
        }
        _ => None,
    }
}

pub(super) fn read_record(mut parts: Cursor) -> Option<Record> {
    let kind = match parts.atom()? {
        "struct" => RecordKind::Struct,
        "union" => RecordKind::Union,
        _ => return None,
    };
    let tag = parts.list("tag").and_then(|mut tag| tag.atom()).map(str::to_string);
    let mut fields = Vec::new();
    while let Some(mut field) = parts.list("field") {
        fields.push(Field { name: field.atom()?.to_string(), ty: read_type(field.form()?)? });
    }
    Some(Record { kind, tag, fields })
}

fn read_function(mut parts: Cursor) -> Option<Type> {
    let result = read_type(parts.form()?)?;
    let mut parameters = Vec::new();
    while let Some(parameter) = parts.list("parameter") {
        parameters.push(read_parameter(parameter)?);
    }
    let (variadic, unprototyped) = (parts.keyword("variadic"), parts.keyword("unprototyped"));
    Some(Type::Function(Box::new(FunctionType { result, parameters, variadic, unprototyped })))
}

//! C types and expressions in the text form, as far as PRES and PLAN hold them. Types are forms, names and numbers
//! are bare; any other expression is kept as C text.

use cast::build;
use cast::{
    Expression, ExpressionKind, Field, FunctionType, Parameter, Qualifiers, Record, RecordKind, Scalar, TagKind, Type,
};
use sexpr::{Cursor, Sexpr, atom, node};

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
            let words = [("const", qualifiers.constant), ("volatile", qualifiers.volatile)];
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

fn write_record(record: &Record) -> Sexpr {
    let kind = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    let tag = record.tag.iter().map(|tag| node("tag", [atom(tag)]));
    let fields = record.fields.iter().map(|field| node("field", [atom(&field.name), write_type(&field.ty)]));
    node("record", std::iter::once(atom(kind)).chain(tag).chain(fields))
}

fn write_function(function: &FunctionType) -> Sexpr {
    let parameter = |parameter: &Parameter| {
        let name = parameter.name.iter().map(atom);
        node("parameter", std::iter::once(write_type(&parameter.ty)).chain(name))
    };
    let parameters = function.parameters.iter().map(parameter);
    let variadic = function.variadic.then(|| atom("variadic"));
    node("function", std::iter::once(write_type(&function.result)).chain(parameters).chain(variadic))
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
        "record" => read_record(parts),
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
                ..Qualifiers::default()
            };
            Some(Type::Qualified(qualifiers, Box::new(read_type(parts.list("of")?.form()?)?)))
        }
        _ => None,
    }
}

fn read_record(mut parts: Cursor) -> Option<Type> {
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
    Some(Type::Anonymous(Box::new(Record { kind, tag, fields })))
}

fn read_function(mut parts: Cursor) -> Option<Type> {
    let result = read_type(parts.form()?)?;
    let mut parameters = Vec::new();
    while let Some(mut parameter) = parts.list("parameter") {
        let ty = read_type(parameter.form()?)?;
        parameters.push(Parameter { name: parameter.atom().map(str::to_string), ty });
    }
    let variadic = parts.keyword("variadic");
    Some(Type::Function(Box::new(FunctionType { result, parameters, variadic, unprototyped: false })))
}

/// Words that read as numbers stand for themselves; other words are names.
fn is_number(word: &str) -> bool {
    word.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit())
}

/// An expression as a form. Names and numbers of type `int` are bare; others carry their type; what is neither a name
/// nor a number is kept as C text.
pub fn write_expression(expression: &Expression) -> Sexpr {
    let bare = match &expression.kind {
        ExpressionKind::Integer(spelling) if is_number(spelling) => atom(spelling),
        ExpressionKind::Name(name) if !is_number(name) => atom(name),
        ExpressionKind::Verbatim(text) => node("c", [sexpr::text(text)]),
        _ => node("c", [sexpr::text(cast::print_expression(expression))]),
    };
    if expression.ty == Type::INT { bare } else { node("typed", [write_type(&expression.ty), bare]) }
}

/// An expression from its form.
pub fn read_expression(form: &Sexpr) -> Option<Expression> {
    if let Some(mut parts) = Cursor::of(form, "typed") {
        let ty = read_type(parts.form()?)?;
        return Some(Expression { ty, ..read_expression(parts.form()?)? });
    }
    if let Some(mut parts) = Cursor::of(form, "c") {
        return Some(build::verbatim(parts.text()?, Type::INT));
    }
    let word = form.as_atom()?;
    Some(if is_number(word) { build::spelled(word, Type::INT) } else { build::name(word, Type::INT) })
}

//! The atoms of AOI's own types and values.

use crate::Type;

/// The types that are written as one word.
pub(super) const PLAIN_TYPES: [&str; 21] = [
    "void", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "float128",
    "bool", "char", "wchar", "string", "wstring", "bytes", "any", "typecode", "object",
];

/// How a front end spells an integer unless its source says otherwise.
pub fn usual_spelling(bits: u8, signed: bool) -> &'static str {
    match (bits, signed) {
        (8, true) => "char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (64, true) => "hyper",
        (64, false) => "unsigned hyper",
        (_, true) => "int",
        (_, false) => "unsigned int",
    }
}

/// The word for a number; widths that AOI does not know are printed all the same.
pub(super) fn integer_word(bits: u8, signed: bool) -> String {
    format!("{}int{bits}", if signed { "" } else { "u" })
}

/// The type that a word stands for.
pub(super) fn plain_type(word: &str) -> Option<Type> {
    if !PLAIN_TYPES.contains(&word) {
        return None;
    }
    Some(match word {
        "void" => Type::Void,
        "bool" => Type::Boolean,
        "string" => Type::Text { bound: None },
        "wstring" => Type::WideText { bound: None },
        "bytes" => Type::Opaque { bound: None },
        "char" => Type::Character { is_wide: false },
        "wchar" => Type::Character { is_wide: true },
        "any" => Type::Any,
        "typecode" => Type::TypeCode,
        "object" => Type::Object,
        _ => return float_type(word).or_else(|| integer_type(word, None)),
    })
}

fn float_type(word: &str) -> Option<Type> {
    let bits = word.strip_prefix("float")?.parse().ok()?;
    Some(Type::Float { bits })
}

/// `int32`, with its spelling where that is given.
pub(super) fn integer_type(word: &str, spelling: Option<&str>) -> Option<Type> {
    let (signed, digits) = match word.strip_prefix("uint") {
        Some(digits) => (false, digits),
        None => (true, word.strip_prefix("int")?),
    };
    let bits = digits.parse().ok()?;
    let spelling = spelling.unwrap_or(usual_spelling(bits, signed)).to_owned();
    Some(Type::Integer { bits, signed, spelling })
}

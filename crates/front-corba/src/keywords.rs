//! The language's keywords as the parser asks for them, and guesses at what a misspelled one was meant to be.

use escape::idl::{KEYWORDS, LATER_KEYWORDS};

/// Words that begin a definition in a file or a module.
pub(crate) const DEFINITIONS: [&str; 14] = [
    "module",
    "interface",
    "struct",
    "union",
    "enum",
    "typedef",
    "const",
    "exception",
    "valuetype",
    "abstract",
    "local",
    "native",
    "typeid",
    "typeprefix",
];

/// Types of one word, which a name that nothing defines may have been meant to be.
pub(crate) const TYPES: [&str; 14] = [
    "any", "boolean", "char", "double", "fixed", "float", "long", "Object", "octet", "short", "string", "void",
    "wchar", "wstring",
];

/// The keyword that a word is, or differs from only in case.
pub(crate) fn reserved(word: &str) -> Option<&'static str> {
    KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// True for a word that some version of the language reserves, spelled as it does.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word) || LATER_KEYWORDS.contains(&word)
}

/// The word that only newer versions of the language reserve, if a word is that or differs from it only in case.
pub(crate) fn later(word: &str) -> Option<&'static str> {
    LATER_KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// What C calls its types, and IDL calls otherwise.
pub(crate) fn type_of_c(word: &str) -> Option<&'static str> {
    Some(match word {
        "int" | "int32_t" | "signed" => "long",
        "unsigned int" | "uint32_t" | "size_t" => "unsigned long",
        "bool" | "_Bool" => "boolean",
        "int8_t" => "int8",
        "uint8_t" | "byte" => "octet",
        "int16_t" => "short",
        "uint16_t" => "unsigned short",
        "int64_t" => "long long",
        "uint64_t" => "unsigned long long",
        "wchar_t" => "wchar",
        "vector" => "sequence",
        _ => return None,
    })
}

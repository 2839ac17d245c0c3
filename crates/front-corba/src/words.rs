//! The words of the language, and guesses at what a misspelled one was meant to be.

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

/// Words that are no names in any version of the language (CORBA 2.2 section 3.2.4).
pub(crate) const RESERVED: [&str; 38] = [
    "any",
    "attribute",
    "boolean",
    "case",
    "char",
    "const",
    "context",
    "default",
    "double",
    "enum",
    "exception",
    "FALSE",
    "fixed",
    "float",
    "in",
    "inout",
    "interface",
    "long",
    "module",
    "Object",
    "octet",
    "oneway",
    "out",
    "raises",
    "readonly",
    "sequence",
    "short",
    "string",
    "struct",
    "switch",
    "TRUE",
    "typedef",
    "union",
    "unsigned",
    "void",
    "wchar",
    "wstring",
    "native",
];

/// Types of one word, which a name that nothing defines may have been meant to be.
pub(crate) const TYPES: [&str; 14] = [
    "any", "boolean", "char", "double", "fixed", "float", "long", "Object", "octet", "short", "string", "void",
    "wchar", "wstring",
];

/// Words that came later (CORBA 2.3, CORBA 3, IDL 4): files that were written before take them for names, which still
/// works.
const LATER: [&str; 45] = [
    "abstract",
    "custom",
    "factory",
    "getraises",
    "local",
    "private",
    "public",
    "setraises",
    "supports",
    "truncatable",
    "ValueBase",
    "valuetype",
    "alias",
    "bitfield",
    "bitmask",
    "bitset",
    "component",
    "connector",
    "consumes",
    "emits",
    "eventtype",
    "finder",
    "home",
    "import",
    "int16",
    "int32",
    "int64",
    "int8",
    "manages",
    "map",
    "mirrorport",
    "multiple",
    "port",
    "porttype",
    "primarykey",
    "provides",
    "publishes",
    "typeid",
    "typename",
    "typeprefix",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uses",
];

/// The keyword that a word is, or differs from only in case.
pub(crate) fn reserved(word: &str) -> Option<&'static str> {
    RESERVED.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// True for a word that some version of the language reserves, spelled as it does.
pub(crate) fn is_keyword(word: &str) -> bool {
    RESERVED.contains(&word) || LATER.contains(&word)
}

/// The word that only newer versions of the language reserve, if a word is that or differs from it only in case.
pub(crate) fn later(word: &str) -> Option<&'static str> {
    LATER.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
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

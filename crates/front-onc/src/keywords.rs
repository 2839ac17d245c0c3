//! The words of the language, and guesses at what a misspelled one was meant to be.

/// Words that begin a declaration at the top level of a file.
pub(crate) const DECLARATIONS: [&str; 8] =
    ["const", "typedef", "struct", "union", "enum", "program", "namespace", "pragma"];

/// Words that no declaration may take for a name (RFC 4506 section 6.4). `program`, `version` and the words of
/// dialects are names wherever they cannot be anything else.
const RESERVED: [&str; 20] = [
    "bool", "case", "char", "const", "default", "double", "enum", "float", "hyper", "int", "long", "opaque", "short",
    "string", "struct", "switch", "typedef", "union", "unsigned", "void",
];

/// True for words that cannot be names.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Every word that a misspelled one may have been meant to be.
pub(crate) fn keywords() -> Vec<&'static str> {
    let mut all = [&DECLARATIONS[..], &RESERVED, &["version"]].concat();
    all.sort_unstable();
    all.dedup();
    all
}

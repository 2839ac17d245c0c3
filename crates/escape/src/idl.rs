//! OMG IDL: its keywords, in one list for all who read or write it. In: names of types and fields. Out: identifiers that are no keywords.
//! Source: OMG IDL 4.2, section 7.2.3.

use crate::Text;

/// The language of interfaces.
#[derive(Debug)]
pub enum Idl {}

/// The language's keywords in all its versions (CORBA 2.2, section 3.2.4), spelled as they are to be.
pub const KEYWORDS: [&str; 38] = [
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
    "native",
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
];

/// Those that came later (CORBA 2.3, CORBA 3, OMG IDL 4.2, table 7-6): files that were written before have them as names.
pub const LATER_KEYWORDS: [&str; 45] = [
    "abstract",
    "alias",
    "bitfield",
    "bitmask",
    "bitset",
    "component",
    "connector",
    "consumes",
    "custom",
    "emits",
    "eventtype",
    "factory",
    "finder",
    "getraises",
    "home",
    "import",
    "int16",
    "int32",
    "int64",
    "int8",
    "local",
    "manages",
    "map",
    "mirrorport",
    "multiple",
    "port",
    "porttype",
    "primarykey",
    "private",
    "provides",
    "public",
    "publishes",
    "setraises",
    "supports",
    "truncatable",
    "typeid",
    "typename",
    "typeprefix",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uses",
    "ValueBase",
    "valuetype",
];

/// Names that compilers take for something else: what idlc has for types and annotations, and what is written beside the user's types.
const TAKEN: [&str; 9] = ["external", "getter", "id", "key", "nested", "optional", "packets", "samples", "setter"];

/// Words are the same in any case.
fn is_taken(word: &str) -> bool {
    [&KEYWORDS[..], &LATER_KEYWORDS, &TAKEN]
        .iter()
        .any(|list| list.iter().any(|taken| taken.eq_ignore_ascii_case(word)))
}

/// An identifier, from one of C. A line below before a keyword takes it out of the language
/// (section 7.2.3.2).
pub fn name(text: &str) -> Text<Idl> {
    let plain: String = text.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    let starts_below = plain.starts_with('_');
    Text::escaped(if is_taken(&plain) || starts_below { format!("_{plain}") } else { plain })
}

/// Text behind `//`, on one line.
pub fn comment(text: &str) -> Text<Idl> {
    Text::escaped(crate::line(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn words_of_the_language_are_escaped() {
        let of = |text| name(text).finish();
        assert_eq!(["any", "Any", "anything", "_x"].map(of), ["_any", "_Any", "anything", "__x"]);
    }
}

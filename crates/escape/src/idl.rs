//! OMG IDL. In: names of types and fields. Out: identifiers that are none of the language's words.
//! Source: OMG IDL 4.2, section 7.2.3.

use crate::Text;

/// The language of interfaces.
#[derive(Debug)]
pub enum Idl {}

/// Section 7.2.4, table 7-6; and what idlc takes for a type beside it.
const WORDS: [&str; 92] = [
    "abstract",
    "alias",
    "any",
    "attribute",
    "bitfield",
    "bitmask",
    "bitset",
    "boolean",
    "case",
    "char",
    "component",
    "connector",
    "const",
    "consumes",
    "context",
    "custom",
    "default",
    "double",
    "emits",
    "enum",
    "eventtype",
    "exception",
    "factory",
    "false",
    "finder",
    "fixed",
    "float",
    "getraises",
    "getter",
    "home",
    "import",
    "in",
    "inout",
    "int16",
    "int32",
    "int64",
    "int8",
    "interface",
    "local",
    "long",
    "manages",
    "map",
    "mirrorport",
    "module",
    "multiple",
    "native",
    "object",
    "octet",
    "oneway",
    "optional",
    "out",
    "port",
    "porttype",
    "primarykey",
    "private",
    "provides",
    "public",
    "publishes",
    "raises",
    "readonly",
    "sequence",
    "setraises",
    "setter",
    "short",
    "string",
    "struct",
    "supports",
    "switch",
    "true",
    "truncatable",
    "typedef",
    "typeid",
    "typename",
    "typeprefix",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "union",
    "unsigned",
    "uses",
    "valuebase",
    "valuetype",
    "void",
    "wchar",
    "wstring",
    "packets",
    "samples",
    "key",
    "id",
    "external",
    "nested",
];

/// An identifier, from one of C. Words are the same in any case; a line below before one takes it out of the language
/// (section 7.2.3.2).
pub fn name(text: &str) -> Text<Idl> {
    let plain: String = text.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(&plain));
    let starts_below = plain.starts_with('_');
    Text::escaped(if is_word || starts_below { format!("_{plain}") } else { plain })
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

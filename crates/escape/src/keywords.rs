//! Keywords of C, of GNU's C and of C++, which programs cannot have as names: in one list for all who write C. Those of interface languages
//! are [`idl`](crate::idl)'s and their front ends'. Source: ISO 9899:2018, section 6.4.1; ISO 14882:2020.

/// Keywords of C that are lower-case letters.
const OF_C: [&str; 34] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
];

/// Keywords of GNU's C, which gcc and clang read unless an option says otherwise; some are C23's, too.
const OF_GNU_C: [&str; 2] = ["asm", "typeof"];

/// Keywords of C++ that are none of C17's.
const OF_CPP: [&str; 58] = [
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "bool",
    "catch",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "false",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
];

/// True for keywords of C.
pub fn is_of_c(name: &str) -> bool {
    OF_C.contains(&name)
}

/// True for keywords of GNU's C that are none of C's.
pub fn is_of_gnu_c(name: &str) -> bool {
    OF_GNU_C.contains(&name)
}

/// True for keywords of C++ that are none of C's.
pub fn is_of_cpp(name: &str) -> bool {
    OF_CPP.contains(&name)
}

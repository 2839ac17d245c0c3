//! The words of C, of GNU's C and of C++, which programs cannot have as names. Every style has to keep clear of them.

/// Words that C will not have as names.
const C_WORDS: [&str; 36] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "TRUE", "FALSE",
];

/// Words of GNU's C, which gcc and clang read unless told otherwise; some are C23's, too.
const GNU_WORDS: [&str; 2] = ["asm", "typeof"];

/// Words of C++ (ISO 14882:2020) that are none of C17's.
const CPP_WORDS: [&str; 58] = [
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

/// True for words that C will not have as names.
pub(crate) fn is_of_c(name: &str) -> bool {
    C_WORDS.contains(&name)
}

/// True for words of GNU's C that are none of C's.
pub(crate) fn is_of_gnu_c(name: &str) -> bool {
    GNU_WORDS.contains(&name)
}

/// True for words of C++ that are none of C's.
pub(crate) fn is_of_cpp(name: &str) -> bool {
    CPP_WORDS.contains(&name)
}

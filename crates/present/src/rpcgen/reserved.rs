//! Names that are spoken for: words of C and C++, and macros of the headers that a generated header includes.
//!
//! C's words cannot be names at all. The others can, and do harm only where somebody meets them: a warning.

use std::collections::BTreeSet;

use source::{Diagnostic, Span};

use super::errors;

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

/// One a line, in order: the macros without arguments that `rpc/rpc.h` of libtirpc brings with glibc
/// (`gcc -dM -E`), those that name the machine, and `errno`, which generated clients include.
const MACROS: &str = include_str!("macros.txt");

/// True for words that C will not have as names.
pub(super) fn is_word_of_c(name: &str) -> bool {
    C_WORDS.contains(&name)
}

/// Warns of names, of each once.
pub(super) struct Cautions {
    macros: Vec<&'static str>,
    said: BTreeSet<String>,
}

impl Cautions {
    pub(super) fn new() -> Self {
        Cautions { macros: MACROS.lines().collect(), said: BTreeSet::new() }
    }

    /// The warning about a name that the header uses as it is; `None` where there is nothing to say.
    pub(super) fn about(&mut self, name: &str, span: Span) -> Option<Diagnostic> {
        let is_macro = self.macros.binary_search(&name).is_ok();
        let finding = if is_macro { Some(errors::name_of_macro(name, span)) } else { None };
        self.once(name, finding.or_else(|| of_others(name, span)))
    }

    /// As [`Cautions::about`], for a name that the header defines as a macro: a compiler says itself when that
    /// changes one that is there already, which may well be meant.
    pub(super) fn about_macro(&mut self, name: &str, span: Span) -> Option<Diagnostic> {
        self.once(name, of_others(name, span))
    }

    fn once(&mut self, name: &str, finding: Option<Diagnostic>) -> Option<Diagnostic> {
        finding.filter(|_| self.said.insert(name.to_string()))
    }
}

fn of_others(name: &str, span: Span) -> Option<Diagnostic> {
    if GNU_WORDS.contains(&name) {
        return Some(errors::keyword_of_others(name, "GNU's C", span));
    }
    CPP_WORDS.contains(&name).then(|| errors::keyword_of_others(name, "C++", span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_in_order() {
        assert!(MACROS.lines().is_sorted());
        assert!(MACROS.lines().count() > 800);
    }

    #[test]
    fn each_name_is_warned_of_once() {
        let mut cautions = Cautions::new();
        let mut codes = |names: &[&str]| -> Vec<&str> {
            names.iter().filter_map(|name| cautions.about(name, Span::default())).map(|finding| finding.code).collect()
        };
        assert_eq!(codes(&["class", "class", "asm", "size"]), ["rpcgen-011", "rpcgen-011"]);
        assert_eq!(codes(&["EOF", "errno", "stdin", "NULL", "rm_call", "EOF"]), ["rpcgen-012"; 5]);
        assert!(cautions.about_macro("MAXPATHLEN", Span::default()).is_none());
        assert!(cautions.about_macro("new", Span::default()).is_some());
    }
}

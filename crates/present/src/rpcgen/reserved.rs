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

/// One a line, in order: what else these headers and those of `b_xdr.c` declare (`clang -ast-dump`), without names that
/// begin with `_`, and as what: `value` (a function, a variable, an enumerator), `typedef`, `tag`.
const DECLARED: &str = include_str!("declared.txt");

/// Types whose routine would be called as a function or a macro of `rpc/xdr.h` that does not take
/// a stream and an object.
const OTHER_ROUTINES: [&str; 21] = [
    "array",
    "bytes",
    "destroy",
    "free",
    "getbytes",
    "getint32",
    "getlong",
    "getpos",
    "inline",
    "opaque",
    "pointer",
    "putbytes",
    "putint32",
    "putlong",
    "reference",
    "setpos",
    "sizeof",
    "string",
    "union",
    "vector",
    "void",
];

/// What a declaration of a name would meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Declares {
    /// A structure's tag and a type.
    Record,
    /// A type that may well be the library's own once more: C lets it be declared twice.
    Alias,
    /// An enumerator.
    Value,
    /// A macro: it hides what it meets.
    Macro,
}

/// True where no type can be called so, since its routine could not.
pub(super) fn is_routine_of_library(name: &str) -> bool {
    OTHER_ROUTINES.contains(&name)
}

/// True for words that C will not have as names.
pub(super) fn is_word_of_c(name: &str) -> bool {
    C_WORDS.contains(&name)
}

/// Warns of names, of each once.
pub(super) struct Cautions {
    macros: Vec<&'static str>,
    declared: Vec<(&'static str, &'static str)>,
    said: BTreeSet<String>,
}

impl Cautions {
    pub(super) fn new() -> Self {
        let declared = DECLARED.lines().filter_map(|line| line.split_once(' ')).collect();
        Cautions { macros: MACROS.lines().collect(), declared, said: BTreeSet::new() }
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

    /// The warning about a name that is declared outside of structures, where the libraries or whittle's own helpers
    /// declare it already.
    pub(super) fn about_declaration(&mut self, name: &str, declares: Declares, span: Span) -> Option<Diagnostic> {
        if name.starts_with("whittle_") || name.starts_with("WHITTLE_") {
            let finding = errors::name_of_library(name, "a name for whittle's own helpers", "they may meet it", span);
            return self.once(name, Some(finding));
        }
        let what = |name: &str| {
            let at = self.declared.binary_search_by_key(&name, |(declared, _)| declared).ok()?;
            Some(self.declared[at].1)
        };
        let is = |kind: &str| what(name).is_some_and(|kinds| kinds.split(' ').any(|one| one == kind));
        let meets = match declares {
            Declares::Record => is("value") || is("typedef") || is("tag"),
            Declares::Alias => is("value"),
            Declares::Value => is("value") || is("typedef"),
            Declares::Macro => false,
        };
        let is_type = matches!(declares, Declares::Record | Declares::Alias);
        let has_routine = is_type && what(name).is_none() && what(&format!("xdr_{name}")).is_some();
        let finding = match (meets, has_routine) {
            (true, _) => {
                let what = "declared in headers that the generated files include";
                Some(errors::name_of_library(name, what, "the C compiler will refuse to declare it again", span))
            }
            (_, true) => {
                let what = format!("a type whose routine, `xdr_{name}`, the RPC library has already");
                Some(errors::name_of_library(name, &what, "one will stand in for the other, or be refused", span))
            }
            _ => None,
        };
        self.once(name, finding)
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
    fn declarations_are_in_order_and_have_kinds() {
        let names: Vec<&str> = DECLARED.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(names.is_sorted());
        let kinds = DECLARED.lines().flat_map(|line| line.split(' ').skip(1));
        assert!(kinds.clone().all(|kind| ["value", "typedef", "tag"].contains(&kind)));
        assert!(kinds.count() >= names.len() && names.len() > 800);
        assert!(OTHER_ROUTINES.is_sorted());
    }

    #[test]
    fn what_the_libraries_declare_is_warned_of() {
        use Declares::{Alias, Macro, Record, Value};
        let warned = |name, declares| Cautions::new().about_declaration(name, declares, Span::default()).is_some();
        assert_eq!(
            [Record, Alias, Value, Macro].map(|declares| warned("connect", declares)),
            [true, true, true, false]
        );
        assert_eq!(
            [Record, Alias, Value, Macro].map(|declares| warned("uint32_t", declares)),
            [true, false, true, false]
        );
        assert_eq!([Record, Alias, Value, Macro].map(|declares| warned("pmap", declares)), [true, false, false, false]);
        assert_eq!(
            [Record, Alias, Value, Macro].map(|declares| warned("callmsg", declares)),
            [true, true, false, false]
        );
        assert!(warned("whittle_put32", Macro) && !warned("whittled", Record));
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

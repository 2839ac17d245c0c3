//! Names that are spoken for: words of C and C++, and macros of the headers that a generated header includes.
//!
//! C's words cannot be names at all. The others can, and do harm only where somebody meets them: a warning.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use escape::keywords;
use source::{Diagnostic, Span};

use super::errors;
use crate::library::{Files, Names};

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
    /// A tag, and a type where the name is free.
    Tagged,
    /// A type that no tag says.
    Type,
    /// A type that may well be the library's own once more: C lets it be declared twice.
    Alias,
    /// An enumerator.
    Value,
    /// A macro: it hides what it meets.
    Macro,
}

/// Where the name of a structure or an enumeration is also a type's without `struct` or `enum`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Typedef {
    Everywhere,
    /// In C++ a function of the C library has the name.
    InC,
    /// In C, too.
    Nowhere,
}

impl Typedef {
    pub(super) fn of(name: &str) -> Typedef {
        static NAMES: LazyLock<[Names; 2]> = LazyLock::new(|| [Files::Rpcgen, Files::RpcgenInCpp].map(Names::of));
        match NAMES.each_ref().map(|names| names.is(name, "value")) {
            [true, _] => Typedef::Nowhere,
            [_, true] => Typedef::InC,
            _ => Typedef::Everywhere,
        }
    }
}

/// True where no type can be called so, since its routine could not.
pub(super) fn is_routine_of_library(name: &str) -> bool {
    OTHER_ROUTINES.contains(&name)
}

/// Warns of names, of each once.
pub(super) struct Cautions {
    names: Names,
    /// What the C library has without the RPC library.
    of_c: [Names; 2],
    said: BTreeSet<String>,
}

impl Cautions {
    pub(super) fn new() -> Self {
        let of_c = [Files::Corba, Files::Others].map(Names::of);
        Cautions { names: Names::of(Files::Rpcgen), of_c, said: BTreeSet::new() }
    }

    /// The warning about a name that the header uses as it is; `None` where there is nothing to say.
    pub(super) fn about(&mut self, name: &str, span: Span) -> Option<Diagnostic> {
        let finding = if self.names.is_macro(name) { Some(errors::name_of_macro(name, span)) } else { None };
        self.once(name, finding.or_else(|| of_others(name, span)))
    }

    /// As [`Cautions::about`], for a name that the header defines as a macro. It ends one that is there already, so that no compiler
    /// says that another takes its place.
    pub(super) fn about_macro(&mut self, name: &str, span: Span) -> Option<Diagnostic> {
        let hides = || {
            let what = "declared by C's own headers, and a macro in the header that is made of this";
            let harm = "files that include the header cannot use what C calls so";
            errors::name_of_library(name, what, harm, span)
        };
        let replaces = || {
            let what = "a macro of C's own headers, and another one in the header that is made of this";
            let harm = "files that include the header have this number for it";
            errors::name_of_library(name, what, harm, span)
        };
        let finding = of_others(name, span).or_else(|| self.is_of_c(name).then(hides));
        let finding = finding.or_else(|| self.names.is_macro(name).then(replaces));
        self.once(name, finding)
    }

    /// True of functions, variables and types of C's that generated files include, and of a server's `main`. The RPC library may have its
    /// own as macros.
    pub(super) fn is_of_c(&self, name: &str) -> bool {
        name == "main" || self.names.is_declared(name) && self.of_c.iter().any(|names| names.is_declared(name))
    }

    /// The warning about a name that is declared outside of structures, where the libraries or whittle's own helpers
    /// declare it already.
    pub(super) fn about_declaration(&mut self, name: &str, declares: Declares, span: Span) -> Option<Diagnostic> {
        if name.starts_with("whittle_") || name.starts_with("WHITTLE_") {
            let finding = errors::name_of_library(name, "a name for whittle's own helpers", "they may meet it", span);
            return self.once(name, Some(finding));
        }
        let is = |kind: &str| self.names.is(name, kind);
        let meets = match declares {
            Declares::Tagged => is("value") || is("typedef") || is("tag"),
            Declares::Type => is("value") || is("typedef"),
            Declares::Alias => is("value"),
            Declares::Value => is("value") || is("typedef"),
            Declares::Macro => false,
        };
        let is_type = matches!(declares, Declares::Tagged | Declares::Type | Declares::Alias);
        let has_routine = is_type && !self.names.is_declared(name) && self.names.is_declared(&format!("xdr_{name}"));
        let finding = match (meets, has_routine) {
            (true, _) if is_type && !is("typedef") && (declares == Declares::Alias || !is("tag")) => {
                let what = "declared in headers that the generated files include, as no type";
                let harm = match declares {
                    Declares::Tagged => "the type has this name behind `struct` or `enum` alone",
                    _ => "no type has this name alone: in its place stands what it means",
                };
                Some(errors::name_of_library(name, what, harm, span))
            }
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
    if keywords::is_of_gnu_c(name) {
        return Some(errors::keyword_of_others(name, "GNU's C", span));
    }
    keywords::is_of_cpp(name).then(|| errors::keyword_of_others(name, "C++", span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routines_are_in_order() {
        assert!(OTHER_ROUTINES.is_sorted());
    }

    #[test]
    fn what_the_libraries_declare_is_warned_of() {
        use Declares::{Alias, Macro, Tagged, Type, Value};
        let warned = |name, declares| Cautions::new().about_declaration(name, declares, Span::default()).is_some();
        assert_eq!(
            [Tagged, Alias, Value, Macro].map(|declares| warned("connect", declares)),
            [true, true, true, false]
        );
        assert_eq!(
            [Tagged, Alias, Value, Macro].map(|declares| warned("uint32_t", declares)),
            [true, false, true, false]
        );
        assert_eq!([Tagged, Alias, Value, Macro].map(|declares| warned("pmap", declares)), [true, false, false, false]);
        assert_eq!(
            [Tagged, Alias, Value, Macro].map(|declares| warned("callmsg", declares)),
            [true, true, false, false]
        );
        assert!(warned("whittle_put32", Macro) && !warned("whittled", Tagged) && !warned("pmap", Type));
    }

    #[test]
    fn each_name_is_warned_of_once() {
        let mut cautions = Cautions::new();
        let mut codes = |names: &[&str]| -> Vec<&str> {
            names.iter().filter_map(|name| cautions.about(name, Span::default())).map(|finding| finding.code).collect()
        };
        assert_eq!(codes(&["class", "class", "asm", "size"]), ["rpcgen-011", "rpcgen-011"]);
        assert_eq!(codes(&["EOF", "errno", "stdin", "NULL", "rm_call", "EOF"]), ["rpcgen-012"; 5]);
        assert!(cautions.about_macro("PATH_LENGTH", Span::default()).is_none());
        assert!(cautions.about_macro("MAXPATHLEN", Span::default()).is_some());
        assert!(cautions.about_macro("new", Span::default()).is_some());
    }
}

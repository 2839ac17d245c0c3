//! Every finding of this front end, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the label is brief, help says how to mend it.

use source::{Diagnostic, Span};

/// `c-001`: libclang, which reads C for whittle, is not there.
pub(crate) fn no_library(reason: &str) -> Diagnostic {
    Diagnostic::error("c-001", "libclang, which reads C, cannot be loaded")
        .note(reason.to_owned())
        .help("install it (Debian: `apt install libclang1-19`, or -16, or -14), or set LIBCLANG_PATH to the file or its folder")
}

/// `c-002`: clang finds fault with the C. What it says is quoted.
pub(crate) fn refused(at: Option<Span>, message: &str) -> Diagnostic {
    let finding = Diagnostic::error("c-002", format!("clang: {message}"));
    match at {
        Some(at) => finding.at(at, ""),
        None => finding,
    }
}

/// `c-003`: a construct that the tree does not model. It stays as it is written, and nothing in it is specialized.
pub(crate) fn kept_as_text(at: Span, what: &str) -> Diagnostic {
    Diagnostic::warning("c-003", format!("{what} is kept as text")).at(at, "not looked into")
}

/// `c-004`: clang gives up on a file altogether.
pub(crate) fn not_parsed(path: &str) -> Diagnostic {
    Diagnostic::error("c-004", format!("clang cannot parse `{path}`"))
        .help("compile the file with `clang -fsyntax-only` to see why")
}

/// `c-005`: units of a program declare one name with different types. Linkers do not notice; each unit goes by its own.
pub(crate) fn other_type(name: &str, types: &[String; 2], at: Option<Span>, first: Option<Span>) -> Diagnostic {
    let message = format!("`{name}` is declared as `{}` and as `{}`", types[0], types[1]);
    let mut finding = Diagnostic::warning("c-005", message).help("let both units include one header that declares it");
    if let Some(at) = at {
        finding = finding.at(at, format!("`{}`", types[1]));
    }
    match first {
        Some(first) => finding.also(first, format!("first declared as `{}`", types[0])),
        None => finding,
    }
}

/// `c-006`: units of a program define one name twice.
pub(crate) fn defined_twice(name: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::error("c-006", format!("`{name}` is defined twice"))
        .at(at, "defined again")
        .also(first, "first defined here")
        .help("leave one of the units out, or make one of the two `static`")
}

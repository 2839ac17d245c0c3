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

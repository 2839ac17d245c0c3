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

/// `c-007`: the types of an expression and of its parts do not go together by C's rules, as whittle knows them. Its own
/// fault, most likely; please report it.
pub(crate) fn other_rule(at: Span, what: &str) -> Diagnostic {
    Diagnostic::warning("c-007", format!("whittle and clang differ on a type: {what}")).at(at, "here")
}

/// `c-008`: a pragma inside a function, which the tree has no place for.
pub(crate) fn left_out(at: Span, pragma: &str) -> Diagnostic {
    Diagnostic::warning("c-008", format!("`{pragma}` is left out")).at(at, "inside a function")
}

#[cfg(test)]
mod tests {
    use source::{FileId, Span};

    #[test]
    fn findings_that_no_input_provokes_say_how_to_go_on() {
        let missing = super::no_library("libclang.so: cannot open shared object file");
        assert_eq!(missing.code, "c-001");
        assert!(missing.help.is_some_and(|help| help.contains("libclang1-19") && help.contains("LIBCLANG_PATH")));
        assert_eq!(super::not_parsed("a.c").code, "c-004");
        assert_eq!(super::other_rule(Span::new(FileId(0), 0, 1), "`int` and `long`").code, "c-007");
    }
}

//! What the plain style cannot present, with codes that are never reused.

use source::{Diagnostic, Span};

/// `plain-001`: two names that are one in C.
pub(super) fn one_name(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("plain-001", format!("two declarations are called `{name}` in C"))
        .at(span, "called so again")
        .also(first, "first here")
        .help("C joins scopes and names with `_`, and functions follow their interface: rename one of the two")
}

/// `plain-002`: what has no form in plain C.
pub(super) fn no_form(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("plain-002", format!("{what} has no form in the plain style"))
        .at(span, "")
        .help("use `--style corba`, or pass a structure in its place")
}

/// `plain-003`: a type of which only a C header knows how it is marshalled.
pub(super) fn foreign(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "plain-003",
        format!("`{name}` is not described here: if a C header has it, only its `xdr_` routine knows its form"),
    )
    .at(span, "")
    .help("is it spelt right? else describe it here, `#include` the file that does, or use `--style rpcgen`")
}

/// `plain-004`: a type that contains itself.
pub(super) fn contains_itself(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("plain-004", format!("`{name}` contains itself"))
        .at(span, "")
        .help("put a pointer, or a sequence, in between")
}

/// `plain-005`: an interface that no server can be asked for.
pub(crate) fn no_program(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("plain-005", format!("`{name}` has no program number, by which ONC RPC knows servers"))
        .at(span, "")
        .help("write `@onc(program = 0x20000001, version = 1)` before it, or give `--onc-program 0x20000001`; what is only inherited needs none, and neither do objects of CORBA (`--link giop-tcp`)")
}

/// `plain-006`: a number that only a C header knows.
pub(crate) fn unknown_number(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("plain-006", format!("the number of `{name}` is not known, and dispatch is made of numbers"))
        .at(span, "")
        .help("write the number, or define the constant in the file")
}

/// `plain-007`: two procedures of one number.
pub(crate) fn one_number(name: &str, number: u32, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("plain-007", format!("`{name}` is procedure {number}, and so is another"))
        .at(span, "")
        .also(first, "the other")
        .help("give each procedure of a version a number of its own")
}

/// `plain-008`: two interfaces of one number.
pub(crate) fn one_program(name: &str, numbers: (u32, u32), span: Span, first: Span) -> Diagnostic {
    let (program, version) = numbers;
    let message = format!("`{name}` is version {version} of program {program:#x}, and so is another");
    Diagnostic::error("plain-008", message)
        .at(span, "")
        .also(first, "the other")
        .help("write `@onc(program = …, version = …)` before it, with a number of its own")
}

/// `plain-009`: a line for the header that needs an RPC library.
pub(super) fn library_header(span: Span) -> Diagnostic {
    Diagnostic::warning("plain-009", "this line includes a header of an RPC library, which the plain style does without")
        .at(span, "stands in the header as it is")
        .help("take the line out, and describe here what it declared; or compile with the library's headers: `-I/usr/include/tirpc`")
}

//! What the C mapping of CORBA cannot present, with codes that are never reused.

use pres::LinkKind;
use source::{Diagnostic, Span};

/// `corba-101`: two names that are one in C.
pub(super) fn one_name(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("corba-101", format!("two declarations are called `{name}` in C"))
        .at(span, "called so again")
        .also(first, "first here")
        .help("C joins scopes and names with `_`: rename one of the two")
}

/// `corba-102`: a type that the C mapping does not have.
pub(super) fn no_mapping(what: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("corba-102", format!("`{name}` is {what}, for which the C mapping of CORBA has no form"))
        .at(span, "")
        .help("pass a structure, or an object, in its place")
}

/// `corba-112`: a value type whose values have no form in C.
pub(super) fn no_value(name: &str, why: &str, span: Span) -> Diagnostic {
    Diagnostic::error("corba-112", format!("values of `{name}` cannot be passed: {why}"))
        .at(span, "")
        .help("pass a value type with state, a structure, or an object in its place")
}

/// `corba-103`: a type of which only a C header knows how it is marshalled.
pub(super) fn foreign(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "corba-103",
        format!("`{name}` is not described here: if a C header has it, only its `xdr_` routine knows its form"),
    )
    .at(span, "")
    .help("is it spelt right? else describe it here, `#include` the file that does, or use `--style rpcgen`")
}

/// `corba-104`: a type that contains itself.
pub(super) fn contains_itself(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("corba-104", format!("`{name}` contains itself"))
        .at(span, "")
        .help("put a sequence in between, or let a union choose between it and what ends it")
}

/// `corba-106`: names of the caller's environment that a call would carry.
pub(super) fn no_contexts(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("corba-106", format!("`{name}` wants a context, which calls of whittle's do not carry"))
        .at(span, "")
        .help("leave `context` out, and pass what the server needs as parameters")
}

// `corba-107` was two included files whose headers are one: `include-002`.

/// `corba-105`: a length that is not known.
pub(super) fn unknown_length(span: Span) -> Diagnostic {
    Diagnostic::error("corba-105", "the length is known to a C header alone, and type codes must tell it")
        .at(span, "")
        .help("define the constant in the file")
}

/// `corba-108`: a name that the headers of the generated files have taken.
pub(super) fn name_of_headers(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("corba-108", format!("`{name}` is a name of the headers that generated C includes"))
        .at(span, "C cannot have it once more")
        .help("rename it; a definition may go into a module instead, whose name C puts before it")
}

/// `corba-109`: a name of common headers that generated files do not include.
pub(super) fn name_of_other_headers(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("corba-109", format!("`{name}` is a name of the C library's"))
        .at(span, "programs that include its header, too, cannot be compiled")
        .help("rename it; a definition may go into a module instead, whose name C puts before it")
}

/// `corba-110`: an operation whose function is another one's.
pub(super) fn function_of_library(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "corba-110",
        format!("the function of this operation, `{name}`, would take the place of a library's"),
    )
    .at(span, "C joins the names of the interface and the operation")
    .help("rename one of the two, or put the interface into a module, whose name C puts before them")
}

/// `corba-111`: a type whose values only the ORB encodes, where there is none.
pub(super) fn no_orb(what: &str, link: LinkKind, span: Span) -> Diagnostic {
    let lacks = match link {
        LinkKind::None => "values alone (`--link none`) have none",
        LinkKind::Mach => "messages of Mach's ports have no form for it",
        LinkKind::Onc | LinkKind::Tirpc | LinkKind::Iiop | LinkKind::Fluke => "XDR has no form for it",
    };
    Diagnostic::error("corba-111", format!("{what} is the ORB's, and {lacks}"))
        .at(span, "")
        .help("use `--link giop-tcp`, or say it with numbers, strings, structures and sequences")
}

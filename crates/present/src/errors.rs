//! What any style has to say of names of files, and of names that headers have taken.

use escape::Refused;
use source::{Diagnostic, Span};

/// `include-002`: two files whose headers are one.
pub fn one_header(header: &str, first: &str, second: &str) -> Diagnostic {
    Diagnostic::error("include-002", format!("{first} and {second} both have the header `{header}`"))
        .help("rename one of them: in this style the headers of a program stand beside each other in one folder")
}

/// `include-001`: a file whose name C cannot include. A line end or a quote in it would end the line's name, and what follows would be C.
pub fn not_included(refused: &Refused, place: Option<Span>) -> Diagnostic {
    let finding = Diagnostic::error("include-001", refused.to_string())
        .help("call the file something else: letters, digits, `_`, `-` and `.` are understood everywhere");
    match place {
        Some(place) => finding.at(place, "comes from this file"),
        None => finding,
    }
}

/// `include-003`: a name that libtirpc's headers have, which generated C includes over that link.
pub fn name_of_libtirpc(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "include-003",
        format!("`{name}` is a name of libtirpc's headers, which C over `--link tirpc` includes"),
    )
    .at(span, "C cannot have it once more")
    .help("rename it, or use `--link onc`: it has the same messages, and no such headers")
}

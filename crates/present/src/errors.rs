//! What any style has to say of names of files.

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

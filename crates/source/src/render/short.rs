//! One line for each finding, as editors and `make` read it: `file:line:column: error[onc-014]: message`.

use super::severity_word;
use crate::{Diagnostic, SourceMap};

/// One line for each diagnostic. The column is left out where it is unknown, the place where there is none.
pub fn short(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let place = diagnostic.primary.as_ref().and_then(|label| map.place(label.span));
        if let Some(place) = place {
            out.push_str(&format!("{}:{}:", escape::line(place.file), place.line));
            if let Some(column) = place.column {
                out.push_str(&format!("{column}:"));
            }
            out.push(' ');
        }
        let severity = severity_word(diagnostic.severity);
        // A message is one line; text of the user's in it may hold a line end.
        let message = diagnostic.message.replace(['\n', '\r'], " ");
        out.push_str(&format!("{severity}[{}]: {}\n", diagnostic.code, escape::line(&message)));
    }
    out
}

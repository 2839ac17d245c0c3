//! Diagnostics as text, in three formats. Each takes the files and the findings and returns all of the text.
//!
//! Where a macro hides a place, its line is shown without a caret, and the short form gives no column.

mod full;
mod json;
mod short;

pub use full::{full, full_coloured};
pub use json::{json, json_message, line as json_line};
pub use short::short;

use crate::Severity;

/// The word for a severity, the same in all formats.
fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

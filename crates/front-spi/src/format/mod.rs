//! The canonical layout of a Spi file.
//!
//! In: a file without syntax errors; what its names stand for does not matter. Out: the same tokens and comments in
//! one layout: a declaration or an edge with its contract on a line, two blanks before what stands in braces, single
//! blanks between words, at most one empty line where its author left some. A pipe stays on one line if it stood on one
//! and fits. Laying out twice is laying out once. Why: changes then show what changed in the flow, not who typed it.

mod layout;
mod pieces;

use crate::parser;
use source::{Diagnostic, FileId};

/// Lays out `text`; its syntax errors where it has some. Their places are in file 0.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut errors = parser::read(text, FileId(0)).syntax;
    if errors.iter().any(Diagnostic::is_error) {
        errors.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
        return Err(errors);
    }
    Ok(layout::lay_out(&pieces::pieces(text)))
}

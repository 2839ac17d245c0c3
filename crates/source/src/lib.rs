//! Files, byte spans and diagnostics: what every stage needs to talk about a place in somebody's text.
//!
//! In: text that the command read. Out: [`Diagnostic`] values and their renderings.
//! Spans are byte offsets; lines and columns are computed only when a diagnostic is rendered.

mod diagnostic;
mod span;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use span::{FileId, Span};

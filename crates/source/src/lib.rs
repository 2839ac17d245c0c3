//! Files, byte spans and diagnostics: what every stage needs to talk about a place in somebody's text.
//!
//! In: text that the command read. Out: [`Diagnostic`] values and their renderings ([`render`]).
//! Spans are byte offsets; lines and columns are computed only when a diagnostic is rendered. Text that a C
//! preprocessor wrote is understood: its line markers lead back to the files it was made from ([`SourceMap`]).

mod alignment;
mod diagnostic;
pub mod limits;
mod map;
mod markers;
mod near;
pub mod render;
mod span;
mod text;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use limits::{Limit, Limits};
pub use map::{Place, SourceMap};
pub use near::{COMPARED, near_miss, near_name};
pub use span::{FileId, Span};

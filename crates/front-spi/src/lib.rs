//! Reads Spi, the language of pipes and flows (`.spi` files), into XIP, and lays it out.
//!
//! In: a file of a [`SourceMap`]. Out: a [`Xip`] and findings (codes `spi-…` in [`errors`], `lex-…` in
//! [`tokens::errors`]). Parsing never fails and never panics: all errors of the file are reported at once, and the XIP
//! holds what could be made sense of. Stop where [`Diagnostic::is_error`] holds for one. What names stand for, which
//! types meet on an edge, and whether a contract can be kept is judged later, on the whole of the description. Source:
//! `docs/guides/describe-a-flow.md`.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! let text = "pipe Show { in Frame f; middle show; }\nflow demo { Camera -> Show via shm queue 4 block; }";
//! let file = map.add("demo.spi", text);
//! let (xip, findings) = front_spi::parse(&map, file, &front_spi::Options::default());
//! assert!(findings.is_empty());
//! assert_eq!(xip.flows().count(), 1);
//! ```

pub mod errors;
mod format;
mod keywords;
mod parser;
mod scan;

pub use format::format;

use source::{Diagnostic, FileId, SourceMap};
use xip::Xip;

/// How to read a file; there is one way as yet.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {}

/// Reads `file`. The findings are in the order of their places.
pub fn parse(map: &SourceMap, file: FileId, _options: &Options) -> (Xip, Vec<Diagnostic>) {
    in_order(parser::read(map.text(file), file))
}

/// Reads `file` as one flow, written as a line: `Camera -> Gray via shm -> Screen`. Statements are those of a flow, parted
/// by semicolons, and an edge may go on where it ends. The flow's name is `line`.
pub fn parse_line(map: &SourceMap, file: FileId) -> (Xip, Vec<Diagnostic>) {
    in_order(parser::read_line(map.text(file), file))
}

fn in_order(reading: parser::Reading) -> (Xip, Vec<Diagnostic>) {
    let parser::Reading { xip, syntax, judgements } = reading;
    let mut findings = syntax;
    findings.extend(judgements);
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
    (xip, findings)
}

//! Reads MIG's language (`.defs` files) into a checked [`mig::Subsystem`].
//!
//! In: a file of a [`SourceMap`], preprocessed: line markers lead findings back to the files that people know. Out: a
//! subsystem and findings (codes `mig-…` in [`errors`], `lex-…` in [`tokens::errors`]). Parsing never fails and never
//! panics: all errors of the file are reported at once, and the subsystem holds what could be made sense of. Stop where
//! [`Diagnostic::is_error`] holds for one. GNU's dialect is read whole, and Apple's words beside it. Source: the
//! `.defs` files of GNU Mach and the Hurd, and the behaviour of GNU MIG 1.8 on them.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! let text = "subsystem demo 500;
//! type mach_port_t = MACH_MSG_TYPE_COPY_SEND;
//! routine add(server : mach_port_t; in a : int; out sum : int);";
//! let file = map.add("demo.defs", text);
//! let (subsystem, findings) = front_mig::parse(&map, file, &front_mig::Options::default());
//! assert!(findings.is_empty());
//! assert_eq!(subsystem.routines.len(), 1);
//! ```

mod data;
pub mod errors;
mod expression;
mod keywords;
mod parser;
mod types;

use aoi::Aoi;
use mig::{Subsystem, Word};
use source::{Diagnostic, FileId, Limits, SourceMap};

/// How to read a file.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Of the machine that the stubs run on.
    pub word: Word,
    /// A file of types alone is none at fault: others include it.
    pub may_have_types_alone: bool,
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options { word: Word::Bits64, may_have_types_alone: false, limits: Limits::default() }
    }
}

/// Reads `file`. The findings are in the order of their places.
pub fn parse(map: &SourceMap, file: FileId, options: &Options) -> (Subsystem, Vec<Diagnostic>) {
    let (subsystem, mut findings) = parser::read(map.text(file), file, options);
    sort(&mut findings);
    (subsystem, findings)
}

/// Reads `file` as an interface that any link can carry: what is not data is an error. The findings are in the order of their places.
pub fn parse_data(map: &SourceMap, file: FileId, options: &Options) -> (Aoi, Vec<Diagnostic>) {
    let (subsystem, mut findings) = parse(map, file, options);
    if findings.iter().any(Diagnostic::is_error) {
        return (Aoi::default(), findings);
    }
    let (aoi, of_data) = data::interface(&subsystem);
    findings.extend(of_data);
    sort(&mut findings);
    (aoi, findings)
}

fn sort(findings: &mut [Diagnostic]) {
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
}

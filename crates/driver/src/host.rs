//! What a compilation asks of the machine it runs on. `cli` implements it; tests give files in memory.

use source::Diagnostic;

use crate::{OutputFile, Preprocessor};

/// What the machine could not do: a finding without a place.
pub type Failure = Box<Diagnostic>;

/// Files and programs.
pub trait Host {
    /// The text of a file, or of standard input where `path` is `None`.
    fn read(&self, path: Option<&str>) -> Result<SourceText, Failure>;

    /// Whether there is a file of this name.
    fn exists(&self, _path: &str) -> bool {
        false
    }

    /// What a name behind `#include` leads to.
    fn included(&self, _path: &str) -> Included {
        Included::Absent
    }

    /// The text after the C preprocessor ran over it.
    fn preprocess(&self, request: &Preprocess<'_>) -> Result<Preprocessed, Failure>;

    /// A C source after a C compiler's preprocessor ran over it, with `__WHITTLE__` defined and
    /// `whittle/specialize.h` to be found.
    fn preprocess_c(&self, path: &str, flags: &[String]) -> Result<Preprocessed, Failure>;

    /// Writes every file, or, when one of them cannot be written, none.
    fn write(&self, files: &[OutputFile]) -> Result<(), Failure>;
}

/// A text and the name that its places carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    pub name: String,
    pub text: String,
    /// True where bytes that are no UTF-8 were replaced.
    pub lossy: bool,
}

/// What is where a file is included from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Included {
    Absent,
    Text(SourceText),
    /// It has more bytes than an input may have.
    TooLong,
    /// `a device`, `a pipe`: whoever reads it may read for ever.
    NoFile(&'static str),
}

/// One run of the preprocessor.
#[derive(Clone, Debug)]
pub struct Preprocess<'a> {
    /// `None` for standard input, whose text is in `source`.
    pub path: Option<&'a str>,
    pub source: &'a SourceText,
    pub options: &'a Preprocessor,
    /// The symbol that says which file is being made: `RPC_HDR`.
    pub symbol: Option<&'a str>,
}

/// What the preprocessor made of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessed {
    pub text: String,
    /// False where no preprocessor was needed and none was there: the text has no line markers then.
    pub has_markers: bool,
    /// What the preprocessor said beside its output.
    pub remarks: String,
}

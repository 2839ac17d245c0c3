//! Words and values that remember where they stand. Places take no part in comparisons: a description read back from
//! its XML form equals the one that was written.

use source::Span;

/// A word that names something.
#[derive(Clone, Debug, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

impl Name {
    /// The word at a place.
    pub fn new(text: impl Into<String>, span: Span) -> Name {
        Name { text: text.into(), span }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.text == other.text
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// A value and its place.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    /// The value at a place.
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.value == other.value
    }
}

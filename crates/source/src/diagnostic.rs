//! A finding about the input, as plain data: cheap to build, to compare in tests, to render in any format.

use crate::Span;

/// How bad a finding is. Only errors stop the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A place and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    /// Brief, lower case, no full stop; may be empty.
    pub text: String,
}

/// One finding: what is wrong, where, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code such as `onc-014`; never reused for another meaning.
    pub code: &'static str,
    pub severity: Severity,
    /// Stands on its own: lower case, no full stop, names in backticks, says what was expected.
    pub message: String,
    /// The place at fault; absent where the input as a whole is.
    pub primary: Option<Label>,
    /// Other places that matter, such as a first definition.
    pub secondary: Vec<Label>,
    pub notes: Vec<String>,
    /// How to mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error with a code and a message, no place yet.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning with a code and a message, no place yet.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Sets the place at fault.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label { span, text: text.into() });
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// True when this finding stops the pipeline.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

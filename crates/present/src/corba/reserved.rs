//! Names of the C mapping that C's headers, or the ORB's, have taken. In: a name, and what C makes of it. Out: an error where the generated files
//! could not be compiled, or would take a function's place; a warning where a program could not include a common header before them.

use std::sync::LazyLock;

use source::{Diagnostic, Span};

use super::errors;
use crate::library::{Files, Names};

/// Functions that stubs call by themselves.
const CALLED: [&str; 6] = ["free", "memcmp", "memcpy", "memset", "strcmp", "strlen"];

/// Looked up for every parameter.
pub(super) static RESERVED: LazyLock<Reserved> = LazyLock::new(Reserved::new);

/// Knows who has which name.
pub(super) struct Reserved {
    included: Names,
    calls: Names,
    others: Names,
}

impl Reserved {
    fn new() -> Self {
        Reserved {
            included: Names::of(Files::Corba),
            calls: Names::of(Files::CorbaCalls),
            others: Names::of(Files::Others),
        }
    }

    /// The headers that generated files include declare something of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.included.is_declared(name)
    }

    /// The headers that generated files include define a macro of this name.
    pub(super) fn is_of_orb(&self, name: &str) -> bool {
        self.included.is_macro(name)
    }

    /// A type, an exception, an enumerator, a constant; `is_record` where it is a structure's tag, too.
    pub(super) fn definition(&self, name: &str, is_record: bool, span: Span) -> Option<Diagnostic> {
        let meets = |names: &Names| {
            names.is(name, "value") || names.is(name, "typedef") || (is_record && names.is(name, "tag"))
        };
        if is_of_whittle(name) || meets(&self.included) {
            return Some(errors::name_of_headers(name, span));
        }
        let finding = self.replaced(name, span);
        finding.or_else(|| meets(&self.others).then(|| errors::name_of_other_headers(name, span)))
    }

    /// A function that clients call: it has a name for the linker, too.
    pub(super) fn function(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let is_taken =
            self.included.is_declared(name) || self.others.is(name, "value") || self.others.is(name, "typedef");
        let finding = (is_taken || is_of_whittle(name)).then(|| errors::function_of_library(name, span));
        finding.or_else(|| self.replaced(name, span))
    }

    /// A member of a structure or a union.
    pub(super) fn member(&self, name: &str, span: Span) -> Option<Diagnostic> {
        self.replaced(name, span)
    }

    /// An operation: servants have a pointer to a function of this name, which is called.
    pub(super) fn operation(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let is_called = self.calls.is_macro(name);
        if is_called { Some(errors::name_of_headers(name, span)) } else { self.replaced(name, span) }
    }

    /// True where a parameter of this name would hide what the stub around it needs, or be replaced.
    pub(super) fn hides(&self, name: &str) -> bool {
        let is_macro = [&self.included, &self.calls, &self.others].iter().any(|names| names.is_macro(name));
        is_macro || CALLED.contains(&name) || is_of_whittle(name)
    }

    /// What the preprocessor puts something else in place of.
    fn replaced(&self, name: &str, span: Span) -> Option<Diagnostic> {
        if self.included.is_macro(name) {
            return Some(errors::name_of_headers(name, span));
        }
        self.others.is_macro(name).then(|| errors::name_of_other_headers(name, span))
    }
}

fn is_of_whittle(name: &str) -> bool {
    name.starts_with("whittle_") || name.starts_with("WHITTLE_")
}

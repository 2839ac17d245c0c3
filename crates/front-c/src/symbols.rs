//! What units of a program share by name: each external function and object has one type and one definition.

use source::Diagnostic;

use cast::Program;

/// Declarations of one name that do not fit together.
pub(crate) fn check(_program: &Program) -> Vec<Diagnostic> {
    Vec::new()
}

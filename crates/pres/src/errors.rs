//! What can be wrong with a PRES_C, with codes that are never reused.

use source::Diagnostic;

/// `pres-001`: a reference to a node, a type or a message that does not exist
pub(crate) fn no_such_thing() -> Diagnostic {
    Diagnostic::error("pres-001", "a reference leads to no node, no type or no message")
}

/// `pres-002`: a tree that contains itself, not through a type's name
pub(crate) fn endless() -> Diagnostic {
    Diagnostic::error("pres-002", "a tree contains itself, not through a type's name")
}

/// `pres-003`: a C value and a message of different shapes
pub(crate) fn misfit(ty: &str, message: &mint::Node) -> Diagnostic {
    Diagnostic::error("pres-003", format!("the value of type `{ty}` does not fit its message {message:?}"))
}

/// `pres-004`: two types with the same routine
pub(crate) fn same_routine(routine: &str) -> Diagnostic {
    Diagnostic::error("pres-004", format!("two types have the routine `{routine}`"))
}

/// `pres-005`: as many operations as messages are wanted
pub(crate) fn message_count(operations: usize, messages: usize) -> Diagnostic {
    Diagnostic::error("pres-005", format!("there are {operations} operations, but messages for {messages}"))
}

/// `pres-006`: an array inside a structure, and a count that does not count it
pub(crate) fn uncounted(name: &str, count: &str) -> Diagnostic {
    Diagnostic::error("pres-006", format!("the array `{name}` is not counted by the member `{count}`"))
}

/// `pres-007`: managed storage, and nothing that releases it
pub(crate) fn unreleased() -> Diagnostic {
    Diagnostic::error("pres-007", "values are in managed storage, and no `(managed-release FUNCTION)` releases it")
}

//! What can be wrong with a MINT, with codes that are never reused.

use source::Diagnostic;

/// `mint-001`: a reference to a node that does not exist
pub(crate) fn no_such_node() -> Diagnostic {
    Diagnostic::error("mint-001", "a reference leads to no node")
}

/// `mint-002`: an array with at least more elements than at most, or fewer than none
pub(crate) fn impossible_length(name: &str) -> Diagnostic {
    let message = format!("the array {name} has at least more elements than at most, or fewer than none");
    Diagnostic::error("mint-002", message)
}

/// `mint-003`: a discriminant that is no number
pub(crate) fn discriminant(name: &str) -> Diagnostic {
    Diagnostic::error("mint-003", format!("the discriminant of the union {name} is no number"))
}

/// `mint-004`: a node that contains itself without end
pub(crate) fn endless(name: &str) -> Diagnostic {
    let message = format!("the node {name} contains itself without end: no message could hold it");
    Diagnostic::error("mint-004", message)
}

/// `mint-005`: two cases of a union with the same label
pub(crate) fn same_label(name: &str, label: i128) -> Diagnostic {
    Diagnostic::error("mint-005", format!("two cases of the union {name} have the label {label}"))
}

/// `mint-006`: an array whose number of elements no earlier part of its structure says
pub(crate) fn not_counted(name: &str) -> Diagnostic {
    let message = format!("an array of the structure {name} is counted by no unsigned integer before it");
    Diagnostic::error("mint-006", message)
}

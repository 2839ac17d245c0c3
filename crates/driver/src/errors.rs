//! What is wrong with an input as a whole, with codes that are never reused.

use source::Diagnostic;

use crate::Stage;

/// `input-001`: the input is not UTF-8. Bytes that are no text are replaced, which shows only where text is passed
/// on (`%` lines).
pub(crate) fn not_utf8(name: &str) -> Diagnostic {
    Diagnostic::warning("input-001", format!("{name} is not UTF-8; bytes that are no text are replaced"))
}

/// `input-002`: this tree has no text form to print or to read. Others do: `--emit` lists them.
pub(crate) fn no_text(stage: Stage) -> Diagnostic {
    Diagnostic::error("input-002", format!("the tree `{}` has no text form", stage.name()))
}

/// `input-003`: a dump cannot be read back. It is not the text that `--emit` prints of this tree.
pub(crate) fn bad_dump(name: &str, text: &str, problem: &sexpr::ReadError) -> Diagnostic {
    let place = match problem.offset {
        Some(offset) => {
            format!("{name}:{}", text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1)
        }
        None => name.to_owned(),
    };
    Diagnostic::error("input-003", format!("{place}: {}", problem.message))
}

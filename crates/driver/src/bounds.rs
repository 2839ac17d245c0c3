//! The limits that hold for texts: inputs, what the preprocessor makes of them, outputs. In: a text or its size. Out: a
//! finding where that is too much, with the place where the limit is exceeded.

use source::{FileId, Limit, Span};

use crate::{Report, SourceText};

/// Says that an input is too long, at the first byte that is too many.
pub(crate) fn too_long(source: &SourceText, report: &mut Report) {
    let at = report.limits().size(Limit::InputSize);
    let file = report.sources.add(&source.name, beginning(&source.text, at));
    let finding = report.limits().exceeded(Limit::InputSize, Some(place(report, file)));
    report.add([finding]);
}

/// Whether what the preprocessor made of a file is short enough; says where it is not.
pub(crate) fn is_expanded_within(name: &str, text: &str, report: &mut Report) -> bool {
    if !report.limits().are_exceeded(Limit::Expansion, text.len()) {
        return true;
    }
    // The place is in the file whose line it was; what was made of that is of no use to anybody.
    let at = report.limits().size(Limit::Expansion);
    let file = report.sources.add_preprocessed(name, beginning(text, at));
    let finding = report.limits().exceeded(Limit::Expansion, Some(place(report, file)));
    report.add([finding.note("macros or included files multiply")]);
    false
}

/// Counts an output; false, with a finding, where all of them together are too large.
pub(crate) fn have_room(size: &mut usize, more: usize, report: &mut Report) -> bool {
    *size = size.saturating_add(more);
    let is_small = !report.limits().are_exceeded(Limit::OutputSize, *size);
    if !is_small {
        let finding = report.limits().exceeded(Limit::OutputSize, None);
        report.add([finding]);
    }
    is_small
}

fn beginning(text: &str, at: usize) -> &str {
    let end = (0..=at.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// The end of a file.
fn place(report: &Report, file: FileId) -> Span {
    let end = u32::try_from(report.sources.text(file).len()).unwrap_or(u32::MAX);
    Span::new(file, end, end)
}

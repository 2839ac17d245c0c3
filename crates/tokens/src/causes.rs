//! What the grammar misses because of what was no token.

use source::Diagnostic;

/// True where the grammar misses something at what the tokenizer reported, or with nothing but blanks between.
/// `causes` are in the order of their places.
pub fn follows_from_any(finding: &Diagnostic, causes: &[Diagnostic], text: &str) -> bool {
    let Some(place) = finding.primary.as_ref().map(|label| label.span) else { return false };
    let span = |cause: &Diagnostic| cause.primary.as_ref().map(|label| label.span).unwrap_or_default();
    let is_blank =
        |start: u32, end: u32| text.get(start as usize..end as usize).is_some_and(|between| between.trim().is_empty());
    let before = causes.partition_point(|cause| span(cause).end <= place.start);
    let last = before.checked_sub(1).map(|last| span(&causes[last]));
    let next = causes.get(before).map(span);
    last.is_some_and(|cause| is_blank(cause.end, place.start))
        || next.is_some_and(|cause| {
            cause.start <= place.start || (place.start == place.end && is_blank(place.end, cause.start))
        })
}

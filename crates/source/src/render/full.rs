//! Findings for people: message, the lines at fault with carets below, notes and help, laid out as rustc does.
//!
//! The only file that knows the `annotate-snippets` crate.

use crate::map::Resolved;
use crate::{Diagnostic, Label, Severity, SourceMap};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Padding, Renderer, Snippet};
use std::ops::Range;

/// All diagnostics with the lines they speak of, an empty line between them.
pub fn full(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    render(&Renderer::plain(), map, diagnostics)
}

/// As [`full`], with the escape sequences that colour a terminal.
pub fn full_coloured(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    render(&Renderer::styled(), map, diagnostics)
}

fn render(renderer: &Renderer, map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&renderer.render(&[group(map, diagnostic)]));
        out.push_str("\n\n");
    }
    out
}

fn group<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let excerpts = excerpts(map, diagnostic);
    let mut elements: Vec<Element<'a>> = excerpts.iter().map(|excerpt| snippet(excerpt).into()).collect();
    let expansions: Vec<&str> = excerpts.iter().filter_map(|excerpt| excerpt.labels[0].2.expanded).collect();
    let has_more = !expansions.is_empty() || !diagnostic.notes.is_empty() || diagnostic.help.is_some();
    if !elements.is_empty() && has_more {
        elements.push(Padding.into());
    }
    for line in expansions {
        let shown = beginning(line.trim());
        let line = escape::line(&shown);
        elements.push(Level::NOTE.message(format!("after macro expansion the line is `{line}`")).into());
    }
    elements.extend(diagnostic.notes.iter().map(|note| Element::from(Level::NOTE.message(escape::lines(note)))));
    elements.extend(diagnostic.help.iter().map(|help| Element::from(Level::HELP.message(escape::lines(help)))));
    level.primary_title(escape::lines(&diagnostic.message)).id(diagnostic.code).elements(elements)
}

/// The most bytes of one line that are shown where no column says which.
const LONGEST: usize = 300;

/// A line, or the beginning of a long one.
fn beginning(line: &str) -> String {
    match line.len() {
        0..=LONGEST => line.to_owned(),
        _ => format!("{}…", &line[..crate::text::floor_boundary(line, LONGEST)]),
    }
}

/// Lines of one file, and what is said about them.
struct Excerpt<'a> {
    labels: Vec<(AnnotationKind, &'a Label, Resolved<'a>)>,
}

/// The labels of a diagnostic by file, the primary one's file first.
fn excerpts<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> Vec<Excerpt<'a>> {
    let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
    let primary = diagnostic.primary.iter().map(|label| (AnnotationKind::Primary, label));
    let secondary = diagnostic.secondary.iter().map(|label| (AnnotationKind::Context, label));
    for (kind, label) in primary.chain(secondary) {
        let Some(resolved) = map.resolve(label.span) else { continue };
        let fits = |excerpt: &&mut Excerpt<'a>| {
            let first = &excerpt.labels[0].2;
            std::ptr::eq(first.text, resolved.text) && first.file == resolved.file && is_certain(first, &resolved)
        };
        match excerpts.iter_mut().find(fits) {
            Some(excerpt) => excerpt.labels.push((kind, label, resolved)),
            None => excerpts.push(Excerpt { labels: vec![(kind, label, resolved)] }),
        }
    }
    excerpts
}

/// Places that a macro hides get an excerpt each: their numbering does not follow that of the text shown.
fn is_certain(first: &Resolved<'_>, second: &Resolved<'_>) -> bool {
    first.range.is_some() && second.range.is_some()
}

fn snippet<'a>(excerpt: &Excerpt<'a>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let first = &excerpt.labels[0].2;
    let window = window(excerpt);
    let lines_before = first.line_in_text.saturating_sub(first.text.line_at(window.start));
    let mut snippet = Snippet::source(&first.text.content[window.clone()])
        .line_start(first.line.saturating_sub(lines_before))
        .path(heading(excerpt));
    for (kind, label, resolved) in &excerpt.labels {
        snippet = match &resolved.range {
            Some(range) => {
                let within = range.start - window.start..range.end.min(window.end) - window.start;
                let text = (!label.text.is_empty()).then(|| escape::lines(&label.text));
                snippet.annotation(kind.span(within).label(text))
            }
            None => snippet.annotation(AnnotationKind::Visible.span(0..window.len())),
        };
    }
    snippet
}

/// The file; with the line, which the renderer gives only beside a column, where a macro hides the main place.
fn heading(excerpt: &Excerpt<'_>) -> String {
    match &excerpt.labels[0] {
        (AnnotationKind::Primary, _, Resolved { range: None, file, line, .. }) => {
            format!("{}:{line}", escape::line(file))
        }
        (_, _, resolved) => escape::line(resolved.file).into_owned(),
    }
}

/// The bytes from the first to the last line that an excerpt shows: no more is handed to the renderer, so that many
/// findings in a large file stay cheap.
fn window(excerpt: &Excerpt<'_>) -> Range<usize> {
    let text = excerpt.labels[0].2.text;
    let mut first = usize::MAX;
    let mut last = 0;
    for (_, _, resolved) in &excerpt.labels {
        let end = resolved.range.as_ref().map_or(resolved.line_in_text, |range| text.line_at(range.end));
        first = first.min(resolved.line_in_text);
        last = last.max(end);
    }
    let start = text.line_range(first).map_or(0, |range| range.start);
    let end = text.line_range(last).map_or(text.content.len(), |range| range.end);
    // Of a line whose place in it is not known, the beginning will do.
    let is_certain = excerpt.labels.iter().all(|(_, _, resolved)| resolved.range.is_some());
    let end = if is_certain { end } else { end.min(start + text.beginning(start, LONGEST)) };
    start..end.max(start)
}

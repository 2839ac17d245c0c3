//! `#line` before each statement whose place in the source is known, so that debuggers and compilers' findings lead there.

use cast::{Expression, Statement, Variable};
use source::{SourceMap, Span};

use super::super::walk;

/// Puts the lines into a function's body.
pub(super) fn insert(sources: &SourceMap, body: &mut Vec<Statement>) {
    let mut writer = Writer { sources, last: None };
    writer.list(body);
}

/// The line of a function's head.
pub(super) fn head(sources: &SourceMap, span: Option<Span>) -> Option<String> {
    span.and_then(|span| line(sources, span))
}

struct Writer<'a> {
    sources: &'a SourceMap,
    last: Option<String>,
}

impl Writer<'_> {
    fn list(&mut self, list: &mut Vec<Statement>) {
        for mut statement in std::mem::take(list) {
            let here = place(&statement).and_then(|span| line(self.sources, span));
            if let Some(here) = here.filter(|here| self.last.as_ref() != Some(here)) {
                list.push(Statement::Verbatim(here.clone()));
                self.last = Some(here);
            }
            let inner = walk::bodies_mut(&mut statement);
            if !inner.is_empty() {
                // Statements of other lines come between this one and the next.
                inner.into_iter().for_each(|body| self.list(body));
                self.last = None;
            }
            list.push(statement);
        }
    }
}

/// Where a statement comes from.
fn place(statement: &Statement) -> Option<Span> {
    match statement {
        Statement::Declare(Variable { span, .. }) => *span,
        other => walk::expressions(other).into_iter().find_map(first_span),
    }
}

fn line(sources: &SourceMap, span: Span) -> Option<String> {
    let place = sources.place(span)?;
    Some(escape::c::line_directive(place.line, place.file))
}

fn first_span(value: &Expression) -> Option<Span> {
    value.span.or_else(|| walk::children(value).into_iter().find_map(first_span))
}

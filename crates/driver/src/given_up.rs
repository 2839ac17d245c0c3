//! What the specializer gave up, as a part of the answers to `--why` and `--statistics`.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use source::render::json_line;
use source::{SourceMap, Span};
use specialize::{Cause, Generalization};

use crate::Report;
use crate::questions::{Form, is_at, line_of, place, together};

/// What was given up for a name, less what has been said.
pub(crate) fn of_name(
    sources: &SourceMap,
    all: &[&Generalization],
    name: &str,
    said: &[Generalization],
) -> Option<String> {
    let is_said = |found: &Generalization| {
        said.iter().any(|said| (&said.cause, &said.what, said.span) == (&found.cause, &found.what, found.span))
    };
    let meant = all.iter().filter(|found| found.cause != Cause::Parameter && is_meant(sources, found, name));
    let lines: Vec<String> = meant.filter(|found| !is_said(found)).map(|found| line(sources, found)).collect();
    (!lines.is_empty()).then(|| format!("what the specializer gave up for `{name}`\n{}", together(lines)))
}

/// How often something was given up, by cause.
pub(crate) fn counted(sources: &SourceMap, all: &[&Generalization], form: Form) -> String {
    match form {
        Form::Table => table(all),
        Form::Json => json(sources, all),
    }
}

/// A name means a variable, a part of one, a function in which something was given up, or a line.
fn is_meant(sources: &SourceMap, found: &Generalization, name: &str) -> bool {
    let bare = |text: &str| text.replace("->", ".").replace(['`', '*', '(', ')'], "");
    let (what, wanted) = (bare(&found.what), bare(name));
    let is_part = what.strip_suffix(&wanted).is_some_and(|front| front.is_empty() || front.ends_with(['.', ' ']));
    let is_whole = what.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with(['.', '[']));
    let stands = |file: &str, number: usize| {
        let mut spans = std::iter::once(&found.span).chain(&found.tests).flatten();
        spans.any(|span: &Span| is_at(sources, *span, file, number))
    };
    is_part || is_whole || found.function == name || line_of(name).is_some_and(|(file, number)| stands(file, number))
}

/// `growth.c:6: `left`: why; tests that stay: growth.c:7`
pub(crate) fn line(sources: &SourceMap, found: &Generalization) -> String {
    let mut tests: Vec<String> = Vec::new();
    for test in &found.tests {
        let at = place(sources, *test);
        if !tests.contains(&at) {
            tests.push(at);
        }
    }
    let stay = if tests.is_empty() { String::new() } else { format!("; so tests stay: {}", tests.join(", ")) };
    format!("  {}: {}: {}{stay}\n", place(sources, found.span), found.what, found.cause.describe())
}

/// How often each cause came up, and how many tests stay because of it; the commonest first.
fn table(all: &[&Generalization]) -> String {
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for found in all {
        let (times, tests) = kinds.entry(found.cause.kind()).or_default();
        *times += 1;
        *tests += found.tests.len();
    }
    let mut kinds: Vec<(&str, (usize, usize))> = kinds.into_iter().collect();
    kinds.sort_by_key(|(kind, (times, tests))| (std::cmp::Reverse((*tests, *times)), *kind));
    let mut out = String::new();
    if !kinds.is_empty() {
        let _ = writeln!(out, "{:24} {:>8} {:>8}", "not known, because of", "times", "tests");
    }
    for (kind, (times, tests)) in kinds {
        let _ = writeln!(out, "{kind:24} {times:>8} {tests:>8}");
    }
    out
}

#[derive(Serialize)]
struct Generalizations<'a> {
    generalizations: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    cause: String,
    what: &'a str,
    function: &'a str,
    place: String,
    why: String,
    tests: usize,
}

/// All of them in one object on a line.
fn json(sources: &SourceMap, all: &[&Generalization]) -> String {
    json_line(&Generalizations { generalizations: all.iter().map(|found| one(sources, found)).collect() })
}

fn one<'a>(sources: &SourceMap, found: &'a Generalization) -> One<'a> {
    One {
        cause: found.cause.kind().replace(' ', "_"),
        what: &found.what,
        function: &found.function,
        place: place(sources, found.span),
        why: found.cause.describe(),
        tests: found.tests.len(),
    }
}

/// The same for tests: `kind: place: what: why`, one a line.
impl Report {
    pub fn generalizations(&self) -> Vec<String> {
        let all = self.given_up.iter().flat_map(|root| &root.generalizations);
        all.map(|found| format!("{}: {}", found.cause.kind(), line(&self.sources, found).trim())).collect()
    }
}

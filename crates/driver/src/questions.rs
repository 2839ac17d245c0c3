//! What people ask of a scenario: why something is not known, what is left, how much was decided, and the source in colours.
//!
//! In: the program as it was, and what the specializer did with it. Out: answers as text, and files with pictures.

use std::collections::BTreeMap;
use std::fmt::Write;

use core_c::{FunctionId, Program};
use explain::display::{self, Style};
use explain::{Answer, Left, Statistics};
use serde::Serialize;
use source::render::json_line;
use source::{Diagnostic, SourceMap, Span};
use specialize::{Count, Generalization, Size, Trace, Why};

use crate::{Destination, Host, OutputFile, Report, errors, existing, given_up};

/// What the user asks.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Variables or parts of them, functions, lines: why are they not known?
    pub why: Vec<String>,
    /// The source, coloured by what became of it.
    pub colours: Option<Picture>,
    /// How much was decided before run time, by kind.
    pub statistics: Option<Form>,
}

/// How numbers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Table,
    /// One object on a line.
    Json,
}

/// How the source is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// On standard output, with signs below the lines.
    Signs,
    /// On standard output, in colours of the terminal.
    Colours,
    /// One page of HTML.
    Page(Destination),
}

impl Questions {
    pub fn is_empty(&self) -> bool {
        self.why.is_empty() && self.colours.is_none() && self.statistics.is_none()
    }
}

/// Answers what is asked of `program`, as it was before its roots were specialized; files are returned.
pub(crate) fn answer(
    questions: &Questions,
    program: &Program,
    roots: &[FunctionId],
    (host, report): (&dyn Host, &mut Report),
) -> Vec<OutputFile> {
    let trace = together_of(program, roots, report);
    let given_up = std::mem::take(&mut report.given_up);
    let found: Vec<&Generalization> = given_up.iter().flat_map(|root| &root.generalizations).collect();
    for name in &questions.why {
        let asked = Asked { program, trace: &trace, found: &found, sources: &report.sources };
        let answer = asked.answer(name).or_else(|| asked.parts(name));
        match answer.or_else(|| existing::answer(host, &report.sources, name)) {
            Some(text) => report.dumps.push_str(&text),
            None => drop(report.add([errors::unknown_name(name, &explain::names_like(program, &trace, name))])),
        }
    }
    if let Some(form) = questions.statistics {
        let size = given_up.iter().fold(Size::default(), |size, root| size.and(root.size));
        report.dumps.push_str(&table(&explain::statistics(program, &trace), size, form));
        report.dumps.push_str(&given_up::counted(&report.sources, &found, form));
    }
    report.given_up = given_up;
    questions.colours.iter().filter_map(|how| picture(program, &trace, roots, report, how)).collect()
}

/// What was done for all roots. A root that stands specialized when another one calls it is not the source any more.
fn together_of(program: &Program, roots: &[FunctionId], report: &Report) -> Trace {
    let mut trace = Trace::default();
    for (at, root) in report.given_up.iter().enumerate() {
        let mut part = root.trace.clone();
        part.functions.retain(|id, _| {
            let is_done = roots[..at.min(roots.len())].contains(id);
            (id.into_raw().into_u32() as usize) < program.functions.len() && !is_done
        });
        trace.add(part);
    }
    trace
}

/// Where only questions were asked, a refusal is part of the answer.
pub(crate) fn refusals(findings: Vec<Diagnostic>, dumps: &mut String) {
    for finding in findings {
        let _ = writeln!(dumps, "{}", finding.message);
    }
}

/// The way to a contract that is not kept, as notes on the finding that says so.
pub(crate) fn explained(sources: &SourceMap, because: &Why, finding: Diagnostic) -> Diagnostic {
    let lines = because.lines().into_iter().map(|(span, text)| format!("{}: {text}", place(sources, span)));
    let finding = lines.fold(finding, Diagnostic::note);
    match because.help() {
        Some(help) => finding.help(help),
        None => finding,
    }
}

fn picture(
    program: &Program,
    trace: &Trace,
    roots: &[FunctionId],
    report: &mut Report,
    how: &Picture,
) -> Option<OutputFile> {
    let listings = display::listing(program, trace, &report.sources);
    let style = match how {
        Picture::Signs => Style::Plain,
        Picture::Colours => Style::Ansi,
        Picture::Page(destination) => {
            let names: Vec<&str> = roots.iter().map(|root| program.functions[*root].name.as_str()).collect();
            let text = display::html(&listings, &format!("What is computed of {}", names.join(", ")));
            return Some(OutputFile { destination: destination.clone(), text });
        }
    };
    report.dumps.push_str(&display::terminal(&listings, style));
    None
}

#[derive(Serialize)]
struct Counted {
    statistics: Kinds,
    residual: BTreeMap<&'static str, usize>,
}

/// In the order of the table.
struct Kinds(Vec<(&'static str, Count)>);

impl Serialize for Kinds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = self.0.iter().map(|(name, count)| {
            (name.replace(' ', "_"), BTreeMap::from([("decided", count.computed), ("left", count.left)]))
        });
        serializer.collect_map(counts)
    }
}

/// What is decided and what is left, by kind, and how much code that is.
fn table(statistics: &Statistics, size: Size, form: Form) -> String {
    let kinds = statistics.kinds();
    if form == Form::Json {
        let parts = [("functions", size.functions), ("statements", size.statements), ("tests", size.tests)];
        return json_line(&Counted { statistics: Kinds(kinds.to_vec()), residual: BTreeMap::from(parts) });
    }
    let mut out = format!("{:24} {:>8} {:>8}\n", "", "decided", "left");
    for (name, count) in kinds {
        let _ = writeln!(out, "{name:24} {:>8} {:>8}", count.computed, count.left);
    }
    let Size { functions, statements, tests } = size;
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let parts = [counted(functions, "function"), counted(statements, "statement"), counted(tests, "test")];
    let _ = writeln!(out, "residual code: {}", parts.join(", "));
    out
}

/// What a question is answered from.
struct Asked<'a> {
    program: &'a Program,
    trace: &'a Trace,
    found: &'a [&'a Generalization],
    sources: &'a SourceMap,
}

impl Asked<'_> {
    /// The answer to one question; none where nothing has that name.
    fn answer(&self, name: &str) -> Option<String> {
        let function = self.program.functions.iter().find(|(_, function)| function.name == name);
        let left = match function {
            Some((id, _)) => explain::left_of_function(self.program, self.trace, self.found, id),
            None => line_of(name).and_then(|(file, line)| {
                let is_meant = |span| is_at(self.sources, span, file, line);
                explain::left_of_place(self.program, self.trace, self.found, &is_meant)
            }),
        };
        let unreached = function.filter(|_| left.is_none());
        let unreached = unreached.map(|_| format!("`{name}` is never called with what is known\n"));
        let (value, said) = self.value(name);
        let given_up = given_up::of_name(self.sources, self.found, name, &said);
        let parts: Vec<String> =
            [value, left.map(|left| self.left(name, &left)), unreached, given_up].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.concat())
    }

    /// Why a value is not known, and the origins that this tells.
    fn value(&self, name: &str) -> (Option<String>, Vec<Generalization>) {
        match explain::why(self.program, self.trace, name) {
            Answer::NotFound => (None, Vec::new()),
            Answer::Known => (Some(format!("`{name}` is known wherever it is used\n")), Vec::new()),
            Answer::Left(whys) => {
                let whys = shortest(whys.iter().flatten());
                let said = whys.iter().map(|why| why.origin.clone()).collect();
                let paths = whys.into_iter().map(|why| path(self.sources, why, "  "));
                (Some(format!("why is `{name}` not known?\n{}", together(paths.collect()))), said)
            }
        }
    }

    fn left(&self, name: &str, left: &[Left]) -> String {
        if left.is_empty() {
            return format!("`{name}`: every test and call is decided\n");
        }
        let entries = left.iter().map(|left| {
            let why = left.why.as_ref().map(|why| path(self.sources, why, "    ")).unwrap_or_default();
            format!("  {}: {}\n{why}", place(self.sources, left.span), left.what)
        });
        format!("what is left of `{name}`, and why?\n{}", together(entries.collect()))
    }

    /// The answers for the parts of what is never used as a whole.
    fn parts(&self, name: &str) -> Option<String> {
        let parts = explain::parts_of(self.program, self.trace, name);
        let answers: Vec<String> = parts.iter().filter_map(|part| self.answer(part)).collect();
        (!answers.is_empty()).then(|| together(answers))
    }
}

/// The shortest way from each origin, in the order of first sight.
fn shortest<'w>(whys: impl Iterator<Item = &'w Why>) -> Vec<&'w Why> {
    let mut once: Vec<&Why> = Vec::new();
    for why in whys {
        match once.iter_mut().find(|known| known.origin == why.origin) {
            Some(known) if why.steps.len() < known.steps.len() => *known = why,
            Some(_) => {}
            None => once.push(why),
        }
    }
    once
}

/// `xdr.c:85`.
pub(crate) fn line_of(name: &str) -> Option<(&str, usize)> {
    let (file, line) = name.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

pub(crate) fn is_at(sources: &SourceMap, span: Span, file: &str, line: usize) -> bool {
    sources.place(span).is_some_and(|place| {
        let same = place.file == file || place.file.strip_suffix(file).is_some_and(|front| front.ends_with('/'));
        same && place.line == line
    })
}

/// As many answers are given in full.
const MOST: usize = 12;

/// Answers in their order, each once, with how often it was given.
pub(crate) fn together(all: Vec<String>) -> String {
    let mut once: Vec<(String, usize)> = Vec::new();
    for text in all {
        match once.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => once.push((text, 1)),
        }
    }
    let mut out = String::new();
    for (text, count) in once.iter().take(MOST) {
        out.push_str(text);
        if *count > 1 {
            let _ = writeln!(out, "  (so in {count} places)");
        }
    }
    if once.len() > MOST {
        let _ = writeln!(out, "  and {} more", once.len() - MOST);
    }
    out
}

/// The origin of what is not known and the way from there, a line each.
fn path(sources: &SourceMap, why: &Why, indent: &str) -> String {
    let lines = why.lines().into_iter().map(|(span, text)| format!("{indent}{}: {text}\n", place(sources, span)));
    let help = why.help().into_iter().map(|help| format!("{indent}help: {help}\n"));
    lines.chain(help).collect()
}

/// A file's name and a line.
pub(crate) fn place(sources: &SourceMap, span: Option<Span>) -> String {
    match span.and_then(|span| sources.place(span)) {
        Some(place) => format!("{}:{}", place.file.rsplit('/').next().unwrap_or(place.file), place.line),
        None => "from the beginning".to_owned(),
    }
}

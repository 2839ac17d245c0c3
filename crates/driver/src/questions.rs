//! What people ask of a scenario: why something is dynamic, what is known when, how much is decided.
//!
//! In: the program and its roots, before anything is specialized. Out: answers as text, and files with pictures.

use std::collections::BTreeMap;
use std::fmt::Write;

use analysis::display::{self, Style};
use analysis::effects::Library;
use analysis::{Analysis, Blame, Count, Found, Options, Root, Sensitivities, Statistics, Why};
use core_c::{FunctionId, Program};
use serde::Serialize;
use source::render::json_line;
use source::{Diagnostic, SourceMap, Span};
use specialize::Generalization;

use crate::{Destination, Host, OutputFile, Report, errors, existing, given_up};

/// What the user wants to be told.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Variables or parts of them, functions, lines: why are they dynamic?
    pub why: Vec<String>,
    /// The source, coloured by what is known when.
    pub binding_times: Option<Picture>,
    /// How much is decided before run time, by kind.
    pub statistics: Option<Form>,
    /// What the analysis is to be blind to ([`sensitivities`]), to see what it buys.
    pub without: Vec<String>,
}

/// What the analysis tells apart, each by the name under which it can be left out.
pub fn sensitivities() -> &'static [&'static str] {
    &Sensitivities::NAMES
}

/// How numbers are told.
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
        self.why.is_empty() && self.binding_times.is_none() && self.statistics.is_none()
    }

    /// What the specializer gave up belongs to the answer: not where the analysis is asked what it buys.
    pub(crate) fn ask_the_specializer(&self) -> bool {
        (!self.why.is_empty() || self.statistics.is_some()) && self.without.is_empty()
    }
}

/// Answers what is asked; what belongs into files comes back as such.
pub(crate) fn answer(
    questions: &Questions,
    program: &Program,
    roots: &[FunctionId],
    effects: &Library,
    (host, report): (&dyn Host, &mut Report),
) -> Vec<OutputFile> {
    let analysis = analyze(program, roots, effects, &questions.without);
    report.add(errors::analysis_cut_short(analysis.extent()));
    for name in &questions.why {
        let answer = why(program, &analysis, &report.sources, name)
            .or_else(|| parts(program, &analysis, &report.sources, name))
            .or_else(|| existing::answer(host, &report.sources, name));
        match answer {
            Some(text) => report.dumps.push_str(&text),
            None => drop(report.add([errors::unknown_name(name, &analysis.names_like(program, name))])),
        }
    }
    if let Some(form) = questions.statistics {
        report.dumps.push_str(&table(&analysis.statistics(program), form));
    }
    questions.binding_times.iter().filter_map(|how| picture(program, &analysis, roots, report, how)).collect()
}

fn analyze(program: &Program, roots: &[FunctionId], effects: &Library, without: &[String]) -> Analysis {
    let mut options = Options::default();
    for name in without {
        options.sensitivities.switch_off(name);
    }
    let starts =
        |root: &FunctionId| Root { starts_program: program.functions[*root].name == "main", ..Root::new(*root) };
    let roots: Vec<Root> = roots.iter().map(starts).collect();
    analysis::analyze(program, &roots, effects, &[], &options)
}

fn picture(
    program: &Program,
    analysis: &Analysis,
    roots: &[FunctionId],
    report: &mut Report,
    how: &Picture,
) -> Option<OutputFile> {
    let listings = display::listing(program, analysis, &report.sources);
    let style = match how {
        Picture::Signs => Style::Plain,
        Picture::Colours => Style::Ansi,
        Picture::Page(destination) => {
            let names: Vec<&str> = roots.iter().map(|root| program.functions[*root].name.as_str()).collect();
            let text = display::html(&listings, &format!("Binding times of {}", names.join(", ")));
            return Some(OutputFile { destination: destination.clone(), text });
        }
    };
    report.dumps.push_str(&display::terminal(&listings, style));
    None
}

#[derive(Serialize)]
struct Counted {
    statistics: Kinds,
}

/// In the order of the table.
struct Kinds(Vec<(&'static str, Count)>);

impl Serialize for Kinds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = self.0.iter().map(|(name, count)| {
            (name.replace(' ', "_"), BTreeMap::from([("decided", count.decided), ("left", count.left)]))
        });
        serializer.collect_map(counts)
    }
}

/// What is decided and what is left, by kind.
fn table(statistics: &Statistics, form: Form) -> String {
    let kinds = statistics.kinds();
    if form == Form::Json {
        return json_line(&Counted { statistics: Kinds(kinds.to_vec()) });
    }
    let mut out = format!("{:24} {:>8} {:>8}\n", "", "decided", "left");
    for (name, count) in kinds {
        let _ = writeln!(out, "{name:24} {:>8} {:>8}", count.decided, count.left);
    }
    out
}

/// The path to a contract that is not kept, as notes on the finding that says so.
pub(crate) fn explain_contract(
    program: &Program,
    (root, effects): (FunctionId, &Library),
    report: &Report,
    (span, because): (Span, Option<&Generalization>),
    finding: Diagnostic,
) -> Diagnostic {
    let analysis = analyze(program, &[root], effects, &[]);
    let broken = analysis.broken_contracts();
    let broken = broken.iter().find(|contract| analysis.span(program, contract.at) == Some(span));
    let Some(broken) = broken else {
        let finding = finding.note("so far as the analysis sees it is known: the specializer gave it up");
        let why = because.map(|found| given_up::line(&report.sources, found));
        return why.iter().fold(finding, |finding, why| finding.note(why.trim()));
    };
    let blame = broken.cause.map(|cause| analysis.blame(program, cause)).unwrap_or_default();
    let notes = blame.steps.iter().map(|step| format!("{}: {}", place(&report.sources, step.span), step.text));
    let finding = notes.fold(finding, Diagnostic::note);
    match blame.suggestion {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// The answer to one question; none where nothing has that name.
fn why(program: &Program, analysis: &Analysis, sources: &SourceMap, name: &str) -> Option<String> {
    let known = match analysis.why(program, name) {
        Why::Dynamic(found) => {
            let paths = origins(&found).into_iter().map(|blame| path(sources, blame, "  "));
            Some(format!("why is `{name}` dynamic?\n{}", together(paths.collect())))
        }
        Why::Static => Some(format!("`{name}` is known wherever it is looked at\n")),
        Why::NotFound => None,
    };
    let function = program.functions.iter().find(|(_, function)| function.name == name);
    let left = match function {
        Some((id, _)) => analysis.left_of_function(program, id),
        None => line_of(name)
            .and_then(|(file, line)| analysis.left_of_place(program, &|span| is_at(sources, span, file, line))),
    };
    let left = left.map(|left| {
        let entries = left.iter().map(|left| {
            format!("  {}: {}\n{}", place(sources, left.span), left.what, path(sources, &left.blame, "    "))
        });
        match left.is_empty() {
            true => format!("`{name}`: every test and call is decided\n"),
            false => format!("what is left of `{name}`, and why?\n{}", together(entries.collect())),
        }
    });
    let unreached =
        function.filter(|_| left.is_none()).map(|_| format!("`{name}` is never called with what is known\n"));
    let parts: Vec<String> = [known, left, unreached].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.concat())
}

/// The answers for the parts of what is never looked at as a whole.
fn parts(program: &Program, analysis: &Analysis, sources: &SourceMap, name: &str) -> Option<String> {
    let parts = analysis.parts_of(program, name);
    let answers: Vec<String> = parts.iter().filter_map(|part| why(program, analysis, sources, part)).collect();
    (!answers.is_empty()).then(|| together(answers))
}

/// The shortest path from each origin, in the order of first sight.
fn origins(found: &[Found]) -> Vec<&Blame> {
    let mut once: Vec<&Blame> = Vec::new();
    for Found { blame, .. } in found {
        match once.iter_mut().find(|known| known.steps.first() == blame.steps.first()) {
            Some(known) if blame.steps.len() < known.steps.len() => *known = blame,
            Some(_) => {}
            None => once.push(blame),
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
            let _ = writeln!(out, "  (so in {count} variants)");
        }
    }
    if once.len() > MOST {
        let _ = writeln!(out, "  and {} more", once.len() - MOST);
    }
    out
}

/// A blame path, a step a line.
fn path(sources: &SourceMap, blame: &Blame, indent: &str) -> String {
    let steps = blame.steps.iter().map(|step| format!("{indent}{}: {}\n", place(sources, step.span), step.text));
    let help = blame.suggestion.iter().map(|help| format!("{indent}help: {help}\n"));
    steps.chain(help).collect()
}

/// A file's name and a line.
pub(crate) fn place(sources: &SourceMap, span: Option<Span>) -> String {
    match span.and_then(|span| sources.place(span)) {
        Some(place) => format!("{}:{}", place.file.rsplit('/').next().unwrap_or(place.file), place.line),
        None => "from the beginning".to_owned(),
    }
}

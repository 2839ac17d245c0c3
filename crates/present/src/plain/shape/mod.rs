//! What an interface is to look like in C, beyond what is usual: names, and the forms in which texts and sequences lie there.
//! In: presentation files (`.pres`) and options of the command line. Out: an AOI whose names and marks say it, for the rest
//! of the style to follow. The bytes on the wire stay what they are. Source: Flick (PLDI'97), sections 1 (`Mail_send` with
//! and without a length) and 2.2.

mod errors;
mod forms;
mod lending;
pub(super) mod marks;
mod naming;
mod parser;
mod places;
mod room;
mod statements;
mod strict;
mod usual;

use std::collections::BTreeMap;

use aoi::{Aoi, Origin};
use source::{Diagnostic, FileId, Span};

use crate::lift::lift_all;
use places::{Finder, Place};
pub use statements::Form;
use statements::{Statement, Subject, Word};

/// What one file, or one option, says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    statements: Vec<Statement>,
    /// The file whose things it speaks of. `None`: the main file's, and what it says of all holds for included files, too.
    origin: Option<Origin>,
}

impl Presentation {
    /// Reads a presentation file that stands beside a file of `origin`.
    pub fn of_file(text: &str, file: FileId, origin: Origin) -> (Presentation, Vec<Diagnostic>) {
        let (statements, findings) = parser::read(text, file, false);
        (Presentation { statements, origin: Some(origin) }, findings)
    }

    /// Reads an option: one statement, or several.
    pub fn of_option(text: &str, file: FileId) -> (Presentation, Vec<Diagnostic>) {
        let (statements, findings) = parser::read(text, file, true);
        (Presentation { statements, origin: None }, findings)
    }
}

/// What presentations say, sorted by what they say it of.
#[derive(Default)]
struct Said {
    named: BTreeMap<Place, Word>,
    formed: BTreeMap<Place, (Form, Span)>,
    prefixes: Prefixes,
    defaults: Defaults,
    strict: Vec<Span>,
}

/// What names begin with, by the file that declares them.
#[derive(Default)]
struct Prefixes(Vec<(Option<Origin>, Word)>);

impl Prefixes {
    fn of(&self, origin: &Origin) -> Option<&str> {
        let found = self.0.iter().find(|(of, _)| of.as_ref().is_none_or(|of| of == origin));
        found.map(|(_, word)| word.text.as_str())
    }
}

/// The forms of what nothing is said of.
#[derive(Default)]
struct Defaults {
    strings: Vec<(Option<Origin>, Form, Span)>,
    arrays: Vec<(Option<Origin>, Form, Span)>,
    results: Vec<(Option<Origin>, Form, Span)>,
}

impl Defaults {
    /// Of texts and of sequences, in a file.
    fn of(&self, origin: &Origin) -> (Option<Form>, Option<Form>) {
        (form_in(&self.strings, origin), form_in(&self.arrays, origin))
    }
}

fn form_in(all: &[(Option<Origin>, Form, Span)], origin: &Origin) -> Option<Form> {
    all.iter().find(|(of, ..)| of.as_ref().is_none_or(|of| of == origin)).map(|(_, form, _)| *form)
}

/// An AOI as it is to be presented.
pub(super) struct Shaped {
    /// All that nests has a name.
    pub(super) aoi: Aoi,
    pub(super) is_strict: bool,
    pub(super) findings: Vec<Diagnostic>,
}

/// Names all that nests, and gives names and forms to what presentations speak of.
pub(super) fn shape(aoi: &Aoi, presentations: &[Presentation]) -> Shaped {
    let (said, mut findings) = gather(aoi, presentations);
    let mut aoi = aoi.clone();
    findings.extend(naming::name_all(&mut aoi, &said.named, &said.prefixes));
    let named = aoi.definitions.len();
    let mut aoi = lift_all(aoi);
    findings.extend(forms::shape_all(&mut aoi, named, &said.formed, &said.defaults));
    findings.extend(lending::lend(&mut aoi, &said.formed, &said.defaults));
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
    Shaped { aoi, is_strict: !said.strict.is_empty(), findings }
}

fn gather(aoi: &Aoi, presentations: &[Presentation]) -> (Said, Vec<Diagnostic>) {
    let (mut said, mut findings) = (Said::default(), Vec::new());
    for presentation in presentations {
        let main = Origin::Main;
        let finder = Finder { aoi, origin: presentation.origin.as_ref().unwrap_or(&main) };
        for statement in &presentation.statements {
            findings.extend(said.take(statement, presentation.origin.as_ref(), &finder));
        }
    }
    (said, findings)
}

impl Said {
    fn take(&mut self, statement: &Statement, origin: Option<&Origin>, finder: &Finder) -> Vec<Diagnostic> {
        match &statement.subject {
            Subject::Strict => {
                self.strict.push(statement.span);
                Vec::new()
            }
            Subject::Prefix => {
                let Some(word) = &statement.name else { return Vec::new() };
                let first = self.prefixes.0.iter().find(|(of, _)| meet(of.as_ref(), origin));
                let again =
                    first.map(|(_, first)| errors::said_twice(statement.span, "what names begin with", first.span));
                self.prefixes.0.push((origin.cloned(), word.clone()));
                again.into_iter().collect()
            }
            Subject::Strings => {
                said_of_all(&mut self.defaults.strings, statement, origin, "strings", Form::is_of_texts)
            }
            Subject::Arrays => said_of_all(&mut self.defaults.arrays, statement, origin, "arrays", Form::is_of_arrays),
            Subject::Results => {
                said_of_all(&mut self.defaults.results, statement, origin, "results", Form::is_of_results)
            }
            Subject::Thing(kind, path) => match finder.find(*kind, path) {
                Ok(place) => self.take_thing(statement, &place),
                Err(finding) => vec![*finding],
            },
        }
    }

    fn take_thing(&mut self, statement: &Statement, place: &Place) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        if let Some(name) = &statement.name
            && let Some(first) = self.named.insert(place.clone(), name.clone())
        {
            findings.push(errors::said_twice(name.span, "what this is called", first.span));
        }
        if let Some((form, span)) = statement.form
            && let Some((_, first)) = self.formed.insert(place.clone(), (form, span))
        {
            findings.push(errors::said_twice(span, "the form of this", first));
        }
        findings
    }
}

/// Two presentations speak of the same file.
fn meet(one: Option<&Origin>, other: Option<&Origin>) -> bool {
    one.is_none() || other.is_none() || one == other
}

fn said_of_all(
    all: &mut Vec<(Option<Origin>, Form, Span)>,
    statement: &Statement,
    origin: Option<&Origin>,
    what: &str,
    fits: fn(Form) -> bool,
) -> Vec<Diagnostic> {
    let Some((form, span)) = statement.form else { return Vec::new() };
    if !fits(form) {
        let known: Vec<&str> = Form::ALL.into_iter().filter(|form| fits(*form)).map(Form::word).collect();
        let help = format!("they are {}", statements::list(&known));
        return vec![errors::misfit(span, form.word(), what, &help)];
    }
    let first = all.iter().find(|(of, ..)| meet(of.as_ref(), origin));
    let again = first.map(|(_, _, first)| errors::said_twice(span, &format!("the form of {what}"), *first));
    all.push((origin.cloned(), form, span));
    again.into_iter().collect()
}

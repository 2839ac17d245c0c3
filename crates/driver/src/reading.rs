//! One reading of the input: what the preprocessor made of it for one output, parsed and presented.

use std::collections::BTreeMap;
use std::rc::Rc;

use aoi::Aoi;
use front_onc::Lax;
use pres::PresC;
use source::{Diagnostic, FileId};
use stubs::plan::Plan;

use crate::preprocessing::Preprocessing;
use crate::{
    Host, Language, NamesOfC, OutputKind, Report, Request, SourceText, Stage, Style, errors, options, presentations,
};

/// What an input says.
pub(crate) struct Reading {
    /// These are absent where the input is a dump of a later tree.
    pub(crate) file: Option<FileId>,
    pub(crate) aoi: Option<Aoi>,
    /// Absent where an earlier stage is the last.
    pub(crate) pres: Option<PresC>,
    /// Present where the input is a dump of a plan.
    pub(crate) plan: Option<Plan>,
}

/// A reading, where nothing was wrong, and the warnings of names that nobody defines.
type Known = (Option<Rc<Reading>>, Vec<Diagnostic>);

/// The readings of one input, each made once.
pub(crate) struct Readings<'a> {
    request: &'a Request,
    host: &'a dyn Host,
    source: &'a SourceText,
    preprocessing: Preprocessing<'a>,
    by_text: BTreeMap<String, Known>,
}

impl<'a> Readings<'a> {
    pub(crate) fn new(request: &'a Request, host: &'a dyn Host, source: &'a SourceText) -> Self {
        let mut preprocessor = request.preprocessor.clone();
        if request.language == Language::Corba {
            // `unix` and `linux` are names like any other.
            preprocessor.arguments.insert(0, "-undef".to_owned());
        }
        let preprocessing = Preprocessing::new(host, source, request.input.path(), preprocessor);
        Readings { request, host, source, preprocessing, by_text: BTreeMap::new() }
    }

    /// The reading for an output; `None` when there is an error, which is in the report then.
    pub(crate) fn of(&mut self, kind: OutputKind, report: &mut Report) -> Option<Rc<Reading>> {
        if let Some(stage) = self.request.inspection.from {
            let again = || (read_dump(self.request, self.host, self.source, stage, report).map(Rc::new), Vec::new());
            return self.by_text.entry(String::new()).or_insert_with(again).0.clone();
        }
        let preprocessed = self.preprocessing.run(kind.symbol(), report)?;
        if !self.by_text.contains_key(&preprocessed.text) {
            let file = self.preprocessing.add_source(&preprocessed.text, preprocessed.has_markers, report);
            let (reading, nowhere_defined) = read(self.request, self.host, file, report);
            self.by_text.insert(preprocessed.text.clone(), (reading.map(Rc::new), nowhere_defined));
        }
        let (reading, nowhere_defined) = self.by_text.get(&preprocessed.text)?;
        if kind == OutputKind::Header {
            // Types and `%#include` lines may well be for the header alone, which the other files include.
            report.add(nowhere_defined.iter().cloned());
        }
        reading.clone()
    }
}

/// Text to AOI to PRES_C. Warnings of names that nobody defines are given back.
fn read(request: &Request, host: &dyn Host, file: FileId, report: &mut Report) -> (Option<Reading>, Vec<Diagnostic>) {
    let (aoi, findings) = match request.language {
        Language::Onc => {
            let is_rpcgens = request.style == Style::Rpcgen;
            let names_of_c = if is_rpcgens { request.names_of_c } else { NamesOfC::None };
            let lax = match (is_rpcgens, request.lax) {
                (false, _) => Lax::No,
                (true, false) => Lax::Offered,
                (true, true) => Lax::Yes,
            };
            let options = front_onc::Options { names_of_c, limits: request.limits, lax };
            front_onc::parse(&report.sources, file, &options)
        }
        Language::Corba => {
            let options = front_corba::Options { limits: request.limits };
            front_corba::parse(&report.sources, file, &options)
        }
        Language::Mig => {
            let options = front_mig::Options { limits: request.limits, ..front_mig::Options::default() };
            front_mig::parse_data(&report.sources, file, &options)
        }
    };
    let is_warning =
        |finding: &Diagnostic| !finding.is_error() && front_onc::errors::NOWHERE_DEFINED.contains(&finding.code);
    let (nowhere_defined, findings): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_warning);
    let failed = report.add(findings);
    let reading = match request.inspection.last() <= Stage::Aoi {
        true => Some(Reading { file: Some(file), aoi: Some(aoi), pres: None, plan: None }),
        false if !failed => present(request, host, Some(file), aoi, report),
        false => {
            if request.style == Style::Plain {
                // What is wrong with the text of a presentation file is so whatever the description says.
                presentations::of(request, host, &aoi, report);
            }
            None
        }
    };
    (reading, nowhere_defined)
}

/// AOI to PRES_C. Both are checked, whoever made them.
fn present(request: &Request, host: &dyn Host, file: Option<FileId>, aoi: Aoi, report: &mut Report) -> Option<Reading> {
    if report.add(aoi::verify(&aoi)) {
        return None;
    }
    if request.inspection.last() <= Stage::Aoi {
        return Some(Reading { file, aoi: Some(aoi), pres: None, plan: None });
    }
    let mut is_broken = false;
    let presented = match request.style {
        Style::Rpcgen => options::presentation(request).map(|options| present::rpcgen::present(&aoi, &options)),
        Style::Corba => options::corba(request).map(|options| present::corba::present(&aoi, &options)),
        Style::Plain => {
            let (presentations, failed) = presentations::of(request, host, &aoi, report);
            is_broken = failed;
            options::plain(request, presentations).map(|options| present::plain::present(&aoi, &options))
        }
    };
    let (pres, findings) = match presented {
        Ok(presented) => presented,
        Err(refused) => {
            report.add([present::errors::not_included(&refused, None)]);
            return None;
        }
    };
    let failed = report.add(findings) || is_broken || report.add(verify_pres(&pres));
    (!failed).then_some(Reading { file, aoi: Some(aoi), pres: Some(pres), plan: None })
}

fn verify_pres(pres: &PresC) -> Vec<Diagnostic> {
    let findings = mint::verify(&pres.mint);
    // A reference that leads nowhere in MINT does so in PRES.
    if findings.is_empty() { pres::verify(pres) } else { findings }
}

/// The text of a tree, read back.
fn read_dump(
    request: &Request,
    host: &dyn Host,
    source: &SourceText,
    stage: Stage,
    report: &mut Report,
) -> Option<Reading> {
    let mut readable = |problems: Vec<sexpr::ReadError>| {
        !report.add(problems.iter().map(|problem| errors::bad_dump(&source.name, &source.text, problem)))
    };
    match stage {
        Stage::Aoi => {
            let (aoi, problems) = aoi::text::parse(&source.text);
            if readable(problems) { present(request, host, None, aoi, report) } else { None }
        }
        Stage::Pres => {
            let (mut pres, problems) = pres::text::parse(&source.text);
            let readable = readable(problems);
            // A dump by hand may leave it out.
            if pres.prologue.is_empty() {
                match options::prologue(request) {
                    Ok(prologue) => pres.prologue = prologue,
                    Err(refused) => drop(report.add([present::errors::not_included(&refused, None)])),
                }
            }
            let failed = !readable || report.has_errors() || report.add(verify_pres(&pres));
            (!failed).then_some(Reading { file: None, aoi: None, pres: Some(pres), plan: None })
        }
        Stage::Plan => {
            let (plan, problems) = stubs::plan::text::parse(&source.text);
            let encoding = stubs::encodings::Xdr { strict: request.marshalling.strict };
            let failed = !readable(problems) || report.add(stubs::plan::verify(&plan, &encoding));
            (!failed).then_some(Reading { file: None, aoi: None, pres: None, plan: Some(plan) })
        }
        Stage::Tokens | Stage::Mint | Stage::Cast | Stage::Xip => {
            report.add([errors::no_text(stage)]);
            None
        }
    }
}

//! One reading of the input: what the preprocessor made of it for one output, parsed and presented.

use std::collections::BTreeMap;
use std::rc::Rc;

use aoi::Aoi;
use pres::PresC;
use source::FileId;

use crate::{Host, OutputKind, Preprocess, Report, Request, SourceText, Stage, options};

/// What an input says.
pub(crate) struct Reading {
    pub(crate) file: FileId,
    pub(crate) aoi: Aoi,
    /// Absent where an earlier stage found errors, or is the last.
    pub(crate) pres: Option<PresC>,
}

/// The readings of one input, each made once.
pub(crate) struct Readings<'a> {
    request: &'a Request,
    host: &'a dyn Host,
    source: &'a SourceText,
    by_text: BTreeMap<String, Option<Rc<Reading>>>,
}

impl<'a> Readings<'a> {
    pub(crate) fn new(request: &'a Request, host: &'a dyn Host, source: &'a SourceText) -> Self {
        Readings { request, host, source, by_text: BTreeMap::new() }
    }

    /// The reading for an output; `None` when there is an error, which is in the report then.
    pub(crate) fn of(&mut self, kind: OutputKind, report: &mut Report) -> Option<Rc<Reading>> {
        let run = Preprocess {
            path: self.request.input.path(),
            source: self.source,
            options: &self.request.preprocessor,
            symbol: kind.symbol(),
        };
        let preprocessed = match self.host.preprocess(&run) {
            Ok(preprocessed) => preprocessed,
            Err(finding) => {
                report.add([*finding]);
                return None;
            }
        };
        report.remark(&preprocessed.remarks);
        if let Some(reading) = self.by_text.get(&preprocessed.text) {
            return reading.clone();
        }
        let file = self.add_source(&preprocessed.text, preprocessed.has_markers, report);
        let reading = read(self.request, file, report).map(Rc::new);
        self.by_text.insert(preprocessed.text, reading.clone());
        reading
    }

    /// Adds the text, and what the files that it was made from say themselves.
    fn add_source(&self, text: &str, has_markers: bool, report: &mut Report) -> FileId {
        let sources = &mut report.sources;
        if !has_markers {
            return sources.add(&self.source.name, text);
        }
        let file = sources.add_preprocessed(&self.source.name, text);
        let names: Vec<String> = sources.marked_files(file).into_iter().map(str::to_owned).collect();
        for name in names {
            if Some(name.as_str()) == self.request.input.path() || (name == "<stdin>" && self.source.name == name) {
                sources.add_original(name, self.source.text.as_str());
            } else if !name.starts_with('<') {
                // A file that went away since shows as the preprocessor saw it.
                if let Ok(original) = self.host.read(Some(&name)) {
                    sources.add_original(name, original.text);
                }
            }
        }
        file
    }
}

/// Text to AOI to PRES_C.
fn read(request: &Request, file: FileId, report: &mut Report) -> Option<Reading> {
    let last = request.inspection.emit.into_iter().chain(request.inspection.stop_after).min();
    let (aoi, findings) = front_onc::parse(&report.sources, file, &front_onc::Options::default());
    let failed = report.add(findings);
    if last.is_some_and(|stage| stage <= Stage::Aoi) {
        return Some(Reading { file, aoi, pres: None });
    }
    if failed {
        return None;
    }
    let (pres, findings) = present::rpcgen::present(&aoi, &options::presentation(request));
    let failed = report.add(findings);
    (!failed).then_some(Reading { file, aoi, pres: Some(pres) })
}

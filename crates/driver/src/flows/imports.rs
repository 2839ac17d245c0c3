//! The interface files that a description imports, each through its own front end.

use aoi::Aoi;
use xip::{Import, Xip};

use super::FlowRequest;
use crate::reading::Readings;
use crate::{Combination, Host, Input, Inspection, Language, NamesOfC, OutputKind, Report, Request, Stage, errors};

/// Each import as written, with what it defines. What cannot be read is reported where it is imported.
pub(super) fn read(request: &FlowRequest, xip: &Xip, host: &dyn Host, report: &mut Report) -> Vec<(String, Aoi)> {
    xip.imports().filter_map(|import| Some((import.file.value.clone(), one(request, import, host, report)?))).collect()
}

fn one(request: &FlowRequest, import: &Import, host: &dyn Host, report: &mut Report) -> Option<Aoi> {
    let name = &import.file.value;
    if !name.ends_with(".x") && !name.ends_with(".idl") {
        report.add([errors::no_front_end(import.file.span, name)]);
        return None;
    }
    let path = beside(request.input.path(), name);
    let source = match host.read(Some(&path)) {
        Ok(source) => source,
        Err(failure) => {
            report.add([errors::not_imported(import.file.span, name, &failure)]);
            return None;
        }
    };
    let inspection = Inspection { stop_after: Some(Stage::Aoi), ..Inspection::default() };
    let request = Request { inspection, ..types_of(request, path) };
    let reading = Readings::new(&request, host, &source).of(OutputKind::Header, report)?;
    let aoi = reading.aoi.as_ref()?;
    Some(if request.types_alone { present::rpcgen::types_alone(aoi) } else { aoi.clone() })
}

/// A compilation of an imported file to what packets are made of. Files of every language have rpcgen's style there.
pub(super) fn types_of(request: &FlowRequest, path: String) -> Request {
    let (preprocessor, limits) = (request.preprocessor.clone(), request.limits);
    let request = Request { preprocessor, limits, ..Request::new(Input::Path(path)) };
    let Combination { style, encoding, link, .. } = Combination::usual(Language::Onc);
    // A packet that needs such a name is refused where it is declared; the others are nobody's concern here.
    let names_of_c = NamesOfC::Any;
    Request { style, encoding, link, names_of_c, types_alone: request.language != Language::Onc, ..request }
}

/// A path that is relative to the file that names it.
pub(super) fn beside(file: Option<&str>, name: &str) -> String {
    let folder = file.and_then(|file| file.rsplit_once('/')).map(|(folder, _)| folder);
    match folder {
        Some(folder) if !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name.to_owned(),
    }
}

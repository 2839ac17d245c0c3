//! What an interface is to look like: options of the command line, the presentation file beside the input, and those beside
//! the files that it includes, whose headers follow them. In: the request, and where definitions come from. Out:
//! presentations; what is wrong with them is in the report.

use std::collections::BTreeSet;

use aoi::{Aoi, Origin};
use present::plain::Presentation;

use crate::request::stem;
use crate::{Host, Report, Request, errors};

/// What could be read, and whether one of them is broken.
pub(crate) fn of(request: &Request, host: &dyn Host, aoi: &Aoi, report: &mut Report) -> (Vec<Presentation>, bool) {
    let mut found = Vec::new();
    let mut failed = false;
    for (path, origin) in files(request, host, aoi) {
        let source = match host.read(Some(&path)) {
            Ok(source) => source,
            Err(finding) => {
                failed |= report.add([*finding]);
                continue;
            }
        };
        if source.lossy {
            report.add([errors::not_utf8(&source.name)]);
        }
        let file = report.sources.add(&source.name, source.text.as_str());
        let (presentation, findings) = Presentation::of_file(&source.text, file, origin);
        failed |= report.add(findings);
        found.push(presentation);
    }
    for statement in &request.presentation.statements {
        let file = report.sources.add("--present", statement.as_str());
        let (presentation, findings) = Presentation::of_option(statement, file);
        failed |= report.add(findings);
        found.push(presentation);
    }
    (found, failed)
}

/// The presentation files, and the files whose things they speak of.
fn files(request: &Request, host: &dyn Host, aoi: &Aoi) -> Vec<(String, Origin)> {
    let beside = |path: &str| Some(format!("{}.pres", stem(path))).filter(|beside| host.exists(beside));
    let own = request.presentation.file.clone().or_else(|| request.input.path().and_then(beside));
    let included: BTreeSet<&str> = aoi
        .definitions
        .iter()
        .filter_map(|(_, definition)| match &definition.origin {
            Origin::Included(name) => Some(name.as_str()),
            Origin::Main => None,
        })
        .collect();
    let of_included = included.into_iter().filter_map(|name| Some((beside(name)?, Origin::Included(name.to_string()))));
    own.map(|path| (path, Origin::Main)).into_iter().chain(of_included).collect()
}

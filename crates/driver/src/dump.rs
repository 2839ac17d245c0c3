//! Looking inside: the trees of the pipeline as text.

use stubs::plan::Plan;

use crate::reading::Reading;
use crate::{Report, Request, Stage, errors};

/// Adds the tree that the user asked for.
pub(crate) fn tree(request: &Request, reading: &Reading, report: &mut Report) {
    let Some(stage) = request.inspection.emit else { return };
    let text = match stage {
        Stage::Tokens => Some(tokens(reading, report)),
        _ => None,
    };
    match text {
        Some(text) => report.dumps.push_str(&text),
        None => {
            report.add([errors::no_text(stage)]);
        }
    }
}

/// Adds the plan after a pass that the user named.
pub(crate) fn after_pass(request: &Request, pass: &str, _plan: &Plan, report: &mut Report) {
    if request.inspection.print_after.iter().any(|name| name == pass) {
        report.add([errors::no_text(Stage::Plan)]);
    }
}

/// One token a line: its kind and its text.
fn tokens(reading: &Reading, report: &Report) -> String {
    let text = report.sources.text(reading.file);
    let options = tokens::Options { percent_lines: true, compounds: &["::"] };
    let (found, _) = tokens::tokenize(text, reading.file, &options);
    let mut dump = String::new();
    for token in found {
        let span = token.span;
        dump.push_str(&format!("{:?} {:?}\n", token.kind, report.sources.slice(span)));
    }
    dump
}

//! Looking inside: the trees of the pipeline as text.

use source::FileId;
use stubs::plan::{self, Plan};
use tokens::TokenKind;

use crate::reading::Reading;
use crate::{OutputKind, Report, Request, Stage, errors};

/// Adds the tree that the user asked for.
pub(crate) fn tree(request: &Request, reading: &Reading, report: &mut Report) {
    let Some(stage) = request.inspection.emit else { return };
    let pres = reading.pres.as_ref();
    let text = match stage {
        Stage::Tokens => reading.file.map(|file| tokens(file, report)),
        Stage::Aoi => reading.aoi.as_ref().map(aoi::text::print),
        Stage::Mint => pres.map(|pres| mint::text::print(&pres.mint)),
        Stage::Pres => pres.map(pres::text::print),
        Stage::Plan | Stage::Cast | Stage::Xip => None,
    };
    match text {
        Some(text) => report.dumps.push_str(&text),
        None => {
            report.add([errors::tree_is_before(stage)]);
        }
    }
}

/// Adds the plan after a pass that the user named, or after the last where the plan is what the user asked for. Where each side
/// has a plan of its own, the dump says whose it is.
pub(crate) fn after_pass(request: &Request, kind: OutputKind, (pass, plan): (&str, &Plan), report: &mut Report) {
    let side = match kind {
        OutputKind::Client => "; of the client\n",
        OutputKind::Server => "; of the server\n",
        _ => "",
    };
    let mut show = |heading: &str| {
        report.dumps.push_str(&[side, heading, &plan::text::print(plan)].concat());
    };
    if request.inspection.print_after.iter().any(|name| name == pass) {
        show(&format!("; after {pass}\n"));
    }
    let is_last = stubs::passes::PASSES.last().is_some_and(|last| last.name == pass);
    if is_last && request.inspection.emit == Some(Stage::Plan) {
        show("");
    }
}

/// One token a line, as the grammar sees them: its kind and its text.
fn tokens(file: FileId, report: &Report) -> String {
    let text = report.sources.text(file);
    let options = tokens::Options { percent_lines: true, compounds: &["::"] };
    let (found, _) = tokens::tokenize(text, file, &options);
    let mut dump = String::new();
    for token in found.iter().filter(|token| !token.kind.is_trivia() && token.kind != TokenKind::Directive) {
        let line = format!("{:?} {}", token.kind, report.sources.slice(token.span));
        dump.push_str(line.trim_end());
        dump.push('\n');
    }
    dump
}

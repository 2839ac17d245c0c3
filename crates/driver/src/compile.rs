//! From an interface description to C: preprocess, parse, present, make stubs, print, write.
//!
//! As rpcgen does, the input is read anew for every output, because `#ifdef RPC_HDR` may change it; outputs whose
//! preprocessed text is the same share one reading.

use crate::{Host, OutputFile, OutputKind, Preprocess, Report, Request, SourceText, errors};

/// Compiles one input. Nothing is written when anything is an error.
pub fn compile(request: &Request, host: &dyn Host) -> Report {
    let mut report = Report::default();
    let files = outputs(request, host, &mut report);
    if !report.has_errors() && !files.is_empty() {
        report.add(host.write(&files).err().map(|finding| *finding));
    }
    report
}

fn outputs(request: &Request, host: &dyn Host, report: &mut Report) -> Vec<OutputFile> {
    let source = match host.read(request.input.path()) {
        Ok(source) => source,
        Err(finding) => {
            report.add([*finding]);
            return Vec::new();
        }
    };
    if source.lossy {
        report.add([errors::not_utf8(&source.name)]);
    }
    let mut files = Vec::new();
    for (kind, destination) in &request.outputs {
        if let Some(text) = output(request, host, &source, *kind, report) {
            files.push(OutputFile { destination: destination.clone(), text });
        }
    }
    files
}

fn output(
    request: &Request,
    host: &dyn Host,
    source: &SourceText,
    kind: OutputKind,
    report: &mut Report,
) -> Option<String> {
    let run = Preprocess { path: request.input.path(), source, options: &request.preprocessor, symbol: kind.symbol() };
    match host.preprocess(&run) {
        Ok(preprocessed) => {
            report.remark(&preprocessed.remarks);
            Some(preprocessed.text)
        }
        Err(finding) => {
            report.add([*finding]);
            None
        }
    }
}

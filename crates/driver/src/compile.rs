//! From an interface description to C: preprocess, parse, present, make stubs, print, write.
//!
//! As rpcgen does, the input is read anew for every output, because `#ifdef RPC_HDR` may change it; outputs whose
//! preprocessed text is the same share one reading.

use pres::PresC;
use source::Limit;
use stubs::plan::Plan;

use crate::reading::{Reading, Readings};
use crate::unavailable_dump::has_plan;
use crate::{
    Host, Inspection, OutputFile, OutputKind, Report, Request, Stage, Style, bounds, contents, dump, errors, near,
    options, run_time, sizes,
};

/// Compiles one input. Nothing is written when anything is an error.
pub fn compile(request: &Request, host: &dyn Host) -> Report {
    let mut report = Report::within(request.limits);
    let files = outputs(request, host, &mut report);
    if !report.has_errors() && writes(&request.inspection) && !files.is_empty() {
        report.add(host.write(&files).err().map(|finding| *finding));
    }
    report
}

/// Looking inside makes no files.
fn writes(inspection: &Inspection) -> bool {
    inspection.emit.is_none()
        && inspection.stop_after.is_none()
        && inspection.print_after.is_empty()
        && !inspection.sizes
}

/// The texts of the files that are asked for.
pub(crate) fn outputs(request: &Request, host: &dyn Host, report: &mut Report) -> Vec<OutputFile> {
    let source = match host.read(request.input.path()) {
        Ok(source) if request.limits.are_exceeded(Limit::InputSize, source.text.len()) => {
            bounds::too_long(&source, report);
            return Vec::new();
        }
        Ok(source) => source,
        Err(finding) => {
            report.add([*finding]);
            return Vec::new();
        }
    };
    if source.lossy {
        report.add([errors::not_utf8(&source.name)]);
    }
    let mut readings = Readings::new(request, host, &source);
    let (mut files, mut size) = (Vec::new(), 0);
    for (kind, destination) in &request.outputs {
        let Some(reading) = readings.of(*kind, report) else { continue };
        if request.inspection.emit.is_some_and(|stage| stage < Stage::Plan) {
            dump::tree(request, &reading, report);
            break;
        }
        if let (OutputKind::Codec, Some(pres)) = (*kind, &reading.pres) {
            report.add(stubs::links::none::refused(pres, &options::none(request)));
        }
        let is_empty = !contents::has(&reading, (request.style, request.link), *kind);
        if is_empty && request.expects_programs && matches!(kind, OutputKind::Client | OutputKind::Server) {
            report.add([errors::no_program(&source.name)]);
        }
        if (request.keep_empty || !is_empty)
            && let Some(text) = output(request, &reading, *kind, report)
        {
            if !bounds::have_room(&mut size, text.len(), report) {
                break;
            }
            files.push(OutputFile { destination: destination.clone(), text });
        }
    }
    if request.inspection.emit == Some(Stage::Cast) && !report.has_errors() {
        files.iter().for_each(|file| report.dumps.push_str(&file.text));
    }
    let inspection = &request.inspection;
    let asks_for_dumps = inspection.emit.is_some() || !inspection.print_after.is_empty() || inspection.sizes;
    if asks_for_dumps && report.dumps.is_empty() && !report.has_errors() {
        report.add([errors::nothing_to_print(&source.name)]);
    }
    files
}

/// The text of one file; `None` where looking inside ends before there is one.
fn output(request: &Request, reading: &Reading, kind: OutputKind, report: &mut Report) -> Option<String> {
    use stubs::links::{corba, none, rpc, rpcgen};
    let last = request.inspection.last();
    if last < Stage::Plan || (last == Stage::Plan && !has_plan(request, kind)) {
        return None;
    }
    if request.inspection.sizes {
        if kind == OutputKind::Routines {
            sizes::of_types(request, reading, report);
        }
        return None;
    }
    if let Some(plan) = &reading.plan {
        return routines_of_plan(request, plan, report);
    }
    let pres = reading.pres.as_ref()?;
    let shape = options::calls(request, kind);
    let mut after = |pass: &str, plan: &Plan| dump::after_pass(request, kind, (pass, plan), report);
    match kind {
        OutputKind::Header => return print(&cast::File { declarations: near::header(request, pres) }, report),
        OutputKind::RunTime(_) | OutputKind::RpcHeader(_) => {
            return run_time::text(request.marshalling.byte_order, kind);
        }
        _ => {}
    }
    let file = match request.style {
        _ if kind == OutputKind::Codec => none::codec_file(pres, &options::none(request), &mut after),
        Style::Rpcgen => match kind {
            OutputKind::Routines => stubs::marshal::marshal(pres, &options::marshalling(request), &mut after),
            OutputKind::Client => rpcgen::client_file(pres),
            OutputKind::Server | OutputKind::ServerWithoutMain => {
                rpcgen::server_file(pres, &shape, options::library_link(request.link)?)
            }
            OutputKind::Table => rpcgen::table_file(pres),
            OutputKind::SampleClient => rpcgen::client_sample(pres, &shape),
            OutputKind::SampleServer => rpcgen::server_sample(pres),
            OutputKind::Makefile => {
                let sources = options::makefile_sources(request, reading);
                let flags = options::rpcgen_flags(request);
                let text = flags.and_then(|flags| rpcgen::makefile(pres, &shape, sources, &flags));
                return text.map_err(|refused| report.add([errors::not_built(&refused)])).ok();
            }
            _ => return None,
        },
        Style::Corba => {
            let link = options::object_link(request.link.underlying(request.encoding))?;
            match kind {
                OutputKind::Common => corba::common_file(pres, &options::stubs(request), link, &mut |_, _| ()),
                OutputKind::Client => corba::client_file(pres, &options::stubs(request), link, &mut after),
                OutputKind::Server => corba::server_file(pres, &options::stubs(request), link, &mut after),
                _ => return None,
            }
        }
        Style::Plain => {
            let link = options::rpc_link(request.link.underlying(request.encoding), pres)?;
            match kind {
                OutputKind::Common => rpc::types_file(pres, &options::stubs(request), link.as_ref(), &mut |_, _| ()),
                OutputKind::Client => rpc::client_file(pres, &options::stubs(request), link.as_ref(), &mut after),
                OutputKind::Server => rpc::server_file(pres, &options::stubs(request), link.as_ref(), &mut after),
                _ => return None,
            }
        }
    };
    print_for(request.style, &file, report)
}

/// The routines of a plan that was read back, after the line that includes their header.
fn routines_of_plan(request: &Request, plan: &Plan, report: &mut Report) -> Option<String> {
    if request.inspection.emit == Some(Stage::Plan) {
        report.dumps.push_str(&stubs::plan::text::print(plan));
    }
    let prologue = options::prologue(request);
    let prologue = prologue.map_err(|refused| report.add([present::errors::not_included(&refused, None)])).ok()?;
    let pres = PresC { prologue, ..PresC::default() };
    let file = stubs::marshal::from_plan(plan.clone(), &pres, &options::marshalling(request));
    print_for(request.style, &file, report)
}

/// Recipes that rewrite rpcgen's output find the heads of functions where they look for them.
fn print_for(style: Style, file: &cast::File, report: &mut Report) -> Option<String> {
    let failed = report.add(cast::verify(file, &cast::Known::default()));
    let print = if style == Style::Rpcgen { cast::print_file_as_rpcgen } else { cast::print_file };
    (!failed).then(|| print(file))
}

fn print(file: &cast::File, report: &mut Report) -> Option<String> {
    let failed = report.add(cast::verify(file, &cast::Known::default()));
    (!failed).then(|| cast::print_file(file))
}

//! `compile` and `check` on several files: each by itself, all faults of all of them. In: the command line. Out: files that
//! wait until all are known, and the worst ending.

use std::collections::BTreeMap;

use driver::{Destination, FlowForm, FlowProduct, Input, MigRequest, NamesOfC, Request, Side, Stage};

use super::arguments::{Check, Code, Compile, SideName};
use super::inapplicable;
use super::request::{compile_request, input_request, preprocessor};
use crate::host::Machine;
use crate::{Ending, compile, flows, print, report};

/// Compiles each file. What only the command line is at fault for is found before any work begins.
pub(super) fn compile_all(compile: &Compile, machine: &Machine) -> Ending {
    if let Some(why) = refusal(compile) {
        print::refuse(&why);
        return Ending::CommandLineAtFault;
    }
    let folder = machine.folder.as_deref().unwrap_or(".");
    let (mut requests, mut worst) = (Vec::new(), Ending::Done);
    for file in compile.files.iter().filter(|file| !flows::is_flow(file)) {
        match compile_request(compile, file, folder).map(|request| (check_dump(&request), request)) {
            Ok((Ending::Done, request)) => requests.push((file, request)),
            Ok((ending, _)) | Err(ending) => worst = worst.max(ending),
        }
    }
    if worst != Ending::Done {
        return worst;
    }
    if let Some(why) = same_outputs(&requests) {
        print::refuse(&why);
        return Ending::CommandLineAtFault;
    }
    let mut requests = requests.into_iter();
    let one = |file: &String| match flows::is_flow(file) {
        true => compile_flow(compile, file, folder, machine),
        // In the order of the command line.
        false => requests.next().map_or(Ending::Done, |(_, request)| compile::run(&request, machine)),
    };
    compile.files.iter().map(one).max().unwrap_or(Ending::Done)
}

fn refusal(compile: &Compile) -> Option<String> {
    if let Some(why) = inapplicable::interfaces(&compile.files, &compile.source, &compile.code) {
        return Some(why);
    }
    if compile.files.iter().filter(|file| *file == "-").count() > 1 {
        return Some("standard input (`-`) is given twice".to_owned());
    }
    if let Some(file) = compile.files.iter().find(|file| is_for_mach(file, &compile.code)) {
        return Some(format!(
            "{file} is for mig: `whittle mig {file}` makes its stubs; where it is only data, `--link onc`, `--link giop-tcp` \
             and others make stubs that need no Mach"
        ));
    }
    let is_flow = compile.files.iter().any(|file| flows::is_flow(file));
    if is_flow && compile.side != SideName::Both {
        return Some("`--side` is for stubs of interfaces; a flow's programs are all made".to_owned());
    }
    if is_flow && compile.emit.is_some_and(|stage| stage != Stage::Xip) {
        return Some("of a flow, `--emit xip` shows its XML form; there is no other tree".to_owned());
    }
    None
}

/// Whether a file is a definition for mig, by its ending, and no other form of code is asked for.
fn is_for_mach(file: &str, code: &Code) -> bool {
    file.ends_with(".defs") && code.link.is_none() && code.style.is_none() && code.encoding.is_none()
}

/// Which two inputs would write one file, the run time apart, which is the same for all.
fn same_outputs(requests: &[(&String, Request)]) -> Option<String> {
    let mut known: BTreeMap<&str, &String> = BTreeMap::new();
    for (file, request) in requests {
        for (kind, destination) in &request.outputs {
            let Destination::Path(path) = destination else { continue };
            if kind.is_run_time() || request.inspection.emit.is_some() {
                continue;
            }
            if let Some(other) = known.insert(path, file) {
                return Some(format!(
                    "{other} and {file} would both write {path}: compile them one by one, with --out into folders of \
                     their own"
                ));
            }
        }
    }
    None
}

/// Whether what the user wants to see can be there; why not has been said.
fn check_dump(request: &Request) -> Ending {
    match driver::unavailable_dump(request) {
        None => Ending::Done,
        Some(why) => {
            print::refuse(&why);
            Ending::CommandLineAtFault
        }
    }
}

/// Checks each file; the worst ending counts.
pub(super) fn check_all(check: &Check, machine: &Machine) -> Ending {
    if let Some(why) = inapplicable::interfaces(&check.files, &check.source, &check.code) {
        print::refuse(&why);
        return Ending::CommandLineAtFault;
    }
    check.files.iter().map(|file| check_one(check, file, machine)).max().unwrap_or(Ending::Done)
}

fn check_one(check: &Check, file: &str, machine: &Machine) -> Ending {
    if is_for_mach(file, &check.code) {
        let preprocessor = preprocessor(&check.common, &check.source);
        let request = MigRequest::check(Input::Path(file.to_owned()), preprocessor, machine.limits);
        return report::show(&driver::mig(&request, machine));
    }
    if flows::is_flow(file) {
        return flows::flow(file, preprocessor(&check.common, &check.source), None, machine);
    }
    match input_request(file, &check.common, check.source.clone(), check.code.clone()) {
        Ok(mut request) => {
            let every = Side::Both.outputs(request.style, request.link.underlying(request.encoding));
            request.outputs = every.into_iter().map(|kind| (kind, Destination::StandardOutput)).collect();
            request.inspection.stop_after.get_or_insert(Stage::Cast);
            request.names_of_c = NamesOfC::Warned;
            match check_dump(&request) {
                Ending::Done => compile::run(&request, machine),
                ending => ending,
            }
        }
        Err(ending) => ending,
    }
}

/// A flow: its C, or its XML form.
fn compile_flow(compile: &Compile, file: &str, folder: &str, machine: &Machine) -> Ending {
    let product = match compile.emit {
        None => FlowProduct::Code { folder: folder.to_owned(), run_time: flows::run_time(compile.runtime) },
        Some(_) => FlowProduct::Form(FlowForm::Xip),
    };
    flows::flow(file, preprocessor(&compile.common, &compile.source), Some(product), machine)
}

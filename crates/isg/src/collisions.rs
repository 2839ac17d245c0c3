//! Names in C that came out the same. In: the files of a flow. Out: findings. Why: names of stages, ports and functions are
//! put together to names in C, and a C compiler would speak of those.

use std::collections::{BTreeMap, BTreeSet};

use cast::{Declaration, IncludePath};
use source::Diagnostic;
use xip::{Name, Network, Xip};

use crate::edge::Facts;
use crate::errors;
use crate::process::Process;
use crate::program;

/// Targets of the Makefile beside the programs.
const TARGETS: [&str; 2] = ["all", "clean"];

/// What of a program's file would be there twice, the user's own functions included.
pub(crate) fn check(network: &Network, process: &Process, facts: &Facts, findings: &mut Vec<Diagnostic>) {
    let file = format!("{}.main.c", process.program);
    let flow: &Name = &network.flow.name;
    if TARGETS.contains(&process.program.as_str()) {
        findings.push(errors::same_name(flow, "Makefile", &process.program));
    }
    let mut names: BTreeSet<String> = program::advice(network, process);
    for stage in &process.stages {
        let middle = network.stage(stage.id).pipe.middle.as_ref();
        names.extend(middle.map(|middle| middle.function.text.clone()));
        names.extend(network.stage(stage.id).pipe.timers.iter().map(|timer| timer.function.text.clone()));
    }
    for declaration in program::file(network, process, facts, &IncludePath::literal("")).declarations {
        let name = match declaration {
            Declaration::Variable(variable) => variable.name,
            Declaration::Function(function) => function.name,
            _ => continue,
        };
        if !names.insert(name.clone()) {
            findings.push(errors::same_name(flow, &file, &name));
        }
    }
}

/// Files that would be written twice.
pub(crate) fn files(xip: &Xip, stem: &str, findings: &mut Vec<Diagnostic>) {
    let ours = ["packets", "advice"].map(|what| format!("{stem}_{what}"));
    for pipe in xip.pipes().filter(|pipe| pipe.middle.is_some()) {
        if ours.contains(&pipe.name.text) {
            findings.push(errors::same_name(&pipe.name, &format!("{}.h", pipe.name), &pipe.name.text));
        }
    }
    headers(xip, stem, findings);
}

/// Imported files whose headers something else has.
fn headers(xip: &Xip, stem: &str, findings: &mut Vec<Diagnostic>) {
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for ours in [
        format!("{stem}_packets"),
        format!("{stem}_advice"),
        "whittle_flow".to_owned(),
        "whittle_net".to_owned(),
        "whittle_nats".to_owned(),
        "whittle_dds".to_owned(),
        "whittle_key".to_owned(),
    ] {
        taken.insert(ours, "whittle's own".to_owned());
    }
    for pipe in xip.pipes().filter(|pipe| pipe.middle.is_some()) {
        taken.insert(pipe.name.text.clone(), format!("the pipe `{}`", pipe.name));
    }
    for import in xip.imports() {
        let file = &import.file.value;
        let name = file.rsplit_once('/').map_or(file.as_str(), |(_, name)| name);
        let base = name.rsplit_once('.').map_or(name, |(base, _)| base).to_owned();
        match taken.get(&base) {
            Some(other) if *other != format!("\"{file}\"") => {
                findings.push(errors::header_taken(import.file.span, &format!("{base}.h"), other));
            }
            Some(_) => {}
            None => {
                taken.insert(base, format!("\"{file}\""));
            }
        }
    }
}

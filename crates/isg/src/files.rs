//! All files of a description. In: its networks, its packets in C, and the runtime's text. Out: names and texts.

use escape::c::Base;
use std::collections::BTreeSet;

use cast::File;
use source::Diagnostic;
use stubs::links::flow::runtime::{self, NamedText};
use stubs::links::net;
use xip::Xip;
use xip::checks::Checked;

use crate::build_files::{Need, Parts, Program, cmake, makefile};
use crate::edge::Facts;
use crate::filters::Packets;
use crate::{collisions, errors, header, idl, limits, packets, process, program, restarts, template, transport};

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Relative to the folder of all.
    pub name: String,
    pub text: Text,
    /// The user's to change: it is not written where it is.
    pub is_yours: bool,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    C(File),
    Other(String),
}

/// What a generation needs beside the flows.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The description's name without its ending: `demo`.
    pub stem: &'a Base,
    pub run_time: RunTime,
}

/// Where the run time is that the programs link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunTime {
    /// In files beside the programs' own.
    Beside,
    /// In libraries that pkg-config knows.
    Installed,
}

/// What of a description without errors cannot become C.
pub fn check(xip: &Xip, checked: &Checked) -> Vec<Diagnostic> {
    let mut findings = limits::check(xip, &checked.networks);
    findings.extend(packets::check(xip, checked));
    let packets = Packets::of(xip, checked);
    packets.iter().for_each(|packets| drop(packets.pairs(xip.pipes(), &mut findings)));
    let facts_of = |network: &xip::Network, findings: &mut Vec<Diagnostic>| {
        let processes = process::processes(network);
        let facts = Facts::of(network, &processes, packets.as_ref(), findings);
        (processes, facts)
    };
    let facts: Vec<_> = checked.networks.iter().map(|network| facts_of(network, &mut findings)).collect();
    let (mut names, is_sound) = (BTreeSet::new(), findings.is_empty());
    for (network, (processes, facts)) in checked.networks.iter().zip(facts) {
        for process in processes {
            if !names.insert(process.program.clone()) {
                findings.push(errors::same_program(&network.flow.name, &process.program));
            }
            restarts::check(network, &process, &mut findings);
            if is_sound {
                collisions::check(network, &process, &facts, &mut findings);
            }
        }
    }
    findings
}

/// A program that is to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub flow: String,
    pub program: String,
    /// The machine it is for; `None`: the one where the flow is started.
    pub node: Option<String>,
    /// What becomes of it when it dies.
    pub restart: xip::RestartPolicy,
    /// The programs that all it takes comes from; none where it acts by itself, or a server keeps packets for it.
    pub fed_by: Vec<String>,
    /// A server keeps packets of its edges for later runs.
    pub keeps: bool,
}

/// The programs of all flows.
pub fn programs(checked: &Checked) -> Vec<Planned> {
    let of = |network: &xip::Network| {
        let processes = process::processes(network);
        let planned = |process: &process::Process| Planned {
            flow: network.flow.name.text.clone(),
            program: process.program.clone(),
            node: process.node.clone(),
            restart: restarts::policy(network, process),
            fed_by: restarts::feeders(network, process, &processes),
            keeps: restarts::keeps(network, process),
        };
        processes.iter().map(planned).collect::<Vec<_>>()
    };
    checked.networks.iter().flat_map(of).collect()
}

/// The files of a description without errors; or what cannot become C. Headers of imported interface files are not among
/// them.
pub fn generate(xip: &Xip, checked: &Checked, options: &Options) -> Result<Vec<Generated>, Vec<Diagnostic>> {
    let mut findings = check(xip, checked);
    collisions::files(xip, options.stem.as_str(), &mut findings);
    if findings.iter().any(Diagnostic::is_error) {
        return Err(findings);
    }
    let header_of_packets = options.stem.header("_packets.h");
    let (mut files, mut programs) = (packets::files(xip, checked, options.stem), Vec::new());
    let mut advice = BTreeSet::new();
    let filtered = Packets::of(xip, checked);
    for network in &checked.networks {
        let processes = process::processes(network);
        // What a filter cannot mean was found by the check.
        let facts = Facts::of(network, &processes, filtered.as_ref(), &mut Vec::new());
        for process in processes {
            files.push(Generated::written(
                format!("{}.main.c", process.program),
                program::file(network, &process, &facts, &header_of_packets),
            ));
            let pipes: BTreeSet<String> =
                process.stages.iter().map(|stage| network.stage(stage.id).pipe.name.text.clone()).collect();
            let called = program::advice(network, &process);
            let has_advice = !called.is_empty();
            advice.extend(called);
            programs.push(Program { name: process.program, pipes: pipes.into_iter().collect(), has_advice });
        }
    }
    for pipe in xip.pipes().filter(|pipe| pipe.middle.is_some()) {
        files.push(Generated::written(format!("{}.h", pipe.name), header::file(pipe, &header_of_packets)));
        let text = Text::C(template::file(pipe));
        files.push(Generated { name: format!("{}.c", pipe.name), text, is_yours: true });
    }
    if !advice.is_empty() {
        let text = Text::C(template::advice(&advice));
        files.push(Generated { name: format!("{}_advice.c", options.stem.as_str()), text, is_yours: true });
    }
    let links = checked.networks.iter().flat_map(|network| &network.links);
    let needs: BTreeSet<Need> = links.flat_map(|link| transport::of(link).needs).copied().collect();
    let needs: Vec<Need> = needs.into_iter().collect();
    files.extend(idl::file(xip, checked, options.stem.as_str()));
    let parts = Parts {
        stem: options.stem.as_str(),
        programs: &programs,
        has_imports: xip.imports().next().is_some(),
        needs: &needs,
        run_time: options.run_time,
    };
    let (makefile, cmake) = match (makefile(&parts), cmake(&parts)) {
        (Ok(makefile), Ok(cmake)) => (makefile.finish(), cmake.finish()),
        (Err(refused), _) | (_, Err(refused)) => return Err(vec![errors::not_built(&refused)]),
    };
    let built = [("Makefile", makefile), ("CMakeLists.txt", cmake)];
    for (name, text) in built.into_iter().chain(run_time(options.run_time, &needs)) {
        files.push(Generated { name: name.to_owned(), text: Text::Other(text), is_yours: false });
    }
    Ok(files)
}

/// The files of the run time that stand beside the programs'.
fn run_time(place: RunTime, needs: &[Need]) -> Vec<(&'static str, String)> {
    let of = |need: &Need| -> NamedText {
        match need {
            Need::Nats => runtime::FOR_NATS,
            Need::Dds => runtime::FOR_DDS,
            Need::Keys => runtime::FOR_KEYS,
        }
    };
    let of_flows = runtime::FOR_ALL.into_iter().chain(needs.iter().map(of)).map(|(name, text)| (name, text()));
    match place {
        RunTime::Installed => Vec::new(),
        RunTime::Beside => {
            of_flows.chain([("whittle_net.h", net::header()), ("whittle_net.c", net::source())]).collect()
        }
    }
}

impl Generated {
    /// A file of ours.
    pub(crate) fn written(name: String, file: File) -> Generated {
        Generated { name, text: Text::C(file), is_yours: false }
    }
}

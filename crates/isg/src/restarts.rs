//! Which program is started again when it dies. In: a process, and what its flow says of its stages. Out: one policy, and the programs
//! that it takes packets from: without them, and behind their end, there is nothing for it to do.

use std::collections::BTreeSet;

use source::Diagnostic;
use xip::{Network, Restart, RestartPolicy};

use crate::errors;
use crate::process::Process;

/// What the flow says of the process; that of its first stage, where the description is at fault.
pub(crate) fn policy(network: &Network, process: &Process) -> RestartPolicy {
    said(network, process).first().map_or(RestartPolicy::NEVER, |restart| restart.policy.value)
}

/// Stages that are one program have one policy.
pub(crate) fn check(network: &Network, process: &Process, findings: &mut Vec<Diagnostic>) {
    if let [first, second, ..] = said(network, process)[..] {
        findings.push(errors::two_restarts(&process.program, first, second));
    }
}

/// Statements with different policies: those of stages, and where there are none, that of the flow.
fn said<'a>(network: &Network<'a>, process: &Process) -> Vec<&'a Restart> {
    let stages = process.stages.iter().map(|stage| network.stage(stage.id).name.as_str());
    let mut said: Vec<&Restart> = Vec::new();
    for restart in stages.filter_map(|stage| network.flow.restart(stage)) {
        if !said.iter().any(|known| known.policy.value == restart.policy.value) {
            said.push(restart);
        }
    }
    if said.iter().any(|restart| restart.to.is_some()) {
        said.retain(|restart| restart.to.is_some());
    }
    said
}

/// The programs that a process takes packets from, if it takes all from them: a server keeps what comes through it.
pub(crate) fn feeders(network: &Network, process: &Process, processes: &[Process]) -> Vec<String> {
    let mut feeders = BTreeSet::new();
    for link in process.stages.iter().flat_map(|stage| &stage.arriving) {
        let link = &network.links[*link];
        if link.contract.transport().traits().keeps {
            return Vec::new();
        }
        let has_sender = |other: &&Process| other.stages.iter().any(|stage| stage.id == link.from.stage);
        feeders.extend(processes.iter().find(has_sender).map(|other| other.program.clone()));
    }
    feeders.remove(&process.program);
    feeders.into_iter().collect()
}

/// Whether a server keeps packets of the process for later runs.
pub(crate) fn keeps(network: &Network, process: &Process) -> bool {
    let of_stage = |stage: &crate::process::Running| {
        let mut links = network.links_into(stage.id).chain(network.links_from(stage.id));
        links.any(|link| network.links[link].contract.transport().traits().keeps)
    };
    process.stages.iter().any(of_stage)
}

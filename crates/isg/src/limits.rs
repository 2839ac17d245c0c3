//! What of a checked flow cannot become C. In: a description and its networks. Out: findings. Why: better said of the
//! flow than by a C compiler of what was made of it.

use std::collections::BTreeMap;

use source::Diagnostic;
use xip::{Direction, End, Name, Network, Packet, Pipe, Polarity, StageId, Xip};

use crate::{errors, naming};

/// Members that every pipe's structure has.
const MEMBERS: [&str; 2] = ["instance", "state"];

/// The greatest number of edges: each has a port of its own.
const MOST_EDGES: usize = 30_000;

pub(crate) fn check(xip: &Xip, networks: &[Network]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    xip.packets().for_each(|of| packet(of, &mut findings));
    for advice in xip.aspects().flat_map(|aspect| &aspect.advice) {
        function(&advice.function, &mut findings);
    }
    let with_middle: Vec<&Pipe> = xip.pipes().filter(|pipe| pipe.middle.is_some()).collect();
    with_middle.iter().for_each(|of| pipe(of, &mut findings));
    middles(&with_middle, &mut findings);
    for network in networks {
        if network.links.len() > MOST_EDGES {
            findings.push(errors::too_many_edges(&network.flow.name, network.links.len(), MOST_EDGES));
        }
        for (number, link) in network.links.iter().enumerate() {
            if let (true, Some(timer)) =
                (crate::process::is_fetched(network, link), network.stage(link.from.stage).pipe.timers.first())
            {
                findings.push(errors::fetched_and_timed(link.span, timer));
            }
            let is_fetched = crate::process::is_fetched(network, link);
            if is_fetched && fetched_from(network, link.from.stage).nth(1).is_some_and(|second| second == number) {
                findings.push(errors::fetched_twice(link.span, network.stage(link.from.stage)));
            }
            if is_fetched && into(network, link.to) > 1 {
                findings.push(errors::fetched_and_more(link.span, network.port(link.to)));
            }
        }
    }
    findings
}

/// The links over which others fetch from a stage.
fn fetched_from(network: &Network, stage: StageId) -> impl Iterator<Item = usize> {
    network.links_from(stage).filter(|link| crate::process::is_fetched(network, &network.links[*link]))
}

/// How many links lead to an end.
fn into(network: &Network, end: End) -> usize {
    network.links.iter().filter(|link| link.to == end).count()
}

fn packet(packet: &Packet, findings: &mut Vec<Diagnostic>) {
    word(&packet.name, findings);
    packet.fields.iter().for_each(|field| word(&field.name, findings));
}

fn pipe(pipe: &Pipe, findings: &mut Vec<Diagnostic>) {
    word(&pipe.name, findings);
    for port in &pipe.ports {
        word(&port.name, findings);
        if MEMBERS.contains(&port.name.text.as_str()) {
            findings.push(errors::member_is_there(&port.name));
        }
    }
    let pulls = |port: &&xip::Port| port.polarity.is_some_and(|polarity| polarity.value == Polarity::Pull);
    let inports: Vec<_> =
        pipe.ports.iter().filter(|port| port.direction == Direction::In && !port.is_polled()).collect();
    let pulled = inports.iter().copied().find(pulls);
    let pushed = inports.iter().copied().find(|port| !pulls(port));
    if let (Some(pulled), Some(pushed)) = (pulled, pushed) {
        findings.push(errors::pulled_and_pushed(pipe, pulled, pushed));
    }
}

fn middles(pipes: &[&Pipe], findings: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<String, Name> = BTreeMap::new();
    let of_pipe = |pipe: &&'_ Pipe| {
        let middle = pipe.middle.iter().map(|middle| middle.function.clone());
        middle.chain(pipe.timers.iter().map(|timer| timer.function.clone())).collect::<Vec<Name>>()
    };
    for name in pipes.iter().flat_map(of_pipe) {
        function(&name, findings);
        match known.get(&name.text) {
            Some(first) => findings.push(errors::middle_of_two(&name, first)),
            None => {
                known.insert(name.text.clone(), name);
            }
        }
    }
}

fn function(name: &Name, findings: &mut Vec<Diagnostic>) {
    if naming::is_taken(&name.text) {
        findings.push(errors::function_is_there(name));
    }
}

fn word(name: &Name, findings: &mut Vec<Diagnostic>) {
    if naming::is_kept(&name.text) {
        findings.push(errors::kept_by_c(name));
    }
}

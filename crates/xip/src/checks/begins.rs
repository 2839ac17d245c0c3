//! Stages that wait for what only their own packets bring about: nothing begins there. A source begins by itself. A stage
//! that is called begins with a packet at any inport; one that pulls may ask for any of its inports first, and one that waits for
//! several needs them all, so each must have something to bring. What is polled is waited for by nobody.

use source::Diagnostic;

use crate::errors;
use crate::ir::{Direction, Polarity};
use crate::network::{End, Network, StageId};

use super::polarity::polarity;

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    // Behind an edge that makes no sense, stages seem to wait that do not.
    if !network.is_whole {
        return;
    }
    let begins = begins(network);
    let mut is_judged = begins.clone();
    for stage in 0..network.stages.len() {
        let mut way = Vec::new();
        let mut at = StageId(stage);
        // Backwards, to who is waited for, until a stage comes again: there the cycle is.
        while !std::mem::replace(&mut is_judged[at.0], true) {
            let Some((port, link)) = waited_for(network, at, &begins) else { break };
            way.push((at, port, link));
            at = network.links[link].from.stage;
        }
        let Some(first) = way.iter().position(|(stage, ..)| *stage == at) else { continue };
        let links: Vec<_> = way[first..].iter().rev().map(|(_, _, link)| &network.links[*link]).collect();
        // Where every edge of it blocks, that is said.
        if links.iter().all(|link| super::cycles::blocks(link)) {
            continue;
        }
        let names: Vec<String> = links.iter().map(|link| network.link_name(link)).collect();
        let at = way[first..].iter().find(|(_, _, link)| network.links[*link].is_feedback).unwrap_or(&way[first]);
        findings.push(errors::nothing_begins(
            network,
            at.1,
            needs_each(network, at.0),
            &network.links[at.2],
            &names.join(", "),
        ));
    }
}

/// Whether each stage can be given its first packet, or needs none.
fn begins(network: &Network) -> Vec<bool> {
    let mut waits: Vec<usize> = (0..network.stages.len()).map(|stage| waits(network, StageId(stage))).collect();
    let mut open: Vec<StageId> = (0..waits.len()).filter(|stage| waits[*stage] == 0).map(StageId).collect();
    let mut is_fed = std::collections::BTreeSet::new();
    while let Some(stage) = open.pop() {
        for link in network.links_from(stage) {
            let to = network.links[link].to;
            let counts = !network.port(to).is_polled() && waits[to.stage.0] > 0 && is_fed.insert(to);
            if counts {
                let left = &mut waits[to.stage.0];
                *left = if needs_each(network, to.stage) { *left - 1 } else { 0 };
                if *left == 0 {
                    open.push(to.stage);
                }
            }
        }
    }
    waits.into_iter().map(|left| left == 0).collect()
}

/// The inports that a stage may wait at before it sends anything: not those that are polled, or without an edge.
fn waiting(network: &Network, stage: StageId) -> impl Iterator<Item = End> {
    let waits = |end: &End| !network.port(*end).is_polled() && network.is_joined(*end);
    network.ends(stage, Direction::In).into_iter().filter(waits)
}

/// Whether a packet of one of them is not enough.
fn needs_each(network: &Network, stage: StageId) -> bool {
    network.stage(stage).pipe.gathers().is_some()
        || waiting(network, stage).any(|end| polarity(network.port(end)) == Polarity::Pull)
}

/// At how many of them something must have come.
fn waits(network: &Network, stage: StageId) -> usize {
    let count = waiting(network, stage).count();
    if needs_each(network, stage) { count } else { count.min(1) }
}

/// An inport of a stage that waits for ever, and the link from one that does so, too.
fn waited_for(network: &Network, stage: StageId, begins: &[bool]) -> Option<(End, usize)> {
    let is_dry = |end: &End| {
        let mut into = network.links_into(stage).filter(|link| network.links[*link].to == *end);
        into.all(|link| !begins[network.links[link].from.stage.0])
    };
    let port = waiting(network, stage).find(is_dry)?;
    let link = network.links_into(stage).find(|link| network.links[*link].to == port)?;
    Some((port, link))
}

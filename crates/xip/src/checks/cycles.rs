//! Cycles in which everybody may wait for everybody: every edge of them blocks its sender when it is full.

use std::collections::BTreeMap;

use source::Diagnostic;

use crate::contract::WhenFull;
use crate::errors;
use crate::network::{Link, Network, StageId};

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    let mut is_free = vec![false; network.stages.len()];
    network.in_order(blocks).into_iter().for_each(|stage| is_free[stage.0] = true);
    for begin in 0..network.stages.len() {
        if is_free[begin] {
            continue;
        }
        let (cycle, passed) = backwards(network, StageId(begin), &is_free);
        passed.into_iter().for_each(|stage| is_free[stage.0] = true);
        if cycle.is_empty() {
            continue;
        }
        let links: Vec<&Link> = cycle.iter().map(|link| &network.links[*link]).collect();
        let names: Vec<String> = links.iter().map(|link| network.link_name(link)).collect();
        findings.push(errors::blocks_for_ever(&links, &names.join(", ")));
    }
}

pub(super) fn blocks(link: &Link) -> bool {
    link.contract.when_full() == WhenFull::Block
}

/// Goes back from a stage, over links that block, until it comes where it was: the links of that cycle in their order,
/// none where the way ends, and every stage that was passed.
fn backwards(network: &Network, begin: StageId, is_free: &[bool]) -> (Vec<usize>, Vec<StageId>) {
    let (mut passed, mut way, mut at) = (Vec::new(), Vec::new(), begin);
    let mut seen = BTreeMap::new();
    loop {
        if let Some(first) = seen.insert(at, way.len()) {
            let mut cycle: Vec<usize> = way.split_off(first);
            cycle.reverse();
            return (cycle, passed);
        }
        passed.push(at);
        let counts = |link: &usize| blocks(&network.links[*link]) && !is_free[network.links[*link].from.stage.0];
        let Some(before) = network.links_into(at).find(counts) else { return (Vec::new(), passed) };
        way.push(before);
        at = network.links[before].from.stage;
    }
}

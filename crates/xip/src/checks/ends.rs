//! Ports that no edge is joined to: what leaves there would be lost, what is waited for there never comes.

use source::Diagnostic;

use crate::errors;
use crate::ir::Direction;
use crate::network::{Network, StageId};

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    // Behind an edge that makes no sense, ports seem loose that are not.
    if !network.is_whole {
        return;
    }
    for id in (0..network.stages.len()).map(StageId) {
        for end in network.ends(id, Direction::In) {
            if !network.links_into(id).any(|link| network.links[link].to == end) {
                findings.push(errors::never_fed(network.stage(id), network.port(end)));
            }
        }
        for end in network.ends(id, Direction::Out) {
            if network.links_at(end).is_empty() {
                findings.push(errors::leads_nowhere(network.stage(id), network.port(end)));
            }
        }
    }
}

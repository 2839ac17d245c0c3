//! Which edges lead back: a `latest` edge from a stage to one that its packets come from. In: a network. Out: marks at its
//! links. Why: what goes back does not travel on, so it holds up nobody and weakens no promise of the way forward. Source:
//! S. R. Kosaraju's strongly connected components, as in A. V. Aho, J. E. Hopcroft, J. D. Ullman, "Data Structures and
//! Algorithms", section 6.7.

use super::{Network, StageId};

/// Marks the links of a network.
pub(super) fn mark(network: &mut Network<'_>) {
    let component = components(network);
    let marks: Vec<(bool, bool)> = network
        .links
        .iter()
        .map(|link| {
            let goes_round = component[link.from.stage.0] == component[link.to.stage.0];
            let is_feedback = link.contract.keeps_latest() && goes_round;
            (is_feedback, is_feedback || network.port(link.to).is_polled())
        })
        .collect();
    for (link, (is_feedback, is_control)) in network.links.iter_mut().zip(marks) {
        link.is_feedback = is_feedback;
        link.is_control = is_control;
    }
}

/// For each stage, a number that it shares with exactly those that it reaches and that reach it.
fn components(network: &Network<'_>) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut component = vec![NONE; network.stages.len()];
    for root in finished(network).into_iter().rev() {
        let mut open = vec![root];
        while let Some(stage) = open.pop() {
            if component[stage.0] == NONE {
                component[stage.0] = root.0;
                let before = network.links_into(stage).map(|link| network.links[link].from.stage);
                open.extend(before.filter(|stage| component[stage.0] == NONE));
            }
        }
    }
    component
}

/// The stages, each behind all that are reached from it and were not before.
fn finished(network: &Network<'_>) -> Vec<StageId> {
    let mut is_seen = vec![false; network.stages.len()];
    let mut order = Vec::with_capacity(network.stages.len());
    for root in 0..network.stages.len() {
        let mut way = Vec::new();
        if !std::mem::replace(&mut is_seen[root], true) {
            way.push((StageId(root), 0));
        }
        while let Some((stage, next)) = way.last_mut() {
            let Some(link) = network.outgoing[stage.0].get(*next) else {
                order.push(*stage);
                way.pop();
                continue;
            };
            *next += 1;
            let to = network.links[*link].to.stage;
            if !std::mem::replace(&mut is_seen[to.0], true) {
                way.push((to, 0));
            }
        }
    }
    order
}

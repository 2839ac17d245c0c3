//! Deadlines that are guarantees: every edge on the way is `direct`, and every middle says what it costs.

use source::{Diagnostic, Span};

use crate::contract::{Need, Transport};
use crate::errors;
use crate::measure::Duration;
use crate::network::{Network, StageId};

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    let latencies = latencies(network);
    for link in &network.links {
        for need in network.needs(link.to) {
            if let Need::Deadline { within, otherwise: None } = &need.value {
                guarantee(network, &latencies[link.to.stage.0], *within, need.span, findings);
            }
        }
        for need in &link.contract.needs {
            let Need::Deadline { within, otherwise: None } = &need.value else { continue };
            if link.contract.carrier() == Transport::Direct {
                guarantee(network, &latencies[link.to.stage.0], *within, need.span, findings);
            } else {
                findings.push(errors::no_guarantee_on(need.span, link, link.contract.carrier()));
            }
        }
    }
}

fn guarantee(
    network: &Network,
    latency: &Result<u64, Unknown>,
    within: Duration,
    said: Span,
    findings: &mut Vec<Diagnostic>,
) {
    match latency {
        Ok(latency) if *latency > within.microseconds() => findings.push(errors::too_late(said, within, *latency)),
        Ok(_) => {}
        Err(Unknown::Link(number)) => {
            let link = &network.links[*number];
            findings.push(errors::no_guarantee_on(said, link, link.contract.carrier()));
        }
        Err(Unknown::Cost(stage)) => findings.push(errors::no_cost(said, network.stage(*stage))),
        // Said by another rule.
        Err(Unknown::Cycle) => {}
    }
}

/// Why a latency is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// A link over which nothing is guaranteed.
    Link(usize),
    /// A middle that does not say what it costs.
    Cost(StageId),
    Cycle,
}

/// For each stage, the most microseconds from any source to its inports, all middles before it included.
pub(crate) fn latencies(network: &Network) -> Vec<Result<u64, Unknown>> {
    let mut latencies: Vec<Result<u64, Unknown>> = vec![Err(Unknown::Cycle); network.stages.len()];
    for stage in network.in_order(|_| true) {
        let through = |number: usize| -> Result<u64, Unknown> {
            let link = &network.links[number];
            if link.contract.carrier() != Transport::Direct {
                return Err(Unknown::Link(number));
            }
            let from = link.from.stage;
            let cost = cost(network, from)?;
            let beside = beside(network, number)?;
            Ok(latencies[from.0]?.saturating_add(cost).saturating_add(beside))
        };
        let all: Result<Vec<u64>, Unknown> = network.links_into(stage).map(through).collect();
        latencies[stage.0] = all.map(|all| all.into_iter().max().unwrap_or(0));
    }
    latencies
}

/// The most microseconds that a stage's middle takes by itself.
fn cost(network: &Network, stage: StageId) -> Result<u64, Unknown> {
    let cost = network.stage(stage).pipe.middle.as_ref().and_then(|middle| middle.cost);
    Ok(cost.ok_or(Unknown::Cost(stage))?.value.microseconds())
}

/// Calls that one packet may lead to; more are those of packets that go round.
const MOST_CALLS: usize = 100_000;

/// What a packet on a `direct` link may wait for: a sender calls its receivers one after the other, each with all that it
/// calls in turn.
fn beside(network: &Network, number: usize) -> Result<u64, Unknown> {
    let is_call = |link: &usize| network.links[*link].contract.carrier() == Transport::Direct;
    let siblings = network.links_from(network.links[number].from.stage).filter(|link| *link != number).filter(is_call);
    let mut open: Vec<StageId> = siblings.map(|link| network.links[link].to.stage).collect();
    let (mut sum, mut visits) = (0_u64, 0);
    while let Some(stage) = open.pop() {
        visits += 1;
        if visits > MOST_CALLS {
            return Err(Unknown::Cycle);
        }
        sum = sum.saturating_add(cost(network, stage)?);
        open.extend(network.links_from(stage).filter(is_call).map(|link| network.links[link].to.stage));
    }
    Ok(sum)
}

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
            let is_guarantee = matches!(need.value, Need::Deadline { otherwise: None, .. });
            if is_guarantee && link.contract.carrier() != Transport::Direct {
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
            let cost = network.stage(from).pipe.middle.as_ref().and_then(|middle| middle.cost);
            let cost = cost.ok_or(Unknown::Cost(from))?.value.microseconds();
            Ok(latencies[from.0]?.saturating_add(cost))
        };
        let all: Result<Vec<u64>, Unknown> = network.links_into(stage).map(through).collect();
        latencies[stage.0] = all.map(|all| all.into_iter().max().unwrap_or(0));
    }
    latencies
}

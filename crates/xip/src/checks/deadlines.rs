//! Deadlines that are guarantees: every edge on the way is `direct`, and every middle says what it costs.

use source::{Diagnostic, Span};

use crate::contract::{Need, Transport};
use crate::errors;
use crate::measure::Duration;
use crate::network::{Network, StageId};

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    for link in &network.links {
        for need in &network.port(link.to).needs {
            if let Need::Deadline { within, otherwise: None } = &need.value {
                guarantee(network, link.to.stage, *within, need.span, findings);
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

fn guarantee(network: &Network, at: StageId, within: Duration, said: Span, findings: &mut Vec<Diagnostic>) {
    match longest(network, at, &mut Vec::new()) {
        Ok(latency) if latency > within.microseconds() => findings.push(errors::too_late(said, within, latency)),
        Ok(_) => {}
        Err(Unknown::Link(number)) => {
            let link = &network.links[number];
            findings.push(errors::no_guarantee_on(said, link, link.contract.carrier()));
        }
        Err(Unknown::Cost(stage)) => findings.push(errors::no_cost(said, network.stage(stage))),
        // Said by another rule.
        Err(Unknown::Cycle) => {}
    }
}

/// Why a latency is not known.
pub(crate) enum Unknown {
    /// A link over which nothing is guaranteed.
    Link(usize),
    /// A middle that does not say what it costs.
    Cost(StageId),
    Cycle,
}

/// The most microseconds from any source to a stage's inports, all middles before it included.
pub(crate) fn longest(network: &Network, to: StageId, open: &mut Vec<StageId>) -> Result<u64, Unknown> {
    if open.contains(&to) {
        return Err(Unknown::Cycle);
    }
    open.push(to);
    let mut most = 0;
    for number in network.links_into(to) {
        let link = &network.links[number];
        if link.contract.carrier() != Transport::Direct {
            return Err(Unknown::Link(number));
        }
        let from = link.from.stage;
        let cost = network.stage(from).pipe.middle.as_ref().and_then(|middle| middle.cost);
        let cost = cost.ok_or(Unknown::Cost(from))?.value.microseconds();
        most = most.max(longest(network, from, open)?.saturating_add(cost));
    }
    open.pop();
    Ok(most)
}

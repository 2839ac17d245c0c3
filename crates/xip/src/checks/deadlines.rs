//! Deadlines that are guarantees: every edge on the way is `direct`, and every middle says what it costs.

use source::{Diagnostic, Span};

use crate::contract::Need;
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
            if link.contract.transport().is_call() {
                guarantee(network, &latencies[link.to.stage.0], *within, need.span, findings);
            } else {
                findings.push(errors::no_guarantee_on(need.span, link, link.contract.transport()));
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
            findings.push(errors::no_guarantee_on(said, link, link.contract.transport()));
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
    let calls = Calls::new(network);
    let beside: Vec<Beside> = (0..network.stages.len()).map(|stage| calls.beside(network, StageId(stage))).collect();
    for stage in network.in_order(|link| !link.is_control) {
        let through = |number: usize| -> Result<u64, Unknown> {
            let link = &network.links[number];
            if !link.contract.transport().is_call() {
                return Err(Unknown::Link(number));
            }
            let from = link.from.stage;
            let cost = cost(network, from)?;
            let beside = beside[from.0].without(number, calls.of[link.to.stage.0])?;
            Ok(latencies[from.0]?.saturating_add(cost).saturating_add(beside))
        };
        let links = network.links_into(stage).filter(|link| !network.links[*link].is_control);
        let all: Result<Vec<u64>, Unknown> = links.map(through).collect();
        latencies[stage.0] = all.map(|all| all.into_iter().max().unwrap_or(0));
    }
    latencies
}

/// The most microseconds that a stage's middle takes by itself.
fn cost(network: &Network, stage: StageId) -> Result<u64, Unknown> {
    let cost = network.stage(stage).pipe.middle.as_ref().and_then(|middle| middle.cost);
    Ok(cost.ok_or(Unknown::Cost(stage))?.value.microseconds())
}

/// What one packet makes a stage and all that it calls, over `direct` links, take.
struct Calls {
    of: Vec<Result<u64, Unknown>>,
}

impl Calls {
    /// Callees before their callers, each stage once, however many ways lead to it.
    fn new(network: &Network) -> Calls {
        let mut of: Vec<Option<Result<u64, Unknown>>> = vec![None; network.stages.len()];
        let mut is_open = vec![false; network.stages.len()];
        for root in 0..network.stages.len() {
            let mut open = vec![(StageId(root), false)];
            while let Some((stage, callees_known)) = open.pop() {
                if of[stage.0].is_some() {
                    continue;
                }
                if callees_known {
                    // A callee that is not known yet is a caller, too.
                    let callees = callees(network, stage).map(|to| of[to.0].unwrap_or(Err(Unknown::Cycle)));
                    let sum = callees.rev().try_fold(0_u64, |sum, callee| Ok(sum.saturating_add(callee?)));
                    let own = cost(network, stage);
                    of[stage.0] = Some(own.and_then(|own| Ok(own.saturating_add(sum?))));
                } else if !std::mem::replace(&mut is_open[stage.0], true) {
                    open.push((stage, true));
                    let unknown = callees(network, stage).filter(|to| of[to.0].is_none() && !is_open[to.0]);
                    open.extend(unknown.map(|to| (to, false)));
                }
            }
        }
        Calls { of: of.into_iter().map(|known| known.unwrap_or(Err(Unknown::Cycle))).collect() }
    }

    /// What a packet on each `direct` link out of a stage may wait for: a sender calls its receivers one after the other,
    /// each with all that it calls in turn.
    fn beside(&self, network: &Network, stage: StageId) -> Beside {
        let mut beside = Beside { sum: 0, unknown: Vec::new() };
        for (number, to) in direct(network, stage) {
            match self.of[to.0] {
                Ok(time) => beside.sum += u128::from(time),
                Err(why) => beside.unknown.push((number, why)),
            }
        }
        beside
    }
}

/// The receivers of a stage together.
struct Beside {
    sum: u128,
    /// Of the links over which the time is not known.
    unknown: Vec<(usize, Unknown)>,
}

impl Beside {
    /// The same without one of them.
    fn without(&self, number: usize, own: Result<u64, Unknown>) -> Result<u64, Unknown> {
        if let Some((_, why)) = self.unknown.iter().rev().take(2).find(|(other, _)| *other != number) {
            return Err(*why);
        }
        Ok(u64::try_from(self.sum - u128::from(own.unwrap_or(0))).unwrap_or(u64::MAX))
    }
}

fn direct(network: &Network, stage: StageId) -> impl DoubleEndedIterator<Item = (usize, StageId)> {
    let links = network.outgoing_of(stage).iter().copied();
    links.filter(|link| network.links[*link].is_call()).map(|link| (link, network.links[link].to.stage))
}

fn callees(network: &Network, stage: StageId) -> impl DoubleEndedIterator<Item = StageId> {
    direct(network, stage).map(|(_, to)| to)
}

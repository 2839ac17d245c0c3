//! What ports need: inports against all that packets pass on the way to them, outports against the edges that leave them.

use std::collections::BTreeMap;

use source::{Diagnostic, Span};

use crate::contract::{Delivery, Need, Otherwise};
use crate::errors;
use crate::name::Spanned;
use crate::network::{End, Network};

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    for (number, link) in network.links.iter().enumerate() {
        let own = link.contract.needs.iter().map(|need| (need, false));
        for (need, whole_way) in network.needs(link.to).map(|need| (need, true)).chain(own) {
            let ways = || if whole_way { upstream(network, number) } else { Ways::one(number) };
            match &need.value {
                Need::Delivery(least) => delivery(network, link.to, *least, need.span, &ways(), findings),
                Need::Ordered => order(network, link.to, need.span, &ways(), findings),
                Need::Rate { .. } | Need::Deadline { .. } | Need::Priority(_) => {}
            }
        }
        for need in network.needs(link.from) {
            match &need.value {
                Need::Delivery(least) => {
                    delivery(network, link.from, *least, need.span, &Ways::one(number), findings);
                }
                Need::Deadline { .. } => findings.push(errors::deadline_at_outport(need.span, network.port(link.from))),
                Need::Ordered | Need::Rate { .. } | Need::Priority(_) => {}
            }
        }
    }
}

/// Links from which packets come to one.
struct Ways {
    /// Nearest first.
    links: Vec<usize>,
    /// For each but the last, the link behind it on the way.
    onward: BTreeMap<usize, usize>,
}

impl Ways {
    fn one(last: usize) -> Ways {
        Ways { links: vec![last], onward: BTreeMap::new() }
    }

    /// The way from a link on.
    fn from(&self, link: usize) -> Vec<usize> {
        let next = |link: &usize| self.onward.get(link).copied();
        std::iter::successors(Some(link), next).collect()
    }
}

/// Every link from which packets come to `last`.
fn upstream(network: &Network, last: usize) -> Ways {
    let mut ways = Ways::one(last);
    let mut next = 0;
    while let Some(link) = ways.links.get(next).copied() {
        next += 1;
        // What is only looked at by the way is not what is sent on.
        let before = network.links_into(network.links[link].from.stage);
        for before in before.filter(|before| !network.links[*before].is_control) {
            if before != last && !ways.onward.contains_key(&before) {
                ways.onward.insert(before, link);
                ways.links.push(before);
            }
        }
    }
    ways
}

fn delivery(network: &Network, at: End, least: Delivery, said: Span, ways: &Ways, findings: &mut Vec<Diagnostic>) {
    let weak = ways.links.iter().enumerate().find_map(|(distance, link)| {
        let (delivers, place) = delivered(network, *link, distance > 0);
        (delivers < least).then_some((*link, delivers, place))
    });
    let Some((weak, delivers, place)) = weak else { return };
    findings.push(errors::delivers_less(
        &network.end_name(at),
        (least, said),
        (&network.link_name(&network.links[weak]), delivers, place),
        &spelled(network, &ways.from(weak)),
    ));
}

/// What of a link's packets goes on behind it, and where that is said. What a port drops because it is late, it drops by
/// its own wish; for others behind it, it is gone.
fn delivered(network: &Network, link: usize, is_before: bool) -> (Delivery, Span) {
    let link = &network.links[link];
    let is_dropping = |need: &&Spanned<Need>| {
        matches!(&need.value, Need::Deadline { otherwise: Some(Otherwise::Drop), .. }) && is_before
    };
    if let Some(late) = network.needs(link.to).chain(&link.contract.needs).find(is_dropping) {
        return (Delivery::BestEffort, late.span);
    }
    let place = match (link.contract.full, link.contract.delivery) {
        (_, Some(delivery)) => delivery.span,
        (Some(full), None) => full.span,
        (None, None) => link.span,
    };
    (link.contract.delivers(), place)
}

/// Where several links meet, nothing says in which order their packets go on.
fn order(network: &Network, at: End, said: Span, ways: &Ways, findings: &mut Vec<Diagnostic>) {
    let meets = |link: &&usize| {
        let to = network.links[**link].to;
        network.links_into(to.stage).filter(|link| network.links[*link].to == to).count() > 1
    };
    let Some(link) = ways.links.iter().find(meets) else { return };
    let to = network.links[*link].to;
    let several: Vec<Span> = network.links.iter().filter(|link| link.to == to).map(|link| link.span).collect();
    findings.push(errors::loses_order(&network.end_name(at), said, &network.end_name(to), &several));
}

/// `camera.f -> gray.a, gray.b -> screen.f`.
fn spelled(network: &Network, way: &[usize]) -> String {
    way.iter().map(|link| network.link_name(&network.links[*link])).collect::<Vec<_>>().join(", ")
}

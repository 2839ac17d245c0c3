//! What inports need, against all that packets pass on the way to them.

use std::collections::BTreeMap;

use source::{Diagnostic, Span};

use crate::contract::{Delivery, Need};
use crate::errors;
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
        for before in network.links_into(network.links[link].from.stage) {
            if before != last && !ways.onward.contains_key(&before) {
                ways.onward.insert(before, link);
                ways.links.push(before);
            }
        }
    }
    ways
}

fn delivery(network: &Network, at: End, least: Delivery, said: Span, ways: &Ways, findings: &mut Vec<Diagnostic>) {
    let weak = ways.links.iter().find(|link| network.links[**link].contract.delivers() < least);
    let Some(weak) = weak else { return };
    let link = &network.links[*weak];
    let place = match (link.contract.full, link.contract.delivery) {
        (_, Some(delivery)) => delivery.span,
        (Some(full), None) => full.span,
        (None, None) => link.span,
    };
    findings.push(errors::delivers_less(
        &network.end_name(at),
        (least, said),
        (&network.link_name(link), link.contract.delivers(), place),
        &spelled(network, &ways.from(*weak)),
    ));
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

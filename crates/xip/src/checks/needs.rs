//! What inports need, against all that packets pass on the way to them.

use std::collections::BTreeSet;

use source::{Diagnostic, Span};

use crate::contract::{Delivery, Need};
use crate::errors;
use crate::network::{End, Network};

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    for (number, link) in network.links.iter().enumerate() {
        let own = link.contract.needs.iter().map(|need| (need, false));
        for (need, whole_way) in network.port(link.to).needs.iter().map(|need| (need, true)).chain(own) {
            let way = if whole_way { upstream(network, number) } else { vec![vec![number]] };
            match &need.value {
                Need::Delivery(least) => delivery(network, link.to, *least, need.span, &way, findings),
                Need::Ordered => order(network, link.to, need.span, &way, findings),
                Need::Rate { .. } | Need::Deadline { .. } | Need::Priority(_) => {}
            }
        }
    }
}

/// Every link from which packets come to `last`, nearest first, each with the way from it to there.
fn upstream(network: &Network, last: usize) -> Vec<Vec<usize>> {
    let mut ways = vec![vec![last]];
    let mut seen = BTreeSet::from([last]);
    let mut next = 0;
    while let Some(way) = ways.get(next).cloned() {
        next += 1;
        let stage = network.links[way[0]].from.stage;
        for before in network.links_into(stage) {
            if seen.insert(before) {
                ways.push([vec![before], way.clone()].concat());
            }
        }
    }
    ways
}

fn delivery(
    network: &Network,
    at: End,
    least: Delivery,
    said: Span,
    ways: &[Vec<usize>],
    findings: &mut Vec<Diagnostic>,
) {
    let weak = ways.iter().find(|way| network.links[way[0]].contract.delivers() < least);
    let Some(way) = weak else { return };
    let link = &network.links[way[0]];
    let place = match (link.contract.full, link.contract.delivery) {
        (_, Some(delivery)) => delivery.span,
        (Some(full), None) => full.span,
        (None, None) => link.span,
    };
    findings.push(errors::delivers_less(
        &network.end_name(at),
        (least, said),
        (&network.link_name(link), link.contract.delivers(), place),
        &spelled(network, way),
    ));
}

/// Where several links meet, nothing says in which order their packets go on.
fn order(network: &Network, at: End, said: Span, ways: &[Vec<usize>], findings: &mut Vec<Diagnostic>) {
    let meets = |way: &&Vec<usize>| {
        let to = network.links[way[0]].to;
        network.links.iter().filter(|link| link.to == to).count() > 1
    };
    let Some(way) = ways.iter().find(meets) else { return };
    let to = network.links[way[0]].to;
    let several: Vec<Span> = network.links.iter().filter(|link| link.to == to).map(|link| link.span).collect();
    findings.push(errors::loses_order(&network.end_name(at), said, &network.end_name(to), &several));
}

/// `camera.f -> gray.a, gray.b -> screen.f`.
fn spelled(network: &Network, way: &[usize]) -> String {
    way.iter().map(|link| network.link_name(&network.links[*link])).collect::<Vec<_>>().join(", ")
}

//! Clauses of one contract that contradict each other, or the transport.

use source::{Diagnostic, Span};

use super::Options;
use crate::contract::{Contract, Delivery, Need, QueueUnit, WhenFull};
use crate::errors;
use crate::network::{Link, Network, Types};
use crate::transport::Reach;

pub(super) fn check(network: &Network, types: &Types, options: &Options, findings: &mut Vec<Diagnostic>) {
    for link in &network.links {
        delivery(link, findings);
        place(network, link, findings);
        carried(link, findings);
        room(link.contract, findings);
        latest(link.contract, findings);
        if link.channel.is_none() {
            let of = |span: &Option<Span>, what| span.map(|span| errors::wants_of_no_channel(span, what));
            let select = link.contract.select.as_ref().map(|select| select.span);
            let filter = link.contract.filter.as_ref().map(|filter| filter.span);
            findings.extend(of(&select, "fields").into_iter().chain(of(&filter, "packets")));
        }
        one_packet(link, types.largest(&network.carried(link).text), findings);
        if let Some(encoding) = &link.contract.encoding
            && !options.encodings.contains(&encoding.text.as_str())
        {
            findings.push(errors::unknown_encoding(encoding, options.encodings));
        }
        let carrier = link.contract.transport();
        if let (Some(encoding), Some(_)) = (&link.contract.encoding, carrier.traits().encodes) {
            findings.push(errors::encodes_itself(encoding, carrier));
        }
    }
}

/// What is delivered, against what drops and what carries.
fn delivery(link: &Link, findings: &mut Vec<Diagnostic>) {
    let contract = link.contract;
    let delivers = contract.delivers();
    if let (Some(full), Some(said)) = (contract.full, contract.delivery)
        && full.value != WhenFull::Block
        && said.value != Delivery::BestEffort
    {
        findings.push(errors::drops_and_delivers(full.span, full.value, said.span, said.value));
    }
    if delivers == Delivery::Durable && !contract.transport().traits().keeps {
        let said = contract.delivery.map_or(link.span, |delivery| delivery.span);
        let carrier = contract.transport_span(link.span);
        findings.push(errors::forgets(said, carrier, contract.transport()));
    }
}

/// Whether the transport reaches from one stage's machine to the other's.
fn place(network: &Network, link: &Link, findings: &mut Vec<Diagnostic>) {
    let (from, to) = (network.stage(link.from.stage), network.stage(link.to.stage));
    let carrier = link.contract.transport();
    let stays = carrier.traits().reach != Reach::Network;
    if stays && from.node != to.node {
        findings.push(errors::does_not_reach(link.contract.transport_span(link.span), carrier, from, to));
    }
}

/// Clauses that mean something with some transports only.
fn carried(link: &Link, findings: &mut Vec<Diagnostic>) {
    let contract = link.contract;
    let carrier = contract.transport();
    if let (Some(trusted), false) = (contract.trusted, carrier.traits().shares_memory) {
        findings.push(errors::trusts_nothing(trusted.span, carrier));
    }
    if let Some(address) = &contract.address {
        if !carrier.traits().has_address {
            findings.push(errors::address_of_nothing(address.span, carrier));
        } else if contract.at().is_none() {
            findings.push(errors::no_address(address));
        }
    }
    let goes_alone = carrier.traits().alone.is_some() && !carrier.is_call();
    if let Some(batch) = contract.batch.filter(|_| goes_alone) {
        findings.push(errors::goes_by_itself(batch.span, carrier));
    }
    if !link.is_call() {
        return;
    }
    let queue = contract.queue.map(|queue| (queue.span, "queue"));
    let batch = contract.batch.map(|batch| (batch.span, "batch"));
    let drops = contract.full.filter(|full| full.value != WhenFull::Block).map(|full| (full.span, "drop"));
    let encoding = contract.encoding.as_ref().map(|encoding| (encoding.span, "encode"));
    let faulty = contract.faulty.map(|faulty| (faulty.span, "faulty"));
    for (span, clause) in [queue, batch, drops, faulty, encoding].into_iter().flatten() {
        findings.push(errors::nothing_waits(span, clause));
    }
}

/// Clauses about what waits, where only the newest packet does.
fn latest(contract: &Contract, findings: &mut Vec<Diagnostic>) {
    let Some(full) = contract.full.filter(|_| contract.keeps_latest()) else { return };
    let queue = contract.queue.map(|queue| (queue.span, "queue"));
    let batch = contract.batch.map(|batch| (batch.span, "batch"));
    let rate =
        contract.needs.iter().find(|need| matches!(need.value, Need::Rate { .. })).map(|need| (need.span, "rate"));
    for (span, clause) in [queue, batch, rate].into_iter().flatten() {
        findings.push(errors::newest_alone(span, clause, full.span));
    }
}

/// A queue in bytes that the largest packet does not fit into.
fn one_packet(link: &Link, largest: Option<u64>, findings: &mut Vec<Diagnostic>) {
    let Some(queue) = link.contract.queue.filter(|queue| queue.value.unit == QueueUnit::Bytes) else { return };
    if let Some(largest) = largest.filter(|largest| queue.value.count > 0 && *largest > queue.value.count) {
        findings.push(errors::no_room_for_one(queue.span, largest));
    }
}

/// Bounds that leave no room.
fn room(contract: &Contract, findings: &mut Vec<Diagnostic>) {
    if let Some(queue) = contract.queue.filter(|queue| queue.value.count == 0) {
        findings.push(errors::no_room(queue.span));
    }
    let Some(batch) = contract.batch else { return };
    let room = contract.room();
    if batch.value.items == 0 {
        findings.push(errors::empty_batch(batch.span));
    } else if room.unit == QueueUnit::Items && room.count > 0 && batch.value.items > room.count {
        let queue = contract.queue.map_or(batch.span, |queue| queue.span);
        findings.push(errors::batch_beyond_queue(batch.span, batch.value.items, queue, room.count));
    }
}

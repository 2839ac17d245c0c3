//! Who acts on a `direct` edge: exactly one side must, since nothing is between them that could wait or fetch.

use source::Diagnostic;

use crate::errors;
use crate::ir::{Polarity, Port};
use crate::network::Network;

/// Without a word of the user's, packets are pushed.
pub(super) fn polarity(port: &Port) -> Polarity {
    port.polarity.map_or(Polarity::Push, |polarity| polarity.value)
}

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    for link in network.links.iter().filter(|link| link.is_call()) {
        let (from, to) = (network.port(link.from), network.port(link.to));
        match (polarity(from), polarity(to)) {
            (_, Polarity::Poll) => findings.push(errors::nothing_to_poll(link, to)),
            (Polarity::Push, Polarity::Pull) => findings.push(errors::both_act(link, from, to)),
            (Polarity::Pull, Polarity::Push) => findings.push(errors::nobody_acts(link, from, to)),
            _ => {}
        }
    }
}

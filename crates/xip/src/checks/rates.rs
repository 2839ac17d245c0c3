//! Rates that an edge cannot carry: what a stage sends steadily, against what the edge and the port behind it take.
//! Where the edge blocks, the excess would hold up a sender that cannot be held up; where it drops, that is what was
//! asked for.

use source::{Diagnostic, Span};

use crate::contract::{Need, Relation, WhenFull};
use crate::errors;
use crate::measure::Rate;
use crate::network::{End, Network, StageId, Types};

pub(super) fn check(network: &Network, types: &Types, findings: &mut Vec<Diagnostic>) {
    let rates = Rates::new(network, types);
    for link in network.links.iter().filter(|link| link.contract.when_full() == WhenFull::Block) {
        let Some((offered, said)) = rates.leaving(link.from) else { continue };
        let to = network.port(link.to);
        for need in link.contract.needs.iter().chain(&to.needs) {
            let Need::Rate { rate, .. } = &need.value else { continue };
            let Some(taken) = items(types, rate, &to.ty.text) else { continue };
            if offered > taken {
                let size = rate.bytes().and_then(|_| types.largest(&to.ty.text));
                let name = network.link_name(link);
                findings.push(errors::too_fast(&name, (offered, said), (rate, need.span), size));
            }
        }
    }
}

/// A rate in packets of a type; bytes count at the packet's largest.
fn items(types: &Types, rate: &Rate, ty: &str) -> Option<u64> {
    match rate.bytes() {
        None => rate.items(),
        Some(bytes) => Some(bytes / types.largest(ty)?.max(1)),
    }
}

struct Rates<'a, 'b> {
    network: &'b Network<'a>,
    types: &'b Types<'a>,
    /// What comes to each stage steadily, and the place that says so; nothing where not all of it is known.
    arriving: Vec<Option<(u64, Span)>>,
}

impl<'a, 'b> Rates<'a, 'b> {
    fn new(network: &'b Network<'a>, types: &'b Types<'a>) -> Self {
        let mut rates = Rates { network, types, arriving: vec![None; network.stages.len()] };
        for stage in network.in_order(|_| true) {
            rates.arriving[stage.0] = rates.arrives(stage);
        }
        rates
    }

    /// Packets a second that leave an outport steadily: what the port says of itself, or else what arrives at the stage.
    fn leaving(&self, end: End) -> Option<(u64, Span)> {
        let port = self.network.port(end);
        let said = port.needs.iter().find_map(|need| match &need.value {
            Need::Rate { relation, rate } => Some((*relation, rate, need.span)),
            _ => None,
        });
        match said {
            Some((Relation::Exactly, rate, span)) => Some((items(self.types, rate, &port.ty.text)?, span)),
            // A port that sends at most so many can be held up.
            Some((Relation::AtMost, ..)) => None,
            None => self.arriving[end.stage.0],
        }
    }

    fn arrives(&self, stage: StageId) -> Option<(u64, Span)> {
        let mut whole: Option<(u64, Span)> = None;
        for number in self.network.links_into(stage) {
            let link = &self.network.links[number];
            let (rate, span) = self.leaving(link.from)?;
            // What an edge drops does not arrive; how much that is depends on the receiver.
            if link.contract.when_full() != WhenFull::Block {
                return None;
            }
            whole = Some(whole.map_or((rate, span), |(sum, first)| (sum.saturating_add(rate), first)));
        }
        whole
    }
}

//! Rates that an edge cannot carry: what a stage sends steadily, against what the edge and the port behind it take.
//! Where the edge blocks, the excess would hold up a sender that cannot be held up; where it drops, that is what was
//! asked for.

use std::collections::BTreeSet;

use source::{Diagnostic, Span};

use crate::contract::{Need, Relation, WhenFull};
use crate::errors;
use crate::measure::Rate;
use crate::name::Spanned;
use crate::network::{End, Link, Network, StageId, Types};
use crate::wait::WaitPolicy;

pub(super) fn check(network: &Network, types: &Types, findings: &mut Vec<Diagnostic>) {
    let rates = Rates::new(network, types);
    let mut judged = BTreeSet::new();
    for link in network.links.iter().filter(|link| blocks(link)) {
        let ty = &network.port(link.to).ty.text;
        if let Some(offered) = rates.leaving(link.from) {
            compare(network, types, (link, offered), link.contract.needs.iter(), ty, findings);
        }
        // A port takes what all its edges bring together.
        if judged.insert(link.to)
            && let Some(offered) = rates.reaching(link.to)
        {
            compare(network, types, (link, offered), network.needs(link.to), ty, findings);
        }
    }
}

fn blocks(link: &Link) -> bool {
    link.contract.when_full() == WhenFull::Block
}

/// What is offered, against each rate that something takes at most.
fn compare<'a>(
    network: &Network,
    types: &Types,
    (link, (offered, said)): (&Link, (u64, Span)),
    needs: impl Iterator<Item = &'a Spanned<Need>>,
    ty: &str,
    findings: &mut Vec<Diagnostic>,
) {
    for need in needs {
        let Need::Rate { rate, .. } = &need.value else { continue };
        let Some(taken) = items(types, rate, ty) else { continue };
        if offered > taken {
            let size = rate.bytes().and_then(|_| types.largest(ty));
            let name = network.link_name(link);
            findings.push(errors::too_fast(&name, (offered, said), (rate, need.span), size));
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
        for stage in network.in_order(|link| !link.is_control) {
            rates.arriving[stage.0] = rates.arrives(stage);
        }
        rates
    }

    /// Packets a second that leave an outport steadily: what the port says of itself, or else what arrives at the stage.
    fn leaving(&self, end: End) -> Option<(u64, Span)> {
        let port = self.network.port(end);
        let said = self.network.needs(end).find_map(|need| match &need.value {
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

    /// What all edges that block bring to an inport, as far as it is known.
    fn reaching(&self, end: End) -> Option<(u64, Span)> {
        let links = self.network.links_into(end.stage).map(|number| &self.network.links[number]);
        let known = links.filter(|link| link.to == end && blocks(link)).filter_map(|link| self.leaving(link.from));
        known.reduce(|(sum, first), (rate, _)| (sum.saturating_add(rate), first))
    }

    fn arrives(&self, stage: StageId) -> Option<(u64, Span)> {
        let policy = self.network.stage(stage).pipe.gathers().map(|wait| wait.policy.value);
        let mut whole: Option<(u64, Span)> = None;
        let links = self.network.links_into(stage).map(|number| &self.network.links[number]);
        for link in links.filter(|link| !link.is_control) {
            let (rate, span) = self.leaving(link.from)?;
            // What an edge drops does not arrive; how much that is depends on the receiver.
            if link.contract.when_full() != WhenFull::Block {
                return None;
            }
            whole = match (policy, whole) {
                // How many have another is not known.
                (Some(WaitPolicy::Pair), _) => return None,
                // Of edges that meet at one of its ports, too: no more than the slowest of all brings is surely called.
                (Some(WaitPolicy::All), Some(least)) => Some(if rate < least.0 { (rate, span) } else { least }),
                (_, Some((sum, first))) => Some((sum.saturating_add(rate), first)),
                (_, None) => Some((rate, span)),
            };
        }
        whole
    }
}

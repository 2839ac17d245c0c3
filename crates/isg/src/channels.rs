//! The sender's side of a channel: all edges from one outport to the channel's subscribers, and what of the past a new one gets.
//! In: a stage. Out: `static struct whittle_flow_fan fan_…`, and the call by which a packet is given to all. Source:
//! `whittle_flow.h`; `xip::network::channels` (why a channel is edges).

use cast::build::{self, address, call, name};
use cast::{Declaration, Expression, Type};
use xip::{Channel, Direction, End, Network};

use crate::naming;
use crate::ports::born;
use crate::shorthand::{members, number, object, result};
use crate::stage::Stage;

/// The structure of the runtime.
pub(crate) const FAN: &str = "whittle_flow_fan";

/// The channels that an outport sends to, each with its links.
fn channels<'a>(network: &Network<'a>, end: End) -> Vec<(&'a Channel, Vec<usize>)> {
    let mut channels: Vec<(&'a Channel, Vec<usize>)> = Vec::new();
    for &link in network.links_at(end) {
        let Some(channel) = network.links[link].channel else { continue };
        match channels.iter_mut().find(|(known, _)| known.name == channel.name) {
            Some((_, links)) => links.push(link),
            None => channels.push((channel, vec![link])),
        }
    }
    channels
}

/// The one of the channel whose first link is given.
fn fan(network: &Network, first: usize) -> Expression {
    address(name(format!("fan_{}", naming::link(network, first)), Type::structure(FAN)))
}

/// The fans of a stage, each with what declares it.
pub(crate) fn declarations(stage: &Stage) -> Vec<(Expression, Vec<Declaration>)> {
    let network = stage.network;
    let outports = network.ends(stage.running.id, Direction::Out);
    let all = outports.into_iter().flat_map(|end| channels(network, end));
    all.map(|(channel, links)| {
        let word = naming::link(network, links[0]);
        let senders = links.iter().map(|link| stage.sender(*link)).collect();
        let element = Type::structure("whittle_flow_sender").pointer().constant();
        let list = format!("subscribers_{word}");
        let mut parts = vec![
            ("channel", build::text(channel.name.text.as_str())),
            ("senders", name(list.as_str(), Type::Void)),
            ("count", number(links.len() as u64)),
        ];
        if let Some(history) = channel.history {
            parts.push(("history", number(history.value)));
        }
        let declared = vec![
            object(list, Type::Array(Box::new(element), None), Some(build::braces(senders))),
            object(format!("fan_{word}"), Type::structure(FAN), Some(members(parts))),
        ];
        (fan(network, links[0]), declared)
    })
    .collect()
}

/// For each channel that an outport sends to, the call that gives a packet to all of its subscribers.
pub(crate) fn publish<'s>(
    stage: &'s Stage<'_>,
    end: End,
    port: &'s Expression,
) -> impl Iterator<Item = Expression> + 's {
    channels(stage.network, end).into_iter().map(move |(_, links)| {
        // The time of the packet's source, where any of the edges wants it.
        let stamped = links.iter().copied().find(|link| stage.stamped[*link]).unwrap_or(links[0]);
        call("whittle_flow_publish", vec![fan(stage.network, links[0]), port.clone(), born(stage, stamped)], result())
    })
}

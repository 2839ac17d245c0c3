//! Channels: each is a link from each of its senders to each of its subscribers. In: the edges of a flow that name a channel. Out:
//! these links, and findings. Why: what carries, counts and checks an edge does so for a channel, too; new is only that the
//! receiver comes and goes. Source: Eisenhauer, Bustamante and Schwan, "Event Services for High Performance Computing" (ECho:
//! channels without a broker, sources send to sinks themselves).

use super::End;
use super::build::{Builder, Scope, Target};
use crate::contract::{Contract, Delivery, QueueUnit};
use crate::errors;
use crate::flow::{Body, Channel, Edge, PortPath};
use crate::ir::Direction;

/// The channels of a body, with the edges that name them.
pub(super) struct Channels<'a> {
    pub(super) all: Vec<Joined<'a>>,
}

/// One channel, and what is joined to it.
pub(super) struct Joined<'a> {
    channel: &'a Channel,
    senders: Vec<End>,
    subscribers: Vec<(&'a Edge, Vec<End>)>,
    /// An edge to it, and one from it, whatever became of them.
    is_sent_to: bool,
    is_subscribed: bool,
}

impl<'a> Channels<'a> {
    pub(super) fn of(body: &'a Body) -> Channels<'a> {
        let joined = |channel| Joined {
            channel,
            senders: Vec::new(),
            subscribers: Vec::new(),
            is_sent_to: false,
            is_subscribed: false,
        };
        Channels { all: body.channels.iter().map(joined).collect() }
    }

    /// The channel that an edge names.
    pub(super) fn place(&self, edge: &Edge) -> Option<usize> {
        self.all.iter().position(|of| names(&edge.to, of.channel) || names(&edge.from, of.channel))
    }
}

fn names(path: &PortPath, channel: &Channel) -> bool {
    path.instance == channel.name
}

impl<'a> Builder<'a, '_> {
    /// An edge that sends to a channel, or subscribes.
    pub(super) fn channel_edge(&mut self, scope: &mut Scope<'a>, edge: &'a Edge, of: &mut Joined<'a>) {
        let sends = names(&edge.to, of.channel);
        let (own, other, direction) =
            if sends { (&edge.to, &edge.from, Direction::Out) } else { (&edge.from, &edge.to, Direction::In) };
        if sends {
            of.is_sent_to = true;
        } else {
            of.is_subscribed = true;
        }
        let is_a_channel = scope.body.channels.iter().any(|channel| names(other, channel));
        if own.port.is_some() || is_a_channel {
            let at = if is_a_channel { other } else { own };
            self.findings.push(errors::between_pipes(at, of.channel));
            return;
        }
        let Some(Target::Ends(ends)) = self.target(scope, other, direction) else { return };
        for end in &ends {
            let port = self.network.port(*end);
            if let (Some(fields), false) = (&edge.contract.select, sends) {
                self.findings.extend(self.types.selection(of.channel, fields, port).err().map(|finding| *finding));
            } else if let Err(why) = self.types.compare(&port.ty.text, &of.channel.ty.text) {
                self.findings.push(errors::other_packets(port, of.channel, other.span(), &why));
            }
        }
        if !sends {
            self.subscription(edge, of.channel);
            of.subscribers.push((edge, ends));
            return;
        }
        if edge.contract != Contract::default() {
            self.findings.push(errors::contract_of_sender(edge, of.channel));
        }
        of.senders.extend(ends);
    }

    /// What a subscription may promise: its receiver comes and goes, and nobody keeps its packets meanwhile.
    fn subscription(&mut self, edge: &'a Edge, channel: &'a Channel) {
        let contract = &edge.contract;
        let traits = contract.transport().traits();
        let at = contract.transport_span(edge.from.span().to(edge.to.span()));
        if !traits.has_subscribers {
            self.findings.push(errors::channel_via(at, contract.transport(), channel));
        }
        if let Some(full) = contract.full.filter(|_| contract.keeps_latest()) {
            self.findings.push(errors::channel_keeps_not(full.span, "latest", channel));
        }
        if let Some(said) = contract.delivery.filter(|said| said.value == Delivery::Durable) {
            self.findings.push(errors::channel_keeps_not(said.span, "durable", channel));
        }
        if let (Some(queue), Some(history)) = (contract.queue, channel.history)
            && queue.value.unit == QueueUnit::Items
            && queue.value.count < history.value
        {
            self.findings.push(errors::history_beyond_queue(queue.span, queue.value.count, history));
        }
    }

    /// The links of all channels.
    pub(super) fn join_channels(&mut self, channels: &Channels<'a>) {
        for of in &channels.all {
            if !of.is_sent_to || !of.is_subscribed {
                self.findings.push(errors::channel_of_nobody(of.channel, of.is_sent_to));
            }
            for (edge, ends) in &of.subscribers {
                self.join(edge, &of.senders, ends, Some(of.channel));
            }
        }
    }
}

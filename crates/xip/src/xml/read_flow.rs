//! From XML to XIP: what joins pipes, and what holds on an edge.

use super::reader::{Node, Reader};
use super::values::{self, Value};
use crate::{
    Application, Batch, Body, Channel, Contract, Delivery, Edge, Instance, Need, Otherwise, Queue, QueueUnit, Relation,
    Restart, RestartPolicy, RestartWhen, Spanned, Transport, WhenFaulty, WhenFull,
};

impl<'a> Reader<'a> {
    /// The inside of `<flow>` or `<body>`.
    pub(super) fn body(&mut self, element: Node<'a>) -> Body {
        let mut body = Body::default();
        for child in self.open(element) {
            match child.tag_name().name() {
                "instance" => body.instances.extend(self.instance(child)),
                "channel" => body.channels.extend(self.channel(child)),
                "edge" => body.edges.extend(self.edge(child)),
                "restart" => body.restarts.extend(self.restart(child)),
                _ => body.applications.extend(self.application(child)),
            }
        }
        body
    }

    fn instance(&mut self, element: Node<'a>) -> Option<Instance> {
        self.open(element);
        let pipe = self.required(element, "pipe", values::name);
        let name = self.required(element, "name", values::name);
        let node = self.optional(element, "node", values::string);
        Some(Instance { pipe: pipe?, name: name?, node })
    }

    fn channel(&mut self, element: Node<'a>) -> Option<Channel> {
        self.open(element);
        let name = self.required(element, "name", values::name);
        let ty = self.required(element, "type", values::name);
        let history = self.optional(element, "history", values::number);
        Some(Channel { name: name?, ty: ty?, history })
    }

    fn application(&mut self, element: Node<'a>) -> Option<Application> {
        self.open(element);
        let aspect = self.required(element, "aspect", values::name);
        let to = self.optional(element, "to", values::port);
        Some(Application { aspect: aspect?, to })
    }

    fn restart(&mut self, element: Node<'a>) -> Option<Restart> {
        self.open(element);
        self.needs(element, "most", "in");
        self.needs(element, "in", "most");
        let when = self.required(element, "when", |value| values::word(value, RestartWhen::ALL));
        let within = self.optional(element, "within", values::time).map(|within| within.value);
        let most = self.optional(element, "most", values::number).map(|most| most.value);
        let time = self.optional(element, "in", values::time).map(|time| time.value);
        let to = self.optional(element, "to", values::name);
        let policy = RestartPolicy { when: when?.value, within, most: most.zip(time) };
        Some(Restart { policy: Spanned::new(policy, self.tag(element)), to })
    }

    fn edge(&mut self, element: Node<'a>) -> Option<Edge> {
        let children = self.open(element);
        let from = self.required(element, "from", values::port);
        let to = self.required(element, "to", values::port);
        let mut contract = Contract::default();
        for child in children {
            match child.tag_name().name() {
                "via" => self.via(child, &mut contract),
                "queue" => self.queue(child, &mut contract),
                "deliver" => self.deliver(child, &mut contract),
                "batch" => self.batch(child, &mut contract),
                "faulty" => self.faulty(child, &mut contract),
                "encode" => self.encode(child, &mut contract),
                "select" => {
                    self.open(child);
                    contract.select = self.required(child, "fields", values::names);
                }
                "where" => {
                    self.open(child);
                    contract.filter = self.required(child, "condition", values::condition);
                }
                _ => contract.needs.extend(self.need(child)),
            }
        }
        Some(Edge { from: from?, to: to?, contract })
    }

    fn via(&mut self, element: Node<'a>, contract: &mut Contract) {
        self.open(element);
        self.one_of(element, &["transport", "address", "trusted"]);
        contract.transport = self.optional(element, "transport", |value| values::word(value, Transport::ALL));
        contract.address = self.optional(element, "address", values::string);
        contract.trusted = self.optional(element, "trusted", |value| values::word(value, &[((), "yes")]));
    }

    fn queue(&mut self, element: Node<'a>, contract: &mut Contract) {
        self.open(element);
        self.one_of(element, &["count", "full"]);
        self.needs(element, "unit", "count");
        let count = self.optional(element, "count", values::number);
        let unit = self.optional(element, "unit", |value| values::word(value, QueueUnit::ALL));
        let unit = unit.map_or(QueueUnit::Items, |unit| unit.value);
        contract.queue = count.map(|count| Spanned::new(Queue { count: count.value, unit }, count.span));
        contract.full = self.optional(element, "full", |value| values::word(value, WhenFull::ALL));
    }

    fn deliver(&mut self, element: Node<'a>, contract: &mut Contract) {
        self.open(element);
        contract.delivery = self.required(element, "quality", |value| values::word(value, Delivery::ALL));
    }

    fn batch(&mut self, element: Node<'a>, contract: &mut Contract) {
        self.open(element);
        let items = self.required(element, "items", values::number);
        let within = self.optional(element, "within", values::time).map(|within| within.value);
        contract.batch = items.map(|items| Spanned::new(Batch { items: items.value, within }, items.span));
    }

    fn faulty(&mut self, element: Node<'a>, contract: &mut Contract) {
        self.open(element);
        contract.faulty = self.required(element, "then", |value| values::word(value, WhenFaulty::ALL));
    }

    fn encode(&mut self, element: Node<'a>, contract: &mut Contract) {
        self.open(element);
        contract.encoding = self.required(element, "as", values::name);
    }

    /// One of the elements that ask for a quality of service, on a port or an edge.
    pub(super) fn need(&mut self, element: Node<'a>) -> Option<Spanned<Need>> {
        self.open(element);
        let need = match element.tag_name().name() {
            "rate" => self.rate(element),
            "needs" => self.required(element, "quality", quality).map(|need| need.value),
            "deadline" => self.deadline(element),
            _ => self.required(element, "value", values::number).map(|value| Need::Priority(value.value)),
        };
        Some(Spanned::new(need?, self.tag(element)))
    }

    fn rate(&mut self, element: Node<'a>) -> Option<Need> {
        self.one_of(element, &["exactly", "at-most"]);
        self.not_both(element, ["exactly", "at-most"]);
        let exactly = self.optional(element, "exactly", values::rate);
        let at_most = self.optional(element, "at-most", values::rate);
        let exactly = exactly.map(|rate| Need::Rate { relation: Relation::Exactly, rate });
        exactly.or(at_most.map(|rate| Need::Rate { relation: Relation::AtMost, rate }))
    }

    fn deadline(&mut self, element: Node<'a>) -> Option<Need> {
        self.not_both(element, ["else", "call"]);
        let within = self.required(element, "within", values::time);
        let drop = self.optional(element, "else", |value| values::word(value, &[((), "drop")]));
        let call = self.optional(element, "call", values::name).map(Otherwise::Call);
        let otherwise = drop.map(|_| Otherwise::Drop).or(call);
        Some(Need::Deadline { within: within?.value, otherwise })
    }
}

/// A delivery, or `ordered`.
fn quality(value: Value<'_>) -> values::Read<Spanned<Need>> {
    const ORDERED: &str = "ordered";
    let deliveries = Delivery::ALL.iter().map(|(delivery, word)| (Some(*delivery), *word));
    let known: Vec<(Option<Delivery>, &str)> = deliveries.chain([(None, ORDERED)]).collect();
    let word = values::word(value, &known)?;
    Ok(Spanned::new(word.value.map_or(Need::Ordered, Need::Delivery), word.span))
}

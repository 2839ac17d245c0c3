//! From XIP to XML: every declaration in its order, attributes in a fixed one, two spaces a level.

use std::fmt::Display;

use escape::Text;
use escape::xml::{self, Xml};

use super::forms::{PLAIN_TYPES, TEXT_TYPE, is_plain_type};
use super::strings;
use super::{NAMESPACE, VERSION};
use crate::{
    Aspect, Body, Contract, Direction, Edge, Extent, Field, FieldType, Item, Need, Otherwise, Packet, Pipe, Port,
    Restart, Xip,
};

/// The XML form. Names are written as they are; those of Spi, identifiers, read back.
pub fn write(xip: &Xip) -> String {
    let root = Element::new("xip").with("version", VERSION).with("xmlns", NAMESPACE);
    let root = root.holding(xip.items.iter().map(item));
    let mut text = Text::literal("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    root.write(0, &mut text);
    text.finish()
}

/// An element before it is text.
struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Element>,
}

impl Element {
    fn new(name: &'static str) -> Element {
        Element { name, attributes: Vec::new(), children: Vec::new() }
    }

    fn with(mut self, name: &'static str, value: impl Display) -> Element {
        self.attributes.push((name, value.to_string()));
        self
    }

    fn with_some(self, name: &'static str, value: Option<impl Display>) -> Element {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    fn holding(mut self, children: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(children);
        self
    }

    fn write(&self, depth: usize, text: &mut Text<Xml>) {
        let parts = [("indentation", &Text::indentation(2 * depth)), ("name", &Text::literal(self.name))];
        text.add("{indentation}<{name}", &parts);
        for (name, value) in &self.attributes {
            text.add(" {name}=\"{value}\"", &[("name", &Text::literal(name)), ("value", &xml::text(value))]);
        }
        if self.children.is_empty() {
            text.say("/>\n");
            return;
        }
        text.say(">\n");
        self.children.iter().for_each(|child| child.write(depth + 1, text));
        text.add("{indentation}</{name}>\n", &parts);
    }
}

fn item(item: &Item) -> Element {
    match item {
        Item::Import(import) => Element::new("import").with("file", strings::string(&import.file.value)),
        Item::Packet(packet) => packet_element(packet),
        Item::Pipe(pipe) => pipe_element(pipe),
        Item::Flow(flow) => Element::new("flow").with("name", &flow.name).holding(body(&flow.body)),
        Item::Aspect(aspect) => aspect_element(aspect),
    }
}

fn packet_element(packet: &Packet) -> Element {
    Element::new("packet").with("name", &packet.name).holding(packet.fields.iter().map(field))
}

fn field(field: &Field) -> Element {
    let element = Element::new("field").with("name", &field.name);
    let element = match &field.ty {
        FieldType::Text { bound } => element.with("type", TEXT_TYPE).with("bytes", bound.value),
        FieldType::Named(name) if is_plain_type(&name.text) => element.with("named", name),
        FieldType::Named(name) => element.with("type", name),
        plain => element.with_some("type", PLAIN_TYPES.iter().find(|(_, ty)| ty == plain).map(|(word, _)| word)),
    };
    let element = match &field.array {
        Some(Extent::Fixed(length)) => element.with("array", length.value),
        Some(Extent::Bounded { bound, used }) => element.with("bound", bound.value).with_some("used", used.as_ref()),
        None => element,
    };
    let element = element.with_some("unit", field.unit.as_ref().map(|unit| strings::string(&unit.value)));
    let range = field.range.map(|range| range.value);
    let element = element.with_some("least", range.map(|range| range.least));
    let element = element.with_some("most", range.map(|range| range.most));
    element.with_some("id", field.id.map(|id| id.value))
}

fn pipe_element(pipe: &Pipe) -> Element {
    let middle = pipe.middle.as_ref().map(|middle| {
        let element = Element::new("middle").with("function", &middle.function);
        element.with_some("cost", middle.cost.map(|cost| cost.value))
    });
    let inside = (!pipe.body.is_empty()).then(|| Element::new("body").holding(body(&pipe.body)));
    let timers = pipe
        .timers
        .iter()
        .map(|timer| Element::new("timer").with("every", timer.every.value).with("function", &timer.function));
    let ports = pipe.ports.iter().map(port);
    let wait = pipe.wait.as_ref().map(|wait| {
        let ports = wait
            .ports
            .iter()
            .map(|waited| Element::new("waited").with("port", &waited.port).with_some("field", waited.field.as_ref()));
        let element = Element::new("wait").with("policy", wait.policy.value.word());
        let element = element.with_some("within", wait.within.map(|within| within.value));
        element.with_some("most", wait.most.map(|most| most.value)).holding(ports)
    });
    let parts = ports.chain(middle).chain(timers).chain(wait).chain(inside);
    Element::new("pipe").with("name", &pipe.name).holding(parts)
}

fn port(port: &Port) -> Element {
    let element = Element::new(match port.direction {
        Direction::In => "inport",
        Direction::Out => "outport",
    });
    let element = element.with("type", &port.ty).with("name", &port.name);
    let element = element.with_some("polarity", port.polarity.map(|polarity| polarity.value.word()));
    let element = element.with_some("optional", port.optional.then_some("yes"));
    element.holding(port.needs.iter().map(|wanted| need(&wanted.value)))
}

fn need(need: &Need) -> Element {
    match need {
        Need::Rate { relation, rate } => {
            let attribute = match relation {
                crate::Relation::Exactly => "exactly",
                crate::Relation::AtMost => "at-most",
            };
            Element::new("rate").with(attribute, rate)
        }
        Need::Delivery(delivery) => Element::new("needs").with("quality", delivery.word()),
        Need::Ordered => Element::new("needs").with("quality", "ordered"),
        Need::Deadline { within, otherwise } => {
            let element = Element::new("deadline").with("within", within);
            match otherwise {
                Some(Otherwise::Drop) => element.with("else", "drop"),
                Some(Otherwise::Call(function)) => element.with("call", function),
                None => element,
            }
        }
        Need::Priority(value) => Element::new("priority").with("value", value),
    }
}

fn body(body: &Body) -> Vec<Element> {
    let instances = body.instances.iter().map(|instance| {
        let element = Element::new("instance").with("pipe", &instance.pipe).with("name", &instance.name);
        element.with_some("node", instance.node.as_ref().map(|node| strings::string(&node.value)))
    });
    let channels = body.channels.iter().map(|channel| {
        let element = Element::new("channel").with("name", &channel.name).with("type", &channel.ty);
        element.with_some("history", channel.history.map(|history| history.value))
    });
    let applications = body.applications.iter().map(|application| {
        Element::new("apply").with("aspect", &application.aspect).with_some("to", application.to.as_ref())
    });
    let restarts = body.restarts.iter().map(restart);
    instances.chain(channels).chain(body.edges.iter().map(edge)).chain(applications).chain(restarts).collect()
}

fn restart(restart: &Restart) -> Element {
    let policy = &restart.policy.value;
    let element = Element::new("restart").with("when", policy.when.word()).with_some("within", policy.within);
    let element = element.with_some("most", policy.most.map(|(most, _)| most));
    element.with_some("in", policy.most.map(|(_, time)| time)).with_some("to", restart.to.as_ref())
}

fn edge(edge: &Edge) -> Element {
    Element::new("edge").with("from", &edge.from).with("to", &edge.to).holding(contract(&edge.contract))
}

fn contract(contract: &Contract) -> Vec<Element> {
    let via = Element::new("via")
        .with_some("transport", contract.transport.map(|transport| transport.value.word()))
        .with_some("address", contract.address.as_ref().map(|address| strings::string(&address.value)))
        .with_some("trusted", contract.trusted.map(|_| "yes"));
    let queue = Element::new("queue")
        .with_some("count", contract.queue.map(|queue| queue.value.count))
        .with_some("unit", contract.queue.map(|queue| queue.value.unit.word()))
        .with_some("full", contract.full.map(|full| full.value.word()));
    let deliver = Element::new("deliver").with_some("quality", contract.delivery.map(|delivery| delivery.value.word()));
    let batch = Element::new("batch")
        .with_some("items", contract.batch.map(|batch| batch.value.items))
        .with_some("within", contract.batch.and_then(|batch| batch.value.within));
    let faulty = Element::new("faulty").with_some("then", contract.faulty.map(|faulty| faulty.value.word()));
    let encode = Element::new("encode").with_some("as", contract.encoding.as_ref());
    let fields = contract.select.as_ref().map(|fields| {
        let names: Vec<&str> = fields.value.iter().map(|field| field.text.as_str()).collect();
        names.join(" ")
    });
    let select = Element::new("select").with_some("fields", fields);
    let filter = contract.filter.as_ref().map(|filter| strings::string(&filter.value.to_string()));
    let filter = Element::new("where").with_some("condition", filter);
    let said = [via, queue, deliver, batch, faulty, encode, select, filter]
        .into_iter()
        .filter(|element| !element.attributes.is_empty());
    said.chain(contract.needs.iter().map(|wanted| need(&wanted.value))).collect()
}

fn aspect_element(aspect: &Aspect) -> Element {
    let advice = aspect.advice.iter().map(|advice| {
        Element::new("advice").with("at", advice.at.words().join(" ")).with("function", &advice.function)
    });
    Element::new("aspect").with("name", &aspect.name).holding(advice)
}

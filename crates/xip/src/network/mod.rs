//! A flow, elaborated: composed pipes opened, every stage and every link by itself. In: a description whose names are
//! only words, and the types of its imports. Out: a [`Network`], and findings for what the words do not mean. Why: what
//! holds of a flow is checked, and generated, stage by stage and link by link. Source: the Infopipes paper, section 3
//! (composition); `docs/guides/describe-a-flow.md` (defaults).

mod advice;
mod build;
mod channels;
mod feedback;
mod order;
mod paths;
mod selections;
mod sizes;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use source::{Diagnostic, Limits, Span};

use crate::contract::{Contract, Need};
use crate::flow::{Advice, Aspect, Channel, Flow};
use crate::ir::{Direction, Pipe, Port, Xip};
use crate::name::{Name, Spanned};

pub use types::{Imported, Known, Types};

/// Names a stage of a [`Network`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StageId(pub usize);

/// A flow without composition.
#[derive(Clone, Debug)]
pub struct Network<'a> {
    pub flow: &'a Flow,
    pub stages: Vec<Stage<'a>>,
    pub links: Vec<Link<'a>>,
    /// Every name meant something: nothing of the flow is missing here.
    pub is_whole: bool,
    /// A limit was exceeded: only the beginning is here.
    pub is_cut: bool,
    /// All stages share a clock.
    pub is_on_one_machine: bool,
    /// For each stage, the links that bring packets to it, and those that take packets from it.
    incoming: Vec<Vec<usize>>,
    outgoing: Vec<Vec<usize>>,
    /// For each link, how many earlier ones leave the same outport.
    siblings: Vec<usize>,
    /// The links that leave each outport.
    leaving: BTreeMap<End, Vec<usize>>,
    /// What composed pipes say of their own ports, at the ends that these ports are.
    outer: BTreeMap<End, Vec<&'a Spanned<Need>>>,
    /// Ends that are ports of composed pipes which are not optional.
    required: BTreeSet<End>,
}

/// One running pipe with a middle of its own.
#[derive(Clone, Debug)]
pub struct Stage<'a> {
    /// The instance's name; inside composed pipes behind theirs: `camera.lens`.
    pub name: String,
    pub pipe: &'a Pipe,
    /// `None`: where the flow is started.
    pub node: Option<&'a str>,
    pub span: Span,
    /// What aspects say before and after its middle.
    pub advice: Vec<&'a Advice>,
}

/// A port of a stage, by its number in the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    pub stage: StageId,
    pub port: usize,
}

/// A way for packets from an outport to an inport.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    pub from: End,
    pub to: End,
    pub contract: &'a Contract,
    /// The edge in the description, without its contract.
    pub span: Span,
    /// The channel that it is a way through: its receiver comes and goes.
    pub channel: Option<&'a Channel>,
    /// What aspects say when it sends, is full, or is late.
    pub advice: Vec<&'a Advice>,
    /// It leads back, and keeps the newest packet: from a stage to one that its packets come from.
    pub is_feedback: bool,
    /// Its packets start nothing where they arrive: they are polled, or lead back.
    pub is_control: bool,
}

impl Link<'_> {
    /// Whether the sender calls the receiver, or the receiver the sender: nothing is between the two.
    pub fn is_call(&self) -> bool {
        self.contract.transport().is_call() && !self.contract.keeps_latest()
    }
}

impl<'a> Network<'a> {
    /// The stage of a name.
    pub fn stage(&self, id: StageId) -> &Stage<'a> {
        &self.stages[id.0]
    }

    /// The port at an end.
    pub fn port(&self, end: End) -> &'a Port {
        &self.stages[end.stage.0].pipe.ports[end.port]
    }

    /// What is said of the port at an end, by its pipe and by the composed pipes around it.
    pub fn needs(&self, end: End) -> impl Iterator<Item = &'a Spanned<Need>> {
        self.port(end).needs.iter().chain(self.outer.get(&end).into_iter().flatten().copied())
    }

    /// The type of the packets that a link carries: of the fields that a subscriber selects, as its port has them.
    pub fn carried(&self, link: &Link<'_>) -> &'a Name {
        &self.port(if link.contract.select.is_some() { link.to } else { link.from }).ty
    }

    /// Whether an edge joins a port to another.
    pub fn is_joined(&self, end: End) -> bool {
        match self.port(end).direction {
            Direction::In => self.links_into(end.stage).any(|link| self.links[link].to == end),
            Direction::Out => !self.links_at(end).is_empty(),
        }
    }

    /// Whether a port may stay without an edge: its pipe says so, and each composed pipe whose port it is.
    pub(crate) fn is_optional(&self, end: End) -> bool {
        self.port(end).optional && !self.required.contains(&end)
    }

    /// `camera.f`.
    pub fn end_name(&self, end: End) -> String {
        format!("{}.{}", self.stage(end.stage).name, self.port(end).name)
    }

    /// `camera.f -> gray.a`.
    pub fn link_name(&self, link: &Link<'_>) -> String {
        format!("{} -> {}", self.end_name(link.from), self.end_name(link.to))
    }

    /// The links that bring packets to a stage, by their numbers.
    pub fn links_into(&self, stage: StageId) -> impl Iterator<Item = usize> {
        self.incoming[stage.0].iter().copied()
    }

    /// The links that take packets from a stage, by their numbers.
    pub fn links_from(&self, stage: StageId) -> impl Iterator<Item = usize> {
        self.outgoing[stage.0].iter().copied()
    }

    /// How many links before this one leave the same outport.
    pub fn siblings_before(&self, link: usize) -> usize {
        self.siblings[link]
    }

    /// The links that leave an outport, by their numbers.
    pub fn links_at(&self, outport: End) -> &[usize] {
        self.leaving.get(&outport).map_or(&[], Vec::as_slice)
    }

    /// Whether packets begin at a stage: it waits for none.
    pub fn is_source(&self, stage: StageId) -> bool {
        let mut inports = self.stage(stage).pipe.ports.iter().filter(|port| port.direction == Direction::In);
        inports.all(Port::is_polled)
    }

    /// The same, in their order and backwards.
    pub(crate) fn outgoing_of(&self, stage: StageId) -> &[usize] {
        &self.outgoing[stage.0]
    }

    /// The ends of a stage in a direction.
    pub fn ends(&self, stage: StageId, direction: Direction) -> Vec<End> {
        let ports = self.stage(stage).pipe.ports.iter().enumerate();
        ports.filter(|(_, port)| port.direction == direction).map(|(port, _)| End { stage, port }).collect()
    }
}

/// The flows of a description, elaborated. A flow with errors is there as far as it makes sense.
pub fn elaborate<'a>(xip: &'a Xip, types: &Types<'_>, limits: &Limits) -> (Vec<Network<'a>>, Vec<Diagnostic>) {
    let pipes: BTreeMap<&str, &Pipe> = xip.pipes().map(|pipe| (pipe.name.text.as_str(), pipe)).collect();
    let aspects: BTreeMap<&str, &Aspect> = xip.aspects().map(|aspect| (aspect.name.text.as_str(), aspect)).collect();
    let names = build::Names { pipes: &pipes, aspects: &aspects };
    let mut findings = Vec::new();
    let networks = xip.flows().map(|flow| build::network(flow, names, (types, limits), &mut findings)).collect();
    (networks, findings)
}

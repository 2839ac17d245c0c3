//! Opens composed pipes and joins what they and the flow join.

use std::collections::{BTreeMap, BTreeSet};

use source::{Diagnostic, Limit, Limits, Span};

use super::{End, Link, Network, Stage, StageId, Types};
use crate::errors;
use crate::flow::{Aspect, Body, Channel, Edge, Flow};
use crate::ir::{Direction, Pipe};

/// What a description declares.
#[derive(Clone, Copy)]
pub(super) struct Names<'a, 'b> {
    pub(super) pipes: &'b BTreeMap<&'a str, &'a Pipe>,
    pub(super) aspects: &'b BTreeMap<&'a str, &'a Aspect>,
}

/// One instance in a body.
pub(super) struct Unit<'a> {
    pub(super) pipe: &'a Pipe,
    /// Its stages, by their numbers.
    pub(super) stages: std::ops::Range<usize>,
    /// For each port, where packets enter or leave in the end.
    pub(super) ends: BTreeMap<&'a str, Vec<End>>,
}

/// What a path names.
pub(super) enum Target<'a> {
    /// A port of the composed pipe that is being opened.
    Own(&'a str),
    Ends(Vec<End>),
}

pub(super) struct Builder<'a, 'b> {
    pub(super) names: Names<'a, 'b>,
    pub(super) types: &'b Types<'b>,
    limits: &'b Limits,
    pub(super) network: Network<'a>,
    pub(super) findings: &'b mut Vec<Diagnostic>,
    /// The composed pipes being opened, outermost first.
    open: Vec<&'a str>,
    /// What the flow has so far: instances, edges, applications of aspects.
    size: usize,
}

/// A body being read: where it stands, and what its names mean.
pub(super) struct Scope<'a> {
    pub(super) body: &'a Body,
    /// What it is the body of, for messages.
    pub(super) owner: String,
    /// The composed pipe, where it is one.
    pub(super) pipe: Option<&'a Pipe>,
    prefix: String,
    node: Option<&'a str>,
    pub(super) units: BTreeMap<&'a str, Unit<'a>>,
}

/// Elaborates one flow.
pub(super) fn network<'a>(
    flow: &'a Flow,
    names: Names<'a, '_>,
    (types, limits): (&Types<'_>, &Limits),
    findings: &mut Vec<Diagnostic>,
) -> Network<'a> {
    let network = Network {
        flow,
        stages: Vec::new(),
        links: Vec::new(),
        is_whole: false,
        is_cut: false,
        is_on_one_machine: false,
        incoming: Vec::new(),
        outgoing: Vec::new(),
        siblings: Vec::new(),
        leaving: BTreeMap::new(),
        outer: BTreeMap::new(),
        required: BTreeSet::new(),
    };
    let before = findings.len();
    let mut builder = Builder { names, types, limits, network, findings, open: Vec::new(), size: 0 };
    let scope = Scope {
        body: &flow.body,
        owner: format!("flow `{}`", flow.name),
        pipe: None,
        prefix: String::new(),
        node: None,
        units: BTreeMap::new(),
    };
    builder.body(scope);
    let is_whole = builder.findings.len() == before;
    let is_cut = builder.is_full();
    let is_elsewhere = |link: &Link| link.contract.at().is_some_and(|address| !address.is_loopback());
    let is_on_one_machine = builder.network.stages.windows(2).all(|pair| pair[0].node == pair[1].node)
        && !builder.network.links.iter().any(is_elsewhere);
    let mut network = Network { is_whole, is_cut, is_on_one_machine, ..builder.network };
    super::feedback::mark(&mut network);
    network
}

impl<'a> Builder<'a, '_> {
    /// Everything in a body. Returns where the ports of the composed pipe lead.
    fn body(&mut self, mut scope: Scope<'a>) -> BTreeMap<&'a str, Vec<End>> {
        let body = scope.body;
        let before = (self.network.stages.len(), self.network.links.len());
        for instance in &body.instances {
            if self.is_full() {
                break;
            }
            let Some(pipe) = self.names.pipes.get(instance.pipe.text.as_str()).copied() else {
                let known = self.names.pipes.keys().copied();
                self.findings.push(errors::unknown_pipe(&instance.pipe, known));
                continue;
            };
            let node = instance.node.as_ref().map(|node| node.value.as_str());
            self.unit(&mut scope, &instance.name.text, pipe, node, instance.name.span);
        }
        let mut bound: BTreeMap<&'a str, Vec<End>> = BTreeMap::new();
        let mut channels = super::channels::Channels::of(body);
        for edge in &body.edges {
            if self.is_full() {
                return bound;
            }
            if let Some(at) = channels.place(edge) {
                self.channel_edge(&mut scope, edge, &mut channels.all[at]);
                continue;
            }
            let from = self.target(&mut scope, &edge.from, Direction::Out);
            let to = self.target(&mut scope, &edge.to, Direction::In);
            let (Some(from), Some(to)) = (from, to) else { continue };
            match (from, to) {
                (Target::Ends(from), Target::Ends(to)) => self.join(edge, &from, &to, None),
                (Target::Own(port), Target::Ends(ends)) | (Target::Ends(ends), Target::Own(port)) => {
                    self.bind(edge, scope.pipe, port, &ends);
                    bound.entry(port).or_default().extend(ends);
                }
                (Target::Own(_), Target::Own(_)) => self.findings.push(errors::nothing_between(edge)),
            }
        }
        self.join_channels(&channels);
        self.weave(&scope, before);
        bound
    }

    /// Makes an instance in a scope.
    pub(super) fn unit(
        &mut self,
        scope: &mut Scope<'a>,
        name: &'a str,
        pipe: &'a Pipe,
        node: Option<&'a str>,
        span: Span,
    ) {
        let path = format!("{}{name}", scope.prefix);
        let first = self.network.stages.len();
        let node = node.or(scope.node);
        let ends = if !self.has_room(span) {
            BTreeMap::new()
        } else if pipe.body.joins().is_none() {
            let stage = StageId(self.network.stages.len());
            self.network.stages.push(Stage { name: path, pipe, node, span, advice: Vec::new() });
            self.network.incoming.push(Vec::new());
            self.network.outgoing.push(Vec::new());
            let end = |(port, of): (usize, &'a crate::ir::Port)| (of.name.text.as_str(), vec![End { stage, port }]);
            pipe.ports.iter().enumerate().map(end).collect()
        } else if self.open.contains(&pipe.name.text.as_str()) {
            self.findings.push(errors::contains_itself(&pipe.name, span));
            BTreeMap::new()
        } else if self.limits.are_exceeded(Limit::Nesting, self.open.len() + 1) {
            let was_full = std::mem::replace(&mut self.size, usize::MAX) == usize::MAX;
            self.findings.extend((!was_full).then(|| self.limits.exceeded(Limit::Nesting, Some(span))));
            BTreeMap::new()
        } else {
            self.open.push(&pipe.name.text);
            let owner = format!("pipe `{}`", pipe.name);
            let prefix = format!("{path}.");
            let inner = Scope { body: &pipe.body, owner, pipe: Some(pipe), prefix, node, units: BTreeMap::new() };
            let bound = self.body(inner);
            self.open.pop();
            self.unbound(pipe, &bound);
            bound
        };
        let stages = first..self.network.stages.len();
        scope.units.insert(name, Unit { pipe, stages, ends });
    }

    /// Counts one more part of the flow; false, with a finding the first time, where that is too many.
    pub(super) fn has_room(&mut self, at: Span) -> bool {
        self.have_room(1, at)
    }

    /// The same for several parts.
    pub(super) fn have_room(&mut self, count: usize, at: Span) -> bool {
        let was_full = self.is_full();
        self.size = self.size.saturating_add(count);
        if self.is_full() && !was_full {
            self.findings.push(self.limits.exceeded(Limit::Flow, Some(at)));
        }
        !self.is_full()
    }

    fn is_full(&self) -> bool {
        self.limits.are_exceeded(Limit::Flow, self.size)
    }

    /// Ports of a composed pipe that lead nowhere inside.
    fn unbound(&mut self, pipe: &'a Pipe, bound: &BTreeMap<&'a str, Vec<End>>) {
        if self.is_full() {
            // What is missing was left out.
            return;
        }
        let missing = pipe.ports.iter().filter(|port| !bound.contains_key(port.name.text.as_str()));
        self.findings.extend(missing.map(|port| errors::unbound_port(pipe, port)));
    }

    /// The links of an edge: more than one where a composed pipe's port leads to several stages.
    pub(super) fn join(&mut self, edge: &'a Edge, from: &[End], to: &[End], channel: Option<&'a Channel>) {
        let span = edge.from.span().to(edge.to.span());
        for &from in from {
            for &to in to {
                if !self.has_room(span) {
                    return;
                }
                if channel.is_none() {
                    self.same_type(self.network.port(from), self.network.port(to), span);
                }
                let number = self.network.links.len();
                let (is_feedback, is_control) = (false, false);
                let contract = &edge.contract;
                let advice = Vec::new();
                self.network.links.push(Link { from, to, contract, span, channel, advice, is_feedback, is_control });
                self.network.outgoing[from.stage.0].push(number);
                let leaving = self.network.leaving.entry(from).or_default();
                self.network.siblings.push(leaving.len());
                leaving.push(number);
                self.network.incoming[to.stage.0].push(number);
            }
        }
    }

    /// An edge between a composed pipe's own port and what is inside: no way of its own, so nothing can hold on it.
    fn bind(&mut self, edge: &'a Edge, pipe: Option<&'a Pipe>, port: &str, ends: &[End]) {
        if edge.contract != crate::contract::Contract::default() {
            self.findings.push(errors::contract_inside(edge));
        }
        let Some(own) = pipe.and_then(|pipe| pipe.ports.iter().find(|own| own.name == *port)) else { return };
        for &end in ends {
            if !self.has_room(edge.from.span()) {
                return;
            }
            self.same_type(own, self.network.port(end), edge.from.span().to(edge.to.span()));
            self.network.outer.entry(end).or_default().extend(&own.needs);
            if !own.optional {
                self.network.required.insert(end);
            }
        }
    }

    fn same_type(&mut self, one: &crate::ir::Port, other: &crate::ir::Port, span: Span) {
        if let Err(why) = self.types.compare(&one.ty.text, &other.ty.text) {
            self.findings.push(errors::types_differ(one, other, span, &why));
        }
    }
}

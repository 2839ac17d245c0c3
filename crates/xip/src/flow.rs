//! What joins pipes: instances, edges and aspects, in flows and in composed pipes.

use source::Span;

use crate::contract::Contract;
use crate::name::{Name, Spanned};
use crate::restart::Restart;

/// Pipes joined to something that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    pub name: Name,
    pub body: Body,
}

/// The inside of a flow, or of a composed pipe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub instances: Vec<Instance>,
    /// Of a flow; composed pipes have none.
    pub channels: Vec<Channel>,
    pub edges: Vec<Edge>,
    pub applications: Vec<Application>,
    /// Of a flow; composed pipes have none.
    pub restarts: Vec<Restart>,
}

impl Body {
    /// Nothing stands here.
    pub fn is_empty(&self) -> bool {
        self.joins().is_none() && self.applications.is_empty()
    }

    /// The place where pipes begin to be joined; `None` where none are.
    pub fn joins(&self) -> Option<Span> {
        let instance = self.instances.first().map(|instance| instance.name.span);
        instance.or(self.edges.first().map(|edge| edge.from.span()))
    }
}

/// One use of a pipe. A pipe that is used once needs none: its name stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub pipe: Name,
    pub name: Name,
    /// The machine it runs on; without it, the one that the flow is started on.
    pub node: Option<Spanned<String>>,
}

/// Where packets of several senders are given to all who have subscribed at the time. An edge to it sends, an edge from it
/// subscribes, and says how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    pub name: Name,
    /// A packet, or a type of an imported file.
    pub ty: Name,
    /// How many of the packets before it a new subscriber gets from each sender; none, where nothing is said.
    pub history: Option<Spanned<u64>>,
}

/// A way from an outport to an inport, and what holds on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: PortPath,
    pub to: PortPath,
    pub contract: Contract,
}

/// A port of an instance; where `port` is left out, the instance's only one in the edge's direction, or, in a composed
/// pipe, a port of that pipe itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortPath {
    pub instance: Name,
    pub port: Option<Name>,
}

impl PortPath {
    /// All of it.
    pub fn span(&self) -> Span {
        self.port.as_ref().map_or(self.instance.span, |port| self.instance.span.to(port.span))
    }
}

impl std::fmt::Display for PortPath {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.port {
            Some(port) => write!(formatter, "{}.{port}", self.instance),
            None => write!(formatter, "{}", self.instance),
        }
    }
}

/// Code of the user's that is woven in at named points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aspect {
    pub name: Name,
    pub advice: Vec<Advice>,
}

/// A function, and when it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    pub at: JoinPoint,
    pub function: Name,
}

/// Where aspects may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinPoint {
    BeforeMiddle,
    AfterMiddle,
    OnSend,
    OnFull,
    OnMiss,
}

impl JoinPoint {
    /// All, with the words Spi has for them.
    pub const ALL: [(JoinPoint, [&'static str; 2]); 5] = [
        (JoinPoint::BeforeMiddle, ["before", "middle"]),
        (JoinPoint::AfterMiddle, ["after", "middle"]),
        (JoinPoint::OnSend, ["on", "send"]),
        (JoinPoint::OnFull, ["on", "full"]),
        (JoinPoint::OnMiss, ["on", "miss"]),
    ];

    /// The words of this one.
    pub fn words(self) -> [&'static str; 2] {
        Self::ALL.iter().find(|(point, _)| *point == self).map_or(["", ""], |(_, words)| *words)
    }
}

/// The use of an aspect: everywhere in the body, or at what `to` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    pub aspect: Name,
    pub to: Option<PortPath>,
}

//! The types of MINT, all in one place.

use la_arena::{Arena, Idx};

/// Names a node of a [`Mint`].
pub type NodeId = Idx<Slot>;

/// The messages of one interface file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mint {
    pub nodes: Arena<Slot>,
    /// One request and one reply for each operation.
    pub messages: Vec<Message>,
}

/// The two payloads of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub operation: String,
    pub request: NodeId,
    pub reply: NodeId,
}

/// A node and, for named types, the name that cycles are written with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub name: Option<String>,
    pub node: Node,
}

/// What a message, or a part of one, holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Void,
    /// A whole number of `bits` bits.
    Integer {
        bits: u8,
        signed: bool,
    },
    /// IEEE 754 of `bits` bits.
    Float {
        bits: u8,
    },
    Boolean,
    /// One of a set of numbers; peers may send others unless the presentation is strict. An empty set: only a C
    /// compiler knows it.
    Enumeration {
        members: Vec<i128>,
    },
    /// An uninterpreted byte.
    Octet,
    /// A byte of text, never 0.
    Character,
    /// `least` to `most` elements; equal for fixed arrays.
    Array {
        element: NodeId,
        least: Bound,
        most: Bound,
    },
    Structure(Vec<NodeId>),
    /// A discriminant, then the body it selects.
    Union {
        discriminant: NodeId,
        cases: Vec<Case>,
        default: Option<NodeId>,
    },
    /// Nothing, or one element.
    Optional(NodeId),
    /// Nothing, or the state of a value type (CORBA 3.3 part 1, chapter 9), which is known by its repository id. Those of bases may
    /// follow, whose state comes first: receivers that know no more may take it for one of them.
    Value {
        state: NodeId,
        ids: Vec<String>,
    },
    /// What a routine of the user's writes; opaque to every pass.
    External(String),
}

/// A body of a union and the values that select it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub labels: Vec<Bound>,
    pub body: NodeId,
}

/// A number that may only be known to a C compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    Number(i128),
    Symbol(String),
    /// Exactly so many as a part of the structure around the array says, which comes before it, by its position. Only
    /// the least of an array may be this; its most is the most that the part may say.
    Part(u32),
    /// No limit but the encoding's own.
    Unlimited,
}

impl Mint {
    /// Adds a node without a name.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.alloc(Slot { name: None, node })
    }

    /// Adds a named node; `Node::Void` may stand in until a recursive type is complete.
    pub fn add_named(&mut self, name: impl Into<String>, node: Node) -> NodeId {
        self.nodes.alloc(Slot { name: Some(name.into()), node })
    }
}

//! Files, packets, pipes and ports.

use crate::contract::Need;
use crate::flow::{Aspect, Body, Flow};
use crate::measure::Duration;
use crate::name::{Name, Spanned};
use crate::wait::Wait;

/// Everything that one file describes, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Xip {
    pub items: Vec<Item>,
}

/// One declaration of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Import(Import),
    Packet(Packet),
    Pipe(Pipe),
    Flow(Flow),
    Aspect(Aspect),
}

/// An interface file whose types may be packets' and ports' types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// As written: relative to the file that imports.
    pub file: Spanned<String>,
}

/// A type of what travels: its syntax, and the units of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    pub name: Name,
    pub fields: Vec<Field>,
}

/// A named part of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: Name,
    pub ty: FieldType,
    pub array: Option<Extent>,
    /// What a number means (`"pixel"`, `"m/s"`): two ports that disagree are not joined.
    pub unit: Option<Spanned<String>>,
    /// What its numbers, or those of its elements, may be: a packet with another is no value of its type.
    pub range: Option<Spanned<NumberRange>>,
    /// Its number among the fields, for encodings that have such (`@id` of IDL).
    pub id: Option<Spanned<u64>>,
}

/// The least and the greatest of some whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRange {
    pub least: i128,
    pub most: i128,
}

/// The type of a field, or of its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldType {
    Boolean,
    Octet,
    Character,
    /// Of 8, 16, 32 or 64 bits.
    Integer {
        bits: u8,
        signed: bool,
    },
    /// Of 32 or 64 bits, IEEE 754.
    Float {
        bits: u8,
    },
    /// Characters without NUL, at most so many bytes.
    Text {
        bound: Spanned<u64>,
    },
    /// A packet, or a type of an imported file.
    Named(Name),
}

impl FieldType {
    /// How Spi writes it.
    pub fn words(&self) -> String {
        match self {
            FieldType::Boolean => "bool".to_owned(),
            FieldType::Octet => "octet".to_owned(),
            FieldType::Character => "char".to_owned(),
            FieldType::Integer { bits, signed: true } => format!("int{bits}"),
            FieldType::Integer { bits, signed: false } => format!("uint{bits}"),
            FieldType::Float { bits: 32 } => "float".to_owned(),
            FieldType::Float { .. } => "double".to_owned(),
            FieldType::Text { bound } => format!("string <= {}", bound.value),
            FieldType::Named(name) => name.text.clone(),
        }
    }
}

/// How many elements a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    Fixed(Spanned<u64>),
    /// At most so many; `used` is the field that says how many there are, and only these travel. Without it, the
    /// generated structure has a count of its own.
    Bounded {
        bound: Spanned<u64>,
        used: Option<Name>,
    },
}

/// A stage of a flow: a user's function between ports, or other pipes joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipe {
    pub name: Name,
    pub ports: Vec<Port>,
    pub middle: Option<Middle>,
    pub timers: Vec<Timer>,
    /// What the middle waits for; nothing said: a packet of any inport.
    pub wait: Option<Box<Wait>>,
    /// What a composed pipe is made of.
    pub body: Body,
}

/// Where packets enter a pipe or leave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub direction: Direction,
    /// It may stay without an edge.
    pub optional: bool,
    /// A packet, or a type of an imported file.
    pub ty: Name,
    pub name: Name,
    pub polarity: Option<Spanned<Polarity>>,
    pub needs: Vec<Spanned<Need>>,
}

/// Which way packets pass a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

impl Direction {
    /// How Spi writes it.
    pub fn word(self) -> &'static str {
        match self {
            Direction::In => "in",
            Direction::Out => "out",
        }
    }
}

/// Who acts at a port: the pipe pushes and pulls by itself, or is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    Push,
    Pull,
    /// The middle looks whether a packet is there; nothing calls it for one, and it waits for none.
    Poll,
}

impl Polarity {
    /// How Spi writes it.
    pub fn word(self) -> &'static str {
        match self {
            Polarity::Push => "push",
            Polarity::Pull => "pull",
            Polarity::Poll => "poll",
        }
    }
}

impl Port {
    /// Whether a port is an inport that the middle polls: its packets start nothing by themselves.
    pub fn is_polled(&self) -> bool {
        self.polarity.is_some_and(|polarity| polarity.value == Polarity::Poll)
    }
}

/// The user's function between the ports of a pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Middle {
    pub function: Name,
    /// The most time that one call takes.
    pub cost: Option<Spanned<Duration>>,
}

/// A function of the user's that is called again and again, beside the middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    pub every: Spanned<Duration>,
    pub function: Name,
}

impl Xip {
    /// The pipes, in order.
    pub fn pipes(&self) -> impl Iterator<Item = &Pipe> {
        self.items.iter().filter_map(|item| if let Item::Pipe(pipe) = item { Some(pipe) } else { None })
    }

    /// The packets, in order.
    pub fn packets(&self) -> impl Iterator<Item = &Packet> {
        self.items.iter().filter_map(|item| if let Item::Packet(packet) = item { Some(packet) } else { None })
    }

    /// The flows, in order.
    pub fn flows(&self) -> impl Iterator<Item = &Flow> {
        self.items.iter().filter_map(|item| if let Item::Flow(flow) = item { Some(flow) } else { None })
    }

    /// The aspects, in order.
    pub fn aspects(&self) -> impl Iterator<Item = &Aspect> {
        self.items.iter().filter_map(|item| if let Item::Aspect(aspect) = item { Some(aspect) } else { None })
    }

    /// The imports, in order.
    pub fn imports(&self) -> impl Iterator<Item = &Import> {
        self.items.iter().filter_map(|item| if let Item::Import(import) = item { Some(import) } else { None })
    }
}

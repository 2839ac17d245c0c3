//! Packets as values again, for people who look at them. In: an edge of a checked flow, and the bytes of a packet as they
//! travel on it. Out: its fields by name, or where the bytes make no sense: they may be anybody's. Why: what is looked at
//! is what travels, read by the description, not by the program that sends it.

mod edges;
mod render;
mod tagged;
mod walk;

pub use edges::{Edge, edges};

use std::fmt;

/// What a packet, or a part of one, says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer, or an enumeration's number.
    Whole(i128),
    Single(f32),
    Double(f64),
    Truth(bool),
    /// Text, or what was said to be.
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Structure(Vec<(String, Value)>),
    /// An optional value that is not there.
    Nothing,
}

/// Why bytes are no packet of the type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field: `ticks[2].number`.
    pub place: String,
    /// The byte.
    pub at: usize,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(formatter, "at byte {}: {}", self.at, self.message),
            place => write!(formatter, "{place}, at byte {}: {}", self.at, self.message),
        }
    }
}

impl std::error::Error for Fault {}

//! XIP: pipes, their typed ports, the flows they make, and what each edge of a flow promises.
//!
//! In: what a front end read of a `.spi` file, or the XML form of the same (`.xip`, [`xml`]). Out: a description
//! ([`Xip`]) that is all names, as its author wrote them. Why: descriptions are exchanged, kept and compared in one
//! form, whatever they were written in. Source: Swint, Pu and others, "Infopipes: The ISL/ISG Implementation
//! Evaluation", section 3 (ports, middles, typespecs of syntax, semantics and quality of service);
//! `docs/guides/describe-a-flow.md`.

mod address;
pub mod checks;
mod contract;
pub mod errors;
pub mod explain;
pub mod filter;
mod flow;
pub mod graph;
mod ir;
mod measure;
mod name;
pub mod names;
mod network;
mod restart;
mod transport;
mod wait;
pub mod xml;

pub use address::Address;
pub use contract::{
    Batch, Contract, Delivery, LATEST_ROOM, Need, Otherwise, Queue, QueueUnit, Relation, WhenFaulty, WhenFull,
};
pub use flow::{Advice, Application, Aspect, Body, Channel, Edge, Flow, Instance, JoinPoint, PortPath};
pub use ir::{
    Direction, Extent, Field, FieldType, Import, Item, Middle, NumberRange, Packet, Pipe, Polarity, Port, Timer, Xip,
};
pub use measure::{Duration, Rate, TimeUnit};
pub use name::{Name, Spanned};
pub use network::{End, Imported, Known, Link, Network, Stage, StageId, Types, elaborate};
pub use restart::{Restart, RestartPolicy, RestartWhen};
pub use transport::{Reach, Transport, TransportTraits};
pub use wait::{Wait, WaitPolicy, Waited};

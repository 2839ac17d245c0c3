//! The Infopipe stub generator: a checked flow to C.
//!
//! In: the networks of a description without errors. Out: for each pipe a header with its ports as one structure and a
//! middle to fill in; for each process its stages, edges, threads and `main`; what builds them all. Why: what a user
//! writes is what happens between the ports, nothing else. Source: Swint, Pu and others, "Infopipes: The ISL/ISG
//! Implementation Evaluation", section 3; Koster and others, "Thread Transparency in Information Flow Middleware".

mod batches;
mod build_files;
mod channels;
mod collisions;
pub mod decode;
mod drive;
mod edge;
pub mod errors;
pub mod explain;
mod files;
mod filters;
mod header;
mod idl;
mod limits;
mod naming;
mod packets;
mod polls;
mod ports;
mod process;
mod program;
mod projections;
mod replay;
mod restarts;
mod shorthand;
mod stage;
mod template;
mod timers;
mod transport;
mod waits;

pub use files::{Generated, Options, Planned, RunTime, Text, check, generate, programs};
pub use packets::encodings;

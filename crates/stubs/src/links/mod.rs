//! Links: how a message travels. Each wraps the payload that encodings marshal in what its transport needs.
//!
//! In: PRES_C. Out: CAST files: client stubs, server dispatch, mains, samples.

pub mod corba;
pub mod flow;
pub mod fluke;
pub mod giop;
pub mod joined;
pub mod mach;
pub mod net;
pub mod none;
pub mod onc;
pub mod options;
mod packs;
pub mod rpc;
pub mod rpcgen;
mod sizes;
mod statements;

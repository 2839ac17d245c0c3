//! Presentations: what an interface looks like to a programmer. One module per style.
//!
//! In: AOI, the network contract. Out: PRES_C, the programmer's contract: declarations (CAST), messages (MINT) and
//! the nodes that tie them (PRES). Source: Flick (PLDI'97) section 2.2.

pub mod flow;
pub mod rpcgen;

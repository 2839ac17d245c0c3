//! MINT, the Message INTerface: what a message holds, free of encoding and of language.
//!
//! In: `present` derives it from AOI. Out: graphs (cyclic where types are) that say ranges and lengths, never
//! bytes; headers and status belong to the link. Source: Flick (PLDI'97) section 2.2.1. `docs/ir/mint.md` shows it.

mod endless;
mod errors;
mod ir;
pub mod text;
mod verify;

pub use endless::endless;
pub use ir::{Bound, Case, Message, Mint, Node, NodeId, Slot};
pub use verify::verify;

//! PRES and PRES_C: how messages and C values correspond, and the whole programmer's contract of one side.
//!
//! In: `present` builds it from AOI in one of its styles. Out: `stubs` turns it into C. PRES nodes join a MINT
//! node to a C type and say who owns the storage and for how long; stack allocation, borrowing and no-op frees
//! follow from that, not from special cases. Source: Flick (PLDI'97) sections 2.2.3 and 2.2.4. `docs/ir/pres.md`
//! shows it.

mod arena;
mod argument;
mod codec;
mod errors;
mod interface;
mod ir;
mod link_kind;
pub mod text;
mod verify;

pub use arena::{ArenaArgument, ArenaMembers};
pub use argument::{Argument, Passing, Raised, Way};
pub use codec::CodecFunction;
pub use interface::{
    Ancestor, COUNTED, Conventions, Interface, Message, OUTCOME, OncNumbers, Operation, RAISED, RESULTS, Value,
    exceptions_tag, freeing, hash, id_macro, mach_id, operations_tag,
};
pub use ir::{
    Arm, DefaultArm, Extent, Label, Lines, Member, Node, NodeId, NumberForm, Packet, Place, Pres, PresC, ScalarKind,
    SequenceMembers, Storage, TypeStub, TypeStubId,
};
pub use link_kind::LinkKind;
pub use verify::verify;

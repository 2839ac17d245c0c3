//! PRES and PRES_C: how messages and C values correspond, and the whole programmer's contract of one side.
//!
//! In: `present` builds it from AOI in one of its styles. Out: `stubs` turns it into C. PRES nodes join a MINT
//! node to a C type and say who owns the storage and for how long; stack allocation, borrowing and no-op frees
//! follow from that, not from special cases. Source: Flick (PLDI'97) sections 2.2.3 and 2.2.4. `docs/ir/pres.md`
//! shows it.

mod codec;
mod errors;
mod interface;
mod ir;
mod object;
pub mod text;
mod verify;

pub use codec::CodecFunction;
pub use interface::{ArenaArgument, ArenaMembers, Conventions, InterfaceStubs, OperationStub, StubValue};
pub use ir::{
    Arm, DefaultArm, Extent, Label, Lines, Member, Node, NodeId, Packet, Pres, PresC, ScalarKind, SequenceMembers,
    Storage, TypeStub, TypeStubId,
};
pub use object::{
    Ancestor, Argument, COUNTED, Carrier, OUTCOME, ObjectInterface, ObjectOperation, OncNumbers, Passing, RAISED,
    RESULTS, Raised, Way, exceptions_tag, freeing, id_macro, operations_tag,
};
pub use object::{hash, mach_id};
pub use verify::verify;

//! PLAN: what a stub does to the message, one encoding applied, before any C is written.
//!
//! In: `lower` makes it from PRES, one check per item, the way stub compilers always did. Out: after the passes,
//! `emit` writes it as C. Each of Flick's optimizations (PLDI'97 section 3) is a pass over this form.

mod ir;
pub(crate) mod phase;
pub(crate) mod references;
pub mod text;
mod transplant;
mod verify;

pub use ir::{
    Access, ArenaEntry, Arm, Clear, Count, Direction, Item, Layout, Op, Otherwise, Owner, Part, Place, Plan, Routine,
    RoutineId, State, Step, Storage, Word, item_name,
};
pub(crate) use transplant::{Locals, transplant};
pub use verify::verify;

//! What a subsystem of MIG's language says: routines, arguments, the C that programmers see, and the typed messages of Mach.
//!
//! In: `front-mig` builds it of a checked file. Out: `stubs::links::mach` writes stubs of it. Why it is no AOI: in MIG's
//! language a type *is* its descriptor in the message (the name of the type, the bits of an element, inline or not, who
//! releases it) and its C (the type on either side, the functions that translate it); an interface of AOI knows neither.
//! Source: Draves, Jones, Thompson, "MIG - The MACH Interface Generator" (1989), and the message format of
//! `mach/message.h`.

mod layout;
mod names;
mod routine;
mod types;

pub use layout::{Complexity, Content, Item, Message};
pub use names::{Symbol, TypeName, symbol};
pub use routine::{Argument, Direction, Import, ImportSide, Routine, Subsystem};
pub use types::{CTypes, Deallocate, Definition, Form, Length, Member, Shape, Translation, Type, Word};

//! AOI, the Abstract Object Interface: the network contract between a client and a server.
//!
//! In: what a front end read. Out: interfaces, operations and types, free of C and of bytes; equivalent
//! constructs of different languages are the same AOI. Source: Flick (PLDI'97) section 2.1; RFC 4506; RFC 5531.

mod cycles;
mod definitions;
mod forward;
mod ir;
mod member_ids;
mod number;
mod order;
mod plain;
mod recursion;
mod resolve;
mod spans;
pub mod text;
mod verify;
mod verify_types;

pub use cycles::{Cycle, CycleKind, cycles};
pub use definitions::Definitions;
pub use forward::name_structures_behind_pointers;
pub use ir::{
    Annotation, Aoi, Constant, Definition, DefinitionId, DefinitionKind, Direction, Enumeration, EnumerationMember,
    Field, Identity, Interface, Item, Module, OncIdentity, Operation, Origin, Parameter, ReferenceType, Role,
    Structure, Type, Union, UnionCase, Value, ValueType, Verbatim,
};
pub use member_ids::{MEMBER_FORMS, MEMBER_IDS, member_forms, member_ids};
pub use recursion::mark_recursive_arms;
pub use verify::verify;

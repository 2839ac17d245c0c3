//! Core C: what a C program does, one small step at a time.
//!
//! In: typed CAST of whole programs (the `lower` module). Out: functions as graphs of blocks whose statements have one effect
//! each: calls are statements, expressions have no effects, loads, stores and conversions are explicit, one order of
//! evaluation (left to right) is fixed. Analyses and the specializer work on this form alone; what they leave is Core
//! C again, and `raise` makes structured C of it. Source: C11 (ISO 9899:2011) section 6; the shape follows Andersen,
//! "Program Analysis and Specialization for the C Programming Language" (1994), with blocks for its statements' tree,
//! since specialization changes the control flow and structure is found again afterwards.

mod dump;
#[cfg(test)]
mod examples;
pub mod graph;
pub mod holes;
mod ir;
mod lower;
pub mod mutation;
pub mod names;
mod place;
pub mod raise;
pub mod simplify;
pub mod traps;
mod types;
mod verify;
mod visit;

pub use dump::{dump, dump_expression, dump_function, dump_global, dump_statement};
pub use ir::{
    Argument, BinaryOperator, Block, BlockId, Callee, Case, Expression, ExpressionKind, Function, FunctionId, Global,
    GlobalId, Initial, Linkage, Local, LocalId, LocalKind, Program, Receiver, Statement, StatementKind, Terminator,
    UnaryOperator,
};
pub use lower::lower;
pub use place::{BitRange, Place, PlaceBase, Step, StepKind};
pub use types::{Shape, Signature, TypeData, TypeId, Types, find_field};
pub use verify::{verify, verify_function};
pub use visit::{Access, Few};

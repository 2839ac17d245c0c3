//! Binding times: what of a program can be computed before it runs.
//!
//! In: Core C, the functions to be specialized and what is known of their inputs (never the inputs' values, but numbers
//! that the program's own text gives). Out: side tables ([`Analysis`]): for each function, in each state it is called in, when
//! every expression is computed and what is to be done with every statement; what pointers point to; why something is
//! dynamic. Sources: Muller, Marlet, Volanschi, "Accurate Program Analyses for Successful Specialization of Legacy
//! System Software" (section 3); Hornof, Noyé, Consel, "Effective Specialization of Realistic Programs via Use
//! Sensitivity" (1997). Where the analysis comes from and what it tells apart: `docs/ir/side-tables.md`.

mod actions;
mod cause;
pub mod display;
mod dump;
pub mod effects;
mod engine;
mod fold;
mod lattice;
mod left;
mod near;
mod object;
mod options;
mod paths;
mod scan;
mod statistics;
mod tables;
#[cfg(test)]
mod tests;
mod uses;
mod variant;
mod why;

pub use actions::Action;
pub use cause::{Cause, CauseId, Insensitivity, Reason, Subject};
pub use lattice::{BindingTime, Offsets, Range};
pub use left::Left;
pub use object::{ObjectId, ObjectName, StatementId};
pub use options::{Cell, Entry, Extent, Generalization, Member, Options, Root, Sensitivities, Structure};
pub use paths::spelling;
pub use statistics::{Count, Statistics};
pub use tables::{Analysis, BrokenContract, analyze};
pub use uses::Uses;
pub use variant::VariantId;
pub use why::{Blame, Found, Step, Why};

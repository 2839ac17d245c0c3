//! PRES_C to C: marshalling routines through PLAN and its passes, and the stubs of a link around them.
//!
//! In: PRES_C. Out: CAST. One walk lowers every type for every encoding; each optimization is a pass over PLAN that
//! can be switched off; links wrap payloads in what their transport needs. Source: Flick (PLDI'97) sections 2.3, 3.

mod by_calls;
pub mod emit;
pub mod encodings;
pub mod links;
pub mod lower;
pub mod marshal;
mod message;
pub mod passes;
pub mod plan;
mod reserved;
pub mod routines;
pub mod runtime;
pub mod tables;
mod values;

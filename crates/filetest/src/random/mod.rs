//! Random input that is the same for the same seed: numbers, and interface files that rpcgen accepts.
//!
//! In: a seed. Out: text. No clock and no system generator: a failure is found again by its seed.

mod definitions;
mod interface;
mod members;
mod numbers;

pub use interface::interface;
pub use numbers::Random;

//! The text form of AOI: S-expressions (`docs/ir/aoi.md` shows them all), written and read.
//!
//! `parse(print(x))` is `x` without its spans, its definitions numbered in the order of the text. Definitions are
//! referred to by name; where two have the same name, by `name#2` for the second. What a bare name would not say
//! is spelled out: `(named int32)` for a definition that is called like a type of AOI's own.

mod atoms;
mod names;
mod read;
mod read_interfaces;
mod read_types;
mod write;
mod write_types;

pub use atoms::usual_spelling;
pub use read::parse;
pub use write::print;

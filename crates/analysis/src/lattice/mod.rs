//! Abstract values and stores: what the analysis knows at a program point. Each domain is a file.

mod content;
mod content_join;
mod offsets;
mod store;
mod value;

pub(crate) use content::{Content, Part, Segment, Smear};
pub(crate) use offsets::{FAR, gcd};
pub use offsets::{Offsets, Range};
pub(crate) use store::{Bits, State, Store};
pub use value::BindingTime;
pub(crate) use value::{Known, Targets, Value};

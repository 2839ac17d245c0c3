//! What is known of values: numbers and addresses that are known, and ranges and bits of those that only the residual program has.

pub(crate) mod distances;
pub(crate) mod except;
pub(crate) mod facts;
pub(crate) mod fold;
pub(crate) mod key;
pub(crate) mod number;
pub(crate) mod value;

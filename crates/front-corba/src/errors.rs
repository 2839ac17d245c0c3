//! Every finding of this front end, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the message says what was expected, the label is brief,
//! help says how to mend it.

mod constants;
mod interfaces;
mod names;
mod syntax;

pub use constants::*;
pub use interfaces::*;
pub use names::*;
pub use syntax::*;

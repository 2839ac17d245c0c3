//! CDR: routines of messages, as links get them.

mod compiles;
mod goldens;
mod inputs;
mod mapping;

//! CDR: routines of messages, as links get them.

mod checks;
mod compiles;
mod goldens;
mod inputs;
mod mapping;

//! XDR in memory: routines of messages, as links without a library get them.

mod compiles;
mod inputs;
mod messages;

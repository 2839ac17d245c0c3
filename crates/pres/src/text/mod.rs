//! The text form of PRES_C: S-expressions, written and read.
//!
//! ```text
//! (type direntseq (counted direntseq_len direntseq_val heap @direntry))
//! (type direntry (struct (name (text heap)) (info @stat_info)))
//! ```
//!
//! Everything is here: MINT, types and their trees, interfaces, conventions, and the declarations of C that headers and files
//! begin with. What follows from the rest is left out: the
//! C type of a node where it is the natural one of its kind, and its message where it is the part of its parent's
//! message that stands in its place. Where it is not, `(as NODE (c TYPE) (message NODE))` says so. `@name` refers to a
//! type; a node that is used in several places is `(let 1 NODE)` first and `(same 1)` then.
//! `parse(print(x))` is `x` with its nodes numbered in the order of the text.

mod c_declarations;
pub mod c_expressions;
pub mod c_types;
mod guess;
mod lines;
mod read;
mod read_interfaces;
mod read_nodes;
pub mod terms;
mod write;
mod write_interfaces;

pub(crate) use guess::children;
pub use read::parse;
pub use write::print;

//! The text form of MINT: S-expressions, written and read.
//!
//! ```text
//! (request LIST (array char 0..))
//! (reply LIST @direntseq)
//! (@direntseq (array @direntry 0..))
//! (@direntry (struct (array char 0..) @stat_info))
//! ```
//!
//! Named nodes stand by themselves and are referred to by `@name` (`@name#2` where two have the same name); others
//! stand where they are used. One that is used in several places is `(let 1 NODE)` in the first and `(same 1)` in the
//! others; one that is used nowhere is `(loose NODE)`. `parse(print(x))` is `x` with its nodes numbered in the order of
//! the text.

mod read;
mod references;
mod write;

pub use read::{Reader, parse};
pub use references::References;
pub(crate) use references::children;
pub use write::{Writer, print};

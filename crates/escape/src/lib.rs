//! Text for other languages: one escaper per target.
//!
//! In: text that somebody else may have written: a description, a file's name, the command line. Out: a value whose type says where
//! the text may stand: a [`c::Comment`], a [`c::IncludePath`], a piece of a Makefile. Writers take these types and literals of
//! ours, never a `String`, so that an escape that was forgotten does not compile. What a target cannot hold is [`Refused`].
//! Source: CWE-116 (encoding of output), CWE-94 (code injection); N. Boucher and R. Anderson, "Trojan Source" (2021).

pub mod c;
pub mod cmake;
pub mod dot;
pub mod idl;
pub mod keywords;
pub mod make;
pub mod mermaid;
mod refused;
mod text;
mod visible;
pub mod xml;

pub use refused::Refused;
pub use text::Text;
pub use visible::{is_deceptive, line, lines};

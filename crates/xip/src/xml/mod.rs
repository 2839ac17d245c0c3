//! The XML form of XIP: `.xip` files, written and read back without loss.
//!
//! In and out: an [`Xip`](crate::Xip) and UTF-8 text. Why: descriptions are exchanged with tools that know nothing of
//! Spi; XML has schemas (`docs/xip.rng`), and readers in every language. What each element says is in
//! `docs/ir/xip.md`. Reading never fails and never panics: it returns what could be made sense of and all findings
//! (codes `xip-001` to `xip-049`, in [`errors`]). Source: XML 1.0 (fifth edition), Namespaces in XML 1.0.
//!
//! ```
//! let text = xip::xml::write(&xip::Xip::default());
//! let mut map = source::SourceMap::new();
//! let file = map.add("empty.xip", text);
//! let (read, findings) = xip::xml::read(&map, file);
//! assert!(findings.is_empty() && read.items.is_empty());
//! ```

pub mod errors;
mod forms;
mod guard;
mod malformed;
mod read;
mod read_flow;
mod reader;
mod strings;
mod values;
mod write;

pub use read::read;
pub use write::write;

/// The namespace of all elements.
pub const NAMESPACE: &str = "urn:whittle:xip:1";

/// What `version` of the root element says.
pub const VERSION: &str = "1";

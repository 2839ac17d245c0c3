//! S-expressions: the one text form of every IR dump.
//!
//! In: a tree that an IR's writer built, or text that a person or a test wrote. Out: text in a stable layout, or
//! the tree again; `parse(print(x)) == x` for every tree. Why: each IR can be read, compared, and fed to a single
//! pass without running the passes before it.
//!
//! ```
//! use sexpr::{atom, node, print, text};
//! let dump = node("struct", [atom("direntry"), node("name", [atom("string")]), text("a \"b\"")]);
//! assert_eq!(print(&dump), "(struct direntry (name string) \"a \\\"b\\\"\")\n");
//! let (forms, errors) = sexpr::parse("(struct direntry (name string))");
//! assert!(errors.is_empty());
//! let mut cursor = sexpr::Cursor::of(&forms[0], "struct").expect("a struct");
//! assert_eq!(cursor.atom(), Some("direntry"));
//! assert_eq!(cursor.list("name").and_then(|mut name| name.atom()), Some("string"));
//! ```
//!
//! Grammar: `form = atom | "|" any text "|" | "\"" any text "\"" | "(" { form } ")"`; a semicolon starts a comment
//! that ends with the line. Inside quotes and bars `\\ \" \| \n \r \t \u{HEX}` are escapes.

mod cursor;
mod read;
mod tree;
mod write;

pub use cursor::Cursor;
pub use read::{DEPTH_LIMIT, ReadError, parse};
pub use tree::{Sexpr, atom, list, node, number, text};
pub use write::{print, print_all};

//! A tokenizer for C-like interface languages, and a cursor for hand-written parsers with recovery.
//!
//! In: the text of a file. Out: tokens whose texts, blanks and comments included, put together are the file again;
//! findings for what is no token (codes `lex-…`, in [`errors`]). Why: ONC, CORBA, MIG and Spi files share their
//! lexical form, so that each front end writes only its grammar.
//!
//! ```
//! use source::FileId;
//! let text = "struct a { int x<0x10>; }; // done";
//! let (tokens, findings) = tokens::tokenize(text, FileId(0), &tokens::Options::default());
//! assert!(findings.is_empty());
//! let mut cursor = tokens::Cursor::new(text, FileId(0), tokens);
//! assert!(cursor.eat("struct"));
//! assert_eq!(cursor.peek().kind, tokens::TokenKind::Identifier);
//! assert_eq!(cursor.peek_text(), "a");
//! ```

mod causes;
mod comments;
mod cursor;
pub mod errors;
mod number;
mod repair;
mod scan;
mod text;
mod token;
mod word;

pub use causes::follows_from_any;
pub use comments::unterminated_comment;
pub use cursor::Cursor;
pub use number::integer_value;
pub use repair::{Corrections, Repair};
pub use scan::{Options, tokenize};
pub use text::{has_plain_escapes, text_content};
pub use token::{Token, TokenKind};

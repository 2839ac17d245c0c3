//! The text form of PLAN: S-expressions, written and read.
//!
//! ```text
//! (routine direntry encode owns
//!   (entry xdr_direntry)
//!   (places (v*.info.fields (array int 30)) (v*.info.tag (array char 16)))
//!   (text v*.name (more 136))
//!   (chunk 136 (order32 v*.info.fields 30 @0) (copy v*.info.tag 16 @120)))
//! ```
//!
//! A place is one word: `*` is what a pointer points to, `.name` a member, `[i]` an element. Its C type is left out
//! where it follows from its use, from an earlier use, or from the array or pointer that it is reached through; the
//! others stand in `places` at the head of the routine. `parse(print(x)) == x`.

mod places;
mod read;
mod read_operations;
mod write;

pub use read::parse;
pub use write::print;

use crate::plan::{Direction, Owner, Word};

/// The word for a direction.
pub(super) fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Encode => "encode",
        Direction::Decode => "decode",
        Direction::Release => "release",
    }
}

/// The word for who releases storage; the heap's is left out.
pub(super) fn owner_word(owner: Owner) -> Option<&'static str> {
    match owner {
        Owner::Heap => None,
        Owner::Managed => Some("managed"),
        Owner::Caller => Some("caller"),
    }
}

/// The number of bits in a word, as it ends the name of an operation.
fn bits(word: Word) -> &'static str {
    match word {
        Word::One => "8",
        Word::Two => "16",
        Word::Four => "32",
        Word::Eight => "64",
    }
}

/// The word of an operation called `stem32` or `stem64`.
fn word_of(head: &str, stem: &str) -> Option<Word> {
    match head.strip_prefix(stem)? {
        "8" => Some(Word::One),
        "16" => Some(Word::Two),
        "32" => Some(Word::Four),
        "64" => Some(Word::Eight),
        _ => None,
    }
}

//! Encodings: what a number, a length and padding look like in the message. Leaf decisions only; the walk over
//! types is `lower`'s, the same for every encoding.

mod native;
mod xdr;

pub use native::Native;
pub use xdr::Xdr;

use pres::ScalarKind;

/// All encodings of packets, by the names that flows have for them.
pub const ALL: [&dyn Encoding; 2] = [&Native, &Xdr { strict: false }];

/// The encoding of a name.
pub fn named(name: &str) -> Option<&'static dyn Encoding> {
    ALL.into_iter().find(|encoding| encoding.name() == name)
}

/// The order of the bytes in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// The greatest first.
    #[default]
    Network,
    /// As the machine has it.
    Host,
}

/// The decisions that an encoding takes.
pub trait Encoding {
    /// The name on the command line and in dumps.
    fn name(&self) -> &'static str;

    /// Bytes that a scalar takes in the message.
    fn scalar_size(&self, kind: ScalarKind) -> u64;

    /// Bytes that a length, a flag or a count takes.
    fn count_size(&self) -> u64;

    /// Bytes that `length` bytes of text or opaque data take with their padding.
    fn padded(&self, length: u64) -> u64;

    /// The word that an array of such scalars is a run of: the same in C but for the order of its bytes.
    fn run_word(&self, kind: ScalarKind) -> Option<crate::plan::Word>;

    /// How words lie in the message.
    fn order(&self) -> ByteOrder;
}

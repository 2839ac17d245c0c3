//! Encodings: what a number, a length and padding look like in the message. Leaf decisions only; the walk over
//! types is `lower`'s, the same for every encoding.

mod cdr;
mod native;
pub(crate) mod protobuf;
mod xdr;

pub use cdr::Cdr;
pub use native::Native;
pub use protobuf::Fields;
pub use xdr::Xdr;

use pres::ScalarKind;

/// All encodings of packets, by the names that flows have for them.
pub const ALL: [&dyn Encoding; 5] =
    [&Native, &Xdr { strict: false }, &Cdr::of_packets(), &Cdr::of_samples(), &protobuf::Protobuf];

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
    /// As the machine does not have it: swapped on every machine.
    Swapped,
}

/// The decisions that an encoding takes.
pub trait Encoding {
    /// The name on the command line and in dumps.
    fn name(&self) -> &'static str;

    /// What an item is follows from where it stands, so that types become plans; else each item says which it is.
    fn goes_by_place(&self) -> bool {
        true
    }

    /// Bytes that a scalar takes in the message.
    fn scalar_size(&self, kind: ScalarKind) -> u64;

    /// Bytes that a length, a flag or a count takes.
    fn count_size(&self) -> u64;

    /// A scalar begins at a position of the message that is a multiple of this.
    fn alignment(&self, _: ScalarKind) -> u64 {
        1
    }

    /// And so does a length, a flag or a count.
    fn count_alignment(&self) -> u64 {
        1
    }

    /// Bytes that a text takes behind its length.
    fn text_size(&self, length: u64) -> u64 {
        self.padded(length)
    }

    /// The fewest bytes that a routine of the user's or the library's moves.
    fn external_least(&self) -> u64 {
        0
    }

    /// The most bytes that such a routine moves, from where a count would begin; `None` where nobody knows.
    fn external_most(&self, _routine: &str) -> Option<u64> {
        None
    }

    /// What such a routine decodes may hold what is to be released.
    fn external_owns(&self, _routine: &str) -> bool {
        true
    }

    /// Value types have a form of their own; elsewhere their values are optional data.
    fn has_values(&self) -> bool {
        false
    }

    /// Bytes that `length` bytes of text or opaque data take with their padding.
    fn padded(&self, length: u64) -> u64;

    /// The word that an array of such scalars is a run of: the same in C but for the order of its bytes.
    fn run_word(&self, kind: ScalarKind) -> Option<crate::plan::Word>;

    /// Structures of nothing but words move as a run from so many bytes on; smaller ones member by member.
    fn smallest_run(&self) -> u64 {
        0
    }

    /// How words lie in the message.
    fn order(&self) -> ByteOrder;
}

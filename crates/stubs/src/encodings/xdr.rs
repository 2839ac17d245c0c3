//! XDR (RFC 4506): big-endian words of four bytes; everything is padded to a multiple of four.

use pres::ScalarKind;

use super::{ByteOrder, Encoding};
use crate::plan::Word;

/// RFC 4506.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xdr {
    /// Unknown members of enumerations are refused, so that enumerations are looked at one by one.
    pub strict: bool,
}

impl Encoding for Xdr {
    fn name(&self) -> &'static str {
        "xdr"
    }

    /// RFC 4506 sections 4.1-4.7: 32 bits for anything smaller.
    fn scalar_size(&self, kind: ScalarKind) -> u64 {
        match kind {
            ScalarKind::Integer { bits: 64, .. } | ScalarKind::Float { bits: 64 } => 8,
            ScalarKind::Quadruple => 16,
            _ => 4,
        }
    }

    fn count_size(&self) -> u64 {
        4
    }

    /// RFC 4506 section 4.9.
    fn padded(&self, length: u64) -> u64 {
        length.div_ceil(4) * 4
    }

    /// Booleans are looked at one by one: they decode to 0 or 1. `long` has another size in C.
    fn run_word(&self, kind: ScalarKind) -> Option<Word> {
        match kind {
            ScalarKind::Integer { bits: 32, .. } | ScalarKind::Float { bits: 32 } => Some(Word::Four),
            ScalarKind::Enumeration { strict } => (!strict && !self.strict).then_some(Word::Four),
            ScalarKind::Integer { bits: 64, .. } | ScalarKind::Float { bits: 64 } => Some(Word::Eight),
            _ => None,
        }
    }

    fn order(&self) -> ByteOrder {
        ByteOrder::Network
    }
}

//! The machine's own: every scalar as it lies in memory, at its own size, one behind the other without padding. For equal
//! machines alone; what a structure without gaps takes on the wire is what it takes in memory. Counts, flags and lengths
//! are of 32 bits, booleans of one byte that is 0 or 1, enumerations and `long` of 32 bits.

use pres::ScalarKind;

use super::{ByteOrder, Encoding};
use crate::plan::Word;

/// Between equal machines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Encoding for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn scalar_size(&self, kind: ScalarKind) -> u64 {
        match kind {
            ScalarKind::Integer { bits, .. } | ScalarKind::Float { bits } => u64::from(bits) / 8,
            ScalarKind::Long { .. } | ScalarKind::Enumeration { .. } => 4,
            ScalarKind::Quadruple => 16,
            ScalarKind::Boolean => 1,
        }
    }

    fn count_size(&self) -> u64 {
        4
    }

    fn padded(&self, length: u64) -> u64 {
        length
    }

    /// Whatever may be any bytes is a run of them. Booleans are looked at one by one; `long` has another size in C.
    fn run_word(&self, kind: ScalarKind) -> Option<Word> {
        match kind {
            ScalarKind::Integer { .. }
            | ScalarKind::Float { .. }
            | ScalarKind::Quadruple
            | ScalarKind::Enumeration { strict: false } => Some(Word::One),
            ScalarKind::Long { .. } | ScalarKind::Boolean | ScalarKind::Enumeration { strict: true } => None,
        }
    }

    fn order(&self) -> ByteOrder {
        ByteOrder::Host
    }
}

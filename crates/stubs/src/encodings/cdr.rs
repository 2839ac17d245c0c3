//! CDR (CORBA 3.3 part 2, section 9.3): every number at its own size, at a multiple of that size from the message's start,
//! in either byte order. Texts end with a NUL that their length counts; bytes are not padded.

use pres::ScalarKind;

use super::{ByteOrder, Encoding, Native};
use crate::plan::Word;

/// CORBA 3.3 part 2, section 9.3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cdr {
    pub order: ByteOrder,
    /// Unknown members of enumerations are refused, so that enumerations are looked at one by one.
    pub strict: bool,
    /// The first words of messages travel in registers, where a run of them cannot be.
    pub in_registers: bool,
    /// Its name, where it is not `cdr`.
    pub called: Option<&'static str>,
}

impl Cdr {
    /// Of packets between machines of any order.
    pub const fn of_packets() -> Cdr {
        Cdr { order: ByteOrder::Network, strict: false, in_registers: false, called: None }
    }

    /// Of packets in the machine's order: a sample of DDS says which that is.
    pub const fn of_samples() -> Cdr {
        Cdr { order: ByteOrder::Host, strict: false, in_registers: false, called: Some("cdr_native") }
    }
}

impl Encoding for Cdr {
    fn name(&self) -> &'static str {
        self.called.unwrap_or("cdr")
    }

    /// Table 9.1: what common machines have, too.
    fn scalar_size(&self, kind: ScalarKind) -> u64 {
        Native.scalar_size(kind)
    }

    fn count_size(&self) -> u64 {
        4
    }

    /// Table 9.1: nothing is aligned to more than 8.
    fn alignment(&self, kind: ScalarKind) -> u64 {
        self.scalar_size(kind).clamp(1, 8)
    }

    fn count_alignment(&self) -> u64 {
        4
    }

    fn padded(&self, length: u64) -> u64 {
        length
    }

    /// Section 9.3.2.7.
    fn text_size(&self, length: u64) -> u64 {
        length.saturating_add(1)
    }

    /// Numbers hold nothing, however they travel; what message has a capability knows who holds that.
    fn external_owns(&self, routine: &str) -> bool {
        !matches!(routine, "wchar" | "fixed" | "long_double" | "capability")
    }

    /// A capability is a place among those of its message, and so is a port's right.
    fn external_most(&self, routine: &str) -> Option<u64> {
        matches!(routine, "capability" | "port").then_some(4)
    }

    /// Section 9.3.4.
    fn has_values(&self) -> bool {
        true
    }

    /// An empty text's NUL, a nil's length: there is no value without a byte.
    fn external_least(&self) -> u64 {
        1
    }

    /// Booleans are looked at one by one: they decode to 0 or 1. `long` has another size in C.
    fn run_word(&self, kind: ScalarKind) -> Option<Word> {
        match kind {
            ScalarKind::Long { .. } | ScalarKind::Boolean | ScalarKind::Quadruple => return None,
            ScalarKind::Enumeration { strict } if strict || self.strict => return None,
            _ => {}
        }
        match self.scalar_size(kind) {
            // As it lies in memory.
            _ if self.order == ByteOrder::Host => Some(Word::One),
            1 => Some(Word::One),
            2 => Some(Word::Two),
            4 => Some(Word::Four),
            8 => Some(Word::Eight),
            _ => None,
        }
    }

    fn smallest_run(&self) -> u64 {
        if self.in_registers { 65 } else { 0 }
    }

    fn order(&self) -> ByteOrder {
        self.order
    }
}

//! The constants that a variable holds.
//!
//! In: stores of constants, and clears. Out: the whole as an initial value. Integers are held byte by byte, so that stores of other
//! widths than the parts of the type are followed; floats and addresses as they were stored. Bytes that nothing was stored to are zero
//! or indeterminate; an initial value makes them zero.

use std::collections::BTreeMap;

use core_c::{Expression, ExpressionKind, Place, Shape, StepKind, TypeId, Types};

/// Bits of an object that one access takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// In bits, from the first to the one after the last.
    range: (u64, u64),
    ty: TypeId,
}

impl Part {
    /// The part that a place of the variable names; none where it is computed at run time.
    pub(super) fn of(types: &Types, place: &Place) -> Option<Part> {
        let mut offset = 0_u64;
        for step in &place.steps {
            let by = match &step.kind {
                StepKind::Field { offset, .. } => *offset,
                StepKind::Index(index) => {
                    let ExpressionKind::Integer(index) = index.kind else { return None };
                    u64::try_from(index).ok()?.checked_mul(types.size_of(step.ty)?)?
                }
            };
            offset = offset.checked_add(by)?;
        }
        let (first, width) = match place.bits() {
            Some(bits) => (u64::from(bits.first), u64::from(bits.width)),
            None => (0, types.size_of(place.ty)?.checked_mul(8)?),
        };
        let from = offset.checked_mul(8)?.checked_add(first)?;
        Some(Part { range: (from, from.checked_add(width)?), ty: place.ty })
    }

    /// These bytes.
    pub(super) fn bytes((from, to): (i128, i128), ty: TypeId) -> Option<Part> {
        let bits = |at: i128| u64::try_from(at).ok()?.checked_mul(8);
        Some(Part { range: (bits(from)?, bits(to)?), ty })
    }

    pub(super) fn is_within(&self, size: u64) -> bool {
        self.range.0 < self.range.1 && self.range.1 <= size.saturating_mul(8)
    }
}

/// What a variable holds at one point.
#[derive(Clone, Debug)]
pub(super) enum Contents {
    Known(Held),
    /// Paths that leave different things have met.
    Different,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    /// By offset, where an integer was stored.
    pub(super) bytes: BTreeMap<u64, u8>,
    /// Floats and addresses, with their sizes.
    pub(super) whole: BTreeMap<u64, (u64, Expression)>,
}

impl PartialEq for Contents {
    /// What was not stored is as good as zero.
    fn eq(&self, other: &Contents) -> bool {
        match (self, other) {
            (Contents::Known(one), Contents::Known(two)) => {
                one.set_bytes().eq(two.set_bytes()) && one.whole == two.whole
            }
            (Contents::Different, Contents::Different) => true,
            _ => false,
        }
    }
}

impl Default for Contents {
    fn default() -> Contents {
        Contents::Known(Held::default())
    }
}

impl Contents {
    pub(super) fn held(&self) -> Option<&Held> {
        match self {
            Contents::Known(held) => Some(held),
            Contents::Different => None,
        }
    }

    /// What two paths agree in.
    pub(super) fn meet(&self, other: &Contents) -> Contents {
        if self == other { self.clone() } else { Contents::Different }
    }

    /// A store of a constant; false where part of a float or of an address would be overwritten.
    pub(super) fn put(&mut self, types: &Types, part: Part, value: &Expression) -> bool {
        let Contents::Known(held) = self else { return true };
        let (from, to) = part.range;
        let is_number = matches!(types.shape_of(part.ty), Shape::Integer { .. } | Shape::Pointer(_));
        match &value.kind {
            ExpressionKind::Integer(number) if is_number => {
                let is_free = held.forget_whole(part.range);
                for at in from..to.min(from + 128) {
                    let byte = held.bytes.entry(at / 8).or_default();
                    let mask = 1_u8 << (at % 8);
                    *byte = if number >> (at - from) & 1 == 1 { *byte | mask } else { *byte & !mask };
                }
                is_free && to - from <= 128
            }
            _ if from % 8 == 0 && to % 8 == 0 => {
                let is_free = held.forget(part.range);
                let mut value = value.clone();
                value.walk_mut(&mut |part| part.span = None);
                held.whole.insert(from / 8, ((to - from) / 8, value));
                is_free
            }
            _ => false,
        }
    }

    /// The same byte all over; false where part of a float or of an address would be overwritten.
    pub(super) fn fill(&mut self, part: Part, byte: u8, size: u64) -> bool {
        let (from, to) = part.range;
        if from == 0 && to == size * 8 {
            *self = Contents::default();
        }
        let Contents::Known(held) = self else { return true };
        let is_free = from % 8 == 0 && to % 8 == 0 && held.forget(part.range);
        if byte != 0 {
            held.bytes.extend((from / 8..to / 8).map(|at| (at, byte)));
        }
        is_free
    }
}

impl Held {
    fn set_bytes(&self) -> impl Iterator<Item = (&u64, &u8)> {
        self.bytes.iter().filter(|(_, byte)| **byte != 0)
    }

    fn forget(&mut self, range: (u64, u64)) -> bool {
        let mut behind = self.bytes.split_off(&(range.0 / 8));
        self.bytes.append(&mut behind.split_off(&(range.1 / 8)));
        self.forget_whole(range)
    }

    fn forget_whole(&mut self, (from, to): (u64, u64)) -> bool {
        self.whole.retain(|at, (size, _)| at * 8 < from || (at + *size) * 8 > to);
        // They do not overlap each other: the last that begins before the end reaches furthest.
        let last = self.whole.range(..to.div_ceil(8)).next_back();
        last.is_none_or(|(at, (size, _))| (at + size) * 8 <= from)
    }
}

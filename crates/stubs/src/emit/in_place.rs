//! XDR in memory: items that take as much room in C as in the message, each part at its place there, may be decoded where
//! they lie. In: the operations of one item. Out: what C compilers make of it, who alone know the layout: the items'
//! alignment, or 0. A part is read before it is written, and is no longer in C than in the message.

use cast::build::{and, conditional, equal, integer, sizeof_type, unsigned, verbatim};
use cast::{Expression, Type};
use pres::ScalarKind;

use super::Family;
use super::routine::Emitter;
use crate::plan::{Access, Op, Owner, Part, Place, Step, Storage};

/// Items of more parts are not worth that much text.
const MOST_PARTS: usize = 24;

impl Emitter<'_> {
    /// `sizeof(T) == 24u && offsetof(T, b) == 4u ? __alignof__(T) : 0u`, where that may be anything but 0.
    pub(super) fn alignment_in_place(&self, item: &Type, storage: &Storage, body: &[Op]) -> Option<Expression> {
        // What is checked once more after it was stored would not be there any more.
        let is_plain = storage.of == Owner::Heap && storage.item.is_none() && !self.conventions.strict;
        if self.conventions.family != Family::Xdr || !is_plain {
            return None;
        }
        let (parts, size) = parts(body)?;
        let mut same = equal(sizeof_type(item.clone()), unsigned(size));
        for (offset, place) in parts.iter().filter(|(offset, _)| *offset > 0) {
            let offset_in_c = format!("offsetof({}, {})", cast::print_type(item), path(place)?);
            same = and(same, equal(verbatim(offset_in_c, Type::named("size_t")), unsigned(*offset)));
        }
        Some(conditional(same, super::cdr::alignment_of(item), integer(0)))
    }
}

/// What an item is made of, in its order, with the offsets in the message, and how long it is there.
fn parts(body: &[Op]) -> Option<(Vec<(u64, &Place)>, u64)> {
    let (mut found, mut size) = (Vec::new(), 0u64);
    for op in body {
        match op {
            Op::Ensure(_) | Op::Ahead { .. } => {}
            Op::Chunk { size: more, parts } => {
                for part in parts {
                    found.extend(object(part)?.map(|place| (size + part.offset, place)));
                }
                size = size.checked_add(*more)?;
            }
            _ => return None,
        }
    }
    (!found.is_empty() && found.len() <= MOST_PARTS).then_some((found, size))
}

/// The object that a part is decoded into, if that is one; `None` where it cannot lie in the message.
fn object(part: &Part) -> Option<Option<&Place>> {
    match &part.access {
        Access::Scalar { kind: ScalarKind::Integer { bits: 8 | 16, .. }, place } if place.steps.len() == 1 => None,
        Access::Scalar { kind: ScalarKind::Quadruple, .. } => None,
        Access::Scalar { place, .. } | Access::Copy { place, .. } | Access::Order { place, .. } => Some(Some(place)),
        Access::Zero { .. } => Some(None),
        Access::Count(_) | Access::Flag(_) | Access::Local(_) => None,
    }
}

/// `info.fields`: the members from the item to the object.
fn path(place: &Place) -> Option<String> {
    let members = place.steps.iter().skip(1).map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        _ => None,
    });
    let members: Option<Vec<&str>> = members.collect();
    members.filter(|members| !members.is_empty()).map(|members| members.join("."))
}

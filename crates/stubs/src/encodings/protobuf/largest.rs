//! The most bytes that a message takes. In: the tables of values, the fields of their parts. Out: a number for each type; none where a
//! list or a text has no bound, or a type holds itself. Types are measured after those that they hold, so that no chain is too long.

use pres::NumberForm;

use super::fields::{self, Numbers};
use crate::values::{Row, Values};

/// The largest messages of some types.
pub(crate) struct Largest<'a> {
    values: &'a Values,
    fields: Vec<fields::Field>,
    /// By place; `None`: there is no bound, or it is not known yet.
    known: Vec<Option<u64>>,
}

impl<'a> Largest<'a> {
    pub(crate) fn of(values: &'a Values, numbers: &Numbers) -> Largest<'a> {
        let known = vec![None; values.types().count()];
        let mut largest = Largest { values, fields: fields::of(values, numbers), known };
        for place in largest.inner_first() {
            largest.known[place] = largest.message(values.at(place).0);
        }
        largest
    }

    /// The message that a whole value of a type is.
    pub(crate) fn message_at(&self, place: u64) -> Option<u64> {
        usize::try_from(place).ok().and_then(|place| *self.known.get(place)?)
    }

    /// The places, each behind those of the types that it holds; of those that hold each other, one comes too early.
    fn inner_first(&self) -> Vec<usize> {
        let (mut order, mut seen) = (Vec::new(), vec![false; self.known.len()]);
        for root in 0..self.known.len() {
            let mut open = vec![(root, false)];
            while let Some((place, is_done)) = open.pop() {
                if is_done {
                    order.push(place);
                } else if !std::mem::replace(&mut seen[place], true) {
                    open.push((place, true));
                    open.extend(self.values.inside(self.values.at(place).0).into_iter().map(|inner| (inner, false)));
                }
            }
        }
        order
    }

    fn message(&self, row: &Row) -> Option<u64> {
        let parts = self.values.parts_of(row);
        let mut sizes = parts.map(|part| self.field(self.fields[part].number, self.values.parts()[part].ty));
        match row.kind {
            "STRUCTURE" => sizes.try_fold(0u64, |sum, size| sum.checked_add(size?)),
            "UNION" => sizes.next()??.checked_add(self.arms(row)?),
            _ => self.field_of(1, row),
        }
    }

    fn arms(&self, row: &Row) -> Option<u64> {
        self.values.parts_of(row).skip(1).try_fold(0, |most: u64, part| {
            let place = self.values.parts()[part].ty;
            let is_nothing = self.values.at(place).0.kind == "NOTHING";
            Some(most.max(if is_nothing { 0 } else { self.one(self.fields[part].number, place)? }))
        })
    }

    /// A part; one without a number is no field.
    fn field(&self, number: u32, place: usize) -> Option<u64> {
        if number == 0 {
            Some(0)
        } else {
            self.field_of(number, self.values.at(place).0).or_else(|| self.one(number, place))
        }
    }

    /// A field whose size follows from what its type holds.
    fn field_of(&self, number: u32, row: &Row) -> Option<u64> {
        match row.kind {
            "NOTHING" => Some(0),
            "OPTIONAL" | "REFERENCE" => self.one(number, row.of),
            "ARRAY" | "COUNTED_ARRAY" | "INLINE_ARRAY" => {
                let most = row.most.as_ref()?.value?;
                match number_size(self.values.at(row.of).0) {
                    Some(size) => counted(number, size.checked_mul(most)?),
                    None => self.one(number, row.of)?.checked_mul(most),
                }
            }
            _ => of_itself(number, row)?,
        }
    }

    /// One value behind its tag.
    fn one(&self, number: u32, place: usize) -> Option<u64> {
        let row = self.values.at(place).0;
        match row.kind {
            "REFERENCE" => self.one(number, row.of),
            _ => match of_itself(number, row) {
                Some(size) => size,
                None => counted(number, self.known[place]?),
            },
        }
    }
}

/// A number or bytes, behind a tag; `None` where the type is neither.
fn of_itself(number: u32, row: &Row) -> Option<Option<u64>> {
    if let Some(size) = number_size(row) {
        return Some(tag(number).checked_add(size));
    }
    match row.kind {
        "BYTES" | "COUNTED_BYTES" | "COUNTED_TEXT" | "INLINE_BYTES" | "INLINE_TEXT" | "TEXT" => {
            Some(row.most.as_ref().and_then(|most| most.value).and_then(|most| counted(number, most)))
        }
        _ => None,
    }
}

/// Numbers below zero are of 64 bits; seven bits go into a byte.
fn number_size(row: &Row) -> Option<u64> {
    match row.form() {
        Some(NumberForm::Fixed { bits, .. }) => return Some(u64::from(bits) / 8),
        Some(NumberForm::Zigzag { .. }) => return Some((8 * row.wire).div_ceil(7)),
        None => {}
    }
    match row.kind {
        "SIGNED" | "ENUMERATION" => Some(10),
        "UNSIGNED" => Some((8 * row.wire).div_ceil(7)),
        "BOOLEAN" => Some(1),
        "FLOAT" => Some(row.wire),
        _ => None,
    }
}

/// So many bytes behind their length and a tag.
fn counted(number: u32, bytes: u64) -> Option<u64> {
    bytes.checked_add(varint(bytes) + tag(number))
}

fn tag(number: u32) -> u64 {
    varint(u64::from(number) << 3)
}

fn varint(number: u64) -> u64 {
    u64::from(64 - (number | 1).leading_zeros()).div_ceil(7)
}

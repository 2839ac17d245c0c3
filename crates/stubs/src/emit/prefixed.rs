//! XDR in memory: a count, its bound and what it counts, or a text and its length, are the work of one routine, where
//! they stand by themselves: one check and one call. Loops over items have the parts in place instead.

use cast::Statement;
use cast::build::{address, unsigned};
use pres::Extent;

use super::Family;
use super::routine::Emitter;
use crate::plan::{Access, Count, Op, Place, Word};

/// Operations that one routine does.
enum Prefixed<'a> {
    /// Encode.
    Words {
        word: Word,
        words: u64,
        data: &'a Place,
        length: &'a Place,
    },
    Bytes {
        data: &'a Place,
        length: &'a Place,
    },
    /// Decode.
    NewWords {
        op: &'a Op,
        word: Word,
        words: u64,
        data: &'a Place,
        length: &'a Place,
    },
    NewBytes {
        data: &'a Place,
        length: &'a Place,
    },
    Text {
        place: &'a Place,
        more: u64,
    },
}

impl Emitter<'_> {
    /// What the first of these operations do together, and how many they are.
    pub(super) fn prefixed(&mut self, body: &[Op]) -> Option<(Vec<Statement>, usize)> {
        if self.conventions.family != Family::Xdr || self.in_loop {
            return None;
        }
        let (prefixed, bound, taken) = encoded(body).or_else(|| decoded(body))?;
        let bound = self.bound(bound);
        let (context, at) = (self.context(), self.at());
        let (section, mut arguments) = match prefixed {
            Prefixed::Words { word, words, data, length } => {
                self.assert_items(data, word, words);
                let values = [self.place(data), self.place(length), bound, unsigned(words)];
                (format!("out_prefixed_{}", self.run_of(word)), values.to_vec())
            }
            Prefixed::Bytes { data, length } => {
                ("out_prefixed_bytes".to_string(), vec![self.place(data), self.place(length), bound])
            }
            Prefixed::NewWords { op, word, words, data, length } => {
                if let Op::CountedOrder { item, .. } = op {
                    self.assert_run(item, words * word.bytes());
                }
                let values = [address(self.place(data)), address(self.place(length)), bound, unsigned(words)];
                (format!("in_prefixed_{}", self.run_of(word)), values.to_vec())
            }
            Prefixed::NewBytes { data, length } => {
                let values = [address(self.place(data)), address(self.place(length)), bound];
                ("in_prefixed_bytes".to_string(), values.to_vec())
            }
            Prefixed::Text { place, more } => {
                ("in_prefixed_text".to_string(), vec![address(self.place(place)), bound, unsigned(more)])
            }
        };
        arguments.splice(0..0, [context, at]);
        Some((self.runtime_step(&section, arguments), taken))
    }
}

/// A count that is written, and what it counts.
fn encoded(body: &[Op]) -> Option<(Prefixed<'_>, Option<&Extent>, usize)> {
    let [
        Op::Check { count: Count::Value(length), bound, .. },
        Op::Ensure(4),
        Op::Chunk { size: 4, parts },
        counted,
        ..,
    ] = body
    else {
        return None;
    };
    let is_count = |of: &Count| matches!(of, Count::Value(counted) if counted == length);
    let [part] = parts.as_slice() else { return None };
    if !matches!(&part.access, Access::Count(count) if is_count(count)) {
        return None;
    }
    let prefixed = match counted {
        Op::Order { word: word @ (Word::Four | Word::Eight), place, count, words } if is_count(count) => {
            Prefixed::Words { word: *word, words: *words, data: place, length }
        }
        Op::Bytes { place, length: count } if is_count(count) => Prefixed::Bytes { data: place, length },
        _ => return None,
    };
    let is_pointer = |place: &Place| matches!(place.ty, cast::Type::Pointer(_));
    match &prefixed {
        Prefixed::Words { data, .. } | Prefixed::Bytes { data, .. } if is_pointer(data) => {
            Some((prefixed, bound.as_ref(), 4))
        }
        _ => None,
    }
}

/// A count that is read into a local variable of which nobody else knows, and what it counts.
fn decoded(body: &[Op]) -> Option<(Prefixed<'_>, Option<&Extent>, usize)> {
    let [Op::Ensure(4), Op::Chunk { size: 4, parts }, rest @ ..] = body else { return None };
    let [part] = parts.as_slice() else { return None };
    let Access::Local(local) = &part.access else { return None };
    match rest {
        [Op::Text { place, length: Some(length), bound, align: 1, more, counted: None }, ..]
            if length == local && !super::encode::is_inline(place) =>
        {
            Some((Prefixed::Text { place, more: *more }, bound.as_ref(), 3))
        }
        [Op::Check { count: Count::Local(checked), bound, data: None }, counted, ..] if checked == local => {
            let prefixed =
                match counted {
                    Op::CountedOrder {
                        data, length, count, word: word @ (Word::Four | Word::Eight), words, ..
                    } if count == local => Prefixed::NewWords { op: counted, word: *word, words: *words, data, length },
                    Op::CountedBytes { data, length, count } if count == local => Prefixed::NewBytes { data, length },
                    _ => return None,
                };
            Some((prefixed, bound.as_ref(), 4))
        }
        _ => None,
    }
}

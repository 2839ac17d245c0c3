//! `bulk-copies`: arrays of words, and structures that are nothing but words, move as runs. In: loops over items and
//! aggregates that know their layout. Out: one run each, which the runtime moves with the widest instructions there are
//! (a copy where the byte orders agree). Booleans are no words: they decode to 0 or 1.
//!
//! Source: Flick (PLDI'97) section 3.2, "Data Copying", and the extension to byte swaps and whole structures that it announces.

use super::map_bodies;
use crate::plan::{Access, Count, Direction, Layout, Op, Part, Place, Plan};

/// Longer runs are no parts of chunks: they check for themselves and may be moved piece by piece.
const LONGEST_RUN_IN_A_CHUNK: u64 = 1024;

/// Shorter ones gain nothing.
const FEWEST_WORDS: u64 = 2;

/// Replaces item-by-item code by runs.
pub(super) fn bulk_copies(plan: Plan) -> Plan {
    map_bodies(plan, &mut |direction, body| if direction == Direction::Release { body } else { runs(body) })
}

fn runs(body: Vec<Op>) -> Vec<Op> {
    let mut result = Vec::with_capacity(body.len());
    for op in body {
        match op {
            Op::Aggregate { place, layout: Some(layout), .. } if layout.words >= FEWEST_WORDS => {
                result.extend(fixed_run(&place, layout, 1));
            }
            Op::Loop { count: Count::Known(count), over, bind: false, layout: Some(layout), .. } if count > 0 => {
                result.extend(fixed_run(&over.data, layout, count));
            }
            op => result.push(run(op)),
        }
    }
    result
}

/// One run in the place of one operation.
fn run(op: Op) -> Op {
    match op {
        Op::Loop { count, over, bind, layout: Some(layout), .. } => {
            // An array inside its parent is named by its first element, like a pointer to one.
            let place = if bind { over.data } else { over.data.element("0", over.ty) };
            Op::Order { word: layout.word, place, count, words: layout.words }
        }
        Op::Items { count, data, length, item, layout: Some(layout), .. } => {
            let Layout { word, words, .. } = layout;
            Op::CountedOrder { data, length, count, item, word, words }
        }
        other => other.map_bodies(&mut runs),
    }
}

/// `count` times `layout` at a place: part of a chunk, or by itself where it is long.
fn fixed_run(place: &Place, layout: Layout, count: u64) -> Vec<Op> {
    let words = layout.words.saturating_mul(count);
    let size = words.saturating_mul(layout.word.bytes());
    if size > LONGEST_RUN_IN_A_CHUNK {
        return vec![Op::Order { word: layout.word, place: place.clone(), count: Count::Known(words), words: 1 }];
    }
    let access = Access::Order { word: layout.word, place: place.clone(), words };
    vec![Op::Ensure(size), Op::Chunk { size, parts: vec![Part { offset: 0, access }] }]
}

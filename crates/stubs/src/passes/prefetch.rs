//! `prefetch`: loops whose items hold text or counted parts say what they are about to touch. In: loops over items of
//! varying size. Out: an `Ahead` at the head of each round. Runs of fixed size need none: they are read in order, and the
//! machine sees that itself. Source: measurement (`make bench ONLY=ablation`).

use super::{map_bodies, sizes::unchecked_size};
use crate::plan::{Direction, Op, Plan};

/// What a text or counted part is taken to be long.
const LIKELY_LENGTH: u64 = 64;

/// Puts hints at the heads of rounds.
pub(super) fn prefetch(plan: Plan) -> Plan {
    map_bodies(plan, &mut |direction, body| if direction == Direction::Release { body } else { hinted(body) })
}

fn hinted(body: Vec<Op>) -> Vec<Op> {
    let hint_round = |op: Op| {
        let mut op = op.map_bodies(&mut hinted);
        match &mut op {
            Op::Loop { index, over, bind: true, strip: None, body, .. } => {
                let hint = hint(index, &over.ty, body);
                body.splice(0..0, hint);
            }
            Op::Items { index, item, strip: None, body, .. } => {
                let hint = hint(index, item, body);
                body.splice(0..0, hint);
            }
            _ => {}
        }
        op
    };
    body.into_iter().map(hint_round).collect()
}

fn hint(index: &str, item: &cast::Type, body: &[Op]) -> Option<Op> {
    let fixed: u64 = body.iter().filter_map(unchecked_size).sum();
    let parts = body.iter().filter(|op| {
        matches!(
            op,
            Op::Text { .. } | Op::Bytes { .. } | Op::CountedBytes { .. } | Op::Order { .. } | Op::CountedOrder { .. }
        )
    });
    let likely = fixed + LIKELY_LENGTH * parts.count() as u64;
    (likely > LIKELY_LENGTH).then(|| Op::Ahead { index: index.to_string(), item: item.clone(), likely })
}

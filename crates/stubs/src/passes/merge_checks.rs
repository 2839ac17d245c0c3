//! `merge-checks`: one check for each stretch of fixed size. In: a check before every item. Out: checks at the heads of
//! stretches, together with the text that stands before them; loops over items of fixed size are checked for many rounds at once.
//!
//! Segments are at most [`LARGEST_SEGMENT`] bytes, what a stream without contiguous space is given at once. On encode
//! never more is asked for than will be written: streams of the user's cannot grow. Source: Flick (PLDI'97) section 3.1,
//! "Marshal Buffer Management".

use super::{map_bodies, sizes::unchecked_size, sizes::unchecked_sum};
use crate::plan::{Op, Plan};

/// In bytes; the runtime's WHITTLE_BLOCK.
pub(crate) const LARGEST_SEGMENT: u64 = 3584;

/// Merges checks.
pub(super) fn merge_checks(plan: Plan) -> Plan {
    map_bodies(plan, &mut |_, body| merged(body))
}

/// The operations of one body, innermost first.
fn merged(body: Vec<Op>) -> Vec<Op> {
    let inner = body.into_iter().flat_map(|op| unroll_check(op.map_bodies(&mut merged)));
    let mut result: Vec<Op> = Vec::new();
    // The check that covers all that has been moved since it.
    let mut open: Option<usize> = None;
    for op in inner {
        if let (Op::Align { to, when: None, more: 0 }, Some(Op::Text { align: align @ 1, more: 0, .. })) =
            (&op, result.last_mut())
        {
            *align = *to;
            continue;
        }
        if let (Op::Ensure(size), Some(Op::Text { more, .. } | Op::Align { when: None, more, .. })) =
            (&op, result.last_mut())
            && *more == 0
        {
            // Its own check covers what stands behind it; later checks of the stretch join it.
            *more = *size;
            open = Some(result.len() - 1);
            continue;
        }
        match (&op, open) {
            (Op::Ensure(more), Some(at)) => {
                if let Some(Op::Ensure(size) | Op::Text { more: size, .. } | Op::Align { more: size, .. }) =
                    result.get_mut(at)
                    && *size + more <= LARGEST_SEGMENT
                {
                    *size += more;
                    continue;
                }
                open = Some(result.len());
            }
            (Op::Ensure(_), None) => open = Some(result.len()),
            _ if unchecked_size(&op).is_some() => {}
            _ => open = None,
        }
        result.push(op);
    }
    result
}

/// A loop whose round is one checked stretch: one check before it, or one for many rounds.
fn unroll_check(mut op: Op) -> Vec<Op> {
    let (Op::Loop { body, .. } | Op::Items { body, .. }) = &mut op else { return vec![op] };
    let Some((Op::Ensure(round), rest)) = body.split_first() else { return vec![op] };
    let round = *round;
    if unchecked_sum(rest) != Some(round) || round == 0 {
        return vec![op];
    }
    body.remove(0);
    if let Some(all) = unchecked_size(&op).filter(|all| *all <= LARGEST_SEGMENT) {
        return vec![Op::Ensure(all), op];
    }
    if let Op::Loop { strip, .. } | Op::Items { strip, .. } = &mut op {
        *strip = Some(round);
    }
    vec![op]
}

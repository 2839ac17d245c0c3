//! `alignment`: where the position in the message is known modulo 8, alignments come to nothing, or to padding of known
//! length, which is part of chunks; the others stay, to be found out at run time. In: an `Align` before every item. Out: one
//! where the phase is not known, behind texts and sequences of odd sizes, and at the beginnings of routines. Items that are
//! runs of words only at some positions keep their layout only where they stand at one.
//!
//! Source: CORBA 3.3 part 2, section 9.3.1; the phase as an abstract value is ours.

use std::collections::BTreeSet;

use super::recursion;
use crate::plan::phase::{Phase, Walker};
use crate::plan::{Access, Count, Direction, Layout, Op, Part, Plan, RoutineId};

/// Settles the alignments of all routines.
pub(super) fn alignment(mut plan: Plan) -> Plan {
    let mut called = BTreeSet::new();
    for (id, routine) in &plan.routines {
        let mut names = Vec::new();
        recursion::calls(&routine.body, &mut names);
        called.extend(names.into_iter().map(|name| RoutineId { name, direction: id.direction }));
    }
    for (id, routine) in plan.routines.iter_mut().filter(|(id, _)| id.direction != Direction::Release) {
        // Callers, and rounds after the first, begin anywhere.
        if called.contains(id) || routine.is_loop {
            routine.entry_phase = 1;
        }
        let entry = Phase::multiple(routine.entry_phase);
        routine.body = settled(std::mem::take(&mut routine.body), Walker::at(entry));
        routine.body.shrink_to_fit();
    }
    plan
}

fn settled(body: Vec<Op>, mut walker: Walker) -> Vec<Op> {
    let mut result = Vec::with_capacity(body.len());
    for op in body {
        let before = walker.clone();
        walker.step(&op);
        match op {
            Op::Align { to, when, more } => match before.phase.padding(to) {
                Some(0) => {}
                Some(size) if when.is_none() => {
                    let zero = Part { offset: 0, access: Access::Zero { length: size } };
                    result.extend([Op::Ensure(size), Op::Chunk { size, parts: vec![zero] }]);
                }
                _ => result.push(Op::Align { to, when, more }),
            },
            op => result.push(inner(op, &before)),
        }
    }
    result
}

/// The operation with its bodies settled.
fn inner(mut op: Op, before: &Walker) -> Op {
    match &mut op {
        Op::Aggregate { layout, .. } => keep(layout, before.phase),
        Op::Loop { count, layout, .. } => keep(layout, before.inside(count)),
        Op::Items { count, layout, .. } => keep(layout, before.inside(&Count::Local(count.clone()))),
        _ => {}
    }
    let begin = before.within(&op);
    op.map_bodies(&mut |body| settled(body, begin.clone()))
}

/// A layout that holds for every position, or for the one that this is.
fn keep(layout: &mut Option<Layout>, phase: Phase) {
    *layout = layout.filter(|layout| phase.is_multiple(layout.alignment));
}

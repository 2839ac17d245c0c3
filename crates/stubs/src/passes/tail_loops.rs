//! `tail-loops`: a routine whose last action is itself again becomes a loop. In: calls in tail position, behind an
//! optional pointer, the way lists are written in ONC, or a sequence of one item at most, as IDL has them, whatever they
//! stand in: an arm of a union, or what another pointer leads to, as in a list whose nodes are of two types by turns. Out:
//! `Again`, which moves on to the next value: a list of a million nodes takes no more stack than one of two.

use cast::Type;

use crate::plan::{Op, Owner, Place, Plan, Step};

/// Turns self-calls in tail position into loops.
pub(super) fn tail_loops(mut plan: Plan) -> Plan {
    for (id, routine) in &mut plan.routines {
        let mut is_loop = false;
        routine.body = looped((&id.name, &routine.ty), std::mem::take(&mut routine.body), &mut is_loop);
        routine.is_loop = is_loop;
    }
    plan
}

/// The body with its tail calls turned; says when there are any. The pointer may know the type by another name.
fn looped(of @ (name, ty): (&str, &Type), mut body: Vec<Op>, is_loop: &mut bool) -> Vec<Op> {
    let Some(last) = body.pop() else { return body };
    let turned = match last {
        // Managed storage is released by its allocator, node by node: its depth stays bounded.
        Op::Optional { pointer, counted, flag, storage, body, .. }
            if storage.of != Owner::Managed && is_self_call(name, &pointer, &body) =>
        {
            *is_loop = true;
            Op::Again { pointer, target: ty.clone(), counted, flag, storage }
        }
        tail if tail.ends_with_bodies() => {
            let mut inside = false;
            let tail = tail.map_bodies(&mut |body| looped(of, body, &mut inside));
            *is_loop |= inside;
            match tail {
                // A run of words could not hold a pointer.
                Op::Aggregate { place, body, .. } if inside => Op::Aggregate { place, layout: None, body },
                other => other,
            }
        }
        other => other,
    };
    body.push(turned);
    body
}

/// The body is this routine, for what the pointer leads to, and nothing else.
fn is_self_call(name: &str, pointer: &Place, body: &[Op]) -> bool {
    let [Op::Call { routine, place }] = body else { return false };
    let leads = place.steps.split_last().is_some_and(|(last, path)| *last == Step::Target && path == pointer.steps);
    routine == name && leads && place.variable == pointer.variable
}

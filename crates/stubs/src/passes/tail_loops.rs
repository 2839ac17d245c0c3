//! `tail-loops`: a routine whose last action is itself again becomes a loop. In: calls in tail position, behind an
//! optional pointer, the way lists are written in ONC. Out: `Again`, which moves on to the next value: a list of a
//! million nodes takes no more stack than one of two.

use crate::plan::{Op, Otherwise, Place, Plan, Step};

/// Turns self-calls in tail position into loops.
pub(super) fn tail_loops(plan: &Plan) -> Plan {
    let mut result = plan.clone();
    for (id, routine) in &mut result.routines {
        if let Some(body) = looped(&id.name, &routine.body) {
            routine.body = body;
            routine.is_loop = true;
        }
    }
    result
}

/// The body with its tail calls turned; `None` when it has none.
fn looped(name: &str, body: &[Op]) -> Option<Vec<Op>> {
    let (last, before) = body.split_last()?;
    let turned = match last {
        Op::Optional { pointer, target, flag, storage, body } if is_self_call(name, pointer, body) => {
            let (pointer, target) = (pointer.clone(), target.clone());
            Op::Again { pointer, target, flag: flag.clone(), storage: storage.clone() }
        }
        Op::Aggregate { place, body, .. } => {
            Op::Aggregate { place: place.clone(), layout: None, body: looped(name, body)? }
        }
        Op::Switch { value, arms, otherwise } => {
            let mut turned = false;
            let mut turn = |body: &Vec<Op>| match looped(name, body) {
                Some(body) => {
                    turned = true;
                    body
                }
                None => body.clone(),
            };
            let mut arms = arms.clone();
            arms.iter_mut().for_each(|arm| arm.body = turn(&arm.body));
            let otherwise = match otherwise {
                Otherwise::Body(body) => Otherwise::Body(turn(body)),
                Otherwise::Fail => Otherwise::Fail,
            };
            if !turned {
                return None;
            }
            Op::Switch { value: value.clone(), arms, otherwise }
        }
        _ => return None,
    };
    Some(before.iter().cloned().chain([turned]).collect())
}

/// The body is this routine, for what the pointer leads to, and nothing else.
fn is_self_call(name: &str, pointer: &Place, body: &[Op]) -> bool {
    let [Op::Call { routine, place }] = body else { return false };
    let leads = place.steps.split_last().is_some_and(|(last, path)| *last == Step::Target && path == pointer.steps);
    routine == name && leads && place.variable == pointer.variable
}

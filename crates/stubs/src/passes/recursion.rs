//! `recursion`: which routines break the cycles of calls. In: a plan. Out: the same plan, its marks set.
//!
//! Every cycle of calls passes through a marked routine; calls to it stay calls, and its depth is counted when
//! decoding. Structures and unions are marked rather than aliases, so that `typedef node *list` is inlined into `node`
//! and the list becomes a loop.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Op, Plan, RoutineId};

/// Sets `is_recursive` afresh from the calls that there are.
pub(super) fn recursion(mut plan: Plan) -> Plan {
    let targets = back_edge_targets(&plan);
    for (id, routine) in &mut plan.routines {
        routine.is_recursive = targets.contains(id);
    }
    plan
}

/// The routines that a routine calls.
pub(super) fn calls(body: &[Op], found: &mut Vec<String>) {
    for op in body {
        if let Op::Call { routine, .. } = op {
            found.push(routine.clone());
        }
        op.bodies().into_iter().for_each(|body| calls(body, found));
    }
}

enum Step {
    Enter(RoutineId),
    Leave(RoutineId),
}

/// Depth-first over the calls, with a stack of its own: types may nest as deep as the file is long.
fn back_edge_targets(plan: &Plan) -> BTreeSet<RoutineId> {
    let mut roots: Vec<&RoutineId> = plan.routines.keys().collect();
    roots.sort_by_key(|id| plan.routines[*id].is_alias);
    let mut active: BTreeMap<RoutineId, bool> = BTreeMap::new();
    let mut targets = BTreeSet::new();
    for root in roots {
        let mut steps = vec![Step::Enter(root.clone())];
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(id) => {
                    active.insert(id, false);
                }
                Step::Enter(id) => match active.get(&id) {
                    // On the path to here: a cycle closes.
                    Some(true) => {
                        targets.insert(id);
                    }
                    Some(false) => {}
                    None => {
                        let Some(routine) = plan.routines.get(&id) else { continue };
                        active.insert(id.clone(), true);
                        steps.push(Step::Leave(id.clone()));
                        let mut called = Vec::new();
                        calls(&routine.body, &mut called);
                        let direction = id.direction;
                        steps.extend(called.into_iter().rev().map(|name| Step::Enter(RoutineId { name, direction })));
                    }
                },
            }
        }
    }
    targets
}

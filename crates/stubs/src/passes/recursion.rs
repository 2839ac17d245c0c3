//! `recursion`: which routines break the cycles of calls. In: a plan. Out: the same plan, its marks set.
//!
//! Every cycle of calls passes through a marked routine; calls to it stay calls, and its depth is counted when
//! decoding. Structures and unions are marked rather than aliases, so that `typedef node *list` is inlined into `node`
//! and the list becomes a loop.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Op, Plan, RoutineId};

/// Sets `is_recursive` afresh from the calls that there are.
pub(super) fn recursion(mut plan: Plan) -> Plan {
    let mut marked = BTreeSet::new();
    // A routine that breaks one way round a cycle may not break another; each turn marks at least one more.
    loop {
        let found = cycle_breakers(&plan, &marked);
        if found.is_empty() {
            break;
        }
        marked.extend(found);
    }
    for (id, routine) in &mut plan.routines {
        routine.is_recursive = marked.contains(id);
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

/// One routine of each cycle that is met, calls to marked routines left out. Depth-first, with a stack of its own:
/// types may nest as deep as the file is long.
fn cycle_breakers(plan: &Plan, marked: &BTreeSet<RoutineId>) -> BTreeSet<RoutineId> {
    let mut active: BTreeMap<RoutineId, bool> = BTreeMap::new();
    let mut breakers = BTreeSet::new();
    for root in plan.routines.keys() {
        let mut steps = vec![Step::Enter(root.clone())];
        let mut path: Vec<RoutineId> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(id) => {
                    path.pop();
                    active.insert(id, false);
                }
                Step::Enter(id) => match active.get(&id) {
                    // On the path to here: a cycle closes.
                    Some(true) => {
                        breakers.insert(breaker(plan, &path, id));
                    }
                    Some(false) => {}
                    None => {
                        let Some(routine) = plan.routines.get(&id) else { continue };
                        active.insert(id.clone(), true);
                        path.push(id.clone());
                        let direction = id.direction;
                        steps.push(Step::Leave(id));
                        let mut called = Vec::new();
                        calls(&routine.body, &mut called);
                        let callees = called.into_iter().rev().map(|name| RoutineId { name, direction });
                        steps.extend(callees.filter(|id| !marked.contains(id)).map(Step::Enter));
                    }
                },
            }
        }
    }
    breakers
}

/// The routine to mark of the cycle that ends `path` and closes at `start`: a structure or a union, if there is one.
fn breaker(plan: &Plan, path: &[RoutineId], start: RoutineId) -> RoutineId {
    let cycle = path.iter().skip_while(|id| **id != start);
    let is_alias = |id: &RoutineId| plan.routines.get(id).is_none_or(|routine| routine.is_alias);
    cycle.into_iter().find(|id| !is_alias(id)).cloned().unwrap_or(start)
}

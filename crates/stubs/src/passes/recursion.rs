//! `recursion`: which routines break the cycles of calls. In: a plan. Out: the same plan, its marks set.
//!
//! Every cycle of calls passes through a marked routine; calls to it stay calls, and its depth is counted when
//! decoding. Structures and unions are marked rather than aliases, and those that a pointer leads to rather than others, so
//! that `typedef node *list`, or a union with an arm of `node *`, is inlined into `node` and the list becomes a loop.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Direction, Op, Plan, RoutineId};

/// Sets `is_recursive` afresh from the calls that there are.
pub(super) fn recursion(mut plan: Plan) -> Plan {
    let mut marked = BTreeSet::new();
    let mut targets = BTreeSet::new();
    for (id, routine) in &plan.routines {
        pointed_to(&routine.body, id.direction, &mut targets);
    }
    // A routine that breaks one way round a cycle may not break another; each turn marks at least one more.
    loop {
        let found = cycle_breakers(&plan, &marked, &targets);
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

/// The routines of what optional pointers lead to.
fn pointed_to(body: &[Op], direction: Direction, found: &mut BTreeSet<RoutineId>) {
    for op in body {
        if let Op::Optional { body, .. } = op
            && let [Op::Call { routine, .. }] = body.as_slice()
        {
            found.insert(RoutineId { name: routine.clone(), direction });
        }
        op.bodies().into_iter().for_each(|body| pointed_to(body, direction, found));
    }
}

enum Step {
    Enter(RoutineId),
    Leave(RoutineId),
}

/// One routine of each cycle that is met, calls to marked routines left out. Depth-first, with a stack of its own:
/// types may nest as deep as the file is long.
fn cycle_breakers(plan: &Plan, marked: &BTreeSet<RoutineId>, targets: &BTreeSet<RoutineId>) -> BTreeSet<RoutineId> {
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
                        breakers.insert(breaker(plan, &path, id, targets));
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

/// The routine to mark of the cycle that ends `path` and closes at `start`: a structure or a union, if there is one, and of
/// those one that a pointer leads to.
fn breaker(plan: &Plan, path: &[RoutineId], start: RoutineId, targets: &BTreeSet<RoutineId>) -> RoutineId {
    let is_own = |id: &&RoutineId| plan.routines.get(id).is_some_and(|routine| !routine.is_alias);
    let mut cycle = path.iter().skip_while(|id| **id != start).filter(is_own);
    let first = cycle.clone().next();
    cycle.find(|id| targets.contains(id)).or(first).cloned().unwrap_or(start)
}

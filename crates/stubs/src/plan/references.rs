//! Which routines refer to which. In: a plan. Out: what operations call or release by, and the plan without the routines that nobody
//! needs: what remains is what is worth an effort, and what is written.

use std::collections::BTreeSet;

use super::{Direction, Op, Plan, RoutineId};

/// Every place in a body that refers to a routine: calls, and the releases of storage.
pub(crate) fn for_each_reference(body: &[Op], direction: Direction, see: &mut dyn FnMut(RoutineId)) {
    for op in body {
        if let Op::External { state: Some(state), .. } = op {
            see(RoutineId { name: state.routine.clone(), direction });
        }
        match op {
            Op::Call { routine, .. } => see(RoutineId { name: routine.clone(), direction }),
            Op::Items { storage, .. }
            | Op::Optional { storage, .. }
            | Op::Again { storage, .. }
            | Op::Allocate { storage, .. }
            | Op::External { storage, .. } => {
                let released = storage.owner.iter().map(|(_, name)| name).chain(&storage.item);
                released.for_each(|name| see(RoutineId { name: name.clone(), direction: Direction::Release }));
            }
            _ => {}
        }
        op.bodies().into_iter().for_each(|body| for_each_reference(body, direction, see));
    }
}

/// The routines that operations refer to.
pub(crate) fn references(body: &[Op], direction: Direction) -> BTreeSet<RoutineId> {
    let mut found = BTreeSet::new();
    for_each_reference(body, direction, &mut |id| {
        found.insert(id);
    });
    found
}

/// The wanted routines, and those that they need.
pub(crate) fn reached(plan: &Plan, is_wanted: &dyn Fn(&RoutineId) -> bool) -> BTreeSet<RoutineId> {
    let mut open: Vec<RoutineId> = plan.routines.keys().filter(|id| is_wanted(id)).cloned().collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        let Some(routine) = plan.routines.get(&id).filter(|_| reached.insert(id.clone())) else { continue };
        open.extend(references(&routine.body, id.direction));
    }
    reached
}

/// The plan without the routines that none of the wanted ones needs.
pub(crate) fn needed(mut plan: Plan, is_wanted: &dyn Fn(&RoutineId) -> bool) -> Plan {
    let reached = reached(&plan, is_wanted);
    plan.routines.retain(|id, _| reached.contains(id));
    plan
}

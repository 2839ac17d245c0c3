//! `inline`: the bodies of routines in place of calls. In: a plan whose every type calls the routines of the types it
//! is made of. Out: one body for each type, so that the passes after this see whole messages.
//!
//! Calls to marked (recursive) routines stay, and so do calls to bodies over a limit, so that the output stays linear in the
//! input however deep types nest. Source: Flick (PLDI'97) section 3.3, "Inline Code".

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Direction, Op, Plan, RoutineId, locals_of, transplant};

use super::{recursion, sizes::weight};

/// Heavier bodies are called, not copied.
const HEAVIEST: usize = 48;

/// Callees first, each body final before it is copied anywhere.
pub(super) fn inline(plan: &Plan) -> Plan {
    let mut result = plan.clone();
    let mut done: BTreeSet<RoutineId> = BTreeSet::new();
    for root in plan.routines.keys() {
        let mut pending = vec![(root.clone(), false)];
        while let Some((id, callees_done)) = pending.pop() {
            if done.contains(&id) {
                continue;
            }
            let Some(routine) = result.routines.get(&id) else { continue };
            if callees_done {
                let body = inlined(&result, &routine.body.clone(), id.direction);
                if let Some(routine) = result.routines.get_mut(&id) {
                    routine.body = body;
                }
                done.insert(id);
                continue;
            }
            let mut called = Vec::new();
            recursion::calls(&routine.body, &mut called);
            pending.push((id.clone(), true));
            let direction = id.direction;
            let callees = called.into_iter().map(|name| RoutineId { name, direction });
            let open = callees.filter(|id| !done.contains(id) && !is_recursive(&result, id));
            pending.extend(open.map(|id| (id, false)));
        }
    }
    result
}

fn is_recursive(plan: &Plan, id: &RoutineId) -> bool {
    plan.routines.get(id).is_none_or(|routine| routine.is_recursive)
}

fn inlined(plan: &Plan, body: &[Op], direction: Direction) -> Vec<Op> {
    let mut taken = BTreeSet::new();
    locals_of(body, &mut taken);
    replace_calls(plan, body, direction, &mut taken)
}

fn replace_calls(plan: &Plan, body: &[Op], direction: Direction, taken: &mut BTreeSet<String>) -> Vec<Op> {
    let mut result = Vec::new();
    for op in body {
        if let Op::Call { routine: name, place } = op
            && let id = (RoutineId { name: name.clone(), direction })
            && let Some(routine) = plan.routines.get(&id)
            && !routine.is_recursive
            && weight(&routine.body) <= HEAVIEST
        {
            let mut locals = BTreeSet::new();
            locals_of(&routine.body, &mut locals);
            let names = fresh_names(&locals, taken);
            let fresh = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_string());
            result.extend(transplant(&routine.body, place, &fresh));
        } else {
            result.push(op.map_bodies(&mut |body| replace_calls(plan, body, direction, taken)));
        }
    }
    result
}

/// Names for a body's locals that are free where it goes; an item goes with its index.
fn fresh_names(locals: &BTreeSet<String>, taken: &mut BTreeSet<String>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for local in locals.iter().filter(|local| !local.starts_with("item")) {
        let index = locals.contains(&crate::plan::item_name(local)) && local.starts_with('i');
        let base = local.trim_end_matches(|c: char| c.is_ascii_digit());
        let free = |name: &String| {
            !taken.contains(name) && (!index || !taken.contains(&crate::plan::item_name(name)))
        };
        let name = (1..)
            .map(|n| if n == 1 { base.to_string() } else { format!("{base}{n}") })
            .find(free)
            .unwrap_or_else(|| local.clone());
        taken.insert(name.clone());
        if index {
            taken.insert(crate::plan::item_name(&name));
            names.insert(crate::plan::item_name(local), crate::plan::item_name(&name));
        }
        names.insert(local.clone(), name);
    }
    names
}

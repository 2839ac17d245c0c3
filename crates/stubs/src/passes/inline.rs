//! `inline`: the bodies of routines in place of calls. In: a plan whose every type calls the routines of the types it
//! is made of. Out: one body for each type, so that the passes after this see whole messages.
//!
//! Calls to marked (recursive) routines stay, and so do calls to bodies over a limit, so that the output stays linear in the
//! input however deep types nest. Source: Flick (PLDI'97) section 3.3, "Inline Code".

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Direction, Op, Place, Plan, RoutineId, locals_of, transplant};

use super::{recursion, sizes::weight};

/// Heavier bodies are called, not copied.
const HEAVIEST: usize = 24;

/// Routines stop taking in bodies when they are as heavy as this.
const FULL: usize = 400;

/// Callees first, each body final before it is copied anywhere.
pub(super) fn inline(mut plan: Plan) -> Plan {
    // What each finished routine weighs.
    let mut done: BTreeMap<RoutineId, usize> = BTreeMap::new();
    let roots: Vec<RoutineId> = plan.routines.keys().cloned().collect();
    for root in roots {
        let mut pending = vec![(root, false)];
        while let Some((id, callees_done)) = pending.pop() {
            if done.contains_key(&id) {
                continue;
            }
            let Some(routine) = plan.routines.get_mut(&id) else { continue };
            if callees_done {
                let body = std::mem::take(&mut routine.body);
                let body = Inliner::new(&plan, &done, id.direction, &body).body(body);
                done.insert(id.clone(), weight(&body));
                if let Some(routine) = plan.routines.get_mut(&id) {
                    routine.body = body;
                }
                continue;
            }
            let mut called = Vec::new();
            recursion::calls(&routine.body, &mut called);
            let direction = id.direction;
            pending.push((id, true));
            let callees = called.into_iter().map(|name| RoutineId { name, direction });
            let open = callees.filter(|id| !done.contains_key(id) && !is_recursive(&plan, id));
            pending.extend(open.map(|id| (id, false)));
        }
    }
    plan
}

fn is_recursive(plan: &Plan, id: &RoutineId) -> bool {
    plan.routines.get(id).is_none_or(|routine| routine.is_recursive)
}

/// Replaces the calls of one routine.
struct Inliner<'a> {
    plan: &'a Plan,
    weights: &'a BTreeMap<RoutineId, usize>,
    direction: Direction,
    /// Local variables of the routine so far.
    taken: BTreeSet<String>,
    /// What the routine weighs so far.
    weight: usize,
}

impl<'a> Inliner<'a> {
    fn new(plan: &'a Plan, weights: &'a BTreeMap<RoutineId, usize>, direction: Direction, body: &[Op]) -> Self {
        let mut taken = BTreeSet::new();
        locals_of(body, &mut taken);
        Inliner { plan, weights, direction, taken, weight: weight(body) }
    }

    fn body(&mut self, body: Vec<Op>) -> Vec<Op> {
        let mut result = Vec::with_capacity(body.len());
        for op in body {
            match op {
                Op::Call { routine, place } => match self.inlined(&routine, &place) {
                    Some(body) => result.extend(body),
                    None => result.push(Op::Call { routine, place }),
                },
                op => result.push(op.map_bodies(&mut |body| self.body(body))),
            }
        }
        result
    }

    /// The body of a routine for a value of this one, where that is worth its weight.
    fn inlined(&mut self, name: &str, place: &Place) -> Option<Vec<Op>> {
        let id = RoutineId { name: name.to_string(), direction: self.direction };
        let heavy = *self.weights.get(&id)?;
        let routine = self.plan.routines.get(&id).filter(|routine| !routine.is_recursive)?;
        if heavy > HEAVIEST || self.weight + heavy > FULL {
            return None;
        }
        self.weight += heavy;
        let mut locals = BTreeSet::new();
        locals_of(&routine.body, &mut locals);
        let names = fresh_names(&locals, &mut self.taken);
        let fresh = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_string());
        Some(transplant(&routine.body, place, &fresh))
    }
}

/// Names for a body's locals that are free where it goes; an item goes with its index.
fn fresh_names(locals: &BTreeSet<String>, taken: &mut BTreeSet<String>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for local in locals.iter().filter(|local| !local.starts_with("item")) {
        let index = locals.contains(&crate::plan::item_name(local)) && local.starts_with('i');
        let base = local.trim_end_matches(|c: char| c.is_ascii_digit());
        let free = |name: &String| !taken.contains(name) && (!index || !taken.contains(&crate::plan::item_name(name)));
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

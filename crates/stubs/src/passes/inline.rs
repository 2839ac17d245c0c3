//! `inline`: the bodies of routines in place of calls. In: a plan whose every type calls the routines of the types it
//! is made of. Out: one body for each type, so that the passes after this see whole messages.
//!
//! Calls to marked (recursive) routines stay, and so do calls to bodies over a limit, so that the output stays linear in the
//! input however deep types nest. Source: Flick (PLDI'97) section 3.3, "Inline Code".

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Direction, Locals, Op, Place, Plan, RoutineId, item_name, transplant};

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
        let locals = Locals::of(body);
        let items = locals.indices.iter().map(|index| item_name(index));
        let taken = items.chain(locals.indices.iter().cloned()).chain(locals.words.iter().cloned()).collect();
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
        let names = fresh_names(&Locals::of(&routine.body), &mut self.taken);
        let fresh = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_string());
        Some(transplant(&routine.body, place, &fresh))
    }
}

/// Names for a body's locals that are free where it goes; an item goes with its index.
fn fresh_names(locals: &Locals, taken: &mut BTreeSet<String>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for local in &locals.words {
        let name = fresh_name(local, &|name| !taken.contains(name));
        taken.insert(name.clone());
        names.insert(local.clone(), name);
    }
    for index in &locals.indices {
        let name = fresh_name(index, &|name| !taken.contains(name) && !taken.contains(&item_name(name)));
        taken.extend([name.clone(), item_name(&name)]);
        names.insert(item_name(index), item_name(&name));
        names.insert(index.clone(), name);
    }
    names
}

/// `count`, `count2`, and so on: the first that is free.
fn fresh_name(local: &str, is_free: &dyn Fn(&str) -> bool) -> String {
    let base = local.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut names = std::iter::once(base.to_string()).chain((2..).map(|n: u64| format!("{base}{n}")));
    names.find(|name| is_free(name)).unwrap_or_else(|| local.to_string())
}

//! `inline`: the bodies of routines in place of calls. In: a plan whose every type calls the routines of the types it
//! is made of. Out: one body for each type, so that the passes after this see whole messages.
//!
//! Calls to marked (recursive) routines stay, and so do calls to bodies over a limit, so that the output stays linear in the
//! input however deep types nest. A routine that stands in one place alone goes there whatever it weighs: the code becomes
//! no larger. Source: Flick (PLDI'97) section 3.3, "Inline Code".

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::references::{for_each_reference, reached};
use crate::plan::{Direction, Locals, Op, Place, Plan, RoutineId, item_name, transplant};

use super::recursion;
use super::sizes::{depth, weight};

/// Heavier bodies are called, not copied, where that makes a second copy.
const HEAVIEST: usize = 24;

/// What leads back to a type that contains itself may be heavier: lists whose nodes are of several types by turns are loops only
/// where one routine has all of them, and each alignment of CDR counts, too.
const HEAVIEST_ON_THE_WAY_BACK: usize = 64;

/// The C of deeper bodies is hard to read, and compilers need not accept more than 127 blocks in each other.
const DEEPEST: usize = 16;

/// Routines stop taking in bodies when they are as heavy as this.
const FULL: usize = 400;

/// Callees first, each body final before it is copied anywhere.
pub(super) fn inline(mut plan: Plan) -> Plan {
    let alone = alone(&plan);
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
                let body = Inliner::new(&plan, (&done, &alone), id.direction, &body).body(body, 0);
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

/// The routines that one place alone refers to.
fn alone(plan: &Plan) -> BTreeSet<RoutineId> {
    let is_internal = |id: &RoutineId| plan.routines.get(id).is_some_and(|routine| routine.is_internal);
    let mut places: BTreeMap<RoutineId, usize> = BTreeMap::new();
    for id in reached(plan, &|id| !is_internal(id)) {
        let Some(routine) = plan.routines.get(&id) else { continue };
        for_each_reference(&routine.body, id.direction, &mut |id| *places.entry(id).or_default() += 1);
    }
    places.into_iter().filter(|(id, places)| *places == 1 && is_internal(id)).map(|(id, _)| id).collect()
}

fn is_recursive(plan: &Plan, id: &RoutineId) -> bool {
    plan.routines.get(id).is_none_or(|routine| routine.is_recursive)
}

/// Replaces the calls of one routine.
struct Inliner<'a> {
    plan: &'a Plan,
    weights: &'a BTreeMap<RoutineId, usize>,
    /// These go where they are called whatever they weigh.
    alone: &'a BTreeSet<RoutineId>,
    direction: Direction,
    /// Local variables of the routine so far.
    taken: BTreeSet<String>,
    /// What the routine weighs so far.
    weight: usize,
}

impl<'a> Inliner<'a> {
    fn new(
        plan: &'a Plan,
        (weights, alone): (&'a BTreeMap<RoutineId, usize>, &'a BTreeSet<RoutineId>),
        direction: Direction,
        body: &[Op],
    ) -> Self {
        let locals = Locals::of(body);
        let items = locals.indices.iter().map(|index| item_name(index));
        let taken = items.chain(locals.indices.iter().cloned()).chain(locals.words.iter().cloned()).collect();
        Inliner { plan, weights, alone, direction, taken, weight: weight(body) }
    }

    /// The operations of a body that stands in `outside` others.
    fn body(&mut self, body: Vec<Op>, outside: usize) -> Vec<Op> {
        let mut result = Vec::with_capacity(body.len());
        for op in body {
            match op {
                Op::Call { routine, place } => match self.inlined(&routine, &place, outside) {
                    Some(body) => result.extend(body),
                    None => result.push(Op::Call { routine, place }),
                },
                op => result.push(op.map_bodies(&mut |body| self.body(body, outside + 1))),
            }
        }
        result
    }

    /// The body of a routine for a value of this one, where that is worth its weight.
    fn inlined(&mut self, name: &str, place: &Place, outside: usize) -> Option<Vec<Op>> {
        let id = RoutineId { name: name.to_string(), direction: self.direction };
        let heavy = *self.weights.get(&id)?;
        let routine = self.plan.routines.get(&id).filter(|routine| !routine.is_recursive)?;
        let most = if self.leads_back(&routine.body) { HEAVIEST_ON_THE_WAY_BACK } else { HEAVIEST };
        let is_too_heavy = heavy > most && !self.alone.contains(&id);
        if is_too_heavy || self.weight + heavy > FULL || outside + depth(&routine.body) > DEEPEST {
            return None;
        }
        self.weight += heavy;
        let names = fresh_names(&Locals::of(&routine.body), &mut self.taken);
        let fresh = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_string());
        Some(transplant(&routine.body, place, &fresh))
    }
}

impl Inliner<'_> {
    /// The last thing that a body does may be a call of what contains itself, behind a pointer.
    fn leads_back(&self, body: &[Op]) -> bool {
        let is_recursive =
            |name: &String| is_recursive(self.plan, &RoutineId { name: name.clone(), direction: self.direction });
        body.last().is_some_and(|last| match last {
            Op::Call { routine, .. } => is_recursive(routine),
            last if last.ends_with_bodies() => last.bodies().into_iter().any(|body| self.leads_back(body)),
            _ => false,
        })
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

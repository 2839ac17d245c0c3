//! The names in a plan: variables are defined once and before they are used, calls lead to routines that are written,
//! and `again` stands where nothing follows.

use std::collections::BTreeSet;

use super::{Findings, Routine, RoutineId};
use crate::plan::{Access, Count, Direction, Op, Place, Plan, Step, Storage, item_name};

/// What the variables of every routine may not be called.
const OWN: [&str; 5] = ["v", "at", "in", "out", "value"];

/// Checks one routine.
pub(super) fn verify(plan: &Plan, id: &RoutineId, routine: &Routine, findings: &mut Findings) {
    let defined = OWN.iter().map(|name| (*name).to_string()).collect();
    let mut names = Names { plan, id, routine, defined, scope: Vec::new(), findings };
    names.body(&routine.body);
    let turns = tails(&routine.body);
    if agains(&routine.body) != turns || routine.is_loop != (turns > 0) {
        findings.add("plan-009", "the routine begins again elsewhere than at its end, or is not marked");
    }
}

/// Arenas have the routines that their entries call.
pub(super) fn verify_arenas(plan: &Plan, findings: &mut Findings) {
    for arena in &plan.arenas {
        let decodes = plan.routine(&arena.routine, Direction::Decode).is_some();
        if !decodes || arena.on_heap && !releases(plan, &arena.routine) {
            findings.add("plan-008", &format!("no routine `{}` for an arena", arena.routine));
        }
    }
}

/// Release routines are written for types that own storage.
fn releases(plan: &Plan, name: &str) -> bool {
    plan.routine(name, Direction::Release).is_some_and(|routine| routine.owns_storage)
}

/// How often `again` stands last.
fn tails(body: &[Op]) -> usize {
    match body.last() {
        Some(Op::Again { .. }) => 1,
        Some(op) if op.ends_with_bodies() => op.bodies().into_iter().map(tails).sum(),
        _ => 0,
    }
}

/// How often it stands anywhere.
fn agains(body: &[Op]) -> usize {
    let own = body.iter().filter(|op| matches!(op, Op::Again { .. })).count();
    own + body.iter().flat_map(Op::bodies).map(agains).sum::<usize>()
}

struct Names<'a> {
    plan: &'a Plan,
    id: &'a RoutineId,
    routine: &'a Routine,
    /// Every variable of the routine so far.
    defined: BTreeSet<String>,
    /// Those that can be seen.
    scope: Vec<String>,
    findings: &'a mut Findings,
}

impl Names<'_> {
    fn body(&mut self, body: &[Op]) {
        let outer = self.scope.len();
        body.iter().for_each(|op| self.op(op));
        self.scope.truncate(outer);
    }

    /// `plan-007`: a variable is defined twice in a routine.
    fn define(&mut self, name: String) {
        if !self.defined.insert(name.clone()) {
            self.findings.add("plan-007", &format!("`{name}` is defined twice"));
        }
        self.scope.push(name);
    }

    /// `plan-006`: a variable is used where it is not defined.
    fn sees(&mut self, name: &str) {
        if !self.scope.iter().any(|defined| defined == name) {
            self.findings.add("plan-006", &format!("`{name}` is used where it is not defined"));
        }
    }

    fn place(&mut self, place: &Place) {
        if place.variable != "v" {
            self.sees(&place.variable);
        }
        for step in &place.steps {
            match step {
                Step::Element(index) if index != "0" => self.sees(index),
                _ => {}
            }
        }
    }

    fn count(&mut self, count: &Count) {
        match count {
            Count::Value(place) => self.place(place),
            Count::Local(name) => self.sees(name),
            Count::Known(_) | Count::Symbol(_) => {}
        }
    }

    /// `plan-008`: a call to a routine that is not in the plan.
    fn storage(&mut self, storage: &Storage) {
        storage.owner.iter().for_each(|(owner, _)| self.place(owner));
        for routine in storage.owner.iter().map(|(_, routine)| routine).chain(&storage.item) {
            if !releases(self.plan, routine) {
                self.findings.add("plan-008", &format!("nothing releases `{routine}`"));
            }
        }
    }

    fn access(&mut self, access: &Access) {
        match access {
            Access::Scalar { place, .. }
            | Access::Flag(place)
            | Access::Copy { place, .. }
            | Access::Order { place, .. } => self.place(place),
            Access::Count(count) => self.count(count),
            Access::Local(name) => self.define(name.clone()),
            Access::Zero { .. } => {}
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Ensure(_) | Op::Owe(_) | Op::Pay(_) => {}
            Op::Align { when, .. } => when.iter().for_each(|count| self.count(count)),
            Op::Claim { flag, .. } => flag.iter().for_each(|flag| self.sees(flag)),
            Op::Chunk { parts, .. } => parts.iter().for_each(|part| self.access(&part.access)),
            Op::Ahead { index, .. } => self.sees(&item_name(index)),
            // Its body stands in its place, without a scope of its own.
            Op::Aggregate { place, body, .. } => {
                self.place(place);
                body.iter().for_each(|op| self.op(op));
            }
            Op::Order { place, count, .. } | Op::Bytes { place, length: count } => {
                self.place(place);
                self.count(count);
            }
            Op::Text { place, counted, length, .. } => {
                self.place(place);
                counted.iter().for_each(|counted| self.place(counted));
                length.iter().for_each(|length| self.sees(length));
            }
            Op::CountedBytes { data, length, count } | Op::CountedOrder { data, length, count, .. } => {
                self.place(data);
                self.place(length);
                self.sees(count);
            }
            Op::Check { count, data, .. } => {
                self.count(count);
                data.iter().for_each(|data| self.place(data));
            }
            Op::Switch { value, .. } | Op::Member { value, .. } => {
                self.place(value);
                op.bodies().into_iter().for_each(|body| self.body(body));
            }
            Op::Call { routine, place } => {
                self.place(place);
                self.call(routine);
            }
            Op::External { place, storage, state, .. } => {
                state.iter().for_each(|state| self.call(&state.routine));
                self.place(place);
                self.storage(storage);
            }
            Op::Allocate { pointer, storage, .. } => self.pointer(pointer, None, None, storage),
            Op::Capacity { maximum, release, count } => {
                self.place(maximum);
                self.place(release);
                self.sees(count);
            }
            Op::Free { pointer, when, .. } => {
                self.place(pointer);
                when.iter().for_each(|place| self.place(place));
            }
            Op::Loop { .. } | Op::Items { .. } => self.round(op),
            Op::Optional { pointer, counted, flag, storage, body, .. } => {
                self.pointer(pointer, counted.as_ref(), flag.as_deref(), storage);
                self.body(body);
            }
            Op::Again { pointer, target, counted, flag, storage } => {
                self.pointer(pointer, counted.as_ref(), flag.as_deref(), storage);
                if *target != self.routine.ty {
                    self.findings.add("plan-009", "the routine begins again with a value of another type");
                }
            }
        }
    }

    fn pointer(&mut self, pointer: &Place, counted: Option<&Place>, flag: Option<&str>, storage: &Storage) {
        self.place(pointer);
        counted.iter().for_each(|counted| self.place(counted));
        flag.iter().for_each(|flag| self.sees(flag));
        self.storage(storage);
    }

    fn call(&mut self, routine: &str) {
        let is_written = match self.id.direction {
            Direction::Release => releases(self.plan, routine),
            direction => self.plan.routine(routine, direction).is_some(),
        };
        if !is_written {
            self.findings.add("plan-008", &format!("no routine `{routine}`"));
        }
    }

    /// The variables of a loop are its body's.
    fn round(&mut self, op: &Op) {
        let outer = self.scope.len();
        match op {
            Op::Loop { index, count, over, bind, .. } => {
                self.count(count);
                self.place(&over.data);
                self.define(index.clone());
                if *bind {
                    self.define(item_name(index));
                }
            }
            Op::Items { index, count, data, length, storage, .. } => {
                self.sees(count);
                self.place(data);
                self.place(length);
                self.storage(storage);
                self.define(index.clone());
                self.define(item_name(index));
            }
            _ => {}
        }
        op.bodies().into_iter().for_each(|body| self.body(body));
        self.scope.truncate(outer);
    }
}

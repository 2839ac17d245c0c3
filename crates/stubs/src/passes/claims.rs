//! `claims`: bytes of the message back no storage twice. In: a plan for decoding. Out: before a pointer's target is
//! allocated, a `Claim` that its fewest bytes are there; around whatever allocates, the bytes that follow it are owed.
//!
//! Without it a structure that begins with a pointer to its like takes a whole structure for the four bytes of each
//! flag, a thousand levels deep. Where nothing nests and little is at stake, nothing is written: the 64 KiB that every
//! message has cover it. Streams that do not tell their room claim nothing.

use std::collections::BTreeMap;

use crate::plan::{Count, Direction, Op, Owner, Plan, RoutineId};

/// In bytes.
const LITTLE: u64 = 24;

/// Adds claims to the routines that decode.
pub(super) fn claims(mut plan: Plan) -> Plan {
    let ids: Vec<RoutineId> = plan.routines.keys().filter(|id| id.direction == Direction::Decode).cloned().collect();
    let mut least = Least { plan: &plan, routines: BTreeMap::new() };
    let sizes: BTreeMap<String, u64> = ids.iter().map(|id| (id.name.clone(), least.routine(&id.name))).collect();
    let bodies: Vec<Vec<Op>> = ids
        .iter()
        .map(|id| Claims { plan: &plan, sizes: &sizes, routine: &id.name }.body(plan.routines[id].body.clone(), 0))
        .collect();
    for (id, body) in ids.into_iter().zip(bodies) {
        if let Some(routine) = plan.routines.get_mut(&id) {
            routine.body = body;
        }
    }
    plan
}

struct Claims<'a> {
    plan: &'a Plan,
    /// The fewest bytes of each routine.
    sizes: &'a BTreeMap<String, u64>,
    routine: &'a str,
}

impl Claims<'_> {
    fn size(&self, body: &[Op]) -> u64 {
        least_of(body, &mut |name| self.sizes.get(name).copied().unwrap_or(0))
    }

    /// `after` bytes follow the body at least.
    fn body(&self, body: Vec<Op>, after: u64) -> Vec<Op> {
        let mut rest = self.size(&body).saturating_add(after);
        let is_nest = body.iter().any(|op| self.nests(op));
        let mut result = Vec::with_capacity(body.len());
        for op in body {
            rest = rest.saturating_sub(self.size(std::slice::from_ref(&op)));
            match op {
                Op::Switch { .. } => result.push(op.map_bodies(&mut |body| self.body(body, rest))),
                Op::Allocate { ref storage, .. } if storage.of != Owner::Caller => {
                    // What it holds stands behind it.
                    result.extend((rest > 0 && is_nest).then_some(Op::Claim { flag: None, bytes: rest }));
                    result.push(op);
                }
                op if !self.allocates(&op) => result.push(op),
                Op::Loop { ref count, strip: None, .. } => {
                    let rounds = if let Count::Known(rounds) = count { *rounds } else { 0 };
                    let round = self.size(op.bodies().first().copied().unwrap_or(&[]));
                    let all = round.saturating_mul(rounds);
                    let shared = all >= self.little(&op);
                    let little = self.little(&op);
                    let op = op.map_bodies(&mut |body| {
                        shared.then_some(Op::Pay(round)).into_iter().chain(self.body(body, 0)).collect()
                    });
                    let op = shared.then_some(Op::Owe(all)).into_iter().chain([op]);
                    result.extend(owing(rest, little, op));
                }
                op => {
                    result.extend(self.claim(&op));
                    let little = self.little(&op);
                    result.extend(owing(rest, little, [op.map_bodies(&mut |body| self.body(body, 0))]));
                }
            }
        }
        result
    }

    /// What must be there before a pointer's target is allocated.
    fn claim(&self, op: &Op) -> Option<Op> {
        let (flag, bytes) = match op {
            Op::Optional { flag, body, .. } => (flag, self.size(body)),
            Op::Again { flag, .. } => (flag, self.sizes.get(self.routine).copied().unwrap_or(0)),
            _ => return None,
        };
        let flag = flag.clone().filter(|_| bytes >= self.little(op))?;
        Some(Op::Claim { flag: Some(flag), bytes })
    }

    /// What is too little to be claimed or owed around an operation. Where types contain themselves nothing is.
    fn little(&self, op: &Op) -> u64 {
        if self.nests(op) { 1 } else { LITTLE }
    }

    /// Values of its type may hang on what it decodes, a thousand levels deep.
    fn nests(&self, op: &Op) -> bool {
        match op {
            Op::Call { routine, .. } => {
                self.plan.routine(routine, Direction::Decode).is_none_or(|routine| routine.is_recursive)
            }
            op => op.bodies().into_iter().flatten().any(|op| self.nests(op)),
        }
    }

    /// Storage may hang on what it decodes that is larger than the bytes it came in.
    fn allocates(&self, op: &Op) -> bool {
        match op {
            Op::Optional { .. } | Op::Again { .. } | Op::Items { .. } => true,
            Op::Call { routine, .. } => {
                self.plan.routine(routine, Direction::Release).is_none_or(|routine| routine.owns_storage)
            }
            op => op.bodies().into_iter().flatten().any(|op| self.allocates(op)),
        }
    }
}

/// The operations, while so many bytes are owed to what follows.
fn owing(rest: u64, little: u64, ops: impl IntoIterator<Item = Op>) -> Vec<Op> {
    if rest < little {
        return ops.into_iter().collect();
    }
    std::iter::once(Op::Owe(rest)).chain(ops).chain([Op::Pay(rest)]).collect()
}

/// The fewest bytes that routines move.
struct Least<'a> {
    plan: &'a Plan,
    /// 0 while it is being found out.
    routines: BTreeMap<String, u64>,
}

impl Least<'_> {
    fn routine(&mut self, name: &str) -> u64 {
        if let Some(known) = self.routines.get(name) {
            return *known;
        }
        self.routines.insert(name.to_string(), 0);
        let routine = self.plan.routine(name, Direction::Decode);
        let found = routine.map_or(0, |routine| least_of(&routine.body, &mut |name| self.routine(name)));
        self.routines.insert(name.to_string(), found);
        found
    }
}

/// The fewest bytes that operations move; never more than that.
fn least_of(body: &[Op], routine: &mut dyn FnMut(&str) -> u64) -> u64 {
    body.iter().fold(0, |sum: u64, op| {
        let own = match op {
            Op::Chunk { size, .. } => *size,
            Op::Order { word, count: Count::Known(count), words, .. } => {
                count.saturating_mul(*words).saturating_mul(word.bytes())
            }
            Op::Bytes { length: Count::Known(length), .. } => *length,
            Op::Aggregate { body, .. } => least_of(body, routine),
            Op::Loop { count: Count::Known(count), body, .. } => count.saturating_mul(least_of(body, routine)),
            Op::Switch { .. } => op.bodies().into_iter().map(|body| least_of(body, routine)).min().unwrap_or(0),
            Op::Call { routine: name, .. } => routine(name),
            _ => 0,
        };
        sum.saturating_add(own)
    })
}

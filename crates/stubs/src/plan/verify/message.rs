//! The bytes of the message: an abstract interpretation of each routine, whose state is the number of bytes that were
//! checked for and not yet moved. Routines begin and end with none.

use std::collections::BTreeMap;

use super::{Findings, Routine, RoutineId};
use crate::encodings::Encoding;
use crate::passes::LARGEST_SEGMENT;
use crate::plan::{Access, Count, Direction, Op, Otherwise, Part, Plan};

/// Checks one routine.
pub(super) fn verify(least: &mut Least<'_>, id: &RoutineId, routine: &Routine, findings: &mut Findings) {
    let mut interpreter = Interpreter { least, direction: id.direction, checks: 0, findings };
    let left = interpreter.body(&routine.body, 0);
    interpreter.used_up(left, "the end");
}

struct Interpreter<'a, 'p> {
    least: &'a mut Least<'p>,
    direction: Direction,
    /// How many operations so far wanted all bytes to be used up.
    checks: usize,
    findings: &'a mut Findings,
}

impl Interpreter<'_, '_> {
    fn body(&mut self, body: &[Op], room: u64) -> u64 {
        body.iter().fold(room, |room, op| self.op(op, room))
    }

    /// `plan-003`: bytes are checked for that nothing moves. Streams take nothing back, and messages may end there.
    fn used_up(&mut self, room: u64, before: &str) {
        self.checks += 1;
        if room > 0 {
            self.findings.add("plan-003", &format!("{room} bytes are checked for and not moved before {before}"));
        }
    }

    /// `plan-005`: a check for more than a block, the most that a stream without contiguous space gives at once.
    fn checked(&mut self, bytes: u64) -> u64 {
        if bytes > LARGEST_SEGMENT {
            self.findings.add("plan-005", &format!("a check for {bytes} bytes; {LARGEST_SEGMENT} are the most"));
        }
        bytes
    }

    /// What is left of `room` after an operation.
    fn op(&mut self, op: &Op, room: u64) -> u64 {
        if !exists(op, self.direction) {
            self.findings.add("plan-009", "an operation of another direction");
        }
        match op {
            Op::Ensure(bytes) => {
                self.used_up(room, "a check");
                self.checked(*bytes)
            }
            Op::Chunk { size, parts } => {
                self.parts(*size, parts);
                self.moved(*size, room)
            }
            Op::Aggregate { body, .. } => self.body(body, room),
            Op::Order { .. }
            | Op::Bytes { .. }
            | Op::CountedBytes { .. }
            | Op::CountedOrder { .. }
            | Op::Call { .. }
            | Op::External { .. }
            | Op::Again { .. } => {
                self.used_up(room, "an operation that checks by itself");
                0
            }
            Op::Align { when, more, .. } => {
                self.used_up(room, "an alignment");
                // Where there is nothing to align nothing is checked for.
                if when.is_some() && *more > 0 {
                    self.findings
                        .add("plan-004", &format!("{more} bytes are checked for on one way and not on the other"));
                }
                self.checked(*more)
            }
            Op::Text { more, .. } => {
                self.used_up(room, "a text");
                self.checked(*more)
            }
            Op::Loop { strip: Some(round), body, .. } | Op::Items { strip: Some(round), body, .. } => {
                self.used_up(room, "a loop that checks by itself");
                self.strip(*round, body);
                0
            }
            Op::Loop { count: Count::Known(count), body, .. } => self.rounds(Some(*count), body, room),
            Op::Loop { body, .. } => self.rounds(None, body, room),
            Op::Items { body, least, .. } => {
                self.least_of_items(*least, body);
                self.rounds(None, body, room)
            }
            Op::Optional { body, .. } => self.rounds(None, body, room),
            Op::Switch { arms, otherwise, .. } => {
                let last = if let Otherwise::Body(body) = otherwise { Some(body) } else { None };
                let bodies = arms.iter().map(|arm| &arm.body).chain(last);
                let left: Vec<u64> = bodies.map(|body| self.body(body, room)).collect();
                if left.windows(2).any(|pair| pair[0] != pair[1]) {
                    self.findings.add("plan-004", &format!("the arms of a switch leave {left:?} bytes checked for"));
                }
                left.first().copied().unwrap_or(room)
            }
            Op::Ahead { .. }
            | Op::Check { .. }
            | Op::Member { .. }
            | Op::Allocate { .. }
            | Op::Capacity { .. }
            | Op::Free { .. }
            | Op::Claim { .. }
            | Op::Owe(_)
            | Op::Pay(_) => room,
        }
    }

    /// `plan-001`: bytes are moved that were not checked for.
    fn moved(&mut self, size: u64, room: u64) -> u64 {
        if size > room {
            self.findings.add("plan-001", &format!("{size} bytes are moved where {room} are checked for"));
        }
        room.saturating_sub(size)
    }

    /// Many rounds under one check: each moves its share, and checks for nothing more.
    fn strip(&mut self, round: u64, body: &[Op]) {
        self.checked(round);
        let before = self.checks;
        let left = self.body(body, round);
        if left > 0 || self.checks != before {
            let message = format!("a round under a check for {round} bytes leaves {left}, or checks again");
            self.findings.add("plan-003", &message);
        }
    }

    /// `plan-004`: ways that meet have different numbers of bytes checked for. The ways are the arms of a switch, or
    /// the rounds of a loop.
    fn rounds(&mut self, count: Option<u64>, body: &[Op], room: u64) -> u64 {
        let before = self.checks;
        let left = self.body(body, room);
        if left == room {
            return room;
        }
        match count {
            // One check before the loop covers all rounds, which move the same each.
            Some(count) if self.checks == before => self.moved(count.saturating_mul(room.saturating_sub(left)), room),
            _ => {
                self.findings
                    .add("plan-004", &format!("a round begins with {room} bytes checked for, the next with {left}"));
                0
            }
        }
    }

    /// `plan-010`: items are taken to be larger than they may be. Counts are held against that, and good messages
    /// would be refused.
    fn least_of_items(&mut self, least: u64, body: &[Op]) {
        let actual = self.least.body(body, Direction::Decode);
        if least > actual {
            self.findings.add("plan-010", &format!("items are taken to have {least} bytes and may have {actual}"));
        }
    }

    /// `plan-002`: the parts of a chunk do not fill it, each byte once. Bytes would be sent that were never written.
    fn parts(&mut self, size: u64, parts: &[Part]) {
        let mut spans: Vec<(u64, u64)> = Vec::new();
        for part in parts {
            if !access_exists(&part.access, self.direction) {
                self.findings.add("plan-009", "an access of another direction");
            }
            spans.push((part.offset, self.least.access(&part.access)));
        }
        spans.sort_unstable();
        let mut end = 0u64;
        for (offset, length) in spans {
            if offset != end {
                self.findings
                    .add("plan-002", &format!("the bytes of a chunk are moved up to {end}, and then from {offset}"));
            }
            end = offset.saturating_add(length);
        }
        if end != size {
            self.findings.add("plan-002", &format!("the parts of a chunk of {size} bytes end at {end}"));
        }
    }
}

/// `plan-009`: an operation where it cannot be. Each belongs to some directions, and `again` to the end of a routine.
fn exists(op: &Op, direction: Direction) -> bool {
    let (encodes, decodes) = (direction == Direction::Encode, direction == Direction::Decode);
    match op {
        Op::Ensure(_)
        | Op::Align { .. }
        | Op::Chunk { .. }
        | Op::Order { .. }
        | Op::Bytes { .. }
        | Op::Check { .. }
        | Op::Ahead { .. }
        | Op::Member { .. } => encodes || decodes,
        Op::Text { length, .. } => {
            if length.is_some() {
                decodes
            } else {
                encodes
            }
        }
        Op::CountedBytes { .. }
        | Op::CountedOrder { .. }
        | Op::Items { .. }
        | Op::Allocate { .. }
        | Op::Capacity { .. }
        | Op::Claim { .. }
        | Op::Owe(_)
        | Op::Pay(_) => decodes,
        Op::Optional { flag, .. } | Op::Again { flag, .. } => flag.is_some() == decodes,
        Op::Free { .. } => direction == Direction::Release,
        Op::Loop { .. } | Op::Aggregate { .. } | Op::Switch { .. } | Op::Call { .. } | Op::External { .. } => true,
    }
}

fn access_exists(access: &Access, direction: Direction) -> bool {
    match access {
        Access::Count(_) | Access::Flag(_) => direction == Direction::Encode,
        Access::Local(_) => direction == Direction::Decode,
        Access::Scalar { .. } | Access::Copy { .. } | Access::Zero { .. } | Access::Order { .. } => true,
    }
}

/// The fewest bytes of the message that operations move.
pub(super) struct Least<'a> {
    plan: &'a Plan,
    encoding: &'a dyn Encoding,
    /// By routine; 0 while it is being found out.
    routines: BTreeMap<RoutineId, u64>,
}

impl<'a> Least<'a> {
    pub(super) fn new(plan: &'a Plan, encoding: &'a dyn Encoding) -> Self {
        Least { plan, encoding, routines: BTreeMap::new() }
    }

    fn access(&self, access: &Access) -> u64 {
        match access {
            Access::Scalar { kind, .. } => self.encoding.scalar_size(*kind),
            Access::Count(_) | Access::Flag(_) | Access::Local(_) => self.encoding.count_size(),
            Access::Copy { length, .. } | Access::Zero { length } => *length,
            Access::Order { word, words, .. } => words.saturating_mul(word.bytes()),
        }
    }

    fn body(&mut self, body: &[Op], direction: Direction) -> u64 {
        body.iter().fold(0, |sum: u64, op| sum.saturating_add(self.op(op, direction)))
    }

    fn op(&mut self, op: &Op, direction: Direction) -> u64 {
        match op {
            Op::Chunk { size, .. } => *size,
            Op::Order { word, count: Count::Known(count), words, .. } => {
                count.saturating_mul(*words).saturating_mul(word.bytes())
            }
            Op::Bytes { length: Count::Known(length), .. } => self.encoding.padded(*length),
            Op::Aggregate { body, .. } => self.body(body, direction),
            Op::Loop { count: Count::Known(count), body, .. } => count.saturating_mul(self.body(body, direction)),
            Op::Switch { arms, otherwise, .. } => {
                let last = if let Otherwise::Body(body) = otherwise { Some(body) } else { None };
                let bodies = arms.iter().map(|arm| &arm.body).chain(last);
                bodies.map(|body| self.body(body, direction)).min().unwrap_or(0)
            }
            Op::Call { routine, .. } => self.routine(&RoutineId { name: routine.clone(), direction }),
            Op::External { state: Some(_), .. } => self.encoding.count_size(),
            Op::External { .. } => self.encoding.external_least(),
            _ => 0,
        }
    }

    fn routine(&mut self, id: &RoutineId) -> u64 {
        if let Some(known) = self.routines.get(id) {
            return *known;
        }
        self.routines.insert(id.clone(), 0);
        let found = self.plan.routines.get(id).map_or(0, |routine| self.body(&routine.body, id.direction));
        self.routines.insert(id.clone(), found);
        found
    }
}

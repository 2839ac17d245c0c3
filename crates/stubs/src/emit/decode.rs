//! Decoding: from the message to C values. A failure returns at once; what was allocated is released through the log
//! that the runtime keeps (`struct whittle_in`).

use cast::build::{
    address, arrow, assign, call, cast as cast_to, count_loop, equal, greater, index, integer, local, member, name,
    not, null, returns, sizeof_type, unsigned, when, when_else,
};
use cast::{Expression, Statement, Type};

use super::routine::{Emitter, u32_type};
use crate::plan::{Clear, Direction, Op, Place, RoutineId, Storage, item_name};

impl Emitter<'_> {
    pub(super) fn decode_frame(&mut self) -> Vec<Statement> {
        let mut statements = self.uses();
        if self.routine.is_recursive {
            let enter = self.runtime("in_enter", vec![self.context()], Type::INT);
            statements.push(when(not(enter), vec![self.fail()]));
        }
        let mut body = self.ops(&self.routine.body);
        if self.routine.is_loop && self.is_message() {
            body.push(Statement::Break);
            statements.push(Statement::For { initial: None, condition: None, step: None, body });
        } else if self.routine.is_loop {
            body.push(Statement::Break);
            let fresh = self.variable_name("outer_fresh");
            statements.push(local(fresh.as_str(), Type::INT.constant(), Some(self.fresh())));
            statements.push(Statement::For { initial: None, condition: None, step: None, body });
            statements.push(assign(self.fresh(), name(fresh, Type::INT)));
        } else {
            statements.extend(body);
        }
        if self.routine.is_recursive {
            let leave = self.runtime_in("in_enter", "in_leave", vec![self.context()], Type::Void);
            statements.push(Statement::Expression(leave));
        }
        self.finish(&mut statements);
        statements
    }

    /// `in->fresh`: the storage being filled was allocated by this call.
    fn fresh(&self) -> Expression {
        arrow(self.context(), "fresh", Type::INT)
    }

    pub(super) fn decode_op(&mut self, op: &Op) -> Vec<Statement> {
        match op {
            Op::Ensure(bytes) => self.need(unsigned(*bytes)),
            Op::Chunk { size, parts } => self.chunk(*size, parts),
            Op::Order { word, place, count, words } => {
                let section = format!("in_{}", self.run_of(*word));
                self.assert_items(place, *word, *words);
                let arguments = vec![self.context(), self.at(), self.data(place), self.run_length(count, *words)];
                self.runtime_step(&section, arguments)
            }
            Op::Bytes { place, length } => {
                let arguments = vec![self.context(), self.at(), self.data(place), self.count(length)];
                self.runtime_step("in_bytes", arguments)
            }
            Op::Text { .. } => self.text_in(op),
            Op::Ahead { index, item, likely } => {
                let object = self.variable(&item_name(index), item.clone().pointer());
                let arguments = vec![self.context(), object, sizeof_type(item.clone()), unsigned(*likely)];
                vec![Statement::Expression(self.runtime("in_ahead", arguments, Type::Void))]
            }
            Op::CountedBytes { .. } | Op::CountedOrder { .. } => self.counted(op),
            Op::Claim { .. } | Op::Owe(_) | Op::Pay(_) => vec![self.claim(op)],
            Op::Items { .. } if self.is_message() => self.message_items(op),
            Op::Items { .. } => self.items(op),
            Op::Optional { pointer, target, counted, flag, storage, body } => {
                let there = self.there(pointer, counted.as_ref(), flag.as_deref());
                let mut present = self.target(&there, target, storage);
                present.extend(self.ops(body));
                if !self.is_message() {
                    let outer = self.variable_name(&format!("{}_outer", flag.as_deref().unwrap_or("")));
                    present.insert(0, local(outer.as_str(), Type::INT.constant(), Some(self.fresh())));
                    present.push(assign(self.fresh(), name(outer, Type::INT)));
                }
                there.before.into_iter().chain([when_else(there.flag, present, there.absent)]).collect()
            }
            Op::Again { pointer, target, counted, flag, storage } => {
                let there = self.there(pointer, counted.as_ref(), flag.as_deref());
                let mut onward = self.target(&there, target, storage);
                onward.push(assign(self.variable("v", Type::Void), self.place(pointer)));
                onward.push(Statement::Continue);
                there.before.into_iter().chain([when(there.flag, onward)]).chain(there.absent).collect()
            }
            Op::Call { routine, place } => {
                let callee = RoutineId { name: routine.clone(), direction: Direction::Decode };
                let arguments = vec![self.context(), self.at(), address(self.place(place))];
                self.advance(call(self.functions.name(&callee), arguments, self.at().ty))
            }
            Op::External { state: Some(state), place, storage, .. } => self.cdr_value(state, place, storage),
            Op::External { routine, arguments, place, .. } if self.is_message() => {
                self.external(routine, arguments, place)
            }
            Op::External { routine, place, storage, .. } => self.decode_external(routine, place, storage),
            Op::Allocate { pointer, target, storage } => self.allocation(pointer, target, storage),
            Op::Capacity { maximum, release, count } => self.capacity(maximum, release, count),
            // `op` writes these for every direction.
            Op::Aggregate { .. }
            | Op::Align { .. }
            | Op::Check { .. }
            | Op::Switch { .. }
            | Op::Member { .. }
            | Op::Loop { .. } => Vec::new(),
            // Releasing alone has this (plan-009).
            Op::Free { .. } => Vec::new(),
        }
    }

    /// What bytes of the message are owed, and what may be claimed of the others.
    fn claim(&mut self, op: &Op) -> Statement {
        match op {
            Op::Claim { flag, bytes } => {
                let claim = self.runtime("in_claim", vec![self.context(), self.at(), unsigned(*bytes)], Type::INT);
                let condition = match flag {
                    Some(flag) => {
                        let flag = cast::build::not_equal(self.variable(flag, u32_type()), integer(0));
                        cast::build::and(flag, not(claim))
                    }
                    None => not(claim),
                };
                when(condition, vec![self.fail()])
            }
            Op::Owe(bytes) => {
                let arguments = vec![self.context(), integer(1), unsigned(*bytes)];
                Statement::Expression(self.runtime("in_owe", arguments, Type::Void))
            }
            Op::Pay(bytes) => self.pay(*bytes),
            _ => returns(null()),
        }
    }

    pub(super) fn pay(&mut self, bytes: u64) -> Statement {
        let arguments = vec![self.context(), unsigned(bytes)];
        Statement::Expression(self.runtime_in("in_owe", "in_pay", arguments, Type::Void))
    }

    /// Sets what must be zero in new storage.
    pub(super) fn clear(&self, object: &Expression, clear: &Clear) -> Vec<Statement> {
        match clear {
            Clear::Nothing => Vec::new(),
            Clear::Pointers(paths) => paths
                .iter()
                .map(|path| {
                    let pointer =
                        path.iter().fold(object.clone(), |base, step| member(base, step.as_str(), Type::Void));
                    assign(pointer, null())
                })
                .collect(),
            Clear::Everything => {
                let size = cast::build::sizeof_value(object.clone());
                let zero = call("memset", vec![address(object.clone()), integer(0), size], Type::Void.pointer());
                vec![Statement::Expression(zero)]
            }
        }
    }

    /// The object that release is called with, and the routine.
    fn owner(&mut self, storage: &Storage, slot: Expression) -> (Expression, Expression) {
        match &storage.owner {
            Some((owner, routine)) => {
                let callee = RoutineId { name: routine.clone(), direction: Direction::Release };
                (address(self.place(owner)), name(self.functions.name(&callee), Type::Void))
            }
            None => {
                self.used.insert("release".to_string());
                (slot, name("whittle_release", Type::Void))
            }
        }
    }

    /// Storage for the target of a pointer that the caller left NULL.
    fn allocation(&mut self, pointer: &Place, target: &Type, storage: &Storage) -> Vec<Statement> {
        if self.is_message() {
            return self.message_allocation(pointer, target, storage);
        }
        let slot = address(self.place(pointer));
        let (owner, release) = self.owner(storage, slot.clone());
        let arguments = vec![self.context(), slot, sizeof_type(target.clone()), owner, release];
        let taken = self.runtime("in_new", arguments, Type::Void.pointer());
        let mut new = vec![when(equal(taken, null()), vec![self.fail()]), assign(self.fresh(), integer(1))];
        let mut object = self.place(&pointer.target(target.clone()));
        object.ty = target.clone();
        new.extend(self.clear(&object, &storage.clear));
        vec![when(equal(self.place(pointer), null()), new)]
    }

    /// Whether a pointer leads to something. A length beside it is 0 as long as that is not there.
    fn there<'p>(&self, pointer: &'p Place, counted: Option<&Place>, flag: Option<&str>) -> There<'p> {
        let flag = self.variable(flag.unwrap_or(""), u32_type());
        let length = counted.map(|counted| self.place(counted));
        // The caller's storage for items stays where no item arrives.
        let is_kept = counted.is_some() && !self.is_message();
        There {
            pointer,
            before: length.clone().map(|length| assign(length, integer(0))),
            known: length.map(|length| assign(length, flag.clone())),
            flag: cast::build::not_equal(flag, integer(0)),
            absent: if is_kept { Vec::new() } else { vec![assign(self.place(pointer), null())] },
        }
    }

    /// Storage for what is there.
    fn target(&mut self, there: &There, target: &Type, storage: &Storage) -> Vec<Statement> {
        let allocated = self.allocation(there.pointer, target, storage);
        allocated.into_iter().chain(there.known.clone()).collect()
    }

    /// An array whose items are decoded one by one into storage that grows as they arrive.
    fn items(&mut self, op: &Op) -> Vec<Statement> {
        let Op::Items { index: i, count, data, length, item, least, strip, storage, body, .. } = op else {
            return Vec::new();
        };
        let count = self.variable(count, u32_type());
        let owning = storage.owner.is_some();
        let growth = self.variable(&format!("{i}_growth"), Type::structure("whittle_growth"));
        let items_name = self.variable_name(&format!("{i}_items"));
        let items = name(items_name.as_str(), item.clone().pointer());
        let slot = address(self.place(data));
        let (owner, release) = self.owner(storage, slot.clone());
        let begin = self.runtime(
            "in_array_begin",
            vec![
                self.context(),
                self.at(),
                address(growth.clone()),
                slot,
                count.clone(),
                sizeof_type(item.clone()),
                unsigned(*least),
                owner,
                release,
            ],
            item.clone().pointer(),
        );
        let known = if owning { integer(0) } else { count.clone() };
        let mut inside = vec![
            local(cast::print_expression(&growth), growth.ty.clone(), None),
            local(items_name, item.clone().pointer(), Some(cast_to(item.clone().pointer(), begin))),
            when(equal(items.clone(), null()), vec![self.fail()]),
        ];
        if owning {
            // The caller's items stay the caller's, all of them, whatever happens to this message.
            inside.push(when(not(self.fresh()), vec![assign(self.place(length), count.clone())]));
        }
        let round = self.item_round(op, &growth, &items, owning, storage, body);
        if nests(body) {
            // The items to come have a claim to the bytes that arrays inside these items are held against.
            let claim = vec![self.context(), count.clone(), unsigned(*least)];
            inside.push(Statement::Expression(self.runtime("in_owe", claim, Type::Void)));
        }
        // Items of no bytes at all: there is nothing to do for each.
        if !body.is_empty() {
            inside.push(match strip {
                Some(bytes) => self.strip_loop(i, count.clone(), *bytes, round),
                None => count_loop(&self.variable_name(i), u32_type(), count.clone(), round),
            });
        }
        let end = self.runtime("in_array_end", vec![self.context(), address(growth)], Type::Void);
        inside.push(Statement::Expression(end));
        vec![assign(self.place(length), known), when(greater(count, integer(0)), inside)]
    }

    fn item_round(
        &mut self,
        op: &Op,
        growth: &Expression,
        items: &Expression,
        owning: bool,
        storage: &Storage,
        body: &[Op],
    ) -> Vec<Statement> {
        let Op::Items { index: i, item, length, .. } = op else { return Vec::new() };
        let position = self.variable(i, u32_type());
        let room = member(growth.clone(), "room", u32_type());
        let grow = self.runtime("in_array_grow", vec![self.context(), address(growth.clone())], items.ty.clone());
        let mut full = vec![assign(items.clone(), cast_to(items.ty.clone(), grow))];
        full.push(when(equal(items.clone(), null()), vec![self.fail()]));
        let bound = self.variable_name(&item_name(i));
        let object = name(bound.as_str(), item.clone().pointer());
        let mut round = vec![
            when(equal(position.clone(), room), full),
            local(bound, item.clone().pointer(), Some(address(index(items.clone(), position.clone())))),
        ];
        if owning {
            let mut begun = self.clear(&cast::build::dereference(object), &storage.clear);
            begun.push(assign(self.place(length), cast::build::add(position, integer(1))));
            round.push(when(self.fresh(), begun));
        }
        if let (Op::Items { least, .. }, true) = (op, nests(body)) {
            round.push(self.pay(*least));
        }
        round.extend(self.round(body));
        round
    }

    fn decode_external(&mut self, routine: &str, place: &Place, storage: &Storage) -> Vec<Statement> {
        let pause = self.runtime("in_pause", vec![self.context(), self.at()], Type::Void);
        let stream = arrow(self.context(), "xdrs", Type::named("XDR").pointer());
        let object = self.users_object(place, false);
        let slot = address(self.place(place));
        let (owner, release) = self.owner(storage, slot.clone());
        let size = cast::build::sizeof_value(self.place(place));
        let own = self.runtime("in_own_external", vec![self.context(), slot, size, owner, release], Type::INT);
        self.used.insert("nesting".to_string());
        let depth = arrow(self.context(), "depth", u32_type());
        let routine = cast_to(Type::named("xdrproc_t"), name(routine, Type::Void));
        let called = call("whittle_nest", vec![stream, depth, routine, object], Type::INT);
        let refused = cast::build::or(not(own), not(called));
        let resume = self.runtime("in_resume", vec![self.context()], self.at().ty);
        vec![Statement::Expression(pause), when(refused, vec![self.fail()]), assign(self.at(), resume)]
    }
}

/// A pointer that leads to something where the flag is set.
struct There<'p> {
    pointer: &'p Place,
    flag: Expression,
    /// What is said before that is looked at, where there is something, and where there is nothing.
    before: Option<Statement>,
    known: Option<Statement>,
    absent: Vec<Statement>,
}

/// Whether the body allocates arrays whose counts are held against the bytes that are there.
pub(super) fn nests(body: &[Op]) -> bool {
    body.iter().any(|op| matches!(op, Op::Items { .. } | Op::Call { .. }) || op.bodies().into_iter().any(nests))
}

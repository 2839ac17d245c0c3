//! Releasing: releases what decoding allocated, and leaves NULL behind.

use cast::build::{
    address, and, assign, call, cast as cast_to, integer, local, name, not, not_equal, null, sizeof_type, when,
};
use cast::{Expression, Statement, Type};

use super::routine::Emitter;
use crate::plan::{Direction, Op, Owner, Place, RoutineId};

impl Emitter<'_> {
    /// Values inside values of their own type are released later where they are deep: their owner may have built them so. Streams are
    /// of rpcgen's, which uses the stack as well.
    pub(super) fn release_frame(&mut self) -> Vec<Statement> {
        let body = self.release_body();
        if !self.routine.is_recursive || !self.is_message() {
            return body;
        }
        let value = name(self.variable_name("value"), Type::Void.pointer());
        let own = name(self.functions.name(self.id), Type::Void);
        let size = sizeof_type(self.routine.ty.clone());
        let begins = self.runtime_in("later", "release_begins", vec![value, size, own], Type::INT);
        let ends = self.runtime_in("later", "release_ends", Vec::new(), Type::Void);
        let first = when(not(begins), vec![Statement::Return(None)]);
        std::iter::once(first).chain(body).chain([Statement::Expression(ends)]).collect()
    }

    fn release_body(&mut self) -> Vec<Statement> {
        let body = self.ops(&self.routine.body);
        if !self.routine.is_loop {
            return body;
        }
        // The nodes of a list: each is freed when the next is known.
        let owned = self.owned();
        let ty = owned.ty.clone();
        let mut round = body;
        round.push(release_node(&owned));
        round.push(Statement::Break);
        vec![
            local(cast::print_expression(&owned), ty, Some(null())),
            Statement::For { initial: None, condition: None, step: None, body: round },
        ]
    }

    /// The node that `v` is, where it lies on the heap.
    fn owned(&self) -> Expression {
        self.variable("owned", self.routine.ty.clone().pointer())
    }

    pub(super) fn release_op(&mut self, op: &Op) -> Vec<Statement> {
        match op {
            Op::Free { pointer, owner, when } => self.free(pointer, *owner, when.as_ref()),
            Op::Optional { pointer, counted, storage, body, .. } => {
                let is_ours = storage.of != Owner::Caller;
                self.open.extend(is_ours.then(|| pointer.clone()));
                let mut statements = self.ops(body);
                if let Some(length) = counted {
                    statements = vec![when(not_equal(self.place(length), integer(0)), statements)];
                }
                if is_ours {
                    self.open.pop();
                    statements.push(self.release_pointer(pointer));
                }
                vec![when(not_equal(self.place(pointer), null()), statements)]
            }
            Op::Again { pointer, counted, .. } => {
                let next = self.variable("next", self.routine.ty.clone().pointer());
                let v = self.variable("v", Type::Void);
                let mut onward = vec![
                    local(cast::print_expression(&next), next.ty.clone(), Some(self.place(pointer))),
                    assign(self.place(pointer), null()),
                ];
                // What leads to it from the node goes first, the last of it before what leads there.
                let between: Vec<Place> = self.open.iter().rev().cloned().collect();
                onward.extend(between.iter().map(|pointer| self.release_pointer(pointer)));
                onward.extend([
                    release_node(&self.owned()),
                    assign(self.owned(), next.clone()),
                    assign(v, next),
                    Statement::Continue,
                ]);
                let there = not_equal(self.place(pointer), null());
                match counted {
                    Some(length) => {
                        let there = and(not_equal(self.place(length), integer(0)), there);
                        vec![when(there, onward), self.release_pointer(pointer)]
                    }
                    None => vec![when(there, onward)],
                }
            }
            Op::Call { routine, place } => {
                let callee = RoutineId { name: routine.clone(), direction: Direction::Release };
                let arguments = vec![address(self.place(place))];
                vec![Statement::Expression(call(self.functions.name(&callee), arguments, Type::Void))]
            }
            Op::External { routine, place, .. } if self.is_message() => self.external(routine, &[], place),
            Op::External { routine, place, .. } => self.release_external(routine, place),
            // `op` writes these for every direction.
            Op::Aggregate { .. }
            | Op::Align { .. }
            | Op::Check { .. }
            | Op::Switch { .. }
            | Op::Member { .. }
            | Op::Loop { .. } => Vec::new(),
            // These move bytes of the message; releasing has none (plan-009).
            Op::Ensure(_)
            | Op::Chunk { .. }
            | Op::Ahead { .. }
            | Op::Order { .. }
            | Op::Bytes { .. }
            | Op::Text { .. }
            | Op::CountedBytes { .. }
            | Op::CountedOrder { .. }
            | Op::Items { .. }
            | Op::Allocate { .. }
            | Op::Capacity { .. }
            | Op::Claim { .. }
            | Op::Owe(_)
            | Op::Pay(_) => Vec::new(),
        }
    }

    /// Releases what a pointer points to, where that is ours.
    fn free(&mut self, pointer: &Place, owner: Owner, when: Option<&Place>) -> Vec<Statement> {
        let freed = match owner {
            Owner::Heap => vec![self.release_pointer(pointer)],
            Owner::Managed => {
                let slot = self.place(pointer);
                let free = call(self.conventions.managed_release.as_str(), vec![slot.clone()], Type::Void);
                vec![Statement::Expression(free), assign(slot, null())]
            }
            Owner::Caller => Vec::new(),
        };
        match when {
            Some(when) => vec![cast::build::when(self.place(when), freed)],
            None => freed,
        }
    }

    fn release_pointer(&mut self, pointer: &Place) -> Statement {
        let slot = address(self.place(pointer));
        let section = if self.is_message() { "in_release" } else { "release" };
        Statement::Expression(self.runtime(section, vec![slot], Type::Void))
    }

    fn release_external(&mut self, routine: &str, place: &Place) -> Vec<Statement> {
        let handle = self.variable("freeing", Type::named("XDR"));
        let make = self.runtime("freeing", Vec::new(), Type::named("XDR"));
        let object = self.users_object(place, false);
        let done = call(routine, vec![address(handle.clone()), object], Type::INT);
        vec![Statement::Block(vec![
            local(cast::print_expression(&handle), handle.ty.clone(), Some(make)),
            Statement::Expression(cast_to(Type::Void, done)),
        ])]
    }
}

/// `free(node);`
fn release_node(node: &Expression) -> Statement {
    Statement::Expression(call("free", vec![node.clone()], Type::Void))
}

//! Storage for what is decoded from messages that are memory: it is the context's. Whoever calls these routines zeroed the
//! value before; on failure all of it is released, so that nothing need be noted here.

use cast::build::{
    address, arrow, assign, cast as cast_to, count_loop, dereference, greater, index, integer, local, name, not, null,
    sizeof_type, unsigned, when, when_else,
};
use cast::{Expression, Statement, Type};

use super::routine::{Emitter, u32_type};
use crate::plan::{Clear, Direction, Op, Owner, Place, RoutineId, Storage, item_name};

impl Emitter<'_> {
    /// `v->_maximum = count; v->_release = !in->borrow;`
    pub(super) fn capacity(&mut self, maximum: &Place, release: &Place, count: &str) -> Vec<Statement> {
        let count = self.variable(count, u32_type());
        let borrowed = arrow(self.context(), "borrow", Type::named("bool"));
        vec![assign(self.place(maximum), count), assign(self.place(release), not(borrowed))]
    }

    /// The routine that the context's allocator is given: it releases what one item holds.
    pub(super) fn item_release(&self, storage: &Storage) -> Expression {
        match &storage.item {
            Some(routine) => {
                let callee = RoutineId { name: routine.clone(), direction: Direction::Release };
                name(self.functions.name(&callee), Type::Void)
            }
            None => null(),
        }
    }

    /// Storage for the target of a pointer.
    pub(super) fn message_allocation(&mut self, pointer: &Place, target: &Type, storage: &Storage) -> Vec<Statement> {
        let slot = address(self.place(pointer));
        let release = self.item_release(storage);
        let arguments = vec![self.context(), slot, sizeof_type(target.clone()), integer(1), release];
        let taken = self.runtime("in_new", arguments, Type::Void.pointer());
        let mut object = self.place(&pointer.target(target.clone()));
        object.ty = target.clone();
        let mut statements = vec![when(cast::build::equal(taken, null()), vec![self.fail()])];
        statements.extend(self.clear(&object, &storage.clear));
        statements
    }

    /// An array whose items are decoded one by one, into storage that is there for all of them.
    pub(super) fn message_items(&mut self, op: &Op) -> Vec<Statement> {
        let Op::Items { index: i, count, data, length, item, least, strip, storage, body, .. } = op else {
            return Vec::new();
        };
        let count = self.variable(count, u32_type());
        // The allocator zeroes what it will have to release; else we count the items that are there.
        let counts = storage.of != Owner::Managed && storage.clear != Clear::Nothing;
        let items = self.variable(&format!("{i}_items"), item.clone().pointer());
        let slot = address(self.place(data));
        let release = self.item_release(storage);
        let (size, least_size) = (sizeof_type(item.clone()), unsigned(*least));
        let mut arguments = vec![self.context(), self.at(), slot, count.clone(), size, least_size];
        let in_place = self.alignment_in_place(item, storage, body);
        let section = if in_place.is_some() { "in_array_here" } else { "in_array" };
        let outer = std::mem::replace(&mut self.in_place, in_place.is_some());
        arguments.push(in_place.unwrap_or(release));
        let taken = self.runtime(section, arguments, Type::Void.pointer());
        let pointer = item.clone().pointer();
        let mut inside = vec![
            local(cast::print_expression(&items), pointer.clone().constant(), Some(cast_to(pointer, taken))),
            when(cast::build::equal(items.clone(), null()), vec![self.fail()]),
        ];
        let position = self.variable(i, u32_type());
        let object = name(self.variable_name(&item_name(i)), item.clone().pointer());
        let element = address(index(items, position.clone()));
        let mut round = vec![local(cast::print_expression(&object), object.ty.clone(), Some(element))];
        if counts {
            round.extend(self.clear(&dereference(object), &storage.clear));
            round.push(assign(self.place(length), cast::build::add(position, integer(1))));
        }
        if super::decode::nests(body) {
            let owed = vec![self.context(), count.clone(), unsigned(*least)];
            inside.push(Statement::Expression(self.runtime("in_owe", owed, Type::Void)));
            round.push(self.pay(*least));
        }
        round.extend(self.round(body));
        self.in_place = outer;
        if !body.is_empty() {
            inside.push(match strip {
                Some(bytes) => self.strip_loop(i, count.clone(), *bytes, round),
                None => count_loop(&self.variable_name(i), u32_type(), count.clone(), round),
            });
        }
        let known = if counts { integer(0) } else { count.clone() };
        let empty = vec![assign(self.place(data), null())];
        vec![assign(self.place(length), known), when_else(greater(count, integer(0)), inside, empty)]
    }
}

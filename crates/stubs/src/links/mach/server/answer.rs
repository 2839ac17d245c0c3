//! The answer: what the server's function left, in its place in the message, with size and kind.

use cast::{Expression, Statement, Type, build};
use mig::{Complexity, Direction, Item, Shape, TypeName};

use super::super::descriptors::Descriptors;
use super::super::pack::{Leaving, Source};
use super::super::parameters::{self, Kind, kind};
use super::super::side::{call, head, number, untyped, var};
use super::super::translate::{self, translated_out};
use super::super::walk::{self, value_of};
use super::Stub;

impl Stub<'_> {
    /// The answer's items, its size and its kind.
    pub(super) fn answer(&self, leaving: &Leaving<'_>, descriptors: &mut Descriptors) -> Vec<Statement> {
        let mut statements = Vec::new();
        if leaving.keeps_kind() {
            statements.push(build::assign(var("mig_simple"), var("TRUE")));
        }
        statements.extend(leaving.items(descriptors, |item| self.source(leaving, item)));
        statements.push(build::assign(head("mig_out", "msgh_size"), leaving.size()));
        let mark = build::assign_with(
            head("mig_out", "msgh_bits"),
            cast::BinaryOperator::BitOr,
            var("MACH_MSGH_BITS_COMPLEX"),
        );
        match self.reply.sent {
            Complexity::Never => {}
            Complexity::Always => statements.push(mark),
            Complexity::Perhaps => statements.push(build::when(build::not(var("mig_simple")), vec![mark])),
        }
        statements
    }

    /// Where an item of the answer comes from.
    fn source(&self, leaving: &Leaving<'_>, item: &Item<'_>) -> Source {
        let (argument, ty) = (item.argument, item.ty());
        let is_counted = ty.is_variable() && ty.shape != Shape::Text;
        let counted = argument.same_count_as.as_deref().unwrap_or(&argument.name);
        let count = is_counted.then(|| var(format!("mig_count_{counted}")));
        let kind = (kind(argument, self.side) == Kind::Out).then(|| var(translate::kind_local(argument)));
        let moves = parameters::says_deallocate(argument, self.side).then(|| var(translate::moves_local(argument)));
        let mut store = self.stored(leaving, item, count.as_ref(), moves.clone());
        store.extend(self.circle(item, kind.as_ref()));
        Source { store, count, kind, moves }
    }

    fn stored(
        &self,
        leaving: &Leaving<'_>,
        item: &Item<'_>,
        count: Option<&Expression>,
        moves: Option<Expression>,
    ) -> Vec<Statement> {
        let (argument, ty) = (item.argument, item.ty());
        let local = var(translate::local(argument));
        if argument.direction == Direction::InOut {
            return self.sent_back(leaving, item, count);
        }
        if ty.is_any() {
            let place = build::member(value_of("mig_out", item), "data", untyped());
            let (room, copy) = if item.shift > 0 {
                (var(translate::room_local(argument)), Some(leaving.copy_array(item, place, local.clone(), count)))
            } else if self.side.is_widened(ty) {
                (place.clone(), Some(leaving.copy_array(item, place, local.clone(), count)))
            } else {
                (place, None)
            };
            let room = build::cast(self.side.element_type(ty).pointer(), room);
            let is_elsewhere = build::not_equal(local.clone(), room);
            let elsewhere = leaving.send_elsewhere(item, local, moves);
            return vec![match copy {
                Some(copy) => build::when_else(is_elsewhere, elsewhere, vec![copy]),
                None => build::when(is_elsewhere, elsewhere),
            }];
        }
        if !self.is_in_place(argument) {
            return leaving.copy(item, translated_out(argument, local), count);
        }
        let place = value_of("mig_out", item);
        if ty.shape == Shape::Text && ty.is_variable() {
            let length = build::add(call("strlen", vec![place]), number(1));
            return vec![build::assign(walk::count("mig_out", item, "number"), length)];
        }
        if self.side.is_widened(ty) && (ty.is_variable() || ty.units > 1) {
            let names = build::cast(self.side.element_type_or_port(ty).pointer(), place.clone());
            return vec![leaving.copy_array(item, place, names, count)];
        }
        Vec::new()
    }

    /// An `inout` argument goes back from where the request has it.
    fn sent_back(&self, leaving: &Leaving<'_>, item: &Item<'_>, count: Option<&Expression>) -> Vec<Statement> {
        let (argument, ty) = (item.argument, item.ty());
        if translate::needs_local(argument) {
            return leaving.copy(item, translated_out(argument, var(translate::local(argument))), count);
        }
        match self.given(argument) {
            // As a whole: the right, and what fills it up.
            Some(_) if self.side.is_widened(ty) && !ty.is_variable() && ty.units == 1 => {
                let place = self.requested(argument).map(|item| value_of("mig_in", item));
                place.map(|place| build::assign(value_of("mig_out", item), place)).into_iter().collect()
            }
            Some(given) => leaving.copy(item, given, count),
            None => Vec::new(),
        }
    }

    /// A right to receive that travels to itself would never be released.
    fn circle(&self, item: &Item<'_>, kind: Option<&Expression>) -> Option<Statement> {
        let ty = item.ty();
        let name = self.side.leaves_as(ty);
        let is_known = name.value() == Some(16);
        if !self.side.is_kernel() || !(is_known || name == TypeName::Polymorphic) || ty.is_variable() {
            return None;
        }
        let port = Type::named("ipc_port_t");
        let right = build::cast(port.clone(), value_of("mig_out", item));
        let to = build::cast(port, build::arrow(var("mig_request"), self.side.ports().1, untyped()));
        let valid = |right: &Expression| call("IP_VALID", vec![right.clone()]);
        let check = call(self.side.run_time("ipc_port_check_circularity"), vec![right.clone(), to.clone()]);
        let mut conditions = vec![valid(&to), valid(&right), check];
        if let (false, Some(kind)) = (is_known, kind) {
            conditions.insert(0, build::equal(kind.clone(), var("MACH_MSG_TYPE_PORT_RECEIVE")));
        }
        let mark = build::assign_with(
            build::arrow(var("mig_reply"), "msgh_bits", untyped()),
            cast::BinaryOperator::BitOr,
            var("MACH_MSGH_BITS_CIRCULAR"),
        );
        conditions.into_iter().reduce(build::and).map(|condition| build::when(condition, vec![mark]))
    }
}

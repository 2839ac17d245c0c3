//! Variables of a server's stub: for what its function needs and no message has.

use cast::{Statement, Type, build};
use mig::{Argument, Content, Direction, Item, Length, TypeName};

use super::super::parameters::{self, Kind, kind};
use super::super::side::{number, untyped, var};
use super::super::translate::{self, translated_in};
use super::super::walk::{self, elements, most_elements, value_of};
use super::Stub;

impl Stub<'_> {
    /// Whether the server's function writes the argument where the answer has it.
    pub(super) fn is_in_place(&self, argument: &Argument) -> bool {
        let item = self.answered(argument);
        argument.direction == Direction::Out
            && argument.ty.outtran.is_none()
            && item.is_some_and(|item| item.shift == 0 && !item.ty().is_any())
    }

    /// Variables for what the function needs and no message has.
    pub(super) fn locals(&self) -> Vec<Statement> {
        let mut locals = Vec::new();
        for argument in self.routine.arguments.iter().filter(|argument| parameters::is_seen(argument, self.side)) {
            locals.extend(self.value_local(argument));
            if argument.is_out() && parameters::has_count(argument) {
                locals.extend(self.count_local(argument));
            }
            if kind(argument, self.side) == Kind::Out {
                let initial = (argument.direction == Direction::InOut && argument.ty.received == TypeName::Polymorphic)
                    .then(|| self.requested(argument).map(|item| walk::count("mig_in", item, "name")))
                    .flatten();
                locals.push(build::local(
                    translate::kind_local(argument),
                    Type::named("mach_msg_type_name_t"),
                    initial,
                ));
            }
            if argument.is_out() && parameters::says_deallocate(argument, self.side) {
                let name = translate::moves_local(argument);
                locals.push(build::local(name, Type::named("boolean_t"), Some(var("FALSE"))));
            }
        }
        locals
    }

    /// A variable for a value: translated, written before it has its place, or to be released after the call.
    fn value_local(&self, argument: &Argument) -> Vec<Statement> {
        let (ty, name) = (&argument.ty, translate::local(argument));
        let function_type = self.side.function_type(ty);
        if argument.direction == Direction::Out {
            if self.is_in_place(argument) {
                return Vec::new();
            }
            let Some(item) = self.answered(argument) else { return Vec::new() };
            if ty.is_any() {
                return self.any_local(argument, item);
            }
            let ty = match ty.length {
                Length::AtMost(most) if ty.is_inline => self.side.element_type(ty).array(number(most)),
                _ => function_type,
            };
            return vec![build::local(name, ty, None)];
        }
        if !translate::needs_local(argument) {
            return Vec::new();
        }
        let Some(given) = self.given(argument) else { return Vec::new() };
        vec![build::local(name, function_type, Some(translated_in(argument, given, self.side)))]
    }

    /// Room for an array of any length: the answer's own where it has a fixed place.
    fn any_local(&self, argument: &Argument, item: &Item<'_>) -> Vec<Statement> {
        let ty = &argument.ty;
        let element = self.side.element_type(ty);
        let mut locals = Vec::new();
        let room = if item.shift == 0 {
            build::cast(element.clone().pointer(), build::member(value_of("mig_out", item), "data", untyped()))
        } else {
            let name = translate::room_local(argument);
            locals.push(build::local(&name, element.clone().array(number(most_elements(ty))), None));
            var(name)
        };
        let pointer = self.side.function_type(ty);
        locals.push(build::local(translate::local(argument), pointer, Some(room)));
        locals
    }

    fn count_local(&self, argument: &Argument) -> Vec<Statement> {
        let name = translate::count_local(argument);
        let ty = &argument.ty;
        let initial = match self.requested(argument) {
            Some(item) => Some(elements("mig_in", item)),
            None if ty.is_inline => Some(number(most_elements(ty))),
            None => None,
        };
        let mut statements = vec![build::local(&name, Type::named("mach_msg_type_number_t"), initial)];
        if argument.has_count_in
            && let Some(item) = self
                .request
                .items
                .iter()
                .find(|item| item.content == Content::Count && item.argument.name == argument.name)
        {
            let asked = value_of("mig_in", item);
            let is_less = build::less(asked.clone(), var(&name));
            statements.push(build::when(is_less, vec![build::assign(var(&name), asked)]));
        }
        statements
    }
}

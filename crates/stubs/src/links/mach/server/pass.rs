//! The call of the server's function: each argument as the request has it, translated, or where the answer will have it.

use cast::{Expression, Statement, Type, build};
use mig::{Argument, Direction, Length};

use super::super::parameters::{self, Kind, kind};
use super::super::side::{call, head, untyped, var};
use super::super::translate::{self, translated_in};
use super::super::walk::{self, elements, flag, value_of};
use super::Stub;

impl Stub<'_> {
    /// An argument as the request has it.
    pub(super) fn given(&self, argument: &Argument) -> Option<Expression> {
        let (request_port, reply_port) = self.side.ports();
        let port = |member: &str| {
            let value = head("mig_in", member);
            if self.side.is_kernel() { build::cast(Type::named("ipc_port_t"), value) } else { value }
        };
        match argument.direction {
            Direction::RequestPort => return Some(port(request_port)),
            Direction::ReplyPort | Direction::ServerReplyPort => return Some(port(reply_port)),
            Direction::Sequence => return Some(head("mig_in", "msgh_seqno")),
            _ => {}
        }
        let item = self.requested(argument)?;
        let (ty, place) = (item.ty(), value_of("mig_in", item));
        if !ty.is_inline {
            return Some(place);
        }
        let element = |place: Expression| {
            if !self.side.is_widened(ty) {
                return place;
            }
            build::cast(self.side.element_type_or_port(ty).pointer(), place)
        };
        Some(match ty.length {
            Length::Any(_) => build::conditional(
                flag("mig_in", item, "inline"),
                element(build::member(place.clone(), "data", untyped())),
                build::member(place, "elsewhere", untyped()),
            ),
            _ if ty.is_variable() || ty.units > 1 && self.side.is_widened(ty) => element(place),
            Length::Fixed if self.side.is_widened(ty) => build::member(place, "name", untyped()),
            _ => place,
        })
    }

    /// The call of the server's function.
    pub(super) fn call(&self) -> Statement {
        let seen = self.routine.arguments.iter().filter(|argument| parameters::is_seen(argument, self.side));
        let arguments = seen.flat_map(|argument| self.passed(argument)).collect();
        let function = self.side.function(&self.routine.name);
        build::assign(self.code(), build::call(function, arguments, parameters::result()))
    }

    fn passed(&self, argument: &Argument) -> Vec<Expression> {
        let mut passed: Vec<Expression> = self.passed_value(argument).into_iter().collect();
        match kind(argument, self.side) {
            Kind::Known => {}
            Kind::Out => passed.push(build::address(var(translate::kind_local(argument)))),
            Kind::In => passed.extend(self.received_kind(argument)),
        }
        if parameters::has_count(argument) {
            passed.extend(match argument.is_out() {
                true => Some(build::address(var(translate::count_local(argument)))),
                false => self.requested(argument).map(|item| elements("mig_in", item)),
            });
        }
        if parameters::says_deallocate(argument, self.side) {
            passed.push(build::address(var(translate::moves_local(argument))));
        }
        if argument.is_server_copy {
            passed.extend(self.requested(argument).map(|item| flag("mig_in", item, "inline")));
        }
        passed
    }

    /// Which kind of right came: those of the header's ports are in its bits.
    fn received_kind(&self, argument: &Argument) -> Option<Expression> {
        let is_swapped = self.side.is_kernel();
        let function = match argument.direction {
            Direction::RequestPort if is_swapped => "MACH_MSGH_BITS_REMOTE",
            Direction::RequestPort => "MACH_MSGH_BITS_LOCAL",
            Direction::ReplyPort | Direction::ServerReplyPort if is_swapped => "MACH_MSGH_BITS_LOCAL",
            Direction::ReplyPort | Direction::ServerReplyPort => "MACH_MSGH_BITS_REMOTE",
            _ => return self.requested(argument).map(|item| walk::count("mig_in", item, "name")),
        };
        Some(call(function, vec![head("mig_in", "msgh_bits")]))
    }

    fn passed_value(&self, argument: &Argument) -> Option<Expression> {
        let ty = &argument.ty;
        let by_address = |value: Expression| if ty.is_passed_by_address() { value } else { build::address(value) };
        if argument.direction == Direction::Out {
            if !self.is_in_place(argument) {
                return Some(by_address(var(translate::local(argument))));
            }
            let item = self.answered(argument)?;
            let place = value_of("mig_out", item);
            return Some(if !self.side.is_widened(ty) {
                by_address(place)
            } else if ty.is_variable() || ty.units > 1 {
                build::cast(self.side.element_type_or_port(ty).pointer(), place)
            } else {
                build::address(build::member(place, "name", untyped()))
            });
        }
        if translate::needs_local(argument) {
            let local = var(translate::local(argument));
            return Some(if argument.is_out() { by_address(local) } else { local });
        }
        let given = self.given(argument)?;
        if argument.is_out() {
            return Some(by_address(given));
        }
        Some(translated_in(argument, given, self.side))
    }
}

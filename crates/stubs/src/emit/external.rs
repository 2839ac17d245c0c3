//! Types whose routines somebody else has, in messages that are memory: under CDR the library, under XDR the user. On
//! streams such routines take the stream instead (`bool_t xdr_T(XDR *, T *)`).

use cast::build::{address, call, cast as cast_to};
use cast::{Expression, Statement, Type};

use super::Family;
use super::names::verb;
use super::routine::Emitter;
use crate::plan::{Direction, Place};

impl Emitter<'_> {
    /// What a routine of the user's takes: the address of the object, an array as it is; where it `is_constant` here, compilers
    /// want to hear that it may be none there.
    pub(super) fn users_object(&self, place: &Place, is_constant: bool) -> Expression {
        let object = self.place(place);
        let (ty, object) = match &place.ty {
            Type::Array(element, _) => ((**element).clone().pointer(), object),
            ty => (ty.clone().pointer(), address(object)),
        };
        let object = if is_constant { cast_to(Type::named("uintptr_t"), object) } else { object };
        cast_to(ty, object)
    }

    /// Marshals the value, or releases it.
    pub(super) fn external(&mut self, routine: &str, constants: &[u64], place: &Place) -> Vec<Statement> {
        if self.id.direction == Direction::Release {
            let release = match self.conventions.family {
                Family::Xdr => users(routine, Direction::Release),
                _ => format!("whittle_release_{routine}"),
            };
            return vec![Statement::Expression(call(release, vec![address(self.place(place))], cast::Type::Void))];
        }
        if self.is_cdr() {
            return self.cdr_external(routine, constants, place);
        }
        let arguments = vec![self.context(), self.at(), address(self.place(place))];
        self.advance(call(users(routine, self.id.direction), arguments, self.at().ty))
    }
}

/// `encode_T` for `xdr_T`: what the user supplies is as all routines are.
fn users(routine: &str, direction: Direction) -> String {
    format!("{}_{}", verb(direction), routine.strip_prefix("xdr_").unwrap_or(routine))
}

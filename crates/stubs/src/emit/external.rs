//! Types whose routines somebody else has, in messages that are memory: under CDR the library, under XDR the user. On
//! streams such routines take the stream instead (`bool_t xdr_T(XDR *, T *)`).

use cast::Statement;
use cast::build::{address, call};

use super::Family;
use super::names::verb;
use super::routine::Emitter;
use crate::plan::{Direction, Place};

impl Emitter<'_> {
    /// Marshals the value, or lets go of it.
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

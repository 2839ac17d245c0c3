//! Routines, and what their arguments must be to each other.

use super::Parser;
use crate::errors;
use mig::{Argument, Direction, Routine, TypeName};
use source::Span;
use std::collections::BTreeMap;

/// Bytes that a message may have at most: its header counts them in 32 bits, and stubs keep it on the stack.
const MOST_BYTES: u64 = 1 << 28;

impl Parser<'_> {
    /// `NAME(ARGUMENTS)`, behind `routine` or `simpleroutine`.
    pub(super) fn routine(&mut self, is_simple: bool) -> Option<()> {
        let (name, at) = self.c_name("the name of a routine")?;
        let Some(arguments) = self.arguments() else {
            // The number is taken all the same.
            self.push_routine(None, at);
            return None;
        };
        if let Some(first) = self.routine_before(&name, at) {
            self.judge(errors::same_name(at, &name, first));
        }
        let mut routine = Routine {
            name,
            at,
            is_simple,
            number: 0,
            arguments,
            wait_time: self.default_wait_time(),
            message_option: self.default_message_option(),
        };
        settle_request_port(&mut routine);
        self.check(&routine);
        self.push_routine(Some(routine), at);
        Some(())
    }

    fn check(&mut self, routine: &Routine) {
        match routine.request_port() {
            Some(port) if is_single_right(port) => {}
            Some(port) => self.judge(errors::no_request_port(port.at, &routine.name)),
            None => self.judge(errors::no_request_port(routine.at, &routine.name)),
        }
        for argument in &routine.arguments {
            self.check_argument(routine, argument);
        }
        self.check_kinds(routine);
        self.check_names(routine);
        let words = self.options.word;
        let most = mig::Message::request(routine, words).most.max(mig::Message::reply(routine, words, false).most);
        if most > MOST_BYTES {
            self.judge(errors::number_out_of_range(routine.at, "a message of bytes", 0, MOST_BYTES));
        }
    }

    fn check_argument(&mut self, routine: &Routine, argument: &Argument) {
        if routine.is_simple && argument.is_out() {
            self.judge(errors::simple_with_out(argument.at, &routine.name));
        }
        if argument.direction == Direction::InOut && argument.ty.moves_what_follows() {
            self.judge(errors::variable_inout(argument.at, &argument.name));
        }
        match argument.direction {
            Direction::ReplyPort | Direction::ServerReplyPort | Direction::UserReplyPort
                if !is_single_right(argument) =>
            {
                self.judge(errors::wrong_kind(argument.at, "replyport", "a right to a port"));
            }
            Direction::WaitTime | Direction::MessageOption | Direction::Sequence if !is_number(argument) => {
                let kind = match argument.direction {
                    Direction::WaitTime => "waittime",
                    Direction::MessageOption => "msgoption",
                    _ => "msgseqno",
                };
                self.judge(errors::wrong_kind(argument.at, kind, "a number of 32 bits"));
            }
            _ => {}
        }
    }

    /// Each kind that is no data may stand once for each side.
    fn check_kinds(&mut self, routine: &Routine) {
        use Direction::{MessageOption, ReplyPort, RequestPort, Sequence, ServerReplyPort, UserReplyPort, WaitTime};
        let kinds: [(&str, &[Direction]); 6] = [
            ("requestport", &[RequestPort]),
            ("replyport", &[ReplyPort, ServerReplyPort]),
            ("replyport", &[ReplyPort, UserReplyPort]),
            ("waittime", &[WaitTime]),
            ("msgoption", &[MessageOption]),
            ("msgseqno", &[Sequence]),
        ];
        let mut last = None;
        for (kind, directions) in kinds {
            let mut found = routine.arguments.iter().filter(|argument| directions.contains(&argument.direction));
            if let (Some(first), Some(second)) = (found.next(), found.next())
                && last.replace(second.at) != Some(second.at)
            {
                self.judge(errors::second_of_kind(second.at, kind, first.at));
            }
        }
    }

    /// Arguments share a name space with what the stubs add to them.
    fn check_names(&mut self, routine: &Routine) {
        let mut names: BTreeMap<String, Span> = BTreeMap::new();
        for argument in &routine.arguments {
            let name = &argument.name;
            if name.starts_with("mig_") {
                self.judge(errors::reserved_name(argument.at, name, "the stubs have names that begin with `mig_`"));
            }
            for own in own_names(argument) {
                if let Some(first) = names.insert(own.clone(), argument.at) {
                    self.judge(errors::same_name(argument.at, &own, first));
                }
            }
        }
    }
}

/// Where no argument is marked as the request's port, it is the first one.
fn settle_request_port(routine: &mut Routine) {
    let is_marked = routine.request_port().is_some();
    if let Some(first) = routine.arguments.first_mut().filter(|first| !is_marked && first.direction == Direction::In) {
        first.direction = Direction::RequestPort;
    }
}

/// The parameters that an argument becomes, and the members of a message.
fn own_names(argument: &Argument) -> Vec<String> {
    let name = &argument.name;
    let is_polymorphic = argument.ty.sent == TypeName::Polymorphic || argument.ty.received == TypeName::Polymorphic;
    let all = [
        (true, ""),
        (argument.ty.is_variable() && argument.same_count_as.is_none(), "Cnt"),
        (is_polymorphic, "Poly"),
        (argument.asks_deallocate(), "Dealloc"),
        (argument.is_server_copy, "SCopy"),
    ];
    all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, ending)| format!("{name}{ending}")).collect()
}

/// One right that stands in the message.
fn is_single_right(argument: &Argument) -> bool {
    let ty = &argument.ty;
    ty.is_right() && ty.is_inline && !ty.is_variable() && ty.units == 1
}

fn is_number(argument: &Argument) -> bool {
    let ty = &argument.ty;
    !ty.is_right() && ty.is_inline && !ty.is_variable() && ty.bytes() == 4
}

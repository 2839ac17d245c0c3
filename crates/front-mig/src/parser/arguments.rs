//! Arguments of routines, and the words behind their types.

use super::Parser;
use crate::{errors, keywords};
use mig::{Argument, Deallocate, Direction};
use source::{Span, near_miss};

/// The words behind a type, with their places.
#[derive(Default)]
pub(crate) struct Flags {
    pub(crate) deallocate: Option<(Deallocate, Span)>,
    pub(crate) server_copy: Option<Span>,
    pub(crate) count_in_out: Option<Span>,
    pub(crate) same_count: Option<Span>,
}

impl Parser<'_> {
    /// The arguments between parentheses.
    pub(super) fn arguments(&mut self) -> Option<Vec<Argument>> {
        self.expect("(")?;
        let mut arguments: Vec<Argument> = Vec::new();
        loop {
            // A semicolon may stand behind the last argument, too.
            if self.cursor.eat(")") {
                return Some(arguments);
            }
            let start = self.cursor.position();
            match self.argument(&arguments) {
                Some(argument) => arguments.extend(argument),
                None => self.skip_argument(start)?,
            }
            if self.cursor.at(")") {
                continue;
            }
            if !self.cursor.eat(";") {
                let finding =
                    errors::missing_semicolon(self.cursor.after_previous(), "an argument", &self.cursor.found());
                self.report(finding);
                if self.cursor.position() == start || self.cursor.is_at_end() || self.begins_statement() {
                    return None;
                }
            }
        }
    }

    /// Goes on behind an argument that was not understood: before what ends it. `None` where the routine is not closed.
    fn skip_argument(&mut self, start: usize) -> Option<()> {
        while !self.cursor.at_any(&[";", ")"]) {
            if self.cursor.is_at_end() || (self.cursor.position() > start && self.begins_statement()) {
                return None;
            }
            if self.cursor.eat("(") {
                while !self.cursor.at_any(&[";", ")"]) && !self.cursor.is_at_end() {
                    self.cursor.bump();
                }
            }
            self.cursor.bump();
        }
        Some(())
    }

    /// One argument; nothing where it stands for what these messages do not have.
    fn argument(&mut self, before: &[Argument]) -> Option<Option<Argument>> {
        let direction_at = self.cursor.here();
        let direction = if self.is_word(1) { self.direction()? } else { "" };
        let (name, at) = self.c_name("the name of an argument")?;
        self.expect(":")?;
        let type_at = self.cursor.here();
        let ty = match self.is_word(0) && self.cursor.at_ahead(1, "=") {
            true => {
                let (name, at) = self.name("the name of a type")?;
                self.expect("=")?;
                self.named_type(&name, at)?
            }
            false => {
                let (name, at) = self.name("the name of a type")?;
                self.known_type(&name, at)?
            }
        };
        let type_at = self.since(type_at);
        let mut flags = Flags::default();
        self.flags(&mut flags)?;
        if keywords::DIRECTIONS[11..].contains(&direction) {
            self.judge(errors::no_trailer(direction_at, direction));
            return Some(None);
        }
        let direction = match direction {
            // The port that the request goes to, unless another argument is marked so.
            "" | "in" => Direction::In,
            "out" => Direction::Out,
            "inout" => Direction::InOut,
            "requestport" => Direction::RequestPort,
            "replyport" => Direction::ReplyPort,
            "sreplyport" => Direction::ServerReplyPort,
            "ureplyport" => Direction::UserReplyPort,
            "waittime" | "sendtime" => Direction::WaitTime,
            "msgoption" => Direction::MessageOption,
            _ => Direction::Sequence,
        };
        let argument = Argument {
            name,
            at: at.to(type_at),
            direction,
            ty,
            has_count_in: false,
            same_count_as: None,
            is_server_copy: false,
        };
        Some(Some(self.with_flags(argument, &flags, before)))
    }

    fn direction(&mut self) -> Option<&'static str> {
        if let Some(direction) = self.word_of(&keywords::DIRECTIONS) {
            self.cursor.bump();
            return Some(direction);
        }
        let word = self.cursor.peek_text();
        let guess = near_miss(word, &keywords::DIRECTIONS);
        let finding = errors::unknown_word(
            self.cursor.here(),
            "the direction of an argument",
            word,
            &keywords::DIRECTIONS,
            guess,
        );
        self.report(finding);
        None
    }

    /// `, WORD` as often as it is there.
    pub(super) fn flags(&mut self, flags: &mut Flags) -> Option<()> {
        while self.cursor.eat(",") {
            let Some(word) = self.word_of(&keywords::FLAGS) else {
                let word = self.cursor.peek_text();
                let guess = near_miss(word, &keywords::FLAGS);
                let finding =
                    errors::unknown_word(self.cursor.here(), "a word about an argument", word, &keywords::FLAGS, guess);
                self.report(finding);
                return None;
            };
            let at = self.cursor.bump().span;
            match word {
                "dealloc" => {
                    let is_asked = self.cursor.eat("[");
                    if is_asked {
                        self.expect("]")?;
                    }
                    flags.deallocate = Some((if is_asked { Deallocate::Asked } else { Deallocate::Yes }, at));
                }
                "notdealloc" => flags.deallocate = Some((Deallocate::No, at)),
                "servercopy" => flags.server_copy = Some(at),
                "countinout" => flags.count_in_out = Some(at),
                "samecount" => flags.same_count = Some(at),
                // The form of a descriptor follows from its numbers, and the other words are about storage that
                // these stubs never take themselves.
                _ => {}
            }
        }
        Some(())
    }

    fn with_flags(&mut self, mut argument: Argument, flags: &Flags, before: &[Argument]) -> Argument {
        let ty = &argument.ty;
        // Rights that the kernel sends leave it, wherever they stand.
        let may_be_elsewhere = !ty.is_inline || ty.is_any() || ty.is_right();
        let (is_any, is_variable, is_out) = (ty.is_any(), ty.is_variable(), argument.is_out());
        if let Some((deallocate, at)) = flags.deallocate {
            if may_be_elsewhere {
                argument.ty.deallocate = deallocate;
            } else if deallocate != Deallocate::No {
                self.judge(errors::meaningless(at, "dealloc", "the data stands in the message"));
            }
        }
        if let Some(at) = flags.server_copy {
            argument.is_server_copy = is_any && argument.is_in();
            if !argument.is_server_copy {
                self.judge(errors::meaningless(at, "servercopy", "only arrays of any length stand in either place"));
            }
        }
        if let Some(at) = flags.count_in_out {
            argument.has_count_in = is_variable && ty_is_inline(&argument) && argument.direction == Direction::Out;
            if !argument.has_count_in {
                let why = if is_out { "the length does not vary in the message" } else { "nothing comes back" };
                self.judge(errors::meaningless(at, "countinout", why));
            }
        }
        if let Some(at) = flags.same_count {
            let counts = |other: &&Argument| {
                other.ty.is_variable() && other.same_count_as.is_none() && other.direction == argument.direction
            };
            match before.iter().rev().find(counts) {
                Some(first) if is_variable => argument.same_count_as = Some(first.name.clone()),
                _ => self.judge(errors::no_count_before(at, &argument.name)),
            }
        }
        argument
    }
}

fn ty_is_inline(argument: &Argument) -> bool {
    argument.ty.is_inline && argument.ty.shape == mig::Shape::Array
}

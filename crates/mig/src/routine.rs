//! Routines and the subsystem that holds them.

use escape::c::IncludePath;
use source::Span;

use crate::{Deallocate, Definition, Type};

/// A file, checked.
#[derive(Clone, Debug, Default)]
pub struct Subsystem {
    pub name: String,
    /// Where the name stands.
    pub at: Span,
    /// The number of the first routine's request.
    pub base: u32,
    /// The user's stubs run in the kernel.
    pub user_is_kernel: bool,
    /// The server's stubs run in the kernel.
    pub server_is_kernel: bool,
    pub user_prefix: String,
    pub server_prefix: String,
    /// The name of the function that hands requests out, where it is not the subsystem's own.
    pub demux: Option<String>,
    pub imports: Vec<Import>,
    /// The types of the file and of those that it includes: each goes by those before it.
    pub definitions: Vec<Definition>,
    /// Routines in the order of their numbers; `None` for a number that is skipped.
    pub routines: Vec<Option<Routine>>,
}

/// Whose files include a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportSide {
    Both,
    User,
    Server,
}

/// A header that the stubs include.
#[derive(Clone, Debug)]
pub struct Import {
    pub path: IncludePath,
    pub is_system: bool,
    pub side: ImportSide,
}

/// A call, or a message that nobody answers.
#[derive(Clone, Debug)]
pub struct Routine {
    pub name: String,
    pub at: Span,
    /// No answer is sent.
    pub is_simple: bool,
    pub number: u32,
    pub arguments: Vec<Argument>,
    /// Milliseconds, where an answer is waited for no longer: names and numbers of C, to be joined by `|`.
    pub wait_time: Option<Vec<String>>,
    /// Further options of `mach_msg`, in the same form.
    pub message_option: Option<Vec<String>>,
}

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
    InOut,
    /// The port that the request goes to.
    RequestPort,
    /// The port that the answer goes to, for both sides, the server, or the user.
    ReplyPort,
    ServerReplyPort,
    UserReplyPort,
    /// How long the user waits, and further options of `mach_msg`.
    WaitTime,
    MessageOption,
    /// The number that the server's port gave to the request.
    Sequence,
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Argument {
    pub name: String,
    pub at: Span,
    pub direction: Direction,
    pub ty: Type,
    /// The user says how much room there is for what comes back.
    pub has_count_in: bool,
    /// The argument before it that has as many elements, and says how many.
    pub same_count_as: Option<String>,
    /// The server's function learns whether the data stands in the message, and it stays there.
    pub is_server_copy: bool,
}

impl Argument {
    pub fn is_in(&self) -> bool {
        matches!(self.direction, Direction::In | Direction::InOut)
    }

    pub fn is_out(&self) -> bool {
        matches!(self.direction, Direction::Out | Direction::InOut)
    }

    /// Whether the sender of this data says whether it leaves him.
    pub fn asks_deallocate(&self) -> bool {
        self.ty.deallocate == Deallocate::Asked
    }
}

impl Routine {
    /// The port that the request goes to.
    pub fn request_port(&self) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.direction == Direction::RequestPort)
    }

    /// The argument of this kind.
    pub fn of(&self, directions: &[Direction]) -> Option<&Argument> {
        self.arguments.iter().find(|argument| directions.contains(&argument.direction))
    }
}

//! Mach's typed messages: the stubs of a subsystem of MIG's language, under the names and with the signatures that MIG gives them.
//! Beside it the link `mach` of `.x` and `.idl` ([`Mach`]).
//!
//! In: a checked [`mig::Subsystem`]. Out: CAST files: the user's stubs, the server's stubs with the function that hands
//! requests out, a header for each, and the list of the messages' numbers. Each message is a structure of descriptors and
//! values in the order of the arguments; what follows an array of varying length is reached by a pointer that is moved by
//! as much as the array is shorter than it could be. Why not through PRES and PLAN: the format is not an encoding of values
//! alone, since descriptors say at run time which rights move, and who owns the memory beside the message. Source: the
//! message format of `mach/message.h`, and the interface of GNU MIG's stubs.
//!
//! What the stubs check beyond MIG's: counts against the declared bound before they are multiplied, counts of whole elements,
//! that a message which points to memory is marked so, and that text of varying length ends.

mod demux;
mod descriptors;
mod headers;
mod library;
mod objects;
mod pack;
mod parameters;
mod plain;
mod prologue;
mod records;
pub mod runtime;
mod server;
mod side;
mod translate;
mod unpack;
mod user;
mod walk;

use cast::{Declaration, File, IncludePath};
use mig::{Subsystem, Word};

use descriptors::Descriptors;
pub use plain::Mach;
use side::Side;

/// What shapes the files.
#[derive(Clone, Debug)]
pub struct Options {
    pub word: Word,
    /// Before the names of the run time's functions: `__` for `__mach_msg`.
    pub run_time_prefix: String,
    /// The header of the user's stubs, which their file includes.
    pub user_header: Option<IncludePath>,
    /// The same of the server's.
    pub server_header: Option<IncludePath>,
    /// The header of functions that the server's file calls for itself.
    pub internal_header: Option<IncludePath>,
}

/// The user's stubs.
pub fn user_file(subsystem: &Subsystem, options: &Options) -> File {
    let side = Side::user(subsystem, options);
    let mut descriptors = Descriptors::default();
    let mut functions = Vec::new();
    for routine in subsystem.routines.iter().flatten() {
        functions.extend(records::of(routine, &side));
        functions.extend(user::stub(routine, &side, &mut descriptors));
    }
    whole(prologue::user(&side), prologue::helpers(&functions), descriptors, functions)
}

/// The server's stubs, the table of them, and the function that hands requests out.
pub fn server_file(subsystem: &Subsystem, options: &Options) -> File {
    let side = Side::server(subsystem, options);
    let mut descriptors = Descriptors::default();
    let mut functions = Vec::new();
    for routine in subsystem.routines.iter().flatten() {
        functions.extend(records::of(routine, &side));
        functions.push(parameters::prototype(routine, &side));
        functions.extend(server::stub(routine, &side, &mut descriptors));
        functions.extend(parameters::fallback(routine, &side));
    }
    functions.extend(demux::table(subsystem));
    if !subsystem.server_is_kernel {
        functions.extend(demux::function(&side, &mut descriptors));
    }
    whole(prologue::server(&side), prologue::helpers(&functions), descriptors, functions)
}

fn whole(
    mut declarations: Vec<Declaration>,
    helpers: Vec<Declaration>,
    descriptors: Descriptors,
    functions: Vec<Declaration>,
) -> File {
    declarations.extend(helpers);
    declarations.extend(descriptors.declarations());
    declarations.extend(functions);
    super::statements::file(declarations)
}

/// The header of the user's stubs.
pub fn user_header(subsystem: &Subsystem, options: &Options) -> File {
    headers::user(&Side::user(subsystem, options))
}

/// The header of the server's functions.
pub fn server_header(subsystem: &Subsystem, options: &Options) -> File {
    headers::server(&Side::server(subsystem, options))
}

/// A line for each routine: subsystem, its first number, routine, its place, the numbers of request and answer.
pub fn list(subsystem: &Subsystem) -> String {
    let mut text = String::new();
    for routine in subsystem.routines.iter().flatten() {
        let reply = if routine.is_simple { 0 } else { routine.number + REPLY };
        let (name, base) = (&subsystem.name, subsystem.base);
        let place = routine.number - base;
        text.push_str(&format!("{name} {base} {} {place} {} {reply}\n", routine.name, routine.number));
    }
    text
}

/// How much higher an answer's number is than its request's.
const REPLY: u32 = 100;
